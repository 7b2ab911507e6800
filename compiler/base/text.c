/* text.c - text under construction.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"

#include <string.h>

struct text text_new(struct arena *arena)
{
    struct text text = {.arena = arena, .capacity = 64};
    text.at = arena_alloc(arena, text.capacity);
    return text;
}

void text_addn(struct text *text, const char *s, size_t n)
{
    if (text->n + n + 1 > text->capacity) {
        size_t capacity = (text->n + n + 1) * 2;
        char *grown = arena_alloc(text->arena, capacity);
        memcpy(grown, text->at, text->n);
        text->at = grown;
        text->capacity = capacity;
    }
    if (n)
        memcpy(text->at + text->n, s, n);
    text->n += n;
    text->at[text->n] = '\0';
}

void text_add(struct text *text, const char *s) { text_addn(text, s, strlen(s)); }

void text_printf(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_add(text, arena_vprintf(text->arena, format, args));
    va_end(args);
}

void text_indent(struct text *text, int spaces)
{
    static const char blanks[] = "                ";
    const int most = sizeof blanks - 1;
    for (; spaces > 0; spaces -= most)
        text_addn(text, blanks, (size_t)(spaces < most ? spaces : most));
}
