/* result.c - makes the results of a run before it, and puts them in place, complete, after it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/result.h"

#include "runtime/gpu/gpu.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/spare.h"

/* Finds the operand of a compound assignment: only fills if the result is new. */
static enum rt_status prepare_before(struct run *run, int r, struct rt_error *error)
{
    const struct tensor_var *var = run->kernel->tensor[r];
    const struct tensor *held = run->tensor[r]->tensor;
    struct run_result *to = &run->result[r];
    to->before = held;
    if (run->tensor[r]->sized)
        return RT_OK;
    enum rt_status status = tensor_new_empty(held->format, var->type, to->dimension, var->fill,
                                             var->name, &to->empty, error);
    to->before = to->empty;
    return status;
}

static bool reads_before(const struct imp_function *f, int r)
{
    for (int i = 0; i < f->params; i++)
        if (f->param[i].before && f->param[i].tensor == r)
            return true;
    return false;
}

spcc_status result_prepare(struct context *cx, struct run *run, int r)
{
    struct rt_error error;
    enum rt_status status = RT_OK;
    const struct tensor_var *var = run->kernel->tensor[r];
    const struct spcc_tensor *result = run->tensor[r];
    const struct format *format = result->tensor->format;
    struct run_result *to = &run->result[r];
    if (result->there && !bind_makes(run->function->imperative, r))
        return SPCC_OK;
    if (bind_makes(run->function->imperative, r))
        status =
            tensor_new(format, var->type, to->dimension, var->fill, var->name, &to->made, &error);
    else if (!result->sized)
        status = tensor_new_empty(format, var->type, to->dimension, var->fill, var->name, &to->made,
                                  &error);
    if (status == RT_OK && to->made)
        status = tensor_check_room(to->made, var->name, &error);
    if (status == RT_OK && !result->there && reads_before(run->function->imperative, r))
        status = prepare_before(run, r, &error);
    to->tensor = to->made ? to->made : result->tensor;
    return status == RT_OK ? SPCC_OK : api_fail(cx, &error);
}

/* Gives the new tensor the arrays that the function made. */
static void take_arrays(struct run *run, int r)
{
    struct tensor *made = run->result[r].made;
    const struct imp_function *f = run->function->imperative;
    for (int i = 0; i < f->params; i++) {
        const struct imp_param *param = &f->param[i];
        if (!param->out || param->tensor != r)
            continue;
        struct level_storage *level =
            param->role == ROLE_VALUES ? NULL : &made->level[param->level];
        *(level ? &level->array[param->array] : &made->vals) = run->array[i];
        *(level ? &level->length[param->array] : &made->nvals) = run->length[i];
        run->array[i] = NULL;
    }
    tensor_set_memory(made, result_memory(run, r));
}

const struct memory *result_memory(const struct run *run, int r)
{
    return run->tensor[r]->there ? gpu_memory(gpu_of(run->function->device)) : run->memory;
}

/* Gives back the room that an array does not use.  But a result that is made again and again keeps
 * it for the next run. */
static void *fit(const struct run *run, int r, void *array, int64_t n, size_t size)
{
    const struct tensor *t = run->result[r].made;
    return array && !run->tensor[r]->made_before ? t->memory->fit(t->memory, array, n, size)
                                                 : array;
}

/* Finds lengths by the levels, top down.  Returns the number of the last level's positions; -1 if
 * an array is missing. */
static int64_t measure_result(const struct run *run, int r)
{
    const struct tensor *t = run->result[r].made;
    int64_t parents = 1;
    for (int l = 0; l < t->format->levels; l++) {
        struct level_storage *level = &t->level[l];
        int64_t positions = 0, begin;
        const struct level_array *array = level->format->type->array;
        for (int k = 0; k < LEVEL_ARRAYS; k++)
            if (array[k].kind != LEVEL_NO_ARRAY && !level->array[k])
                return -1;
        if (parents > 0)
            level->format->type->children(level, parents - 1, &begin, &positions);
        for (int k = 0; k < LEVEL_ARRAYS; k++) {
            if (array[k].kind == LEVEL_NO_ARRAY)
                continue;
            level->length[k] = level_array_length(level->format, k, parents, positions);
            level->array[k] = fit(run, r, level->array[k], level->length[k],
                                  type_size(level_array_type(level->format, k)));
        }
        parents = positions;
    }
    return parents;
}

static void *values_array(struct spare *spare, int64_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow((uint64_t)n, size, &bytes) || !rt_allows(bytes))
        return NULL;
    return spare_resize(spare, NULL, bytes ? bytes : 1);
}

spcc_status result_complete(struct context *cx, struct run *run, int r)
{
    struct tensor *t = run->result[r].made;
    take_arrays(run, r);
    if (run->tensor[r]->there) /* their lengths are as made */
        return SPCC_OK;
    int64_t values = measure_result(run, r);
    if (values < 0 || (!t->vals && run->kind != KERNEL_ASSEMBLE))
        return api_error(cx, SPCC_ERROR_BUG, "the kernel left an array of its result out");
    t->nvals = values;
    if (run->kind == KERNEL_ASSEMBLE) {
        t->vals = values_array(run->spare, values, type_size(t->type));
        if (!t->vals)
            return SPCC_ERROR_MEMORY;
        tensor_fill_dense(t, t->fill, run->threads);
    }
    t->vals = fit(run, r, t->vals, values, type_size(t->type));
    return SPCC_OK;
}

void result_replace(struct run *run, int r)
{
    struct spcc_tensor *result = run->tensor[r];
    struct run_result *from = &run->result[r];
    tensor_free(from->empty);
    from->empty = NULL;
    if (!from->made)
        return;
    if (result->there) {
        tensor_free(result->there);
        result->there = from->made;
        gpu_release(result->gpu);
        result->gpu = gpu_retain(gpu_of(run->function->device));
        api_forget_pattern(result);
        from->made = NULL;
        return;
    }
    spare_take_arrays(run->spare, result->tensor);
    tensor_free(result->tensor);
    result->tensor = from->made;
    result->sized = true;
    result->taken = false;
    result->made_before = true;
    result->trusted = false;
    result->assembled = run->kind == KERNEL_FUSED ? 0 : bind_pattern(run);
    api_forget_pattern(result);
    from->made = NULL;
}

void result_give_up_old(struct run *run, int r)
{
    const struct imp_function *f = run->function->imperative;
    struct spcc_tensor *result = run->tensor[r];
    if (!bind_makes(f, r) || reads_before(f, r) || !result->tensor->memory)
        return;
    spare_take_arrays(run->spare, result->tensor);
    api_tensor_lost_arrays(result);
}
