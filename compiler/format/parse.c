/* parse.c - formats from text.
 *
 *     format    = name [ "(" arguments ")" ] [ order ]                     csr   bcsr(4,4)
 *               | LETTER { LETTER } [ order ]                              ds    ss:1,0
 *               | "(" [ modes ] ")" "->" "(" [ level { "," level } ] ")"
 *     arguments = item { "," item } [ ";" INTEGER { "," INTEGER } ]       ghicoo(4; 0,1)  scoo(2)
 *     item      = INTEGER | "nonunique" | "unordered" | "lexicographic"   coo(unordered)
 *     order     = ":" INTEGER { "," INTEGER }              level k stores the mode order[k]
 *     level     : parse_level.c
 *
 * A name is parsed by parsing the format that it stands for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/parse.h"

#include "compiler/base/suggest.h"
#include "compiler/base/text.h"
#include "compiler/format/parts.h"

/* ---- formats in full ---- */

static bool parse_head_mode(struct format_parser *p)
{
    int begin;
    size_t n = scan_word(p, &begin);
    if (!n) {
        scan_complain(p, begin, begin + 1, "expected the name of a mode, not %s", scan_describe(p));
        return false;
    }
    for (int m = 0; m < p->modes; m++) {
        if (p->mode[m].n == n && memcmp(p->mode[m].s, p->text + begin, n) == 0) {
            scan_complain(p, begin, p->at, "%.*s names two modes", (int)n, p->text + begin);
            return false;
        }
    }
    if (p->modes == ORDER_MAX) {
        scan_complain(p, begin, p->at, "a tensor has at most %d modes", ORDER_MAX);
        return false;
    }
    p->mode[p->modes].s = p->text + begin;
    p->mode[p->modes++].n = n;
    return true;
}

static bool parse_head(struct format_parser *p)
{
    if (!scan_expect(p, "("))
        return false;
    int begin = p->at - 1;
    if (!scan_accept(p, ")") && !scan_list(p, parse_head_mode))
        return false;
    if (p->modes == p->order)
        return true;
    scan_complain(p, begin, p->at, "this format is for tensors of order %d, but %s has order %d",
                  p->modes, p->tensor, p->order);
    return false;
}

static bool parse_end(struct format_parser *p)
{
    scan_space(p);
    if (!p->text[p->at])
        return true;
    scan_complain(p, p->at, p->at + 1, "expected the end of the format, not %s", scan_describe(p));
    return false;
}

static bool parse_full(struct format_parser *p)
{
    if (!parse_head(p) || !scan_expect(p, "->") || !scan_expect(p, "("))
        return false;
    int begin = p->at - 1;
    if (!scan_accept(p, ")") && !scan_list(p, parse_level))
        return false;
    return format_check_levels(p, begin) && parse_end(p);
}

static const char *name_list(struct format_parser *p)
{
    struct text out = text_new(p->cx->arena);
    for (int i = 0; i < format_names_count; i++) {
        const char *name = format_names[i].name;
        if (i == 0 || strcmp(format_names[i - 1].name, name)) /* the form with parameters follows */
            text_printf(&out, "%s%s", i ? ", " : "", name);
    }
    for (int i = 0; i < format_parts_names_count; i++)
        text_printf(&out, ", %s", format_parts_names[i].name);
    return out.at;
}

/* Suggests the name that was probably meant, but none for text of level letters, which is shorter
 * than names. */
static bool help_name(struct format_parser *p, struct diag *diag, const char *written)
{
    struct suggestion near = suggest_for(written);
    for (int i = 0; i < format_names_count; i++)
        suggest_consider(&near, format_names[i].name, strlen(format_names[i].name));
    for (int i = 0; i < format_parts_names_count; i++)
        suggest_consider(&near, format_parts_names[i].name, strlen(format_parts_names[i].name));
    if (near.nearest)
        diag_help(p->cx, diag, "did you mean %.*s?", near.length, near.nearest);
    return near.nearest;
}

/* ---- names and letters ---- */

static const struct map_expr *permute_map(struct format_parser *p, const struct map_expr *map,
                                          const int *order)
{
    struct map_expr permuted = *map;
    if (map->kind == MAP_MODE) {
        permuted.mode = order[map->mode];
    } else if (map->kind != MAP_CONSTANT) {
        permuted.a = permute_map(p, map->a, order);
        permuted.b = permute_map(p, map->b, order);
    }
    return parse_make_map(p, permuted);
}

/* Reads one of the tensor's modes that is not listed yet. */
static bool read_mode(struct format_parser *p, const char *what, uint32_t *listed, int64_t *mode)
{
    scan_space(p);
    int at = p->at;
    if (!scan_integer(p, mode))
        return false;
    if (*mode >= p->order) {
        struct diag *diag =
            scan_complain(p, at, p->at, "%s has no mode %lld", p->tensor, (long long)*mode);
        if (p->order > 0)
            diag_help(p->cx, diag, "%s counts modes from 0: they are 0 to %d", what, p->order - 1);
        return false;
    }
    if (*listed >> *mode & 1) {
        scan_complain(p, at, p->at, "the mode %lld is listed twice", (long long)*mode);
        return false;
    }
    *listed |= UINT32_C(1) << *mode;
    return true;
}

static bool read_order(struct format_parser *p, int *order, int begin)
{
    uint32_t listed = 0;
    int n = 0;
    do {
        int64_t mode;
        if (!read_mode(p, "the order", &listed, &mode))
            return false;
        order[n++] = (int)mode;
    } while (scan_accept(p, ","));
    if (n == p->order)
        return true;
    scan_complain(p, begin, p->at, "the order lists %d of %d modes", n, p->order);
    return false;
}

/* Reads [ ":" order ] and the end. */
static bool parse_order(struct format_parser *p)
{
    int order[ORDER_MAX];
    scan_space(p);
    int begin = p->at + 1;
    if (scan_accept(p, ":")) {
        if (!read_order(p, order, begin))
            return false;
        for (int k = 0; k < p->levels; k++)
            p->level[k].map = permute_map(p, p->level[k].map, order);
    }
    return parse_end(p);
}

/* Levels without a property, as in csr(unordered). */
struct without {
    unsigned property;
    int begin, end; /* where that is written; 0: nowhere */
};

/* What stands in the parentheses after a name. */
struct arguments {
    struct format_arguments given;
    struct without order, unique;
    int begin, end; /* of "lexicographic" */
};

/* Says what may follow the name. */
static void help_usage(struct format_parser *p, const struct format_name *name, struct diag *diag)
{
    if (name->modes)
        diag_help(p->cx, diag, "write %s%s; m,... are the modes that are %s, counted from 0",
                  name->name, name->usage, name->modes == FORMAT_BLOCKED ? "blocked" : "dense");
    else if (name->largest)
        diag_help(p->cx, diag, "write %s%s, with b from 1 to %lld", name->name, name->usage,
                  (long long)name->largest);
    else if (name->parameters)
        diag_help(p->cx, diag, "write %s%s", name->name, name->usage);
}

static bool check_parameter(struct format_parser *p, const struct format_name *name, int64_t value,
                            int at)
{
    if (value > 0 && (!name->largest || value <= name->largest))
        return true;
    if (!name->largest) {
        help_usage(p, name, scan_complain(p, at, p->at, "%s", name->not_zero));
        return false;
    }
    struct diag *diag = scan_complain(p, at, p->at, "blocks of %s cannot have the size %lld",
                                      name->name, (long long)value);
    diag_help(p->cx, diag, "b is from 1 to %lld: what is in a block is numbered by u8",
              (long long)name->largest);
    return false;
}

static bool parse_parameter(struct format_parser *p, const struct format_name *name,
                            struct format_arguments *given)
{
    int64_t value;
    int at = p->at;
    if (!scan_integer(p, &value))
        return false;
    if (given->parameters < name->parameters) {
        if (!check_parameter(p, name, value, at))
            return false;
        given->parameter[given->parameters] = arena_printf(p->cx->arena, "%lld", (long long)value);
    }
    given->parameters++;
    return true;
}

static bool parse_word(struct format_parser *p, const struct format_name *name, struct arguments *a)
{
    int begin;
    size_t n = scan_word(p, &begin);
    const char *word = p->text + begin;
    if (text_same("unordered", word, n) || text_same("nonordered", word, n)) {
        a->order = (struct without){LEVEL_ORDERED, begin, p->at};
    } else if (text_same("nonunique", word, n)) {
        a->unique = (struct without){LEVEL_UNIQUE, begin, p->at};
    } else if (text_same("lexicographic", word, n)) {
        a->given.lexicographic = true;
        a->begin = begin;
        a->end = p->at;
    } else {
        diag_help(p->cx,
                  scan_complain(p, begin, p->at, "%.*s is not a property of a whole format", (int)n,
                                word),
                  "write %sunordered or nonunique; other properties of levels need the format in "
                  "full, as in (i,j) -> (i : dense, j : compressed(crd=u16))",
                  name->largest ? "lexicographic, " : "");
        return false;
    }
    return true;
}

/* Reads what follows the opening parenthesis. */
static bool parse_inside(struct format_parser *p, const struct format_name *name,
                         struct arguments *a)
{
    bool modes = name->modes && !name->parameters, more = true;
    while (more) {
        int64_t mode;
        scan_space(p);
        if (!(text_is_letter(p->text[p->at]) ? parse_word(p, name, a)
              : modes                        ? read_mode(p, name->name, &a->given.modes, &mode)
                                             : parse_parameter(p, name, &a->given)))
            return false;
        bool begin = name->modes && !modes && scan_accept(p, ";");
        modes |= begin;
        more = begin || scan_accept(p, ",");
    }
    return scan_expect(p, ")");
}

static bool parse_arguments(struct format_parser *p, const struct format_name *name, int begin,
                            struct arguments *a)
{
    *a = (struct arguments){.given = {.parameters = 0}};
    if (scan_accept(p, "(") && !parse_inside(p, name, a))
        return false;
    const uint32_t all = (uint32_t)((UINT64_C(1) << p->order) - 1), modes = a->given.modes;
    struct diag *diag;
    if (a->given.parameters != name->parameters)
        diag =
            scan_complain(p, begin, p->at, "%s takes %d parameter%s, not %d", name->name,
                          name->parameters, name->parameters == 1 ? "" : "s", a->given.parameters);
    else if (a->given.lexicographic && !name->largest)
        diag = scan_complain(p, a->begin, a->end,
                             "%s has its coordinates in lexicographic order "
                             "already",
                             name->name);
    else if (name->modes && !modes)
        diag = scan_complain(p, begin, p->at, "%s needs a mode", name->name);
    else if (name->modes == FORMAT_DENSE && modes == all)
        diag = scan_complain(p, begin, p->at, "%s leaves no mode that is not dense", name->name);
    else
        return true;
    help_usage(p, name, diag);
    return false;
}

/* Takes the property from the levels that can do without it: `ordered` from all of them, `unique`
 * from the last one that tells entries apart. */
static bool drop(struct format_parser *p, const struct format_name *name,
                 const struct without *without)
{
    bool any = !without->end;
    for (int k = p->levels; k-- > 0 && without->end;) {
        if (!(p->level[k].type->configurable & without->property))
            continue;
        p->level[k].properties &= ~without->property;
        if (without->property == LEVEL_ORDERED)
            p->level[k].properties &= ~(unsigned)LEVEL_MORTON;
        any = true;
        if (without->property == LEVEL_UNIQUE)
            break;
    }
    if (!any)
        scan_complain(p, without->begin, without->end, "no level of %s can be %.*s", name->name,
                      without->end - without->begin, p->text + without->begin);
    return any;
}

/* The format of y = A * x was given where a matrix was meant. */
static void help_scalar(struct format_parser *p, struct diag *diag)
{
    diag_help(p->cx, diag, "without index variables %s is a scalar; a matrix is written %s(i,j)",
              p->tensor, p->tensor);
}

static bool check_order(struct format_parser *p, const struct format_name *name, int begin)
{
    if (p->order >= name->order_min && p->order <= name->order_max)
        return true;
    struct diag *diag;
    if (name->order_min == name->order_max)
        diag = scan_complain(p, begin, p->at, "%s is for tensors of order %d, but %s has order %d",
                             name->name, name->order_min, p->tensor, p->order);
    else
        diag = scan_complain(p, begin, p->at,
                             "%s is for tensors of order %d or more, but %s has order %d",
                             name->name, name->order_min, p->tensor, p->order);
    if (p->order == 0)
        help_scalar(p, diag);
    else
        diag_help(p->cx, diag, "dense, coo and csf are for tensors of any order");
    return false;
}

/* Does a number follow the name first? */
static bool has_number(const struct format_parser *p)
{
    int at = p->at;
    while (p->text[at] == ' ')
        at++;
    if (p->text[at] != '(')
        return false;
    for (at++; p->text[at] == ' ';)
        at++;
    return text_is_digit(p->text[at]);
}

static bool parse_name(struct format_parser *p, const struct format_name *name, int begin)
{
    struct arguments arguments;
    if (has_number(p))
        name = format_name_with_parameters(name);
    if (!check_order(p, name, begin) || !parse_arguments(p, name, begin, &arguments))
        return false;
    struct format_parser inner = {
        .cx = p->cx, .tensor = p->tensor, .order = p->order, .defaults = p->defaults, .name = name};
    inner.text = format_name_expand(p->cx->arena, name, p->order, &arguments.given);
    inner.name_span = (struct span){p->source, begin, p->at};
    if (!parse_full(&inner))
        return false;
    memcpy(p->level, inner.level, sizeof p->level);
    p->levels = inner.levels;
    return drop(p, name, &arguments.order) && drop(p, name, &arguments.unique) && parse_order(p);
}

static bool parse_letters(struct format_parser *p, int begin)
{
    int n = p->at - begin;
    for (int k = 0; k < n; k++) {
        unsigned drops;
        if (level_type_of_letter(p->cx->levels, p->text[begin + k], NULL, &drops))
            continue;
        struct diag *diag = scan_complain(
            p, begin, p->at, "%.*s is neither the name of a format nor letters of level types", n,
            p->text + begin);
        diag_note(p->cx, diag, "the names are %s", name_list(p));
        if (!help_name(p, diag, internn(p->cx, p->text + begin, (size_t)n)))
            parse_help_levels(p, diag);
        return false;
    }
    if (n != p->order) {
        struct diag *diag = scan_complain(
            p, begin, p->at, "this format is for tensors of order %d, but %s has order %d", n,
            p->tensor, p->order);
        if (p->order == 0)
            help_scalar(p, diag);
        else
            diag_help(p->cx, diag, "write one letter for each mode");
        return false;
    }
    for (int k = 0; k < n; k++) {
        unsigned drops;
        const struct level_format *above = k > 0 ? &p->level[k - 1] : NULL;
        const struct level_type *type =
            level_type_of_letter(p->cx->levels, p->text[begin + k], above, &drops);
        p->begin[k] = begin + k;
        p->end[k] = begin + k + 1;
        parse_add_level(p, type, drops,
                        parse_make_map(p, (struct map_expr){.kind = MAP_MODE, .mode = k}));
    }
    return format_check_levels(p, begin) && parse_order(p);
}

static bool parse_short(struct format_parser *p)
{
    int begin;
    scan_word(p, &begin);
    while (p->text[p->at] == '-' && text_is_letter(p->text[p->at + 1])) { /* as in mode-generic */
        p->at++;
        scan_word(p, &(int){0});
    }
    if (p->at == begin && p->text[begin] != '\0' && p->text[begin] != ':') {
        struct diag *diag =
            scan_complain(p, begin, begin + 1, "a format cannot begin with %s", scan_describe(p));
        parse_help_levels(p, diag);
        return false;
    }
    const struct format_name *name = format_name_find(p->text + begin, (size_t)(p->at - begin));
    return name ? parse_name(p, name, begin) : parse_letters(p, begin);
}
/* ---- properties that follow from others ---- */

/* In a list of coordinates, a level that is not unique with the singletons below it, only the last
 * level can tell two entries apart.  All are in Morton order if the first is. */
static void normalize(struct level_format *level, int levels)
{
    for (int k = 0; k + 2 < levels; k++)
        if (level_lists(&level[k]) && level_has(&level[k + 2], LEVEL_BRANCHLESS))
            level[k + 1].properties &= ~(unsigned)LEVEL_UNIQUE;
    for (int k = 0; k + 1 < levels && level_has(&level[k], LEVEL_MORTON); k++)
        if (level_lists(&level[k]))
            level[k + 1].properties |= LEVEL_MORTON;
}

const struct format *format_parse(struct context *cx, const char *tensor, const char *spelling,
                                  int order, struct format_defaults defaults)
{
    struct source *source = arena_make(cx->arena, struct source);
    source->name = arena_printf(cx->arena, "format of %s", tensor);
    source->text = arena_strdup(cx->arena, spelling);
    struct format_parser p = {.cx = cx,
                              .source = source,
                              .text = source->text,
                              .tensor = tensor,
                              .order = order,
                              .defaults = defaults};
    context_assert(cx, order >= 0 && order <= ORDER_MAX);
    if (format_parts_named(spelling)) {
        scan_complain(&p, 0, (int)strlen(spelling),
                      "this is a format of tensors in parts, and %s is in one", tensor);
        return NULL;
    }
    scan_space(&p);
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

int format_find_order(struct context *cx, const char *spelling, struct format_defaults defaults)
{
    const size_t said = cx->diags.n;
    int only = -1, found = 0;
    for (int order = 0; order <= ORDER_MAX && found < 2; order++)
        if (format_parts_named(spelling)
                ? format_parts_parse(cx, "", spelling, order, NULL, defaults) != NULL
                : format_parse(cx, "", spelling, order, defaults) != NULL) {
            only = order;
            found++;
        }
    cx->diags.n = said; /* those are about other orders */
    return found == 1 ? only : -1;
}
