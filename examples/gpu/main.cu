/* main.cu - an application with a kernel of spcc's for a GPU pasted in: nvcc builds it, and nothing
 * of spcc's is needed.
 *
 * spmv.cu and spmv.h are as these commands print them:
 *
 *     spcc "y(i) = A(i,j) * x(j)" -f A:csr --target=cuda --name=spmv -o spmv.cu
 *     spcc "y(i) = A(i,j) * x(j)" -f A:csr --target=cuda --name=spmv -o spmv.h
 *
 *     nvcc -std=c++17 main.cu spmv.cu -o main && ./main
 *
 * The status is 77 where there is no GPU.
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include "spmv.h"

static void need(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

template <class T, size_t N> static T *on_device(const T (&host)[N])
{
    T *device;
    need(cudaMalloc((void **)&device, sizeof host));
    need(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    return device;
}

int main()
{
    /*  . . 5 .     1      15
     *  . . . .  *  2  =    0
     *  7 . . 1     3      11
     *              4          */
    const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3};
    const double vals[] = {5, 7, 1}, x[] = {1, 2, 3, 4};
    double y[3] = {-1, -1, -1};
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        puts("there is no GPU");
        return 77;
    }
    int32_t *pos_there = on_device(pos), *crd_there = on_device(crd);
    double *vals_there = on_device(vals), *x_there = on_device(x), *y_there = on_device(y);
    int status = spmv(3, 4, pos_there, crd_there, vals_there, x_there, y_there, 0);
    need(cudaMemcpy(y, y_there, sizeof y, cudaMemcpyDeviceToHost)); /* waits for the kernel */
    printf("%g %g %g\n", y[0], y[1], y[2]);
    need(cudaFree(pos_there));
    need(cudaFree(crd_there));
    need(cudaFree(vals_there));
    need(cudaFree(x_there));
    need(cudaFree(y_there));
    return status || y[0] != 15 || y[1] != 0 || y[2] != 11;
}
