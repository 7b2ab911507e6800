/* tune_formats.c - spcc tune --formats: finds the fastest formats of operands by running the
 * statement in each.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/tune.h"

/* The column of the formats. */
enum { FORMAT_AT = 54 };

/* ---- the table ---- */

static void put_bytes(int64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    double n = (double)bytes;
    for (; n >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        n /= 1024;
    printf(" %6.*f %-3s", unit ? 1 : 0, n, units[unit]);
}

/* Prints after how many runs the conversion has paid. */
static void put_pays(const spcc_tuned_format *format)
{
    if (format->given)
        printf(" %10s", "-");
    else if (format->pays_after < 0)
        printf(" %10s", "never");
    else
        printf(" %10.0f", format->pays_after);
}

static void put_format(const spcc_tuned_format *format, double given_ms)
{
    printf("%c %9.*f %7.2f %10.*f", format->given ? '*' : ' ', tune_decimals(format->ms),
           format->ms, format->ms / given_ms, tune_decimals(format->convert_ms),
           format->convert_ms);
    put_pays(format);
    put_bytes(format->bytes);
    printf("  ");
    tune_put_text(format->format, FORMAT_AT);
}

static void put_left_out(const spcc_tuned_format *format)
{
    printf("  %s: ", format->format);
    tune_put_text(format->trouble, 4 + (int)strlen(format->format) % FORMAT_AT);
}

static void put_operand(const spcc_tuned_format *format, int n)
{
    double given_ms = 0;
    for (int i = 0; i < n; i++)
        if (format[i].given)
            given_ms = format[i].ms;
    printf("%11s %7s %10s %10s %10s  ", "ms", "ratio", "convert", "pays after", "memory");
    printf("format of %s; * is as it is\n", format->operand);
    for (int i = 0; i < n; i++)
        if (!format[i].trouble)
            put_format(&format[i], given_ms);
    for (int i = 0; i < n; i++)
        if (format[i].trouble)
            put_left_out(&format[i]);
}

/* Counts the formats of one operand, which stand together. */
static int count_alike(const spcc_format_tuning *tuning, int from)
{
    int n = 0;
    while (from + n < tuning->n_formats
           && !strcmp(tuning->formats[from + n].operand, tuning->formats[from].operand))
        n++;
    return n;
}

static void put_tuning(const struct file *file, int s, const spcc_format_tuning *tuning)
{
    printf("%s%s\n", s ? "\n" : "", file->statement[s].request.subject);
    for (int i = 0; i < tuning->n_formats; i += count_alike(tuning, i))
        put_operand(&tuning->formats[i], count_alike(tuning, i));
}

static void tell_kept(const spcc_format_tuning *tuning)
{
    fflush(stdout); /* the table comes first */
    message_label(MESSAGE_NOTE, "note:");
    if (tuning->unkept)
        message_say("the fastest format is not kept: %s", tuning->unkept);
    else
        message_say("the fastest format is kept for spcc run where no -f gives one; --no-tuned "
                    "ignores it");
}

/* ---- a statement ---- */

/* Splits "A,B" into names, which point into one text.  NULL: no memory. */
static const char **split_names(char *list, int *n)
{
    const char **names = calloc(strlen(list) + 1, sizeof *names);
    char *rest = NULL;
    *n = 0;
    for (char *name = strtok_r(list, ",", &rest); names && name; name = strtok_r(NULL, ",", &rest))
        names[(*n)++] = name;
    return names;
}

static spcc_status tune(struct job *job, int s, spcc_format_tuning **tuning)
{
    const char *subject = job->file.statement[s].request.subject;
    struct job_asking asking;
    spcc_tune_formats_options how = {.size = sizeof how, .runs = job->request->runs};
    char *list = strdup(job->request->tuned_operands);
    const char **names = list ? split_names(list, &how.n_operands) : NULL;
    spcc_status said = SPCC_ERROR_MEMORY;
    how.operands = names;
    if (job_ask(job, s, &asking) && names)
        said = spcc_tune_formats(job->context, subject, &asking.made.options, asking.bindings,
                                 asking.n_bindings, &how, tuning);
    job_asked(&asking);
    free(names);
    free(list);
    return said;
}

enum cli_status tune_formats(struct job *job, int s)
{
    spcc_format_tuning *tuning = NULL;
    struct progress progress;
    progress_begin(&progress, "tuning formats of %s", job->file.statement[s].request.subject);
    spcc_status said = tune(job, s, &tuning);
    progress_end(&progress);
    enum cli_status status = file_report(&job->file, s, said);
    if (status == CLI_DONE) {
        put_tuning(&job->file, s, tuning);
        tell_kept(tuning);
    }
    spcc_format_tuning_free(tuning);
    return status;
}
