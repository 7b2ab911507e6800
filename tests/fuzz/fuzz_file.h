/* fuzz_file.h - any bytes as a file of some format: read, or refused with a message.
 *
 * The first two bytes say for which order and type.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FUZZ_FILE_H
#define SPCC_FUZZ_FILE_H

#include <stdlib.h>

#include "runtime/io/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_file(const char *format, const uint8_t *data, size_t size)
{
    struct coords coords;
    struct rt_error error;
    if (size < 2)
        return;
    struct io_request request = {.type = (enum type)(data[0] % (TYPE_COUNT + 1)),
                                 .order = data[1] % 5 - 1,
                                 .format = format,
                                 .threads = 1};
    enum rt_status status =
        io_read_text("x", (const char *)data + 2, size - 2, &request, &coords, &error);
    if (status == RT_SYSTEM || (status == RT_OK && coords_check(&coords, 1, NULL, NULL) != RT_OK))
        abort();
    coords_free(&coords);
}

#endif
