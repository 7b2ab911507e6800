/* spare.h - arrays that were in use a moment ago, and are room for those that come next.
 *
 * New memory costs more than what is done with it: the system hands it out page by page, each
 * zeroed.  So the arrays of a result that is replaced, and those that its kernel released, are kept
 * for the next run.  What a run has not taken it gives back: there is never more than the last two
 * runs had in use.
 *
 * Used by one thread at a time.  What is kept is malloc's: of memory that a user gives nothing is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_SPARE_H
#define SPCC_TENSOR_SPARE_H

#include <stddef.h>
#include <stdint.h>

struct memory;
struct tensor;

enum { SPARE_MOST = 32 };

/* All zero: nothing, and nothing is kept. */
struct spare {
    int n;
    int64_t bytes, most; /* in the arrays, and at most */
    struct spare_array {
        void *at;
        size_t bytes;
        unsigned run; /* when it was put here */
    } array[SPARE_MOST];
    unsigned run;
    const struct memory *memory; /* of the run; NULL: the host's */
};

/* A run begins, after which this many bytes are kept.  The memory is there until it ends. */
void spare_begin(struct spare *spare, int64_t most, const struct memory *memory);

/* As realloc and free, but that an array never moves to become shorter. */
void *spare_resize(struct spare *spare, void *array, size_t bytes);
void spare_release(struct spare *spare, void *array);

/* Takes the arrays that the tensor owns: they are spare, or go back to where they are from. */
void spare_take_arrays(struct spare *spare, struct tensor *tensor);

/* The run ends, well or not: give back what it has not taken. */
void spare_end(struct spare *spare);

/* Gives back everything. */
void spare_free(struct spare *spare);

#endif
