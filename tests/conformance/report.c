/* report.c - the table of combinations, printed, written and checked.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/conformance/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "tests/conformance/results.h"
#include "tests/support/trial.h"

enum { FORMATS = 8 };

static const char *const formats[FORMATS] = {"dense", "csr", "csc", "dcsr",
                                             "coo",   "csf", "dss", "sparse"};

static bool has_format(const struct combination *c, const char *format)
{
    for (int t = 0; t < c->tensors; t++)
        if (c->expression->tensor[t].vars[0] && strcmp(c->format[t], format) == 0)
            return true;
    return false;
}

/* ---- counting ---- */

struct counts {
    int all, kind[OUTCOME_LEFT_OUT + 1];
    unsigned ways; /* of sparse results */
    bool serial;   /* some of them are in none */
};

/* Of an expression (NULL: all) where a tensor has this format (NULL: all). */
static struct counts count(const struct state *state, const struct expression *expression,
                           const char *format)
{
    struct counts counts = {0};
    for (int c = 0; c < COMBINATIONS; c++) {
        struct combination combination = combination_number(c);
        if ((expression && combination.expression != expression)
            || (format && !has_format(&combination, format)))
            continue;
        counts.all++;
        counts.kind[state->outcome[c].kind]++;
        if (strcmp(combination.format[0], "dense") != 0) {
            counts.ways |= state->outcome[c].ways;
            counts.serial |= !state->outcome[c].ways;
        }
    }
    return counts;
}

static int wrong(const struct counts *counts)
{
    return counts->kind[OUTCOME_WRONG] + counts->kind[OUTCOME_CRASHED];
}

/* ---- the table ---- */

static void add_cell(struct text *out, const struct counts *counts)
{
    if (counts->all == 0)
        text_add(out, " |");
    else if (counts->kind[OUTCOME_RIGHT] == counts->all)
        text_printf(out, " %d |", counts->all);
    else
        text_printf(out, " %d of %d |", counts->kind[OUTCOME_RIGHT], counts->all);
}

static const char *const way_names[] = {"in place", "alias", "count–scan–fill", "join", "rooms"};
enum { WAYS = sizeof way_names / sizeof *way_names };

static void add_ways(struct text *out, unsigned ways, bool serial)
{
    const char *before = " ";
    for (int w = 0; w < WAYS; w++)
        if (ways & 1u << w) {
            text_printf(out, "%s%s", before, way_names[w]);
            before = ", ";
        }
    if (serial && ways)
        text_printf(out, "%sserial", before);
    text_add(out, " |");
}

static void add_row(struct text *out, const struct state *state, const struct expression *e)
{
    struct counts counts = count(state, e, NULL);
    if (e)
        text_printf(out, "| %s | `%s` |", e->title, e->statement);
    else
        text_add(out, "| **all** | |");
    for (int f = 0; f < FORMATS; f++) {
        struct counts here = count(state, e, formats[f]);
        add_cell(out, &here);
    }
    text_printf(out, " %d | %d | %d | %d |", counts.all, counts.kind[OUTCOME_RIGHT],
                counts.kind[OUTCOME_REFUSED], wrong(&counts));
    if (e)
        add_ways(out, counts.ways, counts.serial);
    text_add(out, e ? "\n" : " |\n");
}

static void add_table(struct text *out, const struct state *state)
{
    text_add(out, "| expression | statement |");
    for (int f = 0; f < FORMATS; f++)
        text_printf(out, " %s |", formats[f]);
    text_add(out, " combinations | right | refused | wrong | in parallel |\n|---|---|");
    for (int f = 0; f < FORMATS + 4; f++)
        text_add(out, "--:|");
    text_add(out, "---|\n");
    for (int e = 0; e < expressions_count; e++)
        add_row(out, state, &expressions[e]);
    add_row(out, state, NULL);
}

/* ---- the document ---- */

static const char *const introduction =
    "# Conformance\n"
    "\n"
    "Which statements does spcc get right, on which formats? This table is made by\n"
    "`tests/conformance`, and a test checks that it is true. Each combination of a statement\n"
    "with formats for its operands and its result is compiled without a schedule and run on\n"
    "seven sets of tensors: some components stored and rows empty, few in larger tensors, all\n"
    "of them, dimensions of 1, no entries at all, no entries in one operand, and a dimension\n"
    "of 0. The result is compared with a dense evaluation of the statement, component by\n"
    "component; what is stored, in what order, and the arrays themselves have to be as the\n"
    "format says. Interpreted and compiled code have to agree with it, in one kernel and with\n"
    "assembly apart from computation.\n"
    "\n"
    "The columns count the combinations in which a tensor with index variables has that\n"
    "format, and say how many of them are right where not all are.\n"
    "\n";

static const char *const results_section =
    "\n"
    "## Results in parallel\n"
    "\n"
    "Each combination is run once more with every outermost loop parallel, in parts that come\n"
    "in any order, on one to four threads; the interpreter reports where two parts touch one\n"
    "element. The last column above says how sparse results are assembled then\n"
    "([schedules.md](schedules.md#parallelize)). Each combination is compiled for a machine drawn\n"
    "at random, so some have several ways. The same of a few statements, in every format:\n"
    "\n";

static void add_results(struct text *out, const struct state *results)
{
    text_add(out, "| A |");
    for (int s = 0; s < RESULT_STATEMENTS; s++)
        text_printf(out, " %s |", result_statements[s].title);
    text_add(out, "\n|---|");
    for (int s = 0; s < RESULT_STATEMENTS; s++)
        text_add(out, "---|");
    text_add(out, "\n");
    for (int f = 0; f < RESULT_FORMATS; f++) {
        text_printf(out, "| %s |", result_formats[f]);
        for (int s = 0; s < RESULT_STATEMENTS; s++) {
            const struct outcome *o = &results->outcome[f * RESULT_STATEMENTS + s];
            add_ways(out, o->kind == OUTCOME_RIGHT ? o->ways : 0, o->ways == 0);
        }
        text_add(out, "\n");
    }
}

static const char *const formats_section =
    "\n"
    "## The formats\n"
    "\n"
    "A tensor takes each format of its set, in every combination with the others':\n"
    "\n"
    "| set | formats |\n"
    "|---|---|\n"
    "| vector | dense, sparse |\n"
    "| matrix | dense, csr, csc, dcsr, coo |\n"
    "| sparse matrix | csr, csc, dcsr, coo |\n"
    "| order 3 | dense, csf, dss, coo |\n"
    "| sparse, order 3 | csf, dss, coo |\n"
    "\n";

static const char *set_name(enum choice choice)
{
    switch (choice) {
    case CHOICE_NONE:
    case CHOICE_DENSE: return "dense";
    case CHOICE_VECTOR: return "vector";
    case CHOICE_MATRIX: return "matrix";
    case CHOICE_SPARSE_MATRIX: return "sparse matrix";
    case CHOICE_SPARSE_CUBE: return "sparse, order 3";
    case CHOICE_CUBE: return "order 3";
    case CHOICE_AS: return "as";
    case CHOICE_DENSE_OR_AS: return "dense, or as";
    }
    return "";
}

static void add_sets(struct text *out)
{
    text_add(out, "| expression | tensors | combinations |\n|---|---|--:|\n");
    for (int e = 0; e < expressions_count; e++) {
        const struct expression_tensor *t = expressions[e].tensor;
        text_printf(out, "| %s | ", expressions[e].title);
        for (int i = 0; i < EXPRESSION_TENSORS && t[i].choice != CHOICE_NONE; i++) {
            text_printf(out, "%s%s: %s", i ? "; " : "", t[i].name, set_name(t[i].choice));
            if (t[i].choice == CHOICE_AS || t[i].choice == CHOICE_DENSE_OR_AS)
                text_printf(out, " %s", t[t[i].as].name);
        }
        text_printf(out, " | %d |\n", combinations_of(&expressions[e]));
    }
}

static void add_document(struct text *out, const struct state *state, const struct state *results)
{
    text_add(out, introduction);
    add_table(out, state);
    text_add(out, results_section);
    add_results(out, results);
    text_add(out, formats_section);
    add_sets(out);
}

/* ---- printing and files ---- */

void report_print(const struct state *state)
{
    for (int e = 0; e < expressions_count; e++) {
        struct counts here = count(state, &expressions[e], NULL);
        int run = here.all - here.kind[OUTCOME_LEFT_OUT];
        if (run)
            printf("%3d of %3d right, %3d refused, %d wrong: %s\n", here.kind[OUTCOME_RIGHT], run,
                   here.kind[OUTCOME_REFUSED], wrong(&here), expressions[e].title);
    }
}

bool report_write(const struct state *state, const struct state *results, const char *path)
{
    struct arena *arena = arena_new(NULL, NULL);
    struct text text = text_new(arena);
    add_document(&text, state, results);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text.at, 1, text.n, file) == text.n;
    good = file && fclose(file) == 0 && good;
    if (!good)
        printf("%s cannot be written\n", path);
    arena_free(arena);
    return good;
}

bool report_check(const struct state *state, const struct state *results, const char *path)
{
    struct arena *arena = arena_new(NULL, NULL);
    struct text text = text_new(arena);
    add_document(&text, state, results);
    char *is = calloc(1, text.n + 2);
    FILE *file = is ? fopen(path, "rb") : NULL;
    size_t n = file ? fread(is, 1, text.n + 1, file) : 0, at = 0;
    while (at < n && at < text.n && is[at] == text.at[at])
        at++;
    bool same = file && n == text.n && at == n;
    if (!same)
        printf("%s is not true: it has `%.*s` where it has to be `%.*s`; --update writes it anew\n",
               path, is ? (int)strcspn(is + at, "\n") : 0, is ? is + at : "",
               (int)strcspn(text.at + at, "\n"), text.at + at);
    if (file)
        fclose(file);
    free(is);
    arena_free(arena);
    return same;
}
