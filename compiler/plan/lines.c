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

/* Bytes of a page; as estimates, steps for the beginning of a loop, and lines fetched ahead that
 * take as long as a far one. */
enum { PAGE = 4096, BEGIN = 4, AHEAD = 3 };

/* What the loops so far, from the innermost one, have of one access. */
struct touched {
    double runs, length; /* in elements */
    double pages;        /* as often as their addresses are looked for */
};

struct walk {
    const struct target *target;
    const struct nest *nest;
    struct touched *of; /* each access */
};

static bool is_streamed(const struct walk *w, int a) { return a == 0 && w->nest->streams; }

static double bytes_of(const struct walk *w, const struct touched *t)
{
    const double line = (double)w->target->line;
    return t->runs * fmax(line, t->length * w->nest->bytes[t - w->of]);
}

/* Are the lines that the loops so far touch at hand when they run again?  Are their pages'
 * addresses?  Rows that are stored past the caches come one after the other. */
static bool stays(const struct walk *w)
{
    double bytes = 0;
    for (int a = 0; a < w->nest->accesses; a++)
        bytes += bytes_of(w, &w->of[a]);
    return bytes <= (double)w->target->l1;
}

static bool has_addresses(const struct walk *w)
{
    double pages = 0;
    for (int a = 0; a < w->nest->accesses; a++)
        pages += is_streamed(w, a) ? 0 : w->of[a].pages;
    return pages <= (double)w->target->pages;
}

static bool is_one_run(const struct walk *w)
{
    for (int a = 0; a < w->nest->accesses; a++)
        if (w->of[a].runs > 1)
            return false;
    return true;
}

/* Elements of the access that are read or stored at once; of a row that is stored past the caches
 * some lines (optimize/squares_stream.c). */
static double at_once(const struct walk *w, int a)
{
    return is_streamed(w, a) ? TARGET_STREAMED_LINES * (double)w->target->line / w->nest->bytes[a]
                             : w->nest->lanes;
}

/* Adds a loop around those that were walked so far; `joined`: the last of these goes on where it
 * is. */
static void walk_loop(struct walk *w, const struct nest_loop *loop, bool joined)
{
    const bool at_hand = stays(w), one = is_one_run(w), addressed = has_addresses(w);
    for (int a = 0; a < w->nest->accesses; a++) {
        struct touched *t = &w->of[a];
        const double line = (double)w->target->line, step = loop->stride[a] * w->nest->bytes[a];
        if ((one || (joined && t->runs == 1)) && loop->stride[a] == t->length)
            t->length *= loop->count;
        else if (at_hand && step < line)
            t->runs *= fmax(1, loop->count * step / line);
        else
            t->runs *= loop->count;
        const double page = addressed              ? fmin(1, step / PAGE)
                            : loop->stride[a] == 1 ? 1 / at_once(w, a)
                                                   : 1;
        t->pages *= fmax(1, loop->count * page);
    }
}

/* Returns the cost of memory for all runs.  Runs that begin anywhere touch a line more than they
 * fill.  Lines that are stored whole past the caches are not fetched. */
static double memory_cost(const struct walk *w)
{
    const double line = (double)w->target->line, far = (double)w->target->far_cost / 100,
                 page = (double)w->target->page_cost / 100;
    double cost = 0;
    for (int a = 0; a < w->nest->accesses; a++) {
        const struct touched *t = &w->of[a];
        const double more = (t->length - 1) * w->nest->bytes[a] / line;
        cost += is_streamed(w, a) ? w->nest->parts * far : t->runs * far * (1 + more / AHEAD);
        cost += fmax(0, t->pages - t->runs) * page;
    }
    return cost;
}

/* ---- steps ---- */

/* Is every access that the loop moves contiguous along it, or along the other? */
static bool is_contiguous(const struct nest *nest, const struct nest_loop *loop,
                          const struct nest_loop *other)
{
    for (int a = 0; a < nest->accesses; a++)
        if (loop->stride[a] > 1 && (!other || other->stride[a] != 1))
            return false;
    return true;
}

/* Returns the number of vectors over the elements of loops of this length, of which the shortest
 * loop has this many: the last vector of a loop may hold less. */
static double share_of_line(const struct nest *nest, double one, double other)
{
    const double lanes = plan_power_of_two(fmin(nest->lanes, fmin(one, other)));
    return ceil(one / lanes) / one * ceil(other / lanes) * lanes / other;
}

/* Steps of the innermost loop for each element: in vectors, or in squares of them. */
static double step_of(const struct nest *nest)
{
    const struct nest_loop *loop = nest->loop.at;
    size_t i = nest->loop.n - 1, k = i;
    double inner = loop[i].count, outer = 1;
    while (k > 0 && loop[k].goes_on)
        inner *= loop[--k].count;
    if (is_contiguous(nest, &loop[i], NULL))
        return share_of_line(nest, inner, nest->lanes);
    if (k-- == 0 || !is_contiguous(nest, &loop[i], &loop[k]))
        return 1;
    for (i = k, outer = loop[i].count; i > 0 && loop[i].goes_on;)
        outer *= loop[--i].count;
    return share_of_line(nest, inner, outer);
}

/* Returns the cost of the loop itself: each time it runs it begins the one inside, and takes a step
 * for each part of its coordinates but the first. */
static double steps_of(const struct nest *nest)
{
    double steps = 0, around = 1, parts = 0;
    for (size_t i = 0; i < nest->loop.n; i++) {
        const struct nest_loop *loop = &nest->loop.at[i];
        parts = loop->goes_on ? parts + 1 : 1;
        around *= loop->count;
        if (i + 1 == nest->loop.n)
            steps += around * parts * step_of(nest);
        else if (!loop[1].goes_on)
            steps += around * (BEGIN + parts - 1);
    }
    return steps;
}

/* What squares that are stored past the caches need is fetched ahead, while others are turned. */
double plan_nest_cost(struct context *cx, const struct nest *nest)
{
    struct walk w = {.target = target_of(cx),
                     .nest = nest,
                     .of = arena_array(cx->arena, struct touched, nest->accesses)};
    for (int a = 0; a < nest->accesses; a++)
        w.of[a] = (struct touched){1, 1, 1};
    for (size_t i = nest->loop.n; i-- > 0;)
        walk_loop(&w, &nest->loop.at[i], i + 1 < nest->loop.n && nest->loop.at[i + 1].goes_on);
    const double steps = steps_of(nest), memory = stays(&w) ? 0 : memory_cost(&w);
    return nest->streams ? fmax(steps, memory) : steps + memory;
}
