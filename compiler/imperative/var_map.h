/* var_map.h - what a pass knows of variables, found by their address or by that of their interned
 * name.
 *
 *     struct var_map map = {0};
 *     *var_map_at(cx, &map, var) = fact;
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_VAR_MAP_H
#define SPCC_IMPERATIVE_VAR_MAP_H

#include "compiler/imperative/imperative.h"

struct var_fact {
    const void *var;
    void *fact;
};

/* All zero: nothing is known.  The memory is the arena's. */
struct var_map {
    struct var_fact *at;
    size_t n, capacity; /* a power of two */
};

/* What is known of the variable, to be read or set; NULL at first.  The place is good until another
 * variable is met. */
void **var_map_at(struct context *cx, struct var_map *map, const void *var);

#endif
