/* transposes.c - random permutations of the modes of dense tensors, element by element.
 *
 *     property_transposes [--seed N] [--count N] [--engine interp|cc|clang]
 *
 * Ranks 2 to 12, elements of 1 to 16 bytes, sizes 0, 1, primes, and one more and one less than a
 * tile's, known to the compiler or not; A = B and A += B of the permuted modes, and with an operand
 * that is stored as A is; for machines with such caches as there are, and for one whose caches hold
 * little, so that results are stored past them.  Values are small integers, so that every result is
 * exact.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spcc.h"

enum { RANK = 12, VOLUME = 20000, TEXT = 256 };

static uint64_t state = 1;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % n);
}

struct trial {
    spcc_type type;
    int rank, to[RANK];
    int64_t size[RANK], elements;
    bool adds, is_sized, overflows; /* the caches */
    int more;                       /* operands stored as A is */
    char statement[TEXT];
};

/* ---- drawing ---- */

static const spcc_type types[] = {SPCC_I8,  SPCC_U8,  SPCC_I16, SPCC_U16, SPCC_F32,
                                  SPCC_I32, SPCC_F64, SPCC_I64, SPCC_C64, SPCC_C128};

/* A size, so that there are not too many elements. */
static int64_t draw_size(int rank, int64_t elements)
{
    static const int64_t usual[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 15, 16, 17, 31, 32, 33};
    static const int64_t long_ones[] = {47, 48, 49, 63, 64, 65, 97, 127, 128, 129};
    int64_t size = draw(60) == 0 ? 0
                   : rank > 3    ? usual[1 + draw(rank > 6 ? 6 : 9)]
                   : draw(2)     ? long_ones[draw(10)]
                                 : usual[1 + draw(16)];
    return elements && size * elements > VOLUME ? 1 + draw(2) : size;
}

static char *write_access(char *at, char tensor, int rank, const int *to)
{
    at += sprintf(at, "%c(", tensor);
    for (int m = 0; m < rank; m++)
        at += sprintf(at, "%s%c", m ? "," : "", 'a' + (to ? to[m] : m));
    return at + sprintf(at, ")");
}

static struct trial draw_trial(void)
{
    struct trial t = {.type = types[draw(10)], .rank = 2 + (int)draw(RANK - 1), .elements = 1};
    t.adds = draw(2);
    t.is_sized = draw(2);
    t.more = draw(3) == 0;
    t.overflows = draw(2);
    for (int m = 0; m < t.rank; m++) {
        t.to[m] = m;
        t.size[m] = draw_size(t.rank, t.elements);
        t.elements *= t.size[m];
    }
    for (int m = t.rank - 1; m > 0; m--) {
        const int k = (int)draw((unsigned)m + 1), other = t.to[m];
        t.to[m] = t.to[k];
        t.to[k] = other;
    }
    char *at = write_access(t.statement, 'A', t.rank, t.to);
    at += sprintf(at, " %s ", t.adds ? "+=" : "=");
    at = write_access(at, 'B', t.rank, NULL);
    if (t.more)
        write_access(at + sprintf(at, " + "), 'C', t.rank, t.to);
    return t;
}

/* ---- values ---- */

static void put(spcc_type type, void *values, int64_t at, int value)
{
    switch (type) {
    case SPCC_I8: ((int8_t *)values)[at] = (int8_t)value; break;
    case SPCC_U8: ((uint8_t *)values)[at] = (uint8_t)value; break;
    case SPCC_I16: ((int16_t *)values)[at] = (int16_t)value; break;
    case SPCC_U16: ((uint16_t *)values)[at] = (uint16_t)value; break;
    case SPCC_I32: ((int32_t *)values)[at] = value; break;
    case SPCC_I64: ((int64_t *)values)[at] = value; break;
    case SPCC_F32: ((float *)values)[at] = (float)value; break;
    case SPCC_F64: ((double *)values)[at] = value; break;
    case SPCC_C64: ((float *)values)[2 * at] = (float)value; break;
    default: ((double *)values)[2 * at] = value; break;
    }
}

/* What A, B and C hold at the place of this number in B. */
static int value_of(char tensor, int64_t number)
{
    return (int)(number * (tensor == 'A' ? 5 : tensor == 'B' ? 3 : 7) % 31);
}

/* Where the place of this number in B is in A. */
static int64_t place_in_result(const struct trial *t, int64_t number)
{
    int64_t at[RANK], place = 0;
    for (int m = t->rank - 1; m >= 0; number /= t->size[m--])
        at[m] = number % t->size[m];
    for (int m = 0; m < t->rank; m++)
        place = place * t->size[t->to[m]] + at[t->to[m]];
    return place;
}

/* The tensor's values, or, of R, what A has to be. */
static void *make_values(const struct trial *t, char tensor)
{
    void *values = calloc((size_t)t->elements + 1, spcc_type_size(t->type));
    for (int64_t n = 0; values && n < t->elements; n++) {
        const int64_t at = tensor == 'B' ? n : place_in_result(t, n);
        const int result =
            (t->adds ? value_of('A', n) : 0) + value_of('B', n) + (t->more ? value_of('C', n) : 0);
        put(t->type, values, at, tensor == 'R' ? result : value_of(tensor, n));
    }
    return values;
}

/* ---- a trial ---- */

static spcc_status make_tensor(spcc_context *context, const struct trial *t, char tensor,
                               spcc_tensor **made)
{
    int64_t size[RANK];
    void *values = make_values(t, tensor);
    for (int m = 0; m < t->rank; m++)
        size[m] = t->size[tensor == 'B' ? m : t->to[m]];
    spcc_status said = values ? spcc_tensor_dense(context, t->type, t->rank, size, values, made)
                              : SPCC_ERROR_MEMORY;
    free(values);
    return said;
}

static spcc_status compile(spcc_context *context, const struct trial *t, spcc_kernel **kernel)
{
    char name[RANK][2];
    spcc_variable_size size[RANK];
    spcc_declaration declared[3] = {{.name = "A"}, {.name = "B"}, {.name = "C"}};
    for (int m = 0; m < t->rank; m++) {
        snprintf(name[m], sizeof name[m], "%c", 'a' + m);
        size[m] = (spcc_variable_size){name[m], t->size[m]};
    }
    for (int i = 0; i < 3; i++)
        declared[i].type = spcc_type_name(t->type);
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declared,
                                    .n_declarations = 2 + t->more,
                                    .sizes = size,
                                    .n_sizes = t->is_sized ? t->rank : 0};
    return spcc_compile(context, t->statement, &options, kernel);
}

static bool is_right(spcc_context *context, const struct trial *t)
{
    spcc_tensor *tensor[3] = {NULL};
    spcc_kernel *kernel = NULL;
    spcc_status said = SPCC_OK;
    for (int i = 0; i < 2 + t->more && said == SPCC_OK; i++)
        said = make_tensor(context, t, (char)('A' + i), &tensor[i]);
    if (said == SPCC_OK)
        said = compile(context, t, &kernel);
    if (said == SPCC_OK)
        said = spcc_run_array(context, kernel, tensor, 2 + t->more);
    if (said != SPCC_OK)
        printf("%s", spcc_message(context));
    void *expected = make_values(t, 'R');
    bool right = said == SPCC_OK && expected
                 && memcmp(spcc_tensor_values(tensor[0]), expected,
                           (size_t)t->elements * spcc_type_size(t->type))
                        == 0;
    free(expected);
    spcc_kernel_free(kernel);
    for (int i = 0; i < 3; i++)
        spcc_tensor_free(tensor[i]);
    return right;
}

static void print_trial(const struct trial *t)
{
    printf("FAILED: %s of %s%s, sizes%s", t->statement, spcc_type_name(t->type),
           t->overflows ? " past the caches" : "", t->is_sized ? " that are known" : "");
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
