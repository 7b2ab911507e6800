/* directives.c - schedules drawn at random, for the loops of a statement.
 *
 * Many are refused, for reasons of their own: what is not has to be right.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/lattice/access.h"
#include "tests/support/rng.h"
#include "tests/support/trial_parts.h"

struct loops {
    const char *name[CASE_VARS];
    int n;
};

static bool add_loop(const struct cin *cin, void *data)
{
    struct loops *loops = data;
    if (cin->kind == CIN_FORALL && loops->n < CASE_VARS)
        loops->name[loops->n++] = cin->index[0]->name;
    return false;
}

/* A directive about the sizes of a loop, mostly one that they keep to. */
static void add_bound(struct trial *t, struct rng *rng, struct text *schedule, struct loops *loops,
                      int a)
{
    static const char *const kinds[] = {"exact", "most", "multiple", "MaxExact", "MaxConstraint"};
    /* of a drawn case the variables have extents; of a fuzzer's they have any names */
    int var = strlen(loops->name[a]) == 1 ? case_var(loops->name[a]) : -1;
    int64_t size = var >= 0 && var < CASE_VARS ? t->test->extent[var] : 4;
    const char *bounded = arena_printf(t->cx->arena, "%s_b", loops->name[a]);
    size += rng_below(rng, 5) == 0;
    text_printf(schedule, "bound(%s,%s,%lld,%s)", loops->name[a], bounded,
                (long long)(size ? size : 1), kinds[rng_below(rng, 5)]);
    loops->name[a] = bounded;
}

/* Formats of a workspace over a loop, and over two. */
static const char *workspace_format(struct rng *rng, bool two)
{
    static const char *const rows[] = {"",          ", dense", ", dense", ", bitmap",
                                       ", bytemap", ", hash",  ", coo"};
    static const char *const tables[] = {
        "",
        ", dense",
        ", csr",
        ", (x,y)->(x:bytemap,y:dense)",
        ", (x,y)->(y:bytemap,x:bitmap)",
        ", (x,y)->(y/2:bytemap,x:dense,y%2:dense)",
        ", (x,y)->(x/2:bytemap,y/3:dense,x%2:dense,y%3:bitmap)",
    };
    return two ? tables[rng_below(rng, 7)] : rows[rng_below(rng, 7)];
}

/* A workspace for all that is assigned somewhere, over a loop, a part of it, or two loops. */
static void add_workspace(struct trial *t, struct rng *rng, struct text *schedule,
                          struct loops *loops, int a, int b)
{
    struct cin_list made = cin_assignments(t->cx, t->pipeline.concrete->statement);
    const char *loop = loops->name[a];
    if (rng_below(rng, 2)) {
        const char *way = rng_below(rng, 3) ? "down" : "up";
        text_printf(schedule, "split(%s,%s_0,%s_1,%s,%d); ", loop, loop, loop, way,
                    1 + rng_below(rng, 4));
        loop = loops->name[a] = arena_printf(t->cx->arena, "%s_%d", loop, rng_below(rng, 3) > 0);
    }
    text_add(schedule, "precompute(");
    cin_print(t->cx, schedule, made.at[rng_below(rng, (int)made.n)]->arg[1]);
    text_printf(schedule, ", w_%s, {%s,%s_c,%s_p}", loop, loop, loop, loop);
    bool two = a != b && rng_below(rng, 3) == 0;
    const char *other = loops->name[b];
    if (two)
        text_printf(schedule, ", {%s,%s_c,%s_p}", other, other, other);
    text_printf(schedule, "%s)", workspace_format(rng, two));
    if (rng_below(rng, 4) == 0)
        text_printf(schedule, "; sequence(w_%s)", loop);
    char side = rng_below(rng, 2) ? 'c' : 'p';
    loops->name[a] = arena_printf(t->cx->arena, "%s_%c", loop, side);
    if (two)
        loops->name[b] = arena_printf(t->cx->arena, "%s_%c", other, side);
}

/* A directive about one or two of the loops, which are named on if it makes others. */
static void add_directive(struct trial *t, struct rng *rng, struct text *schedule,
                          struct loops *loops)
{
    int a = rng_below(rng, loops->n),
        b = loops->n > 1 ? (a + 1 + rng_below(rng, loops->n - 1)) % loops->n : a;
    const char *first = loops->name[a], *second = loops->name[b];
    int kind = rng_below(rng, 10);
    text_add(schedule, schedule->n ? "; " : "");
    if (kind <= 1) {
        text_printf(schedule, "reorder(%s,%s)", first, second);
    } else if (kind == 2) {
        loops->name[a] = arena_printf(t->cx->arena, "%s_d", first);
        text_printf(schedule, "skew(%s,%s,%s)", first, second, loops->name[a]);
    } else if (kind == 3 && loops->n < CASE_VARS) {
        const char *outer = arena_printf(t->cx->arena, "%s_0", first),
                   *inner = arena_printf(t->cx->arena, "%s_1", first);
        text_printf(schedule, "split(%s,%s,%s,%s,%d)", first, outer, inner,
                    rng_below(rng, 2) ? "up" : "down", 1 + rng_below(rng, 4));
        loops->name[a] = outer;
        loops->name[loops->n++] = inner;
    } else if (kind == 4) {
        add_bound(t, rng, schedule, loops, a);
    } else if (kind == 5) {
        text_printf(schedule, "unroll(%s,%d)", first, 2 + rng_below(rng, 4));
    } else if (kind >= 8) {
        add_workspace(t, rng, schedule, loops, a, b);
    } else if (kind == 6) { /* of what is not innermost it is refused */
        text_printf(schedule, "vectorize(%s)", loops->name[loops->n - 1]);
    } else {
        text_printf(schedule, "reorder(%s,%s)", second, first);
    }
}

const char *trial_draw_schedule(struct trial *t, struct rng *rng)
{
    struct loops loops = {0};
    struct text schedule = text_new(t->cx->arena);
    cin_any(t->pipeline.concrete->statement, add_loop, &loops);
    if (loops.n < 1)
        return NULL;
    for (int directives = 1 + rng_below(rng, 3); directives > 0; directives--)
        add_directive(t, rng, &schedule, &loops);
    return schedule.at;
}

/* ---- parallel loops ---- */

/* Those that are in no other loop. */
static void add_outermost(const struct cin *cin, struct loops *loops)
{
    if (cin->kind == CIN_FORALL) {
        add_loop(cin, loops);
        return;
    }
    for (int i = 0; i < cin->args; i++)
        add_outermost(cin->arg[i], loops);
}

static void add_parallel(const struct trial *t, struct rng *rng, struct text *schedule,
                         const char *loop)
{
    static const char *const shares[] = {"", "", "", ", dynamic", ", static, ", ", dynamic, "};
    int share = rng_below(rng, 6), races = rng_below(rng, RACES_KINDS);
    text_printf(schedule, "%sparallelize(%s, cpu_thread, %s%s", schedule->n ? "; " : "", loop,
                cin_races_name((enum cin_races)races), shares[share]);
    if (share >= 4)
        text_printf(schedule, "%d", (share - 3) * trial_part_scale(t));
    text_add(schedule, ")");
}

int trial_part_scale(const struct trial *t)
{
    int64_t largest = 0;
    for (int i = 0; i < t->test->tensors; i++)
        for (int m = 0; m < t->test->tensor[i].order; m++)
            if (t->test->tensor[i].dimension[m] > largest)
                largest = t->test->tensor[i].dimension[m];
    return 1 + (int)(largest / 64);
}

const char *trial_draw_parallel(struct trial *t, struct rng *rng)
{
    struct loops loops = {0};
    struct text schedule = text_new(t->cx->arena);
    bool planned = rng_below(rng, 4) > 0, outermost = rng_below(rng, 3) > 0;
    const struct cin *statement = (planned ? t->pipeline.planned : t->pipeline.concrete)->statement;
    if (outermost)
        add_outermost(statement, &loops);
    else
        cin_any(statement, add_loop, &loops);
    if (loops.n < 1)
        return NULL;
    if (planned && *t->pipeline.plan)
        text_add(&schedule, t->pipeline.plan);
    if (!outermost || rng_below(rng, 2)) {
        add_parallel(t, rng, &schedule, loops.name[rng_below(rng, loops.n)]);
        return schedule.at;
    }
    for (int i = 0; i < loops.n; i++)
        add_parallel(t, rng, &schedule, loops.name[i]);
    return schedule.at;
}

/* Which units a nest of a GPU's loops has; the innermost may be warp_reduction. */
static const enum cin_unit units[][4] = {
    {UNIT_GPU_THREAD},
    {UNIT_GPU_THREAD},
    {UNIT_GPU_WARP, UNIT_GPU_THREAD},
    {UNIT_GPU_BLOCK, UNIT_GPU_THREAD},
    {UNIT_GPU_BLOCK, UNIT_GPU_WARP, UNIT_GPU_THREAD},
    {UNIT_GPU_BLOCK},
    {UNIT_GPU_WARP},
};

/* Those in the loop, from outside in. */
static void add_nest(const struct cin *cin, struct loops *loops)
{
    while (cin->kind == CIN_FORALL) {
        add_loop(cin, loops);
        cin = cin->arg[0];
    }
}

/* A loop of the nest is split for the team sometimes.  Races are handled in this way in half of the
 * nests. */
static void add_units(struct rng *rng, struct text *schedule, struct loops *loops,
                      enum cin_races usual)
{
    const enum cin_unit *unit = units[rng_below(rng, sizeof units / sizeof *units)];
    static const int lengths[] = {2, 4, 8, 16, 32, 64};
    bool as_usual = rng_below(rng, 2) > 0;
    for (int u = 0, at = 0; u < 3 && unit[u] != UNIT_CPU_THREAD && at < loops->n; u++, at++) {
        enum cin_races races = as_usual ? usual : (enum cin_races)rng_below(rng, RACES_KINDS);
        const char *loop = loops->name[at], *lanes = "";
        if (u > 0 && unit[u] == UNIT_GPU_THREAD) {
            at += rng_below(rng, loops->n - at);
            loop = loops->name[at];
            int length = lengths[rng_below(rng, 6)], how = rng_below(rng, 4);
            if (how > 1)
                text_printf(schedule, "%ssplit(%s, %s_team, %s_lane, down, %d)",
                            schedule->n ? "; " : "", loop, loop, loop, length);
            else if (how > 0)
                lanes = arena_printf(schedule->arena, ", %d", length);
            if (schedule->n
                && strstr(schedule->at, arena_printf(schedule->arena, "%s_lane,", loop)))
                loop = arena_printf(schedule->arena, "%s_lane", loop);
        }
        text_printf(schedule, "%sparallelize(%s, %s, %s%s)", schedule->n ? "; " : "", loop,
                    cin_unit_name(unit[u]), cin_races_name(races), lanes);
    }
}

const char *trial_draw_bins(struct trial *t, struct rng *rng, const char *plan)
{
    const char *bin = strstr(plan, "bin("), *comma = bin ? strchr(bin, ',') : NULL,
               *end = comma ? strchr(comma, ')') : NULL;
    int first = 1 + rng_below(rng, 4);
    return !end ? NULL
                : arena_printf(t->cx->arena, "%.*s, %d, %d%s", (int)(comma - plan), plan, first,
                               first + 1 + rng_below(rng, 6), end);
}

static bool is_accepted(struct trial *t, const char *schedule, struct pipeline *out)
{
    struct pipeline_request request = trial_request(t);
    size_t before = t->cx->diags.n;
    request.schedule = schedule;
    request.no_plan = true;
    bool accepted = pipeline_run(t->cx, &request, STAGE_IMPERATIVE, out);
    t->cx->diags.n = before;
    return accepted;
}

const char *trial_parallel_plan(struct trial *t)
{
    static const enum cin_races races[] = {RACES_NONE, RACES_TEMPORARY};
    const struct cin_program *planned = t->pipeline.planned;
    const char *schedule = t->pipeline.plan;
    struct loops loops = {0};
    struct pipeline parallel;
    add_outermost(planned->statement, &loops);
    for (int i = 0; i < loops.n; i++)
        for (int r = 0; r < 2; r++) {
            const char *with =
                arena_printf(t->cx->arena, "%s%sparallelize(%s, cpu_thread, %s)", schedule,
                             *schedule ? "; " : "", loops.name[i], cin_races_name(races[r]));
            if (is_accepted(t, with, &parallel)) {
                schedule = with;
                break;
            }
        }
    return schedule;
}

/* ---- collapsed loops and positions ---- */

/* One loop for the one of this number and the next. */
static void add_collapse(struct trial *t, struct rng *rng, struct text *schedule,
                         struct loops *loops, int a)
{
    const char *all = arena_printf(t->cx->arena, "%s_f", loops->name[a]);
    text_printf(schedule, "%scollapse(%s,%s,%s)", schedule->n ? "; " : "", loops->name[a],
                loops->name[a + 1], all);
    loops->name[a] = all;
    loops->n--;
    memmove(&loops->name[a + 1], &loops->name[a + 2],
            sizeof *loops->name * (size_t)(loops->n - a - 1));
    if (a + 1 < loops->n && rng_below(rng, 3) == 0)
        add_collapse(t, rng, schedule, loops, a);
}

static void add_position(struct trial *t, struct rng *rng, struct text *schedule,
                         struct loops *loops, int a)
{
    struct cin_list read = cin_operands(t->cx, t->pipeline.concrete->statement);
    const char *at = arena_printf(t->cx->arena, "%s_at", loops->name[a]);
    if (!read.n)
        return;
    text_printf(schedule, "%spos(%s,%s,", schedule->n ? "; " : "", loops->name[a], at);
    cin_print(t->cx, schedule, read.at[rng_below(rng, (int)read.n)]);
    text_add(schedule, ")");
    loops->name[a] = at;
}

static void add_split(struct trial *t, struct rng *rng, struct text *schedule, struct loops *loops,
                      int a)
{
    const char *whole = loops->name[a], *outer = arena_printf(t->cx->arena, "%s_0", whole),
               *inner = arena_printf(t->cx->arena, "%s_1", whole);
    if (loops->n == CASE_VARS)
        return;
    size_t n = strlen(whole);
    bool work = n > 3 && !strcmp(whole + n - 3, "_at") && rng_below(rng, 2);
    text_printf(schedule, "%ssplit(%s,%s,%s,%s,%d)", schedule->n ? "; " : "", whole, outer, inner,
                work ? "work" : (rng_below(rng, 2) ? "up" : "down"), 1 + work + rng_below(rng, 4));
    memmove(&loops->name[a + 2], &loops->name[a + 1],
            sizeof *loops->name * (size_t)(loops->n++ - a - 1));
    loops->name[a] = outer;
    loops->name[a + 1] = inner;
    if (rng_below(rng, 3) == 0)
        add_split(t, rng, schedule, loops, a + rng_below(rng, 2));
}

const char *trial_draw_positions(struct trial *t, struct rng *rng, bool positions)
{
    struct loops loops = {0};
    struct text schedule = text_new(t->cx->arena);
    cin_any(t->pipeline.concrete->statement, add_loop, &loops);
    if (loops.n < 1)
        return NULL;
    int a = rng_below(rng, loops.n);
    if (rng_below(rng, 6) == 0)
        add_split(t, rng, &schedule, &loops, a);
    if (a + 1 < loops.n && rng_below(rng, 2))
        add_collapse(t, rng, &schedule, &loops, a);
    if (positions)
        add_position(t, rng, &schedule, &loops, a);
    if (rng_below(rng, 2))
        add_split(t, rng, &schedule, &loops, a);
    if (a + 1 < loops.n && rng_below(rng, 6) == 0)
        add_collapse(t, rng, &schedule, &loops, a);
    for (int more = rng_below(rng, 3); more > 0; more--)
        add_directive(t, rng, &schedule, &loops);
    return schedule.at;
}

/* ---- launches ---- */

/* Take the loop out of the nest. */
static bool take_loop(struct loops *loops, const char *name)
{
    for (int i = 0; i < loops->n; i++)
        if (strcmp(loops->name[i], name) == 0) {
            memmove(&loops->name[i], &loops->name[i + 1],
                    sizeof *loops->name * (size_t)(loops->n-- - i - 1));
            return true;
        }
    return false;
}

/* What is inside of the first two loops goes between them, as columns do: a part of that is a
 * team's, sometimes. */
static void add_columns(struct rng *rng, struct text *schedule, struct loops *nest)
{
    const char *last = nest->name[1], *column = nest->name[2];
    if (rng_below(rng, 2) && nest->n < CASE_VARS) {
        nest->name[nest->n++] = arena_printf(schedule->arena, "%s_o", column);
        nest->name[2] = arena_printf(schedule->arena, "%s_i", column);
        text_printf(schedule, "; split(%s,%s_o,%s_i,down,%d)", column, column, column,
                    2 << rng_below(rng, 3));
    }
    memmove(&nest->name[1], &nest->name[2], sizeof *nest->name * (size_t)(nest->n - 2));
    nest->name[nest->n - 1] = last;
    text_printf(schedule, "; reorder(");
    for (int i = 0; i < nest->n; i++)
        text_printf(schedule, "%s%s", i ? "," : "", nest->name[i]);
    text_add(schedule, ")");
}

/* Entries of an operand are shared out, those of all its levels in one loop. */
static const char *draw_entries(struct trial *t, struct rng *rng)
{
    struct cin_list read = cin_operands(t->cx, t->pipeline.concrete->statement);
    struct loops nest = {0};
    struct text schedule = text_new(t->cx->arena);
    const struct cin *access = read.n ? read.at[rng_below(rng, (int)read.n)] : NULL;
    const char *all = NULL;
    add_nest(t->pipeline.concrete->statement, &nest);
    if (!access || access->indices < 1 || access->tensor->format->levels != access->indices)
        return NULL;
    for (int level = 0; level < access->indices; level++)
        text_printf(&schedule, "%s%s", level ? "," : "reorder(",
                    access_level_var(access, level)->name);
    text_add(&schedule, ")");
    if (access->indices == 1)
        schedule = text_new(t->cx->arena);
    for (int level = 0; level < access->indices; level++) {
        const char *name = access_level_var(access, level)->name, *one = all;
        all = one ? arena_printf(t->cx->arena, "%s_%s", one, name) : name;
        if (!take_loop(&nest, name))
            return NULL;
        if (one)
            text_printf(&schedule, "; collapse(%s,%s,%s)", one, name, all);
    }
    memmove(&nest.name[1], &nest.name[0], sizeof *nest.name * (size_t)nest.n++);
    nest.name[0] = all;
    text_printf(&schedule, "%spos(%s,%s_at,", schedule.n ? "; " : "", all, all);
    cin_print(t->cx, &schedule, access);
    text_add(&schedule, ")");
    nest.name[0] = arena_printf(t->cx->arena, "%s_at", all);
    if (rng_below(rng, 2))
        add_split(t, rng, &schedule, &nest, 0);
    if (nest.n > 2 && rng_below(rng, 2))
        add_columns(rng, &schedule, &nest);
    add_units(rng, &schedule, &nest, RACES_TEMPORARY);
    return schedule.at;
}

const char *trial_draw_launch(struct trial *t, struct rng *rng)
{
    struct loops nest = {0};
    struct text schedule = text_new(t->cx->arena);
    if (rng_below(rng, 3) == 0)
        return draw_entries(t, rng);
    bool planned = rng_below(rng, 4) > 0;
    const struct cin *statement = (planned ? t->pipeline.planned : t->pipeline.concrete)->statement;
    while (statement->kind == CIN_WHERE || statement->kind == CIN_SEQUENCE
           || statement->kind == CIN_MULTI)
        statement = statement->arg[rng_below(rng, 2)];
    add_nest(statement, &nest);
    if (nest.n < 1)
        return NULL;
    if (planned && *t->pipeline.plan)
        text_add(&schedule, t->pipeline.plan);
    add_units(rng, &schedule, &nest, RACES_NONE);
    return schedule.at;
}
