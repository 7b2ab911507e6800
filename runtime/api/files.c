/* files.c - reads tensors from files, and writes them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/api/tensor.h"
#include "runtime/file/scratch.h"
#include "runtime/io/io.h"

struct reading {
    const char *path, *format;
    spcc_type type;
    const spcc_read_options *options;
    struct making m;
};

/* Returns the status of files for any fault of a file, also if its code is one of sizes or orders.
 */
static spcc_status file_status(struct context *cx, const struct rt_error *error)
{
    spcc_status status = api_fail(cx, error);
    return status == SPCC_ERROR_STATEMENT ? SPCC_ERROR_FILE : status;
}

static spcc_status read_coords(struct spcc_context *api, struct context *cx, struct reading *a,
                               const spcc_read_options *o, const struct tensor_plan *plan)
{
    struct rt_error error;
    struct coords coords;
    struct io_facts facts = {.sized = false};
    /* a format that stores every component gets an array's as they are, -0 among them */
    bool stores_all = !a->format || (o->order > 0 && format_is_full(plan->format));
    struct io_request request = {.type = o->own_type ? TYPE_COUNT : plan->type,
                                 .order = o->order > 0 ? o->order
                                          : o->scalar  ? 0
                                                       : -1,
                                 .dimension = o->order > 0 ? o->dimensions : NULL,
                                 .fill = stores_all ? NULL : &plan->fill,
                                 .tensor = o->name,
                                 .threads = api->threads,
                                 .zero_based = o->zero_based,
                                 .facts = &facts};
    double start = api_now_ms();
    if (io_read(a->path, &request, &coords, &error) != RT_OK)
        return file_status(cx, &error);
    a->m.info.read_ms = api_now_ms() - start;
    a->m.info.sized = facts.sized;
    a->m.info.pattern = facts.pattern;
    a->m.info.symmetry = (int)facts.symmetry;
    a->m.coords = coords;
    return SPCC_OK;
}

static spcc_status read_file(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct reading *a = arguments;
    struct tensor_plan plan;
    struct rt_error error;
    spcc_read_options o = {0};
    if (!a->path)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "spcc_tensor_read: there is no path");
    if (!api_options(cx, "spcc_read_options", &o, sizeof o, a->options))
        return SPCC_ERROR_ARGUMENT;
    if (o.order < 0 || (o.dimensions && o.order == 0))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "spcc_read_options: dimensions need their order");
    if (o.scalar && o.order > 0)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "spcc_read_options: a scalar has the order 0");
    /* faults of the arguments are told before the file is read */
    spcc_type type = o.own_type ? SPCC_F64 : a->type;
    spcc_status status = api_plan(api, cx, o.order > 0 ? a->format : NULL, type, o.order, NULL,
                                  o.fill, o.name, &plan);
    api->file = api_printable(cx, a->path);
    if (status == SPCC_OK)
        status = read_coords(api, cx, a, &o, &plan);
    if (status == SPCC_OK)
        status = api_plan(api, cx, a->m.coords.order > 0 ? a->format : NULL,
                          api_type_of(a->m.coords.type), a->m.coords.order, a->m.coords.dimension,
                          o.fill, o.name, &plan);
    if (status != SPCC_OK)
        return status;
    double start = api_now_ms();
    enum rt_status packed = api_pack(api, &a->m, &plan, &error);
    a->m.info.pack_ms = api_now_ms() - start;
    return packed == RT_OK ? api_wrap(api, cx, &a->m) : file_status(cx, &error);
}

spcc_status spcc_tensor_read(spcc_context *context, const char *path, const char *format,
                             spcc_type type, const spcc_read_options *options, spcc_tensor **tensor)
{
    struct reading a = {.path = path, .format = format, .type = type, .options = options};
    return api_make(context, read_file, &a, &a.m, tensor);
}

/* ---- writing ---- */

struct writing {
    const char *path, *text;
    const struct spcc_tensor *tensor;
    const spcc_write_options *options;
    struct tensor *together; /* the tensor that its parts make together */
};

static spcc_status write_tensor(struct context *cx, struct writing *a, const struct io_writing *how)
{
    struct rt_error error;
    if (!a->tensor->sized)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tensor_write: the sizes of the tensor are not known yet");
    const struct tensor *all;
    enum rt_status status = api_together(a->tensor, how->threads, &all, &a->together, &error);
    if (status == RT_OK)
        status = io_write(a->path, how, all, &error);
    return status == RT_OK ? SPCC_OK : file_status(cx, &error);
}

static spcc_status write_text(struct context *cx, const struct writing *a,
                              const struct io_writing *how)
{
    struct rt_error error;
    enum rt_status status = io_write_bytes(a->path, how, a->text, strlen(a->text), &error);
    return status == RT_OK ? SPCC_OK : file_status(cx, &error);
}

static spcc_status write_file(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct writing *a = arguments;
    spcc_write_options o = {0};
    if (!a->path || !(a->tensor || a->text))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "there is no %s to write",
                         a->path ? "tensor or text" : "path");
    if (!api_options(cx, "spcc_write_options", &o, sizeof o, a->options))
        return SPCC_ERROR_ARGUMENT;
    if (o.symmetry < SPCC_GENERAL || o.symmetry > SPCC_HERMITIAN)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "spcc_write_options: the symmetry %d is none",
                         (int)o.symmetry);
    struct io_writing how = {.threads = api->threads,
                             .sync = o.sync,
                             .zero_based = o.zero_based,
                             .pattern = o.pattern,
                             .drop_zeros = o.drop_zeros,
                             .symmetry = (enum io_symmetry)o.symmetry};
    api->file = api_printable(cx, a->path);
    return a->tensor ? write_tensor(cx, a, &how) : write_text(cx, a, &how);
}

spcc_status spcc_tensor_write_with(spcc_context *context, const spcc_tensor *tensor,
                                   const char *path, const spcc_write_options *options)
{
    struct writing a = {.path = path, .tensor = tensor, .options = options};
    spcc_status status = api_call(context, write_file, &a);
    tensor_free(a.together);
    return status;
}

spcc_status spcc_tensor_write(spcc_context *context, const spcc_tensor *tensor, const char *path)
{
    return spcc_tensor_write_with(context, tensor, path, NULL);
}

spcc_status spcc_text_write(spcc_context *context, const char *text, const char *path,
                            const spcc_write_options *options)
{
    struct writing a = {.path = path, .text = text, .options = options};
    return api_call(context, write_file, &a);
}

spcc_sized spcc_path_sized(const char *path)
{
    return path ? (spcc_sized)io_path_sizes(path) : SPCC_UNSIZED;
}

bool spcc_file_is_array(const char *path) { return path && io_is_array(path); }

void spcc_clean_up(void) { scratch_clean_up(); }
