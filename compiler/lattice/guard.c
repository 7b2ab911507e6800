/* guard.c - the conditions that a loop checks on variables that follow from others.
 *
 * A variable that follows from the loop's may leave its range, such as j = i + d.  And once the
 * last variable of a relation is known, and none of them was derived by the relation, the relation
 * has to be checked.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/parts.h"

/* Do the upper levels store the variable for each mode that it indexes?  In B(i,j,i) they may store
 * the i of one mode only. */
static bool has_var(const struct cin *access, int levels, const struct index_var *var)
{
    int last = -1;
    for (int level = 0; level < access->tensor->format->levels; level++)
        if (access_level_var(access, level) == var)
            last = level;
    return last >= 0 && last < levels;
}

/* Does the level store the variable, or a variable that this one is a part of? */
static bool is_on_path(const struct lattice_iterator *it, const struct index_var *var)
{
    bool is = it->walks && access_level_var(it->access, it->first) == var;
    for (int i = 0; it->walks && i < it->path.steps; i++)
        is |= known_part(&it->path.step[i]) == var;
    return is;
}

/* Is the guard's variable in its range wherever the iterator is present?  It is if the iterator's
 * level and those above determine it: each stored coordinate belongs to a component. */
static bool keeps_inside(const struct lattice_iterator *it, const struct lattice_guard *guard)
{
    const struct index_var *from[2];
    if (is_on_path(it, guard->var))
        return true;
    const struct level_type *level = it->access->tensor->format->level[it->first].type;
    int sources = cin_sources(guard->by, guard->var, from);
    bool stored = level_type_has_crd(level);
    for (int i = 0; i < sources; i++)
        stored &= has_var(it->access, it->first + 1, from[i]);
    return stored;
}

/* Is something located by the variable before it is known which iterators are present? */
static bool is_looked_up(const struct lattice *lattice, const struct index_var *var)
{
    for (int bit = 0; bit < lattice->sparse; bit++)
        if (!bits_has(lattice->iterated, bit) && cin_uses_var(lattice->iterator[bit].access, var))
            return true;
    return false;
}

/* Do the iterators that drive the loops keep the guard's variable in its range?  One of those
 * present suffices for the body. */
static bool is_inside(const struct lattice *lattice, const struct lattice_guard *guard)
{
    bool inside = lattice->points && !lattice->dimension && !lattice->flat,
         all = is_looked_up(lattice, guard->var);
    for (int i = 0; i < lattice->points && inside; i++) {
        struct bits driving = bits_and(lattice->point[i].present, lattice->iterated);
        bool some = false;
        for (int bit = 0; bit < lattice->sparse; bit++) {
            bool keeps = bits_has(driving, bit) && keeps_inside(&lattice->iterator[bit], guard);
            some |= keeps;
            inside &= keeps || !all || !bits_has(driving, bit);
        }
        inside &= some;
    }
    return inside;
}

/* Is the variable known from elsewhere than this relation? */
static bool is_given(const struct known *known, const struct cin_relation *r,
                     const struct index_var *var)
{
    for (int i = 0; i < known->n; i++)
        if (known->var[i] == var)
            return known->by[i] != r;
    return false;
}

/* Are all of these known from elsewhere than this relation, and is one of them the last to become
 * known? */
static bool meets(const struct known *known, const struct cin_relation *r,
                  const struct index_var *const of[3])
{
    bool given = true, latest = false;
    for (int i = 0; i < 3 && of[i]; i++) {
        given &= is_given(known, r, of[i]);
        latest |= of[i] == known->var[known->n - 1];
    }
    return given && latest;
}

/* Adds the conditions under which the relation holds, if its last variable has just become known
 * and none of them was derived by it. */
static void check_relation(struct lattice *lattice, const struct known *known,
                           const struct cin_relation *r)
{
    const struct index_var *of[3];
    for (int n = 0; r->type->equation && r->type->equation(r, n, of); n++)
        if (meets(known, r, of))
            lattice->guard[lattice->guards++] = (struct lattice_guard){of[0], r, n};
}

void lattice_find_guards(struct context *cx, struct lattice *lattice, const struct known *known)
{
    struct known inside = known_with(cx, known, lattice->var), now = inside;
    lattice->guard = arena_array(cx->arena, struct lattice_guard, known->relations * 8);
    for (now.n = known->n + 1; now.n <= inside.n; now.n++) {
        struct lattice_guard guard = {inside.var[now.n - 1], inside.by[now.n - 1], GUARD_RANGE};
        if (guard.by && cin_exceeds(guard.by, guard.var) && !is_inside(lattice, &guard))
            lattice->guard[lattice->guards++] = guard;
        for (int i = 0; i < known->relations; i++)
            check_relation(lattice, &now, &known->relation[i]);
    }
}

bool lattice_guards(const struct lattice_guard *guard, const struct known *known)
{
    const struct index_var *of[3] = {guard->var};
    bool all = true;
    if (guard->equation != GUARD_RANGE)
        guard->by->type->equation(guard->by, guard->equation, of);
    for (int i = 0; i < 3; i++)
        all &= !of[i] || known_has(known, of[i]);
    return all;
}
