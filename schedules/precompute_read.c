/* precompute_read.c - the arguments of precompute: the expression, the loops, the workspace.
 *
 * The expression is found by its text.  Its names are those of the statement, in which all
 * variables differ.  It may also be some factors of a product, in any order; these are brought
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

struct expression_search {
    const struct tin *text; /* NULL: the call has the expression itself */
    const struct cin *itself;
    bool now; /* with the names of variables now */
    const struct cin *e, *assign;
};

/* Is it the sought expression, or that with a conversion around it? */
static bool is_sought(const struct expression_search *s, const struct cin *e)
{
    while (!s->text && e != s->itself && e->kind == CIN_OP && op_converts(e->op))
        e = e->arg[0];
    return s->text ? loops_says(s->text, e, s->now) : e == s->itself;
}

static bool find_in_value(const struct cin *cin, void *data)
{
    struct expression_search *s = data;
    if (!is_sought(s, cin))
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

/* ---- some factors of a product ---- */

/* Searches for one of the sought expression's two operands. */
static struct expression_search operand_search(const struct expression_search *of, int arg)
{
    struct expression_search operand = {.now = of->now};
    if (of->text)
        operand.text = of->text->arg[arg];
    else
        operand.itself = of->itself->arg[arg];
    return operand;
}

static bool seeks_op(const struct expression_search *s, enum op op)
{
    return s->text ? s->text->kind == TIN_OP && s->text->op == op
                   : s->itself->kind == CIN_OP && s->itself->op == op;
}

/* Takes the sought factors out of the list and multiplies them.  NULL if one is missing. */
static const struct cin *take_factors(struct context *cx, const struct expression_search *search,
                                      enum op op, struct cin_list *factors)
{
    if (seeks_op(search, op)) {
        struct expression_search left = operand_search(search, 0),
                                 right = operand_search(search, 1);
        const struct cin *arg[2];
        arg[0] = take_factors(cx, &left, op, factors);
        arg[1] = arg[0] ? take_factors(cx, &right, op, factors) : NULL;
        return arg[1] ? cin_op(cx, op, arg, 2) : NULL;
    }
    for (size_t i = 0; i < factors->n; i++) {
        const struct cin *factor = factors->at[i];
        if (!factor || !is_sought(search, factor))
            continue;
        factors->at[i] = NULL;
        return factor;
    }
    return NULL;
}

/* Reorders the chain so that the sought factors come first, grouped as *e.  NULL if it lacks one.
 */
static const struct cin *group_factors(struct context *cx, const struct expression_search *search,
                                       const struct cin *chain, const struct cin **e)
{
    struct cin_list factors = cin_chain(cx, chain, chain->op, NULL);
    for (size_t i = 0; i < factors.n; i++)
        if (factors.at[i]->type != chain->type)
            return NULL;
    const struct cin *all = *e = take_factors(cx, search, chain->op, &factors);
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
    if (cin->kind != CIN_OP || !seeks_op(s->search, cin->op))
        return false;
    s->chain = cin;
    s->grouped = group_factors(s->cx, s->search, cin, &s->search->e);
    return s->grouped;
}

/* Brings separate factors together if the operator is associative and commutative. */
static bool regroup(struct precompute *p, struct expression_search *search)
{
    const struct tin *text = search->text;
    const struct cin *e = search->itself;
    struct cin_list made = cin_assignments(p->cx, p->program->statement);
    bool is_op = text ? text->kind == TIN_OP && text->args == 2 : e->kind == CIN_OP && e->args == 2;
    enum op op = is_op ? (text ? text->op : e->op) : OP_NONE;
    if (!is_op || !op_associative(op) || !op_commutative(op))
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

/* Reads which expression the call names.  false after a diagnostic. */
static bool read_search(struct precompute *p, struct expression_search *search)
{
    const struct schedule_argument *said = &p->call->argument[0];
    if (said->kind == ARGUMENT_EXPRESSION) {
        search->itself = said->e;
        return true;
    }
    search->text = tin_parse_expression(p->cx, said->text, said->span);
    return search->text;
}

static bool read_expression(struct precompute *p)
{
    struct expression_search search = {0};
    bool found = false;
    if (!read_search(p, &search))
        return false;
    for (int now = 1; now >= 0 && !found; now--) {
        search.now = now;
        found = cin_any(p->program->statement, find_in_assignment, &search) || regroup(p, &search);
    }
    if (!found)
        return loops_refuse_expression(
            p->cx, p->program, p->call, search.text,
            arena_printf(p->cx->arena, "%s is not part of an assigned expression",
                         search.text ? p->call->argument[0].text : "it"));
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

/* Finds the innermost statement around the expression. */
static bool find_around(const struct cin *cin, void *data)
{
    struct loop_search *s = data;
    if (cin->kind == CIN_FORALL && cin_contains(cin, s->p->assign)
        && loops_is_called(cin->index[0], s->name, strlen(s->name), s->now))
        s->found = cin;
    return false;
}

/* Returns the loop of this name around the expression; or else the loop that runs in its place
 * there, as in the producer of an earlier workspace; or else another loop of the name.  NULL if
 * there is none. */
static const struct cin *find_loop(const struct precompute *p, const char *name)
{
    struct loop_search s = {.p = p, .name = name};
    for (int now = 1; now >= 0 && !s.found; now--) {
        s.now = now;
        cin_any(p->program->statement, find_around, &s);
    }
    return s.found ? s.found : loops_named(p->program, name);
}

/* Returns the variable in the loop's place in the consumer or producer: itself, or a new one like
 * it. */
static const struct index_var *bind_triple(struct precompute *p, const struct index_var *var,
                                           const char *loop, const char *name, int argument)
{
    if (name == var->name || name == loop)
        return var;
    if (is_used(p, name))
        return loops_refuse(p->cx, p->program, p->call, argument, "%s is in use", name);
    return loops_like_var(p->cx, name, var);
}

/* Reads the names in {i,ic,ip}. false after a diagnostic. */
static bool read_names(struct precompute *p, int argument, const char *name[3])
{
    const char *text = p->call->argument[argument].text, *s = text + 1;
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
    return true;
}

/* Returns the triple's loop variable, and its names in the consumer and the producer.  NULL after a
 * diagnostic. */
static const struct index_var *read_loop(struct precompute *p, int argument, const char *name[3])
{
    const struct schedule_argument *said = &p->call->argument[argument];
    if (said->kind == ARGUMENT_TRIPLE) {
        name[0] = name[1] = said->loop->name;
        name[2] = said->text;
        return said->loop;
    }
    if (!read_names(p, argument, name))
        return NULL;
    const struct cin *loop = find_loop(p, name[0]);
    if (!loop)
        loops_refuse(p->cx, p->program, p->call, argument, "there is no loop over %s", name[0]);
    return loop ? loop->index[0] : NULL;
}

static bool read_triple(struct precompute *p, int argument)
{
    const char *name[3];
    const struct index_var *var = read_loop(p, argument, name);
    if (!var)
        return false;
    if (name[1] == name[2])
        return loops_refuse(p->cx, p->program, p->call, argument,
                            "the consumer's loop and the producer's need different names");
    for (size_t i = 0; i < p->triple.n; i++)
        if (p->triple.at[i].var == var)
            return loops_refuse(p->cx, p->program, p->call, argument, "%s is named twice", name[0]);
    if (!precompute_check_parts(p, var, argument))
        return false;
    struct triple triple = {.var = var};
    triple.consumer = bind_triple(p, var, name[0], name[1], argument);
    triple.producer = triple.consumer ? bind_triple(p, var, name[0], name[2], argument) : NULL;
    if (!triple.producer)
        return false;
    vec_push(p->cx->arena, &p->triple, triple);
    return true;
}

/* Returns the widest types of the tensors' positions and coordinates, at least i32. */
static struct format_defaults defaults_of(struct precompute *p)
{
    struct format_defaults defaults = {TYPE_I32, TYPE_I32};
    struct cin_list tensor = cin_operands(p->cx, p->program->statement);
    vec_push(p->cx->arena, &tensor, p->assign->arg[0]);
    for (size_t i = 0; i < tensor.n; i++)
        defaults = loops_widen(defaults, tensor.at[i]->tensor->format);
    return defaults;
}

/* Reads a vector's format, for which the name of a level type can stand. */
static bool names_level(const struct context *cx, const char *spelling)
{
    size_t n = strcspn(spelling, " (:");
    return n > 1 && level_type_find(cx->levels, spelling, n);
}

/* Parses the format.  false after a diagnostic. */
static bool parse_format(struct precompute *p, const char *spelling)
{
    int order = (int)p->triple.n;
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

static const struct format *usual_format(struct precompute *p)
{
    int order = (int)p->triple.n;
    bool array = order == 0 || p->place == TENSOR_REGISTER || p->place == TENSOR_SHARED;
    return array        ? format_dense(p->cx, order, defaults_of(p))
           : order == 1 ? format_listed(p->cx, LEVEL_ORDERED, defaults_of(p))
                        : format_list(p->cx, order, defaults_of(p));
}

/* Reads the format in the arguments from this one up to `past`. false after a diagnostic. */
static bool read_format(struct precompute *p, int argument, int past)
{
    const struct schedule_call *call = p->call;
    const char *spelling = NULL;
    if (argument < past && call->argument[argument].kind == ARGUMENT_FORMAT) {
        p->format = format_with(p->cx, call->argument[argument].format, defaults_of(p));
        return true;
    }
    for (int i = argument; i < past; i++) /* ss:1,0 */
        spelling = spelling ? arena_printf(p->cx->arena, "%s,%s", spelling, call->argument[i].text)
                            : call->argument[i].text;
    if (!spelling)
        p->format = usual_format(p);
    return !spelling || parse_format(p, spelling);
}

static bool is_triple(const struct schedule_argument *argument)
{
    return argument->kind == ARGUMENT_TRIPLE
           || (argument->kind == ARGUMENT_WORDS && argument->text[0] == '{');
}

bool precompute_read(struct precompute *p)
{
    const struct schedule_call *call = p->call;
    if (call->arguments < 2)
        return loops_refuse(p->cx, p->program, call, -1,
                            "it takes an expression and the name of a workspace");
    p->name = call->argument[1].text;
    if (!loops_check_workspace(p->cx, p->program, call, 1) || !read_expression(p))
        return false;
    int i = 2;
    for (; i < call->arguments && is_triple(&call->argument[i]); i++)
        if (!read_triple(p, i))
            return false;
    if (p->triple.n > ORDER_MAX)
        return loops_refuse(p->cx, p->program, call, -1, "a workspace of more than %d modes",
                            ORDER_MAX);
    int past = call->arguments;
    return precompute_read_place(p, i, &past) && read_format(p, i, past);
}
