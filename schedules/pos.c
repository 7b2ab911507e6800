/* pos.c - pos(f, p, A(i,j)): a loop over an operand's stored positions in place of a loop over
 * coordinates (thesis 6.4).
 *
 *     before    forall(f) y(i) += A(i,j) * x(j) : collapse(i, j, f)
 *     after     forall(p) y(i) += A(i,j) * x(j) : collapse(i, j, f); pos(j, p, A(i,j).2)
 *     pos(f, p, A(i,j))
 *
 * f goes through the coordinates of successive levels of A: i and j collapsed, or one of them.
 * Preconditions: the loops around locate the position above these levels; the statement has no
 * effect where A has no component; and the levels are ordered, and give a position's coordinates.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/tree/tree.h"
#include "schedules/loops.h"

struct pos {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct cin *loop, *access;
    const struct index_var *var[ORDER_MAX]; /* the loop goes through these, row by row */
    int vars;
    int base; /* the level that stores the first of them */
};

/* Collects the variables that this one collapses, or this one itself. */
static bool expand(struct pos *p, const struct index_var *var)
{
    const struct cin_relation *r = cin_origin(p->program, var);
    if (r && r->type == &relation_collapse)
        return expand(p, r->parent[0]) && expand(p, r->parent[1]);
    if (p->vars == ORDER_MAX)
        return false;
    p->var[p->vars++] = var;
    return true;
}

/* Finds the access that is written, or the only one of the tensor that is named. */
static bool find_access(struct pos *p)
{
    struct cin_list all = cin_operands(p->cx, p->loop), read = {0};
    for (size_t i = 0; i < all.n; i++)
        if (!all.at[i]->tensor->temporary)
            vec_push(p->cx->arena, &read, all.at[i]);
    int found;
    p->access = loops_access(&read, &p->call->argument[2], true, &found);
    return found == 1
           || loops_refuse(p->cx, p->program, p->call, 2,
                           found ? "there are several accesses to it: name one"
                                 : "there is no such access to an operand in the loop");
}

/* Do successive levels of the access store the loop's variables? */
static bool find_levels(struct pos *p)
{
    const struct format *format = p->access->tensor->format;
    bool same = format_is_plain(format);
    while (same && p->base < format->levels && access_level_var(p->access, p->base) != p->var[0])
        p->base++;
    same &= p->base + p->vars <= format->levels;
    for (int k = 0; k < p->vars && same; k++)
        same = access_level_var(p->access, p->base + k) == p->var[k];
    return same
           || loops_refuse(p->cx, p->program, p->call, 0,
                           "it does not go through the stored coordinates of %s row by row",
                           p->access->tensor->name);
}

/* Can the coordinates be found from a position on each of these levels? */
static bool check_levels(const struct pos *p)
{
    const struct format *format = p->access->tensor->format;
    for (int level = p->base; level < p->base + p->vars; level++) {
        const struct level_type *type = format->level[level].type;
        bool last = level == p->base + p->vars - 1;
        unsigned has = level_effective(format, level);
        bool knows = type->parent_of || type->array[0].kind == LEVEL_POSITIONS;
        if (!knows || !(has & LEVEL_ORDERED) || type->occupied || (last && !(has & LEVEL_UNIQUE)))
            return loops_refuse(p->cx, p->program, p->call, 2,
                                "level %d of %s is not ordered, has duplicates, or its positions "
                                "do not give their parents",
                                level + 1, p->access->tensor->name);
    }
    return true;
}

/* Returns the operand's iterator that begins at its base in the lattice, -1 if there is none. */
static int find_iterator(const struct pos *p, const struct lattice *lattice)
{
    for (int i = 0; i < lattice->iterators; i++)
        if (lattice_is_at(&lattice->iterator[i], p->access)
            && lattice->iterator[i].first == p->base)
            return i;
    return -1;
}

/* Does a literal index a level above the base, as 0 does in A(0,j), whose coordinate may not be
 * stored? */
static bool may_be_absent(const struct pos *p)
{
    const struct index_var *from[2];
    for (int level = 0; level < p->base; level++)
        for (int i = 0; i < p->program->relations; i++)
            if (cin_sources(&p->program->relation[i], access_level_var(p->access, level), from) == 0
                && !level_has(&p->access->tensor->format->level[level], LEVEL_FULL))
                return true;
    return false;
}

/* Is the operand present wherever the loops over f have an effect? */
static bool is_driven(const struct pos *p, const struct tree_node *node)
{
    const struct lattice *lattice = node->lattice;
    bool driven = true;
    if (lattice && lattice->var == p->loop->index[0] && lattice->points) {
        int bit = find_iterator(p, lattice);
        driven = bit >= 0 && (bit < lattice->sparse || !may_be_absent(p));
        for (int i = 0; i < lattice->points && driven && bit < lattice->sparse; i++)
            driven = bits_has(lattice->point[i].present, bit);
    }
    for (int i = 0; i < node->children && driven; i++)
        driven = is_driven(p, node->child[i]);
    return driven;
}

static bool check_effect(const struct pos *p)
{
    const struct cin_program *unfolded = cin_unfold(p->cx, p->program);
    const struct tree_node *root = unfolded ? tree_build(p->cx, unfolded)->root : NULL,
                           *first = root ? tree_find(root, p->loop->index[0]) : NULL;
    if (!first || find_iterator(p, first->lattice) < 0)
        return loops_refuse(p->cx, p->program, p->call, 0,
                            "the loops around it do not lead to level %d of %s", p->base + 1,
                            p->access->tensor->name);
    return is_driven(p, root)
           || loops_refuse(p->cx, p->program, p->call, 2,
                           "the statement also has an effect where %s has no component",
                           p->access->tensor->name);
}

/* Replaces the loop by one over positions, with a relation for each level's parent positions. */
static const struct cin_program *replace(struct pos *p)
{
    struct cin_program *related = arena_copy(p->cx->arena, p->program, sizeof *p->program);
    const struct format *format = p->access->tensor->format;
    const struct index_var *above = NULL;
    struct cin_relation r = {.type = &relation_position, .access = p->access, .base = p->base};
    for (int k = 0; k < p->vars; k++) {
        bool last = k == p->vars - 1;
        int level = p->base + k;
        if (level == 0 && !last && level_has(&format->level[level], LEVEL_FULL)) {
            above = p->var[k]; /* the positions are coordinates */
            continue;
        }
        const char *name = last ? p->call->argument[1].text
                                : cin_fresh_name(p->cx, related,
                                                 arena_printf(p->cx->arena, "p%s%d",
                                                              p->access->tensor->name, level + 1));
        r.parent[0] = p->var[k];
        r.parent[1] = above;
        r.size = level;
        above = r.child[0] = loops_new_var(p->cx, name, -1);
        if (!last)
            cin_relate(p->cx, related, r);
    }
    return loops_replace(p->cx, related, p->call, p->loop,
                         cin_forall(p->cx, above, p->loop->arg[0]), &r);
}

static const struct cin_program *apply_pos(struct context *cx, const struct cin_program *program,
                                           const struct schedule_call *call)
{
    struct pos p = {.cx = cx, .program = program, .call = call};
    if (call->arguments != 3)
        return loops_refuse(
            cx, program, call, -1,
            "it takes a loop, the new loop, and the access whose positions it goes over");
    p.loop = loops_find(cx, program, call, 0);
    if (!p.loop || !loops_check_new(cx, program, call, 1) || !find_access(&p)
        || !expand(&p, p.loop->index[0]))
        return NULL;
    return find_levels(&p) && check_levels(&p) && check_effect(&p) ? replace(&p) : NULL;
}

const struct schedule_type schedule_pos = {
    .name = "pos",
    .usage = "pos(f, p, A(i,j))",
    .brief = "replace the loop over f by one over the stored positions of A",
    .apply = apply_pos,
};
