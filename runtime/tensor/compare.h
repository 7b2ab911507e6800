/* compare.h - are two tensors the same, but for how their values were rounded?
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_COMPARE_H
#define SPCC_TENSOR_COMPARE_H

#include "runtime/tensor/tensor.h"

enum tensor_difference { TENSOR_SAME, TENSOR_OTHER_PATTERN, TENSOR_OTHER_VALUES };

/* Of two tensors of one type and of the same dimensions: do they store the same components, in
 * whatever order, and are the values what sums in another order are?  Integers and truth values are
 * the same.  Fails for lack of memory only. */
enum rt_status tensor_compare(const struct tensor *a, const struct tensor *b,
                              enum tensor_difference *difference, struct rt_error *error);

#endif
