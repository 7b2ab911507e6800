/* npy_file.c - .npy files: one array with all its elements, of any order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/entries.h"
#include "runtime/io/matrix.h"
#include "runtime/io/npy.h"
#include "runtime/tensor/alloc.h"

/* ---- reading ---- */

enum rt_status npy_value_type(const struct input *input, const struct npy *array, enum type *type,
                              struct rt_error *error)
{
    if (array->type == TYPE_COUNT)
        return input_fail(input, input->text, DIAG_FILE_FORMAT, error,
                          "the array holds text, not numbers");
    *type = input->request->type == TYPE_COUNT ? array->type : input->request->type;
    if (type_is_complex(array->type) && !type_is_complex(*type))
        return matrix_fail_complex(input, input->text, *type, error);
    return RT_OK;
}

/* Gives the elements their coordinates. */
static void place(const struct npy *array, struct coords *coords)
{
    int64_t at[ORDER_MAX] = {0};
    for (int64_t i = 0; i < coords->n; i++) {
        for (int m = 0; m < array->order; m++)
            coords->coordinate[m][i] = at[m];
        for (int k = 0; k < array->order; k++) {
            int m = array->fortran ? k : array->order - 1 - k;
            if (++at[m] < array->dimension[m])
                break;
            at[m] = 0;
        }
    }
}

enum rt_status npy_read(const struct input *input, const struct npy *array, struct coords *coords,
                        struct rt_error *error)
{
    int order;
    enum type type;
    const struct value *fill = input->request->fill;
    enum rt_status status = npy_value_type(input, array, &type, error);
    if (status == RT_OK)
        status =
            matrix_check_order(input, input->text, array->order, array->dimension, &order, error);
    if (status != RT_OK)
        return status;
    coords_init(coords, array->order, array->dimension, type);
    if (!coords_reserve(coords, array->n))
        return rt_no_memory(error);
    status = npy_values(input, array, 0, array->n, type, coords->vals, error);
    if (status != RT_OK)
        return status;
    coords->n = array->n;
    place(array, coords);
    if (fill && array->order > 0)
        matrix_leave_out(coords, value_convert(*fill, type));
    if (array->order == 2)
        matrix_drop_modes(coords, order);
    input_found(input, (struct io_facts){.sized = true});
    return RT_OK;
}

static enum rt_status read(struct input *input, struct coords *coords, struct rt_error *error)
{
    struct npy array;
    input->binary = true;
    enum rt_status status = input_read_all(input, error);
    if (status != RT_OK)
        return status;
    const char *why = npy_parse(input->text, input->size, &array);
    if (why)
        return input_fail(input, input->text, DIAG_FILE_FORMAT, error, "the file %s", why);
    return npy_read(input, &array, coords, error);
}

static bool is_array(const struct input *input)
{
    (void)input;
    return true;
}

/* ---- writing ---- */

enum rt_status npy_dense(const struct tensor *tensor, const struct io_writing *how, char **vals,
                         int64_t *n, struct rt_error *error)
{
    struct entries entries;
    struct entries_walk walk;
    size_t size = type_size(tensor->type);
    *vals = NULL;
    *n = 1;
    for (int m = 0; m < tensor->order; m++)
        if (__builtin_mul_overflow(*n, tensor->dimension[m], n))
            return memory_fail("every component of the tensor", INT64_MAX, error);
    enum rt_status status = entries_open(&entries, tensor, how, error);
    if (status == RT_OK && !(*vals = rt_array(*n, size)))
        status = memory_fail("every component of the tensor", 0, error);
    if (status == RT_OK) {
        for (int64_t i = 0; i < *n; i++)
            value_store(tensor->fill, *vals + (size_t)i * size);
        entries_walk(&walk, &entries, 0, entries.places);
        while (entries_next(&walk)) {
            int64_t at = 0;
            for (int m = 0; m < tensor->order; m++)
                at = at * tensor->dimension[m] + walk.coordinate[m];
            memcpy(*vals + (size_t)at * size, walk.value, size);
        }
    }
    entries_close(&entries);
    return status;
}

static enum rt_status write(struct output *output, const struct tensor *tensor,
                            struct rt_error *error)
{
    char head[NPY_HEAD], *vals;
    int64_t n;
    enum rt_status status = npy_dense(tensor, output_asks(output), &vals, &n, error);
    if (status == RT_OK) {
        output_write(output, head,
                     npy_head(head, tensor->type, 0, tensor->order, tensor->dimension));
        output_write(output, vals, (size_t)n * type_size(tensor->type));
    }
    free(vals);
    return status;
}

static const char *const banners[] = {"\x93NUMPY", NULL};

const struct file_format file_format_npy = {
    .name = "npy",
    .sized = true,
    .banners = banners,
    .is_array = is_array,
    .read = read,
    .write = write,
};
