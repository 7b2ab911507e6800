/* share.c - share(i, k): two statements of a multi in one loop (thesis 4.3).
 *
 *     before    (forall(i) forall(j) y(i) += A(i,j) * x(j) |
 *                forall(i2) forall(j2) z(j2) += A(i2,j2) * w(i2))
 *     after     forall(i) (forall(j) y(i) += A(i,j) * x(j) |
 *                          forall(j2) z(j2) += A(i,j2) * w(i))                     share(i, i2)
 *
 * Then the loops inside may be shared, too.  If the second statement reads a component that the
 * first computes at the same coordinates, a scalar hands it on, once every loop of the component
 * is around both:
 *
 *     before    (forall(i) y(i) = a(i) + b(i) | forall(i2) z(i2) = 2 * y(i2))
 *     after     forall(i) ((y(i) = t | z(i) = 2 * t) where t = a(i) + b(i))        share(i, i2)
 *
 * No scalar is used if the second statement would then store other components: a dense tensor has
 * all components, but a scalar is present only where it was written.
 *
 * Preconditions: the loops are the outermost ones of two statements of one multi, and have the
 * same range.  If the second reads results of the first, an iteration reads only what it has
 * computed itself: the loop's variable indexes one mode of them wherever they are written and
 * read.  The second does not read a statement between the two.  None of the loops is parallel.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"

#include "compiler/base/vec.h"

struct share {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct index_var *var, *other;
};

/* ---- the statements of a multi ---- */

static void add_parts(struct context *cx, const struct cin *s, struct cin_list *parts)
{
    if (s->kind != CIN_MULTI) {
        vec_push(cx->arena, parts, s);
        return;
    }
    add_parts(cx, s->arg[0], parts);
    add_parts(cx, s->arg[1], parts);
}

static const struct cin *join_parts(struct context *cx, const struct cin_list *parts)
{
    const struct cin *s = parts->at[0];
    for (size_t i = 1; i < parts->n; i++)
        s = cin_multi(cx, s, parts->at[i]);
    return s;
}

static int place_of(const struct cin_list *parts, const struct index_var *var)
{
    int at = (int)parts->n;
    while (at-- > 0)
        if (parts->at[at]->kind == CIN_FORALL && parts->at[at]->index[0] == var)
            break;
    return at;
}

/* Finds the outermost multi whose statements contain both loops. */
struct multi_search {
    const struct share *share;
    const struct cin *found;
};

static bool find_multi(const struct cin *cin, void *data)
{
    struct multi_search *s = data;
    struct cin_list parts = {0};
    if (cin->kind != CIN_MULTI)
        return false;
    add_parts(s->share->cx, cin, &parts);
    if (place_of(&parts, s->share->var) >= 0 && place_of(&parts, s->share->other) >= 0)
        s->found = cin;
    return s->found != NULL;
}

static bool check_loops(const struct share *s, const struct cin *first, const struct cin *second)
{
    const struct index_var *a = s->var, *b = s->other;
    if (cin_has_parallel(s->program, first) || cin_has_parallel(s->program, second))
        return loops_refuse(s->cx, s->program, s->call, -1,
                            "a loop is parallel: share first, then parallelize");
    if (cin_is_related(s->program, a) || cin_is_related(s->program, b))
        return loops_refuse(s->cx, s->program, s->call, cin_is_related(s->program, a) ? 0 : 1,
                            "%s is part of another variable, or is divided: share first",
                            cin_is_related(s->program, a) ? a->name : b->name);
    return index_var_origin(a) == index_var_origin(b) || (a->size >= 0 && a->size == b->size)
           || loops_refuse(s->cx, s->program, s->call, 1, "%s and %s may have different ranges",
                           a->name, b->name);
}

/* ---- reads of results ---- */

struct accesses {
    struct context *cx;
    const struct tensor_var *tensor;
    bool written;
    struct cin_list list;
};

static bool add_access(const struct cin *cin, void *data)
{
    struct accesses *a = data;
    struct cin_list read = {0};
    if (cin->kind != CIN_ASSIGN)
        return false;
    if (a->written && cin->arg[0]->tensor == a->tensor)
        vec_push(a->cx->arena, &a->list, cin->arg[0]);
    if (!a->written)
        read = cin_operands(a->cx, cin);
    for (size_t i = 0; i < read.n; i++)
        if (read.at[i]->tensor == a->tensor)
            vec_push(a->cx->arena, &a->list, read.at[i]);
    return false;
}

static struct cin_list accesses_of(struct context *cx, const struct cin *s,
                                   const struct tensor_var *tensor, bool written)
{
    struct accesses a = {.cx = cx, .tensor = tensor, .written = written};
    cin_any(s, add_access, &a);
    return a.list;
}

static bool has_index(const struct cin_list *accesses, int mode, const struct index_var *var)
{
    bool all = true;
    for (size_t i = 0; i < accesses->n && all; i++)
        all = accesses->at[i]->index[mode] == var;
    return all;
}

/* Does an iteration of the second loop read only those components of the first's results that the
 * same iteration of the first has computed? */
static bool check_reads(const struct share *s, const struct cin *first, const struct cin *second)
{
    for (int r = 0; r <= s->program->others; r++) {
        const struct tensor_var *result = cin_result(s->program, r);
        struct cin_list written = accesses_of(s->cx, first, result, true),
                        read = accesses_of(s->cx, second, result, false);
        bool same = !written.n || !read.n;
        for (int mode = 0; mode < result->order && !same; mode++)
            same = has_index(&written, mode, s->var) && has_index(&read, mode, s->other);
        if (!same)
            return loops_refuse(
                s->cx, s->program, s->call, 1,
                "components of %s that the loop over %s reads are computed by other iterations",
                result->name, s->other->name);
    }
    return true;
}

static bool reads_result(const struct share *s, const struct cin *second, const struct cin *of)
{
    for (int r = 0; r <= s->program->others; r++) {
        const struct tensor_var *result = cin_result(s->program, r);
        if (cin_assigns(of, result) && accesses_of(s->cx, second, result, false).n)
            return true;
    }
    return false;
}

/* ---- handing on ---- */

static bool binds(const struct cin *cin, void *data)
{
    const struct cin *access = data;
    bool is = false;
    for (int i = 0; i < access->indices && cin->kind == CIN_FORALL; i++)
        is |= cin->index[0] == access->index[i];
    return is;
}

/* Does the format store exactly the assigned components?  Blocks and full levels store more. */
static bool is_exact(const struct format *format)
{
    bool exact = format_is_plain(format) && format_assembled(format) > 0, full = true;
    for (int level = 0; level < format->levels && exact; level++) {
        exact = full || !level_has(&format->level[level], LEVEL_FULL);
        full &= level_has(&format->level[level], LEVEL_FULL);
    }
    return exact;
}

/* Do the statement's results store the same, whether it reads the tensor, or a scalar written where
 * the tensor is assigned? */
static bool stores_alike(const struct share *s, const struct cin *statement,
                         const struct tensor_var *tensor)
{
    bool alike = true;
    for (int r = 0; r <= s->program->others; r++) {
        const struct tensor_var *result = cin_result(s->program, r);
        alike &= format_assembled(result->format) == 0 || !cin_assigns(statement, result);
    }
    return alike || is_exact(tensor->format);
}

/* May the second statement read a scalar instead of the component assigned here? */
static bool may_hand(const struct share *s, const struct cin *assign, const struct cin *second)
{
    const struct tensor_var *result = assign->arg[0]->tensor;
    struct cin_list read = accesses_of(s->cx, second, result, false);
    bool may = read.n > 0 && !result->held && stores_alike(s, second, result);
    for (size_t i = 0; i < read.n; i++)
        may &= read.at[i] == assign->arg[0];
    return may;
}

/* Returns the statement's one assignment to a result whose component another can read as a scalar;
 * else NULL. */
static const struct cin *handed(const struct share *s, const struct cin *first,
                                const struct cin *second)
{
    const struct cin *assign = NULL;
    struct cin_list made = cin_assignments(s->cx, first);
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0]->tensor->temporary)
            continue;
        if (assign)
            return NULL;
        assign = made.at[i];
    }
    return may_hand(s, assign, second) && !cin_any(first, binds, (void *)assign->arg[0]) ? assign
                                                                                         : NULL;
}

static bool is_scalar(const struct cin *value)
{
    return value->kind == CIN_ACCESS && value->tensor->temporary && value->indices == 0;
}

/* Lets the second statement read the scalar that the first already hands on; else NULL. */
static const struct cin *hand_on_again(const struct share *s, const struct cin *first,
                                       const struct cin *second)
{
    struct cin_list parts = {0};
    if (first->kind != CIN_WHERE)
        return NULL;
    add_parts(s->cx, first->arg[0], &parts);
    for (size_t i = 0; i < parts.n; i++) {
        const struct cin *assign = parts.at[i];
        if (assign->kind != CIN_ASSIGN || assign->op != OP_NONE || !is_scalar(assign->arg[1])
            || !may_hand(s, assign, second))
            continue;
        vec_push(s->cx->arena, &parts, cin_replace(s->cx, second, assign->arg[0], assign->arg[1]));
        return cin_where(s->cx, join_parts(s->cx, &parts), first->arg[1]);
    }
    return NULL;
}

/* Combines both, with the first's component handed to the second as a scalar.  NULL if the second
 * cannot take a scalar, such as if it asks whether the component is stored. */
static const struct cin *hand_on(const struct share *s, const struct cin *first,
                                 const struct cin *second)
{
    struct context *cx = s->cx;
    const struct cin *assign = handed(s, first, second);
    if (!assign)
        return hand_on_again(s, first, second);
    const struct cin *to = assign->arg[0];
    if (cin_asks_for(second, to->tensor))
        return NULL;
    const char *name = cin_fresh_name(cx, s->program, "t");
    const struct tensor_var *t = cin_temporary(cx, name, to->type, to->tensor->fill);
    const struct cin *scalar = cin_access(cx, t, NULL, 0);
    const struct cin *producer =
        cin_replace(cx, first, assign, cin_assign(cx, assign->op, scalar, assign->arg[1]));
    return cin_where(
        cx, cin_multi(cx, cin_assign(cx, OP_NONE, to, scalar), cin_replace(cx, second, to, scalar)),
        producer);
}

/* Returns a result that the second reads where the first assigns it, or NULL. */
static const struct tensor_var *read_in_place(const struct share *s, const struct cin *first,
                                              const struct cin *second)
{
    for (int r = 0; r <= s->program->others; r++) {
        const struct tensor_var *result = cin_result(s->program, r);
        struct cin_list written = accesses_of(s->cx, first, result, true),
                        read = accesses_of(s->cx, second, result, false);
        for (size_t i = 0; i < written.n; i++)
            for (size_t k = 0; k < read.n; k++)
                if (written.at[i] == read.at[k])
                    return result;
    }
    return NULL;
}

/* Adds a statement behind the others, or to the one that hands on to it.  false after a diagnostic.
 */
static bool add_behind(const struct share *s, struct cin_list *parts, const struct cin *behind)
{
    size_t from = parts->n;
    while (from-- > 0 && !reads_result(s, behind, parts->at[from]))
        continue;
    const struct cin *both = from < parts->n ? hand_on(s, parts->at[from], behind) : NULL;
    for (size_t i = 0; i < parts->n; i++) {
        const struct tensor_var *result =
            both && i == from ? NULL : read_in_place(s, parts->at[i], behind);
        if (result)
            return loops_refuse(
                s->cx, s->program, s->call, 1,
                "%s would be read where it is assigned, and cannot be passed on as a scalar",
                result->name);
    }
    if (both)
        parts->at[from] = both;
    else
        vec_push(s->cx->arena, parts, behind);
    return true;
}

/* Builds the body of the shared loop.  NULL after a diagnostic. */
static const struct cin *share_body(const struct share *s, const struct cin *first,
                                    const struct cin *second)
{
    struct cin_list parts = {0}, behind = {0};
    add_parts(s->cx, first, &parts);
    add_parts(s->cx, second, &behind);
    for (size_t i = 0; i < behind.n; i++)
        if (!add_behind(s, &parts, behind.at[i]))
            return NULL;
    return join_parts(s->cx, &parts);
}

/* ---- the rewrite ---- */

/* Merges the second loop into the first in the multi's statements. */
static const struct cin *merge(const struct share *s, const struct cin *multi)
{
    struct cin_list parts = {0}, merged = {0};
    add_parts(s->cx, multi, &parts);
    int a = place_of(&parts, s->var), b = place_of(&parts, s->other);
    if (a > b)
        return loops_refuse(
            s->cx, s->program, s->call, 1,
            "the statement in the loop over %s comes before the one in the loop over %s",
            s->other->name, s->var->name);
    for (int i = a + 1; i < b; i++)
        if (reads_result(s, parts.at[b], parts.at[i]))
            return loops_refuse(
                s->cx, s->program, s->call, 1,
                "a statement between the two computes what is read in the loop over %s",
                s->other->name);
    if (!check_reads(s, parts.at[a], parts.at[b]))
        return NULL;
    const struct cin *second = cin_rename(s->cx, parts.at[b]->arg[0], s->other, s->var),
                     *body = share_body(s, parts.at[a]->arg[0], second);
    if (!body)
        return NULL;
    for (int i = 0; i < (int)parts.n; i++)
        if (i == a)
            vec_push(s->cx->arena, &merged, cin_forall(s->cx, s->var, body));
        else if (i != b)
            vec_push(s->cx->arena, &merged, parts.at[i]);
    return join_parts(s->cx, &merged);
}

/* Keeps the planner from moving the loop. */
static void pin(struct context *cx, struct cin_program *program, const struct index_var *var)
{
    const struct index_var **ordered =
        arena_array(cx->arena, const struct index_var *, program->ordereds + 1);
    for (int i = 0; i < program->ordereds; i++)
        ordered[i] = program->ordered[i];
    ordered[program->ordereds++] = var;
    program->ordered = ordered;
}

static const struct cin_program *apply_share(struct context *cx, const struct cin_program *program,
                                             const struct schedule_call *call)
{
    struct share s = {.cx = cx, .program = program, .call = call};
    struct multi_search search = {.share = &s};
    if (call->arguments != 2)
        return loops_refuse(cx, program, call, -1, "it takes two loops");
    const struct cin *first = loops_find(cx, program, call, 0),
                     *second = first ? loops_find(cx, program, call, 1) : NULL;
    if (!second)
        return NULL;
    s.var = first->index[0];
    s.other = second->index[0];
    if (!cin_any(program->statement, find_multi, &search))
        return loops_refuse(
            cx, program, call, -1,
            "the loops over %s and %s are not the outermost loops of adjacent statements",
            s.var->name, s.other->name);
    const struct cin *merged = check_loops(&s, first, second) ? merge(&s, search.found) : NULL;
    if (!merged)
        return NULL;
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    result->tag = loops_tags_of(cx, program, s.other, s.var);
    result->statement = cin_replace(cx, program->statement, search.found, merged);
    pin(cx, result, s.var);
    return loops_checked(cx, program, call, result);
}

const struct schedule_type schedule_share = {
    .name = "share",
    .usage = "share(i, k)",
    .brief = "run two statements in one loop, over i; the loop over k is gone",
    .apply = apply_share,
};
