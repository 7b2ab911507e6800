/* rb.h - Rutherford-Boeing files: what is written is in a file of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_RB_H
#define SPCC_IO_RB_H

#include "runtime/io/file_format.h"

enum rt_status rb_write(struct output *output, const struct tensor *tensor, struct rt_error *error);

#endif
