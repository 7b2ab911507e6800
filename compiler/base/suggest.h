/* suggest.h - what was probably meant by a mistyped word.
 *
 *     struct suggestion s = suggest_for("comptue");
 *     suggest_consider(&s, "compute", 7); ...
 *     if (s.nearest) printf("did you mean %.*s?", s.length, s.nearest);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_SUGGEST_H
#define SPCC_BASE_SUGGEST_H

#include <stddef.h>

struct suggestion {
    const char *word;
    /* the best candidate so far, not terminated; NULL: none is near enough */
    const char *nearest;
    int length; /* of nearest */
    int distance;
};

struct suggestion suggest_for(const char *word);

/* Keeps the candidate of that length if it is the nearest so far and near enough to be a slip. */
void suggest_consider(struct suggestion *suggestion, const char *candidate, size_t length);

#endif
