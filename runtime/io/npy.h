/* npy.h - arrays as NumPy stores them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_NPY_H
#define SPCC_IO_NPY_H

#include "runtime/io/file_format.h"

/* An array in memory. */
struct npy {
    enum type type; /* TYPE_COUNT: none of ours; half precision is read as f32 */
    char kind;      /* NumPy's letter: b, i, u, f, c; S and U of text */
    int bytes;      /* of an element */
    bool swapped;   /* in the other order of bytes */
    bool fortran;   /* the first mode runs fastest, else the last */
    int order;
    int64_t dimension[ORDER_MAX];
    int64_t n; /* elements */
    const char *data;
};

/* What the n bytes hold, which begin as a file does.  NULL, or why it is nothing that can be read
 * ("is an array of Python objects"). */
const char *npy_parse(const char *bytes, int64_t n, struct npy *array);

/* Let the last mode run fastest; the elements are copied to room for them. */
void npy_transpose(struct npy *array, char *room);

/* Returns an element as an integer of 64 bits; false: it is none. */
bool npy_index(const struct npy *array, int64_t at, int64_t *index);

/* The elements [from, from + n) as values of a type.  RT_INPUT: one of them is none. */
enum rt_status npy_values(const struct input *input, const struct npy *array, int64_t from,
                          int64_t n, enum type type, void *to, struct rt_error *error);

/* The type that a list of its values has, or, if that is not asked for, the array's.  RT_INPUT:
 * there is none. */
enum rt_status npy_value_type(const struct input *input, const struct npy *array, enum type *type,
                              struct rt_error *error);

/* All elements of an array as a list, which is empty. */
enum rt_status npy_read(const struct input *input, const struct npy *array, struct coords *coords,
                        struct rt_error *error);

/* How a file begins that holds an array with these sizes, the last mode running fastest; without a
 * type it is text of this many bytes. */
enum { NPY_HEAD = 1024 };
size_t npy_head(char head[NPY_HEAD], enum type type, int text, int order, const int64_t *dimension);

/* All components of a tensor, the last mode running fastest, in memory that is the caller's. */
enum rt_status npy_dense(const struct tensor *tensor, const struct io_writing *how, char **vals,
                         int64_t *n, struct rt_error *error);

#endif
