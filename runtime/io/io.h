/* io.h - tensors in files.
 *
 *     .mtx       Matrix Market: coordinate and array; real, double, integer, pattern, complex;
 *                general, symmetric, skew-symmetric, hermitian
 *     .ttx       the same of tensors of any order, as taco has it
 *     .rb        Rutherford-Boeing and Harwell-Boeing: assembled matrices; real, integer, pattern,
 *                complex; all symmetries
 *     .tns       FROSTT: a line for each entry, its coordinates from 1 and its value; no sizes, or
 *                ParTI's lines with them
 *     .edges     lists of edges: two nodes and perhaps a weight
 *     .npy       NumPy: every component of a tensor of any order
 *     .npz       SciPy's sparse matrices, NumPy's arrays
 *     .mtx.gz    each of them compressed; .bz2, .xz and .zst are read as well
 *     .zip .tar  archives: x.zip/a.mtx is a member, x.zip the only tensor there
 *     -          standard input, whose format is known by how it begins and .tns otherwise;
 *                standard output, as .tns
 *
 * Reading gives a list of coordinates with duplicates as they are in the file; tensor_pack sums
 * them.  A file that is written has its name when it is complete, or not at all.
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

/* Called now and then while something long is being done, from the thread that called io_read or
 * io_write. */
struct io_progress {
    /* "reading", bytes; NULL: nobody */
    void (*report)(void *data, const char *what, int64_t done, int64_t total);
    void *data;
};

/* Of which matrices a file holds one triangle. */
enum io_symmetry { IO_GENERAL, IO_SYMMETRIC, IO_SKEW, IO_HERMITIAN };

/* What a file says besides its entries. */
struct io_facts {
    /* the sizes are the file's, else they are those of the largest coordinates */
    bool sized;
    bool pattern; /* it has no values; each is 1 */
    enum io_symmetry symmetry;
};

struct io_request {
    /* of the values; TYPE_COUNT: as in the file (f64 where it does not say) */
    enum type type;
    int order; /* -1: as in the file */
    /* sizes of the modes, as many as order, -1 where not known; NULL: none is known */
    const int64_t *dimension;
    /* "mtx", "tns.gz"; NULL: by the file's name, or how standard input begins */
    const char *format;
    /* components of a dense file that equal it are left out; NULL: none are */
    const struct value *fill;
    const char *tensor;     /* its name, for messages; may be NULL */
    int threads;            /* 0: one for each processor */
    int64_t chunk;          /* bytes that one thread parses at a time; 0: as many as is good */
    bool zero_based;        /* coordinates of a .tns file begin at 0 */
    struct io_facts *facts; /* set if the file can be read; NULL: nobody wants to know */
    struct io_progress progress;
};

/* How a file is written.  Every field may be 0 or NULL. */
struct io_writing {
    const char *format; /* as in io_request */
    int threads;
    bool sync;       /* it is on the disk when io_write returns */
    bool zero_based; /* coordinates of a .tns file begin at 0 */
    bool pattern;    /* no values if they are all 1, where the format can */
    bool drop_zeros; /* stored components that equal the fill are left out */
    /* one triangle, where the format can; RT_INPUT if the matrix is not like that */
    enum io_symmetry symmetry;
    struct io_progress progress;
};

/* Does a file of that name say its sizes? */
enum io_sizes { IO_UNSIZED, IO_SIZED, IO_MAY_BE_SIZED };
enum io_sizes io_path_sizes(const char *path);

/* Does a file hold every component, as a Matrix Market array does, and not list those that it has
 * by their coordinates?  It is looked into; false where it cannot be read.  Of a pipe that is not
 * known without taking something from it, and false. */
bool io_is_array(const char *path);

/* Read a file; the list, which is overwritten, is for coords_free if RT_OK is returned.  A vector
 * may be read from a matrix with one row or one column, a scalar from one with one component.
 * RT_INPUT: DIAG_FILE_OPEN, DIAG_FILE_FORMAT, DIAG_SIZE (sizes that are not those known),
 * DIAG_ORDER, DIAG_LIMIT. */
enum rt_status io_read(const char *path, const struct io_request *request, struct coords *coords,
                       struct rt_error *error);

/* The same from size bytes in memory, which are not compressed; path is for messages. */
enum rt_status io_read_text(const char *path, const char *text, size_t size,
                            const struct io_request *request, struct coords *coords,
                            struct rt_error *error);

/* Write the components that are stored, and of a scalar its one; of dense tensors, and where the
 * fill may be padding (format_tells_padding), those that differ from the fill.  In a Matrix Market
 * file a dense tensor is an array.  RT_SYSTEM: the disk is full and the like; the file is then as
 * it was before. */
enum rt_status io_write(const char *path, const struct io_writing *how, const struct tensor *tensor,
                        struct rt_error *error);

/* The same of n bytes. */
enum rt_status io_write_bytes(const char *path, const struct io_writing *how, const void *bytes,
                              size_t n, struct rt_error *error);

#endif
