/* neighbours_report.c - the table of spcc bench neighbours, of at most 100 columns, and its
 * comma-separated values.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/neighbours.h"

enum { NAME = 18, FORMAT = 9, INPUT = 11, OVER = 14 };

static bool stands(const struct bench_standing *s)
{
    return s->ratio > 0 && s->ratio <= s->bound && !s->is_wrong;
}

void bench_print_standing_columns(FILE *out)
{
    fputs("ms: the least wall-clock time; over: what it is measured against, and that one's least "
          "time\n"
          "ratio: the one over the other; a row stands if it is at most the bound\n"
          "two alone: half of the time of two serial kernels at once\n",
          out);
    fprintf(out, "\n%-*s %-*s %-*s  T %8s  %-*s %8s %6s %5s\n", NAME, "kernel", FORMAT, "format",
            INPUT, "input", "ms", OVER, "over", "ms", "ratio", "bound");
}

static void print_ms(FILE *out, double ms, const char *end)
{
    if (ms > 0)
        fprintf(out, "%8.*f%s", ms < 100 ? 3 : 1, ms, end);
    else
        fprintf(out, "%8s%s", "", end);
}

void bench_print_standing(FILE *out, const struct bench_standing *s)
{
    fprintf(out, "%-*.*s %-*.*s %-*.*s %2d ", NAME, NAME, s->row->name, FORMAT, FORMAT, s->format,
            INPUT, INPUT, s->input, s->threads);
    print_ms(out, s->ms, "  ");
    fprintf(out, "%-*.*s ", OVER, OVER, s->over);
    print_ms(out, s->over_ms, " ");
    if (s->is_wrong)
        fputs(" WRONG\n", out);
    else if (s->ratio > 0)
        fprintf(out, "%6.*f %5.2f%s\n", s->ratio < 100 ? 2 : 0, s->ratio, s->bound,
                stands(s) ? " stands" : "");
    else
        fprintf(out, "%6s %5.2f\n", "", s->bound);
    fflush(out);
}

void bench_print_standings(FILE *out, const struct bench_standings *all)
{
    int stand = 0, measured = 0;
    for (int k = 0; k < all->n; k++) {
        stand += stands(&all->of[k]);
        measured += all->of[k].ratio > 0;
    }
    fprintf(out, "\n%d of %d stand", stand, measured);
    if (measured < all->n)
        fprintf(out, "; of %d the peer is not there", all->n - measured);
    fputc('\n', out);
}

char *bench_standings_csv(const struct bench_standings *all)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return NULL;
    fputs("kernel,statement,format,schedule,input,stored,threads,least_ms,over,over_ms,ratio,bound,"
          "stands,right\n",
          out);
    for (int k = 0; k < all->n; k++) {
        const struct bench_standing *s = &all->of[k];
        fprintf(out, "\"%s\",\"%s\",\"%s\",\"%s\",%s,%lld,%d,%.6g,\"%s\",%.6g,%.6g,%g,%s,%s\n",
                s->row->name, s->row->statement, s->format,
                s->row->schedule ? s->row->schedule : "", s->input, (long long)s->entries,
                s->threads, s->ms, s->over, s->over_ms, s->ratio, s->bound,
                stands(s) ? "yes" : "no", s->is_wrong ? "no" : "yes");
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
