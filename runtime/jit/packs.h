/* packs.h - the packs that a jit looks into.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_PACKS_H
#define SPCC_JIT_PACKS_H

#include "runtime/jit/jit.h"
#include "runtime/jit/pack.h"

struct packs {
    struct pack *at;
    size_t n;
    /* of those that are passed over, sentences with "; " between; NULL: there are none */
    char *note;
};

/* Opens them: struct jit_options. */
void packs_open(struct packs *packs, const char *paths);
void packs_close(struct packs *packs);

/* Returns the kernel for a request in the first pack that has one for this processor; false: none
 * has. */
bool packs_find(const struct packs *packs, const unsigned char request[SHA256_SIZE],
                struct jit_packed *packed);

#endif
