/* unpack.c - gives the user the components of a tensor as a list.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/api/tensor.h"

/* The user's arrays: coordinates one component after the other, and values. */
struct unpacked {
    const struct tensor *tensor;
    int64_t *coordinates;
    char *values;
};

static void put_into_arrays(void *data, int64_t number, const int64_t *coordinate,
                            const void *value)
{
    const struct unpacked *to = data;
    int order = to->tensor->order;
    size_t size = type_size(to->tensor->type);
    if (to->coordinates && order > 0)
        memcpy(to->coordinates + number * order, coordinate, (size_t)order * sizeof *coordinate);
    if (to->values)
        memcpy(to->values + (size_t)number * size, value, size);
}

/* Goes on to the arrays' places for the next part. */
static void go_on(void *data, int64_t n)
{
    struct unpacked *to = data;
    if (to->coordinates)
        to->coordinates += n * to->tensor->order;
    if (to->values)
        to->values += (size_t)n * type_size(to->tensor->type);
}

int64_t spcc_tensor_unpack(const spcc_tensor *tensor, int64_t *coordinates, void *values)
{
    if (!tensor || !tensor->sized)
        return 0;
    struct unpacked to = {tensor->tensor, coordinates, values};
    bool counts = !coordinates && !values;
    tensor_visitor *put = counts ? NULL : put_into_arrays;
    return tensor->parts ? api_parts_visit(tensor, 0, put, &to, go_on)
                         : tensor_visit(tensor->tensor, false, 0, put, &to);
}
