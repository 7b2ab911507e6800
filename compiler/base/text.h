/* text.h - text under construction: what printers write into.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_TEXT_H
#define SPCC_BASE_TEXT_H

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

#endif
