/* check.cu - the kernels against loops on the host, on matrices that hurt: no rows, empty rows and long runs of them,
 * one row that has all, power laws, sizes around those of tiles.  README.md says how to build and run it.
 *
 * Prints a line for each kernel; the exit status is 1 if anything was wrong.
 * SPDX-License-Identifier: MIT
 */
#include "add.cu"
#include "convert.cu"
#include "mttkrp.cu"
#include "scatter.cu"
#include "sddmm.cu"
#include "spgemm.cu"
#include "spmm.cu"
#include "spmv.cu"
#include "transpose.cu"
#include <algorithm>
#include <map>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

typedef std::vector<int32_t> ints;
typedef std::vector<value_t> values;

static const char *kernel_now;
static int wrong, checks;
static void expect(bool ok, const char *what, const char *on) {
    checks++;
    wrong += !ok;
    if (!ok) printf("WRONG %s: %s on %s\n", kernel_now, what, on);
}
static void run(const char *kernel, void (*check)()) {
    const int before = wrong;
    kernel_now = kernel;
    check();
    printf("%-14s %s\n", kernel, wrong == before ? "right" : "wrong");
}
static void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    printf("%s: CUDA's error %d\n", kernel_now, (int)error);
    exit(1);
}

/* ---- arrays on the device ---- */

template <class T> static std::vector<T> host(const T *p, size_t n) {
    std::vector<T> v(n);
    must(cudaMemcpyAsync(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost, 0));
    must(cudaStreamSynchronize(0));
    return v;
}
template <class T> static std::vector<T> take(T *p, size_t n) {
    std::vector<T> v = host(p, n);
    must(cudaFreeAsync(p, 0));
    return v;
}

/* Filled with ones unless it is copied there. */
template <class T> struct device {
    T *p = 0;
    size_t n;
    explicit device(size_t n) : n(n) {
        must(cudaMallocAsync((void **)&p, n * sizeof(T) + 1, 0));
        must(cudaMemsetAsync(p, 0xff, n * sizeof(T), 0));
    }
    explicit device(const std::vector<T> &v) : device(v.size()) {
        must(cudaMemcpyAsync(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice, 0));
        must(cudaStreamSynchronize(0));
    }
    ~device() { must(cudaFreeAsync(p, 0)); }
    device(const device &) = delete;
    operator T *() const { return p; }
    std::vector<T> get() const { return host(p, n); }
};

/* ---- matrices ---- */

static uint64_t random_state = 1;
static int draw(int below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (unsigned)below);
}
static value_t number() { return (value_t)((draw(2000001) - 1000000.0) / 700001); /* sums are rounded */ }
static values numbers(size_t n) {
    values v(n);
    for (auto &x : v) x = number();
    return v;
}

struct matrix {
    const char *name;
    int m, n;
    ints pos, crd;
    values val;
};
struct on_device { /* a matrix's arrays */
    device<int32_t> A2_pos, A2_crd;
    device<value_t> A_vals;
    explicit on_device(const matrix &A) : A2_pos(A.pos), A2_crd(A.crd), A_vals(A.val) {}
};
#define ARRAYS(A) A.A2_pos, A.A2_crd, A.A_vals

enum kind { UNIFORM, POWER, ONE_ROW, RUNS, NOTHING };
static matrix make(const char *name, int m, int n, int each, kind kind) {
    matrix A = {name, m, n, {0}, {}, {}};
    for (int i = 0; i < m; i++) {
        int length = kind == UNIFORM   ? draw(2 * each + 1)
                     : kind == POWER   ? (int)(each * 0.7 / sqrt((draw(10000) + 1) / 10000.0))
                     : kind == ONE_ROW ? (i == m / 2 ? each : i % 7 == 0)
                     : kind == RUNS    ? (i / 1000 % 3 == 1 ? each : 0)
                                       : 0;
        ints columns;
        for (int k = 0; k < length; k++) columns.push_back(draw(n));
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        A.crd.insert(A.crd.end(), columns.begin(), columns.end());
        A.pos.push_back((int)A.crd.size());
    }
    A.val = numbers(A.crd.size());
    return A;
}
static std::vector<matrix> matrices;

/* go(i, p) for all entries */
template <class GO> static void entries(const matrix &A, GO go) {
    for (int i = 0; i < A.m; i++)
        for (int p = A.pos[i]; p < A.pos[i + 1]; p++) go(i, p);
}
static bool near(const values &a, const std::vector<double> &b) {
    double most = 1;
    for (double x : b) most = std::max(most, fabs(x));
    for (size_t i = 0; i < b.size(); i++)
        if (!(fabs(a[i] - b[i]) <= (sizeof(value_t) == 8 ? 1e-11 : 1e-3) * most)) return false;
    return a.size() == b.size();
}

/* What is wanted of a sparse result: rows of coordinates and values. */
typedef std::vector<std::map<int, double>> rows_of_sums;
static void expect_rows(int status, const rows_of_sums &rows, int32_t *C_pos, int32_t *C_crd, value_t *C_vals,
                        const char *on) {
    ints pos = {0}, crd;
    std::vector<double> val;
    for (auto &row : rows) {
        for (auto &e : row) crd.push_back(e.first), val.push_back(e.second);
        pos.push_back((int)crd.size());
    }
    expect(!status, "status", on);
    if (status) return;
    expect(take(C_pos, pos.size()) == pos, "pos", on);
    expect(take(C_crd, crd.size()) == crd, "crd", on);
    expect(near(take(C_vals, val.size()), val), "vals", on);
}

/* ---- checks ---- */

static void check_scan() {
    for (int n : {0, 1, 2047, 2048, 2049, 200000}) {
        ints length(n), want(n + 1, 0);
        for (int i = 0; i < n; i++) length[i] = draw(5), want[i + 1] = want[i] + length[i];
        device<int32_t> d(length), pos((size_t)n + 1);
        device<int64_t> sum((size_t)SCAN_PARTS + 1);
        scan(d, n, sum, pos, 0);
        expect(pos.get() == want, "positions", "lengths");
    }
}

static void check_spmv() {
    for (auto &A : matrices) {
        values x = numbers(A.n);
        std::vector<double> y(A.m, 0.0);
        entries(A, [&](int i, int p) { y[i] += (double)A.val[p] * x[A.crd[p]]; });
        on_device dA(A);
        device<value_t> dx(x), yr(y.size()), yt(y.size()), again(y.size());
        int s = spmv_rows(A.m, ARRAYS(dA), dx, yr, (int64_t)A.crd.size(), 0);
        expect(!s && near(yr.get(), y), "rows", A.name);
        s = spmv_tiles(A.m, ARRAYS(dA), dx, yt, (int64_t)A.crd.size(), 0);
        expect(!s && near(yt.get(), y), "tiles", A.name);
        s = spmv_tiles(A.m, ARRAYS(dA), dx, again, (int64_t)A.crd.size(), 0);
        expect(!s && yt.get() == again.get(), "tiles, the same bits", A.name);
    }
}

template <int G> static void check_team(const char *name, SPMV_PARAMETERS, const std::vector<double> &y) {
    const auto kernel = spmv_team<G>;
    LAUNCH(kernel, (int)(((int64_t)A1_dimension * G + 255) / 256), 256, (cudaStream_t)0, SPMV_ARGUMENTS);
    expect(near(host(y_vals, y.size()), y), "teams", name);
}
static void check_teams() { /* of all widths, whatever the rows are */
    for (auto &A : matrices) {
        values x = numbers(A.n);
        std::vector<double> y(A.m, 0.0);
        entries(A, [&](int i, int p) { y[i] += (double)A.val[p] * x[A.crd[p]]; });
        on_device dA(A);
        device<value_t> dx(x), dy(y.size());
        check_team<1>(A.name, A.m, ARRAYS(dA), dx, dy, y);
        check_team<2>(A.name, A.m, ARRAYS(dA), dx, dy, y);
        check_team<4>(A.name, A.m, ARRAYS(dA), dx, dy, y);
        check_team<8>(A.name, A.m, ARRAYS(dA), dx, dy, y);
        check_team<16>(A.name, A.m, ARRAYS(dA), dx, dy, y);
        check_team<32>(A.name, A.m, ARRAYS(dA), dx, dy, y);
    }
}

static void check_scatter() {
    for (auto &A : matrices) {
        values x = numbers(A.m);
        std::vector<double> y(A.n, 0.0);
        entries(A, [&](int i, int p) { y[A.crd[p]] += (double)A.val[p] * x[i]; });
        on_device dA(A);
        device<value_t> dx(x), dy(y.size());
        int s = scatter(A.m, A.n, ARRAYS(dA), dx, dy, 0);
        expect(!s && near(dy.get(), y), "values", A.name);
    }
}

static void check_transpose() {
    for (int m : {1, 31, 33, 100})
        for (int n : {1, 32, 70}) {
            values a = numbers((size_t)m * n), b((size_t)m * n);
            for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++) b[(size_t)j * m + i] = a[(size_t)i * n + j];
            device<value_t> da(a), db(b.size());
            int s = transpose(m, n, da, db, 0);
            expect(!s && db.get() == b, "values", "dense");
        }
}

/* Rows that have anything are fibers, 1 to 7 or some 300 of them a slice. */
static void check_mttkrp() {
    enum { R = SPMM_COLUMNS, K = 40 };
    for (auto &A : matrices) {
        ints pos3 = {0}, crd2, pos2 = {0}, crd1;
        for (int i = 0; i < A.m; i++)
            if (A.pos[i + 1] > A.pos[i]) pos3.push_back(A.pos[i + 1]), crd2.push_back(draw(K));
        const int fibers = (int)crd2.size();
        if (!fibers) continue;
        for (int f = 0; f < fibers;) {
            f = std::min(fibers, f + 1 + draw(draw(4) ? 7 : 300));
            crd1.push_back(3 + 2 * (int)crd1.size());
            pos2.push_back(f);
        }
        const int slices = (int)crd1.size(), rows = 2 * slices + 5;
        values C = numbers(K * R), C1 = numbers(rows * R), D = numbers((size_t)A.n * R);
        std::vector<double> want(rows * R, 0.0), want2(K * R, 0.0);
        for (int s = 0; s < slices; s++)
            for (int f = pos2[s]; f < pos2[s + 1]; f++)
                for (int p = pos3[f]; p < pos3[f + 1]; p++)
                    for (int r = 0; r < R; r++) {
                        const double bd = (double)A.val[p] * D[(size_t)A.crd[p] * R + r];
                        want[crd1[s] * R + r] += bd * C[crd2[f] * R + r];
                        want2[crd2[f] * R + r] += bd * C1[crd1[s] * R + r];
                    }
        device<int32_t> c1(crd1), p2(pos2), c2(crd2), p3(pos3), c3(A.crd);
        device<value_t> v(A.val), dC(C), dC1(C1), dD(D), out(want.size()), out2(want2.size());
        const int64_t size = (int64_t)A.crd.size();
        int s = mttkrp(false, rows, slices, fibers, size, c1, p2, c2, p3, c3, v, dC, dD, out, 0);
        expect(!s && near(out.get(), want), "mode 1", A.name);
        s = mttkrp(true, K, slices, fibers, size, c1, p2, c2, p3, c3, v, dC1, dD, out2, 0);
        expect(!s && near(out2.get(), want2), "mode 2", A.name);
    }
}

static void check_spmm_sddmm(bool spmm) {
    for (auto &A : matrices) {
        values X = numbers((size_t)A.n * 32), C = numbers((size_t)A.m * 32);
        std::vector<double> Y((size_t)A.m * 32, 0.0), v(A.crd.size(), 0.0);
        entries(A, [&](int i, int p) {
            for (int r = 0; r < 32; r++) {
                Y[(size_t)i * 32 + r] += (double)A.val[p] * X[(size_t)A.crd[p] * 32 + r];
                v[p] += (double)A.val[p] * C[(size_t)i * 32 + r] * X[(size_t)A.crd[p] * 32 + r];
            }
        });
        on_device dA(A);
        device<value_t> dX(X), dC(C), dY(Y.size()), dv(v.size());
        int s = spmm ? spmm_parts(A.m, ARRAYS(dA), dX, dY, (int64_t)A.crd.size(), 0)
                     : sddmm(A.m, ARRAYS(dA), dC, dX, dv, (int64_t)A.crd.size(), 0);
        expect(!s && near(spmm ? dY.get() : dv.get(), spmm ? Y : v), "values", A.name);
    }
}

static void check_add() {
    for (auto &A : matrices)
        for (int other = 0; other < 4; other++) {
            matrix B = other == 0 ? A : make("B", A.m, A.n, 4, other == 1 ? POWER : other == 2 ? UNIFORM : NOTHING);
            rows_of_sums C(A.m);
            entries(A, [&](int i, int p) { C[i][A.crd[p]] += A.val[p]; });
            entries(B, [&](int i, int p) { C[i][B.crd[p]] += B.val[p]; });
            on_device dA(A), dB(B);
            int32_t *C2_pos, *C2_crd;
            value_t *C_vals;
            int s = add(A.m, ARRAYS(dA), ARRAYS(dB), (int64_t)(A.crd.size() + B.crd.size()), &C2_pos, &C2_crd,
                        &C_vals, 0);
            expect_rows(s, C, C2_pos, C2_crd, C_vals, A.name);
        }
}

static void check_spgemm() {
    for (auto &B : matrices)
        for (int other = 0; other < 4; other++) { /* 3: as if there were very many columns */
            if (other == 3 && B.m > 1000) continue;
            matrix C = make("C", B.n, other == 2 ? 5000 : 700, other == 2 ? 20 : 3, other == 1 ? POWER : UNIFORM);
            rows_of_sums A(B.m);
            entries(B, [&](int i, int p) {
                for (int q = C.pos[B.crd[p]]; q < C.pos[B.crd[p] + 1]; q++)
                    A[i][C.crd[q]] += (double)B.val[p] * C.val[q];
            });
            on_device dB(B), dC(C);
            int32_t *A2_pos, *A2_crd;
            value_t *A_vals;
            int s = spgemm(B.m, other == 3 ? (1 << 25) + 1 : C.n, ARRAYS(dB), ARRAYS(dC), &A2_pos, &A2_crd, &A_vals, 0);
            expect_rows(s, A, A2_pos, A2_crd, A_vals, B.name);
        }
}

static void check_convert() {
    for (auto &A : matrices) {
        const size_t n = A.crd.size();
        ints order(n), row(n), r(n), c(n), csc_pos(A.n + 1, 0), csc_crd;
        values v(n), csc_val;
        std::vector<std::vector<std::pair<int, value_t>>> column(A.n);
        entries(A, [&](int i, int p) { row[p] = i, order[p] = p, column[A.crd[p]].push_back({i, A.val[p]}); });
        for (int j = 0; j < A.n; j++) {
            for (auto &e : column[j]) csc_crd.push_back(e.first), csc_val.push_back(e.second);
            csc_pos[j + 1] = (int)csc_crd.size();
        }
        for (size_t p = n; p > 1; p--) std::swap(order[p - 1], order[draw((int)p)]);
        for (size_t p = 0; p < n; p++) r[p] = row[order[p]], c[p] = A.crd[order[p]], v[p] = A.val[order[p]];
        on_device dA(A);
        device<int32_t> dr(r), dc(c), pos(A.pos.size()), crd(n), to_pos(csc_pos.size()), to_crd(n);
        device<value_t> dv(v), val(n), to_val(n);
        int s = coo_csr(A.m, A.n, (int64_t)n, dr, dc, dv, pos, crd, val, 0);
        expect(!s && pos.get() == A.pos && crd.get() == A.crd && val.get() == A.val, "coo to csr", A.name);
        s = csr_csc(A.m, A.n, (int64_t)n, ARRAYS(dA), to_pos, to_crd, to_val, 0);
        expect(!s && to_pos.get() == csc_pos && to_crd.get() == csc_crd && to_val.get() == csc_val, "csr to csc",
               A.name);
    }
}

int main() {
    matrices = {make("uniform", 300, 500, 9, UNIFORM),       make("power law", 200, 3000, 5, POWER),
                make("one row", 100, 20000, 15000, ONE_ROW), make("empty runs", 4000, 100, 2, RUNS),
                make("nothing", 50, 40, 0, NOTHING),         make("one by one", 1, 1, 1, UNIFORM),
                make("short rows", 900, 900, 1, UNIFORM)};
    for (int m : {895, 896, 897}) matrices.push_back(make("size of a tile", m, 64, 3, UNIFORM));
    run("scan", check_scan);
    run("spmv", check_spmv);
    run("spmv, teams", check_teams);
    run("scatter", check_scatter);
    run("spmm", [] { check_spmm_sddmm(true); });
    run("sddmm", [] { check_spmm_sddmm(false); });
    run("mttkrp", check_mttkrp);
    run("transpose", check_transpose);
    run("add", check_add);
    run("spgemm", check_spgemm);
    run("convert", check_convert);
    printf("%d checks, %d wrong\n", checks, wrong);
    return wrong > 0;
}
