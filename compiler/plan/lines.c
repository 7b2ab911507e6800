/* lines.c - lines of memory that a nest of loops fetches from far.
 *
 * A loop that moves an array by less than a line meets the line again that it met before, if that
 * is at hand still: the nest inside the loop touches no more lines than the first cache holds, and
 * no more pages than have their addresses at hand.  Lines one after the other, in a loop that does
 * nothing in between, are fetched ahead: of such a run only the first is far.
 *
 * From the innermost loop outwards this counts the runs of each access; compare the stack distances
 * of Mattson et al. (1970), of which this is a bound from above.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/plan/planner.h"
#include "compiler/target.h"

enum { PAGE = 4096 };

/* What the loops so far, from the innermost one, have of one access. */
struct touched {
    double runs, length; /* in elements */
    double pages;
};

struct walk {
    const struct target *target;
    const struct nest *nest;
    struct touched *of; /* each access */
};

static double bytes_of(const struct walk *w, const struct touched *t)
{
    const double line = (double)w->target->line;
    return t->runs * fmax(line, t->length * w->nest->bytes[t - w->of]);
}

/* Is what the loops so far touch at hand when they run again? */
static bool stays(const struct walk *w)
{
    double bytes = 0, pages = 0;
    for (int a = 0; a < w->nest->accesses; a++) {
        bytes += bytes_of(w, &w->of[a]);
        pages += w->of[a].pages;
    }
    return bytes <= (double)w->target->l1 && pages <= (double)w->target->pages;
}

static bool is_one_run(const struct walk *w)
{
    for (int a = 0; a < w->nest->accesses; a++)
        if (w->of[a].runs > 1)
            return false;
    return true;
}

/* The loop around those so far. */
static void add_loop(struct walk *w, const struct nest_loop *loop)
{
    const bool at_hand = stays(w), one = is_one_run(w);
    for (int a = 0; a < w->nest->accesses; a++) {
        struct touched *t = &w->of[a];
        const double line = (double)w->target->line, step = loop->stride[a] * w->nest->bytes[a];
        if (one && loop->stride[a] == t->length)
            t->length *= loop->count;
        else if (at_hand && step < line)
            t->runs *= fmax(1, loop->count * step / line);
        else
            t->runs *= loop->count;
        t->pages *= fmax(1, loop->count * fmin(1, step / PAGE));
    }
}

double plan_nest_cost(struct context *cx, const struct nest *nest)
{
    struct walk w = {.target = target_of(cx),
                     .nest = nest,
                     .of = arena_array(cx->arena, struct touched, nest->accesses)};
    double steps = 0, around = 1, runs = 0;
    for (int a = 0; a < nest->accesses; a++)
        w.of[a] = (struct touched){1, 1, 1};
    for (size_t i = 0; i < nest->loop.n; i++)
        steps += around *= nest->loop.at[i].count;
    for (size_t i = nest->loop.n; i-- > 0;)
        add_loop(&w, &nest->loop.at[i]);
    for (int a = 0; a < nest->accesses; a++)
        runs += w.of[a].runs;
    return steps + (stays(&w) ? 0 : runs * (double)w.target->far_cost / 100);
}
