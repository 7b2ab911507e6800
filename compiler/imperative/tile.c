/* tile.c - rows of an array that a loop nest adds to, in vectors.
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
 * then in tiles of one vector, and what is left as it was.  This is register tiling as in dense
 * matrix multiplication; the coordinates are read again for each tile, which costs little beside a
 * whole tile's loads of X.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/simplify.h"
#include "compiler/imperative/vectorize.h"

enum {
    NEST_STATEMENTS = 40, /* larger nests are not copied */
    /* iterations up to which C compilers unroll a loop rather than vectorize it */
    SHORT = 512,
};

/* A row: its array, position at its variable, bounds. */
struct row {
    const struct imp_var *array, *var;
    enum op op;
    const struct imp *position, *begin, *end;
    const struct imp *loop;
};

struct tiler {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *nest;
    struct row row; /* as the first loop over it says */
    int rows, statements;
    struct lanes_need need;
    int width, most; /* lanes a vector, vectors a tile */
    const struct imp *start;
    const struct imp *at; /* where the tile that is being written begins */
    struct imp_var *vector[VECTOR_MOST];
    int vectors;
};

/* ---- does the code have a shape that can be rewritten? ---- */

/* Does the expression keep its value while the nest runs?  (But for the row's variable.) */
static bool is_fixed(const struct tiler *t, const struct imp *e, const struct imp_var *var)
{
    if (e->kind == IMP_VAR && e->var != var && changes(t->nest, e->var, false))
        return false;
    for (int i = 0; i < e->args; i++)
        if (!is_fixed(t, e->arg[i], var))
            return false;
    return e->kind != IMP_CALL;
}

/* Does the loop go over the whole row, storing each element once, after declarations only? */
static bool is_row_loop(const struct tiler *t, const struct imp *loop)
{
    const struct imp *body = loop->arg[2];
    if (!loop->mark || loop->mark->row != t->nest->mark->reduces_row || !body_count(body))
        return false;
    for (int i = 0; i + 1 < body_count(body); i++)
        if (body_at(body, i)->kind != IMP_DECLARE || body_at(body, i)->args == 0
            || body_at(body, i)->var->lanes > 1)
            return false;
    return body_last(body)->kind == IMP_STORE;
}

/* Can what the row loop reduces with be computed in vectors? */
static bool take_row(struct tiler *t, const struct imp *loop)
{
    const struct imp *store = body_last(loop->arg[2]);
    struct lanes l = {.cx = t->z->cx, .var = loop->var, .body = loop->arg[2]};
    struct row row = {.array = store->var,
                      .var = loop->var,
                      .op = store->op,
                      .loop = loop,
                      .begin = loop->arg[0],
                      .end = loop->arg[1],
                      .position = lanes_scalar(&l, store->arg[0], imp_read(t->z->cx, loop->var))};
    if (vector_is_refused(loop) || !lanes_is_counted(loop)
        || !lanes_reduce_by(store->op, row.array->type) || !lanes_is_contiguous(&l, row.position))
        return false;
    if (!is_fixed(t, row.position, row.var) || !is_fixed(t, row.begin, NULL)
        || !is_fixed(t, row.end, NULL))
        return false;
    if (!lanes_measure(&l, store->arg[1], &t->need) || t->need.gathered)
        return false;
    if ((store->op == OP_MIN || store->op == OP_MAX) && !lanes_is_comparable(&l, store->arg[1]))
        return false;
    if (t->rows++ == 0)
        t->row = row;
    return true;
}

/* Look through a statement of the nest, with so many loops of the nest around it. */
static bool scan(struct tiler *t, const struct imp *imp, int loops)
{
    if (++t->statements > NEST_STATEMENTS)
        return false;
    switch (imp->kind) {
    case IMP_DECLARE:
    case IMP_BREAK:
    case IMP_PREFETCH:
    case IMP_COMMENT: return !imp->var || !imp->var->array;
    case IMP_ASSIGN: return changes(t->nest, imp->var, true);
    case IMP_FOR:
        if (is_row_loop(t, imp))
            return loops > 0 && take_row(t, imp);
        return scan(t, imp->arg[2], loops + 1);
    case IMP_WHILE: return scan(t, imp->arg[1], loops + 1);
    case IMP_IF:
    case IMP_BLOCK:
        for (int i = imp->kind == IMP_IF; i < imp->args; i++)
            if (!scan(t, imp->arg[i], loops))
                return false;
        return true;
    case IMP_STORE:
    case IMP_ATOMIC:
    case IMP_DO:
    case IMP_PARALLEL:
    case IMP_CRITICAL:
    case IMP_RETURN:
    case IMP_FAIL:
    case IMP_ALLOC:
    case IMP_RESIZE:
    case IMP_FREE:
    case IMP_KEEP:
    case IMP_TAKE:
    case IMP_MOVE:
    case IMP_FILL:
    case IMP_COPY:
    case IMP_ANY_EXPRESSION: break;
    }
    return false;
}

/* Can all of the nest be rewritten, and in vectors of how many lanes? */
static bool measure(struct tiler *t)
{
    if (!scan(t, t->nest, 0) || t->rows == 0 || !imp_is_pure(t->nest))
        return false;
    int bytes = (int)type_size(t->row.array->type);
    bytes = t->need.bytes > bytes ? t->need.bytes : bytes;
    t->width = vector_width(t->z, bytes);
    t->most = VECTOR_TILE / t->z->bytes;
    return true;
}

/* ---- rewriting ---- */

/* What the row loop does to the vectors of the tile. */
static const struct imp *row_in_vectors(struct tiler *t, const struct imp *loop)
{
    struct context *cx = t->z->cx;
    const struct imp *store = body_last(loop->arg[2]);
    struct lanes l = {.cx = cx, .var = loop->var, .body = loop->arg[2]};
    vector_note(t->z, loop);
    imp_begin(&t->b);
    for (int u = 0; u < t->vectors; u++) {
        struct lanes_place from = {t->at, (int64_t)u * t->width};
        const struct imp *value = lanes_vector(&l, store->arg[1], from, t->width);
        if (store->op == OP_MIN || store->op == OP_MAX)
            value = imp_let(&t->b, vector_var(t->z, "next", value->type, t->width), value);
        imp_add(&t->b, imp_assign(cx, t->vector[u], store->op, value));
    }
    return imp_end(&t->b);
}

/* The row loop that every iteration of this loop runs; NULL: there is none, or more than one. */
static const struct imp *only_row(const struct tiler *t, const struct imp *loop)
{
    const struct imp *body = loop->arg[2], *row = NULL;
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
    const struct imp *fetch =
        row ? vectorize_ahead(t->z, &around, row, t->at, t->vectors * t->width) : NULL;
    if (!fetch)
        return copy;
    imp_begin(&t->b);
    for (int i = 0; i < body_count(copy->arg[2]); i++)
        imp_add(&t->b, body_at(copy->arg[2], i));
    for (int i = 0; i < fetch->args; i++)
        imp_add(&t->b, fetch->arg[i]);
    const struct imp *arg[] = {copy->arg[0], copy->arg[1], imp_end(&t->b)};
    return vectorize_behind(t->z, &around, imp_with_args(cx, copy, arg));
}

/* The nest with its row loops on vectors, or, if there are none, beginning at the tile. */
static const struct imp *rewritten(struct tiler *t, const struct imp *imp)
{
    const struct imp **arg = arena_array(t->z->cx->arena, const struct imp *, imp->args);
    bool row = imp->kind == IMP_FOR && is_row_loop(t, imp);
    if (row && t->vectors)
        return row_in_vectors(t, imp);
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_is_expression(imp->arg[i]) ? imp->arg[i] : rewritten(t, imp->arg[i]);
    if (row)
        arg[0] = imp_cast(t->z->cx, imp->var->type, t->at);
    const struct imp *copy = imp_with_args(t->z->cx, imp, arg);
    copy = imp->kind == IMP_FOR && t->vectors > 1 ? with_prefetches(t, imp, copy) : copy;
    return copy;
}

static const struct imp *tile(struct tiler *t, const struct imp *at, int vectors)
{
    struct context *cx = t->z->cx;
    const struct imp_var *array = t->row.array;
    const struct imp *position[VECTOR_MOST];
    struct lanes l = {.cx = cx, .var = t->row.var, .body = imp_block(cx, NULL, 0)};
    t->at = at;
    t->vectors = vectors;
    imp_begin(&t->b);
    for (int u = 0; u < vectors; u++) {
        position[u] =
            lanes_position(&l, t->row.position, (struct lanes_place){at, (int64_t)u * t->width});
        t->vector[u] = vector_var(t->z, array->name, array->type, t->width);
        imp_let(&t->b, t->vector[u],
                t->start ? imp_broadcast(cx, t->start, t->width)
                         : imp_load_lanes(cx, array, position[u], t->width));
    }
    imp_add(&t->b, rewritten(t, t->nest));
    for (int u = 0; u < vectors; u++)
        imp_add(&t->b, imp_store(cx, array, position[u], OP_NONE, imp_read(cx, t->vector[u])));
    return imp_end(&t->b);
}

/* The columns from `at` on, without tiles. */
static const struct imp *rest(struct tiler *t, const struct imp *at)
{
    struct context *cx = t->z->cx;
    t->at = at;
    t->vectors = 0;
    imp_begin(&t->b);
    if (t->start)
        imp_add(&t->b, imp_for(cx, t->row.var, at, t->row.end, 1,
                               imp_store(cx, t->row.array, t->row.position, OP_NONE, t->start)));
    imp_add(&t->b, rewritten(t, t->nest));
    return imp_end(&t->b);
}

/* Tiles of so many vectors as long as there are columns for them. */
static void tiles_while(struct tiler *t, struct imp_var *var, int vectors)
{
    struct context *cx = t->z->cx;
    int64_t lanes = (int64_t)vectors * t->width;
    const struct imp *at = imp_read(cx, var), *last = lanes_plus(cx, t->row.end, 1 - lanes);
    imp_begin(&t->b);
    imp_add(&t->b, tile(t, at, vectors));
    imp_add(&t->b, imp_assign(cx, var, OP_ADD, imp_int(cx, var->type, lanes)));
    const struct imp *body = imp_end(&t->b);
    imp_add(&t->b, imp_while(cx, imp_op2(cx, OP_LT, at, last), body));
}

static void unknown_extent(struct tiler *t)
{
    struct context *cx = t->z->cx;
    int64_t most = t->row.loop->mark->most, lanes = (int64_t)t->most * t->width;
    struct imp_var *var = vector_var(t->z, t->row.var->name, t->row.var->type, 1);
    const struct imp *at = imp_let(&t->b, var, t->row.begin);
    if (!most || most >= lanes)
        tiles_while(t, var, t->most);
    if (!vector_is_multiple(t->row.loop, lanes))
        tiles_while(t, var, 1);
    if (!vector_is_multiple(t->row.loop, t->width))
        imp_add(&t->b, imp_if(cx, imp_op2(cx, OP_LT, at, t->row.end), rest(t, at), NULL));
}

static void known_extent(struct tiler *t, int64_t begin, int64_t end)
{
    struct context *cx = t->z->cx;
    enum type type = t->row.var->type;
    int64_t lanes = (int64_t)t->most * t->width, after = begin + (end - begin) / lanes * lanes;
    int vectors = (int)((end - after) / t->width);
    if (after == begin + lanes) {
        imp_add(&t->b, tile(t, imp_int(cx, type, begin), t->most));
    } else if (after > begin) {
        struct imp_var *var = vector_var(t->z, t->row.var->name, type, 1);
        imp_add(&t->b, imp_for(cx, var, imp_int(cx, type, begin), imp_int(cx, type, after), lanes,
                               tile(t, imp_read(cx, var), t->most)));
    }
    if (vectors > 0)
        imp_add(&t->b, tile(t, imp_int(cx, type, after), vectors));
    after += (int64_t)vectors * t->width;
    if (after < end)
        imp_add(&t->b, rest(t, imp_int(cx, type, after)));
}

/* A nest that does not run at all does not touch the row, which then may not even be there. */
static const struct imp *entry(struct tiler *t)
{
    const struct imp *nest = t->nest;
    return nest->kind == IMP_WHILE ? nest->arg[0]
                                   : imp_op2(t->z->cx, OP_LT, nest->arg[0], nest->arg[1]);
}

const struct imp *vectorize_row(struct vectorizer *z, const struct imp *nest,
                                const struct imp *start)
{
    struct tiler t = {.z = z, .b = {.cx = z->cx}, .nest = nest, .start = start};
    if (!measure(&t))
        return NULL;
    const struct imp *begin = t.row.begin, *end = t.row.end;
    bool known = begin->kind == IMP_LITERAL && end->kind == IMP_LITERAL;
    if (known && end->value.i - begin->value.i < t.width)
        return NULL;
    imp_begin(&t.b);
    if (known)
        known_extent(&t, begin->value.i, end->value.i);
    else
        unknown_extent(&t);
    const struct imp *block = imp_end(&t.b);
    return start ? block : imp_if(z->cx, entry(&t), block, NULL);
}

/* ---- short loops that store ---- */

/* A vector has this compound assignment. */
static bool combines(enum op op, enum type type)
{
    if (type == TYPE_BOOL || type_is_complex(type))
        return false;
    bool minmax = op == OP_MIN || op == OP_MAX;
    return op == OP_NONE || op == OP_SUB || (op == OP_DIV && type_is_float(type))
           || (lanes_reduce_by(op, type) && !minmax);
}

static bool is_elementwise(const struct lanes *l, struct lanes_need *need)
{
    int stores = 0;
    for (int i = 0; i < body_count(l->body); i++) {
        const struct imp *at = body_at(l->body, i);
        if (at->kind == IMP_DECLARE && at->args && at->var->lanes == 1)
            continue;
        if (at->kind != IMP_STORE || !combines(at->op, at->var->type)
            || !lanes_is_contiguous(l, at->arg[0]) || !lanes_measure(l, at->arg[1], need))
            return false;
        stores++;
    }
    return stores > 0;
}

/* The loop's stores in vectors, where its variable is at `at`. */
static const struct imp *stores_at(const struct lanes *l, const struct imp *at, int width)
{
    struct imp_builder b = {.cx = l->cx};
    imp_begin(&b);
    for (int i = 0; i < body_count(l->body); i++) {
        const struct imp *store = body_at(l->body, i);
        if (store->kind != IMP_STORE)
            continue;
        const struct imp *value =
            lanes_vector(l, store->arg[1], (struct lanes_place){at, 0}, width);
        const struct imp *position = lanes_scalar(l, store->arg[0], at);
        imp_add(&b, imp_store(l->cx, store->var, position, store->op, value));
    }
    return imp_end(&b);
}

/* Where the whole vectors of a loop end that begins here; an expression for a loop's bound. */
static const struct imp *whole_vectors(struct vectorizer *z, struct imp_builder *b,
                                       const struct imp *loop, const struct imp *begin, int width)
{
    struct context *cx = z->cx;
    const struct imp *end = imp_cast(cx, begin->type, loop->arg[1]),
                     *n = imp_int(cx, begin->type, width);
    const struct imp *vectors = imp_op2(cx, OP_DIV, imp_op2(cx, OP_SUB, end, begin), n);
    const struct imp *middle = imp_op2(cx, OP_ADD, begin, imp_op2(cx, OP_MUL, vectors, n));
    middle = imp_fold(cx, middle);
    const char *name = arena_printf(cx->arena, "%s_middle", loop->var->name);
    return middle->kind == IMP_LITERAL ? middle
                                       : imp_let(b, vector_var(z, name, begin->type, 1), middle);
}

/* What is left to do of what is asked of a loop over vectors. */
static const struct imp_mark *unrolled(struct vectorizer *z, const struct imp *loop)
{
    struct imp_asked *asked = arena_copy(z->cx->arena, loop->mark->asked, sizeof *asked);
    struct imp_mark *mark = arena_make(z->cx->arena, struct imp_mark);
    asked->vectors = false;
    *mark = (struct imp_mark){.iterations = ITERATIONS_APART, .asked = asked};
    return mark;
}

const struct imp *vectorize_short(struct vectorizer *z, const struct imp *loop)
{
    struct lanes l = {.cx = z->cx, .var = loop->var, .body = loop->arg[2]};
    struct imp_builder b = {.cx = z->cx};
    struct lanes_need need = {0};
    const struct imp *begin = loop->arg[0], *end = loop->arg[1];
    bool known = begin->kind == IMP_LITERAL && end->kind == IMP_LITERAL,
         asked = vector_is_asked(loop);
    if (!imp_is_pure(loop) || !lanes_is_counted(loop) || !is_elementwise(&l, &need))
        return NULL;
    int width = vector_width(z, need.bytes);
    int64_t n = known ? end->value.i - begin->value.i : width;
    if (n < width || !lanes_is_short(&need, 1, width)
        || (!asked && (!known || n > SHORT || need.gathered)))
        return NULL;
    imp_begin(&b);
    const struct imp *at = imp_read(z->cx, loop->var), *middle = end;
    if (begin->kind != IMP_LITERAL)
        begin = imp_let(&b, vector_var(z, "begin", loop->var->type, 1), begin);
    if (!vector_is_multiple(loop, width))
        middle = whole_vectors(z, &b, loop, begin, width);
    const struct imp *vectors =
        imp_for(z->cx, loop->var, begin, middle, width, stores_at(&l, at, width));
    imp_add(&b, vector_factor(loop) ? imp_marked(z->cx, vectors, unrolled(z, loop)) : vectors);
    if (middle != end)
        imp_add(&b, imp_for(z->cx, loop->var, middle, end, 1, l.body));
    return imp_end(&b);
}
