/* test_parts.c - formats in parts: what a program reads that maps them to another library's.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/support.h"

static spcc_format *parsed(spcc_context *context, const char *text, int order)
{
    spcc_format *format;
    expect(context, SPCC_OK, spcc_format_parse(context, text, order, &format));
    return format;
}

static void csr(void **state)
{
    spcc_format *format = parsed(*state, "csr", 2);
    assert_int_equal(spcc_format_order(format), 2);
    assert_int_equal(spcc_format_levels(format), 2);
    assert_string_equal(spcc_format_text(format), "ds");
    const spcc_level *rows = spcc_format_level(format, 0), *columns = spcc_format_level(format, 1);
    assert_string_equal(rows->type, "dense");
    assert_int_equal(rows->properties,
                     SPCC_LEVEL_FULL | SPCC_LEVEL_ORDERED | SPCC_LEVEL_UNIQUE | SPCC_LEVEL_COMPACT);
    assert_int_equal(rows->mode, 0);
    assert_int_equal(rows->n_arrays, 0);
    assert_string_equal(columns->type, "compressed");
    assert_int_equal(columns->properties,
                     SPCC_LEVEL_ORDERED | SPCC_LEVEL_UNIQUE | SPCC_LEVEL_COMPACT);
    assert_int_equal(columns->mode, 1);
    assert_int_equal(columns->map->kind, SPCC_MAP_MODE);
    assert_int_equal(columns->map->mode, 1);
    assert_null(columns->map->left);
    assert_int_equal(columns->n_arrays, 2);
    assert_string_equal(columns->array_name[0], "pos");
    assert_string_equal(columns->array_name[1], "crd");
    assert_null(columns->array_name[2]);
    assert_int_equal(columns->array_type[0], SPCC_I32);
    spcc_format_free(format);
}

static void blocks_and_types(void **state)
{
    spcc_format *format =
        parsed(*state,
               "(i,j) -> (j/8 : dense, i/4 : compressed(unordered, pos=u64, crd=u16), i%4 : "
               "dense, j%8 : dense)",
               2);
    const spcc_level *blocks = spcc_format_level(format, 1), *inner = spcc_format_level(format, 3);
    assert_int_equal(blocks->mode, -1);
    assert_int_equal(blocks->properties & SPCC_LEVEL_ORDERED, 0);
    assert_int_equal(blocks->array_type[0], SPCC_U64);
    assert_int_equal(blocks->array_type[1], SPCC_U16);
    assert_int_equal(blocks->map->kind, SPCC_MAP_DIV);
    assert_int_equal(blocks->map->left->mode, 0);
    assert_int_equal(blocks->map->right->kind, SPCC_MAP_CONSTANT);
    assert_int_equal(blocks->map->right->constant, 4);
    assert_int_equal(blocks->map->right->mode, -1);
    assert_int_equal(inner->map->kind, SPCC_MAP_MOD);
    assert_int_equal(inner->map->left->mode, 1);
    assert_int_equal(inner->map->right->constant, 8);
    spcc_format_free(format);
}

static void differences_and_bounds(void **state)
{
    spcc_format *dia = parsed(*state, "dia", 2), *fibers = parsed(*state, "fibers(3)", 2);
    const spcc_map *map = spcc_format_level(dia, 0)->map;
    assert_int_equal(map->kind, SPCC_MAP_SUB);
    assert_int_equal(map->left->mode, 1);
    assert_int_equal(map->right->mode, 0);
    assert_string_equal(spcc_format_level(dia, 2)->type, "offset");
    assert_int_equal(spcc_format_level(fibers, 1)->most, 3);
    assert_int_equal(spcc_format_level(fibers, 0)->most, 0);
    assert_int_equal(spcc_format_level(fibers, 0)->properties & SPCC_LEVEL_UNIQUE, 0);
    spcc_format_free(dia);
    spcc_format_free(fibers);
}

static void other_level_types(void **state)
{
    spcc_format *sum = parsed(*state, "(i,j) -> (i+1 : dense, j : singleton(nonunique))", 2);
    spcc_format *morton = parsed(*state, "hicoo(4)", 2);
    spcc_format *bytes = parsed(*state, "(i) -> (i : bytemap)", 1);
    assert_int_equal(spcc_format_level(sum, 0)->map->kind, SPCC_MAP_ADD);
    assert_true(spcc_format_level(sum, 1)->properties & SPCC_LEVEL_BRANCHLESS);
    assert_true(spcc_format_level(morton, 0)->properties & SPCC_LEVEL_MORTON);
    assert_int_equal(spcc_format_level(bytes, 0)->n_arrays, 3);
    assert_int_equal(spcc_format_level(bytes, 0)->array_type[1], SPCC_BOOL);
    spcc_format_free(sum);
    spcc_format_free(morton);
    spcc_format_free(bytes);
}

static void scalars_and_nothing(void **state)
{
    spcc_format *scalar = parsed(*state, NULL, 0);
    assert_int_equal(spcc_format_levels(scalar), 0);
    assert_null(spcc_format_level(scalar, 0));
    assert_null(spcc_format_level(scalar, -1));
    assert_null(spcc_format_level(NULL, 0));
    assert_null(spcc_format_text(NULL));
    assert_int_equal(spcc_format_levels(NULL) + spcc_format_order(NULL), 0);
    spcc_format_free(scalar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(csr),
        TEST(blocks_and_types),
        TEST(differences_and_bounds),
        TEST(other_level_types),
        TEST(scalars_and_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
