/* parallel.c - independent tasks on several threads.
 *
 * Threads take the next task from a counter.  They live for one call: starting one costs some 20
 * microseconds, so callers give small work one thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct shared {
    parallel_task *task;
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
    for (;;) {
        int64_t task = atomic_fetch_add(&shared->next, 1);
        if (task >= shared->tasks)
            return NULL;
        shared->task(shared->data, task, worker->number);
    }
}

int parallel_threads(int wanted)
{
    int n = wanted;
    if (n <= 0) {
        cpu_set_t cpus;
        n = sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
    }
    return n < 1 ? 1 : n > PARALLEL_MAX ? PARALLEL_MAX : n;
}

void parallel_run(int threads, int64_t tasks, parallel_task *task, void *data)
{
    struct shared shared = {.task = task, .data = data, .tasks = tasks, .next = 0};
    struct worker worker[PARALLEL_MAX];
    int started = 1;
    if (threads > PARALLEL_MAX)
        threads = PARALLEL_MAX;
    worker[0] = (struct worker){.shared = &shared, .number = 0};
    for (; started < threads && started < tasks; started++) {
        worker[started] = (struct worker){.shared = &shared, .number = started};
        if (pthread_create(&worker[started].thread, NULL, work, &worker[started]) != 0)
            break;
    }
    work(&worker[0]);
    for (int i = 1; i < started; i++)
        pthread_join(worker[i].thread, NULL);
}
