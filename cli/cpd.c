/* cpd.c - spcc cpd FILE -r RANK: a tensor as a sum of RANK outer products, lambda_r a_r o b_r ...
 *
 * Alternating least squares (T. Kolda and B. Bader, Tensor Decompositions and Applications, SIAM
 * Review 2009, figure 3.3).  Mode by mode, the mode's factor A becomes the best one for the
 * others:
 *
 *     M(i,r) = X(i,j,k) * B(j,r) * C(k,r)        a statement, whatever format X has
 *     A = M V^-1, V = (B'B) o (C'C)              Gram matrices and the product by statements
 *
 * Then the columns of A are scaled to length 1, and lambda gets the lengths that they had.  The
 * fit is 1 - |X - model| / |X|.  With the last mode's M, <X, model> is sum(M o A) lambda, so no
 * further pass over X is needed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/cpd_solve.h"
#include "cli/library.h"
#include "cli/progress.h"
#include "cli/signals.h"

enum { MODES_MAX = 16, RANK_MAX = 256, ITERATIONS = 50, STATEMENT = 1024, PATH_TEXT = 4096 };
static const double TOLERANCE = 1e-5;

/* The squares of values between these neither overflow nor vanish. */
static const double SMALL = 1e-100, LARGE = 1e100;

/* The texts of a step: the rank is a constant of its code. */
struct words {
    const char *statement;
    const char *over;     /* the index variables, a letter each, that go over the rank */
    const char *schedule; /* NULL: the planner's */
};

/* A statement with fixed tensors, compiled once. */
struct step {
    spcc_kernel *kernel;
    spcc_tensor *tensor[MODES_MAX + 2];
    int tensors;
};

struct mode {
    spcc_tensor *factor, *product; /* A, M */
    struct step multiply, solve, scale, gram;
    spcc_tensor *gram_tensor; /* A'A */
};

struct cpd {
    const struct cli_request *request;
    spcc_context *context;
    spcc_tensor *X;
    int order, rank;
    struct mode mode[MODES_MAX];
    spcc_tensor *inverse, *lengths, *shares; /* V^-1; 1 / lambda; sum(M o A) by columns */
    struct step share;
    double *lambda, *system, norm;
    int exponent;           /* X has been divided by 2 to this power */
    bool ridged, has_model; /* has_model: an iteration is complete */
};

static enum cli_status report_status(struct cpd *c, spcc_status said)
{
    return library_report(c->context, said);
}

/* ---- statements ---- */

static enum cli_status compile_step(struct cpd *c, struct step *step, struct words words,
                                    const spcc_binding *bound, int n)
{
    spcc_declaration declared[MODES_MAX + 2];
    char name[2][2] = {"", ""};
    spcc_variable_size size[2];
    int sizes = 0;
    for (; words.over[sizes]; sizes++) {
        name[sizes][0] = words.over[sizes];
        size[sizes] = (spcc_variable_size){name[sizes], c->rank};
    }
    for (int k = 0; k < n; k++) {
        declared[k] = (spcc_declaration){.name = bound[k].name, .tensor = bound[k].tensor};
        step->tensor[k] = bound[k].tensor;
    }
    step->tensors = n;
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declared,
                                    .n_declarations = n,
                                    .sizes = size,
                                    .n_sizes = sizes,
                                    .schedule = words.schedule,
                                    .plan_for_tensors = true,
                                    .serial = c->request->serial};
    return report_status(c, spcc_compile(c->context, words.statement, &options, &step->kernel));
}

static enum cli_status run_step(struct cpd *c, const struct step *step)
{
    return report_status(c, spcc_run_array(c->context, step->kernel, step->tensor, step->tensors));
}

/* Writes "M(i0,r) = X(i0,i1,i2) * A1(i1,r) * A2(i2,r)". */
static void write_product(const struct cpd *c, int mode, char *out)
{
    int n = snprintf(out, STATEMENT, "M(i%d,r) = X(", mode);
    for (int m = 0; m < c->order; m++)
        n += snprintf(out + n, (size_t)(STATEMENT - n), "%si%d", m ? "," : "", m);
    n += snprintf(out + n, (size_t)(STATEMENT - n), ")");
    for (int m = 0; m < c->order; m++)
        if (m != mode)
            n += snprintf(out + n, (size_t)(STATEMENT - n), " * A%d(i%d,r)", m, m);
}

static enum cli_status compile_product(struct cpd *c, int mode)
{
    static const char *const name[] = {"A0", "A1", "A2",  "A3",  "A4",  "A5",  "A6",  "A7",
                                       "A8", "A9", "A10", "A11", "A12", "A13", "A14", "A15"};
    char statement[STATEMENT];
    spcc_binding bound[MODES_MAX + 2] = {{"M", c->mode[mode].product}, {"X", c->X}};
    int n = 2;
    for (int m = 0; m < c->order; m++)
        if (m != mode)
            bound[n++] = (spcc_binding){name[m], c->mode[m].factor};
    write_product(c, mode, statement);
    return compile_step(c, &c->mode[mode].multiply, (struct words){statement, "r", NULL}, bound, n);
}

static enum cli_status compile_mode(struct cpd *c, int m)
{
    static const struct words solving = {"A(i,r) = M(i,s) * W(s,r)", "rs", NULL};
    static const struct words scaling = {"A(i,r) *= l(r)", "r", NULL};
    /* A is long and is read once; G stays in the caches */
    static const struct words multiplying = {"G(r,s) = A(i,r) * A(i,s)", "rs", "reorder(i, r, s)"};
    struct mode *mode = &c->mode[m];
    const spcc_binding solve[] = {{"A", mode->factor}, {"M", mode->product}, {"W", c->inverse}},
                       scale[] = {{"A", mode->factor}, {"l", c->lengths}},
                       gram[] = {{"G", mode->gram_tensor}, {"A", mode->factor}};
    enum cli_status status = compile_product(c, m);
    if (status == CLI_DONE)
        status = compile_step(c, &mode->solve, solving, solve, 3);
    if (status == CLI_DONE)
        status = compile_step(c, &mode->scale, scaling, scale, 2);
    return status == CLI_DONE ? compile_step(c, &mode->gram, multiplying, gram, 2) : status;
}

/* ---- tensors ---- */

static spcc_status new_dense(struct cpd *c, int order, const int64_t *size, spcc_tensor **tensor)
{
    return spcc_tensor_new(c->context, NULL, SPCC_F64, order, size, NULL, tensor);
}

/* Returns the values of a dense tensor of ours. */
static double *values(const spcc_tensor *tensor) { return (double *)spcc_tensor_values(tensor); }

static enum cli_status make_mode(struct cpd *c, int m)
{
    struct mode *mode = &c->mode[m];
    const int64_t size[] = {spcc_tensor_dimension(c->X, m), c->rank}, square[] = {c->rank, c->rank};
    char recipe[64];
    snprintf(recipe, sizeof recipe, "@random(%lld)", c->request->seed + m);
    spcc_status said =
        spcc_tensor_generate(c->context, recipe, NULL, SPCC_F64, 2, size, NULL, &mode->factor);
    if (said == SPCC_OK)
        said = new_dense(c, 2, size, &mode->product);
    if (said == SPCC_OK)
        said = new_dense(c, 2, square, &mode->gram_tensor);
    return report_status(c, said);
}

static enum cli_status make_tensors(struct cpd *c)
{
    const int64_t square[] = {c->rank, c->rank};
    enum cli_status status = CLI_DONE;
    c->lambda = calloc((size_t)c->rank, sizeof *c->lambda);
    c->system = calloc((size_t)c->rank * (size_t)c->rank, sizeof *c->system);
    if (!c->lambda || !c->system)
        return library_no_memory();
    spcc_status said = new_dense(c, 2, square, &c->inverse);
    if (said == SPCC_OK)
        said = new_dense(c, 1, square, &c->lengths);
    if (said == SPCC_OK)
        said = new_dense(c, 1, square, &c->shares);
    status = report_status(c, said);
    for (int m = 0; m < c->order && status == CLI_DONE; m++)
        status = make_mode(c, m);
    for (int m = 0; m < c->order && status == CLI_DONE; m++)
        status = compile_mode(c, m);
    const struct mode *last = &c->mode[c->order - 1];
    const spcc_binding share[] = {{"c", c->shares}, {"M", last->product}, {"A", last->factor}};
    return status == CLI_DONE ? compile_step(
               c, &c->share, (struct words){"c(r) = M(i,r) * A(i,r)", "r", NULL}, share, 3)
                              : status;
}

/* ---- iterations ---- */

/* Multiplies, element by element, the Gram matrices of all modes but one, or of all (-1). */
static void multiply_grams(struct cpd *c, int but)
{
    int n = c->rank * c->rank;
    for (int e = 0; e < n; e++)
        c->system[e] = 1;
    for (int m = 0; m < c->order; m++)
        for (int e = 0; e < n && m != but; e++)
            c->system[e] *= values(c->mode[m].gram_tensor)[e];
}

/* Scales the columns to length 1, and puts the lengths into lambda; a column of zeros stays. */
static enum cli_status normalize(struct cpd *c, struct mode *mode)
{
    double *gram = values(mode->gram_tensor), *lengths = values(c->lengths);
    for (int r = 0; r < c->rank; r++) {
        c->lambda[r] = sqrt(gram[r * c->rank + r]);
        lengths[r] = c->lambda[r] > 0 ? 1 / c->lambda[r] : 1;
    }
    for (int r = 0; r < c->rank; r++)
        for (int s = 0; s < c->rank; s++)
            gram[r * c->rank + s] *= lengths[r] * lengths[s];
    return run_step(c, &mode->scale);
}

static void tell_of_ridge(struct cpd *c, double ridge, int iteration)
{
    if (ridge == 0 || c->ridged)
        return;
    c->ridged = true;
    message_label(MESSAGE_NOTE, "note:");
    message_say("in iteration %d columns of factors depend on each other, so that the Gram matrix "
                "is singular: %.2g is added to its diagonal",
                iteration, ridge);
}

static enum cli_status update_mode(struct cpd *c, int m, int iteration)
{
    struct mode *mode = &c->mode[m];
    double ridge;
    enum cli_status status = run_step(c, &mode->multiply);
    if (status != CLI_DONE)
        return status;
    multiply_grams(c, m);
    if (!cpd_invert(c->system, c->rank, values(c->inverse), &ridge)) {
        library_complain("%s: the factors grow beyond all numbers", c->request->subject);
        return CLI_BAD_INPUT;
    }
    tell_of_ridge(c, ridge, iteration);
    status = run_step(c, &mode->solve);
    if (status == CLI_DONE)
        status = run_step(c, &mode->gram);
    return status == CLI_DONE ? normalize(c, mode) : status;
}

static enum cli_status find_fit(struct cpd *c, double *fit)
{
    double inner = 0, model = 0;
    enum cli_status status = run_step(c, &c->share);
    multiply_grams(c, -1);
    for (int r = 0; r < c->rank; r++) {
        inner += c->lambda[r] * values(c->shares)[r];
        for (int s = 0; s < c->rank; s++)
            model += c->lambda[r] * c->lambda[s] * c->system[r * c->rank + s];
    }
    double rest = c->norm * c->norm + model - 2 * inner;
    *fit = 1 - sqrt(rest > 0 ? rest : 0) / c->norm;
    return status;
}

static enum cli_status iterate(struct cpd *c)
{
    const int most = c->request->iterations ? c->request->iterations : ITERATIONS;
    const double tolerance = c->request->has_tolerance ? c->request->tolerance : TOLERANCE;
    enum cli_status status = CLI_DONE;
    double before = 0, fit = 0;
    for (int m = 0; m < c->order && status == CLI_DONE; m++)
        status = run_step(c, &c->mode[m].gram);
    for (int i = 1; i <= most && status == CLI_DONE; i++, before = fit) {
        for (int m = 0; m < c->order && status == CLI_DONE; m++) {
            status = update_mode(c, m, i);
            if (i == 1 && signals_noted())
                return status; /* there is no model yet */
        }
        if (status == CLI_DONE)
            status = find_fit(c, &fit);
        if (status != CLI_DONE)
            break;
        printf("iteration %-4d fit %.9f\n", i, fit);
        fflush(stdout);
        c->has_model = true;
        if ((i > 1 && fabs(fit - before) < tolerance) || signals_noted())
            break;
    }
    return status;
}

/* ---- the tensor ---- */

/* Finds the values of the part of this number, or of a tensor without parts; false: there is no
 * such part. */
static bool find_values(const spcc_tensor *tensor, int part, double **value, int64_t *n)
{
    const int parts = spcc_tensor_parts(tensor);
    if (part >= (parts ? parts : 1))
        return false;
    tensor = parts ? spcc_tensor_part(tensor, part) : tensor;
    *value = values(tensor);
    *n = spcc_tensor_stored(tensor);
    return true;
}

/* Returns the largest magnitude, NaN if a value is NaN. */
static double largest(const spcc_tensor *tensor)
{
    double most = 0, *value;
    int64_t n;
    for (int p = 0; find_values(tensor, p, &value, &n); p++)
        for (int64_t k = 0; k < n && !isnan(most); k++)
            if (!(fabs(value[k]) <= most))
                most = fabs(value[k]);
    return most;
}

/* Scales all values, and returns the sum of their squares; copies count once. */
static double scale_values(const spcc_tensor *tensor, int exponent)
{
    double sum = 0, *value;
    int64_t n;
    for (int p = 0; find_values(tensor, p, &value, &n); p++)
        for (int64_t k = 0; k < n; k++) {
            value[k] = exponent ? scalbn(value[k], exponent) : value[k];
            if (p == 0 || !spcc_tensor_is_repeated(tensor))
                sum += value[k] * value[k];
        }
    return sum;
}

/* Finds the tensor's length.  Values whose squares might over- or underflow are scaled by a power
 * of two, which lambda gets back (write_model). */
static enum cli_status measure_tensor(struct cpd *c)
{
    const double most = largest(c->X);
    if (!isfinite(most) || most == 0) {
        library_complain("%s: %s", c->request->subject,
                         isnan(most) ? "a value is NaN, which no model fits"
                         : most > 0  ? "a value is infinite, which no model fits"
                                     : "there is nothing but zeros, which any model of zeros fits");
        return CLI_BAD_INPUT;
    }
    if (most > LARGE || most < SMALL)
        c->exponent = ilogb(most);
    c->norm = sqrt(scale_values(c->X, -c->exponent));
    return CLI_DONE;
}

static enum cli_status check_tensor(struct cpd *c)
{
    c->order = spcc_tensor_order(c->X);
    if (c->order < 2 || c->order > MODES_MAX) {
        library_complain("%s: a tensor of order %d: spcc cpd takes those of order 2 to %d",
                         c->request->subject, c->order, (int)MODES_MAX);
        return CLI_BAD_INPUT;
    }
    return measure_tensor(c);
}

/* ---- the model ---- */

static enum cli_status write_one(struct cpd *c, const spcc_tensor *tensor, const char *end)
{
    char path[PATH_TEXT];
    spcc_write_options writing = {.size = sizeof writing, .sync = c->request->sync};
    snprintf(path, sizeof path, "%s.%s", c->request->output, end);
    return report_status(c, library_write(c->context, tensor, path, &writing));
}

static enum cli_status write_model(struct cpd *c)
{
    enum cli_status status = CLI_DONE;
    for (int r = 0; r < c->rank; r++)
        values(c->lengths)[r] = scalbn(c->lambda[r], c->exponent);
    for (int m = 0; m < c->order && status == CLI_DONE; m++) {
        char end[32];
        snprintf(end, sizeof end, "%d.mtx", m + 1);
        status = write_one(c, c->mode[m].factor, end);
    }
    return status == CLI_DONE ? write_one(c, c->lengths, "lambda.tns") : status;
}

/* ---- the command ---- */

static void free_step(struct step *step) { spcc_kernel_free(step->kernel); }

static void free_all(struct cpd *c)
{
    for (int m = 0; m < MODES_MAX; m++) {
        struct mode *mode = &c->mode[m];
        spcc_tensor_free(mode->factor);
        spcc_tensor_free(mode->product);
        spcc_tensor_free(mode->gram_tensor);
        free_step(&mode->multiply);
        free_step(&mode->solve);
        free_step(&mode->scale);
        free_step(&mode->gram);
    }
    free_step(&c->share);
    spcc_tensor_free(c->inverse);
    spcc_tensor_free(c->lengths);
    spcc_tensor_free(c->shares);
    spcc_tensor_free(c->X);
    spcc_context_free(c->context);
    free(c->lambda);
    free(c->system);
}

static enum cli_status decompose(struct cpd *c)
{
    const char *format = library_alone(c->request, CLI_FLAG_FORMAT);
    spcc_read_options options = {
        .size = sizeof options, .name = "X", .zero_based = c->request->zero_based};
    enum cli_status status =
        report_status(c, library_read(c->context, c->request->subject, format ? format : "csf",
                                      SPCC_F64, &options, &c->X));
    if (status == CLI_DONE)
        status = check_tensor(c);
    if (status == CLI_DONE)
        status = make_tensors(c);
    if (status != CLI_DONE)
        return status;
    if (!c->request->output)
        return iterate(c);
    signals_note(true); /* otherwise factors of different models could be written side by side */
    status = iterate(c);
    if (status == CLI_DONE && c->has_model)
        status = write_model(c);
    signals_note(false);
    return status;
}

enum cli_status command_cpd(const struct cli_request *request)
{
    struct cpd c = {.request = request, .rank = request->rank};
    enum cli_status status;
    if (c.rank == 0) {
        library_complain("cpd needs a rank: -r 16");
        return CLI_BAD_USAGE;
    }
    c.context = library_open(request, &status);
    if (!c.context)
        return status;
    status = decompose(&c);
    free_all(&c);
    if (signals_noted())
        raise(signals_noted());
    return status;
}
