/* statement.c - lists the tensors and variables that a statement names, without their
 * declarations.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/notation/operator.h"
#include "compiler/registry.h"
#include "runtime/api/kernel.h"

struct named {
    const char *name;
    int order;
    const char *const *index; /* by mode: the variable, or the literal */
    bool reads;               /* are its old values read? */
};

/* An access to tensor k. */
struct use {
    int k;
    const char *const *index;
};

struct spcc_statement {
    struct context *cx; /* owns all of it */
    bool compound;
    int results; /* the first of the tensors */
    VEC(struct named) tensors;
    VEC(struct use) uses; /* by access, from left to right */
    VEC(const char *) variables;
};

static void add_variable(struct spcc_statement *statement, const char *name)
{
    for (size_t i = 0; i < statement->variables.n; i++)
        if (strcmp(statement->variables.at[i], name) == 0)
            return;
    vec_push(statement->cx->arena, &statement->variables, name);
}

static const char *const *index_of(const struct spcc_statement *statement, const struct tin *access)
{
    struct arena *arena = statement->cx->arena;
    const char **index = arena_array(arena, const char *, access->indices);
    for (int m = 0; m < access->indices; m++)
        index[m] = access->index[m]->literal
                       ? arena_printf(arena, "%lld", (long long)access->index[m]->value)
                       : access->index[m]->name;
    return index;
}

/* Adds the tensor and returns its number. */
static int add_tensor(struct spcc_statement *statement, const struct tin *access)
{
    for (size_t i = 0; i < statement->tensors.n; i++)
        if (strcmp(statement->tensors.at[i].name, access->tensor->name) == 0)
            return (int)i;
    struct named named = {access->tensor->name, access->indices, index_of(statement, access), true};
    vec_push(statement->cx->arena, &statement->tensors, named);
    return (int)statement->tensors.n - 1;
}

static void add_use(struct spcc_statement *statement, const struct tin *access)
{
    struct use use = {add_tensor(statement, access), index_of(statement, access)};
    vec_push(statement->cx->arena, &statement->uses, use);
}

static void find_names(struct spcc_statement *statement, const struct tin *tin)
{
    for (int i = 0; i < tin->indices; i++)
        if (!tin->index[i]->literal)
            add_variable(statement, tin->index[i]->name);
    if (tin->kind == TIN_ACCESS)
        add_use(statement, tin);
    for (int i = 0; i < tin->args; i++)
        find_names(statement, tin->arg[i]);
}

struct parsing {
    const char *text;
    const spcc_compile_options *options;
    struct spcc_statement *statement;
};

/* Parses in the statement's own compiler context. */
static spcc_status parse_own(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct parsing *a = arguments;
    spcc_compile_options options = {0};
    if (!kernel_options(cx, &options, a->options))
        return api_status(cx);
    const char *const *operators = kernel_operators(cx, &options);
    for (int i = 0; i < options.n_operators; i++)
        if (!operator_declare(cx, operators[i]))
            return api_status(cx);
    cx->levels = registry_levels;
    const struct tin_declaration *declared = kernel_declarations(api, cx, &options);
    const struct tin *tin = declared ? tin_parse(cx, arena_strdup(cx->arena, a->text)) : NULL;
    if (tin)
        tin = tin_count(cx, tin,
                        &(struct tin_declarations){.tensor = declared,
                                                   .tensors = options.n_declarations,
                                                   .defaults = api->defaults});
    if (!tin)
        return api_status(cx);
    a->statement->compound = tin_reads_result(tin);
    for (int s = 0; s < tin_statements(tin); s++) {
        size_t n = a->statement->tensors.n;
        add_tensor(a->statement, tin_statement(tin, s)->arg[0]);
        if (a->statement->tensors.n > n)
            a->statement->tensors.at[n].reads = tin_reads_result(tin_statement(tin, s));
    }
    a->statement->results = (int)a->statement->tensors.n;
    find_names(a->statement, tin);
    return SPCC_OK;
}

static spcc_status parse_statement(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct parsing *a = arguments;
    if (!a->text)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "there is no statement");
    a->statement = calloc(1, sizeof *a->statement);
    if (!a->statement || !(a->statement->cx = context_new()))
        return SPCC_ERROR_MEMORY;
    spcc_status status = api_guarded(api, a->statement->cx, parse_own, a);
    if (status != SPCC_OK) {
        api_adopt(api, a->statement->cx);
        a->statement->cx = NULL;
    }
    return status;
}

spcc_status spcc_statement_parse(spcc_context *context, const char *text,
                                 spcc_statement **statement)
{
    return spcc_statement_parse_with(context, text, NULL, statement);
}

spcc_status spcc_statement_parse_with(spcc_context *context, const char *text,
                                      const spcc_compile_options *options,
                                      spcc_statement **statement)
{
    struct parsing a = {text, options, NULL};
    if (!statement)
        return api_lacks(context, "statement");
    spcc_status status = api_call(context, parse_statement, &a);
    if (status != SPCC_OK) {
        spcc_statement_free(a.statement);
        a.statement = NULL;
    }
    *statement = a.statement;
    return status;
}

void spcc_statement_free(spcc_statement *statement)
{
    if (!statement)
        return;
    context_free(statement->cx);
    free(statement);
}

int spcc_statement_results(const spcc_statement *statement)
{
    return statement ? statement->results : 0;
}

int spcc_statement_tensors(const spcc_statement *statement)
{
    return statement ? (int)statement->tensors.n : 0;
}

static const struct named *find_named(const spcc_statement *statement, int k)
{
    return k >= 0 && k < spcc_statement_tensors(statement) ? &statement->tensors.at[k] : NULL;
}

const char *spcc_statement_tensor_name(const spcc_statement *statement, int k)
{
    const struct named *named = find_named(statement, k);
    return named ? named->name : NULL;
}

int spcc_statement_tensor_order(const spcc_statement *statement, int k)
{
    const struct named *named = find_named(statement, k);
    return named ? named->order : 0;
}

const char *spcc_statement_variable(const spcc_statement *statement, int k, int m)
{
    const struct named *named = find_named(statement, k);
    return named && m >= 0 && m < named->order ? named->index[m] : NULL;
}

int spcc_statement_uses(const spcc_statement *statement)
{
    return statement ? (int)statement->uses.n : 0;
}

static const struct use *find_use(const spcc_statement *statement, int u)
{
    return u >= 0 && u < spcc_statement_uses(statement) ? &statement->uses.at[u] : NULL;
}

int spcc_statement_use_tensor(const spcc_statement *statement, int u)
{
    const struct use *use = find_use(statement, u);
    return use ? use->k : -1;
}

const char *spcc_statement_use_variable(const spcc_statement *statement, int u, int m)
{
    const struct use *use = find_use(statement, u);
    return use && m >= 0 && m < statement->tensors.at[use->k].order ? use->index[m] : NULL;
}

bool spcc_statement_reads(const spcc_statement *statement, int k)
{
    const struct named *named = find_named(statement, k);
    return named && named->reads;
}

int spcc_statement_variables(const spcc_statement *statement)
{
    return statement ? (int)statement->variables.n : 0;
}

const char *spcc_statement_variable_name(const spcc_statement *statement, int v)
{
    return v >= 0 && v < spcc_statement_variables(statement) ? statement->variables.at[v] : NULL;
}

bool spcc_statement_is_compound(const spcc_statement *statement)
{
    return statement && statement->compound;
}
