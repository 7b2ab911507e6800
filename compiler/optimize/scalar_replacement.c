/* scalar_replacement.c - components that loops of constant extent reduce into, in registers.
 *
 *     for (p = begin; p < end; p++) {
 *         j = crd[p];
 *         for (r = 0; r < min(2, m); r++)
 *             for (c = 0; c < min(4, n - 4*j); c++) y[i + r] += a[(p*2 + r)*4 + c] * x[4*j + c];
 *     }
 *
 * adds to the same few components in each iteration of the outer loop, through memory.  Here each
 * has a register, of lanes where the innermost loop allows it, for all of the outer loop:
 *
 *     if (begin < end && 2 <= m) {
 *         y0 = {0};  y1 = {0};
 *         for (p = begin; p < end; p++) {
 *             j = crd[p];
 *             if (4 <= n - 4*j) {
 *                 y0 += a[p*8 .. +4] * x[4*j .. +4];  y1 += a[p*8 + 4 .. +4] * x[4*j .. +4];
 *             } else { for (r ...) ... as above }
 *         }
 *         y[i] += the lanes of y0;  y[i + 1] += those of y1;
 *     } else { for (p ...) ... as above }
 *
 * This is scalar expansion, with register blocking as in dense matrix multiplication.  What does
 * not fill its extent stays as it is, and adds to memory: the order of a sum is free.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

enum { LOOPS = 4, STEPS = 64, NODES = 100 };

/* A loop of constant extent, where it has all its iterations. */
struct constant_loop {
    const struct imp_var *var;
    int64_t begin, end;
};

/* What is reduced into: an element at a position that the nest does not change, or a scalar.  Where
 * there are few they have several registers each, which take turns: an addition need not wait for
 * the one before it. */
struct component {
    const struct imp *position; /* NULL: a scalar */
    struct imp_var *reg[TARGET_SUMS_MOST];
    int regs, steps; /* steps: of an iteration of the nest, so far */
};

struct registers {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *nest;
    struct var_map value; /* of what is declared inside the constant loops */
    struct constant_loop loop[LOOPS];
    int loops;
    /* that they have all their iterations: what the nest does not change, and what it does */
    const struct imp *always, *each;
    const struct imp *target;            /* `y[position] op= addend` or `t op= addend` */
    enum op op;                          /* with which the addend goes to a register */
    const struct imp *position, *addend; /* in the loops' variables; NULL: a scalar */
    int width;                           /* lanes of a register */
    bool side_by_side;                   /* that are components, and not parts of the sum of one */
    int64_t at[LOOPS];                   /* of the step that is being written */
    struct component component[TARGET_REGISTERS_MOST];
    int components;
};

/* ---- does the code have this shape? ---- */

/* The expression with values in place of what is declared inside the constant loops. */
static const struct imp *valued(struct registers *r, const struct imp *e)
{
    const struct imp *value = e->kind == IMP_VAR ? *var_map_at(r->z->cx, &r->value, e->var) : NULL;
    if (value)
        return value;
    const struct imp **arg = arena_array(r->z->cx->arena, const struct imp *, e->args);
    for (int i = 0; i < e->args; i++)
        arg[i] = valued(r, e->arg[i]);
    return imp_fold(r->z->cx, imp_with_args(r->z->cx, e, arg));
}

static bool is_constant_loop(const struct registers *r, const struct imp_var *var)
{
    for (int i = 0; i < r->loops; i++)
        if (r->loop[i].var == var)
            return true;
    return false;
}

static bool is_of_constant_loop(const struct imp *imp, void *r)
{
    return imp->kind == IMP_VAR && is_constant_loop(r, imp->var);
}

static bool is_read_or_call(const struct imp *imp, void *data)
{
    return imp->kind == IMP_LOAD || imp->kind == IMP_CALL;
}

static const struct imp *both(struct context *cx, const struct imp *a, const struct imp *b)
{
    return a && b ? imp_op2(cx, OP_AND, a, b) : a ? a : b;
}

/* A loop up to a literal, or to the lesser of one and what the constant loops do not change. */
static bool take_loop(struct registers *r, const struct imp *loop)
{
    struct context *cx = r->z->cx;
    const struct imp *end = valued(r, loop->arg[1]);
    if (r->loops == LOOPS || end->size > NODES || !lanes_is_counted(loop)
        || loop->arg[0]->kind != IMP_LITERAL || (loop->mark && loop->mark->asked))
        return false;
    if (end->kind == IMP_OP && end->op == OP_MIN) {
        int literal = end->arg[1]->kind == IMP_LITERAL;
        const struct imp *other = end->arg[!literal];
        end = end->arg[literal];
        if (imp_any(other, is_of_constant_loop, r) || imp_any(other, is_read_or_call, NULL))
            return false;
        const struct imp *full = imp_op2(cx, OP_LE, end, other);
        const struct imp **which = imp_is_fixed(r->nest, other) ? &r->always : &r->each;
        *which = both(cx, *which, full);
    }
    if (end->kind != IMP_LITERAL || end->value.i <= loop->arg[0]->value.i
        || end->value.i - loop->arg[0]->value.i > STEPS)
        return false;
    r->loop[r->loops++] = (struct constant_loop){loop->var, loop->arg[0]->value.i, end->value.i};
    return true;
}

static bool take_target(struct registers *r, const struct imp *imp)
{
    r->target = imp;
    r->addend = valued(r, imp->arg[imp->args - 1]);
    r->position = imp->kind == IMP_STORE ? valued(r, imp->arg[0]) : NULL;
    r->op = imp->op;
    return imp->op != OP_NONE && reduces_by(imp->op, imp->var->type) && imp->var->lanes == 1
           && r->addend->type == imp->var->type && r->addend->size <= NODES
           && (!r->position || r->position->size <= NODES);
}

/* Is this `y[position] op= own`, where `own` starts from the identity and the target so far is
 * what it sums up? */
static bool sums_up(struct registers *r, const struct imp *own, const struct imp *store)
{
    const struct imp *from = store->arg[store->args - 1];
    return from->kind == IMP_VAR && from->var == own->var
           && reduces_with(store->op) == reduces_with(r->target->op) && r->target->var == own->var
           && own->var->type == store->var->type
           && imp_equal(own->arg[0], reduces_from(r->z->cx, store->op, own->var->type, 1))
           && imp_uses(r->nest, own->var) == 3;
}

static bool is_reduction(const struct imp *imp)
{
    return imp->kind == IMP_STORE || (imp->kind == IMP_ASSIGN && imp->var->lanes == 1);
}

/* Statements from `first` on: declarations, then a loop or an assignment to the target; or a loop
 * that sums up for the assignment behind it, into a scalar that is declared before. */
static bool take_body(struct registers *r, const struct imp *body, int first)
{
    int n = body_count(body);
    const struct imp *own = NULL, *last = n > first ? body_at(body, n - 1) : NULL;
    bool summed =
        last && is_reduction(last) && n - first > 2 && body_at(body, n - 2)->kind == IMP_FOR;
    for (int i = first; i < n - 1 - summed; i++) {
        const struct imp *at = body_at(body, i);
        if (at->kind != IMP_DECLARE || at->args == 0 || at->var->array || at->var->lanes > 1)
            return false;
        if (summed && last->arg[last->args - 1]->kind == IMP_VAR
            && last->arg[last->args - 1]->var == at->var)
            own = at;
        else
            *var_map_at(r->z->cx, &r->value, at->var) = (void *)(size_t)valued(r, at->arg[0]);
    }
    const struct imp *loop = summed ? body_at(body, n - 2) : last;
    if (!last || (summed && !own))
        return false;
    if (loop->kind != IMP_FOR)
        return is_reduction(last) && take_target(r, last);
    if (!take_loop(r, loop) || !take_body(r, loop->arg[2], 0))
        return false;
    if (!summed)
        return true;
    const struct imp *addend = r->addend;
    enum op op = r->op;
    bool is = sums_up(r, own, last) && take_target(r, last);
    r->op = r->op == OP_SUB && op == OP_SUB ? OP_ADD : r->op == OP_SUB ? OP_SUB : op;
    r->addend = addend;
    return is;
}

/* How many statements of the nest's body stay: declarations that not only the constant loops
 * need. */
static int kept(const struct imp *body)
{
    int n = body_count(body), i = 0;
    const struct imp *last = n ? body_at(body, n - 1) : NULL;
    while (i < n && body_at(body, i)->kind == IMP_DECLARE
           && !(is_reduction(last) && last->arg[last->args - 1]->kind == IMP_VAR
                && last->arg[last->args - 1]->var == body_at(body, i)->var))
        i++;
    return i;
}

static const struct imp *with_literals(struct registers *r, const struct imp *e, int loops)
{
    struct context *cx = r->z->cx;
    for (int i = 0; e && i < loops; i++) {
        struct lanes l = {.cx = cx, .var = r->loop[i].var, .body = imp_block(cx, NULL, 0)};
        e = lanes_scalar(&l, e, imp_int(cx, r->loop[i].var->type, r->at[i]));
    }
    return e;
}

/* Is what is reduced into the same in each iteration of the nest? */
static bool is_in_place(struct registers *r)
{
    return !r->position || imp_is_fixed(r->nest, with_literals(r, r->position, r->loops));
}

/* Choose lanes: of the innermost loop's iterations, all or a power of two that divides them. */
static void choose(struct registers *r)
{
    const struct constant_loop *inner = &r->loop[r->loops - 1];
    struct lanes l = {.cx = r->z->cx, .var = inner->var, .body = imp_block(r->z->cx, NULL, 0)};
    struct lanes_need need = {.bytes = (int)type_size(r->target->var->type)};
    bool varies = r->position && lanes_vary(&l, r->position);
    r->side_by_side = varies && lanes_is_contiguous(&l, r->position);
    r->width = 1;
    if ((varies && !r->side_by_side) || !lanes_measure(&l, r->addend, &need) || need.gathered
        || !lanes_is_combined(&l, r->op, r->addend))
        return;
    while (2 * r->width <= vector_width(r->z, need.bytes)
           && (inner->end - inner->begin) % (2 * r->width) == 0)
        r->width *= 2;
}

static bool is_small(const struct registers *r)
{
    int64_t steps = 1;
    for (int i = 0; i < r->loops && steps <= STEPS * VECTOR_LANES; i++)
        steps *= r->loop[i].end - r->loop[i].begin;
    return steps / r->width <= STEPS;
}

/* ---- steps ---- */

/* Apply to each step: all iterations of the loops, of the innermost one so many at once as there
 * are lanes. */
static bool all_steps(struct registers *r, int loop, bool (*apply)(struct registers *r))
{
    if (loop == r->loops)
        return apply(r);
    int by = loop == r->loops - 1 ? r->width : 1;
    for (int64_t at = r->loop[loop].begin; at < r->loop[loop].end; at += by) {
        r->at[loop] = at;
        if (!all_steps(r, loop + 1, apply))
            return false;
    }
    return true;
}

static struct component *find_component(struct registers *r)
{
    const struct imp *position = with_literals(r, r->position, r->loops);
    int i = 0;
    while (i < r->components && position && !imp_equal(r->component[i].position, position))
        i++;
    if (i < r->components)
        return &r->component[i];
    if (i == r->z->target->registers)
        return NULL;
    r->component[r->components++] = (struct component){.position = position};
    return &r->component[i];
}

static bool count_step(struct registers *r)
{
    struct component *c = find_component(r);
    if (c)
        c->steps++;
    return c != NULL;
}

/* register op= the addend's lanes. */
static bool add_step(struct registers *r)
{
    struct context *cx = r->z->cx;
    int inner = r->loops - 1;
    struct lanes l = {.cx = cx, .var = r->loop[inner].var, .body = imp_block(cx, NULL, 0)};
    const struct imp *addend = with_literals(r, r->addend, inner),
                     *at = imp_int(cx, l.var->type, r->at[inner]);
    addend = r->width > 1 ? lanes_vector(&l, addend, (struct lanes_place){at, 0}, r->width)
                          : lanes_scalar(&l, addend, at);
    struct component *c = find_component(r);
    vector_combine(r->z, &r->b, c->reg[c->steps++ % c->regs], r->op, addend);
    return true;
}

/* ---- around them ---- */

static void declare_registers(struct registers *r)
{
    struct context *cx = r->z->cx;
    const struct imp_var *target = r->target->var;
    const struct imp *start = reduces_from(cx, r->op, target->type, r->width);
    int sums = (int)r->z->target->sums, most = r->components < sums ? sums / r->components : 1;
    for (int i = 0; i < r->components; i++) {
        struct component *c = &r->component[i];
        c->regs = c->steps < most ? c->steps : most;
        c->steps = 0;
        for (int n = 0; n < c->regs; n++) {
            c->reg[n] = vector_var(r->z, target->name, target->type, r->width);
            imp_let(&r->b, c->reg[n], start);
        }
    }
}

/* What is in the registers goes to where the nest would have put it. */
static void store_registers(struct registers *r)
{
    struct context *cx = r->z->cx;
    enum op op = reduces_with(r->op);
    for (int i = 0; i < r->components; i++) {
        const struct component *c = &r->component[i];
        for (int n = 1; n < c->regs; n++)
            imp_add(&r->b, imp_assign(cx, c->reg[0], op, imp_read(cx, c->reg[n])));
        const struct imp *value = r->width > 1 && !r->side_by_side
                                      ? vector_reduced(r->z, &r->b, c->reg[0], op)
                                      : imp_read(cx, c->reg[0]);
        imp_add(&r->b, c->position ? imp_store(cx, r->target->var, c->position, op, value)
                                   : imp_assign(cx, r->target->var, op, value));
    }
}

/* The nest with registers in place of the components. */
static const struct imp *in_registers(struct registers *r, int stays)
{
    struct context *cx = r->z->cx;
    const struct imp *nest = r->nest, *body = nest->arg[2];
    imp_begin(&r->b);
    for (int i = 0; i < stays; i++)
        imp_add(&r->b, body_at(body, i));
    imp_begin(&r->b);
    all_steps(r, 0, add_step);
    const struct imp *steps = imp_end(&r->b);
    imp_begin(&r->b);
    for (int i = stays; i < body_count(body); i++)
        imp_add(&r->b, body_at(body, i));
    const struct imp *rest = imp_end(&r->b);
    imp_add(&r->b, r->each ? imp_if(cx, r->each, steps, rest) : steps);
    const struct imp *arg[] = {nest->arg[0], nest->arg[1], imp_end(&r->b)};
    return imp_with_args(cx, nest, arg);
}

const struct imp *vectorize_registers(struct vectorizer *z, const struct imp *nest)
{
    struct context *cx = z->cx;
    struct registers r = {.z = z, .b = {.cx = cx}, .nest = nest};
    int stays = kept(nest->arg[2]);
    if (vector_is_asked(nest) || !imp_is_pure(nest) || !take_body(&r, nest->arg[2], stays)
        || r.loops == 0 || imp_uses(nest, r.target->var) != 1 || !is_in_place(&r))
        return NULL;
    choose(&r);
    if (!is_small(&r) || !all_steps(&r, 0, count_step))
        return NULL;
    imp_begin(&r.b);
    declare_registers(&r);
    imp_add(&r.b, in_registers(&r, stays));
    store_registers(&r);
    const struct imp *runs = imp_op2(cx, OP_LT, nest->arg[0], nest->arg[1]);
    return imp_if(cx, both(cx, runs, r.always), imp_end(&r.b), r.always ? nest : NULL);
}
