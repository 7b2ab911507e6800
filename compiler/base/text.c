/* text.c - text under construction.
 *
 * Printers mostly join words and small numbers, which are copied here.  The C library prints all
 * other parts of a format.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"

#include <stdio.h>
#include <string.h>

struct text text_new(struct arena *arena)
{
    struct text text = {.arena = arena, .capacity = 64};
    text.at = arena_alloc(arena, text.capacity);
    return text;
}

/* Makes room for n more letters. */
static void room_for_letters(struct text *text, size_t n)
{
    if (text->n + n + 1 <= text->capacity)
        return;
    size_t capacity = (text->n + n + 1) * 2;
    char *grown = arena_alloc(text->arena, capacity);
    memcpy(grown, text->at, text->n);
    text->at = grown;
    text->capacity = capacity;
}

void text_addn(struct text *text, const char *s, size_t n)
{
    room_for_letters(text, n);
    if (n)
        memcpy(text->at + text->n, s, n);
    text->n += n;
    text->at[text->n] = '\0';
}

void text_add(struct text *text, const char *s) { text_addn(text, s, strlen(s)); }

static void add_integer(struct text *text, int i)
{
    char digits[sizeof i * 3], *at = digits + sizeof digits;
    unsigned left = i < 0 ? 0 - (unsigned)i : (unsigned)i;
    do
        *--at = (char)('0' + left % 10);
    while (left /= 10);
    if (i < 0)
        *--at = '-';
    text_addn(text, at, (size_t)(digits + sizeof digits - at));
}

/* Prints the rest of the format by the C library. */
__attribute__((format(printf, 2, 0))) static void add_rest(struct text *text, const char *format,
                                                           va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n > 0) {
        room_for_letters(text, (size_t)n);
        vsnprintf(text->at + text->n, (size_t)n + 1, format, again);
        text->n += (size_t)n;
    }
    va_end(again);
}

void text_vprintf(struct text *text, const char *format, va_list args)
{
    for (;;) {
        size_t n = 0;
        while (format[n] && format[n] != '%')
            n++;
        text_addn(text, format, n);
        format += n;
        if (!*format)
            return;
        switch (format[1]) {
        case 's': text_add(text, va_arg(args, const char *)); break;
        case 'd': add_integer(text, va_arg(args, int)); break;
        default: add_rest(text, format, args); return;
        }
        format += 2;
    }
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vprintf(text, format, args);
    va_end(args);
}

void text_indent(struct text *text, int spaces)
{
    static const char blanks[] = "                ";
    const int most = sizeof blanks - 1;
    for (; spaces > 0; spaces -= most)
        text_addn(text, blanks, (size_t)(spaces < most ? spaces : most));
}
