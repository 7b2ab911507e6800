/* precompute_parts.c - precompute over loops from which other variables follow: parts of splits,
 * and positions.
 *
 *     before    forall(i0) forall(i1) y(i) = 2 * x(i) : split(i, i0, i1, down, 4)
 *     after     forall(i0) (forall(ic) y(i) = 2 * w(ic) where forall(ip) w(ip) = x(i2))
 *                 : split(i, i0, ic, down, 4); split(i2, i0, ip, down, 4)
 *                                                    precompute(x(i), w, {i1,ic,ip}, dense)
 *
 * Both sides go through the parts, so the split variable has a value of its own on each side.  The
 * producer's variable has a relation of its own to the producer's loops and to those around both.
 * The same holds for the variables at a position, and for collapsed variables.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/precompute.h"

/* Do the parents follow from the children alone, as a whole from its parts?  Positions below a base
 * follow also from the loops that locate the base. */
static bool leads_up(const struct cin_relation *r)
{
    for (int k = 0; k < 2 && r->parent[k]; k++) {
        const struct index_var *from[2];
        int n = cin_sources(r, r->parent[k], from);
        if (n < 1)
            return false;
        for (int s = 0; s < n; s++)
            if (!cin_is_child(r, from[s]))
                return false;
    }
    return r->parent[0] && !r->base;
}

bool precompute_check_parts(struct precompute *p, const struct index_var *var, int argument)
{
    for (int i = 0; i < p->program->relations; i++) {
        const struct cin_relation *r = &p->program->relation[i];
        if (!cin_is_child(r, var) && !cin_is_parent(r, var))
            continue;
        if (!leads_up(r))
            return loops_refuse(p->cx, p->program, p->call, argument,
                                "other variables follow from %s and another variable", var->name);
        for (int k = 0; k < 2 && cin_is_child(r, var) && r->parent[k]; k++)
            if (!precompute_check_parts(p, r->parent[k], argument))
                return false;
    }
    return true;
}

/* Returns the producer's name for the variable. */
static const struct index_var *own(const struct precompute *p, const struct index_var *var)
{
    for (size_t i = 0; i < p->own.n; i++)
        if (p->own.at[i].from == var)
            return p->own.at[i].to;
    return var;
}

static bool has_own(const struct precompute *p, const struct cin_relation *r)
{
    bool has = false;
    for (int k = 0; k < 2 && leads_up(r); k++)
        has |= own(p, r->child[k]) != r->child[k];
    return has;
}

static void add_own(struct precompute *p, const struct index_var *var)
{
    const char *name = cin_fresh_name(p->cx, p->program, var->name);
    struct renaming renaming = {var, loops_like_var(p->cx, name, var)};
    vec_push(p->cx->arena, &p->own, renaming);
}

/* Adds the variables that follow from loops of which the producer has its own, directly or not. */
static void add_wholes(struct precompute *p)
{
    for (size_t before = 0; before != p->own.n;) {
        before = p->own.n;
        for (int i = 0; i < p->program->relations; i++) {
            const struct cin_relation *r = &p->program->relation[i];
            for (int k = 0; k < 2 && r->parent[k] && has_own(p, r); k++)
                if (own(p, r->parent[k]) == r->parent[k])
                    add_own(p, r->parent[k]);
        }
    }
}

const struct cin *precompute_own_parts(struct precompute *p, const struct cin *producer)
{
    for (size_t i = 0; i < p->triple.n; i++) {
        struct renaming renaming = {p->triple.at[i].var, p->triple.at[i].producer};
        vec_push(p->cx->arena, &p->own, renaming);
    }
    add_wholes(p);
    for (size_t i = 0; i < p->own.n; i++)
        producer = cin_rename(p->cx, producer, p->own.at[i].from, p->own.at[i].to);
    return producer;
}

/* Renames the divided loops in the relation to the consumer's. */
static struct cin_relation of_consumer(const struct precompute *p, const struct cin_relation *r)
{
    struct cin_relation of = *r;
    for (size_t i = 0; i < p->triple.n; i++)
        for (int k = 0; k < 2; k++)
            if (of.child[k] == p->triple.at[i].var)
                of.child[k] = p->triple.at[i].consumer;
    return of;
}

static struct cin_relation of_producer(const struct precompute *p, const struct cin_relation *r)
{
    struct cin_relation of = *r;
    for (int k = 0; k < 2; k++) {
        of.parent[k] = own(p, r->parent[k]);
        of.child[k] = own(p, r->child[k]);
    }
    for (size_t i = 0; i < p->own.n && of.access; i++)
        of.access = cin_rename(p->cx, of.access, p->own.at[i].from, p->own.at[i].to);
    return of;
}

void precompute_add_parts(const struct precompute *p, struct cin_program *program)
{
    VEC(struct cin_relation) all = {0};
    for (int i = 0; i < program->relations; i++)
        vec_push(p->cx->arena, &all, of_consumer(p, &program->relation[i]));
    for (int i = 0; i < program->relations; i++)
        if (has_own(p, &program->relation[i]))
            vec_push(p->cx->arena, &all, of_producer(p, &program->relation[i]));
    program->relation = all.at;
    program->relations = (int)all.n;
}
