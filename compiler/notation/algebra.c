/* algebra.c - checks that a user's operator has the laws with which it is declared.
 *
 * All pairs and triples of some notable values and some random ones (from a fixed seed) are tried.
 * Small values come first, so a counterexample is easy to follow.  As everywhere, floating-point
 * values may be combined in another order than written: laws hold up to rounding.  Nothing is
 * compared if the result is NaN or overflows, or if large numbers may cancel.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/operator.h"

#include <float.h>
#include <math.h>

enum { VALUES_MAX = 32, RANDOM_VALUES = 8, TEXT_MAX = 64 };

/* Larger finite values may overflow on the way. */
static const double LARGE = 100;

struct trial {
    struct context *cx;
    const struct user_op *user;
    enum type type;
    struct value value[VALUES_MAX];
    int values;
    struct value pair[VALUES_MAX][VALUES_MAX]; /* f(value[i], value[j]) */
};

/* ---- values ---- */

static void add_value(struct trial *t, struct value v)
{
    for (int i = 0; i < t->values; i++)
        if (value_equal(t->value[i], v))
            return;
    if (t->values < VALUES_MAX)
        t->value[t->values++] = v;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static void add_extremes(struct trial *t)
{
    double largest = t->type == TYPE_F32 ? FLT_MAX : DBL_MAX;
    if (type_is_complex(t->type)) {
        add_value(t, value_complex(t->type, 0, 1));
        add_value(t, value_complex(t->type, -1, 2));
        return;
    }
    add_value(t, value_highest(t->type));
    add_value(t, value_lowest(t->type));
    if (type_is_float(t->type)) {
        add_value(t, value_real(t->type, largest));
        add_value(t, value_real(t->type, -largest));
    }
}

static void add_values(struct trial *t)
{
    static const int64_t small[] = {1, 2, 3, 0, -1, -2, 5, 7, -10};
    struct value declared;
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (small[i] >= 0 || (type_kind(t->type) != KIND_UINT && type_kind(t->type) != KIND_BOOL))
            add_value(t, value_int(t->type, small[i]));
    add_extremes(t);
    if (t->user->has_identity && operator_constant(t->user->identity, t->type, &declared))
        add_value(t, declared);
    if (t->user->has_annihilator && operator_constant(t->user->annihilator, t->type, &declared))
        add_value(t, declared);
    for (int i = 0; i < RANDOM_VALUES; i++) {
        double re = (double)next_random(&state) / 0x1p31 * 20 - 10,
               im = (double)next_random(&state) / 0x1p31 * 20 - 10;
        add_value(t, type_is_complex(t->type) ? value_complex(t->type, re, im)
                     : type_is_float(t->type)
                         ? value_real(t->type, re)
                         : value_int(t->type,
                                     (int64_t)(next_random(&state) << 32 ^ next_random(&state))));
    }
}

/* ---- comparisons ---- */

static double magnitude(struct value v)
{
    return type_is_complex(v.type) ? hypot(v.c.re, v.c.im) : fabs(value_double(v));
}

static bool is_inexact(enum type type) { return type_is_float(type) || type_is_complex(type); }

/* Combines as a reduction does: in the type of the operands. */
static struct value combine(const struct trial *t, enum op op, struct value a, struct value b)
{
    return value_convert(operator_fold(t->cx, op, (struct value[]){a, b}), t->type);
}

static struct value apply(const struct trial *t, struct value a, struct value b)
{
    return combine(t, t->user->op, a, b);
}

static void apply_to_pairs(struct trial *t)
{
    for (int i = 0; i < t->values; i++)
        for (int j = 0; j < t->values; j++)
            t->pair[i][j] = apply(t, t->value[i], t->value[j]);
}

/* Returns the largest finite magnitude, by which rounding is judged; 0 for exact types. */
static double scale_of(const struct value *v, int n)
{
    double scale = 0;
    for (int i = 0; i < n && is_inexact(v->type); i++)
        if (isfinite(magnitude(v[i])))
            scale = fmax(scale, magnitude(v[i]));
    return scale;
}

/* Is the result no basis for a comparison: is it NaN, or infinite because it is too large? */
static bool is_lost(struct value result, const struct value *operand, int operands)
{
    bool is_given = false, is_large = false;
    if (!is_inexact(result.type) || isfinite(magnitude(result)))
        return false;
    for (int i = 0; i < operands; i++) {
        is_given |= isinf(magnitude(operand[i]));
        is_large |= magnitude(operand[i]) > LARGE && isfinite(magnitude(operand[i]));
    }
    return isnan(magnitude(result)) || !is_given || is_large;
}

/* Are they equal but for rounding among numbers of this scale? */
static bool is_close(struct value a, struct value b, double scale)
{
    if (!is_inexact(a.type) || value_equal(a, b))
        return value_equal(a, b);
    double relative = a.type == TYPE_F32 || a.type == TYPE_C64 ? 1e-4 : 1e-9;
    double difference =
        type_is_complex(a.type) ? hypot(a.c.re - b.c.re, a.c.im - b.c.im) : fabs(a.f - b.f);
    scale = fmax(scale, fmax(magnitude(a), magnitude(b)));
    return isfinite(difference) && difference <= relative * scale;
}

/* ---- counterexamples ---- */

static const char *print(const struct trial *t, struct value v)
{
    char *text = arena_alloc(t->cx->arena, TEXT_MAX);
    value_print(v, text, TEXT_MAX);
    return text;
}

static void refuse_at(const struct trial *t, struct span law, const char *said, const char *found)
{
    struct diag *diag =
        diag_error(t->cx, DIAG_ALGEBRA, law, "%s %s: %s", t->user->name, said, found);
    diag_note(t->cx, diag, "on %s, the type that it is used on", type_name(t->type));
}

static void refuse(const struct trial *t, enum law law, const char *found)
{
    static const char *const said[] = {
        "is not commutative",
        "is not associative",
        "is not idempotent",
        "has another identity, if any",
        "has another annihilator, if any",
    };
    refuse_at(t, t->user->definition->law[law], said[law], found);
}

/* Tries the law f(a,b) = c. */
static bool gives(const struct trial *t, enum law law, struct value a, struct value b,
                  struct value c)
{
    struct value operand[2] = {a, b}, result = apply(t, a, b);
    if (is_lost(result, operand, 2) || is_close(result, c, 0))
        return true;
    refuse(t, law,
           arena_printf(t->cx->arena, "%s(%s,%s) = %s", t->user->name, print(t, a), print(t, b),
                        print(t, result)));
    return false;
}

static bool commutes(const struct trial *t, int i, int j)
{
    const struct value a = t->value[i], b = t->value[j], operand[2] = {a, b}, left = t->pair[i][j],
                       right = t->pair[j][i];
    const char *f = t->user->name;
    if (is_lost(left, operand, 2) || is_lost(right, operand, 2)
        || is_close(left, right, fmax(magnitude(a), magnitude(b))))
        return true;
    refuse(t, LAW_COMMUTATIVE,
           arena_printf(t->cx->arena, "%s(%s,%s) = %s and %s(%s,%s) = %s", f, print(t, a),
                        print(t, b), print(t, left), f, print(t, b), print(t, a), print(t, right)));
    return false;
}

static bool associates(const struct trial *t, int i, int j, int k)
{
    const struct value a = t->value[i], b = t->value[j], c = t->value[k], ab = t->pair[i][j],
                       bc = t->pair[j][k], all[5] = {a, b, c, ab, bc};
    const double scale = scale_of(all, 5);
    if (scale > LARGE) /* they may cancel, so nothing can be told */
        return true;
    const char *f = t->user->name;
    const struct value left = apply(t, ab, c), right = apply(t, a, bc);
    bool is_nothing = is_lost(ab, all, 2) || is_lost(bc, all + 1, 2) || is_lost(left, all, 3)
                      || is_lost(right, all, 3);
    if (is_nothing || is_close(left, right, scale))
        return true;
    refuse(t, LAW_ASSOCIATIVE,
           arena_printf(t->cx->arena, "%s(%s(%s,%s),%s) = %s and %s(%s,%s(%s,%s)) = %s", f, f,
                        print(t, a), print(t, b), print(t, c), print(t, left), f, print(t, a), f,
                        print(t, b), print(t, c), print(t, right)));
    return false;
}

/* Prints a combined with b by the operator, as a statement writes it. */
static const char *print_sum(const struct trial *t, enum op over, const char *a, const char *b)
{
    const char *name = operator_name(t->cx, over);
    return op_syntax(over) == SYNTAX_INFIX ? arena_printf(t->cx->arena, "%s %s %s", a, name, b)
                                           : arena_printf(t->cx->arena, "%s(%s,%s)", name, a, b);
}

static const char *print_call(const struct trial *t, enum op_side side, const char *sum,
                              const char *other)
{
    return arena_printf(t->cx->arena, "%s(%s,%s)", t->user->name, side == SIDE_LEFT ? sum : other,
                        side == SIDE_LEFT ? other : sum);
}

static struct value apply_at(const struct trial *t, enum op_side side, struct value sum,
                             struct value other)
{
    return side == SIDE_LEFT ? apply(t, sum, other) : apply(t, other, sum);
}

static void refuse_over(const struct trial *t, int over, const char *found)
{
    refuse_at(t, t->user->definition->over[over],
              arena_printf(t->cx->arena, "does not distribute over %s",
                           operator_name(t->cx, t->user->over[over])),
              found);
}

/* Tries f(a over b, c) = f(a, c) over f(b, c), or on the right f(c, a over b). ab is a over b. */
static bool distributes(const struct trial *t, int over, enum op_side side, struct value ab, int i,
                        int j, int k)
{
    const enum op sum = t->user->over[over];
    const struct value a = t->value[i], b = t->value[j], c = t->value[k],
                       first = side == SIDE_LEFT ? t->pair[i][k] : t->pair[k][i],
                       second = side == SIDE_LEFT ? t->pair[j][k] : t->pair[k][j],
                       all[6] = {a, b, c, ab, first, second};
    const double scale = scale_of(all, 6);
    if (scale > LARGE) /* they may cancel, so nothing can be told */
        return true;
    const struct value whole = apply_at(t, side, ab, c), parts = combine(t, sum, first, second),
                       made[] = {ab, first, second, whole, parts};
    bool is_nothing = false;
    for (int n = 0; n < 5; n++)
        is_nothing |= is_lost(made[n], all, 3);
    if (is_nothing || is_close(whole, parts, scale))
        return true;
    const char *with[3] = {print(t, a), print(t, b), print(t, c)};
    refuse_over(t, over,
                arena_printf(t->cx->arena, "%s = %s and %s = %s",
                             print_call(t, side, print_sum(t, sum, with[0], with[1]), with[2]),
                             print(t, whole),
                             print_sum(t, sum, print_call(t, side, with[0], with[2]),
                                       print_call(t, side, with[1], with[2])),
                             print(t, parts)));
    return false;
}

/* Tries that a reduction of nothing stays nothing: f(nothing, a) is nothing. */
static bool keeps_nothing(const struct trial *t, int over, enum op_side side, struct value a)
{
    struct value nothing;
    if (!operator_identity(t->cx, t->user->over[over], SIDE_LEFT, t->type, &nothing))
        return true;
    const struct value operand[2] = {nothing, a}, result = apply_at(t, side, nothing, a);
    if (is_lost(result, operand, 2) || is_close(result, nothing, 0))
        return true;
    refuse_over(t, over,
                arena_printf(t->cx->arena, "%s = %s, and %s of nothing is %s",
                             print_call(t, side, print(t, nothing), print(t, a)), print(t, result),
                             operator_name(t->cx, t->user->over[over]), print(t, nothing)));
    return false;
}

/* ---- laws ---- */

static bool is_declared(const struct trial *t, enum law law)
{
    return definition_has(t->user->definition, law);
}

static bool try_pairs(const struct trial *t)
{
    const struct value *v = t->value;
    for (int i = 0; i < t->values; i++) {
        if (is_declared(t, LAW_IDEMPOTENT) && !gives(t, LAW_IDEMPOTENT, v[i], v[i], v[i]))
            return false;
        for (int j = 0; j < i && is_declared(t, LAW_COMMUTATIVE); j++)
            if (!commutes(t, j, i))
                return false;
    }
    return true;
}

static bool try_triples(const struct trial *t)
{
    for (int i = 0; i < t->values && is_declared(t, LAW_ASSOCIATIVE); i++)
        for (int j = 0; j < t->values; j++)
            for (int k = 0; k < t->values; k++)
                if (!associates(t, i, j, k))
                    return false;
    return true;
}

static bool try_over(const struct trial *t, int over, enum op_side side)
{
    for (int i = 0; i < t->values; i++) {
        if (!keeps_nothing(t, over, side, t->value[i]))
            return false;
        for (int j = 0; j <= i; j++) {
            const struct value sum = combine(t, t->user->over[over], t->value[j], t->value[i]);
            for (int k = 0; k < t->values; k++)
                if (!distributes(t, over, side, sum, j, i, k))
                    return false;
        }
    }
    return true;
}

/* The law says nothing about types on which the other operator is not defined. */
static bool try_distribution(const struct trial *t)
{
    const enum type pair[2] = {t->type, t->type};
    for (int over = 0; over < t->user->overs; over++)
        if (operator_accepts(t->cx, t->user->over[over], pair)
            && !(try_over(t, over, SIDE_LEFT) && try_over(t, over, SIDE_RIGHT)))
            return false;
    return true;
}

static bool try_constants(const struct trial *t)
{
    struct value identity, annihilator;
    bool has_identity =
        t->user->has_identity && operator_constant(t->user->identity, t->type, &identity);
    bool absorbs =
        t->user->has_annihilator && operator_constant(t->user->annihilator, t->type, &annihilator);
    for (int i = 0; i < t->values; i++) {
        struct value v = t->value[i];
        if (has_identity
            && !(gives(t, LAW_IDENTITY, identity, v, v) && gives(t, LAW_IDENTITY, v, identity, v)))
            return false;
        if (absorbs
            && !(gives(t, LAW_ANNIHILATOR, annihilator, v, annihilator)
                 && gives(t, LAW_ANNIHILATOR, v, annihilator, annihilator)))
            return false;
    }
    return true;
}

bool operator_obeys(struct context *cx, enum op op, enum type type)
{
    if (!op_is_user(op) || op_arity(op) != 2)
        return true;
    struct trial t = {.cx = cx, .user = operator_user(cx, op), .type = type};
    struct definition *definition = t.user->definition;
    if (!definition->tested[type]) {
        definition->tested[type] = true;
        add_values(&t);
        apply_to_pairs(&t);
        definition->holds[type] =
            try_constants(&t) && try_pairs(&t) && try_triples(&t) && try_distribution(&t);
    }
    return definition->holds[type];
}
