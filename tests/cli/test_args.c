/* test_args.c - the command line, parsed: what is taken, and what is said about what is not.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/args.h"

#define SPMV "y(i) = A(i,j) * x(j)"

/* Parses "spcc" and the arguments, which end with NULL. */
static enum cli_status parse(struct cli_request *request, struct cli_error *error,
                             const char *const *arguments)
{
    const char *argv[64] = {"spcc"};
    int argc = 1;
    for (int a = 0; arguments[a]; a++)
        argv[argc++] = arguments[a];
    return cli_parse(argc, argv, request, error);
}
#define PARSE(request, error, ...) parse(request, error, (const char *[]){__VA_ARGS__, NULL})

/* Parses what must be right. */
#define ACCEPT(request, ...)                                            \
    do {                                                                \
        struct cli_error error_;                                        \
        enum cli_status status_ = PARSE(request, &error_, __VA_ARGS__); \
        assert_string_equal(error_.message, "");                        \
        assert_int_equal(status_, CLI_DONE);                            \
    } while (0)

/* Parses what must be refused with these words in the message and in the help. */
static void refuse(const char *message, const char *help, const char *const *arguments)
{
    struct cli_request request;
    struct cli_error error;
    assert_int_equal(parse(&request, &error, arguments), CLI_BAD_USAGE);
    if (!strstr(error.message, message))
        fail_msg("\"%s\" is not in \"%s\"", message, error.message);
    if (!strstr(error.help, help))
        fail_msg("\"%s\" is not in \"%s\"", help, error.help);
    cli_request_free(&request);
}
#define REFUSE(message, help, ...) refuse(message, help, (const char *[]){__VA_ARGS__, NULL})

static void test_emit_is_the_default(void **state)
{
    (void)state;
    struct cli_request request;
    ACCEPT(&request, SPMV);
    assert_int_equal(request.command, CLI_EMIT);
    assert_false(request.names_command);
    assert_string_equal(request.subject, SPMV);
    assert_int_equal(request.n_settings, 0);
    assert_int_equal(request.stage, CLI_STAGE_DEFAULT);
    assert_int_equal(request.index_bits, 0);
    assert_int_equal(request.wants_help, CLI_FLAG_NONE);
    cli_request_free(&request);
    ACCEPT(&request, "emit", SPMV);
    assert_int_equal(request.command, CLI_EMIT);
    assert_true(request.names_command);
    cli_request_free(&request);
}

static void test_commands(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum cli_command command;
    } cases[] = {
        {"emit", CLI_EMIT}, {"run", CLI_RUN},   {"explain", CLI_EXPLAIN},
        {"info", CLI_INFO}, {"help", CLI_HELP}, {"bench", CLI_BENCH},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct cli_request request;
        ACCEPT(&request, cases[c].name, "x=1");
        assert_int_equal(request.command, cases[c].command);
        assert_string_equal(request.subject, "x=1");
        cli_request_free(&request);
    }
    struct cli_request request;
    ACCEPT(&request, "help");
    assert_null(request.subject);
    cli_request_free(&request);
    ACCEPT(&request, "help", "run");
    assert_string_equal(request.subject, "run");
    cli_request_free(&request);
    ACCEPT(&request, "help", "--emit");
    assert_string_equal(request.subject, "--emit");
    cli_request_free(&request);
    ACCEPT(&request, "--jit", "cc", "run", SPMV);
    assert_int_equal(request.command, CLI_RUN);
    cli_request_free(&request);
    ACCEPT(&request, "--version");
    assert_int_equal(request.command, CLI_VERSION);
    cli_request_free(&request);
    ACCEPT(&request, "--version", "run");
    assert_int_equal(request.command, CLI_VERSION);
    cli_request_free(&request);
}

/* Four spellings of an option with its argument, and the order of several. */
static void test_spellings(void **state)
{
    (void)state;
    struct cli_request request;
    ACCEPT(&request, SPMV, "-f", "A:csr", "-fB:ds:0,1", "-f=C:ss:1,0", "--format", "D:coo",
           "--format=E:(i,j) -> (i : dense, j : compressed)");
    static const char *const expected[][2] = {
        {"A", "csr"},
        {"B", "ds:0,1"},
        {"C", "ss:1,0"},
        {"D", "coo"},
        {"E", "(i,j) -> (i : dense, j : compressed)"},
    };
    int i = 0, n = 0;
    for (const struct cli_setting *s; (s = cli_next(&request, CLI_FLAG_FORMAT, &i)); n++) {
        assert_string_equal(s->name, expected[n][0]);
        assert_string_equal(s->value, expected[n][1]);
    }
    assert_int_equal(n, 5);
    cli_request_free(&request);
}

static void test_taco(void **state)
{
    (void)state;
    static const char *const types[][2] = {
        {"float", "f32"},          {"double", "f64"}, {"int", "i32"},
        {"long", "i64"},           {"uchar", "u8"},   {"short", "i16"},
        {"complexdouble", "c128"}, {"bool", "bool"},  {"f32", "f32"},
    };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        char argument[64];
        struct cli_request request;
        snprintf(argument, sizeof argument, "-t=A:%s", types[t][0]);
        ACCEPT(&request, SPMV, argument);
        assert_string_equal(request.settings[0].value, types[t][1]);
        cli_request_free(&request);
    }
    struct cli_request request;
    ACCEPT(&request, "run", SPMV, "-s=reorder(i,j)", "-d=i:5", "-i=A:a.mtx", "-o=y:y.tns");
    assert_int_equal(request.n_settings, 4);
    assert_int_equal(request.settings[0].flag, CLI_FLAG_SCHEDULE);
    assert_null(request.settings[0].name);
    assert_string_equal(request.settings[0].value, "reorder(i,j)");
    assert_string_equal(request.settings[1].name, "i");
    assert_int_equal(request.settings[1].size, 5);
    assert_string_equal(request.settings[2].value, "a.mtx");
    assert_string_equal(request.settings[3].name, "y");
    assert_string_equal(request.settings[3].value, "y.tns");
    cli_request_free(&request);
}

/* ORDER CHOICES: every choice of the table gives the enumerator of its name. */
static void test_choices(void **state)
{
    (void)state;
    static const struct {
        const char *argument;
        enum cli_stage stage;
    } stages[] = {
        {"--emit=notation", CLI_STAGE_NOTATION},
        {"--emit=concrete", CLI_STAGE_CONCRETE},
        {"--emit=plan", CLI_STAGE_PLAN},
        {"--emit=lattice", CLI_STAGE_LATTICE},
        {"--emit=lattice.dot", CLI_STAGE_LATTICE_DOT},
        {"--emit=imperative", CLI_STAGE_IMPERATIVE},
        {"--emit=c", CLI_STAGE_C},
        {"--emit=graph.dot", CLI_STAGE_GRAPH_DOT},
        {"--emit=graph.svg", CLI_STAGE_GRAPH_SVG},
        {"--emit=lattice.svg", CLI_STAGE_LATTICE_SVG},
    };
    struct cli_request request;
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        ACCEPT(&request, SPMV, stages[s].argument);
        assert_int_equal(request.stage, stages[s].stage);
        cli_request_free(&request);
    }
    ACCEPT(&request, SPMV, "--kernel=compute", "--target=c", "--index=64", "--name=spmv",
           "--no-plan", "--vector=512", "--plain");
    assert_int_equal(request.kernel, CLI_KERNEL_COMPUTE);
    assert_int_equal(request.target, CLI_TARGET_C);
    assert_int_equal(request.index_bits, 64);
    assert_string_equal(request.function, "spmv");
    assert_true(request.no_plan);
    assert_int_equal(request.vector_bits, 512);
    assert_true(request.plain);
    cli_request_free(&request);
    ACCEPT(&request, SPMV, "--kernel=assemble", "--index", "32");
    assert_int_equal(request.kernel, CLI_KERNEL_ASSEMBLE);
    assert_int_equal(request.index_bits, 32);
    cli_request_free(&request);
    ACCEPT(&request, SPMV, "--kernel=assemble", "--kernel=fused");
    assert_int_equal(request.kernel, CLI_KERNEL_FUSED);
    cli_request_free(&request);
    static const struct {
        const char *argument;
        enum cli_jit jit;
    } jits[] = {
        {"--jit=clang", CLI_JIT_CLANG},
        {"--jit=cc", CLI_JIT_CC},
        {"--jit=interp", CLI_JIT_INTERP},
    };
    for (size_t j = 0; j < sizeof jits / sizeof *jits; j++) {
        ACCEPT(&request, "run", SPMV, jits[j].argument, "--threads=8",
               j ? "--time=json" : "--time");
        assert_int_equal(request.jit, jits[j].jit);
        assert_int_equal(request.threads, 8);
        assert_int_equal(request.time, j ? CLI_TIME_JSON : CLI_TIME_TEXT);
        cli_request_free(&request);
    }
}

static void test_time_takes_no_separate_argument(void **state)
{
    (void)state;
    struct cli_request request;
    ACCEPT(&request, "run", "--time", SPMV);
    assert_string_equal(request.subject, SPMV);
    assert_int_equal(request.time, CLI_TIME_TEXT);
    cli_request_free(&request);
}

static void test_inputs(void **state)
{
    (void)state;
    static const char *const values[] = {"dir/a.mtx.gz", "-", "a:b", "@ones", "@sparse(0.1,7)"};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        char argument[64];
        struct cli_request request;
        snprintf(argument, sizeof argument, "A:%s", values[v]);
        ACCEPT(&request, "run", SPMV, "-i", argument);
        assert_string_equal(request.settings[0].name, "A");
        assert_string_equal(request.settings[0].value, values[v]);
        cli_request_free(&request);
    }
}

static void test_outputs(void **state)
{
    (void)state;
    struct cli_request request;
    ACCEPT(&request, SPMV, "-o", "spmv.c");
    assert_string_equal(request.output, "spmv.c");
    assert_int_equal(request.n_settings, 0);
    cli_request_free(&request);
    ACCEPT(&request, "explain", SPMV, "-o./a:b", "-f", "A:csr");
    assert_string_equal(request.output, "./a:b");
    assert_int_equal(request.n_settings, 1);
    cli_request_free(&request);
    ACCEPT(&request, "run", SPMV, "-o", "y:-");
    assert_null(request.output);
    assert_string_equal(request.settings[0].name, "y");
    assert_string_equal(request.settings[0].value, "-");
    cli_request_free(&request);
}

static void test_help(void **state)
{
    (void)state;
    struct cli_request request;
    ACCEPT(&request, "-h");
    assert_int_equal(request.wants_help, CLI_FLAG_BRIEF);
    cli_request_free(&request);
    ACCEPT(&request, "run", "--help");
    assert_int_equal(request.wants_help, CLI_FLAG_HELP);
    assert_int_equal(request.command, CLI_RUN);
    cli_request_free(&request);
}

static void test_operands_after_dashes(void **state)
{
    (void)state;
    struct cli_request request;
    ACCEPT(&request, "info", "--", "-f");
    assert_string_equal(request.subject, "-f");
    cli_request_free(&request);
    ACCEPT(&request, "info", "-");
    assert_string_equal(request.subject, "-");
    cli_request_free(&request);
}

static void test_wrong_options(void **state)
{
    (void)state;
    REFUSE("--formta is not an option", "did you mean --format?", SPMV, "--formta=A:csr");
    REFUSE("--xyzzy is not an option", "spcc -h", SPMV, "--xyzzy");
    REFUSE("-x is not an option", "spcc -h", SPMV, "-x");
    REFUSE("-emit is not an option", "did you mean --emit?", SPMV, "-emit=c");
    REFUSE("-print-concret is not an option", "did you mean -print-concrete?", SPMV,
           "-print-concret");
    REFUSE("-f needs an argument: T:FORMAT", "", SPMV, "-f");
    REFUSE("-f: its argument is empty", "", SPMV, "-f", "");
    REFUSE("-f: its argument is empty", "", SPMV, "-f=");
    REFUSE("--no-plan takes no argument", "", SPMV, "--no-plan=yes");
    REFUSE("'imperatve' is none of", "did you mean imperative?", SPMV, "--emit=imperatve");
    REFUSE("--index: '16' is none of 32 64", "", SPMV, "--index=16");
    REFUSE("--time: 'xml' is not supported; there is only json", "", "run", SPMV, "--time=xml");
    REFUSE("--threads: '0'", "", "run", SPMV, "--threads=0");
    REFUSE("--threads: '2x'", "", "run", SPMV, "--threads=2x");
    REFUSE("--threads: '-1'", "", "run", SPMV, "--threads=-1");
    REFUSE("--name: '1st'", "", SPMV, "--name=1st");
}

static void test_wrong_pairs(void **state)
{
    (void)state;
    REFUSE("-f A:: expected T:FORMAT", "for example -f A:csr", SPMV, "-f", "A:");
    REFUSE("-f :csr: expected", "", SPMV, "-f", ":csr");
    REFUSE("-f A:: expected", "", SPMV, "-f", "A:");
    REFUSE("-f 1A:csr: expected", "", SPMV, "-f", "1A:csr");
    REFUSE("-t f32: expected T:TYPE", "-t A:f32", SPMV, "-t", "f32");
    REFUSE("--fill inf: expected T:V", "--fill A:inf", SPMV, "--fill", "inf");
    REFUSE("-d i:ten: ten is not a size", "-d i:100", SPMV, "-d", "i:ten");
    REFUSE("-d A:5,: ", "of a tensor's modes", SPMV, "-d", "A:5,");
    REFUSE("-d A:5,x,6: x is not a size", "of a tensor's modes", SPMV, "-d", "A:5,x,6");
    REFUSE("is not a size", "", SPMV, "-d", "i:99999999999999999999");
    REFUSE("-f is given twice for A: csr and coo", "", SPMV, "-f", "A:csr", "-f", "A:coo");
    REFUSE("-i: A and x cannot both", "", "run", SPMV, "-i", "A:-", "-i", "x:-");
}

static void test_wrong_commands(void **state)
{
    (void)state;
    REFUSE("'rnu' is neither a command nor a statement", "did you mean spcc run?", "rnu",
           "--jit=cc");
    REFUSE("'A.mtx' is neither", "an assignment", "A.mtx");
    REFUSE("'=' is one argument too many", "in quotes", "y(i)", "=", "x(i)");
    REFUSE("run needs a statement", "", "run");
    REFUSE("info needs a file for --plot, -f or -t", "spcc info", "info", "--plot");
    REFUSE("info needs a file for --plot, -f or -t", "spcc info", "info", "-f", "csr");
    REFUSE("emit needs a statement", "", "-f", "A:csr");
    REFUSE("-i is not an option of spcc emit", "spcc run", "emit", SPMV, "-i", "A:a.mtx");
    REFUSE("'rum' is neither a command nor a statement", "did you mean spcc run?", "rum", SPMV);
    REFUSE("--jit is not an option of spcc explain", "", "explain", SPMV, "--jit=cc");
    REFUSE("--emit is not an option of spcc run", "spcc emit", "run", SPMV, "--emit=c");
    REFUSE("-d is not an option of spcc info", "", "info", "a.mtx", "-d", "i:3");
    REFUSE("-o y:: expected T:FILE", "-o y:y.tns", "run", SPMV, "-o", "y:");
    REFUSE("-o y:y.tns: spcc emit writes text", "./y:y.tns", SPMV, "-o", "y:y.tns");
}

static void test_no_arguments(void **state)
{
    (void)state;
    const char *argv[] = {"spcc", NULL};
    struct cli_request request;
    struct cli_error error;
    assert_int_equal(cli_parse(1, argv, &request, &error), CLI_BAD_USAGE);
    assert_string_equal(error.message, "there is no statement");
    cli_request_free(&request);
}

/* An argument of any length gives a message that is cut off, not a crash. */
static void test_long_arguments(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    char *word = malloc(LENGTH + 1);
    assert_non_null(word);
    memset(word, 'a', LENGTH);
    word[LENGTH] = 0;
    REFUSE("aaaaaaaa", "", word);
    REFUSE("aaaaaaaa", "", SPMV, "-t", word);
    memcpy(word, "--", 2);
    REFUSE("--aaaaaa", "", SPMV, word);
    free(word);
}

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

/* An argument made of up to three pieces, in memory of just its size, so that a sanitizer sees
 * what is read beyond. */
static char *random_argument(uint64_t *state)
{
    static const char *const pieces[] = {
        "emit",
        "run",
        "explain",
        "info",
        "help",
        SPMV,
        "-f",
        "-t",
        "-d",
        "-s",
        "-i",
        "-o",
        "-h",
        "-V",
        "--",
        "-",
        "=",
        ":",
        "--emit",
        "--jit=",
        "--kernel",
        "--name",
        "--time",
        "--index=64",
        "--no-plan",
        "--format=",
        "--help",
        "A",
        "A:csr",
        "y:-",
        "A:-",
        "i:5",
        "c",
        "cc",
        "x",
        "",
        "\xff",
        "--outptu",
        "lattice.dot",
        "\n",
        "i:99999999999999999999",
    };
    char text[256] = "";
    for (unsigned n = 1 + draw(state, 3); n > 0; n--)
        strcat(text, pieces[draw(state, sizeof pieces / sizeof *pieces)]);
    char *copy = strdup(text);
    assert_non_null(copy);
    return copy;
}

/* Whatever is given, it is either taken or refused with a message. */
static void test_random_arguments(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int taken = 0;
    for (int round = 0; round < 20000; round++) {
        const char *argv[10] = {NULL};
        char *owned[9];
        struct cli_request request;
        struct cli_error error;
        int n = (int)draw(&seed, 9);
        for (int a = 0; a < n; a++)
            argv[a] = owned[a] = random_argument(&seed);
        enum cli_status status = parse(&request, &error, argv);
        assert_true(status == CLI_DONE ? error.message[0] == 0
                                       : status == CLI_BAD_USAGE && error.message[0] != 0);
        taken += status == CLI_DONE;
        cli_request_free(&request);
        for (int a = 0; a < n; a++)
            free(owned[a]);
    }
    assert_true(taken > 200);
}

/* The tables themselves: no name is used twice, every command takes help, choices fit their
 * argument. */
static void test_tables(void **state)
{
    (void)state;
    for (int f = 0; f < CLI_FLAGS; f++) {
        const struct cli_flag_info *flag = &cli_flags[f];
        assert_true(flag->letter || flag->name);
        assert_non_null(flag->brief);
        assert_true(flag->brief[strlen(flag->brief) - 1] != '.');
        for (int g = 0; g < f; g++) {
            assert_true(!flag->letter || flag->letter != cli_flags[g].letter);
            assert_true(!flag->name || !cli_flags[g].name
                        || strcmp(flag->name, cli_flags[g].name) != 0);
        }
        for (const char *c = flag->commands; *c; c++) {
            int known = *c == 'f';
            for (int k = 0; k < CLI_COMMANDS; k++)
                known += cli_commands[k].letter == *c;
            assert_int_equal(known, 1);
        }
    }
    for (int c = 0; c < CLI_COMMANDS; c++)
        assert_true(cli_flag_applies(CLI_FLAG_HELP, (enum cli_command)c));
}

static const char *nearest(const char *word, const char *choices)
{
    static char out[64];
    struct suggestion s = suggest_for(word);
    cli_suggest_choice(&s, choices);
    if (!s.nearest)
        return "";
    snprintf(out, sizeof out, "%.*s", s.length, s.nearest);
    return out;
}

static void test_suggestions(void **state)
{
    (void)state;
    assert_string_equal(nearest("comptue", "assemble compute fused"), "compute");
    assert_string_equal(nearest("fuse", "assemble compute fused"), "fused");
    assert_string_equal(nearest("latice.dto", "lattice lattice.dot"), "lattice.dot");
    assert_string_equal(nearest("mean", "real sign"), "");
    assert_string_equal(nearest("rael", "real sign"), "real");
    assert_string_equal(nearest("quicksort", "assemble compute fused"), "");
    assert_string_equal(nearest("x", "c"), "");
    assert_string_equal(nearest("", "a b"), "");
}

/* ---- the options of a statement file ---- */

static enum cli_status parse_with(struct cli_request *request, struct cli_error *error,
                                  const char *const *words, const char *const *arguments)
{
    const char *argv[64] = {"spcc"};
    int argc = 1, n = 0;
    for (int a = 0; arguments[a]; a++)
        argv[argc++] = arguments[a];
    while (words[n])
        n++;
    return cli_parse_with(n, words, argc, argv, request, error);
}
#define WORDS(...) \
    (const char *[]) { __VA_ARGS__, NULL }

static void test_options_of_files(void **state)
{
    (void)state;
    struct cli_request request;
    struct cli_error error;
    assert_int_equal(
        parse_with(&request, &error,
                   WORDS("-f=A:csr", "-f=B:coo", "-t", "A:float", "-s", "a", "--index=64"),
                   WORDS("run", "f.spcc", "-f", "A:csc", "-s", "b", "-d", "i:3")),
        CLI_DONE);
    assert_int_equal(request.command, CLI_RUN);
    assert_string_equal(request.subject, "f.spcc");
    assert_int_equal(request.index_bits, 64);
    static const struct {
        enum cli_flag flag;
        const char *name, *value;
        bool from_file;
    } expected[] = {
        {CLI_FLAG_FORMAT, "B", "coo", true},   {CLI_FLAG_TYPE, "A", "f32", true},
        {CLI_FLAG_SCHEDULE, NULL, "a", true},  {CLI_FLAG_FORMAT, "A", "csc", false},
        {CLI_FLAG_SCHEDULE, NULL, "b", false}, {CLI_FLAG_SIZE, "i", "3", false},
    };
    assert_int_equal(request.n_settings, 6);
    for (int s = 0; s < 6; s++) {
        const struct cli_setting *setting = &request.settings[s];
        assert_int_equal(setting->flag, expected[s].flag);
        assert_true(!setting->name == !expected[s].name);
        if (setting->name)
            assert_string_equal(setting->name, expected[s].name);
        assert_string_equal(setting->value, expected[s].value);
        assert_int_equal(setting->from_file, expected[s].from_file);
    }
    cli_request_free(&request);
}

/* An option of a file takes no argument from the command line, and nothing else than options
 * stands there. */
static void test_wrong_options_of_files(void **state)
{
    (void)state;
    static const struct {
        const char *word, *message;
    } cases[] = {
        {"-f", "-f needs an argument"},
        {"run", "'run' is not an option"},
        {"--", "'--' is not an option"},
        {"-q", "-q is not an option"},
        {"--drop-zeros", "is not an option of spcc emit"},
        {"--output=y.c", "is not an option of statement files"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct cli_request request;
        struct cli_error error;
        assert_int_equal(parse_with(&request, &error, WORDS(cases[c].word),
                                    WORDS("emit", "f.spcc", "-f", "A:csr")),
                         CLI_BAD_USAGE);
        if (!strstr(error.message, cases[c].message))
            fail_msg("\"%s\" is not in \"%s\"", cases[c].message, error.message);
        cli_request_free(&request);
    }
}

static void test_convert(void **state)
{
    (void)state;
    struct cli_request request;
    ACCEPT(&request, "convert", "a.mtx", "b.tns", "-f", "ss:1,0", "-t=float");
    assert_int_equal(request.command, CLI_CONVERT);
    assert_string_equal(request.subject, "a.mtx");
    assert_string_equal(request.second, "b.tns");
    assert_null(request.settings[0].name);
    assert_string_equal(request.settings[0].value, "ss:1,0");
    assert_string_equal(request.settings[1].value, "f32");
    cli_request_free(&request);
    REFUSE("a file to read and one to write", "for example spcc convert", "convert", "a.mtx");
    REFUSE("one argument too many", "takes IN OUT", "convert", "a", "b", "c");
    REFUSE("one argument too many", "takes [SUITE]", "bench", "spmv", "gemv");
}

static void test_bench(void **state)
{
    (void)state;
    struct cli_request request;
    ACCEPT(&request, "bench");
    assert_null(request.subject);
    assert_false(request.quick || request.csv);
    cli_request_free(&request);
    ACCEPT(&request, "bench", "spmv,add", "--quick", "--csv=a.csv", "--entries=1000", "--data",
           "d");
    assert_string_equal(request.subject, "spmv,add");
    assert_true(request.quick && request.csv);
    assert_string_equal(request.csv_file, "a.csv");
    assert_string_equal(request.data, "d");
    assert_int_equal(request.entries, 1000);
    cli_request_free(&request);
    ACCEPT(&request, "bench", "--csv=-");
    assert_true(request.csv);
    assert_null(request.csv_file);
    cli_request_free(&request);
    ACCEPT(&request, "bench", "--svg=a.svg", "--peers=mkl");
    assert_string_equal(request.svg_file, "a.svg");
    assert_string_equal(request.peers, "mkl");
    cli_request_free(&request);
    ACCEPT(&request, "bench", "--peers");
    assert_string_equal(request.peers, "");
    assert_null(request.svg_file);
    cli_request_free(&request);
    REFUSE("'a.txt' does not end in .csv", "--csv=NAME.csv", "bench", "--csv=a.txt");
    REFUSE("'1,2' is not a number of entries", "", "bench", "--entries=1,2");
    REFUSE("--quick is not an option of spcc run", "", "run", "y=x", "--quick");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_of_files),
        cmocka_unit_test(test_wrong_options_of_files),
        cmocka_unit_test(test_convert),
        cmocka_unit_test(test_bench),
        cmocka_unit_test(test_emit_is_the_default),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_taco),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_time_takes_no_separate_argument),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_operands_after_dashes),
        cmocka_unit_test(test_wrong_options),
        cmocka_unit_test(test_wrong_pairs),
        cmocka_unit_test(test_wrong_commands),
        cmocka_unit_test(test_no_arguments),
        cmocka_unit_test(test_long_arguments),
        cmocka_unit_test(test_random_arguments),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
