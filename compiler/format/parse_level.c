/* parse_level.c - one level of a format from text: the map that it stores, its type, its options.
 *
 *     level     = map ":" NAME [ "(" option { "," option } ")" ]
 *     option    = "unique" | "nonunique" | "ordered" | "unordered" | "morton"
 *               | ("pos" | "crd") "=" TYPE
 *               | "most" "=" INTEGER
 *               | WORD                  of the level type NAME(WORD)
 *     map       = product { ("+" | "-") product }
 *     product   = atom { ("/" | "%" | "floordiv" | "mod") atom }           of an INTEGER
 *     atom      = MODE | INTEGER | "(" map ")"
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/suggest.h"
#include "compiler/base/text.h"
#include "compiler/format/parse.h"

enum { MAP_MAX = 50 };

/* ---- maps ---- */

static const struct map_expr *parse_map(struct format_parser *p);

const struct map_expr *parse_make_map(struct format_parser *p, struct map_expr map)
{
    return arena_copy(p->cx->arena, &map, sizeof map);
}

static const struct map_expr *parse_mode(struct format_parser *p)
{
    int begin;
    size_t n = scan_word(p, &begin);
    for (int m = 0; m < p->modes && n; m++)
        if (p->mode[m].n == n && memcmp(p->mode[m].s, p->text + begin, n) == 0)
            return parse_make_map(p, (struct map_expr){.kind = MAP_MODE, .mode = m});
    if (n)
        scan_complain(p, begin, p->at, "%.*s is not one of the modes before the arrow", (int)n,
                      p->text + begin);
    else
        scan_complain(p, begin, begin + 1, "expected a mode, not %s", scan_describe(p));
    return NULL;
}

/* Counts one more parenthesis or operator of the map.  false after saying that there are too many.
 */
static bool deepen(struct format_parser *p)
{
    if (++p->depth <= MAP_MAX)
        return true;
    scan_complain(p, p->at, p->at + 1, "a level's map has more than %d operators and parentheses",
                  MAP_MAX);
    return false;
}

static const struct map_expr *parse_atom(struct format_parser *p)
{
    int64_t constant;
    scan_space(p);
    if (text_is_digit(p->text[p->at]))
        return scan_integer(p, &constant) ? parse_make_map(
                   p, (struct map_expr){.kind = MAP_CONSTANT, .constant = constant})
                                          : NULL;
    if (!scan_accept(p, "("))
        return parse_mode(p);
    if (!deepen(p))
        return NULL;
    const struct map_expr *map = parse_map(p);
    return map && scan_expect(p, ")") ? map : NULL;
}

static const struct map_expr *parse_product(struct format_parser *p)
{
    const struct map_expr *map = parse_atom(p);
    while (map) {
        bool divides = scan_accept(p, "/") || scan_accept(p, "floordiv");
        if (!divides && !scan_accept(p, "%") && !scan_accept(p, "mod"))
            break;
        int64_t by;
        scan_space(p);
        int begin = p->at;
        if (!deepen(p) || !scan_integer(p, &by))
            return NULL;
        if (by == 0) {
            scan_complain(p, begin, p->at, "a coordinate cannot be divided by 0");
            return NULL;
        }
        const struct map_expr *divisor =
            parse_make_map(p, (struct map_expr){.kind = MAP_CONSTANT, .constant = by});
        map = parse_make_map(
            p, (struct map_expr){.kind = divides ? MAP_DIV : MAP_MOD, .a = map, .b = divisor});
    }
    return map;
}

static const struct map_expr *parse_map(struct format_parser *p)
{
    const struct map_expr *map = parse_product(p);
    while (map) {
        bool adds = scan_accept(p, "+");
        if (!adds && !scan_accept(p, "-"))
            break;
        const struct map_expr *b = deepen(p) ? parse_product(p) : NULL;
        if (!b)
            return NULL;
        map = parse_make_map(p,
                             (struct map_expr){.kind = adds ? MAP_ADD : MAP_SUB, .a = map, .b = b});
    }
    return map;
}
/* ---- level types ---- */

/* Lists "d dense, s compressed, u compressed(nonunique), q singleton". */
static const char *level_list(struct format_parser *p)
{
    struct text out = text_new(p->cx->arena);
    for (const struct level_type *const *type = p->cx->levels; type && *type; type++) {
        if (out.n)
            text_add(&out, ", ");
        if ((*type)->letter)
            text_printf(&out, "%c ", (*type)->letter);
        text_add(&out, (*type)->name);
        if ((*type)->variant_letter)
            text_printf(&out, ", %c %s(%s)", (*type)->variant_letter, (*type)->name,
                        (*type)->variant_drops & LEVEL_UNIQUE ? "nonunique" : "unordered");
    }
    return out.at;
}

void parse_help_levels(struct format_parser *p, struct diag *diag)
{
    diag_help(p->cx, diag, "the level types are %s", level_list(p));
}

/* ---- levels ---- */

void parse_add_level(struct format_parser *p, const struct level_type *type, unsigned drops,
                     const struct map_expr *map)
{
    struct level_format *level = &p->level[p->levels++];
    level->type = type;
    level->properties = type->properties & ~drops;
    level->pos = p->defaults.pos;
    level->crd = p->defaults.crd;
    level->map = map;
}

/* Is the word the second of a level type's name?  Then the level gets that type. */
static bool set_type(struct format_parser *p, struct level_format *level, int begin, size_t n)
{
    struct text name = text_new(p->cx->arena);
    text_printf(&name, "%s(%.*s)", level->type->name, (int)n, p->text + begin);
    const struct level_type *type = level_type_find(p->cx->levels, name.at, name.n);
    if (!type)
        return false;
    level->properties = type->properties & (level->properties | ~level->type->properties);
    level->type = type;
    return true;
}

static bool set_property(struct format_parser *p, struct level_format *level, int begin, size_t n)
{
    static const struct {
        const char *word;
        unsigned property;
        bool drops;
    } words[] = {
        {"unique", LEVEL_UNIQUE, false},     {"nonunique", LEVEL_UNIQUE, true},
        {"ordered", LEVEL_ORDERED, false},   {"unordered", LEVEL_ORDERED, true},
        {"nonordered", LEVEL_ORDERED, true}, {"morton", LEVEL_ORDERED, true},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!text_same(words[i].word, p->text + begin, n))
            continue;
        unsigned property = words[i].property;
        if (words[i].drops && !(level->type->configurable & property)) {
            scan_complain(p, begin, p->at, "%s cannot be %s", level->type->name, words[i].word);
            return false;
        }
        level->properties = words[i].drops
                                ? level->properties & ~property
                                : level->properties | (level->type->properties & property);
        if (property == LEVEL_ORDERED)
            level->properties &= ~(unsigned)LEVEL_MORTON;
        if (text_same("morton", words[i].word, strlen(words[i].word)))
            level->properties |= LEVEL_MORTON;
        return true;
    }
    struct diag *diag = scan_complain(p, begin, p->at, "%.*s is not a property of a level", (int)n,
                                      p->text + begin);
    struct suggestion near = suggest_for(internn(p->cx, p->text + begin, n));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        suggest_consider(&near, words[i].word, strlen(words[i].word));
    if (near.nearest)
        diag_help(p->cx, diag, "did you mean %.*s?", near.length, near.nearest);
    else
        diag_help(
            p->cx, diag,
            "the properties are unique, nonunique, ordered, unordered, morton, most=N, pos=TYPE "
            "and crd=TYPE");
    return false;
}

static bool set_width(struct format_parser *p, struct level_format *level, int begin, bool is_pos)
{
    int at;
    const char *what = is_pos ? "pos" : "crd";
    if (!(is_pos ? level_type_has_pos(level->type) : level_type_has_crd(level->type))) {
        scan_complain(p, begin, p->at, "%s stores no %s", level->type->name, what);
        return false;
    }
    size_t n = scan_word(p, &at);
    enum type type;
    if (n && type_parse(p->text + at, n, &type) && type_is_integer(type)) {
        *(is_pos ? &level->pos : &level->crd) = type;
        return true;
    }
    struct diag *diag =
        scan_complain(p, at, p->at > at ? p->at : at + 1, "%s needs the type of an integer", what);
    diag_help(p->cx, diag, "write one of i8, i16, i32, i64, u8, u16, u32 and u64");
    return false;
}

static bool set_most(struct format_parser *p, struct level_format *level, int begin)
{
    int at;
    if (!level->type->may_split) {
        scan_complain(p, begin, p->at, "%s has no bound on what is below a parent",
                      level->type->name);
        return false;
    }
    scan_space(p);
    at = p->at;
    if (!scan_integer(p, &level->most))
        return false;
    if (level->most > 0)
        return true;
    struct diag *diag = scan_complain(p, at, p->at, "a parent has at least one child");
    diag_help(p->cx, diag, "write most=N with a number N from 1 on");
    return false;
}

/* Reads an option of the last level. */
static bool parse_option(struct format_parser *p)
{
    struct level_format *level = &p->level[p->levels - 1];
    int begin;
    size_t n = scan_word(p, &begin);
    bool is_pos = text_same("pos", p->text + begin, n);
    if ((is_pos || text_same("crd", p->text + begin, n)) && scan_accept(p, "="))
        return set_width(p, level, begin, is_pos);
    if (text_same("most", p->text + begin, n) && scan_accept(p, "="))
        return set_most(p, level, begin);
    if (n == 0) {
        scan_complain(p, begin, begin + 1, "expected a property of the level, not %s",
                      scan_describe(p));
        return false;
    }
    return set_type(p, level, begin, n) || set_property(p, level, begin, n);
}

/* Names the level type that was probably meant, or all level types. */
static void help_level(struct format_parser *p, struct diag *diag, const char *written)
{
    struct suggestion near = suggest_for(written);
    for (const struct level_type *const *type = p->cx->levels; type && *type; type++)
        suggest_consider(&near, (*type)->name, strlen((*type)->name));
    if (near.nearest)
        diag_help(p->cx, diag, "did you mean %.*s?", near.length, near.nearest);
    else
        parse_help_levels(p, diag);
}

/* Reads what follows a map and the colon. */
static bool parse_level_type(struct format_parser *p, const struct map_expr *map)
{
    int begin;
    size_t n = scan_word(p, &begin);
    const struct level_type *type =
        n > 1 ? level_type_find(p->cx->levels, p->text + begin, n) : NULL;
    if (!type && n) {
        help_level(
            p, scan_complain(p, begin, p->at, "%.*s is not a level type", (int)n, p->text + begin),
            internn(p->cx, p->text + begin, n));
        return false;
    }
    if (!type) {
        parse_help_levels(p, scan_complain(p, begin, begin + 1, "expected a level type, not %s",
                                           scan_describe(p)));
        return false;
    }
    parse_add_level(p, type, 0, map);
    return !scan_accept(p, "(") || scan_list(p, parse_option);
}

bool parse_level(struct format_parser *p)
{
    scan_space(p);
    if (p->levels == LEVELS_MAX) {
        scan_complain(p, p->at, p->at + 1, "a format has at most %d levels", LEVELS_MAX);
        return false;
    }
    p->depth = 0;
    int begin = p->at;
    const struct map_expr *map = parse_map(p);
    if (!map || !scan_expect(p, ":") || !parse_level_type(p, map))
        return false;
    p->begin[p->levels - 1] = begin;
    p->end[p->levels - 1] = p->at;
    return true;
}
