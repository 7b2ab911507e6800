/* fuzz_args.c - any words as a command line, and as the options of a statement file before it:
 * taken or refused.
 *
 * One word a line; those before an empty line are the file's.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS = 64 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Everything in a request that parsed can be read. */
static size_t measure(const struct cli_request *request)
{
    size_t n = request->subject ? strlen(request->subject) : 0;
    n += request->second ? strlen(request->second) : 0;
    n += request->output ? strlen(request->output) : 0;
    n += request->function ? strlen(request->function) : 0;
    for (int i = 0; i < request->n_settings; i++) {
        n += request->settings[i].name ? strlen(request->settings[i].name) : 0;
        n += request->settings[i].value ? strlen(request->settings[i].value) : 0;
    }
    return n;
}

static void parse(int n_words, const char *const *words, int argc, const char *const *argv)
{
    struct cli_request request;
    struct cli_error error = {.message = ""};
    enum cli_status status = cli_parse_with(n_words, words, argc, argv, &request, &error);
    require(status == CLI_DONE || status == CLI_BAD_USAGE || status == CLI_BAD_MACHINE);
    require(status == CLI_DONE ? measure(&request) < SIZE_MAX : error.message[0] != 0);
    require(strlen(error.message) < sizeof error.message && strlen(error.help) < sizeof error.help);
    cli_request_free(&request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *word[2 * WORDS];
    int n = 0, own = 0;
    char *text = malloc(size + 1), *line = text;
    require(text);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = 0;
    word[n++] = "spcc";
    for (char *end; n < WORDS && (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        if (own == 0 && end == line)
            word[own = n++] = "spcc";
        else
            word[n++] = line;
    }
    word[n] = NULL;
    parse(own ? own - 1 : 0, word + 1, n - own, word + own);
    free(text);
    return 0;
}
