/* inputs.c - the inputs of measurements: tensors that are generated, the same every time, and
 * files.
 *
 * Generated tensors have one of a few patterns, and about the wanted number of entries.  Of
 * several entries at one place the first counts.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/bench/bench.h"
#include "cli/library.h"

/* ---- generators ---- */

/* A linear congruential generator (Knuth's MMIX), whose high bits are the good ones. */
struct draw {
    uint64_t state;
};

static double draw_unit(struct draw *draw)
{
    draw->state = draw->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(draw->state >> 11) / 9007199254740992.0;
}

static int64_t draw_below(struct draw *draw, int64_t n)
{
    return (int64_t)(draw_unit(draw) * (double)n);
}

/* Adds an entry with a value in (0, 1], so that no sum is 0. */
static void add_entry(struct bench_entries *e, struct draw *draw, const int64_t *at)
{
    memcpy(e->coordinates + e->n * e->order, at, (size_t)e->order * sizeof *at);
    e->values[e->n++] = 1 - draw_unit(draw);
}

/* Chooses dimensions for which slices have ten entries or some more. */
static void set_dimensions(struct bench_entries *e, int64_t n)
{
    static const int share[][5] = {
        {10, 10}, {25, 50, 100}, {300, 300, 600, 6000}, {500, 1000, 1000, 2000, 10000}};
    for (int m = 0; m < e->order; m++) {
        int64_t d = n / share[e->order - 2][m];
        e->dimension[m] = d < 8 ? 8 : d;
    }
}

/* Scatters entries over a tensor whose dimensions are `times` as large. */
static void make_scattered(struct bench_entries *e, bool is_skewed, double times)
{
    struct draw draw = {1};
    int64_t n = e->n, at[BENCH_ORDER];
    set_dimensions(e, (int64_t)((double)n * times));
    e->n = 0;
    for (int64_t k = 0; k < n; k++) {
        for (int m = 0; m < e->order; m++)
            at[m] = draw_below(&draw, e->dimension[m]);
        if (is_skewed) {
            double u = draw_unit(&draw);
            at[0] = k % 10 == 0 ? e->dimension[0] / 3
                                : (int64_t)(u * u * u * u * (double)e->dimension[0]);
        }
        add_entry(e, &draw, at);
    }
}

static void make_uniform(struct bench_entries *e) { make_scattered(e, false, 1); }

static void make_wider(struct bench_entries *e) { make_scattered(e, false, 4); }

static void make_fuller(struct bench_entries *e) { make_scattered(e, false, 0.25); }

/* Stores one component in twenty of a square matrix. */
static void make_twentieth(struct bench_entries *e)
{
    double side = sqrt(20 * (double)e->n), rows = (double)e->n / 10;
    make_scattered(e, false, side / rows);
}

static void make_power(struct bench_entries *e) { make_scattered(e, true, 1); }

/* All modes' coordinates follow Zipf's law: their logarithm is uniform. */
static void make_zipf(struct bench_entries *e)
{
    struct draw draw = {1};
    int64_t n = e->n, at[BENCH_ORDER];
    set_dimensions(e, n);
    e->n = 0;
    for (int64_t k = 0; k < n; k++) {
        for (int m = 0; m < e->order; m++) {
            double size = (double)e->dimension[m];
            at[m] = (int64_t)(exp(draw_unit(&draw) * log(size + 1)) - 1);
            at[m] = at[m] < e->dimension[m] ? at[m] : e->dimension[m] - 1;
        }
        add_entry(e, &draw, at);
    }
}

/* Makes 540 long fibers. */
static void make_few_fibers(struct bench_entries *e)
{
    struct draw draw = {1};
    int64_t n = e->n, at[3];
    e->dimension[0] = 60;
    e->dimension[1] = 70000;
    e->dimension[2] = 9;
    e->n = 0;
    for (int64_t k = 0; k < n; k++) {
        for (int m = 0; m < 3; m++)
            at[m] = draw_below(&draw, e->dimension[m]);
        add_entry(e, &draw, at);
    }
}

static void make_band(struct bench_entries *e, int64_t reach)
{
    struct draw draw = {1};
    int64_t rows = e->n / (2 * reach + 1);
    rows = rows < 8 ? 8 : rows;
    e->dimension[0] = e->dimension[1] = rows;
    e->n = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = i - reach; j <= i + reach; j++)
            if (j >= 0 && j < rows)
                add_entry(e, &draw, (const int64_t[]){i, j});
}

static void make_banded(struct bench_entries *e) { make_band(e, 5); }

static void make_wide_band(struct bench_entries *e) { make_band(e, 13); }

/* Adds `each` entries to the row, each in its own strip of columns. */
static void add_row(struct bench_entries *e, struct draw *draw, int64_t row, int64_t each)
{
    int64_t columns = e->dimension[1];
    for (int64_t k = 0; k < each; k++) {
        int64_t low = columns * k / each, high = columns * (k + 1) / each;
        add_entry(e, draw, (const int64_t[]){row, low + draw_below(draw, high - low)});
    }
}

static void make_rows(struct bench_entries *e, int64_t each)
{
    struct draw draw = {1};
    int64_t rows = e->n / each;
    rows = rows < 8 ? 8 : rows;
    e->dimension[0] = rows;
    e->dimension[1] = rows > 2 * each ? rows : 2 * each;
    e->n = 0;
    for (int64_t i = 0; i < rows; i++)
        add_row(e, &draw, i, each);
}

static void make_three(struct bench_entries *e) { make_rows(e, 3); }

static void make_eight(struct bench_entries *e) { make_rows(e, 8); }

static void make_sixteen(struct bench_entries *e) { make_rows(e, 16); }

static void make_five_hundred(struct bench_entries *e) { make_rows(e, 500); }

/* Makes rows whose lengths have a density with the exponent -1.65/0.65; none is longer than a
 * quarter. */
static void make_power_law(struct bench_entries *e)
{
    struct draw draw = {1};
    int64_t n = e->n, rows = n / 16 < 8 ? 8 : n / 16;
    e->dimension[0] = e->dimension[1] = rows;
    e->n = 0;
    for (int64_t i = 0; i < rows && e->n < n; i++) {
        int64_t each = (int64_t)(16 * 0.35 * pow(1 - draw_unit(&draw), -0.65)), most = rows / 4 + 1;
        each = each < most ? each : most;
        add_row(e, &draw, i, each < n - e->n ? each : n - e->n);
    }
}

/* Makes four fibers a slice, each of eight adjacent entries. */
static void make_fibers(struct bench_entries *e)
{
    enum { LONG = 8, FIBERS = 4, MIDDLE = 10000 };
    struct draw draw = {1};
    int64_t n = e->n, fibers = n / LONG, at[BENCH_ORDER];
    int last = e->order - 1;
    for (int m = 0; m < e->order; m++)
        e->dimension[m] = m == 0 ? fibers / FIBERS + 1 : m == last ? fibers / 4 + LONG : MIDDLE;
    e->n = 0;
    for (int64_t f = 0; f < fibers; f++) {
        at[0] = f / FIBERS;
        for (int m = 1; m < last; m++) /* the fibers of a slice are apart */
            at[m] = f % FIBERS * (MIDDLE / FIBERS) + draw_below(&draw, MIDDLE / FIBERS);
        int64_t first = draw_below(&draw, e->dimension[last] - LONG);
        for (int64_t k = 0; k < LONG; k++) {
            at[last] = first + k;
            add_entry(e, &draw, at);
        }
    }
}

/* Puts 95 % of the components into every step-th row and every other-th column. */
static void make_slices(struct bench_entries *e, int64_t step, int64_t other)
{
    struct draw draw = {1};
    int64_t n = e->n, side = (int64_t)sqrt((double)n / 0.95 * (double)step * (double)other);
    side = side < 8 ? 8 : side;
    e->dimension[0] = e->dimension[1] = side;
    e->n = 0;
    for (int64_t i = 0; i < side; i += step)
        for (int64_t j = 0; j < side && e->n < n; j += other)
            if (draw_unit(&draw) < 0.95)
                add_entry(e, &draw, (const int64_t[]){i, j});
}

static void make_full(struct bench_entries *e) { make_slices(e, 1, 1); }

static void make_row_slices(struct bench_entries *e) { make_slices(e, 100, 1); }

static void make_column_slices(struct bench_entries *e) { make_slices(e, 1, 100); }

/* One row in five has an entry. */
static void make_few_rows(struct bench_entries *e)
{
    struct draw draw = {1};
    int64_t n = e->n;
    e->dimension[0] = e->dimension[1] = 5 * n;
    e->n = 0;
    for (int64_t k = 0; k < n; k++)
        add_entry(e, &draw, (const int64_t[]){5 * k, draw_below(&draw, 5 * n)});
}

/* Makes full blocks of 4 x 4, three in a row of blocks. */
static void make_blocks(struct bench_entries *e)
{
    enum { SIDE = 4, EACH = 3 };
    struct draw draw = {1};
    int64_t rows = e->n / (SIDE * SIDE * EACH);
    rows = rows < EACH ? EACH : rows;
    e->dimension[0] = e->dimension[1] = SIDE * rows;
    e->n = 0;
    for (int64_t b = 0; b < rows * EACH; b++) {
        int64_t third = rows / EACH, column = b % EACH * third + draw_below(&draw, third);
        for (int64_t k = 0; k < (int64_t)SIDE * SIDE; k++)
            add_entry(e, &draw,
                      (const int64_t[]){b / EACH * SIDE + k / SIDE, column * SIDE + k % SIDE});
    }
}

/* ---- the list ---- */

static const struct row {
    const char *suites, *name;
    int order;
    void (*make)(struct bench_entries *);
    double scale;
} rows[] = {
#define INPUT(suites, name, order, kind, scale, brief) {suites, name, order, make_##kind, scale},
#define PRESET(suites, name, order, brief)             {suites, name, order, NULL, 0},
#include "cli/bench/bench.def"
#undef INPUT
#undef PRESET
};

static struct bench_input *append(struct bench_inputs *inputs)
{
    size_t n = (size_t)inputs->n;
    struct bench_input *more = realloc(inputs->input, (n + 1) * sizeof *more);
    if (!more)
        return NULL;
    inputs->input = more;
    more[n] = (struct bench_input){.order = -1};
    inputs->n++;
    return &more[n];
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static bool is_tensor_file(const char *name)
{
    static const char *const ends[] = {".mtx", ".tns", ".ttx", ".rb"};
    size_t n = strlen(name);
    if (ends_with(name, ".gz"))
        n -= 3;
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
        if (n > strlen(ends[e])
            && strncmp(name + n - strlen(ends[e]), ends[e], strlen(ends[e])) == 0)
            return true;
    return false;
}

/* Adds a file, named as the file is without its endings. */
static enum cli_status add_file(struct bench_inputs *inputs, const char *folder, const char *name)
{
    struct bench_input *input = append(inputs);
    const char *last = strrchr(name, '/');
    last = last ? last + 1 : name;
    if (!input)
        return library_no_memory();
    size_t room = strlen(name) + (folder ? strlen(folder) : 0) + 2;
    input->name = strndup(last, strcspn(last, "."));
    input->path = malloc(room);
    if (!input->name || !input->path)
        return library_no_memory();
    snprintf(input->path, room, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    return CLI_DONE;
}

static int wanted(const struct dirent *entry) { return is_tensor_file(entry->d_name); }

static enum cli_status add_folder(struct bench_inputs *inputs, const char *path)
{
    struct dirent **entries;
    enum cli_status status = CLI_DONE;
    int n = scandir(path, &entries, wanted, alphasort);
    if (n < 0)
        return add_file(inputs, NULL, path); /* reading it will say what is wrong */
    for (int i = 0; i < n; i++) {
        if (status == CLI_DONE)
            status = add_file(inputs, path, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum cli_status bench_inputs_list(struct bench_inputs *inputs, const char *path)
{
    struct stat about;
    *inputs = (struct bench_inputs){0};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct bench_input *input = append(inputs);
        if (!input || !(input->name = strdup(rows[r].name)))
            return library_no_memory();
        input->suites = rows[r].suites;
        input->order = rows[r].order;
        input->make = rows[r].make;
        input->scale = rows[r].scale;
    }
    if (!path)
        return CLI_DONE;
    bool is_there = stat(path, &about) == 0;
    if (!is_there && errno == ENOENT) { /* nor is it a place in an archive */
        library_complain("%s: cannot be opened: %s", path, strerror(errno));
        return CLI_BAD_INPUT;
    }
    return is_there && S_ISDIR(about.st_mode) ? add_folder(inputs, path)
                                              : add_file(inputs, NULL, path);
}

void bench_inputs_free(struct bench_inputs *inputs)
{
    for (int i = 0; i < inputs->n; i++) {
        struct bench_input *input = &inputs->input[i];
        free(input->name);
        free(input->path);
        free(input->entries.coordinates);
        free(input->entries.values);
        spcc_statistics_free(input->stats);
    }
    free(inputs->input);
}

/* ---- one input ---- */

static bool reserve(struct bench_entries *e, int64_t n)
{
    e->coordinates = malloc((size_t)n * (size_t)e->order * sizeof *e->coordinates + 1);
    e->values = malloc((size_t)n * sizeof *e->values + 1);
    return e->coordinates && e->values;
}

/* Takes the entries and facts of a tensor without duplicates. */
static enum cli_status take_entries(spcc_context *context, struct bench_input *input,
                                    const spcc_tensor *tensor)
{
    struct bench_entries *e = &input->entries;
    e->order = input->order = spcc_tensor_order(tensor);
    for (int m = 0; m < e->order && m < BENCH_ORDER; m++)
        e->dimension[m] = spcc_tensor_dimension(tensor, m);
    if (e->order > BENCH_ORDER || !reserve(e, spcc_tensor_stored(tensor)))
        return e->order > BENCH_ORDER ? CLI_DONE : library_no_memory();
    e->n = spcc_tensor_unpack(tensor, e->coordinates, e->values);
    return library_report(context, spcc_tensor_statistics(context, tensor, &input->stats));
}

static enum cli_status make_up(spcc_context *context, struct bench_input *input, double entries,
                               spcc_tensor **tensor)
{
    enum { LEAST = 64 };
    struct bench_entries e = {.order = input->order};
    e.n = (int64_t)(entries * input->scale);
    e.n = e.n < LEAST ? LEAST : e.n;
    if (!reserve(&e, e.n + LEAST * LEAST)) /* for the smallest sizes */
        return library_no_memory();
    input->make(&e);
    spcc_status said = spcc_tensor_from_coords(context, "coo", SPCC_F64, e.order, e.dimension, e.n,
                                               e.coordinates, e.values, NULL, tensor);
    free(e.coordinates);
    free(e.values);
    return library_report(context, said);
}

/* Generates the input by its name, with about this many entries. */
static enum cli_status generate(spcc_context *context, struct bench_input *input, double entries,
                                spcc_tensor **tensor)
{
    static const double all = 5e6;
    char recipe[64];
    int64_t dimension[BENCH_ORDER];
    snprintf(recipe, sizeof recipe, "@%s/%.17g(1)", input->name, entries < all ? all / entries : 1);
    int order = spcc_recipe_dimensions(recipe, BENCH_ORDER, dimension);
    return library_report(context, spcc_tensor_generate(context, recipe, "coo", SPCC_F64, order,
                                                        dimension, NULL, tensor));
}

enum cli_status bench_input_make(spcc_context *context, struct bench_input *input, double entries)
{
    enum cli_status status;
    spcc_tensor *tensor = NULL;
    if (input->is_made)
        return CLI_DONE;
    if (input->path)
        status = library_report(context,
                                library_read(context, input->path, "coo", SPCC_F64, NULL, &tensor));
    else if (!input->make)
        status = generate(context, input, entries, &tensor);
    else
        status = make_up(context, input, entries, &tensor);
    if (status == CLI_DONE)
        status = take_entries(context, input, tensor);
    input->is_made = status == CLI_DONE;
    spcc_tensor_free(tensor);
    return status;
}

int64_t bench_input_bytes(const struct bench_input *input, const char *format)
{
    for (int f = 0; f < input->stats->n_formats; f++)
        if (strcmp(input->stats->formats[f].format, format) == 0)
            return input->stats->formats[f].bytes;
    return 0;
}

int64_t bench_input_least_bytes(const struct bench_input *input)
{
    int64_t least = INT64_MAX;
    for (int f = 0; f < input->stats->n_formats; f++)
        if (input->stats->formats[f].bytes < least)
            least = input->stats->formats[f].bytes;
    return least;
}
