/* progress.h - a line on the terminal while something takes long.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_PROGRESS_H
#define SPCC_CLI_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

struct progress {
    const char *what;        /* "reading A.mtx" */
    bool runs, ends;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
};

/* From here to the end, once a second has gone by, "WHAT ... 3 s" stands on the terminal that standard error
 * is.  Does nothing if it is none, or if no thread can be had. */
void progress_begin(struct progress *progress, const char *what);
void progress_end(struct progress *progress);

#endif
