/* contraction.c - finds the cheapest order in which a product's factors are multiplied and summed.
 *
 * Dynamic programming: the best contraction of a set of factors joins the best ones of two parts.
 * What it makes has the same entries whichever the parts are, and one of two forms.  A dense result
 * is filled, and what reads it goes through all of its coordinates.  A sparse one stores what is
 * written to it, for a price, and is read in proportion to its entries.  A factor with a variable
 * of its own may also be summed over it first.
 *
 * Of few factors all sets are tried, so that outer products are made where they pay.  Of more, only
 * sets that variables connect.  Of many, one step is taken after the other (greedy.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/contracting.h"

#include <math.h>

#include "compiler/target.h"

/* All sets of this many factors are tried. */
enum { SETS_MAX = 10 };

/* How a part is made of two others; or of one alone, in the form that was given. */
struct origin {
    unsigned left; /* the set of the first's factors */
    signed char form[2];
};

struct cell {
    struct part part[FORMS];
    struct origin origin[FORMS];
    var_set kept;
    double points;  /* of the space of the kept variables */
    double entries; /* how many of them are expected to be stored */
};

/* ---- costs ---- */

double network_points(const struct network *network, var_set vars)
{
    double points = 1;
    for (; vars; vars &= vars - 1)
        points *= network->size[__builtin_ctzll(vars)];
    return points;
}

static double steps(int64_t cost) { return (double)cost / 100; }

double contracting_products(const struct contracting *c, const struct part *a, const struct part *b)
{
    double share = a->entries / network_points(c->network, a->vars)
                   * (b->entries / network_points(c->network, b->vars));
    return fmax(network_points(c->network, a->vars | b->vars) * share,
                fmin(a->entries, b->entries));
}

/* Returns the cost of writing this many terms into a sparse result, where they are sorted unless it
 * has one mode.  Inside the loop around all steps there is one mode less. */
static double sparse_cost(const struct contracting *c, var_set kept, double terms, double entries)
{
    int modes = __builtin_popcountll(kept & ~c->network->around);
    if (modes <= 1)
        return entries;
    return terms * (1 + steps(c->target->sort_cost) * modes + steps(c->target->far_cost));
}

/* Is the result rather dense: is half of its places taken, where lists take as long? */
static bool is_full(double points, double entries) { return points <= 2 * entries; }

/* Is a dense result no choice: is it larger than the caches and than all that there is, for few
 * entries? */
static bool may_be_dense(const struct contracting *c, var_set kept, double points, double entries)
{
    const double value = 8; /* bytes */
    double made = points / network_points(c->network, kept & c->network->around);
    return is_full(points, entries) || made <= c->largest || made * value <= (double)c->target->l3;
}

struct part contracting_result(const struct contracting *c, var_set kept, double points,
                               double entries, double terms, enum form form)
{
    bool dense = form == FORM_DENSE;
    double stored = dense ? points : fmin(entries, terms);
    if (dense ? !may_be_dense(c, kept, points, entries)
              : is_full(points, entries) || !(kept & ~c->network->around))
        return (struct part){.entries = -1};
    return (struct part){
        kept, stored,
        terms
            + (dense ? points * steps(c->target->fill_cost) : sparse_cost(c, kept, terms, stored)),
        0, 0};
}

/* ---- sets of factors ---- */

/* Returns the variables of a set that something else uses. */
static var_set kept_of(const struct contracting *c, unsigned set, unsigned all)
{
    return c->vars[set] & (c->vars[all & ~set] | c->network->free);
}

double contracting_entries(const struct contracting *c, var_set vars, var_set kept, double share)
{
    double points = network_points(c->network, kept),
           terms = network_points(c->network, vars) * share;
    if (share >= 1)
        return points;
    return fmax(1, kept == vars ? terms : -points * expm1(-plan_distinct(terms) / points));
}

/* ---- what is made once ---- */

static unsigned maker_of(const struct contracting *c, unsigned set)
{
    return c->repeated && c->repeated[set].first ? c->repeated[set].first : set;
}

/* Returns the step that makes what the set makes, in this form; -1: there is none yet. */
static int find_taken(const struct contracting *c, const struct taken *taken, unsigned set,
                      enum form form)
{
    int i = taken->n;
    while (i-- > 0 && (taken->set[i] != maker_of(c, set) || taken->form[i] != form))
        continue;
    return i;
}

static void add_taken(const struct contracting *c, struct taken *taken, unsigned set,
                      enum form form)
{
    const struct origin *origin = &c->cell[set].origin[form];
    if (form == FORM_GIVEN || find_taken(c, taken, set, form) >= 0)
        return;
    taken->set[taken->n] = maker_of(c, set);
    taken->form[taken->n++] = form;
    taken->cost += c->cell[set].part[form].step;
    const unsigned of[2] = {origin->left, set & ~origin->left};
    for (int k = 0; k < 2 && origin->form[k] >= 0; k++)
        add_taken(c, taken, of[k], (enum form)origin->form[k]);
}

/* Returns the cost of two parts, whose steps are the same in part. */
static double cost_of_both(const struct contracting *c, const unsigned *set, const enum form *form)
{
    const struct part *p = &c->cell[set[0]].part[form[0]], *q = &c->cell[set[1]].part[form[1]];
    struct taken taken;
    if (!(p->makers & q->makers))
        return p->cost + q->cost;
    taken.n = 0;
    taken.cost = 0;
    for (int k = 0; k < 2; k++)
        add_taken(c, &taken, set[k], form[k]);
    return taken.cost;
}

/* Returns the makers of a part of this origin. */
static uint64_t makers_of(const struct contracting *c, unsigned set, const struct origin *origin)
{
    uint64_t makers = 0;
    const unsigned of[2] = {origin->left, set & ~origin->left};
    for (int k = 0; k < 2 && origin->form[k] >= 0; k++)
        makers |= c->cell[of[k]].part[(int)origin->form[k]].makers;
    if (c->repeated && c->repeated[set].first)
        makers |= (uint64_t)1 << (c->repeated[set].first * UINT32_C(0x9e3779b1) >> 26);
    return makers;
}

static void offer(struct cell *cell, enum form form, struct part part, struct origin origin)
{
    struct part *best = &cell->part[form];
    if (part.entries < 0 || (best->entries >= 0 && best->cost <= part.cost))
        return;
    *best = part;
    cell->origin[form] = origin;
}

static void offer_results(const struct contracting *c, struct cell *cell, double terms,
                          double before, struct origin origin)
{
    if (cell == c->whole) { /* it has the format that it was given, at a price that is always due */
        offer(cell, FORM_DENSE, (struct part){cell->kept, cell->points, before + terms, terms, 0},
              origin);
        return;
    }
    const uint64_t makers = makers_of(c, (unsigned)(cell - c->cell), &origin);
    for (enum form form = FORM_DENSE; form < FORMS; form++) {
        struct part part =
            contracting_result(c, cell->kept, cell->points, cell->entries, terms, form);
        part.step = part.cost;
        part.makers = makers;
        part.cost += before;
        offer(cell, form, part, origin);
    }
}

static void open_cell(struct contracting *c, unsigned set, unsigned all)
{
    struct cell *cell = &c->cell[set];
    for (enum form form = 0; form < FORMS; form++)
        cell->part[form].entries = -1;
    cell->kept = kept_of(c, set, all);
    cell->points = network_points(c->network, cell->kept);
    cell->entries = contracting_entries(c, c->vars[set], cell->kept, c->share[set]);
}

static void add_factor(struct contracting *c, unsigned set, unsigned all)
{
    const struct network_factor *factor = &c->network->factor[__builtin_ctz(set)];
    struct cell *cell = &c->cell[set];
    struct origin itself = {set, {FORM_GIVEN, -1}};
    open_cell(c, set, all);
    cell->part[FORM_GIVEN] = (struct part){factor->vars, factor->entries, 0, 0, 0};
    if (cell->kept != factor->vars)
        offer_results(c, cell, factor->entries, 0, itself);
}

/* Is the join of the parts by its steps alone dearer than what is known already? */
static bool is_hopeless(const struct contracting *c, const struct cell *cell, double before)
{
    const struct part *dense = &cell->part[FORM_DENSE], *sparse = &cell->part[FORM_SPARSE];
    return dense->entries >= 0 && dense->cost <= before
           && (sparse->entries >= 0 ? sparse->cost <= before
                                    : is_full(cell->points, cell->entries) || cell == c->whole);
}

static void join_sets(struct contracting *c, unsigned set, unsigned left)
{
    struct cell *cell = &c->cell[set];
    const unsigned part[2] = {left, set & ~left};
    const struct cell *of[2] = {&c->cell[part[0]], &c->cell[part[1]]};
    for (enum form a = 0; a < FORMS; a++)
        for (enum form b = 0; b < FORMS; b++) {
            const struct part *p = &of[0]->part[a], *q = &of[1]->part[b];
            if (p->entries < 0 || q->entries < 0 || is_hopeless(c, cell, fmax(p->cost, q->cost)))
                continue;
            double before = cost_of_both(c, part, (const enum form[]){a, b});
            if (is_hopeless(c, cell, before))
                continue;
            offer_results(c, cell, contracting_products(c, p, q), before,
                          (struct origin){left, {(signed char)a, (signed char)b}});
        }
}

/* Makes the set of what the first makes that makes the same, in the same steps. */
static void repeat(struct contracting *c, unsigned set)
{
    struct cell *cell = &c->cell[set];
    const struct repeated *of = &c->repeated[set];
    const struct cell *first = &c->cell[of->first];
    for (enum form form = FORM_DENSE; form < FORMS; form++) {
        cell->part[form] = first->part[form];
        cell->part[form].vars = cell->kept;
        cell->origin[form] = first->origin[form];
        cell->origin[form].left = 0;
        for (unsigned left = first->origin[form].left; left; left &= left - 1)
            cell->origin[form].left |= 1u << of->image[__builtin_ctz(left)];
    }
}

/* ---- connected sets ---- */

/* Finds the factors that each factor shares a variable with.  Networks that are apart are connected
 * at one factor each. */
static void find_neighbours(const struct contracting *c, unsigned *neighbour)
{
    int n = c->network->factors;
    unsigned reached = 1;
    for (int i = 0; i < n; i++) {
        neighbour[i] = 0;
        for (int k = 0; k < n; k++)
            if (c->network->factor[i].vars & c->network->factor[k].vars)
                neighbour[i] |= 1u << k;
    }
    for (int i = 0; i < n; i++) {
        for (unsigned before = 0; before != reached;) {
            before = reached;
            for (int k = 0; k < n; k++)
                if (reached >> k & 1)
                    reached |= neighbour[k];
        }
        if (reached >> i & 1)
            continue;
        neighbour[0] |= 1u << i;
        neighbour[i] |= 1;
        reached |= 1u << i;
    }
}

static bool is_connected(const unsigned *neighbour, unsigned set)
{
    unsigned reached = set & (0 - set);
    for (unsigned before = 0; before != reached;) {
        before = reached;
        for (unsigned rest = reached; rest; rest &= rest - 1)
            reached |= neighbour[__builtin_ctz(rest)] & set;
    }
    return reached == set;
}

/* ---- the best of all ---- */

static bool is_open(const struct contracting *c, unsigned set) { return c->cell[set].points > 0; }

/* Has the set a part of what is multiplied first, and something else? */
static bool is_split(const struct contracting *c, unsigned set)
{
    unsigned first = c->network->first;
    return set & first && set & ~first && first & ~set;
}

static void fill_cells(struct contracting *c, unsigned all)
{
    unsigned neighbour[CONNECTED_MAX];
    int n = c->network->factors;
    find_neighbours(c, neighbour);
    for (unsigned set = 1; set <= all; set++) {
        unsigned rest = set & (set - 1);
        const struct network_factor *factor = &c->network->factor[__builtin_ctz(set)];
        c->vars[set] = c->vars[rest] | factor->vars;
        c->share[set] =
            c->share[rest] * (factor->entries / network_points(c->network, factor->vars));
    }
    for (unsigned set = 1; set <= all; set++) {
        unsigned rest = set & (set - 1);
        if (!rest) {
            add_factor(c, set, all);
            continue;
        }
        if (is_split(c, set) || (n > SETS_MAX && !is_connected(neighbour, set)))
            continue;
        open_cell(c, set, all);
        if (c->repeated && c->repeated[set].image) {
            repeat(c, set);
            continue;
        }
        for (unsigned left = rest; left; left = (left - 1) & rest)
            if (is_open(c, left) && is_open(c, set & ~left))
                join_sets(c, set, set & ~left);
    }
}

void contracting_begin(struct contracting *c)
{
    size_t most = 2 * (size_t)c->network->factors;
    c->made =
        (struct contraction){.step = arena_array(c->cx->arena, struct contraction_step, most)};
}

int contracting_push(struct contracting *c, struct contraction_step step)
{
    c->made.step[c->made.steps] = step;
    c->made.cost += step.cost;
    return c->network->factors + c->made.steps++;
}

/* Adds what the part is made of, and returns the part as an argument of a step. */
static int add_steps(struct contracting *c, unsigned set, enum form form)
{
    const struct cell *cell = &c->cell[set];
    const struct origin *origin = &cell->origin[form];
    if (form == FORM_GIVEN)
        return __builtin_ctz(set);
    const unsigned of[2] = {origin->left, set & ~origin->left};
    struct contraction_step step = {.arg = {-1, -1},
                                    .kept = cell->kept,
                                    .entries = cell->part[form].entries,
                                    .cost = cell->part[form].step,
                                    .dense = form == FORM_DENSE,
                                    .same = -1};
    for (int k = 0; k < 2 && origin->form[k] >= 0; k++) {
        step.arg[k] = add_steps(c, of[k], (enum form)origin->form[k]);
        step.summed |= c->cell[of[k]].part[(int)origin->form[k]].vars & ~cell->kept;
    }
    int taken = find_taken(c, &c->taken, set, form);
    if (taken >= 0) {
        step.same = c->taken.step[taken];
        step.cost = 0;
    } else {
        c->taken.set[c->taken.n] = maker_of(c, set);
        c->taken.form[c->taken.n] = form;
        c->taken.step[c->taken.n++] = c->made.steps;
    }
    return contracting_push(c, step);
}

static void contract_sets(struct contracting *c)
{
    unsigned all = (1u << c->network->factors) - 1;
    c->cell = arena_array(c->cx->arena, struct cell, (size_t)all + 1);
    c->share = arena_array(c->cx->arena, double, (size_t)all + 1);
    c->vars = arena_array(c->cx->arena, var_set, (size_t)all + 1);
    c->share[0] = 1;
    c->whole = &c->cell[all];
    c->repeated = c->network->first ? NULL : contraction_repeated(c->cx, c->network);
    fill_cells(c, all);
    contracting_begin(c);
    add_steps(c, all, FORM_DENSE);
}

struct contraction contraction_of(struct context *cx, const struct network *network)
{
    struct contracting c = {.cx = cx, .network = network, .target = target_of(cx)};
    if (network->factors < 2)
        return c.made;
    for (int i = 0; i < network->factors; i++)
        c.largest = fmax(c.largest, network->factor[i].entries);
    if (network->factors > CONNECTED_MAX)
        contract_greedily(&c);
    else
        contract_sets(&c);
    return c.made;
}
