/* commands.h - what each command does; see commands.def.
 *
 * A command writes its results to standard output and what is wrong to standard error.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_COMMANDS_H
#define SPCC_CLI_COMMANDS_H

#include "cli/args.h"

enum cli_status command_emit(const struct cli_request *request); /* explain too */
/* explain with inputs */
enum cli_status command_explain_inputs(const struct cli_request *request);
enum cli_status command_tune(const struct cli_request *request);
enum cli_status command_run(const struct cli_request *request);
enum cli_status command_convert(const struct cli_request *request);
enum cli_status command_cpd(const struct cli_request *request);
enum cli_status command_info(const struct cli_request *request);
/* info without a file */
enum cli_status command_info_machine(const struct cli_request *request);
enum cli_status command_bench(const struct cli_request *request);
enum cli_status command_pack(const struct cli_request *request);
enum cli_status command_help(const struct cli_request *request);

#endif
