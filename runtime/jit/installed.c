/* installed.c - where `meson install` puts the plug-in: the one file that knows the prefix.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/installed.h"

#include <runtime/jit/installed_paths.h> /* which Meson writes */

const struct installed installed = {SPCC_PLUGIN_DIR, "../" SPCC_LIBDIR "/spcc/"};
