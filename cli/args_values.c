/* args_values.c - reads the arguments of options.
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args_parts.h"

bool args_fail(struct parser *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->message, sizeof p->error->message, format, args);
    va_end(args);
    return false;
}

bool args_help(struct parser *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->help, sizeof p->error->help, format, args);
    va_end(args);
    return false;
}

/* Returns the option as a user would write it: -f, or --jit if it has no letter. */
const char *args_spelling(enum cli_flag flag, char out[32])
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

/* Returns the length of the identifier at s. */
size_t args_identifier(const char *s)
{
    size_t n = 0;
    while (is_letter(s[n]) || (n > 0 && s[n] >= '0' && s[n] <= '9'))
        n++;
    return n;
}

/* Are they two identifiers or more, with commas and perhaps blanks between them? */
bool args_are_names(const char *s)
{
    for (int names = 1;; names++) {
        s += strspn(s, " ");
        size_t n = args_identifier(s);
        if (n == 0)
            return false;
        s += n;
        s += strspn(s, " ");
        if (!*s)
            return names > 1;
        if (*s++ != ',')
            return false;
    }
}

/* Reads a whole number from least to most, which ends the text or comes before a comma. */
bool args_integer(const char *s, long long least, long long most, long long *out)
{
    char *end;
    if (*s < '0' || *s > '9')
        return false;
    errno = 0;
    *out = strtoll(s, &end, 10);
    return errno == 0 && (*end == 0 || *end == ',') && *out >= least && *out <= most;
}

char *args_store(struct parser *p, const char *s, size_t n)
{
    char *copy = p->free;
    memcpy(copy, s, n);
    copy[n] = 0;
    p->free += n + 1;
    return copy;
}

/* taco names types as C does. */
const char *args_type(const char *name)
{
    static const char *const table[][2] = {
        {"float", "f32"},    {"double", "f64"}, {"complexfloat", "c64"}, {"complexdouble", "c128"},
        {"char", "i8"},      {"short", "i16"},  {"int", "i32"},          {"long", "i64"},
        {"longlong", "i64"}, {"int32", "i32"},  {"uint32", "u32"},       {"uchar", "u8"},
        {"ushort", "u16"},   {"uint", "u32"},   {"ulong", "u64"},        {"ulonglong", "u64"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        if (strcmp(table[t][0], name) == 0)
            return table[t][1];
    return name;
}

/* Returns an example of the option's argument for messages. */
static const char *example(enum cli_flag flag)
{
    switch ((int)flag) {
    case CLI_FLAG_FORMAT: return "-f A:csr";
    case CLI_FLAG_TYPE: return "-t A:f32";
    case CLI_FLAG_FILL: return "--fill A:inf";
    case CLI_FLAG_SIZE: return "-d i:100";
    case CLI_FLAG_NNZ: return "--nnz A:1000000";
    case CLI_FLAG_INPUT: return "-i A:matrix.mtx";
    case CLI_FLAG_OUTPUT: return "-o y:y.tns";
    }
    return "";
}

/* Splits the argument at its colon.  A format or an output may have no name; then the statement
 * tells which tensor it suits. */
bool args_split_pair(struct parser *p, struct cli_setting *setting, const char *argument)
{
    char option[32];
    size_t n = args_identifier(argument);
    bool may_be_alone = setting->flag == CLI_FLAG_FORMAT || setting->flag == CLI_FLAG_OUTPUT;
    if (may_be_alone && *argument && (!strchr(argument, ':') || strchr("(./", *argument)))
        return true;
    if (n == 0 || argument[n] != ':' || argument[n + 1] == 0) {
        args_fail(p, "%s %s: expected %s", args_spelling(setting->flag, option), argument,
                  setting->flag == CLI_FLAG_OUTPUT ? "T:FILE" : cli_flags[setting->flag].argument);
        return args_help(p, "for example %s", example(setting->flag));
    }
    setting->name = args_store(p, argument, n);
    setting->value = argument + n + 1;
    return true;
}

static bool add_setting(struct parser *p, enum cli_flag flag, const char *argument)
{
    p->request->settings[p->request->n_settings++] =
        (struct cli_setting){.flag = flag, .value = argument, .from_file = args_in_file(p)};
    return true;
}

static bool read_choice(struct parser *p, enum cli_flag flag, const char *argument, int *choice)
{
    char option[32];
    struct suggestion near = suggest_for(argument);
    *choice = cli_choice_named(cli_flags[flag].choices, argument);
    if (*choice >= 0)
        return true;
    bool is_only = !strchr(cli_flags[flag].choices, ' ');
    args_fail(p, "%s: '%s' is %s %s", args_spelling(flag, option), argument,
              is_only ? "not supported; there is only" : "none of", cli_flags[flag].choices);
    cli_suggest_choice(&near, cli_flags[flag].choices);
    if (near.nearest)
        args_help(p, "did you mean %.*s?", near.length, near.nearest);
    return false;
}

static bool read_name(struct parser *p, enum cli_flag flag, const char *argument)
{
    size_t n = args_identifier(argument);
    if (n == 0 || argument[n])
        return args_fail(p, "--%s: '%s' is not a C identifier", cli_flags[flag].name, argument);
    *(flag == CLI_FLAG_NAME ? &p->request->function : &p->request->prefix) = argument;
    return true;
}

static bool read_count(struct parser *p, enum cli_flag flag, const char *argument)
{
    long long n;
    const char *what = cli_flags[flag].name;
    const struct {
        enum cli_flag flag;
        int most, *to;
    } counts[] = {{CLI_FLAG_THREADS, 65536, &p->request->threads},
                  {CLI_FLAG_PLANS, 64, &p->request->plans},
                  {CLI_FLAG_RANK, 256, &p->request->rank},
                  {CLI_FLAG_ITERATIONS, 1000000, &p->request->iterations},
                  {CLI_FLAG_RUNS, CLI_RUNS_MOST, &p->request->runs}};
    int k = 0;
    while (counts[k].flag != flag)
        k++;
    const int most = counts[k].most;
    if (!args_integer(argument, 1, most, &n))
        return args_fail(p, "--%s: '%s' is not a %s%s, from 1 to %d", what, argument,
                         flag == CLI_FLAG_RANK ? "" : "number of ", what, most);
    *counts[k].to = (int)n;
    return true;
}

static bool read_plot(struct parser *p, const char *argument)
{
    size_t n = argument ? strlen(argument) : 0;
    p->request->plot = true;
    p->request->plot_file = argument;
    if (!argument || strcmp(argument, "-") == 0 || (n > 4 && strcmp(argument + n - 4, ".svg") == 0))
        return true;
    args_fail(p, "--plot: pictures are SVG, and the name '%s' does not end in .svg", argument);
    return args_help(
        p, "--plot=NAME.svg, --plot=- for standard output, or --plot alone for characters");
}

/* Reads the file for an output besides the main one; without a name, or with "-", that is standard
 * output. */
static bool read_file(struct parser *p, enum cli_flag flag, const char *argument, bool *is_asked,
                      const char **file)
{
    const char *end = strchr(cli_flags[flag].argument, '.'); /* ".csv]" */
    size_t m = strlen(end) - 1, n = argument ? strlen(argument) : 0;
    *is_asked = true;
    *file = argument && strcmp(argument, "-") == 0 ? NULL : argument;
    if (!*file || (n > m && strncmp(argument + n - m, end, m) == 0))
        return true;
    args_fail(p, "--%s: '%s' does not end in %.*s", cli_flags[flag].name, argument, (int)m, end);
    return args_help(p, "--%s=NAME%.*s, or --%s alone for standard output", cli_flags[flag].name,
                     (int)m, end, cli_flags[flag].name);
}

static bool read_entries(struct parser *p, const char *argument)
{
    if (!strchr(argument, ',') && args_integer(argument, 1, INT_MAX, &p->request->entries))
        return true;
    return args_fail(p, "--entries: '%s' is not a number of entries, from 1 to %d", argument,
                     INT_MAX);
}

static bool read_seed(struct parser *p, const char *argument)
{
    if (!strchr(argument, ',') && args_integer(argument, 0, INT_MAX, &p->request->seed))
        return true;
    return args_fail(p, "--seed: '%s' is not a seed, from 0 to %d", argument, INT_MAX);
}

static bool read_tolerance(struct parser *p, const char *argument)
{
    char *end;
    p->request->tolerance = strtod(argument, &end);
    p->request->has_tolerance = true;
    if (end != argument && !*end && p->request->tolerance >= 0 && p->request->tolerance <= 1)
        return true;
    return args_fail(p, "--tolerance: '%s' is not a number from 0 to 1", argument);
}

/* Reads a size such as "1500M". */
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
    if (argument[length + (unit != NULL)] || !args_integer(digits, 1, LLONG_MAX >> shift, &n)) {
        args_fail(p, "--max-memory: '%s' is not a size", argument);
        return args_help(p, "for example --max-memory=500M or --max-memory=4G");
    }
    p->request->max_memory = n << shift;
    return true;
}

/* Takes one option; argument is NULL if it has none. */
bool args_take(struct parser *p, enum cli_flag flag, const char *argument)
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
    case CLI_FLAG_SAME:
    case CLI_FLAG_SIZE:
    case CLI_FLAG_NNZ:
    case CLI_FLAG_SCHEDULE:
    case CLI_FLAG_INPUT:
    case CLI_FLAG_OUTPUT: return add_setting(p, flag, argument);
    case CLI_FLAG_NAME:
    case CLI_FLAG_PREFIX: return read_name(p, flag, argument);
    case CLI_FLAG_THREADS:
    case CLI_FLAG_PLANS:
    case CLI_FLAG_RANK:
    case CLI_FLAG_ITERATIONS:
    case CLI_FLAG_RUNS: return read_count(p, flag, argument);
    case CLI_FLAG_FORMATS: request->tuned_operands = argument ? argument : ""; break;
    case CLI_FLAG_PASSES: request->stage = CLI_STAGE_PASSES; break;
    case CLI_FLAG_NO_PLAN: request->no_plan = true; break;
    case CLI_FLAG_PLAN:
        request->no_tuned |= choice == 0;
        request->no_plan |= choice == 1;
        break;
    case CLI_FLAG_ALGEBRA: request->distributes = true; break;
    case CLI_FLAG_SERIAL: request->serial = true; break;
    case CLI_FLAG_NO_TUNED: request->no_tuned = true; break;
    case CLI_FLAG_QUICK: request->quick = true; break;
    case CLI_FLAG_LIST: request->lists = true; break;
    case CLI_FLAG_LATENCY: request->latency = true; break;
    case CLI_FLAG_ENTRIES: return read_entries(p, argument);
    case CLI_FLAG_SEED: return read_seed(p, argument);
    case CLI_FLAG_TOLERANCE: return read_tolerance(p, argument);
    case CLI_FLAG_DATA: request->data = argument; break;
    case CLI_FLAG_PEERS: request->peers = argument ? argument : ""; break;
    case CLI_FLAG_SVG: return read_file(p, flag, argument, &request->svg, &request->svg_file);
    case CLI_FLAG_CSV: return read_file(p, flag, argument, &request->csv, &request->csv_file);
    case CLI_FLAG_GPU: request->gpu = true; break;
    case CLI_FLAG_JSON: request->json = true; break;
    case CLI_FLAG_WARN: request->warns = true; break;
    case CLI_FLAG_MAX_MEMORY: return read_memory(p, argument);
    case CLI_FLAG_BASE: request->zero_based = choice == 0; break;
    case CLI_FLAG_SYMMETRIC: request->symmetry = (enum cli_symmetry)(choice + 1); break;
    case CLI_FLAG_DROP_ZEROS: request->drop_zeros = true; break;
    case CLI_FLAG_SYNC: request->sync = true; break;
    case CLI_FLAG_WHEEL: request->wheel = true; break;
    case CLI_FLAG_ISA: request->isa = argument; break;
    case CLI_FLAG_TYPES: request->types = argument; break;
    case CLI_FLAG_WIDTHS: request->widths = argument; break;
    case CLI_FLAG_HEADER: request->header = argument; break;
    case CLI_FLAG_INDEX: request->index_bits = choice == 0 ? 32 : 64; break;
    case CLI_FLAG_VECTOR: request->vector_bits = choice == 0 ? 256 : 512; break;
    case CLI_FLAG_TARGET_CPU: request->target_cpu = argument; break;
    case CLI_FLAG_BLAS: request->blas = argument; break;
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
