/* bench.cu - the kernels of this folder beside cuSPARSE, and beside a copy.
 *
 *     ./bench [groups, comma-separated, or all] [out.csv]
 *
 * Groups: spmv, rows, sparse, tensor.  Results that differ from cuSPARSE's are said to be WRONG, and the
 * exit status is 1.  README.md says how to build it.
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
#include "bench.cuh"

static void bench_spmv(matrix A) {
    value_t *x = numbers(A.n, 5), *y = numbers(A.m, 6), *z = numbers(A.m, 7);
    const double bytes = csr_bytes(A) + ((double)A.n + A.m) * sizeof(value_t);
    best_peer = 0;
    peer_spmv("spmv", A, N, x, z, bytes);
    int32_t longest = 0;
    for (int32_t i = 0; i < A.m; i++) longest = std::max(longest, A.host_pos[i + 1] - A.host_pos[i]);
    if ((int64_t)longest * A.m <= 16 * A.size) {
        double ms = median_ms([&] { MUST(spmv_rows(A.m, A.pos, A.crd, A.val, x, y, A.size, 0)); });
        line("spmv", A.name, "rows", ms, bytes);
        if (handle) same("rows", y, z, A.m);
    }
    line("spmv", A.name, "tiles", median_ms([&] { MUST(spmv_tiles(A.m, A.pos, A.crd, A.val, x, y, A.size, 0)); }),
         bytes);
    if (handle) same("tiles", y, z, A.m);
    drop(x, y, z);
    drop_matrix(A);
}

static void bench_scatter(matrix A) {
    value_t *x = numbers(A.m, 5), *y = numbers(A.n, 6), *z = numbers(A.n, 7);
    const double bytes = csr_bytes(A) + ((double)A.n + A.m) * sizeof(value_t);
    best_peer = 0;
    peer_spmv("scatter", A, CUSPARSE_OPERATION_TRANSPOSE, x, z, bytes);
    line("scatter", A.name, "atomics",
         median_ms([&] { MUST(scatter(A.m, A.n, A.pos, A.crd, A.val, x, y, 0)); }), bytes);
    if (handle) same("scatter", y, z, A.n);
    drop(x, y, z);
    drop_matrix(A);
}

static void bench_rows(matrix A) {
    const int R = 32;
    value_t *X = numbers((int64_t)A.n * R, 6), *C = numbers((int64_t)A.m * R, 7);
    value_t *Y = room<value_t>((size_t)A.m * R), *Z = room<value_t>((size_t)A.m * R);
    /* a row of X for each entry: none is cached */
    const double rows = ((double)A.size + A.m) * R * sizeof(value_t), entries = A.size * (double)sizeof(value_t);
    best_peer = 0;
    peer_spmm("spmm 32", A, R, X, Z, csr_bytes(A) + rows);
    double ms = median_ms([&] { MUST(spmm_parts(A.m, A.pos, A.crd, A.val, X, Y, A.size, 0)); });
    line("spmm 32", A.name, "parts", ms, csr_bytes(A) + rows);
    if (handle) same("spmm", Y, Z, (int64_t)A.m * R);
    drop(Y, Z);
    /* cuSPARSE does not multiply with A's values: they are ones here */
    value_t *is = room<value_t>(A.size), *want = room<value_t>(A.size);
    std::vector<value_t> ones(A.size, 1);
    MUST(cudaMemcpy(A.val, ones.data(), A.size * sizeof(value_t), cudaMemcpyHostToDevice));
    best_peer = 0;
    peer_sddmm(A, R, C, X, want, csr_bytes(A) + rows + entries);
    ms = median_ms([&] { MUST(sddmm(A.m, A.pos, A.crd, A.val, C, X, is, A.size, 0)); });
    line("sddmm 32", A.name, "64 bytes a lane", ms, csr_bytes(A) + rows + entries);
    if (handle) same("sddmm", is, want, A.size);
    drop(X, C, is, want);
    drop_matrix(A);
}

static void bench_add(matrix A, matrix B) {
    product C = {0, 0, 0, 0};
    auto ours = [&] {
        drop_product(&C);
        MUST(add(A.m, A.pos, A.crd, A.val, B.pos, B.crd, B.val, A.size + B.size, &C.pos, &C.crd,
                 &C.val, 0));
    };
    ours();
    int32_t size;
    MUST(cudaMemcpy(&size, C.pos + A.m, 4, cudaMemcpyDeviceToHost));
    const double bytes = csr_bytes(A) + csr_bytes(B) + size * (4.0 + sizeof(value_t)) + A.m * 4.0;
    int32_t *pos = room<int32_t>(A.m + 1), *crd = room<int32_t>(size);
    value_t *val = room<value_t>(size);
    best_peer = 0;
    peer_add(A, B, pos, crd, val, bytes);
    line("add", A.name, "tiles", median_ms(ours), bytes);
    if (handle) {
        same_numbers("add", C.pos, pos, A.m + 1);
        same_numbers("add", C.crd, crd, size);
        same("add", C.val, val, size);
    }
    drop_product(&C);
    drop(pos, crd, val);
    drop_matrix(A);
    drop_matrix(B);
}

static void bench_convert(matrix A) {
    int32_t *pos = room<int32_t>(A.n + 1), *crd = room<int32_t>(A.size), *want_pos = room<int32_t>(A.n + 1);
    int32_t *want_crd = room<int32_t>(A.size), *row = room<int32_t>(A.size), *back = room<int32_t>(A.m + 1);
    value_t *val = room<value_t>(A.size), *want = room<value_t>(A.size);
    const double bytes = 2 * csr_bytes(A);
    best_peer = 0;
    peer_convert(A, want_pos, want_crd, want, bytes);
    double ms = median_ms([&] { MUST(csr_csc(A.m, A.n, A.size, A.pos, A.crd, A.val, pos, crd, val, 0)); });
    line("csr-csc", A.name, "sort", ms, bytes);
    if (handle) {
        same_numbers("csr-csc", pos, want_pos, A.n + 1);
        same_numbers("csr-csc", crd, want_crd, A.size);
        same("csr-csc", val, want, A.size);
    }
    /* coo by columns: csc's entries, with a column each; the other way round gives A back */
    std::vector<int32_t> p(A.n + 1), j(A.size);
    MUST(cudaMemcpy(p.data(), pos, p.size() * 4, cudaMemcpyDeviceToHost));
    for (int32_t k = 0; k < A.n; k++) std::fill(j.begin() + p[k], j.begin() + p[k + 1], k);
    MUST(cudaMemcpy(row, j.data(), j.size() * 4, cudaMemcpyHostToDevice));
    best_peer = 0;
    ms = median_ms([&] { MUST(coo_csr(A.m, A.n, A.size, crd, row, val, back, want_crd, want, 0)); });
    line("coo-csr", A.name, "sort", ms, A.size * 2.0 * (6 + sizeof(value_t)) + A.m * 4.0);
    same_numbers("coo-csr", back, A.pos, A.m + 1);
    same_numbers("coo-csr", want_crd, A.crd, A.size);
    same("coo-csr", want, A.val, A.size);
    drop(pos, crd, want_pos, want_crd, row, back, val, want);
    drop_matrix(A);
}

static void bench_spgemm(matrix A, matrix B) {
    product C = {0, 0, 0, 0}, want = {0, 0, 0, 0};
    best_peer = 0;
    static const struct {
        cusparseSpGEMMAlg_t alg;
        const char *name;
    } peers[] = {{CUSPARSE_SPGEMM_ALG1, "cusparse ALG1"},
                 {CUSPARSE_SPGEMM_ALG2, "cusparse ALG2"},
                 {CUSPARSE_SPGEMM_ALG3, "cusparse ALG3"}};
    for (auto &peer : peers) {
        bool good = handle != NULL;
        auto theirs = [&] {
            if (!good) return;
            drop_product(&want);
            good = peer_product(A, B, peer.alg, &want);
        };
        const double ms = good ? median_ms(theirs) : 0;
        if (good) line("spgemm", A.name, peer.name, ms, csr_bytes(A) + csr_bytes(B));
    }
    auto ours = [&] {
        drop_product(&C);
        MUST(spgemm(A.m, B.n, A.pos, A.crd, A.val, B.pos, B.crd, B.val, &C.pos, &C.crd, &C.val, 0));
    };
    line("spgemm", A.name, "sorted, tables", median_ms(ours), csr_bytes(A) + csr_bytes(B));
    if (want.size) {
        same_numbers("spgemm", C.pos, want.pos, A.m + 1);
        same_numbers("spgemm", C.crd, want.crd, want.size);
        same("spgemm", C.val, want.val, want.size);
    }
    drop_product(&C);
    drop_product(&want);
    if (A.pos != B.pos) drop_matrix(B);
    drop_matrix(A);
}

/* Fibers are the rows of S; four on the average make a slice. */
static void bench_tensor(matrix S) {
    const int R = SPMM_COLUMNS, K = 10000;
    std::vector<int32_t> pos2 = {0}, crd1, crd2(S.m);
    for (int32_t f = 0; f < S.m;) {
        f = std::min(S.m, f + 1 + (int32_t)(mix(f) % 7));
        crd1.push_back((int32_t)crd1.size());
        pos2.push_back(f);
    }
    for (int32_t f = 0; f < S.m; f++) crd2[f] = (int32_t)(mix(f * 3ull) % K);
    const int32_t slices = (int32_t)crd1.size();
    int32_t *c1 = upload(crd1), *p2 = upload(pos2), *c2 = upload(crd2);
    value_t *C = numbers((int64_t)K * R, 3), *C1 = numbers((int64_t)slices * R, 4), *D = numbers((int64_t)S.n * R, 5);
    value_t *A = room<value_t>((size_t)slices * R);
    const double rows = ((double)S.size + S.m + slices) * R * sizeof(value_t);
    const double bytes = S.size * (4.0 + sizeof(value_t)) + S.m * 8.0 + rows;
#define B_IN c1, p2, c2, S.pos, S.crd, S.val
    best_peer = 0;
    line("mttkrp 32", S.name, "mode 1",
         median_ms([&] { MUST(mttkrp(false, slices, slices, S.m, S.size, B_IN, C, D, A, 0)); }), bytes);
    line("mttkrp 32", S.name, "mode 2, atomics",
         median_ms([&] { MUST(mttkrp(true, K, slices, S.m, S.size, B_IN, C1, D, A, 0)); }), bytes);
    drop(c1, p2, c2, C, C1, D, A);
    drop_matrix(S);
}

static void bench_transpose(int32_t n) {
    value_t *a = numbers((int64_t)n * n, 1), *b = room<value_t>((size_t)n * n);
    best_peer = 0;
    line("transpose", "dense", "tiles", median_ms([&] { MUST(transpose(n, n, a, b, 0)); }),
         2.0 * n * n * sizeof(value_t));
    drop(a, b);
}

int main(int argc, char **argv) {
    const char *groups = argc > 1 && strcmp(argv[1], "all") ? argv[1] : "spmv,rows,sparse,tensor";
    bench_open(argc > 2 ? argv[2] : NULL);
    if (strstr(groups, "spmv")) {
        bench_spmv(uniform("uniform16", 4e6, 4e6, 16, 1));
        bench_spmv(power("power", 3e6, 3e6, 16, 3));
        bench_spmv(uniform("short3", 8e6, 8e6, 3, 1));
        bench_spmv(uniform("long500", 1e5, 1e6, 500, 1));
        bench_spmv(banded("band27", 1e6, 27, 1));
        bench_scatter(uniform("uniform16", 2e6, 2e6, 16, 1));
        bench_scatter(uniform("narrow4000", 2e6, 4000, 16, 1));
    }
    if (strstr(groups, "rows")) {
        bench_rows(uniform("uniform16", 1e6, 1e6, 16, 5));
        bench_rows(power("power", 1e6, 1e6, 16, 6));
    }
    if (strstr(groups, "sparse")) {
        bench_add(uniform("uniform16", 2e6, 2e6, 16, 1), uniform("uniform16", 2e6, 2e6, 16, 2));
        bench_add(power("power", 2e6, 2e6, 16, 3), power("power", 2e6, 2e6, 16, 4));
        bench_convert(uniform("uniform16", 2e6, 2e6, 16, 1));
        matrix A = uniform("uniform8", 1e6, 1e6, 8, 7), B = banded("band27", 5e5, 27, 8);
        bench_spgemm(A, A);
        bench_spgemm(B, B);
        bench_spgemm(power("power4", 2e5, 2e5, 4, 9), uniform("uniform4", 2e5, 2e5, 4, 9));
    }
    if (strstr(groups, "tensor")) {
        bench_tensor(uniform("fibers8", 3e6, 1e6, 8, 10));
        bench_tensor(power("fibers p", 2e6, 1e6, 8, 11));
        bench_transpose(12000);
    }
    printf("%d wrong\n", wrong);
    return wrong > 0;
}
