/* c_memory.c - statements about arrays as a whole, in C: room for them, fills, copies, prefetches.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"

static void allocate_array(struct c_writer *w, const struct imp *imp)
{
    const char *type = c_type(w, imp->var->type), *name = c_name(w, imp->var);
    const char *elements = c_value(w, imp->arg[0]);
    if (imp->var->arrays)
        c_line(w, C_INDENT, "%s = %s(%s," C_BREAK "%d," C_BREAK "%s);", name,
               c_allocate_arrays_helper(w), elements, imp->var->arrays, c_few_name(w, imp->var));
    else if (imp->kind == IMP_JOIN)
        c_join(w, imp);
    else if (imp->kind == IMP_RESIZE)
        c_line(w, C_INDENT, "%s = (%s *)%s(%s," C_BREAK "%s," C_BREAK "sizeof(%s));", name, type,
               c_reallocate_helper(w), name, elements, type);
    else
        c_line(w, C_INDENT, "%s = (%s *)%s(%s," C_BREAK "sizeof(%s));", name, type,
               c_allocate_helper(w), elements, type);
}

bool c_allocates(const struct imp *imp)
{
    return imp->kind == IMP_ALLOC || imp->kind == IMP_RESIZE || imp->kind == IMP_JOIN;
}

/* Stops before a size that is loaded from an array: the array may be one that is only now asked
 * for. */
int c_allocate(struct c_writer *w, const struct imp *const *arg, int n)
{
    struct text missing = text_new(w->cx->arena);
    int done = 0;
    if (w->iso && c_plain_group(w, arg, n) > 0)
        return c_plain_allocate(w, arg, n);
    int resizes = w->iso ? c_plain_resizes(w, arg, n) : 0;
    if (resizes > 0) {
        c_plain_resize(w, arg, resizes);
        return resizes;
    }
    for (; done < n && c_allocates(arg[done]); done++) {
        const struct imp *imp = arg[done];
        if (missing.n && imp_has(imp->arg[0], IMP_BIT(LOAD)))
            break;
        if (imp->var->small)
            continue;
        allocate_array(w, imp);
        text_printf(&missing, "%s!%s", missing.n ? C_BREAK "|| " : "", c_name(w, imp->var));
    }
    if (missing.n)
        c_fail_if(w, missing.at);
    return done;
}

void c_release_array(struct c_writer *w, const struct imp_var *var)
{
    if (var->small)
        return;
    w->uses_release = true;
    const char *free = c_release_helper(w), *name = c_name(w, var);
    const char *again = w->may_fail_yet ? arena_printf(w->cx->arena, " %s = NULL;", name) : "";
    if (var->arrays)
        c_line(w, C_INDENT, "%s(%s," C_BREAK "%s);%s", c_free_arrays_helper(w), name,
               c_few_name(w, var), again);
    else
        c_line(w, 0, "%s(%s);%s", free, name, again);
}

void c_release_arrays(struct c_writer *w, const struct imp_var *const *var, int n)
{
    enum { FEW = 16 };
    if (w->device) {
        w->device->release(w, var, n);
        return;
    }
    if (w->iso && !w->may_fail_yet) {
        c_plain_release(w, var, n);
        return;
    }
    struct text names = text_new(w->cx->arena);
    int plain = 0;
    for (int i = 0; i < n; i++) {
        if (var[i]->arrays || var[i]->small)
            continue;
        text_printf(&names, "%s%s", plain++ ? "," C_BREAK : "", c_name(w, var[i]));
    }
    for (int i = 0; i < n; i++)
        if (var[i]->arrays || plain <= FEW)
            c_release_array(w, var[i]);
    if (plain <= FEW)
        return;
    c_line(w, 0, "{");
    w->indent += C_INDENT;
    c_line(w, C_INDENT, "void *left[] = {%s};", names.at);
    c_line(w, 0, "for (int at = 0; at < %d; at++)", plain);
    c_line(w, 0, "    %s(left[at]);", c_release_helper(w));
    w->indent -= C_INDENT;
    c_line(w, 0, "}");
}

/* Is the value stored as zero bytes only? */
bool c_is_zero_bytes(const struct imp *imp)
{
    unsigned char byte[16] = {0}, zero[16] = {0};
    if (imp->kind != IMP_LITERAL)
        return false;
    value_store(imp->value, byte);
    return memcmp(byte, zero, sizeof byte) == 0;
}

/* Returns the number of elements from begin to end if it can be read off; NULL otherwise. */
static const struct imp *extent(const struct imp *begin, const struct imp *end)
{
    if (begin->kind == IMP_LITERAL && value_is_zero(begin->value))
        return end;
    bool sum = end->kind == IMP_OP && end->op == OP_ADD;
    return sum && imp_equal(end->arg[0], begin) ? end->arg[1] : NULL;
}

void c_fill(struct c_writer *w, const struct imp *imp)
{
    const struct imp *begin = imp->arg[0], *end = imp->arg[1], *value = imp->arg[2],
                     *n = extent(begin, end);
    const char *name = c_name(w, imp->var), *type = c_type(w, imp->var->type);
    if (n && c_is_zero_bytes(value)) {
        bool from_start = n == end;
        w->uses_string = w->uses_size = true;
        c_line(w, 7, "memset(%s%s%s, 0," C_BREAK "%s%s * sizeof(%s));", name,
               from_start ? "" : " + ", from_start ? "" : c_position(w, begin, C_ADD),
               n->kind == IMP_LITERAL ? "" : "(size_t)", c_position(w, n, C_UNARY), type);
        return;
    }
    const char *at = c_type(w, type_promote(begin->type, end->type));
    const char *from = c_value(w, begin), *to = c_at(w, end, C_ADD);
    c_line(w, 5, "for (%s at = %s; at < %s; at++)", at, from, to);
    w->indent += C_INDENT;
    c_line(w, C_INDENT, "%s[at] =" C_LATE_BREAK "%s;", name, c_value(w, value));
    w->indent -= C_INDENT;
}

/* Returns the summand that turns a loop's variable into a position. */
static const char *behind(struct c_writer *w, const struct imp *first)
{
    bool zero = first->kind == IMP_LITERAL && value_is_zero(first->value);
    return zero ? "" : arena_printf(w->cx->arena, "%s + ", c_position(w, first, C_ADD));
}

/* Moves elements to another place of the same array. */
static void move_within(struct c_writer *w, const struct imp *imp)
{
    c_line(w, 8, "%s(%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "sizeof(%s));",
           c_move_helper(w, c_team(w)), c_name(w, imp->var), c_position(w, imp->arg[0], C_ANY),
           c_position(w, imp->arg[2], C_ANY), c_position(w, imp->arg[3], C_ANY),
           c_type(w, imp->var->type));
}

/* As a loop, which compilers make a memcpy: that may not be given arrays of no elements that are
 * NULL. */
void c_copy(struct c_writer *w, const struct imp *imp)
{
    const struct imp *n = imp->arg[3];
    if (imp->arg[1]->var == imp->var) {
        move_within(w, imp);
        return;
    }
    c_line(w, 5, "for (%s at = 0; at < %s; at++)", c_type(w, n->type), c_at(w, n, C_ADD));
    w->indent += C_INDENT;
    c_line(w, C_INDENT, "%s[%sat] =" C_LATE_BREAK "%s[%sat];", c_name(w, imp->var),
           behind(w, imp->arg[0]), c_name(w, imp->arg[1]->var), behind(w, imp->arg[2]));
    w->indent -= C_INDENT;
}

void c_prefetch(struct c_writer *w, const struct imp *imp)
{
    bool plain = type_kind(imp->arg[0]->type) == KIND_INT;
    c_line(w, C_INDENT, "__builtin_prefetch(%s + %s);", c_name(w, imp->var),
           c_position(w, imp->arg[0], plain ? C_ADD : C_MUL));
}
