/* table.h - the lattices that are expected.
 *
 *     iterate b c; search A; locate x; dimension        who is coiterated, searched for, at hand;
 *                                                       over the dimension?
 *     b c : b(i) + c(i)                                 a point: who is present, and the body there
 *     while b c: b c | b | c | -                        a loop and its cases; "-": at some
 *                                                       coordinates there is none
 *
 * A body that assigns to the result is written as what it assigns.  Figures and sections are the
 * thesis's.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_LATTICE_TABLE_H
#define SPCC_TESTS_LATTICE_TABLE_H

/* loop: its variable; or the concrete notation to take instead of the statement's own, and of it
 * the first loop. */
struct row {
    const char *name, *statement, *declarations, *loop, *expected;
};

/* The schedule is applied first, and mapped formats are unfolded. */
struct related_row {
    const char *schedule;
    struct row row;
};

/* thesis 3.3: the segment, dimension, intersection and union rules */
static const struct row rules[] = {
    {"segment that iterates (3-29)", "a(i) = b(i)", "b:s", "i",
     "iterate b\n"
     "b : b(i)\n"
     "while b: b\n"},
    {"segment that only locates (3-29)", "a(i) = b(i)", "b:d", "i",
     "locate b; dimension\n"
     "nothing : b(i)\n"
     "for: nothing\n"},
    {"dimension (3-30)", "a(i) = alpha", "i=4", "i",
     "dimension\n"
     "nothing : alpha\n"
     "for: nothing\n"},
    {"intersection (3-31)", "a(i) = b(i) * c(i)", "b:s; c:s", "i",
     "iterate b c\n"
     "b c : b(i) * c(i)\n"
     "while b c: b c | -\n"},
    {"union (3-32)", "a(i) = b(i) + c(i)", "b:s; c:s", "i",
     "iterate b c\n"
     "b c : b(i) + c(i)\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"union of three (3-18)", "a(i) = b(i) + c(i) + d(i)", "b:s; c:s; d:s", "i",
     "iterate b c d\n"
     "b c d : b(i) + c(i) + d(i)\n"
     "b c : b(i) + c(i)\n"
     "b d : b(i) + d(i)\n"
     "c d : c(i) + d(i)\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "d : d(i)\n"
     "while b c d: b c d | b c | b d | c d | b | c | d\n"
     "while b c: b c | b | c\n"
     "while b d: b d | b | d\n"
     "while c d: c d | c | d\n"
     "while b: b\n"
     "while c: c\n"
     "while d: d\n"},
    {"intersection of three (3-19)", "a(i) = b(i) * c(i) * d(i)", "b:s; c:s; d:s", "i",
     "iterate b c d\n"
     "b c d : b(i) * c(i) * d(i)\n"
     "while b c d: b c d | -\n"},
    {"(b u c) n d (3-20, 3-23, 3-25)", "a(i) = (b(i) + c(i)) * d(i)", "b:s; c:s; d:s", "i",
     "iterate b c d\n"
     "b c d : (b(i) + c(i)) * d(i)\n"
     "b d : b(i) * d(i)\n"
     "c d : c(i) * d(i)\n"
     "while b c d: b c d | b d | c d | -\n"
     "while b d: b d | -\n"
     "while c d: c d | -\n"},
    {"(b n c) u d", "a(i) = b(i) * c(i) + d(i)", "b:s; c:s; d:s", "i",
     "iterate b c d\n"
     "b c d : b(i) * c(i) + d(i)\n"
     "b c : b(i) * c(i)\n"
     "d : d(i)\n"
     "while b c d: b c d | b c | d | -\n"
     "while b c: b c | -\n"
     "while d: d\n"},
    {"subtraction is a union", "a(i) = b(i) - c(i)", "b:s; c:s", "i",
     "iterate b c\n"
     "b c : b(i) - c(i)\n"
     "b : b(i)\n"
     "c : 0.0 - c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"a broadcast scalar, union (3.2)", "a(i) = alpha + b(i)", "b:s", "i",
     "iterate b; dimension\n"
     "b : alpha + b(i)\n"
     "nothing : alpha\n"
     "while b: b | nothing\n"
     "for: nothing\n"},
    {"a broadcast scalar, intersection", "a(i) = alpha * b(i)", "b:s", "i",
     "iterate b\n"
     "b : alpha * b(i)\n"
     "while b: b\n"},
};

/* thesis 3.3: operands that are dense, and the two optimizations */
static const struct row mixed[] = {
    {"dense only, union (3-27)", "a(i) = b(i) + c(i)", "", "i",
     "locate b c; dimension\n"
     "nothing : b(i) + c(i)\n"
     "for: nothing\n"},
    {"dense only, intersection (3-27)", "a(i) = b(i) * c(i)", "", "i",
     "locate b c; dimension\n"
     "nothing : b(i) * c(i)\n"
     "for: nothing\n"},
    {"intersection optimization (3-22, 3-33)", "a(i) = b(i) * c(i)", "b:s", "i",
     "iterate b; locate c\n"
     "b : b(i) * c(i)\n"
     "while b: b\n"},
    {"subset optimization (3-34)", "a(i) = b(i) + c(i)", "c:s", "i",
     "iterate c; locate b; dimension\n"
     "c : b(i) + c(i)\n"
     "nothing : b(i)\n"
     "while c: c | nothing\n"
     "for: nothing\n"},
    {"(b u c) n d, c dense (3-27)", "a(i) = (b(i) + c(i)) * d(i)", "b:s; d:s", "i",
     "iterate b d; locate c\n"
     "b d : (b(i) + c(i)) * d(i)\n"
     "d : c(i) * d(i)\n"
     "while b d: b d | d | -\n"
     "while d: d\n"},
    {"(b n c) u d, c dense", "a(i) = b(i) * c(i) + d(i)", "b:s; d:s", "i",
     "iterate b d; locate c\n"
     "b d : b(i) * c(i) + d(i)\n"
     "b : b(i) * c(i)\n"
     "d : d(i)\n"
     "while b d: b d | b | d\n"
     "while b: b\n"
     "while d: d\n"},
    {"b n c n d, c dense", "a(i) = b(i) * c(i) * d(i)", "b:s; d:s", "i",
     "iterate b d; locate c\n"
     "b d : b(i) * c(i) * d(i)\n"
     "while b d: b d | -\n"},
    {"b u c u d, c dense", "a(i) = b(i) + c(i) + d(i)", "b:s; d:s", "i",
     "iterate b d; locate c; dimension\n"
     "b d : b(i) + c(i) + d(i)\n"
     "b : b(i) + c(i)\n"
     "d : c(i) + d(i)\n"
     "nothing : c(i)\n"
     "while b d: b d | b | d | nothing\n"
     "while b: b | nothing\n"
     "while d: d | nothing\n"
     "for: nothing\n"},
};

/* one loop of several: which levels take part */
static const struct row nested[] = {
    {"SpMV, csr, rows", "y(i) = A(i,j) * x(j)", "A:csr", "i",
     "locate A; dimension\n"
     "nothing : forall(j) y(i) += A(i,j) * x(j)\n"
     "for: nothing\n"},
    {"SpMV, csr, columns", "y(i) = A(i,j) * x(j)", "A:csr", "j",
     "iterate A; locate x\n"
     "A : y(i) += A(i,j) * x(j)\n"
     "while A: A\n"},
    {"SpMV, dcsr, rows", "y(i) = A(i,j) * x(j)", "A:dcsr", "i",
     "iterate A\n"
     "A : forall(j) y(i) += A(i,j) * x(j)\n"
     "while A: A\n"},
    {"SpMSpV, columns (1-11)", "y(i) = A(i,j) * x(j)", "A:dcsr; x:s", "j",
     "iterate A x\n"
     "A x : y(i) += A(i,j) * x(j)\n"
     "while A x: A x | -\n"},
    {"SpMV, coo, rows", "y(i) = A(i,j) * x(j)", "A:coo", "i",
     "iterate A\n"
     "A : forall(j) y(i) += A(i,j) * x(j)\n"
     "while A: A\n"},
    {"SpMV, coo, columns", "y(i) = A(i,j) * x(j)", "A:coo", "j",
     "iterate A; locate x\n"
     "A : y(i) += A(i,j) * x(j)\n"
     "while A: A\n"},
    {"coo times coo", "C(i,j) = A(i,j) * B(i,j)", "A:coo; B:coo", "j",
     "iterate A B\n"
     "A B : A(i,j) * B(i,j)\n"
     "while A B: A B | -\n"},
    {"sum of csr, rows", "A(i,j) = B(i,j) + C(i,j)", "B:csr; C:csr", "i",
     "locate B C; dimension\n"
     "nothing : forall(j) A(i,j) = B(i,j) + C(i,j)\n"
     "for: nothing\n"},
    {"sum of csr, columns", "A(i,j) = B(i,j) + C(i,j)", "B:csr; C:csr", "j",
     "iterate B C\n"
     "B C : B(i,j) + C(i,j)\n"
     "B : B(i,j)\n"
     "C : C(i,j)\n"
     "while B C: B C | B | C\n"
     "while B: B\n"
     "while C: C\n"},
    {"sum of dcsr, rows (3-9)", "A(i,j) = B(i,j) + C(i,j)", "B:dcsr; C:dcsr", "i",
     "iterate B C\n"
     "B C : forall(j) A(i,j) = B(i,j) + C(i,j)\n"
     "B : forall(j) A(i,j) = B(i,j)\n"
     "C : forall(j) A(i,j) = C(i,j)\n"
     "while B C: B C | B | C\n"
     "while B: B\n"
     "while C: C\n"},
    {"a row added to every row, rows", "A(i,j) = B(i,j) + c(j)", "B:dcsr; c:s", "i",
     "iterate B; dimension\n"
     "B : forall(j) A(i,j) = B(i,j) + c(j)\n"
     "nothing : forall(j) A(i,j) = c(j)\n"
     "while B: B | nothing\n"
     "for: nothing\n"},
    {"a row added to every row, columns", "A(i,j) = B(i,j) + c(j)", "B:dcsr; c:s", "j",
     "iterate B c\n"
     "B c : B(i,j) + c(j)\n"
     "B : B(i,j)\n"
     "c : c(j)\n"
     "while B c: B c | B | c\n"
     "while B: B\n"
     "while c: c\n"},
    {"B n c_i, rows (3-8)", "A(i,j) = B(i,j) * c(i)", "B:dcsr; c:s", "i",
     "iterate B c\n"
     "B c : forall(j) A(i,j) = B(i,j) * c(i)\n"
     "while B c: B c | -\n"},
    {"B n c_i, columns (3-8)", "A(i,j) = B(i,j) * c(i)", "B:dcsr; c:s", "j",
     "iterate B\n"
     "B : B(i,j) * c(i)\n"
     "while B: B\n"},
    {"compressed above dense, rows", "Y(i,j) = A(i,j)", "A:sd", "i",
     "iterate A\n"
     "A : forall(j) Y(i,j) = A(i,j)\n"
     "while A: A\n"},
    {"compressed above dense, columns", "Y(i,j) = A(i,j)", "A:sd", "j",
     "locate A; dimension\n"
     "nothing : A(i,j)\n"
     "for: nothing\n"},
    {"compressed above dense, inside out", "Y(j,i) = A(i,j)", "A:sd", "i",
     "iterate A\n"
     "A : A(i,j)\n"
     "while A: A\n"},
    {"TTV, last mode", "A(i,j) = B(i,j,k) * c(k)", "B:csf; c:s", "k",
     "iterate B c\n"
     "B c : A(i,j) += B(i,j,k) * c(k)\n"
     "while B c: B c | -\n"},
    {"MTTKRP, first mode", "Y(i,r) = A(i,k,l) * C(k,r) * D(l,r)", "A:csf", "i",
     "iterate A\n"
     "A : forall(r) forall(k) forall(l) Y(i,r) += A(i,k,l) * C(k,r) * D(l,r)\n"
     "while A: A\n"},
    {"MTTKRP, last mode", "Y(i,r) = A(i,k,l) * C(k,r) * D(l,r)", "A:csf", "l",
     "iterate A; locate D\n"
     "A : Y(i,r) += A(i,k,l) * C(k,r) * D(l,r)\n"
     "while A: A\n"},
    {"MTTKRP, columns of the factors", "Y(i,r) = A(i,k,l) * C(k,r) * D(l,r)", "A:csf", "r",
     "dimension\n"
     "nothing : forall(k) forall(l) Y(i,r) += A(i,k,l) * C(k,r) * D(l,r)\n"
     "for: nothing\n"},
    {"a hypersparse sum of three fits no loop of its own", "A(i,j) = B(i,j) + C(i,j) + D(i,j)",
     "B:dcsr; C:dcsr; D:dcsr", "i",
     "iterate B C D; flat\n"
     "B : forall(j) A(i,j) = B(i,j) + C(i,j) + D(i,j)\n"
     "C : forall(j) A(i,j) = B(i,j) + C(i,j) + D(i,j)\n"
     "D : forall(j) A(i,j) = B(i,j) + C(i,j) + D(i,j)\n"},
    {"... but the innermost does", "A(i,j) = B(i,j) + C(i,j) + D(i,j)", "B:csr; C:csr; D:csr", "j",
     "iterate B C D\n"
     "B C D : B(i,j) + C(i,j) + D(i,j)\n"
     "B C : B(i,j) + C(i,j)\n"
     "B D : B(i,j) + D(i,j)\n"
     "C D : C(i,j) + D(i,j)\n"
     "B : B(i,j)\n"
     "C : C(i,j)\n"
     "D : D(i,j)\n"
     "while B C D: B C D | B C | B D | C D | B | C | D\n"
     "while B C: B C | B | C\n"
     "while B D: B D | B | D\n"
     "while C D: C D | C | D\n"
     "while B: B\n"
     "while C: C\n"
     "while D: D\n"},
};

/* regions follow from the operators' algebra, of which lattices know nothing */
static const struct row operators[] = {
    {"min", "a(i) = min(b(i), c(i))", "b:s; c:s", "i",
     "iterate b c\n"
     "b c : min(b(i), c(i))\n"
     "b : min(b(i), 0.0)\n"
     "c : min(0.0, c(i))\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"max", "a(i) = max(b(i), c(i))", "b:s; c:s", "i",
     "iterate b c\n"
     "b c : max(b(i), c(i))\n"
     "b : max(b(i), 0.0)\n"
     "c : max(0.0, c(i))\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"min of unsigned: 0 is the least", "a(i) = min(b(i), c(i))", "a:/u8; b:s/u8; c:s/u8", "i",
     "iterate b c\n"
     "b c : min(b(i), c(i))\n"
     "while b c: b c | -\n"},
    {"max of unsigned", "a(i) = max(b(i), c(i))", "a:/u8; b:s/u8; c:s/u8", "i",
     "iterate b c\n"
     "b c : max(b(i), c(i))\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"or", "a(i) = or(b(i), c(i))", "a:/bool; b:s/bool; c:s/bool", "i",
     "iterate b c\n"
     "b c : or(b(i), c(i))\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"and", "a(i) = and(b(i), c(i))", "a:/bool; b:s/bool; c:s/bool", "i",
     "iterate b c\n"
     "b c : and(b(i), c(i))\n"
     "while b c: b c | -\n"},
    {"xor", "a(i) = xor(b(i), c(i))", "a:/i32; b:s/i32; c:s/i32", "i",
     "iterate b c\n"
     "b c : xor(b(i), c(i))\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"== holds where both are absent", "a(i) = b(i) == c(i)", "b:s; c:s", "i",
     "iterate b c; dimension\n"
     "b c : b(i) == c(i)\n"
     "b : b(i) == 0.0\n"
     "c : 0.0 == c(i)\n"
     "nothing : true\n"
     "while b c: b c | b | c | nothing\n"
     "while b: b | nothing\n"
     "while c: c | nothing\n"
     "for: nothing\n"},
    {"== into a result of true", "a(i) = b(i) == c(i)", "a:/bool/true; b:s; c:s", "i",
     "iterate b c\n"
     "b c : b(i) == c(i)\n"
     "b : b(i) == 0.0\n"
     "c : 0.0 == c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"!=", "a(i) = b(i) != c(i)", "a:/bool; b:s; c:s", "i",
     "iterate b c\n"
     "b c : b(i) != c(i)\n"
     "b : b(i) != 0.0\n"
     "c : 0.0 != c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"<", "a(i) = b(i) < c(i)", "a:/bool; b:s; c:s", "i",
     "iterate b c\n"
     "b c : b(i) < c(i)\n"
     "b : b(i) < 0.0\n"
     "c : 0.0 < c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"/ of floats: 0/0 is nan everywhere", "a(i) = b(i) / c(i)", "b:s; c:s", "i",
     "iterate b c; dimension\n"
     "b c : b(i) / c(i)\n"
     "b : b(i) / 0.0\n"
     "c : nothing\n"
     "nothing : nan\n"
     "while b c: b c | b | c | nothing\n"
     "while b: b | nothing\n"
     "while c: c | nothing\n"
     "for: nothing\n"},
    {"/ by a dense operand", "a(i) = b(i) / c(i)", "b:s", "i",
     "iterate b; locate c\n"
     "b : b(i) / c(i)\n"
     "while b: b\n"},
    {"/ of a dense operand", "a(i) = b(i) / c(i)", "c:s", "i",
     "iterate c; locate b; dimension\n"
     "c : b(i) / c(i)\n"
     "nothing : b(i) / 0.0\n"
     "while c: c | nothing\n"
     "for: nothing\n"},
    {"/ of integers: x/0 is 0", "a(i) = b(i) / c(i)", "a:/i32; b:s/i32; c:s/i32", "i",
     "iterate b c\n"
     "b c : b(i) / c(i)\n"
     "while b c: b c | -\n"},
    {"/ by an operand of ones", "a(i) = b(i) / c(i)", "b:s; c:s/f64/1", "i",
     "iterate b c\n"
     "b c : b(i) / c(i)\n"
     "b : b(i)\n"
     "while b c: b c | b | -\n"
     "while b: b\n"},
    {"mod", "a(i) = mod(b(i), c(i))", "a:/i32; b:s/i32; c:s/i32", "i",
     "iterate b c\n"
     "b c : mod(b(i), c(i))\n"
     "while b c: b c | -\n"},
    {"pow into a result of ones", "a(i) = pow(b(i), c(i))", "a:/f64/1; b:s; c:s", "i",
     "iterate b c\n"
     "b c : pow(b(i), c(i))\n"
     "c : pow(0.0, c(i))\n"
     "while b c: b c | c | -\n"
     "while c: c\n"},
    {"a function that keeps 0", "a(i) = sqrt(b(i))", "b:s", "i",
     "iterate b\n"
     "b : sqrt(b(i))\n"
     "while b: b\n"},
    {"negation", "a(i) = -b(i)", "b:s", "i",
     "iterate b\n"
     "b : -b(i)\n"
     "while b: b\n"},
    {"a function that does not", "a(i) = exp(b(i))", "b:s", "i",
     "iterate b; dimension\n"
     "b : exp(b(i))\n"
     "nothing : 1.0\n"
     "while b: b | nothing\n"
     "for: nothing\n"},
    {"... into a result of ones", "a(i) = exp(b(i))", "a:/f64/1; b:s", "i",
     "iterate b\n"
     "b : exp(b(i))\n"
     "while b: b\n"},
    {"... times something sparse", "a(i) = exp(b(i)) * c(i)", "b:s; c:s", "i",
     "iterate b c\n"
     "b c : exp(b(i)) * c(i)\n"
     "c : c(i)\n"
     "while b c: b c | c | -\n"
     "while c: c\n"},
    {"select", "a(i) = select(b(i) > 0, c(i), d(i))", "b:s; c:s; d:s", "i",
     "iterate b c d\n"
     "b c d : select(b(i) > 0.0, c(i), d(i))\n"
     "b c : select(b(i) > 0.0, c(i), 0.0)\n"
     "b d : select(b(i) > 0.0, 0.0, d(i))\n"
     "d : d(i)\n"
     "while b c d: b c d | b c | b d | d | -\n"
     "while b c: b c | -\n"
     "while b d: b d | d | -\n"
     "while d: d\n"},
    {"select by a mask", "a(i) = select(m(i), c(i), 0)", "m:s/bool; c:s", "i",
     "iterate m c\n"
     "m c : select(m(i), c(i), 0.0)\n"
     "while m c: m c | -\n"},
    {"select between the same", "a(i) = select(m(i), c(i), c(i))", "m:s/bool; c:s", "i",
     "iterate c\n"
     "c : c(i)\n"
     "while c: c\n"},
    {"select the first that is not 0", "a(i) = select(b(i) != 0, b(i), c(i))", "b:s; c:s", "i",
     "iterate b c\n"
     "b c : select(b(i) != 0.0, b(i), c(i))\n"
     "b : select(b(i) != 0.0, b(i), 0.0)\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"what is always 0", "a(i) = b(i) * 0", "b:s", "i", "nowhere\n"},
    {"a constant", "a(i) = 2 + b(i) * 0", "b:s", "i",
     "dimension\n"
     "nothing : 2.0\n"
     "for: nothing\n"},
    {"infinity times 0 is nan", "a(i) = inf * b(i)", "b:s", "i",
     "iterate b; dimension\n"
     "b : inf * b(i)\n"
     "nothing : nan\n"
     "while b: b | nothing\n"
     "for: nothing\n"},
    {"types that differ keep their conversion", "a(i) = b(i) + c(i)", "b:s/f32; c:s", "i",
     "iterate b c\n"
     "b c : b(i) + c(i)\n"
     "b : b(i) + 0.0\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"complex", "a(i) = b(i) * c(i)", "a:/c128; b:s/c128; c:s/c64", "i",
     "iterate b c\n"
     "b c : b(i) * c(i)\n"
     "while b c: b c | -\n"},
};

/* fill values other than 0 */
static const struct row fills[] = {
    {"min of infinities is a union", "a(i) = min(b(i), c(i))",
     "a:/f64/inf; b:s/f64/inf; c:s/f64/inf", "i",
     "iterate b c\n"
     "b c : min(b(i), c(i))\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"... into a result of zeros", "a(i) = min(b(i), c(i))", "b:s/f64/inf; c:s/f64/inf", "i",
     "iterate b c; dimension\n"
     "b c : min(b(i), c(i))\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "nothing : inf\n"
     "while b c: b c | b | c | nothing\n"
     "while b: b | nothing\n"
     "while c: c | nothing\n"
     "for: nothing\n"},
    {"max of -infinities", "a(i) = max(b(i), c(i))", "a:/f64/-inf; b:s/f64/-inf; c:s/f64/-inf", "i",
     "iterate b c\n"
     "b c : max(b(i), c(i))\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"a product of ones is a union", "a(i) = b(i) * c(i)", "a:/f64/1; b:s/f64/1; c:s/f64/1", "i",
     "iterate b c\n"
     "b c : b(i) * c(i)\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"ones times zeros", "a(i) = b(i) * c(i)", "b:s/f64/1; c:s", "i",
     "iterate b c\n"
     "b c : b(i) * c(i)\n"
     "c : c(i)\n"
     "while b c: b c | c | -\n"
     "while c: c\n"},
    {"ones plus ones, into twos", "a(i) = b(i) + c(i)", "a:/f64/2; b:s/f64/1; c:s/f64/1", "i",
     "iterate b c\n"
     "b c : b(i) + c(i)\n"
     "b : b(i) + 1.0\n"
     "c : 1.0 + c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"ones plus ones, into zeros", "a(i) = b(i) + c(i)", "b:s/f64/1; c:s/f64/1", "i",
     "iterate b c; dimension\n"
     "b c : b(i) + c(i)\n"
     "b : b(i) + 1.0\n"
     "c : 1.0 + c(i)\n"
     "nothing : 2.0\n"
     "while b c: b c | b | c | nothing\n"
     "while b: b | nothing\n"
     "while c: c | nothing\n"
     "for: nothing\n"},
    {"infinity absorbs", "a(i) = inf + b(i)", "a:/f64/inf; b:s", "i", "nowhere\n"},
    {"nan is a fill like any other", "a(i) = b(i) + c(i)", "a:/f64/nan; b:s/f64/nan; c:s", "i",
     "iterate b c\n"
     "b c : b(i) + c(i)\n"
     "b : b(i)\n"
     "c : nan + c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"the tropical semiring, rows", "y(i) = min(j, A(i,j) + x(j))", "y:/f64/inf; A:dcsr/f64/inf",
     "i",
     "iterate A\n"
     "A : forall(j) y(i) min= A(i,j) + x(j)\n"
     "while A: A\n"},
    {"the tropical semiring, columns", "y(i) = min(j, A(i,j) + x(j))", "y:/f64/inf; A:csr/f64/inf",
     "j",
     "iterate A; locate x\n"
     "A : y(i) min= A(i,j) + x(j)\n"
     "while A: A\n"},
    {"all", "y(i) = all(j, A(i,j) != 2)", "y:/bool/true; A:csr", "j",
     "iterate A\n"
     "A : y(i) &= A(i,j) != 2.0\n"
     "while A: A\n"},
    {"any", "y(i) = any(j, A(i,j) > 2)", "y:/bool; A:csr", "j",
     "iterate A\n"
     "A : y(i) |= A(i,j) > 2.0\n"
     "while A: A\n"},
    {"prod of ones", "y(i) = prod(j, A(i,j))", "y:/f64/1; A:csr/f64/1", "j",
     "iterate A\n"
     "A : y(i) *= A(i,j)\n"
     "while A: A\n"},
    {"prod of zeros", "y(i) = prod(j, A(i,j))", "A:csr", "j",
     "iterate A; rest\n"
     "A : t *= A(i,j)\n"
     "nothing : t *= 0.0\n"
     "while A: A\n"},
    {"what is left over of a sum is a product", "y(i) = sum(j, A(i,j) + 1)", "A:csr", "j",
     "iterate A; rest\n"
     "A : y(i) += A(i,j) + 1.0\n"
     "nothing : y(i) += 1.0\n"
     "while A: A\n"},
    {"... of what does not depend on the coordinate", "y(i) = sum(j, A(i,j) + x(i))", "A:csr", "j",
     "iterate A; rest\n"
     "A : y(i) += A(i,j) + x(i)\n"
     "nothing : y(i) += x(i)\n"
     "while A: A\n"},
    {"what depends on it is at each coordinate", "y(i) = sum(j, A(i,j) + x(j))", "A:csr", "j",
     "iterate A; locate x; dimension\n"
     "A : y(i) += A(i,j) + x(j)\n"
     "nothing : y(i) += x(j)\n"
     "while A: A | nothing\n"
     "for: nothing\n"},
    {"max over a union", "y(i) = max(j, A(i,j) + B(i,j))", "A:csr; B:csr", "j",
     "iterate A B; rest\n"
     "A B : t max= A(i,j) + B(i,j)\n"
     "A : t max= A(i,j)\n"
     "B : t max= B(i,j)\n"
     "nothing : t max= 0.0\n"
     "while A B: A B | A | B\n"
     "while A: A\n"
     "while B: B\n"},
    {"max over an intersection", "y(i) = max(j, A(i,j) * B(i,j))", "A:csr; B:csr", "j",
     "iterate A B; rest\n"
     "A B : t max= A(i,j) * B(i,j)\n"
     "nothing : t max= 0.0\n"
     "while A B: A B | -\n"},
    {"max along a table", "y(i) = max(j, A(i,j))", "A:dh", "j",
     "iterate A; rest\n"
     "A : t max= A(i,j)\n"
     "nothing : t max= 0.0\n"
     "while A: A\n"},
    {"max over two tables goes over the dimension", "y(i) = max(j, A(i,j) + B(i,j))", "A:dh; B:dh",
     "j",
     "search A B; dimension\n"
     "A B : t max= A(i,j) + B(i,j)\n"
     "A : t max= A(i,j)\n"
     "B : t max= B(i,j)\n"
     "nothing : t max= 0.0\n"
     "for: A B | A | B | nothing\n"},
    {"runs of duplicates are a coordinate each", "y = max(i, a(i))", "a:u", "i",
     "iterate a; rest\n"
     "a : t max= a(i)\n"
     "nothing : t max= 0.0\n"
     "while a: a\n"},
    {"without order a coordinate may come again", "y = max(i, a(i))",
     "a:(i)->(i:compressed(nonunique, unordered))", "i",
     "trouble with a(i): its coordinates are not ordered, and other operands are iterated with "
     "it\n"},
    {"a fill that is the identity", "y(i) = max(j, A(i,j))", "A:csr/f64/-inf", "j",
     "iterate A\n"
     "A : t max= A(i,j)\n"
     "while A: A\n"},
};

/* compound assignments: nothing is done where the operator's identity is combined with */
static const struct row compound[] = {
    {"+=", "y(i) += b(i)", "b:s", "i",
     "iterate b\n"
     "b : y(i) += b(i)\n"
     "while b: b\n"},
    {"*= of zeros", "y(i) *= b(i)", "b:s", "i",
     "iterate b; dimension\n"
     "b : y(i) *= b(i)\n"
     "nothing : y(i) *= 0.0\n"
     "while b: b | nothing\n"
     "for: nothing\n"},
    {"*= of ones", "y(i) *= b(i)", "b:s/f64/1", "i",
     "iterate b\n"
     "b : y(i) *= b(i)\n"
     "while b: b\n"},
    {"min=", "y(i) min= b(i)", "b:s/f64/inf", "i",
     "iterate b\n"
     "b : y(i) min= b(i)\n"
     "while b: b\n"},
    {"max=", "y(i) max= b(i)", "y:/i8; b:s/i8/-128", "i",
     "iterate b\n"
     "b : y(i) max= b(i)\n"
     "while b: b\n"},
    {"|=", "y(i) |= b(i)", "y:/bool; b:s/bool", "i",
     "iterate b\n"
     "b : y(i) |= b(i)\n"
     "while b: b\n"},
    {"&= of true", "y(i) &= b(i)", "y:/bool; b:s/bool/true", "i",
     "iterate b\n"
     "b : y(i) &= b(i)\n"
     "while b: b\n"},
    {"&= of false", "y(i) &= b(i)", "y:/bool; b:s/bool", "i",
     "iterate b; dimension\n"
     "b : y(i) &= b(i)\n"
     "nothing : y(i) &= false\n"
     "while b: b | nothing\n"
     "for: nothing\n"},
    {"+= of a product", "y(i) += b(i) * c(i)", "b:s; c:s", "i",
     "iterate b c\n"
     "b c : y(i) += b(i) * c(i)\n"
     "while b c: b c | -\n"},
};

/* operands that appear more than once have one place */
static const struct row repeated[] = {
    {"b*b", "a(i) = b(i) * b(i)", "b:s", "i",
     "iterate b\n"
     "b : b(i) * b(i)\n"
     "while b: b\n"},
    {"b+b", "a(i) = b(i) + b(i)", "b:s", "i",
     "iterate b\n"
     "b : b(i) + b(i)\n"
     "while b: b\n"},
    {"b-b is stored: the pattern is structural", "a(i) = b(i) - b(i)", "b:s", "i",
     "iterate b\n"
     "b : b(i) - b(i)\n"
     "while b: b\n"},
    {"b*c + b", "a(i) = b(i) * c(i) + b(i)", "b:s; c:s", "i",
     "iterate b c\n"
     "b c : b(i) * c(i) + b(i)\n"
     "b : b(i)\n"
     "while b c: b c | b | -\n"
     "while b: b\n"},
    {"min(b,b)", "a(i) = min(b(i), b(i))", "b:s", "i",
     "iterate b\n"
     "b : b(i)\n"
     "while b: b\n"},
    {"B1 and B1 is B1 (3-11)", "a(i) = B(i,j) * B(i,k)", "B:dcsr", "i",
     "iterate B\n"
     "B : ((a(i) = t * t2 where forall(k) t2 += B(i,k)) where forall(j) t += B(i,j))\n"
     "while B: B\n"},
    {"B1 or B1", "a(i) = sum(j, B(i,j)) + sum(k, B(i,k) * B(i,k)) + c(i)", "B:coo; c:s", "i",
     "iterate c B\n"
     "c B : ((a(i) = t + t2 + c(i) where forall(k) t2 += B(i,k) * B(i,k)) where forall(j) t += "
     "B(i,j))\n"
     "c : c(i)\n"
     "B : ((a(i) = t + t2 where forall(k) t2 += B(i,k) * B(i,k)) where forall(j) t += B(i,j))\n"
     "while c B: c B | c | B\n"
     "while c: c\n"
     "while B: B\n"},
    {"B1 and B1, B2 and B2", "a(i) = B(i,j,k) * B(i,j,l)", "B:sss", "j",
     "iterate B\n"
     "B : forall(k) forall(l) a(i) += B(i,j,k) * B(i,j,l)\n"
     "while B: B\n"},
    {"runs that are apart are not shared", "a(i) = B(i,j) * B(i,k)",
     "B:(i,j) -> (i: compressed(nonunique, unordered), j: singleton)", "i",
     "trouble with B(i,k): its coordinates are not ordered, and other operands are iterated with "
     "it\n"},
    {"A and its transpose, csr, rows", "C(i,j) = A(i,j) * A(j,i)", "A:csr", "i",
     "locate A; dimension\n"
     "nothing : forall(j) C(i,j) = A(i,j) * A(j,i)\n"
     "for: nothing\n"},
    {"A and its transpose, csr, columns", "C(i,j) = A(i,j) * A(j,i)", "A:csr", "j",
     "iterate A(i,j); search A(j,i)\n"
     "A(i,j) A(j,i) : A(i,j) * A(j,i)\n"
     "while A(i,j): A(i,j) A(j,i) | -\n"},
    {"A plus its transpose, dcsr, rows", "C(i,j) = A(i,j) + A(j,i)", "A:dcsr", "i",
     "iterate A; dimension\n"
     "A : forall(j) C(i,j) = A(i,j) + A(j,i)\n"
     "nothing : forall(j) C(i,j) = A(j,i)\n"
     "while A: A | nothing\n"
     "for: nothing\n"},
    {"A plus its transpose, dcsr, columns", "C(i,j) = A(i,j) + A(j,i)", "A:dcsr", "j",
     "iterate A(i,j) A(j,i)\n"
     "A(i,j) A(j,i) : A(i,j) + A(j,i)\n"
     "A(i,j) : A(i,j)\n"
     "A(j,i) : A(j,i)\n"
     "while A(i,j) A(j,i): A(i,j) A(j,i) | A(i,j) | A(j,i) | -\n"
     "while A(i,j): A(i,j)\n"
     "while A(j,i): A(j,i) | -\n"},
    {"diagonal, dense", "y(i) = A(i,i)", "", "i",
     "locate A; dimension\n"
     "nothing : A(i,i)\n"
     "for: nothing\n"},
    {"diagonal, csr", "y(i) = A(i,i)", "A:csr", "i",
     "search A; dimension\n"
     "A : A(i,i)\n"
     "for: A | -\n"},
    {"diagonal, dcsr", "y(i) = A(i,i)", "A:dcsr", "i",
     "iterate A\n"
     "A : A(i,i)\n"
     "while A: A | -\n"},
    {"diagonal, coo", "y(i) = A(i,i)", "A:coo", "i",
     "iterate A\n"
     "A : A(i,i)\n"
     "while A: A | -\n"},
    {"diagonal plus", "y(i) = A(i,i) + b(i)", "A:dcsr; b:s", "i",
     "iterate A b\n"
     "A b : A(i,i) + b(i)\n"
     "A : A(i,i)\n"
     "b : b(i)\n"
     "while A b: A b | A | b | -\n"
     "while A: A | -\n"
     "while b: b\n"},
    {"diagonal times", "y(i) = A(i,i) * b(i)", "A:csr; b:s", "i",
     "iterate b; search A\n"
     "A b : A(i,i) * b(i)\n"
     "while b: A b | -\n"},
    {"A(i,i,j), first", "Y(i,j) = A(i,i,j)", "A:csf", "i",
     "iterate A\n"
     "A : forall(j) Y(i,j) = A(i,i,j)\n"
     "while A: A | -\n"},
    {"A(i,i,j), last", "Y(i,j) = A(i,i,j)", "A:csf", "j",
     "iterate A\n"
     "A : A(i,i,j)\n"
     "while A: A\n"},
    {"A(i,j,i), first", "Y(i,j) = A(i,j,i)", "A:csf", "i",
     "iterate A\n"
     "A : forall(j) Y(i,j) = A(i,j,i)\n"
     "while A: A\n"},
    {"A(i,j,i), last", "Y(i,j) = A(i,j,i)", "A:csf", "j",
     "iterate A\n"
     "A : A(i,j,i)\n"
     "while A: A | -\n"},
};

/* many operands: beyond a few points a lattice is flat */
static const struct row many[] = {
    {"union of four", "a(i) = b(i) + c(i) + d(i) + e(i)", "b:s; c:s; d:s; e:s", "i",
     "iterate b c d e; flat\n"
     "b : b(i) + c(i) + d(i) + e(i)\n"
     "c : b(i) + c(i) + d(i) + e(i)\n"
     "d : b(i) + c(i) + d(i) + e(i)\n"
     "e : b(i) + c(i) + d(i) + e(i)\n"},
    {"union of four and a dense one", "a(i) = b(i) + c(i) + d(i) + e(i) + x(i)",
     "b:s; c:s; d:s; e:s", "i",
     "iterate b c d e; locate x; dimension; flat\n"
     "b : b(i) + c(i) + d(i) + e(i) + x(i)\n"
     "c : b(i) + c(i) + d(i) + e(i) + x(i)\n"
     "d : b(i) + c(i) + d(i) + e(i) + x(i)\n"
     "e : b(i) + c(i) + d(i) + e(i) + x(i)\n"
     "nothing : b(i) + c(i) + d(i) + e(i) + x(i)\n"},
    {"intersection of six", "a(i) = b(i) * c(i) * d(i) * e(i) * f(i) * g(i)",
     "b:s; c:s; d:s; e:s; f:s; g:s", "i",
     "iterate b c d e f g\n"
     "b c d e f g : b(i) * c(i) * d(i) * e(i) * f(i) * g(i)\n"
     "while b c d e f g: b c d e f g | -\n"},
    {"(b u c) n (d u e)", "a(i) = (b(i) + c(i)) * (d(i) + e(i))", "b:s; c:s; d:s; e:s", "i",
     "iterate b c d e; flat\n"
     "b d : (b(i) + c(i)) * (d(i) + e(i))\n"
     "b e : (b(i) + c(i)) * (d(i) + e(i))\n"
     "c d : (b(i) + c(i)) * (d(i) + e(i))\n"
     "c e : (b(i) + c(i)) * (d(i) + e(i))\n"},
    {"a flat union in an intersection", "a(i) = (b(i) + c(i) + d(i) + e(i)) * f(i)",
     "b:s; c:s; d:s; e:s; f:s", "i",
     "iterate b c d e f; flat\n"
     "b f : (b(i) + c(i) + d(i) + e(i)) * f(i)\n"
     "c f : (b(i) + c(i) + d(i) + e(i)) * f(i)\n"
     "d f : (b(i) + c(i) + d(i) + e(i)) * f(i)\n"
     "e f : (b(i) + c(i) + d(i) + e(i)) * f(i)\n"},
    {"sum of products", "a(i) = b(i) * c(i) + d(i) * e(i)", "b:s; c:s; d:s; e:s", "i",
     "iterate b c d e\n"
     "b c d e : b(i) * c(i) + d(i) * e(i)\n"
     "b c : b(i) * c(i)\n"
     "d e : d(i) * e(i)\n"
     "while b c d e: b c d e | b c | d e | -\n"
     "while b c: b c | -\n"
     "while d e: d e | -\n"},
};

/* storage orders that the loops go against are searched */
static const struct row conflicts[] = {
    {"csc by rows, first loop", "y(i) = A(i,j) * x(j)", "A:csc", "i",
     "dimension\n"
     "nothing : forall(j) y(i) += A(i,j) * x(j)\n"
     "for: nothing\n"},
    {"csc by rows, second loop", "y(i) = A(i,j) * x(j)", "A:csc", "j",
     "search A; locate x; dimension\n"
     "A : y(i) += A(i,j) * x(j)\n"
     "for: A | -\n"},
    {"dcsc by rows", "y(i) = A(i,j) * x(j)", "A:dcsc", "j",
     "iterate A; locate x\n"
     "A : y(i) += A(i,j) * x(j)\n"
     "while A: A | -\n"},
    {"coo by columns", "y(i) = A(i,j) * x(j)", "A:coo:1,0", "j",
     "iterate A; locate x\n"
     "A : y(i) += A(i,j) * x(j)\n"
     "while A: A | -\n"},
    {"coo, the last mode first", "y(k) = A(i,j,k)", "A:coo", "j",
     "iterate A\n"
     "A : y(k) += A(i,j,k)\n"
     "while A: A | -\n"},
    {"csr times csc", "C(i,j) = A(i,j) * B(i,j)", "A:csr; B:csc", "j",
     "iterate A; search B\n"
     "A B : A(i,j) * B(i,j)\n"
     "while A: A B | -\n"},
    {"csr plus csc", "C(i,j) = A(i,j) + B(i,j)", "A:csr; B:csc", "j",
     "iterate A; search B; dimension\n"
     "A B : A(i,j) + B(i,j)\n"
     "A : A(i,j)\n"
     "B : B(i,j)\n"
     "while A: A B | A | B | -\n"
     "for: B | -\n"},
    {"csr times dcsc", "C(i,j) = A(i,j) * B(i,j)", "A:csr; B:dcsc", "j",
     "iterate A B\n"
     "A B : A(i,j) * B(i,j)\n"
     "while A B: A B | -\n"},
    {"csr plus dcsc", "C(i,j) = A(i,j) + B(i,j)", "A:csr; B:dcsc", "j",
     "iterate A B\n"
     "A B : A(i,j) + B(i,j)\n"
     "A : A(i,j)\n"
     "B : B(i,j)\n"
     "while A B: A B | A | B | -\n"
     "while A: A\n"
     "while B: B | -\n"},
};

/* levels that cannot be merged or searched */
static const struct row unordered[] = {
    {"alone", "a(i) = b(i)", "b:(i)->(i:compressed(unordered))", "i",
     "iterate b\n"
     "b : b(i)\n"
     "while b: b\n"},
    {"times dense", "a(i) = b(i) * c(i)", "b:(i)->(i:compressed(unordered))", "i",
     "iterate b; locate c\n"
     "b : b(i) * c(i)\n"
     "while b: b\n"},
    {"times sparse", "a(i) = b(i) * c(i)", "b:(i)->(i:compressed(unordered)); c:s", "i",
     "trouble with b(i): its coordinates are not ordered, and other operands are iterated with "
     "it\n"},
    {"plus dense", "a(i) = b(i) + c(i)", "b:(i)->(i:compressed(unordered))", "i",
     "trouble with b(i): its coordinates are not ordered, and other operands are iterated with "
     "it\n"},
    {"in a flat union", "a(i) = b(i) + c(i) + d(i) + e(i)",
     "b:(i)->(i:compressed(unordered)); c:s; d:s; e:s", "i",
     "trouble with b(i): its coordinates are not ordered, and other operands are iterated with "
     "it\n"},
    {"diagonal", "y(i) = A(i,i)", "A:(i,j)->(i:dense,j:compressed(unordered))", "i",
     "trouble with A(i,i): its coordinates can only be searched for in a level that is ordered and "
     "unique\n"},
    {"against the loops", "y(i) = A(i,j) * x(j)", "A:(i,j)->(j:dense,i:compressed(unordered))", "j",
     "trouble with A(i,j): its coordinates can only be searched for in a level that is ordered and "
     "unique\n"},
    {"not needed", "a(i) = select(b(i), c(i), c(i))", "b:(i)->(i:compressed(unordered))/bool; c:s",
     "i",
     "iterate c\n"
     "c : c(i)\n"
     "while c: c\n"},
    {"below duplicates, alone", "y(i) = A(i,j) * x(j)", "A:us", "j",
     "iterate A; locate x\n"
     "A : y(i) += A(i,j) * x(j)\n"
     "while A: A\n"},
    {"below duplicates, merged", "y(i) = A(i,j) * x(j)", "A:us; x:s", "j",
     "trouble with A(i,j): its coordinates are not ordered, and other operands are iterated with "
     "it\n"},
};

/* statements */
static const struct row where[] = {
    {"a where, union", "y(i) = A(i,j) * x(j) + d(i)", "A:dcsr; d:s", "i",
     "iterate d A\n"
     "d A : (y(i) = t + d(i) where forall(j) t += A(i,j) * x(j))\n"
     "d : d(i)\n"
     "A : (y(i) = t where forall(j) t += A(i,j) * x(j))\n"
     "while d A: d A | d | A\n"
     "while d: d\n"
     "while A: A\n"},
    {"a where, intersection", "y(i) = sum(j, A(i,j) * x(j)) * d(i)", "A:dcsr; d:s", "i",
     "iterate d A\n"
     "d A : (y(i) = t * d(i) where forall(j) t += A(i,j) * x(j))\n"
     "while d A: d A | -\n"},
    {"two wheres, union", "y(i) = A(i,j) * x(j) + B(i,k) * z(k)", "A:dcsr; B:dcsr", "i",
     "iterate B A\n"
     "B A : ((y(i) = t + t2 where forall(k) t2 += B(i,k) * z(k)) where forall(j) t += A(i,j) * "
     "x(j))\n"
     "B : (y(i) = t2 where forall(k) t2 += B(i,k) * z(k))\n"
     "A : (y(i) = t where forall(j) t += A(i,j) * x(j))\n"
     "while B A: B A | B | A\n"
     "while B: B\n"
     "while A: A\n"},
    {"two wheres, intersection", "y(i) = sum(j, A(i,j)) * sum(k, B(i,k))", "A:dcsr; B:dcsr", "i",
     "iterate B A\n"
     "B A : ((y(i) = t * t2 where forall(k) t2 += B(i,k)) where forall(j) t += A(i,j))\n"
     "while B A: B A | -\n"},
    {"a producer that is absent leaves its fill", "y(i) = exp(sum(j, A(i,j) * x(j))) * d(i)",
     "A:dcsr; d:s", "i",
     "iterate d A\n"
     "d A : (y(i) = exp(t) * d(i) where forall(j) t += A(i,j) * x(j))\n"
     "d : d(i)\n"
     "while d A: d A | d | -\n"
     "while d: d\n"},
    {"the residual", "r(i) = b(i) - A(i,j) * x(j)", "A:csr", "i",
     "locate b A; dimension\n"
     "nothing : (r(i) = b(i) - t where forall(j) t += A(i,j) * x(j))\n"
     "for: nothing\n"},
    {"a producer in every row, whatever is stored", "y(i) = prod(j, A(i,j))", "A:dcsr", "i",
     "iterate A; dimension\n"
     "A : (y(i) = t where forall(j) t *= A(i,j))\n"
     "nothing : (y(i) = t where forall(j) t *= 0.0)\n"
     "while A: A | nothing\n"
     "for: nothing\n"},
    {"inside a producer", "y(i) = A(i,j) * x(j) + d(i)", "A:dcsr; x:s; d:s", "j",
     "iterate A x\n"
     "A x : t += A(i,j) * x(j)\n"
     "while A x: A x | -\n"},
    {"a sequence: either part may be absent", "a(i) = b(i) + c(i)", "b:s; c:s",
     "forall(i) (a(i) = b(i) ; a(i) += c(i))",
     "iterate b c\n"
     "b c : (a(i) = b(i) ; a(i) += c(i))\n"
     "b : b(i)\n"
     "c : a(i) += c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"a sequence of a product and a sum", "a(i) = b(i) * c(i) + d(i)", "b:s; c:s; d:s",
     "forall(i) (a(i) = b(i) * c(i) ; a(i) += d(i))",
     "iterate b c d\n"
     "b c d : (a(i) = b(i) * c(i) ; a(i) += d(i))\n"
     "b c : b(i) * c(i)\n"
     "d : a(i) += d(i)\n"
     "while b c d: b c d | b c | d | -\n"
     "while b c: b c | -\n"
     "while d: d\n"},
    {"multi: a union of two statements", "a(i) = b(i) + c(i) + e(i)", "b:s; c:s; e:d",
     "forall(i) (a(i) = b(i) | e(i) = c(i))",
     "iterate b c\n"
     "b c : (a(i) = b(i) | e(i) = c(i))\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "while b c: b c | b | c\n"
     "while b: b\n"
     "while c: c\n"},
    {"multi: one part dense", "a(i) = b(i) + c(i) + e(i)", "b:s",
     "forall(i) (a(i) = b(i) | e(i) = c(i))",
     "iterate b; locate c; dimension\n"
     "b : (a(i) = b(i) | e(i) = c(i))\n"
     "nothing : c(i)\n"
     "while b: b | nothing\n"
     "for: nothing\n"},
    {"a where inside a sequence", "a(i) = b(i) + c(i) + sum(j, D(i,j))", "a:s; b:s; c:s; D:dcsr",
     "forall(i) ((a(i) = t + b(i) where forall(j) t += D(i,j)) ; a(i) += c(i))",
     "iterate b D c\n"
     "b D c : ((a(i) = t + b(i) where forall(j) t += D(i,j)) ; a(i) += c(i))\n"
     "b D : (a(i) = t + b(i) where forall(j) t += D(i,j))\n"
     "b c : (a(i) = b(i) ; a(i) += c(i))\n"
     "D c : ((a(i) = t where forall(j) t += D(i,j)) ; a(i) += c(i))\n"
     "b : b(i)\n"
     "D : (a(i) = t where forall(j) t += D(i,j))\n"
     "c : a(i) += c(i)\n"
     "while b D c: b D c | b D | b c | D c | b | D | c\n"
     "while b D: b D | b | D\n"
     "while b c: b c | b | c\n"
     "while D c: D c | D | c\n"
     "while b: b\n"
     "while D: D\n"
     "while c: c\n"},
};

/* levels whose positions may be empty, or that list their coordinates */
static const struct row levels[] = {
    {"a hash table alone", "a(i) = b(i)", "b:hash", "i",
     "iterate b\n"
     "b : b(i)\n"
     "while b: b\n"},
    {"a hash table is located where something else is iterated", "a(i) = b(i) * c(i)",
     "b:hash; c:s", "i",
     "iterate c; search b\n"
     "b c : b(i) * c(i)\n"
     "while c: b c | -\n"},
    {"two hash tables, intersection", "a(i) = b(i) * c(i)", "b:hash; c:hash", "i",
     "iterate c; search b\n"
     "b c : b(i) * c(i)\n"
     "while c: b c | -\n"},
    {"... of which one has as many as a row", "y(i) = A(i,j) * x(j)",
     "A:(i,j) -> (i : dense, j : hashed); x:hash", "j",
     "iterate A; search x\n"
     "A x : y(i) += A(i,j) * x(j)\n"
     "while A: A x | -\n"},
    {"a union with a hash table: no order to merge in, but a dense result is as large as the "
     "dimension",
     "a(i) = b(i) + c(i)", "b:hash; c:s", "i",
     "iterate c; search b; dimension\n"
     "b c : b(i) + c(i)\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "while c: b c | b | c | -\n"
     "for: b | -\n"},
    {"... and a sparse one is not", "a(i) = b(i) + c(i)", "a:s; b:hash; c:s", "i",
     "trouble with b(i): its coordinates are not ordered, and other operands are iterated with "
     "it\n"},
    {"a hash table below a hash table", "y(i) = A(i,j) * x(j)", "A:dok; x:s", "j",
     "iterate x; search A\n"
     "A x : y(i) += A(i,j) * x(j)\n"
     "while x: A x | -\n"},
    {"a bitmap is located everywhere", "a(i) = b(i)", "a:s; b:bitmap", "i",
     "search b; dimension\n"
     "b : b(i)\n"
     "for: b | -\n"},
    {"a bitmap where something else is iterated", "a(i) = b(i) * c(i)", "b:bitmap; c:s", "i",
     "iterate c; search b\n"
     "b c : b(i) * c(i)\n"
     "while c: b c | -\n"},
    {"a union of bitmaps", "a(i) = b(i) + c(i)", "b:bitmap; c:bitmap", "i",
     "search b c; dimension\n"
     "b c : b(i) + c(i)\n"
     "b : b(i)\n"
     "c : c(i)\n"
     "for: b c | b | c | -\n"},
    {"rows of ell", "y(i) = A(i,j) * x(j)", "A:ell", "j",
     "iterate A; locate x\n"
     "A : y(i) += A(i,j) * x(j)\n"
     "while A: A\n"},
    {"rows of ell merge", "C(i,j) = A(i,j) + B(i,j)", "A:ell; B:csr", "j",
     "iterate A B\n"
     "A B : A(i,j) + B(i,j)\n"
     "A : A(i,j)\n"
     "B : B(i,j)\n"
     "while A B: A B | A | B\n"
     "while A: A\n"
     "while B: B\n"},
};

/* variables that follow from those of loops */
static const struct related_row related[] = {
    {"",
     {"blocks, rows", "y(i) = A(i,j) * x(j)", "A:bcsr(4,4)", "i",
      "locate A; dimension\n"
      "nothing : forall(j) y(i) += A(io,jo,ii,ji) * x(j)\n"
      "for: nothing\n"}},
    {"",
     {"blocks, columns: those of blocks are searched for", "y(i) = A(i,j) * x(j)", "A:bcsr(4,4)",
      "j",
      "search A; locate x; dimension\n"
      "A : y(i) += A(io,jo,ii,ji) * x(j)\n"
      "for: A | -\n"}},
    {"split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)",
     {"loops over blocks", "y(i) = A(i,j) * x(j)", "A:bcsr(4,4)", "jo",
      "iterate A\n"
      "A : forall(ii) forall(ji) y(i) += A(io,jo,ii,ji) * x(j)\n"
      "while A: A\n"}},
    {"split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)",
     {"loops in blocks", "y(i) = A(i,j) * x(j)", "A:bcsr(4,4)", "ji",
      "locate A x; dimension; guard j\n"
      "nothing : y(i) += A(io,jo,ii,ji) * x(j)\n"
      "for: nothing\n"}},
    {"split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)",
     {"blocks that divide the dimension", "y(i) = A(i,j) * x(j)", "A:bcsr(4,4); j=16", "ji",
      "locate A x; dimension\n"
      "nothing : y(i) += A(io,jo,ii,ji) * x(j)\n"
      "for: nothing\n"}},
    {"",
     {"diagonals are searched for", "y(i) = A(i,j) * x(j)", "A:dia", "j",
      "search A; locate x; dimension\n"
      "A : y(i) += A(d,i,j) * x(j)\n"
      "for: A | -\n"}},
    {"skew(j, i, d); reorder(d, i)",
     {"a loop over diagonals", "y(i) = A(i,j) * x(j)", "A:dia", "d",
      "iterate A\n"
      "A : forall(i) y(i) += A(d,i,j) * x(j)\n"
      "while A: A\n"}},
    {"skew(j, i, d); reorder(d, i)",
     {"along a diagonal", "y(i) = A(i,j) * x(j)", "A:dia", "i",
      "locate A x; dimension; guard j\n"
      "nothing : y(i) += A(d,i,j) * x(j)\n"
      "for: nothing\n"}},
    {"skew(j, i, d); reorder(d, i)",
     {"two diagonals have the same coordinates", "C(i,j) = A(i,j) + B(i,j)", "A:dia; B:dia; C:dia",
      "i",
      "locate A B; dimension; guard j\n"
      "nothing : A(d,i,j) + B(d,i,j)\n"
      "for: nothing\n"}},
    {"skew(j, i, d); reorder(d, i)",
     {"along a diagonal of something else", "y(i) = A(i,j) * x(j)", "A:csr", "i",
      "search A; locate x; dimension; guard j\n"
      "A : y(i) += A(i,j) * x(j)\n"
      "for: A | -\n"}},
    {"skew(j, i, d)",
     {"along rows of diagonals", "y(i) = A(i,j) * x(j)", "A:dia", "d",
      "iterate A; locate x; guard j\n"
      "A : y(i) += A(d,i,j) * x(j)\n"
      "while A: A\n"}},
    {"",
     {"the main diagonal", "y(i) = A(i,i)", "A:dia", "i",
      "search A; dimension\n"
      "A : A(d,i,i)\n"
      "for: A | -\n"}},
    {"",
     {"what is there of a row may be absent further in", "y(i) = A(i,j) / B(i,j)", "A:dcsr; B:dcsr",
      "i",
      "iterate A B; dimension; flat\n"
      "A : forall(j) y(i) += A(i,j) / B(i,j)\n"
      "B : forall(j) y(i) += A(i,j) / B(i,j)\n"
      "nothing : forall(j) y(i) += A(i,j) / B(i,j)\n"}},
    {"precompute(B(i,j), w, {j,j,jp}, bytemap)",
     {"and so may what is there of a workspace", "y(i) = A(i,j) / B(i,j)", "A:dcsr; B:dcsr", "i",
      "iterate A B; dimension\n"
      "A B : (forall(j) y(i) += A(i,j) / w(j) where forall(jp) w(jp) = B(i,jp))\n"
      "A : forall(j) y(i) += A(i,j) / 0.0\n"
      "B : (forall(j) y(i) += 0.0 / w(j) where forall(jp) w(jp) = B(i,jp))\n"
      "nothing : forall(j) y(i) += nan\n"
      "while A B: A B | A | B | nothing\n"
      "while A: A | nothing\n"
      "while B: B | nothing\n"
      "for: nothing\n"}},
    {"split(i, i0, i1, down, 8)",
     {"a split of what is stored as it is", "y(i) = b(i)", "b:s", "i1",
      "iterate b\n"
      "b : b(i)\n"
      "while b: b\n"}},
};

#endif
