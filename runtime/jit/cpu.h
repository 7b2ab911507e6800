/* cpu.h - which processor code is compiled for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_CPU_H
#define SPCC_JIT_CPU_H

#include <stdbool.h>

#include "runtime/jit/sha256.h"

/* Adds to the hash whatever -march=native depends on: the processor's model and its features, as
 * far as the system lets programs use them. */
void cpu_identify(struct sha256 *hash);

/* What processors of the levels of x86-64 have, as -march=x86-64-v2 and so on need it: X(feature),
 * for __builtin_cpu_supports. */
#define CPU_V2(X) X("sse4.2") X("popcnt")
#define CPU_V3(X) CPU_V2(X) X("avx2") X("fma") X("bmi") X("bmi2")
#define CPU_V4(X) CPU_V3(X) X("avx512f") X("avx512bw") X("avx512cd") X("avx512dq") X("avx512vl")

/* Can this processor run code for the target of this name (compiler/target.h)? */
bool cpu_runs(const char *machine);

#endif
