/* fuzz_npy.c - any bytes as a .npy file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_file("npy", data, size);
    return 0;
}
