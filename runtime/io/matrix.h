/* matrix.h - what files that hold a matrix share: values with mirror images, and tensors of another
 * order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_MATRIX_H
#define SPCC_IO_MATRIX_H

#include "runtime/io/file_format.h"

/* The order of the tensor to be made of a matrix of these sizes, which are written at `at`: its
 * modes are the matrix's, or one of them if the other one has the size 1, or none if both have. */
enum rt_status matrix_check_sizes(const struct input *input, const char *at, int64_t rows,
                                  int64_t columns, int *order, struct rt_error *error);

/* The same of a tensor of any order. */
enum rt_status matrix_check_order(const struct input *input, const char *at, int file_order,
                                  const int64_t *dimension, int *order, struct rt_error *error);

/* Leaves out entries that are the fill, -0 in place of 0 not among them: of a dense file all are
 * explicit. */
void matrix_leave_out(struct coords *coords, struct value fill);

/* From a matrix to a vector or a scalar: keep the mode that is longer than 1. */
void matrix_drop_modes(struct coords *coords, int order);

/* Complex values in a tensor that is not. */
enum rt_status matrix_fail_complex(const struct input *input, const char *at, enum type type,
                                   struct rt_error *error);

/* On which side of the diagonal is an entry?  1: in the lower triangle; 0: on it. */
int matrix_side(const struct coords *coords, int64_t entry);

#define MATRIX_BOTH_SIDES "entries on both sides of the diagonal, of which the file should have one"

/* Which entry is wrong, and why. */
struct matrix_fault {
    int64_t entry;
    char why[96];
};

/* Append the mirror images of the entries, which are one triangle of a matrix.  RT_INPUT: the
 * fault says why. */
enum rt_status matrix_mirror(struct coords *coords, enum io_symmetry symmetry,
                             struct matrix_fault *fault, struct rt_error *error);

/* Leave the lower triangle of a matrix that is in order of its modes, without duplicates.  A
 * component that is stored and equals the fill may be there without its mirror image; the triangle
 * then has it.  RT_INPUT: the matrix has not that symmetry. */
enum rt_status matrix_fold(struct coords *coords, enum io_symmetry symmetry, struct value fill,
                           struct rt_error *error);

#endif
