/* result_arrange.c - a result whose first levels come in Morton order.
 *
 * It is assembled like any other, in whatever way and in the order of its coordinates.  Then what
 * is below each position of the first levels, a block, goes where it belongs, as a chunk of the
 * result:
 *
 *     copies of all arrays
 *     from: where each block's positions begin, group by group
 *     order: the blocks by their coordinates' bits, taken in turns
 *     for each block, in this order
 *         its chunk of the copies goes behind those that are there      (level.h: join)
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"

enum { NUMBER_BITS = 62 };

const struct imp_var *result_array_before(struct kernel *k, const struct imp_var *of,
                                          const struct imp *n, const struct imp *room)
{
    const struct imp *zero = imp_int(k->cx, TYPE_I64, 0);
    const struct imp_var *to =
        workspace_array(k, of->type, arena_printf(k->cx->arena, "%s_before", of->name), n);
    imp_add(&k->b, imp_copy(k->cx, to, zero, of, zero, n));
    imp_add(&k->b, imp_resize(k->cx, of, room));
    return to;
}

bool result_is_made_anew(const struct result *r)
{
    bool has_pattern = r->assembly->kind == ASSEMBLY_PATTERN || r->assembly->kind == ASSEMBLY_GIVEN
                       || r->assembly->kind == ASSEMBLY_UPDATE;
    return r->assembly->groups > 0 && !has_pattern
           && tree_assigns(r->tree, r->tree->root->statement); /* else nothing is stored */
}

struct arranging {
    struct kernel *k;
    const struct result *r;
    const char *name;
    int levels, groups; /* that come in Morton order; of the result */
    const struct imp *blocks;
    const struct imp_var **from; /* by group, blocks + 1 */
    const struct imp_var *order;
};

static const struct imp *number(const struct arranging *a, int64_t n)
{
    return imp_int(a->k->cx, TYPE_I64, n);
}

static struct imp_var *local(const struct arranging *a, const char *what)
{
    return kernel_var(a->k, TYPE_I64, "%s_%s", a->name, what);
}

static const struct imp_var *array(const struct arranging *a, enum type type, const char *what,
                                   const struct imp *n)
{
    return workspace_array(a->k, type, arena_printf(a->k->cx->arena, "%s_%s", a->name, what), n);
}

/* for var in [0, n): what was added since imp_begin */
static void end_loop(const struct arranging *a, struct imp_var *var, const struct imp *n)
{
    imp_add(&a->k->b, imp_for(a->k->cx, var, number(a, 0), n, 1, imp_end(&a->k->b)));
}

static const struct imp *call(const struct arranging *a, const char *helper, enum type type,
                              const struct imp *const *arg, int args)
{
    return prelude_call(&a->k->b, helper, &type, 1, arg, args);
}

/* ---- where blocks are ---- */

/* How many positions of a group's first level are below so many of the group's before it. */
static const struct imp *begin_of(const struct arranging *a, int g, const struct imp *positions)
{
    const struct append_group *group = &a->r->group[g];
    const struct imp *parents =
        kernel_positions(a->k, a->r->access, group[-1].last + 1, group->first, positions);
    return imp_cast(
        a->k->cx, TYPE_I64,
        imp_load(a->k->cx, result_array(a->k, a->r, group->first, LEVEL_POSITIONS), parents));
}

static void find_blocks(struct arranging *a)
{
    struct context *cx = a->k->cx;
    const struct imp *ends = imp_next(cx, a->blocks);
    a->from = arena_array(cx->arena, const struct imp_var *, a->groups);
    for (int g = 0; g < a->groups; g++)
        a->from[g] = array(a, TYPE_I64, arena_printf(cx->arena, "from%d", g + 1), ends);
    struct imp_var *block = local(a, "block");
    const struct imp *at = imp_read(cx, block), *begin = at;
    imp_begin(&a->k->b);
    for (int g = 0; g < a->groups; g++) {
        begin = g > 0 ? begin_of(a, g, begin) : begin;
        imp_add(&a->k->b, imp_store(cx, a->from[g], at, OP_NONE, begin));
        begin = imp_load(cx, a->from[g], at);
    }
    end_loop(a, block, ends);
}

/* ---- their order ---- */

/* Sort the blocks, in the order in which they are, by a number of some bits. */
static void sort_blocks(const struct arranging *a, const struct imp_var *by,
                        const struct imp *numbers, const struct imp_var *other,
                        const struct imp_var *place)
{
    struct context *cx = a->k->cx;
    const enum type type[] = {TYPE_I64, TYPE_I64};
    const struct imp *key = imp_read(cx, by), *order = imp_read(cx, a->order),
                     *room = imp_read(cx, other);
    if (a->k->request->plain) {
        const struct imp *arg[] = {number(a, 0), a->blocks, key, order, room};
        imp_add(&a->k->b, imp_do(cx, prelude_call(&a->k->b, "sort_merging", type, 2, arg, 5)));
        return;
    }
    const struct imp *arg[] = {number(a, 0), a->blocks, key,  number(a, 0),
                               numbers,      order,     room, imp_read(cx, place)};
    imp_add(&a->k->b, imp_do(cx, prelude_call(&a->k->b, "sort_by", type, 2, arg, 8)));
}

/* The size of the largest of the levels. */
static const struct imp *largest(const struct arranging *a)
{
    const struct imp *most = NULL;
    for (int level = 0; level < a->levels; level++) {
        const struct imp *size =
            imp_cast(a->k->cx, TYPE_I64, result_level(a->k, a->r, level, number(a, 0)).dimension);
        most = most ? imp_op2(a->k->cx, OP_MAX, most, size) : size;
    }
    return imp_let(&a->k->b, local(a, "largest"), most);
}

/* Sort by some bits of each coordinate, in turns, if any coordinate has such bits. */
static void sort_by_bits(const struct arranging *a, const struct imp *size, int first, int most,
                         const struct imp_var *key, const struct imp_var *other,
                         const struct imp_var *place)
{
    struct context *cx = a->k->cx;
    const struct imp *counted[] = {size, number(a, first), number(a, most)};
    const struct imp *bits =
        imp_let(&a->k->b, local(a, "bits"), call(a, "morton_bits", TYPE_I64, counted, 3));
    struct imp_var *block = local(a, "block");
    const struct imp *at = imp_read(cx, block), *sum = NULL;
    imp_begin(&a->k->b);
    imp_begin(&a->k->b);
    for (int level = 0; level < a->levels; level++) {
        const struct imp_var *crd = result_array(a->k, a->r, level, LEVEL_COORDINATES);
        const struct imp *arg[] = {imp_load(cx, crd, at), number(a, first), bits,
                                   number(a, a->levels)};
        const struct imp *spread = call(a, "morton_spread", crd->type, arg, 4);
        sum = sum ? imp_op2(cx, OP_ADD, imp_op2(cx, OP_MUL, sum, number(a, 2)), spread) : spread;
    }
    imp_add(&a->k->b, imp_store(cx, key, at, OP_NONE, sum));
    end_loop(a, block, a->blocks);
    const struct imp *all = imp_op2(cx, OP_MUL, bits, number(a, a->levels));
    sort_blocks(a, key, call(a, "morton_numbers", TYPE_I64, &all, 1), other, place);
    const struct imp *sorted = imp_end(&a->k->b);
    imp_add(&a->k->b, imp_if(cx, imp_op2(cx, OP_GT, bits, number(a, 0)), sorted, NULL));
}

static void find_order(struct arranging *a)
{
    struct context *cx = a->k->cx;
    const int most = NUMBER_BITS / a->levels;
    const struct imp *size = largest(a);
    a->order = array(a, TYPE_I64, "order", a->blocks);
    const struct imp_var *key = array(a, TYPE_I64, "key", a->blocks),
                         *other = array(a, TYPE_I64, "other", a->blocks),
                         *place = a->k->request->plain
                                      ? NULL
                                      : array(a, TYPE_I64, "place", number(a, SORT_PLACES));
    struct imp_var *block = local(a, "block");
    imp_begin(&a->k->b);
    imp_add(&a->k->b, imp_store(cx, a->order, imp_read(cx, block), OP_NONE, imp_read(cx, block)));
    end_loop(a, block, a->blocks);
    int bits = 8 * (int)type_size(a->k->request->coordinates) - 1;
    for (int first = 0; first < bits; first += most)
        sort_by_bits(a, size, first, most, key, other, place);
    imp_add(&a->k->b, imp_free(cx, key));
    imp_add(&a->k->b, imp_free(cx, other));
    if (place)
        imp_add(&a->k->b, imp_free(cx, place));
}

/* ---- the arrays ---- */

/* All but the root's segment, and numbers of levels. */
static bool is_moved(int level, enum level_array_kind kind)
{
    return kind != LEVEL_NO_ARRAY && kind != LEVEL_SCALAR && (level > 0 || kind != LEVEL_POSITIONS);
}

/* Its first elements in a copy; it has room for so many then. */
static const struct imp_var *copy(const struct arranging *a, const struct imp_var *of,
                                  const struct imp *n)
{
    return result_array_before(a->k, of, n, n);
}

/* Copies of all that is in another place afterwards. */
static struct tensor_code copy_arrays(const struct arranging *a)
{
    const struct result *r = a->r;
    const struct tensor_code *whole = kernel_code(a->k, r->access->tensor);
    struct tensor_code copies = *whole;
    const struct imp *positions = number(a, 1);
    copies.array = arena_copy(a->k->cx->arena, whole->array,
                              sizeof *whole->array * (size_t)result_format(r)->levels);
    for (int level = 0, g = 0; level < result_format(r)->levels; level++) {
        const struct level_type *type = result_format(r)->level[level].type;
        const struct imp *ends = imp_next(a->k->cx, positions);
        while (g < a->groups && r->group[g].last < level)
            g++;
        positions = g < a->groups && r->group[g].first <= level
                        ? imp_load(a->k->cx, a->from[g], a->blocks)
                        : kernel_positions(a->k, r->access, level, level + 1, positions);
        for (int n = 0; n < LEVEL_ARRAYS; n++)
            if (is_moved(level, type->array[n].kind))
                copies.array[level][n] =
                    copy(a, whole->array[level][n],
                         type->array[n].kind == LEVEL_POSITIONS ? ends : positions);
    }
    copies.values = a->k->computes ? copy(a, whole->values, positions) : NULL;
    return copies;
}

static void free_arrays(const struct arranging *a, const struct tensor_code *copies)
{
    const struct level_format *level = result_format(a->r)->level;
    for (int l = 0; l < result_format(a->r)->levels; l++)
        for (int n = 0; n < LEVEL_ARRAYS; n++)
            if (is_moved(l, level[l].type->array[n].kind))
                imp_add(&a->k->b, imp_free(a->k->cx, copies->array[l][n]));
    if (copies->values)
        imp_add(&a->k->b, imp_free(a->k->cx, copies->values));
}

/* Each block's chunk goes behind those before. */
static void move_blocks(const struct arranging *a, const struct tensor_code *copies)
{
    struct context *cx = a->k->cx;
    struct imp_var *turn = local(a, "turn"),
                   **next = arena_array(cx->arena, struct imp_var *, a->groups);
    struct level_joint *joint = arena_array(cx->arena, struct level_joint, a->groups);
    for (int g = 0; g < a->groups; g++) {
        next[g] = local(a, arena_printf(cx->arena, "next%d", g + 1));
        imp_let(&a->k->b, next[g], number(a, 0));
    }
    imp_begin(&a->k->b);
    const struct imp *block =
        imp_let(&a->k->b, local(a, "block"), imp_load(cx, a->order, imp_read(cx, turn)));
    for (int g = 0; g < a->groups; g++) {
        const struct imp *begin =
                             imp_let(&a->k->b, local(a, arena_printf(cx->arena, "begin%d", g + 1)),
                                     imp_load(cx, a->from[g], block)),
                         *end = imp_load(cx, a->from[g], imp_next(cx, block));
        joint[g] = (struct level_joint){
            .positions = imp_let(&a->k->b, local(a, arena_printf(cx->arena, "length%d", g + 1)),
                                 imp_op2(cx, OP_SUB, end, begin)),
            .position_from = begin,
            .position_at = imp_read(cx, next[g])};
    }
    groups_join(a->k, a->r, copies, joint, NULL);
    for (int g = 0; g < a->groups; g++)
        imp_add(&a->k->b, imp_assign(cx, next[g], OP_ADD, joint[g].positions));
    end_loop(a, turn, a->blocks);
}

void result_arrange(struct kernel *k, const struct result *r)
{
    struct arranging a = {.k = k,
                          .r = r,
                          .name = r->access->tensor->name,
                          .levels = format_morton(result_format(r)),
                          .groups = r->assembly->groups};
    if (!a.levels || !result_is_made_anew(r))
        return;
    const struct imp *end = imp_load(k->cx, result_array(k, r, 0, LEVEL_POSITIONS), number(&a, 1));
    a.blocks = imp_let(&k->b, local(&a, "blocks"), imp_cast(k->cx, TYPE_I64, end));
    find_blocks(&a);
    find_order(&a);
    struct tensor_code copies = copy_arrays(&a);
    move_blocks(&a, &copies);
    free_arrays(&a, &copies);
    imp_add(&k->b, imp_free(k->cx, a.order));
    for (int g = 0; g < a.groups; g++)
        imp_add(&k->b, imp_free(k->cx, a.from[g]));
}
