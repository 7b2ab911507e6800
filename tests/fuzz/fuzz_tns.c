/* fuzz_tns.c - any bytes as a .tns file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_file("tns", data, size);
    return 0;
}
