/* transposes.c - dense tensors of permuted modes, element by element.
 *
 *     property_transposes [--seed N] [--count N] [--engine interp|cc|clang] [--volume N]
 *
 * Ranks 2 to 12, elements of 1 to 16 bytes, sizes 0, 1, primes, and one more and one less than a
 * tile's, known to the compiler or not; one to three operands, each with the modes in an order of
 * its own and some of them with less modes, as they are, negated, doubled, conjugated or without
 * their signs, of the result's type or of another, in sums, products and maxima, assigned, added,
 * multiplied or compared with what is there; for machines with such caches as there are, and for
 * one whose caches hold little, so that results are stored past them.  Values are small integers,
 * so that every result is exact.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spcc.h"

enum { RANK = 12, TENSORS = 4, TEXT = 512 };

static int64_t most_elements = 20000;
static uint64_t state = 1;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % n);
}

/* A value; what is real has no second part. */
struct number {
    int re, im;
};

enum applied { AS_IT_IS, NEGATED, DOUBLED, CONJUGATED, ABSOLUTE };

/* A tensor: which variable each mode is of. */
struct operand {
    spcc_type type;
    int rank, of[RANK];
    enum applied applied;
    char op; /* between it and those before: + - * or M for max */
};

/* The first tensor is the result, A. */
struct trial {
    struct operand tensor[TENSORS];
    int tensors, rank;
    int64_t size[RANK];
    char assigned;            /* '=', or what it is assigned with: + * M */
    bool is_sized, overflows; /* the caches */
    char statement[TEXT];
};

/* ---- drawing ---- */

static const spcc_type types[] = {SPCC_I8,  SPCC_U8,  SPCC_I16, SPCC_U16, SPCC_F32,
                                  SPCC_I32, SPCC_F64, SPCC_I64, SPCC_C64, SPCC_C128};

static bool is_complex(spcc_type type) { return type == SPCC_C64 || type == SPCC_C128; }
static bool is_signed(spcc_type type) { return type != SPCC_U8 && type != SPCC_U16; }

/* A size, so that there are not too many elements. */
static int64_t draw_size(int rank, int64_t elements)
{
    static const int64_t usual[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 15, 16, 17, 31, 32, 33};
    static const int64_t long_ones[] = {47, 48, 49, 63, 64, 65, 97, 127, 128, 129};
    int64_t size = draw(60) == 0 ? 0
                   : rank > 3    ? usual[1 + draw(rank > 6 ? 6 : 9)]
                   : draw(2)     ? long_ones[draw(10)]
                                 : usual[1 + draw(16)];
    return elements && size * elements > most_elements ? 1 + draw(2) : size;
}

static spcc_type draw_type(spcc_type result)
{
    static const spcc_type exact[] = {SPCC_F32, SPCC_I32, SPCC_I16, SPCC_U8, SPCC_F64};
    return result == SPCC_F64 && draw(3) == 0 ? exact[draw(5)] : result;
}

/* The modes of all variables, or of some, in an order that is drawn. */
static void draw_modes(struct operand *t, int rank, bool all)
{
    t->rank = 0;
    for (int m = 0; m < rank; m++)
        if (all || draw(3) > 0)
            t->of[t->rank++] = m;
    for (int m = t->rank - 1; m > 0; m--) {
        const int k = (int)draw((unsigned)m + 1), other = t->of[m];
        t->of[m] = t->of[k];
        t->of[k] = other;
    }
}

static struct operand draw_operand(const struct trial *t)
{
    static const char ops[] = "+++-*M";
    struct operand o = {.type = draw_type(t->tensor[0].type)};
    const bool complex_one = is_complex(t->tensor[0].type);
    draw_modes(&o, t->rank, t->tensors == 1 || draw(3) > 0);
    o.applied = draw(2) ? AS_IT_IS : (enum applied)draw(5);
    if ((o.applied == CONJUGATED && !is_complex(o.type))
        || (o.applied == ABSOLUTE && is_complex(o.type))
        || (o.applied == NEGATED && !is_signed(o.type)))
        o.applied = AS_IT_IS;
    o.op = ops[draw(complex_one ? 5 : 6)];
    if (o.op == '-' && !is_signed(t->tensor[0].type))
        o.op = '+';
    return o;
}

static char *write_operand(char *at, const struct operand *o, char name)
{
    static const char *const before[] = {"", "-", "2 * ", "conj(", "abs("};
    at += sprintf(at, "%s%c", before[o->applied], name);
    for (int m = 0; m < o->rank; m++)
        at += sprintf(at, "%c%c", m ? ',' : '(', 'a' + o->of[m]);
    return at + sprintf(at, "%s%s", o->rank ? ")" : "", o->applied >= CONJUGATED ? ")" : "");
}

/* "A(b,a) += (B(a,b) + -C(b,a)) * D(a)": operators from left to right. */
static void write_statement(struct trial *t)
{
    char right[TEXT], one[TEXT];
    write_operand(right, &t->tensor[1], 'B');
    for (int k = 2; k < t->tensors; k++) {
        const struct operand *o = &t->tensor[k];
        char more[TEXT];
        write_operand(one, o, (char)('A' + k));
        if (o->op == 'M')
            snprintf(more, sizeof more, "max(%.200s, %.200s)", right, one);
        else
            snprintf(more, sizeof more, "(%.200s) %c (%.200s)", right, o->op, one);
        strcpy(right, more);
    }
    char *at = write_operand(t->statement, &t->tensor[0], 'A');
    sprintf(at, " %s= %.400s",
            t->assigned == '='   ? ""
            : t->assigned == 'M' ? "max"
                                 : (char[]){t->assigned, 0},
            right);
}

static struct trial draw_trial(void)
{
    struct trial t = {.rank = 2 + (int)draw(RANK - 1), .tensors = 1};
    int64_t elements = 1;
    t.tensor[0].type = types[draw(10)];
    t.is_sized = draw(2);
    t.overflows = draw(2);
    for (int m = 0; m < t.rank; m++)
        elements *= t.size[m] = draw_size(t.rank, elements);
    draw_modes(&t.tensor[0], t.rank, true);
    const int operands = draw(2) ? 1 : 2 + (int)draw(TENSORS - 2);
    for (; t.tensors <= operands; t.tensors++)
        t.tensor[t.tensors] = draw_operand(&t);
    const char *assigned = is_complex(t.tensor[0].type) ? "==++" : "==++*M";
    t.assigned = assigned[draw((unsigned)strlen(assigned))];
    write_statement(&t);
    return t;
}

/* ---- values ---- */

static void put(spcc_type type, void *values, int64_t at, struct number value)
{
    switch (type) {
    case SPCC_I8: ((int8_t *)values)[at] = (int8_t)value.re; break;
    case SPCC_U8: ((uint8_t *)values)[at] = (uint8_t)value.re; break;
    case SPCC_I16: ((int16_t *)values)[at] = (int16_t)value.re; break;
    case SPCC_U16: ((uint16_t *)values)[at] = (uint16_t)value.re; break;
    case SPCC_I32: ((int32_t *)values)[at] = value.re; break;
    case SPCC_I64: ((int64_t *)values)[at] = value.re; break;
    case SPCC_F32: ((float *)values)[at] = (float)value.re; break;
    case SPCC_F64: ((double *)values)[at] = value.re; break;
    case SPCC_C64:
        ((float *)values)[2 * at] = (float)value.re;
        ((float *)values)[2 * at + 1] = (float)value.im;
        break;
    default:
        ((double *)values)[2 * at] = value.re;
        ((double *)values)[2 * at + 1] = value.im;
        break;
    }
}

static int64_t elements_of(const struct trial *t, const struct operand *o)
{
    int64_t n = 1;
    for (int m = 0; m < o->rank; m++)
        n *= t->size[o->of[m]];
    return n;
}

/* Where these coordinates are in the tensor. */
static int64_t place(const struct trial *t, const struct operand *o, const int64_t *at)
{
    int64_t where = 0;
    for (int m = 0; m < o->rank; m++)
        where = where * t->size[o->of[m]] + at[o->of[m]];
    return where;
}

/* What the tensor of this number has there before: so small that three of them and A fit a byte. */
static struct number value_of(const struct trial *t, int number, int64_t where)
{
    const int of[] = {5, 3, 7, 11}, re = (int)(where * of[number] % 5),
              sign = is_signed(t->tensor[number].type) && where % 3 == 0 ? -1 : 1;
    return (struct number){sign * re,
                           is_complex(t->tensor[number].type) ? (int)(where * of[number] % 3) : 0};
}

static struct number combine(struct number a, char op, struct number b)
{
    switch (op) {
    case '+': return (struct number){a.re + b.re, a.im + b.im};
    case '-': return (struct number){a.re - b.re, a.im - b.im};
    case '*': return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    case 'M': return a.re > b.re ? a : b;
    default: return b;
    }
}

static struct number apply(enum applied applied, struct number v)
{
    switch (applied) {
    case AS_IT_IS: return v;
    case NEGATED: return (struct number){-v.re, -v.im};
    case DOUBLED: return (struct number){2 * v.re, 2 * v.im};
    case CONJUGATED: return (struct number){v.re, -v.im};
    case ABSOLUTE: return (struct number){abs(v.re), 0};
    }
    return v;
}

/* What A has to be at these coordinates. */
static struct number expected_at(const struct trial *t, const int64_t *at)
{
    struct number v = {0};
    for (int k = 1; k < t->tensors; k++) {
        const struct operand *o = &t->tensor[k];
        const struct number one = apply(o->applied, value_of(t, k, place(t, o, at)));
        v = k == 1 ? one : combine(v, o->op, one);
    }
    return combine(value_of(t, 0, place(t, &t->tensor[0], at)), t->assigned, v);
}

/* The tensor's values, or, if `after`, what A has to be. */
static void *make_values(const struct trial *t, int number, bool after)
{
    const struct operand *o = &t->tensor[number];
    const int64_t n = elements_of(t, o);
    void *values = calloc((size_t)n + 1, spcc_type_size(o->type));
    for (int64_t e = 0; values && e < n; e++) {
        int64_t at[RANK] = {0}, rest = e;
        for (int m = o->rank - 1; m >= 0; rest /= t->size[o->of[m--]])
            at[o->of[m]] = rest % t->size[o->of[m]];
        put(o->type, values, e, after ? expected_at(t, at) : value_of(t, number, e));
    }
    return values;
}

/* Are these the same numbers?  0 and -0 are. */
static bool is_same(spcc_type type, const void *one, const void *other, int64_t n)
{
    const bool single = type == SPCC_F32 || type == SPCC_C64;
    if (!single && type != SPCC_F64 && type != SPCC_C128)
        return memcmp(one, other, (size_t)n * spcc_type_size(type)) == 0;
    for (int64_t k = 0; k < (is_complex(type) ? 2 * n : n); k++)
        if (single ? ((const float *)one)[k] != ((const float *)other)[k]
                   : ((const double *)one)[k] != ((const double *)other)[k])
            return false;
    return true;
}

/* ---- a trial ---- */

static spcc_status make_tensor(spcc_context *context, const struct trial *t, int number,
                               spcc_tensor **made)
{
    const struct operand *o = &t->tensor[number];
    int64_t size[RANK];
    void *values = make_values(t, number, false);
    for (int m = 0; m < o->rank; m++)
        size[m] = t->size[o->of[m]];
    spcc_status said = values ? spcc_tensor_dense(context, o->type, o->rank, size, values, made)
                              : SPCC_ERROR_MEMORY;
    free(values);
    return said;
}

static spcc_status compile(spcc_context *context, const struct trial *t, spcc_kernel **kernel)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    char name[RANK][2];
    spcc_variable_size size[RANK];
    spcc_declaration declared[TENSORS];
    for (int m = 0; m < t->rank; m++) {
        snprintf(name[m], sizeof name[m], "%c", 'a' + m);
        size[m] = (spcc_variable_size){name[m], t->size[m]};
    }
    for (int i = 0; i < t->tensors; i++)
        declared[i] =
            (spcc_declaration){.name = names[i], .type = spcc_type_name(t->tensor[i].type)};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declared,
                                    .n_declarations = t->tensors,
                                    .sizes = size,
                                    .n_sizes = t->is_sized ? t->rank : 0};
    return spcc_compile(context, t->statement, &options, kernel);
}

static bool is_right(spcc_context *context, const struct trial *t)
{
    spcc_tensor *tensor[TENSORS] = {NULL};
    spcc_kernel *kernel = NULL;
    spcc_status said = SPCC_OK;
    for (int i = 0; i < t->tensors && said == SPCC_OK; i++)
        said = make_tensor(context, t, i, &tensor[i]);
    if (said == SPCC_OK)
        said = compile(context, t, &kernel);
    if (said == SPCC_OK)
        said = spcc_run_array(context, kernel, tensor, t->tensors);
    if (said != SPCC_OK)
        printf("%s", spcc_message(context));
    const struct operand *result = &t->tensor[0];
    void *expected = make_values(t, 0, true);
    bool right =
        said == SPCC_OK && expected
        && is_same(result->type, spcc_tensor_values(tensor[0]), expected, elements_of(t, result));
    free(expected);
    spcc_kernel_free(kernel);
    for (int i = 0; i < t->tensors; i++)
        spcc_tensor_free(tensor[i]);
    return right;
}

static void print_trial(const struct trial *t)
{
    printf("FAILED: %s of", t->statement);
    for (int i = 0; i < t->tensors; i++)
        printf(" %s", spcc_type_name(t->tensor[i].type));
    printf("%s, sizes%s", t->overflows ? " past the caches" : "",
           t->is_sized ? " that are known" : "");
    for (int m = 0; m < t->rank; m++)
        printf(" %c:%" PRId64, 'a' + m, t->size[m]);
    printf("\n");
}

/* Write the file of a machine whose caches hold little. */
static bool make_target(char *path)
{
    static const char text[] = "l1 1024\nl3 2048\n";
    const int file = mkstemp(path);
    const bool made = file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1;
    if (file >= 0)
        close(file);
    return made;
}

int main(int argc, char **argv)
{
    int count = 500, wrong = 0;
    spcc_options options = {.size = sizeof options, .engine = SPCC_ENGINE_INTERP, .cache = ""};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seed"))
            state = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--count"))
            count = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--volume"))
            most_elements = atoll(argv[i + 1]);
        else if (!strcmp(argv[i], "--engine"))
            options.engine = !strcmp(argv[i + 1], "cc")      ? SPCC_ENGINE_CC
                             : !strcmp(argv[i + 1], "clang") ? SPCC_ENGINE_CLANG
                                                             : SPCC_ENGINE_INTERP;
    }
    char target[] = "/tmp/transposes-XXXXXX";
    spcc_context *context[2];
    if (!make_target(target) || spcc_context_new(&options, &context[0]) != SPCC_OK)
        return 2;
    options.target = target;
    if (spcc_context_new(&options, &context[1]) != SPCC_OK)
        return 2;
    for (int n = 0; n < count; n++) {
        const struct trial t = draw_trial();
        if (!is_right(context[t.overflows], &t)) {
            print_trial(&t);
            wrong++;
        }
    }
    printf("%d transposes, %d wrong\n", count, wrong);
    unlink(target);
    for (int i = 0; i < 2; i++)
        spcc_context_free(context[i]);
    return wrong > 0;
}
