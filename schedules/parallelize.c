/* parallelize.c - parallelize(i, unit, races, share, n): the iterations of a loop run on threads,
 * in parts, or in vectors (thesis 6.6).
 *
 *     before    forall(i) forall(j) y(i) += A(i,j) * x(j)
 *     after     ... : parallelize(i, cpu_thread, no_races)                         parallelize(i)
 *
 * The statement does not change; the loops that are made of the forall get the tag (tag.c).  A
 * parallel loop runs in parts, each a range of its iterations, in any order.  The races say what
 * happens to a component that several parts write: the loop is refused (no_races, the default);
 * each part has a copy, and the copies are combined in the order of the parts (temporary); one
 * thread at a time writes it (atomics); or the user vouches for it (ignore_races).
 *
 * static, the default: each part belongs to a certain thread from the beginning.  dynamic: a
 * thread that is free takes the next part.  n is the number of iterations of a part; without it,
 * parts have equal numbers of stored entries.
 *
 * The units of a GPU are gpu_block, gpu_warp and gpu_thread; their loops are nested in this order.
 * The threads of a team may also combine their reductions among themselves (warp_reduction).
 * parallelize(j, gpu_thread, races, n): n threads of a team share a loop that merges operands, in
 * parts of equal work.
 *
 * taco's spellings of these words are read as well: CPUThread, NoRaces.  cpu_vector is
 * vectorize(i).
 *
 * Preconditions: the target has the unit; the loop is not inside another parallel loop, nor around
 * one, except in the nests of a GPU.  The races, and the number of threads in a team, depend on
 * formats and on the directives that follow.  compiler/tree/races.c and units.c check them once
 * the loops are final.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "schedules/loops.h"

enum { PART_MOST = 1 << 30, LANES_MOST = 1024 };

/* Compares without regard to capital letters, and to underscores in spcc's word. */
static bool is_word(const char *written, const char *word)
{
    for (;; written++, word++) {
        written += *written == '_';
        word += *word == '_';
        if (tolower((unsigned char)*written) != *word || !*word)
            return tolower((unsigned char)*written) == *word;
    }
}

/* ---- the loops around and inside ---- */

struct search {
    const struct cin_program *program;
    const struct cin *loop;
    enum cin_unit unit; /* the unit that the loop will get */
    bool below;         /* look at loops inside; else at those around */
    const struct cin_tag *found;
};

/* Is it a parallel loop, around the other or inside, that cannot be there? */
static bool is_misplaced(const struct cin *cin, void *data)
{
    struct search *s = data;
    const struct cin_tag *tag = cin != s->loop ? cin_parallel(s->program, cin) : NULL;
    if (!tag || !cin_contains(s->below ? s->loop : cin, s->below ? cin : s->loop))
        return false;
    bool nests = s->below ? cin_unit_nests(s->unit, tag->unit) : cin_unit_nests(tag->unit, s->unit);
    if (!nests)
        s->found = tag;
    return !nests;
}

/* Checks that the units go from block to thread, each once.  false after a diagnostic. */
static bool check_nest(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, const struct cin *loop, enum cin_unit unit)
{
    for (int below = 0; below < 2; below++) {
        struct search s = {program, loop, unit, below, NULL};
        if (!cin_any(program->statement, is_misplaced, &s))
            continue;
        const char *name = loop->index[0]->name, *where = below ? "contains" : "is inside";
        if (!cin_unit_is_gpu(unit) && !cin_unit_is_gpu(s.found->unit))
            return loops_refuse(cx, program, call, 0, "the loop over %s %s a parallel loop", name,
                                where);
        return loops_refuse(cx, program, call, 0,
                            "the loop over %s, of the unit %s, %s the loop over %s, of the unit "
                            "%s; from the outermost in, units are gpu_block, gpu_warp and "
                            "gpu_thread, each at most once",
                            name, cin_unit_name(unit), where, s.found->var->name,
                            cin_unit_name(s.found->unit));
    }
    return true;
}

/* ---- the arguments ---- */

/* Reads the unit, which must be one of the target's.  false after a diagnostic. */
static bool read_unit(struct context *cx, const struct cin_program *program,
                      const struct schedule_call *call, struct cin_tag *tag)
{
    int argument = call->arguments > 1 ? 1 : 0;
    const char *word = argument ? call->argument[1].text : "cpu_thread";
    while (tag->unit < UNIT_KINDS && !is_word(word, cin_unit_name(tag->unit)))
        tag->unit++;
    if (tag->unit == UNIT_KINDS)
        return loops_refuse(cx, program, call, 1,
                            "there is no unit %s; the units are cpu_thread and cpu_vector, and of "
                            "a GPU gpu_block, gpu_warp and gpu_thread",
                            word);
    if (cin_unit_is_gpu(tag->unit) && !cx->cuda) {
        loops_refuse(cx, program, call, argument, "%s is a unit of a GPU, and the code is C",
                     cin_unit_name(tag->unit));
        return loops_help(cx, "{language cuda} makes code for a GPU");
    }
    return cin_unit_is_gpu(tag->unit) || !cx->cuda
           || loops_refuse(cx, program, call, argument,
                           "cpu_thread is a unit of a CPU, and the code is for a GPU, whose units "
                           "are gpu_block, gpu_warp and gpu_thread");
}

static bool read_races(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, struct cin_tag *tag)
{
    const char *word = call->argument[2].text;
    bool thread = tag->unit == UNIT_GPU_THREAD, gpu = cin_unit_is_gpu(tag->unit);
    if (is_word(word, "parallelreduction") || (gpu && is_word(word, "gpureduction"))) {
        tag->races = thread ? RACES_WARP : RACES_TEMPORARY; /* taco's word for both */
        return true;
    }
    while (tag->races < RACES_KINDS && !is_word(word, cin_races_name(tag->races)))
        tag->races++;
    if (tag->races == RACES_WARP && tag->unit != UNIT_GPU_THREAD)
        return loops_refuse(cx, program, call, 2,
                            "warp_reduction is what threads of a GPU do with each other: the unit "
                            "is gpu_thread");
    return tag->races < RACES_KINDS
           || loops_refuse(
               cx, program, call, 2,
               "races are no_races, ignore_races, atomics, temporary or warp_reduction, "
               "not %s",
               word);
}

/* Reads how many threads of a team share the loop.  false after a diagnostic. */
static bool read_lanes(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, struct cin_tag *tag)
{
    if (call->arguments > 4 || tag->unit != UNIT_GPU_THREAD)
        return loops_refuse(cx, program, call, 3,
                            "how parts are scheduled is said for threads of a CPU");
    return loops_number(call, 3, LANES_MOST, &tag->second)
           || loops_refuse(cx, program, call, 3, "from 1 to %d threads share the loop", LANES_MOST);
}

static bool read_share(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, struct cin_tag *tag)
{
    if (call->arguments > 3 && cin_unit_is_gpu(tag->unit))
        return read_lanes(cx, program, call, tag);
    tag->dynamic = call->arguments > 3 && is_word(call->argument[3].text, "dynamic");
    if (call->arguments > 3 && !tag->dynamic && !is_word(call->argument[3].text, "static"))
        return loops_refuse(cx, program, call, 3, "parts are scheduled static or dynamic");
    if (call->arguments < 5)
        return true;
    return loops_number(call, 4, PART_MOST, &tag->factor)
           || loops_refuse(cx, program, call, 4, "a part has from 1 to %d iterations", PART_MOST);
}

/* ---- the nest ---- */

/* Is it a loop with atomic updates? */
static bool is_atomic(const struct cin *cin, void *program)
{
    const struct cin_tag *tag = cin_parallel(program, cin);
    return tag && tag->races == RACES_ATOMICS;
}

/* Is the update atomic for all threads?  Then a loop around may ignore its races as well. */
static const struct cin_program *cover_ignored(struct context *cx,
                                               const struct cin_program *program)
{
    struct cin_program *covered = arena_copy(cx->arena, program, sizeof *program);
    struct cin_tag *all = arena_copy(cx->arena, program->tag, sizeof *all * (size_t)program->tags);
    for (int i = 0; i < program->tags; i++) {
        const struct cin *loop = loops_named(program, all[i].var->name);
        bool ignores = all[i].kind == TAG_PARALLEL && cin_unit_is_gpu(all[i].unit)
                       && all[i].races == RACES_IGNORE;
        if (loop && ignores && cin_any(loop->arg[0], is_atomic, (void *)(size_t)program))
            all[i].races = RACES_ATOMICS;
    }
    covered->tag = all;
    return covered;
}

static const struct cin_program *apply_parallelize(struct context *cx,
                                                   const struct cin_program *program,
                                                   const struct schedule_call *call)
{
    if (call->arguments > 5)
        return loops_refuse(cx, program, call, -1,
                            "it takes a loop, a unit, a rule for races, static or dynamic, and the "
                            "iterations of a part, or, of a GPU, how many threads share the loop");
    if (call->arguments > 1 && is_word(call->argument[1].text, "cpu_vector")) {
        struct schedule_call vectors = *call;
        vectors.arguments = 1;
        return schedule_vectorize.apply(cx, program, &vectors);
    }
    const struct cin *loop = loops_find(cx, program, call, 0);
    struct cin_tag tag = {.var = loop ? loop->index[0] : NULL, .kind = TAG_PARALLEL};
    if (!loop || !read_unit(cx, program, call, &tag)
        || !check_nest(cx, program, call, loop, tag.unit)
        || (call->arguments > 2 && !read_races(cx, program, call, &tag))
        || !read_share(cx, program, call, &tag))
        return NULL;
    program = loops_with_tag(cx, program, call, tag);
    return program && cin_unit_is_gpu(tag.unit) ? cover_ignored(cx, program) : program;
}

const struct schedule_type schedule_parallelize = {
    .name = "parallelize",
    .usage = "parallelize(i, unit, races, ...)",
    .brief = "divide the iterations of a loop among threads, or a GPU's blocks, warps and threads",
    .apply = apply_parallelize,
};
