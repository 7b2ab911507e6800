/* standalone.c - runs a fuzz target on the files of a folder, where there is no libFuzzer: on
 * inputs that once failed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { INPUT_MAX = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(INPUT_MAX);
    size_t n = file && data ? fread(data, 1, INPUT_MAX, file) : 0;
    if (file)
        fclose(file);
    /* An exact copy, so that a sanitizer sees reads beyond its end. */
    uint8_t *exact = realloc(data, n ? n : 1);
    if (exact)
        LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    return file && exact ? 0 : 1;
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    int inputs = 0, faults = 0;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        faults += run_file(path);
        inputs++;
    }
    closedir(folder);
    printf("%d inputs\n", inputs);
    return inputs == 0 || faults ? 1 : 0;
}
