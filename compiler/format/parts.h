/* parts.h - formats of tensors in parts, each of which has a format of its own.
 *
 *     part(csf; csf:2,1,0)     the sum of two tensors that have no component in common
 *     any(csf; csf:2,1,0)      a tensor that is stored twice: a statement reads one of the two
 *
 * Names say also which part a component goes to, when a list of them is packed (shares):
 *
 *     mmcsf             as many parts as modes, each of fibers along another mode (Nisa et al.,
 *                       Mixed-Mode CSF, algorithm 5): a component goes where its fiber is longest,
 *                       and the other fibers through it are one shorter from then on
 *     mmcsf(static)     the same, and fibers are as long as they are in the whole tensor
 *     heavy(t)          slices of the first mode with t components or more, and the others
 *     csf-all           any(...) of as many trees as modes
 *
 * The compiler takes tensors in parts apart before anything else looks at them (notation/parts.c).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FORMAT_PARTS_H
#define SPCC_FORMAT_PARTS_H

#include "compiler/format/format.h"

enum { PARTS_MAX = ORDER_MAX };

/* Where a component goes: to the part whose last level has the longest fiber through it, as fibers
 * are once those before it have gone, or as they are in the whole; by the length of its slice; to
 * all parts. */
enum parts_share { SHARE_LONGEST, SHARE_LONGEST_AT_FIRST, SHARE_HEAVY, SHARE_ALL };

struct format_parts {
    int order, parts;
    const struct format *const *part;
    enum parts_share share;
    int64_t heavy;    /* the components that a slice of the first part has at least */
    bool drops_empty; /* parts without a component are left out */
    const char *spelling;
};

/* Does the text begin as such a format does? */
bool format_parts_named(const char *spelling);

/* Parses one; diagnostics point into spelling.  NULL after a diagnostic.  dimension, of each mode,
 * orders the modes where the name says so; NULL: nobody knows it. */
const struct format_parts *format_parts_parse(struct context *cx, const char *tensor,
                                              const char *spelling, int order,
                                              const int64_t *dimension,
                                              struct format_defaults defaults);

/* In a spelling that parses back to the same parts, wherever a component goes. */
void format_parts_print(struct text *out, const struct format *const *part, int parts, bool all,
                        struct format_defaults defaults);

/* Returns the mode along which the part has fibers: the last one that its last level stores a
 * function of; -1: of order 0. */
int format_parts_leaf(const struct format *part);

/* The names, for lists of formats. */
struct parts_name {
    const char *name, *usage, *brief;
};
extern const struct parts_name format_parts_names[];
extern const int format_parts_names_count;

#endif
