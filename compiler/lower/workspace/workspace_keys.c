/* workspace_keys.c - what lists are sorted by: coordinates, level by level, and of levels in Morton
 * order numbers that are made of their coordinates' bits, in turns.
 *
 *     io jo       10 01            the bits of io are spread, so that there is a gap behind each,
 *     number      1001             and those of jo fill the gaps
 *
 * Bits are spread by halves: the upper half of them, of those in each half, and so on, goes where
 * it belongs (Warren, Hacker's Delight, section 7-2, whose shuffles exchange such halves).  There
 * are several numbers if one has no room for all bits of all coordinates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/lower/workspace/workspace.h"

enum { NUMBER_BITS = 62 };

/* ---- numbers ---- */

static const struct imp *wide(struct kernel *k, uint64_t n) { return imp_i64(k->cx, (int64_t)n); }

/* Returns bits [0, planes) in groups of this size, with the gaps of the other coordinates behind
 * each group. */
static uint64_t group_mask(int planes, int group, int turns)
{
    uint64_t mask = 0;
    for (int bit = 0; bit < planes; bit++)
        mask |= UINT64_C(1) << (bit / group * group * turns + bit % group);
    return mask;
}

/* Returns the bits [low, low + planes) of a coordinate, each `turns` places behind the one before.
 */
static const struct imp *spread(struct kernel *k, const char *name, const struct imp *coordinate,
                                const struct list_key *key, int turns)
{
    struct context *cx = k->cx;
    struct imp_var *bits = kernel_var(k, TYPE_I64, "%s_bits", name);
    const struct imp *now = imp_cast(cx, TYPE_I64, coordinate);
    int group = 1;
    if (key->low)
        now = imp_op2(cx, OP_SHR, now, wide(k, (uint64_t)key->low));
    now = imp_let(&k->b, bits,
                  imp_op2(cx, OP_AND, now, wide(k, group_mask(key->planes, key->planes, 1))));
    while (group < key->planes)
        group *= 2;
    while ((group /= 2) > 0) {
        const struct imp *moved =
            imp_op2(cx, OP_SHL, now, wide(k, (uint64_t)group * (uint64_t)(turns - 1)));
        imp_add(&k->b, imp_assign(cx, bits, OP_NONE,
                                  imp_op2(cx, OP_AND, imp_op2(cx, OP_OR, now, moved),
                                          wide(k, group_mask(key->planes, group, turns)))));
    }
    return now;
}

void list_put_turns(struct kernel *k, const struct workspace *ws, const struct list_key *key,
                    const struct imp_var *to, const struct imp *entry)
{
    const int turns = format_morton(ws->code.tensor->format);
    const struct imp *number = NULL;
    for (int level = 0; level < turns; level++) {
        const struct imp *bits =
            spread(k, ws->code.tensor->name, imp_load(k->cx, ws->crd[level], entry), key, turns);
        number = number ? imp_op2(k->cx, OP_SHL, number, wide(k, 1)) : NULL;
        number = number ? imp_op2(k->cx, OP_OR, number, bits) : bits;
    }
    imp_add(&k->b, imp_store(k->cx, to, entry, OP_NONE, number));
}

/* ---- keys ---- */

/* Returns how many bits the coordinates of the level have at most. */
static int level_bits(const struct level_code *code)
{
    const struct imp *size = code->dimension;
    int64_t last = size->kind == IMP_LITERAL ? size->value.i - 1 : index_max(code->format->crd);
    int bits = 0;
    for (; last > 0; last /= 2)
        bits++;
    return bits;
}

/* Returns all bits that the coordinates of any of the first levels may have. */
static const struct imp *all_bits(struct kernel *k, const struct workspace *ws, int turns)
{
    const struct imp *all = NULL;
    for (int level = 0; level < turns; level++) {
        struct level_code code = workspace_level(k, ws, level, workspace_zero(k));
        const struct imp *last =
            imp_op2(k->cx, OP_SUB, imp_cast(k->cx, TYPE_I64, code.dimension), wide(k, 1));
        all = all ? imp_op2(k->cx, OP_OR, all, last) : last;
    }
    return all;
}

/* Adds keys of the first levels, those of the highest bits first, and returns their number. */
static int add_turns(struct kernel *k, const struct workspace *ws, struct list_key *key)
{
    const char *name = ws->code.tensor->name;
    const int turns = format_morton(ws->code.tensor->format);
    int bits = 0, keys = 0;
    for (int level = 0; level < turns; level++) {
        struct level_code code = workspace_level(k, ws, level, workspace_zero(k));
        bits = level_bits(&code) > bits ? level_bits(&code) : bits;
    }
    const int most = turns ? NUMBER_BITS / turns : 0;
    for (int rest = bits; rest > 0; rest -= key[keys++].planes) {
        struct list_key *next = &key[keys];
        next->planes = (rest - 1) % most + 1; /* the first key has what is left over */
        next->low = rest - next->planes;
        const struct imp *size =
            imp_op2(k->cx, OP_MUL, spread(k, name, all_bits(k, ws, turns), next, turns),
                    wide(k, (UINT64_C(1) << turns) - 1));
        size = imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_numbers", name), imp_next(k->cx, size));
        next->by = (struct sort_key){NULL, workspace_zero(k), size};
    }
    return keys;
}

const struct list_key *list_keys(struct kernel *k, const struct workspace *ws, int first, int *keys)
{
    struct list_key *key =
        arena_array(k->cx->arena, struct list_key, ws->sorted_from + NUMBER_BITS + 1);
    int n = ws->sorted_from > 0 ? add_turns(k, ws, key) : 0;
    for (int level = n ? format_morton(ws->code.tensor->format) : first; level < ws->sorted_from;
         level++) {
        struct level_code code = workspace_level(k, ws, level, workspace_zero(k));
        key[n++].by = (struct sort_key){
            ws->crd[level], code.low ? imp_cast(k->cx, TYPE_I64, code.low) : workspace_zero(k),
            code.dimension};
    }
    *keys = n;
    return key;
}
