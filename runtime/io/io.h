/* io.h - tensors in files.
 *
 *     .mtx       Matrix Market: coordinate and array; real, double, integer, pattern, complex; general, symmetric,
 *                skew-symmetric, hermitian
 *     .tns       FROSTT: a line for each entry, its coordinates from 1 and its value; no sizes
 *     .mtx.gz    each of them compressed
 *     -          standard input or output, as a .tns file unless the format is given
 *
 * Reading gives a list of coordinates with duplicates as they are in the file; tensor_pack sums them.  Writing goes to a
 * temporary file in the same directory, which takes the name when it is complete.
 *
 * Messages begin with the file's name, line and column where there is one: "x.mtx:3:7: ...".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_IO_H
#define SPCC_IO_IO_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/tensor/tensor.h"

/* Called now and then while something long is being done, from the thread that called io_read or io_write. */
struct io_progress {
    void (*report)(void *data, const char *what, int64_t done, int64_t total);   /* "reading", bytes; NULL: nobody */
    void *data;
};

struct io_request {
    enum type type;              /* of the values; TYPE_COUNT: as in the file (f64 where it does not say) */
    int order;                   /* -1: as in the file */
    const int64_t *dimension;    /* sizes of the modes, as many as order, -1 where not known; NULL: none is known */
    const char *format;          /* "mtx", "tns.gz"; NULL: by the file's name */
    const struct value *fill;    /* components of a dense file that equal it are left out; NULL: none are */
    const char *tensor;          /* its name, for messages; may be NULL */
    int threads;                 /* 0: one for each processor */
    struct io_progress progress;
};

/* Read a file; the list, which is overwritten, is for coords_free if RT_OK is returned.  A vector may be read from a matrix
 * with one row or one column, a scalar from one with one component.
 * RT_INPUT: DIAG_FILE_OPEN, DIAG_FILE_FORMAT, DIAG_SIZE (sizes that are not those known), DIAG_ORDER, DIAG_LIMIT. */
enum rt_status io_read(const char *path, const struct io_request *request, struct coords *coords,
                       struct rt_error *error);

/* The same from size bytes in memory, which are not compressed; path is for messages. */
enum rt_status io_read_text(const char *path, const char *text, size_t size, const struct io_request *request,
                            struct coords *coords, struct rt_error *error);

/* Write the components that differ from the fill, and of a scalar its one.  format: as in io_request.  RT_SYSTEM: the disk
 * is full and the like; the file is then as it was before. */
enum rt_status io_write(const char *path, const char *format, const struct tensor *tensor,
                        struct io_progress progress, struct rt_error *error);

#endif
