/* manual.c - the manual page spcc(1), from the tables, in the man macros of roff.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/help.h"

#include <stdlib.h>
#include <string.h>

/* Prints text that roff shows literally.  at_start: protects a control character in the first
 * column. */
static void put_escaped(FILE *out, const char *text, size_t n, bool at_start)
{
    for (size_t i = 0; i < n; i++) {
        if (at_start && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", out);
        at_start = text[i] == '\n';
        if (text[i] == '\\')
            fputs("\\e", out);
        else if (text[i] == '-')
            fputs("\\-", out);
        else if (text[i] == '\'')
            fputs("\\(aq", out);
        else if (text[i] == '^')
            fputs("\\(ha", out);
        else if (text[i] == '~')
            fputs("\\(ti", out);
        else
            fputc(text[i], out);
    }
}

static void put_text(FILE *out, const char *text) { put_escaped(out, text, strlen(text), true); }

static void put_bold(FILE *out, const char *text)
{
    fputs("\\fB", out);
    put_escaped(out, text, strlen(text), false);
    fputs("\\fR", out);
}

static void put_italic(FILE *out, const char *text)
{
    fputs("\\fI", out);
    put_escaped(out, text, strlen(text), false);
    fputs("\\fR", out);
}

static void put_synopsis(FILE *out)
{
    fputs(".SH SYNOPSIS\n", out);
    for (int c = 0; c < CLI_COMMANDS; c++) {
        const struct cli_command_info *command = &cli_commands[c];
        if (!command->name)
            continue;
        fputs("\\fBspcc\\fR ", out);
        if (c == CLI_EMIT)
            fputs("[\\fBemit\\fR]", out);
        else
            put_bold(out, command->name);
        fputc(' ', out);
        put_italic(out, command->operand);
        if (strstr("EXPR IN OUT [FILE] [SUITE]", command->operand))
            fputs(" [\\fIoptions\\fR]", out);
        fputs("\n.br\n", out);
    }
    fputs("\\fBspcc\\fR \\fB\\-\\-version\\fR\n", out);
}

static void put_commands(FILE *out)
{
    fputs(".SH COMMANDS\n", out);
    for (int c = 0; c < CLI_COMMANDS; c++) {
        const struct cli_command_info *command = &cli_commands[c];
        if (!command->name)
            continue;
        fputs(".TP\n", out);
        put_bold(out, command->name);
        fputc(' ', out);
        put_italic(out, command->operand);
        fputc('\n', out);
        put_text(out, command->brief);
        fputs(".\n", out);
        if (command->detail) {
            put_text(out, command->detail);
            fputc('\n', out);
        }
    }
}

static void put_head(FILE *out, const struct cli_flag_info *flag)
{
    if (flag->letter) {
        fprintf(out, "\\fB\\-%c\\fR", flag->letter);
        if (flag->name)
            fputs(", ", out);
    }
    if (flag->name) {
        fputs("\\fB\\-\\-\\fR", out);
        put_bold(out, flag->name);
    }
    if (flag->argument) {
        bool optional = flag->argument[0] == '[' && flag->choices;
        fputs(optional ? "[=" : flag->letter ? " " : "=", out);
        put_italic(out, optional ? flag->choices : flag->argument);
        fputs(optional ? "]" : "", out);
    }
    fputc('\n', out);
}

static void put_options(FILE *out)
{
    const char *group = "";
    fputs(".SH OPTIONS\n", out);
    for (int f = 0; f < CLI_FLAGS; f++) {
        const struct cli_flag_info *flag = &cli_flags[f];
        if (strcmp(group, flag->group) != 0)
            fprintf(out, ".SS %s\n", group = flag->group);
        fputs(".TP\n", out);
        put_head(out, flag);
        put_text(out, flag->brief);
        fputs(".\n", out);
        if (flag->detail) {
            put_text(out, flag->detail);
            fputc('\n', out);
        }
        if (flag->choices && flag->argument[0] != '[') {
            put_italic(out, flag->argument);
            fputs(" is one of ", out);
            put_bold(out, flag->choices);
            fputs(".\n", out);
        }
    }
}

static bool put_topics(FILE *out)
{
    for (int t = 0; t < cli_n_topics; t++) {
        char *text = help_topic_text(&cli_topics[t]);
        if (!text)
            return false;
        fputs(".SH ", out);
        for (const char *c = cli_topics[t].brief; *c; c++)
            fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, out);
        fputs("\n.nf\n", out);
        put_text(out, text);
        fputs(".fi\n", out);
        free(text);
    }
    return true;
}

bool help_manual(FILE *out)
{
    fputs(".\\\" Written by spcc's build from the tables in cli/.\n"
          ".TH SPCC 1 \"\" \"spcc " SPCC_VERSION "\" \"User Commands\"\n"
          ".SH NAME\nspcc \\- sparse tensor algebra compiler\n",
          out);
    put_synopsis(out);
    fputs(".SH DESCRIPTION\n", out);
    put_text(
        out,
        "spcc turns a statement in tensor index notation, formats for its tensors and a schedule "
        "into a C function, and runs it on files if asked to.\n");
    put_commands(out);
    put_options(out);
    return put_topics(out);
}
