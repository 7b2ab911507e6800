/* cutt.c - spcc bench cutt: dense transposes, beside memcpy and a loop by hand.
 *
 * The sets are those of cuTT's authors (Hynninen and Lyakh 2017).  Set 1 has tensors of ranks 2 to
 * 7 whose longest mode is 1, 5 or 15 times as long as the shortest; set 2 has two shapes of ranks
 * 8 and 12 with many short modes.  Permutations are drawn at random.  Each is compiled for its
 * sizes, and runs in turns with a memcpy of as many bytes; the table shows its rate over memcpy's.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/cutt.h"
#include "cli/bench/peers.h"
#include "cli/library.h"
#include "cli/timing.h"

enum { RANK = 12, THREADS = 2, SAMPLES = 64, TURNS = 2, GROUPS = 24 };

/* With --quick a group ends after this time, but not before three permutations. */
static const double group_ms = 2500;
enum { LEAST = 3 };

struct shape {
    int rank;
    int64_t size[RANK];
    const char *name;
};

/* The measurements of one group, for each number of threads: rates over memcpy's, and in GB/s. */
struct group {
    const char *name;
    int rank;
    double share[THREADS][SAMPLES], rate[THREADS][SAMPLES];
    int n;
};

struct cutt {
    const struct cli_request *request;
    spcc_context *context[THREADS];
    int threads[THREADS], kinds;
    uint64_t random;
    double volume; /* elements in set 1 */
    void *values, *copy;
    size_t room;
    struct group group[GROUPS];
    int groups;
};

/* ---- permutations ---- */

static int draw(struct cutt *c, int below)
{
    c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((c->random >> 33) % (uint64_t)below);
}

static void draw_permutation(struct cutt *c, int n, int *to)
{
    for (int i = 0; i < n; i++)
        to[i] = i;
    for (int i = n - 1; i > 0; i--) {
        const int k = draw(c, i + 1), other = to[i];
        to[i] = to[k];
        to[k] = other;
    }
}

/* Writes "A(j,i) = B(i,j)". */
static void write_statement(char *text, int rank, const int *to)
{
    char *at = text;
    at += sprintf(at, "A(");
    for (int m = 0; m < rank; m++)
        at += sprintf(at, "%s%c", m ? "," : "", 'a' + to[m]);
    at += sprintf(at, ") = B(");
    for (int m = 0; m < rank; m++)
        at += sprintf(at, "%s%c", m ? "," : "", 'a' + m);
    sprintf(at, ")");
}

static int64_t volume_of(const struct shape *shape)
{
    int64_t n = 1;
    for (int m = 0; m < shape->rank; m++)
        n *= shape->size[m];
    return n;
}

/* Draws modes from the shortest to one `ratio` times as long, in a random order. */
static struct shape draw_shape(struct cutt *c, int rank, int ratio)
{
    struct shape shape = {.rank = rank};
    int order[RANK];
    const double shortest = pow(c->volume / pow(ratio, rank / 2.0), 1.0 / rank);
    draw_permutation(c, rank, order);
    for (int m = 0; m < rank; m++) {
        const double size = shortest * pow(ratio, rank > 1 ? (double)m / (rank - 1) : 0);
        shape.size[order[m]] = size < 2 ? 2 : (int64_t)(size + 0.5);
    }
    return shape;
}

/* ---- contestants ---- */

struct half {
    char *to;
    const char *from;
    size_t bytes;
};

static void *copy_half(void *data)
{
    struct half *half = data;
    memcpy(half->to, half->from, half->bytes);
    return NULL;
}

/* memcpy in as many parts as threads. */
static double copy_ms(void *to, const void *from, size_t bytes, int threads)
{
    pthread_t other;
    const size_t first = threads > 1 ? bytes / 2 / 64 * 64 : 0;
    struct half half[] = {{to, from, first},
                          {(char *)to + first, (const char *)from + first, bytes - first}};
    const double begin = timing_now_ms();
    const bool runs = first && pthread_create(&other, NULL, copy_half, &half[0]) == 0;
    if (first && !runs)
        copy_half(&half[0]);
    copy_half(&half[1]);
    if (runs)
        pthread_join(other, NULL);
    return timing_now_ms() - begin;
}

#if defined(__x86_64__) && defined(__has_builtin)
#define FOR_AVX2 __attribute__((target("avx2")))
typedef double lanes4 __attribute__((vector_size(32), aligned(8), may_alias));

/* Transposes a plane with the strides b_by and a_by, in tiles of 16 by 16, with squares of 4 by 4
 * in them. */
FOR_AVX2 static void turn_plane(const double *b, int64_t b_by, double *a, int64_t a_by, int rows,
                                int columns)
{
    for (int r0 = 0; r0 < rows; r0 += 16)
        for (int c0 = 0; c0 < columns; c0 += 16)
            for (int c = c0; c < c0 + 16 && c < columns; c += 4)
                for (int r = r0; r < r0 + 16 && r < rows; r += 4) {
                    const double *from = b + r * b_by + c;
                    double *to = a + c * a_by + r;
                    const lanes4 w = *(const lanes4 *)from, x = *(const lanes4 *)(from + b_by),
                                 y = *(const lanes4 *)(from + 2 * b_by),
                                 z = *(const lanes4 *)(from + 3 * b_by);
                    const lanes4 wx = __builtin_shufflevector(w, x, 0, 4, 2, 6),
                                 xw = __builtin_shufflevector(w, x, 1, 5, 3, 7),
                                 yz = __builtin_shufflevector(y, z, 0, 4, 2, 6),
                                 zy = __builtin_shufflevector(y, z, 1, 5, 3, 7);
                    *(lanes4 *)to = __builtin_shufflevector(wx, yz, 0, 1, 4, 5);
                    *(lanes4 *)(to + a_by) = __builtin_shufflevector(xw, zy, 0, 1, 4, 5);
                    *(lanes4 *)(to + 2 * a_by) = __builtin_shufflevector(wx, yz, 2, 3, 6, 7);
                    *(lanes4 *)(to + 3 * a_by) = __builtin_shufflevector(xw, zy, 2, 3, 6, 7);
                }
}

static bool has_hand(void) { return __builtin_cpu_supports("avx2"); }
#else
static void turn_plane(const double *b, int64_t b_by, double *a, int64_t a_by, int rows,
                       int columns)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            a[c * a_by + r] = b[r * b_by + c];
}

static bool has_hand(void) { return true; }
#endif

/* Transposes all planes of the two contiguous modes, one after the other; copies rows if both
 * tensors have the same contiguous mode. */
static void turn_by_hand(const struct shape *shape, const int *to, const double *b, double *a)
{
    int64_t b_by[RANK], a_by[RANK], by = 1, at[RANK] = {0};
    const int n = shape->rank, column = n - 1, row = to[n - 1];
    int outer[RANK], outers = 0, m;
    for (m = n - 1; m >= 0; by *= shape->size[m--])
        b_by[m] = by;
    for (m = n - 1, by = 1; m >= 0; by *= shape->size[to[m--]])
        a_by[to[m]] = by;
    for (m = 0; m < n; m++)
        if (to[m] != column && to[m] != row)
            outer[outers++] = to[m];
    do {
        int64_t b_at = 0, a_at = 0;
        for (m = 0; m < outers; m++) {
            b_at += at[m] * b_by[outer[m]];
            a_at += at[m] * a_by[outer[m]];
        }
        if (row == column)
            memcpy(a + a_at, b + b_at, (size_t)shape->size[row] * sizeof *a);
        else
            turn_plane(b + b_at, b_by[row], a + a_at, a_by[column], (int)shape->size[row],
                       (int)shape->size[column]);
        for (m = outers - 1; m >= 0 && ++at[m] == shape->size[outer[m]]; m--)
            at[m] = 0;
    } while (m >= 0);
}

/* ---- one transpose ---- */

/* The kernel and its tensors: the result and the operand. */
struct transpose {
    const struct shape *shape;
    spcc_type type;
    spcc_kernel *kernel;
    spcc_tensor *tensor[2];
    int64_t bytes;
};

static spcc_status compile_transpose(struct cutt *c, const char *statement, struct transpose *t)
{
    char name[RANK][2];
    spcc_variable_size size[RANK];
    spcc_declaration declared[2] = {{.name = "A"}, {.name = "B"}};
    const char *variable = strstr(statement, "B(") + 2;
    for (int m = 0; m < t->shape->rank; m++) {
        snprintf(name[m], sizeof name[m], "%c", variable[2 * m]);
        size[m] = (spcc_variable_size){name[m], t->shape->size[m]};
    }
    declared[0].type = declared[1].type = spcc_type_name(t->type);
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declared,
                                    .n_declarations = 2,
                                    .sizes = size,
                                    .n_sizes = t->shape->rank};
    return spcc_compile(c->context[c->kinds - 1], statement, &options, &t->kernel);
}

static void transpose_free(struct transpose *t)
{
    spcc_kernel_free(t->kernel);
    spcc_tensor_free(t->tensor[0]);
}

/* Compiles it and runs it once, with the operand at hand. */
static spcc_status transpose_make(struct cutt *c, const char *statement, struct transpose *t)
{
    spcc_context *context = c->context[c->kinds - 1];
    t->bytes = volume_of(t->shape) * (int64_t)spcc_type_size(t->type);
    spcc_status said = compile_transpose(c, statement, t);
    if (said == SPCC_OK)
        said = spcc_tensor_new(context, NULL, t->type, t->shape->rank, NULL, NULL, &t->tensor[0]);
    return said == SPCC_OK ? spcc_run_array(context, t->kernel, t->tensor, 2) : said;
}

/* Measures the fastest of some turns, and memcpy's in between. */
static spcc_status transpose_time(struct cutt *c, struct transpose *t, int kind, double *ms,
                                  double *memcpy_ms)
{
    spcc_status said = SPCC_OK;
    *ms = *memcpy_ms = INFINITY;
    for (int turn = 0; turn < TURNS && said == SPCC_OK; turn++) {
        *memcpy_ms = fmin(*memcpy_ms, copy_ms(c->copy, spcc_tensor_values(t->tensor[1]),
                                              (size_t)t->bytes, c->threads[kind]));
        const double begin = timing_now_ms();
        said = spcc_run_array(c->context[kind], t->kernel, t->tensor, 2);
        *ms = fmin(*ms, timing_now_ms() - begin);
    }
    return said;
}

/* Makes the operand with values of this type: 0, 1, 2, ... */
static spcc_status make_operand(struct cutt *c, const struct shape *shape, spcc_type type,
                                spcc_tensor **tensor)
{
    const int64_t n = volume_of(shape);
    for (int64_t i = 0; i < n; i++)
        if (type == SPCC_F32)
            ((float *)c->values)[i] = (float)i;
        else
            ((double *)c->values)[i] = (double)i;
    return spcc_tensor_dense(c->context[0], type, shape->rank, shape->size, c->values, tensor);
}

static bool room_for_shape(struct cutt *c, const struct shape *shape)
{
    const size_t bytes = (size_t)volume_of(shape) * sizeof(double);
    if (bytes <= c->room)
        return true;
    free(c->values);
    free(c->copy);
    c->values = malloc(bytes);
    c->copy = malloc(bytes);
    c->room = c->values && c->copy ? bytes : 0;
    if (c->copy)
        memset(c->copy, 0, bytes);
    return c->room > 0;
}

/* ---- the sets ---- */

static spcc_status sample(struct cutt *c, struct group *g, const struct shape *shape,
                          spcc_type type, const int *to, spcc_tensor *operand)
{
    char statement[8 * RANK];
    struct transpose t = {.shape = shape, .type = type, .tensor = {NULL, operand}};
    write_statement(statement, shape->rank, to);
    spcc_status said = transpose_make(c, statement, &t);
    for (int kind = 0; kind < c->kinds && said == SPCC_OK; kind++) {
        double ms, memcpy_ms;
        said = transpose_time(c, &t, kind, &ms, &memcpy_ms);
        g->share[kind][g->n] = memcpy_ms / ms;
        g->rate[kind][g->n] = 2e-6 * (double)t.bytes / ms;
    }
    g->n += said == SPCC_OK;
    transpose_free(&t);
    return said;
}

/* Draws permutations of the shape.  In set 2 the first two are the identity and the reversal. */
static enum cli_status measure_shape(struct cutt *c, struct group *g, const struct shape *shape,
                                     int permutations, bool whole)
{
    spcc_tensor *operand[2] = {NULL, NULL};
    static const spcc_type type[] = {SPCC_F64, SPCC_F32};
    spcc_status said = SPCC_OK;
    if (!room_for_shape(c, shape))
        return library_no_memory();
    for (int i = 0; i < 2 && said == SPCC_OK; i++)
        said = make_operand(c, shape, type[i], &operand[i]);
    const double begin = timing_now_ms();
    for (int p = 0; p < permutations && said == SPCC_OK && !bench_ended_by(); p++) {
        int to[RANK];
        draw_permutation(c, shape->rank, to);
        for (int m = 0; m < shape->rank && whole && p < 2; m++)
            to[m] = p ? shape->rank - 1 - m : m;
        const bool both = !c->request->quick;
        for (int i = 0; i < 2 && said == SPCC_OK; i++)
            if (both || i == p % 2)
                said = sample(c, g, shape, type[i], to, operand[i]);
        if (c->request->quick && p + 1 >= LEAST && timing_now_ms() - begin > group_ms)
            break;
    }
    for (int i = 0; i < 2; i++)
        spcc_tensor_free(operand[i]);
    return library_report(c->context[c->kinds - 1], said);
}

static void print_group(const struct cutt *c, struct group *g)
{
    for (int kind = 0; kind < c->kinds && g->n > 0; kind++) {
        const double rate = timing_median(g->rate[kind], g->n),
                     share = timing_median(g->share[kind], g->n);
        printf("%-20s %7d %5d %9.2f %8.2f %8.2f\n", kind ? "" : g->name, c->threads[kind], g->n,
               rate, share, g->share[kind][0]); /* sorted by now */
    }
    fflush(stdout);
}

/* Prints, over all groups, the median, the least, and how far apart the medians of ranks are. */
static void print_summary(const struct cutt *c)
{
    for (int kind = 0; kind < c->kinds; kind++) {
        double all[GROUPS * SAMPLES], least = INFINITY, low = INFINITY, high = 0;
        int n = 0;
        for (int rank = 2; rank <= RANK; rank++) {
            double of[GROUPS * SAMPLES];
            int some = 0;
            for (int g = 0; g < c->groups; g++)
                for (int i = 0; i < c->group[g].n && c->group[g].rank == rank; i++)
                    of[some++] = all[n++] = c->group[g].share[kind][i];
            const double median = some ? timing_median(of, some) : 0;
            least = some ? fmin(least, of[0]) : least;
            low = some ? fmin(low, median) : low;
            high = fmax(high, median);
        }
        if (n > 0)
            printf("%-20s %7d %5d %9s %8.2f %8.2f   medians of ranks: %.2f to %.2f\n",
                   kind ? "" : "all", c->threads[kind], n, "", timing_median(all, n), least, low,
                   high);
    }
}

static enum cli_status measure_sets(struct cutt *c)
{
    static const int ratios[] = {1, 5, 15};
    static const struct shape set2[] = {
        {8, {5, 3, 2, 4, 35, 33, 37, 40}, "set 2, rank 8"},
        {12, {2, 3, 4, 3, 2, 2, 3, 2, 20, 18, 22, 24}, "set 2, rank 12"}};
    enum cli_status status = CLI_DONE;
    char name[GROUPS][32];
    printf("%-20s %7s %5s %9s %8s %8s\n", "set", "threads", "runs", "GB/s", "median", "least");
    for (int rank = 2; rank <= 7; rank++) {
        for (int r = 0; r < 3 && status == CLI_DONE && !bench_ended_by(); r++) {
            struct group *g = &c->group[c->groups];
            struct shape shape = draw_shape(c, rank, ratios[r]);
            snprintf(name[c->groups], sizeof name[0], "rank %d, 1:%d", rank, ratios[r]);
            *g = (struct group){.name = name[c->groups++], .rank = rank};
            status = measure_shape(c, g, &shape, 20, false);
            print_group(c, g);
        }
    }
    for (int s = 0; s < 2 && status == CLI_DONE && !bench_ended_by(); s++) {
        struct group *g = &c->group[c->groups++];
        *g = (struct group){.name = set2[s].name, .rank = set2[s].rank};
        status = measure_shape(c, g, &set2[s], 20, true);
        print_group(c, g);
    }
    print_summary(c);
    return status;
}

/* ---- beside the loop by hand ---- */

struct row {
    const char *name, *statement;
    int size;
    const char *permutation;
};

static const struct row rows[] = {
#define TRANSPOSE(name, statement, size, permutation) {name, statement, size, permutation},
#include "cli/bench/cutt.def"
#undef TRANSPOSE
};

static spcc_status compare_transposes(struct cutt *c, const struct row *row, struct transpose *t,
                                      const int *to)
{
    double ms = INFINITY, memcpy_ms = INFINITY, hand_ms = INFINITY;
    spcc_status said = transpose_make(c, row->statement, t);
    for (int turn = 0; turn < TURNS + !c->request->quick && said == SPCC_OK; turn++) {
        double ours, theirs;
        said = transpose_time(c, t, 0, &ours, &theirs);
        ms = fmin(ms, ours);
        memcpy_ms = fmin(memcpy_ms, theirs);
        const double begin = timing_now_ms();
        if (said == SPCC_OK)
            turn_by_hand(t->shape, to, spcc_tensor_values(t->tensor[1]), c->copy);
        hand_ms = fmin(hand_ms, timing_now_ms() - begin);
    }
    if (said != SPCC_OK)
        return said;
    const double moved = 2e-6 * (double)t->bytes;
    const bool same = memcmp(c->copy, spcc_tensor_values(t->tensor[0]), (size_t)t->bytes) == 0;
    printf("%-20s %9.2f %9.2f %9.2f %9.2f%s\n", row->name, moved / ms, moved / hand_ms,
           moved / memcpy_ms, hand_ms / ms, same ? "" : "   results differ");
    fflush(stdout);
    return said;
}

static enum cli_status compare_row(struct cutt *c, const struct row *row)
{
    struct shape shape = {.rank = (int)strlen(row->permutation)};
    struct transpose t = {.shape = &shape, .type = SPCC_F64};
    int to[RANK];
    for (int m = 0; m < shape.rank; m++) {
        shape.size[m] = row->size;
        to[m] = row->permutation[m] - '0';
    }
    if (!room_for_shape(c, &shape))
        return library_no_memory();
    spcc_status said = make_operand(c, &shape, t.type, &t.tensor[1]);
    if (said == SPCC_OK)
        said = compare_transposes(c, row, &t, to);
    spcc_tensor_free(t.tensor[1]);
    transpose_free(&t);
    return library_report(c->context[c->kinds - 1], said);
}

static enum cli_status compare_rows(struct cutt *c)
{
    enum cli_status status = CLI_DONE;
    const int few = c->request->quick ? 6 : (int)(sizeof rows / sizeof *rows);
    if (!has_hand())
        return status;
    printf("\n%-20s %9s %9s %9s %9s\n", "f64, one thread, GB/s", "spcc", "by hand", "memcpy",
           "over hand");
    for (int r = 0; r < few && status == CLI_DONE && !bench_ended_by(); r++)
        status = compare_row(c, &rows[r]);
    return status;
}

/* ---- the command ---- */

enum cli_status bench_cutt(const struct cli_request *request)
{
    struct cutt *c = calloc(1, sizeof *c);
    enum cli_status status = c ? CLI_DONE : library_no_memory();
    const int most = request->threads > 0 ? request->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int t = 1; status == CLI_DONE && t <= THREADS && t <= most; t++) {
        struct cli_request with = *request;
        with.threads = c->threads[c->kinds] = t;
        c->context[c->kinds] = library_open(&with, &status);
        c->kinds += status == CLI_DONE;
    }
    if (status == CLI_DONE) {
        c->request = request;
        c->random = 7;
        c->volume = request->quick ? 2e7 : 2e8;
        bench_watch(true);
        status = measure_sets(c);
        if (status == CLI_DONE && !bench_ended_by())
            status = compare_rows(c);
        bench_watch(false);
    }
    for (int t = 0; c && t < c->kinds; t++)
        spcc_context_free(c->context[t]);
    if (c) {
        free(c->values);
        free(c->copy);
    }
    free(c);
    return status;
}
