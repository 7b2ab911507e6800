/* npz_write.c - writes .npz files, which scipy.sparse.load_npz reads, or numpy.load if the tensor
 * is dense.
 *
 * A matrix is csr, or csc, if its first level has every row, or column; any other is coo.  A
 * tensor of another order is a coo array.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/npz.h"

#include "runtime/io/entries.h"
#include "runtime/io/npy.h"
#include "runtime/io/zip.h"
#include "runtime/tensor/alloc.h"

struct writing {
    const struct tensor *tensor;
    struct zip_writer zip;
    int64_t n;       /* number of entries */
    enum type index; /* i32, or i64 if i32 does not suffice */
    /* mode by mode */
    void *coordinate[ORDER_MAX];
    char *vals;
};

static void add_array(struct writing *w, const char *name, enum type type, int order,
                      const int64_t *dimension, const void *bytes)
{
    char head[NPY_HEAD];
    size_t n = type_size(type);
    for (int m = 0; m < order; m++)
        n *= (size_t)dimension[m];
    zip_add(&w->zip, name, head, npy_head(head, type, 0, order, dimension), bytes, n);
}

static void add_word(struct writing *w, const char *name, const char *word)
{
    char head[NPY_HEAD];
    int n = (int)strlen(word);
    zip_add(&w->zip, name, head, npy_head(head, TYPE_COUNT, n, 0, NULL), word, (size_t)n);
}

static void put_index(const struct writing *w, void *array, int64_t at, int64_t index)
{
    if (w->index == TYPE_I32)
        ((int32_t *)array)[at] = (int32_t)index;
    else
        ((int64_t *)array)[at] = index;
}

/* ---- the entries ---- */

static enum type index_type(const struct tensor *tensor, int64_t n)
{
    bool small = n < INT32_MAX;
    for (int m = 0; m < tensor->order; m++)
        small &= tensor->dimension[m] < INT32_MAX;
    return small ? TYPE_I32 : TYPE_I64;
}

static enum rt_status take_entries(struct writing *w, struct rt_error *error)
{
    struct entries entries;
    struct entries_walk walk;
    const struct tensor *tensor = w->tensor;
    size_t size = type_size(tensor->type);
    enum rt_status status = entries_open(&entries, tensor, output_asks(w->zip.output), error);
    if (status == RT_OK) {
        w->n = entries_count(&entries);
        w->index = index_type(tensor, w->n);
        bool there = (w->vals = rt_array(w->n, size));
        /* adjacent, as in coords */
        there &= (w->coordinate[0] = rt_array(w->n, type_size(w->index) * (size_t)tensor->order))
                 != NULL;
        status = there ? RT_OK : rt_no_memory(error);
    }
    for (int m = 1; m < tensor->order && status == RT_OK; m++)
        w->coordinate[m] = (char *)w->coordinate[m - 1] + (size_t)w->n * type_size(w->index);
    if (status == RT_OK) {
        int64_t i = 0;
        for (entries_walk(&walk, &entries, 0, entries.places); entries_next(&walk); i++) {
            for (int m = 0; m < tensor->order; m++)
                put_index(w, w->coordinate[m], i, walk.coordinate[m]);
            memcpy(w->vals + (size_t)i * size, walk.value, size);
        }
    }
    entries_close(&entries);
    return status;
}

/* ---- formats ---- */

static int64_t coordinate_of(const struct writing *w, int mode, int64_t entry)
{
    return w->index == TYPE_I32 ? ((const int32_t *)w->coordinate[mode])[entry]
                                : ((const int64_t *)w->coordinate[mode])[entry];
}

/* Returns the mode whose coordinates the first level has all, with the entries in its order.  -1 if
 * there is none. */
static int outer_mode(const struct writing *w)
{
    const struct format *format = w->tensor->format;
    int mode = w->tensor->order == 2 && level_has(&format->level[0], LEVEL_FULL)
                   ? format->level[0].mode
                   : -1;
    for (int64_t i = 1; i < w->n && mode >= 0; i++)
        if (coordinate_of(w, mode, i) < coordinate_of(w, mode, i - 1))
            return -1;
    return mode;
}

static void add_pointers(struct writing *w, int outer, int64_t *pointers)
{
    int64_t rows = w->tensor->dimension[outer], row = 0;
    void *array = pointers;
    for (int64_t i = 0; i < w->n; i++) {
        int64_t at = coordinate_of(w, outer, i);
        while (row <= at)
            put_index(w, array, row++, i);
    }
    while (row <= rows)
        put_index(w, array, row++, w->n);
    add_array(w, "indices.npy", w->index, 1, &w->n, w->coordinate[1 - outer]);
    add_array(w, "indptr.npy", w->index, 1, &(int64_t){rows + 1}, array);
}

static enum rt_status write_sparse(struct writing *w, struct rt_error *error)
{
    const struct tensor *tensor = w->tensor;
    enum rt_status status = take_entries(w, error);
    if (status != RT_OK)
        return status;
    int outer = outer_mode(w);
    if (outer >= 0) {
        int64_t *pointers = rt_array(tensor->dimension[outer] + 1, sizeof *pointers);
        if (!pointers)
            return rt_no_memory(error);
        add_pointers(w, outer, pointers);
        free(pointers);
    } else if (tensor->order == 2) {
        add_array(w, "row.npy", w->index, 1, &w->n, w->coordinate[0]);
        add_array(w, "col.npy", w->index, 1, &w->n, w->coordinate[1]);
    } else
        add_array(w, "coords.npy", w->index, 2, (const int64_t[]){tensor->order, w->n},
                  w->coordinate[0]);
    add_word(w, "format.npy", outer < 0 ? "coo" : outer == 0 ? "csr" : "csc");
    add_array(w, "shape.npy", TYPE_I64, 1, &(int64_t){tensor->order}, tensor->dimension);
    add_array(w, "data.npy", tensor->type, 1, &w->n, w->vals);
    if (tensor->order != 2)
        add_array(w, "_is_array.npy", TYPE_BOOL, 0, NULL, &(bool){true});
    return RT_OK;
}

static enum rt_status write_dense(struct writing *w, struct rt_error *error)
{
    const struct tensor *tensor = w->tensor;
    int64_t n;
    enum rt_status status = npy_dense(tensor, output_asks(w->zip.output), &w->vals, &n, error);
    if (status == RT_OK)
        add_array(w, "arr_0.npy", tensor->type, tensor->order, tensor->dimension, w->vals);
    return status;
}

enum rt_status npz_write(struct output *output, const struct tensor *tensor, struct rt_error *error)
{
    struct writing w = {.tensor = tensor};
    zip_begin(&w.zip, output);
    bool is_dense = tensor->order == 0 || format_is_dense(tensor->format);
    enum rt_status status = is_dense ? write_dense(&w, error) : write_sparse(&w, error);
    enum rt_status ended = zip_end(&w.zip, error);
    free(w.coordinate[0]);
    free(w.vals);
    return status == RT_OK ? ended : status;
}
