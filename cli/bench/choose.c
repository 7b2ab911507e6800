/* choose.c - reads what spcc bench is asked for: a suite, names of kernels, or rows with words.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/bench/choose.h"

#include <string.h>

#include "cli/bench/neighbours.h"
#include "cli/library.h"

enum { ON_GPU = 'u' }; /* the suite's letter */

/* Is the word, or its first part, in the list with these separators? */
static bool lists(const char *list, const char *separators, const char *word)
{
    size_t n = strlen(word), first = strcspn(word, " ");
    for (const char *s = list; *s; s += strspn(s, separators)) {
        size_t m = strcspn(s, separators);
        if ((m == n || m == first) && strncmp(s, word, m) == 0)
            return true;
        s += m;
    }
    return false;
}

/* Has the suite for GPUs a kernel with this name? */
static bool is_known_on_gpu(const char *name)
{
    for (int k = 0; k < bench_n_kernels; k++)
        if (strchr(bench_kernels[k].suites, ON_GPU) && strcmp(bench_kernels[k].name, name) == 0)
            return true;
    return false;
}

/* Of those that are asked for by name a GPU has the suite's, if there are some. */
static bool is_meant(const struct bench_choice *choice, const struct bench_kernel *kernel)
{
    bool is_of_suite = strchr(kernel->suites, ON_GPU);
    return choice->on_gpu ? is_of_suite || !is_known_on_gpu(kernel->name) : !is_of_suite;
}

bool bench_is_wanted(const struct bench_choice *choice, const struct bench_kernel *kernel)
{
    if (!choice->letter)
        return lists(choice->suite, ",", kernel->name) && is_meant(choice, kernel);
    return strchr(kernel->suites, choice->letter)
           && (!choice->is_quick || choice->letter != 'a' || strchr(kernel->suites, 'q'));
}

bool bench_is_wanted_input(const struct bench_choice *choice, const struct bench_kernel *kernel,
                           const struct bench_input *input)
{
    char letter = choice->letter ? choice->letter : kernel->suites[0];
    if (kernel->inputs)
        return input->suites && lists(kernel->inputs, " ", input->name);
    return !input->suites
           || (strchr(input->suites, letter) && (!choice->is_quick || strchr(input->suites, 'q')));
}

/* All suites, and each word that a kernel can be asked for by, once. */
static void list_names(void)
{
    char names[1024] = "", suites[256] = "";
    size_t n = 0, m = 0;
    for (int s = 0; s < bench_n_suites && m < sizeof suites; s++)
        m += (size_t)snprintf(suites + m, sizeof suites - m, "%s, ", bench_suites[s].name);
    for (int k = 0; k < bench_n_kernels; k++) {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(bench_kernels[k].name, " "),
                 bench_kernels[k].name);
        if (!lists(names, ", ", word) && n < sizeof names)
            n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n > 0 ? ", " : "", word);
    }
    message_help("suites are %scutt and target; kernels %s; --list shows their statements", suites,
                 names);
}

static bool names_kernel(const char *word, struct suggestion *near)
{
    for (int k = 0; k < bench_n_kernels; k++) {
        suggest_consider(near, bench_kernels[k].name, strcspn(bench_kernels[k].name, " "));
        if (lists(word, ",", bench_kernels[k].name))
            return true;
    }
    return false;
}

static enum cli_status complain_of_suite(const char *word, const struct suggestion *near)
{
    library_complain("there is no suite or kernel '%s'", word);
    if (near->nearest)
        message_help("did you mean %.*s?", near->length, near->nearest);
    else
        list_names();
    return CLI_BAD_USAGE;
}

/* Of "NAME,WORD,WORD" the words; NULL: it is another name. */
static const char *words_after(const char *suite, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(suite, name, n) != 0 || (suite[n] && suite[n] != ','))
        return NULL;
    return suite + n + (suite[n] == ',');
}

/* Is it a suite of rows, with or without words after its name? */
static bool find_rows(struct bench_choice *choice)
{
    static const char *const suites[] = {"neighbours", "algebra"};
    for (size_t i = 0; i < sizeof suites / sizeof *suites && !choice->rows_with; i++) {
        choice->rows_of = suites[i];
        choice->rows_with = words_after(choice->suite, suites[i]);
    }
    return choice->rows_with;
}

static enum cli_status complain_of_words(const struct bench_choice *choice)
{
    library_complain("no row of %s has %s", choice->rows_of, choice->rows_with);
    message_help("'spcc bench %s --list' says which rows there are", choice->rows_of);
    return CLI_BAD_USAGE;
}

static void find_usual(struct bench_choice *choice)
{
    char letter = choice->letter;
    for (int k = 0; k < bench_n_kernels && !letter; k++)
        if (bench_is_wanted(choice, &bench_kernels[k]))
            letter = bench_kernels[k].suites[0];
    for (int s = 0; s < bench_n_suites; s++)
        if (choice->rows_with ? strcmp(bench_suites[s].name, choice->rows_of) == 0
                              : bench_suites[s].letter == letter)
            choice->usual = &bench_suites[s];
}

static enum cli_status choose_suite(struct bench_choice *choice, const char *subject)
{
    choice->suite = subject ? subject : bench_suites[0].name;
    for (int s = 0; s < bench_n_suites; s++)
        if (strcmp(bench_suites[s].name, choice->suite) == 0)
            choice->letter = bench_suites[s].letter;
    if (find_rows(choice))
        return bench_neighbours_have(choice->rows_of, choice->rows_with)
                   ? CLI_DONE
                   : complain_of_words(choice);
    for (const char *w = choice->suite; *w && !choice->letter;
         w += strcspn(w, ","), w += *w == ',') {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(w, ","), w);
        struct suggestion near = suggest_for(word);
        for (int s = 0; s < bench_n_suites; s++)
            suggest_consider(&near, bench_suites[s].name, strlen(bench_suites[s].name));
        if (!names_kernel(word, &near))
            return complain_of_suite(word, &near);
    }
    return CLI_DONE;
}

enum cli_status bench_choose(struct bench_choice *choice, const struct cli_request *request)
{
    choice->is_quick = request->quick;
    choice->on_gpu = request->target == CLI_TARGET_CUDA;
    const char *subject = request->subject || !choice->on_gpu ? request->subject : "gpu";
    enum cli_status status = choose_suite(choice, subject);
    find_usual(choice);
    if (status != CLI_DONE || !choice->on_gpu || !choice->rows_with)
        return status;
    library_complain("--target=cuda: the rows of %s are about processors", choice->rows_of);
    message_help("'spcc bench gpu --target=cuda' measures kernels beside cuSPARSE");
    return CLI_BAD_USAGE;
}
