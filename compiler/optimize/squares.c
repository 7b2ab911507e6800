/* squares.c - nests whose accesses are contiguous along different loops, in squares of lanes.
 *
 *     for (j ...) for (i ...) A[j*M + i] = B[i*N + j];
 *
 * stores side by side along i, and reads side by side along j: whichever loop is inside, one of the
 * arrays is gone through in strides.  Taken in squares of as many iterations of each loop as a
 * vector has lanes, what is read along j is loaded in vectors, one for each i, and made into
 * vectors along i by shuffles:
 *
 *     for (j ...; j += 4) for (i ...; i += 4) {
 *         b0 = B[i*N + j .. +4];  ...  b3 = B[(i + 3)*N + j .. +4];
 *         b0, b1, b2, b3 = the square of b0, b1, b2, b3 the other way round
 *         A[j*M + i .. +4] = b0;  ...  A[(j + 3)*M + i .. +4] = b3;
 *     }
 *
 * What else the statement reads is read along i, as loop_lanes.c reads it: so in A(i,j) = B(i,j) +
 * C(j,i) only C goes through squares.
 *
 * A square of lanes is turned in two ways (Eklundh 1972): pieces of 16 bytes, within which
 * processors interleave two vectors by one instruction, by interleaving them; what these make, by
 * exchanging pieces.
 *
 * Where what is stored was not there before, the last squares of a loop end where the loop does,
 * and have elements that others have as well.  Elsewhere the iterations that are left are single.
 *
 * What need not stay in the caches is stored in whole lines, by way of a buffer
 * (squares_stream.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/squares.h"
#include "compiler/optimize/simplify.h"

/* Bytes within which lanes are interleaved. */
enum { PIECE_BYTES = 16 };

/* ---- is it such a nest? ---- */

static bool is_plain_loop(const struct imp *loop)
{
    return lanes_is_counted(loop) && loop->mark && loop->mark->iterations == ITERATIONS_APART
           && !loop->mark->asked && declares_first(loop->arg[2]);
}

/* Returns the declarations of both bodies, and the store. */
static const struct imp *flat_body(struct context *cx, const struct imp *outer,
                                   const struct imp *inner)
{
    struct imp_builder b = {.cx = cx};
    imp_begin(&b);
    for (int i = 0; i + 1 < body_count(outer->arg[2]); i++)
        imp_add(&b, body_at(outer->arg[2], i));
    imp_add_all(&b, inner->arg[2]);
    return imp_end(&b);
}

/* Finds the loop along which the store is contiguous, and the other one.  False if there is no such
 * loop. */
static bool take_sides(struct squares *s)
{
    const struct imp *body = flat_body(s->z->cx, s->outer, s->inner), *at = s->store->arg[0];
    const struct imp *side[] = {s->inner, s->outer};
    for (int i = 0; i < 2 && !s->x.loop; i++) {
        if (imp_stride(body, side[i]->var, at) != 1)
            continue;
        s->x.loop = side[i];
        s->y.loop = side[1 - i];
    }
    if (!s->x.loop)
        return false;
    s->along_x = (struct lanes){.cx = s->z->cx, .var = s->x.loop->var, .body = body};
    s->along_y = (struct lanes){.cx = s->z->cx, .var = s->y.loop->var, .body = body};
    return lanes_vary(&s->along_y, at);
}

/* Returns the value with a load that is contiguous along x in place of this turned one: both have
 * the same lanes. */
static const struct imp *as_row(struct squares *s, const struct imp *value, const struct imp *load)
{
    struct context *cx = s->z->cx;
    return imp_replaced(cx, value, load, imp_load(cx, load->var, imp_read(cx, s->x.loop->var)));
}

static bool is_turned(const struct imp *load, void *data)
{
    const struct squares *s = data;
    return load->kind == IMP_LOAD && load->type != TYPE_BOOL && !type_is_complex(load->type)
           && load->var->constant && lanes_vary(&s->along_x, load->arg[0])
           && !lanes_is_contiguous(&s->along_x, load->arg[0])
           && lanes_is_contiguous(&s->along_y, load->arg[0]);
}

/* Finds the loads that are turned.  False if there are too many. */
static bool take_turned(struct squares *s, const struct imp *e)
{
    bool known = false;
    if (is_turned(e, s)) {
        for (int i = 0; i < s->turns && !known; i++)
            known = imp_equal(s->turned[i].load, e);
        if (!known && s->turns == SQUARES_TURNED)
            return false;
        if (!known)
            s->turned[s->turns++].load = e;
        return true;
    }
    for (int i = 0; i < e->args; i++)
        if (!take_turned(s, e->arg[i]))
            return false;
    return true;
}

/* As many lanes as the largest elements allow, and as the loops have iterations; 1: it has none. */
static int choose_width(const struct squares *s, struct lanes_need *need)
{
    const int64_t x = vector_most(s->x.loop), y = vector_most(s->y.loop);
    const int bytes = (int)s->z->target->vector_bytes;
    int width = (bytes < TARGET_SQUARE_BYTES ? bytes : TARGET_SQUARE_BYTES) / need->bytes;
    if (width > SQUARES_LANES / 2 && need->bytes > 1)
        width = SQUARES_LANES / 2;
    width = width > SQUARES_LANES ? SQUARES_LANES : width;
    while (width > 1 && ((x >= 0 && x < width) || (y >= 0 && y < width)))
        width /= 2;
    return width;
}

/* Takes the value, of both loops' variables and of the values outside of them, and its vectors. */
static bool take_value(struct squares *s)
{
    struct lanes_need need = {.bytes = (int)type_size(s->store->var->type)};
    const struct imp *value =
        lanes_scalar(&s->along_x, s->store->arg[1], imp_read(s->z->cx, s->x.loop->var));
    s->value = value;
    if (!vector_assigns(s->store->op, s->store->var->type) || !take_turned(s, value)
        || s->turns == 0)
        return false;
    for (int i = 0; i < s->turns; i++)
        value = as_row(s, value, s->turned[i].load);
    if (!lanes_measure(&s->along_x, value, &need) || need.gathered
        || !lanes_is_combined(&s->along_x, s->store->op, value))
        return false;
    s->width = choose_width(s, &need);
    return s->width > 1;
}

static bool is_nest(struct squares *s)
{
    const struct imp *outer = s->outer, *inner = body_last(outer->arg[2]);
    s->inner = inner;
    if (!is_plain_loop(outer) || !imp_is_pure(outer) || inner->kind != IMP_FOR
        || !is_plain_loop(inner) || !imp_is_fixed(outer, inner->arg[0])
        || !imp_is_fixed(outer, inner->arg[1]))
        return false;
    s->store = body_last(inner->arg[2]);
    return s->store->kind == IMP_STORE && imp_uses(outer, s->store->var) == 1 && take_sides(s)
           && take_value(s);
}

/* ---- a square ---- */

const struct imp *squares_at(const struct squares *s, const struct imp *e, const struct imp *x,
                             const struct imp *y)
{
    struct lanes none = lanes_free(s->z->cx, s->y.loop->var);
    return lanes_scalar(&none, lanes_scalar(&s->along_x, e, x), y);
}

/* Returns the lane, of two vectors, that is lane l when their pieces are interleaved: of the first
 * halves of their pieces, or of the second ones. */
static int interleaved(int l, int piece, int width, int half)
{
    const int within = l % piece, from = l - within + half * (piece / 2) + within / 2;
    return within % 2 * width + from;
}

/* Returns the lane, of two vectors, that is lane l when pieces of this many lanes are exchanged: of
 * the first of both vectors' pairs, or of the second ones. */
static int exchanged(int l, int piece, int width, int half)
{
    const bool second = l / piece % 2;
    return (second ? width : 0) + l + (second ? 0 : piece) * half - (second ? piece : 0) * !half;
}

/* Makes two vectors of the lanes of a and b. */
static void shuffle_pair(struct squares *s, const struct turned *t, int step, int piece,
                         const struct imp *a, const struct imp *b, const struct imp **made)
{
    for (int half = 0; half < 2; half++) {
        int lane[SQUARES_LANES];
        for (int l = 0; l < s->width; l++)
            lane[l] =
                step ? exchanged(l, step, s->width, half) : interleaved(l, piece, s->width, half);
        struct imp_var *var = vector_var(s->z, imp_stem(t->load->var), t->load->type, s->width);
        made[half] = imp_let(&s->b, var, imp_shuffle(s->z->cx, a, b, lane, s->width));
    }
}

/* Turns the square of these vectors. */
static void turn(struct squares *s, struct turned *t)
{
    const struct imp **v = t->vector, *made[SQUARES_LANES];
    const int width = s->width, bytes = (int)type_size(t->load->type);
    const int piece = width * bytes < PIECE_BYTES ? width : PIECE_BYTES / bytes;
    for (int n = 1; n < piece; n *= 2) {
        for (int r = 0; r < width; r++) {
            const int first = r % piece;
            if (first < piece / 2)
                shuffle_pair(s, t, 0, piece, v[r], v[r + piece / 2], &made[r + first]);
        }
        memcpy(v, made, (size_t)width * sizeof *v);
    }
    for (int step = piece; step < width; step *= 2) {
        for (int r = 0; r < width; r++) {
            const struct imp *pair[2];
            if (r / step % 2)
                continue;
            shuffle_pair(s, t, step, 0, v[r], v[r + step], pair);
            v[r] = pair[0];
            v[r + step] = pair[1];
        }
    }
}

/* Adds the vectors along x. */
static void load_turned(struct squares *s, struct turned *t)
{
    struct context *cx = s->z->cx;
    for (int k = 0; k < s->width; k++) {
        const struct imp *at = squares_at(s, t->load->arg[0], lanes_plus(cx, s->x.at, k), s->y.at);
        struct imp_var *var = vector_var(s->z, imp_stem(t->load->var), t->load->type, s->width);
        t->vector[k] = imp_let(&s->b, var, imp_load_lanes(cx, t->load->var, at, s->width));
    }
    turn(s, t);
}

/* Returns the vector of e along x in the k-th row of the square. */
static const struct imp *vector_of(struct squares *s, const struct imp *e, int k)
{
    struct context *cx = s->z->cx;
    if (!imp_any(e, is_turned, s)) {
        const struct imp *row =
            squares_at(s, e, imp_read(cx, s->x.loop->var), lanes_plus(cx, s->y.at, k));
        return lanes_vector(&s->along_x, row, (struct lanes_place){s->x.at, 0}, s->width);
    }
    for (int i = 0; i < s->turns; i++)
        if (imp_equal(s->turned[i].load, e))
            return s->turned[i].vector[k];
    const struct imp *arg[3];
    for (int i = 0; i < e->args; i++)
        arg[i] = vector_of(s, e->arg[i], k);
    return lanes_node(cx, e, arg);
}

/* Asks for the lines that the square behind the next one has. */
static void fetch_ahead(struct squares *s)
{
    struct context *cx = s->z->cx;
    for (int i = 0; i < s->turns; i++)
        for (int k = 0; k < s->width; k++) {
            const struct imp *load = s->turned[i].load,
                             *x = lanes_plus(cx, s->x.at, 2 * (int64_t)s->width + k);
            imp_add(&s->b, imp_prefetch(cx, load->var, squares_at(s, load->arg[0], x, s->y.at)));
        }
}

/* Adds a square. */
static void add_square(struct squares *s)
{
    struct context *cx = s->z->cx;
    if (s->fetches)
        fetch_ahead(s);
    for (int i = 0; i < s->turns; i++)
        load_turned(s, &s->turned[i]);
    for (int k = 0; k < s->width; k++) {
        const struct imp *at = squares_at(s, s->store->arg[0], s->x.at, lanes_plus(cx, s->y.at, k));
        imp_add(&s->b, imp_store(cx, s->store->var, at, s->store->op, vector_of(s, s->value, k)));
    }
}

/* ---- the loops around ---- */

/* Finds where the side's loop begins and ends. */
static void take_bounds(struct squares *s, struct side *side)
{
    side->begin = side->loop->arg[0];
    side->end = imp_cast(s->z->cx, side->loop->var->type, vector_end(s->z, &s->b, side->loop));
    side->whole = vector_is_multiple(side->loop, s->width);
}

/* Opens a loop over the side's squares, where they begin; `clamps`: the last one ends at the end.
 * Where the loop may be as long as its variable counts, a step beyond it needs more bits. */
static struct imp_var *open_side(struct squares *s, struct side *side, const struct imp *end,
                                 bool clamps)
{
    struct context *cx = s->z->cx;
    const struct imp_var *of = side->loop->var;
    const bool is_long = clamps && vector_most(side->loop) < 0;
    struct imp_var *var = vector_var(s->z, of->name, is_long ? TYPE_I64 : of->type, 1);
    var->base_name = imp_stem(of);
    imp_begin(&s->b);
    side->at = imp_read(cx, var);
    if (clamps) {
        const char *at = arena_printf(cx->arena, "%s_at", imp_stem(of));
        const struct imp *last = imp_cast(cx, var->type, lanes_plus(cx, end, -s->width));
        side->at = imp_let(&s->b, vector_var(s->z, at, of->type, 1),
                           imp_cast(cx, of->type, imp_op2(cx, OP_MIN, side->at, last)));
    }
    return var;
}

void squares_loops(struct squares *s, const struct imp *y_end, const struct imp *x_end, bool last)
{
    struct context *cx = s->z->cx;
    const bool swapped = s->x.loop == s->outer;
    struct side *side[] = {swapped ? &s->x : &s->y, swapped ? &s->y : &s->x};
    const struct imp *end[] = {swapped ? x_end : y_end, swapped ? y_end : x_end};
    struct imp_var *var[2];
    for (int i = 0; i < 2; i++)
        var[i] = open_side(s, side[i], end[i], last && !side[i]->whole);
    add_square(s);
    for (int i = 1; i >= 0; i--) {
        const struct imp *body = imp_end(&s->b),
                         *begin = imp_cast(cx, var[i]->type, side[i]->begin);
        imp_add(&s->b,
                imp_for(cx, var[i], begin, imp_cast(cx, var[i]->type, end[i]), s->width, body));
    }
}

/* Do the loops have room for a square?  NULL if they certainly have. */
static const struct imp *has_room(const struct squares *s)
{
    const struct imp *room = NULL;
    for (int i = 0; i < 2; i++) {
        const struct side *side = i ? &s->x : &s->y;
        const int64_t known = vector_extent(side->loop);
        if (known < s->width)
            room = imp_both(
                s->z->cx, room,
                imp_op2(s->z->cx, OP_LE, lanes_plus(s->z->cx, side->begin, s->width), side->end));
    }
    return room;
}

/* Returns the given nest between these bounds. */
static const struct imp *single(const struct squares *s, const struct imp *const *y,
                                const struct imp *const *x)
{
    struct context *cx = s->z->cx;
    const bool swapped = s->x.loop == s->outer;
    const struct imp *const *outer = swapped ? x : y, *const *inner = swapped ? y : x;
    const struct imp *rows = imp_between(cx, s->inner, inner[0], inner[1]),
                     *all = imp_between(cx, s->outer, outer[0], outer[1]);
    return imp_around(cx, all, with_last(cx, all->arg[2], rows));
}

/* Squares that have the last elements twice, or, where a loop is too short, single iterations. */
static void overlapping(struct squares *s)
{
    const struct imp *room = has_room(s);
    imp_begin(&s->b);
    if (squares_may_stream(s))
        squares_stream(s);
    else
        squares_loops(s, s->y.end, s->x.end, true);
    const struct imp *squares = imp_end(&s->b);
    if (room)
        imp_add(&s->b, imp_if(s->z->cx, room, squares, s->outer));
    else
        imp_add_all(&s->b, squares);
}

/* Squares, and what is left of the one loop beside them, and of the other. */
static void with_rest(struct squares *s)
{
    const struct imp *middle[2];
    for (int i = 0; i < 2; i++) {
        const struct side *side = i ? &s->x : &s->y;
        middle[i] = side->whole
                        ? side->end
                        : vector_whole(s->z, &s->b, side->loop, side->begin, side->end, s->width);
    }
    squares_loops(s, middle[0], middle[1], false);
    if (!s->x.whole)
        imp_add(&s->b, single(s, (const struct imp *const[]){s->y.begin, middle[0]},
                              (const struct imp *const[]){middle[1], s->x.end}));
    if (!s->y.whole)
        imp_add(&s->b, single(s, (const struct imp *const[]){middle[0], s->y.end},
                              (const struct imp *const[]){s->x.begin, s->x.end}));
}

static const struct imp *in_squares(struct vectorizer *z, const struct imp *nest)
{
    struct squares s = {.z = z, .b = {.cx = z->cx}, .outer = nest};
    if (!is_nest(&s))
        return NULL;
    imp_begin(&s.b);
    take_bounds(&s, &s.y);
    take_bounds(&s, &s.x);
    if (s.store->op == OP_NONE)
        overlapping(&s);
    else
        with_rest(&s);
    return imp_end(&s.b);
}

const struct imp *vectorize_squares(struct vectorizer *z, const struct imp *nest)
{
    return nest->kind == IMP_FOR && is_plain_loop(nest) ? in_squares(z, nest) : NULL;
}
