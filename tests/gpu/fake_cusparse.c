/* fake_cusparse.c - a cuSPARSE for machines without a GPU, beside fake_driver.c: what the peer of
 * spcc bench calls, by plain loops over arrays that are the host's.
 *
 * Types of values are R_32F and R_64F, indices have 32 bits.  What its user has to do is asked for:
 * a product that was not preprocessed with the buffer that it runs with is an error.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define API         __attribute__((visibility("default")))
#define OPERANDS    int a_as, int b_as, const void *one, void *a, void *b, const void *zero
#define BUFFER_SIZE 64

enum { INVALID = 3, R_64F = 1, COLUMNS = 1, ROWS = 2, SPGEMM_1 = 3 };

/* A matrix or a vector; of a list, pos has a row for each component. */
struct tensor {
    int64_t rows, columns, stored, leading;
    int32_t *pos, *crd;
    void *vals;
    int type, order;
    bool is_list;
};

static double at(const void *vals, int type, int64_t k)
{
    return type == R_64F ? ((const double *)vals)[k] : (double)((const float *)vals)[k];
}

static void set(void *vals, int type, int64_t k, double to)
{
    if (type == R_64F)
        ((double *)vals)[k] = to;
    else
        ((float *)vals)[k] = (float)to;
}

/* ---- descriptors ---- */

API int cusparseCreate(void **handle);
int cusparseCreate(void **handle) { return *handle = malloc(1), 0; }

API int cusparseGetVersion(void *handle, int *version);
int cusparseGetVersion(void *handle, int *version)
{
    return *version = 12600, handle ? 0 : INVALID;
}

static int make(void **made, struct tensor is)
{
    *made = malloc(sizeof is);
    memcpy(*made, &is, sizeof is);
    return 0;
}

API int cusparseCreateCsr(void **, int64_t, int64_t, int64_t, void *, void *, void *, int, int, int,
                          int);
int cusparseCreateCsr(void **made, int64_t rows, int64_t columns, int64_t stored, void *pos,
                      void *crd, void *vals, int pos_type, int crd_type, int base, int type)
{
    return pos_type != 2 || crd_type != 2 || base
               ? INVALID
               : make(made,
                      (struct tensor){rows, columns, stored, 0, pos, crd, vals, type, 0, false});
}

API int cusparseCreateCoo(void **, int64_t, int64_t, int64_t, void *, void *, void *, int, int,
                          int);
int cusparseCreateCoo(void **made, int64_t rows, int64_t columns, int64_t stored, void *row,
                      void *crd, void *vals, int index, int base, int type)
{
    return index != 2 || base ? INVALID
                              : make(made, (struct tensor){rows, columns, stored, 0, row, crd, vals,
                                                           type, 0, true});
}

API int cusparseCreateDnVec(void **, int64_t, void *, int);
int cusparseCreateDnVec(void **made, int64_t size, void *vals, int type)
{
    return make(made, (struct tensor){size, 1, size, 1, NULL, NULL, vals, type, ROWS, false});
}

API int cusparseCreateDnMat(void **, int64_t, int64_t, int64_t, void *, int, int);
int cusparseCreateDnMat(void **made, int64_t rows, int64_t columns, int64_t leading, void *vals,
                        int type, int order)
{
    return leading < (order == ROWS ? columns : rows)
               ? INVALID
               : make(made, (struct tensor){rows, columns, rows * columns, leading, NULL, NULL,
                                            vals, type, order, false});
}

#define DESTROY(name)       \
    API int name(void *it); \
    int name(void *it) { return free(it), 0; }
DESTROY(cusparseDestroySpMat)
DESTROY(cusparseDestroyDnVec)
DESTROY(cusparseDestroyDnMat)

API int cusparseSpMatGetSize(const void *, int64_t *, int64_t *, int64_t *);
int cusparseSpMatGetSize(const void *m, int64_t *rows, int64_t *columns, int64_t *stored)
{
    const struct tensor *t = m;
    *rows = t->rows, *columns = t->columns, *stored = t->stored;
    return 0;
}

API int cusparseCsrSetPointers(void *, void *, void *, void *);
int cusparseCsrSetPointers(void *m, void *pos, void *crd, void *vals)
{
    struct tensor *t = m;
    t->pos = pos, t->crd = crd, t->vals = vals;
    return 0;
}

/* ---- products with dense ones ---- */

static int64_t place(const struct tensor *t, int64_t i, int64_t j)
{
    return t->order == ROWS ? i * t->leading + j : j * t->leading + i;
}

/* The row of component p; rows are asked for in order. */
static int64_t row_of(const struct tensor *a, int64_t p, int64_t row)
{
    if (a->is_list)
        return a->pos[p];
    while (a->pos[row + 1] <= p)
        row++;
    return row;
}

static int multiply(const struct tensor *a, const struct tensor *x, const struct tensor *y)
{
    if (a->columns != x->rows || a->rows != y->rows || x->columns != y->columns)
        return INVALID;
    for (int64_t k = 0; k < y->rows * y->columns; k++)
        set(y->vals, y->type, place(y, k / y->columns, k % y->columns), 0);
    for (int64_t p = 0, row = 0; p < a->stored; p++) {
        row = row_of(a, p, row);
        for (int64_t j = 0; j < x->columns; j++)
            set(y->vals, y->type, place(y, row, j),
                at(y->vals, y->type, place(y, row, j))
                    + at(a->vals, a->type, p) * at(x->vals, x->type, place(x, a->crd[p], j)));
    }
    return 0;
}

/* Only at c's components. */
static int sample(const struct tensor *x, const struct tensor *y, const struct tensor *c)
{
    if (x->columns != y->rows || x->rows != c->rows || y->columns != c->columns)
        return INVALID;
    for (int64_t p = 0, row = 0; p < c->stored; p++) {
        double sum = 0;
        row = row_of(c, p, row);
        for (int64_t k = 0; k < x->columns; k++)
            sum += at(x->vals, x->type, place(x, row, k))
                   * at(y->vals, y->type, place(y, k, c->crd[p]));
        set(c->vals, c->type, p, sum);
    }
    return 0;
}

static const void *prepared; /* the buffer */

/* SYMBOL, its _bufferSize and its _preprocess. */
#define PRODUCT(symbol, arguments_are_good, work, ...)                      \
    API int symbol##_bufferSize(void *handle, __VA_ARGS__, size_t *size);   \
    int symbol##_bufferSize(void *handle, __VA_ARGS__, size_t *size)        \
    {                                                                       \
        return *size = BUFFER_SIZE, (arguments_are_good) ? 0 : INVALID;     \
    }                                                                       \
    API int symbol##_preprocess(void *handle, __VA_ARGS__, void *buffer);   \
    int symbol##_preprocess(void *handle, __VA_ARGS__, void *buffer)        \
    {                                                                       \
        return prepared = buffer, (arguments_are_good) ? 0 : INVALID;       \
    }                                                                       \
    API int symbol(void *handle, __VA_ARGS__, void *buffer);                \
    int symbol(void *handle, __VA_ARGS__, void *buffer)                     \
    {                                                                       \
        return (arguments_are_good) && buffer == prepared ? work : INVALID; \
    }
#define GOOD_FOR(first, last) \
    (handle && one && zero && type == ((struct tensor *)c)->type && alg >= (first) && alg <= (last))
PRODUCT(cusparseSpMV, GOOD_FOR(1, 4), multiply(a, b, c), int a_as, const void *one, void *a,
        void *b, const void *zero, void *c, int type, int alg)
PRODUCT(cusparseSpMM, GOOD_FOR(4, 12), multiply(a, b, c), OPERANDS, void *c, int type, int alg)
PRODUCT(cusparseSDDMM, GOOD_FOR(0, 0), sample(a, b, c), OPERANDS, void *c, int type, int alg)

/* ---- matrices as results ---- */

/* A row of sums, for products and for sums of matrices. */
struct row {
    double *sum;
    bool *is_there;
    int64_t columns;
};

static struct row row_new(int64_t columns)
{
    return (struct row){calloc((size_t)columns + 1, sizeof(double)),
                        calloc((size_t)columns + 1, sizeof(bool)), columns};
}

static void row_add(struct row *row, const struct tensor *t, int64_t line, double factor)
{
    for (int32_t p = t->pos[line]; p < t->pos[line + 1]; p++) {
        row->sum[t->crd[p]] += factor * at(t->vals, t->type, p);
        row->is_there[t->crd[p]] = true;
    }
}

/* As a line of t behind the lines before, or counted alone; the row is empty then. */
static void row_end(struct row *row, struct tensor *t, int64_t line, bool stores)
{
    int32_t p = t->pos[line];
    for (int64_t j = 0; j < row->columns; j++) {
        if (row->is_there[j] && stores) {
            t->crd[p] = (int32_t)j;
            set(t->vals, t->type, p, row->sum[j]);
        }
        p += row->is_there[j];
        row->sum[j] = 0;
        row->is_there[j] = false;
    }
    t->pos[line + 1] = p;
}

static void row_free(struct row *row)
{
    free(row->sum);
    free(row->is_there);
}

static void gustavson(const struct tensor *a, const struct tensor *b, struct tensor *c, bool stores)
{
    struct row row = row_new(b->columns);
    c->pos[0] = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        for (int32_t p = a->pos[i]; p < a->pos[i + 1]; p++)
            row_add(&row, b, a->crd[p], at(a->vals, a->type, p));
        row_end(&row, c, i, stores);
    }
    c->stored = c->pos[a->rows];
    row_free(&row);
}

/* How far a product is: each call has to come in its order. */
struct product {
    int stage;
    const void *buffer[3];
};

API int cusparseSpGEMM_createDescr(void **made);
int cusparseSpGEMM_createDescr(void **made) { return *made = calloc(1, sizeof(struct product)), 0; }
DESTROY(cusparseSpGEMM_destroyDescr)

/* A call that says how much room it needs, or has it. */
static int step(struct product *d, int from, size_t *size, const void *buffer, int k)
{
    if (d->stage != from || (buffer && *size != BUFFER_SIZE))
        return INVALID;
    *size = BUFFER_SIZE;
    d->stage += buffer != NULL;
    d->buffer[k] = buffer;
    return 0;
}

#define PRODUCT_OF void *handle, OPERANDS, void *c, int type, int alg, void *d
#define IS_GOOD    (handle && a && b && c && one && zero && type >= 0 && alg >= SPGEMM_1)

API int cusparseSpGEMM_workEstimation(PRODUCT_OF, size_t *size, void *buffer);
int cusparseSpGEMM_workEstimation(PRODUCT_OF, size_t *size, void *buffer)
{
    return IS_GOOD ? step(d, 0, size, buffer, 0) : INVALID;
}

API int cusparseSpGEMM_estimateMemory(PRODUCT_OF, float, size_t *, void *, size_t *);
int cusparseSpGEMM_estimateMemory(PRODUCT_OF, float share, size_t *size, void *buffer, size_t *next)
{
    if (buffer && next)
        *next = BUFFER_SIZE;
    return IS_GOOD && share > 0 && alg > SPGEMM_1 ? step(d, 1, size, buffer, 2) : INVALID;
}

API int cusparseSpGEMM_compute(PRODUCT_OF, size_t *size, void *buffer);
int cusparseSpGEMM_compute(PRODUCT_OF, size_t *size, void *buffer)
{
    int said = IS_GOOD ? step(d, alg == SPGEMM_1 ? 1 : 2, size, buffer, 1) : INVALID;
    if (said == 0 && buffer)
        gustavson(a, b, c, false);
    return said;
}

API int cusparseSpGEMM_copy(PRODUCT_OF);
int cusparseSpGEMM_copy(PRODUCT_OF)
{
    if (!IS_GOOD || ((struct product *)d)->stage != (alg == SPGEMM_1 ? 2 : 3))
        return INVALID;
    gustavson(a, b, c, true);
    return 0;
}

API int cusparseCreateMatDescr(void **made);
int cusparseCreateMatDescr(void **made) { return *made = malloc(1), 0; }

static void add(const struct tensor *a, const struct tensor *b, struct tensor *c, bool stores)
{
    struct row row = row_new(a->columns);
    c->pos[0] = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        row_add(&row, a, i, 1);
        row_add(&row, b, i, 1);
        row_end(&row, c, i, stores);
    }
    row_free(&row);
}

API int cusparseXcsrgeam2Nnz(void *, int, int, const void *, int, int32_t *, int32_t *,
                             const void *, int, int32_t *, int32_t *, const void *, int32_t *,
                             int *, void *);
int cusparseXcsrgeam2Nnz(void *handle, int m, int n, const void *about_a, int na, int32_t *pos_a,
                         int32_t *crd_a, const void *about_b, int nb, int32_t *pos_b,
                         int32_t *crd_b, const void *about_c, int32_t *pos_c, int *stored,
                         void *buffer)
{
    double *none = calloc((size_t)(na > nb ? na : nb) + 1, sizeof *none);
    struct tensor a = {m, n, na, 0, pos_a, crd_a, none, R_64F, 0, false},
                  b = {m, n, nb, 0, pos_b, crd_b, none, R_64F, 0, false},
                  c = {m, n, 0, 0, pos_c, NULL, NULL, R_64F, 0, false};
    add(&a, &b, &c, false);
    free(none);
    *stored = pos_c[m];
    return handle && about_a && about_b && about_c && buffer ? 0 : INVALID;
}

#define GEAM(letter, its_type, number)                                                             \
    API int cusparse##letter##csrgeam2_bufferSizeExt(                                              \
        void *, int, int, const number *, const void *, int, const number *, int32_t *, int32_t *, \
        const number *, const void *, int, const number *, int32_t *, int32_t *, const void *,     \
        const number *, int32_t *, int32_t *, size_t *);                                           \
    int cusparse##letter##csrgeam2_bufferSizeExt(                                                  \
        void *handle, int m, int n, const number *alpha, const void *about_a, int na,              \
        const number *va, int32_t *pa, int32_t *ca, const number *beta, const void *about_b,       \
        int nb, const number *vb, int32_t *pb, int32_t *cb, const void *about_c, const number *vc, \
        int32_t *pc, int32_t *cc, size_t *size)                                                    \
    {                                                                                              \
        return *size = BUFFER_SIZE, handle && *alpha == 1 && *beta == 1 ? 0 : INVALID;             \
    }                                                                                              \
    API int cusparse##letter##csrgeam2(void *, int, int, const number *, const void *, int,        \
                                       number *, int32_t *, int32_t *, const number *,             \
                                       const void *, int, number *, int32_t *, int32_t *,          \
                                       const void *, number *, int32_t *, int32_t *, void *);      \
    int cusparse##letter##csrgeam2(void *handle, int m, int n, const number *alpha,                \
                                   const void *about_a, int na, number *va, int32_t *pa,           \
                                   int32_t *ca, const number *beta, const void *about_b, int nb,   \
                                   number *vb, int32_t *pb, int32_t *cb, const void *about_c,      \
                                   number *vc, int32_t *pc, int32_t *cc, void *buffer)             \
    {                                                                                              \
        struct tensor a = {m, n, na, 0, pa, ca, va, its_type, 0, false},                           \
                      b = {m, n, nb, 0, pb, cb, vb, its_type, 0, false},                           \
                      c = {m, n, 0, 0, pc, cc, vc, its_type, 0, false};                            \
        add(&a, &b, &c, true);                                                                     \
        return handle && *alpha == 1 && *beta == 1 && buffer ? 0 : INVALID;                        \
    }
GEAM(D, R_64F, double)
GEAM(S, 0, float)

#define TO_CSC                                                                            \
    void *handle, int m, int n, int stored, const void *vals, const int32_t *pos,         \
        const int32_t *crd, void *its_vals, int32_t *its_pos, int32_t *its_crd, int type, \
        int action, int base, int alg
API int cusparseCsr2cscEx2_bufferSize(TO_CSC, size_t *size);
int cusparseCsr2cscEx2_bufferSize(TO_CSC, size_t *size)
{
    return *size = BUFFER_SIZE, handle && action == 1 && alg == 1 && base == 0 ? 0 : INVALID;
}

API int cusparseCsr2cscEx2(TO_CSC, void *buffer);
int cusparseCsr2cscEx2(TO_CSC, void *buffer)
{
    memset(its_pos, 0, ((size_t)n + 1) * sizeof *its_pos);
    for (int p = 0; p < stored; p++)
        its_pos[crd[p] + 1]++;
    for (int j = 0; j < n; j++)
        its_pos[j + 1] += its_pos[j];
    for (int i = m; i-- > 0;) /* from behind, so that rows end in order */
        for (int p = pos[i + 1]; p-- > pos[i];) {
            int q = --its_pos[crd[p] + 1];
            its_crd[q] = i;
            set(its_vals, type, q, at(vals, type, p));
        }
    memmove(its_pos, its_pos + 1, (size_t)n * sizeof *its_pos);
    its_pos[n] = stored;
    return handle && buffer && action == 1 && alg == 1 && base == 0 ? 0 : INVALID;
}
