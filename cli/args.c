/* args.c - the command line, parsed.
 *
 * One pass over the arguments; what an option looks like is read off the table in flags.def.  Commands are
 * known only when the pass is over, so whether an option applies, and whether it names a tensor, is decided
 * at the end.  taco's spellings, -f=A:ds and the names of C's types, are taken too; its options that are none of spcc's are
 * read as the words that they stand for (taco.def).
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
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/names.h"
#include "cli/taco.h"

enum { WORDS_MOST = 64 }; /* bytes of what an option of taco's stands for, but for its argument */

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

/* A whole number from least to most, and nothing after it but a comma. */
static bool read_integer(const char *s, long long least, long long most, long long *out)
{
    char *end;
    if (*s < '0' || *s > '9')
        return false;
    errno = 0;
    *out = strtoll(s, &end, 10);
    return errno == 0 && (*end == 0 || *end == ',') && *out >= least && *out <= most;
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
        {"int32", "i32"}, {"uint32", "u32"},
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
        if (setting->flag == CLI_FLAG_OUTPUT)
            return help(p, "say whose result it is, as in -o y:%s; without -o the last goes to standard output", argument);
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

static bool read_name(struct parser *p, enum cli_flag flag, const char *argument)
{
    size_t n = identifier(argument);
    if (n == 0 || argument[n])
        return fail(p, "--%s: '%s' is not a C identifier", cli_flags[flag].name, argument);
    *(flag == CLI_FLAG_NAME ? &p->request->function : &p->request->prefix) = argument;
    return true;
}

static bool read_count(struct parser *p, enum cli_flag flag, const char *argument)
{
    long long n;
    const char *what = cli_flags[flag].name;
    int most = flag == CLI_FLAG_THREADS ? 65536 : CLI_RUNS_MOST;
    if (!read_integer(argument, 1, most, &n))
        return fail(p, "--%s: '%s' is not a number of %s, from 1 to %d", what, argument, what, most);
    *(flag == CLI_FLAG_THREADS ? &p->request->threads : &p->request->runs) = (int)n;
    return true;
}

static bool read_plot(struct parser *p, const char *argument)
{
    size_t n = argument ? strlen(argument) : 0;
    p->request->plot = true;
    p->request->plot_file = argument;
    if (!argument || strcmp(argument, "-") == 0 || (n > 4 && strcmp(argument + n - 4, ".svg") == 0))
        return true;
    fail(p, "--plot: pictures are SVG, and '%s' is called otherwise", argument);
    return help(p, "--plot=NAME.svg, --plot=- for standard output, or --plot alone for characters");
}

/* "1500M" */
static bool read_memory(struct parser *p, const char *argument)
{
    static const char units[] = "kMGT";
    char digits[24] = "";
    long long n;
    size_t length = strspn(argument, "0123456789");
    const char *unit = argument[length] ? strchr(units, argument[length]) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (length < sizeof digits)
        memcpy(digits, argument, length);
    if (argument[length + (unit != NULL)] || !read_integer(digits, 1, LLONG_MAX >> shift, &n)) {
        fail(p, "--max-memory: '%s' is not a size", argument);
        return help(p, "for example --max-memory=500M or --max-memory=4G");
    }
    p->request->max_memory = n << shift;
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
    case CLI_FLAG_NAME:
    case CLI_FLAG_PREFIX: return read_name(p, flag, argument);
    case CLI_FLAG_THREADS:
    case CLI_FLAG_RUNS: return read_count(p, flag, argument);
    case CLI_FLAG_NO_PLAN: request->no_plan = true; break;
    case CLI_FLAG_JSON: request->json = true; break;
    case CLI_FLAG_WARN: request->warns = true; break;
    case CLI_FLAG_MAX_MEMORY: return read_memory(p, argument);
    case CLI_FLAG_BASE: request->zero_based = choice == 0; break;
    case CLI_FLAG_SYMMETRIC: request->symmetry = (enum cli_symmetry)(choice + 1); break;
    case CLI_FLAG_SYNC: request->sync = true; break;
    case CLI_FLAG_INDEX: request->index_bits = choice == 0 ? 32 : 64; break;
    case CLI_FLAG_VECTOR: request->vector_bits = choice == 0 ? 256 : 512; break;
    case CLI_FLAG_PLAIN: request->plain = true; break;
    case CLI_FLAG_EMIT: request->stage = (enum cli_stage)(choice + 1); break;
    case CLI_FLAG_PLOT: return read_plot(p, argument);
    case CLI_FLAG_TARGET: request->target = (enum cli_target)(choice + 1); break;
    case CLI_FLAG_KERNEL: request->kernel = (enum cli_kernel)(choice + 1); break;
    case CLI_FLAG_JIT: request->jit = (enum cli_jit)(choice + 1); break;
    case CLI_FLAG_TIME: request->time = argument ? CLI_TIME_JSON : CLI_TIME_TEXT; break;
    case CLI_FLAG_COLOR: request->color = (enum cli_color)choice; break;
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

/* ---- taco's options ---- */

static bool read_word(struct parser *p, const char *word);

/* -g=T:FILL */
static bool read_generated(struct parser *p, const char *argument)
{
    size_t n = identifier(argument);
    const char *brief, *recipe = taco_recipe(argument + n + (argument[n] == ':'), &brief);
    if (n == 0 || argument[n] != ':' || !recipe) {
        fail(p, brief ? "-g=%s: spcc has no recipe for %s: give a file with -i" : "-g=%s: expected T:FILL", argument,
             brief);
        return help(p, "spcc help taco");
    }
    char *input = p->free;
    p->free += sprintf(input, "%.*s:%s", (int)n, argument, recipe) + 1;
    return read_flag(p, CLI_FLAG_INPUT, input);
}

static void add_view(struct parser *p, char letter, const char *path)
{
    static const struct { char letter; enum cli_stage stage; enum cli_kernel kernel; } views[] = {
        {'a', CLI_STAGE_C, CLI_KERNEL_ASSEMBLE}, {'c', CLI_STAGE_C, CLI_KERNEL_COMPUTE},
        {'e', CLI_STAGE_C, CLI_KERNEL_FUSED}, {'p', CLI_STAGE_PLAN, CLI_KERNEL_DEFAULT},
        {'g', CLI_STAGE_GRAPH_DOT, CLI_KERNEL_DEFAULT},
    };
    for (size_t v = 0; v < sizeof views / sizeof *views; v++)
        if (views[v].letter == letter)
            p->request->views[p->request->n_views++] = (struct cli_view){views[v].stage, views[v].kernel, path};
}

static bool read_taco(struct parser *p, const struct taco_option *option, const char *argument)
{
    bool may_lack = !option->argument || option->argument[0] == '[';
    if (option->says) {
        fail(p, "-%s is taco's and %s; %s", option->name, option->brief, option->says);
        return help(p, "spcc help taco");
    }
    if (argument && !option->argument)
        return fail(p, "-%s takes no argument, but '%s' follows it", option->name, argument);
    if (argument ? !*argument : !may_lack)
        return fail(p, "-%s needs an argument: -%s=%s", option->name, option->name, option->argument);
    if (strcmp(option->name, "g") == 0)
        return read_generated(p, argument);
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

/* --name, --name=argument */
static bool read_long(struct parser *p, const char *word)
{
    const char *argument;
    size_t n = strcspn(word, "=");
    const char *name = store(p, word, n);
    enum cli_flag flag = cli_flag_named(name);
    if (flag != CLI_FLAG_NONE)
        return read_flag(p, flag, word[n] ? word + n + 1 : NULL);
    const struct taco_option *option = taco_find(word, &argument);
    if (option)
        return read_taco(p, option, argument);
    struct suggestion near = suggest_for(name);
    cli_suggest_flag(&near);
    fail(p, "--%s is not an option", name);
    return near.nearest ? help(p, "did you mean --%.*s?", near.length, near.nearest)
                        : help(p, "'spcc -h' lists the options");
}

/* -f argument, -fargument, and taco's -f=argument */
static bool read_short(struct parser *p, const char *word)
{
    const char *argument;
    const struct taco_option *option = taco_find(word, &argument);
    if (option)
        return read_taco(p, option, argument);
    enum cli_flag flag = cli_flag_lettered(word[0]);
    const char *name = store(p, word, strcspn(word, "="));
    bool is_word = strlen(name) > 1 && cli_flag_named(name) != CLI_FLAG_NONE;
    struct suggestion near = suggest_for(name);
    if (strlen(name) > 3)
        taco_suggest(&near);
    if (is_word || flag == CLI_FLAG_NONE || (near.nearest && !strchr(name, ':'))) {
        fail(p, "-%s is not an option", name);
        return is_word        ? help(p, "did you mean --%s?", name)
               : near.nearest ? help(p, "did you mean -%.*s?", near.length, near.nearest)
                              : help(p, "'spcc -h' lists the options");
    }
    const char *rest = word[1] ? word + 1 + (word[1] == '=') : NULL;
    return read_flag(p, flag, rest);
}

/* Can it be a statement, or a file of them? */
static bool is_statement(const char *word) { return strchr(word, '=') || cli_is_file(word); }

static struct suggestion nearest_command(const char *word)
{
    struct suggestion near = suggest_for(word);
    cli_suggest_command(&near);
    return near;
}

/* It is neither that nor a command. */
static bool complain_of_subject(struct parser *p, const char *subject)
{
    struct suggestion near = nearest_command(subject);
    fail(p, "'%s' is neither a command nor a statement", subject);
    return near.nearest ? help(p, "did you mean spcc %.*s?", near.length, near.nearest)
                        : help(p, "a statement is an assignment, as y(i) = A(i,j) * x(j), in quotes; a file of them is "
                                  "called NAME.spcc");
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
        fail(p, "'%s' is one argument too many: there is '%s' already", word, request->subject);
        return help(p, "put the statement in quotes, and -f, -t, -s, -d, -i, -o before what they say");
    }
    request->subject = word;
    return true;
}

static bool read_word(struct parser *p, const char *word)
{
    bool is_topic = p->request->names_command && p->request->command == CLI_HELP;
    bool is_operand = p->only_operands || is_topic || word[0] != '-' || word[1] == 0;
    if (p->at <= p->own && p->own > 1 && (is_operand || strcmp(word, "--") == 0))
        return fail(p, "'%s' is not an option", word);
    if (is_operand)
        return read_operand(p, word);
    if (strcmp(word, "--") == 0)
        return p->only_operands = true;
    return word[1] == '-' ? read_long(p, word + 2) : read_short(p, word + 1);
}

/* An input on the command line is there to be computed with, as for taco. */
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
        fail(p, "there is no statement");
    else
        fail(p, "%s needs %s", command->name,
             p->request->command == CLI_INFO      ? "a file for --plot"
             : p->request->command == CLI_CONVERT ? "a file to read and one to write"
                                                  : "a statement");
    switch (p->request->command) {
    case CLI_INFO: return help(p, "for example spcc info matrix.mtx --plot");
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
    if ((!subject && (command->operand[0] != '[' || request->plot))
        || (request->command == CLI_CONVERT && !request->second))
        return lacks_operand(p);
    return !subject || request->names_command || is_statement(subject) || complain_of_subject(p, subject);
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
    if (setting->flag != CLI_FLAG_SIZE)
        return true;
    for (const char *s = setting->value; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL) {
        if (read_integer(s, 0, LLONG_MAX, &setting->size))
            continue;
        fail(p, "-d %s: %.*s is not a size", argument, (int)strcspn(s, ","), s);
 return help(p, "a size is a whole number: -d i:100 of an index variable, -d A:100,200 of a tensor's modes");
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

static bool fail_repeat(struct parser *p, const struct cli_setting *a, const struct cli_setting *b)
{
    char option[32];
    p->error->value = b->value;
    if (b->from_file) /* where there may be no option to name */
        return fail(p, "the %s of %s is given twice: %s and %s", cli_flags[b->flag].name, b->name, a->value, b->value);
    return fail(p, "%s is given twice for %s: %s and %s", spelling(b->flag, option), b->name, a->value, b->value);
}

/* What has been said under a name, a bit for each flag: by the command line, and so far. */
struct said { uint64_t by_command, so_far; };

_Static_assert((int)CLI_FLAGS <= 64, "a bit for each flag");

/* Was the setting's name given under this flag before?  Complains. */
static bool is_repeated(struct parser *p, int kept, const struct cli_setting *b)
{
    const struct cli_setting *settings = p->request->settings;
    for (int r = 0; r < kept; r++)
        if (settings[r].flag == b->flag && strcmp(settings[r].name, b->name) == 0)
            return fail_repeat(p, &settings[r], b), true;
    return false;
}

/* No tensor or index variable has two formats, types, sizes, inputs or outputs, and standard input one reader.  But what
 * the command line says takes the place of what a file does. */
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
            return fail(p, "-i: %s and %s cannot both come from standard input", reader, b->name);
        reader = reads_input ? b->name : reader;
        request->settings[kept++] = *b;
    }
    request->n_settings = kept;
    return true;
}

static enum cli_status settle_settings(struct parser *p)
{
    const struct cli_request *request = p->request;
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
        fail(p, "out of memory");
    enum cli_status status = is_full ? CLI_BAD_MACHINE : settle(p, &names, said) ? CLI_DONE : CLI_BAD_USAGE;
    names_free(&names);
    free(said);
    return status;
}

/* Every argument is copied at most three times: as the words it stands for, an option's name and a tensor's. */
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

static enum cli_status parse(struct parser *p)
{
    struct cli_request *request = p->request;
    if (!read_arguments(p))
        return CLI_BAD_USAGE;
    if (request->wants_help != CLI_FLAG_NONE || request->command == CLI_VERSION)
        return CLI_DONE;
    if (!check_subject(p) || !check_flags(p) || !read_settings(p))
        return CLI_BAD_USAGE;
    return settle_settings(p);
}

enum cli_status cli_parse_with(int n_words, const char *const *words, int argc, const char *const *argv,
                               struct cli_request *request, struct cli_error *error)
{
    struct parser p = {.argc = argc + n_words, .at = 1, .own = 1 + n_words, .request = request, .error = error};
    *request = (struct cli_request){.command = CLI_EMIT, .wants_help = CLI_FLAG_NONE, .argc = argc, .argv = argv};
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
