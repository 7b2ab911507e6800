/* regret.c - what it costs to trust the planner: the plan taken against all that it weighed.
 *
 *     regret [--seed S] [--count N] [--beyond N] [--wrong N] [--steep N] [--case SEED] [--verbose]
 *
 * A case is a statement with formats drawn for its tensors.  It is compiled with the plan, and once
 * with each schedule that the planner weighed, and all of these are interpreted on tensors of two
 * sizes, where operations are counted.  A plan for nobody's sizes may not grow faster between them
 * than the flattest; what is constant or of lower order makes an alternative flat as well, so those
 * that seem flatter are run again, and the plan, on tensors twice as large as the larger.  A plan
 * for the sizes of the larger tensors may take twice as many operations on them as the least for 99
 * cases in a hundred, eight times as many for all: there every alternative of either plan counts.
 * --beyond, --wrong, --steep: so many cases that fail in this are known.  --verbose and --case tell
 * each alternative, with the number of its cost.
 *
 * Tensors are as sparse matrices are: so many entries a row.  Where a format stores differences of
 * coordinates all of the case are banded, along the diagonals that it stores: of a tensor whose
 * entries are anywhere nobody would store the diagonals.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "runtime/tensor/nodes.h"
#include "tests/support/rng.h"
#include "tests/support/trial.h"

enum { SIZES = 2, OPERANDS = 6, ENTRIES = 4 /* a row */, DOUBLINGS = 3 };

/* What a plan may take of the least: of nearly all cases, of every one. */
static const double most_often = 2, most = 8, share_beyond = 0.01;
/* Exponents are whole numbers: less than half of one is a logarithm, or of lower order. */
static const double steeper = 0.5;
/* Alternatives are given up where they take so much longer than the plan. */
static const int64_t patience = 4;
/* Of the sizes: the larger one is so many of the smaller; and as large as the plan takes so many
 * steps. */
static const int64_t ratio = 4, plan_steps = 2 * 1000 * 1000;
/* Of what is run once more on larger tensors. */
static const int64_t steps_beyond = 200 * 1000 * 1000;

struct statement {
    const char *text;
    int order[OPERANDS]; /* of its tensors, the result first */
};

/* Names of tensors in order of appearance: y, a, b, c, d, e. */
static const struct statement statements[] = {
    {"y(i) = a(i) + b(i)", {1, 1, 1}},
    {"y(i) = a(i) * b(i) - c(i)", {1, 1, 1, 1}},
    {"y(i) = a(i,j) * b(j)", {1, 2, 1}},
    {"y(j) = a(i,j) * b(i)", {1, 2, 1}},
    {"y(i) = a(i) - b(i,j) * c(j)", {1, 1, 2, 1}},
    {"y(i) = a(i,j)", {1, 2}},
    {"y = a(i,j) * b(i,j)", {0, 2, 2}},
    {"y = a(i) * b(i,j) * c(j)", {0, 1, 2, 1}},
    {"y(i,j) = a(i,j) + b(i,j)", {2, 2, 2}},
    {"y(i,j) = a(i,j) * b(i,j)", {2, 2, 2}},
    {"y(i,j) = a(i,j) - b(j,i)", {2, 2, 2}},
    {"y(i,j) = a(i,j) * b(j,i)", {2, 2, 2}},
    {"y(i,j) = a(j,i)", {2, 2}},
    {"y(i,j) = max(a(i,j), b(i,j))", {2, 2, 2}},
    {"y(i,j) = a(i,j) * b(j)", {2, 2, 1}},
    {"y(i,j) = a(i) * b(i,j) * c(j)", {2, 1, 2, 1}},
    {"y(i,j) = a(i,k) * b(k,j)", {2, 2, 2}},
    {"y(i,j) = a(k,i) * b(k,j)", {2, 2, 2}},
    {"y(i,j) = a(i,k) * b(j,k)", {2, 2, 2}},
    {"y(i,j) = a(i,k) * b(k,j) + c(i,j)", {2, 2, 2, 2}},
    {"y(i,j) = a(i,j) * b(i,k) * c(k,j)", {2, 2, 2, 2}},
    {"y(i,j) = a(i,j) * (b(i,j) + c(i,j))", {2, 2, 2, 2}},
    {"y(i,j) = a(i,j) + b(i,j) + c(i,j)", {2, 2, 2, 2}},
    {"y(i,l) = a(i,j) * b(j,k) * c(k,l)", {2, 2, 2, 2}},
    {"y(i,j,k) = a(i,j,k) + b(i,j,k)", {3, 3, 3}},
    {"y(i,j,k) = a(k,i,j)", {3, 3}},
    {"y(i,j,k) = a(i,j,k) * b(i,k)", {3, 3, 2}},
    {"y(i,j) = a(i,j,k) * b(k)", {2, 3, 1}},
    {"y(i,l) = a(i,j,k) * b(j,l) * c(k,l)", {2, 3, 2, 2}},
    {"y(i,j,l) = a(i,j,k) * b(k,l)", {3, 3, 2}},
    /* contractions, and copies of what is transposed */
    {"y(i) = a(i,j) * b(j,k) * c(k,l) * d(l,m) * e(m)", {1, 2, 2, 2, 2, 1}},
    {"y = a(i,j) * b(j,k) * c(k,l) * d(l,i)", {0, 2, 2, 2, 2}},
    {"y(i) = a(i,j) * b(j,k) * c(i,k) * d(k)", {1, 2, 2, 2, 1}},
    {"y(i,j) = a(k,i) * b(j,k) * c(i,j)", {2, 2, 2, 2}},
    {"y(i) = max(a(i,j) * b(j,k) * c(k), 0)", {1, 2, 2, 1}},
    /* sums that may be distributed */
    {"y(i) = (a(i,j) - b(j)) * c(j)", {1, 2, 1, 1}},
    {"y = (a(i,j) - b(i) * c(j)) * (a(i,j) - b(i) * c(j))", {0, 2, 1, 1}},
    {"y(i) = (a(i,j) + b(i,j)) * (c(j) - d(i))", {1, 2, 2, 1, 1}},
};

#define BLOCKED_VECTOR "(i) -> (i/4 : dense, i%4/2 : compressed, i%2 : dense)"
#define BLOCKED_ROWS   "(i,j) -> (i/2 : compressed, j : compressed, i%2 : dense)"
#define HASHED_BLOCKS  "(i,j) -> (i/2 : hashed, j/2 : hashed, i%2 : dense, j%2 : bitmap)"
#define LIST           "(i,j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))"
#define BLOCKS_IN_ROWS "(i,j) -> (i : dense, j/2 : compressed, j%2 : dense)"
#define BLOCKS_IN_BLOCKS \
    "(i,j) -> (i/4 : compressed, j/2 : compressed, i/2%2 : dense, i%2 : dense, j%2 : dense)"
#define PADDED_ROWS        "(i,j) -> (i : hashed, i/2 : padded, j : compressed)"
#define THIRDS             "(i) -> (i/3 : dense, i%3 : compressed)"
#define DIAGONALS          "(i,j) -> (i-j : compressed, j : range, i : offset)"
#define DIAGONALS_OF_THREE "(i,j,k) -> (k-j : compressed, j : range, k : offset, i : compressed)"
#define LIST_OF_THREE                                                                         \
    "(i,j,k) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered), " \
    "k : singleton(unordered))"

/* Plans that were once of another order than the least, or far from it. */
static const struct {
    int statement;
    const char *format[OPERANDS];
} known[] = {
    {8, {"csr", "csr", "dia"}},
    {9, {"csr", "dcsr", "dia"}},
    {8, {"csr", "dia", "dia"}},
    {9, {"csr", "dcsc", "dia"}},
    /* what is reduced in a register is stored once */
    {3, {BLOCKED_VECTOR, "dense:1,0", BLOCKED_VECTOR}},
    /* hash tables have more positions than nodes */
    {22, {"dok", "dcsr", HASHED_BLOCKS, HASHED_BLOCKS}},
    /* a copy has as many entries as what is copied */
    {23, {"dok", "csr", "dense:1,0", LIST}},
    /* a loop over all flags does its body where they are set */
    {29, {"coo:1,0,2", "bitmap", "csr"}},
    /* the longer what is searched, the longer that takes */
    {6, {"dense", "hash:1,0", BLOCKED_ROWS}},
    /* loops that follow blocks, and a list for the result */
    {11, {BLOCKS_IN_ROWS, "bcsc(3,2)", "bitmap"}},
    /* what is looked up by the block that it is in is there for the whole block */
    {2, {"dense", BLOCKS_IN_BLOCKS, "dense"}},
    /* filters before copies */
    {26, {"coo:2,1,0", "hash:2,0,1", "bitmap"}},
    /* a level that follows from the one above misses nothing */
    {16, {"dia", PADDED_ROWS, "hash:1,0"}},
    /* the plan that is weighed is the one that is taken */
    {23, {"csb(2)", "coo:1,0", "mode-generic:1,0", "dok"}},
    /* a grid of blocks is mostly empty */
    {28, {"csr", LIST_OF_THREE, "csb(2)", "bcsc(3,2)"}},
    /* so is what is below a level of all coordinates, and an intersection of lists that have less
     * than an entry each ends soon */
    {28, {"mode-generic:1,0", "sds:0,2,1", HASHED_BLOCKS, "csr"}},
    /* scalars are expanded where their producer's loops alone are those of blocks */
    {19, {DIAGONALS, "coo", BLOCKED_ROWS, "hash"}},
    /* what has been mended stays in the order in which it was weighed */
    {2, {"bitmap", "dense:1,0", THIRDS}},
    /* coordinates that come again anywhere are visited again */
    {18, {"dok", "dense:1,0", LIST}},
    /* long rows are sorted by counting */
    {2, {"coo", "csc", THIRDS}},
    /* what is reduced is stored where there is anything to reduce */
    {29, {DIAGONALS_OF_THREE, "coo", DIAGONALS}},
    /* the parts of what a list stores, in order, are its order */
    {0, {"sparse", "(i) -> (i/2 : compressed, i%2 : dense)", "(i) -> (i : bytemap)"}},
    /* nor has a copy of a grid the order of the grid */
    {23, {"dense", "csb(3)", "dia:1,0", BLOCKS_IN_ROWS}},
    /* hash tables are walked along where they are shortest */
    {28, {"dense", "hash:2,0,1", PADDED_ROWS, PADDED_ROWS}},
    /* the whole product is contracted before orders take the budget */
    {30, {"dense", "csc", "dcsr", "csr", "dcsr", "dense"}},
    /* the sum is written out */
    {35, {"dense", "csr", "dense", "dense"}},
};
/* What is drawn by a seed stays when cases are added. */
enum { KNOWN = sizeof known / sizeof *known, FIRST_DRAWN = 15 };

struct subject {
    uint64_t seed;
    const struct statement *statement;
    const char *format[OPERANDS];
    int64_t size[SIZES];
    bool banded;
    bool verbose; /* tell each alternative, with the number of its cost */
    struct context *cx;
    struct tensor *tensor[SIZES][OPERANDS];
};

/* Operations at each size; negative: given up. */
struct work {
    double at[SIZES];
    int64_t steps[SIZES];
};

struct totals {
    int cases, alternatives, beyond, wrong, steep;
    double worst;
};

/* ---- a case ---- */

static int operands(const struct statement *s)
{
    int n = 1;
    while (n < OPERANDS && s->order[n] > 0)
        n++;
    return n;
}

static const char *draw_format(struct rng *rng, int order)
{
    int n = 0;
    if (order == 0)
        return "dense";
    if (rng_percent(rng, 15))
        return order == 1 ? "dense" : order == 2 && rng_percent(rng, 50) ? "csr" : "dense";
    while (case_named_format(order, n))
        n++;
    return case_named_format(order, rng_below(rng, n));
}

static void draw(struct subject *s, uint64_t seed)
{
    struct rng rng = {seed};
    bool is_known = seed < KNOWN;
    int largest = 0;
    s->seed = seed;
    s->statement = &statements[is_known ? known[seed].statement
                                        : rng_below(&rng, sizeof statements / sizeof *statements)];
    for (int i = 0; i < operands(s->statement); i++) {
        int order = s->statement->order[i];
        s->format[i] = is_known ? known[seed].format[i] : draw_format(&rng, order);
        largest = order > largest ? order : largest;
    }
    s->size[1] = largest > 2 ? 96 : 720;
    s->size[0] = s->size[1] / ratio;
}

static bool has_difference(const struct map_expr *map)
{
    return map->kind == MAP_SUB || (map->a && has_difference(map->a))
           || (map->b && has_difference(map->b));
}

/* The difference that a level stores; NULL: none does. */
static const struct map_expr *difference_of(const struct format *format)
{
    for (int level = 0; level < format->levels; level++)
        if (has_difference(format->level[level].map))
            return format->level[level].map;
    return NULL;
}

/* How far a mode's coordinates go for the difference to be one more or less; 0: for ever. */
static int64_t step_of(const struct map_expr *map, int mode)
{
    if (map->kind == MAP_MODE)
        return map->mode == mode;
    int64_t a = map->a ? step_of(map->a, mode) : 0, b = map->b ? step_of(map->b, mode) : 0;
    return map->kind == MAP_DIV ? a * map->b->constant : a + b;
}

/* ---- tensors ---- */

static struct tensor *pack(struct subject *s, const struct tensor_var *var, int64_t size)
{
    struct rng rng = {s->seed * 16 + (uint64_t)var->rank};
    struct coords coords;
    struct rt_error error;
    struct tensor *tensor = NULL;
    int64_t dimension[ORDER_MAX] = {0}, at[ORDER_MAX];
    int64_t entries = var->order == 1 ? size / ENTRIES : var->order > 1 ? size * ENTRIES : 0;
    const struct map_expr *difference = difference_of(var->format);
    int64_t step[ORDER_MAX];
    for (int m = 0; m < var->order; m++) {
        dimension[m] = size;
        step[m] = difference ? step_of(difference, m) : 0;
        step[m] = step[m] > 0 ? step[m] : 1;
    }
    coords_init(&coords, var->order, dimension, var->type);
    bool fits = true;
    for (int64_t e = 0; e < entries && fits; e++) {
        double value = 1;
        at[0] = rng_below(&rng, (int)size);
        for (int m = 1; m < var->order; m++)
            at[m] = s->banded ? (at[0] * step[m] / step[0] + rng_below(&rng, ENTRIES)) % size
                              : rng_below(&rng, (int)size);
        fits = coords_add(&coords, at, &value);
    }
    if (!fits
        || tensor_pack(&coords, var->format, var->fill, 1, var->name, &tensor, &error) != RT_OK)
        context_bug(s->cx, "an operand cannot be packed");
    coords_free(&coords);
    return tensor;
}

static void make_tensors(struct subject *s, const struct pipeline *p)
{
    for (int i = 0; i < p->tensors; i++)
        s->banded |= difference_of(p->tensor[i]->format) != NULL;
    for (int k = 0; k < SIZES; k++)
        for (int i = 1; i < p->tensors; i++)
            s->tensor[k][i] = pack(s, p->tensor[i], s->size[k]);
}

static void free_tensors(struct subject *s)
{
    for (int k = 0; k < SIZES; k++)
        for (int i = 0; i < OPERANDS; i++)
            tensor_free(s->tensor[k][i]), s->tensor[k][i] = NULL;
}

/* ---- runs ---- */

/* What the tensors are like, at the larger size. */
static struct tin_expected expected_of(struct subject *s, const char *name, int i)
{
    const struct tensor *tensor = s->tensor[SIZES - 1][i];
    int64_t *positions = arena_array(s->cx->arena, int64_t, tensor->format->levels);
    tensor_count_nodes(tensor, positions);
    return (struct tin_expected){.name = name,
                                 .stored = -1,
                                 .modes = tensor->order,
                                 .dimension = tensor->dimension,
                                 .levels = tensor->format->levels,
                                 .positions = positions};
}

static bool compile(struct subject *s, const char *schedule, bool plans, bool knows_sizes,
                    struct pipeline *p)
{
    static const char *const names[] = {"y", "a", "b", "c", "d", "e"};
    struct tin_declaration declared[OPERANDS];
    struct tin_expected expected[OPERANDS];
    int n = operands(s->statement);
    for (int i = 0; i < n; i++)
        declared[i] = (struct tin_declaration){names[i], s->format[i], NULL, NULL};
    struct pipeline_request request = {.expression = s->statement->text,
                                       .schedule = schedule,
                                       .no_plan = !plans,
                                       .serial = true,
                                       .weighs = plans,
                                       .distributes = plans};
    request.declared = (struct tin_declarations){
        .tensor = declared, .tensors = n, .defaults = {TYPE_I32, TYPE_I32}};
    for (int i = 1; i < n && knows_sizes; i++)
        expected[i - 1] = expected_of(s, names[i], i);
    request.declared.expected = expected;
    request.declared.n_expected = knows_sizes ? n - 1 : 0;
    s->cx->diags.n = 0;
    return pipeline_run(s->cx, &request, STAGE_IMPERATIVE, p);
}

/* Operations at one size; negative: more than so many steps.  *steps: how many they are. */
static double interpret(struct subject *s, const struct pipeline *p, int size, int64_t *steps)
{
    const struct imp_function *f = p->imperative;
    struct imp_argument *argument = arena_array(s->cx->arena, struct imp_argument, f->params);
    struct rt_error error;
    int64_t dimension[ORDER_MAX];
    for (int m = 0; m < ORDER_MAX; m++)
        dimension[m] = s->size[size];
    if (tensor_new_empty(p->tensor[0]->format, p->tensor[0]->type, dimension, p->tensor[0]->fill,
                         "y", &s->tensor[size][0], &error)
        != RT_OK)
        context_bug(s->cx, "no result");
    for (int i = 0; i < f->params; i++)
        argument[i] = trial_argument(s->tensor[size], &f->param[i]);
    struct imp_run run =
        imp_interpret(s->cx, f, argument, &(struct imp_options){.max_steps = *steps});
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out)
            free(argument[i].data);
    tensor_free(s->tensor[size][0]);
    s->tensor[size][0] = NULL;
    if (run.fault && run.steps < *steps)
        context_bug(s->cx, "%s", run.fault);
    *steps = run.steps;
    struct imp_counts n = run.counts;
    return run.fault ? -1 : (double)(n.statements + n.iterations + n.loads + n.stores + n.elements);
}

/* At the larger size first: most that is given up is so there. */
static struct work run(struct subject *s, const struct pipeline *p, const struct work *plan)
{
    struct work work = {{-1, -1}, {0, 0}};
    for (int k = SIZES; k-- > 0;) {
        work.steps[k] = plan ? plan->steps[k] * patience : plan_steps;
        work.at[k] = interpret(s, p, k, &work.steps[k]);
        if (work.at[k] < 0)
            break;
    }
    return work;
}

/* On tensors that are as large as suits the plan. */
static struct work run_plan(struct subject *s, const struct pipeline *p)
{
    struct work plan = run(s, p, NULL);
    while (plan.at[0] < 0) {
        s->size[1] = s->size[1] * 2 / 3 / ratio * ratio;
        s->size[0] = s->size[1] / ratio;
        free_tensors(s);
        make_tensors(s, p);
        plan = run(s, p, NULL);
    }
    return plan;
}

static double slope(const struct subject *s, const struct work *work)
{
    return log(work->at[1] / work->at[0]) / log((double)s->size[1] / (double)s->size[0]);
}

/* ---- what a case comes to ---- */

static void tell(const struct subject *s, const char *what, const char *plan,
                 const struct work *work)
{
    printf("  %-8s %10.0f %10.0f  n^%.2f  %s\n", what, work->at[0], work->at[1], slope(s, work),
           *plan ? plan : "as it is");
}

struct alternative {
    const char *plan;
    struct work work;
};

/* The alternatives of a case: those that give one text are one. */
struct weighing {
    struct work plan; /* that no alternative may take much longer than */
    struct work least, flattest;
    const char *least_plan, *flattest_plan;
    VEC(const char *) known;
    /* all that were run to the end */
    VEC(struct alternative) alternative;
};

static bool is_new(struct subject *s, struct weighing *w, const char *schedule)
{
    for (size_t k = 0; k < w->known.n; k++)
        if (!strcmp(w->known.at[k], schedule))
            return false;
    vec_push(s->cx->arena, &w->known, schedule);
    return true;
}

static void consider(const struct subject *s, struct weighing *w, const struct work *work,
                     const char *plan)
{
    bool first = !w->least_plan;
    vec_push(s->cx->arena, &w->alternative, ((struct alternative){plan, *work}));
    if (first || work->at[1] < w->least.at[1])
        w->least = *work, w->least_plan = plan;
    if (first || slope(s, work) < slope(s, &w->flattest))
        w->flattest = *work, w->flattest_plan = plan;
}

static void try_alternatives(struct subject *s, struct weighing *w, const struct pipeline *p,
                             struct totals *totals)
{
    struct pipeline other;
    for (size_t i = 0; i < p->weighed.alternative.n; i++) {
        const char *schedule = p->weighed.alternative.at[i].schedule;
        if (!is_new(s, w, schedule)
            || (!compile(s, schedule, false, false, &other)
                && !compile(s, schedule, true, false, &other)))
            continue;
        struct work work = run(s, &other, &w->plan);
        totals->alternatives++;
        if (work.at[0] < 0)
            continue;
        consider(s, w, &work, other.plan);
        if (s->verbose)
            tell(s, arena_printf(s->cx->arena, "%.1e", p->weighed.alternative.at[i].cost),
                 other.plan, &work);
    }
}

/* Operations on tensors of the size beyond; negative: it is given up. */
static double work_beyond(struct subject *s, const struct alternative *a)
{
    struct pipeline p;
    int64_t steps = steps_beyond;
    if (!compile(s, a->plan, false, false, &p) && !compile(s, a->plan, true, false, &p))
        context_bug(s->cx, "a plan cannot be given");
    return interpret(s, &p, 0, &steps);
}

/* The slope to twice the size, from where the alternative was; infinite if it is given up. */
static double slope_beyond(struct subject *s, struct alternative *a)
{
    double beyond = work_beyond(s, a), slope = beyond < 0 ? INFINITY : log2(beyond / a->work.at[1]);
    if (s->verbose)
        printf("  %-8s %10.0f, %lld: %10.0f  n^%.2f  %s\n", "beyond", a->work.at[1],
               (long long)s->size[0], beyond, slope, *a->plan ? a->plan : "as it is");
    a->work.at[1] = beyond;
    return slope;
}

/* Those that are flatter than the plan, which was considered first, between the two sizes. */
static size_t seemingly_flatter(struct subject *s, struct weighing *w)
{
    size_t n = 0;
    for (size_t i = 1; i < w->alternative.n; i++)
        if (slope(s, &w->plan) > slope(s, &w->alternative.at[i].work) + steeper)
            w->alternative.at[++n] = w->alternative.at[i];
    return n;
}

/* Does the plan grow faster than an alternative, also on larger tensors?  What only has larger
 * constants grows faster until they outweigh what is of lower order. */
static bool is_steep(struct subject *s, struct weighing *w, const struct pipeline *p)
{
    size_t n = seemingly_flatter(s, w);
    const int64_t smaller = s->size[0];
    s->size[0] = s->size[1];
    for (int doubling = 0; doubling < DOUBLINGS && n > 0; doubling++) {
        s->size[0] *= 2;
        free_tensors(s);
        make_tensors(s, p);
        double own = slope_beyond(s, &w->alternative.at[0]);
        size_t left = 0;
        for (size_t i = 1; i <= n; i++)
            if (own > slope_beyond(s, &w->alternative.at[i]) + steeper)
                w->alternative.at[++left] = w->alternative.at[i];
        n = left;
        if (isinf(own))
            break;
    }
    s->size[0] = smaller;
    return n > 0;
}

static void tell_case(const struct subject *s, const struct weighing *w, const char *plan,
                      const struct pipeline *sized, const struct work *work)
{
    printf("case %llu: %s, sizes to %lld, %.2f of the least, n^%.2f more than the flattest\n ",
           (unsigned long long)s->seed, s->statement->text, (long long)s->size[1],
           work->at[1] / w->least.at[1], slope(s, &w->plan) - slope(s, &w->flattest));
    for (int i = 0; i < operands(s->statement); i++)
        printf(" %s", s->format[i]);
    printf("\n");
    tell(s, "plan", plan, &w->plan);
    tell(s, "sized", sized->plan, work);
    tell(s, "least", w->least_plan, &w->least);
    tell(s, "flattest", w->flattest_plan, &w->flattest);
}

static void compare(struct subject *s, struct totals *totals)
{
    struct pipeline p, sized;
    if (!compile(s, NULL, true, false, &p)) {
        /* some formats are of operands alone */
        if (s->cx->diags.at[0].code != DIAG_FORMAT)
            context_bug(s->cx, "it is refused: %s", diag_render(s->cx));
        return;
    }
    make_tensors(s, &p);
    struct weighing w = {.plan = run_plan(s, &p)};
    consider(s, &w, &w.plan, p.plan);
    if (!compile(s, NULL, true, true, &sized))
        context_bug(s->cx, "with sizes it is refused");
    struct work work = run(s, &sized, &w.plan);
    if (work.at[0] < 0) /* given up: it takes longer than this */
        for (int k = 0; k < SIZES; k++)
            work.at[k] = (double)patience * w.plan.at[k];
    consider(s, &w, &work, sized.plan);
    try_alternatives(s, &w, &sized, totals);
    try_alternatives(s, &w, &p, totals);
    double regret = work.at[1] / w.least.at[1];
    bool steep = is_steep(s, &w, &p);
    totals->cases++;
    totals->beyond += regret > most_often;
    totals->wrong += regret > most;
    totals->steep += steep;
    totals->worst = regret > totals->worst ? regret : totals->worst;
    if (regret > most_often || steep || s->verbose)
        tell_case(s, &w, p.plan, &sized, &work);
}

static void measure(uint64_t seed, struct totals *totals, bool verbose)
{
    struct subject s = {.verbose = verbose, .cx = context_new()};
    if (!s.cx)
        return;
    draw(&s, seed);
    if (context_protect(s.cx)) {
        compare(&s, totals);
    } else {
        totals->wrong++;
        printf("case %llu: %s\n", (unsigned long long)seed, s.cx->bug ? s.cx->bug : "no memory");
    }
    free_tensors(&s);
    context_free(s.cx);
}

int main(int argc, char **argv)
{
    struct totals totals = {0}, known_of = {0};
    uint64_t seed = 1, one = 0;
    long count = 40;
    bool verbose = false, has_one = false;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--verbose"))
            verbose = true;
        else if (!strcmp(argv[i], "--seed") && more)
            seed = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--count") && more)
            count = strtol(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--beyond") && more)
            known_of.beyond = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--wrong") && more)
            known_of.wrong = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--steep") && more)
            known_of.steep = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--case") && more)
            has_one = true, one = strtoull(argv[++i], NULL, 10);
        else
            return fprintf(stderr, "regret: what is %s?\n", argv[i]), 2;
    }
    struct rng rng = {seed};
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (has_one)
        measure(one, &totals, true);
    for (uint64_t i = 0; i < KNOWN && !has_one; i++)
        measure(i, &totals, verbose);
    for (long i = KNOWN; i < count && !has_one; i++)
        measure(FIRST_DRAWN + (rng_next(&rng) >> 16), &totals, verbose);
    printf("%d statements, %d alternatives: %d beyond %g of the least, %d beyond %g or "
           "failed, the worst %.2f; %d grow faster\n",
           totals.cases, totals.alternatives, totals.beyond, most_often, totals.wrong, most,
           totals.worst, totals.steep);
    return totals.wrong > known_of.wrong || totals.steep > known_of.steep || !totals.alternatives
           || totals.beyond > known_of.beyond + share_beyond * totals.cases;
}
