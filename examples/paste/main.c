/* main.c - an application with a kernel of spcc's pasted in: it needs no library and no header of
 * spcc's.
 *
 * spmv.c and spmv.h are as these commands print them:
 *
 *     spcc "y(i) = A(i,j) * x(j)" -f A:csr --name=spmv -o spmv.c
 *     spcc "y(i) = A(i,j) * x(j)" -f A:csr --name=spmv -o spmv.h
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "spmv.h"

int main(void)
{
    /*  . . 5 .     1      15
     *  . . . .  *  2  =    0
     *  7 . . 1     3      11
     *              4          */
    const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3};
    const double vals[] = {5, 7, 1}, x[] = {1, 2, 3, 4};
    double y[3];
    int status = spmv(3, 4, pos, crd, vals, x, y);
    printf("%g %g %g\n", y[0], y[1], y[2]);
    return status || y[0] != 15 || y[1] != 0 || y[2] != 11;
}
