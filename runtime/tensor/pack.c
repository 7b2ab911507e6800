/* pack.c - packs a list of coordinates into a tensor of any format.
 *
 * The sorted entries are the leaves of the coordinate tree (thesis 2.2), from left to right.  Runs
 * of entries are nodes.  Duplicates are one leaf, whose values are added in the list's order.  An
 * entry begins a new node if its parent does, or if its coordinate on this level differs from that
 * of the entry before.  If the level need not be unique, so do the coordinates on the branchless
 * levels below, which have one child for each node.  So in COO, compressed(nonunique) and
 * singleton, every entry is a node of both levels:
 *
 *     entries          (0,1) (0,3) (2,1)
 *     csr  level 1      o-----.     o           level 2    o     o     o
 *     coo  level 1      o     o     o           level 2    o     o     o
 * If a level limits a parent's children, one more child counts as that of another parent.  The
 * number of a level's nodes follows from the numbers of entries that first differ in each level.
 * So all levels' arrays are made at once, and parts of the entries go down through the levels
 * independently.  The level type gives the nodes' positions, which are the parents of the next
 * level's.  In a long list, the last level's coordinates overwrite the entries' keys, each after
 * its key has been read.  A coordinate takes half of a key's room; so entries go down together in
 * waves, each about as long as all before it.
 *
 * If a level is packed in one piece (a hash table), the next level's nodes need another order.
 * The entries are sorted by their positions on that level, and go on from there.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/tensor/alloc.h"
#include "runtime/tensor/fault.h"
#include "runtime/tensor/keys.h"
#include "runtime/tensor/memory.h"
#include "runtime/tensor/pack_fail.h"
#include "runtime/tensor/tensor.h"
#include "runtime/threads/threads.h"

/* A long list has more parts, so that the threads' shares of each wave are equal. */
enum { BLOCK = 1024, LONG = 1 << 18, PARTS = 4 };

/* A part of the entries, and its nodes on each level. */
struct part {
    int64_t begin, end;
    int64_t differ[LEVELS_MAX + 1]; /* the entries that first differ in each level */
    int64_t most;                   /* children of a parent on the last level */
    struct part_level {
        int64_t first; /* nodes before the part's */
        int64_t first_parent, last_parent;
        bool any;
    } level[LEVELS_MAX];
    int fault_level; /* -1: no fault */
    struct level_fault fault;
};

struct packer {
    struct tensor *tensor;
    struct keys *keys;
    const char *name;
    int threads;
    int tells[LEVELS_MAX];             /* keys_tells */
    int begin, end;                    /* the levels that are being packed */
    int64_t positions[LEVELS_MAX + 1]; /* of each level, from the root's on */
    int64_t *rounds; /* NULL, or for each parent how often its most frequent coordinate occurs */
    struct part *part;
    int64_t parts;
    unsigned char *differs; /* the level in which each entry differs from the one before */
    int64_t wave;           /* the first part of the present wave */
    void **over;            /* the array in the place of the keys' last word, or NULL */
    int64_t *position;      /* NULL, or each entry's position on the last of these levels */
    bool scatter;           /* values go to their positions; else they are in this order, */
    bool combine;           /* apart from duplicates */
};

static enum rt_status fail_level(const struct packer *p, int k, const struct level_fault *fault,
                                 struct rt_error *error)
{
    enum rt_status status = level_fail_packing(&p->tensor->level[k], k + 1, fault, p->name, error);
    if (status == RT_NO_MEMORY && pack_is_mostly_empty((double)p->positions[k], p->keys->n))
        pack_help_sparse(error);
    return status;
}

/* ---- parts, and their numbers of nodes ---- */

static bool is_together(const struct packer *p)
{
    return p->tensor->format->level[p->end - 1].type->packed_together;
}

/* Has an entry that first differs in that level another parent on level k? */
static bool starts_parent(const struct packer *p, int k, int differs)
{
    return k > 0 && differs <= p->tells[k - 1];
}

/* May a part begin with this entry?  Not with a duplicate; and only with a new parent if the
 * children are packed in one piece, or counted. */
static bool may_begin(const struct packer *p, int64_t entry)
{
    int differs = keys_difference(p->keys, entry);
    return keys_may_begin(p->tensor->format, p->tells, differs)
           && (is_together(p) ? starts_parent(p, p->end - 1, differs) : differs < p->keys->levels);
}

static void cut(struct packer *p)
{
    for (int64_t i = 0, begin = 0; i < p->parts; i++) {
        int64_t end = threads_begin(p->keys->n, p->parts, i + 1);
        end = end > begin ? end : begin;
        while (end > 0 && end < p->keys->n && !may_begin(p, end))
            end++;
        memset(&p->part[i], 0, sizeof p->part[i]);
        p->part[i].begin = begin;
        p->part[i].end = begin = end;
        p->part[i].fault_level = -1;
    }
}

/* Counts how often coordinates occur below each parent.  The part has all nodes of these parents.
 */
static void count_rounds(const struct packer *p, const struct part *part)
{
    const int k = p->end - 1;
    int64_t rounds = 0;
    for (int64_t i = part->begin; i < part->end; i++) {
        int64_t parent = k > 0 ? (int64_t)p->keys->word[0][i] : 0;
        if (p->differs[i] <= k || i == part->begin)
            rounds = 0;
        rounds += p->differs[i] <= p->tells[k] || i == part->begin;
        if (rounds > p->rounds[parent])
            p->rounds[parent] = rounds;
    }
}

static void count_part(void *data, int64_t number, int worker)
{
    const struct packer *p = data;
    struct part *part = &p->part[number];
    const bool together = is_together(p);
    const int64_t n = part->end - part->begin;
    unsigned char *const differs = p->differs + part->begin;
    int64_t children = 0, before = 0;
    (void)worker;
    keys_differences(p->keys, part->begin, n, differs);
    keys_split(p->tensor->format, p->tells, n, differs);
    for (int k = 0; k <= p->keys->levels; k++) {
        int64_t up_to = keys_count_up_to(differs, n, k);
        part->differ[k] = up_to - before;
        before = up_to;
    }
    for (int64_t i = 0; i < n && together; i++) {
        if (starts_parent(p, p->end - 1, differs[i]))
            children = 0;
        children += differs[i] <= p->tells[p->end - 1];
        part->most = children > part->most ? children : part->most;
    }
    if (p->rounds)
        count_rounds(p, part);
}

/* Returns the number of the part's nodes on level k. */
static int64_t part_nodes(const struct packer *p, const struct part *part, int k)
{
    int64_t n = 0;
    for (int differs = 0; differs <= p->tells[k]; differs++)
        n += part->differ[differs];
    return n;
}

/* The level's arrays will be written soon. */
static void expect_pages(const struct level_storage *level)
{
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        rt_large(level->array[a],
                 (size_t)level->length[a] * type_size(level_array_type(level->format, a)));
}

/* Makes the levels' arrays. */
static enum rt_status begin_levels(struct packer *p, struct rt_error *error)
{
    int64_t most = 0;
    enum rt_status status = RT_OK;
    cut(p);
    threads_run(p->threads, p->parts, count_part, p);
    for (int64_t i = 0; i < p->parts; i++)
        most = p->part[i].most > most ? p->part[i].most : most;
    for (int k = p->begin; k < p->end && status == RT_OK; k++) {
        struct level_storage *level = &p->tensor->level[k];
        void *const keys = p->keys->word[p->keys->last], *word = keys;
        bool last = k + 1 == p->tensor->format->levels;
        struct level_fault fault = {.at = -1,
                                    .why = "",
                                    .allows = rt_allows,
                                    .for_nodes = last && p->keys->n >= LONG ? &word : NULL};
        struct level_amount amount = {
            .parents = p->positions[k], .most = most, .rounds_of = p->rounds};
        for (int64_t i = 0; i < p->parts; i++) {
            p->part[i].level[k].first = amount.nodes;
            amount.nodes += part_nodes(p, &p->part[i], k);
        }
        status =
            pack_check_split(&p->tensor->format->level[k], k, p->tells[k], p->keys, p->name, error);
        if (status == RT_OK
            && !level->format->type->pack_begin(level, &amount, &p->positions[k + 1], &fault))
            status = fail_level(p, k, &fault, error);
        for (int a = 0; a < LEVEL_ARRAYS && !word; a++)
            if (level->array[a] == keys)
                p->over = &level->array[a];
        if (status == RT_OK)
            expect_pages(level);
    }
    return status;
}

/* ---- one part ---- */

/* A block of entries on their way down. */
struct block {
    int64_t begin, n;
    unsigned char *differs;
    int64_t position[BLOCK]; /* of each entry, on the level reached */
    int entry[BLOCK];        /* the first entry of each node */
    /* of the nodes there; placed[0] is the position of the node before */
    const int64_t *parent;
    int64_t parents[BLOCK], coordinate[BLOCK], placed[1 + BLOCK];
};

/* A part's last node on each level. */
struct last {
    int64_t nodes[LEVELS_MAX], position[LEVELS_MAX];
};

static bool fail_part(struct part *part, int k, const struct level_fault *fault)
{
    part->fault_level = k;
    part->fault = *fault;
    return false;
}

/* Finds the positions of the nodes above the entry before the part. */
static void find_last(const struct packer *p, const struct part *part, struct last *last)
{
    bool placed = p->begin > 0 && part->begin > 0;
    int64_t parent = placed ? (int64_t)p->keys->word[0][part->begin - 1] : 0;
    for (int k = p->begin; k < p->end; k++) {
        struct level_storage *level = &p->tensor->level[k];
        struct level_fault unused;
        last->nodes[k] = part->level[k].first;
        last->position[k] = 0;
        if (part->begin == 0 || level->format->type->packed_together)
            continue;
        int64_t coordinate = keys_coordinate(p->keys, k, part->begin - 1);
        struct level_nodes node = {1,     &parent, &coordinate, p->positions[k], last->nodes[k] - 1,
                                   false, 0};
        level->format->type->pack_place(level, &node, &last->position[k], &unused);
        parent = last->position[k];
    }
}

/* Is each remaining entry of the part a node of level k? */
static bool is_each(const struct packer *p, const struct part *part, int k)
{
    return p->tells[k] == p->keys->levels - 1 && (p->combine || part->differ[p->keys->levels] == 0);
}

/* Finds the block's nodes on level k.  Their parents are the entries' positions. */
static int64_t find_nodes(const struct packer *p, const struct part *part, int k, struct block *b)
{
    const struct key_part *key = &p->keys->part[k];
    const uint64_t *word = p->keys->word[key->word] + b->begin;
    const uint64_t mask = key->bits == 0 ? 0 : UINT64_MAX >> (KEY_BITS - key->bits);
    const int tells = p->tells[k], shift = key->shift;
    const uint64_t low = (uint64_t)key->low;
    int64_t n = 0;
    if (is_each(p, part, k)) {
        b->parent = b->position;
#pragma GCC unroll 4
        for (int64_t i = 0; i < b->n; i++)
            b->coordinate[i] = (int64_t)(low + (word[i] >> shift & mask));
        return b->n;
    }
    b->parent = b->parents;
#pragma GCC unroll 4
    for (int64_t i = 0; i < b->n; i++) {
        b->entry[n] = (int)i;
        n += b->differs[i] <= tells;
    }
    for (int64_t i = 0; i < n; i++) {
        const int entry = b->entry[i];
        b->parents[i] = b->position[entry];
        b->coordinate[i] = (int64_t)(low + (word[entry] >> shift & mask));
    }
    return n;
}

/* Packs the empty parents between the last node before these and the first of them. */
static bool pack_edges(const struct packer *p, struct part_level *here, int k,
                       const struct level_nodes *nodes, struct level_fault *fault)
{
    struct level_storage *level = &p->tensor->level[k];
    int64_t after = here->last_parent;
    here->last_parent = nodes->parent[nodes->n - 1];
    if (!here->any) {
        here->any = true;
        here->first_parent = nodes->parent[0];
        return true;
    }
    return nodes->more || !level->format->type->pack_edges
           || level->format->type->pack_edges(level, after, nodes->parent[0], nodes->first, fault);
}

static bool pack_block_level(const struct packer *p, struct part *part, struct last *last, int k,
                             struct block *b)
{
    struct level_storage *level = &p->tensor->level[k];
    const struct level_type *type = level->format->type;
    struct level_fault fault = {.at = -1};
    int64_t n = find_nodes(p, part, k, b);
    b->placed[0] = last->position[k];
    if (n > 0) {
        int64_t first = 0;
        while (b->differs[first] > p->tells[k])
            first++;
        struct level_nodes nodes = {n,
                                    b->parent,
                                    b->coordinate,
                                    p->positions[k],
                                    last->nodes[k],
                                    last->nodes[k] > 0 && !starts_parent(p, k, b->differs[first]),
                                    b->placed[0]};
        if (!pack_edges(p, &part->level[k], k, &nodes, &fault)
            || !type->pack_place(level, &nodes, b->placed + 1, &fault)
            || (type->pack_nodes && !type->pack_nodes(level, &nodes, b->placed + 1, &fault)))
            return fail_part(part, k, &fault);
    }
    const int tells = p->tells[k];
    const bool goes_on = k + 1 < p->end || p->position || p->scatter;
    const int64_t entries = goes_on ? b->n : 0;
#pragma GCC unroll 4
    for (int64_t i = 0, node = 0; i < entries; i++) {
        node += b->differs[i] <= tells;
        b->position[i] = b->placed[node];
    }
    last->nodes[k] += n;
    last->position[k] = b->placed[n];
    return true;
}

static inline void place_value(const struct packer *p, int64_t entry, int64_t position, bool again,
                               size_t size)
{
    char *to = p->tensor->vals, *from = p->keys->vals;
    if (again)
        keys_add_value(p->tensor->type, to + (size_t)position * size, from + (size_t)entry * size);
    else
        keys_move_value(to, position, from, entry, size);
}

static void place_values(const struct packer *p, const struct block *b)
{
    size_t size = type_size(p->tensor->type);
    const int levels = p->keys->levels;
    for (int64_t i = 0; i < b->n; i++)
        place_value(p, b->begin + i, b->position[i], b->differs[i] == levels, size);
}

static void pack_part(void *data, int64_t number, int worker)
{
    const struct packer *p = data;
    struct part *part = &p->part[p->wave + number];
    struct last last;
    struct block b;
    int64_t last_value = part->begin - 1;
    (void)worker;
    find_last(p, part, &last);
    for (b.begin = part->begin; b.begin < part->end; b.begin += BLOCK) {
        b.n = part->end - b.begin < BLOCK ? part->end - b.begin : BLOCK;
        b.differs = p->differs + b.begin;
        if (p->combine)
            b.n = keys_combine(p->keys, b.begin, b.n, b.differs, &last_value);
        if (p->begin > 0)
            memcpy(b.position, p->keys->word[0] + b.begin, (size_t)b.n * sizeof *b.position);
        else
            memset(b.position, 0, (size_t)b.n * sizeof *b.position);
        for (int k = p->begin; k < p->end; k++)
            if (!pack_block_level(p, part, &last, k, &b))
                return;
        if (p->position)
            memcpy(p->position + b.begin, b.position, (size_t)b.n * sizeof *b.position);
        else if (p->scatter)
            place_values(p, &b);
    }
}

/* Returns the end of a wave that begins with the part `first`. If coordinates overwrite keys, none
 * is written where a part of the wave reads, or where the key of the entry before is. */
static int64_t wave_end(const struct packer *p, int64_t first)
{
    int64_t end = first + 1, room = 2 * (p->part[first].begin - 1);
    while (end < p->parts && (!p->over || p->part[end].end <= room))
        end++;
    return end;
}

static void pack_parts(struct packer *p)
{
    int64_t end;
    for (p->wave = 0; p->wave < p->parts; p->wave = end) {
        end = wave_end(p, p->wave);
        threads_run(p->threads, end - p->wave, pack_part, p);
    }
}

/* The level takes over the memory of the keys, and gives back what it does not need. */
static void settle_over(struct packer *p)
{
    const struct level_storage *level = &p->tensor->level[p->end - 1];
    p->keys->word[p->keys->last] = NULL;
    *p->over = memory_host.fit(&memory_host, *p->over, p->positions[p->end],
                               type_size(level->format->crd));
}

/* Packs the empty parents between the parts.  Returns the first fault in the order of the entries.
 */
static enum rt_status join_parts(const struct packer *p, struct rt_error *error)
{
    int64_t after[LEVELS_MAX], nodes[LEVELS_MAX] = {0};
    struct level_fault fault = {.at = -1};
    memset(after, 0xff, sizeof after); /* -1: there is none */
    for (int64_t i = 0; i <= p->parts; i++) {
        const struct part *part = &p->part[i];
        for (int k = p->begin; k < p->end; k++) {
            struct level_storage *level = &p->tensor->level[k];
            bool last = i == p->parts;
            if (!last && !part->level[k].any)
                continue;
            int64_t until = last ? p->positions[k] : part->level[k].first_parent;
            if (level->format->type->pack_edges
                && !level->format->type->pack_edges(level, after[k], until,
                                                    last ? nodes[k] : part->level[k].first, &fault))
                return fail_level(p, k, &fault, error);
            if (last)
                continue;
            after[k] = part->level[k].last_parent;
            nodes[k] = part->level[k].first + part_nodes(p, part, k);
        }
        if (i < p->parts && part->fault_level >= 0)
            return fail_level(p, part->fault_level, &part->fault, error);
    }
    return RT_OK;
}

/* ---- the whole tensor ---- */

static int64_t count_duplicates(const struct packer *p)
{
    int64_t n = 0;
    for (int64_t i = 0; i < p->parts; i++)
        n += p->part[i].differ[p->keys->levels];
    return n;
}

/* Makes the values' array.  It is the entries' own if each position has one, also with duplicates.
 * Otherwise it is filled first, unless each position gets a value. */
static enum rt_status make_vals(struct packer *p, struct rt_error *error)
{
    struct tensor *tensor = p->tensor;
    int64_t n = tensor->nvals = p->positions[p->keys->levels], duplicates = count_duplicates(p);
    bool each = n == p->keys->n - duplicates;
    p->scatter = !each || (n > 1 && is_together(p));
    p->combine = !p->scatter && duplicates > 0;
    if (!p->scatter)
        return RT_OK;
    tensor->vals = memory_host.allocate(&memory_host, n, type_size(tensor->type));
    if (!tensor->vals)
        return pack_fail_vals(tensor, p->keys->n, p->name, error);
    if (!each)
        tensor_fill_dense(tensor, tensor->fill, p->threads);
    return RT_OK;
}

/* Takes the entries' own values: those of each part follow the ones before. */
static void take_vals(struct packer *p)
{
    struct tensor *tensor = p->tensor;
    size_t size = type_size(tensor->type), at = 0, bytes;
    char *vals = p->keys->vals;
    for (int64_t i = 0; i < p->parts && p->combine; i++, at += bytes) {
        const struct part *part = &p->part[i];
        bytes = (size_t)(part->end - part->begin - part->differ[p->keys->levels]) * size;
        memmove(vals + at, vals + (size_t)part->begin * size, bytes);
    }
    tensor->vals = memory_host.fit(&memory_host, vals, tensor->nvals, size);
    p->keys->vals = NULL;
}

/* A scalar has one component: all entries are added up. */
static enum rt_status pack_scalar(struct packer *p, struct rt_error *error)
{
    enum rt_status status = make_vals(p, error);
    for (int64_t i = 0; status == RT_OK && p->scatter && i < p->keys->n; i++)
        place_value(p, i, 0, i > 0, type_size(p->tensor->type));
    if (status == RT_OK && !p->scatter)
        take_vals(p);
    return status;
}

/* Packs levels up to the last; or up to one that is packed in one piece; or up to the one before a
 * level whose rounds are counted, which needs its parents' positions. */
static enum rt_status pack_levels(struct packer *p, struct rt_error *error)
{
    const struct format *format = p->tensor->format;
    for (p->end = p->begin + 1; p->end < format->levels
                                && !format->level[p->end - 1].type->packed_together
                                && !format->level[p->end].type->counts_rounds;)
        p->end++;
    bool is_last = p->end == format->levels;
    if (format->level[p->begin].type->counts_rounds
        && !(p->rounds = calloc((size_t)p->positions[p->begin] + 1, sizeof *p->rounds)))
        return rt_no_memory(error);
    enum rt_status status = begin_levels(p, error);
    free(p->rounds);
    p->rounds = NULL;
    if (status == RT_OK && is_last)
        status = make_vals(p, error);
    p->position = is_last ? NULL : rt_array(p->keys->n, sizeof *p->position);
    if (status == RT_OK && !is_last && !p->position)
        status = rt_no_memory(error);
    if (status == RT_OK) {
        pack_parts(p);
        status = join_parts(p, error);
    }
    if (p->over)
        settle_over(p);
    if (status == RT_OK && is_last && !p->scatter)
        take_vals(p);
    if (is_last || status != RT_OK) {
        free(p->position);
        return status;
    }
    return keys_place(p->keys, p->end - 1, p->position, p->positions[p->end], p->threads, error);
}

static enum rt_status pack_keys(struct packer *p, struct rt_error *error)
{
    enum rt_status status = RT_OK;
    int levels = p->tensor->format->levels;
    p->positions[0] = 1;
    p->parts = levels > 0 ? keys_blocks(p->keys->n) : 0;
    if (p->keys->n >= LONG)
        p->parts *= PARTS;
    p->part = rt_array(p->parts, sizeof *p->part);
    p->differs = rt_array(p->keys->n, sizeof *p->differs);
    if (!p->part || !p->differs)
        status = rt_no_memory(error);
    for (; p->begin < levels && status == RT_OK; p->begin = p->end)
        status = pack_levels(p, error);
    if (status == RT_OK)
        status = levels ? tensor_end_levels(p->tensor, p->name, error) : pack_scalar(p, error);
    free(p->differs);
    free(p->part);
    return status;
}

static enum rt_status pack_all(struct coords *coords, const struct format *format,
                               struct value fill, int threads, const char *name,
                               struct tensor **tensor, struct rt_error *error)
{
    struct keys keys;
    struct packer p = {.keys = &keys, .threads = threads, .name = name};
    enum rt_status status =
        tensor_new(format, coords->type, coords->dimension, fill, name, &p.tensor, error);
    if (status != RT_OK)
        return status;
    tensor_set_memory(p.tensor, &memory_host);
    keys_tells(format, p.tells);
    status = keys_make(&keys, coords, format, true, threads, error);
    if (status == RT_OK)
        status = pack_keys(&p, error);
    keys_free(&keys);
    if (status == RT_OK)
        status = tensor_hand_over(p.tensor, memory_here(), error);
    if (status == RT_OK)
        *tensor = p.tensor;
    else
        tensor_free(p.tensor);
    return status;
}

enum rt_status tensor_pack(struct coords *coords, const struct format *format, struct value fill,
                           int threads, const char *name, struct tensor **tensor,
                           struct rt_error *error)
{
    int64_t n = coords->n;
    *tensor = NULL;
    enum rt_status status = coords_check(coords, threads, name, error);
    if (status == RT_OK)
        status = pack_all(coords, format, fill, threads, name, tensor, error);
    if (status != RT_OK && error && format_is_dense(format))
        status = pack_explain_dense(coords, n, name, error);
    return status;
}
