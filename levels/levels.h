/* levels.h - the level types: one const table, in a file of its own, for each.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LEVELS_LEVELS_H
#define SPCC_LEVELS_LEVELS_H

#include "compiler/level.h"

extern const struct level_type level_dense;
extern const struct level_type level_compressed;
extern const struct level_type level_singleton;
extern const struct level_type level_singleton_padded;
extern const struct level_type level_ragged;
extern const struct level_type level_hashed;
extern const struct level_type level_padded;
extern const struct level_type level_bitmap;
extern const struct level_type level_bytemap;
extern const struct level_type level_range;
extern const struct level_type level_offset;
extern const struct level_type level_strided;
extern const struct level_type level_strided_unit;

/* Of no format: what others are in code (level_type.in_table). */
extern const struct level_type level_row_table;

#endif
