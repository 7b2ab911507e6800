/* assembly_count.c - a result that is assembled by counting (compiler/tree/two_pass.c says when).
 *
 * The statement is lowered twice.  First each component counts below its parent; a scan of the
 * counts gives the segments; then each component goes to the next free position of its parent.
 *
 * Where parts of a parallel loop have components below the same parents, each counts for itself.
 * The scan goes over parents and, below each, over parts: so each knows where its own components
 * go, which is where they would without parts.
 *
 *     part    counts    before them    segments      where its first ones go
 *     0       2 0 1     0 0 0                        0 3 4
 *     1       1 1 0     2 0 1          0 3 4 5       2 3 5
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"
#include "compiler/lower/result/result.h"

static int last_level(const struct result *r) { return result_format(r)->levels - 1; }

static const struct imp *parents(struct kernel *k, const struct result *r)
{
    return result_block_size(k, r, 0, last_level(r));
}

static struct level_code below(struct kernel *k, const struct result *r, const struct imp *parent)
{
    return result_level(k, r, last_level(r), parent);
}

static const struct imp *parent_of(struct kernel *k, const struct result *r,
                                   const struct scope *scope)
{
    const struct imp *root = imp_int(k->cx, TYPE_I64, 0);
    return imp_cast(k->cx, TYPE_I64, result_locate(k, r, scope, 0, last_level(r), root));
}

static const char *next_name(struct kernel *k, const struct result *r)
{
    return arena_printf(k->cx->arena, "%s%d_next", r->access->tensor->name, last_level(r) + 1);
}

/* ---- the two runs ---- */

static void count(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value)
{
    struct level_code code = below(k, r, parent_of(k, r, scope));
    (void)op;
    (void)value;
    code.format->type->count(&code, imp_int(k->cx, code.format->pos, 1));
}

static struct level_code below_named(struct kernel *k, const struct result *r,
                                     const struct scope *scope)
{
    const struct imp *parent = parent_of(k, r, scope);
    if (parent->kind != IMP_VAR && parent->kind != IMP_LITERAL)
        parent = imp_let(&k->b, kernel_var(k, parent->type, "%s_parent", r->access->tensor->name),
                         parent);
    return below(k, r, parent);
}

static void put(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                const struct imp *value)
{
    struct level_code code = below_named(k, r, scope);
    (void)op;
    const struct imp *position = code.format->type->fill(
        &code, r->next, scope_coordinate(scope, result_var(r, last_level(r))));
    if (value)
        imp_add(&k->b, imp_store(k->cx, kernel_code(k, r->access->tensor)->values, position,
                                 OP_NONE, value));
}

/* In a part that has its own counts: as if it were put, but for that. */
static void count_apart(struct kernel *k, const struct result *r, const struct scope *scope,
                        enum op op, const struct imp *value)
{
    struct level_code code = below_named(k, r, scope);
    (void)op;
    (void)value;
    code.format->type->fill(&code, r->next, NULL);
}

static const struct assembly_way counting = {.store = count};
static const struct assembly_way counting_apart = {.store = count_apart};
static const struct assembly_way putting = {.store = put};

/* ---- between them ---- */

static void open_segments(struct kernel *k, const struct result *r)
{
    const struct imp *ends = imp_next(k->cx, parents(k, r));
    struct level_code code = below(k, r, imp_int(k->cx, TYPE_I64, 0));
    result_check_coordinates(k, r);
    imp_add(&k->b, imp_alloc(k->cx, result_array(k, r, last_level(r), LEVEL_POSITIONS), ends));
    code.format->type->count_begin(&code, parents(k, r));
}

/* Where the first component of each parent goes, or NULL; and room for all. */
static void scan(struct kernel *k, const struct result *r, const struct imp_var *next)
{
    struct context *cx = k->cx;
    struct level_code code = below(k, r, imp_int(cx, TYPE_I64, 0));
    const struct imp *n = code.format->type->scan(&code, parents(k, r), next, false);
    imp_add(&k->b, imp_alloc(cx, result_array(k, r, last_level(r), LEVEL_COORDINATES), n));
    if (k->computes)
        imp_add(&k->b, imp_alloc(cx, kernel_code(k, r->access->tensor)->values, n));
}

/* ---- in parts ---- */

/* Where each part's next components go, by part. */
struct counts {
    const struct imp_var *of;
    enum type type; /* of each number */
};

static void *open(struct parallel *p, struct result *r, const struct scope *scope)
{
    struct kernel *k = p->k;
    struct counts *counts = arena_make(k->cx->arena, struct counts);
    (void)scope;
    counts->of = parallel_arrays(p, 1, "%s_of", next_name(k, r));
    counts->type = result_format(r)->level[last_level(r)].pos;
    return counts;
}

static struct imp_var *own_next(struct kernel *k, const struct result *r,
                                const struct counts *counts)
{
    struct imp_var *own = kernel_array(k, counts->type, "%s", next_name(k, r));
    own->restricted = true;
    return own;
}

static struct imp_var *parent_var(struct kernel *k, const struct result *r)
{
    return kernel_var(k, TYPE_I64, "%s_parent", r->access->tensor->name);
}

static void begin(struct parallel *p, struct result *r, void *kept)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    const struct counts *counts = kept;
    struct imp_var *own = own_next(k, r, counts);
    r->next = own;
    if (r->way == &putting) {
        parallel_take(p, own, counts->of, 0, imp_read(cx, p->part));
        return;
    }
    imp_add(&k->b, imp_declare(cx, own, NULL));
    imp_add(&k->b, imp_alloc(cx, own, parents(k, r)));
    imp_add(&k->b,
            imp_fill(cx, own, imp_int(cx, TYPE_I64, 0), parents(k, r), imp_int(cx, own->type, 0)));
}

static void end(struct parallel *p, struct result *r, void *kept)
{
    struct kernel *k = p->k;
    const struct counts *counts = kept;
    if (r->way == &counting_apart)
        parallel_keep(p, counts->of, 0, imp_read(k->cx, p->part), r->next);
}

/* Below a parent a part's components come behind those of the parts before it ... */
static void add_count(struct kernel *k, const struct result *r, const struct imp_var *own,
                      const struct imp *parent)
{
    struct imp_var *count = kernel_var(k, own->type, "%s_count", r->access->tensor->name);
    struct level_code code = below(k, r, parent);
    const struct imp *n = imp_let(&k->b, count, imp_load(k->cx, own, parent));
    imp_add(&k->b, imp_store(k->cx, own, parent, OP_NONE, code.format->type->counted(&code)));
    code.format->type->count(&code, n);
}

/* ... and those from where its segment begins. */
static void place_count(struct kernel *k, const struct result *r, const struct imp_var *own,
                        const struct imp *parent)
{
    struct level_code code = below(k, r, parent);
    const struct imp *first, *past;
    code.format->type->bounds(&code, &first, &past);
    imp_add(&k->b, imp_store(k->cx, own, parent, OP_ADD, imp_cast(k->cx, own->type, first)));
}

/* What is to be done for each parent, with the own count of each part: in parallel over parents. */
static void each_count(struct parallel *p, const struct result *r, const struct counts *counts,
                       void (*body)(struct kernel *k, const struct result *r,
                                    const struct imp_var *own, const struct imp *parent))
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    struct imp_var *share = kernel_var(k, TYPE_I32, "share"),
                   *part = kernel_var(k, TYPE_I32, "part"), *parent = parent_var(k, r),
                   *own = own_next(k, r, counts);
    const struct imp *at = imp_read(cx, share), *after = imp_next(cx, at);
    imp_begin(&k->b);
    imp_begin(&k->b);
    parallel_take(p, own, counts->of, 0, imp_read(cx, part));
    imp_begin(&k->b);
    body(k, r, own, imp_read(cx, parent));
    const struct imp *each = imp_end(&k->b);
    imp_add(&k->b, imp_for(cx, parent, share_before(p, parents(k, r), at),
                           share_before(p, parents(k, r), after), 1, each));
    parallel_each(p, part, imp_end(&k->b));
    imp_add(&k->b,
            imp_parallel(cx, share, imp_read(cx, p->parts), SCHEDULE_STATIC, 0, imp_end(&k->b)));
}

static void run_apart(struct parallel *p, struct result *r, void *kept, const struct scope *scope)
{
    struct kernel *k = p->k;
    const struct counts *counts = kept;
    const struct assembly_way *way = r->way;
    r->way = &counting_apart;
    k->computes = false;
    parallel_loop(p, scope);
    k->computes = k->request->computes;
    open_segments(k, r);
    each_count(p, r, counts, add_count);
    r->way = &putting;
    scan(k, r, NULL);
    each_count(p, r, counts, place_count);
    p->f = forall_open(k, scope);
    parallel_loop(p, scope);
    imp_add(&k->b, imp_free(k->cx, counts->of));
    r->way = way;
}

static bool is_heavy(struct kernel *k, const struct result *r)
{
    (void)k;
    (void)r;
    return true;
}

const struct parts_way parts_counted = {
    .open = open,
    .begin = begin,
    .end = end,
    .is_heavy = is_heavy,
    .run = run_apart,
};

/* ---- the way ---- */

/* Is the outermost loop one whose parts count apart? */
static bool runs_in_parts(struct kernel *k, const struct result *r)
{
    const struct tree_node *root = r->tree->root;
    return cin_parallel(k->program, root->statement)
           && tree_parts(k->cx, r->tree, root) == PARTS_COUNTED;
}

static void run(struct kernel *k, struct result *r, const struct scope *scope)
{
    const struct assembly_way *way = r->way;
    if (runs_in_parts(k, r)) {
        lower_program(k, r, scope);
        return;
    }
    open_segments(k, r);
    r->way = &counting;
    k->computes = false;
    lower_program(k, r, scope);
    k->computes = k->request->computes;
    r->way = &putting;
    r->next = workspace_array(k, result_format(r)->level[last_level(r)].pos, next_name(k, r),
                              parents(k, r));
    scan(k, r, r->next);
    lower_program(k, r, scope);
    imp_add(&k->b, imp_free(k->cx, r->next));
    r->way = way;
}

const struct assembly_way assembly_count = {
    .run = run,
};
