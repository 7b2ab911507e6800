/* packed.h - finds kernels in packs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_PACKED_H
#define SPCC_API_PACKED_H

#include "compiler/pipeline.h"
#include "runtime/api/api.h"
#include "runtime/jit/jit.h"

/* Makes the names of a request ranks: T0, T1, ... and i0, i1, ..., if all that has names can be
 * renamed.  False if the statement is wrong, which the compiler reports. */
bool packed_rank(struct context *cx, struct pipeline_request *request);

/* Makes a hash of the request.  False if the statement is wrong, which the compiler reports. */
bool packed_request(struct context *cx, const struct pipeline_request *request,
                    unsigned char hash[SHA256_SIZE]);

/* Makes the request that of a pack, which knows no tensors' sizes. */
void packed_settle(struct pipeline_request *request, const struct target *target);

/* Looks for the request's kernel in the context's packs.  If one has it, the request becomes the
 * one that the kernel was compiled from, with names by rank. */
void packed_find(struct spcc_context *api, struct context *cx, struct pipeline_request *request,
                 struct jit_packed *packed);

/* Returns why no kernel was found, if the user should know: packs were passed over, or have it for
 * other processors; else NULL. */
const char *packed_trouble(struct spcc_context *api, struct context *cx,
                           const struct jit_packed *packed);

/* Returns a text about the packs; NULL after an error that says why there are none. */
const char *packed_describe(struct context *cx, const struct packs *packs);

#endif
