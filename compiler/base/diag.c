/* diag.c - collecting and drawing diagnostics.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/diag.h"

#include <string.h>

#include "compiler/base/context.h"
#include "compiler/base/text.h"
#include "compiler/base/vec.h"

struct span span_join(struct span a, struct span b)
{
    if (!a.source)
        return b;
    if (b.source && b.end > a.end)
        a.end = b.end;
    return a;
}

struct diag *diag_error(struct context *cx, enum diag_code code, struct span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct diag diag = {.code = code, .span = span, .message = arena_vprintf(cx->arena, format, args)};
    va_end(args);
    vec_push(cx->arena, &cx->diags, diag);
    return &cx->diags.at[cx->diags.n - 1];
}

void diag_note(struct context *cx, struct diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (size_t i = 0; i < sizeof diag->note / sizeof *diag->note; i++) {
        if (!diag->note[i]) {
            diag->note[i] = arena_vprintf(cx->arena, format, args);
            break;
        }
    }
    va_end(args);
}

void diag_help(struct context *cx, struct diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag->help = arena_vprintf(cx->arena, format, args);
    va_end(args);
}

/* Columns count characters, not bytes: continuation bytes of UTF-8 take no column. */
static int columns(const char *s, int n)
{
    int width = 0;
    for (int i = 0; i < n; i++)
        width += ((unsigned char)s[i] & 0xC0) != 0x80;
    return width;
}

static void draw_place(struct text *out, struct span span)
{
    const char *text = span.source->text;
    int begin = span.begin, end = span.end, length = (int)strlen(text);
    if (begin > length)
        begin = length;
    if (end > length)
        end = length;
    int first = begin;
    while (first > 0 && text[first - 1] != '\n')
        first--;
    int width = (int)strcspn(text + first, "\r\n");
    if (end > first + width)
        end = first + width;
    text_add(out, "  ");
    for (int i = 0; i < width; i++) /* a tab or control character would shift the caret */
        text_addn(out, (unsigned char)text[first + i] < ' ' ? " " : text + first + i, 1);
    text_printf(out, "\n%*s^", 2 + columns(text + first, begin - first), "");
    for (int i = 1, marked = columns(text + begin, end - begin); i < marked; i++)
        text_add(out, "~");
    text_add(out, "\n");
}

void diag_print(struct text *out, const struct diag *diag)
{
    text_printf(out, "error[E%03d]: ", (int)diag->code);
    if (diag->span.source && strcmp(diag->span.source->name, "expression") != 0)
        text_printf(out, "%s: ", diag->span.source->name);
    text_printf(out, "%s\n", diag->message);
    if (diag->span.source)
        draw_place(out, diag->span);
    for (size_t i = 0; i < sizeof diag->note / sizeof *diag->note && diag->note[i]; i++)
        text_printf(out, "  note: %s\n", diag->note[i]);
    if (diag->help)
        text_printf(out, "  help: %s\n", diag->help);
}

const char *diag_render(struct context *cx)
{
    struct text out = text_new(cx->arena);
    for (size_t i = 0; i < cx->diags.n; i++)
        diag_print(&out, &cx->diags.at[i]);
    return out.at;
}
