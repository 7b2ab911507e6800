/* shown.h - entries of a list as a text, for tests of files.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TEST_SHOWN_H
#define SPCC_TEST_SHOWN_H

#include <stdio.h>
#include <string.h>

#include "compiler/value/value.h"
#include "runtime/tensor/coords.h"

static inline void show_value(struct value v, char *text, size_t size)
{
    switch (type_kind(v.type)) {
    case KIND_BOOL: snprintf(text, size, "%s", v.b ? "true" : "false"); break;
    case KIND_INT: snprintf(text, size, "%lld", (long long)v.i); break;
    case KIND_UINT: snprintf(text, size, "%llu", (unsigned long long)v.u); break;
    case KIND_FLOAT: snprintf(text, size, "%.17g", v.f); break;
    case KIND_COMPLEX: snprintf(text, size, "(%.17g,%.17g)", v.c.re, v.c.im); break;
    }
}

/* The entries as text: "0,2:5 1,0:7" with coordinates from 0. */
static inline void show(const struct coords *coords, char *text, size_t size)
{
    *text = '\0';
    for (int64_t i = 0; i < coords->n; i++) {
        char value[64];
        show_value(
            value_load(coords->type, (char *)coords->vals + (size_t)i * type_size(coords->type)),
            value, sizeof value);
        size_t n = strlen(text);
        n += (size_t)snprintf(text + n, size - n, "%s", i ? " " : "");
        for (int m = 0; m < coords->order; m++)
            n += (size_t)snprintf(text + n, size - n, "%s%lld", m ? "," : "",
                                  (long long)coords_at(coords, m, i));
        snprintf(text + n, size - n, ":%s", value);
    }
}

/* Its sizes: "2 3". */
static inline void show_sizes(const struct coords *coords, char *text, size_t size)
{
    *text = '\0';
    for (int m = 0; m < coords->order; m++) {
        size_t n = strlen(text);
        snprintf(text + n, size - n, "%s%lld", m ? " " : "", (long long)coords->dimension[m]);
    }
}

#endif
