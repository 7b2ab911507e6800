/* least.c - the least sets of operands that give a statement an effect.
 *
 * A set has an effect if the statement simplifies to something else than with all operands absent,
 * when the operands outside the set are replaced by their fills.  Every larger set then has an
 * effect, too.  The least sets are found one after the other (Gunopulos and others, 2003: dualize
 * and advance).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/least.h"

#include <stdlib.h>

#include "compiler/base/vec.h"
#include "compiler/lattice/parts.h"

/* The most sets that the search tries. */
enum { SEARCH_MAX = 4096 };

/* A node of the body, with its last simplification: successive sets differ in few operands. */
struct part {
    const struct cin *cin;
    int operand;          /* its number, -1 if it is no operand */
    struct bits operands; /* the operands in the node */
    struct part *arg;
    struct bits present; /* those present at the last simplification */
    const struct cin *was;
};

struct search {
    struct context *cx;
    struct part body;
    const struct cin_list *operand, *unsure;
    int operands;
    struct bits all;
    struct least found;
    VEC(struct bits) idle; /* sets without an effect */
    int left;              /* the sets that may still be tried */
};

static int find_operand(const struct search *s, const struct cin *access)
{
    for (int n = 0; n < s->operands; n++)
        for (size_t i = 0; i < s->operand[n].n; i++)
            if (s->operand[n].at[i] == access)
                return n;
    return -1;
}

static struct part part_of(const struct search *s, const struct cin *cin)
{
    struct part part = {.cin = cin, .operand = -1};
    if (cin->kind == CIN_ACCESS)
        part.operand = find_operand(s, cin);
    if (part.operand >= 0)
        part.operands = bits_one(part.operand);
    part.arg = arena_array(s->cx->arena, struct part, cin->args);
    for (int i = cin->kind == CIN_ASSIGN; i < cin->args; i++) {
        part.arg[i] = part_of(s, cin->arg[i]);
        part.operands = bits_or(part.operands, part.arg[i].operands);
    }
    return part;
}

/* Simplifies a part of the body with exactly these operands present. */
static const struct cin *body_at(const struct search *s, struct part *part, struct bits all)
{
    const struct cin *cin = part->cin, *arg[CIN_ARGS_MAX];
    struct bits present = bits_and(all, part->operands);
    if (part->was && bits_equal(present, part->present))
        return part->was;
    part->present = present;
    part->was = cin;
    if (part->operand >= 0 && bits_empty(present))
        part->was = cin_literal(s->cx, cin->tensor->fill);
    if (!cin->args)
        return part->was;
    for (int i = 0; i < cin->args; i++) {
        bool target = cin->kind == CIN_ASSIGN && i == 0;
        arg[i] = target ? cin->arg[0] : body_at(s, &part->arg[i], present);
    }
    return part->was = cin_simplify_with(s->cx, cin, arg, s->unsure);
}

/* Has the body no effect with these present?  It has none if it has none with more present. */
static bool is_idle(struct search *s, struct bits present)
{
    for (size_t i = 0; i < s->idle.n; i++)
        if (bits_within(present, s->idle.at[i]))
            return true;
    bool is = cin_alike(body_at(s, &s->body, present), s->found.background);
    if (is)
        vec_push(s->cx->arena, &s->idle, present);
    return is;
}

/* Leaves out the next n members from `from` on, and sets *from behind the last of them. */
static struct bits without_some(struct bits present, int *from, int operands, int n)
{
    for (; *from < operands && n > 0; ++*from) {
        n -= bits_has(present, *from);
        present = bits_without(present, *from);
    }
    return present;
}

/* Returns a least set within this one that has an effect.  Leaves out many members at a time, then
 * fewer: to find one needed member among n takes about 2 log n tries. */
static struct bits shrink(struct search *s, struct bits present)
{
    for (int n = (bits_count(present) + 1) / 2; n > 0; n = n > 1 ? (n + 1) / 2 : 0) {
        for (int from = 0; from < s->operands;) {
            struct bits fewer = without_some(present, &from, s->operands, n);
            if (!bits_equal(fewer, present) && !is_idle(s, fewer))
                present = fewer;
        }
    }
    return present;
}

/* Finds the least sets without the absent operands.  A set that is not known yet lacks a member of
 * each known set.  From the i-th known set on, its first missing member is left out, and the
 * members before it are kept.  If the rest still has an effect, it contains a new least set. */
static void find_sets(struct search *s, size_t i, struct bits absent, struct bits kept)
{
    while (i < s->found.set.n && !bits_empty(bits_and(s->found.set.at[i], absent)))
        i++;
    if (i == s->found.set.n) {
        struct bits rest = bits_minus(s->all, absent);
        s->left--;
        if (is_idle(s, rest))
            return;
        vec_push(s->cx->arena, &s->found.set, shrink(s, rest));
    }
    struct bits present = bits_minus(s->found.set.at[i], kept);
    for (int n = 0; n < s->operands && s->left > 0; n++) {
        if (!bits_has(present, n))
            continue;
        find_sets(s, i + 1, bits_with(absent, n), kept);
        kept = bits_with(kept, n);
    }
}

static int smaller_first(const void *a, const void *b)
{
    const struct bits *p = a, *q = b;
    int difference = bits_count(*p) - bits_count(*q);
    return difference ? difference : larger_set_first(a, b);
}

/* If the search takes too long, every operand alone counts as a least set.  That is right, but
 * gives an effect more often than necessary. */
struct least least_sets(struct context *cx, const struct cin *body, const struct cin_list *operand,
                        int operands, const struct cin_list *unsure)
{
    struct search s = {
        .cx = cx, .operand = operand, .unsure = unsure, .operands = operands, .left = SEARCH_MAX};
    s.body = part_of(&s, body);
    s.found.background = body_at(&s, &s.body, bits_none());
    for (int n = 0; n < operands; n++)
        s.all = bits_with(s.all, n);
    find_sets(&s, 0, bits_none(), bits_none());
    s.found.coarse = s.left <= 0;
    if (s.found.coarse) {
        s.found.set.n = 0;
        for (int n = 0; n < operands; n++)
            vec_push(cx->arena, &s.found.set, bits_one(n));
    }
    if (s.found.set.n)
        qsort(s.found.set.at, s.found.set.n, sizeof *s.found.set.at, smaller_first);
    return s.found;
}
