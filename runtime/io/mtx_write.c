/* mtx_write.c - writing Matrix Market files.
 *
 * A dense vector or scalar is an array with one column; everything else is in coordinates.  Where
 * the writer is asked for it, one triangle is written of a matrix with a symmetry, and no values
 * where they are all 1.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>

#include "runtime/io/entries.h"
#include "runtime/io/mtx.h"

static const char *field_of_type(enum type type)
{
    switch (type_kind(type)) {
    case KIND_BOOL:
    case KIND_INT:
    case KIND_UINT: return "integer";
    case KIND_FLOAT: return "real";
    case KIND_COMPLEX: break;
    }
    return "complex";
}

static const char *symmetry_name(enum io_symmetry symmetry)
{
    static const char *const names[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    return names[symmetry];
}

/* A dense vector, or a scalar, as a matrix with one column. */
static void write_array(struct output *output, const struct tensor *tensor)
{
    struct tensor_walk walk;
    output_printf(output, "%%%%MatrixMarket matrix array %s general\n%" PRId64 " 1\n",
                  field_of_type(tensor->type), tensor->order == 0 ? 1 : tensor->dimension[0]);
    for (bool more = tensor_walk_first(&walk, tensor); more; more = tensor_walk_next(&walk)) {
        if ((walk.position & 0xffff) == 0)
            output_progress(output, walk.position, tensor->nvals);
        output_value(output, tensor->type,
                     (const char *)tensor->vals + (size_t)walk.position * type_size(tensor->type));
        output_write(output, "\n", 1);
    }
}

/* A vector that is to be a matrix has one column more. */
static void write_sizes(struct output *output, const struct tensor *tensor, bool as_matrix,
                        int64_t entries)
{
    for (int m = 0; m < tensor->order; m++)
        output_printf(output, "%" PRId64 " ", tensor->dimension[m]);
    output_printf(output, as_matrix && tensor->order == 1 ? "1 %" PRId64 "\n" : "%" PRId64 "\n",
                  entries);
}

static enum rt_status write_coordinate(struct output *output, const struct tensor *tensor,
                                       bool as_matrix, struct rt_error *error)
{
    struct entries entries;
    enum rt_status status = entries_open_for(&entries, tensor, output_asks(output), error);
    if (status == RT_OK) {
        output_printf(output, "%%%%MatrixMarket %s coordinate %s %s\n",
                      as_matrix ? "matrix" : "tensor",
                      entries.pattern ? "pattern" : field_of_type(tensor->type),
                      symmetry_name(entries.symmetry));
        write_sizes(output, tensor, as_matrix, entries_count(&entries));
    }
    for (int64_t written = 0; status == RT_OK && entries_next(&entries); written++) {
        if ((written & 0xffff) == 0)
            output_progress(output, entries.done, entries.total);
        for (int m = 0; m < tensor->order; m++) {
            output_write(output, " ", m > 0);
            output_integer(output, entries.coordinate[m] + 1);
        }
        output_write(output, " 1", as_matrix && tensor->order == 1 ? 2 : 0);
        output_write(output, " ", !entries.pattern);
        if (!entries.pattern)
            output_value(output, tensor->type, entries.value);
        output_write(output, "\n", 1);
    }
    entries_close(&entries);
    return status;
}

enum rt_status mtx_write(struct output *output, const struct tensor *tensor, bool tensors,
                         struct rt_error *error)
{
    bool as_matrix = tensor->order == 0 || tensor->order == 2 || !tensors;
    if (tensor->order > 2 && !tensors) {
        enum rt_status status = rt_fail(
            error, RT_INPUT, DIAG_ORDER,
            "a Matrix Market file holds a matrix, and the tensor has the order %d", tensor->order);
        rt_help(error, "write a .tns or .ttx file");
        return status;
    }
    if (as_matrix && tensor->order < 2 && !tensor->inverse && format_is_dense(tensor->format)) {
        write_array(output, tensor);
        return RT_OK;
    }
    return write_coordinate(output, tensor, as_matrix, error);
}
