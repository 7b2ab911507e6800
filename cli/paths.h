/* paths.h - which names of files mean the same file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_PATHS_H
#define SPCC_CLI_PATHS_H

#include <stdbool.h>

/* Would writing to one of them replace what was written to the other?  Also by another path, by a
 * symbolic link or as another name of one file; not of
 * devices, nor of "-", standard output, where results come one after the other. */
bool paths_are_same(const char *a, const char *b);

#endif
