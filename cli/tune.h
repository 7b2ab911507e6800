/* tune.h - what the tables of spcc tune share, and the one of formats.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_TUNE_H
#define SPCC_CLI_TUNE_H

#include "cli/job.h"

/* Digits behind the point that a time needs. */
int tune_decimals(double ms);

/* A text that goes on in lines of its own where it is too long, from this column on. */
void tune_put_text(const char *text, int column);

/* Tune the formats of the operands of statement s, and print a table. */
enum cli_status tune_formats(struct job *job, int s);

#endif
