/* tile.c - rows that a loop nest adds to, or adds, in strips of vectors that stay in registers.
 *
 *     for (p ...) { j = crd[p]; for (r = 0; r < R; r++) Y[i*R + r] += A[p] * X[j*R + r]; }
 *
 * reads and writes the row of Y again for each p.  Taken in tiles of a few vectors, the row stays
 * in registers while the whole nest runs, once for each tile:
 *
 *     for (; r < R - 31; r += 32) {
 *         y0 = Y[i*R + r .. +8];  ...  y3 = ...
 *         for (p ...) { j = crd[p];  y0 += A[p] * X[j*R + r .. +8];  ... }
 *         Y[i*R + r .. +8] = y0;  ...
 *     }
 *
 * then in narrower tiles, and what is left as it was (strip_mine.c).  This is register tiling as in
 * dense matrix multiplication; the coordinates are read again for each tile, which costs little
 * beside a whole tile's loads of X.  A nest with another loop, which sums something else, stays.
 *
 * What multiplies all that a loop of the nest adds is taken out of it:
 *
 *     for (p ...) y0 += A[p] * X[..] * Z[..]      with X's row the same for all p, is
 *     sum0 = 0;  for (p ...) sum0 += A[p] * Z[..];  y0 += X[..] * sum0
 *
 * so that each fiber of a tensor is multiplied by its factor once, level by level, as by hand
 * (Kjolstad et al., CGO 2019, section 3, does so by a workspace).
 *
 * Where each iteration adds to another row, what they all add is kept instead:
 *
 *     for (p ...) { k = crd[p];  for (r ...) Y[k*R + r] += A[p] * X[i*R + r] * Z[j*R + r]; }
 *
 *     kept0 = X[i*R + r .. +8] * Z[j*R + r .. +8];  ...
 *     for (p ...) { k = crd[p];  Y[k*R + r .. +8] += A[p] * kept0;  ... }
 *
 * What is assigned but not added up keeps its loops, and the order of its factors.
 *
 * A loop beside the nest that goes over the same row, and computes each element from itself, is
 * done in the strips as well: one in front gives what registers start from, one behind is applied
 * to them before they are stored.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/loop_plan.h"
#include "compiler/optimize/simplify.h"

enum { NEST_NODES = 400 }; /* larger nests are not copied */

/* A loop of the nest that adds to sums of its own, without what multiplies all of it. */
struct factored {
    const struct factored *around;
    const struct imp *loop, *row; /* the only row loop in it */
    struct factors factors;
    struct imp_var *sum[TARGET_VECTORS_MOST];
    struct imp_var *some; /* has the row loop run?  NULL: it does where the loop does */
};

struct tiler {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *nest;
    const struct imp
        *scattered;         /* the loop over a row that each iteration has; NULL: all have one */
    struct factors factors; /* of what that adds */
    struct loop_plan row;   /* of the first loop over it */
    const struct imp_var *array, *var; /* of the row; its variable */
    int rows, stores;
    int width;               /* lanes of a vector */
    const struct imp *start; /* what all elements are before; NULL: they are there */
    const struct imp
        *before; /* a loop beside the nest that sets the row, and one that changes it */
    const struct imp *behind; /* in the same way; NULL: there is none */
    const struct imp *at;     /* where the tile that is being written begins */
    struct imp_var *vector[TARGET_VECTORS_MOST];
    int vectors;
    const struct factored *factored; /* the innermost that is being written; NULL: there is none */
};

/* ---- does the code have a shape that can be rewritten? ---- */

/* Does the loop go over the whole row, storing each element once, after declarations only? */
static bool is_row_loop(const struct tiler *t, const struct imp *loop)
{
    const struct imp *body = loop->arg[2];
    bool is_row = t->scattered ? loop == t->scattered
                               : loop->mark && loop->mark->row == t->nest->mark->reduces_row;
    return is_row && declares_first(body) && body_last(body)->kind == IMP_STORE;
}

/* Can what the row loop reduces with be computed in vectors? */
static bool take_row(struct tiler *t, const struct imp *loop)
{
    struct loop_plan row;
    if (!loop_plan_of_row(t->z, t->nest, loop, &row)
        || factors_keeps(t->nest, row.position, loop->var) == (t->scattered != NULL))
        return false;
    if (t->rows++ == 0) {
        t->row = row;
        t->array = row.target->var;
        t->var = loop->var;
        t->width = row.width;
    }
    t->width = row.width < t->width ? row.width : t->width;
    return true;
}

static bool is_row_of(const struct imp *imp, void *data)
{
    return imp->kind == IMP_FOR && is_row_loop(data, imp);
}

/* Is it a statement that the nest may not have?  Notes the row loops.  What another loop computes,
 * as the sum of a sampled product, each tile would compute again. */
static bool is_refused(const struct imp *imp, void *data)
{
    struct tiler *t = data;
    t->stores += imp->kind == IMP_STORE;
    if (imp->kind == IMP_FOR && is_row_loop(t, imp))
        return imp == t->nest || !take_row(t, imp);
    if (imp->kind == IMP_FOR && !imp_any(imp, is_row_of, t))
        return true;
    if (imp->kind == IMP_ASSIGN)
        return !imp_declares_inside(t->nest, imp->var);
    if (imp->kind == IMP_DECLARE)
        return imp->var->array;
    return !imp_is_expression(imp) && imp->kind != IMP_STORE && imp->kind != IMP_FOR
           && imp->kind != IMP_WHILE && imp->kind != IMP_IF && imp->kind != IMP_BLOCK
           && imp->kind != IMP_BREAK && imp->kind != IMP_COMMENT;
}

/* Can all of the nest be rewritten, which stores only in row loops? */
static bool can_tile(struct tiler *t)
{
    return t->nest->size <= NEST_NODES && !imp_any(t->nest, is_refused, t) && t->rows > 0
           && t->stores == t->rows && imp_is_pure(t->nest);
}

/* ---- loops beside the nest ---- */

/* Can vectors of the row be combined with others by this? */
static bool has_vectors(enum op op, enum type type)
{
    return op == OP_NONE || reduces_by(op, type) || (op == OP_DIV && type_is_float(type));
}

/* A loop beside the nest, in the row's variable. */
struct beside {
    const struct tiler *t;
    struct lanes l;
};

/* Is it an element of the row's array that is not the one at hand? */
static bool is_another(const struct imp *imp, void *data)
{
    const struct beside *b = data;
    const struct tiler *t = b->t;
    return (imp->kind == IMP_LOAD || imp->kind == IMP_STORE) && imp->var == t->array
           && !imp_equal(lanes_scalar(&b->l, imp->arg[0], imp_read(b->l.cx, t->var)),
                         t->row.position);
}

/* The loop, if it computes the row's elements each from itself, and in vectors; NULL otherwise. */
static const struct imp *beside(struct tiler *t, const struct imp *loop)
{
    if (!loop || t->scattered || !lanes_is_counted(loop) || !loop->mark || loop->mark->asked
        || loop->mark->iterations != ITERATIONS_APART || !declares_first(loop->arg[2])
        || !imp_equal(loop->arg[0], t->row.axis[0].low)
        || !imp_equal(loop->arg[1], t->row.axis[0].high))
        return NULL;
    const struct imp *store = body_last(loop->arg[2]);
    struct beside b = {t, {.cx = t->z->cx, .var = loop->var, .body = loop->arg[2]}};
    struct lanes_need need = {0};
    if (store->kind != IMP_STORE || store->var != t->array
        || !has_vectors(store->op, store->var->type) || imp_any(b.l.body, is_another, &b)
        || !lanes_measure(&b.l, store->arg[1], &need) || need.gathered
        || !lanes_is_combined(&b.l, store->op, store->arg[1]))
        return NULL;
    const int width = vector_width(t->z, need.bytes);
    t->width = width < t->width ? width : t->width;
    return loop;
}

/* What is beside the nest and done with it: a fill of the row, and loops over it. */
static void take_beside(struct tiler *t, struct nest *of)
{
    if (!of->fill || !of->fill->mark->row || t->scattered)
        of->fill = NULL;
    t->start = of->fill ? of->fill->arg[2] : NULL;
    bool sets = of->before && body_last(of->before->arg[2])->op == OP_NONE;
    of->before = t->before = sets ? beside(t, of->before) : NULL;
    of->behind = t->behind = beside(t, of->behind);
}

/* With a register in place of what is read of the row. */
static const struct imp *in_register(const struct tiler *t, const struct imp *e,
                                     const struct imp_var *reg)
{
    if (e->kind == IMP_LOAD && e->var == t->array)
        return imp_read(t->z->cx, reg);
    const struct imp **arg = arena_array(t->z->cx->arena, const struct imp *, e->args);
    for (int i = 0; i < e->args; i++)
        arg[i] = in_register(t, e->arg[i], reg);
    return imp_with_args(t->z->cx, e, arg);
}

/* ---- rewriting ---- */

/* The innermost loop around the row loop that has sums of its own for it. */
static const struct factored *of_row(const struct tiler *t, const struct imp *row)
{
    return t->factored && t->factored->row == row ? t->factored : NULL;
}

/* Something is added to these sums. */
static void note_some(struct tiler *t, const struct factored *f)
{
    if (f && f->some)
        imp_add(&t->b, imp_assign(t->z->cx, f->some, OP_NONE, imp_true(t->z->cx)));
}

/* The u-th vector of the tile of what the row loop computes. */
static const struct imp *in_vector(const struct tiler *t, const struct imp *row,
                                   const struct imp *value, int u)
{
    struct lanes l = {.cx = t->z->cx, .var = row->var, .body = row->arg[2]};
    return lanes_vector(&l, value, (struct lanes_place){t->at, (int64_t)u * t->width}, t->width);
}

/* What the row loop does to the vectors of the tile, or of the loop that has sums of its own, or to
 * the row that this iteration has, with the vectors that all of them add. */
static const struct imp *row_in_vectors(struct tiler *t, const struct imp *loop)
{
    struct context *cx = t->z->cx;
    const struct imp *store = body_last(loop->arg[2]);
    const struct factored *f = of_row(t, loop);
    struct lanes l = {.cx = cx, .var = loop->var, .body = loop->arg[2]};
    const struct imp *adds = f ? f->factors.rest : t->scattered ? t->factors.rest : store->arg[1];
    vector_note(t->z, loop);
    imp_begin(&t->b);
    for (int u = 0; u < t->vectors; u++) {
        const struct imp *value = in_vector(t, loop, adds, u);
        struct lanes_place place = {t->at, (int64_t)u * t->width};
        if (t->scattered)
            imp_add(&t->b,
                    imp_store(cx, store->var, lanes_position(&l, store->arg[0], place), store->op,
                              factors_times(cx, value, imp_read(cx, t->vector[u]))));
        else
            vector_combine(t->z, &t->b, f ? f->sum[u] : t->vector[u], store->op, value);
    }
    note_some(t, f);
    return imp_end(&t->b);
}

/* The row loop that every iteration of this loop runs; NULL: there is none, or more than one. */
static const struct imp *only_row(const struct tiler *t, const struct imp *loop)
{
    const struct imp *body = loop->arg[loop->args - 1], *row = NULL;
    for (int i = 0; i < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (at->kind != IMP_FOR || !is_row_loop(t, at))
            continue;
        if (row)
            return NULL;
        row = at;
    }
    return row;
}

/* The rewritten loop with prefetches, if they help. */
static const struct imp *with_prefetches(struct tiler *t, const struct imp *loop,
                                         const struct imp *copy)
{
    struct context *cx = t->z->cx;
    const struct imp *row = only_row(t, loop);
    struct ahead around = {.loop = loop};
    const int elements = t->vectors * t->width;
    const struct imp *fetch = row ? vectorize_ahead(t->z, &around, row, t->at, elements) : NULL,
                     *nested = vectorize_nested_ahead(t->z, &around, t->at, elements);
    if (!fetch && !nested)
        return copy;
    imp_begin(&t->b);
    if (nested)
        imp_add_all(&t->b, nested);
    imp_add_all(&t->b, copy->arg[2]);
    if (fetch)
        imp_add_all(&t->b, fetch);
    const struct imp *arg[] = {copy->arg[0], copy->arg[1], imp_end(&t->b)};
    return vectorize_behind(t->z, &around, imp_with_args(cx, copy, arg));
}

/* ---- what multiplies a sum ---- */

static const struct imp *rewritten(struct tiler *t, const struct imp *imp);

/* The row loops in the statement; the last one. */
static int find_rows(const struct tiler *t, const struct imp *imp, const struct imp **row)
{
    int n = 0;
    if (imp->kind == IMP_FOR && is_row_loop(t, imp)) {
        *row = imp;
        return 1;
    }
    for (int i = 0; i < imp->args; i++)
        n += imp_is_expression(imp->arg[i]) ? 0 : find_rows(t, imp->arg[i], row);
    return n;
}

/* Take out of the loop what multiplies all that its only row loop adds; false: there is no such
 * thing.  Sums of floating-point numbers are taken in any order anyway. */
static bool factor(const struct tiler *t, const struct imp *loop, struct factored *f)
{
    *f = (struct factored){.around = t->factored, .loop = loop};
    bool again = t->factored && t->factored->loop == loop;
    if (again || t->scattered || !t->vectors || (loop->kind != IMP_FOR && loop->kind != IMP_WHILE)
        || find_rows(t, loop, &f->row) != 1)
        return false;
    const struct imp *store = body_last(f->row->arg[2]);
    const struct factored *around = of_row(t, f->row);
    f->factors = factors_of(t->z->cx, loop, f->row->var, store->var,
                            around ? around->factors.rest : store->arg[1]);
    return reduces_with(store->op) == OP_ADD && f->factors.kept && f->factors.rest;
}

static void open_sums(struct tiler *t, struct factored *f)
{
    struct context *cx = t->z->cx;
    enum type type = t->array->type;
    for (int u = 0; u < t->vectors; u++) {
        f->sum[u] = vector_var(t->z, "sum", type, t->width);
        imp_let(&t->b, f->sum[u], imp_broadcast(cx, imp_literal(cx, value_zero(type)), t->width));
    }
    if (only_row(t, f->loop))
        return;
    f->some = vector_var(t->z, "some", TYPE_BOOL, 1);
    imp_let(&t->b, f->some, imp_int(cx, TYPE_BOOL, 0));
}

/* What the loop has added in all goes to the row, if that is where, or to the sums around it. */
static const struct imp *add_sums(struct tiler *t, const struct factored *f,
                                  const struct imp *const *position)
{
    struct context *cx = t->z->cx;
    const struct factored *to = of_row(t, f->row);
    imp_begin(&t->b);
    for (int u = 0; u < t->vectors; u++) {
        const struct imp *all =
            factors_times(cx, in_vector(t, f->row, f->factors.kept, u), imp_read(cx, f->sum[u]));
        imp_add(&t->b, position ? imp_store(cx, t->array, position[u], OP_ADD, all)
                                : imp_assign(cx, to ? to->sum[u] : t->vector[u], OP_ADD, all));
    }
    note_some(t, to);
    return imp_end(&t->b);
}

/* The loop, which runs, adding to sums of its own.  What multiplies nothing may be no number, and
 * is not looked at. */
static const struct imp *factored(struct tiler *t, struct factored *f,
                                  const struct imp *const *position)
{
    imp_begin(&t->b);
    open_sums(t, f);
    t->factored = f;
    imp_add(&t->b, rewritten(t, f->loop));
    t->factored = f->around;
    const struct imp *add = add_sums(t, f, position);
    imp_add(&t->b, f->some ? imp_if(t->z->cx, imp_read(t->z->cx, f->some), add, NULL) : add);
    return imp_end(&t->b);
}

/* The nest with its row loops on vectors, or, if there are none, beginning at the tile. */
static const struct imp *rewritten(struct tiler *t, const struct imp *imp)
{
    const struct imp **arg = arena_array(t->z->cx->arena, const struct imp *, imp->args);
    bool row = imp->kind == IMP_FOR && is_row_loop(t, imp);
    if (row && t->vectors)
        return row_in_vectors(t, imp);
    struct factored f;
    if (factor(t, imp, &f))
        return imp_if(t->z->cx, vector_runs(t->z->cx, imp), factored(t, &f, NULL), NULL);
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_is_expression(imp->arg[i]) ? imp->arg[i] : rewritten(t, imp->arg[i]);
    if (row)
        arg[0] = imp_cast(t->z->cx, imp->var->type, t->at);
    const struct imp *copy = imp_with_args(t->z->cx, imp, arg);
    bool asks = imp->kind == IMP_FOR && t->vectors > (t->scattered ? 0 : 1);
    return asks ? with_prefetches(t, imp, copy) : copy;
}

/* What the u-th vector of the tile is in front of the nest. */
static const struct imp *first(const struct tiler *t, const struct imp *position, int u)
{
    struct context *cx = t->z->cx;
    return t->scattered ? in_vector(t, t->scattered, t->factors.kept, u)
           : t->before  ? in_vector(t, t->before, body_last(t->before->arg[2])->arg[1], u)
           : t->start   ? imp_broadcast(cx, t->start, t->width)
                        : imp_load_lanes(cx, t->array, position, t->width);
}

/* What the loop behind the nest does to the vectors of the tile. */
static void add_behind(struct tiler *t)
{
    const struct imp *store = body_last(t->behind->arg[2]);
    for (int u = 0; u < t->vectors; u++) {
        const struct imp *value = in_vector(t, t->behind, store->arg[1], u);
        vector_combine(t->z, &t->b, t->vector[u], store->op, in_register(t, value, t->vector[u]));
    }
}

/* Are all elements of the row there, whether the nest runs or not? */
static bool has_own(const struct tiler *t) { return t->start || t->before || t->behind; }

static const struct imp *tile(void *data, const struct imp *at, int vectors)
{
    struct tiler *t = data;
    struct context *cx = t->z->cx;
    const struct imp_var *array = t->array;
    const struct imp *position[TARGET_VECTORS_MOST];
    struct lanes l = {.cx = cx, .var = t->var, .body = imp_block(cx, NULL, 0)};
    t->at = at;
    t->vectors = vectors;
    for (int u = 0; u < vectors; u++)
        position[u] =
            lanes_position(&l, t->row.position, (struct lanes_place){at, (int64_t)u * t->width});
    struct factored f;
    if (!has_own(t) && factor(t, t->nest, &f))
        return factored(t, &f, position);
    imp_begin(&t->b);
    for (int u = 0; u < vectors; u++) {
        const char *name = t->scattered ? "kept" : array->name;
        t->vector[u] = vector_var(t->z, name, array->type, t->width);
        imp_let(&t->b, t->vector[u], first(t, position[u], u));
    }
    imp_add(&t->b, rewritten(t, t->nest));
    if (t->behind)
        add_behind(t);
    for (int u = 0; u < vectors && !t->scattered; u++)
        imp_add(&t->b, imp_store(cx, array, position[u], OP_NONE, imp_read(cx, t->vector[u])));
    return imp_end(&t->b);
}

/* The iterations from `at` on of a loop beside the nest, if there is one. */
static void add_from(struct tiler *t, const struct imp *loop)
{
    if (!loop)
        return;
    const struct imp *arg[] = {imp_cast(t->z->cx, loop->var->type, t->at), loop->arg[1],
                               loop->arg[2]};
    imp_add(&t->b, imp_with_args(t->z->cx, loop, arg));
}

/* The columns from `at` on, without tiles. */
static const struct imp *rest(void *data, const struct imp *at)
{
    struct tiler *t = data;
    struct context *cx = t->z->cx;
    t->at = at;
    t->vectors = 0;
    imp_begin(&t->b);
    if (t->start)
        imp_add(&t->b, imp_for(cx, t->var, at, t->row.axis[0].high, 1,
                               imp_store(cx, t->array, t->row.position, OP_NONE, t->start)));
    add_from(t, t->before);
    imp_add(&t->b, rewritten(t, t->nest));
    add_from(t, t->behind);
    return imp_end(&t->b);
}

/* The nest in strips of its rows. */
static const struct imp *in_strips(struct tiler *t)
{
    const struct imp *strips = vectorize_strips(&(struct strips){.z = t->z,
                                                                 .loop = t->row.axis[0].loop,
                                                                 .width = t->width,
                                                                 .most = t->row.vectors,
                                                                 .least = 1,
                                                                 .strip = tile,
                                                                 .rest = rest,
                                                                 .data = t});
    return has_own(t) || !strips ? strips
                                 : imp_if(t->z->cx, vector_runs(t->z->cx, t->nest), strips, NULL);
}

/* The loop over a row in another place for each iteration of the nest; NULL: there is none. */
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

/* Take what the iterations of the nest add to rows apart; false: they keep nothing of it. */
static bool take_kept(struct tiler *t)
{
    const struct imp *row = t->scattered, *store = body_last(row->arg[2]);
    struct lanes l = {.cx = t->z->cx, .var = row->var, .body = row->arg[2]};
    t->factors = factors_of(t->z->cx, t->nest, row->var, store->var, store->arg[1]);
    return t->factors.kept && t->factors.rest && lanes_vary(&l, t->factors.kept)
           && reduces_with(store->op) == OP_ADD && imp_uses(t->nest, store->var) == 1;
}

const struct imp *vectorize_tile(struct vectorizer *z, struct nest *of)
{
    const struct imp *nest = of->loop;
    struct tiler t = {.z = z, .b = {.cx = z->cx}, .nest = nest};
    bool stays = nest->mark && nest->mark->reduces_row;
    t.scattered = stays ? NULL : moving_row(nest);
    if ((!stays && !t.scattered) || !can_tile(&t) || (t.scattered && !take_kept(&t)))
        return NULL;
    take_beside(&t, of);
    return in_strips(&t);
}
