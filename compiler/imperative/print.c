/* print.c - prints the imperative IR in a C-like syntax, for people and for parse.c.
 *
 * Types have the names of the value types (f64, f64x8 for eight lanes).  Everything else is
 * spelled as in C, if C has it.  A number takes its type from what it is combined with, assigned
 * to or passed for, and names its type otherwise: i64(1).  emit/c.c writes the text for compilers.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/imperative/imperative.h"

/* The precedence of an expression.  A part with less than its place requires gets parentheses. */
enum { BIND_SELECT = 10, BIND_UNARY = 80, BIND_POSTFIX = 90 };

/* typed: the context gives a number its type. */
static void print_expression(struct text *out, const struct imp *imp, int place, bool typed);

/* Is it a number, a vector of one, or a choice between them, without a type of its own? */
static bool is_bare(const struct imp *imp)
{
    if (imp->kind == IMP_BROADCAST)
        return is_bare(imp->arg[0]);
    if (imp->kind == IMP_OP && imp->op == OP_SELECT)
        return is_bare(imp->arg[1]) && is_bare(imp->arg[2]);
    return imp->kind == IMP_LITERAL && imp->type != TYPE_BOOL;
}

/* Prints a number where this type is expected. */
static void print_value(struct text *out, const struct imp *imp, enum type type, int place)
{
    print_expression(out, imp, place, imp->type == type);
}

/* Prints a position or a size: a number there is an i64. */
static void print_position(struct text *out, const struct imp *imp)
{
    print_value(out, imp, TYPE_I64, 0);
}

/* Does another operand, before or behind, tell the type that the operands share?  Then this one
 * need not, unless it is the first. */
static bool has_company(const struct imp *const *arg, int args, int i)
{
    for (int other = 0; other < args; other++)
        if (!is_bare(arg[other]))
            return true;
    return i > 0;
}

static void print_operand(struct text *out, const struct imp *const *arg, int args, int i,
                          int place)
{
    print_expression(out, arg[i], place, has_company(arg, args, i));
}

static void print_operands(struct text *out, const struct imp *const *arg, int args)
{
    for (int i = 0; i < args; i++) {
        text_add(out, i ? ", " : "");
        print_operand(out, arg, args, i, 0);
    }
}

static void print_type(struct text *out, enum type type, int lanes)
{
    text_add(out, type_name(type));
    if (lanes > 1)
        text_printf(out, "x%d", lanes);
}

static void print_literal(struct text *out, const struct imp *imp, bool typed)
{
    char buffer[64];
    value_print(imp->value, buffer, sizeof buffer);
    if (typed || imp->type == TYPE_BOOL)
        text_add(out, buffer);
    else
        text_printf(out, "%s(%s)", type_name(imp->type), buffer);
}

static int op_place(const struct imp *imp)
{
    if (imp->op == OP_SELECT)
        return BIND_SELECT;
    switch (op_syntax(imp->op)) {
    case SYNTAX_INFIX: return op_precedence(imp->op);
    case SYNTAX_PREFIX: return BIND_UNARY;
    case SYNTAX_CALL: break;
    }
    return BIND_POSTFIX;
}

static int place_of(const struct imp *imp, bool typed)
{
    bool negative = typed && imp->kind == IMP_LITERAL && value_double(imp->value) < 0;
    if (imp->kind == IMP_OP)
        return op_place(imp);
    return imp->kind == IMP_CAST || negative ? BIND_UNARY : BIND_POSTFIX;
}

static void print_op(struct text *out, const struct imp *imp, bool typed)
{
    int place = op_place(imp);
    if (imp->op == OP_SELECT) {
        print_expression(out, imp->arg[0], place + 1, false);
        text_add(out, " ? ");
        print_expression(out, imp->arg[1], place + 1, typed || has_company(imp->arg + 1, 2, 0));
        text_add(out, " : ");
        print_expression(out, imp->arg[2], place, typed || has_company(imp->arg + 1, 2, 1));
        return;
    }
    switch (op_syntax(imp->op)) {
    case SYNTAX_INFIX:
        print_operand(out, imp->arg, 2, 0, place);
        text_printf(out, " %s ", op_name(imp->op));
        print_operand(out, imp->arg, 2, 1, place + 1);
        break;
    case SYNTAX_PREFIX:
        text_add(out, op_name(imp->op));
        print_expression(out, imp->arg[0], place + 1, false);
        break;
    case SYNTAX_CALL:
        text_printf(out, "%s(", op_name(imp->op));
        print_operands(out, imp->arg, imp->args);
        text_add(out, ")");
        break;
    }
}

static void print_arguments(struct text *out, const struct imp *call)
{
    for (int i = 0; i < call->args; i++) {
        text_add(out, i ? ", " : "");
        print_value(out, call->arg[i], call->function->param[i].var->type, 0);
    }
}

/* Prints lane_up(v, d, 32). */
static void print_exchange(struct text *out, const struct imp *imp)
{
    static const char *const name[] = {"lane_up", "lane_xor", "lane_at", "ballot"};
    text_printf(out, "%s(", name[imp->exchange]);
    print_expression(out, imp->arg[0], 0, false);
    if (imp->args > 1) {
        text_add(out, ", ");
        print_position(out, imp->arg[1]);
    }
    text_printf(out, ", %d)", (int)imp->n);
}

/* Prints shuffle(a, b, 0, 4, 1, 5). */
static void print_shuffle(struct text *out, const struct imp *imp)
{
    text_add(out, "shuffle(");
    print_expression(out, imp->arg[0], 0, false);
    text_add(out, ", ");
    print_expression(out, imp->arg[1], 0, false);
    for (int i = 2; i < imp->args; i++)
        text_printf(out, ", %d", (int)imp->arg[i]->value.i);
    text_add(out, ")");
}

/* Prints `y += v`, or `y min= v` if C has no such operator. */
static void print_assignment(struct text *out, const struct imp_var *var, enum op op,
                             const struct imp *value)
{
    text_printf(out, " %s= ", op == OP_NONE ? "" : op_name(op));
    print_value(out, value, var->type, 0);
}

/* Prints atomic y[i] += v, or atomic y[i] if e = v. */
static void print_update(struct text *out, const struct imp *imp)
{
    text_printf(out, "atomic %s[", imp->var->name);
    print_position(out, imp->arg[0]);
    text_add(out, "]");
    if (imp->args > 2) {
        text_add(out, " if ");
        print_value(out, imp->arg[2], imp->var->type, 0);
    }
    print_assignment(out, imp->var, imp->op, imp->arg[1]);
}

static void print_expression_plain(struct text *out, const struct imp *imp, bool typed)
{
    switch (imp->kind) {
    case IMP_LITERAL: print_literal(out, imp, typed); break;
    case IMP_VAR: text_add(out, imp->var->name); break;
    case IMP_OP: print_op(out, imp, typed); break;
    case IMP_CAST:
        text_add(out, "(");
        print_type(out, imp->type, imp->lanes);
        text_add(out, ")");
        print_expression(out, imp->arg[0], BIND_UNARY, false);
        break;
    case IMP_LOAD:
        text_printf(out, "%s[", imp->var->name);
        print_position(out, imp->arg[0]);
        if (imp->lanes > 1)
            text_printf(out, " .. +%d", imp->lanes);
        text_add(out, "]");
        break;
    case IMP_CALL:
        text_printf(out, "%s(", imp->function->name);
        print_arguments(out, imp);
        text_add(out, ")");
        break;
    case IMP_LANES:
        text_add(out, "{");
        print_operands(out, imp->arg, imp->args);
        text_add(out, "}");
        break;
    case IMP_BROADCAST:
        text_printf(out, "broadcast%d(", imp->lanes);
        print_expression(out, imp->arg[0], 0, typed);
        text_add(out, ")");
        break;
    case IMP_LANE:
        print_expression(out, imp->arg[0], BIND_POSTFIX, false);
        text_printf(out, "[%d]", (int)imp->n);
        break;
    case IMP_SHUFFLE: print_shuffle(out, imp); break;
    case IMP_IN_LINE:
        text_printf(out, "in_line(%s, ", imp->var->name);
        print_position(out, imp->arg[0]);
        text_printf(out, ", %d)", (int)imp->n);
        break;
    case IMP_THREADS: text_add(out, "threads()"); break;
    case IMP_STOPPED: text_add(out, "stopped()"); break;
    case IMP_EXCHANGE: print_exchange(out, imp); break;
    case IMP_UPDATE: print_update(out, imp); break;
    case IMP_FETCH: print_expression(out, imp->arg[0], 0, false); break;
    case IMP_ANY_STATEMENT: text_add(out, "<a statement>"); break;
    }
}

static void print_expression(struct text *out, const struct imp *imp, int place, bool typed)
{
    bool parentheses = place_of(imp, typed) < place;
    text_add(out, parentheses ? "(" : "");
    print_expression_plain(out, imp, typed);
    text_add(out, parentheses ? ")" : "");
}

/* ---- statements ---- */

static void print_statement(struct text *out, const struct imp *imp, int indent);

/* Prints the block in braces after a head such as `for (...)`. */
static void print_body(struct text *out, const struct imp *imp, int indent)
{
    text_add(out, " {\n");
    print_statement(out, imp, indent + 4);
    text_indent(out, indent);
    text_add(out, "}");
}

/* Prints shared f64 w[896]. */
static void print_placed(struct text *out, const struct imp_var *var)
{
    text_printf(out, "%s %s %s[%d]", var->place == PLACE_SHARED ? "shared" : "local",
                type_name(var->type), var->name, var->length);
}

static bool is_fetched(const struct imp *imp)
{
    return imp->args && imp->arg[0]->kind == IMP_FETCH;
}

static void print_declare(struct text *out, const struct imp *imp)
{
    if (imp->var->place != PLACE_MEMORY) {
        print_placed(out, imp->var);
        return;
    }
    if (imp->var->arrays) {
        text_printf(out, "arrays(%d) %s", imp->var->arrays, imp->var->name);
        return;
    }
    text_add(out, is_fetched(imp) ? "fetch " : "");
    if (imp->var->capacity)
        text_add(out, "capacity ");
    print_type(out, imp->var->type, imp->var->lanes);
    text_printf(out, " %s%s", imp->var->array ? "*" : "", imp->var->name);
    if (imp->args)
        print_assignment(out, imp->var, OP_NONE, imp->arg[0]);
}

static void print_for(struct text *out, const struct imp *imp, int indent)
{
    const char *name = imp->var->name;
    text_printf(out, "for (%s %s = ", type_name(imp->var->type), name);
    print_value(out, imp->arg[0], imp->var->type, 0);
    text_printf(out, "; %s < ", name);
    print_value(out, imp->arg[1], imp->var->type, op_precedence(OP_LT) + 1);
    if (imp->n == 1)
        text_printf(out, "; %s++)", name);
    else
        text_printf(out, "; %s += %lld)", name, (long long)imp->n);
    print_body(out, imp->arg[2], indent);
}

static void print_parallel(struct text *out, const struct imp *imp, int indent)
{
    const char *name = imp->var->name;
    const char *schedule = imp->schedule == SCHEDULE_STATIC ? "static" : "dynamic";
    text_add(out, "parallel");
    if (imp->n)
        text_printf(out, "(%s, %lld)", schedule, (long long)imp->n);
    else if (imp->schedule != SCHEDULE_STATIC)
        text_printf(out, "(%s)", schedule);
    text_printf(out, " for (%s %s = 0; %s < ", type_name(imp->var->type), name, name);
    print_value(out, imp->arg[0], imp->var->type, op_precedence(OP_LT) + 1);
    text_printf(out, "; %s++)", name);
    print_body(out, imp->arg[1], indent);
}

/* Prints launch(blocks, 128) block, thread { ... }. */
static void print_launch(struct text *out, const struct imp *imp, int indent)
{
    text_add(out, "launch(");
    print_value(out, imp->arg[0], TYPE_I32, 0);
    text_printf(out, ", %d) %s, %s", (int)imp->n, imp->var->name, imp->arg[1]->var->name);
    print_body(out, imp->arg[2], indent);
}

/* Prints `y[i] += v`. */
static void print_store(struct text *out, const struct imp *imp)
{
    text_printf(out, "%s[", imp->var->name);
    print_position(out, imp->arg[0]);
    if (imp->arg[1]->lanes > 1)
        text_printf(out, " .. +%d", imp->arg[1]->lanes);
    text_add(out, "]");
    print_assignment(out, imp->var, imp->op, imp->arg[1]);
}

static void print_if(struct text *out, const struct imp *imp, int indent)
{
    text_add(out, "if (");
    print_expression(out, imp->arg[0], 0, false);
    text_add(out, ")");
    print_body(out, imp->arg[1], indent);
    if (imp->args < 3)
        return;
    text_add(out, " else");
    const struct imp *otherwise = imp->arg[2];
    if (otherwise->kind == IMP_BLOCK && otherwise->args == 1)
        otherwise = otherwise->arg[0];
    if (otherwise->kind == IMP_IF && !otherwise->mark) {
        text_add(out, " ");
        print_if(out, otherwise, indent);
    } else {
        print_body(out, imp->arg[2], indent);
    }
}

/* Prints a statement about an array, such as alloc. */
static void print_memory(struct text *out, const struct imp *imp)
{
    const struct imp_memory *memory = imp_memory_of(imp->kind);
    text_printf(out, "%s(%s", memory->word, imp->var->name);
    for (int i = 0; i < imp->args; i++) {
        text_add(out, ", ");
        print_value(out, imp->arg[i], memory->takes[i + 1] == 'v' ? imp->var->type : TYPE_I64, 0);
    }
    text_add(out, ")");
}

/* ---- marks ---- */

/* Prints a number unless it is zero. */
static void print_count(struct text *out, const char *name, int64_t n)
{
    if (n)
        text_printf(out, ", %s %lld", name, (long long)n);
}

static void print_asked(struct text *out, const struct imp_asked *asked)
{
    if (asked->unroll)
        text_printf(out, ", unroll(%s, %d)", asked->loop, asked->unroll);
    if (asked->vectors)
        text_printf(out, ", %s(%s)", asked->tries ? "try_vectorize" : "vectorize", asked->loop);
}

/* Prints `[apart, most 4] ` in front of its statement. */
static void print_mark(struct text *out, const struct imp *imp)
{
    static const char *const iterations[] = {"ordered", "reduces", "apart"};
    const struct imp_mark *mark = imp->mark;
    bool loop = imp->kind == IMP_FOR || imp->kind == IMP_WHILE;
    struct text all = text_new(out->arena);
    if (loop)
        text_printf(&all, ", %s", iterations[mark->iterations]);
    print_count(&all, "reduces_row", mark->reduces_row);
    print_count(&all, "row", mark->row);
    print_count(&all, "start", mark->start);
    text_add(&all, mark->in_row ? ", in_row" : "");
    print_count(&all, "most", mark->most);
    print_count(&all, "multiple", mark->multiple);
    if (mark->last) {
        text_add(&all, ", last ");
        print_position(&all, mark->last);
    }
    text_add(&all, mark->compact ? ", compact" : "");
    if (mark->ascends)
        text_printf(&all, ", ascends %s", mark->ascends->name);
    text_add(&all, mark->rare ? ", rare" : "");
    if (mark->coordinates) {
        text_add(&all, ", coordinates ");
        print_position(&all, mark->coordinates);
    }
    if (mark->asked)
        print_asked(&all, mark->asked);
    text_printf(out, "[%s] ", all.n ? all.at + 2 : "");
}

static void print_statement_plain(struct text *out, const struct imp *imp, int indent)
{
    if (imp->mark)
        print_mark(out, imp);
    switch (imp->kind) {
    case IMP_DECLARE: print_declare(out, imp); break;
    case IMP_ASSIGN:
        text_printf(out, "%s%s", is_fetched(imp) ? "fetch " : "", imp->var->name);
        print_assignment(out, imp->var, imp->op, imp->arg[0]);
        break;
    case IMP_STORE:
        text_add(out, imp->n ? "stream " : "");
        print_store(out, imp);
        break;
    case IMP_ATOMIC:
        text_add(out, "atomic ");
        print_store(out, imp);
        break;
    case IMP_DO: print_expression(out, imp->arg[0], 0, false); break;
    case IMP_IF: print_if(out, imp, indent); break;
    case IMP_WHILE:
        text_add(out, "while (");
        print_expression(out, imp->arg[0], 0, false);
        text_add(out, ")");
        print_body(out, imp->arg[1], indent);
        break;
    case IMP_FOR: print_for(out, imp, indent); break;
    case IMP_PARALLEL: print_parallel(out, imp, indent); break;
    case IMP_LAUNCH: print_launch(out, imp, indent); break;
    case IMP_BARRIER:
        text_add(out, "barrier");
        if (imp->n)
            text_printf(out, " lanes(%d)", (int)imp->n);
        break;
    case IMP_BREAK: text_add(out, "break"); break;
    case IMP_RETURN:
        text_add(out, imp->args ? "return " : "return");
        if (imp->args)
            print_expression(out, imp->arg[0], 0, true);
        break;
    case IMP_FAIL: text_printf(out, "fail %d", (int)imp->n); break;
    case IMP_ANY_MEMORY: print_memory(out, imp); break;
    case IMP_COMMENT: text_printf(out, "// %s", imp->text); break;
    case IMP_BLOCK:
        text_add(out, "{\n");
        print_statement(out, imp, indent + 4);
        text_indent(out, indent);
        text_add(out, "}");
        break;
    case IMP_ANY_EXPRESSION: print_expression(out, imp, 0, false); break;
    }
}

/* Prints a statement, or those of a block, each on lines of its own. */
static void print_statement(struct text *out, const struct imp *imp, int indent)
{
    bool block = imp->kind == IMP_BLOCK;
    for (int i = 0; i < (block ? imp->args : 1); i++) {
        text_indent(out, indent);
        print_statement_plain(out, block ? imp->arg[i] : imp, indent);
        text_add(out, "\n");
    }
}

/* ---- functions ---- */

static void print_signature(struct text *out, const struct imp_function *function)
{
    if (function->brief)
        text_printf(out, "// %s\n", function->brief);
    const char *result = !function->helper      ? "kernel"
                         : function->sorts      ? "sorts"
                         : function->multiplies ? "multiplies"
                         : function->effects    ? "void"
                                                : type_name(function->result);
    text_printf(out, "%s %s(", result, function->name);
    for (int i = 0; i < function->params; i++) {
        const struct imp_param *param = &function->param[i];
        text_printf(out, "%s%s", i ? ", " : "", param->out ? "out " : "");
        if (param->var->constant)
            text_add(out, "const ");
        print_type(out, param->var->type, param->var->lanes);
        text_printf(out, " %s%s", param->var->array ? "*" : "", param->var->name);
    }
    text_add(out, ")");
}

void imp_print_alone(struct text *out, const struct imp_function *function)
{
    print_signature(out, function);
    print_body(out, function->body, 0);
    text_add(out, "\n");
}

void imp_print(struct text *out, const struct imp_function *function)
{
    for (int i = 0; i < function->helpers; i++) {
        imp_print(out, function->helper_at[i]);
        text_add(out, "\n");
    }
    imp_print_alone(out, function);
}

const char *imp_statement_text(struct context *cx, const struct imp *imp)
{
    struct text out = text_new(cx->arena);
    print_statement_plain(&out, imp, 0);
    size_t n = strcspn(out.at, "\n");
    return arena_printf(cx->arena, "%.*s", (int)(n > 1 && out.at[n] ? n - 2 : n), out.at);
}
