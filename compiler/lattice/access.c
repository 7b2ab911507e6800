/* access.c - accesses and levels, as loops see them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/access.h"

#include "compiler/base/vec.h"
#include "compiler/format/map.h"

bool access_is_like(const struct cin *a, const struct cin *b)
{
    bool same = a->indices == b->indices && format_equal(a->tensor->format, b->tensor->format);
    for (int i = 0; i < a->indices && same; i++)
        same = a->index[i] == b->index[i];
    return same;
}

const struct index_var *access_level_var(const struct cin *access, int level)
{
    int mode = access->tensor->format->level[level].mode;
    return mode < 0 ? NULL : access->index[mode];
}

bool access_level_follows(struct context *cx, const struct cin *access, int level,
                          const struct known *bound)
{
    const struct index_var *var = access_level_var(access, level);
    struct known known = {.relation = bound->relation, .relations = bound->relations};
    if (access->tensor->viewed) /* A(i,i), say, ties variables for another reason */
        return map_follows(access->tensor->viewed->format, level);
    if (!access->tensor->temporary)
        return false;
    for (int above = 0; above < level; above++) {
        const struct index_var *other = access_level_var(access, above);
        if (other == var)
            return false;
        if (other && !known_has(&known, other))
            known = known_with(cx, &known, other);
    }
    return known_has(&known, var);
}

const struct cin_relation *access_position(const struct cin *access, int end,
                                           const struct known *known)
{
    const struct cin_relation *last = NULL;
    for (int i = 0; i < known->relations; i++) {
        const struct cin_relation *r = &known->relation[i];
        if (r->type->positions && r->access == access && r->size < end
            && (!last || r->size > last->size) && known_has(known, r->child[0]))
            last = r;
    }
    return last;
}

/* ---- positions that coordinates determine ---- */

/* Do the coordinates on this level and all above it occur at one position only? */
static bool is_one_to_one(const struct format *format, int level)
{
    bool is = (level_effective(format, level) & LEVEL_UNIQUE) != 0;
    for (int above = 0; above < level && is; above++)
        is = (level_effective(format, above) & LEVEL_UNIQUE)
             || level_has(&format->level[above + 1], LEVEL_BRANCHLESS);
    return is;
}

/* Do known coordinates determine the relation's position? */
static bool tells_position(const struct cin_relation *r, const struct known *known)
{
    bool tells = r->type->positions && !known_has(known, r->child[0])
                 && is_one_to_one(r->access->tensor->format, (int)r->size);
    for (int level = 0; level <= r->size && tells; level++)
        tells = known_has(known, access_level_var(r->access, level));
    return tells;
}

static struct known with_positions(struct context *cx, struct known known)
{
    for (int i = 0; i < known.relations;)
        if (tells_position(&known.relation[i], &known)) {
            known = known_with(cx, &known, known.relation[i].child[0]);
            i = 0; /* it may determine others */
        } else {
            i++;
        }
    return known;
}

struct known access_told(struct context *cx, const struct cin_program *program,
                         const struct cin *access)
{
    struct known known = known_none(cx, program);
    for (int i = 0; i < access->indices; i++)
        if (!known_has(&known, access->index[i]))
            known = known_with(cx, &known, access->index[i]);
    return with_positions(cx, known);
}

struct known access_told_by_levels(struct context *cx, const struct cin_program *program,
                                   const struct cin *access, int levels, const struct known *around)
{
    struct known known = around ? *around : known_none(cx, program);
    for (int level = 0; level < levels; level++)
        if (!known_has(&known, access_level_var(access, level)))
            known = known_with(cx, &known, access_level_var(access, level));
    return with_positions(cx, known);
}

/* ---- which levels are resolved ---- */

int access_resolved(const struct cin *access, const struct known *bound)
{
    int level = 0;
    while (level < access->tensor->format->levels
           && known_has(bound, access_level_var(access, level)))
        level++;
    return level;
}

struct cin_list access_unsure(struct context *cx, const struct cin_list *operands,
                              const struct known *bound)
{
    struct cin_list unsure = {0};
    for (size_t i = 0; i < operands->n; i++) {
        const struct format *format = operands->at[i]->tensor->format;
        int level = access_resolved(operands->at[i], bound);
        while (level < format->levels && level_is_always_there(&format->level[level]))
            level++;
        if (level < format->levels)
            vec_push(cx->arena, &unsure, operands->at[i]);
    }
    return unsure;
}

/* Do the children of adjacent parents form one segment? */
static bool takes_runs(const struct level_type *type)
{
    return type->bounds && (type->properties & LEVEL_COMPACT);
}

unsigned level_effective(const struct format *format, int level)
{
    const unsigned sorted = LEVEL_ORDERED | LEVEL_UNIQUE;
    unsigned above = level > 0 ? level_effective(format, level - 1) : sorted,
             own = format->level[level].properties;
    bool in_run = (above & sorted) == LEVEL_ORDERED && !format->level[level].most;
    if (in_run && !(own & LEVEL_BRANCHLESS))
        own &= ~sorted;
    bool has_runs = level + 1 == format->levels || takes_runs(format->level[level + 1].type);
    return (own & LEVEL_UNIQUE) || has_runs ? own : own & ~sorted;
}

bool level_ascends(const struct format *format, int level)
{
    bool in_turns =
        level_has(&format->level[level], LEVEL_MORTON) && level_has(format->level, LEVEL_ORDERED);
    return (level_effective(format, level) & LEVEL_ORDERED) && !in_turns;
}

bool format_has_duplicates_apart(const struct format *format)
{
    for (int level = 0; level < format->levels; level++)
        if (!(level_effective(format, level) & (LEVEL_ORDERED | LEVEL_UNIQUE)))
            return true;
    return false;
}

bool level_is_only_child(const struct format *format, int level)
{
    return level > 0 && level_has(&format->level[level], LEVEL_BRANCHLESS)
           && ((level_effective(format, level - 1) & LEVEL_UNIQUE)
               || !(level_effective(format, level - 1) & LEVEL_ORDERED));
}

bool level_has_runs(const struct format *format, int level)
{
    const struct level_type *type = format->level[level].type;
    bool stores = false;
    for (int i = 0; i < LEVEL_ARRAYS; i++)
        stores |= type->array[i].kind == LEVEL_COORDINATES;
    return stores && type->bounds && !type->occupied
           && !level_has(&format->level[level], LEVEL_FULL)
           && (level_effective(format, level) & LEVEL_ORDERED);
}

bool level_is_always_there(const struct level_format *level)
{
    return level_has(level, LEVEL_FULL)
           || (level_has(level, LEVEL_BRANCHLESS) && !level->type->bounds);
}
