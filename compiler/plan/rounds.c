/* rounds.c - a program of one result, site after site: which directives complete it.
 *
 * It goes from site to site, the outer ones first.  Where the loops, once they are in the order
 * that suits most accesses, suit all of them and the result, nothing else is weighed.  Elsewhere
 * the alternatives are tried, each is a schedule, and the cheapest is taken if it is clearly
 * better; then it starts over, until no site has anything to gain.  So the plan of a program that
 * has been planned is empty, and a plan can be pasted back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

/* What bounds the search: the alternatives weighed in a round, and within all of these; the sites
 * that get another plan, few since each makes the program cheaper; alternatives within others. */
enum { BUDGET = 300, WITHIN = 600, ROUNDS_MAX = 16, DEPTH = 1 };

/* Do two operands with levels that are iterated stand in the site, one of them not in all of its
 * loops?  Then which loops are outermost decides how much is visited. */
static bool is_contraction(struct context *cx, const struct site *site)
{
    struct cin_list read = cin_operands(cx, site->assign);
    int sparse = 0, partial = 0;
    for (size_t i = 0; i < read.n; i++) {
        bool iterated = plan_has_iterated(read.at[i], 0), all = true;
        for (size_t k = 0; k < site->loops.n; k++)
            all &= cin_uses_var(read.at[i], site->loops.at[k]);
        sparse += iterated && read.at[i]->tensor->format->levels > 1;
        partial += iterated && !all;
    }
    return sparse > 1 && partial > 0;
}

/* Does a level of an operand in the site store a function of a variable? */
static bool has_maps(struct context *cx, const struct site *site)
{
    struct cin_list read = cin_operands(cx, site->root);
    for (size_t i = 0; i < read.n; i++)
        if (!format_is_plain(read.at[i]->tensor->format))
            return true;
    return false;
}

/* Is something computed in s, inside these loops, again for each value of a variable that it does
 * not depend on? */
static bool has_repeats(struct context *cx, const struct cin *s, struct var_list *around)
{
    const size_t outside = around->n;
    bool repeats = false;
    if (cin_is_expression(s) || s->kind == CIN_ASSIGN)
        return false;
    for (size_t i = 0; i < outside && s->kind == CIN_WHERE && !repeats; i++)
        repeats = s->arg[1]->kind != CIN_ASSIGN && !cin_uses_var(s->arg[1], around->at[i]);
    if (s->kind == CIN_FORALL)
        vec_push(cx->arena, around, s->index[0]);
    for (int i = 0; i < s->args && !repeats; i++)
        repeats = has_repeats(cx, s->arg[i], around);
    around->n = outside;
    return repeats;
}

bool plan_site_is_open(struct context *cx, const struct cin_program *program, size_t number)
{
    struct site_list sites = plan_sites(cx, program);
    if (number >= sites.n)
        return false;
    const struct site *site = &sites.at[number];
    struct var_list around = plan_loops(cx, program->statement, site->assign);
    around.n -= site->loops.n;
    bool assembles = site->assign->arg[0]->tensor != program->result || plan_assembles(cx, program);
    return site->loops.n > 0
           && (!assembles || site_conflicts(cx, program, site).n > 0 || is_contraction(cx, site)
               || has_maps(cx, site) || has_repeats(cx, site->root, &around));
}

bool plan_site_is_searched(struct context *cx, const struct cin_program *program, size_t number)
{
    struct site_list sites = plan_sites(cx, program);
    return plan_site_is_open(cx, program, number)
           || (number < sites.n && sites.at[number].loops.n > 0
               && plan_combines_at_random(cx, program) > 0);
}

/* Is it another statement, or are other loops of it pinned? */
static bool is_another(const struct cin_program *one, const struct cin_program *than)
{
    bool pinned = true;
    for (int i = 0; i < one->ordereds && pinned; i++) {
        pinned = false;
        for (int k = 0; k < than->ordereds && !pinned; k++)
            pinned = one->ordered[i] == than->ordered[k];
    }
    return !pinned || one->statement != than->statement;
}

/* Returns the draft that makes the site better, if it makes another program of it. */
static struct draft better_site(struct planner *planner, const struct cin_program *program,
                                size_t site, int depth)
{
    struct draft better = plan_site(planner, program, site, depth);
    return better.program && is_another(better.program, program) ? better : (struct draft){0};
}

struct draft plan_rounds(struct planner *planner, const struct cin_program *program, int depth)
{
    struct context *cx = planner->cx;
    struct draft draft = draft_new(cx, program);
    if (depth == DEPTH) {
        draft_reuse_sums(&draft);
        draft_share_functions(&draft, planner->symbols);
        draft_expand_terms(&draft, planner);
    }
    for (int round = 0; round < ROUNDS_MAX; round++) {
        struct draft ordered = draft_new(cx, draft.program), better = {0};
        draft_order(&ordered);
        struct site_list sites = plan_sites(cx, draft.program);
        if (depth == DEPTH) {
            planner->budget = BUDGET;
            planner->within = WITHIN;
            planner->before = &draft;
        }
        for (size_t site = 0; site < sites.n && !better.program && !arena_is_half_spent(cx->arena);
             site++)
            if (plan_site_is_searched(cx, ordered.program, site)
                || plan_has_factors(cx, &sites.at[site])
                || plan_has_collapsed(draft.program, &sites.at[site])
                || plan_repeats_functions(cx, draft.program, &sites.at[site]))
                better = better_site(planner, draft.program, site, depth);
        if (!better.program)
            break;
        draft_append(&draft, &better);
    }
    if (depth == DEPTH)
        draft_share_functions(&draft, planner->symbols);
    draft_order(&draft);
    if (depth == DEPTH) {
        draft_scatter_rows(&draft, planner->symbols);
        draft_call_blas(&draft, planner);
        draft_tile_loops(&draft, planner);
    }
    return draft;
}

struct draft plan_one(struct context *cx, const struct cin_program *program,
                      struct plan_report *report)
{
    struct text *reasons = report_reasons(cx, report);
    const size_t before = reasons ? reasons->n : 0;
    struct planner planner = {.cx = cx,
                              .symbols = plan_symbols(cx, program),
                              .given = program,
                              .reasons = reasons,
                              .report = report};
    struct draft draft = plan_rounds(&planner, program, DEPTH);
    draft_legalize(&draft, planner.symbols);
    if (reasons && reasons->n > before)
        cost_print_known(planner.symbols, reasons);
    return draft;
}
