/* same.c - checks that tensors have one pattern if that is promised (notation/check_same.c).
 * Tensors that share arrays have; others are compared.
 *
 * A result takes part if its pattern is given, which the promise is about.  A comparison is
 * remembered as long as both tensors have these arrays and nobody else writes to them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/base/hash.h"
#include "compiler/format/index_array.h"
#include "runtime/api/bind.h"
#include "runtime/tensor/tensor.h"

/* The first difference of two arrays. */
struct difference {
    int level;
    const char *array; /* NULL: the numbers of possible coordinates differ */
    int64_t at, one, other;
    bool only_one; /* the other ends before it */
};

static bool differ_in_array(const struct level_storage *a, const struct level_storage *b, int array,
                            int64_t n, struct difference *d)
{
    enum type type = level_array_type(a->format, array);
    int64_t both = b->length[array] < n ? b->length[array] : n;
    if (a->array[array] == b->array[array] && both == n)
        return false;
    d->array = a->format->type->array[array].name;
    d->at = 0;
    if (both > 0 && memcmp(a->array[array], b->array[array], (size_t)both * type_size(type)) == 0)
        d->at = both;
    while (d->at < both
           && index_load(type, a->array[array], d->at) == index_load(type, b->array[array], d->at))
        d->at++;
    if (d->at == n)
        return false;
    d->one = index_load(type, a->array[array], d->at);
    d->only_one = d->at >= both;
    d->other = d->only_one ? 0 : index_load(type, b->array[array], d->at);
    return true;
}

/* Do the levels differ in the part that `a` uses, below this many parents? */
static bool differ_in_level(const struct level_storage *a, const struct level_storage *b,
                            int64_t *parents, struct difference *d)
{
    int64_t begin, positions = 0;
    d->array = NULL;
    d->one = a->dimension;
    d->other = b->dimension;
    d->only_one = false;
    if (a->dimension != b->dimension || a->low != b->low)
        return true;
    if (*parents > 0)
        a->format->type->children(a, *parents - 1, &begin, &positions);
    for (int k = 0; k < LEVEL_ARRAYS; k++)
        if (differ_in_array(a, b, k, level_array_length(a->format, k, *parents, positions), d))
            return true;
    *parents = positions;
    return false;
}

static bool differ(const struct tensor *a, const struct tensor *b, struct difference *d)
{
    int64_t parents = 1;
    const int levels = format_common(a->format, b->format);
    for (d->level = 0; d->level < levels; d->level++)
        if (differ_in_level(&a->level[d->level], &b->level[d->level], &parents, d))
            return true;
    return false;
}

/* Returns a number for both patterns; 0 if a user has the arrays of one and may change them, or if
 * they are on a GPU and were not looked at yet. */
static uint64_t pair_of(struct spcc_tensor *a, struct spcc_tensor *b)
{
    struct spcc_tensor *const of[] = {a, b};
    uint64_t pair = 0;
    for (int k = 0; k < 2; k++) {
        if (of[k]->there ? !atomic_load_explicit(&of[k]->pattern, memory_order_relaxed)
                         : !of[k]->tensor->memory)
            return 0;
        pair = hash_word(pair, bind_pattern_of(of[k], of[k]->tensor));
    }
    return pair | 1;
}

static spcc_status complain(struct context *cx, const char *a, const char *b,
                            const struct difference *d)
{
    const char *other = d->only_one ? arena_printf(cx->arena, "which %s has not", b)
                                    : arena_printf(cx->arena, "and %" PRId64 " in %s", d->other, b);
    if (d->array)
        api_error(cx, SPCC_ERROR_BINDING,
                  "%s and %s are promised to have one pattern, and differ: %s[%" PRId64
                  "] of level "
                  "%d is %" PRId64 " in %s, %s",
                  a, b, d->array, d->at, d->level + 1, d->one, a, other);
    else
        api_error(cx, SPCC_ERROR_BINDING,
                  "%s and %s are promised to have one pattern, and differ: the size of level %d is "
                  "%" PRId64 " in %s, %s",
                  a, b, d->level + 1, d->one, a, other);
    diag_help(cx, &cx->diags.at[cx->diags.n - 1], "leave out {same}, and both are gone through");
    return SPCC_ERROR_BINDING;
}

/* Is the tensor's pattern there when the function is called, and is a promise about it? */
static bool takes_part(const struct run *run, int t)
{
    return run->kernel->tensor[t]->same
           && (t >= run->kernel->results || run->kind == KERNEL_COMPUTE);
}

/* Brings the arrays to where they can be read: a copy if they are on a GPU. */
static spcc_status bring(struct context *cx, struct spcc_tensor *tensor, const char *name,
                         struct tensor **copy, const struct tensor **here)
{
    *here = tensor->tensor;
    if (!tensor->there)
        return SPCC_OK;
    if (!tensor->gpu)
        return api_error(cx, SPCC_ERROR_BINDING,
                         "%s borrows arrays in a GPU's memory, where its pattern is not compared",
                         name);
    spcc_status status = api_tensor_here(cx, tensor->gpu, tensor->there, copy);
    *here = *copy;
    if (status == SPCC_OK)
        bind_pattern_of(tensor, *here);
    return status;
}

static spcc_status check_pair(struct context *cx, const struct run *run, int u, int t)
{
    const char *a = run->kernel->tensor[u]->name, *b = run->kernel->tensor[t]->name;
    struct spcc_tensor *one = run->tensor[u], *other = run->tensor[t];
    struct tensor *copy[2] = {NULL, NULL};
    const struct tensor *here[2];
    struct difference d;
    bool is_same = false;
    uint64_t pair = pair_of(one, other);
    if (pair && atomic_load_explicit(&other->same, memory_order_relaxed) == pair)
        return SPCC_OK;
    spcc_status status = bring(cx, one, a, &copy[0], &here[0]);
    if (status == SPCC_OK)
        status = bring(cx, other, b, &copy[1], &here[1]);
    if (status == SPCC_OK)
        is_same = !differ(here[0], here[1], &d);
    tensor_free(copy[0]);
    tensor_free(copy[1]);
    if (status != SPCC_OK)
        return status;
    if (!is_same)
        return complain(cx, a, b, &d);
    atomic_store_explicit(&other->same, pair_of(one, other), memory_order_relaxed);
    return SPCC_OK;
}

spcc_status bind_check_same(struct context *cx, const struct run *run)
{
    spcc_status status = SPCC_OK;
    for (int t = 1; t < run->kernel->tensors; t++) {
        const struct tensor_var *b = run->kernel->tensor[t];
        bool done = !takes_part(run, t);
        for (int u = 0; u < t && !done && status == SPCC_OK; u++) {
            const struct tensor_var *a = run->kernel->tensor[u];
            if (a->same != b->same || !takes_part(run, u))
                continue;
            status = check_pair(cx, run, u, t);
            done = format_equal(a->format, b->format); /* it has been compared with the others */
        }
    }
    return status;
}
