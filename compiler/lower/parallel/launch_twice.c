/* launch_twice.c - a nest that is launched twice: to count what results get, and to store it
 * (assembly_twice.c); and the scan between.
 *
 * The host has to know how many parts there are, to make room for a number from each.  Where the
 * loop's iterations are numbered each is a part:
 *
 *     for (step = thread of the grid; step < n; ...)
 *         pC2 = 0                                       pC2 = C2_begin[step]
 *         the row                                       the row, stored
 *         C2_begin[step] = pC2
 *
 * Else a part is a team's share of the work.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/launch.h"

/* Of a scan: threads of a block, as many numbers at least, and blocks at most, whose sums one block
 * scans in a few steps. */
enum { SCAN_THREADS = 256, SCAN_LEAST = 2048, SCAN_BLOCKS = 1024 };

/* ---- parts ---- */

/* Are the iterations numbered, one for each place of results that have places? */
static bool has_numbers(struct parallel *p)
{
    return forall_counts(&p->f) && !p->f.lattice->guards
           && !(p->have_places && forall_single(&p->f));
}

static const struct imp *count_iterations(struct parallel *p)
{
    struct context *cx = p->k->cx;
    const struct cursor *only = forall_only(&p->f);
    const struct imp *begin = share_i64(p, only ? only->begin : forall_first(&p->f)),
                     *n = imp_op2(cx, OP_SUB, share_i64(p, only ? only->end : forall_end(&p->f)),
                                  begin);
    if (begin->kind != IMP_LITERAL) /* differences of nothing end before they begin */
        n = imp_op2(cx, OP_MAX, n, imp_int(cx, TYPE_I64, 0));
    return share_named(p, n, arena_printf(cx->arena, "n%s", p->f.lattice->var->name));
}

/* How many there are, for the host. */
static const struct imp *find_parts(struct parallel *p)
{
    struct launch l = {.k = p->k, .tag = p->tag};
    if (has_numbers(p))
        return count_iterations(p);
    launch_open_grid(&l, p->node->statement, INT32_MAX);
    launch_find_parts(p, &l.team);
    return share_i64(p, imp_read(p->k->cx, p->parts));
}

/* ---- iterations ---- */

static void enter(void *data, const struct forall *f, const struct imp *number)
{
    struct parallel *p = data;
    struct kernel *k = p->k;
    const struct imp *at = f->var ? imp_read(k->cx, f->var) : NULL;
    p->part = (struct imp_var *)f->step;
    if (number->kind != IMP_VAR) {
        p->part = kernel_var(k, TYPE_I64, "part");
        imp_let(&k->b, p->part, number);
    }
    p->from = at;
    p->past = at ? imp_next(k->cx, at) : NULL;
    twice_enter(p);
}

static void leave(void *data) { twice_leave(data); }

void twice_adopt(struct parallel *p, const struct parallel *host)
{
    struct forall_each *each = arena_make(p->k->cx->arena, struct forall_each);
    *each = (struct forall_each){enter, leave, p};
    for (int r = 0; r < TIN_RESULTS_MAX; r++) {
        p->way[r] = host->way[r];
        p->kept[r] = host->kept[r];
    }
    p->have_places = host->have_places;
    p->all = host->all;
    p->parts = host->parts;
    p->begin = host->begin;
    p->end = host->end;
    p->before = host->before;
    p->work = host->work;
    p->many = host->many;
    p->weights.at = host->weights.at;
    p->weights.n = p->weights.capacity = host->weights.n;
    p->f.each = host->parts ? NULL : each;
}

bool launch_twice(struct kernel *k, const struct scope *scope)
{
    const struct tree_node *node = scope->place->node;
    struct parallel p = {.k = k, .tag = cin_parallel(k->program, node->statement), .node = node};
    if (!node->lattice->points || !twice_find(&p))
        return false;
    p.f = forall_open(k, scope);
    twice_open(&p, find_parts(&p));
    launch_nest(k, scope, &p);
    twice_turn(&p);
    launch_nest(k, scope, &p);
    twice_close(&p);
    return true;
}

/* ---- the scan ---- */

struct scan {
    struct kernel *k;
    const struct imp_var *const *numbers; /* an array each */
    int arrays;
    const struct imp_var *sums;          /* of each array by block */
    const struct imp *n, *blocks, *each; /* numbers of an array; how many of them a block has */
    const struct imp *block, *thread, *ends;
};

/* Of so many blocks and one array after the other. */
static const struct imp *first_sum(const struct scan *s, int array)
{
    struct context *cx = s->k->cx;
    return imp_op2(cx, OP_MUL, s->blocks, imp_int(cx, TYPE_I32, array));
}

/* Where this block's sum of the array is. */
static const struct imp *sum_of(const struct scan *s, int array)
{
    return imp_op2(s->k->cx, OP_ADD, first_sum(s, array), s->block);
}

/* What this block has. */
static const struct imp *begin_of(const struct scan *s)
{
    return imp_op2(s->k->cx, OP_MUL, imp_cast(s->k->cx, TYPE_I64, s->block), s->each);
}

static const struct imp *end_of(const struct scan *s)
{
    return imp_op2(s->k->cx, OP_MIN, imp_op2(s->k->cx, OP_ADD, begin_of(s), s->each), s->n);
}

static const struct imp *threads(const struct scan *s)
{
    return imp_int(s->k->cx, TYPE_I32, SCAN_THREADS);
}

static void add_up(const struct scan *s, int array)
{
    struct kernel *k = s->k;
    struct context *cx = k->cx;
    const struct imp_var *list = s->numbers[array];
    const struct imp *first = imp_op2(cx, OP_EQ, s->thread, imp_int(cx, TYPE_I32, 0));
    const struct imp *arg[] = {imp_read(cx, list), begin_of(s), end_of(s),
                               s->thread,          threads(s),  s->ends};
    const struct imp *sum = imp_let(&k->b, kernel_var(k, TYPE_I64, "sum"),
                                    prelude_call(&k->b, "sum_block_list", &list->type, 1, arg, 6));
    imp_add(&k->b, imp_if(cx, first, imp_store(cx, s->sums, sum_of(s, array), OP_NONE, sum), NULL));
}

static void scan_list(const struct scan *s, const struct imp_var *list, const struct imp *from,
                      const struct imp *to, const struct imp *first)
{
    struct context *cx = s->k->cx;
    const struct imp *arg[] = {imp_read(cx, list), from, to, first, s->thread, threads(s), s->ends};
    imp_add(&s->k->b, imp_do(cx, prelude_call(&s->k->b, "sum_block_scan", &list->type, 1, arg, 7)));
}

static void scan_sums(const struct scan *s, int array)
{
    struct context *cx = s->k->cx;
    scan_list(s, s->sums, imp_cast(cx, TYPE_I64, first_sum(s, array)),
              imp_cast(cx, TYPE_I64, first_sum(s, array + 1)), imp_int(cx, TYPE_I64, 0));
}

static void scan_numbers(const struct scan *s, int array)
{
    scan_list(s, s->numbers[array], begin_of(s), end_of(s),
              imp_load(s->k->cx, s->sums, sum_of(s, array)));
}

/* So many blocks do that with each array. */
static void launch_step(struct scan *s, const struct imp *blocks,
                        void (*step)(const struct scan *s, int array))
{
    struct kernel *k = s->k;
    struct context *cx = k->cx;
    struct imp_var *block = kernel_var(k, TYPE_I32, "block"),
                   *thread = kernel_var(k, TYPE_I32, "thread"),
                   *ends = imp_placed(cx, imp_unused_name(&k->b, "ends"), TYPE_I64, PLACE_SHARED,
                                      GPU_WARP + 1);
    s->block = imp_read(cx, block);
    s->thread = imp_read(cx, thread);
    s->ends = imp_read(cx, ends);
    imp_begin(&k->b);
    imp_add(&k->b, imp_declare(cx, ends, NULL));
    for (int i = 0; i < s->arrays; i++) {
        if (i > 0)
            imp_add(&k->b, imp_barrier(cx, 0));
        step(s, i);
    }
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b, imp_launch(cx, block, thread, blocks, SCAN_THREADS, body));
}

/* n / by, and one more if that does not come out. */
static const struct imp *divided(struct context *cx, const struct imp *n, const struct imp *by)
{
    const struct imp *up = imp_op2(cx, OP_SUB, by, imp_int(cx, TYPE_I64, 1));
    return imp_op2(cx, OP_DIV, imp_op2(cx, OP_ADD, n, up), by);
}

void launch_scan(struct kernel *k, const struct imp_var *const *numbers, int arrays,
                 const struct imp *n)
{
    struct context *cx = k->cx;
    struct scan s = {.k = k, .numbers = numbers, .arrays = arrays, .n = imp_next(cx, n)};
    struct imp_var *sums = kernel_array(k, TYPE_I64, "%s_sums", imp_stem(numbers[0])),
                   *blocks = kernel_var(k, TYPE_I32, "scanners"),
                   *each = kernel_var(k, TYPE_I64, "scanned");
    const struct imp *most =
        imp_op2(cx, OP_MIN, divided(cx, s.n, imp_int(cx, TYPE_I64, SCAN_LEAST)),
                imp_int(cx, TYPE_I64, SCAN_BLOCKS));
    blocks->positive = each->positive = true;
    sums->restricted = true;
    s.sums = sums;
    s.blocks = imp_let(&k->b, blocks, imp_cast(cx, TYPE_I32, most));
    s.each = imp_let(&k->b, each, divided(cx, s.n, imp_cast(cx, TYPE_I64, s.blocks)));
    imp_add(&k->b, imp_declare(cx, sums, NULL));
    imp_add(&k->b, imp_alloc(cx, sums, imp_cast(cx, TYPE_I64, first_sum(&s, arrays))));
    launch_step(&s, s.blocks, add_up);
    launch_step(&s, imp_int(cx, TYPE_I32, 1), scan_sums);
    launch_step(&s, s.blocks, scan_numbers);
    imp_add(&k->b, imp_free(cx, sums));
}
