/* print.c - prints formats as text that parses back.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/format/format.h"
#include "compiler/format/map.h"
#include "compiler/format/names.h"

/* ---- by letters ---- */

/* In a list of coordinates, a singleton before the last is not unique without saying so. */
static bool is_inside_list(const struct format *format, int k)
{
    return k > 0 && k + 1 < format->levels && level_lists(&format->level[k - 1])
           && level_has(&format->level[k + 1], LEVEL_BRANCHLESS);
}

/* Returns the letter that fully describes the level, or 0. */
static char letter_of(const struct format *format, int k, struct format_defaults defaults)
{
    const struct level_format *level = &format->level[k];
    const struct level_type *type = level->type;
    unsigned plain = type->properties, ignored = is_inside_list(format, k) ? LEVEL_UNIQUE : 0;
    if (level_type_has_pos(type) && level->pos != defaults.pos)
        return 0;
    if (level_type_has_crd(type) && level->crd != defaults.crd)
        return 0;
    if (level->most)
        return 0;
    if ((level->properties | ignored) == (plain | ignored))
        return type->letter;
    /* below a unique level a singleton's letter means the padded one (level_type_of_letter) */
    if ((type->properties & LEVEL_BRANCHLESS)
        && (k == 0 || level_has(&format->level[k - 1], LEVEL_UNIQUE)))
        return 0;
    return level->properties == (plain & ~type->variant_drops) ? type->variant_letter : 0;
}

/* Can letters describe the format?  Not if they spell a name, as csb does. */
static bool has_letters(const struct format *format, struct format_defaults defaults)
{
    char letters[ORDER_MAX];
    if (!format_is_plain(format))
        return false;
    for (int k = 0; k < format->levels; k++)
        if (!(letters[k] = letter_of(format, k, defaults)))
            return false;
    return format->levels > 0 && !format_name_find(letters, (size_t)format->levels);
}

static void print_letters(struct text *out, const struct format *format,
                          struct format_defaults defaults)
{
    bool in_order = true;
    for (int k = 0; k < format->levels; k++) {
        text_printf(out, "%c", letter_of(format, k, defaults));
        in_order &= format->level[k].mode == k;
    }
    for (int k = 0; k < format->levels && !in_order; k++)
        text_printf(out, "%c%d", k ? ',' : ':', format->level[k].mode);
}

/* ---- in full ---- */

static void print_map(struct text *out, const struct format *format, const struct map_expr *map);

static void print_operand(struct text *out, const struct format *format, const struct map_expr *map,
                          bool enclosed)
{
    text_add(out, enclosed ? "(" : "");
    print_map(out, format, map);
    text_add(out, enclosed ? ")" : "");
}

static void print_map(struct text *out, const struct format *format, const struct map_expr *map)
{
    const char *sign = "";
    switch (map->kind) {
    case MAP_MODE: format_mode_name(out, format->order, map->mode); return;
    case MAP_CONSTANT: text_printf(out, "%lld", (long long)map->constant); return;
    case MAP_ADD: sign = "+"; break;
    case MAP_SUB: sign = "-"; break;
    case MAP_DIV: sign = "/"; break;
    case MAP_MOD: sign = "%"; break;
    }
    print_operand(out, format, map->a, !map_is_sum(map) && map_is_sum(map->a));
    text_add(out, sign);
    print_operand(out, format, map->b, map_is_sum(map->b));
}

void format_print_map(struct text *out, const struct format *format, int level)
{
    print_map(out, format, format->level[level].map);
}

/* Prints the name; if it has two words, without the closing parenthesis.  Returns how many options
 * it has so far. */
static int level_type_open(struct text *out, const struct level_type *type)
{
    size_t n = strlen(type->name);
    int options = type->name[n - 1] == ')';
    text_addn(out, type->name, n - (size_t)options);
    return options;
}

static void add_option(struct text *out, int *options, const char *name, const char *value)
{
    text_printf(out, "%s%s%s", (*options)++ ? ", " : "(", name, value);
}

static void print_level(struct text *out, const struct level_format *level,
                        struct format_defaults defaults)
{
    unsigned dropped = level->type->properties & ~level->properties;
    int options = level_type_open(out, level->type);
    if (dropped & LEVEL_UNIQUE)
        add_option(out, &options, "nonunique", "");
    if (dropped & LEVEL_ORDERED)
        add_option(out, &options, level_has(level, LEVEL_MORTON) ? "morton" : "unordered", "");
    if (level->most)
        text_printf(out, "%smost=%lld", options++ ? ", " : "(", (long long)level->most);
    if (level_type_has_pos(level->type) && level->pos != defaults.pos)
        add_option(out, &options, "pos=", type_name(level->pos));
    if (level_type_has_crd(level->type) && level->crd != defaults.crd)
        add_option(out, &options, "crd=", type_name(level->crd));
    text_add(out, options ? ")" : "");
}

static void print_full(struct text *out, const struct format *format,
                       struct format_defaults defaults)
{
    text_add(out, "(");
    for (int m = 0; m < format->order; m++) {
        text_add(out, m ? "," : "");
        format_mode_name(out, format->order, m);
    }
    text_add(out, ") -> (");
    for (int k = 0; k < format->levels; k++) {
        text_add(out, k ? ", " : "");
        print_map(out, format, format->level[k].map);
        text_add(out, " : ");
        print_level(out, &format->level[k], defaults);
    }
    text_add(out, ")");
}

void format_print(struct text *out, const struct format *format, struct format_defaults defaults)
{
    if (format->order == 0)
        text_add(out, "dense");
    else if (has_letters(format, defaults))
        print_letters(out, format, defaults);
    else
        print_full(out, format, defaults);
}
