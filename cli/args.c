/* args.c - parses the command line.
 *
 * One pass over the arguments.  The table in flags.def says what an option looks like,
 * args_values.c reads its argument.  The command is known only when the pass is over, so
 * args_settle.c decides at the end whether an option applies, and whether it names a tensor.
 *
 * taco's spellings, -f=A:ds and the names of C's types, are accepted, too.  taco's other options
 * stand for words of spcc's (taco.def).  A word after 'help' is a topic, even if it looks like an
 * option.
 *
 * A statement file's options are parsed here as well, as words before those of the command line.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/args_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/taco.h"

/* bytes of the words for an option of taco's, without its argument */
enum { WORDS_MOST = 64 };

/* Finds the option's argument, attached or in the next word, and reads both. */
static bool read_flag(struct parser *p, enum cli_flag flag, const char *attached)
{
    char option[32];
    enum cli_argument kind = cli_flag_argument(flag);
    bool seen = false;
    if (args_in_file(p) && !strchr(cli_flags[flag].commands, 'f')) {
        args_fail(p, "%s is not an option of statement files", args_spelling(flag, option));
        return args_help(p, "files name no files, engines and limits: the command line does");
    }
    for (int u = 0; u < p->n_used; u++)
        seen |= p->used[u] == flag;
    if (!seen)
        p->used[p->n_used++] = flag;
    if (kind == CLI_NO_ARGUMENT && attached)
        return args_fail(p, "%s takes no argument, but '%s' follows it",
                         args_spelling(flag, option), attached);
    if (kind != CLI_NO_ARGUMENT && kind != CLI_OPTIONAL_WORD && !attached) {
        if (p->at == p->argc || p->at == p->own)
            return args_fail(p, "%s needs an argument: %s", args_spelling(flag, option),
                             cli_flags[flag].argument);
        attached = p->argv[p->at++];
    }
    if (attached && !*attached)
        return args_fail(p, "%s: its argument is empty", args_spelling(flag, option));
    return args_take(p, flag, attached);
}

/* ---- taco's options ---- */

static bool read_word(struct parser *p, const char *word);

/* Reads -g=T:FILL. */
static bool read_generated(struct parser *p, const char *argument)
{
    size_t n = args_identifier(argument);
    const char *brief, *recipe = taco_recipe(argument + n + (argument[n] == ':'), &brief);
    if (n == 0 || argument[n] != ':' || !recipe) {
        args_fail(p,
                  brief ? "-g=%s: spcc has no recipe for %s: give a file with -i"
                        : "-g=%s: expected T:FILL",
                  argument, brief);
        return args_help(p, "spcc help taco");
    }
    char *input = p->free;
    p->free += sprintf(input, "%.*s:%s", (int)n, argument, recipe) + 1;
    return read_flag(p, CLI_FLAG_INPUT, input);
}

static void add_view(struct parser *p, char letter, const char *path)
{
    static const struct {
        char letter;
        enum cli_stage stage;
        enum cli_kernel kernel;
    } views[] = {
        {'a', CLI_STAGE_C, CLI_KERNEL_ASSEMBLE},        {'c', CLI_STAGE_C, CLI_KERNEL_COMPUTE},
        {'e', CLI_STAGE_C, CLI_KERNEL_FUSED},           {'p', CLI_STAGE_PLAN, CLI_KERNEL_DEFAULT},
        {'g', CLI_STAGE_GRAPH_DOT, CLI_KERNEL_DEFAULT},
    };
    for (size_t v = 0; v < sizeof views / sizeof *views; v++)
        if (views[v].letter == letter)
            p->request->views[p->request->n_views++] =
                (struct cli_view){views[v].stage, views[v].kernel, path};
}

static bool read_taco(struct parser *p, const struct taco_option *option, const char *argument)
{
    bool may_lack = !option->argument || option->argument[0] == '[';
    if (option->says) {
        args_fail(p, "-%s is taco's and %s; %s", option->name, option->brief, option->says);
        return args_help(p, "spcc help taco");
    }
    if (argument && !option->argument)
        return args_fail(p, "-%s takes no argument, but '%s' follows it", option->name, argument);
    if (argument ? !*argument : !may_lack)
        return args_fail(p, "-%s needs an argument: -%s=%s", option->name, option->name,
                         option->argument);
    if (strcmp(option->name, "g") == 0)
        return read_generated(p, argument);
    if (args_in_file(p) && option->views[0] && argument)
        return args_fail(p, "-%s=%s is not an option of statement files", option->name, argument);
    for (const char *view = option->views; *view; view++)
        add_view(p, *view, argument);
    const char *word = p->free;
    int n = taco_words(option, argument, p->free, WORDS_MOST + (argument ? strlen(argument) : 0));
    for (int w = 0; w < n; w++)
        p->free += strlen(p->free) + 1;
    for (; n > 0; n--, word += strlen(word) + 1)
        if (!read_word(p, word))
            return false;
    return true;
}

/* ---- words ---- */

/* Reads --name or --name=argument. */
static bool read_long(struct parser *p, const char *word)
{
    const char *argument;
    size_t n = strcspn(word, "=");
    const char *name = args_store(p, word, n);
    enum cli_flag flag = cli_flag_named(name);
    if (flag != CLI_FLAG_NONE)
        return read_flag(p, flag, word[n] ? word + n + 1 : NULL);
    const struct taco_option *option = taco_find(word, &argument);
    if (option)
        return read_taco(p, option, argument);
    struct suggestion near = suggest_for(name);
    cli_suggest_flag(&near);
    args_fail(p, "--%s is not an option", name);
    return near.nearest ? args_help(p, "did you mean --%.*s?", near.length, near.nearest)
                        : args_help(p, "'spcc -h' lists the options");
}

/* Reads -f argument, -fargument, or taco's -f=argument. */
static bool read_short(struct parser *p, const char *word)
{
    const char *argument;
    const struct taco_option *option = taco_find(word, &argument);
    if (option)
        return read_taco(p, option, argument);
    enum cli_flag flag = cli_flag_lettered(word[0]);
    const char *name = args_store(p, word, strcspn(word, "="));
    bool is_word = strlen(name) > 1 && cli_flag_named(name) != CLI_FLAG_NONE;
    struct suggestion near = suggest_for(name);
    if (strlen(name) > 3)
        taco_suggest(&near);
    if (is_word || flag == CLI_FLAG_NONE || (near.nearest && !strchr(name, ':'))) {
        args_fail(p, "-%s is not an option", name);
        return is_word        ? args_help(p, "did you mean --%s?", name)
               : near.nearest ? args_help(p, "did you mean -%.*s?", near.length, near.nearest)
                              : args_help(p, "'spcc -h' lists the options");
    }
    const char *rest = word[1] ? word + 1 + (word[1] == '=') : NULL;
    return read_flag(p, flag, rest);
}

/* Can it be a statement, or a file of them?  Other notations, as A @ x and ij,j->i, count: the
 * compiler gives their translation. */
static bool is_statement(const char *word)
{
    size_t n = strlen(word);
    bool is_transposed = n > 2 && strcmp(word + n - 2, ".T") == 0;
    return strpbrk(word, "=@>*+([") || is_transposed || cli_is_file(word);
}

static struct suggestion nearest_command(const char *word)
{
    struct suggestion near = suggest_for(word);
    cli_suggest_command(&near);
    return near;
}

/* Complains of a word that is neither a command nor a statement. */
static bool complain_of_subject(struct parser *p, const char *subject)
{
    struct suggestion near = nearest_command(subject);
    args_fail(p, "'%s' is neither a command nor a statement", subject);
    return near.nearest ? args_help(p, "did you mean spcc %.*s?", near.length, near.nearest)
                        : args_help(p, "a statement is an assignment, as y(i) = A(i,j) * x(j), in "
                                       "quotes; a file of them is called NAME.spcc");
}

static bool read_operand(struct parser *p, const char *word)
{
    struct cli_request *request = p->request;
    enum cli_command command = cli_command_named(word);
    if (!p->request->names_command && !request->subject && command != CLI_COMMANDS) {
        p->request->names_command = true;
        if (request->command != CLI_VERSION)
            request->command = command;
        return true;
    }
    if (request->subject && request->command == CLI_CONVERT && !request->second) {
        request->second = word;
        return true;
    }
    bool is_odd = request->subject && !request->names_command && !is_statement(request->subject);
    if (is_odd && nearest_command(request->subject).nearest)
        return complain_of_subject(p, request->subject);
    if (request->subject) {
        args_fail(p, "'%s' is one argument too many: there is '%s' already", word,
                  request->subject);
        const struct cli_command_info *info = &cli_commands[request->command];
        if (info->operand && strcmp(info->operand, "EXPR") != 0)
            return args_help(p, "spcc %s takes %s; each option stands before its argument",
                             info->name, info->operand);
        return args_help(
            p, "put the statement in quotes, and each option such as -f or -i before its argument");
    }
    request->subject = word;
    return true;
}

static bool read_word(struct parser *p, const char *word)
{
    bool is_topic = p->request->names_command && p->request->command == CLI_HELP;
    bool is_operand = p->only_operands || is_topic || word[0] != '-' || word[1] == 0;
    if (args_in_file(p) && (is_operand || strcmp(word, "--") == 0))
        return args_fail(p, "'%s' is not an option", word);
    if (is_operand)
        return read_operand(p, word);
    if (strcmp(word, "--") == 0)
        return p->only_operands = true;
    return word[1] == '-' ? read_long(p, word + 2) : read_short(p, word + 1);
}

/* An input on the command line is for a computation, as in taco. */
static void choose_command(struct cli_request *request)
{
    int i = 0;
    if (request->names_command || request->command != CLI_EMIT)
        return;
    for (const struct cli_setting *s; (s = cli_next(request, CLI_FLAG_INPUT, &i));)
        if (!s->from_file)
            request->command = CLI_RUN;
}

static bool read_arguments(struct parser *p)
{
    while (p->at < p->argc)
        if (!read_word(p, p->argv[p->at++]))
            return false;
    choose_command(p->request);
    return true;
}

static bool lacks_operand(struct parser *p)
{
    const struct cli_command_info *command = &cli_commands[p->request->command];
    if (!p->request->names_command && p->n_used == 0)
        args_fail(p, "there is no statement");
    else
        args_fail(p, "%s needs %s", command->name,
                  p->request->command == CLI_INFO      ? "a file for --plot, -f or -t"
                  : p->request->command == CLI_CPD     ? "a file with a tensor"
                  : p->request->command == CLI_CONVERT ? "a file to read and one to write"
                                                       : "a statement");
    bool is_named = p->request->names_command;
    return args_help(p, "for example spcc %s%s", command->example,
                     is_named ? "" : "; 'spcc -h' says more");
}

/* Is something asked for that info shows of files only? */
static bool asks_of_file(const struct cli_request *request)
{
    int formats = 0, types = 0;
    return request->command == CLI_INFO
           && (request->plot || cli_next(request, CLI_FLAG_FORMAT, &formats)
               || cli_next(request, CLI_FLAG_TYPE, &types));
}

/* Is there an operand, and is it one for the command? */
static bool check_subject(struct parser *p)
{
    struct cli_request *request = p->request;
    const char *subject = request->subject;
    const struct cli_command_info *command = &cli_commands[request->command];
    if (!command->operand)
        return true;
    if ((!subject && (command->operand[0] != '[' || asks_of_file(request)))
        || (request->command == CLI_CONVERT && !request->second))
        return lacks_operand(p);
    return !subject || request->names_command || is_statement(subject)
           || complain_of_subject(p, subject);
}

static bool check_flags(struct parser *p)
{
    enum cli_command command = p->request->command;
    for (int u = 0; u < p->n_used; u++) {
        char option[32];
        enum cli_flag flag = p->used[u];
        if (cli_flag_applies(flag, command))
            continue;
        args_fail(p, "%s is not an option of spcc %s", args_spelling(flag, option),
                  cli_commands[command].name);
        if (command == CLI_EMIT && cli_flag_applies(flag, CLI_RUN))
            args_help(p, "spcc run EXPR reads files and computes");
        else if (command == CLI_RUN && cli_flag_applies(flag, CLI_EMIT))
            args_help(p, "it belongs to spcc emit and spcc explain");
        return false;
    }
    return true;
}

/* Each argument is copied at most three times: as a word, as an option's name and as a tensor's. */
static bool reserve(struct parser *p)
{
    size_t bytes = 1;
    for (int a = 1; a < p->argc; a++)
        bytes += 3 * (strlen(p->argv[a]) + 1) + WORDS_MOST;
    p->request->settings = calloc((size_t)p->argc + 1, sizeof *p->request->settings);
    p->request->views = calloc(3 * (size_t)p->argc + 1, sizeof *p->request->views);
    p->request->storage = p->free = malloc(bytes);
    return p->request->settings && p->request->views && p->request->storage;
}

static enum cli_status parse_command(struct parser *p)
{
    struct cli_request *request = p->request;
    if (!read_arguments(p))
        return CLI_BAD_USAGE;
    if (request->wants_help != CLI_FLAG_NONE || request->command == CLI_VERSION)
        return CLI_DONE;
    return check_subject(p) && check_flags(p) ? args_settle(p) : CLI_BAD_USAGE;
}

enum cli_status cli_parse_with(int n_words, const char *const *words, int argc,
                               const char *const *argv, struct cli_request *request,
                               struct cli_error *error)
{
    struct parser p = {
        .argc = argc + n_words, .at = 1, .own = 1 + n_words, .request = request, .error = error};
    *request = (struct cli_request){
        .command = CLI_EMIT, .wants_help = CLI_FLAG_NONE, .argc = argc, .argv = argv};
    *error = (struct cli_error){.value = NULL};
    const char **all = calloc((size_t)p.argc + 1, sizeof *all);
    p.argv = all;
    enum cli_status status = CLI_BAD_MACHINE;
    if (all) {
        all[0] = argv[0];
        for (int w = 0; w < n_words; w++)
            all[1 + w] = words[w];
        for (int a = 1; a < argc; a++)
            all[n_words + a] = argv[a];
    }
    if (all && reserve(&p))
        status = parse_command(&p);
    else
        args_fail(&p, "out of memory");
    free(all);
    return status;
}

enum cli_status cli_parse(int argc, const char *const *argv, struct cli_request *request,
                          struct cli_error *error)
{
    return cli_parse_with(0, NULL, argc, argv, request, error);
}

bool cli_is_file(const char *subject)
{
    size_t n = strlen(subject);
    return strcmp(subject, "-") == 0 || (n > 5 && strcmp(subject + n - 5, ".spcc") == 0);
}

void cli_request_free(struct cli_request *request)
{
    free(request->settings);
    free(request->views);
    free(request->storage);
    *request = (struct cli_request){.command = CLI_EMIT, .wants_help = CLI_FLAG_NONE};
}

const struct cli_setting *cli_next(const struct cli_request *request, enum cli_flag flag, int *i)
{
    while (*i < request->n_settings)
        if (request->settings[(*i)++].flag == flag)
            return &request->settings[*i - 1];
    return NULL;
}
