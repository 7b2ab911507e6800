/* weigh.c - programs compared that compute the same from other operands: of a tensor that is stored
 * several times, one is read.
 *
 * The cheaper plan counts.  Of two that take about the same steps, as they do where a tensor has as
 * many coordinates in another order, it is that whose loops threads share without combining what
 * each of them has.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/plan/planner.h"

static int count_combined(const struct cin_program *program)
{
    int n = 0;
    for (int t = 0; t < program->tags; t++)
        n += program->tag[t].kind == TAG_PARALLEL && program->tag[t].races != RACES_NONE;
    return n;
}

struct plan_weight plan_weigh(struct context *cx, const struct cin_program *program)
{
    struct plan_report report = {0};
    struct plan_alternative best;
    struct plan_weight weight = {INFINITY, 0};
    const struct cin_program *planned = plan_program(cx, program, &report).program;
    if (!planned || !plan_best(cx, program, &report, 1, &best, 1))
        return weight;
    weight.cost = best.cost;
    weight.combined =
        count_combined(plan_parallel(cx, planned).program) + plan_serial_results(cx, planned);
    return weight;
}

bool plan_weighs_less(struct plan_weight a, struct plan_weight than)
{
    if (plan_is_less(a.cost, than.cost) || plan_is_less(than.cost, a.cost))
        return a.cost < than.cost;
    return a.combined < than.combined;
}
