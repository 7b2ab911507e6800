/* generate.h - tensors that are made up: what @ones, @index, @random and @sparse stand for.
 *
 *     @ones                       every component is 1
 *     @index                      1, 2, 3, ... in row-major order, whatever the format
 *     @random(SEED)               floats (and parts of complex values) in (0, 1], integers in [1, 100], bools
 *     @sparse(DENSITY,SEED)       each component is there with this probability; then as @random, bools true
 *
 * A seed that is left out is 0.  The tensor depends on sizes, type and seed only, not on the format.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_GENERATE_H
#define SPCC_TENSOR_GENERATE_H

#include <stdint.h>

#include "runtime/tensor/tensor.h"

enum generator_kind { GENERATE_ONES, GENERATE_INDEX, GENERATE_RANDOM, GENERATE_SPARSE };

struct generator {
    enum generator_kind kind;
    double density;                  /* GENERATE_SPARSE: in [0, 1] */
    uint64_t seed;
};

/* "@sparse(0.01,7)"; RT_INPUT with what is wrong. */
enum rt_status generator_parse(const char *text, struct generator *generator, struct rt_error *error);

/* A tensor that owns its arrays.  Fails as tensor_pack does, and with DIAG_LIMIT if it has too many components. */
enum rt_status tensor_generate(const struct generator *generator, const struct format *format, enum type type,
                               const int64_t *dimension, struct value fill, const char *name,
                               struct tensor **tensor, struct rt_error *error);

#endif
