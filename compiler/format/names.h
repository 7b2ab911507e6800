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
struct text;

enum { FORMAT_PARAMETERS_MAX = 2 };

/* What the modes are that are listed in a name's parentheses. */
enum format_modes { FORMAT_NO_MODES, FORMAT_BLOCKED, FORMAT_DENSE };

struct format_name {
    const char *name;
    int order_min, order_max;
    const char *usage; /* what stands behind the name: "(r,c)" */
    int parameters;
    int64_t largest;      /* parameter; 0: any */
    const char *not_zero; /* why a parameter is not 0 */
    const char *brief;    /* one line for `spcc help formats` */
    /* A name of one order: its expansion in full, with $1 and $2 for the parameters; else NULL. */
    const char *expansion;
    /* A name of any order: the level formats of the only, the first, the middle and the last mode.
     * first_of_two, unless it is NULL, is for order 2, before_last for the last mode but one.  $1
     * is the parameter. */
    const char *only, *first_of_two, *first, *middle, *before_last, *last;
    /* Else a list of blocks of the blocked modes, below each of them one of elements by these modes
     * and those that are neither blocked nor dense, and below that dense modes. */
    enum format_modes modes;
    bool in_blocks; /* modes that are not listed are blocked */
};

/* What stands in the parentheses of a name: parameters, as they are to be spelled, and modes. */
struct format_arguments {
    const char *parameter[FORMAT_PARAMETERS_MAX];
    int parameters;
    uint32_t modes;
    bool lexicographic; /* blocks come so, and not in Morton order */
};

extern const struct format_name format_names[];
extern const int format_names_count;

/* NULL: none.  Of several with the name that without parameters comes first. */
const struct format_name *format_name_find(const char *name, size_t n);
/* Returns the one of this name with parameters; itself if there is none. */
const struct format_name *format_name_with_parameters(const struct format_name *name);

/* What a mode is called where nobody names it: i, j, k and so on, d0 if these are too few. */
void format_mode_name(struct text *out, int order, int mode);

/* In full. */
const char *format_name_expand(struct arena *arena, const struct format_name *name, int order,
                               const struct format_arguments *arguments);

#endif
