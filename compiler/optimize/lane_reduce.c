/* lane_reduce.c - what reductions share: operators that reduce, factors that a loop keeps, what a
 * vector is combined with, and its lanes with one another.
 *
 * Of an operator that chooses, minimum and maximum, C compilers may make a branch where operands
 * are scalars, which no processor foresees.  So the lanes of such a vector are combined by whole
 * vectors: its halves, as long as these fill a register, and then what is left with itself, turned
 * by a half, a quarter, ... of its lanes.  Sums and the like are combined lane by lane.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

enum { REGISTER_BYTES = 16 }; /* of the shortest vector register */

bool reduces_by(enum op op, enum type type)
{
    if (type == TYPE_BOOL || type_is_complex(type))
        return false;
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_MIN || op == OP_MAX
           || ((op == OP_AND || op == OP_OR || op == OP_XOR) && type_is_integer(type));
}

bool vector_assigns(enum op op, enum type type)
{
    return type != TYPE_BOOL && !type_is_complex(type)
           && (op == OP_NONE || (op == OP_DIV && type_is_float(type))
               || (reduces_by(op, type) && !vector_chooses(op)));
}

enum op reduces_with(enum op op) { return op == OP_SUB ? OP_ADD : op; }

const struct imp *reduces_from(struct context *cx, enum op op, enum type type, int lanes)
{
    struct value identity;
    context_assert(cx, op_identity(reduces_with(op), SIDE_LEFT, type, &identity));
    const struct imp *start = imp_literal(cx, identity);
    return imp_broadcast(cx, start, lanes);
}

void vector_combine(struct vectorizer *z, struct imp_builder *b, struct imp_var *vector, enum op op,
                    const struct imp *value)
{
    if (vector_chooses(op))
        value = imp_let(b, vector_var(z, "next", value->type, value->lanes), value);
    imp_add(b, imp_assign(z->cx, vector, op, value));
}

/* Lanes of the vector from that one on, and from the first on after the last. */
static const struct imp *turned(struct context *cx, const struct imp *vector, int from, int lanes)
{
    const struct imp *lane[VECTOR_LANES];
    for (int i = 0; i < lanes; i++)
        lane[i] = imp_lane(cx, vector, (from + i) % vector->lanes);
    return imp_lanes(cx, lane, lanes);
}

static const struct imp *chosen(struct vectorizer *z, struct imp_builder *b, struct imp_var *vector,
                                enum op op)
{
    for (int apart = vector->lanes / 2; apart > 0; apart /= 2) {
        const struct imp *all = imp_read(z->cx, vector);
        bool halves = apart * (int)type_size(vector->type) >= REGISTER_BYTES;
        if (halves) {
            vector = vector_var(z, "half", vector->type, apart);
            imp_let(b, vector, turned(z->cx, all, 0, apart));
        }
        vector_combine(z, b, vector, op, turned(z->cx, all, apart, vector->lanes));
    }
    return imp_lane(z->cx, imp_read(z->cx, vector), 0);
}

/* Returns every `apart`-th lane from `from` on, combined. */
static const struct imp *combined(struct context *cx, enum op op, const struct imp *vector,
                                  int from, int apart)
{
    if (apart == vector->lanes)
        return imp_lane(cx, vector, from);
    return imp_op2(cx, op, combined(cx, op, vector, from, 2 * apart),
                   combined(cx, op, vector, from + apart, 2 * apart));
}

const struct imp *vector_reduced(struct vectorizer *z, struct imp_builder *b,
                                 struct imp_var *vector, enum op op)
{
    return vector_chooses(op) ? chosen(z, b, vector, op)
                              : combined(z->cx, op, imp_read(z->cx, vector), 0, 1);
}

/* ---- factors ---- */

bool factors_keeps(const struct imp *loop, const struct imp *e, const struct imp_var *var)
{
    if (e->kind == IMP_VAR && e->var != var && imp_changes(loop, e->var))
        return false;
    for (int i = 0; i < e->args; i++)
        if (!factors_keeps(loop, e->arg[i], var))
            return false;
    return e->kind != IMP_CALL;
}

const struct imp *factors_times(struct context *cx, const struct imp *a, const struct imp *b)
{
    return a && b ? imp_op2(cx, OP_MUL, a, b) : a ? a : b;
}

static void split_factors(struct context *cx, struct factors *f, const struct imp *loop,
                          const struct imp_var *var, const struct imp_var *sum,
                          const struct imp *product)
{
    if (imp_is_op(product, OP_MUL)) {
        split_factors(cx, f, loop, var, sum, product->arg[0]);
        split_factors(cx, f, loop, var, sum, product->arg[1]);
        return;
    }
    bool kept = factors_keeps(loop, product, var) && !imp_mentions(product, sum);
    const struct imp **to = kept ? &f->kept : &f->rest;
    *to = factors_times(cx, *to, product);
}

struct factors factors_of(struct context *cx, const struct imp *loop, const struct imp_var *var,
                          const struct imp_var *sum, const struct imp *value)
{
    struct factors f = {NULL, NULL};
    if (type_is_float(sum->type) && value->type == sum->type)
        split_factors(cx, &f, loop, var, sum, value);
    return f;
}
