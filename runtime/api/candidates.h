/* candidates.h - the formats that could serve for a tensor, and what each would take.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_CANDIDATES_H
#define SPCC_API_CANDIDATES_H

#include "runtime/api/tensor.h"

enum { CANDIDATES_MOST = 96 };

struct candidate {
    const char *format;  /* by name where it has one */
    const char *trouble; /* why it cannot serve; NULL: it can */
    int64_t bytes;       /* 0: it cannot be stored so */
};

/* All zero: none.  Texts are in a context's arena; to be freed in every case. */
struct candidates {
    struct candidate at[CANDIDATES_MOST];
    int n;
    struct coords coords; /* of the tensor */
    struct tensor_order *order;
    bool has_coords;
};

/* The first is the tensor's own format.  The others are the given ones, or, if there are none,
 * those that its order allows for. */
spcc_status candidates_find(struct spcc_context *api, struct context *cx, const char *name,
                            const struct spcc_tensor *tensor, const char *const *formats,
                            int n_formats, struct candidates *found);
void candidates_free(struct candidates *found);

/* The tensor's format with the narrowest positions and coordinates that hold those it has, in cx's
 * arena; NULL: they are as narrow as can be. */
const char *candidates_narrow(struct context *cx, const struct spcc_tensor *tensor,
                              struct format_defaults defaults);

#endif
