/* fuzz_mtx.c - any bytes as a .mtx file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_file("mtx", data, size);
    return 0;
}
