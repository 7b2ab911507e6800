/* workspace_bits.c - brings the list of a row's coordinates into ascending order.
 *
 * If coordinates come in any order, the row has flags and a list, and the list is sorted.  If such
 * a row has many coordinates for its dimension, the next rows have bits instead:
 *
 *     bits(j) = 1                        an insertion, without a branch that is hard to predict
 *     the list                           read from the bits, in order
 *
 * The rows themselves decide, since the number of their coordinates depends on tensors that no
 * plan knows, and may change along a matrix.  Rows whose coordinates come in ascending order, as
 * those of banded matrices do, stay lists, which need no sort.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/workspace/workspace.h"

/* After a row has become long enough, this many rows have bits.  A row is long enough if it has a
 * coordinate for this many words of bits. */
enum { ROWS_WITH_BITS = 64, WORDS_FOR_ONE = 2 };

/* A bit for each coordinate, the number of words, and the number of rows that will still use them.
 */
struct row_bits {
    struct imp_var *of, *words, *rows;
};

static const struct imp *words_for(struct kernel *k, const struct imp *bits)
{
    return imp_next(k->cx, imp_op2(k->cx, OP_DIV, bits, imp_i64(k->cx, SORT_ROW_WORD)));
}

/* Makes this many words of bits, all of them 0. */
static const struct imp *make_bits(struct kernel *k, const struct imp_var *bits,
                                   const struct imp *words)
{
    struct context *cx = k->cx;
    insert_allocate(k, bits, words);
    imp_add(&k->b,
            imp_fill(cx, bits, workspace_zero(k), words, imp_literal(cx, value_zero(TYPE_U64))));
    return imp_read(cx, bits);
}

static const struct imp_var *coordinates(struct workspace *ws)
{
    return *code_array(&ws->code, 0, LEVEL_COORDINATES);
}

static struct imp_var *name_bits(struct kernel *k, struct workspace *ws, const char *name)
{
    return kernel_array(k, TYPE_U64, "%s_%s", coordinates(ws)->name, name);
}

/* Are the lists put in order? */
static bool is_sorted(const struct workspace *ws)
{
    return workspace_is_tracked(ws) && level_has(&ws->code.tensor->format->level[0], LEVEL_ORDERED);
}

void bits_open(struct kernel *k, struct workspace *ws)
{
    if (!is_sorted(ws) || !ws->again || !ws->listed || ws->team || k->cx->cuda || k->request->plain)
        return;
    const struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    const char *crd = coordinates(ws)->name;
    struct row_bits *bits = ws->bits = arena_make(k->cx->arena, struct row_bits);
    bits->words = kernel_var(k, TYPE_I64, "%s_words", crd);
    bits->rows = kernel_var(k, TYPE_I64, "%s_rows", crd);
    bits->of = name_bits(k, ws, "bits");
    imp_let(&k->b, bits->words, words_for(k, imp_cast(k->cx, TYPE_I64, code.dimension)));
    make_bits(k, bits->of, imp_read(k->cx, bits->words));
    imp_let(&k->b, bits->rows, imp_i64(k->cx, 0));
}

/* Does this row have bits? */
static const struct imp *has_bits(struct kernel *k, const struct workspace *ws)
{
    return imp_op2(k->cx, OP_GT, imp_read(k->cx, ws->bits->rows), imp_i64(k->cx, 0));
}

static void set_bit(struct kernel *k, const struct imp_var *bits, const struct imp *position)
{
    struct context *cx = k->cx;
    const struct imp *bit = imp_cast(cx, TYPE_U64, position),
                     *word = imp_literal(cx, value_int(TYPE_U64, SORT_ROW_WORD)),
                     *one = imp_literal(cx, value_int(TYPE_U64, 1));
    imp_add(&k->b, imp_store(cx, bits, imp_cast(cx, TYPE_I64, imp_op2(cx, OP_DIV, bit, word)),
                             OP_OR, imp_op2(cx, OP_SHL, one, imp_op2(cx, OP_MOD, bit, word))));
}

const struct imp *bits_insert(struct kernel *k, const struct workspace *ws,
                              const struct level_code *code, const struct imp *coordinate)
{
    const struct level_type *type = code->format->type;
    const struct imp *found;
    if (!ws->bits || !type->lists)
        return type->insert(code, coordinate, NULL);
    const struct imp *position = type->locate(code, coordinate, &found);
    imp_begin(&k->b);
    set_bit(k, ws->bits->of, position);
    const struct imp *with_bits = imp_end(&k->b);
    imp_begin(&k->b);
    type->insert(code, coordinate, NULL);
    imp_add(&k->b, imp_if(k->cx, has_bits(k, ws), with_bits, imp_end(&k->b)));
    return position;
}

/* ---- the list in order ---- */

/* Makes room for this many coordinates, in the function's own memory (sort_row). */
static const struct imp *make_few(struct kernel *k, struct workspace *ws, const char *name,
                                  int64_t n)
{
    struct imp_var *few =
        kernel_array(k, coordinates(ws)->type, "%s_%s", coordinates(ws)->name, name);
    few->small = !ws->team && !k->cx->cuda;
    insert_allocate(k, few, imp_i64(k->cx, n));
    return imp_read(k->cx, few);
}

/* The list of a row: its length, its coordinates, the least possible one, and their number. */
struct row_list {
    const struct imp *n, *crd, *low, *dimension;
};

/* Calls the helper that sorts the list.  A plain kernel compares coordinates; others use bits for
 * them, and bits for words of these. */
static const struct imp *sort(struct kernel *k, struct workspace *ws, const struct row_list *list)
{
    struct context *cx = k->cx;
    const struct imp_var *crd = coordinates(ws);
    const struct imp *arg[] = {
        list->n,   list->crd, imp_read(cx, *code_array(&ws->code, 0, LEVEL_FLAGS)),
        list->low, NULL,      NULL,
        NULL,      NULL};
    if (k->request->plain)
        return prelude_call(&k->b, "sort_ascending", &crd->type, 1, arg, 2);
    imp_begin(&k->b);
    const struct imp *words =
        ws->bits ? imp_read(cx, ws->bits->words) : words_for(k, list->dimension);
    arg[4] = ws->bits ? imp_read(cx, ws->bits->of) : make_bits(k, name_bits(k, ws, "bits"), words);
    arg[5] = make_bits(k, name_bits(k, ws, "some"), words_for(k, words));
    arg[6] = make_few(k, ws, "was", SORT_RANKED);
    arg[7] = make_few(k, ws, "rank", SORT_RANKS);
    workspace_end_prologue(k);
    return prelude_call(&k->b, "sort_row", &crd->type, 1, arg, 8);
}

/* Lets the next rows have bits if this row would have been long enough for them. */
static void decide(struct kernel *k, const struct workspace *ws, const struct imp *n,
                   const struct imp *rows)
{
    struct context *cx = k->cx;
    const struct imp *room = imp_op2(cx, OP_MUL, n, imp_i64(cx, WORDS_FOR_ONE));
    imp_add(&k->b,
            imp_assign(cx, ws->bits->rows, OP_NONE,
                       imp_select(cx, imp_op2(cx, OP_LE, imp_read(cx, ws->bits->words), room), rows,
                                  imp_i64(cx, 0))));
}

/* Reads the list from the bits. */
static const struct imp *take_bits(struct kernel *k, struct workspace *ws,
                                   const struct row_list *list)
{
    struct context *cx = k->cx;
    const struct imp_var *count = ws->code.scalar[0];
    const struct imp *bits = imp_read(cx, ws->bits->of), *words = imp_read(cx, ws->bits->words),
                     *zero = imp_i64(cx, 0);
    const enum type word = TYPE_U64;
    const struct imp *counted =
        prelude_call(&k->b, "sort_count", &word, 1, (const struct imp *[]){words, bits}, 2);
    imp_begin(&k->b);
    imp_add(&k->b, imp_assign(cx, count, OP_NONE, imp_cast(cx, count->type, counted)));
    imp_add(&k->b, imp_do(cx, prelude_call(&k->b, "sort_take", &coordinates(ws)->type, 1,
                                           (const struct imp *[]){list->dimension, list->crd,
                                                                  list->low, zero, words, bits},
                                           6)));
    decide(k, ws, list->n, imp_op2(cx, OP_SUB, imp_read(cx, ws->bits->rows), imp_i64(cx, 1)));
    return imp_end(&k->b);
}

/* Sorts the list unless it is in order. */
static void sort_list(struct kernel *k, struct workspace *ws, const struct row_list *list)
{
    struct context *cx = k->cx;
    if (k->request->plain) {
        imp_add(&k->b, imp_do(cx, sort(k, ws, list)));
        return;
    }
    const struct imp *ascends = prelude_call(&k->b, "sort_ascends", &coordinates(ws)->type, 1,
                                             (const struct imp *[]){list->n, list->crd}, 2);
    imp_begin(&k->b);
    imp_add(&k->b, imp_do(cx, sort(k, ws, list)));
    if (ws->bits)
        decide(k, ws, list->n, imp_i64(cx, ROWS_WITH_BITS));
    imp_add(&k->b, imp_if(cx, imp_op1(cx, OP_NOT, ascends), imp_end(&k->b), NULL));
}

void bits_finish(struct kernel *k, struct workspace *ws)
{
    struct context *cx = k->cx;
    if (!is_sorted(ws) || ws->ascending > 0)
        return;
    const struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    const struct row_list list = {
        imp_cast(cx, TYPE_I64, imp_read(cx, ws->code.scalar[0])), imp_read(cx, coordinates(ws)),
        code.low ? code.low : imp_i64(cx, 0), imp_cast(cx, TYPE_I64, code.dimension)};
    if (!ws->bits) {
        sort_list(k, ws, &list);
        return;
    }
    const struct imp *with_bits = take_bits(k, ws, &list);
    imp_begin(&k->b);
    sort_list(k, ws, &list);
    imp_add(&k->b, imp_if(cx, has_bits(k, ws), with_bits, imp_end(&k->b)));
}
