/* text.h - text under construction: what printers write into.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_TEXT_H
#define SPCC_BASE_TEXT_H

#include <stdbool.h>
#include <string.h>

#include "compiler/base/arena.h"

struct text {
    struct arena *arena;
    char *at; /* always NUL-terminated once text_new has returned */
    size_t n, capacity;
};

struct text text_new(struct arena *arena);
void text_add(struct text *text, const char *s);
void text_addn(struct text *text, const char *s, size_t n);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
void text_indent(struct text *text, int spaces);

static inline bool text_is_digit(char c) { return c >= '0' && c <= '9'; }

/* Is it a letter, or the sign that names may have in its place? */
static inline bool text_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Is the word what is at s, n characters long? */
static inline bool text_same(const char *word, const char *s, size_t n)
{
    return strlen(word) == n && memcmp(word, s, n) == 0;
}

static inline bool text_ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

#endif
