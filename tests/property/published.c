/* published.c - the schedules that are published with taco (its test suite and its evaluation,
 * which the directives are from) are taken as they are written there, and right: those for CPUs,
 * and those for GPUs, which the interpreter runs in any order of threads, looking for races.  The
 * same loops by temporaries, where rows are cut and threads add up what they have begun, are ours.
 *
 *     published [--verbose]
 *
 * Each row is a statement with its tensors' formats, as taco's letters, and the schedule; operands
 * are random.  The oracle says what is right.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "compiler/base/text.h"
#include "tests/support/rng.h"
#include "tests/support/trial.h"

/* A tensor: its letters, as many of the sizes, and of how many components one is stored. */
struct tensor_row {
    const char *name, *letters;
    int dimension[CASE_ORDER], sparsity;
};

struct row {
    const char *statement, *schedule;
    struct tensor_row tensor[CASE_TENSORS]; /* the result first */
};

enum { I = 20, J = 9, K = 8, L = 5, M = 4, LANES = 128, TEAM = 32 };

#define ENTRIES "fuse(i,j,f),pos(f,p,A),"
#define WORK(n) ENTRIES "split(p,b,q,work," #n ")"

static const struct row rows[] = {
    {"y(i) = A(i,j) * x(j)",
     "split(i,i0,i1,16),reorder(i0,i1,j),parallelize(i0,CPUThread,NoRaces)",
     {{"y", "d", {I}, 0}, {"A", "ds", {I, J}, 3}, {"x", "d", {J}, 1}}},
    {"y(i) = A(i,j) * x(j)",
     "parallelize(i,CPUThread,Atomics)",
     {{"y", "d", {I}, 0}, {"A", "ds", {I, J}, 3}, {"x", "d", {J}, 1}}},
    {"y(i) = A(i,j) * x(j)",
     "fuse(i,j,f),pos(f,p,A(i,j))",
     {{"y", "d", {I}, 0}, {"A", "ds", {I, J}, 3}, {"x", "d", {J}, 1}}},
    {"y(j) = A(i,j,k) * x(k)",
     "reorder(i,j,k),parallelize(j,CPUThread,Atomics)",
     {{"y", "d", {J}, 0}, {"A", "sss", {I, J, K}, 20}, {"x", "d", {K}, 1}}},
    {"C(i,k) = A(i,j) * B(j,k)",
     "split(i,i0,i1,16),pos(j,jpos,A(i,j)),split(jpos,jpos0,jpos1,8),"
     "reorder(i0,i1,jpos0,k,jpos1),parallelize(i0,CPUThread,NoRaces),"
     "parallelize(k,CPUVector,IgnoreRaces)",
     {{"C", "dd", {I, K}, 0}, {"A", "ds", {I, J}, 3}, {"B", "dd", {J, K}, 1}}},
    {"C(i,k) = A(i,j) * B(j,k)",
     "reorder(i,j,k),precompute(A(i,j)*B(j,k),k,k),assemble(C,Insert,true),"
     "parallelize(i,CPUThread,NoRaces)",
     {{"C", "ds", {I, K}, 0}, {"A", "ds", {I, J}, 3}, {"B", "ds", {J, K}, 3}}},
    {"C(i,j) = A(i,j) + B(i,j)",
     "assemble(C,Insert,true),parallelize(i,CPUThread,NoRaces)",
     {{"C", "ds", {I, J}, 0}, {"A", "ds", {I, J}, 3}, {"B", "ds", {I, J}, 3}}},
    {"A(i,k) = B(i,k) * C(i,j) * D(j,k)",
     "split(i,i0,i1,16),pos(k,kpos,B(i,k)),split(kpos,kpos0,kpos1,8),"
     "reorder(i0,i1,kpos0,j,kpos1),parallelize(i0,CPUThread,NoRaces),"
     "parallelize(kpos1,CPUVector,ParallelReduction)",
     {{"A", "dd", {I, K}, 0},
      {"B", "ds", {I, K}, 3},
      {"C", "dd", {I, J}, 1},
      {"D", "dd", {J, K}, 1}}},
    {"A(i,j) = B(i,j,k) * c(k)",
     "fuse(i,j,f),pos(f,fpos,B),split(fpos,chunk,fpos2,16),reorder(chunk,fpos2,k),"
     "parallelize(chunk,CPUThread,NoRaces)",
     {{"A", "dd", {I, J}, 0}, {"B", "sss", {I, J, K}, 20}, {"c", "d", {K}, 1}}},
    {"A(i,j) = B(i,j,k) * c(k)",
     "assemble(A,Insert),parallelize(i,CPUThread,NoRaces)",
     {{"A", "ds", {I, J}, 0}, {"B", "sss", {I, J, K}, 20}, {"c", "d", {K}, 1}}},
    {"A(i,j,l) = B(i,j,k) * C(k,l)",
     "fuse(i,j,f),pos(f,fpos,B),split(fpos,chunk,fpos2,16),pos(k,kpos,B),"
     "split(kpos,kpos1,kpos2,8),reorder(chunk,fpos2,kpos1,l,kpos2),"
     "parallelize(chunk,CPUThread,NoRaces),parallelize(kpos2,CPUVector,ParallelReduction)",
     {{"A", "ddd", {I, J, L}, 0}, {"B", "sss", {I, J, K}, 20}, {"C", "dd", {K, L}, 1}}},
    {"A(i) = B(i) * C(i)",
     "bound(i,ib,20,MaxExact),split(ib,i0,i1,5),precompute(B(i)*C(i),i1,i1),"
     "precompute(B(i),i1,i1,B_new),precompute(C(ib),i1,i1,C_new)",
     {{"A", "d", {I}, 0}, {"B", "s", {I}, 2}, {"C", "s", {I}, 2}}},
    {"A(i) = B(i) * C(i)",
     "precompute(B(i)*C(i),i,i,p),split(i,i0,i1,5),precompute(B(i),i,i,B_new)",
     {{"A", "d", {I}, 0}, {"B", "s", {I}, 2}, {"C", "d", {I}, 1}}},
    {"A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
     "split(i,i1,i2,16),reorder(i1,i2,k,l,j),precompute(B(i,k,l)*D(l,j),j,j,w),"
     "parallelize(i1,CPUThread,NoRaces)",
     {{"A", "dd", {I, J}, 0},
      {"B", "dss", {I, K, L}, 9},
      {"C", "dd", {K, J}, 1},
      {"D", "dd", {L, J}, 1}}},
    {"A(i,j) = B(i,k,l,m) * C(k,j) * D(l,j) * E(m,j)",
     "split(i,i1,i2,16),reorder(i1,i2,k,l,m,j),parallelize(i1,CPUThread,NoRaces)",
     {{"A", "dd", {I, J}, 0},
      {"B", "dsss", {I, K, L, M}, 25},
      {"C", "dd", {K, J}, 1},
      {"D", "dd", {L, J}, 1},
      {"E", "dd", {M, J}, 1}}},
    /* ours: parts of as much work */
    {"y(i) = A(i,j) * x(j)",
     WORK(8),
     {{"y", "d", {I}, 0}, {"A", "ds", {I, J}, 9}, {"x", "d", {J}, 1}}},
    {"y(i) = A(i,j) * x(j)",
     WORK(8) ",parallelize(b,cpu_thread,temporary)",
     {{"y", "d", {I}, 0}, {"A", "ds", {I, J}, 9}, {"x", "d", {J}, 1}}},
    {"y(i) = A(i,j) * x(j)",
     WORK(8) ",parallelize(b,cpu_thread,atomics,dynamic,2)",
     {{"y", "d", {I}, 0}, {"A", "ss", {I, J}, 9}, {"x", "d", {J}, 1}}},
    {"C(i,j) = A(i,j) * x(j)",
     WORK(4) ",parallelize(b)",
     {{"C", "ds", {I, J}, 0}, {"A", "ds", {I, J}, 9}, {"x", "d", {J}, 1}}},
    {"y(i) = A(i,j) * x(j)",
     WORK(8) ",reorder(q,b)",
     {{"y", "d", {I}, 0}, {"A", "ds", {I, J}, 9}, {"x", "d", {J}, 1}}},
    {"y(i) = A(i,j) * x(j)",
     WORK(8) ",precompute(A(i,j)*x(j),q,qp),unroll(qp,2)",
     {{"y", "d", {I}, 0}, {"A", "ds", {I, J}, 9}, {"x", "d", {J}, 1}}},
};

static const struct row gpu_rows[] = {
    {"y(i) = A(i,j) * x(j)",
     "split(i,block,thread,256),parallelize(block,GPUBlock,NoRaces),"
     "parallelize(thread,GPUThread,NoRaces)",
     {{"y", "d", {I}, 0}, {"A", "ds", {I, I}, 1}, {"x", "d", {I}, 1}}},
    {"y(i) = A(i,j) * x(j)",
     "fuse(i,j,f),pos(f,fpos,A),split(fpos,block,fpos1,2048),"
     "split(fpos1,warp,fpos2,256),split(fpos2,thread,thread_nz,8),"
     "reorder(block,warp,thread,thread_nz),precompute(A(i,j)*x(j),"
     "thread_nz,thread_nz_pre),unroll(thread_nz_pre,8),"
     "parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),"
     "parallelize(thread,GPUThread,Atomics)",
     {{"y", "d", {I}, 0}, {"A", "ds", {I, I}, 1}, {"x", "d", {I}, 1}}},
    {"y(i) = A(i,j) * x(j)",
     "split(i,block,block_row,256),split(block_row,warp_row,warp,8),pos(j,jpos,A),"
     "split(jpos,thread_nz,thread,32),reorder(block,warp,warp_row,thread,thread_nz),"
     "parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),"
     "parallelize(thread,GPUThread,Temporary)",
     {{"y", "d", {300}, 0}, {"A", "ds", {300, 2}, 4}, {"x", "d", {2}, 1}}},
    {"y(i) = A(i,j) * x(j)",
     "fuse(i,j,f),pos(f,fpos,A),split(fpos,block,fpos1,2048),"
     "split(fpos1,warp,fpos2,256),split(fpos2,thread,thread_nz,8),"
     "reorder(block,warp,thread,thread_nz),parallelize(block,GPUBlock,IgnoreRaces),"
     "parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)",
     {{"y", "d", {I}, 0}, {"A", "ds", {I, I}, 1}, {"x", "d", {I}, 1}}},
    {"C(i,k) = A(i,j) * B(j,k)",
     "split(i,block,i1,32),split(i1,warp,warp_row,4),bound(k,kb,128,MaxExact),"
     "split(kb,thread,thread_col,32),"
     "reorder(block,warp,warp_row,thread,thread_col,j),parallelize(block,GPUBlock,IgnoreRaces),"
     "parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)",
     {{"C", "dd", {40, LANES}, 0}, {"A", "ds", {40, 3}, 2}, {"B", "dd", {3, LANES}, 1}}},
    {"C(i,k) = A(i,j) * B(j,k)",
     "pos(i,ip,A),split(ip,block,ip1,32),split(ip1,warp,warp_row,4),bound(k,kb,128,MaxExact),"
     "split(kb,thread,thread_col,32),"
     "reorder(block,warp,warp_row,thread,thread_col,j),parallelize(block,GPUBlock,IgnoreRaces),"
     "parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)",
     {{"C", "dd", {40, LANES}, 0}, {"A", "ss", {40, 3}, 4}, {"B", "dd", {3, LANES}, 1}}},
    {"C(i,k) = A(i,j) * B(j,k)",
     "reorder(i,j,k),fuse(i,j,f),pos(f,fpos,A),split(fpos,block,fpos1,64),"
     "split(fpos1,warp,nnz,8),split(k,dense_val_unbounded,thread,32),"
     "reorder(block,warp,thread,dense_val_unbounded,nnz),"
     "bound(dense_val_unbounded,dense_val,4,MaxExact),unroll(dense_val,4),"
     "parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),"
     "parallelize(thread,GPUThread,Atomics)",
     {{"C", "dd", {100, LANES}, 0}, {"A", "ds", {100, 3}, 1}, {"B", "dd", {3, LANES}, 1}}},
    {"A(i,k) = B(i,k) * C(i,j) * D(j,k)",
     "reorder(i,k,j),fuse(i,k,f),pos(f,fpos,B),split(fpos,block,fpos1,2048),"
     "split(fpos1,warp,nnz,256),split(j,dense_val_unbounded,thread,32),"
     "bound(dense_val_unbounded,dense_val,4,MaxExact),"
     "reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),"
     "parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,Atomics),"
     "parallelize(thread,GPUThread,ParallelReduction)",
     {{"A", "dd", {3, 3}, 0},
      {"B", "ds", {3, 3}, 2},
      {"C", "dd", {3, LANES}, 1},
      {"D", "dd", {LANES, 3}, 1}}},
    {"A(i,j) = B(i,j,k) * c(k)",
     "fuse(j,k,jk),fuse(i,jk,f),pos(f,fpos,B),split(fpos,block,fpos1,2048),"
     "split(fpos1,warp,fpos2,256),split(fpos2,thread,thread_nz,8),"
     "reorder(block,warp,thread,thread_nz),precompute(B(i,j,k)*c(k),"
     "thread_nz,thread_nz_pre),unroll(thread_nz_pre,8),"
     "parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),"
     "parallelize(thread,GPUThread,Atomics)",
     {{"A", "dd", {I, L}, 0}, {"B", "sss", {I, L, M}, 1}, {"c", "d", {M}, 1}}},
    {"A(i,j,l) = B(i,j,k) * C(k,l)",
     "reorder(i,j,k,l),fuse(j,k,jk),fuse(i,jk,f),pos(f,fpos,B),"
     "split(fpos,block,fpos1,2048),split(fpos1,warp,nnz,256),"
     "split(l,dense_val_unbounded,thread,32),"
     "bound(dense_val_unbounded,dense_val,4,MaxExact),"
     "reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),"
     "parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),"
     "parallelize(thread,GPUThread,Atomics)",
     {{"A", "ddd", {I, L, LANES}, 0}, {"B", "sss", {I, L, 3}, 1}, {"C", "dd", {3, LANES}, 1}}},
    {"A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
     "reorder(i,k,l,j),fuse(k,l,kl),fuse(i,kl,f),pos(f,fpos,B),"
     "split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16),"
     "split(j,dense_val_unbounded,thread,32),"
     "bound(dense_val_unbounded,dense_val,1,MaxExact),"
     "reorder(block,warp,dense_val,thread,nnz),parallelize(block,GPUBlock,IgnoreRaces),"
     "parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)",
     {{"A", "dd", {J, TEAM}, 0},
      {"B", "sss", {J, K, L}, 1},
      {"C", "dd", {K, TEAM}, 1},
      {"D", "dd", {L, TEAM}, 1}}},
};

#define OPERANDS(rows, columns, sparsity)                                                         \
    {                                                                                             \
        {"y", "d", {rows}, 0}, {"A", "ds", {rows, columns}, sparsity}, { "x", "d", {columns}, 1 } \
    }
#define BLOCKS "split(p,b,q,down,128),split(q,t,e,down,4),"

/* Rows that are cut: many in a part, many parts of one, empty ones; by all units. */
static const struct row cut_rows[] = {
    {"y(i) = A(i,j) * x(j)", ENTRIES "parallelize(p,gpu_thread,temporary)", OPERANDS(40, 15, 3)},
    {"y(i) = A(i,j) * x(j)", ENTRIES "parallelize(p,gpu_thread,temporary)", OPERANDS(100, 3, 8)},
    {"y(i) = A(i,j) * x(j)", ENTRIES "split(p,p0,p1,down,8),parallelize(p0,gpu_thread,temporary)",
     OPERANDS(2, 100, 1)},
    {"y(i) = A(i,j) * x(j)", ENTRIES "split(p,p0,p1,down,5),parallelize(p0,gpu_warp,temporary)",
     OPERANDS(40, 15, 3)},
    {"y(i) = A(i,j) * x(j)", ENTRIES "split(p,p0,p1,down,5),parallelize(p0,gpu_block,temporary)",
     OPERANDS(40, 9, 3)},
    {"y(i) = A(i,j) * x(j)",
     ENTRIES BLOCKS "parallelize(b,gpu_block,temporary),parallelize(t,gpu_thread,temporary)",
     OPERANDS(40, 11, 2)},
    {"y(i) = A(i,j) * x(j)",
     ENTRIES BLOCKS "parallelize(b,gpu_block,temporary),parallelize(t,gpu_thread,temporary)",
     OPERANDS(3, 70, 1)},
    {"y(i) = A(i,j) * x(j)",
     ENTRIES "split(p,b,w,down,32),split(w,t,e,down,1),parallelize(b,gpu_warp,temporary),"
             "parallelize(t,gpu_thread,temporary)",
     OPERANDS(40, 11, 2)},
    {"y(i) = A(i,j) * x(j)",
     ENTRIES "split(p,b,q,down,64),split(q,w,r,down,16),split(r,t,e,down,2),"
             "parallelize(b,gpu_block,temporary),parallelize(w,gpu_warp,temporary),"
             "parallelize(t,gpu_thread,temporary)",
     OPERANDS(40, 11, 2)},
    /* begun in the block alone: updates of what it has done are atomic, or said not to race */
    {"y(i) = A(i,j) * x(j)",
     ENTRIES BLOCKS "parallelize(b,gpu_block,atomics),parallelize(t,gpu_thread,temporary)",
     OPERANDS(40, 11, 2)},
    {"y(i) = A(i,j) * x(j)",
     ENTRIES BLOCKS "parallelize(b,gpu_block,ignore_races),parallelize(t,gpu_thread,temporary)",
     OPERANDS(40, 11, 2)},
    {"y(i) = A(i,j) * x(j)",
     ENTRIES BLOCKS "parallelize(b,gpu_block,temporary),parallelize(t,gpu_thread,ignore_races)",
     OPERANDS(40, 11, 2)},
    /* taco's own with other races; its workspace is a thread's */
    {"y(i) = A(i,j) * x(j)",
     "fuse(i,j,f),pos(f,fpos,A),split(fpos,block,fpos1,2048),"
     "split(fpos1,warp,fpos2,256),split(fpos2,thread,thread_nz,8),"
     "reorder(block,warp,thread,thread_nz),precompute(A(i,j)*x(j),"
     "thread_nz,thread_nz_pre),unroll(thread_nz_pre,8),"
     "parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),"
     "parallelize(thread,GPUThread,Temporary)",
     OPERANDS(40, 11, 2)},
    {"Y(i,j) = B(i,j,k) * c(k)",
     "fuse(j,k,jk),fuse(i,jk,f),pos(f,p,B)," BLOCKS "parallelize(b,gpu_block,temporary),"
     "parallelize(t,gpu_thread,temporary)",
     {{"Y", "dd", {12, 5}, 0}, {"B", "sss", {12, 5, 6}, 2}, {"c", "d", {6}, 1}}},
    {"y(i) = B(i,j,k) * C(j,k)",
     "fuse(j,k,jk),fuse(i,jk,f),pos(f,p,B),parallelize(p,gpu_thread,temporary)",
     {{"y", "d", {12}, 0}, {"B", "sss", {12, 5, 6}, 2}, {"C", "dd", {5, 6}, 1}}},
    /* parts of as much work, most of it the ends of rows, or none of it */
    {"y(i) = A(i,j) * x(j)", WORK(2), OPERANDS(40, 15, 60)},
    {"y(i) = A(i,j) * x(j)", WORK(7) ",parallelize(b,gpu_thread,temporary)", OPERANDS(100, 3, 20)},
    {"y(i) = A(i,j) * x(j)", WORK(5) ",parallelize(b,gpu_warp,temporary)", OPERANDS(3, 50, 1)},
    {"y(i) = A(i,j) * x(j)", WORK(6) ",parallelize(b,gpu_block,atomics)", OPERANDS(60, 9, 9)},
    {"y(i) = A(i,j) * x(j)",
     WORK(128) ",split(q,t,e,down,4),parallelize(b,gpu_block,temporary),"
               "parallelize(t,gpu_thread,temporary)",
     OPERANDS(200, 4, 6)},
    {"y(i) = A(i,j) * x(j)",
     ENTRIES "split(p,s,e,work,4),split(s,b,t,down,32),parallelize(b,gpu_block,temporary),"
             "parallelize(t,gpu_thread,temporary)",
     OPERANDS(200, 4, 6)},
    {"y(i) = A(i,j) * x(j)",
     ENTRIES "split(p,s,e,work,3),split(s,b,t,up,5),parallelize(t,gpu_thread,atomics)",
     OPERANDS(30, 9, 3)},
    {"Y(i,k) = A(i,j) * X(j,k)",
     "reorder(i,j,k)," WORK(
         8) ",split(k,ko,ki,8),reorder(b,ki,ko,q),parallelize(b,gpu_warp,atomics),"
            "parallelize(ki,gpu_thread,no_races)",
     {{"Y", "dd", {30, 8}, 0}, {"A", "ds", {30, 9}, 4}, {"X", "dd", {9, 8}, 1}}},
    {"Y(i,j) = B(i,j,k) * c(k)",
     "fuse(j,k,jk),fuse(i,jk,f),pos(f,p,B),split(p,b,q,work,16),split(q,t,e,down,1),"
     "parallelize(b,gpu_warp,temporary),parallelize(t,gpu_thread,temporary)",
     {{"Y", "dd", {12, 5}, 0}, {"B", "dds", {12, 5, 6}, 9}, {"c", "d", {6}, 1}}},
    /* columns, each of which has a row at hand: as lanes, more, fewer; of two modes */
    {"Y(i,k) = A(i,j) * X(j,k)",
     "reorder(i,j,k)," WORK(
         8) ",split(k,ko,ki,8),reorder(b,ki,ko,q),"
            "parallelize(b,gpu_warp,temporary),parallelize(ki,gpu_thread,no_races)",
     {{"Y", "dd", {30, 8}, 0}, {"A", "ds", {30, 9}, 4}, {"X", "dd", {9, 8}, 1}}},
    {"Y(i,k) = A(i,j) * X(j,k)",
     "reorder(i,j,k)," WORK(
         5) ",split(k,ko,ki,4),reorder(b,ki,ko,q),"
            "parallelize(b,gpu_warp,temporary),parallelize(ki,gpu_thread,no_races)",
     {{"Y", "dd", {30, 11}, 0}, {"A", "ds", {30, 9}, 4}, {"X", "dd", {9, 11}, 1}}},
    {"Y(i,k) = A(i,j) * X(j,k)",
     "reorder(i,j,k)," ENTRIES "split(p,b,q,down,8),split(k,ko,ki,4),reorder(b,ko,ki,q),"
     "parallelize(b,gpu_warp,temporary),parallelize(ki,gpu_thread,no_races)",
     {{"Y", "dd", {3, 6}, 0}, {"A", "ds", {3, 40}, 1}, {"X", "dd", {40, 6}, 1}}},
    {"Y(i,k) = A(i,j) * X(j,k)",
     "reorder(i,j,k)," WORK(
         6) ",split(k,ko,ki,32),reorder(b,ki,ko,q),"
            "parallelize(b,gpu_block,temporary),parallelize(ki,gpu_thread,no_races)",
     {{"Y", "dd", {30, 40}, 0}, {"A", "ds", {30, 3}, 3}, {"X", "dd", {3, 40}, 1}}},
    {"Y(i,k) = A(i,j) * X(j,k)",
     "reorder(i,j,k)," WORK(6) ",reorder(b,k,q),parallelize(b,gpu_thread,temporary)",
     {{"Y", "dd", {30, 5}, 0}, {"A", "ds", {30, 9}, 4}, {"X", "dd", {9, 5}, 1}}},
    {"Y(i,l) = B(i,j,k) * C(j,l) * D(k,l)",
     "reorder(i,j,k,l),fuse(j,k,jk),fuse(i,jk,f),pos(f,p,B),split(p,b,q,work,6),"
     "split(l,lo,li,4),reorder(b,li,lo,q),"
     "parallelize(b,gpu_warp,temporary),parallelize(li,gpu_thread,no_races)",
     {{"Y", "dd", {12, 6}, 0},
      {"B", "sss", {12, 5, 6}, 3},
      {"C", "dd", {5, 6}, 1},
      {"D", "dd", {6, 6}, 1}}},
    {"Y(i,k,l) = A(i,j) * X(j,k,l)",
     "reorder(i,j,k,l)," WORK(
         7) ",split(l,lo,li,2),reorder(b,li,lo,k,q),"
            "parallelize(b,gpu_warp,temporary),parallelize(li,gpu_thread,no_races)",
     {{"Y", "ddd", {12, 3, 5}, 0}, {"A", "ds", {12, 5}, 3}, {"X", "ddd", {5, 3, 5}, 1}}},
    /* scalars, one for each team, and then for each block */
    {"a = max(i, x(i))",
     "parallelize(i,gpu_thread,temporary)",
     {{"a", "", {0}, 0}, {"x", "d", {300}, 1}}},
    {"a = A(i,j) * x(j)",
     "parallelize(i,gpu_thread,temporary)",
     {{"a", "", {0}, 0}, {"A", "ds", {200, 2}, 3}, {"x", "d", {2}, 1}}},
    {"a = A(i,j) * x(j)",
     "parallelize(i,gpu_warp,temporary)",
     {{"a", "", {0}, 0}, {"A", "ds", {90, 4}, 3}, {"x", "d", {4}, 1}}},
    {"a = A(i,j) * x(j)",
     ENTRIES "split(p,b,q,down,32),split(q,w,t,down,8),parallelize(b,gpu_block,temporary),"
             "parallelize(w,gpu_warp,temporary),parallelize(t,gpu_thread,temporary)",
     {{"a", "", {0}, 0}, {"A", "ds", {40, 11}, 3}, {"x", "d", {11}, 1}}},
};

/* All components in a row, of which some are stored. */
static void add_tensor(struct text *out, const struct tensor_row *tensor, struct rng *rng)
{
    int order = (int)strlen(tensor->letters), components = 1;
    text_printf(out, "tensor %s f64 fill 0 dimensions", tensor->name);
    for (int m = 0; m < order; m++) {
        text_printf(out, " %d", tensor->dimension[m]);
        components *= tensor->dimension[m];
    }
    text_printf(out, " format %s\n", tensor->letters);
    for (int at = 0; at < components && tensor->sparsity > 0; at++) {
        if (rng_below(rng, tensor->sparsity) > 0)
            continue;
        for (int m = 0, rest = at, below = components; m < order; m++) {
            below /= tensor->dimension[m];
            text_printf(out, " %d", rest / below);
            rest %= below;
        }
        text_printf(out, " : %d\n", 1 + rng_below(rng, 5));
    }
}

static const char *as_case(struct context *cx, const struct row *row)
{
    struct rng rng = {1};
    struct text text = text_new(cx->arena);
    /* what is shuffled by 8 shares loops in small parts (trial.c) */
    text_printf(&text, "statement %s\nindex 32\nshuffle 8\nschedule %s\n", row->statement,
                row->schedule);
    for (int t = 0; t < CASE_TENSORS && row->tensor[t].name; t++)
        add_tensor(&text, &row->tensor[t], &rng);
    return text.at;
}

/* Is what the schedule makes of the statement right? */
static bool is_right(struct context *cx, const struct row *row, bool is_gpu)
{
    struct test_case *test = arena_make(cx->arena, struct test_case);
    struct trial *trial = arena_make(cx->arena, struct trial);
    const char *wrong = case_read(test, as_case(cx, row));
    if (wrong) {
        printf("%s: %s\n", row->statement, wrong);
        return false;
    }
    trial_open(trial, test);
    trial->cuda = is_gpu;
    trial_interpret_scheduled(trial, test->schedule);
    bool right = trial->verdict == TRIAL_RIGHT;
    if (!right)
        printf("%s\n%s\n%s\n", row->statement, row->schedule, trial->why);
    trial_close(trial);
    return right;
}

static bool is_right_in_context(const struct row *row, bool is_gpu)
{
    struct context *cx = context_new();
    bool right = cx && context_protect(cx) && is_right(cx, row, is_gpu);
    context_free(cx);
    return right;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "--verbose") == 0;
    static const struct {
        const struct row *row;
        size_t n;
        bool is_gpu;
    } table[] = {{rows, sizeof rows / sizeof *rows, false},
                 {gpu_rows, sizeof gpu_rows / sizeof *gpu_rows, true},
                 {cut_rows, sizeof cut_rows / sizeof *cut_rows, true}};
    int right = 0, wrong = 0;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        for (size_t i = 0; i < table[t].n; i++) {
            bool good = is_right_in_context(&table[t].row[i], table[t].is_gpu);
            right += good;
            wrong += !good;
            if (verbose)
                printf("%s: %s\n", table[t].row[i].statement, good ? "right" : "wrong");
        }
    printf("%d right, %d wrong\n", right, wrong);
    return wrong > 0;
}
