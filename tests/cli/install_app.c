/* install_app.c - an application of the installed library, as C11 and as C++17 (test_install.py).
 *
 *     install_app [ENGINE]       a number of spcc_engine
 *
 * SPDX-License-Identifier: MIT
 */
#include <spcc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const int64_t size[] = {3};
    double x_vals[] = {1, 2, 3}, y_vals[] = {0, 0, 0};
    spcc_context *context = NULL;
    spcc_tensor *x = NULL, *y = NULL;
    spcc_options options;
    spcc_tensor_options result;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.engine = argc > 1 ? (spcc_engine)atoi(argv[1]) : SPCC_ENGINE_AUTO;
    options.cache = "";
    memset(&result, 0, sizeof result);
    result.size = sizeof result;
    result.writable = true;

    int failed =
        spcc_context_new(&options, &context) != SPCC_OK
        || spcc_tensor_borrow(context, NULL, SPCC_F64, 1, size, NULL, 0, x_vals, 3, NULL, &x)
               != SPCC_OK
        || spcc_tensor_borrow(context, NULL, SPCC_F64, 1, size, NULL, 0, y_vals, 3, &result, &y)
               != SPCC_OK;
    if (!failed) {
        const spcc_binding bindings[] = {{"y", y}, {"x", x}};
        failed = spcc_eval(context, "y(i) = 2 * x(i)", bindings, 2) != SPCC_OK;
    }
    if (failed)
        fputs(spcc_message(context), stderr);
    printf("%g %g %g\n", y_vals[0], y_vals[1], y_vals[2]);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_context_free(context);
    return failed || y_vals[0] != 2 || y_vals[1] != 4 || y_vals[2] != 6;
}
