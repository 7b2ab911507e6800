/* args_parts.h - what the files that parse the command line share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_ARGS_PARTS_H
#define SPCC_CLI_ARGS_PARTS_H

#include "cli/args.h"

/* The state of a pass. */
struct parser {
    const char *const *argv;
    int argc, at; /* argv[at] comes next */
    int own;      /* argv[own] is the first that does not come from a file */
    struct cli_request *request;
    struct cli_error *error;
    char *free;         /* the unused rest of request->storage */
    bool only_operands; /* after "--" */
    enum cli_flag used[CLI_FLAGS];
    int n_used; /* the distinct options that were given */
};

/* Does the word that was read last come from a file? */
static inline bool args_in_file(const struct parser *p) { return p->at <= p->own && p->own > 1; }

/* Note what is wrong, and what to write instead.  They return false. */
bool args_fail(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool args_help(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The option as a user would write it: -f, or --jit where it has no letter. */
const char *args_spelling(enum cli_flag flag, char out[32]);

/* The length of the identifier that s starts with. */
size_t args_identifier(const char *s);
bool args_are_names(const char *s);

/* A whole number from least to most, and nothing after it but a comma. */
bool args_integer(const char *s, long long least, long long most, long long *out);

/* A copy of n bytes, and a NUL. */
char *args_store(struct parser *p, const char *s, size_t n);

/* The argument split at its colon. */
bool args_split_pair(struct parser *p, struct cli_setting *setting, const char *argument);

/* The type that one of taco's names, which are C's, stands for; the name itself where it is
 * none. */
const char *args_type(const char *name);

/* Take in one option; argument is NULL where there is none. */
bool args_take(struct parser *p, enum cli_flag flag, const char *argument);

/* Read the settings' arguments, and let none say what another says. */
enum cli_status args_settle(struct parser *p);

#endif
