/* assembly_join.c - a sparse result that parts of a parallel loop assemble.
 *
 *     parallel for part                       each assembles a chunk in arrays of its own, by
 *         ...                                 appending, and hands them over
 *     C2_begin: of the chunks' lengths        a scan, which says where each begins
 *     parallel for part                       level by level (level.h: join)
 *         pos and crd and vals of the chunk go where they belong
 *
 * Where there is one part only its arrays are the result's, as they are.  Where operands tell where
 * each part's positions begin they are not joined: they are made compact (assembly_compact.c).
 *
 * The loop is over the coordinates of the result's first level, or blocks of them.  Where that has
 * a place for each of them the chunk's has for those of its part; else the chunk is below the root
 * like the whole, and where the root's segment ends is stored once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"

/* One of the result's arrays; level is one past the last for the values. */
struct joined_array {
    int level, array;
    const struct imp_var *whole;
};

struct join {
    struct tensor_code whole;
    VEC(struct joined_array) arrays;
    const struct imp_var *handed; /* by part: the chunk's, as they stand there */
    const struct imp_var **begin; /* by group: where each chunk's positions begin */
};

/* Has the first level of the result a place for every coordinate? */
bool join_is_placed(const struct result *r)
{
    return result_format(r)->level[0].type->size != NULL;
}

bool join_has_places(const struct parallel *p)
{
    bool places = false;
    for (struct result *r = NULL; (r = parallel_next(p, r));) {
        const struct parts_way *way = p->way[r->rank];
        places |= (way == &parts_joined || way == &parts_compacted) && join_is_placed(r);
    }
    return places;
}

const struct assembly_way *join_way(struct context *cx, const struct tree *tree)
{
    const struct tree_node *joined = tree_loop_in_parts(cx, tree);
    if (!joined)
        return NULL;
    switch (tree_parts(cx, tree, joined)) {
    case PARTS_TWICE: return &assembly_twice;
    case PARTS_COMPACTED: return &assembly_compact;
    case PARTS_JOINED: return &assembly_join;
    case PARTS_NONE:
    case PARTS_FILLED:
    case PARTS_COUNTED: break;
    }
    return NULL;
}

/* ---- around the loop ---- */

static void add_array(struct kernel *k, struct join *join, int level, int array,
                      const struct imp_var *whole)
{
    vec_push(k->cx->arena, &join->arrays, ((struct joined_array){level, array, whole}));
}

static void *open_joined(struct parallel *p, struct result *r)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    int levels = result_format(r)->levels;
    result_check_coordinates(k, r);
    struct join *join = arena_make(cx->arena, struct join);
    *join = (struct join){.whole = *kernel_code(k, r->access->tensor)};
    join->begin = arena_array(cx->arena, const struct imp_var *, r->assembly->groups);
    for (int level = 0; level < levels; level++)
        for (int array = 0; array < LEVEL_ARRAYS; array++)
            if (join->whole.array[level][array])
                add_array(k, join, level, array, join->whole.array[level][array]);
    if (k->computes)
        add_array(k, join, levels, 0, join->whole.values);
    join->handed = parallel_arrays(p, (int)join->arrays.n, "%s_of", r->access->tensor->name);
    for (int g = 0; g < r->assembly->groups; g++)
        join->begin[g] = group_numbers(p, r, g, "begin");
    return join;
}

/* ---- in a part ---- */

/* Declares arrays like the result's, of a chunk. */
static void declare_chunk(struct kernel *k, struct tensor_code *code)
{
    kernel_declare_arrays(k, code);
    if (!k->computes)
        code->values = NULL;
}

static const struct imp_var *chunk_array(const struct tensor_code *chunk,
                                         const struct joined_array *a)
{
    return a->level < chunk->tensor->format->levels ? chunk->array[a->level][a->array]
                                                    : chunk->values;
}

const struct imp *join_first_place(struct parallel *p, const struct result *r, const struct imp *at)
{
    return kernel_first_of(p->k, p->f.lattice->var, result_var(r, 0), at);
}

const struct imp *join_first_position(struct parallel *p, const struct result *r,
                                      const struct imp *at)
{
    struct context *cx = p->k->cx;
    const struct imp *place = imp_cast(cx, TYPE_I64, join_first_place(p, r, at)),
                     *low = kernel_low(p->k, result_var(r, 0));
    return low ? imp_op2(cx, OP_SUB, place, imp_cast(cx, TYPE_I64, low)) : place;
}

/* Gives the chunk this part of the first level's coordinates. */
static void set_part(struct parallel *p, struct result *r)
{
    struct kernel *k = p->k;
    const char *name = r->access->tensor->name;
    enum type type = p->from->type;
    const struct imp *low = imp_cast(k->cx, type, join_first_place(p, r, p->from)),
                     *past = imp_cast(k->cx, type, join_first_place(p, r, p->past));
    r->part_low =
        low->kind == IMP_VAR ? low : imp_let(&k->b, kernel_var(k, type, "%s_low", name), low);
    r->part_size = imp_let(&k->b, kernel_var(k, type, "%s_size", name),
                           imp_op2(k->cx, OP_SUB, past, r->part_low));
}

/* Counts how much of the share the part appends; then the cursors are those of the loop again. */
static void count_share(struct parallel *p, struct result *r)
{
    struct capacity_counting counts;
    const struct forall before = p->f;
    capacity_count_begin(p->k, r, &counts);
    p->f = forall_open(p->k, before.scope);
    share_narrow(p);
    forall_run(&p->f);
    p->f = before;
    capacity_count_end(p->k, r, &counts);
}

static void begin_joined(struct parallel *p, struct result *r, void *kept)
{
    const struct join *join = kept;
    struct kernel *k = p->k;
    struct tensor_code *code = kernel_code(k, r->access->tensor);
    declare_chunk(k, code);
    for (size_t i = 0; i < join->arrays.n; i++)
        imp_add(&k->b, imp_declare(k->cx, chunk_array(code, &join->arrays.at[i]), NULL));
    if (join_is_placed(r))
        set_part(p, r);
    if (capacity_is_counted(k, r))
        count_share(p, r);
    r->way = &assembly_append;
    append_open_chunk(k, r);
}

static void end_joined(struct parallel *p, struct result *r, void *kept)
{
    const struct join *join = kept;
    struct kernel *k = p->k;
    const struct imp *part = imp_read(k->cx, p->part);
    struct tensor_code *code = kernel_code(k, r->access->tensor);
    append_close(k, r);
    for (int g = 0; g < r->assembly->groups; g++)
        imp_add(&k->b, imp_store(k->cx, join->begin[g], part, OP_NONE,
                                 imp_cast(k->cx, TYPE_I64, imp_read(k->cx, r->group[g].counter))));
    for (size_t i = 0; i < join->arrays.n; i++)
        parallel_keep(p, join->handed, (int)i, part, chunk_array(code, &join->arrays.at[i]));
    r->way = &assembly_join;
    r->part_low = r->part_size = NULL;
    *code = join->whole;
}

/* ---- behind the loop ---- */

/* Finds where the positions of each chunk's group begin, and how many there are in all. */
static void scan(struct parallel *p, const struct result *r, struct join *join, int g)
{
    struct kernel *k = p->k;
    struct append_group *group = &r->group[g];
    struct imp_var *total =
        kernel_var(k, TYPE_I64, "n%s%d", r->access->tensor->name, group->last + 1);
    const struct imp *all = parallel_scan(p, join->begin[g], imp_i64(k->cx, 0)),
                     *sum = imp_let(&k->b, total, all);
    kernel_check_most(k, sum, append_most(r, group));
    group->capacity = group->counter = total;
}

/* Makes room for all chunks, and stores what is stored once. */
static void open_whole(struct parallel *p, struct result *r, struct join *join)
{
    struct kernel *k = p->k;
    for (int g = 0; g < r->assembly->groups; g++)
        scan(p, r, join, g);
    append_allocate(k, r);
    for (int g = 0; g < r->assembly->groups; g++) {
        struct level_code code = result_level(k, r, r->group[g].first, imp_i64(k->cx, 0));
        code.format->type->append_begin(&code);
        if (r->group[g].first == 0)
            code.format->type->append_edges(&code, imp_i64(k->cx, 0),
                                            imp_read(k->cx, r->group[g].counter));
    }
}

/* Reads the chunk's arrays again. */
static void take_chunk(struct parallel *p, const struct result *r, const struct join *join,
                       const struct imp *part, struct tensor_code *chunk)
{
    struct kernel *k = p->k;
    chunk->tensor = r->access->tensor;
    declare_chunk(k, chunk);
    for (size_t i = 0; i < join->arrays.n; i++)
        parallel_take(p, chunk_array(chunk, &join->arrays.at[i]), join->handed, (int)i, part);
}

void join_places(struct parallel *p, const struct result *r, const struct imp *part,
                 struct level_joint *places)
{
    struct kernel *k = p->k;
    share_bounds(p, part);
    const struct imp *at = join_first_position(p, r, p->from),
                     *past = join_first_position(p, r, p->past);
    *places = (struct level_joint){.positions = imp_op2(k->cx, OP_SUB, past, at),
                                   .position_from = imp_i64(k->cx, 0),
                                   .position_at = at};
}

/* Puts one chunk where it belongs. */
static void join_chunk(struct parallel *p, const struct result *r, const struct join *join,
                       const struct imp *part)
{
    struct kernel *k = p->k;
    struct tensor_code chunk = {0};
    struct level_joint places,
        *joint = arena_array(k->cx->arena, struct level_joint, r->assembly->groups);
    if (join_is_placed(r))
        join_places(p, r, part, &places);
    take_chunk(p, r, join, part, &chunk);
    for (int g = 0; g < r->assembly->groups; g++)
        joint[g] = group_joint(k, r, g, part, NULL, join->begin[g]);
    groups_join(k, r, &chunk, joint, join_is_placed(r) ? &places : NULL);
}

/* Puts all chunks where they belong. */
static const struct imp *join_chunks(struct parallel *p, struct result *r, struct join *join)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    struct imp_var *chunk = kernel_var(k, TYPE_I32, "chunk");
    imp_begin(&k->b);
    open_whole(p, r, join);
    imp_begin(&k->b);
    join_chunk(p, r, join, imp_read(cx, chunk));
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b, imp_parallel(cx, chunk, imp_read(cx, p->parts), SCHEDULE_STATIC, 0, body));
    return imp_end(&k->b);
}

/* Makes the arrays of the only chunk those of the result. */
static const struct imp *move_chunk(struct parallel *p, const struct join *join)
{
    struct kernel *k = p->k;
    const struct imp *first = imp_int(k->cx, TYPE_I32, 0);
    imp_begin(&k->b);
    for (size_t i = 0; i < join->arrays.n; i++)
        parallel_move(p, join->arrays.at[i].whole, join->handed, (int)i, first);
    return imp_end(&k->b);
}

static void join_all(struct parallel *p, struct result *r, void *kept)
{
    struct join *join = kept;
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    const struct imp *one = imp_op2(cx, OP_EQ, imp_read(cx, p->parts), imp_int(cx, TYPE_I32, 1));
    const struct imp *moved = move_chunk(p, join);
    imp_add(&k->b, imp_if(cx, one, moved, join_chunks(p, r, join)));
    imp_add(&k->b, imp_free(cx, join->handed));
    for (int g = 0; g < r->assembly->groups; g++)
        imp_add(&k->b, imp_free(cx, join->begin[g]));
}

static bool is_heavy(struct kernel *k, const struct result *r) { return true; }

const struct parts_way parts_joined = {
    .open = open_joined,
    .begin = begin_joined,
    .end = end_joined,
    .close = join_all,
    .is_heavy = is_heavy,
};

const struct assembly_way assembly_join = {};
