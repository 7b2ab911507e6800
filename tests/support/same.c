/* same.c - operands of a random case that have one pattern, which is promised (--same).
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/support/case.h"
#include "tests/support/rng.h"

#include <string.h>

/* Do all tensors of the format that store the same components have the same arrays?  Tests store
 * siblings that need no order in any, and components that may be stored twice in two parts. */
static bool is_canonical(const struct case_tensor *t)
{
    static const char *const loose[] = {"unordered", "hash", "dok", "nonunique)"};
    bool stores = *t->named && strncmp(t->named, "dense", 5) != 0, list = false;
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++)
        if (strstr(t->format, loose[i]))
            return false;
    for (int l = 0; l < t->order && !*t->named; l++) {
        stores |= t->level[l].letter != 'd';
        list = !t->level[l].unique;
        if (t->level[l].letter == 'h' || !t->level[l].ordered)
            return false;
    }
    return stores && !list;
}

bool case_has_same(const struct test_case *test)
{
    if (test->same[1] <= test->same[0] || test->same[0] < 1 || test->same[1] >= test->tensors)
        return false;
    const struct case_tensor *a = &test->tensor[test->same[0]], *b = &test->tensor[test->same[1]];
    if (a->order != b->order || strcmp(a->format, b->format) != 0 || a->entries != b->entries
        || !is_canonical(a))
        return false;
    bool same = memcmp(a->dimension, b->dimension, (size_t)a->order * sizeof *a->dimension) == 0;
    for (int e = 0; e < a->entries && same; e++)
        same = memcmp(a->entry[e].coordinate, b->entry[e].coordinate,
                      (size_t)a->order * sizeof *a->entry[e].coordinate)
               == 0;
    return same;
}

void case_draw_same(struct rng *rng, struct test_case *test)
{
    for (int one = 1; one < test->tensors; one++)
        for (int other = one + 1; other < test->tensors; other++) {
            const struct case_tensor *a = &test->tensor[one];
            struct case_tensor *b = &test->tensor[other];
            if (a->order == 0 || a->order != b->order || !is_canonical(a) || !rng_percent(rng, 40)
                || memcmp(a->dimension, b->dimension, (size_t)a->order * sizeof *a->dimension) != 0)
                continue;
            memcpy(b->level, a->level, sizeof b->level);
            memcpy(b->named, a->named, sizeof b->named);
            b->in_full = a->in_full;
            b->entries = a->entries;
            for (int e = 0; e < a->entries; e++) {
                memcpy(b->entry[e].coordinate, a->entry[e].coordinate,
                       sizeof b->entry[e].coordinate);
                b->entry[e].value = case_random_value(rng, b->type);
            }
            test->same[0] = one;
            test->same[1] = other;
            return;
        }
}
