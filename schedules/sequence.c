/* sequence.c - sequence(w): the result itself takes the place of the workspace w (thesis 4.3, and
 * the third step of the cleanup in 6.2: a where becomes a sequence).
 *
 *     before    (forall(i) r(i) = b(i) - w(i) where forall(j) forall(ip) w(ip) += A(ip,j) * x(j))
 *     after     (forall(i) r(i) = b(i) ; forall(j) forall(ip) r(ip) += -(A(ip,j) * x(j)))
 *                                                                                    sequence(w)
 *
 * The consumer assigns its right-hand side with w replaced by the identity of the operator that
 * combines the two.  If the result holds that value anyway, no consumer is left.
 *
 * If the consumer does something else with w, the result holds w first:
 *
 *     before    (forall(i) r(i) = max(w(i), 0) where forall(j) forall(ip) w(ip) += A(ip,j) * x(j))
 *     after     (forall(j) forall(ip) r(ip) += A(ip,j) * x(j) ; forall(i) r(i) = max(r(i), 0))
 *
 * A coordinate of the result may follow from those of w and from loops around both, as i here, of
 * which the producer has its own, i2:
 *
 *     before    forall(i0) (forall(i1) r(i) = b(i) - w(i1)
 *                           where forall(j) forall(ip) w(ip) += A(i2,j) * x(j))
 *                 : split(i, i0, i1, down, 4); split(i2, i0, ip, down, 4)
 *     after     forall(i0) (forall(i1) r(i) = b(i)
 *                           ; forall(j) forall(ip) r(i2) += -(A(i2,j) * x(j)))
 *
 * The first form also puts another workspace with a place for each component in the place of w:
 *
 *     before    (forall(j) v(j) = w(j) + B(i,j) where forall(k) forall(l) w(l) += A(i,k) * A(k,l))
 *     after     (forall(j) v(j) = B(i,j) ; forall(k) forall(l) v(l) += A(i,k) * A(k,l))
 *
 * Preconditions of both forms: the result is dense, and reads w in loops over w's coordinates.
 * The producer does not read the result's old values, which would be gone.  Preconditions of the
 * first form: another workspace starts from the same value as w, also in the parts of parallel
 * loops.  w is read once.  Only one associative and commutative operator stands between w and the
 * assignment, the one with which the producer reduces (or + and -, which changes the sign, for
 * numbers).  Everything has the result's type.  Preconditions of the second form: the result is
 * assigned nowhere else, and holds fills before, which equal w's.  All other operands of the
 * consumer are dense, and no component is kept by its value, since each is assigned.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"

#include "compiler/base/vec.h"
#include "compiler/lattice/access.h"
#include "compiler/tree/tree.h"

struct sequence {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct cin *where; /* makes w */
    const struct tensor_var *w;
    const struct cin *read;      /* the access to w */
    const struct cin *assign;    /* with that access */
    const struct tensor_var *to; /* its target: the result, or a workspace */
    struct cin_list made;        /* the producer's assignments, to w and to others */
    enum op op;                  /* combines the shares; OP_NONE: there is nothing else */
    bool negative;               /* the producer's value is added with the other sign */
    bool once;                   /* is w read once? */
    bool in_place;               /* the result holds w first */
};

static void *refuse_sequence(const struct sequence *s, const char *why)
{
    return loops_refuse(s->cx, s->program, s->call, 0, why, s->call->argument[0].text);
}

/* ---- the where ---- */

static bool find_where(const struct cin *cin, void *data)
{
    struct sequence *s = data;
    if (cin->kind != CIN_WHERE)
        return false;
    s->made = cin_assignments(s->cx, cin->arg[1]);
    for (size_t i = 0; i < s->made.n; i++) {
        const struct tensor_var *t = s->made.at[i]->arg[0]->tensor;
        if (!loops_same_text(t->name, s->call->argument[0].text)
            || !cin_uses_tensor(cin->arg[0], t))
            continue;
        s->where = cin;
        s->w = t;
        return true;
    }
    return false;
}

struct reads {
    const struct tensor_var *w;
    const struct cin *read, *assign;
    int n;
    bool others; /* other accesses or assignments read it */
};

static bool count_reads(const struct cin *cin, void *data)
{
    struct reads *r = data;
    if (cin->kind == CIN_ACCESS && cin->tensor == r->w) {
        r->others |= r->read && r->read != cin;
        r->read = cin;
        r->n++;
    }
    if (cin->kind == CIN_ASSIGN && cin_uses_tensor(cin->arg[1], r->w)) {
        r->others |= r->assign && r->assign != cin;
        r->assign = cin;
    }
    return false;
}

/* Can shares be added to the target? */
static bool holds_shares(const struct sequence *s)
{
    const struct format *format = s->to->format;
    if (!s->to->temporary)
        return s->to == s->program->result && format_is_dense(format);
    enum workspace_kind kind = s->to->order > 0 ? workspace_kind(format) : WORKSPACE_NONE;
    return kind == WORKSPACE_INSERT || kind == WORKSPACE_TABLE;
}

static bool check_read(struct sequence *s)
{
    struct reads reads = {.w = s->w};
    cin_any(s->where->arg[0], count_reads, &reads);
    s->read = reads.read;
    s->assign = reads.assign;
    s->once = reads.n == 1;
    if (reads.others)
        return refuse_sequence(s, "%s is read at several places");
    if (cin_asks_for(s->assign->arg[1], s->w))
        return refuse_sequence(
            s, "which components %s has is asked for, and the result has all of its own");
    s->to = s->assign->arg[0]->tensor;
    if (!holds_shares(s))
        return refuse_sequence(s, "%s is not read for a dense result, nor for a workspace with "
                                  "places");
    return true;
}

/* ---- loops ---- */

static int place_of(const struct cin *access, const struct index_var *var)
{
    int at = access->indices;
    while (at-- > 0 && access->index[at] != var)
        continue;
    return at;
}

/* Returns how many of the loops down to the assignment are w's.  -1 if one is not, or if there is
 * no way down. */
static int loops_of_read(const struct sequence *s, const struct cin *cin)
{
    if (cin == s->assign)
        return 0;
    if (cin_is_expression(cin) || cin->kind == CIN_ASSIGN)
        return -1;
    for (int i = 0; i < cin->args; i++) {
        int loops = loops_of_read(s, cin->arg[i]);
        if (loops >= 0 && cin->kind == CIN_FORALL)
            return place_of(s->read, cin->index[0]) < 0 ? -1 : loops + 1;
        if (loops >= 0)
            return loops;
    }
    return -1;
}

static bool check_loops(struct sequence *s)
{
    bool distinct = true;
    for (int i = 0; i < s->read->indices; i++)
        distinct &= place_of(s->read, s->read->index[i]) == i;
    if (!distinct || loops_of_read(s, s->where->arg[0]) != s->read->indices)
        return refuse_sequence(s, "%s is not read in the loops over its coordinates");
    return true;
}

/* Returns the relation by which the variable, its parent of that number, follows from the children
 * alone; NULL: there is none. */
static const struct cin_relation *relation_up(const struct sequence *s, const struct index_var *var,
                                              int *parent)
{
    for (int i = 0; i < s->program->relations; i++) {
        const struct cin_relation *r = &s->program->relation[i];
        const struct index_var *from[2];
        int n = cin_is_parent(r, var) && !r->access ? cin_sources(r, var, from) : -1;
        bool up = n > 0;
        for (int k = 0; k < n; k++)
            up &= cin_is_child(r, from[k]);
        *parent = r->parent[0] == var ? 0 : 1;
        if (up)
            return r;
    }
    return NULL;
}

/* Returns the relation that is like r and has these children; NULL: there is none. */
static const struct cin_relation *relation_like(const struct sequence *s,
                                                const struct cin_relation *r,
                                                const struct index_var *const child[2])
{
    for (int i = 0; i < s->program->relations; i++) {
        const struct cin_relation *of = &s->program->relation[i];
        if (of->type == r->type && of->size == r->size && of->up == r->up
            && of->child[0] == child[0] && of->child[1] == child[1])
            return of;
    }
    return NULL;
}

/* Returns the variable in the share of what the consumer has as var: a coordinate of w, a variable
 * that follows from one, or else var itself.  NULL: the producer has none. */
static const struct index_var *of_producer(const struct sequence *s, const struct cin *share,
                                           const struct index_var *var)
{
    int mode = place_of(s->read, var), parent;
    const struct cin_relation *r = mode < 0 ? relation_up(s, var, &parent) : NULL;
    if (!r)
        return mode < 0 ? var : share->index[mode];
    const struct index_var *child[2] = {NULL, NULL};
    for (int k = 0; k < 2 && r->child[k]; k++)
        if (!(child[k] = of_producer(s, share, r->child[k])))
            return NULL;
    const struct cin_relation *own = relation_like(s, r, child);
    return own ? own->parent[parent] : NULL;
}

/* Does the producer have all variables of the result's component, as the consumer has them? */
static bool check_parts(const struct sequence *s)
{
    for (size_t i = 0; i < s->made.n; i++)
        for (int k = 0; k < s->assign->arg[0]->indices; k++)
            if (s->made.at[i]->arg[0]->tensor == s->w
                && !of_producer(s, s->made.at[i]->arg[0], s->assign->arg[0]->index[k]))
                return refuse_sequence(s, "the loops of the producer of %s do not give the "
                                          "coordinates of the result");
    return true;
}

/* ---- operators ---- */

/* Returns the operator that combines: for a difference the sum. */
static enum op combining(enum op op) { return op == OP_SUB || op == OP_NEG ? OP_ADD : op; }

/* Finds the operator that combines the producer's shares with the consumer's other operands. */
static bool find_op(struct sequence *s)
{
    const struct cin *value = s->assign->arg[1];
    enum op op = OP_NONE;
    size_t shares = 0;
    for (size_t i = 0; i < s->made.n; i++) {
        if (s->made.at[i]->arg[0]->tensor != s->w)
            continue;
        if (shares++ > 0 && s->made.at[i]->op != op)
            return refuse_sequence(s, "%s has several different assignments");
        op = s->made.at[i]->op;
    }
    if (op == OP_NONE)
        op = s->assign->op != OP_NONE ? s->assign->op
             : value->kind == CIN_OP  ? combining(value->op)
                                      : OP_NONE;
    if (op == OP_NONE && shares > 1)
        return refuse_sequence(s, "%s has several different assignments");
    s->op = op;
    return true;
}

/* Is it w or its negative?  Then an operator with another operand leaves that operand alone. */
static bool is_read(const struct sequence *s, const struct cin *e)
{
    while (e->kind == CIN_OP && e->op == OP_NEG)
        e = e->arg[0];
    return e == s->read;
}

/* Does only this operator stand between the assignment's value and w? */
static bool combines(struct sequence *s, const struct cin *e)
{
    if (e->type != s->to->type)
        return false;
    if (e == s->read)
        return true;
    /* true - (true + x) is not the sum of true and a value without x */
    bool sum = s->op == OP_ADD && combining(e->op) == OP_ADD && e->type != TYPE_BOOL;
    if (e->kind != CIN_OP || (e->op != s->op && !sum) || e->args > 2)
        return false;
    int side = cin_contains(e->arg[0], s->read) ? 0 : 1;
    if (e->args == 2 && is_read(s, e->arg[side]) && e->arg[1 - side]->type != e->type)
        return false; /* the rest would have another type */
    s->negative ^= e->op == OP_NEG || (e->op == OP_SUB && side == 1);
    return combines(s, e->arg[side]);
}

/* ---- in place ---- */

/* Are all loops around the statement over coordinates of the result's component, or over parts of
 * these? */
static bool is_inside_result(const struct sequence *s, const struct cin *cin)
{
    const struct cin *to = s->assign->arg[0];
    if (cin == s->where)
        return true;
    bool leads = cin->kind != CIN_FORALL;
    for (int i = 0; i < to->indices && !leads; i++)
        leads = cin_is_part(s->program, cin->index[0], to->index[i], CIN_ANY);
    if (!leads)
        return false;
    for (int i = 0; i < cin->args; i++)
        if (cin_contains(cin->arg[i], s->where))
            return is_inside_result(s, cin->arg[i]);
    return false;
}

/* Does the consumer assign each component in its loops, whatever w holds? */
static bool assigns_all(const struct sequence *s)
{
    struct cin_list read = cin_operands(s->cx, s->where->arg[0]);
    bool all = s->assign->op == OP_NONE && s->assign->args == 2 && !cin_kept(s->assign)
               && cin_simplify(s->cx, s->assign->arg[1])->kind != CIN_LITERAL;
    for (size_t i = 0; i < read.n; i++)
        all &= read.at[i]->tensor == s->w || tensor_var_is_scalar(read.at[i]->tensor)
               || format_is_dense(read.at[i]->tensor->format);
    return all;
}

/* May the result hold w before it is assigned? */
static bool takes_place(struct sequence *s)
{
    const struct tensor_var *result = s->to;
    struct cin_list made = cin_assignments(s->cx, s->program->statement);
    int stores = 0;
    for (size_t i = 0; i < made.n; i++)
        stores += made.at[i]->arg[0]->tensor == result;
    return !result->temporary && stores == 1 && assigns_all(s) && !result->held
           && result->type == s->w->type && value_equal(result->fill, s->w->fill)
           && is_inside_result(s, s->program->statement);
}

static bool check_ops(struct sequence *s)
{
    struct cin_list made = cin_assignments(s->cx, s->where->arg[0]);
    const enum op op = s->op;
    bool fits = s->once && combines(s, s->assign->arg[1]) && s->assign->args == 2
                && (s->assign->op == OP_NONE || s->assign->op == op);
    if (op != OP_NONE)
        fits &= op_associative(op) && op_commutative(op)
                && operator_is_identity(s->cx, op, SIDE_LEFT, s->w->fill)
                && (!s->to->temporary || operator_is_identity(s->cx, op, SIDE_LEFT, s->to->fill));
    for (size_t i = 0; i < made.n; i++)
        fits &= made.at[i] == s->assign || made.at[i]->arg[0]->tensor != s->to
                || (op != OP_NONE && made.at[i]->op == op);
    for (size_t i = 0; i < s->made.n && s->negative; i++)
        fits &= s->made.at[i]->arg[0]->tensor != s->w || s->made.at[i]->arg[1]->type == s->w->type;
    if (op == OP_NONE)
        fits &= !s->program->accumulates && value_equal(s->w->fill, s->to->fill);
    s->in_place = !fits && takes_place(s);
    return fits || s->in_place
           || refuse_sequence(
               s, "the operator that combines %s with the result is not that of its producer");
}

/* Refuses an order in which the result's old values are gone when the producer runs. */
static bool check_before(struct sequence *s)
{
    struct cin_list read = cin_operands(s->cx, s->where->arg[1]);
    for (size_t i = 0; i < read.n; i++)
        if (read.at[i]->tensor->before)
            return refuse_sequence(s, "the producer of %s reads the old values of the result");
    return true;
}

/* ---- the sequence ---- */

/* Lets the producer write the result. */
static const struct cin *make_mutation(struct sequence *s)
{
    struct context *cx = s->cx;
    const struct cin *to = s->assign->arg[0], *producer = s->where->arg[1];
    for (size_t i = 0; i < s->made.n; i++) {
        const struct cin *share = s->made.at[i], *value = share->arg[1];
        if (share->arg[0]->tensor != s->w)
            continue;
        const struct index_var **index =
            arena_array(cx->arena, const struct index_var *, to->indices);
        for (int k = 0; k < to->indices; k++)
            index[k] = of_producer(s, share->arg[0], to->index[k]);
        value = s->negative && !s->in_place ? cin_op(cx, OP_NEG, &value, 1) : value;
        enum op op = s->in_place ? share->op : s->op;
        const struct cin *access = cin_access(cx, to->tensor, index, to->indices);
        producer = cin_replace(cx, producer, share, cin_assign(cx, op, access, value));
    }
    return producer;
}

/* Lets the consumer read the result's value instead of w. */
static const struct cin *make_revision(struct sequence *s)
{
    const struct cin *to = s->assign->arg[0],
                     *value = cin_replace(s->cx, s->assign->arg[1], s->read, to);
    return cin_replace(s->cx, s->where->arg[0], s->assign, cin_assign(s->cx, OP_NONE, to, value));
}

/* Takes w out of the consumer. */
static const struct cin *make_definition(struct sequence *s)
{
    const struct cin *rest =
        cin_replace(s->cx, s->where->arg[0], s->read, cin_literal(s->cx, s->w->fill));
    struct cin_list read = cin_operands(s->cx, rest),
                    unsure = access_unsure(s->cx, &read, &(struct known){0});
    return cin_simplify_unsure(s->cx, rest, &unsure);
}

static const struct cin_program *apply_sequence(struct context *cx,
                                                const struct cin_program *program,
                                                const struct schedule_call *call)
{
    struct sequence s = {.cx = cx, .program = program, .call = call};
    if (call->arguments != 1)
        return loops_refuse(cx, program, call, -1, "it takes the name of a workspace");
    if (!cin_any(program->statement, find_where, &s))
        return refuse_sequence(&s, "there is no workspace %s");
    if (!check_read(&s) || !check_loops(&s) || !check_parts(&s) || !find_op(&s) || !check_ops(&s)
        || !check_before(&s))
        return NULL;
    const struct cin *shares = make_mutation(&s),
                     *definition = s.in_place ? shares : make_definition(&s),
                     *mutation = s.in_place ? make_revision(&s) : shares;
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    result->statement = cin_replace(
        cx, program->statement, s.where,
        definition == cin_nothing(cx) ? mutation : cin_sequence(cx, definition, mutation));
    return loops_checked(cx, program, call, result);
}

const struct schedule_type schedule_sequence = {
    .name = "sequence",
    .usage = "sequence(w)",
    .brief = "compute in what reads the workspace w, instead of in that",
    .apply = apply_sequence,
};
