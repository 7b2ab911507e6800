/* gpu_tensor.c - copies tensors to the memory of a GPU, and back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/gpu.h"
#include "runtime/api/tensor.h"
#include "runtime/tensor/memory.h"

/* A copy that is under way. */
struct moving {
    const struct spcc_tensor *from;
    struct making m;
};

/* Copies an array of one tensor to memory for another; on failure *error is a sentence. */
typedef enum gpu_status copier(struct gpu *gpu, void *to, const void *from, size_t bytes,
                               char **error);

static spcc_status copy(struct context *cx, struct gpu *gpu, copier *by, struct tensor *to,
                        void **array, const void *from, int64_t n, size_t size)
{
    char *error = NULL;
    *array = to->memory->allocate(to->memory, n, size);
    enum gpu_status said = *array ? by(gpu, *array, from, (size_t)n * size, &error) : GPU_NO_MEMORY;
    if (!*array)
        return SPCC_ERROR_MEMORY;
    return said == GPU_OK ? SPCC_OK : gpu_tell(cx, said, error);
}

static spcc_status copy_all(struct context *cx, struct gpu *gpu, copier *by,
                            const struct tensor *from, struct tensor *to)
{
    spcc_status status = SPCC_OK;
    for (int l = 0; l < from->format->levels; l++)
        for (int k = 0; k < LEVEL_ARRAYS && status == SPCC_OK; k++) {
            const struct level_storage *level = &from->level[l];
            if (!api_array(from, l, k))
                continue;
            status = copy(cx, gpu, by, to, &to->level[l].array[k], level->array[k],
                          level->length[k], type_size(level_array_type(level->format, k)));
            to->level[l].length[k] = level->length[k];
        }
    if (status == SPCC_OK)
        status = copy(cx, gpu, by, to, &to->vals, from->vals, from->nvals, type_size(from->type));
    to->nvals = from->nvals;
    return status;
}

static spcc_status like(struct context *cx, const struct tensor *from, struct tensor **made)
{
    struct rt_error error;
    return tensor_new(from->format, from->type, from->dimension, from->fill, NULL, made, &error)
                   == RT_OK
               ? SPCC_OK
               : api_fail(cx, &error);
}

/* Makes a copy of the arrays on the GPU, in m->there. */
static spcc_status make_there(struct spcc_context *api, struct context *cx,
                              const struct tensor *from, struct making *m)
{
    spcc_status status;
    struct gpu *gpu = api_gpu(api, cx, &status);
    if (!gpu)
        return status;
    status = like(cx, from, &m->there);
    if (status != SPCC_OK)
        return status;
    m->gpu = gpu_retain(gpu);
    tensor_set_memory(m->there, gpu_memory(gpu));
    return copy_all(cx, gpu, gpu_put, from, m->there);
}

static spcc_status to_gpu(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct moving *a = arguments;
    if (a->from && a->from->parts)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "a tensor in parts: copy each of them");
    if (!a->from || !a->from->sized)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "there is no tensor, or it has no arrays");
    spcc_status status = like(cx, a->from->tensor, &a->m.tensor);
    if (status == SPCC_OK)
        status = make_there(api, cx, a->from->tensor, &a->m);
    if (status == SPCC_OK)
        status = api_wrap(api, cx, &a->m);
    if (status == SPCC_OK) {
        a->m.made->sized = false;
        a->m.made->taken = a->m.made->writable = true;
    }
    return status;
}

spcc_status api_tensor_here(struct context *cx, struct gpu *gpu, const struct tensor *there,
                            struct tensor **here)
{
    spcc_status status = like(cx, there, here);
    if (status != SPCC_OK)
        return status;
    tensor_set_memory(*here, memory_here());
    return copy_all(cx, gpu, gpu_get, there, *here);
}

static spcc_status from_gpu(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct moving *a = arguments;
    struct rt_error error;
    spcc_status status;
    if (!a->from || !a->from->there)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the tensor is not in the memory of a GPU");
    struct gpu *gpu = api_gpu(api, cx, &status);
    if (!gpu)
        return status;
    status = api_tensor_here(cx, gpu, a->from->there, &a->m.tensor);
    if (status == SPCC_OK)
        status =
            api_check_values(cx, a->m.tensor->type, a->m.tensor->vals, a->m.tensor->nvals, NULL);
    if (status == SPCC_OK && tensor_validate(a->m.tensor, NULL, &error) != RT_OK)
        status = api_fail(cx, &error);
    return status == SPCC_OK ? api_wrap(api, cx, &a->m) : status;
}

spcc_status spcc_tensor_to_gpu(spcc_context *context, const spcc_tensor *tensor,
                               spcc_tensor **there)
{
    struct moving a = {.from = tensor};
    return api_make(context, to_gpu, &a, &a.m, there);
}

spcc_status spcc_tensor_from_gpu(spcc_context *context, const spcc_tensor *there,
                                 spcc_tensor **tensor)
{
    struct moving a = {.from = there};
    return api_make(context, from_gpu, &a, &a.m, tensor);
}
