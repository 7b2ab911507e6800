/* pack.c - reads, searches and writes a file of kernels.
 *
 * The file is read, not opened as a library, so a pack that is passed over has run no code.
 * Places in it are checked against its size: the section's by the headers of the ELF file, the
 * objects' by the section.  An object is checked by its digest when it is taken.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/pack.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/file/whole.h"
#include "runtime/jit/cpu.h"

#ifndef SPCC_VERSION
#define SPCC_VERSION "0"
#endif

static const char magic[8] = {'s', 'p', 'c', 'c', 'p', 'a', 'c', 'k'};

/* The alignment of objects in the section, and of the section in the file. */
enum { ALIGNMENT = 16, FILE_MOST = 1 << 30 };

struct pack_head {
    char magic[8];
    unsigned char abi[SHA256_SIZE]; /* what kernels and runtime agree on */
    uint64_t entries;
    uint64_t unused; /* 0 */
};

/* Another version may call kernels differently, or have another layout of the pack. */
static void abi_of(unsigned char abi[SHA256_SIZE])
{
    static const char text[] = "pack 1 of spcc " SPCC_VERSION;
    sha256_of(text, sizeof text, abi);
}

/* ---- reading ---- */

static bool is_within(uint64_t at, uint64_t size, uint64_t all)
{
    return at <= all && size <= all - at;
}

/* Returns the section .spcc.pack as a whole, NULL if there is none. */
static const unsigned char *find_section(const struct pack *pack, uint64_t *size)
{
    const unsigned char *file = pack->file;
    Elf64_Ehdr elf;
    if (pack->file_size < sizeof elf)
        return NULL;
    memcpy(&elf, file, sizeof elf);
    if (memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64
        || elf.e_shentsize != sizeof(Elf64_Shdr) || elf.e_shstrndx >= elf.e_shnum
        || !is_within(elf.e_shoff, (uint64_t)elf.e_shnum * sizeof(Elf64_Shdr), pack->file_size))
        return NULL;
    Elf64_Shdr names, section;
    memcpy(&names, file + elf.e_shoff + elf.e_shstrndx * sizeof names, sizeof names);
    if (!is_within(names.sh_offset, names.sh_size, pack->file_size))
        return NULL;
    for (size_t i = 0; i < elf.e_shnum; i++) {
        memcpy(&section, file + elf.e_shoff + i * sizeof section, sizeof section);
        if (is_within(section.sh_name, sizeof PACK_SECTION, names.sh_size)
            && memcmp(file + names.sh_offset + section.sh_name, PACK_SECTION, sizeof PACK_SECTION)
                   == 0
            && section.sh_type != SHT_NOBITS && section.sh_offset % ALIGNMENT == 0
            && is_within(section.sh_offset, section.sh_size, pack->file_size)) {
            *size = section.sh_size;
            return file + section.sh_offset;
        }
    }
    return NULL;
}

/* Finds the entries, if everything is consistent; else says why not. */
static const char *check_pack(struct pack *pack)
{
    uint64_t size = 0;
    unsigned char abi[SHA256_SIZE];
    pack->section = find_section(pack, &size);
    if (!pack->section || size < sizeof(struct pack_head)
        || memcmp(pack->section, magic, sizeof magic) != 0)
        return "it is no pack of kernels, or not whole";
    const struct pack_head *head = (const void *)pack->section;
    abi_of(abi);
    if (memcmp(head->abi, abi, sizeof abi) != 0)
        return "it was made by another version of spcc";
    pack->entry = (const void *)(pack->section + sizeof *head);
    uint64_t room = (size - sizeof *head) / sizeof *pack->entry;
    if (head->entries > room)
        return "it is not whole";
    pack->entries = (size_t)head->entries;
    for (size_t e = 0; e < pack->entries; e++)
        if (!is_within(pack->entry[e].at, pack->entry[e].size, size)
            || pack->entry[e].at % ALIGNMENT != 0
            || pack->entry[e].machine[PACK_MACHINE - 1] != '\0')
            return "it is not whole";
    return NULL;
}

bool pack_open(struct pack *pack, const char *path, char **why)
{
    *pack = (struct pack){.path = strdup(path)};
    int error = pack->path ? whole_read(path, FILE_MOST, &pack->file, &pack->file_size) : ENOMEM;
    const char *fault = error == EINVAL ? "it is no file, or too long"
                        : error         ? strerror(error)
                                        : check_pack(pack);
    if (!fault)
        return true;
    if (asprintf(why, "the pack %s is passed over: %s", path, fault) < 0)
        *why = NULL;
    pack_close(pack);
    return false;
}

void pack_close(struct pack *pack)
{
    free(pack->path);
    free(pack->file);
    *pack = (struct pack){0};
}

const struct pack_entry *pack_find(const struct pack *pack,
                                   const unsigned char request[SHA256_SIZE], const char **machine)
{
    *machine = NULL;
    for (size_t e = 0; e < pack->entries; e++) {
        const struct pack_entry *entry = &pack->entry[e];
        if (memcmp(entry->request, request, SHA256_SIZE) != 0)
            continue;
        if (cpu_runs(entry->machine))
            return entry;
        *machine = entry->machine;
    }
    return NULL;
}

void pack_hash_source(const char *source, unsigned char hash[SHA256_SIZE])
{
    sha256_of(source, strlen(source), hash);
}

const void *pack_object(const struct pack *pack, const struct pack_entry *entry,
                        const unsigned char source[SHA256_SIZE], bool threads, size_t *size)
{
    for (size_t e = 0; e < pack->entries; e++) {
        const struct pack_entry *other = &pack->entry[e];
        unsigned char digest[SHA256_SIZE];
        if (memcmp(other->request, entry->request, SHA256_SIZE) != 0
            || memcmp(other->source, source, SHA256_SIZE) != 0
            || strcmp(other->machine, entry->machine) != 0 || (other->threads != 0) != threads)
            continue;
        const void *object = pack->section + other->at;
        sha256_of(object, other->size, digest);
        *size = (size_t)other->size;
        return memcmp(digest, other->digest, SHA256_SIZE) == 0 ? object : NULL;
    }
    return NULL;
}

/* ---- writing ---- */

static uint64_t aligned(uint64_t at) { return (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

void *pack_section(struct pack_entry *entries, void *const *objects, size_t n, size_t *size)
{
    struct pack_head head = {.entries = n};
    uint64_t end = aligned(sizeof head + n * sizeof *entries);
    memcpy(head.magic, magic, sizeof magic);
    abi_of(head.abi);
    for (size_t e = 0; e < n; e++) {
        entries[e].at = end;
        sha256_of(objects[e], entries[e].size, entries[e].digest);
        end = aligned(end + entries[e].size);
    }
    unsigned char *section = calloc(1, end);
    if (!section)
        return NULL;
    memcpy(section, &head, sizeof head);
    if (n > 0)
        memcpy(section + sizeof head, entries, n * sizeof *entries);
    for (size_t e = 0; e < n; e++)
        memcpy(section + entries[e].at, objects[e], entries[e].size);
    *size = end;
    return section;
}
