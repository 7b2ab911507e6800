/* distribute.c - reductions of products with sums, written out, and sums of products, factored: the
 * same as before.
 *
 *     property_distribute [--seed N] [--count N]
 *
 * Statements are drawn from a few shapes, over semirings of op.def, types that wrap and types that
 * do not, formats of each kind, sizes down to 0 and fills other than 0.  Values are small integers,
 * so that sums of floats are exact, or end in tenths: then terms may cancel, and the result is
 * within the rounding of the largest.
 * The dense oracle computes the statement as it is written; the kernel reduces what `distribute`
 * makes of it, what `factor` does, and what the planner does where it may.  Where it may not, it
 * does not.
 *
 * SPDX-License-Identifier: MIT
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "tests/support/case.h"
#include "tests/support/rng.h"
#include "tests/support/trial.h"

/* R reduces; P multiplies; + and - stand for themselves in a ring. */
static const char *const rings[] = {
    "y(i) = (A(i,j) - u(j)) * x(j)",
    "y(i) = sum(j, (A(i,j) - u(i) * x(j)) * (A(i,j) - u(i) * x(j)))",
    "y(i) = sum(j, (A(i,j) + B(i,j)) * (u(j) - x(j))) + u(i)",
    "y(i) = x(i) - (A(i,j) + B(i,j) - 1) * u(j) * x(i)",
    "y(j) += (A(i,j) - B(i,j)) * u(i)",
    "s = sum(i, j, (A(i,j) - u(i) * x(j)) * (B(i,j) + x(j)))",
    "s = sum(i, j, -(A(i,j) - u(i)) * (x(j) - A(i,j)) * 3)",
    "y(i) = sum(j, (A(i,j) - u(j)) * sum(k, B(j,k) * x(k)))",
    "y(i) = A(i,j) * x(j) + A(i,j) * u(j) - x(i)",
    "y(i) = sum(j, A(i,j) * x(j) * u(i) - u(j) * A(i,j) + A(i,j))",
    "s = sum(i, j, A(i,j) * B(i,j)) - sum(i, k, B(i,k) * x(k))",
    /* factors outside the sum, and sums inside the product */
    "y(j) = sum(i, (A(i,j) - u(j)) * x(i))",
    "y(i) = sum(j, (A(i,j) - x(i) * u(i) - u(j)) * x(j) * u(i))",
    "y(i) = sum(j, (A(i,j) - sum(k, B(i,k) * A(j,k))) * x(j))",
    "s = sum(i, j, (A(i,j) - sum(k, B(i,k) * A(j,k))) * (B(i,j) + sum(l, A(i,l))))",
    /* an operator that a user declares to distribute */
    "y(i) = sum(j, times(A(i,j) - u(j), x(j)))",
    "y(i) = sum(j, times(A(i,j), x(j))) - sum(j, times(u(j), A(i,j)))",
};
static const char times[] =
    "op times(x,y) = y * x; commutative, associative, identity=1, annihilator=0, distributes over "
    "+\n";
static const char *const semirings[] = {
    "y(i) = min(j, min(A(i,j), B(i,j)) + x(j))",
    "y(i) = max(j, x(j) + max(A(i,j), u(i)))",
    "y(i) = max(j, min(max(A(i,j), u(j)), x(j)))",
    "s = min(i, j, max(min(A(i,j), u(i)), x(j)))",
    "y(i) = max(j, max(A(i,j), B(i,j)) - x(j))",
    "y(i) = min(min(j, A(i,j) + x(j)), min(k, A(i,k) + u(k)))",
};
static const char *const powers[] = {
    "s = sum(i, j, (A(i,j) - u(i) * x(j)) ** 2)",
    "y(i) = sum(j, (A(i,j) - u(j)) ** 3 * x(j))",
    "s = sum(i, j, sum(k, A(i,k) * B(j,k)) ** 2)",
    "y(i) = sum(j, u(j) * sum(k, A(i,k) * B(k,j)) ** 2 * x(j)) - u(i)",
    "y(i) += sum(j, -(sum(k, A(j,k) * x(k)) ** 3) * B(i,j))",
};

static const char *const ring_types[] = {"i32", "u8", "i8", "f64", "u64", "f32", "c128"};
static const char *const ordered_types[] = {"i32", "u8", "i64", "f64"};
static const char *const matrices[] = {"csr", "csc", "dcsr", "coo", "ell", "bcsr(2,2)", "dense"};
static const char *const vectors[] = {"d", "d", "s"};

/* No term of what is drawn is larger, nor sums of all of them. */
static const double LARGEST_TERM = 1e5;

struct drawn {
    struct rng rng;
    struct text out;
    const char *type;
};

static const char *pick(struct drawn *d, const char *const *from, size_t n)
{
    return from[rng_below(&d->rng, (int)n)];
}
#define PICK(d, from) pick(d, from, sizeof(from) / sizeof *(from))

static void add_tensor(struct drawn *d, const char *statement, const char *name, int order, int n)
{
    char access[8];
    snprintf(access, sizeof access, order ? "%s(" : "%s ", name);
    if (!strstr(statement, access))
        return;
    bool result = strncmp(statement, name, strlen(name)) == 0;
    const char *format = order == 0             ? ""
                         : result || order == 1 ? (result ? "d" : PICK(d, vectors))
                                                : PICK(d, matrices);
    int fill = !result && rng_below(&d->rng, 6) == 0 ? 2 : 0;
    const char *part =
        (*d->type == 'f' || *d->type == 'c') && rng_below(&d->rng, 3) == 0 ? ".1" : "";
    text_printf(&d->out, "tensor %s %s fill %d dimensions", name, d->type, fill);
    for (int m = 0; m < order; m++)
        text_printf(&d->out, " %d", n);
    text_printf(&d->out, " format %s\n", *format ? format : "dense");
    for (int at = 0; at < (order == 0 ? 1 : order == 1 ? n : n * n); at++) {
        if (result || rng_below(&d->rng, 3) == 0)
            continue;
        text_printf(&d->out, order == 2 ? " %d" : "", at / (n ? n : 1));
        text_printf(&d->out, " %d : %d%s\n", at % (n ? n : 1), rng_below(&d->rng, 5), part);
    }
}

static const char *draw_case(struct drawn *d)
{
    int kind = rng_below(&d->rng, 4), n = rng_below(&d->rng, 6);
    const char *statement = kind == 0   ? PICK(d, semirings)
                            : kind == 1 ? PICK(d, powers)
                                        : PICK(d, rings);
    d->type = kind == 0 ? PICK(d, ordered_types) : kind == 1 ? "f64" : PICK(d, ring_types);
    text_printf(&d->out, "%sstatement %s\nindex 32\nshuffle %d\n",
                strstr(statement, "times(") ? times : "", statement, rng_below(&d->rng, 1000));
    static const char *const names[] = {"s", "y", "A", "B", "x", "u"};
    static const int orders[] = {0, 1, 2, 2, 1, 1};
    for (int t = 0; t < 6; t++)
        add_tensor(d, statement, names[t], orders[t], n);
    return d->out.at;
}

struct counts {
    long wrong, distributed, consented, factored;
};

static bool check(struct context *cx, uint64_t seed, struct counts *counts)
{
    struct drawn d = {.rng = {seed}, .out = text_new(cx->arena)};
    static struct test_case test;
    static struct trial trial;
    const char *text = draw_case(&d), *wrong = case_read(&test, text);
    if (wrong) {
        printf("%s\n%s", wrong, text);
        return false;
    }
    trial_open(&trial, &test);
    trial.slack =
        strstr(text, ".1\n") ? LARGEST_TERM * (d.type[1] == '3' ? FLT_EPSILON : DBL_EPSILON) : 0;
    if (trial.verdict == TRIAL_RIGHT)
        trial_interpret(&trial, &trial.pipeline);
    if (trial.verdict == TRIAL_RIGHT
        && (strstr(trial.pipeline.plan, "distribute(") || strstr(trial.pipeline.plan, "factor(")))
        trial_fail(&trial, "nobody has asked for a sum of products");
    if (trial.verdict == TRIAL_RIGHT)
        trial_interpret_distributed(&trial);
    trial.exact = true;
    if (trial.verdict == TRIAL_RIGHT)
        trial_interpret_factored(&trial);
    if (trial.verdict != TRIAL_RIGHT)
        printf("seed %llu: %s with %s\n%s", (unsigned long long)seed, trial.why,
               trial.schedule ? trial.schedule : "the plan", text);
    counts->distributed += trial.distributed;
    counts->consented += trial.consented;
    counts->factored += trial.factored;
    bool right = trial.verdict == TRIAL_RIGHT;
    trial_close(&trial);
    return right;
}

/* What is drawn is kept in a context of its own. */
static void check_apart(uint64_t seed, struct counts *counts)
{
    struct context *cx = context_new();
    counts->wrong += !cx || !context_protect(cx) || !check(cx, seed, counts);
    context_free(cx);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    long count = 100;
    struct counts counts = {0};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--count") == 0)
            count = strtol(argv[i + 1], NULL, 10);
    }
    for (long k = 0; k < count; k++)
        check_apart(seed * 1000003 + (uint64_t)k, &counts);
    printf("%ld drawn, %ld distributed, %ld of them by the planner, %ld factored, %ld wrong\n",
           count, counts.distributed, counts.consented, counts.factored, counts.wrong);
    return counts.wrong > 0 || counts.distributed < count / 2 || counts.consented < count / 8
           || counts.factored < count / 16;
}
