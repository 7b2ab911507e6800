/* info.c - spcc info: what is in a tensor file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <complex.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/library.h"
#include "cli/progress.h"

/* The stored components, as numbers on the real line where they are that. */
struct entries {
    int order;
    int64_t n;
    int64_t *coordinates;
    double complex *values;
};

static bool unpack(const spcc_tensor *tensor, struct entries *entries)
{
    entries->order = spcc_tensor_order(tensor);
    entries->n = spcc_tensor_stored(tensor);
    entries->coordinates = calloc((size_t)entries->n * (size_t)entries->order + 1, sizeof *entries->coordinates);
    entries->values = calloc((size_t)entries->n + 1, sizeof *entries->values);
    if (!entries->coordinates || !entries->values)
        return false;
    entries->n = spcc_tensor_unpack(tensor, entries->coordinates, entries->values);
    return true;
}

static void describe_values(const struct entries *entries)
{
    double least = DBL_MAX, most = -DBL_MAX;
    bool is_real = true, is_whole = true;
    for (int64_t e = 0; e < entries->n; e++) {
        double real = creal(entries->values[e]);
        is_real &= cimag(entries->values[e]) == 0;
        is_whole &= real >= -9e15 && real <= 9e15 && real == (double)(int64_t)real;
        least = real < least ? real : least;
        most = real > most ? real : most;
    }
    if (entries->n == 0)
        puts("values    none");
    else if (!is_real)
        puts("values    complex");
    else
        printf("values    %s, from %g to %g\n", is_whole ? "integers" : "real", least, most);
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* A line a mode: its dimension, the coordinates that have a stored component, how many the fullest has. */
static bool describe_modes(const spcc_tensor *tensor, const struct entries *entries)
{
    int64_t *along = calloc((size_t)entries->n + 1, sizeof *along);
    if (!along)
        return false;
    printf("mode              dimension   non-empty     fullest        mean\n");
    for (int m = 0; m < entries->order; m++) {
        int64_t dimension = spcc_tensor_dimension(tensor, m), used = 0, fullest = 0, first = 0;
        for (int64_t e = 0; e < entries->n; e++)
            along[e] = entries->coordinates[e * entries->order + m];
        qsort(along, (size_t)entries->n, sizeof *along, compare);
        for (int64_t e = 0; e < entries->n; e++) {
            first = e > 0 && along[e] == along[e - 1] ? first : e;
            used += first == e;
            fullest = e - first + 1 > fullest ? e - first + 1 : fullest;
        }
        printf("%-6d %20lld %11lld %11lld %11.1f\n", m + 1, (long long)dimension, (long long)used, (long long)fullest,
               dimension ? (double)entries->n / (double)dimension : 0);
    }
    free(along);
    return true;
}

static void describe_size(const spcc_tensor *tensor, const struct entries *entries)
{
    static const char *const kinds[] = {"scalar", "vector", "matrix"};
    double components = 1;
    if (entries->order < 3)
        printf("kind      %s\n", kinds[entries->order]);
    else
        printf("kind      tensor of order %d\n", entries->order);
    printf("size      ");
    for (int m = 0; m < entries->order; m++) {
        components *= (double)spcc_tensor_dimension(tensor, m);
        printf("%s%lld", m ? " x " : "", (long long)spcc_tensor_dimension(tensor, m));
    }
    printf("%s\nstored    %lld", entries->order ? "" : "1", (long long)entries->n);
    printf(components > 0 ? ", %.3g%% of the components\n" : "\n", 100 * (double)entries->n / components);
}

static enum cli_status describe(const char *path, const spcc_tensor *tensor)
{
    struct entries entries = {0};
    bool done = unpack(tensor, &entries);
    if (done) {
        printf("file      %s\n", path);
        describe_size(tensor, &entries);
        describe_values(&entries);
        done = entries.order == 0 || describe_modes(tensor, &entries);
    }
    free(entries.coordinates);
    free(entries.values);
    if (!done)
        library_complain("out of memory");
    return done ? CLI_DONE : CLI_BAD_MACHINE;
}

enum cli_status command_info(const struct cli_request *request)
{
    struct cli_request wide = *request;
    enum cli_status status;
    wide.index_bits = 64; /* whatever the file's sizes are */
    spcc_context *context = library_open(&wide, &status);
    if (!context)
        return status;
    spcc_tensor *tensor;
    struct progress progress;
    char what[256];
    snprintf(what, sizeof what, "reading %s", request->subject);
    progress_begin(&progress, what);
    spcc_status said = spcc_tensor_read(context, request->subject, "coo", SPCC_C128, NULL, &tensor);
    if (said == SPCC_ERROR_FORMAT) /* which no file but a scalar is too small for */
        said = spcc_tensor_read(context, request->subject, NULL, SPCC_C128, NULL, &tensor);
    progress_end(&progress);
    status = library_report(context, said);
    if (status == CLI_DONE)
        status = describe(request->subject, tensor);
    spcc_tensor_free(tensor);
    spcc_context_free(context);
    return status;
}
