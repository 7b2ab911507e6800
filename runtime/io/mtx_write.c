/* mtx_write.c - writes Matrix Market files.
 *
 * A dense matrix is written as an array, a dense vector or scalar as an array with one column,
 * everything else as coordinates.  If the writer is asked for it, a matrix with a symmetry is
 * written as one triangle, and coordinates with values that are all 1 without values.
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

static size_t write_number(char *text, const struct entries_walk *entry, const void *data)
{
    (void)data;
    size_t n = number_print(text, entry->of->tensor->type, entry->value);
    text[n++] = '\n';
    return n;
}

/* Writes a vector or scalar as a matrix with one column. */
static enum rt_status write_array(struct output *output, const struct tensor *tensor,
                                  struct rt_error *error)
{
    struct entries entries;
    enum rt_status status = entries_open_array(&entries, tensor, output_asks(output), error);
    if (status == RT_OK) {
        output_printf(output, "%%%%MatrixMarket matrix array %s %s\n%" PRId64 " %" PRId64 "\n",
                      field_of_type(tensor->type), symmetry_name(entries.symmetry),
                      tensor->order > 0 ? tensor->dimension[0] : 1,
                      tensor->order > 1 ? tensor->dimension[1] : 1);
        output_entries(output, &entries, write_number, NULL);
    }
    entries_close(&entries);
    return status;
}

/* A vector that is written as a matrix has one column more. */
static void write_sizes(struct output *output, const struct tensor *tensor, bool as_matrix,
                        int64_t entries)
{
    for (int m = 0; m < tensor->order; m++)
        output_printf(output, "%" PRId64 " ", tensor->dimension[m]);
    output_printf(output, as_matrix && tensor->order == 1 ? "1 %" PRId64 "\n" : "%" PRId64 "\n",
                  entries);
}

static size_t write_line(char *text, const struct entries_walk *entry, const void *data)
{
    const struct tensor *tensor = entry->of->tensor;
    const bool *as_matrix = data;
    size_t n = 0;
    for (int m = 0; m < tensor->order; m++) {
        n += number_print(text + n, TYPE_I64, &(int64_t){entry->coordinate[m] + 1});
        text[n++] = ' ';
    }
    if (*as_matrix && tensor->order == 1) {
        text[n++] = '1';
        text[n++] = ' ';
    }
    if (entry->of->pattern)
        n--;
    else
        n += number_print(text + n, tensor->type, entry->value);
    text[n++] = '\n';
    return n;
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
        output_entries(output, &entries, write_line, &as_matrix);
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
    if (as_matrix && format_is_dense(tensor->format))
        return write_array(output, tensor, error);
    return write_coordinate(output, tensor, as_matrix, error);
}
