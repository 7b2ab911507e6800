/* process.h - run another program, and a directory for what it writes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_PROCESS_H
#define SPCC_JIT_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/file/scratch.h"

/* A directory that only this user can enter, under $TMPDIR or /tmp, and gone with the process
 * (scratch.h). */
struct temporary {
    char *path; /* NULL: there is none */
    int parent, fd;
    struct scratch scratch;
};

/* Returns where they are made: $TMPDIR, or /tmp. */
const char *temporary_parent(void);

/* 0, or errno.  To be closed in either case. */
int temporary_open(struct temporary *temporary);

/* Removes the directory and the files in it. */
void temporary_close(struct temporary *temporary);

/* Removes the directories there of processes that were killed. */
void temporary_remove_left_overs(void);

enum process_end {
    PROCESS_EXITED,
    PROCESS_KILLED,
    /* it ended, but the host does not let us know how (it ignores SIGCHLD, say) */
    PROCESS_UNKNOWN,
    PROCESS_NOT_STARTED,
    PROCESS_STOPPED, /* killed by us */
};

struct process_result {
    enum process_end end;
    int code; /* exit status, number of the signal, or errno */
    /* what it wrote to standard output and error, at most PROCESS_OUTPUT bytes, to free(); NULL
     * if there is no memory for it */
    char *output;
};

enum { PROCESS_OUTPUT = 16384 };

/* Runs argv[0], which is a path, with the arguments argv, and waits for its end.  It sees no
 * descriptor of ours but the standard ones, reads nothing, and has the directory for its own
 * temporary files.  It leads a process group, which scratch_clean_up kills, and is killed when this
 * thread ends in whatever way, or where `stop` is set; that may be NULL. */
struct process_result process_run(char *const argv[], const struct temporary *directory,
                                  const atomic_bool *stop);

#endif
