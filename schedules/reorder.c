/* reorder.c - reorder(i, j, ...): the order of nested loops (thesis 6.1).
 *
 *     before    forall(i) forall(j) y(i) += A(i,j) * x(j)
 *     after     forall(j) forall(i) y(i) += A(i,j) * x(j)              reorder(j, i)
 *
 * The named foralls must be nested directly in each other, with at most other foralls in between.
 * They take each other's places in the order given.  Precondition: compound assignments inside use
 * associative and commutative operators, since they combine in another order.  A where moves out
 * of the loops on which its producer does not depend.
 *
 * If a loop is in the producer of a where (case 2), it first moves out, and the temporary goes
 * away:
 *
 *     before    forall(i) (y(i) = 2 * t where forall(j) t += A(i,j) * x(j))
 *     between   forall(i) forall(j) y(i) += 2 * (A(i,j) * x(j))
 *
 * Precondition: the consumer's operations on the temporary distribute over the operator that makes
 * it, and the consumer's tensor starts from that operator's identity, in the temporary's type.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"

#include <string.h>

enum { DEPTH_MAX = 64 };

/* Directly nested foralls: their variables, and the body inside. */
struct chain {
    const struct cin *top, *body;
    const struct index_var *var[DEPTH_MAX];
    int n;
};

static struct chain chain_at(const struct cin *forall)
{
    struct chain chain = {.top = forall, .body = forall};
    while (chain.body->kind == CIN_FORALL && chain.n < DEPTH_MAX) {
        chain.var[chain.n++] = chain.body->index[0];
        chain.body = chain.body->arg[0];
    }
    return chain;
}

static int position_in(const struct chain *chain, const char *name)
{
    for (int i = 0; i < chain->n; i++)
        if (!strcmp(chain->var[i]->name, name))
            return i;
    return -1;
}

struct chain_search {
    const char *name;
    struct chain chain;
    bool found;
};

static bool find_chain(const struct cin *cin, void *data)
{
    struct chain_search *s = data;
    if (cin->kind != CIN_FORALL)
        return false;
    s->chain = chain_at(cin);
    s->found = position_in(&s->chain, s->name) >= 0;
    return s->found;
}

/* Finds the named loops in the chain.  false after a diagnostic. */
static bool find_places(struct context *cx, const struct cin_program *program,
                        const struct schedule_call *call, const struct chain *chain, int *place)
{
    for (int i = 0; i < call->arguments; i++) {
        const char *name = call->argument[i].text;
        place[i] = position_in(chain, name);
        if (place[i] < 0) {
            if (!loops_find(cx, program, call, i))
                return false;
            return loops_refuse(cx, program, call, i,
                                "the loops over %s and %s are not directly nested", name,
                                call->argument[0].text);
        }
        for (int j = 0; j < i; j++)
            if (place[j] == place[i])
                return loops_refuse(cx, program, call, i, "%s is named twice", name);
    }
    return true;
}

/* ---- out of a producer ---- */

/* Finds a where with a loop of this name in its producer. */
static bool find_producer(const struct cin *cin, void *data)
{
    struct chain_search *s = data;
    if (cin->kind != CIN_WHERE || cin->arg[1]->kind != CIN_FORALL)
        return false;
    s->chain = chain_at(cin->arg[1]);
    s->chain.top = cin;
    s->found = position_in(&s->chain, s->name) >= 0;
    return s->found;
}

static bool is_before(const struct cin *cin, void *result)
{
    return cin->kind == CIN_ACCESS && cin->tensor->before == result && cin->tensor->before->held;
}

/* Says why the producer's loops cannot move out of the where; NULL if they can. */
static const char *why_not_out(struct context *cx, const struct cin *consumer,
                               const struct cin *producer)
{
    if (consumer->kind != CIN_ASSIGN || producer->kind != CIN_ASSIGN || producer->op == OP_NONE)
        return "it holds more than one reduction and its use";
    const struct tensor_var *target = consumer->arg[0]->tensor;
    if (cin_any(consumer->arg[1], is_before, (void *)target)
        || cin_any(producer->arg[1], is_before, (void *)target))
        return arena_printf(cx->arena, "%s is read, and must be read before it is written",
                            target->name);
    if (!cin_distributes(cx, consumer->arg[1], producer->arg[0], producer->op))
        return arena_printf(cx->arena, "the use of %s does not distribute over %s",
                            producer->arg[0]->tensor->name, operator_name(cx, producer->op));
    enum type type = target->type; /* no conversion stands between, since it would not distribute */
    if (producer->arg[0]->type != type || producer->arg[1]->type != type
        || consumer->arg[1]->type != type)
        return arena_printf(cx->arena, "the reduced expression, %s and %s have different types",
                            producer->arg[0]->tensor->name, target->name);
    if (consumer->op == producer->op)
        return NULL;
    bool starts = consumer->op == OP_NONE && !target->held
                  && operator_is_identity(cx, producer->op, SIDE_LEFT, target->fill);
    return starts ? NULL
                  : arena_printf(cx->arena, "%s does not start from the identity of %s",
                                 target->name, operator_name(cx, producer->op));
}

/* Moves the loops of the producer with the named loop out of their where.  NULL after a diagnostic.
 */
static const struct cin_program *move_out(struct context *cx, const struct cin_program *program,
                                          const struct schedule_call *call, int argument,
                                          const struct chain *chain)
{
    const struct cin *where = chain->top, *consumer = where->arg[0], *producer = chain->body;
    const char *why = why_not_out(cx, consumer, producer);
    if (why)
        return loops_refuse(cx, program, call, argument,
                            "the loop over %s cannot move out of its where: %s",
                            call->argument[argument].text, why);
    const struct cin *value = cin_replace(cx, consumer->arg[1], producer->arg[0], producer->arg[1]);
    const struct cin *s = cin_assign(cx, producer->op, consumer->arg[0], value);
    for (int i = chain->n; i-- > 0;)
        s = cin_forall(cx, chain->var[i], s);
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    result->statement = cin_replace(cx, program->statement, where, s);
    return result;
}

/* Moves each named loop out of a producer if another named loop is not in it. */
static const struct cin_program *out_of_producers(struct context *cx,
                                                  const struct cin_program *program,
                                                  const struct schedule_call *call)
{
    for (int i = 0; program && i < call->arguments; i++) {
        struct chain_search inside = {.name = call->argument[i].text};
        if (!cin_any(program->statement, find_producer, &inside))
            continue;
        bool together = true;
        for (int j = 0; j < call->arguments; j++)
            together &= position_in(&inside.chain, call->argument[j].text) >= 0;
        if (!together)
            program = move_out(cx, program, call, i, &inside.chain);
    }
    return program;
}

/* ---- the order ---- */

static bool may_reorder(struct context *cx, const struct cin_program *program,
                        const struct schedule_call *call, const struct chain *chain)
{
    enum op op = loops_fixed(cx, chain->body);
    return op == OP_NONE
           || loops_refuse(cx, program, call, -1, "%s is not associative and commutative",
                           operator_name(cx, op));
}

/* Returns the loops in order so far, followed by those of the chain. */
static const struct index_var *const *
with_loops(struct context *cx, const struct cin_program *program, const struct chain *chain)
{
    const struct index_var **var =
        arena_array(cx->arena, const struct index_var *, program->ordereds + chain->n);
    for (int i = 0; i < program->ordereds; i++)
        var[i] = program->ordered[i];
    for (int i = 0; i < chain->n; i++)
        var[program->ordereds + i] = chain->var[i];
    return var;
}

static const struct cin_program *apply_reorder(struct context *cx,
                                               const struct cin_program *program,
                                               const struct schedule_call *call)
{
    int place[DEPTH_MAX];
    bool taken[DEPTH_MAX] = {false};
    if (call->arguments < 2 || call->arguments > DEPTH_MAX)
        return loops_refuse(cx, program, call, -1, "it takes two or more loops");
    struct chain_search search = {.name = call->argument[0].text};
    program = out_of_producers(cx, program, call);
    if (!program || !loops_find(cx, program, call, 0))
        return NULL;
    cin_any(program->statement, find_chain, &search);
    struct chain old = search.chain, chain = old;
    if (!find_places(cx, program, call, &old, place) || !may_reorder(cx, program, call, &old))
        return NULL;
    for (int i = 0; i < call->arguments; i++)
        taken[place[i]] = true;
    for (int at = 0, i = 0; at < old.n; at++)
        if (taken[at])
            chain.var[at] = old.var[place[i++]];
    const struct cin *s = old.body;
    for (int i = old.n; i-- > 0;)
        s = cin_is_related(program, chain.var[i]) ? cin_forall(cx, chain.var[i], s)
                                                  : cin_forall_inside(cx, chain.var[i], s);
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    result->statement = cin_replace(cx, program->statement, old.top, s);
    result->ordered = with_loops(cx, program, &old);
    result->ordereds = program->ordereds + old.n;
    return loops_checked(cx, program, call, result);
}

const struct schedule_type schedule_reorder = {
    .name = "reorder",
    .usage = "reorder(i, j, ...)",
    .brief = "nest these loops in this order",
    .apply = apply_reorder,
};
