/* precompute_parts.c - precompute over loops that are parts of a split.
 *
 *     before    forall(i0) forall(i1) y(i) = 2 * x(i) : split(i, i0, i1, down, 4)
 *     after     forall(i0) (forall(ic) y(i) = 2 * w(ic) where forall(ip) w(ip) = x(i2))
 *                 : split(i, i0, ic, down, 4); split(i2, i0, ip, down, 4)
 *                                                    precompute(x(i), w, {i1,ic,ip}, dense)
 *
 * Both sides run through the parts, and so what was split has a value of its own in each: the
 * producer's is a variable like it, with a relation like its, from the producer's loops and those
 * that are around both.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/precompute.h"

static bool is_split(const struct cin_relation *r) { return r->type == &relation_split; }

static bool is_part(const struct cin_relation *r, const struct index_var *var)
{
    return r->child[0] == var || r->child[1] == var;
}

bool precompute_check_parts(struct precompute *p, const struct index_var *var, int argument)
{
    for (int i = 0; i < p->program->relations; i++) {
        const struct cin_relation *r = &p->program->relation[i];
        bool tied = is_part(r, var) || r->parent[0] == var || r->parent[1] == var;
        if (tied && !is_split(r))
            return loops_refuse(p->cx, p->program, p->call, argument,
                                "other variables follow from %s, and not by a split", var->name);
        if (is_part(r, var) && !precompute_check_parts(p, r->parent[0], argument))
            return false;
    }
    return true;
}

/* What the producer calls the variable. */
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
    for (int k = 0; k < 2 && is_split(r); k++)
        has |= own(p, r->child[k]) != r->child[k];
    return has;
}

/* What was split into parts of which the producer has its own, and so on upwards. */
static void add_wholes(struct precompute *p)
{
    for (size_t before = 0; before != p->own.n;) {
        before = p->own.n;
        for (int i = 0; i < p->program->relations; i++) {
            const struct cin_relation *r = &p->program->relation[i];
            const struct index_var *whole = r->parent[0];
            if (!has_own(p, r) || own(p, whole) != whole)
                continue;
            const char *name = cin_fresh_name(p->cx, p->program, whole->name);
            struct renaming renaming = {whole, loops_like_var(p->cx, name, whole)};
            vec_push(p->cx->arena, &p->own, renaming);
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

/* The relation with the consumer's loops for those that were shared out. */
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
    of.parent[0] = own(p, r->parent[0]);
    for (int k = 0; k < 2; k++)
        of.child[k] = own(p, r->child[k]);
    return of;
}

void precompute_add_parts(const struct precompute *p, struct cin_program *program)
{
    VEC(struct cin_relation) all = {0};
    for (int i = 0; i < program->relations; i++)
        vec_push(p->cx->arena, &all, of_consumer(p, &program->relation[i]));
    for (int i = 0; i < program->relations; i++)
        if (has_own(p, &program->relation[i])
            || own(p, program->relation[i].parent[0]) != program->relation[i].parent[0])
            vec_push(p->cx->arena, &all, of_producer(p, &program->relation[i]));
    program->relation = all.at;
    program->relations = (int)all.n;
}
