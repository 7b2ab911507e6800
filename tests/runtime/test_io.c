/* test_io.c - reading and writing files: what is in them, and what is wrong with them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/io/io.h"
#include "tests/runtime/shown.h"

/* ---- what files hold ---- */

enum { ANY = -1 };

struct good {
    const char *format, *text;
    enum type type;
    int order;
    const char *sizes, *entries;
};

#define REAL "%%MatrixMarket matrix coordinate real general\n"

#define TENSOR "%%MatrixMarket tensor coordinate real general\n"
#define RB_HEAD \
    "a title                                                                 key\n 3 1 1 1\n"

static const struct good goods[] = {
    {"ttx", TENSOR "% c\n3 4 5 2\n1 3 5 7\n3 1 2 -1e3\n", TYPE_F64, ANY, "3 4 5",
     "0,2,4:7 2,0,1:-1000"},
    {"ttx", TENSOR "6 1\n5 2\n", TYPE_F64, 1, "6", "4:2"},
    {"mtx", TENSOR "6 2 1\n5 1 2\n", TYPE_F64, 2, "6 2", "4,0:2"},
    {"ttx", REAL "6 1 1\n5 1 2\n", TYPE_F64, 1, "6", "4:2"},
    {"ttx", "%%MatrixMarket tensor array real general\n2 1 2\n1 2 3 4\n", TYPE_F64, ANY, "2 1 2",
     "0,0,0:1 1,0,0:2 0,0,1:3 1,0,1:4"},
    {"ttx", "%%MatrixMarket tensor coordinate integer symmetric\n2 2 1\n2 1 5\n", TYPE_COUNT, ANY,
     "2 2", "1,0:5 0,1:5"},
    {"rb",
     RB_HEAD "rua             3             4             4             0\n"
             "(4I3)           (4I3)           (1P,2D12.4)\n  1  1  3  4\n  5\n  1  3  2  3\n  "
             "1.0000D+00 -2.5000D+00\n"
             "  3.0000d+00  4.0000e+00\n",
     TYPE_F64, ANY, "3 4", "0,1:1 2,1:-2.5 1,2:3 2,3:4"},
    {"rb", RB_HEAD "RSA 2 2 2 0\n(10i1)(10i1)(2F4.1)\n133\n12\n 1.5-2.5", TYPE_F32, ANY, "2 2",
     "0,0:1.5 1,0:-2.5 0,1:-2.5"},
    {"rb", RB_HEAD "rza 2 2 1 0\n(9I2) (9I2) (4F6.1)\n 1 2 2\n 2\n   1.5\n", TYPE_F64, ANY, "2 2",
     "1,0:1.5 0,1:-1.5"},
    {"rb",
     RB_HEAD "rua 2 3 4 0\n(9I2) (9I2) (4E6.2)\n 1 2 4 5\n 1 1 2 1\n  1225   -50    25  75E3\n",
     TYPE_F64, ANY, "2 3",
     "0,0:12.25 0,1:-0.5 1,1:0.25 0,2:750"}, /* no point is before the last two digits */
    {"rb", RB_HEAD "cha 2 2 1 0\n(9I2) (9I2) (4E6.1)\n 1 2 2\n 2\n   1.5   2.5\n", TYPE_COUNT, ANY,
     "2 2", "1,0:(1.5,2.5) 0,1:(1.5,-2.5)"},
    {"rb", RB_HEAD "ira 1 3 2 0\n(9I2) (9I2) (4I3)\n 1 2 2 3\n 1 1\n  7 -3\n", TYPE_COUNT, 1, "3",
     "0:7 2:-3"},
    {"rb", RB_HEAD "pra 1 3 2 0\n(9I2) (9I2)\n 1 2 2 3\n 1 1\n", TYPE_U8, ANY, "1 3",
     "0,0:1 0,2:1"},
    {"rb", RB_HEAD "pra 0 0 0 0\n(9I2) (9I2)\n 1\n\n", TYPE_F64, ANY, "0 0", ""},
    {"rb", "t\n 4 1 1 1 1\nrua 1 1 1 0\n(9I2) (9I2) (4F6.1)\nF 1 0\n 1 2\n 1\n   1.5\n   9.0\n",
     TYPE_F64, ANY, "1 1", "0,0:1.5"},
    {"mtx", REAL "3 4 2\n1 3 5\n3 1 -7.5e0\n", TYPE_F64, ANY, "3 4", "0,2:5 2,0:-7.5"},
    {"mtx",
     "%%matrixmarket MATRIX Coordinate\tDouble GENERAL  \r\n% c\r\n\r\n%\r\n 3 4  2 \r\n\r\n1 3 "
     "5\r\n% c\r\n"
     "  3\t1 -7.5 \r\n",
     TYPE_F64, 2, "3 4", "0,2:5 2,0:-7.5"},
    {"mtx", REAL "3 4 2\n1 3 5\n3 1 1d2", TYPE_F64, ANY, "3 4", "0,2:5 2,0:100"},
    {"mtx", REAL "3 4 0\n", TYPE_F64, ANY, "3 4", ""},
    {"mtx", REAL "3 4 0", TYPE_F64, ANY, "3 4", ""},
    {"mtx", REAL "0 0 0\n", TYPE_F64, ANY, "0 0", ""},
    {"mtx", REAL "3 4 2\n1 3 5\n1 3 7\n", TYPE_F64, ANY, "3 4", "0,2:5 0,2:7"},
    {"mtx", REAL "3 4 1\n1 3 5.0\n", TYPE_I8, ANY, "3 4", "0,2:5"},
    {"mtx", REAL "3 4 1\n1 3 5.5\n", TYPE_COUNT, ANY, "3 4", "0,2:5.5"},
    {"mtx", REAL "3 4 1\n1 3 5.5\n", TYPE_C64, ANY, "3 4", "0,2:(5.5,0)"},
    {"mtx", REAL "3 4 1\n1 3 5.5\n", TYPE_BOOL, ANY, "3 4", "0,2:true"},
    {"mtx", "%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 3 9223372036854775807\n",
     TYPE_COUNT, ANY, "3 4", "0,2:9223372036854775807"},
    {"mtx", "%%MatrixMarket matrix coordinate pattern general\n3 4 2\n1 3\n2 1\n", TYPE_I16, ANY,
     "3 4", "0,2:1 1,0:1"},
    {"mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n3 1\n2 2\n", TYPE_C128, ANY,
     "3 3", "2,0:(1,0) 1,1:(1,0) 0,2:(1,0)"},
    {"mtx", "%%MatrixMarket matrix coordinate complex general\n3 4 1\n1 3 1 -2\n", TYPE_COUNT, ANY,
     "3 4", "0,2:(1,-2)"},
    {"mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 3 5\n2 2 1\n", TYPE_F64, ANY,
     "3 3", "0,2:5 1,1:1 2,0:5"},
    {"mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 5\n", TYPE_F32, ANY,
     "3 3", "2,0:5 0,2:-5"},
    {"mtx", "%%MatrixMarket matrix coordinate complex skew-symmetric\n3 3 1\n3 1 5 1\n", TYPE_C64,
     ANY, "3 3", "2,0:(5,1) 0,2:(-5,-1)"},
    {"mtx", "%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n3 1 5 1\n1 1 2 0\n",
     TYPE_C128, ANY, "3 3", "2,0:(5,1) 0,0:(2,0) 0,2:(5,-1)"},
    {"mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n", TYPE_F64, ANY,
     "2 3", "0,0:1 1,0:2 0,1:3 1,1:4 0,2:5 1,2:6"},
    {"mtx", "%%MatrixMarket matrix array integer general\n% c\n2 3\n1 2 3\n\n4 5\n6", TYPE_COUNT,
     ANY, "2 3", "0,0:1 1,0:2 0,1:3 1,1:4 0,2:5 1,2:6"},
    {"mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n", TYPE_F64, ANY, "2 2",
     "0,0:1 1,0:2 1,1:3 0,1:2"},
    {"mtx", "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", TYPE_I32, ANY, "3 3",
     "1,0:1 2,0:2 2,1:3 0,1:-1 0,2:-2 1,2:-3"},
    {"mtx", "%%MatrixMarket matrix array complex general\n2 1\n1 2\n3 4\n", TYPE_C64, ANY, "2 1",
     "0,0:(1,2) 1,0:(3,4)"},
    {"mtx", "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n3 4\n5 0\n", TYPE_C128, ANY,
     "2 2", "0,0:(1,0) 1,0:(3,4) 1,1:(5,0) 0,1:(3,-4)"},
    {"mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n", TYPE_F64, 1, "2", "0:1 1:2"},
    {"mtx", "%%MatrixMarket matrix array real general\n1 2\n1\n2\n", TYPE_F64, 1, "2", "0:1 1:2"},
    {"mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", TYPE_F64, 1, "1", "0:1"},
    {"mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", TYPE_F64, 0, "", ":1"},
    {"mtx", "%%MatrixMarket matrix array real general\n0 5\n", TYPE_F64, ANY, "0 5", ""},
    {"mtx", REAL "1 9 1\n1 7 3\n", TYPE_F64, 1, "9", "6:3"},
    {"tns", "1 1 2 0.5\n3 4 1 -1e3\n", TYPE_F64, ANY, "3 4 2", "0,0,1:0.5 2,3,0:-1000"},
    {"tns", "# comment\r\n\r\n  # more\r\n 3 4\t1 -1e3 \r\n\r\n1 1 2 0.5", TYPE_F64, 3, "3 4 2",
     "2,3,0:-1000 0,0,1:0.5"},
    {"tns", "5\n", TYPE_F64, ANY, "", ":5"},
    {"tns", "5\n6\n", TYPE_F64, 0, "", ":5 :6"},
    {"tns", "", TYPE_F64, 0, "", ""},
    {"tns", "2 1\n", TYPE_C128, 0, "", ":(2,1)"},
    {"tns", "# c\n\n", TYPE_C64, 0, "", ""},
    {"tns",
     "\xef\xbb\xbf"
     "1 3 5\n",
     TYPE_F64, ANY, "1 3", "0,2:5"},
    {"tns", "\xef\xbb\xbf", TYPE_F64, 0, "", ""},
    {"mtx", "\xef\xbb\xbf" REAL "3 4 1\n1 3 5\n", TYPE_F64, ANY, "3 4", "0,2:5"},
    {"tns", "2 1 2\n", TYPE_C128, 1, "2", "1:(1,2)"},
    {"tns", "1 3 5 # 7\n2 1 6\t#\n # 8\n3 1 7 ## 9", TYPE_F64, ANY, "3 3", "0,2:5 1,0:6 2,0:7"},
    {"tns", "2 1 2\n", TYPE_C128, 2, "2 1", "1,0:(2,0)"},
    {"tns", "7 nan\n3 -inf\n", TYPE_F32, ANY, "7", "6:nan 2:-inf"},
    {"tns", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 3\n", TYPE_U8, ANY,
     "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2",
     "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1:3"},
};

static void files_hold_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++) {
        const struct good *g = &goods[i];
        struct io_request request = {.type = g->type, .order = g->order, .format = g->format};
        struct coords coords;
        struct rt_error error;
        char text[1000] = "", sizes[200] = "";
        if (io_read_text("x", g->text, strlen(g->text), &request, &coords, &error) != RT_OK)
            fail_msg("%s\n%s", g->text, error.message);
        show(&coords, text, sizeof text);
        for (int m = 0; m < coords.order; m++)
            snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%s%lld", m ? " " : "",
                     (long long)coords.dimension[m]);
        assert_string_equal(text, g->entries);
        assert_string_equal(sizes, g->sizes);
        assert_int_equal(coords_check(&coords, 1, NULL, NULL), RT_OK);
        coords_free(&coords);
    }
}

/* ---- what is wrong with files ---- */

struct bad {
    const char *format, *text;
    enum type type;
    int order;
    const char *message;
    enum diag_code code;
};

static const struct bad bads[] = {
    {"mtx", "", TYPE_F64, ANY, "x:1:1: a Matrix Market file begins with %%MatrixMarket",
     DIAG_FILE_FORMAT},
    {"mtx", "hello\n", TYPE_F64, ANY, "x:1:1: a Matrix Market file begins with %%MatrixMarket",
     DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket\n", TYPE_F64, ANY, "x:1:15: expected 'matrix' or 'tensor'",
     DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket vector\n", TYPE_F64, ANY, "x:1:16: expected 'matrix' or 'tensor'",
     DIAG_FILE_FORMAT},
    {"ttx", TENSOR "3 4 5 1\n1 6 1 2\n", TYPE_F64, ANY,
     "x:3:3: the coordinate 6 is beyond the size 4 of mode 2", DIAG_FILE_FORMAT},
    {"ttx", TENSOR "3 4 5 1\n1 2 2\n", TYPE_F64, ANY,
     "x:3:6: the line ends where a value is expected", DIAG_FILE_FORMAT},
    {"ttx", TENSOR "1\n", TYPE_F64, ANY,
     "x:2:1: expected the sizes of the modes and the number of entries", DIAG_FILE_FORMAT},
    {"ttx", TENSOR "3 4 5 0\n", TYPE_F64, 2,
     "x:2:1: the file holds a tensor of order 3, and the tensor has the order 2", DIAG_ORDER},
    {"ttx", TENSOR "3 x 5 0\n", TYPE_F64, ANY, "x:2:3: expected the number of mode 2",
     DIAG_FILE_FORMAT},
    {"ttx", TENSOR "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0\n",
     TYPE_F64, ANY, "x:2:1: a tensor has at most 32 modes", DIAG_LIMIT},
    {"ttx", "%%MatrixMarket tensor coordinate real symmetric\n2 2 2 0\n", TYPE_F64, ANY,
     "x:2:1: a tensor with a symmetry is a matrix, and this one has 3 modes", DIAG_FILE_FORMAT},
    {"rb", "", TYPE_F64, ANY,
     "x:1:1: expected the numbers of lines, in the second line of a Rutherford-Boeing file",
     DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "rse 2 2 1 0\n(9I2) (9I2) (4E8.1)\n", TYPE_F64, ANY,
     "x:3:3: only assembled matrices, whose type ends in a, can be read", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "xsa 2 2 1 0\n", TYPE_F64, ANY,
     "x:3:1: expected a type of r, i, p or c; s, u, h, z or r; and a, as rsa", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "rha 2 2 1 0\n", TYPE_F64, ANY,
     "x:3:2: values of this field do not have this symmetry", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "rsa 2 3 1 0\n", TYPE_F64, ANY, "x:3:5: a matrix with a symmetry is square",
     DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "rua 2 2 9999999999 0\n", TYPE_F64, ANY,
     "x:3:5: the file is too short for so many columns and entries", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "pua 2 2 1 0\n(9I2) (9F2.1\n", TYPE_F64, ANY,

     "x:4:13: expected a Fortran format such as (4I3) or (1P,5E16.8)", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "pua 2 2 1 0\n(9I2) (9I2)\n 1 2 3\n 1\n", TYPE_F64, ANY,
     "x:5:6: a pointer is 3, not from 2 to 2", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "pua 2 2 1 0\n(9I2) (9I2)\n 1 1 1\n 1\n", TYPE_F64, ANY,
     "x:5:6: the last pointer is not the number of entries and 1", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "pua 2 2 1 0\n(9I2) (9I2)\n 1 2 2\n 3\n", TYPE_F64, ANY,
     "x:6:2: a row is 3, not from 1 to 2", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "pua 2 2 1 0\n(9I2) (9I2)\n 1 2 2\n", TYPE_F64, ANY,
     "x:6:1: expected a row, in 2 columns", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "rua 2 2 1 0\n(9I2) (9I2) (4F6.1)\n 1 2 2\n 1\n   1.5\n", TYPE_I8, ANY,
     "x:7:4: it is not an integer, and the values are i8", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "cua 2 2 1 0\n(9I2) (9I2) (4F6.1)\n 1 2 2\n 1\n   1.5   2.5\n", TYPE_F64, ANY,
     "x:3:1: the values are complex, and the tensor is f64", DIAG_FILE_FORMAT},
    {"rb", RB_HEAD "rza 2 2 1 0\n(9I2) (9I2) (4F6.1)\n 1 2 2\n 1\n   1.5\n", TYPE_F64, ANY,
     "x:6:2: a skew-symmetric matrix has no entries on the diagonal", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinates real general\n", TYPE_F64, ANY,
     "x:1:23: expected 'coordinate' or 'array'", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate float general\n", TYPE_F64, ANY,
     "x:1:34: expected 'real', 'integer', 'pattern' or 'complex'", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate real\n", TYPE_F64, ANY,
     "x:1:38: expected 'general', 'symmetric', 'skew-symmetric' or 'hermitian'", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate real general 3\n", TYPE_F64, ANY,
     "x:1:47: the first line goes on after the symmetry", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix array pattern general\n", TYPE_F64, ANY,
     "x:1:29: an array has values, so it cannot be a pattern", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate real hermitian\n", TYPE_F64, ANY,
     "x:1:39: values of this field do not have this symmetry", DIAG_FILE_FORMAT},
    {"mtx", REAL, TYPE_F64, ANY, "x:2:1: the file ends before the line with the sizes",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "% c\n\n", TYPE_F64, ANY, "x:4:1: the file ends before the line with the sizes",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4\n", TYPE_F64, ANY, "x:2:4: expected the number of entries", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1 7\n", TYPE_F64, ANY, "x:2:7: the line with the sizes goes on after them",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "-3 4 1\n", TYPE_F64, ANY, "x:2:1: expected the number of rows", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4.5 1\n", TYPE_F64, ANY, "x:2:3: expected the number of columns",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "99999999999999999999 4 1\n", TYPE_F64, ANY,
     "x:2:1: the number of rows does not fit 64 bits", DIAG_LIMIT},
    {"mtx", REAL "3 4 9223372036854775807\n", TYPE_F64, ANY,
     "x:3:1: the file ends after 0 of 9223372036854775807 entries", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 2\n1 3 5\n", TYPE_F64, ANY, "x:4:1: the file ends after 1 of 2 entries",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 5\n\n 2 1 7\n", TYPE_F64, ANY,
     "x:5:2: there are more than the 1 entries that the sizes say", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n4 3 5\n", TYPE_F64, ANY,
     "x:3:1: the coordinate 4 is beyond the size 3 of mode 1", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n+1 3 5\n", TYPE_F64, ANY,
     "x:3:1: the coordinate +1 is too large, or not written as digits only", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 5 5\n", TYPE_F64, ANY,
     "x:3:3: the coordinate 5 is beyond the size 4 of mode 2", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n0 3 5\n", TYPE_F64, ANY, "x:3:1: the coordinate 0 is below 1",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n-1 3 5\n", TYPE_F64, ANY, "x:3:1: the coordinate -1 is below 1",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1.5 3 5\n", TYPE_F64, ANY, "x:3:1: the coordinate 1.5 is not an integer",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 x 5\n", TYPE_F64, ANY, "x:3:3: 'x' is not a coordinate",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1x 3 5\n", TYPE_F64, ANY, "x:3:1: '1x' is not a coordinate",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1\n", TYPE_F64, ANY, "x:3:2: the line ends after 1 of 3 numbers",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 2\n1 1 1\n1 3", TYPE_F64, ANY,
     "x:4:4: the line ends where a value is expected", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 y\n", TYPE_F64, ANY, "x:3:5: 'y' is not a number", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 1,5\n", TYPE_F64, ANY, "x:3:5: '1,5' is not a number",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 \033[2J\n", TYPE_F64, ANY, "x:3:5: '?[2J' is not a number",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 5 6\n", TYPE_F64, ANY, "x:3:7: more than 3 numbers on the line",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 1e999\n", TYPE_F64, ANY, "x:3:5: 1e999 is out of the range of f64",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 1e99\n", TYPE_F32, ANY, "x:3:5: 1e99 is out of the range of f32",
     DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 2.5\n", TYPE_I32, ANY,
     "x:3:5: 2.5 is not an integer, and the values are i32", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 300\n", TYPE_U8, ANY, "x:3:5: 300 is out of the range of u8",
     DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 3 2.5\n", TYPE_F64, ANY,
     "x:3:5: 2.5 is not an integer, which the file says its values are", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate complex general\n3 4 1\n1 3 1 2\n", TYPE_F64, ANY,
     "x:1:34: the values are complex, and the tensor is f64", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate complex general\n3 4 1\n1 3 1\n", TYPE_C64, ANY,
     "x:3:6: the line ends where a value is expected", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 4 0\n", TYPE_F64, ANY,
     "x:2:1: a matrix with a symmetry is square, and this one has 3 rows and 4 columns",
     DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 3 1\n3 1 1\n", TYPE_F64, ANY,
     "x:4:1: entries on both sides of the diagonal, of which the file should have one",
     DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n", TYPE_F64, ANY,
     "x:3:1: a skew-symmetric matrix has no entries on the diagonal", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 1\n", TYPE_U8, ANY,
     "x:3:1: the entry's mirror image is negative, which u8 cannot be", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 -128\n", TYPE_I8,
     ANY, "x:3:1: the entry's mirror image is negative, which i8 cannot be", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", TYPE_F64, ANY,
     "x:6:1: the file ends after 3 of 4 numbers", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4 5\n", TYPE_F64, ANY,
     "x:6:3: there are more than the 4 numbers that the sizes say", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\nz\n4\n", TYPE_F64, ANY,
     "x:5:1: 'z' is not a number", DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix array real general\n9223372036854775807 2\n1\n", TYPE_F64, ANY,
     "x:2:1: the matrix has more components than 64 bits can count", DIAG_LIMIT},
    {"mtx", "%%MatrixMarket matrix array real general\n2 2 2\n1\n", TYPE_F64, ANY,
     "x:2:5: the line with the sizes goes on after them", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 0\n", TYPE_F64, 3,
     "x:2:1: the file holds a matrix of 3 x 4, and the tensor has the order 3", DIAG_ORDER},
    {"mtx", REAL "3 4 0\n", TYPE_F64, 1,
     "x:2:1: the file holds a matrix of 3 x 4, and the tensor has the order 1", DIAG_ORDER},
    {"mtx", REAL "3 1 0\n", TYPE_F64, 0,
     "x:2:1: the file holds a matrix of 3 x 1, and the tensor has the order 0", DIAG_ORDER},
    {"mtx", "%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n2 1 1 5\n2 2 1 1\n",
     TYPE_C64, ANY, "x:4:1: the values on the diagonal of a hermitian matrix are real",
     DIAG_FILE_FORMAT},
    {"mtx", "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 1\n3 -3\n", TYPE_C128, ANY,
     "x:5:1: the values on the diagonal of a hermitian matrix are real", DIAG_FILE_FORMAT},
    {"mtx", REAL "3 4 1\n1 3 5 % c\n", TYPE_F64, ANY, "x:3:7: more than 3 numbers on the line",
     DIAG_FILE_FORMAT},
    {"tns", "2 1\n", TYPE_F64, 0,
     "x:1:1: a line has 2 numbers, but the tensor has the order 0, so 1 is expected", DIAG_ORDER},
    {"tns", "1 # 2\n", TYPE_F64, 1,
     "x:1:1: a line has 1 number, but the tensor has the order 1, so 2 are expected", DIAG_ORDER},
    {"tns", "1 5#\n", TYPE_F64, 1, "x:1:3: '5#' is not a number", DIAG_FILE_FORMAT},
    {"tns", "1 1 1\n", TYPE_F64, 1,
     "x:1:1: a line has 3 numbers, but the tensor has the order 1, so 2 are expected", DIAG_ORDER},
    {"tns", "1 1 1\n", TYPE_F64, 4,
     "x:1:1: a line has 3 numbers, but the tensor has the order 4, so 5 are expected", DIAG_ORDER},
    {"tns", "1 1 2 3\n", TYPE_C128, ANY,
     "x:1:1: it is not known whether a value is the last number of a line or the last two",
     DIAG_ORDER},
    {"tns", "1 1 1\n1 1 1 1\n", TYPE_F64, ANY, "x:2:7: more than 3 numbers on the line",
     DIAG_FILE_FORMAT},
    {"tns", "1 1 1\n1 1\n", TYPE_F64, ANY, "x:2:4: the line ends where a value is expected",
     DIAG_FILE_FORMAT},
    {"tns", "1 1 1\n1\n", TYPE_F64, ANY, "x:2:2: the line ends after 1 of 3 numbers",
     DIAG_FILE_FORMAT},
    {"tns", "\n# c\n0 1 1\n", TYPE_F64, ANY, "x:3:1: the coordinate 0 is below 1",
     DIAG_FILE_FORMAT},
    {"tns", "1e1 1 1\n", TYPE_F64, ANY,
     "x:1:1: the coordinate 1e1 is too large, or not written as digits only", DIAG_FILE_FORMAT},
    {"tns", "9999999999999999999999 1\n", TYPE_F64, ANY,
     "x:1:1: the coordinate 9999999999999999999999 is too large, or not written as digits only",
     DIAG_FILE_FORMAT},
    {"tns", "% 1\n", TYPE_F64, ANY, "x:1:1: '%' is not a coordinate", DIAG_FILE_FORMAT},
    {"tns", "", TYPE_F64, ANY,
     "x: the file has no entries, so the order and the sizes of the tensor are not known",
     DIAG_SIZE},
    {"tns", "# c\n\n", TYPE_F64, 2,
     "x: the file has no entries, so the sizes of the tensor are not known", DIAG_SIZE},
    {"tns", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", TYPE_F64, ANY,
     "x:1:1: a tensor has at most 32 modes", DIAG_LIMIT},
};

static void faults_are_shown_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        const struct bad *b = &bads[i];
        struct io_request request = {.type = b->type, .order = b->order, .format = b->format};
        struct coords coords;
        struct rt_error error;
        if (io_read_text("x", b->text, strlen(b->text), &request, &coords, &error) != RT_INPUT)
            fail_msg("no error in\n%s", b->text);
        assert_string_equal(error.message, b->message);
        assert_int_equal(error.code, b->code);
        assert_null(coords.vals);
    }
}

/* Read it in one piece, and in chunks of about so many bytes by so many threads: the same list, but
 * for the order of mirror images, or the same fault. */
static enum rt_status read_twice(const char *text, size_t n, struct io_request request,
                                 int64_t chunk, int threads, struct coords *coords,
                                 struct rt_error *error)
{
    struct coords whole;
    struct rt_error of_whole;
    enum rt_status expected = io_read_text("x", text, n, &request, &whole, &of_whole);
    request.chunk = chunk;
    request.threads = threads;
    enum rt_status status = io_read_text("x", text, n, &request, coords, error);
    if (status != expected || (status != RT_OK && strcmp(error->message, of_whole.message) != 0)
        || (status != RT_OK && strcmp(error->help, of_whole.help) != 0))
        fail_msg("%.*s\n%s\nin chunks of %d: %s", (int)n, text, expected ? of_whole.message : "ok",
                 (int)chunk, status ? error->message : "ok");
    if (status != RT_OK)
        return status;
    assert_int_equal(coords->n, whole.n);
    assert_int_equal(coords->order, whole.order);
    assert_int_equal(coords_sort(coords, 1, error), RT_OK);
    assert_int_equal(coords_sort(&whole, 1, error), RT_OK);
    for (int m = 0; m < whole.order; m++)
        for (int64_t i = 0; i < whole.n; i++)
            assert_true(coords_at(coords, m, i) == coords_at(&whole, m, i));
    if (whole.n > 0)
        assert_memory_equal(coords->vals, whole.vals, (size_t)whole.n * type_size(whole.type));
    coords_free(&whole);
    return RT_OK;
}

static void read_in_all_chunks(const char *format, const char *text, enum type type, int order)
{
    size_t n = strlen(text);
    for (int64_t chunk = 1; chunk <= (int64_t)n + 1; chunk += 1 + chunk / 40) {
        struct io_request request = {.type = type, .order = order, .format = format};
        struct coords coords;
        struct rt_error error;
        read_twice(text, n, request, chunk, 1 + (int)(chunk % 3), &coords, &error);
        coords_free(&coords);
    }
}

/* A chunk ends at every place in turn, and what a line is does not change. */
static void chunks_may_end_anywhere(void **state)
{
    static const struct {
        const char *format, *text;
    } files[] = {
        {"tns", "1 1 1\r\n\r\n# c\r\n2 1 2 # 3\r\n\n\n  \t\n3 1 3\n#\n4 1 4"},
        {"tns", "# c\n#\n\n\n1 1 1\n2 1 2\n1 0 3\n"},
        {"tns", "1 1 1\n2 1 2\n3 1 3\n4 1 4\n5 1 x\n6 1 6\n7 1 y\n8 1 8\n"},
        {"mtx", REAL "% c\n\n3 3 4\n1 1 1\n% c\n2 2 2\n\n3 3 3\n1 2 4\n3 1 5\n2 1 x\n"},
        {"mtx", REAL "3 3 9\n1 1 1\n% c\n2 2 2\n\n3 3 3\n1 2 4\n\n% end"},
        {"mtx", REAL "3 3 9\n1 1 1\n% c\n2 2 2\n\n3 3 3\n1 2 4\n\n% end\n\n"},
        {"mtx", REAL "3 3 2"},
        {"mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n1 1 1\n2 1 2\n3 3 3\n"
                "2 1 5\n1 3 4\n4 1 x\n"},
        {"mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n1 1 1\n2 2 2\n3 3 3\n"
                "2 1 5\n3 1 4\n"},
        {"mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n4 4 5\n4 1 1\n2 1 2\n"
                "3 2 3\n2 2 5\n1 3 4\n"},
        {"mtx", "%%MatrixMarket matrix array complex general\n2 2\n1 2 3\n4\n5\n6 7\n\n8"},
        {"mtx", "%%MatrixMarket matrix array complex general\n2 2\n1 2 3\n4\n5\n6 7\n"},
        {"mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2 3\n% c\n4 5\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        read_in_all_chunks(files[i].format, files[i].text, TYPE_COUNT, ANY);
    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++)
        read_in_all_chunks(goods[i].format, goods[i].text, goods[i].type, goods[i].order);
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++)
        read_in_all_chunks(bads[i].format, bads[i].text, bads[i].type, bads[i].order);
}

/* Good and bad files with a few bytes changed, dropped or doubled: right or refused, and the same
 * in chunks. */
static void damaged_files_are_read_or_refused(void **state)
{
    (void)state;
    enum { GOODS = sizeof goods / sizeof *goods, BADS = sizeof bads / sizeof *bads };
    static const char bytes[] = "0123456789 \n\r\t.-+eEdD%#x\0\377";
    uint64_t seed = 99;
    int right = 0;
    for (int round = 0; round < 40000; round++) {
        int which = (int)random_below(&seed, GOODS + BADS);
        const char *format = which < GOODS ? goods[which].format : bads[which - GOODS].format;
        const char *from = which < GOODS ? goods[which].text : bads[which - GOODS].text;
        char text[600];
        size_t n = strlen(from);
        memcpy(text, from, n);
        for (int64_t changes = 1 + random_below(&seed, 4); changes > 0 && n > 0; changes--) {
            size_t at = (size_t)random_below(&seed, (int64_t)n);
            int kind = (int)random_below(&seed, 4);
            if (kind == 0 && n < sizeof text) {
                memmove(text + at + 1, text + at, n++ - at);
            } else if (kind == 1) {
                memmove(text + at, text + at + 1, --n - at);
            } else if (kind == 2) {
                n -= at % 4 < n ? at % 4 : 0;
            }
            if (at < n)
                text[at] = bytes[random_below(&seed, sizeof bytes - 1)];
        }
        enum type type = (enum type)random_below(&seed, TYPE_COUNT + 1);
        struct io_request request = {
            .type = type, .order = (int)random_below(&seed, 4) - 1, .format = format};
        struct coords coords;
        struct rt_error error;
        enum rt_status status = read_twice(text, n, request, 1 + random_below(&seed, 40),
                                           round % 16 ? 1 : 3, &coords, &error);
        if (status == RT_OK) {
            right++;
            assert_int_equal(coords_check(&coords, 1, NULL, NULL), RT_OK);
        } else {
            assert_int_equal(status, RT_INPUT);
            assert_memory_equal(error.message, "x:", 2);
        }
        coords_free(&coords);
    }
    assert_in_range(right, 500, 30000);
}

static void sizes_must_agree(void **state)
{
    (void)state;
    struct coords coords;
    struct rt_error error;
    const char *matrix = REAL "3 4 1\n1 3 5\n", *tensor = "2 3 5\n";
    struct io_request request = {.type = TYPE_F64,
                                 .order = 2,
                                 .format = "mtx",
                                 .tensor = "A",
                                 .dimension = (const int64_t[]){3, 4}};
    assert_int_equal(io_read_text("x", matrix, strlen(matrix), &request, &coords, &error), RT_OK);
    coords_free(&coords);
    request.dimension = (const int64_t[]){-1, 5};
    assert_int_equal(io_read_text("x", matrix, strlen(matrix), &request, &coords, &error),
                     RT_INPUT);
    assert_string_equal(error.message,
                        "x:2:1: the file has 4 columns, but mode 2 of A has the size 5");
    assert_int_equal(error.code, DIAG_SIZE);
    request.dimension = (const int64_t[]){2, -1};
    assert_int_equal(io_read_text("x", matrix, strlen(matrix), &request, &coords, &error),
                     RT_INPUT);
    assert_string_equal(error.message,
                        "x:2:1: the file has 3 rows, but mode 1 of A has the size 2");
    request.format = "tns";
    request.dimension = (const int64_t[]){7, -1};
    assert_int_equal(io_read_text("x", tensor, strlen(tensor), &request, &coords, &error), RT_OK);
    assert_true(coords.dimension[0] == 7 && coords.dimension[1] == 3);
    coords_free(&coords);
    request.dimension = (const int64_t[]){7, 2};
    assert_int_equal(io_read_text("x", tensor, strlen(tensor), &request, &coords, &error),
                     RT_INPUT);
    assert_string_equal(error.message, "x:1:3: the coordinate 3 is beyond the size 2 of mode 2");
    request.dimension = (const int64_t[]){7, 8};
    assert_int_equal(io_read_text("x", "", 0, &request, &coords, &error), RT_OK);
    assert_true(coords.n == 0 && coords.dimension[0] == 7 && coords.dimension[1] == 8);
    coords_free(&coords);
    request.dimension = (const int64_t[]){7, -1};
    assert_int_equal(io_read_text("x", "", 0, &request, &coords, &error), RT_INPUT);
    assert_string_equal(error.help, "give them: {dimensions i:100}");
    request.order = ANY;
    request.dimension = NULL;
    assert_int_equal(io_read_text("x", "", 0, &request, &coords, &error), RT_INPUT);
    assert_non_null(strstr(error.help, "the line 100 100 0"));
}

static void dense_files_leave_out_the_fill(void **state)
{
    (void)state;
    const char *text = "%%MatrixMarket matrix array real symmetric\n2 2\n0\n2\n7\n";
    struct value fill = value_int(TYPE_I32, 7);
    struct io_request request = {.type = TYPE_F64, .order = ANY, .format = "mtx", .fill = &fill};
    struct coords coords;
    char shown[200];
    assert_int_equal(io_read_text("x", text, strlen(text), &request, &coords, NULL), RT_OK);
    show(&coords, shown, sizeof shown);
    assert_string_equal(shown, "0,0:0 1,0:2 0,1:2");
    coords_free(&coords);
}

/* ---- large files: chunks and threads, lines of a million bytes ---- */

static char *add(char *to, const char *text)
{
    size_t n = strlen(text);
    memcpy(to, text, n);
    return to + n;
}

static void progress(void *data, const char *what, int64_t done, int64_t total)
{
    assert_non_null(what);
    assert_in_range(done, 0, total);
    ++*(int *)data;
}

enum { LINES = 400000 };

static size_t make_lines(char *text)
{
    char *to = text, line[40];
    for (int i = 0; i < LINES; i++) {
        snprintf(line, sizeof line, i % 7 ? "%d %d %d.5\n" : "%d %d %de-1\r\n\n# c\n", i % 1000 + 1,
                 i % 77 + 1, i);
        to = add(to, line);
    }
    return (size_t)(to - text);
}

static void large_files_do_not_depend_on_threads(void **state)
{
    (void)state;
    char *text = malloc(LINES * 40), message[RT_MESSAGE] = "";
    assert_non_null(text);
    for (int threads = 1; threads < 6; threads += 2) {
        int told = 0;
        size_t n = make_lines(text);
        struct io_request request = {.type = TYPE_F64,
                                     .order = 2,
                                     .format = "tns",
                                     .threads = threads,
                                     .progress = {progress, &told}};
        struct coords coords;
        struct rt_error error;
        assert_int_equal(io_read_text("x", text, n, &request, &coords, &error), RT_OK);
        assert_true(coords.n == LINES && told > 0);
        for (int i = 0; i < LINES; i++) {
            assert_true(coords.coordinate[0][i] == i % 1000 && coords.coordinate[1][i] == i % 77);
            assert_true(((double *)coords.vals)[i] == (i % 7 ? i + 0.5 : i / 10.0));
        }
        coords_free(&coords);
        /* Of several faults the first one is told. */
        text[n - 2] = 'x';
        text[3000000] = 'x';
        assert_int_equal(io_read_text("x", text, n, &request, &coords, &error), RT_INPUT);
        if (threads > 1)
            assert_string_equal(error.message, message);
        memcpy(message, error.message, sizeof message);
        text[3000000] = '0';
    }
    free(text);
}

static void lines_may_be_very_long(void **state)
{
    (void)state;
    enum { WIDE = 1000000 };
    char *text = malloc(8 * WIDE), *to = text;
    struct coords coords;
    struct io_request request = {.type = TYPE_F64, .order = ANY, .format = "mtx"};
    assert_non_null(text);
    to = add(to, REAL "%");
    memset(to, 'c', 3 * WIDE);
    to = add(to + 3 * WIDE, "\n3 4 2\n1 ");
    memset(to, ' ', WIDE);
    to = add(to + WIDE, "3 0.");
    memset(to, '3', WIDE);
    to = add(to + WIDE, "\n3 1 1");
    memset(to, '0', 300);
    to = add(to + 300, ".0\n");
    assert_int_equal(io_read_text("x", text, (size_t)(to - text), &request, &coords, NULL), RT_OK);
    assert_true(coords.n == 2 && ((double *)coords.vals)[0] == 1.0 / 3
                && ((double *)coords.vals)[1] == 1e300);
    coords_free(&coords);
    /* A million values on one line. */
    to = add(text, "%%MatrixMarket matrix array real general\n1000 1000\n");
    for (int i = 0; i < WIDE; i++)
        to = add(to, i % 2 ? "1 " : "2.5 ");
    assert_int_equal(io_read_text("x", text, (size_t)(to - text), &request, &coords, NULL), RT_OK);
    assert_int_equal(coords.n, WIDE);
    for (int i = 0; i < WIDE; i++)
        assert_true(((double *)coords.vals)[i] == (i % 2 ? 1 : 2.5)
                    && coords.coordinate[0][i] == i % 1000);
    coords_free(&coords);
    free(text);
}

/* ---- files ---- */

static char folder[] = "/tmp/spcc-io-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[2][400];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

/* How many files are in the folder; removes them. */
static int empty_folder(void)
{
    int n = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.') {
            n++;
            unlink(in_folder(entry->d_name));
        }
    closedir(dir);
    return n;
}

static int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    return rmdir(folder);
}

static void write_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static size_t read_bytes(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(bytes, 1, size - 1, file);
    bytes[n] = '\0';
    fclose(file);
    return n;
}

static enum rt_status read_path(const char *path, const char *format, struct coords *coords,
                                struct rt_error *error)
{
    struct io_request request = {.type = TYPE_F64, .order = ANY, .format = format};
    return io_read(path, &request, coords, error);
}

static void names_say_the_format(void **state)
{
    (void)state;
    struct coords coords;
    struct rt_error error;
    const char *tns = "1 2 3\n", *mtx = REAL "1 1 1\n1 1 3\n";
    write_bytes(in_folder("a.TNS"), tns, strlen(tns));
    write_bytes(in_folder("a.b.mtx"), mtx, strlen(mtx));
    write_bytes(in_folder("plain"), mtx, strlen(mtx));
    assert_int_equal(read_path(in_folder("a.TNS"), NULL, &coords, &error), RT_OK);
    coords_free(&coords);
    assert_int_equal(read_path(in_folder("a.b.mtx"), NULL, &coords, &error), RT_OK);
    coords_free(&coords);
    assert_int_equal(read_path(in_folder("plain"), "mtx", &coords, &error), RT_OK);
    coords_free(&coords);
    assert_int_equal(read_path(in_folder("plain"), NULL, &coords, &error),
                     RT_OK); /* its banner does */
    coords_free(&coords);
    write_bytes(in_folder("other"), tns, strlen(tns));
    assert_int_equal(read_path(in_folder("other"), NULL, &coords, &error), RT_INPUT);
    assert_non_null(strstr(error.message, "/other: the name does not give the file format"));
    assert_int_equal(read_path(in_folder("plain"), "xls", &coords, &error), RT_INPUT);
    assert_string_equal(error.message, "xls is not a file format");
    assert_int_equal(read_path(in_folder("none.tns"), NULL, &coords, &error), RT_INPUT);
    assert_non_null(
        strstr(error.message, "/none.tns: cannot be opened: No such file or directory"));
    assert_int_equal(read_path(in_folder("amtx"), NULL, &coords, &error), RT_INPUT);
    assert_int_equal(read_path("/tmp", "mtx", &coords, &error), RT_INPUT);
    assert_string_equal(error.message, "/tmp: cannot be read: Is a directory");
    empty_folder();
}

static size_t compress_text(const char *text, size_t n, unsigned char *out, size_t size)
{
    z_stream z = {
        .next_in = (Bytef *)text, .avail_in = (uInt)n, .next_out = out, .avail_out = (uInt)size};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(deflateEnd(&z), Z_OK);
    return size - z.avail_out;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static void compressed_files_are_inflated(void **state)
{
    (void)state;
    enum { SIZE = 200000 };
    struct coords coords;
    struct rt_error error;
    static char text[SIZE];
    static unsigned char packed[SIZE];
    char *to = text;
    for (int i = 1; i <= 10000; i++) {
        char line[40];
        snprintf(line, sizeof line, "%d %d\n", i, i * i % 977);
        to = add(to, line);
    }
    size_t n = (size_t)(to - text), cut = n / 3, first = compress_text(text, cut, packed, SIZE);
    size_t all = first + compress_text(text + cut, n - cut, packed + first, SIZE - first);
    write_bytes(in_folder("a.tns.gz"), packed, all); /* two members */
    assert_int_equal(read_path(in_folder("a.tns.gz"), NULL, &coords, &error), RT_OK);
    assert_int_equal(coords.n, 10000);
    for (int i = 1; i <= 10000; i++)
        assert_true(coords.coordinate[0][i - 1] == i - 1
                    && ((double *)coords.vals)[i - 1] == i * i % 977);
    coords_free(&coords);
    static const struct {
        int length, damage;
        const char *message;
    } damages[] = {
        {0, -1, ": the file is empty, not a gzip stream"},
        {1, -1, ": the gzip stream is cut off at byte 1"},
        {-9, -1, ": the gzip stream is cut off at byte %zu"},
        {-1, -1, ": the gzip stream is cut off at byte %zu"},
        {-1000, -1, ": the gzip stream is cut off at byte %zu"},
        {-0, 0, ": the gzip stream is damaged before byte %zu (incorrect data check)"},
    };
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        size_t length =
            damages[d].length < 0 ? all - (size_t)-damages[d].length : (size_t)damages[d].length;
        if (damages[d].damage >= 0) {
            length = all;
            packed[all - 5] ^= 1; /* the checksum */
        }
        write_bytes(in_folder("a.tns.gz"), packed, length);
        assert_int_equal(read_path(in_folder("a.tns.gz"), NULL, &coords, &error), RT_INPUT);
        char message[200];
        /* The four bytes of the length follow the checksum. */
        snprintf(message, sizeof message, damages[d].message,
                 damages[d].damage >= 0 ? all - 4 : length);
        if (!ends_with(error.message, message))
            fail_msg("%s does not end in %s", error.message, message);
    }
    packed[all - 5] ^= 1;
    packed[0] = 0;
    write_bytes(in_folder("a.tns.gz"), packed, all);
    assert_int_equal(read_path(in_folder("a.tns.gz"), NULL, &coords, &error), RT_INPUT);
    assert_true(ends_with(error.message,
                          ": the gzip stream is damaged before byte 2 (incorrect header check)"));
    /* What is wrong with a text that was damaged is not told; with one that was not, it is. */
    text[n / 3] = text[n / 3 + 1] = 'x';
    all = compress_text(text, n, packed, SIZE);
    for (int damaged = 0; damaged < 2; damaged++) {
        packed[all - 5] ^= (unsigned char)damaged;
        write_bytes(in_folder("a.tns.gz"), packed, all);
        struct io_request request = {.type = TYPE_F64, .order = ANY, .threads = 2, .chunk = 1000};
        assert_int_equal(io_read(in_folder("a.tns.gz"), &request, &coords, &error), RT_INPUT);
        if (!strstr(error.message, damaged ? "(incorrect data check)" : "is not a"))
            fail_msg("%s", error.message);
    }
    empty_folder();
}

/* The first bytes of a file say how it is compressed, and its name only where they say nothing. */
static void bytes_count_more_than_names(void **state)
{
    (void)state;
    static const char text[] = "1 5\n2 7\n";
    static const char *const names[] = {"a.tns", "a.tns.gz", "a.tns.bz2", "a.tns.xz", "a.tns.zst"};
    unsigned char packed[100];
    size_t n = compress_text(text, sizeof text - 1, packed, sizeof packed);
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        const char *name = names[i / 2];
        struct coords coords;
        struct rt_error error;
        if (i % 2)
            write_bytes(in_folder(name), packed, n);
        else
            write_bytes(in_folder(name), text, sizeof text - 1);
        if (read_path(in_folder(name), NULL, &coords, &error) != RT_OK)
            fail_msg("%s", error.message);
        assert_int_equal(coords.n, 2);
        coords_free(&coords);
    }
    empty_folder();
}

/* What a file of coordinates from 0 holds, and what is said where that is not so. */
static void coordinates_may_begin_at_0(void **state)
{
    (void)state;
    struct coords coords;
    struct rt_error error;
    struct io_facts facts = {.sized = true};
    struct io_request request = {
        .type = TYPE_F64, .order = ANY, .format = "tns", .zero_based = true, .facts = &facts};
    char text[100];
    assert_int_equal(io_read_text("x", "0 2 5\n1 0 7\n", 12, &request, &coords, &error), RT_OK);
    show(&coords, text, sizeof text);
    assert_string_equal(text, "0,2:5 1,0:7");
    assert_true(coords.dimension[0] == 2 && coords.dimension[1] == 3);
    coords_free(&coords);
    assert_int_equal(io_read_text("x", "0 -1 5\n", 7, &request, &coords, &error), RT_INPUT);
    assert_string_equal(error.message, "x:1:3: the coordinate -1 is below 0");
    request.order = 2;
    request.dimension = (const int64_t[]){2, 2};
    assert_int_equal(io_read_text("x", "0 2 5\n", 6, &request, &coords, &error), RT_INPUT);
    assert_string_equal(error.message, "x:1:3: the coordinate 2 is beyond the size 2 of mode 2");
    request.zero_based = false;
    assert_int_equal(io_read_text("x", "1 0 5\n", 6, &request, &coords, &error), RT_INPUT);
    assert_non_null(strstr(error.help, "{base 0}"));
}

/* ---- writing ---- */

static struct tensor *pack_text(const char *letters, const char *text, enum type type,
                                struct value fill)
{
    struct hand_format hand;
    struct coords coords;
    struct rt_error error;
    struct tensor *tensor;
    const struct format *format = hand_format(&hand, letters, NULL, TYPE_I32, TYPE_I32);
    struct io_request request = {.type = type, .order = format->order, .format = "tns"};
    assert_int_equal(io_read_text("x", text, strlen(text), &request, &coords, &error), RT_OK);
    assert_int_equal(tensor_pack(&coords, format, fill, 1, NULL, &tensor, &error), RT_OK);
    coords_free(&coords);
    return tensor;
}

static void writes(const char *name, const char *letters, enum type type, const char *text,
                   int fill, const char *expected)
{
    char bytes[1000];
    struct rt_error error;
    struct tensor *tensor = pack_text(letters, text, type, value_int(type, fill));
    if (io_write(in_folder(name), &(struct io_writing){0}, tensor, &error) != RT_OK)
        fail_msg("%s", error.message);
    read_bytes(in_folder(name), bytes, sizeof bytes);
    assert_string_equal(bytes, expected);
    assert_int_equal(empty_folder(), 1);
    tensor_free(tensor);
}

static void writes_so(const char *name, const char *letters, enum type type, const char *text,
                      struct io_writing how, const char *expected)
{
    char bytes[2000];
    struct rt_error error;
    struct tensor *tensor = pack_text(letters, text, type, value_zero(type));
    enum rt_status status = io_write(in_folder(name), &how, tensor, &error);
    if (status == RT_OK)
        read_bytes(in_folder(name), bytes, sizeof bytes);
    assert_string_equal(status == RT_OK ? bytes : error.message, expected);
    assert_int_equal(empty_folder(), status == RT_OK);
    tensor_free(tensor);
}

#define SKEW "1 2 3\n2 1 -3\n3 3 0\n"

static void what_is_asked_for_is_written(void **state)
{
    (void)state;
    const struct io_writing symmetric = {.symmetry = IO_SYMMETRIC}, skew = {.symmetry = IO_SKEW},
                            hermitian = {.symmetry = IO_HERMITIAN}, pattern = {.pattern = true},
                            both = {.pattern = true, .symmetry = IO_SYMMETRIC},
                            zero = {.zero_based = true};
    writes_so("a.tns", "ds", TYPE_F64, "2 3 5\n", zero, "1 2 5\n");
    writes_so("a.mtx", "ds", TYPE_F64, "2 3 1\n1 1 1\n", pattern,
              "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n2 3\n");
    writes_so("a.mtx", "ds", TYPE_F64, "2 3 2\n", pattern,
              "%%MatrixMarket matrix coordinate real general\n2 3 1\n2 3 2\n");
    writes_so("a.mtx", "ds", TYPE_I8, "2 3 2\n", pattern,
              "%%MatrixMarket matrix coordinate integer general\n2 3 1\n2 3 2\n");
    writes_so("a.mtx", "ss", TYPE_F64, "3 3 4\n1 2 2\n2 1 2\n", symmetric,
              "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 2\n3 3 4\n");
    writes_so("a.mtx", "hd", TYPE_F64, "3 3 1\n1 2 1\n2 1 1\n", both,
              "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n");
    writes_so("a.mtx", "ds", TYPE_I32, SKEW, skew,
              "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 -3\n");
    writes_so("a.mtx", "ds", TYPE_C64, "1 2 3 1\n2 1 3 -1\n2 2 5 0\n", hermitian,
              "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n2 1 3 -1\n2 2 5 0\n");
    const char *not = "the matrix is not symmetric, so one triangle does not say all of it";
    writes_so("a.mtx", "ds", TYPE_F64, "1 2 3\n2 1 4\n", symmetric, not );
    writes_so("a.mtx", "ds", TYPE_F64, "1 2 3\n2 2 4\n", symmetric, not );
    writes_so("a.mtx", "ds", TYPE_F64, "1 3 3\n", symmetric, not );
    writes_so("a.ttx", "sss", TYPE_F64, "2 1 3 5\n", (struct io_writing){0},
              "%%MatrixMarket tensor coordinate real general\n2 1 3 1\n2 1 3 5\n");
    writes_so("a.ttx", "s", TYPE_F64, "2 5\n", (struct io_writing){0},
              "%%MatrixMarket tensor coordinate real general\n2 1\n2 5\n");
    writes_so("a.mtx", "sss", TYPE_F64, "2 1 3 5\n", (struct io_writing){0},
              "a Matrix Market file holds a matrix, and the tensor has the order 3");
}

/* Random entries of a matrix with that symmetry, both triangles. */
static void make_entries(struct coords *coords, enum io_symmetry symmetry, uint64_t *seed)
{
    enum { SIZE = 40 };
    bool seen[SIZE][SIZE] = {{false}};
    for (int64_t n = random_below(seed, 2 * SIZE); n > 0; n--) {
        int64_t i = random_below(seed, SIZE), j = random_below(seed, symmetry ? i + 1 : SIZE);
        double re = (double)random_below(seed, 100) / 8,
               im = i == j ? 0 : (double)random_below(seed, 9);
        bool alone = i == j || symmetry == IO_GENERAL, real = !type_is_complex(coords->type);
        double sign = symmetry == IO_SKEW ? -1 : 1, turn = symmetry == IO_SYMMETRIC ? 1 : -1;
        char value[16];
        if (seen[i][j] || (alone && symmetry == IO_SKEW))
            continue;
        seen[i][j] = true;
        re = type_kind(coords->type) == KIND_INT ? (double)(int)re + 1 : re + 1;
        value_store(real ? value_real(coords->type, re) : value_complex(coords->type, re, im),
                    value);
        assert_true(coords_add(coords, (const int64_t[]){i, j}, value));
        value_store(real ? value_real(coords->type, sign * re)
                         : value_complex(coords->type, sign * re, turn * im),
                    value);
        assert_true(alone || coords_add(coords, (const int64_t[]){j, i}, value));
    }
}

static void assert_same_entries(struct coords *a, struct coords *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(coords_sort(a, 1, NULL), RT_OK);
    assert_int_equal(coords_sort(b, 1, NULL), RT_OK);
    for (int64_t i = 0; i < a->n; i++)
        for (int m = 0; m < 2; m++)
            assert_int_equal(coords_at(a, m, i), coords_at(b, m, i));
    if (a->n > 0)
        assert_memory_equal(a->vals, b->vals, (size_t)a->n * type_size(a->type));
}

/* Of every type and symmetry, in the files that know them. */
static void matrices_are_read_back(void **state)
{
    (void)state;
    static const enum type types[] = {TYPE_F64, TYPE_F32, TYPE_I64, TYPE_C128, TYPE_C64, TYPE_I8};
    static const char *const names[] = {"a.rb", "a.rb.gz", "a.mtx", "a.ttx"};
    const int64_t size[] = {40, 40};
    uint64_t seed = 5;
    for (int round = 0; round < 480; round++) {
        enum io_symmetry symmetry = (enum io_symmetry)(round % 4);
        const char *path = in_folder(names[round / 4 % 4]);
        struct hand_format hand;
        const struct format *csr = hand_format(&hand, "ds", NULL, TYPE_I32, TYPE_I32);
        struct coords expected, copy, coords;
        struct tensor *tensor;
        struct rt_error error;
        coords_init(&expected, 2, size, types[round / 16 % 6]);
        make_entries(&expected, symmetry, &seed);
        coords_init(&copy, 2, size, expected.type);
        for (int64_t i = 0; i < expected.n; i++)
            coords_add(&copy,
                       (const int64_t[]){expected.coordinate[0][i], expected.coordinate[1][i]},
                       (char *)expected.vals + (size_t)i * type_size(expected.type));
        assert_int_equal(
            tensor_pack(&copy, csr, value_zero(expected.type), 1, NULL, &tensor, &error), RT_OK);
        struct io_writing how = {.symmetry = symmetry, .pattern = round % 3 == 0};
        struct io_request request = {.type = expected.type, .order = 2};
        if (io_write(path, &how, tensor, &error) != RT_OK
            || io_read(path, &request, &coords, &error) != RT_OK)
            fail_msg("%s", error.message);
        assert_same_entries(&coords, &expected);
        coords_free(&coords);
        coords_free(&copy);
        coords_free(&expected);
        tensor_free(tensor);
        empty_folder();
    }
}

static void tensors_are_written(void **state)
{
    (void)state;
    writes("a.tns", "sss", TYPE_F64, "3 4 1 -1e3\n1 1 2 0.1\n1 1 1 0\n", 0,
           "1 1 1 0\n1 1 2 0.1\n3 4 1 -1000\n");
    writes("a.tns", "dd", TYPE_I8, "2 2 5\n1 1 7\n", 7, "2 2 5\n");
    writes("a.tns", "dd", TYPE_I8, "2 2 5\n1 1 7\n", 0, "1 1 7\n2 2 5\n");
    writes("a.tns", "ds", TYPE_I8, "2 2 5\n1 1 7\n", 7, "1 1 7\n2 2 5\n");
    writes("a.tns", "", TYPE_F32, "0.1\n", 0, "0.1\n");
    writes("a.tns", "", TYPE_I32, "7\n", 7, "7\n");
    writes("a.tns", "", TYPE_C128, "0 0\n", 0, "0 0\n");
    writes("a.tns", "s", TYPE_C128, "3 1 -2\n", 0, "3 1 -2\n");
    writes("a.tns", "s", TYPE_BOOL, "3 1\n", 0, "3 1\n");
    writes("a.mtx", "ds", TYPE_F64, "1 3 5\n3 1 0.5\n3 3 0\n", 0,
           "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 3 5\n3 1 0.5\n3 3 0\n");
    writes("a.mtx", "ss", TYPE_U16, "1 3 5\n", 0,
           "%%MatrixMarket matrix coordinate integer general\n1 3 1\n1 3 5\n");
    writes("a.mtx", "s", TYPE_C64, "3 1 2\n", 0,
           "%%MatrixMarket matrix coordinate complex general\n3 1 1\n3 1 1 2\n");
    writes("a.mtx", "d", TYPE_F64, "3 1\n1 0.5\n", 0,
           "%%MatrixMarket matrix array real general\n3 1\n0.5\n0\n1\n");
    writes("a.mtx", "", TYPE_F64, "3\n", 0, "%%MatrixMarket matrix array real general\n1 1\n3\n");
    writes("a.mtx", "ss", TYPE_F64, "3 3 0\n", 0,
           "%%MatrixMarket matrix coordinate real general\n3 3 1\n3 3 0\n");
    writes("a.mtx", "dd", TYPE_I32, "1 2 5\n2 3 7\n", -1,
           "%%MatrixMarket matrix array integer general\n2 3\n-1\n-1\n5\n-1\n-1\n7\n");
    writes("a.ttx", "dd", TYPE_C64, "1 2 5 1\n", 0,
           "%%MatrixMarket matrix array complex general\n1 2\n0 0\n5 1\n");
    writes("a.ttx", "ddd", TYPE_I32, "1 2 1 5\n", 0,
           "%%MatrixMarket tensor coordinate integer general\n1 2 1 1\n1 2 1 5\n");
}

/* Where every value has a coordinate a zero that is stored is written; elsewhere it may be padding,
 * and is not. */
static void stored_zeros_are_written(void **state)
{
    (void)state;
    static const char *const tell[] = {"ds", "ss", "uq", "dc", "hh", "db", "sc", "sh"},
                             *const pad[] = {"dd", "sd", "hd"};
    const struct io_writing plain = {0}, drop = {.drop_zeros = true};
    const char *text = "1 1 0\n1 3 5\n3 2 0\n", *fives = "1 3 5\n";
    for (size_t k = 0; k < sizeof tell / sizeof *tell; k++) {
        writes_so("a.tns", tell[k], TYPE_F64, text, plain, text);
        writes_so("a.tns", tell[k], TYPE_F64, text, drop, fives);
        writes_so("a.mtx", tell[k], TYPE_I8, text, plain,
                  "%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 1 0\n1 3 5\n3 2 0\n");
        writes_so("a.mtx", tell[k], TYPE_I8, text, drop,
                  "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 3 5\n");
    }
    for (size_t k = 0; k < sizeof pad / sizeof *pad; k++)
        writes_so("a.tns", pad[k], TYPE_F64, text, plain, fives);
}

#define HEAD "%%MatrixMarket matrix "

/* A zero may be stored on one side of the diagonal only. */
static void triangles_have_stored_zeros(void **state)
{
    (void)state;
    const struct io_writing symmetric = {.symmetry = IO_SYMMETRIC}, skew = {.symmetry = IO_SKEW},
                            hermitian = {.symmetry = IO_HERMITIAN},
                            drop = {.drop_zeros = true, .symmetry = IO_SYMMETRIC},
                            both = {.pattern = true, .symmetry = IO_SYMMETRIC};
    const char *text = "1 2 0\n1 3 4\n2 2 1\n3 1 4\n3 2 0\n";
    writes_so("a.mtx", "ds", TYPE_F64, text, symmetric,
              HEAD "coordinate real symmetric\n3 3 4\n2 1 0\n2 2 1\n3 1 4\n3 2 0\n");
    writes_so("a.mtx", "ds", TYPE_F64, text, drop,
              HEAD "coordinate real symmetric\n3 3 2\n2 2 1\n3 1 4\n");
    writes_so("a.mtx", "ss", TYPE_F64, "1 2 0\n1 3 0\n2 3 0\n3 3 1\n", symmetric,
              HEAD "coordinate real symmetric\n3 3 4\n2 1 0\n3 1 0\n3 2 0\n3 3 1\n");
    writes_so("a.mtx", "ds", TYPE_F64, "1 1 1\n1 2 0\n2 2 1\n", both,
              HEAD "coordinate real symmetric\n2 2 3\n1 1 1\n2 1 0\n2 2 1\n");
    writes_so("a.mtx", "uq", TYPE_I32, "1 2 3\n1 3 0\n2 1 -3\n3 3 0\n", skew,
              HEAD "coordinate integer skew-symmetric\n3 3 2\n2 1 -3\n3 1 0\n");
    writes_so("a.mtx", "dd", TYPE_F64, text, symmetric,
              HEAD "array real symmetric\n3 3\n0\n0\n4\n1\n0\n0\n");
    writes_so("a.mtx", "dd", TYPE_F64, SKEW, skew,
              HEAD "array real skew-symmetric\n3 3\n-3\n0\n0\n");
    writes_so("a.mtx", "dd", TYPE_C64, "1 2 3 1\n2 1 3 -1\n2 2 5 0\n", hermitian,
              HEAD "array complex hermitian\n2 2\n0 0\n3 -1\n5 0\n");
    const char *not = "the matrix is not symmetric, so one triangle does not say all of it";
    writes_so("a.mtx", "dd", TYPE_F64, "1 2 3\n2 2 1\n", symmetric, not );
    writes_so("a.mtx", "dd", TYPE_F64, "1 3 3\n", symmetric, not );
    writes_so("a.mtx", "ds", TYPE_F64, "1 2 0\n1 3 5\n3 3 1\n", symmetric, not );
}

#undef HEAD

/* Random tensors are the same after having been written and read. */
static void what_is_written_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *letters;
        enum type type;
    } cases[] = {
        {"a.tns", "sss", TYPE_F64},   {"a.tns.gz", "sss", TYPE_F64}, {"a.mtx", "ds", TYPE_F64},
        {"a.mtx.gz", "uq", TYPE_F32}, {"a.mtx", "ss", TYPE_I64},     {"a.tns", "ss", TYPE_C128},
        {"a.mtx", "s", TYPE_C64},     {"a.mtx", "d", TYPE_F64},      {"a.tns", "ssss", TYPE_U64},
        {"a.mtx", "s", TYPE_BOOL},    {"a.mtx", "dd", TYPE_F64},     {"a.ttx", "dd", TYPE_I16}};
    uint64_t seed = 3;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct hand_format hand;
        struct coords coords, back;
        struct tensor *tensor, *again;
        struct rt_error error;
        const struct format *format =
            hand_format(&hand, cases[c].letters, NULL, TYPE_I64, TYPE_I64);
        const int64_t dimension[] = {5000, 300, 70, 9};
        int told = 0;
        coords_init(&coords, format->order, dimension, cases[c].type);
        for (int i = 0; i < 20000; i++) {
            int64_t at[4];
            double v[2] = {1 + (double)random_below(&seed, 1 << 30) * 1e-7,
                           (double)random_below(&seed, 100)};
            for (int m = 0; m < 4; m++)
                at[m] = random_below(&seed, dimension[m]);
            char bytes[16];
            value_store(value_complex(cases[c].type, v[0], v[1]), bytes);
            assert_true(coords_add(&coords, at, bytes));
        }
        assert_int_equal(
            tensor_pack(&coords, format, value_zero(cases[c].type), 1, NULL, &tensor, NULL), RT_OK);
        coords_free(&coords);
        const char *path = in_folder(cases[c].name);
        assert_int_equal(
            io_write(path, &(struct io_writing){.progress = {progress, &told}}, tensor, &error),
            RT_OK);
        assert_true(told > 0);
        struct io_request request = {
            .type = cases[c].type, .order = format->order, .dimension = dimension};
        if (io_read(path, &request, &back, &error) != RT_OK)
            fail_msg("%s", error.message);
        assert_int_equal(
            tensor_pack(&back, format, value_zero(cases[c].type), 1, NULL, &again, NULL), RT_OK);
        coords_free(&back);
        assert_int_equal(again->nvals, tensor->nvals);
        assert_memory_equal(again->vals, tensor->vals,
                            (size_t)tensor->nvals * type_size(tensor->type));
        for (int k = 0; k < format->levels; k++)
            for (int a = 0; a < LEVEL_ARRAYS; a++)
                if (tensor->level[k].length[a])
                    assert_memory_equal(again->level[k].array[a], tensor->level[k].array[a],
                                        (size_t)tensor->level[k].length[a] * 8);
        tensor_free(tensor);
        tensor_free(again);
    }
    empty_folder();
}

static enum rt_status write_tensor(const char *path, const char *format,
                                   const struct tensor *tensor, struct rt_error *error)
{
    return io_write(path, &(struct io_writing){.format = format}, tensor, error);
}

static void a_failed_write_leaves_the_file_as_it_was(void **state)
{
    (void)state;
    struct rt_error error;
    char bytes[100], target[200];
    struct tensor *tensor = pack_text("sss", "1 1 1 5\n", TYPE_F64, value_zero(TYPE_F64));
    write_bytes(in_folder("a.mtx"), "old", 3);
    assert_int_equal(chmod(in_folder("a.mtx"), 0640), 0);
    assert_int_equal(write_tensor(in_folder("a.mtx"), NULL, tensor, &error), RT_INPUT);
    assert_string_equal(error.message,
                        "a Matrix Market file holds a matrix, and the tensor has the order 3");
    read_bytes(in_folder("a.mtx"), bytes, sizeof bytes);
    assert_string_equal(bytes, "old");
    /* Overwriting keeps the permissions, and a link. */
    snprintf(target, sizeof target, "%s", in_folder("a.mtx"));
    assert_int_equal(symlink(target, in_folder("link.tns")), 0);
    assert_int_equal(write_tensor(in_folder("link.tns"), NULL, tensor, &error), RT_OK);
    struct stat about;
    assert_int_equal(lstat(in_folder("link.tns"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(in_folder("a.mtx"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    read_bytes(in_folder("a.mtx"), bytes, sizeof bytes);
    assert_string_equal(bytes, "1 1 1 5\n");
    assert_int_equal(empty_folder(), 2);
    assert_int_equal(write_tensor(in_folder("none/a.tns"), NULL, tensor, &error), RT_INPUT);
    assert_non_null(
        strstr(error.message, "none/a.tns: cannot be written: No such file or directory"));
    assert_int_equal(write_tensor(folder, "tns", tensor, &error), RT_INPUT);
    assert_int_equal(write_tensor(in_folder("a"), NULL, tensor, &error), RT_INPUT);
    assert_int_equal(empty_folder(), 0);
    tensor_free(tensor);
}

static void a_full_disk_is_the_machines_fault(void **state)
{
    (void)state;
    struct rt_error error;
    struct tensor *tensor = pack_text("s", "1 5\n", TYPE_F64, value_zero(TYPE_F64));
    if (access("/dev/full", W_OK) != 0) {
        tensor_free(tensor);
        skip();
    }
    assert_int_equal(write_tensor("/dev/full", "tns", tensor, &error), RT_SYSTEM);
    assert_string_equal(error.message, "/dev/full: cannot be written: No space left on device");
    assert_int_equal(write_tensor("/dev/full", "mtx.gz", tensor, &error), RT_SYSTEM);
    fflush(stdout);
    int kept = dup(1), full = open("/dev/full", O_WRONLY);
    assert_true(kept >= 0 && full >= 0);
    dup2(full, 1);
    enum rt_status status = write_tensor("-", NULL, tensor, &error);
    dup2(kept, 1);
    close(kept);
    close(full);
    assert_int_equal(status, RT_SYSTEM);
    assert_string_equal(error.message,
                        "standard output: cannot be written: No space left on device");
    tensor_free(tensor);
}

static void minus_is_standard_input_and_output(void **state)
{
    (void)state;
    struct rt_error error;
    struct coords coords;
    char shown[100];
    int ends[2];
    struct tensor *tensor = pack_text("ss", "1 2 5\n4 4 -1\n", TYPE_F64, value_zero(TYPE_F64));
    for (int round = 0; round < 2; round++) {
        const char *format = round ? "mtx.gz" : NULL;
        fflush(stdout);
        assert_int_equal(pipe(ends), 0);
        int out = dup(1), in = dup(0);
        dup2(ends[1], 1);
        enum rt_status status = write_tensor("-", format, tensor, &error);
        dup2(out, 1);
        close(out);
        close(ends[1]);
        assert_int_equal(status, RT_OK);
        dup2(ends[0], 0);
        status = read_path("-", format, &coords, &error);
        dup2(in, 0);
        close(in);
        close(ends[0]);
        assert_int_equal(status, RT_OK);
        show(&coords, shown, sizeof shown);
        assert_string_equal(shown, "0,1:5 3,3:-1");
        coords_free(&coords);
    }
    tensor_free(tensor);
}

/* ---- real files, where they are there ---- */

/* Packed into some formats, they are valid tensors, and all that was read is there. */
static void packs(struct coords *coords)
{
    static const char *const formats[2][3] = {{"ds", "ss", "uq"}, {"dssss", "sssss", "upppq"}};
    int64_t n = coords->n;
    for (int f = 0; f < 3; f++) {
        struct hand_format hand;
        struct tensor *tensor;
        struct rt_error error;
        char letters[8];
        const char *name = formats[coords->order > 2][f];
        snprintf(letters, sizeof letters, "%.*s%c", coords->order - 1, name,
                 name[strlen(name) - 1]);
        int modes[8];
        for (int k = 0; k < coords->order; k++)
            modes[k] = f == 1 ? coords->order - 1 - k : k;
        const struct format *format = hand_format(&hand, letters, modes, TYPE_I32, TYPE_I32);
        struct coords list = list_copy(coords);
        assert_int_equal(tensor_pack(&list, format, value_zero(TYPE_F64), 0, NULL, &tensor, &error),
                         RT_OK);
        coords_free(&list);
        if (tensor_validate(tensor, NULL, &error) != RT_OK)
            fail_msg("%s: %s", letters, error.message);
        assert_in_range(tensor->nvals, n - n / 4, n);
        tensor_free(tensor);
    }
}

static void real_files_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t entries;
    } files[] = {{"cage10.mtx.gz", 150645},
                 {"bayer10.mtx.gz", 94926},
                 {"email-Enron.mtx.gz", 367664},
                 {"ml100k.tns.gz", 100000},
                 {"kg_jf17k_4.tns.gz", 9509}};
    char path[PATH_MAX];
    int found = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct coords coords;
        struct rt_error error;
        const char *data = getenv("SPCC_DATA"), *source = getenv("SPCC_SOURCE");
        if (data)
            snprintf(path, sizeof path, "%s/%s", data, files[i].name);
        else
            snprintf(path, sizeof path, "%s/../shared/data/%s", source ? source : ".",
                     files[i].name);
        if (access(path, R_OK) != 0)
            continue;
        found++;
        assert_int_equal(read_path(path, NULL, &coords, &error), RT_OK);
        assert_int_equal(coords.n, files[i].entries);
        packs(&coords);
        coords_free(&coords);
    }
    if (found == 0) {
        print_message("the real files are not there\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_hold_what_they_say),
        cmocka_unit_test(faults_are_shown_where_they_are),
        cmocka_unit_test(chunks_may_end_anywhere),
        cmocka_unit_test(damaged_files_are_read_or_refused),
        cmocka_unit_test(sizes_must_agree),
        cmocka_unit_test(dense_files_leave_out_the_fill),
        cmocka_unit_test(large_files_do_not_depend_on_threads),
        cmocka_unit_test(lines_may_be_very_long),
        cmocka_unit_test(names_say_the_format),
        cmocka_unit_test(compressed_files_are_inflated),
        cmocka_unit_test(bytes_count_more_than_names),
        cmocka_unit_test(coordinates_may_begin_at_0),
        cmocka_unit_test(what_is_asked_for_is_written),
        cmocka_unit_test(matrices_are_read_back),
        cmocka_unit_test(tensors_are_written),
        cmocka_unit_test(stored_zeros_are_written),
        cmocka_unit_test(triangles_have_stored_zeros),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_failed_write_leaves_the_file_as_it_was),
        cmocka_unit_test(a_full_disk_is_the_machines_fault),
        cmocka_unit_test(minus_is_standard_input_and_output),
        cmocka_unit_test(real_files_are_read),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
