/* flags.c - the tables of commands and options, and lookups in them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/flags.h"

#include <string.h>

const struct cli_command_info cli_commands[CLI_COMMANDS] = {
#define COMMAND(id, ...) {__VA_ARGS__},
#include "cli/commands.def"
#undef COMMAND
};

const struct cli_flag_info cli_flags[CLI_FLAGS] = {
#define FLAG(id, ...) {__VA_ARGS__},
#include "cli/flags.def"
#undef FLAG
};

enum cli_argument cli_flag_argument(enum cli_flag flag)
{
    const char *argument = cli_flags[flag].argument;
    if (!argument)
        return CLI_NO_ARGUMENT;
    if (strncmp(argument, "[T:]", 4) == 0)
        return CLI_MAYBE_PAIR;
    if (argument[0] == '[')
        return CLI_OPTIONAL_WORD;
    return strchr(argument, ':') ? CLI_PAIR : CLI_WORD;
}

enum cli_command cli_command_named(const char *name)
{
    for (int c = 0; c < CLI_COMMANDS; c++)
        if (cli_commands[c].name && strcmp(cli_commands[c].name, name) == 0)
            return (enum cli_command)c;
    return CLI_COMMANDS;
}

enum cli_flag cli_flag_named(const char *name)
{
    for (int f = 0; f < CLI_FLAGS; f++)
        if (cli_flags[f].name && strcmp(cli_flags[f].name, name) == 0)
            return (enum cli_flag)f;
    return CLI_FLAG_NONE;
}

enum cli_flag cli_flag_lettered(char letter)
{
    for (int f = 0; f < CLI_FLAGS; f++)
        if (letter && cli_flags[f].letter == letter)
            return (enum cli_flag)f;
    return CLI_FLAG_NONE;
}

size_t cli_next_word(const char **at)
{
    *at += strspn(*at, " ");
    return strcspn(*at, " ");
}

int cli_choice_named(const char *choices, const char *name)
{
    int choice = 0;
    for (size_t n; (n = cli_next_word(&choices)); choices += n, choice++)
        if (strlen(name) == n && memcmp(name, choices, n) == 0)
            return choice;
    return -1;
}

bool cli_flag_applies(enum cli_flag flag, enum cli_command command)
{
    return strchr(cli_flags[flag].commands, cli_commands[command].letter) != NULL;
}

void cli_suggest_command(struct suggestion *suggestion)
{
    for (int c = 0; c < CLI_COMMANDS; c++)
        if (cli_commands[c].name)
            suggest_consider(suggestion, cli_commands[c].name, strlen(cli_commands[c].name));
}

void cli_suggest_flag(struct suggestion *suggestion)
{
    for (int f = 0; f < CLI_FLAGS; f++)
        if (cli_flags[f].name)
            suggest_consider(suggestion, cli_flags[f].name, strlen(cli_flags[f].name));
}

void cli_suggest_choice(struct suggestion *suggestion, const char *choices)
{
    for (size_t n; (n = cli_next_word(&choices)); choices += n)
        suggest_consider(suggestion, choices, n);
}
