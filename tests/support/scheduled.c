/* scheduled.c - running a case's kernels under schedules: drawn at random, a case file's, or the
 * plan in other forms.
 *
 * What is not refused has to be right.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/concrete/concrete.h"
#include "compiler/tree/tree.h"
#include "schedules/distribute.h"
#include "tests/support/rng.h"
#include "tests/support/trial_parts.h"

static bool count_where(const struct cin *cin, void *n)
{
    *(int *)n += cin->kind == CIN_WHERE;
    return false;
}

/* Has the schedule moved a factor into a sum of floats?  That is exact arithmetic's law: floats
 * round otherwise, and infinities may cancel. */
static bool distributes(const struct trial *t, const struct pipeline_request *scheduled)
{
    int before = 0, after = 0;
    struct pipeline reordered;
    struct pipeline_request request = trial_request(t);
    request.schedule = scheduled->schedule;
    request.cuda = scheduled->cuda;
    request.no_plan = true;
    if (!pipeline_run(t->cx, &request, STAGE_PLAN, &reordered))
        return true;
    cin_any(t->pipeline.concrete->statement, count_where, &before);
    cin_any(reordered.planned->statement, count_where, &after);
    enum type type = reordered.planned->result->type;
    return after < before && (type_is_float(type) || type_is_complex(type));
}

static bool is_finite(struct value v)
{
    switch (type_kind(v.type)) {
    case KIND_BOOL:
    case KIND_INT:
    case KIND_UINT: return true;
    case KIND_FLOAT: return isfinite(v.f);
    case KIND_COMPLEX: break;
    }
    return isfinite(v.c.re) && isfinite(v.c.im);
}

static bool multiplies(const struct tin *tin)
{
    bool any =
        tin->kind == TIN_OP && (tin->op == OP_MUL || tin->op == OP_DIV || op_is_user(tin->op));
    for (int i = 0; i < tin->args && !any; i++)
        any = multiplies(tin->arg[i]);
    return any;
}

/* Does the value depend on where products and sums are formed: 0 * inf + 1 * inf, or (0 + 1) * inf?
 * What holds under any schedule is promised for finite operands only. */
bool trial_has_infinite_factors(const struct trial *t)
{
    bool finite = true;
    for (int i = !tin_reads_result(t->parsed); i < t->test->tensors; i++) {
        const struct case_tensor *tensor = &t->test->tensor[i];
        finite &= is_finite(tensor->fill);
        for (int e = 0; e < tensor->entries; e++)
            finite &= is_finite(tensor->entry[e].value);
    }
    return !finite && multiplies(t->parsed);
}

/* A directive may be refused, for a reason of its own; what it does not refuse has to be right. */
static bool interpret_scheduled(struct trial *t, const struct pipeline_request *request,
                                struct pipeline *scheduled)
{
    size_t before = t->cx->diags.n;
    t->schedule = request->schedule;
    bool accepted = pipeline_run(t->cx, request, STAGE_C, scheduled);
    if (accepted) {
        trial_check_text(t, scheduled->planned);
        trial_interpret_and_check(t, scheduled);
        trial_check_length(t, scheduled);
    } else if (t->cx->diags.n == before) {
        trial_fail(t, "%s is refused without a diagnostic", request->schedule);
    }
    t->cx->diags.n = before;
    return accepted;
}

/* May a workspace of thousands of components be made anew in each of thousands of steps? */
static bool may_take_long(const struct trial *t, const char *schedule)
{
    return strstr(schedule, "precompute") && trial_part_scale(t) > 32;
}

/* What exact arithmetic promises of a schedule, floats do not always keep: nothing is tried
 * then. */
static bool is_exact(const struct trial *t, const struct pipeline_request *request)
{
    return !trial_has_infinite_factors(t) && !distributes(t, request)
           && !may_take_long(t, request->schedule);
}

static bool interpret_if_exact(struct trial *t, const struct pipeline_request *request,
                               struct pipeline *scheduled)
{
    return is_exact(t, request) && interpret_scheduled(t, request, scheduled);
}

static void interpret_reordered(struct trial *t, const struct pipeline *unused)
{
    struct rng rng = {t->test->shuffle};
    struct pipeline scheduled;
    struct pipeline_request request = trial_request(t);
    (void)unused;
    request.schedule = trial_draw_schedule(t, &rng);
    if (request.schedule)
        interpret_if_exact(t, &request, &scheduled);
}

void trial_interpret_reordered(struct trial *t) { trial_in_context(t, interpret_reordered, NULL); }

/* Most of what is drawn is refused: the first that is not. */
static void interpret_positions(struct trial *t, const struct pipeline *unused)
{
    struct rng rng = {t->test->shuffle};
    struct pipeline scheduled;
    (void)unused;
    for (int tries = 0; tries < 12; tries++) {
        struct pipeline_request request = trial_request(t);
        size_t before = t->cx->diags.n;
        request.schedule = t->schedule = trial_draw_positions(t, &rng, tries < 8);
        request.no_plan = true;
        bool accepted = request.schedule && pipeline_run(t->cx, &request, STAGE_PLAN, &scheduled);
        t->cx->diags.n = before;
        request.no_plan = false;
        if (!accepted)
            continue;
        interpret_if_exact(t, &request, &scheduled);
        return;
    }
}

void trial_interpret_positions(struct trial *t) { trial_in_context(t, interpret_positions, NULL); }

/* Where races are ignored, on the user's word, there may be some: is there none? */
static bool has_no_races(struct trial *t, const struct pipeline_request *request)
{
    static const char ignore[] = "ignore_races", none[] = "no_races";
    struct pipeline_request proof = *request;
    struct pipeline scheduled;
    struct text schedule = text_new(t->cx->arena);
    size_t before = t->cx->diags.n;
    const char *at = request->schedule;
    for (const char *next; (next = strstr(at, ignore)); at = next + sizeof ignore - 1) {
        text_addn(&schedule, at, (size_t)(next - at));
        text_add(&schedule, none);
    }
    text_add(&schedule, at);
    proof.schedule = schedule.at;
    bool proved = at == request->schedule || pipeline_run(t->cx, &proof, STAGE_C, &scheduled);
    t->cx->diags.n = before;
    return proved;
}

struct heap {
    long asked, live, fails; /* fails: the number of the request that is not met, or -1 */
};

static void *ask(void *data, void *old, size_t size)
{
    struct heap *m = data;
    if (m->asked++ == m->fails)
        return NULL;
    void *new = realloc(old, size ? size : 1);
    m->live += !old && new;
    return new;
}

static void release(void *data, void *old)
{
    ((struct heap *)data)->live -= old != NULL;
    free(old);
}

static struct imp_run run_in(struct trial *t, const struct imp_function *f, struct heap *m)
{
    const struct imp_allocator allocator = {ask, release, m};
    const struct imp_options options = {.allocator = &allocator,
                                        .threads = 1 + (int)(t->test->shuffle % 4),
                                        .order = t->test->shuffle};
    struct imp_argument argument[TRIAL_PARAMS];
    for (int i = 0; i < f->params; i++)
        argument[i] = trial_argument(t->tensor, &f->param[i]);
    struct imp_run run = imp_interpret(t->cx, f, argument, &options);
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out && argument[i].data)
            release(m, argument[i].data);
    return run;
}

/* There is no memory for one of the kernel's requests: it says so, and gives back all others. */
static void interpret_without_memory(struct trial *t, const struct pipeline *p, struct rng *rng)
{
    struct heap enough = {.fails = -1};
    if (t->verdict != TRIAL_RIGHT || trial_breaks_bound(t, p) || !trial_new_result(t)
        || p->imperative->params > TRIAL_PARAMS)
        return;
    struct imp_run all = run_in(t, p->imperative, &enough);
    struct heap little = {.fails = enough.asked ? rng_below(rng, (int)enough.asked) : -1};
    struct imp_run run = run_in(t, p->imperative, &little);
    if (run.fault)
        trial_fail(t, "without memory the interpreter stopped: %s", run.fault);
    else if (run.status != (enough.asked ? STATUS_NO_MEMORY : STATUS_OK)
             && !(all.status != STATUS_OK && run.status == all.status))
        trial_fail(t, "without memory the kernel returned status %d", (int)run.status);
    else if (little.live)
        trial_fail(t, "without memory %ld arrays were not freed", little.live);
}

static void interpret_parallel(struct trial *t, const struct pipeline *unused)
{
    struct rng rng = {t->test->shuffle};
    struct pipeline scheduled;
    (void)unused;
    for (int tries = 0; tries < 3 && t->verdict == TRIAL_RIGHT; tries++) {
        struct pipeline_request request = trial_request(t);
        request.schedule = trial_draw_parallel(t, &rng);
        request.no_plan = true;
        request.target = trial_target(t, (1 + rng_below(&rng, 4)) * trial_part_scale(t));
        if (request.schedule && has_no_races(t, &request)
            && interpret_if_exact(t, &request, &scheduled))
            interpret_without_memory(t, &scheduled, &rng);
    }
}

void trial_interpret_parallel(struct trial *t) { trial_in_context(t, interpret_parallel, NULL); }

/* Is it said what there is no code for on a GPU? */
static bool is_refused_on_gpu(const struct diag *diag)
{
    static const char *const may[] = {"no loop of the statement runs on a GPU",
                                      "in a way that a GPU does not"};
    bool is = false;
    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        is |= strstr(diag->message, may[i]) != NULL;
    return is;
}

static const char *imperative_text(struct trial *t, const struct pipeline *p)
{
    struct text out = text_new(t->cx->arena);
    imp_print(&out, p->imperative);
    return out.at;
}

/* Rows in tables make the same whichever bins they are in. */
static void interpret_other_bins(struct trial *t, const struct pipeline *planned)
{
    struct rng rng = {t->test->shuffle};
    struct pipeline other;
    struct pipeline_request request = trial_request(t);
    const char *schedule = planned->plan ? trial_draw_bins(t, &rng, planned->plan) : NULL;
    if (!schedule || t->verdict != TRIAL_RIGHT)
        return;
    t->schedule = request.schedule = schedule;
    request.cuda = request.no_plan = true;
    if (pipeline_run(t->cx, &request, STAGE_IMPERATIVE, &other))
        trial_interpret_and_check(t, &other);
    else
        trial_fail(t, "%s: refused: %s", schedule, diag_render(t->cx));
    t->launched++;
}

/* What the planner shares out is right, and its directives make the same kernel; so is what it
 * would do if updates of floats may be atomic. */
static void interpret_gpu_plan(struct trial *t)
{
    struct pipeline planned = {0}, pasted;
    struct pipeline_request request = trial_request(t);
    size_t before = t->cx->diags.n;
    request.cuda = true;
    if (pipeline_run(t->cx, &request, STAGE_IMPERATIVE, &planned)) {
        t->schedule = request.schedule = planned.plan;
        request.no_plan = true;
        trial_interpret_and_check(t, &planned);
        if (!pipeline_run(t->cx, &request, STAGE_IMPERATIVE, &pasted))
            trial_fail(t, "%s: refused: %s", planned.plan, diag_render(t->cx));
        else if (strcmp(imperative_text(t, &planned), imperative_text(t, &pasted)) != 0)
            trial_fail(t, "%s: makes another kernel than the planner", planned.plan);
        t->launched++;
    } else if (t->cx->diags.n == before || !is_refused_on_gpu(&t->cx->diags.at[before])) {
        trial_fail(t, "on a GPU: refused: %s", diag_render(t->cx));
    }
    t->cx->diags.n = before;
    interpret_other_bins(t, &planned);
    t->schedule = request.schedule = planned.consented;
    request.no_plan = true;
    if (!planned.consented || t->verdict != TRIAL_RIGHT)
        return;
    if (pipeline_run(t->cx, &request, STAGE_IMPERATIVE, &pasted))
        trial_interpret_and_check(t, &pasted);
    else
        trial_fail(t, "%s: offered, and refused: %s", planned.consented, diag_render(t->cx));
    t->launched++;
}

/* What is right whenever it is accepted; its schedule is NULL if there is no such. */
static struct pipeline_request draw_for_gpu(struct trial *t, struct rng *rng)
{
    struct pipeline_request request = trial_request(t);
    request.schedule = trial_draw_launch(t, rng);
    request.no_plan = true;
    request.cuda = true;
    if (request.schedule && (!has_no_races(t, &request) || !is_exact(t, &request)))
        request.schedule = NULL;
    return request;
}

static void interpret_on_gpu(struct trial *t, const struct pipeline *unused)
{
    struct rng rng = {t->test->shuffle};
    struct pipeline scheduled;
    (void)unused;
    if (!trial_has_infinite_factors(t))
        interpret_gpu_plan(t);
    for (int tries = 0; tries < 4 && t->verdict == TRIAL_RIGHT; tries++) {
        struct pipeline_request request = draw_for_gpu(t, &rng);
        t->launched += request.schedule && interpret_scheduled(t, &request, &scheduled);
    }
}

/* In half of the cases the planner's own, if there is one. */
const struct pipeline *trial_compile_on_gpu(struct trial *t, const char *name)
{
    struct pipeline *scheduled = arena_make(t->cx->arena, struct pipeline);
    struct rng rng = {t->test->shuffle};
    size_t before = t->cx->diags.n;
    bool planned = t->test->shuffle % 2 && !trial_has_infinite_factors(t);
    for (int tries = 0; tries < 8; tries++) {
        struct pipeline_request request = draw_for_gpu(t, &rng);
        if (planned && tries == 0) {
            request = trial_request(t);
            request.schedule = "";
            request.serial = false;
            request.cuda = true;
        }
        request.name = name;
        bool accepted = request.schedule && pipeline_run(t->cx, &request, STAGE_C, scheduled);
        t->cx->diags.n = before;
        t->schedule = accepted ? scheduled->plan : NULL;
        if (accepted)
            return scheduled;
    }
    return NULL;
}

void trial_interpret_on_gpu(struct trial *t) { trial_in_context(t, interpret_on_gpu, NULL); }

/* The way of the parallel loops in the node, 0: they do not assemble the result. */
static unsigned ways_of(struct trial *t, const struct tree *tree, const struct tree_node *node)
{
    const struct cin *s = node->statement;
    unsigned ways = 0;
    if (s->kind == CIN_FORALL && cin_find_tag(tree->program, s->index[0], TAG_PARALLEL)
        && cin_uses_tensor(s, tree->program->result)) {
        enum tree_parts parts = tree_parts(t->cx, tree, node);
        switch (tree->assembly.kind) {
        case ASSEMBLY_PLACE: return WAY_PLACE;
        case ASSEMBLY_GIVEN:
        case ASSEMBLY_UPDATE:
        case ASSEMBLY_PATTERN: return WAY_ALIAS;
        case ASSEMBLY_COUNT: return WAY_COUNT;
        case ASSEMBLY_APPEND:
            return parts == PARTS_COMPACTED ? WAY_COMPACT : parts == PARTS_JOINED ? WAY_JOIN : 0;
        case ASSEMBLY_COPY: return parts == PARTS_FILLED ? WAY_COUNT : 0;
        }
    }
    for (int i = 0; i < node->children; i++)
        ways |= ways_of(t, tree, node->child[i]);
    return ways;
}

static struct pipeline_request request_in_parts(struct trial *t)
{
    struct pipeline_request request = trial_request(t);
    request.schedule = trial_parallel_plan(t);
    request.no_plan = true;
    request.target = trial_target(t, (1 + (int)(t->test->shuffle % 3)) * trial_part_scale(t));
    return request;
}

const struct pipeline *trial_compile_in_parts(struct trial *t, const char *jit_name)
{
    struct pipeline *pipeline = arena_make(t->cx->arena, struct pipeline);
    struct pipeline_request request = request_in_parts(t);
    request.name = jit_name;
    request.for_jit = true;
    if (trial_has_infinite_factors(t))
        return trial_compile(t, KERNEL_FUSED, false, jit_name);
    if (pipeline_run(t->cx, &request, STAGE_C, pipeline))
        return pipeline;
    trial_fail(t, "%s: refused: %s", request.schedule, diag_render(t->cx));
    return NULL;
}

static void interpret_in_parts(struct trial *t, const struct pipeline *unused)
{
    struct pipeline parallel;
    struct pipeline_request request = request_in_parts(t);
    (void)unused;
    t->schedule = request.schedule;
    if (!pipeline_run(t->cx, &request, STAGE_IMPERATIVE, &parallel)) {
        trial_fail(t, "refused: %s", diag_render(t->cx));
        return;
    }
    trial_interpret_and_check(t, &parallel);
    t->ways = ways_of(t, parallel.tree, parallel.tree->root);
}

void trial_interpret_in_parts(struct trial *t) { trial_in_context(t, interpret_in_parts, NULL); }

/* A schedule that a case file has. */
static void interpret_accepted(struct trial *t, const struct pipeline_request *request)
{
    struct pipeline scheduled;
    if (pipeline_run(t->cx, request, STAGE_C, &scheduled))
        trial_interpret_and_check(t, &scheduled);
    else
        trial_fail(t, "refused: %s", diag_render(t->cx));
}

static void interpret_directives(struct trial *t, const struct pipeline *unused)
{
    struct pipeline scheduled;
    struct pipeline_request request = trial_request(t);
    (void)unused;
    request.schedule = t->schedule;
    request.cuda = t->cuda;
    if (strcmp(t->schedule, t->test->schedule) == 0)
        interpret_accepted(t, &request);
    else
        interpret_if_exact(t, &request, &scheduled);
}

void trial_interpret_scheduled(struct trial *t, const char *schedule)
{
    t->schedule = schedule;
    trial_in_context(t, interpret_directives, NULL);
}

/* The workspace's name and the consumer's, in "precompute(E, w, {j,jc,jp}", whose brace is at
 * end. */
static void find_names(const char *end, const char **w, int *w_length, const char **var,
                       int *var_length)
{
    const char *triple = end;
    while (*triple != '{')
        triple--;
    *var = strchr(triple, ',') + 1;
    *var_length = (int)strcspn(*var, ",");
    const char *behind = *w = triple - strlen(", ");
    while ((*w)[-1] != ' ')
        (*w)--;
    *w_length = (int)(behind - *w);
}

/* The plan with hash tables in the place of bytemaps, and lists of what is in them where that
 * was in order. */
static const char *plan_with_tables(const struct trial *t)
{
    static const char row[] = "}, bytemap"; /* and no variable's name */
    struct text out = text_new(t->cx->arena);
    const char *at = t->pipeline.plan;
    for (const char *next; (next = strstr(at, row)); at = next) {
        const char *w, *var;
        int w_length, var_length;
        find_names(next, &w, &w_length, &var, &var_length);
        bool ordered = next[strlen(row)] == ')';
        text_addn(&out, at, (size_t)(w + w_length - at));
        text_add(&out, ordered ? "_table" : "");
        text_addn(&out, w + w_length, (size_t)(next - w - w_length));
        text_add(&out, "}, hash)");
        if (ordered)
            text_printf(&out, "; precompute(%.*s_table(%.*s), %.*s, {%.*s,%.*s,%.*s_slot}, coo)",
                        w_length, w, var_length, var, w_length, w, var_length, var, var_length, var,
                        w_length, w);
        next += strlen(row) + strlen(ordered ? ")" : "(unordered))");
    }
    text_add(&out, at);
    return out.at;
}

static void interpret_tables(struct trial *t, const struct pipeline *unused)
{
    struct pipeline scheduled;
    struct pipeline_request request = trial_request(t);
    (void)unused;
    request.no_plan = true;
    request.schedule = plan_with_tables(t);
    if (strcmp(request.schedule, t->pipeline.plan) != 0)
        interpret_scheduled(t, &request, &scheduled);
}

void trial_interpret_tables(struct trial *t) { trial_in_context(t, interpret_tables, NULL); }

/* The plan that may write out what is reduced: does it? */
static bool interpret_with_consent(struct trial *t)
{
    struct pipeline planned;
    struct pipeline_request request = trial_request(t);
    request.schedule = "";
    request.distributes = true;
    return interpret_if_exact(t, &request, &planned) && strstr(planned.plan, "distribute(");
}

/* A directive that writes out what is reduced, for each reduction where there is something to write
 * out: the first that the statement is not refused with.  Then the planner's own. */
static void interpret_distributed(struct trial *t, const struct pipeline *unused)
{
    struct pipeline scheduled;
    struct cin_list made = cin_assignments(t->cx, t->pipeline.concrete->statement);
    bool done = false;
    (void)unused;
    for (size_t i = 0; i < made.n && !done; i++) {
        struct pipeline_request request = trial_request(t);
        struct text schedule = text_new(t->cx->arena);
        const struct cin *value = made.at[i]->arg[1];
        if (made.at[i]->op == OP_NONE || distribute_terms(t->cx, made.at[i], value).n < 2)
            continue;
        text_add(&schedule, "distribute(");
        cin_print(t->cx, &schedule, value);
        text_add(&schedule, ")");
        request.schedule = schedule.at;
        done = interpret_if_exact(t, &request, &scheduled);
    }
    t->distributed = done;
    t->consented = done && interpret_with_consent(t);
}

/* So many sums of a statement at most. */
enum { FACTORED_MAX = 3 };

/* Under a schedule that factors the sums of the expression, the outer ones first; does it one? */
static bool interpret_factored_sums(struct trial *t, const struct cin *e, int *tried)
{
    struct pipeline scheduled;
    struct pipeline_request request = trial_request(t);
    struct text schedule = text_new(t->cx->arena);
    bool done = false;
    if (e->kind == CIN_OP && e->args == 2 && (e->op == OP_SUB || op_commutative(e->op))
        && (*tried)++ < FACTORED_MAX) {
        text_add(&schedule, "factor(");
        cin_print(t->cx, &schedule, e);
        text_add(&schedule, ")");
        request.schedule = schedule.at;
        done = t->exact ? interpret_scheduled(t, &request, &scheduled)
                        : interpret_if_exact(t, &request, &scheduled);
    }
    for (int i = 0; i < e->args && !done && t->verdict == TRIAL_RIGHT; i++)
        done = interpret_factored_sums(t, e->arg[i], tried);
    return done;
}

static void interpret_factored(struct trial *t, const struct pipeline *unused)
{
    struct cin_list made = cin_assignments(t->cx, t->pipeline.concrete->statement);
    int tried = 0;
    (void)unused;
    for (size_t i = 0; i < made.n && !t->factored && t->verdict == TRIAL_RIGHT; i++)
        t->factored = interpret_factored_sums(t, made.at[i]->arg[1], &tried);
}

void trial_interpret_factored(struct trial *t) { trial_in_context(t, interpret_factored, NULL); }

void trial_interpret_distributed(struct trial *t)
{
    trial_in_context(t, interpret_distributed, NULL);
}
