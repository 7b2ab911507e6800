/* greedy.c - takes a product of many factors apart one step after the other.
 *
 * The step is taken that makes the smallest result beside what it takes, and with it all steps that
 * make the same but for names: the sixteenth power of a matrix takes four products.  That is
 * repeated with sizes that are moved at random, always by the same numbers, and the best is kept.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/plan/contracting.h"

/* How often the factors are taken apart. */
enum { RESTARTS = 32 };

/* What is left of the factors. */
struct piece {
    struct part part; /* its cost is nothing */
    var_set within;   /* the variables of all factors in it */
    factor_set set;
    double share;
    int arg;
    int like; /* a factor's kind, or behind these the first step that makes the same */
};

struct walk {
    struct piece piece[NETWORK_MAX];
    int n;
    uint32_t random;
};

/* Returns a size, moved by a factor of up to e, up or down; the first time it stays. */
static double moved(struct walk *w, double size)
{
    if (!w->random)
        return size;
    w->random = w->random * 1664525 + 1013904223;
    return size * exp(((double)(w->random >> 8) / (1 << 24) - 0.5) * 2);
}

/* Returns those variables of a pair, or of one piece alone, that something else uses. */
static var_set kept_by(const struct contracting *c, const struct walk *w, int i, int k)
{
    var_set others = c->network->free;
    for (int p = 0; p < w->n; p++)
        if (p != i && p != k)
            others |= w->piece[p].part.vars;
    return (w->piece[i].part.vars | (k < 0 ? 0 : w->piece[k].part.vars)) & others;
}

/* Adds the step that joins two pieces, or sums one; and what is left. */
static struct contraction_step step_of(const struct contracting *c, const struct walk *w, int i,
                                       int k, struct piece *left)
{
    const struct piece *p = &w->piece[i], *q = k < 0 ? NULL : &w->piece[k];
    var_set vars = p->part.vars | (q ? q->part.vars : 0);
    *left = (struct piece){.within = p->within | (q ? q->within : 0),
                           .set = p->set | (q ? q->set : 0),
                           .share = p->share * (q ? q->share : 1)};
    var_set kept = kept_by(c, w, i, k);
    double points = network_points(c->network, kept),
           entries = contracting_entries(c, left->within, kept, left->share),
           terms = q ? contracting_products(c, &p->part, &q->part) : p->part.entries;
    struct part dense = contracting_result(c, kept, points, entries, terms, FORM_DENSE),
                sparse = contracting_result(c, kept, points, entries, terms, FORM_SPARSE);
    bool is_dense = sparse.entries < 0 || (dense.entries >= 0 && dense.cost <= sparse.cost);
    left->part = is_dense ? dense : sparse;
    double cost = left->part.cost;
    left->part.cost = 0;
    return (struct contraction_step){.arg = {p->arg, q ? q->arg : -1},
                                     .summed = vars & ~kept,
                                     .kept = kept,
                                     .entries = left->part.entries,
                                     .cost = w->n == 2 && q ? terms : cost,
                                     .dense = is_dense,
                                     .same = -1};
}

/* Takes the step that joins pieces i and k.  `same`: an earlier step that makes the same, -1 if
 * none does. */
static void take_step(struct contracting *c, struct walk *w, int i, int k, int same)
{
    struct piece left;
    struct contraction_step step = step_of(c, w, i, k, &left);
    step.same = same;
    step.cost = same < 0 ? step.cost : 0;
    left.arg = contracting_push(c, step);
    left.like = NETWORK_MAX + 1 + (same < 0 ? c->made.steps - 1 : same);
    w->piece[i] = left;
    if (k >= 0)
        w->piece[k] = w->piece[--w->n];
}

/* Takes the steps that make the same as the last one, which has joined these. */
static void take_alike(struct contracting *c, struct walk *w, struct piece p, struct piece q)
{
    const int first = c->made.steps - 1;
    for (int at = 0; at < w->n * w->n && w->n > 2 && p.like && q.like; at++) {
        const int i = at / w->n, k = at % w->n;
        const struct piece *one = &w->piece[i], *other = &w->piece[k];
        if (i == k || one->like != p.like || other->like != q.like
            || !contraction_is_alike(c->network, p.set | q.set, one->set | other->set, NULL))
            continue;
        take_step(c, w, i, k, first);
        at = -1;
    }
}

/* How a step compares with others: the smaller its result is beside what it takes, then the
 * cheaper it is, the sooner it is taken; pieces that share a variable come first. */
struct rank {
    bool joins;
    double growth, cost;
};

static bool is_sooner(struct rank a, struct rank b)
{
    return a.joins != b.joins     ? a.joins
           : a.growth != b.growth ? a.growth < b.growth
                                  : a.cost < b.cost;
}

static void take_best(struct contracting *c, struct walk *w)
{
    int best[2] = {0, 1};
    struct rank first = {false, INFINITY, INFINITY};
    for (int i = 0; i < w->n; i++)
        for (int k = i + 1; k < w->n; k++) {
            struct piece left;
            const struct part *p = &w->piece[i].part, *q = &w->piece[k].part;
            struct rank rank = {.joins = p->vars & q->vars};
            if (first.joins && !rank.joins)
                continue;
            rank.cost = step_of(c, w, i, k, &left).cost;
            rank.growth = moved(w, left.part.entries) - p->entries - q->entries;
            if (!is_sooner(rank, first))
                continue;
            best[0] = i;
            best[1] = k;
            first = rank;
        }
    const struct piece p = w->piece[best[0]], q = w->piece[best[1]];
    take_step(c, w, best[0], best[1], -1);
    take_alike(c, w, p, q);
}

static void walk(struct contracting *c, uint32_t random)
{
    struct walk w = {.n = c->network->factors, .random = random};
    for (int i = 0; i < w.n; i++) {
        const struct network_factor *factor = &c->network->factor[i];
        const struct part part = {factor->vars, factor->entries, 0, 0, 0};
        const double share = factor->entries / network_points(c->network, factor->vars);
        w.piece[i] = (struct piece){part, factor->vars, (factor_set)1 << i, share, i, factor->kind};
    }
    for (int i = 0; i < w.n; i++)
        if (kept_by(c, &w, i, -1) != w.piece[i].part.vars)
            take_step(c, &w, i, -1, -1);
    while (w.n > 1)
        take_best(c, &w);
}

void contract_greedily(struct contracting *c)
{
    struct contraction best = {0};
    for (uint32_t random = 0; random < RESTARTS; random++) {
        contracting_begin(c);
        walk(c, random);
        if (random == 0 || c->made.cost < best.cost)
            best = c->made;
    }
    c->made = best;
}
