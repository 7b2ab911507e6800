/* test_printable.c - what of a text may be shown on a terminal.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/printable.h"
#include "tests/unit/support.h"

static void assert_shown(const char *text, bool lines, const char *expected)
{
    char shown[64];
    assert_int_equal(printable(shown, sizeof shown, text, lines), strlen(expected));
    assert_string_equal(shown, expected);
}

static void test_texts(void **state)
{
    (void)state;
    assert_shown("", false, "");
    assert_shown("y(i) = A(i,j)", false, "y(i) = A(i,j)");
    const char *good = "gr\xc3\xbc\xc3\x9f, \xe2\x82\xac, \xf0\x9f\x98\x80";
    assert_shown(good, false, good);
    assert_shown("\x1b[31m\a\x7f", false, "\\x1b[31m\\x07\\x7f");
    assert_shown("a\n\tb", false, "a\\x0a\\x09b");
    assert_shown("a\n\tb\r", true, "a\n\tb\\x0d");
    assert_shown("\xe2\x80\xae"
                 "abc\xe2\x80\xac",
                 false, "\\u202eabc\\u202c");
    assert_shown("\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c", false, "\\u2066\\u2069\\u061c");
    assert_shown("\xc2\x9b"
                 "31m",
                 false, "\\u009b31m");
}

/* Bytes that are no UTF-8: alone, overlong, a surrogate, too large, cut off. */
static void test_no_utf8(void **state)
{
    (void)state;
    assert_shown("\x9b", false, "\\x9b");
    assert_shown("\xc0\x9b", false, "\\xc0\\x9b");
    assert_shown("\xe0\x80\x9b", false, "\\xe0\\x80\\x9b");
    assert_shown("\xed\xa0\x80", false, "\\xed\\xa0\\x80");
    assert_shown("\xf4\x90\x80\x80", false, "\\xf4\\x90\\x80\\x80");
    assert_shown("a\xe2\x82", false, "a\\xe2\\x82");
}

static void test_cut(void **state)
{
    (void)state;
    char shown[6];
    assert_int_equal(printable(shown, sizeof shown,
                               "ab\x1b"
                               "c",
                               false),
                     7);
    assert_string_equal(shown, "ab");
    assert_int_equal(printable(NULL, 0, "ab\x1b", false), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_no_utf8),
                                       cmocka_unit_test(test_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
