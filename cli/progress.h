/* progress.h - a line on the terminal while something takes long.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_PROGRESS_H
#define SPCC_CLI_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct progress {
    char what[256]; /* "reading A.mtx" */
    bool runs, ends;
    atomic_llong rounds; /* of loops that have begun */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
};

/* From here to the end, once a second has gone by, "WHAT ... 3 s" stands on the terminal that
 * standard error is, and how many rounds of loops have begun.  Does nothing if it is none, or if no
 * thread can be had.  Nothing else may write there meanwhile. */
void progress_begin(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void progress_round(struct progress *progress);
void progress_end(struct progress *progress);

#endif
