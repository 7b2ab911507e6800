/* tns.h - lines of coordinates and a value.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_TNS_H
#define SPCC_IO_TNS_H

#include "runtime/io/file_format.h"

/* Write a line for each entry; without values if they are all 1 and pattern says so. */
enum rt_status tns_write(struct output *output, const struct tensor *tensor, bool pattern,
                         struct rt_error *error);

#endif
