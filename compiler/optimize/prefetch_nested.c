/* prefetch_nested.c - the rows that loops inside of a loop over stored coordinates will need soon.
 *
 * A row that is gathered once for a fiber is used in the loop over its entries, or behind it, and
 * asked for in the loop over fibers (prefetch.c has the rows of entries):
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

enum { DEEP = 8, ROWS = 8 };

struct nested {
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
    } asked[ROWS]; /* in terms of the outer loop */
    int rows;
};

/* Does it read arrays along the outer loop, or, as where a segment begins, where such say? */
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

/* The loop's begin, with the values of what the bodies around it declare. */
static const struct imp *begin_of(const struct nested *n, int k)
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
static bool moves_otherwise(const struct nested *n, const struct imp *e)
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

/* What the expression, inside of the loops, is for the first iteration of each, in terms of the
 * outer loop; `runs` becomes the condition that there is one, where it matters; NULL: always. */
static const struct imp *of_first(const struct nested *n, const struct imp *e,
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
static bool is_of_outer(const struct nested *n, const struct imp *e)
{
    struct context *cx = n->z->cx;
    for (int k = n->deep - 1; k >= 0; k--) {
        const struct lanes l = lanes_in(cx, n->loop[k]);
        e = lanes_scalar(&l, e, imp_read(cx, l.var));
    }
    return lanes_vary(&n->outer, e);
}

static bool is_asked(const struct nested *n, const struct imp_var *array, const struct imp *first)
{
    for (int i = 0; i < n->rows; i++)
        if (n->asked[i].array == array && imp_equal(n->asked[i].first, first))
            return true;
    return n->rows == ROWS;
}

/* Take a contiguous load, or store, of the row. */
static bool take(const struct imp *imp, void *data)
{
    struct nested *n = data;
    struct context *cx = n->z->cx;
    const struct lanes row = lanes_in(cx, n->row);
    if ((imp->kind != IMP_LOAD && imp->kind != IMP_STORE) || imp->lanes > 1
        || !lanes_is_contiguous(&row, imp->arg[0]))
        return false;
    const struct imp *runs = NULL, *ignored = NULL,
                     *first = lanes_scalar(&row, imp->arg[0], n->row->arg[0]),
                     *place = of_first(n, first, &runs);
    if (!is_of_outer(n, first) || moves_otherwise(n, first) || !imp_has(place, IMP_BIT(LOAD))
        || !factors_keeps(n->outer.body, place, n->outer.var)
        || (runs && !factors_keeps(n->outer.body, runs, n->outer.var))
        || !(runs ? n->around->loop->mark->compact && reads_first(&n->outer, place)
                  : prefetch_reads_coordinates(&n->outer, place))
        || is_asked(n, imp->var, place) || !prefetch_may_look(n->z, n->around))
        return false;
    struct imp_var *line = n->at ? NULL : prefetch_line_var(n->z);
    const struct imp *at = n->at ? n->at : prefetch_at_line(n->z, n->row, line);
    n->asked[n->rows++] = (struct asked){
        .array = imp->var,
        .row = n->row,
        .first = place,
        .place = of_first(n, lanes_scalar(&row, imp->arg[0], at), &ignored),
        .runs = runs,
        .line = line,
    };
    return false;
}

/* Does the loop go along a row that is the same in each iteration of the outer loop? */
static bool is_row(const struct nested *n, const struct imp *loop)
{
    return loop->n == 1 && loop->mark && loop->mark->iterations != ITERATIONS_IN_ORDER
           && !imp_has(loop->arg[2], IMP_LOOPS) && factors_keeps(n->outer.body, loop->arg[0], NULL)
           && factors_keeps(n->outer.body, loop->arg[1], NULL);
}

/* The rows in the statement, which is inside of the loops noted. */
static void look(struct nested *n, const struct imp *imp)
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
            imp_any(imp->arg[2], take, n);
    } else if (n->deep < DEEP && imp->n == 1) {
        n->loop[n->deep++] = imp;
        look(n, imp->arg[2]);
        n->deep--;
    }
}

/* Ask for the rows, from the i-th one on, for which the same condition has to hold, if any, where
 * the outer loop is at `next`. */
static void ask(const struct nested *n, struct imp_builder *b, int i, const struct imp *next)
{
    const struct imp *runs = n->asked[i].runs;
    if (runs)
        imp_begin(b);
    for (int k = i; k < n->rows && (k == i || runs); k++) {
        const struct asked *row = &n->asked[k];
        if (runs && !(row->runs && imp_equal(row->runs, runs)))
            continue;
        const struct imp *place = lanes_scalar(&n->outer, row->place, next);
        if (n->at)
            prefetch_from(n->z, b, row->array, place, n->elements);
        else
            imp_add(b, prefetch_row(n->z, row->row, row->array, row->line, place));
    }
    if (runs)
        imp_add(b, imp_if(b->cx, lanes_scalar(&n->outer, runs, next), imp_end(b), NULL));
}

/* Is the row asked for with an earlier one? */
static bool is_with_earlier(const struct nested *n, int i)
{
    const struct imp *runs = n->asked[i].runs;
    for (int k = 0; k < i && runs; k++)
        if (n->asked[k].runs && imp_equal(n->asked[k].runs, runs))
            return true;
    return false;
}

static const struct imp *ask_for_all(const struct nested *n)
{
    struct context *cx = n->z->cx;
    struct imp_builder b = {.cx = cx};
    const struct imp_var *var = n->outer.var;
    const struct imp *here = imp_read(cx, var), *next = prefetch_next(n->around, &n->outer, here);
    bool conditional = false;
    for (int i = 0; i < n->rows; i++)
        conditional |= n->asked[i].runs != NULL;
    imp_begin(&b);
    if (conditional || n->rows > 1) {
        const char *name = arena_printf(cx->arena, "%s_then", imp_stem(var));
        next = imp_let(&b, vector_var(n->z, name, var->type, 1), next);
    }
    for (int i = 0; i < n->rows; i++)
        if (!is_with_earlier(n, i))
            ask(n, &b, i, next);
    return imp_end(&b);
}

const struct imp *vectorize_nested_ahead(struct vectorizer *z, struct ahead *around,
                                         const struct imp *at, int elements)
{
    const struct imp *loop = around->loop;
    struct nested n = {
        .z = z, .around = around, .outer = lanes_in(z->cx, loop), .at = at, .elements = elements};
    if (!prefetch_is_marked(z, around))
        return NULL;
    look(&n, loop->arg[2]);
    return n.rows > 0 ? ask_for_all(&n) : NULL;
}
