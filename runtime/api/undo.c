/* undo.c - restores results in place if a run is stopped.
 *
 * A dense result, or the values of a pattern that is there, are written where they are.  If a run
 * is stopped halfway, a copy restores them.  That takes time, so only long runs have one.  The
 * most steps of a run follow from the statement and the sizes: those of a product are the steps of
 * all its loops, or, for each of its operands, the components that the operand stores times the
 * loops that it has no part in.
 *
 *     y(i) = A(i,j) * x(j)         as many steps as A stores components: no copy, since such a run
 *                                  ends about as soon as the copy would
 *     C(i,j) = A(i,k) * B(k,j)     n^3 for n^2 components: a copy
 *
 * A run without a copy is not stopped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/undo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/tensor/memory.h"
#include "runtime/tensor/tensor.h"

enum {
    FEW_BYTES = 4096,      /* copied at no cost */
    PIECE_BYTES = 1 << 22, /* copied in a millisecond */
    LONG_STEPS = 1 << 24,  /* take some hundredths of a second */
    STEPS_OF_COPY = 64,    /* by component: its copy takes a few hundredths of that */
    STEPS_OF_FUNCTION = 16,
};

/* ---- how many steps at most ---- */

/* The variables of the loops around an expression, and in it. */
struct loops {
    const struct run *run;
    const struct index_var *var[TIN_INDICES_MAX];
    int vars;
};

/* Returns the size of the variable, by the name that tensors have for it, or a declaration. */
static double size_of(const struct run *run, const struct index_var *var)
{
    const struct spcc_kernel *kernel = run->kernel;
    for (int u = 0; u < kernel->uses; u++) {
        const struct kernel_use *use = &kernel->use[u];
        if (strcmp(use->variable, var->name) == 0)
            return (double)(use->tensor < kernel->results
                                ? run->result[use->tensor].dimension[use->mode]
                                : api_sizes(run->tensor[use->tensor])->dimension[use->mode]);
    }
    for (int s = 0; s < kernel->sizes; s++)
        if (strcmp(kernel->size[s].var, var->name) == 0)
            return (double)kernel->size[s].size;
    return 1;
}

static bool has_var(const struct index_var *const *list, int n, const struct index_var *var)
{
    while (n > 0 && list[n - 1] != var)
        n--;
    return n > 0;
}

/* Adds the variables of the expression; one with more than there is room for counts as long. */
static void add_vars(struct loops *l, const struct tin *tin)
{
    for (int i = 0; i < tin->indices && l->vars < TIN_INDICES_MAX; i++)
        if (!tin->index[i]->literal && !has_var(l->var, l->vars, tin->index[i]))
            l->var[l->vars++] = tin->index[i];
    for (int i = 0; i < tin->args; i++)
        add_vars(l, tin->arg[i]);
}

/* Returns the steps of the loops over what the access stores, times all coordinates of the other
 * variables. */
static double steps_along(const struct loops *l, const struct tin *access)
{
    double steps =
        access ? (double)tensor_stored(api_sizes(l->run->tensor[access->tensor->rank])) : 1;
    for (int v = 0; v < l->vars; v++)
        if (!access || !has_var(access->index, access->indices, l->var[v]))
            steps *= size_of(l->run, l->var[v]);
    return steps;
}

static double least_along(const struct loops *l, const struct tin *tin)
{
    double least = tin->kind == TIN_ACCESS ? steps_along(l, tin) : INFINITY;
    for (int i = 0; i < tin->args; i++)
        least = fmin(least, least_along(l, tin->arg[i]));
    return least;
}

static int count_functions(const struct tin *tin)
{
    int n = tin->kind == TIN_OP && (op_is_analytic(tin->op) || op_is_user(tin->op));
    for (int i = 0; i < tin->args; i++)
        n += count_functions(tin->arg[i]);
    return n;
}

static double steps_of(struct loops *l, const struct tin *tin)
{
    const int around = l->vars;
    bool adds = tin->kind == TIN_OP && (tin->op == OP_ADD || tin->op == OP_SUB);
    double steps = 0;
    if (tin->kind == TIN_ASSIGN) {
        add_vars(l, tin->arg[0]);
        steps = steps_of(l, tin->arg[1]);
    } else if (tin->kind == TIN_MULTI || tin->kind == TIN_REDUCE || adds) {
        for (int i = 0; i < tin->indices && l->vars < TIN_INDICES_MAX; i++)
            l->var[l->vars++] = tin->index[i];
        for (int i = 0; i < tin->args; i++)
            steps += steps_of(l, tin->arg[i]);
    } else {
        add_vars(l, tin);
        steps = fmin(steps_along(l, NULL), least_along(l, tin))
                * (1 + STEPS_OF_FUNCTION * count_functions(tin));
    }
    l->vars = around;
    return steps;
}

/* ---- copies ---- */

/* Is the array written where it is?  An array that the run makes, or whose tensor it makes, is not;
 * nor is one on a GPU, where results are made apart. */
static bool is_in_place(const struct run *run, int i)
{
    const struct imp_param *param = &run->function->imperative->param[i];
    return param->role != ROLE_DIMENSION && param->tensor < run->kernel->results && !param->out
           && !param->var->constant && !run->result[param->tensor].made
           && !run->tensor[param->tensor]->there;
}

static size_t bytes_of(const struct run *run, int i, const struct imp_argument *argument)
{
    enum type type = run->function->imperative->param[i].var->type;
    return is_in_place(run, i) ? (size_t)argument[i].length * type_size(type) : 0;
}

static bool is_worth_a_copy(const struct run *run, size_t bytes)
{
    struct loops loops = {.run = run};
    if (bytes <= FEW_BYTES || !run->function->call)
        return true;
    double steps = steps_of(&loops, run->kernel->notation);
    return steps >= LONG_STEPS && steps >= STEPS_OF_COPY * ((double)bytes / sizeof(double));
}

/* Keeps a copy; false if the run is stopped. */
static bool keep(struct run *run, void *array, char *copy, size_t bytes)
{
    run->kept[run->n_kept] = (struct kept){array, copy, bytes};
    for (size_t at = 0; at < bytes && !memory_is_stopped(); at += PIECE_BYTES)
        memcpy(copy + at, (const char *)array + at,
               bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
    run->n_kept += !memory_is_stopped();
    return !memory_is_stopped();
}

spcc_status undo_prepare(struct context *cx, struct run *run, const struct imp_argument *argument,
                         bool *may_stop)
{
    const int params = run->function->imperative->params;
    size_t bytes = 0;
    for (int i = 0; i < params; i++)
        bytes += bytes_of(run, i, argument);
    *may_stop = bytes == 0 || run->overwrites || run->function->device;
    if (*may_stop || !is_worth_a_copy(run, bytes))
        return SPCC_OK;
    run->kept = arena_array(cx->arena, struct kept, params);
    char *copy = run->copy = malloc(bytes);
    *may_stop = copy;
    for (int i = 0; i < params && copy; i++) {
        size_t n = bytes_of(run, i, argument);
        if (n > 0 && !keep(run, argument[i].data, copy, n))
            return SPCC_STOPPED;
        copy += n;
    }
    return SPCC_OK;
}

void undo_end(struct run *run, bool failed)
{
    for (int i = 0; i < run->n_kept && failed; i++)
        memcpy(run->kept[i].array, run->kept[i].copy, run->kept[i].bytes);
    free(run->copy);
    run->copy = NULL;
    run->n_kept = 0;
}
