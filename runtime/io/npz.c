/* npz.c - .npz files: zip archives of NumPy's arrays.
 *
 *     format, shape, data, indices, indptr      a matrix as scipy.sparse.save_npz writes it: csr,
 *                                               csc, bsr; data in blocks
 *     format, shape, data, offsets              dia; offsets of the diagonals
 *     format, shape, data, row, col             coo
 *     format, shape, data, coords               coo of any order: a row of coords for each mode
 *     shape, data, coords, fill_value           the same as the package sparse (pydata) writes it
 *     one array of any name                     dense, as numpy.savez writes it
 *
 * Each array is a .npy file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>

#include "runtime/io/archive.h"
#include "runtime/io/matrix.h"
#include "runtime/io/npy.h"
#include "runtime/io/npz.h"
#include "runtime/tensor/alloc.h"

enum { ARRAYS = 8, LISTED = 300 };

struct loaded {
    char *bytes;
    struct npy array;
};

struct reading {
    const struct input *input;
    struct archive archive;
    struct loaded loaded[ARRAYS];
    int n;
    struct coords *coords;
    struct rt_error *error;
};

static enum rt_status refuse_npz(const struct reading *r, const char *what)
{
    return input_fail(r->input, r->input->text, DIAG_FILE_FORMAT, r->error, "%s", what);
}

/* ---- arrays ---- */

static const struct archive_member *find_member(const struct reading *r, const char *name)
{
    size_t n = strlen(name);
    for (int64_t i = 0; i < r->archive.members; i++) {
        const char *called = r->archive.member[i].name;
        if (strncmp(called, name, n) == 0 && strcmp(called + n, ".npy") == 0)
            return &r->archive.member[i];
    }
    return NULL;
}

static enum rt_status read_bytes(struct reading *r, const struct archive_member *member,
                                 struct loaded *loaded)
{
    struct source_part part;
    struct file_source *source = NULL;
    int64_t got = 0;
    enum rt_status status = archive_enter(&r->archive, member, &part, r->error);
    if (status != RT_OK)
        return status;
    loaded->bytes = rt_array(member->unpacked, 1);
    if (!loaded->bytes)
        return memory_fail("an array of the file", 0, r->error);
    status = source_open_part(&source, r->archive.source, r->input->path, &part, r->error);
    if (status == RT_OK)
        status = source_read(source, loaded->bytes, member->unpacked, &got, r->error);
    if (status == RT_OK)
        status = source_check(source, r->error);
    source_close(source);
    const char *why = status == RT_OK ? npy_parse(loaded->bytes, got, &loaded->array) : NULL;
    if (why)
        return input_fail(r->input, r->input->text, DIAG_FILE_FORMAT, r->error, "%.80s %s",
                          member->name, why);
    if (status != RT_OK || !loaded->array.fortran || loaded->array.order < 2)
        return status;
    char *room = rt_array(loaded->array.n, (size_t)loaded->array.bytes);
    if (!room)
        return memory_fail("an array of the file", 0, r->error);
    npy_transpose(&loaded->array, room);
    free(loaded->bytes);
    loaded->bytes = room;
    return RT_OK;
}

static enum rt_status load_member(struct reading *r, const struct archive_member *member,
                                  const struct npy **array)
{
    struct loaded *loaded = &r->loaded[r->n++];
    *array = &loaded->array;
    return read_bytes(r, member, loaded);
}

/* Loads the array of that name, which must exist and have this many modes (-1: any). */
static enum rt_status load_array(struct reading *r, const char *name, int order,
                                 const struct npy **array)
{
    const struct archive_member *member = find_member(r, name);
    if (!member)
        return input_fail(r->input, r->input->text, DIAG_FILE_FORMAT, r->error,
                          "the file has no array %s", name);
    enum rt_status status = load_member(r, member, array);
    if (status == RT_OK && order >= 0 && (*array)->order != order)
        return input_fail(r->input, r->input->text, DIAG_FILE_FORMAT, r->error,
                          "the array %s has the order %d, not %d", name, (*array)->order, order);
    return status;
}

/* Reads an element within [0, limit). */
static enum rt_status index_of(const struct reading *r, const struct npy *array, int64_t at,
                               int64_t limit, const char *name, int64_t *index)
{
    if (npy_index(array, at, index) && *index >= 0 && *index < limit)
        return RT_OK;
    return input_fail(r->input, r->input->text, DIAG_FILE_FORMAT, r->error,
                      "element %" PRId64 " of %s is no integer from 0 to %" PRId64, at, name,
                      limit - 1);
}

/* ---- the list ---- */

/* Reads the matrix's sizes and the type of its values, and makes room for n entries. */
static enum rt_status begin_matrix(struct reading *r, const struct npy *shape,
                                   const struct npy *data)
{
    int64_t dimension[ORDER_MAX] = {0};
    enum type type;
    enum rt_status status = npy_value_type(r->input, data, &type, r->error);
    if (status == RT_OK && (shape->order != 1 || shape->n > ORDER_MAX || shape->n < 1))
        status = refuse_npz(r, "shape is no list of sizes");
    for (int64_t m = 0; status == RT_OK && m < shape->n; m++)
        status = index_of(r, shape, m, INT64_MAX, "shape", &dimension[m]);
    if (status == RT_OK)
        coords_init(r->coords, (int)shape->n, dimension, type);
    return status;
}

static enum rt_status need_matrix(const struct reading *r, bool or_vector)
{
    return r->coords->order == 2 || (or_vector && r->coords->order == 1)
               ? RT_OK
               : refuse_npz(r, "shape has not two sizes, as a matrix has");
}

/* Takes n entries, and their values, which are the first ones of data. */
static enum rt_status take_values(struct reading *r, const struct npy *data, int64_t n)
{
    if (n > data->n)
        return refuse_npz(r, "data has fewer values than there are entries");
    if (!coords_reserve(r->coords, n))
        return rt_no_memory(r->error);
    r->coords->n = n;
    return npy_values(r->input, data, 0, n, r->coords->type, r->coords->vals, r->error);
}

/* Takes coordinates of mode m from an array. */
static enum rt_status take_coordinates(struct reading *r, const struct npy *array, int64_t from,
                                       int m, const char *name)
{
    enum rt_status status = RT_OK;
    for (int64_t i = 0; i < r->coords->n && status == RT_OK; i++)
        status = index_of(r, array, from + i, r->coords->dimension[m], name,
                          &r->coords->coordinate[m][i]);
    return status;
}

/* ---- SciPy's formats ---- */

/* Returns the first and the last position of a row of positions, which must not fall. */
static enum rt_status row_of(const struct reading *r, const struct npy *indptr, int64_t row,
                             int64_t end, int64_t *from, int64_t *to)
{
    enum rt_status status = index_of(r, indptr, row, end + 1, "indptr", from);
    if (status == RT_OK)
        status = index_of(r, indptr, row + 1, end + 1, "indptr", to);
    if (status == RT_OK && (*to < *from || (row == 0 && *from != 0)))
        return refuse_npz(r, "indptr does not begin with 0, or falls");
    return status;
}

/* Reads csr or csc: `outer` is the mode of indptr.  Blocks have rows and columns of their own.  A
 * vector is a row without a mode for it. */
static enum rt_status read_compressed(struct reading *r, const struct npy *data, int outer)
{
    const struct npy *indices, *indptr;
    const int64_t block[2] = {data->order == 3 ? data->dimension[1] : 1,
                              data->order == 3 ? data->dimension[2] : 1};
    bool is_vector = r->coords->order == 1;
    const int64_t *own = r->coords->dimension, size[2] = {is_vector ? 1 : own[0], own[!is_vector]};
    enum rt_status status = load_array(r, "indices", 1, &indices);
    if (status == RT_OK)
        status = load_array(r, "indptr", 1, &indptr);
    if (status != RT_OK)
        return status;
    if (block[0] < 1 || block[1] < 1 || size[0] % block[0] || size[1] % block[1])
        return refuse_npz(r, "shape is no whole number of blocks");
    int64_t rows = size[outer] / block[outer], columns = size[1 - outer] / block[1 - outer];
    int64_t blocks = 0, each = block[0] * block[1], n = 0;
    if (indptr->n != rows + 1)
        return refuse_npz(r, "indptr has not one element more than there are rows");
    status = index_of(r, indptr, rows, indices->n + 1, "indptr", &blocks);
    if (status == RT_OK)
        status = blocks > data->n / each
                     ? refuse_npz(r, "data has fewer values than there are entries")
                     : take_values(r, data, blocks * each);
    for (int64_t row = 0, from, to; row < rows && status == RT_OK; row++) {
        status = row_of(r, indptr, row, blocks, &from, &to);
        for (int64_t k = from, column; status == RT_OK && k < to; k++) {
            status = index_of(r, indices, k, columns, "indices", &column);
            for (int64_t e = 0; e < each && status == RT_OK; e++, n++) {
                if (!is_vector)
                    r->coords->coordinate[outer][n] = row * block[outer] + e / block[1];
                r->coords->coordinate[is_vector ? 0 : 1 - outer][n] =
                    column * block[1 - outer] + e % block[1];
            }
        }
    }
    return status;
}

/* data[k, j] is the component (j - offsets[k], j). Outside of the matrix it is ignored, and so is a
 * 0, which only fills the row. */
static enum rt_status read_diagonals(struct reading *r, const struct npy *data)
{
    const struct npy *offsets;
    struct coords *coords = r->coords;
    struct value zero = value_zero(coords->type);
    enum rt_status status = load_array(r, "offsets", -1, &offsets);
    if (status != RT_OK)
        return status;
    if (data->order != 2 || offsets->n != data->dimension[0])
        return refuse_npz(r, "data has not a row for each of offsets");
    status = take_values(r, data, data->n);
    int64_t kept = 0;
    for (int64_t p = 0; status == RT_OK && p < data->n; p++) {
        int64_t offset, row, column = p % data->dimension[1];
        if (!npy_index(offsets, p / data->dimension[1], &offset))
            return refuse_npz(r, "offsets are no integers");
        if (__builtin_sub_overflow(column, offset, &row) || row < 0 || row >= coords->dimension[0]
            || column >= coords->dimension[1]
            || value_is_filling(zero,
                                (const char *)coords->vals + (size_t)p * type_size(zero.type)))
            continue;
        coords->coordinate[0][p] = row;
        coords->coordinate[1][p] = column;
        coords_move(coords, kept++, p);
    }
    coords->n = status == RT_OK ? kept : 0;
    return status;
}

/* Reads coords, which has a row for each mode. */
static enum rt_status read_coordinates(struct reading *r, const struct npy *data)
{
    const struct npy *all;
    enum rt_status status = load_array(r, "coords", 2, &all);
    if (status == RT_OK && (all->dimension[0] != r->coords->order || all->dimension[1] != data->n))
        return refuse_npz(r, "coords has not a row for each mode, and a column for each value");
    if (status == RT_OK)
        status = take_values(r, data, data->n);
    for (int m = 0; m < r->coords->order && status == RT_OK; m++)
        status = take_coordinates(r, all, m * data->n, m, "coords");
    return status;
}

static enum rt_status read_pairs(struct reading *r, const struct npy *data)
{
    static const char *const names[] = {"row", "col"};
    const struct npy *array[2];
    enum rt_status status = take_values(r, data, data->n);
    for (int m = 0; m < 2 && status == RT_OK; m++) {
        status = load_array(r, names[m], 1, &array[m]);
        if (status == RT_OK && array[m]->n != data->n)
            return refuse_npz(r, "row, col and data have not the same lengths");
        if (status == RT_OK)
            status = take_coordinates(r, array[m], 0, m, names[m]);
    }
    return status;
}

/* Reads a word such as "csr", of bytes or of UCS-4. */
static void read_word(const struct npy *array, char word[8])
{
    int step = array->kind == 'U' ? 4 : 1, n = array->bytes / step;
    memset(word, 0, 8);
    for (int i = 0; i < n && i < 7 && (array->kind == 'S' || array->kind == 'U') && array->n > 0;
         i++)
        word[i] = array->data[i * step + (array->swapped ? step - 1 : 0)];
}

static enum rt_status read_scipy(struct reading *r)
{
    const struct npy *format, *shape, *data;
    char word[8];
    enum rt_status status = load_array(r, "format", 0, &format);
    if (status == RT_OK)
        status = load_array(r, "shape", 1, &shape);
    if (status == RT_OK)
        status = load_array(r, "data", -1, &data);
    if (status == RT_OK)
        status = begin_matrix(r, shape, data);
    if (status != RT_OK)
        return status;
    read_word(format, word);
    bool is_coo = strcmp(word, "coo") == 0;
    if (is_coo && find_member(r, "coords"))
        return read_coordinates(r, data);
    status = need_matrix(r, strcmp(word, "csr") == 0);
    if (status != RT_OK)
        return status;
    int order = strcmp(word, "bsr") == 0 ? 3 : strcmp(word, "dia") == 0 ? 2 : 1;
    if (data->order != order)
        return refuse_npz(r, "data has not the order that format asks for");
    if (is_coo)
        return read_pairs(r, data);
    if (order == 3 || strcmp(word, "csr") == 0)
        return read_compressed(r, data, 0);
    if (strcmp(word, "csc") == 0)
        return read_compressed(r, data, 1);
    return order == 2 ? read_diagonals(r, data)
                      : refuse_npz(r, "format is none of csr, csc, bsr, dia and coo");
}

/* ---- other arrays ---- */

/* The fill value must be the tensor's fill. */
static enum rt_status check_fill(struct reading *r)
{
    const struct value *asked = r->input->request->fill;
    enum type type = r->coords->type;
    const struct npy *array;
    char at[16];
    if (!find_member(r, "fill_value"))
        return RT_OK;
    enum rt_status status = load_array(r, "fill_value", 0, &array);
    if (status == RT_OK)
        status = npy_values(r->input, array, 0, 1, type, at, r->error);
    struct value fill = asked ? value_convert(*asked, type) : value_zero(type);
    if (status != RT_OK || value_is_stored(fill, at))
        return status;
    char shown[64];
    value_print(value_load(type, at), shown, sizeof shown);
    return input_fail(r->input, r->input->text, DIAG_FILE_FORMAT, r->error,
                      "components that are not stored are %s, which is not the tensor's fill",
                      shown);
}

static enum rt_status read_pydata(struct reading *r)
{
    const struct npy *shape, *data;
    if (find_member(r, "compressed_axes"))
        return refuse_npz(r, "the file holds a GCXS array; save it as COO, with asformat('coo')");
    enum rt_status status = load_array(r, "shape", 1, &shape);
    if (status == RT_OK)
        status = load_array(r, "data", 1, &data);
    if (status == RT_OK)
        status = begin_matrix(r, shape, data);
    if (status == RT_OK)
        status = check_fill(r);
    return status == RT_OK ? read_coordinates(r, data) : status;
}

static enum rt_status fail_several(struct reading *r)
{
    char list[LISTED + 8] = "";
    size_t n = 0;
    for (int64_t i = 0; i < r->archive.members; i++) {
        const char *name = r->archive.member[i].name;
        if (n + strlen(name) + 2 > LISTED) {
            snprintf(list + n, sizeof list - n, ", ...");
            break;
        }
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", name);
    }
    enum rt_status status = input_fail(
        r->input, r->input->text, DIAG_FILE_FORMAT, r->error,
        "the file holds neither one array nor a matrix of SciPy: it has %s", n ? list : "nothing");
    if (n > 0)
        rt_help(r->error, "name one of them, as in %.80s/%.120s", r->input->path,
                r->archive.member[0].name);
    return status;
}

static enum rt_status read_one(struct reading *r)
{
    const struct npy *array;
    enum rt_status status = load_member(r, &r->archive.member[0], &array);
    return status == RT_OK ? npy_read(r->input, array, r->coords, r->error) : status;
}

/* Fits a matrix to the order that is asked for. */
static enum rt_status fit_order(struct reading *r)
{
    struct coords *coords = r->coords;
    int order;
    enum rt_status status = matrix_check_order(r->input, r->input->text, coords->order,
                                               coords->dimension, &order, r->error);
    if (status == RT_OK && coords->order == 2)
        matrix_drop_modes(coords, order);
    if (status == RT_OK)
        input_found(r->input, (struct io_facts){.sized = true});
    return status;
}

static enum rt_status open_member(const struct input *input, struct archive *archive,
                                  struct rt_error *error)
{
    if (!source_can_seek(input->source)) {
        enum rt_status said = input_fail(
            input, input->text, DIAG_FILE_FORMAT, error,
            "an .npz file cannot be read through a pipe, from an archive, or compressed again");
        rt_help(error, "unpack it first");
        return said;
    }
    enum rt_status status = source_seek(input->source, 0, error);
    if (status == RT_OK)
        status = archive_open(archive, input->source, input->path, error);
    if (status == RT_OK && archive->kind != ARCHIVE_ZIP)
        return input_fail(input, input->text, DIAG_FILE_FORMAT, error,
                          "the file is no zip archive, as .npz files are");
    return status;
}

static bool has(const struct reading *r, const char *name) { return find_member(r, name) != NULL; }

static enum rt_status npz_read(struct input *input, struct coords *coords, struct rt_error *error)
{
    struct reading r = {.input = input, .coords = coords, .error = error};
    input->binary = true;
    enum rt_status status = open_member(input, &r.archive, error);
    if (status == RT_OK) {
        bool listed = has(&r, "data") && has(&r, "shape");
        bool scipy = listed && has(&r, "format"),
             pydata = listed && (has(&r, "coords") || has(&r, "compressed_axes"));
        status = scipy                    ? read_scipy(&r)
                 : pydata                 ? read_pydata(&r)
                 : r.archive.members == 1 ? read_one(&r)
                                          : fail_several(&r);
        if (status == RT_OK && (scipy || pydata))
            status = fit_order(&r);
    }
    for (int i = 0; i < r.n; i++)
        free(r.loaded[i].bytes);
    archive_close(&r.archive);
    return status;
}

static bool npz_is_array(const struct input *input)
{
    struct rt_error error;
    struct archive archive = {.kind = ARCHIVE_NONE};
    bool is_array = open_member(input, &archive, &error) == RT_OK && archive.members == 1;
    archive_close(&archive);
    return is_array;
}

const struct file_format file_format_npz = {
    .name = "npz",
    .sized = true,
    .holds_arrays = true,
    .is_array = npz_is_array,
    .read = npz_read,
    .write = npz_write,
};
