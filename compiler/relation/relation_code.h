/* relation_code.h - what the code functions of relations get: a place in the kernel being lowered.
 *
 * They append statements to the builder and return expressions; see compiler/relation.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_RELATION_RELATION_CODE_H
#define SPCC_RELATION_RELATION_CODE_H

#include "compiler/imperative/builder.h"
#include "compiler/level_code.h"
#include "compiler/relation.h"

struct relation_code {
    struct imp_builder *b;
    enum type coordinates; /* what coordinates are computed in */
    struct kernel *kernel; /* for the functions below */
    const struct scope *scope;
    /* How many values a variable has. */
    const struct imp *(*size_of)(const struct relation_code *code, const struct index_var *var);
    /* Its coordinate at this place, where it is known. */
    const struct imp *(*at)(const struct relation_code *code, const struct index_var *var);
    /* A level of an operand, and how many positions its first levels have. */
    struct level_code (*level)(const struct relation_code *code, const struct cin *access,
                               int level);
    const struct imp *(*positions)(const struct relation_code *code, const struct cin *access,
                                   int levels);
    /* Where in the level the position is that counts from where the loops have led to. */
    const struct imp *(*position)(const struct relation_code *code, const struct cin_relation *r);
    /* The position of the parent, which the level stores the segment of. */
    const struct imp *(*parent_of)(const struct relation_code *code, const struct cin_relation *r);
    /* Of the positions that a relation divides by work: all of it, i64; and from which position on
     * the part is that is known here, and *past its last. */
    const struct imp *(*steps)(const struct relation_code *code, const struct cin_relation *r);
    const struct imp *(*part)(const struct relation_code *code, const struct cin_relation *r,
                              const struct imp **past);
};

/* As compiler/relation.h has them: of a parent in parts, each value in one of them; child[0] is the
 * part, child[1] counts what is in it. */
static inline int parts_sources(const struct cin_relation *r, const struct index_var *var,
                                const struct index_var *from[2])
{
    bool is_parent = var == r->parent[0];
    from[0] = is_parent ? r->child[0] : r->parent[0];
    from[1] = r->child[1];
    return is_parent ? 2 : 1;
}
static inline const struct index_var *parts_step_with(const struct cin_relation *r,
                                                      const struct index_var *var)
{
    return var == r->parent[0] ? r->child[1] : NULL;
}

static inline const struct imp *relation_op(const struct relation_code *code, enum op op,
                                            const struct imp *a, const struct imp *b)
{
    return imp_op2(code->b->cx, op, a, b);
}

static inline const struct imp *relation_int(const struct relation_code *code,
                                             const struct imp *like, int64_t value)
{
    return imp_int(code->b->cx, like->type, value);
}

#endif
