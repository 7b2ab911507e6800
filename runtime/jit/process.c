/* process.c - run another program, and a directory for what it writes.
 *
 * posix_spawn starts it, so that a host of many threads and gigabytes is not copied, and what a fork handler
 * of the host's might do is not done.  What it says goes to a file rather than a pipe: there is nobody who
 * could block, and no SIGPIPE, whatever the program does.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

char *temporary_new(void)
{
    const char *parent = secure_getenv("TMPDIR");
    char *path;
    if (!parent || parent[0] != '/')
        parent = "/tmp";
    if (asprintf(&path, "%s/spcc-XXXXXX", parent) < 0) {
        errno = ENOMEM;
        return NULL;
    }
    if (!mkdtemp(path)) {
        int why = errno;
        free(path);
        errno = why;
        return NULL;
    }
    return path;
}

void temporary_remove(char *directory)
{
    if (!directory)
        return;
    DIR *dir = opendir(directory);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(directory);
    free(directory);
}

/* Our environment with another TMPDIR; the array and its first text are the caller's to free. */
static char **child_environment(const char *directory)
{
    size_t n = 0, kept = 1;
    while (environ && environ[n])
        n++;
    char **copy = calloc(n + 2, sizeof *copy);
    if (!copy || asprintf(&copy[0], "TMPDIR=%s", directory) < 0) {
        free(copy);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            copy[kept++] = environ[i];
    return copy;
}

/* Signals as a fresh program expects them: the host may ignore or block some. */
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, standard;
    sigemptyset(&none);
    sigemptyset(&standard);
    sigaddset(&standard, SIGCHLD);
    sigaddset(&standard, SIGPIPE);
    sigaddset(&standard, SIGINT);
    sigaddset(&standard, SIGQUIT);
    sigaddset(&standard, SIGTERM);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    error = error ? error : posix_spawnattr_setsigdefault(attributes, &standard);
    return error ? error : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int set_files(posix_spawn_file_actions_t *actions, int output)
{
    int error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    error = error ? error : posix_spawn_file_actions_adddup2(actions, output, 1);
    error = error ? error : posix_spawn_file_actions_adddup2(actions, output, 2);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    error = error ? error : posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
    return error;
}

static int start(char *const argv[], const char *directory, int output, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    char **environment = child_environment(directory);
    error = environment ? set_files(&actions, output) : ENOMEM;
    error = error ? error : set_signals(&attributes);
    error = error ? error : posix_spawn(pid, argv[0], &actions, &attributes, argv, environment);
    if (environment)
        free(environment[0]);
    free(environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static void await(pid_t pid, struct process_result *result)
{
    int status;
    pid_t ended;
    do
        ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0) {
        result->end = PROCESS_UNKNOWN;
    } else if (WIFSIGNALED(status)) {
        result->end = PROCESS_KILLED;
        result->code = WTERMSIG(status);
    } else {
        result->end = PROCESS_EXITED;
        result->code = WEXITSTATUS(status);
    }
}

static char *read_output(int file)
{
    char *text = malloc(PROCESS_OUTPUT + 1);
    size_t n = 0;
    while (text && n < PROCESS_OUTPUT) {
        ssize_t got = pread(file, text + n, PROCESS_OUTPUT - n, (off_t)n);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    if (text)
        text[n] = '\0';
    return text;
}

struct process_result process_run(char *const argv[], const char *directory)
{
    struct process_result result = {.end = PROCESS_NOT_STARTED};
    char *path;
    pid_t pid;
    if (asprintf(&path, "%s/messages", directory) < 0) {
        result.code = ENOMEM;
        return result;
    }
    unlink(path);
    /* Above the standard descriptors even where the host has closed those. */
    int opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int output = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, 3);
    result.code = output < 0 ? errno : start(argv, directory, output, &pid);
    if (result.code == 0) {
        await(pid, &result);
        result.output = read_output(output);
    }
    if (output >= 0)
        close(output);
    if (opened >= 0)
        close(opened);
    free(path);
    return result;
}
