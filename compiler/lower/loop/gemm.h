/* gemm.h - loops that are a library's matrix product.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_LOOP_GEMM_H
#define SPCC_LOWER_LOOP_GEMM_H

#include "compiler/lower/loop/forall.h"

/* Emits the call in place of the loops at the scope's place; false: they are none of a product. */
bool lower_gemm(struct kernel *k, const struct scope *scope);

#endif
