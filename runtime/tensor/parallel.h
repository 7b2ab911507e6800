/* parallel.h - independent tasks on several threads.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_PARALLEL_H
#define SPCC_TENSOR_PARALLEL_H

#include <stdint.h>

enum { PARALLEL_MAX = 128 };

/* One task; worker 0 is the thread that called parallel_run, the others are below the number of
 * threads. */
typedef void parallel_task(void *data, int64_t task, int worker);

/* How many threads to use: those wanted, or for 0 the processors that this process may run on;
 * in 1..PARALLEL_MAX. */
int parallel_threads(int wanted);

/* Do tasks 0..tasks-1, which are started in this order, on so many threads; returns when all are
 * done.  Where the system gives fewer threads, fewer do the work. */
void parallel_run(int threads, int64_t tasks, parallel_task *task, void *data);

/* The first of the elements of part `part` of n elements divided evenly into parts. */
static inline int64_t parallel_begin(int64_t n, int64_t parts, int64_t part)
{
    return n / parts * part + (n % parts < part ? n % parts : part);
}

#endif
