/* prefetch.c - what a loop over stored coordinates will need soon.
 *
 * A loop that reads a row of a dense array for each coordinate jumps about in memory, where no
 * hardware can guess.  The coordinates of later iterations are known, so the rows can be asked for
 * in time:
 *
 *     last = pos[m];
 *     ...
 *     ahead = pos[i + 1] <= last - 16 ? 16 : 0;
 *     for (p = pos[i]; p < pos[i + 1]; p++) {
 *         ... X[crd[p]*n + r .. +8] ...
 *         prefetch(X, crd[p + ahead]*n + r);
 *     }
 *
 * The row is reduced into (register_tile.c), or reduced into a scalar in a loop of its own
 * (loop_lanes.c).  Or it is read or written as it is, where each of its elements is combined with
 * those of others:
 *
 *     for (p = pos[i]; p < pos[i + 1]; p++) {
 *         for (line = 0; line < n; line += 8)
 *             prefetch(Y, crd[p + ahead]*n + line);
 *         for (r = 0; r < n; r++)
 *             Y[crd[p]*n + r] += ...;
 *     }
 *
 * Where the loop around says, too, where the rows are, those of another segment are elsewhere, and
 * the rows are asked for as long as this one goes on (the first ones: prefetch_nested.c).
 *
 * Or a segment is gone through that begins where a coordinate says, not where the one before it
 * ends, of which the first entries are asked for; where it begins is read, and so only where a
 * coordinate is at every position:
 *
 *     for (p = pos[i]; p < pos[i + 1]; p++) {
 *         begin = B_pos[crd[p + ahead]];
 *         prefetch(B_crd, begin);
 *         prefetch(B_vals, begin);
 *         for (q = B_pos[crd[p]]; q < B_pos[crd[p] + 1]; q++)
 *             ... B_crd[q] ... B_vals[q] ...
 *     }
 *
 * Or each entry goes where a counter of its coordinate says, as from rows to columns.  Each counter
 * has a line in each array that it leads to, and an entry finds it in the caches if half of them
 * hold the lines of all counters, however many entries there are: the other half is for what is
 * read.  If they do not, it is asked for, farther ahead than rows, since an entry takes less time:
 *
 *     if (n > ...) {
 *         for (p = pos[i]; p < pos[i + 1]; p++) {
 *             target = next[crd[p + ahead]];
 *             prefetch(B_crd, target);
 *             prefetch(B_vals, target);
 *             q = next[crd[p]]++;
 *             B_crd[q] = ...; B_vals[q] = ...;
 *         }
 *     } else ...
 *
 * Rows are short, so that this goes on into the rows that come after: segments follow each other,
 * up to where the loop's mark says that the last one ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/prefetch.h"

#include "compiler/optimize/simplify.h"

enum { FETCHES = 4 };

struct fetches {
    struct lanes row, loop;
    const struct imp *row_loop, *load[FETCHES];
    int n;
};

bool prefetch_reads_coordinates(const struct lanes *l, const struct imp *e)
{
    if (e->kind == IMP_LOAD)
        return e->var->constant && lanes_is_contiguous(l, e->arg[0])
               && factors_keeps(l->body, e->arg[0], l->var);
    for (int i = 0; i < e->args; i++)
        if (!prefetch_reads_coordinates(l, e->arg[i]))
            return false;
    return e->kind != IMP_CALL;
}

static bool is_noted(const struct fetches *f, const struct imp *imp)
{
    for (int i = 0; i < f->n; i++)
        if (f->load[i]->var == imp->var && imp_equal(f->load[i]->arg[0], imp->arg[0]))
            return true;
    return false;
}

/* Does a coordinate say where it is? */
static bool jumps(const struct lanes *l, const struct imp *place)
{
    return imp_has(place, IMP_BIT(LOAD)) && prefetch_reads_coordinates(l, place);
}

/* Note the contiguous loads, and stores, whose place jumps with the loop's variable. */
static bool note_load(const struct imp *imp, void *data)
{
    struct fetches *f = data;
    if ((imp->kind != IMP_LOAD && imp->kind != IMP_STORE) || f->n == FETCHES || is_noted(f, imp)
        || !lanes_is_contiguous(&f->row, imp->arg[0]))
        return false;
    const struct imp *place =
        lanes_scalar(&f->loop, imp->arg[0], imp_read(f->loop.cx, f->loop.var));
    if (jumps(&f->loop, place))
        f->load[f->n++] = imp;
    return false;
}

/* The end of the last segment, which is looked up once, in front of all that the function does. */
static const struct imp *end_of_all(struct vectorizer *z, const struct imp *loop,
                                    const struct imp *end)
{
    if (!imp_has(end, IMP_BIT(LOAD)))
        return end;
    for (size_t i = 0; i < z->ends.n; i++)
        if (imp_equal(z->ends.at[i]->arg[0], end))
            return imp_read(z->cx, z->ends.at[i]->var);
    const char *name = arena_printf(z->cx->arena, "%s_last", imp_stem(loop->var));
    struct imp_var *var = vector_var(z, name, end->type, 1);
    vec_push(z->cx->arena, &z->ends, imp_declare(z->cx, var, end));
    return imp_read(z->cx, var);
}

/* So many iterations ahead. */
static int64_t ahead_by(struct context *cx, const struct ahead *around)
{
    return around->by ? around->by : target_of(cx)->prefetch_ahead;
}

/* Does the loop begin where one around it, or a part, is, and not where some segment begins?  Then
 * it may well be the only one, or the last. */
static bool begins_anywhere(const struct imp *loop)
{
    return imp_bare(loop->arg[0])->kind == IMP_VAR;
}

/* How far ahead the loop may look: a declaration. */
static const struct imp *distance(struct vectorizer *z, const struct imp *loop,
                                  const struct imp *end, int64_t ahead)
{
    struct context *cx = z->cx;
    enum type type = loop->var->type;
    end = end_of_all(z, loop, end);
    const struct imp *more = imp_op2(cx, OP_LE, loop->arg[1], lanes_plus(cx, end, -ahead));
    const struct imp *n = imp_select(cx, more, imp_int(cx, type, ahead), imp_int(cx, type, 0));
    return imp_declare(
        cx, vector_var(z, arena_printf(cx->arena, "%s_ahead", imp_stem(loop->var)), type, 1), n);
}

bool prefetch_is_marked(const struct vectorizer *z, const struct ahead *around)
{
    const struct imp *loop = around->loop;
    return loop->mark && loop->mark->last && loop->n == 1 && pass_is_in(z->options, "prefetch");
}

bool prefetch_may_look(struct vectorizer *z, struct ahead *around)
{
    const struct imp *loop = around->loop;
    const struct lanes nowhere = {.cx = z->cx, .body = loop->arg[2]};
    if (!prefetch_is_marked(z, around))
        return false;
    const struct imp *end = lanes_scalar(&nowhere, loop->mark->last, NULL); /* folded */
    if (!around->last)
        around->last = begins_anywhere(loop) ? end_of_all(z, loop, end) : loop->arg[1];
    if (!around->declared && !begins_anywhere(loop) && !imp_equal(end, loop->arg[1]))
        around->declared = distance(z, loop, end, ahead_by(z->cx, around));
    return true;
}

/* What of the row in the loop around is noted. */
static struct fetches find_fetches(struct vectorizer *z, const struct ahead *around,
                                   const struct imp *row,
                                   bool (*note)(const struct imp *imp, void *fetches))
{
    struct fetches f = {
        .row_loop = row, .row = lanes_in(z->cx, row), .loop = lanes_in(z->cx, around->loop)};
    imp_any(row->arg[2], note, &f);
    return f;
}

/* Elements of a cache line. */
static int elements_of_line(const struct vectorizer *z, const struct imp_var *array)
{
    return (int)(z->target->line / (int64_t)type_size(array->type));
}

/* How far ahead the iteration looks. */
static const struct imp *here_ahead(struct context *cx, const struct ahead *around)
{
    const struct imp *at = imp_read(cx, around->loop->var);
    if (around->declared)
        return imp_read(cx, around->declared->var);
    const struct imp *left = imp_op2(cx, OP_SUB, lanes_plus(cx, around->last, -1), at);
    return imp_op2(cx, OP_MIN, left, imp_int(cx, at->type, ahead_by(cx, around)));
}

const struct imp *prefetch_next(const struct ahead *around, const struct lanes *loop,
                                const struct imp *e)
{
    struct context *cx = loop->cx;
    const struct imp *next =
        imp_op2(cx, OP_ADD, imp_read(cx, around->loop->var), here_ahead(cx, around));
    return lanes_scalar(loop, e, next);
}

void prefetch_from(struct vectorizer *z, struct imp_builder *b, const struct imp_var *array,
                   const struct imp *place, int elements)
{
    struct context *cx = z->cx;
    const char *name = arena_printf(cx->arena, "%s_next", imp_stem(array));
    place = imp_let(b, vector_var(z, name, place->type, 1), place);
    for (int n = 0; n < elements; n += elements_of_line(z, array))
        imp_add(b, imp_prefetch(cx, array, lanes_plus(cx, place, n)));
}

struct imp_var *prefetch_line_var(struct vectorizer *z)
{
    return vector_var(z, "line", TYPE_I64, 1);
}

const struct imp *prefetch_at_line(const struct vectorizer *z, const struct imp *row,
                                   const struct imp_var *line)
{
    return imp_cast(z->cx, row->var->type, imp_read(z->cx, line));
}

const struct imp *prefetch_row(const struct vectorizer *z, const struct imp *row,
                               const struct imp_var *array, struct imp_var *line,
                               const struct imp *place)
{
    struct context *cx = z->cx;
    return imp_for(cx, line, imp_cast(cx, TYPE_I64, row->arg[0]),
                   imp_cast(cx, TYPE_I64, row->arg[1]), elements_of_line(z, array),
                   imp_prefetch(cx, array, place));
}

/* The place of the row that the load begins, in the loop's variable. */
static const struct imp *row_place(const struct lanes *l, const struct imp *load)
{
    return lanes_scalar(l, load->arg[0], imp_read(l->cx, l->var));
}

bool vectorize_jumps(struct context *cx, const struct imp *loop, const struct imp *load)
{
    const struct lanes l = lanes_in(cx, loop);
    return jumps(&l, row_place(&l, load));
}

const struct imp *vectorize_rows_ahead(struct vectorizer *z, struct ahead *around,
                                       const struct imp *const *row, int rows, int elements)
{
    const struct lanes l = lanes_in(z->cx, around->loop);
    struct imp_builder b = {.cx = z->cx};
    imp_begin(&b);
    for (int i = 0; i < rows; i++) {
        const struct imp *place = row_place(&l, row[i]);
        if (jumps(&l, place) && prefetch_may_look(z, around))
            prefetch_from(z, &b, row[i]->var, prefetch_next(around, &l, place), elements);
    }
    const struct imp *all = imp_end(&b);
    return all->args > 0 ? all : NULL;
}

const struct imp *vectorize_ahead(struct vectorizer *z, struct ahead *around, const struct imp *row,
                                  const struct imp *at, int elements)
{
    struct fetches f = find_fetches(z, around, row, note_load);
    for (int i = 0; i < f.n; i++)
        f.load[i] = imp_load(z->cx, f.load[i]->var, lanes_scalar(&f.row, f.load[i]->arg[0], at));
    return vectorize_rows_ahead(z, around, f.load, f.n, elements);
}

/* Is it another row in each segment that the loop goes through? */
static bool is_of_segment(const struct ahead *around, const struct fetches *f,
                          const struct imp *load)
{
    const struct ahead *outer = around->outer;
    const struct imp *place = row_place(&f->loop, load);
    return outer && outer->loop->mark && outer->loop->mark->last
           && imp_varies(outer->loop->arg[2], outer->loop->var, place);
}

/* Ask for all of the row where the loop around is at `next`; NULL: some iterations ahead. */
static void ask_for_row(struct vectorizer *z, struct imp_builder *b, const struct ahead *around,
                        const struct fetches *f, int i, const struct imp *next)
{
    struct imp_var *line = prefetch_line_var(z);
    const struct imp *row = f->row_loop, *at = prefetch_at_line(z, row, line),
                     *in_row = lanes_scalar(&f->row, f->load[i]->arg[0], at);
    imp_add(b, prefetch_row(z, row, f->load[i]->var, line,
                            next ? lanes_scalar(&f->loop, in_row, next)
                                 : prefetch_next(around, &f->loop, in_row)));
}

/* The rows that come so many iterations later in this segment, if there are so many. */
static void ask_in_segment(struct vectorizer *z, struct imp_builder *b, const struct ahead *around,
                           const struct fetches *f)
{
    struct context *cx = z->cx;
    const struct imp *loop = around->loop, *at = imp_read(cx, loop->var);
    const int64_t by = ahead_by(cx, around);
    imp_begin(b);
    for (int i = 0; i < f->n; i++)
        if (is_of_segment(around, f, f->load[i]))
            ask_for_row(z, b, around, f, i, lanes_plus(cx, at, by));
    const struct imp *rows = imp_end(b);
    if (rows->args > 0)
        imp_add(b,
                imp_if(cx, imp_op2(cx, OP_LT, at, lanes_plus(cx, loop->arg[1], -by)), rows, NULL));
}

const struct imp *vectorize_row_ahead(struct vectorizer *z, struct ahead *around,
                                      const struct imp *row)
{
    struct imp_builder b = {.cx = z->cx};
    const struct fetches f = find_fetches(z, around, row, note_load);
    if (f.n == 0 || !prefetch_is_marked(z, around))
        return NULL;
    imp_begin(&b);
    ask_in_segment(z, &b, around, &f);
    for (int i = 0; i < f.n; i++)
        if (!is_of_segment(around, &f, f.load[i]) && prefetch_may_look(z, around))
            ask_for_row(z, &b, around, &f, i, NULL);
    return imp_end(&b);
}

/* Is it read where a coordinate says that the loop finds at its variable? */
static bool is_gathered(const struct lanes *loop, const struct imp *e)
{
    e = imp_bare(lanes_scalar(loop, e, imp_read(loop->cx, loop->var)));
    const struct imp *at = e->kind == IMP_LOAD && e->var->constant ? imp_bare(e->arg[0]) : e;
    return at != e && at->kind == IMP_LOAD && prefetch_reads_coordinates(loop, at);
}

/* Note the loads of the segment's entries. */
static bool note_entry(const struct imp *imp, void *data)
{
    struct fetches *f = data;
    if (imp->kind == IMP_LOAD && f->n < FETCHES && !is_noted(f, imp)
        && prefetch_reads_coordinates(&f->row, imp))
        f->load[f->n++] = imp;
    return false;
}

const struct imp *vectorize_segment_ahead(struct vectorizer *z, struct ahead *around,
                                          const struct imp *segment)
{
    struct context *cx = z->cx;
    struct imp_builder b = {.cx = cx};
    const struct fetches f = find_fetches(z, around, segment, note_entry);
    const struct imp *first, *past;
    if (f.n == 0 || imp_segments_span(cx, around->loop, segment, &first, &past)
        || !is_gathered(&f.loop, segment->arg[0]) || !prefetch_may_look(z, around)
        || !around->loop->mark->compact)
        return NULL;
    imp_begin(&b);
    const char *name = arena_printf(cx->arena, "%s_next", imp_stem(segment->var));
    const struct imp *begin = imp_let(&b, vector_var(z, name, segment->var->type, 1),
                                      prefetch_next(around, &f.loop, segment->arg[0]));
    for (int i = 0; i < f.n; i++)
        imp_add(&b, imp_prefetch(cx, f.load[i]->var, begin));
    return imp_end(&b);
}

/* ---- targets ---- */

struct targets {
    const struct lanes *loop;
    const struct imp *counter; /* whose value says where; NULL: there is none so far */
    const struct imp_var *array[FETCHES];
    int n;
};

/* Note an array that is stored to where a counter at a coordinate says. */
static bool note_target(const struct imp *imp, void *data)
{
    struct targets *t = data;
    if (imp->kind != IMP_STORE || t->n == FETCHES)
        return false;
    const struct imp *here = imp_read(t->loop->cx, t->loop->var),
                     *place = imp_bare(lanes_scalar(t->loop, imp->arg[0], here));
    if (place->kind != IMP_LOAD || place->var->constant || !imp_has(place->arg[0], IMP_BIT(LOAD))
        || !prefetch_reads_coordinates(t->loop, place->arg[0])
        || (t->counter && !imp_equal(t->counter, place)))
        return false;
    t->counter = place;
    t->array[t->n++] = imp->var;
    return false;
}

/* Ask for the target of the coordinate `to`. */
static const struct imp *ask_for_target(struct vectorizer *z, const struct targets *t,
                                        const struct imp *to)
{
    struct context *cx = z->cx;
    struct imp_builder b = {.cx = cx};
    const char *stem = t->array[0]->name, *next = arena_printf(cx->arena, "%s_next", stem),
               *there = arena_printf(cx->arena, "%s_target", stem);
    imp_begin(&b);
    struct imp_var *then = vector_var(z, next, TYPE_I64, 1),
                   *target = vector_var(z, there, t->counter->type, 1);
    then->base_name = next;
    target->base_name = there;
    to = imp_let(&b, then, to);
    const struct imp *place = imp_let(&b, target, imp_load(cx, t->counter->var, to));
    for (int i = 0; i < t->n; i++)
        imp_add(&b, imp_prefetch(cx, t->array[i], place));
    return imp_end(&b);
}

static struct targets targets_of(const struct lanes *loop)
{
    struct targets t = {.loop = loop};
    imp_any(loop->body, note_target, &t);
    return t;
}

bool vectorize_has_targets(struct context *cx, const struct imp *loop)
{
    const struct lanes l = lanes_in(cx, loop);
    return targets_of(&l).n > 0;
}

struct counters {
    const struct imp_function *function;
    const struct imp_var *array, *among; /* the arrays of which it is one, of parts; or NULL */
    const struct imp *number;            /* of its elements, from parameters; or NULL */
};

static bool note_among(const struct imp *imp, void *data)
{
    struct counters *c = data;
    if (imp->kind == IMP_TAKE && imp->var == c->array)
        c->among = imp->arg[0]->var;
    return c->among != NULL;
}

/* The array that became one of those. */
static bool note_kept(const struct imp *imp, void *data)
{
    struct counters *c = data;
    const bool is_kept = imp->kind == IMP_KEEP && imp->var == c->among;
    if (is_kept)
        c->array = imp->arg[1]->var;
    return is_kept;
}

static bool is_no_parameter(const struct imp *imp, void *data)
{
    const struct imp_function *function = data;
    bool is_one = imp->kind == IMP_LITERAL;
    for (int i = 0; i < function->params && imp->kind == IMP_VAR; i++)
        is_one |= imp->var == function->param[i].var;
    return imp->args == 0 && !is_one;
}

static bool note_number(const struct imp *imp, void *data)
{
    struct counters *c = data;
    if (imp->kind == IMP_ALLOC && imp->var == c->array
        && !imp_any(imp->arg[0], is_no_parameter, (void *)c->function))
        c->number = imp->arg[0];
    return c->number != NULL;
}

/* Are there more counters than the caches have lines for?  NULL: how many is not known. */
static const struct imp *are_many(const struct vectorizer *z, const struct targets *t)
{
    struct counters c = {.function = z->function, .array = t->counter->var};
    if (imp_any(z->function->body, note_among, &c))
        imp_any(z->function->body, note_kept, &c);
    imp_any(z->function->body, note_number, &c);
    if (!c.number)
        return NULL;
    const int64_t most = z->target->l3 / (2 * z->target->line * t->n);
    return imp_op2(z->cx, OP_GT, c.number, imp_int(z->cx, c.number->type, most));
}

const struct imp *vectorize_with_targets(struct vectorizer *z, const struct imp *loop,
                                         const struct imp *stands)
{
    struct context *cx = z->cx;
    struct ahead here = {.loop = loop, .by = z->target->scatter_ahead};
    const struct lanes l = lanes_in(cx, loop);
    const struct targets t = targets_of(&l);
    const struct imp *many = t.n > 0 ? are_many(z, &t) : NULL;
    if (!many || !prefetch_may_look(z, &here) || !loop->mark->compact)
        return stands;
    const struct imp *at = imp_cast(cx, TYPE_I64, t.counter->arg[0]),
                     *asked = ask_for_target(z, &t, prefetch_next(&here, &l, at)),
                     *body = vector_pair(cx, asked, loop->arg[2]);
    struct imp_var *var = vector_var(z, imp_stem(loop->var), loop->var->type, 1);
    var->base_name = imp_stem(loop->var);
    body = unroll_iteration(z, imp_for(cx, loop->var, loop->arg[0], loop->arg[1], 1, body),
                            imp_read(cx, var));
    const struct imp *ahead = imp_for(cx, var, loop->arg[0], loop->arg[1], 1, body);
    return vectorize_behind(z, &here, imp_if(cx, many, ahead, stands));
}

const struct imp *vectorize_behind(struct vectorizer *z, const struct ahead *around,
                                   const struct imp *loop)
{
    return around->declared ? vector_pair(z->cx, around->declared, loop) : loop;
}
