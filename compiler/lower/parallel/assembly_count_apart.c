/* assembly_count_apart.c - a result that parts of a parallel loop assemble by counting
 * (result/assembly_count.c).
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

/* In a part that has its own counts: as if it were put, but for that. */
static void count_apart(struct kernel *k, const struct result *r, const struct scope *scope,
                        enum op op, const struct imp *value)
{
    struct level_code code = count_below_named(k, r, scope);
    (void)op;
    (void)value;
    code.format->type->fill(&code, r->next, NULL);
}

static const struct assembly_way counting_apart = {.store = count_apart};

/* ---- in parts ---- */

/* Where each part's next components go, by part. */
struct counts {
    const struct imp_var *of;
    enum type type; /* of each number */
};

static void *open(struct parallel *p, struct result *r)
{
    struct kernel *k = p->k;
    struct counts *counts = arena_make(k->cx->arena, struct counts);
    counts->of = parallel_arrays(p, 1, "%s_of", count_next_name(k, r));
    counts->type = result_format(r)->level[result_format(r)->levels - 1].pos;
    return counts;
}

static struct imp_var *own_next(struct kernel *k, const struct result *r,
                                const struct counts *counts)
{
    struct imp_var *own = kernel_array(k, counts->type, "%s", count_next_name(k, r));
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
    if (r->way == &count_putting) {
        parallel_take(p, own, counts->of, 0, imp_read(cx, p->part));
        return;
    }
    imp_add(&k->b, imp_declare(cx, own, NULL));
    imp_add(&k->b, imp_alloc(cx, own, counted_parents(k, r)));
    imp_add(&k->b, imp_fill(cx, own, imp_int(cx, TYPE_I64, 0), counted_parents(k, r),
                            imp_int(cx, own->type, 0)));
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
    struct level_code code = count_below(k, r, parent);
    const struct imp *n = imp_let(&k->b, count, imp_load(k->cx, own, parent));
    imp_add(&k->b, imp_store(k->cx, own, parent, OP_NONE, code.format->type->counted(&code)));
    code.format->type->count(&code, n);
}

/* ... and those from where its segment begins. */
static void place_count(struct kernel *k, const struct result *r, const struct imp_var *own,
                        const struct imp *parent)
{
    struct level_code code = count_below(k, r, parent);
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
    imp_add(&k->b, imp_for(cx, parent, share_before(p, counted_parents(k, r), at),
                           share_before(p, counted_parents(k, r), after), 1, each));
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
    count_open_segments(k, r);
    each_count(p, r, counts, add_count);
    r->way = &count_putting;
    count_scan(k, r, NULL);
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
