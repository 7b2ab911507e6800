/* relation.c - variables that follow from others (thesis 3.2, 6.3 to 6.6).
 *
 * A relation is an equation, and is read in every direction in which it can be solved: the parts of a split give what was
 * split, and that gives its parts; of a difference and its two variables, any two give the third.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"

int cin_sources(const struct cin_relation *r, const struct index_var *var, const struct index_var *from[2])
{
    bool is_parent = var == r->parent[0] || (var && var == r->parent[1]);
    bool is_child = var == r->child[0] || (var && var == r->child[1]);
    if (!is_parent && !is_child)
        return 0;
    switch (r->kind) {
    case RELATION_SPLIT_UP:
    case RELATION_SPLIT_DOWN:
        from[0] = is_parent ? r->child[0] : r->parent[0];
        from[1] = r->child[1];
        return is_parent ? 2 : 1;
    case RELATION_COLLAPSE:
        from[0] = is_parent ? r->child[0] : r->parent[0];
        from[1] = r->parent[1];
        return is_parent ? 1 : 2;
    case RELATION_DIFFERENCE:
        from[0] = is_child || var == r->parent[1] ? r->parent[0] : r->parent[1];
        from[1] = is_child ? r->parent[1] : r->child[0];
        return 2;
    case RELATION_EQUAL:
    case RELATION_LITERAL:
        return 0;
    }
    return 0;
}

bool cin_exceeds(const struct cin_relation *r, const struct index_var *var)
{
    switch (r->kind) {
    case RELATION_SPLIT_UP:
    case RELATION_SPLIT_DOWN:
        return var == r->parent[0] && (var->size < 0 || r->size < 1 || var->size % r->size);
    case RELATION_DIFFERENCE:
        return var != r->child[0];
    case RELATION_COLLAPSE:
    case RELATION_EQUAL:
    case RELATION_LITERAL:
        return false;
    }
    return true;
}

static bool among(const struct index_var *const *vars, int n, const struct index_var *var)
{
    for (int i = 0; i < n; i++)
        if (vars[i] == var)
            return true;
    return false;
}

const struct index_var *cin_follows(const struct cin_relation *relation, int relations,
                                    const struct index_var *const *known, int n, const struct cin_relation **by)
{
    for (int i = 0; i < relations; i++) {
        const struct cin_relation *r = &relation[i];
        const struct index_var *part[4] = {r->parent[0], r->parent[1], r->child[0], r->child[1]};
        for (int k = 0; k < 4; k++) {
            const struct index_var *from[2];
            if (!part[k] || among(known, n, part[k]))
                continue;
            int sources = cin_sources(r, part[k], from);
            bool all = sources > 0 || r->kind == RELATION_LITERAL;
            for (int s = 0; s < sources; s++)
                all &= among(known, n, from[s]);
            *by = r;
            if (all)
                return part[k];
        }
    }
    return NULL;
}
