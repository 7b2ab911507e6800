/* kernel.c - names, sizes and parameters of the kernel being lowered; lookups in scopes.
 *
 * Parameters (contract: the generated function) come tensor by tensor, operands in order and the result last: the sizes
 * of its modes that no earlier tensor gives, the arrays of its levels, its values.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/kernel.h"

#include <string.h>

static bool is_used(const struct kernel *k, const char *name)
{
    for (size_t i = 0; i < k->names.n; i++)
        if (!strcmp(k->names.at[i], name))
            return true;
    return false;
}

static const char *unused_name(struct kernel *k, const char *wanted)
{
    const char *name = wanted;
    for (int n = 2; is_used(k, name); n++)
        name = arena_printf(k->cx->arena, "%s_%d", wanted, n);
    vec_push(k->cx->arena, &k->names, name);
    return name;
}

const char *kernel_name(struct kernel *k, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *wanted = arena_vprintf(k->cx->arena, format, args);
    va_end(args);
    return unused_name(k, wanted);
}

struct imp_var *kernel_var(struct kernel *k, enum type type, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *wanted = arena_vprintf(k->cx->arena, format, args);
    va_end(args);
    return imp_var(k->cx, unused_name(k, wanted), type);
}

enum type level_position_type(enum type array)
{
    return array == TYPE_I32 ? TYPE_I32 : TYPE_I64;
}

/* ---- parameters ---- */

/* Every access of a tensor, read or written. */
static struct cin_list accesses_of(struct kernel *k, const struct tensor_var *tensor)
{
    struct cin_list list = {0}, read = cin_operands(k->cx, k->request->program->statement);
    struct cin_list made = cin_assignments(k->cx, k->request->program->statement);
    for (size_t i = 0; i < read.n; i++)
        if (read.at[i]->tensor == tensor)
            vec_push(k->cx->arena, &list, read.at[i]);
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->arg[0]->tensor == tensor)
            vec_push(k->cx->arena, &list, made.at[i]->arg[0]);
    return list;
}

static void add_param(struct kernel *k, const struct tensor_code *code, struct imp_param param)
{
    param.tensor = code->tensor->rank;
    vec_push(k->cx->arena, &k->params, param);
}

static const struct imp *size_param(struct kernel *k, const struct tensor_code *code, int mode,
                                    const struct index_var *var)
{
    const struct tensor_var *t = code->tensor;
    struct imp_var *size = kernel_var(k, k->request->coordinates, "%s%d_dimension", t->name, mode + 1);
    size->constant = true;
    const char *meaning = arena_printf(k->cx->arena, "size of mode %d of %s: the range of %s", mode + 1, t->name,
                                       var->name);
    if (var->size >= 0)
        meaning = arena_printf(k->cx->arena, "%s, which must be %lld", meaning, (long long)var->size);
    add_param(k, code, (struct imp_param){.var = size, .role = ROLE_DIMENSION, .mode = mode, .meaning = meaning});
    return imp_read(k->cx, size);
}

/* The variables that index a mode share one size. */
static void declare_mode(struct kernel *k, const struct tensor_code *code, const struct cin_list *accesses, int mode)
{
    const struct imp *size = NULL;
    for (size_t i = 0; i < accesses->n && !size; i++)
        size = kernel_find_size(k, accesses->at[i]->index[mode]);
    if (!size && accesses->n)
        size = size_param(k, code, mode, accesses->at[0]->index[mode]);
    for (size_t i = 0; i < accesses->n; i++)
        if (!kernel_find_size(k, accesses->at[i]->index[mode]))
            vec_push(k->cx->arena, &k->size, ((struct sized_var){accesses->at[i]->index[mode], size}));
}

static const char *array_meaning(struct kernel *k, const struct tensor_var *t, int level, int array)
{
    const struct level_format *format = &t->format->level[level];
    const char *what = format->type->array[array].kind == LEVEL_POSITIONS ? "where each segment begins and ends"
                                                                          : "coordinates";
    return arena_printf(k->cx->arena, "%s, level %d (%s): %s", t->name, level + 1, format->type->name, what);
}

static void declare_array(struct kernel *k, struct tensor_code *code, int level, int array)
{
    const struct tensor_var *t = code->tensor;
    const struct level_format *format = &t->format->level[level];
    const struct level_array *a = &format->type->array[array];
    bool out = kernel_is_result(k, t);
    if (a->kind == LEVEL_NO_ARRAY || (out && !k->request->assembles))
        return;
    const char *name = kernel_name(k, "%s%d_%s", t->name, level + 1, a->name);
    struct imp_var *var = imp_array(k->cx, name, level_array_type(format, array), !out);
    var->restricted = true;
    code->array[level][array] = var;
    add_param(k, code, (struct imp_param){.var = var, .role = ROLE_ARRAY, .level = level, .array = array, .out = out,
                                          .meaning = array_meaning(k, t, level, array)});
}

static void declare_values(struct kernel *k, struct tensor_code *code)
{
    const struct tensor_var *t = code->tensor;
    bool result = kernel_is_result(k, t);
    if (result && !k->request->computes)
        return;
    struct imp_var *var = imp_array(k->cx, kernel_name(k, "%s_vals", t->name), t->type, !result);
    var->restricted = true;
    code->values = var;
    add_param(k, code, (struct imp_param){.var = var, .role = ROLE_VALUES,
                                          .out = result && result_appends(k) && k->request->assembles,
                                          .meaning = arena_printf(k->cx->arena, "%s's values", t->name)});
}

static void declare_tensor(struct kernel *k, int rank)
{
    struct tensor_code *code = &k->code[rank];
    code->tensor = k->request->tensor[rank];
    const struct format *format = code->tensor->format;
    struct cin_list accesses = accesses_of(k, code->tensor);
    code->array = arena_alloc(k->cx->arena, sizeof *code->array * (size_t)format->levels);
    for (int mode = 0; mode < code->tensor->order; mode++)
        declare_mode(k, code, &accesses, mode);
    for (int level = 0; level < format->levels; level++)
        for (int array = 0; array < LEVEL_ARRAYS; array++)
            declare_array(k, code, level, array);
    declare_values(k, code);
}

void kernel_declare_tensors(struct kernel *k)
{
    k->code = arena_array(k->cx->arena, struct tensor_code, k->request->tensors);
    for (int rank = 1; rank < k->request->tensors; rank++)
        declare_tensor(k, rank);
    declare_tensor(k, 0);
}

struct tensor_code *kernel_code(struct kernel *k, const struct tensor_var *tensor)
{
    context_assert(k->cx, !tensor->temporary && tensor->rank < k->request->tensors);
    return &k->code[tensor->rank];
}

bool kernel_is_result(const struct kernel *k, const struct tensor_var *tensor)
{
    return tensor == k->request->program->result;
}

/* ---- diagnostics ---- */

static bool find_access(const struct tin *tin, const struct tensor_var *tensor, struct span *span)
{
    if (tin->kind == TIN_ACCESS && tin->tensor->name == tensor->name) {
        *span = tin->span;
        return true;
    }
    for (int i = 0; i < tin->args; i++)
        if (find_access(tin->arg[i], tensor, span))
            return true;
    return false;
}

struct diag *kernel_refuse(struct kernel *k, enum diag_code code, const struct tensor_var *tensor, const char *format, ...)
{
    struct span span = {0};
    find_access(k->request->notation, tensor, &span);
    va_list args;
    va_start(args, format);
    struct diag *diag = diag_error(k->cx, code, span, "%s", arena_vprintf(k->cx->arena, format, args));
    va_end(args);
    k->failed = true;
    return diag;
}

/* ---- levels and scopes ---- */

struct level_code kernel_level(struct kernel *k, const struct cin *access, int level, const struct imp *parent,
                               const struct imp *next)
{
    struct tensor_code *code = kernel_code(k, access->tensor);
    const struct level_format *format = &access->tensor->format->level[level];
    struct level_code lc = {.b = &k->b, .format = format, .parent = parent, .coordinates = k->request->coordinates};
    memcpy(lc.array, code->array[level], sizeof lc.array);
    kernel_level_range(k, access, level, &lc);
    lc.parent_next = next ? next : imp_op2(k->cx, OP_ADD, parent, imp_int(k->cx, parent->type, 1));
    lc.kernel = k;
    lc.position_name = arena_printf(k->cx->arena, "p%s%d", access->tensor->name, level + 1);
    return lc;
}

const struct access_place *scope_access(const struct scope *scope, const struct cin *access)
{
    const struct access_place *place = scope->accesses;
    while (place && place->access != access)
        place = place->outer;
    return place;
}

const struct temporary_place *scope_temporary(const struct scope *scope, const struct tensor_var *tensor)
{
    const struct temporary_place *place = scope->temporaries;
    while (place && place->tensor != tensor)
        place = place->outer;
    return place;
}

