/* report.c - what the planner tells of what it weighed, if somebody asks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

struct text *report_reasons(struct context *cx, struct plan_report *report)
{
    if (report && !report->reasons.at)
        report->reasons = text_new(cx->arena);
    return report ? &report->reasons : NULL;
}

void report_add(struct plan_report *report, const struct draft *whole, double cost)
{
    if (report)
        vec_push(whole->cx->arena, &report->alternative,
                 ((struct plan_alternative){draft_print(whole), cost, whole->program}));
}

void report_behind(struct planner *planner, const struct draft *before, const struct draft *draft,
                   double cost)
{
    struct draft whole = draft_copy(before);
    draft_append(&whole, draft);
    report_add(planner->report, &whole, cost);
}

void report_site(struct planner *planner, const struct site *site)
{
    text_add(planner->reasons, "  ");
    cin_print(planner->cx, planner->reasons, site->root);
    text_add(planner->reasons, "\n");
}

void report_way(struct text *reasons, bool taken, double cost, const char *way)
{
    text_add(reasons, taken ? "  * " : "    ");
    if (isinf(cost))
        text_add(reasons, "  cannot");
    else
        text_printf(reasons, "%8.1e", cost);
    text_printf(reasons, "  %s", *way ? way : "as it is");
}
