/* cache.c - compiled kernels on disk, shared by all processes of a user.
 *
 * Each entry is a file, named by its key:
 *
 *     | magic | key | SHA-256 of the bytes | their number | the bytes |
 *
 * Entries are executed.  So the directory and every file in it must belong to this user and be
 * writable by nobody else, and a file that does not match its header is removed.  The directory is
 * opened once and then used by its descriptor: what was checked is what is used.  A file is
 * written under a name of its own, and renamed when it is complete.  There are no locks; losing a
 * race costs a compilation at worst.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compiler/base/text.h"

struct file_header {
    char magic[8];
    unsigned char key[SHA256_SIZE], digest[SHA256_SIZE];
    uint64_t size;
};

static const char magic[8] = {'s', 'p', 'c', 'c', 'j', 'i', 't', '1'};

enum { ENTRY_MAX = 1 << 28 };
enum { NAME_HEX = 32, NAME_SIZE = NAME_HEX + sizeof ".kernel" };

/* As mkdir -p; missing directories are open to this user only.  0 or errno. */
static int make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *slash = '/';
        /* these may mean that it exists */
        if (failed && errno != EACCES && errno != EROFS)
            return errno;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

static bool is_ours(const struct stat *s)
{
    return s->st_uid == geteuid() && (s->st_mode & 022) == 0;
}

static void say(char **note, const char *path, const char *why)
{
    if (asprintf(note, "the kernel cache %s is not used: %s", path, why) < 0)
        *note = NULL;
}

static char *standard_path(void)
{
    const char *base = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    char *path = NULL;
    int n = -1;
    if (base && base[0] == '/')
        n = asprintf(&path, "%s/spcc", base);
    else if (home && home[0] == '/')
        n = asprintf(&path, "%s/.cache/spcc", home);
    return n < 0 ? NULL : path;
}

void cache_open(struct cache *cache, const char *path, uint64_t limit, char **note)
{
    *cache = (struct cache){.directory = -1, .limit = limit};
    *note = NULL;
    if (path && path[0] == '\0')
        return;
    char *own = cache->path = path ? strdup(path) : standard_path();
    if (!own) {
        say(note, "directory", "neither XDG_CACHE_HOME nor HOME says where it is");
        return;
    }
    int error = make_directories(own);
    int fd = error ? -1 : open(own, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat s;
    if (fd < 0)
        say(note, own, strerror(error ? error : errno));
    else if (fstat(fd, &s) != 0 || !is_ours(&s))
        say(note, own, "it must belong to you and be writable by you alone (chmod 700)");
    else
        cache->directory = fd;
    if (fd >= 0 && cache->directory < 0)
        close(fd);
}

void cache_close(struct cache *cache)
{
    if (cache->directory >= 0)
        close(cache->directory);
    free(cache->path);
    *cache = (struct cache){.directory = -1};
}

char *cache_complaint(const struct cache *cache, int error)
{
    char *text;
    return asprintf(&text, "the kernel cache %s keeps nothing new: %s", cache->path,
                    strerror(error))
                   < 0
               ? NULL
               : text;
}

static void file_name(char name[NAME_SIZE], const unsigned char key[SHA256_SIZE])
{
    for (int i = 0; i < NAME_HEX / 2; i++)
        snprintf(name + 2 * i, 3, "%02x", key[i]);
    strcpy(name + NAME_HEX, ".kernel");
}

static bool read_all(int fd, void *data, size_t size)
{
    char *at = data;
    while (size) {
        ssize_t n = read(fd, at, size);
        if (n <= 0 && !(n < 0 && errno == EINTR))
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static int write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno != EINTR)
            return errno;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static bool read_entry(int fd, const unsigned char key[SHA256_SIZE], struct cache_entry *entry)
{
    struct file_header header;
    struct stat s;
    unsigned char digest[SHA256_SIZE];
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || !is_ours(&s))
        return false;
    if (!read_all(fd, &header, sizeof header) || memcmp(header.magic, magic, sizeof magic) != 0
        || memcmp(header.key, key, SHA256_SIZE) != 0)
        return false;
    if (header.size > ENTRY_MAX || (uint64_t)s.st_size != sizeof header + header.size)
        return false;
    *entry = (struct cache_entry){malloc(header.size + 1), header.size};
    if (!entry->data)
        return false;
    bool good = read_all(fd, entry->data, entry->size);
    if (good)
        sha256_of(entry->data, entry->size, digest);
    if (good && memcmp(digest, header.digest, SHA256_SIZE) == 0)
        return true;
    free(entry->data);
    return false;
}

bool cache_get(const struct cache *cache, const unsigned char key[SHA256_SIZE],
               struct cache_entry *entry)
{
    char name[NAME_SIZE];
    if (cache->directory < 0)
        return false;
    file_name(name, key);
    int fd = openat(cache->directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        /* and not for want of descriptors or memory */
        if (errno == ELOOP || errno == EACCES)
            cache_remove(cache, key);
        return false;
    }
    bool good = read_entry(fd, key, entry);
    if (good)
        futimens(fd, NULL); /* recently used, see trim() */
    else
        cache_remove(cache, key);
    close(fd);
    return good;
}

void cache_remove(const struct cache *cache, const unsigned char key[SHA256_SIZE])
{
    char name[NAME_SIZE];
    file_name(name, key);
    if (cache->directory >= 0)
        unlinkat(cache->directory, name, 0);
}

struct file {
    char name[NAME_SIZE + 48];
    struct timespec used;
    uint64_t size;
};

static int older_first(const void *a, const void *b)
{
    const struct timespec *x = &((const struct file *)a)->used,
                          *y = &((const struct file *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Lists the files of the cache, in memory to free(). Removes what a process that died left
 * half-written. */
static struct file *list_files(const struct cache *cache, size_t *n)
{
    size_t capacity = 0;
    struct file *files = NULL;
    int fd = openat(cache->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    *n = 0;
    if (!dir && fd >= 0)
        close(fd);
    while (dir && (entry = readdir(dir))) {
        struct stat s;
        bool whole = text_ends_in(entry->d_name, ".kernel"),
             part = text_ends_in(entry->d_name, ".kernel-new");
        if (!(whole || part) || strlen(entry->d_name) >= sizeof files->name
            || fstatat(cache->directory, entry->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0
            || !S_ISREG(s.st_mode))
            continue;
        if (part && time(NULL) - s.st_mtime > 3600)
            unlinkat(cache->directory, entry->d_name, 0);
        if (part)
            continue;
        if (*n == capacity) {
            struct file *more = realloc(files, (capacity = 2 * capacity + 64) * sizeof *files);
            if (!more)
                break;
            files = more;
        }
        strcpy(files[*n].name, entry->d_name);
        files[*n].used = s.st_mtim;
        files[(*n)++].size = (uint64_t)s.st_blocks * 512;
    }
    if (dir)
        closedir(dir);
    return files;
}

/* Once in a while, if the cache is too large, removes what has not been used for longest. */
static void trim(const struct cache *cache)
{
    size_t n;
    uint64_t total = 0;
    struct file *files = list_files(cache, &n);
    for (size_t i = 0; i < n; i++)
        total += files[i].size;
    if (total > cache->limit) {
        qsort(files, n, sizeof *files, older_first);
        for (size_t i = 0; i < n && total > cache->limit / 4 * 3; i++) {
            unlinkat(cache->directory, files[i].name, 0);
            total -= files[i].size;
        }
    }
    free(files);
}

/* Makes a new file with a unique name. */
static int create_file(const struct cache *cache, const char *name, char *temporary, size_t size)
{
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        snprintf(temporary, size, "%.16s.%lx.%lx.kernel-new", name, (unsigned long)getpid(),
                 (unsigned long)now.tv_nsec + attempt);
        int fd = openat(cache->directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

int cache_put(const struct cache *cache, const unsigned char key[SHA256_SIZE],
              const struct cache_entry *entry)
{
    char name[NAME_SIZE], temporary[NAME_SIZE + 48];
    struct file_header header = {.size = entry->size};
    if (cache->directory < 0 || entry->size > ENTRY_MAX)
        return 0;
    memcpy(header.magic, magic, sizeof magic);
    memcpy(header.key, key, SHA256_SIZE);
    sha256_of(entry->data, entry->size, header.digest);
    file_name(name, key);
    int fd = create_file(cache, name, temporary, sizeof temporary);
    if (fd < 0)
        return errno;
    int error = write_all(fd, &header, sizeof header);
    error = error ? error : write_all(fd, entry->data, entry->size);
    if (close(fd) != 0 && !error)
        error = errno;
    if (!error && renameat(cache->directory, temporary, cache->directory, name) != 0)
        error = errno;
    if (error)
        unlinkat(cache->directory, temporary, 0);
    else if (key[SHA256_SIZE - 1] % 16 == 0)
        trim(cache);
    return error;
}

/* Returns 0, or why no file can be written. */
static int try_to_write(const struct cache *cache)
{
    static const char page[4096];
    char temporary[NAME_SIZE + 48];
    int fd = create_file(cache, "trial", temporary, sizeof temporary);
    if (fd < 0)
        return errno;
    int error = write_all(fd, page, sizeof page);
    if (close(fd) != 0 && !error)
        error = errno;
    unlinkat(cache->directory, temporary, 0);
    return error;
}

int cache_look(const struct cache *cache, size_t *kernels, uint64_t *bytes)
{
    struct file *files = list_files(cache, kernels);
    *bytes = 0;
    for (size_t i = 0; i < *kernels; i++)
        *bytes += files[i].size;
    free(files);
    return try_to_write(cache);
}
