/* coordinates.h - what the level types share that store a coordinate, or a flag, for each position.
 *
 * k is the array's place among the level type's arrays.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LEVELS_COORDINATES_H
#define SPCC_LEVELS_COORDINATES_H

#include "compiler/format/index_array.h"
#include "compiler/level_code.h"

/* Sets the fault, and returns false. */
bool level_refuse(struct level_fault *fault, const char *array, int64_t at, const char *why);

/* Of the coordinate at a position: it goes against that property of the level. */
bool level_refuse_coordinate(struct level_fault *fault, int64_t at, unsigned property,
                             const char *why);

/* An array of a level that is packed, of the memory that fault speaks of; level_no_memory after
 * NULL, which returns false. */
void *level_alloc(struct level_fault *fault, enum type type, int64_t n);
bool level_no_memory(struct level_fault *fault);

static inline int64_t coordinates_load(const struct level_storage *level, int k, int64_t position)
{
    return index_load(level->format->crd, level->array[k], position);
}

/* Is the coordinate found at this position in range? */
static inline bool coordinates_check(const struct level_storage *level, int64_t position,
                                     int64_t coordinate, struct level_fault *fault)
{
    if (coordinate < level->low)
        return level_refuse(fault, "crd", position,
                            level->low < 0 ? "below the least difference" : "negative");
    if (coordinate - level->low < level->dimension)
        return true;
    return level_refuse(fault, "crd", position,
                        level->low < 0 ? "beyond the largest difference"
                                       : "not below the dimension");
}

/* Segments, in the level's first array: does it begin with 0, ascend, and have one element more
 * than there are parents?  Then as compiler/level.h has them. */
enum { SEGMENTS };
bool segments_check(const struct level_storage *level, int64_t parents, struct level_fault *fault);
void segments_children(const struct level_storage *level, int64_t parent, int64_t *begin,
                       int64_t *end);
void segments_bounds(const struct level_code *code, const struct imp **begin,
                     const struct imp **end);

static inline int64_t segments_load(const struct level_storage *level, int64_t parent)
{
    return index_load(level->format->pos, level->array[SEGMENTS], parent);
}

/* Levels with unlabelled positions.  Their arrays are one number, this many positions below each
 * parent, and crd.  There a coordinate is stored as its distance from the level's low, so that no
 * difference is taken for the mark of such a position. */
enum { MARKED_WIDTH, MARKED_CRD };

static inline int64_t marked_width(const struct level_storage *level)
{
    return index_load(level->format->pos, level->array[MARKED_WIDTH], 0);
}

static inline bool marked_is_none(const struct level_storage *level, int64_t position)
{
    return index_is_none(level->format->crd, level->array[MARKED_CRD], position);
}

/* As compiler/level.h has them. */
void marked_children(const struct level_storage *level, int64_t parent, int64_t *begin,
                     int64_t *end);
bool marked_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                       const int64_t *above, int64_t *coordinate);
const struct imp *marked_access(const struct level_code *code, const struct imp *position);
void marked_clear(const struct level_code *code, const struct imp *begin, const struct imp *end);

/* Does the crd type tell the last coordinate from the mark? */
bool coordinates_check_mark(const struct level_storage *level, struct level_fault *fault);
/* The distance stored at this position is below the dimension. */
bool coordinates_check_distance(const struct level_storage *level, int k, int64_t position,
                                struct level_fault *fault);
/* Both arrays, with that many positions below each parent, all of them unlabelled. */
bool coordinates_make_marked(struct level_storage *level, int64_t width, int64_t parents,
                             int64_t *positions, struct level_fault *fault);
/* As compiler/level.h has them: of a level with one child for each parent. */
void coordinates_only_child(const struct level_storage *level, int64_t parent, int64_t *begin,
                            int64_t *end);
bool coordinates_place_only_child(struct level_storage *level, const struct level_nodes *nodes,
                                  int64_t *position, struct level_fault *fault);
/* As compiler/level.h has it: of a level with unlabelled positions; of one with one child for each
 * parent. */
int64_t coordinates_room_marked(const struct level_storage *level, int64_t width, int64_t parents);
int64_t coordinates_room_of_parents(const struct level_storage *level,
                                    const struct level_amount *amount);
/* Are both arrays there, and long enough below parents? */
bool coordinates_check_width(const struct level_storage *level, int64_t parents, int64_t *positions,
                             struct level_fault *fault);

/* In code: (T)-1; the distance of a coordinate from low and back; parent * width. */
const struct imp *coordinates_mark(const struct level_code *code);
const struct imp *coordinates_distance(const struct level_code *code, const struct imp *coordinate);
const struct imp *coordinates_from_distance(const struct level_code *code,
                                            const struct imp *distance);
const struct imp *coordinates_segment(const struct level_code *code, const struct imp *parent);

/* Returns the width, after refusing at run time one that the pos type does not hold, and what
 * coordinates_check_mark refuses. */
const struct imp *coordinates_check_width_fits(const struct level_code *code,
                                               const struct imp *width);

/* Fail at run time if the crd type does not tell the last coordinate from the mark. */
void coordinates_check_mark_fits(const struct level_code *code);

/* Returns what scan is given at that place, as i64. A count may be one more than its type says: as
 * many as there are coordinates. */
const struct imp *coordinates_count(const struct level_code *code, const struct imp_var *next,
                                    const struct imp *at, bool wraps);

/* Fail at run time if there are more positions (i64) than the pos type can say. */
void coordinates_check_fits(const struct level_code *code, const struct imp *positions);

/* join, but for segments: what is stored for each position. */
void coordinates_join(const struct level_code *code, const struct level_code *chunk,
                      const struct level_joint *joint);

/* Flags in array k: are there this many, and each 0 or 1?  As many that are not set.  In code:
 * unset those of positions. */
bool flags_check(const struct level_storage *level, int k, int64_t positions,
                 struct level_fault *fault);
bool flags_make(struct level_storage *level, int k, int64_t positions, struct level_fault *fault);
void flags_clear(const struct level_code *code, int k, const struct imp *begin,
                 const struct imp *end);

static inline bool flags_is_set(const struct level_storage *level, int k, int64_t position)
{
    return ((const bool *)level->array[k])[position];
}

/* Packing: make the array, for n coordinates; store those of nodes; false because one does not fit,
 * the fault set. */
bool coordinates_make(struct level_storage *level, int k, int64_t n, struct level_fault *fault);
bool coordinates_pack(struct level_storage *level, int k, const struct level_nodes *nodes,
                      const int64_t *position, struct level_fault *fault);
/* ... their distances from low. */
bool distances_pack(struct level_storage *level, int k, const struct level_nodes *nodes,
                    const int64_t *position, struct level_fault *fault);
bool coordinates_refuse(struct level_fault *fault);

const struct imp *coordinates_access(const struct level_code *code, int k,
                                     const struct imp *position);

void coordinates_append(const struct level_code *code, int k, const struct imp *position,
                        const struct imp *coordinate);

#endif
