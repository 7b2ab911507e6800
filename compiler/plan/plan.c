/* plan.c - the planner: which directives complete a program.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

struct plan_result plan_program(struct context *cx, const struct cin_program *program,
                                struct plan_report *report)
{
    struct draft draft =
        program->others ? plan_several(cx, program, report) : plan_one(cx, program, report);
    struct plan_result plan = {draft_print(&draft), draft.program, 0, NULL};
    if (report) {
        report->taken = plan.schedule;
        report->program = plan.program;
    }
    return plan;
}
