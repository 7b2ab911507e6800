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
    /* every coordinate that there can be below a parent is there */
    LEVEL_FULL = 1,
    LEVEL_ORDERED = 2,    /* siblings come in non-decreasing order of coordinates */
    LEVEL_UNIQUE = 4,     /* no two siblings have the same coordinate */
    LEVEL_BRANCHLESS = 8, /* every parent has exactly one child */
    LEVEL_COMPACT = 16,   /* no unlabelled positions between siblings */
    /* Of the first level, without LEVEL_ORDERED, and of branchless levels below it: siblings come
     * in the order of their coordinates' bits, taken in turns (Morton), the first level's first.
     * With LEVEL_ORDERED, in a list that is a workspace, those that are alike come together. */
    LEVEL_MORTON = 32,
};

enum { LEVEL_ARRAYS = 3 };

/* What one of a level's arrays holds; element type and length follow (level_array_type,
 * level_array_length). */
enum level_array_kind {
    LEVEL_NO_ARRAY,
    LEVEL_POSITIONS,   /* of the format's pos type, parents + 1 */
    LEVEL_COORDINATES, /* of the format's crd type, one for each position */
    LEVEL_FLAGS,       /* bool, one for each position */
    /* of the format's pos type, one in all: code sees it as level_code.scalar */
    LEVEL_SCALAR,
};

/* Where a level of the type may stand. */
enum level_place {
    LEVEL_ANYWHERE,
    LEVEL_FIRST,        /* it is the first */
    LEVEL_BELOW_UNIQUE, /* the first, or below a level that is unique */
    /* stores a mode i, directly below a level that stores j-i */
    LEVEL_BELOW_DIFFERENCE,
    /* stores a mode j, directly below one that stores i, directly below one of j-i */
    LEVEL_BELOW_BOTH,
    /* the first, or below another of this place; nothing else is below it */
    LEVEL_BELOW_STRIDES,
};

/* How many children a level stores below each parent. */
enum level_children {
    LEVEL_SOME, /* as many as the tensor has there */
    LEVEL_ALL,  /* every coordinate that there can be */
    /* one; below a parent that is there more than once one for each time */
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
    /* coordinates are in [low, low + dimension); low: 0 but for differences */
    int64_t low, dimension;
    /* as in level_type.array; elements of the format's pos or crd type */
    void *array[LEVEL_ARRAYS];
    int64_t length[LEVEL_ARRAYS]; /* elements in each */
};

/* Where a check failed: array and element in it, and why ("is less than the one before it"). */
struct level_fault {
    const char *array;
    int64_t at;
    const char *why;
    unsigned against; /* the property that the level has and its coordinates have not; 0: none */
    /* given to pack_begin: may one array take so many bytes?  NULL: any number */
    bool (*allows)(size_t bytes);
    /* and NULL, or memory from malloc for an array with an element of 32 bits at most for each
     * node, which is to be written in the order of the nodes and not beyond those that are given:
     * who takes it sets it to NULL */
    void **for_nodes;
    int64_t bytes; /* of the array for which there is no memory */
};

/* Nodes of a level to be packed, sorted by parent and then by coordinate; n of them, or so many of
 * them that follow each other. */
struct level_nodes {
    int64_t n;
    const int64_t *parent; /* position in the level above, below parents */
    const int64_t *coordinate;
    int64_t parents; /* positions in the level above */
    int64_t first;   /* how many nodes the level has before these */
    bool more;       /* the one before these has the same parent as the first of them */
    int64_t before;  /* if so: its position, as far as the level is packed together */
};

/* How much a level is to hold. */
struct level_amount {
    int64_t parents, nodes;
    int64_t most; /* so many of the nodes are below one parent at most */
    /* How often a coordinate comes below one parent at most: of each parent, where the level's type
     * counts rounds and arrays are made, and in all. */
    const int64_t *rounds_of;
    int64_t rounds;
};

/* A chunk of a level: how many parents and positions it has, from which on in its arrays; from
 * which on they go into those of the whole.  All are i64; positions fit the pos type. */
struct level_joint {
    const struct imp *parents, *parent_from, *parent_at;
    const struct imp *positions, *position_from, *position_at;
};

struct level_type {
    const char *name;    /* "compressed" */
    char letter;         /* 's' */
    const char *brief;   /* one line for `spcc help formats` */
    unsigned properties; /* unless configured otherwise */
    /* those that a format may drop: LEVEL_ORDERED, LEVEL_UNIQUE */
    unsigned configurable;
    /* A second letter for one configuration ('u': compressed without LEVEL_UNIQUE), or 0. */
    char variant_letter;
    unsigned variant_drops;
    enum level_place place;
    enum level_children stored;
    /* going through the children is to go through every coordinate that there can be */
    bool walks_all;
    /* The positions below a parent come in rounds: each has every coordinate once, in order. */
    bool in_rounds;
    /* A format may bound how many children a parent has; what it has more is below another with the
     * same coordinates. */
    bool may_split;
    /* Of a level that is full: the type with the same places that says which of them hold a
     * component.  NULL: there is none. */
    const struct level_type *with_flags;
    struct level_array array[LEVEL_ARRAYS];

    /* ---- storage functions ---- */

    /* Are the arrays valid below parents positions?  In O(size).  Gives the number of this
     * level's positions. */
    bool (*check)(const struct level_storage *level, int64_t parents, int64_t *positions,
                  struct level_fault *fault);
    /* The positions [begin, end) of the children of a parent position. */
    void (*children)(const struct level_storage *level, int64_t parent, int64_t *begin,
                     int64_t *end);
    /* The coordinate at a position below that parent; false if none is there (an unlabelled
     * position).  above points past the coordinates of the levels above: above[-1] is the
     * parent's. */
    bool (*coordinate)(const struct level_storage *level, int64_t parent, int64_t position,
                       const int64_t *above, int64_t *coordinate);
    /* Where values lie that are not at their positions: at the sum of what the levels say, none of
     * which is negative.  NULL: at their positions. */
    int64_t (*value_at)(const struct level_storage *level, int64_t coordinate);
    /* Packing: the arrays are made, and then filled in parts, of which several threads may do one
     * each.  All of it is false with fault->why set if the level cannot hold the nodes (two
     * children below a singleton's parent, a position beyond the pos type; "no memory"). */

    /* Make the arrays (malloc) for so much.  Each element of them that pack_edges and pack_nodes do
     * not set is set. */
    bool (*pack_begin)(struct level_storage *level, const struct level_amount *amount,
                       int64_t *positions, struct level_fault *fault);
    /* Each node's position.  It follows from parent, coordinate and number, and grows with the
     * nodes, unless the level is packed together. */
    bool (*pack_place)(struct level_storage *level, const struct level_nodes *nodes,
                       int64_t *position, struct level_fault *fault);
    /* Store the nodes, which have these positions.  NULL: there is nothing to store. */
    bool (*pack_nodes)(struct level_storage *level, const struct level_nodes *nodes,
                       const int64_t *position, struct level_fault *fault);
    /* The parents between `after` and `until` have no children, and those of `until` begin with
     * node number `at`.  Called where a part of the nodes begins, with the parent of the last node
     * before it (-1: there is none), and at the end (`until` is then the number of parents).  NULL:
     * that is of no interest. */
    bool (*pack_edges)(struct level_storage *level, int64_t after, int64_t until, int64_t at,
                       struct level_fault *fault);
    /* At last: so many positions of the last level are below each of this one's.  NULL: that is of
     * no interest. */
    bool (*pack_end)(struct level_storage *level, int64_t below, struct level_fault *fault);
    /* The children of one parent are in one part, and positions are known, in whatever order, only
     * when pack_place has stored what is before. */
    bool packed_together;
    /* pack_begin and room go by how often coordinates come. */
    bool counts_rounds;

    /* How many positions pack_begin makes of so much; -1 if the level cannot hold it.  The arrays
     * are NULL. */
    int64_t (*room)(const struct level_storage *level, const struct level_amount *amount);

    /* ---- code functions: operands ----
     * Thesis tables 2-13 and 2-14; see compiler/level_code.h. */

    /* Position iterate: the first position and one past the last below the parent positions. */
    void (*bounds)(const struct level_code *code, const struct imp **begin, const struct imp **end);
    /* The coordinate at a position. */
    const struct imp *(*access)(const struct level_code *code, const struct imp *position);
    /* From a position to the parent's, by arithmetic.  NULL: an array of segments has it, or
     * nothing. */
    const struct imp *(*parent_of)(const struct level_code *code, const struct imp *position);
    /* ... and to the coordinate there, of a level without access. */
    const struct imp *(*coordinate_of)(const struct level_code *code, const struct imp *position);
    /* Is there a coordinate at a position?  NULL: at every one that bounds spans. */
    const struct imp *(*occupied)(const struct level_code *code, const struct imp *position);
    /* bounds and access walk a list of coordinates; where one is, locate says. */
    bool lists;
    /* ... the type with the same list, whose places are found by hashing, so that there are none
     * for what is not stored; it has as many arrays, in this order.  NULL: there is none. */
    const struct level_type *in_table;
    /* Locate: the position of a coordinate, by arithmetic or search.  *found is NULL if it is
     * always there, else a condition; the position is valid only where it holds. */
    const struct imp *(*locate)(const struct level_code *code, const struct imp *coordinate,
                                const struct imp **found);
    bool locates_fast; /* in O(1) */
    /* Seek: of the positions [from, end) that bounds spans, where the level is ordered, the first
     * whose coordinate is not below the least; end if there is none.  In O(log) of how far that is.
     * NULL: the positions are gone through one by one. */
    const struct imp *(*seek)(const struct level_code *code, const struct imp *from,
                              const struct imp *end, const struct imp *least);

    /* ---- code functions: results ---- */

    /* Insert, in any order: the level has size(parents) positions. */
    const struct imp *(*size)(const struct level_code *code, const struct imp *parents);
    /* Store a coordinate, if it is not there yet, and give its position; turn is how many siblings
     * were stored before. NULL: nothing is stored and locate gives the position. */
    const struct imp *(*insert)(const struct level_code *code, const struct imp *coordinate,
                                const struct imp *turn);
    /* insert reads turn, and wants each coordinate once, in order */
    bool takes_turns;
    /* Leave the positions [begin, end) without coordinates, before the first is inserted; the
     * scalar is set already. */
    void (*clear)(const struct level_code *code, const struct imp *begin, const struct imp *end);
    /* The level's scalar, which size and insert go by, for at most `most` (i64) children below a
     * parent.  NULL: size follows from the dimension. */
    const struct imp *(*width)(const struct level_code *code, const struct imp *most);
    /* Is a parent with so many children full, so that the width has to be doubled before the next
     * is inserted?  NULL: how many there will be has to be known before. */
    const struct imp *(*is_full)(const struct level_code *code, const struct imp *children);

    /* Append: the children of one parent follow those of the one before.  append_begin comes
     * first; then, for each parent in turn, append_coordinate stores each of its children at the
     * next position, and append_edges says that they end before `end`.  append_none: the parents
     * [begin, end) have none, and so many positions are before them.  A level that is branchless
     * has append_coordinate alone: its one child is at the parent's position. */
    void (*append_begin)(const struct level_code *code);
    void (*append_coordinate)(const struct level_code *code, const struct imp *position,
                              const struct imp *coordinate);
    void (*append_edges)(const struct level_code *code, const struct imp *parent,
                         const struct imp *end);
    void (*append_none)(const struct level_code *code, const struct imp *begin,
                        const struct imp *end, const struct imp *at);

    /* Scan: the children come in any order of their parents, and have been counted, those of each
     * parent, or, in rounds, of each coordinate below each parent (edge insertion: thesis 2.3;
     * Chou, Kjolstad, Amarasinghe, PLDI 2020).  next has the counts, of so many parents (i64);
     * where the first of them goes is put in their place.  Segments are stored, and the number of
     * positions is given.  fits: there cannot be more than positions can count, which need not be
     * looked at. */
    const struct imp *(*scan)(const struct level_code *code, const struct imp *parents,
                              const struct imp_var *next, bool fits);

    /* Join: a chunk, the same level made apart, by whichever way, with the same scalar, becomes a
     * part of the whole.  A parent may be the last of one chunk and the first of the next where its
     * level appends: its children are those of both.  The chunk's arrays may be the whole's, in
     * which it then moves down, to where nothing is that is needed.  code->has_ends: where segments
     * end is stored already.  NULL: there is no such chunk, the level has one parent. */
    void (*join)(const struct level_code *code, const struct level_code *chunk,
                 const struct level_joint *joint);
};

/* The level type of this name; NULL: none. */
const struct level_type *level_type_find(const struct level_type *const *levels, const char *name,
                                         size_t n);

/* The level type that the letter stands for below that level, NULL for the root; drops is set to
 * what a variant letter drops.  Of two types with one letter it is the one that may stand there: c
 * is padded, and where that cannot be, below a level that is not unique, singleton(nonunique),
 * as taco has it.  NULL: none. */
const struct level_type *level_type_of_letter(const struct level_type *const *levels, char letter,
                                              const struct level_format *above, unsigned *drops);

#endif
