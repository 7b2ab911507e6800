/* machine_race.c - the accesses of a launch's threads, and their times.
 *
 * Each element of an array that threads share notes the threads that touched it.  Two threads race
 * if one of them writes, unless both use atomic updates that commute, or both pass a barrier in
 * between.  They pass the same barrier if both belong to its team, or to its block.  So it
 * suffices to know the last barrier of each size that the present thread has passed.  The outcome
 * does not depend on the order in which the threads run.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "compiler/imperative/run/machine.h"

struct visit {
    struct visit *next;
    int64_t launch, block, time;
    int thread;
    bool writes;
    const struct imp *update, *statement; /* the atomic update or NULL; its statement */
};

static bool is_ordered(const struct lockstep *l, const struct visit *before, int thread)
{
    if (before->block != l->block)
        return false;
    for (int team = 0; team < TEAMS; team++) {
        int lanes = 2 << team;
        if (before->thread / lanes == thread / lanes
            && l->team_barrier[thread][team] > before->time)
            return true;
    }
    return l->block_barrier > before->time;
}

static bool races(const struct lockstep *l, const struct visit *before, const struct visit *now)
{
    bool same = before->block == now->block && before->thread == now->thread;
    if (same || (!before->writes && !now->writes))
        return false;
    if (before->update && now->update && machine_commute(before->update, now->update))
        return false;
    return !is_ordered(l, before, now->thread);
}

static const char *how(const struct visit *visit)
{
    return visit->update ? "updated" : visit->writes ? "written" : "read";
}

static _Noreturn void report_race(struct machine *m, const char *name, int64_t at,
                                  const struct visit *before, const struct visit *now)
{
    machine_fault(m,
                  "%s[%lld] is %s by thread %d of block %lld in `%s` and %s by thread %d of block "
                  "%lld in `%s`, with no barrier between",
                  name, (long long)at, how(before), before->thread, (long long)before->block,
                  imp_statement_text(m->cx, before->statement), how(now), now->thread,
                  (long long)now->block, imp_statement_text(m->cx, now->statement));
}

/* Does whoever races with the first visit race with the second, later one, too?  For threads of
 * another block, one visit of each kind is enough. */
static bool is_covered(const struct lockstep *l, const struct visit *before,
                       const struct visit *now, bool *other)
{
    if (before->writes != now->writes || before->update != now->update)
        return false;
    if (before->block != now->block) {
        bool second = *other;
        *other = true;
        return second;
    }
    return before->thread == now->thread || before->time < l->block_barrier;
}

static struct visit **visits_of(struct machine *m, struct store *memory, int64_t at)
{
    if (!memory->visits)
        memory->visits = calloc((size_t)memory->length, sizeof(struct visit *));
    if (!memory->visits)
        machine_stop(m, STATUS_NO_MEMORY);
    struct visit **visits = &memory->visits[at];
    if (*visits && (*visits)->launch != m->launches)
        *visits = NULL;
    return visits;
}

void machine_visit(struct machine *m, struct store *memory, const struct imp_var *name, int64_t at,
                   bool writes, const struct imp *update)
{
    const struct lockstep *l = m->launch;
    if (memory->var->constant)
        return;
    struct visit now = {.launch = m->launches,
                        .block = l->block,
                        .time = l->time,
                        .thread = m->thread,
                        .writes = writes,
                        .update = update,
                        .statement = l->statement};
    struct visit **first = visits_of(m, memory, at), *place = NULL;
    bool other = false;
    for (struct visit **link = first; *link;) {
        struct visit *before = *link;
        if (races(l, before, &now))
            report_race(m, name->name, at, before, &now);
        if (is_covered(l, before, &now, &other)) {
            place = before;
            *link = before->next;
        } else {
            link = &before->next;
        }
    }
    place = place ? place : arena_make(m->cx->arena, struct visit);
    now.next = *first;
    *place = now;
    *first = place;
}
