/* text_file.h - texts into files.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_TEXT_FILE_H
#define SPCC_CLI_TEXT_FILE_H

#include "cli/args.h"

/* Write text into the file, which is what it was until all of it is there; or a complaint.  A path that is no plain file,
 * such as a device, is written to directly. */
enum cli_status text_file_write(const char *path, const char *text);

#endif
