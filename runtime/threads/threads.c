/* threads.c - independent tasks on several threads.
 *
 * Threads take the next task from a counter.  They live for one call: starting one costs some 20
 * microseconds, so callers give small work one thread.
 *
 * An application that is parallel itself must not get as many threads as there are processors for
 * each of its own threads.  So the process counts the threads at work, apart from its callers.  A
 * caller that asks for no number gets the rest of the processors, and one thread inside a task.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/threads/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_int helpers;        /* threads at work in this process, apart from its callers */
static _Thread_local bool inside; /* this thread runs a task */

/* ---- the number of threads ---- */

static int processors(void)
{
    cpu_set_t cpus;
    return sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
}

/* Returns the first number of OpenMP's list, which has one for each depth of nesting.  0: none. */
static int of_environment(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    char *end;
    long n = text ? strtol(text, &end, 10) : 0;
    if (!text || end == text || n < 1)
        return 0;
    return n > THREADS_MAX ? THREADS_MAX : (int)n;
}

int threads_count(int wanted)
{
    int n = wanted > 0 ? wanted : of_environment();
    if (n == 0)
        n = processors();
    return inside || n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : n;
}

int threads_take(int wanted)
{
    int n = threads_count(wanted), busy = atomic_load(&helpers), more;
    do {
        more = wanted > 0 || n - 1 <= 0 ? n - 1 : n - 1 - busy;
        more = more > 0 ? more : 0;
    } while (more > 0 && !atomic_compare_exchange_weak(&helpers, &busy, busy + more));
    return more + 1;
}

void threads_give(int threads)
{
    if (threads > 1)
        atomic_fetch_sub(&helpers, threads - 1);
}

/* ---- work ---- */

struct shared {
    threads_task *task;
    void *data;
    int64_t tasks;
    atomic_int_fast64_t next;
};

struct worker {
    struct shared *shared;
    pthread_t thread;
    int number;
};

static void *work(void *data)
{
    struct worker *worker = data;
    struct shared *shared = worker->shared;
    bool before = inside;
    inside = true;
    for (;;) {
        int64_t task = atomic_fetch_add(&shared->next, 1);
        if (task >= shared->tasks)
            break;
        shared->task(shared->data, task, worker->number);
    }
    inside = before;
    return NULL;
}

void threads_run(int wanted, int64_t tasks, threads_task *task, void *data)
{
    struct shared shared = {.task = task, .data = data, .tasks = tasks, .next = 0};
    struct worker worker[THREADS_MAX];
    int threads = tasks > 1 ? threads_take(wanted) : 1, started = 1;
    worker[0] = (struct worker){.shared = &shared, .number = 0};
    for (; started < threads && started < tasks; started++) {
        worker[started] = (struct worker){.shared = &shared, .number = started};
        if (pthread_create(&worker[started].thread, NULL, work, &worker[started]) != 0)
            break;
    }
    work(&worker[0]);
    for (int i = 1; i < started; i++)
        pthread_join(worker[i].thread, NULL);
    threads_give(threads);
}
