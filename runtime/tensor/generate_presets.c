/* generate_presets.c - the synthetic tensors of the sparse tensor benchmark suite (Li and others,
 * "A Sparse Tensor Benchmark Suite for CPUs and GPUs", 2020, table II) by their names.
 *
 * Sizes there are rounded powers of two.  Those of irrS4d and irrM4d contradict the numbers of
 * entries and the densities beside them; here the latter count.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/tensor/generate_places.h"

enum { K = 1 << 10, M = 1 << 20 };

const struct preset presets[] = {
    {"@regS", GENERATE_KRONECKER, 1100000, 3, {64 * K, 64 * K, 64 * K}},
    {"@regM", GENERATE_KRONECKER, 11500000, 3, {M, M, M}},
    {"@regL", GENERATE_KRONECKER, 94000000, 3, {8 * M, 8 * M, 8 * M}},
    {"@irrS", GENERATE_POWERLAW, 1000000, 3, {32 * K, 32 * K, 76}},
    {"@irrM", GENERATE_POWERLAW, 10000000, 3, {512 * K, 512 * K, 126}},
    {"@irrL", GENERATE_POWERLAW, 84000000, 3, {4 * M, 4 * M, 168}},
    {"@regS4d", GENERATE_KRONECKER, 1000000, 4, {8 * K, 8 * K, 8 * K, 8 * K}},
    {"@regM4d", GENERATE_KRONECKER, 11200000, 4, {2 * M, 2 * M, 2 * M, 2 * M}},
    {"@regL4d", GENERATE_KRONECKER, 110000000, 4, {8 * M, 8 * M, 8 * M, 8 * M}},
    {"@irrS4d", GENERATE_POWERLAW, 1000000, 4, {16 * K, 16 * K, 16 * K, 82}},
    {"@irrM4d", GENERATE_POWERLAW, 10800000, 4, {256 * K, 256 * K, 256 * K, 144}},
    {"@irrL4d", GENERATE_POWERLAW, 100000000, 4, {4 * M, 4 * M, 4 * M, 226}},
    {"@irr2S4d", GENERATE_POWERLAW, 1600000, 4, {M, M, 122, 436}},
    {"@irr2M4d", GENERATE_POWERLAW, 19900000, 4, {4 * M, 4 * M, 232, 746}},
    {"@irr2L4d", GENERATE_POWERLAW, 109000000, 4, {8 * M, 8 * M, 952, 324}},
};
const int presets_n = (int)(sizeof presets / sizeof *presets);

const struct preset *preset_named(const char *text)
{
    size_t n = strcspn(text, "/(");
    for (int p = 0; p < presets_n; p++)
        if (strlen(presets[p].name) == n && memcmp(presets[p].name, text, n) == 0)
            return &presets[p];
    return NULL;
}
