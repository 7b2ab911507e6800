/* names.h - names numbered in the order in which they come, found in constant time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_NAMES_H
#define SPCC_CLI_NAMES_H

/* All zero: none.  The names themselves are borrowed. */
struct names {
    const char **name; /* by number */
    int *slot;         /* of a table with open addressing: a number + 1, or 0 */
    int n, slots;      /* slots: a power of two */
};

/* Returns the number of a name, which is n where it is new; -1: no memory. */
int names_add(struct names *names, const char *name);

/* Returns the number of a name, or -1. */
int names_find(const struct names *names, const char *name);
void names_free(struct names *names);

#endif
