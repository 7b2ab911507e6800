/* fuzz_edges.c - any bytes as a list of edges.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_file("edges", data, size);
    return 0;
}
