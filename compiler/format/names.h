/* names.h - the named formats, each by what it stands for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FORMAT_NAMES_H
#define SPCC_FORMAT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/level.h"

struct arena;

enum { FORMAT_PARAMETERS_MAX = 2 };

struct format_name {
    const char *name;
    int order_min, order_max;
    int parameters;
    const char *brief; /* one line for `spcc help formats` */
    /* A name of one order: its expansion in full, with $1 and $2 for the parameters; else NULL. */
    const char *expansion;
    /* A name of any order: the level formats of the only, the first, the middle and the last mode.
     * first_of_two, unless it is NULL, is for order 2. */
    const char *only, *first_of_two, *first, *middle, *last;
};

extern const struct format_name format_names[];
extern const int format_names_count;

/* NULL: none. */
const struct format_name *format_name_find(const char *name, size_t n);

/* In full, with d0, d1, ... for the modes. */
const char *format_name_expand(struct arena *arena, const struct format_name *name, int order,
                               const int64_t *parameter);

#endif
