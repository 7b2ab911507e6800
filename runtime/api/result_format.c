/* result_format.c - a format for a result of which nothing is said: sparse where it is the fill
 * wherever an operand is.
 *
 * An operand is sparse if a level of it is not full: there are coordinates that it does not store.
 * The result is sparse if it is its fill where the sparse operands are at theirs, whatever the
 * others are; the simplifier finds that out, as it does for iteration lattices: the statement with
 * the fills in place of the sparse operands is nothing.
 *
 * Level by level, a result then stores in full
 *
 *     a variable that no sparse operand has
 *     the first one, if an operand stores it in full: memory of that size is there already
 *     the first one, if a dense operand takes part, and the sparse ones that have it are summed:
 *     most of it will be there, as of y(i) = A(i,j) * x(j)
 *     another one likewise, if each of these is summed by itself: Y(i,k) = A(i,j) * B(k,l) * X(j,l)
 *
 * and the others compressed.  So csr * csr is csr, coo * coo is dcsr, and A(i,j) * x(k) is dsd.
 * The levels may store the modes in any order.  Tried are those in which the sparse operands store
 * them and the order of the result's modes.  The one with the most full levels is taken, of these
 * the one that agrees with the most operands: csc + csc is csc.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/concrete/concrete.h"
#include "runtime/api/kernel.h"

struct choosing {
    const char *statement;
    const spcc_compile_options *options;
    int result;
    const char *const *held; /* the formats to take one of; NULL: any */
    int n_held, taken;
    char *format;
};

/* What the result is made of. */
struct making {
    struct context *cx;
    const struct cin_program *program;
    const struct cin *result;    /* the access that is assigned to */
    struct cin_list all, sparse; /* operands with modes */
    bool is_sparse;
};

/* A way to store it: level l stores its mode order[l]. */
struct way {
    int order[ORDER_MAX];
    bool full[ORDER_MAX]; /* by level: does it store all of the mode? */
};

static bool mentions(const struct map_expr *map, int mode)
{
    switch (map->kind) {
    case MAP_MODE: return map->mode == mode;
    case MAP_CONSTANT: return false;
    case MAP_ADD:
    case MAP_SUB:
    case MAP_DIV:
    case MAP_MOD: break;
    }
    return mentions(map->a, mode) || mentions(map->b, mode);
}

/* Has the mode a level of its own that is full, or only full ones, as the rows of blocks? */
static bool stores_in_full(const struct format *format, int mode)
{
    bool all = true;
    for (int l = 0; l < format->levels; l++) {
        bool is = level_has(&format->level[l], LEVEL_FULL);
        if (is && format->level[l].mode == mode)
            return true;
        all &= is || !mentions(format->level[l].map, mode);
    }
    return all;
}

static bool is_indexed_by(const struct cin *access, const struct index_var *var)
{
    for (int m = 0; m < access->indices; m++)
        if (access->index[m] == var)
            return true;
    return false;
}

/* Does an operand store the variable in full? */
static bool is_stored_in_full(const struct making *m, const struct index_var *var)
{
    for (size_t i = 0; i < m->all.n; i++)
        for (int mode = 0; mode < m->all.at[i]->indices; mode++)
            if (m->all.at[i]->index[mode] == var
                && stores_in_full(m->all.at[i]->tensor->format, mode))
                return true;
    return false;
}

/* Does a sparse operand have the variable, or does it follow from others, as in C(i,i) = x(i)? */
static bool is_stored_in_part(const struct making *m, const struct index_var *var)
{
    for (size_t i = 0; i < m->sparse.n; i++)
        if (is_indexed_by(m->sparse.at[i], var))
            return true;
    for (int r = 0; r < m->program->relations; r++)
        if (cin_is_child(&m->program->relation[r], var)
            || cin_is_parent(&m->program->relation[r], var))
            return true;
    return false;
}

/* Is every sparse operand that has the variable summed over another of its own? */
static bool is_summed(const struct making *m, const struct index_var *var)
{
    for (size_t i = 0; i < m->sparse.n; i++) {
        const struct cin *operand = m->sparse.at[i];
        bool summed = !is_indexed_by(operand, var);
        for (int mode = 0; mode < operand->indices; mode++)
            summed |=
                !operand->index[mode]->literal && !is_indexed_by(m->result, operand->index[mode]);
        if (!summed)
            return false;
    }
    return true;
}

/* Is each of them summed over all of its others, which no other sparse operand has? */
static bool is_summed_alone(const struct making *m, const struct index_var *var)
{
    bool alone = is_summed(m, var);
    for (size_t i = 0; i < m->sparse.n; i++) {
        const struct cin *operand = m->sparse.at[i];
        for (int mode = 0; mode < operand->indices && is_indexed_by(operand, var); mode++) {
            const struct index_var *other = operand->index[mode];
            alone &= other == var || !is_indexed_by(m->result, other);
            for (size_t k = 0; k < m->sparse.n && other != var; k++)
                alone &= k == i || !is_indexed_by(m->sparse.at[k], other);
        }
    }
    return alone;
}

static void note_operands(struct making *m)
{
    struct cin_list read = cin_operands(m->cx, m->program->statement);
    for (size_t i = 0; i < read.n; i++) {
        const struct tensor_var *tensor = read.at[i]->tensor;
        if (tensor->format->order == 0 || tensor->temporary)
            continue;
        cin_list_add(m->cx, &m->all, read.at[i]);
        if (!format_is_full(tensor->format))
            cin_list_add(m->cx, &m->sparse, read.at[i]);
    }
}

/* Returns the access by which the program assigns to its result. */
static const struct cin *find_target(struct context *cx, const struct cin_program *program)
{
    struct cin_list made = cin_assignments(cx, program->statement);
    size_t at = 0;
    while (made.at[at]->arg[0]->tensor != program->result)
        at++;
    return made.at[at]->arg[0];
}

static struct making making_of(struct context *cx, const struct cin_program *program)
{
    struct making m = {.cx = cx, .program = program, .result = find_target(cx, program)};
    note_operands(&m);
    const struct cin *elsewhere = cin_with_fills(cx, program->statement, &m.sparse);
    m.is_sparse = m.sparse.n > 0 && cin_simplify(cx, elsewhere) == cin_nothing(cx);
    return m;
}

/* ---- ways to store the result ---- */

static bool is_full_at(const struct making *m, const struct way *way, int level)
{
    const struct index_var *var = m->result->index[way->order[level]];
    bool has_dense = m->all.n > m->sparse.n;
    return !m->is_sparse || !is_stored_in_part(m, var)
           || (level == 0 && (is_stored_in_full(m, var) || (has_dense && is_summed(m, var))))
           || (has_dense && is_summed_alone(m, var));
}

static void note_full(const struct making *m, struct way *way)
{
    for (int l = 0; l < m->result->indices; l++)
        way->full[l] = is_full_at(m, way, l);
}

static int count_full(const struct making *m, const struct way *way)
{
    int n = 0;
    for (int l = 0; l < m->result->indices; l++)
        n += way->full[l];
    return n;
}

static bool has_mode(const struct way *way, int levels, int mode)
{
    for (int l = 0; l < levels; l++)
        if (way->order[l] == mode)
            return true;
    return false;
}

/* Returns the modes in the order in which these levels come to them first, then the others. */
static struct way way_through(const struct format *format)
{
    struct way way = {.order = {0}};
    int levels = 0;
    for (int l = 0; l < format->levels; l++)
        for (int mode = 0; mode < format->order; mode++)
            if (mentions(format->level[l].map, mode) && !has_mode(&way, levels, mode))
                way.order[levels++] = mode;
    return way;
}

/* Returns the result's modes in the order in which an operand stores their index variables. */
static struct way way_of(const struct making *m, const struct cin *operand)
{
    struct way stored = way_through(operand->tensor->format), way = {.order = {0}};
    int levels = 0, modes = m->result->indices;
    for (int l = 0; l < operand->indices; l++)
        for (int mode = 0; mode < modes; mode++)
            if (m->result->index[mode] == operand->index[stored.order[l]]
                && !has_mode(&way, levels, mode))
                way.order[levels++] = mode;
    for (int mode = 0; mode < modes; mode++)
        if (!has_mode(&way, levels, mode))
            way.order[levels++] = mode;
    return way;
}

static int level_of(const struct way *way, int mode)
{
    int l = 0;
    while (way->order[l] != mode)
        l++;
    return l;
}

/* Counts the pairs of modes that index an operand and come in another order there. */
static int inversions_with(const struct making *m, const struct way *way, const struct cin *operand)
{
    struct way other = way_of(m, operand);
    int n = 0;
    for (int a = 0; a < m->result->indices; a++)
        for (int b = a + 1; b < m->result->indices; b++)
            n += is_indexed_by(operand, m->result->index[way->order[a]])
                 && is_indexed_by(operand, m->result->index[way->order[b]])
                 && level_of(&other, way->order[a]) > level_of(&other, way->order[b]);
    return n;
}

static int inversions(const struct making *m, const struct way *way)
{
    int n = 0;
    for (size_t i = 0; i < m->sparse.n; i++)
        n += inversions_with(m, way, m->sparse.at[i]);
    return n;
}

static struct way best_way(const struct making *m)
{
    struct way best = {.order = {0}};
    for (int mode = 0; mode < m->result->indices; mode++)
        best.order[mode] = mode;
    note_full(m, &best);
    int full = count_full(m, &best), inverted = inversions(m, &best);
    for (size_t i = 0; i < m->sparse.n; i++) {
        struct way way = way_of(m, m->sparse.at[i]);
        note_full(m, &way);
        int f = count_full(m, &way), n = inversions(m, &way);
        if (f > full || (f == full && n < inverted)) {
            best = way;
            full = f;
            inverted = n;
        }
    }
    return best;
}

/* ---- any format ---- */

/* Returns the format's name if it has one, else its text. */
static const char *spelling(const struct making *m, const struct way *way)
{
    static const char *const names[][2] = {
        {"s", "sparse"}, {"ds", "csr"}, {"ss", "dcsr"}, {"ds:1,0", "csc"}, {"ss:1,0", "dcsc"}};
    struct text out = text_new(m->cx->arena);
    int modes = m->result->indices;
    bool in_order = true;
    for (int l = 0; l < modes; l++) {
        text_add(&out, way->full[l] ? "d" : "s");
        in_order &= way->order[l] == l;
    }
    for (int l = 0; l < modes && !in_order; l++)
        text_printf(&out, "%s%d", l ? "," : ":", way->order[l]);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (strcmp(names[n][0], out.at) == 0)
            return names[n][1];
    return modes > 2 && in_order && count_full(m, way) == 0 ? "csf" : out.at;
}

/* ---- one of several formats ---- */

/* How far a format is from what the result needs; the first number that differs decides. */
enum { EXCESS, DISTANCE, OTHERS, INVERSIONS, ODD, MEASURES };

/* Is it a level as the best way has them, dense or compressed? */
static bool is_common(const struct level_format *level)
{
    return level->mode >= 0 && level_has(level, LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT)
           && !level_has(level, LEVEL_BRANCHLESS);
}

static void measure_format(const struct making *m, const struct way *best,
                           const struct format *format, int measure[MEASURES])
{
    struct way way = way_through(format);
    int full = 0;
    note_full(m, &way);
    memset(measure, 0, MEASURES * sizeof *measure);
    for (int l = 0; l < m->result->indices; l++) {
        bool is = stores_in_full(format, way.order[l]);
        full += is;
        /* below each component of the levels above, it has all of a dimension */
        measure[EXCESS] += l > 0 && is && !way.full[l];
        measure[OTHERS] += is != way.full[l];
    }
    measure[DISTANCE] = abs(full - count_full(m, best));
    measure[INVERSIONS] = inversions(m, &way);
    for (int l = 0; l < format->levels; l++)
        measure[ODD] += !is_common(&format->level[l]);
}

/* Parses one of the given formats; NULL for a format of another order, or for a text that is none.
 */
static const struct format *parse_held(struct spcc_context *api, struct context *cx,
                                       const char *text, int order)
{
    size_t diagnostics = cx->diags.n;
    const struct format *format =
        format_parse(cx, "the result", text ? text : "dense", order, api->defaults);
    cx->diags.n = diagnostics;
    return format;
}

static spcc_status take_one(struct spcc_context *api, const struct making *m, struct choosing *a)
{
    int least[MEASURES], measured[MEASURES], order = m->result->indices;
    struct way best = best_way(m);
    for (int f = 0; f < a->n_held; f++) {
        const struct format *format = parse_held(api, m->cx, a->held[f], order);
        int differs = 0;
        if (!format)
            continue;
        measure_format(m, &best, format, measured);
        while (a->taken >= 0 && differs < MEASURES && measured[differs] == least[differs])
            differs++;
        if (a->taken >= 0 && (differs == MEASURES || measured[differs] > least[differs]))
            continue;
        memcpy(least, measured, sizeof least);
        a->taken = f;
    }
    return a->taken >= 0 ? SPCC_OK
                         : api_error(m->cx, SPCC_ERROR_ARGUMENT,
                                     "none of the formats is for tensors of order %d", order);
}

/* ---- the calls ---- */

static spcc_status choose(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct choosing *a = arguments;
    struct pipeline_request request;
    struct pipeline p;
    if (!kernel_request(api, cx, a->statement, a->options, &request)
        || !pipeline_run(cx, &request, STAGE_CONCRETE, &p))
        return api_status(cx);
    if (a->result < 0 || a->result >= tin_statements(p.notation))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "there is no result %d", a->result);
    struct making m = making_of(cx, cin_part(cx, p.concrete, a->result));
    if (a->held)
        return take_one(api, &m, a);
    struct way way = best_way(&m);
    if (count_full(&m, &way) == m.result->indices)
        return SPCC_OK;
    a->format = api_strdup(spelling(&m, &way));
    return a->format ? SPCC_OK : SPCC_ERROR_MEMORY;
}

spcc_status spcc_result_format(spcc_context *context, const char *statement,
                               const spcc_compile_options *options, char **format)
{
    return spcc_result_format_of(context, statement, options, 0, format);
}

spcc_status spcc_result_format_of(spcc_context *context, const char *statement,
                                  const spcc_compile_options *options, int result, char **format)
{
    struct choosing a = {.statement = statement, .options = options, .result = result};
    if (!format)
        return api_lacks(context, "format");
    spcc_status status = api_call(context, choose, &a);
    *format = a.format;
    return status;
}

spcc_status spcc_result_format_among(spcc_context *context, const char *statement,
                                     const spcc_compile_options *options, int result,
                                     const char *const *formats, int n_formats, int *taken)
{
    struct choosing a = {.statement = statement,
                         .options = options,
                         .result = result,
                         .held = formats,
                         .n_held = n_formats,
                         .taken = -1};
    if (!taken)
        return api_lacks(context, "taken");
    *taken = -1;
    if (!formats || n_formats <= 0)
        return api_lacks(context, "formats");
    spcc_status status = api_call(context, choose, &a);
    *taken = a.taken;
    return status;
}
