/* pack.c - a case's tensors in memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/format/index_array.h"
#include "tests/support/rng.h"
#include "tests/support/trial_parts.h"

/* Siblings of an unordered level may come in any order: the coordinates that it stores are renamed before packing,
 * which sorts by them, and renamed back afterwards. */
struct renaming { int64_t to[256], from[256]; };     /* a case has no larger dimension */

static void random_renaming(struct rng *rng, struct renaming *r, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        r->to[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t k = rng_below(rng, (int)i + 1), swap = r->to[i];
        r->to[i] = r->to[k];
        r->to[k] = swap;
    }
    for (int64_t i = 0; i < n; i++)
        r->from[r->to[i]] = i;
}

static bool is_shuffled(const struct level_format *level) { return !level_has(level, LEVEL_ORDERED); }

static void name_back(struct level_storage *level, const struct renaming *renaming)
{
    for (int a = 0; a < LEVEL_ARRAYS; a++) {
        if (level->format->type->array[a].kind != LEVEL_COORDINATES)
            continue;
        for (int64_t i = 0; i < level->length[a]; i++) {
            int64_t coordinate = index_load(level->format->crd, level->array[a], i);
            index_store(level->format->crd, level->array[a], i, renaming->from[coordinate & 255]);
        }
    }
}

static bool list_entries(struct coords *coords, const struct case_tensor *from, const struct renaming *renaming)
{
    unsigned char bytes[16];
    coords_init(coords, from->order, from->dimension, from->type);
    for (int e = 0; e < from->entries; e++) {
        int64_t coordinate[ORDER_MAX];
        for (int m = 0; m < from->order; m++)
            coordinate[m] = renaming[m].to[from->entry[e].coordinate[m]];
        value_store(from->entry[e].value, bytes);
        if (!coords_add(coords, coordinate, bytes))
            return false;
    }
    return true;
}

struct tensor *trial_pack(struct trial *t, const struct case_tensor *from, const struct format *format)
{
    struct rng rng = {t->test->shuffle};
    struct renaming renaming[CASE_ORDER];
    memset(renaming, 0, sizeof renaming);
    struct tensor *tensor = NULL;
    struct coords coords;
    struct rt_error error;
    for (int m = 0; m < from->order; m++)
        for (int64_t i = 0; i < from->dimension[m]; i++)
            renaming[m].to[i] = renaming[m].from[i] = i;
    for (int l = 0; l < format->levels; l++)
        if (is_shuffled(&format->level[l]))
            random_renaming(&rng, &renaming[format->level[l].mode], from->dimension[format->level[l].mode]);
    bool listed = list_entries(&coords, from, renaming);
    if (!listed || tensor_pack(&coords, format, from->fill, 1, from->name, &tensor, &error) != RT_OK)
        trial_fail(t, "%s cannot be packed: %s", from->name, listed ? error.message : "no memory");
    for (int l = 0; tensor && l < format->levels; l++)
        if (is_shuffled(&format->level[l]))
            name_back(&tensor->level[l], &renaming[format->level[l].mode]);
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
        t->by_rank[r] = tensor_named(t->test, var->name);
        if (!t->by_rank[r])
            trial_fail(t, "the kernel has a tensor %s that the statement has not", var->name);
        else if (r > 0)
            t->tensor[r] = trial_pack(t, t->by_rank[r], var->format);
    }
}
