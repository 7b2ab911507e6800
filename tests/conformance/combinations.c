/* combinations.c - the expressions, their formats, and random tensors for them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/conformance/combinations.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/rng.h"

#define DENSE(name, vars)           \
    {                               \
        name, vars, CHOICE_DENSE, 0 \
    }
#define VECTOR(name, vars)           \
    {                                \
        name, vars, CHOICE_VECTOR, 0 \
    }
#define MATRIX(name, vars)           \
    {                                \
        name, vars, CHOICE_MATRIX, 0 \
    }
#define SPARSE(name, vars)                  \
    {                                       \
        name, vars, CHOICE_SPARSE_MATRIX, 0 \
    }
#define CUBE(name, vars)           \
    {                              \
        name, vars, CHOICE_CUBE, 0 \
    }
#define SPARSE_CUBE(name, vars)           \
    {                                     \
        name, vars, CHOICE_SPARSE_CUBE, 0 \
    }
#define AS(name, vars, as)        \
    {                             \
        name, vars, CHOICE_AS, as \
    }
#define DENSE_OR_AS(name, vars, as)        \
    {                                      \
        name, vars, CHOICE_DENSE_OR_AS, as \
    }

const struct expression expressions[] = {
    {"SpMV", "y(i) = A(i,j) * x(j)", {VECTOR("y", "i"), MATRIX("A", "ij"), VECTOR("x", "j")}},
    {"transposed SpMV",
     "y(j) = A(i,j) * x(i)",
     {VECTOR("y", "j"), MATRIX("A", "ij"), DENSE("x", "i")}},
    {"B + C",
     "A(i,j) = B(i,j) + C(i,j)",
     {DENSE_OR_AS("A", "ij", 1), SPARSE("B", "ij"), SPARSE("C", "ij")}},
    {"B + Cᵀ",
     "A(i,j) = B(i,j) + C(j,i)",
     {DENSE_OR_AS("A", "ij", 1), SPARSE("B", "ij"), SPARSE("C", "ji")}},
    {"Bᵀ", "A(i,j) = B(j,i)", {MATRIX("A", "ij"), MATRIX("B", "ji")}},
    {"B ⊙ C",
     "A(i,j) = B(i,j) * C(i,j)",
     {DENSE_OR_AS("A", "ij", 1), SPARSE("B", "ij"), SPARSE("C", "ij")}},
    {"B C",
     "A(i,j) = B(i,k) * C(k,j)",
     {DENSE_OR_AS("A", "ij", 1), SPARSE("B", "ik"), SPARSE("C", "kj")}},
    {"Bᵀ C",
     "A(i,j) = B(k,i) * C(k,j)",
     {DENSE_OR_AS("A", "ij", 1), SPARSE("B", "ki"), SPARSE("C", "kj")}},
    {"B C D",
     "A(i,j) = B(i,k) * C(k,l) * D(l,j)",
     {MATRIX("A", "ij"), SPARSE("B", "ik"), AS("C", "kl", 1), AS("D", "lj", 1)}},
    {"SpMM", "A(i,j) = B(i,k) * C(k,j)", {MATRIX("A", "ij"), SPARSE("B", "ik"), DENSE("C", "kj")}},
    {"SDDMM",
     "A(i,j) = B(i,j) * C(i,k) * D(k,j)",
     {MATRIX("A", "ij"), SPARSE("B", "ij"), DENSE("C", "ik"), DENSE("D", "kj")}},
    {"row sums", "y(i) = B(i,j)", {VECTOR("y", "i"), MATRIX("B", "ij")}},
    {"column sums", "y(j) = B(i,j)", {VECTOR("y", "j"), MATRIX("B", "ij")}},
    {"diagonal", "y(i) = B(i,i)", {VECTOR("y", "i"), MATRIX("B", "ii")}},
    {"residual",
     "y(i) = b(i) - A(i,j) * x(j)",
     {VECTOR("y", "i"), DENSE("b", "i"), MATRIX("A", "ij"), DENSE("x", "j")}},
    {"scaling",
     "A(i,j) = a * B(i,j)",
     {DENSE_OR_AS("A", "ij", 2), DENSE("a", ""), SPARSE("B", "ij")}},
    {"outer product",
     "A(i,j) = b(i) * c(j)",
     {MATRIX("A", "ij"), VECTOR("b", "i"), AS("c", "j", 1)}},
    {"broadcast vector",
     "A(i,j) = B(i,j) + c(j)",
     {DENSE_OR_AS("A", "ij", 1), SPARSE("B", "ij"), VECTOR("c", "j")}},
    {"B C + D",
     "A(i,j) = B(i,k) * C(k,j) + D(i,j)",
     {MATRIX("A", "ij"), SPARSE("B", "ik"), AS("C", "kj", 1), AS("D", "ij", 1)}},
    {"TTV, last mode",
     "A(i,j) = B(i,j,k) * c(k)",
     {MATRIX("A", "ij"), SPARSE_CUBE("B", "ijk"), DENSE("c", "k")}},
    {"TTV, first mode",
     "A(j,k) = B(i,j,k) * c(i)",
     {MATRIX("A", "jk"), SPARSE_CUBE("B", "ijk"), DENSE("c", "i")}},
    {"TTM",
     "A(i,j,l) = B(i,j,k) * C(k,l)",
     {CUBE("A", "ijl"), SPARSE_CUBE("B", "ijk"), DENSE("C", "kl")}},
    {"MTTKRP, dense factors",
     "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)",
     {MATRIX("A", "ir"), SPARSE_CUBE("B", "ijk"), DENSE("C", "jr"), DENSE("D", "kr")}},
    {"MTTKRP, sparse factors",
     "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)",
     {DENSE_OR_AS("A", "ir", 2), SPARSE_CUBE("B", "ijk"), SPARSE("C", "jr"), AS("D", "kr", 2)}},
    {"addition of order 3",
     "A(i,j,k) = B(i,j,k) + C(i,j,k)",
     {AS("A", "ijk", 1), SPARSE_CUBE("B", "ijk"), SPARSE_CUBE("C", "ijk")}},
    {"contraction of order 3",
     "A(i,j,l) = B(i,j,k) * C(k,l)",
     {DENSE_OR_AS("A", "ijl", 1), SPARSE_CUBE("B", "ijk"), SPARSE("C", "kl")}},
};

const int expressions_count = sizeof expressions / sizeof *expressions;

/* ---- choices ---- */

static const char *const vectors[] = {"dense", "sparse"};
static const char *const matrices[] = {"dense", "csr", "csc", "dcsr", "coo"};
static const char *const cubes[] = {"dense", "csf", "dss", "coo"};

/* The formats of a set; NULL where the choice depends on another tensor. */
static const char *const *formats_of(enum choice choice, int *n)
{
    switch (choice) {
    case CHOICE_NONE:
    case CHOICE_DENSE:
    case CHOICE_AS: *n = 1; return NULL;
    case CHOICE_DENSE_OR_AS: *n = 2; return NULL;
    case CHOICE_VECTOR: *n = 2; return vectors;
    case CHOICE_MATRIX: *n = 5; return matrices;
    case CHOICE_SPARSE_MATRIX: *n = 4; return matrices + 1;
    case CHOICE_SPARSE_CUBE: *n = 3; return cubes + 1;
    case CHOICE_CUBE: *n = 4; return cubes;
    }
    *n = 0;
    return NULL;
}

int combinations_of(const struct expression *expression)
{
    int all = 1;
    for (int t = 0; t < EXPRESSION_TENSORS; t++) {
        int n;
        formats_of(expression->tensor[t].choice, &n);
        all *= n;
    }
    return all;
}

struct combination combination_at(const struct expression *expression, int n)
{
    struct combination c = {.expression = expression};
    int turn[EXPRESSION_TENSORS] = {0};
    for (int t = 0; t < EXPRESSION_TENSORS && expression->tensor[t].choice != CHOICE_NONE;
         t++, c.tensors++) {
        int formats;
        const char *const *format = formats_of(expression->tensor[t].choice, &formats);
        turn[t] = n % formats;
        n /= formats;
        c.format[t] = format ? format[turn[t]] : "dense";
    }
    for (int t = 0; t < c.tensors; t++) {
        const struct expression_tensor *tensor = &expression->tensor[t];
        if (tensor->choice == CHOICE_AS || (tensor->choice == CHOICE_DENSE_OR_AS && turn[t]))
            c.format[t] = c.format[tensor->as];
    }
    return c;
}

struct combination combination_number(int n)
{
    int e = 0;
    while (n >= combinations_of(&expressions[e]))
        n -= combinations_of(&expressions[e++]);
    return combination_at(&expressions[e], n);
}

void combination_print(const struct combination *combination, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%s: %s", combination->expression->title,
                                combination->expression->statement);
    for (int t = 0; t < combination->tensors && n < size; t++)
        n += (size_t)snprintf(text + n, size - n, ", %s %s",
                              combination->expression->tensor[t].name, combination->format[t]);
}

/* ---- tensors ---- */

static int64_t size_of(struct rng *rng, enum filling filling, int vars)
{
    switch (filling) {
    case FILLING_FEW: return vars > 3 ? 6 + rng_below(rng, 3) : 7 + rng_below(rng, 6);
    case FILLING_ALL: return 2 + rng_below(rng, 3);
    case FILLING_ONES: return rng_percent(rng, 60) ? 1 : 2 + rng_below(rng, 3);
    case FILLING_NO_ROOM: return rng_percent(rng, 50) ? 0 : 1 + rng_below(rng, 3);
    case FILLING_SOME:
    case FILLING_NONE:
    case FILLING_ONE_NONE:
    case FILLINGS: break;
    }
    return 3 + rng_below(rng, 4);
}

static int density_of(enum filling filling)
{
    switch (filling) {
    case FILLING_SOME:
    case FILLING_ONE_NONE: return 35;
    case FILLING_FEW: return 12;
    case FILLING_ALL: return 100;
    case FILLING_ONES:
    case FILLING_NO_ROOM: return 60;
    case FILLING_NONE:
    case FILLINGS: break;
    }
    return 0;
}

static int var_number(const char *names, char name) { return (int)(strchr(names, name) - names); }

static void set_dimensions(const struct combination *c, enum filling filling, struct rng *rng,
                           struct test_case *test)
{
    char names[CASE_VARS + 1] = "";
    int n = 0;
    for (int t = 0; t < c->tensors; t++)
        for (const char *v = c->expression->tensor[t].vars; *v; v++)
            if (!strchr(names, *v))
                names[n++] = *v;
    for (int v = 0; v < n; v++)
        test->extent[v] = size_of(rng, filling, n);
    if (filling == FILLING_NO_ROOM)
        test->extent[rng_below(rng, n)] = 0;
    for (int t = 0; t < c->tensors; t++)
        for (const char *v = c->expression->tensor[t].vars; *v; v++)
            test->tensor[t].dimension[v - c->expression->tensor[t].vars] =
                test->extent[var_number(names, *v)];
}

static void add_entries(struct case_tensor *t, struct rng *rng, int density)
{
    int64_t components = 1;
    int empty = t->order > 1 && density < 100 ? rng_below(rng, (int)t->dimension[0]) : -1;
    for (int m = 0; m < t->order; m++)
        components *= t->dimension[m];
    for (int64_t c = 0; c < components && t->entries < CASE_ENTRIES; c++) {
        struct case_entry *e = &t->entry[t->entries];
        int64_t rest = c;
        for (int m = t->order - 1; m >= 0; m--) {
            e->coordinate[m] = (int32_t)(rest % t->dimension[m]);
            rest /= t->dimension[m];
        }
        if (!rng_percent(rng, density) || (empty >= 0 && e->coordinate[0] == empty))
            continue;
        e->value =
            value_real(TYPE_F64, (1 + rng_below(rng, 8)) * (rng_percent(rng, 40) ? -0.5 : 1));
        t->entries++;
    }
}

void combination_fill(const struct combination *c, enum filling filling, struct test_case *test)
{
    struct rng rng = {0};
    memset(test, 0, sizeof *test);
    for (const char *s = c->expression->title; *s; s++)
        rng.state = rng.state * 31 + (unsigned char)*s;
    for (int t = 0; t < c->tensors; t++)
        for (const char *s = c->format[t]; *s; s++)
            rng.state = rng.state * 31 + (unsigned char)*s;
    test->machine = rng_next(&(struct rng){rng.state});
    rng.state += filling;
    snprintf(test->statement, sizeof test->statement, "%s", c->expression->statement);
    test->index_bits = 32;
    test->tensors = c->tensors;
    for (int t = 0; t < c->tensors; t++) {
        struct case_tensor *tensor = &test->tensor[t];
        snprintf(tensor->name, sizeof tensor->name, "%s", c->expression->tensor[t].name);
        snprintf(tensor->format, sizeof tensor->format, "%s", c->format[t]);
        tensor->order = (int)strlen(c->expression->tensor[t].vars);
        tensor->type = TYPE_F64;
        tensor->fill = value_zero(TYPE_F64);
    }
    set_dimensions(c, filling, &rng, test);
    int none = filling == FILLING_ONE_NONE ? 1 + rng_below(&rng, c->tensors - 1) : 0;
    for (int t = 1; t < c->tensors; t++) {
        bool full = test->tensor[t].order == 0 || strcmp(c->format[t], "dense") == 0;
        int density = filling != FILLING_NONE && full ? 100 : density_of(filling);
        add_entries(&test->tensor[t], &rng, t == none ? 0 : density);
    }
    test->shuffle = rng_next(&rng);
}
