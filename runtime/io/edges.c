/* edges.c - lists of edges, as collections of graphs have them: the matrix with an entry for each
 * edge.
 *
 *     # Directed graph: wiki-Vote.txt       comments begin with # or %, as the file itself does
 *     # FromNodeId    ToNodeId              SNAP's nodes count from 0
 *     30      1412                          from, to, and perhaps a weight; else it is 1
 *     3,28,0.5                              a comma or blanks between them
 *
 * Nodes count from 1; or from 0 if the user says so or the file is SNAP's, since nothing else in a
 * file tells.  If sizes are not known, the matrix is square, unless the file begins with "% bip",
 * as KONECT's files with two kinds of nodes do.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/io/body.h"
#include "runtime/io/entries.h"
#include "runtime/io/file_format.h"
#include "runtime/io/tns.h"

struct head {
    char comment;
    bool from_zero, rectangular;
    const char *first; /* the first edge; the end if there is none */
};

/* Does the text contain the word?  The text's end is no part of a word. */
static bool mentions(const char *text, const char *end, const char *word)
{
    return memmem(text, (size_t)(end - text), word, strlen(word)) != NULL;
}

static enum rt_status read_head(struct input *input, struct head *head, struct rt_error *error)
{
    enum rt_status status = input_read_line(input, 0, '%', error);
    head->comment = *input_skip_blanks(input->text) == '%' ? '%' : '#';
    if (status == RT_OK)
        status = input_read_line(input, 0, head->comment, error);
    if (status != RT_OK)
        return status;
    const char *end = input->text + input->size + 1;
    head->first = input_first_word(input->text, end, head->comment, &(int64_t){0});
    head->from_zero = mentions(input->text, head->first, "FromNodeId");
    const char *s = input_skip_blanks(input->text);
    head->rectangular = head->comment == '%' && strncmp(input_skip_blanks(s + 1), "bip", 3) == 0;
    return RT_OK;
}

static int count_fields(const char *s, char comment)
{
    int fields = 0;
    for (s = input_skip_blanks(s); *s != '\n' && *s != comment && fields < ORDER_MAX; fields++) {
        while (!input_is_blank(*s) && *s != '\n' && *s != ',')
            s++;
        s = input_skip_blanks(s);
        s = *s == ',' ? input_skip_blanks(s + 1) : s;
    }
    return fields;
}

/* Finds how many values an edge has, from the first edge. */
static enum rt_status find_values(const struct body *body, const struct head *head, enum type type,
                                  int *values, struct rt_error *error)
{
    const struct input *input = body->input;
    int fields =
        head->first < input->text + input->size + 1 ? count_fields(head->first, head->comment) : 2;
    *values = fields - 2;
    if (*values == 0 || *values == 1 || (*values == 2 && type_is_complex(type)))
        return RT_OK;
    enum rt_status status = input_fail(input, head->first, DIAG_FILE_FORMAT, error,
                                       "a line has %d field%s, but an edge is two nodes and "
                                       "perhaps a weight",
                                       fields, fields == 1 ? "" : "s");
    if (fields > 3)
        rt_help(error,
                "keep the first columns, as 'cut -f1-3' does; if lines have more coordinates "
                "and a value, name the file .tns");
    return status;
}

static enum rt_status check_order(const struct input *input, struct rt_error *error)
{
    int order = input->request->order;
    if (order < 0 || order == 2)
        return RT_OK;
    enum rt_status status = rt_fail(error, RT_INPUT, DIAG_ORDER,
                                    "%.400s: a list of edges is a matrix, and %s has the order %d",
                                    input->path, input_tensor(input), order);
    rt_help(error, "if lines have coordinates and a value, name the file .tns");
    return status;
}

static void find_sizes(const struct body *body, const struct head *head, struct coords *coords)
{
    int64_t *size = coords->dimension, larger = 0;
    for (int m = 0; m < 2; m++) {
        int64_t at_least = size[m] >= 0 ? size[m] : body->largest[m];
        larger = at_least > larger ? at_least : larger;
    }
    for (int m = 0; m < 2; m++)
        if (size[m] < 0)
            size[m] = head->rectangular ? body->largest[m] : larger;
}

static enum rt_status edges_read(struct input *input, struct coords *coords, struct rt_error *error)
{
    enum type type = input->request->type == TYPE_COUNT ? TYPE_F64 : input->request->type;
    struct head head = {.first = NULL};
    struct body body = {.input = input,
                        .coordinates = 2,
                        .commas = true,
                        .base_help = "nodes count from 1; {base 0}, if they count from 0"};
    enum rt_status status = check_order(input, error);
    if (status == RT_OK)
        status = read_head(input, &head, error);
    if (status == RT_OK)
        status = find_values(&body, &head, type, &body.values, error);
    if (status != RT_OK)
        return status;
    body.begin = input->text;
    body.comment = head.comment;
    body.remarks = true;
    body.base = input->request->zero_based || head.from_zero ? 0 : 1;
    coords_init(coords, 2, (const int64_t[]){input_dimension(input, 0), input_dimension(input, 1)},
                type);
    for (int m = 0; m < 2; m++)
        body.limit[m] = coords->dimension[m] >= 0 ? coords->dimension[m] : INT64_MAX;
    status = body_read(&body, coords, error);
    if (status == RT_OK)
        find_sizes(&body, &head, coords);
    input_found(input, (struct io_facts){.pattern = body.values == 0});
    return status;
}

static enum rt_status edges_write(struct output *output, const struct tensor *tensor,
                                  struct rt_error *error)
{
    if (tensor->order == 2)
        return tns_write(output, tensor, output_asks(output)->pattern, error);
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_ORDER,
                "a list of edges is a matrix, and the tensor has the order %d", tensor->order);
    rt_help(error, "write a .tns file");
    return status;
}

static const char *const other_names[] = {"el", "edgelist", "txt", NULL};

const struct file_format file_format_edges = {
    .name = "edges",
    .other_names = other_names,
    .read = edges_read,
    .write = edges_write,
};
