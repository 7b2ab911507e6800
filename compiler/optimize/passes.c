/* passes.c - the list of passes, and the loop that runs it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/pass.h"

#include "compiler/optimize/optimize.h"

enum { CHECKED = FACT_CHECKED, SIMPLE = FACT_CHECKED | FACT_SIMPLE };

static const struct imp_function *simplify(struct context *cx, const struct imp_function *function,
                                           const struct pass_options *options)
{
    return imp_simplify(cx, function);
}

const struct pass passes[] = {
    {"simplify", "folds constants, and drops what has no effect", CHECKED, SIMPLE, true, CODE_ANY,
     simplify},
    {"rejoin", "reads arrays at what coordinates were taken from, rather than at these", SIMPLE,
     CHECKED, true, CODE_ANY, imp_rejoin},
    {"fuse_lists", "goes over segments, or runs, that follow each other in one loop", SIMPLE,
     CHECKED, true, CODE_ANY, imp_fuse_lists},
    {"split_appends", "appends what all segments append in a loop of its own", SIMPLE, CHECKED,
     true, CODE_ANY, imp_split_appends},
    {"refuse_vectors", "reports loops that are asked to have vectors, which plain C has not",
     CHECKED, SIMPLE, true, CODE_PLAIN, imp_refuse_vectors},
    {"hoist", "computes in front of a loop what each of its iterations repeats", CHECKED, CHECKED,
     true, CODE_FAST, imp_hoist},
    {"vectorize", "keeps sums and rows in registers, in vectors, and fetches ahead", SIMPLE, SIMPLE,
     false, CODE_FAST, imp_vectorize},
    {"version_blocks", "makes a loop of blocks that are whole, and one of those that are not",
     SIMPLE, CHECKED, true, CODE_FAST, imp_version_blocks},
    {"early_exit", "ends a loop whose truth value no later step changes", SIMPLE, CHECKED, true,
     CODE_ANY, imp_exit_early},
    {"unroll", "writes several iterations out where a schedule asks for it", CHECKED, CHECKED, true,
     CODE_ANY, imp_unroll},
    {"share_memory", "fills and copies arrays in parts, where loops have parts", SIMPLE, CHECKED,
     true, CODE_FAST, imp_share_memory},
    {"tidy", "writes loops and declarations as people do", SIMPLE, CHECKED, true, CODE_PLAIN,
     imp_tidy},
    {"read_once", "reads what is used once where it is used", CHECKED, CHECKED, true, CODE_ANY,
     imp_read_once},
    {"stops", "looks now and then whether the run is to end", CHECKED, CHECKED, true, CODE_ANY,
     imp_look_for_stops},
};
const int passes_count = sizeof passes / sizeof *passes;

static bool runs(const struct pass *pass, const struct pass_options *options)
{
    bool wanted = pass->code == CODE_ANY || options->plain == (pass->code == CODE_PLAIN);
    return wanted && pass_is_in(options, pass->name);
}

static void check_after(struct context *cx, const struct imp_function *function, const char *after)
{
    const char *broken = imp_check(cx, function);
    if (broken)
        context_bug(cx, "after %s: %s", after, broken);
}

/* Applies the pass to the function, and simplifies the outcome. */
static const struct imp_function *run_pass(struct context *cx, const struct pass *pass,
                                           const struct imp_function *function,
                                           const struct pass_options *options)
{
    const struct imp_function *after = pass->apply(cx, function, options);
    if (!after || after == function)
        return after;
    if (options->checked)
        check_after(cx, after, pass->name);
    if ((pass->maintains & FACT_SIMPLE) && !options->checked)
        return after;
    const struct imp_function *simple = imp_simplify(cx, after);
    if (options->checked && (pass->maintains & FACT_SIMPLE) && simple != after)
        context_bug(cx, "after %s: the function could be simpler", pass->name);
    return simple;
}

const struct imp_function *imp_optimize(struct context *cx, const struct imp_function *function,
                                        const struct pass_options *options)
{
    unsigned facts = FACT_CHECKED;
    check_after(cx, function, "lowering");
    for (const struct pass *pass = passes; function && pass < passes + passes_count; pass++) {
        if (!runs(pass, options))
            continue;
        const struct imp_function *before = function;
        context_assert(cx, (pass->requires & ~facts) == 0);
        function = run_pass(cx, pass, before, options);
        if (options->step)
            options->step[(*options->steps)++] = (struct pass_step){pass, before, function};
        facts = SIMPLE;
    }
    if (function)
        check_after(cx, function, "all passes");
    return function;
}
