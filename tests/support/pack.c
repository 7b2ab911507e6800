/* pack.c - a case's tensors in memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/format/index_array.h"
#include "tests/support/rng.h"
#include "tests/support/trial_parts.h"

/* Coordinates are renamed before packing, which sorts by them, and renamed back afterwards.  So the
 * siblings of an unordered level come in any order; and where the last level may hold a
 * coordinate twice each has two names. */
struct renaming {
    int copies;
    int64_t n, *to, *from;
};

static void random_renaming(struct arena *arena, struct rng *rng, struct renaming *r, int64_t n,
                            bool shuffled)
{
    r->n = n;
    r->to = arena_array(arena, int64_t, n);
    r->from = arena_array(arena, int64_t, n);
    for (int64_t i = 0; i < n; i++)
        r->to[i] = i;
    for (int64_t i = n - 1; i > 0 && shuffled; i--) {
        int64_t k = rng_below(rng, (int)i + 1), swap = r->to[i];
        r->to[i] = r->to[k];
        r->to[k] = swap;
    }
    for (int64_t i = 0; i < n; i++)
        r->from[r->to[i]] = i;
}

static void name_back(struct level_storage *level, const struct renaming *renaming)
{
    level->dimension /= renaming->copies;
    for (int a = 0; a < LEVEL_ARRAYS; a++) {
        if (level->format->type->array[a].kind != LEVEL_COORDINATES)
            continue;
        for (int64_t i = 0; i < level->length[a]; i++) {
            int64_t coordinate = index_load(level->format->crd, level->array[a], i);
            if (coordinate >= 0 && coordinate < renaming->n)
                index_store(level->format->crd, level->array[a], i,
                            renaming->from[coordinate] / renaming->copies);
        }
    }
}

/* Part a value in two that add up to it exactly; false if that does not go. */
static bool part(struct value value, struct value *first, struct value *second)
{
    *first = *second = value;
    switch (type_kind(value.type)) {
    case KIND_BOOL: return true;
    case KIND_INT:
        first->i -= 1;
        second->i = 1;
        return value.i > INT8_MIN;
    case KIND_UINT:
        first->u -= 1;
        second->u = 1;
        return value.u > 0;
    case KIND_FLOAT:
        first->f -= 1;
        second->f = 1;
        return value.f > -100 && value.f < 100;
    case KIND_COMPLEX: break;
    }
    first->c.re -= 1;
    second->c = (__typeof__(second->c)){1, 0};
    return value.c.re > -100 && value.c.re < 100;
}

static bool list_entry(struct coords *coords, const struct case_entry *entry,
                       const struct renaming *renaming, int copy, struct value value)
{
    unsigned char bytes[16];
    int64_t coordinate[ORDER_MAX];
    for (int m = 0; m < coords->order; m++) {
        const struct renaming *r = &renaming[m];
        coordinate[m] = r->to[entry->coordinate[m] * r->copies + (r->copies > 1 ? copy : 0)];
    }
    value_store(value, bytes);
    return coords_add(coords, coordinate, bytes);
}

static bool list_entries(struct coords *coords, const struct case_tensor *from,
                         const struct renaming *renaming, struct rng *rng)
{
    int64_t dimension[CASE_ORDER];
    struct value first, second;
    bool fits = true, twice = false;
    for (int m = 0; m < from->order; m++) {
        dimension[m] = from->dimension[m] * renaming[m].copies;
        twice |= renaming[m].copies > 1;
    }
    coords_init(coords, from->order, dimension, from->type);
    for (int e = 0; e < from->entries && fits; e++) {
        const struct case_entry *entry = &from->entry[e];
        if (twice && rng_percent(rng, 30) && part(entry->value, &first, &second))
            fits = list_entry(coords, entry, renaming, 0, first)
                   && list_entry(coords, entry, renaming, 1, second);
        else
            fits = list_entry(coords, entry, renaming, 0, entry->value);
    }
    return fits;
}

/* Coordinates that say where they are stored keep their names. */
static bool is_list(const struct level_type *type)
{
    bool list = level_type_has_crd(type) || !level_type_has_arrays(type);
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        list &= type->array[a].kind != LEVEL_FLAGS && type->array[a].kind != LEVEL_SCALAR;
    return list;
}

/* Undo the renamings in a tensor just packed. */
static void restore(struct tensor *tensor, const struct renaming *renaming)
{
    if (!format_is_plain(tensor->format))
        return;
    for (int l = 0; l < tensor->format->levels; l++)
        if (is_list(tensor->format->level[l].type))
            name_back(&tensor->level[l], &renaming[tensor->format->level[l].mode]);
    for (int m = 0; m < tensor->order; m++)
        tensor->dimension[m] /= renaming[m].copies;
}

static bool is_full(const struct level_format *level) { return level_has(level, LEVEL_FULL); }

static void choose_renamings(struct arena *arena, struct rng *rng, const struct case_tensor *from,
                             const struct format *format, struct renaming *renaming, bool twice)
{
    for (int m = 0; m < from->order; m++) {
        renaming[m].copies = 1;
        random_renaming(arena, rng, &renaming[m], from->dimension[m], false);
    }
    for (int l = 0; l < format->levels && format_is_plain(format); l++) {
        const struct level_format *level = &format->level[l];
        struct renaming *r = &renaming[level->mode];
        bool shuffled = !level_has(level, LEVEL_ORDERED) && is_list(level->type);
        bool doubles = twice && l == format->levels - 1 && !is_full(level)
                       && !level_has(level, LEVEL_UNIQUE)
                       && 2 * from->dimension[level->mode] <= index_max(level->crd);
        r->copies = doubles ? 2 : 1;
        random_renaming(arena, rng, r, from->dimension[level->mode] * r->copies, shuffled);
    }
}

struct tensor *trial_pack(struct trial *t, const struct case_tensor *from,
                          const struct format *format)
{
    struct rng rng = {t->test->shuffle};
    struct renaming renaming[CASE_ORDER];
    struct tensor *tensor = NULL;
    struct coords coords;
    struct rt_error error;
    memset(renaming, 0, sizeof renaming);
    choose_renamings(t->cx->arena, &rng, from, format, renaming, from != t->by_rank[0]);
    bool listed = list_entries(&coords, from, renaming, &rng);
    bool packed =
             listed
             && tensor_pack(&coords, format, from->fill, 1, from->name, &tensor, &error) == RT_OK,
         too_large = listed && !packed && error.code == DIAG_LIMIT && from->order > 0
                     && strcmp(from->name, t->test->tensor[0].name) == 0;
    if (!packed && !too_large)
        trial_fail(t, "%s cannot be packed: %s", from->name, listed ? error.message : "no memory");
    if (tensor)
        restore(tensor, renaming);
    if (tensor && tensor_validate(tensor, from->name, &error) != RT_OK)
        trial_fail(t, "as packed, %s", error.message);
    coords_free(&coords);
    return tensor;
}

static const struct case_tensor *tensor_named(const struct test_case *test, const char *name)
{
    for (int i = 0; i < test->tensors; i++)
        if (strcmp(test->tensor[i].name, name) == 0)
            return &test->tensor[i];
    return NULL;
}

void trial_pack_operands(struct trial *t)
{
    for (int r = 0; r < t->pipeline.tensors && t->verdict == TRIAL_RIGHT; r++) {
        const struct tensor_var *var = t->pipeline.tensor[r];
        t->by_rank[r] = tensor_named(t->test, var->whole ? var->whole->name : var->name);
        if (!t->by_rank[r])
            trial_fail(t, "the kernel has a tensor %s that the statement has not", var->name);
        else if (var->whole)
            t->by_rank[r] = case_part(t->cx->arena, t->by_rank[r], var->whole->parts->parts,
                                      var->part, t->test->shuffle);
        if (t->verdict == TRIAL_RIGHT && r > 0)
            t->tensor[r] = trial_pack(t, t->by_rank[r], var->format);
    }
}
