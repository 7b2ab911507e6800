/* needs.c - which of the operands that may be absent have to be there for an assignment to have an
 * effect.
 *
 * Scalar temporaries may be absent, and operands whose presence a flat loop leaves open.
 *
 * The condition follows the expression.  Of each node it is found which sets of its args, where the
 * other args are what they are with all operands absent, give the node another value than all of
 * them absent: of a product mostly the set of all, of a sum each alone.  The least of these sets
 * are the node's condition, with each arg's own condition in place of the arg: so it has as many
 * parts as the expression has, however many sets of operands fulfil it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

#include "compiler/base/vec.h"

/* Lists the value's scalar temporaries, and the operands whose presence is open. */
static struct cin_list perhaps_absent(struct context *cx, const struct tree_node *assign)
{
    struct cin_list read = cin_operands(cx, assign->statement->arg[1]), some = {0};
    for (size_t i = 0; i < read.n; i++)
        if (tensor_var_is_scalar(read.at[i]->tensor)
            || cin_list_has(&assign->around.unsure, read.at[i]))
            vec_push(cx->arena, &some, read.at[i]);
    return some;
}

static struct tree_condition *condition(struct context *cx, enum tree_condition_kind kind,
                                        int operand)
{
    struct tree_condition *made = arena_make(cx->arena, struct tree_condition);
    *made = (struct tree_condition){.kind = kind, .operand = operand};
    return made;
}

/* Adds a part, or the parts of a part of the same kind. */
static void add_part(struct context *cx, struct tree_condition *to,
                     const struct tree_condition *part)
{
    if (part->kind != to->kind) {
        vec_push(cx->arena, &to->part, part);
        return;
    }
    for (size_t i = 0; i < part->part.n; i++)
        vec_push(cx->arena, &to->part, part->part.at[i]);
}

/* ---- assignments that have an effect with all operands absent ---- */

/* More cases than these are not told apart. */
enum { CASES_MAX = 32 };

/* Finds the cases in which the assignment has an effect.  The operands before the n-th are decided:
 * the assignment has the fills of those that are absent. */
static void find_cases(struct context *cx, const struct cin_list *operand,
                       struct tree_condition *any, const struct cin *assign, size_t n,
                       const struct tree_condition *now)
{
    struct cin_list open = {.at = operand->at + n, .n = operand->n - n};
    assign = cin_simplify_unsure(cx, assign, &open);
    if (assign == cin_nothing(cx) || any->part.n > CASES_MAX)
        return;
    if (n == operand->n || !cin_may_be_nothing(cx, assign, &open)) {
        vec_push(cx->arena, &any->part, now);
        return;
    }
    const struct cin *access = operand->at[n],
                     *without =
                         cin_replace(cx, assign, access, cin_literal(cx, access->tensor->fill));
    if (!cin_uses_tensor(assign->arg[1], access->tensor)) {
        find_cases(cx, operand, any, assign, n + 1, now);
        return;
    }
    for (int absent = 0; absent <= 1; absent++) {
        struct tree_condition *next = condition(cx, TREE_ALL, 0);
        add_part(cx, next, now);
        add_part(cx, next, condition(cx, absent ? TREE_ABSENT : TREE_PRESENT, (int)n));
        find_cases(cx, operand, any, absent ? without : assign, n + 1, next);
    }
}

/* ---- assignments that have none then ---- */

/* What a value is with all operands absent, and when it is another.  NULL: never. */
struct differing {
    const struct cin *absent;
    const struct tree_condition *when;
};

static struct differing differs(struct context *cx, const struct cin_list *operand,
                                const struct cin *value);

/* Has the node another value than with all operands absent if the args of this set are as they are,
 * and the others absent? */
static bool set_matters(struct context *cx, const struct cin *node, const struct differing *of,
                        unsigned set, const struct cin *absent)
{
    const struct cin *arg[CIN_ARGS_MAX];
    for (int i = 0; i < node->args; i++)
        arg[i] = set >> i & 1 ? node->arg[i] : of[i].absent;
    return !cin_alike(cin_simplify_with(cx, node, arg, &(struct cin_list){0}), absent);
}

static struct differing node_differs(struct context *cx, const struct cin_list *operand,
                                     const struct cin *node)
{
    struct differing of[CIN_ARGS_MAX];
    const struct cin *arg[CIN_ARGS_MAX];
    unsigned open = 0, least[1 << CIN_ARGS_MAX];
    int found = 0;
    for (int i = 0; i < node->args; i++) {
        of[i] = differs(cx, operand, node->arg[i]);
        arg[i] = of[i].absent;
        open |= of[i].when ? 1u << i : 0;
    }
    const struct cin *absent = cin_simplify_with(cx, node, arg, &(struct cin_list){0});
    struct tree_condition *any = condition(cx, TREE_ANY, 0);
    for (int size = 1; size <= node->args; size++) {
        for (unsigned set = 1; set <= open; set++) {
            bool known = (set & ~open) || __builtin_popcount(set) != size;
            for (int i = 0; i < found && !known; i++)
                known = (set & least[i]) == least[i];
            if (known || !set_matters(cx, node, of, set, absent))
                continue;
            least[found++] = set;
            struct tree_condition *all = condition(cx, TREE_ALL, 0);
            for (int i = 0; i < node->args; i++)
                if (set >> i & 1)
                    add_part(cx, all, of[i].when);
            add_part(cx, any, all->part.n == 1 ? all->part.at[0] : all);
        }
    }
    return (struct differing){absent, any->part.n == 1 ? any->part.at[0]
                                      : any->part.n    ? any
                                                       : NULL};
}

static struct differing differs(struct context *cx, const struct cin_list *operand,
                                const struct cin *value)
{
    for (size_t n = 0; n < operand->n; n++)
        if (operand->at[n] == value)
            return (struct differing){cin_literal(cx, value->tensor->fill),
                                      condition(cx, TREE_PRESENT, (int)n)};
    return value->args ? node_differs(cx, operand, value) : (struct differing){value, NULL};
}

struct tree_needs tree_needs(struct context *cx, const struct tree *tree,
                             const struct tree_node *assign)
{
    const struct tensor_var *target = assign->statement->arg[0]->tensor;
    struct tree_needs needs = {.operand = perhaps_absent(cx, assign)};
    bool shows = target->temporary
                     ? tree_assembles_some(tree)
                           && (tensor_var_is_scalar(target) || !format_is_dense(target->format))
                     : tree_assembles(tree_of_result(tree, target));
    if (!shows)
        return needs;
    bool scalar = false;
    for (size_t i = 0; i < needs.operand.n; i++)
        scalar |= tensor_var_is_scalar(needs.operand.at[i]->tensor);
    const struct cin *background = cin_with_fills(cx, assign->statement, &needs.operand);
    if (cin_simplify(cx, background) != cin_nothing(cx)) {
        struct tree_condition *any = condition(cx, TREE_ANY, 0);
        find_cases(cx, &needs.operand, any, assign->statement, 0, condition(cx, TREE_ALL, 0));
        bool always = any->part.n > CASES_MAX || !any->part.n;
        for (size_t i = 0; i < any->part.n; i++)
            always |= any->part.at[i]->part.n == 0;
        needs.effect = always ? NULL : any;
    } else if (scalar || assign->around.shared) { /* else the loop has asked for the operands */
        needs.effect = differs(cx, &needs.operand, assign->statement->arg[1]).when;
    }
    return needs;
}
