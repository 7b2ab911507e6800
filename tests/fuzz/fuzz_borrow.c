/* fuzz_borrow.c - any arrays as a tensor: refused, or everything that reads it stays inside them
 * and agrees.
 *
 * Bytes: the format, the type of indices, the sizes, how long each array is, then the arrays, an
 * element a byte, 255 for -1 and 254 for the largest number.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spcc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARRAYS = 12, SMALL = 4096 };

static const struct {
    const char *format;
    int order;
} formats[] = {{"s", 1},
               {"u", 1},
               {"h", 1},
               {"b", 1},
               {"q", 1},
               {"csr", 2},
               {"csc", 2},
               {"dcsr", 2},
               {"coo", 2},
               {"dd", 2},
               {"sd", 2},
               {"bb", 2},
               {"hh", 2},
               {"dh", 2},
               {"sh", 2},
               {"hs", 2},
               {"ell", 2},
               {"dia", 2},
               {"bcsr(2,2)", 2},
               {"csb(2)", 2},
               {"sell(2)", 2},
               {"csf", 3},
               {"coo", 3},
               {"dss", 3},
               {"shs", 3},
               {"sbs", 3},
               {"ds:1,0", 2},
               {"(i,j) -> (i : bytemap, j : compressed)", 2},
               {"(i,j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))", 2},
               {"(i,j) -> (i : dense, j : compressed(pos=u8, crd=u8))", 2},
               {"(i,j) -> (i : padded, j : padded)", 2},
               {"(i,j) -> (i : hashed(crd=u8), j : compressed)", 2}};

/* The bytes of an input, one after the other; 0 behind the last. */
struct bytes {
    const uint8_t *at, *end;
};

static uint8_t next(struct bytes *bytes) { return bytes->at < bytes->end ? *bytes->at++ : 0; }

static void require(bool holds, spcc_context *cx)
{
    if (holds)
        return;
    fputs(spcc_message(cx), stderr);
    abort();
}

static void store(char *to, size_t size, uint8_t byte)
{
    int64_t value = byte == 255 ? -1 : byte == 254 ? INT64_MAX >> (64 - 8 * (int)size) : byte;
    memcpy(to, &value, size); /* little-endian, as what spcc runs on */
}

/* Exactly as much memory as the array has. */
static spcc_array make_array(struct bytes *bytes, size_t size)
{
    int64_t length = next(bytes);
    char *at = malloc((size_t)length * size + !length);
    for (int64_t k = 0; at && k < length; k++)
        store(at + (size_t)k * size, size, next(bytes));
    return (spcc_array){at, at ? length : 0};
}

/* A tensor of this format, to ask what arrays it has. */
static int make_arrays(spcc_context *cx, const char *format, int order, struct bytes *bytes,
                       spcc_array *arrays)
{
    spcc_tensor *model;
    int n = 0;
    require(spcc_tensor_new(cx, format, SPCC_F64, order, NULL, NULL, &model) == SPCC_OK, cx);
    for (int l = 0; l < spcc_tensor_levels(model); l++)
        for (int k = 0; spcc_tensor_array_name(model, l, k); k++)
            arrays[n++] = make_array(bytes, spcc_type_size(spcc_tensor_array_type(model, l, k)));
    spcc_tensor_free(model);
    return n;
}

/* The sum of all components, by a kernel. */
static double sum(spcc_context *cx, spcc_tensor *tensor)
{
    static const char *const statement[] = {"s = A", "s = A(i)", "s = A(i,j)", "s = A(i,j,k)"};
    spcc_tensor *s;
    double total = 0;
    require(spcc_tensor_scalar(cx, SPCC_F64, &total, &s) == SPCC_OK, cx);
    spcc_binding bindings[] = {{"s", s}, {"A", tensor}};
    require(spcc_eval(cx, statement[spcc_tensor_order(tensor)], bindings, 2) == SPCC_OK, cx);
    memcpy(&total, spcc_tensor_values(s), sizeof total);
    spcc_tensor_free(s);
    return total;
}

/* The same by the components, which are inside the tensor. */
static double sum_unpacked(spcc_context *cx, const spcc_tensor *tensor)
{
    int order = spcc_tensor_order(tensor);
    int64_t room = spcc_tensor_stored(tensor);
    int64_t *coordinate = malloc((size_t)(room * order) * sizeof *coordinate + 1);
    double *value = malloc((size_t)room * sizeof *value + 1), total = 0;
    require(coordinate && value, cx);
    int64_t n = spcc_tensor_unpack(tensor, coordinate, value);
    require(n <= room, cx);
    for (int64_t k = 0; k < n; k++)
        for (int m = 0; m < order; m++)
            require(coordinate[k * order + m] >= 0
                        && coordinate[k * order + m] < spcc_tensor_dimension(tensor, m),
                    cx);
    for (int64_t k = 0; k < n; k++)
        total += value[k];
    free(coordinate);
    free(value);
    return total;
}

static void use(spcc_context *cx, spcc_tensor *tensor)
{
    double components = 1;
    spcc_statistics *statistics;
    spcc_tensor *list;
    double total = sum_unpacked(cx, tensor);
    for (int m = 0; m < spcc_tensor_order(tensor); m++)
        components *= (double)(spcc_tensor_dimension(tensor, m) + 1);
    /* loops over all of them, as of a dense tensor, would take their time */
    if (components > SMALL)
        return;
    require(sum(cx, tensor) == total, cx);
    require(spcc_tensor_statistics(cx, tensor, &statistics) == SPCC_OK, cx);
    spcc_statistics_free(statistics);
    require(spcc_tensor_convert(cx, tensor, "dense", SPCC_F64, NULL, &list) == SPCC_OK, cx);
    require(sum_unpacked(cx, list) == total, cx);
    spcc_tensor_free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static spcc_context *cx; /* it remembers the kernels */
    spcc_options options = {
        .size = sizeof options, .engine = SPCC_ENGINE_INTERP, .cache = "", .threads = 1};
    struct bytes bytes = {data, data + size};
    spcc_array arrays[ARRAYS];
    spcc_tensor *tensor;
    int which = next(&bytes) % (int)(sizeof formats / sizeof *formats),
        order = formats[which].order;
    int64_t dimension[3];
    if (!cx && spcc_context_new(&options, &cx) != SPCC_OK)
        return 0;
    for (int m = 0; m < 3; m++) {
        uint8_t byte = next(&bytes);
        dimension[m] = byte < 250 ? byte % 17 : INT64_MAX >> (8 * (255 - byte));
    }
    int n = make_arrays(cx, formats[which].format, order, &bytes, arrays);
    spcc_array values = make_array(&bytes, sizeof(double));
    for (int64_t k = 0; k < values.length; k++)
        ((double *)values.at)[k] = (double)(k % 7 + 1);
    spcc_status status = spcc_tensor_borrow(cx, formats[which].format, SPCC_F64, order, dimension,
                                            arrays, n, values.at, values.length, NULL, &tensor);
    require(status == SPCC_OK || status == SPCC_ERROR_TENSOR || status == SPCC_ERROR_LIMIT, cx);
    require(status == SPCC_OK || spcc_message(cx)[0], cx);
    if (tensor)
        use(cx, tensor);
    spcc_tensor_free(tensor);
    for (int k = 0; k < n; k++)
        free((void *)arrays[k].at);
    free((void *)values.at);
    return 0;
}
