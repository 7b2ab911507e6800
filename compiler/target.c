/* target.c - machines by name, and targets as text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/target.h"

#include <string.h>

#include "compiler/base/printable.h"
#include "compiler/base/suggest.h"

/* ---- the machines ---- */

/* C compilers split a vector that is longer than the machine's in two; of much longer vectors gcc
 * makes very bad code.  A row takes at most half the registers. */
#define VECTORS(bytes, row, gathered, scattered)                             \
    .vector_bytes = (bytes), .row_bytes = (row), .registers = 16, .sums = 4, \
    .gather_bytes = (gathered), .scatter_lanes = (scattered), .row_gain = 8

/* A row of 32 columns takes six times as long as one element: y = A x and Y = A X with 300 entries,
 * 0.10 and 0.59 microseconds on 2026-11-23. */
#define CACHES(first, last)                                                                    \
    .line = 64, .l1 = (first), .pages = 64, .l3 = (last), .streams = 12, .prefetch_ahead = 16, \
    .scatter_ahead = 48

/* y(j) = A(i,j) * x(i), with ten entries a row on average, took 3.4 ns a row for 5,000 rows, 8.7
 * for 8,000, 10.9 for 16,000 and 11.3 for 50,000, but 4.4 if each row has just ten.  So the
 * processor learns about as many row ends by heart, if the loop runs again and again (AMD EPYC with
 * AVX-512, clang 22 and gcc 12, 2026-11-27). */
#define BRANCHES .foreseen = 8192

/* Walking lists of random rows is as fast as seeking in them, up to ten times as many entries.
 *
 * Two parts of y(i) = A(i,j) * x(j) with 32768 entries take 50 us of one thread's time, of which
 * two threads save half.  A parallel loop costs 1 us if the threads are awake and 5 to 7 us if not
 * (two cores of an AMD EPYC, gcc 12 with its libgomp, least and median of 20,000 loops), but some
 * ms if other programs keep the processors busy.  A shared loop has to be worth that risk.
 *
 * A grid of 8448 blocks that go on by strides is as fast as a block for each part of the work; one
 * of 2112 is 2 to 8 % slower (bench/gpu.md: the third run).  That a thread of a GPU searches for
 * eight steps and more is an estimate. */
#define DECISIONS                                                                           \
    .seek_ratio = 16, .part_work = 32768, .lane_work = 8, .grid_blocks = 8448, .lines = 40, \
    .lines_most = 450

/* A step along several lists is counted in instructions.  If the lists have nothing to do with
 * each other, the processor cannot predict which one goes on, and takes longer: triangles in
 * random matrices of 10 to 100 entries a row, on 2026-11-23, took 3.7 to 7 times as long by
 * merging rows as by marking one.  Sorting, far stores and probes are measured, on 2026-11-22, by
 * SpGEMM of 2e4 to 2e5 rows and 2e6 to 2e7 products through each kind of workspace, on two busy
 * cores: a row's list took 90 to 190 ns for a product, a table 150 to 250, the list of the whole
 * result 640 to 1,240. A halving, with the far memory of each search: triangles by a search for
 * each path of two edges, copter2 and email-Enron on 2026-11-28 under load, took 72 to 97 ns a
 * search, while a step of SpMV took 1.1.  That is 7 steps and more a halving, of which 5 are
 * counted, since most rows are near.  An entry of two intersected lists of ten entries a row took
 * 6 times a step of SpMV there, and 3 to 4 times an entry that is looked up in a row's flags; exp
 * of a column 10 times a step.  The costs of a page's address and of a fill are estimates. */
#define COSTS                                                                                    \
    .merge_cost = 400, .search_cost = 500, .sort_cost = 300, .far_cost = 1000, .page_cost = 400, \
    .probe_cost = 500, .function_cost = 1000, .division_cost = 200, .fill_cost = 20

static const struct target generic = {
    .name = "generic",
    .what = "any processor, as C compilers make code for it",
    VECTORS(32, 256, 32, 4),
    CACHES(32 << 10, 8 << 20),
    .foreseen = TARGET_FORESEES_ALL,
    DECISIONS,
    COSTS,
};

static const struct target x86_64 = {
    .name = "x86-64",
    .what = "x86 with SSE2, vectors of 16 bytes",
    VECTORS(16, 128, 16, 2),
    CACHES(32 << 10, 8 << 20),
    BRANCHES,
    DECISIONS,
    COSTS,
};

static const struct target x86_64_v3 = {
    .name = "x86-64-v3",
    .what = "x86 with AVX2, vectors of 32 bytes",
    VECTORS(32, 256, 32, 4),
    CACHES(32 << 10, 8 << 20),
    BRANCHES,
    DECISIONS,
    COSTS,
};

static const struct target x86_64_v4 = {
    .name = "x86-64-v4",
    .what = "x86 with AVX-512, vectors of 64 bytes",
    VECTORS(64, 256, 32, 4),
    CACHES(32 << 10, 8 << 20),
    BRANCHES,
    DECISIONS,
    COSTS,
};

static const struct target arm64 = {
    .name = "arm64",
    .what = "ARM with NEON, vectors of 16 bytes",
    VECTORS(16, 256, 16, 2),
    CACHES(64 << 10, 8 << 20),
    BRANCHES,
    DECISIONS,
    COSTS,
};

const struct target *const target_named[] = {&generic, &x86_64, &x86_64_v3, &x86_64_v4, &arm64};
const int targets_named = sizeof target_named / sizeof target_named[0];

const struct target *target_find(const char *name)
{
    for (int i = 0; i < targets_named; i++)
        if (strcmp(target_named[i]->name, name) == 0)
            return target_named[i];
    return NULL;
}

const struct target *target_with_vectors(struct context *cx, const struct target *target, int bytes)
{
    struct target *other = arena_copy(cx->arena, target, sizeof *target);
    int64_t most = (int64_t)TARGET_VECTORS_MOST * bytes;
    other->vector_bytes = bytes;
    other->row_bytes = other->row_bytes < bytes ? bytes : other->row_bytes;
    other->row_bytes = other->row_bytes > most ? most : other->row_bytes;
    return other;
}

/* ---- as text ---- */

struct figure {
    const char *name, *what;
    int64_t least, most;
    bool power;
    size_t offset; /* in struct target */
};

static const struct figure figures[] = {
#define FIGURE(name, least, most, power, what) \
    {#name, what, least, most, power, offsetof(struct target, name)},
#include "compiler/target.def"
};

enum { FIGURES = sizeof figures / sizeof figures[0] };

static int64_t value_of(const struct target *target, int figure)
{
    return *(const int64_t *)((const char *)target + figures[figure].offset);
}

void target_print(struct text *out, const struct target *target, bool explains)
{
    for (int i = 0; i < FIGURES; i++) {
        text_printf(out, explains ? "%-14s %-9lld # %s\n" : "%s %lld\n", figures[i].name,
                    (long long)value_of(target, i), figures[i].what);
    }
}

/* Finds a figure by its name.  NULL if there is none. */
static const struct figure *find_figure(const char *name)
{
    for (int i = 0; i < FIGURES; i++)
        if (strcmp(figures[i].name, name) == 0)
            return &figures[i];
    return NULL;
}

static bool is_allowed(const struct figure *f, int64_t value)
{
    return value >= f->least && value <= f->most && !(f->power && (value & (value - 1)));
}

static void set(struct target *target, const struct figure *f, int64_t value)
{
    *(int64_t *)((char *)target + f->offset) = value;
}

bool target_set(struct target *target, const char *figure, int64_t value)
{
    const struct figure *f = find_figure(figure);
    if (!f || !is_allowed(f, value))
        return false;
    set(target, f, value);
    return true;
}

/* ---- read ---- */

struct reader {
    struct context *cx;
    struct target *target;
    bool given[FIGURES], any;
    const char *fault; /* NULL: no mistake so far */
};

static bool complain(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool complain(struct reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    r->fault = arena_vprintf(r->cx->arena, format, args);
    va_end(args);
    return false;
}

/* Returns a word as a terminal may show it. */
static const char *shown(struct reader *r, const char *word)
{
    char text[64];
    printable(text, sizeof text, word, false);
    return arena_strdup(r->cx->arena, text);
}

static bool complain_of_figure(struct reader *r, const char *name)
{
    struct suggestion near = suggest_for(name);
    for (int i = 0; i < FIGURES; i++)
        suggest_consider(&near, figures[i].name, strlen(figures[i].name));
    if (near.nearest)
        return complain(r, "'%s' is no figure of a target; did you mean '%.*s'?", shown(r, name),
                        near.length, near.nearest);
    return complain(r, "'%s' is no figure of a target", shown(r, name));
}

static bool read_number(const char *s, int64_t *value)
{
    *value = 0;
    for (const char *c = s; *c; c++) {
        if (*c < '0' || *c > '9' || *value > INT64_MAX / 100)
            return false;
        *value = 10 * *value + (*c - '0');
    }
    return *s != '\0';
}

static bool read_figure(struct reader *r, const char *name, const char *value)
{
    const struct figure *f = find_figure(name);
    int64_t n;
    if (!f)
        return complain_of_figure(r, name);
    if (r->given[f - figures])
        return complain(r, "%s is given twice", name);
    if (!read_number(value, &n) || !is_allowed(f, n))
        return complain(r, "%s is a %s between %lld and %lld, and not '%s'", name,
                        f->power ? "power of two" : "whole number", (long long)f->least,
                        (long long)f->most, shown(r, value));
    set(r->target, f, n);
    r->given[f - figures] = r->any = true;
    return true;
}

static bool read_like(struct reader *r, const char *value)
{
    const struct target *like = target_find(value);
    const char *name = r->target->name, *what = r->target->what;
    if (r->any)
        return complain(r, "'like' is the first line of a target");
    if (!like)
        return complain(r, "there is no target of the name '%s'", shown(r, value));
    *r->target = *like;
    r->target->name = name;
    r->target->what = what;
    r->any = true;
    return true;
}

/* Returns the next word of the line and ends it there; empty if there is none. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t\r");
    *at = word + strcspn(word, " \t\r");
    if (**at)
        *(*at)++ = '\0';
    return word;
}

static bool read_line(struct reader *r, char *line)
{
    line[strcspn(line, "#")] = '\0';
    const char *name = next_word(&line), *value = next_word(&line);
    if (!*name)
        return true;
    if (!*value || *next_word(&line))
        return complain(r, "a line is a figure's name and its value");
    return strcmp(name, "like") == 0 ? read_like(r, value) : read_figure(r, name, value);
}

/* Are the figures consistent? */
static bool fits(struct reader *r)
{
    const struct target *t = r->target;
    if (t->row_bytes < t->vector_bytes || t->row_bytes > TARGET_VECTORS_MOST * t->vector_bytes)
        return complain(r, "row_bytes, %lld, is none of 1 to %d vectors of %lld bytes",
                        (long long)t->row_bytes, TARGET_VECTORS_MOST, (long long)t->vector_bytes);
    if (t->l1 > t->l3)
        return complain(r, "the caches l1 and l3 do not grow: %lld, %lld", (long long)t->l1,
                        (long long)t->l3);
    return true;
}

const struct target *target_parse(struct context *cx, const char *name, const char *text,
                                  const char **fault)
{
    struct reader r = {.cx = cx, .target = arena_copy(cx->arena, TARGET_GENERIC, sizeof generic)};
    char *line = arena_strdup(cx->arena, text);
    r.target->name = arena_strdup(cx->arena, name);
    r.target->what = "as its file says";
    for (int n = 1; line; n++) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (!read_line(&r, line)) {
            *fault = arena_printf(cx->arena, "line %d: %s", n, r.fault);
            return NULL;
        }
        line = next;
    }
    bool is_whole = r.any ? fits(&r) : complain(&r, "there is no figure in it");
    *fault = r.fault;
    return is_whole ? r.target : NULL;
}
