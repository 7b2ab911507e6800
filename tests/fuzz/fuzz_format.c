/* fuzz_format.c - formats from anywhere: the first byte is the order, the rest the spelling.
 *
 * Whatever it is, it is refused with a diagnostic, or what it says survives being printed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdlib.h>

#include "compiler/base/context.h"
#include "compiler/base/text.h"
#include "compiler/format/format.h"
#include "compiler/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void exercise(struct context *cx, const char *spelling, int order)
{
    const struct format_defaults defaults = {TYPE_I32, TYPE_I32};
    const struct format *format = format_parse(cx, "A", spelling, order, defaults);
    require((format == NULL) == (cx->diags.n > 0));
    if (!format)
        return;
    struct text out = text_new(cx->arena);
    format_print(&out, format, defaults);
    const struct format *again = format_parse(cx, "A", out.at, order, defaults);
    require(again && format_equal(format, again));
    require(!format_is_plain(format) || format->levels == order);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct context *cx = context_new();
    if (!cx || size == 0) {
        context_free(cx);
        return 0;
    }
    cx->levels = registry_levels;
    if (context_protect(cx)) {
        exercise(cx, arena_strndup(cx->arena, (const char *)data + 1, size - 1),
                 data[0] % (ORDER_MAX + 1));
        diag_render(cx);
    }
    require(cx->failure != CONTEXT_BUG);
    context_free(cx);
    return 0;
}
