/* test_concretize.c - from tensor index notation to concrete index notation (thesis 4.4).
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "tests/concrete/support.h"

struct row {
    const char *statement, *declarations, *expected;
};

static void check_rows(struct context *cx, const struct row *row, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        assert_string_equal(lab_text(cx, p->statement), row[i].expected);
        assert_string_equal(
            p->result->name,
            lab_notation(cx, row[i].statement, row[i].declarations)->arg[0]->tensor->name);
    }
}

#define CHECK_ROWS(...)                                   \
    do {                                                  \
        static const struct row rows[] = {__VA_ARGS__};   \
        LAB(cx);                                          \
        check_rows(cx, rows, sizeof rows / sizeof *rows); \
    } while (0)

/* The examples of the thesis. */
static void thesis(void **state)
{
    CHECK_ROWS(
        {"A(i,j) = B(i,k) * C(k,j)", "", "forall(i) forall(j) forall(k) A(i,j) += B(i,k) * C(k,j)"},
        {"A(i,j,l) = B(i,j,k) * C(k,l)", "",
         "forall(i) forall(j) forall(l) forall(k) A(i,j,l) += B(i,j,k) * C(k,l)"},
        {"a(i) = sum(j, B(i,j) * c(j)) + d(i)", "",
         "forall(i) (a(i) = t + d(i) where forall(j) t += B(i,j) * c(j))"},
        {"a(i) = B(i,j) * c(j)", "", "forall(i) forall(j) a(i) += B(i,j) * c(j)"},
        {"A(i,j) = B(i,j) + c(j)", "", "forall(i) forall(j) A(i,j) = B(i,j) + c(j)"});
}

static void plain(void **state)
{
    CHECK_ROWS(
        {"a = 1", "", "a = 1.0"}, {"a(i) = b(i)", "", "forall(i) a(i) = b(i)"},
        {"a = b(i)", "", "forall(i) a += b(i)"},
        {"a = b(i) * b(i)", "", "forall(i) a += b(i) * b(i)"},
        {"a(j,i) = B(i,j)", "", "forall(j) forall(i) a(j,i) = B(i,j)"},
        {"a(i) = sum(j, sum(k, B(i,j,k)))", "", "forall(i) forall(j) forall(k) a(i) += B(i,j,k)"},
        {"a = min(i, max(j, B(i,j)))", "a:/f64/inf",
         "forall(i) (a min= t where forall(j) t max= B(i,j))"},
        {"Y(i,r) = A(i,k,l) * C(k,r) * D(l,r)", "",
         "forall(i) forall(r) forall(k) forall(l) Y(i,r) += A(i,k,l) * C(k,r) * D(l,r)"});
}

/* Reductions inside larger expressions, and inside each other. */
static void larger(void **state)
{
    CHECK_ROWS(
        {"r(i) = b(i) - A(i,j) * x(j)", "",
         "forall(i) (r(i) = b(i) - t where forall(j) t += A(i,j) * x(j))"},
        {"y(i) = exp(sum(j, A(i,j)))", "", "forall(i) (y(i) = exp(t) where forall(j) t += A(i,j))"},
        {"y(i) = sum(j, A(i,j) * max(k, B(j,k)))", "",
         "forall(i) forall(j) (y(i) += A(i,j) * t where forall(k) t max= B(j,k))"},
        {"y(i) = sum(j, A(i,j)) * sum(k, B(i,k))", "",
         "forall(i) ((y(i) = t * t2 where forall(k) t2 += B(i,k)) where forall(j) t += A(i,j))"},
        {"y(i) = select(any(j, A(i,j) != 0), b(i), c(i))", "",
         "forall(i) (y(i) = select(t, b(i), c(i)) where forall(j) t |= A(i,j) != 0.0)"},
        {"y = sum(i, b(i) * sum(j, c(j) * sum(k, A(i,j,k))))", "",
         "forall(i) (y += b(i) * t where forall(j) (t += c(j) * t2 where forall(k) t2 += "
         "A(i,j,k)))"});
}

/* A where goes outside the loops that its producer does not depend on, past others that do. */
static void hoisted(void **state)
{
    CHECK_ROWS(
        {"y(i) = b(i) + c(j)", "", "(forall(i) y(i) = b(i) + t where forall(j) t += c(j))"},
        {"Y(i,k) = B(i,j) + d(k)", "",
         "forall(i) (forall(k) Y(i,k) = t + d(k) where forall(j) t += B(i,j))"},
        {"y(i) = sum(j, A(i,j)) * sum(k, c(k))", "",
         "(forall(i) (y(i) = t * t2 where forall(j) t += A(i,j)) where forall(k) t2 += c(k))"},
        {"y(i) = sum(k, c(k)) * sum(j, A(i,j))", "",
         "(forall(i) (y(i) = t * t2 where forall(j) t2 += A(i,j)) where forall(k) t += c(k))"},
        {"y(i) = sum(j, A(i,j) * sum(k, c(k)))", "",
         "(forall(i) forall(j) y(i) += A(i,j) * t where forall(k) t += c(k))"},
        {"y(i) = sum(j, A(i,j) * sum(k, B(i,k)))", "",
         "forall(i) (forall(j) y(i) += A(i,j) * t where forall(k) t += B(i,k))"},
        {"y(i) = sum(j, c(j)) + sum(k, d(k)) + sum(l, A(i,l))", "",
         "((forall(i) (y(i) = t + t2 + t3 where forall(l) t3 += A(i,l)) where forall(k) t2 += "
         "d(k)) where forall(j) t += c(j))"});
}

/* Every loop has a variable of its own, and new names are nobody else's. */
static void fresh_names(void **state)
{
    CHECK_ROWS(
        {"y(i) = A(i,j) * x(j) + B(i,j) * z(j)", "",
         "forall(i) ((y(i) = t + t2 where forall(j2) t2 += B(i,j2) * z(j2)) where forall(j) t += "
         "A(i,j) * x(j))"},
        {"y = sum(j, a(j)) + sum(j, b(j)) + sum(j, c(j))", "",
         "(((y = t + t2 + t3 where forall(j3) t3 += c(j3)) where forall(j2) t2 += b(j2)) where "
         "forall(j) t += a(j))"},
        {"y = sum(j, a(j)) + sum(j, b(j)) + sum(j2, c(j2))", "",
         "(((y = t + t2 + t3 where forall(j2) t3 += c(j2)) where forall(j3) t2 += b(j3)) where "
         "forall(j) t += a(j))"},
        {"y = sum(j, a(j)) + sum(j, b(j)) * j2", "",
         "((y = t + t2 * j2 where forall(j3) t2 += b(j3)) where forall(j) t += a(j))"},
        {"y(i) = t + A(i,j)", "", "forall(i) (y(i) = t + t2 where forall(j) t2 += A(i,j))"},
        {"y(t) = A(t,j) + t2(t)", "", "forall(t) (y(t) = t3 + t2(t) where forall(j) t3 += A(t,j))"},
        {"y = sum(i, a(i) * sum(j, B(i,j))) + sum(i, c(i) * sum(j, D(i,j)))", "",
         "((y = t + t2 where forall(i2) (t2 += c(i2) * t4 where forall(j2) t4 += D(i2,j2))) "
         "where forall(i) (t += a(i) * t3 where forall(j) t3 += B(i,j)))"});
}

/* The result takes the sum itself where it starts from the operator's identity and is as wide. */
static void results(void **state)
{
    CHECK_ROWS(
        {"y(i) = A(i,j)", "y:/f32; A:/f32", "forall(i) forall(j) y(i) += A(i,j)"},
        {"y(i) = A(i,j)", "y:/f32; A:/f64", "forall(i) (y(i) = t where forall(j) t += A(i,j))"},
        {"y(i) = A(i,j)", "y:/f64; A:/f32", "forall(i) forall(j) y(i) += A(i,j)"},
        {"y(i) = A(i,j)", "y:/i32; A:/f64", "forall(i) (y(i) = t where forall(j) t += A(i,j))"},
        {"y(i) = A(i,j)", "y:/f64/1", "forall(i) (y(i) = t where forall(j) t += A(i,j))"},
        {"y(i) = prod(j, A(i,j))", "", "forall(i) (y(i) = t where forall(j) t *= A(i,j))"},
        {"y(i) = prod(j, A(i,j))", "y:/f64/1", "forall(i) forall(j) y(i) *= A(i,j)"},
        {"y(i) = min(j, A(i,j))", "", "forall(i) (y(i) = t where forall(j) t min= A(i,j))"},
        {"y(i) = min(j, A(i,j))", "y:/f64/inf", "forall(i) forall(j) y(i) min= A(i,j)"},
        {"y(i) = max(j, A(i,j))", "y:/u8; A:/u8", "forall(i) forall(j) y(i) max= A(i,j)"},
        {"y(i) = any(j, A(i,j))", "y:/bool", "forall(i) forall(j) y(i) |= A(i,j) != 0.0"},
        {"y(i) = all(j, A(i,j))", "y:/bool/true", "forall(i) forall(j) y(i) &= A(i,j) != 0.0"},
        {"y(i) = any(j, A(i,j))", "", "forall(i) (y(i) = t where forall(j) t |= A(i,j) != 0.0)"});
}

static void compound(void **state)
{
    CHECK_ROWS(
        {"y(i) += b(i)", "", "forall(i) y(i) += b(i)"},
        {"y(i) += A(i,j) * x(j)", "", "forall(i) forall(j) y(i) += A(i,j) * x(j)"},
        {"y(i) *= sum(j, A(i,j))", "", "forall(i) (y(i) *= t where forall(j) t += A(i,j))"},
        {"y(i) += A(i,j) + b(i)", "", "forall(i) (y(i) += t + b(i) where forall(j) t += A(i,j))"},
        {"y(i) min= min(j, A(i,j))", "", "forall(i) forall(j) y(i) min= A(i,j)"},
        {"y(i) += A(i,j)", "y:/f32", "forall(i) (y(i) += t where forall(j) t += A(i,j))"});
}

/* ---- what the text does not say ---- */

struct temporary {
    const char *statement, *declarations, *name;
    enum type type;
    double start;
};

/* A sum accumulates in the wider of what is summed and what it goes into, a minimum in its own
 * type; both from the operator's identity. */
static void accumulators(void **state)
{
    static const struct temporary row[] = {
        {"y(i) = A(i,j)", "y:/f32", "t", TYPE_F64, 0},
        {"y(i) = prod(j, A(i,j))", "A:/f32", "t", TYPE_F64, 1},
        {"y(i) = b(i) + sum(j, A(i,j))", "y:/f64; b:/f32; A:/f32", "t", TYPE_F64, 0},
        {"y(i) = max(j, A(i,j)) + b(i)", "y:/i16; b:/i8; A:/i8", "t", TYPE_I8, -128},
        {"y(i) = min(j, A(i,j))", "y:/f64; A:/f32", "t", TYPE_F32, (double)INFINITY},
        {"y(i) = any(j, A(i,j))", "", "t", TYPE_BOOL, 0},
        {"y(i) = all(j, A(i,j))", "", "t", TYPE_BOOL, 1},
        {"y(i) = b(i) + A(i,j)", "y:/c128; A:/c64; b:/c64", "t", TYPE_C128, 0},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        const struct tensor_var *t = lab_tensor(cx, p->statement, row[i].name);
        assert_true(t->temporary);
        assert_int_equal(t->order, 0);
        assert_string_equal(type_name(t->type), type_name(row[i].type));
        assert_int_equal(t->fill.type, t->type);
        assert_true(value_double(t->fill) == row[i].start);
    }
}

static void accumulates(void **state)
{
    LAB(cx);
    assert_true(lab_program(cx, "y(i) += A(i,j)", "")->accumulates);
    assert_false(lab_program(cx, "y(i) = A(i,j)", "")->accumulates); /* that is spcc's own += */
}

/* A fresh variable ranges over what the old one does. */
static void sizes(void **state)
{
    LAB(cx);
    const struct cin *s = lab_program(cx, "y = sum(j, a(j)) + sum(j, b(j))", "j=7")->statement;
    assert_int_equal(lab_var(cx, s, "j")->size, 7);
    assert_int_equal(lab_var(cx, s, "j2")->size, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(thesis),      LAB_TEST(plain),   LAB_TEST(larger),   LAB_TEST(hoisted),
        LAB_TEST(fresh_names), LAB_TEST(results), LAB_TEST(compound), LAB_TEST(accumulators),
        LAB_TEST(accumulates), LAB_TEST(sizes),
    };
    return cmocka_run_group_tests_name("concretize", tests, NULL, NULL);
}
