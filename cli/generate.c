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
    void (*write)(FILE *out);
} texts[] = {
    {"man", help_manual},
    {"bash", help_complete_bash},
    {"zsh", help_complete_zsh},
    {"fish", help_complete_fish},
};

int main(int argc, char **argv)
{
    for (size_t t = 0; argc == 3 && t < sizeof texts / sizeof *texts; t++) {
        if (strcmp(texts[t].name, argv[1]) != 0)
            continue;
        FILE *out = fopen(argv[2], "w");
        if (!out) {
            perror(argv[2]);
            return 1;
        }
        texts[t].write(out);
        bool failed = ferror(out);
        failed |= fclose(out) != 0;
        return failed ? 1 : 0;
    }
    fputs("usage: generate man|bash|zsh|fish FILE\n", stderr);
    return 2;
}
