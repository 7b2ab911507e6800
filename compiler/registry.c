/* registry.c - the lists of all level types and all transformations.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/registry.h"

#include <stddef.h>

#include "levels/levels.h"
#include "schedules/schedules.h"

const struct level_type *const registry_levels[] = {&level_dense,
                                                    &level_compressed,
                                                    &level_singleton,
                                                    &level_padded,
                                                    &level_hashed,
                                                    &level_bitmap,
                                                    &level_bytemap,
                                                    &level_range,
                                                    &level_offset,
                                                    &level_ragged,
                                                    &level_singleton_padded,
                                                    &level_strided,
                                                    &level_strided_unit,
                                                    NULL};

const struct schedule_type *const registry_schedules[] = {
    &schedule_reorder,   &schedule_precompute,  &schedule_collect, &schedule_convert,
    &schedule_split,     &schedule_skew,        &schedule_bound,   &schedule_unroll,
    &schedule_vectorize, &schedule_parallelize, &schedule_bin,     &schedule_collapse,
    &schedule_pos,       &schedule_distribute,  &schedule_factor,  &schedule_sequence,
    &schedule_reuse,     &schedule_share,       &schedule_blas,    NULL,
};
