/* known.c - the index variables with known coordinates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/known.h"

#include <string.h>

bool known_has(const struct known *known, const struct index_var *var)
{
    for (int i = 0; i < known->n; i++)
        if (known->var[i] == var)
            return true;
    return false;
}

/* Adds var, unless it is NULL, and the variables that follow from it. */
static const struct known *extend(struct context *cx, const struct known *known,
                                  const struct index_var *var)
{
    const struct cin_relation *by = NULL;
    struct known *more = arena_copy(cx->arena, known, sizeof *known);
    /* a relation has four variables, one of them known */
    int most = known->n + 1 + 3 * known->relations;
    const struct index_var **vars = arena_array(cx->arena, const struct index_var *, most);
    const struct cin_relation **bys = arena_array(cx->arena, const struct cin_relation *, most);
    if (known->n) {
        memcpy(vars, known->var, sizeof *vars * (size_t)known->n);
        memcpy(bys, known->by, sizeof *bys * (size_t)known->n);
    }
    more->var = vars;
    more->by = bys;
    arena_spend(cx->arena, (uint64_t)most * (uint64_t)known->relations);
    if (!var)
        var = cin_follows(more->relation, more->relations, more->var, more->n, &by);
    while (var) {
        vars[more->n] = var;
        bys[more->n++] = by;
        var = cin_follows(more->relation, more->relations, more->var, more->n, &by);
    }
    return more;
}

struct known known_with(struct context *cx, const struct known *known, const struct index_var *var)
{
    const uintptr_t word[] = {(uintptr_t)known->relation, (uintptr_t)known->var,
                              (uintptr_t)known->n, (uintptr_t)var};
    const void **more = table_made(cx->arena, &cx->known, word, sizeof word / sizeof *word);
    if (!*more)
        *more = extend(cx, known, var);
    return *(const struct known *)*more;
}

struct known known_none(struct context *cx, const struct cin_program *program)
{
    const struct known nothing = {.relation = program->relation, .relations = program->relations};
    return program->relations ? known_with(cx, &nothing, NULL) : nothing;
}

bool known_has_access(const struct known *known, const struct cin *access)
{
    bool all = true;
    for (int i = 0; i < access->indices; i++)
        all &= known_has(known, access->index[i]);
    return all;
}

/* ---- steps ---- */

/* Finds the relation's step from var to one of its parts.  false if there is none. */
static bool find_step(const struct known *outside, const struct cin_relation *r,
                      const struct index_var *var, struct known_step *step)
{
    const struct index_var *from[2],
        *with = r->type->steps_with ? r->type->steps_with(r, var) : NULL;
    int sources = with ? cin_sources(r, var, from) : 0;
    *step = (struct known_step){r, false};
    for (int i = 0; i < sources; i++)
        step->divides |= from[i] != with && !known_has(outside, from[i]);
    return with && (!step->divides || r->type->parts);
}

const struct index_var *known_part(const struct known_step *step)
{
    const struct cin_relation *r = step->by;
    return step->divides ? r->child[0] : r->type->steps_with(r, r->parent[0]);
}

/* Goes on from var, after the steps so far. */
static bool go(const struct known *outside, const struct index_var *var,
               const struct index_var *loop, struct known_step *step, int *steps)
{
    if (var == loop)
        return true;
    for (int i = 0; i < outside->relations && *steps < outside->relations; i++) {
        if (!find_step(outside, &outside->relation[i], var, &step[*steps]))
            continue;
        const struct index_var *part = known_part(&step[(*steps)++]);
        if (!known_has(outside, part) && go(outside, part, loop, step, steps))
            return true;
        --*steps;
    }
    return false;
}

bool known_path(struct context *cx, const struct known *outside, const struct index_var *var,
                const struct index_var *loop, struct known_path *path)
{
    *path = (struct known_path){0};
    if (var == loop)
        return true;
    struct known_step *step = arena_array(cx->arena, struct known_step, outside->relations + 1);
    path->step = step;
    return go(outside, var, loop, step, &path->steps);
}
