/* conformance.c - every combination of expressions and formats, run and compared with the dense
 * oracle; and a few statements into every format of a result.  Both by parallel loops, too.
 *
 *     conformance [--engine interp|cc|clang] [--flags "..."] [--only WORDS] [--share N]
 *                 [--turn N] [--every N] [--check FILE] [--update FILE] [--verbose] [--slowest N]
 *
 * What is wrong fails.  --check: so does a table in FILE that says anything else than what came
 * out.  --slowest N: the N that take longest to be compiled, and nothing else.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/report.h"
#include "tests/conformance/results.h"
#include "tests/conformance/slowest.h"

struct files {
    const char *check, *update, *slowest;
};

static void fill(int item, int filling, struct test_case *test)
{
    struct combination combination = combination_number(item);
    combination_fill(&combination, (enum filling)filling, test);
}

static void print(int item, char *text, size_t size)
{
    struct combination combination = combination_number(item);
    combination_print(&combination, text, size);
}

static bool parse_options(struct runner *runner, struct files *files, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char **file = strcmp(argv[i], "--check") == 0     ? &files->check
                            : strcmp(argv[i], "--update") == 0  ? &files->update
                            : strcmp(argv[i], "--slowest") == 0 ? &files->slowest
                                                                : NULL;
        if (file && i + 1 < argc)
            *file = argv[++i];
        else if (!runner_option(runner, argc, argv, &i))
            return false;
    }
    return true;
}

static int tell(const struct runner *runner, const struct state *state,
                const struct runner *by_format, const struct state *results,
                const struct files *files)
{
    report_print(state);
    runner_print(runner, state);
    runner_print(by_format, results);
    bool good = runner_wrong(state) + runner_wrong(results) == 0;
    if (files->update)
        good &= report_write(state, results, files->update);
    if (files->check)
        good &= report_check(state, results, files->check);
    return good ? 0 : 1;
}

static int run(struct runner *runner, struct runner *by_format, const struct files *files)
{
    struct state *state = runner_run(runner);
    struct state *results = state && !state->skipped ? runner_run(by_format) : NULL;
    int status = results                   ? tell(runner, state, by_format, results, files)
                 : state && state->skipped ? RUNNER_SKIP
                                           : 3;
    if (state)
        runner_free(state);
    if (results)
        runner_free(results);
    return status;
}

int main(int argc, char **argv)
{
    static const struct suite suite = {COMBINATIONS, FILLINGS, 1, fill, print},
                              formats = {RESULT_STATEMENTS * RESULT_FORMATS, RESULT_FILLINGS,
                                         RESULT_FILLINGS, results_case, results_print};
    struct runner runner = {.suite = &suite};
    struct files files = {0};
    if (!parse_options(&runner, &files, argc, argv)) {
        fprintf(
            stderr,
            "usage: %s [--engine interp|cc|clang] [--flags FLAGS] [--only WORDS] [--check FILE] "
            "[--update FILE] [--verbose] [--slowest N]\n",
            argv[0]);
        return 2;
    }
    if (files.slowest) {
        slowest_print((const struct suite *const[]){&suite, &formats}, 2, runner.only,
                      (int)strtol(files.slowest, NULL, 10));
        return 0;
    }
    struct runner by_format = runner;
    by_format.suite = &formats;
    return run(&runner, &by_format, &files);
}
