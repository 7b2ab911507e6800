/* eigen.cpp - Eigen as a peer of spcc bench: sparse matrices by rows.
 *
 * SPDX-License-Identifier: MIT
 */
#include <omp.h>

#include <Eigen/Sparse>

#include "peer.h"

using Matrix = Eigen::SparseMatrix<value, Eigen::RowMajor>;
using View = Eigen::Map<const Matrix>;
using Columns = Eigen::SparseMatrix<value, Eigen::ColMajor>;
using ColumnsView = Eigen::Map<const Columns>;
using Vector = Eigen::Matrix<value, Eigen::Dynamic, 1>;
using Dense = Eigen::Matrix<value, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

static Matrix result;
static Columns by_columns;
static Vector vector;
static Dense dense;

static bool peer_start(char *name, size_t room)
{
    snprintf(name, room, "Eigen %d.%d.%d", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
             EIGEN_MINOR_VERSION);
    return true;
}

static void peer_threads(int threads)
{
    omp_set_num_threads(threads);
    Eigen::setNbThreads(threads);
}

static View view(const char *name)
{
    return View(peer_size(name, 0), peer_size(name, 1), peer_find(name)->stored,
                peer_level(name, 1, "pos"), peer_level(name, 1, "crd"), peer_values(name));
}

static Eigen::Map<const Vector> vector_view(const char *name)
{
    return Eigen::Map<const Vector>(peer_values(name), peer_size(name, 0));
}

static Eigen::Map<const Dense> dense_view(const char *name)
{
    return Eigen::Map<const Dense>(peer_values(name), peer_size(name, 0), peer_size(name, 1));
}

static bool prepare_vector() { return vector.resize(peer_size("y", 0)), true; }

static void run_spmv() { vector.noalias() = view("A") * vector_view("x"); }

static void run_transposed() { vector.noalias() = view("A").transpose() * vector_view("x"); }

static void run_residual()
{
    vector = vector_view("b");
    vector.noalias() -= view("A") * vector_view("x");
}

static void run_pagerank()
{
    vector = value(0.15) * vector_view("b");
    vector.noalias() += value(0.85) * view("A") * vector_view("x");
}

static ColumnsView columns_view(const char *name)
{
    return ColumnsView(peer_size(name, 0), peer_size(name, 1), peer_find(name)->stored,
                       peer_level(name, 1, "pos"), peer_level(name, 1, "crd"), peer_values(name));
}

static void run_columns() { vector.noalias() = columns_view("A") * vector_view("x"); }

static void run_columns_transposed()
{
    vector.noalias() = columns_view("A").transpose() * vector_view("x");
}

static void give_vector() { peer_give_dense(vector.data(), vector.size()); }

static bool prepare_dense() { return dense.resize(peer_size("Y", 0), peer_size("Y", 1)), true; }

static void run_spmm() { dense.noalias() = view("A") * dense_view("X"); }

static void give_dense() { peer_give_dense(dense.data(), dense.size()); }

static void run_add() { result = view("A") + view("B"); }

static void run_add3() { result = view("A") + view("B") + view("C"); }

static void run_multiply() { result = view("A").cwiseProduct(view("B")); }

static void run_spgemm() { result = view("A") * view("A"); }

static void run_spgemm_add()
{
    Matrix product = view("A") * view("A");
    result = product + view("B");
}

static void give_result()
{
    result.makeCompressed();
    peer_give_rows((int)result.rows(), result.outerIndexPtr(), result.innerIndexPtr(),
                   result.valuePtr(), false);
}

static void run_to_columns() { by_columns = view("A"); }

static void run_to_rows() { result = columns_view("A"); }

static void give_columns()
{
    peer_give_rows((int)by_columns.cols(), by_columns.outerIndexPtr(), by_columns.innerIndexPtr(),
                   by_columns.valuePtr(), true);
}

const struct peer_kernel kernels[] = {
    {"y(i) = A(i,j) * x(j)", "A:csr", prepare_vector, run_spmv, give_vector, NULL},
    {"y(i) = A(i,j) * x(j)", "A:csc", prepare_vector, run_columns, give_vector, NULL},
    {"y(j) = A(i,j) * x(i)", "A:csr", prepare_vector, run_transposed, give_vector, NULL},
    {"y(j) = A(i,j) * x(i)", "A:csc", prepare_vector, run_columns_transposed, give_vector, NULL},
    {"y(i) = 0.85 * sum(j, A(i,j) * x(j)) + 0.15 * b(i)", "A:csr", prepare_vector, run_pagerank,
     give_vector, NULL},
    {"y(i) = b(i) - A(i,j) * x(j)", "A:csr", prepare_vector, run_residual, give_vector, NULL},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:csr", prepare_dense, run_spmm, give_dense, NULL},
    {"C(i,j) = A(i,j) + B(i,j)", "A:csr B:csr C:csr", NULL, run_add, give_result, NULL},
    {"D(i,j) = A(i,j) + B(i,j) + C(i,j)", "A:csr B:csr C:csr D:csr", NULL, run_add3, give_result,
     NULL},
    {"C(i,j) = A(i,j) * B(i,j)", "A:csr B:csr C:csr", NULL, run_multiply, give_result, NULL},
    {"C(i,j) = A(i,k) * A(k,j)", "A:csr C:csr", NULL, run_spgemm, give_result, NULL},
    {"C(i,j) = A(i,k) * A(k,j) + B(i,j)", "A:csr B:csr C:csr", NULL, run_spgemm_add, give_result,
     NULL},
    {"B(i,j) = A(i,j)", "A:csc B:csr", NULL, run_to_rows, give_result, NULL},
    {"B(i,j) = A(i,j)", "A:csr B:csc", NULL, run_to_columns, give_columns, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
