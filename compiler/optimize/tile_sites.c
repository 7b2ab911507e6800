/* tile_sites.c - where a nest combines with a tile (register_tile.c), and what it multiplies.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/register_tile.h"
#include "compiler/optimize/simplify.h"

enum { NEST_NODES = 400 }; /* larger nests are not copied */

/* ---- sites ---- */

static struct site *add_site(struct tile *t, const struct imp *at)
{
    struct site *site = arena_make(t->z->cx->arena, struct site);
    site->at = at;
    vec_push(t->z->cx->arena, &t->sites, site);
    return site;
}

/* Takes the plan of a site: the first site's tells what the tile is, and all of them how many lanes
 * there are. */
static void take_plan(struct tile *t, const struct loop_plan *plan)
{
    if (!t->plan)
        t->plan = plan;
    t->width = t->plan == plan || plan->width < t->width ? plan->width : t->width;
}

struct site *tile_site(const struct tile *t, const struct imp *at)
{
    for (size_t i = 0; i < t->sites.n; i++)
        if (t->sites.at[i]->at == at)
            return t->sites.at[i];
    return NULL;
}

const struct site *tile_only_site(const struct tile *t, const struct imp *loop)
{
    const struct imp *body = loop->arg[loop->args - 1];
    const struct site *only = NULL;
    for (int i = 0; i < body_count(body); i++) {
        const struct site *site = tile_site(t, body_at(body, i));
        if (site && only)
            return NULL;
        only = site ? site : only;
    }
    return only;
}

bool tile_take_nest(struct tile *t)
{
    struct site *site = add_site(t, NULL);
    struct loop_plan *plan = &site->plan;
    if (t->nest->kind != IMP_FOR
        || (!loop_plan_of(t->z, t->nest, plan)
            && !loop_plan_of(t->z, loop_plan_over_target(t->z, t->nest), plan)))
        return false;
    const struct imp *body = plan->nest->arg[2];
    imp_begin(&t->b);
    for (int i = 0; i < plan->stays; i++)
        imp_add(&t->b, body_at(body, i));
    imp_begin(&t->b);
    for (int i = plan->stays; i < body_count(body); i++)
        imp_add(&t->b, body_at(body, i));
    site->at = imp_end(&t->b);
    imp_add(&t->b, site->at);
    t->nest = imp_around(t->z->cx, plan->nest, imp_end(&t->b));
    take_plan(t, plan);
    return true;
}

/* ---- loops over a row ---- */

/* Returns the loop over a row that is in another place in each iteration of the nest; NULL if there
 * is none. */
static const struct imp *moving_row(const struct imp *nest)
{
    if (nest->kind != IMP_FOR || nest->n != 1 || vector_is_asked(nest) || vector_factor(nest)
        || !declares_first(nest->arg[2]))
        return NULL;
    const struct imp *row = body_last(nest->arg[2]);
    bool apart = row->kind == IMP_FOR && row->mark && !row->mark->asked
                 && row->mark->iterations == ITERATIONS_APART;
    return apart ? row : NULL;
}

/* Does the loop go over the whole row, storing each element once, after declarations only? */
static bool is_row(const struct imp *imp, void *data)
{
    const struct tile *t = data;
    if (imp->kind != IMP_FOR)
        return false;
    bool is = t->scattered ? imp == body_last(t->nest->arg[2])
                           : imp->mark && imp->mark->row == t->nest->mark->reduces_row;
    return is && declares_first(imp->arg[2]) && body_last(imp->arg[2])->kind == IMP_STORE;
}

/* Can vectors compute the values that the row loop reduces with? */
static bool take_row(struct tile *t, const struct imp *loop)
{
    struct site *site = add_site(t, loop);
    struct loop_plan *plan = &site->plan;
    if (!loop_plan_of_row(t->z, t->nest, loop, plan)
        || factors_keeps(t->nest, plan->position, loop->var) == t->scattered)
        return false;
    take_plan(t, plan);
    return true;
}

/* Is it a statement that the nest may not have?  Takes the row loops.  Each tile would compute
 * again what another loop computes, as the sum of a sampled product, and other stores change the
 * elements that the row loops read. */
static bool is_refused(const struct imp *imp, void *data)
{
    struct tile *t = data;
    t->stores += imp->kind == IMP_STORE;
    if (is_row(imp, t))
        return imp == t->nest || !take_row(t, imp);
    if (imp->kind == IMP_FOR && !imp_any(imp, is_row, t))
        return true;
    if (imp->kind == IMP_ASSIGN)
        return !imp_declares_inside(t->nest, imp->var);
    if (imp->kind == IMP_DECLARE)
        return imp->var->array;
    return !imp_is_expression(imp)
           && !imp_is(imp, IMP_BIT(STORE) | IMP_BIT(FOR) | IMP_BIT(WHILE) | IMP_BIT(IF)
                               | IMP_BIT(BLOCK) | IMP_BIT(BREAK) | IMP_BIT(COMMENT));
}

/* Takes the product that the iterations of the nest keep while they add to different rows.  False
 * if they keep nothing. */
static bool take_kept(struct tile *t)
{
    const struct loop_plan *row = t->plan;
    struct lanes l = loop_plan_along(row, &row->axis[0]);
    struct factors f = t->kept =
        factors_of(t->z->cx, t->nest, row->axis[0].var, row->target->var, row->addend);
    return f.kept && f.rest && lanes_vary(&l, f.kept) && reduces_with(row->op) == OP_ADD
           && imp_uses(t->nest, row->target->var) == 1;
}

bool tile_take_rows(struct tile *t)
{
    const struct imp *nest = t->nest;
    t->scattered = !nest->mark || !nest->mark->reduces_row;
    return (!t->scattered || moving_row(nest)) && nest->size <= NEST_NODES
           && !imp_any(nest, is_refused, t) && t->sites.n > 0 && t->stores == (int)t->sites.n
           && imp_is_pure(nest) && (!t->scattered || take_kept(t));
}

/* ---- what multiplies a sum ---- */

/* Returns the number of sites in the statement, and the last one in *site. */
static int count_sites(const struct tile *t, const struct imp *imp, const struct site **site)
{
    const struct site *is = tile_site(t, imp);
    int n = is ? 1 : 0;
    *site = is ? is : *site;
    for (int i = 0; i < imp->args && !is; i++)
        n += imp_is_expression(imp->arg[i]) ? 0 : count_sites(t, imp->arg[i], site);
    return n;
}

/* Sums of floating-point numbers are taken in any order anyway, unless they start from the elements
 * in memory.  A factor of an empty sum may be no number, so it is not read. */
struct sums *tile_factor(const struct tile *t, const struct imp *loop)
{
    struct sums *around = t->sums;
    const struct site *site = NULL;
    bool rows = tile_has_rows(t), may = rows || (!t->plan->in_order && !t->plan->when),
         again = around && around->loop == loop && around->factors.kept;
    if (again || !may || t->scattered || !t->vectors || !imp_is(loop, IMP_LOOPS)
        || count_sites(t, loop, &site) != 1)
        return NULL;
    const struct loop_plan *plan = &site->plan;
    const struct imp_var *row = rows ? plan->axis[0].var : NULL;
    const struct imp *rest = around ? around->factors.rest : NULL;
    const struct factors f =
        factors_of(t->z->cx, loop, row, plan->target->var, rest ? rest : plan->addend);
    if (reduces_with(plan->op) != OP_ADD || !f.kept || !f.rest)
        return NULL;
    struct sums *sums = arena_make(t->z->cx->arena, struct sums);
    *sums = (struct sums){.around = around,
                          .loop = loop,
                          .site = site,
                          .factors = f,
                          .adds = true,
                          .name = rows ? "sum" : plan->target->var->name};
    if (!tile_only_site(t, loop))
        sums->some = vector_var(t->z, "some", TYPE_BOOL, 1);
    return sums;
}

/* ---- loops beside the nest ---- */

/* The loops of one beside the nest, outermost first, and the axes that they go along. */
struct along {
    struct context *cx;
    const struct loop_plan *plan;
    const struct imp *loop[AXES_MOST];
    const struct axis *axis[AXES_MOST];
    int n;
};

/* Returns the expression in the axes' variables, with the values of declarations. */
static const struct imp *in_axes(const struct along *a, const struct imp *e)
{
    for (int k = a->n; k-- > 0;) {
        const struct lanes l = lanes_in(a->cx, a->loop[k]);
        e = lanes_scalar(&l, e, imp_read(a->cx, a->axis[k]->var));
    }
    return e;
}

/* Is it an element of the target's array other than the current one? */
static bool is_another(const struct imp *imp, void *data)
{
    const struct along *a = data;
    return (imp->kind == IMP_LOAD || imp->kind == IMP_STORE) && imp->var == a->plan->target->var
           && !imp_equal(in_axes(a, imp->arg[0]), a->plan->position);
}

/* Are the two ends the same, with the values of what the loop around declares? */
static bool are_same_ends(const struct vectorizer *z, const struct imp *a, const struct imp *b)
{
    const struct imp *whole_a = NULL, *whole_b = NULL;
    if (imp_is_block_end(a, &whole_a, &a) != imp_is_block_end(b, &whole_b, &b)
        || (whole_a && !imp_equal(whole_a, whole_b)))
        return false;
    if (z->around && !imp_equal(a, b)) {
        const struct lanes l = lanes_in(z->cx, z->around->loop);
        const struct imp *at = imp_read(z->cx, l.var);
        a = lanes_scalar(&l, a, at);
        b = lanes_scalar(&l, b, at);
    }
    return imp_equal(a, b);
}

/* Does the loop go over the whole axis, in any order? */
static bool goes_along(const struct vectorizer *z, const struct imp *loop, const struct axis *axis)
{
    const struct imp *low = axis->low ? axis->low : axis->loop->arg[0],
                     *high = axis->high ? axis->high : axis->loop->arg[1];
    return lanes_is_counted(loop) && loop->mark && !loop->mark->asked
           && loop->mark->iterations == ITERATIONS_APART && declares_first(loop->arg[2])
           && imp_equal(loop->arg[0], low) && are_same_ends(z, loop->arg[1], high);
}

/* Takes the loop, and those in it, if they go along the axes along which the target moves. */
static bool take_along(struct along *a, const struct imp *loop)
{
    for (int i = 0; i < a->plan->axes; i++) {
        const struct axis *axis = &a->plan->axis[i];
        if (axis->sums)
            continue;
        loop = a->n ? body_last(loop->arg[2]) : loop;
        if (!goes_along(a->plan->z, loop, axis))
            return false;
        a->loop[a->n] = loop;
        a->axis[a->n++] = axis;
    }
    return a->n > 0;
}

/* Returns the loop if it computes each of the target's elements from that element alone, and in
 * vectors; one without a loop otherwise. */
static struct beside beside(struct tile *t, const struct imp *loop)
{
    const struct loop_plan *p = t->plan;
    struct along a = {.cx = t->z->cx, .plan = p};
    if (!loop || t->scattered || !p->in_order || !p->position || !take_along(&a, loop))
        return (struct beside){0};
    const struct imp *store = body_last(a.loop[a.n - 1]->arg[2]);
    const struct lanes l = loop_plan_along(p, &p->axis[p->lanes_of]);
    struct lanes_need need = {0};
    if (store->kind != IMP_STORE || store->var != p->target->var
        || !(vector_assigns(store->op, store->var->type) || vector_chooses(store->op))
        || imp_any(loop, is_another, &a))
        return (struct beside){0};
    const struct imp *value = in_axes(&a, store->arg[1]);
    if (value->size > NEST_NODES || !lanes_measure(&l, value, &need) || need.gathered
        || !lanes_is_combined(&l, store->op, value))
        return (struct beside){0};
    const int width = vector_width(t->z, need.bytes);
    t->width = width < t->width ? width : t->width;
    return (struct beside){loop, store->op, value};
}

void tile_take_beside(struct tile *t, struct nest *of)
{
    bool rows = tile_has_rows(t),
         sets = rows && of->before && body_last(of->before->arg[2])->op == OP_NONE,
         starts = of->fill && !t->scattered
                  && (rows ? of->fill->mark->row != 0
                           : of->fill->mark->start && loop_plan_starts(t->plan));
    t->before = beside(t, sets ? of->before : NULL);
    t->behind = beside(t, of->behind);
    t->start = starts ? of->fill->arg[2] : NULL;
    *of = (struct nest){.loop = of->loop,
                        .fill = starts ? of->fill : NULL,
                        .before = t->before.loop,
                        .behind = t->behind.loop};
}
