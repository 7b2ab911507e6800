/* early_exit.c - loops that end where nothing changes any more what they reduce into.
 *
 *     for (p = pos[i]; p < pos[i + 1]; p++)
 *         found |= A_vals[p] && x[A_crd[p]];
 *
 * goes on after it has found something.  A value that annihilates stays as it is, whatever it is
 * combined with, so the loop may end there:
 *
 *     for (p = pos[i]; p < pos[i + 1]; p++) {
 *         found |= A_vals[p] && x[A_crd[p]];
 *         if (found)
 *             break;
 *     }
 *
 * and so may each loop around it that does nothing else.  This is for truth values: of other types
 * the value that annihilates is one of many, and seldom met.  A loop that goes along its operands
 * side by side is left to the C compiler, which has vectors for it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* The variable that a loop reduces into, and the value with which the loop is done. */
struct reduced {
    const struct imp *loop;
    const struct imp_var *var; /* NULL: none so far */
    bool enough;
};

/* Does the update keep a value that equals *enough? */
static bool annihilates(const struct imp *update, bool *enough)
{
    struct value result;
    if (update->var->type != TYPE_BOOL || update->var->lanes > 1 || update->op == OP_NONE)
        return false;
    for (int b = 0; b < 2; b++) {
        struct value v = value_int(TYPE_BOOL, b);
        if (op_absorbs(update->op, SIDE_LEFT, v, &result) && value_equal(v, result)) {
            *enough = b;
            return true;
        }
    }
    return false;
}

/* Does the statement do anything but reduce into r->var, by an operator with this annihilator? */
static bool does_more(const struct imp *imp, void *data)
{
    struct reduced *r = data;
    bool enough;
    switch (imp->kind) {
    case IMP_ASSIGN:
        if (imp->var != r->var && imp_declares_inside(r->loop, imp->var))
            return false;
        if (!annihilates(imp, &enough) || (r->var && (r->var != imp->var || r->enough != enough)))
            return true;
        r->var = imp->var;
        r->enough = enough;
        return imp_mentions(imp->arg[0], imp->var);
    case IMP_CALL:
    case IMP_EXCHANGE:
    case IMP_UPDATE:
    case IMP_FETCH: return !imp_is_pure(imp);
    case IMP_BLOCK:
    case IMP_DECLARE:
    case IMP_IF:
    case IMP_FOR:
    case IMP_WHILE:
    case IMP_BREAK:
    case IMP_PREFETCH:
    case IMP_COMMENT: return false;
    default: return !imp_is_expression(imp);
    }
}

static bool jumps(const struct imp *imp, void *data)
{
    return imp->kind == IMP_FOR || imp->kind == IMP_WHILE
           || (imp->kind == IMP_LOAD && !lanes_is_contiguous(data, imp->arg[0]));
}

static const struct imp *with_end(struct context *cx, const struct imp *loop,
                                  const struct reduced *r)
{
    struct imp_builder b = {.cx = cx};
    const struct imp *value = imp_read(cx, r->var);
    imp_begin(&b);
    imp_add_all(&b, loop->arg[2]);
    imp_add(&b, imp_if(cx, r->enough ? value : imp_op1(cx, OP_NOT, value), imp_break(cx), NULL));
    return imp_around(cx, loop, imp_end(&b));
}

static const struct imp *ended(struct context *cx, const struct imp *loop, void *data)
{
    struct reduced r = {.loop = loop};
    if (loop->kind != IMP_FOR || (loop->mark && loop->mark->asked)
        || imp_any(loop->arg[2], does_more, &r) || !r.var || imp_declares_inside(loop, r.var))
        return loop;
    struct lanes along = lanes_in(cx, loop);
    return imp_any(loop->arg[2], jumps, &along) ? with_end(cx, loop, &r) : loop;
}

const struct imp_function *imp_exit_early(struct context *cx, const struct imp_function *function,
                                          const struct pass_options *options)
{
    const struct imp *body = imp_rewrite(cx, function->body, ended, NULL);
    return imp_with_body(cx, function, body);
}
