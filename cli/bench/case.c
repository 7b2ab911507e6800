/* case.c - a case: the tensors of a kernel for an input, formats and a type, and the kernel's
 * code.
 *
 * The size of a variable is that of a mode of the input, or it stands in the kernel's list.  An
 * input does not suit a kernel if a variable would have two sizes, as in A(i,k) * A(k,j) with a
 * matrix that is not square; or if a format would take many times the memory of the smallest one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/library.h"
#include "cli/timing.h"

enum { TIMES_LEAST = 20 };

/* ---- the kernel's row ---- */

/* Finds the format that the row gives for a tensor.  Returns its length, 0 if there is none. */
static size_t find_format(const struct bench_case *c, const char *name, const char **format,
                          char *sign)
{
    size_t n = strlen(name);
    const char *end = c->formats + c->formats_length;
    for (const char *s = c->formats; s < end; s += strcspn(s, " |") + 1) {
        if (strncmp(s, name, n) != 0 || !s[n] || !strchr(":~=", s[n]))
            continue;
        *format = s + n + 1;
        *sign = s[n];
        return strcspn(*format, " |");
    }
    return 0;
}

const char *bench_case_format(const struct bench_case *c)
{
    for (int t = 0; t < c->tensors; t++)
        if (strcmp(c->tensor[t].name, "A") == 0)
            return c->tensor[t].format;
    return "";
}

/* Takes the first of a list such as "r:32 s:8"; false if there is none. */
static bool take_size(const char **list, char name[32], int64_t *size)
{
    int read = 0;
    bool is_there = sscanf(*list, " %31[^:]:%" SCNd64 "%n", name, size, &read) == 2;
    *list += read;
    return is_there;
}

/* Finds a size in such a list, -1 if it is not there. */
static int64_t listed_size(const char *list, const char *variable)
{
    char name[32];
    int64_t size;
    while (take_size(&list, name, &size))
        if (strcmp(name, variable) == 0)
            return size;
    return -1;
}

/* ---- sizes ---- */

struct size {
    char variable[32];
    int64_t is;
};

struct sizes {
    struct size size[32];
    int n;
    bool agree;
};

static void note_size(struct sizes *sizes, const char *variable, int64_t is)
{
    for (int s = 0; s < sizes->n; s++)
        if (strcmp(sizes->size[s].variable, variable) == 0) {
            sizes->agree &= sizes->size[s].is == is;
            return;
        }
    if (sizes->n == (int)(sizeof sizes->size / sizeof *sizes->size))
        return;
    snprintf(sizes->size[sizes->n].variable, 32, "%s", variable);
    sizes->size[sizes->n++].is = is;
}

static int64_t size_of(const struct sizes *sizes, const char *variable)
{
    for (int s = 0; s < sizes->n; s++)
        if (strcmp(sizes->size[s].variable, variable) == 0)
            return sizes->size[s].is;
    return -1;
}

/* ---- tensors ---- */

/* Returns the tensor's number, -1 if there is none. */
static int number_of(const struct bench_case *c, const char *name)
{
    int t = c->tensors - 1;
    while (t >= 0 && strcmp(c->tensor[t].name, name) != 0)
        t--;
    return t;
}

static struct bench_tensor *find_tensor(struct bench_case *c, const char *name)
{
    int t = number_of(c, name);
    return t >= 0 ? &c->tensor[t] : NULL;
}

const struct bench_tensor *bench_case_tensor(const struct bench_case *c, const char *name)
{
    int t = number_of(c, name);
    return t >= 0 ? &c->tensor[t] : NULL;
}

/* The statement may store several tensors as the input is, or read the input several times: with
 * A(i,k) * A(k,j), each variable gets the size of its mode. */
static void note_accesses(const struct bench_case *c, const char *statement, const char *name,
                          struct sizes *sizes)
{
    const struct bench_entries *e = &c->input->entries;
    size_t n = strlen(name);
    for (const char *s = statement; (s = strstr(s, name)); s += n) {
        bool is_access = s > statement && strchr(" (", s[-1]) && s[n] == '(';
        const char *at = s + n + 1;
        for (int m = 0; is_access && m < e->order; m++, at += strcspn(at, ",)") + 1) {
            char variable[32];
            snprintf(variable, sizeof variable, "%.*s", (int)strcspn(at, ",)"), at);
            note_size(sizes, variable, e->dimension[m]);
        }
    }
}

/* Notes the tensors of a step's statement, and the sizes that they give.  The result of a step
 * before gives none: it is not as the input is. */
static void note_tensors(struct bench_case *c, int step, const spcc_statement *statement,
                         struct sizes *sizes)
{
    const struct bench_entries *e = &c->input->entries;
    for (int k = 0; k < spcc_statement_tensors(statement); k++) {
        const char *name = spcc_statement_tensor_name(statement, k), *format = "";
        struct bench_tensor *t = find_tensor(c, name);
        char sign = ':';
        size_t n = find_format(c, name, &format, &sign);
        if (n > 0 && k > 0 && !(t && t->is_result))
            note_accesses(c, c->statement[step], name, sizes);
        if (t)
            t->steps |= 1u << step;
        if (t || c->tensors == BENCH_TENSORS)
            continue;
        t = &c->tensor[c->tensors++];
        *t = (struct bench_tensor){.is_result = k == 0,
                                   .has_infinity = sign == '~',
                                   .is_alike = sign == '=',
                                   .steps = 1u << step};
        snprintf(t->name, sizeof t->name, "%s", name);
        snprintf(t->format, sizeof t->format, "%.*s", (int)n, format);
        t->order = spcc_statement_tensor_order(statement, k);
        sizes->agree &= n == 0 || k == 0 || t->order == e->order;
    }
}

static void set_dimensions(struct bench_case *c, const spcc_statement *statement,
                           const struct sizes *sizes, bool *fits)
{
    for (int k = 0; k < spcc_statement_tensors(statement); k++) {
        struct bench_tensor *t = find_tensor(c, spcc_statement_tensor_name(statement, k));
        for (int m = 0; t && m < t->order; m++) {
            const char *variable = spcc_statement_variable(statement, k, m);
            int64_t is = size_of(sizes, variable);
            t->dimension[m] = is >= 0 ? is : listed_size(c->kernel->sizes, variable);
            *fits &= t->dimension[m] >= 0;
        }
    }
    c->result = number_of(c, spcc_statement_tensor_name(statement, 0));
}

/* Makes values of the case's type: the given ones, or drawn ones. */
static void *make_values(const struct bench_case *c, const double *values, int64_t n)
{
    spcc_type type = c->type;
    void *made = malloc((size_t)n * spcc_type_size(type) + 1);
    uint64_t state = 7;
    for (int64_t i = 0; made && i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value = c->counts ? 1
                       : values  ? values[i]
                                 : (double)(state >> 11) / 9007199254740992.0;
        switch ((int)type) {
        case SPCC_F64: ((double *)made)[i] = value; break;
        case SPCC_F32: ((float *)made)[i] = (float)value; break;
        default: ((bool *)made)[i] = values || value < 1.0 / 16; break;
        }
    }
    return made;
}

/* Makes a sparse tensor from the input, with its last coordinate moved on by this many places. */
static spcc_status make_sparse(spcc_context *context, const struct bench_case *c,
                               struct bench_tensor *t, int moved)
{
    const struct bench_entries *e = &c->input->entries;
    int64_t *moving = NULL;
    int last = e->order - 1;
    spcc_tensor_options options = {
        .size = sizeof options, .name = t->name, .fill = t->has_infinity ? "inf" : NULL};
    if (moved > 0 && !(moving = malloc((size_t)(e->n * e->order) * sizeof *moving + 1)))
        return SPCC_ERROR_MEMORY;
    for (int64_t k = 0; moved > 0 && k < e->n * e->order; k++)
        moving[k] = k % e->order == last ? (e->coordinates[k] + moved) % e->dimension[last]
                                         : e->coordinates[k];
    void *values = make_values(c, e->values, e->n);
    spcc_status said =
        !values
            ? SPCC_ERROR_MEMORY
            : spcc_tensor_from_coords(context, t->format, c->type, e->order, e->dimension, e->n,
                                      moving ? moving : e->coordinates, values, &options, &t->is);
    free(moving);
    free(values);
    return said;
}

static spcc_status make_dense(spcc_context *context, const struct bench_case *c,
                              struct bench_tensor *t)
{
    int64_t n = 1;
    for (int m = 0; m < t->order; m++)
        n *= t->dimension[m];
    void *values = make_values(c, NULL, n);
    spcc_status said =
        !values ? SPCC_ERROR_MEMORY
                : spcc_tensor_dense(context, c->type, t->order, t->dimension, values, &t->is);
    free(values);
    return said;
}

/* Do the tensors stay on the GPU for all runs?  If values are computed into a given pattern, the
 * pattern is compared with the operands' here, on the CPU. */
static bool stays_there(const struct bench_case *c) { return c->on_gpu && !c->kernel->computes; }

static enum cli_status make_tensors(spcc_context *context, struct bench_case *c)
{
    int moved = 0;
    for (int k = 0; k < c->tensors; k++) {
        struct bench_tensor *t = &c->tensor[k];
        spcc_status said;
        if (t->is_result)
            said = spcc_tensor_new(context, t->format[0] ? t->format : NULL, c->type, t->order,
                                   t->dimension, NULL, &t->is);
        else if (t->format[0])
            said = make_sparse(context, c, t, t->is_alike ? 0 : moved++);
        else
            said = make_dense(context, c, t);
        if (said == SPCC_OK && stays_there(c))
            said = spcc_tensor_to_gpu(context, t->is, &t->there);
        enum cli_status status = library_report(context, said);
        if (status != CLI_DONE)
            return status;
    }
    return CLI_DONE;
}

spcc_status bench_case_fetch(spcc_context *context, struct bench_case *c)
{
    struct bench_tensor *t = &c->tensor[c->result];
    spcc_tensor *here = NULL;
    if (c->files || !t->there)
        return SPCC_OK;
    spcc_status said = spcc_tensor_from_gpu(context, t->there, &here);
    if (said == SPCC_OK) {
        spcc_tensor_free(t->is);
        t->is = here;
    }
    return said;
}

/* ---- cases ---- */

static bool split_statements(struct bench_case *c)
{
    for (const char *s = c->kernel->statement; *s && c->steps < BENCH_STEPS;) {
        size_t n = strcspn(s, ";");
        if (!(c->statement[c->steps++] = strndup(s, n)))
            return false;
        s += n + strspn(s + n, "; ");
    }
    return true;
}

/* Is the format's size known, and not many times that of the smallest? */
static bool is_small(const struct bench_case *c)
{
    int64_t bytes = bench_input_bytes(c->input, bench_case_format(c));
    for (int t = 0; t < c->tensors; t++) {
        int64_t other = bench_input_bytes(c->input, c->tensor[t].format);
        bytes = other > bytes ? other : bytes;
    }
    return bytes / TIMES_LEAST <= bench_input_least_bytes(c->input);
}

enum cli_status bench_case_make(spcc_context *context, struct bench_case *c, bool *fits)
{
    spcc_statement *statement[BENCH_STEPS] = {NULL};
    struct sizes sizes = {.agree = true};
    enum cli_status status = split_statements(c) ? CLI_DONE : library_no_memory();
    for (int s = 0; s < c->steps && status == CLI_DONE; s++) {
        status =
            library_report(context, spcc_statement_parse(context, c->statement[s], &statement[s]));
        if (status == CLI_DONE)
            note_tensors(c, s, statement[s], &sizes);
    }
    *fits = status == CLI_DONE && sizes.agree;
    for (int s = 0; s < c->steps && *fits; s++)
        set_dimensions(c, statement[s], &sizes, fits);
    *fits = *fits && is_small(c);
    if (*fits)
        status = make_tensors(context, c);
    for (int s = 0; s < BENCH_STEPS; s++)
        spcc_statement_free(statement[s]);
    return status;
}

void bench_case_free(struct bench_case *c)
{
    for (int s = 0; s < c->steps; s++)
        free(c->statement[s]);
    for (int t = 0; t < c->tensors; t++) {
        spcc_tensor_free(c->tensor[t].is);
        spcc_tensor_free(c->tensor[t].there);
    }
    bench_files_free(c->files);
}

/* ---- kernels ---- */

/* Makes the kernel of a step.  If it computes values only, the CPU assembles the pattern. */
static spcc_status make_kernel(spcc_context *context, const struct bench_case *c, int s,
                               spcc_kind kind, spcc_kernel **kernel)
{
    bool on_gpu = c->on_gpu && kind != SPCC_ASSEMBLE;
    spcc_declaration declarations[BENCH_TENSORS];
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .plan_for_tensors = true,
                                    .serial = c->serial,
                                    .plain = c->plain,
                                    .no_plan = c->kernel->plans_nothing,
                                    .kind = kind,
                                    .same = &c->kernel->same,
                                    .n_same = c->kernel->same != NULL,
                                    .language = on_gpu ? SPCC_LANGUAGE_CUDA : SPCC_LANGUAGE_C,
                                    .schedule = c->plain ? NULL : c->kernel->schedule};
    for (int t = 0; t < c->tensors; t++)
        if (c->tensor[t].steps & 1u << s)
            declarations[options.n_declarations++] =
                (spcc_declaration){.name = c->tensor[t].name, .tensor = c->tensor[t].is};
    char names[BENCH_ORDER][32];
    spcc_variable_size sizes[BENCH_ORDER];
    if (c->kernel->knows_sizes) {
        options.sizes = sizes;
        const char *list = c->kernel->sizes;
        for (int n = 0; n < BENCH_ORDER && take_size(&list, names[n], &sizes[n].size); n++) {
            sizes[n].variable = names[n];
            options.n_sizes = n + 1;
        }
    }
    return spcc_compile(context, c->statement[s], &options, kernel);
}

spcc_status bench_case_compile(spcc_context *context, const struct bench_case *c, int s,
                               spcc_kernel **kernel)
{
    return make_kernel(context, c, s, c->kernel->computes ? SPCC_COMPUTE : SPCC_FUSED, kernel);
}

static void find_arguments(struct bench_run *run, int s, const spcc_kernel *kernel)
{
    const struct bench_case *c = run->of;
    run->n_arguments[s] = spcc_kernel_tensors(kernel);
    for (int k = 0; k < run->n_arguments[s]; k++)
        for (int t = 0; t < c->tensors; t++)
            if (strcmp(c->tensor[t].name, spcc_kernel_tensor_name(kernel, k)) == 0)
                run->arguments[s][k] = c->tensor[t].there ? c->tensor[t].there : c->tensor[t].is;
}

/* Assembles the result's pattern for a kernel that computes values. */
static spcc_status assemble_step(struct bench_run *run, int s)
{
    spcc_kernel *kernel;
    spcc_status said = make_kernel(run->context, run->of, s, SPCC_ASSEMBLE, &kernel);
    if (said != SPCC_OK)
        return said;
    find_arguments(run, s, kernel);
    said = spcc_run_array(run->context, kernel, run->arguments[s], run->n_arguments[s]);
    spcc_kernel_free(kernel);
    return said;
}

static spcc_status make_step(struct bench_run *run, int s)
{
    spcc_status said = run->of->kernel->computes ? assemble_step(run, s) : SPCC_OK;
    if (said == SPCC_OK)
        said = bench_case_compile(run->context, run->of, s, &run->kernel[s]);
    if (said == SPCC_OK)
        find_arguments(run, s, run->kernel[s]);
    return said;
}

/* Runs one step: all of it, or the values. */
static spcc_status run_step(const struct bench_run *run, int s, double *ms)
{
    spcc_gpu_times gpu = {0};
    spcc_run_options options = {.size = sizeof options, .gpu_times = &gpu};
    double begin = timing_now_ms();
    spcc_status said = spcc_run_with(run->context, run->kernel[s], run->arguments[s],
                                     run->n_arguments[s], &options);
    *ms += run->of->on_gpu ? gpu.kernel_ms : timing_now_ms() - begin;
    return said;
}

static spcc_status make_steps(struct bench_run *run, spcc_context *context,
                              const struct bench_case *c)
{
    spcc_status said = SPCC_OK;
    for (int s = 0; s < c->steps && said == SPCC_OK; s++) {
        said = make_step(run, s);
        if (said == SPCC_OK)
            said = run_step(run, s, &run->first_ms);
        if (said == SPCC_OK)
            run->bytes +=
                spcc_kernel_traffic(run->kernel[s], run->arguments[s], run->n_arguments[s]);
    }
    if (said == SPCC_OK && c->kernel->moves)
        run->bytes = (int64_t)c->kernel->moves(c);
    return said;
}

spcc_status bench_run_make(struct bench_run *run, spcc_context *context, const struct bench_case *c)
{
    *run = (struct bench_run){.context = context, .of = c};
    if (!c->files)
        return make_steps(run, context, c);
    spcc_status said = bench_run_once(run, &run->first_ms);
    run->bytes = bench_files_bytes(c);
    return said;
}

spcc_status bench_run_once(const struct bench_run *run, double *ms)
{
    spcc_status said = SPCC_OK;
    double begin = timing_now_ms();
    *ms = 0;
    if (run->of->files) {
        said = bench_files_once(run->context, run->of);
        *ms = timing_now_ms() - begin;
    }
    for (int s = 0; s < run->of->steps && said == SPCC_OK; s++)
        said = run_step(run, s, ms);
    return said;
}

void bench_run_free(struct bench_run *run)
{
    for (int s = 0; s < BENCH_STEPS; s++)
        spcc_kernel_free(run->kernel[s]);
}

/* ---- work ---- */

enum cli_status bench_count_work(spcc_context *context, const struct bench_kernel *kernel,
                                 const struct bench_input *input, double *flops, bool *fits)
{
    char statement[256];
    struct bench_kernel counting = *kernel;
    struct bench_case c = {.kernel = &counting, .input = input, .type = SPCC_F64};
    struct bench_run run = {0};
    snprintf(statement, sizeof statement, "count = %s", kernel->work);
    counting.statement = statement;
    counting.computes = counting.plans_nothing = false;
    counting.schedule = counting.same = NULL;
    counting.knows_sizes = false;
    counting.moves = NULL;
    c.formats = input->order == 2 ? "A:csr B:csr C:csr" : "A:csf";
    c.formats_length = (int)strlen(c.formats);
    c.counts = true;
    *flops = 0;
    *fits = true;
    enum cli_status status = kernel->work[0] ? bench_case_make(context, &c, fits) : CLI_DONE;
    if (status == CLI_DONE && *fits && kernel->work[0]) {
        spcc_status said = bench_run_make(&run, context, &c);
        *fits = said != SPCC_ERROR_BINDING; /* such as a matrix that is not square */
        status = *fits ? library_report(context, said) : CLI_DONE;
    }
    if (status == CLI_DONE && *fits && run.kernel[0])
        *flops = *(const double *)spcc_tensor_values(c.tensor[c.result].is);
    bench_run_free(&run);
    bench_case_free(&c);
    return status;
}
