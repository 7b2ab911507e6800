/* info_storage.c - spcc info FILE -f FORMAT: the tensor's storage in that format.
 *
 * A line for each level with its coordinates, a line for each array, and the sum of the bytes.
 * Each array's first elements are shown, which are all of a small one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/info.h"
#include "cli/library.h"

enum { ARRAYS = 3, SHOWN = 24 };

/* An array; the values are one, too. */
struct array {
    const char *name;
    spcc_type type;
    spcc_array of;
    int level; /* counted from 1; 0: values */
};

static int64_t bytes_of(const struct array *array)
{
    return array->of.length * (int64_t)spcc_type_size(array->type);
}

/* Returns array number n.  false if there are no more. */
static bool array_at(const spcc_tensor *tensor, int n, struct array *array)
{
    for (int level = 0; level < spcc_tensor_levels(tensor); level++)
        for (int k = 0; k < ARRAYS; k++) {
            const char *name = spcc_tensor_array_name(tensor, level, k);
            if (!name || n-- > 0)
                continue;
            *array = (struct array){name, spcc_tensor_array_type(tensor, level, k),
                                    spcc_tensor_array(tensor, level, k), level + 1};
            return true;
        }
    *array = (struct array){"values",
                            spcc_tensor_type(tensor),
                            {spcc_tensor_values(tensor), spcc_tensor_stored(tensor)},
                            0};
    return n == 0;
}

static void print_element(const struct array *array, int64_t at)
{
    double complex value = info_value(array->of.at, array->type, at);
    printf("  %.6g", creal(value));
    if (array->type == SPCC_C64 || array->type == SPCC_C128)
        printf("%+.6gi", cimag(value));
}

static void print_array(const struct array *array)
{
    if (array->level)
        printf("%-5d ", array->level);
    else
        printf("%-5s ", "");
    printf("%-8s %-5s %13lld %15lld  ", array->name, spcc_type_name(array->type),
           (long long)array->of.length, (long long)bytes_of(array));
    for (int64_t at = 0; at < array->of.length && at < SHOWN; at++)
        print_element(array, at);
    puts(array->of.length > SHOWN ? "  ..." : "");
}

/* Returns the mean number of nodes below a node of the level above. */
static double mean_of(const spcc_level_nodes *nodes, int level)
{
    int64_t parents = level ? nodes[level - 1].nodes : 1;
    return parents ? (double)nodes[level].nodes / (double)parents : 0;
}

static int64_t bytes_of_all(const spcc_tensor *tensor)
{
    struct array array;
    int64_t bytes = 0;
    for (int n = 0; array_at(tensor, n, &array); n++)
        bytes += bytes_of(&array);
    return bytes;
}

/* Counts the nodes of all levels.  NULL: no memory. */
static spcc_level_nodes *nodes_of(const spcc_tensor *tensor)
{
    spcc_level_nodes *nodes = calloc((size_t)spcc_tensor_levels(tensor) + 1, sizeof *nodes);
    if (nodes)
        spcc_tensor_nodes(tensor, nodes);
    return nodes;
}

/* Counts the words of a list of fibers as papers do: where each fiber begins, the coordinates along
 * it, and the values. */
static int64_t words_of(const spcc_tensor *part, int64_t fibers)
{
    return fibers + 2 * spcc_tensor_stored(part);
}

static void print_parts(const spcc_tensor *tensor)
{
    int64_t fibers = 0, words = 0;
    int parts = spcc_tensor_parts(tensor);
    printf("\npart         entries      fibers       words  levels\n");
    for (int k = 0; k < parts; k++) {
        const spcc_tensor *part = spcc_tensor_part(tensor, k);
        int levels = spcc_tensor_levels(part);
        spcc_level_nodes *nodes = nodes_of(part);
        int64_t some = nodes && levels > 1 ? nodes[levels - 2].nodes : 1;
        free(nodes);
        fibers += some;
        words += words_of(part, some);
        printf("%-5d %14lld %11lld %11lld  %s\n", k + 1, (long long)spcc_tensor_stored(part),
               (long long)some, (long long)words_of(part, some), spcc_tensor_format(part));
    }
    printf("all   %14lld %11lld %11lld\n", (long long)spcc_tensor_stored(tensor), (long long)fibers,
           (long long)words);
}

static void print_levels(const spcc_tensor *tensor, const spcc_level_nodes *nodes)
{
    struct array array;
    printf("\nlevel         nodes     longest        mean\n");
    for (int k = 0; k < spcc_tensor_levels(tensor); k++)
        printf("%-5d %13lld %11lld %11.1f\n", k + 1, (long long)nodes[k].nodes,
               (long long)nodes[k].longest, mean_of(nodes, k));
    printf("\nlevel array    type         length           bytes\n");
    for (int n = 0; array_at(tensor, n, &array); n++)
        print_array(&array);
    printf("%-5s %-28s %15lld\n", "", "all", (long long)bytes_of_all(tensor));
}

static void print_text(const struct info_storage *storage)
{
    const spcc_tensor *tensor = storage->tensor;
    printf("\nformat    %s\n", storage->format);
    printf("levels    %s\n", spcc_tensor_format(tensor));
    if (!spcc_tensor_parts(tensor)) {
        print_levels(tensor, storage->nodes);
        return;
    }
    print_parts(tensor);
    for (int k = 0; k < spcc_tensor_parts(tensor); k++) {
        spcc_level_nodes *nodes = nodes_of(spcc_tensor_part(tensor, k));
        printf("\npart %d\n", k + 1);
        if (nodes)
            print_levels(spcc_tensor_part(tensor, k), nodes);
        free(nodes);
    }
}

/* Prints the members of a JSON object. */
static void print_json_levels(const spcc_tensor *tensor, const spcc_level_nodes *nodes)
{
    struct array array;
    printf("\"format\": ");
    message_json(stdout, spcc_tensor_format(tensor));
    printf(", \"levels\": [");
    for (int k = 0; k < spcc_tensor_levels(tensor); k++)
        printf("%s{\"nodes\": %lld, \"longest\": %lld, \"mean\": %.6g}", k ? ", " : "",
               (long long)nodes[k].nodes, (long long)nodes[k].longest, mean_of(nodes, k));
    printf("], \"arrays\": [");
    for (int n = 0; array_at(tensor, n, &array); n++)
        printf("%s{\"level\": %d, \"name\": \"%s\", \"type\": \"%s\", \"length\": %lld, "
               "\"bytes\": %lld}",
               n ? ", " : "", array.level, array.name, spcc_type_name(array.type),
               (long long)array.of.length, (long long)bytes_of(&array));
    printf("], \"bytes\": %lld", (long long)bytes_of_all(tensor));
}

static void print_json(const struct info_storage *storage)
{
    const spcc_tensor *tensor = storage->tensor;
    printf(", ");
    if (!spcc_tensor_parts(tensor)) {
        print_json_levels(tensor, storage->nodes);
        return;
    }
    printf("\"format\": ");
    message_json(stdout, spcc_tensor_format(tensor));
    printf(", \"parts\": [");
    for (int k = 0; k < spcc_tensor_parts(tensor); k++) {
        spcc_level_nodes *nodes = nodes_of(spcc_tensor_part(tensor, k));
        printf("%s{", k ? ", " : "");
        if (nodes)
            print_json_levels(spcc_tensor_part(tensor, k), nodes);
        printf("}");
        free(nodes);
    }
    printf("], \"bytes\": %lld", (long long)spcc_tensor_bytes(tensor));
}

/* Packs the tensor in the format, with the indices that the user wants. */
static enum cli_status pack_as(const struct cli_request *request, const spcc_tensor *from,
                               struct info_storage *to)
{
    const int order = spcc_tensor_order(from);
    const int64_t n = spcc_tensor_stored(from);
    spcc_tensor_options options = {.size = sizeof options, .name = request->subject};
    int64_t *dimensions = calloc((size_t)order * (size_t)(n + 1) + 1, sizeof *dimensions),
            *coordinates = dimensions + order;
    if (!dimensions)
        return library_no_memory();
    for (int mode = 0; mode < order; mode++)
        dimensions[mode] = spcc_tensor_dimension(from, mode);
    spcc_tensor_unpack(from, coordinates, NULL);
    spcc_status said =
        spcc_tensor_from_coords(to->context, to->format, spcc_tensor_type(from), order, dimensions,
                                n, coordinates, spcc_tensor_values(from), &options, &to->tensor);
    free(dimensions);
    return library_report(to->context, said);
}

/* Packs a format in parts, which divides the entries in the order of the file; the tensor at hand
 * has lost that order. */
static enum cli_status pack_again(const struct cli_request *request, spcc_type type,
                                  struct info_storage *to)
{
    spcc_read_options options = {
        .size = sizeof options, .name = request->subject, .zero_based = request->zero_based};
    if (spcc_tensor_parts(to->tensor) == 0 || strcmp(request->subject, "-") == 0)
        return CLI_DONE;
    spcc_tensor_free(to->tensor);
    to->tensor = NULL;
    return library_report(to->context, library_read(to->context, request->subject, to->format, type,
                                                    &options, &to->tensor));
}

enum cli_status info_store(const struct cli_request *request, const spcc_tensor *from,
                           struct info_storage *storage)
{
    enum cli_status status;
    *storage = (struct info_storage){.format = library_alone(request, CLI_FLAG_FORMAT)};
    if (!storage->format)
        return CLI_DONE;
    storage->context = library_open(request, &status);
    if (storage->context)
        status = pack_as(request, from, storage);
    if (status == CLI_DONE)
        status = pack_again(request, spcc_tensor_type(from), storage);
    if (status == CLI_DONE) {
        storage->nodes = nodes_of(storage->tensor);
        if (!storage->nodes)
            return library_no_memory();
    }
    return status;
}

void info_print_storage(const struct cli_request *request, const struct info_storage *storage)
{
    (request->json ? print_json : print_text)(storage);
}

void info_free_storage(struct info_storage *storage)
{
    free(storage->nodes);
    spcc_tensor_free(storage->tensor);
    spcc_context_free(storage->context);
}
