/* text_file.c - texts into files.
 *
 * The text goes to a file beside the one that is wanted, which takes its name, and its permissions, once it is complete.
 * A link goes on being a link: what it leads to is replaced.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/library.h"

/* It is the name that is wrong, or else the machine. */
static enum cli_status complain(const char *path, int number)
{
    library_complain("%s: cannot be written: %s", path, strerror(number));
    switch (number) {
    case ENOENT: case EACCES: case EISDIR: case ENOTDIR: case ENAMETOOLONG: case ELOOP: case EROFS: case EPERM:
        return CLI_BAD_INPUT;
    default: return CLI_BAD_MACHINE;
    }
}

/* Write it all and close; 0 or errno. */
static int fill(int fd, const char *text)
{
    FILE *file = fdopen(fd, "w");
    if (!file) {
        int number = errno;
        close(fd);
        return number;
    }
    int number = fputs(text, file) < 0 || fflush(file) != 0 ? errno : 0;
    if (fclose(file) != 0 && !number)
        number = errno;
    return number;
}

/* By way of a temporary file; 0 or errno. */
static int replace(const char *path, const char *text, mode_t mode)
{
    size_t size = strlen(path) + 32;
    char *temporary = malloc(size);
    if (!temporary)
        return ENOMEM;
    snprintf(temporary, size, "%s.tmp-%ld", path, (long)getpid());
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int number = fd < 0 ? errno : 0;
    if (fd >= 0) {
        int kept = mode ? fchmod(fd, mode & 07777) : 0;
        number = fill(fd, text);
        if (!number && (kept != 0 || rename(temporary, path) != 0))
            number = errno;
        if (number)
            unlink(temporary);
    }
    free(temporary);
    return number;
}

enum cli_status text_file_write(const char *path, const char *text)
{
    struct stat there;
    char *target = NULL;
    bool exists = stat(path, &there) == 0;
    int number;
    if (exists && !S_ISREG(there.st_mode)) {
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        number = fd < 0 ? errno : fill(fd, text);
    } else {
        target = exists ? realpath(path, NULL) : NULL;
        number = replace(target ? target : path, text, exists ? there.st_mode : 0);
    }
    free(target);
    return number ? complain(path, number) : CLI_DONE;
}
