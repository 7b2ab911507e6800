/* test_engines.c - both engines make the same function of one source.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sparse addition into an assembled result: a two-way merge, allocation, growth; for any value
 * type. */
static const char add_source[] =
    "typedef __INT32_TYPE__ int32_t;\n"
    "void *malloc(__SIZE_TYPE__); void *realloc(void *, __SIZE_TYPE__);\n"
    "int add(int32_t nb, const int32_t *restrict b_crd, const T *restrict b, int32_t nc,\n"
    "        const int32_t *restrict c_crd, const T *restrict c, int32_t *n, int32_t **a_crd, T "
    "**a)\n"
    "{\n"
    "    int32_t capacity = 2, pa = 0, pb = 0, pc = 0;\n"
    "    int32_t *crd = malloc(sizeof *crd * capacity);\n"
    "    T *vals = malloc(sizeof *vals * capacity);\n"
    "    while (pb < nb || pc < nc) {\n"
    "        int32_t ib = pb < nb ? b_crd[pb] : __INT32_MAX__, ic = pc < nc ? c_crd[pc] : "
    "__INT32_MAX__;\n"
    "        int32_t i = ib < ic ? ib : ic;\n"
    "        if (pa == capacity) {\n"
    "            capacity *= 2;\n"
    "            crd = realloc(crd, sizeof *crd * capacity);\n"
    "            vals = realloc(vals, sizeof *vals * capacity);\n"
    "        }\n"
    "        T v = 0;\n"
    "        if (ib == i) v += b[pb++];\n"
    "        if (ic == i) v += 3 * c[pc++];\n"
    "        crd[pa] = i;\n"
    "        vals[pa++] = v;\n"
    "    }\n"
    "    *n = pa; *a_crd = crd; *a = vals;\n"
    "    return 0;\n"
    "}\n";

static char *typed(const char *type)
{
    char *text;
    if (asprintf(&text, "typedef %s T;\n%s", type, add_source) < 0)
        fail_msg("no memory");
    return text;
}

enum { N = 300 };

struct fibers {
    int32_t b_crd[N], c_crd[N];
};

static void fill(struct fibers *f)
{
    for (int i = 0; i < N; i++) {
        f->b_crd[i] = 3 * i + i % 2;
        f->c_crd[i] = 2 * i + i / 7;
    }
}

#define CHECK_TYPE(type, equal)                                                                    \
    do {                                                                                           \
        typedef int add_function(int32_t, const int32_t *, const type *, int32_t, const int32_t *, \
                                 const type *, int32_t *, int32_t **, type **);                    \
        char *source = typed(#type);                                                               \
        struct jit_kernel *kernel[2] = {compile(jit, JIT_CLANG, source, NULL),                     \
                                        compile(jit, JIT_CC, source, NULL)};                       \
        type b[N], c[N], *vals[2];                                                                 \
        int32_t n[2], *crd[2];                                                                     \
        for (int i = 0; i < N; i++) {                                                              \
            b[i] = (type)(i * 37 % 101 - 50);                                                      \
            c[i] = (type)(i * 53 % 89 - 40);                                                       \
        }                                                                                          \
        for (int e = 0; e < 2; e++)                                                                \
            assert_int_equal(FUNCTION(kernel[e], "add", add_function *)(                           \
                                 N, f.b_crd, b, N, f.c_crd, c, &n[e], &crd[e], &vals[e]),          \
                             0);                                                                   \
        assert_int_equal(n[0], n[1]);                                                              \
        assert_memory_equal(crd[0], crd[1], sizeof *crd[0] * (size_t)n[0]);                        \
        for (int i = 0; i < n[0]; i++)                                                             \
            assert_true(equal(vals[0][i], vals[1][i]));                                            \
        for (int e = 0; e < 2; e++) {                                                              \
            free(crd[e]);                                                                          \
            free(vals[e]);                                                                         \
            jit_release(kernel[e]);                                                                \
        }                                                                                          \
        free(source);                                                                              \
    } while (0)

#define SAME(a, b) ((a) == (b))

static void test_sparse_addition(void **state)
{
    struct jit *jit = *state;
    struct fibers f;
    fill(&f);
    CHECK_TYPE(signed char, SAME);
    CHECK_TYPE(unsigned short, SAME);
    CHECK_TYPE(int, SAME);
    CHECK_TYPE(long, SAME);
    CHECK_TYPE(unsigned long, SAME);
    CHECK_TYPE(float, SAME);
    CHECK_TYPE(double, SAME);
    CHECK_TYPE(double _Complex, SAME);
    CHECK_TYPE(float _Complex, SAME);
}

static const char mttkrp_source[] =
    "typedef double v4 __attribute__((vector_size(32), aligned(8), may_alias));\n"
    "void mttkrp(int n, int r, const int *i, const int *k, const int *l, const double *b, const "
    "double *c,\n"
    "            const double *d, double *a)\n"
    "{\n"
    "    for (int p = 0; p < n; p++) {\n"
    "        int j = 0;\n"
    "        for (; j + 4 <= r; j += 4)\n"
    "            *(v4 *)&a[i[p] * r + j] += b[p] * *(const v4 *)&c[k[p] * r + j] * *(const v4 "
    "*)&d[l[p] * r + j];\n"
    "        for (; j < r; j++) a[i[p] * r + j] += b[p] * c[k[p] * r + j] * d[l[p] * r + j];\n"
    "    }\n"
    "}\n";

static void test_dense_loops(void **state)
{
    enum { M = 10, R = 13, ENTRIES = 200 };
    typedef void mttkrp_function(int, int, const int *, const int *, const int *, const double *,
                                 const double *, const double *, double *);
    int i[ENTRIES], k[ENTRIES], l[ENTRIES];
    double b[ENTRIES], c[M * R], d[M * R], a[2][M * R] = {{0}};
    for (int p = 0; p < ENTRIES; p++) {
        i[p] = p * 7 % M;
        k[p] = p * 3 % M;
        l[p] = p % M;
        b[p] = 1.0 / (p + 1);
    }
    for (int p = 0; p < M * R; p++) {
        c[p] = sin(p);
        d[p] = cos(p);
    }
    for (int e = 0; e < 2; e++) {
        struct jit_kernel *kernel = compile(*state, e ? JIT_CC : JIT_CLANG, mttkrp_source, NULL);
        FUNCTION(kernel, "mttkrp", mttkrp_function *)(ENTRIES, R, i, k, l, b, c, d, a[e]);
        jit_release(kernel);
    }
    double largest = 0;
    for (int p = 0; p < M * R; p++) {
        /* sums of 20 terms below 5 in all */
        assert_true(fabs(a[0][p] - a[1][p]) <= 40 * 2.3e-16 * 5);
        largest = fmax(largest, fabs(a[0][p]));
    }
    assert_true(largest > 0.5);
}

static int set_up(void **state)
{
    *state = new_jit(NULL);
    return 0;
}

static int tear_down(void **state)
{
    jit_free(*state);
    return 0;
}

int main(int argc, char **argv)
{
    engine_of(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sparse_addition),
                                       cmocka_unit_test(test_dense_loops)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
