/* test_random.c - what every lattice must be, on random statements.
 *
 * In whatever set S of iterators is present, the body is the statement with the others replaced by
 * their fills, simplified: that is what the largest point within S must hold.  And the loops and
 * cases, played through on random coordinates, must run that body at every coordinate once, in
 * order, and nothing where it has no effect.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "tests/concrete/support.h"

enum { CASES = 4000, OPERANDS = 6, DIMENSION = 12 };

/* ---- random statements ---- */

/* 0 times infinity or NaN is 0 to the simplifier, which takes operands to be finite, and NaN where
 * all is known: no kind of statement has both in reach. */
static const struct kind {
    const char *type, *reduction, *fill[4], *form[12];
} kinds[] = {
    {"f64",
     "sum(j, M(i,j) * x(j))",
     {"0", "0", "1", "2"},
     {"(@ + @)", "(@ * @)", "(@ - @)", "min(@, @)", "max(@, @)", "-@", "abs(@)", "exp(@)",
      "select(@ != @, @, @)", "sqrt(abs(@))"}},
    {"i32",
     "sum(j, M(i,j) * x(j))",
     {"0", "0", "1", "7"},
     {"(@ + @)", "(@ * @)", "(@ - @)", "min(@, @)", "max(@, @)", "(@ / @)", "mod(@, @)",
      "select(@ < @, @, @)", "xor(@, @)", "and(@, @)", "or(@, @)"}},
    {"f64",
     "min(j, M(i,j) + x(j))",
     {"inf", "inf", "0", "1"},
     {"(@ + @)", "min(@, @)", "max(@, @)", "select(@ == @, @, @)"}},
    {"u8",
     "max(j, min(M(i,j), x(j)))",
     {"0", "0", "255", "1"},
     {"max(@, @)", "min(@, @)", "or(@, @)", "and(@, @)", "(@ + @)"}},
    {"bool",
     "any(j, and(M(i,j), x(j)))",
     {"false", "false", "true", "true"},
     {"or(@, @)", "and(@, @)", "xor(@, @)", "not(@)", "(@ == @)"}},
};

struct maker {
    struct text *out;
    uint64_t *seed;
    const struct kind *kind;
};

static bool chance(struct maker *m, int percent)
{
    return lab_random(m->seed, 100) < (uint64_t)percent;
}

static void make_leaf(struct maker *m)
{
    if (chance(m, 10))
        text_add(m->out, m->kind->fill[lab_random(m->seed, 4)]);
    else if (chance(m, 10))
        text_add(m->out, m->kind->reduction);
    else if (chance(m, 10))
        text_add(m->out, "D(i,i)");
    else
        text_printf(m->out, "%c(i)", "bcdefg"[lab_random(m->seed, OPERANDS)]);
}

static void make_expression(struct maker *m, int depth)
{
    int forms = 0;
    while (forms < 12 && m->kind->form[forms])
        forms++;
    if (depth == 0 || chance(m, 15)) {
        make_leaf(m);
        return;
    }
    for (const char *s = m->kind->form[lab_random(m->seed, chance(m, 60) ? 2 : (uint64_t)forms)];
         *s; s++) {
        if (*s == '@')
            make_expression(m, depth - 1);
        else
            text_addn(m->out, s, 1);
    }
}

static const char *make_statement(struct context *cx, uint64_t *seed, const struct kind *kind)
{
    static const char *const sign[] = {"=", "=", "=", "+=", "*=", "max="};
    bool logical = strcmp(kind->type, "bool") == 0;
    struct text out = text_new(cx->arena);
    struct maker m = {&out, seed, kind};
    text_printf(&out, "a(i) %s ", logical ? "=" : sign[lab_random(seed, 6)]);
    make_expression(&m, 3);
    return out.at;
}

/* Declarations of the tensors that the statement uses. */
static const char *make_declarations(struct context *cx, uint64_t *seed, const char *statement,
                                     const struct kind *kind)
{
    static const char *const format[] = {"s", "s", "d"}, *const matrix[] = {"csr", "dcsr", "dcsc"};
    struct text out = text_new(cx->arena);
    for (const char *name = "abcdefg"; *name; name++) {
        /* no function is called with i alone */
        const char access[] = {*name, '(', 'i', ')', '\0'};
        if (strstr(statement, access))
            text_printf(&out, "%c:%s/%s/%s; ", *name, format[lab_random(seed, 3)], kind->type,
                        kind->fill[lab_random(seed, 4)]);
    }
    for (const char *name = "MD"; *name; name++)
        if (strchr(statement, *name))
            text_printf(&out, "%c:%s/%s/%s; ", *name, matrix[lab_random(seed, 3)], kind->type,
                        kind->fill[0]);
    if (strstr(statement, "x(j)"))
        text_printf(&out, "x:d/%s", kind->type);
    return out.at;
}

/* ---- the law ---- */

static const struct cin *body_where(struct context *cx, const struct lattice *l,
                                    const struct cin *body, struct bits present)
{
    for (int i = 0; i < l->sparse; i++) {
        const struct cin_list *with = &l->iterator[i].with;
        for (size_t n = 0; n < with->n && !bits_has(present, i); n++)
            body = cin_replace(cx, body, with->at[n], cin_literal(cx, with->at[n]->tensor->fill));
    }
    return cin_simplify(cx, body);
}

static const struct cin *body_found(struct context *cx, const struct lattice *l,
                                    struct bits present)
{
    for (int i = 0; i < l->points; i++)
        if (bits_within(l->point[i].present, present))
            return l->point[i].body;
    return cin_nothing(cx);
}

static struct bits subset(unsigned members)
{
    struct bits set = bits_none();
    for (int i = 0; i < 32; i++)
        if (members >> i & 1)
            set = bits_with(set, i);
    return set;
}

static void check_points(struct context *cx, const char *label, const struct lattice *l,
                         const struct cin *body)
{
    const struct cin *nothing = cin_nothing(cx);
    for (unsigned members = 0; members < 1u << l->sparse; members++) {
        struct bits present = subset(members);
        const struct cin *expected = body_where(cx, l, body, present),
                         *found = body_found(cx, l, present);
        bool effect =
            expected != nothing || (l->points && bits_empty(l->point[l->points - 1].present));
        if (l->flat ? effect != (found != nothing) : !cin_alike(expected, found))
            fail_msg("%s: where %u is present: %s, and not %s", label, members,
                     lab_text(cx, expected), lab_text(cx, found));
    }
}

/* ---- playing the loops ---- */

/* At each coordinate, which iterators have it in their first level, and which of them are there
 * altogether. */
struct world {
    struct bits listed[DIMENSION], present[DIMENSION];
};

static void make_world(struct world *world, const struct lattice *l, uint64_t *seed)
{
    memset(world, 0, sizeof *world);
    for (int i = 0; i < l->sparse; i++) {
        uint64_t density = lab_random(seed, 5);
        for (int x = 0; x < DIMENSION; x++) {
            bool listed = lab_random(seed, 4) < density,
                 there = !l->iterator[i].searched || lab_random(seed, 2);
            if (listed)
                world->listed[x] = bits_with(world->listed[x], i);
            if (listed && there)
                world->present[x] = bits_with(world->present[x], i);
        }
    }
}

struct play {
    struct context *cx;
    const struct lattice *l;
    const struct world *world;
    /* each cursor's coordinate; DIMENSION when it has run out */
    int at[BITS_MAX];
    int x; /* the dimension's */
    const struct cin *ran[DIMENSION];
    int last;
};

static int next_listed(const struct play *p, int i, int x)
{
    while (x < DIMENSION && !bits_has(p->world->listed[x], i))
        x++;
    return x;
}

static bool case_holds(const struct play *p, const struct lattice_point *point, struct bits loop,
                       int x)
{
    for (int i = 0; i < p->l->sparse; i++) {
        if (!bits_has(point->present, i))
            continue;
        if (bits_has(loop, i) && p->at[i] != x)
            return false;
        if (!bits_has(p->world->present[x], i))
            return false;
    }
    return true;
}

static void run_cases(struct play *p, struct bits loop, int x)
{
    const struct lattice_point **cases;
    bool covered;
    int n = lattice_cases(p->cx, p->l, loop, &cases, &covered), i = 0;
    while (i < n && !case_holds(p, cases[i], loop, x))
        i++;
    assert_false(covered && i == n);
    assert_true(x > p->last);
    p->last = x;
    if (i < n)
        p->ran[x] = cases[i]->body;
}

static bool goes_on(const struct play *p, struct bits loop)
{
    for (int i = 0; i < p->l->sparse; i++)
        if (bits_has(loop, i) && p->at[i] >= DIMENSION)
            return false;
    return true;
}

static int least(const struct play *p, struct bits mergers)
{
    int x = DIMENSION;
    for (int i = 0; i < p->l->sparse; i++)
        if (bits_has(mergers, i) && p->at[i] < x)
            x = p->at[i];
    return x;
}

static void play_loop(struct play *p, struct bits loop)
{
    while (bits_empty(loop) ? p->x < DIMENSION : goes_on(p, loop)) {
        int x = p->l->dimension ? p->x++ : least(p, lattice_mergers(p->l, loop));
        run_cases(p, loop, x);
        for (int i = 0; i < p->l->sparse; i++)
            if (bits_has(loop, i) && p->at[i] == x)
                p->at[i] = next_listed(p, i, x + 1);
    }
}

static void check_loops(struct context *cx, const char *label, const struct lattice *l,
                        const struct cin *body, const struct world *world)
{
    struct play p = {.cx = cx, .l = l, .world = world, .last = -1};
    const struct bits *loop;
    const struct cin *nothing = cin_nothing(cx);
    for (int i = 0; i < l->sparse; i++)
        p.at[i] = next_listed(&p, i, 0);
    int loops = lattice_loops(cx, l, &loop);
    for (int i = 0; i < loops; i++)
        play_loop(&p, loop[i]);
    for (int x = 0; x < DIMENSION; x++) {
        const struct cin *expected = body_where(cx, l, body, world->present[x]),
                         *ran = p.ran[x] ? p.ran[x] : nothing;
        if (!cin_alike(ran, expected))
            fail_msg("%s: at %d: ran %s, and not %s", label, x, lab_text(cx, ran),
                     lab_text(cx, expected));
    }
}

/* ---- the tests ---- */

static void check_case(void **state, uint64_t seed, int *flat)
{
    LAB(cx);
    const struct kind *kind = &kinds[lab_random(&seed, sizeof kinds / sizeof *kinds)];
    const char *statement = make_statement(cx, &seed, kind);
    const char *declarations = make_declarations(cx, &seed, statement, kind);
    const char *label = arena_printf(cx->arena, "%s [%s]", statement, declarations);
    const struct cin_program *program = lab_program(cx, statement, declarations);
    const struct lattice *l = lab_lattice(cx, program->statement, "i");
    const struct cin *body = program->statement;
    while (body->kind != CIN_FORALL || strcmp(body->index[0]->name, "i"))
        body = body->arg[0]; /* a where whose producer does not depend on i is outside */
    struct world world;
    *flat += l->flat;
    make_world(&world, l, &seed);
    if (l->infeasible)
        return;
    check_points(cx, label, l, body->arg[0]);
    if (!l->flat)
        check_loops(cx, label, l, body->arg[0], &world);
}

static void random_statements(void **state)
{
    int flat = 0;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        void *fixture;
        assert_int_equal(lab_setup(&fixture), 0);
        check_case(&fixture, (uint64_t)i, &flat);
        lab_teardown(&fixture);
    }
    assert_in_range(flat, 1, CASES / 2); /* both kinds have been seen */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_statements)};
    return cmocka_run_group_tests_name("random lattices", tests, NULL, NULL);
}
