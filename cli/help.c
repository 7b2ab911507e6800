/* help.c - help texts, made from the tables.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/help.h"

#include <stdlib.h>
#include <string.h>

#include "cli/taco.h"
#include "include/spcc.h"

const struct cli_topic cli_topics[] = {
#define TOPIC(...) {__VA_ARGS__},
#include "cli/topics.def"
#undef TOPIC
};
const int cli_n_topics = sizeof cli_topics / sizeof *cli_topics;

enum { COLUMNS = 80, OPTION_COLUMN = 24 };

/* Prints the text in lines of at most COLUMNS, indented after the first, which starts at column
 * `at`. */
static void put_wrapped(FILE *out, const char *text, int at, int indent)
{
    bool starts = true;
    for (size_t n; (n = cli_next_word(&text)); text += n) {
        if (!starts && at + 1 + (int)n > COLUMNS) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            starts = true;
        }
        at += fprintf(out, "%s%.*s", starts ? "" : " ", (int)n, text);
        starts = false;
    }
    fputc('\n', out);
}

/* Prints "-f, --format T:FORMAT". */
static int put_option(FILE *out, const struct cli_flag_info *flag)
{
    int n = 0;
    if (flag->letter)
        n += fprintf(out, "-%c", flag->letter);
    if (flag->name)
        n += fprintf(out, "%s--%s", flag->letter ? ", " : "    ", flag->name);
    if (flag->argument && flag->choices && flag->argument[0] == '[')
        n += fprintf(out, "[=%s]", flag->choices);
    else if (flag->argument)
        n += fprintf(out, "%s%s", flag->letter ? " " : "=", flag->argument);
    return n;
}

static void put_flag(FILE *out, const struct cli_flag_info *flag, bool in_full)
{
    fputs("  ", out);
    int at = 2 + put_option(out, flag);
    if (at > OPTION_COLUMN) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", OPTION_COLUMN + 2 - at, "");
    put_wrapped(out, flag->brief, OPTION_COLUMN + 2, OPTION_COLUMN + 2);
    if (in_full && flag->detail) {
        fprintf(out, "%*s", OPTION_COLUMN + 2, "");
        put_wrapped(out, flag->detail, OPTION_COLUMN + 2, OPTION_COLUMN + 2);
    }
    if (in_full && flag->choices && flag->argument[0] != '[') {
        int at_choices =
            OPTION_COLUMN + 2 + fprintf(out, "%*s%s: ", OPTION_COLUMN + 2, "", flag->argument);
        put_wrapped(out, flag->choices, at_choices - OPTION_COLUMN - 2, OPTION_COLUMN + 4);
    }
}

static void put_flags(FILE *out, enum cli_command only, bool in_full)
{
    const char *group = "";
    for (int f = 0; f < CLI_FLAGS; f++) {
        const struct cli_flag_info *flag = &cli_flags[f];
        if (only != CLI_COMMANDS && !cli_flag_applies((enum cli_flag)f, only))
            continue;
        if (strcmp(group, flag->group) != 0)
            fprintf(out, "\n%s:\n", group = flag->group);
        put_flag(out, flag, in_full);
    }
}

static void put_usage(FILE *out, enum cli_command only)
{
    bool first = true;
    for (int c = 0; c < CLI_COMMANDS; c++) {
        const struct cli_command_info *command = &cli_commands[c];
        if (!command->name || (only != CLI_COMMANDS && (int)only != c))
            continue;
        int n = fprintf(out, "%s spcc %s%s%s", first ? "usage:" : "      ",
                        c == CLI_EMIT ? "[emit]" : command->name, command->operand ? " " : "",
                        command->operand ? command->operand : "");
        if (command->operand && strstr("EXPR IN OUT [FILE] [SUITE]", command->operand))
            n += fprintf(out, " [options]");
        fprintf(out, "%*s%s\n", n < 36 ? 36 - n : 1, "", command->brief);
        first = false;
    }
}

void help_brief(FILE *out, enum cli_command only)
{
    put_usage(out, only);
    put_flags(out, only, false);
    fputs("\n'spcc --help' says more about each, 'spcc help' lists topics.\n", out);
}

void help_full(FILE *out, enum cli_command only)
{
    put_usage(out, only);
    put_flags(out, only, true);
    fputs("\nFor example:\n", out);
    for (int c = 0; c < CLI_COMMANDS; c++)
        if (only == CLI_COMMANDS ? c == CLI_EMIT || c == CLI_RUN : c == (int)only)
            fprintf(out, "  spcc %s\n", cli_commands[c].example);
}

static void put_topics(FILE *out)
{
    put_usage(out, CLI_COMMANDS);
    fputs("\nTopics, for 'spcc help TOPIC':\n", out);
    for (int t = 0; t < cli_n_topics; t++)
        fprintf(out, "  %-14s %s\n", cli_topics[t].name, cli_topics[t].brief);
    fputs("and every command and option, format, level type, directive, operator and type:\n"
          "'spcc help run', 'spcc help -f', 'spcc help csr', 'spcc help reorder'\n",
          out);
}

static void put_command(FILE *out, enum cli_command command)
{
    if (cli_commands[command].detail) {
        put_wrapped(out, cli_commands[command].detail, 0, 0);
        fputc('\n', out);
    }
    help_full(out, command);
}

char *help_table(int table)
{
    spcc_context *context;
    char *text;
    if (spcc_context_new(NULL, &context) != SPCC_OK)
        return NULL;
    spcc_describe(context, (spcc_table)table, &text);
    spcc_context_free(context);
    return text;
}

/* Prints "-time[=N]" and its meaning. */
static void put_taco(FILE *out, const struct taco_option *option)
{
    enum { COLUMN = 26 };
    const char *argument = option->argument;
    int at = fprintf(out, "  -%s", option->name);
    if (argument && argument[0] == '[')
        at += fprintf(out, "[=%s", argument + 1);
    else if (argument)
        at += fprintf(out, "=%s", argument);
    fprintf(out, "%*s", at < COLUMN ? COLUMN - at : 1, "");
    put_wrapped(out, option->says ? option->says : option->brief, at < COLUMN ? COLUMN : at + 1,
                COLUMN);
}

/* Returns the table of taco's options, to be freed. */
static char *taco_text(void)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return NULL;
    for (int o = 0; o < taco_n_options; o++)
        put_taco(out, &taco_options[o]);
    fclose(out);
    return text;
}

char *help_topic_text(const struct cli_topic *topic)
{
    char *table = topic->table == NO_TABLE     ? strdup("")
                  : topic->table == TACO_TABLE ? taco_text()
                                               : help_table(topic->table);
    size_t bytes = table ? strlen(topic->text) + strlen(table) + strlen(topic->rest) + 1 : 0;
    char *text = table ? malloc(bytes) : NULL;
    if (text)
        snprintf(text, bytes, "%s%s%s", topic->text, table, topic->rest);
    free(table);
    return text;
}

static enum help_answer put_topic(FILE *out, const char *name)
{
    for (int t = 0; t < cli_n_topics; t++) {
        if (strcmp(cli_topics[t].name, name) != 0)
            continue;
        char *text = help_topic_text(&cli_topics[t]);
        if (!text)
            return HELP_NO_MEMORY;
        fputs(text, out);
        free(text);
        return HELP_GIVEN;
    }
    return HELP_UNKNOWN;
}

/* Prints a word that the library knows.  If there is none, *nearest is the nearest one, or "". */
static enum help_answer put_word(FILE *out, const char *word, char nearest[HELP_NEAREST])
{
    spcc_context *context;
    char *text = NULL;
    if (spcc_context_new(NULL, &context) != SPCC_OK)
        return HELP_NO_MEMORY;
    spcc_status said = spcc_describe_word(context, word, &text);
    const spcc_diagnostic *d = spcc_diagnostic_get(context, 0);
    snprintf(nearest, HELP_NEAREST, "%s", d && d->help ? d->help : "");
    if (said == SPCC_OK)
        fputs(text, out);
    spcc_free(text);
    spcc_context_free(context);
    return said == SPCC_OK ? HELP_GIVEN : said == SPCC_ERROR_MEMORY ? HELP_NO_MEMORY : HELP_UNKNOWN;
}

enum help_answer help_topic(FILE *out, const char *name, char nearest[HELP_NEAREST])
{
    if (!name) {
        put_topics(out);
        return HELP_GIVEN;
    }
    enum help_answer answer = put_topic(out, name);
    if (answer != HELP_UNKNOWN)
        return answer;
    enum cli_command command = cli_command_named(name);
    const char *bare = name + strspn(name, "-");
    enum cli_flag flag = strlen(bare) == 1 ? cli_flag_lettered(bare[0]) : cli_flag_named(bare);
    if (command != CLI_COMMANDS) {
        put_command(out, command);
        return HELP_GIVEN;
    }
    if (flag != CLI_FLAG_NONE) {
        put_flag(out, &cli_flags[flag], true);
        return HELP_GIVEN;
    }
    answer = put_word(out, name, nearest);
    if (answer != HELP_UNKNOWN)
        return answer;
    struct suggestion near = suggest_for(bare);
    suggest_consider(&near, nearest, strlen(nearest));
    for (int t = 0; t < cli_n_topics; t++)
        suggest_consider(&near, cli_topics[t].name, strlen(cli_topics[t].name));
    cli_suggest_command(&near);
    cli_suggest_flag(&near);
    if (near.nearest && near.nearest != nearest)
        snprintf(nearest, HELP_NEAREST, "%.*s", near.length, near.nearest);
    return HELP_UNKNOWN;
}

void help_version(FILE *out) { fputs("spcc " SPCC_VERSION "\n", out); }
