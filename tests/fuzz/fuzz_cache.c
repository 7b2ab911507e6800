/* fuzz_cache.c - entries of the kernel cache that were damaged in any way: found as they were
 * written, or not at all.
 *
 * The first two bytes say where the entry's file is changed, the third how, the fourth by how much
 * it is cut or lengthened; the rest is what the entry holds, and, where the third byte is odd, the
 * whole file instead, found if it happens to be one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/jit/cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHOICES = 4 };

static char folder[] = "/tmp/spcc-fuzz-cache-XXXXXX";

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void remove_folder(void)
{
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(folder);
}

static struct cache *open_cache(void)
{
    static struct cache cache = {.directory = -1};
    char *note;
    if (cache.directory >= 0)
        return &cache;
    require(mkdtemp(folder) && atexit(remove_folder) == 0);
    cache_open(&cache, folder, 1 << 20, &note);
    require(cache.directory >= 0 && !note);
    return &cache;
}

/* The file of the only entry. */
static int open_entry(const struct cache *cache, const unsigned char key[SHA256_SIZE])
{
    char name[2 * SHA256_SIZE];
    for (int i = 0; i < 16; i++)
        snprintf(name + 2 * i, 3, "%02x", key[i]);
    strcat(name, ".kernel");
    return openat(cache->directory, name, O_RDWR | O_CLOEXEC);
}

static void replace(int fd, const struct cache_entry *file)
{
    require(ftruncate(fd, 0) == 0 && pwrite(fd, file->data, file->size, 0) == (ssize_t)file->size);
}

/* True if the file is other than it was. */
static bool damage(int fd, const uint8_t *choice)
{
    struct stat s;
    unsigned char byte;
    require(fstat(fd, &s) == 0);
    off_t at = (choice[0] | choice[1] << 8) % s.st_size, end = s.st_size + (int8_t)choice[3];
    require(pread(fd, &byte, 1, at) == 1);
    byte ^= choice[2];
    require(pwrite(fd, &byte, 1, at) == 1 && ftruncate(fd, end < 0 ? 0 : end) == 0);
    return (choice[2] && at < end) || end != s.st_size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char key[SHA256_SIZE] = {1, 2, 3};
    if (size < CHOICES)
        return 0;
    const struct cache *cache = open_cache();
    struct cache_entry put = {(void *)(data + CHOICES), size - CHOICES}, got = {NULL, 0};
    require(cache_put(cache, key, &put) == 0);
    int fd = open_entry(cache, key);
    require(fd >= 0);
    bool whole = data[2] & 1, damaged = !whole && damage(fd, data);
    if (whole)
        replace(fd, &put);
    close(fd);
    bool found = cache_get(cache, key, &got);
    require(whole || found != damaged);
    /* before what the entry holds */
    size_t header = whole ? put.size - got.size : 0;
    require(!found || got.size + header == put.size);
    require(!found || got.size == 0 || memcmp(got.data, data + CHOICES + header, got.size) == 0);
    fd = open_entry(cache, key);
    require((fd >= 0) == found); /* what cannot be trusted is removed */
    if (fd >= 0)
        close(fd);
    if (found)
        free(got.data);
    return 0;
}
