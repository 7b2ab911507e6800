/* fuzz_imperative.c - any bytes as imperative IR: refused with a diagnostic, or what is read
 * prints, reads back and prints the same; and so it does once it is simplified, which keeps the
 * invariants.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/optimize.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static const char *print(struct context *cx, const struct imp_function *kernel)
{
    struct text out = text_new(cx->arena);
    imp_print(&out, kernel);
    return out.at;
}

static void require_reads_back(struct context *cx, const struct imp_function *kernel)
{
    const char *text = print(cx, kernel);
    const struct imp_function *again = imp_parse(cx, text);
    require(again && strcmp(print(cx, again), text) == 0);
}

static void exercise(struct context *cx, const char *text)
{
    const struct imp_function *kernel = imp_parse(cx, text);
    require((kernel == NULL) == (cx->diags.n > 0));
    if (!kernel)
        return;
    require_reads_back(cx, kernel);
    const struct imp_function *simple = imp_simplify(cx, kernel);
    require(!imp_check(cx, simple));
    require_reads_back(cx, simple);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct context *cx = context_new();
    if (!cx)
        return 0;
    if (context_protect(cx)) {
        exercise(cx, arena_strndup(cx->arena, (const char *)data, size));
        diag_render(cx);
    }
    require(cx->failure != CONTEXT_BUG);
    context_free(cx);
    return 0;
}
