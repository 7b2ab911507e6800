/* timing.c - the measurements of spcc run --time, and their report.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "cli/message.h"

double timing_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double timing_median(double *ms, int n)
{
    qsort(ms, (size_t)n, sizeof *ms, compare_doubles);
    return n % 2 ? ms[n / 2] : (ms[n / 2 - 1] + ms[n / 2]) / 2;
}

static const char *engine_name(spcc_engine engine)
{
    switch (engine) {
    case SPCC_ENGINE_AUTO: break;
    case SPCC_ENGINE_CLANG: return "clang";
    case SPCC_ENGINE_CC: return "cc";
    case SPCC_ENGINE_INTERP: return "interp";
    case SPCC_ENGINE_GPU: return "gpu";
    case SPCC_ENGINE_PACK: return "pack";
    }
    return "";
}

static const char *origin_name(spcc_origin origin)
{
    switch (origin) {
    case SPCC_ORIGIN_COMPILED: return "compiled";
    case SPCC_ORIGIN_DISK: return "disk";
    case SPCC_ORIGIN_MEMORY: return "memory";
    case SPCC_ORIGIN_PACK: return "pack";
    }
    return "";
}

/* Returns 0 if it cannot be told. */
static double gigabytes_per_second(const struct timing *t)
{
    return t->bytes >= 0 && t->run_ms > 0 ? (double)t->bytes / t->run_ms * 1e-6 : 0;
}

/* Returns the mean of all runs on a GPU. */
static spcc_gpu_times mean(const struct timing *t)
{
    double n = (double)t->gpu_runs;
    return (spcc_gpu_times){t->gpu.there_ms / n, t->gpu.kernel_ms / n, t->gpu.back_ms / n,
                            t->gpu.there_bytes / t->gpu_runs, t->gpu.back_bytes / t->gpu_runs};
}

static void report_gpu_json(const struct timing *t)
{
    spcc_gpu_times gpu = mean(t);
    fprintf(stderr,
            "\"gpu\": {\"there_ms\": %.6g, \"there_bytes\": %lld, \"kernel_ms\": %.6g, "
            "\"back_ms\": %.6g, \"back_bytes\": %lld, \"copy_gb_per_s\": %.6g}, ",
            gpu.there_ms, (long long)gpu.there_bytes, gpu.kernel_ms, gpu.back_ms,
            (long long)gpu.back_bytes, t->gpu_copy * 1e-6);
}

static void report_gpu_text(const struct timing *t)
{
    spcc_gpu_times gpu = mean(t);
    fprintf(stderr, "  there     %10.3f ms   %.3f MB to the GPU\n", gpu.there_ms,
            (double)gpu.there_bytes * 1e-6);
    fprintf(stderr, "  kernels   %10.3f ms", gpu.kernel_ms);
    if (t->gpu.kernel_ms > 0)
        fprintf(stderr, "   %.2f GB/s", t->gpu_moved / t->gpu.kernel_ms * 1e-6);
    if (t->gpu.kernel_ms > 0 && t->gpu_copy > 0)
        fprintf(stderr, ", %.0f %% of a copy", 100 * t->gpu_moved / t->gpu.kernel_ms / t->gpu_copy);
    fprintf(stderr, "\n  back      %10.3f ms   %.3f MB\n", gpu.back_ms,
            (double)gpu.back_bytes * 1e-6);
}

/* Returns the most memory that the process has had at a time. */
static long long peak_bytes(void)
{
    struct rusage used = {0};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss * 1024LL;
}

static void report_json(const struct timing *t, const struct timing_step *step, int n)
{
    const spcc_kernel_info *k = t->kernel;
    fprintf(stderr, "{\"read_ms\": %.6g, \"pack_ms\": %.6g, ", t->read_ms, t->pack_ms);
    fprintf(stderr, "\"generate_ms\": %.6g, \"compile_ms\": %.6g, \"load_ms\": %.6g, ",
            k->generate_ms, k->compile_ms, k->load_ms);
    fprintf(stderr, "\"engine\": \"%s\", \"origin\": \"%s\", ", engine_name(k->engine),
            origin_name(k->origin));
    fprintf(stderr, "\"run_ms\": %.6g, \"runs\": %lld, \"write_ms\": %.6g, ", t->run_ms,
            (long long)t->runs, t->write_ms);
    for (int s = 0; s < n; s++)
        fprintf(stderr, "%s{\"run_ms\": %.6g, \"runs\": %lld}%s",
                s == 0 ? "\"statements\": [" : ", ", step[s].ms, (long long)step[s].runs,
                s == n - 1 ? "], " : "");
    if (t->gpu_runs > 0)
        report_gpu_json(t);
    fprintf(stderr, "\"bytes\": %lld, \"gb_per_s\": %.6g, \"peak_bytes\": %lld, \"note\": ",
            (long long)t->bytes, gigabytes_per_second(t), peak_bytes());
    message_json(stderr, k->note);
    fputs("}\n", stderr);
}

static void report_text(const struct timing *t, const struct timing_step *step, int n)
{
    const spcc_kernel_info *k = t->kernel;
    fprintf(stderr, "read        %10.3f ms\n", t->read_ms);
    fprintf(stderr, "pack        %10.3f ms\n", t->pack_ms);
    fprintf(stderr, "generate    %10.3f ms\n", k->generate_ms);
    fprintf(stderr, "compile     %10.3f ms   %s%s\n", k->compile_ms, engine_name(k->engine),
            k->origin == SPCC_ORIGIN_DISK ? ", from the kernel cache" : "");
    fprintf(stderr, "load        %10.3f ms\n", k->load_ms);
    fprintf(stderr, "run         %10.3f ms   %s of %lld\n", t->run_ms,
            t->has_loops ? "sum" : "median", (long long)t->runs);
    for (int s = 0; s < n; s++)
        fprintf(stderr, "            %10.3f ms   %lld of %s\n", step[s].ms, (long long)step[s].runs,
                step[s].text);
    if (t->bytes >= 0)
        fprintf(stderr, "  moves     %10.3f MB   %.2f GB/s\n", (double)t->bytes * 1e-6,
                gigabytes_per_second(t));
    if (t->gpu_runs > 0)
        report_gpu_text(t);
    fprintf(stderr, "write       %10.3f ms\n", t->write_ms);
    if (k->note && !k->fallback) { /* a fallback was reported already */
        message_label(MESSAGE_NOTE, "note:");
        fprintf(stderr, "%s\n", k->note);
    }
}

void timing_report(const struct timing *timing, enum cli_time form, const struct timing_step *step,
                   int n_steps)
{
    if (form == CLI_TIME_JSON)
        report_json(timing, step, n_steps);
    else if (form == CLI_TIME_TEXT)
        report_text(timing, step, n_steps);
}
