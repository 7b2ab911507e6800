/* launch_handed.c - what the blocks of a launch hand over, and one block combines (thesis 6.6:
 * temporary).
 *
 *     launch(blocks, 256)
 *         the loop, which reduces into a, and goes along components of y that others go along, too
 *         a_of[block] = the sum over the block
 *         y_at_of[block] = the component that it has begun
 *         y_begun_of[block] = what it has of that
 *     launch(1, 256)
 *         the same, of what blocks have handed over
 *     a += a_of[0]
 *
 * Where a component of each column is at hand, each team keeps these in memory (begun.c), and a
 * block of the second launch goes through what all teams have of a column.
 *
 * So what is combined with what follows from the data alone, and results are the same, to the bit,
 * on any device.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/launch.h"
#include "compiler/target.h"

struct handed {
    struct parallel *p; /* the grid's loop */
    /* by block: of each scalar, and of each array, where it is and what there is of it */
    const struct imp_var **scalar, **at, **begun;
};

/* Makes an array with this many elements, for all of the kernel. */
static const struct imp_var *handed_array(struct launch *l, enum type type, const char *name,
                                          const struct imp *elements)
{
    struct kernel *k = l->k;
    struct imp_var *array = kernel_array(k, type, "%s_of", name);
    array->restricted = true;
    vec_push(k->cx->arena, &k->prologue, imp_declare(k->cx, array, NULL));
    vec_push(k->cx->arena, &k->prologue, imp_alloc(k->cx, array, elements));
    vec_push(k->cx->arena, &k->epilogue, imp_free(k->cx, array));
    return array;
}

/* Makes such an array with one element for each block. */
static const struct imp_var *by_block(struct launch *l, const struct imp_var *var)
{
    return handed_array(l, var->type, imp_stem(var), imp_i64(l->k->cx, l->blocks));
}

/* Makes such arrays with one element for each team and column, which have nothing yet. */
static void open_columns(struct launch *l, struct kernel_begun *begun)
{
    struct kernel *k = l->k;
    const char *name = begun->tensor->name;
    const struct imp *teams = imp_i64(k->cx, begun->teams),
                     *n = imp_op2(k->cx, OP_MUL, begun_columns(k, begun), teams);
    begun->at_of = handed_array(l, TYPE_I64, arena_printf(k->cx->arena, "%s_at", name), n);
    begun->value_of =
        handed_array(l, begun->array->type, arena_printf(k->cx->arena, "%s_begun", name), n);
    vec_push(k->cx->arena, &k->prologue,
             imp_fill(k->cx, begun->at_of, imp_i64(k->cx, 0), n, imp_i64(k->cx, -1)));
    vec_push(
        k->cx->arena, &k->prologue,
        imp_fill(k->cx, begun->value_of, imp_i64(k->cx, 0), n, imp_literal(k->cx, begun->start)));
}

struct handed *handed_open(struct launch *l, struct parallel *p)
{
    struct arena *arena = l->k->cx->arena;
    struct handed *h = arena_make(arena, struct handed);
    h->p = p;
    h->scalar = arena_array(arena, const struct imp_var *, (int)p->scalars.n);
    h->at = arena_array(arena, const struct imp_var *, (int)p->arrays.n);
    h->begun = arena_array(arena, const struct imp_var *, (int)p->arrays.n);
    for (size_t i = 0; i < p->scalars.n; i++)
        h->scalar[i] = by_block(l, p->scalars.at[i].own);
    for (size_t i = 0; i < p->arrays.n; i++) {
        struct kernel_begun *begun = (struct kernel_begun *)&p->seen.begun[i];
        if (begun->columns > 0)
            open_columns(l, begun);
        h->at[i] = begun->columns > 0 ? begun->at_of : by_block(l, begun->at);
        h->begun[i] = begun->columns > 0 ? begun->value_of : by_block(l, begun->value);
    }
    return h;
}

/* ---- in the launch ---- */

/* Returns the threads of a block together. */
static struct team whole_block(struct launch *l)
{
    return (struct team){.lanes = l->threads,
                         .block = true,
                         .lane = imp_read(l->k->cx, l->thread),
                         .number = imp_cast(l->k->cx, TYPE_I64, imp_read(l->k->cx, l->block)),
                         .teams = l->blocks};
}

static const struct imp *is_first(struct launch *l)
{
    return imp_op2(l->k->cx, OP_EQ, imp_read(l->k->cx, l->thread), imp_int(l->k->cx, TYPE_I32, 0));
}

/* Has the block any iterations?  NULL: that is not known. */
static const struct imp *has_some(struct launch *l, const struct parallel *p, const struct team *of)
{
    struct context *cx = l->k->cx;
    const struct imp *first =
        imp_op2(cx, OP_MUL, l->team.number, imp_i64(cx, l->threads / of->lanes));
    return p->f.iterations ? imp_op2(cx, OP_LT, first, p->f.iterations) : NULL;
}

/* Returns what the block has begun, combined of what its teams have.  `some`: have they anything?
 * NULL: they have. */
static struct kernel_begun combine_begun(struct launch *l, const struct kernel_begun *begun,
                                         const struct team *of, const struct imp *some)
{
    struct kernel_begun whole = *begun;
    if (of->block)
        return whole;
    begun_declare(l->k, &whole, arena_printf(l->k->cx->arena, "%s_last", begun->tensor->name));
    imp_begin(&l->k->b);
    begun_gather(l, begun, of, &l->team, &whole);
    const struct imp *gather = imp_end(&l->k->b);
    imp_add_all(&l->k->b, some ? imp_if(l->k->cx, some, gather, NULL) : gather);
    return whole;
}

void handed_leave(struct launch *l, struct handed *h)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    const struct parallel *p = h->p;
    const struct team of = l->team;
    const struct imp *block = imp_read(cx, l->block);
    VEC(const struct imp *) stores = {0};
    l->team = whole_block(l);
    k->part = &p->seen;
    for (size_t i = 0; i < p->scalars.n; i++) {
        const struct own_scalar *s = &p->scalars.at[i];
        if (!of.block)
            team_combine(l, s->own, s->op, s->start, &of);
        vec_push(cx->arena, &stores,
                 imp_store(cx, h->scalar[i], block, OP_NONE, imp_read(cx, s->own)));
    }
    for (size_t i = 0; i < p->arrays.n; i++) {
        if (p->seen.begun[i].columns > 0)
            continue; /* it is in memory */
        const struct kernel_begun whole =
            combine_begun(l, &p->seen.begun[i], &of, has_some(l, p, &of));
        vec_push(cx->arena, &stores,
                 imp_store(cx, h->at[i], block, OP_NONE, imp_read(cx, whole.at)));
        vec_push(cx->arena, &stores,
                 imp_store(cx, h->begun[i], block, OP_NONE, imp_read(cx, whole.value)));
    }
    k->part = NULL;
    l->team = of;
    if (stores.n)
        imp_add(&k->b, imp_if(cx, is_first(l), imp_block(cx, stores.at, (int)stores.n), NULL));
}

/* ---- by one block ---- */

static void add_up_scalar(struct launch *l, const struct own_scalar *s, const struct imp_var *of,
                          const struct imp *blocks)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    struct imp_var *sum = kernel_var(k, s->own->type, "%s", s->shared->name),
                   *part = kernel_var(k, TYPE_I32, "part");
    const struct team thread = {.lanes = 1};
    imp_let(&k->b, sum, imp_literal(cx, s->start));
    imp_add(&k->b, imp_for(cx, part, imp_read(cx, l->thread), blocks, l->threads,
                           imp_assign(cx, sum, s->op, imp_load(cx, of, imp_read(cx, part)))));
    team_combine(l, sum, s->op, s->start, &thread);
    imp_add(&k->b,
            imp_if(cx, is_first(l),
                   imp_store(cx, of, imp_int(cx, TYPE_I32, 0), OP_NONE, imp_read(cx, sum)), NULL));
}

/* Adds up what these blocks or teams have begun of one of these columns, in an iteration each. */
static void add_up_begun(struct launch *l, const struct kernel_begun *begun,
                         const struct imp_var *at_of, const struct imp_var *begun_of,
                         const struct imp *columns, const struct imp *column,
                         const struct imp *blocks)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    struct kernel_begun own = *begun;
    const struct kernel_part part = {
        .begun = &own, .begins = 1, .atomic = k->part->atomic, .atomics = k->part->atomics};
    const struct kernel_part *outer = k->part;
    const struct team thread = {.lanes = 1};
    struct imp_var *number = kernel_var(k, TYPE_I64, "part"), *at = kernel_var(k, TYPE_I64, "at");
    const struct imp *from = imp_i64(cx, 0), *past = blocks;
    own.columns = 0;
    begun_declare(k, &own, begun->tensor->name);
    forall_share(k, "part", imp_read(cx, l->thread), l->threads, &from, &past);
    k->part = &part;
    imp_begin(&k->b);
    const struct imp *of =
        imp_op2(cx, OP_ADD, imp_op2(cx, OP_MUL, imp_read(cx, number), columns), column);
    const struct imp *here = imp_let(&k->b, at, imp_load(cx, at_of, of));
    imp_begin(&k->b);
    kernel_store(k, begun->tensor, begun->array, here, begun->op, imp_load(cx, begun_of, of));
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_GE, here, imp_i64(cx, 0)), imp_end(&k->b), NULL));
    imp_add(&k->b, imp_for(cx, number, from, past, 1, imp_end(&k->b)));
    const struct kernel_begun whole = combine_begun(l, &own, &thread, NULL);
    imp_begin(&k->b);
    begun_store(k, &whole);
    imp_add(&k->b, imp_if(cx, is_first(l), imp_end(&k->b), NULL));
    k->part = outer;
}

/* Returns the statements behind the declarations of what the block's threads share. */
static const struct imp *with_shared(struct launch *l, const struct imp *sums)
{
    struct kernel *k = l->k;
    imp_begin(&k->b);
    for (size_t i = 0; i < l->shared.n; i++)
        imp_add(&k->b, l->shared.at[i]);
    imp_add_all(&k->b, sums);
    return imp_end(&k->b);
}

static const struct imp *combined(struct launch *l, struct handed *h, const struct imp *blocks)
{
    struct kernel *k = l->k;
    const struct parallel *p = h->p;
    const struct imp *one = imp_i64(k->cx, 1), *first = imp_i64(k->cx, 0);
    imp_begin(&k->b);
    for (size_t i = 0; i < p->scalars.n; i++)
        add_up_scalar(l, &p->scalars.at[i], h->scalar[i], blocks);
    for (size_t i = 0; i < p->arrays.n; i++)
        if (p->seen.begun[i].columns == 0)
            add_up_begun(l, &p->seen.begun[i], h->at[i], h->begun[i], one, first, blocks);
    return with_shared(l, imp_end(&k->b));
}

/* Opens a launch of at most this many blocks, in which one block combines. */
static struct launch open_combining(struct launch *l, int blocks)
{
    struct kernel *k = l->k;
    struct launch one = {.k = k,
                         .tag = l->tag,
                         .block = kernel_var(k, TYPE_I32, "block"),
                         .thread = kernel_var(k, TYPE_I32, "thread"),
                         .threads = LAUNCH_THREADS,
                         .blocks = blocks};
    one.team = whole_block(&one);
    return one;
}

/* Combines what teams have begun of each column, in a launch whose blocks share the columns. */
static void combine_columns(struct launch *l, const struct kernel_begun *begun)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    int most = (int)target_of(cx)->grid_blocks;
    struct launch each = open_combining(l, most);
    struct imp_var *column = kernel_var(k, TYPE_I64, "column");
    const struct imp *columns = begun_columns(k, begun), *limit = imp_i64(cx, most),
                     *blocks = imp_cast(cx, TYPE_I32, imp_op2(cx, OP_MIN, columns, limit));
    imp_begin(&k->b);
    add_up_begun(&each, begun, begun->at_of, begun->value_of, columns, imp_read(cx, column),
                 imp_i64(cx, begun->teams));
    const struct imp *body = imp_end(&k->b), *first = imp_read(cx, each.block);
    imp_begin(&k->b);
    imp_add(&k->b, imp_for(cx, column, imp_cast(cx, TYPE_I64, first), columns, most, body));
    body = with_shared(&each, imp_end(&k->b));
    imp_add(&k->b, imp_launch(cx, each.block, each.thread, blocks, each.threads, body));
}

void handed_combine(struct launch *l, struct handed *h, const struct imp *blocks)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    const struct parallel *p = h->p;
    bool some = p->scalars.n > 0;
    k->part = &p->seen;
    for (size_t i = 0; i < p->arrays.n; i++) {
        some |= p->seen.begun[i].columns == 0;
        if (p->seen.begun[i].columns > 0)
            combine_columns(l, &p->seen.begun[i]);
    }
    if (some) {
        struct launch one = open_combining(l, 1);
        const struct imp *body = combined(&one, h, blocks);
        imp_add(&k->b,
                imp_launch(cx, one.block, one.thread, imp_int(cx, TYPE_I32, 1), one.threads, body));
    }
    k->part = NULL;
    for (size_t i = 0; i < p->scalars.n; i++) {
        const struct own_scalar *s = &p->scalars.at[i];
        imp_add(&k->b, imp_assign(cx, s->shared, s->op,
                                  imp_load(cx, h->scalar[i], imp_int(cx, TYPE_I32, 0))));
    }
}
