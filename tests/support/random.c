/* random.c - random cases.
 *
 * What could not be compared with certainty is kept rare rather than excluded: the oracle says
 * where a right answer is not determined (0 * inf, 0 / 0), and such components are not compared.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/context.h"
#include "compiler/notation/operator.h"
#include "tests/oracle/meaning.h"
#include "tests/support/narrow.h"
#include "tests/support/random_parts.h"

/* points of the iteration space: the oracle visits them all */
enum { SPACE_MAX = 3000 };

/* so many percent of narrow cases have types of 8 bits */
enum { NARROW_BYTES = 97 };

/* ---- sizes and entries ---- */

static bool is_used(const struct test_case *test, int var)
{
    bool used = grow_uses(test, test->root, var);
    for (int m = 0; m < test->tensor[0].order; m++)
        used |= test->result_var[m] == var;
    return used;
}

static void random_sizes(struct rng *rng, struct test_case *test)
{
    static const int weights[] = {3, 8, 14, 20, 22, 18, 15};
    int same[CASE_VARS];
    int64_t space;
    case_size_classes(test, same);
    for (int v = 0; v < test->vars; v++) {
        test->extent[v] = rng_weighted(rng, weights, 7);
        test->declared[v] = rng_percent(rng, 35) && is_used(test, v);
    }
    do {
        int largest = 0;
        space = 1;
        for (int v = 0; v < test->vars; v++) {
            test->extent[v] = test->extent[same[v]];
            space *= test->extent[v];
            largest = test->extent[v] > test->extent[largest] ? v : largest;
        }
        if (space > SPACE_MAX)
            test->extent[same[largest]]--;
    } while (space > SPACE_MAX);
    case_set_dimensions(test);
}

struct value case_random_value(struct rng *rng, enum type type)
{
    return random_value(rng, type, 8);
}

static bool leaves_out(const struct case_tensor *t)
{
    for (int l = 0; l < t->order; l++)
        if (t->level[l].letter != 'd')
            return true;
    return *t->named && strncmp(t->named, "dense", 5) != 0;
}

static enum type widened(enum type type, int64_t most)
{
    if (type == TYPE_U8 && most > UINT8_MAX)
        type = TYPE_U16;
    return type == TYPE_U16 && most > UINT16_MAX ? TYPE_U32 : type;
}

/* What u8 and u16 do not hold would be an error of the tensor, not of the statement.  Some
 * components may be stored in two parts (pack.c). */
static void widen(struct case_tensor *t)
{
    int64_t components = 1;
    for (int m = 0; m < t->order; m++)
        components *= t->dimension[m];
    for (int l = 0; l < t->order; l++) {
        struct case_level *level = &t->level[l];
        level->pos = widened(level->pos, 2 * components);
        level->crd = widened(level->crd, t->dimension[level->mode] + 1);
    }
}

static void add_entry(struct rng *rng, struct case_tensor *t, int64_t place)
{
    struct case_entry *e = &t->entry[t->entries++];
    for (int m = t->order - 1; m >= 0; m--) {
        e->coordinate[m] = (int32_t)(place % t->dimension[m]);
        place /= t->dimension[m];
    }
    e->value = random_value(rng, t->type, 8);
}

static void random_entries(struct rng *rng, struct case_tensor *t, int density)
{
    int64_t components = 1;
    for (int m = 0; m < t->order; m++)
        components *= t->dimension[m];
    t->entries = 0;
    for (int64_t c = 0; c < components && t->entries < CASE_ENTRIES; c++)
        if (rng_percent(rng, density))
            add_entry(rng, t, c);
}

/* A few of many components, the last one among them now and then: the oracle goes through all
 * entries at each component. */
static void few_entries(struct rng *rng, struct case_tensor *t)
{
    int64_t components = 1, most = rng_below(rng, 12);
    for (int m = 0; m < t->order; m++)
        components *= t->dimension[m];
    t->entries = 0;
    for (int64_t c = components - 1 - rng_below(rng, 2); c >= 0 && t->entries < most;
         c -= 1 + rng_below(rng, (int)components / 4 + 1))
        add_entry(rng, t, c);
}

/* So many percent of the components. */
static int random_density(struct rng *rng, const struct case_tensor *t)
{
    static const int densities[] = {0, 15, 35, 60, 100};
    return leaves_out(t) ? densities[rng_below(rng, 5)] : 100;
}

/* Where values are as many as the result's positions count, and some are left out now and then.
 * 16 bits are rare: where operands are dense, their results are large. */
static void fill_narrow(struct rng *rng, struct test_case *test, bool reads)
{
    bool byte = rng_percent(rng, NARROW_BYTES);
    enum type sign = rng_percent(rng, 60) ? TYPE_I8 : TYPE_U8, type = byte              ? sign
                                                                      : sign == TYPE_I8 ? TYPE_I16
                                                                                        : TYPE_U16;
    narrow_sizes(rng, test, type);
    for (int i = 0; i < test->tensors; i++) {
        struct case_tensor *t = &test->tensor[i];
        widen(t);
        if (byte)
            random_entries(rng, t,
                           i == 0 && leaves_out(t) ? 15
                           : rng_percent(rng, 65)  ? 100
                                                   : random_density(rng, t));
        else
            few_entries(rng, t);
    }
    case_spell(test);
    narrow_format(rng, &test->tensor[0], type, reads);
}

static void fill(struct rng *rng, struct test_case *test)
{
    random_sizes(rng, test);
    for (int i = 0; i < test->tensors; i++) {
        widen(&test->tensor[i]);
        random_entries(rng, &test->tensor[i], random_density(rng, &test->tensor[i]));
    }
}

/* ---- a case ---- */

static bool declare_operators(struct context *cx, const struct test_case *test)
{
    const char *const *text = case_operators(cx->arena, test);
    for (int i = 0; i < test->operators; i++)
        if (!operator_declare(cx, text[i]))
            return false;
    return true;
}

/* Does the oracle know what the statement means? */
static bool means_something(const struct test_case *test)
{
    struct context *cx = context_new();
    bool means = true;
    if (cx && context_protect(cx)) {
        struct tin_declarations declared = case_declarations(cx->arena, test);
        struct oracle_tensor *known = arena_array(cx->arena, struct oracle_tensor, test->tensors);
        for (int i = 0; i < test->tensors; i++) {
            const struct case_tensor *t = &test->tensor[i];
            known[i] = (struct oracle_tensor){.name = t->name,
                                              .type = t->type,
                                              .order = t->order,
                                              .dimension = t->dimension,
                                              .fill = t->fill};
        }
        struct oracle_input input = {known, test->tensors, declared.size, declared.sizes};
        const struct tin *statement =
            declare_operators(cx, test) ? tin_parse(cx, test->statement) : NULL;
        const char *why;
        means = statement && meaning_of(cx, statement, &input, &why);
    }
    if (cx)
        context_free(cx);
    return means;
}

/* What a product is of, so that its terms are exact. */
static enum type product_type(struct rng *rng)
{
    static const enum type types[] = {TYPE_F64, TYPE_F64, TYPE_I64, TYPE_I32, TYPE_U64, TYPE_BOOL};
    return types[rng_below(rng, 6)];
}

static void grow_case(struct test_case *test, uint64_t seed, enum case_kind kind)
{
    bool narrow = kind == CASE_NARROW, product = kind == CASE_PRODUCT;
    static const int orders[] = {14, 36, 34, 12, 4}, letters[] = {20, 32, 30, 13, 5};
    struct grower g = {.rng = {seed}, .test = test};
    memset(test, 0, sizeof *test);
    test->seed = seed;
    int order = product ? rng_below(&g.rng, 3) : rng_weighted(&g.rng, orders, 5);
    order += narrow && order == 0;
    test->vars = product ? 4 + rng_below(&g.rng, 5) : 1 + rng_weighted(&g.rng, letters, 5);
    if (test->vars < order)
        test->vars = order;
    enum type theme = product ? product_type(&g.rng) : random_type(&g.rng);
    struct case_node left = {0};
    random_order(&g.rng, left.var, order);
    grow_left_side(&g.rng, left.var, order);
    memcpy(test->result_var, left.var, sizeof left.var);
    grow_tensor(&g.rng, test, "y", order,
                product || rng_percent(&g.rng, 80) ? theme : random_type(&g.rng));
    if (product)
        grow_product(&g, theme);
    else
        grow_operands(&g, theme);
    if (rng_percent(&g.rng, 9))
        grow_result(&g);
    grow_literals(&g);
    if (rng_percent(&g.rng, product ? 5 : 30))
        grow_operators(&g, theme);
    grow_expression(&g);
    grow_suited_result(&g);
    test->assign = grow_assignment(&g, test->tensor[0].type, g.type[test->root]);
    if (product && test->assign == OP_NONE)
        test->assign = grow_assignment(&g, test->tensor[0].type, g.type[test->root]);
    if (test->assign != OP_NONE && rng_percent(&g.rng, 80))
        random_levels(&g.rng, &test->tensor[0], true);
    bool reads = test->assign != OP_NONE;
    for (int n = 0; n < test->nodes; n++)
        reads |= test->node[n].kind == TIN_ACCESS && test->node[n].tensor == 0;
    if (test->assign == OP_NONE && !(reads && grow_is_partial(test)) && rng_percent(&g.rng, 9))
        grow_keep(&g);
    bool held = reads && grow_is_partial(test);
    if (held)
        random_levels(&g.rng, &test->tensor[0], rng_percent(&g.rng, 40));
    bool leaves = narrow && order > 0 && !held;
    for (int tries = 0; !case_can_be_assembled(test->tensor[0].named)
                        || (leaves && tries < 8 && !leaves_out(&test->tensor[0]));
         tries++)
        random_levels(&g.rng, &test->tensor[0], false);
    if (held)
        test->tensor[0].level[order - 1].unique = true; /* else it is refused */
    if (narrow)
        fill_narrow(&g.rng, test, reads);
    else
        fill(&g.rng, test);
    test->index_bits = rng_percent(&g.rng, 80) ? 32 : 64;
    test->shuffle = rng_next(&g.rng);
    case_spell(test);
    if (!narrow && rng_percent(&g.rng, 40)) {
        case_draw_same(&g.rng, test);
        case_spell(test);
    }
    if (kind == CASE_IN_PARTS || (!narrow && rng_percent(&g.rng, 12))) {
        case_draw_parts(&g.rng, test, kind == CASE_IN_PARTS ? 80 : 40);
        case_spell(test);
    }
}

/* Sums that can be read in two ways are written out, in any of them; one in five stays as it
 * is. */
static void write_sums(struct rng *rng, struct test_case *test)
{
    if (!means_something(test) && rng_percent(rng, 80))
        while (grow_sum(rng, test) && case_spell(test) && !means_something(test))
            ;
}

/* Statements that mean nothing are kept rarely: the compiler has to refuse them, and there are
 * other tests of that. */
void case_random(struct test_case *test, uint64_t seed, enum case_kind kind)
{
    struct rng again = {seed};
    uint64_t from = seed;
    if (kind == CASE_ANY && seed % 16 == 0)
        kind = CASE_NARROW;
    for (;;) {
        grow_case(test, from, kind);
        write_sums(&again, test);
        if (means_something(test) || rng_percent(&again, 5))
            break;
        from = rng_next(&again);
    }
    test->seed = seed;
}
