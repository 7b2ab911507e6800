/* open.c - finds the bytes of a tensor by a path.
 *
 * A path may go on inside an archive as if that were a folder, as x.tar.gz/x/x.mtx does.  A path
 * that ends with the archive means its only tensor.  Among several it means the one that is named
 * like its folder, or like the archive, if all others are beside it: in archives of the
 * SuiteSparse collection the matrix is among its vectors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/open.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/io/archive.h"
#include "runtime/io/names.h"
#include "runtime/tensor/alloc.h"

enum { LISTED = 400, LOOKED_AT = 32 };

/* ---- members ---- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Is it certainly a tensor?  A list of edges may be any text. */
static bool is_tensor(const struct archive_member *member, bool also_texts)
{
    const char *base = base_of(member->name), *dot = strrchr(base, '.');
    bool is_text = dot && strcasecmp(dot, ".txt") == 0;
    return base[0] != '.' && name_parse(base).format && (also_texts || !is_text);
}

/* Are the names equal up to their first dots? */
static bool is_called(const char *base, const char *other)
{
    size_t n = strcspn(base, "."), m = strcspn(other, "./");
    return n == m && strncmp(base, other, n) == 0;
}

/* Is it named like its folder or the archive? */
static bool is_main(const struct archive_member *member, const char *archive)
{
    const char *base = base_of(member->name), *folder = base - (base > member->name);
    while (folder > member->name && folder[-1] != '/')
        folder--;
    return is_called(base, base_of(archive)) || (base > member->name && is_called(base, folder));
}

/* Are both in the same folder? */
static bool is_beside(const struct archive_member *member, const struct archive_member *other)
{
    size_t n = (size_t)(base_of(member->name) - member->name);
    return n == (size_t)(base_of(other->name) - other->name)
           && strncmp(member->name, other->name, n) == 0;
}

/* Returns the only tensor; if `main` is asked for, the main one with the others beside it.  NULL if
 * there is none, or several. */
static const struct archive_member *find_only(const struct archive *archive, bool also_texts,
                                              bool main)
{
    const struct archive_member *only = NULL;
    for (int64_t i = 0; i < archive->members; i++) {
        const struct archive_member *member = &archive->member[i];
        if (!is_tensor(member, also_texts) || (main && !is_main(member, archive->path)))
            continue;
        if (only)
            return NULL;
        only = member;
    }
    for (int64_t i = 0; i < archive->members && only; i++)
        if (is_tensor(&archive->member[i], also_texts) && !is_beside(&archive->member[i], only))
            return NULL;
    return only;
}

static const struct archive_member *find_named(const struct archive *archive, const char *name)
{
    for (int64_t i = 0; i < archive->members; i++) {
        const char *called = archive->member[i].name;
        if (strcmp(called + (strncmp(called, "./", 2) == 0 ? 2 : 0), name) == 0)
            return &archive->member[i];
    }
    return NULL;
}

static enum rt_status fail_member(const struct archive *archive, const char *name,
                                  struct rt_error *error)
{
    char list[LISTED + 8] = "";
    size_t n = 0;
    for (int64_t i = 0; i < archive->members; i++) {
        const char *called = archive->member[i].name;
        if (n + strlen(called) + 2 > LISTED) {
            snprintf(list + n, sizeof list - n, ", ...");
            break;
        }
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", called);
    }
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT, "%.300s: the archive %s%.100s%s: it has %s",
                archive->path, name ? "has no " : "does not hold one tensor", name ? name : "", "",
                archive->members ? list : "nothing");
    if (archive->members > 0)
        rt_help(error, "name one of them, as in %.80s/%.120s", base_of(archive->path),
                archive->member[0].name);
    return status;
}

static enum rt_status choose(const struct archive *archive, const char *name,
                             const struct archive_member **member, struct rt_error *error)
{
    *member = name ? find_named(archive, name) : NULL;
    for (int texts = 0; texts < 2 && !name && !*member; texts++) {
        *member = find_only(archive, texts, false);
        *member = *member ? *member : find_only(archive, texts, true);
    }
    return *member ? RT_OK : fail_member(archive, name, error);
}

/* ---- the path ---- */

/* Splits the path into that of a file and the rest, inside an archive.  NULL: there is no rest. */
static enum rt_status split_path(struct opened *opened, const char *path, const char **member,
                                 struct rt_error *error)
{
    struct stat about;
    *member = NULL;
    opened->file = strdup(path);
    if (!opened->file)
        return rt_no_memory(error);
    if (stat(path, &about) == 0 || errno != ENOTDIR)
        return RT_OK;
    for (char *slash = opened->file; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        if (stat(opened->file, &about) == 0 && S_ISREG(about.st_mode)) {
            *member = slash + 1;
            return RT_OK;
        }
        *slash = '/';
    }
    return RT_OK;
}

static enum rt_status enter(struct opened *opened, struct archive *archive, const char *name,
                            struct rt_error *error)
{
    const struct archive_member *member;
    struct source_part part;
    enum rt_status status = choose(archive, name, &member, error);
    if (status != RT_OK)
        return status;
    status = archive_enter(archive, member, &part, error);
    if (status != RT_OK)
        return status;
    size_t n = strlen(opened->shown) + strlen(member->name) + 2;
    char *called = rt_array((int64_t)n, 1);
    if (!called)
        return rt_no_memory(error);
    snprintf(called, n, "%s/%s", opened->shown, member->name);
    free(opened->shown);
    opened->shown = called;
    return source_open_part(&opened->member_source, opened->file_source, called, &part, error);
}

/* Does the archive hold only NumPy's arrays, as a .npz file does? */
static bool holds_arrays(const struct archive *archive)
{
    for (int64_t i = 0; i < archive->members; i++) {
        const char *dot = strrchr(archive->member[i].name, '.');
        if (!dot || strcmp(dot, ".npy") != 0)
            return false;
    }
    return archive->kind == ARCHIVE_ZIP && archive->members > 0;
}

/* Opens the member, if the file is an archive. */
static enum rt_status open_archive(struct opened *opened, const char *member,
                                   struct rt_error *error)
{
    struct archive archive;
    enum rt_status status = archive_open(&archive, opened->file_source, opened->shown, error);
    if (status == RT_OK && !member && holds_arrays(&archive)) {
        opened->format = &file_format_npz;
        status = source_seek(opened->file_source, 0, error);
    } else if (status == RT_OK && archive.kind != ARCHIVE_NONE)
        status = enter(opened, &archive, member, error);
    else if (status == RT_OK && member)
        status =
            rt_fail(error, RT_INPUT, DIAG_FILE_OPEN,
                    "%.400s: the file is no archive that could hold %.200s", opened->shown, member);
    archive_close(&archive);
    return status;
}

/* The beginning of a file tells its format, if anything does.  A named format is kept. */
static enum rt_status find_format(struct opened *opened, bool named, struct rt_error *error)
{
    const char *bytes;
    int64_t n;
    enum rt_status status = source_peek(opened_source(opened), &bytes, LOOKED_AT, &n, error);
    if (status != RT_OK || named)
        return status;
    const struct file_format *shown = format_of_bytes(bytes, n);
    if (shown) {
        opened->format = shown;
        return RT_OK;
    }
    status = looks_fail(opened->shown, bytes, n, error);
    if (status != RT_OK || opened->format)
        return status;
    status = rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                     "%.400s: the name does not give the file format", opened->shown);
    name_help(error);
    return status;
}

static enum rt_status fail_named(const char *named, struct rt_error *error)
{
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT, "%.40s is not a file format", named);
    name_help(error);
    return status;
}

enum rt_status open_text(struct opened *opened, const char *path, const char *text, int64_t size,
                         const char *named, struct rt_error *error)
{
    *opened = (struct opened){.format = name_parse(named ? named : path).format};
    if (!opened->format)
        return fail_named(named ? named : path, error);
    opened->shown = strdup(path);
    return opened->shown ? source_open_text(&opened->file_source, opened->shown, text, size, error)
                         : rt_no_memory(error);
}

enum rt_status open_path(struct opened *opened, const char *path, const char *named,
                         struct rt_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    const char *member;
    *opened = (struct opened){.file = NULL};
    enum rt_status status = split_path(opened, path, &member, error);
    if (status != RT_OK)
        return status;
    opened->shown = strdup(standard ? "standard input" : opened->file);
    struct file_name name = name_parse(named ? named : opened->file);
    if (named && !name.format)
        return fail_named(named, error);
    status = opened->shown ? source_open(&opened->file_source, opened->file, name.codec, error)
                           : rt_no_memory(error);
    bool within = member || !name.format || !name.format->holds_arrays;
    if (status == RT_OK && within)
        status = open_archive(opened, member, error);
    if (status != RT_OK)
        return status;
    if (opened->member_source && !named)
        name = name_parse(opened->shown);
    if (!opened->format)
        opened->format =
            !name.format && !named && path_is_stream(path) ? &file_format_tns : name.format;
    return find_format(opened, named, error);
}

void opened_close(struct opened *opened)
{
    source_close(opened->member_source);
    source_close(opened->file_source);
    free(opened->file);
    free(opened->shown);
    *opened = (struct opened){.file = NULL};
}
