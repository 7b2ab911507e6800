/* names.c - the named formats, each by what it stands for.
 *
 * One table; the parser, docs/formats.md and the help go by it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/names.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/format/format.h"

#define ANY_ORDER(name, low, brief, only, first, middle, last)                \
    {                                                                         \
        name, low, ORDER_MAX, 0, brief, NULL, only, NULL, first, middle, last \
    }
#define MATRIX(name, parameters, brief, expansion)                             \
    {                                                                          \
        name, 2, 2, parameters, brief, expansion, NULL, NULL, NULL, NULL, NULL \
    }

#define NONUNIQUE "compressed(nonunique)"

const struct format_name format_names[] = {
    ANY_ORDER("dense", 0, "every component, row-major (dense:1,0 is column-major)", "dense",
              "dense", "dense", "dense"),
    ANY_ORDER("sparse", 1, "every level compressed", "compressed", "compressed", "compressed",
              "compressed"),
    ANY_ORDER("coo", 1, "a list of coordinates", "compressed", NONUNIQUE, "singleton(nonunique)",
              "singleton"),
    ANY_ORDER("csf", 1, "compressed sparse fibers: a tree of coordinates", "compressed",
              "compressed", "compressed", "compressed"),
    ANY_ORDER("hash", 1, "every level a hash table", "hashed", "hashed", "hashed", "hashed"),
    ANY_ORDER("dok", 1, "a dictionary of keys: the same as hash", "hashed", "hashed", "hashed",
              "hashed"),
    ANY_ORDER("bitmap", 1, "every component, with a flag if it is stored", "bitmap", "dense",
              "dense", "bitmap"),
    {"mode-generic", 2, ORDER_MAX, 0, "a list of coordinates of dense fibers", NULL, NULL,
     "compressed", NONUNIQUE, "singleton", "dense"},
    MATRIX("csr", 0, "compressed sparse rows", "(i,j) -> (i : dense, j : compressed)"),
    MATRIX("csc", 0, "compressed sparse columns", "(i,j) -> (j : dense, i : compressed)"),
    MATRIX("dcsr", 0, "compressed sparse rows, without empty rows",
           "(i,j) -> (i : compressed, j : compressed)"),
    MATRIX("dcsc", 0, "compressed sparse columns, without empty columns",
           "(i,j) -> (j : compressed, i : compressed)"),
    MATRIX("bcsr", 2, "compressed sparse rows of dense r by c blocks",
           "(i,j) -> (i/$1 : dense, j/$2 : compressed, i%$1 : dense, j%$2 : dense)"),
    MATRIX("bcsc", 2, "compressed sparse columns of dense r by c blocks",
           "(i,j) -> (j/$2 : dense, i/$1 : compressed, i%$1 : dense, j%$2 : dense)"),
    MATRIX("csb", 1, "a grid of b by b blocks, each a list of coordinates",
           "(i,j) -> (i/$1 : dense, j/$1 : dense, i%$1 : compressed(nonunique), j%$1 : singleton)"),
    MATRIX("dia", 0, "the diagonals with stored components",
           "(i,j) -> (j-i : compressed, i : range, j : offset)"),
    MATRIX("ell", 0, "the same number of stored components in every row",
           "(i,j) -> (i : dense, j : padded)"),
    MATRIX("sell", 1, "slices of so many rows, each as long as its longest row",
           "(i,j) -> (i/$1 : dense, i%$1 : ragged, j : singleton(padded))"),
};

const int format_names_count = sizeof format_names / sizeof *format_names;

const struct format_name *format_name_find(const char *name, size_t n)
{
    for (int i = 0; i < format_names_count; i++)
        if (strlen(format_names[i].name) == n && memcmp(format_names[i].name, name, n) == 0)
            return &format_names[i];
    return NULL;
}

static const char *level_of(const struct format_name *name, int k, int order)
{
    if (order == 1)
        return name->only;
    if (k == 0)
        return order == 2 && name->first_of_two ? name->first_of_two : name->first;
    return k < order - 1 ? name->middle : name->last;
}

static void add_modes(struct text *out, int order)
{
    text_add(out, "(");
    for (int k = 0; k < order; k++)
        text_printf(out, "%sd%d", k ? "," : "", k);
    text_add(out, ") -> (");
}

static void add_with_parameters(struct text *out, const char *expansion, const int64_t *parameter)
{
    for (const char *s = expansion; *s; s++) {
        if (*s == '$')
            text_printf(out, "%lld", (long long)parameter[*++s - '1']);
        else
            text_addn(out, s, 1);
    }
}

const char *format_name_expand(struct arena *arena, const struct format_name *name, int order,
                               const int64_t *parameter)
{
    struct text out = text_new(arena);
    if (name->expansion) {
        add_with_parameters(&out, name->expansion, parameter);
        return out.at;
    }
    add_modes(&out, order);
    for (int k = 0; k < order; k++)
        text_printf(&out, "%sd%d : %s", k ? ", " : "", k, level_of(name, k, order));
    text_add(&out, ")");
    return out.at;
}
