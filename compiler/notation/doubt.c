/* doubt.c - sums that follow the rule, although a reader may have meant them elsewhere.
 *
 * sqrt(x(i) * x(i)) is summed from outside, as sum(i, sqrt(x(i) * x(i))), while a product by
 * itself would be summed inside.  A note tells whoever wants the norm.  An expression of plain
 * components, such as abs(x(i)) or A(i,j) > 0, is not in doubt.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"

#include "compiler/base/text.h"
#include "compiler/value/operator.h"

static bool uses_any(const struct tin *node, const struct tin *sum)
{
    bool uses = false;
    for (int i = 0; i < sum->indices && !uses; i++)
        uses = tin_uses_name(node, sum->index[i]->name);
    return uses;
}

/* Is it computed from something that the sum is over? */
static bool is_computed(const struct tin *node, const struct tin *sum)
{
    return node->kind == TIN_OP && uses_any(node, sum);
}

static bool is_linear(enum op op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_NEG || op == OP_MUL;
}

/* Is it an implicit sum around a function of something that could be summed by itself? */
static bool is_doubtful(const struct tin *sum)
{
    bool doubtful = false;
    if (sum->kind != TIN_REDUCE || sum->index_span || sum->arg[0]->kind != TIN_OP
        || is_linear(sum->arg[0]->op))
        return false;
    for (int i = 0; i < sum->arg[0]->args && !doubtful; i++)
        doubtful = is_computed(sum->arg[0]->arg[i], sum);
    return doubtful;
}

static const struct tin *find_doubtful(const struct tin *node)
{
    const struct tin *found = is_doubtful(node) ? node : NULL;
    for (int i = 0; i < node->args && !found; i++)
        found = find_doubtful(node->arg[i]);
    return found;
}

const char *tin_doubt(struct context *cx, const struct tin *checked)
{
    const struct tin *sum = find_doubtful(checked);
    struct text text = text_new(cx->arena);
    if (!sum)
        return NULL;
    tin_print(&text, sum);
    return arena_printf(
        cx->arena, "the sum over %s is around %s: %.200s%s; write the sum if it is meant inside",
        sum->index[0]->name, operator_name(cx, sum->arg[0]->op), text.at,
        text.n > 200 ? "..." : "");
}
