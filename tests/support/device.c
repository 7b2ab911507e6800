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
enum { PASS_SCALAR, PASS_READ, PASS_WRITTEN, PASS_MADE };

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
        text_printf(out, "*(%s %s*)argument[%d], ", type_c_name(param->var->type),
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

static const char *in_folder(const struct device_program *p, const char *name)
{
    return arena_printf(p->cx->arena, "%s/%s", p->folder, name);
}

void device_close(struct device_program *p)
{
    static const char *const name[] = {"kernels.cu", "program", "call", "result", "said"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        remove(in_folder(p, name[i]));
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
    FILE *file = fopen(in_folder(p, "said"), "rb");
    if (file) {
        text[fread(text, 1, MOST, file)] = '\0';
        fclose(file);
    }
    return text;
}

const char *device_build(struct device_program *p)
{
    const char *root = getenv("SPCC_SOURCE"), *path = in_folder(p, "kernels.cu");
    FILE *file = fopen(path, "wb");
    context_assert(p->cx, file != NULL);
    fputs(device_source(p), file);
    fclose(file);
    const char *command = arena_printf(
        p->cx->arena, "%s -include %s/tests/gpu/cuda_on_cpu.h -I%s/tests/gpu %s -o %s >%s 2>&1",
        compiler, root ? root : ".", root ? root : ".", path, in_folder(p, "program"),
        in_folder(p, "said"));
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

bool device_write_call(const struct device_program *p, int number,
                       const struct imp_function *kernel, const struct imp_argument *argument,
                       const struct device_order *order, const char *path)
{
    char name[NAME] = "", scalar[16];
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    context_assert(p->cx, strlen(kernel->name) < sizeof name);
    strcpy(name, kernel->name);
    put(file, number);
    put(file, order->n);
    put(file, kernel->params);
    for (int i = 0; i < order->n; i++)
        put(file, (int64_t)order->seed[i]);
    fwrite(name, 1, sizeof name, file);
    for (int i = 0; i < kernel->params; i++) {
        const struct imp_param *param = &kernel->param[i];
        size_t size = type_size(param->var->type);
        int kind = kind_of(param);
        put(file, kind);
        put(file, (int64_t)size);
        put(file, kind == PASS_SCALAR ? 1 : kind == PASS_MADE ? 0 : argument[i].length);
        if (kind == PASS_SCALAR)
            value_store(argument[i].value, scalar);
        if (kind != PASS_MADE)
            fwrite(kind == PASS_SCALAR ? scalar : argument[i].data, size,
                   kind == PASS_SCALAR ? 1 : (size_t)argument[i].length, file);
    }
    return fclose(file) == 0;
}

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
    const char *call = in_folder(p, "call"), *result = in_folder(p, "result");
    context_assert(p->cx, device_write_call(p, number, kernel, argument, order, call));
    remove(result);
    int status = system(arena_printf(p->cx->arena, "%s run %s %s >%s 2>&1", in_folder(p, "program"),
                                     call, result, in_folder(p, "said")));
    FILE *file = fopen(result, "rb");
    if (status || !file || !read_result(file, kernel, argument, &run.status))
        run.fault = arena_printf(p->cx->arena, "%s: %s", kernel->name, said(p));
    if (file)
        fclose(file);
    return run;
}
