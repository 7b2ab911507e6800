/* wheel.c - writes Python wheels by the binary distribution format 1.0: a zip archive with the
 * file, its description, and a record of all members with their hashes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/wheel.h"

#include <string.h>

#include "compiler/base/text.h"
#include "runtime/io/file_format.h"
#include "runtime/io/output.h"
#include "runtime/io/zip.h"
#include "runtime/jit/sha256.h"

/* The parts of a wheel's name. */
enum { NAME, VERSION, PYTHON, ABI, PLATFORM, PARTS };

bool wheel_is_name(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".whl") == 0;
}

/* Splits the name, in cx's arena; false if it has more or fewer parts. */
static bool split_name(struct context *cx, const char *path, const char *part[PARTS])
{
    const char *slash = strrchr(path, '/'), *at = slash ? slash + 1 : path;
    const char *end = path + strlen(path) - strlen(".whl");
    for (int p = 0; p < PARTS; p++) {
        size_t n = strcspn(at, "-");
        n = p == PLATFORM ? (size_t)(end - at) : n;
        if (n == 0 || at + n > end || (p < PLATFORM && at[n] != '-'))
            return false;
        part[p] = arena_strndup(cx->arena, at, n);
        at += n + 1;
    }
    return !strchr(part[PLATFORM], '-');
}

/* Adds the hash in base 64 for addresses, without padding. */
static void add_hash(struct text *out, const void *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned char digest[SHA256_SIZE + 1] = {0};
    sha256_of(bytes, n, digest);
    for (int bit = 0; bit < 8 * SHA256_SIZE; bit += 6) {
        unsigned two = (unsigned)digest[bit / 8] << 8 | digest[bit / 8 + 1];
        text_printf(out, "%c", digits[two >> (10 - bit % 8) & 63]);
    }
}

/* Adds a member, and its line in the record. */
static void add_member(struct zip_writer *zip, struct text *record, const char *name,
                       const void *bytes, size_t n)
{
    zip_add(zip, name, NULL, 0, bytes, n);
    text_printf(record, "%s,sha256=", name);
    add_hash(record, bytes, n);
    text_printf(record, ",%zu\n", n);
}

static void add_all(struct context *cx, struct zip_writer *zip, const char *const part[PARTS],
                    const void *bytes, size_t n)
{
    const char *info = arena_printf(cx->arena, "%s-%s.dist-info", part[NAME], part[VERSION]);
    const char *metadata = arena_printf(
        cx->arena, "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: kernels for spcc\n",
        part[NAME], part[VERSION]);
    const char *wheel = arena_printf(cx->arena,
                                     "Wheel-Version: 1.0\nGenerator: spcc\nRoot-Is-Purelib: false\n"
                                     "Tag: %s-%s-%s\n",
                                     part[PYTHON], part[ABI], part[PLATFORM]);
    struct text record = text_new(cx->arena);
    add_member(zip, &record, arena_printf(cx->arena, "spcc/packs/%s.so", part[NAME]), bytes, n);
    add_member(zip, &record, arena_printf(cx->arena, "%s/METADATA", info), metadata,
               strlen(metadata));
    add_member(zip, &record, arena_printf(cx->arena, "%s/WHEEL", info), wheel, strlen(wheel));
    const char *name = arena_printf(cx->arena, "%s/RECORD", info);
    text_printf(&record, "%s,,\n", name);
    zip_add(zip, name, NULL, 0, record.at, record.n);
}

spcc_status wheel_write(struct context *cx, const char *path, const void *bytes, size_t n)
{
    const struct io_writing how = {.threads = 1};
    const char *part[PARTS];
    struct rt_error error;
    struct output *output;
    struct zip_writer zip;
    if (!split_name(cx, path, part)) {
        api_error(cx, SPCC_ERROR_ARGUMENT, "%s: this is no name of a wheel",
                  api_printable(cx, path));
        diag_help(cx, &cx->diags.at[cx->diags.n - 1],
                  "NAME-VERSION-PYTHON-ABI-PLATFORM.whl, as in "
                  "kernels-1.0-py3-none-linux_x86_64.whl");
        return SPCC_ERROR_ARGUMENT;
    }
    if (output_open(&output, path, false, &how, &error) != RT_OK)
        return api_fail(cx, &error);
    zip_begin(&zip, output);
    add_all(cx, &zip, part, bytes, n);
    enum rt_status status = output_close(output, zip_end(&zip, &error), &error);
    return status == RT_OK ? SPCC_OK : api_fail(cx, &error);
}
