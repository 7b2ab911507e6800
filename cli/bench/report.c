/* report.c - the output of spcc bench: a heading, a table of at most 100 columns, and
 * comma-separated values.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/message.h"

/* ---- the machine ---- */

/* Finds what follows "model name :" in the list of processors, if there is such a list. */
static void name_processor(char *name, size_t room)
{
    char line[256];
    FILE *list = fopen("/proc/cpuinfo", "r");
    snprintf(name, room, "processor");
    while (list && fgets(line, sizeof line, list)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(name, room, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (list)
        fclose(list);
}

void bench_machine_look(spcc_context *context, enum cli_jit jit, struct bench_machine *machine)
{
    static const spcc_engine engines[] = {SPCC_ENGINE_CLANG, SPCC_ENGINE_CC, SPCC_ENGINE_INTERP};
    char *is = NULL;
    size_t first = jit == CLI_JIT_DEFAULT ? 0 : (size_t)(jit - CLI_JIT_CLANG);
    name_processor(machine->processor, sizeof machine->processor);
    machine->processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t e = first; e < sizeof engines / sizeof *engines && !is; e++)
        if (spcc_engine_describe(context, engines[e], &is) != SPCC_OK)
            is = NULL;
    snprintf(machine->engine, sizeof machine->engine, "%s", is ? is : "");
    spcc_free(is);
}

/* ---- the table ---- */

/* Prints "5.00M", in at most five columns. */
static void print_number(char out[8], double n)
{
    static const char units[] = " kMGT";
    int unit = 0;
    while (n >= 999.5 && units[unit + 1])
        n /= 1000, unit++;
    int digits = unit == 0 || n >= 99.95 ? 0 : n >= 9.995 ? 1 : 2;
    snprintf(out, 8, "%.*f%.*s", digits, n, unit > 0, units + unit);
}

/* Returns the decimals of milliseconds in seven columns. */
static int decimals(double ms) { return ms < 10 ? 3 : ms < 100 ? 2 : ms < 1000 ? 1 : 0; }

enum { KERNEL = 10, FORMAT = 9, INPUT = 11, BY = 9 };

void bench_print_heading(FILE *out, const struct bench_machine *machine, const char *suite,
                         bool is_quick)
{
    fprintf(out, "spcc %s, suite %s%s\n", spcc_version(), suite, is_quick ? ", quick" : "");
    fprintf(out, "%s, %d %s; kernels by %s\n", machine->processor, machine->processors,
            machine->processors == 1 ? "processor" : "processors", machine->engine);
}

void bench_print_legend(FILE *out, bool has_peers, bool on_gpu)
{
    fprintf(out,
            "ms: %s of one run with a new result; T: threads; runs: the timed runs\n"
            "GB/s: every operand read once, the result written once; Gop/s: operations of the "
            "statement\n"
            "roof: the share of the limit by %s",
            on_gpu ? "time on the GPU" : "wall-clock time", on_gpu ? "a copy" : "triad and fma");
    fputs(has_peers ? "; ratio: the least time divided by spcc's\n" : "\n", out);
}

void bench_print_rates(FILE *out, const struct bench_rates *rates)
{
    fprintf(out,
            "%2d %s: triad %.1f GB/s, gather %.2f G/s, fma %.1f Gop/s (f64, beyond the caches)\n",
            rates->threads, rates->threads == 1 ? "thread" : "threads", rates->triad * 1e-6,
            rates->gather * 1e-6, rates->fma * 1e-6);
}

void bench_print_columns(FILE *out, bool has_peers)
{
    fprintf(out, "\n%-*s %-*s %-*s %s type  T %-*s %4s %7s %7s %5s %5s %4s%s\n", KERNEL, "kernel",
            FORMAT, "format", INPUT - 1, "input", "stored", BY, "by", "runs", "min ms", "median",
            "GB/s", "Gop/s", "roof", has_peers ? " ratio" : "");
}

static double per_second(double n, double ms) { return ms > 0 ? n / ms * 1e-6 : 0; }

/* Prints the first columns, unless the row above has the same. */
static void print_case(FILE *out, const struct bench_row *row, const struct bench_row *before)
{
    char stored[8];
    bool is_same = before && before->kernel == row->kernel && strcmp(before->input, row->input) == 0
                   && strcmp(before->format, row->format) == 0 && before->type == row->type;
    if (before && strcmp(before->kernel->name, row->kernel->name) != 0)
        fputc('\n', out);
    if (is_same) {
        fprintf(out, "%*s", KERNEL + FORMAT + INPUT + 14, "");
        return;
    }
    print_number(stored, (double)row->entries);
    if (strlen(row->kernel->name) > KERNEL) /* the name tells the format */
        fprintf(out, "%-*.*s ", KERNEL + 1 + FORMAT, KERNEL + 1 + FORMAT, row->kernel->name);
    else
        fprintf(out, "%-*s %-*.*s ", KERNEL, row->kernel->name, FORMAT, FORMAT, row->format);
    fprintf(out, "%-*.*s %5s %-4s ", INPUT, INPUT, row->input, stored, spcc_type_name(row->type));
}

void bench_print_row(FILE *out, const struct bench_row *row, const struct bench_row *before,
                     bool has_peers)
{
    print_case(out, row, before);
    fprintf(out, "%2d %-*.*s %4d %7.*f %7.*f %5.1f ", row->threads, BY, BY, row->by, row->samples,
            decimals(row->min_ms), row->min_ms, decimals(row->median_ms), row->median_ms,
            per_second((double)row->bytes, row->min_ms));
    if (row->flops > 0)
        fprintf(out, "%5.2f ", per_second(row->flops, row->min_ms));
    else
        fprintf(out, "%5s ", "");
    if (row->roof_ms > 0)
        fprintf(out, "%3.0f%%", 100 * row->roof_ms / row->min_ms);
    else
        fprintf(out, "%4s", "");
    if (row->is_wrong)
        fputs(" WRONG", out);
    else if (has_peers)
        fprintf(out, " %5.*f", row->ratio < 99.995 ? 2 : 0, row->ratio);
    fputc('\n', out);
    fflush(out);
}

void bench_print_storage(FILE *out, const struct bench_row *row)
{
    char bytes[8];
    print_number(bytes, (double)row->storage);
    fprintf(out, "%*s %s bytes, %.1f an entry\n", KERNEL, "", bytes,
            (double)row->storage / (double)(row->entries > 0 ? row->entries : 1));
}

/* ---- means ---- */

static bool is_of_mean(const struct bench_row *row, const struct bench_row *mean)
{
    return strcmp(row->input, mean->input) == 0 && strcmp(row->by, mean->by) == 0
           && row->type == mean->type && row->threads == mean->threads;
}

/* Combines `modes` rows with the next one; each counts the same. */
static void take_mean(struct bench_row *mean, const struct bench_row *row)
{
    double part = 1.0 / ++mean->modes;
    mean->min_ms += part * (row->min_ms - mean->min_ms);
    mean->median_ms += part * (row->median_ms - mean->median_ms);
    mean->mean_ms += part * (row->mean_ms - mean->mean_ms);
    mean->ours_ms += part * (row->ours_ms - mean->ours_ms);
    mean->roof_ms += part * (row->roof_ms - mean->roof_ms);
    mean->flops += part * (row->flops - mean->flops);
    mean->bytes += (int64_t)(part * (double)(row->bytes - mean->bytes));
    mean->ratio = mean->ours_ms > 0 ? mean->min_ms / mean->ours_ms : 1;
    mean->is_wrong |= row->is_wrong;
}

int bench_mean_rows(const struct bench_rows *rows, int first, struct bench_row *means)
{
    int n = 0;
    for (int r = first; r < rows->n; r++) {
        const struct bench_row *row = &rows->row[r];
        int m = 0;
        while (m < n && !is_of_mean(row, &means[m]))
            m++;
        if (m < n)
            take_mean(&means[m], row);
        else
            means[n++] = *row, means[m].modes = 1;
    }
    return n;
}

/* ---- comma-separated values ---- */

char *bench_csv(const struct bench_rows *rows)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return NULL;
    fputs(
        "kernel,statement,format,input,order,stored,type,threads,by,runs,least_ms,median_ms,bytes,"
        "operations,gb_per_s,gop_per_s,roof,ratio,right,mean_ms,schedule,storage\n",
        out);
    for (int r = 0; r < rows->n; r++) {
        const struct bench_row *row = &rows->row[r];
        fprintf(out,
                "%s,\"%s\",\"%s\",%s,%d,%lld,%s,%d,%s,%d,%.6g,%.6g,%lld,%.6g,%.6g,%.6g,%.6g,%.6g,%"
                "s,%.6g,"
                "\"%s\",%lld\n",
                row->kernel->name, row->modes > 1 ? "mean of all modes" : row->kernel->statement,
                row->format, row->input, row->order, (long long)row->entries,
                spcc_type_name(row->type), row->threads, row->by, row->samples, row->min_ms,
                row->median_ms, (long long)row->bytes, row->flops,
                per_second((double)row->bytes, row->min_ms), per_second(row->flops, row->min_ms),
                row->min_ms > 0 ? row->roof_ms / row->min_ms : 0, row->ratio,
                row->is_wrong ? "no" : "yes", row->mean_ms,
                row->kernel->schedule ? row->kernel->schedule : "", (long long)row->storage);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
