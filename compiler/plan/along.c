/* along.c - along which of its variables each intermediate result of a contraction is contiguous.
 *
 *     T(j,k,b) = B(k,m) * C(m,j,b)
 *     R(a,b)   = A(a,j,k) * T(j,k,b)        both steps go along b in vectors
 *
 * A step goes through memory along one variable, if all that it reads and writes is contiguous
 * along that one or does not have it; else it gathers a component at a time.  So what an
 * intermediate result is contiguous along is good or bad for two steps.  Each step, from the last
 * one on, is given each variable that it may go along, with all intermediate results that it reads
 * or writes; what makes the whole cheaper is kept, until nothing does.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/plan/contraction.h"

struct layout {
    const struct network *network;
    int lanes;
    struct contraction_step *step;
    int steps;
    factor_set *set; /* of each step, the factors that it takes in */
    /* of each step that makes the same as another: that one's variables as this one's, plus 1 */
    signed char (*is)[NETWORK_MAX];
};

/* Returns the step that makes this one's workspace. */
static int maker_of(const struct layout *l, int t)
{
    return l->step[t].same < 0 ? t : l->step[t].same;
}

/* Returns the variables along which the step's result is contiguous: with these it moves from one
 * element to the next. */
static var_set along_of(const struct layout *l, int t)
{
    const int last = l->step[maker_of(l, t)].last;
    if (t + 1 == l->steps)
        return l->network->along;
    if (last < 0 || maker_of(l, t) == t)
        return last < 0 ? 0 : (var_set)1 << last;
    return l->is[t][last] ? (var_set)1 << (l->is[t][last] - 1) : 0;
}

/* Makes the step's result contiguous along the variable, if it is one of several that the result
 * has. */
static void lay_along(struct layout *l, int t, int var)
{
    const int maker = maker_of(l, t);
    int last = var;
    if (!(l->step[t].kept >> var & 1) || !l->step[t].dense || t + 1 == l->steps)
        return;
    if (maker != t)
        for (last = 0; last < l->network->vars && l->is[t][last] != var + 1; last++)
            ;
    if (last < l->network->vars && !(l->network->around >> last & 1))
        l->step[maker].last = last;
}

/* Finds the variables of an argument, and those of them along which it is contiguous. */
static var_set vars_of(const struct layout *l, int arg, var_set *along)
{
    const int factors = l->network->factors;
    *along = arg < factors ? l->network->factor[arg].along : along_of(l, arg - factors);
    return arg < factors ? l->network->factor[arg].vars : l->step[arg - factors].kept;
}

/* Returns the cost of the step where it goes along the best of its variables. */
static double cost_of(const struct layout *l, int t)
{
    const struct contraction_step *step = &l->step[t];
    var_set not_along = step->kept & ~along_of(l, t), along;
    double gain = 1;
    for (int k = 0; k < 2 && step->arg[k] >= 0; k++) {
        const var_set vars = vars_of(l, step->arg[k], &along);
        not_along |= vars & ~along;
    }
    for (var_set v = (step->kept | step->summed) & ~not_along; v; v &= v - 1)
        gain = fmax(gain, fmin(l->lanes, l->network->size[__builtin_ctzll(v)]));
    return step->cost / gain;
}

static double cost_of_all(const struct layout *l)
{
    double cost = 0;
    for (int t = 0; t < l->steps; t++)
        cost += cost_of(l, t);
    return cost;
}

static void keep_layout(const struct layout *l, int *last)
{
    for (int t = 0; t < l->steps; t++)
        last[t] = l->step[t].last;
}

/* Makes the step go along the variable, if all gain by that. */
static void try_along(struct layout *l, int t, int var, double *least)
{
    int before[2 * NETWORK_MAX];
    const struct contraction_step *step = &l->step[t];
    keep_layout(l, before);
    lay_along(l, t, var);
    for (int k = 0; k < 2; k++)
        if (step->arg[k] >= l->network->factors)
            lay_along(l, step->arg[k] - l->network->factors, var);
    const double cost = cost_of_all(l);
    if (cost < *least)
        *least = cost;
    else
        for (int i = 0; i < l->steps; i++)
            l->step[i].last = before[i];
}

static void find_sets(struct layout *l)
{
    const int factors = l->network->factors;
    for (int t = 0; t < l->steps; t++) {
        const struct contraction_step *step = &l->step[t];
        for (int k = 0; k < 2 && step->arg[k] >= 0; k++)
            l->set[t] |= step->arg[k] < factors ? (factor_set)1 << step->arg[k]
                                                : l->set[step->arg[k] - factors];
        if (step->same >= 0)
            contraction_is_alike(l->network, l->set[step->same], l->set[t], l->is[t]);
    }
}

void contraction_lay_out(struct context *cx, const struct network *network, int lanes,
                         struct contraction *made)
{
    struct layout l = {network, lanes, made->step, made->steps, NULL, NULL};
    l.set = arena_array(cx->arena, factor_set, made->steps);
    l.is = arena_alloc(cx->arena, sizeof *l.is * (size_t)made->steps);
    for (int t = 0; t < made->steps; t++)
        made->step[t].last = -1;
    find_sets(&l);
    double least = cost_of_all(&l), before = INFINITY;
    while (least < before) {
        before = least;
        for (int t = made->steps; t-- > 0;)
            for (var_set v = (made->step[t].kept | made->step[t].summed) & ~network->around; v;
                 v &= v - 1)
                try_along(&l, t, __builtin_ctzll(v), &least);
    }
}
