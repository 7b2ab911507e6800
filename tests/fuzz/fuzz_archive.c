/* fuzz_archive.c - any bytes as a compressed file and as an archive, whose members are read.
 *
 * What they hold may be large, so no more than some of it is read.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "runtime/io/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMBERS = 16, MOST = 1 << 20 };

static void check(enum rt_status status)
{
    if (status == RT_SYSTEM)
        abort();
}

static void read_some(struct file_source *source)
{
    static char bytes[1 << 16];
    struct rt_error error;
    int64_t got = 1, all = 0;
    enum rt_status status = RT_OK;
    for (; status == RT_OK && got > 0 && all < MOST; all += got)
        check(status = source_read(source, bytes, sizeof bytes, &got, &error));
}

static void read_archive(struct file_source *source)
{
    struct archive archive;
    struct rt_error error;
    enum rt_status status = archive_open(&archive, source, "x", &error);
    check(status);
    for (int64_t i = 0; status == RT_OK && i < archive.members && i < MEMBERS; i++) {
        struct source_part part;
        struct file_source *member = NULL;
        if (archive_enter(&archive, &archive.member[i], &part, &error) == RT_OK
            && source_open_part(&member, source, "x", &part, &error) == RT_OK)
            read_some(member);
        source_close(member);
    }
    archive_close(&archive);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct file_source *text = NULL, *unpacked = NULL;
    struct rt_error error;
    const struct source_part all = {.size = (int64_t)size};
    if (source_open_text(&text, "x", (const char *)data, (int64_t)size, &error) == RT_OK) {
        read_archive(text);
        if (source_seek(text, 0, &error) == RT_OK
            && source_open_part(&unpacked, text, "x", &all, &error) == RT_OK)
            read_some(unpacked);
    }
    source_close(unpacked);
    source_close(text);
    return 0;
}
