/* parse.h - the state of parsing a format; private to compiler/format.
 *
 * The first mistake ends the parse: a format is short.  So all functions here give false, or NULL,
 * after reporting one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FORMAT_PARSE_H
#define SPCC_FORMAT_PARSE_H

#include <string.h>

#include "compiler/base/context.h"
#include "compiler/base/text.h"
#include "compiler/format/format.h"
#include "compiler/format/names.h"

struct format_parser {
    struct context *cx;
    const struct source *source;
    const char *text;
    int at;
    const char *tensor;
    int order;
    struct format_defaults defaults;
    const struct format_name *name; /* the name whose expansion this is, or NULL */
    struct span name_span;
    struct {
        const char *s;
        size_t n;
    } mode[ORDER_MAX];
    int modes;
    struct level_format level[LEVELS_MAX];
    int begin[LEVELS_MAX], end[LEVELS_MAX]; /* where each level is written */
    int levels;
    int depth; /* operators and parentheses in the map being parsed */
};

/* ---- scan.c: mistakes and words ---- */

struct diag *scan_complain(struct format_parser *p, int begin, int end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void scan_space(struct format_parser *p);
/* Returns what stands here, for a message. */
const char *scan_describe(struct format_parser *p);
/* Goes past the sign or word, if it is there; scan_expect complains if not. */
bool scan_accept(struct format_parser *p, const char *sign);
bool scan_expect(struct format_parser *p, const char *sign);
/* One element or more, with commas between them, and the parenthesis behind. */
bool scan_list(struct format_parser *p, bool (*element)(struct format_parser *p));
/* A name of letters and digits; its length, or 0. */
size_t scan_word(struct format_parser *p, int *begin);
bool scan_integer(struct format_parser *p, int64_t *value);

/* ---- parse_level.c: what one level stores, and how ---- */

bool parse_level(struct format_parser *p);
void parse_add_level(struct format_parser *p, const struct level_type *type, unsigned drops,
                     const struct map_expr *map);
const struct map_expr *parse_make_map(struct format_parser *p, struct map_expr map);
/* Say which level types there are. */
void parse_help_levels(struct format_parser *p, struct diag *diag);

/* ---- check.c: what must hold of all levels together ---- */

/* begin is where they are written. */
bool format_check_levels(struct format_parser *p, int begin);

#endif
