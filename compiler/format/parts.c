/* parts.c - parses and prints formats of tensors in parts, and knows the named ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/parts.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/format/parse.h"

/* The arguments after the word. */
enum takes { TAKES_PARTS, TAKES_STATIC, TAKES_NUMBER, TAKES_NOTHING };

struct named_parts {
    enum takes takes;
    enum parts_share share;
    int order_min;
    /* The format of each part, in which a different mode comes last or first; NULL: the written
     * formats, or two fixed ones. */
    const char *fibers;
};

const struct parts_name format_parts_names[] = {
    {"part", "(F; F; ...)", "the sum of parts, each in a format of its own"},
    {"any", "(F; F; ...)", "stored in each of the formats: statements read the best one"},
    {"mmcsf", "", "parts of fibers along each of the modes; mmcsf(static): by the first lengths"},
    {"heavy", "(t)", "slices of t components or more as csf, the others as coo"},
    {"csf-all", "", "as many trees as modes, each with another mode at the root"},
};
const int format_parts_names_count = sizeof format_parts_names / sizeof *format_parts_names;

static const struct named_parts named[] = {
    {TAKES_PARTS, SHARE_LONGEST, 0, NULL},      {TAKES_PARTS, SHARE_ALL, 0, NULL},
    {TAKES_STATIC, SHARE_LONGEST, 2, "fibers"}, {TAKES_NUMBER, SHARE_HEAVY, 2, NULL},
    {TAKES_NOTHING, SHARE_ALL, 1, "csf"},
};

static size_t word_length(const char *s)
{
    size_t n = 0;
    while (text_is_letter(s[n]) || (n > 0 && text_is_digit(s[n]))
           || (n > 0 && s[n] == '-' && text_is_letter(s[n + 1])))
        n++;
    return n;
}

static int find_name(const char *spelling)
{
    const char *word = spelling + strspn(spelling, " \t\n");
    size_t n = word_length(word);
    for (int k = 0; k < format_parts_names_count; k++)
        if (text_same(format_parts_names[k].name, word, n))
            return k;
    return -1;
}

bool format_parts_named(const char *spelling) { return find_name(spelling) >= 0; }

/* ---- parts of named formats ---- */

/* Sorts modes by size, equal ones by number; without sizes by number. */
static void sort_modes(int *mode, int n, const int64_t *dimension)
{
    for (int i = 1; dimension && i < n; i++)
        for (int k = i; k > 0 && dimension[mode[k]] < dimension[mode[k - 1]]; k--) {
            int other = mode[k];
            mode[k] = mode[k - 1];
            mode[k - 1] = other;
        }
}

/* Returns "fibers:1,0,2": the mode comes last or first, the others by size. */
static const char *with_order(struct context *cx, const char *format, int order, int mode,
                              bool is_last, const int64_t *dimension)
{
    struct text out = text_new(cx->arena);
    int other[ORDER_MAX], n = 0;
    for (int m = 0; m < order; m++)
        if (m != mode)
            other[n++] = m;
    sort_modes(other, n, dimension);
    text_printf(&out, "%s:", format);
    if (!is_last)
        text_printf(&out, "%d%s", mode, n ? "," : "");
    for (int k = 0; k < n; k++)
        text_printf(&out, "%d%s", other[k], is_last || k + 1 < n ? "," : "");
    if (is_last)
        text_printf(&out, "%d", mode);
    return out.at;
}

/* ---- parsing ---- */

struct parts_parser {
    struct format_parser p; /* the whole text */
    const int64_t *dimension;
    int name;
    const struct format *part[PARTS_MAX];
    struct format_parts made;
};

static bool add_part(struct parts_parser *parser, const char *spelling, int begin, int end)
{
    struct format_parser *p = &parser->p;
    if (parser->made.parts == PARTS_MAX) {
        scan_complain(p, begin, end, "a tensor has at most %d parts", (int)PARTS_MAX);
        return false;
    }
    if (format_parts_named(spelling)) {
        scan_complain(p, begin, end, "a part has no parts of its own");
        return false;
    }
    const struct format *part = format_parse(p->cx, p->tensor, spelling, p->order, p->defaults);
    if (part)
        parser->part[parser->made.parts++] = part;
    return part != NULL;
}

/* Reads formats separated by ';', which may contain parentheses with ';' as well. */
static bool parse_written(struct parts_parser *parser)
{
    struct format_parser *p = &parser->p;
    if (!scan_expect(p, "("))
        return false;
    for (int depth = 0, begin = p->at;; p->at++) {
        char c = p->text[p->at];
        if (!c)
            return scan_expect(p, ")");
        depth += (c == '(') - (c == ')');
        if (depth > 0 || (c != ';' && depth == 0))
            continue;
        const char *part = arena_printf(p->cx->arena, "%.*s", p->at - begin, p->text + begin);
        if (part[strspn(part, " \t\n")] == '\0') {
            scan_complain(p, begin, p->at + 1, "the format of a part is missing here");
            return false;
        }
        if (!add_part(parser, part, begin, p->at))
            return false;
        begin = p->at + 1;
        if (depth < 0)
            break;
    }
    p->at++;
    return true;
}

/* Refuses arguments that the name does not take. */
static bool refuse_arguments(struct parts_parser *parser, const char *why)
{
    struct format_parser *p = &parser->p;
    const struct parts_name *name = &format_parts_names[parser->name];
    struct diag *diag = scan_complain(p, p->at, p->at + 1, "%s, not %s", why, scan_describe(p));
    if (named[parser->name].takes == TAKES_STATIC)
        diag_help(p->cx, diag, "write %s, or %s(static)", name->name, name->name);
    else
        diag_help(p->cx, diag, "write %s%s", name->name, name->usage);
    return false;
}

static bool parse_static(struct parts_parser *parser)
{
    struct format_parser *p = &parser->p;
    if (!scan_accept(p, "("))
        return true;
    parser->made.share = SHARE_LONGEST_AT_FIRST;
    return (scan_accept(p, "static") || refuse_arguments(parser, "expected 'static'"))
           && scan_expect(p, ")");
}

static bool parse_number(struct parts_parser *parser)
{
    struct format_parser *p = &parser->p;
    int begin;
    if (!scan_accept(p, "("))
        return refuse_arguments(parser, "expected the number of components");
    scan_space(p);
    begin = p->at;
    if (!scan_integer(p, &parser->made.heavy))
        return false;
    if (parser->made.heavy == 0) {
        scan_complain(p, begin, p->at, "a slice has at least one component");
        return false;
    }
    return scan_expect(p, ")") && add_part(parser, "csf", begin, p->at)
           && add_part(parser, "coo", begin, p->at);
}

static bool parse_arguments(struct parts_parser *parser)
{
    const struct named_parts *name = &named[parser->name];
    parser->made.share = name->share;
    parser->made.drops_empty = name->takes != TAKES_PARTS;
    switch (name->takes) {
    case TAKES_PARTS: return parse_written(parser);
    case TAKES_STATIC: return parse_static(parser);
    case TAKES_NUMBER: return parse_number(parser);
    case TAKES_NOTHING: break;
    }
    return true;
}

static bool check_order(struct parts_parser *parser, int begin)
{
    const struct named_parts *name = &named[parser->name];
    struct format_parser *p = &parser->p;
    if (p->order >= name->order_min)
        return true;
    scan_complain(p, begin, p->at, "%s is for tensors of order %d or more, but %s has order %d",
                  format_parts_names[parser->name].name, name->order_min, p->tensor, p->order);
    return false;
}

static bool parse_parts(struct parts_parser *parser)
{
    struct format_parser *p = &parser->p;
    const struct named_parts *name = &named[parser->name];
    scan_space(p);
    int begin = p->at;
    p->at += (int)strlen(format_parts_names[parser->name].name);
    if (!check_order(parser, begin) || !parse_arguments(parser))
        return false;
    for (int m = p->order - 1; m >= 0 && name->fibers; m--) {
        bool is_last = name->share != SHARE_ALL;
        int mode = is_last ? m : p->order - 1 - m;
        if (!add_part(parser,
                      with_order(p->cx, name->fibers, p->order, mode, is_last, parser->dimension),
                      begin, p->at))
            return false;
    }
    scan_space(p);
    if (p->text[p->at])
        return refuse_arguments(parser, "expected the end of the format");
    return true;
}

const struct format_parts *format_parts_parse(struct context *cx, const char *tensor,
                                              const char *spelling, int order,
                                              const int64_t *dimension,
                                              struct format_defaults defaults)
{
    struct source *source = arena_make(cx->arena, struct source);
    source->name = arena_printf(cx->arena, "format of %s", tensor);
    source->text = arena_strdup(cx->arena, spelling);
    struct parts_parser parser = {.p = {.cx = cx,
                                        .source = source,
                                        .text = source->text,
                                        .tensor = tensor,
                                        .order = order,
                                        .defaults = defaults},
                                  .dimension = dimension,
                                  .name = find_name(spelling),
                                  .made = {.order = order, .spelling = source->text}};
    context_assert(cx, parser.name >= 0);
    if (!parse_parts(&parser))
        return NULL;
    parser.made.part =
        arena_copy(cx->arena, parser.part, sizeof *parser.part * (size_t)parser.made.parts);
    return arena_copy(cx->arena, &parser.made, sizeof parser.made);
}

/* ---- queries ---- */

static int last_mode(const struct map_expr *map)
{
    if (map->kind == MAP_MODE || map->kind == MAP_CONSTANT)
        return map->kind == MAP_MODE ? map->mode : -1;
    int a = last_mode(map->a), b = last_mode(map->b);
    return a > b ? a : b;
}

int format_parts_leaf(const struct format *part)
{
    return part->levels > 0 ? last_mode(part->level[part->levels - 1].map) : -1;
}

void format_parts_print(struct text *out, const struct format *const *part, int parts, bool all,
                        struct format_defaults defaults)
{
    text_add(out, all ? "any(" : "part(");
    for (int k = 0; k < parts; k++) {
        text_add(out, k ? "; " : "");
        format_print(out, part[k], defaults);
    }
    text_add(out, ")");
}
