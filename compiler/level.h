/* level.h - the interface of level types (thesis 2.3).
 *
 * A level type is one const table in levels/: its name, properties, arrays, capabilities.  A
 * capability that it does not have is NULL.  The compiler knows level types through this header
 * only; compiler/registry.c lists them.
 *
 * Storage functions work on arrays in memory and serve the runtime: they check, pack and walk.
 * Code functions append imperative statements to a builder and return expressions; they serve
 * compiler/lower.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LEVEL_H
#define SPCC_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct level_format;
struct level_code;
struct imp;
struct imp_var;

/* Properties (thesis 2.3, table 2-11). */
enum level_property {
    /* below each parent, every possible coordinate is present */
    LEVEL_FULL = 1,
    LEVEL_ORDERED = 2,    /* siblings come in non-decreasing order of coordinates */
    LEVEL_UNIQUE = 4,     /* no two siblings have the same coordinate */
    LEVEL_BRANCHLESS = 8, /* every parent has exactly one child */
    LEVEL_COMPACT = 16,   /* every position between siblings has a coordinate */
    /* Of the first level, without LEVEL_ORDERED, and of the branchless levels below it: siblings
     * come in Morton order, that is by the bits of their coordinates taken in turns, the first
     * level's bit first.  With LEVEL_ORDERED, of a list that is a workspace: components with equal
     * coordinates are adjacent. */
    LEVEL_MORTON = 32,
};

enum { LEVEL_ARRAYS = 3 };

/* The content of one of a level's arrays.  The element type and the length follow from it
 * (level_array_type, level_array_length). */
enum level_array_kind {
    LEVEL_NO_ARRAY,
    LEVEL_POSITIONS,   /* of the format's pos type, parents + 1 */
    LEVEL_COORDINATES, /* of the format's crd type, one for each position */
    LEVEL_FLAGS,       /* bool, one for each position */
    /* a single number of the format's pos type, level_code.scalar to code functions */
    LEVEL_SCALAR,
};

/* Where a level of the type may stand in a format. */
enum level_place {
    LEVEL_ANYWHERE,
    LEVEL_FIRST,        /* as the first level */
    LEVEL_BELOW_UNIQUE, /* as the first level, or below a unique level */
    /* storing a mode i, directly below a level that stores j-i */
    LEVEL_BELOW_DIFFERENCE,
    /* storing a mode j, directly below a level that stores i, directly below one that stores j-i */
    LEVEL_BELOW_BOTH,
    /* as the first level, or below another level of this place; below it there are only such
     * levels */
    LEVEL_BELOW_STRIDES,
};

/* How many children a level stores below each parent. */
enum level_children {
    LEVEL_SOME, /* those that the tensor has */
    LEVEL_ALL,  /* every possible coordinate */
    /* one; if the parent stands for several components, one for each of them */
    LEVEL_ONE,
};

struct level_array {
    const char *name; /* as in A2_pos */
    enum level_array_kind kind;
    const char *meaning; /* one line for the documentation of a kernel's parameter */
};

/* One level of a tensor in memory. */
struct level_storage {
    const struct level_format *format;
    /* coordinates are in [low, low + dimension); low is 0 except for differences */
    int64_t low, dimension;
    /* in the order of level_type.array; elements have the format's pos or crd type */
    void *array[LEVEL_ARRAYS];
    int64_t length[LEVEL_ARRAYS]; /* in elements */
};

/* Why a check or packing failed: the array, the element in it, and the reason ("is less than the
 * one before it"). */
struct level_fault {
    const char *array;
    int64_t at;
    const char *why;
    unsigned against; /* the property that the level claims and its coordinates lack; 0: none */
    /* Given to pack_begin: may one array take this many bytes?  NULL: any number. */
    bool (*allows)(size_t bytes);
    /* Given to pack_begin: NULL, or memory from malloc for an array with one element of 32 bits or
     * less for each node.  A level may take it, and sets it to NULL then; it has to write the array
     * in the order of the nodes, and nothing beyond the nodes that it is given. */
    void **for_nodes;
    int64_t bytes; /* the size of the array that could not be allocated */
};

/* Nodes of a level that is packed, sorted by parent and then by coordinate: n adjacent ones. */
struct level_nodes {
    int64_t n;
    /* by node: its parent's position in the level above, less than `parents` */
    const int64_t *parent;
    const int64_t *coordinate;
    int64_t parents; /* the number of positions in the level above */
    int64_t first;   /* how many nodes of the level come before these */
    bool more;       /* the node before these has the same parent as the first of these */
    int64_t before;  /* if so: that node's position, of a level that is packed together */
};

/* What a level is to hold. */
struct level_amount {
    int64_t parents, nodes;
    int64_t most; /* the most nodes below one parent */
    /* How often a coordinate comes below one parent at most: rounds for all parents; rounds_of by
     * parent, if the level type counts rounds and arrays are made. */
    const int64_t *rounds_of;
    int64_t rounds;
};

/* What a chunk of a level has, and where it goes: it has `parents` parents, from parent_from on in
 * its own arrays, which go to parent_at in the whole; positions likewise.  All are i64; positions
 * fit the pos type. */
struct level_joint {
    const struct imp *parents, *parent_from, *parent_at;
    const struct imp *positions, *position_from, *position_at;
};

struct level_type {
    const char *name;    /* "compressed" */
    char letter;         /* 's' */
    const char *brief;   /* one line for `spcc help formats` */
    unsigned properties; /* unless configured otherwise */
    /* the properties that a format may drop: LEVEL_ORDERED, LEVEL_UNIQUE */
    unsigned configurable;
    /* A second letter for one configuration ('u': compressed without LEVEL_UNIQUE), or 0. */
    char variant_letter;
    unsigned variant_drops;
    enum level_place place;
    enum level_children stored;
    /* going through the children means going through every possible coordinate */
    bool walks_all;
    /* The positions below a parent come in rounds: each round has every coordinate once, in
     * order. */
    bool in_rounds;
    /* A format may limit the number of a parent's children.  More children go below a second parent
     * with the same coordinates. */
    bool may_split;
    /* Of a full level: the type with the same places and a flag for each that tells whether it has
     * a component; or NULL. */
    const struct level_type *with_flags;
    struct level_array array[LEVEL_ARRAYS];

    /* ---- storage functions ---- */

    /* Checks the arrays below `parents` positions, in O(size).  Gives the level's number of
     * positions. */
    bool (*check)(const struct level_storage *level, int64_t parents, int64_t *positions,
                  struct level_fault *fault);
    /* Gives the positions [begin, end) of a parent's children. */
    void (*children)(const struct level_storage *level, int64_t parent, int64_t *begin,
                     int64_t *end);
    /* Gives the coordinate at a position below that parent; false if the position has none.
     * `above` points past the coordinates of the levels above: above[-1] is the parent's. */
    bool (*coordinate)(const struct level_storage *level, int64_t parent, int64_t position,
                       const int64_t *above, int64_t *coordinate);
    /* If values do not lie at their positions: each level gives a non-negative number for a
     * coordinate, and a value lies at the sum of these numbers.  NULL: values lie at positions. */
    int64_t (*value_at)(const struct level_storage *level, int64_t coordinate);
    /* Packing: the arrays are made, and then filled in parts, of which several threads may do one
     * each.  All of it is false with fault->why set if the level cannot hold the nodes (two
     * children below a singleton's parent, a position beyond the pos type; "no memory"). */

    /* Allocates the arrays (malloc) for so much, and sets all elements that pack_edges and
     * pack_nodes do not set. */
    bool (*pack_begin)(struct level_storage *level, const struct level_amount *amount,
                       int64_t *positions, struct level_fault *fault);
    /* Gives each node's position.  It follows from parent, coordinate and number, and ascends with
     * the nodes, unless the level is packed together. */
    bool (*pack_place)(struct level_storage *level, const struct level_nodes *nodes,
                       int64_t *position, struct level_fault *fault);
    /* Stores the nodes at these positions.  NULL: there is nothing to store. */
    bool (*pack_nodes)(struct level_storage *level, const struct level_nodes *nodes,
                       const int64_t *position, struct level_fault *fault);
    /* Notes that the parents between `after` and `until` have no children, and that the children of
     * `until` begin with node number `at`.  It is called where a stretch of nodes begins, with the
     * parent of the last node before it (-1: none), and at the end, with the number of parents as
     * `until`.  NULL: there is nothing to note. */
    bool (*pack_edges)(struct level_storage *level, int64_t after, int64_t until, int64_t at,
                       struct level_fault *fault);
    /* Is told at the end how many positions of the last level are below each position of this
     * level. NULL: there is nothing to do. */
    bool (*pack_end)(struct level_storage *level, int64_t below, struct level_fault *fault);
    /* The children of a parent have to be packed in one stretch: their positions, in any order, are
     * known only when pack_place has stored those before. */
    bool packed_together;
    /* pack_begin and room need the rounds of struct level_amount. */
    bool counts_rounds;

    /* The number of positions that pack_begin would make for so much, or -1 if the level cannot
     * hold it. The level's arrays are NULL. */
    int64_t (*room)(const struct level_storage *level, const struct level_amount *amount);

    /* ---- code functions: operands ----
     * Thesis tables 2-13 and 2-14; see compiler/level_code.h. */

    /* Position iteration: the first position below the parent positions, and one past the last. */
    void (*bounds)(const struct level_code *code, const struct imp **begin, const struct imp **end);
    /* The coordinate at a position. */
    const struct imp *(*access)(const struct level_code *code, const struct imp *position);
    /* The parent's position, by arithmetic.  NULL: an array of segments tells it, or nothing
     * does. */
    const struct imp *(*parent_of)(const struct level_code *code, const struct imp *position);
    /* The coordinate at a position, by arithmetic, of a level without access. */
    const struct imp *(*coordinate_of)(const struct level_code *code, const struct imp *position);
    /* Does the position have a coordinate?  NULL: all positions that bounds spans have. */
    const struct imp *(*occupied)(const struct level_code *code, const struct imp *position);
    /* bounds and access walk a list of coordinates; locate tells the position of a coordinate */
    bool lists;
    /* Of such a type: the type that keeps the same list in a hash table, and so takes no places for
     * what is not stored.  It has the same number of arrays, in the same order.  NULL: there is
     * none. */
    const struct level_type *in_table;
    /* The position of a coordinate, by arithmetic or search.  *found is NULL if every coordinate is
     * present, else the condition that this one is; the position is valid only where that holds. */
    const struct imp *(*locate)(const struct level_code *code, const struct imp *coordinate,
                                const struct imp **found);
    bool locates_fast; /* in O(1) */
    /* Of an ordered level: the first of the positions [from, end) with a coordinate of `least` or
     * more, or end, in O(log) of the distance.  NULL: positions are searched one by one. */
    const struct imp *(*seek)(const struct level_code *code, const struct imp *from,
                              const struct imp *end, const struct imp *least);

    /* ---- code functions: results ---- */

    /* Insertion, in any order of coordinates, into a level that has size(parents) positions. */
    const struct imp *(*size)(const struct level_code *code, const struct imp *parents);
    /* Stores a coordinate unless it is present, and gives its position.  `turn` is the number of
     * siblings stored before.  NULL: nothing is stored, and locate gives the position. */
    const struct imp *(*insert)(const struct level_code *code, const struct imp *coordinate,
                                const struct imp *turn);
    /* insert reads `turn`, and is given each coordinate once, in order */
    bool takes_turns;
    /* Leaves the positions [begin, end) without coordinates, before the first insertion.  The
     * scalar is set already. */
    void (*clear)(const struct level_code *code, const struct imp *begin, const struct imp *end);
    /* The level's scalar, which size and insert use, for at most `most` (i64) children below a
     * parent. NULL: size follows from the dimension. */
    const struct imp *(*width)(const struct level_code *code, const struct imp *most);
    /* Is a parent with this many children full, so that the width has to be doubled before the next
     * insertion?  NULL: the number of children has to be known before. */
    const struct imp *(*is_full)(const struct level_code *code, const struct imp *children);

    /* Appending: the children of a parent come behind those of the parent before.  append_begin
     * comes first.  Then for each parent in turn, append_coordinate stores each of its children at
     * the next position, and append_edges stores that its children end before `end`.  append_none
     * tells that the parents [begin, end) have no children, with `at` positions before them.  A
     * branchless level has append_coordinate alone: a child is at its parent's position. */
    void (*append_begin)(const struct level_code *code);
    void (*append_coordinate)(const struct level_code *code, const struct imp *position,
                              const struct imp *coordinate);
    void (*append_edges)(const struct level_code *code, const struct imp *parent,
                         const struct imp *end);
    void (*append_none)(const struct level_code *code, const struct imp *begin,
                        const struct imp *end, const struct imp *at);

    /* Counting: children come in any order of their parents, and were counted before, by parent;
     * of a level in rounds by coordinate below each parent (edge insertion: thesis 2.3; Chou,
     * Kjolstad, Amarasinghe, PLDI 2020).  `next` has the counts for this many parents (i64).  scan
     * replaces them by the positions of their first children, stores the segments, and gives the
     * number of positions. fits: positions can certainly count that many, so nobody has to
     * check. */
    const struct imp *(*scan)(const struct level_code *code, const struct imp *parents,
                              const struct imp_var *next, bool fits);

    /* Joining: a chunk, the same level made apart in any of these ways with the same scalar,
     * becomes a part of the whole.  Where levels are appended to, a parent may be the last of a
     * chunk and the first of the next one: it has the children of both.  The chunk's arrays may be
     * the whole's: then it moves down, over what is not needed.  code->has_ends: ends of segments
     * are stored already. NULL: the level has one parent, so there are no such chunks. */
    void (*join)(const struct level_code *code, const struct level_code *chunk,
                 const struct level_joint *joint);
};

/* Returns the level type of this name, or NULL. */
const struct level_type *level_type_find(const struct level_type *const *levels, const char *name,
                                         size_t n);

/* Returns the level type that the letter stands for below the level `above` (NULL: at the root), or
 * NULL. `drops` gets the properties that a variant letter drops.  If two types have one letter, it
 * is the one that may stand there: c is padded, and below a level that is not unique, where padded
 * may not stand, singleton(nonunique), as in taco. */
const struct level_type *level_type_of_letter(const struct level_type *const *levels, char letter,
                                              const struct level_format *above, unsigned *drops);

#endif
