/* complete.c - completions for bash, zsh and fish, from the tables.
 *
 * After -f NAME: the named formats are completed; in a format in full, after its arrow, level
 * types.
 *
 * The tables contain only letters, digits, blanks and plain punctuation, so quoting is simple:
 * texts are in single quotes, and a single quote inside is '\'' (bash, zsh) or \' (fish).
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/help.h"

#include <stdlib.h>
#include <string.h>

#include "include/spcc.h"

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

/* ---- formats ---- */

/* Prints the first words of every `each`-th line from `first` on, which begin at this column. */
static bool put_table_names(FILE *out, int table, int first, int each, size_t column)
{
    char *text = help_table(table);
    const char *blank = "";
    int n = 0;
    for (const char *line = text, *end; line && (end = strchr(line, '\n')) != NULL;
         line = end + 1, n++) {
        if (n < first || (n - first) % each != 0)
            continue;
        const char *name = line + column;
        fprintf(out, "%s%.*s", blank, (int)strcspn(name, " \n"), name), blank = " ";
    }
    free(text);
    return text != NULL;
}

static bool put_format_names(FILE *out)
{
    return put_table_names(out, SPCC_TABLE_FORMATS, 0, 1, 0);
}

/* Below two lines of headings a level type has two lines, and follows its letters. */
static bool put_level_names(FILE *out) { return put_table_names(out, SPCC_TABLE_LEVELS, 2, 2, 5); }

static bool takes_format(const struct cli_flag_info *flag)
{
    return flag->argument && strcmp(flag->argument, "T:FORMAT") == 0;
}

/* ---- bash ---- */

/* Bash splits `A:csr` into three words if ':' is in COMP_WORDBREAKS, as it is by default, unless
 * they are quoted. */
static bool put_bash_formats(FILE *out)
{
    fputs("# formats for the word that is at the end of `spcc ... -f A:`\n"
          "_spcc_format() {\n"
          "    local word=\"$1\" start\n"
          "    [ \"$word\" = : ] && word=\n"
          "    case \"$word\" in\n"
          "    *'->'*) start=\"${word%\"${word##*[!a-z]}\"}\"; word=\"${word#\"$start\"}\"; "
          "start=\"${start#[\\'\\\"]}\"\n"
          "        local IFS=$'\\n'\n"
          "        COMPREPLY=($(IFS=' '; compgen -P \"$start\" -W '",
          out);
    bool good = put_level_names(out);
    fputs("' -- \"$word\")) ;;\n"
          "    *) start=\"${word%\"${word##*:}\"}\"; word=\"${word##*:}\"\n"
          "        COMPREPLY=($(compgen -P \"$start\" -W '",
          out);
    good &= put_format_names(out);
    fputs("' -- \"$word\")) ;;\n    esac\n}\n", out);
    return good;
}

bool help_complete_bash(FILE *out)
{
    fputs("# bash completion for spcc, written by its build\n", out);
    bool good = put_bash_formats(out);
    fputs("_spcc() {\n"
          "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
          "    [ \"$before\" = = ] && before=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
          "    [ \"$word\" = = ] && word= && before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
          "    COMPREPLY=()\n"
          "    local line=\" ${COMP_WORDS[*]:1:COMP_CWORD} \" format=' (-f|--format) (= )?([^ -][^ "
          "]* )?(: ([^ ]* )?)?$'\n"
          "    local whole=' (-f|--format) (= )?[^ ]+:.*->[^ ]*'\n"
          "    if [[ $line =~ $format || ( $line =~ $whole && $word = *'->'* ) ]]; then\n"
          "        _spcc_format \"$word\"\n"
          "        return\n"
          "    fi\n"
          "    case \"$before\" in\n",
          out);
    for (int f = 0; f < CLI_FLAGS; f++) {
        if (cli_flags[f].choices)
            fprintf(out, "    --%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n",
                    cli_flags[f].name, cli_flags[f].choices);
    }
    fputs("    help) COMPREPLY=($(compgen -W '", out);
    put_command_names(out);
    put_topic_names(out);
    fputs("' -- \"$word\")); return ;;\n    esac\n    case \"$word\" in\n    -*) "
          "COMPREPLY=($(compgen -W '",
          out);
    put_flag_names(out);
    fputs("' -- \"$word\"))\n"
          "        case \"${COMPREPLY[0]-}\" in *=) compopt -o nospace ;; esac ;;\n"
          "    *) COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "        [ \"$COMP_CWORD\" -eq 1 ] && COMPREPLY+=($(compgen -W '",
          out);
    put_command_names(out);
    fputs("' -- \"$word\")) ;;\n    esac\n}\ncomplete -o filenames -F _spcc spcc\n", out);
    return good;
}

/* ---- zsh ---- */

/* Prints one argument of _arguments: NAME[text]:argument:completion. */
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
        else if (takes_format(flag))
            fputs(":_spcc_formats", out);
        else
            fputs(strstr(flag->argument, "FILE") ? ":_files" : ":", out);
    }
    fputs("' \\\n", out);
}

bool help_complete_zsh(FILE *out)
{
    fputs("#compdef spcc\n# zsh completion for spcc, written by its build\n"
          "_spcc_formats() {\n"
          "    if [[ $PREFIX = *'->'* ]]; then\n"
          "        compset -P '*[^a-z]'\n"
          "        compadd -- ",
          out);
    bool good = put_level_names(out);
    fputs("\n    else\n"
          "        compset -P '*:'\n"
          "        compadd -- ",
          out);
    good &= put_format_names(out);
    fputs("\n    fi\n}\n_arguments -s \\\n", out);
    for (int f = 0; f < CLI_FLAGS; f++) {
        if (cli_flags[f].letter)
            put_zsh_flag(out, &cli_flags[f], false);
        if (cli_flags[f].name)
            put_zsh_flag(out, &cli_flags[f], true);
    }
    fputs("    '1:command or statement:(", out);
    put_command_names(out);
    fputs(")' \\\n    '*:file:_files'\n", out);
    return good;
}

/* ---- fish ---- */

static bool put_fish_formats(FILE *out)
{
    fputs("function __spcc_formats\n"
          "    set -l word (commandline -ct | string replace -r '^--format=' '')\n"
          "    if string match -q '*->*' -- $word\n"
          "        string replace -r '[a-z]*$' '' -- $word | read -lz start\n"
          "        for name in ",
          out);
    bool good = put_level_names(out);
    fputs("\n            echo (string trim -r -c \\n -- $start)$name\n        end\n"
          "    else\n"
          "        set -l start (string replace -r '[^:]*$' '' -- $word)\n"
          "        for name in ",
          out);
    good &= put_format_names(out);
    fputs("\n            echo $start$name\n        end\n    end\nend\n", out);
    return good;
}

bool help_complete_fish(FILE *out)
{
    fputs("# fish completion for spcc, written by its build\n", out);
    bool good = put_fish_formats(out);
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
        else if (takes_format(flag))
            fputs(" -x -a '(__spcc_formats)'", out);
        else if (flag->argument)
            fputs(" -r", out);
        fputs(" -d '", out);
        put_quoted(out, flag->brief, "\\'", "\\");
        fputs("'\n", out);
    }
    return good;
}
