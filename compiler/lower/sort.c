/* sort.c - sorting in the kernel.
 *
 * A list's entries are sorted level by level, the last level first, by counting (Knuth, The Art of Computer Programming,
 * vol. 3, 5.2.5): how many entries have each digit of the coordinate, where the first of them goes, then every entry to
 * its place.  It is stable, and linear in the entries: a dimension of 32 bits takes four passes at most.  A few entries are
 * inserted one by one.
 *
 * The few coordinates that a row touches are sorted in place (Shell 1959, the gaps in the ratio 2.2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/kernel.h"

enum { FEW = 32 };

static struct imp_var *array(struct context *cx, const char *name, enum type type, bool constant)
{
    struct imp_var *var = imp_array(cx, name, type, constant);
    var->restricted = true;
    return var;
}

static const struct imp *i64(struct context *cx, int64_t i)
{
    return imp_int(cx, TYPE_I64, i);
}

static const struct imp *plus(struct context *cx, const struct imp *a, int64_t n)
{
    return imp_op2(cx, OP_ADD, a, imp_int(cx, a->type, n));
}

/* ---- entries ---- */

struct counting {
    struct context *cx;
    struct imp_builder *b;
    struct imp_var *n, *key, *low, *dimension, *order, *other, *place;
    struct imp_var *pass, *p, *d;
};

static const struct imp *radix(struct context *cx) { return i64(cx, SORT_RADIX); }

/* The digit that the pass goes by, of the entry's key. */
static const struct imp *digit(struct counting *c, const struct imp *entry, const char *name)
{
    struct context *cx = c->cx;
    struct imp_var *rest = imp_var(cx, name, TYPE_I64);
    struct imp_var *shift = imp_var(cx, arena_printf(cx->arena, "%s_pass", name), TYPE_I64);
    const struct imp *key = imp_cast(cx, TYPE_I64, imp_load(cx, c->key, entry));
    imp_let(c->b, rest, imp_op2(cx, OP_SUB, key, imp_read(cx, c->low)));
    const struct imp *less = imp_op2(cx, OP_DIV, imp_read(cx, rest), radix(cx));
    imp_add(c->b, imp_for(cx, shift, i64(cx, 0), imp_read(cx, c->pass), 1,
                          imp_assign(cx, rest, OP_NONE, less)));
    return imp_op2(cx, OP_MOD, imp_read(cx, rest), radix(cx));
}

static void each_entry(struct counting *c, const struct imp *body)
{
    imp_add(c->b, imp_for(c->cx, c->p, i64(c->cx, 0), imp_read(c->cx, c->n), 1, body));
}

/* place[d] becomes where the first entry with digit d goes. */
static void count(struct counting *c, const struct imp *entry)
{
    struct context *cx = c->cx;
    const struct imp *d = imp_read(cx, c->d);
    imp_add(c->b, imp_fill(cx, c->place, i64(cx, 0), plus(cx, radix(cx), 1), i64(cx, 0)));
    imp_begin(c->b);
    imp_add(c->b, imp_store(cx, c->place, plus(cx, digit(c, entry, "counted"), 1), OP_ADD, i64(cx, 1)));
    each_entry(c, imp_end(c->b));
    imp_add(c->b, imp_for(cx, c->d, i64(cx, 0), radix(cx), 1,
                          imp_store(cx, c->place, plus(cx, d, 1), OP_ADD, imp_load(cx, c->place, d))));
}

/* Every entry to its place; place[d] moves on to where the next one goes. */
static void distribute(struct counting *c, const struct imp *entry)
{
    struct context *cx = c->cx;
    imp_begin(c->b);
    const struct imp *at = imp_let(c->b, imp_var(cx, "digit", TYPE_I64), digit(c, entry, "moved"));
    imp_add(c->b, imp_store(cx, c->other, imp_load(cx, c->place, at), OP_NONE, entry));
    imp_add(c->b, imp_store(cx, c->place, at, OP_ADD, i64(cx, 1)));
    each_entry(c, imp_end(c->b));
    const struct imp *p = imp_read(cx, c->p);
    each_entry(c, imp_store(cx, c->order, p, OP_NONE, imp_load(cx, c->other, p)));
}

/* As many passes as the largest key has digits, the lowest first. */
static const struct imp *passes(struct counting *c)
{
    struct context *cx = c->cx;
    struct imp_var *most = imp_var(cx, "most", TYPE_I64);
    const struct imp *entry = imp_load(cx, c->order, imp_read(cx, c->p));
    imp_begin(c->b);
    imp_let(c->b, c->pass, i64(cx, 0));
    imp_let(c->b, most, imp_op2(cx, OP_SUB, imp_read(cx, c->dimension), i64(cx, 1)));
    imp_begin(c->b);
    count(c, entry);
    distribute(c, entry);
    imp_add(c->b, imp_assign(cx, most, OP_NONE, imp_op2(cx, OP_DIV, imp_read(cx, most), radix(cx))));
    imp_add(c->b, imp_assign(cx, c->pass, OP_ADD, i64(cx, 1)));
    const struct imp *body = imp_end(c->b);
    imp_add(c->b, imp_while(cx, imp_op2(cx, OP_GT, imp_read(cx, most), i64(cx, 0)), body));
    return imp_end(c->b);
}

/* Insert each entry among those before it. */
static const struct imp *insertions(struct counting *c)
{
    struct context *cx = c->cx;
    struct imp_var *to = imp_var(cx, "to", TYPE_I64), *entry = imp_var(cx, "entry", c->order->type);
    const struct imp *at = imp_read(cx, to), *before = imp_op2(cx, OP_SUB, at, i64(cx, 1)), *p = imp_read(cx, c->p);
    imp_begin(c->b);
    const struct imp *moved = imp_let(c->b, entry, imp_load(cx, c->order, p));
    imp_let(c->b, to, p);
    const struct imp *larger = imp_op2(cx, OP_GT, imp_load(cx, c->key, imp_load(cx, c->order, before)),
                                       imp_load(cx, c->key, moved));
    imp_begin(c->b);
    imp_add(c->b, imp_store(cx, c->order, at, OP_NONE, imp_load(cx, c->order, before)));
    imp_add(c->b, imp_assign(cx, to, OP_NONE, before));
    const struct imp *shift = imp_end(c->b);
    imp_add(c->b, imp_while(cx, imp_op2(cx, OP_AND, imp_op2(cx, OP_GT, at, i64(cx, 0)), larger), shift));
    imp_add(c->b, imp_store(cx, c->order, at, OP_NONE, moved));
    return imp_for(cx, c->p, i64(cx, 1), imp_read(cx, c->n), 1, imp_end(c->b));
}

static const struct imp_function *sort_entries_helper(struct kernel *k, enum type key, enum type order)
{
    struct context *cx = k->cx;
    const char *name = arena_printf(cx->arena, "sort_by_%s_%s", type_name(key), type_name(order));
    const struct imp_function *known = kernel_find_helper(k, name);
    if (known)
        return known;
    struct imp_builder b = {.cx = cx};
    struct counting c = {.cx = cx, .b = &b};
    c.n = imp_var(cx, "n", TYPE_I64);
    c.key = array(cx, "key", key, true);
    c.low = imp_var(cx, "low", TYPE_I64);
    c.dimension = imp_var(cx, "dimension", TYPE_I64);
    c.order = array(cx, "order", order, false);
    c.other = array(cx, "other", order, false);
    c.place = array(cx, "place", TYPE_I64, false);
    c.pass = imp_var(cx, "pass", TYPE_I64);
    c.p = imp_var(cx, "p", TYPE_I64);
    c.d = imp_var(cx, "d", TYPE_I64);
    const struct imp_var *param[] = {c.n, c.key, c.low, c.dimension, c.order, c.other, c.place};
    const struct imp *few = imp_op2(cx, OP_LE, imp_read(cx, c.n), i64(cx, FEW)), *inserted = insertions(&c);
    struct imp_function sort = {.name = name, .effects = true, .body = imp_if(cx, few, inserted, passes(&c))};
    sort.brief = "order[0, n) sorted by key; what is alike stays in order.";
    return kernel_add_helper(k, sort, param, 7);
}

void sort_entries(struct kernel *k, const struct imp_var *key, const struct imp *low, const struct imp *dimension,
                  const struct imp *n, const struct imp_var *order, const struct imp_var *other,
                  const struct imp_var *place)
{
    struct context *cx = k->cx;
    const struct imp *arg[] = {imp_cast(cx, TYPE_I64, n), imp_read(cx, key), low, imp_cast(cx, TYPE_I64, dimension),
                               imp_read(cx, order), imp_read(cx, other), imp_read(cx, place)};
    imp_add(&k->b, imp_do(cx, imp_call(cx, sort_entries_helper(k, key->type, order->type), arg, 7)));
}

/* ---- coordinates ---- */

/* Insert the coordinate at i among those before it that are a multiple of gap away. */
static const struct imp *insert(struct context *cx, const struct imp_var *key, const struct imp *gap, const struct imp *i)
{
    struct imp_builder b = {.cx = cx};
    struct imp_var *j = imp_var(cx, "j", TYPE_I64), *moved = imp_var(cx, "moved", key->type);
    const struct imp *at = imp_read(cx, j), *before = imp_op2(cx, OP_SUB, at, gap);
    imp_begin(&b);
    imp_let(&b, moved, imp_load(cx, key, i));
    imp_let(&b, j, i);
    const struct imp *larger = imp_op2(cx, OP_GT, imp_load(cx, key, before), imp_read(cx, moved));
    const struct imp *more = imp_op2(cx, OP_AND, imp_op2(cx, OP_GE, at, gap), larger);
    imp_begin(&b);
    imp_add(&b, imp_store(cx, key, at, OP_NONE, imp_load(cx, key, before)));
    imp_add(&b, imp_assign(cx, j, OP_NONE, before));
    const struct imp *shift = imp_end(&b);
    imp_add(&b, imp_while(cx, more, shift));
    imp_add(&b, imp_store(cx, key, at, OP_NONE, imp_read(cx, moved)));
    return imp_end(&b);
}

static const struct imp_function *sort_coordinates_helper(struct kernel *k, enum type type)
{
    struct context *cx = k->cx;
    const char *name = arena_printf(cx->arena, "sort_%s", type_name(type));
    const struct imp_function *known = kernel_find_helper(k, name);
    if (known)
        return known;
    struct imp_builder b = {.cx = cx};
    struct imp_var *n = imp_var(cx, "n", TYPE_I64), *key = array(cx, "key", type, false);
    struct imp_var *gap = imp_var(cx, "gap", TYPE_I64), *i = imp_var(cx, "i", TYPE_I64);
    const struct imp *g = imp_read(cx, gap), *one = i64(cx, 1);
    imp_begin(&b);
    imp_let(&b, gap, imp_read(cx, n));
    imp_begin(&b);
    const struct imp *less = imp_op2(cx, OP_DIV, imp_op2(cx, OP_MUL, g, i64(cx, 5)), i64(cx, 11));
    imp_add(&b, imp_assign(cx, gap, OP_NONE, imp_op2(cx, OP_MAX, less, one)));
    imp_add(&b, imp_for(cx, i, g, imp_read(cx, n), 1, insert(cx, key, g, imp_read(cx, i))));
    const struct imp *body = imp_end(&b);
    imp_add(&b, imp_while(cx, imp_op2(cx, OP_GT, g, one), body));
    const struct imp_var *param[] = {n, key};
    struct imp_function sort = {.name = name, .effects = true, .body = imp_end(&b)};
    sort.brief = "key[0, n) in ascending order.";
    return kernel_add_helper(k, sort, param, 2);
}

void sort_coordinates(struct kernel *k, const struct imp_var *key, const struct imp *n)
{
    struct context *cx = k->cx;
    const struct imp *arg[] = {imp_cast(cx, TYPE_I64, n), imp_read(cx, key)};
    imp_add(&k->b, imp_do(cx, imp_call(cx, sort_coordinates_helper(k, key->type), arg, 2)));
}
