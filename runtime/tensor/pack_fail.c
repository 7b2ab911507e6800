/* pack_fail.c - messages about tensors that do not fit: what takes the memory, and a format that
 * takes less.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/pack_fail.h"

#include <inttypes.h>
#include <stdio.h>

#include "compiler/format/index_array.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/fault.h"

bool pack_is_mostly_empty(double positions, int64_t entries)
{
    static const double times = 64;
    return positions / times > (double)entries;
}

void pack_help_sparse(struct rt_error *error)
{
    rt_help(error, "dcsr, coo and other formats whose first level is sparse have no room for what "
                   "is empty; " MEMORY_HELP);
}

enum rt_status tensor_check_room(const struct tensor *tensor, const char *name,
                                 struct rt_error *error)
{
    int64_t parents = 1, bytes;
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_storage *level = &tensor->level[k];
        if (level->format->type->array[0].kind == LEVEL_POSITIONS) {
            if (!__builtin_mul_overflow(parents, (int64_t)type_size(level->format->pos), &bytes)
                && (bytes < RT_LARGE || memory_allows((size_t)bytes)))
                return RT_OK;
            struct level_fault fault = {.at = -1, .why = LEVEL_NO_MEMORY, .bytes = bytes};
            enum rt_status status = level_fail(level, k + 1, &fault, name, error);
            pack_help_sparse(error);
            return status;
        }
        if (!level_has(level->format, LEVEL_FULL)
            || __builtin_mul_overflow(parents, level->dimension, &parents))
            break;
    }
    return RT_OK;
}

static enum rt_status fail_twice(const struct level_format *level, int number, int64_t coordinate,
                                 const char *name, struct rt_error *error)
{
    char place[LEVEL_PLACE];
    level_place(place, name, number, level);
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_TENSOR,
                "%s is unique, and %" PRId64 " would be there twice below the same coordinates",
                place, coordinate);
    level_help_without(level, LEVEL_UNIQUE, error);
    return status;
}

enum rt_status pack_check_split(const struct level_format *level, int k, int tells,
                                const struct keys *keys, const char *name, struct rt_error *error)
{
    if (tells <= k || !level_has(level, LEVEL_UNIQUE))
        return RT_OK;
    for (int64_t i = 1; i < keys->n; i++) {
        int difference = keys_difference(keys, i);
        if (difference > k && difference <= tells)
            return fail_twice(level, k + 1, keys_coordinate(keys, k, i), name, error);
    }
    return RT_OK;
}

static const char *sparse_format(int order)
{
    return order == 1 ? "sparse" : order == 2 ? "csr" : "csf";
}

enum rt_status pack_fail_vals(const struct tensor *tensor, int64_t entries, const char *name,
                              struct rt_error *error)
{
    int64_t n = tensor->nvals;
    char what[128];
    int64_t bytes;
    snprintf(what, sizeof what, "%.80s%sthe values of %" PRId64 " components", name ? name : "",
             name ? ": " : "", n);
    if (__builtin_mul_overflow(n, (int64_t)type_size(tensor->type), &bytes))
        bytes = INT64_MAX;
    if (bytes < RT_LARGE)
        return rt_no_memory(error);
    enum rt_status status = memory_fail(what, bytes, error);
    if (pack_is_mostly_empty((double)n, entries))
        rt_help(error,
                "in a sparse format ({format %s:%s}) there is no room for what is not "
                "stored; " MEMORY_HELP,
                name ? name : "T", sparse_format(tensor->order));
    return status;
}

/* ---- a dense tensor that does not fit ---- */

/* Prints "3 x 4" into a text of n bytes.  Returns the number of components. */
static double print_sizes(const struct coords *coords, char *text, size_t n)
{
    double components = 1;
    size_t used = 0;
    for (int m = 0; m < coords->order; m++) {
        components *= (double)coords->dimension[m];
        if (used < n)
            used += (size_t)snprintf(text + used, n - used, "%s%" PRId64, m > 0 ? " x " : "",
                                     coords->dimension[m]);
    }
    return components;
}

enum rt_status pack_explain_dense(const struct coords *coords, int64_t entries, const char *name,
                                  struct rt_error *error)
{
    char sizes[256] = "", needed[MEMORY_TEXT], left[MEMORY_TEXT], help[RT_HELP] = MEMORY_HELP;
    double components = print_sizes(coords, sizes, sizeof sizes),
           bytes = components * (double)type_size(coords->type);
    double most = (double)memory_left();
    const char *who = name ? name : "the tensor", *type = type_name(coords->type);
    bool counted = error->code == DIAG_LIMIT && error->status == RT_INPUT;
    if (bytes < RT_LARGE || !(counted || (bytes > most && error->status == RT_NO_MEMORY)))
        return error->status;
    if (bytes > most) {
        memory_print(bytes, needed);
        memory_print(most, left);
        rt_fail(error, RT_NO_MEMORY, DIAG_MEMORY,
                "%s is dense, and its %s components of %s take %s, more than the %s that "
                "may be used",
                who, sizes, type, needed, left);
    } else {
        snprintf(help, sizeof help, "%s", error->help);
        rt_fail(error, RT_INPUT, DIAG_LIMIT,
                "%s is dense, and its %s components of %s are more than its indices count", who,
                sizes, type);
    }
    if (pack_is_mostly_empty(components, entries))
        rt_help(error, "give %s a sparse format, as in {format %s:%s}%s%s", name ? name : "it",
                name ? name : "A", sparse_format(coords->order), help[0] ? "; or " : "", help);
    else
        rt_help(error, "%s", help);
    return error->status;
}
