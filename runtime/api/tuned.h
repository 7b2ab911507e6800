/* tuned.h - plans and formats that were measured, kept beside the compiled kernels.
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

/* ... and the format of an operand, whatever format it and other sparse operands have now. */
const char *tuned_format_key(struct spcc_context *api, struct context *cx,
                             const struct pipeline_request *request, const char *operand);

/* The first line of what is kept under a key, in cx's arena, and the sentence about it; NULL: there
 * is nothing. */
const char *tuned_recall(struct spcc_context *api, struct context *cx, const char *key,
                         const char **sentence);

/* Give the request the plan that was kept for it, if the options ask for the best for tensors. */
void tuned_find(struct spcc_context *api, struct context *cx, const spcc_compile_options *options,
                struct pipeline_request *request);

/* Say that a plan that was found cannot be applied. */
void tuned_complain(struct context *cx);

/* Keep directives, or a format, and a sentence about them.  NULL, or why they could not be kept. */
const char *tuned_keep(struct spcc_context *api, struct context *cx, const char *key,
                       const char *line, const char *sentence);

#endif
