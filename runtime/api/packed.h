/* packed.h - kernels from packs: what is looked for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_PACKED_H
#define SPCC_API_PACKED_H

#include "compiler/pipeline.h"
#include "runtime/api/api.h"
#include "runtime/jit/jit.h"

/* The same request with names by rank: T0, T1, ... and i0, i1, ..., if only what can be renamed has
 * names.  False: the statement is wrong, which the compiler is to say. */
bool packed_rank(struct context *cx, struct pipeline_request *request);

/* A hash of what is asked for.  False: the statement is wrong, which the compiler is to say. */
bool packed_request(struct context *cx, const struct pipeline_request *request,
                    unsigned char hash[SHA256_SIZE]);

/* The request as it was made for a pack: nothing is known of the tensors' sizes. */
void packed_settle(struct pipeline_request *request, const struct target *target);

/* Look for the request's kernel in the context's packs.  If one has it, the request becomes that
 * which the kernel was compiled from, with names by rank. */
void packed_find(struct spcc_context *api, struct context *cx, struct pipeline_request *request,
                 struct jit_packed *packed);

/* Why there is none, if the user should know it: packs were passed over, or have the kernel for
 * other processors; else NULL. */
const char *packed_trouble(struct spcc_context *api, struct context *cx,
                           const struct jit_packed *packed);

/* The packs that there are, as a text; NULL after an error that says why there are none. */
const char *packed_describe(struct context *cx, const struct packs *packs);

#endif
