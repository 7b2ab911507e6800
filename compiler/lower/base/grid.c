/* grid.c - what host code has the blocks of a GPU do with arrays.
 *
 * Sums are those of a scan in three launches (prelude/lanes.ir): each block adds up a share of the
 * numbers, one block scans what they have, and each scans its share from there on.
 *
 * Entries are sorted by counting, eight bits of the key at a time and the last ones first, by as
 * many bits as the keys' range has (prelude/sort_blocks.ir).  Two arrays of numbers of entries, and
 * two of keys, are the halves of one each, from one of which a pass moves to the other:
 *
 *     while (most > 0)
 *         launch     how many of its entries have each digit, each block
 *         scan       over digits, and in each over blocks
 *         launch     every entry goes behind those before it of its digit
 *         at = n - at
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/grid.h"

#include "compiler/base/gpu.h"
#include "compiler/target.h"

/* Threads of a block; of a scan, as many numbers of a block at least, and blocks at most, whose
 * sums one block scans in a few steps; of a sort likewise. */
enum {
    GRID_THREADS = 256,
    SCAN_LEAST = 2048,
    SCAN_BLOCKS = 1024,
    SORT_LEAST = 4096,
    SORT_BLOCKS = 1024,
    SORT_DIGITS = 256,
    SORT_BITS = 8
};

/* ---- launches ---- */

static const struct imp *long_of(struct kernel *k, int64_t n)
{
    return imp_int(k->cx, TYPE_I64, n);
}

/* n / by, and one more if that does not come out. */
static const struct imp *divided(struct context *cx, const struct imp *n, const struct imp *by)
{
    const struct imp *up = imp_op2(cx, OP_SUB, by, imp_int(cx, TYPE_I64, 1));
    return imp_op2(cx, OP_DIV, imp_op2(cx, OP_ADD, n, up), by);
}

static struct grid open_grid(struct kernel *k, const struct imp *blocks)
{
    imp_begin(&k->b);
    return (struct grid){.k = k,
                         .blocks = blocks,
                         .block = kernel_var(k, TYPE_I32, "block"),
                         .thread = kernel_var(k, TYPE_I32, "thread")};
}

static void close_grid(const struct grid *g)
{
    struct kernel *k = g->k;
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b, imp_launch(k->cx, g->block, g->thread, g->blocks, GRID_THREADS, body));
}

/* An array that the threads of a block share. */
static const struct imp_var *block_array(struct grid *g, const char *name, enum type type,
                                         int length)
{
    struct kernel *k = g->k;
    const struct imp_var *array =
        imp_placed(k->cx, imp_unused_name(&k->b, name), type, PLACE_SHARED, length);
    imp_add(&k->b, imp_declare(k->cx, array, NULL));
    return array;
}

const struct imp *grid_each(struct grid *g, struct kernel *k, const char *name, const struct imp *n)
{
    struct context *cx = k->cx;
    const struct imp *blocks = imp_op2(cx, OP_MIN, divided(cx, n, long_of(k, GRID_THREADS)),
                                       long_of(k, target_of(cx)->grid_blocks));
    *g = open_grid(
        k, imp_let(&k->b, kernel_var(k, TYPE_I32, "blocks"), imp_cast(cx, TYPE_I32, blocks)));
    g->n = n;
    g->element = kernel_var(k, TYPE_I64, "%s", name);
    imp_begin(&k->b);
    return imp_read(cx, g->element);
}

void grid_end_each(struct grid *g)
{
    struct kernel *k = g->k;
    struct context *cx = k->cx;
    const struct imp *body = imp_end(&k->b),
                     *first = imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, imp_read(cx, g->block)),
                                      long_of(k, GRID_THREADS));
    first = imp_op2(cx, OP_ADD, first, imp_cast(cx, TYPE_I64, imp_read(cx, g->thread)));
    imp_add(&k->b,
            imp_for(cx, g->element, first, g->n, target_of(cx)->grid_blocks * GRID_THREADS, body));
    close_grid(g);
}

/* ---- the shares of blocks ---- */

/* How many blocks go through n elements, and how many of these each has. */
struct shares {
    const struct imp *n, *blocks, *each;
};

static struct shares grid_shares(struct kernel *k, const struct imp *n, int64_t least, int64_t most,
                                 const char *who, const char *what)
{
    struct context *cx = k->cx;
    struct imp_var *blocks = kernel_var(k, TYPE_I32, "%s", who),
                   *each = kernel_var(k, TYPE_I64, "%s", what);
    const struct imp *many =
        imp_op2(cx, OP_MIN, divided(cx, n, long_of(k, least)), long_of(k, most));
    struct shares s = {.n = n};
    blocks->positive = each->positive = true;
    s.blocks = imp_let(&k->b, blocks, imp_cast(cx, TYPE_I32, many));
    s.each = imp_let(&k->b, each, divided(cx, n, imp_cast(cx, TYPE_I64, s.blocks)));
    return s;
}

static const struct imp *share_begin(const struct grid *g, const struct shares *s)
{
    struct context *cx = g->k->cx;
    return imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, imp_read(cx, g->block)), s->each);
}

static const struct imp *share_end(const struct grid *g, const struct shares *s)
{
    struct context *cx = g->k->cx;
    return imp_op2(cx, OP_MIN, imp_op2(cx, OP_ADD, share_begin(g, s), s->each), s->n);
}

/* ---- sums ---- */

struct scan {
    struct kernel *k;
    const struct imp_var *const *numbers; /* an array each */
    int arrays;
    const struct imp_var *sums; /* of each array by block */
    struct shares shares;
    struct grid grid;
    const struct imp_var *ends;
};

/* Of so many blocks and one array after the other. */
static const struct imp *first_sum(const struct scan *s, int array)
{
    struct context *cx = s->k->cx;
    return imp_op2(cx, OP_MUL, s->shares.blocks, imp_int(cx, TYPE_I32, array));
}

/* Where this block's sum of the array is. */
static const struct imp *sum_of(const struct scan *s, int array)
{
    struct context *cx = s->k->cx;
    return imp_op2(cx, OP_ADD, first_sum(s, array), imp_read(cx, s->grid.block));
}

static const struct imp *threads(const struct scan *s)
{
    return imp_int(s->k->cx, TYPE_I32, GRID_THREADS);
}

static void add_up(const struct scan *s, int array)
{
    struct kernel *k = s->k;
    struct context *cx = k->cx;
    const struct imp_var *list = s->numbers[array];
    const struct imp *thread = imp_read(cx, s->grid.thread),
                     *first = imp_op2(cx, OP_EQ, thread, imp_int(cx, TYPE_I32, 0));
    const struct imp *arg[] = {imp_read(cx, list),
                               share_begin(&s->grid, &s->shares),
                               share_end(&s->grid, &s->shares),
                               thread,
                               threads(s),
                               imp_read(cx, s->ends)};
    const struct imp *sum = imp_let(&k->b, kernel_var(k, TYPE_I64, "sum"),
                                    prelude_call(&k->b, "sum_block_list", &list->type, 1, arg, 6));
    imp_add(&k->b, imp_if(cx, first, imp_store(cx, s->sums, sum_of(s, array), OP_NONE, sum), NULL));
}

static void scan_list(const struct scan *s, const struct imp_var *list, const struct imp *from,
                      const struct imp *to, const struct imp *first)
{
    struct context *cx = s->k->cx;
    const struct imp *arg[] = {
        imp_read(cx, list),   from, to, first, imp_read(cx, s->grid.thread), threads(s),
        imp_read(cx, s->ends)};
    imp_add(&s->k->b, imp_do(cx, prelude_call(&s->k->b, "sum_block_scan", &list->type, 1, arg, 7)));
}

static void scan_sums(const struct scan *s, int array)
{
    struct context *cx = s->k->cx;
    scan_list(s, s->sums, imp_cast(cx, TYPE_I64, first_sum(s, array)),
              imp_cast(cx, TYPE_I64, first_sum(s, array + 1)), imp_int(cx, TYPE_I64, 0));
}

static void scan_numbers(const struct scan *s, int array)
{
    scan_list(s, s->numbers[array], share_begin(&s->grid, &s->shares),
              share_end(&s->grid, &s->shares), imp_load(s->k->cx, s->sums, sum_of(s, array)));
}

/* So many blocks do that with each array. */
static void launch_step(struct scan *s, const struct imp *blocks,
                        void (*step)(const struct scan *s, int array))
{
    struct kernel *k = s->k;
    s->grid = open_grid(k, blocks);
    s->ends = block_array(&s->grid, "ends", TYPE_I64, GPU_WARP + 1);
    for (int i = 0; i < s->arrays; i++) {
        if (i > 0)
            imp_add(&k->b, imp_barrier(k->cx, 0));
        step(s, i);
    }
    close_grid(&s->grid);
}

void grid_scan(struct kernel *k, const struct imp_var *const *numbers, int arrays,
               const struct imp *n)
{
    struct context *cx = k->cx;
    struct scan s = {
        .k = k,
        .numbers = numbers,
        .arrays = arrays,
        .shares = grid_shares(k, imp_next(cx, n), SCAN_LEAST, SCAN_BLOCKS, "scanners", "scanned")};
    struct imp_var *sums = kernel_array(k, TYPE_I64, "%s_sums", imp_stem(numbers[0]));
    sums->restricted = true;
    s.sums = sums;
    imp_add(&k->b, imp_declare(cx, sums, NULL));
    imp_add(&k->b, imp_alloc(cx, sums, imp_cast(cx, TYPE_I64, first_sum(&s, arrays))));
    launch_step(&s, s.shares.blocks, add_up);
    launch_step(&s, imp_int(cx, TYPE_I32, 1), scan_sums);
    launch_step(&s, s.shares.blocks, scan_numbers);
    imp_add(&k->b, imp_free(cx, sums));
}

/* ---- sorting ---- */

struct sort {
    struct kernel *k;
    const char *name;
    const struct imp *n;
    struct shares shares;
    const struct imp_var *order, *counts, *key;
    struct imp_var *at; /* where the half of order and key begins that is at hand */
    const struct imp *low;
    struct imp_var *shift;
};

static const struct imp_var *new_array(const struct sort *s, enum type type, const char *what,
                                       const struct imp *elements)
{
    struct kernel *k = s->k;
    struct imp_var *array = kernel_array(k, type, "%s_%s", s->name, what);
    imp_add(&k->b, imp_declare(k->cx, array, NULL));
    imp_add(&k->b, imp_alloc(k->cx, array, elements));
    return array;
}

static const struct imp *both_halves(const struct sort *s)
{
    return imp_op2(s->k->cx, OP_MUL, s->n, long_of(s->k, 2));
}

/* The keys of the entries, in the order that they have; they are numbered in the first place. */
static void take_keys(const struct sort *s, const struct sort_key *key, bool is_first)
{
    struct kernel *k = s->k;
    struct context *cx = k->cx;
    struct grid g;
    const struct imp *p = grid_each(&g, k, arena_printf(cx->arena, "p%s", s->name), s->n),
                     *at = imp_op2(cx, OP_ADD, imp_read(cx, s->at), p);
    const struct imp *entry = is_first ? p : imp_load(cx, s->order, at);
    if (is_first)
        imp_add(&k->b, imp_store(cx, s->order, p, OP_NONE, imp_cast(cx, s->order->type, p)));
    imp_add(&k->b,
            imp_store(cx, s->key, is_first ? p : at, OP_NONE, imp_load(cx, key->number, entry)));
    grid_end_each(&g);
}

static void count_digits(struct sort *s)
{
    struct kernel *k = s->k;
    struct context *cx = k->cx;
    struct grid g = open_grid(k, s->shares.blocks);
    const struct imp_var *here = block_array(&g, "here", TYPE_I32, SORT_DIGITS);
    const struct imp *at = imp_read(cx, s->at);
    const struct imp *arg[] = {imp_read(cx, s->key),
                               s->low,
                               imp_read(cx, s->shift),
                               imp_op2(cx, OP_ADD, at, share_begin(&g, &s->shares)),
                               imp_op2(cx, OP_ADD, at, share_end(&g, &s->shares)),
                               imp_read(cx, s->counts),
                               imp_read(cx, g.block),
                               s->shares.blocks,
                               imp_read(cx, g.thread),
                               imp_read(cx, here)};
    imp_add(&k->b, imp_do(cx, prelude_call(&k->b, "sort_block_count", &s->key->type, 1, arg, 10)));
    close_grid(&g);
}

static void move_entries(struct sort *s)
{
    struct kernel *k = s->k;
    struct context *cx = k->cx;
    struct grid g = open_grid(k, s->shares.blocks);
    const struct imp_var *next = block_array(&g, "next", TYPE_I64, SORT_DIGITS),
                         *ahead = block_array(&g, "ahead", TYPE_I32,
                                              SORT_DIGITS * GRID_THREADS / GPU_WARP);
    const struct imp *at = imp_read(cx, s->at);
    const struct imp *arg[] = {imp_read(cx, s->key),
                               imp_read(cx, s->order),
                               s->low,
                               imp_read(cx, s->shift),
                               imp_op2(cx, OP_ADD, at, share_begin(&g, &s->shares)),
                               imp_op2(cx, OP_ADD, at, share_end(&g, &s->shares)),
                               imp_op2(cx, OP_SUB, s->n, at),
                               imp_read(cx, s->counts),
                               imp_read(cx, g.block),
                               s->shares.blocks,
                               imp_read(cx, g.thread),
                               imp_read(cx, next),
                               imp_read(cx, ahead)};
    const enum type types[] = {s->key->type, s->order->type};
    imp_add(&k->b, imp_do(cx, prelude_call(&k->b, "sort_block_move", types, 2, arg, 13)));
    close_grid(&g);
}

/* By one digit; the sums of counts say where each block's entries of each go. */
static void sort_by_digit(struct sort *s)
{
    struct kernel *k = s->k;
    struct context *cx = k->cx;
    const struct imp *counts =
        imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, s->shares.blocks), long_of(k, SORT_DIGITS));
    imp_add(&k->b, imp_fill(cx, s->counts, counts, imp_next(cx, counts), long_of(k, 0)));
    count_digits(s);
    grid_scan(k, &s->counts, 1, counts);
    move_entries(s);
    imp_add(&k->b, imp_assign(cx, s->at, OP_NONE, imp_op2(cx, OP_SUB, s->n, imp_read(cx, s->at))));
    imp_add(&k->b, imp_assign(cx, s->shift, OP_ADD, long_of(k, SORT_BITS)));
}

static void sort_by_key(struct sort *s, const struct sort_key *key, bool is_first)
{
    struct kernel *k = s->k;
    struct context *cx = k->cx;
    struct imp_var *most = kernel_var(k, TYPE_I64, "%s_most", s->name);
    s->low = key->low;
    s->key = new_array(s, key->number->type, "key", both_halves(s));
    take_keys(s, key, is_first);
    s->shift = kernel_var(k, TYPE_I64, "shift");
    imp_let(&k->b, s->shift, long_of(k, 0));
    const struct imp *left = imp_let(&k->b, most, imp_op2(cx, OP_SUB, key->size, long_of(k, 1)));
    imp_begin(&k->b);
    sort_by_digit(s);
    imp_add(&k->b, imp_assign(cx, most, OP_DIV, long_of(k, SORT_DIGITS)));
    const struct imp *pass = imp_end(&k->b);
    imp_add(&k->b, imp_while(cx, imp_op2(cx, OP_GT, left, long_of(k, 0)), pass));
    imp_add(&k->b, imp_free(cx, s->key));
}

const struct imp_var *grid_sort(struct kernel *k, const char *name, enum type type,
                                const struct imp *n, const struct sort_key *key, int keys,
                                const struct imp **at)
{
    struct context *cx = k->cx;
    struct sort s = {.k = k, .name = name, .n = n, .at = kernel_var(k, TYPE_I64, "%s_at", name)};
    s.shares = grid_shares(k, imp_op2(cx, OP_MAX, n, long_of(k, 1)), SORT_LEAST, SORT_BLOCKS,
                           "sorters", "sorted");
    s.shares.n = n;
    s.order = new_array(&s, type, "order", both_halves(&s));
    s.counts = new_array(&s, TYPE_I64, "digits",
                         imp_next(cx, imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, s.shares.blocks),
                                              long_of(k, SORT_DIGITS))));
    imp_let(&k->b, s.at, long_of(k, 0));
    for (int i = keys; i-- > 0;)
        sort_by_key(&s, &key[i], i + 1 == keys);
    imp_add(&k->b, imp_free(cx, s.counts));
    *at = imp_read(cx, s.at);
    return s.order;
}
