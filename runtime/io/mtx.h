/* mtx.h - Matrix Market files: what their head says.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_MTX_H
#define SPCC_IO_MTX_H

#include "runtime/io/file_format.h"

enum mtx_layout { MTX_COORDINATE, MTX_ARRAY };
enum mtx_field { MTX_REAL, MTX_INTEGER, MTX_UNSIGNED, MTX_PATTERN, MTX_COMPLEX };

struct mtx_header {
    enum mtx_layout layout;
    enum mtx_field field;
    enum io_symmetry symmetry;
    bool is_tensor; /* of any order; else a matrix */
    int order;
    int64_t dimension[ORDER_MAX];
    int64_t entries;      /* of a coordinate file */
    const char *field_at; /* where in the text its name is */
    const char *size;     /* where the sizes are */
    const char *body;     /* the line after them */
};

/* Everything up to the line with the sizes. */
enum rt_status mtx_parse_header(const struct input *input, struct mtx_header *header,
                                struct rt_error *error);

/* Does the banner say that the file is an array? */
bool mtx_is_array(const struct input *input);

/* Write a tensor as a matrix, or, if it is none and that may be, as a tensor. */
enum rt_status mtx_write(struct output *output, const struct tensor *tensor, bool tensors,
                         struct rt_error *error);

#endif
