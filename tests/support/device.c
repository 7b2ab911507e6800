/* device.c - kernels for a GPU as one program.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/support/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 64 }; /* bytes of a kernel's name in a call */
/* The kinds of parameters that program.h has. */
enum {
    PASS_SCALAR,
    PASS_READ,
    PASS_WRITTEN,
    PASS_MADE,
    PASS_RANDOM,
    PASS_SEGMENTS,
    PASS_COORDINATES
};

/* What an emulated kernel is compiled with; -O0 takes half the time, and code is run once. */
static const char compiler[] =
    "g++ -std=c++17 -O0 -fwrapv -ffp-contract=off -fsanitize=address,undefined "
    "-fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-unused-function -Wno-unknown-pragmas "
    "-x c++";

void device_add_wrapper(struct text *out, const struct imp_function *kernel)
{
    text_printf(out, "#ifndef __CUDACC_RTC__\nextern \"C\" int %s_call(void *const *argument)\n{\n",
                kernel->name);
    text_printf(out, "    return %s(", kernel->name);
    for (int i = 0; i < kernel->params; i++) {
        const struct imp_param *param = &kernel->param[i];
        enum type type = param->var->type;
        text_printf(out, "*(%s %s*)argument[%d], ",
                    type_is_complex(type) ? type_name(type) : type_c_name(type),
                    param->out          ? "**"
                    : param->var->array ? "*"
                                        : "",
                    i);
    }
    text_add(out, "0);\n}\n#endif\n\n");
}

void device_open(struct device_program *p, struct context *cx)
{
    *p = (struct device_program){
        .cx = cx, .source = text_new(cx->arena), .table = text_new(cx->arena)};
    snprintf(p->folder, sizeof p->folder, "/tmp/spcc-device-XXXXXX");
    context_assert(cx, mkdtemp(p->folder) != NULL);
    text_add(&p->source, "#ifndef __CUDACC_RTC__\n#include \"program.h\"\n#endif\n\n");
}

const char *device_path(const struct device_program *p, const char *name)
{
    return arena_printf(p->cx->arena, "%s/%s", p->folder, name);
}

void device_close(struct device_program *p)
{
    static const char *const name[] = {"kernels.cu", "program", "call", "result", "said"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        remove(device_path(p, name[i]));
    rmdir(p->folder);
}

int device_add(struct device_program *p, const struct imp_function *kernel, const char *source)
{
    text_add(&p->source, source);
    text_add(&p->source, "\n");
    device_add_wrapper(&p->source, kernel);
    text_printf(&p->table, "    {\"%s\", %s_call},\n", kernel->name, kernel->name);
    return p->kernels++;
}

const char *device_source(const struct device_program *p)
{
    return arena_printf(p->cx->arena,
                        "%s#ifndef __CUDACC_RTC__\nstatic const program_kernel kernel[] = {\n%s};\n"
                        "int main(int argc, char **argv)\n{\n"
                        "    return program_main(argc, argv, kernel, %d);\n}\n#endif\n",
                        p->source.at, p->table.at, p->kernels);
}

bool device_can_build(void) { return system("g++ --version >/dev/null 2>&1") == 0; }

/* What is in a file, as far as a message may be long. */
static const char *said(const struct device_program *p)
{
    enum { MOST = 3000 };
    char *text = arena_array(p->cx->arena, char, MOST + 1);
    FILE *file = fopen(device_path(p, "said"), "rb");
    if (file) {
        text[fread(text, 1, MOST, file)] = '\0';
        fclose(file);
    }
    return text;
}

const char *device_build(struct device_program *p)
{
    const char *root = getenv("SPCC_SOURCE"), *path = device_path(p, "kernels.cu");
    FILE *file = fopen(path, "wb");
    context_assert(p->cx, file != NULL);
    fputs(device_source(p), file);
    fclose(file);
    const char *command = arena_printf(
        p->cx->arena, "%s -include %s/tests/gpu/cuda_on_cpu.h -I%s/tests/gpu %s -o %s >%s 2>&1",
        compiler, root ? root : ".", root ? root : ".", path, device_path(p, "program"),
        device_path(p, "said"));
    return system(command) == 0 ? NULL : said(p);
}

/* ---- calls ---- */

static void put(FILE *file, int64_t number) { fwrite(&number, sizeof number, 1, file); }

static int kind_of(const struct imp_param *param)
{
    return param->out                                   ? PASS_MADE
           : param->var->array && !param->var->constant ? PASS_WRITTEN
           : param->var->array                          ? PASS_READ
                                                        : PASS_SCALAR;
}

static void put_head(FILE *file, int number, const struct imp_function *kernel,
                     const struct device_order *order)
{
    char name[NAME] = "";
    snprintf(name, sizeof name, "%s", kernel->name);
    put(file, number);
    put(file, order->n);
    put(file, kernel->params);
    for (int i = 0; i < order->n; i++)
        put(file, (int64_t)order->seed[i]);
    fwrite(name, 1, sizeof name, file);
}

static void put_kind(FILE *file, int kind, enum type type, int64_t length)
{
    put(file, kind);
    put(file, (int64_t)type_size(type));
    put(file, length);
}

bool device_write_call(const struct device_program *p, int number,
                       const struct imp_function *kernel, const struct imp_argument *argument,
                       const struct device_order *order, const char *path)
{
    char scalar[16];
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    put_head(file, number, kernel, order);
    for (int i = 0; i < kernel->params; i++) {
        enum type type = kernel->param[i].var->type;
        int kind = kind_of(&kernel->param[i]);
        if (kind == PASS_SCALAR)
            value_store(argument[i].value, scalar);
        put_kind(file, kind, type,
                 kind == PASS_SCALAR ? 1
                 : kind == PASS_MADE ? 0
                                     : argument[i].length);
        if (kind == PASS_SCALAR)
            fwrite(scalar, type_size(type), 1, file);
        else if (kind != PASS_MADE)
            fwrite(argument[i].data, type_size(type), (size_t)argument[i].length, file);
    }
    return fclose(file) == 0;
}

/* ---- calls with large tensors ---- */

enum { IN_ROW = 16 };

/* Positions above a level and of its segments; -1: the program does not make such a level. */
struct extent {
    int64_t above, segment, dimension;
};

static struct extent extent_of(const struct format *format, const int64_t *dimension, int level)
{
    struct extent e = {1, 1, 1};
    for (int l = 0; l <= level; l++) {
        const char *type = format->level[l].type->name;
        bool dense = strcmp(type, "dense") == 0;
        if (!format_is_plain(format) || (!dense && strcmp(type, "compressed") != 0))
            return (struct extent){-1, 1, 1};
        e.above *= e.segment;
        e.dimension = dimension[format->level[l].mode];
        e.segment = dense || l == 0 || e.dimension < IN_ROW ? e.dimension : IN_ROW;
    }
    return e;
}

/* A parameter, made of numbers; false: it is not of what the program makes. */
static bool put_large(FILE *file, const struct imp_param *param, const struct format *format,
                      const int64_t *dimension)
{
    enum type type = param->var->type;
    int level = param->role == ROLE_ARRAY ? param->level : format->levels - 1;
    struct extent e = extent_of(format, dimension, level);
    bool positions = param->role == ROLE_ARRAY
                     && format->level[level].type->array[param->array].kind == LEVEL_POSITIONS;
    if (param->role == ROLE_DIMENSION) {
        unsigned char scalar[16];
        value_store(value_int(type, dimension[param->mode]), scalar);
        put_kind(file, PASS_SCALAR, type, 1);
        fwrite(scalar, type_size(type), 1, file);
        return true;
    }
    int kind = param->out                   ? PASS_MADE
               : param->role == ROLE_VALUES ? PASS_RANDOM
               : positions                  ? PASS_SEGMENTS
                                            : PASS_COORDINATES;
    put_kind(file, kind, type, param->out ? 0 : positions ? e.above + 1 : e.above * e.segment);
    if (!param->out) {
        put(file, e.segment);
        put(file, e.dimension);
    }
    return e.above >= 0
           && (kind == PASS_RANDOM ? type == TYPE_F64 : type == TYPE_I32 || param->out);
}

bool device_write_large(const struct device_program *p, int number,
                        const struct imp_function *kernel, const struct tensor_var *const *tensor,
                        const int64_t *const *dimension, const char *path)
{
    const uint64_t seed = 0;
    FILE *file = fopen(path, "wb");
    bool made = file != NULL;
    context_assert(p->cx, made);
    put_head(file, number, kernel, &(struct device_order){&seed, 1});
    for (int i = 0; i < kernel->params && made; i++) {
        const struct imp_param *param = &kernel->param[i];
        made = put_large(file, param, tensor[param->tensor]->format, dimension[param->tensor]);
    }
    fclose(file);
    if (!made)
        remove(path);
    return made;
}

/* ---- what is left ---- */

static int64_t get(FILE *file)
{
    int64_t number = 0;
    return fread(&number, sizeof number, 1, file) == 1 ? number : -1;
}

/* What the program has left, into the arguments; false: that is not all there. */
static bool read_result(FILE *file, const struct imp_function *kernel,
                        struct imp_argument *argument, enum imp_status *status)
{
    *status = (enum imp_status)get(file);
    for (int i = 0; i < kernel->params; i++) {
        const struct imp_param *param = &kernel->param[i];
        int kind = kind_of(param);
        if (kind != PASS_WRITTEN && kind != PASS_MADE)
            continue;
        int64_t bytes = get(file), size = (int64_t)type_size(param->var->type);
        if (bytes < 0 || (kind == PASS_WRITTEN && bytes != argument[i].length * size))
            return false;
        if (kind == PASS_MADE) {
            argument[i].length = bytes / size;
            argument[i].data = *status == STATUS_OK ? malloc((size_t)bytes + 1) : NULL;
        }
        if (argument[i].data && fread(argument[i].data, 1, (size_t)bytes, file) != (size_t)bytes)
            return false;
    }
    return true;
}

struct imp_run device_run(const struct device_program *p, int number,
                          const struct imp_function *kernel, struct imp_argument *argument,
                          const struct device_order *order)
{
    struct imp_run run = {0};
    const char *call = device_path(p, "call"), *result = device_path(p, "result");
    context_assert(p->cx, device_write_call(p, number, kernel, argument, order, call));
    remove(result);
    int status =
        system(arena_printf(p->cx->arena, "%s run %s %s >%s 2>&1", device_path(p, "program"), call,
                            result, device_path(p, "said")));
    FILE *file = fopen(result, "rb");
    if (status || !file || !read_result(file, kernel, argument, &run.status))
        run.fault = arena_printf(p->cx->arena, "%s: %s", kernel->name, said(p));
    if (file)
        fclose(file);
    return run;
}
