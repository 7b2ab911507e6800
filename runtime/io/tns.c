/* tns.c - FROSTT's text format for tensors of any order.
 *
 *     # comment               a component a line: its coordinates, from 1 (or, if asked for, 0),
 *                             and its value;
 *     1 4 2  0.5              complex tensors have two numbers there
 *     3 1 2  -1e3  # here too
 *
 * The file has no sizes: they are known, or the largest coordinates count as sizes.  The number of
 * modes is known, or one less than the numbers on the first line; for complex tensors it must be
 * known.  A scalar is one line with the value.
 *
 * ParTI's files have two lines before that, with the sizes:
 *
 *     3                       the number of modes
 *     10 20 5                 their sizes
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>

#include "runtime/io/body.h"
#include "runtime/io/entries.h"
#include "runtime/io/tns.h"

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

/* Finds how many coordinates and values a line has, from the first line and what is known. */
static enum rt_status find_order(const struct input *input, const char *line, struct body *body,
                                 enum type type, struct rt_error *error)
{
    int words = count_words(line), order = body->coordinates;
    if (order < 0 && type_is_complex(type) && words > 1) {
        enum rt_status status = input_fail(
            input, line, DIAG_ORDER, error,
            "it is not known whether a value is the last number of a line or the last two");
        rt_help(error, "give {order}");
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
    else if (words == order && order == 2)
        rt_help(error, "if it is a list of edges without values, name the file .edges");
    return status;
}

/* Whoever knows the tensor's order knows its index variables; whoever takes the file as it is has
 * nothing but the file. */
static enum rt_status fail_sizes(const struct input *input, struct rt_error *error)
{
    bool known = input->request->order >= 0;
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_SIZE,
                "%.400s: the file has no entries, so the %s of %s are not known", input->path,
                known ? "sizes" : "order and the sizes", input_tensor(input));
    rt_help(error,
            known ? "give them: {dimensions i:100}"
                  : "add an entry with the value 0 at the largest coordinates, such as the line "
                    "100 100 0, use a .mtx file, or give {order}");
    return status;
}

/* ---- ParTI's sizes ---- */

/* Reads the next number, a positive one of digits only; 0 if there is none. */
static int64_t scan_size(const char **s)
{
    int64_t n = 0;
    const char *at = *s = input_skip_blanks(*s);
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *at - '0', &n))
            return 0;
    if (!input_is_blank(*at) && *at != '\n' && *at != COMMENT)
        return 0;
    *s = at;
    return n;
}

struct sizes {
    int order; /* 0: the file has no sizes */
    int64_t dimension[ORDER_MAX];
    const char *at, *body; /* their place; the line behind them */
};

/* Returns the first word of the line after that of s. */
static const char *next_words(const char *s, const char *end)
{
    s = (const char *)memchr(s, '\n', (size_t)(end - s)) + 1;
    return input_first_word(s, end, COMMENT, &(int64_t){0});
}

/* A number, and then as many numbers as it says, are sizes, unless they are two values of a scalar.
 */
static void find_sizes(const struct input *input, const char *first, const char *end,
                       struct sizes *sizes)
{
    const char *s = first, *second = next_words(first, end);
    int64_t order = count_words(first) == 1 ? scan_size(&s) : 0;
    int asked = input->request->order;
    *sizes = (struct sizes){.order = 0};
    if (order < 1 || order > ORDER_MAX || second == end || count_words(second) != order
        || (asked >= 0 && asked != order))
        return;
    const char *third = next_words(second, end);
    if (asked < 0 && order == 1 && (third == end || count_words(third) != 2))
        return;
    s = second;
    for (int m = 0; m < order; m++)
        if ((sizes->dimension[m] = scan_size(&s)) == 0)
            return;
    sizes->order = (int)order;
    sizes->at = second;
    sizes->body = third;
}

/* Reads this many lines that are no comments into the text, if there are as many. */
static enum rt_status read_lines(struct input *input, int lines, struct rt_error *error)
{
    int64_t passed = 0;
    for (; lines > 0; lines--, passed++) {
        enum rt_status status = input_read_line(input, (int)passed, COMMENT, error);
        if (status != RT_OK || input->complete)
            return status;
        const char *s = input->text, *end = s + input->size + 1;
        for (int64_t i = 0; i < passed; i++)
            s = (const char *)memchr(s, '\n', (size_t)(end - s)) + 1;
        input_first_word(s, end, COMMENT, &passed);
    }
    return RT_OK;
}

/* Takes the sizes that are known, or those of the file. */
static enum rt_status take_sizes(struct body *body, const struct sizes *sizes,
                                 struct coords *coords, struct rt_error *error)
{
    enum rt_status status = RT_OK;
    bool sized = true;
    coords->order = body->coordinates;
    for (int m = 0; m < coords->order && status == RT_OK; m++) {
        if (sizes->order > 0)
            status = input_check_dimension(body->input, sizes->at, m, sizes->dimension[m],
                                           "coordinates there", error);
        int64_t size = sizes->order > 0 ? sizes->dimension[m] : input_dimension(body->input, m);
        coords->dimension[m] = size;
        sized &= size >= 0;
        body->limit[m] = size >= 0 ? size : INT64_MAX;
    }
    if (sized && status == RT_OK)
        coords_pack(coords);
    return status;
}

static enum rt_status read_entries(struct body *body, struct coords *coords, struct sizes *sizes,
                                   struct rt_error *error)
{
    struct input *input = body->input;
    enum rt_status status = read_lines(input, 3, error);
    if (status != RT_OK)
        return status;
    const char *end = input->text + input->size + 1,
               *first = input_first_word(input->text, end, COMMENT, &(int64_t){0});
    body->begin = input->text;
    body->coordinates = input->request->order;
    body->values = 1;
    *sizes = (struct sizes){.order = 0};
    if (first < end)
        find_sizes(input, first, end, sizes);
    if (sizes->order > 0) {
        body->begin = first = sizes->body;
        body->coordinates = sizes->order;
    }
    if (first < end)
        status = find_order(input, first, body, coords->type, error);
    else if (body->coordinates < 0)
        status = fail_sizes(input, error);
    if (status == RT_OK)
        status = take_sizes(body, sizes, coords, error);
    return status == RT_OK ? body_read(body, coords, error) : status;
}

static enum rt_status tns_read(struct input *input, struct coords *coords, struct rt_error *error)
{
    enum type type = input->request->type;
    struct sizes sizes;
    struct body body = {.input = input,
                        .comment = COMMENT,
                        .remarks = true,
                        .base = input->request->zero_based ? 0 : 1,
                        .base_help = "coordinates count from 1; if they count from 0: {base 0}"};
    coords_init(coords, 0, NULL, type == TYPE_COUNT ? TYPE_F64 : type);
    enum rt_status status = read_entries(&body, coords, &sizes, error);
    for (int m = 0; m < coords->order && status == RT_OK; m++) {
        bool known = coords->dimension[m] >= 0;
        if (!known && body.entries == 0)
            status = fail_sizes(input, error);
        coords->dimension[m] = known ? coords->dimension[m] : body.largest[m];
    }
    if (status == RT_OK)
        input_found(input, (struct io_facts){.sized = sizes.order > 0});
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
    if (entry->of->pattern)
        n--;
    else
        n += number_print(text + n, tensor->type, entry->value);
    text[n++] = '\n';
    return n;
}

enum rt_status tns_write(struct output *output, const struct tensor *tensor, bool pattern,
                         struct rt_error *error)
{
    struct entries entries;
    struct io_writing how = *output_asks(output);
    int64_t base = how.zero_based ? 0 : 1;
    how.pattern = pattern;
    how.symmetry = IO_GENERAL;
    enum rt_status status = entries_open_for(&entries, tensor, &how, error);
    if (status == RT_OK)
        output_entries(output, &entries, write_line, &base);
    entries_close(&entries);
    return status;
}

static enum rt_status write_values(struct output *output, const struct tensor *tensor,
                                   struct rt_error *error)
{
    return tns_write(output, tensor, false, error);
}

const struct file_format file_format_tns = {
    .name = "tns",
    .read = tns_read,
    .write = write_values,
};
