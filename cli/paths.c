/* paths.c - tells whether names mean the same file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Finds a path's folder, as device and inode.  false if it is not there. */
static bool stat_folder(const char *path, struct stat *s)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool is_there = folder && stat(folder, s) == 0;
    free(folder);
    return is_there;
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool paths_are_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    bool has_a = stat(a, &of_a) == 0, has_b = stat(b, &of_b) == 0;
    if (has_a && has_b)
        return is_same_inode(&of_a, &of_b) && S_ISREG(of_a.st_mode);
    return !has_a && !has_b && strcmp(last_name(a), last_name(b)) == 0 && stat_folder(a, &of_a)
           && stat_folder(b, &of_b) && is_same_inode(&of_a, &of_b);
}
