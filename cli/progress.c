/* progress.c - a line on the terminal while something takes long.
 *
 * The library calls nobody back, so a thread of our own counts the seconds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void *count_seconds(void *data)
{
    struct progress *progress = data;
    struct timespec next;
    int seconds = 0;
    clock_gettime(CLOCK_REALTIME, &next);
    pthread_mutex_lock(&progress->lock);
    while (!progress->ends) {
        next.tv_sec++;
        while (!progress->ends && pthread_cond_timedwait(&progress->end, &progress->lock, &next) == 0)
            continue; /* woken without reason */
        if (!progress->ends)
            fprintf(stderr, "\r%s ... %d s", progress->what, ++seconds);
    }
    if (seconds > 0)
        fputs("\r\033[K", stderr);
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

void progress_begin(struct progress *progress, const char *what)
{
    *progress = (struct progress){.what = what};
    if (!isatty(STDERR_FILENO))
        return;
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->end, NULL);
    progress->runs = pthread_create(&progress->thread, NULL, count_seconds, progress) == 0;
}

void progress_end(struct progress *progress)
{
    if (!progress->runs)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->ends = true;
    pthread_cond_signal(&progress->end);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->thread, NULL);
    pthread_cond_destroy(&progress->end);
    pthread_mutex_destroy(&progress->lock);
}
