/* info.h - the parts of spcc info FILE.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_INFO_H
#define SPCC_CLI_INFO_H

#include <complex.h>

#include "cli/args.h"
#include "spcc.h"

/* Element k of an array of this type. */
double complex info_value(const void *values, spcc_type type, int64_t k);

/* The tensor in the format that the request asks for, with indices as the user wants them; format
 * is NULL, and all else, if it asks for none.  For info_free_storage, also after a failure. */
struct info_storage {
    const char *format;
    spcc_context *context;
    spcc_tensor *tensor;
    spcc_level_nodes *nodes;
};

enum cli_status info_store(const struct cli_request *request, const spcc_tensor *from,
                           struct info_storage *storage);
/* As text or, as a part of an object that is open, as JSON. */
void info_print_storage(const struct cli_request *request, const struct info_storage *storage);
void info_free_storage(struct info_storage *storage);

#endif
