/* parallelize.c - parallelize(i, unit, races, share, n): the iterations of a loop go to threads, in
 * shares, or into vectors (thesis 6.6).
 *
 *     before    forall(i) forall(j) y(i) += A(i,j) * x(j)
 *     after     ... : parallelize(i, cpu_thread, no_races)                         parallelize(i)
 *
 * The statement stays as it is; the tag goes to the loops that the forall becomes (tag.c).  A
 * parallel loop is run in parts, a share of its iterations each, and parts in any order.  What
 * several parts write into is there for nobody (no_races: the default), or each part has its own,
 * which are combined in the order of the parts (temporary), or is written by one thread at a time
 * (atomics), or the user knows better (ignore_races).
 *
 * static, the default: part after part is some thread's from the beginning; dynamic: they go to
 * whoever is free.  n iterations make a part; without it shares are as large as what is stored.
 *
 * Words are read as taco writes them, too: CPUThread, NoRaces.  cpu_vector is vectorize(i).
 *
 * Preconditions: the loop is in no other parallel one, and there is none in it.  Which races there
 * are depends on formats and on the directives that follow: compiler/tree/races.c looks when the
 * loops are what they will be.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "schedules/loops.h"

enum { PART_MOST = 1 << 30 };

/* Of spcc's word the underscores, and of all words whether letters are capital, do not count. */
static bool is_word(const char *written, const char *word)
{
    for (;; written++, word++) {
        written += *written == '_';
        word += *word == '_';
        if (tolower((unsigned char)*written) != *word || !*word)
            return tolower((unsigned char)*written) == *word;
    }
}

struct pair {
    const struct cin_program *program;
    const struct cin *loop;
};

/* Is it a parallel loop with the other one in it? */
static bool is_around(const struct cin *cin, void *data)
{
    struct pair *pair = data;
    return cin != pair->loop && cin_parallel(pair->program, cin) && cin_contains(cin, pair->loop);
}

/* The loop, if it may be parallel; NULL after a diagnostic. */
static const struct cin *find_loop(struct context *cx, const struct cin_program *program,
                                   const struct schedule_call *call)
{
    const struct cin *loop = loops_find(cx, program, call, 0);
    struct pair pair = {program, loop};
    if (!loop)
        return NULL;
    if (cin_has_parallel(program, loop->arg[0])) {
        loops_refuse(cx, program, call, 0, "the loop over %s contains a parallel loop",
                     loop->index[0]->name);
        return NULL;
    }
    if (cin_any(program->statement, is_around, &pair)) {
        loops_refuse(cx, program, call, 0, "the loop over %s is inside a parallel loop",
                     loop->index[0]->name);
        return NULL;
    }
    return loop;
}

static bool read_races(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, struct cin_tag *tag)
{
    const char *word = call->argument[2].text;
    if (is_word(word, "parallelreduction")) { /* taco's for the like */
        tag->races = RACES_TEMPORARY;
        return true;
    }
    while (tag->races < RACES_KINDS && !is_word(word, cin_races_name(tag->races)))
        tag->races++;
    return tag->races < RACES_KINDS
           || loops_refuse(cx, program, call, 2,
                           "races are no_races, ignore_races, atomics or temporary, not %s", word);
}

static bool read_share(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, struct cin_tag *tag)
{
    tag->dynamic = call->arguments > 3 && is_word(call->argument[3].text, "dynamic");
    if (call->arguments > 3 && !tag->dynamic && !is_word(call->argument[3].text, "static"))
        return loops_refuse(cx, program, call, 3, "parts are scheduled static or dynamic");
    if (call->arguments < 5)
        return true;
    return loops_number(call, 4, PART_MOST, &tag->factor)
           || loops_refuse(cx, program, call, 4, "a part has from 1 to %d iterations", PART_MOST);
}

static const struct cin_program *apply_parallelize(struct context *cx,
                                                   const struct cin_program *program,
                                                   const struct schedule_call *call)
{
    if (call->arguments > 5) {
        loops_refuse(cx, program, call, -1,
                     "it takes a loop, a unit, a rule for races, static or dynamic, and the "
                     "iterations of a part");
        return NULL;
    }
    if (call->arguments > 1 && is_word(call->argument[1].text, "cpu_vector")) {
        struct schedule_call vectors = *call;
        vectors.arguments = 1;
        return schedule_vectorize.apply(cx, program, &vectors);
    }
    if (call->arguments > 1 && !is_word(call->argument[1].text, "cpu_thread")) {
        loops_refuse(cx, program, call, 1,
                     "there is no unit %s; the units are cpu_thread and cpu_vector",
                     call->argument[1].text);
        return NULL;
    }
    const struct cin *loop = find_loop(cx, program, call);
    struct cin_tag tag = {.var = loop ? loop->index[0] : NULL, .kind = TAG_PARALLEL};
    if (!loop || (call->arguments > 2 && !read_races(cx, program, call, &tag))
        || !read_share(cx, program, call, &tag))
        return NULL;
    return loops_with_tag(cx, program, call, tag);
}

const struct schedule_type schedule_parallelize = {
    .name = "parallelize",
    .usage = "parallelize(i, unit, races, ...)",
    .brief = "divide the iterations of a loop among threads",
    .apply = apply_parallelize,
};
