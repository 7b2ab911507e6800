/* threads.c - loops that threads share without being asked, beside the same kernels with --serial.
 *
 *     threads [ENTRIES [ROUNDS [KERNEL]]]
 *
 * Three forms of a kernel run in turns: serial, as planned on one thread, and on two.  Their times
 * are those of processors, not of clocks, so that others who use the machine count as little as can
 * be: on two threads it is the greater of what the calling thread took and what all others did,
 * which wait without spinning (OMP_WAIT_POLICY).  Of each form the least of the rounds counts.
 * Sparse operands have entries at places of their own, but where they are said to be alike.
 *
 * What the machine has to give is measured beside it: two serial kernels that have nothing to do
 * with each other, each with half of the rows, run at once, and each alone.  Twice the time of the
 * longer one over theirs is what two threads gain that share nothing but caches and memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <spcc.h>

enum { FORMS = 3, HALVES = 2, TENSORS = 4, SMALL = 300, FACTORS = 32 };

static void need(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "threads: %s\n", what);
        exit(3);
    }
}

/* ---- inputs ---- */

static uint64_t state = 88172645463325252u;

static int64_t next_random(int64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)below);
}

struct input {
    int order;
    int64_t n, size[3], *at;
    double *values;
};

/* Ten entries a row or slice; of the heavy ones, one row has a tenth of all entries, and the others
 * have the fewer the higher they are.  Or one of so many shares of the rows. */
static struct input make_input(int order, int64_t entries, int heavy, int shares)
{
    struct input in = {.order = order, .n = entries / shares};
    for (int mode = 0; mode < order; mode++)
        in.size[mode] = entries / 10;
    in.size[0] /= shares;
    in.at = malloc((size_t)(in.n * order) * sizeof *in.at);
    in.values = malloc((size_t)in.n * sizeof *in.values);
    need(in.at && in.values, "no memory");
    for (int64_t k = 0; k < in.n; k++) {
        double u = (double)next_random(1 << 30) / (1 << 30);
        for (int mode = 0; mode < order; mode++)
            in.at[k * order + mode] = next_random(in.size[mode]);
        if (heavy)
            in.at[k * order] = k % 10 == 0 ? 7 : (int64_t)((double)in.size[0] * u * u);
        in.values[k] = (double)next_random(1000) / 1000 + 1;
    }
    return in;
}

static void free_input(struct input *in)
{
    free(in->at);
    free(in->values);
}

/* ---- kernels ---- */

struct form;
typedef void work_function(struct form *form);
static work_function pack, read_file;

struct kernel {
    const char *name, *statement;
    const char *format[TENSORS]; /* the result's first; of operands: NULL: dense */
    int order;                   /* of the inputs */
    int alike;                   /* of ten of their entries so many are at the same places */
    work_function *work;         /* without a statement: what the library does, for the result */
};

static const struct kernel kernels[] = {
    {"SpMV", "y(i) = A(i,j) * x(j)", {NULL, "csr", NULL}, 2},
    {"SpMV, csc", "y(i) = A(i,j) * x(j)", {NULL, "csc", NULL}, 2},
    {"SpMM 32", "Y(i,r) = A(i,j) * X(j,r)", {NULL, "csr", NULL}, 2},
    {"A + B", "C(i,j) = A(i,j) + B(i,j)", {"csr", "csr", "csr"}, 2},
    {"A + B, alike", "C(i,j) = A(i,j) + B(i,j)", {"csr", "csr", "csr"}, 2, 10},
    {"A + B, some", "C(i,j) = A(i,j) + B(i,j)", {"csr", "csr", "csr"}, 2, 2},
    {"SpGEMM", "C(i,j) = A(i,k) * B(k,j)", {"csr", "csr", "csr"}, 2},
    {"COO to CSR", "B(i,j) = A(i,j)", {"csr", "coo"}, 2},
    {"CSR to CSC", "B(i,j) = A(i,j)", {"csc", "csr"}, 2},
    {"TTV, sparse", "C(i,j) = A(i,j,k) * x(k)", {"dcsr", "csf", NULL}, 3},
    {"MTTKRP 32", "Y(i,r) = A(i,j,k) * X(j,r) * Z(k,r)", {NULL, "csf", NULL, NULL}, 3},
    {"packing", "", {"csr"}, 2, 0, pack},
    {"reading", "", {"csr"}, 2, 0, read_file},
};

static void make_inputs(struct input *in, const struct kernel *k, int64_t entries, int heavy,
                        int shares)
{
    for (int i = 0; i < TENSORS - 1; i++) {
        in[i] = make_input(k->order, entries, heavy, shares);
        for (int64_t at = 0; at < in[i].n; at++)
            if (at % 10 < k->alike)
                memcpy(&in[i].at[at * k->order], &in[0].at[at * k->order],
                       (size_t)k->order * sizeof *in[i].at);
    }
}

struct form {
    spcc_context *context;
    spcc_kernel *kernel;
    spcc_tensor *tensor[TENSORS];
    int tensors, borrowed[TENSORS];
    work_function *work;
    const char *format; /* of what it makes of an input, or of a file of that */
    struct input input;
    char path[32];
};

static void check(struct form *f, spcc_status status)
{
    if (status != SPCC_OK)
        fputs(spcc_message(f->context), stderr);
    need(status == SPCC_OK, "the kernel fails");
}

static spcc_tensor *make_operand(struct form *f, const struct input *in, const char *format,
                                 int order)
{
    spcc_tensor *tensor;
    int64_t size[2] = {in->size[0], FACTORS};
    if (format) {
        check(f, spcc_tensor_from_coords(f->context, format, SPCC_F64, in->order, in->size, in->n,
                                         in->at, in->values, NULL, &tensor));
        return tensor;
    }
    int64_t n = size[0] * (order == 2 ? FACTORS : 1);
    double *values = malloc((size_t)n * sizeof *values);
    need(values != NULL, "no memory");
    for (int64_t i = 0; i < n; i++)
        values[i] = (double)(i % 100) / 100;
    check(f, spcc_tensor_dense(f->context, SPCC_F64, order, size, values, &tensor));
    free(values);
    return tensor;
}

/* ---- what the library does ---- */

static void pack(struct form *f)
{
    const struct input *in = &f->input;
    spcc_tensor *tensor;
    check(f, spcc_tensor_from_coords(f->context, f->format, SPCC_F64, in->order, in->size, in->n,
                                     in->at, in->values, NULL, &tensor));
    spcc_tensor_free(tensor);
}

static void read_file(struct form *f)
{
    spcc_tensor *tensor;
    check(f, spcc_tensor_read(f->context, f->path, f->format, SPCC_F64, NULL, &tensor));
    spcc_tensor_free(tensor);
}

static void write_file(struct form *f)
{
    const struct input *in = &f->input;
    strcpy(f->path, "threads-XXXXXX.mtx");
    int descriptor = mkstemps(f->path, 4);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    need(file != NULL, "no file");
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %lld\n",
            (long long)in->size[0], (long long)in->size[1], (long long)in->n);
    for (int64_t k = 0; k < in->n; k++)
        fprintf(file, "%lld %lld %.15g\n", (long long)in->at[2 * k] + 1,
                (long long)in->at[2 * k + 1] + 1, in->values[k]);
    need(fclose(file) == 0, "the file is not written");
}

static struct input copy_input(const struct input *in)
{
    struct input copy = *in;
    size_t coordinates = (size_t)(in->n * in->order) * sizeof *in->at,
           values = (size_t)in->n * sizeof *in->values;
    copy.at = malloc(coordinates);
    copy.values = malloc(values);
    need(copy.at && copy.values, "no memory");
    memcpy(copy.at, in->at, coordinates);
    memcpy(copy.values, in->values, values);
    return copy;
}

static void make_work(struct form *f, const struct kernel *k, const struct input *in)
{
    f->work = k->work;
    f->format = k->format[0];
    f->input = copy_input(in);
    if (k->work == read_file)
        write_file(f);
}

/* ---- kernels in forms ---- */

/* Has the operand of the name the rows of the result? */
static int has_rows(const struct kernel *k, const char *name)
{
    const char *at = strchr(strchr(k->statement, '='), *name);
    return at && at[2] == 'i';
}

/* The names of the tensors, in the order of the kernel, are letters of the statement: capital ones
 * that are dense are matrices.  A form of some rows has the other operands of the form of all. */
static void make_form(struct form *f, const struct kernel *k, const struct input *inputs,
                      int threads, int serial, const struct form *all)
{
    spcc_options options = {.size = sizeof options, .threads = threads};
    spcc_declaration declared[TENSORS];
    spcc_variable_size sizes[] = {{"r", FACTORS}};
    spcc_compile_options how = {.size = sizeof how, .declarations = declared, .serial = serial};
    char name[TENSORS][2] = {{0}};
    need(spcc_context_new(&options, &f->context) == SPCC_OK, "no context");
    if (k->work) {
        make_work(f, k, inputs);
        return;
    }
    for (const char *at = k->statement; *at; at++)
        if (at[1] == '(')
            name[f->tensors++][0] = *at;
    for (int t = 0; t < f->tensors; t++)
        if (k->format[t])
            declared[how.n_declarations++] =
                (spcc_declaration){.name = name[t], .format = k->format[t]};
    if (strstr(k->statement, "r)")) {
        how.sizes = sizes;
        how.n_sizes = 1;
    }
    check(f, spcc_compile(f->context, k->statement, &how, &f->kernel));
    for (int t = 0; t < f->tensors; t++) {
        int order = name[t][0] < 'a' ? 2 : 1;
        f->borrowed[t] = t > 0 && all && !has_rows(k, name[t]);
        if (f->borrowed[t])
            f->tensor[t] = all->tensor[t];
        else if (t > 0)
            f->tensor[t] = make_operand(f, &inputs[t - 1], k->format[t], order);
        else
            check(f, spcc_tensor_new(f->context, k->format[0], SPCC_F64, order, NULL, NULL,
                                     &f->tensor[0]));
    }
}

static void free_form(struct form *f)
{
    for (int t = 0; t < f->tensors; t++)
        if (!f->borrowed[t])
            spcc_tensor_free(f->tensor[t]);
    free_input(&f->input);
    if (f->path[0])
        unlink(f->path);
    spcc_kernel_free(f->kernel);
    spcc_context_free(f->context);
}

/* ---- measuring ---- */

static double clock_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Milliseconds of the busier of the calling thread and the others. */
static double time_of(struct form *f, int times)
{
    double all = clock_ms(CLOCK_PROCESS_CPUTIME_ID), own = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < times; i++)
        if (f->work)
            f->work(f);
        else
            check(f, spcc_run_array(f->context, f->kernel, f->tensor, f->tensors));
    own = clock_ms(CLOCK_THREAD_CPUTIME_ID) - own;
    all = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - all;
    return fmax(own, all - own) / times;
}

struct half {
    struct form form;
    pthread_barrier_t *start;
    int times;
    double ms;
};

static void *run_half(void *data)
{
    struct half *h = data;
    pthread_barrier_wait(h->start);
    h->ms = time_of(&h->form, h->times);
    return NULL;
}

/* Two halves at once: the time of the one that takes longer. */
static double time_at_once(struct half half[HALVES])
{
    pthread_t other;
    need(pthread_create(&other, NULL, run_half, &half[1]) == 0, "no thread");
    run_half(&half[0]);
    pthread_join(other, NULL);
    return fmax(half[0].ms, half[1].ms);
}

/* Twice the time of the longer half alone over that of both at once. */
static double measure_halves(const struct kernel *k, const struct form *all, int64_t entries,
                             int heavy, int rounds, int times)
{
    struct half half[HALVES] = {{.times = times}, {.times = times}};
    pthread_barrier_t start;
    double alone[HALVES] = {INFINITY, INFINITY}, at_once = INFINITY;
    need(pthread_barrier_init(&start, NULL, HALVES) == 0, "no barrier");
    for (int i = 0; i < HALVES; i++) {
        struct input inputs[TENSORS - 1];
        half[i].start = &start;
        make_inputs(inputs, k, entries, heavy, HALVES);
        make_form(&half[i].form, k, inputs, 1, 1, all);
        for (int t = 0; t < TENSORS - 1; t++)
            free_input(&inputs[t]);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < HALVES; i++) {
            time_of(&half[i].form, times);
            alone[i] = fmin(alone[i], time_of(&half[i].form, times));
        }
        at_once = fmin(at_once, time_at_once(half));
    }
    for (int i = 0; i < HALVES; i++)
        free_form(&half[i].form);
    pthread_barrier_destroy(&start);
    return HALVES * fmax(alone[0], alone[1]) / at_once;
}

static void measure(const struct kernel *k, int64_t entries, int heavy, int rounds)
{
    struct input inputs[TENSORS - 1];
    struct form form[FORMS] = {{0}};
    double least[FORMS];
    int times = entries <= SMALL ? 2000 : 1;
    make_inputs(inputs, k, entries, heavy, 1);
    for (int i = 0; i < FORMS; i++) {
        make_form(&form[i], k, inputs, i == 2 ? 2 : 1, i == 0, NULL);
        least[i] = INFINITY;
    }
    for (int round = -1; round < rounds; round++)
        for (int i = 0; i < FORMS; i++) {
            double ms = time_of(&form[i], times);
            least[i] = round < 0 ? INFINITY : fmin(least[i], ms);
        }
    printf("%-12s %-8s %9lld %10.4f %8.2f %8.2f %8.2f\n", k->name, heavy ? "power" : "uniform",
           (long long)entries, least[0], least[0] / least[1], least[0] / least[2],
           measure_halves(k, &form[0], entries, heavy, rounds, times));
    fflush(stdout);
    for (int i = 0; i < FORMS; i++)
        free_form(&form[i]);
    for (int i = 0; i < TENSORS - 1; i++)
        free_input(&inputs[i]);
}

int main(int argc, char **argv)
{
    int64_t entries = argc > 1 ? atoll(argv[1]) : 1000000;
    int rounds = argc > 2 ? atoi(argv[2]) : 15;
    const char *only = argc > 3 ? argv[3] : NULL; /* kernels whose names begin so */
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("GOMP_SPINCOUNT", "0", 1);
    printf(
        "kernel       input      entries  serial ms  1 thread 2 threads  halves, times as fast\n");
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        if (only && strncmp(kernels[k].name, only, strlen(only)) != 0)
            continue;
        measure(&kernels[k], SMALL, 0, rounds);
        measure(&kernels[k], entries, 0, rounds);
        measure(&kernels[k], entries, 1, rounds);
    }
    return 0;
}
