/* parse.c - formats from text.
 *
 *     format    = name [ "(" INTEGER { "," INTEGER } ")" ] [ order ]        csr   bcsr(4,4)   dense:1,0
 *               | LETTER { LETTER } [ order ]                              ds    ss:1,0
 *               | "(" [ modes ] ")" "->" "(" [ level { "," level } ] ")"
 *     order     = ":" INTEGER { "," INTEGER }              level k stores the mode order[k]
 *     level     = map ":" NAME [ "(" option { "," option } ")" ]
 *     option    = "unique" | "nonunique" | "ordered" | "unordered" | ("pos" | "crd") "=" TYPE
 *     map       = product { ("+" | "-") product }
 *     product   = atom { ("/" | "%" | "floordiv" | "mod") atom }           of an INTEGER
 *     atom      = MODE | INTEGER | "(" map ")"
 *
 * A name is parsed by parsing what it stands for; what is wrong there is reported at the name.  The first mistake ends
 * the parse: a format is short.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>
#include <string.h>

#include "compiler/base/context.h"
#include "compiler/base/text.h"
#include "compiler/format/format.h"
#include "compiler/format/names.h"

enum { MAP_MAX = 50 };

struct parser {
    struct context *cx;
    const struct source *source;
    const char *text;
    int at;
    const char *tensor;
    int order;
    struct format_defaults defaults;
    const struct format_name *name;      /* the name whose expansion this is, or NULL */
    struct span name_span;
    struct { const char *s; size_t n; } mode[ORDER_MAX];
    int modes;
    struct level_format level[LEVELS_MAX];
    int levels;
    int depth;                           /* operators and parentheses in the map being parsed */
};

/* ---- mistakes ---- */

static struct diag *complain(struct parser *p, int begin, int end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static struct diag *complain(struct parser *p, int begin, int end, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(p->cx->arena, format, args);
    va_end(args);
    struct span span = p->name ? p->name_span : (struct span){p->source, begin, end};
    return diag_error(p->cx, DIAG_FORMAT, span, "%s", message);
}

/* "d dense, s compressed, u compressed(nonunique), q singleton" */
static const char *level_list(struct parser *p)
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

static const char *name_list(struct parser *p)
{
    struct text out = text_new(p->cx->arena);
    for (int i = 0; i < format_names_count; i++)
        text_printf(&out, "%s%s", i ? ", " : "", format_names[i].name);
    return out.at;
}

static void help_with_levels(struct parser *p, struct diag *diag)
{
    diag_help(p->cx, diag, "the level types are %s", level_list(p));
}

static void complain_about_level(struct parser *p, int begin, int end)
{
    const char *name = p->text + begin;
    size_t n = (size_t)(end - begin);
    const char *later = planned_level(name, n);
    struct diag *diag;
    if (later && p->name)
        diag = complain(p, begin, end, "%s needs the level type %s, which is not available in this version",
                        p->name->name, later);
    else if (later)
        diag = complain(p, begin, end, "the level type %s is not available in this version", later);
    else
        diag = complain(p, begin, end, "%.*s is not a level type", (int)n, name);
    help_with_levels(p, diag);
}

/* ---- words ---- */

static void skip_space(struct parser *p)
{
    while (p->text[p->at] == ' ' || p->text[p->at] == '\t' || p->text[p->at] == '\n')
        p->at++;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool accept(struct parser *p, const char *sign)
{
    skip_space(p);
    size_t n = strlen(sign);
    const char *here = p->text + p->at;
    if (strncmp(here, sign, n) != 0)
        return false;
    if (is_letter(*sign) && (is_letter(here[n]) || is_digit(here[n]))) /* a longer word */
        return false;
    p->at += (int)n;
    return true;
}

/* What stands here, for a message. */
static const char *describe(struct parser *p)
{
    unsigned char c = (unsigned char)p->text[p->at];
    if (!c)
        return "the end";
    if (c < ' ' || c >= 0x7f)
        return arena_printf(p->cx->arena, "the byte 0x%02x", c);
    return arena_printf(p->cx->arena, "'%c'", c);
}

static bool expect(struct parser *p, const char *sign)
{
    if (accept(p, sign))
        return true;
    complain(p, p->at, p->at + 1, "expected '%s', not %s", sign, describe(p));
    return false;
}

/* One element or more, with commas between them, and the parenthesis behind. */
static bool parse_list(struct parser *p, bool (*element)(struct parser *p))
{
    do {
        if (!element(p))
            return false;
    } while (accept(p, ","));
    return expect(p, ")");
}

/* A name of letters and digits; its length, or 0. */
static size_t read_word(struct parser *p, int *begin)
{
    skip_space(p);
    *begin = p->at;
    if (!is_letter(p->text[p->at]))
        return 0;
    while (is_letter(p->text[p->at]) || is_digit(p->text[p->at]))
        p->at++;
    return (size_t)(p->at - *begin);
}

static bool read_integer(struct parser *p, int64_t *value)
{
    skip_space(p);
    int begin = p->at;
    *value = 0;
    while (is_digit(p->text[p->at]) && *value < INT32_MAX)
        *value = *value * 10 + (p->text[p->at++] - '0');
    while (is_digit(p->text[p->at]))
        p->at++;
    if (p->at == begin) {
        complain(p, begin, begin + 1, "expected a number, not %s", describe(p));
        return false;
    }
    if (*value > INT32_MAX) {
        complain(p, begin, p->at, "this number is too large");
        return false;
    }
    return true;
}

static bool same_word(const char *word, const char *s, size_t n) { return strlen(word) == n && memcmp(word, s, n) == 0; }

/* ---- maps ---- */

static const struct map_expr *parse_map(struct parser *p);

static const struct map_expr *make_map(struct parser *p, struct map_expr map)
{
    return arena_copy(p->cx->arena, &map, sizeof map);
}

static const struct map_expr *parse_mode(struct parser *p)
{
    int begin;
    size_t n = read_word(p, &begin);
    for (int m = 0; m < p->modes && n; m++)
        if (p->mode[m].n == n && memcmp(p->mode[m].s, p->text + begin, n) == 0)
            return make_map(p, (struct map_expr){.kind = MAP_MODE, .mode = m});
    if (n)
        complain(p, begin, p->at, "%.*s is not one of the modes before the arrow", (int)n, p->text + begin);
    else
        complain(p, begin, begin + 1, "expected a mode, not %s", describe(p));
    return NULL;
}

/* One more parenthesis or operator in this map; false after saying that there are too many. */
static bool deepen(struct parser *p)
{
    if (++p->depth <= MAP_MAX)
        return true;
    complain(p, p->at, p->at + 1, "a level's map has more than %d operators and parentheses", MAP_MAX);
    return false;
}

static const struct map_expr *parse_atom(struct parser *p)
{
    int64_t constant;
    skip_space(p);
    if (is_digit(p->text[p->at]))
        return read_integer(p, &constant) ? make_map(p, (struct map_expr){.kind = MAP_CONSTANT, .constant = constant})
                                          : NULL;
    if (!accept(p, "("))
        return parse_mode(p);
    if (!deepen(p))
        return NULL;
    const struct map_expr *map = parse_map(p);
    return map && expect(p, ")") ? map : NULL;
}

static const struct map_expr *parse_product(struct parser *p)
{
    const struct map_expr *map = parse_atom(p);
    while (map) {
        bool divides = accept(p, "/") || accept(p, "floordiv");
        if (!divides && !accept(p, "%") && !accept(p, "mod"))
            break;
        int64_t by;
        skip_space(p);
        int begin = p->at;
        if (!deepen(p) || !read_integer(p, &by))
            return NULL;
        if (by == 0) {
            complain(p, begin, p->at, "a coordinate cannot be divided by 0");
            return NULL;
        }
        const struct map_expr *divisor = make_map(p, (struct map_expr){.kind = MAP_CONSTANT, .constant = by});
        map = make_map(p, (struct map_expr){.kind = divides ? MAP_DIV : MAP_MOD, .a = map, .b = divisor});
    }
    return map;
}

static const struct map_expr *parse_map(struct parser *p)
{
    const struct map_expr *map = parse_product(p);
    while (map) {
        bool adds = accept(p, "+");
        if (!adds && !accept(p, "-"))
            break;
        const struct map_expr *b = deepen(p) ? parse_product(p) : NULL;
        if (!b)
            return NULL;
        map = make_map(p, (struct map_expr){.kind = adds ? MAP_ADD : MAP_SUB, .a = map, .b = b});
    }
    return map;
}

/* ---- levels ---- */

static void add_level(struct parser *p, const struct level_type *type, unsigned drops, const struct map_expr *map)
{
    struct level_format *level = &p->level[p->levels++];
    level->type = type;
    level->properties = type->properties & ~drops;
    level->pos = p->defaults.pos;
    level->crd = p->defaults.crd;
    level->map = map;
}

static bool set_property(struct parser *p, struct level_format *level, int begin, size_t n)
{
    static const struct { const char *word; unsigned property; bool drops; } words[] = {
        {"unique", LEVEL_UNIQUE, false},    {"nonunique", LEVEL_UNIQUE, true},    {"ordered", LEVEL_ORDERED, false},
        {"unordered", LEVEL_ORDERED, true}, {"nonordered", LEVEL_ORDERED, true},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!same_word(words[i].word, p->text + begin, n))
            continue;
        unsigned property = words[i].property;
        if (words[i].drops && !(level->type->configurable & property)) {
            complain(p, begin, p->at, "%s cannot be %s", level->type->name, words[i].word);
            return false;
        }
        level->properties = words[i].drops ? level->properties & ~property
                                           : level->properties | (level->type->properties & property);
        return true;
    }
    struct diag *diag = complain(p, begin, p->at, "%.*s is not a property of a level", (int)n, p->text + begin);
    diag_help(p->cx, diag, "the properties are unique, nonunique, ordered, unordered, pos=TYPE and crd=TYPE");
    return false;
}

static bool has_array(const struct level_type *type, enum level_array_kind kind)
{
    for (int i = 0; i < LEVEL_ARRAYS; i++)
        if (type->array[i].kind == kind)
            return true;
    return false;
}

static bool set_width(struct parser *p, struct level_format *level, int begin, bool is_pos)
{
    int at;
    const char *what = is_pos ? "pos" : "crd";
    if (!has_array(level->type, is_pos ? LEVEL_POSITIONS : LEVEL_COORDINATES)) {
        complain(p, begin, p->at, "%s stores no %s", level->type->name, what);
        return false;
    }
    size_t n = read_word(p, &at);
    enum type type;
    if (n && type_parse(p->text + at, n, &type) && type_is_integer(type)) {
        *(is_pos ? &level->pos : &level->crd) = type;
        return true;
    }
    struct diag *diag = complain(p, at, p->at > at ? p->at : at + 1, "%s needs the type of an integer", what);
    diag_help(p->cx, diag, "write one of i8, i16, i32, i64, u8, u16, u32 and u64");
    return false;
}

/* Of the last level. */
static bool parse_option(struct parser *p)
{
    struct level_format *level = &p->level[p->levels - 1];
    int begin;
    size_t n = read_word(p, &begin);
    bool is_pos = same_word("pos", p->text + begin, n);
    if ((is_pos || same_word("crd", p->text + begin, n)) && accept(p, "="))
        return set_width(p, level, begin, is_pos);
    if (n == 0) {
        complain(p, begin, begin + 1, "expected a property of the level, not %s", describe(p));
        return false;
    }
    return set_property(p, level, begin, n);
}

/* After map and colon. */
static bool parse_level_type(struct parser *p, const struct map_expr *map)
{
    int begin;
    unsigned drops;
    size_t n = read_word(p, &begin);
    const struct level_type *type = n > 1 ? level_type_find(p->cx->levels, p->text + begin, n, &drops) : NULL;
    if (!type && n) {
        complain_about_level(p, begin, p->at);
        return false;
    }
    if (!type) {
        help_with_levels(p, complain(p, begin, begin + 1, "expected a level type, not %s", describe(p)));
        return false;
    }
    add_level(p, type, 0, map);
    return !accept(p, "(") || parse_list(p, parse_option);
}

static bool parse_level(struct parser *p)
{
    skip_space(p);
    if (p->levels == LEVELS_MAX) {
        complain(p, p->at, p->at + 1, "a format has at most %d levels", LEVELS_MAX);
        return false;
    }
    p->depth = 0;
    const struct map_expr *map = parse_map(p);
    return map && expect(p, ":") && parse_level_type(p, map);
}

/* ---- the whole in full ---- */

static bool parse_head_mode(struct parser *p)
{
    int begin;
    size_t n = read_word(p, &begin);
    if (!n) {
        complain(p, begin, begin + 1, "expected the name of a mode, not %s", describe(p));
        return false;
    }
    for (int m = 0; m < p->modes; m++) {
        if (p->mode[m].n == n && memcmp(p->mode[m].s, p->text + begin, n) == 0) {
            complain(p, begin, p->at, "%.*s names two modes", (int)n, p->text + begin);
            return false;
        }
    }
    if (p->modes == ORDER_MAX) {
        complain(p, begin, p->at, "a tensor has at most %d modes", ORDER_MAX);
        return false;
    }
    p->mode[p->modes].s = p->text + begin;
    p->mode[p->modes++].n = n;
    return true;
}

static bool parse_head(struct parser *p)
{
    if (!expect(p, "("))
        return false;
    int begin = p->at - 1;
    if (!accept(p, ")") && !parse_list(p, parse_head_mode))
        return false;
    if (p->modes == p->order)
        return true;
    complain(p, begin, p->at, "this format is for tensors of order %d, but %s has order %d", p->modes, p->tensor,
             p->order);
    return false;
}

static uint32_t modes_in(const struct map_expr *map)
{
    if (map->kind == MAP_MODE)
        return UINT32_C(1) << map->mode;
    return map->kind == MAP_CONSTANT ? 0 : modes_in(map->a) | modes_in(map->b);
}

/* Every mode is stored; if nothing is computed, once. */
static bool check_modes(struct parser *p, int begin)
{
    uint32_t seen = 0;
    bool computed = false;
    for (int k = 0; k < p->levels; k++)
        computed |= p->level[k].map->kind != MAP_MODE;
    for (int k = 0; k < p->levels; k++) {
        uint32_t modes = modes_in(p->level[k].map);
        if (!computed && (seen & modes)) {
            int m = p->level[k].map->mode;
            complain(p, begin, p->at, "two levels store the mode %.*s", (int)p->mode[m].n, p->mode[m].s);
            return false;
        }
        seen |= modes;
    }
    for (int m = 0; m < p->modes; m++) {
        if (!(seen >> m & 1)) {
            complain(p, begin, p->at, "no level stores the mode %.*s", (int)p->mode[m].n, p->mode[m].s);
            return false;
        }
    }
    return true;
}

static bool parse_end(struct parser *p)
{
    skip_space(p);
    if (!p->text[p->at])
        return true;
    complain(p, p->at, p->at + 1, "expected the end of the format, not %s", describe(p));
    return false;
}

static bool parse_full(struct parser *p)
{
    if (!parse_head(p) || !expect(p, "->") || !expect(p, "("))
        return false;
    int begin = p->at - 1;
    if (!accept(p, ")") && !parse_list(p, parse_level))
        return false;
    return check_modes(p, begin) && parse_end(p);
}

/* ---- names and letters ---- */

static const struct map_expr *permute_map(struct parser *p, const struct map_expr *map, const int *order)
{
    struct map_expr permuted = *map;
    if (map->kind == MAP_MODE) {
        permuted.mode = order[map->mode];
    } else if (map->kind != MAP_CONSTANT) {
        permuted.a = permute_map(p, map->a, order);
        permuted.b = permute_map(p, map->b, order);
    }
    return make_map(p, permuted);
}

static bool read_order(struct parser *p, int *order, int begin)
{
    uint32_t seen = 0;
    int n = 0;
    do {
        int64_t mode;
        skip_space(p);
        int at = p->at;
        if (!read_integer(p, &mode))
            return false;
        if (mode >= p->order) {
            struct diag *diag = complain(p, at, p->at, "%s has no mode %lld", p->tensor, (long long)mode);
            if (p->order > 0)
                diag_help(p->cx, diag, "its modes are 0 to %d", p->order - 1);
            return false;
        }
        if (seen >> mode & 1) {
            complain(p, at, p->at, "the mode %lld is listed twice", (long long)mode);
            return false;
        }
        seen |= UINT32_C(1) << mode;
        order[n++] = (int)mode;
    } while (accept(p, ","));
    if (n == p->order)
        return true;
    complain(p, begin, p->at, "the order lists %d of %d modes", n, p->order);
    return false;
}

/* [ ":" order ] and the end. */
static bool parse_order(struct parser *p)
{
    int order[ORDER_MAX];
    skip_space(p);
    int begin = p->at + 1;
    if (accept(p, ":")) {
        if (!read_order(p, order, begin))
            return false;
        for (int k = 0; k < p->levels; k++)
            p->level[k].map = permute_map(p, p->level[k].map, order);
    }
    return parse_end(p);
}

static bool parse_parameters(struct parser *p, const struct format_name *name, int begin, int64_t *parameter)
{
    int n = 0;
    if (accept(p, "(")) {
        do {
            int64_t value;
            skip_space(p);
            int at = p->at;
            if (!read_integer(p, &value))
                return false;
            if (value == 0) {
                complain(p, at, p->at, "a block has at least one row and column");
                return false;
            }
            if (n < FORMAT_PARAMETERS_MAX)
                parameter[n] = value;
            n++;
        } while (accept(p, ","));
        if (!expect(p, ")"))
            return false;
    }
    if (n == name->parameters)
        return true;
    complain(p, begin, p->at, "%s takes %d parameter%s, not %d", name->name, name->parameters,
             name->parameters == 1 ? "" : "s", n);
    return false;
}

static bool check_order(struct parser *p, const struct format_name *name, int begin)
{
    if (p->order >= name->order_min && p->order <= name->order_max)
        return true;
    struct diag *diag;
    if (name->order_min == name->order_max)
        diag = complain(p, begin, p->at, "%s is for tensors of order %d, but %s has order %d", name->name,
                        name->order_min, p->tensor, p->order);
    else
        diag = complain(p, begin, p->at, "%s is for tensors of order %d or more, but %s has order %d", name->name,
                        name->order_min, p->tensor, p->order);
    diag_help(p->cx, diag, p->order == 0 ? "a scalar is dense" : "dense, coo and csf are for tensors of any order");
    return false;
}

static bool parse_name(struct parser *p, const struct format_name *name, int begin)
{
    int64_t parameter[FORMAT_PARAMETERS_MAX] = {0};
    if (!check_order(p, name, begin) || !parse_parameters(p, name, begin, parameter))
        return false;
    struct parser inner = {.cx = p->cx, .tensor = p->tensor, .order = p->order, .defaults = p->defaults, .name = name};
    inner.text = format_name_expand(p->cx->arena, name, p->order, parameter);
    inner.name_span = (struct span){p->source, begin, p->at};
    if (!parse_full(&inner))
        return false;
    memcpy(p->level, inner.level, sizeof p->level);
    p->levels = inner.levels;
    return parse_order(p);
}

static bool parse_letters(struct parser *p, int begin)
{
    int n = p->at - begin;
    for (int k = 0; k < n; k++) {
        unsigned drops;
        const struct level_type *type = level_type_find(p->cx->levels, p->text + begin + k, 1, &drops);
        bool known = type || planned_level(p->text + begin + k, 1);
        if (!known) { /* then it is not letters at all */
            struct diag *diag = complain(p, begin, p->at, "%.*s is neither a format's name nor letters of level types", n,
                                         p->text + begin);
            diag_note(p->cx, diag, "the names are %s", name_list(p));
            help_with_levels(p, diag);
            return false;
        }
    }
    if (n != p->order) {
        struct diag *diag = complain(p, begin, p->at, "this format is for tensors of order %d, but %s has order %d", n,
                                     p->tensor, p->order);
        diag_help(p->cx, diag, "write one letter for each mode");
        return false;
    }
    for (int k = 0; k < n; k++) {
        unsigned drops;
        const struct level_type *type = level_type_find(p->cx->levels, p->text + begin + k, 1, &drops);
        if (!type) {
            complain_about_level(p, begin + k, begin + k + 1);
            return false;
        }
        add_level(p, type, drops, make_map(p, (struct map_expr){.kind = MAP_MODE, .mode = k}));
    }
    return parse_order(p);
}

static bool parse_short(struct parser *p)
{
    int begin;
    read_word(p, &begin);
    while (p->text[p->at] == '-' && is_letter(p->text[p->at + 1])) { /* mode-generic */
        p->at++;
        read_word(p, &(int){0});
    }
    if (p->at == begin && p->text[begin] != '\0' && p->text[begin] != ':') {
        struct diag *diag = complain(p, begin, begin + 1, "a format cannot begin with %s", describe(p));
        help_with_levels(p, diag);
        return false;
    }
    const struct format_name *name = format_name_find(p->text + begin, (size_t)(p->at - begin));
    return name ? parse_name(p, name, begin) : parse_letters(p, begin);
}

/* ---- what follows from what is written ---- */

/* In a list of coordinates - a level that is not unique and the singletons below it - only the last level can tell two
 * entries apart. */
static void normalize(struct level_format *level, int levels)
{
    for (int k = 0; k + 2 < levels; k++) {
        bool listed = !level_has(&level[k], LEVEL_UNIQUE) && level_has(&level[k + 1], LEVEL_BRANCHLESS);
        if (listed && level_has(&level[k + 2], LEVEL_BRANCHLESS))
            level[k + 1].properties &= ~(unsigned)LEVEL_UNIQUE;
    }
}

const struct format *format_parse(struct context *cx, const char *tensor, const char *spelling, int order,
                                  struct format_defaults defaults)
{
    struct source *source = arena_make(cx->arena, struct source);
    source->name = arena_printf(cx->arena, "format of %s", tensor);
    source->text = arena_strdup(cx->arena, spelling);
    struct parser p = {.cx = cx, .source = source, .text = source->text, .tensor = tensor, .order = order,
                       .defaults = defaults};
    context_assert(cx, order >= 0 && order <= ORDER_MAX);
    skip_space(&p);
    if (!(p.text[p.at] == '(' ? parse_full(&p) : parse_short(&p)))
        return NULL;
    normalize(p.level, p.levels);
    for (int k = 0; k < p.levels; k++)
        p.level[k].mode = p.level[k].map->kind == MAP_MODE ? p.level[k].map->mode : -1;
    struct format *format = arena_make(cx->arena, struct format);
    format->order = order;
    format->levels = p.levels;
    format->level = arena_copy(cx->arena, p.level, sizeof *p.level * (size_t)p.levels);
    format->spelling = source->text;
    return format;
}
