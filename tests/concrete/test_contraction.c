/* test_contraction.c - orders in which factors are multiplied: against opt_einsum's, and by hand.
 *
 * networks.txt has a network on each line, with the steps that opt_einsum takes; networks.py writes
 * it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/contraction.h"
#include "tests/concrete/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct read {
    struct network_factor factor[NETWORK_MAX];
    double size[NETWORK_MAX];
    struct network network;
    int index[NETWORK_MAX][16];
};

static int number_of(char letter) { return letter >= 'a' ? letter - 'a' : letter - 'A' + 26; }

static double room_of(const struct network *network, var_set vars)
{
    double room = 1;
    for (int v = 0; v < network->vars; v++)
        room *= vars >> v & 1 ? network->size[v] : 1;
    return room;
}

/* "ab,bc->ac", and "a:2 b:3 c:4"; dense. */
static void read_network(struct read *r, const char *factors, const char *sizes)
{
    memset(r, 0, sizeof *r);
    r->network = (struct network){.factor = r->factor, .size = r->size, .vars = 52};
    for (const char *s = sizes; *s; s += strcspn(s, " \n"), s += strspn(s, " \n"))
        r->size[number_of(*s)] = strtod(s + 2, NULL);
    const char *s = factors;
    for (; *s && *s != '-'; s += *s == ',') {
        struct network_factor *f = &r->factor[r->network.factors++];
        f->index = r->index[f - r->factor];
        for (; *s && *s != ',' && *s != '-'; s++) {
            r->index[f - r->factor][f->indices++] = number_of(*s);
            f->vars |= (var_set)1 << number_of(*s);
        }
        f->entries = room_of(&r->network, f->vars);
    }
    for (s += strlen("->"); *s; s++)
        r->network.free |= (var_set)1 << number_of(*s);
}

/* The products that the steps of a contraction take, of dense tensors; each is a step that takes
 * what there is, sums over what nothing else uses, and leaves one tensor in the end. */
static double count(const struct network *network, const struct contraction *c)
{
    var_set live[3 * NETWORK_MAX] = {0};
    bool is_live[3 * NETWORK_MAX] = {false};
    double steps = 0;
    int n = network->factors;
    for (int i = 0; i < n; i++) {
        live[i] = network->factor[i].vars;
        is_live[i] = true;
    }
    for (int t = 0; t < c->steps; t++) {
        var_set vars = 0, others = network->free;
        for (int k = 0; k < 2 && c->step[t].arg[k] >= 0; k++) {
            assert_true(is_live[c->step[t].arg[k]]);
            is_live[c->step[t].arg[k]] = false;
            vars |= live[c->step[t].arg[k]];
        }
        for (int i = 0; i < n + t; i++)
            others |= is_live[i] ? live[i] : 0;
        assert_true(c->step[t].kept == (vars & others));
        assert_true(c->step[t].summed == (vars & ~others));
        live[n + t] = vars & others;
        is_live[n + t] = true;
        steps += room_of(network, vars);
    }
    int left = 0;
    for (int i = 0; i < n + c->steps; i++)
        left += is_live[i];
    assert_int_equal(left, 1);
    return steps;
}

static double steps_of(struct context *cx, const char *factors, const char *sizes)
{
    struct read r;
    read_network(&r, factors, sizes);
    struct contraction c = contraction_of(cx, &r.network);
    return count(&r.network, &c);
}

static void like_opt_einsum(void **state)
{
    LAB(cx);
    char path[4096], line[1024], name[32], factors[256], sizes[512];
    const char *source = getenv("SPCC_SOURCE");
    int networks = 0;
    snprintf(path, sizeof path, "%s/tests/concrete/networks.txt", source ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        double best;
        assert_int_equal(sscanf(line, "%31s %lf %255s %511[^\n]", name, &best, factors, sizes), 4);
        double steps = steps_of(cx, factors, sizes);
        int commas = 0;
        for (const char *s = factors; *s; s++)
            commas += *s == ',';
        if (steps > best * (commas < 8 ? 1.05 : 1.2))
            fail_msg("%s: %g steps, opt_einsum %g: %s %s", name, steps, best, factors, sizes);
        networks++;
    }
    fclose(file);
    assert_int_equal(networks, 200);
}

static void by_hand(void **state)
{
    LAB(cx);
    /* each factor's own variable first; vectors from the end that has one */
    assert_true(steps_of(cx, "ab,bc,cd->", "a:9 b:9 c:9 d:9") == 3 * 81);
    assert_true(steps_of(cx, "ab,bc,cd,d->a", "a:9 b:9 c:9 d:9") == 3 * 81);
    /* an outer product pays where it is small */
    assert_true(steps_of(cx, "a,b,abc->c", "a:2 b:2 c:100") == 4 + 400);
    /* as many factors as there may be, one step after the other */
    char factors[256] = "", sizes[512] = "";
    for (int k = 0; k < 30; k++) {
        size_t n = strlen(factors), m = strlen(sizes);
        char a = (char)(k < 26 ? 'a' + k : 'A' + k - 26), b = (char)(k < 25 ? a + 1 : 'A' + k - 25);
        snprintf(factors + n, sizeof factors - n, "%s%c%c", k ? "," : "", a, b);
        snprintf(sizes + m, sizeof sizes - m, "%c:9 ", a);
    }
    strcat(factors, "->a");
    strcat(sizes, "E:9");
    assert_true(steps_of(cx, factors, sizes) == 30 * 81);
}

/* All factors are one tensor: what several parts of the network make is made once. */
static void repeated(void **state)
{
    static const struct {
        const char *factors;
        double products; /* of matrices of 9 rows and columns */
        int same;        /* steps that make nothing */
    } row[] = {
        {"ab,bc,cd,de->ae", 2, 1},
        {"ab,bc,cd,de,ef,fg,gh,hi->ai", 3, 4},
        {"ab,bc,cd,de,ef,fg->ag", 3, 2},
        {"ab,bc,cd,de,ef,fg,gh,hi,ij,jk,kl,lm->am", 4, 7},
        /* of many, one step after the other */
        {"ab,bc,cd,de,ef,fg,gh,hi,ij,jk,kl,lm,mn,no,op,pq->aq", 4, 11},
        {"ab,bc,cd,de,ef,fg,gh,hi,ij,jk,kl,lm,mn,no,op,pq,qr->ar", 5, 11},
        /* with transposed ones; a factor in the way */
        {"ab,cb,cd,ed->ae", 2, 1},
        {"ab,bc,dc,ed->ae", 2, 1},
        {"ab,bc,cd->ad", 2, 0},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct read r;
        int same = 0;
        read_network(&r, row[i].factors,
                     "a:9 b:9 c:9 d:9 e:9 f:9 g:9 h:9 i:9 j:9 k:9 l:9 m:9 n:9 o:9 "
                     "p:9 q:9 r:9");
        for (int k = 0; k < r.network.factors; k++)
            r.factor[k].kind = 1;
        struct contraction c = contraction_of(cx, &r.network);
        double made = 0;
        for (int t = 0; t < c.steps; t++) {
            assert_true(c.step[t].same < t);
            same += c.step[t].same >= 0;
            made += c.step[t].same < 0;
        }
        count(&r.network, &c);
        if (made != row[i].products || same != row[i].same)
            fail_msg("%s: %g products, %d the same", row[i].factors, made, same);
    }
}

/* Sparse matrices: a product of two is written, and sorted; inside a loop over rows it is not. */
static void sparse(void **state)
{
    LAB(cx);
    struct read r;
    read_network(&r, "ab,bc,cd->ad", "a:1e6 b:1e6 c:1e6 d:1e6");
    for (int i = 0; i < 3; i++)
        r.factor[i].entries = 1e7;
    struct contraction lists = contraction_of(cx, &r.network);
    assert_int_equal(lists.steps, 2);
    assert_false(lists.step[0].dense);
    assert_true(lists.step[0].entries < 1e8 && lists.step[0].entries > 1e7);
    r.network.around = 1;
    struct contraction rows = contraction_of(cx, &r.network);
    assert_true(rows.cost < lists.cost);
    /* a vector is dense if most of it is written */
    read_network(&r, "ab,bc,c->a", "a:1e6 b:1e6 c:1e6");
    r.factor[0].entries = r.factor[1].entries = 1e7;
    struct contraction vectors = contraction_of(cx, &r.network);
    assert_true(vectors.step[0].dense);
    assert_true(vectors.cost < 3e7);
}

/* Each tensor is contiguous along its last variable, the result along `target`; each step's result
 * as expected. */
static void check_layout(struct context *cx, const char *factors, char target, const char *expected)
{
    struct read r;
    read_network(&r, factors, "a:8 b:8 c:8 d:8 e:8 f:8 g:8 h:8 i:8 j:8 k:8 m:8 n:8 o:8 l:8");
    for (int i = 0; i < r.network.factors; i++) {
        struct network_factor *f = &r.factor[i];
        f->along = (var_set)1 << f->index[f->indices - 1];
    }
    r.network.along = (var_set)1 << number_of(target);
    struct contraction c = contraction_of(cx, &r.network);
    contraction_lay_out(cx, &r.network, 4, &c);
    char last[8] = {0};
    for (int t = 0; t < c.steps; t++)
        last[t] = c.step[t].last < 0 ? '-' : (char)('a' + c.step[t].last);
    assert_string_equal(last, expected);
}

static void layouts(void **state)
{
    LAB(cx);
    /* both steps go along b: mj,jb->mb, am,mb->ab */
    check_layout(cx, "am,mj,jb->ab", 'b', "b-");
    /* a sum goes along what both have last */
    check_layout(cx, "ma,jm,bj->ab", 'b', "m-");
    /* a step that takes most goes before the last one */
    check_layout(cx, "ab,bc,cd,ad->", 'a', "aa-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(like_opt_einsum), LAB_TEST(by_hand), LAB_TEST(repeated),
        LAB_TEST(sparse),          LAB_TEST(layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
