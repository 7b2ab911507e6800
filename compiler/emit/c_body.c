/* c_body.c - bodies of functions in C: what they declare first and release when they fail.
 *
 * A kernel that can fail has one way out for it: a label at its end behind which everything is
 * released.  C++ lets no goto jump over an initialization, so that in such a kernel the arrays that
 * it allocates, and what it would declare after the first way to fail, are declared at the top.
 * So it is in a part of a parallel loop, which is a small kernel (c_parallel.c).
 *
 * In plain C the way out is the same whether it fails or not, so that everything is released once:
 *
 *         status = pA2 > 2147483647 ? 2 : 0;
 *     done:
 *         free(w_vals);
 *         if (status != 0) { free(A2_pos); ... }
 *         *A2_pos_out = status != 0 ? NULL : A2_pos; ...
 *         return status;
 *
 * What has nothing to release returns where it fails.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"
#include "compiler/imperative/query.h"

/* Notes the statuses, by bits, other than that there is no memory. */
static bool note_status(const struct imp *imp, void *statuses)
{
    if (imp->kind == IMP_FAIL && imp->n != STATUS_NO_MEMORY)
        *(unsigned *)statuses |= 1u << imp->n;
    return false;
}

/* Adds the variable to the list.  False: it is there already. */
static bool add_once(struct c_writer *w, struct c_variables *to, const struct imp_var *var)
{
    for (size_t i = 0; i < to->n; i++)
        if (to->at[i] == var)
            return false;
    vec_push(w->cx->arena, to, var);
    return true;
}

static void find_arrays(struct c_writer *w, const struct imp *imp)
{
    bool made = imp->kind == IMP_DECLARE && imp->var->array && imp->var->place == PLACE_MEMORY;
    if (made && !imp->var->small)
        add_once(w, &w->array, imp->var);
    for (int i = 0; i < imp->args && !c_is_part(imp); i++)
        if (!imp_is_expression(imp->arg[i]))
            find_arrays(w, imp->arg[i]);
}

/* Declares the arrays that are the function's own memory.  A loop that is unrolled may allocate one
 * in several places. */
static void declare_small(struct c_writer *w, const struct imp *imp, struct c_variables *declared)
{
    if (imp->kind == IMP_ALLOC && imp->var->small && add_once(w, declared, imp->var))
        c_line(w, 0, "%s %s[%s];", c_type(w, imp->var->type), c_name(w, imp->var),
               c_value(w, imp->arg[0]));
    for (int i = 0; i < imp->args && !c_is_part(imp); i++)
        if (!imp_is_expression(imp->arg[i]))
            declare_small(w, imp->arg[i], declared);
}

/* Is it another array's memory? */
static bool is_taken(struct c_writer *w, const struct imp_var *var)
{
    return c_is(w->cx, c_own_uses(w), var, C_TAKEN);
}

/* Writes one line of declarations, of the arrays that have the type of the first.  Returns their
 * number. */
static size_t declare_arrays(struct c_writer *w, const struct imp_var *const *var, size_t n)
{
    if (var[0]->arrays) {
        c_line(w, C_INDENT, "void *%s[%d]," C_BREAK "**%s = NULL;", c_few_name(w, var[0]),
               var[0]->arrays + 1, c_name(w, var[0]));
        return 1;
    }
    struct text line = text_new(w->cx->arena);
    size_t i = 0;
    for (; i < n && !var[i]->arrays && var[i]->type == var[0]->type; i++)
        text_printf(&line, "%s*%s%s", i ? "," C_BREAK : "", c_name(w, var[i]),
                    is_taken(w, var[i]) ? "" : " = NULL");
    c_line(w, (int)strlen(c_type(w, var[0]->type)) + 1, "%s %s;", c_type(w, var[0]->type), line.at);
    return i;
}

static bool is_failing_loop(const struct imp *imp, void *w)
{
    return imp->kind == IMP_PARALLEL && c_may_fail(w, imp);
}

/* Writes the declarations at the top of a function.  Of the arrays that it makes they are NULL,
 * since the way out for failures releases all of these. */
static void open_body(struct c_writer *w, const struct imp *body)
{
    find_arrays(w, body);
    struct c_variables small = {0}, top = {0};
    declare_small(w, body, &small);
    for (size_t i = 0; i < w->array.n; i++)
        if (!c_is_placed(w, w->array.at[i]))
            vec_push(w->cx->arena, &top, w->array.at[i]);
    for (size_t i = 0; i < top.n;)
        i += declare_arrays(w, &top.at[i], top.n - i);
    w->uses_size = w->uses_size || w->array.n > 0; /* NULL */
}

static bool is_out(const struct c_writer *w, const struct imp_var *var)
{
    for (int i = 0; i < w->function->params; i++)
        if (w->function->param[i].out && w->function->param[i].var == var)
            return true;
    return false;
}

/* Returns the arrays declared at the top that have to be released: results, others, or both. */
static struct c_variables owned(struct c_writer *w, bool results, bool others)
{
    struct c_variables own = {0};
    for (size_t i = 0; i < w->array.n; i++)
        if (!is_taken(w, w->array.at[i]) && (is_out(w, w->array.at[i]) ? results : others))
            vec_push(w->cx->arena, &own, w->array.at[i]);
    return own;
}

static void release_all(struct c_writer *w, struct c_variables own)
{
    w->may_fail_yet = false;
    c_release_arrays(w, own.at, (int)own.n);
}

static unsigned statuses_of(const struct imp *body)
{
    unsigned statuses = 0;
    imp_any(body, note_status, &statuses);
    return statuses;
}

static void declare_outs(struct c_writer *w)
{
    w->array.n = 0;
    for (int i = 0; i < w->function->params; i++)
        if (w->function->param[i].out)
            add_once(w, &w->array, w->function->param[i].var);
}

static void declare_status(struct c_writer *w, const struct imp *body)
{
    w->parts_fail = imp_any(body, is_failing_loop, w);
    w->returns = w->iso && w->fails && w->array.n == 0 && !w->parts_fail;
    if (w->iso ? w->fails && !w->returns : w->statuses != 0)
        c_line(w, 0, "int status = %d;", STATUS_NO_MEMORY);
    if (w->parts_fail)
        c_line(w, 0, "int failed = %d;", STATUS_OK);
}

/* Sets every result's pointer, to its array or to NULL; in plain C several in a line. */
static void set_outs(struct c_writer *w, const char *before, bool named)
{
    struct text line = text_new(w->cx->arena);
    for (int i = 0; i < w->function->params; i++) {
        const struct imp_param *param = &w->function->param[i];
        if (!param->out)
            continue;
        text_printf(&line, "%s*%s = %s%s;", line.n ? C_BREAK : "", c_out_name(w, param->var),
                    before, named ? c_name(w, param->var) : "");
        if (!w->iso) {
            c_line(w, 0, "%s", line.at);
            line = text_new(w->cx->arena);
        }
    }
    if (line.n)
        c_line(w, 0, "%s", line.at);
}

static void return_status(struct c_writer *w)
{
    c_line(w, 0, "return %sstatus;", w->parts_fail ? "failed ? failed : " : "");
}

/* Writes the way out for failures. */
static void leave_failed(struct c_writer *w)
{
    text_add(&w->code, w->uses_fail ? "\nfail:\n" : "\n");
    release_all(w, owned(w, true, true));
    set_outs(w, "NULL", false);
    if (w->statuses)
        return_status(w);
    else
        c_line(w, 0, "return %d;", STATUS_NO_MEMORY);
}

/* Writes the only way out.  `check` is the failure that is looked for at the very end, or NULL. */
static void leave_once(struct c_writer *w, const struct imp *check)
{
    if (check)
        c_line(w, C_INDENT, "status = %s ? %d : %d;", c_at(w, check->arg[0], C_OR),
               (int)imp_failure(check)->n, STATUS_OK);
    else
        c_line(w, 0, "status = %d;", STATUS_OK);
    text_add(&w->code, w->uses_fail ? "done:\n" : "");
    release_all(w, owned(w, false, true));
    const struct c_variables results = owned(w, true, false);
    if (results.n > 0) {
        size_t mark = w->code.n;
        c_line(w, 0, "if (status != 0) {");
        w->indent += C_INDENT;
        release_all(w, results);
        w->indent -= C_INDENT;
        c_line(w, 0, "}");
        c_join_lines(w, mark);
    }
    set_outs(w, "status != 0 ? NULL : ", true);
    return_status(w);
}

/* Writes the declarations of the body that come after the first statement that may fail, or are it.
 * They have no values, except literals. */
static void hoist(struct c_writer *w, const struct imp *const *arg, const bool *fails, int n)
{
    bool failed = false;
    /* the type of the line of bare names that has begun */
    const char *last = NULL;
    struct text names = text_new(w->cx->arena);
    for (int i = 0; i < n; i++) {
        const struct imp_var *var = arg[i]->var;
        failed = failed || fails[i];
        if (!failed || arg[i]->kind != IMP_DECLARE || var->array)
            continue;
        if (arg[i]->args && arg[i]->arg[0]->kind == IMP_LITERAL) {
            c_declare(w, arg[i]);
            continue;
        }
        const char *type = c_var_type(w, var);
        if (last && strcmp(last, type) != 0) {
            c_line(w, C_INDENT, "%s %s;", last, names.at);
            names = text_new(w->cx->arena);
        }
        text_printf(&names, "%s%s", names.n ? "," C_BREAK : "", c_name(w, var));
        last = type;
    }
    if (last)
        c_line(w, C_INDENT, "%s %s;", last, names.at);
}

/* Writes a step of the body.  A declaration that has been hoisted leaves the assignment of its
 * value, unless that is a literal. */
static int body_step(struct c_writer *w, const struct imp *const *arg, int n, bool hoisted)
{
    const struct imp *imp = arg[0];
    bool declaration = imp->kind == IMP_DECLARE && !imp->var->array;
    if (!declaration || !hoisted)
        return c_step(w, arg, n);
    if (c_is_event(imp))
        w->device->fetch(w, imp);
    else if (imp->args && imp->arg[0]->kind != IMP_LITERAL)
        c_assignment(w, c_name(w, imp->var), NULL, OP_NONE, imp->arg[0]);
    return 1;
}

/* Finds the statements that may fail; of several that ask for memory together it is the last. */
static const bool *find_failing(struct c_writer *w, const struct imp *const *arg, int n)
{
    bool *fails = arena_array(w->cx->arena, bool, n);
    for (int i = 0; i < n; i++) {
        int group = w->iso ? c_plain_group(w, arg + i, n - i) : 0;
        i += group > 0 ? group - 1 : 0;
        fails[i] = w->fails && !w->returns && c_may_fail(w, arg[i]);
        fails[i] |= group > 0;
    }
    return fails;
}

/* Declares the arrays that are made before anything else can fail where they are made. */
static void place_arrays(struct c_writer *w, const struct imp *body)
{
    int n;
    const struct imp *const *arg = c_parts(&body, &n);
    w->placed.n = 0;
    for (int i = 0; i < n && w->iso; i++) {
        int group = c_plain_group(w, arg + i, n - i);
        c_plain_place(w, arg + i, group);
        if (group > 0 || c_may_fail(w, arg[i]))
            return;
    }
}

/* Is there nothing behind the first of n statements but memory that is released? */
static bool is_end(const struct imp *const *arg, int n)
{
    for (int i = 1; i < n; i++)
        if (arg[i]->kind != IMP_FREE)
            return false;
    return true;
}

/* Writes the statements, and first what has to be declared before the first way to fail.  If there
 * is one way out, the memory released behind the last statement that may fail is released there,
 * and a check that is made last is returned, since it decides about the status. */
static const struct imp *body_statements(struct c_writer *w, const struct imp *body)
{
    int n, last = -1;
    const struct imp *const *arg = c_parts(&body, &n);
    const bool *fails = find_failing(w, arg, n);
    bool once = w->iso && w->fails && !w->returns;
    for (int i = 0; i < n; i++)
        last = fails[i] ? i : last;
    hoist(w, arg, fails, n);
    for (int i = 0; i < n;) {
        w->may_fail_yet = once || i <= last;
        if (w->device && fails[i] && !w->hoisted)
            w->device->check(w);
        w->hoisted = w->hoisted || fails[i];
        if (once && i == last && imp_failure(arg[i]) && is_end(arg + i, n - i)) {
            w->hoisted = false;
            return arg[i];
        }
        bool later = once && i > last && arg[i]->kind == IMP_FREE;
        int step = later ? 1 : body_step(w, arg + i, n - i, w->hoisted);
        for (int end = i + step; i < end; i++)
            w->hoisted = w->hoisted || fails[i];
    }
    w->hoisted = false;
    return NULL;
}

static void kernel_body(struct c_writer *w, const struct imp *body)
{
    const struct imp *check = body_statements(w, body);
    if (w->iso && w->fails && !w->returns) {
        leave_once(w, check);
        return;
    }
    set_outs(w, "", true);
    c_stream_end(w, body);
    if (w->fails || !w->part)
        c_line(w, 0, "return %d;", STATUS_OK);
    if (w->fails && !w->returns)
        leave_failed(w);
}

void c_body(struct c_writer *w, const struct imp *body)
{
    w->fails = !w->function->helper && c_may_fail(w, body);
    w->uses_fail = false;
    w->statuses = statuses_of(body);
    if (w->device && w->fails) /* what CUDA says */
        w->statuses |= 1u << STATUS_NO_MEMORY;
    w->indent += C_INDENT;
    declare_outs(w);
    place_arrays(w, body);
    open_body(w, body);
    declare_status(w, body);
    if (w->function->helper)
        c_statements(w, body);
    else
        kernel_body(w, body);
    w->indent -= C_INDENT;
}
