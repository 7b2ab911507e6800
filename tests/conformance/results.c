/* results.c - statements, formats and random matrices for results.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/conformance/results.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/rng.h"

const struct result_statement result_statements[RESULT_STATEMENTS] = {
    {"B + C", "A(i,j) = B(i,j) + C(i,j)", "csr", "csr"},
    {"B C", "A(i,j) = B(i,k) * C(k,j)", "csr", "csr"},
    {"B Cᵀ", "A(i,j) = B(i,k) * C(j,k)", "csr", "csr"},
    {"from csr", "A(i,j) = B(i,j)", "csr", NULL},
    {"from csc", "A(i,j) = B(i,j)", "csc", NULL},
};

const char *const result_formats[RESULT_FORMATS] = {
    "csr",    "csc",     "dcsr",         "dcsc",         "coo",          "bcsr(2,2)", "bcsc(2,3)",
    "csb(2)", "ell",     "mode-generic", "hash",         "dh",           "db",        "bitmap",
    "dia",    "scoo(0)", "hicoo(2)",     "ghicoo(2; 1)", "shicoo(2; 0)", "fibers(2)", "bcsf(2)",
};

static void set_tensor(struct case_tensor *t, const char *name, const char *format, int64_t size)
{
    snprintf(t->name, sizeof t->name, "%s", name);
    snprintf(t->format, sizeof t->format, "%s", format);
    t->order = 2;
    t->type = TYPE_F64;
    t->fill = value_zero(TYPE_F64);
    t->dimension[0] = t->dimension[1] = size;
}

static void add_entries(struct case_tensor *t, struct rng *rng, int density)
{
    for (int64_t c = 0; c < t->dimension[0] * t->dimension[1]; c++) {
        struct case_entry *e = &t->entry[t->entries];
        if (!rng_percent(rng, density) || t->entries == CASE_ENTRIES)
            continue;
        e->coordinate[0] = (int32_t)(c / t->dimension[1]);
        e->coordinate[1] = (int32_t)(c % t->dimension[1]);
        e->value = value_real(TYPE_F64, 1 + rng_below(rng, 9));
        t->entries++;
    }
}

/* Some, few and none. */
void results_case(int item, int filling, struct test_case *test)
{
    static const int density[RESULT_FILLINGS] = {40, 10, 0};
    const struct result_statement *s = &result_statements[item % RESULT_STATEMENTS];
    struct rng rng = {(uint64_t)item * RESULT_FILLINGS + (uint64_t)filling};
    int64_t size = 5 + rng_below(&rng, 5);
    memset(test, 0, sizeof *test);
    snprintf(test->statement, sizeof test->statement, "%s", s->statement);
    test->index_bits = 32;
    test->tensors = s->c ? 3 : 2;
    set_tensor(&test->tensor[0], "A", result_formats[item / RESULT_STATEMENTS], size);
    set_tensor(&test->tensor[1], "B", s->b, size);
    if (s->c)
        set_tensor(&test->tensor[2], "C", s->c, size);
    for (int v = 0; v < 3; v++)
        test->extent[v] = size;
    for (int t = 1; t < test->tensors; t++)
        add_entries(&test->tensor[t], &rng, density[filling]);
    test->shuffle = rng_next(&rng);
}

void results_print(int item, char *text, size_t size)
{
    const struct result_statement *s = &result_statements[item % RESULT_STATEMENTS];
    snprintf(text, size, "%s: %s, A %s, B %s", s->title, s->statement,
             result_formats[item / RESULT_STATEMENTS], s->b);
}
