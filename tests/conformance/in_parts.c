/* in_parts.c - every combination of the conformance table with one operand in parts.
 *
 *     in_parts [--engine interp|cc|clang] [--flags "..."] [--only WORDS] [--share N] [--turn N]
 *              [--verbose]
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "tests/conformance/combinations.h"
#include "tests/conformance/runner.h"

/* Of a combination each operand that has modes, in some formats of its order in turn. */
enum { PER_OPERAND = 2, PER_COMBINATION = PER_OPERAND * (EXPRESSION_TENSORS - 1) };

/* false: the combination has no such operand. */
static bool combination_of(int item, struct combination *c)
{
    int t = 1 + item % PER_COMBINATION / PER_OPERAND, n = item / PER_COMBINATION, formats = 0;
    *c = combination_number(n);
    int order = t < c->tensors ? (int)strlen(c->expression->tensor[t].vars) : 0;
    if (order == 0)
        return false;
    while (case_parts_format(order, formats))
        formats++;
    c->format[t] = case_parts_format(order, (n * PER_OPERAND + item % PER_OPERAND) % formats);
    return true;
}

/* The n-th item that is a combination. */
static int numbered(int n)
{
    static int number[COMBINATIONS * PER_COMBINATION], known;
    struct combination c;
    const bool is_known = known > 0;
    for (int item = 0; !is_known && item < COMBINATIONS * PER_COMBINATION; item++)
        if (combination_of(item, &c))
            number[known++] = item;
    return n < 0 ? known : number[n];
}

static void fill(int item, int filling, struct test_case *test)
{
    struct combination c;
    combination_of(numbered(item), &c);
    combination_fill(&c, (enum filling)filling, test);
}

static void print(int item, char *text, size_t size)
{
    struct combination c;
    combination_of(numbered(item), &c);
    combination_print(&c, text, size);
}

int main(int argc, char **argv)
{
    struct suite suite = {numbered(-1), FILLINGS, 1, fill, print};
    struct runner runner = {.suite = &suite};
    for (int i = 1; i < argc; i++)
        if (!runner_option(&runner, argc, argv, &i)) {
            fprintf(stderr,
                    "usage: %s [--engine interp|cc|clang] [--flags FLAGS] [--only WORDS] "
                    "[--share N] [--turn N] [--verbose]\n",
                    argv[0]);
            return 2;
        }
    struct state *state = runner_run(&runner);
    if (!state)
        return 3;
    runner_print(&runner, state);
    int status =
        state->skipped ? RUNNER_SKIP : runner_wrong(state) || state->count[OUTCOME_REFUSED];
    runner_free(state);
    return status;
}
