/* alloc.h - arrays from malloc, with the multiplication checked.
 *
 * Sizes come from files and from users, so n * size may overflow: these functions then fail as if
 * memory had run out.  Production code has no hook in it; the tests of allocation failure link with
 * the linker's --wrap=malloc.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_ALLOC_H
#define SPCC_TENSOR_ALLOC_H

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/tensor/memory.h"

enum { RT_LARGE = 4 << 20, RT_PAGE = 4096 };

/* Large memory that is about to be written: with huge pages the system makes it available
 * several times faster. */
static inline void *rt_large(void *at, size_t bytes)
{
    if (at && bytes >= RT_LARGE) {
        uintptr_t begin = ((uintptr_t)at + RT_PAGE - 1) / RT_PAGE * RT_PAGE,
                  end = (uintptr_t)at + bytes;
        madvise((void *)begin, (end - begin) / RT_PAGE * RT_PAGE, MADV_HUGEPAGE);
    }
    return at;
}

/* Large ones are held to the limit. */
static inline bool rt_allows(size_t bytes) { return bytes < RT_LARGE || memory_allows(bytes); }

/* n elements for free(), or NULL.  Never NULL because n is 0. */
static inline void *rt_array(int64_t n, size_t size)
{
    size_t bytes;
    if (n < 0 || __builtin_mul_overflow((uint64_t)n, size, &bytes) || bytes > PTRDIFF_MAX)
        return NULL;
    return rt_allows(bytes) ? rt_large(malloc(bytes ? bytes : 1), bytes) : NULL;
}

/* The same, zeroed. */
static inline void *rt_array_zeroed(int64_t n, size_t size)
{
    size_t bytes;
    if (n < 0 || __builtin_mul_overflow((uint64_t)n, size, &bytes) || !rt_allows(bytes))
        return NULL;
    return calloc(n ? (size_t)n : 1, size);
}

/* The array with room for n elements, possibly elsewhere; NULL, and the array as it was, if
 * there is none. */
static inline void *rt_array_resize(void *array, int64_t n, size_t size)
{
    size_t bytes;
    if (n < 0 || __builtin_mul_overflow((uint64_t)n, size, &bytes) || bytes > PTRDIFF_MAX)
        return NULL;
    size_t there = array && bytes >= RT_LARGE ? malloc_usable_size(array) : 0;
    if (bytes > there && !rt_allows(bytes - there))
        return NULL;
    return rt_large(realloc(array, bytes ? bytes : 1), bytes);
}

#endif
