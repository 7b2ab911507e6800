/* narrow.h - cases at the limit of what the result's positions and coordinates count.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SUPPORT_NARROW_H
#define SPCC_SUPPORT_NARROW_H

#include "tests/support/case.h"
#include "tests/support/rng.h"

/* Sizes with which the result has about as many components as the type counts. */
void narrow_sizes(struct rng *rng, struct test_case *test, enum type type);

/* Positions, and coordinates unless positions_only, of this type in some of the tensor's levels.
 * Its format has been spelled. */
void narrow_format(struct rng *rng, struct case_tensor *t, enum type type, bool positions_only);

#endif
