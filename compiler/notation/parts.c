/* parts.c - turns statements with operands in parts into statements of the parts.
 *
 *     Y(i,r) = X(i,j,k) * B(j,r) * C(k,r)
 *     Y(i,r) = sum(j, k, X1(i,j,k) * B(j,r) * C(k,r)) + sum(j, k, X2(i,j,k) * B(j,r) * C(k,r))
 *
 * X is X1 + X2, and no component is in both.  So an expression e(X) of one component of X that is
 * 0 where X is 0 equals e(X1) + e(X2), for any e: a product, X * X, max(X, 0).  By the operators'
 * laws (op.def), sums, differences and products of such expressions with expressions without X are
 * sums over the parts, too.  Added expressions without X are terms of their own.  A factor that
 * stands outside of all their sums (normal.c) is applied to what the parts add up to.
 *
 * One part may store padding of its blocks where another has a component.  So stored(X) is
 * stored(X1) or stored(X2), not their sum.
 *
 * An operator without such a law, as exp(X) or a product of two components of X, keeps its
 * operands whole: each operand is a sum over the parts.  If such an operand is not summed over,
 * parts in different orders are merged, and the planner converts some of them; without a plan or a
 * schedule that is refused.
 *
 * A tensor that is stored several times is replaced by one of its copies.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/parts.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/notation/check.h"
#include "compiler/value/operator.h"

/* An expression as terms of one part each, combined by the operator, and a term without parts. */
struct split {
    const struct tin **part;
    const struct tin *rest;
    enum op op;
    bool disjoint; /* at most one part's term is not 0 */
    bool bare;     /* a part in it is not summed over */
    bool summed;   /* a part in it is */
};

static const struct tin *make1(struct parting *p, struct span span, enum op op, const struct tin *a)
{
    return tin_op(p->cx, span, op, &a, 1);
}

static const struct tin *make2(struct parting *p, struct span span, enum op op, const struct tin *a,
                               const struct tin *b)
{
    return tin_op(p->cx, span, op, (const struct tin *[]){a, b}, 2);
}

/* ---- splitting ---- */

/* Replaces the tensor by a part. */
static const struct tin *with_part(struct parting *p, const struct tin *e, int part)
{
    const struct tin *arg[3];
    if (!parts_reads(p, e))
        return e;
    if (e->kind == TIN_ACCESS)
        return tin_access(p->cx, e->span, p->part[part], e->index, e->indices);
    for (int i = 0; i < e->args; i++)
        arg[i] = with_part(p, e->arg[i], part);
    return tin_with_args(p->cx, e, arg);
}

static struct split new_split(struct parting *p, const struct tin *rest)
{
    return (struct split){.part = arena_array(p->cx->arena, const struct tin *, p->parts),
                          .rest = rest,
                          .op = OP_ADD,
                          .disjoint = true};
}

/* Are sums in one type sums in the other?  Sums of integers wrap around, unless at most one term is
 * not 0. */
static bool keeps_sums(const struct split *s, enum type from, enum type to)
{
    const bool one = s->disjoint && (!s->rest || !s->part[0]);
    return one || from == to || !(type_is_integer(from) || from == TYPE_BOOL);
}

static bool is_of_literals(const struct tin *e)
{
    bool is = e->kind == TIN_LITERAL || e->kind == TIN_OP;
    for (int i = 0; i < e->args && is; i++)
        is = is_of_literals(e->arg[i]);
    return is;
}

/* Returns a literal's own type, as parse_leaf.c reads it and types.c sees it. */
static enum type literal_type(struct value value)
{
    if (type_is_complex(value.type))
        return TYPE_C128;
    if (type_is_float(value.type))
        return TYPE_F64;
    bool wide = type_kind(value.type) == KIND_UINT && value.u > INT64_MAX;
    return wide ? TYPE_U64 : TYPE_I64;
}

/* Fixes the type of an expression of literals, which would take another type beside other operands.
 */
static const struct tin *in_type(struct parting *p, const struct tin *e, enum type type)
{
    struct value value;
    if (e && e->type != TYPE_BOOL && is_of_literals(e) && parts_constant(p, e, &value))
        e = tin_literal(p->cx, e->span, value_convert(value, literal_type(value)));
    else if (!e || e->type == type)
        return e;
    return make1(p, e->span, op_conversion(type), e);
}

static bool split_terms(struct parting *p, const struct tin *e, struct split *s);

/* Combines the terms of a sum's or difference's operands, if they have any; NULL if neither has. */
static const struct tin *combine(struct parting *p, const struct tin *e, const struct tin *a,
                                 const struct tin *b)
{
    if (a && b)
        return make2(p, e->span, e->op, in_type(p, a, e->arg[0]->type),
                     in_type(p, b, e->arg[1]->type));
    if (a || !b)
        return in_type(p, a, e->type);
    b = in_type(p, b, e->type);
    return e->op == OP_ADD ? b : make1(p, e->span, OP_NEG, b);
}

static bool split_sum(struct parting *p, const struct tin *e, struct split *s)
{
    struct split of[2];
    for (int i = 0; i < 2; i++)
        if (!split_terms(p, e->arg[i], &of[i]) || of[i].op != OP_ADD
            || !keeps_sums(&of[i], e->arg[i]->type, e->type))
            return false;
    /* stored(X) - 1 is 0, and no component, where X has one: the rest alone would be */
    if ((of[0].rest || of[1].rest) && parts_ask(p, e))
        return false;
    *s = new_split(p, combine(p, e, of[0].rest, of[1].rest));
    for (int k = 0; k < p->parts; k++)
        s->part[k] = combine(p, e, of[0].part[k], of[1].part[k]);
    bool one = !of[0].part[0] || !of[1].part[0];
    s->disjoint = one && of[0].disjoint && of[1].disjoint;
    s->bare = of[0].bare || of[1].bare;
    s->summed = of[0].summed || of[1].summed;
    return true;
}

/* Returns which operand contains the tensor, if only one does and the operator applies to each term
 * of a sum alike; else -1. */
static int passes(const struct parting *p, const struct tin *e)
{
    if (e->args == 1)
        return e->op == OP_NEG ? 0 : -1;
    bool left = e->args == 2 && parts_reads(p, e->arg[0]),
         right = e->args == 2 && parts_reads(p, e->arg[1]);
    /* a divisor may be 0 where a part stores nothing, and 0 / 0 is not 0 */
    if (left == right || e->op == OP_DIV)
        return -1;
    enum op_side side = left ? SIDE_LEFT : SIDE_RIGHT;
    enum type type[] = {e->arg[0]->type, e->arg[1]->type};
    if (op_is_user(e->op) && operator_compute_type(e->op, type) != e->type)
        return -1; /* its laws were tested in one type */
    return operator_distributes(p->cx, e->op, side, OP_ADD) ? (int)side : -1;
}

/* Replaces the operand on a side. */
static const struct tin *with_side(struct parting *p, const struct tin *e, int side,
                                   const struct tin *operand)
{
    const struct tin *arg[2] = {e->arg[0], e->args > 1 ? e->arg[1] : NULL};
    arg[side] = operand;
    return tin_with_args(p->cx, e, arg);
}

/* Is it a product, by this operator, of components that normal.c puts inside each part's sum? */
static bool is_taken_inside(const struct parting *p, enum op op, const struct tin *e,
                            const struct tin *sum)
{
    bool is = e->kind == TIN_LITERAL
              || (e->kind == TIN_ACCESS && e->tensor != p->result && !tin_is_sparse(e))
              || (e->kind == TIN_OP && e->op == op);
    for (int i = 0; i < e->indices && is; i++)
        is = tin_uses_var(sum, e->index[i]);
    for (int i = 0; i < e->args && is; i++)
        is = is_taken_inside(p, op, e->arg[i], sum);
    return is;
}

/* May the factor be applied to each part's sum?  A factor that stays outside of the sum makes
 * 0 * inf of a part that stores nothing there, so it is applied to the sum of all parts. */
static bool applies_to_parts(const struct parting *p, const struct tin *e, int side,
                             const struct split *of)
{
    const struct tin *sum = e->arg[side];
    return !of->summed || e->args == 1
           || (sum->type == e->type && is_taken_inside(p, e->op, e->arg[!side], sum));
}

static bool split_product(struct parting *p, const struct tin *e, struct split *s)
{
    struct split of;
    int side = passes(p, e);
    if (side < 0 || !split_terms(p, e->arg[side], &of) || of.op != OP_ADD
        || !keeps_sums(&of, e->arg[side]->type, e->type) || !applies_to_parts(p, e, side, &of))
        return false;
    const struct value zero = value_zero(e->arg[side]->type);
    if (!parts_are_zero_beside(p, with_side(p, e, side, tin_literal(p->cx, e->span, zero))))
        return false;
    *s = of;
    s->part = arena_array(p->cx->arena, const struct tin *, p->parts);
    for (int k = 0; k < p->parts; k++)
        s->part[k] = of.part[k] ? with_side(p, e, side, of.part[k]) : NULL;
    s->rest = of.rest ? with_side(p, e, side, of.rest) : NULL;
    return true;
}

/* Terms of different parts never meet, so any operator with identity 0 combines them. */
static bool reduces_terms(const struct parting *p, const struct tin *e, const struct split *of)
{
    struct value start;
    return e->op == OP_ADD
           || (of->disjoint && !of->rest
               && operator_identity(p->cx, e->op, SIDE_LEFT, e->type, &start)
               && value_is_zero(start));
}

static bool split_reduction(struct parting *p, const struct tin *e, struct split *s)
{
    struct split of;
    if (!split_terms(p, e->arg[0], &of) || of.op != OP_ADD || !reduces_terms(p, e, &of)
        || !keeps_sums(&of, e->arg[0]->type, e->type))
        return false;
    *s = new_split(p, of.rest ? tin_with_args(p->cx, e, &of.rest) : NULL);
    for (int k = 0; k < p->parts; k++)
        s->part[k] = of.part[k] ? tin_with_args(p->cx, e, &of.part[k]) : NULL;
    s->op = e->op;
    s->disjoint = false;
    s->summed = true;
    return true;
}

static bool is_sum(const struct tin *e)
{
    return e->kind == TIN_OP && (e->op == OP_ADD || (e->op == OP_SUB && e->type != TYPE_BOOL));
}

/* Splits into terms.  false if the expression is no such sum. */
static bool split_terms(struct parting *p, const struct tin *e, struct split *s)
{
    *s = new_split(p, e);
    if (!parts_reads(p, e))
        return true;
    s->disjoint = parts_are_disjoint(p, e);
    if (s->disjoint || tin_asks(e)) {
        s->op = s->disjoint ? OP_ADD : OP_OR;
        s->rest = NULL;
        s->bare = true;
        for (int k = 0; k < p->parts; k++)
            s->part[k] = with_part(p, e, k);
        return true;
    }
    if (e->kind == TIN_REDUCE)
        return split_reduction(p, e, s);
    if (e->kind != TIN_OP || e->op == OP_KEEP)
        return false;
    return is_sum(e) ? split_sum(p, e, s) : split_product(p, e, s);
}

/* Joins the terms, the one without parts first. */
static const struct tin *join_terms(struct parting *p, const struct tin *e, const struct split *s)
{
    const struct tin *all = s->rest;
    for (int k = 0; k < p->parts; k++) {
        const struct tin *term = s->part[k];
        bool negative = all && term && term->kind == TIN_OP && term->op == OP_NEG && s->op == OP_ADD
                        && term->type == term->arg[0]->type && term->type != TYPE_BOOL;
        if (negative)
            all = make2(p, e->span, OP_SUB, all, term->arg[0]);
        else if (term)
            all = all ? make2(p, e->span, s->op, all, term) : term;
    }
    return all;
}

/* Replaces the tensor by its parts in the expression.  `around` is the operator without a law
 * around it, or NULL. */
static const struct tin *without(struct parting *p, const struct tin *e, const struct tin *around)
{
    struct split s;
    const struct tin *arg[3];
    if (!parts_reads(p, e))
        return e;
    if (split_terms(p, e, &s)) {
        if (around && s.bare && !p->merging)
            p->merging = around;
        const struct tin *all = join_terms(p, e, &s);
        /* the operator around it takes what the operand was, not a sum that types.c widens */
        bool exact = type_is_integer(e->type) || e->type == TYPE_BOOL;
        return around && exact ? make1(p, e->span, op_conversion(e->type), all) : all;
    }
    for (int i = 0; i < e->args; i++)
        arg[i] = without(p, e->arg[i], is_sum(e) && !around ? NULL : e);
    return tin_with_args(p->cx, e, arg);
}

/* ---- the operands ---- */

/* Returns an unused name: X1, X2, ... */
static const char *name_part(struct parting *p, int part)
{
    const char *whole = p->whole->name, *end = "";
    const char *name;
    do {
        name = intern(p->cx, arena_printf(p->cx->arena, "%s%d%s", whole, part + 1, end));
        end = arena_printf(p->cx->arena, "%s_", end);
    } while (tin_uses_name(p->all, name));
    return name;
}

/* Notes what the declarations say of the part's levels. */
static void expect_levels(const struct parting *p, struct tensor_var *var)
{
    for (int i = 0; i < p->declared->n_expected; i++) {
        const struct tin_expected *e = &p->declared->expected[i];
        if (e->part != var->part + 1 || strcmp(e->name, p->whole->name) != 0)
            continue;
        var->positions = e->positions;
        var->longest = e->longest;
    }
}

static const struct tensor_var *new_part(struct parting *p, int part, int at)
{
    struct tensor_var *var = arena_copy(p->cx->arena, p->whole, sizeof *var);
    if (p->whole->parts->share != SHARE_ALL)
        var->name = name_part(p, part);
    var->format = p->whole->parts->part[part];
    var->parts = NULL;
    var->whole = p->whole;
    var->part = part;
    var->rank = p->whole->rank + at;
    expect_levels(p, var);
    return var;
}

static void take_parts(struct parting *p, const struct tensor_var *whole, int alternative)
{
    bool one = whole->parts->share == SHARE_ALL;
    p->whole = whole;
    p->merging = NULL;
    p->parts = one ? 1 : whole->parts->parts;
    p->part = arena_array(p->cx->arena, const struct tensor_var *, p->parts);
    for (int k = 0; k < p->parts; k++)
        p->part[k] = new_part(p, one ? alternative : k, k);
}

/* Returns a tensor in parts that the expression reads, NULL if there is none. */
static const struct tensor_var *find_whole(const struct tin *e)
{
    const struct tensor_var *whole = e->kind == TIN_ACCESS && e->tensor->parts ? e->tensor : NULL;
    for (int i = 0; i < e->args && !whole; i++)
        whole = find_whole(e->arg[i]);
    return whole;
}

/* ---- the statements ---- */

static const char *word_of(const struct context *cx, const struct tin *e)
{
    return e->op == OP_NONE ? "=" : operator_name(cx, e->op);
}

/* Returns where the operator is written. */
static struct span operator_span(const struct context *cx, const struct tin *e)
{
    struct span at = e->span;
    const char *word = word_of(cx, e), *text = at.source ? at.source->text : NULL;
    int begin = at.begin;
    if (!text || e->kind == TIN_ASSIGN)
        return at;
    if (e->args == 2 && e->kind == TIN_OP && op_syntax(e->op) == SYNTAX_INFIX)
        begin = e->arg[0]->span.end;
    const char *found = strstr(text + begin, word);
    if (!found || found >= text + at.end)
        return at;
    at.begin = (int)(found - text);
    at.end = at.begin + (int)strlen(word);
    return at;
}

void tin_refuse_merging(struct context *cx, const struct tin_parted *parted)
{
    struct diag *diag =
        diag_error(cx, DIAG_FORMAT, operator_span(cx, parted->merging),
                   "%s is in parts, which have to be put together here", parted->merged->name);
    diag_note(cx, diag, "%s of a sum is no sum of what it is of each part",
              word_of(cx, parted->merging));
    diag_help(cx, diag,
              "let the planner do it: without {no_plan} it converts parts that are stored "
              "in another order");
}

static void remark(const struct parting *p, struct text *said)
{
    const char *name = p->whole->name;
    if (p->whole->parts->share == SHARE_ALL) {
        text_printf(said, "  %s is stored in %d formats, of which number %d is read\n", name,
                    p->whole->parts->parts, p->part[0]->part + 1);
        return;
    }
    text_printf(said, "  %s is in %d part%s", name, p->parts, p->parts == 1 ? "" : "s");
    if (p->merging)
        text_printf(said, ", which are put together for %s: it is no sum of what it is of each",
                    word_of(p->cx, p->merging));
    text_add(said, "\n");
}

/* Chooses one of the formats of each tensor that is stored several times; each is a digit of the
 * number. */
static int choose(int *alternative, const struct tensor_var *whole)
{
    int n = whole->parts->parts, chosen = *alternative % n;
    if (whole->parts->share != SHARE_ALL)
        return 0;
    *alternative /= n;
    return chosen;
}

struct wholes {
    int n;
    const struct tensor_var *at[TIN_TENSORS_MAX];
};

static void add_stored_several(const struct tin *e, struct wholes *found)
{
    bool is_new = e->kind == TIN_ACCESS && e->tensor->parts && found->n < TIN_TENSORS_MAX
                  && e->tensor->parts->share == SHARE_ALL;
    for (int i = 0; i < found->n && is_new; i++)
        is_new = found->at[i] != e->tensor;
    if (is_new)
        found->at[found->n++] = e->tensor;
    for (int i = 0; i < e->args; i++)
        add_stored_several(e->arg[i], found);
}

int tin_alternatives(struct context *cx, const struct tin *all)
{
    struct wholes *found = arena_make(cx->arena, struct wholes);
    int n = 1;
    add_stored_several(all, found);
    for (int i = 0; i < found->n && n < TIN_ALTERNATIVES_MAX; i++)
        n *= found->at[i]->parts->parts;
    return n < TIN_ALTERNATIVES_MAX ? n : TIN_ALTERNATIVES_MAX;
}

/* Makes the statement of the parts, with sums typed as if the user had written them. */
static const struct tin *part_statement(struct parting *p, const struct tin *statement)
{
    p->result = statement->arg[0]->tensor;
    const struct tin *value = without(p, statement->arg[1], NULL);
    const struct tin *typed =
        tin_type(p->cx, statement->span, statement->op, statement->arg[0], value);
    if (!typed)
        context_bug(p->cx, "a statement of parts has no type");
    return typed;
}

const struct tin *tin_part(struct context *cx, const struct tin *all,
                           const struct tin_declarations *declared, int alternative,
                           struct tin_parted *parted)
{
    struct text said = text_new(cx->arena);
    struct parting p = {.cx = cx, .all = all, .declared = declared};
    int n = tin_statements(all);
    const struct tin **one = arena_array(cx->arena, const struct tin *, n);
    if (find_whole(all)) /* what does not depend on a sum is outside of it */
        p.all = all = tin_normal(cx, all);
    for (const struct tensor_var *whole; (whole = find_whole(all)); all = tin_multi(cx, one, n)) {
        take_parts(&p, whole, choose(&alternative, whole));
        for (int s = 0; s < n; s++)
            one[s] = part_statement(&p, tin_statement(all, s));
        if (p.merging) {
            parted->merging = p.merging;
            parted->merged = whole;
        }
        remark(&p, &said);
    }
    parted->said = said.at;
    return all;
}
