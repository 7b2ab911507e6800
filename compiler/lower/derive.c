/* derive.c - the coordinates and sizes of index variables in the kernel being lowered.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/kernel.h"

/* The variable of the notation, for one that the compiler made. */
static const struct index_var *origin(const struct index_var *var)
{
    while (var->like)
        var = var->like;
    return var;
}

const struct imp *kernel_find_size(const struct kernel *k, const struct index_var *var)
{
    for (size_t i = 0; i < k->size.n; i++)
        if (origin(k->size.at[i].var) == origin(var))
            return k->size.at[i].size;
    return NULL;
}

const struct imp *kernel_size(struct kernel *k, const struct index_var *var)
{
    if (var->size >= 0)
        return imp_int(k->cx, k->request->coordinates, var->size);
    const struct imp *size = kernel_find_size(k, var);
    context_assert(k->cx, size);
    return size;
}

const struct imp *kernel_low(struct kernel *k, const struct index_var *var)
{
    (void)k;
    (void)var;
    return NULL;
}

const struct imp *kernel_end(struct kernel *k, const struct index_var *var)
{
    return kernel_size(k, var);
}

void kernel_level_range(struct kernel *k, const struct cin *access, int level, struct level_code *code)
{
    const struct format *format = access->tensor->format;
    const struct tensor_code *tensor = kernel_code(k, access->tensor);
    const struct index_var *var = access->index[format->level[level].mode];
    code->low = kernel_low(k, var);
    code->dimension = kernel_size(k, var);
    code->scalar = tensor->scalar ? tensor->scalar[level] : NULL;
    if (level > 0)
        code->above_end = kernel_end(k, access->index[format->level[level - 1].mode]);
}

const struct imp *scope_coordinate(const struct scope *scope, const struct index_var *var)
{
    for (int i = 0; i < scope->bound.n; i++)
        if (scope->bound.var[i] == var)
            return scope->coordinate[i];
    return NULL;
}

void scope_bind(struct kernel *k, struct scope *scope, const struct index_var *var, const struct imp *coordinate)
{
    context_assert(k->cx, scope->bound.n < 64);
    scope->coordinate[scope->bound.n] = coordinate;
    scope->bound.var[scope->bound.n++] = var;
}
