/* workspace.h - what the files share that make workspaces; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_WORKSPACE_H
#define SPCC_LOWER_WORKSPACE_H

#include "compiler/lower/kernel.h"

/* One way to write a workspace. */
struct workspace_way {
    /* before the producer */
    void (*open)(struct kernel *k, struct workspace *ws);
    void (*store)(struct kernel *k, const struct scope *scope, struct workspace *ws, enum op op,
                  /* value is NULL where patterns alone are made */
                  const struct imp *value);
    /* between; NULL: there is nothing to do */
    void (*finish)(struct kernel *k, struct workspace *ws);
    /* after the consumer; or NULL */
    void (*close)(struct kernel *k, const struct workspace *ws);
};

extern const struct workspace_way workspace_list, workspace_insert, workspace_table;

static inline const struct index_var *workspace_var(const struct workspace *ws, int level)
{
    return access_level_var(ws->assign->arg[0], level);
}

static inline struct level_code workspace_level(struct kernel *k, const struct workspace *ws,
                                                int level, const struct imp *parent)
{
    return kernel_level(k, ws->assign->arg[0], level, parent, NULL);
}

static inline const struct imp *workspace_zero(struct kernel *k)
{
    return imp_int(k->cx, TYPE_I64, 0);
}

static inline void workspace_prologue(struct kernel *k, const struct imp *statement)
{
    vec_push(k->cx->arena, &k->prologue, statement);
}

/* Close a block of the builder and put what is in it around all loops. */
static inline void workspace_end_prologue(struct kernel *k)
{
    const struct imp *block = imp_end(&k->b);
    for (int i = 0; i < block->args; i++)
        workspace_prologue(k, block->arg[i]);
}

/* Declare an array around all loops. */
static inline void workspace_declare(struct kernel *k, const struct imp_var *array)
{
    workspace_prologue(k, imp_declare(k->cx, array, NULL));
}

#endif
