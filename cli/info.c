/* info.c - spcc info FILE: the contents of a tensor file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/info.h"
#include "cli/library.h"
#include "cli/plot.h"
#include "cli/progress.h"

/* Facts about the file. */
struct facts {
    const char *path;
    const spcc_tensor *tensor;
    const spcc_statistics *stats;
    struct info_storage storage;
    double least, most; /* of the values' real parts */
    int64_t nans;       /* values that are not a number, or have such a part */
    bool is_complex, is_whole;
};

double complex info_value(const void *values, spcc_type type, int64_t k)
{
    switch (type) {
    case SPCC_BOOL: return (double)((const bool *)values)[k];
    case SPCC_I8: return (double)((const int8_t *)values)[k];
    case SPCC_I16: return (double)((const int16_t *)values)[k];
    case SPCC_I32: return (double)((const int32_t *)values)[k];
    case SPCC_I64: return (double)((const int64_t *)values)[k];
    case SPCC_U8: return (double)((const uint8_t *)values)[k];
    case SPCC_U16: return (double)((const uint16_t *)values)[k];
    case SPCC_U32: return (double)((const uint32_t *)values)[k];
    case SPCC_U64: return (double)((const uint64_t *)values)[k];
    case SPCC_F32: return (double)((const float *)values)[k];
    case SPCC_F64: return ((const double *)values)[k];
    case SPCC_C64: return (double complex)((const float complex *)values)[k];
    case SPCC_C128: break;
    }
    return ((const double complex *)values)[k];
}

static void look_at_values(struct facts *facts)
{
    facts->least = DBL_MAX;
    facts->most = -DBL_MAX;
    facts->is_whole = true;
    for (int64_t k = 0; k < facts->stats->stored; k++) {
        double complex value =
            info_value(spcc_tensor_values(facts->tensor), spcc_tensor_type(facts->tensor), k);
        double real = creal(value);
        facts->nans += isnan(real) || isnan(cimag(value));
        facts->is_complex |= cimag(value) != 0;
        facts->is_whole &= real >= -9.3e18 && real <= 9.3e18 && real == floor(real);
        facts->least = real < facts->least ? real : facts->least;
        facts->most = real > facts->most ? real : facts->most;
    }
}

/* Has the file no values, so that each is 1? */
static bool is_pattern(const struct facts *facts)
{
    return spcc_tensor_get_info(facts->tensor)->pattern;
}

static const char *kind_of_values(const struct facts *facts)
{
    return facts->stats->stored == 0                      ? "none"
           : is_pattern(facts)                            ? "pattern"
           : spcc_tensor_type(facts->tensor) == SPCC_BOOL ? "bool"
           : facts->is_complex                            ? "complex"
           : facts->is_whole                              ? "integers"
                                                          : "real";
}

/* Are there real values that can be compared? */
static bool has_range(const struct facts *facts)
{
    return facts->nans < facts->stats->stored && !facts->is_complex && !is_pattern(facts);
}

static const char *symmetry(const spcc_statistics *stats)
{
    return stats->symmetric           ? "symmetric"
           : stats->skew_symmetric    ? "skew-symmetric"
           : stats->hermitian         ? "hermitian"
           : stats->symmetric_pattern ? "pattern only"
                                      : "none";
}

/* ---- as text ---- */

static void print_size(const struct facts *facts)
{
    static const char *const kinds[] = {"scalar", "vector", "matrix"};
    const spcc_statistics *s = facts->stats;
    char *path = spcc_printable(facts->path);
    printf("file      %s\n", path ? path : "");
    spcc_free(path);
    if (s->order < 3)
        printf("kind      %s\n", kinds[s->order]);
    else
        printf("kind      tensor of order %d\n", s->order);
    printf("size      ");
    for (int m = 0; m < s->order; m++)
        printf("%s%lld", m ? " x " : "", (long long)s->modes[m].dimension);
    printf("%s\nstored    %lld", s->order ? "" : "1", (long long)s->stored);
    printf(s->components > 0 ? ", %.3g%% of the components\n" : "\n",
           100 * (double)s->stored / s->components);
    printf("values    %s", kind_of_values(facts));
    if (has_range(facts))
        printf(", from %g to %g", facts->least, facts->most);
    if (facts->nans > 0 && facts->nans < s->stored)
        printf(", %lld of them NaN", (long long)facts->nans);
    printf(facts->nans > 0 && facts->nans == s->stored ? ", all of them NaN\n" : "\n");
}

static void print_matrix(const spcc_statistics *s)
{
    printf("symmetry  %s\n", symmetry(s));
    printf("band      %lld below and %lld above the diagonal, %lld diagonals\n",
           (long long)s->below, (long long)s->above, (long long)s->diagonals);
    for (int b = 0; b < s->n_blocks; b++)
        printf("%s%lld blocks of %lld x %lld, %.3g%% full\n", b ? "          " : "blocks    ",
               (long long)s->blocks[b].count, (long long)s->blocks[b].size,
               (long long)s->blocks[b].size, 100 * s->blocks[b].fill);
}

/* Prints a line for each mode: its dimension, the number of coordinates without a stored component,
 * how many components the others have. */
static void print_modes(const spcc_statistics *s)
{
    printf("\nmode              dimension       empty       least        most        mean   "
           "deviation\n");
    for (int m = 0; m < s->order; m++) {
        const spcc_mode_statistics *mode = &s->modes[m];
        printf("%-6d %20lld %11lld %11lld %11lld %11.1f %11.1f\n", m + 1,
               (long long)mode->dimension, (long long)(mode->dimension - mode->used),
               (long long)mode->least, (long long)mode->most, mode->mean, mode->deviation);
    }
}

/* Prints "381.3 KiB". */
static void print_bytes(int64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double n = (double)bytes;
    int unit = 0;
    for (; n >= 1024 && unit < 6; unit++)
        n /= 1024;
    printf("%14.*f %s\n", unit > 0, n, units[unit]);
}

static void print_formats(const spcc_statistics *s)
{
    printf("\nformat                 memory\n");
    for (int f = 0; f < s->n_formats; f++) {
        printf("%-14s", s->formats[f].format);
        print_bytes(s->formats[f].bytes);
    }
}

static void print_text(const struct facts *facts)
{
    print_size(facts);
    if (facts->stats->order == 2)
        print_matrix(facts->stats);
    if (facts->stats->order > 0)
        print_modes(facts->stats);
}

/* ---- as JSON ---- */

static void print_json_matrix(const spcc_statistics *s)
{
    printf(", \"symmetry\": \"%s\", \"symmetric_pattern\": %s", symmetry(s),
           s->symmetric_pattern ? "true" : "false");
    printf(", \"below\": %lld, \"above\": %lld, \"diagonals\": %lld, \"blocks\": [",
           (long long)s->below, (long long)s->above, (long long)s->diagonals);
    for (int b = 0; b < s->n_blocks; b++)
        printf("%s{\"size\": %lld, \"count\": %lld, \"fill\": %.6g}", b ? ", " : "",
               (long long)s->blocks[b].size, (long long)s->blocks[b].count, s->blocks[b].fill);
    printf("]");
}

static void print_json(const struct facts *facts)
{
    const spcc_statistics *s = facts->stats;
    printf("{\"file\": ");
    message_json(stdout, facts->path);
    printf(", \"order\": %d, \"stored\": %lld, \"values\": \"%s\"", s->order, (long long)s->stored,
           kind_of_values(facts));
    if (has_range(facts) && facts->least >= -DBL_MAX && facts->most <= DBL_MAX)
        printf(", \"least\": %.17g, \"most\": %.17g", facts->least, facts->most);
    if (facts->nans > 0)
        printf(", \"nan\": %lld", (long long)facts->nans);
    printf(", \"modes\": [");
    for (int m = 0; m < s->order; m++) {
        const spcc_mode_statistics *mode = &s->modes[m];
        printf("%s{\"dimension\": %lld, \"empty\": %lld, \"least\": %lld, \"most\": %lld, "
               "\"mean\": %.6g, \"deviation\": %.6g}",
               m ? ", " : "", (long long)mode->dimension, (long long)(mode->dimension - mode->used),
               (long long)mode->least, (long long)mode->most, mode->mean, mode->deviation);
    }
    printf("]");
    if (s->order == 2)
        print_json_matrix(s);
}

static void print_json_formats(const spcc_statistics *s)
{
    printf(", \"bytes\": {");
    for (int f = 0; f < s->n_formats; f++)
        printf("%s\"%s\": %lld", f ? ", " : "", s->formats[f].format,
               (long long)s->formats[f].bytes);
    printf("}");
}

/* ---- the command ---- */

static enum cli_status draw(const struct cli_request *request, const struct plot *plot)
{
    char *svg;
    enum cli_status status = plot_draw(plot, &svg);
    if (status == CLI_DONE)
        status = library_write_text(plot->context, request, svg, request->plot_file);
    free(svg);
    return status;
}

/* Prints what the user wants to see. */
static enum cli_status show(const struct cli_request *request, const struct facts *facts,
                            const struct plot *plot)
{
    enum cli_status status = CLI_DONE;
    bool is_picture_only = request->plot_file && strcmp(request->plot_file, "-") == 0;
    if (request->plot && plot->stats->order == 0) {
        library_complain("--plot: %s is a scalar, which has no pattern", request->subject);
        return CLI_BAD_INPUT;
    }
    if (request->plot_file)
        status = draw(request, plot);
    if (status != CLI_DONE || is_picture_only)
        return status;
    (request->json ? print_json : print_text)(facts);
    if (facts->storage.format)
        info_print_storage(request, &facts->storage);
    else
        (request->json ? print_json_formats : print_formats)(facts->stats);
    if (request->plot && (request->json || !request->plot_file))
        status = (request->json ? plot_print_json : plot_print)(plot);
    if (request->json)
        puts("}");
    return status;
}

static enum cli_status describe_tensor(spcc_context *context, const struct cli_request *request,
                                       const spcc_tensor *tensor)
{
    spcc_statistics *stats;
    struct progress progress;
    progress_begin(&progress, "looking at %s", request->subject);
    spcc_status said = spcc_tensor_statistics(context, tensor, &stats);
    progress_end(&progress);
    enum cli_status status = library_report(context, said);
    if (status != CLI_DONE)
        return status;
    struct facts facts = {.path = request->subject, .tensor = tensor, .stats = stats};
    struct plot plot = {context, request->subject, tensor, stats};
    look_at_values(&facts);
    status = info_store(request, tensor, &facts.storage);
    if (status == CLI_DONE)
        status = show(request, &facts, &plot);
    info_free_storage(&facts.storage);
    spcc_statistics_free(stats);
    return status;
}

enum cli_status command_info(const struct cli_request *request)
{
    struct cli_request wide = *request;
    enum cli_status status;
    spcc_type type;
    spcc_read_options options = {.size = sizeof options, .zero_based = request->zero_based};
    if (!request->subject)
        return command_info_machine(request);
    if (!library_file_type(request, &type, &options.own_type))
        return CLI_BAD_USAGE;
    wide.index_bits = 64; /* the file's sizes may be large */
    spcc_context *context = library_open(&wide, &status);
    if (!context)
        return status;
    spcc_tensor *tensor;
    status = library_report(
        context, library_read(context, request->subject, "coo", type, &options, &tensor));
    if (status == CLI_DONE)
        status = describe_tensor(context, request, tensor);
    spcc_tensor_free(tensor);
    spcc_context_free(context);
    return status;
}
