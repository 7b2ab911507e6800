/* packs.c - the packs that a jit searches.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/packs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/jit/beside.h"

/* without memory the note is lost */
static void add_note(struct packs *packs, char *why)
{
    char *both = NULL;
    if (why && packs->note && asprintf(&both, "%s; %s", packs->note, why) < 0)
        both = NULL;
    if (!packs->note)
        packs->note = why;
    else
        free(why);
    if (both) {
        free(packs->note);
        packs->note = both;
    }
}

static void add_pack(struct packs *packs, const char *path)
{
    char *why = NULL;
    struct pack *more = realloc(packs->at, (packs->n + 1) * sizeof *more);
    if (!more)
        return;
    packs->at = more;
    if (pack_open(&packs->at[packs->n], path, &why))
        packs->n++;
    else
        add_note(packs, why);
}

static void add_list(struct packs *packs, const char *paths)
{
    for (size_t n; paths && *paths; paths += n + (paths[n] == ':')) {
        n = strcspn(paths, ":");
        char *path = n ? strndup(paths, n) : NULL;
        if (path)
            add_pack(packs, path);
        free(path);
    }
}

static int is_library(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 3 && strcmp(entry->d_name + n - 3, ".so") == 0;
}

/* Adds the packs of the folder, by name. */
static void add_folder(struct packs *packs, const char *folder)
{
    struct dirent **entry = NULL;
    int n = folder ? scandir(folder, &entry, is_library, alphasort) : 0;
    for (int i = 0; i < n; i++) {
        char *path;
        if (asprintf(&path, "%s/%s", folder, entry[i]->d_name) >= 0) {
            add_pack(packs, path);
            free(path);
        }
        free(entry[i]);
    }
    free(entry);
}

void packs_open(struct packs *packs, const char *paths)
{
    *packs = (struct packs){0};
    add_list(packs, paths ? paths : secure_getenv("SPCC_PACKS"));
    char *folder = paths ? NULL : beside_find("packs");
    add_folder(packs, folder);
    free(folder);
}

void packs_close(struct packs *packs)
{
    for (size_t i = 0; i < packs->n; i++)
        pack_close(&packs->at[i]);
    free(packs->at);
    free(packs->note);
    *packs = (struct packs){0};
}

bool packs_find(const struct packs *packs, const unsigned char request[SHA256_SIZE],
                struct jit_packed *packed)
{
    *packed = (struct jit_packed){0};
    for (size_t i = 0; i < packs->n && !packed->entry; i++) {
        struct jit_packed found = {.pack = &packs->at[i]};
        found.entry = pack_find(&packs->at[i], request, &found.machine);
        if (found.entry || found.machine)
            *packed = found;
    }
    return packed->entry != NULL;
}
