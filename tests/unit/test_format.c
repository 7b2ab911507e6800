/* test_format.c - formats: what spellings stand for, what they print as, hostile text.
 *
 * How mistakes are reported is in tests/golden/notation/formats.txt.  The level types here are made
 * up, so that the test does not change when one is added.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/format/format.h"
#include "compiler/format/names.h"
#include "tests/support/rng.h"
#include "tests/unit/support.h"

static const struct level_type dense = {.name = "dense",
                                        .letter = 'd',
                                        .properties = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE
                                                      | LEVEL_COMPACT};
static const struct level_type compressed = {
    .name = "compressed",
    .letter = 's',
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT,
    .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
    .variant_letter = 'u',
    .variant_drops = LEVEL_UNIQUE,
    .array = {{"pos", LEVEL_POSITIONS, ""}, {"crd", LEVEL_COORDINATES, ""}}};
static const struct level_type singleton = {.name = "singleton",
                                            .letter = 'q',
                                            .properties = LEVEL_ORDERED | LEVEL_UNIQUE
                                                          | LEVEL_BRANCHLESS | LEVEL_COMPACT,
                                            .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
                                            .array = {{"crd", LEVEL_COORDINATES, ""}}};
static const struct level_type range = {.name = "range",
                                        .properties = LEVEL_ORDERED | LEVEL_UNIQUE};
static const struct level_type *const levels[] = {&dense, &compressed, &singleton, &range, NULL};
static const struct format_defaults defaults = {TYPE_I32, TYPE_I32};

static const struct format *parsed(struct context *cx, const char *spelling, int order)
{
    const struct format *format = format_parse(cx, "A", spelling, order, defaults);
    if (!format)
        fail_msg("%s is refused:\n%s", spelling, diag_render(cx));
    return format;
}

static const char *printed(struct context *cx, const struct format *format)
{
    struct text out = text_new(cx->arena);
    format_print(&out, format, defaults);
    return out.at;
}

static void level_types_are_found(void **state)
{
    (void)state;
    unsigned drops;
    assert_ptr_equal(level_type_find(levels, "compressed", 10), &compressed);
    assert_ptr_equal(level_type_of_letter(levels, 's', NULL, &drops), &compressed);
    assert_int_equal(drops, 0);
    assert_ptr_equal(level_type_of_letter(levels, 'u', NULL, &drops), &compressed);
    assert_int_equal(drops, LEVEL_UNIQUE);
    assert_ptr_equal(level_type_find(levels, "range", 5), &range);
    assert_null(level_type_find(levels, "compresse", 9));
    /* range has no letter: that is not one */
    assert_null(level_type_of_letter(levels, '\0', NULL, &drops));
    assert_null(level_type_of_letter(NULL, 'd', NULL, &drops));
}

static void are_same(const char *a, const char *b, int order)
{
    IN_CONTEXT_WITH(cx, levels)
    {
        const struct format *one = parsed(cx, a, order), *other = parsed(cx, b, order);
        if (!format_equal(one, other))
            fail_msg("%s is %s, but %s is %s", a, printed(cx, one), b, printed(cx, other));
    }
}

static void three_spellings_mean_the_same(void **state)
{
    (void)state;
    static const struct {
        int order;
        const char *a, *b;
    } same[] = {
        {2, "csr", "ds"},
        {2, "csr", "(i,j) -> (i : dense, j : compressed)"},
        {2, "csc", "ds:1,0"},
        {2, "csc", "csr:1,0"},
        {2, "csc", "(r, c)->(c:dense,r:compressed)"},
        {2, "dcsr", "ss"},
        {2, "dcsc", "ss:1,0"},
        {2, "coo", "uq"},
        {2, "coo", "(i,j) -> (i : compressed(nonunique), j : singleton)"},
        {3, "coo",
         "(i,j,k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)"},
        {3, "coo", "uqq"},
        {4, "csf", "ssss"},
        {4, "csf:3,0,1,2", "ssss:3,0,1,2"},
        {1, "coo", "s"},
        {1, "sparse", "s"},
        {0, "dense", ""},
        {0, "dense", "() -> ()"},
        {2, "dense:1,0", "dd:1,0"},
        {3, "mode-generic", "uqd"},
        {2, "csr(unordered)", "(i,j) -> (i : dense, j : compressed(unordered))"},
        {2, "csc(unordered)", "(i,j) -> (j : dense, i : compressed(unordered))"},
        {2, "csr( nonordered ):1,0", "csc(unordered)"},
        {2, "csr(nonunique, unordered)", "(i,j) -> (i:dense, j:compressed(unordered, nonunique))"},
        {2, "dcsr(unordered)", "(i,j) -> (i:compressed(unordered), j:compressed(unordered))"},
        {2, "dcsr(nonunique)", "(i,j) -> (i : compressed, j : compressed(nonunique))"},
        {1, "coo(unordered)", "(i) -> (i : compressed(unordered))"},
        {2, "coo(unordered)",
         "(i,j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))"},
        {2, "coo(nonunique)", "(i,j) -> (i : compressed(nonunique), j : singleton(nonunique))"},
        {3, "csf(unordered)",
         "(i,j,k) -> (i:compressed(unordered), j:compressed(unordered), k:compressed(unordered))"},
        {2, "bcsr(2,4,unordered)",
         "(i,j) -> (i/2 : dense, j/4 : compressed(unordered), i%2 : dense, j%4 : dense)"},
        {2, "bcsr(4,8)", "(i,j) -> (i/4 : dense, j/8 : compressed, i%4 : dense, j%8 : dense)"},
        {2, "bcsr(4,8)",
         "(i,j)->(i floordiv 4 : dense, j floordiv 8 : compressed, i mod 4 : dense, j mod 8 : "
         "dense)"},
        {2, "bcsr(4,8):1,0", "(i,j) -> (j/4 : dense, i/8 : compressed, j%4 : dense, i%8 : dense)"},
        {2, "ds", "(i,j) -> (i : dense(unique, ordered), j : compressed(pos=i32, crd=i32))"},
        {2, " ds : 1 , 0 ", "ds:1,0"},
        {2, "(i,j) -> ((i) : dense, j+(2-1) : dense)", "(a,b) -> (a : dense, b+(2-1) : dense)"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        are_same(same[i].a, same[i].b, same[i].order);
}

static void formats_differ(void **state)
{
    (void)state;
    static const char *const different[] = {"ds",
                                            "sd",
                                            "ss",
                                            "dd",
                                            "ds:1,0",
                                            "us",
                                            "uq",
                                            "(i,j) -> (i : dense, j : compressed(pos=u8))",
                                            "(i,j) -> (i : dense, j : compressed(crd=u8))",
                                            "(i,j) -> (i : dense, j : compressed(unordered))",
                                            "(i,j) -> (i/4 : dense, j : compressed, i%4 : dense)",
                                            "(i,j) -> (i/8 : dense, j : compressed, i%8 : dense)",
                                            "(i,j) -> (j-i : dense, i : dense)",
                                            "(i,j) -> (i-j : dense, i : dense)",
                                            "(i,j) -> (j-i : dense, j : dense)"};
    enum { N = sizeof different / sizeof *different };
    IN_CONTEXT_WITH(cx, levels)
    {
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++)
                assert_int_equal(
                    format_equal(parsed(cx, different[i], 2), parsed(cx, different[k], 2)), i == k);
    }
}

static void questions(void **state)
{
    (void)state;
    IN_CONTEXT_WITH(cx, levels)
    {
        assert_true(format_is_plain(parsed(cx, "ds:1,0", 2)));
        assert_false(format_is_plain(parsed(cx, "bcsr(2,2)", 2)));
        assert_false(
            format_is_plain(parsed(cx, "(i,j) -> (i : dense, j : dense, i+j : dense)", 2)));
        assert_true(format_is_dense(parsed(cx, "dd:1,0", 2)));
        assert_false(format_is_dense(parsed(cx, "ds", 2)));
        assert_true(format_equal(format_dense(cx, 3, defaults), parsed(cx, "ddd", 3)));
        assert_true(format_is_dense(format_dense(cx, 0, defaults)));
        const struct format *csc = parsed(cx, "csc", 2);
        assert_int_equal(csc->level[0].mode, 1);
        assert_int_equal(csc->level[1].mode, 0);
        assert_string_equal(csc->spelling, "csc");
        assert_int_equal(parsed(cx, "bcsr(2,2)", 2)->level[0].mode, -1);
        struct format_defaults wide = {TYPE_I64, TYPE_U64};
        const struct format *csr = format_parse(cx, "A", "csr", 2, wide);
        assert_int_equal(csr->level[1].pos, TYPE_I64);
        assert_int_equal(csr->level[1].crd, TYPE_U64);
        assert_false(format_equal(csr, parsed(cx, "csr", 2)));
        assert_true(format_equal(format_dense(cx, 2, wide), format_dense(cx, 2, defaults)));
    }
}

/* In a list of coordinates every level but the last is not unique. */
static void lists_of_coordinates(void **state)
{
    (void)state;
    IN_CONTEXT_WITH(cx, levels)
    {
        const struct format *coo = parsed(cx, "uqqq", 4), *chain = parsed(cx, "sqqq", 4),
                            *inner = parsed(cx, "duqs", 4);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(level_has(&coo->level[k], LEVEL_UNIQUE), k == 3);
            assert_true(level_has(&chain->level[k], LEVEL_UNIQUE));
        }
        assert_true(level_has(&inner->level[2], LEVEL_UNIQUE));
        assert_string_equal(printed(cx, coo), "uqqq");
        assert_string_equal(printed(cx, inner), "duqs");
        /* with duplicates, said in full */
        const struct format *bag =
            parsed(cx, "(i,j) -> (i : compressed(nonunique), j : singleton(nonunique))", 2);
        assert_false(level_has(&bag->level[1], LEVEL_UNIQUE));
    }
}

/* With spcc's own level types. */
static void expands(const struct format_name *name, int order)
{
    const struct format_arguments arguments = {
        .parameter = {"4", "8"}, .parameters = 2, .modes = 1};
    IN_CONTEXT_WITH(cx, levels)
    {
        cx->levels = registry_levels;
        const struct format *format =
            parsed(cx, format_name_expand(cx->arena, name, order, &arguments), order);
        assert_int_equal(format->order, order);
        assert_true(format_equal(format, parsed(cx, printed(cx, format), order)));
    }
}

/* With spcc's own level types, too. */
static void names_and_letters(void **state)
{
    (void)state;
    static const struct {
        int order;
        const char *a, *b;
    } same[] = {
        {2, "ell", "dc"},
        {2, "ell:1,0", "(i,j) -> (j : dense, i : padded)"},
        {3, "coo", "ucq"},
        {3, "dok", "hhh"},
        {1, "hash", "dok"},
        {1, "bitmap", "b"},
        {3, "bitmap:2,0,1", "ddb:2,0,1"},
        {2, "mode-generic", "sd"},
        {3, "mode-generic", "uqd"},
        {4, "mode-generic",
         "(i,j,k,l) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton, l : "
         "dense)"},
        {2, "dia", "(i,j) -> (j-i : compressed, i : range, j : offset)"},
        {2, "dia:1,0", "(i,j) -> (i-j : compressed, j : range, i : offset)"},
        {2, "bcsc(2,3)", "(i,j) -> (j/3 : dense, i/2 : compressed, i%2 : dense, j%3 : dense)"},
        {2, "csb(8)",
         "(i,j) -> (i/8 : dense, j/8 : dense, i%8 : compressed(nonunique), j%8 : singleton)"},
        {2, "fibers", "ss"},
        {4, "fibers", "uqqs"},
        {3, "scoo(2)", "uqd"},
        {3, "scoo(0)", "(i,j,k) -> (j : compressed(nonunique), k : singleton, i : dense)"},
        {3, "scoo(2,0)", "sdd:1,0,2"},
        {3, "scoo(2):2,1,0", "uqd:2,1,0"},
        {1, "hicoo(256)",
         "(i) -> (i/256 : compressed(pos=u64), i%256 : compressed(pos=u64, crd=u8))"},
        {2, "hicoo(2)",
         "(i,j) -> (i/2 : compressed(nonunique, morton, pos=u64), j/2 : singleton, "
         "i%2 : compressed(nonunique, pos=u64, crd=u8), j%2 : singleton(crd=u8))"},
        {2, "hicoo(2, lexicographic)",
         "(i,j) -> (i/2 : compressed(nonunique, pos=u64), j/2 : singleton, "
         "i%2 : compressed(nonunique, pos=u64, crd=u8), j%2 : singleton(crd=u8))"},
        {2, "(i,j) -> (i : compressed(morton, nonunique, crd=u8), j : singleton)",
         "(i,j) -> (i : compressed(nonunique, unordered, morton, crd=u8), j : singleton)"},
        {2, "(i,j) -> (i : compressed(nonunique, morton, ordered), j : singleton)", "coo"},
        {1, "hicoo(2)", "hicoo(2, lexicographic)"},
        {3, "ghicoo(4; 0,1,2)", "hicoo(4)"},
        {3, "ghicoo( 2 ; 1 , 2 )",
         "(i,j,k) -> (j/2 : compressed(nonunique, morton, pos=u64), k/2 : singleton, "
         "j%2 : compressed(nonunique, pos=u64, crd=u8), k%2 : singleton(nonunique, crd=u8), "
         "i : singleton)"},
        {3, "ghicoo(2; 1)",
         "(i,j,k) -> (j/2 : compressed(pos=u64), j%2 : compressed(nonunique, pos=u64, crd=u8), "
         "i : singleton, k : singleton)"},
        {3, "shicoo(2; 0)",
         "(i,j,k) -> (j/2 : compressed(nonunique, morton, pos=u64), k/2 : singleton, "
         "j%2 : compressed(nonunique, pos=u64, crd=u8), k%2 : singleton(crd=u8), i : dense)"},
        {2, "sell(4)", "(i,j) -> (i/4 : dense, i%4 : ragged, j : singleton(padded))"},
        {2, "(i,j) -> (i : ragged(pos=u8), j : singleton(padded, crd=u16, unordered))",
         "(a,b) -> (a : ragged(pos=u8), b : singleton(unordered, padded, crd=u16))"},
        {2, "(i,j) -> (i : bytemap(unordered, pos=u64, crd=u16), j : hashed(pos=i32))",
         "(a,b) -> (a : bytemap(crd=u16, pos=u64, unordered), b : hashed)"},
    };
    IN_CONTEXT_WITH(cx, levels)
    {
        cx->levels = registry_levels;
        for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
            const struct format *one = parsed(cx, same[i].a, same[i].order),
                                *other = parsed(cx, same[i].b, same[i].order);
            if (!format_equal(one, other))
                fail_msg("%s is %s, but %s is %s", same[i].a, printed(cx, one), same[i].b,
                         printed(cx, other));
            assert_true(format_equal(one, parsed(cx, printed(cx, one), same[i].order)));
        }
        assert_string_equal(printed(cx, parsed(cx, "hcb", 3)), "hcb");
        /* letters that spell a name are not written as such */
        const struct format *csb =
            parsed(cx, "(i,j,k) -> (i : singleton(nonunique), j : compressed, k : bitmap)", 3);
        assert_string_equal(printed(cx, csb),
                            "(i,j,k) -> (i : singleton(nonunique), j : compressed, k : bitmap)");
        assert_false(format_is_dense(parsed(cx, "bitmap", 2)));
        assert_false(format_is_plain(parsed(cx, "dia", 2)));
    }
}

static void names_expand_for_their_orders(void **state)
{
    (void)state;
    for (int n = 0; n < format_names_count; n++)
        for (int order = format_names[n].order_min; order <= format_names[n].order_max; order += 5)
            expands(&format_names[n], order);
}

/* ---- printing ---- */

/* ", map : type", with the mode's name for each @ in the map. */
static void add_random_level(struct text *out, struct rng *rng, const char *map, const char *mode)
{
    static const char *const types[] = {"dense",
                                        "compressed",
                                        "singleton",
                                        "range",
                                        "compressed(nonunique)",
                                        "compressed(unordered, pos=u8)",
                                        "compressed(crd=u16)",
                                        "singleton(nonunique, crd=i64)",
                                        "singleton(unordered)"};
    for (const char *s = map; *s; s++)
        if (*s == '@')
            text_add(out, mode);
        else
            text_addn(out, s, 1);
    text_printf(out, " : %s", types[rng_below(rng, 9)]);
}

static const char *random_format(struct context *cx, struct rng *rng, int order)
{
    /* Of one mode each, from which it follows. */
    static const char *const maps[][4] = {{"@"},
                                          {"@/4", "@%4"},
                                          {"@%3", "@/3"},
                                          {"(@+1)/2", "(@+1)%2"},
                                          {"7-@"},
                                          {"1-(2-@)"},
                                          {"@-2+1"},
                                          {"@/4", "(@/2)%2", "@%2"},
                                          {"@/4", "@%4/2", "@%4%2"}};
    struct text out = text_new(cx->arena);
    int modes[8];
    bool computed = rng_percent(rng, 30);
    for (int m = 0; m < order; m++) {
        int other = rng_below(rng, m + 1);
        modes[m] = modes[other];
        modes[other] = m;
    }
    text_add(&out, "(");
    for (int m = 0; m < order; m++)
        text_printf(&out, "%sm%d", m ? "," : "", m);
    text_add(&out, ") -> (");
    for (int k = 0; k < order; k++) {
        char name[8];
        const char *const *map = maps[computed ? rng_below(rng, 9) : 0];
        snprintf(name, sizeof name, "m%d", modes[k]);
        for (int part = 0; part < 4 && map[part]; part++) {
            text_add(&out, k || part ? ", " : "");
            add_random_level(&out, rng, map[part], name);
        }
    }
    text_add(&out, ")");
    return out.at;
}

/* Counts those that print as letters. */
static void prints_and_parses(struct rng *rng, int *letters)
{
    IN_CONTEXT_WITH(cx, levels)
    {
        int order = rng_below(rng, 6);
        const struct format *format = parsed(cx, random_format(cx, rng, order), order);
        const char *text = printed(cx, format);
        *letters += *text != '(';
        if (!format_equal(format, parsed(cx, text, order)))
            fail_msg("%s reads back as %s", text, printed(cx, parsed(cx, text, order)));
    }
}

static void formats_print_and_parse(void **state)
{
    (void)state;
    struct rng rng = {7};
    int letters = 0;
    for (int n = 0; n < 20000; n++)
        prints_and_parses(&rng, &letters);
    assert_true(letters > 1000);
    IN_CONTEXT_WITH(cx, levels)
    {
        const struct format *large = parsed(cx, "sparse", 32);
        assert_true(format_equal(large, parsed(cx, printed(cx, large), 32)));
        const struct format *wide =
            format_parse(cx, "A", "csf", 20, (struct format_defaults){TYPE_U8, TYPE_U8});
        assert_true(format_equal(wide, parsed(cx, printed(cx, wide), 20)));
    }
}

/* ---- hostile text ---- */

static void is_refused(const char *head, const char *piece, int times)
{
    IN_CONTEXT_WITH(cx, levels)
    {
        struct text text = text_new(cx->arena);
        text_add(&text, head);
        for (int n = 0; n < times; n++)
            text_add(&text, piece);
        assert_null(format_parse(cx, "A", text.at, 2, defaults));
        assert_int_equal(cx->diags.n, 1);
    }
}

static void hostile_text_is_refused(void **state)
{
    (void)state;
    static const char *const heads[] = {"", "(i,j) -> (", "(i,j) -> (i : compressed(", "ds:"};
    static const char *const pieces[] = {"(",          "(i,j) -> (",  "i+",    "i/2", "(i",
                                         "d",          "ds",          ":",     ",",   "1",
                                         "-",          "csr(",        "\xff",  "->",  "99999999999",
                                         "i : dense,", "compressed(", "mode-", " "};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        for (size_t head = 0; head < sizeof heads / sizeof *heads; head++)
            is_refused(heads[head], pieces[i], 20000);
}

static void survives(const char *text, int order)
{
    IN_CONTEXT_WITH(cx, levels)
    {
        const struct format *format = format_parse(cx, "A", text, order, defaults);
        assert_int_equal(format == NULL, cx->diags.n > 0);
        diag_render(cx);
    }
}

static void random_text_is_survived(void **state)
{
    (void)state;
    static const char *const pieces[] = {"(",   ")",    "(i,j)", "->",         "i",         "j",
                                         ":",   ",",    "dense", "compressed", "d",         "s",
                                         "q",   "/",    "%",     "+",          "-",         "4",
                                         "0",   "pos=", "crd=",  "u8",         "nonunique", "csr",
                                         "coo", " ",    "\x80",  "32"};
    struct rng rng = {11};
    for (int n = 0; n < 30000; n++) {
        char text[256] = "";
        strcat(text, rng_percent(&rng, 50) ? "(i,j) -> (" : "");
        for (int length = rng_below(&rng, 16); length > 0; length--)
            strcat(text, pieces[rng_below(&rng, (int)(sizeof pieces / sizeof *pieces))]);
        survives(text, rng_below(&rng, 4));
    }
}

static void read_and_print(struct context *cx)
{
    printed(cx, format_parse(cx, "A", "bcsr(4,4):1,0", 2, defaults));
    format_parse(cx, "A", "dxs", 3, defaults);
}

static void running_out_of_memory_unwinds(void **state)
{
    (void)state;
    assert_true(run_out_of_memory(levels, read_and_print) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_types_are_found),
        cmocka_unit_test(three_spellings_mean_the_same),
        cmocka_unit_test(formats_differ),
        cmocka_unit_test(questions),
        cmocka_unit_test(lists_of_coordinates),
        cmocka_unit_test(names_and_letters),
        cmocka_unit_test(names_expand_for_their_orders),
        cmocka_unit_test(formats_print_and_parse),
        cmocka_unit_test(hostile_text_is_refused),
        cmocka_unit_test(random_text_is_survived),
        cmocka_unit_test(running_out_of_memory_unwinds),
    };
    return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
