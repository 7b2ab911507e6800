/* stops.c - long runs that look, now and then, whether they are to end.
 *
 *     for (i = 0; i < n; i++)
 *         for (p = pos[i]; p < pos[i + 1]; p++) ...
 *
 * ends when it is done, whatever happens meanwhile.  The outer loop is gone through in stretches,
 * with a look before each, which costs a load and a jump:
 *
 *     at = 0;
 *     while (at < n) {
 *         if (stopped()) fail
 *         end = n - at > 128 ? at + 128 : n;
 *         for (i = at; i < end; i++)
 *             for (p = pos[i]; p < pos[i + 1]; p++) ...
 *         at = end;
 *     }
 *
 * How long a stretch is follows from how deep loops are nested in its body: the deeper, the more
 * work may be between two looks.  What goes over all that is stored once ends by itself, since
 * memory is finite, so a look each so many rows is enough for it.  The inner loops of a deeper nest
 * are in stretches of their own, where they go over a whole mode: over the segments of a tree they
 * may be short, and a look would be much of their work.  The innermost loop is left as it is, and
 * with it all that the C compiler has vectors for.
 *
 * This is the last pass, since no other has to know of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"
#include "compiler/imperative/var_map.h"
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* Iterations between two looks: of a loop that has none in it and none around it; of one around a
 * loop; of one around two. */
enum { STRETCH_ALONE = 1 << 20, STRETCH_ROWS = 128, STRETCH_NESTS = 8 };

struct looks {
    struct vectorizer names; /* for new ones */
    struct var_map loaded;   /* variables whose values come from arrays */
};

/* ---- how deep, and over what ---- */

/* Is the end a few more than the beginning? */
static bool is_few(const struct imp *begin, const struct imp *end)
{
    return imp_is_op(end, OP_ADD) && imp_equal(end->arg[0], begin)
           && end->arg[1]->kind == IMP_LITERAL && end->arg[1]->value.i <= STRETCH_ROWS;
}

/* Is it a loop of a few iterations, which counts as the statements that it stands for? */
static bool is_short(const struct imp *imp)
{
    if (imp->kind != IMP_FOR)
        return false;
    int64_t extent = vector_extent(imp);
    return (extent >= 0 && extent <= STRETCH_ROWS) || is_few(imp->arg[0], imp->arg[1]);
}

/* Returns how many loops are nested in it. */
static int depth_of(const struct imp *imp)
{
    int deepest = 0;
    if (imp->kind == IMP_CALL && imp_has(imp->function->body, IMP_LOOPS))
        deepest = 1;
    for (int i = 0; i < imp->args; i++) {
        int depth = depth_of(imp->arg[i]);
        deepest = depth > deepest ? depth : deepest;
    }
    bool counts = imp_is(imp, IMP_LOOPS | IMP_BIT(FILL) | IMP_BIT(COPY)) && !is_short(imp);
    return deepest + counts;
}

static bool is_loaded(const struct imp *imp, void *data)
{
    struct looks *l = data;
    return imp->kind == IMP_LOAD
           || (imp->kind == IMP_VAR && *var_map_at(l->names.cx, &l->loaded, imp->var));
}

/* Notes loads in the order of the code, in which values come about. */
static bool note_loaded(const struct imp *imp, void *data)
{
    struct looks *l = data;
    if ((imp_defines(imp) || imp->kind == IMP_ASSIGN) && imp_any(imp->arg[0], is_loaded, l))
        *var_map_at(l->names.cx, &l->loaded, imp->var) = l;
    return false;
}

/* Does the loop go over a whole mode, whatever is stored? */
static bool is_whole(struct looks *l, const struct imp *loop)
{
    int bounds = loop->kind == IMP_FOR ? 2 : 1;
    for (int i = 0; i < bounds; i++)
        if (imp_any(loop->arg[i], is_loaded, l))
            return false;
    return true;
}

static bool is_whole_loop(const struct imp *imp, void *l)
{
    return imp_is(imp, IMP_LOOPS) && !is_short(imp) && is_whole(l, imp);
}

/* Does the body leave the loop that it is of? */
static bool breaks(const struct imp *imp)
{
    bool does = imp->kind == IMP_BREAK;
    for (int i = 0; i < imp->args && !does && !imp_is(imp, IMP_LOOPS); i++)
        does = breaks(imp->arg[i]);
    return does;
}

/* Returns how many iterations come between two looks; 0: it does not look. */
static int64_t stretch_of(struct looks *l, const struct imp *loop, bool outermost)
{
    const struct imp *body = loop->arg[loop->args - 1];
    int inside = depth_of(body);
    if (is_short(loop) || (loop->kind == IMP_FOR && type_size(loop->var->type) < 4))
        return 0;
    if (loop->kind == IMP_WHILE || breaks(body))
        return inside > 1 || (inside == 1 && is_whole(l, loop) && imp_any(body, is_whole_loop, l));
    if (inside == 0)
        return outermost ? STRETCH_ALONE : 0;
    if (inside == 1)
        return outermost || is_whole(l, loop) ? STRETCH_ROWS : 0;
    return inside == 2 ? STRETCH_NESTS : 1;
}

/* ---- the looks ---- */

static void add_look(struct imp_builder *b)
{
    imp_add(b, imp_if(b->cx, imp_stopped(b->cx), imp_fail(b->cx, STATUS_STOPPED), NULL));
}

/* Returns the loop, which looks in each iteration. */
static const struct imp *looking(struct context *cx, const struct imp *loop)
{
    struct imp_builder b = {.cx = cx};
    imp_begin(&b);
    add_look(&b);
    imp_add_all(&b, loop->arg[loop->args - 1]);
    return imp_around(cx, loop, imp_end(&b));
}

static struct imp_var *named_after(struct looks *l, const struct imp *loop, const char *what)
{
    struct context *cx = l->names.cx;
    const char *name = arena_printf(cx->arena, "%s_%s", imp_stem(loop->var), what);
    return vector_var(&l->names, name, loop->var->type, 1);
}

/* Returns the for loop as one over stretches.  Where less than a stretch is left, nothing is added,
 * since that might overflow. */
static const struct imp *stretched(struct looks *l, const struct imp *loop, int64_t stretch)
{
    struct context *cx = l->names.cx;
    struct imp_builder b = {.cx = cx};
    struct imp_var *at = named_after(l, loop, "at");
    const struct imp *begin = loop->arg[0], *last = loop->arg[1],
                     *n = imp_int(cx, loop->var->type, stretch * loop->n);
    imp_begin(&b);
    const struct imp *from = imp_let(&b, at, imp_cast(cx, at->type, begin));
    if (!imp_is_leaf(last))
        last = imp_let(&b, named_after(l, loop, "last"), imp_cast(cx, at->type, last));
    imp_begin(&b);
    add_look(&b);
    const struct imp *left = imp_op2(cx, OP_SUB, last, from),
                     *more = imp_select(cx, imp_op2(cx, OP_GT, left, n),
                                        imp_op2(cx, OP_ADD, from, n), last),
                     *end = imp_let(&b, named_after(l, loop, "end"), more);
    imp_add(&b, imp_between(cx, loop, from, end));
    imp_add(&b, imp_assign(cx, at, OP_NONE, end));
    const struct imp *body = imp_end(&b);
    imp_add(&b, imp_while(cx, imp_op2(cx, OP_LT, from, last), body));
    return imp_end(&b);
}

/* Returns the statement with looks in its loops.  A part is a function of its own: its outer loops
 * are in no others. */
static const struct imp *look(struct looks *l, const struct imp *imp, bool outermost)
{
    struct context *cx = l->names.cx;
    if (imp->args == 0 || imp_is_expression(imp))
        return imp;
    const struct imp **arg = arena_copy(cx->arena, imp->arg, sizeof *arg * (size_t)imp->args);
    int64_t stretch = imp_is(imp, IMP_LOOPS) ? stretch_of(l, imp, outermost) : 0;
    bool inner = imp_is(imp, IMP_LOOPS) && !is_short(imp) ? false : outermost;
    for (int i = 0; i < imp->args; i++)
        arg[i] = look(l, arg[i], inner || imp->kind == IMP_PARALLEL);
    imp = imp_with_args(cx, imp, arg);
    return stretch == 0 ? imp : stretch == 1 ? looking(cx, imp) : stretched(l, imp, stretch);
}

const struct imp_function *imp_look_for_stops(struct context *cx,
                                              const struct imp_function *function,
                                              const struct pass_options *options)
{
    struct looks l = {.names = {.cx = cx, .function = function}};
    if (!options->stops || function->launches || imp_has(function->body, IMP_BIT(LAUNCH)))
        return function;
    imp_any(function->body, note_loaded, &l);
    return imp_with_body(cx, function, look(&l, function->body, true));
}
