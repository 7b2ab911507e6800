/* format.c - parsed formats, which any number of tensors share.  They are told level by level to
 * programs that map them to other libraries' formats.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "compiler/base/text.h"
#include "compiler/registry.h"
#include "runtime/api/tensor.h"

/* ---- in parts ---- */

static const struct spcc_map *tell_map(struct context *cx, const struct map_expr *map)
{
    static const spcc_map_kind kinds[] = {
        [MAP_MODE] = SPCC_MAP_MODE, [MAP_CONSTANT] = SPCC_MAP_CONSTANT, [MAP_ADD] = SPCC_MAP_ADD,
        [MAP_SUB] = SPCC_MAP_SUB,   [MAP_DIV] = SPCC_MAP_DIV,           [MAP_MOD] = SPCC_MAP_MOD};
    struct spcc_map *told = arena_array(cx->arena, struct spcc_map, 1);
    *told = (struct spcc_map){.kind = kinds[map->kind], .mode = -1};
    if (map->kind == MAP_MODE) {
        told->mode = map->mode;
    } else if (map->kind == MAP_CONSTANT) {
        told->constant = map->constant;
    } else {
        told->left = tell_map(cx, map->a);
        told->right = tell_map(cx, map->b);
    }
    return told;
}

static unsigned tell_properties(const struct level_format *level)
{
    static const unsigned names[][2] = {
        {LEVEL_FULL, SPCC_LEVEL_FULL},       {LEVEL_ORDERED, SPCC_LEVEL_ORDERED},
        {LEVEL_UNIQUE, SPCC_LEVEL_UNIQUE},   {LEVEL_BRANCHLESS, SPCC_LEVEL_BRANCHLESS},
        {LEVEL_COMPACT, SPCC_LEVEL_COMPACT}, {LEVEL_MORTON, SPCC_LEVEL_MORTON}};
    unsigned told = 0;
    for (size_t p = 0; p < sizeof names / sizeof *names; p++)
        if (level_has(level, names[p][0]))
            told |= names[p][1];
    return told;
}

static void tell_level(struct context *cx, const struct level_format *level,
                       struct spcc_level *told)
{
    *told = (struct spcc_level){.type = level->type->name,
                                .properties = tell_properties(level),
                                .mode = level->mode,
                                .map = tell_map(cx, level->map),
                                .most = level->most};
    while (told->n_arrays < LEVEL_ARRAYS
           && level->type->array[told->n_arrays].kind != LEVEL_NO_ARRAY) {
        int k = told->n_arrays++;
        told->array_name[k] = level->type->array[k].name;
        told->array_type[k] = api_type_of(level_array_type(level, k));
    }
}

static const struct spcc_level *tell_levels(struct context *cx, const struct format *format)
{
    struct spcc_level *told = arena_array(cx->arena, struct spcc_level, format->levels);
    for (int l = 0; l < format->levels; l++)
        tell_level(cx, &format->level[l], &told[l]);
    return told;
}

int spcc_format_order(const spcc_format *format) { return format ? format->format->order : 0; }

int spcc_format_levels(const spcc_format *format) { return format ? format->format->levels : 0; }

const spcc_level *spcc_format_level(const spcc_format *format, int level)
{
    bool is_there = format && level >= 0 && level < format->format->levels;
    return is_there ? &format->level[level] : NULL;
}

const char *spcc_format_text(const spcc_format *format) { return format ? format->text : NULL; }

/* ---- from text ---- */

struct parsing {
    const char *text;
    int order, index_bits;
    struct spcc_format *made;
};

static spcc_status parse_format(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct parsing *a = arguments;
    if (a->order < 0 || a->order > ORDER_MAX)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "a tensor of order %d: orders are 0 to %d",
                         a->order, (int)ORDER_MAX);
    if (a->index_bits != 0 && a->index_bits != 32 && a->index_bits != 64)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "index_bits is %d: it is 32 or 64",
                         a->index_bits);
    struct format_defaults defaults = a->index_bits ? api_defaults(a->index_bits) : api->defaults;
    const struct format *format =
        a->text
            ? format_parse(cx, "the tensor", arena_strdup(cx->arena, a->text), a->order, defaults)
            : format_dense(cx, a->order, defaults);
    if (!format)
        return api_status(cx);
    struct text out = text_new(cx->arena);
    format_print(&out, format, api->defaults);
    a->made->format = format;
    a->made->text = out.at;
    a->made->level = tell_levels(cx, format);
    return SPCC_OK;
}

/* Parses in a compiler context that the format owns. */
static spcc_status parse_apart(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct parsing *a = arguments;
    struct spcc_format *made = a->made = calloc(1, sizeof *made);
    if (made)
        made->cx = context_new();
    if (!made || !made->cx)
        return SPCC_ERROR_MEMORY;
    made->cx->levels = registry_levels;
    spcc_status status = api_guarded(api, made->cx, parse_format, a);
    if (status != SPCC_OK) {
        api_adopt(api, made->cx);
        made->cx = NULL;
    }
    return status;
}

void spcc_format_free(spcc_format *format)
{
    if (format)
        context_free(format->cx);
    free(format);
}

spcc_status spcc_format_parse(spcc_context *context, const char *text, int order,
                              spcc_format **format)
{
    return spcc_format_parse_with(context, text, order, 0, format);
}

spcc_status spcc_format_parse_with(spcc_context *context, const char *text, int order,
                                   int index_bits, spcc_format **format)
{
    if (!format)
        return api_lacks(context, "format");
    struct parsing a = {text, order, index_bits, NULL};
    spcc_status status = api_call(context, parse_apart, &a);
    if (status != SPCC_OK) {
        spcc_format_free(a.made);
        a.made = NULL;
    }
    *format = a.made;
    return status;
}
