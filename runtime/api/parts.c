/* parts.c - tensors in parts: packs lists into them, asks for them, puts them together, and gives
 * kernels those that they take.
 *
 * Such a tensor has its parts as tensors of their own, and besides them a list without entries,
 * which has its order, type and sizes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/parts.h"

#include <stdlib.h>

#include "compiler/base/text.h"
#include "runtime/api/bind.h"
#include "runtime/tensor/alloc.h"

/* ---- packing ---- */

/* Is the part left out, unless it is the last one? */
static bool is_left_out(const struct tensor_plan *plan, const struct coords *share, int k,
                        const struct making *m)
{
    bool is_last = k + 1 == plan->parts->parts && m->parts == 0;
    return plan->parts->drops_empty && share[k].n == 0 && !is_last;
}

static enum rt_status pack_part(struct spcc_context *api, struct making *m,
                                const struct tensor_plan *plan, int k, struct coords *share,
                                struct rt_error *error)
{
    struct spcc_tensor *part = rt_array_zeroed(1, sizeof *part);
    if (!part)
        return rt_no_memory(error);
    m->part[m->parts++] = part;
    part->sized = true;
    return tensor_pack(share, plan->parts->part[k], plan->fill, api->threads, plan->name,
                       &part->tensor, error);
}

static enum rt_status pack_shares(struct spcc_context *api, struct making *m,
                                  const struct tensor_plan *plan, struct rt_error *error)
{
    struct coords *share = rt_array_zeroed(plan->parts->parts, sizeof *share);
    if (!share)
        return rt_no_memory(error);
    enum rt_status status =
        parts_share_out(&m->coords, plan->parts, api->threads, plan->name, share, error);
    coords_free(&m->coords);
    for (int k = 0; k < plan->parts->parts; k++) {
        if (status == RT_OK && !is_left_out(plan, share, k, m))
            status = pack_part(api, m, plan, k, &share[k], error);
        coords_free(&share[k]);
    }
    free(share);
    return status;
}

enum rt_status api_pack(struct spcc_context *api, struct making *m, const struct tensor_plan *plan,
                        struct rt_error *error)
{
    if (!plan->parts)
        return tensor_pack(&m->coords, plan->format, plan->fill, api->threads, plan->name,
                           &m->tensor, error);
    m->several = plan->parts->share == SHARE_ALL;
    enum rt_status status = pack_shares(api, m, plan, error);
    return status != RT_OK ? status
                           : tensor_new_empty(plan->format, plan->type, plan->dimension, plan->fill,
                                              plan->name, &m->tensor, error);
}

/* ---- asking ---- */

int spcc_tensor_parts(const spcc_tensor *tensor) { return tensor ? tensor->parts : 0; }

const spcc_tensor *spcc_tensor_part(const spcc_tensor *tensor, int part)
{
    return tensor && part >= 0 && part < tensor->parts ? tensor->part[part] : NULL;
}

bool spcc_tensor_is_repeated(const spcc_tensor *tensor) { return tensor && tensor->several; }

/* Returns how many of the parts hold all components together. */
static int summed(const struct spcc_tensor *tensor) { return tensor->several ? 1 : tensor->parts; }

int64_t api_parts_visit(const struct spcc_tensor *tensor, int threads, tensor_visitor *visit,
                        void *data, void (*skip)(void *data, int64_t n))
{
    int64_t n = 0;
    for (int k = 0; k < summed(tensor); k++) {
        int64_t some = tensor_visit(tensor->part[k]->tensor, false, threads, visit, data);
        if (skip)
            skip(data, some);
        n += some;
    }
    return n;
}

/* Appends the components of each part. */
static enum rt_status append_part(const struct tensor *part, int threads, struct coords *all,
                                  struct rt_error *error)
{
    struct coords some;
    enum rt_status status = tensor_unpack(part, false, threads, &some, error);
    if (status != RT_OK)
        return status;
    int64_t n = all->n + some.n;
    bool fits = coords_reserve(all, n);
    for (int64_t e = 0; e < some.n && fits; e++) {
        int64_t coordinate[ORDER_MAX];
        for (int m = 0; m < some.order; m++)
            coordinate[m] = coords_at(&some, m, e);
        fits =
            coords_add(all, coordinate, (const char *)some.vals + (size_t)e * type_size(some.type));
    }
    coords_free(&some);
    return fits ? RT_OK : rt_no_memory(error);
}

enum rt_status api_unpack(const struct spcc_tensor *tensor, int threads, struct coords *coords,
                          struct rt_error *error)
{
    const struct tensor *t = tensor->tensor;
    if (!tensor->parts)
        return tensor_unpack(t, false, threads, coords, error);
    enum rt_status status = RT_OK;
    coords_init(coords, t->order, t->dimension, t->type);
    for (int k = 0; k < summed(tensor) && status == RT_OK; k++)
        status = append_part(tensor->part[k]->tensor, threads, coords, error);
    if (status != RT_OK)
        coords_free(coords);
    return status;
}

enum rt_status api_together(const struct spcc_tensor *tensor, int threads,
                            const struct tensor **together, struct tensor **made,
                            struct rt_error *error)
{
    struct coords coords;
    *together = summed(tensor) == 1 ? tensor->part[0]->tensor : tensor->tensor;
    if (summed(tensor) <= 1)
        return RT_OK;
    enum rt_status status = api_unpack(tensor, threads, &coords, error);
    if (status != RT_OK)
        return status;
    status = tensor_pack(&coords, tensor->tensor->format, tensor->tensor->fill, threads, NULL, made,
                         error);
    coords_free(&coords);
    *together = *made;
    return status;
}

/* ---- for kernels ---- */

const struct kernel_argument *kernel_arguments(struct context *cx,
                                               const struct tensor_var *const *tensor, int tensors,
                                               int *arguments)
{
    struct kernel_argument *made = arena_array(cx->arena, struct kernel_argument, tensors);
    *arguments = 0;
    for (int t = 0; t < tensors; t++) {
        const struct tensor_var *whole = tensor[t]->whole;
        if (whole && t > 0 && tensor[t - 1]->whole == whole) {
            made[*arguments - 1].parts++;
            continue;
        }
        made[(*arguments)++] =
            (struct kernel_argument){.name = whole ? whole->name : tensor[t]->name,
                                     .rank = t,
                                     .first = whole ? tensor[t]->part : 0,
                                     .parts = whole != NULL,
                                     .of = whole ? whole->parts->parts : 0};
    }
    return made;
}

static spcc_status wrong_parts(struct context *cx, const struct kernel_argument *argument,
                               const struct spcc_tensor *tensor)
{
    if (!tensor->parts || !argument->of)
        return api_error(cx, SPCC_ERROR_BINDING, "%s is in %s, and the kernel was compiled for %s",
                         argument->name, tensor->parts ? "parts" : "one part",
                         tensor->parts ? "a tensor in one" : "a tensor in parts");
    return api_error(cx, SPCC_ERROR_BINDING, "%s has %d part%s, and the kernel was compiled for %d",
                     argument->name, tensor->parts, tensor->parts == 1 ? "" : "s", argument->of);
}

static spcc_status wrong_number(struct context *cx, const struct spcc_kernel *kernel, int given)
{
    struct text all = text_new(cx->arena), missing = text_new(cx->arena);
    int takes = kernel->arguments;
    for (int t = 0; t < takes; t++) {
        const char *name = kernel->argument[t].name;
        text_printf(&all, "%s%s", t ? ", " : "", name);
        if (t >= given)
            text_printf(&missing, "%s%s", missing.n ? ", " : "", name);
    }
    return api_error(cx, SPCC_ERROR_ARGUMENT,
                     "the kernel takes %d tensors (%s) and is given %d%s%s", takes, all.at, given,
                     missing.n ? ": there is none for " : "", missing.n ? missing.at : "");
}

spcc_status bind_parts(struct context *cx, const struct spcc_kernel *kernel,
                       struct spcc_tensor *const *given, int n, struct spcc_tensor ***by_rank)
{
    struct spcc_tensor **made = arena_array(cx->arena, struct spcc_tensor *, kernel->tensors);
    n = given && n > 0 ? n : 0;
    if (n != kernel->arguments)
        return wrong_number(cx, kernel, n);
    for (int k = 0; k < n; k++) {
        const struct kernel_argument *argument = &kernel->argument[k];
        if (!given[k])
            return api_error(cx, SPCC_ERROR_ARGUMENT, "there is no tensor for %s", argument->name);
        if (given[k]->parts != argument->of)
            return wrong_parts(cx, argument, given[k]);
        made[argument->rank] = given[k];
        for (int p = 0; p < argument->parts; p++)
            made[argument->rank + p] = given[k]->part[argument->first + p];
    }
    *by_rank = made;
    return SPCC_OK;
}
