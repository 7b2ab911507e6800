/* cpu.h - which processor code is compiled for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_CPU_H
#define SPCC_JIT_CPU_H

#include "runtime/jit/sha256.h"

/* Add to the hash whatever -march=native depends on: the processor's model and its features, as far
 * as the system lets programs use them. */
void cpu_identify(struct sha256 *hash);

#endif
