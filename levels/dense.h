/* dense.h - what dense lends to level types that compute positions as it does.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LEVELS_DENSE_H
#define SPCC_LEVELS_DENSE_H

#include "compiler/level_code.h"

/* Its functions, as compiler/level.h has them. */
bool dense_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                 struct level_fault *fault);
void dense_children(const struct level_storage *level, int64_t parent, int64_t *begin,
                    int64_t *end);
bool dense_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                      const int64_t *above, int64_t *coordinate);
int64_t dense_room(const struct level_storage *level, const struct level_amount *amount);
bool dense_pack_begin(struct level_storage *level, const struct level_amount *amount,
                      int64_t *positions, struct level_fault *fault);
bool dense_pack_place(struct level_storage *level, const struct level_nodes *nodes,
                      int64_t *position, struct level_fault *fault);
const struct imp *dense_locate(const struct level_code *code, const struct imp *coordinate,
                               const struct imp **found);
const struct imp *dense_size(const struct level_code *code, const struct imp *parents);

#endif
