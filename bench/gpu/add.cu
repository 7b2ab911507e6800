/* add.cu - C(i,j) = A(i,j) + B(i,j), all csr, rows in order: count, scan, fill.
 *
 * Both passes merge rows in shares of equal work, however long rows are.  A thread has 8 steps of
 * the merge of all rows.  Two searches find where it begins: for the row and, in the row, for how
 * far the merge is (a diagonal).  A coordinate of both belongs to the thread that has A's.
 *     collapse(i, j, f), split(f, f0, f1, ...) over what the union of A and B visits;
 *     the work before row i is A2_pos[i] + B2_pos[i]; parallelize(f0, gpu_thread, no_races)
 *
 * H200, f64 ms (of cuSPARSE): uniform16 2.709 (5.57), power 2.728 (14.44); f32: 1.998 (7.43), 2.001 (19.47).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

enum { ADD_THREADS = 128, ADD_EACH = 8 };

struct merge {
    int32_t i, pA, pB, pA_end, pB_end; /* row, positions, where the row ends */
};

/* The last row in [low, high] before which there is at most so much work. */
static __device__ __forceinline__ int32_t add_row(const int32_t *A2_pos, const int32_t *B2_pos, int32_t low,
                                                  int32_t high, int64_t work) {
    while (low < high) {
        int32_t middle = high - (high - low) / 2;
        if ((int64_t)A2_pos[middle] + B2_pos[middle] <= work)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Where the merge is after so much work: entries of A go before those of B at the same coordinate. */
static __device__ __forceinline__ merge merge_at(const int32_t *A2_pos, const int32_t *A2_crd, const int32_t *B2_pos,
                                                 const int32_t *B2_crd, int32_t i, int64_t work) {
    merge m = {i, A2_pos[i], B2_pos[i], A2_pos[i + 1], B2_pos[i + 1]};
    const int32_t steps = (int32_t)(work - m.pA - m.pB);
    int32_t low = max(0, steps - (m.pB_end - m.pB)), high = min(steps, m.pA_end - m.pA); /* of A */
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (A2_crd[m.pA + middle] <= B2_crd[m.pB + steps - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    m.pA += low;
    m.pB += steps - low;
    return m;
}

/* A thread's share: gives how many components it has; if C2_crd is not NULL, fills from `at` on. */
static __device__ __forceinline__ int32_t add_share(int64_t from, int64_t past, merge m, int32_t A1_dimension, CSR(A),
                                                    CSR(B), int32_t at, int32_t *__restrict__ C2_pos,
                                                    int32_t *__restrict__ C2_crd, value_t *__restrict__ C_vals) {
    int32_t n = 0;
    for (int64_t work = from; work < past; work++) {
        if (m.pA == m.pA_end && m.pB == m.pB_end) { /* the next row that has anything */
            m.i++;
            if (A2_pos[m.i + 1] == m.pA && B2_pos[m.i + 1] == m.pB)
                m.i = add_row(A2_pos, B2_pos, m.i, A1_dimension - 1, work);
            m.pA_end = A2_pos[m.i + 1];
            m.pB_end = B2_pos[m.i + 1];
        }
        if (C2_pos && m.pA == A2_pos[m.i] && m.pB == B2_pos[m.i]) C2_pos[m.i] = at + n;
        const int32_t jA = m.pA < m.pA_end ? A2_crd[m.pA] : INT32_MAX;
        const int32_t jB = m.pB < m.pB_end ? B2_crd[m.pB] : INT32_MAX;
        if (jA <= jB) { /* the step of B\'s entry, if it has the coordinate too, does nothing */
            if (C2_crd) {
                C2_crd[at + n] = jA;
                C_vals[at + n] = A_vals[m.pA] + (jA == jB ? B_vals[m.pB] : 0);
            }
            n++;
            m.pA++;
        } else {
            bool both = m.pA > A2_pos[m.i] && A2_crd[m.pA - 1] == jB;
            if (!both) {
                if (C2_crd) {
                    C2_crd[at + n] = jB;
                    C_vals[at + n] = B_vals[m.pB];
                }
                n++;
            }
            m.pB++;
        }
    }
    return n;
}

/* What the thread `number` of all has. */
static __device__ __forceinline__ int32_t add_thread(int64_t number, int32_t A1_dimension, CSR(A), CSR(B), int32_t at,
                                                     int32_t *__restrict__ C2_pos, int32_t *__restrict__ C2_crd,
                                                     value_t *__restrict__ C_vals) {
    const int64_t work = (int64_t)A2_pos[A1_dimension] + B2_pos[A1_dimension], from = number * ADD_EACH;
    if (from >= work) return 0;
    const int64_t past = min(from + ADD_EACH, work);
    int32_t i = add_row(A2_pos, B2_pos, 0, A1_dimension - 1, from);
    return add_share(from, past, merge_at(A2_pos, A2_crd, B2_pos, B2_crd, i, from), A1_dimension, GIVE(A), GIVE(B), at,
                     GIVE(C));
}

static __global__ void __launch_bounds__(ADD_THREADS)
    add_count(int32_t A1_dimension, const int32_t *__restrict__ A2_pos, const int32_t *__restrict__ A2_crd,
              const int32_t *__restrict__ B2_pos, const int32_t *__restrict__ B2_crd, int64_t threads,
              int32_t *__restrict__ count) {
    for (int64_t t = (int64_t)blockIdx.x * ADD_THREADS + threadIdx.x; t < threads;
         t += (int64_t)gridDim.x * ADD_THREADS)
        count[t] = add_thread(t, A1_dimension, A2_pos, A2_crd, 0, B2_pos, B2_crd, 0, 0, 0, 0, 0);
}

static __global__ void __launch_bounds__(ADD_THREADS)
    add_fill(int32_t A1_dimension, CSR(A), CSR(B), int64_t threads, const int32_t *__restrict__ begin,
             int32_t *__restrict__ C2_pos, int32_t *__restrict__ C2_crd, value_t *__restrict__ C_vals) {
    for (int64_t t = (int64_t)blockIdx.x * ADD_THREADS + threadIdx.x; t < threads;
         t += (int64_t)gridDim.x * ADD_THREADS)
        add_thread(t, A1_dimension, GIVE(A), GIVE(B), begin[t], GIVE(C));
}

/* Rows in which there is nothing begin where the next one does that has something. */
static __global__ void __launch_bounds__(256)
    add_empty(int32_t A1_dimension, const int32_t *__restrict__ A2_pos, const int32_t *__restrict__ B2_pos,
              int64_t size, int32_t *__restrict__ C2_pos) {
    for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i <= A1_dimension; i += (int64_t)gridDim.x * 256) {
        int64_t before = (int64_t)A2_pos[i] + B2_pos[i];
        if (i == A1_dimension || before == (int64_t)A2_pos[A1_dimension] + B2_pos[A1_dimension])
            C2_pos[i] = (int32_t)size;
        else if ((int64_t)A2_pos[i + 1] + B2_pos[i + 1] == before)
            C2_pos[i] = C2_pos[add_row(A2_pos, B2_pos, (int32_t)i, A1_dimension - 1, before)];
    }
}

/* The arrays of C are allocated: the caller's to free.  Waits for the stream twice, for sizes. */
extern "C" int add(int32_t A1_dimension, CSR(A), CSR(B), int32_t **C2_pos, int32_t **C2_crd, value_t **C_vals,
                   cudaStream_t stream) {
    int status = 0;
    int32_t size[2] = {0, 0}, *count;
    int64_t *part_sum, all = 0;
    *C2_pos = *C2_crd = 0, *C_vals = 0;
    TRY(cudaMemcpyAsync(&size[0], A2_pos + A1_dimension, sizeof size[0], cudaMemcpyDeviceToHost, stream));
    TRY(cudaMemcpyAsync(&size[1], B2_pos + A1_dimension, sizeof size[1], cudaMemcpyDeviceToHost, stream));
    TRY(cudaStreamSynchronize(stream));
    const int64_t threads = ((int64_t)size[0] + size[1] + ADD_EACH - 1) / ADD_EACH;
    NEED(count, threads + 1);
    NEED(part_sum, SCAN_PARTS + 1);
    if (!status) {
        LAUNCH(add_count, blocks_for(threads, ADD_THREADS), ADD_THREADS, stream, A1_dimension, A2_pos, A2_crd, B2_pos,
               B2_crd, threads, count);
        scan(count, threads, part_sum, count, stream);
        TRY(cudaMemcpyAsync(&all, part_sum + SCAN_PARTS, sizeof all, cudaMemcpyDeviceToHost, stream));
        TRY(cudaStreamSynchronize(stream));
    }
    if (!status && all > INT32_MAX) status = TOO_MANY;
    NEED(*C2_pos, (int64_t)A1_dimension + 1);
    NEED(*C2_crd, all);
    NEED(*C_vals, all);
    if (!status) {
        int32_t *pos = *C2_pos, *crd = *C2_crd;
        value_t *vals = *C_vals;
        LAUNCH(add_fill, blocks_for(threads, ADD_THREADS), ADD_THREADS, stream, A1_dimension, GIVE(A), GIVE(B), threads,
               count, pos, crd, vals);
        LAUNCH(add_empty, blocks_for((int64_t)A1_dimension + 1, 256), 256, stream, A1_dimension, A2_pos, B2_pos, all,
               pos);
        TRY(cudaGetLastError());
    }
    FREE(count, part_sum);
    if (status) {
        int kept = status;
        FREE(*C2_pos, *C2_crd, *C_vals);
        *C2_pos = *C2_crd = 0, *C_vals = 0;
        status = kept;
    }
    return status;
}
