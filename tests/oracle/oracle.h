/* oracle.h - the dense oracle: what a statement means, worked out the slow and obvious way.
 *
 * Every component of the result is evaluated by itself, straight from the parsed statement, on
 * dense arrays.  Only the parser is shared with the compiler; the Einstein rule, the types, the
 * arithmetic and what is structural are the oracle's own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_ORACLE_ORACLE_H
#define SPCC_ORACLE_ORACLE_H

#include "compiler/notation/notation.h"
#include "tests/oracle/number.h"

/* What the oracle has to know of a level: what it stores of the coordinates, and whether it
 * leaves none out. */
struct oracle_level {
    const struct map_expr *map;
    bool full;
};

struct oracle_tensor {
    const char *name;
    enum type type;
    int order;
    const int64_t *dimension; /* of each mode */
    struct value fill;
    /* dense, row-major; of the result: what it holds before */
    const struct value *component;
    int levels;
    const struct oracle_level *level;
    /* stored coordinates, `order` numbers each, by mode */
    int64_t entries;
    const int64_t *coordinate;
    /* of a tensor in parts, which stores what one of them does: their levels and coordinates */
    const struct oracle_tensor *part;
    int parts;
};

/* Has the component to be stored where the result's format leaves components out?
 *   ABSENT  no: with absent operands replaced by their fills the expression folds to the result's
 *   fill STORED  yes
 *   MAYBE   either: folding it takes more than the operators' algebra, or loops over the operands'
 *           hierarchies pass by the component although nothing is stored there (an empty row of
 *           a CSR matrix) */
enum oracle_pattern { ORACLE_ABSENT, ORACLE_MAYBE, ORACLE_STORED };

struct oracle_component {
    struct number number;
    enum oracle_pattern pattern;
};

struct oracle_result {
    const char *refusal; /* NULL, or why the statement means nothing */
    int64_t components;
    struct oracle_component *at; /* row-major; in the context's arena */
};

/* tensor[0] is the result.  Every tensor that the statement names must be there; sizes are those
 * that are declared. */
struct oracle_input {
    const struct oracle_tensor *tensor;
    int tensors;
    const struct tin_size *size;
    int sizes;
};

struct oracle_result oracle_evaluate(struct context *cx, const struct tin *statement,
                                     const struct oracle_input *input);

/* What a level stores at these coordinates; false if that depends on one that is open
 * (negative). */
bool oracle_level_value(const struct oracle_level *level, const int64_t *coordinate,
                        int64_t *value);

/* How many levels it takes to leave components out: what is below them is there for all or none. */
int oracle_leading_levels(const struct oracle_tensor *tensor);

/* Do two components agree in so many levels? */
bool oracle_agrees(const struct oracle_tensor *tensor, int levels, const int64_t *a,
                   const int64_t *b);

/* Number of components of a tensor, and the place of coordinates among them, row-major. */
int64_t oracle_components(const struct oracle_tensor *tensor);
int64_t oracle_place(const struct oracle_tensor *tensor, const int64_t *coordinate);

#endif
