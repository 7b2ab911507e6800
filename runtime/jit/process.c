/* process.c - runs another program, with a directory for its files.
 *
 * Its messages go to a file rather than a pipe: nobody can block, and there is no SIGPIPE,
 * whatever the program does.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { TRIES = 100 };

/* ---- the directory ---- */

const char *temporary_parent(void)
{
    const char *parent = secure_getenv("TMPDIR");
    return parent && parent[0] == '/' ? parent : "/tmp";
}

/* Makes the directory, open and locked; EEXIST: try another name.  0 or errno. */
static int make_directory(struct temporary *t)
{
    if (mkdirat(t->parent, t->scratch.name, 0700) != 0)
        return errno;
    t->fd = openat(t->parent, t->scratch.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = t->fd >= 0 ? 0 : errno == ENOENT ? EEXIST : errno;
    if (!error && scratch_lock(&t->scratch, t->fd))
        return 0;
    if (error && error != EEXIST)
        scratch_remove_folder(t->parent, t->scratch.name, -1);
    if (t->fd >= 0)
        close(t->fd);
    t->fd = -1;
    return error ? error : EEXIST; /* somebody took it for left over */
}

int temporary_open(struct temporary *t)
{
    const char *parent = temporary_parent();
    int error = EEXIST;
    *t = (struct temporary){.fd = -1, .parent = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (t->parent < 0)
        return errno;
    scratch_begin(&t->scratch, t->parent);
    for (int i = 0; i < TRIES && error == EEXIST; i++) {
        if (i > 0)
            scratch_rename(&t->scratch);
        error = make_directory(t);
    }
    if (!error && asprintf(&t->path, "%s/%s", parent, t->scratch.name) < 0) {
        t->path = NULL;
        scratch_remove_folder(t->parent, t->scratch.name, -1);
        error = ENOMEM;
    }
    if (error)
        scratch_end(&t->scratch);
    return error;
}

void temporary_close(struct temporary *t)
{
    if (t->path && scratch_remove_folder(t->parent, t->scratch.name, t->fd) == 0)
        scratch_end(&t->scratch);
    else if (t->path)
        scratch_remove(&t->scratch);
    if (t->fd >= 0)
        close(t->fd);
    if (t->parent >= 0)
        close(t->parent);
    free(t->path);
    *t = (struct temporary){.fd = -1, .parent = -1};
}

void temporary_remove_left_overs(void)
{
    int parent = open(temporary_parent(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0)
        return;
    scratch_remove_left_overs(parent);
    close(parent);
}

/* ---- the other process ---- */

/* Returns our environment with another TMPDIR. The caller frees the array and its first text. */
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

/* Gives signals the state that a fresh program expects.  The host may ignore or block some, and its
 * handlers must not run here. */
static void reset_signals(void)
{
    static const int standard[] = {SIGCHLD, SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    struct sigaction action, plain = {.sa_flags = 0};
    sigset_t none;
    plain.sa_handler = SIG_DFL;
    for (int s = 1; s < NSIG; s++)
        if (sigaction(s, NULL, &action) == 0 && action.sa_handler != SIG_IGN
            && action.sa_handler != SIG_DFL)
            sigaction(s, &plain, NULL);
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        sigaction(standard[i], &plain, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_rest(void)
{
    if (close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    struct rlimit limit;
    int most = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? (int)limit.rlim_cur
                                                                               : 65536;
    for (int fd = 3; fd < most; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* What the child needs, and where it says why it could not start. */
struct child {
    char *const *argv, *const *environment;
    int output, failure;
    pid_t parent;
    const struct scratch *scratch;
};

/* Runs in the child, which may share our memory, and makes only calls that a signal handler may
 * make. */
static void become(const struct child *c)
{
    int null = open("/dev/null", O_RDONLY);
    bool good = null >= 0 && dup2(null, 0) >= 0 && dup2(c->output, 1) >= 0
                && dup2(c->output, 2) >= 0 && setpgid(0, 0) == 0
                && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == c->parent;
    int error = errno; /* the next calls may set it */
    scratch_set_group(c->scratch, getpid());
    close_rest();
    reset_signals();
    if (good) {
        execve(c->argv[0], c->argv, c->environment);
        error = errno;
    }
    ssize_t told = write(c->failure, &error, sizeof error);
    _exit(told == sizeof error ? 127 : 126);
}

/* vfork does not copy a host of many threads and gigabytes, and runs none of the host's fork
 * handlers.  posix_spawn does the same, but cannot ask for the signal at the parent's end. */
static int start(const struct child *c, pid_t *pid)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *pid = vfork();
    if (*pid == 0)
        become(c);
    int error = *pid < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* Starts the child, and waits until it has become another program, or says why not. */
static int launch(char *const argv[], const struct temporary *directory, int output, pid_t *pid)
{
    int ends[2], why = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    char **environment = child_environment(directory->path);
    struct child child = {.argv = argv,
                          .environment = environment,
                          .output = output,
                          .parent = getpid(),
                          .failure = fcntl(ends[1], F_DUPFD_CLOEXEC, 3),
                          .scratch = &directory->scratch};
    int error = !environment ? ENOMEM : child.failure < 0 ? errno : start(&child, pid);
    close(ends[1]);
    if (child.failure >= 0)
        close(child.failure);
    if (!error && read(ends[0], &why, sizeof why) == sizeof why) {
        waitpid(*pid, NULL, 0);
        error = why ? why : EAGAIN;
    }
    close(ends[0]);
    if (environment)
        free(environment[0]);
    free(environment);
    return error;
}

static bool is_set(const atomic_bool *stop) { return stop && atomic_load(stop); }

/* Has it ended, or can that not be known?  It is still to be waited for. */
static bool has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG) == 0 ? info.si_pid == pid
                                                                             : errno != EINTR;
}

/* Waits until it ends, or is to be stopped.  That is checked some fifty times a second, and so is
 * the process itself if the system has no descriptors of processes (Linux 5.2). */
static void wait_for_end(pid_t pid, const atomic_bool *stop)
{
    enum { EACH_MS = 20 };
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    while (!has_ended(pid) && !is_set(stop))
        poll(&end, 1, EACH_MS);
    if (end.fd >= 0)
        close(end.fd);
}

/* The group can be killed until its leader is waited for: only until then its number cannot be
 * another's. */
static void await(pid_t pid, const struct scratch *scratch, const atomic_bool *stop,
                  struct process_result *result)
{
    int status;
    pid_t ended;
    scratch_set_group(scratch, pid);
    wait_for_end(pid, stop);
    bool stopped = !has_ended(pid) && kill(-pid, SIGKILL) == 0;
    scratch_set_group(scratch, 0);
    do
        ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (stopped) {
        result->end = PROCESS_STOPPED;
    } else if (ended < 0) {
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

struct process_result process_run(char *const argv[], const struct temporary *directory,
                                  const atomic_bool *stop)
{
    struct process_result result = {.end = PROCESS_NOT_STARTED};
    char *path;
    pid_t pid;
    if (asprintf(&path, "%s/messages", directory->path) < 0) {
        result.code = ENOMEM;
        return result;
    }
    unlink(path);
    /* above the standard descriptors, even if the host has closed those */
    int opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int output = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, 3);
    result.code = output < 0 ? errno : launch(argv, directory, output, &pid);
    if (result.code == 0) {
        await(pid, &directory->scratch, stop, &result);
        result.output = read_output(output);
    }
    if (output >= 0)
        close(output);
    if (opened >= 0)
        close(opened);
    free(path);
    return result;
}
