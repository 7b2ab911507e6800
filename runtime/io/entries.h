/* entries.h - the components of a tensor that are written to a file: those that its levels store,
 * in an order that its format's blocks and hash tables do not change.  What may be padding is left
 * out, and what equals the fill if that is asked for.
 *
 *     struct entries entries;
 *     struct entries_walk walk;
 *     enum rt_status status = entries_open(&entries, tensor, how, error);
 *     if (status == RT_OK)
 *         entries_walk(&walk, &entries, 0, entries.places);
 *     while (status == RT_OK && entries_next(&walk))
 *         use(walk.coordinate, walk.value);
 *     entries_close(&entries);
 *
 * Several threads may walk, each through some of the places.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_ENTRIES_H
#define SPCC_IO_ENTRIES_H

#include "runtime/io/io.h"
#include "runtime/tensor/coords.h"
#include "runtime/tensor/walk.h"

struct entries {
    const struct tensor *tensor;
    int threads;    /* as in threads_run */
    int64_t places; /* at each of which there is an entry or none */
    enum leaving leaving;
    bool columns;              /* all of a dense tensor, the first mode fastest */
    bool pattern;              /* values are all 1, and are not to be written */
    enum io_symmetry symmetry; /* of which these are the lower triangle */
    bool listed;               /* from a list, which has been sorted */
    struct coords list;
};

struct entries_walk {
    int64_t coordinate[ORDER_MAX];
    const void *value;
    const struct entries *of;
    int64_t at, end; /* places */
    bool begun;
    struct tensor_walk walk;
};

/* Fails for lack of memory only. */
enum rt_status entries_open(struct entries *entries, const struct tensor *tensor,
                            const struct io_writing *how, struct rt_error *error);

/* The same with what is asked for: of a matrix one triangle, and whether there are only values of
 * 1.  RT_INPUT: the matrix has not the symmetry. */
enum rt_status entries_open_for(struct entries *entries, const struct tensor *tensor,
                                const struct io_writing *how, struct rt_error *error);

/* All components of a tensor whose levels are dense, also those that are the fill, in order of the
 * last mode first: column by column.  Of a matrix one triangle if that is asked for; of its entries
 * only the values are then for use.  RT_INPUT: as above. */
enum rt_status entries_open_array(struct entries *entries, const struct tensor *tensor,
                                  const struct io_writing *how, struct rt_error *error);

/* Goes through the places [begin, end). */
void entries_walk(struct entries_walk *walk, const struct entries *entries, int64_t begin,
                  int64_t end);
bool entries_next(struct entries_walk *walk);

/* Also after entries_open has failed. */
void entries_close(struct entries *entries);

/* Returns how many there are. */
int64_t entries_count(const struct entries *entries);

#endif
