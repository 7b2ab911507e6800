/* result_format.c - a format for a result that nothing is said of: sparse where all that it is made
 * of is.
 *
 * An operand is sparse if a level of it is not full: there are coordinates that it does not store.
 * The result is sparse if every operand with modes is, and if it is its fill wherever they all have
 * their fills, which the simplifier finds out as it does for iteration lattices: the statement with
 * the operands replaced by their fills is nothing.  Its levels are compressed, in the order of its
 * modes, but for the first, which is dense where an operand has a full level for it already: csr
 * from csr, dcsr from coo.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/concrete/concrete.h"
#include "runtime/api/kernel.h"

struct choosing {
    const char *statement;
    const spcc_compile_options *options;
    int result;
    char *format;
};

static bool is_full(const struct format *format)
{
    for (int l = 0; l < format->levels; l++)
        if (!level_has(&format->level[l], LEVEL_FULL))
            return false;
    return true;
}

static bool is_operand(const struct cin *access)
{
    return access->tensor->format->order > 0 && !access->tensor->temporary;
}

/* All operands with modes; there is one at least. */
static bool are_sparse(const struct cin_list *operands)
{
    bool any = false;
    for (size_t i = 0; i < operands->n; i++) {
        if (is_operand(operands->at[i]) && is_full(operands->at[i]->tensor->format))
            return false;
        any |= is_operand(operands->at[i]);
    }
    return any;
}

/* Is the result its fill where the operands are theirs? */
static bool is_fill_elsewhere(struct context *cx, const struct cin *statement,
                              const struct cin_list *operands)
{
    for (size_t i = 0; i < operands->n; i++)
        if (is_operand(operands->at[i]))
            statement = cin_replace(cx, statement, operands->at[i],
                                    cin_literal(cx, operands->at[i]->tensor->fill));
    return cin_simplify(cx, statement) == cin_nothing(cx);
}

/* Is there a full level that stores the variable? */
static bool is_stored_in_full(const struct cin_list *operands, const struct index_var *var)
{
    for (size_t i = 0; i < operands->n; i++) {
        const struct cin *access = operands->at[i];
        const struct format *format = access->tensor->format;
        for (int l = 0; is_operand(access) && l < format->levels; l++) {
            const struct level_format *level = &format->level[l];
            if (level->mode >= 0 && access->index[level->mode] == var
                && level_has(level, LEVEL_FULL))
                return true;
        }
    }
    return false;
}

/* By name where it has one. */
static const char *spelling(struct context *cx, int order, bool begins_dense)
{
    struct text letters = text_new(cx->arena);
    if (order == 1)
        return begins_dense ? NULL : "sparse";
    if (order == 2)
        return begins_dense ? "csr" : "dcsr";
    for (int m = 0; m < order; m++)
        text_add(&letters, m == 0 && begins_dense ? "d" : "s");
    return begins_dense ? letters.at : "csf";
}

/* The access by which the program assigns to its result. */
static const struct cin *find_target(struct context *cx, const struct cin_program *program)
{
    struct cin_list made = cin_assignments(cx, program->statement);
    size_t at = 0;
    while (made.at[at]->arg[0]->tensor != program->result)
        at++;
    return made.at[at]->arg[0];
}

static spcc_status choose(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct choosing *a = arguments;
    struct pipeline_request request;
    struct pipeline p;
    if (!kernel_request(api, cx, a->statement, a->options, &request)
        || !pipeline_run(cx, &request, STAGE_CONCRETE, &p))
        return api_status(cx);
    if (a->result < 0 || a->result >= tin_statements(p.notation))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "there is no result %d", a->result);
    const struct cin_program *part = cin_part(cx, p.concrete, a->result);
    const struct cin *loops = part->statement, *result = find_target(cx, part);
    struct cin_list operands = cin_operands(cx, loops);
    if (result->indices == 0 || !are_sparse(&operands) || !is_fill_elsewhere(cx, loops, &operands))
        return SPCC_OK;
    const char *format =
        spelling(cx, result->indices, is_stored_in_full(&operands, result->index[0]));
    a->format = format ? api_strdup(format) : NULL;
    return format && !a->format ? SPCC_ERROR_MEMORY : SPCC_OK;
}

spcc_status spcc_result_format(spcc_context *context, const char *statement,
                               const spcc_compile_options *options, char **format)
{
    return spcc_result_format_of(context, statement, options, 0, format);
}

spcc_status spcc_result_format_of(spcc_context *context, const char *statement,
                                  const spcc_compile_options *options, int result, char **format)
{
    struct choosing a = {.statement = statement, .options = options, .result = result};
    if (!format)
        return SPCC_ERROR_ARGUMENT;
    spcc_status status = api_call(context, choose, &a);
    *format = a.format;
    return status;
}
