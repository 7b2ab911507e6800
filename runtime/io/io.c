/* io.c - reads and writes tensors in files.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/io.h"

#include <string.h>
#include <sys/stat.h>

#include "runtime/io/input.h"
#include "runtime/io/names.h"
#include "runtime/io/open.h"
#include "runtime/io/output.h"

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

enum io_sizes io_path_sizes(const char *path)
{
    struct file_name name = name_parse(path);
    if (!name.format)
        return IO_MAY_BE_SIZED;
    return name.format->sized ? IO_SIZED : IO_UNSIZED;
}

/* Nothing may be read from something that is no file in search of an archive's member. */
static bool is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

bool io_is_array(const char *path)
{
    const struct io_request request = {.type = TYPE_COUNT};
    struct rt_error error;
    struct opened opened;
    struct input input;
    bool is_array = false;
    const char *name = is_standard(path) ? "/dev/stdin" : path;
    if (is_pipe(name))
        return false;
    if (open_path(&opened, name, NULL, &error) == RT_OK && opened.format->is_array) {
        is_array =
            input_open(&input, opened_source(&opened), opened.shown, &request, &error) == RT_OK
            && opened.format->is_array(&input);
        input_close(&input);
    }
    opened_close(&opened);
    return is_array;
}

static enum rt_status read_opened(struct opened *opened, const struct io_request *request,
                                  struct coords *coords, struct rt_error *error)
{
    struct input input;
    enum rt_status status =
        input_open(&input, opened_source(opened), opened->shown, request, error);
    if (status == RT_OK)
        status = opened->format->read(&input, coords, error);
    input_close(&input);
    if (status != RT_OK)
        coords_free(coords);
    return status;
}

enum rt_status io_read(const char *path, const struct io_request *request, struct coords *coords,
                       struct rt_error *error)
{
    struct opened opened;
    coords_init(coords, 0, NULL, TYPE_F64);
    enum rt_status status = open_path(&opened, path, request->format, error);
    if (status == RT_OK)
        status = read_opened(&opened, request, coords, error);
    opened_close(&opened);
    return status;
}

enum rt_status io_read_text(const char *path, const char *text, size_t size,
                            const struct io_request *request, struct coords *coords,
                            struct rt_error *error)
{
    struct opened opened;
    coords_init(coords, 0, NULL, TYPE_F64);
    if (size > INT64_MAX)
        return rt_no_memory(error);
    enum rt_status status = open_text(&opened, path, text, (int64_t)size, request->format, error);
    if (status == RT_OK)
        status = read_opened(&opened, request, coords, error);
    opened_close(&opened);
    return status;
}

/* ---- writing ---- */

static enum rt_status find_output(const char *path, const char *named, struct file_name *name,
                                  struct rt_error *error)
{
    *name = name_parse(named ? named : path);
    if (!named && !name->format && path_is_stream(path))
        *name = name_parse(file_format_tns.name);
    if (name->format && (!name->codec || name->codec == &codec_gzip))
        return RT_OK;
    enum rt_status status =
        !named && name->format
            ? rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                      "%.400s: files are not written compressed by %s", path, name->codec->name)
        : named ? rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT, "%.40s is not a file format", named)
                : rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                          "%.400s: the name does not give the file format", path);
    name_help(error);
    return status;
}

enum rt_status io_write(const char *path, const struct io_writing *how, const struct tensor *tensor,
                        struct rt_error *error)
{
    struct file_name name;
    struct output *output;
    enum rt_status status = find_output(path, how->format, &name, error);
    if (status == RT_OK)
        status = output_open(&output, path, name.codec != NULL, how, error);
    if (status != RT_OK)
        return status;
    return output_close(output, name.format->write(output, tensor, error), error);
}

enum rt_status io_write_bytes(const char *path, const struct io_writing *how, const void *bytes,
                              size_t n, struct rt_error *error)
{
    struct output *output;
    enum rt_status status = output_open(&output, path, false, how, error);
    if (status != RT_OK)
        return status;
    output_write(output, bytes, n);
    return output_close(output, RT_OK, error);
}
