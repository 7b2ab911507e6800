/* test_io.c - what the system is asked to do with files and processes fails once, at every step
 * there is.
 *
 * The program is linked with --wrap for the calls below, so that the library's own pass through
 * here.  A file is read or written, a kernel is compiled by a C compiler, found on disk and kept
 * there, with the n-th call failing, for n = 0, 1, ... until none fails, and for several errors:
 * each time the result is right or a message says why not; no file, descriptor or process is left;
 * and the same again in the same context, without failures, works.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/api/support.h"

/* ---- calls that fail ---- */

enum how { WITH_ERROR, INTERRUPTED, IN_PIECES };

static struct plan {
    long countdown; /* calls until one fails; negative: none does */
    int error;
    /* INTERRUPTED and IN_PIECES are for read and write alone */
    enum how how;
    bool has_nameless; /* does the file system know files without a name? */
    bool failed;
} first = {.countdown = -1, .has_nameless = true};

/* In the tests it is shared with the processes that are started, whose calls count as well. */
static struct plan *plan = &first;

static bool counts_down(void)
{
    if (plan->countdown < 0 || plan->countdown-- > 0)
        return false;
    errno = plan->error;
    return plan->failed = true;
}

static bool fails(void) { return plan->how == WITH_ERROR && counts_down(); }

/* The calls whose failure is a result of -1. */
#define CALL(type, name, parameters, arguments) \
    type __real_##name parameters;              \
    type __wrap_##name parameters;              \
    type __wrap_##name parameters { return fails() ? (type)-1 : __real_##name arguments; }

CALL(int, open64, (const char *path, int flags, mode_t mode), (path, flags, mode))
CALL(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new))
CALL(int, linkat, (int from, const char *old, int to, const char *new, int flags),
     (from, old, to, new, flags))
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode))
CALL(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode))
CALL(int, fsync, (int fd), (fd))
CALL(int, fchmod, (int fd, mode_t mode), (fd, mode))
CALL(int, pipe2, (int *ends, int flags), (ends, flags))
CALL(int, dup2, (int from, int to), (from, to))
CALL(int, fcntl64, (int fd, int what, long argument), (fd, what, argument))
CALL(int, fstat64, (int fd, struct stat *s), (fd, s))
CALL(int, execve, (const char *path, char *const *argv, char *const *environment),
     (path, argv, environment))
CALL(void *, mmap64, (void *at, size_t n, int access, int flags, int fd, off_t to),
     (at, n, access, flags, fd, to))
CALL(int, mprotect, (void *at, size_t n, int access), (at, n, access))

int __real_openat64(int folder, const char *path, int flags, mode_t mode);
int __wrap_openat64(int folder, const char *path, int flags, mode_t mode);
int __real_close(int fd);
int __wrap_close(int fd);
ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);
ssize_t __real_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n);
FILE *__real_fopen64(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);
size_t __real_fread(void *to, size_t size, size_t n, FILE *file);
size_t __wrap_fread(void *to, size_t size, size_t n, FILE *file);
pid_t __wrap_vfork(void);

int __wrap_openat64(int folder, const char *path, int flags, mode_t mode)
{
    bool is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
    if (is_nameless && !plan->has_nameless)
        errno = EOPNOTSUPP;
    return (is_nameless && !plan->has_nameless) || fails()
               ? -1
               : __real_openat64(folder, path, flags, mode);
}

/* Whatever it returns, the descriptor is gone. */
int __wrap_close(int fd)
{
    int result = __real_close(fd);
    return fails() ? -1 : result;
}

static bool stops(void) { return plan->how != IN_PIECES && counts_down(); }
static size_t piece(size_t n) { return plan->how == IN_PIECES && n > 1 ? 1 : n; }

ssize_t __wrap_read(int fd, void *to, size_t n)
{
    return stops() ? -1 : __real_read(fd, to, piece(n));
}
ssize_t __wrap_write(int fd, const void *from, size_t n)
{
    return stops() ? -1 : __real_write(fd, from, piece(n));
}
FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return fails() ? NULL : __real_fopen64(path, mode);
}
size_t __wrap_fread(void *to, size_t size, size_t n, FILE *file)
{
    return fails() ? 0 : __real_fread(to, size, n, file);
}

/* A function cannot return twice for another; what a caller of vfork may rely on is that the child
 * has ended or become another program when the parent goes on. */
pid_t __wrap_vfork(void)
{
    int ends[2];
    char byte;
    if (fails() || __real_pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0)
        return 0;
    __real_close(ends[1]);
    while (__real_read(ends[0], &byte, 1) > 0)
        continue;
    __real_close(ends[0]);
    return pid;
}

/* ---- folders ---- */

static char folder[] = "/tmp/spcc-api-io-XXXXXX";

static const char *place(const char *name)
{
    static char path[4][256];
    static int next;
    char *at = path[next++ % 4];
    snprintf(at, sizeof path[0], "%s/%s", folder, name);
    return at;
}

/* The entries of a folder; not those that end so. */
static int entries(const char *path, const char *but)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    int n = -2;
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        size_t length = strlen(entry->d_name), end = but ? strlen(but) : 0;
        n += !(but && length >= end && strcmp(entry->d_name + length - end, but) == 0);
    }
    closedir(dir);
    return n;
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *at)
{
    return remove(path);
}

static void empty_folder(const char *name)
{
    nftw(place(name), remove_one, 8, FTW_DEPTH | FTW_PHYS);
    assert_int_equal(mkdir(place(name), 0700), 0);
}

/* A C compiler that compiles nothing twice: after the first time it takes as long as copying a
 * file.  cc links. */
static void make_compiler(void)
{
    FILE *script = fopen(place("cc"), "w");
    assert_non_null(script);
    fprintf(script,
            "#!/bin/sh\n[ \"$1\" = -shared ] && exec cc \"$@\"\nwhile [ \"$1\" != -o ]; do shift; "
            "done\n"
            "kept=%s/objects/$(cksum < \"$3\" | tr ' ' -)\n"
            "[ -f \"$kept\" ] || cc -std=c11 -O1 -fPIC -fno-asynchronous-unwind-tables -c -o "
            "\"$kept\" \"$3\"\n"
            "exec cp \"$kept\" \"$2\"\n",
            folder);
    assert_int_equal(fclose(script), 0);
    assert_int_equal(chmod(place("cc"), 0700), 0);
}

/* ---- what is done ---- */

struct world {
    spcc_context *context;
    spcc_tensor *A, *old; /* two matrices that differ in their values */
};

typedef spcc_status scenario(struct world *world);

static bool same(const spcc_tensor *a, const spcc_tensor *b)
{
    const double *x = spcc_tensor_values(a), *y = spcc_tensor_values(b);
    return spcc_tensor_stored(a) == 3 && spcc_tensor_stored(b) == 3
           && memcmp(x, y, 3 * sizeof *x) == 0;
}

static spcc_status read_from(struct world *world, const char *name)
{
    spcc_tensor *tensor = NULL;
    spcc_read_options options = {.size = sizeof options, .order = 2, .dimensions = sample_size};
    spcc_status status =
        spcc_tensor_read(world->context, place(name), "csr", SPCC_F64, &options, &tensor);
    assert_true((status == SPCC_OK) == (tensor != NULL));
    assert_true(!tensor || same(tensor, world->A));
    spcc_tensor_free(tensor);
    return status;
}

static spcc_status read_mtx(struct world *world) { return read_from(world, "in/A.mtx"); }
static spcc_status read_gzip(struct world *world) { return read_from(world, "in/A.mtx.gz"); }
static spcc_status read_tns(struct world *world) { return read_from(world, "in/A.tns"); }
static spcc_status read_rb(struct world *world) { return read_from(world, "in/A.rb"); }

static spcc_status write_to(struct world *world, const char *name, bool sync)
{
    spcc_write_options options = {.size = sizeof options, .sync = sync};
    return spcc_tensor_write_with(world->context, world->A, place(name), &options);
}

static spcc_status write_new(struct world *world) { return write_to(world, "out/new.mtx", false); }
static spcc_status write_gzip(struct world *world)
{
    return write_to(world, "out/new.mtx.gz", false);
}
static spcc_status write_synced(struct world *world)
{
    return write_to(world, "out/new.mtx", true);
}
static spcc_status replace(struct world *world) { return write_to(world, "out/old.mtx", false); }

static spcc_status compile_and_run(struct world *world)
{
    const spcc_declaration declarations[] = {{.name = "A", .format = "csr"}};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = declarations, .n_declarations = 1};
    spcc_kernel *kernel = NULL;
    spcc_status status = spcc_compile(world->context, "y(i) = A(i,j)", &options, &kernel);
    if (status != SPCC_OK)
        return status;
    assert_true(entries(place("cache"), NULL) > 0 || spcc_kernel_get_info(kernel)->note);
    spcc_tensor *y = empty(world->context, NULL, 1);
    status = spcc_run(world->context, kernel, y, world->A);
    if (status == SPCC_OK) {
        assert_int_equal(spcc_tensor_stored(y), 3);
        assert_memory_equal(spcc_tensor_values(y), ((const double[]){5, 0, 8}), 3 * sizeof(double));
    }
    spcc_tensor_free(y);
    spcc_kernel_free(kernel);
    return status;
}

static spcc_status look_at_cache(struct world *world)
{
    spcc_cache_info *info;
    spcc_status status = spcc_cache_look(world->context, &info);
    if (status == SPCC_OK) {
        assert_string_equal(info->folder, place("cache"));
        assert_true(info->kernels >= 0 || info->trouble);
    }
    spcc_free(info);
    return status;
}

/* ---- before and after ---- */

static void open_world(struct world *world)
{
    spcc_options options = {.size = sizeof options,
                            .engine = SPCC_ENGINE_CC,
                            .cache = place("cache"),
                            .threads = 1,
                            .cc = place("cc")};
    static const double others[] = {2, 3, 4};
    assert_int_equal(spcc_context_new(&options, &world->context), SPCC_OK);
    world->A = sample(world->context, "csr");
    expect(world->context, SPCC_OK,
           spcc_tensor_from_coords(world->context, "csr", SPCC_F64, 2, sample_size, 3,
                                   sample_coordinates, others, NULL, &world->old));
    empty_folder("out");
    expect(world->context, SPCC_OK,
           spcc_tensor_write(world->context, world->old, place("out/old.mtx")));
}

/* What is there is whole, and new only where the call has succeeded or only the disk behind it
 * failed. */
static void check_file(struct world *world, const char *name, bool wrote, bool may_be_new,
                       const spcc_tensor *before)
{
    spcc_tensor *tensor = NULL;
    if (access(place(name), F_OK) != 0) {
        assert_true(!wrote && !before);
        return;
    }
    expect(world->context, SPCC_OK,
           spcc_tensor_read(world->context, place(name), "csr", SPCC_F64, NULL, &tensor));
    assert_true(same(tensor, world->A) ? wrote || may_be_new
                                       : before && !wrote && same(tensor, before));
    spcc_tensor_free(tensor);
}

static void check_files(struct world *world, scenario *play, bool done)
{
    check_file(world, "out/old.mtx", done && play == replace, false, world->old);
    check_file(world, "out/new.mtx", done && (play == write_new || play == write_synced),
               play == write_synced, NULL);
    check_file(world, "out/new.mtx.gz", done && play == write_gzip, false, NULL);
    assert_int_equal(entries(place("out"), NULL) - 1,
                     access(place("out/new.mtx"), F_OK) == 0
                         || access(place("out/new.mtx.gz"), F_OK) == 0);
    assert_int_equal(entries(place("tmp"), NULL), 0);
    assert_int_equal(entries(place("cache"), ".kernel"), 0);
}

static void close_world(struct world *world)
{
    spcc_tensor_free(world->A);
    spcc_tensor_free(world->old);
    spcc_context_free(world->context);
}

/* Does the message say why?  What is read and shorter than it was is an error of the disk. */
static bool tells(const spcc_context *context, spcc_status status, int error)
{
    const char *message = spcc_message(context);
    const char *why = status == SPCC_ERROR_MEMORY ? "out of memory" : strerror(error);
    return strstr(message, why) || strstr(message, strerror(EIO));
}

/* The scenario once, with the call of that number failing, and again without.  Has a call
 * failed? */
static bool fail_at(scenario *play, long call, enum how how, int error)
{
    struct world world;
    int descriptors = entries("/proc/self/fd", NULL);
    open_world(&world);
    plan->countdown = call;
    plan->how = how;
    plan->error = error;
    plan->failed = false;
    spcc_status status = play(&world);
    plan->countdown = -1;
    plan->how = WITH_ERROR;
    if (status != SPCC_OK) {
        assert_true(plan->failed && how == WITH_ERROR);
        assert_int_not_equal(status, SPCC_ERROR_BUG);
        if (!tells(world.context, status, error))
            fail_msg("call %ld, %s: %s", call, strerror(error), spcc_message(world.context));
    }
    check_files(&world, play, status == SPCC_OK);
    expect(world.context, SPCC_OK, play(&world));
    check_files(&world, play, true);
    close_world(&world);
    assert_int_equal(entries("/proc/self/fd", NULL), descriptors);
    assert_true(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    return plan->failed;
}

/* ---- the tests ---- */

static const struct {
    const char *name;
    scenario *play;
} scenarios[] = {
    {"read .mtx", read_mtx},
    {"read .mtx.gz", read_gzip},
    {"read .tns", read_tns},
    {"read .rb", read_rb},
    {"write", write_new},
    {"write .gz", write_gzip},
    {"write to the disk", write_synced},
    {"replace", replace},
    {"kernel", compile_and_run},
    {"look at the cache", look_at_cache},
};

/* The first call, the second, ..., until the scenario has no more; with a full cache, or an
 * empty one each time. */
static long every_call(size_t s, enum how how, int error, bool keeps_cache)
{
    long n = 0;
    for (bool failed = true; failed; n += failed) {
        if (!keeps_cache)
            empty_folder("cache");
        failed = fail_at(scenarios[s].play, n, how, error);
    }
    return n;
}

static void every_call_fails(void **state)
{
    static const int errors[] = {EIO, EMFILE, ENOSPC};
    (void)state;
    for (size_t s = 0; s < sizeof scenarios / sizeof *scenarios; s++)
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
            for (int kind = 0; kind < 4; kind++) {
                plan->has_nameless = kind & 1;
                long n = every_call(s, WITH_ERROR, errors[e], kind & 2);
                assert_true(n > 1);
                if (e == 0)
                    print_message("%s: %ld calls\n", scenarios[s].name, n);
            }
}

static void every_call_is_interrupted(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof scenarios / sizeof *scenarios; s++)
        assert_true(every_call(s, INTERRUPTED, EINTR, false) > 0);
}

static void everything_in_pieces(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof scenarios / sizeof *scenarios; s++) {
        empty_folder("cache");
        assert_false(fail_at(scenarios[s].play, -1, IN_PIECES, 0));
    }
}

static int set_up(void **state)
{
    static const char *const folders[] = {"in", "out", "cache", "tmp", "objects"};
    struct world world;
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++)
        empty_folder(folders[f]);
    setenv("TMPDIR", place("tmp"), 1);
    make_compiler();
    open_world(&world);
    static const char *const files[] = {"in/A.mtx", "in/A.mtx.gz", "in/A.tns", "in/A.rb"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        expect(world.context, SPCC_OK, spcc_tensor_write(world.context, world.A, place(files[f])));
    expect(world.context, SPCC_OK, compile_and_run(&world)); /* what is opened once for good */
    close_world(&world);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_fails),
                                       cmocka_unit_test(every_call_is_interrupted),
                                       cmocka_unit_test(everything_in_pieces)};
    struct plan *shared =
        mmap(NULL, sizeof first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    *shared = first;
    plan = shared;
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
