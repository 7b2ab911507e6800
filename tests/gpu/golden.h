/* golden.h - the statements of tests/golden/cuda, with data for them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_GPU_GOLDEN_H
#define SPCC_GPU_GOLDEN_H

#include "tests/support/trial.h"

enum { GOLDENS_MOST = 100 };

struct golden {
    const char *name, *schedule;
    struct test_case *test; /* its tensors are empty */
    struct tin_size size[CASE_VARS];
    int sizes; /* that the statement declares */
    /* 0, or about how many rows the tensors have, which are too large to be filled then */
    int64_t rows;
};

/* All that have an x.cu, by name; how many.  rows: 0, or of large tensors. */
int golden_read_all(struct context *cx, struct golden *golden, int64_t rows);

/* Entries for its tensors, which add up in any order to the same, unless they are to be rounded. */
void golden_fill(struct golden *golden, bool rounded);

/* Its kernel for a GPU, called `name`: as it stands in the golden, or of another grid; NULL after
 * failing the trial. */
const struct pipeline *golden_compile(struct trial *trial, const struct golden *golden,
                                      const char *name, int grid_blocks);

/* Do its threads add up in an order that is not known? */
bool golden_is_atomic(const struct imp_function *kernel);

#endif
