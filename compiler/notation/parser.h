/* parser.h - the state of a parser of tensor index notation, and what its files share; private to
 * notation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_PARSER_H
#define SPCC_NOTATION_PARSER_H

#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/notation/lex.h"
#include "compiler/notation/notation.h"

struct parser {
    struct context *cx;
    const struct source *source;
    const char *text;
    const struct token *token; /* all; the last is END */
    int at;                    /* the current one */
    int depth;                 /* of nesting */
    int errors, error_at;      /* how many, and the token of the last */
    struct diag ignored;       /* where mistakes go that are not reported */
    VEC(const struct tensor_var *) tensors;
    VEC(const struct index_var *) indices;
    int literals; /* of them */
};

/* ---- tokens ---- */

static inline const struct token *peek(const struct parser *p) { return &p->token[p->at]; }

static inline bool next_is(const struct parser *p, enum token_kind kind)
{
    return peek(p)->kind == kind;
}

static inline void advance(struct parser *p) { p->at += !next_is(p, TOKEN_END); }

static inline bool accept(struct parser *p, enum token_kind kind)
{
    bool yes = next_is(p, kind);
    if (yes)
        advance(p);
    return yes;
}

static inline const char *token_text(const struct parser *p, const struct token *token)
{
    return p->text + token->begin;
}

static inline size_t token_length(const struct token *token)
{
    return (size_t)(token->end - token->begin);
}

const char *parser_token_name(struct parser *p, const struct token *token);
struct span parser_token_span(const struct parser *p, const struct token *token);

/* Returns the function of this name, the user's included; the operator that reduces. */
bool parser_find_function(const struct parser *p, const struct token *token, enum op *op);
bool parser_find_reduction(const struct parser *p, const struct token *token, enum op *op);
bool parser_is_reserved(const struct parser *p, const struct token *token);
bool parser_is_taken(const struct parser *p, const struct token *token);

/* Is the next token an operator in this place? */
bool parser_is_op(const struct parser *p, enum op_syntax syntax, enum op *op);

/* ---- mistakes ---- */

/* Reports one, unless the token has been complained of or there have been too many. */
struct diag *parser_complain(struct parser *p, enum diag_code code, struct span span,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Returns the next token, quoted for a message. */
const char *parser_describe(struct parser *p);

void parser_expected(struct parser *p, const char *what);

/* The function that was probably meant, or all there are. */
void parser_help_function(struct parser *p, struct diag *diag, const char *written);

/* Skips to an operator, comma, assignment or closing parenthesis that is not nested deeper; to what
 * ends this item of a list. */
void parser_recover(struct parser *p);
void parser_recover_in_list(struct parser *p);

/* Returns what stands in for something that could not be read, or is too deep to go on. */
const struct tin *parser_stand_in(struct parser *p, struct span span);
const struct tin *parser_give_up(struct parser *p, struct span span);

void parser_close(struct parser *p, const struct token *open);

/* ---- parse_leaf.c ---- */

/* The index variables are the names inside an access's parentheses: found before anything is
 * parsed. */
void parser_collect_indices(struct parser *p);
const struct index_var *parser_find_index(const struct parser *p, const char *name);
const struct index_var *parser_make_index(struct parser *p, const struct token *token);

/* Returns how many names stand from a token on, with commas between them. */
int parser_leading_names(const struct parser *p, int at, bool to_the_end);

const struct tin *parse_access(struct parser *p);
const struct tin *parse_number(struct parser *p, struct span span, bool negative);
bool parser_is_complex(const struct parser *p);
const struct tin *parse_complex(struct parser *p);

#endif
