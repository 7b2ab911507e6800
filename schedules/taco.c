/* taco.c - taco's directives in spcc's words.
 *
 *     split(i, i0, i1, 32)                ->  split(i, i0, i1, down, 32)
 *     precompute(B(i,k) * C(k,j), j, j)   ->  precompute(B(i,k) * C(k,j), workspace, {j,j,jw})
 *     bound(i, ib, 100, MaxExact)         ->  bound(i, ib, 100, exact)
 *
 * The table has a row for each way of writing a directive in taco (its tools/taco.cpp lists them)
 * that spcc does not have: with its translation, or with a sentence if there is none.  A directive
 * with the same name, number of arguments and meaning, such as reorder, needs no row.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/taco.h"

#include <string.h>

#include "compiler/base/vec.h"
#include "schedules/loops.h"

enum { ARGUMENTS = 5 };

/* Is a directive with the row's name and number of arguments taco's? */
typedef bool is_of_taco(const struct cin_program *program, const struct schedule_call *call);

/* Does taco take the arguments that are not translated?  false after a diagnostic. */
typedef bool is_right(struct context *cx, const struct cin_program *program,
                      const struct schedule_call *call);

struct row {
    const char *name;
    int least, most;        /* numbers of arguments */
    const char *unit;       /* the second argument; NULL: anything */
    is_of_taco *is_of_taco; /* NULL: always */
    is_right *is_right;     /* NULL: spcc's directive checks its arguments */
    /* spcc's name and arguments.  $2: taco's second argument, $w: the workspace, $t: the triples,
     * $f: the format, if it is not the default.  Without a name there is nothing to do. */
    const char *by[1 + ARGUMENTS];
    const char *says; /* why there is no such directive; NULL: there is */
};

static bool is_loop_called(const struct cin *cin, void *data)
{
    const char *name = data;
    return cin->kind == CIN_FORALL && loops_is_called(cin->index[0], name, strlen(name), false);
}

/* Is the second argument of precompute(e, i, iw) a loop or a list of loops, as in taco?  In spcc it
 * is the workspace, and loops follow in braces. */
static bool names_loops(const struct cin_program *program, const struct schedule_call *call)
{
    return call->argument[1].text[0] == '{'
           || (call->argument[2].text[0] != '{'
               && cin_any(program->statement, is_loop_called,
                          (void *)(size_t)call->argument[1].text));
}

/* Is the kind of bound MaxExact in bound(i, ib, n, MaxExact)? */
static bool is_exact(const struct cin_program *unused, const struct schedule_call *call)
{
    return !strcmp(call->argument[3].text, "MaxExact");
}

static bool is_most(const struct cin_program *unused, const struct schedule_call *call)
{
    return !strcmp(call->argument[3].text, "MaxConstraint");
}

static bool is_least(const struct cin_program *unused, const struct schedule_call *call)
{
    return !strcmp(call->argument[3].text, "MinExact")
           || !strcmp(call->argument[3].text, "MinConstraint");
}

/* Is the argument one of these words, which end with NULL? */
static bool is_among(const struct schedule_call *call, int argument, const char *const *words)
{
    while (*words && strcmp(*words, call->argument[argument].text) != 0)
        words++;
    return *words;
}

/* Is it parallelize(i, unit, races)? False after a diagnostic. */
static bool is_parallelize(struct context *cx, const struct cin_program *program,
                           const struct schedule_call *call)
{
    static const char *const races[] = {"NoRaces",   "IgnoreRaces",       "Atomics",
                                        "Temporary", "ParallelReduction", NULL};
    if (!loops_find(cx, program, call, 0))
        return false;
    return is_among(call, 2, races)
           || loops_refuse(
               cx, program, call, 2,
               "races are NoRaces, IgnoreRaces, Atomics, Temporary or ParallelReduction, not %s",
               call->argument[2].text);
}

static bool is_result(const struct cin_program *program, const char *name)
{
    bool is = false;
    for (int r = 0; r <= program->others && !is; r++)
        is = cin_result(program, r)->name == name;
    return is;
}

/* Is it assemble(A, strategy, separately)? False after a diagnostic. */
static bool is_strategy(struct context *cx, const struct cin_program *program,
                        const struct schedule_call *call)
{
    static const char *const strategies[] = {"Insert", "Append", NULL}, *const separately[] = {
                                                                            "true", "false", NULL};
    if (!is_result(program, call->argument[0].text))
        return loops_refuse(cx, program, call, 0,
                            "%s is not a result of the statement, and only results are assembled",
                            call->argument[0].text);
    if (!is_among(call, 1, strategies))
        return loops_refuse(
            cx, program, call, 1,
            "the strategies are Insert and Append, not %s; spcc chooses by the loops",
            call->argument[1].text);
    return call->arguments < 3 || is_among(call, 2, separately)
           || loops_refuse(cx, program, call, 2,
                           "the last argument, for loops that count components, is true or false");
}

static const struct row rows[] = {
    {"split", 4, 4, .by = {"split", "$1", "$2", "$3", "down", "$4"}},
    {"divide", 4, 4, .by = {"split", "$1", "$2", "$3", "up", "$4"}},
    {"precompute", 3, 4, .is_of_taco = names_loops, .by = {"precompute", "$1", "$w", "$t", "$f"}},
    /* whether a result is counted first or appended to follows from its loops */
    {"assemble", 2, 3, .is_right = is_strategy},
    {"parallelize", 3, 3, .unit = "NotParallel", .is_right = is_parallelize},
    {"parallelize", 3, 3, .unit = "CPUVector", .is_right = is_parallelize,
     /* taco leaves it to the C compiler whether there are vectors */
     .by = {"vectorize", "$1", "try"}},
    {"fuse", 3, 3, .by = {"collapse", "$1", "$2", "$3"}},
    {"bound", 4, 4, .is_of_taco = is_exact, .by = {"bound", "$1", "$2", "$3", "exact"}},
    {"bound", 4, 4, .is_of_taco = is_most, .by = {"bound", "$1", "$2", "$3", "most"}},
    {"bound", 4, 4, .is_of_taco = is_least,
     .says = "with a minimum says where a loop begins; every loop of spcc begins at 0"},
    {"mergeby", 2, 2,
     .says = "says how operands are merged; spcc has no such directive: it takes what their levels "
             "offer"},
};

/* Returns the row for the call, NULL if the call is spcc's own or nobody's. */
static const struct row *find_row(const struct cin_program *program,
                                  const struct schedule_call *call)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct row *row = &rows[r];
        if (strcmp(row->name, call->name) || call->arguments < row->least
            || call->arguments > row->most)
            continue;
        if (row->unit && strcmp(row->unit, call->argument[1].text))
            continue;
        if (!row->is_of_taco || row->is_of_taco(program, call))
            return row;
    }
    return NULL;
}

/* ---- the arguments of precompute ---- */

/* Returns the k-th name of "i" or "{i,j}", NULL after the last. */
static const char *name_in(struct context *cx, const char *list, int k)
{
    static const char between[] = "{,} \t\r\n";
    const char *s = list + strspn(list, between);
    for (; k > 0 && *s; k--) {
        s += strcspn(s, between);
        s += strspn(s, between);
    }
    return *s ? internn(cx, s, strcspn(s, between)) : NULL;
}

/* Adds {i,i,iw} for each loop.  The consumer's loop keeps its name, so the producer's needs
 * another. */
static bool add_triples(struct context *cx, const struct cin_program *program,
                        const struct schedule_call *call, struct schedule_call *made,
                        struct schedule_argument *argument)
{
    const char *loop, *with;
    for (int k = 0; (loop = name_in(cx, call->argument[1].text, k)); k++) {
        with = name_in(cx, call->argument[2].text, k);
        if (!with)
            break;
        if (with == loop)
            with = cin_fresh_name(cx, program, arena_printf(cx->arena, "%sw", loop));
        const char *triple = arena_printf(cx->arena, "{%s,%s,%s}", loop, loop, with);
        argument[made->arguments++] =
            (struct schedule_argument){.text = intern(cx, triple), .span = call->argument[1].span};
        if (k + 1 == ORDER_MAX)
            break;
    }
    if (!loop && !name_in(cx, call->argument[2].text, made->arguments - 2))
        return true;
    return loops_refuse(cx, program, call, 2,
                        "it takes equal numbers of loops to precompute over and with");
}

/* ---- the whole ---- */

/* Returns what stands for a word of the pattern that is no argument of taco's. */
static const char *written(struct context *cx, const struct cin_program *program,
                           const struct schedule_call *call, const char *by)
{
    if (!strcmp(by, "$f"))
        return "dense"; /* a thread has no lists */
    if (strcmp(by, "$w") != 0)
        return by;
    return call->arguments > 3 ? call->argument[3].text : cin_fresh_name(cx, program, "workspace");
}

/* Writes spcc's directive by the row's pattern.  false after a diagnostic. */
static bool write_call(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, const struct row *row,
                       struct schedule_call *made)
{
    struct schedule_argument *argument =
        arena_array(cx->arena, struct schedule_argument, ARGUMENTS + ORDER_MAX);
    *made = (struct schedule_call){
        .name = intern(cx, row->by[0]), .span = call->span, .argument = argument};
    for (int k = 1; k <= ARGUMENTS && row->by[k]; k++) {
        const char *by = row->by[k];
        bool is_format = !strcmp(by, "$f"), is_triples = !strcmp(by, "$t");
        if (is_triples && !add_triples(cx, program, call, made, argument))
            return false;
        if (is_triples || (is_format && !cx->cuda))
            continue;
        argument[made->arguments++] =
            by[0] == '$' && by[1] >= '1' && by[1] <= '9'
                ? call->argument[by[1] - '1']
                : (struct schedule_argument){.text = intern(cx, written(cx, program, call, by)),
                                             .span = call->span};
    }
    return true;
}

enum taco_answer taco_translate(struct context *cx, const struct cin_program *program,
                                const struct schedule_call *call, struct schedule_call *made)
{
    const struct row *row = find_row(program, call);
    if (!row)
        return TACO_OWN;
    if (row->says) {
        struct diag *diag =
            diag_error(cx, DIAG_SCHEDULE, call->span, "taco's %s %s", call->name, row->says);
        diag_help(cx, diag, "spcc help taco");
        return TACO_REFUSED;
    }
    if (row->is_right && !row->is_right(cx, program, call))
        return TACO_REFUSED;
    if (!row->by[0])
        return TACO_NOTHING;
    return write_call(cx, program, call, row, made) ? TACO_TRANSLATED : TACO_REFUSED;
}
