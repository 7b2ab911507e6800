/* fuse_lists.c - loops over the parts of a list, and over each part, are one loop.
 *
 * Segments that follow each other are one:
 *
 *     for (i = 0; i < n; i++)
 *         for (p = pos[i]; p < pos[i + 1]; p++) { ... p ... }
 *
 *     for (p = pos[0]; p < pos[n]; p++) { ... p ... }
 *
 * where nothing but the bounds needs i.  That each segment begins where the one before it ends the
 * inner loop's mark says: it tells where the last one ends.
 *
 * Runs of entries with one coordinate need not be looked for where each entry is by itself:
 *
 *     while (p < end) {
 *         i = crd[p];
 *         next = p;
 *         while (next < end && crd[next] == i)
 *             next++;
 *         x = X[i];
 *         for (q = p; q < next; q++) { ... x ... i ... q ... }
 *         p = next;
 *     }
 *
 *     for (q = p; q < end; q++) {
 *         i = crd[q];
 *         x = X[i];
 *         ... x ... i ... q ...
 *     }
 *
 * Short runs end where no processor foresees it.  A run is looked for where it keeps something in
 * registers: what all its entries are combined into.  It keeps nothing where each entry is combined
 * with another place, nor where the place is the same for all runs, which a loop around keeps.
 * Lists of the entries of blocks have few entries of one coordinate, and their rows are at hand, so
 * that it does not pay there to keep a row for a run:
 *
 *     for (b ...)
 *         while (p < end) {                            for (b ...)
 *             i = crd[p];  next = ...;                     for (q = pos[b]; q < end; q++) {
 *             for (q = p; q < next; q++)        is             i = crd[q];
 *                 for (r ...)                                  for (r ...)
 *                     Y[i*n + r] += ...;                           Y[i*n + r] += ...;
 *             p = next;                                    }
 *         }
 *
 * Where the loop's variable is needed behind it, or where runs are those of lists that are merged
 * (fuse_merges.c), entries are steps of a while loop.
 *
 * A loop over one position, as of a list in each entry of another, is what it does there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/fuse_lists.h"

#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* ---- segments ---- */

/* Returns the bound for another value of the variable; NULL: it is not that of a segment. */
static const struct imp *bound_at(struct context *cx, const struct imp *bound,
                                  const struct imp_var *var, const struct imp *value)
{
    if (imp_is_read(bound, var))
        return value;
    if (bound->kind == IMP_CAST && bound->lanes <= 1) {
        const struct imp *number = bound_at(cx, bound->arg[0], var, value);
        return number ? imp_cast(cx, bound->type, number) : NULL;
    }
    if (bound->kind != IMP_LOAD || bound->lanes > 1 || !bound->var->constant)
        return NULL;
    const struct imp *position = bound_at(cx, bound->arg[0], var, value);
    return position ? imp_load(cx, bound->var, position) : NULL;
}

static bool uses(const struct imp *imp, void *var)
{
    return imp->kind == IMP_BREAK || imp_is_read(imp, var);
}

bool fuse_marks(const struct imp_mark *outer, const struct imp_mark *inner, struct imp_mark *both)
{
    if (!outer || !inner || outer->asked || inner->asked || outer->row || inner->row
        || outer->reduces_row || inner->reduces_row)
        return false;
    *both = (struct imp_mark){.last = inner->last, .compact = inner->compact};
    both->iterations =
        outer->iterations < inner->iterations ? outer->iterations : inner->iterations;
    return true;
}

bool imp_segments_span(struct context *cx, const struct imp *loop, const struct imp *inner,
                       const struct imp **begin, const struct imp **end)
{
    if (loop->n != 1 || inner->n != 1 || !inner->mark || !inner->mark->last
        || inner->arg[0]->kind == IMP_VAR)
        return false;
    const struct imp *one = imp_int(cx, loop->var->type, 1),
                     *next = imp_op2(cx, OP_ADD, imp_read(cx, loop->var), one),
                     *past = bound_at(cx, inner->arg[0], loop->var, next);
    if (!past || !imp_equal(past, inner->arg[1]))
        return false;
    *begin = bound_at(cx, inner->arg[0], loop->var, loop->arg[0]);
    *end = bound_at(cx, inner->arg[0], loop->var, loop->arg[1]);
    return true;
}

/* Returns the for loop that a body is, with what is declared in front of it in its bounds, if
 * nothing else reads that; the body itself if it is more. */
static const struct imp *only_loop(struct context *cx, const struct imp *body)
{
    while (body->kind == IMP_BLOCK && body->args == 1)
        body = body->arg[0];
    if (body->kind != IMP_BLOCK || body->args == 0)
        return body;
    const struct imp *loop = body->arg[body->args - 1];
    if (loop->kind != IMP_FOR)
        return body;
    const struct imp *bound[2] = {loop->arg[0], loop->arg[1]};
    for (int i = body->args - 2; i >= 0; i--) {
        const struct imp *declared = body->arg[i];
        bool is_bound = imp_defines(declared) && !imp_mentions(loop->arg[2], declared->var);
        for (int j = i + 1; j < body->args - 1 && is_bound; j++)
            is_bound = !imp_mentions(body->arg[j], declared->var);
        if (!is_bound)
            return body;
        for (int b = 0; b < 2; b++) {
            const struct imp *with = bound_at(cx, bound[b], declared->var, declared->arg[0]);
            bound[b] = with ? with : bound[b];
            if (imp_mentions(bound[b], declared->var))
                return body;
        }
    }
    return imp_marked(cx, imp_for(cx, loop->var, bound[0], bound[1], loop->n, loop->arg[2]),
                      loop->mark);
}

/* Returns the for loop as one loop over all segments that it goes through; the loop itself if it
 * does more. */
static const struct imp *one_of_segments(struct context *cx, const struct imp *loop)
{
    const struct imp *inner = only_loop(cx, loop->arg[2]), *begin, *end;
    struct imp_mark mark;
    if (inner->kind != IMP_FOR || !fuse_marks(loop->mark, inner->mark, &mark)
        || imp_any(inner->arg[2], uses, (void *)(size_t)loop->var)
        || !imp_segments_span(cx, loop, inner, &begin, &end))
        return loop;
    return imp_marked(cx, imp_for(cx, inner->var, begin, end, 1, inner->arg[2]),
                      arena_copy(cx->arena, &mark, sizeof mark));
}

/* ---- runs ---- */

/* The statements of a loop over runs: declarations of the coordinate and of what is computed from
 * it, of where the run ends, the search for that; declarations may follow, and then two more. */
enum { LAST = 2 };

struct runs {
    struct context *cx;
    const struct imp *more, *const *s; /* the condition, and the statements */
    int n, first;                      /* the first behind the search */
    const struct imp_var *p, *next;
    const struct imp *inner;
};

/* Does a declaration in front of the inner loop, or this, say where the run begins or ends? */
static bool is_bound(const struct runs *r, const struct imp *imp, const struct imp_var *bound)
{
    for (int k = r->first; k < r->n - LAST; k++)
        if (imp_defines(r->s[k]) && imp_is_read(imp, r->s[k]->var))
            imp = r->s[k]->arg[0];
    return imp_is_read(imp, bound);
}

/* Returns which of the declarations says where the run ends; -1: none. */
static int find_next(const struct runs *r)
{
    int k = 1;
    while (k < r->n && imp_defines(r->s[k]) && !imp_is_read(r->s[k]->arg[0], r->p))
        k++;
    return k < r->n && imp_defines(r->s[k]) && imp_defines(r->s[0]) ? k : -1;
}

static bool find_statements(struct runs *r, const struct imp *loop)
{
    const struct imp *body = loop->arg[1];
    *r = (struct runs){.cx = r->cx, .more = loop->arg[0], .s = body->arg, .n = body->args};
    if (body->kind != IMP_BLOCK || !imp_is_op(r->more, OP_LT) || r->more->arg[0]->kind != IMP_VAR)
        return false;
    r->p = r->more->arg[0]->var;
    int next = find_next(r);
    r->first = next + 2;
    if (next < 0 || r->n < r->first + LAST)
        return false;
    const struct imp *last = r->s[r->n - 1];
    r->next = r->s[next]->var;
    r->inner = r->s[r->n - LAST];
    return last->kind == IMP_ASSIGN && last->var == r->p && last->op == OP_NONE
           && imp_is_read(last->arg[0], r->next) && r->inner->kind == IMP_FOR && r->inner->n == 1
           && is_bound(r, r->inner->arg[0], r->p) && is_bound(r, r->inner->arg[1], r->next);
}

/* Returns what is declared in front of the search, for the entry at another position. */
static const struct imp *declared_at(const struct runs *r, int k, const struct imp_var *at)
{
    const struct lanes l = lanes_free(r->cx, r->p);
    return imp_declare(r->cx, r->s[k]->var, lanes_scalar(&l, r->s[k]->arg[0], imp_read(r->cx, at)));
}

/* Returns the declaration, with the values of those before it in place of them. */
static const struct imp *written_out(const struct runs *r, int k)
{
    const struct imp *value = r->s[k]->arg[0];
    for (int before = k; before-- > 0;)
        value =
            imp_replaced(r->cx, value, imp_read(r->cx, r->s[before]->var), r->s[before]->arg[0]);
    return imp_declare(r->cx, r->s[k]->var, value);
}

/* Is the end found by one of the coordinates? */
static bool finds_next(const struct runs *r)
{
    bool found = false;
    for (int k = 0; k < r->first - 2 && !found; k++) {
        const struct imp *end =
            fuse_search_end(r->cx, r->s[r->first - 1], written_out(r, k), r->p, r->next);
        found = end && imp_equal(end, r->more->arg[1]);
    }
    return found;
}

static bool is_of_run(const struct runs *r, const struct imp *imp)
{
    return imp_mentions(imp, r->p) || imp_mentions(imp, r->next);
}

/* Collects in `each` the declarations that each entry has for itself.  Returns how many there are,
 * -1 if one is of the run. */
static int take_declarations(const struct runs *r, const struct imp **each)
{
    const struct imp *body = r->inner->arg[2];
    int n = 0;
    bool kept = true;
    for (; n < r->first - 2; n++) {
        each[n] = declared_at(r, n, r->inner->var);
        kept &= imp_is_kept(body, r->s[n]->arg[0]);
    }
    for (int k = r->first; k < r->n - LAST && kept; k++) {
        const struct imp *imp = r->s[k];
        kept = imp_defines(imp);
        if (kept && (imp_is_read(imp->arg[0], r->p) || imp_is_read(imp->arg[0], r->next))) {
            kept = !imp_mentions(body, imp->var);
            continue;
        }
        kept = kept && !is_of_run(r, imp) && imp_is_kept(body, imp->arg[0]);
        each[n++] = imp;
    }
    return kept ? n : -1;
}

/* ---- what a run is good for ---- */

/* Where a variable is declared, or the loop whose variable it is. */
struct origin {
    const struct imp_var *var;
    const struct imp *at;
};

static bool note_origin(const struct imp *imp, void *data)
{
    struct origin *o = data;
    bool is_it = (imp->kind == IMP_DECLARE || imp->kind == IMP_FOR) && imp->var == o->var;
    o->at = is_it ? imp : o->at;
    return is_it;
}

const struct imp *fuse_origin(const struct imp *body, const struct imp_var *var)
{
    struct origin o = {var, NULL};
    imp_any(body, note_origin, &o);
    return o.at;
}

/* Does the value change with the variable, or with what the body, at any depth, declares or
 * assigns, but for the steps of loops whose bounds do not? */
static bool changes_in(const struct imp *body, const struct imp_var *var, const struct imp *e)
{
    const bool is_var = e->kind == IMP_VAR;
    const struct imp *from = is_var ? fuse_origin(body, e->var) : NULL;
    const int n = from && from->kind == IMP_FOR ? 2 : from ? from->args : 0;
    bool changes = (from && n == 0) || (e->kind == IMP_LOAD && !e->var->constant)
                   || (is_var && !from && (e->var == var || imp_assigns(body, e->var)));
    for (int i = 0; i < n && !changes; i++)
        changes = changes_in(body, var, from->arg[i]);
    for (int i = 0; i < e->args && !changes; i++)
        changes = changes_in(body, var, e->arg[i]);
    return changes;
}

static bool is_segment_of(const struct imp *function, const struct imp *begin)
{
    const struct imp *from = begin->kind == IMP_VAR ? fuse_origin(function, begin->var) : NULL;
    if (begin->kind == IMP_CAST)
        return is_segment_of(function, begin->arg[0]);
    if (begin->kind == IMP_VAR)
        return from && imp_defines(from) && is_segment_of(function, from->arg[0]);
    return begin->kind == IMP_LOAD && begin->arg[0]->kind != IMP_LITERAL;
}

/* Is the list one of many, of few coordinates each, as those of the entries of a block?  Half of
 * the first-level cache has a line for each of them then. */
static bool is_of_block(const struct runs *r, const struct imp *loop, const struct imp *function)
{
    const struct target *target = target_of(r->cx);
    return loop->mark && loop->mark->most > 0 && loop->mark->most <= target->l1 / (2 * target->line)
           && is_segment_of(function, imp_read(r->cx, r->p));
}

struct run {
    const struct runs *r;
    const struct imp *loop; /* over the runs */
    bool is_of_block;
    bool in_row; /* inside of a loop in the loop over a run */
};

/* Is the run looked for with reason: does it keep what all its entries are combined into, which is
 * not kept for longer anyway? */
static bool keeps(const struct run *run, const struct imp *store)
{
    const struct imp *place = store->arg[0];
    const struct imp *inner = run->r->inner;
    return !changes_in(inner->arg[2], inner->var, place)
           && changes_in(run->loop->arg[1], NULL, place) && !(run->is_of_block && run->in_row);
}

/* Does it count what is appended, by runs or without? */
static bool counts(const struct run *run, const struct imp *assign)
{
    return assign->op == OP_ADD && assign->arg[0]->kind == IMP_LITERAL
           && type_is_integer(assign->var->type) && !imp_declares_inside(run->loop, assign->var);
}

static bool is_entangled(const struct run *run, const struct imp *imp)
{
    const struct imp *inner = run->r->inner;
    if (imp->kind == IMP_WHILE || imp->kind == IMP_BREAK || imp->kind == IMP_ATOMIC
        || (imp->kind == IMP_ASSIGN && !imp_declares_inside(inner->arg[2], imp->var)
            && !counts(run, imp)))
        return true;
    struct run deeper = *run;
    deeper.in_row |= imp->kind == IMP_FOR;
    bool is = imp->kind == IMP_STORE && keeps(run, imp);
    for (int i = 0; i < imp->args && !is; i++)
        is = !imp_is_expression(imp->arg[i]) && is_entangled(&deeper, imp->arg[i]);
    return is;
}

/* Does the body of the loop over a run do without the run? */
static bool is_by_entry(const struct runs *r, const struct imp *loop, const struct imp *function)
{
    const struct run run = {.r = r, .loop = loop, .is_of_block = is_of_block(r, loop, function)};
    return !is_of_run(r, r->inner->arg[2]) && !is_entangled(&run, r->inner->arg[2]);
}

static int reads(const struct imp *imp, const struct imp_var *var)
{
    int n = imp_is_read(imp, var);
    for (int i = 0; i < imp->args; i++)
        n += reads(imp->arg[i], var);
    return n;
}

/* Joins the marks of both loops into that of one loop, which reduces into the row that both reduce
 * into. */
static bool join_run_marks(const struct imp *loop, const struct imp *inner, struct imp_mark *both)
{
    if (!loop->mark || !inner->mark)
        return false;
    struct imp_mark outer = *loop->mark, of_run = *inner->mark;
    const int row = outer.reduces_row == of_run.reduces_row ? outer.reduces_row : 0;
    outer.reduces_row = of_run.reduces_row = 0;
    if (!fuse_marks(&outer, &of_run, both))
        return false;
    both->reduces_row = row;
    return true;
}

/* Returns a while loop over the entries, which leaves the variable that it advances behind the last
 * one. */
static const struct imp *by_steps(const struct runs *r, const struct imp *const *each, int n,
                                  struct imp_mark *mark)
{
    struct imp_builder b = {.cx = r->cx};
    mark->last = NULL;
    mark->compact = false;
    imp_begin(&b);
    imp_let(&b, r->inner->var, imp_read(r->cx, r->p));
    for (int i = 0; i < n; i++)
        imp_add(&b, each[i]);
    imp_add(&b, imp_assign(r->cx, r->p, OP_ADD, imp_int(r->cx, r->p->type, 1)));
    return imp_marked(r->cx, imp_while(r->cx, r->more, imp_end(&b)),
                      arena_copy(r->cx->arena, mark, sizeof *mark));
}

/* Returns the while loop over runs as a for loop over their entries, or, if the function reads the
 * variable that it advances elsewhere, too, as a while loop; itself if it does more. */
static const struct imp *one_of_runs(struct context *cx, const struct imp *loop,
                                     const struct imp *function)
{
    struct runs r = {.cx = cx};
    struct imp_mark mark;
    if (!find_statements(&r, loop) || !finds_next(&r) || !is_by_entry(&r, loop, function)
        || !imp_is_fixed(loop->arg[1], r.more->arg[1]) || !join_run_marks(loop, r.inner, &mark))
        return loop;
    const struct imp **each = arena_array(cx->arena, const struct imp *, r.n);
    int n = take_declarations(&r, each);
    if (n < 0)
        return loop;
    each[n++] = r.inner->arg[2];
    if (reads(function, r.p) != reads(loop, r.p))
        return by_steps(&r, each, n, &mark);
    if (!mark.last || is_bound(&r, mark.last, r.next)) /* that of the run, which is gone */
        mark.last = r.more->arg[1];
    return imp_marked(
        cx, imp_for(cx, r.inner->var, imp_read(cx, r.p), r.more->arg[1], 1, imp_block(cx, each, n)),
        arena_copy(cx->arena, &mark, sizeof mark));
}

/* ---- single iterations ---- */

const struct imp *fuse_bound(const struct imp *block, const struct imp *bound)
{
    const struct imp *value = bound->kind == IMP_VAR ? imp_local(block, bound->var) : NULL;
    return value && !imp_assigns(block, bound->var) ? fuse_bound(block, value) : bound;
}

/* Returns what the block's loop does at its one position; the loop itself if it goes over more. */
static const struct imp *one_of_one(struct context *cx, const struct imp *block,
                                    const struct imp *loop)
{
    if (loop->kind != IMP_FOR || loop->n != 1 || (loop->mark && loop->mark->asked))
        return loop;
    const struct imp *begin = fuse_bound(block, loop->arg[0]),
                     *end = fuse_bound(block, loop->arg[1]);
    if (begin->kind == IMP_LITERAL || !imp_equal(end, lanes_plus(cx, begin, 1))
        || imp_changes(loop->arg[2], loop->var) || imp_has(loop->arg[2], IMP_BIT(BREAK)))
        return loop;
    const struct imp *both[] = {imp_declare(cx, loop->var, loop->arg[0]), loop->arg[2]};
    return imp_block(cx, both, 2);
}

static const struct imp *without_single(struct context *cx, const struct imp *block)
{
    const struct imp **arg = arena_array(cx->arena, const struct imp *, block->args);
    for (int i = 0; i < block->args; i++)
        arg[i] = one_of_one(cx, block, block->arg[i]);
    return imp_with_args(cx, block, arg);
}

/* ---- all of it ---- */

static const struct imp *fused(struct context *cx, const struct imp *loop, void *function)
{
    return loop->kind == IMP_FOR ? one_of_segments(cx, loop)
           : loop->kind == IMP_WHILE
               ? fuse_merge(cx, fuse_nest(cx, one_of_runs(cx, loop, function)))
           : loop->kind == IMP_BLOCK ? without_single(cx, loop)
                                     : loop;
}

const struct imp_function *imp_fuse_lists(struct context *cx, const struct imp_function *function,
                                          const struct pass_options *options)
{
    void *body = (void *)(size_t)function->body;
    return imp_with_body(cx, function, imp_rewrite(cx, function->body, fused, body));
}
