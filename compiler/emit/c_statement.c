/* c_statement.c - statements in C.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"

/* ---- lines ---- */

static bool is_break(char c) { return c == C_BREAK[0] || c == C_LATE_BREAK[0]; }

/* Returns the best place to break a line that begins at `from`: of the last ones that fit, one
 * inside the fewest parentheses; NULL if there is none. */
static char *best_break(char *from, int columns)
{
    char *best = NULL;
    int depth = 0, best_depth = 0;
    for (char *at = from; *at && (at - from <= columns || !best); at++) {
        int here = *at == C_LATE_BREAK[0] ? depth + 3 : depth;
        depth += *at == '(' || *at == '[' || *at == '{';
        depth -= *at == ')' || *at == ']' || *at == '}';
        if (is_break(*at) && at > from && (!best || here <= best_depth)) {
            best = at;
            best_depth = here;
        }
    }
    return best;
}

/* Writes a line's text with breaks in it: the first part at the indentation, the others `hanging`
 * further right. */
static void write_line(struct c_writer *w, int hanging, char *text)
{
    int indent = w->indent;
    for (;;) {
        text_indent(&w->code, indent);
        char *next =
            indent + (int)strlen(text) > C_COLUMNS ? best_break(text, C_COLUMNS - indent) : NULL;
        if (next)
            *next = '\0';
        for (char *at = text; *at; at++)
            *at = is_break(*at) ? ' ' : *at;
        text_printf(&w->code, "%s\n", text);
        if (!next)
            return;
        text = next + 1;
        indent = w->indent + hanging;
    }
}

void c_line(struct c_writer *w, int hanging, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line(w, hanging, arena_vprintf(w->cx->arena, format, args));
    va_end(args);
}

/* Returns the lines since `mark` as one line. */
static const char *joined_lines(struct c_writer *w, size_t mark)
{
    struct text line = text_new(w->cx->arena);
    for (const char *at = w->code.at + mark; *at;) {
        size_t blanks = strspn(at, " "), n = strcspn(at, "\n");
        text_add(&line, line.n ? " " : "");
        text_addn(&line, at + (line.n ? blanks : 0), n - (line.n ? blanks : 0));
        at += n + 1;
    }
    return line.at;
}

void c_join_lines(struct c_writer *w, size_t mark)
{
    const char *line = joined_lines(w, mark);
    if (!w->iso || strlen(line) > C_COLUMNS)
        return;
    w->code.n = mark;
    text_printf(&w->code, "%s\n", line);
}

/* Writes a comment.  Marks of comments in its text are replaced. */
static void comment_statement(struct c_writer *w, const char *text)
{
    char *safe = arena_printf(w->cx->arena, "/* %s */", text);
    size_t n = strlen(safe);
    for (size_t i = 2; i + 3 < n; i++) {
        bool mark =
            (safe[i] == '*' && safe[i + 1] == '/') || (safe[i] == '/' && safe[i + 1] == '*');
        if (mark || safe[i] == '\n')
            safe[i] = safe[i] == '\n' ? C_BREAK[0] : '|';
        if (safe[i] == ' ')
            safe[i] = C_BREAK[0];
    }
    c_line(w, 3, "%s", safe);
}

/* ---- failure ---- */

bool c_may_fail(const struct c_writer *w, const struct imp *imp)
{
    if (imp->kind == IMP_FAIL || (c_allocates(imp) && !imp->var->small))
        return true;
    if (w->device && !w->part && w->device->calls(imp))
        return true;
    for (int i = 0; i < imp->args; i++)
        if (!imp_is_expression(imp->arg[i]) && c_may_fail(w, imp->arg[i]))
            return true;
    return false;
}

/* Is it that of a function that does not say otherwise? */
static bool is_usual(const struct c_writer *w, int status)
{
    return status == STATUS_NO_MEMORY || (w->returns && !w->in_growth);
}

/* Leaves the function with this status. */
static void c_fail(struct c_writer *w, int status)
{
    if (!is_usual(w, status))
        c_line(w, 0, "%sstatus = %d;", w->in_growth ? "*" : "", status);
    if (w->in_growth)
        c_line(w, 0, "return %s;", c_literal(w, value_zero(TYPE_BOOL)).text);
    else if (w->returns)
        c_line(w, 0, "return %d;", status);
    else
        c_line(w, 0, "goto %s;", w->iso ? "done" : "fail");
    w->uses_fail = w->uses_fail || (!w->in_growth && !w->returns);
}

void c_fail_if(struct c_writer *w, const char *condition)
{
    size_t mark = w->code.n;
    c_line(w, 4, "if (%s)", condition);
    w->indent += C_INDENT;
    c_fail(w, STATUS_NO_MEMORY);
    w->indent -= C_INDENT;
    c_join_lines(w, mark);
}

/* ---- simple statements ---- */

const char *c_compound_sign(enum op op, enum type type)
{
    bool is_bool = type == TYPE_BOOL;
    switch (op) {
    case OP_ADD: return is_bool ? "|" : "+";
    case OP_SUB: return is_bool ? "^" : "-";
    case OP_MUL: return is_bool ? "&" : type == TYPE_U16 ? NULL : "*";
    case OP_DIV: return is_bool || type_is_integer(type) ? NULL : "/";
    case OP_AND: return "&";
    case OP_OR: return "|";
    case OP_XOR: return "^";
    case OP_MIN: return is_bool ? "&" : NULL;
    case OP_MAX: return is_bool ? "|" : NULL;
    case OP_NEG:
    case OP_ANY_COMPARISON:
    case OP_NOT:
    case OP_ABS:
    case OP_SIGN:
    case OP_ANY_PART:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_MOD:
    case OP_ANY_ROUNDING:
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return NULL;
}

static bool is_one(const struct imp *imp)
{
    return imp->kind == IMP_LITERAL && type_is_integer(imp->type) && value_is_one(imp->value);
}

void c_assignment(struct c_writer *w, const char *target, const struct imp *current, enum op op,
                  const struct imp *value)
{
    bool divides = op == OP_DIV && c_has_own_type(w, value->type); /* by a function */
    const char *sign = op == OP_NONE ? "" : divides ? NULL : c_compound_sign(op, value->type);
    bool by_one = (op == OP_ADD || op == OP_SUB) && is_one(value);
    if (by_one)
        c_line(w, C_INDENT, "%s%s;", target, op == OP_ADD ? "++" : "--");
    else if (sign)
        c_line(w, C_INDENT, "%s %s=" C_LATE_BREAK "%s;", target, sign, c_value(w, value));
    else
        c_line(w, C_INDENT, "%s =" C_LATE_BREAK "%s;", target,
               c_value(w, imp_op2(w->cx, op, current, value)));
}

static void assign_statement(struct c_writer *w, const struct imp *imp)
{
    if (!c_vector_choice(w, imp))
        c_assignment(w, c_name(w, imp->var), imp_read(w->cx, imp->var), imp->op, imp->arg[0]);
}

static void store_statement(struct c_writer *w, const struct imp *imp)
{
    int lanes = imp->arg[1]->lanes;
    const char *target = lanes > 1 ? c_vector_at(w, imp->var, imp->arg[0], lanes)
                                   : arena_printf(w->cx->arena, "%s[%s]", c_name(w, imp->var),
                                                  c_position(w, imp->arg[0], C_ANY));
    c_assignment(w, target, imp_load_lanes(w->cx, imp->var, imp->arg[0], lanes), imp->op,
                 imp->arg[1]);
}

static const char *first_value(struct c_writer *w, const struct imp *imp)
{
    bool zero = imp->kind == IMP_BROADCAST && imp->arg[0]->kind == IMP_LITERAL
                && value_is_zero(imp->arg[0]->value)
                && !__builtin_signbit(value_double(imp->arg[0]->value));
    return zero ? "{0}" : c_value(w, imp);
}

void c_declare(struct c_writer *w, const struct imp *imp)
{
    const struct imp_var *var = imp->var;
    if (var->place != PLACE_MEMORY)
        c_line(w, 0, "%s%s %s[%d];", var->place == PLACE_SHARED ? "__shared__ " : "",
               c_type(w, var->type), c_name(w, var), var->length);
    if (var->array)
        return;
    if (imp->args)
        c_line(w, C_INDENT, "%s %s =" C_LATE_BREAK "%s;", c_var_type(w, var), c_name(w, var),
               first_value(w, imp->arg[0]));
    else
        c_line(w, C_INDENT, "%s %s;", c_var_type(w, var), c_name(w, var));
}

static void do_statement(struct c_writer *w, const struct imp *imp)
{
    const char *name = c_helper_name(w, imp->arg[0]->function->name);
    c_line(w, (int)strlen(name) + 1, "%s;", c_value(w, imp->arg[0]));
}

static void return_statement(struct c_writer *w, const struct imp *imp)
{
    if (imp->args)
        c_line(w, C_INDENT, "return %s;", c_value(w, imp->arg[0]));
    else
        c_line(w, 0, "return;");
}

/* ---- compound statements ---- */

static const struct imp *unwrap(const struct imp *imp)
{
    while (imp->kind == IMP_BLOCK && imp->args == 1)
        imp = imp->arg[0];
    return imp;
}

/* Finds for each of n statements the one that does its work too. */
static int *steps_of(struct c_writer *w, const struct imp *const *arg, int n, int *left)
{
    int *into = arena_array(w->cx->arena, int, n);
    for (int i = 0; i < n; i++)
        into[i] = -1;
    *left = w->iso ? c_plain_steps(arg, n, into) : n;
    return into;
}

/* Is the body one line, so that it needs no braces? */
static bool is_line(struct c_writer *w, const struct imp *imp)
{
    int n, left;
    imp = unwrap(imp);
    if (w->iso && imp->kind == IMP_BLOCK && imp->args > 1) {
        const struct imp *const *arg = c_parts(&imp, &n);
        steps_of(w, arg, n, &left);
        return left == 1 && is_line(w, arg[0]);
    }
    if (c_is_event(imp))
        return false;
    return imp->kind == IMP_ASSIGN || imp->kind == IMP_STORE || imp->kind == IMP_DO
           || imp->kind == IMP_BREAK || imp->kind == IMP_RETURN
           || (imp->kind == IMP_FAIL && is_usual(w, (int)imp->n));
}

/* Does it give a number of the first one's type its value? */
static bool is_declaration(const struct imp *imp, const struct imp_var *first)
{
    return imp->kind == IMP_DECLARE && imp->args && !imp->var->array && imp->var->lanes == 1
           && !c_is_event(imp) && imp->var->type == first->type;
}

/* Writes `int32_t p = 0, p_end = 1;`: as many declarations of one type as fit into a line. */
static int declare_alike(struct c_writer *w, const struct imp *const *arg, int n)
{
    const struct imp_var *first = arg[0]->var;
    struct text line = text_new(w->cx->arena);
    int done = 0;
    for (; done < n && is_declaration(arg[done], first); done++) {
        const char *next = arena_printf(w->cx->arena, "%s = %s", c_name(w, arg[done]->var),
                                        c_value(w, arg[done]->arg[0]));
        size_t columns = (size_t)w->indent + strlen(c_type(w, first->type)) + line.n + strlen(next);
        if (done > 0 && columns + 4 > C_COLUMNS)
            break;
        text_printf(&line, "%s%s", done ? ", " : "", next);
    }
    if (done > 1)
        c_line(w, C_INDENT, "%s %s;", c_type(w, first->type), line.at);
    return done > 1 ? done : 0;
}

int c_step(struct c_writer *w, const struct imp *const *arg, int n)
{
    if (c_allocates(arg[0]) && !w->device)
        return c_allocate(w, arg, n);
    int freed = w->device ? w->device->free(w, arg, n) : 0;
    if (freed > 0)
        return freed;
    int declared = w->iso && !w->hoisted ? declare_alike(w, arg, n) : 0;
    if (declared > 0)
        return declared;
    c_statement(w, arg[0]);
    return 1;
}

/* Do the two statements put literals at the same position of arrays? */
static bool resets_with(const struct imp *a, const struct imp *b)
{
    return a->kind == IMP_STORE && b->kind == IMP_STORE && a->op == OP_NONE && b->op == OP_NONE
           && a->arg[1]->kind == IMP_LITERAL && b->arg[1]->kind == IMP_LITERAL
           && imp_equal(a->arg[0], b->arg[0]);
}

static void sequence(struct c_writer *w, const struct imp *const *arg, int n)
{
    int left, *into = steps_of(w, arg, n, &left);
    size_t mark = w->code.n;
    for (int i = 0; i < n;) {
        bool goes_on = i > 0 && resets_with(arg[i - 1], arg[i]);
        mark = goes_on ? mark : w->code.n;
        for (int later = i + 1; later < n; later++)
            if (into[later] == i)
                vec_push(w->cx->arena, &w->stepped, arg[later]->var);
        i += into[i] < 0 ? c_step(w, arg + i, n - i) : 1;
        w->stepped.n = 0;
        if (goes_on)
            c_join_lines(w, mark);
    }
}

/* Writes the n statements of a body at one indentation more. */
static void statements(struct c_writer *w, const struct imp *const *arg, int n)
{
    bool hoisted = w->hoisted; /* at the top of the function only */
    w->hoisted = false;
    w->indent += C_INDENT;
    sequence(w, arg, n);
    w->indent -= C_INDENT;
    w->hoisted = hoisted;
}

const struct imp *const *c_parts(const struct imp *const *imp, int *n)
{
    bool block = (*imp)->kind == IMP_BLOCK;
    *n = block ? (*imp)->args : 1;
    return block ? (*imp)->arg : imp;
}

static void compound(struct c_writer *w, int hanging, const char *head,
                     const struct imp *const *arg, int n)
{
    int left;
    steps_of(w, arg, n, &left);
    bool line = left == 1 && is_line(w, arg[0]);
    c_line(w, hanging, line ? "%s" : "%s {", head);
    statements(w, arg, n);
    if (!line)
        c_line(w, 0, "}");
}

/* Writes an `if` whose body has become a function.  False: it has its body. */
static bool grows(struct c_writer *w, const struct imp *imp)
{
    const char *call = c_growth_call(w, imp);
    if (!call)
        return false;
    c_fail_if(
        w, arena_printf(w->cx->arena, "%s" C_BREAK "&& !%s", c_at(w, imp->arg[0], C_EQUAL), call));
    return true;
}

/* Is it one question about one or two simple statements, so that it may go into a line? */
static bool is_short(struct c_writer *w, const struct imp *imp)
{
    int n, left;
    const struct imp *const *arg = c_parts(&imp->arg[1], &n);
    for (int i = 0; i < n; i++)
        if (!is_line(w, arg[i]) && arg[i]->kind != IMP_FAIL)
            return false;
    steps_of(w, arg, n, &left);
    return imp->args == 2 && left <= 2;
}

static void if_statement(struct c_writer *w, const struct imp *imp)
{
    int n;
    if (grows(w, imp))
        return;
    size_t mark = w->code.n;
    bool lines = true, brief = is_short(w, imp);
    for (const struct imp *at = imp; at;) {
        const struct imp *otherwise = at->args == 3 ? unwrap(at->arg[2]) : NULL;
        bool chained = otherwise && otherwise->kind == IMP_IF;
        lines = lines && is_line(w, at->arg[1]) && (!otherwise || chained || is_line(w, otherwise));
        at = chained ? otherwise : NULL;
    }
    const char *brace = lines ? "" : " {", *closing = lines ? "" : "} ";
    if (imp->mark && imp->mark->rare && !w->iso && !w->device)
        c_line(w, 21, "if (__builtin_expect(%s, 0))%s", c_at(w, imp->arg[0], C_ANY), brace);
    else
        c_line(w, 4, "if (%s)%s", c_at(w, imp->arg[0], C_ANY), brace);
    for (;;) {
        const struct imp *const *arg = c_parts(&imp->arg[1], &n);
        statements(w, arg, n);
        const struct imp *otherwise = imp->args == 3 ? unwrap(imp->arg[2]) : NULL;
        if (!otherwise || otherwise->kind != IMP_IF)
            break;
        imp = otherwise;
        c_line(w, 11, "%selse if (%s)%s", closing, c_at(w, imp->arg[0], C_ANY), brace);
    }
    if (imp->args == 3) {
        c_line(w, 0, "%selse%s", closing, brace);
        const struct imp *const *arg = c_parts(&imp->arg[2], &n);
        statements(w, arg, n);
    }
    if (!lines)
        c_line(w, 0, "}");
    if (brief)
        c_join_lines(w, mark);
}

/* Is this `v += literal` at the end of a loop whose condition is `v < ...`: a for loop? */
static bool is_step(const struct imp *condition, const struct imp *last)
{
    const struct imp *a = condition->args ? condition->arg[0] : condition;
    return condition->kind == IMP_OP && (condition->op == OP_LT || condition->op == OP_LE)
           && a->kind == IMP_VAR && last->kind == IMP_ASSIGN && last->var == a->var
           && last->op == OP_ADD && last->arg[0]->kind == IMP_LITERAL;
}

static void while_statement(struct c_writer *w, const struct imp *imp)
{
    const struct imp *condition = imp->arg[0];
    int n;
    const struct imp *const *arg = c_parts(&imp->arg[1], &n);
    const struct imp *last = n ? arg[n - 1] : NULL;
    bool forever = condition->kind == IMP_LITERAL && value_truth(condition->value);
    const char *text = c_at(w, condition, C_ANY), *head;
    if (last && is_step(condition, last) && n > 1) {
        const char *name = c_name(w, last->var);
        if (imp->mark && imp->mark->most && !w->iso && !w->device)
            c_line(w, 0, "#pragma GCC unroll 1"); /* or they unroll it, as if it had many steps */
        head = is_one(last->arg[0]) ? arena_printf(w->cx->arena, "for (; %s; %s++)", text, name)
                                    : arena_printf(w->cx->arena, "for (; %s; %s += %s)", text, name,
                                                   c_value(w, last->arg[0]));
        n--;
    } else {
        head = forever ? "for (;;)" : arena_printf(w->cx->arena, "while (%s)", text);
    }
    if (w->device)
        w->device->loop(w, imp);
    compound(w, 7, head, arg, n);
}

static void for_statement(struct c_writer *w, const struct imp *imp)
{
    int n;
    const struct imp *const *arg = c_parts(&imp->arg[2], &n);
    const char *name = c_name(w, imp->var);
    const struct imp *condition = imp_op2(w->cx, OP_LT, imp_read(w->cx, imp->var), imp->arg[1]);
    const char *step = imp->n == 1
                           ? arena_printf(w->cx->arena, "%s++", name)
                           : arena_printf(w->cx->arena, "%s += %lld", name, (long long)imp->n);
    /* in this order come their helpers */
    const char *begin = c_value(w, imp->arg[0]), *more = c_at(w, condition, C_ANY);
    const char *head = arena_printf(w->cx->arena, "for (%s %s = %s;" C_BREAK "%s;" C_BREAK "%s)",
                                    c_type(w, imp->var->type), name, begin, more, step);
    if (w->device)
        w->device->loop(w, imp);
    compound(w, 5, head, arg, n);
}

void c_statements(struct c_writer *w, const struct imp *imp)
{
    int n;
    const struct imp *const *arg = c_parts(&imp, &n);
    sequence(w, arg, n);
}

static bool has_declaration(const struct imp *block)
{
    for (int i = 0; i < block->args; i++)
        if (block->arg[i]->kind == IMP_DECLARE)
            return true;
    return false;
}

static void block_statement(struct c_writer *w, const struct imp *imp)
{
    bool braces = has_declaration(imp);
    if (braces)
        c_line(w, 0, "{");
    w->indent -= braces ? 0 : C_INDENT;
    statements(w, imp->arg, imp->args);
    w->indent += braces ? 0 : C_INDENT;
    if (braces)
        c_line(w, 0, "}");
}

void c_statement(struct c_writer *w, const struct imp *imp)
{
    if (w->device && w->device->statement(w, imp))
        return;
    switch (imp->kind) {
    case IMP_BLOCK: block_statement(w, imp); return;
    case IMP_DECLARE: c_declare(w, imp); return;
    case IMP_ASSIGN: assign_statement(w, imp); return;
    case IMP_STORE: (c_is_streamed(imp) ? c_stream : store_statement)(w, imp); return;
    case IMP_ATOMIC: c_atomic(w, imp); return;
    case IMP_DO: do_statement(w, imp); return;
    case IMP_IF: if_statement(w, imp); return;
    case IMP_WHILE: while_statement(w, imp); return;
    case IMP_FOR: for_statement(w, imp); return;
    case IMP_PARALLEL: c_parallel(w, imp); return;
    case IMP_BREAK: c_line(w, 0, "break;"); return;
    case IMP_RETURN: return_statement(w, imp); return;
    case IMP_FAIL: c_fail(w, (int)imp->n); return;
    case IMP_ALLOC:
    case IMP_RESIZE:
    case IMP_JOIN: c_allocate(w, &imp, 1); return;
    case IMP_FREE: c_release_array(w, imp->var); return;
    case IMP_KEEP: c_keep(w, imp); return;
    case IMP_TAKE: c_take(w, imp); return;
    case IMP_MOVE: c_move(w, imp); return;
    case IMP_FILL: c_fill(w, imp); return;
    case IMP_COPY: c_copy(w, imp); return;
    case IMP_PREFETCH: c_prefetch(w, imp); return;
    case IMP_COMMENT: comment_statement(w, imp->text); return;
    case IMP_LAUNCH:
    case IMP_BARRIER:
    case IMP_ANY_EXPRESSION: break;
    }
    context_bug(w->cx, "C has no such statement");
}
