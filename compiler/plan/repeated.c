/* repeated.c - the sets of factors that make the same tensor, but for the names of its modes.
 *
 *     A(a,b) * A(b,c) * A(c,d) * A(d,e)        {0, 1}, {1, 2} and {2, 3} make A times A
 *
 * What a set makes follows from its factors, which of their variables are one, and which of these
 * something else uses.  Two sets are compared by mapping the factors of one to those of the other,
 * one after the other, as far as variables allow; only sets whose factors have the same kinds,
 * with variables that occur equally often, are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/hash.h"
#include "compiler/base/vec.h"
#include "compiler/plan/contraction.h"

/* Factors that are mapped in vain: then the sets are taken for different ones. */
enum { TRIES = 1000 };

struct like {
    const struct network *network;
    int *tries;                       /* that are left */
    var_set kept[2];                  /* by the one set, by the other */
    signed char var[2][NETWORK_MAX];  /* of each variable of the one that of the other, plus 1 */
    unsigned char image[NETWORK_MAX]; /* of each factor of the one that of the other */
};

struct maker {
    factor_set set;
    var_set kept;
    uint64_t hash;
};

/* Returns the variables of the set that something else uses. */
static var_set kept_of(const struct network *network, factor_set set)
{
    var_set vars = 0, others = network->free;
    for (int i = 0; i < network->factors; i++)
        *(set >> i & 1 ? &vars : &others) |= network->factor[i].vars;
    return vars & others;
}

/* Returns how often the factors of the set have the variable. */
static int occurrences(const struct network *network, factor_set set, int var)
{
    int n = 0;
    for (; set; set &= set - 1) {
        const struct network_factor *factor = &network->factor[__builtin_ctzll(set)];
        for (int i = 0; i < factor->indices; i++)
            n += factor->index[i] == var;
    }
    return n;
}

/* Returns a hash that is equal for sets that make the same. */
static uint64_t hash_of(const struct network *network, factor_set set, var_set kept)
{
    uint64_t sum = 0;
    for (factor_set rest = set; rest; rest &= rest - 1) {
        const struct network_factor *factor = &network->factor[__builtin_ctzll(rest)];
        uint64_t hash = hash_word(HASH_START, (uint64_t)factor->kind);
        for (int i = 0; i < factor->indices; i++)
            hash = hash_word(hash, (uint64_t)occurrences(network, set, factor->index[i]) * 2
                                       + (kept >> factor->index[i] & 1));
        sum += hash;
    }
    return sum;
}

/* May the variable stand for that of the other set?  The loop around all steps has one value. */
static bool bind_like(struct like *l, int var, int is)
{
    if (l->var[0][var] || l->var[1][is])
        return l->var[0][var] == is + 1 && l->var[1][is] == var + 1;
    if (((l->kept[0] >> var ^ l->kept[1] >> is) & 1)
        || (var != is && ((l->network->around >> var | l->network->around >> is) & 1)))
        return false;
    l->var[0][var] = (signed char)(is + 1);
    l->var[1][is] = (signed char)(var + 1);
    return true;
}

/* Can these factors of the one be mapped to those of the other? */
static bool map_factors(struct like *l, factor_set from, factor_set to)
{
    if (!from)
        return true;
    const struct network_factor *factor = &l->network->factor[__builtin_ctzll(from)];
    const struct like before = *l;
    for (factor_set rest = to; rest && --*l->tries > 0; rest &= rest - 1) {
        const struct network_factor *other = &l->network->factor[__builtin_ctzll(rest)];
        bool same = factor->kind == other->kind;
        for (int i = 0; i < factor->indices && same; i++)
            same = bind_like(l, factor->index[i], other->index[i]);
        l->image[factor - l->network->factor] = (unsigned char)(other - l->network->factor);
        if (same && map_factors(l, from & (from - 1), to & ~(rest & (0 - rest))))
            return true;
        *l = before;
    }
    return false;
}

/* Do both make the same?  Then *like has what stands for the factors of the one. */
static bool find_image(const struct network *network, const struct maker *one,
                       const struct maker *other, struct like *like)
{
    int tries = TRIES;
    *like = (struct like){network, &tries, .kept = {one->kept, other->kept}};
    return one->hash == other->hash
           && __builtin_popcountll(one->set) == __builtin_popcountll(other->set)
           && map_factors(like, one->set, other->set);
}

static struct maker maker_of(const struct network *network, factor_set set)
{
    struct maker maker = {set, kept_of(network, set), 0};
    maker.hash = hash_of(network, set, maker.kept);
    return maker;
}

bool contraction_is_alike(const struct network *network, factor_set one, factor_set other,
                          signed char *is)
{
    const struct maker maker = maker_of(network, one), like_it = maker_of(network, other);
    struct like like;
    const bool alike = find_image(network, &maker, &like_it, &like);
    for (int v = 0; v < network->vars && alike && is; v++)
        is[v] = like.var[0][v];
    return alike;
}

static bool has_repeated(const struct network *network)
{
    bool repeated = false;
    for (int i = 0; i < network->factors; i++)
        for (int k = 0; k < i && network->factor[i].kind; k++)
            repeated |= network->factor[i].kind == network->factor[k].kind;
    return repeated;
}

static bool all_have_kinds(const struct network *network, factor_set set)
{
    bool all = true;
    for (; set; set &= set - 1)
        all &= network->factor[__builtin_ctzll(set)].kind > 0;
    return all;
}

const struct repeated *contraction_repeated(struct context *cx, const struct network *network)
{
    unsigned sets = 1u << network->factors;
    VEC(struct maker) makers = {0};
    if (!has_repeated(network))
        return NULL;
    struct repeated *of = arena_array(cx->arena, struct repeated, sets);
    for (unsigned set = 1; set < sets; set++) {
        if (2 * __builtin_popcount(set) > network->factors || !all_have_kinds(network, set))
            continue;
        struct maker maker = maker_of(network, set);
        struct like like;
        for (size_t i = 0; i < makers.n && !of[set].image; i++) {
            of[set].first = (unsigned)makers.at[i].set;
            if (find_image(network, &makers.at[i], &maker, &like))
                of[set].image = arena_copy(cx->arena, like.image, (size_t)network->factors);
        }
        if (of[set].image)
            continue;
        of[set].first = set;
        vec_push(cx->arena, &makers, maker);
    }
    return of;
}
