/* test_whole.c - files are whole or not there, and scratch files are gone, whatever ends the
 * process.
 *
 * openat (openat64 to the linker) passes through here, so that file systems can be played that know
 * no nameless files.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/file/whole.h"
#include "tests/runtime/support.h"

int __real_openat64(int folder, const char *path, int flags, mode_t mode);
int __wrap_openat64(int folder, const char *path, int flags, mode_t mode);

static bool knows_nameless;

int __wrap_openat64(int folder, const char *path, int flags, mode_t mode)
{
    if ((flags & O_TMPFILE) == O_TMPFILE && !knows_nameless) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_openat64(folder, path, flags, mode);
}

/* ---- a folder to work in ---- */

static char folder[] = "/tmp/test-whole-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int entries(void)
{
    DIR *dir = opendir(folder);
    int n = 0;
    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_holds(const char *path, const char *text)
{
    char buffer[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    buffer[fread(buffer, 1, sizeof buffer - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(buffer, text);
}

static void assert_written(const char *path, const char *text, bool sync)
{
    struct whole file;
    assert_int_equal(whole_open(&file, path, sync), 0);
    assert_int_equal(whole_write(&file, text, strlen(text)), 0);
    assert_int_equal(whole_close(&file, 0), 0);
    assert_holds(path, text);
}

/* ---- writing ---- */

static void test_new_and_replaced(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        knows_nameless = kind & 1;
        assert_written(in_folder("a"), "first", kind & 2);
        assert_int_equal(entries(), 1);
        assert_int_equal(chmod(in_folder("a"), 0640), 0);
        assert_written(in_folder("a"), "second", kind & 2);
        assert_int_equal(entries(), 1);
        struct stat s;
        assert_int_equal(stat(in_folder("a"), &s), 0);
        assert_int_equal(s.st_mode & 0777, 0640);
        unlink(in_folder("a"));
    }
}

static void test_longest_name(void **state)
{
    (void)state;
    char name[257];
    for (int kind = 0; kind < 2; kind++) {
        knows_nameless = kind;
        memset(name, 'n', sizeof name);
        name[255] = '\0';
        assert_written(in_folder(name), "long", false);
        assert_written(in_folder(name), "again", false);
        unlink(in_folder(name));
        name[255] = 'n';
        name[256] = '\0';
        struct whole file;
        assert_int_equal(whole_open(&file, in_folder(name), false), ENAMETOOLONG);
        assert_int_equal(entries(), 0);
    }
}

static void test_given_up(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        struct whole file;
        knows_nameless = kind;
        put(in_folder("a"), "old");
        assert_int_equal(whole_open(&file, in_folder("a"), false), 0);
        assert_int_equal(whole_write(&file, "new", 3), 0);
        assert_int_equal(whole_close(&file, EIO), EIO);
        assert_holds(in_folder("a"), "old");
        assert_int_equal(entries(), 1);
        unlink(in_folder("a"));
    }
}

static void test_link_stays(void **state)
{
    (void)state;
    knows_nameless = true;
    put(in_folder("a"), "old");
    assert_int_equal(symlink("a", in_folder("l")), 0);
    assert_written(in_folder("l"), "new", false);
    assert_holds(in_folder("a"), "new");
    struct stat s;
    assert_int_equal(lstat(in_folder("l"), &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    unlink(in_folder("a"));
    unlink(in_folder("l"));
}

static void test_refused(void **state)
{
    (void)state;
    struct whole file;
    assert_int_equal(whole_open(&file, folder, false), EISDIR);
    assert_int_equal(whole_open(&file, "", false), ENOENT);
    assert_int_equal(whole_open(&file, in_folder("none/a"), false), ENOENT);
    assert_int_equal(whole_open(&file, "/dev/full", false), 0);
    assert_int_equal(whole_write(&file, "x", 1), ENOSPC);
    assert_int_equal(whole_close(&file, ENOSPC), ENOSPC);
}

/* ---- the end of the process ---- */

static void end_cleanly(int number)
{
    (void)number;
    scratch_clean_up();
    _exit(7);
}

/* In a child: a file half written, and a folder with a file in it; then a signal. */
static void work_and_end(bool cleans)
{
    struct whole file;
    struct scratch scratch;
    if (cleans)
        signal(SIGTERM, end_cleanly);
    int here = open(folder, O_PATH | O_DIRECTORY);
    scratch_begin(&scratch, here);
    if (mkdirat(here, scratch.name, 0700) != 0)
        _exit(1);
    int inside = __real_openat64(here, scratch.name, O_RDONLY | O_DIRECTORY, 0);
    if (!scratch_lock(&scratch, inside) || whole_open(&file, in_folder("a"), false) != 0)
        _exit(1);
    close(__real_openat64(inside, "part", O_CREAT | O_WRONLY, 0600));
    whole_write(&file, "half", 4);
    raise(cleans ? SIGTERM : SIGKILL);
    _exit(1);
}

static int end_of_child(bool cleans)
{
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        work_and_end(cleans);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void test_signal(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        knows_nameless = kind;
        int status = end_of_child(true);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        assert_int_equal(entries(), 0);
    }
}

static void make_old(void)
{
    DIR *dir = opendir(folder);
    struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    for (struct dirent *entry; (entry = readdir(dir));)
        utimensat(dirfd(dir), entry->d_name, long_ago, AT_SYMLINK_NOFOLLOW);
    closedir(dir);
}

static bool is_there(const char *name) { return access(in_folder(name), F_OK) == 0; }

/* As if somebody was at work in or on what is there. */
static int hold(const char *name)
{
    struct scratch scratch = {.folder = open(folder, O_PATH | O_DIRECTORY), .slot = -1};
    memcpy(scratch.name, name, sizeof scratch.name);
    int held = open(in_folder(name), O_RDONLY);
    assert_true(scratch_lock(&scratch, held));
    close(scratch.folder);
    return held;
}

/* What a process that was killed has left goes with the next one that makes something there, the
 * folder at once; nothing else does. */
static void test_killed(void **state)
{
    static const char other_name[] = ".spcc-0123456789abcde.tmp",
                      at_work[] = ".spcc-0123456789abcdef.tmp",
                      elsewhere[] = ".spcc-ghijklmnopqrstuv.tmp";
    (void)state;
    knows_nameless = false;
    int status = end_of_child(false);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(entries(), 2);
    assert_written(in_folder("b"), "new", false);
    /* the file may be about to get its name */
    assert_int_equal(entries(), 2);
    put(in_folder(other_name), "another name");
    put(in_folder(at_work), "somebody is at work");
    mkdir(in_folder(elsewhere), 0700);
    int held = hold(at_work);
    make_old();
    assert_written(in_folder("b"), "newer", false);
    assert_int_equal(entries(), 4);
    assert_true(is_there(at_work));
    close(held);
    assert_written(in_folder("b"), "newest", false);
    assert_int_equal(entries(), 3);
    unlink(in_folder("b"));
    unlink(in_folder(other_name));
    rmdir(in_folder(elsewhere));
}

/* Folders: one that is locked stays; one of this system goes at once, one of another when it is
 * old. */
static void test_left_folders(void **state)
{
    static const char elsewhere[] = ".spcc-ffff000000000000.tmp";
    struct scratch scratch;
    (void)state;
    int here = open(folder, O_PATH | O_DIRECTORY);
    scratch_begin(&scratch, here);
    assert_int_equal(mkdirat(here, scratch.name, 0700), 0);
    assert_int_equal(mkdir(in_folder(elsewhere), 0700), 0);
    int held = hold(scratch.name);
    scratch_remove_left_overs(here);
    assert_int_equal(entries(), 2);
    close(held);
    scratch_remove_left_overs(here);
    assert_false(is_there(scratch.name));
    assert_true(is_there(elsewhere) || memcmp(scratch.name, elsewhere, 10) == 0);
    make_old();
    scratch_remove_left_overs(here);
    assert_int_equal(entries(), 0);
    scratch_end(&scratch);
    close(here);
}

/* Who is about to lock a folder sees that it was taken for left over. */
static void test_taken_for_left_over(void **state)
{
    struct scratch scratch;
    (void)state;
    int here = open(folder, O_PATH | O_DIRECTORY);
    scratch_begin(&scratch, here);
    assert_int_equal(mkdirat(here, scratch.name, 0700), 0);
    int inside = openat(here, scratch.name, O_RDONLY | O_DIRECTORY);
    int other = openat(here, scratch.name, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(other, LOCK_EX | LOCK_NB), 0);
    assert_false(scratch_lock(&scratch, inside));
    close(other);
    assert_true(scratch_lock(&scratch, inside));
    assert_int_equal(unlinkat(here, scratch.name, AT_REMOVEDIR), 0);
    assert_false(scratch_lock(&scratch, inside));
    close(inside);
    scratch_end(&scratch);
    close(here);
}

/* More names at once than the table holds: they work as well, and are not lost where they can be
 * told. */
static void test_many(void **state)
{
    (void)state;
    enum { MANY = 300 };
    static struct scratch scratch[MANY];
    for (int i = 0; i < MANY; i++)
        scratch_begin(&scratch[i], AT_FDCWD);
    assert_true(scratch[0].slot >= 0 && scratch[MANY - 1].slot < 0);
    assert_string_not_equal(scratch[0].name, scratch[1].name);
    for (int i = 0; i < MANY; i++)
        scratch_end(&scratch[i]);
    scratch_begin(&scratch[0], AT_FDCWD);
    assert_true(scratch[0].slot >= 0);
    scratch_end(&scratch[0]);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_and_replaced),
        cmocka_unit_test(test_longest_name),
        cmocka_unit_test(test_given_up),
        cmocka_unit_test(test_link_stays),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_left_folders),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_taken_for_left_over),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
