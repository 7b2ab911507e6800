/* pack_level.h - a level packed as the runtime does, from all of its nodes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_SUPPORT_PACK_LEVEL_H
#define SPCC_TESTS_SUPPORT_PACK_LEVEL_H

#include "compiler/level.h"

static inline struct level_nodes all_nodes(int64_t n, const int64_t *parent,
                                           const int64_t *coordinate, int64_t parents)
{
    return (struct level_nodes){
        .n = n, .parent = parent, .coordinate = coordinate, .parents = parents};
}

enum { PACK_PARENTS = 64 };

/* So much; rounds_of has room for PACK_PARENTS. */
static inline struct level_amount amount_of(const struct level_nodes *all, int64_t *rounds_of)
{
    struct level_amount amount = {all->parents, all->n, 0, rounds_of, 0};
    for (int64_t p = 0; p < all->parents && p < PACK_PARENTS; p++)
        rounds_of[p] = 0;
    for (int64_t i = 0, first = 0, same = 0; i < all->n; i++) {
        const int64_t parent = all->parent[i];
        first = parent == all->parent[first] ? first : i;
        same = first < i && all->coordinate[i] == all->coordinate[i - 1] ? same + 1 : 1;
        amount.most = i - first + 1 > amount.most ? i - first + 1 : amount.most;
        if (parent < PACK_PARENTS && same > rounds_of[parent]) {
            amount.rounds += same - rounds_of[parent];
            rounds_of[parent] = same;
        }
    }
    return amount;
}

/* In parts of so many nodes, as one thread gets them. */
static inline bool pack_level(const struct level_type *type, struct level_storage *level,
                              const struct level_nodes *all, int64_t part, int64_t *position,
                              int64_t *positions, struct level_fault *fault)
{
    int64_t rounds[PACK_PARENTS];
    const struct level_amount amount = amount_of(all, rounds);
    if (!type->pack_begin(level, &amount, positions, fault))
        return false;
    int64_t after = -1;
    for (int64_t i = 0; i < all->n; i += part) {
        struct level_nodes nodes = {.n = all->n - i < part ? all->n - i : part,
                                    .parent = all->parent + i,
                                    .coordinate = all->coordinate + i,
                                    .parents = all->parents,
                                    .first = i,
                                    .more = i > 0 && all->parent[i] == all->parent[i - 1],
                                    .before = i > 0 ? position[i - 1] : 0};
        if ((type->pack_edges && !nodes.more
             && !type->pack_edges(level, after, nodes.parent[0], i, fault))
            || !type->pack_place(level, &nodes, position + i, fault)
            || (type->pack_nodes && !type->pack_nodes(level, &nodes, position + i, fault)))
            return false;
        after = nodes.parent[nodes.n - 1];
    }
    return !type->pack_edges || type->pack_edges(level, after, all->parents, all->n, fault);
}

#endif
