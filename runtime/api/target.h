/* target.h - the machine that a context's kernels are made for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_TARGET_H
#define SPCC_API_TARGET_H

#include "compiler/target.h"
#include "runtime/api/api.h"

/* Finds the machine that the context's user has asked for (spcc_options.target); NULL in *target if
 * there is none.  False after a diagnostic. */
bool api_target(struct spcc_context *api, struct context *cx, const struct target **target);

/* Returns the machine by name that this one is. */
const struct target *target_host(void);

#endif
