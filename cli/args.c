/* args.c - the command line, parsed.
 *
 * One pass over the arguments; what an option looks like is read off the table in flags.def.  Commands are
 * known only when the pass is over, so whether an option applies, and whether it names a tensor, is decided
 * at the end.  The spellings of taco's command line, -f=A:ds and the names of C's types, are taken too.
 * What follows 'help' is a topic even if it looks like an option.
 *
 * A statement file's options come through here as well, as words before those of the command line.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/args.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of a pass. */
struct parser {
    const char *const *argv;
    int argc, at;                /* argv[at] comes next */
    int own;                     /* argv[own] is the first that does not come from a file */
    struct cli_request *request;
    struct cli_error *error;
    char *free;                  /* the unused rest of request->storage */
    bool only_operands;          /* after "--" */
    enum cli_flag used[CLI_FLAGS];
    int n_used;                  /* the distinct options that were given */
};

static bool fail(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct parser *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->message, sizeof p->error->message, format, args);
    va_end(args);
    return false;
}

static bool help(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool help(struct parser *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->help, sizeof p->error->help, format, args);
    va_end(args);
    return false;
}

/* The option as a user would write it: -f, or --jit where it has no letter. */
static const char *spelling(enum cli_flag flag, char out[32])
{
    const struct cli_flag_info *info = &cli_flags[flag];
    if (info->letter)
        snprintf(out, 32, "-%c", info->letter);
    else
        snprintf(out, 32, "--%s", info->name);
    return out;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The length of the identifier that s starts with. */
static size_t identifier(const char *s)
{
    size_t n = 0;
    while (is_letter(s[n]) || (n > 0 && s[n] >= '0' && s[n] <= '9'))
        n++;
    return n;
}

/* A whole number from least to most, and nothing after it. */
static bool read_integer(const char *s, long long least, long long most, long long *out)
{
    char *end;
    if (*s < '0' || *s > '9')
        return false;
    errno = 0;
    *out = strtoll(s, &end, 10);
    return errno == 0 && *end == 0 && *out >= least && *out <= most;
}

static char *store(struct parser *p, const char *s, size_t n)
{
    char *copy = p->free;
    memcpy(copy, s, n);
    copy[n] = 0;
    p->free += n + 1;
    return copy;
}

/* taco's names of the types, which are C's. */
static const char *type_spelling(const char *name)
{
    static const char *const table[][2] = {
        {"float", "f32"}, {"double", "f64"}, {"complexfloat", "c64"}, {"complexdouble", "c128"},
        {"char", "i8"}, {"short", "i16"}, {"int", "i32"}, {"long", "i64"}, {"longlong", "i64"},
        {"uchar", "u8"}, {"ushort", "u16"}, {"uint", "u32"}, {"ulong", "u64"}, {"ulonglong", "u64"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        if (strcmp(table[t][0], name) == 0)
            return table[t][1];
    return name;
}

/* An example of the option's argument, for messages. */
static const char *example(enum cli_flag flag)
{
    switch ((int)flag) {
    case CLI_FLAG_FORMAT: return "-f A:csr";
    case CLI_FLAG_TYPE: return "-t A:f32";
    case CLI_FLAG_FILL: return "--fill A:inf";
    case CLI_FLAG_SIZE: return "-d i:100";
    case CLI_FLAG_INPUT: return "-i A:matrix.mtx";
    case CLI_FLAG_OUTPUT: return "-o y:y.tns";
    }
    return "";
}

/* The argument split at its colon. */
static bool split_pair(struct parser *p, struct cli_setting *setting, const char *argument)
{
    char option[32];
    size_t n = identifier(argument);
    if (n == 0 || argument[n] != ':' || argument[n + 1] == 0) {
        fail(p, "%s %s: expected %s", spelling(setting->flag, option), argument,
             setting->flag == CLI_FLAG_OUTPUT ? "T:FILE" : cli_flags[setting->flag].argument);
        return help(p, "for example %s", example(setting->flag));
    }
    setting->name = store(p, argument, n);
    setting->value = argument + n + 1;
    return true;
}

static bool add_setting(struct parser *p, enum cli_flag flag, const char *argument)
{
    p->request->settings[p->request->n_settings++] =
        (struct cli_setting){.flag = flag, .value = argument, .from_file = p->at <= p->own && p->own > 1};
    return true;
}

static bool read_choice(struct parser *p, enum cli_flag flag, const char *argument, int *choice)
{
    char option[32];
    struct suggestion near = suggest_for(argument);
    *choice = cli_choice_named(cli_flags[flag].choices, argument);
    if (*choice >= 0)
        return true;
    fail(p, "%s: '%s' is none of %s", spelling(flag, option), argument, cli_flags[flag].choices);
    cli_suggest_choice(&near, cli_flags[flag].choices);
    if (near.nearest)
        help(p, "did you mean %.*s?", near.length, near.nearest);
    return false;
}

static bool read_name(struct parser *p, const char *argument)
{
    size_t n = identifier(argument);
    if (n == 0 || argument[n])
        return fail(p, "--name: '%s' is not a C identifier", argument);
    p->request->function = argument;
    return true;
}

static bool read_threads(struct parser *p, const char *argument)
{
    long long n;
    if (!read_integer(argument, 1, 65536, &n))
        return fail(p, "--threads: '%s' is not a number of threads", argument);
    p->request->threads = (int)n;
    return true;
}

/* Takes in one option; argument is NULL where there is none. */
static bool take(struct parser *p, enum cli_flag flag, const char *argument)
{
    struct cli_request *request = p->request;
    int choice = 0;
    if (argument && cli_flags[flag].choices && !read_choice(p, flag, argument, &choice))
        return false;
    switch (flag) {
    case CLI_FLAG_FORMAT:
    case CLI_FLAG_TYPE:
    case CLI_FLAG_FILL:
    case CLI_FLAG_OP:
    case CLI_FLAG_SIZE:
    case CLI_FLAG_SCHEDULE:
    case CLI_FLAG_INPUT:
    case CLI_FLAG_OUTPUT: return add_setting(p, flag, argument);
    case CLI_FLAG_NAME: return read_name(p, argument);
    case CLI_FLAG_THREADS: return read_threads(p, argument);
    case CLI_FLAG_NO_PLAN: request->no_plan = true; break;
    case CLI_FLAG_JSON: request->json = true; break;
    case CLI_FLAG_INDEX: request->index_bits = choice == 0 ? 32 : 64; break;
    case CLI_FLAG_VECTOR: request->vector_bits = choice == 0 ? 256 : 512; break;
    case CLI_FLAG_EMIT: request->stage = (enum cli_stage)(choice + 1); break;
    case CLI_FLAG_TARGET: request->target = (enum cli_target)(choice + 1); break;
    case CLI_FLAG_KERNEL: request->kernel = (enum cli_kernel)(choice + 1); break;
    case CLI_FLAG_JIT: request->jit = (enum cli_jit)(choice + 1); break;
    case CLI_FLAG_TIME: request->time = argument ? CLI_TIME_JSON : CLI_TIME_TEXT; break;
    case CLI_FLAG_BRIEF:
    case CLI_FLAG_HELP: request->wants_help = flag; break;
    case CLI_FLAG_VERSION: request->command = CLI_VERSION; break;
    case CLI_FLAGS:
    case CLI_FLAG_NONE: break;
    }
    return true;
}

/* Finds the option's argument, which may be attached or be the next of argv, and takes both in. */
static bool read_flag(struct parser *p, enum cli_flag flag, const char *attached)
{
    char option[32];
    enum cli_argument kind = cli_flag_argument(flag);
    bool seen = false;
    for (int u = 0; u < p->n_used; u++)
        seen |= p->used[u] == flag;
    if (!seen)
        p->used[p->n_used++] = flag;
    if (kind == CLI_NO_ARGUMENT && attached)
        return fail(p, "%s takes no argument, but '%s' follows it", spelling(flag, option), attached);
    if (kind != CLI_NO_ARGUMENT && kind != CLI_OPTIONAL_WORD && !attached) {
        if (p->at == p->argc || p->at == p->own)
            return fail(p, "%s needs an argument: %s", spelling(flag, option), cli_flags[flag].argument);
        attached = p->argv[p->at++];
    }
    if (attached && !*attached)
        return fail(p, "%s: its argument is empty", spelling(flag, option));
    return take(p, flag, attached);
}

/* --name, --name=argument */
static bool read_long(struct parser *p, const char *word)
{
    size_t n = strcspn(word, "=");
    const char *name = store(p, word, n);
    enum cli_flag flag = cli_flag_named(name);
    if (flag != CLI_FLAG_NONE)
        return read_flag(p, flag, word[n] ? word + n + 1 : NULL);
    struct suggestion near = suggest_for(name);
    cli_suggest_flag(&near);
    fail(p, "--%s is not an option", name);
    return near.nearest ? help(p, "did you mean --%.*s?", near.length, near.nearest)
                        : help(p, "'spcc -h' lists the options");
}

/* -f argument, -fargument, and taco's -f=argument */
static bool read_short(struct parser *p, const char *word)
{
    enum cli_flag flag = cli_flag_lettered(word[0]);
    bool is_word = strlen(word) > 1 && cli_flag_named(word) != CLI_FLAG_NONE;
    if (is_word || flag == CLI_FLAG_NONE) {
        fail(p, "-%s is not an option", word);
        return is_word ? help(p, "did you mean --%s?", word) : help(p, "'spcc -h' lists the options");
    }
    const char *rest = word[1] ? word + 1 + (word[1] == '=') : NULL;
    return read_flag(p, flag, rest);
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
    if (request->subject) {
        fail(p, "'%s' is one argument too many: there is '%s' already", word, request->subject);
        return help(p, "put the statement in quotes, and -f, -t, -s, -d, -i, -o before what they say");
    }
    request->subject = word;
    return true;
}

static bool read_arguments(struct parser *p)
{
    while (p->at < p->argc) {
        const char *word = p->argv[p->at++];
        bool done;
        bool is_topic = p->request->names_command && p->request->command == CLI_HELP;
        bool is_operand = p->only_operands || is_topic || word[0] != '-' || word[1] == 0;
        if (p->at <= p->own && p->own > 1 && (is_operand || strcmp(word, "--") == 0))
            done = fail(p, "'%s' is not an option", word);
        else if (is_operand)
            done = read_operand(p, word);
        else if (strcmp(word, "--") == 0)
            done = p->only_operands = true;
        else if (word[1] == '-')
            done = read_long(p, word + 2);
        else
            done = read_short(p, word + 1);
        if (!done)
            return false;
    }
    return true;
}

static bool lacks_operand(struct parser *p)
{
    const struct cli_command_info *command = &cli_commands[p->request->command];
    if (!p->request->names_command && p->n_used == 0)
        fail(p, "there is no statement");
    else
        fail(p, "%s needs %s", command->name,
             strcmp(command->operand, "FILE") == 0 ? "a file"
             : p->request->command == CLI_CONVERT  ? "a file to read and one to write"
                                                   : "a statement");
    switch (p->request->command) {
    case CLI_INFO: return help(p, "for example spcc info matrix.mtx");
    case CLI_CONVERT: return help(p, "for example spcc convert matrix.mtx matrix.tns.gz");
    case CLI_EMIT: case CLI_RUN: case CLI_EXPLAIN: case CLI_HELP: case CLI_VERSION: case CLI_COMMANDS: break;
    }
    return help(p, "for example spcc \"y(i) = A(i,j) * x(j)\" -f A:csr; 'spcc -h' says more");
}

/* The operand is there, and is what the command wants. */
static bool check_subject(struct parser *p)
{
    struct cli_request *request = p->request;
    const char *subject = request->subject;
    const struct cli_command_info *command = &cli_commands[request->command];
    if (!command->operand)
        return true;
    if ((!subject && command->operand[0] != '[') || (request->command == CLI_CONVERT && !request->second))
        return lacks_operand(p);
    if (subject && !request->names_command && !strchr(subject, '=') && !cli_is_file(subject)) {
        struct suggestion near = suggest_for(subject);
        cli_suggest_command(&near);
        fail(p, "'%s' is neither a command nor a statement", subject);
        return near.nearest
                   ? help(p, "did you mean spcc %.*s?", near.length, near.nearest)
                   : help(p, "a statement is an assignment, as y(i) = A(i,j) * x(j), in quotes; a file of them is "
                             "called NAME.spcc");
    }
    return true;
}

static bool check_flags(struct parser *p)
{
    enum cli_command command = p->request->command;
    for (int u = 0; u < p->n_used; u++) {
        char option[32];
        enum cli_flag flag = p->used[u];
        if (cli_flag_applies(flag, command))
            continue;
        fail(p, "%s is not an option of spcc %s", spelling(flag, option), cli_commands[command].name);
        if (command == CLI_EMIT && cli_flag_applies(flag, CLI_RUN))
            help(p, "spcc run EXPR reads files and computes");
        else if (command == CLI_RUN && cli_flag_applies(flag, CLI_EMIT))
            help(p, "it belongs to spcc emit and spcc explain");
        return false;
    }
    return true;
}

/* Does the option's argument begin with a name in this command? */
static bool is_pair(enum cli_flag flag, enum cli_command command)
{
    switch (cli_flag_argument(flag)) {
    case CLI_PAIR: return command != CLI_CONVERT;
    case CLI_MAYBE_PAIR: return command == CLI_RUN;
    case CLI_NO_ARGUMENT: case CLI_WORD: case CLI_OPTIONAL_WORD: break;
    }
    return false;
}

static bool read_setting(struct parser *p, struct cli_setting *setting)
{
    const char *argument = setting->value;
    if (is_pair(setting->flag, p->request->command) && !split_pair(p, setting, argument))
        return false;
    if (setting->flag == CLI_FLAG_TYPE)
        setting->value = type_spelling(setting->value);
    if (setting->flag == CLI_FLAG_SIZE && !read_integer(setting->value, 0, LLONG_MAX, &setting->size)) {
        fail(p, "-d %s: %s is not a size", argument, setting->value);
        return help(p, "a size is a whole number, given by index variable: -d i:100");
    }
    return true;
}

/* The file that emit and explain write their text to. */
static bool read_output(struct parser *p, const struct cli_setting *setting)
{
    size_t n = identifier(setting->value);
    if (n > 0 && setting->value[n] == ':') {
        fail(p, "-o %s: spcc %s writes text, not tensors", setting->value, cli_commands[p->request->command].name);
        return help(p, "to compute, spcc run; a file of that name is ./%s", setting->value);
    }
    p->request->output = setting->value;
    return true;
}

/* What the settings' arguments say, which depends on the command. */
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

/* What the command line says about a tensor or index variable takes the place of what a file does. */
static void replace_settings(struct cli_request *request)
{
    int kept = 0;
    for (int s = 0; s < request->n_settings; s++) {
        const struct cli_setting *a = &request->settings[s];
        bool is_replaced = false;
        for (int r = s + 1; r < request->n_settings && a->from_file && a->name; r++) {
            const struct cli_setting *b = &request->settings[r];
            is_replaced |= !b->from_file && a->flag == b->flag && strcmp(a->name, b->name) == 0;
        }
        if (!is_replaced)
            request->settings[kept++] = *a;
    }
    request->n_settings = kept;
}

static bool fail_repeat(struct parser *p, const struct cli_setting *a, const struct cli_setting *b)
{
    char option[32];
    if (b->from_file) /* where there may be no option to name */
        return fail(p, "the %s of %s is given twice: %s and %s", cli_flags[b->flag].name, b->name, a->value, b->value);
    return fail(p, "%s is given twice for %s: %s and %s", spelling(b->flag, option), b->name, a->value, b->value);
}

/* No tensor or index variable has two formats, types, sizes, inputs or outputs, and standard input one reader. */
static bool check_repeats(struct parser *p)
{
    const struct cli_request *request = p->request;
    for (int s = 0; s < request->n_settings; s++) {
        const struct cli_setting *b = &request->settings[s];
        for (int r = 0; r < s; r++) {
            const struct cli_setting *a = &request->settings[r];
            if (a->flag != b->flag || !a->name)
                continue;
            if (strcmp(a->name, b->name) == 0)
                return fail_repeat(p, a, b);
            if (b->flag == CLI_FLAG_INPUT && strcmp(a->value, "-") == 0 && strcmp(b->value, "-") == 0)
                return fail(p, "-i: %s and %s cannot both come from standard input", a->name, b->name);
        }
    }
    return true;
}

/* Everything is copied at most once, so the arguments' own size is enough. */
static bool reserve(struct parser *p)
{
    size_t bytes = 1;
    for (int a = 1; a < p->argc; a++)
        bytes += strlen(p->argv[a]) + 1;
    p->request->settings = calloc((size_t)p->argc + 1, sizeof *p->request->settings);
    p->request->storage = p->free = malloc(bytes);
    return p->request->settings && p->request->storage;
}

static enum cli_status parse(struct parser *p)
{
    struct cli_request *request = p->request;
    if (!read_arguments(p))
        return CLI_BAD_USAGE;
    if (request->wants_help != CLI_FLAG_NONE || request->command == CLI_VERSION)
        return CLI_DONE;
    if (!check_subject(p) || !check_flags(p) || !read_settings(p))
        return CLI_BAD_USAGE;
    replace_settings(request);
    return check_repeats(p) ? CLI_DONE : CLI_BAD_USAGE;
}

enum cli_status cli_parse_with(int n_words, const char *const *words, int argc, const char *const *argv,
                               struct cli_request *request, struct cli_error *error)
{
    struct parser p = {.argc = argc + n_words, .at = 1, .own = 1 + n_words, .request = request, .error = error};
    *request = (struct cli_request){.command = CLI_EMIT, .wants_help = CLI_FLAG_NONE, .argc = argc, .argv = argv};
    *error = (struct cli_error){{0}, {0}};
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
        status = parse(&p);
    else
        fail(&p, "out of memory");
    free(all);
    return status;
}

enum cli_status cli_parse(int argc, const char *const *argv, struct cli_request *request, struct cli_error *error)
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
