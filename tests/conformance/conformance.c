/* conformance.c - every combination of expressions and formats, run and compared with the dense
 * oracle.
 *
 *     conformance [--engine interp|cc|clang] [--flags "..."] [--only WORDS] [--share N] [--check
 *     FILE] [--update FILE]
 *                 [--verbose]
 *
 * What is wrong fails.  --check: so does a table in FILE that says anything else than what came
 * out.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "tests/conformance/report.h"

struct files {
    const char *check, *update;
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
        const char **file = strcmp(argv[i], "--check") == 0    ? &files->check
                            : strcmp(argv[i], "--update") == 0 ? &files->update
                                                               : NULL;
        if (file && i + 1 < argc)
            *file = argv[++i];
        else if (!runner_option(runner, argc, argv, &i))
            return false;
    }
    return true;
}

static int tell(const struct runner *runner, const struct state *state, const struct files *files)
{
    report_print(state);
    runner_print(runner, state);
    bool good = runner_wrong(state) == 0;
    if (files->update)
        good &= report_write(state, files->update);
    if (files->check)
        good &= report_check(state, files->check);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct suite suite = {COMBINATIONS, FILLINGS, fill, print};
    struct runner runner = {.suite = &suite};
    struct files files = {0};
    if (!parse_options(&runner, &files, argc, argv)) {
        fprintf(
            stderr,
            "usage: %s [--engine interp|cc|clang] [--flags FLAGS] [--only WORDS] [--check FILE] "
            "[--update FILE] [--verbose]\n",
            argv[0]);
        return 2;
    }
    struct state *state = runner_run(&runner);
    int status = !state ? 3 : state->skipped ? RUNNER_SKIP : tell(&runner, state, &files);
    if (state)
        runner_free(state);
    return status;
}
