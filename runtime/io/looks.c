/* looks.c - recognizes files that cannot be read, and says what to do about them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>
#include <strings.h>

#include "runtime/io/names.h"

struct look {
    const char *begin; /* in any case of letters */
    int n;
    const char *what, *remedy;
};

#define BEGIN(text) text, sizeof text - 1
#define MATLAB      "export it with mmwrite, in MATLAB or, after scipy.io.loadmat, in Python"

static const struct look looks[] = {
    {BEGIN("<!doctype html"), "is a web page", "the download has failed: get the file itself"},
    {BEGIN("<html"), "is a web page", "the download has failed: get the file itself"},
    {BEGIN("version https://git-lfs"), "is a pointer of Git LFS, not the file itself",
     "run git lfs pull"},
    {BEGIN("MATLAB 5.0 MAT-file"), "is a MATLAB file", MATLAB},
    {BEGIN("\x89HDF\r\n\x1a\n"), "is an HDF5 file",
     "export the matrix with scipy.io.mmwrite, or "
     "with scipy.sparse.save_npz"},
    {BEGIN("\x80\x04\x95"), "is a pickle of Python, which is a program",
     "save the matrix with scipy.sparse.save_npz"},
    {BEGIN("PAR1"), "is a Parquet file", "write its columns as a .tns or .edges file"},
    {BEGIN("7z\xbc\xaf\x27\x1c"), "is a 7z archive", "unpack it first"},
    {BEGIN("Rar!"), "is a RAR archive", "unpack it first"},
    {BEGIN("\x04\x22\x4d\x18"), "is compressed by lz4", "decompress it before"},
    {BEGIN("\x1f\x9d"), "is compressed by compress", "decompress it before, with gunzip"},
    {BEGIN("\x1f\xa0"), "is compressed by lzh", "decompress it before"},
    {BEGIN("{"), "is JSON", "write its components as a .tns file"},
};

static enum rt_status refuse_looks(const char *path, const char *what, const char *remedy,
                                   struct rt_error *error)
{
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT, "%.400s: the file %s", path, what);
    rt_help(error, "%s", remedy);
    return status;
}

enum rt_status looks_fail(const char *path, const char *bytes, int64_t n, struct rt_error *error)
{
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (n >= looks[i].n && strncasecmp(bytes, looks[i].begin, (size_t)looks[i].n) == 0)
            return refuse_looks(path, looks[i].what, looks[i].remedy, error);
    return RT_OK;
}
