/* scratch.c - files and folders that exist only for a while.
 *
 * Their names are in a table of atomic slots, the library's one piece of global state, since a
 * signal handler can find nothing else.  A slot that is released while the handler reads it does
 * no harm: a name is never used twice.
 *
 * A process at work holds a lock (flock) on its file or folder.  The system releases the lock with
 * the process, in whatever container that was.  A file of this user that nobody has locked is left
 * over.  Somebody may be about to lock it; then he sees that it is locked or gone, and makes
 * another.  Files are closed just before they get their final name, and some file systems show a
 * machine only its own locks.  So files, and folders whose names do not begin with this system's
 * digits, count as left over only when they are a minute old.
 *
 * Folders are read by the system call, since readdir may allocate, which a signal handler must
 * not.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/file/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 256, AGE_SECONDS = 60, ENTRIES_MOST = 10000, TRIES = 200 };
enum { FREE, TAKEN, NOTED };

static struct slot {
    atomic_int state;
    atomic_int folder;
    atomic_int group;
    char name[SCRATCH_NAME]; /* written while TAKEN */
} slots[SLOTS];

static const char prefix[] = ".spcc-", suffix[] = ".tmp";
enum {
    PREFIX = sizeof prefix - 1,
    SUFFIX = sizeof suffix - 1,
    DIGITS = SCRATCH_NAME - 1 - PREFIX - SUFFIX,
    SYSTEM = 4 /* of the digits */
};

/* ---- reading folders ---- */

/* As the kernel returns them. */
struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

typedef void visitor(int folder, const char *name, const void *data);

/* Calls visit for at most `most` entries, without "." and "..". */
static void for_each_entry(int folder, int most, visitor *visit, const void *data)
{
    _Alignas(struct entry) char buffer[4096];
    long n;
    while ((n = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < n;) {
            const struct entry *entry = (const struct entry *)(const void *)(buffer + at);
            if (most-- == 0)
                return;
            if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0)
                visit(folder, entry->name, data);
            at += entry->length;
        }
}

static void remove_file(int folder, const char *name, const void *data)
{
    (void)data;
    unlinkat(folder, name, 0);
}

int scratch_remove_folder(int folder, const char *name, int inside)
{
    if (inside >= 0)
        for_each_entry(inside, -1, remove_file, NULL);
    return unlinkat(folder, name, AT_REMOVEDIR) == 0 ? 0 : errno;
}

/* ---- names ---- */

/* Digits that identify this system from start to shutdown.  false if they are not known. */
static bool system_digits(char digits[SYSTEM])
{
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    bool known = fd >= 0 && read(fd, digits, SYSTEM) == SYSTEM;
    if (fd >= 0)
        close(fd);
    return known;
}

static bool is_scratch_name(const char *name)
{
    return strlen(name) == SCRATCH_NAME - 1 && memcmp(name, prefix, PREFIX) == 0
           && strspn(name + PREFIX, "0123456789abcdef") == DIGITS
           && strcmp(name + PREFIX + DIGITS, suffix) == 0;
}

static void make_name(char name[SCRATCH_NAME])
{
    static atomic_uint_fast64_t number;
    uint64_t random;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        random = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec << 16 ^ (uint64_t)getpid();
        random += atomic_fetch_add(&number, 1) * UINT64_C(0x9e3779b97f4a7c15);
    }
    memcpy(name, prefix, PREFIX);
    for (int i = 0; i < DIGITS; i++)
        name[PREFIX + i] = "0123456789abcdef"[random >> 4 * i & 15];
    memcpy(name + PREFIX + DIGITS, suffix, sizeof suffix);
    char digits[SYSTEM];
    if (system_digits(digits))
        memcpy(name + PREFIX, digits, SYSTEM);
}

/* ---- leftovers ---- */

/* digits: this system's; NULL: not known. */
static bool may_be_left_over(const struct stat *s, const char *name, const char *digits)
{
    bool own = S_ISDIR(s->st_mode) && digits && memcmp(name + PREFIX, digits, SYSTEM) == 0;
    return s->st_uid == geteuid() && (S_ISREG(s->st_mode) || S_ISDIR(s->st_mode))
           && (own || time(NULL) - s->st_mtime >= AGE_SECONDS);
}

static void remove_left_over(int folder, const char *name, const void *digits)
{
    struct stat s;
    if (!is_scratch_name(name) || fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) != 0
        || !may_be_left_over(&s, name, digits))
        return;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        if (S_ISDIR(s.st_mode))
            scratch_remove_folder(folder, name, fd);
        else
            unlinkat(folder, name, 0);
    }
    if (fd >= 0)
        close(fd);
}

void scratch_remove_left_overs(int folder)
{
    char digits[SYSTEM];
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    for_each_entry(fd, ENTRIES_MOST, remove_left_over, system_digits(digits) ? digits : NULL);
    close(fd);
}

/* ---- the table of names ---- */

static void note(struct scratch *scratch)
{
    make_name(scratch->name);
    scratch->slot = -1;
    for (int i = 0; i < SLOTS && scratch->slot < 0; i++) {
        int state = FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &state, TAKEN))
            scratch->slot = i;
    }
    if (scratch->slot < 0) /* if the process is killed, the next one removes the file */
        return;
    struct slot *slot = &slots[scratch->slot];
    memcpy(slot->name, scratch->name, SCRATCH_NAME);
    slot->folder = scratch->folder;
    slot->group = 0;
    slot->state = NOTED;
}

void scratch_begin(struct scratch *scratch, int folder)
{
    scratch->folder = folder;
    note(scratch);
}

void scratch_end(struct scratch *scratch)
{
    if (scratch->slot >= 0)
        slots[scratch->slot].state = FREE;
    scratch->slot = -1;
}

void scratch_rename(struct scratch *scratch)
{
    scratch_end(scratch);
    note(scratch);
}

void scratch_set_group(const struct scratch *scratch, pid_t group)
{
    if (scratch->slot >= 0)
        slots[scratch->slot].group = group;
}

/* With fcntl's locks (NFS), a shared lock needs a file open for reading, an exclusive one a file
 * open for writing.  Without locks, nothing counts as left over. */
bool scratch_lock(const struct scratch *scratch, int fd)
{
    bool locked = flock(fd, LOCK_SH | LOCK_NB) == 0
                  || (errno != EWOULDBLOCK && flock(fd, LOCK_EX | LOCK_NB) == 0);
    return (locked || errno != EWOULDBLOCK)
           && faccessat(scratch->folder, scratch->name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* ---- cleaning up ---- */

static int open_and_remove(int folder, const char *name)
{
    int inside = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int error = scratch_remove_folder(folder, name, inside);
    if (inside >= 0)
        close(inside);
    return error;
}

/* A child that is being killed may still make a file. */
static void remove_noted(int folder, const char *name)
{
    for (int i = 0; unlinkat(folder, name, 0) != 0 && i < TRIES; i++) {
        if (errno == ENOENT || open_and_remove(folder, name) == 0)
            return;
        poll(NULL, 0, 1);
    }
}

void scratch_remove(struct scratch *scratch)
{
    remove_noted(scratch->folder, scratch->name);
    scratch_end(scratch);
}

void scratch_clean_up(void)
{
    int before = errno;
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].state == NOTED && slots[i].group > 0)
            kill(-slots[i].group, SIGKILL);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].state == NOTED)
            remove_noted(slots[i].folder, slots[i].name);
    errno = before;
}
