/* fuzz_target.c - targets from anywhere: the first byte chooses a statement, the rest is the text.
 *
 * Whatever it is, it is refused with a sentence, or what it says survives being printed, and code
 * can be made for such a machine.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "compiler/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void make_kernel(struct context *cx, const struct target *target, unsigned choice)
{
    static const struct {
        const char *statement, *a, *b;
    } some[] = {
        {"C(i,k) = A(i,j) * B(j,k)", "csr", NULL},
        {"y(i) = A(i,j) * x(j)", "bcsr(4,4)", NULL},
        {"y(i) = A(i,j) * x(j)", "dia", NULL},
        {"y(j) = A(i,j) * x(i)", "csr", NULL},
        {"B(i,j) = A(i,j)", "csr", "csc"},
        {"a = A(i,j) * B(i,j)", "csr", "csr"},
        {"C(i,j) = A(i,j) + B(i,j)", "csr", "csr"},
        {"y(i) = A(i,j) * x(j); z(i) = A(i,j) * w(j); v(i) = A(i,j) * u(j)", NULL, NULL},
    };
    const int n = choice % (sizeof some / sizeof *some);
    struct tin_declaration declared[2];
    int tensors = 0;
    if (some[n].a)
        declared[tensors++] = (struct tin_declaration){.name = "A", .format = some[n].a};
    if (some[n].b)
        declared[tensors++] = (struct tin_declaration){.name = "B", .format = some[n].b};
    struct pipeline_request request = {.expression = some[n].statement,
                                       .declared = {.tensor = declared, .tensors = tensors},
                                       .target = target,
                                       .check_passes = true};
    struct pipeline made;
    require(pipeline_run(cx, &request, STAGE_C, &made));
}

static void exercise(struct context *cx, const char *given, unsigned choice)
{
    const char *fault = NULL;
    const struct target *target = target_parse(cx, "fuzzed", given, &fault);
    require((target == NULL) == (fault != NULL));
    if (!target)
        return;
    struct text out = text_new(cx->arena), again = text_new(cx->arena);
    target_print(&out, target, true);
    const struct target *read = target_parse(cx, "fuzzed", out.at, &fault);
    require(read != NULL);
    target_print(&again, read, true);
    require(strcmp(out.at, again.at) == 0);
    make_kernel(cx, target, choice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct context *cx = context_new();
    if (!cx || size == 0) {
        context_free(cx);
        return 0;
    }
    if (context_protect(cx))
        exercise(cx, arena_strndup(cx->arena, (const char *)data + 1, size - 1), data[0]);
    require(cx->failure != CONTEXT_BUG);
    context_free(cx);
    return 0;
}
