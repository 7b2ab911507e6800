/* privatize.c - what each part of a parallel loop has of its own, and hands over, to be combined
 * in the order of the parts (thesis 6.6: temporary).
 *
 *     registers around the loop       an element of an array by part
 *     arrays of values                each part but the first allocates and fills one; then they
 *                                     are combined in parallel, over shares of their elements
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"

/* ---- which there are ---- */

/* Returns the assignment of the loop to the tensor, or NULL. */
static const struct cin *assignment_to(struct parallel *p, const struct tensor_var *tensor)
{
    struct cin_list made = cin_assignments(p->k->cx, p->node->statement);
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->arg[0]->tensor == tensor)
            return made.at[i];
    return NULL;
}

static void add_scalar(struct parallel *p, const struct imp_var *shared, enum op op,
                       struct value start)
{
    struct kernel *k = p->k;
    struct imp_var *own = kernel_var(k, shared->type, "%s", shared->name);
    vec_push(k->cx->arena, &p->scalars,
             ((struct own_scalar){.shared = shared, .own = own, .op = op, .start = start}));
}

/* Adds a scalar that is combined by an operator: without an identity there is no reduction
 * (compiler/tree/races.c). */
static void add_reduced(struct parallel *p, const struct imp_var *shared, enum op op)
{
    struct value start;
    bool found = operator_identity(p->k->cx, op, SIDE_LEFT, shared->type, &start);
    context_assert(p->k->cx, found);
    add_scalar(p, shared, op, start);
}

static void add_flag(struct parallel *p, const struct imp_var *shared)
{
    if (shared)
        add_scalar(p, shared, OP_OR, value_int(TYPE_BOOL, 0));
}

static void find_scalars(struct parallel *p, const struct scope *scope)
{
    const struct cin *assign;
    for (struct result *r = NULL; (r = kernel_next_result(p->k, p->node->statement, r));) {
        const struct result_place *place = &scope->result[r->rank];
        assign = assignment_to(p, r->access->tensor);
        if (place->reg)
            add_reduced(p, place->reg, assign->op);
        add_flag(p, place->produced);
    }
    for (const struct temporary_place *t = scope->temporaries; t; t = t->outer)
        if ((assign = assignment_to(p, t->tensor))) {
            if (p->k->computes)
                add_reduced(p, t->var, assign->op);
            add_flag(p, t->written);
        }
    if (scope->held.tensor && (assign = assignment_to(p, scope->held.tensor))) {
        if (scope->held.reg)
            add_reduced(p, scope->held.reg, assign->op);
        add_flag(p, scope->held.written);
    }
}

static const struct imp *length_of(struct kernel *k, const struct cin *target)
{
    int levels = target->tensor->format->levels;
    const struct result *result = kernel_find_result(k, target->tensor);
    if (result && result->tree->at)
        return imp_cast(k->cx, TYPE_I64, operand_end(k, target, levels - 1));
    return kernel_positions(k, target, 0, levels, imp_i64(k->cx, 1));
}

void own_find_array(struct parallel *p, const struct scope *scope, const struct cin *assign)
{
    struct kernel *k = p->k;
    const struct cin *target = assign->arg[0];
    struct own_array a = {.op = assign->op};
    bool registered = kernel_find_result(k, target->tensor)
                          ? scope->result[target->tensor->rank].reg != NULL
                          : scope->held.tensor == target->tensor;
    if (registered || scope_temporary(scope, target->tensor)
        || tree_makes_apart(k->cx, scope->made->tree, p->node, assign))
        return;
    a.code = kernel_code(k, target->tensor);
    for (size_t i = 0; i < p->arrays.n; i++)
        if (p->arrays.at[i].code == a.code)
            return;
    a.shared = a.code->values;
    bool found = operator_identity(k->cx, a.op, SIDE_LEFT, a.shared->type, &a.start);
    context_assert(k->cx, found);
    a.length = length_of(k, target);
    vec_push(k->cx->arena, &p->arrays, a);
}

void own_find(struct parallel *p, const struct scope *scope)
{
    find_scalars(p, scope);
    bool has = p->tag->races == RACES_TEMPORARY && !cin_unit_is_gpu(p->tag->unit);
    for (size_t i = 0; i < p->races.n && has; i++)
        if (p->k->computes)
            own_find_array(p, scope, p->races.at[i].assign);
}

/* ---- in a part ---- */

static const struct imp_var *own_of(const struct parallel *p, const struct imp_var *shared)
{
    for (size_t i = 0; i < p->scalars.n; i++)
        if (p->scalars.at[i].shared == shared)
            return p->scalars.at[i].own;
    return shared;
}

/* Returns the same temporaries, in the part's own variables. */
static const struct temporary_place *own_temporaries(struct parallel *p,
                                                     const struct temporary_place *t)
{
    if (!t)
        return NULL;
    struct temporary_place *own = arena_copy(p->k->cx->arena, t, sizeof *t);
    own->var = own_of(p, t->var);
    own->written = own_of(p, t->written);
    own->outer = own_temporaries(p, t->outer);
    return own;
}

static void begin_array(struct parallel *p, struct own_array *a)
{
    struct kernel *k = p->k;
    struct imp_var *own = kernel_array(k, a->shared->type, "%s", a->shared->name);
    own->restricted = true;
    imp_add(&k->b, imp_declare(k->cx, own, NULL));
    imp_add(&k->b, imp_alloc(k->cx, own, a->length));
    imp_add(&k->b,
            imp_fill(k->cx, own, imp_i64(k->cx, 0), a->length, imp_literal(k->cx, a->start)));
    a->own = a->code->values = own;
}

void own_begin(struct parallel *p, struct scope *inside)
{
    for (size_t i = 0; i < p->scalars.n; i++) {
        const struct own_scalar *s = &p->scalars.at[i];
        if (s->own != s->shared)
            imp_let(&p->k->b, s->own, imp_literal(p->k->cx, s->start));
    }
    for (int r = 0; r < p->k->request->tree->results; r++) {
        inside->result[r].reg = own_of(p, inside->result[r].reg);
        inside->result[r].produced = own_of(p, inside->result[r].produced);
    }
    inside->held.reg = own_of(p, inside->held.reg);
    inside->held.written = own_of(p, inside->held.written);
    inside->temporaries = own_temporaries(p, inside->temporaries);
}

void own_arrays_begin(struct parallel *p)
{
    for (size_t i = 0; i < p->arrays.n; i++)
        begin_array(p, &p->arrays.at[i]);
}

void own_arrays_end(struct parallel *p)
{
    for (size_t i = 0; i < p->arrays.n; i++) {
        struct own_array *a = &p->arrays.at[i];
        parallel_keep(p, a->handed, 0, imp_read(p->k->cx, p->part), a->own);
        a->code->values = a->shared;
    }
}

void own_end(struct parallel *p)
{
    struct kernel *k = p->k;
    const struct imp *part = imp_read(k->cx, p->part);
    for (size_t i = 0; i < p->scalars.n; i++) {
        struct own_scalar *s = &p->scalars.at[i];
        imp_add(&k->b, imp_store(k->cx, s->handed, part, OP_NONE, imp_read(k->cx, s->own)));
    }
}

void own_open(struct parallel *p)
{
    for (size_t i = 0; i < p->scalars.n; i++) {
        struct own_scalar *s = &p->scalars.at[i];
        s->handed = parallel_numbers(p, s->shared->type, "%s_of", s->shared->name);
    }
    for (size_t i = 0; i < p->arrays.n; i++) {
        struct own_array *a = &p->arrays.at[i];
        a->handed = parallel_arrays(p, 1, "%s_of", a->shared->name);
    }
}

/* ---- behind the loop ---- */

static struct imp_var *part_var(struct parallel *p) { return kernel_var(p->k, TYPE_I32, "part"); }

static void combine_scalars(struct parallel *p)
{
    struct kernel *k = p->k;
    struct imp_var *part = part_var(p);
    imp_begin(&k->b);
    for (size_t i = 0; i < p->scalars.n; i++) {
        struct own_scalar *s = &p->scalars.at[i];
        imp_add(&k->b, imp_assign(k->cx, s->shared, s->op,
                                  imp_load(k->cx, s->handed, imp_read(k->cx, part))));
    }
    parallel_each(p, part, imp_end(&k->b));
    for (size_t i = 0; i < p->scalars.n; i++)
        imp_add(&k->b, imp_free(k->cx, p->scalars.at[i].handed));
}

/* Combines an array: each of the parallel parts combines a share of the elements of all arrays, in
 * the order of these.  The first part has no array, so that a single one combines nothing. */
static void combine_array(struct parallel *p, const struct own_array *a)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    struct imp_var *share = kernel_var(k, TYPE_I32, "share"), *part = part_var(p),
                   *element = kernel_var(k, TYPE_I64, "element");
    struct imp_var *taken = kernel_array(k, a->shared->type, "%s", a->shared->name);
    taken->restricted = true;
    const struct imp *at = imp_read(cx, share), *next = imp_next(cx, at);
    imp_begin(&k->b);
    const struct imp *from = imp_let(&k->b, kernel_var(k, TYPE_I64, "element_from"),
                                     share_before(p, a->length, at)),
                     *past = imp_let(&k->b, kernel_var(k, TYPE_I64, "element_past"),
                                     share_before(p, a->length, next));
    imp_begin(&k->b);
    parallel_take(p, taken, a->handed, 0, imp_read(cx, part));
    imp_add(&k->b, imp_for(cx, element, from, past, 1,
                           imp_store(cx, a->shared, imp_read(cx, element), a->op,
                                     imp_load(cx, taken, imp_read(cx, element)))));
    const struct imp *parts = imp_read(cx, p->parts), *one = imp_int(cx, TYPE_I32, 1);
    imp_add(&k->b, imp_for(cx, part, one, parts, 1, imp_end(&k->b)));
    const struct imp *body = imp_end(&k->b),
                     *all = imp_parallel(cx, share, parts, SCHEDULE_STATIC, 0, body);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_GT, parts, one), all, NULL));
    imp_add(&k->b, imp_free(cx, a->handed));
}

void own_combine(struct parallel *p)
{
    if (p->scalars.n)
        combine_scalars(p);
    for (size_t i = 0; i < p->arrays.n; i++)
        combine_array(p, &p->arrays.at[i]);
}
