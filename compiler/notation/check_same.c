/* check_same.c - tensors for which the user promises one pattern.
 *
 *     Z(i,j,k) = X(i,j,k) * W(i,j,k), where X and W store the same components: "X,W"
 *
 * A component then has the same position in both, so walking one of them is enough.  The promise
 * covers the leading levels that both formats share.  So the fibers X(i,j) share a pattern with
 * X(i,j,k), if every fiber has components of X.  Whoever runs the code keeps the promise
 * (runtime/api/same.c checks it).
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/notation/check_parts.h"

static struct span promised_span(const struct check *c, const char *text, const char *at, size_t n)
{
    struct source *source = arena_make(c->cx->arena, struct source);
    *source = (struct source){"same", text};
    return (struct span){source, (int)(at - text), (int)(at - text + (ptrdiff_t)n)};
}

/* Finds the tensor of this name.  NULL after a diagnostic. */
static struct tensor_var *find_tensor(struct check *c, const char *text, const char *at, size_t n)
{
    const char *name = arena_printf(c->cx->arena, "%.*s", (int)n, at);
    int t = n ? check_find_tensor(c, intern(c->cx, name)) : -1;
    if (t >= 0)
        return c->tensors.at[t].var;
    struct diag *diag = diag_error(c->cx, DIAG_NAME, promised_span(c, text, at, n ? n : 1),
                                   n ? "no tensor in the expression is called %s"
                                     : "the name of a tensor is missing here%s",
                                   name);
    diag_help(c->cx, diag, "{same} takes names of tensors that the statement has: X,W");
    return NULL;
}

static void refuse_formats(struct check *c, struct span span, const struct tensor_var *first,
                           const struct tensor_var *var)
{
    struct diag *diag =
        diag_error(c->cx, DIAG_FORMAT, span,
                   "%s cannot have the pattern of %s: their formats begin with no level of which "
                   "both have the arrays",
                   var->name, first->name);
    diag_help(c->cx, diag, "give %s the format of %s, {declaration %s:%s}", var->name, first->name,
              var->name, first->format->spelling);
}

/* Gives every tensor with the second's pattern the first's. */
static void unite(struct check *c, struct tensor_var *first, struct tensor_var *var)
{
    const struct tensor_var *one = first->same ? first->same : first,
                            *other = var->same ? var->same : var;
    for (size_t t = 0; t < c->tensors.n; t++) {
        struct tensor_var *of = c->tensors.at[t].var;
        if (of == other || of == one || of->same == other)
            of->same = one;
    }
}

/* Can components of both have the same positions?  Those of two formats without arrays, as dense
 * ones, do if the formats are the same. */
static bool can_have_pattern(const struct format *first, const struct format *format)
{
    return format_has_arrays(format, format_common(first, format)) || format_equal(first, format);
}

static void promise(struct check *c, const char *text)
{
    struct tensor_var *first = NULL;
    int names = 0;
    for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
        at += strspn(at, " \t");
        end = at + strcspn(at, ",");
        size_t n = strcspn(at, ", \t");
        struct tensor_var *var = find_tensor(c, text, at, n);
        if (!var)
            return;
        names++;
        if (var->parts)
            diag_error(c->cx, DIAG_FORMAT, promised_span(c, text, at, n),
                       "%s is in parts, each of which has a pattern of its own", var->name);
        else if (first && !can_have_pattern(first->format, var->format))
            refuse_formats(c, promised_span(c, text, at, n), first, var);
        else if (first)
            unite(c, first, var);
        first = first ? first : var;
    }
    if (names < 2)
        diag_error(c->cx, DIAG_NAME, promised_span(c, text, text, strlen(text)),
                   "one pattern is that of two tensors or more, as in X,W");
}

void check_declare_same(struct check *c)
{
    for (int i = 0; i < c->declared->n_same; i++)
        promise(c, c->declared->same[i]);
}
