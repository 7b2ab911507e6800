/* candidates.h - the formats that could serve for a tensor, and the memory that each would take.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_CANDIDATES_H
#define SPCC_API_CANDIDATES_H

#include "runtime/api/tensor.h"

enum { CANDIDATES_MOST = 96 };

struct candidate {
    const char *format;  /* by name where it has one */
    const char *trouble; /* the reason why it cannot serve; NULL: it can */
    int64_t bytes;       /* 0: the tensor cannot be stored in it */
};

/* All zero: none.  The texts are in a context's arena.  It is to be freed in every case. */
struct candidates {
    struct candidate at[CANDIDATES_MOST];
    int n;
    struct coords coords; /* the tensor's entries */
    struct tensor_order *order;
    bool has_coords;
};

/* Finds the candidates: the tensor's own format first, then the given ones, or those that its order
 * allows if none are given. */
spcc_status candidates_find(struct spcc_context *api, struct context *cx, const char *name,
                            const struct spcc_tensor *tensor, const char *const *formats,
                            int n_formats, struct candidates *found);
void candidates_free(struct candidates *found);

/* Returns the tensor's format with the narrowest positions and coordinates that hold those it has,
 * in cx's arena; NULL if they are as narrow as can be. */
const char *candidates_narrow(struct context *cx, const struct spcc_tensor *tensor,
                              struct format_defaults defaults);

#endif
