/* taco.c - code that taco has emitted, as a peer of spcc bench.
 *
 * SPCC_PEER_PATH is a folder of files that taco's -write-source wrote, each with the function
 * evaluate.  The one for a case is named after its kernel and the format of A, and -f32 where the
 * values are; characters that are neither letters nor digits are _ there: spmv-csr.c,
 * mttkrp_32-csf.c, add-coo-f32.c.  It is compiled with the options of the other peers, behind a
 * function that takes its arguments, which are found by their names.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <dlfcn.h>
#include <unistd.h>

#include "peer.h"

/* A tensor as taco's code knows it. */
typedef struct {
    int32_t order;
    int32_t *dimensions;
    int32_t csize;
    int32_t *mode_ordering;
    int *mode_types;
    uint8_t ***indices; /* of each level: pos and crd, or crd */
    uint8_t *vals;
    uint8_t *fill_value;
    int32_t vals_size;
} taco_tensor_t;

enum { ARGUMENTS = 8 };

static const char *folder;
static void *library;
static int (*evaluate)(taco_tensor_t **);
static taco_tensor_t argument[ARGUMENTS], *arguments[ARGUMENTS];
static char name[ARGUMENTS][32];
static int n_arguments;

static bool peer_start(char *title, size_t room)
{
    folder = getenv("SPCC_PEER_PATH");
    snprintf(title, room, folder ? "taco's code" : "no folder: --peers=taco=FOLDER");
    return folder != NULL;
}

/* Its code has OpenMP's directives, and asks for as many threads as the environment says. */
static void peer_threads(int threads)
{
    void (*set)(int);
    void *found = dlsym(RTLD_DEFAULT, "omp_set_num_threads");
    memcpy(&set, &found, sizeof found);
    if (found)
        set(threads);
}

/* ---- the file ---- */

static bool find_file(char *path, size_t room)
{
    char file[160];
    int n = snprintf(file, sizeof file, "%s-%s", peer_name, peer_find("A")->format);
    for (int c = 0; c < n; c++)
        if (!isalnum((unsigned char)file[c]) && file[c] != '-')
            file[c] = '_';
    snprintf(path, room, "%s/%s%s.c", folder, file, sizeof(value) == 4 ? "-f32" : "");
    return access(path, R_OK) == 0;
}

/* The names of evaluate's parameters, each after "taco_tensor_t *". */
static bool read_parameters(const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    n_arguments = 0;
    while (file && n_arguments == 0 && fgets(line, sizeof line, file)) {
        const char *s = strncmp(line, "int evaluate(", 13) == 0 ? strchr(line, '*') : NULL;
        for (; s && n_arguments < ARGUMENTS; s = strchr(s + 1, '*'))
            n_arguments += sscanf(s + 1, " %31[A-Za-z0-9_]", name[n_arguments]) == 1;
    }
    if (file)
        fclose(file);
    return n_arguments > 0;
}

/* A function that has them in an array. */
static bool write_caller(const char *path)
{
    FILE *out = fopen("taco_case.c", "w");
    if (!out)
        return false;
    fprintf(out, "#include \"%s\"\nint call(taco_tensor_t **t) { return evaluate(", path);
    for (int a = 0; a < n_arguments; a++)
        fprintf(out, "%st[%d]", a > 0 ? ", " : "", a);
    fprintf(out, "); }\n");
    return fclose(out) == 0;
}

static bool load(const char *path)
{
    static int count;
    char command[256], file[64];
    snprintf(file, sizeof file, "./taco_case%d-%zu.so", count++, 8 * sizeof(value));
    snprintf(
        command, sizeof command,
        "${SPCC_CC:-${CC:-cc}} -w -O3 -march=native -fopenmp -shared -fPIC -o %s taco_case.c -lm "
        ">&2",
        file);
    if (!write_caller(path) || system(command) != 0 || !(library = dlopen(file, RTLD_NOW)))
        return false;
    void *found = dlsym(library, "call");
    memcpy(&evaluate, &found, sizeof found);
    return found != NULL;
}

/* ---- tensors ---- */

static void *new_array(int n, size_t each) { return calloc((size_t)n + 1, each); }

static int storage_mode(const struct peer_tensor *t, int level)
{
    const char *s = strchr(t->format, ':');
    for (int k = 0; k < level && s; k++)
        s = strchr(s + 1, ',');
    bool is_by_columns = strcmp(t->format, "csc") == 0 || strcmp(t->format, "dcsc") == 0;
    return s ? atoi(s + 1) : is_by_columns ? t->order - 1 - level : level;
}

static void fill_argument(taco_tensor_t *a, const struct peer_tensor *t)
{
    a->order = t->order;
    a->csize = sizeof(value);
    a->dimensions = new_array(t->order, sizeof *a->dimensions);
    a->mode_ordering = new_array(t->order, sizeof *a->mode_ordering);
    a->mode_types = new_array(t->order, sizeof *a->mode_types);
    a->indices = new_array(t->order, sizeof *a->indices);
    a->vals = (uint8_t *)t->vals;
    a->fill_value = calloc(1, sizeof(value));
    a->vals_size = (int32_t)t->stored;
    for (int m = 0; m < t->order; m++) {
        a->dimensions[m] = (int32_t)t->dimension[m];
        a->mode_ordering[m] = storage_mode(t, m);
        a->indices[m] = new_array(2, sizeof **a->indices);
    }
    for (int k = 0; k < t->arrays; k++) {
        bool is_crd = strcmp(t->array[k].name, "crd") == 0;
        a->mode_types[t->array[k].level] = 1;
        a->indices[t->array[k].level][is_crd] = t->array[k].at;
    }
}

/* What evaluate made of the result. */
static void drop_result(void)
{
    taco_tensor_t *result = &argument[0];
    for (int m = 0; m < result->order; m++)
        for (int k = 0; k < 2; k++) {
            free(result->indices[m][k]);
            result->indices[m][k] = NULL;
        }
    free(result->vals);
    result->vals = NULL;
}

static void finish(void)
{
    drop_result();
    for (int a = 0; a < n_arguments; a++) {
        for (int m = 0; m < argument[a].order; m++)
            free(argument[a].indices[m]);
        free(argument[a].dimensions);
        free(argument[a].mode_ordering);
        free(argument[a].mode_types);
        free(argument[a].indices);
        free(argument[a].fill_value);
    }
    if (library)
        dlclose(library);
    library = NULL;
    n_arguments = 0;
    memset(argument, 0, sizeof argument);
}

static bool prepare(void)
{
    char path[1200];
    if (!find_file(path, sizeof path) || !read_parameters(path) || !load(path))
        return n_arguments = 0, false;
    for (int a = 0; a < n_arguments; a++) {
        fill_argument(&argument[a], peer_find(name[a]));
        arguments[a] = &argument[a];
    }
    return true;
}

static void run(void)
{
    drop_result();
    if (evaluate(arguments) != 0)
        exit(1);
}

/* ---- the result ---- */

/* Components of a level's node, and of those below. */
struct walk {
    const struct peer_tensor *of;
    int32_t at[PEER_ORDER], *coordinates;
    value *vals;
    int64_t n, room;
};

static void add_component(struct walk *w, int64_t p)
{
    int order = w->of->order;
    if (w->n == w->room) {
        w->room = 2 * w->room + 1024;
        w->coordinates =
            realloc(w->coordinates, (size_t)(w->room * order) * sizeof *w->coordinates);
        w->vals = realloc(w->vals, (size_t)w->room * sizeof *w->vals);
        if (!w->coordinates || !w->vals)
            exit(1);
    }
    memcpy(w->coordinates + w->n * order, w->at, (size_t)order * sizeof *w->at);
    w->vals[w->n++] = ((const value *)argument[0].vals)[p];
}

static void visit(struct walk *w, int level, int64_t node)
{
    if (level == w->of->order) {
        add_component(w, node);
        return;
    }
    int mode = argument[0].mode_ordering[level];
    const int32_t *pos = (const int32_t *)argument[0].indices[level][0];
    const int32_t *crd = (const int32_t *)argument[0].indices[level][1];
    int64_t size = w->of->dimension[mode];
    int64_t first = pos ? pos[node] : crd ? node : node * size;
    int64_t last = pos ? pos[node + 1] : crd ? node + 1 : (node + 1) * size;
    for (int64_t p = first; p < last; p++) {
        w->at[mode] = crd ? crd[p] : (int32_t)(p - first);
        visit(w, level + 1, p);
    }
}

static void give(void)
{
    struct walk w = {.of = peer_find(name[0])};
    int64_t all = 1;
    for (int m = 0; m < w.of->order; m++)
        all *= w.of->dimension[m];
    if (strcmp(w.of->format, "dense") == 0) {
        peer_give_dense((const value *)argument[0].vals, all);
        return;
    }
    visit(&w, 0, 0);
    peer_give_sparse(w.of->order, w.coordinates, w.vals, w.n);
    free(w.coordinates);
    free(w.vals);
}

/* Whatever there is a file for. */
const struct peer_kernel kernels[] = {
    {"*", NULL, prepare, run, give, finish},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
