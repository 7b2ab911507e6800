/* beside.h - files that belong to the library: where it is installed, and where it is built.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_BESIDE_H
#define SPCC_JIT_BESIDE_H

/* Returns the path of the readable file or folder of this name, to free(); NULL: there is none. */
char *beside_find(const char *name);

/* Returns where else it was looked for than beside the library, for messages. */
const char *beside_installed(void);

#endif
