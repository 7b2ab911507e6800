/* beside.c - finds files that belong to the library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/beside.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/jit/installed.h"

/* Returns the file's path if it exists, to free(). */
static char *file_at(const char *directory, const char *below, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s%s", directory, below, name) < 0)
        return NULL;
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* Looks around the file `own`, where it is installed and where it is built. */
static char *find_around(const char *own, const char *name)
{
    const char *const below[] = {"",
                                 "spcc/",
                                 "runtime/jit/",
                                 "../runtime/jit/",
                                 "../../runtime/jit/",
                                 &installed ? installed.plugins_from : ""};
    char *directory = realpath(own, NULL), *slash = directory ? strrchr(directory, '/') : NULL,
         *path = NULL;
    if (slash)
        *slash = '\0';
    for (size_t i = 0; slash && !path && i < sizeof below / sizeof *below; i++)
        path = file_at(directory, below[i], name);
    free(directory);
    return path;
}

char *beside_find(const char *name)
{
    Dl_info own;
    char *path = NULL;
    if (dladdr((void *)(uintptr_t)&beside_find, &own) && own.dli_fname
        && strchr(own.dli_fname, '/'))
        path = find_around(own.dli_fname, name);
    path = path ? path : find_around("/proc/self/exe", name);
    return path || !&installed ? path : file_at(installed.plugins, "", name);
}

const char *beside_installed(void)
{
    return &installed ? installed.plugins : "a folder of its own";
}
