/* fuzz_operator.c - any bytes as a user's operator: refused with a diagnostic, or compiled and
 * interpreted in a sum and a product of sparse vectors, whatever it says of its laws.
 *
 * The first byte chooses the vectors' type.  Where it declares no laws, what it gives is the same
 * in every format.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spcc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIDE = 3, STATEMENTS = 4, FORMATS = 2 };

static void require(bool holds, spcc_context *cx)
{
    if (holds)
        return;
    fputs(spcc_message(cx), stderr);
    abort();
}

/* A status that wrong input may have. */
static bool is_refusal(spcc_status status)
{
    return status > SPCC_OK && status < SPCC_ERROR_MEMORY;
}

/* Small numbers, some of them left out. */
static spcc_tensor *make_vector(spcc_context *cx, const char *format, spcc_type type, int which)
{
    static const int64_t size[] = {SIDE}, coordinate[][2] = {{0, 1}, {1, 2}, {0, 2}};
    static const double number[] = {2, -3};
    spcc_tensor *wide, *vector;
    require(spcc_tensor_from_coords(cx, format, SPCC_F64, 1, size, 2, coordinate[which], number,
                                    NULL, &wide)
                == SPCC_OK,
            cx);
    require(spcc_tensor_convert(cx, wide, NULL, type, NULL, &vector) == SPCC_OK, cx);
    spcc_tensor_free(wide);
    return vector;
}

/* The operator's name is what stands before its parameters. */
static const char *statement(char *out, size_t size, const char *text, int which)
{
    static const char *const pattern[] = {"y(i) = %.*s(a(i))", "y(i) = %.*s(a(i), b(i))",
                                          "y(i) = %.*s(a(i), b(i), c(i))",
                                          "y = %.*s(i, a(i) * b(i))"};
    int length = (int)strcspn(text, "( \t\n");
    snprintf(out, size, pattern[which], length, text);
    return out;
}

static spcc_tensor *run(spcc_context *cx, const char *text, const char *format, spcc_type type,
                        int which)
{
    char source[512];
    const char *const operators[] = {text};
    spcc_tensor *tensor[4] = {NULL}, *result = NULL;
    spcc_declaration declaration[4] = {{.name = "y", .type = spcc_type_name(type)}};
    spcc_kernel *kernel;
    for (int t = 1; t < 4; t++) {
        tensor[t] = make_vector(cx, format, type, t - 1);
        declaration[t] =
            (spcc_declaration){.name = (const char *[]){"a", "b", "c"}[t - 1], .tensor = tensor[t]};
    }
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declaration,
                                    .operators = operators,
                                    .n_operators = 1,
                                    .n_declarations = which == 0   ? 2
                                                      : which == 2 ? 4
                                                                   : 3};
    spcc_status status =
        spcc_compile(cx, statement(source, sizeof source, text, which), &options, &kernel);
    require(status == SPCC_OK || is_refusal(status), cx);
    if (status == SPCC_OK) {
        require(spcc_tensor_new(cx, NULL, type, which == 3 ? 0 : 1, NULL, NULL, &result) == SPCC_OK,
                cx);
        tensor[0] = result;
        require(spcc_run_array(cx, kernel, tensor, options.n_declarations) == SPCC_OK, cx);
    }
    spcc_kernel_free(kernel);
    for (int t = 1; t < 4; t++)
        spcc_tensor_free(tensor[t]);
    return result;
}

/* The same bits, or both no numbers. */
static bool agree(const spcc_tensor *a, const spcc_tensor *b)
{
    int64_t n = spcc_tensor_stored(a);
    const char *x = spcc_tensor_values(a), *y = spcc_tensor_values(b);
    size_t size = spcc_type_size(spcc_tensor_type(a));
    bool same = n == spcc_tensor_stored(b);
    for (int64_t k = 0; k < n && same; k++) {
        const char *p = x + (size_t)k * size, *q = y + (size_t)k * size;
        double v, w;
        same = memcmp(p, q, size) == 0;
        if (!same && spcc_tensor_type(a) == SPCC_F64) {
            memcpy(&v, p, sizeof v);
            memcpy(&w, q, sizeof w);
            same = v == w || (v != v && w != w);
        }
    }
    return same;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const spcc_type types[] = {SPCC_F64, SPCC_I32, SPCC_U8, SPCC_BOOL};
    spcc_options options = {.size = sizeof options, .engine = SPCC_ENGINE_INTERP, .cache = ""};
    spcc_context *cx;
    if (size < 2 || spcc_context_new(&options, &cx) != SPCC_OK)
        return 0;
    spcc_type type = types[data[0] % 4];
    char *text = calloc(size, 1);
    if (!text)
        abort();
    memcpy(text, data + 1, size - 1);
    for (int which = 0; which < STATEMENTS; which++) {
        spcc_tensor *dense = run(cx, text, NULL, type, which),
                    *sparse = run(cx, text, "s", type, which);
        require((dense != NULL) == (sparse != NULL), cx);
        require(!dense || strchr(text, ';') || agree(dense, sparse), cx);
        spcc_tensor_free(dense);
        spcc_tensor_free(sparse);
    }
    free(text);
    spcc_context_free(cx);
    return 0;
}
