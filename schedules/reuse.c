/* reuse.c - reuse(w2, w): reads of the workspace w2 become reads of w, which has the same
 * contents, and w2 is no longer computed.
 *
 *     before    ((forall(i) forall(m) forall(k) C(i,m) += w(i,k) * w2(k,m)
 *                 where forall(kp) forall(l) forall(mp) w2(kp,mp) += A(kp,l) * A(l,mp))
 *                where forall(ip) forall(j) forall(kp2) w(ip,kp2) += A(ip,j) * A(j,kp2))
 *     after     (forall(i) forall(m) forall(k) C(i,m) += w(i,k) * w(k,m)
 *                where forall(ip) forall(j) forall(kp2) w(ip,kp2) += A(ip,j) * A(j,kp2))
 *                                                                                  reuse(w2, w)
 *     before    forall(i) ((forall(j) y(i,j) = w2(j) / t where forall(jp) w2(jp) = exp(H(i,jp)))
 *                          where (forall(l) t += w(l) where forall(lp) w(lp) = exp(H(i,lp))))
 *     after     forall(i) ((forall(j) y(i,j) = w(j) / t where forall(l) t += w(l))
 *                          where forall(lp) w(lp) = exp(H(i,lp)))                  reuse(w2, w)
 *
 * Both workspaces are computed by loops around one assignment.  The two nests are equal but for
 * the names of loop variables, the order of commutative operators' operands, and perhaps the order
 * of the workspaces' modes; reads of w use w's order.  If w is not available at every read of w2,
 * it is computed around both.
 *
 * Preconditions: the workspaces have the same type and fill.  No directive has changed their
 * loops, each of which is over a mode of an operand.  They read no result.  And w is available
 * where w2 is read, or can be: every loop variable and workspace that it needs is available around
 * both.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/alike.h"

struct reuse {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct cin *where[2];  /* that make w2 and w */
    const struct cin *assign[2]; /* in nests of loops */
    const struct tensor_var *w[2];
    int *mode;                /* of w2, for each mode of w */
    const struct cin *around; /* w is computed around this statement; NULL: it stays */
};

/* ---- the workspaces ---- */

struct where_search {
    const char *name;
    const struct cin *found, *assign;
};

static bool find_where(const struct cin *cin, void *data)
{
    struct where_search *s = data;
    const struct cin *assign = cin->kind == CIN_WHERE ? alike_assignment(cin->arg[1]) : NULL;
    if (!assign || !loops_same_text(assign->arg[0]->tensor->name, s->name))
        return false;
    s->found = cin;
    s->assign = assign;
    return true;
}

static bool find_workspace(struct reuse *r, int which, const char *name)
{
    struct where_search search = {.name = name};
    if (!cin_any(r->program->statement, find_where, &search))
        return false;
    r->where[which] = search.found;
    r->assign[which] = search.assign;
    r->w[which] = search.assign->arg[0]->tensor;
    return true;
}

/* Is w available wherever w2 is read? */
static bool is_in_reach(const struct reuse *r)
{
    const struct cin *reads = r->where[0]->arg[0], *reach = r->where[1]->arg[0];
    return cin_contains(reach, r->where[0])
           || (cin_contains(reads, r->where[1])
               && !cin_uses_tensor(cin_replace(r->cx, reads, reach, cin_nothing(r->cx)), r->w[0]));
}

/* Does s bind a variable, or assign a tensor, that the producer reads? */
static bool makes_for(const struct reuse *r, const struct cin *s, const struct cin *producer)
{
    if (s == producer || cin_is_expression(s))
        return false;
    bool makes = s->kind == CIN_ASSIGN && cin_uses_tensor(producer, s->arg[0]->tensor);
    if (s->kind == CIN_FORALL)
        makes = cin_uses_var(producer, s->index[0]) || cin_is_related(r->program, s->index[0]);
    for (int i = 0; i < s->args && !makes; i++)
        makes = makes_for(r, s->arg[i], producer);
    return makes;
}

/* Finds the smallest statement with both wheres, if w can be computed around it. */
static bool find_around(struct reuse *r)
{
    const struct cin *s = r->program->statement, *next = s;
    while (next) {
        s = next;
        next = NULL;
        for (int i = 0; i < s->args && !next; i++)
            if (cin_contains(s->arg[i], r->where[0]) && cin_contains(s->arg[i], r->where[1]))
                next = s->arg[i];
    }
    r->around = makes_for(r, s, r->where[1]->arg[1]) ? NULL : s;
    return r->around;
}

/* ---- contents ---- */

/* Maps w's modes to those of w2. false if that is no permutation. */
static bool find_modes(struct alike *alike, void *data)
{
    struct reuse *r = data;
    const struct cin *from = r->assign[0]->arg[0], *to = r->assign[1]->arg[0];
    for (int k = 0; k < to->indices; k++) {
        int mode = 0;
        for (size_t i = 0; i < alike->var[1].n; i++)
            for (int m = 0; m < from->indices && alike->var[1].at[i] == to->index[k]; m++)
                if (from->index[m] == alike->var[0].at[i])
                    mode = m + 1;
        if (mode == 0)
            return false;
        r->mode[k] = mode - 1;
    }
    return from->indices == to->indices;
}

static bool reads_result(const struct reuse *r)
{
    struct cin_list read = cin_operands(r->cx, r->assign[0]->arg[1]);
    bool reads = false;
    for (size_t i = 0; i < read.n; i++)
        reads |= cin_is_result(r->program, read.at[i]->tensor);
    return reads;
}

static bool hold_the_same(struct reuse *r)
{
    const struct cin *one = r->assign[0], *other = r->assign[1];
    const struct tensor_var *from = r->w[0], *to = r->w[1];
    const int loops = alike_loops(r->program, r->where[0]->arg[1]);
    struct alike same = {.cx = r->cx,
                         .loops = {r->where[0]->arg[1], r->where[1]->arg[1]},
                         .accept = find_modes,
                         .data = r};
    r->mode = arena_array(r->cx->arena, int, to->order);
    return from != to && from->type == to->type && value_equal(from->fill, to->fill)
           && one->op == other->op && one->args == 2 && other->args == 2
           && loops == alike_loops(r->program, r->where[1]->arg[1])
           && alike(&same, one->arg[1], other->arg[1]) && (int)same.var[0].n == loops;
}

/* Says why w cannot take the place of w2; NULL if it can. */
static const char *why_not(struct reuse *r)
{
    const char *from = r->w[0]->name, *to = r->w[1]->name;
    struct arena *arena = r->cx->arena;
    if (alike_loops(r->program, r->where[0]->arg[1]) < 0
        || alike_loops(r->program, r->where[1]->arg[1]) < 0)
        return "a directive has changed the loops that compute one of them";
    if (!hold_the_same(r))
        return arena_printf(arena, "%s holds something else than %s", to, from);
    if (reads_result(r))
        return arena_printf(arena, "a result is read to compute %s", from);
    return is_in_reach(r) || find_around(r)
               ? NULL
               : arena_printf(arena, "%s is not there where %s is read", to, from);
}

/* ---- the rewrite ---- */

/* Drops the where that computes w2, and the one of w if w is computed around s. */
static const struct cin *with_reads(const struct reuse *r, const struct cin *s)
{
    if (s == r->where[0] || (s == r->where[1] && r->around))
        return with_reads(r, s->arg[0]);
    if (s->kind == CIN_ACCESS && s->tensor == r->w[0]) {
        const struct index_var **index =
            arena_array(r->cx->arena, const struct index_var *, s->indices);
        for (int k = 0; k < s->indices; k++)
            index[k] = s->index[r->mode[k]];
        return cin_access(r->cx, r->w[1], index, s->indices);
    }
    const struct cin *arg[CIN_ARGS_MAX];
    for (int k = 0; k < s->args; k++)
        arg[k] = with_reads(r, s->arg[k]);
    return cin_with_args(r->cx, s, arg);
}

static const struct cin_program *apply_reuse(struct context *cx, const struct cin_program *program,
                                             const struct schedule_call *call)
{
    struct reuse r = {.cx = cx, .program = program, .call = call};
    if (call->arguments != 2)
        return loops_refuse(cx, program, call, -1, "it takes the names of two workspaces");
    for (int k = 0; k < 2; k++)
        if (!find_workspace(&r, k, call->argument[k].text))
            return loops_refuse(cx, program, call, k,
                                "no loops around one assignment compute a workspace %s",
                                call->argument[k].text);
    const char *why = why_not(&r);
    if (why)
        return loops_refuse(cx, program, call, 1, "%s", why);
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    const struct cin *read = r.around ? r.around : r.where[0], *reads = with_reads(&r, read);
    result->statement = cin_replace(cx, program->statement, read,
                                    r.around ? cin_where(cx, reads, r.where[1]->arg[1]) : reads);
    return loops_checked(cx, program, call, result);
}

const struct schedule_type schedule_reuse = {
    .name = "reuse",
    .usage = "reuse(w2, w)",
    .brief = "read the workspace w in place of w2, which holds the same",
    .apply = apply_reuse,
};

const struct schedule_call *schedule_reusing(struct context *cx, const struct cin_program *program,
                                             const struct tensor_var *from,
                                             const struct tensor_var *to)
{
    struct reuse r = {.cx = cx, .program = program};
    const struct schedule_argument argument[] = {schedule_tensor(from), schedule_tensor(to)};
    if (!find_workspace(&r, 0, from->name) || !find_workspace(&r, 1, to->name) || why_not(&r))
        return NULL;
    return schedule_make(cx, &schedule_reuse, argument, 2);
}
