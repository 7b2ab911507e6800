/* tuning.h - what the tests of spcc_tune and spcc_tune_formats share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_API_TUNING_H
#define SPCC_TESTS_API_TUNING_H

#include "tests/api/support.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/api/kernel.h"
#include "runtime/api/tuned.h"

static const char *const spgemm = "C(i,j) = A(i,k) * B(k,j)";

/* ---- contexts that keep kernels in a folder of the test's ---- */

struct home {
    char folder[64];
    spcc_context *context;
};

static void open_home(struct home *home, int threads)
{
    spcc_options options = {
        .size = sizeof options, .engine = engine, .cache = home->folder, .threads = threads};
    assert_int_equal(spcc_context_new(&options, &home->context), SPCC_OK);
}

static void reopen(struct home *home, int threads)
{
    spcc_context_free(home->context);
    open_home(home, threads);
}

static int set_up(void **state)
{
    struct home *home = calloc(1, sizeof *home);
    strcpy(home->folder, "/tmp/spcc-tune-XXXXXX");
    if (!home || !mkdtemp(home->folder))
        return 1;
    open_home(home, 1);
    *state = home;
    return 0;
}

static int tear_down(void **state)
{
    struct home *home = *state;
    DIR *dir = opendir(home->folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    rmdir(home->folder);
    spcc_context_free(home->context);
    free(home);
    return 0;
}

/* ---- tensors ---- */

static spcc_tensor *matrix(spcc_context *context, const char *format, int64_t n, const char *recipe)
{
    spcc_tensor *made;
    expect(
        context, SPCC_OK,
        spcc_tensor_generate(context, recipe, format, SPCC_F64, 2, (int64_t[]){n, n}, NULL, &made));
    return made;
}

/* C, whose sizes the first run finds, and two operands. */
struct product {
    spcc_tensor *tensor[3];
    spcc_binding binding[3];
};

static struct product open_product(spcc_context *context, int64_t n)
{
    struct product p;
    expect(context, SPCC_OK, spcc_tensor_new(context, "csr", SPCC_F64, 2, NULL, NULL, p.tensor));
    p.tensor[1] = matrix(context, "csr", n, "@sparse(0.1,1)");
    p.tensor[2] = matrix(context, "csr", n, "@sparse(0.1,2)");
    for (int k = 0; k < 3; k++)
        p.binding[k] = (spcc_binding){(const char *[]){"C", "A", "B"}[k], p.tensor[k]};
    return p;
}

static void close_product(struct product *p)
{
    for (int k = 0; k < 3; k++)
        spcc_tensor_free(p->tensor[k]);
}

/* What a kernel of the statement for these tensors is asked for. */
static struct pipeline_request request_of(struct spcc_context *api, struct context *cx,
                                          const char *statement, const struct product *p)
{
    spcc_declaration declarations[3];
    for (int i = 0; i < 3; i++)
        declarations[i] = (spcc_declaration){.name = p->binding[i].name, .tensor = p->tensor[i]};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = 3,
                                    .plan_for_tensors = true};
    struct pipeline_request request;
    assert_true(kernel_request(api, cx, statement, &options, &request));
    return request;
}

#endif
