/* fuzz_notation.c - statements from anywhere: parse, print, parse again; check, print, check again.
 *
 * Whatever the text is, it is refused with a diagnostic, or what it says survives being printed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/notation/notation.h"
#include "compiler/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static const char *print(struct context *cx, const struct tin *tin)
{
    struct text out = text_new(cx->arena);
    tin_print(&out, tin);
    return out.at;
}

static void exercise(struct context *cx, const char *text)
{
    const struct tin *parsed = tin_parse(cx, text);
    require((parsed == NULL) == (cx->diags.n > 0));
    if (!parsed)
        return;
    /* takes any value */
    const struct tin_declaration result = {.name = parsed->arg[0]->tensor->name, .type = "c128"};
    const struct tin_declarations declared = {.tensor = &result,
                                              .tensors = 1,
                                              .size = NULL,
                                              .sizes = 0,
                                              .defaults = {TYPE_I32, TYPE_I32}};
    const struct tin *checked = tin_check(cx, parsed, &declared);
    require((checked == NULL) == (cx->diags.n > 0));
    if (!checked) /* a name that is a tensor's and an index variable's may be read as either */
        return;
    const struct tin *again = tin_parse(cx, print(cx, parsed));
    require(again && tin_equal(parsed, again));
    const char *once = print(cx, checked);
    const struct tin *reparsed = tin_parse(cx, once);
    const struct tin *rechecked = reparsed ? tin_check(cx, reparsed, &declared) : NULL;
    require(rechecked && strcmp(print(cx, rechecked), once) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct context *cx = context_new();
    if (!cx)
        return 0;
    cx->levels = registry_levels;
    if (context_protect(cx)) {
        exercise(cx, arena_strndup(cx->arena, (const char *)data, size));
        diag_render(cx);
    }
    require(cx->failure != CONTEXT_BUG);
    context_free(cx);
    return 0;
}
