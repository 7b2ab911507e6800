/* progress.c - a line on the terminal during long work.
 *
 * The library calls nobody back, so a thread counts the seconds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "spcc.h"

/* for " ... 3600 s"; a terminal without a width has 80 columns */
enum { SECONDS_ROOM = 16, NARROWEST = 24 };

/* The line must not wrap, since a carriage return goes back only to the beginning of its last row.
 */
static size_t terminal_width(void)
{
    struct winsize size;
    bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return !is_known ? 80 : size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

/* Makes a text of one line of at most this many bytes, and so columns, whatever a file is called.
 */
static void make_line(char *line, size_t width)
{
    size_t n = width - SECONDS_ROOM;
    if (strlen(line) <= n)
        return;
    while (n > 0 && ((unsigned char)line[n] & 0xC0) == 0x80) /* not inside a character */
        n--;
    line[n] = 0;
}

/* Overwrites with blanks, which every terminal understands. */
static void wipe(size_t columns) { fprintf(stderr, "\r%*s\r", (int)columns, ""); }

/* Prints the line, cut at the width.  Returns its number of columns. */
static int show(struct progress *progress, int seconds)
{
    char line[sizeof progress->what + 64];
    long long rounds = atomic_load(&progress->rounds);
    int n = snprintf(line, sizeof line, "%s ... %d s", progress->what, seconds);
    if (rounds > 0)
        snprintf(line + n, sizeof line - (size_t)n, ", round %lld", rounds);
    return fprintf(stderr, "\r%.*s", (int)terminal_width() - 1, line);
}

static void *count_seconds(void *data)
{
    struct progress *progress = data;
    struct timespec next;
    int seconds = 0, columns = 0;
    clock_gettime(CLOCK_REALTIME, &next);
    pthread_mutex_lock(&progress->lock);
    while (!progress->ends) {
        next.tv_sec++;
        while (!progress->ends
               && pthread_cond_timedwait(&progress->end, &progress->lock, &next) == 0)
            continue; /* woken without reason */
        if (!progress->ends)
            columns = show(progress, ++seconds);
    }
    if (columns > 0)
        wipe((size_t)columns - 1);
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

void progress_begin(struct progress *progress, const char *format, ...)
{
    progress->runs = progress->ends = false;
    atomic_init(&progress->rounds, 0);
    if (!isatty(STDERR_FILENO))
        return;
    char what[sizeof progress->what];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    char *shown = spcc_printable(what);
    snprintf(progress->what, sizeof progress->what, "%s", shown ? shown : "");
    spcc_free(shown);
    make_line(progress->what, terminal_width());
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->end, NULL);
    progress->runs = pthread_create(&progress->thread, NULL, count_seconds, progress) == 0;
}

void progress_round(struct progress *progress) { atomic_fetch_add(&progress->rounds, 1); }

void progress_end(struct progress *progress)
{
    if (!progress->runs)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->ends = true;
    pthread_cond_signal(&progress->end);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->thread, NULL);
    progress->runs = false;
    pthread_cond_destroy(&progress->end);
    pthread_mutex_destroy(&progress->lock);
}
