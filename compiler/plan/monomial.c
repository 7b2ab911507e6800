/* monomial.c - costs as sums of monomials in sizes that nobody knows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/monomial.h"

#include <string.h>

int cost_find_symbol(const struct cost_symbols *symbols, const void *of, int level)
{
    for (int i = 0; i < symbols->n; i++)
        if (symbols->at[i].of == of && symbols->at[i].level == level)
            return i;
    return -1;
}

int cost_new_symbol(struct cost_symbols *symbols, struct cost_symbol symbol)
{
    if (symbols->n == SYMBOLS_MAX)
        return -1;
    symbols->at[symbols->n] = symbol;
    return symbols->n++;
}

/* ---- terms ---- */

static bool same_powers(const struct cost_term *a, const struct cost_term *b)
{
    return !memcmp(a->power, b->power, sizeof a->power);
}

/* Is a of no larger order than b, whatever the symbols are?  What is more often in a than in b may
 * be as much as it can be, which symbols before it say; what is less often, one. */
static bool term_is_within(const struct cost_symbols *symbols, const struct cost_term *a,
                           const struct cost_term *b)
{
    int more[SYMBOLS_MAX];
    for (int i = 0; i < symbols->n; i++)
        more[i] = a->power[i] - b->power[i];
    for (int i = symbols->n; i-- > 0;) {
        if (more[i] > 0 && symbols->at[i].level < 0)
            return false;
        for (int k = 0; k < i && more[i] > 0; k++)
            more[k] += more[i] * symbols->at[i].most.power[k];
    }
    return true;
}

static signed char clamp(int power)
{
    return (signed char)(power > 100 ? 100 : power < -100 ? -100 : power);
}

static struct cost_term term_times(const struct cost_symbols *symbols, const struct cost_term *a,
                                   const struct cost_term *b, int sign)
{
    struct cost_term product = {.value = sign < 0 ? a->value / b->value : a->value * b->value};
    for (int i = 0; i < symbols->n; i++)
        product.power[i] = clamp(a->power[i] + sign * b->power[i]);
    return product;
}

/* ---- sums ---- */

/* A sum in the making, at the end of the scratch: terms of the same powers are one. */
struct sum {
    struct cost_term *term;
    int n;
};

static struct sum sum_open(struct cost_symbols *symbols)
{
    if (symbols->used + TERMS_MAX > symbols->room) { /* what is in use stays where it is */
        symbols->room = 2 * symbols->room + TERMS_MAX;
        symbols->scratch = arena_array(symbols->cx->arena, struct cost_term, symbols->room);
        symbols->used = 0;
    }
    return (struct sum){symbols->scratch + symbols->used, 0};
}

static struct cost sum_close(struct cost_symbols *symbols, const struct sum *sum, bool impossible)
{
    arena_spend(symbols->cx->arena, 1);
    symbols->used += sum->n;
    return (struct cost){.term = sum->term, .terms = sum->n, .impossible = impossible};
}

static void sum_add(struct sum *sum, const struct cost_term *term)
{
    for (int i = 0; i < sum->n; i++)
        if (same_powers(&sum->term[i], term)) {
            sum->term[i].value += term->value;
            return;
        }
    if (sum->n < TERMS_MAX) {
        sum->term[sum->n++] = *term;
        return;
    }
    struct cost_term *largest = &sum->term[0];
    for (int i = 1; i < sum->n; i++)
        if (sum->term[i].value > largest->value)
            largest = &sum->term[i];
    double both = largest->value + term->value;
    if (term->value > largest->value)
        *largest = *term;
    largest->value = both;
}

struct cost cost_of_symbol(struct cost_symbols *symbols, int symbol, double value)
{
    struct sum sum = sum_open(symbols);
    sum.term[sum.n++] = (struct cost_term){symbol < 0 ? value : symbols->at[symbol].value, {0}};
    if (symbol >= 0)
        sum.term[0].power[symbol] = 1;
    return sum_close(symbols, &sum, false);
}

struct cost cost_constant(struct cost_symbols *symbols, double constant)
{
    return constant > 0 ? cost_of_symbol(symbols, -1, constant) : (struct cost){0};
}

struct cost cost_add(struct cost_symbols *symbols, struct cost a, struct cost b)
{
    struct sum sum = sum_open(symbols);
    for (int i = 0; i < a.terms; i++)
        sum_add(&sum, &a.term[i]);
    for (int i = 0; i < b.terms; i++)
        sum_add(&sum, &b.term[i]);
    return sum_close(symbols, &sum, a.impossible || b.impossible);
}

struct cost cost_multiply(struct cost_symbols *symbols, struct cost a, struct cost b)
{
    struct sum sum = sum_open(symbols);
    for (int i = 0; i < a.terms; i++)
        for (int k = 0; k < b.terms; k++) {
            struct cost_term product = term_times(symbols, &a.term[i], &b.term[k], 1);
            sum_add(&sum, &product);
        }
    return sum_close(symbols, &sum, a.impossible || b.impossible);
}

struct cost cost_scale(struct cost_symbols *symbols, struct cost a, double by)
{
    struct sum sum = sum_open(symbols);
    for (; sum.n < a.terms && by > 0; sum.n++) {
        sum.term[sum.n] = a.term[sum.n];
        sum.term[sum.n].value *= by;
    }
    return sum_close(symbols, &sum, a.impossible);
}

struct cost cost_divide(struct cost_symbols *symbols, struct cost a, struct cost by)
{
    struct sum sum = sum_open(symbols);
    for (int i = 0; i < a.terms; i++) {
        struct cost_term quotient = term_times(symbols, &a.term[i], &by.term[0], -1);
        sum_add(&sum, &quotient);
    }
    return sum_close(symbols, &sum, a.impossible);
}

/* Is one of the terms above this one, or of the same order and before it? */
static bool is_covered(const struct cost_symbols *symbols, struct cost a, int term)
{
    for (int i = 0; i < a.terms; i++)
        if (i != term && term_is_within(symbols, &a.term[term], &a.term[i])
            && (i < term || !term_is_within(symbols, &a.term[i], &a.term[term])))
            return true;
    return false;
}

struct cost cost_keep(const struct cost_symbols *symbols, struct cost a)
{
    struct cost_term *kept = arena_array(symbols->cx->arena, struct cost_term, a.terms);
    int leading = 0, others = 0;
    for (int i = 0; i < a.terms; i++) {
        bool covered = is_covered(symbols, a, i);
        kept[covered ? a.terms - ++others : leading++] = a.term[i];
    }
    a.term = kept;
    a.leading = leading;
    return a;
}

/* ---- questions ---- */

bool cost_is_constant(struct cost a)
{
    static const struct cost_term one = {0};
    return a.terms == 0 || (a.terms == 1 && same_powers(&a.term[0], &one));
}

double cost_value(struct cost a)
{
    double value = 0;
    for (int i = 0; i < a.terms; i++)
        value += a.term[i].value;
    return value;
}

struct cost cost_least(struct cost a, struct cost b)
{
    return cost_value(b) < cost_value(a) ? b : a;
}

bool cost_is_known(const struct cost_symbols *symbols, struct cost a)
{
    for (int i = 0; i < a.terms; i++)
        for (int k = 0; k < symbols->n; k++)
            if (a.term[i].power[k] && !symbols->at[k].known)
                return false;
    return true;
}

/* Is every term of a within one of b?  Both costs come from cost_keep. */
static bool is_within(const struct cost_symbols *symbols, struct cost a, struct cost b)
{
    for (int i = 0; i < a.leading; i++) {
        bool within = false;
        for (int k = 0; k < b.leading && !within; k++)
            within = term_is_within(symbols, &a.term[i], &b.term[k]);
        if (!within)
            return false;
    }
    return true;
}

bool cost_is_below(const struct cost_symbols *symbols, struct cost a, struct cost b)
{
    if (a.impossible || b.impossible)
        return !a.impossible;
    if (cost_is_known(symbols, a) && cost_is_known(symbols, b))
        return false;
    return is_within(symbols, a, b) && !is_within(symbols, b, a);
}

/* ---- as text ---- */

static void print_term(const struct cost_symbols *symbols, struct text *out,
                       const struct cost_term *term)
{
    bool first = true;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = 0; i < symbols->n; i++)
            for (int power = sign * term->power[i]; power > 0; power--, first = false)
                text_printf(out, "%s%s", sign < 0 ? "/" : first ? "" : "*", symbols->at[i].name);
    if (first)
        text_add(out, "1");
}

void cost_print_known(const struct cost_symbols *symbols, struct text *out)
{
    const char *before = "  with ", *end = "";
    for (int i = 0; i < symbols->n; i++) {
        const struct cost_symbol *symbol = &symbols->at[i];
        if (!symbol->known)
            continue;
        text_printf(out, "%s%s = %.*g", before, symbol->name, symbol->value < 1e6 ? 6 : 3,
                    symbol->value);
        before = ", ";
        end = "\n";
    }
    text_add(out, end);
}

void cost_print(const struct cost_symbols *symbols, struct text *out, struct cost a)
{
    bool first = true;
    text_add(out, "  O(");
    for (int i = 0; i < a.terms; i++) {
        if (is_covered(symbols, a, i))
            continue;
        text_add(out, first ? "" : " + ");
        print_term(symbols, out, &a.term[i]);
        first = false;
    }
    text_add(out, ")");
}
