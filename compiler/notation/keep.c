/* keep.c - components that are stored by value: C(i,j) = keep(e, c) is e where c holds, and stores
 * nothing elsewhere.
 *
 * keep says which components exist, so it is the whole right-hand side: inside an expression there
 * is no component to leave out.  It is refused in a statement that combines with old values, or
 * that updates a part of a sparse result in place, since components would stay.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/check.h"

bool tin_is_kept(const struct tin *e) { return e->kind == TIN_OP && e->op == OP_KEEP; }

static const struct tin *find_keep(const struct tin *e)
{
    const struct tin *found = tin_is_kept(e) ? e : NULL;
    for (int i = 0; i < e->args && !found; i++)
        found = find_keep(e->arg[i]);
    return found;
}

static bool refuse(struct context *cx, const struct tin *keep, const char *why, const char *remedy)
{
    struct diag *diag = diag_error(cx, DIAG_SYNTAX, keep->span, "%s", why);
    diag_help(cx, diag, "%s", remedy);
    return false;
}

bool check_keep(struct context *cx, const struct tin *statement)
{
    const struct tin *value = statement->arg[1], *inside = NULL;
    for (int i = 0; i < value->args && tin_is_kept(value) && !inside; i++)
        inside = find_keep(value->arg[i]);
    const struct tin *keep = inside ? inside : find_keep(value);
    if (keep && keep != value)
        return refuse(cx, keep, "keep is all of a right-hand side, and here it is a part of one",
                      "write keep(e, c) around all of it, or select(c, e, 0) for a value here");
    if (keep && statement->op != OP_NONE)
        return refuse(cx, keep,
                      "keep says what a result stores, and this assignment combines with what it "
                      "has",
                      "assign with =, or combine with select(c, e, 0)");
    return true;
}

bool check_keep_held(struct context *cx, const struct tin *statement)
{
    return !tin_is_kept(statement->arg[1])
           || refuse(cx, statement->arg[1],
                     "a part of a sparse tensor is updated in place, and keeps its components",
                     "write select(c, e, 0), or keep(e, c) for all of the tensor");
}
