/* fault.c - turns a level's fault into an error that names the level and the tensor.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/format/format.h"
#include "compiler/format/index_array.h"
#include "runtime/tensor/alloc.h"

enum { NAME_MAX_SHOWN = 80 };

void level_place(char *place, const char *name, int number, const struct level_format *level)
{
    snprintf(place, LEVEL_PLACE, "%.*s%slevel %d (%s)", NAME_MAX_SHOWN, name ? name : "",
             name ? ": " : "", number, level->type->name);
}

/* Adds an option to the level's type: `singleton(padded, unordered)`. */
static const char *with_option(char *to, const struct level_format *level, const char *option)
{
    const char *name = level->type->name;
    int n = (int)strcspn(name, ")");
    snprintf(to, LEVEL_PLACE, "%.*s%s%s)", n, name, name[n] ? ", " : "(", option);
    return to;
}

void level_help_wider(const struct level_format *level, const char *array, struct rt_error *error)
{
    const char *everywhere = "64 bits everywhere: {index 64}";
    bool is_pos = strcmp(array, "pos") == 0,
         has = is_pos ? level_type_has_pos(level->type) : level_type_has_crd(level->type);
    char with[LEVEL_PLACE];
    const char *option = with_option(with, level, is_pos ? "pos=i64" : "crd=i64");
    /* a type that the format names stays in the text */
    if (has && (is_pos ? level->pos : level->crd) != TYPE_I32)
        rt_help(error, "use %s", option);
    else if (has)
        rt_help(error, "use %s, or %s", option, everywhere);
    else
        rt_help(error, "use %s", everywhere);
}

void level_help_without(const struct level_format *level, unsigned property, struct rt_error *error)
{
    const char *word = property == LEVEL_ORDERED ? "unordered" : "nonunique";
    unsigned dropped = (level->type->properties & ~level->properties) | property;
    char with[LEVEL_PLACE];
    bool both = (dropped & LEVEL_ORDERED) && (dropped & LEVEL_UNIQUE);
    if (level->type->configurable & property)
        rt_help(error, "let it be %s; csr(%s), coo(%s) and the like say so of a whole format",
                with_option(with, level, both ? "nonunique, unordered" : word), word, word);
}

static int array_number(const struct level_type *type, const char *name)
{
    for (int a = 0; name && a < LEVEL_ARRAYS; a++)
        if (type->array[a].name && strcmp(type->array[a].name, name) == 0)
            return a;
    return -1;
}

static int64_t element(const struct level_storage *level, int a, int64_t at)
{
    return index_load(level_array_type(level->format, a), level->array[a], at);
}

enum rt_status level_fail(const struct level_storage *level, int number,
                          const struct level_fault *fault, const char *name, struct rt_error *error)
{
    char place[LEVEL_PLACE];
    level_place(place, name, number, level->format);
    if (strcmp(fault->why, LEVEL_NO_MEMORY) == 0) {
        char what[LEVEL_PLACE + 32];
        snprintf(what, sizeof what, "%s: its arrays", place);
        return fault->bytes >= RT_LARGE ? memory_fail(what, fault->bytes, error)
                                        : rt_no_memory(error);
    }
    int a = array_number(level->format->type, fault->array);
    if (a >= 0 && fault->at >= 0) {
        rt_fail(error, RT_INPUT, DIAG_TENSOR,
                "%s of size %" PRId64 ": %s[%" PRId64 "] is %" PRId64 ", %s", place,
                level->dimension, fault->array, fault->at, element(level, a, fault->at),
                fault->why);
        level_help_without(level->format, fault->against, error);
        return RT_INPUT;
    }
    if (a >= 0)
        return rt_fail(error, RT_INPUT, DIAG_TENSOR, "%s: %s, which has %" PRId64 " elements, %s",
                       place, fault->array, level->length[a], fault->why);
    if (fault->at >= 0)
        return rt_fail(error, RT_INPUT, DIAG_TENSOR,
                       "%s %s (position %" PRId64 " of the level above)", place, fault->why,
                       fault->at);
    return rt_fail(error, RT_INPUT, DIAG_LIMIT, "%s of size %" PRId64 " %s (%s)", place,
                   level->dimension, fault->why, type_name(level->format->pos));
}

enum rt_status level_fail_packing(const struct level_storage *level, int number,
                                  const struct level_fault *fault, const char *name,
                                  struct rt_error *error)
{
    if (!fault->array)
        return level_fail(level, number, fault, name, error);
    char place[LEVEL_PLACE];
    level_place(place, name, number, level->format);
    bool pos = strcmp(fault->array, "crd") != 0;
    enum type type = pos ? level->format->pos : level->format->crd;
    enum rt_status status;
    if (pos)
        status = rt_fail(error, RT_INPUT, DIAG_LIMIT,
                         "%s: more than %" PRId64 " positions do not fit %s", place,
                         index_max(type), type_name(type));
    else
        status = rt_fail(error, RT_INPUT, DIAG_LIMIT, "%s: a coordinate does not fit %s", place,
                         type_name(type));
    if (index_max(type) < INT64_MAX)
        level_help_wider(level->format, pos ? "pos" : "crd", error);
    return status;
}
