/* segments.c - counts, the segments that they make, and components put into these.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/workspace/segments.h"

#include "compiler/lower/workspace/workspace.h"

static const struct format *format_of(const struct segments *s)
{
    return s->access->tensor->format;
}

static int last_level(const struct segments *s) { return format_of(s)->levels - 1; }

static const struct imp_var *array_of(struct kernel *k, const struct segments *s,
                                      enum level_array_kind kind)
{
    return *code_array(kernel_code(k, s->access->tensor), last_level(s), kind);
}

const struct imp *segments_parents(struct kernel *k, const struct segments *s)
{
    return kernel_positions(k, s->access, 0, last_level(s), imp_int(k->cx, TYPE_I64, 1));
}

struct level_code segments_below(struct kernel *k, const struct segments *s,
                                 const struct imp *parent)
{
    return kernel_level(k, s->access, last_level(s), parent, NULL);
}

const char *segments_next_name(struct kernel *k, const struct segments *s)
{
    return arena_printf(k->cx->arena, "%s%d_next", s->access->tensor->name, last_level(s) + 1);
}

/* ---- a component ---- */

static const struct imp *parent_of(struct kernel *k, const struct segments *s,
                                   const struct scope *scope)
{
    const struct imp *found, *position = workspace_zero(k);
    for (int level = 0; level < last_level(s); level++) {
        struct level_code code = kernel_level(k, s->access, level, position, NULL);
        position = code.format->type->locate(
            &code, scope_coordinate(scope, access_level_var(s->access, level)), &found);
    }
    return imp_cast(k->cx, TYPE_I64, position);
}

static const struct imp *named_parent(struct kernel *k, const struct segments *s,
                                      const struct scope *scope)
{
    const struct imp *parent = parent_of(k, s, scope);
    if (parent->kind == IMP_VAR || parent->kind == IMP_LITERAL)
        return parent;
    return imp_let(&k->b, kernel_var(k, parent->type, "%s_parent", s->access->tensor->name),
                   parent);
}

static void put(struct kernel *k, const struct segments *s, const struct scope *scope,
                const struct imp *value)
{
    struct level_code code = segments_below(k, s, named_parent(k, s, scope));
    const struct imp *coordinate =
        scope_coordinate(scope, access_level_var(s->access, last_level(s)));
    const struct imp *position = code.format->type->fill(&code, s->next, coordinate);
    if (value)
        imp_add(&k->b, imp_store(k->cx, kernel_code(k, s->access->tensor)->values, position,
                                 OP_NONE, value));
}

void segments_store(struct kernel *k, const struct segments *s, const struct scope *scope,
                    const struct imp *value)
{
    struct level_code code;
    switch (s->step) {
    case SEGMENTS_COUNT:
        code = segments_below(k, s, parent_of(k, s, scope));
        code.format->type->count(&code, imp_int(k->cx, code.format->pos, 1));
        break;
    case SEGMENTS_COUNT_APART: /* as if it were put, but for that */
        code = segments_below(k, s, named_parent(k, s, scope));
        code.format->type->fill(&code, s->next, NULL);
        break;
    case SEGMENTS_PUT: put(k, s, scope, value); break;
    }
}

/* ---- around components ---- */

void segments_open(struct kernel *k, const struct segments *s)
{
    const struct imp *ends = imp_next(k->cx, segments_parents(k, s));
    struct level_code code = segments_below(k, s, workspace_zero(k));
    imp_add(&k->b, imp_alloc(k->cx, array_of(k, s, LEVEL_POSITIONS), ends));
    code.format->type->count_begin(&code, segments_parents(k, s));
}

void segments_scan(struct kernel *k, const struct segments *s, const struct imp_var *next)
{
    struct level_code code = segments_below(k, s, workspace_zero(k));
    const struct imp *n = code.format->type->scan(&code, segments_parents(k, s), next, false);
    imp_add(&k->b, imp_alloc(k->cx, array_of(k, s, LEVEL_COORDINATES), n));
    if (k->computes)
        imp_add(&k->b, imp_alloc(k->cx, kernel_code(k, s->access->tensor)->values, n));
}

void segments_begin(struct kernel *k, struct segments *s)
{
    segments_open(k, s);
    s->step = SEGMENTS_COUNT;
    k->computes = false;
}

void segments_turn(struct kernel *k, struct segments *s)
{
    k->computes = k->request->computes;
    s->step = SEGMENTS_PUT;
    s->next = workspace_array(k, format_of(s)->level[last_level(s)].pos, segments_next_name(k, s),
                              segments_parents(k, s));
    segments_scan(k, s, s->next);
}

void segments_end(struct kernel *k, const struct segments *s)
{
    imp_add(&k->b, imp_free(k->cx, s->next));
}
