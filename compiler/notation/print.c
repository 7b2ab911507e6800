/* print.c - prints tensor index notation as text that parses back.
 *
 * Parentheses stand only where the tree needs them.  A constant's text tells its type.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/notation/notation.h"
#include "compiler/notation/words.h"

static void print(struct text *out, const struct tin *tin);

static void print_literal(struct text *out, struct value value)
{
    char number[64];
    value_print(value, number, sizeof number);
    text_add(out, number);
    /* otherwise it would read back as an integer */
    if (type_is_float(value.type) && !strpbrk(number, ".ein"))
        text_add(out, ".0");
}

static void index_print(struct text *out, const struct index_var *var)
{
    if (var->literal)
        text_printf(out, "%lld", (long long)var->value);
    else
        text_add(out, var->name);
}

static void print_indices(struct text *out, const struct tin *tin, const char *between)
{
    for (int i = 0; i < tin->indices; i++) {
        text_add(out, i ? between : "");
        index_print(out, tin->index[i]);
    }
}

static void print_access(struct text *out, const struct tin *tin)
{
    text_add(out, tin->tensor->name);
    if (tin->indices == 0)
        return;
    text_add(out, "(");
    print_indices(out, tin, ",");
    text_add(out, ")");
}

static void print_enclosed(struct text *out, const struct tin *tin, bool enclosed)
{
    text_add(out, enclosed ? "(" : "");
    print(out, tin);
    text_add(out, enclosed ? ")" : "");
}

static bool is_infix(const struct tin *tin)
{
    return tin->kind == TIN_OP && op_syntax(tin->op) == SYNTAX_INFIX;
}

static bool is_comparison(const struct tin *tin)
{
    return is_infix(tin) && op_precedence(tin->op) == op_precedence(OP_EQ);
}

static void print_infix(struct text *out, const struct tin *tin)
{
    const struct tin *left = tin->arg[0], *right = tin->arg[1];
    int precedence = op_precedence(tin->op);
    bool chained = is_comparison(tin) && is_comparison(left);
    print_enclosed(out, left, is_infix(left) && (op_precedence(left->op) < precedence || chained));
    text_printf(out, " %s ", op_name(tin->op));
    print_enclosed(out, right, is_infix(right) && op_precedence(right->op) <= precedence);
}

/* -5 is a constant.  The negation of a constant keeps its parentheses. */
static void print_prefix(struct text *out, const struct tin *tin)
{
    const struct tin *arg = tin->arg[0];
    text_add(out, op_name(tin->op));
    print_enclosed(out, arg, is_infix(arg) || arg->kind == TIN_LITERAL);
}

static void print_op(struct text *out, const struct tin *tin)
{
    switch (op_syntax(tin->op)) {
    case SYNTAX_INFIX: print_infix(out, tin); return;
    case SYNTAX_PREFIX: print_prefix(out, tin); return;
    case SYNTAX_CALL: break;
    }
    text_printf(out, "%s(", tin->name ? tin->name : op_name(tin->op));
    for (int i = 0; i < tin->args; i++) {
        text_add(out, i ? ", " : "");
        print(out, tin->arg[i]);
    }
    text_add(out, ")");
}

static void print(struct text *out, const struct tin *tin)
{
    switch (tin->kind) {
    case TIN_LITERAL: print_literal(out, tin->value); return;
    case TIN_ACCESS: print_access(out, tin); return;
    case TIN_OP: print_op(out, tin); return;
    case TIN_REDUCE:
        text_printf(out, "%s(", tin->name ? tin->name : reduction_name(tin->op));
        print_indices(out, tin, ", ");
        text_add(out, ", ");
        print(out, tin->arg[0]);
        text_add(out, ")");
        return;
    case TIN_ASSIGN:
        print(out, tin->arg[0]);
        if (tin->name)
            text_printf(out, " %s= ", tin->name);
        else
            text_printf(out, " %s ", assignment_sign(tin->op));
        print(out, tin->arg[1]);
        return;
    case TIN_MULTI:
        for (int i = 0; i < tin->args; i++) {
            text_add(out, i ? "; " : "");
            print(out, tin->arg[i]);
        }
        return;
    }
}

void tin_print(struct text *out, const struct tin *tin) { print(out, tin); }
