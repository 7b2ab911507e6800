/* test_assembly.c - levels that the code functions assemble: by appending, by counting, and from
 * chunks.
 *
 * What comes out is checked and walked by the storage functions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/levels/bench.h"

/* ---- append, count ---- */

/* Room in the arrays for so many positions below the sample's parents. */
static void emit_room(struct bench *b, const struct imp *positions)
{
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        if (b->array[a])
            imp_add(&b->to, imp_alloc(b->cx, b->array[a],
                                      type_of(b)->array[a].kind == LEVEL_SCALAR ? number(b, 1)
                                      : type_of(b)->array[a].kind == LEVEL_POSITIONS
                                          ? number(b, b->sample->nodes.parents + 1)
                                          : positions));
}

static void emit_position(struct bench *b, int64_t node, const struct imp *position)
{
    imp_add(&b->to, imp_store(b->cx, b->position, number(b, node), OP_NONE,
                              imp_cast(b->cx, TYPE_I64, position)));
}

static const struct imp *coordinate_of(struct bench *b, int64_t node)
{
    return imp_int(b->cx, b->code.coordinates, b->sample->coordinate[node]);
}

/* Parent by parent, those in a row without children at once. */
static void emit_appends(struct bench *b)
{
    const struct level_type *type = type_of(b);
    const struct sample *s = b->sample;
    int64_t n = 0, none = 0;
    bool alone = (type->properties & LEVEL_BRANCHLESS) != 0;
    int64_t room = alone ? s->nodes.parents : s->nodes.n;
    emit_room(b, number(b, room));
    if (type->append_begin)
        type->append_begin(&b->code);
    if (type->clear)
        type->clear(&b->code, number(b, 0), number(b, room));
    for (int64_t p = 0; p < s->nodes.parents; p++) {
        int64_t first = n;
        for (; n < s->nodes.n && s->parent[n] == p; n++) {
            type->append_coordinate(&b->code, number(b, alone ? p : n), coordinate_of(b, n));
            emit_position(b, n, number(b, alone ? p : n));
        }
        if (n == first || !type->append_edges)
            continue;
        if (none < p)
            type->append_none(&b->code, number(b, none), number(b, p), number(b, first));
        stand_below(b, p);
        type->append_edges(&b->code, b->code.parent, number(b, n));
        none = p + 1;
    }
    if (type->append_none)
        type->append_none(&b->code, number(b, none), number(b, s->nodes.parents),
                          number(b, s->nodes.n));
}

/* A node's slot: its parent, or, in rounds, its coordinate below that. */
static const struct imp *slot_of(struct bench *b, int64_t node)
{
    const struct sample *s = b->sample;
    int64_t parent = s->parent[node];
    return number(b, type_of(b)->in_rounds
                         ? parent * s->level.dimension + s->coordinate[node] - s->level.low
                         : parent);
}

static int64_t slots_of(const struct bench *b)
{
    const struct sample *s = b->sample;
    return s->nodes.parents * (type_of(b)->in_rounds ? s->level.dimension : 1);
}

static void emit_next(struct bench *b, const struct imp_var *next, const struct imp *slot,
                      int64_t step)
{
    imp_add(&b->to, imp_store(b->cx, next, slot, OP_ADD, imp_int(b->cx, next->type, step)));
}

/* Counted in any order of the slots; put in place in another. */
static void emit_counts(struct bench *b, uint64_t *seed)
{
    const struct level_type *type = type_of(b);
    const struct sample *s = b->sample;
    const struct imp *slots = number(b, slots_of(b));
    struct imp_var *next = imp_array(b->cx, "next", s->format.pos, false);
    emit_room(b, number(b, s->nodes.n));
    imp_add(&b->to, imp_declare(b->cx, next, NULL));
    imp_add(&b->to, imp_alloc(b->cx, next, slots));
    imp_add(&b->to, imp_fill(b->cx, next, number(b, 0), slots, imp_int(b->cx, s->format.pos, 0)));
    for (int64_t i = s->nodes.n; i-- > 0;)
        emit_next(b, next, slot_of(b, i), 1);
    const struct imp *positions =
        type->scan(&b->code, number(b, s->nodes.parents), next, random_below(seed, 2));
    report(b, positions, positions);
    for (int64_t i = 0; i < s->nodes.n; i++) {
        const struct imp *slot = slot_of(b, i), *at = imp_load(b->cx, next, slot);
        if (type->append_coordinate)
            type->append_coordinate(&b->code, at, coordinate_of(b, i));
        emit_position(b, i, at);
        emit_next(b, next, slot, type->in_rounds ? s->level.dimension : 1);
    }
    imp_add(&b->to, imp_free(b->cx, next));
}

enum making { APPENDED, COUNTED };

static void assemble_type(const struct level_type *type, enum making making, uint64_t *seed)
{
    struct context *cx = context_new();
    struct sample s;
    struct bench b;
    int64_t counted = -1;
    random_sample(&s, type, seed);
    if (!context_protect(cx))
        fail_msg("%s: %s", type->name, cx->bug ? cx->bug : "no memory");
    open_bench(&b, cx, &s, true, seed);
    if (making == COUNTED)
        emit_counts(&b, seed);
    else
        emit_appends(&b);
    run_bench(&b, random_below(seed, 2));
    if (making == COUNTED)
        counted = b.coordinate_at[0];
    is_made(&b);
    assert_true(counted < 0 || counted == s.positions);
    free_sample(&s);
    context_free(cx);
}

static void results_are_assembled(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (const struct level_type *const *type = registry_levels; *type; type++) {
        for (int n = 0; n < 200 && (*type)->append_coordinate; n++)
            assemble_type(*type, APPENDED, &seed);
        for (int n = 0; n < 200 && (*type)->scan; n++)
            assemble_type(*type, COUNTED, &seed);
    }
}

/* ---- join ---- */

/* The nodes [begin, end) of the whole, below the parents [parent, parents). */
static void take_chunk(struct sample *chunk, const struct sample *whole, int64_t begin, int64_t end,
                       int64_t parent, int64_t parents)
{
    memset(chunk, 0, sizeof *chunk);
    chunk->format = whole->format;
    chunk->level = (struct level_storage){
        .format = &chunk->format, .low = whole->level.low, .dimension = whole->level.dimension};
    for (int64_t i = begin; i < end; i++) {
        chunk->parent[i - begin] = whole->parent[i] - parent;
        chunk->coordinate[i - begin] = whole->coordinate[i];
    }
    chunk->nodes = all_nodes(end - begin, chunk->parent, chunk->coordinate, parents - parent);
    pack_sample(chunk);
}

/* The chunk's arrays as further parameters, put behind what is there. */
static void emit_join(struct bench *b, struct sample *chunk, const char *name, int64_t parent_at,
                      int64_t position_at)
{
    struct level_code from = b->code;
    for (int a = 0; a < LEVEL_ARRAYS; a++) {
        if (!b->array[a])
            continue;
        struct imp_var *array = imp_array(b->cx, arena_printf(b->cx->arena, "%s%d", name, a),
                                          level_array_type(&chunk->format, a), true);
        from.array[a] = array;
        add_param(b, array, false, chunk->level.array[a], chunk->level.length[a]);
    }
    from.parent = from.parent_next = NULL;
    type_of(b)->join(&b->code, &from,
                     &(struct level_joint){.parents = number(b, chunk->nodes.parents),
                                           .parent_from = number(b, 0),
                                           .parent_at = number(b, parent_at),
                                           .positions = number(b, chunk->positions),
                                           .position_from = number(b, 0),
                                           .position_at = number(b, position_at)});
}

/* The scalar of both chunks, if they have the same. */
static bool take_scalar(struct bench *b, const struct sample *chunk, const struct sample *other)
{
    for (int a = 0; a < LEVEL_ARRAYS; a++) {
        if (type_of(b)->array[a].kind != LEVEL_SCALAR)
            continue;
        enum type type = b->array[a]->type;
        int64_t value = index_load(type, chunk->level.array[a], 0);
        if (value != index_load(type, other->level.array[a], 0))
            return false;
        struct imp_var *scalar = imp_var(b->cx, "scalar", type);
        imp_let(&b->to, scalar, imp_int(b->cx, type, value));
        b->code.scalar = scalar;
    }
    return true;
}

struct halves {
    struct sample whole, chunk, other;
    int64_t other_at; /* the second one's first parent */
};

/* Some parents' children, and the rest: a level that appends may have a parent in both. */
static void halve(struct halves *h, const struct level_type *type, uint64_t *seed)
{
    struct sample *whole = &h->whole;
    random_sample(whole, type, seed);
    pack_sample(whole);
    int64_t parents = whole->nodes.parents, first = random_below(seed, parents + 1), nodes = 0;
    while (nodes < whole->nodes.n && whole->parent[nodes] < first)
        nodes++;
    bool shared = type->append_edges && first > 0 && random_below(seed, 2);
    while (shared && nodes > 0 && whole->parent[nodes - 1] == first - 1 && random_below(seed, 3))
        nodes--;
    h->other_at = first - shared;
    take_chunk(&h->chunk, whole, 0, nodes, 0, first);
    take_chunk(&h->other, whole, nodes, whole->nodes.n, h->other_at, parents);
}

static void emit_joins(struct bench *b, struct halves *h)
{
    emit_room(b, number(b, h->whole.positions));
    if (type_of(b)->append_begin)
        type_of(b)->append_begin(&b->code);
    emit_join(b, &h->chunk, "chunk", 0, 0);
    emit_join(b, &h->other, "other", h->other_at, h->chunk.positions);
    emit_epilogue(b);
    for (int64_t i = 0; i < h->whole.nodes.n; i++)
        emit_position(b, i, number(b, h->whole.position[i]));
}

/* Two chunks, joined, are what packing all at once makes; false if they cannot be. */
static bool join_type(const struct level_type *type, uint64_t *seed)
{
    struct context *cx = context_new();
    struct halves h;
    struct bench b;
    halve(&h, type, seed);
    struct sample made = h.whole;
    memset(made.level.array, 0, sizeof made.level.array);
    made.nodes.parent = made.parent;
    made.nodes.coordinate = made.coordinate;
    if (!context_protect(cx))
        fail_msg("%s: %s", type->name, cx->bug ? cx->bug : "no memory");
    open_bench(&b, cx, &made, true, seed);
    bool joins = take_scalar(&b, &h.chunk, &h.other);
    if (joins) {
        emit_joins(&b, &h);
        run_bench(&b, random_below(seed, 2));
        is_made(&b);
    }
    free_sample(&made);
    free_sample(&h.whole);
    free_sample(&h.chunk);
    free_sample(&h.other);
    context_free(cx);
    return joins;
}

static void chunks_are_joined(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (const struct level_type *const *type = registry_levels; *type; type++) {
        int joined = 0;
        for (int n = 0; n < 200 && (*type)->join; n++)
            joined += join_type(*type, &seed);
        bool assembled = (*type)->append_coordinate || (*type)->size;
        assert_true((*type)->join ? joined > 20 : (*type)->place == LEVEL_FIRST || !assembled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_assembled),
        cmocka_unit_test(chunks_are_joined),
    };
    return cmocka_run_group_tests_name("level assembly", tests, NULL, NULL);
}
