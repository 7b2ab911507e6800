/* generate.h - tensors that are made up: what recipes such as @random(1) stand for.
 *
 *     @ones                       every component is 1
 *     @index                      0, 1, 2, ... in row-major order, whatever the format
 *     @constant(VALUE)            every component is that: a value of the tensor's type
 *     @random(SEED)               floats (and parts of complex values) in [0, 1), integers in [1,
 *                                 9], bools true
 *     @sparse(DENSITY,SEED)       each component is there with this probability; then as @random
 *     @kronecker(SEED,STORED;P,...)       this many components, at places of a stochastic Kronecker
 *                                 graph whose initiator has these probabilities
 *     @powerlaw(SEED,STORED,EXPONENT,MODE,...)    this many; the coordinate i in a mode with a
 *                                 probability like (i + 1) ** -EXPONENT, in these modes any
 *     @irrS4d/100(SEED)           one of those, of sizes that it has by itself: a preset, here with
 *                                 a hundredth of its components
 *
 * The tensor depends on sizes, type and seed only, not on the format or the number of threads.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_GENERATE_H
#define SPCC_TENSOR_GENERATE_H

#include <stdint.h>

#include "runtime/tensor/tensor.h"

enum generator_kind {
    GENERATE_ONES,
    GENERATE_INDEX,
    GENERATE_CONSTANT,
    GENERATE_RANDOM,
    GENERATE_SPARSE,
    GENERATE_KRONECKER,
    GENERATE_POWERLAW
};

enum { GENERATE_CELLS = 256 };

struct generator {
    enum generator_kind kind;
    double density; /* GENERATE_SPARSE: in [0, 1] */
    uint64_t seed;
    struct value constant; /* GENERATE_CONSTANT */
    int64_t stored;        /* GENERATE_KRONECKER and GENERATE_POWERLAW */
    /* GENERATE_KRONECKER: the initiator's components in order, in any proportion; 0 cells: as
     * generate_places.c has it. */
    int cells;
    double cell[GENERATE_CELLS];
    /* GENERATE_POWERLAW; the modes whose coordinates are all as probable, unless they follow from
     * the sizes. */
    double exponent;
    bool says_full, full[ORDER_MAX];
};

/* Returns the order of a recipe that has sizes by itself, and these, if there is room for this
 * many; 0: it has none, or is no recipe. */
int generator_sizes(const char *text, int room, int64_t *dimension);

/* "@sparse(0.01,7)", of a tensor of that type; RT_INPUT with what is wrong. */
enum rt_status generator_parse(const char *text, enum type type, struct generator *generator,
                               struct rt_error *error);

/* Can generate_full make it?  It can if every component is there and the format stores every
 * component. */
bool generator_is_full(const struct generator *generator, const struct format *format);

/* A tensor that owns its arrays, made in place.  Fails as tensor_new_empty does. */
enum rt_status generate_full(const struct generator *generator, const struct format *format,
                             enum type type, const int64_t *dimension, struct value fill,
                             const char *name, struct tensor **tensor, struct rt_error *error);

/* The components that are there, each once, for tensor_pack; coords has been initialised with
 * order, sizes and type, and is freed by the caller also after a failure.  threads as in
 * threads_run.  Fails with DIAG_LIMIT if there are too many components, or fewer than are to be
 * stored, and for lack of memory. */
enum rt_status generate_coords(const struct generator *generator, int threads, const char *name,
                               struct coords *coords, struct rt_error *error);

#endif
