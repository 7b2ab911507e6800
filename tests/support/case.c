/* case.c - cases as text: statements, formats, .case files, command lines.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/support/case.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/format/names.h"
#include "compiler/registry.h"
#include "tests/oracle/defined.h"

/* ---- writing into fixed buffers ---- */

struct buffer {
    char *at;
    size_t n, size;
    bool full;
};

static void put(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct buffer *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(b->at + b->n, b->size - b->n, format, args);
    va_end(args);
    b->full |= n < 0 || (size_t)n >= b->size - b->n;
    if (!b->full)
        b->n += (size_t)n;
}

/* ---- statements ---- */

static char letter_of(int var) { return (char)('i' + var); }

int case_var(const char *name) { return name[0] - letter_of(0); }

static void put_indices(struct buffer *b, const int *var, int n)
{
    for (int i = 0; i < n; i++)
        if (case_is_literal(var[i]))
            put(b, "%s%d", i ? "," : "", case_literal_value(var[i]));
        else
            put(b, "%s%c", i ? "," : "", letter_of(var[i]));
}

static void put_access(struct buffer *b, const struct case_tensor *tensor, const int *var)
{
    put(b, "%s", tensor->name);
    if (tensor->order) {
        put(b, "(");
        put_indices(b, var, tensor->order);
        put(b, ")");
    }
}

static const char *reduction_spelling(enum op op)
{
    switch (op) {
    case OP_ADD: return "sum";
    case OP_MUL: return "prod";
    case OP_MIN: return "min";
    case OP_MAX: return "max";
    case OP_OR: return "any";
    case OP_XOR: return "xor";
    case OP_AND: return "all";
    default: return defined_of(op)->name;
    }
}

static void put_node(struct buffer *b, const struct test_case *test, int at, int outer);

/* f(f(a, b), c) is f(a, b, c), if f is associative. */
static void put_arguments(struct buffer *b, const struct test_case *test,
                          const struct case_node *node)
{
    for (int i = 0; i < node->args; i++) {
        const struct case_node *arg = &test->node[node->arg[i]];
        put(b, "%s", i ? ", " : "");
        if (i == 0 && op_is_user(node->op) && op_associative(node->op) && arg->kind == TIN_OP
            && arg->op == node->op)
            put_arguments(b, test, arg);
        else
            put_node(b, test, node->arg[i], 0);
    }
}

static void put_call(struct buffer *b, const struct test_case *test, const struct case_node *node)
{
    put(b, "%s(", op_is_user(node->op) ? defined_of(node->op)->name : op_name(node->op));
    put_arguments(b, test, node);
    put(b, ")");
}

static bool is_comparison(enum op op)
{
    return op == OP_EQ || op == OP_NE || op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE;
}

/* a ** b: of all operators it binds the tightest, but to a minus sign on its right. */
static void put_power(struct buffer *b, const struct test_case *test, const struct case_node *node)
{
    put_node(b, test, node->arg[0], op_precedence(OP_NEG) + 2);
    put(b, " ** ");
    put_node(b, test, node->arg[1], op_precedence(OP_NEG));
}

static void put_op(struct buffer *b, const struct test_case *test, const struct case_node *node,
                   int outer)
{
    if (node->op == OP_POW && test->shuffle % 2) {
        put(b, "%s", outer > op_precedence(OP_NEG) + 1 ? "(" : "");
        put_power(b, test, node);
        put(b, "%s", outer > op_precedence(OP_NEG) + 1 ? ")" : "");
        return;
    }
    if (op_syntax(node->op) == SYNTAX_CALL) {
        put_call(b, test, node);
        return;
    }
    int precedence = op_precedence(node->op);
    /* a < b < c is none */
    bool parentheses = precedence < outer, chained = is_comparison(node->op);
    put(b, "%s", parentheses ? "(" : "");
    if (op_syntax(node->op) == SYNTAX_PREFIX) {
        put(b, "%s", op_name(node->op));
        put_node(b, test, node->arg[0], precedence + 1);
    } else {
        put_node(b, test, node->arg[0], precedence + chained);
        put(b, " %s ", op_name(node->op));
        put_node(b, test, node->arg[1], precedence + 1);
    }
    put(b, "%s", parentheses ? ")" : "");
}

/* A node where only operators of at least this precedence need no parentheses. */
static void put_node(struct buffer *b, const struct test_case *test, int at, int outer)
{
    const struct case_node *node = &test->node[at];
    switch (node->kind) {
    case TIN_LITERAL: put(b, "%s", node->literal); break;
    case TIN_ACCESS: put_access(b, &test->tensor[node->tensor], node->var); break;
    case TIN_OP: put_op(b, test, node, outer); break;
    case TIN_REDUCE:
        put(b, "%s(", reduction_spelling(node->op));
        put_indices(b, node->var, node->vars);
        put(b, ", ");
        put_node(b, test, node->arg[0], 0);
        put(b, ")");
        break;
    case TIN_ASSIGN:
    case TIN_MULTI: break;
    }
}

static const char *assign_name(enum op op)
{
    switch (op) {
    case OP_ADD: return "+=";
    case OP_SUB: return "-=";
    case OP_DIV: return "/=";
    case OP_MUL: return "*=";
    case OP_MIN: return "min=";
    case OP_MAX: return "max=";
    case OP_OR: return "|=";
    case OP_AND: return "&=";
    case OP_XOR: return "^=";
    default: return "="; /* of a user's operator it comes after the name */
    }
}

/* ---- formats ---- */

static bool has_letters(const struct case_tensor *t)
{
    for (int l = 0; l < t->order; l++) {
        const struct case_level *level = &t->level[l];
        if (level->pos != TYPE_COUNT || level->crd != TYPE_COUNT || !level->ordered
            || level->letter == 'm' || (level->letter == 'q' && !level->unique))
            return false;
    }
    /* csb and dcsc are names of formats, too */
    char letters[CASE_ORDER + 1] = "";
    for (int l = 0; l < t->order; l++)
        letters[l] = t->level[l].letter;
    return t->order > 0 && !t->in_full && !format_name_find(letters, (size_t)t->order);
}

static void put_letters(struct buffer *b, const struct case_tensor *t)
{
    bool sorted = true;
    for (int l = 0; l < t->order; l++) {
        put(b, "%c", t->level[l].letter == 's' && !t->level[l].unique ? 'u' : t->level[l].letter);
        sorted &= t->level[l].mode == l;
    }
    for (int l = 0; l < t->order && !sorted; l++)
        put(b, "%c%d", l ? ',' : ':', t->level[l].mode);
}

static const char *level_name(char letter)
{
    switch (letter) {
    case 's': return "compressed";
    case 'q': return "singleton";
    case 'h': return "hashed";
    case 'c': return "padded";
    case 'b': return "bitmap";
    case 'm': return "bytemap";
    default: return "dense";
    }
}

static void put_properties(struct buffer *b, const struct case_level *level)
{
    const char *between = "(";
    if (!level->unique)
        put(b, "%snonunique", between), between = ", ";
    if (!level->ordered)
        put(b, "%sunordered", between), between = ", ";
    if (level->pos != TYPE_COUNT && level->letter == 's')
        put(b, "%spos=%s", between, type_name(level->pos)), between = ", ";
    if (level->crd != TYPE_COUNT)
        put(b, "%scrd=%s", between, type_name(level->crd)), between = ", ";
    put(b, "%s", *between == ',' ? ")" : "");
}

static void put_in_full(struct buffer *b, const struct case_tensor *t)
{
    int modes[CASE_ORDER] = {0, 1, 2, 3};
    put(b, "(");
    put_indices(b, modes, t->order);
    put(b, ") -> (");
    for (int l = 0; l < t->order; l++) {
        char letter = t->level[l].letter;
        put(b, "%s%c : %s", l ? ", " : "", letter_of(t->level[l].mode), level_name(letter));
        if (letter != 'd')
            put_properties(b, &t->level[l]);
    }
    put(b, ")");
}

static bool spell_format(struct case_tensor *t)
{
    struct buffer b = {t->format, 0, sizeof t->format, false};
    t->format[0] = '\0';
    if (t->order == 0)
        put(&b, "dense");
    else if (*t->named)
        put(&b, "%s", t->named);
    else if (has_letters(t))
        put_letters(&b, t);
    else
        put_in_full(&b, t);
    return !b.full;
}

bool case_spell(struct test_case *test)
{
    struct buffer b = {test->statement, 0, sizeof test->statement, false};
    bool fits = true;
    put_access(&b, &test->tensor[0], test->result_var);
    put(&b, " %s%s ", op_is_user(test->assign) ? defined_of(test->assign)->name : "",
        assign_name(test->assign));
    put_node(&b, test, test->root, 0);
    for (int i = 0; i < test->tensors; i++)
        fits &= spell_format(&test->tensor[i]);
    return fits && !b.full;
}

/* ---- sizes ---- */

static int root_of(const int *parent, int v)
{
    while (parent[v] != v)
        v = parent[v];
    return v;
}

/* The indices of one access, the result's being number test->nodes; NULL if that node is none. */
static const int *access_at(const struct test_case *test, int n, int *tensor, int *order)
{
    const struct case_node *node = &test->node[n];
    *tensor = n == test->nodes ? 0 : node->tensor;
    *order = test->tensor[*tensor].order;
    return n == test->nodes ? test->result_var : node->kind == TIN_ACCESS ? node->var : NULL;
}

void case_size_classes(const struct test_case *test, int *same)
{
    int first[CASE_TENSORS][CASE_ORDER], tensor, order;
    memset(first, -1, sizeof first);
    for (int v = 0; v < test->vars; v++)
        same[v] = v;
    for (int n = 0; n <= test->nodes; n++) {
        const int *var = access_at(test, n, &tensor, &order);
        for (int m = 0; var && m < order; m++) {
            int *mode = &first[tensor][m];
            if (case_is_literal(var[m]))
                continue;
            if (*mode < 0)
                *mode = var[m];
            same[root_of(same, var[m])] = root_of(same, *mode);
        }
    }
    for (int v = 0; v < test->vars; v++)
        same[v] = root_of(same, v);
}

/* The variables' modes are large enough for the literals that index them elsewhere. */
static void fit_literals(struct test_case *test)
{
    int same[CASE_VARS], least[CASE_TENSORS][CASE_ORDER] = {{0}}, tensor, order;
    case_size_classes(test, same);
    for (int n = 0; n <= test->nodes; n++) {
        const int *var = access_at(test, n, &tensor, &order);
        for (int m = 0; var && m < order; m++)
            if (case_is_literal(var[m]) && least[tensor][m] <= case_literal_value(var[m]))
                least[tensor][m] = case_literal_value(var[m]) + 1;
    }
    for (int n = 0; n <= test->nodes; n++) {
        const int *var = access_at(test, n, &tensor, &order);
        for (int m = 0; var && m < order; m++)
            for (int v = 0; v < test->vars && !case_is_literal(var[m]); v++)
                if (same[v] == same[var[m]] && test->extent[v] < least[tensor][m])
                    test->extent[v] = least[tensor][m];
    }
    for (int t = 0; t < test->tensors; t++)
        for (int m = 0; m < test->tensor[t].order; m++)
            test->tensor[t].dimension[m] = least[t][m] + (least[t][m] > 0 && t % 2);
}

void case_set_dimensions(struct test_case *test)
{
    int tensor, order;
    fit_literals(test);
    for (int n = 0; n <= test->nodes; n++) {
        const int *var = access_at(test, n, &tensor, &order);
        for (int m = 0; var && m < order; m++)
            if (!case_is_literal(var[m]))
                test->tensor[tensor].dimension[m] = test->extent[var[m]];
    }
}

/* ---- is the parse what was meant? ---- */

static bool same_indices(const int *var, const struct tin *tin)
{
    for (int i = 0; i < tin->indices; i++)
        if (tin->index[i]->literal
                ? !case_is_literal(var[i]) || case_literal_value(var[i]) != tin->index[i]->value
                : tin->index[i]->name[0] != letter_of(var[i]) || tin->index[i]->name[1])
            return false;
    return true;
}

/* A user's operator has another number in the statement. */
static bool same_op(enum op op, const struct tin *tin)
{
    return op_is_user(op) ? tin->name && strcmp(tin->name, defined_of(op)->name) == 0
                          : tin->op == op;
}

/* -2 is one literal. */
static bool is_minus(const struct test_case *test, const struct case_node *node)
{
    return node->kind == TIN_OP && node->op == OP_NEG
           && test->node[node->arg[0]].kind == TIN_LITERAL;
}

static bool is_parse_of(const struct test_case *test, int at, const struct tin *tin)
{
    const struct case_node *node = &test->node[at];
    if (is_minus(test, node) && tin->kind == TIN_LITERAL)
        return -strtod(test->node[node->arg[0]].literal, NULL) == value_double(tin->value);
    if (node->kind != tin->kind || node->args != tin->args)
        return false;
    switch (node->kind) {
    case TIN_LITERAL: return strtod(node->literal, NULL) == value_double(tin->value);
    case TIN_ACCESS:
        return strcmp(tin->tensor->name, test->tensor[node->tensor].name) == 0
               && tin->indices == node->vars && same_indices(node->var, tin);
    case TIN_REDUCE:
        if (tin->indices != node->vars || !same_indices(node->var, tin))
            return false;
        break;
    case TIN_OP:
    case TIN_ASSIGN:
    case TIN_MULTI: break;
    }
    for (int i = 0; i < node->args; i++)
        if (!is_parse_of(test, node->arg[i], tin->arg[i]))
            return false;
    return same_op(node->op, tin);
}

bool case_is_parse(const struct test_case *test, const struct tin *statement)
{
    const struct tin *left = statement->arg[0];
    return same_op(test->assign, statement) && left->indices == test->tensor[0].order
           && strcmp(left->tensor->name, test->tensor[0].name) == 0
           && same_indices(test->result_var, left)
           && is_parse_of(test, test->root, statement->arg[1]);
}

/* ---- files ---- */

static void print_tensor(struct text *out, const struct case_tensor *t)
{
    char number[64];
    value_print(t->fill, number, sizeof number);
    text_printf(out, "tensor %s %s fill %s dimensions", t->name, type_name(t->type), number);
    for (int m = 0; m < t->order; m++)
        text_printf(out, " %lld", (long long)t->dimension[m]);
    text_printf(out, " format %s\n", t->format);
    for (int e = 0; e < t->entries; e++) {
        value_print(t->entry[e].value, number, sizeof number);
        for (int m = 0; m < t->order; m++)
            text_printf(out, " %d", t->entry[e].coordinate[m]);
        text_printf(out, " : %s\n", number);
    }
}

void case_print(struct text *out, const struct test_case *test)
{
    text_printf(out, "statement %s\nindex %d\nshuffle %llu\n", test->statement, test->index_bits,
                (unsigned long long)test->shuffle);
    if (*test->schedule)
        text_printf(out, "schedule %s\n", test->schedule);
    for (int v = 0; v < test->vars; v++)
        if (test->declared[v])
            text_printf(out, "size %c %lld\n", letter_of(v), (long long)test->extent[v]);
    if (case_has_same(test))
        text_printf(out, "same %d %d\n", test->same[0], test->same[1]);
    for (int i = 0; i < test->operators; i++)
        text_printf(out, "op %s\n", defined_of(test->operator[i])->text);
    for (int i = 0; i < test->tensors; i++)
        print_tensor(out, &test->tensor[i]);
}

static bool read_fill(struct case_tensor *t, const char *text)
{
    return value_parse(text, strlen(text), t->type, &t->fill);
}

static const char *read_tensor(struct test_case *test, char *line)
{
    char type[16], fill[64];
    int at = 0, step;
    long long dimension;
    if (test->tensors == CASE_TENSORS)
        return "too many tensors";
    struct case_tensor *t = &test->tensor[test->tensors++];
    memset(t, 0, sizeof *t);
    if (sscanf(line, "tensor %7s %15s fill %63s dimensions%n", t->name, type, fill, &at) != 3
        || at == 0)
        return "a tensor line that is not 'tensor NAME TYPE fill V dimensions N... format F'";
    for (; sscanf(line + at, " %lld%n", &dimension, &step) == 1; at += step) {
        if (t->order == CASE_ORDER || dimension < 0 || dimension > CASE_SIZE)
            return "a tensor of more modes, or larger, than cases have";
        t->dimension[t->order++] = dimension;
    }
    if (strncmp(line + at, " format ", 8) != 0)
        return "a tensor without a format";
    snprintf(t->format, sizeof t->format, "%s", line + at + 8);
    if (!type_parse(type, strlen(type), &t->type) || !read_fill(t, fill))
        return "an unknown type, or a fill that does not fit it";
    return NULL;
}

static const char *read_entry(struct test_case *test, const char *line)
{
    char number[64];
    int at = 0, step, coordinate;
    struct case_tensor *t = &test->tensor[test->tensors - 1];
    if (test->tensors == 0 || t->entries == CASE_ENTRIES)
        return "an entry without a tensor, or too many of them";
    struct case_entry *e = &t->entry[t->entries++];
    for (int m = 0; m < t->order; m++, at += step) {
        if (sscanf(line + at, " %d%n", &coordinate, &step) != 1 || coordinate < 0
            || coordinate >= t->dimension[m])
            return "an entry with a wrong coordinate";
        e->coordinate[m] = (int32_t)coordinate;
    }
    if (sscanf(line + at, " : %63s", number) != 1
        || !value_parse(number, strlen(number), t->type, &e->value))
        return "an entry with a wrong value";
    return NULL;
}

static const char *read_operator(struct test_case *test, const char *text)
{
    if (test->operators == CASE_OPERATORS)
        return "too many operators";
    return defined_as(text, &test->operator[test->operators++])
               ? NULL
               : "an operator that is not in the oracle's table";
}

static const char *read_text(char text[CASE_STATEMENT], const char *from)
{
    if (strlen(from) >= CASE_STATEMENT)
        return "a statement or a schedule that is too long";
    strcpy(text, from);
    return NULL;
}

static const char *read_line(struct test_case *test, char *line)
{
    char var;
    long long size;
    unsigned long long shuffle;
    if (strncmp(line, "statement ", 10) == 0) {
        return read_text(test->statement, line + 10);
    } else if (strncmp(line, "schedule ", 9) == 0) {
        return read_text(test->schedule, line + 9);
    } else if (sscanf(line, "index %d", &test->index_bits) == 1) {
        return test->index_bits == 32 || test->index_bits == 64
                   ? NULL
                   : "an index width other than 32 and 64";
    } else if (sscanf(line, "shuffle %llu", &shuffle) == 1) {
        test->shuffle = shuffle;
    } else if (sscanf(line, "size %c %lld", &var, &size) == 2) {
        int v = var - 'i';
        if (v < 0 || v >= CASE_VARS)
            return "a variable other than i, j, k, ...";
        test->declared[v] = true;
        test->extent[v] = size;
        test->vars = v >= test->vars ? v + 1 : test->vars;
    } else if (sscanf(line, "same %d %d", &test->same[0], &test->same[1]) == 2) {
        return NULL; /* case_has_same looks at the numbers */
    } else if (strncmp(line, "op ", 3) == 0) {
        return read_operator(test, line + 3);
    } else if (strncmp(line, "tensor ", 7) == 0) {
        return read_tensor(test, line);
    } else if (*line == ' ') {
        return read_entry(test, line);
    } else if (*line && *line != '#') {
        return "a line that is none of statement, schedule, index, shuffle, size, same, op, "
               "tensor, "
               "entry";
    }
    return NULL;
}

const char *case_read(struct test_case *test, const char *text)
{
    char line[CASE_STATEMENT + 32];
    const char *trouble = NULL;
    memset(test, 0, sizeof *test);
    test->index_bits = 32;
    while (*text && !trouble) {
        size_t n = strcspn(text, "\r\n");
        if (n >= sizeof line)
            return "a line that is too long";
        memcpy(line, text, n);
        line[n] = '\0';
        trouble = read_line(test, line);
        text += n + (text[n] != '\0');
    }
    return trouble                                   ? trouble
           : test->tensors == 0 || !*test->statement ? "no statement or no tensor"
                                                     : NULL;
}

/* ---- for the compiler ---- */

void case_command(struct text *out, const struct test_case *test)
{
    char number[64];
    text_printf(out, "spcc emit '%s'", test->statement);
    for (int i = 0; i < test->tensors; i++) {
        const struct case_tensor *t = &test->tensor[i];
        text_printf(out, " -f '%s:%s' -t %s:%s", t->name, t->format, t->name, type_name(t->type));
        value_print(t->fill, number, sizeof number);
        if (!value_is_zero(t->fill))
            text_printf(out, " --fill '%s:%s'", t->name, number);
    }
    for (int v = 0; v < test->vars; v++)
        if (test->declared[v])
            text_printf(out, " -d %c:%lld", letter_of(v), (long long)test->extent[v]);
    if (case_has_same(test))
        text_printf(out, " --same %s,%s", test->tensor[test->same[0]].name,
                    test->tensor[test->same[1]].name);
    for (int i = 0; i < test->operators; i++)
        text_printf(out, " --op '%s'", defined_of(test->operator[i])->text);
    if (test->index_bits == 64)
        text_add(out, " --index=64");
}

struct tin_declarations case_declarations(struct arena *arena, const struct test_case *test)
{
    struct tin_declaration *tensor = arena_array(arena, struct tin_declaration, test->tensors);
    struct tin_size *size = arena_array(arena, struct tin_size, CASE_VARS);
    char number[64];
    int sizes = 0;
    for (int i = 0; i < test->tensors; i++) {
        const struct case_tensor *t = &test->tensor[i];
        value_print(t->fill, number, sizeof number);
        tensor[i] = (struct tin_declaration){t->name, t->format, type_name(t->type),
                                             arena_strdup(arena, number)};
    }
    for (int v = 0; v < test->vars; v++)
        if (test->declared[v])
            size[sizes++] =
                (struct tin_size){arena_printf(arena, "%c", letter_of(v)), test->extent[v]};
    enum type index = test->index_bits == 64 ? TYPE_I64 : TYPE_I32;
    const char **same = arena_array(arena, const char *, 1);
    bool promises = case_has_same(test);
    if (promises)
        *same = arena_printf(arena, "%s,%s", test->tensor[test->same[0]].name,
                             test->tensor[test->same[1]].name);
    return (struct tin_declarations){.tensor = tensor,
                                     .tensors = test->tensors,
                                     .size = size,
                                     .sizes = sizes,
                                     .same = same,
                                     .n_same = promises,
                                     .defaults = {index, index}};
}

const char *const *case_operators(struct arena *arena, const struct test_case *test)
{
    const char **text = arena_array(arena, const char *, test->operators);
    for (int i = 0; i < test->operators; i++)
        text[i] = defined_of(test->operator[i])->text;
    return text;
}
