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

enum { RT_LARGE = 4 << 20, RT_MANY_PAGES = 1 << 20, RT_PAGE = 4096, RT_HUGE_PAGE = 2 << 20 };
/* Of a cache, and of an array that is worth the beginning of one. */
enum { RT_LINE = 64, RT_MANY_LINES = 1024 };

/* Memory of many pages that is about to be written: the system makes it available some ten times
 * faster in huge ones.  To the bounds of pages, so that what lies side by side is one. */
static inline void *rt_large(void *at, size_t bytes)
{
    if (at && bytes >= RT_MANY_PAGES) {
        uintptr_t begin = (uintptr_t)at / RT_PAGE * RT_PAGE,
                  end = ((uintptr_t)at + bytes + RT_PAGE - 1) / RT_PAGE * RT_PAGE;
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
    return at;
}

/* Up to a whole number of huge pages, less what malloc needs, if that is little more: memory of
 * such a size is where huge pages begin, and has no end in small ones. */
static inline size_t rt_whole(size_t bytes)
{
    enum { MALLOC = 2 * RT_LINE, LITTLE = 8 };
    size_t whole = (bytes + MALLOC + RT_HUGE_PAGE - 1) / RT_HUGE_PAGE * RT_HUGE_PAGE - MALLOC;
    return bytes >= RT_MANY_PAGES && whole - bytes <= bytes / LITTLE ? whole : bytes;
}

/* Large ones are held to the limit. */
static inline bool rt_allows(size_t bytes)
{
    return !memory_is_stopped() && (bytes < RT_LARGE || memory_allows(bytes));
}

/* As malloc, but that what is not short begins with a line, which no vector in it then crosses. */
static inline void *rt_aligned(size_t bytes)
{
    return bytes < RT_MANY_LINES
               ? malloc(bytes)
               : aligned_alloc(RT_LINE, (bytes + RT_LINE - 1) / RT_LINE * RT_LINE);
}

/* As realloc. */
static inline void *rt_resize(void *array, size_t bytes)
{
    if (bytes > PTRDIFF_MAX - RT_LINE)
        return NULL;
    size_t whole = rt_whole(bytes);
    return rt_large(array ? realloc(array, whole) : rt_aligned(whole), whole);
}

/* n elements for free(), or NULL.  Never NULL because n is 0. */
static inline void *rt_array(int64_t n, size_t size)
{
    size_t bytes;
    if (n < 0 || __builtin_mul_overflow((uint64_t)n, size, &bytes) || bytes > PTRDIFF_MAX)
        return NULL;
    return rt_allows(bytes) ? rt_resize(NULL, bytes ? bytes : 1) : NULL;
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
    if (!rt_allows(bytes > there ? bytes - there : 0))
        return NULL;
    return rt_resize(array, bytes ? bytes : 1);
}

#endif
