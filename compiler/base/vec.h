/* vec.h - a growing array in an arena.
 *
 *     VEC(struct tin *) args = {0};
 *     vec_push(arena, &args, node);
 *     for (size_t i = 0; i < args.n; i++) use(args.at[i]);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_VEC_H
#define SPCC_BASE_VEC_H

#include "compiler/base/arena.h"

#define VEC(T)              \
    struct {                \
        T *at;              \
        size_t n, capacity; \
    }

#define vec_push(arena, v, item)                                                         \
    ((v)->n == (v)->capacity                                                             \
         ? (void)((v)->at = vec_grow((arena), (v)->at, sizeof *(v)->at, &(v)->capacity)) \
         : (void)0,                                                                      \
     (v)->at[(v)->n++] = (item))

/* A copy of the array with twice the capacity. */
void *vec_grow(struct arena *arena, void *at, size_t item_size, size_t *capacity);

#endif
