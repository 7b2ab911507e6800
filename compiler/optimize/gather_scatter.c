/* gather_scatter.c - short segments whose entries are scattered, many in one loop over entries.
 *
 *     for (i = begin; i < end; i++) {
 *         x = X[i];
 *         for (p = pos[i]; p < pos[i + 1]; p++) y[crd[p]] += a[p] * x;
 *     }
 *
 * Where a short segment ends no processor foresees, but for so few of them that it learns by heart
 * where they do.  So x is written to an array for each entry: for as many as short segments have,
 * however many there are, since the next segment writes over what is too much.
 *
 *     while (i < end) {
 *         base = pos[i];
 *         for (n = 0; i < end && pos[i + 1] - base <= 1024; i++) {
 *             x = X[i];
 *             spread[n .. +16] = x;
 *             for (q = n + 16; q < pos[i + 1] - base; q += 4) spread[q .. +4] = x;
 *             n = pos[i + 1] - base;
 *         }
 *         for (p = 0; p < n - 3; p += 4) {
 *             term = a[base + p .. +4] * spread[p .. +4];
 *             y[crd[base + p]] += term[0];  ...  y[crd[base + p + 3]] += term[3];
 *         }
 *         ...
 *     }
 *
 * Entries come in the order in which they came, and to what they came to.  A segment of more than
 * 1024 is gone through as before; and so are all, where they are few, or long.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/loop_plan.h"
#include "compiler/optimize/simplify.h"

enum {
    BLOCK = 1024,   /* entries of a block of segments, */
    SHORT = 16,     /* of a short segment, */
    SPREAD_MOST = 2 /* and values that are spread over them */
};

struct scattering {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *loop, *inner;       /* over segments, and over the entries of one */
    struct loop_plan plan;                /* of both */
    const struct imp *value[SPREAD_MOST]; /* declarations in the loop, of what its entries need, */
    const struct imp_var *array[SPREAD_MOST]; /* and where that is spread */
    int values;
    const struct imp *base;  /* where the block of segments begins */
    struct lanes lanes;      /* of the loop over the block's entries */
    const struct imp *store; /* what each of these does */
    int width;
};

/* ---- what entries need ---- */

/* Takes declarations that do not depend on the entries, and notes those that the entries need. */
static bool take_values(struct scattering *s)
{
    const struct imp *body = s->loop->arg[2];
    for (int i = 0; i + 1 < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (!imp_is_fixed(s->inner, at->arg[0]))
            return false;
        if (!imp_mentions(s->inner->arg[2], at->var))
            continue;
        if (s->values == SPREAD_MOST || at->var->type == TYPE_BOOL || type_is_complex(at->var->type)
            || vector_width(s->z, (int)type_size(at->var->type)) < 2)
            return false;
        s->value[s->values++] = at;
    }
    return s->values > 0;
}

/* ---- entries ---- */

/* Opens the loop over entries, in which values that are spread are read for each entry. */
static void open_entries(struct scattering *s)
{
    struct context *cx = s->z->cx;
    const char *name = imp_stem(s->inner->var);
    struct imp_var *p = vector_var(s->z, name, s->inner->var->type, 1);
    p->base_name = name;
    const struct imp *at = imp_read(cx, p),
                     *body = unroll_iteration(s->z, s->inner, imp_op2(cx, OP_ADD, s->base, at));
    imp_begin(&s->b);
    for (int v = 0; v < s->values; v++)
        imp_add(&s->b, imp_declare(cx, s->value[v]->var, imp_load(cx, s->array[v], at)));
    imp_add_all(&s->b, body);
    s->lanes = (struct lanes){.cx = cx, .var = p, .body = imp_end(&s->b)};
    s->store = body_last(s->lanes.body);
}

/* Returns how many terms are computed at once; 0 if they have no lanes. */
static int measure_terms(const struct scattering *s)
{
    struct lanes_need need = {0};
    if (lanes_is_contiguous(&s->lanes, s->store->arg[0]) || !lanes_vary(&s->lanes, s->store->arg[0])
        || !lanes_measure(&s->lanes, s->store->arg[1], &need))
        return 0;
    int width = vector_width(s->z, need.bytes);
    width = width < s->z->target->scatter_lanes ? width : (int)s->z->target->scatter_lanes;
    return width > 1 && lanes_is_short(&need, 1, width) ? width : 0;
}

/* Adds the loop over the block's n entries. */
static void add_entries(struct scattering *s, const struct imp *n)
{
    struct context *cx = s->z->cx;
    struct imp_var *p = (struct imp_var *)(size_t)s->lanes.var;
    const struct imp *none = imp_int(cx, p->type, 0),
                     *all = imp_for(cx, p, none, n, 1, s->lanes.body), *value = s->store->arg[1],
                     *at = imp_let(&s->b, p, none);
    imp_begin(&s->b);
    struct imp_var *term = vector_var(s->z, "term", value->type, s->width);
    const struct imp *terms =
        imp_let(&s->b, term, lanes_vector(&s->lanes, value, (struct lanes_place){at, 0}, s->width));
    for (int k = 0; k < s->width; k++)
        imp_add(&s->b, imp_store(cx, s->store->var,
                                 lanes_scalar(&s->lanes, s->store->arg[0], lanes_plus(cx, at, k)),
                                 s->store->op, imp_lane(cx, terms, k)));
    const struct imp *step = imp_end(&s->b);
    imp_add(&s->b, vector_steps(cx, all, n, s->width, step));
    imp_add(&s->b, vector_rest(cx, all, n, s->width));
}

/* ---- segments ---- */

/* Writes a value from entry n on: for as many entries as a short segment has, and for those that
 * are left up to the end. */
static void spread_value(struct scattering *s, int v, const struct imp *n, const struct imp *end)
{
    struct context *cx = s->z->cx;
    const struct imp_var *var = s->value[v]->var;
    int width = vector_width(s->z, (int)type_size(var->type));
    struct imp_var *q = vector_var(s->z, "q", n->type, 1);
    const struct imp *lanes = imp_broadcast(cx, imp_read(cx, var), width);
    for (int k = 0; k < SHORT; k += width)
        imp_add(&s->b, imp_store(cx, s->array[v], lanes_plus(cx, n, k), OP_NONE, lanes));
    imp_add(&s->b, imp_for(cx, q, lanes_plus(cx, n, SHORT), end, width,
                           imp_store(cx, s->array[v], imp_read(cx, q), OP_NONE, lanes)));
}

/* Adds the loop over a block's segments.  Returns the number of their entries. */
static const struct imp *add_segments(struct scattering *s)
{
    struct context *cx = s->z->cx;
    const struct imp *body = s->loop->arg[2], *i = imp_read(cx, s->loop->var),
                     *end = imp_op2(cx, OP_SUB, imp_cast(cx, s->base->type, s->inner->arg[1]),
                                    s->base);
    struct imp_var *entries = vector_var(s->z, "n", end->type, 1);
    const struct imp *n = imp_let(&s->b, entries, imp_int(cx, end->type, 0));
    imp_begin(&s->b);
    for (int k = 0; k + 1 < body_count(body); k++)
        imp_add(&s->b, body_at(body, k));
    for (int v = 0; v < s->values; v++)
        spread_value(s, v, n, end);
    imp_add(&s->b, imp_assign(cx, entries, OP_NONE, end));
    imp_add(&s->b, imp_increment(cx, s->loop->var));
    const struct imp *segment = imp_end(&s->b),
                     *has_room = imp_op2(cx, OP_LE, end, imp_int(cx, end->type, BLOCK));
    imp_add(&s->b,
            imp_while(cx, imp_both(cx, imp_op2(cx, OP_LT, i, s->loop->arg[1]), has_room), segment));
    return n;
}

/* Adds a segment that is longer than a block, for a block without entries. */
static void add_long(struct scattering *s, const struct imp *n)
{
    struct context *cx = s->z->cx;
    const struct imp *i = imp_read(cx, s->loop->var),
                     *none = imp_op2(cx, OP_EQ, n, imp_int(cx, n->type, 0));
    imp_begin(&s->b);
    imp_add(&s->b, unroll_iteration(s->z, s->loop, i));
    imp_add(&s->b, imp_increment(cx, s->loop->var));
    const struct imp *alone = imp_end(&s->b);
    imp_add(&s->b,
            imp_if(cx, imp_both(cx, none, imp_op2(cx, OP_LT, i, s->loop->arg[1])), alone, NULL));
}

/* ---- all of it ---- */

/* Are there too many segments to foresee where they end, and are they short? */
static const struct imp *is_worth(const struct scattering *s)
{
    struct context *cx = s->z->cx;
    const struct imp *begin = imp_cast(cx, TYPE_I64, s->loop->arg[0]),
                     *end = imp_cast(cx, TYPE_I64, s->loop->arg[1]),
                     *segments = imp_op2(cx, OP_SUB, end, begin),
                     *entries = imp_op2(cx, OP_SUB, imp_cast(cx, TYPE_I64, s->plan.axis[0].high),
                                        imp_cast(cx, TYPE_I64, s->plan.axis[0].low));
    return imp_both(cx, imp_op2(cx, OP_GT, segments, imp_i64(cx, s->z->target->foreseen)),
                    imp_op2(cx, OP_LT, imp_op2(cx, OP_DIV, entries, imp_i64(cx, SHORT)), segments));
}

static void open_arrays(struct scattering *s)
{
    struct context *cx = s->z->cx;
    for (int v = 0; v < s->values; v++) {
        const struct imp_var *var = s->value[v]->var;
        struct imp_var *array =
            vector_var(s->z, arena_printf(cx->arena, "%s_of", imp_stem(var)), var->type, 1);
        array->array = array->small = array->restricted = true;
        s->array[v] = array;
        imp_add(&s->b, imp_declare(cx, array, NULL));
        imp_add(&s->b, imp_alloc(cx, array, imp_i64(cx, BLOCK + SHORT)));
    }
}

/* Adds a block of segments with the work for its entries.  False if these have no lanes. */
static bool add_block(struct scattering *s)
{
    struct context *cx = s->z->cx;
    struct imp_var *base = vector_var(
        s->z, arena_printf(cx->arena, "%s_base", imp_stem(s->inner->var)), s->inner->var->type, 1);
    s->base = imp_let(&s->b, base, imp_cast(cx, base->type, s->inner->arg[0]));
    open_entries(s);
    s->width = measure_terms(s);
    if (!s->width)
        return false;
    const struct imp *n = add_segments(s);
    add_entries(s, n);
    add_long(s, n);
    return true;
}

const struct imp *vectorize_gather_scatter(struct vectorizer *z, const struct imp *loop,
                                           const struct imp *otherwise)
{
    struct context *cx = z->cx;
    struct scattering s = {.z = z, .b = {.cx = cx}, .loop = loop, .inner = body_last(loop->arg[2])};
    if (z->target->foreseen == TARGET_FORESEES_ALL || !loop_plan_of_segments(z, loop, &s.plan)
        || !take_values(&s))
        return NULL;
    imp_begin(&s.b);
    open_arrays(&s);
    const struct imp *i = imp_let(&s.b, loop->var, loop->arg[0]);
    imp_begin(&s.b);
    bool has_lanes = add_block(&s);
    const struct imp *block = imp_end(&s.b);
    imp_add(&s.b, imp_while(cx, imp_op2(cx, OP_LT, i, loop->arg[1]), block));
    for (int v = 0; v < s.values; v++)
        imp_add(&s.b, imp_free(cx, s.array[v]));
    const struct imp *spread = imp_end(&s.b);
    return has_lanes ? imp_if(cx, is_worth(&s), spread, otherwise) : NULL;
}
