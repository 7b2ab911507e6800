/* term.c - sums that a dense result uses in a larger expression: in the result itself, where their
 * loops would be others if the result were nothing but the sum.
 *
 *     forall(i) forall(r) (Y(i,r) = max(t, 0) where forall(j) t += A(i,j) * X(j,r))
 *     forall(i) (forall(j) forall(rp) Y(i,rp) += A(i,j) * X(j,rp)
 *                ; forall(r) Y(i,r) = max(Y(i,r), 0))
 *
 * Alone, Y(i,r) += A(i,j) * X(j,r) has its loops in the order i, j, r.  So t is expanded over r, a
 * loop of the result that comes after one of the sum's, and Y takes the place of the workspace.  It
 * is expanded over all loops if the sum alone would get more than an order of loops: then it is
 * planned as if it stood alone.  What need not be expanded stays in a register.
 *
 * If that plan goes through blocks of the result first, its loops are split before the sum is
 * expanded, over what is inside the blocks:
 *
 *     forall(i) (y(i) = b(i) - t where forall(j) t += A(i,j) * x(j))            A: bcsr(4,4)
 *     forall(io) (forall(ii) y(i) = b(i)
 *                 ; forall(jo) forall(iip) forall(ji) y(i2) += -(A(i2,j) * x(j)))
 *
 * A block of components that would be read back just after they have been stored is not split off,
 * but a block of rows is, which vectors of registers hold until then (optimize/register_tile.c).
 *
 * Nothing is weighed: each step of the sum stays one, in another order, and what is stored of a
 * dense result is stored twice.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* A scalar that a component of the result is computed from. */
struct term {
    const struct cin *t, *make;   /* the assignment that reduces into it */
    const struct cin *result;     /* the component */
    struct var_list given, loops; /* the loops around the component; and those of the sum as well */
};

/* Has a directive decided anything about these loops? */
static bool is_decided(const struct cin_program *program, const struct var_list *loops)
{
    bool is = plan_is_ordered(program, loops);
    for (size_t i = 0; i < loops->n && !is; i++)
        is = cin_is_tagged(program, loops->at[i]) || cin_is_related(program, loops->at[i]);
    return is;
}

/* Finds the scalar that this where of the site makes by one reduction in loops of its own; false:
 * it makes none. */
static bool find_term(struct context *cx, const struct cin_program *program,
                      const struct site *site, size_t number, struct term *term)
{
    const struct cin *where = site->where.at[number];
    struct chain own = plan_chain(cx, where->arg[1]);
    const struct cin *make = own.body;
    if (make->kind != CIN_ASSIGN || make->op == OP_NONE || !own.loops.n
        || site->depth.at[number] != site->loops.n || !tensor_var_is_scalar(make->arg[0]->tensor)
        || !cin_uses_tensor(site->assign->arg[1], make->arg[0]->tensor))
        return false;
    *term = (struct term){.t = make->arg[0], .make = make, .result = site->assign->arg[0]};
    for (size_t i = 0; i < site->loops.n; i++) {
        vec_push(cx->arena, &term->given, site->loops.at[i]);
        vec_push(cx->arena, &term->loops, site->loops.at[i]);
    }
    for (size_t i = 0; i < own.loops.n; i++)
        vec_push(cx->arena, &term->loops, own.loops.at[i]);
    return !is_decided(program, &term->loops);
}

/* Returns the program of a statement that is the sum alone, in these loops. */
static const struct cin_program *alone(struct context *cx, const struct cin_program *program,
                                       const struct site *site, const struct term *term,
                                       const struct var_list *loops)
{
    struct cin_program *sum = arena_copy(cx->arena, program, sizeof *program);
    const struct cin *s = cin_assign(cx, term->make->op, site->assign->arg[0], term->make->arg[1]);
    for (size_t i = loops->n; i-- > 0;)
        s = cin_forall(cx, loops->at[i], s);
    sum->statement = s;
    return sum;
}

/* Is more to be planned of the sum alone than the order of its loops? */
static bool has_plan(struct planner *planner, const struct cin_program *sum)
{
    struct context *cx = planner->cx;
    const struct site *site = &plan_sites(cx, sum).at[0];
    return !plan_tree(cx, sum) || plan_site_is_open(cx, sum, 0) || plan_has_factors(cx, site)
           || plan_calls_blas(planner, sum, site);
}

/* Returns how many of the loops in their order come before the first that is not around the result.
 */
static size_t loops_around(const struct term *term, const struct var_list *order)
{
    size_t n = 0;
    while (n < order->n && var_list_has(&term->given, order->at[n]))
        n++;
    return n;
}

/* Expands the term over the result's loops that come after one of the sum's in this order; a
 * workspace smaller than the result, as a row, may stay.  false: the draft is as it was. */
static bool expand_after(struct draft *draft, const struct term *term, struct var_list order,
                         size_t around)
{
    struct context *cx = draft->cx;
    struct var_list given = var_list_common(cx, &order, &term->given);
    struct var_list modes = {given.at + around, given.n - around, given.n - around};
    struct draft expanded = draft_copy(draft), direct;
    if (!var_list_equal(&given, &term->given))
        draft_add(&expanded, plan_reorder(cx, &given));
    draft_precompute(&expanded, term->t, &modes, plan_dense(cx, modes.n));
    direct = draft_copy(&expanded);
    draft_sequence(&direct, draft->program);
    if (direct.program)
        *draft = direct;
    else if (expanded.program && modes.n < (size_t)term->result->indices)
        *draft = expanded;
    return direct.program || draft->program == expanded.program;
}

/* Does the reduction take the values of coordinates that a sparse operand does not store?  Then
 * another order may visit others of them, and is weighed (expand.c). */
static bool takes_fills(struct context *cx, const struct term *term)
{
    struct cin_list read = cin_operands(cx, term->make), sparse = {0};
    for (size_t i = 0; i < read.n; i++)
        if (!tensor_var_is_scalar(read.at[i]->tensor)
            && !format_is_dense(read.at[i]->tensor->format))
            vec_push(cx->arena, &sparse, read.at[i]);
    const struct cin *left = cin_simplify(cx, cin_with_fills(cx, term->make, &sparse));
    return sparse.n > 0 && left != cin_nothing(cx);
}

/* Returns the loops of a statement that is the sum alone, where they follow the operands whose
 * levels store functions of the loops' variables.  Its program is NULL if there are none, or if the
 * sum cannot be lowered so. */
static struct draft follow_maps(struct context *cx, const struct term *term,
                                const struct cin_program *sum)
{
    struct draft draft = draft_new(cx, sum);
    struct cin_list read = cin_operands(cx, term->make), mapped = {0};
    for (size_t i = 0; i < read.n; i++)
        if (plan_is_mapped(read.at[i], &term->loops))
            vec_push(cx->arena, &mapped, read.at[i]);
    if (mapped.n == 0 || !draft_follow_all(&draft, &mapped, &term->loops)
        || !plan_is_whole(cx, draft.program))
        draft.program = NULL;
    return draft;
}

/* Splits the loops around the result whose blocks are the sum's outermost loops, were it alone, and
 * gives the loops around the result then: those over blocks first.  Returns how many these are. */
static size_t split_blocks(struct draft *draft, struct term *term, const struct cin_program *sum,
                           struct var_list *order)
{
    struct context *cx = draft->cx;
    const struct draft alone = follow_maps(cx, term, sum);
    struct chain chain = {0};
    struct var_list given = {0};
    if (alone.program)
        chain = plan_chain(cx, alone.program->statement);
    *order = (struct var_list){0};
    for (size_t i = 0; i < chain.loops.n; i++) {
        const struct index_var *whole = cin_whole(alone.program, chain.loops.at[i], CIN_FIRST);
        if (!whole || !var_list_has(&term->given, whole))
            break;
        vec_push(cx->arena, order, whole);
    }
    const size_t around = order->n;
    for (size_t i = 0; i < term->given.n; i++) {
        const struct index_var *loop = term->given.at[i], *inner = loop;
        const int at = var_list_place(order, loop);
        if (at >= 0) {
            order->at[at] = draft_split(draft, loop, cin_split(alone.program, loop)->size, &inner);
            vec_push(cx->arena, &given, order->at[at]);
        }
        vec_push(cx->arena, &given, inner);
        vec_push(cx->arena, order, inner);
    }
    term->given = given;
    return around;
}

/* Does the program wait for stores, since it reads components of a block's result just after these
 * have been stored?  A loop over all of the result, behind the sum, does not wait, nor do rows,
 * along the last of these loops, which are in registers. */
static bool is_read_back(struct context *cx, const struct cin_program *program,
                         const struct var_list *loops)
{
    struct cin_list made = cin_assignments(cx, program->statement);
    if (!cin_is_related(program, loops->at[loops->n - 1]))
        return false;
    for (size_t i = 0; i < made.n; i++)
        if (cin_uses_tensor(made.at[i]->arg[1], program->result))
            return true;
    return false;
}

static void expand_term(struct draft *draft, struct planner *planner, const struct site *site,
                        const struct term *term)
{
    struct context *cx = draft->cx;
    const struct cin_program *sum = alone(cx, draft->program, site, term, &term->loops);
    struct chain chain = plan_chain(cx, sum->statement);
    struct var_list order = plan_order(cx, sum, &chain, NULL);
    size_t around = loops_around(term, &order);
    if (has_plan(planner, alone(cx, draft->program, site, term, &order))) {
        struct draft split = draft_copy(draft);
        struct term blocks = *term;
        around = split_blocks(&split, &blocks, sum, &order);
        if (around && expand_after(&split, &blocks, order, around)
            && !is_read_back(cx, split.program, &order)) {
            *draft = split;
            return;
        }
        around = 0;
    }
    if (around < term->given.n)
        expand_after(draft, term, around ? order : term->given, around);
}

/* Finds the site of the program that assigns its result from the scalar, and the where that makes
 * it; false: there is none. */
static bool find_use(struct context *cx, const struct cin_program *program,
                     const struct tensor_var *t, const struct site **site, size_t *where)
{
    struct site_list sites = plan_sites(cx, program);
    for (size_t i = 0; i < sites.n; i++)
        for (size_t k = 0; k < sites.at[i].where.n; k++)
            if (sites.at[i].assign->arg[0]->tensor == program->result
                && cin_assigns(sites.at[i].where.at[k]->arg[1], t)) {
                *site = &sites.at[i];
                *where = k;
                return true;
            }
    return false;
}

void draft_expand_terms(struct draft *draft, struct planner *planner)
{
    struct context *cx = draft->cx;
    if (!format_is_dense(draft->program->result->format))
        return;
    struct cin_list made = cin_assignments(cx, draft->program->statement);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        const struct site *site;
        struct term term;
        size_t where;
        if (tensor_var_is_scalar(t) && find_use(cx, draft->program, t, &site, &where)
            && find_term(cx, draft->program, site, where, &term) && !takes_fills(cx, &term))
            expand_term(draft, planner, site, &term);
    }
}
