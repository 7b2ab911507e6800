/* io.c - tensors in files: which format a name means.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/io.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "runtime/io/file_format.h"
#include "runtime/io/input.h"
#include "runtime/io/output.h"

/* All that there are: adding one is a file and a line here. */
static const struct file_format *const formats[] = {
    &file_format_edges, &file_format_mtx, &file_format_rb, &file_format_tns, &file_format_ttx,
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* Do the n bytes at s end in the suffix, whatever the case? */
static bool ends_in(const char *s, size_t n, const char *suffix)
{
    size_t length = strlen(suffix);
    if (length > n)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = s[n - length + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != suffix[i])
            return false;
    }
    return true;
}

/* The same of what is behind a dot, or the whole name. */
static bool has_ending(const char *name, size_t n, const char *ending)
{
    size_t before = n - strlen(ending);
    return ends_in(name, n, ending) && (before == 0 || name[before - 1] == '.');
}

/* The format that a name ends in, after a dot unless it is the whole name: "mtx",
 * "dir/x.mtx.gz". */
static const struct file_format *format_of(const char *name, bool *gz)
{
    size_t n = strlen(name);
    *gz = ends_in(name, n, ".gz");
    n -= *gz ? 3 : 0;
    for (size_t i = 0; i < FORMATS; i++) {
        const char *const *other = formats[i]->other_names;
        bool is_it = has_ending(name, n, formats[i]->name);
        for (; other && *other && !is_it; other++)
            is_it = has_ending(name, n, *other);
        if (is_it)
            return formats[i];
    }
    return NULL;
}

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

static enum rt_status find_format(const char *path, const char *named,
                                  const struct file_format **format, bool *gz,
                                  struct rt_error *error)
{
    const char *name = named ? named : is_standard(path) ? file_format_tns.name : path;
    *format = format_of(name, gz);
    if (*format)
        return RT_OK;
    enum rt_status status =
        named ? rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT, "%.40s is not a file format", named)
              : rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                        "%.400s: the name does not say which file format it is", path);
    char list[96] = "";
    for (size_t i = 0; i < FORMATS; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s.%s",
                 i == 0            ? ""
                 : i + 1 < FORMATS ? ", "
                                   : " or ",
                 formats[i]->name);
    rt_help(error, "names end in %s, and .gz after that if the file is compressed", list);
    return status;
}

/* What comes without a name is known by how it begins. */
static const struct file_format *format_of_text(const struct input *input,
                                                const struct file_format *otherwise)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i]->banner
            && strncasecmp(input->text, formats[i]->banner, strlen(formats[i]->banner)) == 0)
            return formats[i];
    return otherwise;
}

enum io_sizes io_path_sizes(const char *path)
{
    bool gz;
    const struct file_format *format = format_of(path, &gz);
    return is_standard(path) ? IO_MAY_BE_SIZED : format && format->sized ? IO_SIZED : IO_UNSIZED;
}

static bool is_regular(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool io_is_array(const char *path)
{
    const struct io_request request = {.type = TYPE_COUNT};
    const struct file_format *format;
    struct rt_error error;
    struct input input;
    bool gz, is_array = false;
    const char *name = is_standard(path) ? "/dev/stdin" : path;
    if (!is_regular(name) || find_format(path, NULL, &format, &gz, &error) != RT_OK)
        return false;
    if (input_open(&input, name, gz, &request, &error) == RT_OK) {
        format = is_standard(path) ? format_of_text(&input, format) : format;
        is_array = format->is_array && format->is_array(&input);
    }
    input_close(&input);
    return is_array;
}

/* The text of size bytes, or, if it is NULL, that of the file. */
static enum rt_status read_input(const char *path, const char *text, size_t size,
                                 const struct io_request *request, struct coords *coords,
                                 struct rt_error *error)
{
    const struct file_format *format;
    struct input input;
    bool gz;
    coords_init(coords, 0, NULL, TYPE_F64);
    enum rt_status status = find_format(path, request->format, &format, &gz, error);
    if (status != RT_OK)
        return status;
    status = text ? input_open_text(&input, path, text, size, request, error)
                  : input_open(&input, path, gz, request, error);
    if (status == RT_OK && is_standard(path) && !request->format)
        format = format_of_text(&input, format);
    if (status == RT_OK)
        status = format->read(&input, coords, error);
    input_close(&input);
    if (status != RT_OK)
        coords_free(coords);
    return status;
}

enum rt_status io_read(const char *path, const struct io_request *request, struct coords *coords,
                       struct rt_error *error)
{
    return read_input(path, NULL, 0, request, coords, error);
}

enum rt_status io_read_text(const char *path, const char *text, size_t size,
                            const struct io_request *request, struct coords *coords,
                            struct rt_error *error)
{
    return read_input(path, text, size, request, coords, error);
}

enum rt_status io_write(const char *path, const struct io_writing *how, const struct tensor *tensor,
                        struct rt_error *error)
{
    const struct file_format *format;
    struct output *output;
    bool gz;
    enum rt_status status = find_format(path, how->format, &format, &gz, error);
    if (status == RT_OK)
        status = output_open(&output, path, gz, how, error);
    if (status != RT_OK)
        return status;
    return output_close(output, format->write(output, tensor, error), error);
}

enum rt_status io_write_text(const char *path, const struct io_writing *how, const char *text,
                             struct rt_error *error)
{
    struct output *output;
    enum rt_status status = output_open(&output, path, false, how, error);
    if (status != RT_OK)
        return status;
    output_write(output, text, strlen(text));
    return output_close(output, RT_OK, error);
}
