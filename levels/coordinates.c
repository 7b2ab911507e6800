/* coordinates.c - shared by level types that store a coordinate, or a flag, for each position.
 *
 * SPDX-License-Identifier: MIT
 */
#include "levels/coordinates.h"

bool level_refuse(struct level_fault *fault, const char *array, int64_t at, const char *why)
{
    *fault = (struct level_fault){.array = array, .at = at, .why = why};
    return false;
}

bool level_refuse_coordinate(struct level_fault *fault, int64_t at, unsigned property,
                             const char *why)
{
    level_refuse(fault, "crd", at, why);
    fault->against = property;
    return false;
}

void *level_alloc(struct level_fault *fault, enum type type, int64_t n)
{
    if (__builtin_mul_overflow(n, (int64_t)type_size(type), &fault->bytes)) {
        fault->bytes = INT64_MAX;
        return NULL;
    }
    bool allowed = !fault->allows || fault->allows((size_t)fault->bytes);
    return allowed ? index_alloc(type, n) : NULL;
}

bool level_no_memory(struct level_fault *fault)
{
    int64_t bytes = fault->bytes;
    level_refuse(fault, NULL, -1, LEVEL_NO_MEMORY);
    fault->bytes = bytes;
    return false;
}

bool coordinates_make(struct level_storage *level, int k, int64_t n, struct level_fault *fault)
{
    level->length[k] = n;
    level->array[k] = level_alloc(fault, level->format->crd, n);
    return level->array[k] || level_no_memory(fault);
}

bool coordinates_refuse(struct level_fault *fault)
{
    return level_refuse(fault, "crd", -1, "has a coordinate that its crd type does not hold");
}

bool coordinates_pack(struct level_storage *level, int k, const struct level_nodes *nodes,
                      const int64_t *position, struct level_fault *fault)
{
    return index_store_all(level->format->crd, level->array[k], position, nodes->coordinate,
                           nodes->n)
           || coordinates_refuse(fault);
}

bool distances_pack(struct level_storage *level, int k, const struct level_nodes *nodes,
                    const int64_t *position, struct level_fault *fault)
{
    for (int64_t i = 0; i < nodes->n; i++)
        if (!index_store(level->format->crd, level->array[k], position[i],
                         nodes->coordinate[i] - level->low))
            return coordinates_refuse(fault);
    return true;
}

const struct imp *coordinates_access(const struct level_code *code, int k,
                                     const struct imp *position)
{
    return imp_load(code->b->cx, code->array[k], position);
}

void coordinates_append(const struct level_code *code, int k, const struct imp *position,
                        const struct imp *coordinate)
{
    struct context *cx = code->b->cx;
    imp_add(code->b, imp_store(cx, code->array[k], position, OP_NONE,
                               imp_cast(cx, code->format->crd, coordinate)));
}

/* ---- segments ---- */

bool segments_check(const struct level_storage *level, int64_t parents, struct level_fault *fault)
{
    const enum type pos = level->format->pos;
    if (!level->array[SEGMENTS] || level->length[SEGMENTS] <= parents)
        return level_refuse(fault, "pos", -1,
                            "is shorter than one element for each parent and one more");
    if (index_load(pos, level->array[SEGMENTS], 0) != 0)
        return level_refuse(fault, "pos", 0, "where 0 is expected");
    for (int64_t p = 0; p < parents; p++)
        if (index_load(pos, level->array[SEGMENTS], p + 1)
            < index_load(pos, level->array[SEGMENTS], p))
            return level_refuse(fault, "pos", p + 1, "less than the one before it");
    return true;
}

void segments_bounds(const struct level_code *code, const struct imp **begin,
                     const struct imp **end)
{
    struct context *cx = code->b->cx;
    enum type type = level_position_type(code->format->pos);
    if (code->positions) {
        *begin = imp_int(cx, type, 0);
        *end = imp_cast(cx, type, code->positions);
        return;
    }
    *begin = imp_cast(cx, type, imp_load(cx, code->array[SEGMENTS], code->parent));
    *end = imp_cast(cx, type, imp_load(cx, code->array[SEGMENTS], code->parent_next));
}

void segments_children(const struct level_storage *level, int64_t parent, int64_t *begin,
                       int64_t *end)
{
    *begin = segments_load(level, parent);
    *end = segments_load(level, parent + 1);
}

/* ---- levels with unlabelled positions ---- */

void marked_children(const struct level_storage *level, int64_t parent, int64_t *begin,
                     int64_t *end)
{
    int64_t width = marked_width(level);
    *begin = parent * width;
    *end = *begin + width;
}

bool marked_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                       const int64_t *above, int64_t *coordinate)
{
    (void)parent;
    (void)above;
    if (marked_is_none(level, position))
        return false;
    *coordinate = level->low + coordinates_load(level, MARKED_CRD, position);
    return true;
}

const struct imp *marked_access(const struct level_code *code, const struct imp *position)
{
    return coordinates_from_distance(code, coordinates_access(code, MARKED_CRD, position));
}

void marked_clear(const struct level_code *code, const struct imp *begin, const struct imp *end)
{
    imp_add(code->b,
            imp_fill(code->b->cx, code->array[MARKED_CRD], begin, end, coordinates_mark(code)));
}

bool coordinates_check_mark(const struct level_storage *level, struct level_fault *fault)
{
    bool is_signed = index_min(level->format->crd) < 0;
    if (is_signed || level->dimension <= index_max(level->format->crd))
        return true;
    return level_refuse(fault, "crd", -1,
                        "has no number left that marks positions without a coordinate");
}

bool coordinates_check_distance(const struct level_storage *level, int k, int64_t position,
                                struct level_fault *fault)
{
    int64_t distance = coordinates_load(level, k, position);
    if (distance < 0)
        return level_refuse(fault, "crd", position, "negative");
    return distance < level->dimension
           || level_refuse(fault, "crd", position, "not below the dimension");
}

bool coordinates_make_marked(struct level_storage *level, int64_t width, int64_t parents,
                             int64_t *positions, struct level_fault *fault)
{
    enum type pos = level->format->pos, crd = level->format->crd;
    if (width > index_max(pos) || __builtin_mul_overflow(parents, width, positions))
        return level_refuse(fault, "pos", -1,
                            "has more positions below a parent than its pos type can count");
    if (!coordinates_check_mark(level, fault))
        return false;
    level->length[MARKED_WIDTH] = 1;
    level->array[MARKED_WIDTH] = level_alloc(fault, pos, 1);
    level->length[MARKED_CRD] = *positions;
    level->array[MARKED_CRD] = level_alloc(fault, crd, *positions);
    if (!level->array[MARKED_WIDTH] || !level->array[MARKED_CRD])
        return level_no_memory(fault);
    index_store(pos, level->array[MARKED_WIDTH], 0, width);
    index_store_none(crd, level->array[MARKED_CRD], 0, *positions);
    return true;
}

int64_t coordinates_room_marked(const struct level_storage *level, int64_t width, int64_t parents)
{
    struct level_fault fault;
    int64_t positions;
    bool fits = width <= index_max(level->format->pos) && coordinates_check_mark(level, &fault)
                && !__builtin_mul_overflow(parents, width, &positions);
    return fits ? positions : -1;
}

void coordinates_only_child(const struct level_storage *level, int64_t parent, int64_t *begin,
                            int64_t *end)
{
    (void)level;
    *begin = parent;
    *end = parent + 1;
}

bool coordinates_place_only_child(struct level_storage *level, const struct level_nodes *nodes,
                                  int64_t *position, struct level_fault *fault)
{
    (void)level;
    for (int64_t i = 0; i < nodes->n; i++) {
        if (i > 0 ? nodes->parent[i] == nodes->parent[i - 1] : nodes->more)
            return level_refuse(fault, NULL, nodes->parent[i],
                                "holds one coordinate below a parent, and there are more");
        position[i] = nodes->parent[i];
    }
    return true;
}

int64_t coordinates_room_of_parents(const struct level_storage *level,
                                    const struct level_amount *amount)
{
    (void)level;
    return amount->parents;
}

bool coordinates_check_width(const struct level_storage *level, int64_t parents, int64_t *positions,
                             struct level_fault *fault)
{
    if (!level->array[MARKED_WIDTH] || level->length[MARKED_WIDTH] < 1)
        return level_refuse(fault, "width", -1, "is missing");
    int64_t width = marked_width(level);
    if (width < 0)
        return level_refuse(fault, "width", 0, "negative");
    if (__builtin_mul_overflow(parents, width, positions) || *positions > level->length[MARKED_CRD])
        return level_refuse(fault, "crd", -1, "is shorter than width elements for each parent");
    if (*positions > 0 && !level->array[MARKED_CRD])
        return level_refuse(fault, "crd", -1, "is missing");
    return coordinates_check_mark(level, fault);
}

const struct imp *coordinates_mark(const struct level_code *code)
{
    struct context *cx = code->b->cx;
    return imp_cast(cx, code->format->crd, imp_i64(cx, -1));
}

const struct imp *coordinates_distance(const struct level_code *code, const struct imp *coordinate)
{
    return code->low ? imp_op2(code->b->cx, OP_SUB, coordinate, code->low) : coordinate;
}

const struct imp *coordinates_from_distance(const struct level_code *code,
                                            const struct imp *distance)
{
    struct context *cx = code->b->cx;
    return code->low ? imp_op2(cx, OP_ADD, imp_cast(cx, code->coordinates, distance), code->low)
                     : distance;
}

static void fail_beyond(const struct level_code *code, const struct imp *number, int64_t most)
{
    struct context *cx = code->b->cx;
    const struct imp *beyond =
        imp_op2(cx, OP_GT, imp_cast(cx, TYPE_I64, number), imp_i64(cx, most));
    imp_add(code->b, imp_if(cx, beyond, imp_fail(cx, STATUS_TOO_LARGE), NULL));
}

void coordinates_check_mark_fits(const struct level_code *code)
{
    enum type crd = code->format->crd;
    if (index_min(crd) == 0 && index_max(crd) < index_max(code->coordinates))
        fail_beyond(code, code->dimension, index_max(crd));
}

const struct imp *coordinates_check_width_fits(const struct level_code *code,
                                               const struct imp *width)
{
    coordinates_check_mark_fits(code);
    if (index_max(code->format->pos) < INT64_MAX)
        fail_beyond(code, width, index_max(code->format->pos));
    return width;
}

const struct imp *coordinates_count(const struct level_code *code, const struct imp_var *next,
                                    const struct imp *at, bool wraps)
{
    static const enum type no_sign[] = {[1] = TYPE_U8, [2] = TYPE_U16, [4] = TYPE_U32};
    struct context *cx = code->b->cx;
    const struct imp *count = imp_load(cx, next, at);
    size_t size = type_size(next->type);
    return imp_cast(cx, TYPE_I64, wraps && size < 8 ? imp_cast(cx, no_sign[size], count) : count);
}

void coordinates_check_fits(const struct level_code *code, const struct imp *positions)
{
    if (index_max(code->format->pos) < INT64_MAX)
        fail_beyond(code, positions, index_max(code->format->pos));
}

void coordinates_join(const struct level_code *code, const struct level_code *chunk,
                      const struct level_joint *joint)
{
    for (int k = 0; k < LEVEL_ARRAYS; k++) {
        enum level_array_kind kind = code->format->type->array[k].kind;
        if (kind == LEVEL_COORDINATES || kind == LEVEL_FLAGS)
            imp_add(code->b, imp_copy(code->b->cx, code->array[k], joint->position_at,
                                      chunk->array[k], joint->position_from, joint->positions));
    }
}

const struct imp *coordinates_segment(const struct level_code *code, const struct imp *parent)
{
    struct context *cx = code->b->cx;
    return imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, parent),
                   imp_cast(cx, TYPE_I64, imp_read(cx, code->scalar)));
}

/* ---- flags ---- */

bool flags_check(const struct level_storage *level, int k, int64_t positions,
                 struct level_fault *fault)
{
    if (level->length[k] < positions || (positions > 0 && !level->array[k]))
        return level_refuse(fault, "map", -1, "is shorter than one flag for each position");
    for (int64_t p = 0; p < positions; p++)
        if (((const unsigned char *)level->array[k])[p] > 1)
            return level_refuse(fault, "map", p, "neither 0 nor 1");
    return true;
}

bool flags_make(struct level_storage *level, int k, int64_t positions, struct level_fault *fault)
{
    level->length[k] = positions;
    level->array[k] = level_alloc(fault, TYPE_BOOL, positions);
    if (!level->array[k])
        return level_no_memory(fault);
    if (positions > 0)
        memset(level->array[k], 0, (size_t)positions);
    return true;
}

void flags_clear(const struct level_code *code, int k, const struct imp *begin,
                 const struct imp *end)
{
    struct context *cx = code->b->cx;
    imp_add(code->b, imp_fill(cx, code->array[k], begin, end, imp_int(cx, TYPE_BOOL, 0)));
}
