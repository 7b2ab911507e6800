/* test_foreign.c - files as other programs and collections write them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <unistd.h>
#include <zlib.h>

#include "runtime/io/io.h"
#include "tests/runtime/shown.h"

enum { ANY = -1 };

struct form {
    const char *format, *text;
    enum type type;
    int order;
    const char *sizes, *entries;
};

#define HB(type, pointers, rows, values)                                                     \
    "a title                                                                 key\n 3 1 1 1 " \
    "0\n" type " 2 2 3 0\n" pointers " " rows " " values "\n"

static const struct form forms[] = {
    /* SciPy 1.17 of uint32, uint64 */
    {"mtx",
     "%%MatrixMarket matrix coordinate unsigned-integer general\n%\n2 2 2\n1 2 7\n2 1 4000000000\n",
     TYPE_COUNT, ANY, "2 2", "0,1:7 1,0:4000000000"},
    {"mtx",
     "%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 18446744073709551615\n",
     TYPE_COUNT, ANY, "1 1", "0,0:18446744073709551615"},
    {"mtx", "%%MatrixMarket matrix array unsigned-integer general\n2 1\n4\n5\n", TYPE_U32, 1, "2",
     "0:4 1:5"},
    {"mtx", "%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", TYPE_F64, ANY, "2 2",
     "0,1:1 1,0:1"},
    /* Fortran's formats */
    {"hb",
     HB("rua", "(1X,8I3)", "(2X,3(I2,1X))",
        "(1P,3E12.4)") "   1  3  4\n   1  2  2\n  1.0000E+00 -2.0000E+00  3.0000E+00\n",
     TYPE_F64, ANY, "2 2", "0,0:1 1,0:-2 1,1:3"},
    {"rua",
     HB("RUA", "(26I3)", "(26I3)",
        "(1P2D10.2)") "  1  3  4\n  1  2  2\n  1.50D+00 -2.00D+00\n  3.00D+00\n",
     TYPE_F64, ANY, "2 2", "0,0:1.5 1,0:-2 1,1:3"},
    {"hb", HB("rua", "(I3)", "(2I3/)", "(F8.3)"), TYPE_F64, ANY, NULL,
     "x:4:10: expected a Fortran format such as (4I3) or (1P,5E16.8)"},
    {"hb",
     HB("rua", "(I3,I2)", "(T3,I1,TR1,I1)",
        "(2PF6.1,-1P,2(F6.1))") "  1 3\n  4\n  1 2\n  2\n 150.0   2.0  30.5\n",
     TYPE_F64, ANY, "2 2", "0,0:1.5 1,0:20 1,1:305"},
    {"hb",
     HB("rua", "(9I3)", "(1X,2(I1))", "(1X,2(F5.1))") /* a new line begins at the group */
     "  1  3  4\n 12\n2\n   1.5  2.5\n  3.5\n",
     TYPE_F64, ANY, "2 2", "0,0:1.5 1,0:2.5 1,1:3.5"},
    {"hb",
     HB("rua", "(9I3)", "(9I3)", "(3E12.4E3)") /* an exponent needs no letter */
     "  1  3  4\n  1  2  2\n 1.0000-100 1.0000+100   1.0E+001\n",
     TYPE_F64, ANY, "2 2", "0,0:1e-100 1,0:1e+100 1,1:10"},
    /* ParTI's sizes */
    {"tns", "3\n10 20 5\n1 2 3 0.5\n", TYPE_F64, ANY, "10 20 5", "0,1,2:0.5"},
    {"tns", "# c\n3\n# c\n10\t20 5\n1 2 3 0.5\n", TYPE_F64, 3, "10 20 5", "0,1,2:0.5"},
    {"tns", "2\n3 4\n", TYPE_F64, ANY, "3 4", ""},
    {"tns", "2\n3 4\n1 2 5 6\n", TYPE_C128, ANY, "3 4", "0,1:(5,6)"},
    {"tns", "1\n9\n4 2.5\n", TYPE_F64, ANY, "9", "3:2.5"},
    {"tns", "1\n9\n", TYPE_F64, 1, "9", ""},
    {"tns", "1\n9\n", TYPE_F64, ANY, "", ":1 :9"}, /* a scalar */
    {"tns", "1\n9\n", TYPE_F64, 0, "", ":1 :9"},
    {"tns", "2\n3 4\n1 5 1\n", TYPE_F64, ANY, NULL,
     "x:3:3: the coordinate 5 is beyond the size 4 of mode 2"},
    {"tns", "2\n3 0\n1 1 1\n", TYPE_F64, ANY, NULL, "x:2:3: more than 1 numbers on the line"},
    {"tns", "33\n1\n", TYPE_F64, ANY, "", ":33 :1"},
    /* edges, as SNAP, the Network Repository and KONECT have them */
    {"txt",
     "# Directed graph (each pair is there once)\r\n# FromNodeId\tToNodeId\r\n0\t4\r\n3\t1\r\n",
     TYPE_F64, 2, "5 5", "0,4:1 3,1:1"},
    {"edges", "% asym positive\n% 2 3 3\n1 2 0.5\n3 1 2\n", TYPE_F64, ANY, "3 3", "0,1:0.5 2,0:2"},
    {"edges", "1,2,0.5\n3 , 1,2\n", TYPE_F64, ANY, "3 3", "0,1:0.5 2,0:2"},
    {"edges", "1,2\n4,1\n", TYPE_BOOL, ANY, "4 4", "0,1:true 3,0:true"},
    {"el", "1,2,0.5,1\n", TYPE_C128, ANY, "2 2", "0,1:(0.5,1)"},
    {"el", "% bip unweighted\n1 5\n2 3\n", TYPE_I32, ANY, "2 5", "0,4:1 1,2:1"},
    {"edges", "", TYPE_F64, ANY, "0 0", ""},
    {"edges", "# c\n1 2 # one\n", TYPE_F64, ANY, "2 2", "0,1:1"},
    {"edges", "1,,2\n", TYPE_F64, ANY, NULL, "x:1:1: '1,,2' is not a coordinate"},
    {"edges", "1 2\n,1,2\n", TYPE_F64, ANY, NULL, "x:2:1: ',1,2' is not a coordinate"},
    {"edges", "1 2\n1,2,\n", TYPE_F64, ANY, NULL, "x:2:3: '2,' is not a coordinate"},
    {"edges", "1,2,3\n1,2,3,\n", TYPE_F64, ANY, NULL, "x:2:5: '3,' is not a number"},
    {"edges", "1,2,3\n1,2,3,4\n", TYPE_F64, ANY, NULL, "x:2:6: more than 3 numbers on the line"},
    {"edges", "1,2,3\n1,2\n", TYPE_F64, ANY, NULL,
     "x:2:4: the line ends where a value is expected"},
    {"edges", "1 2 1 1082008561\n", TYPE_F64, ANY, NULL,
     "x:1:1: a line has 4 fields, but an edge is two nodes and perhaps a weight"},
    {"edges", "source,target\n1,2\n", TYPE_F64, ANY, NULL,
     "x:1:1: 'source,target' is not a coordinate"},
    {"edges", "0,2\n", TYPE_F64, ANY, NULL, "x:1:1: the coordinate 0 is below 1"},
    {"edges", "1 2\n", TYPE_F64, 1, NULL,
     "x: a list of edges is a matrix, and the tensor has the order 1"},
};

static void forms_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct form *f = &forms[i];
        struct coords coords;
        struct rt_error error;
        char text[1000], sizes[200];
        for (int64_t chunk = 0; chunk < 10; chunk += 3) {
            struct io_request request = {
                .type = f->type, .order = f->order, .format = f->format, .chunk = chunk};
            enum rt_status status =
                io_read_text("x", f->text, strlen(f->text), &request, &coords, &error);
            if (!f->sizes) {
                if (status != RT_INPUT)
                    fail_msg("no error in\n%s", f->text);
                assert_string_equal(error.message, f->entries);
                continue;
            }
            if (status != RT_OK)
                fail_msg("%s\n%s", f->text, error.message);
            show_sizes(&coords, sizes, sizeof sizes);
            assert_string_equal(sizes, f->sizes);
            assert_int_equal(coords_check(&coords, 1, NULL, NULL), RT_OK);
            if (coords.order == 2 && coords.n > 1) /* mirror images come after a chunk's entries */
                assert_int_equal(coords_sort(&coords, 1, NULL), RT_OK);
            show(&coords, text, sizeof text);
            assert_string_equal(text, f->entries);
            coords_free(&coords);
        }
    }
}

static void known_sizes_are_kept(void **state)
{
    (void)state;
    struct coords coords;
    struct rt_error error;
    struct io_facts facts;
    struct io_request request = {.type = TYPE_F64,
                                 .order = 2,
                                 .format = "edges",
                                 .tensor = "A",
                                 .dimension = (const int64_t[]){-1, 9},
                                 .facts = &facts};
    assert_int_equal(io_read_text("x", "1 2\n3 4\n", 8, &request, &coords, &error), RT_OK);
    assert_true(coords.dimension[0] == 9 && coords.dimension[1] == 9);
    assert_true(facts.pattern && !facts.sized);
    coords_free(&coords);
    request.format = "tns";
    assert_int_equal(io_read_text("x", "2\n3 4\n1 1 5\n", 12, &request, &coords, &error), RT_INPUT);
    assert_string_equal(error.message,
                        "x:2:1: the file has 4 coordinates there, but mode 2 of A has the size 9");
    request.dimension = (const int64_t[]){-1, 4};
    assert_int_equal(io_read_text("x", "2\n3 4\n1 1 5\n", 12, &request, &coords, &error), RT_OK);
    assert_true(facts.sized && coords.dimension[0] == 3);
    coords_free(&coords);
}

/* ---- files that other programs wrote: tests/data/foreign ---- */

struct fixture {
    const char *name;
    enum type type;
    int order;
    const char *sizes, *entries; /* without sizes the message, behind the path */
};

#define MATRIX "4 4", "0,1:1.5 1,2:-2 3,0:3 3,3:4.25"
#ifdef SPCC_BZIP2
#define BZIP2(sizes, entries) sizes, entries
#else
#define BZIP2(sizes, entries) \
    NULL, ": the file is compressed by bzip2, and this spcc was built without its library"
#endif
#ifdef SPCC_XZ
#define XZ(sizes, entries) sizes, entries
#else
#define XZ(sizes, entries) \
    NULL, ": the file is compressed by xz, and this spcc was built without its library"
#endif
#ifdef SPCC_ZSTD
#define ZSTD(sizes, entries) sizes, entries
#else
#define ZSTD(sizes, entries) \
    NULL, ": the file is compressed by zstd, and this spcc was built without its library"
#endif

static const struct fixture fixtures[] = {
    {"csr.npz", TYPE_COUNT, ANY, MATRIX},
    {"csc.npz", TYPE_COUNT, ANY, MATRIX},
    {"coo.npz", TYPE_COUNT, ANY, MATRIX},
    {"dia.npz", TYPE_COUNT, ANY, MATRIX},
    {"csr_stored.npz", TYPE_F32, 2, MATRIX},
    {"array.npz", TYPE_COUNT, ANY, MATRIX},
    {"bsr.npz", TYPE_COUNT, ANY, "4 4",
     "0,0:0 0,1:1.5 0,2:0 0,3:0 1,0:0 1,1:0 1,2:-2 1,3:0 2,0:0 2,1:0 2,2:0 2,3:0 3,0:3 3,1:0 3,2:0 "
     "3,3:4.25"},
    {"ints.npz", TYPE_COUNT, ANY, "4 4", "0,1:6 1,2:-8 3,0:12 3,3:17"},
    {"ints.npz", TYPE_U8, ANY, NULL, ": -8 is out of the range of u8"},
    {"csr.npz", TYPE_I32, ANY, NULL, ": 1.5 is not an integer, and the values are i32"},
    {"csr.npz", TYPE_F64, 1, NULL,
     ": the file holds a matrix of 4 x 4, and the tensor has the order 1"},
    {"complex.npz", TYPE_COUNT, ANY, "4 4", "0,1:(1.5,1.5) 1,2:(-2,-2) 3,0:(3,3) 3,3:(4.25,4.25)"},
    {"complex.npz", TYPE_F64, ANY, NULL, ": the values are complex, and the tensor is f64"},
    {"bool.npz", TYPE_COUNT, ANY, "4 4", "0,1:true 1,2:true 3,0:true 3,3:true"},
    {"row.npz", TYPE_COUNT, ANY, "4", "1:1.5 3:-2"},
    {"row.npz", TYPE_F64, 2, NULL,
     ": the file holds a tensor of order 1, and the tensor has the order 2"},
    {"tensor.npz", TYPE_COUNT, ANY, "2 3 4", "0,1,2:5 1,2,3:-7"},
    {"dense.npz", TYPE_COUNT, ANY, MATRIX},
    {"several.npz", TYPE_COUNT, ANY, NULL,
     ": the file holds neither one array nor a matrix of SciPy: it has x.npy, b.npy"},
    {"several.npz/b.npy", TYPE_COUNT, ANY, "3", "1:1 2:2"},
    {"f.npy", TYPE_COUNT, ANY, MATRIX},
    {"big.npy", TYPE_COUNT, ANY, MATRIX},
    {"half.npy", TYPE_COUNT, ANY, MATRIX},
    {"u64.npy", TYPE_COUNT, ANY, "2", "0:1 1:18446744073709551615"},
    {"u64.npy", TYPE_I64, ANY, NULL, ": 18446744073709551615 is out of the range of i64"},
    {"scalar.npy", TYPE_COUNT, 0, "", ":2.5"},
    {"vector.npy", TYPE_COUNT, 1, "4", "1:1 2:2 3:3"},
    {"objects.npy", TYPE_COUNT, ANY, NULL,
     ": the file is an array of Python objects, which is a program; save it as numbers"},
    {"text.npy", TYPE_COUNT, ANY, NULL, ": the array holds text, not numbers"},
    {"records.npy", TYPE_COUNT, ANY, NULL,
     ": the file has records for elements; save each of their fields"},
    {"bcs.tar.gz", TYPE_COUNT, ANY, "2 2", "0,1:3"},
    {"bcs.tar.gz/bcs/bcs_b.mtx", TYPE_COUNT, 1, "2", "0:7 1:8"},
    {"bcs.tar.gz/bcs/x.mtx", TYPE_COUNT, 1, NULL,
     ": the archive has no bcs/x.mtx: it has bcs/bcs.mtx, bcs/bcs_b.mtx, bcs/bcs_nodename.txt"},
    {"bcs.tar.xz", TYPE_COUNT, ANY, XZ("2 2", "0,1:3")},
    {"bcs.tbz2", TYPE_COUNT, ANY, BZIP2("2 2", "0,1:3")},
    {"bcs.tar.zst", TYPE_COUNT, ANY, ZSTD("2 2", "0,1:3")},
    {"long.tar.gz", TYPE_COUNT, ANY, "2 2", "0,1:3"},
    {"longpax.tar.gz", TYPE_COUNT, ANY, "2 2", "0,1:3"},
    {"m.mtx.bz2", TYPE_COUNT, ANY, BZIP2("2 2", "0,1:3")},
    {"m.mtx.xz", TYPE_COUNT, ANY, XZ("2 2", "0,1:3")},
    {"m.mtx.zst", TYPE_COUNT, ANY, ZSTD("2 2", "0,1:3")},
    {"soc.zip", TYPE_COUNT, ANY, "2 2", "0,1:3"},
    {"soc.zip/readme.html", TYPE_COUNT, ANY, NULL, ": the file is a web page"},
    {"m.mtx.xz/a.mtx", TYPE_COUNT, ANY, XZ(NULL, ": the file is no archive that could hold a.mtx")},
};

static char folder[] = "/tmp/spcc-foreign-XXXXXX";

static enum rt_status read_file(const char *path, enum type type, int order, struct coords *coords,
                                struct rt_error *error)
{
    static const struct value fill = {.type = TYPE_F64};
    struct io_request request = {.type = type, .order = order, .fill = &fill};
    return io_read(path, &request, coords, error);
}

static void expect(const struct fixture *f, const char *path)
{
    struct coords coords;
    struct rt_error error;
    char text[1000], sizes[200];
    enum rt_status status = read_file(path, f->type, f->order, &coords, &error);
    if (!f->sizes) {
        if (status != RT_INPUT || !strstr(error.message, f->entries))
            fail_msg("%s: %s", f->name, status == RT_OK ? "no error" : error.message);
        return;
    }
    if (status != RT_OK)
        fail_msg("%s", error.message);
    assert_int_equal(coords_check(&coords, 1, NULL, NULL), RT_OK);
    assert_int_equal(coords_sort(&coords, 1, NULL), RT_OK);
    show_sizes(&coords, sizes, sizeof sizes);
    show(&coords, text, sizeof text);
    if (strcmp(sizes, f->sizes) != 0 || strcmp(text, f->entries) != 0)
        fail_msg("%s: %s: %s", f->name, sizes, text);
    coords_free(&coords);
}

static const char *data_path(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/foreign/%s", getenv("SPCC_SOURCE"), name);
    return path;
}

static void other_programs_files_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++)
        expect(&fixtures[i], data_path(fixtures[i].name));
}

/* ---- damage: every byte of every file, changed and cut off ---- */

static size_t read_bytes(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(bytes, 1, size, file);
    fclose(file);
    return n;
}

static const char *write_bytes(const char *name, const char *bytes, size_t n)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
    return path;
}

static void damaged_files_are_read_or_refused(void **state)
{
    (void)state;
    char bytes[4096];
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        const struct fixture *f = &fixtures[i];
        if (!f->sizes || strchr(f->name, '/'))
            continue;
        size_t n = read_bytes(data_path(f->name), bytes, sizeof bytes);
        for (size_t k = 0; k < 2 * n; k += 1 + n / 150) {
            struct coords coords;
            struct rt_error error;
            char *at = &bytes[k % n], was = *at;
            *at = (char)(*at ^ (k % 3 ? 0xff : 0x10));
            const char *path = write_bytes(f->name, bytes, k < n ? n : k - n);
            *at = was;
            enum rt_status status = read_file(path, TYPE_COUNT, ANY, &coords, &error);
            assert_true(status == RT_OK || status == RT_INPUT || status == RT_NO_MEMORY);
            if (status == RT_OK)
                assert_int_equal(coords_check(&coords, 1, NULL, NULL), RT_OK);
            coords_free(&coords);
            remove(path);
        }
    }
}

/* ---- what files look like that are not read ---- */

static void files_that_are_not_read_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *message, *help;
    } looks[] = {
        {"a.mtx", "<!DOCTYPE html><html>", "is a web page", "the download has failed"},
        {"a.tns", "version https://git-lfs.github.com/spec/v1\n", "is a pointer of Git LFS", "lfs"},
        {"a.mat", "MATLAB 5.0 MAT-file, Platform", "is a MATLAB file", "mmwrite"},
        {"a.h5", "\x89HDF\r\n\x1a\n", "is an HDF5 file", "save_npz"},
        {"a.7z", "7z\xbc\xaf\x27\x1c", "is a 7z archive", "unpack it"},
        {"a.csv", "1,2,3\n", "the name does not give the file format", ".edges, .mtx"},
        {"a.zip", "PK\5\6", "the zip archive is cut off", ""},
    };
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        struct coords coords;
        struct rt_error error;
        const char *path = write_bytes(looks[i].name, looks[i].text, strlen(looks[i].text));
        assert_int_equal(read_file(path, TYPE_F64, ANY, &coords, &error), RT_INPUT);
        if (!strstr(error.message, looks[i].message) || !strstr(error.help, looks[i].help))
            fail_msg("%s\n%s", error.message, error.help);
        remove(path);
    }
    /* How it begins counts for more than its name, as does what is in an archive. */
    struct fixture npz = {"x.dat", TYPE_COUNT, ANY, MATRIX};
    char bytes[4096];
    size_t n = read_bytes(data_path("csr.npz"), bytes, sizeof bytes);
    expect(&npz, write_bytes("x.dat", bytes, n));
    remove(write_bytes("x.dat", bytes, n));
    npz.sizes = NULL;
    npz.entries = "or compressed again";
    gzFile gz = gzopen(write_bytes("x.npz.gz", "", 0), "wb");
    assert_int_equal(gzwrite(gz, bytes, (unsigned)n), n);
    assert_int_equal(gzclose(gz), Z_OK);
    char packed[200];
    snprintf(packed, sizeof packed, "%s/x.npz.gz", folder);
    expect(&npz, packed);
    remove(packed);
    struct coords coords;
    const char *text = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n";
    const char *path = write_bytes("a.txt", text, strlen(text));
    assert_int_equal(read_file(path, TYPE_F64, ANY, &coords, NULL), RT_OK);
    assert_true(coords.n == 1 && coords.dimension[0] == 2);
    coords_free(&coords);
    remove(path);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_read),
        cmocka_unit_test(known_sizes_are_kept),
        cmocka_unit_test(other_programs_files_are_read),
        cmocka_unit_test(damaged_files_are_read_or_refused),
        cmocka_unit_test(files_that_are_not_read_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
