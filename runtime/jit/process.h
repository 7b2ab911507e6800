/* process.h - run another program, and a directory for what it writes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_PROCESS_H
#define SPCC_JIT_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* A new directory that only this user can enter, under $TMPDIR or /tmp: a path to free(), or NULL with
 * errno set. */
char *temporary_new(void);

/* Remove the directory and the files in it, and free the path.  NULL is allowed. */
void temporary_remove(char *directory);

enum process_end {
    PROCESS_EXITED,
    PROCESS_KILLED,
    PROCESS_UNKNOWN,         /* it ended, but the host does not let us know how (it ignores SIGCHLD, say) */
    PROCESS_NOT_STARTED,
};

struct process_result {
    enum process_end end;
    int code;                /* exit status, number of the signal, or errno */
    char *output;            /* what it wrote to standard output and error, at most PROCESS_OUTPUT bytes, to
                                free(); NULL if there is no memory for it */
};

enum { PROCESS_OUTPUT = 16384 };

/* Run argv[0], which is a path, with the arguments argv and wait for its end.  It sees no descriptor of
 * ours but the standard ones, reads nothing, and has `directory`, of temporary_new, for its own temporary
 * files. */
struct process_result process_run(char *const argv[], const char *directory);

#endif
