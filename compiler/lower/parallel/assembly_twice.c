/* assembly_twice.c - sparse results and lists that parts of a GPU's loop append to, in two runs:
 * one that counts, and one that stores.
 *
 *     launch                                  the loops, with nothing stored: how many positions
 *         C2_begin[part] = pC2                each part has in each group of levels
 *     C2_begin: sums of those before          a scan by many blocks (prelude/lanes.ir)
 *     fetch nC2 = C2_begin[parts]             what there has to be room for
 *     launch                                  the loops, of which each part appends from where it
 *         pC2 = C2_begin[part]                begins
 *
 * A part is an iteration of the loop, or a share where iterations are not numbered (launch.c).  Who
 * stores what follows from the data, so that the arrays are those that one thread would make.
 * Threads that reserve places by atomic counters would bring them in another order each time, and
 * arrays that grow are nothing for a launch (thesis 5.4 has the append code that is run twice here;
 * Sengupta and others, Scan primitives for GPU computing, 2007, have the scan).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/launch.h"

/* By group: how many positions each part has, and between the runs where these begin. */
struct twice {
    const struct imp_var **begin;
    struct append_group *group; /* the kernel's, while those of a part are in use */
};

static int groups_of(const struct result *r) { return r->assembly->groups; }

static const struct imp *nothing(struct kernel *k) { return imp_i64(k->cx, 0); }

static struct result *next_twice(const struct parallel *p, struct result *r)
{
    return parallel_next_by(p, &parts_twice, r);
}

/* Finds the lists that are made outside of the loop, and appended to in it. */
static void find_lists(struct parallel *p)
{
    struct kernel *k = p->k;
    struct cin_list made = cin_assignments(k->cx, p->node->statement);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        struct workspace *ws = t->temporary && t->order > 0 ? kernel_workspace(k, t) : NULL;
        if (ws && ws->way == &workspace_twice && !ws->count && !parallel_is_apart(p, ws))
            vec_push(k->cx->arena, &p->apart, ((struct apart){.whole = ws}));
    }
}

bool twice_find(struct parallel *p)
{
    struct kernel *k = p->k;
    find_lists(p);
    for (struct result *r = NULL; (r = kernel_next_result(k, p->node->statement, r));)
        if (tree_parts(k->cx, r->tree, p->node) == PARTS_TWICE) {
            p->way[r->rank] = &parts_twice;
            p->have_places |= tree_parts_have_places(k->cx, r->tree, p->node);
        }
    return next_twice(p, NULL) || p->apart.n;
}

bool twice_counts(const struct parallel *p)
{
    bool counts = p->apart.n > 0;
    for (struct result *r = NULL; (r = next_twice(p, r));)
        counts |= groups_of(r) > 0;
    return counts;
}

/* ---- the ways of the two runs ---- */

static void open_result(struct kernel *k, struct result *r) { result_check_coordinates(k, r); }

/* Does nothing: there is room for all that has been counted. */
static void grow_nothing(struct kernel *k, const struct result *r, const struct scope *scope,
                         struct append_group *g, const struct imp *n)
{
    (void)k, (void)r, (void)scope, (void)g, (void)n;
}

static void store_nothing(struct kernel *k, const struct result *r, const struct scope *scope,
                          enum op op, const struct imp *value)
{
    (void)k, (void)r, (void)scope, (void)op, (void)value;
}

static const struct assembly_way tally = {
    .tallies = true,
    .store = store_nothing,
    .grow = grow_nothing,
};

const struct assembly_way assembly_twice = {
    .open = open_result,
    .store = append_store,
    .most = copy_most,
    .grow = grow_nothing,
};

/* Names the variables that count a group: a sum may be more than positions can count, even though
 * each of its terms is stored. */
static void name_groups(struct kernel *k, struct result *r)
{
    for (int g = 0; g < groups_of(r); g++) {
        struct append_group *group = &r->group[g];
        enum type type = result_format(r)->level[group->first].pos;
        append_name_group(k, r, group, r->way->tallies ? TYPE_I64 : level_position_type(type));
    }
}

/* ---- before the first run ---- */

/* Do the loops need values to know which components they keep? */
static bool needs_values(struct kernel *k, const struct cin *loop)
{
    struct cin_list made = cin_assignments(k->cx, loop);
    bool some = false;
    for (size_t i = 0; i < made.n; i++)
        some |= cin_kept(made.at[i]) != NULL;
    return some;
}

static const struct imp_var *open_numbers(struct kernel *k, const struct tensor_var *t, int level,
                                          const struct imp *parts)
{
    struct imp_var *numbers = kernel_array(k, TYPE_I64, "%s%d_begin", t->name, level + 1);
    numbers->restricted = true;
    imp_add(&k->b, imp_declare(k->cx, numbers, NULL));
    imp_add(&k->b, imp_alloc(k->cx, numbers, grid_scan_room(k, parts)));
    return numbers;
}

void twice_open(struct parallel *p, const struct imp *parts)
{
    struct kernel *k = p->k;
    p->all = parts;
    for (struct result *r = NULL; (r = next_twice(p, r));) {
        struct twice *t = arena_make(k->cx->arena, struct twice);
        t->begin = arena_array(k->cx->arena, const struct imp_var *, groups_of(r));
        for (int g = 0; g < groups_of(r); g++)
            t->begin[g] = open_numbers(k, r->access->tensor, r->group[g].last, parts);
        p->kept[r->rank] = t;
        r->way = &tally;
        name_groups(k, r);
    }
    for (size_t i = 0; i < p->apart.n; i++) {
        struct apart *a = &p->apart.at[i];
        a->begin = open_numbers(k, a->whole->code.tensor, a->whole->root, parts);
        list_run(a->whole, true, NULL);
    }
    k->computes &= needs_values(k, p->node->statement);
}

/* ---- in a part ---- */

/* Finds where the part's positions end, of a group with levels below that are not appended to. */
static void find_end(struct parallel *p, const struct result *r, const struct twice *t, int g)
{
    struct kernel *k = p->k;
    struct append_group *group = &r->group[g];
    group->end = NULL;
    group->counted = !r->way->tallies;
    if (r->way->tallies || g + 1 == groups_of(r) || group[1].first == group->last + 1)
        return;
    struct imp_var *end = kernel_var(k, group->counter->type, "%s_end", imp_stem(group->counter));
    const struct imp *next = imp_next(k->cx, imp_read(k->cx, p->part));
    group->end = end;
    imp_let(&k->b, end, imp_cast(k->cx, end->type, imp_load(k->cx, t->begin[g], next)));
}

static void begin_twice(struct parallel *p, struct result *r, void *kept)
{
    struct twice *t = kept;
    struct kernel *k = p->k;
    const struct imp **from = arena_array(k->cx->arena, const struct imp *, groups_of(r));
    bool stores = !r->way->tallies;
    for (int g = 0; g < groups_of(r); g++)
        from[g] = stores ? imp_load(k->cx, t->begin[g], imp_read(k->cx, p->part)) : nothing(k);
    t->group =
        groups_begin(k, r, from, stores && groups_skip(r) ? groups_parents(p, r, p->from) : NULL);
    for (int g = 0; g < groups_of(r); g++)
        find_end(p, r, t, g);
}

static void end_twice(struct parallel *p, struct result *r, void *kept)
{
    struct twice *t = kept;
    struct kernel *k = p->k;
    for (int g = 0; g < groups_of(r) && r->way->tallies; g++)
        imp_add(&k->b, imp_store(k->cx, t->begin[g], imp_read(k->cx, p->part), OP_NONE,
                                 imp_read(k->cx, r->group[g].counter)));
    if (!r->way->tallies && groups_skip(r))
        append_skip(k, r, &r->group[0], groups_parents(p, r, p->past));
    r->group = t->group;
}

static void begin_list(struct parallel *p, const struct apart *a)
{
    struct kernel *k = p->k;
    struct imp_var *count = kernel_var(k, TYPE_I64, "n%s", a->whole->code.tensor->name);
    const struct imp *part = imp_read(k->cx, p->part);
    imp_let(&k->b, count,
            a->whole->tallies ? nothing(k)
            : a->once         ? part
                              : imp_load(k->cx, a->begin, part));
    list_run(a->whole, a->whole->tallies, count);
}

static void end_list(struct parallel *p, const struct apart *a)
{
    struct kernel *k = p->k;
    if (a->whole->tallies)
        imp_add(&k->b, imp_store(k->cx, a->begin, imp_read(k->cx, p->part), OP_NONE,
                                 imp_read(k->cx, a->whole->count)));
}

void twice_enter(struct parallel *p)
{
    for (size_t i = 0; i < p->apart.n; i++)
        begin_list(p, &p->apart.at[i]);
    for (struct result *r = NULL; (r = next_twice(p, r));)
        begin_twice(p, r, p->kept[r->rank]);
}

void twice_leave(struct parallel *p)
{
    for (size_t i = 0; i < p->apart.n; i++)
        end_list(p, &p->apart.at[i]);
    for (struct result *r = NULL; (r = next_twice(p, r));)
        end_twice(p, r, p->kept[r->rank]);
}

/* ---- between the runs ---- */

/* Fetches how many positions all parts have in the group: the host has to know. */
static void fetch_total(struct parallel *p, const struct result *r, const struct twice *t, int g)
{
    struct kernel *k = p->k;
    struct append_group *group = &r->group[g];
    const char *name = r->access->tensor->name;
    struct imp_var *total = kernel_var(k, TYPE_I64, "n%s%d", name, group->last + 1);
    const struct imp *sum =
        imp_let(&k->b, total, imp_fetch(k->cx, imp_load(k->cx, t->begin[g], p->all)));
    kernel_check_most(k, sum, append_most(r, group));
    group->capacity = group->counter = total;
}

/* Makes room for all parts, and stores what is stored once. */
static void open_whole(struct parallel *p, struct result *r, const struct twice *t)
{
    struct kernel *k = p->k;
    for (int g = 0; g < groups_of(r); g++)
        grid_scan(k, t->begin[g], p->all);
    for (int g = 0; g < groups_of(r); g++)
        fetch_total(p, r, t, g);
    append_allocate(k, r);
    r->has_inserted = tree_looks_for(result_format(r)->level[0].type);
    if (r->has_inserted)
        copy_insert_first(k, r);
    for (int g = 0; g < groups_of(r); g++) {
        struct level_code code = result_level(k, r, r->group[g].first, nothing(k));
        code.format->type->append_begin(&code);
        if (r->group[g].first == 0)
            code.format->type->append_edges(&code, nothing(k),
                                            imp_read(k->cx, r->group[g].counter));
    }
}

/* Makes room for the entries of all parts. */
static void allocate_list(struct parallel *p, struct apart *a)
{
    struct kernel *k = p->k;
    if (!a->once)
        grid_scan(k, a->begin, p->all);
    list_allocate(k, a->whole,
                  a->once ? p->all : imp_fetch(k->cx, imp_load(k->cx, a->begin, p->all)));
    a->whole->single = a->once;
    a->total = a->whole->count;
    list_run(a->whole, false, NULL);
}

/* ---- one run ---- */

/* How a run counts the entries of a list: a variable, and where each part stores it. */
struct counting {
    const struct imp_var *count, *begin;
    int entries; /* at the current statement; SEVERAL: or not known */
    bool is_one; /* they are where they are stored */
};
enum { SEVERAL = 2 };

static void follow(struct counting *c, const struct imp *imp)
{
    int before = c->entries;
    bool sets = imp->var == c->count && (imp->kind == IMP_DECLARE || imp->kind == IMP_ASSIGN);
    if (sets && imp->kind == IMP_DECLARE)
        c->entries = 0;
    else if (sets)
        c->entries =
            imp->op == OP_ADD && launch_is_one(imp->arg[0]) && c->entries == 0 ? 1 : SEVERAL;
    else if (imp->kind == IMP_STORE && imp->var == c->begin)
        c->is_one = c->entries == 1;
    for (int i = 0; i < imp->args; i++)
        if (!imp_is_expression(imp->arg[i]))
            follow(c, imp->arg[i]);
    if (imp->kind != IMP_BLOCK && !sets && c->entries != before)
        c->entries = SEVERAL; /* in a loop or an if */
}

static bool find_number(const struct imp *imp, void *data)
{
    struct counting *c = data;
    if (imp->kind == IMP_STORE && imp->var == c->begin && imp->arg[1]->kind == IMP_VAR)
        c->count = imp->arg[1]->var;
    return c->count;
}

bool twice_once(struct parallel *p, const struct imp *run)
{
    struct apart *a = p->apart.n == 1 ? &p->apart.at[0] : NULL;
    struct counting c = {.begin = a ? a->begin : NULL};
    if (!a || next_twice(p, NULL) || !imp_any(run, find_number, &c))
        return false;
    follow(&c, run);
    a->once = c.is_one;
    return a->once;
}

void twice_turn(struct parallel *p)
{
    struct kernel *k = p->k;
    k->computes = k->request->computes;
    for (size_t i = 0; i < p->apart.n; i++)
        allocate_list(p, &p->apart.at[i]);
    for (struct result *r = NULL; (r = next_twice(p, r));) {
        r->way = &assembly_twice;
        open_whole(p, r, p->kept[r->rank]);
        name_groups(k, r);
    }
}

void twice_close(struct parallel *p)
{
    struct kernel *k = p->k;
    for (struct result *r = NULL; (r = next_twice(p, r));) {
        const struct twice *t = p->kept[r->rank];
        for (int g = 0; g < groups_of(r); g++)
            imp_add(&k->b, imp_free(k->cx, t->begin[g]));
        append_store_scalars(k, r);
    }
    for (size_t i = 0; i < p->apart.n; i++) {
        const struct apart *a = &p->apart.at[i];
        list_run(a->whole, false, a->total);
        if (!a->once)
            imp_add(&k->b, imp_free(k->cx, a->begin));
    }
}

const struct parts_way parts_twice = {.begin = begin_twice, .end = end_twice};
