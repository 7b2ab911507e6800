/* measure.c - measures the contestants of a case in turns.
 *
 * Turns make a disturbance of the machine disturb all contestants.  A turn has several runs.  The
 * first run finds the caches as the others left them, and does not count, unless it takes so long
 * that this does not matter.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <signal.h>

#include "cli/bench/peers.h"
#include "cli/signals.h"
#include "cli/timing.h"

/* A turn lasts this long.  A case has turns until its time is over, at least three. */
static const double turn_ms = 10;
/* The first run of a turn finds the caches of others.  Another run follows, and the first counts
 * only if it takes this long. */
static const double cold_ms = 100;
static const int least_turns = 3;
/* A contestant that takes longer is run once. */
static const double long_ms = 3000;

/* ---- ending early ---- */

static int ended_by; /* the signal; 0: none */

void bench_watch(bool is_on)
{
    struct sigaction pipe = {.sa_handler = is_on ? SIG_IGN : SIG_DFL};
    sigemptyset(&pipe.sa_mask);
    signals_note(is_on);
    sigaction(SIGPIPE, &pipe, NULL); /* a peer that has ended, a table that nobody reads */
}

void bench_end(int number) { ended_by = number; }

int bench_ended_by(void) { return signals_noted() ? signals_noted() : ended_by; }

/* ---- one run ---- */

/* One of two runs at the same time. */
struct half {
    const struct bench_run *run;
    pthread_barrier_t *start;
    double ms;
    spcc_status said;
};

static void *run_half(void *data)
{
    struct half *half = data;
    pthread_barrier_wait(half->start);
    half->said = bench_run_once(half->run, &half->ms);
    return NULL;
}

/* Returns the time of the slower one. */
static spcc_status run_at_once(const struct bench_run *run, const struct bench_run *beside,
                               double *ms)
{
    pthread_barrier_t start;
    pthread_t other;
    struct half half[] = {{.run = run, .start = &start}, {.run = beside, .start = &start}};
    if (pthread_barrier_init(&start, NULL, 2) != 0)
        return SPCC_ERROR_MEMORY;
    bool is_started = pthread_create(&other, NULL, run_half, &half[1]) == 0;
    if (is_started) {
        run_half(&half[0]);
        pthread_join(other, NULL);
    }
    pthread_barrier_destroy(&start);
    if (!is_started)
        return SPCC_ERROR_MEMORY;
    *ms = half[0].ms > half[1].ms ? half[0].ms : half[1].ms;
    return half[0].said != SPCC_OK ? half[0].said : half[1].said;
}

static spcc_status run_once(const struct bench_contestant *who, double *ms)
{
    if (who->beside)
        return run_at_once(who->run, who->beside, ms);
    return bench_run_once(who->run, ms);
}

/* ---- turns ---- */

/* Returns false when there are as many as there may be. */
static bool add_sample(struct bench_times *times, double ms)
{
    times->ms[times->n++] = ms;
    return times->n < times->most;
}

static spcc_status take_turn(const struct bench_contestant *who)
{
    double all;
    spcc_status said = run_once(who, &all);
    if (said == SPCC_OK && all >= cold_ms) {
        add_sample(who->times, all);
        return said;
    }
    bool has_room = said == SPCC_OK;
    for (int n = 0; has_room && (n == 0 || all < turn_ms) && !bench_ended_by(); n++) {
        double ms;
        said = run_once(who, &ms);
        if (said != SPCC_OK)
            return said;
        all += ms;
        has_room = add_sample(who->times, ms);
    }
    return said;
}

/* A run before the turns counts if it takes so long that it is not repeated. */
static bool is_long(const struct bench_contestant *who)
{
    return who->run && who->run->first_ms > long_ms;
}

static bool is_due(const struct bench_contestant *who)
{
    return who->times->n < who->times->most && !is_long(who)
           && (!who->peer || who->peer->takes_part);
}

spcc_status bench_measure(const struct bench_contestant *all, int n, double ms, int runs)
{
    double begin = timing_now_ms();
    spcc_status said = SPCC_OK;
    bool goes_on = true, has_long = false;
    for (int k = 0; k < n; k++)
        if (is_long(&all[k])) {
            add_sample(all[k].times, all[k].run->first_ms);
            has_long = true;
        }
    for (int turn = 0; goes_on && said == SPCC_OK && !bench_ended_by(); turn++) {
        goes_on = false;
        for (int k = 0; k < n && said == SPCC_OK; k++) {
            bool takes_one = is_due(&all[k]);
            goes_on |= takes_one;
            if (takes_one && all[k].peer)
                bench_peer_turn(all[k].peer, turn_ms);
            else if (takes_one)
                said = take_turn(&all[k]);
        }
        bool is_enough = runs == 0 && turn + 1 >= least_turns && timing_now_ms() - begin >= ms;
        goes_on &= !is_enough && !has_long;
    }
    return said;
}
