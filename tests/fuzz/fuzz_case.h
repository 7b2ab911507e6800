/* fuzz_case.h - any bytes as a statement on tiny tensors: a test case that an oracle knows the
 * answer to.
 *
 * The first bytes choose sizes, formats, types, fills and values.  What the tensors are called and
 * how many modes they have, the parser says.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FUZZ_CASE_H
#define SPCC_FUZZ_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "tests/support/rng.h"
#include "tests/support/trial.h"

enum { CHOICES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void choose_format(struct rng *rng, struct case_tensor *t)
{
    static const char *const vectors[] = {"d", "s", "u", "d", "s"};
    static const char *const matrices[] = {
        "csr",
        "csc",
        "dcsr",
        "coo",
        "dd",
        "sd",
        "ss:1,0",
        "dense:1,0",
        "(i,j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))"};
    static const char *const cubes[] = {"csf", "coo",       "ddd",       "dss",
                                        "sds", "sss:2,0,1", "ddd:2,1,0", "suq"};
    static const char *const fours[] = {"csf", "coo", "dddd", "ssdd"};
    const char *format = t->order == 0   ? "dense"
                         : t->order == 1 ? vectors[rng_below(rng, 5)]
                         : t->order == 2 ? matrices[rng_below(rng, 9)]
                         : t->order == 3 ? cubes[rng_below(rng, 8)]
                                         : fours[rng_below(rng, 4)];
    snprintf(t->format, sizeof t->format, "%s", rng_percent(rng, 30) ? "dense" : format);
}

static inline void choose_values(struct rng *rng, struct case_tensor *t)
{
    int components = 1, density = rng_percent(rng, 40) ? 100 : 50;
    for (int m = 0; m < t->order; m++)
        components *= (int)t->dimension[m];
    for (int c = 0; c < components && t->entries < CASE_ENTRIES; c++) {
        if (!rng_percent(rng, density))
            continue;
        struct case_entry *e = &t->entry[t->entries++];
        int rest = c;
        for (int m = t->order - 1; m >= 0; m--) {
            e->coordinate[m] = (uint8_t)(rest % t->dimension[m]);
            rest /= (int)t->dimension[m];
        }
        e->value = value_int(t->type, 1 + rng_below(rng, 4));
    }
}

/* A number as an index beyond the tensor's size is refused where tensors are bound, which
 * nothing here does. */
static inline bool is_within(const struct tin *access, int64_t side)
{
    for (int m = 0; m < access->indices; m++)
        if (access->index[m]->literal && access->index[m]->value >= side)
            return false;
    return true;
}

/* The tensor of an access, unless it is there already; false if cases have no room for it. */
static inline bool add_tensor(struct test_case *test, struct rng *rng, const struct tin *access,
                              int side)
{
    const char *name = access->tensor->name;
    if (!is_within(access, side))
        return false;
    for (int i = 0; i < test->tensors; i++)
        if (strcmp(test->tensor[i].name, name) == 0)
            return true;
    if (test->tensors == CASE_TENSORS || access->indices > CASE_ORDER
        || strlen(name) >= sizeof test->tensor[0].name)
        return false;
    struct case_tensor *t = &test->tensor[test->tensors++];
    strcpy(t->name, name);
    t->order = access->indices;
    t->type = rng_percent(rng, 60) ? TYPE_F64 : (enum type)rng_below(rng, TYPE_COUNT);
    t->fill = rng_percent(rng, 80) ? value_zero(t->type) : value_int(t->type, 1);
    for (int m = 0; m < t->order; m++)
        t->dimension[m] = side;
    choose_format(rng, t);
    choose_values(rng, t);
    return true;
}

static inline bool add_tensors(struct test_case *test, struct rng *rng, const struct tin *tin,
                               int side)
{
    if (tin->kind == TIN_ACCESS && !add_tensor(test, rng, tin, side))
        return false;
    for (int i = 0; i < tin->args; i++)
        if (!add_tensors(test, rng, tin->arg[i], side))
            return false;
    return true;
}

/* How many index variables a statement has is how large the oracle's work is. */
static inline int count_names(const struct tin *tin)
{
    int n = tin->indices;
    for (int i = 0; i < tin->args; i++)
        n += count_names(tin->arg[i]);
    return n;
}

/* From the choices and a statement of `size` bytes; false: nothing to try. */
static inline bool fuzz_case(struct test_case *test, const uint8_t *choices, const void *statement,
                             size_t size)
{
    struct context *cx = context_new();
    struct rng rng = {0};
    bool made = false;
    memset(test, 0, sizeof *test);
    if (size >= sizeof test->statement) {
        context_free(cx);
        return false;
    }
    memcpy(&rng.state, choices, CHOICES);
    test->index_bits = rng_percent(&rng, 70) ? 32 : 64;
    test->shuffle = rng_next(&rng);
    memcpy(test->statement, statement, size);
    if (cx && context_protect(cx)) {
        const struct tin *tin = tin_parse(cx, test->statement);
        int side = tin && count_names(tin) <= 8 ? 2 + (choices[0] & 1) : 1;
        made = tin && count_names(tin) <= 24 && add_tensors(test, &rng, tin, side);
    }
    if (cx)
        context_free(cx);
    return made;
}

/* Stop, with the case, if it has failed. */
static inline void fuzz_trial_close(struct trial *trial)
{
    if (trial->verdict == TRIAL_FAILED) {
        struct text text = text_new(trial->cx->arena);
        case_print(&text, trial->test);
        fprintf(stderr, "%s\n%s\n", trial->why, text.at);
        abort();
    }
    trial_close(trial);
}

#endif
