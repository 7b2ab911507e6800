/* peer.h - a peer of spcc bench: a program that computes some statements with another library.
 *
 * It lists what it computes in `kernels`, by the statement and the formats as
 * cli/bench/bench.def has them, letter by letter ("*": all that prepare does not refuse), and this
 * file has its main: a conversation of lines on standard input and output, bench/README.md says
 * which.  The tensors are files, an array each; the result is given back in files.  The macro VALUE
 * is the type of the values, double or float.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PEER_H
#define SPCC_PEER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PEER_TENSORS = 8, PEER_ARRAYS = 24, PEER_ORDER = 8, PEER_TIMES = 1000 };

typedef VALUE value;

struct peer_array {
    int level;
    char name[8];
    void *at;
    int64_t length;
};

struct peer_tensor {
    char name[32], format[256]; /* "dense" */
    int order;
    int64_t dimension[PEER_ORDER];
    struct peer_array array[PEER_ARRAYS]; /* those of its levels: int32_t, or uint8_t of elements */
    int arrays;
    value *vals; /* NULL of the result */
    int64_t stored;
};

/* What a peer computes; prepare may refuse, and what it makes finish frees. */
struct peer_kernel {
    const char *statement, *formats;
    bool (*prepare)(void);
    void (*run)(void);
    void (*give)(void); /* the result, with one of the functions below */
    void (*finish)(void);
};

/* ---- for the peer ---- */

/* Its own: what it calls itself and its version, false where the library is not there; how many
 * threads there are to be; the kernels, up to one without a statement. */
static bool peer_start(char *name, size_t room);
static void peer_threads(int threads);
extern const struct peer_kernel kernels[];
/* Also its own if it defines PEER_HAS_CLOCK: runs, and says how many milliseconds that took. */
static double peer_time(void (*run)(void));

static struct peer_tensor peer_tensors[PEER_TENSORS];
static int peer_n_tensors;
static char peer_folder[1024], peer_name[64]; /* of the kernel, in cli/bench/bench.def */

static inline struct peer_tensor *peer_find(const char *name)
{
    for (int t = 0; t < peer_n_tensors; t++)
        if (strcmp(peer_tensors[t].name, name) == 0)
            return &peer_tensors[t];
    fprintf(stderr, "there is no tensor %s\n", name);
    exit(1);
}

static inline int32_t *peer_level(const char *name, int level, const char *array)
{
    struct peer_tensor *t = peer_find(name);
    for (int a = 0; a < t->arrays; a++)
        if (t->array[a].level == level && strcmp(t->array[a].name, array) == 0)
            return (int32_t *)t->array[a].at;
    fprintf(stderr, "%s has no %s in level %d\n", name, array, level);
    exit(1);
}

/* Elements of blocks. */
static inline uint8_t *peer_elements(const char *name, int level, const char *array)
{
    return (uint8_t *)(void *)peer_level(name, level, array);
}

static inline int peer_size(const char *name, int mode)
{
    return (int)peer_find(name)->dimension[mode];
}

static inline value *peer_values(const char *name) { return peer_find(name)->vals; }

/* Beginning with a line of the caches, as spcc's arrays do. */
static inline void *peer_memory(int64_t n, size_t size)
{
    void *at = aligned_alloc(64, ((size_t)n * size + 127) / 64 * 64);
    if (at)
        return at;
    fputs("out of memory\n", stderr);
    exit(1);
}

static inline void peer_write(const char *name, const void *at, int64_t n, size_t size)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", peer_folder, name);
    FILE *file = fopen(path, "wb");
    bool is_whole = file && fwrite(at, size, (size_t)n, file) == (size_t)n;
    if (file && (fclose(file) == 0) && is_whole)
        return;
    fprintf(stderr, "%s cannot be written\n", path);
    exit(1);
}

/* A dense result, its last mode contiguous. */
static inline void peer_give_dense(const value *vals, int64_t n)
{
    peer_write("result.vals", vals, n, sizeof *vals);
    printf("dense %lld\n", (long long)n);
}

/* A result of so many components: their coordinates, one component after the other. */
static inline void peer_give_sparse(int order, const int32_t *coordinates, const value *vals,
                                    int64_t n)
{
    peer_write("result.crd", coordinates, n * order, sizeof *coordinates);
    peer_write("result.vals", vals, n, sizeof *vals);
    printf("sparse %lld\n", (long long)n);
}

/* A matrix by compressed rows, in any order; columns where is_transposed. */
static inline void peer_give_rows(int rows, const int32_t *pos, const int32_t *crd,
                                  const value *vals, bool is_transposed)
{
    int32_t *all = (int32_t *)peer_memory(2 * (int64_t)pos[rows], sizeof *all);
    for (int i = 0; i < rows; i++)
        for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
            all[2 * (int64_t)p + is_transposed] = i;
            all[2 * (int64_t)p + !is_transposed] = crd[p];
        }
    peer_give_sparse(2, all, vals, pos[rows]);
    free(all);
}

/* ---- the conversation ---- */

static const struct peer_kernel *peer_kernel;

static inline void *peer_read(const char *name, int64_t n, size_t size)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", peer_folder, name);
    void *at = peer_memory(n, size);
    FILE *file = fopen(path, "rb");
    if (!file || fread(at, size, (size_t)n, file) != (size_t)n) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    memset((char *)at + (size_t)n * size, 0, 64);
    return at;
}

static inline void peer_read_array(const char *line)
{
    char name[32], array[8], file[64], type[8] = "i32";
    int level;
    long long n;
    if (sscanf(line, "array %31s %d %7s %lld %63s %7s", name, &level, array, &n, file, type) >= 5) {
        struct peer_tensor *t = peer_find(name);
        struct peer_array *a = &t->array[t->arrays++];
        a->level = level;
        a->length = n;
        snprintf(a->name, sizeof a->name, "%s", array);
        a->at = peer_read(file, n, strcmp(type, "u8") == 0 ? 1 : sizeof(int32_t));
    } else if (sscanf(line, "values %31s %lld %63s", name, &n, file) == 3) {
        struct peer_tensor *t = peer_find(name);
        t->stored = n;
        t->vals = (value *)peer_read(file, n, sizeof(value));
    }
}

static inline void peer_read_tensor(const char *line)
{
    struct peer_tensor *t = &peer_tensors[peer_n_tensors++];
    int at = 0;
    memset(t, 0, sizeof *t);
    sscanf(line, "tensor %31s %255s %d%n", t->name, t->format, &t->order, &at);
    for (int m = 0; m < t->order; m++) {
        char *end;
        t->dimension[m] = strtoll(line + at, &end, 10);
        at = (int)(end - line);
    }
}

static inline const struct peer_kernel *peer_known(const char *statement, const char *formats)
{
    for (const struct peer_kernel *k = kernels; k->statement; k++)
        if ((strcmp(k->statement, statement) == 0 || strcmp(k->statement, "*") == 0)
            && (!k->formats || strcmp(k->formats, formats) == 0))
            return k;
    return NULL;
}

static inline void peer_drop_case(void)
{
    for (int t = 0; t < peer_n_tensors; t++) {
        for (int a = 0; a < peer_tensors[t].arrays; a++)
            free(peer_tensors[t].array[a].at);
        free(peer_tensors[t].vals);
    }
    peer_n_tensors = 0;
    peer_kernel = NULL;
}

/* The file "case" of the folder. */
static inline bool peer_load_case(int threads)
{
    char path[1200], line[2048], statement[2048] = "", formats[2048] = "";
    snprintf(path, sizeof path, "%s/case", peer_folder);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "kernel ", 7) == 0)
            snprintf(peer_name, sizeof peer_name, "%.60s", line + 7);
        else if (strncmp(line, "statement ", 10) == 0)
            snprintf(statement, sizeof statement, "%s", line + 10);
        else if (strncmp(line, "formats ", 8) == 0)
            snprintf(formats, sizeof formats, "%s", line + 8);
        else if (strncmp(line, "tensor ", 7) == 0)
            peer_read_tensor(line);
        else if ((peer_kernel = peer_known(statement, formats)) != NULL)
            peer_read_array(line);
    }
    if (file)
        fclose(file);
    peer_kernel = peer_known(statement, formats);
    peer_threads(threads);
    return peer_kernel && (!peer_kernel->prepare || peer_kernel->prepare());
}

static inline double peer_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#ifndef PEER_HAS_CLOCK
static double peer_time(void (*run)(void))
{
    double begin = peer_now();
    run();
    return peer_now() - begin;
}
#endif

/* Runs for so many milliseconds; the first, which finds the caches as others left them, does not
 * count if others follow, as one does unless it took so long. */
enum { PEER_COLD_MS = 100 };
static inline void peer_turn(double turn_ms)
{
    static double ms[PEER_TIMES];
    int n = 0;
    for (double all = 0;
         n < PEER_TIMES && (n < 1 || all < turn_ms || (n == 1 && all < PEER_COLD_MS));)
        all += ms[n++] = peer_time(peer_kernel->run);
    printf("times");
    for (int i = n > 1; i < n; i++)
        printf(" %.6f", ms[i]);
    printf("\n");
}

int main(void)
{
    char line[2048], name[256] = "";
    int threads;
    bool is_there = peer_start(name, sizeof name);
    printf("%s %s\n", is_there ? "peer" : "none", name);
    fflush(stdout);
    while (is_there && fgets(line, sizeof line, stdin)) {
        double turn_ms;
        if (sscanf(line, "case %d %1023[^\n]", &threads, peer_folder) == 2)
            printf(peer_load_case(threads) ? "yes\n" : "no\n");
        else if (sscanf(line, "turn %lf", &turn_ms) == 1)
            peer_turn(turn_ms);
        else if (strcmp(line, "result\n") == 0)
            peer_kernel->give();
        else if (strcmp(line, "done\n") == 0) {
            if (peer_kernel && peer_kernel->finish)
                peer_kernel->finish();
            peer_drop_case();
            printf("ok\n");
        }
        fflush(stdout);
    }
    return 0;
}

#endif
