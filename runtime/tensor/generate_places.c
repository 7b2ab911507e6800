/* generate_places.c - draws components' places, by Kronecker graphs or by power laws.
 *
 * A stochastic Kronecker graph (Leskovec and others, "Kronecker graphs", 2010) is a power of a
 * small initiator.  Each digit of the coordinates, in its base, is a cell of the initiator, drawn
 * with the cell's probability (R-MAT by Chakrabarti and others, for any order and base).  If a
 * mode is shorter than the power, its leading digits are 0, and places outside are drawn again.
 *
 * By a power law, a coordinate is the whole part of a number between 1 and the size + 1 whose
 * density falls with the exponent.  The coordinates of full modes are equally probable, and the
 * first components go through them one after the other.
 *
 * Each component has random numbers of its own, by its number, so any thread can draw it.
 * Components are added to the list in order, and a place that is taken is drawn again.  If that
 * happens too often for a component, all places become equally probable, so that drawing ends for
 * any number of components that fits the sizes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/generate_places.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/tensor/alloc.h"
#include "runtime/tensor/memory.h"
#include "runtime/threads/threads.h"

/* After this many draws of a component all places are equally probable. */
enum { DRAWS = 1000 };

/* Components are drawn in batches, which are divided into tasks. */
enum { BATCH = 1 << 16, TASK = 1 << 12 };

/* The distribution. */
struct law {
    const struct generator *generator;
    const struct coords *in; /* for its order and sizes */
    int threads;
    /* Of an initiator: its side, the number of digits of a coordinate, and for each digit the sums
     * of the cells up to each one, as far as they are inside in all modes. */
    int base, cells, digits;
    double *sums;
    /* Of power laws, for each mode: the size (0 if the mode is full), and the range of the
     * inverse's argument. */
    double reach[ORDER_MAX];
    bool full[ORDER_MAX];
};

/* ---- random numbers ---- */

struct draws {
    uint64_t seed, number;
};

static uint64_t draw(struct draws *draws) { return generate_hash(draws->seed, draws->number++); }

static double draw_unit(struct draws *draws) { return generate_unit(draw(draws), false); }

__extension__ typedef unsigned __int128 wide;

static int64_t draw_below(struct draws *draws, int64_t n)
{
    return (int64_t)((wide)draw(draws) * (uint64_t)n >> 64);
}

/* ---- Kronecker graphs ---- */

/* Row by row, the last mode fastest. */
static int digit_of(const struct law *law, int cell, int mode)
{
    for (int m = law->in->order - 1; m > mode; m--)
        cell /= law->base;
    return cell % law->base;
}

/* Returns a digit's weight, saturated. */
static int64_t worth(const struct law *law, int digit)
{
    int64_t is = 1;
    for (int d = law->digits - 1; d > digit; d--)
        if (__builtin_mul_overflow(is, (int64_t)law->base, &is))
            return INT64_MAX;
    return is;
}

/* Is every cell other than 0 for this digit inside in all modes, whatever follows? */
static bool is_inside(const struct law *law, int digit, int cell)
{
    int64_t least = worth(law, digit);
    for (int m = 0; m < law->in->order; m++)
        if (digit_of(law, cell, m) > 0 && least >= law->in->dimension[m])
            return false;
    return true;
}

/* Three quarters of the components lie in half of each mode, again and again, as in R-MAT. */
static double usual_cell(const struct law *law, int cell)
{
    double is = 1;
    for (int m = 0; m < law->in->order; m++)
        is *= digit_of(law, cell, m) == 0 ? 0.76 : 0.24;
    return is;
}

static void sum_cells(struct law *law)
{
    for (int d = 0; d < law->digits; d++) {
        double sum = 0;
        for (int c = 0; c < law->cells; c++) {
            double cell = law->generator->cells > 0 ? law->generator->cell[c] : usual_cell(law, c);
            sum += is_inside(law, d, c) ? cell : 0;
            law->sums[(int64_t)d * law->cells + c] = sum;
        }
    }
}

/* Returns the side of an initiator of that order with this many cells, 0 if there is none. */
static int side_of(int cells, int order)
{
    for (int side = 2; side <= cells; side++) {
        int64_t n = 1;
        for (int m = 0; m < order && n <= cells; m++)
            n *= side;
        if (n == cells)
            return side;
    }
    return 0;
}

static enum rt_status prepare_initiator(struct law *law, const char *name, struct rt_error *error)
{
    const struct generator *g = law->generator;
    int order = law->in->order;
    int64_t most = 1, power = 1;
    if (g->cells == 0 && order > 8)
        return rt_fail(error, RT_INPUT, DIAG_LIMIT,
                       "%s: @kronecker makes tensors of at most 8 modes, not %d", name, order);
    law->cells = g->cells > 0 ? g->cells : 1 << order;
    law->base = order > 0 ? side_of(law->cells, order) : 2;
    if (law->base == 0 || (order == 0 && law->cells != 1))
        return rt_fail(error, RT_INPUT, DIAG_SYNTAX,
                       "%s: @kronecker has %d probabilities; a tensor of %d modes takes %d, or a "
                       "larger side to that power",
                       name, law->cells, order, 1 << (order < 30 ? order : 30));
    for (int m = 0; m < order; m++)
        most = law->in->dimension[m] > most ? law->in->dimension[m] : most;
    for (law->digits = 0; power < most; law->digits++)
        if (__builtin_mul_overflow(power, (int64_t)law->base, &power))
            power = INT64_MAX;
    law->sums = rt_array((int64_t)law->digits * law->cells, sizeof *law->sums);
    if (!law->sums)
        return rt_no_memory(error);
    sum_cells(law);
    return RT_OK;
}

/* Finds the first cell whose sum is larger, without a branch, which would be unpredictable. */
static int find_cell(const double *sums, int n, double sum)
{
    int first = 0;
    for (int half; n > 1; n -= half) {
        half = n / 2;
        first += sums[first + half - 1] <= sum ? half : 0;
    }
    return first;
}

/* Draws the cells.  false if the place is outside. */
static bool draw_cells(const struct law *law, struct draws *draws, int64_t *at)
{
    int order = law->in->order;
    memset(at, 0, (size_t)order * sizeof *at);
    for (int d = 0; d < law->digits; d++) {
        const double *sums = law->sums + (int64_t)d * law->cells;
        int cell = find_cell(sums, law->cells, draw_unit(draws) * sums[law->cells - 1]);
        for (int m = order - 1; m >= 0; m--, cell /= law->base)
            at[m] = at[m] * law->base + cell % law->base;
    }
    for (int m = 0; m < order; m++)
        if (at[m] >= law->in->dimension[m])
            return false;
    return true;
}

/* ---- power laws ---- */

/* Full modes are those that the recipe names, or else modes of at most the root of the longest one.
 */
static bool is_full(const struct law *law, int mode)
{
    int64_t longest = 0, size = law->in->dimension[mode];
    for (int m = 0; m < law->in->order; m++)
        longest = law->in->dimension[m] > longest ? law->in->dimension[m] : longest;
    return law->generator->says_full ? law->generator->full[mode]
                                     : (double)size * (double)size <= (double)longest;
}

static enum rt_status prepare_powers(struct law *law, const char *name, struct rt_error *error)
{
    double rest = 1 - law->generator->exponent;
    for (int m = law->in->order; m < ORDER_MAX; m++)
        if (law->generator->full[m])
            return rt_fail(error, RT_INPUT, DIAG_SYNTAX,
                           "%s: @powerlaw names mode %d, but modes are from 0 to %d", name, m,
                           law->in->order - 1);
    for (int m = 0; m < law->in->order; m++) {
        double end = (double)law->in->dimension[m] + 1;
        law->full[m] = is_full(law, m);
        law->reach[m] = rest == 0 ? log(end) : pow(end, rest) - 1;
    }
    return RT_OK;
}

/* Inverts the distribution function of the law's numbers. */
static int64_t draw_power(const struct law *law, struct draws *draws, int mode)
{
    double rest = 1 - law->generator->exponent, part = draw_unit(draws) * law->reach[mode];
    double x = rest == 0 ? exp(part) : pow(1 + part, 1 / rest);
    int64_t last = law->in->dimension[mode] - 1;
    return x - 1 < (double)last ? (int64_t)(x - 1) : last;
}

static void draw_powers(const struct law *law, struct draws *draws, int64_t component, int64_t *at)
{
    for (int m = 0; m < law->in->order; m++) {
        int64_t size = law->in->dimension[m];
        at[m] = !law->full[m]      ? draw_power(law, draws, m)
                : component < size ? component
                                   : draw_below(draws, size);
    }
}

/* ---- both ---- */

/* Draws the component's place for the attempt-th time.  false if it is outside. */
static bool draw_place(const struct law *law, int64_t component, int attempt, int64_t *at)
{
    uint64_t own = generate_hash(~law->generator->seed, (uint64_t)component);
    struct draws draws = {.seed = generate_hash(own, (uint64_t)attempt)};
    if (attempt < DRAWS && law->generator->kind == GENERATE_KRONECKER)
        return draw_cells(law, &draws, at);
    if (attempt < DRAWS)
        return draw_powers(law, &draws, component, at), true;
    for (int m = 0; m < law->in->order; m++)
        at[m] = draw_below(&draws, law->in->dimension[m]);
    return true;
}

static uint64_t hash_place(int order, const int64_t *at)
{
    uint64_t hash = 0;
    for (int m = 0; m < order; m++)
        hash = generate_hash(hash, (uint64_t)at[m]);
    return hash;
}

/* ---- a batch ---- */

struct batch {
    const struct law *law;
    int64_t first;
    int n;
    bool *is_place;
    uint64_t *hash;
    int64_t *at; /* a component's coordinates are adjacent */
};

static void draw_task(void *data, int64_t task, int worker)
{
    struct batch *b = data;
    int order = b->law->in->order;
    (void)worker;
    for (int k = (int)task * TASK; k < b->n && k < ((int)task + 1) * TASK; k++) {
        b->is_place[k] = draw_place(b->law, b->first + k, 0, b->at + (int64_t)k * order);
        b->hash[k] = hash_place(order, b->at + (int64_t)k * order);
    }
}

/* ---- the list ---- */

/* The list, and a hash table with open addressing that has each place's number in the list, from 1
 * on. */
struct places {
    struct coords *list;
    int64_t *slot;
    uint64_t mask;
};

static bool is_same(const struct coords *list, int64_t entry, const int64_t *at)
{
    for (int m = 0; m < list->order; m++)
        if (list->coordinate[m][entry] != at[m])
            return false;
    return true;
}

/* Adds a place.  false if it is there already. */
static bool add_place(struct places *p, uint64_t hash, const int64_t *at)
{
    uint64_t s = hash & p->mask;
    for (; p->slot[s] != 0; s = (s + 1) & p->mask)
        if (is_same(p->list, p->slot[s] - 1, at))
            return false;
    for (int m = 0; m < p->list->order; m++)
        p->list->coordinate[m][p->list->n] = at[m];
    p->slot[s] = ++p->list->n;
    return true;
}

static void add_batch(struct places *p, const struct batch *b)
{
    enum { AHEAD = 16 };
    int order = b->law->in->order;
    for (int k = 0; k < b->n && !memory_is_stopped(); k++) {
        int64_t *at = b->at + (int64_t)k * order;
        bool is_place = b->is_place[k];
        uint64_t hash = b->hash[k];
        if (k + AHEAD < b->n)
            __builtin_prefetch(&p->slot[b->hash[k + AHEAD] & p->mask], 1);
        for (int attempt = 1; !is_place || !add_place(p, hash, at); attempt++) {
            is_place = draw_place(b->law, b->first + k, attempt, at);
            hash = hash_place(order, at);
        }
    }
}

static bool open_batch(struct batch *b, int order)
{
    b->is_place = rt_array(BATCH, sizeof *b->is_place);
    b->hash = rt_array(BATCH, sizeof *b->hash);
    b->at = rt_array((int64_t)BATCH * order, sizeof *b->at);
    return b->is_place && b->hash && b->at;
}

static void close_batch(struct batch *b)
{
    free(b->is_place);
    free(b->hash);
    free(b->at);
}

static bool add_places(struct places *p, const struct law *law)
{
    struct batch batch = {.law = law};
    int64_t stored = law->generator->stored;
    bool has_room = open_batch(&batch, law->in->order);
    for (; has_room && batch.first < stored && !memory_is_stopped(); batch.first += BATCH) {
        batch.n = stored - batch.first < BATCH ? (int)(stored - batch.first) : BATCH;
        threads_run(law->threads, (batch.n + TASK - 1) / TASK, draw_task, &batch);
        add_batch(p, &batch);
    }
    close_batch(&batch);
    return has_room && p->list->n == stored;
}

/* ---- all of it ---- */

/* Are there at least this many places?  They may be more than 64 bits hold. */
static bool has_places(const struct coords *coords, int64_t n, wide *places)
{
    *places = 1;
    for (int m = 0; m < coords->order; m++) {
        if (coords->dimension[m] <= 0)
            return *places = 0, n == 0;
        *places = *places > INT64_MAX ? *places : *places * (wide)coords->dimension[m];
    }
    return *places >= (wide)n;
}

/* Returns the table's slots: half as many again as components, rounded up to a power of two. */
static int64_t slots_for(int64_t n)
{
    int64_t slots = 16;
    while ((double)slots < 1.5 * (double)n && slots < INT64_MAX / 4)
        slots *= 2;
    return slots;
}

/* Allocates everything before anything is drawn. */
static enum rt_status room_for_places(struct places *p, int64_t n, const char *name,
                                      struct rt_error *error)
{
    char what[128];
    int64_t slots = slots_for(n);
    double bytes = (double)n * (double)(8 * p->list->order + (int)type_size(p->list->type))
                   + (double)slots * (double)sizeof *p->slot;
    snprintf(what, sizeof what, "%s: its components", name);
    if (bytes > (double)memory_left())
        return memory_fail(what, bytes < 0x1p62 ? (int64_t)bytes : INT64_MAX, error);
    p->mask = (uint64_t)slots - 1;
    p->slot = coords_reserve(p->list, n) ? rt_array_zeroed(slots, sizeof *p->slot) : NULL;
    return p->slot ? RT_OK : rt_no_memory(error);
}

enum rt_status generate_places(const struct generator *generator, int threads, const char *name,
                               struct coords *coords, struct rt_error *error)
{
    struct law law = {.generator = generator, .in = coords, .threads = threads};
    struct places places = {.list = coords};
    int64_t n = generator->stored;
    wide most;
    const char *who = name ? name : "the tensor";
    if (!has_places(coords, n, &most)) {
        enum rt_status status = rt_fail(
            error, RT_INPUT, DIAG_LIMIT,
            "%s: %" PRId64 " components are to be stored, and its sizes have %" PRId64 " places",
            who, n, (int64_t)most);
        rt_help(error,
                "larger sizes have more places; the second argument says how many are stored");
        return status;
    }
    enum rt_status status = generator->kind == GENERATE_KRONECKER
                                ? prepare_initiator(&law, who, error)
                                : prepare_powers(&law, who, error);
    if (status == RT_OK)
        status = room_for_places(&places, n, who, error);
    if (status == RT_OK && !add_places(&places, &law))
        status = rt_no_memory(error);
    free(places.slot);
    free(law.sums);
    return status;
}
