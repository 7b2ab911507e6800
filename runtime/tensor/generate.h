/* generate.h - tensors that are made up: what @ones, @index, @constant, @random and @sparse stand
 * for.
 *
 *     @ones                       every component is 1
 *     @index                      0, 1, 2, ... in row-major order, whatever the format
 *     @constant(VALUE)            every component is that: a value of the tensor's type
 *     @random(SEED)               floats (and parts of complex values) in [0, 1), integers in [1,
 *                                 9], bools true
 *     @sparse(DENSITY,SEED)       each component is there with this probability; then as @random
 *
 * The tensor depends on sizes, type and seed only, not on the format.
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
    GENERATE_SPARSE
};

struct generator {
    enum generator_kind kind;
    double density; /* GENERATE_SPARSE: in [0, 1] */
    uint64_t seed;
    struct value constant; /* GENERATE_CONSTANT */
};

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

/* The components that are there, in row-major order, for tensor_pack; coords has been initialised
 * with order, sizes and type, and is freed by the caller also after a failure.  Fails with
 * DIAG_LIMIT if there are too many components, and for lack of memory. */
enum rt_status generate_coords(const struct generator *generator, const char *name,
                               struct coords *coords, struct rt_error *error);

#endif
