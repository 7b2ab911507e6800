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
} completions[] = {
    {"bash", help_complete_bash},
    {"zsh", help_complete_zsh},
    {"fish", help_complete_fish},
};

/* False if there is no such text, or no memory. */
static bool write_text(const char *name, FILE *out)
{
    if (strcmp(name, "man") == 0)
        return help_manual(out);
    for (size_t c = 0; c < sizeof completions / sizeof *completions; c++) {
        if (strcmp(completions[c].name, name) == 0) {
            completions[c].write(out);
            return true;
        }
    }
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
