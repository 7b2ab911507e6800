/* precompute_read.c - the arguments of precompute: which expression, which loops, what workspace.
 *
 * The expression is found by what it says: its names are those of the statement, whose variables
 * are all different.  It may also be some factors of a product, in any order: they are brought
 * together.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "schedules/precompute.h"

static bool is_used(const struct precompute *p, const char *name)
{
    bool used = name == p->name || cin_is_used(p->program, name);
    for (size_t i = 0; i < p->triple.n; i++)
        used |= p->triple.at[i].consumer->name == name || p->triple.at[i].producer->name == name;
    return used;
}

/* ---- arguments ---- */

/* Does the text say this expression, in the names of now or in those that were written?  A literal
 * is of the type that it was given, and an operand is converted to where it is computed. */
static bool says(const struct tin *text, const struct cin *e, bool now)
{
    bool converted = e->kind == CIN_OP && op_converts(e->op);
    if (converted && !(text->kind == TIN_OP && text->op == e->op))
        return says(text, e->arg[0], now);
    if (text->kind == TIN_LITERAL)
        return e->kind == CIN_LITERAL && value_equal(value_convert(text->value, e->type), e->value);
    if (text->args != e->args || text->indices != e->indices)
        return false;
    if (text->kind == TIN_ACCESS ? e->kind != CIN_ACCESS || text->tensor->name != e->tensor->name
                                 : text->kind != TIN_OP || e->kind != CIN_OP || text->op != e->op)
        return false;
    for (int i = 0; i < e->indices; i++)
        if (!loops_is_called(e->index[i], text->index[i]->name, strlen(text->index[i]->name), now))
            return false;
    for (int i = 0; i < e->args; i++)
        if (!says(text->arg[i], e->arg[i], now))
            return false;
    return true;
}

struct expression_search {
    const struct tin *text;
    bool now; /* in the names that there are now */
    const struct cin *e, *assign;
};

static bool find_in_value(const struct cin *cin, void *data)
{
    struct expression_search *s = data;
    if (!says(s->text, cin, s->now))
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

struct factors {
    const struct cin **at;
    size_t n, capacity;
};

/* The operands of a chain of one operator. */
static void add_factors(struct context *cx, const struct cin *e, enum op op,
                        struct factors *factors)
{
    if (e->kind != CIN_OP || e->op != op) {
        vec_push(cx->arena, factors, e);
        return;
    }
    add_factors(cx, e->arg[0], op, factors);
    add_factors(cx, e->arg[1], op, factors);
}

/* What the text says, of factors that are then taken out of the list; NULL if one is not there. */
static const struct cin *take_factors(struct context *cx, const struct tin *text, bool now,
                                      enum op op, struct factors *factors)
{
    if (text->kind == TIN_OP && text->op == op) {
        const struct cin *arg[2];
        arg[0] = take_factors(cx, text->arg[0], now, op, factors);
        arg[1] = arg[0] ? take_factors(cx, text->arg[1], now, op, factors) : NULL;
        return arg[1] ? cin_op(cx, op, arg, 2) : NULL;
    }
    for (size_t i = 0; i < factors->n; i++) {
        const struct cin *factor = factors->at[i];
        if (!factor || !says(text, factor, now))
            continue;
        factors->at[i] = NULL;
        return factor;
    }
    return NULL;
}

/* The chain with the text's factors in front, in a group of their own: *e; NULL if it does not
 * have them all. */
static const struct cin *group_factors(struct context *cx, const struct expression_search *search,
                                       const struct cin *chain, const struct cin **e)
{
    struct factors factors = {0};
    add_factors(cx, chain, chain->op, &factors);
    for (size_t i = 0; i < factors.n; i++)
        if (factors.at[i]->type != chain->type)
            return NULL;
    const struct cin *all = *e = take_factors(cx, search->text, search->now, chain->op, &factors);
    for (size_t i = 0; i < factors.n && all; i++)
        if (factors.at[i])
            all = cin_op(cx, chain->op, (const struct cin *[]){all, factors.at[i]}, 2);
    return all;
}

struct chain_search {
    struct context *cx;
    struct expression_search *search;
    const struct cin *chain, *grouped;
};

static bool find_chain(const struct cin *cin, void *data)
{
    struct chain_search *s = data;
    enum op op = s->search->text->op;
    if (cin->kind != CIN_OP || cin->op != op)
        return false;
    s->chain = cin;
    s->grouped = group_factors(s->cx, s->search, cin, &s->search->e);
    return s->grouped;
}

/* Bring factors that stand apart together, where the operator is associative and commutative. */
static bool regroup(struct precompute *p, struct expression_search *search)
{
    const struct tin *text = search->text;
    struct cin_list made = cin_assignments(p->cx, p->program->statement);
    if (text->kind != TIN_OP || text->args != 2 || !op_associative(text->op)
        || !op_commutative(text->op))
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
    bool found = false;
    for (int now = 1; now >= 0 && !found; now--) {
        search.now = now;
        found = cin_any(p->program->statement, find_in_assignment, &search) || regroup(p, &search);
    }
    if (!found)
        return loops_refuse(p->cx, p->program, p->call, 0,
                            "%s is not part of an assigned expression", text);
    p->e = search.e;
    p->assign = search.assign;
    return true;
}

struct loop_search {
    const struct precompute *p;
    const char *name;
    bool now;
    const struct cin *found;
};

/* The innermost one around the expression. */
static bool find_around(const struct cin *cin, void *data)
{
    struct loop_search *s = data;
    if (cin->kind == CIN_FORALL && cin_contains(cin, s->p->assign)
        && loops_is_called(cin->index[0], s->name, strlen(s->name), s->now))
        s->found = cin;
    return false;
}

/* The loop of this name around the expression, or else one that runs in its place there, as in the
 * producer of a workspace before; or another one of the name; NULL: none. */
static const struct cin *find_loop(const struct precompute *p, const char *name)
{
    struct loop_search s = {.p = p, .name = name};
    for (int now = 1; now >= 0 && !s.found; now--) {
        s.now = now;
        cin_any(p->program->statement, find_around, &s);
    }
    return s.found ? s.found : loops_named(p->program, name);
}

/* The variable that stands for the loop in the consumer or the producer: itself, or a fresh one
 * like it. */
static const struct index_var *bind(struct precompute *p, const struct index_var *var,
                                    const char *loop, const char *name, int argument)
{
    if (name == var->name || name == loop)
        return var;
    if (is_used(p, name)) {
        loops_refuse(p->cx, p->program, p->call, argument, "%s is in use", name);
        return NULL;
    }
    return loops_like_var(p->cx, name, var);
}

/* {i,ic,ip} */
static bool read_triple(struct precompute *p, int argument)
{
    const char *name[3], *text = p->call->argument[argument], *s = text + 1;
    for (int i = 0; i < 3; i++) {
        s += strspn(s, " \t\r\n");
        size_t n = strcspn(s, ",} \t\r\n");
        name[i] = internn(p->cx, s, n);
        bool named = cin_is_name(s, n);
        s += n;
        s += strspn(s, " \t\r\n");
        if (!named || *s++ != (i < 2 ? ',' : '}'))
            return loops_refuse(
                p->cx, p->program, p->call, argument,
                "%s does not give a loop and its names in the consumer and the producer", text);
    }
    const struct cin *loop = find_loop(p, name[0]);
    if (!loop)
        return loops_refuse(p->cx, p->program, p->call, argument, "there is no loop over %s",
                            name[0]);
    if (name[1] == name[2])
        return loops_refuse(p->cx, p->program, p->call, argument,
                            "the consumer's loop and the producer's need different names");
    const struct index_var *var = loop->index[0];
    for (size_t i = 0; i < p->triple.n; i++)
        if (p->triple.at[i].var == var)
            return loops_refuse(p->cx, p->program, p->call, argument, "%s is named twice", name[0]);
    if (!precompute_check_parts(p, var, argument))
        return false;
    struct triple triple = {.var = var};
    triple.consumer = bind(p, var, name[0], name[1], argument);
    triple.producer = triple.consumer ? bind(p, var, name[0], name[2], argument) : NULL;
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
    for (size_t i = 0; i < tensor.n; i++)
        defaults = loops_widen(defaults, tensor.at[i]->tensor->format);
    return defaults;
}

/* A vector's format may be the name of a level type. */
static bool names_level(const struct context *cx, const char *spelling)
{
    size_t n = strcspn(spelling, " (:");
    return n > 1 && level_type_find(cx->levels, spelling, n);
}

static bool read_format(struct precompute *p, const char *spelling)
{
    int order = (int)p->triple.n;
    if (!spelling)
        spelling = order == 0                      ? "dense"
                   : order > 1                     ? "coo"
                   : names_level(p->cx, "bytemap") ? "bytemap"
                                                   : "dense";
    const char *full = order == 1 && names_level(p->cx, spelling)
                           ? arena_printf(p->cx->arena, "(i) -> (i : %s)", spelling)
                           : spelling;
    const struct format *format = format_parse(p->cx, p->name, full, order, defaults_of(p));
    if (!format)
        return false;
    struct format *copy = arena_copy(p->cx->arena, format, sizeof *format);
    copy->spelling = spelling;
    p->format = copy;
    return true;
}

bool precompute_read(struct precompute *p)
{
    const struct schedule_call *call = p->call;
    const char *format = NULL;
    if (call->arguments < 2)
        return loops_refuse(p->cx, p->program, call, -1,
                            "it takes an expression and the name of a workspace");
    p->name = call->argument[1];
    if (!loops_check_workspace(p->cx, p->program, call, 1) || !read_expression(p))
        return false;
    int i = 2;
    for (; i < call->arguments && call->argument[i][0] == '{'; i++)
        if (!read_triple(p, i))
            return false;
    if (p->triple.n > ORDER_MAX)
        return loops_refuse(p->cx, p->program, call, -1, "a workspace of more than %d modes",
                            ORDER_MAX);
    for (; i < call->arguments; i++) /* ss:1,0 */
        format = format ? arena_printf(p->cx->arena, "%s,%s", format, call->argument[i])
                        : call->argument[i];
    return read_format(p, format);
}
