/* zip_write.c - writes zip archives, with all sizes and places as 64 bits.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "runtime/io/archive.h"
#include "runtime/io/zip.h"
#include "runtime/tensor/alloc.h"

enum { VERSION = 45, UNIX = 3 << 8, WIDE = 1, DAY = 33 }; /* the first of January 1980 */

/* Numbers, lowest byte first. */
struct record {
    unsigned char bytes[128];
    size_t n;
};

static void put_number(struct record *record, uint64_t number, int bytes)
{
    for (; bytes > 0; bytes--, number >>= 8)
        record->bytes[record->n++] = (unsigned char)number;
}

static void write_bytes(struct zip_writer *zip, const void *bytes, size_t n)
{
    output_write(zip->output, bytes, n);
    zip->written += (int64_t)n;
}

void zip_begin(struct zip_writer *zip, struct output *output)
{
    *zip = (struct zip_writer){.output = output};
}

/* ---- members ---- */

struct packing {
    z_stream deflater;
    char *at;
    int64_t made, room;
};

/* Deflates n bytes behind those that are there.  false if there is no room. */
static bool pack_some(struct packing *p, const char *from, size_t n, int flush)
{
    z_stream *z = &p->deflater;
    do {
        uInt now = n < UINT_MAX / 4 ? (uInt)n : UINT_MAX / 4;
        int64_t left = p->room - p->made;
        uInt given = left < UINT_MAX ? (uInt)left : UINT_MAX;
        z->next_in = (Bytef *)from;
        z->avail_in = now;
        z->next_out = (Bytef *)p->at + p->made;
        z->avail_out = given;
        from += now;
        n -= now;
        int status = deflate(z, n > 0 ? Z_NO_FLUSH : flush);
        p->made += given - z->avail_out;
        if (status == Z_STREAM_ERROR || z->avail_in > 0)
            return false;
    } while (n > 0);
    return true;
}

static bool deflate_member(struct packing *p, const void *head, size_t head_n, const void *bytes,
                           size_t n)
{
    if (deflateInit2(&p->deflater, Z_BEST_SPEED, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    p->room = (int64_t)deflateBound(&p->deflater, head_n + n) + 64;
    p->at = rt_array(p->room, 1);
    bool packed =
        p->at && pack_some(p, head, head_n, Z_NO_FLUSH) && pack_some(p, bytes, n, Z_FINISH);
    deflateEnd(&p->deflater);
    return packed;
}

/* Puts what the local header and the directory share, up to the lengths of name and extra field. */
static void put_facts(struct record *record, const struct archive_member *member, int extra)
{
    put_number(record, VERSION, 2);
    put_number(record, 0, 2); /* flags */
    put_number(record, ZIP_DEFLATED, 2);
    put_number(record, 0, 2); /* midnight */
    put_number(record, DAY, 2);
    put_number(record, member->crc, 4);
    put_number(record, UINT32_MAX, 4);
    put_number(record, UINT32_MAX, 4);
    put_number(record, strlen(member->name), 2);
    put_number(record, (uint64_t)extra, 2);
}

static void put_sizes(struct record *record, const struct archive_member *member, int extra)
{
    put_number(record, WIDE, 2);
    put_number(record, (uint64_t)extra - 4, 2);
    put_number(record, (uint64_t)member->unpacked, 8);
    put_number(record, (uint64_t)member->size, 8);
}

/* Keeps what the directory says of it. */
static bool keep_member(struct zip_writer *zip, const struct archive_member *member)
{
    if (zip->members == zip->capacity) {
        int64_t capacity = 2 * zip->capacity + 8;
        struct archive_member *more = rt_array_resize(zip->member, capacity, sizeof *zip->member);
        if (!more)
            return false;
        zip->member = more;
        zip->capacity = capacity;
    }
    zip->member[zip->members++] = *member;
    return true;
}

void zip_add(struct zip_writer *zip, const char *name, const void *head, size_t head_n,
             const void *bytes, size_t n)
{
    enum { EXTRA = 20 };
    struct packing p = {.at = NULL};
    struct record local = {.n = 0};
    if (!deflate_member(&p, head, head_n, bytes, n)) {
        zip->failed = true;
        free(p.at);
        return;
    }
    uLong crc = crc32_z(crc32_z(0, head, head_n), bytes, n);
    struct archive_member member = {.name = (char *)name,
                                    .at = zip->written,
                                    .size = p.made,
                                    .unpacked = (int64_t)(head_n + n),
                                    .crc = (uint32_t)crc};
    zip->failed |= !keep_member(zip, &member);
    put_number(&local, 0x04034b50, 4);
    put_facts(&local, &member, EXTRA);
    write_bytes(zip, local.bytes, local.n);
    write_bytes(zip, name, strlen(name));
    local.n = 0;
    put_sizes(&local, &member, EXTRA);
    write_bytes(zip, local.bytes, local.n);
    write_bytes(zip, p.at, (size_t)p.made);
    free(p.at);
}

/* ---- the directory ---- */

static void write_entry(struct zip_writer *zip, const struct archive_member *member)
{
    enum { EXTRA = 28 };
    struct record entry = {.n = 0};
    put_number(&entry, 0x02014b50, 4);
    put_number(&entry, VERSION | UNIX, 2);
    put_facts(&entry, member, EXTRA);
    put_number(&entry, 0, 2);                       /* no comment */
    put_number(&entry, 0, 2);                       /* on the first disk */
    put_number(&entry, 0, 2);                       /* binary */
    put_number(&entry, UINT64_C(0100644) << 16, 4); /* a file that its owner may write */
    put_number(&entry, UINT32_MAX, 4);
    write_bytes(zip, entry.bytes, entry.n);
    write_bytes(zip, member->name, strlen(member->name));
    entry.n = 0;
    put_sizes(&entry, member, EXTRA);
    put_number(&entry, (uint64_t)member->at, 8);
    write_bytes(zip, entry.bytes, entry.n);
}

static void write_end(struct zip_writer *zip, int64_t directory)
{
    struct record end = {.n = 0};
    int64_t at = zip->written;
    put_number(&end, 0x06064b50, 4);
    put_number(&end, 44, 8); /* bytes that follow */
    put_number(&end, VERSION | UNIX, 2);
    put_number(&end, VERSION, 2);
    put_number(&end, 0, 8); /* this disk, and that of the directory */
    put_number(&end, (uint64_t)zip->members, 8);
    put_number(&end, (uint64_t)zip->members, 8);
    put_number(&end, (uint64_t)(at - directory), 8);
    put_number(&end, (uint64_t)directory, 8);
    put_number(&end, 0x07064b50, 4);
    put_number(&end, 0, 4);
    put_number(&end, (uint64_t)at, 8);
    put_number(&end, 1, 4); /* disk */
    write_bytes(zip, end.bytes, end.n);
    end.n = 0;
    put_number(&end, 0x06054b50, 4);
    put_number(&end, 0, 4);
    put_number(&end, (uint64_t)zip->members, 2);
    put_number(&end, (uint64_t)zip->members, 2);
    put_number(&end, UINT32_MAX, 4);
    put_number(&end, UINT32_MAX, 4);
    put_number(&end, 0, 2); /* no comment */
    write_bytes(zip, end.bytes, end.n);
}

enum rt_status zip_end(struct zip_writer *zip, struct rt_error *error)
{
    int64_t directory = zip->written;
    for (int64_t i = 0; i < zip->members; i++)
        write_entry(zip, &zip->member[i]);
    write_end(zip, directory);
    free(zip->member);
    return zip->failed ? rt_no_memory(error) : RT_OK;
}
