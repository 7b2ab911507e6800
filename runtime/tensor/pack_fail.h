/* pack_fail.h - what is said where a tensor does not fit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_PACK_FAIL_H
#define SPCC_TENSOR_PACK_FAIL_H

#include "runtime/tensor/keys.h"
#include "runtime/tensor/tensor.h"

/* So many times fewer entries than positions: it is the format that takes the memory. */
bool pack_is_mostly_empty(double positions, int64_t entries);

/* The remedy where that is so of the first level. */
void pack_help_sparse(struct rt_error *error);

/* Has level k two entries with the same coordinates but different parents, although it is unique,
 * below one that is not? */
enum rt_status pack_check_split(const struct level_format *level, int k, int tells,
                                const struct keys *keys, const char *name, struct rt_error *error);

/* There is no memory for the values of a tensor, nvals of them, with this many entries. */
enum rt_status pack_fail_vals(const struct tensor *tensor, int64_t entries, const char *name,
                              struct rt_error *error);

/* What a large dense tensor takes, of which there is too little, and what to write instead.  Where
 * there is no memory wider indices are of no use.  Errors that are about neither stay as they
 * are. */
enum rt_status pack_explain_dense(const struct coords *coords, int64_t entries, const char *name,
                                  struct rt_error *error);

#endif
