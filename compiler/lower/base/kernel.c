/* kernel.c - names, sizes and parameters of the kernel being lowered; lookups in scopes.
 *
 * Parameters (contract: the generated function) come tensor by tensor, operands in order and the
 * result last: the sizes of its modes that no earlier tensor gives, the arrays of its levels, its
 * values.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/kernel.h"
#include "compiler/format/index_array.h"

#include <string.h>

struct tin_list {
    const struct tin **at;
    size_t n, capacity;
};

/* ---- names ---- */

struct imp_var *kernel_var(struct kernel *k, enum type type, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *base_name = arena_vprintf(k->cx->arena, format, args);
    va_end(args);
    return imp_new_var(&k->b, type, base_name);
}

struct imp_var *kernel_array(struct kernel *k, enum type type, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *base_name = arena_vprintf(k->cx->arena, format, args);
    va_end(args);
    struct imp_var *array = imp_array(k->cx, imp_unused_name(&k->b, base_name), type, false);
    array->base_name = base_name;
    return array;
}

/* ---- parameters ---- */

/* Finds the accesses of a tensor in the statement, read or written. */
static void find_accesses(struct kernel *k, const struct tin *tin, const struct tensor_var *tensor,
                          struct tin_list *accesses)
{
    if (tin->kind == TIN_ACCESS && tin->tensor == tensor)
        vec_push(k->cx->arena, accesses, tin);
    for (int i = 0; i < tin->args; i++)
        find_accesses(k, tin->arg[i], tensor, accesses);
}

static void add_param(struct kernel *k, const struct tensor_code *code, struct imp_param param)
{
    param.before = code->tensor->before != NULL;
    param.tensor = param.before ? code->tensor->before->rank : code->tensor->rank;
    vec_push(k->cx->arena, &k->params, param);
}

static const struct imp *size_param(struct kernel *k, const struct tensor_code *code, int mode,
                                    const struct index_var *var)
{
    const struct tensor_var *t = code->tensor;
    struct imp_var *size =
        kernel_var(k, k->request->coordinates, "%s%d_dimension", t->name, mode + 1);
    size->constant = true;
    const char *meaning = arena_printf(k->cx->arena, "size of mode %d of %s", mode + 1, t->name);
    meaning = var->literal ? arena_printf(k->cx->arena, "%s, larger than %lld", meaning,
                                          (long long)var->value)
                           : arena_printf(k->cx->arena, "%s: the range of %s", meaning, var->name);
    if (var->size >= 0)
        meaning =
            arena_printf(k->cx->arena, "%s, which must be %lld", meaning, (long long)var->size);
    add_param(
        k, code,
        (struct imp_param){.var = size, .role = ROLE_DIMENSION, .mode = mode, .meaning = meaning});
    return imp_read(k->cx, size);
}

/* Declares one size for the variables that index a mode. */
static void declare_mode(struct kernel *k, const struct tensor_code *code,
                         const struct tin_list *accesses, int mode)
{
    const struct imp *size = NULL;
    for (size_t i = 0; i < accesses->n && !size; i++)
        size = kernel_find_size(k, accesses->at[i]->index[mode]);
    if (!size && accesses->n)
        size = size_param(k, code, mode, accesses->at[0]->index[mode]);
    for (size_t i = 0; i < accesses->n; i++)
        if (!kernel_find_size(k, accesses->at[i]->index[mode]))
            vec_push(k->cx->arena, &k->size,
                     ((struct sized_var){accesses->at[i]->index[mode], size}));
}

static const char *array_meaning(struct kernel *k, const struct tensor_var *t, int level, int array)
{
    const struct level_format *format = &t->format->level[level];
    return arena_printf(k->cx->arena, "%s%s, level %d (%s): %s",
                        t->before ? t->before->name : t->name, t->before ? " before" : "",
                        level + 1, format->type->name, format->type->array[array].meaning);
}

static void new_code(struct kernel *k, struct tensor_code *code)
{
    size_t levels = (size_t)code->tensor->format->levels;
    code->array = arena_alloc(k->cx->arena, sizeof *code->array * levels);
    code->scalar = arena_array(k->cx->arena, const struct imp_var *, (int)levels);
}

static struct imp_var *new_array(struct kernel *k, struct tensor_code *code, int level, int array)
{
    const struct level_format *format = &code->tensor->format->level[level];
    struct imp_var *var =
        kernel_array(k, level_array_type(format, array), "%s%d_%s", code->tensor->name, level + 1,
                     format->type->array[array].name);
    var->restricted = true;
    code->array[level][array] = var;
    if (format->type->array[array].kind == LEVEL_SCALAR)
        code->scalar[level] =
            kernel_var(k, level_position_type(format->pos), "n%s%d", code->tensor->name, level + 1);
    return var;
}

/* Returns the result that the caller knows as this tensor: the statement may assign a copy of it.
 */
static const struct result *result_of(const struct kernel *k, const struct tensor_var *tensor)
{
    return kernel_is_result(k, tensor) ? &k->result[tensor->rank] : NULL;
}

/* Declares an array of the result: what the kernel assembles is passed out; what says where
 * components are is passed in if it only computes. */
static void declare_array(struct kernel *k, struct tensor_code *code, int level, int array)
{
    const struct tensor_var *t = code->tensor;
    const struct level_type *type = t->format->level[level].type;
    const struct result *r = result_of(k, t);
    if (type->array[array].kind == LEVEL_NO_ARRAY || (r && tree_pattern_operand(r->tree)))
        return;
    bool out = r && tree_assembles(r->tree);
    struct imp_var *var = new_array(k, code, level, array);
    var->constant = !out;
    add_param(k, code,
              (struct imp_param){.var = var,
                                 .role = ROLE_ARRAY,
                                 .level = level,
                                 .array = array,
                                 .out = out,
                                 .meaning = array_meaning(k, t, level, array)});
}

static void declare_values(struct kernel *k, struct tensor_code *code)
{
    const struct tensor_var *t = code->tensor;
    const struct result *r = result_of(k, t);
    if (r && !k->request->computes)
        return;
    struct imp_var *var = kernel_array(k, t->type, "%s_vals", t->name);
    var->constant = !r;
    var->restricted = true;
    code->values = var;
    const struct tensor_var *same = r ? tree_pattern_operand(r->tree) : NULL;
    const char *meaning = arena_printf(k->cx->arena, "%s's values", t->name);
    if (t->before)
        meaning = arena_printf(k->cx->arena, "%s's values before", t->before->name);
    if (same)
        meaning = arena_printf(k->cx->arena, "%s's values: it has the pattern of %s", t->name,
                               same->name);
    add_param(k, code,
              (struct imp_param){.var = var,
                                 .role = ROLE_VALUES,
                                 .meaning = meaning,
                                 .out = r && tree_assembles(r->tree)});
}

/* Is it what the result holds before the statement, in the result's own arrays? */
static bool is_in_place(const struct tensor_var *tensor)
{
    return tensor->before && tensor->before->held;
}

static void declare_tensor(struct kernel *k, int rank)
{
    struct tensor_code *code = &k->code[rank];
    code->tensor = k->request->tensor[rank];
    const struct format *format = code->tensor->format;
    struct tin_list accesses = {0};
    find_accesses(k, k->request->checked, code->tensor, &accesses);
    new_code(k, code);
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
    const struct tensor_var *const *tensor = k->request->tensor;
    int results = k->request->tree->results;
    for (int rank = results; rank < k->request->tensors; rank++)
        if (!is_in_place(tensor[rank]))
            declare_tensor(k, rank);
    for (int rank = 0; rank < results; rank++)
        declare_tensor(k, rank);
    for (int rank = results; rank < k->request->tensors; rank++)
        if (is_in_place(tensor[rank]))
            k->code[rank] = k->code[tensor[rank]->before->rank];
}

void kernel_declare_arrays(struct kernel *k, struct tensor_code *code)
{
    const struct tensor_var *t = code->tensor;
    new_code(k, code);
    for (int level = 0; level < t->format->levels; level++)
        for (int array = 0; array < LEVEL_ARRAYS; array++)
            if (t->format->level[level].type->array[array].kind > LEVEL_NO_ARRAY)
                new_array(k, code, level, array);
    struct imp_var *values = kernel_array(k, t->type, "%s_vals", t->name);
    values->restricted = true;
    code->values = values;
}

struct tensor_code *kernel_code(struct kernel *k, const struct tensor_var *tensor)
{
    struct workspace *ws = tensor->temporary ? kernel_workspace(k, tensor) : NULL;
    if (ws)
        return &ws->code;
    context_assert(k->cx, !tensor->temporary && tensor->rank < k->request->tensors);
    return &k->code[tensor->rank];
}

bool kernel_is_result(const struct kernel *k, const struct tensor_var *tensor)
{
    return !tensor->temporary && tensor->rank < k->request->tree->results;
}

struct result *kernel_next_result(const struct kernel *k, const struct cin *statement,
                                  const struct result *before)
{
    struct result *end = k->result + k->request->tree->results;
    for (struct result *r = before ? k->result + before->rank + 1 : k->result; r < end; r++)
        if (cin_assigns(statement, r->access->tensor))
            return r;
    return NULL;
}

struct result *kernel_find_result(const struct kernel *k, const struct tensor_var *tensor)
{
    struct result *r = kernel_is_result(k, tensor) ? &k->result[tensor->rank] : NULL;
    return r && r->access->tensor == tensor ? r : NULL;
}

bool kernel_is_target(const struct kernel *k, const struct cin *target)
{
    const struct result *r = kernel_find_result(k, target->tensor);
    return r && r->access == target;
}

struct workspace *kernel_workspace(const struct kernel *k, const struct tensor_var *tensor)
{
    for (size_t i = k->workspaces.n; i-- > 0;)
        if (k->workspaces.at[i]->code.tensor == tensor)
            return k->workspaces.at[i];
    return NULL;
}

const struct kernel_table *kernel_table(const struct kernel *k, const struct tensor_var *tensor)
{
    const struct kernel_rows *rows = k->launch ? k->launch->rows : NULL;
    for (int i = 0; rows && i < rows->tables; i++)
        if (rows->table[i].assign->arg[0]->tensor == tensor)
            return &rows->table[i];
    return NULL;
}

/* ---- arrays ---- */

const struct imp_var **code_array(const struct tensor_code *code, int level,
                                  enum level_array_kind kind)
{
    for (int array = 0; array < LEVEL_ARRAYS; array++)
        if (code->tensor->format->level[level].type->array[array].kind == kind)
            return &code->array[level][array];
    return NULL;
}

bool kernel_is_atomic(const struct kernel *k, const struct tensor_var *tensor)
{
    bool atomic = false;
    for (size_t i = 0; k->part && i < k->part->atomics; i++)
        atomic |= k->part->atomic[i] == tensor;
    return atomic;
}

const struct imp *kernel_combine(struct kernel *k, const struct tensor_var *tensor,
                                 const struct imp_var *array, const struct imp *position,
                                 enum op op, const struct imp *value)
{
    return kernel_is_atomic(k, tensor) ? imp_atomic(k->cx, array, position, op, value)
                                       : imp_store(k->cx, array, position, op, value);
}

void kernel_store(struct kernel *k, const struct tensor_var *tensor, const struct imp_var *array,
                  const struct imp *position, enum op op, const struct imp *value)
{
    const struct kernel_begun *begun = begun_enter(k, tensor, position);
    imp_add(&k->b, begun ? imp_assign(k->cx, begun->value, op, value)
                         : kernel_combine(k, tensor, array, position, op, value));
}

/* ---- refusals ---- */

void kernel_refuse(struct kernel *k, const struct cin_tag *tag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *why = arena_vprintf(k->cx->arena, format, args);
    va_end(args);
    if (!k->refused)
        diag_error(k->cx, DIAG_LOWER, tag->span, "%s: %s", cin_unit_name(tag->unit), why);
    k->refused = true;
}

/* ---- room ---- */

void kernel_double(struct kernel *k, const struct imp_var *capacity, const struct imp *needed,
                   int64_t most)
{
    struct context *cx = k->cx;
    enum type type = capacity->type;
    const struct imp *now = imp_read(cx, capacity), *limit = imp_int(cx, type, most);
    const struct imp *half = imp_int(cx, type, most / 2),
                     *twice = imp_op2(cx, OP_MUL, imp_int(cx, type, 2), now);
    if (needed)
        kernel_check_most(k, needed, most);
    else
        imp_add(&k->b,
                imp_if(cx, imp_op2(cx, OP_EQ, now, limit), imp_fail(cx, STATUS_TOO_LARGE), NULL));
    twice = imp_select(cx, imp_op2(cx, OP_GT, now, half), limit, twice);
    if (needed)
        twice = imp_op2(cx, OP_MAX, twice, imp_cast(cx, type, needed));
    imp_add(&k->b, imp_assign(cx, capacity, OP_NONE, twice));
}

void kernel_check_most(struct kernel *k, const struct imp *number, int64_t most)
{
    struct context *cx = k->cx;
    if (index_max(number->type) > most)
        imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_GT, number, imp_int(cx, number->type, most)),
                              imp_fail(cx, STATUS_TOO_LARGE), NULL));
}

/* ---- levels and scopes ---- */

struct level_code kernel_level(struct kernel *k, const struct cin *access, int level,
                               const struct imp *parent, const struct imp *next)
{
    struct tensor_code *code = kernel_code(k, access->tensor);
    const struct level_format *format = &access->tensor->format->level[level];
    struct level_code lc = {.b = &k->b,
                            .format = code->table ? &code->table->format : format,
                            .table = code->table,
                            .parent = parent,
                            .coordinates = k->request->coordinates};
    memcpy(lc.array, code->array[level], sizeof lc.array);
    kernel_level_range(k, access, level, &lc);
    if (access->tensor->pad && level == access->tensor->format->levels - 1)
        lc.dimension = imp_op2(k->cx, OP_ADD, lc.dimension,
                               imp_int(k->cx, lc.dimension->type, access->tensor->pad));
    lc.positions = level == 0 ? code->entries : NULL;
    lc.single = !next;
    lc.parent_next = next ? next : imp_next(k->cx, parent);
    lc.scalar = code->scalar[level];
    lc.position_name = arena_printf(k->cx->arena, "p%s%d", access->tensor->name, level + 1);
    return lc;
}

const struct imp *kernel_positions(struct kernel *k, const struct cin *access, int first, int end,
                                   const struct imp *parents)
{
    for (int level = first; level < end; level++) {
        struct level_code code = kernel_level(k, access, level, imp_i64(k->cx, 0), NULL);
        parents = code.format->type->size(&code, parents);
    }
    return parents;
}

const struct access_place *scope_access(const struct scope *scope, const struct cin *access)
{
    const struct access_place *place = scope->accesses;
    while (place && place->access != access)
        place = place->outer;
    return place;
}

const struct temporary_place *scope_temporary(const struct scope *scope,
                                              const struct tensor_var *tensor)
{
    const struct temporary_place *place = scope->temporaries;
    while (place && place->tensor != tensor)
        place = place->outer;
    return place;
}
