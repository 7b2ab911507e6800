/* tuned.h - plans that were measured, kept beside the compiled kernels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_TUNED_H
#define SPCC_API_TUNED_H

#include "compiler/pipeline.h"
#include "runtime/api/api.h"

/* Under what the plan of a request is kept, in cx's arena; NULL: its statement is wrong, which the
 * compiler is to say. */
const char *tuned_key(struct spcc_context *api, struct context *cx,
                      const struct pipeline_request *request);

/* Give the request the plan that was kept for it, if the options ask for the best for tensors. */
void tuned_find(struct spcc_context *api, struct context *cx, const spcc_compile_options *options,
                struct pipeline_request *request);

/* Say that a plan that was found cannot be applied. */
void tuned_complain(struct context *cx);

/* Keep the directives, and a sentence about them.  NULL, or why they could not be kept. */
const char *tuned_keep(struct spcc_context *api, struct context *cx, const char *key,
                       const char *directives, const char *sentence);

#endif
