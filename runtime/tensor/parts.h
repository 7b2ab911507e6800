/* parts.h - a list of coordinates shared out to the parts of a tensor.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_PARTS_H
#define SPCC_TENSOR_PARTS_H

#include "compiler/format/parts.h"
#include "runtime/tensor/coords.h"

/* The entries that each part has, in their order, in a list for coords_free: share has room for all
 * parts, and holds empty lists after a failure.  The list itself stays as it is.  RT_INPUT: a
 * coordinate is out of range.  threads as in threads_run. */
enum rt_status parts_share_out(const struct coords *coords, const struct format_parts *parts,
                               int threads, const char *name, struct coords *share,
                               struct rt_error *error);

#endif
