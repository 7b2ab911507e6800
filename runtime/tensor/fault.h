/* fault.h - from a level's fault to an error that says which level of which tensor it is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_FAULT_H
#define SPCC_TENSOR_FAULT_H

#include "compiler/level.h"
#include "runtime/tensor/status.h"

enum { LEVEL_PLACE = 160 };

/* "A: level 2 (compressed)" into place, which has LEVEL_PLACE bytes; number counts from 1, name
 * may be NULL. */
void level_place(char *place, const char *name, int number, const struct level_format *level);

/* Adds the remedy where the level needs a wider type of positions ("pos") or coordinates ("crd").
 * Both who uses the command line and who uses the C API read it. */
void level_help_wider(const struct level_format *level, const char *array, struct rt_error *error);

/* Adds the remedy where coordinates go against a property that the level may do without: the level
 * without it. */
void level_help_without(const struct level_format *level, unsigned property,
                        struct rt_error *error);

/* "A: level 2 (compressed, size 8): crd[17] is 9, not below the dimension".  RT_INPUT, or
 * RT_NO_MEMORY if that is it; arrays are as they were checked. */
enum rt_status level_fail(const struct level_storage *level, int number,
                          const struct level_fault *fault, const char *name,
                          struct rt_error *error);

/* The same of a level that could not be packed: an array's fault is then that its type is too
 * small (DIAG_LIMIT). */
enum rt_status level_fail_packing(const struct level_storage *level, int number,
                                  const struct level_fault *fault, const char *name,
                                  struct rt_error *error);

#endif
