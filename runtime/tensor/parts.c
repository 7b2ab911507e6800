/* parts.c - decides for each entry which part of the tensor it goes to: the one in which its fiber
 * is longest.
 *
 * An entry's fiber in a part has all entries with the same coordinates in all modes but that of
 * the part's last level.  Entries are visited in their order.  An entry goes to the part with the
 * longest fiber through it, and is taken out of its fibers in the other parts: so long fibers
 * attract what is left of short ones (I. Nisa et al., An Efficient Mixed-Mode Representation of
 * Sparse Tensors, SC 2019, algorithm 5).  Among equal fibers the part with longer fibers on
 * average gets the entry, then the part whose fibers are along the last mode.
 *
 * Fibers are numbered by a hash table of their coordinates, one for each part, each filled by one
 * thread.  Entries with the same coordinates are one, and follow the first of them.  A list in
 * order has no such entries: its entries are the components.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/parts.h"

#include "compiler/base/hash.h"
#include "runtime/tensor/alloc.h"
#include "runtime/threads/threads.h"

/* Groups of entries with the same coordinates in some modes. */
struct groups {
    const struct coords *coords;
    bool by[ORDER_MAX];
    /* These modes fit one word, so equal words mean equal groups. */
    bool is_exact;
    bool are_entries; /* each group is the entry with its number, and there are no arrays */
    int64_t *of;      /* the group of each entry */
    int64_t *length;  /* the number of each group's entries, in `n` groups */
    int64_t *first;   /* one of each group's entries, unless words are exact */
    int64_t n;
    bool failed;
};

/* A place in the hash table; group -1: free. */
struct place {
    uint64_t word;
    int64_t group;
};

static void choose_words(struct groups *g)
{
    int bits = 0;
    for (int m = 0; m < g->coords->order; m++)
        bits += g->by[m] ? coords_bits(g->coords->dimension[m]) : 0;
    g->is_exact = bits <= 64;
}

static uint64_t word_of(const struct groups *g, int64_t entry)
{
    uint64_t word = HASH_START;
    if (g->is_exact)
        word = 0;
    for (int m = 0; m < g->coords->order; m++) {
        if (!g->by[m])
            continue;
        uint64_t at = (uint64_t)coords_at(g->coords, m, entry);
        int bits = coords_bits(g->coords->dimension[m]);
        word = g->is_exact ? word << bits | at : hash_word(word, at);
    }
    return word;
}

static bool is_alike(const struct groups *g, int64_t a, int64_t b)
{
    for (int m = 0; m < g->coords->order; m++)
        if (g->by[m] && coords_at(g->coords, m, a) != coords_at(g->coords, m, b))
            return false;
    return true;
}

static bool is_other(const struct groups *g, const struct place *place, uint64_t word, int64_t e)
{
    return place->group >= 0
           && (place->word != word || (!g->is_exact && !is_alike(g, g->first[place->group], e)));
}

/* The search begins at this slot. */
static void group_entry(struct groups *g, struct place *table, uint64_t mask, uint64_t slot,
                        uint64_t word, int64_t entry)
{
    while (is_other(g, &table[slot], word, entry))
        slot = (slot + 1) & mask;
    if (table[slot].group < 0) {
        table[slot] = (struct place){word, g->n};
        if (g->first)
            g->first[g->n] = entry;
        g->length[g->n++] = 0;
    }
    g->of[entry] = table[slot].group;
}

/* Fetches the slots of some entries before it visits the first of them. */
static void group_entries(struct groups *g, struct place *table, uint64_t mask)
{
    enum { SOME = 32 };
    uint64_t word[SOME], slot[SOME];
    int n;
    for (int64_t e = 0; e < g->coords->n; e += n) {
        n = g->coords->n - e < SOME ? (int)(g->coords->n - e) : SOME;
        for (int i = 0; i < n; i++) {
            word[i] = word_of(g, e + i);
            slot[i] = hash_word(HASH_START, word[i]) & mask;
            __builtin_prefetch(&table[slot[i]], 1);
        }
        for (int i = 0; i < n; i++)
            group_entry(g, table, mask, slot[i], word[i], e + i);
    }
}

static void make_groups(void *data, int64_t task, int worker)
{
    struct groups *g = (struct groups *)data + task;
    (void)worker;
    int64_t n = g->coords->n, slots = 4;
    if (g->are_entries)
        return;
    while (slots < n + n / 2)
        slots *= 2;
    struct place *table = rt_array(slots, sizeof *table);
    g->n = 0;
    choose_words(g);
    g->first = g->is_exact ? NULL : rt_array(n, sizeof *g->first);
    g->of = rt_array(n, sizeof *g->of);
    g->length = rt_array(n, sizeof *g->length);
    g->failed = !table || !g->of || !g->length || (!g->first && !g->is_exact);
    for (int64_t slot = 0; slot < slots && !g->failed; slot++)
        table[slot].group = -1;
    if (!g->failed)
        group_entries(g, table, (uint64_t)slots - 1);
    free(table);
}

/* ---- distribution ---- */

struct sharing {
    const struct format_parts *parts;
    const struct coords *coords;
    /* one by all modes; then the fibers of each part, or the slices of the first mode */
    struct groups group[PARTS_MAX + 1];
    int groups;
    int preferred[PARTS_MAX]; /* the parts, the better of two equal ones first */
    int64_t *part;            /* of each group by all modes, -1: none yet */
};

static void choose_modes(struct sharing *s)
{
    bool heavy = s->parts->share == SHARE_HEAVY;
    s->groups = heavy ? 2 : s->parts->parts + 1;
    for (int k = 0; k < s->groups; k++) {
        s->group[k].coords = s->coords;
        for (int m = 0; m < s->coords->order; m++)
            s->group[k].by[m] = k == 0  ? true
                                : heavy ? m == 0
                                        : m != format_parts_leaf(s->parts->part[k - 1]);
    }
}

static int64_t component_of(const struct sharing *s, int64_t entry)
{
    return s->group[0].are_entries ? entry : s->group[0].of[entry];
}

/* Does each entry follow the one before, so that none has a duplicate? */
static bool ascends(const struct coords *coords)
{
    bool behind = true;
    for (int64_t e = 1; e < coords->n && behind; e++) {
        int m = 0;
        while (m + 1 < coords->order && coords_at(coords, m, e) == coords_at(coords, m, e - 1))
            m++;
        behind = coords_at(coords, m, e) > coords_at(coords, m, e - 1);
    }
    return behind;
}

/* Is it the first entry of its component? */
static bool is_first(struct sharing *s, int64_t entry)
{
    return s->group[0].are_entries || s->group[0].length[s->group[0].of[entry]]++ == 0;
}

/* Entries with the same coordinates count once. */
static void count_lengths(struct sharing *s)
{
    for (int64_t e = 0; e < s->coords->n; e++) {
        bool first = is_first(s, e);
        for (int k = 1; k < s->groups && first; k++)
            s->group[k].length[s->group[k].of[e]]++;
    }
}

/* Are part a's fibers longer on average than b's, or as long and along a later mode? */
static bool is_preferred(const struct sharing *s, int a, int b)
{
    int64_t fewer = s->group[a + 1].n - s->group[b + 1].n;
    return fewer < 0
           || (fewer == 0
               && format_parts_leaf(s->parts->part[a]) > format_parts_leaf(s->parts->part[b]));
}

static void sort_parts(struct sharing *s)
{
    for (int i = 0; i < s->parts->parts; i++) {
        int k = i;
        for (; k > 0 && is_preferred(s, i, s->preferred[k - 1]); k--)
            s->preferred[k] = s->preferred[k - 1];
        s->preferred[k] = i;
    }
}

static int longest(const struct sharing *s, int64_t entry)
{
    int best = s->preferred[0];
    int64_t most = -1;
    for (int k = 0; k < s->parts->parts; k++) {
        const struct groups *g = &s->group[s->preferred[k] + 1];
        int64_t length = g->length[g->of[entry]];
        if (length > most) {
            most = length;
            best = s->preferred[k];
        }
    }
    return best;
}

static int choose_part(struct sharing *s, int64_t entry)
{
    if (s->parts->share == SHARE_HEAVY)
        return s->group[1].length[s->group[1].of[entry]] >= s->parts->heavy ? 0 : 1;
    int part = longest(s, entry);
    for (int k = 0; k < s->parts->parts && s->parts->share == SHARE_LONGEST; k++)
        if (k != part)
            s->group[k + 1].length[s->group[k + 1].of[entry]]--;
    return part;
}

static enum rt_status choose_parts(struct sharing *s, int threads, struct rt_error *error)
{
    bool failed = false;
    choose_modes(s);
    s->group[0].are_entries = s->coords->order > 0 && ascends(s->coords);
    s->group[0].n = s->coords->n;
    threads_run(threads, s->groups, make_groups, s->group);
    for (int k = 0; k < s->groups; k++)
        failed |= s->group[k].failed;
    s->part = failed ? NULL : rt_array(s->group[0].n, sizeof *s->part);
    if (!s->part)
        return rt_no_memory(error);
    for (int64_t g = 0; g < s->group[0].n; g++)
        s->part[g] = -1;
    count_lengths(s);
    if (s->parts->share != SHARE_HEAVY)
        sort_parts(s);
    for (int64_t e = 0; e < s->coords->n; e++) {
        int64_t *part = &s->part[component_of(s, e)];
        *part = *part < 0 ? choose_part(s, e) : *part;
    }
    return RT_OK;
}

static int64_t part_of(const struct sharing *s, int64_t entry)
{
    return s->part ? s->part[component_of(s, entry)] : -1;
}

/* ---- the lists ---- */

/* -1: all parts get every entry. */
static bool add_entry(const struct sharing *s, int64_t entry, struct coords *to)
{
    int64_t coordinate[ORDER_MAX];
    const char *values = s->coords->lent ? s->coords->lent_vals : s->coords->vals;
    for (int m = 0; m < s->coords->order; m++)
        coordinate[m] = coords_at(s->coords, m, entry);
    return coords_add(to, coordinate, values + (size_t)entry * type_size(s->coords->type));
}

static bool make_lists(const struct sharing *s, struct coords *share)
{
    int64_t n[PARTS_MAX] = {0};
    for (int64_t e = 0; e < s->coords->n; e++)
        for (int k = 0; k < s->parts->parts; k++)
            n[k] += part_of(s, e) == k || !s->part;
    for (int k = 0; k < s->parts->parts; k++) {
        coords_init(&share[k], s->coords->order, s->coords->dimension, s->coords->type);
        if (!coords_reserve(&share[k], n[k]))
            return false;
    }
    for (int64_t e = 0; e < s->coords->n; e++)
        for (int k = 0; k < s->parts->parts; k++)
            if ((part_of(s, e) == k || !s->part) && !add_entry(s, e, &share[k]))
                return false;
    return true;
}

enum rt_status parts_share_out(const struct coords *coords, const struct format_parts *parts,
                               int threads, const char *name, struct coords *share,
                               struct rt_error *error)
{
    struct sharing *s = rt_array_zeroed(1, sizeof *s);
    enum rt_status status = s ? coords_check(coords, threads, name, error) : rt_no_memory(error);
    for (int k = 0; k < parts->parts; k++)
        coords_init(&share[k], coords->order, coords->dimension, coords->type);
    if (!s)
        return status;
    s->parts = parts;
    s->coords = coords;
    if (status == RT_OK && parts->share != SHARE_ALL && parts->parts > 1)
        status = choose_parts(s, threads, error);
    if (status == RT_OK && !make_lists(s, share)) {
        status = rt_no_memory(error);
        for (int k = 0; k < parts->parts; k++)
            coords_free(&share[k]);
    }
    for (int k = 0; k < s->groups; k++) {
        free(s->group[k].of);
        free(s->group[k].length);
        free(s->group[k].first);
    }
    free(s->part);
    free(s);
    return status;
}
