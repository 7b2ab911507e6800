/* turns.h - what several threads have made is put together in order.
 *
 *     make(number);                      in any order, by any threads
 *     turns_wait(&turns, number);        one after the other:
 *     join(number);
 *     turns_pass(&turns);
 *
 * Every number takes its turn, 0 first.  Whoever waits holds up only itself, as long as numbers are
 * begun in order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_THREADS_TURNS_H
#define SPCC_THREADS_TURNS_H

#include <pthread.h>
#include <stdint.h>

struct turns {
    pthread_mutex_t lock; /* held from turns_wait to turns_pass */
    pthread_cond_t changed;
    int64_t next;
};

static inline void turns_open(struct turns *turns)
{
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&turns->changed, NULL);
    turns->next = 0;
}

static inline void turns_close(struct turns *turns)
{
    pthread_cond_destroy(&turns->changed);
    pthread_mutex_destroy(&turns->lock);
}

static inline void turns_wait(struct turns *turns, int64_t number)
{
    pthread_mutex_lock(&turns->lock);
    while (turns->next != number)
        pthread_cond_wait(&turns->changed, &turns->lock);
}

static inline void turns_pass(struct turns *turns)
{
    turns->next++;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
}

#endif
