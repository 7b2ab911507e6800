/* split_appends.c - what is appended all along segments that follow each other is appended at once.
 *
 *     for (i = 0; i < n; i++) {
 *         ...
 *         for (p = pos[i]; p < pos[i + 1]; p++) {
 *             X[c] = A[p];
 *             c++;
 *         }
 *         ... c ...
 *     }
 *
 *     for (p = pos[0]; p < pos[n]; p++)
 *         X[c + (p - pos[0])] = A[p];
 *     for (i = 0; i < n; i++) {
 *         ...
 *         c += pos[i + 1] - pos[i];
 *         ... c ...
 *     }
 *
 * Segments may be short, and where they end no processor foresees.  What the first loop stores
 * needs nothing that the second computes, and the second does not look at it.  What a segment is
 * filled with, as its row in a list, stays where the row is known.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

struct stream {
    struct context *cx;
    const struct imp *loop, *inner;
    const struct imp_var *counter;
    VEC(const struct imp *) moved, left; /* of the inner loop's statements but the last */
};

/* Is it declared or assigned to in the loop around, but not by the inner one? */
static bool is_of_loop(const struct stream *s, const struct imp_var *var)
{
    return var != s->inner->var && !imp_declares_inside(s->inner->arg[2], var)
           && (var == s->loop->var || imp_changes(s->loop->arg[2], var));
}

static bool needs_loop(const struct imp *imp, void *data)
{
    return imp->kind == IMP_CALL || (imp->kind == IMP_LOAD && !imp->var->constant)
           || (imp->kind == IMP_VAR && is_of_loop(data, imp->var));
}

static bool stores_entry(const struct stream *s, const struct imp *imp)
{
    return imp->kind == IMP_STORE && imp->op == OP_NONE && imp->lanes == 1
           && imp_is_read(imp_bare(imp->arg[0]), s->counter);
}

/* May the statement of the inner loop, which is not its last, be moved: does it declare, or append,
 * what needs nothing else? */
static bool is_moved(struct stream *s, const struct imp *imp)
{
    if (imp->kind == IMP_DECLARE)
        return imp->args == 1 && !imp->var->array && !imp_any(imp->arg[0], needs_loop, s);
    return stores_entry(s, imp) && !imp_any(imp->arg[1], needs_loop, s)
           && imp_uses(s->loop, imp->var) == imp_uses(s->inner, imp->var);
}

/* Is the segment filled with one value? */
static bool is_left(const struct stream *s, const struct imp *imp)
{
    return stores_entry(s, imp) && imp_is_fixed(s->inner, imp->arg[1]);
}

/* Does the inner loop append an entry for each of its own, and nothing else? */
static bool appends(struct stream *s)
{
    const struct imp *body = s->inner->arg[2], *last = body_last(body);
    if (last->kind != IMP_ASSIGN || last->op != OP_ADD
        || !imp_equal(last->arg[0], imp_int(s->cx, last->var->type, 1)))
        return false;
    s->counter = last->var;
    for (int i = 0; i < body_count(body) - 1; i++) {
        const struct imp *at = body_at(body, i);
        if (is_moved(s, at))
            vec_push(s->cx->arena, &s->moved, at);
        else if (is_left(s, at))
            vec_push(s->cx->arena, &s->left, at);
        else
            return false;
    }
    return s->moved.n > 0;
}

/* Returns the loop's body with `instead` for the statement at `place`; it alone changes the
 * counter: else NULL. */
static const struct imp *body_with(const struct stream *s, int place, const struct imp *instead)
{
    const struct imp *body = s->loop->arg[2];
    const struct imp **arg = arena_array(s->cx->arena, const struct imp *, body->args);
    for (int i = 0; i < body->args; i++) {
        if (i != place && imp_assigns(body->arg[i], s->counter))
            return NULL;
        arg[i] = i == place ? instead : body->arg[i];
    }
    return imp_with_args(s->cx, body, arg);
}

/* Returns the statements that are moved, for all segments, the first of which begins at `begin`. */
static const struct imp *moved(const struct stream *s, const struct imp *begin)
{
    const struct imp *way = imp_read(s->cx, s->counter);
    struct imp_builder b = {.cx = s->cx};
    way = imp_op2(
        s->cx, OP_ADD, way,
        imp_cast(s->cx, way->type, imp_op2(s->cx, OP_SUB, imp_read(s->cx, s->inner->var), begin)));
    imp_begin(&b);
    for (size_t i = 0; i < s->moved.n; i++) {
        const struct imp *at = s->moved.at[i];
        imp_add(&b,
                at->kind == IMP_STORE ? imp_store(s->cx, at->var, way, OP_NONE, at->arg[1]) : at);
    }
    return imp_end(&b);
}

/* Returns the rest of the inner loop: the statements that stay, and the counter. */
static const struct imp *left(const struct stream *s)
{
    struct context *cx = s->cx;
    if (s->left.n == 0) {
        const struct imp *n = imp_op2(cx, OP_SUB, s->inner->arg[1], s->inner->arg[0]);
        return imp_assign(cx, s->counter, OP_ADD, imp_cast(cx, s->counter->type, n));
    }
    struct imp_builder b = {.cx = cx};
    imp_begin(&b);
    for (size_t i = 0; i < s->left.n; i++)
        imp_add(&b, s->left.at[i]);
    imp_add(&b, body_last(s->inner->arg[2]));
    return imp_around(cx, s->inner, imp_end(&b));
}

/* Returns the for loop without what it appends all along segments, which stands in front of it; or
 * the loop itself. */
static const struct imp *split_loop(struct context *cx, const struct imp *loop, void *data)
{
    const struct imp *body = loop->args ? loop->arg[loop->args - 1] : loop;
    bool whole = loop->kind == IMP_FOR && loop->n == 1 && !imp_has(body, IMP_EXITS);
    for (int i = 0; body->kind == IMP_BLOCK && whole && i < body->args; i++) {
        struct stream s = {.cx = cx, .loop = loop, .inner = body->arg[i]};
        const struct imp *begin, *end;
        if (s.inner->kind != IMP_FOR || !imp_segments_span(cx, loop, s.inner, &begin, &end)
            || !s.inner->mark || s.inner->mark->asked || !appends(&s))
            continue;
        const struct imp *rest = body_with(&s, i, left(&s));
        if (!rest)
            continue;
        const struct imp_mark mark = {.last = s.inner->mark->last};
        const struct imp *one = imp_for(cx, s.inner->var, begin, end, 1, moved(&s, begin)),
                         *both[] = {imp_marked(cx, one, arena_copy(cx->arena, &mark, sizeof mark)),
                                    imp_for(cx, loop->var, loop->arg[0], loop->arg[1], 1, rest)};
        both[1] = split_loop(cx, loop->mark ? imp_marked(cx, both[1], loop->mark) : both[1], data);
        return imp_block(cx, both, 2);
    }
    return loop;
}

const struct imp_function *imp_split_appends(struct context *cx,
                                             const struct imp_function *function,
                                             const struct pass_options *options)
{
    return imp_with_body(cx, function, imp_rewrite(cx, function->body, split_loop, NULL));
}
