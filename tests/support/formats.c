/* formats.c - formats to test, by order: names, storage orders, functions of the coordinates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/support/case.h"

#include <string.h>

static const char *const named_vectors[] = {
    "sparse",
    "coo",
    "hash",
    "bitmap",
    "hicoo(2)",
    "(i) -> (i : bytemap)",
    "(i) -> (i : bytemap(unordered))",
    "(i) -> (i/2 : compressed, i%2 : dense)",
    "(i) -> (i/3 : dense, i%3 : compressed)",
    "(i) -> (i/4 : dense, i%4/2 : compressed, i%2 : dense)",
    "(i) -> (i%2 : dense, i/2%3 : compressed, i/2/3 : compressed)",
    "(i) -> (i : strided)",
};

static const char *const named_matrices[] = {
    "csr",
    "csc",
    "dcsr",
    "dcsc",
    "coo",
    "coo:1,0",
    "csf:1,0",
    "dense:1,0",
    "hash",
    "hash:1,0",
    "bitmap",
    "ell",
    "ell:1,0",
    "dia",
    "dia:1,0",
    "bcsr(2,3)",
    "bcsr(3,2)",
    "bcsr(1,4)",
    "bcsc(2,2)",
    "bcsc(3,2)",
    "bcsr(2,2):1,0",
    "csb(2)",
    "csb(3)",
    "dok",
    "mode-generic",
    "mode-generic:1,0",
    "scoo(0)",
    "hicoo(2)",
    "hicoo(3):1,0",
    "ghicoo(2; 1)",
    "shicoo(2; 0)",
    "fibers(2)",
    "fibers(1):1,0",
    "bcsf(3)",
    "(i,j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))",
    "(i,j) -> (j-i : dense, i : compressed, j : offset)",
    "(i,j) -> (j-i : compressed, i : compressed, j : offset)",
    "(i,j) -> (j-i : dense, i : range, j : offset)",
    "(i,j) -> (i-j : compressed, j : range, i : offset)",
    "(i,j) -> (i/2 : dense, j/2 : dense, i%2 : dense, j%2 : dense)",
    "(i,j) -> (i/4 : compressed, j/2 : compressed, i/2%2 : dense, i%2 : dense, j%2 : dense)",
    "(i,j) -> (i : hashed, i/2 : padded, j : compressed)",
    "(i,j) -> (j/2-i/3 : compressed, i/3 : range, j/2 : offset, i%3 : dense, j%2 : dense)",
    "(i,j) -> (i/2 : compressed, j : compressed, i%2 : dense)",
    "(i,j) -> (i : dense, j/2 : compressed, j%2 : dense)",
    "(i,j) -> (i/2 : hashed, j/2 : hashed, i%2 : dense, j%2 : bitmap)",
    "sell(4)",
    "sell(3):1,0",
    "(i,j) -> (i : ragged, j : singleton(padded))",
    "(i,j) -> (j/2 : compressed, j%2 : ragged, i : singleton(padded, unordered))",
    "(i,j) -> (i : strided, j : strided(unit))",
    "(i,j) -> (j/2 : strided, i : strided, j%2 : strided(pos=i64))",
};

static const char *const named_cubes[] = {
    "csf",
    "csf:2,0,1",
    "csf:1,2,0",
    "coo",
    "coo:2,1,0",
    "coo:1,0,2",
    "hash",
    "hash:2,0,1",
    "bitmap",
    "bitmap:1,0,2",
    "mode-generic",
    "mode-generic:2,0,1",
    "dense:2,1,0",
    "dss",
    "sds:0,2,1",
    "(i,j,k) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered), k : "
    "singleton(unordered))",
    "(i,j,k) -> (i : dense, j/2 : compressed, k/3 : compressed, j%2 : dense, k%3 : dense)",
    "hicoo(2)",
    "ghicoo(2; 0,1)",
    "ghicoo(3; 2)",
    "scoo(0,2)",
    "scoo(1)",
    "shicoo(2; 2)",
    "shicoo(3; 0,2)",
    "fibers",
    "fibers:2,0,1",
    "fibers(2)",
    "fibers(1):1,2,0",
    "bcsf(2)",
    "bcsf(3):2,0,1",
    "(i,j,k) -> (i : dense, j : compressed(nonunique), k : compressed(most=2))",
    "(i,j,k) -> (i : compressed(nonunique), j : compressed(most=1), k : dense)",
    "(i,j,k) -> (i : hashed, j : compressed(nonunique), k : compressed(most=2))",
    "(i,j,k) -> (i/2 : compressed(nonunique, morton), j/2 : singleton, i%2 : "
    "compressed(nonunique), "
    "j%2 : singleton(nonunique), k : compressed(most=2))",
    "(i,j,k) -> (k : compressed, j-i : compressed, i : range, j : offset)",
    "(i,j,k) -> (k-j : compressed, j : range, k : offset, i : compressed)",
    "(i,j,k) -> (j : compressed, i/2 : dense, i%2 : ragged, k : singleton(padded))",
    "(i,j,k) -> (k : strided, i : strided, j : strided(unit))",
};

static const char *const named_larger[] = {
    "csf",
    "csf:3,1,0,2",
    "coo",
    "coo:1,3,2,0",
    "hash",
    "bitmap",
    "mode-generic",
    "mode-generic:0,3,1,2",
    "fibers",
    "fibers(2)",
    "bcsf(1):3,0,2,1",
    "(i,j,k,l) -> (i : compressed(nonunique), j : compressed(nonunique, most=2), k : "
    "singleton(nonunique), l : compressed(most=1))",
    "scoo(1,3)",
    "hicoo(2)",
    "ghicoo(2; 1,3)",
    "shicoo(2; 2,0)",
    "dense:3,2,1,0",
    "(i,j,k,l) -> (i : compressed, j/2 : compressed, l : compressed, k : dense, j%2 : dense)",
};

const char *case_named_format(int order, int n)
{
    static const struct {
        const char *const *format;
        int n;
    } of_order[CASE_ORDER + 1] = {
#define LIST(list) {list, sizeof(list) / sizeof *(list)}
        {0}, LIST(named_vectors), LIST(named_matrices), LIST(named_cubes), LIST(named_larger),
#undef LIST
    };
    return order <= CASE_ORDER && n < of_order[order].n ? of_order[order].format[n] : NULL;
}

bool case_can_be_assembled(const char *format)
{
    return !strstr(format, "strided")
           && (!strstr(format, "ragged") || !strstr(format, "compressed"));
}
