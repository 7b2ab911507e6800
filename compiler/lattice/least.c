/* least.c - the least sets of operands with which a statement has an effect.
 *
 * By the simplification that makes points of lattices: a set has an effect if the statement, with
 * fills in the place of the operands that are not in it, is not what it is where none is there.
 * Every larger set then has one, too.  The least sets are found one after the other (Gunopulos and
 * others, 2003: dualize and advance).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/least.h"

#include <stdlib.h>

#include "compiler/base/vec.h"
#include "compiler/lattice/parts.h"

/* How many sets the search tries. */
enum { SEARCH_MAX = 4096 };

struct search {
    struct context *cx;
    const struct cin *body;
    const struct cin_list *operand, *unsure;
    int operands;
    struct bits all;
    struct least found;
    int left; /* how many more sets may be tried */
};

static int find_operand(const struct search *s, const struct cin *access)
{
    for (int n = 0; n < s->operands; n++)
        for (size_t i = 0; i < s->operand[n].n; i++)
            if (s->operand[n].at[i] == access)
                return n;
    return -1;
}

/* What a part of the body is where exactly these are present. */
static const struct cin *body_at(const struct search *s, const struct cin *cin, struct bits present)
{
    const struct cin *part[3],
        **arg = cin->args > 3 ? arena_array(s->cx->arena, const struct cin *, cin->args) : part;
    int n = cin->kind == CIN_ACCESS ? find_operand(s, cin) : -1;
    if (n >= 0)
        return bits_has(present, n) ? cin : cin_literal(s->cx, cin->tensor->fill);
    for (int i = 0; i < cin->args; i++)
        arg[i] = cin->kind == CIN_ASSIGN && i == 0 ? cin->arg[0] : body_at(s, cin->arg[i], present);
    return cin->args ? cin_simplify_with(s->cx, cin, arg, s->unsure) : cin;
}

static bool has_effect(const struct search *s, struct bits present)
{
    return !cin_alike(body_at(s, s->body, present), s->found.background);
}

/* Without the next n of its members from `from` on; *from is the one after them. */
static struct bits without_some(struct bits present, int *from, int operands, int n)
{
    for (; *from < operands && n > 0; ++*from) {
        n -= bits_has(present, *from);
        present = bits_without(present, *from);
    }
    return present;
}

/* A least set within this one, in which the body has an effect.  Members are left out many at a
 * time, then fewer: of n of which one is needed that takes some 2 log n tries. */
static struct bits shrink(const struct search *s, struct bits present)
{
    for (int n = (bits_count(present) + 1) / 2; n > 0; n = n > 1 ? (n + 1) / 2 : 0) {
        for (int from = 0; from < s->operands;) {
            struct bits fewer = without_some(present, &from, s->operands, n);
            if (!bits_equal(fewer, present) && has_effect(s, fewer))
                present = fewer;
        }
    }
    return present;
}

/* Every set without these that has an effect must contain one of the least.  Each of those from i
 * on is ruled out by one of its members, in turn; where the rest still has an effect there is a
 * least set that was not known. */
static void find_sets(struct search *s, size_t i, struct bits absent)
{
    for (; s->left > 0; i++) {
        if (i == s->found.set.n) {
            s->left--;
            struct bits rest = bits_minus(s->all, absent);
            if (!has_effect(s, rest))
                return;
            vec_push(s->cx->arena, &s->found.set, shrink(s, rest));
        }
        struct bits present = s->found.set.at[i];
        if (!bits_empty(bits_and(present, absent)))
            continue;
        for (int n = 0; n < s->operands; n++)
            if (bits_has(present, n))
                find_sets(s, i + 1, bits_with(absent, n));
        return;
    }
}

static int smaller_first(const void *a, const void *b)
{
    const struct bits *p = a, *q = b;
    int difference = bits_count(*p) - bits_count(*q);
    return difference ? difference : larger_set_first(a, b);
}

/* If the search takes too long every operand alone is a least set, which is right but has an effect
 * more often than it must. */
struct least least_sets(struct context *cx, const struct cin *body, const struct cin_list *operand,
                        int operands, const struct cin_list *unsure)
{
    struct search s = {.cx = cx,
                       .body = body,
                       .operand = operand,
                       .unsure = unsure,
                       .operands = operands,
                       .left = SEARCH_MAX};
    s.found.background = body_at(&s, body, bits_none());
    for (int n = 0; n < operands; n++)
        s.all = bits_with(s.all, n);
    find_sets(&s, 0, bits_none());
    if (s.left <= 0) {
        s.found.set.n = 0;
        for (int n = 0; n < operands; n++)
            vec_push(cx->arena, &s.found.set, bits_one(n));
    }
    if (s.found.set.n)
        qsort(s.found.set.at, s.found.set.n, sizeof *s.found.set.at, smaller_first);
    return s.found;
}
