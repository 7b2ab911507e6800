/* bind.c - binds tensors to the parameters of a kernel's function, and checks them.
 *
 * All that a kernel relies on is checked.  Formats, types and fills are those that it was compiled
 * for.  Every mode that an index variable ranges over has the variable's size, and a mode that a
 * literal indexes is larger.  Memory that is written is shared with nothing that is read.  A
 * pattern that is computed into was assembled for the same statement and for operands with these
 * patterns, unless the user answers for it: otherwise components could be missing without notice.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/bind.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/base/hash.h"
#include "compiler/base/text.h"
#include "compiler/format/index_array.h"

static const char *name_of(const struct run *run, int t) { return run->kernel->tensor[t]->name; }

/* ---- what the kernel was compiled for ---- */

static const char *format_text(struct context *cx, const struct format *format)
{
    struct text out = text_new(cx->arena);
    format_print(&out, format, (struct format_defaults){TYPE_I32, TYPE_I32});
    return out.at;
}

static spcc_status differs(struct context *cx, const struct run *run, int t, const char *what,
                           const char *is, const char *compiled)
{
    return api_error(cx, SPCC_ERROR_BINDING, "%s has the %s %s, and the kernel was compiled for %s",
                     name_of(run, t), what, is, compiled);
}

static bool has_pattern(const struct run *run, int t)
{
    const struct format *format = run->kernel->tensor[t]->format;
    return format_has_arrays(format, format->levels);
}

bool bind_makes(const struct imp_function *f, int r)
{
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out && f->param[i].tensor == r)
            return true;
    return false;
}

/* Does the function make arrays of the result, or read what it held before? */
static bool replaces(const struct imp_function *f, int r)
{
    for (int i = 0; i < f->params; i++)
        if (f->param[i].tensor == r && (f->param[i].out || f->param[i].before))
            return true;
    return false;
}

/* Checks a tensor whose arrays are in a GPU's memory. */
static spcc_status check_there(struct context *cx, const struct run *run, int t)
{
    const char *name = name_of(run, t);
    if (!run->function->device)
        return api_error(cx, SPCC_ERROR_BINDING,
                         "%s is in a GPU's memory, and the kernel runs elsewhere: kernels of "
                         "SPCC_LANGUAGE_CUDA read it",
                         name);
    if (t < run->kernel->results && bind_makes(run->function->imperative, t))
        return run->kind == KERNEL_FUSED
                   ? SPCC_OK
                   : api_error(cx, SPCC_ERROR_BINDING,
                               "the result %s is in a GPU's memory, where kernels of kind "
                               "SPCC_FUSED make sparse results",
                               name);
    if (t < run->kernel->results && has_pattern(run, t))
        return api_error(cx, SPCC_ERROR_BINDING,
                         "the result %s is in a GPU's memory, where its pattern is not compared",
                         name);
    if (t < run->kernel->results && replaces(run->function->imperative, t))
        return api_error(
            cx, SPCC_ERROR_BINDING,
            "the result %s is in a GPU's memory, where it is written in place, and the "
            "statement reads what it held before",
            name);
    if (t < run->kernel->results && !run->tensor[t]->writable)
        return api_error(cx, SPCC_ERROR_BINDING, "%s borrows its arrays, which may not be written",
                         name);
    return SPCC_OK;
}

static spcc_status check_tensor(struct context *cx, const struct run *run, int t)
{
    const struct tensor_var *var = run->kernel->tensor[t];
    const struct tensor *tensor = run->tensor[t]->tensor;
    if (tensor->order != var->order)
        return differs(cx, run, t, "order", arena_printf(cx->arena, "%d", tensor->order),
                       arena_printf(cx->arena, "%d", var->order));
    if (tensor->type != var->type)
        return differs(cx, run, t, "type", type_name(tensor->type), type_name(var->type));
    if (!value_equal(tensor->fill, var->fill)) {
        char fill[64];
        value_print(var->fill, fill, sizeof fill);
        return differs(cx, run, t, "fill", run->tensor[t]->fill, fill);
    }
    if (!format_equal(tensor->format, var->format))
        return differs(cx, run, t, "format", format_text(cx, tensor->format),
                       format_text(cx, var->format));
    if (run->tensor[t]->there)
        return check_there(cx, run, t);
    if (t >= run->kernel->results && run->tensor[t]->taken)
        return api_error(
            cx, SPCC_ERROR_BINDING,
            "%s is an operand and has no arrays: they were taken, or a run failed that "
            "overwrote them",
            var->name);
    if (t >= run->kernel->results && !run->tensor[t]->sized)
        return api_error(cx, SPCC_ERROR_BINDING, "%s is an operand and its sizes are not known yet",
                         var->name);
    return SPCC_OK;
}

/* ---- sizes ---- */

/* The size of a variable, and the use that gives it.  Use -1: it is declared; size -1: nothing
 * gives it. */
struct known_size {
    int64_t size;
    int use;
};

/* Returns the size of the mode; -1 for a result whose size is not found yet. */
static int64_t use_size(const struct run *run, int use)
{
    const struct kernel_use *u = &run->kernel->use[use];
    const struct spcc_tensor *tensor = run->tensor[u->tensor];
    return tensor->sized || tensor->there ? api_sizes(tensor)->dimension[u->mode]
                                          : run->result[u->tensor].dimension[u->mode];
}

static struct known_size find_size(const struct run *run, const char *variable)
{
    const struct spcc_kernel *kernel = run->kernel;
    for (int i = 0; i < kernel->sizes; i++)
        if (strcmp(kernel->size[i].var, variable) == 0)
            return (struct known_size){kernel->size[i].size, -1};
    for (int u = 0; u < kernel->uses; u++)
        if (use_size(run, u) >= 0 && strcmp(kernel->use[u].variable, variable) == 0)
            return (struct known_size){use_size(run, u), u};
    return (struct known_size){-1, -1};
}

static spcc_status sizes_disagree(struct context *cx, const struct run *run, int use, int64_t size,
                                  struct known_size known)
{
    const struct kernel_use *u = &run->kernel->use[use];
    const char *other = "the declaration";
    if (known.use >= 0)
        other = arena_printf(cx->arena, "mode %d of %s", run->kernel->use[known.use].mode + 1,
                             name_of(run, run->kernel->use[known.use].tensor));
    return api_error(cx, SPCC_ERROR_BINDING,
                     "%s has the size %" PRId64 " by %s and the size %" PRId64 " by mode %d of %s",
                     u->variable, known.size, other, size, u->mode + 1, name_of(run, u->tensor));
}

static spcc_status size_is_unknown(struct context *cx, const struct run *run,
                                   const struct kernel_use *use)
{
    const char *what = use->variable;
    if (use->literal >= 0)
        what = arena_printf(cx->arena, "mode %d of %s", use->mode + 1, name_of(run, use->tensor));
    spcc_status status =
        api_error(cx, SPCC_ERROR_BINDING,
                  "the size of %s is not known: no operand has it, and %s was made "
                  "without sizes",
                  what, name_of(run, use->tensor));
    if (use->literal < 0)
        diag_help(cx, &cx->diags.at[cx->diags.n - 1], "give it: {size %s:100}", use->variable);
    return status;
}

/* Gives a result that was made without sizes those of its index variables.  Other sizes may become
 * known by it. */
static void find_result_sizes(struct run *run)
{
    bool is_new = true;
    for (int r = 0; r < run->kernel->results; r++)
        for (int m = 0; m < run->kernel->tensor[r]->order; m++)
            run->result[r].dimension[m] = -1;
    while (is_new) {
        is_new = false;
        for (int u = 0; u < run->kernel->uses; u++) {
            const struct kernel_use *use = &run->kernel->use[u];
            if (use_size(run, u) >= 0)
                continue;
            int64_t size = find_size(run, use->variable).size;
            run->result[use->tensor].dimension[use->mode] = size;
            is_new |= size >= 0;
        }
    }
}

static spcc_status check_sizes(struct context *cx, struct run *run)
{
    find_result_sizes(run);
    for (int u = 0; u < run->kernel->uses; u++) {
        const struct kernel_use *use = &run->kernel->use[u];
        struct known_size known = find_size(run, use->variable);
        int64_t size = use_size(run, u);
        if (size < 0)
            return size_is_unknown(cx, run, use);
        if (use->literal >= size)
            return api_error(cx, SPCC_ERROR_BINDING,
                             "the index %" PRId64 " is beyond the size %" PRId64 " of mode %d "
                             "of %s",
                             use->literal, size, use->mode + 1, name_of(run, use->tensor));
        if (size != known.size)
            return sizes_disagree(cx, run, u, size, known);
        if (use->tensor < run->kernel->results)
            run->result[use->tensor].dimension[use->mode] = size;
    }
    return SPCC_OK;
}

spcc_status bind_check(struct context *cx, struct run *run)
{
    for (int t = 0; t < run->kernel->tensors; t++) {
        spcc_status status = check_tensor(cx, run, t);
        if (status != SPCC_OK)
            return status;
    }
    return check_sizes(cx, run);
}

/* ---- the result ---- */

static bool overlap(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes)
{
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes > 0 && b_bytes > 0 && x < y + (uintptr_t)b_bytes && y < x + (uintptr_t)a_bytes;
}

static enum type array_type(const struct level_storage *level, int k)
{
    return level_array_type(level->format, k);
}

static int64_t value_bytes(const struct tensor *t)
{
    return t->nvals * (int64_t)type_size(t->type);
}

static bool shares(const void *written, int64_t bytes, const struct tensor *t)
{
    if (overlap(written, bytes, t->vals, value_bytes(t)))
        return true;
    for (int l = 0; l < t->format->levels; l++)
        for (int k = 0; k < LEVEL_ARRAYS; k++)
            if (overlap(written, bytes, t->level[l].array[k],
                        t->level[l].length[k] * (int64_t)type_size(array_type(&t->level[l], k))))
                return true;
    return false;
}

/* Does the function take an array of the result that it writes into in place? */
static bool writes_values(const struct run *run, int r)
{
    const struct imp_function *f = run->function->imperative;
    for (int i = 0; i < f->params; i++)
        if (f->param[i].tensor == r && f->param[i].role == ROLE_VALUES && !f->param[i].out)
            return true;
    return false;
}

/* Does a level of the result have arrays that the function does not make? */
static bool relies_on_pattern(const struct run *run, int r)
{
    return run->kind == KERNEL_COMPUTE && has_pattern(run, r);
}

/* Do two tensors of one format have the same arrays, as far as these are in use, and does `a` have
 * values? */
static bool same_patterns(const struct tensor *a, const struct tensor *b)
{
    int64_t parents = 1, positions = 0, begin;
    for (int l = 0; l < a->format->levels; l++, parents = positions) {
        const struct level_storage *one = &a->level[l], *other = &b->level[l];
        positions = 0;
        if (parents > 0)
            other->format->type->children(other, parents - 1, &begin, &positions);
        for (int k = 0; k < LEVEL_ARRAYS; k++) {
            int64_t n = level_array_length(other->format, k, parents, positions);
            if (one->length[k] < n
                || (n > 0 && one->array[k] != other->array[k]
                    && memcmp(one->array[k], other->array[k],
                              (size_t)n * type_size(array_type(other, k)))
                           != 0))
                return false;
        }
    }
    return a->nvals >= positions;
}

/* Checks a result that the user answers for: its pattern has to be what the function is told of it,
 * unless the function takes the pattern to be an operand's. */
static spcc_status check_trusted(struct context *cx, const struct run *run)
{
    int same = run->function->pattern;
    if (same == 0 || same_patterns(run->tensor[0]->tensor, run->tensor[same]->tensor))
        return SPCC_OK;
    return api_error(cx, SPCC_ERROR_BINDING, "%s has another pattern than %s, which gives it its",
                     name_of(run, 0), name_of(run, same));
}

static spcc_status check_result_there(struct context *cx, const struct run *run, int r)
{
    const struct tensor *result = run->tensor[r]->there;
    for (int t = 0; t < run->kernel->tensors; t++)
        if (t != r && run->tensor[t]->there
            && shares(result->vals, value_bytes(result), run->tensor[t]->there))
            return api_error(cx, SPCC_ERROR_BINDING, "the result %s shares memory with %s",
                             name_of(run, r), name_of(run, t));
    return SPCC_OK;
}

spcc_status bind_check_result(struct context *cx, struct run *run, int r)
{
    struct spcc_tensor *result = run->tensor[r];
    bool writes = writes_values(run, r);
    if (result->there)
        return check_result_there(cx, run, r);
    for (int t = 0; t < run->kernel->tensors; t++)
        if (t != r
            && (run->tensor[t] == result
                || (writes
                    && shares(result->tensor->vals, value_bytes(result->tensor),
                              run->tensor[t]->tensor))))
            return api_error(cx, SPCC_ERROR_BINDING, "the result %s shares memory with the %s %s",
                             name_of(run, r), t < run->kernel->results ? "result" : "operand",
                             name_of(run, t));
    if (writes && result->sized && !result->tensor->memory && !result->writable) {
        api_error(cx, SPCC_ERROR_BINDING, "%s borrows its arrays, which may not be written",
                  name_of(run, r));
        diag_help(cx, &cx->diags.at[cx->diags.n - 1], "set writable in spcc_tensor_options");
        return SPCC_ERROR_BINDING;
    }
    for (int t = run->kernel->results; t < run->kernel->tensors && relies_on_pattern(run, r); t++)
        if (run->tensor[t]->there)
            return api_error(cx, SPCC_ERROR_BINDING,
                             "%s is in a GPU's memory, where its pattern is not compared with that "
                             "of the result %s",
                             name_of(run, t), name_of(run, r));
    if (relies_on_pattern(run, r) && result->trusted)
        return check_trusted(cx, run);
    if (relies_on_pattern(run, r) && result->assembled != bind_pattern(run)) {
        api_error(cx, SPCC_ERROR_BINDING, "%s was not assembled for operands with these patterns",
                  name_of(run, r));
        diag_help(cx, &cx->diags.at[cx->diags.n - 1], "call spcc_assemble with them first");
        return SPCC_ERROR_BINDING;
    }
    return SPCC_OK;
}

static uint64_t hash_array(uint64_t hash, const void *array, size_t bytes)
{
    const char *at = array;
    for (; bytes >= sizeof hash; at += sizeof hash, bytes -= sizeof hash) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        hash = hash_word(hash, word);
    }
    return hash_more(hash, at, bytes);
}

static uint64_t hash_tensor(const struct tensor *t)
{
    uint64_t hash = hash_bytes(t->dimension, (size_t)t->order * sizeof *t->dimension);
    for (int l = 0; l < t->format->levels; l++)
        for (int k = 0; k < LEVEL_ARRAYS; k++) {
            size_t n = (size_t)t->level[l].length[k];
            hash = hash_word(hash, n);
            if (n > 0)
                hash = hash_array(hash, t->level[l].array[k],
                                  n * type_size(array_type(&t->level[l], k)));
        }
    return hash | 1;
}

/* Returns a number for the pattern.  Threads that share an operand may both read it, and store the
 * same number. */
uint64_t bind_pattern_of(struct spcc_tensor *tensor, const struct tensor *here)
{
    uint64_t pattern = atomic_load_explicit(&tensor->pattern, memory_order_relaxed);
    if (pattern == 0) {
        pattern = hash_tensor(here);
        atomic_store_explicit(&tensor->pattern, pattern, memory_order_relaxed);
    }
    return pattern;
}

uint64_t bind_pattern(const struct run *run)
{
    uint64_t hash = hash_word(HASH_START, run->kernel->request);
    for (int t = run->kernel->results; t < run->kernel->tensors; t++)
        hash = hash_word(hash, bind_pattern_of(run->tensor[t], run->tensor[t]->tensor));
    return hash | 1;
}

/* ---- arguments ----
 *
 * The function takes pointers to the values of its parameters:
 *
 *     a size      pointer[i] -> number
 *     an array    pointer[i] -> array[i] -> elements
 *     one it      pointer[i] -> place[i] -> array[i], NULL on entry
 *     makes
 */

static spcc_status bind_dimension(struct context *cx, const struct run *run,
                                  const struct imp_param *param, struct imp_argument *argument)
{
    const struct tensor *t = api_sizes(run->tensor[param->tensor]);
    int64_t size = param->tensor < run->kernel->results
                       ? run->result[param->tensor].dimension[param->mode]
                       : t->dimension[param->mode];
    if (size > index_max(param->var->type)) {
        api_error(cx, SPCC_ERROR_LIMIT,
                  "the size %" PRId64 " of mode %d of %s is beyond the kernel's %s", size,
                  param->mode + 1, name_of(run, param->tensor), type_name(param->var->type));
        diag_help(cx, &cx->diags.at[cx->diags.n - 1], "use 64 bits everywhere: {index 64}");
        return SPCC_ERROR_LIMIT;
    }
    argument->value = value_int(param->var->type, size);
    return SPCC_OK;
}

static void bind_array(const struct run *run, const struct imp_param *param,
                       struct imp_argument *argument)
{
    int r = param->tensor;
    const struct tensor *t = run->tensor[r]->there       ? run->tensor[r]->there
                             : r >= run->kernel->results ? run->tensor[r]->tensor
                             : param->before             ? run->result[r].before
                                                         : run->result[r].tensor;
    if (param->out)
        return;
    argument->data =
        param->role == ROLE_VALUES ? t->vals : t->level[param->level].array[param->array];
    argument->length =
        param->role == ROLE_VALUES ? t->nvals : t->level[param->level].length[param->array];
}

spcc_status bind_arguments(struct context *cx, struct run *run, struct imp_argument **interpreted,
                           void ***pointers)
{
    const struct imp_function *f = run->function->imperative;
    struct imp_argument *argument = arena_array(cx->arena, struct imp_argument, f->params);
    int64_t *scalar = arena_array(cx->arena, int64_t, f->params);
    void **pointer = arena_array(cx->arena, void *, f->params);
    void ***place = arena_array(cx->arena, void **, f->params);
    run->array = arena_array(cx->arena, void *, f->params);
    run->length = arena_array(cx->arena, int64_t, f->params);
    for (int i = 0; i < f->params; i++) {
        const struct imp_param *param = &f->param[i];
        if (param->role != ROLE_DIMENSION) {
            bind_array(run, param, &argument[i]);
            run->array[i] = argument[i].data;
            place[i] = &run->array[i];
            pointer[i] = param->out ? (void *)&place[i] : &run->array[i];
            continue;
        }
        spcc_status status = bind_dimension(cx, run, param, &argument[i]);
        if (status != SPCC_OK)
            return status;
        value_store(argument[i].value, &scalar[i]);
        pointer[i] = &scalar[i];
    }
    *interpreted = argument;
    *pointers = pointer;
    return SPCC_OK;
}

const bool *bind_resident(struct context *cx, const struct run *run)
{
    const struct imp_function *f = run->function->imperative;
    bool *resident = arena_array(cx->arena, bool, f->params);
    for (int i = 0; i < f->params; i++)
        resident[i] = f->param[i].role != ROLE_DIMENSION && run->tensor[f->param[i].tensor]->there;
    return resident;
}
