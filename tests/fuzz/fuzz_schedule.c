/* fuzz_schedule.c - any bytes as a schedule: refused with a diagnostic, or what it makes computes
 * what the oracle says.
 *
 * The first bytes choose the tensors (fuzz_case.h); then comes a statement, to the end of its line,
 * and the schedule.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/fuzz_case.h"

/* So many directives: how large the code may become grows with each. */
enum { DIRECTIVES = 6, LONGEST = 400 };

static bool is_small(const char *schedule)
{
    int directives = 1;
    for (const char *at = schedule; *at; at++)
        directives += *at == ';';
    return directives <= DIRECTIVES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct test_case test; /* large */
    struct trial trial;
    char schedule[LONGEST + 1] = "";
    const uint8_t *line = size > CHOICES ? memchr(data + CHOICES, '\n', size - CHOICES) : NULL;
    size_t rest = line ? size - (size_t)(line + 1 - data) : 0;
    if (!line || rest > LONGEST
        || !fuzz_case(&test, data, data + CHOICES, (size_t)(line - data) - CHOICES))
        return 0;
    memcpy(schedule, line + 1, rest);
    if (!is_small(schedule))
        return 0;
    trial_open(&trial, &test);
    trial_interpret_scheduled(&trial, schedule);
    fuzz_trial_close(&trial);
    return 0;
}
