/* args_settle.c - finishes the settings of a command line, once the command is known.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args_parts.h"
#include "cli/names.h"

/* Does the option's argument begin with a name in this command? */
static bool is_pair(enum cli_flag flag, enum cli_command command)
{
    switch (cli_flag_argument(flag)) {
    case CLI_PAIR: return command != CLI_CONVERT && command != CLI_INFO && command != CLI_CPD;
    case CLI_MAYBE_PAIR: return command == CLI_RUN;
    case CLI_NO_ARGUMENT:
    case CLI_WORD:
    case CLI_OPTIONAL_WORD: break;
    }
    return false;
}

/* The one tensor of a file needs no name before its format or type; orders of modes contain a
 * colon, too. */
static bool fail_name(struct parser *p, const struct cli_setting *setting)
{
    char option[32];
    size_t n = args_identifier(setting->value);
    const char *alone = setting->value + n + 1;
    if (cli_flag_argument(setting->flag) != CLI_PAIR || n == 0 || setting->value[n] != ':'
        || strchr(" 0123456789", *alone))
        return false;
    args_fail(p, "%s %s: the tensor of a file has no name here",
              args_spelling(setting->flag, option), setting->value);
    args_help(p, "write %s '%s'", args_spelling(setting->flag, option), alone);
    return true;
}

static bool read_setting(struct parser *p, struct cli_setting *setting)
{
    const char *argument = setting->value;
    if (!is_pair(setting->flag, p->request->command) && fail_name(p, setting))
        return false;
    if (is_pair(setting->flag, p->request->command) && !args_split_pair(p, setting, argument))
        return false;
    if (setting->flag == CLI_FLAG_TYPE)
        setting->value = args_type(setting->value);
    if (setting->flag == CLI_FLAG_NNZ
        && (strchr(setting->value, ',')
            || !args_integer(setting->value, 0, LLONG_MAX, &setting->size))) {
        args_fail(p, "--nnz %s: %s is not a number of components", argument, setting->value);
        return args_help(p, "a whole number: --nnz A:1000000 of a tensor");
    }
    if (setting->flag == CLI_FLAG_SAME && !args_are_names(setting->value)) {
        args_fail(p, "--same %s: expected names of tensors with commas between them", argument);
        return args_help(p, "for example --same X,W");
    }
    if (setting->flag != CLI_FLAG_SIZE)
        return true;
    for (const char *s = setting->value; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL) {
        if (args_integer(s, 0, LLONG_MAX, &setting->size))
            continue;
        args_fail(p, "-d %s: %.*s is not a size", argument, (int)strcspn(s, ","), s);
        return args_help(p, "a size is a whole number: -d i:100 of an index variable, -d A:100,200 "
                            "of a tensor's modes");
    }
    return true;
}

/* Reads the file into which emit and explain write. */
static bool read_output(struct parser *p, const struct cli_setting *setting)
{
    size_t n = args_identifier(setting->value);
    if (n > 0 && setting->value[n] == ':') {
        args_fail(p, "-o %s: spcc %s writes text, not tensors", setting->value,
                  cli_commands[p->request->command].name);
        return args_help(p, "to compute, spcc run; a file of that name is ./%s", setting->value);
    }
    p->request->output = setting->value;
    return true;
}

/* Reads the settings' arguments, which depends on the command. */
static bool read_settings(struct parser *p)
{
    struct cli_request *request = p->request;
    int kept = 0;
    for (int s = 0; s < request->n_settings; s++) {
        struct cli_setting *setting = &request->settings[s];
        bool is_text = setting->flag == CLI_FLAG_OUTPUT && request->command != CLI_RUN;
        if (!(is_text ? read_output(p, setting) : read_setting(p, setting)))
            return false;
        if (!is_text)
            request->settings[kept++] = *setting;
    }
    request->n_settings = kept;
    return true;
}

static bool fail_repeat(struct parser *p, const struct cli_setting *a, const struct cli_setting *b)
{
    char option[32];
    p->error->value = b->value;
    if (b->from_file) /* a file may have words without an option's name */
        return args_fail(p, "the %s of %s is given twice: %s and %s", cli_flags[b->flag].name,
                         b->name, a->value, b->value);
    return args_fail(p, "%s is given twice for %s: %s and %s", args_spelling(b->flag, option),
                     b->name, a->value, b->value);
}

/* The flags under which something was said about a name: by the command line, and so far. */
struct said {
    uint64_t by_command, so_far;
};

_Static_assert((int)CLI_FLAGS <= 64, "a bit for each flag");

/* Was the setting's name given under this flag before?  Then complains. */
static bool is_repeated(struct parser *p, int kept, const struct cli_setting *b)
{
    const struct cli_setting *settings = p->request->settings;
    for (int r = 0; r < kept; r++)
        if (settings[r].flag == b->flag && strcmp(settings[r].name, b->name) == 0)
            return fail_repeat(p, &settings[r], b), true;
    return false;
}

/* No tensor or index variable has two formats, types, sizes, inputs or outputs, and only one input
 * is standard input.  The command line overrides a file. */
static bool settle(struct parser *p, const struct names *names, struct said *said)
{
    struct cli_request *request = p->request;
    const char *reader = NULL;
    int kept = 0;
    for (int s = 0; s < request->n_settings; s++) {
        const struct cli_setting *b = &request->settings[s];
        struct said *before = b->name ? &said[names_find(names, b->name)] : NULL;
        uint64_t bit = (uint64_t)1 << b->flag;
        if (before && b->from_file && (before->by_command & bit))
            continue;
        if (before && (before->so_far & bit) && is_repeated(p, kept, b))
            return false;
        if (before)
            before->so_far |= bit;
        bool reads_input = b->flag == CLI_FLAG_INPUT && strcmp(b->value, "-") == 0;
        p->error->value = reads_input && reader ? b->value : NULL;
        if (p->error->value)
            return args_fail(p, "-i: %s and %s cannot both come from standard input", reader,
                             b->name);
        reader = reads_input ? b->name : reader;
        request->settings[kept++] = *b;
    }
    request->n_settings = kept;
    return true;
}

enum cli_status args_settle(struct parser *p)
{
    const struct cli_request *request = p->request;
    if (!read_settings(p))
        return CLI_BAD_USAGE;
    struct names names = {0};
    struct said *said = calloc((size_t)request->n_settings + 1, sizeof *said);
    bool is_full = !said;
    for (int s = 0; s < request->n_settings && !is_full; s++) {
        const struct cli_setting *setting = &request->settings[s];
        int number = setting->name ? names_add(&names, setting->name) : 0;
        is_full = number < 0;
        if (setting->name && !is_full && !setting->from_file)
            said[number].by_command |= (uint64_t)1 << setting->flag;
    }
    if (is_full)
        args_fail(p, "out of memory");
    enum cli_status status = is_full                   ? CLI_BAD_MACHINE
                             : settle(p, &names, said) ? CLI_DONE
                                                       : CLI_BAD_USAGE;
    names_free(&names);
    free(said);
    return status;
}
