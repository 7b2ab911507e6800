/* segments.c - counts, the segments that they make, and components put into these.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/workspace/segments.h"

#include "compiler/format/index_array.h"
#include "compiler/lower/workspace/workspace.h"

static const struct format *format_of(const struct segments *s)
{
    return s->access->tensor->format;
}

static int last_level(const struct segments *s) { return format_of(s)->levels - 1; }

static bool in_rounds(const struct segments *s)
{
    return format_of(s)->level[format_counted(format_of(s))].type->in_rounds;
}

static const struct imp_var *array_of(struct kernel *k, const struct segments *s, int level,
                                      enum level_array_kind kind)
{
    return *code_array(kernel_code(k, s->access->tensor), level, kind);
}

static struct level_code level_of(struct kernel *k, const struct segments *s, int level,
                                  const struct imp *parent)
{
    return kernel_level(k, s->access, level, parent, NULL);
}

/* ---- slots ---- */

static const struct imp *parents(struct kernel *k, const struct segments *s)
{
    return kernel_positions(k, s->access, 0, format_counted(format_of(s)), imp_i64(k->cx, 1));
}

const struct imp *segments_stride(struct kernel *k, const struct segments *s)
{
    struct level_code code = level_of(k, s, format_counted(format_of(s)), workspace_zero(k));
    return imp_cast(k->cx, TYPE_I64, in_rounds(s) ? code.dimension : imp_i64(k->cx, 1));
}

const struct imp *segments_slots(struct kernel *k, const struct segments *s)
{
    return imp_op2(k->cx, OP_MUL, parents(k, s), segments_stride(k, s));
}

/* Returns a type that counts all the coordinates that a slot can have.  A count may pass what
 * positions count, which the scan finds, but it may not begin anew. */
enum type segments_type(const struct segments *s)
{
    enum type pos = format_of(s)->level[format_counted(format_of(s))].pos;
    size_t bits = 8 * type_size(pos);
    bool counts =
        bits == 64 || index_max(format_of(s)->level[last_level(s)].crd) < (INT64_C(1) << bits) - 1;
    return counts ? pos : TYPE_I64;
}

const char *segments_next_name(struct kernel *k, const struct segments *s)
{
    return arena_printf(k->cx->arena, "%s%d_next", s->access->tensor->name, last_level(s) + 1);
}

void segments_clear(struct kernel *k, const struct imp_var *next, const struct imp *slots)
{
    imp_add(&k->b, imp_fill(k->cx, next, imp_i64(k->cx, 0), slots, imp_int(k->cx, next->type, 0)));
}

const struct imp *segments_take(struct kernel *k, const char *name, const struct imp_var *next,
                                const struct imp *slot, const struct imp *stride)
{
    const struct imp *position =
        imp_let(&k->b, kernel_var(k, next->type, "%s", name), imp_load(k->cx, next, slot));
    imp_add(&k->b, imp_store(k->cx, next, slot, OP_ADD, imp_cast(k->cx, next->type, stride)));
    return position;
}

/* ---- a component ---- */

/* Returns the slot of a component.  The levels before the counted one locate the parent; in rounds
 * its coordinates lie next to each other as if the level was full. */
static const struct imp *slot_of(struct kernel *k, const struct segments *s,
                                 const struct scope *scope)
{
    const struct imp *found, *position = workspace_zero(k);
    int counted = format_counted(format_of(s));
    for (int level = 0; level < counted; level++) {
        struct level_code code = level_of(k, s, level, position);
        position = code.format->type->locate(
            &code, scope_coordinate(scope, access_level_var(s->access, level)), &found);
    }
    position = imp_cast(k->cx, TYPE_I64, position);
    if (!in_rounds(s))
        return position;
    struct level_code code = level_of(k, s, counted, position);
    const struct imp *at = scope_coordinate(scope, access_level_var(s->access, counted)),
                     *distance = code.low ? imp_op2(k->cx, OP_SUB, at, code.low) : at;
    return imp_op2(k->cx, OP_ADD, imp_op2(k->cx, OP_MUL, position, segments_stride(k, s)),
                   imp_cast(k->cx, TYPE_I64, distance));
}

static const struct imp *named_slot(struct kernel *k, const struct segments *s,
                                    const struct scope *scope)
{
    const struct imp *slot = slot_of(k, s, scope);
    if (slot->kind == IMP_VAR || slot->kind == IMP_LITERAL)
        return slot;
    return imp_let(&k->b, kernel_var(k, slot->type, "%s_parent", s->access->tensor->name), slot);
}

static void put_component(struct kernel *k, const struct segments *s, const struct scope *scope,
                          const struct imp *value)
{
    const struct imp *slot = named_slot(k, s, scope);
    const struct index_var *var = access_level_var(s->access, last_level(s));
    struct level_code code = level_of(k, s, last_level(s), slot);
    const struct imp *position =
        segments_take(k, code.position_name, s->next, slot, segments_stride(k, s));
    code.format->type->append_coordinate(&code, position, scope_coordinate(scope, var));
    if (value)
        imp_add(&k->b, imp_store(k->cx, kernel_code(k, s->access->tensor)->values, position,
                                 OP_NONE, value));
}

void segments_store(struct kernel *k, const struct segments *s, const struct scope *scope,
                    const struct imp *value)
{
    if (s->puts)
        put_component(k, s, scope, value);
    else
        imp_add(&k->b, imp_store(k->cx, s->next, slot_of(k, s, scope), OP_ADD,
                                 imp_int(k->cx, s->next->type, 1)));
}

/* ---- around components ---- */

/* Clears the positions that no component comes to, which rounds have. */
static void clear_positions(struct kernel *k, const struct segments *s, const struct imp *n)
{
    struct level_code code = level_of(k, s, last_level(s), workspace_zero(k));
    const struct imp *zero = imp_i64(k->cx, 0);
    code.format->type->clear(&code, zero, n);
    if (k->computes)
        imp_add(&k->b, imp_fill(k->cx, kernel_code(k, s->access->tensor)->values, zero, n,
                                imp_literal(k->cx, s->access->tensor->fill)));
}

void segments_scan(struct kernel *k, struct segments *s)
{
    int counted = format_counted(format_of(s));
    struct level_code code = level_of(k, s, counted, workspace_zero(k));
    imp_add(&k->b, imp_alloc(k->cx, array_of(k, s, counted, LEVEL_POSITIONS),
                             imp_next(k->cx, parents(k, s))));
    const struct imp *n = code.format->type->scan(&code, parents(k, s), s->next, false);
    imp_add(&k->b, imp_alloc(k->cx, array_of(k, s, last_level(s), LEVEL_COORDINATES), n));
    if (k->computes)
        imp_add(&k->b, imp_alloc(k->cx, kernel_code(k, s->access->tensor)->values, n));
    if (in_rounds(s))
        clear_positions(k, s, n);
    s->puts = true;
}

void segments_begin(struct kernel *k, struct segments *s)
{
    const struct imp *slots = segments_slots(k, s);
    s->next = workspace_array(k, segments_type(s), segments_next_name(k, s), slots);
    segments_clear(k, s->next, slots);
    s->puts = false;
    k->computes = false;
}

void segments_turn(struct kernel *k, struct segments *s)
{
    k->computes = k->request->computes;
    segments_scan(k, s);
}

void segments_end(struct kernel *k, const struct segments *s)
{
    imp_add(&k->b, imp_free(k->cx, s->next));
}
