/* add.c - C = A + B for sparse matrices of different formats: the result's pattern is the union of
 * theirs.
 *
 *     A    1 . .     B    . 2 .     C    1 2 .
 *          . . 3          . . 4          . . 7
 *          . 5 .          6 . .          6 5 .
 *
 * SPDX-License-Identifier: MIT
 */
#include <spcc.h>
#include <stdio.h>

static const int64_t size[] = {3, 3};

static spcc_status make_operands(spcc_context *cx, spcc_tensor **A, spcc_tensor **B)
{
    static const int64_t at_a[] = {0, 0, 1, 2, 2, 1}, at_b[] = {2, 0, 1, 2, 0, 1};
    static const double a[] = {1, 3, 5}, b[] = {6, 4, 2};
    spcc_status status = spcc_tensor_from_coords(cx, "csr", SPCC_F64, 2, size, 3, at_a, a, NULL, A);
    return status ? status
                  : spcc_tensor_from_coords(cx, "dcsr", SPCC_F64, 2, size, 3, at_b, b, NULL, B);
}

/* Print the components and count those that are not as drawn above. */
static int show(const spcc_tensor *C)
{
    static const double expected[3][3] = {{1, 2, 0}, {0, 0, 7}, {6, 5, 0}};
    int64_t coordinate[2 * 5];
    double value[5];
    if (spcc_tensor_stored(C) != 5)
        return 1;
    int wrong = 0;
    int64_t n = spcc_tensor_unpack(C, coordinate, value);
    for (int64_t k = 0; k < n; k++) {
        const int64_t *at = &coordinate[2 * k];
        printf("C(%d,%d) = %g\n", (int)at[0], (int)at[1], value[k]);
        wrong += value[k] != expected[at[0]][at[1]];
    }
    return wrong;
}

int main(void)
{
    spcc_context *cx = NULL;
    spcc_tensor *A = NULL, *B = NULL, *C = NULL;
    int failed = spcc_context_new(NULL, &cx) != SPCC_OK || make_operands(cx, &A, &B) != SPCC_OK
                 || spcc_tensor_new(cx, "csr", SPCC_F64, 2, NULL, NULL, &C) != SPCC_OK
                 || spcc_eval(cx, "C(i,j) = A(i,j) + B(i,j)",
                              (spcc_binding[]){{"C", C}, {"A", A}, {"B", B}}, 3)
                        != SPCC_OK;
    if (failed)
        fputs(spcc_message(cx), stderr);
    else if (show(C)) {
        failed = 1;
        puts("wrong");
    }
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    spcc_tensor_free(C);
    spcc_context_free(cx);
    return failed;
}
