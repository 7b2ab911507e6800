/* coords.c - lists of coordinates: making, checking, summing duplicates.  sort.c sorts them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/coords.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/tensor/alloc.h"

void coords_init(struct coords *coords, int order, const int64_t *dimension, enum type type)
{
    *coords = (struct coords){.order = order, .type = type};
    if (dimension && order > 0)
        memcpy(coords->dimension, dimension, (size_t)order * sizeof *dimension);
}

void coords_free(struct coords *coords)
{
    for (int m = 0; m < ORDER_MAX; m++)
        free(coords->coordinate[m]);
    free(coords->vals);
    *coords = (struct coords){.order = 0};
}

bool coords_reserve(struct coords *coords, int64_t n)
{
    if (n <= coords->capacity)
        return true;
    for (int m = 0; m < coords->order; m++) {
        int64_t *grown = rt_array_resize(coords->coordinate[m], n, sizeof *grown);
        if (!grown)
            return false;
        coords->coordinate[m] = grown;
    }
    void *grown = rt_array_resize(coords->vals, n, type_size(coords->type));
    if (!grown)
        return false;
    coords->vals = grown;
    coords->capacity = n;
    return true;
}

bool coords_add(struct coords *coords, const int64_t *coordinate, const void *value)
{
    if (coords->n == coords->capacity
        && !coords_reserve(coords, coords->capacity > INT64_MAX / 2 ? INT64_MAX
                                                                    : 2 * coords->capacity + 16))
        return false;
    size_t size = type_size(coords->type);
    for (int m = 0; m < coords->order; m++)
        coords->coordinate[m][coords->n] = coordinate[m];
    memcpy((char *)coords->vals + (size_t)coords->n * size, value, size);
    coords->n++;
    return true;
}

enum rt_status coords_check(const struct coords *coords, const char *name, struct rt_error *error)
{
    const char *prefix = name ? name : "", *colon = name ? ": " : "";
    for (int m = 0; m < coords->order; m++) {
        int64_t dimension = coords->dimension[m];
        if (dimension < 0)
            return rt_fail(error, RT_INPUT, DIAG_TENSOR,
                           "%s%smode %d has the negative size %" PRId64, prefix, colon, m + 1,
                           dimension);
        for (int64_t i = 0; i < coords->n; i++) {
            int64_t coordinate = coords->coordinate[m][i];
            if (coordinate < 0 || coordinate >= dimension)
                return rt_fail(error, RT_INPUT, DIAG_TENSOR,
                               "%s%sentry %" PRId64 " has the coordinate %" PRId64
                               " in mode %d, which is outside its size %" PRId64,
                               prefix, colon, i + 1, coordinate, m + 1, dimension);
        }
    }
    return RT_OK;
}

/* ---- duplicates ---- */

#define ADD(T) *(T *)sum += *(const T *)value
/* A sum that wraps: the same addition in unsigned arithmetic, which does not overflow. */
#define ADD_WRAPPING(T) *(T *)sum = (T)((uint64_t) * (T *)sum + (uint64_t) * (const T *)value)

static void value_add(enum type type, void *sum, const void *value)
{
    switch (type) {
    case TYPE_BOOL: *(bool *)sum = *(bool *)sum || *(const bool *)value; break;
    case TYPE_I8: ADD_WRAPPING(int8_t); break;
    case TYPE_I16: ADD_WRAPPING(int16_t); break;
    case TYPE_I32: ADD_WRAPPING(int32_t); break;
    case TYPE_I64: ADD_WRAPPING(int64_t); break;
    case TYPE_U8: ADD_WRAPPING(uint8_t); break;
    case TYPE_U16: ADD_WRAPPING(uint16_t); break;
    case TYPE_U32: ADD_WRAPPING(uint32_t); break;
    case TYPE_U64: ADD_WRAPPING(uint64_t); break;
    case TYPE_F32: ADD(float); break;
    case TYPE_F64: ADD(double); break;
    case TYPE_C64: ADD(float _Complex); break;
    case TYPE_C128: ADD(double _Complex); break;
    case TYPE_COUNT: break;
    }
}

void coords_move(struct coords *coords, int64_t to, int64_t from)
{
    size_t size = type_size(coords->type);
    char *vals = coords->vals;
    if (to == from)
        return;
    for (int m = 0; m < coords->order; m++)
        coords->coordinate[m][to] = coords->coordinate[m][from];
    memcpy(vals + (size_t)to * size, vals + (size_t)from * size, size);
}

static bool same_component(const struct coords *coords, int64_t a, int64_t b)
{
    for (int m = 0; m < coords->order; m++)
        if (coords->coordinate[m][a] != coords->coordinate[m][b])
            return false;
    return true;
}

void coords_sum_duplicates(struct coords *coords)
{
    size_t size = type_size(coords->type);
    char *vals = coords->vals;
    int64_t kept = 0;
    for (int64_t i = 0; i < coords->n; i++) {
        const char *value = vals + (size_t)i * size;
        if (kept > 0 && same_component(coords, kept - 1, i)) {
            value_add(coords->type, vals + (size_t)(kept - 1) * size, value);
            continue;
        }
        coords_move(coords, kept++, i);
    }
    coords->n = kept;
}
