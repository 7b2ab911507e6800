/* slowest.h - which items of suites take longest to be compiled.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONFORMANCE_SLOWEST_H
#define SPCC_CONFORMANCE_SLOWEST_H

#include "tests/conformance/runner.h"

/* Those whose planning, lowering and emission take most processor time, the least of three times
 * each; of all, or of those that have `only` in their text. */
void slowest_print(const struct suite *const *suite, int suites, const char *only, int most);

#endif
