/* help.h - the texts of help, the manual page and the shells' completions, all from the tables.
 *
 * Each function writes to a stream and leaves checking it for errors to the caller.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_HELP_H
#define SPCC_CLI_HELP_H

#include <stdio.h>

#include "cli/flags.h"

struct cli_topic {
    const char *name, *brief, *text;
};
extern const struct cli_topic cli_topics[];
extern const int cli_n_topics;

/* -h and --help.  only: the command whose options are wanted, CLI_COMMANDS for all. */
void help_brief(FILE *out, enum cli_command only);
void help_full(FILE *out, enum cli_command only);

/* 'spcc help TOPIC': a topic, a command, an option with or without its dashes; NULL: the list of topics.
 * Writes nothing and returns false if there is no such topic; near is then what may have been meant. */
bool help_topic(FILE *out, const char *name, struct suggestion *near);

void help_version(FILE *out);

/* The manual page spcc(1) in roff, and completions for three shells. */
void help_manual(FILE *out);
void help_complete_bash(FILE *out);
void help_complete_zsh(FILE *out);
void help_complete_fish(FILE *out);

#endif
