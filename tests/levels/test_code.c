/* test_code.c - the code functions of every registered level type, interpreted.
 *
 * A level is packed by the storage functions and iterated and searched by the code functions; and
 * one that the code functions have made, coordinate by coordinate, is checked and walked by the
 * storage functions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/levels/bench.h"

/* ---- iterate and locate ---- */

static void emit_if_found(struct bench *b, const struct imp *found, const struct imp *coordinate,
                          const struct imp *position)
{
    imp_begin(&b->to);
    report(b, coordinate, position);
    const struct imp *block = imp_end(&b->to);
    imp_add(&b->to, found ? imp_if(b->cx, found, block, NULL) : block);
}

static void emit_by_position(struct bench *b)
{
    const struct level_type *type = type_of(b);
    const struct imp *begin, *end, *found = NULL;
    type->bounds(&b->code, &begin, &end);
    struct imp_var *p = imp_new_var(&b->to, begin->type, "p");
    const struct imp *position = imp_read(b->cx, p);
    imp_begin(&b->to);
    const struct imp *occupied = type->occupied ? type->occupied(&b->code, position) : NULL;
    imp_begin(&b->to);
    const struct imp *coordinate = type->access(&b->code, position);
    if (type->lists)
        position = type->locate(&b->code, coordinate, &found);
    emit_if_found(b, found, coordinate, position);
    const struct imp *body = imp_end(&b->to);
    imp_add(&b->to, occupied ? imp_if(b->cx, occupied, body, NULL) : body);
    const struct imp *loop = imp_end(&b->to);
    imp_add(&b->to, imp_for(b->cx, p, begin, end, 1, loop));
}

/* At every coordinate of the dimension. */
static void emit_by_coordinate(struct bench *b)
{
    const struct imp *low = b->code.low ? b->code.low : imp_int(b->cx, b->code.coordinates, 0),
                     *found = NULL;
    struct imp_var *c = imp_new_var(&b->to, b->code.coordinates, "c");
    imp_begin(&b->to);
    const struct imp *position = type_of(b)->locate(&b->code, imp_read(b->cx, c), &found);
    emit_if_found(b, found, imp_read(b->cx, c), position);
    const struct imp *loop = imp_end(&b->to);
    imp_add(&b->to,
            imp_for(b->cx, c, low, imp_op2(b->cx, OP_ADD, low, b->code.dimension), 1, loop));
}

/* Should the coordinate be found at this position? */
static bool is_there(const struct bench *b, int64_t parent, int64_t coordinate, int64_t position)
{
    const struct sample *s = b->sample;
    if (s->format.type->value_at)
        return position == parent + s->format.type->value_at(&s->level, coordinate);
    if (level_has(&s->format, LEVEL_FULL))
        return position == parent * s->level.dimension + coordinate - s->level.low;
    if (s->format.type == &level_ragged) /* with positions that no node has */
        return coordinate - s->level.low == position % s->level.dimension;
    const int64_t *node = node_at(s, parent, position);
    return node && *node == coordinate;
}

static int64_t count_there(const struct bench *b, int64_t parent)
{
    const struct sample *s = b->sample;
    bool full = level_has(&s->format, LEVEL_FULL);
    int64_t n = 0, begin, end;
    s->format.type->children(&s->level, parent, &begin, &end);
    if (s->format.type == &level_ragged)
        return end - begin;
    for (int64_t i = 0; i < s->nodes.n; i++)
        n += s->parent[i] == parent;
    return full ? s->level.dimension : n;
}

static void found_it_all(struct bench *b, int64_t parent, bool in_order)
{
    int64_t n = count_there(b, parent), last = INT64_MIN;
    for (int64_t i = 0; i < n; i++) {
        if (!is_there(b, parent, b->coordinate_at[i], b->position_at[i]))
            fail_msg("%s: %lld at %lld", type_of(b)->name, (long long)b->coordinate_at[i],
                     (long long)b->position_at[i]);
        for (int64_t before = 0; before < i; before++)
            assert_int_not_equal(b->position_at[before], b->position_at[i]);
        assert_true(!in_order || b->coordinate_at[i] >= last);
        last = b->coordinate_at[i];
    }
    assert_int_equal(b->coordinate_at[n], -99);
}

static void runs_through(struct context *cx, struct sample *s, int64_t parent, bool by_position,
                         uint64_t *seed)
{
    struct bench b;
    open_bench(&b, cx, s, false, seed);
    for (int i = 0; i < FOUND_MOST; i++)
        b.coordinate_at[i] = -99;
    read_scalar(&b);
    stand_below(&b, parent);
    if (by_position)
        emit_by_position(&b);
    else
        emit_by_coordinate(&b);
    run_bench(&b, random_below(seed, 2));
    found_it_all(&b, parent, by_position && level_has(&s->format, LEVEL_ORDERED));
}

/* From each position below the parent to its coordinate, and to the parent. */
static void leads_back(struct context *cx, struct sample *s, int64_t parent, uint64_t *seed)
{
    struct bench there, back;
    struct bench *const both[] = {&there, &back};
    for (int i = 0; i < 2; i++) {
        struct bench *b = both[i];
        open_bench(b, cx, s, false, seed);
        b->back = i == 1;
        read_scalar(b);
        stand_below(b, parent);
        if (type_of(b)->bounds)
            emit_by_position(b);
        else
            emit_by_coordinate(b);
        run_bench(b, random_below(seed, 2));
    }
    for (int64_t i = 0; i < count_there(&there, parent); i++) {
        assert_int_equal(back.coordinate_at[i], there.coordinate_at[i]);
        assert_int_equal(back.position_at[i], parent);
    }
}

static bool can_locate(const struct sample *s)
{
    const struct level_type *type = s->format.type;
    return type->locate
           && (type->locates_fast || level_has(&s->format, LEVEL_ORDERED | LEVEL_UNIQUE));
}

/* Whatever leads to values may be other than what packing makes of it, forwards or backwards. */
static void turn_strides(struct sample *s, uint64_t *seed)
{
    int64_t stride = random_below(seed, 9) - 4;
    if (s->format.type->value_at && s->level.array[0] && stride != 0)
        index_store(s->format.pos, s->level.array[0], 0,
                    stride < index_min(s->format.pos) ? -stride : stride);
}

static void run_type(const struct level_type *type, uint64_t *seed)
{
    struct context *cx = context_new();
    struct sample s;
    random_sample(&s, type, seed);
    pack_sample(&s);
    turn_strides(&s, seed);
    if (!context_protect(cx))
        fail_msg("%s: %s", type->name, cx->bug ? cx->bug : "no memory");
    for (int64_t parent = 0; parent < s.nodes.parents; parent++) {
        if (type->bounds)
            runs_through(cx, &s, parent, true, seed);
        if (can_locate(&s))
            runs_through(cx, &s, parent, false, seed);
        if (type->parent_of)
            leads_back(cx, &s, parent, seed);
    }
    free_sample(&s);
    context_free(cx);
}

static void operands_are_read(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (const struct level_type *const *type = registry_levels; *type; type++)
        for (int n = 0; n < 200 && *type != &level_offset; n++)
            run_type(*type, &seed);
}

/* Below a run of parents that are one (duplicates), all their children come. */
static void run_parents(const struct level_type *type, uint64_t *seed)
{
    struct context *cx = context_new();
    struct sample s;
    struct bench b;
    int64_t sum = 0;
    random_sample(&s, type, seed);
    pack_sample(&s);
    if (!context_protect(cx))
        fail_msg("%s: %s", type->name, cx->bug ? cx->bug : "no memory");
    open_bench(&b, cx, &s, false, seed);
    for (int i = 0; i < FOUND_MOST; i++)
        b.coordinate_at[i] = -99;
    read_scalar(&b);
    b.code.parent = imp_int(cx, TYPE_I32, 0);
    b.code.parent_next = imp_int(cx, TYPE_I32, s.nodes.parents);
    emit_by_position(&b);
    run_bench(&b, random_below(seed, 2));
    for (int64_t i = 0; i < s.nodes.n; i++) {
        sum += s.coordinate[i] - b.coordinate_at[i];
        assert_true(b.position_at[i] >= 0 && b.position_at[i] < s.positions);
    }
    assert_int_equal(sum, 0);
    assert_int_equal(b.coordinate_at[s.nodes.n], -99);
    free_sample(&s);
    context_free(cx);
}

static void runs_of_parents_are_read(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 100; n++) {
        run_parents(&level_compressed, &seed);
        run_parents(&level_hashed, &seed);
    }
}

/* ---- insert ---- */

/* Scalar, arrays, and what is cleared. */
static void emit_prologue(struct bench *b, int64_t most)
{
    const struct level_type *type = type_of(b);
    struct imp_builder *to = &b->to;
    for (int a = 0; a < LEVEL_ARRAYS; a++) {
        if (type->array[a].kind != LEVEL_SCALAR)
            continue;
        struct imp_var *scalar = imp_var(b->cx, "scalar", b->array[a]->type);
        const struct imp *first =
            type->width ? type->width(&b->code, number(b, most)) : number(b, 0);
        imp_let(to, scalar, imp_cast(b->cx, scalar->type, first));
        b->code.scalar = scalar;
    }
    const struct imp *size = type->size(&b->code, number(b, b->sample->nodes.parents));
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        if (b->array[a])
            imp_add(to, imp_alloc(b->cx, b->array[a],
                                  type->array[a].kind == LEVEL_SCALAR ? number(b, 1) : size));
    if (type->clear)
        type->clear(&b->code, number(b, 0), size);
}

static void emit_insert(struct bench *b, int64_t node, int64_t turn)
{
    const struct level_type *type = type_of(b);
    const struct imp *coordinate = imp_int(b->cx, b->code.coordinates, b->sample->coordinate[node]),
                     *found = NULL;
    stand_below(b, b->sample->parent[node]);
    const struct imp *position = type->insert ? type->insert(&b->code, coordinate, number(b, turn))
                                              : type->locate(&b->code, coordinate, &found);
    imp_add(&b->to, imp_store(b->cx, b->position, number(b, node), OP_NONE,
                              imp_cast(b->cx, TYPE_I64, position)));
}

/* The nodes in some order: in theirs where the type or the list wants that. */
static void order_nodes(const struct sample *s, int64_t *order, uint64_t *seed)
{
    bool in_order = s->format.type->takes_turns
                    || (s->format.type->lists && level_has(&s->format, LEVEL_ORDERED));
    for (int64_t i = 0; i < s->nodes.n; i++) {
        int64_t other = in_order ? i : random_below(seed, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

static void make_type(const struct level_type *type, uint64_t *seed)
{
    struct context *cx = context_new();
    struct sample s;
    struct bench b;
    int64_t order[NODES_MOST], turn = 0;
    random_sample(&s, type, seed);
    if (!context_protect(cx))
        fail_msg("%s: %s", type->name, cx->bug ? cx->bug : "no memory");
    open_bench(&b, cx, &s, true, seed);
    int64_t most = 0;
    for (int64_t p = 0, n = 0; p<s.nodes.parents; p++, most = n> most ? n : most)
        for (int64_t i = n = 0; i < s.nodes.n; i++)
            n += s.parent[i] == p;
    emit_prologue(&b, most);
    order_nodes(&s, order, seed);
    for (int64_t i = 0; i < s.nodes.n; i++) {
        turn = i > 0 && s.parent[order[i]] == s.parent[order[i - 1]] ? turn + 1 : 0;
        emit_insert(&b, order[i], turn);
        if (!type->takes_turns && random_below(seed, 3) == 0) /* it is there already */
            emit_insert(&b, order[i], turn);
    }
    emit_epilogue(&b);
    run_bench(&b, random_below(seed, 2));
    is_made(&b);
    free_sample(&s);
    context_free(cx);
}

static void results_are_made(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (const struct level_type *const *type = registry_levels; *type; type++)
        for (int n = 0; n < 200 && (*type)->size; n++)
            make_type(*type, &seed);
}

/* Only the beginning: how many slots there are, empty. */
static enum imp_status make_empty(const struct level_type *type, enum type pos, enum type crd,
                                  int64_t dimension, int64_t most)
{
    struct context *cx = context_new();
    struct sample s = {.format = {type, type->properties, pos, crd, NULL, 0, 0}};
    struct bench b;
    s.level = (struct level_storage){.format = &s.format, .dimension = dimension};
    if (!context_protect(cx))
        fail_msg("%s: %s", type->name, cx->bug ? cx->bug : "no memory");
    open_bench(&b, cx, &s, true, &(uint64_t){1});
    emit_prologue(&b, most);
    struct imp_function function = {.name = "f",
                                    .result = TYPE_I32,
                                    .params = b.params,
                                    .param = b.param,
                                    .body = imp_end(&b.to)};
    struct imp_run run = imp_interpret(cx, &function, b.argument, NULL);
    assert_null(run.fault);
    for (int p = 0; p < b.params - 2; p++)
        free(b.argument[p].data);
    context_free(cx);
    return run.status;
}

/* Of a u8, 255 marks what is empty: so 256 coordinates are too many, and 255 are not. */
static void marks_are_no_coordinates(void **state)
{
    (void)state;
    assert_int_equal(make_empty(&level_hashed, TYPE_I32, TYPE_U8, 255, 1), STATUS_OK);
    assert_int_equal(make_empty(&level_hashed, TYPE_I32, TYPE_U8, 256, 1), STATUS_TOO_LARGE);
    assert_int_equal(make_empty(&level_padded, TYPE_I32, TYPE_U8, 255, 1), STATUS_OK);
    assert_int_equal(make_empty(&level_padded, TYPE_I32, TYPE_U8, 256, 1), STATUS_TOO_LARGE);
}

static void widths_fit(void **state)
{
    (void)state;
    assert_int_equal(make_empty(&level_hashed, TYPE_U8, TYPE_I32, 300, 64), STATUS_OK);
    assert_int_equal(make_empty(&level_hashed, TYPE_U8, TYPE_I32, 300, 65), STATUS_TOO_LARGE);
    assert_int_equal(make_empty(&level_padded, TYPE_I8, TYPE_I32, 300, 127), STATUS_OK);
    assert_int_equal(make_empty(&level_padded, TYPE_I8, TYPE_I32, 300, 128), STATUS_TOO_LARGE);
    assert_int_equal(make_empty(&level_hashed, TYPE_I32, TYPE_I32, INT32_MAX, INT32_MAX / 2 + 1),
                     STATUS_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_are_read), cmocka_unit_test(runs_of_parents_are_read),
        cmocka_unit_test(results_are_made),  cmocka_unit_test(marks_are_no_coordinates),
        cmocka_unit_test(widths_fit),
    };
    return cmocka_run_group_tests_name("level code", tests, NULL, NULL);
}
