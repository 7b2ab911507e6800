/* diag.c - collecting and drawing diagnostics.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/diag.h"

#include <string.h>

#include "compiler/base/context.h"
#include "compiler/base/printable.h"
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

/* Returns a message as a terminal may show it.  It may quote a statement; compilers' messages have
 * several lines. */
static const char *shown_text(struct context *cx, const char *format, va_list args)
{
    const char *text = arena_vprintf(cx->arena, format, args);
    size_t size = printable(NULL, 0, text, true) + 1;
    char *shown = arena_array(cx->arena, char, size);
    printable(shown, size, text, true);
    return shown;
}

struct diag *diag_error(struct context *cx, enum diag_code code, struct span span,
                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct diag diag = {.code = code, .span = span, .message = shown_text(cx, format, args)};
    va_end(args);
    vec_push(cx->arena, &cx->diags, diag);
    return &cx->diags.at[cx->diags.n - 1];
}

static bool is_there(const struct context *cx, struct span span, const char *message)
{
    for (size_t i = 0; i < cx->diags.n; i++) {
        const struct diag *diag = &cx->diags.at[i];
        if (diag->code == DIAG_REMARK && diag->span.begin == span.begin
            && diag->span.end == span.end && !strcmp(diag->message, message))
            return true;
    }
    return false;
}

void diag_remark(struct context *cx, struct span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct diag diag = {.code = DIAG_REMARK, .span = span, .message = shown_text(cx, format, args)};
    va_end(args);
    if (!is_there(cx, span, diag.message))
        vec_push(cx->arena, &cx->diags, diag);
}

void diag_note(struct context *cx, struct diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (size_t i = 0; i < sizeof diag->note / sizeof *diag->note; i++) {
        if (!diag->note[i]) {
            diag->note[i] = shown_text(cx, format, args);
            break;
        }
    }
    va_end(args);
}

void diag_help(struct context *cx, struct diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag->help = shown_text(cx, format, args);
    va_end(args);
}

/* Counts characters, not bytes: UTF-8's continuation bytes take no column. */
static int columns(const char *s, int n)
{
    int width = 0;
    for (int i = 0; i < n; i++)
        width += ((unsigned char)s[i] & 0xC0) != 0x80;
    return width;
}

/* Adds a character that takes one column, so that the caret fits: U+FFFD if it cannot be shown, a
 * blank for a tab.  Returns the number of bytes read. */
static int add_character(struct text *out, const char *s, int n)
{
    char shown[PRINTABLE];
    bool written;
    size_t taken = printable_next(s, (size_t)n, shown, &written);
    text_add(out, !written ? shown : *s == '\t' ? " " : "\xef\xbf\xbd");
    return (int)taken;
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
    for (int i = 0; i < width; i += add_character(out, text + first + i, width - i))
        continue;
    text_printf(out, "\n%*s^", 2 + columns(text + first, begin - first), "");
    for (int i = 1, marked = columns(text + begin, end - begin); i < marked; i++)
        text_add(out, "~");
    text_add(out, "\n");
}

void diag_print(struct text *out, const struct diag *diag)
{
    if (diag->code == DIAG_REMARK)
        text_add(out, "note: ");
    else
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
