/* blas.c - products of dense tensors as a library's matrix products, where a library is named.
 *
 *     forall(i) forall(k) forall(l) forall(j) C(i,j) += A(i,k,l) * B(l,k,j)
 *                     precompute(B(l,k,j), w, {k,k,kp}, {l,l,lp}, {j,j,jp}, dense);
 *                     collapse(k, l, f); blas(i, j, f)
 *
 * Each loop is over modes of two tensors or of all three: rows of the product, columns, what is
 * summed over, and what is around.  The modes of the first three kinds each are one mode of a
 * matrix, if both tensors store them in one order and without others in between; a tensor that does
 * not is copied (Springer and Bientinesi, Design of a high-performance GEMM-like tensor-tensor
 * multiplication, 2018, section 2: transpose, transpose, multiply, transpose).  Of the orders that
 * the tensors have, those are taken for which least is copied.
 *
 * The library takes as many steps as the loops have vectors, and fetches each array once.  The
 * loops fetch what the lines of memory say (lines.c), once for this many rows as are in registers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/concrete/gemm.h"
#include "compiler/plan/tiles.h"
#include "compiler/target.h"

/* As estimates, steps for a call, and rows that a tile in registers has. */
enum { CALL = 400, ROWS = 4 };

/* The loops of a matrix product, and those around: kinds of loops. */
enum { AROUND = GEMM_LOOPS, KINDS };

/* Which accesses have modes of each kind. */
static const bool has[KINDS][GEMM_ACCESSES] = {[GEMM_M] = {true, true, false},
                                               [GEMM_N] = {true, false, true},
                                               [GEMM_K] = {false, true, true},
                                               [AROUND] = {true, true, true}};

struct product {
    struct planner *planner;
    struct context *cx;
    const struct cin_program *program;
    const struct site *site;
    const struct cin *access[GEMM_ACCESSES];
    struct var_list kind[KINDS]; /* of loops: the first three in the order of a matrix's mode */
    bool copied[GEMM_ACCESSES];
};

/* ---- which assignments ---- */

static bool is_dense(const struct cin *access)
{
    const struct format *format = access->tensor->format;
    bool dense = format_is_dense(format) && format->levels == access->indices
                 && !access->tensor->pad && access->tensor->place == TENSOR_ANYWHERE;
    for (int i = 0; i < access->indices && dense; i++) {
        dense = !access->index[i]->literal && !format->level[i].type->array[0].kind;
        for (int k = 0; k < i; k++)
            dense = dense && access->index[i] != access->index[k];
    }
    return dense;
}

static bool is_free(const struct product *p)
{
    const struct site *site = p->site;
    bool free = site->loops.n >= GEMM_LOOPS && !plan_is_ordered(p->planner->given, &site->loops);
    for (size_t i = 0; i < site->where.n; i++)
        free = free && site->depth.at[i] == 0;
    for (size_t i = 0; i < site->loops.n && free; i++)
        free = !cin_origin(p->program, site->loops.at[i])
               && !cin_is_tagged(p->program, site->loops.at[i])
               && !cin_split(p->program, site->loops.at[i]);
    return free;
}

static bool take_accesses(struct product *p)
{
    bool minus;
    const struct cin *assign = p->site->assign, *value = cin_gemm_product(assign, &minus);
    if (!value)
        return false;
    p->access[GEMM_C] = assign->arg[0];
    p->access[GEMM_A] = value->arg[0];
    p->access[GEMM_B] = value->arg[1];
    for (int a = 0; a < GEMM_ACCESSES; a++)
        if (!is_dense(p->access[a]) || p->access[a]->type != value->type)
            return false;
    return type_is_float(value->type) || type_is_complex(value->type);
}

static int kind_of(const struct product *p, const struct index_var *var)
{
    int kind = 0;
    for (bool is = false; !is && kind < KINDS; kind += !is) {
        is = true;
        for (int a = 0; a < GEMM_ACCESSES; a++)
            is = is && cin_uses_var(p->access[a], var) == has[kind][a];
    }
    return kind;
}

/* Sorts the loops by kinds; false: there is one of no kind, or it is no product of matrices. */
static bool take_kinds(struct product *p)
{
    for (size_t i = 0; i < p->site->loops.n; i++) {
        const int kind = kind_of(p, p->site->loops.at[i]);
        if (kind == KINDS)
            return false;
        vec_push(p->cx->arena, &p->kind[kind], p->site->loops.at[i]);
    }
    return p->kind[GEMM_M].n && p->kind[GEMM_N].n && p->kind[GEMM_K].n;
}

/* ---- orders of modes ---- */

/* Returns where in the list the loops begin, in their order and one behind the other; -1: they do
 * not. */
static int place_of(const struct var_list *stored, const struct var_list *loops)
{
    const int begin = var_list_place(stored, loops->at[0]);
    for (size_t i = 1; i < loops->n; i++)
        if (var_list_place(stored, loops->at[i]) != begin + (int)i)
            return -1;
    return begin;
}

/* Is the access a matrix, by these orders: or one for each coordinate around? */
static bool is_matrix(const struct product *p, int a)
{
    struct var_list stored = plan_storage_order(p->cx, p->access[a]);
    bool unit = false;
    for (int kind = 0; kind < GEMM_LOOPS; kind++) {
        const struct var_list *loops = &p->kind[kind];
        if (!has[kind][a])
            continue;
        const int at = place_of(&stored, loops);
        if (at < 0)
            return false;
        unit = unit || (size_t)at + loops->n == stored.n;
    }
    return unit;
}

static double values_of(const struct product *p, const struct index_var *var)
{
    return plan_values(p->planner->symbols, p->program, var);
}

static double elements_of(const struct product *p, const struct cin *access)
{
    double n = 1;
    for (int i = 0; i < access->indices; i++)
        n *= values_of(p, access->index[i]);
    return n;
}

/* Finds which tensors are copied.  Returns how many elements these have. */
static double copied_elements(struct product *p)
{
    double n = 0;
    for (int a = 0; a < GEMM_ACCESSES; a++) {
        p->copied[a] = !is_matrix(p, a);
        n += p->copied[a] ? elements_of(p, p->access[a]) : 0;
    }
    return n;
}

/* Returns the kind's loops, as the first or the last access that has them stores them. */
static struct var_list ordered_as(const struct product *p, int kind, bool last)
{
    int a = last ? GEMM_ACCESSES - 1 : 0;
    while (!has[kind][a])
        a += last ? -1 : 1;
    struct var_list stored = plan_storage_order(p->cx, p->access[a]);
    return var_list_common(p->cx, &stored, &p->kind[kind]);
}

/* Takes the orders for which least is copied. */
static double take_orders(struct product *p)
{
    struct product best = {0};
    double least = INFINITY;
    for (int ways = 0; ways < 1 << GEMM_LOOPS; ways++) {
        struct product other = *p;
        for (int kind = 0; kind < GEMM_LOOPS; kind++)
            other.kind[kind] = ordered_as(p, kind, ways >> kind & 1);
        const double n = copied_elements(&other);
        if (n < least) {
            least = n;
            best = other;
        }
    }
    *p = best;
    return least;
}

static bool take_product(struct product *p)
{
    return is_free(p) && take_accesses(p) && take_kinds(p);
}

/* ---- costs ---- */

static double lanes_of(const struct product *p)
{
    const struct target *target = target_of(p->cx);
    return fmax(1, (double)target->vector_bytes / (double)type_size(p->access[GEMM_C]->type));
}

/* Vectors that are multiplied. */
static double steps_of(const struct product *p)
{
    double steps = 1 / lanes_of(p);
    for (size_t i = 0; i < p->site->loops.n; i++)
        steps *= values_of(p, p->site->loops.at[i]);
    return steps;
}

/* Steps that fetching an array's lines once takes. */
static double fetching(const struct product *p, double elements)
{
    const struct target *target = target_of(p->cx);
    const double bytes = elements * (double)type_size(p->access[GEMM_C]->type);
    return bytes / (double)target->line * (double)target->far_cost / 100;
}

static double loops_cost(const struct product *p)
{
    struct tiling t = {.planner = p->planner, .cx = p->cx, .program = p->program, .site = p->site};
    for (int a = 0; a < GEMM_ACCESSES; a++)
        vec_push(p->cx->arena, &t.access, p->access[a]);
    if (!tiling_take_groups(&t))
        return steps_of(p) * lanes_of(p);
    const double all = tiling_given_cost(&t), steps = fmin(all, steps_of(p));
    return steps + (all - steps) / ROWS;
}

/* Returns the cost of a copy, which is fetched, stored, and fetched again. */
static double library_cost(const struct product *p, double copied)
{
    double calls = 1, cost = steps_of(p) + copied + 2 * fetching(p, copied);
    for (size_t i = 0; i < p->kind[AROUND].n; i++)
        calls *= values_of(p, p->kind[AROUND].at[i]);
    for (int a = 0; a < GEMM_ACCESSES; a++)
        cost += fetching(p, elements_of(p, p->access[a]));
    return cost + calls * CALL;
}

/* ---- directives ---- */

static void add_all(struct context *cx, struct var_list *to, const struct var_list *from)
{
    for (size_t i = 0; i < from->n; i++)
        vec_push(cx->arena, to, from->at[i]);
}

/* Returns a matrix's modes, with that mode last along which the tensor is stored. */
static struct var_list modes_of(const struct product *p, int a)
{
    struct var_list modes = {0}, stored = plan_storage_order(p->cx, p->access[a]);
    int kind[2], kinds = 0;
    for (int k = 0; k < GEMM_LOOPS; k++)
        if (has[k][a])
            kind[kinds++] = k;
    const bool turned = var_list_has(&p->kind[kind[0]], stored.at[stored.n - 1]);
    add_all(p->cx, &modes, &p->kind[AROUND]);
    add_all(p->cx, &modes, &p->kind[kind[turned]]);
    add_all(p->cx, &modes, &p->kind[kind[!turned]]);
    return modes;
}

static const struct index_var *collapsed(struct draft *draft, const struct var_list *loops)
{
    const struct index_var *one = loops->at[0];
    for (size_t i = 1; i < loops->n && one; i++)
        one = draft_collapse(draft, one, loops->at[i]);
    return one;
}

static void add_call(const struct product *p, struct draft *draft)
{
    struct var_list order = {0};
    struct schedule_argument argument[GEMM_LOOPS];
    add_all(p->cx, &order, &p->kind[AROUND]);
    for (int kind = 0; kind < GEMM_LOOPS; kind++)
        add_all(p->cx, &order, &p->kind[kind]);
    if (!var_list_equal(&order, &p->site->loops))
        draft_add(draft, plan_reorder(p->cx, &order));
    for (int kind = 0; kind < GEMM_LOOPS; kind++) {
        const struct index_var *loop = collapsed(draft, &p->kind[kind]);
        if (!loop || !draft->program)
            return;
        argument[kind] = schedule_loop(loop);
    }
    draft_add(draft, schedule_make(p->cx, &schedule_blas, argument, GEMM_LOOPS));
}

static struct product product_at(struct planner *planner, const struct cin_program *program,
                                 const struct site *site)
{
    return (struct product){
        .planner = planner, .cx = planner->cx, .program = program, .site = site};
}

/* Returns the product with copies of these tensors in their places; false: it is nowhere. */
static bool find_copied(const struct product *of, const bool copied[GEMM_ACCESSES],
                        const struct draft *draft, struct product *found)
{
    struct site_list sites = {0};
    if (draft->program)
        sites = plan_sites(draft->cx, draft->program);
    for (size_t i = 0; i < sites.n; i++) {
        *found = product_at(of->planner, draft->program, &sites.at[i]);
        bool same = take_product(found);
        for (int a = 0; a < GEMM_ACCESSES && same; a++)
            same = copied[a] ? found->access[a]->tensor->temporary
                             : found->access[a]->tensor == of->access[a]->tensor;
        if (same)
            return true;
    }
    return false;
}

/* Adds a copy of this operand to the draft, or of the product before it is stored. */
static void copy(const struct product *p, struct draft *draft, const struct product *in, int a)
{
    const struct cin *e = a == GEMM_C ? in->site->assign->arg[1] : in->access[a];
    struct product of = *in;
    for (int kind = 0; kind < KINDS; kind++)
        of.kind[kind] = p->kind[kind]; /* in the order that was chosen: the loops are the same */
    struct var_list modes = modes_of(&of, a);
    draft_precompute(draft, e, &modes, plan_dense(p->cx, modes.n));
}

/* Adds the copies of the operands and of the product, whose loops have other names then, and the
 * call. */
static struct draft drafted(const struct product *p)
{
    struct draft draft = draft_new(p->cx, p->program);
    bool copied[GEMM_ACCESSES] = {false};
    struct product now = *p;
    bool found = true;
    for (int a = GEMM_ACCESSES - 1; a >= 0 && found; a--) {
        if (!p->copied[a])
            continue;
        copy(p, &draft, &now, a);
        copied[a] = true;
        found = find_copied(p, copied, &draft, &now);
    }
    if (found && take_orders(&now) == 0)
        add_call(&now, &draft);
    else
        draft.program = NULL;
    return draft;
}

/* ---- a site ---- */

static void report(const struct product *p, const struct draft *before, const struct draft *call,
                   double cost, double loops)
{
    struct draft as_it_is = draft_new(p->cx, p->program);
    const bool taken = plan_is_less(cost, loops);
    report_site(p->planner, p->site);
    for (int i = 0; i < 2; i++) {
        const bool calls = (i == 0) == taken;
        report_behind(p->planner, before, calls ? call : &as_it_is, calls ? cost : loops);
        report_way(p->planner->reasons, i == 0, calls ? cost : loops,
                   draft_print(calls ? call : &as_it_is));
        text_add(p->planner->reasons, "\n");
    }
}

/* Calls the library at the site, if that is cheaper.  Returns whether it does. */
static bool call_at(struct draft *draft, struct planner *planner, const struct site *site)
{
    struct product p = product_at(planner, draft->program, site);
    if (!take_product(&p))
        return false;
    const double cost = library_cost(&p, take_orders(&p)), loops = loops_cost(&p);
    struct draft call = drafted(&p);
    if (!plan_is_whole(p.cx, call.program))
        return false;
    if (planner->reasons)
        report(&p, draft, &call, cost, loops);
    if (!plan_is_less(cost, loops))
        return false;
    draft_append(draft, &call);
    return true;
}

bool plan_calls_blas(struct planner *planner, const struct cin_program *program,
                     const struct site *site)
{
    struct product p = product_at(planner, program, site);
    return p.cx->blas && !p.cx->cuda && take_product(&p)
           && plan_is_less(library_cost(&p, take_orders(&p)), loops_cost(&p));
}

void draft_call_blas(struct draft *draft, struct planner *planner)
{
    struct site_list sites = {0};
    if (draft->cx->blas && !draft->cx->cuda)
        sites = plan_sites(draft->cx, draft->program);
    for (size_t i = 0; i < sites.n; i++) {
        if (!call_at(draft, planner, &sites.at[i]))
            continue;
        sites = plan_sites(draft->cx, draft->program);
        i = (size_t)-1;
    }
}
