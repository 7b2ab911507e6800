/* flags.h - the tables of commands and options, and finding one's way in them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_FLAGS_H
#define SPCC_CLI_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/suggest.h"

enum cli_command {
#define COMMAND(id, ...) CLI_##id,
#include "cli/commands.def"
#undef COMMAND
    CLI_COMMANDS
};

enum cli_flag {
#define FLAG(id, ...) CLI_FLAG_##id,
#include "cli/flags.def"
#undef FLAG
    CLI_FLAGS,
    CLI_FLAG_NONE = -1
};

/* A row of commands.def; the columns are explained there. */
struct cli_command_info {
    char letter;
    const char *name, *operand, *brief, *example, *detail;
};

/* A row of flags.def; the columns are explained there. */
struct cli_flag_info {
    char letter;
    const char *name, *argument, *choices, *commands, *group, *brief, *detail;
};

extern const struct cli_command_info cli_commands[CLI_COMMANDS];
extern const struct cli_flag_info cli_flags[CLI_FLAGS];

/* What an option's argument looks like. */
enum cli_argument {
    CLI_NO_ARGUMENT,
    CLI_WORD,         /* anything, or one of the choices */
    CLI_PAIR,         /* NAME:VALUE */
    CLI_MAYBE_PAIR,   /* NAME:VALUE for run, else VALUE */
    CLI_OPTIONAL_WORD /* given after "=" or left out */
};
enum cli_argument cli_flag_argument(enum cli_flag flag);

/* The command, option or choice of that name; CLI_COMMANDS, CLI_FLAG_NONE, -1 if there is none. */
enum cli_command cli_command_named(const char *name);
enum cli_flag cli_flag_named(const char *name);
enum cli_flag cli_flag_lettered(char letter);
int cli_choice_named(const char *choices, const char *name);

/* Returns whether the command takes the option. */
bool cli_flag_applies(enum cli_flag flag, enum cli_command command);

/* Steps through words separated by blanks: the length of the word at *at, which is moved to its
 * start;
 * 0 at the end. */
size_t cli_next_word(const char **at);

/* Offer the names of the commands, the long options, a flag's choices. */
void cli_suggest_command(struct suggestion *suggestion);
void cli_suggest_flag(struct suggestion *suggestion);
void cli_suggest_choice(struct suggestion *suggestion, const char *choices);

#endif
