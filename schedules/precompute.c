/* precompute.c - precompute(e, w, {i,ic,ip}, ... [, format]): a part of an assignment is computed into a workspace first
 * (thesis 6.2).
 *
 *     before    forall(i) forall(k) forall(j) A(i,j) += B(i,k) * C(k,j)
 *     after     forall(i) (forall(jc) A(i,jc) = w(jc) where forall(k) forall(jp) w(jp) += B(i,k) * C(k,j))
 *                                                         precompute(B(i,k) * C(k,j), w, {j,jc,jp}, bytemap)
 *
 * The loops from the outermost of the triples' inwards are shared out between the consumer, which is the statement as it
 * was but for e, and the producer: a loop of a triple goes to both, under the names given; one that e alone uses goes to
 * the producer, where it reduces; others stay.  A reduction just outside them that e alone uses goes in, too.  The where
 * then moves out of the loops that the producer does not depend on, and one that only hands a scalar on goes away, so that
 * the name of a scalar temporary for e expands it into a tensor.
 *
 * Preconditions: what is done with e distributes over a reduction that moves into the producer, whose operator is
 * associative and commutative; and no loop that is shared out, but for the triples', is used on both sides.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/lattice/lattice.h"
#include "schedules/schedules.h"

struct triple { const struct index_var *var, *consumer, *producer; };

/* A statement on the way from the root to the assignment, and which of its parts the way goes through. */
struct step { const struct cin *at; int part; };

struct precompute {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const char *name;                        /* the workspace's */
    const struct cin *e, *assign;
    const struct format *format;             /* NULL: the usual one */
    VEC(struct triple) triple;
    VEC(struct step) path;
    size_t top;                              /* the where takes the place of path.at[top]; path.n: the assignment's */
    VEC(const struct index_var *) moved;     /* loops that go to the producer and reduce there */
    bool in_producer;                        /* the way from the where's place leads into a producer */
    const struct cin *hole;                  /* stands for e while the workspace is not made yet */
    enum op op;                              /* of the producer's assignment */
    const struct cin *access;                /* the workspace, by the triples' variables */
};

__attribute__((format(printf, 3, 4)))
static bool refuse(struct precompute *p, struct span span, const char *format, ...)
{
    struct text statement = text_new(p->cx->arena);
    va_list args;
    va_start(args, format);
    const char *why = arena_vprintf(p->cx->arena, format, args);
    va_end(args);
    struct diag *d = diag_error(p->cx, DIAG_PRECONDITION, span, "precompute: %s", why);
    cin_print_program(p->cx, &statement, p->program);
    diag_note(p->cx, d, "the statement is %s", statement.at);
    return false;
}

/* ---- names ---- */

static bool is_name(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(isalpha((unsigned char)s[i]) || s[i] == '_' || (i > 0 && isdigit((unsigned char)s[i]))))
            return false;
    return n > 0;
}

struct name_search { const char *name; const struct index_var *var; bool used; };

static bool find_name(const struct cin *cin, void *data)
{
    struct name_search *s = data;
    if (cin->kind == CIN_FORALL && cin->index[0]->name == s->name)
        s->var = cin->index[0];
    s->used |= cin->tensor && cin->tensor->name == s->name;
    for (int i = 0; i < cin->indices; i++)
        s->used |= cin->index[i]->name == s->name;
    return false;
}

static struct name_search in_statement(const struct cin_program *program, const char *name)
{
    struct name_search s = {.name = name};
    cin_any(program->statement, find_name, &s);
    return s;
}

static bool is_used(const struct precompute *p, const char *name)
{
    bool used = name == p->name || in_statement(p->program, name).used;
    for (size_t i = 0; i < p->triple.n; i++)
        used |= p->triple.at[i].consumer->name == name || p->triple.at[i].producer->name == name;
    return used;
}

/* ---- arguments ---- */

/* Does the text say this expression?  A literal is of the type that it was given. */
static bool says(const struct tin *text, const struct cin *e)
{
    if (text->kind == TIN_LITERAL)
        return e->kind == CIN_LITERAL && value_equal(value_convert(text->value, e->type), e->value);
    if (text->args != e->args || text->indices != e->indices)
        return false;
    if (text->kind == TIN_ACCESS ? e->kind != CIN_ACCESS || text->tensor->name != e->tensor->name
                                 : text->kind != TIN_OP || e->kind != CIN_OP || text->op != e->op)
        return false;
    for (int i = 0; i < e->indices; i++)
        if (text->index[i]->name != e->index[i]->name)
            return false;
    for (int i = 0; i < e->args; i++)
        if (!says(text->arg[i], e->arg[i]))
            return false;
    return true;
}

struct expression_search { const struct tin *text; const struct cin *e, *assign; };

static bool find_in_value(const struct cin *cin, void *data)
{
    struct expression_search *s = data;
    if (!says(s->text, cin))
        return false;
    s->e = cin;
    return true;
}

static bool find_in_assignment(const struct cin *cin, void *data)
{
    struct expression_search *s = data;
    if (cin->kind != CIN_ASSIGN || !cin_any(cin->arg[1], find_in_value, data))
        return false;
    s->assign = cin;
    return true;
}

/* ---- an expression that takes some of a product's factors ---- */

struct factors { const struct cin **at; size_t n, capacity; };

/* The operands of a chain of one operator. */
static void add_factors(struct context *cx, const struct cin *e, enum op op, struct factors *factors)
{
    if (e->kind != CIN_OP || e->op != op) {
        vec_push(cx->arena, factors, e);
        return;
    }
    add_factors(cx, e->arg[0], op, factors);
    add_factors(cx, e->arg[1], op, factors);
}

/* What the text says, of factors that are then taken out of the list; NULL if one is not there. */
static const struct cin *take_factors(struct context *cx, const struct tin *text, enum op op, struct factors *factors)
{
    if (text->kind == TIN_OP && text->op == op) {
        const struct cin *arg[2];
        arg[0] = take_factors(cx, text->arg[0], op, factors);
        arg[1] = arg[0] ? take_factors(cx, text->arg[1], op, factors) : NULL;
        return arg[1] ? cin_op(cx, op, arg, 2) : NULL;
    }
    for (size_t i = 0; i < factors->n; i++) {
        const struct cin *factor = factors->at[i];
        if (!factor || !says(text, factor))
            continue;
        factors->at[i] = NULL;
        return factor;
    }
    return NULL;
}

/* The chain with the text's factors in front, in a group of their own: *e; NULL if it does not have them all. */
static const struct cin *group_factors(struct context *cx, const struct tin *text, const struct cin *chain,
                                       const struct cin **e)
{
    struct factors factors = {0};
    add_factors(cx, chain, chain->op, &factors);
    for (size_t i = 0; i < factors.n; i++)
        if (factors.at[i]->type != chain->type)
            return NULL;
    const struct cin *all = *e = take_factors(cx, text, chain->op, &factors);
    for (size_t i = 0; i < factors.n && all; i++)
        if (factors.at[i])
            all = cin_op(cx, chain->op, (const struct cin *[]){all, factors.at[i]}, 2);
    return all;
}

struct chain_search { struct context *cx; struct expression_search *search; const struct cin *chain, *grouped; };

static bool find_chain(const struct cin *cin, void *data)
{
    struct chain_search *s = data;
    enum op op = s->search->text->op;
    if (cin->kind != CIN_OP || cin->op != op)
        return false;
    s->chain = cin;
    s->grouped = group_factors(s->cx, s->search->text, cin, &s->search->e);
    return s->grouped;
}

/* Bring factors that stand apart together, where the operator is associative and commutative. */
static bool regroup(struct precompute *p, struct expression_search *search)
{
    const struct tin *text = search->text;
    struct cin_list made = cin_assignments(p->cx, p->program->statement);
    if (text->kind != TIN_OP || text->args != 2 || !op_associative(text->op) || !op_commutative(text->op))
        return false;
    for (size_t i = 0; i < made.n; i++) {
        struct chain_search s = {.cx = p->cx, .search = search};
        if (!cin_any(made.at[i]->arg[1], find_chain, &s))
            continue;
        const struct cin *value = cin_replace(p->cx, made.at[i]->arg[1], s.chain, s.grouped);
        struct cin_program *program = arena_copy(p->cx->arena, p->program, sizeof *program);
        search->assign = cin_assign(p->cx, made.at[i]->op, made.at[i]->arg[0], value);
        program->statement = cin_replace(p->cx, program->statement, made.at[i], search->assign);
        p->program = program;
        return true;
    }
    return false;
}

static bool read_expression(struct precompute *p)
{
    const char *text = p->call->argument[0];
    struct expression_search search = {0};
    const struct tin *tin = tin_parse(p->cx, arena_printf(p->cx->arena, "%s = %s", p->name, text));
    search.text = tin ? tin->arg[1] : NULL;
    if (!tin)
        return false;
    if (!cin_any(p->program->statement, find_in_assignment, &search) && !regroup(p, &search))
        return refuse(p, p->call->argument_span[0], "%s is not a part of what is assigned", text);
    p->e = search.e;
    p->assign = search.assign;
    return true;
}

/* The variable that stands for the loop in the consumer or the producer: itself, or a fresh one like it. */
static const struct index_var *bind(struct precompute *p, const struct index_var *var, const char *name, struct span span)
{
    if (name == var->name)
        return var;
    if (is_used(p, name)) {
        refuse(p, span, "%s is in use", name);
        return NULL;
    }
    struct index_var *fresh = arena_make(p->cx->arena, struct index_var);
    *fresh = (struct index_var){name, var->size, var};
    return fresh;
}

/* {i,ic,ip} */
static bool read_triple(struct precompute *p, const char *text, struct span span)
{
    const char *name[3];
    const char *s = text + 1;
    for (int i = 0; i < 3; i++) {
        s += strspn(s, " \t\r\n");
        size_t n = strcspn(s, ",} \t\r\n");
        name[i] = internn(p->cx, s, n);
        bool named = is_name(s, n);
        s += n;
        s += strspn(s, " \t\r\n");
        if (!named || *s++ != (i < 2 ? ',' : '}'))
            return refuse(p, span, "%s does not name a loop and what it is called in the consumer and the producer", text);
    }
    const struct index_var *var = in_statement(p->program, name[0]).var;
    if (!var)
        return refuse(p, span, "there is no loop over %s", name[0]);
    if (name[1] == name[2])
        return refuse(p, span, "the consumer's loop and the producer's need different names");
    for (size_t i = 0; i < p->triple.n; i++)
        if (p->triple.at[i].var == var)
            return refuse(p, span, "%s is named twice", name[0]);
    for (int i = 0; i < p->program->relations; i++)
        for (int k = 0; k < 2; k++)
            if (p->program->relation[i].parent[k] == var || p->program->relation[i].child[k] == var)
                return refuse(p, span, "other variables derive from %s", name[0]);
    struct triple triple = {.var = var};
    triple.consumer = bind(p, var, name[1], span);
    triple.producer = triple.consumer ? bind(p, var, name[2], span) : NULL;
    if (!triple.producer)
        return false;
    vec_push(p->cx->arena, &p->triple, triple);
    return true;
}

/* The widest types of positions and coordinates that the tensors have; i32 at least. */
static struct format_defaults defaults_of(struct precompute *p)
{
    struct format_defaults defaults = {TYPE_I32, TYPE_I32};
    struct cin_list tensor = cin_operands(p->cx, p->program->statement);
    vec_push(p->cx->arena, &tensor, p->assign->arg[0]);
    for (size_t i = 0; i < tensor.n; i++) {
        const struct format *format = tensor.at[i]->tensor->format;
        for (int k = 0; k < format->levels; k++) {
            if (type_size(format->level[k].pos) > 4)
                defaults.pos = TYPE_I64;
            if (type_size(format->level[k].crd) > 4)
                defaults.crd = TYPE_I64;
        }
    }
    return defaults;
}

/* A vector's format may be the name of a level type. */
static bool names_level(const struct context *cx, const char *spelling)
{
    unsigned drops;
    size_t n = strcspn(spelling, " (:");
    return n > 1 && level_type_find(cx->levels, spelling, n, &drops);
}

static bool read_format(struct precompute *p, const char *spelling)
{
    int order = (int)p->triple.n;
    if (!spelling)
        spelling = order == 0 ? "dense" : order > 1 ? "coo" : names_level(p->cx, "bytemap") ? "bytemap" : "dense";
    const char *full = order == 1 && names_level(p->cx, spelling)
                           ? arena_printf(p->cx->arena, "(i) -> (i : %s)", spelling) : spelling;
    const struct format *format = format_parse(p->cx, p->name, full, order, defaults_of(p));
    if (!format)
        return false;
    struct format *copy = arena_copy(p->cx->arena, format, sizeof *format);
    copy->spelling = spelling;
    p->format = copy;
    return true;
}

static bool read_arguments(struct precompute *p)
{
    const struct schedule_call *call = p->call;
    const char *format = NULL;
    if (call->arguments < 2)
        return refuse(p, call->span, "it takes an expression and the name of a workspace");
    p->name = call->argument[1];
    if (!is_name(p->name, strlen(p->name)))
        return refuse(p, call->argument_span[1], "%s is no name for a workspace", p->name);
    if (in_statement(p->program, p->name).used)
        return refuse(p, call->argument_span[1], "%s is in use", p->name);
    if (!read_expression(p))
        return false;
    int i = 2;
    for (; i < call->arguments && call->argument[i][0] == '{'; i++)
        if (!read_triple(p, call->argument[i], call->argument_span[i]))
            return false;
    if (p->triple.n > ORDER_MAX)
        return refuse(p, call->span, "a workspace of more than %d modes", ORDER_MAX);
    for (; i < call->arguments; i++) /* ss:1,0 */
        format = format ? arena_printf(p->cx->arena, "%s,%s", format, call->argument[i]) : call->argument[i];
    return read_format(p, format);
}

/* ---- the way to the assignment ---- */

static bool find_path(struct precompute *p, const struct cin *at)
{
    if (at == p->assign)
        return true;
    for (int part = 0; part < at->args; part++) {
        if (cin_is_expression(at->arg[part]))
            continue;
        vec_push(p->cx->arena, &p->path, ((struct step){at, part}));
        if (find_path(p, at->arg[part]))
            return true;
        p->path.n--;
    }
    return false;
}

/* The path's step with another statement for the part that the way goes through. */
static const struct cin *with_part(struct precompute *p, struct step step, const struct cin *s)
{
    const struct cin *arg[2] = {step.at->arg[0], step.at->args > 1 ? step.at->arg[1] : NULL};
    arg[step.part] = s;
    return cin_with_args(p->cx, step.at, arg);
}

/* The statement of the steps [from, to) around s. */
static const struct cin *rebuild(struct precompute *p, size_t from, size_t to, const struct cin *s)
{
    while (to-- > from)
        s = with_part(p, p->path.at[to], s);
    return s;
}

static const struct index_var *loop_of(const struct precompute *p, size_t step)
{
    const struct cin *at = p->path.at[step].at;
    return at->kind == CIN_FORALL ? at->index[0] : NULL;
}

static bool is_shared(const struct precompute *p, const struct index_var *var)
{
    for (size_t i = 0; i < p->triple.n; i++)
        if (p->triple.at[i].var == var)
            return true;
    return false;
}

static bool is_moved(const struct precompute *p, const struct index_var *var)
{
    for (size_t i = 0; i < p->moved.n; i++)
        if (p->moved.at[i] == var)
            return true;
    return false;
}

/* Does the statement read what the other one makes? */
static bool reads_from(struct context *cx, const struct cin *s, const struct cin *producer)
{
    struct cin_list made = cin_assignments(cx, producer), read = cin_operands(cx, s);
    for (size_t i = 0; i < made.n; i++)
        for (size_t j = 0; j < read.n; j++)
            if (made.at[i]->arg[0]->tensor == read.at[j]->tensor)
                return true;
    return false;
}

/* Does the value of a statement or expression depend on the variable, if only by relations? */
static bool depends(const struct precompute *p, const struct cin *cin, const struct index_var *var, int depth)
{
    if (cin_uses_var(cin, var))
        return true;
    for (int i = 0; i < p->program->relations && depth > 0; i++) {
        const struct cin_relation *r = &p->program->relation[i];
        const struct index_var *end[4] = {r->parent[0], r->parent[1], r->child[0], r->child[1]};
        bool here = false, uses = false;
        for (int k = 0; k < 4; k++)
            here |= end[k] == var;
        for (int k = 0; k < 4 && here; k++)
            uses |= end[k] && end[k] != var && depends(p, cin, end[k], depth - 1);
        if (uses)
            return true;
    }
    return false;
}

static bool uses(const struct precompute *p, const struct cin *cin, const struct index_var *var)
{
    return depends(p, cin, var, p->program->relations);
}

/* ---- who needs what ---- */

/* Without the wheres that make what nobody reads. */
static const struct cin *drop_unread(struct context *cx, const struct cin *s)
{
    if (s->kind == CIN_ASSIGN || cin_is_expression(s))
        return s;
    const struct cin *arg[2] = {0};
    for (int i = 0; i < s->args; i++)
        arg[i] = drop_unread(cx, s->arg[i]);
    if (s->kind == CIN_WHERE && !reads_from(cx, arg[0], arg[1]))
        return arg[0];
    return cin_with_args(cx, s, arg);
}

/* The statement or expression with another expression for e where that is read. */
static const struct cin *without_e(struct precompute *p, const struct cin *s, const struct cin *instead)
{
    if (s == p->e)
        return instead;
    const struct cin **arg = arena_array(p->cx->arena, const struct cin *, s->args);
    for (int i = 0; i < s->args; i++)
        arg[i] = s->kind == CIN_ASSIGN && i == 0 ? s->arg[0] : without_e(p, s->arg[i], instead);
    return cin_with_args(p->cx, s, arg);
}

/* What is left for the consumer from a step on, with the hole for e. */
static const struct cin *rest_at(struct precompute *p, size_t step)
{
    const struct cin *s = step < p->path.n ? p->path.at[step].at : p->assign;
    return drop_unread(p->cx, without_e(p, s, p->hole));
}

/* e's computation from a step on: the loops to go through, and the wheres that make what it reads. */
static const struct cin *producer_at(struct precompute *p, size_t step, const struct cin *s)
{
    for (size_t d = p->path.n; d-- > step;) {
        const struct cin *at = p->path.at[d].at;
        const struct index_var *var = loop_of(p, d);
        if (var && (is_shared(p, var) || is_moved(p, var)))
            s = cin_forall(p->cx, var, s);
        if (at->kind == CIN_WHERE && p->path.at[d].part == 0 && reads_from(p->cx, s, at->arg[1]))
            s = cin_where(p->cx, s, at->arg[1]);
    }
    return s;
}

static bool is_needed(struct precompute *p, size_t step, const struct index_var *var)
{
    return uses(p, producer_at(p, step, cin_assign(p->cx, OP_NONE, p->hole, p->e)), var);
}

/* Why a reduction cannot move into the producer; NULL if it can. */
static const char *why_not_moved(struct precompute *p)
{
    const struct cin *value = p->assign->arg[1];
    enum op op = p->assign->op;
    struct value start;
    if (p->in_producer)
        return "it is around the where that makes what reads the expression";
    if (op == OP_NONE)
        return "it reduces nothing";
    if (!op_associative(op) || !op_commutative(op))
        return arena_printf(p->cx->arena, "%s is not associative and commutative", op_name(op));
    if (!op_identity(op, SIDE_LEFT, p->assign->arg[0]->type, &start))
        return arena_printf(p->cx->arena, "%s has no identity to start from", op_name(op));
    if (p->e == value)
        return NULL;
    if (!cin_distributes(value, p->e, op))
        return arena_printf(p->cx->arena, "what is done with the expression does not distribute over %s", op_name(op));
    enum type type = p->assign->arg[0]->type; /* no conversion comes between: it would not distribute */
    return p->e->type == type && value->type == type ? NULL : "what is reduced and its use are not all of one type";
}

/* Share out a loop that the where takes in. */
static bool share_loop(struct precompute *p, size_t step)
{
    const struct index_var *var = loop_of(p, step);
    bool needed = is_needed(p, step + 1, var), used = uses(p, rest_at(p, step + 1), var);
    if (used && needed)
        return refuse(p, p->call->span, "the loop over %s is used by the expression and by the rest: name it, too", var->name);
    const char *why = used ? NULL : why_not_moved(p);
    if (why && needed)
        return refuse(p, p->call->span, "the loop over %s cannot move to the expression: %s", var->name, why);
    if (!used && !why)
        vec_push(p->cx->arena, &p->moved, var);
    return true;
}

/* Is there a where at this step from which both sides would read? */
static bool divides(struct precompute *p, size_t step)
{
    const struct step *where = &p->path.at[step];
    const struct cin *e = producer_at(p, step + 1, cin_assign(p->cx, OP_NONE, p->hole, p->e));
    return where->at->kind != CIN_WHERE || where->part == 1 ||
           (reads_from(p->cx, e, where->at->arg[1]) && reads_from(p->cx, rest_at(p, step + 1), where->at->arg[1]));
}

/* Move the where out over reductions that e alone uses. */
static void take_in_reductions(struct precompute *p)
{
    for (size_t d = p->top; d > 0 && !why_not_moved(p); d--) {
        const struct index_var *var = loop_of(p, d - 1);
        if (var ? !is_needed(p, d, var) || uses(p, rest_at(p, d), var) : divides(p, d - 1))
            return;
        if (!var)
            continue;
        vec_push(p->cx->arena, &p->moved, var);
        p->top = d - 1;
    }
}

static bool share_out(struct precompute *p)
{
    for (size_t d = p->path.n; d-- > p->top;) {
        const struct index_var *var = loop_of(p, d);
        p->in_producer |= p->path.at[d].at->kind == CIN_WHERE && p->path.at[d].part == 1;
        if (var && !is_shared(p, var) && !share_loop(p, d))
            return false;
    }
    take_in_reductions(p);
    return true;
}

static bool find_top(struct precompute *p)
{
    context_assert(p->cx, find_path(p, p->program->statement));
    p->top = p->path.n;
    size_t found = 0;
    for (size_t d = p->path.n; d-- > 0;) {
        if (loop_of(p, d) && is_shared(p, loop_of(p, d))) {
            p->top = d;
            found++;
        }
    }
    for (size_t i = 0; i < p->triple.n && found < p->triple.n; i++) {
        bool around = false;
        for (size_t d = 0; d < p->path.n; d++)
            around |= loop_of(p, d) == p->triple.at[i].var;
        if (!around)
            return refuse(p, p->call->span, "the loop over %s is not around the expression", p->triple.at[i].var->name);
    }
    return true;
}

/* ---- the workspace ---- */

static bool has_duplicates_apart(const struct tensor_var *tensor)
{
    for (int level = 0; level < tensor->format->levels; level++)
        if (!(level_effective(tensor->format, level) & (LEVEL_ORDERED | LEVEL_UNIQUE)))
            return value_is_zero(tensor->fill);
    return false;
}

/* Do components of e come in shares, which add up to it? */
static bool comes_in_shares(struct precompute *p)
{
    struct cin_list operands = cin_operands(p->cx, p->e);
    bool shares = false;
    for (size_t i = 0; i < operands.n; i++) {
        if (!has_duplicates_apart(operands.at[i]->tensor))
            continue;
        if (!cin_distributes(p->e, operands.at[i], OP_ADD))
            return false;
        shares = true;
    }
    return shares;
}

static const struct cin *with_fills(struct precompute *p, const struct cin *s)
{
    struct cin_list operands = cin_operands(p->cx, s);
    for (size_t i = 0; i < operands.n; i++) {
        const struct tensor_var *tensor = operands.at[i]->tensor;
        if (!tensor->temporary && !format_is_dense(tensor->format))
            s = cin_replace(p->cx, s, operands.at[i], cin_literal(p->cx, tensor->fill));
    }
    return s;
}

/* What e is where no sparse operand has a value, if that is always the same; else zero.  A scalar that is expanded starts
 * as it did. */
static struct value absent_value(struct precompute *p)
{
    if (p->e->kind == CIN_ACCESS && p->e->tensor->temporary)
        return p->e->tensor->fill;
    const struct cin *e = with_fills(p, p->e);
    for (size_t d = p->path.n; d-- > 0;) {
        const struct cin *at = p->path.at[d].at;
        if (at->kind != CIN_WHERE || p->path.at[d].part != 0)
            continue;
        if (cin_simplify(p->cx, with_fills(p, at->arg[1])) != cin_nothing(p->cx))
            continue;
        struct cin_list made = cin_assignments(p->cx, at->arg[1]);
        for (size_t i = 0; i < made.n; i++)
            e = cin_replace(p->cx, e, made.at[i]->arg[0], cin_literal(p->cx, made.at[i]->arg[0]->tensor->fill));
    }
    e = cin_simplify(p->cx, e);
    return e->kind == CIN_LITERAL ? e->value : value_zero(p->e->type);
}

/* The fill if e is all that is assigned: what leaves the target as it is where the workspace has no value. */
static struct value whole_fill(struct precompute *p, struct value fill)
{
    const struct tensor_var *target = p->assign->arg[0]->tensor;
    struct value start = value_convert(target->fill, p->e->type);
    bool inserted = false;
    for (int level = 0; level < target->format->levels; level++)
        inserted |= target->format->level[level].type->insert != NULL;
    if (p->e->kind == CIN_ACCESS && p->e->tensor->temporary && !inserted)
        return fill; /* a scalar that is expanded */
    if (p->assign->op != OP_NONE)
        return op_identity(p->assign->op, SIDE_RIGHT, p->e->type, &start) ? start : fill;
    return value_equal(value_convert(start, target->type), target->fill) ? start : fill;
}

static void make_workspace(struct precompute *p)
{
    const struct index_var **extent = arena_array(p->cx->arena, const struct index_var *, p->triple.n);
    bool whole = p->moved.n > 0 && p->e == p->assign->arg[1];
    enum type type = whole ? p->assign->arg[0]->type : p->e->type;
    struct value fill = absent_value(p);
    for (size_t i = 0; i < p->triple.n; i++)
        extent[i] = p->triple.at[i].var;
    p->op = p->moved.n ? p->assign->op : comes_in_shares(p) ? OP_ADD : OP_NONE;
    if (p->op != OP_NONE)
        op_identity(p->op, SIDE_LEFT, type, &fill);
    else if (p->e == p->assign->arg[1])
        fill = whole_fill(p, fill);
    const struct tensor_var *w = cin_workspace(p->cx, p->name, type, fill, p->format, extent, (int)p->triple.n);
    p->access = cin_access(p->cx, w, extent, w->order);
}

/* ---- consumer and producer ---- */

/* Is each component of what is assigned reached once, in the loops that stay? */
static bool reached_once(const struct precompute *p)
{
    const struct cin *target = p->assign->arg[0];
    for (size_t d = p->path.n; d-- > 0;) {
        const struct step *step = &p->path.at[d];
        const struct index_var *var = loop_of(p, d);
        if (var && !is_moved(p, var) && !cin_uses_var(target, var))
            return false;
        if (step->at->kind == CIN_WHERE && step->part == 1 && cin_uses_tensor(step->at->arg[0], target->tensor))
            return true;
    }
    return true;
}

/* The operator of the consumer's assignment. */
static enum op consumer_op(struct precompute *p)
{
    const struct tensor_var *target = p->assign->arg[0]->tensor;
    struct cin_list made = cin_assignments(p->cx, p->program->statement);
    struct value start;
    int stores = 0;
    for (size_t i = 0; i < made.n; i++)
        stores += made.at[i]->arg[0]->tensor == target;
    bool starts = p->assign->op != OP_NONE && op_identity(p->assign->op, SIDE_LEFT, target->type, &start) &&
                  value_equal(start, target->fill) && !(p->program->accumulates && target == p->program->result);
    return p->moved.n && starts && stores == 1 && reached_once(p) ? OP_NONE : p->assign->op;
}

static const struct cin *make_consumer(struct precompute *p)
{
    const struct cin *s = cin_assign(p->cx, consumer_op(p), p->assign->arg[0], p->assign->arg[1]);
    for (size_t d = p->path.n; d-- > p->top;)
        if (!loop_of(p, d) || !is_moved(p, loop_of(p, d)))
            s = with_part(p, p->path.at[d], s);
    s = drop_unread(p->cx, without_e(p, s, p->access));
    for (size_t i = 0; i < p->triple.n; i++)
        s = cin_rename(p->cx, s, p->triple.at[i].var, p->triple.at[i].consumer);
    return s;
}

/* (w = t where ... t += e) is ... w += e. */
static const struct cin *hand_on(struct precompute *p, const struct cin *where)
{
    const struct cin *last = where->arg[0], *producer = where->arg[1], *make = NULL;
    struct cin_list made = cin_assignments(p->cx, producer);
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0] != p->e)
            continue;
        if (make)
            return where;
        make = made.at[i];
    }
    const struct tensor_var *w = p->access->tensor;
    if (!make || w->type != p->e->type || !value_equal(w->fill, p->e->tensor->fill) ||
        (last->op != OP_NONE && make->op != OP_NONE && last->op != make->op))
        return where;
    enum op op = make->op == OP_NONE ? last->op : make->op;
    return cin_replace(p->cx, producer, make, cin_assign(p->cx, op, p->access, make->arg[1]));
}

static const struct cin *make_producer(struct precompute *p)
{
    const struct cin *store = cin_assign(p->cx, p->op, p->access, p->e), *s = producer_at(p, p->top, store);
    for (size_t d = p->path.n; d-- > p->top && p->e->kind == CIN_ACCESS && p->e->tensor->temporary;) {
        const struct cin *at = p->path.at[d].at;
        const struct cin *where = at->kind == CIN_WHERE ? cin_where(p->cx, store, at->arg[1]) : at;
        if (at->kind == CIN_WHERE && cin_contains(s, where))
            s = cin_replace(p->cx, s, where, hand_on(p, where));
    }
    for (size_t i = 0; i < p->triple.n; i++)
        s = cin_rename(p->cx, s, p->triple.at[i].var, p->triple.at[i].producer);
    return s;
}

/* Both sides may not read a temporary that is made inside the where's loops. */
static bool check_temporaries(struct precompute *p, const struct cin *consumer, const struct cin *producer)
{
    struct cin_list made = cin_assignments(p->cx, producer);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *tensor = made.at[i]->arg[0]->tensor;
        if (tensor != p->access->tensor && cin_uses_tensor(consumer, tensor))
            return refuse(p, p->call->span, "%s is used by the expression and by the rest", tensor->name);
    }
    return true;
}

/* The statement with the where in its place: outside all loops that the producer does not depend on. */
static const struct cin *place(struct precompute *p, const struct cin *consumer, const struct cin *producer)
{
    size_t at = p->top;
    for (size_t d = p->top; d-- > 0;) {
        const struct step *step = &p->path.at[d];
        if (loop_of(p, d) ? uses(p, producer, loop_of(p, d))
                          : step->at->kind == CIN_WHERE && step->part == 0 && reads_from(p->cx, producer, step->at->arg[1]))
            break;
        if (loop_of(p, d))
            at = d;
    }
    const struct cin *where = cin_where(p->cx, rebuild(p, at, p->top, consumer), producer);
    return rebuild(p, 0, at, where);
}

/* ---- the environment ---- */

/* Bounds hold for the fresh variables, too.  The consumer's loops stay in order if a directive has put them so; the
 * producer's are new. */
static void add_likes(struct precompute *p, struct cin_program *program)
{
    VEC(const struct index_var *) ordered = {0};
    VEC(struct cin_bound) bound = {0};
    for (int i = 0; i < program->ordereds; i++)
        vec_push(p->cx->arena, &ordered, program->ordered[i]);
    for (int i = 0; i < program->bounds; i++)
        vec_push(p->cx->arena, &bound, program->bound[i]);
    for (size_t t = 0; t < p->triple.n; t++) {
        const struct triple *triple = &p->triple.at[t];
        for (int i = 0; i < program->ordereds && triple->consumer != triple->var; i++)
            if (program->ordered[i] == triple->var)
                vec_push(p->cx->arena, &ordered, triple->consumer);
        for (int i = 0; i < program->bounds; i++) {
            if (program->bound[i].var != triple->var)
                continue;
            if (triple->consumer != triple->var)
                vec_push(p->cx->arena, &bound, ((struct cin_bound){triple->consumer, program->bound[i].size}));
            if (triple->producer != triple->var)
                vec_push(p->cx->arena, &bound, ((struct cin_bound){triple->producer, program->bound[i].size}));
        }
    }
    program->ordered = ordered.at;
    program->ordereds = (int)ordered.n;
    program->bound = bound.at;
    program->bounds = (int)bound.n;
}

static const struct cin_program *apply(struct context *cx, const struct cin_program *program,
                                       const struct schedule_call *call)
{
    struct precompute p = {.cx = cx, .program = program, .call = call};
    if (!read_arguments(&p) || !find_top(&p))
        return NULL;
    p.hole = cin_access(cx, cin_temporary(cx, p.name, p.e->type, value_zero(p.e->type)), NULL, 0);
    if (!share_out(&p))
        return NULL;
    make_workspace(&p);
    const struct cin *consumer = make_consumer(&p), *producer = make_producer(&p);
    if (!check_temporaries(&p, consumer, producer))
        return NULL;
    struct cin_program *result = arena_copy(cx->arena, p.program, sizeof *program);
    result->statement = place(&p, consumer, producer);
    add_likes(&p, result);
    return result;
}

const struct schedule_type schedule_precompute = {
    .name = "precompute",
    .usage = "precompute(e, w, {i,ic,ip}, ... [, format])",
    .brief = "compute a part of an assignment, over these loops, into a workspace first",
    .apply = apply,
};
