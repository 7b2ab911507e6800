/* words.c - the words and signs of tensor index notation that are not in the table of operators.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/words.h"

#include <math.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/base/text.h"

struct word {
    const char *name;
    enum op op;
};

static const struct word reductions[] = {
    {"sum", OP_ADD}, {"prod", OP_MUL}, {"min", OP_MIN}, {"max", OP_MAX},
    {"any", OP_OR},  {"all", OP_AND},  {"xor", OP_XOR},
};

static const struct word assignments[] = {
    {"=", OP_NONE},   {"+=", OP_ADD},   {"-=", OP_SUB}, {"*=", OP_MUL}, {"/=", OP_DIV},
    {"min=", OP_MIN}, {"max=", OP_MAX}, {"|=", OP_OR},  {"&=", OP_AND}, {"^=", OP_XOR},
};

enum {
    REDUCTIONS = sizeof reductions / sizeof *reductions,
    ASSIGNMENTS = sizeof assignments / sizeof *assignments
};

static bool find_word(const struct word *words, int count, const char *name, size_t n, enum op *op)
{
    for (int i = 0; i < count; i++) {
        if (text_same(words[i].name, name, n)) {
            *op = words[i].op;
            return true;
        }
    }
    return false;
}

static const char *name_of(const struct word *words, int count, enum op op)
{
    for (int i = 0; i < count; i++)
        if (words[i].op == op)
            return words[i].name;
    return NULL;
}

bool reduction_find(const char *name, size_t n, enum op *op)
{
    return find_word(reductions, REDUCTIONS, name, n, op);
}

const char *reduction_name(enum op op) { return name_of(reductions, REDUCTIONS, op); }

bool assignment_find(const char *sign, size_t n, enum op *op)
{
    return find_word(assignments, ASSIGNMENTS, sign, n, op);
}

const char *assignment_sign(enum op op) { return name_of(assignments, ASSIGNMENTS, op); }

void assignments_list(struct text *out)
{
    for (int i = 0; i < ASSIGNMENTS; i++)
        text_printf(out, "%s%s",
                    i == 0                ? ""
                    : i + 1 < ASSIGNMENTS ? ", "
                                          : " or ",
                    assignments[i].name);
}

bool power_find(const char *sign, size_t n) { return text_same("**", sign, n); }

bool constant_find(const char *name, size_t n, struct value *value)
{
    if (text_same("inf", name, n))
        *value = value_real(TYPE_F64, INFINITY);
    else if (text_same("nan", name, n))
        *value = value_real(TYPE_F64, NAN);
    else if (text_same("true", name, n) || text_same("false", name, n))
        *value = value_int(TYPE_BOOL, *name == 't');
    else
        return false;
    return true;
}

bool word_is_reserved(const char *name, size_t n)
{
    enum op op;
    struct value value;
    return reduction_find(name, n, &op) || constant_find(name, n, &value);
}

void words_suggest(struct suggestion *near)
{
    for (int op = 0; op < OP_COUNT; op++)
        if (op_syntax((enum op)op) == SYNTAX_CALL)
            suggest_consider(near, op_name((enum op)op), strlen(op_name((enum op)op)));
    for (int i = 0; i < REDUCTIONS; i++)
        suggest_consider(near, reductions[i].name, strlen(reductions[i].name));
}

void words_list(struct text *out)
{
    const char *between = "";
    for (int op = 0; op < OP_COUNT; op++) {
        if (op_syntax((enum op)op) == SYNTAX_CALL) {
            text_printf(out, "%s%s", between, op_name((enum op)op));
            between = ", ";
        }
    }
    for (int i = 0; i < REDUCTIONS; i++) {
        enum op function; /* of the same name, which is listed already */
        if (!op_find(reductions[i].name, strlen(reductions[i].name), SYNTAX_CALL, &function))
            text_printf(out, ", %s", reductions[i].name);
    }
}
