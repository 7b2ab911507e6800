/* hand.c - kernels written by hand, as a peer of spcc bench: the best forms found by experiment.
 *
 * Each is one for one thread or for several (OpenMP).  What they are, is in the files below, of
 * which truth values have one of their own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifdef TYPE_bool
#include "hand_truth.c"
#else

#include "hand.h"

#include "hand_convert.c"
#include "hand_products.c"
#include "hand_rows.c"
#include "hand_tensors.c"
#include "hand_vectors.c"

#include "hand_blocks.c"
#include "hand_neighbours.c"

static bool peer_start(char *name, size_t room)
{
    snprintf(name, room, "by hand");
    return true;
}

static void peer_threads(int threads)
{
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    omp_set_num_threads(threads);
    is_parallel = threads > 1 && peer_find("A")->stored >= WORTHWHILE;
}

#define SPMV      "y(i) = A(i,j) * x(j)"
#define SPMV_T    "y(j) = A(i,j) * x(i)"
#define COPY      "B(i,j) = A(i,j)"
#define TWO       "A:csr B:csr C:csr"
#define SPMM      "Y(i,r) = A(i,j) * X(j,r)"
#define UNORDERED "A:csr C:(i,j)->(i:dense,j:compressed(unordered))"

const struct peer_kernel kernels[] = {
    {SPMV, "A:csr", prepare_vector, run_spmv, give_dense, finish},
    {SPMV, "A:csc", prepare_vector, run_columns, give_dense, finish},
    {SPMV, "A:coo", prepare_list, run_list, give_dense, finish},
    {SPMV, "A:dcsr", prepare_vector, run_few_rows, give_dense, finish},
    {SPMV, "A:bcsr(4,4)", prepare_blocks, run_blocks, give_dense, finish},
    {SPMV, "A:ell", prepare_padded, run_padded, give_dense, finish},
    {SPMV, "A:dia", prepare_diagonals, run_diagonals, give_dense, finish},
    {SPMV_T, "A:csr", prepare_vector, run_rows_transposed, give_dense, finish},
    {SPMV_T, "A:csc", prepare_vector, run_columns_transposed, give_dense, finish},
    {SPMV_T, "A:coo", prepare_list, run_list_transposed, give_dense, finish},
    {"y(i) = b(i) - A(i,j) * x(j)", "A:csr", prepare_vector, run_residual, give_dense, finish},
    {"y(i) = 0.85 * sum(j, A(i,j) * x(j)) + 0.15 * b(i)", "A:csr", prepare_vector, run_pagerank,
     give_dense, finish},
    {"y(i) = min(j, A(i,j) + x(j))", "A~csr", prepare_vector, run_min_plus, give_dense, finish},
    {SPMM, "A:csr", prepare_spmm, run_spmm, give_dense, finish},
    {SPMM, "A:bcsr(4,4)", prepare_block_rows, run_block_rows, give_dense, finish},
    {SPMM, "A:dia", prepare_diagonal_rows, run_diagonal_rows, give_dense, finish},
    {"s = A(i,j)", "A:coo", prepare_sum, run_sum, give_dense, finish},
    {"s = A(i,j)", "A:ell", prepare_padded_sum, run_padded_sum, give_dense, finish},
    {"y(i) = A(i,j)", "A:ell", prepare_padded, run_padded_sums, give_dense, finish},
    {"y(i) = max(j, A(i,j))", "A:csr", prepare_vector, run_maxima, give_dense, finish},
    {"y(i) = max(j, A(i,j))", "A:coo", prepare_list, run_list_maxima, give_dense, finish},
    {"y(i) = (A(i,j) + B(i,j)) * x(j)", "A:csr B:csr", prepare_two_vectors, run_sum_spmv,
     give_dense, finish},
    {"B(i,j) = A(i,j) * X(i,r) * Y(j,r)", "A:csr B:csr", prepare_sddmm, run_sddmm, give_rows,
     finish},
    {"C(i,j) = A(i,j) + B(i,j)", TWO, prepare_two, run_add, give_rows, finish},
    {"D(i,j) = A(i,j) + B(i,j) + C(i,j)", TWO " D:csr", prepare_three, run_add_three, give_rows,
     finish},
    {"C(i,j) = A(i,j) * B(i,j)", TWO, prepare_two, run_multiply, give_rows, finish},
    {"C(i,j) = A(i,k) * A(k,j)", "A:csr C:csr", take_matrix, run_spgemm, give_rows, finish},
    {"C(i,j) = A(i,k) * A(k,j)", UNORDERED, take_matrix, run_unsorted, give_rows, finish},
    {"C(i,j) = B(i,j) * A(i,k) * A(k,j)", TWO, prepare_two, run_masked, give_rows, finish},
    {"D(i,j) = A(i,k) * A(k,l) * A(l,j)", "A:csr D:csr", take_matrix, run_chain, give_rows, finish},
    {"C(i,j) = A(i,k) * A(k,j) + B(i,j)", TWO, prepare_two, run_spgemm_add, give_rows, finish},
    {"C(i,j) = 2 * A(i,j)", "A:csr C:csr", take_matrix, run_twice, give_rows, finish},
    {"C(i,j) = A(i,j) / sum(k, A(i,k))", "A:csr C:csr", take_matrix, run_normalised, give_rows,
     finish},
    {"C(i,j) = A(k,i) * A(k,j)", "A:csr C:csr", prepare_square, run_transposed_product, give_rows,
     finish},
    {"C(i,j) = A(i,k) * A(j,k)", "A:csr C:csr", prepare_square, run_product_transposed, give_rows,
     finish},
    {"C(i,j) = A(k,i) * B(k,j)", TWO, prepare_two_squares, run_transposed_two, give_rows, finish},
    {"C(i,j) = A(i,k) * B(j,k)", TWO, prepare_two_squares, run_two_transposed, give_rows, finish},
    {"C(i,j) = A(i,k) * A(k,l) * A(l,m) * A(m,n) * A(n,o) * A(o,j)", "A:csr C:csr", take_matrix,
     run_chain_of_six, give_rows, finish},
    {"n = A(i,j) * A(j,k) * A(i,k)", "A:csr", prepare_number, run_triangles, give_dense, finish},
    {"C(i,j) = A(i,j,k) * x(k)", "A:csf C:dcsr", prepare_tree, run_ttv, give_fibers, drop_fibers},
    {"C(i,j) = A(i,j,k) * x(k)", "A:coo C:coo", take_coordinates, run_list_ttv, give_fibers,
     drop_fibers},
    {"C(i,j,r) = A(i,j,k) * X(k,r)", "A:csf C:ssd", prepare_ttm, run_ttm, give_fiber_rows,
     drop_fibers},
    {"C(i,j,r) = A(i,j,k) * X(k,r)", "A:coo C:ssd", prepare_list_ttm, run_list_ttm, give_fiber_rows,
     drop_fibers},
#define MTTKRP(statement)                                                            \
    {statement, "A:csf", prepare_mttkrp, run_mttkrp, give_dense, finish},            \
    {                                                                                \
        statement, "A:coo", prepare_list_mttkrp, run_list_mttkrp, give_dense, finish \
    }
    MTTKRP("Y(i,r) = A(i,j,k) * X(j,r) * Z(k,r)"),
    MTTKRP("Y(j,r) = A(i,j,k) * X(i,r) * Z(k,r)"),
    MTTKRP("Y(k,r) = A(i,j,k) * X(i,r) * Z(j,r)"),
    {"Y(j,r) = A(i,j,k) * X(i,r) * Z(k,r)", "A:csf:1,0,2", prepare_mttkrp, run_mttkrp, give_dense,
     finish},
    {"Y(k,r) = A(i,j,k) * X(i,r) * Z(j,r)", "A:csf:2,0,1", prepare_mttkrp, run_mttkrp, give_dense,
     finish},
    MTTKRP("Y(i,r) = A(i,j,k,l) * X(j,r) * Z(k,r) * W(l,r)"),
    MTTKRP("Y(j,r) = A(i,j,k,l) * X(i,r) * Z(k,r) * W(l,r)"),
    MTTKRP("Y(k,r) = A(i,j,k,l) * X(i,r) * Z(j,r) * W(l,r)"),
    MTTKRP("Y(l,r) = A(i,j,k,l) * X(i,r) * Z(j,r) * W(k,r)"),
    MTTKRP("Y(i,r) = A(i,j,k,l,m) * X(j,r) * Z(k,r) * W(l,r) * V(m,r)"),
    MTTKRP("Y(j,r) = A(i,j,k,l,m) * X(i,r) * Z(k,r) * W(l,r) * V(m,r)"),
    MTTKRP("Y(k,r) = A(i,j,k,l,m) * X(i,r) * Z(j,r) * W(l,r) * V(m,r)"),
    MTTKRP("Y(l,r) = A(i,j,k,l,m) * X(i,r) * Z(j,r) * W(k,r) * V(m,r)"),
    MTTKRP("Y(m,r) = A(i,j,k,l,m) * X(i,r) * Z(j,r) * W(k,r) * V(l,r)"),
    {COPY, "A:csr B:csr", take_matrix, run_copy, give_rows, finish},
    {COPY, "A:csr B:csc", take_matrix, run_to_columns, give_columns, finish},
    {COPY, "A:csc B:csr", take_matrix, run_to_rows, give_rows, finish},
    {COPY, "A:coo B:csr", take_list, run_list_to_rows, give_rows, finish},
    {COPY, "A:coo B:csc", take_list, run_list_to_columns, give_columns, finish},
    {COPY, "A:csr B:coo", take_matrix, run_to_list, give_to_list, finish},
    {COPY, "A:csr B:dcsr", take_matrix, run_to_few_rows, give_few_rows, finish},
    {COPY, "A:dcsr B:csr", take_matrix, run_from_few_rows, give_rows, finish},
    {"B(i,j,k) = A(i,j,k)", "A:coo B:csf", prepare_list_of_three, run_to_tree, give_tree,
     drop_fibers},
/* The sparse tensor benchmark suite. */
#define VECTOR_FIBERS prepare_vector_fibers, run_vector_fibers, give_vector_fibers, drop_places
#define MATRIX_FIBERS prepare_matrix_fibers, run_matrix_fibers, give_matrix_fibers, drop_places
#define BLOCK_MTTKRP  prepare_block_mttkrp, run_block_mttkrp, give_dense, finish
    {"Z(i,j,k) = A(i,j,k) + W(i,j,k)", NULL, prepare_values, run_sum_alike, give_alike,
     drop_places},
    {"Z(i,j,k) = s * A(i,j,k)", NULL, prepare_values, run_scaled, give_alike, drop_places},
    {"Z(j,k) = A(i,j,k) * v(i)", NULL, VECTOR_FIBERS},
    {"Z(i,k) = A(i,j,k) * v(j)", NULL, VECTOR_FIBERS},
    {"Z(i,j) = A(i,j,k) * v(k)", NULL, VECTOR_FIBERS},
    {"Z(r,j,k) = A(i,j,k) * U(i,r)", NULL, MATRIX_FIBERS},
    {"Z(i,r,k) = A(i,j,k) * U(j,r)", NULL, MATRIX_FIBERS},
    {"Z(i,j,r) = A(i,j,k) * U(k,r)", NULL, MATRIX_FIBERS},
    {"Y(i,r) = A(i,j,k) * X(j,r) * Z(k,r)", "A:hicoo(128)", BLOCK_MTTKRP},
    {"Y(j,r) = A(i,j,k) * X(i,r) * Z(k,r)", "A:hicoo(128)", BLOCK_MTTKRP},
    {"Y(k,r) = A(i,j,k) * X(i,r) * Z(j,r)", "A:hicoo(128)", BLOCK_MTTKRP},
    {"Z(i,j,k,l) = A(i,j,k,l) + W(i,j,k,l)", NULL, prepare_values, run_sum_alike, give_alike,
     drop_places},
    {"Z(i,j,k,l) = s * A(i,j,k,l)", NULL, prepare_values, run_scaled, give_alike, drop_places},
    {"Z(j,k,l) = A(i,j,k,l) * v(i)", NULL, VECTOR_FIBERS},
    {"Z(i,k,l) = A(i,j,k,l) * v(j)", NULL, VECTOR_FIBERS},
    {"Z(i,j,l) = A(i,j,k,l) * v(k)", NULL, VECTOR_FIBERS},
    {"Z(i,j,k) = A(i,j,k,l) * v(l)", NULL, VECTOR_FIBERS},
    {"Z(r,j,k,l) = A(i,j,k,l) * U(i,r)", NULL, MATRIX_FIBERS},
    {"Z(i,r,k,l) = A(i,j,k,l) * U(j,r)", NULL, MATRIX_FIBERS},
    {"Z(i,j,r,l) = A(i,j,k,l) * U(k,r)", NULL, MATRIX_FIBERS},
    {"Z(i,j,k,r) = A(i,j,k,l) * U(l,r)", NULL, MATRIX_FIBERS},
    {"Y(i,r) = A(i,j,k,l) * X(j,r) * Z(k,r) * W(l,r)", "A:hicoo(128)", BLOCK_MTTKRP},
    {"Y(j,r) = A(i,j,k,l) * X(i,r) * Z(k,r) * W(l,r)", "A:hicoo(128)", BLOCK_MTTKRP},
    {"Y(k,r) = A(i,j,k,l) * X(i,r) * Z(j,r) * W(l,r)", "A:hicoo(128)", BLOCK_MTTKRP},
    {"Y(l,r) = A(i,j,k,l) * X(i,r) * Z(j,r) * W(k,r)", "A:hicoo(128)", BLOCK_MTTKRP},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

#endif
