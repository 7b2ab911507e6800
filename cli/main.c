/* main.c - the program: parses the command line, does what it asks for, reports the outcome.
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/library.h"
#include "cli/signals.h"

static void report_error(const struct cli_error *error)
{
    library_complain("%s", error->message);
    if (error->help[0])
        message_help("%s", error->help);
}

enum cli_status command_help(const struct cli_request *request)
{
    char nearest[HELP_NEAREST] = "";
    switch (help_topic(stdout, request->subject, nearest)) {
    case HELP_GIVEN: return CLI_DONE;
    case HELP_NO_MEMORY: library_complain("out of memory"); return CLI_BAD_MACHINE;
    case HELP_UNKNOWN: break;
    }
    library_complain("there is no help on '%s'", request->subject);
    if (nearest[0])
        message_help("did you mean spcc help %s?", nearest);
    else
        message_help("'spcc help' lists the topics");
    return CLI_BAD_USAGE;
}

static enum cli_status help_options(const struct cli_request *request)
{
    enum cli_command only = request->names_command ? request->command : CLI_COMMANDS;
    if (request->wants_help == CLI_FLAG_HELP)
        help_full(stdout, only);
    else
        help_brief(stdout, only);
    return CLI_DONE;
}

static bool has_inputs(const struct cli_request *request)
{
    int i = 0;
    return cli_next(request, CLI_FLAG_INPUT, &i) != NULL;
}

static enum cli_status dispatch(const struct cli_request *request)
{
    if (request->wants_help != CLI_FLAG_NONE)
        return help_options(request);
    switch (request->command) {
    case CLI_HELP: return command_help(request);
    case CLI_VERSION: help_version(stdout); return CLI_DONE;
    case CLI_EMIT: return command_emit(request);
    case CLI_EXPLAIN:
        return has_inputs(request) ? command_explain_inputs(request) : command_emit(request);
    case CLI_TUNE: return command_tune(request);
    case CLI_RUN: return command_run(request);
    case CLI_CONVERT: return command_convert(request);
    case CLI_CPD: return command_cpd(request);
    case CLI_INFO: return command_info(request);
    case CLI_BENCH: return command_bench(request);
    case CLI_PACK: return command_pack(request);
    case CLI_COMMANDS: break;
    }
    return CLI_BUG;
}

/* Was everything written?  A full disk is an error; a reader that went away is none. */
static enum cli_status finish_output(enum cli_status status)
{
    bool failed = ferror(stdout);
    failed |= fflush(stdout) != 0;
    if (!failed || errno == EPIPE)
        return status;
    library_complain("standard output: %s", strerror(errno));
    return CLI_BAD_MACHINE;
}

/* The threads of Clang's OpenMP runtime look for more work for 200 ms after a kernel, on the
 * processors that write its result then.  A much shorter time is enough for successive kernels. */
static void let_threads_rest(void)
{
    if (!getenv("OMP_WAIT_POLICY"))
        setenv("KMP_BLOCKTIME", "1", 0);
}

int main(int argc, char **argv)
{
    struct cli_request request;
    struct cli_error error;
    signals_watch();
    let_threads_rest();
    enum cli_status status = cli_parse(argc, (const char *const *)argv, &request, &error);
    message_colour(request.color);
    if (status == CLI_DONE)
        status = dispatch(&request);
    else
        report_error(&error);
    cli_request_free(&request);
    return (int)finish_output(status);
}
