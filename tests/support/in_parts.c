/* in_parts.c - operands of a random case that are in parts.
 *
 * None is stored several times: kernels of a case read one list of tensors.
 *
 * Which part an entry is in is drawn at random: statements have to be right wherever it goes.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "tests/support/case.h"
#include "tests/support/rng.h"

const char *case_parts_format(int order, int n)
{
    static const char *const formats[CASE_ORDER + 1][7] = {
        {NULL},
        {"part(sparse; coo)", "part(hash; sparse)", "part(dense; sparse)"},
        {"part(csr; csc)", "part(dcsr; coo; dcsc)", "mmcsf", "heavy(2)",
         "part(bcsr(2,2); dia; coo)", "mmcsf(static)"},
        {"part(csf; csf:2,1,0)", "mmcsf", "part(coo; csf:1,2,0)", "heavy(3)",
         "part(fibers(2); csf:1,0,2)", "part(hicoo(2); csf)"},
        {"mmcsf", "part(csf:3,2,1,0; csf)", "part(dense; coo; dense:2,3,0,1)"},
    };
    return order <= CASE_ORDER && n < 7 ? formats[order][n] : NULL;
}

static bool may_be_in_parts(const struct test_case *test, int t)
{
    const struct case_tensor *tensor = &test->tensor[t];
    return tensor->order > 0 && value_is_zero(tensor->fill) && t != test->same[0]
           && t != test->same[1];
}

static void draw_format(struct rng *rng, struct case_tensor *tensor)
{
    int n = 0;
    while (case_parts_format(tensor->order, n))
        n++;
    snprintf(tensor->named, sizeof tensor->named, "%s",
             case_parts_format(tensor->order, rng_below(rng, n)));
}

void case_draw_parts(struct rng *rng, struct test_case *test, int percent)
{
    for (int t = 1; t < test->tensors; t++)
        if (may_be_in_parts(test, t) && rng_percent(rng, percent))
            draw_format(rng, &test->tensor[t]);
}

const struct case_tensor *case_part(struct arena *arena, const struct case_tensor *whole, int parts,
                                    int part, uint64_t shuffle)
{
    struct rng rng = {shuffle ^ 0x9e3779b9};
    struct case_tensor *some = arena_copy(arena, whole, sizeof *some);
    some->entries = 0;
    for (int e = 0; e < whole->entries; e++)
        if (rng_below(&rng, parts) == part)
            some->entry[some->entries++] = whole->entry[e];
    return some;
}
