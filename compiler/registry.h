/* registry.h - every level type and every transformation: the one place that lists them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_REGISTRY_H
#define SPCC_REGISTRY_H

struct level_type;
struct schedule_type;

/* NULL-terminated. */
extern const struct level_type *const registry_levels[];
extern const struct schedule_type *const registry_schedules[];

#endif
