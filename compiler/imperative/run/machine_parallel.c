/* machine_parallel.c - parallel loops of a running program, and the accesses of their parts.
 *
 * The parts run one after the other, in an order that a seed gives.  For each element of an array
 * from outside, it is noted how a part touches it.  The threads would race, whatever this run
 * computed, if two parts touch an element, at least one writes, and they are not both atomic
 * updates by the same operator.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "compiler/base/hash.h"
#include "compiler/imperative/run/machine.h"

enum { NONE = -1 };

/* Two parts that touched an element in one way: the first, and the last other one. */
struct parts {
    int64_t first, other;
};

/* The accesses of a loop's parts to an element. */
struct touch {
    int64_t loop; /* the loop that they belong to */
    struct parts readers, writers, updaters;
    const struct imp *update; /* the updaters' statement */
    bool mixed;               /* of several statements, which do not commute */
};

/* ---- accesses ---- */

static void note(struct parts *parts, int64_t part)
{
    if (parts->first == NONE)
        parts->first = part;
    else if (parts->first != part)
        parts->other = part;
}

/* Returns one of them that is not this part, or NONE. */
static int64_t another(const struct parts *parts, int64_t part)
{
    return parts->first != part ? parts->first : parts->other;
}

/* Is the element that the update changes loaded in it? */
struct element {
    const struct imp *update;
};

static bool is_element(const struct imp *imp, void *data)
{
    const struct imp *update = ((struct element *)data)->update;
    return imp->kind == IMP_LOAD && imp->var == update->var
           && imp_equal(imp->arg[0], update->arg[0]);
}

static bool reads_element(const struct imp *value, const struct imp *update)
{
    struct element element = {update};
    return imp_any(value, is_element, &element);
}

/* Do both updates combine the element by the same operators, with whatever values? */
static bool combines_alike(const struct imp *a, const struct imp *of_a, const struct imp *b,
                           const struct imp *of_b)
{
    bool reads = reads_element(a, of_a);
    if (reads != reads_element(b, of_b))
        return false;
    if (!reads)
        return true;
    if (a->kind != b->kind || a->op != b->op || a->type != b->type || a->args != b->args)
        return false;
    for (int i = 0; i < a->args && a->kind != IMP_LOAD; i++)
        if (!combines_alike(a->arg[i], of_a, b->arg[i], of_b))
            return false;
    return true;
}

bool machine_commute(const struct imp *a, const struct imp *b)
{
    if (a->args == 3 || b->args == 3) /* a compare-and-swap */
        return a->args == b->args;
    if (a->op != OP_NONE || b->op != OP_NONE)
        return op_updates_commute(a->op, b->op, a->var->type);
    if (!reads_element(a->arg[1], a)) /* all store the same number */
        return a->arg[1]->kind == IMP_LITERAL && imp_equal(a->arg[1], b->arg[1]);
    return combines_alike(a->arg[1], a, b->arg[1], b);
}

static struct touch *touch_of(struct machine *m, struct store *memory, int64_t at)
{
    if (!memory->touch)
        memory->touch = calloc((size_t)memory->length, sizeof *memory->touch);
    if (!memory->touch)
        machine_stop(m, STATUS_NO_MEMORY);
    struct touch *touch = &memory->touch[at];
    if (touch->loop != m->loop) {
        struct parts nobody = {NONE, NONE};
        *touch = (struct touch){m->loop, nobody, nobody, nobody, NULL, false};
    }
    return touch;
}

void machine_touch(struct machine *m, struct store *memory, const struct imp_var *name, int64_t at,
                   bool writes, const struct imp *update)
{
    if (memory->private)
        return;
    if (m->launch) {
        machine_visit(m, memory, name, at, writes, update);
        return;
    }
    struct touch *touch = touch_of(m, memory, at);
    const char *how = update ? "updated" : writes ? "written" : "read", *before = "written";
    int64_t by = another(&touch->writers, m->part);
    bool safe = update && touch->update && !touch->mixed && machine_commute(update, touch->update);
    if (by == NONE && !safe) {
        by = another(&touch->updaters, m->part);
        before = "updated";
    }
    if (by == NONE && writes) {
        by = another(&touch->readers, m->part);
        before = "read";
    }
    if (by != NONE)
        machine_fault(m, "%s[%lld] is %s by part %lld and %s by part %lld", name->name,
                      (long long)at, before, (long long)by, how, (long long)m->part);
    note(update ? &touch->updaters : writes ? &touch->writers : &touch->readers, m->part);
    touch->mixed = touch->mixed || (update && touch->update && !safe);
    touch->update = update ? update : touch->update;
}

/* ---- the loop ---- */

/* The numbers below n in an order that the seed gives. */
static int64_t *shuffled(struct machine *m, int64_t n)
{
    int64_t *order = arena_array(m->cx->arena, int64_t, n);
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    for (int64_t i = n - 1; m->options.order && i > 0; i--) {
        uint64_t random = hash_word(hash_word(m->options.order, (uint64_t)m->loop), (uint64_t)i);
        int64_t j = (int64_t)(random % (uint64_t)(i + 1)), at = order[i];
        order[i] = order[j];
        order[j] = at;
    }
    return order;
}

/* Releases what a part leaves of its own.  That is lost memory, unless the part has failed. */
static void settle_part(struct machine *m)
{
    struct routine *kernel = &m->routine[m->routines - 1];
    for (size_t i = 0; i < kernel->store.n; i++) {
        struct store *store = kernel->store.at[i];
        if (!store->private)
            continue;
        if (store->owned && m->status == STATUS_OK)
            machine_fault(m, "the memory of %s is never released by part %lld", store->var->name,
                          (long long)m->part);
        machine_release(m, store);
        store->private = false;
    }
}

/* Runs a part, and returns its status. */
static enum imp_status run_part(struct machine *m, const struct code *body)
{
    jmp_buf here, *outside = m->out;
    m->out = &here;
    if (setjmp(here) == 0)
        machine_run(m, body);
    m->out = outside;
    if (m->fault[0])
        longjmp(*outside, 1);
    settle_part(m);
    enum imp_status status = m->status;
    m->status = STATUS_OK;
    m->updated = NULL;
    return status;
}

void machine_run_parallel(struct machine *m, const struct code *code)
{
    int64_t parts = machine_integer(m, code->arg[0]);
    enum imp_status worst = STATUS_OK;
    m->loop++;
    m->parallel = true;
    int64_t *order = shuffled(m, parts > 0 ? parts : 0);
    for (int64_t i = 0; i < parts; i++) {
        m->counts.iterations++;
        m->part = order[i];
        *code->cell->at = value_int(code->cell->var->type, m->part);
        code->cell->set = true;
        enum imp_status status = run_part(m, code->arg[1]);
        worst = status > worst ? status : worst;
    }
    code->cell->set = false;
    m->parallel = false;
    if (worst != STATUS_OK)
        machine_stop(m, worst);
}
