/* generate.c - writes the manual page and the completions while spcc is built.
 *
 *     generate man|bash|zsh|fish FILE
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "cli/help.h"

static const struct {
    const char *name;
    bool (*write)(FILE *out);
} texts[] = {
    {"man", help_manual},
    {"bash", help_complete_bash},
    {"zsh", help_complete_zsh},
    {"fish", help_complete_fish},
};

/* Returns false if there is no such text, or no memory. */
static bool write_text(const char *name, FILE *out)
{
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        if (strcmp(texts[t].name, name) == 0)
            return texts[t].write(out);
    return false;
}

int main(int argc, char **argv)
{
    FILE *out = argc == 3 ? fopen(argv[2], "w") : NULL;
    if (!out) {
        fputs("usage: generate man|bash|zsh|fish FILE\n", stderr);
        return 2;
    }
    bool failed = !write_text(argv[1], out);
    failed |= ferror(out) != 0;
    failed |= fclose(out) != 0;
    return failed ? 1 : 0;
}
