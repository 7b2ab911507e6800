/* run.c - running a case's kernels, interpreted or compiled: of the statement as it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/concrete/concrete.h"
#include "compiler/tree/tree.h"
#include "tests/support/rng.h"
#include "tests/support/trial_parts.h"

/* The format with positions and coordinates that count everything. */
static const struct format *widened(struct trial *t, const struct format *format)
{
    struct format *wide = arena_copy(t->cx->arena, format, sizeof *format);
    struct level_format *level =
        arena_copy(t->cx->arena, format->level, sizeof *level * (size_t)format->levels);
    for (int l = 0; l < format->levels; l++)
        level[l].pos = level[l].crd = TYPE_I64;
    wide->level = level;
    return wide;
}

/* Sizes that its coordinates do not count are the kernel's to refuse. */
bool trial_new_result(struct trial *t)
{
    const struct case_tensor *from = t->by_rank[0];
    const struct format *format = t->pipeline.tensor[0]->format;
    tensor_free(t->tensor[0]);
    t->tensor[0] = NULL;
    if (tin_reads_result(t->pipeline.parsed)) {
        t->tensor[0] = trial_pack(t, from, format);
    } else {
        struct rt_error error;
        enum rt_status status = tensor_new_empty(format, from->type, from->dimension, from->fill,
                                                 "y", &t->tensor[0], &error);
        if (status != RT_OK && error.code == DIAG_LIMIT)
            status = tensor_new_empty(widened(t, format), from->type, from->dimension, from->fill,
                                      "y", &t->tensor[0], &error);
        if (status != RT_OK)
            trial_fail(t, "no result: %s", error.message);
        else
            tensor_fill_dense(t->tensor[0], value_int(from->type, 77), 1);
    }
    return t->tensor[0] != NULL;
}

struct imp_argument trial_argument(struct tensor *const *by_rank, const struct imp_param *param)
{
    const struct tensor *tensor = by_rank[param->tensor];
    struct imp_argument argument = {0};
    switch (param->role) {
    case ROLE_DIMENSION:
        argument.value = value_int(param->var->type, tensor->dimension[param->mode]);
        break;
    case ROLE_ARRAY:
        argument.data = tensor->level[param->level].array[param->array];
        argument.length = tensor->level[param->level].length[param->array];
        break;
    case ROLE_VALUES:
        argument.data = tensor->vals;
        argument.length = tensor->nvals;
        break;
    case ROLE_LOCAL: break;
    }
    if (param->out)
        argument.data = NULL, argument.length = 0;
    return argument;
}

/* The result with the arrays that the kernel has made; lengths follow from the arrays above. */
static void adopt(struct trial *t, const struct imp_function *f, const int64_t *length)
{
    struct tensor *y = t->tensor[0];
    for (int i = 0; i < f->params; i++) {
        const struct imp_param *param = &f->param[i];
        if (!param->out)
            continue;
        if (param->role == ROLE_VALUES) {
            free(y->vals);
            y->vals = t->out[i];
            y->nvals = length ? length[i] : INT64_MAX;
        } else {
            free(y->level[param->level].array[param->array]);
            y->level[param->level].array[param->array] = t->out[i];
            y->level[param->level].length[param->array] = length ? length[i] : INT64_MAX;
        }
        t->out[i] = NULL;
    }
}

static void check_result(struct trial *t)
{
    struct rt_error error;
    if (tensor_validate(t->tensor[0], "y", &error) != RT_OK)
        trial_fail(t, "the kernel leaves an invalid tensor: %s", error.message);
    else
        trial_compare(t, t->tensor[0]);
}

static const struct index_var *origin(const struct index_var *var)
{
    while (var->like)
        var = var->like;
    return var;
}

/* The size of what the variable ranges over, by a tensor of the case; -1: no access has it, and it
 * is no child of what one has. */
static int64_t size_of(const struct trial *t, const struct cin_program *p,
                       const struct index_var *var)
{
    struct cin_list access = cin_operands(t->cx, p->statement);
    struct cin_list made = cin_assignments(t->cx, p->statement);
    for (size_t i = 0; i < made.n; i++)
        vec_push(t->cx->arena, &access, made.at[i]->arg[0]);
    for (size_t i = 0; i < access.n; i++)
        for (int m = 0; m < access.at[i]->indices && !access.at[i]->tensor->temporary; m++)
            if (origin(access.at[i]->index[m]) == origin(var) && !access.at[i]->tensor->before)
                return t->by_rank[access.at[i]->tensor->rank]->dimension[m];
    for (int i = 0; i < p->relations; i++)
        for (int c = 0; c < 2; c++) {
            const struct cin_relation *r = &p->relation[i];
            if (!r->child[c] || origin(r->child[c]) != origin(var) || !r->type->values)
                continue;
            int64_t parent[2] = {-1, -1};
            for (int n = 0; n < 2 && r->parent[n]; n++)
                parent[n] = size_of(t, p, r->parent[n]);
            return r->type->values(r, c, parent);
        }
    return -1;
}

bool trial_breaks_bound(const struct trial *t, const struct pipeline *p)
{
    bool breaks = false;
    for (int i = 0; i < p->planned->bounds; i++) {
        const struct cin_bound *bound = &p->planned->bound[i];
        int64_t size = size_of(t, p->planned, bound->var);
        if (size < 0) /* the planner may have left its loop out, of two that are alike */
            size = size_of(t, p->concrete, bound->var);
        breaks |= bound->kind == BOUND_EXACT  ? size != bound->size
                  : bound->kind == BOUND_MOST ? size > bound->size
                                              : size % bound->size != 0;
    }
    return breaks;
}

static bool assembles(const struct imp_function *f)
{
    bool any = false;
    for (int i = 0; i < f->params; i++)
        any |= f->param[i].out;
    return any;
}

/* Is this what the kernel has to return?  Also where it makes a result that its format does not
 * hold. */
static bool is_right_status(struct trial *t, const struct pipeline *p, int status)
{
    enum trial_limit limit = assembles(p->imperative) ? trial_limit(t) : LIMIT_HOLDS;
    if (status == STATUS_TOO_LARGE)
        return limit != LIMIT_HOLDS;
    if (trial_breaks_bound(t, p))
        return status == STATUS_OUT_OF_BOUND;
    if (trial_updates(t))
        return trial_is_right_update(t, status);
    return status == STATUS_OK && limit != LIMIT_BEYOND;
}

/* Is there a result? */
static bool run_into(struct trial *t, const struct pipeline *p, const struct trial_runner *runner)
{
    const struct imp_function *f = p->imperative;
    struct imp_argument argument[TRIAL_PARAMS];
    int64_t length[TRIAL_PARAMS];
    if (f->params > TRIAL_PARAMS) {
        trial_fail(t, "too many parameters");
        return false;
    }
    for (int i = 0; i < f->params; i++)
        argument[i] = trial_argument(t->tensor, &f->param[i]);
    struct imp_run run = runner->run(runner->data, f, argument);
    for (int i = 0; i < f->params; i++) {
        length[i] = argument[i].length;
        if (f->param[i].out)
            t->out[i] = argument[i].data;
    }
    if (run.fault)
        trial_fail(t, "%s stopped: %s", runner->name, run.fault);
    else if (!is_right_status(t, p, run.status))
        trial_fail(t, "the kernel returned status %d", (int)run.status);
    else if (run.status == STATUS_OK)
        adopt(t, f, length);
    else if (run.status == STATUS_NOT_STORED)
        trial_check_unchanged(t);
    trial_free_out(t);
    return t->verdict == TRIAL_RIGHT && run.status == STATUS_OK;
}

static struct imp_run interpret(void *data, const struct imp_function *f,
                                struct imp_argument *argument)
{
    struct trial *t = data;
    struct imp_options options = {.max_steps = 200 * 1000 * 1000,
                                  .threads = 1 + (int)(t->test->shuffle % 4),
                                  .order = t->test->shuffle};
    return imp_interpret(t->cx, f, argument, &options);
}

static bool interpret_into(struct trial *t, const struct pipeline *p)
{
    return run_into(t, p, &(struct trial_runner){"the interpreter", interpret, t});
}

/* Say in what way of running it a case failed. */
static void explain(struct trial *t, const char *way)
{
    char why[TRIAL_TEXT];
    if (t->verdict != TRIAL_FAILED)
        return;
    memcpy(why, t->why, sizeof why);
    snprintf(t->why, sizeof t->why, "%s: %.4000s", way, why);
}

void trial_in_context(struct trial *t, void (*body)(struct trial *t, const struct pipeline *p),
                      const struct pipeline *p)
{
    if (t->verdict != TRIAL_RIGHT)
        return;
    if (context_protect(t->cx))
        body(t, p);
    else
        trial_take_unwound(t);
    if (t->schedule)
        explain(t, t->schedule);
    t->schedule = NULL;
}

void trial_interpret_and_check(struct trial *t, const struct pipeline *p)
{
    if (!trial_new_result(t))
        return;
    if (interpret_into(t, p))
        check_result(t);
}

void trial_interpret(struct trial *t, const struct pipeline *pipeline)
{
    trial_in_context(t, trial_interpret_and_check, pipeline);
}

void trial_run(struct trial *t, const struct pipeline *pipeline, const struct trial_runner *runner)
{
    if (t->verdict != TRIAL_RIGHT)
        return;
    if (!context_protect(t->cx))
        trial_fail(t, "%s", trial_unwound(t->cx));
    else if (trial_new_result(t) && run_into(t, pipeline, runner))
        check_result(t);
    explain(t, runner->name);
}

/* Does the text have something that ISO C does not?  Names with two underscores in front are the
 * compilers'. */
static bool has_extension(const char *text)
{
    static const char *const standard[] = {"__cplusplus", "__restrict"};
    const char *code = strstr(text, "*/");
    for (code = code ? code : text; (code = strstr(code, "__")); code += 2) {
        bool known = false;
        for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
            known |= strncmp(code, standard[i], strlen(standard[i])) == 0;
        if (!known && (code == text || !(isalnum((unsigned char)code[-1]) || code[-1] == '_')))
            return true;
    }
    return false;
}

static void interpret_plain(struct trial *t, const struct pipeline *unused)
{
    const struct pipeline *plain = trial_compile(t, KERNEL_FUSED, true, NULL);
    const bool *stored = t->stored;
    (void)unused;
    if (trial_has_infinite_factors(t))
        t->stored = NULL; /* 0 * (inf * x) is 0, and (0 * inf) * x is not */
    if (plain && has_extension(plain->c))
        trial_fail(t, "extensions in\n%s", plain->c);
    else if (plain)
        trial_interpret_and_check(t, plain);
    t->stored = stored;
    explain(t, "plain");
}

void trial_interpret_plain(struct trial *t) { trial_in_context(t, interpret_plain, NULL); }

/* Room for as many values as the arrays that were assembled have positions. */
static bool make_room(struct trial *t)
{
    struct tensor *y = t->tensor[0];
    struct level_fault fault = {0};
    int64_t positions = 1;
    for (int l = 0; l < y->format->levels; l++) {
        const struct level_type *type = y->format->level[l].type;
        if (!type->check(&y->level[l], positions, &positions, &fault)) {
            trial_fail(t, "assembled, but level %d is not valid: %s[%lld] %s", l + 1, fault.array,
                       (long long)fault.at, fault.why);
            return false;
        }
    }
    if (positions <= y->nvals)
        return true;
    free(y->vals);
    y->vals = calloc((size_t)positions, type_size(y->type));
    y->nvals = y->vals ? positions : 0;
    tensor_fill_dense(y, value_int(y->type, 77), 1);
    return true;
}

static void interpret_two(struct trial *t, const struct pipeline *unused)
{
    const struct pipeline *assemble = trial_compile(t, KERNEL_ASSEMBLE, false, NULL);
    const struct pipeline *compute = trial_compile(t, KERNEL_COMPUTE, false, NULL);
    (void)unused;
    if (!assemble || !compute || !trial_new_result(t))
        return;
    if (interpret_into(t, assemble) && make_room(t) && interpret_into(t, compute))
        check_result(t);
    explain(t, "assembled, then computed");
}

/* A pattern that the statement knows nothing of: some of the coordinates that there are. */
static void draw_pattern(struct case_tensor *pattern, struct rng *rng)
{
    int64_t places = 1;
    for (int m = 0; m < pattern->order; m++)
        places *= pattern->dimension[m];
    int percent = rng_below(rng, 101);
    pattern->entries = 0;
    for (int64_t place = 0; place < places && pattern->entries < CASE_ENTRIES; place++) {
        struct case_entry *entry = &pattern->entry[pattern->entries];
        int64_t rest = place;
        for (int m = pattern->order - 1; m >= 0; m--) {
            entry->coordinate[m] = (int32_t)(rest % pattern->dimension[m]);
            rest /= pattern->dimension[m];
        }
        entry->value = value_int(pattern->type, 77);
        pattern->entries += rng_percent(rng, percent);
    }
}

static void interpret_given(struct trial *t, const struct pipeline *unused)
{
    const struct pipeline *compute = trial_compile(t, KERNEL_COMPUTE, false, NULL);
    struct case_tensor *pattern = arena_copy(t->cx->arena, t->by_rank[0], sizeof *pattern);
    struct rng rng = {t->test->shuffle};
    (void)unused;
    draw_pattern(pattern, &rng);
    tensor_free(t->tensor[0]);
    t->by_rank[0] = pattern;
    t->tensor[0] = trial_pack(t, pattern, t->pipeline.tensor[0]->format);
    if (!compute || !t->tensor[0] || tree_pattern_operand(compute->tree))
        return; /* it is not looked at, being an operand's */
    tensor_fill_dense(t->tensor[0], value_int(pattern->type, 77), 1);
    if (interpret_into(t, compute))
        trial_compare_stored(t, t->tensor[0]);
    explain(t, "computed into a pattern that was given");
}

/* What is assembled first has lost the values before, what is updated is not assembled, and what is
 * kept is known by values: such a statement has one kernel. */
static bool has_one_kernel(const struct trial *t)
{
    const struct imp_function *f = t->pipeline.imperative;
    bool one = trial_updates(t) || tin_is_kept(t->pipeline.parsed->arg[1]);
    for (int i = 0; i < f->params; i++)
        one |= f->param[i].before;
    return one;
}

void trial_interpret_in_two(struct trial *t)
{
    if (t->verdict == TRIAL_RIGHT && !has_one_kernel(t))
        trial_in_context(t, interpret_two, NULL);
}

void trial_interpret_given(struct trial *t)
{
    if (t->verdict == TRIAL_RIGHT && !tin_reads_result(t->pipeline.parsed))
        trial_in_context(t, interpret_given, NULL);
}

/* ---- compiled code ---- */

/* As emit.h's NAME_call takes them: a pointer to each argument, which is a scalar, an array's
 * address, or the address of the variable that gets what is assembled.  Is there a result? */
static bool call_into(struct trial *t, const struct pipeline *p, int (*call)(void *const *argument))
{
    const struct imp_function *f = p->imperative;
    struct imp_argument argument[TRIAL_PARAMS];
    void *pointer[TRIAL_PARAMS], **out[TRIAL_PARAMS];
    unsigned char scalar[TRIAL_PARAMS][16];
    for (int i = 0; i < f->params; i++) {
        argument[i] = trial_argument(t->tensor, &f->param[i]);
        out[i] = &t->out[i];
        pointer[i] = f->param[i].out ? (void *)&out[i] : (void *)&argument[i].data;
        if (f->param[i].role == ROLE_DIMENSION) {
            value_store(argument[i].value, scalar[i]);
            pointer[i] = scalar[i];
        }
    }
    int status = call(pointer);
    if (!is_right_status(t, p, status))
        trial_fail(t, "the compiled kernel returned status %d", status);
    else if (status == STATUS_OK)
        adopt(t, f, NULL);
    else if (status == STATUS_NOT_STORED)
        trial_check_unchanged(t);
    trial_free_out(t);
    return t->verdict == TRIAL_RIGHT && status == STATUS_OK;
}

struct calling {
    const struct pipeline *pipeline;
    int (*call)(void *const *argument);
};

static void call_and_check(struct trial *t, const struct calling *calling)
{
    if (!trial_new_result(t))
        return;
    if (call_into(t, calling->pipeline, calling->call))
        check_result(t);
    explain(t, "compiled code, unlike the interpreter");
}

void trial_call(struct trial *t, const struct pipeline *pipeline,
                int (*call)(void *const *argument))
{
    struct calling calling = {pipeline, call};
    if (t->verdict != TRIAL_RIGHT)
        return;
    if (context_protect(t->cx))
        call_and_check(t, &calling);
    else
        trial_fail(t, "%s", trial_unwound(t->cx));
}
