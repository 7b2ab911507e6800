/* complete.c - completions for bash, zsh and fish, from the tables.
 *
 * The tables hold letters, digits, blanks and plain punctuation only, so that quoting is simple: texts go
 * between single quotes, and a single quote within is written as '\'' (bash, zsh) or \' (fish).
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/help.h"

#include <string.h>

static void put_quoted(FILE *out, const char *text, const char *quote, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs(quote, out);
        else if (strchr(special, *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}

static void put_command_names(FILE *out)
{
    const char *blank = "";
    for (int c = 0; c < CLI_COMMANDS; c++) {
        if (cli_commands[c].name)
            fprintf(out, "%s%s", blank, cli_commands[c].name), blank = " ";
    }
}

static void put_flag_names(FILE *out)
{
    const char *blank = "";
    for (int f = 0; f < CLI_FLAGS; f++) {
        if (cli_flags[f].letter)
            fprintf(out, "%s-%c", blank, cli_flags[f].letter), blank = " ";
        if (cli_flags[f].name)
            fprintf(out, "%s--%s%s", blank, cli_flags[f].name, cli_flags[f].argument ? "=" : ""),
                blank = " ";
    }
}

static void put_topic_names(FILE *out)
{
    for (int t = 0; t < cli_n_topics; t++)
        fprintf(out, " %s", cli_topics[t].name);
}

void help_complete_bash(FILE *out)
{
    fputs("# bash completion for spcc, written by its build\n"
          "_spcc() {\n"
          "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
          "    [ \"$before\" = = ] && before=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
          "    [ \"$word\" = = ] && word= && before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
          "    COMPREPLY=()\n"
          "    case \"$before\" in\n", out);
    for (int f = 0; f < CLI_FLAGS; f++) {
        if (cli_flags[f].choices)
            fprintf(out, "    --%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n",
                    cli_flags[f].name, cli_flags[f].choices);
    }
    fputs("    help) COMPREPLY=($(compgen -W '", out);
    put_command_names(out);
    put_topic_names(out);
    fputs("' -- \"$word\")); return ;;\n    esac\n    case \"$word\" in\n    -*) COMPREPLY=($(compgen -W '",
          out);
    put_flag_names(out);
    fputs("' -- \"$word\"))\n"
          "        case \"${COMPREPLY[0]-}\" in *=) compopt -o nospace ;; esac ;;\n"
          "    *) COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "        [ \"$COMP_CWORD\" -eq 1 ] && COMPREPLY+=($(compgen -W '", out);
    put_command_names(out);
    fputs("' -- \"$word\")) ;;\n    esac\n}\ncomplete -o filenames -F _spcc spcc\n", out);
}

/* One argument of _arguments: NAME[text]:argument:completion */
static void put_zsh_flag(FILE *out, const struct cli_flag_info *flag, bool is_long)
{
    bool optional = flag->argument && flag->argument[0] == '[' && flag->choices;
    fputs("    '*", out);
    if (is_long)
        fprintf(out, "--%s%s", flag->name, flag->argument ? (optional ? "=-" : "=") : "");
    else
        fprintf(out, "-%c%s", flag->letter, flag->argument ? "+" : "");
    fputc('[', out);
    put_quoted(out, flag->brief, "'\\''", "[]\\:");
    fputc(']', out);
    if (flag->argument) {
        fputs(optional ? "::" : ":", out);
        put_quoted(out, flag->argument, "'\\''", ":\\");
        if (flag->choices)
            fprintf(out, ":(%s)", flag->choices);
        else
            fputs(strstr(flag->argument, "FILE") ? ":_files" : ":", out);
    }
    fputs("' \\\n", out);
}

void help_complete_zsh(FILE *out)
{
    fputs("#compdef spcc\n# zsh completion for spcc, written by its build\n_arguments -s \\\n", out);
    for (int f = 0; f < CLI_FLAGS; f++) {
        if (cli_flags[f].letter)
            put_zsh_flag(out, &cli_flags[f], false);
        if (cli_flags[f].name)
            put_zsh_flag(out, &cli_flags[f], true);
    }
    fputs("    '1:command or statement:(", out);
    put_command_names(out);
    fputs(")' \\\n    '*:file:_files'\n", out);
}

void help_complete_fish(FILE *out)
{
    fputs("# fish completion for spcc, written by its build\n", out);
    for (int c = 0; c < CLI_COMMANDS; c++) {
        if (!cli_commands[c].name)
            continue;
        fprintf(out, "complete -c spcc -n __fish_use_subcommand -a %s -d '", cli_commands[c].name);
        put_quoted(out, cli_commands[c].brief, "\\'", "\\");
        fputs("'\n", out);
    }
    for (int t = 0; t < cli_n_topics; t++) {
        fprintf(out, "complete -c spcc -f -n '__fish_seen_subcommand_from help' -a %s -d '",
                cli_topics[t].name);
        put_quoted(out, cli_topics[t].brief, "\\'", "\\");
        fputs("'\n", out);
    }
    for (int f = 0; f < CLI_FLAGS; f++) {
        const struct cli_flag_info *flag = &cli_flags[f];
        bool optional = flag->argument && flag->argument[0] == '[' && flag->choices;
        fputs("complete -c spcc", out);
        if (flag->letter)
            fprintf(out, " -s %c", flag->letter);
        if (flag->name)
            fprintf(out, " -l %s", flag->name);
        if (flag->choices)
            fprintf(out, "%s -a '%s'", optional ? "" : " -x", flag->choices);
        else if (flag->argument)
            fputs(" -r", out);
        fputs(" -d '", out);
        put_quoted(out, flag->brief, "\\'", "\\");
        fputs("'\n", out);
    }
}
