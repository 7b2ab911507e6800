/* relation.c - variables that follow from others (thesis 3.2, 6.3 to 6.6).  The table of a
 * relation's type says what it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/concrete/concrete.h"

bool cin_is_parent(const struct cin_relation *r, const struct index_var *var)
{
    return var && (var == r->parent[0] || var == r->parent[1]);
}

bool cin_is_child(const struct cin_relation *r, const struct index_var *var)
{
    return var && (var == r->child[0] || var == r->child[1]);
}

bool cin_relates(const struct cin_relation *relation, int relations, const struct index_var *var)
{
    bool does = false;
    for (int i = 0; i < relations; i++)
        does |= cin_is_parent(&relation[i], var) || cin_is_child(&relation[i], var);
    return does;
}

bool cin_is_related(const struct cin_program *program, const struct index_var *var)
{
    return cin_relates(program->relation, program->relations, var);
}

const struct cin_relation *cin_origin(const struct cin_program *program,
                                      const struct index_var *var)
{
    for (int i = 0; i < program->relations; i++)
        if (cin_is_child(&program->relation[i], var))
            return &program->relation[i];
    return NULL;
}

bool cin_has_low(const struct cin_program *program, const struct index_var *var)
{
    bool has = false;
    for (int i = 0; i < program->relations; i++)
        has |= program->relation[i].type->low && cin_is_child(&program->relation[i], var);
    return has;
}

const struct cin_relation *cin_split(const struct cin_program *program,
                                     const struct index_var *whole)
{
    for (int i = 0; i < program->relations; i++)
        if (program->relation[i].type->parts && program->relation[i].parent[0] == whole)
            return &program->relation[i];
    return NULL;
}

static bool divides(const struct cin_relation *r, const struct index_var *var, enum cin_which part)
{
    return r->type->parts && (part == CIN_ANY ? cin_is_child(r, var) : r->child[part] == var);
}

const struct index_var *cin_whole(const struct cin_program *program, const struct index_var *var,
                                  enum cin_which part)
{
    for (int i = 0; i < program->relations; i++)
        if (divides(&program->relation[i], var, part))
            return program->relation[i].parent[0];
    return NULL;
}

const struct cin_relation *cin_division(const struct cin_program *program,
                                        const struct index_var *part, const struct index_var *whole,
                                        enum cin_which which)
{
    for (int i = 0; i < program->relations; i++)
        if (divides(&program->relation[i], part, which)
            && cin_is_part(program, program->relation[i].parent[0], whole, which))
            return &program->relation[i];
    return NULL;
}

bool cin_is_part(const struct cin_program *program, const struct index_var *part,
                 const struct index_var *whole, enum cin_which which)
{
    return whole && (part == whole || cin_division(program, part, whole, which));
}

bool cin_passes(const struct cin_program *program, const struct index_var *const *loop, int loops,
                const struct index_var *var, int *at)
{
    if (*at < loops && loop[*at] == var) {
        ++*at;
        return true;
    }
    const struct cin_relation *split = cin_split(program, var);
    int next = *at;
    bool passes = split && cin_passes(program, loop, loops, split->child[0], &next)
                  && cin_passes(program, loop, loops, split->child[1], &next);
    *at = passes ? next : *at;
    return passes;
}

int cin_sources(const struct cin_relation *r, const struct index_var *var,
                const struct index_var *from[2])
{
    return cin_is_parent(r, var) || cin_is_child(r, var) ? r->type->sources(r, var, from) : -1;
}

bool cin_exceeds(const struct cin_relation *r, const struct index_var *var)
{
    return r->type->exceeds && r->type->exceeds(r, var);
}

int64_t cin_child_size(const struct cin_relation *r, int child)
{
    int64_t parent[2] = {-1, -1};
    for (int k = 0; k < 2 && r->parent[k]; k++)
        parent[k] = r->parent[k]->size;
    return r->type->values(r, child, parent);
}

const struct cin_relation *cin_positions(const struct cin_relation *relation, int relations,
                                         const struct index_var *var)
{
    const struct cin_relation *positions = NULL;
    for (int i = 0; i < relations && !positions; i++) {
        const struct cin_relation *r = &relation[i];
        if (!cin_is_child(r, var))
            continue;
        positions = r->type->positions ? r : NULL;
        for (int k = 0; k < 2 && r->parent[k] && !positions; k++)
            positions = cin_positions(relation, i, r->parent[k]);
    }
    return positions;
}

void cin_relate(struct context *cx, struct cin_program *program, struct cin_relation r)
{
    struct cin_relation *all = arena_array(cx->arena, struct cin_relation, program->relations + 1);
    if (program->relations)
        memcpy(all, program->relation, sizeof *all * (size_t)program->relations);
    all[program->relations++] = r;
    program->relation = cin_relations(cx, all, program->relations);
}

const struct cin_relation *cin_relations(struct context *cx, const struct cin_relation *relation,
                                         int n)
{
    VEC(uintptr_t) word = {0};
    for (int i = 0; i < n; i++) {
        const struct cin_relation *r = &relation[i];
        const uintptr_t of[] = {
            (uintptr_t)r->type,     (uintptr_t)r->parent[0], (uintptr_t)r->parent[1],
            (uintptr_t)r->child[0], (uintptr_t)r->child[1],  (uintptr_t)r->size,
            (uintptr_t)r->up,       (uintptr_t)r->access,    (uintptr_t)r->base};
        for (size_t k = 0; k < sizeof of / sizeof *of; k++)
            vec_push(cx->arena, &word, of[k]);
    }
    if (n == 0)
        return NULL;
    const void **list = table_made(cx->arena, &cx->relations, word.at, word.n);
    if (!*list)
        *list = arena_copy(cx->arena, relation, sizeof *relation * (size_t)n);
    return *list;
}

static bool among(const struct index_var *const *vars, int n, const struct index_var *var)
{
    for (int i = 0; i < n; i++)
        if (vars[i] == var)
            return true;
    return false;
}

const struct index_var *cin_follows(const struct cin_relation *relation, int relations,
                                    const struct index_var *const *known, int n,
                                    const struct cin_relation **by)
{
    for (int i = 0; i < relations; i++) {
        const struct cin_relation *r = &relation[i];
        const struct index_var *part[4] = {r->parent[0], r->parent[1], r->child[0], r->child[1]};
        for (int k = 0; k < 4; k++) {
            const struct index_var *from[2];
            if (!part[k] || among(known, n, part[k]))
                continue;
            int sources = cin_sources(r, part[k], from);
            bool all = sources >= 0;
            for (int s = 0; s < sources; s++)
                all &= among(known, n, from[s]);
            *by = r;
            if (all)
                return part[k];
        }
    }
    return NULL;
}
