/* parallel_source.c - the kernels of parallel.h as one C program, for ThreadSanitizer.
 *
 *     parallel_source [FROM TO]
 *
 * FROM, TO: with the text FROM in them replaced by TO, to see whether that is found.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/imperative/parallel.h"

#include <stdio.h>
#include <string.h>

#include "compiler/emit/emit.h"
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/optimize.h"

/* Each kernel on numbers that make its parts meet, a few times. */
static const char *const driver =
    "#include <stdlib.h>\n"
    "enum { N = 20000, PARTS = 16 };\n"
    "typedef int kernel(int32_t, int32_t, const int32_t *, const double *, double *, double **);\n"
    "static int run(kernel *f)\n{\n"
    "    static int32_t crd[N];\n    static double x[N], y[N];\n    int status = 0;\n"
    "    for (int i = 0; i < N; i++) {\n        crd[i] = i % 7;\n        x[i] = i % 5;\n    }\n"
    "    for (int round = 0; round < 20 && !status; round++) {\n        double *z = NULL;\n"
    "        status = f(N, PARTS, crd, x, y, &z);\n        free(z);\n    }\n"
    "    return status;\n}\n"
    "int main(void)\n{\n    return ";

/* The first occurrence is. */
static const char *replaced(struct context *cx, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    return at ? arena_printf(cx->arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from))
              : text;
}

int main(int argc, char **argv)
{
    struct context *cx = context_new();
    const char *names[PARALLEL_PROGRAMS];
    bool changed = argc < 3;
    if (!cx || !context_protect(cx))
        return 2;
    for (int i = 0; i < PARALLEL_PROGRAMS; i++) {
        const char *text =
            argc < 3 ? parallel_program[i] : replaced(cx, parallel_program[i], argv[1], argv[2]);
        changed = changed || text != parallel_program[i];
        const struct imp_function *kernel = imp_parse(cx, text);
        if (!kernel) {
            fprintf(stderr, "%s\n", diag_render(cx));
            return 2;
        }
        puts(emit_c(cx, imp_simplify(cx, kernel), &(struct emit_options){0}, NULL));
        names[i] = kernel->name;
    }
    fputs(driver, stdout);
    for (int i = 0; i < PARALLEL_PROGRAMS; i++)
        printf("%srun(%s)", i ? " | " : "", names[i]);
    puts(";\n}");
    context_free(cx);
    return changed ? 0 : 2;
}
