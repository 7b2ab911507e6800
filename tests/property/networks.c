/* networks.c - products of real matrices: the plan against all trees of two factors at a time.
 *
 *     networks [--data FOLDER] [--seed S] [--count N] [--case SEED] [--beyond N] [--wrong N]
 *              [--verbose]
 *
 * A case is a chain, a star, a triangle or a cycle of matrices, each a square cut out of a file of
 * the folder, in a format that is drawn.  Its statement is compiled with a plan for these tensors,
 * and interpreted, which counts operations.
 *
 * Beside it stand all trees: for every connected subset of the factors the cheapest way to multiply
 * two parts of it, each step a statement of its own, planned for what it reads, with its result
 * sparse or dense.  A factor may be summed by itself first.  Costs of steps add up, so that subsets
 * are enough.  What alone takes more than the plan is given up.
 *
 * The plan may take 1.5 times the operations of the best tree for 95 cases in a hundred, five times
 * for all.  --beyond, --wrong: so many cases that fail in this are known.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/registry.h"
#include "runtime/io/io.h"
#include "runtime/tensor/nodes.h"
#include "tests/support/rng.h"
#include "tests/support/trial.h"

enum { SKIP = 77, FILES = 32, FACTORS = 6, LARGEST = 240, FEATURES = 8, TRIES = 8 };
/* Dense intermediate results have so many components at most. */
static const double dense_most = 2e6;
/* The plan is given up beyond so many steps: the case is drawn with smaller squares then. */
static const int64_t plan_steps = 8 * 1000 * 1000;
static const double most_often = 1.5, most = 5, share_beyond = 0.05;

struct file {
    char name[64];
    struct coords coords;
};

struct files {
    const char *folder;
    struct file file[FILES];
    int n;
};

/* What a factor or a step's result is stored as. */
enum kind { KIND_SPARSE, KIND_DENSE, KINDS };

struct made {
    struct tensor *tensor; /* NULL: there is none */
    const char *format;
    double work; /* of the steps to it */
};

struct subject {
    uint64_t seed;
    struct context *cx;
    int factors;
    const char *shape;
    char vars[FACTORS][4], free[4]; /* letters */
    const char *format[FACTORS], *result;
    struct tensor *tensor[FACTORS];
    int64_t size;
    const char *name;     /* of the file */
    bool verbose, weighs; /* weighs: what the planner weighs is told */
    int64_t steps;        /* of the plan: what takes more is given up */
    int kernels;
    struct made raw[FACTORS], subset[1 << FACTORS][KINDS];
    const char *how[1 << FACTORS][KINDS];
};

struct totals {
    int cases, beyond, wrong, kernels;
    double worst;
};

/* ---- files ---- */

static void find_files(struct files *files, const char *folder)
{
    DIR *dir = opendir(folder);
    files->folder = folder;
    for (const struct dirent *entry; dir && (entry = readdir(dir)) && files->n < FILES;)
        if (strstr(entry->d_name, ".mtx") && strlen(entry->d_name) < sizeof files->file->name)
            strcpy(files->file[files->n++].name, entry->d_name);
    if (dir)
        closedir(dir);
    for (int i = 1; i < files->n; i++) /* the same order on every machine */
        for (int k = i; k > 0 && strcmp(files->file[k - 1].name, files->file[k].name) > 0; k--) {
            struct file swap = files->file[k];
            files->file[k] = files->file[k - 1];
            files->file[k - 1] = swap;
        }
}

static const struct coords *read_file(struct files *files, int n, struct context *cx)
{
    struct file *file = &files->file[n];
    struct rt_error error;
    const struct io_request request = {.type = TYPE_F64, .order = 2};
    const char *path = arena_printf(cx->arena, "%s/%s", files->folder, file->name);
    if (!file->coords.order && io_read(path, &request, &file->coords, &error) != RT_OK)
        context_bug(cx, "%s: %s", path, error.message);
    return &file->coords;
}

/* The entries of the square at (at, at), as many as there are; with a list to add them to. */
static int64_t cut(const struct coords *from, int64_t at, int64_t size, struct coords *to)
{
    int64_t n = 0;
    for (int64_t e = 0; e < from->n; e++) {
        const int64_t place[2] = {coords_at(from, 0, e) - at, coords_at(from, 1, e) - at};
        const double one = 1;
        if (place[0] < 0 || place[0] >= size || place[1] < 0 || place[1] >= size)
            continue;
        n += !to || coords_add(to, place, &one);
    }
    return n;
}

/* The fullest of some squares. */
static int64_t place_of(struct rng *rng, const struct coords *from, int64_t size)
{
    int64_t rows =
                from->dimension[0] < from->dimension[1] ? from->dimension[0] : from->dimension[1],
            best = 0, most_entries = -1;
    for (int i = 0; i < TRIES; i++) {
        int64_t at = rows > size ? rng_below(rng, (int)(rows - size)) : 0,
                n = cut(from, at, size, NULL);
        if (n > most_entries)
            most_entries = n, best = at;
    }
    return best;
}

/* ---- a case ---- */

static const char *draw_format(struct rng *rng)
{
    static const char *const formats[] = {"csr", "csr", "csr", "csc", "coo", "dcsr"};
    return formats[rng_below(rng, 6)];
}

static void add_factor(struct subject *s, struct rng *rng, const char *vars)
{
    snprintf(s->vars[s->factors], sizeof *s->vars, "%s", vars);
    s->format[s->factors++] = vars[1] && vars[1] != 'z' ? draw_format(rng) : "dense";
}

/* a to b, b to c, ...; at the end a vector, some features, or nothing. */
static void draw_chain(struct subject *s, struct rng *rng)
{
    int n = 2 + rng_below(rng, 3), end = rng_below(rng, 4);
    for (int i = 0; i < n; i++)
        add_factor(s, rng, (char[]){(char)('a' + i), (char)('b' + i), 0});
    char last = (char)('a' + n);
    s->shape = "chain";
    if (end < 2)
        add_factor(s, rng, end ? (char[]){last, 'z', 0} : (char[]){last, 0});
    snprintf(s->free, sizeof s->free, "%s",
             end == 0   ? "a"
             : end == 1 ? "az"
             : end == 2 ? (char[]){'a', last, 0}
                        : "");
}

static void draw_star(struct subject *s, struct rng *rng)
{
    int n = 2 + rng_below(rng, 3);
    for (int i = 0; i < n; i++) {
        char leaf = (char)('b' + i);
        add_factor(s, rng, rng_percent(rng, 50) ? (char[]){'a', leaf, 0} : (char[]){leaf, 'a', 0});
        if (s->factors < FACTORS && rng_percent(rng, 30))
            add_factor(s, rng, (char[]){leaf, 0});
    }
    s->shape = "star";
    snprintf(s->free, sizeof s->free, "%s", rng_percent(rng, 60) ? "a" : "");
}

static void draw_cycle(struct subject *s, struct rng *rng, int n)
{
    static const char *const free[] = {"", "a", "ab", "ac"};
    for (int i = 0; i < n; i++) {
        char from = (char)('a' + i), to = (char)('a' + (i + 1) % n);
        add_factor(s, rng, rng_percent(rng, 70) ? (char[]){from, to, 0} : (char[]){to, from, 0});
    }
    if (rng_percent(rng, 30))
        add_factor(s, rng, (char[]){(char)('a' + rng_below(rng, n)), 0});
    s->shape = n == 3 ? "triangle" : "cycle";
    snprintf(s->free, sizeof s->free, "%s", free[rng_below(rng, 4)]);
}

static void draw(struct subject *s, struct rng *rng)
{
    switch (rng_below(rng, 4)) {
    case 0: draw_chain(s, rng); break;
    case 1: draw_star(s, rng); break;
    case 2: draw_cycle(s, rng, 3); break;
    case 3: draw_cycle(s, rng, 4 + (int)rng_percent(rng, 20)); break;
    }
    bool matrix = s->free[0] && s->free[1] && s->free[1] != 'z';
    s->result = matrix && rng_percent(rng, 70) ? "csr" : "dense";
    s->size = LARGEST / 4 + rng_below(rng, LARGEST * 3 / 4);
}

static int64_t size_of(const struct subject *s, char var)
{
    return var == 'z' ? FEATURES : s->size;
}

static struct tensor *pack(struct subject *s, struct coords *coords, const char *format)
{
    struct rt_error error;
    struct tensor *tensor = NULL;
    const struct format *parsed = format_parse(s->cx, "A", format, coords->order,
                                               (struct format_defaults){TYPE_I32, TYPE_I32});
    if (!parsed
        || tensor_pack(coords, parsed, value_zero(TYPE_F64), 1, "A", &tensor, &error) != RT_OK)
        context_bug(s->cx, "an operand cannot be packed");
    return tensor;
}

/* All factors are squares of one file, vectors and features full. */
static void make_tensors(struct subject *s, struct files *files, struct rng *rng)
{
    int file = rng_below(rng, files->n);
    const struct coords *from = read_file(files, file, s->cx);
    s->name = files->file[file].name;
    for (int i = 0; i < s->factors; i++) {
        struct coords coords;
        int order = (int)strlen(s->vars[i]);
        int64_t dimension[2] = {0}, at[2];
        for (int m = 0; m < order; m++)
            dimension[m] = size_of(s, s->vars[i][m]);
        coords_init(&coords, order, dimension, TYPE_F64);
        const double one = 1;
        if (strcmp(s->format[i], "dense") != 0)
            cut(from, place_of(rng, from, s->size), s->size, &coords);
        else
            for (at[0] = 0; at[0] < dimension[0]; at[0]++)
                for (at[1] = 0; at[1] < (order > 1 ? dimension[1] : 1); at[1]++)
                    coords_add(&coords, at, &one);
        s->raw[i] = (struct made){pack(s, &coords, s->format[i]), s->format[i], 0};
        coords_free(&coords);
    }
}

static void free_tensors(struct subject *s)
{
    for (int i = 0; i < s->factors; i++)
        tensor_free(s->raw[i].tensor);
    for (int set = 0; set < 1 << s->factors; set++)
        for (int k = 0; k < KINDS; k++)
            tensor_free(s->subset[set][k].tensor);
    memset(s->subset, 0, sizeof s->subset);
}

/* ---- a kernel ---- */

/* What is multiplied: named R, A, B, ... in this order. */
struct product {
    const struct made *factor[FACTORS];
    const char *vars[FACTORS];
    int factors;
    const char *kept, *format; /* of the result */
};

static void add_access(struct text *out, char name, const char *vars)
{
    text_printf(out, "%c", name);
    for (int i = 0; vars[i]; i++)
        text_printf(out, "%c%c", i ? ',' : '(', vars[i]);
    text_add(out, *vars ? ")" : "");
}

static const char *statement_of(struct context *cx, const struct product *product)
{
    struct text out = text_new(cx->arena);
    add_access(&out, 'R', product->kept);
    for (int i = 0; i < product->factors; i++) {
        text_add(&out, i ? " * " : " = ");
        add_access(&out, (char)('A' + i), product->vars[i]);
    }
    return out.at;
}

static const char *letter(struct context *cx, int i)
{
    return i < 0 ? "R" : arena_printf(cx->arena, "%c", 'A' + i);
}

/* Compile with a plan for these tensors. */
static void compile(struct context *cx, const struct product *product, bool weighs,
                    struct pipeline *p)
{
    struct tin_declaration declared[1 + FACTORS] = {{"R", product->format, NULL, NULL}};
    struct tin_expected expected[FACTORS];
    for (int i = 0; i < product->factors; i++) {
        const struct tensor *tensor = product->factor[i]->tensor;
        int64_t *positions = arena_array(cx->arena, int64_t, tensor->format->levels);
        tensor_count_nodes(tensor, positions);
        declared[i + 1] =
            (struct tin_declaration){letter(cx, i), product->factor[i]->format, NULL, NULL};
        expected[i] = (struct tin_expected){.name = letter(cx, i),
                                            .stored = -1,
                                            .modes = tensor->order,
                                            .dimension = tensor->dimension,
                                            .levels = tensor->format->levels,
                                            .positions = positions};
    }
    struct pipeline_request request = {
        .expression = statement_of(cx, product), .serial = true, .weighs = weighs};
    request.declared = (struct tin_declarations){.tensor = declared,
                                                 .tensors = product->factors + 1,
                                                 .expected = expected,
                                                 .n_expected = product->factors};
    if (!pipeline_run(cx, &request, STAGE_IMPERATIVE, p))
        context_bug(cx, "%s is refused: %s", request.expression, diag_render(cx));
}

static void adopt(struct tensor *result, const struct imp_function *f,
                  struct imp_argument *argument)
{
    for (int i = 0; i < f->params; i++) {
        const struct imp_param *param = &f->param[i];
        if (!param->out)
            continue;
        void **data = param->role == ROLE_VALUES ? &result->vals
                                                 : &result->level[param->level].array[param->array];
        int64_t *length = param->role == ROLE_VALUES
                              ? &result->nvals
                              : &result->level[param->level].length[param->array];
        free(*data);
        *data = argument[i].data;
        *length = argument[i].length;
    }
}

/* Operations of the kernel; negative: more than so many steps.  *steps: how many.  The result goes
 * into a new tensor with the subject's format. */
static double interpret(struct subject *s, struct context *cx, const struct product *product,
                        const struct pipeline *p, int64_t *steps, struct tensor **result)
{
    const struct imp_function *f = p->imperative;
    struct imp_argument *argument = arena_array(cx->arena, struct imp_argument, f->params);
    struct tensor *by_rank[1 + FACTORS] = {0};
    struct rt_error error;
    int64_t dimension[ORDER_MAX] = {0};
    int order = (int)strlen(product->kept);
    for (int m = 0; m < order; m++)
        dimension[m] = size_of(s, product->kept[m]);
    const struct format *format = format_parse(s->cx, "R", product->format, order,
                                               (struct format_defaults){TYPE_I32, TYPE_I32});
    if (tensor_new_empty(format, TYPE_F64, dimension, value_zero(TYPE_F64), "R", result, &error)
        != RT_OK)
        context_bug(s->cx, "no result");
    for (int t = 0; t < p->tensors; t++) {
        char name = p->tensor[t]->name[0];
        by_rank[p->tensor[t]->rank] = name == 'R' ? *result : product->factor[name - 'A']->tensor;
    }
    for (int i = 0; i < f->params; i++)
        argument[i] = trial_argument(by_rank, &f->param[i]);
    struct imp_run run = imp_interpret(cx, f, argument, &(struct imp_options){.max_steps = *steps});
    if (run.fault && run.steps < *steps)
        context_bug(s->cx, "%s", run.fault);
    *steps = run.steps;
    adopt(*result, f, argument);
    struct imp_counts n = run.counts;
    return run.fault ? -1 : (double)(n.statements + n.iterations + n.loads + n.stores + n.elements);
}

struct outcome {
    double work; /* negative: given up */
    int64_t steps;
    struct tensor *result;
    char bug[200], plan[2000];
};

/* In a context of its own, for what it takes is much. */
static struct outcome run(struct subject *s, const struct product *product, int64_t most_steps)
{
    struct outcome outcome = {.work = -1, .steps = most_steps};
    struct context *cx = context_new();
    struct pipeline p;
    s->kernels++;
    if (cx && context_protect(cx)) {
        compile(cx, product, s->weighs, &p);
        if (s->weighs)
            printf("%s", p.weighed.reasons.at);
        snprintf(outcome.plan, sizeof outcome.plan, "%s", p.plan);
        outcome.work = interpret(s, cx, product, &p, &outcome.steps, &outcome.result);
    } else {
        snprintf(outcome.bug, sizeof outcome.bug, "%s", cx && cx->bug ? cx->bug : "no memory");
    }
    if (cx)
        context_free(cx);
    if (*outcome.bug)
        context_bug(s->cx, "%s", outcome.bug);
    return outcome;
}

/* ---- all trees ---- */

static bool has(const char *vars, char var) { return strchr(vars, var) != NULL; }

/* The variables of the factors of a set that are free or in another factor. */
static const char *kept_by(const struct subject *s, int set)
{
    struct text kept = text_new(s->cx->arena);
    for (char var = 'a'; var <= 'z'; var++) {
        bool inside = false, outside = has(s->free, var);
        for (int i = 0; i < s->factors; i++) {
            inside |= (set >> i & 1) && has(s->vars[i], var);
            outside |= !(set >> i & 1) && has(s->vars[i], var);
        }
        if (inside && outside)
            text_printf(&kept, "%c", var);
    }
    return kept.n ? kept.at : "";
}

static bool is_whole(const struct subject *s, int set) { return set == (1 << s->factors) - 1; }

/* The format of a set's result as of that kind; NULL: there is none. */
static const char *format_of(const struct subject *s, int set, enum kind kind)
{
    static const char *const sparse[] = {NULL, NULL, "csr", "csf"};
    const char *kept = kept_by(s, set);
    size_t order = strlen(kept);
    double room = 1;
    for (size_t m = 0; m < order; m++)
        room *= (double)size_of(s, kept[m]);
    if (is_whole(s, set))
        return kind == KIND_DENSE ? s->result : NULL;
    return order > 3             ? NULL
           : kind == KIND_SPARSE ? sparse[order]
           : room > dense_most   ? NULL
                                 : "dense";
}

/* Try to make a set of these parts, in each format. */
static void try_step(struct subject *s, int set, const struct product *of, double before,
                     const char *how)
{
    for (int k = 0; k < KINDS; k++) {
        struct made *made = &s->subset[set][k];
        struct product product = *of;
        product.kept = is_whole(s, set) ? s->free : kept_by(s, set);
        product.format = format_of(s, set, (enum kind)k);
        if (!product.format || (made->tensor && before >= made->work))
            continue;
        struct outcome outcome = run(s, &product, s->steps);
        double work = before + outcome.work;
        if (outcome.work < 0 || (made->tensor && work >= made->work)) {
            tensor_free(outcome.result);
            continue;
        }
        tensor_free(made->tensor);
        *made = (struct made){outcome.result, product.format, work};
        s->how[set][k] =
            arena_printf(s->cx->arena, "%s%s %s %.0f [%s]\n", how, statement_of(s->cx, &product),
                         product.format, outcome.work, outcome.plan);
    }
}

/* The ways in which a part may be had: a factor as it is, and what steps have made. */
static int ways_of(const struct subject *s, int set, const struct made **way, const char **vars,
                   const char **how)
{
    int n = 0;
    for (int i = 0; i < s->factors; i++)
        if (set == 1 << i)
            way[n] = &s->raw[i], vars[n] = s->vars[i], how[n++] = "";
    for (int k = 0; k < KINDS; k++)
        if (s->subset[set][k].tensor)
            way[n] = &s->subset[set][k], vars[n] = kept_by(s, set), how[n++] = s->how[set][k];
    return n;
}

/* Do the two have a variable in common? */
static bool meet(const struct subject *s, int one, int other)
{
    for (const char *a = kept_by(s, one); *a; a++)
        if (has(kept_by(s, other), *a))
            return true;
    return false;
}

static void try_split(struct subject *s, int one, int other)
{
    const struct made *a[1 + KINDS], *b[1 + KINDS];
    const char *a_vars[1 + KINDS], *b_vars[1 + KINDS], *a_how[1 + KINDS], *b_how[1 + KINDS];
    int as = ways_of(s, one, a, a_vars, a_how), bs = ways_of(s, other, b, b_vars, b_how);
    for (int i = 0; i < as && meet(s, one, other); i++)
        for (int k = 0; k < bs; k++) {
            struct product product = {{a[i], b[k]}, {a_vars[i], b_vars[k]}, 2, NULL, NULL};
            try_step(s, one | other, &product, a[i]->work + b[k]->work,
                     arena_printf(s->cx->arena, "%s%s", a_how[i], b_how[k]));
        }
}

/* From small sets to large ones; what a factor alone sums is summed first. */
static void try_trees(struct subject *s)
{
    for (int set = 1; set < 1 << s->factors; set++) {
        for (int i = 0; i < s->factors; i++)
            if (set == 1 << i && strlen(kept_by(s, set)) < strlen(s->vars[i])) {
                struct product product = {{&s->raw[i]}, {s->vars[i]}, 1, NULL, NULL};
                try_step(s, set, &product, 0, "");
            }
        for (int part = (set - 1) & set; part > 0; part = (part - 1) & set)
            if (part > (set ^ part))
                try_split(s, part, set ^ part);
    }
}

/* ---- what a case comes to ---- */

static struct product whole(const struct subject *s)
{
    struct product product = {.factors = s->factors, .kept = s->free, .format = s->result};
    for (int i = 0; i < s->factors; i++) {
        product.factor[i] = &s->raw[i];
        product.vars[i] = s->vars[i];
    }
    return product;
}

static void tell(const struct subject *s, const struct product *product, const struct outcome *plan,
                 double regret)
{
    const struct made *best = &s->subset[(1 << s->factors) - 1][KIND_DENSE];
    printf("case %llu: %s, %s, squares of %s, %lld rows: %.2f of the best tree\n ",
           (unsigned long long)s->seed, s->shape, statement_of(s->cx, product), s->name,
           (long long)s->size, regret);
    for (int i = 0; i < s->factors; i++)
        printf(" %s", s->format[i]);
    printf(" to %s\n  plan %.0f: %s\n", s->result, plan->work, plan->plan);
    if (best->tensor)
        printf("  best tree %.0f:\n%s", best->work, s->how[(1 << s->factors) - 1][KIND_DENSE]);
}

static void compare(struct subject *s, struct files *files, struct totals *totals)
{
    struct rng rng = {s->seed};
    draw(s, &rng);
    struct outcome plan = {.work = -1};
    for (uint64_t from = rng_next(&rng); plan.work < 0; s->size = s->size * 2 / 3) {
        struct rng again = {from};
        make_tensors(s, files, &again);
        const struct product product = whole(s);
        s->weighs = s->verbose;
        plan = run(s, &product, plan_steps);
        s->weighs = false;
        tensor_free(plan.result);
        if (plan.work >= 0)
            break;
        free_tensors(s);
    }
    s->steps = plan.steps;
    try_trees(s);
    const struct product product = whole(s);
    const struct made *best = &s->subset[(1 << s->factors) - 1][KIND_DENSE];
    double regret = best->tensor ? plan.work / best->work : 0;
    totals->cases++;
    totals->beyond += regret > most_often;
    totals->wrong += regret > most;
    totals->worst = regret > totals->worst ? regret : totals->worst;
    if (regret > most_often || s->verbose)
        tell(s, &product, &plan, regret);
}

static void measure(uint64_t seed, struct files *files, struct totals *totals, bool verbose)
{
    struct subject *s = calloc(1, sizeof *s);
    if (s)
        *s = (struct subject){.seed = seed, .verbose = verbose, .cx = context_new()};
    if (s && s->cx)
        s->cx->levels = registry_levels;
    if (s && s->cx && context_protect(s->cx)) {
        compare(s, files, totals);
    } else {
        totals->wrong++;
        printf("case %llu: %s\n", (unsigned long long)seed,
               s && s->cx && s->cx->bug ? s->cx->bug : "no memory");
    }
    if (s && s->cx) {
        totals->kernels += s->kernels;
        free_tensors(s);
        context_free(s->cx);
    }
    free(s);
}

struct options {
    const char *folder;
    uint64_t seed, one;
    long count;
    int beyond, wrong;
    bool verbose, has_one;
};

static bool parse_options(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--verbose") == 0) {
            o->verbose = true;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--data") == 0)
            o->folder = value;
        else if (strcmp(argv[i], "--seed") == 0)
            o->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            o->count = strtol(value, NULL, 10);
        else if (strcmp(argv[i], "--beyond") == 0)
            o->beyond = atoi(value);
        else if (strcmp(argv[i], "--wrong") == 0)
            o->wrong = atoi(value);
        else if (strcmp(argv[i], "--case") == 0)
            o->has_one = true, o->one = strtoull(value, NULL, 10);
        else
            return false;
        i++;
    }
    return o->folder;
}

int main(int argc, char **argv)
{
    struct options o = {.folder = getenv("SPCC_DATA"), .seed = 1, .count = 20};
    struct totals totals = {0};
    static struct files files;
    if (!parse_options(&o, argc, argv)) {
        fprintf(stderr,
                "usage: %s --data FOLDER [--seed S] [--count N] [--case SEED] [--beyond N] "
                "[--wrong N] [--verbose]\n",
                argv[0]);
        return 2;
    }
    find_files(&files, o.folder);
    if (!files.n) {
        printf("skipped: no matrices in %s\n", o.folder);
        return SKIP;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct rng rng = {o.seed};
    for (long i = 0; i < o.count && !o.has_one; i++)
        measure(rng_next(&rng) >> 16, &files, &totals, o.verbose);
    if (o.has_one)
        measure(o.one, &files, &totals, true);
    for (int i = 0; i < files.n; i++)
        coords_free(&files.file[i].coords);
    printf("%d networks, %d kernels: %d beyond %g of the best tree, %d beyond %g or failed, the "
           "worst %.2f\n",
           totals.cases, totals.kernels, totals.beyond, most_often, totals.wrong, most,
           totals.worst);
    return totals.wrong > o.wrong || totals.beyond > o.beyond + share_beyond * totals.cases;
}
