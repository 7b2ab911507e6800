/* check.c - the invariants of concrete index notation.
 *
 *   every variable in an access is bound by exactly one forall around it, or derives from such ones
 *       by relations
 *   every forall binds a variable of its own, which does not follow from those of the foralls
 *       around it
 *   a temporary is written in the producer of a where and read in its consumer only
 *   only results and temporaries are written; a result is read only by statements behind the one of
 *       the multi that writes it, but its pattern may stand anywhere
 *   each of the two statements of a multi writes results of its own
 *   a variable has at most one bound, one tag of a kind, and one relation that it comes from, or
 *       several that split equal ranges alike
 *   a variable does not derive from itself; a tagged variable is bound by a forall
 *   positions below a base come in the loops that locate the base
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/vec.h"
#include "compiler/concrete/known.h"

struct checker {
    struct context *cx;
    const struct cin_program *program;
    struct known known;                      /* of the foralls around */
    VEC(const struct index_var *) seen;      /* bound by any forall */
    VEC(const struct tensor_var *) readable; /* temporaries whose consumers are around */
    VEC(const struct tensor_var *) writable; /* temporaries whose producers are around */
    /* results of earlier statements, of multis and sequences */
    VEC(const struct tensor_var *) made;
    const char *broken;
};

static void broken(struct checker *c, const char *what, const char *name)
{
    if (!c->broken)
        c->broken = arena_printf(c->cx->arena, "%s: %s", name, what);
}

static bool has(const void *list, size_t n, const void *item)
{
    const void *const *at = list;
    for (size_t i = 0; i < n; i++)
        if (at[i] == item)
            return true;
    return false;
}

/* Does var derive from other, by up to depth relations? */
static bool derives(const struct checker *c, const struct index_var *var,
                    const struct index_var *other, int depth)
{
    for (int i = 0; i < c->program->relations && depth > 0; i++) {
        const struct cin_relation *r = &c->program->relation[i];
        for (int k = 0; k < 2 && cin_is_child(r, var) && r->parent[k]; k++)
            if (r->parent[k] == other || derives(c, r->parent[k], other, depth - 1))
                return true;
    }
    return false;
}

static void check_expression(struct checker *c, const struct cin *cin, bool written)
{
    for (int i = 0; i < cin->args; i++)
        check_expression(c, cin->arg[i], false);
    if (cin->kind != CIN_ACCESS)
        return;
    const struct tensor_var *tensor = cin->tensor;
    for (int i = 0; i < cin->indices; i++)
        if (!known_has(&c->known, cin->index[i]))
            broken(c, "is used outside its forall", cin->index[i]->name);
    if (written && !cin_is_result(c->program, tensor)
        && !has(c->writable.at, c->writable.n, tensor))
        broken(c, "is written, but is not the result nor a temporary of a where around",
               tensor->name);
    if (!written && cin_is_result(c->program, tensor) && !has(c->made.at, c->made.n, tensor))
        broken(c, "is a result, and is read where it is not there yet", tensor->name);
    if (!written && tensor->temporary && !has(c->readable.at, c->readable.n, tensor))
        broken(c, "is a temporary and is read outside its consumer", tensor->name);
}

static void check_statement(struct checker *c, const struct cin *cin);

/* Adds the producer's temporaries, without those of wheres inside it. */
static void add_made(struct checker *c, const struct cin *producer)
{
    if (producer->kind == CIN_ASSIGN && producer->arg[0]->tensor->temporary)
        vec_push(c->cx->arena, &c->writable, producer->arg[0]->tensor);
    int parts = producer->kind == CIN_WHERE ? 1 : producer->args;
    for (int i = 0; i < parts; i++)
        add_made(c, producer->arg[i]);
}

static void check_where(struct checker *c, const struct cin *where)
{
    size_t readable = c->readable.n, writable = c->writable.n;
    add_made(c, where->arg[1]);
    check_statement(c, where->arg[1]);
    for (size_t i = writable; i < c->writable.n; i++)
        vec_push(c->cx->arena, &c->readable, c->writable.at[i]);
    c->writable.n = writable;
    check_statement(c, where->arg[0]);
    c->readable.n = readable;
}

/* Checks, for a loop over positions or a part of them, that the position above them is known. */
static void check_positions(struct checker *c, const struct index_var *var)
{
    const struct cin_relation *r = cin_positions(c->program->relation, c->program->relations, var);
    for (int level = 0; r && level < r->base; level++)
        if (!known_has(&c->known, r->access->index[r->access->tensor->format->level[level].mode]))
            broken(c, "runs over positions, and the loops that lead to them are not around it",
                   var->name);
}

/* Checks two statements in turn: the second may read results of the first. */
static void check_both(struct checker *c, const struct cin *both)
{
    check_statement(c, both->arg[0]);
    size_t made = c->made.n;
    for (int r = 0; r <= c->program->others; r++)
        if (cin_assigns(both->arg[0], cin_result(c->program, r)))
            vec_push(c->cx->arena, &c->made, cin_result(c->program, r));
    check_statement(c, both->arg[1]);
    c->made.n = made;
}

static void check_multi(struct checker *c, const struct cin *multi)
{
    for (int r = 0; r <= c->program->others; r++) {
        const struct tensor_var *result = cin_result(c->program, r);
        if (cin_assigns(multi->arg[0], result) && cin_assigns(multi->arg[1], result))
            broken(c, "is written by both statements of a multi", result->name);
    }
    check_both(c, multi);
}

static void check_statement(struct checker *c, const struct cin *cin)
{
    const struct known known = c->known;
    switch (cin->kind) {
    case CIN_ASSIGN:
        check_expression(c, cin->arg[0], true);
        check_expression(c, cin->arg[1], false);
        if (cin->args > 2)
            check_expression(c, cin->arg[2], false);
        return;
    case CIN_FORALL:
        if (has(c->seen.at, c->seen.n, cin->index[0]))
            broken(c, "is bound by two foralls", cin->index[0]->name);
        if (known_has(&c->known, cin->index[0]))
            broken(c, "is bound by a forall, although it follows from those around",
                   cin->index[0]->name);
        check_positions(c, cin->index[0]);
        vec_push(c->cx->arena, &c->seen, cin->index[0]);
        c->known = known_with(c->cx, &known, cin->index[0]);
        check_statement(c, cin->arg[0]);
        c->known = known;
        return;
    case CIN_WHERE: check_where(c, cin); return;
    case CIN_MULTI: check_multi(c, cin); return;
    case CIN_SEQUENCE: check_both(c, cin); return;
    case CIN_NOTHING: return;
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP: broken(c, "an expression stands where a statement should", "statement");
    }
}

/* Splits of variables with one range into parts of one size may share a part. */
static bool is_shared(const struct cin_relation *a, const struct cin_relation *b)
{
    return a->type->parts && b->type == a->type && a->up == b->up && a->size == b->size
           && a->parent[0] != b->parent[0]
           && index_var_origin(a->parent[0]) == index_var_origin(b->parent[0]);
}

static void check_relation(struct checker *c, int i)
{
    const struct cin_relation *r = &c->program->relation[i];
    for (int k = 0; k < 2 && r->child[k]; k++) {
        for (int j = 0; j < i; j++)
            if (cin_is_child(&c->program->relation[j], r->child[k])
                && !is_shared(&c->program->relation[j], r))
                broken(c, "is the child of two relations", r->child[k]->name);
        if (derives(c, r->child[k], r->child[k], c->program->relations))
            broken(c, "derives from itself", r->child[k]->name);
    }
}

static void check_environment(struct checker *c)
{
    const struct cin_program *p = c->program;
    for (int i = 0; i < p->relations; i++)
        check_relation(c, i);
    for (int i = 0; i < p->bounds; i++)
        for (int j = 0; j < i; j++)
            if (p->bound[i].var == p->bound[j].var)
                broken(c, "has two bounds", p->bound[i].var->name);
    for (int i = 0; i < p->tags; i++)
        for (int j = 0; j < i; j++)
            if (p->tag[i].var == p->tag[j].var && p->tag[i].kind == p->tag[j].kind)
                broken(c, "has two tags of a kind", p->tag[i].var->name);
    for (int i = 0; i < p->tags; i++)
        if (!has(c->seen.at, c->seen.n, p->tag[i].var))
            broken(c, "is unrolled, vectorized or parallel, and has no loop", p->tag[i].var->name);
}

const char *cin_check(struct context *cx, const struct cin_program *program)
{
    struct checker c = {.cx = cx, .program = program, .known = known_none(cx, program)};
    check_statement(&c, program->statement);
    check_environment(&c);
    return c.broken;
}
