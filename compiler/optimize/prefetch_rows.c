/* prefetch_rows.c - the rows at stored coordinates that a loop will need soon (prefetch.c).
 *
 * The row may be reduced into (register_tile.c), or reduced into a scalar in a loop of its own
 * (loop_lanes.c); strips of it are asked for then.  Or it is read or written as it is, where each
 * of its elements is combined with those of others:
 *
 *     for (p = pos[i]; p < pos[i + 1]; p++) {
 *         for (line = 0; line < n; line += 8)
 *             prefetch(Y, crd[p + ahead]*n + line);
 *         for (r = 0; r < n; r++)
 *             Y[crd[p]*n + r] += ...;
 *     }
 *
 * Where the loop around says, too, where the rows are, those of another segment are elsewhere, and
 * the rows are asked for as long as this one goes on.  If they are few, as those of a block, they
 * are at hand.
 *
 * A row that is gathered once for a fiber is used in the loop over its entries, or behind it, and
 * asked for in the loop over fibers:
 *
 *     for (f = pos[i]; f < pos[i + 1]; f++) {
 *         prefetch(B, f_crd[f + ahead]*n + r);
 *         for (p = f_pos[f]; p < f_pos[f + 1]; p++)
 *             for (r ...)
 *                 Y[i*n + r] += A[p] * C[crd[p]*n + r] * B[f_crd[f]*n + r];
 *     }
 *
 * Where the loop around says, too, where the rows of entries are, as for those of a block, the
 * entries of other blocks are elsewhere.  The rows of a block's first entry are asked for:
 *
 *     for (b ...) {
 *         next = b + ahead;
 *         if (pos[next] < pos[next + 1])
 *             prefetch(C, (b_crd[next]*128 + crd[pos[next]])*n + r);
 *         for (p = pos[b]; p < pos[b + 1]; p++)
 *             for (r ...)
 *                 ... C[(b_crd[b]*128 + crd[p])*n + r] ...
 *     }
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/prefetch.h"
#include "compiler/optimize/simplify.h"

enum { DEEP = 8, ROWS = 16 };

/* What of the rows in a loop is asked for. */
struct rows {
    struct vectorizer *z;
    struct ahead *around;
    struct lanes outer;
    const struct imp *at; /* where a strip of rows begins; NULL: they are asked for as a whole */
    int elements;         /* of a strip */
    const struct imp *loop[DEEP]; /* inside of the outer loop, around what is looked at */
    int deep;
    const struct imp *row; /* the loop over a row that is looked at */
    struct asked {
        const struct imp_var *array;
        const struct imp *row, *first; /* the loop over it, and the place where it begins */
        const struct imp *place;       /* of the strip, or of the line at `line` */
        const struct imp *runs;        /* if this holds; NULL: always */
        struct imp_var *line;
        bool in_segment; /* as long as the outer loop's segment goes on */
    } asked[ROWS];       /* in terms of the outer loop */
    int n;
};

/* Does it read arrays along the outer loop, or at places that such arrays give, as where a segment
 * begins? */
static bool reads_first(const struct lanes *outer, const struct imp *e)
{
    const struct imp *at = e->kind == IMP_LOAD ? imp_bare(e->arg[0]) : NULL;
    if (at && at->kind == IMP_LOAD)
        return e->var->constant && prefetch_reads_coordinates(outer, at);
    for (int i = 0; i < e->args && !at; i++)
        if (!reads_first(outer, e->arg[i]))
            return false;
    return at ? prefetch_reads_coordinates(outer, e) : e->kind != IMP_CALL;
}

/* Returns the loop's begin, with the values of the variables that the bodies around it declare. */
static const struct imp *begin_of(const struct rows *n, int k)
{
    struct context *cx = n->z->cx;
    const struct imp *begin = n->loop[k]->arg[0];
    for (int o = k - 1; o >= -1; o--) {
        const struct lanes in = o < 0 ? n->outer : lanes_in(cx, n->loop[o]);
        begin = lanes_scalar(&in, begin, imp_read(cx, in.var));
    }
    return begin;
}

/* Does it move along a loop that does not begin where a segment does? */
static bool moves_otherwise(const struct rows *n, const struct imp *e)
{
    struct context *cx = n->z->cx;
    for (int k = n->deep - 1; k >= 0; k--) {
        const struct lanes l = lanes_in(cx, n->loop[k]);
        if (lanes_vary(&l, e) && !imp_has(begin_of(n, k), IMP_BIT(LOAD)))
            return true;
        e = lanes_scalar(&l, e, imp_read(cx, l.var));
    }
    return false;
}

/* Returns the expression's value, inside of the loops, in the first iteration of each, in terms of
 * the outer loop.  `runs` becomes the condition that there is one, where it matters; NULL if there
 * always is. */
static const struct imp *of_first(const struct rows *n, const struct imp *e,
                                  const struct imp **runs)
{
    struct context *cx = n->z->cx;
    for (int k = n->deep - 1; k >= 0; k--) {
        const struct lanes l = lanes_in(cx, n->loop[k]);
        if (*runs)
            *runs = lanes_scalar(&l, *runs, n->loop[k]->arg[0]);
        if (lanes_vary(&l, e))
            *runs = imp_both(cx, *runs, vector_runs(cx, n->loop[k]));
        e = lanes_scalar(&l, e, n->loop[k]->arg[0]);
    }
    if (*runs)
        *runs = lanes_scalar(&n->outer, *runs, imp_read(cx, n->outer.var));
    return lanes_scalar(&n->outer, e, imp_read(cx, n->outer.var));
}

/* Does the outer loop say itself where it is, not only by where segments begin? */
static bool is_of_outer(const struct rows *n, const struct imp *e)
{
    struct context *cx = n->z->cx;
    for (int k = n->deep - 1; k >= 0; k--) {
        const struct lanes l = lanes_in(cx, n->loop[k]);
        e = lanes_scalar(&l, e, imp_read(cx, l.var));
    }
    return lanes_vary(&n->outer, e);
}

static bool is_asked(const struct rows *n, const struct imp_var *array, const struct imp *first)
{
    for (int i = 0; i < n->n; i++)
        if (n->asked[i].array == array && imp_equal(n->asked[i].first, first))
            return true;
    return n->n == ROWS;
}

/* Is it another row in each segment that the outer loop goes through? */
static bool is_of_segment(const struct rows *n, const struct imp *place)
{
    const struct ahead *around = n->around->outer;
    return n->deep == 0 && !n->at && around && around->loop->mark && around->loop->mark->last
           && imp_varies(around->loop->arg[2], around->loop->var, place);
}

/* Is it made of coordinates that the outer loop reads as bytes, or does not read along? */
static bool is_of_bytes(const struct rows *n, const struct imp *e)
{
    bool is = e->kind != IMP_LOAD || type_size(e->type) == 1 || !lanes_vary(&n->outer, e);
    for (int i = 0; i < e->args && is && e->kind != IMP_LOAD; i++)
        is = is_of_bytes(n, e->arg[i]);
    return is;
}

/* Does a segment, as of the entries of a block, have few rows, which a cache keeps once they have
 * been used? */
static bool has_few(const struct rows *n, const struct imp_var *array, const struct imp *place)
{
    enum { OF_BYTES = 256, SHARE = 64 };
    const struct imp *begin = n->row->arg[0], *end = n->row->arg[1];
    return begin->kind == IMP_LITERAL && end->kind == IMP_LITERAL
           && (end->value.i - begin->value.i) * (int64_t)type_size(array->type) * OF_BYTES
                  <= n->z->target->l3 / SHARE
           && is_of_bytes(n, place);
}

/* Takes a contiguous load, or store, of the row whose place jumps with the outer loop. */
static bool take_access(const struct imp *imp, void *data)
{
    struct rows *n = data;
    struct context *cx = n->z->cx;
    const struct lanes row = lanes_in(cx, n->row);
    if ((imp->kind != IMP_LOAD && imp->kind != IMP_STORE) || imp->lanes > 1
        || !lanes_is_contiguous(&row, imp->arg[0]))
        return false;
    const struct imp *runs = NULL, *ignored = NULL,
                     *first = lanes_scalar(&row, imp->arg[0], n->row->arg[0]),
                     *place = of_first(n, first, &runs),
                     *along = of_first(n, lanes_scalar(&row, imp->arg[0], imp_read(cx, row.var)),
                                       &ignored);
    if (!is_of_outer(n, first) || moves_otherwise(n, first) || !imp_has(along, IMP_BIT(LOAD))
        || !factors_keeps(n->outer.body, place, n->outer.var)
        || (runs && !factors_keeps(n->outer.body, runs, n->outer.var))
        || !(runs ? n->around->loop->mark->compact && reads_first(&n->outer, along)
                  : prefetch_reads_coordinates(&n->outer, along))
        || is_asked(n, imp->var, place))
        return false;
    struct imp_var *line = n->at ? NULL : vector_var(n->z, "line", TYPE_I64, 1);
    const struct imp *at = n->at ? n->at : imp_cast(cx, n->row->var->type, imp_read(cx, line)),
                     *there = of_first(n, lanes_scalar(&row, imp->arg[0], at), &ignored);
    const bool in_segment = is_of_segment(n, there);
    if (in_segment && has_few(n, imp->var, there))
        return false;
    n->asked[n->n++] = (struct asked){.array = imp->var,
                                      .row = n->row,
                                      .first = place,
                                      .place = there,
                                      .runs = runs,
                                      .line = line,
                                      .in_segment = in_segment};
    return false;
}

/* Does the loop go along a row that is the same in each iteration of the outer loop? */
static bool is_row(const struct rows *n, const struct imp *loop)
{
    return loop->n == 1 && loop->mark && loop->mark->iterations != ITERATIONS_IN_ORDER
           && !imp_has(loop->arg[2], IMP_LOOPS) && factors_keeps(n->outer.body, loop->arg[0], NULL)
           && factors_keeps(n->outer.body, loop->arg[1], NULL);
}

/* Finds the rows in the statement, which is inside of the noted loops. */
static void look(struct rows *n, const struct imp *imp)
{
    if (imp_is_expression(imp) || imp->kind == IMP_WHILE || imp->kind == IMP_PARALLEL
        || imp->kind == IMP_LAUNCH)
        return;
    if (imp->kind != IMP_FOR) {
        for (int i = 0; i < imp->args; i++)
            look(n, imp->arg[i]);
    } else if (is_row(n, imp)) {
        n->row = imp;
        if (n->deep > 0)
            imp_any(imp->arg[2], take_access, n);
    } else if (n->deep < DEEP && imp->n == 1) {
        n->loop[n->deep++] = imp;
        look(n, imp->arg[2]);
        n->deep--;
    }
}

/* Asks for this many elements from there on. */
static void ask_from(struct vectorizer *z, struct imp_builder *b, const struct imp_var *array,
                     const struct imp *place, int elements)
{
    const int line = (int)(z->target->line / (int64_t)type_size(array->type));
    const char *name = arena_printf(z->cx->arena, "%s_next", imp_stem(array));
    place = imp_let(b, vector_var(z, name, place->type, 1), place);
    for (int n = 0; n < elements; n += line)
        imp_add(b, imp_prefetch(z->cx, array, lanes_plus(z->cx, place, n)));
}

/* Asks for the lines of all of the row. */
static void ask_for_lines(struct vectorizer *z, struct imp_builder *b, const struct asked *a,
                          const struct imp *place)
{
    struct context *cx = z->cx;
    const int64_t line = z->target->line / (int64_t)type_size(a->array->type);
    imp_add(b, imp_for(cx, a->line, imp_cast(cx, TYPE_I64, a->row->arg[0]),
                       imp_cast(cx, TYPE_I64, a->row->arg[1]), line,
                       imp_prefetch(cx, a->array, place)));
}

/* Asks for the rows from the i-th one on that have the same condition, if any, where the outer loop
 * is at `next`. */
static void ask(const struct rows *n, struct imp_builder *b, int i, const struct imp *next)
{
    const struct imp *runs = n->asked[i].runs;
    if (runs)
        imp_begin(b);
    for (int k = i; k < n->n && (k == i || runs); k++) {
        const struct asked *row = &n->asked[k];
        if (runs && !(row->runs && imp_equal(row->runs, runs)))
            continue;
        const struct imp *place = lanes_scalar(&n->outer, row->place, next);
        if (n->elements > 0)
            ask_from(n->z, b, row->array, place, n->elements);
        else
            ask_for_lines(n->z, b, row, place);
    }
    if (runs)
        imp_add(b, imp_if(b->cx, lanes_scalar(&n->outer, runs, next), imp_end(b), NULL));
}

/* Is the row asked for with an earlier one? */
static bool is_with_earlier(const struct rows *n, int i)
{
    const struct imp *runs = n->asked[i].runs;
    for (int k = 0; k < i && runs; k++)
        if (n->asked[k].runs && imp_equal(n->asked[k].runs, runs))
            return true;
    return false;
}

/* Asks for the rows that come this many iterations later in this segment, if it is that long. */
static void ask_in_segment(const struct rows *n, struct imp_builder *b)
{
    struct context *cx = n->z->cx;
    const struct imp *loop = n->around->loop, *at = imp_read(cx, loop->var);
    const int64_t by = prefetch_by(cx, n->around);
    imp_begin(b);
    for (int i = 0; i < n->n; i++)
        if (n->asked[i].in_segment)
            ask(n, b, i, lanes_plus(cx, at, by));
    const struct imp *rows = imp_end(b);
    if (rows->args > 0)
        imp_add(b,
                imp_if(cx, imp_op2(cx, OP_LT, at, lanes_plus(cx, loop->arg[1], -by)), rows, NULL));
}

/* Asks for the other rows, some iterations ahead. */
static void ask_ahead(const struct rows *n, struct imp_builder *b)
{
    struct context *cx = n->z->cx;
    const struct imp_var *var = n->outer.var;
    int uses = 0;
    for (int i = 0; i < n->n; i++)
        uses += n->asked[i].in_segment ? 0 : n->asked[i].runs ? 2 : 1;
    if (uses == 0)
        return;
    const struct imp *next = prefetch_next(n->z, n->around, imp_read(cx, var));
    if (uses > 1) {
        const char *name = arena_printf(cx->arena, "%s_then", imp_stem(var));
        next = imp_let(b, vector_var(n->z, name, var->type, 1), next);
    }
    for (int i = 0; i < n->n; i++)
        if (!n->asked[i].in_segment && !is_with_earlier(n, i))
            ask(n, b, i, next);
}

static const struct imp *ask_for_all(const struct rows *n)
{
    struct imp_builder b = {.cx = n->z->cx};
    if (n->n == 0)
        return NULL;
    imp_begin(&b);
    ask_in_segment(n, &b);
    ask_ahead(n, &b);
    return imp_end(&b);
}

/* ---- what the rewrites ask for ---- */

static struct rows rows_in(struct vectorizer *z, struct ahead *around, const struct imp *at,
                           int elements)
{
    return (struct rows){.z = z,
                         .around = around,
                         .outer = lanes_in(z->cx, around->loop),
                         .at = at,
                         .elements = elements};
}

const struct imp *vectorize_nested_ahead(struct vectorizer *z, struct ahead *around,
                                         const struct imp *at, int elements)
{
    struct rows n = rows_in(z, around, at, elements);
    if (prefetch_is_marked(z, around))
        look(&n, around->loop->arg[2]);
    return ask_for_all(&n);
}

const struct imp *vectorize_row_ahead(struct vectorizer *z, struct ahead *around,
                                      const struct imp *row, const struct imp *at, int elements)
{
    struct rows n = rows_in(z, around, at, elements);
    n.row = row;
    if (prefetch_is_marked(z, around))
        imp_any(row->arg[2], take_access, &n);
    return ask_for_all(&n);
}

/* Returns the place of the row that the load begins, in the loop's variable. */
static const struct imp *place_of(const struct lanes *l, const struct imp *load)
{
    return lanes_scalar(l, load->arg[0], imp_read(l->cx, l->var));
}

bool vectorize_jumps(struct context *cx, const struct imp *loop, const struct imp *load)
{
    const struct lanes l = lanes_in(cx, loop);
    const struct imp *place = place_of(&l, load);
    return imp_has(place, IMP_BIT(LOAD)) && prefetch_reads_coordinates(&l, place);
}

const struct imp *vectorize_rows_ahead(struct vectorizer *z, struct ahead *around,
                                       const struct imp *const *load, int loads, int elements)
{
    struct rows n = rows_in(z, around, NULL, elements);
    for (int i = 0; i < loads && n.n < ROWS && prefetch_is_marked(z, around); i++)
        n.asked[n.n++] =
            (struct asked){.array = load[i]->var, .place = place_of(&n.outer, load[i])};
    return ask_for_all(&n);
}
