/* compile.c - emitted C through compilers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/imperative/compile.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/text.h"

const struct compiler compilers[] = {
    {"cc", "-std=c11"},
    {"clang-22", "-std=c11"},
    {"clang-14", "-std=c11"},
    {"g++", "-x c++ -std=c++17"},
    {"clang++-22", "-x c++ -std=c++17"},
    {"clang++-14", "-x c++ -std=c++17"},
    {NULL, NULL},
};

/* By their places in the list; set once by main. */
static bool chosen[sizeof compilers / sizeof *compilers];

static bool is_installed(const struct compiler *compiler)
{
    char command[200];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", compiler->name);
    return system(command) == 0;
}

void compilers_choose(bool every)
{
    int last = -1;
    for (int i = 0; compilers[i].name; i++) {
        bool installed = is_installed(&compilers[i]);
        chosen[i] = installed && (every || i == 0);
        if (installed && strstr(compilers[i].language, "c++"))
            last = i;
    }
    if (last >= 0)
        chosen[last] = true;
}

bool compiler_is_chosen(const struct compiler *compiler) { return chosen[compiler - compilers]; }

const char *compile_prologue(void)
{
    return "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n"
           "#ifdef __cplusplus\n#define EXPORT extern \"C\"\n#else\n#define EXPORT\n#endif\n"
           "#ifdef __cplusplus\nextern \"C\" {\n#endif\nextern long allocations_left, "
           "allocations_live;\n"
           "#ifdef __cplusplus\n}\n#endif\n"
           "long allocations_left = -1, allocations_live = 0;\n"
           "EXPORT void *test_realloc(void *old, size_t size);\n"
           "EXPORT void *test_malloc(size_t size);\n"
           "EXPORT void *test_calloc(size_t n, size_t size);\n"
           "EXPORT void test_free(void *old);\n"
           "void *test_realloc(void *old, size_t size)\n{\n"
           "    long left = __atomic_load_n(&allocations_left, __ATOMIC_RELAXED);\n"
           "    if (left == 0)\n        return NULL;\n"
           "    if (left > 0)\n"
           "        __atomic_fetch_sub(&allocations_left, 1, __ATOMIC_RELAXED);\n"
           "    __atomic_fetch_add(&allocations_live, old == NULL, __ATOMIC_RELAXED);\n"
           "    return realloc(old, size);\n}\n"
           "void *test_malloc(size_t size) { return test_realloc(NULL, size); }\n"
           "void *test_calloc(size_t n, size_t size)\n{\n"
           "    void *made = n > SIZE_MAX / size ? NULL : test_malloc(n * size);\n"
           "    return made ? memset(made, 0, n * size) : NULL;\n}\n"
           "void test_free(void *old)\n{\n"
           "    __atomic_fetch_sub(&allocations_live, old != NULL, __ATOMIC_RELAXED);\n"
           "    free(old);\n}\n"
           "#define SPCC_MALLOC test_malloc\n#define SPCC_REALLOC test_realloc\n#define SPCC_FREE "
           "test_free\n"
           "#define calloc test_calloc\n#define realloc test_realloc\n#define free test_free\n";
}

const char *compile_wrapper(struct context *cx, const struct imp_function *kernel)
{
    struct text out = text_new(cx->arena);
    text_printf(&out,
                "EXPORT int %s_call(void *const *argument);\nint %s_call(void *const "
                "*argument)\n{\n    return %s(",
                kernel->name, kernel->name, kernel->name);
    for (int i = 0; i < kernel->params; i++) {
        const struct imp_param *param = &kernel->param[i];
        text_printf(&out, "%s*(%s %s*)argument[%d]", i ? ", " : "", type_c_name(param->var->type),
                    param->out          ? "**"
                    : param->var->array ? "*"
                                        : "",
                    i);
    }
    text_add(&out, ");\n}\n");
    return out.at;
}

void *compile_library(const struct compiler *compiler, const char *source, const char *flags)
{
    char directory[] = "/tmp/spcc-emit-XXXXXX", file[100], object[100], command[1000];
    assert_non_null(mkdtemp(directory));
    snprintf(file, sizeof file, "%s/kernels.c", directory);
    snprintf(object, sizeof object, "%s/kernels.so", directory);
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(source, out);
    fclose(out);
    snprintf(
        command, sizeof command,
        "%s %s -O1 -fwrapv -ffp-contract=off -Wall -Wextra -Werror %s -shared -fPIC %s -o %s -lm",
        compiler->name, compiler->language, flags, file, object);
    void *library = system(command) == 0 ? dlopen(object, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library)
        fprintf(stderr, "failed: %s\n", command);
    else
        remove(file);
    remove(object);
    if (library)
        rmdir(directory);
    return library;
}

void compile_fail_after(void *library, long allocations)
{
    long *left = dlsym(library, "allocations_left");
    assert_non_null(left);
    *left = allocations;
}

static long live(void *library)
{
    const long *at = dlsym(library, "allocations_live");
    return at ? *at : 0;
}

enum imp_status compile_run(void *library, const struct imp_function *kernel,
                            struct imp_argument *argument)
{
    char name[200];
    unsigned char scalar[64][16];
    void *pointer[64], *array[64], **out[64];
    int arrays = 0;
    long before = live(library);
    assert_true(kernel->params <= 64);
    for (int i = 0; i < kernel->params; i++) {
        const struct imp_param *param = &kernel->param[i];
        array[i] = argument[i].data;
        out[i] = &array[i];
        if (!param->var->array)
            value_store(argument[i].value, scalar[i]);
        pointer[i] = !param->var->array ? (void *)scalar[i]
                     : param->out       ? (void *)&out[i]
                                        : (void *)&array[i];
    }
    snprintf(name, sizeof name, "%s_call", kernel->name);
    int (*call)(void *const *) = (int (*)(void *const *))dlsym(library, name);
    assert_non_null(call);
    enum imp_status status = (enum imp_status)call(pointer);
    for (int i = 0; i < kernel->params; i++) {
        if (!kernel->param[i].out)
            continue;
        argument[i].data = array[i];
        arrays += array[i] != NULL;
    }
    if (dlsym(library, "allocations_live"))
        assert_int_equal(live(library) - before, arrays);
    return status;
}
