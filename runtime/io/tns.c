/* tns.c - FROSTT's text format for tensors of any order.
 *
 *     # comment               a component a line: its coordinates, from 1 (or, if asked for, 0),
 *                             and its value;
 *     1 4 2  0.5              complex tensors have two numbers there
 *     3 1 2  -1e3  # here too
 *
 * There are no sizes in the file: they are known, or the largest coordinates are taken for them.
 * The number of modes is known, or one less than there are numbers on the first line; of complex
 * tensors it has to be known.  A scalar is one line with the value.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>

#include "runtime/io/body.h"
#include "runtime/io/entries.h"
#include "runtime/io/file_format.h"

enum { COMMENT = '#' };

static int count_words(const char *s)
{
    int words = 0;
    for (s = input_skip_blanks(s); *s != '\n' && *s != COMMENT; s = input_skip_blanks(s)) {
        words += words <= ORDER_MAX + 2;
        while (!input_is_blank(*s) && *s != '\n')
            s++;
    }
    return words;
}

/* How many coordinates and values are on a line, from the first line and what is known. */
static enum rt_status find_order(const struct input *input, const char *line, struct body *body,
                                 enum type type, struct rt_error *error)
{
    int words = count_words(line), order = input->request->order;
    if (order < 0 && type_is_complex(type) && words > 1) {
        enum rt_status status =
            input_fail(input, line, DIAG_ORDER, error,
                       "the file does not say whether the last number of a line is a component, "
                       "or the last two are");
        rt_help(error, "a statement says it, as B(i,j) = A(i,j) does, or order in "
                       "spcc_read_options");
        return status;
    }
    body->values = order >= 0 && words == order + 2 && type_is_complex(type) ? 2 : 1;
    body->coordinates = order >= 0 ? order : words - body->values;
    if (words == body->coordinates + body->values && body->coordinates <= ORDER_MAX)
        return RT_OK;
    if (order < 0)
        return input_fail(input, line, DIAG_LIMIT, error, "a tensor has at most %d modes",
                          ORDER_MAX);
    enum rt_status status = input_fail(
        input, line, DIAG_ORDER, error,
        "a line has %d number%s, but %s has the order %d, so %d %s expected", words,
        words == 1 ? "" : "s", input_tensor(input), order, order + 1, order == 0 ? "is" : "are");
    if (order == 0)
        rt_help(error, "a scalar's file is one number; a tensor is written with its index "
                       "variables, as in A(i,j)");
    else if (words == order + 2)
        rt_help(error, "if the values are complex, declare the tensor as c128");
    return status;
}

/* Who knows the tensor's order knows its index variables; who takes the file as it is has
 * nothing but the file. */
static enum rt_status fail_sizes(const struct input *input, struct rt_error *error)
{
    bool known = input->request->order >= 0;
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_SIZE,
                "%.400s: the file has no entries, so that the %s of %s are not known", input->path,
                known ? "sizes" : "order and the sizes", input_tensor(input));
    rt_help(error, known ? "give them: {dimensions i:100}"
                         : "an entry with the value 0 at the largest coordinates says them, as the "
                           "line 100 100 0 does; so does a .mtx file, or order and dimensions in "
                           "spcc_read_options");
    return status;
}

static enum rt_status read_entries(struct body *body, struct coords *coords, struct rt_error *error)
{
    struct input *input = body->input;
    enum rt_status status = input_read_line(input, 0, COMMENT, error);
    if (status != RT_OK)
        return status;
    const char *end = input->text + input->size + 1,
               *first = input_first_word(input->text, end, COMMENT, &(int64_t){0});
    body->begin = input->text;
    body->coordinates = input->request->order;
    body->values = 1;
    if (first < end)
        status = find_order(input, first, body, coords->type, error);
    else if (body->coordinates < 0)
        status = fail_sizes(input, error);
    if (status != RT_OK)
        return status;
    bool sized = true;
    coords->order = body->coordinates;
    for (int m = 0; m < coords->order; m++) {
        coords->dimension[m] = input_dimension(input, m);
        sized &= coords->dimension[m] >= 0;
        body->limit[m] = coords->dimension[m] >= 0 ? coords->dimension[m] : INT64_MAX;
    }
    if (sized)
        coords_pack(coords);
    return body_read(body, coords, error);
}

static enum rt_status tns_read(struct input *input, struct coords *coords, struct rt_error *error)
{
    enum type type = input->request->type;
    struct body body = {.input = input,
                        .comment = COMMENT,
                        .remarks = true,
                        .base = input->request->zero_based ? 0 : 1,
                        .base_help = "coordinates are from 1 on; {base 0}, if they are from 0 on"};
    coords_init(coords, 0, NULL, type == TYPE_COUNT ? TYPE_F64 : type);
    enum rt_status status = read_entries(&body, coords, error);
    for (int m = 0; m < coords->order && status == RT_OK; m++) {
        bool known = coords->dimension[m] >= 0;
        if (!known && body.entries == 0)
            status = fail_sizes(input, error);
        coords->dimension[m] = known ? coords->dimension[m] : body.largest[m];
    }
    return status;
}

static size_t write_line(char *text, const struct entries_walk *entry, const void *data)
{
    const struct tensor *tensor = entry->of->tensor;
    const int64_t *base = data;
    size_t n = 0;
    for (int m = 0; m < tensor->order; m++) {
        n += number_print(text + n, TYPE_I64, &(int64_t){entry->coordinate[m] + *base});
        text[n++] = ' ';
    }
    n += number_print(text + n, tensor->type, entry->value);
    text[n++] = '\n';
    return n;
}

static enum rt_status tns_write(struct output *output, const struct tensor *tensor,
                                struct rt_error *error)
{
    struct entries entries;
    int64_t base = output_asks(output)->zero_based ? 0 : 1;
    enum rt_status status = entries_open(&entries, tensor, output_asks(output)->threads, error);
    if (status == RT_OK)
        output_entries(output, &entries, write_line, &base);
    entries_close(&entries);
    return status;
}

const struct file_format file_format_tns = {
    .name = "tns",
    .read = tns_read,
    .write = tns_write,
};
