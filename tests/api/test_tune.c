/* test_tune.c - spcc_tune: plans tried on tensors, what is kept of them, and who finds it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/tuning.h"

static spcc_tuning *tune(spcc_context *context, const char *statement, const spcc_binding *bindings,
                         int n)
{
    spcc_tuning *tuning;
    spcc_tune_options how = {.size = sizeof how, .runs = 2, .plans = 4};
    expect(context, SPCC_OK, spcc_tune(context, statement, NULL, bindings, n, &how, &tuning));
    return tuning;
}

/* What explain says of the plan for the product's operands; to spcc_free. */
static char *explain(spcc_context *context, const struct product *p, bool untuned)
{
    char *text;
    spcc_declaration declarations[] = {{.name = "B", .tensor = p->tensor[2]},
                                       {.name = "C", .format = "csr"},
                                       {.name = "A", .tensor = p->tensor[1]}};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = 3,
                                    .plan_for_tensors = true,
                                    .untuned = untuned};
    expect(context, SPCC_OK, spcc_emit(context, spgemm, &options, SPCC_STAGE_EXPLAIN, &text));
    return text;
}

static void expect_tuned(spcc_context *context, const struct product *p, bool untuned,
                         bool is_tuned)
{
    char *text = explain(context, p, untuned);
    assert_int_equal(strstr(text, "\ntuned: ") != NULL, is_tuned);
    spcc_free(text);
}

/* ---- what it tells ---- */

static void test_plans(void **state)
{
    struct home *home = *state;
    spcc_context *context = home->context;
    struct product p = open_product(context, 60);
    spcc_tuning *tuning = tune(context, spgemm, p.binding, 3);
    int planned = 0;
    assert_true(tuning->n_plans > 1 && tuning->n_plans <= 4);
    assert_null(tuning->unkept);
    for (int i = 0; i < tuning->n_plans; i++) {
        const spcc_tuned_plan *plan = &tuning->plans[i];
        planned += plan->planned;
        assert_null(plan->trouble);
        assert_true(plan->steps > 0 && plan->ms > 0 && plan->runs >= 1 && plan->runs <= 2);
        assert_true(i == 0 || plan->ms >= tuning->plans[i - 1].ms);
        spcc_declaration csr[] = {{.name = "C", .format = "csr"},
                                  {.name = "A", .tensor = p.tensor[1]},
                                  {.name = "B", .tensor = p.tensor[2]}};
        spcc_compile_options options = {.size = sizeof options,
                                        .declarations = csr,
                                        .n_declarations = 3,
                                        .schedule = plan->schedule,
                                        .no_plan = true};
        spcc_kernel *kernel;
        expect(context, SPCC_OK, spcc_compile(context, spgemm, &options, &kernel));
        spcc_kernel_free(kernel);
    }
    assert_int_equal(planned, 1);
    assert_int_equal(spcc_tensor_dimension(p.tensor[0], 0), -1);
    spcc_tuning_free(tuning);
    spcc_tuning_free(NULL);
    close_product(&p);
}

static void test_number_of_plans(void **state)
{
    struct home *home = *state;
    struct product p = open_product(home->context, 20);
    spcc_tune_options how = {.size = sizeof how, .runs = 1, .plans = 2};
    spcc_tuning *tuning;
    expect(home->context, SPCC_OK,
           spcc_tune(home->context, spgemm, NULL, p.binding, 3, &how, &tuning));
    assert_int_equal(tuning->n_plans, 2);
    spcc_tuning_free(tuning);
    how.plans = 65;
    expect(home->context, SPCC_ERROR_ARGUMENT,
           spcc_tune(home->context, spgemm, NULL, p.binding, 3, &how, &tuning));
    assert_null(tuning);
    close_product(&p);
}

/* What a result held counts, and stays. */
static void test_compound(void **state)
{
    struct home *home = *state;
    spcc_context *context = home->context;
    spcc_tensor *y, *A = matrix(context, "csc", 30, "@sparse(0.2,3)"),
                    *S = matrix(context, "csr", 30, "@sparse(0.1,4)");
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, "@constant(2)", NULL, SPCC_F64, 1, (int64_t[]){30}, NULL,
                                &y));
    const spcc_binding dense[] = {{"y", y}, {"A", A}}, sparse[] = {{"S", S}, {"A", A}};
    int64_t stored = spcc_tensor_stored(S);
    spcc_tuning *tuning = tune(context, "y(i) += A(i,j)", dense, 2);
    assert_null(tuning->plans[0].trouble);
    spcc_tuning_free(tuning);
    for (int i = 0; i < 30; i++)
        assert_true(((const double *)spcc_tensor_values(y))[i] == 2);
    tuning = tune(context, "S(i,j) += A(i,j)", sparse, 2);
    for (int i = 0; i < tuning->n_plans; i++)
        assert_null(tuning->plans[i].trouble);
    spcc_tuning_free(tuning);
    assert_int_equal(spcc_tensor_stored(S), stored);
    spcc_tensor_free(y);
    spcc_tensor_free(A);
    spcc_tensor_free(S);
}

static void test_several(void **state)
{
    struct home *home = *state;
    spcc_context *context = home->context;
    spcc_tensor *A = matrix(context, "csr", 40, "@sparse(0.2,3)"), *y, *z, *x;
    expect(context, SPCC_OK, spcc_tensor_new(context, NULL, SPCC_F64, 1, NULL, NULL, &y));
    expect(context, SPCC_OK, spcc_tensor_new(context, NULL, SPCC_F64, 1, NULL, NULL, &z));
    expect(
        context, SPCC_OK,
        spcc_tensor_generate(context, "@random(1)", NULL, SPCC_F64, 1, (int64_t[]){40}, NULL, &x));
    const spcc_binding bindings[] = {{"x", x}, {"A", A}, {"z", z}, {"y", y}};
    spcc_tuning *tuning = tune(context, "y(i) = A(i,j) * x(j); z(j) = A(i,j) * x(i)", bindings, 4);
    assert_true(tuning->n_plans > 1);
    for (int i = 0; i < tuning->n_plans; i++)
        assert_null(tuning->plans[i].trouble);
    spcc_tuning_free(tuning);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_tensor_free(z);
}

/* ---- who finds the plan ---- */

static void test_found(void **state)
{
    struct home *home = *state;
    struct product p = open_product(home->context, 66), about = open_product(home->context, 67),
                   larger = open_product(home->context, 200);
    expect_tuned(home->context, &p, false, false);
    spcc_tuning_free(tune(home->context, spgemm, p.binding, 3));
    for (int round = 0; round < 2; round++) {
        expect_tuned(home->context, &p, false, true);
        expect_tuned(home->context, &p, true, false);
        expect_tuned(home->context, &about, false, true);
        expect_tuned(home->context, &larger, false, false);
        reopen(home, 1);
    }
    expect(home->context, SPCC_OK, spcc_eval(home->context, spgemm, p.binding, 3));
    reopen(home, 2); /* other plans are good for two threads */
    expect_tuned(home->context, &p, false, false);
    close_product(&p);
    close_product(&about);
    close_product(&larger);
}

/* What spcc_eval takes is the plan that was kept: here one that the planner would not take. */
struct keeping {
    const struct product *p;
    const char *directives;
};

static spcc_status keep(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct keeping *k = arguments;
    struct pipeline_request request = request_of(api, cx, spgemm, k->p);
    assert_null(tuned_keep(api, cx, tuned_key(api, cx, &request), k->directives, "by hand"));
    return SPCC_OK;
}

static void test_taken(void **state)
{
    struct home *home = *state;
    struct product p = open_product(home->context, 50);
    const char *other = "reorder(i, k, j); precompute(A(i,k) * B(k,j), w9, {j,j,jp}, hash); "
                        "precompute(w9(j), w10, {j,j,jp2}, coo)";
    assert_int_equal(api_call(home->context, keep, &(struct keeping){&p, other}), SPCC_OK);
    char *text = explain(home->context, &p, false);
    assert_non_null(strstr(text, "tuned: by hand\n"));
    assert_non_null(strstr(text, "w9(jp) += "));
    spcc_free(text);
    expect(home->context, SPCC_OK, spcc_eval(home->context, spgemm, p.binding, 3));
    assert_string_equal(spcc_message(home->context), "");
    close_product(&p);
}

/* Whatever is in the file, the planner's plan is there. */
static void test_damaged(void **state)
{
    static const char *const wrong[] = {"reorder(i, k, q)",
                                        "precompute(A(i,k), ",
                                        "unroll(j, 0)",
                                        "reorder(j, k, i)",
                                        "parallelize(k, cpu_thread, no_races)",
                                        "\x01\xff"};
    struct home *home = *state;
    struct product p = open_product(home->context, 50);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(api_call(home->context, keep, &(struct keeping){&p, wrong[i]}), SPCC_OK);
        expect_tuned(home->context, &p, false, false);
        expect_message(home->context, "cannot be applied, and is not used");
        reopen(home, 1);
        expect(home->context, SPCC_OK, spcc_eval(home->context, spgemm, p.binding, 3));
        expect_message(home->context, "cannot be applied, and is not used");
    }
    close_product(&p);
}

/* ---- what is refused ---- */

static void test_mistakes(void **state)
{
    struct home *home = *state;
    spcc_context *context = home->context;
    struct product p = open_product(context, 20);
    spcc_tuning *tuning = (spcc_tuning *)&p;
    spcc_compile_options unplanned = {.size = sizeof unplanned, .no_plan = true},
                         split = {.size = sizeof split, .kind = SPCC_SPLIT},
                         interpreted = {.size = sizeof interpreted, .engine = SPCC_ENGINE_INTERP};
    const spcc_binding twice[] = {{"C", p.tensor[0]}, {"A", p.tensor[1]}, {"A", p.tensor[2]}};
    expect(context, SPCC_ERROR_BINDING, spcc_tune(context, spgemm, NULL, twice, 3, NULL, &tuning));
    assert_null(tuning);
    expect(context, SPCC_ERROR_STATEMENT,
           spcc_tune(context, "C(i,j) = A(i,k) *", NULL, p.binding, 3, NULL, &tuning));
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_tune(context, spgemm, &unplanned, p.binding, 3, NULL, &tuning));
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_tune(context, spgemm, &split, p.binding, 3, NULL, &tuning));
    expect(context, SPCC_ERROR_COMPILER,
           spcc_tune(context, spgemm, &interpreted, p.binding, 3, NULL, &tuning));
    expect(context, SPCC_ERROR_ARGUMENT, spcc_tune(context, spgemm, NULL, NULL, 3, NULL, &tuning));
    assert_int_equal(spcc_tune(context, spgemm, NULL, p.binding, 3, NULL, NULL),
                     SPCC_ERROR_ARGUMENT);
    expect(context, SPCC_ERROR_BINDING,
           spcc_tune(context, "C(i,j) = A(i,j) + D(i,j)", NULL, p.binding, 2, NULL, &tuning));
    close_product(&p);
}

/* A context that keeps nothing on disk says so. */
static void test_unkept(void **state)
{
    (void)state;
    spcc_context *context = open_context(engine);
    struct product p = open_product(context, 20);
    spcc_tuning *tuning = tune(context, spgemm, p.binding, 3);
    assert_non_null(strstr(tuning->unkept, "there is no kernel cache"));
    spcc_tuning_free(tuning);
    close_product(&p);
    spcc_context_free(context);
}

int main(int argc, char **argv)
{
    engine = engine_of(argc, argv);
#define AT_HOME(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        AT_HOME(plans),   AT_HOME(number_of_plans), AT_HOME(compound),
        AT_HOME(several), AT_HOME(found),           AT_HOME(taken),
        AT_HOME(damaged), AT_HOME(mistakes),        AT_HOME(unkept)};
    return cmocka_run_group_tests_name("tune", tests, NULL, NULL);
}
