/* threads.h - independent tasks on several threads.
 *
 * Whoever cuts work into tasks cuts it by the work alone, never by the number of threads: so what
 * comes out is the same for any number.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_THREADS_THREADS_H
#define SPCC_THREADS_THREADS_H

#include <stdint.h>

enum { THREADS_MAX = 128 };

/* One task; worker 0 is the thread that called threads_run, the others are below the number of
 * threads. */
typedef void threads_task(void *data, int64_t task, int worker);

/* Returns how many threads there are to use: those wanted; for 0 the number that OMP_NUM_THREADS
 * begins with, else the processors that this thread may run on.  In 1..THREADS_MAX; 1 within a
 * task. */
int threads_count(int wanted);

/* Begins work on several threads, this one among them, and say how many it may use: those wanted;
 * for 0 threads_count(0) less the ones that other calls in this process have at work.  Threads that
 * are taken are for threads_give. */
int threads_take(int wanted);
void threads_give(int threads);

/* Does tasks 0..tasks-1, which are started in this order, on as many threads as
 * threads_take(wanted) says; returns when all are done.  Where the system gives fewer threads,
 * fewer do the work. */
void threads_run(int wanted, int64_t tasks, threads_task *task, void *data);

/* Returns the first of the elements of part `part` of n elements divided evenly into parts. */
static inline int64_t threads_begin(int64_t n, int64_t parts, int64_t part)
{
    return n / parts * part + (n % parts < part ? n % parts : part);
}

#endif
