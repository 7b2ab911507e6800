/* node.h - what the files of constructors share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_NODE_H
#define SPCC_IMPERATIVE_NODE_H

#include "compiler/imperative/imperative.h"

/* Returns a node with these args, without a type. */
struct imp *imp_node(struct context *cx, enum imp_kind kind, const struct imp *const *arg,
                     int args);
/* IMP_STORE, IMP_ATOMIC or IMP_UPDATE */
const struct imp *imp_combination(struct context *cx, enum imp_kind kind,
                                  const struct imp_var *array, const struct imp *position,
                                  enum op op, const struct imp *value);

static inline bool imp_is_integer(const struct imp *imp)
{
    return imp_is_expression(imp) && type_is_integer(imp->type) && imp->lanes == 1;
}

static inline bool imp_is_condition(const struct imp *imp)
{
    return imp_is_expression(imp) && imp->type == TYPE_BOOL && imp->lanes == 1;
}

#endif
