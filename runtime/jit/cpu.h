/* cpu.h - which processor code is compiled for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_CPU_H
#define SPCC_JIT_CPU_H

#include <stdbool.h>

#include "runtime/jit/sha256.h"

/* Add to the hash whatever -march=native depends on: the processor's model and its features, as far
 * as the system lets programs use them. */
void cpu_identify(struct sha256 *hash);

/* Can this processor run code for the target of this name (compiler/target.h)? */
bool cpu_runs(const char *machine);

#endif
