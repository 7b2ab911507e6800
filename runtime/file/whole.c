/* whole.c - files that are written whole or not at all.
 *
 * A file is written without a name (O_TMPFILE) if the file system can, so that nothing can be left
 * of it, and else with a scratch name.  When it is complete, it is linked to its final name if
 * that is free, and else to a scratch name that is renamed, which replaces a file in one step.
 * All calls use the folder's descriptor and short names, so a name may have the greatest length.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/file/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100, PROC_PATH = 40 };

/* ---- opening ---- */

/* The path of the open file itself, by which it can be linked. */
static void path_of(int fd, char path[PROC_PATH])
{
    snprintf(path, PROC_PATH, "/proc/self/fd/%d", fd);
}

/* Opens a file without a name.  false if a file needs a name here. */
static bool open_nameless(struct whole *file)
{
    char path[PROC_PATH];
    struct stat s;
    file->fd = openat(file->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file->fd < 0)
        return false;
    path_of(file->fd, path);
    file->nameless = stat(path, &s) == 0;
    if (!file->nameless)
        close(file->fd);
    return file->nameless;
}

static void begin_scratch(struct whole *file)
{
    scratch_remove_left_overs(file->folder);
    scratch_begin(&file->scratch, file->folder);
    file->noted = true;
}

static int open_named(struct whole *file)
{
    begin_scratch(file);
    for (int i = 0; i < TRIES; i++) {
        file->fd =
            openat(file->folder, file->scratch.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->fd >= 0 && scratch_lock(&file->scratch, file->fd))
            return 0;
        if (file->fd < 0 && errno != EEXIST)
            break;
        if (file->fd >= 0)
            close(file->fd);
        file->fd = -1;
        errno = EEXIST;
        scratch_rename(&file->scratch);
    }
    int error = errno;
    scratch_end(&file->scratch);
    file->noted = false;
    return error;
}

/* Splits the path, opens the folder, and in it a file to write to. */
static int open_beside(struct whole *file, const struct stat *there)
{
    char *slash = strrchr(file->path, '/');
    file->name = slash ? slash + 1 : file->path;
    if (!*file->name)
        return *file->path ? EISDIR : ENOENT;
    if (strlen(file->name) > 255)
        return ENAMETOOLONG;
    char first = slash ? slash[1] : 0;
    if (slash)
        slash[1] = '\0';
    file->folder = open(slash ? file->path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int error = file->folder < 0 ? errno : 0;
    if (slash)
        slash[1] = first;
    if (!error && !open_nameless(file))
        error = open_named(file);
    if (!error && there && fchmod(file->fd, there->st_mode & 0777) != 0)
        error = errno;
    return error;
}

static int open_path(struct whole *file, const char *path)
{
    struct stat s;
    if (file->standard) {
        file->fd = STDOUT_FILENO;
        return 0;
    }
    bool there = stat(path, &s) == 0;
    if (there && S_ISDIR(s.st_mode))
        return EISDIR;
    if (there && !S_ISREG(s.st_mode)) {
        file->fd = open(path, O_WRONLY | O_CLOEXEC);
        return file->fd < 0 ? errno : 0;
    }
    if (there && access(path, W_OK) != 0)
        return errno;
    file->path = there ? realpath(path, NULL) : strdup(path);
    return file->path ? open_beside(file, there ? &s : NULL) : errno;
}

/* ---- closing ---- */

static void dispose(struct whole *file)
{
    if (file->fd >= 0 && !file->standard)
        close(file->fd);
    if (file->noted) {
        unlinkat(file->folder, file->scratch.name, 0);
        scratch_end(&file->scratch);
    }
    if (file->folder >= 0)
        close(file->folder);
    free(file->path);
}

int whole_open(struct whole *file, const char *path, bool sync)
{
    *file =
        (struct whole){.fd = -1, .folder = -1, .standard = strcmp(path, "-") == 0, .sync = sync};
    int error = open_path(file, path);
    if (error)
        dispose(file);
    return error;
}

int whole_write(struct whole *file, const void *bytes, size_t n)
{
    for (const char *at = bytes; n > 0;) {
        ssize_t written = write(file->fd, at, n);
        if (written < 0 && errno != EINTR)
            return errno;
        at += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
    return 0;
}

/* Pipes and terminals have no disk. */
static int sync_file(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

static int sync_folder(const struct whole *file)
{
    int fd = openat(file->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = fd < 0 ? errno : sync_file(fd);
    if (fd >= 0)
        close(fd);
    return error;
}

/* Links the nameless file to its name if that is free, else to a scratch name. */
static int link_nameless(struct whole *file, bool *done)
{
    char path[PROC_PATH];
    path_of(file->fd, path);
    *done = linkat(AT_FDCWD, path, file->folder, file->name, AT_SYMLINK_FOLLOW) == 0;
    if (*done || errno != EEXIST)
        return *done ? 0 : errno;
    begin_scratch(file);
    for (int i = 0; i < TRIES; i++) {
        if (linkat(AT_FDCWD, path, file->folder, file->scratch.name, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        if (errno != EEXIST)
            break;
        scratch_rename(&file->scratch);
    }
    return errno;
}

static int publish(struct whole *file)
{
    bool done = false;
    int error = file->sync ? sync_file(file->fd) : 0;
    if (!error && file->nameless)
        error = link_nameless(file, &done);
    /* Errors that appear when the file is closed must appear before it has its name. */
    if (!error && !file->standard) {
        error = close(file->fd) == 0 ? 0 : errno;
        file->fd = -1;
        if (error && done)
            unlinkat(file->folder, file->name, 0);
    }
    if (!error && !done && file->path) {
        if (renameat(file->folder, file->scratch.name, file->folder, file->name) != 0)
            return errno;
        scratch_end(&file->scratch);
        file->noted = false;
    }
    return !error && file->sync && file->path ? sync_folder(file) : error;
}

int whole_close(struct whole *file, int failed)
{
    int error = failed ? failed : publish(file);
    dispose(file);
    return error;
}

/* ---- reading ---- */

int whole_read(const char *path, size_t most, void **bytes, size_t *n)
{
    FILE *file = fopen(path, "rbe");
    struct stat s;
    int error = !file                          ? errno
                : fstat(fileno(file), &s) != 0 ? errno
                : !S_ISREG(s.st_mode)          ? EINVAL
                : (size_t)s.st_size > most     ? EINVAL
                                               : 0;
    *n = error ? 0 : (size_t)s.st_size;
    *bytes = error ? NULL : malloc(*n + 1);
    if (!error && !*bytes)
        error = ENOMEM;
    if (!error && fread(*bytes, 1, *n, file) != *n) {
        free(*bytes);
        *bytes = NULL;
        error = EIO;
    }
    if (file)
        fclose(file);
    return error;
}
