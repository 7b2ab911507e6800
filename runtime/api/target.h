/* target.h - the machine that a context's kernels are made for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_TARGET_H
#define SPCC_API_TARGET_H

#include "compiler/target.h"
#include "runtime/api/api.h"

/* What the context's user has asked for (spcc_options.target); *target is NULL: nothing.  False
 * after a diagnostic. */
bool api_target(struct spcc_context *api, struct context *cx, const struct target **target);

/* The machine by name that this one is. */
const struct target *target_host(void);

#endif
