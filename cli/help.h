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

/* A row of topics.def; the columns are explained there. */
struct cli_topic {
    const char *name, *brief, *text;
    int table;
    const char *rest;
};
enum { NO_TABLE = -1, TACO_TABLE = -2 };
extern const struct cli_topic cli_topics[];
extern const int cli_n_topics;

/* Returns one of the library's tables (spcc_table), to be freed; NULL: no memory. */
char *help_table(int table);

/* -h and --help.  only: the command whose options are wanted, CLI_COMMANDS for all. */
void help_brief(FILE *out, enum cli_command only);
void help_full(FILE *out, enum cli_command only);

/* Returns a topic with its table, to be freed; NULL: no memory. */
char *help_topic_text(const struct cli_topic *topic);

enum help_answer { HELP_GIVEN, HELP_UNKNOWN, HELP_NO_MEMORY };

enum { HELP_NEAREST = 64 };

/* 'spcc help TOPIC': a topic, a command, an option with or without its dashes, a word of the
 * library's; NULL: the list of topics.  If there is no such topic nothing is written, and
 * nearest is what may have been meant, or "". */
enum help_answer help_topic(FILE *out, const char *name, char nearest[HELP_NEAREST]);

void help_version(FILE *out);

/* Returns the manual page spcc(1) in roff; false: no memory. */
bool help_manual(FILE *out);

/* Completions for three shells; false: no memory. */
bool help_complete_bash(FILE *out);
bool help_complete_zsh(FILE *out);
bool help_complete_fish(FILE *out);

#endif
