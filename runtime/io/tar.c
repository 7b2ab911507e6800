/* tar.c - the members of tar archives (POSIX.1-2017, pax; GNU's long names).
 *
 *     header    512 bytes: name, size in octal digits, checksum, type, "ustar", prefix
 *     bytes     up to a whole number of 512
 *     ...
 *     zeros     512 bytes
 *
 * A header of type x or L has a longer name, or a larger size, for the next member.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/io/archive.h"
#include "runtime/tensor/alloc.h"

enum { BLOCK = 512, LONGEST = 1 << 16 };
enum { NAME = 0, SIZE = 124, CHECKSUM = 148, TYPE = 156, MAGIC = 257, PREFIX = 345 };

/* The place in the archive, and what an earlier header says of the next member. */
struct walk {
    struct archive *archive;
    int64_t at;   /* bytes before it */
    char *name;   /* LONGEST bytes; "": nothing */
    int64_t size; /* -1: nothing */
    char *text;   /* LONGEST bytes */
};

/* Reads octal digits, or a number in base 256 if the first bit is set.  -1: neither. */
static int64_t scan_number(const char *s, int n)
{
    int64_t number = 0;
    int i = 0;
    if ((unsigned char)s[0] == 0x80) {
        for (i = 1; i < n; i++)
            if (__builtin_mul_overflow(number, 256, &number)
                || __builtin_add_overflow(number, (unsigned char)s[i], &number))
                return -1;
        return number;
    }
    while (i < n && s[i] == ' ')
        i++;
    int begin = i;
    for (; i < n && s[i] >= '0' && s[i] <= '7'; i++)
        number = 8 * number + (s[i] - '0');
    return i > begin && (i == n || s[i] == ' ' || s[i] == '\0') ? number : -1;
}

/* Returns the sum of a header's bytes, with blanks as the checksum. */
static int64_t checksum(const char *header)
{
    int64_t sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += i >= CHECKSUM && i < CHECKSUM + 8 ? ' ' : (unsigned char)header[i];
    return sum;
}

bool tar_begins(const char *bytes, int64_t n)
{
    return n >= BLOCK && memcmp(bytes + MAGIC, "ustar", 5) == 0
           && scan_number(bytes + CHECKSUM, 8) == checksum(bytes);
}

static enum rt_status read_exactly(struct walk *w, char *to, int64_t n, struct rt_error *error)
{
    int64_t got;
    enum rt_status status = source_read(w->archive->source, to, n, &got, error);
    w->at += got;
    return status == RT_OK && got < n ? archive_fail(w->archive, error, "is cut off") : status;
}

static enum rt_status skip(struct walk *w, int64_t n, struct rt_error *error)
{
    enum rt_status status = RT_OK;
    if (source_can_seek(w->archive->source) && n > BLOCK) {
        w->at += n;
        return w->at <= source_size(w->archive->source)
                   ? source_seek(w->archive->source, w->at, error)
                   : archive_fail(w->archive, error, "is cut off");
    }
    for (; n > 0 && status == RT_OK; n -= LONGEST)
        status = read_exactly(w, w->text, n < LONGEST ? n : LONGEST, error);
    return status;
}

static int64_t padded(int64_t size) { return (size + BLOCK - 1) / BLOCK * BLOCK; }

/* Takes records "27 path=folder/name\n". */
static void take_pax(struct walk *w, const char *s, const char *end)
{
    while (s < end) {
        int64_t length = 0;
        const char *at = s;
        for (; at < end && *at >= '0' && *at <= '9' && length < LONGEST; at++)
            length = 10 * length + (*at - '0');
        if (at == end || *at != ' ' || length <= at + 1 - s || length > end - s)
            return;
        const char *key = at + 1, *stop = s + length - 1;
        int64_t left = stop - key;
        if (left > 5 && memcmp(key, "path=", 5) == 0) {
            memcpy(w->name, key + 5, (size_t)left - 5);
            w->name[left - 5] = '\0';
        } else if (left > 5 && memcmp(key, "size=", 5) == 0) {
            w->size = 0;
            for (key += 5; key < stop && *key >= '0' && *key <= '9' && w->size < INT64_MAX / 16;
                 key++)
                w->size = 10 * w->size + (*key - '0');
        }
        s += length;
    }
}

/* Reads the bytes of a header about the next member. */
static enum rt_status read_about(struct walk *w, char type, int64_t size, struct rt_error *error)
{
    if (size >= LONGEST)
        return archive_fail(w->archive, error, "has a name of more than 64 KiB");
    enum rt_status status = read_exactly(w, w->text, padded(size), error);
    if (status != RT_OK)
        return status;
    w->text[size] = '\0';
    if (type == 'L')
        memcpy(w->name, w->text, (size_t)size + 1);
    else if (type == 'x')
        take_pax(w, w->text, w->text + size);
    return RT_OK;
}

static void name_of_header(const char *header, char *name)
{
    size_t prefix = strnlen(header + PREFIX, 155), n = strnlen(header + NAME, 100);
    bool joined = prefix > 0 && memcmp(header + MAGIC, "ustar", 6) == 0;
    if (joined) {
        memcpy(name, header + PREFIX, prefix);
        name[prefix++] = '/';
    }
    memcpy(name + (joined ? prefix : 0), header + NAME, n);
    name[(joined ? prefix : 0) + n] = '\0';
}

static enum rt_status take_member(struct walk *w, const char *header, int64_t size,
                                  struct rt_error *error)
{
    char type = header[TYPE];
    enum rt_status status = RT_OK;
    if (w->name[0] == '\0')
        name_of_header(header, w->name);
    size = w->size >= 0 ? w->size : size;
    if (type == '0' || type == '\0' || type == '7')
        status = archive_add(w->archive, w->name, strlen(w->name),
                             (struct archive_member){.at = w->at, .size = size, .unpacked = size},
                             error);
    w->name[0] = '\0';
    w->size = -1;
    return status == RT_OK ? skip(w, padded(size), error) : status;
}

static enum rt_status walk(struct walk *w, struct rt_error *error)
{
    char header[BLOCK];
    for (;;) {
        int64_t got;
        enum rt_status status = source_read(w->archive->source, header, BLOCK, &got, error);
        if (status != RT_OK || got == 0)
            return status;
        w->at += got;
        if (got == BLOCK && header[0] == '\0' && checksum(header) == 8 * ' ')
            return RT_OK;
        int64_t size = got == BLOCK ? scan_number(header + SIZE, 12) : -1;
        if (size < 0 || size > INT64_MAX / 4
            || scan_number(header + CHECKSUM, 8) != checksum(header))
            return archive_fail(w->archive, error, "is damaged, or cut off");
        char type = header[TYPE];
        status = type == 'L' || type == 'x' || type == 'g' || type == 'K'
                     ? read_about(w, type, size, error)
                     : take_member(w, header, size, error);
        if (status != RT_OK)
            return status;
    }
}

enum rt_status tar_list(struct archive *archive, struct rt_error *error)
{
    struct walk w = {.archive = archive, .size = -1};
    w.name = rt_array_zeroed(LONGEST, 1);
    w.text = rt_array(LONGEST, 1);
    enum rt_status status = w.name && w.text ? walk(&w, error) : rt_no_memory(error);
    free(w.name);
    free(w.text);
    return status;
}
