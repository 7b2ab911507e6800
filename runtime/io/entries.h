/* entries.h - the components of a tensor that are written to a file: those that are not the fill,
 * in an order that its format's blocks and hash tables do not change.
 *
 *     struct entries entries;
 *     enum rt_status status = entries_open(&entries, tensor, error);
 *     while (status == RT_OK && entries_next(&entries))
 *         use(entries.coordinate, entries.value);
 *     entries_close(&entries);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_ENTRIES_H
#define SPCC_IO_ENTRIES_H

#include "runtime/io/io.h"
#include "runtime/tensor/coords.h"
#include "runtime/tensor/walk.h"

struct entries {
    int64_t coordinate[ORDER_MAX];
    const void *value;
    int64_t done, total; /* how far it is, and what that is of: for progress */
    const struct tensor *tensor;
    bool pattern;              /* values are all 1, and are not to be written */
    enum io_symmetry symmetry; /* of which these are the lower triangle */
    bool listed;               /* from a list, which has been sorted */
    struct coords list;
    struct tensor_walk walk;
};

/* Fails for lack of memory only. */
enum rt_status entries_open(struct entries *entries, const struct tensor *tensor,
                            struct rt_error *error);

/* The same with what is asked for: of a matrix one triangle, and whether there are only values of
 * 1.  RT_INPUT: the matrix has not the symmetry. */
enum rt_status entries_open_for(struct entries *entries, const struct tensor *tensor,
                                const struct io_writing *how, struct rt_error *error);
bool entries_next(struct entries *entries);
/* Also after entries_open has failed. */
void entries_close(struct entries *entries);

/* How many there are. */
int64_t entries_count(const struct entries *entries);

#endif
