/* tuned.h - plans and formats that were measured, kept beside the compiled kernels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_TUNED_H
#define SPCC_API_TUNED_H

#include "compiler/pipeline.h"
#include "runtime/api/api.h"

/* Returns the key of a request's plan, in cx's arena; NULL if its statement is wrong, which the
 * compiler reports. */
const char *tuned_key(struct spcc_context *api, struct context *cx,
                      const struct pipeline_request *request);

/* Returns the key of an operand's format, for any format of it and of other sparse operands. */
const char *tuned_format_key(struct spcc_context *api, struct context *cx,
                             const struct pipeline_request *request, const char *operand);

/* Returns the first line that is kept under a key, in cx's arena, and the sentence about it; NULL
 * if nothing is kept. */
const char *tuned_recall(struct spcc_context *api, struct context *cx, const char *key,
                         const char **sentence);

/* Gives the request the plan that was kept for it, if the options ask for the best for tensors. */
void tuned_find(struct spcc_context *api, struct context *cx, const spcc_compile_options *options,
                struct pipeline_request *request);

/* Reports that a plan that was found cannot be applied. */
void tuned_complain(struct context *cx);

/* Keeps directives, or a format, and a sentence about them.  Returns NULL, or why that failed. */
const char *tuned_keep(struct spcc_context *api, struct context *cx, const char *key,
                       const char *line, const char *sentence);

#endif
