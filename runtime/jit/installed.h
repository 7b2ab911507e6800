/* installed.h - where `meson install` puts the plug-in.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_INSTALLED_H
#define SPCC_JIT_INSTALLED_H

struct installed {
    const char *plugins;      /* the folder */
    const char *plugins_from; /* the same, from the program's */
};

/* It is linked into what is installed, and has no address elsewhere: tests are linked without, and
 * so not anew for another prefix. */
extern const struct installed installed __attribute__((weak, visibility("hidden")));

#endif
