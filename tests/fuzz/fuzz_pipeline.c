/* fuzz_pipeline.c - any bytes as a statement on tiny tensors: compiled, interpreted, compared with
 * the oracle.
 *
 * The first bytes choose the tensors (fuzz_case.h); the rest is the statement.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/fuzz_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct test_case test; /* large */
    struct trial trial;
    if (size <= CHOICES || !fuzz_case(&test, data, data + CHOICES, size - CHOICES))
        return 0;
    trial_open(&trial, &test);
    trial_interpret(&trial, &trial.pipeline);
    trial_interpret_plain(&trial);
    trial_interpret_reordered(&trial);
    trial_interpret_tables(&trial);
    trial_interpret_in_two(&trial);
    trial_interpret_given(&trial);
    fuzz_trial_close(&trial);
    return 0;
}
