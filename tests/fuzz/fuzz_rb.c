/* fuzz_rb.c - any bytes as a .rb file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_file("rb", data, size);
    return 0;
}
