/* npz.h - .npz files: writing them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_NPZ_H
#define SPCC_IO_NPZ_H

#include "runtime/io/file_format.h"

enum rt_status npz_write(struct output *output, const struct tensor *tensor,
                         struct rt_error *error);

#endif
