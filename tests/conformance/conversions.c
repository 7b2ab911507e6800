/* conversions.c - every format that results have from every format: y(i,j) = A(i,j).
 *
 *     conversions [--engine interp|cc|clang] [--flags "..."] [--only WORDS] [--share N] [--turn N]
 *                 [--every N] [--max-refused N] [--verbose]
 *
 * For tensors of order 1 to 3, and each ordered pair of the formats of tests/support/formats.c and
 * dense ones.  What is wrong fails, and so does more than N refusals.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/conversions.h"
#include "tests/conformance/runner.h"
#include "tests/support/rng.h"

enum { FILLINGS = 6 };

/* ---- tensors ---- */

static void set_tensor(struct case_tensor *t, const char *name, const char *format, int order,
                       double fill)
{
    snprintf(t->name, sizeof t->name, "%s", name);
    snprintf(t->format, sizeof t->format, "%s", format);
    t->order = order;
    t->type = TYPE_F64;
    t->fill = value_real(TYPE_F64, fill);
}

static void add_entries(struct case_tensor *t, struct rng *rng, int density)
{
    int64_t components = 1;
    for (int m = 0; m < t->order; m++)
        components *= t->dimension[m];
    for (int64_t c = 0; c < components && t->entries < CASE_ENTRIES; c++) {
        struct case_entry *e = &t->entry[t->entries];
        int64_t rest = c;
        for (int m = t->order - 1; m >= 0; m--) {
            e->coordinate[m] = (int32_t)(rest % t->dimension[m]);
            rest /= t->dimension[m];
        }
        e->value = value_real(TYPE_F64, 1 + rng_below(rng, 9));
        t->entries += rng_percent(rng, density);
    }
}

/* Sparse, denser, full, empty, of dimensions 1 and 0; every other one with a fill of 2. */
static void fill(int item, int filling, struct test_case *test)
{
    static const int sizes[FILLINGS] = {7, 5, 4, 5, 1, 0},
                     densities[FILLINGS] = {15, 50, 100, 0, 60, 0};
    struct conversion c = conversion_number(item);
    struct rng rng = {(uint64_t)item * FILLINGS + (uint64_t)filling};
    bool is_dense = strncmp(c.from, "dense", 5) == 0;
    memset(test, 0, sizeof *test);
    snprintf(test->statement, sizeof test->statement, "%s", conversion_statement(c.order));
    test->index_bits = 32;
    test->machine = 1 + (uint64_t)item;
    test->tensors = 2;
    set_tensor(&test->tensor[0], "y", c.to, c.order, item % 2 ? 2 : 0);
    set_tensor(&test->tensor[1], "A", c.from, c.order, item % 2 ? 2 : 0);
    for (int m = 0; m < c.order; m++) {
        int64_t size = sizes[filling] == 1 ? 1 + rng_below(&rng, 2)
                       : sizes[filling]    ? sizes[filling] - m
                                           : m % 2 * 3;
        test->tensor[0].dimension[m] = test->tensor[1].dimension[m] = size;
    }
    add_entries(&test->tensor[1], &rng, is_dense ? 100 : densities[filling]);
}

static bool parse_options(struct runner *runner, int *max_refused, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--max-refused") == 0 && i + 1 < argc)
            *max_refused = (int)strtol(argv[++i], NULL, 10);
        else if (!runner_option(runner, argc, argv, &i))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const struct suite suite = {conversions_count(), FILLINGS, 0, fill, conversion_print};
    struct runner runner = {.suite = &suite};
    int max_refused = 0;
    if (suite.count > ITEMS_MAX || !parse_options(&runner, &max_refused, argc, argv)) {
        fprintf(stderr,
                "usage: %s [--engine interp|cc|clang] [--flags FLAGS] [--only WORDS] [--share N] "
                "[--max-refused N] [--verbose]\n",
                argv[0]);
        return 2;
    }
    struct state *state = runner_run(&runner);
    int status = !state ? 3 : state->skipped ? RUNNER_SKIP : 0;
    if (status == 0) {
        runner_print(&runner, state);
        status = runner_wrong(state) || state->count[OUTCOME_REFUSED] > max_refused;
    }
    if (state)
        runner_free(state);
    return status;
}
