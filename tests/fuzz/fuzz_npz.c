/* fuzz_npz.c - any bytes as a .npz file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_file("npz", data, size);
    return 0;
}
