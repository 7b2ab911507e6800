/* test_normal.c - it does not matter how a sum or product is spelled: 200 statements, and some with
 * signs, powers, quotients and functions, each in five ways, have the same plan, and the same
 * kernel but for names.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/imperative/imperative.h"
#include "compiler/pipeline.h"
#include "tests/concrete/support.h"

enum { FACTORS_MAX = 5, SPELLINGS = 5 };

/* result = what is around (factor * factor * ...), summed over the variables. */
struct product {
    const char *result, *sum, *factor[FACTORS_MAX];
    int outside;        /* so many factors at the end use no summed variable */
    const char *format; /* of the first operand's alternatives, and the rest */
};

static const struct product products[] = {
    {"y(i)", "j", {"A(i,j)", "x(j)"}, 0, ""},
    {"y(i)", "j", {"A(i,j)", "x(j)", "d(i)"}, 1, ""},
    {"y(i)", "j", {"x(j)", "A(i,j)", "alpha", "d(i)"}, 2, ""},
    {"y(i)", "j", {"A(i,j)", "x(j)", "2", "exp(d(i))"}, 2, ""},
    {"y(j)", "i", {"A(i,j)", "x(i)", "d(j)"}, 1, ""},
    {"Y(i,r)", "j", {"A(i,j)", "X(j,r)", "d(i)"}, 1, ""},
    {"Y(i,r)", "j,s", {"A(i,j)", "X(j,s)", "W(s,r)", "b(r)"}, 1, ""},
    {"y(i)", "j,k", {"A(i,j)", "B(j,k)", "x(k)"}, 0, "B:csr"},
    {"s", "i,j", {"x(i)", "A(i,j)", "z(j)", "alpha"}, 1, ""},
    {"C(i,j)", "k", {"A(i,k)", "B(k,j)", "d(j)"}, 1, "B:csr C:csr"},
    {"C(i,j)", "k", {"X(i,k)", "Z(j,k)", "A(i,j)"}, 1, "C:csr"},
};

/* What is around the product: printed into. */
static const char *const around[] = {"%s", "max(%s, 0)", "%s + v", "abs(v - %s)"};

static const char *const formats[] = {"csr", "csc", "coo", "bcsr(2,2)", "dense"};

static void add_factors(struct text *out, const struct product *p, int from, int to, int step)
{
    for (int i = from; i != to; i += step)
        text_printf(out, "%s%s", i == from ? "" : " * ", p->factor[i]);
}

static const char *spell(struct context *cx, const struct product *p, int way)
{
    struct text out = text_new(cx->arena);
    int n = 0;
    while (n < FACTORS_MAX && p->factor[n])
        n++;
    switch (way) {
    case 0: /* as it stands */
    case 1: /* from the end */
        text_printf(&out, "sum(%s, ", p->sum);
        add_factors(&out, p, way ? n - 1 : 0, way ? -1 : n, way ? -1 : 1);
        text_add(&out, ")");
        break;
    case 2: /* in parentheses from the right */
        text_printf(&out, "sum(%s, ", p->sum);
        for (int i = 0; i < n; i++)
            text_printf(&out, "%s%s", p->factor[i], i < n - 1 ? " * (" : "");
        for (int i = 0; i < n; i++)
            text_add(&out, ")");
        break;
    case 3: /* what uses no summed variable in front, the others summed one after the other */
        add_factors(&out, p, n - p->outside, n, 1);
        text_add(&out, p->outside ? " * " : "");
        for (const char *var = p->sum; *var; var += 1 + (var[1] == ','))
            text_printf(&out, "sum(%c, ", *var);
        add_factors(&out, p, 0, n - p->outside, 1);
        for (const char *var = p->sum; *var; var += 1 + (var[1] == ','))
            text_add(&out, ")");
        break;
    case 4: /* ... behind it, negative twice */
        text_printf(&out, "-(sum(%s, -", p->sum);
        add_factors(&out, p, n - p->outside - 1, -1, -1);
        text_add(&out, ")");
        text_add(&out, p->outside ? " * " : "");
        add_factors(&out, p, n - p->outside, n, 1);
        text_add(&out, ")");
        break;
    }
    return out.at;
}

/* ---- what a statement becomes ---- */

static void declare(struct context *cx, struct pipeline_request *request, const char *name,
                    const char *format)
{
    struct tin_declaration *all =
        arena_array(cx->arena, struct tin_declaration, request->declared.tensors + 1);
    for (int i = 0; i < request->declared.tensors; i++)
        all[i] = request->declared.tensor[i];
    all[request->declared.tensors++] = (struct tin_declaration){.name = name, .format = format};
    request->declared.tensor = all;
}

/* The text from its first brace on, in which each name is the number of its first use. */
static const char *without_names(struct context *cx, const char *text)
{
    struct text out = text_new(cx->arena);
    VEC(const char *) name = {0};
    for (text = strchr(text, '{'); *text;) {
        size_t length = 0, n = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        if (!length || isdigit((unsigned char)*text)) {
            length += !length;
            text_printf(&out, "%.*s", (int)length, text);
        } else {
            const char *found = internn(cx, text, length);
            while (n < name.n && name.at[n] != found)
                n++;
            if (n == name.n)
                vec_push(cx->arena, &name, found);
            text_printf(&out, "v%zu", n);
        }
        text += length;
    }
    return out.at;
}

/* The plan of the statement and its kernel. */
static char *made_of(const char *statement, const char *format, const char *others)
{
    struct context *cx = context_new();
    struct pipeline pipeline = {0};
    struct pipeline_request request = {.expression = statement, .serial = true};
    assert_true(context_protect(cx));
    declare(cx, &request, "A", format);
    for (const char *at = others; *at; at += strcspn(at, " "), at += *at == ' ')
        declare(cx, &request, internn(cx, at, 1), internn(cx, at + 2, strcspn(at + 2, " ")));
    if (!pipeline_run(cx, &request, STAGE_IMPERATIVE, &pipeline))
        fail_msg("%s: %s", statement, cx->diags.n ? cx->diags.at[0].message : "no kernel");
    struct text out = text_new(cx->arena), code = text_new(cx->arena);
    text_printf(&out, "%s: ", pipeline.plan);
    cin_print_program(cx, &out, pipeline.planned);
    imp_print_alone(&code, pipeline.imperative);
    text_add(&out, without_names(cx, code.at));
    char *made = strdup(out.at);
    context_free(cx);
    return made;
}

/* ---- the tests ---- */

static void spelling_never_matters(void **state)
{
    (void)state;
    int statements = 0;
    for (size_t p = 0; p < sizeof products / sizeof *products; p++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
            for (size_t a = 0; a < sizeof around / sizeof *around; a++) {
                char *first = NULL, statement[256];
                statements++;
                for (int way = 0; way < SPELLINGS; way++) {
                    struct context *cx = context_new();
                    char value[200];
                    snprintf(value, sizeof value, around[a], spell(cx, &products[p], way));
                    snprintf(statement, sizeof statement, "%s = %s", products[p].result, value);
                    context_free(cx);
                    char *made = made_of(statement, formats[f], products[p].format);
                    if (first && strcmp(made, first) != 0)
                        fail_msg("%s (A:%s) is\n%s\nand not\n%s", statement, formats[f], made,
                                 first);
                    if (first)
                        free(made);
                    else
                        first = made;
                }
                free(first);
            }
    assert_true(statements >= 200);
}

static void any_expression_is_spelled_in_any_way(void **state)
{
    static const char *const way[][5] = {
        {"y(i) += A(i,j) * x(j)", "y(i) = y(i) + A(i,j) * x(j)", "y(i) = A(i,j) * x(j) + y(i)",
         "y(i) = y(i) + sum(j, x(j) * A(i,j))", "y(i) += sum(j, A(i,j) * x(j))"},
        {"y(i) += A(i,j) * x(j) * d(i) + b(i)", "y(i) = y(i) + A(i,j) * x(j) * d(i) + b(i)",
         "y(i) = d(i) * A(i,j) * x(j) + y(i) + b(i)", "y(i) = d(i) * A(i,j) * x(j) + (b(i) + y(i))",
         "y(i) += d(i) * sum(j, A(i,j) * x(j)) + b(i)"},
        {"y(i) min= min(j, A(i,j) + x(j))", "y(i) = min(y(i), min(j, A(i,j) + x(j)))",
         "y(i) = min(min(j, x(j) + A(i,j)), y(i))", "y(i) min= min(j, x(j) + A(i,j))",
         "y(i) = min(min(j, A(i,j) + x(j)), y(i))"},
        /* sums over one variable */
        {"s = sum(i, k, sum(r, A(i,r) * B(k,r)) * sum(r, A(i,r) * B(k,r)))",
         "s = sum(i, k, sum(r, B(k,r) * A(i,r)) * sum(r, A(i,r) * B(k,r)))",
         "s = sum(i, k, sum(r, A(i,r) * B(k,r) * sum(r2, A(i,r2) * B(k,r2))))",
         "s = sum(i, k, sum(r, A(i,r) * B(k,r)) * sum(r2, A(i,r2) * B(k,r2)))",
         "s = A(i,r) * B(k,r) * A(i,r2) * B(k,r2)"},
        {"s = sum(i, j, A(i,j) * x(i) * z(j))", "s = sum(j, i, A(i,j) * x(i) * z(j))",
         "s = sum(i, x(i) * sum(j, A(i,j) * z(j)))", "s = sum(j, z(j) * sum(i, x(i) * A(i,j)))",
         "s = x(i) * A(i,j) * z(j)"},
        {"y(i) = A(i,j) * B(j,k) * x(k)", "y(i) = sum(j, A(i,j) * sum(k, B(j,k) * x(k)))",
         "y(i) = sum(k, x(k) * sum(j, A(i,j) * B(j,k)))",
         "y(i) = sum(k, sum(j, x(k) * A(i,j) * B(j,k)))",
         "y(i) = sum(j, sum(k, A(i,j) * (x(k) * B(j,k))))"},
        /* signs */
        {"y(i) = -A(i,j) * x(j)", "y(i) = -(A(i,j) * x(j))", "y(i) = A(i,j) * -x(j)",
         "y(i) = -sum(j, A(i,j) * x(j))", "y(i) = sum(j, x(j) * -A(i,j))"},
        {"y(i) = b(i) - A(i,j) * x(j)", "y(i) = b(i) + -A(i,j) * x(j)",
         "y(i) = -A(i,j) * x(j) + b(i)", "y(i) = b(i) + sum(j, x(j) * -A(i,j))",
         "y(i) = -sum(j, A(i,j) * x(j)) + b(i)"},
        {"C(i,j) = B(i,j) - A(i,j) * d(i)", "C(i,j) = B(i,j) + -A(i,j) * d(i)",
         "C(i,j) = -(A(i,j) * d(i)) + B(i,j)", "C(i,j) = B(i,j) + A(i,j) * -d(i)",
         "C(i,j) = d(i) * -A(i,j) + B(i,j)"},
        {"C(i,j) = A(i,j) + B(i,j) * d(i)", "C(i,j) = A(i,j) - -B(i,j) * d(i)",
         "C(i,j) = A(i,j) - -(B(i,j) * d(i))", "C(i,j) = A(i,j) - B(i,j) * -d(i)",
         "C(i,j) = A(i,j) + -B(i,j) * -d(i)"},
        /* powers, quotients, functions */
        {"y(i) = A(i,j) ** 2 * x(j)", "y(i) = x(j) * A(i,j) ** 2",
         "y(i) = sum(j, A(i,j) ** 2 * x(j))", "y(i) = sum(j, x(j) * A(i,j) ** 2)",
         "y(i) = -sum(j, A(i,j) ** 2 * -x(j))"},
        {"y(i) = A(i,j) * x(j) / d(i)", "y(i) = sum(j, A(i,j) * x(j)) / d(i)",
         "y(i) = x(j) * A(i,j) / d(i)", "y(i) = (A(i,j) * x(j)) / d(i)",
         "y(i) = sum(j, x(j) * A(i,j)) / d(i)"},
        {"y(i) = d(i) * sum(j, A(i,j) * exp(x(j)))", "y(i) = sum(j, exp(x(j)) * A(i,j) * d(i))",
         "y(i) = sum(j, d(i) * exp(x(j)) * A(i,j))", "y(i) = A(i,j) * d(i) * exp(x(j))",
         "y(i) = sum(j, A(i,j) * exp(x(j))) * d(i)"},
        {"y(i) = abs(-sum(j, A(i,j) * x(j)))", "y(i) = abs(-sum(j, x(j) * A(i,j)))",
         "y(i) = abs(sum(j, -A(i,j) * x(j)))", "y(i) = abs(sum(j, x(j) * -A(i,j)))",
         "y(i) = abs(sum(j, -(x(j) * A(i,j))))"},
        {"y(i) = d(i) + min(j, A(i,j) + x(j))", "y(i) = d(i) + min(j, x(j) + A(i,j))",
         "y(i) = min(j, d(i) + A(i,j) + x(j))", "y(i) = min(j, x(j) + d(i) + A(i,j))",
         "y(i) = min(j, x(j) + A(i,j)) + d(i)"},
    };
    (void)state;
    for (size_t r = 0; r < sizeof way / sizeof *way; r++) {
        char *first = made_of(way[r][0], "csc", "");
        for (int k = 1; k < SPELLINGS; k++) {
            char *made = made_of(way[r][k], "csc", "");
            if (strcmp(made, first) != 0)
                fail_msg("%s is\n%s\nand not\n%s", way[r][k], made, first);
            free(made);
        }
        free(first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spelling_never_matters),
        cmocka_unit_test(any_expression_is_spelled_in_any_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
