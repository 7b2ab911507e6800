/* grid.c - what host code has the blocks of a GPU do with arrays.
 *
 * Sums and sorts are helpers of host code (prelude/grid.ir); here is what they need.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/grid.h"

#include "compiler/target.h"

/* Threads of a block; what the helpers have room for: sums of this many blocks, and for this many
 * entries a count of each digit. */
enum {
    GRID_THREADS = 256,
    SCAN_SUMS = 1024,
    SORT_LEAST = 4096,
    SORT_BLOCKS = 1024,
    SORT_DIGITS = 256
};

/* ---- launches ---- */

/* Returns n / by, rounded up. */
static const struct imp *divided(struct context *cx, const struct imp *n, const struct imp *by)
{
    const struct imp *up = imp_op2(cx, OP_SUB, by, imp_i64(cx, 1));
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

const struct imp *grid_each(struct grid *g, struct kernel *k, const char *name, const struct imp *n)
{
    struct context *cx = k->cx;
    const struct imp *blocks = imp_op2(cx, OP_MIN, divided(cx, n, imp_i64(k->cx, GRID_THREADS)),
                                       imp_i64(k->cx, target_of(cx)->grid_blocks));
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
                                      imp_i64(k->cx, GRID_THREADS));
    first = imp_op2(cx, OP_ADD, first, imp_cast(cx, TYPE_I64, imp_read(cx, g->thread)));
    imp_add(&k->b,
            imp_for(cx, g->element, first, g->n, target_of(cx)->grid_blocks * GRID_THREADS, body));
    close_grid(g);
}

/* ---- sums ---- */

const struct imp *grid_scan_room(struct kernel *k, const struct imp *n)
{
    return imp_op2(k->cx, OP_ADD, n, imp_i64(k->cx, 1 + SCAN_SUMS));
}

void grid_scan(struct kernel *k, const struct imp_var *numbers, const struct imp *n)
{
    struct context *cx = k->cx;
    const struct imp *arg[] = {imp_read(cx, numbers), n};
    imp_add(&k->b, imp_do(cx, prelude_call(&k->b, "sum_grid_scan", &numbers->type, 1, arg, 2)));
}

/* ---- sorting ---- */

static const struct imp_var *new_array(struct kernel *k, const char *name, enum type type,
                                       const char *what, const struct imp *elements)
{
    struct imp_var *array = kernel_array(k, type, "%s_%s", name, what);
    array->restricted = true;
    imp_add(&k->b, imp_declare(k->cx, array, NULL));
    imp_add(&k->b, imp_alloc(k->cx, array, elements));
    return array;
}

/* Returns the room for a count of each digit from each block. */
static const struct imp *counts_room(struct kernel *k, const struct imp *n)
{
    struct context *cx = k->cx;
    const struct imp *blocks =
        imp_op2(cx, OP_MIN, imp_next(cx, imp_op2(cx, OP_DIV, n, imp_i64(k->cx, SORT_LEAST))),
                imp_i64(k->cx, SORT_BLOCKS));
    return grid_scan_room(k, imp_op2(cx, OP_MUL, blocks, imp_i64(k->cx, SORT_DIGITS)));
}

const struct imp_var *grid_sort(struct kernel *k, const char *name, enum type type,
                                const struct imp *n, const struct sort_key *key, int keys,
                                const struct imp **at)
{
    struct context *cx = k->cx;
    const enum type i64 = TYPE_I64;
    const struct imp *both = imp_op2(cx, OP_MUL, n, imp_i64(k->cx, 2));
    const struct imp_var *order = new_array(k, name, type, "order", both),
                         *counts = new_array(k, name, TYPE_I64, "digits", counts_room(k, n));
    struct imp_var *half = kernel_var(k, TYPE_I64, "%s_at", name);
    imp_let(&k->b, half, imp_i64(k->cx, 0));
    for (int i = keys; i-- > 0;) {
        const struct imp_var *number = key[i].number,
                             *scratch = new_array(k, name, number->type, "key", both);
        const struct imp *first = imp_literal(cx, value_int(TYPE_BOOL, i + 1 == keys));
        const struct imp *arg[] = {imp_read(cx, number), imp_read(cx, scratch), imp_read(cx, order),
                                   imp_read(cx, counts), imp_read(cx, half),    n,
                                   key[i].low,           key[i].size,           first};
        const enum type types[] = {number->type, type};
        imp_add(&k->b, imp_do(cx, prelude_call(&k->b, "sort_grid", types, 2, arg, 9)));
        imp_add(&k->b, imp_free(cx, scratch));
        const struct imp *from[] = {imp_read(cx, half), n, key[i].size};
        imp_add(&k->b,
                imp_assign(cx, half, OP_NONE, prelude_call(&k->b, "sort_half", &i64, 1, from, 3)));
    }
    imp_add(&k->b, imp_free(cx, counts));
    *at = imp_read(cx, half);
    return order;
}
