/* search.c - the alternatives at a site, each weighed.
 *
 * The loops of a site can follow any of the accesses that conflict.  In each such order the other
 * accesses are either searched, or converted into lists in that order.  If the components of the
 * result do not come in the order in which it is assembled, a workspace takes them first.  Its
 * modes are the result's but for those of the outermost loops: none, a row (Gustavson 1978), or
 * all, in a list.  A row of very many columns may also be a hash table or a list.  A scalar
 * temporary can be expanded over any number of its innermost loops, so that its producer's loops
 * need not follow the consumer's order.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* What bounds the search: each subset of this many accesses that may be converted; alternatives
 * within one, so that whichever comes first leaves something to the others; how many alternatives
 * explain shows. */
enum { CONVERTED_MAX = 3, WITHIN_ONE = 40, SHOWN_MAX = 6 };

struct site search_site(struct site_search *s, const struct draft *draft)
{
    struct site_list sites = {0};
    if (draft->program)
        sites = plan_sites(s->cx, draft->program);
    for (size_t i = 0; i < sites.n; i++)
        if (sites.at[i].assign->arg[0] == s->site->assign->arg[0])
            return sites.at[i];
    return (struct site){0};
}

/* ---- weighing ---- */

static bool count_where(const struct cin *cin, void *number)
{
    *(int *)number += cin->kind == CIN_WHERE;
    return false;
}

/* Returns how many arguments the directives have, which a reader has to read. */
static size_t length(const struct draft *draft)
{
    size_t n = 0;
    for (size_t i = 0; i < draft->calls.n; i++)
        n += (size_t)draft->calls.at[i]->arguments;
    return n;
}

/* Is the first of two drafts that cost about the same simpler: has it fewer workspaces, or is it
 * shorter? */
static bool is_simpler(const struct weighed *one, const struct weighed *than)
{
    int wheres = 0, others = 0;
    cin_any(one->done.program->statement, count_where, &wheres);
    cin_any(than->done.program->statement, count_where, &others);
    return wheres != others ? wheres < others : length(&one->draft) < length(&than->draft);
}

/* Does a weighed alternative cost less than this, whatever the sizes are? */
static bool is_beaten(const struct site_search *s, struct cost cost)
{
    for (size_t i = 0; i < s->weighed.n; i++)
        if (cost_is_below(s->planner->symbols, s->weighed.at[i].cost, cost))
            return true;
    return false;
}

/* Plans the sites of an alternative. */
static struct draft go_on(struct site_search *s, const struct cin_program *program)
{
    struct planner *p = s->planner;
    const int budget = p->budget, most = p->within < WITHIN_ONE ? p->within : WITHIN_ONE;
    p->budget = most;
    struct draft done = plan_rounds(p, program, s->depth - 1);
    p->within -= most - p->budget;
    p->budget = budget;
    return done;
}

void search_weigh(struct site_search *s, const struct draft *draft, bool goes_on)
{
    bool is_whole;
    const bool on = goes_on && s->depth > 0 && s->planner->within > 0;
    if (!draft->program || s->planner->budget <= 0 || arena_is_half_spent(s->cx->arena))
        return;
    s->planner->budget--;
    struct draft done = on ? go_on(s, draft->program) : draft_new(s->cx, draft->program);
    draft_order(&done);
    struct cost cost = plan_cost(s->planner->symbols, done.program, &is_whole);
    if (!is_whole)
        cost = draft_legalized_cost(&done, s->planner->symbols);
    vec_push(s->cx->arena, &s->weighed, ((struct weighed){*draft, done, cost, NULL}));
}

/* Returns the alternative to take: the cheapest by numbers of those that no other beats, and of
 * those that cost the same the simplest.  The site stays as it is unless that is beaten, or clearly
 * dearer. */
static const struct weighed *choose(struct site_search *s)
{
    const struct weighed *start = &s->weighed.at[0], *best = NULL;
    double least = 0;
    plan_leave_out_unshared(s);
    /* else it was legalized, and is an alternative like the others */
    bool stays = start->draft.program == start->done.program;
    for (size_t i = stays; i < s->weighed.n; i++) {
        const struct weighed *w = &s->weighed.at[i];
        double value = cost_value(w->cost);
        bool better =
            !best || value < least || (!plan_is_less(least, value) && is_simpler(w, best));
        if (w->cost.impossible || !better || is_beaten(s, w->cost))
            continue;
        best = w;
        least = value;
    }
    if (best
        && (!stays || start->cost.impossible || is_beaten(s, start->cost)
            || plan_is_clearly_less(least, cost_value(start->cost))))
        return best;
    return start;
}

bool search_needs_order(const struct site_search *s, const struct var_list *modes)
{
    const struct cin *target = s->site->assign->arg[0];
    bool enters = !target->tensor->temporary && format_assembled(target->tensor->format) > 0;
    return modes->n != 1 || (enters && cin_uses_var(target, modes->at[0]));
}

/* ---- conversions and workspaces ---- */

/* Returns a format with these modes that finds rows in O(1), or components if there is one mode. */
static const struct format *rows_of(const struct site_search *s, const struct var_list *modes)
{
    if (modes->n > 1)
        return plan_rows(s->cx, modes->n);
    return plan_is_wide(s->cx, modes->at[0]) && !search_needs_order(s, modes)
               ? plan_table(s->cx)
               : plan_listed(s->cx, true);
}

/* Adds the variable, or the loops over its parts in their order. */
static void add_parts(const struct site_search *s, const struct cin_program *program,
                      const struct var_list *loops, const struct index_var *var,
                      struct var_list *parts)
{
    const struct cin_relation *split = var_list_has(loops, var) ? NULL : cin_split(program, var);
    for (int i = 0; i < 2 && split; i++)
        add_parts(s, program, loops, split->child[i], parts);
    if (!split)
        vec_push(s->cx->arena, parts, var);
}

/* Returns the loops over what the operand's levels store from that of the conflict on. */
static struct var_list conflict_modes(const struct site_search *s, const struct conflict *conflict)
{
    struct var_list stored = plan_storage_order(s->cx, conflict->access), below = {0};
    size_t above = 0;
    for (int level = 0; level < conflict->level && above < stored.n; level++)
        above += access_level_var(conflict->access, level) == stored.at[above];
    for (size_t i = above; i < stored.n; i++)
        add_parts(s, s->program, &s->site->loops, stored.at[i], &below);
    return below;
}

/* Copies the access from the conflict's level on, into rows or into a list. */
static void convert(struct site_search *s, struct draft *draft, const struct conflict *conflict,
                    const struct var_list *order, bool rows)
{
    if (!draft->program)
        return;
    const struct cin *access = conflict->access;
    struct cin_list made = cin_assignments(s->cx, s->site->root);
    struct var_list stored = conflict_modes(s, conflict),
                    modes = var_list_common(s->cx, order, &stored);
    for (size_t i = 0; i < made.n && modes.n < stored.n; i++) {
        struct var_list loops = plan_loops(s->cx, s->site->root, made.at[i]);
        for (size_t k = 0; k < loops.n && cin_contains(made.at[i]->arg[1], access); k++)
            if (var_list_has(&stored, loops.at[k]) && !var_list_has(&modes, loops.at[k]))
                vec_push(s->cx->arena, &modes, loops.at[k]);
    }
    if (modes.n == stored.n && modes.n > 0)
        draft_precompute(draft, access, &modes,
                         rows ? rows_of(s, &modes) : plan_list(s->cx, modes.n));
}

/* Does the operand store functions of the loops' variables?  A result that is revised in place is
 * no operand. */
static bool is_mapped(const struct site_search *s, const struct cin *root, const struct cin *access)
{
    return !access->tensor->temporary && !cin_assigns(root, access->tensor)
           && !format_is_plain(access->tensor->format) && plan_is_mapped(access, &s->site->loops);
}

static bool has_mapped(const struct site_search *s)
{
    struct cin_list read = cin_operands(s->cx, s->site->root);
    for (size_t i = 0; i < read.n; i++)
        if (is_mapped(s, s->site->root, read.at[i]))
            return true;
    return false;
}

/* Converts the operands that are mapped, except those that store the same as the operand that the
 * loops follow. */
static void convert_mapped(struct site_search *s, struct draft *draft, const struct cin *followed)
{
    struct site site = search_site(s, draft);
    if (!draft->program || !site.root)
        return;
    struct cin_list read = cin_operands(s->cx, site.root);
    for (size_t i = 0; i < read.n && draft->program; i++)
        if (is_mapped(s, site.root, read.at[i])
            && !(followed && access_is_like(read.at[i], followed)))
            draft_convert(draft, read.at[i]);
}

/* Returns how many of the loops come first in the list, too. */
static size_t common_prefix(const struct var_list *loops, const struct var_list *list)
{
    size_t n = 0;
    while (n < loops->n && n < list->n && loops->at[n] == list->at[n])
        n++;
    return n;
}

/* Returns the loops over what the result stores, in the order of its levels. */
static struct var_list result_loops(const struct site_search *s, const struct draft *draft,
                                    const struct site *site)
{
    struct var_list stored = plan_storage_order(s->cx, site->assign->arg[0]), loops = {0};
    for (size_t i = 0; i < stored.n; i++)
        add_parts(s, draft->program, &site->loops, stored.at[i], &loops);
    return loops;
}

/* What a row is computed into; or all rows are, into a list, which a GPU makes and sorts. */
enum row { ROW_LISTED, ROW_LIST, ROW_TABLE, ROW_DENSE, ROW_ALL, ROWS };

/* Is that for such a row of such a machine? */
static bool is_tried(const struct site_search *s, enum row row, bool wide)
{
    bool is_gpu = row == ROW_DENSE || row == ROW_ALL;
    return row == ROW_LISTED || (s->cx->cuda ? is_gpu : wide && !is_gpu);
}

static const struct format *row_format(struct context *cx, enum row row, bool ordered)
{
    return row == ROW_LIST    ? plan_list(cx, 1)
           : row == ROW_TABLE ? plan_table(cx)
           : row == ROW_DENSE ? plan_dense(cx, 1)
                              : plan_row(cx, ordered);
}

/* Puts a row of blocks into a workspace, if the loops allow that. */
static void gather_blocks(struct draft *draft, const struct site *site)
{
    struct draft blocks = draft_copy(draft);
    if (draft_gather_blocks(&blocks, site))
        *draft = blocks;
}

/* Computes the result's components into a workspace, and copies them from there in the order of the
 * result's levels.  Returns whether the workspace is a row of very many columns. */
static bool gather_row(struct site_search *s, struct draft *draft, enum row row)
{
    struct site site = search_site(s, draft);
    if (!draft->program || !site.assign || site.assign->arg[0]->tensor != draft->program->result
        || plan_assembles(s->cx, draft->program))
        return false;
    struct context *cx = s->cx;
    const struct format *format = draft->program->result->format;
    if (!format_is_plain(format)) {
        gather_blocks(draft, &site);
        return false;
    }
    struct var_list modes = result_loops(s, draft, &site);
    size_t first = format_is_inserted(format) ? 0 : common_prefix(&site.loops, &modes);
    const struct schedule_call *collect = (first == 0 || row == ROW_ALL) && modes.n > 1
                                              ? schedule_collecting(cx, draft->program)
                                              : NULL;
    if (collect) {
        draft_add(draft, collect);
        return false;
    }
    modes.at += first;
    modes.n -= first;
    bool ordered = modes.n == 1 && level_has(&format->level[format->levels - 1], LEVEL_ORDERED);
    bool is_row = modes.n == 1 && !format_is_inserted(format);
    draft_precompute(draft, site.assign->arg[1], &modes,
                     is_row ? row_format(cx, row, ordered) : plan_list(cx, modes.n));
    /* a list of what is in the table, to be sorted */
    if (draft->program && is_row && ordered && row == ROW_TABLE) {
        site = search_site(s, draft);
        draft_precompute(draft, site.assign->arg[1], &modes, plan_list(cx, modes.n));
    }
    struct var_list loops = var_list_common(cx, &site.loops, &modes);
    if (!var_list_equal(&loops, &modes))
        draft_add(draft, plan_reorder(cx, &modes));
    return is_row && plan_is_wide(s->cx, modes.at[0]);
}

/* ---- orders ---- */

/* Which of the accesses that an order conflicts with are converted, and into what.  One whose copy
 * the outermost loop goes through becomes rows or a list.  The others become rows, because each
 * iteration of the loops around would search a list from its root. */
struct conversion {
    const struct var_list *order;
    const struct conflict_list *conflicts;
    int some;
    bool rows, mapped; /* mapped: also those that store functions of the loops' variables */
};

/* Returns how many conflicts are decided each by itself; the others are converted if all of these
 * are. */
static int conversion_choices(const struct conflict_list *conflicts)
{
    return conflicts->n > CONVERTED_MAX ? CONVERTED_MAX : (int)conflicts->n;
}

static bool is_converted(const struct conversion *c, size_t conflict)
{
    return conflict < CONVERTED_MAX ? c->some >> conflict & 1
                                    : c->some == (1 << conversion_choices(c->conflicts)) - 1;
}

static bool can_be_list(const struct site_search *s, const struct conversion *c, size_t conflict)
{
    struct var_list stored = conflict_modes(s, &c->conflicts->at[conflict]);
    return var_list_has(&stored, c->order->at[0]);
}

/* Could something be a list that is converted? */
static bool has_list(const struct site_search *s, const struct conversion *c)
{
    bool has = false;
    for (size_t i = 0; i < c->conflicts->n; i++)
        has |= is_converted(c, i) && can_be_list(s, c, i);
    return has;
}

static struct draft convert_some(struct site_search *s, const struct conversion *c,
                                 const struct schedule_call *reorder)
{
    struct draft draft = draft_new(s->cx, s->program);
    for (int below = 0; below < 2; below++) {
        for (size_t i = 0; i < c->conflicts->n; i++)
            if (is_converted(c, i) && below == (c->conflicts->at[i].level > 0))
                convert(s, &draft, &c->conflicts->at[i], c->order,
                        c->rows || !can_be_list(s, c, i));
        /* a copy inside some of the loops is made in the loops that there will be */
        draft_add(&draft, below ? NULL : reorder);
    }
    if (c->mapped)
        convert_mapped(s, &draft, NULL);
    return draft;
}

/* Tries the site's loops in this order, with each choice between conversion and search. */
static void try_order(struct site_search *s, const struct var_list *order)
{
    struct context *cx = s->cx;
    struct draft ordered = draft_new(cx, s->program);
    bool same = var_list_equal(order, &s->site->loops);
    struct var_list run = {order->at + s->site->fixed, order->n - s->site->fixed,
                           order->n - s->site->fixed};
    const struct schedule_call *reorder =
        run.n > 1 && (!same || s->reorders) ? plan_reorder(cx, &run) : NULL;
    draft_add(&ordered, reorder);
    if (!ordered.program)
        return;
    struct site site = search_site(s, &ordered);
    struct conflict_list conflicts = site_conflicts(cx, ordered.program, &site);
    bool mapped = has_mapped(s);
    for (int choice = 0; choice < 4 << conversion_choices(&conflicts); choice++) {
        struct conversion conversion = {order, &conflicts, choice >> 2, choice & 1, choice & 2};
        if (conversion.mapped > mapped) /* there are none */
            continue;
        if (conversion.rows && !has_list(s, &conversion))
            continue;
        bool wide = true;
        for (enum row row = 0; row < ROWS; row++) {
            if (!is_tried(s, row, wide))
                continue;
            struct draft draft = convert_some(s, &conversion, reorder);
            wide = gather_row(s, &draft, row);
            if (draft.calls.n)
                search_weigh(s, &draft, false);
        }
    }
}

/* Tries to follow each access whose levels store functions of the loops' variables: with loops in
 * the order of its levels and, if a result is appended to in order, with the parts of each variable
 * together. */
static void try_maps(struct site_search *s)
{
    const struct cin *result = s->site->assign->arg[0];
    struct cin_list read = cin_operands(s->cx, s->site->assign);
    vec_push(s->cx->arena, &read, result);
    size_t orders = search_constrains(result, true) ? 2 : 1;
    for (size_t i = 0; i < orders * read.n && !plan_is_ordered(s->program, &s->site->loops); i++) {
        const struct cin *access = read.at[i / orders];
        struct draft draft = draft_new(s->cx, s->program);
        if (!plan_is_mapped(access, &s->site->loops)
            || !draft_follow(&draft, access, &s->site->loops, i % orders == 0))
            continue;
        convert_mapped(s, &draft, access);
        search_weigh(s, &draft, true);
    }
}

/* Tries to follow all accesses, where several store functions of the loops' variables. */
static void try_all_maps(struct site_search *s)
{
    struct cin_list read = cin_operands(s->cx, s->site->assign);
    vec_push(s->cx->arena, &read, s->site->assign->arg[0]);
    struct draft draft = draft_new(s->cx, s->program);
    int mapped = 0;
    for (size_t i = 0; i < read.n; i++)
        mapped += plan_is_mapped(read.at[i], &s->site->loops);
    if (mapped > 1 && !plan_is_ordered(s->program, &s->site->loops)
        && draft_follow_all(&draft, &read, &s->site->loops))
        search_weigh(s, &draft, true);
}

/* Tries a workspace for rows of the result's blocks, where operands store functions of the loops'
 * variables, too: loops that follow these are found inside. */
static void try_blocks(struct site_search *s)
{
    struct draft draft = draft_new(s->cx, s->program);
    const struct tensor_var *to = s->site->assign->arg[0]->tensor;
    if (has_mapped(s) && to == s->program->result && !plan_assembles(s->cx, s->program)
        && draft_gather_blocks(&draft, s->site))
        search_weigh(s, &draft, true);
}

/* Returns the weighed draft with the directives that complete it: planning on from the draft alone
 * might lead elsewhere. */
static struct draft weighed_whole(const struct weighed *weighed)
{
    struct draft whole = draft_copy(&weighed->draft);
    draft_append(&whole, &weighed->done);
    return whole;
}

/* ---- a site ---- */

struct listed {
    const struct weighed *weighed;
    bool chosen, beaten;
    double value;
    const char *text;
};

/* Orders the alternatives: the one taken, those that no other beats, those that others beat, the
 * impossible; each group by numbers. */
static int cheaper_first(const void *a, const void *b)
{
    const struct listed *p = a, *q = b;
    int order[] = {q->chosen - p->chosen, p->weighed->cost.impossible - q->weighed->cost.impossible,
                   p->beaten - q->beaten, (p->value > q->value) - (p->value < q->value)};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i])
            return order[i];
    return strcmp(p->text, q->text);
}

/* Reports each alternative as a whole schedule. */
static void report_alternatives(const struct site_search *s)
{
    for (size_t i = 0; i < s->weighed.n; i++) {
        const struct draft with = weighed_whole(&s->weighed.at[i]);
        report_behind(s->planner, s->planner->before, &with, plan_value(s->weighed.at[i].cost));
    }
}

/* Reports the cheapest alternatives as text. */
static void give_reasons(struct site_search *s, const struct weighed *chosen)
{
    struct text *out = s->planner->reasons;
    if (!out || s->depth == 0)
        return;
    report_alternatives(s);
    report_site(s->planner, s->site);
    struct listed *list = arena_array(s->cx->arena, struct listed, s->weighed.n);
    for (size_t i = 0; i < s->weighed.n; i++) {
        const struct weighed *w = &s->weighed.at[i];
        list[i] = (struct listed){w, w == chosen, is_beaten(s, w->cost), cost_value(w->cost),
                                  draft_print(&w->draft)};
    }
    qsort(list, s->weighed.n, sizeof *list, cheaper_first);
    for (size_t i = 0; i < s->weighed.n && i < SHOWN_MAX; i++) {
        if (list[i].weighed->cost.impossible) {
            report_way(out, list[i].chosen, INFINITY, list[i].text);
        } else {
            report_way(out, list[i].chosen, list[i].value, list[i].text);
            cost_print(s->planner->symbols, out, list[i].weighed->cost);
        }
        text_add(out, "\n");
    }
    if (chosen->steps)
        text_printf(out, "  its steps:\n%s", chosen->steps);
}

/* Moves the first alternatives, this many behind the site as it is, behind the others. */
static void move_to_end(struct site_search *s, size_t n)
{
    struct weighed *first = s->weighed.at + 1,
                   *copy = arena_copy(s->cx->arena, first, n * sizeof *first);
    size_t others = s->weighed.n - 1 - n;
    memmove(first, first + n, others * sizeof *first);
    memcpy(first + others, copy, n * sizeof *first);
}

struct draft plan_site(struct planner *planner, const struct cin_program *program, size_t number,
                       int depth)
{
    struct site_list sites = plan_sites(planner->cx, program);
    struct site_search s = {.planner = planner,
                            .cx = planner->cx,
                            .program = program,
                            .site = &sites.at[number],
                            .depth = depth};
    struct draft as_it_is = draft_new(planner->cx, program);
    draft_order(&as_it_is);
    s.reorders = as_it_is.calls.n > 0;
    struct draft done = draft_new(s.cx, as_it_is.program);
    struct cost start = draft_legalized_cost(&done, planner->symbols);
    vec_push(s.cx->arena, &s.weighed, ((struct weighed){as_it_is, done, start, NULL}));
    search_whole_product(&s); /* while there is a budget: it may be better by an order */
    const size_t whole = s.weighed.n - 1;
    if (plan_site_is_searched(planner->cx, as_it_is.program, number)) {
        try_maps(&s);
        try_all_maps(&s);
        try_blocks(&s);
        struct order_list orders = search_orders(&s);
        for (size_t i = 0; i < orders.n; i++)
            try_order(&s, &orders.at[i]);
        search_expansions(&s);
    }
    search_pairs(&s);
    search_functions(&s);
    search_positions(&s);
    move_to_end(&s, whole); /* of those that cost the same it is the last */
    const struct weighed *chosen = choose(&s);
    give_reasons(&s, chosen);
    return chosen == s.weighed.at ? (struct draft){0} : weighed_whole(chosen);
}
