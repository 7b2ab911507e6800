/* alloc.h - arrays from malloc, with the multiplication checked.
 *
 * Sizes come from files and from users, so n * size may overflow: these functions then fail as if memory had run
 * out.  Production code has no hook in it; the tests of allocation failure link with the linker's --wrap=malloc.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_ALLOC_H
#define SPCC_TENSOR_ALLOC_H

#include <stdint.h>
#include <stdlib.h>

/* n elements for free(), or NULL.  Never NULL because n is 0. */
static inline void *rt_array(int64_t n, size_t size)
{
    size_t bytes;
    if (n < 0 || __builtin_mul_overflow((uint64_t)n, size, &bytes) || bytes > PTRDIFF_MAX)
        return NULL;
    return malloc(bytes ? bytes : 1);
}

/* The same, zeroed. */
static inline void *rt_array_zeroed(int64_t n, size_t size)
{
    return n < 0 ? NULL : calloc(n ? (size_t)n : 1, size);
}

/* The array with room for n elements, possibly elsewhere; NULL, and the array as it was, if there is none. */
static inline void *rt_array_resize(void *array, int64_t n, size_t size)
{
    size_t bytes;
    if (n < 0 || __builtin_mul_overflow((uint64_t)n, size, &bytes) || bytes > PTRDIFF_MAX)
        return NULL;
    return realloc(array, bytes ? bytes : 1);
}

#endif
