/* loop_lanes.c - innermost loops that reduce into scalars, or store, in lanes.
 *
 *     for (p = begin; p < end; p++) { j = crd[p]; t += a[p] * x[j]; }
 *
 * becomes, when four lanes fit,
 *
 *     p = begin;
 *     if (p < end - 3) {
 *         v = {0};
 *         for (; p < end - 3; p += 4)
 *             v += a[p .. +4] * {x[crd[p]], x[crd[p + 1]], x[crd[p + 2]], x[crd[p + 3]]};
 *         t += (v[0] + v[1]) + (v[2] + v[3]);
 *     }
 *     for (; p < end; p++) { ... }
 *
 * Segments may be shorter than a vector: those are not to pay for one.  Loops that gather keep
 * vectors short, because the rows of sparse matrices are; the others keep several vectors of full
 * length, because one addition must otherwise wait for the one before it.  What multiplies all that
 * they add multiplies their sum, once (lane_reduce.c).  Around such a loop may be one over stored
 * coordinates: what its later iterations will read is asked for (prefetch.c).
 *
 * A loop around that only adds to t, too, keeps the vectors over its iterations: they are declared
 * in front of it, and their lanes added up behind it, once.
 *
 * Where it does no harm to combine with an element twice, as with a minimum, the vectors are these,
 * and only segments that are shorter than one are left for the second loop:
 *
 *         v = a[end - 4 .. +4];
 *         for (; p < end - 4; p += 4) v = min(v, a[p .. +4]);
 *
 * Elements that the loop stores side by side are vectors; those at stored coordinates, an element
 * of its own each time, are read into lanes, combined, and stored one by one:
 *
 *     for (p = begin; p < end; p++) { j = crd[p]; y[j] += a[p] * x; }
 *
 *     for (; p < end - 3; p += 4) {
 *         to0 = crd[p];  ...  to3 = crd[p + 3];
 *         here = {y[to0], y[to1], y[to2], y[to3]} + a[p .. +4] * x;
 *         y[to0] = here[0];  ...  y[to3] = here[3];
 *     }
 *
 * C compilers have to store one element before they read the next, for all that they know of
 * coordinates, and a processor waits where it takes them for the same: rows of a band are added to
 * what the row before has just stored.  Of a loop that only stores side by side, C compilers find
 * vectors themselves, but unroll one of few iterations before they look.
 *
 * What need not stay in the caches is stored in whole lines past them; what comes before the first
 * and behind the last one, as before:
 *
 *     p = begin;
 *     for (; p < (where the next line begins, or end); p++) y[p] = a[p];
 *     for (; p < end - 7; p += 8) { stream y[p .. +4] = a[p .. +4]; stream y[p + 4 .. +4] = ... }
 *     for (; p < end; p++) y[p] = a[p];
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/stream.h"
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* PIECES: of a body.  SHORT: iterations up to which C compilers unroll a loop rather than vectorize
 * it. */
enum { PIECES = TARGET_REGISTERS_MOST, SHORT = 512 };

/* Lines of a loop that are worth the elements that are none. */
enum { LINES_LEAST = 16 };

/* One `t op= value` of the loop, and the vectors that stand for t, or one `y[...] op= value`.  What
 * multiplies all that is added to t multiplies their sum: `kept`, or NULL. */
struct piece {
    const struct imp *at, *value, *kept;
    bool scattered;       /* a store, not side by side */
    struct ahead *around; /* the loop that keeps the vectors; NULL: they are made anew */
    struct imp_var *vector[VECTOR_UNROLL_MOST];
};

struct stepper {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *loop;
    struct lanes lanes;
    struct lanes_need need;
    struct piece piece[PIECES];
    int pieces, sums;
    bool scatters;
    int width, unroll;          /* lanes a vector, vectors a piece */
    bool whole;                 /* Such steps have all iterations. */
    bool streams;               /* Each step is a line that is stored past the caches. */
    bool overlaps;              /* Vectors may have elements that others have. */
    const struct imp *at, *end; /* the loop's variable and end, as expressions */
};

static bool is_sum(const struct piece *piece) { return piece->at->kind == IMP_ASSIGN; }

/* ---- does each statement have lanes? ---- */

/* Is it `t op= value`, with t from outside? */
static bool take_sum(struct stepper *s, const struct imp *assign)
{
    s->sums++;
    return s->loop->mark->iterations == ITERATIONS_REDUCE && assign->op != OP_NONE
           && reduces_by(assign->op, assign->var->type) && assign->var->lanes == 1
           && !imp_declares_inside(s->lanes.body, assign->var)
           && imp_uses(s->loop, assign->var) == 1
           && lanes_is_combined(&s->lanes, assign->op, assign->arg[0]);
}

/* Is it a store to elements that no other iteration has?  They are apart, or side by side, and
 * nothing else uses the array. */
static bool take_store(struct stepper *s, struct piece *piece)
{
    const struct lanes *l = &s->lanes;
    const struct imp *store = piece->at;
    enum type type = store->var->type;
    bool apart = s->loop->mark->iterations == ITERATIONS_APART,
         alone = imp_uses(s->loop, store->var) == 1;
    piece->scattered = !lanes_is_contiguous(l, store->arg[0]);
    if (!piece->scattered)
        return (apart || alone) && vector_assigns(store->op, type);
    s->scatters = true;
    s->need.bytes = (int)type_size(type) > s->need.bytes ? (int)type_size(type) : s->need.bytes;
    return apart && alone && store->op != OP_NONE && reduces_by(store->op, type)
           && lanes_vary(l, store->arg[0]) && lanes_is_combined(l, store->op, store->arg[1]);
}

/* Is every statement a declaration, or a piece? */
static bool fits(struct stepper *s)
{
    if (!s->loop->mark || s->loop->mark->iterations == ITERATIONS_IN_ORDER
        || !lanes_is_counted(s->loop) || !imp_is_pure(s->loop))
        return false;
    for (int i = 0; i < body_count(s->lanes.body); i++) {
        const struct imp *at = body_at(s->lanes.body, i);
        if (imp_defines(at) && !at->var->array && at->var->lanes == 1)
            continue;
        if ((at->kind != IMP_ASSIGN && at->kind != IMP_STORE)
            || s->pieces == s->z->target->registers)
            return false;
        struct piece *piece = &s->piece[s->pieces++];
        *piece = (struct piece){.at = at, .value = at->arg[at->args - 1]};
        if (!(is_sum(piece) ? take_sum(s, at) : take_store(s, piece))
            || !lanes_measure(&s->lanes, piece->value, &s->need))
            return false;
    }
    return s->pieces > 0;
}

/* ---- how many lanes? ---- */

/* Do C compilers do worse? */
static bool is_worth(const struct stepper *s)
{
    int64_t n = vector_extent(s->loop);
    bool asked = vector_is_asked(s->loop), few = n >= 0 && n <= SHORT;
    return s->sums > 0 || (s->scatters ? !vector_factor(s->loop) : asked)
           || (!s->scatters && few && !s->need.gathered);
}

static int lanes_of(const struct stepper *s)
{
    const struct target *target = s->z->target;
    int width = vector_width(s->z, s->need.bytes), gathered = (int)target->gather_bytes;
    if (s->need.gathered && width > gathered / s->need.bytes)
        width = gathered / s->need.bytes;
    return s->scatters && width > target->scatter_lanes ? (int)target->scatter_lanes : width;
}

/* Is it a store of many lines that need not stay in the caches, computed in vectors?  Then a step
 * is one line. */
static bool choose_line(struct stepper *s)
{
    const struct piece *piece = &s->piece[0];
    const int64_t n = vector_most(s->loop);
    if (s->pieces > 1 || is_sum(piece) || piece->scattered || !piece->at->n || s->need.gathered
        || vector_factor(s->loop))
        return false;
    const int64_t size = (int64_t)type_size(piece->at->var->type), line = s->z->target->line / size;
    s->width = lanes_of(s);
    s->unroll = s->width > 1 ? (int)(line / s->width) : 0;
    return s->unroll > 0 && s->unroll <= VECTOR_UNROLL_MOST && s->width * size >= IMP_STREAM_LEAST
           && (n < 0 || n >= LINES_LEAST * line);
}

/* Chooses width and unroll.  False if vectors are not worth it. */
static bool choose_width(struct stepper *s, int vectors)
{
    const int64_t n = vector_most(s->loop);
    const int factor = vector_factor(s->loop);
    s->streams = choose_line(s);
    if (s->streams)
        return true;
    s->width = lanes_of(s);
    s->unroll = factor                                                         ? factor
                : s->need.gathered || vectors < s->sums || s->sums < s->pieces ? 1
                                                                               : vectors / s->sums;
    if (!is_worth(s) || s->width < 2 || (n >= 0 && n < s->width)
        || !lanes_is_short(&s->need, 1, s->width))
        return false;
    while (s->unroll > 1
           && ((n >= 0 && n < s->unroll * s->width)
               || (!factor && !lanes_is_short(&s->need, s->unroll, s->width))))
        s->unroll /= 2;
    return true;
}

/* May an element be combined twice, and would some be left over otherwise? */
static bool may_overlap(const struct stepper *s)
{
    bool may = vector_extent(s->loop) < 0 && !vector_is_multiple(s->loop, s->width);
    for (int i = 0; i < s->pieces; i++)
        may &= is_sum(&s->piece[i]) && op_idempotent(s->piece[i].at->op);
    return may;
}

/* Takes the factor of all addends out of them. */
static void factor(struct stepper *s, struct piece *piece)
{
    const struct imp *assign = piece->at, *loop = s->loop;
    const struct imp *value = lanes_scalar(&s->lanes, piece->value, imp_read(s->b.cx, loop->var));
    struct factors f = factors_of(s->b.cx, loop, NULL, assign->var, value);
    if (reduces_with(assign->op) != OP_ADD || !f.kept || !f.rest)
        return;
    piece->value = f.rest;
    piece->kept = f.kept;
}

/* ---- loops around ---- */

struct additions {
    const struct imp *to; /* `t op= value` */
    int n;
};

static bool count_additions(const struct imp *imp, void *data)
{
    struct additions *a = data;
    a->n += imp->kind == IMP_ASSIGN && imp->var == a->to->var && imp->op != OP_NONE
            && reduces_with(imp->op) == reduces_with(a->to->op);
    return false;
}

/* Does the loop change the assignment's target only by adding to it? */
static bool only_adds(const struct imp *loop, const struct imp *assign)
{
    struct additions a = {.to = assign};
    imp_any(loop, count_additions, &a);
    return loop->mark && loop->mark->iterations == ITERATIONS_REDUCE && a.n > 0
           && imp_uses(loop, assign->var) == a.n;
}

/* Returns the outermost of the loops around that may keep the sum's vectors over its iterations. */
static struct ahead *keeper(const struct stepper *s, const struct piece *piece)
{
    struct ahead *keeps = NULL;
    if (s->overlaps || piece->kept || !is_sum(piece))
        return NULL;
    for (struct ahead *at = s->z->around; at && only_adds(at->loop, piece->at); at = at->outer)
        keeps = at;
    return keeps;
}

/* ---- pieces ---- */

static const struct imp *loop_end(const struct stepper *s)
{
    return imp_cast(s->b.cx, s->loop->var->type, s->end);
}

/* Returns the piece's values for the iterations from there on. */
static const struct imp *values_from(const struct stepper *s, const struct piece *piece,
                                     struct lanes_place from)
{
    return lanes_vector(&s->lanes, piece->value, from, s->width);
}

/* Returns the u-th vector's value before the loop.  Of vectors that overlap the first has the last
 * values. */
static const struct imp *first_of(const struct stepper *s, const struct piece *piece, int u)
{
    const enum type type = piece->at->var->type;
    if (!s->overlaps || u > 0)
        return reduces_from(s->b.cx, piece->at->op, type, s->width);
    struct lanes_place last = {lanes_plus(s->b.cx, loop_end(s), -s->width), 0};
    return imp_cast(s->b.cx, type, values_from(s, piece, last));
}

/* Declares the vectors [from, to) of each sum. */
static void declare_vectors(struct stepper *s, int from, int to)
{
    for (int i = 0; i < s->pieces; i++) {
        struct piece *piece = &s->piece[i];
        const struct imp_var *var = piece->at->var;
        imp_begin(&s->b);
        for (int u = from; u < to && is_sum(piece); u++) {
            piece->vector[u] = vector_var(s->z, var->name, var->type, s->width);
            imp_let(&s->b, piece->vector[u], first_of(s, piece, u));
        }
        const struct imp *declared = imp_end(&s->b);
        if (piece->around)
            vec_push(s->b.cx->arena, &piece->around->before, declared);
        else
            imp_add_all(&s->b, declared);
    }
}

/* Reads elements that are not side by side into lanes, combines them, and stores them one by one.
 */
static void add_scattered(struct stepper *s, const struct imp *store, struct lanes_place from,
                          const struct imp *value)
{
    struct context *cx = s->b.cx;
    const struct imp *to[TARGET_SCATTER_MOST], *lane[TARGET_SCATTER_MOST];
    for (int k = 0; k < s->width; k++) {
        const struct imp *place = lanes_plus(cx, from.at, from.n + k),
                         *position = lanes_scalar(&s->lanes, store->arg[0], place);
        to[k] = imp_let(&s->b, vector_var(s->z, "to", position->type, 1), position);
        lane[k] = imp_load(cx, store->var, to[k]);
    }
    struct imp_var *here = vector_var(s->z, "here", store->var->type, s->width);
    const struct imp *all = imp_let(&s->b, here, imp_lanes(cx, lane, s->width));
    vector_combine(s->z, &s->b, here, store->op, value);
    for (int k = 0; k < s->width; k++)
        imp_add(&s->b, imp_store(cx, store->var, to[k], OP_NONE, imp_lane(cx, all, k)));
}

static void add_store(struct stepper *s, const struct imp *at, const struct imp *position,
                      const struct imp *value)
{
    const struct imp *store = imp_store(s->b.cx, at->var, position, at->op, value);
    imp_add(&s->b, s->streams ? imp_streamed(s->b.cx, store) : store);
}

/* Adds the piece's work in the u-th vector of a step. */
static void add_lanes(struct stepper *s, const struct piece *piece, int u)
{
    const struct imp *at = piece->at;
    struct lanes_place from = {s->at, (int64_t)u * s->width};
    const struct imp *value = values_from(s, piece, from);
    if (is_sum(piece))
        vector_combine(s->z, &s->b, piece->vector[u], at->op, value);
    else if (piece->scattered)
        add_scattered(s, at, from, value);
    else
        add_store(s, at, lanes_position(&s->lanes, at->arg[0], from), value);
}

/* Makes a loop of `vectors` vectors a step, which runs as long as that many iterations are left,
 * or, where the last ones are in a vector already, longer. */
static void loop_of(struct stepper *s, int vectors)
{
    struct context *cx = s->b.cx;
    const struct imp *loop = s->loop;
    struct ahead *around = s->sums > 0 ? s->z->around : NULL;
    int64_t lanes = (int64_t)vectors * s->width;
    imp_begin(&s->b);
    for (int u = 0; u < vectors; u++)
        for (int i = 0; i < s->pieces; i++)
            add_lanes(s, &s->piece[i], u);
    const struct imp *fetch =
        around ? vectorize_row_ahead(s->z, around, loop, s->at, (int)lanes) : NULL;
    if (fetch)
        imp_add_all(&s->b, fetch);
    const struct imp *body = imp_end(&s->b);
    const struct imp *end = s->overlaps ? lanes_plus(cx, s->end, -1) : s->end;
    imp_add(&s->b, s->whole ? imp_for(cx, loop->var, loop->arg[0], end, lanes, body)
                            : vector_steps(cx, loop, end, lanes, body));
}

static void join_vectors(struct stepper *s, const struct piece *piece)
{
    enum op op = reduces_with(piece->at->op);
    for (int n = s->unroll, half; n > 1; n = half)
        for (int u = half = (n + 1) / 2; u < n; u++)
            imp_add(&s->b, imp_assign(s->b.cx, piece->vector[u - half], op,
                                      imp_read(s->b.cx, piece->vector[u])));
}

static void join_lanes(struct stepper *s, const struct piece *piece)
{
    enum op op = reduces_with(piece->at->op);
    const struct imp *value = vector_reduced(s->z, &s->b, piece->vector[0], op);
    value = factors_times(s->b.cx, piece->kept, value);
    imp_add(&s->b, imp_assign(s->b.cx, piece->at->var, op, value));
}

/* Adds steps of several vectors, and then of one. */
static void several(struct stepper *s)
{
    loop_of(s, s->unroll);
    for (int i = 0; i < s->pieces; i++)
        if (is_sum(&s->piece[i]) && !s->piece[i].around)
            join_vectors(s, &s->piece[i]);
}

/* Makes one value of each sum's vectors, behind the loop that keeps them. */
static void join_sums(struct stepper *s)
{
    for (int i = 0; i < s->pieces; i++) {
        struct piece *piece = &s->piece[i];
        imp_begin(&s->b);
        if (piece->around)
            join_vectors(s, piece);
        if (is_sum(piece))
            join_lanes(s, piece);
        const struct imp *joined = imp_end(&s->b);
        if (piece->around)
            vec_push(s->b.cx->arena, &piece->around->behind, joined);
        else
            imp_add_all(&s->b, joined);
    }
}

/* Makes the steps of several vectors conditional: to declare and join these takes as long as some
 * steps do, and a loop may be too short for one. */
static void several_if_left(struct stepper *s)
{
    int64_t more = (int64_t)s->unroll * s->width + s->overlaps;
    imp_begin(&s->b);
    declare_vectors(s, 1, s->unroll);
    several(s);
    const struct imp *steps = imp_end(&s->b);
    imp_add(&s->b, imp_if(s->b.cx, vector_is_left(s->b.cx, s->loop, s->end, more), steps, NULL));
}

/* Do vectors pay only from several steps on? */
static bool makes_vectors(const struct stepper *s)
{
    bool makes = false;
    for (int i = 0; i < s->pieces; i++)
        makes |= is_sum(&s->piece[i]) && !s->piece[i].around;
    return makes;
}

/* Returns the loop over all iterations that make whole vectors; where vectors overlap, over all
 * iterations. */
static const struct imp *in_vectors(struct stepper *s)
{
    int64_t n = vector_extent(s->loop);
    bool waits = n < 0 && s->unroll > 1 && !s->whole && makes_vectors(s);
    imp_begin(&s->b);
    declare_vectors(s, 0, waits ? 1 : s->unroll);
    if (waits)
        several_if_left(s);
    else
        several(s);
    if (s->unroll > 1 && !s->whole && (n < 0 || n % (s->unroll * s->width) >= s->width))
        loop_of(s, 1);
    if (s->overlaps)
        imp_add(&s->b, imp_assign(s->b.cx, s->loop->var, OP_NONE, loop_end(s)));
    join_sums(s);
    return imp_end(&s->b);
}

/* Adds the iterations up to where a line begins, one by one, and then line after line. */
static void add_lines(struct stepper *s)
{
    struct context *cx = s->b.cx;
    const struct imp *loop = s->loop, *store = s->piece[0].at,
                     *first = lanes_scalar(&s->lanes, store->arg[0], loop->arg[0]),
                     *before = imp_in_line(cx, store->var, first, s->z->target->line);
    const int64_t line = (int64_t)s->unroll * s->width;
    const char *name = arena_printf(cx->arena, "%s_line", imp_stem(loop->var));
    const struct imp *next =
        imp_op2(cx, OP_MOD, imp_op2(cx, OP_SUB, imp_int(cx, before->type, line), before),
                imp_int(cx, before->type, line));
    const struct imp *left = imp_op2(cx, OP_SUB, loop_end(s), s->at);
    next = imp_op2(cx, OP_MIN, left, imp_cast(cx, loop->var->type, next));
    next = imp_let(&s->b, vector_var(s->z, name, loop->var->type, 1),
                   imp_op2(cx, OP_ADD, s->at, next));
    imp_add(&s->b, vector_rest(cx, loop, next, (int)line));
    loop_of(s, s->unroll);
    imp_add(&s->b, vector_rest(cx, loop, s->end, (int)line));
}

const struct imp *vectorize_lanes(struct vectorizer *z, const struct imp *loop, int vectors)
{
    struct stepper s = {.z = z, .b = {.cx = z->cx}, .loop = loop, .lanes = lanes_in(z->cx, loop)};
    if (!fits(&s) || !choose_width(&s, vectors))
        return NULL;
    for (int i = 0; i < s.pieces; i++)
        if (is_sum(&s.piece[i]))
            factor(&s, &s.piece[i]);
    s.whole = !s.streams && vector_is_multiple(loop, (int64_t)s.unroll * s.width);
    s.overlaps = may_overlap(&s);
    for (int i = 0; i < s.pieces; i++)
        s.piece[i].around = keeper(&s, &s.piece[i]);
    imp_begin(&s.b);
    s.at = s.whole ? imp_read(z->cx, loop->var) : imp_let(&s.b, loop->var, loop->arg[0]);
    s.end = vector_end(z, &s.b, loop);
    if (s.streams) {
        add_lines(&s);
        return imp_end(&s.b);
    }
    const struct imp *all = in_vectors(&s),
                     *runs = s.whole ? vector_runs(z->cx, loop)
                                     : vector_is_left(z->cx, loop, s.end, s.width);
    imp_add(&s.b,
            vector_extent(loop) < 0 && makes_vectors(&s) ? imp_if(z->cx, runs, all, NULL) : all);
    if (!vector_is_multiple(loop, s.width))
        imp_add(&s.b, vector_rest(z->cx, loop, s.end, s.width));
    return imp_end(&s.b);
}
