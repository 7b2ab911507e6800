/* fuzz_spcc.c - any bytes as a statement file: refused with a message, or each of its statements
 * compiled to C.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/file.h"
#include "cli/library.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STATEMENTS = 3 }; /* so many are compiled */

static void compile(const struct file *file, int s)
{
    struct library_options made;
    char *text = NULL;
    if (!library_options_make(&made, &file->statement[s].request, 0))
        abort();
    spcc_status status = spcc_emit(file->context, file->statement[s].request.subject, &made.options,
                                   SPCC_STAGE_C, &text);
    if (status == SPCC_ERROR_BUG || (status == SPCC_OK) != (text != NULL)
        || (status == SPCC_OK) != (file_report(file, s, status) == CLI_DONE))
        abort();
    spcc_free(text);
    library_options_free(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const argv[] = {"spcc", "-", NULL};
    /* for what users are told: libFuzzer and the sanitizers have their own ways out */
    static FILE *nowhere;
    struct cli_request request = {.subject = argv[1], .argc = 2, .argv = argv};
    struct file file;
    if (!nowhere)
        nowhere = stderr = fopen("/dev/null", "w");
    stdin = fmemopen((void *)data, size, "rb");
    if (!nowhere || !stdin)
        abort();
    enum cli_status status = file_open(&file, &request);
    if (status != CLI_DONE && status != CLI_BAD_INPUT && status != CLI_BAD_USAGE)
        abort();
    for (int s = 0; status == CLI_DONE && s < file.n && s < STATEMENTS; s++)
        compile(&file, s);
    file_close(&file);
    fclose(stdin);
    return 0;
}
