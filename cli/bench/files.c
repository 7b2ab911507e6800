/* files.c - spcc bench with files: packing lists of coordinates, reading, writing, and a kernel
 * from file to file.
 *
 * Components come in a random order, as in files that nobody has sorted.  A written file, or one
 * with a kernel's result, is read again and compared with the peer's.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/bench/bench.h"
#include "cli/bench/peers.h"
#include "cli/library.h"

struct bench_files {
    struct bench_entries list; /* what is packed or in the file, in a random order */
    void *values;              /* of the case's type */
    char in[160], out[160];
    spcc_tensor *made; /* by the last run */
    spcc_tensor *ones; /* the factor of a matrix product */
};

/* ---- the list ---- */

static void swap_entries(struct bench_entries *e, int64_t a, int64_t b)
{
    for (int m = 0; m < e->order; m++) {
        int64_t at = e->coordinates[a * e->order + m];
        e->coordinates[a * e->order + m] = e->coordinates[b * e->order + m];
        e->coordinates[b * e->order + m] = at;
    }
    double value = e->values[a];
    e->values[a] = e->values[b];
    e->values[b] = value;
}

static bool copy_entries(struct bench_entries *to, const struct bench_entries *from)
{
    size_t coordinates = (size_t)(from->n * from->order) * sizeof *from->coordinates;
    *to = *from;
    to->coordinates = malloc(coordinates + 1);
    to->values = malloc((size_t)from->n * sizeof *from->values + 1);
    if (!to->coordinates || !to->values)
        return false;
    memcpy(to->coordinates, from->coordinates, coordinates);
    memcpy(to->values, from->values, (size_t)from->n * sizeof *from->values);
    return true;
}

static void shuffle(struct bench_entries *e)
{
    uint64_t state = 3;
    for (int64_t k = e->n - 1; k > 0; k--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        swap_entries(e, k, (int64_t)((state >> 11) % (uint64_t)(k + 1)));
    }
}

static void *convert_values(const struct bench_case *c, const struct bench_entries *e)
{
    void *values = malloc((size_t)e->n * spcc_type_size(c->type) + 1);
    for (int64_t k = 0; values && k < e->n; k++)
        if (c->type == SPCC_F32)
            ((float *)values)[k] = (float)e->values[k];
        else
            ((double *)values)[k] = e->values[k];
    return values;
}

/* ---- a case ---- */

static spcc_status pack_case(spcc_context *context, const struct bench_case *c,
                             spcc_tensor **tensor)
{
    const struct bench_files *f = c->files;
    spcc_tensor_options options = {.size = sizeof options, .name = "A"};
    return spcc_tensor_from_coords(context, c->tensor[0].format, c->type, f->list.order,
                                   f->list.dimension, f->list.n, f->list.coordinates, f->values,
                                   &options, tensor);
}

/* Writes the input as a file, by columns as many matrix files are. */
static spcc_status write_input(spcc_context *context, const struct bench_case *c)
{
    const struct bench_files *f = c->files;
    spcc_tensor *list = NULL;
    spcc_status said = spcc_tensor_from_coords(context, f->list.order == 2 ? "csc" : "csf", c->type,
                                               f->list.order, f->list.dimension, f->list.n,
                                               f->list.coordinates, f->values, NULL, &list);
    if (said == SPCC_OK)
        said = spcc_tensor_write(context, list, f->in);
    spcc_tensor_free(list);
    return said;
}

/* Makes a vector with a value for each column of the matrix. */
static spcc_status make_ones(spcc_context *context, const struct bench_case *c, spcc_tensor **ones)
{
    int64_t columns = c->files->list.dimension[1];
    struct bench_entries e = {.n = columns, .values = malloc((size_t)columns * sizeof(double) + 1)};
    for (int64_t k = 0; e.values && k < columns; k++)
        e.values[k] = 1;
    void *values = e.values ? convert_values(c, &e) : NULL;
    spcc_status said =
        values ? spcc_tensor_dense(context, c->type, 1, &columns, values, ones) : SPCC_ERROR_MEMORY;
    free(values);
    free(e.values);
    return said;
}

static spcc_status prepare(spcc_context *context, struct bench_case *c)
{
    spcc_status said = pack_case(context, c, &c->tensor[0].is);
    if (said == SPCC_OK && (c->kernel->step == BENCH_READ || c->kernel->step == BENCH_RUN))
        said = write_input(context, c);
    if (said == SPCC_OK && c->kernel->step == BENCH_RUN)
        said = make_ones(context, c, &c->files->ones);
    return said;
}

enum cli_status bench_files_make(spcc_context *context, struct bench_case *c, const char *folder)
{
    struct bench_files *f = c->files = calloc(1, sizeof *f);
    struct bench_tensor *a = &c->tensor[0];
    if (!f || !copy_entries(&f->list, &c->input->entries)
        || !(f->values = convert_values(c, &f->list)))
        return library_no_memory();
    if (c->kernel->step == BENCH_PACK)
        shuffle(&f->list);
    *a = (struct bench_tensor){
        .name = "A", .order = f->list.order, .is_result = c->kernel->step != BENCH_WRITE};
    memcpy(a->dimension, f->list.dimension, sizeof a->dimension);
    snprintf(a->format, sizeof a->format, "%.*s", c->formats_length - 2, c->formats + 2);
    c->tensors = 1;
    snprintf(f->in, sizeof f->in, "%s/in%s", folder, c->kernel->sizes);
    snprintf(f->out, sizeof f->out, "%s/out%s", folder, c->kernel->sizes);
    return library_report(context, prepare(context, c));
}

void bench_files_free(struct bench_files *f)
{
    if (!f)
        return;
    free(f->list.coordinates);
    free(f->list.values);
    free(f->values);
    spcc_tensor_free(f->made);
    spcc_tensor_free(f->ones);
    free(f);
}

/* ---- a run ---- */

static spcc_status read_input(spcc_context *context, const struct bench_case *c)
{
    return spcc_tensor_read(context, c->files->in, c->tensor[0].format, c->type, NULL,
                            &c->files->made);
}

/* Runs the product; the cache has its kernel. */
static spcc_status run_product(spcc_context *context, const struct bench_case *c, spcc_tensor *y)
{
    struct bench_files *f = c->files;
    spcc_declaration declarations[] = {{.name = "y", .tensor = y},
                                       {.name = "A", .tensor = f->made},
                                       {.name = "x", .tensor = f->ones}};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = 3,
                                    .serial = c->serial};
    spcc_kernel *kernel = NULL;
    spcc_status said = spcc_compile(context, "y(i) = A(i,j) * x(j)", &options, &kernel);
    if (said == SPCC_OK)
        said = spcc_run(context, kernel, y, f->made, f->ones);
    spcc_kernel_free(kernel);
    return said;
}

static spcc_status run_file(spcc_context *context, const struct bench_case *c)
{
    spcc_tensor *y = NULL;
    spcc_status said = read_input(context, c);
    if (said == SPCC_OK)
        said = spcc_tensor_new(context, NULL, c->type, 1, c->files->list.dimension, NULL, &y);
    if (said == SPCC_OK)
        said = run_product(context, c, y);
    if (said == SPCC_OK)
        said = spcc_tensor_write(context, y, c->files->out);
    spcc_tensor_free(y);
    return said;
}

spcc_status bench_files_once(spcc_context *context, const struct bench_case *c)
{
    spcc_tensor_free(c->files->made);
    c->files->made = NULL;
    switch (c->kernel->step) {
    case BENCH_PACK: return pack_case(context, c, &c->files->made);
    case BENCH_READ: return read_input(context, c);
    case BENCH_WRITE: return spcc_tensor_write(context, c->tensor[0].is, c->files->out);
    case BENCH_RUN: return run_file(context, c);
    case BENCH_KERNEL: break;
    }
    return SPCC_OK;
}

/* Counts the bytes of the files, and of memory. */
static int64_t file_bytes(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (int64_t)about.st_size : 0;
}

int64_t bench_files_bytes(const struct bench_case *c)
{
    const struct bench_files *f = c->files;
    int64_t tensor = spcc_tensor_bytes(c->tensor[0].is);
    int64_t entry = (int64_t)sizeof(int64_t) * f->list.order + (int64_t)spcc_type_size(c->type);
    switch (c->kernel->step) {
    case BENCH_PACK: return tensor + f->list.n * entry;
    case BENCH_READ: return file_bytes(f->in);
    case BENCH_WRITE: return file_bytes(f->out);
    case BENCH_RUN: return file_bytes(f->in) + file_bytes(f->out);
    case BENCH_KERNEL: break;
    }
    return 0;
}

/* ---- peers ---- */

const char *bench_files_out(const struct bench_case *c) { return c->files->out; }

/* Describes the task: a list to pack, as arrays with coordinates of 64 bits, component after
 * component; or the file to read, whose end tells what to write. */
bool bench_files_describe(const struct bench_case *c, const char *folder, FILE *out)
{
    const struct bench_files *f = c->files;
    char path[160];
    if (c->kernel->step != BENCH_PACK) {
        return fprintf(out, "file %s\n", f->in) > 0;
    }
    snprintf(path, sizeof path, "%s/list.crd", folder);
    FILE *crd = fopen(path, "wb");
    size_t n = (size_t)(f->list.n * f->list.order), values = (size_t)f->list.n;
    bool is_whole = crd && fwrite(f->list.coordinates, sizeof(int64_t), n, crd) == n;
    is_whole = crd && fclose(crd) == 0 && is_whole;
    snprintf(path, sizeof path, "%s/list.vals", folder);
    FILE *vals = fopen(path, "wb");
    is_whole &= vals && fwrite(f->values, spcc_type_size(c->type), values, vals) == values;
    fprintf(out, "list %lld list.crd list.vals\n", (long long)f->list.n);
    return vals && fclose(vals) == 0 && is_whole;
}
