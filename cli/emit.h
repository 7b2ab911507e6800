/* emit.h - the texts that are asked for beside what a command does.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_EMIT_H
#define SPCC_CLI_EMIT_H

#include "cli/file.h"

/* Print the request's views of all statements, or write them to their files; what is wrong has
 * been complained about. */
enum cli_status emit_views(const struct file *file);

/* Check statement s by itself, with its formats, types and fills; what is wrong has been complained
 * about.  With -W say how it is read, all sums written out, on standard error. */
enum cli_status emit_reading(const struct file *file, int s);

#endif
