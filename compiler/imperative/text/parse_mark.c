/* parse_mark.c - facts about a loop, a fill or an if, written in front of it.
 *
 *     [apart, most 4, last A2_pos[n]] for (...)
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>

#include "compiler/imperative/text/parser.h"

/* Reads `(i` of unroll(i, 4) and vectorize(i), after the loop's earlier requests. */
static struct imp_asked *parse_asked(struct parser *p, struct imp_asked *asked)
{
    asked = asked ? asked : arena_make(p->cx->arena, struct imp_asked);
    expect(p, "(");
    asked->loop = expect_name(p, "a loop");
    return asked;
}

static void parse_vectorize(struct parser *p, struct imp_asked *asked, bool tries)
{
    asked->vectors = true;
    asked->tries = tries;
    expect(p, ")");
}

static void parse_unroll(struct parser *p, struct imp_asked *asked)
{
    expect(p, ",");
    asked->unroll = (int)parse_count(p, INT_MAX);
    expect(p, ")");
}

static bool parse_iterations(struct parser *p, struct imp_mark *mark)
{
    static const struct {
        const char *name;
        enum imp_iterations iterations;
    } words[] = {{"ordered", ITERATIONS_IN_ORDER},
                 {"reduces", ITERATIONS_REDUCE},
                 {"apart", ITERATIONS_APART}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (accept(p, words[i].name)) {
            mark->iterations = words[i].iterations;
            return true;
        }
    return false;
}

static void parse_fact(struct parser *p, struct imp_mark *mark, struct imp_asked **asked)
{
    if (parse_iterations(p, mark))
        return;
    if (accept(p, "reduces_row"))
        mark->reduces_row = (int)parse_count(p, INT_MAX);
    else if (accept(p, "row"))
        mark->row = (int)parse_count(p, INT_MAX);
    else if (accept(p, "start"))
        mark->start = (int)parse_count(p, INT_MAX);
    else if (accept(p, "in_row"))
        mark->in_row = true;
    else if (accept(p, "most"))
        mark->most = parse_count(p, INT64_MAX);
    else if (accept(p, "multiple"))
        mark->multiple = parse_count(p, INT64_MAX);
    else if (accept(p, "last"))
        mark->last = parse_integer(p);
    else if (accept(p, "compact"))
        mark->compact = true;
    else if (accept(p, "ascends"))
        mark->ascends = expect_array(p);
    else if (accept(p, "rare"))
        mark->rare = true;
    else if (accept(p, "coordinates"))
        mark->coordinates = parse_integer(p);
    else if (accept(p, "unroll"))
        parse_unroll(p, *asked = parse_asked(p, *asked));
    else if (token_is(p, 0, "vectorize") || token_is(p, 0, "try_vectorize")) {
        bool tries = token_is(p, 0, "try_vectorize");
        advance(p, 1);
        parse_vectorize(p, *asked = parse_asked(p, *asked), tries);
    } else
        mistake(p, p->at, DIAG_SYNTAX, "what is known of a statement is expected here");
}

const struct imp_mark *parse_mark(struct parser *p)
{
    struct imp_mark *mark = arena_make(p->cx->arena, struct imp_mark);
    struct imp_asked *asked = NULL;
    expect(p, "[");
    if (accept(p, "]"))
        return mark;
    do
        parse_fact(p, mark, &asked);
    while (accept(p, ","));
    expect(p, "]");
    mark->asked = asked;
    return mark;
}
