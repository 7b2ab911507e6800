/* assembly_compact.c - a sparse result that parts of a parallel loop append to in place.
 *
 * Where operands say how many positions a part may take in each group of levels
 * (compiler/tree/capacity.c), they also say where its room begins, so that room for all is made
 * once, and each part appends in its own:
 *
 *     parallel for part
 *         from       C2_crd  | part 0 . | part 1 | part 2 . . |      the rooms
 *         ...                                                        each appends
 *     for part
 *         at         C2_crd  | part 0 | part 1 | part 2 | . . .      what others left moves up
 *
 * A long move is all threads' (a copy within an array, compiler/emit/c_helper.c), but for where
 * segments end; where rooms are full nothing is moved.  Where several operands have room together
 * rooms are not full, all parts but the first move, and there are as many parts as threads.
 *
 * What is left behind the last part stays the array's, as it does where an array has grown twofold:
 * it is no more than operands have, a serial kernel has not written to it, so that systems have
 * given no memory for it, and who keeps a result for long may reallocate it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/lower/parallel/parallel.h"

struct compaction {
    struct append_group *group; /* the kernel's, around the loop */
    /* by group, by part: where its positions begin in its room, and, one place further on, where
     * they end: there, and for good once it is compact */
    const struct imp_var **from, **end;
};

static int groups_of(const struct result *r) { return r->assembly->groups; }

static const struct imp *zero(struct kernel *k) { return imp_i64(k->cx, 0); }

/* Returns the results that are appended to in place, in turn, as kernel_next_result does. */
static struct result *next_compacted(const struct parallel *p, struct result *r)
{
    return parallel_next_by(p, &parts_compacted, r);
}

bool compact_applies(const struct parallel *p) { return next_compacted(p, NULL); }

/* Do parts move behind the loop?  Several operands together have more room than they need wherever
 * they share a coordinate, so all parts but the first move. */
static bool moves(struct kernel *k, const struct result *r)
{
    bool several = false;
    for (int g = 0; g < groups_of(r) && !several; g++) {
        struct tree_capacity room = {0};
        several = tree_capacity(k->cx, r->tree, r->group[g].last, &room) && room.at.n > 1;
    }
    return several;
}

/* Positions can count the room that the groups of the result have in all. */
static const struct imp *rooms_fit(struct kernel *k, const struct result *r)
{
    const struct imp *fit = NULL;
    for (int g = 0; g < groups_of(r); g++) {
        const struct append_group *group = &r->group[g];
        const struct imp *most = imp_i64(k->cx, append_most(r, group)),
                         *capacity = imp_cast(k->cx, TYPE_I64, imp_read(k->cx, group->capacity));
        if (!group->fits)
            fit = imp_both(k->cx, fit, imp_op2(k->cx, OP_LT, capacity, most));
    }
    return fit;
}

const struct imp *compact_fits(struct parallel *p)
{
    const struct imp *fits = NULL;
    for (struct result *r = NULL; (r = next_compacted(p, r));)
        fits = imp_both(p->k->cx, fits, rooms_fit(p->k, r));
    return fits;
}

/* ---- around the loop ---- */

static void *open_compacted(struct parallel *p, struct result *r)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    struct compaction *s = arena_make(cx->arena, struct compaction);
    s->from = arena_array(cx->arena, const struct imp_var *, groups_of(r));
    s->end = arena_array(cx->arena, const struct imp_var *, groups_of(r));
    for (int g = 0; g < groups_of(r); g++) {
        s->from[g] = group_numbers(p, r, g, "from");
        s->end[g] = group_numbers(p, r, g, "end");
        imp_add(&k->b, imp_store(cx, s->end[g], zero(k), OP_NONE, zero(k)));
    }
    return s;
}

/* ---- in a part ---- */

/* Returns where the room of the part begins. */
static const struct imp *room_of(struct parallel *p, const struct result *r,
                                 const struct append_group *group)
{
    struct kernel *k = p->k;
    struct tree_capacity room = {0};
    const struct imp *sum = NULL;
    bool known = tree_capacity(k->cx, r->tree, group->last, &room);
    context_assert(k->cx, known);
    if (room.all)
        return imp_cast(k->cx, TYPE_I64, p->from);
    for (size_t i = 0; i < room.at.n; i++) {
        const struct imp *n = share_positions_before(p, room.at.at[i].access, room.at.at[i].level);
        sum = sum ? imp_op2(k->cx, OP_ADD, sum, n) : n;
    }
    return sum;
}

static void begin_compacted(struct parallel *p, struct result *r, void *kept)
{
    struct compaction *s = kept;
    struct kernel *k = p->k;
    const struct imp **begin = arena_array(k->cx->arena, const struct imp *, groups_of(r));
    for (int g = 0; g < groups_of(r); g++)
        begin[g] = room_of(p, r, &r->group[g]);
    s->group = groups_begin(k, r, begin, groups_skip(r) ? groups_parents(p, r, p->from) : NULL);
    for (int g = 0; g < groups_of(r); g++)
        imp_add(&k->b, imp_store(k->cx, s->from[g], imp_read(k->cx, p->part), OP_NONE,
                                 imp_cast(k->cx, TYPE_I64, imp_read(k->cx, r->group[g].counter))));
}

/* Stores what the part has in each group, and restores the result's own groups. */
static void end_compacted(struct parallel *p, struct result *r, void *kept)
{
    const struct compaction *s = kept;
    struct kernel *k = p->k;
    if (groups_skip(r))
        append_skip(k, r, &r->group[0], groups_parents(p, r, p->past));
    for (int g = 0; g < groups_of(r); g++)
        imp_add(&k->b,
                imp_store(k->cx, s->end[g], imp_next(k->cx, imp_read(k->cx, p->part)), OP_NONE,
                          imp_cast(k->cx, TYPE_I64, imp_read(k->cx, r->group[g].counter))));
    r->group = s->group;
}

/* ---- behind the loop ---- */

/* Moves the part up to where the one before it ends. */
static const struct imp *move(struct parallel *p, const struct result *r,
                              const struct level_joint *joint, const struct imp *part)
{
    struct kernel *k = p->k;
    struct level_joint places;
    imp_begin(&k->b);
    if (join_is_placed(r)) {
        join_places(p, r, part, &places);
        places.position_from = places.position_at;
    }
    groups_join(k, r, kernel_code(k, r->access->tensor), joint, join_is_placed(r) ? &places : NULL);
    return imp_end(&k->b);
}

static void compact_part(struct parallel *p, const struct result *r, const struct compaction *s,
                         const struct imp *part)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    struct level_joint *joint = arena_array(cx->arena, struct level_joint, groups_of(r));
    const struct imp *moves = NULL;
    for (int g = 0; g < groups_of(r); g++) {
        joint[g] = group_joint(k, r, g, part, s->from[g], s->end[g]);
        const struct imp *less = imp_op2(cx, OP_LT, joint[g].position_at, joint[g].position_from);
        moves = moves ? imp_op2(cx, OP_OR, moves, less) : less;
    }
    imp_add(&k->b, imp_if(cx, moves, move(p, r, joint, part), NULL));
    for (int g = 0; g < groups_of(r); g++)
        imp_add(&k->b, imp_store(cx, s->end[g], imp_next(k->cx, part), OP_NONE,
                                 imp_op2(cx, OP_ADD, joint[g].position_at, joint[g].positions)));
}

/* Moves the parts up, in their order. */
static void compact_parts(struct parallel *p, const struct result *r, const struct compaction *s)
{
    struct kernel *k = p->k;
    struct imp_var *compacted = kernel_var(k, TYPE_I32, "compacted");
    imp_begin(&k->b);
    imp_add(&k->b, imp_comment(k->cx, "Parts move up to where those before them end."));
    compact_part(p, r, s, imp_read(k->cx, compacted));
    parallel_each(p, compacted, imp_end(&k->b));
}

static void close(struct parallel *p, struct result *r, void *kept)
{
    const struct compaction *s = kept;
    struct kernel *k = p->k;
    const struct imp **total = arena_array(k->cx->arena, const struct imp *, groups_of(r));
    compact_parts(p, r, s);
    for (int g = 0; g < groups_of(r); g++)
        total[g] = imp_load(k->cx, s->end[g], imp_read(k->cx, p->parts));
    groups_close(k, r, total);
    for (int g = 0; g < groups_of(r); g++) {
        imp_add(&k->b, imp_free(k->cx, s->from[g]));
        imp_add(&k->b, imp_free(k->cx, s->end[g]));
    }
}

/* ---- the way ---- */

const struct parts_way parts_compacted = {
    .open = open_compacted,
    .begin = begin_compacted,
    .end = end_compacted,
    .close = close,
    .is_heavy = moves,
};

const struct assembly_way assembly_compact = {
    .open = append_open,
    .close = append_close,
    .store = append_store,
    .most = append_most_children,
    .room = append_capacity,
    .grow = append_grow,
};
