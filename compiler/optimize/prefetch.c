/* prefetch.c - what a loop over stored coordinates will need soon.
 *
 * A loop that reads where a coordinate says jumps about in memory, where no hardware can
 * guess.  The coordinates of later iterations are known, so what these need can be asked for in
 * time; rows of dense arrays most of all (prefetch_rows.c):
 *
 *     last = pos[m];
 *     ...
 *     ahead = pos[i + 1] <= last - 16 ? 16 : 0;
 *     for (p = pos[i]; p < pos[i + 1]; p++) {
 *         ... X[crd[p]*n + r .. +8] ...
 *         prefetch(X, crd[p + ahead]*n + r);
 *     }
 *
 * Rows of the loop's own array are short, so that this goes on into those that come after: segments
 * follow each other, up to where the loop's mark says that the last one ends.
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
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/prefetch.h"

#include "compiler/optimize/simplify.h"

/* So many arrays of a segment, or that counters lead to. */
enum { FETCHES = 4 };

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

/* ---- how far ahead ---- */

/* Returns the end of the last segment, which is looked up once, in front of the function's body. */
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

/* Returns the end of the last segment that the loop's mark tells, folded. */
static const struct imp *folded_last(struct vectorizer *z, const struct imp *loop)
{
    const struct lanes nowhere = {.cx = z->cx, .body = loop->arg[2]};
    return lanes_scalar(&nowhere, loop->mark->last, NULL);
}

const struct imp *prefetch_last(struct vectorizer *z, const struct imp *loop)
{
    return end_of_all(z, loop, folded_last(z, loop));
}

int64_t prefetch_by(struct context *cx, const struct ahead *around)
{
    return around->by ? around->by : target_of(cx)->prefetch_ahead;
}

/* Does the loop begin where one around it, or a part, is, and not where some segment begins?  Then
 * it may well be the only one, or the last. */
static bool begins_anywhere(const struct imp *loop)
{
    return imp_bare(loop->arg[0])->kind == IMP_VAR;
}

/* Returns a declaration of how far ahead the loop may look. */
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

/* Finds how far the loop may look.  If it has one run, or may have, each iteration asks. */
static void look_ahead(struct vectorizer *z, struct ahead *around)
{
    const struct imp *loop = around->loop, *end = folded_last(z, loop);
    around->last = begins_anywhere(loop) ? end_of_all(z, loop, end) : loop->arg[1];
    if (!begins_anywhere(loop) && !imp_equal(end, loop->arg[1]))
        around->declared = distance(z, loop, end, prefetch_by(z->cx, around));
}

/* Returns how far ahead the iteration looks. */
static const struct imp *here_ahead(struct vectorizer *z, struct ahead *around)
{
    struct context *cx = z->cx;
    const struct imp *at = imp_read(cx, around->loop->var);
    if (!around->last)
        look_ahead(z, around);
    if (around->declared)
        return imp_read(cx, around->declared->var);
    const struct imp *left = imp_op2(cx, OP_SUB, lanes_plus(cx, around->last, -1), at);
    return imp_op2(cx, OP_MIN, left, imp_int(cx, at->type, prefetch_by(cx, around)));
}

const struct imp *prefetch_next(struct vectorizer *z, struct ahead *around, const struct imp *e)
{
    const struct lanes loop = lanes_in(z->cx, around->loop);
    const struct imp *here = imp_read(z->cx, loop.var);
    return lanes_scalar(&loop, e, imp_op2(z->cx, OP_ADD, here, here_ahead(z, around)));
}

const struct imp *vectorize_behind(struct vectorizer *z, const struct ahead *around,
                                   const struct imp *loop)
{
    return around->declared ? vector_pair(z->cx, around->declared, loop) : loop;
}

/* ---- segments ---- */

/* What is read of the entries of a segment. */
struct entries {
    struct lanes segment;
    const struct imp *load[FETCHES];
    int n;
};

/* Is it read at the coordinate that the loop finds at its variable? */
static bool is_gathered(const struct lanes *loop, const struct imp *e)
{
    e = imp_bare(lanes_scalar(loop, e, imp_read(loop->cx, loop->var)));
    const struct imp *at = e->kind == IMP_LOAD && e->var->constant ? imp_bare(e->arg[0]) : e;
    return at != e && at->kind == IMP_LOAD && prefetch_reads_coordinates(loop, at);
}

static bool note_entry(const struct imp *imp, void *data)
{
    struct entries *e = data;
    bool is_new = imp->kind == IMP_LOAD && e->n < FETCHES;
    for (int i = 0; i < e->n && is_new; i++)
        is_new = e->load[i]->var != imp->var || !imp_equal(e->load[i]->arg[0], imp->arg[0]);
    if (is_new && prefetch_reads_coordinates(&e->segment, imp))
        e->load[e->n++] = imp;
    return false;
}

const struct imp *vectorize_segment_ahead(struct vectorizer *z, struct ahead *around,
                                          const struct imp *segment)
{
    struct context *cx = z->cx;
    struct imp_builder b = {.cx = cx};
    struct entries entries = {.segment = lanes_in(cx, segment)};
    const struct lanes loop = lanes_in(cx, around->loop);
    const struct imp *first, *past;
    const struct imp *marked = vectorize_skipped(z, segment);
    imp_any(marked ? marked : segment->arg[2], note_entry, &entries);
    if (entries.n == 0 || imp_segments_span(cx, around->loop, segment, &first, &past)
        || !is_gathered(&loop, segment->arg[0]) || !prefetch_is_marked(z, around)
        || !around->loop->mark->compact)
        return NULL;
    imp_begin(&b);
    const char *name = arena_printf(cx->arena, "%s_next", imp_stem(segment->var));
    const struct imp *begin = imp_let(&b, vector_var(z, name, segment->var->type, 1),
                                      prefetch_next(z, around, segment->arg[0]));
    for (int i = 0; i < entries.n; i++)
        imp_add(&b, imp_prefetch(cx, entries.load[i]->var, begin));
    return imp_end(&b);
}

/* ---- targets ---- */

struct targets {
    const struct lanes *loop;
    const struct imp *counter; /* whose value says where; NULL: there is none so far */
    const struct imp_var *array[FETCHES];
    int n;
};

/* Notes an array that is stored to at the place of a coordinate's counter. */
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

/* Returns prefetches of the target of the coordinate `to`. */
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

/* Goes on with the array that is kept in the place of the one at hand. */
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

/* Are there more counters than the caches have lines?  NULL if their number is not known. */
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
    if (!many || !prefetch_is_marked(z, &here) || !loop->mark->compact)
        return stands;
    const struct imp *at = imp_cast(cx, TYPE_I64, t.counter->arg[0]),
                     *asked = ask_for_target(z, &t, prefetch_next(z, &here, at)),
                     *body = vector_pair(cx, asked, loop->arg[2]);
    struct imp_var *var = vector_var(z, imp_stem(loop->var), loop->var->type, 1);
    var->base_name = imp_stem(loop->var);
    body = unroll_iteration(z, imp_for(cx, loop->var, loop->arg[0], loop->arg[1], 1, body),
                            imp_read(cx, var));
    const struct imp *ahead = imp_for(cx, var, loop->arg[0], loop->arg[1], 1, body);
    return vectorize_behind(z, &here, imp_if(cx, many, ahead, stands));
}
