/* test_files.c - tensors read from files and written into them, and what is said of files that are
 * wrong.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <unistd.h>

#include "tests/api/support.h"

struct place {
    spcc_context *context;
    char folder[64], path[128];
};

static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    place->context = open_context(SPCC_ENGINE_INTERP);
    strcpy(place->folder, "/tmp/spcc-api-XXXXXX");
    *state = place;
    return mkdtemp(place->folder) ? 0 : 1;
}

static int teardown(void **state)
{
    struct place *place = *state;
    /* the tests remove their files, and nothing else is left behind */
    int left = rmdir(place->folder);
    spcc_context_free(place->context);
    free(place);
    return left;
}

static const char *path_of(struct place *place, const char *name)
{
    snprintf(place->path, sizeof place->path, "%s/%s", place->folder, name);
    return place->path;
}

static const char *write_text(struct place *place, const char *name, const char *text)
{
    FILE *file = fopen(path_of(place, name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return place->path;
}

static void there_and_back(void **state)
{
    static const char *const names[] = {"a.mtx", "a.tns", "a.mtx.gz", "a.tns.gz"};
    struct place *place = *state;
    spcc_read_options options = {.size = sizeof options, .order = 2, .dimensions = sample_size};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        spcc_tensor *A = sample(place->context, "csc"), *B;
        const char *path = path_of(place, names[n]);
        expect(place->context, SPCC_OK, spcc_tensor_write(place->context, A, path));
        expect(place->context, SPCC_OK,
               spcc_tensor_read(place->context, path, "csc", SPCC_F64, &options, &B));
        assert_int_equal(spcc_tensor_stored(B), 3);
        assert_int_equal(spcc_tensor_dimension(B, 1), 4);
        assert_true(spcc_tensor_get_info(B)->read_ms > 0 && spcc_tensor_get_info(B)->pack_ms > 0);
        for (int k = 0; k < 2; k++)
            assert_memory_equal(spcc_tensor_array(A, 1, k).at, spcc_tensor_array(B, 1, k).at,
                                (size_t)spcc_tensor_array(A, 1, k).length * sizeof(int32_t));
        assert_memory_equal(spcc_tensor_values(A), spcc_tensor_values(B), 3 * sizeof(double));
        assert_int_equal(unlink(path), 0);
        spcc_tensor_free(A);
        spcc_tensor_free(B);
    }
}

static void order_and_sizes_from_the_file(void **state)
{
    struct place *place = *state;
    const char *path = write_text(place, "t.tns", "1 2 3 4.5\n2 1 1 1\n");
    spcc_tensor *T;
    expect(place->context, SPCC_OK,
           spcc_tensor_read(place->context, path, "csf", SPCC_F32, NULL, &T));
    assert_int_equal(spcc_tensor_order(T), 3);
    assert_int_equal(spcc_tensor_dimension(T, 0), 2);
    assert_int_equal(spcc_tensor_dimension(T, 1), 2);
    assert_int_equal(spcc_tensor_dimension(T, 2), 3);
    assert_true(((const float *)spcc_tensor_values(T))[0] == 4.5f);
    spcc_tensor_free(T);
    unlink(path);
}

static void sizes_in_part(void **state)
{
    static const int64_t some[] = {-1, 10, -1};
    struct place *place = *state;
    const char *path = write_text(place, "t.tns", "1 2 3 4.5\n2 1 1 1\n");
    spcc_read_options options = {.size = sizeof options, .order = 3, .dimensions = some};
    spcc_tensor *T;
    expect(place->context, SPCC_OK,
           spcc_tensor_read(place->context, path, "csf", SPCC_F64, &options, &T));
    assert_int_equal(spcc_tensor_dimension(T, 1), 10);
    assert_int_equal(spcc_tensor_dimension(T, 2), 3);
    spcc_tensor_free(T);
    unlink(path);
}

static void scalars(void **state)
{
    struct place *place = *state;
    spcc_read_options options = {.size = sizeof options, .fill = "3", .scalar = true};
    const char *path = write_text(place, "s.tns", "# none\n");
    spcc_tensor *s;
    expect(place->context, SPCC_OK,
           spcc_tensor_read(place->context, path, NULL, SPCC_F64, &options, &s));
    assert_int_equal(spcc_tensor_order(s), 0);
    assert_true(*(const double *)spcc_tensor_values(s) == 3);
    spcc_tensor_free(s);
    path = write_text(place, "s.tns", "2 -1\n");
    expect(place->context, SPCC_OK,
           spcc_tensor_read(place->context, path, NULL, SPCC_C128, &options, &s));
    const double *parts = spcc_tensor_values(s);
    assert_true(parts[0] == 2 && parts[1] == -1);
    spcc_tensor_free(s);
    expect(place->context, SPCC_ERROR_FILE,
           spcc_tensor_read(place->context, path, NULL, SPCC_F64, &options, &s));
    options.order = 1;
    expect(place->context, SPCC_ERROR_ARGUMENT,
           spcc_tensor_read(place->context, path, NULL, SPCC_F64, &options, &s));
    unlink(path);
    options.order = 0;
    path = write_text(place, "s.mtx", "%%MatrixMarket matrix array real general\n1 1\n7\n");
    expect(place->context, SPCC_OK,
           spcc_tensor_read(place->context, path, NULL, SPCC_F64, &options, &s));
    assert_int_equal(spcc_tensor_order(s), 0);
    assert_true(*(const double *)spcc_tensor_values(s) == 7);
    spcc_tensor_free(s);
    unlink(path);
}

static void missing_file(void **state)
{
    struct place *place = *state;
    const char *path = path_of(place, "nothing.mtx");
    spcc_tensor *A;
    expect(place->context, SPCC_ERROR_FILE,
           spcc_tensor_read(place->context, path, "csr", SPCC_F64, NULL, &A));
    assert_null(A);
    expect_message(place->context, path);
    const spcc_diagnostic *d = spcc_diagnostic_get(place->context, 0);
    assert_int_equal(d->code, 601);
    assert_int_equal(d->status, SPCC_ERROR_FILE);
    assert_string_equal(d->source, path);
    assert_int_equal(d->line, 0);
}

/* The line and the column are told in parts as well. */
static void place_in_the_file(void **state)
{
    struct place *place = *state;
    const char *path =
        write_text(place, "bad.mtx",
                   "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 5.0\n3 9 1.0\n");
    spcc_tensor *A;
    expect(place->context, SPCC_ERROR_FILE,
           spcc_tensor_read(place->context, path, "csr", SPCC_F64, NULL, &A));
    const spcc_diagnostic *d = spcc_diagnostic_get(place->context, 0);
    assert_string_equal(d->source, path);
    assert_int_equal(d->line, 4);
    assert_int_equal(d->column, 3);
    assert_null(strstr(d->message, path));
    expect_message(place->context, ":4:3:");
    unlink(path);
}

static void wrong_order_and_sizes(void **state)
{
    static const int64_t other[] = {3, 5};
    struct place *place = *state;
    const char *path = write_text(
        place, "a.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 1\n1 2 5.0\n");
    spcc_read_options options = {.size = sizeof options, .order = 3};
    spcc_tensor *A;
    expect(place->context, SPCC_ERROR_FILE,
           spcc_tensor_read(place->context, path, "csf", SPCC_F64, &options, &A));
    options = (spcc_read_options){.size = sizeof options, .order = 2, .dimensions = other};
    expect(place->context, SPCC_ERROR_FILE,
           spcc_tensor_read(place->context, path, "csr", SPCC_F64, &options, &A));
    expect_message(place->context, "5");
    options = (spcc_read_options){.size = sizeof options, .dimensions = other};
    expect(place->context, SPCC_ERROR_ARGUMENT,
           spcc_tensor_read(place->context, path, "csr", SPCC_F64, &options, &A));
    expect(place->context, SPCC_ERROR_FORMAT,
           spcc_tensor_read(place->context, path, "csx", SPCC_F64, NULL, &A));
    unlink(path);
}

static void zeros_that_are_stored(void **state)
{
    struct place *place = *state;
    const double values[] = {1, 0, 7};
    const char *path = path_of(place, "z.mtx");
    for (int dropped = 0; dropped < 2; dropped++) {
        spcc_write_options options = {.size = sizeof options, .drop_zeros = dropped};
        spcc_tensor *A, *B;
        expect(place->context, SPCC_OK,
               spcc_tensor_from_coords(place->context, "csr", SPCC_F64, 2, sample_size, 3,
                                       sample_coordinates, values, NULL, &A));
        expect(place->context, SPCC_OK, spcc_tensor_write_with(place->context, A, path, &options));
        expect(place->context, SPCC_OK,
               spcc_tensor_read(place->context, path, "csr", SPCC_F64, NULL, &B));
        assert_int_equal(spcc_tensor_stored(B), 3 - dropped);
        assert_int_equal(unlink(path), 0);
        spcc_tensor_free(A);
        spcc_tensor_free(B);
    }
}

/* An array's components are what they are, also in a format that leaves out what is the fill. */
static void zeros_of_arrays(void **state)
{
    struct place *place = *state;
    static const char text[] = "%%MatrixMarket matrix array real general\n2 2\n-0.0\n0\n3\n-0\n";
    const char *path = path_of(place, "z.mtx"), *formats[] = {NULL, "dense:1,0", "csr"};
    expect(place->context, SPCC_OK, spcc_text_write(place->context, text, path, NULL));
    for (int f = 0; f < 3; f++) {
        spcc_read_options options = {.size = sizeof options, .order = 2};
        spcc_tensor *A;
        expect(place->context, SPCC_OK,
               spcc_tensor_read(place->context, path, formats[f], SPCC_F64, &options, &A));
        const double *values = spcc_tensor_values(A);
        assert_int_equal(spcc_tensor_stored(A), f < 2 ? 4 : 3);
        assert_true(signbit(values[0]) && signbit(values[f < 2 ? 3 : 2]));
        spcc_tensor_free(A);
    }
    assert_int_equal(unlink(path), 0);
}

static void where_nothing_can_be_written(void **state)
{
    struct place *place = *state;
    spcc_tensor *A = sample(place->context, "csr");
    spcc_status status = spcc_tensor_write(place->context, A, "/nowhere/at/all.mtx");
    assert_true(status == SPCC_ERROR_FILE || status == SPCC_ERROR_SYSTEM);
    expect_message(place->context, "/nowhere/at/all.mtx");
    expect(place->context, SPCC_ERROR_FILE,
           spcc_tensor_write(place->context, A, path_of(place, "a.xyz")));
    expect(place->context, SPCC_ERROR_ARGUMENT, spcc_tensor_write(place->context, A, NULL));
    expect(place->context, SPCC_ERROR_ARGUMENT, spcc_tensor_write(place->context, NULL, "x.mtx"));
    spcc_tensor_free(A);
}

#define PLACE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(there_and_back),    PLACE_TEST(order_and_sizes_from_the_file),
        PLACE_TEST(sizes_in_part),     PLACE_TEST(missing_file),
        PLACE_TEST(place_in_the_file), PLACE_TEST(wrong_order_and_sizes),
        PLACE_TEST(scalars),           PLACE_TEST(zeros_that_are_stored),
        PLACE_TEST(zeros_of_arrays),   PLACE_TEST(where_nothing_can_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
