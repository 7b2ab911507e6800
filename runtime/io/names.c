/* names.c - finds a file's format by its name, or by how it begins.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* All formats: adding one is a file and a line here. */
static const struct file_format *const formats[] = {
    &file_format_edges, &file_format_mtx, &file_format_npy, &file_format_npz,
    &file_format_rb,    &file_format_tns, &file_format_ttx,
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* Do the n bytes at s end in this, in any case of letters, after a dot unless it is all of them? */
static bool ends_in(const char *s, size_t n, const char *ending)
{
    size_t length = strlen(ending);
    if (length > n || strncasecmp(s + n - length, ending, length) != 0)
        return false;
    return length == n || s[n - length - 1] == '.';
}

static bool is_named(const struct file_format *format, const char *name, size_t n)
{
    if (ends_in(name, n, format->name))
        return true;
    for (const char *const *other = format->other_names; other && *other; other++)
        if (ends_in(name, n, *other))
            return true;
    return false;
}

static bool is_archive(const char *name, size_t n)
{
    static const char *const endings[] = {"zip", "tar", "tgz", "tbz", "tbz2", "txz", "tzst", NULL};
    for (const char *const *ending = endings; *ending; ending++)
        if (ends_in(name, n, *ending))
            return true;
    return false;
}

struct file_name name_parse(const char *name)
{
    size_t n = strlen(name);
    struct file_name parsed = {.codec = codec_of_name(name, n)};
    n -= parsed.codec ? strlen(parsed.codec->suffix) : 0;
    parsed.archive = is_archive(name, n);
    for (size_t i = 0; i < FORMATS && !parsed.format; i++)
        parsed.format = is_named(formats[i], name, n) ? formats[i] : NULL;
    return parsed;
}

bool path_is_stream(const char *path)
{
    struct stat about;
    return strcmp(path, "-") == 0
           || (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

const struct file_format *format_of_bytes(const char *bytes, int64_t n)
{
    for (size_t i = 0; i < FORMATS; i++)
        for (const char *const *banner = formats[i]->banners; banner && *banner; banner++)
            if (n >= (int64_t)strlen(*banner) && strncasecmp(bytes, *banner, strlen(*banner)) == 0)
                return formats[i];
    return NULL;
}

void name_help(struct rt_error *error)
{
    char list[96] = "";
    for (size_t i = 0; i < FORMATS; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s.%s",
                 i == 0            ? ""
                 : i + 1 < FORMATS ? ", "
                                   : " or ",
                 formats[i]->name);
    rt_help(error, "names end in %s, and .gz after that if the file is compressed", list);
}
