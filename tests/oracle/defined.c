/* defined.c - operators such as users define.
 *
 * What is declared of them is true of numbers.  Where it is not of infinities and NaN, as in x > y
 * ? x : y, which is y if one of the two is NaN, the value is unknown: the compiler goes by the
 * laws.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/oracle/defined.h"

#include <math.h>
#include <string.h>

/* ---- bodies ---- */

static struct number two(enum op op, struct number a, struct number b)
{
    struct number pair[2] = {a, b};
    return number_apply(op, pair);
}

static struct number pick(struct number condition, struct number a, struct number b)
{
    struct number all[3] = {condition, a, b};
    return number_apply(OP_SELECT, all);
}

/* An integer, as it is understood beside a number of a type. */
static struct number whole(int n, struct number beside)
{
    return number_int(beside.type == TYPE_BOOL ? TYPE_I64 : beside.type, n);
}

/* As it is compared: integers and truth values with 64 bits. */
static struct number compared(struct number a)
{
    bool widens = type_kind(a.type) <= KIND_UINT && a.type != TYPE_U64;
    return widens ? number_convert(a, TYPE_I64) : a;
}

static struct number is_zero(struct number a) { return two(OP_EQ, a, whole(0, a)); }

static struct number is_not_zero(struct number a) { return two(OP_NE, a, whole(0, a)); }

static struct number larger(const struct number *x)
{
    return pick(two(OP_GT, x[0], x[1]), x[0], x[1]);
}

static struct number smaller(const struct number *x) { return two(OP_MIN, x[0], x[1]); }

static struct number plus(const struct number *x) { return two(OP_ADD, x[0], x[1]); }

static struct number times(const struct number *x) { return two(OP_MUL, x[1], x[0]); }

static struct number flags(const struct number *x) { return two(OP_OR, x[0], x[1]); }

static struct number parity(const struct number *x) { return two(OP_XOR, x[0], x[1]); }

/* The larger of those that are not 0. */
static struct number join(const struct number *x)
{
    return pick(is_zero(x[0]), x[1], pick(is_zero(x[1]), x[0], larger(x)));
}

/* The smaller of the two, or 0 if one is. */
static struct number meet(const struct number *x)
{
    struct number one_is_zero = two(OP_OR, is_zero(x[0]), is_zero(x[1]));
    return pick(one_is_zero, whole(0, x[0]), pick(two(OP_LT, x[0], x[1]), x[0], x[1]));
}

static struct number either(const struct number *x)
{
    return two(OP_OR, is_not_zero(x[0]), is_not_zero(x[1]));
}

static struct number unless(const struct number *x)
{
    struct number second = is_not_zero(x[1]);
    return two(OP_AND, is_not_zero(x[0]), number_apply(OP_NOT, &second));
}

static struct number apart(const struct number *x)
{
    return pick(two(OP_GT, x[0], x[1]), two(OP_SUB, x[0], x[1]), two(OP_SUB, x[1], x[0]));
}

static struct number mean(const struct number *x)
{
    struct number sum = two(OP_ADD, x[0], x[1]);
    return two(OP_DIV, sum, whole(2, sum));
}

static struct number blend(const struct number *x)
{
    return pick(is_zero(x[0]), x[1], pick(is_zero(x[1]), x[0], mean(x)));
}

static struct number capped(const struct number *x)
{
    struct number sum = two(OP_ADD, x[0], x[1]);
    struct number wide = two(OP_ADD, compared(x[0]), compared(x[1]));
    return pick(two(OP_GT, wide, whole(100, wide)), whole(100, sum), sum);
}

static struct number cyclic(const struct number *x)
{
    struct number sum = two(OP_ADD, x[0], x[1]);
    return two(OP_MOD, sum, whole(7, sum));
}

static struct number first(const struct number *x) { return x[0]; }

static struct number farther(const struct number *x)
{
    struct number wide[2] = {compared(x[0]), compared(x[1])};
    struct number a = number_apply(OP_ABS, &wide[0]), b = number_apply(OP_ABS, &wide[1]);
    return pick(two(OP_GT, a, b), x[0], x[1]);
}

static struct number square(const struct number *x) { return two(OP_MUL, x[0], x[0]); }

static struct number squares(const struct number *x)
{
    return two(OP_ADD, square(&x[0]), square(&x[1]));
}

static struct number polynomial(const struct number *x)
{
    struct number power = square(x);
    return two(OP_ADD, power, whole(1, power));
}

static struct number positive(const struct number *x)
{
    return pick(two(OP_GT, x[0], whole(0, x[0])), x[0], whole(0, x[0]));
}

static struct number opposite(const struct number *x)
{
    struct number truth = is_not_zero(x[0]);
    return number_apply(OP_NOT, &truth);
}

static struct number clamp(const struct number *x)
{
    return pick(two(OP_LT, x[0], x[1]), x[1], pick(two(OP_GT, x[0], x[2]), x[2], x[0]));
}

static struct number multiply_add(const struct number *x)
{
    return two(OP_ADD, two(OP_MUL, x[0], x[1]), x[2]);
}

static struct number chosen(const struct number *x) { return pick(is_not_zero(x[0]), x[1], x[2]); }

/* ---- the table ---- */

enum {
    BITS = 1 << KIND_BOOL | 1 << KIND_INT | 1 << KIND_UINT,
    REALS = BITS | 1 << KIND_FLOAT,
    ALL = REALS | 1 << KIND_COMPLEX,
    NUMBERS = ALL & ~(1 << KIND_BOOL)
};

static const struct defined table[] = {
    {"larger", "larger(x,y) = x > y ? x : y; commutative, associative, idempotent, identity=-inf",
     2, REALS, true, true, true, DEFINED_LOWEST, DEFINED_NOTHING, 0, OP_NONE, NULL, larger},
    {"smaller",
     "smaller(a,b) = fmin(a, b); idempotent, associative, commutative; identity=inf, "
     "annihilator=-inf, distributes over max",
     2, REALS, true, true, true, DEFINED_HIGHEST, DEFINED_LOWEST, 0, OP_MIN, NULL, smaller},
    {"plus", "plus(x,y) = x + y; commutative, associative, identity=0", 2, ALL, true, true, false,
     DEFINED_ZERO, DEFINED_NOTHING, 0, OP_ADD, NULL, plus},
    {"times",
     "times(x,y) = y * x; commutative, associative, identity=1, annihilator=0, distributes over +",
     2, ALL, true, true, false, DEFINED_ONE, DEFINED_ZERO, 0, OP_MUL, NULL, times},
    {"flags",
     "flags(x,y) = or(x, y); commutative, associative, idempotent, identity=0, annihilator=-1", 2,
     BITS, true, true, true, DEFINED_ZERO, DEFINED_ONES, 0, OP_NONE, NULL, flags},
    {"parity", "parity(x,y) = xor(x, y); commutative, associative, identity=0", 2, BITS, true, true,
     false, DEFINED_ZERO, DEFINED_NOTHING, 0, OP_NONE, NULL, parity},
    {"join",
     "join(x,y) = x == 0 ? y : y == 0 ? x : x > y ? x : y; commutative, associative, idempotent, "
     "identity=0",
     2, REALS, true, true, true, DEFINED_ZERO, DEFINED_NOTHING, 0, OP_NONE, NULL, join},
    {"meet",
     "meet(x,y) = x == 0 || y == 0 ? 0 : x < y ? x : y; commutative, associative, annihilator=0", 2,
     REALS, true, true, false, DEFINED_NOTHING, DEFINED_ZERO, 0, OP_NONE, NULL, meet},
    {"either", "either(x,y) = x || y; commutative, associative, annihilator=true", 2, ALL, true,
     true, false, DEFINED_NOTHING, DEFINED_ONE, 0, OP_NONE, NULL, either},
    {"unless", "unless(x,y) = x && !y", 2, ALL, false, false, false, DEFINED_NOTHING,
     DEFINED_NOTHING, ALL, OP_NONE, NULL, unless},
    {"apart", "apart(x,y) = x > y ? x - y : y - x; commutative", 2, REALS, false, true, false,
     DEFINED_NOTHING, DEFINED_NOTHING, 0, OP_NONE, NULL, apart},
    {"mean", "mean(x,y) = (x + y) / 2; commutative", 2, ALL, false, true, false, DEFINED_NOTHING,
     DEFINED_NOTHING, 0, OP_NONE, NULL, mean},
    {"blend", "blend(x,y) = x == 0 ? y : y == 0 ? x : (x + y) / 2; commutative, identity=0", 2, ALL,
     false, true, false, DEFINED_ZERO, DEFINED_NOTHING, 0, OP_NONE, NULL, blend},
    {"capped", "capped(x,y) = x + y > 100 ? 100 : x + y; commutative", 2, REALS, false, true, false,
     DEFINED_NOTHING, DEFINED_NOTHING, 0, OP_NONE, NULL, capped},
    {"cyclic", "cyclic(x,y) = (x + y) % 7; commutative", 2, REALS, false, true, false,
     DEFINED_NOTHING, DEFINED_NOTHING, 0, OP_NONE, NULL, cyclic},
    {"first", "first(x,y) = x; associative, idempotent", 2, ALL, true, false, true, DEFINED_NOTHING,
     DEFINED_NOTHING, ALL, OP_NONE, NULL, first},
    {"farther", "farther(x,y) = fabs(x) > fabs(y) ? x : y; associative", 2, ALL, true, false, false,
     DEFINED_NOTHING, DEFINED_NOTHING, 0, OP_NONE, NULL, farther},
    {"square", "square(x) = x * x", 1, ALL, false, false, false, DEFINED_NOTHING, DEFINED_NOTHING,
     0, OP_NONE, NULL, square},
    {"squares", "squares(x,y) = square(x) + square(y); commutative", 2, ALL, false, true, false,
     DEFINED_NOTHING, DEFINED_NOTHING, 0, OP_NONE, "square", squares},
    {"polynomial", "polynomial(x) = x * x + 1", 1, ALL, false, false, false, DEFINED_NOTHING,
     DEFINED_NOTHING, 0, OP_NONE, NULL, polynomial},
    {"positive", "positive(x) = x > 0 ? x : 0", 1, REALS, false, false, false, DEFINED_NOTHING,
     DEFINED_NOTHING, 0, OP_NONE, NULL, positive},
    {"opposite", "opposite(x) = !x", 1, ALL, false, false, false, DEFINED_NOTHING, DEFINED_NOTHING,
     0, OP_NONE, NULL, opposite},
    {"clamp", "clamp(x,low,high) = x < low ? low : x > high ? high : x", 3, REALS, false, false,
     false, DEFINED_NOTHING, DEFINED_NOTHING, 0, OP_NONE, NULL, clamp},
    {"multiply_add", "multiply_add(x,y,z) = x * y + z", 3, ALL, false, false, false,
     DEFINED_NOTHING, DEFINED_NOTHING, NUMBERS, OP_NONE, NULL, multiply_add},
    {"chosen", "chosen(x,y,z) = x ? y : z", 3, ALL, false, false, false, DEFINED_NOTHING,
     DEFINED_NOTHING, ALL, OP_NONE, NULL, chosen},
};

bool defined_operator(int k, enum op *op)
{
    if (k >= (int)(sizeof table / sizeof *table))
        return false;
    *op = op_of_user(k, table[k].arity, table[k].associative, table[k].commutative,
                     table[k].idempotent);
    return true;
}

const struct defined *defined_of(enum op op) { return &table[op_user_number(op)]; }

bool defined_named(const char *name, enum op *op)
{
    for (int k = 0; defined_operator(k, op); k++)
        if (strcmp(table[k].name, name) == 0)
            return true;
    return false;
}

bool defined_as(const char *text, enum op *op)
{
    for (int k = 0; defined_operator(k, op); k++)
        if (strcmp(table[k].text, text) == 0)
            return true;
    return false;
}

bool defined_reduces(enum op op)
{
    const struct defined *d = defined_of(op);
    return d->associative && d->commutative && d->identity != DEFINED_NOTHING;
}

/* ---- types ---- */

static bool is_of(unsigned kinds, enum type type) { return (kinds >> type_kind(type) & 1) != 0; }

bool defined_result(enum op op, enum type type, enum type *result)
{
    struct number one = number_int(type, 1), operand[3] = {one, one, one};
    if (!is_of(defined_of(op)->kinds, type))
        return false;
    *result = defined_of(op)->value(operand).type;
    return true;
}

/* ---- laws ---- */

static bool constant_of(enum defined_constant constant, enum type type, struct number *value)
{
    switch (constant) {
    case DEFINED_NOTHING: return false;
    case DEFINED_ZERO: *value = number_int(type, 0); return true;
    case DEFINED_ONE: *value = number_int(type, 1); return true;
    case DEFINED_ONES: *value = number_int(type, -1); return type_kind(type) == KIND_INT;
    case DEFINED_LOWEST: *value = number_identity(OP_MAX, type); return true;
    case DEFINED_HIGHEST: *value = number_identity(OP_MIN, type); return true;
    }
    return false;
}

struct number defined_identity(enum op op, enum type type)
{
    struct number identity = number_unknown(type);
    constant_of(defined_of(op)->identity, type, &identity);
    return identity;
}

bool defined_absorbs(enum op op, const struct number *a, struct number *result)
{
    enum type type;
    struct number annihilator;
    bool absorbs = constant_of(defined_of(op)->annihilator, a->type, &annihilator)
                   && number_same(a, &annihilator);
    if (absorbs && defined_result(op, a->type, &type))
        *result = number_convert(*a, type);
    return absorbs;
}

/* ---- values ---- */

static bool is_finite(const struct number *a)
{
    return type_is_integer(a->type) || a->type == TYPE_BOOL || (isfinite(a->re) && isfinite(a->im));
}

/* Of two operands one of which is not finite: do the laws say something else? */
static bool is_torn(const struct defined *d, const struct number *x, const struct number *value)
{
    struct number swapped[2] = {x[1], x[0]}, other = d->value(swapped), constant;
    bool torn = d->commutative && !number_same(&other, value);
    for (int side = 0; side < 2; side++) {
        struct number kept = number_convert(x[!side], value->type),
                      absorbed = number_convert(x[side], value->type);
        if (constant_of(d->identity, x[0].type, &constant) && number_same(&x[side], &constant))
            torn |= !number_same(&kept, value);
        if (constant_of(d->annihilator, x[0].type, &constant) && number_same(&x[side], &constant))
            torn |= !number_same(&absorbed, value);
    }
    return torn;
}

struct number defined_apply(enum op op, const struct number *operand)
{
    const struct defined *d = defined_of(op);
    struct number value = d->value(operand);
    bool finite = d->arity != 2 || (is_finite(&operand[0]) && is_finite(&operand[1]));
    if (!value.unknown && !finite && is_torn(d, operand, &value))
        value.unknown = true;
    return value;
}

/* ---- of operands that are not all known ---- */

enum fold_state { NONE_YET, ONE_VALUE, SEVERAL_VALUES, NOT_CERTAIN };

struct folding {
    enum op op;
    enum type computed;
    const bool *known;
    const enum type *types;
    struct number operand[3]; /* of type computed */
    enum fold_state state;
    struct number value;
};

static void note(struct folding *f, const struct number *value)
{
    if (value->unknown || value->error > 0)
        f->state = f->state == SEVERAL_VALUES ? SEVERAL_VALUES : NOT_CERTAIN;
    else if (f->state != NONE_YET && !f->value.unknown && !number_same(&f->value, value))
        f->state = SEVERAL_VALUES;
    else if (f->state == NONE_YET)
        f->state = ONE_VALUE;
    f->value = *value;
}

/* With every number of a few for each operand from this one on that is not known. */
static void try_all(struct folding *f, int at)
{
    static const int numbers[] = {1, 0, 2, 5, 100, -1, -3};
    if (at == op_arity(f->op)) {
        struct number value = defined_apply(f->op, f->operand);
        note(f, &value);
        return;
    }
    if (f->known[at]) {
        try_all(f, at + 1);
        return;
    }
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++) {
        bool fits =
            numbers[i] >= 0 || (type_kind(f->types[at]) != KIND_UINT && f->types[at] != TYPE_BOOL);
        struct number tried = number_int(f->types[at], numbers[i]);
        f->operand[at] = number_convert(tried, f->computed);
        if (fits)
            try_all(f, at + 1);
    }
}

enum defined_fold defined_folds(enum op op, const struct number *operand, const bool *known,
                                const enum type *types, struct number *value)
{
    struct folding f = {
        .op = op, .computed = number_computed(op, types), .known = known, .types = types};
    bool plain = true;
    for (int i = 0; i < op_arity(op); i++) {
        if (known[i])
            f.operand[i] = number_convert(operand[i], f.computed);
        else
            plain &= types[i] == f.computed;
    }
    try_all(&f, 0);
    *value = f.value;
    if (f.state == SEVERAL_VALUES)
        return DEFINED_NEVER;
    return f.state == ONE_VALUE && plain && is_of(defined_of(op)->folds, f.computed)
               ? DEFINED_ALWAYS
               : DEFINED_MAYBE;
}
