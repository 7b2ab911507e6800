/* npy.c - arrays as NumPy stores them (numpy.lib.format).
 *
 *     \x93NUMPY 1 0 <length>                                    2 0 and 3 0: a length of 4 bytes
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 *     bytes of the elements
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/npy.h"

#include <math.h>
#include <stdio.h>

#include "compiler/value/value.h"

enum { MAGIC = 6, LONGEST = 1 << 20 };

/* ---- the head ---- */

static const char *skip_blanks(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\n' || *s == '\t'))
        s++;
    return s;
}

static bool scan_char(const char **s, const char *end, char c)
{
    const char *at = skip_blanks(*s, end);
    if (at == end || *at != c)
        return false;
    *s = at + 1;
    return true;
}

/* Reads 'word', of less than n bytes. */
static bool scan_string(const char **s, const char *end, char *word, size_t n)
{
    const char *at = skip_blanks(*s, end);
    if (at == end || (*at != '\'' && *at != '"'))
        return false;
    const char *stop = memchr(at + 1, *at, (size_t)(end - at - 1));
    if (!stop || (size_t)(stop - at - 1) >= n)
        return false;
    memcpy(word, at + 1, (size_t)(stop - at - 1));
    word[stop - at - 1] = '\0';
    *s = stop + 1;
    return true;
}

static bool scan_bool(const char **s, const char *end, bool *b)
{
    const char *at = skip_blanks(*s, end);
    if (end - at >= 4 && memcmp(at, "True", 4) == 0)
        *b = true;
    else if (end - at >= 5 && memcmp(at, "False", 5) == 0)
        *b = false;
    else
        return false;
    *s = at + (*b ? 4 : 5);
    return true;
}

/* Reads (3, 4L), */
static bool scan_shape(const char **s, const char *end, struct npy *array)
{
    if (!scan_char(s, end, '('))
        return false;
    for (array->order = 0; !scan_char(s, end, ')'); array->order++) {
        int64_t n = 0;
        const char *at = *s = skip_blanks(*s, end);
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *at - '0', &n))
                return false;
        if (at == *s || array->order == ORDER_MAX)
            return false;
        array->dimension[array->order] = n;
        *s = at + (at < end && *at == 'L');
        if (!scan_char(s, end, ',') && (*(*s = skip_blanks(*s, end)) != ')'))
            return false;
    }
    return true;
}

/* Reads "<f8": the order of the bytes, the kind, the number of bytes. */
static const char *take_descr(const char *descr, struct npy *array)
{
    char order = descr[0];
    int bytes = 0;
    if (order == '\0' || !strchr("<>|=", order) || descr[1] == '\0')
        return "has elements of a type that is not known";
    for (const char *s = descr + 2; *s >= '0' && *s <= '9' && bytes < LONGEST; s++)
        bytes = 10 * bytes + (*s - '0');
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    array->kind = descr[1];
    array->bytes = array->kind == 'U' ? 4 * bytes : bytes;
    array->swapped = order == (big ? '<' : '>') && array->kind != 'S';
    array->type = TYPE_COUNT;
    static const struct {
        char kind;
        int bytes;
        enum type type;
    } types[] = {{'b', 1, TYPE_BOOL}, {'i', 1, TYPE_I8},   {'i', 2, TYPE_I16}, {'i', 4, TYPE_I32},
                 {'i', 8, TYPE_I64},  {'u', 1, TYPE_U8},   {'u', 2, TYPE_U16}, {'u', 4, TYPE_U32},
                 {'u', 8, TYPE_U64},  {'f', 2, TYPE_F32},  {'f', 4, TYPE_F32}, {'f', 8, TYPE_F64},
                 {'c', 8, TYPE_C64},  {'c', 16, TYPE_C128}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].kind == array->kind && types[i].bytes == bytes)
            array->type = types[i].type;
    if (array->kind == 'O')
        return "is an array of Python objects, which is a program; save it as numbers";
    if (array->kind == 'V')
        return "has records for elements; save each of their fields";
    return array->type == TYPE_COUNT && array->kind != 'S' && array->kind != 'U'
               ? "has elements of a type that is none of bool, integers of 8 to 64 bits, float16, "
                 "float32, float64, complex64 and complex128"
               : NULL;
}

static const char *parse_dict(const char *s, const char *end, struct npy *array)
{
    static const char *const damaged = "has a damaged NumPy header";
    const char *why = NULL;
    char key[24], descr[24];
    int found = 0;
    if (!scan_char(&s, end, '{'))
        return damaged;
    while (!scan_char(&s, end, '}')) {
        if (!scan_string(&s, end, key, sizeof key) || !scan_char(&s, end, ':'))
            return damaged;
        if (strcmp(key, "descr") == 0) {
            if (skip_blanks(s, end) < end && *skip_blanks(s, end) == '[')
                return "has records for elements; save each of their fields";
            if (!scan_string(&s, end, descr, sizeof descr))
                return damaged;
            why = take_descr(descr, array);
            found |= 1;
        } else if (strcmp(key, "fortran_order") == 0) {
            if (!scan_bool(&s, end, &array->fortran))
                return damaged;
            found |= 2;
        } else if (strcmp(key, "shape") == 0) {
            if (!scan_shape(&s, end, array))
                return "has a shape that is damaged, or has more than 32 modes";
            found |= 4;
        } else
            return damaged;
        scan_char(&s, end, ',');
    }
    return found == 7 ? why : damaged;
}

static bool count_elements(struct npy *array, int64_t bytes)
{
    bool empty = false;
    array->n = 1;
    for (int m = 0; m < array->order; m++)
        empty |= array->dimension[m] == 0;
    for (int m = 0; m < array->order && !empty; m++)
        if (__builtin_mul_overflow(array->n, array->dimension[m], &array->n))
            return false;
    array->n = empty ? 0 : array->n;
    return array->bytes == 0 || array->n <= bytes / array->bytes;
}

const char *npy_parse(const char *bytes, int64_t n, struct npy *array)
{
    *array = (struct npy){.type = TYPE_COUNT};
    if (n < MAGIC + 4 || memcmp(bytes, "\x93NUMPY", MAGIC) != 0)
        return "does not begin as a NumPy array does";
    int version = bytes[MAGIC], wide = version > 1 ? 4 : 2;
    if (version < 1 || version > 3)
        return "has a NumPy header of a version that is not known";
    const unsigned char *length = (const unsigned char *)bytes + MAGIC + 2;
    int64_t head = MAGIC + 2 + wide;
    if (n < head)
        return "is cut off in the NumPy header";
    int64_t size = length[0] | length[1] << 8;
    if (wide == 4)
        size |= (int64_t)length[2] << 16 | (int64_t)length[3] << 24;
    if (size > n - head)
        return "is cut off in the NumPy header";
    const char *why = parse_dict(bytes + head, bytes + head + size, array);
    array->data = bytes + head + size;
    if (!why && !count_elements(array, n - head - size))
        return "has fewer elements than its shape says";
    return why;
}

size_t npy_head(char head[NPY_HEAD], enum type type, int text, int order, const int64_t *dimension)
{
    static const char letters[] = {[KIND_BOOL] = 'b',
                                   [KIND_INT] = 'i',
                                   [KIND_UINT] = 'u',
                                   [KIND_FLOAT] = 'f',
                                   [KIND_COMPLEX] = 'c'};
    enum { ALIGNED = 64, BEGIN = MAGIC + 4 };
    size_t bytes = type == TYPE_COUNT ? (size_t)text : type_size(type);
    char way = bytes == 1 || type == TYPE_COUNT         ? '|'
               : __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>'
                                                        : '<';
    char letter = type == TYPE_COUNT ? 'S' : letters[type_kind(type)];
    char *s = head + BEGIN;
    s += sprintf(s, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (", way, letter, bytes);
    for (int m = 0; m < order; m++)
        s += sprintf(s, "%s%lld", m ? ", " : "", (long long)dimension[m]);
    s += sprintf(s, "%s), }", order == 1 ? "," : "");
    while ((s + 1 - head) % ALIGNED)
        *s++ = ' ';
    *s++ = '\n';
    size_t length = (size_t)(s - head) - BEGIN;
    memcpy(head, "\x93NUMPY\1", MAGIC + 2);
    head[MAGIC + 2] = (char)(length & 0xff);
    head[MAGIC + 3] = (char)(length >> 8);
    return (size_t)(s - head);
}

/* ---- elements ---- */

/* Reads the bytes of a number, in our order. */
static uint64_t load_bits(const char *s, int bytes, bool swapped)
{
    uint64_t bits = 0;
    bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swapped;
    for (int i = 0; i < bytes; i++)
        bits = bits << 8 | (unsigned char)s[big ? i : bytes - 1 - i];
    return bits;
}

/* Converts IEEE 754's half precision. */
static double half(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023) / 1024;
    double f = exponent == 31  ? (bits & 1023 ? (double)NAN : (double)INFINITY)
               : exponent == 0 ? ldexp(fraction, -14)
                               : ldexp(1 + fraction, exponent - 15);
    return bits >> 15 ? -f : f;
}

static double load_float(const char *s, int bytes, bool swapped)
{
    uint64_t bits = load_bits(s, bytes, swapped);
    uint32_t low = (uint32_t)bits;
    double f;
    float single;
    if (bytes == 2)
        return half(bits);
    if (bytes == 4) {
        memcpy(&single, &low, sizeof single);
        return (double)single;
    }
    memcpy(&f, &bits, sizeof f);
    return f;
}

static struct value load_element(const struct npy *array, int64_t at)
{
    const char *s = array->data + at * array->bytes;
    int bytes = array->bytes;
    switch (type_kind(array->type)) {
    case KIND_BOOL: return (struct value){.type = TYPE_BOOL, .b = *s != 0};
    case KIND_INT: {
        uint64_t bits = load_bits(s, bytes, array->swapped);
        int shift = 64 - 8 * bytes;
        return (struct value){.type = TYPE_I64, .i = (int64_t)(bits << shift) >> shift};
    }
    case KIND_UINT:
        return (struct value){.type = TYPE_U64, .u = load_bits(s, bytes, array->swapped)};
    case KIND_FLOAT: return value_real(TYPE_F64, load_float(s, bytes, array->swapped));
    case KIND_COMPLEX: break;
    }
    return value_complex(TYPE_C128, load_float(s, bytes / 2, array->swapped),
                         load_float(s + bytes / 2, bytes / 2, array->swapped));
}

bool npy_index(const struct npy *array, int64_t at, int64_t *index)
{
    if (array->type == TYPE_COUNT || !type_is_integer(array->type))
        return false;
    struct value v = load_element(array, at);
    *index = v.i;
    return v.type != TYPE_U64 || v.u <= INT64_MAX;
}

void npy_transpose(struct npy *array, char *room)
{
    size_t size = (size_t)array->bytes;
    int64_t at[ORDER_MAX] = {0}, from = 0, step[ORDER_MAX];
    for (int m = 0; m < array->order; m++)
        step[m] = m == 0 ? 1 : step[m - 1] * array->dimension[m - 1];
    for (int64_t i = 0; i < array->n; i++) {
        memcpy(room + (size_t)i * size, array->data + (size_t)from * size, size);
        for (int m = array->order - 1; m >= 0; m--) {
            from += step[m];
            if (++at[m] < array->dimension[m])
                break;
            from -= at[m] * step[m];
            at[m] = 0;
        }
    }
    array->data = room;
    array->fortran = false;
}

/* Stores as number_store does. */
static enum number_fault store(struct value v, enum type type, void *at)
{
    struct value stored = value_convert(v, type);
    value_store(stored, at);
    bool infinite = isinf(value_double(v));
    if (type_is_float(type) || type_is_complex(type))
        return !infinite && isinf(value_double(value_load(type, at))) ? NUMBER_TOO_LARGE
                                                                      : NUMBER_FITS;
    if (type == TYPE_BOOL || v.type == TYPE_BOOL)
        return NUMBER_FITS;
    if (v.type == TYPE_F64 && (infinite || v.f != floor(v.f)))
        return NUMBER_NOT_INTEGRAL;
    bool negative = v.type == TYPE_I64 ? v.i < 0 : v.type == TYPE_F64 && v.f < 0,
         large = v.type == TYPE_U64 && v.u > INT64_MAX;
    if ((negative && type_kind(type) == KIND_UINT) || (large && type_kind(type) == KIND_INT))
        return NUMBER_TOO_LARGE;
    int bits = 8 * (int)type_size(type) - (type_kind(type) == KIND_INT);
    if (v.type == TYPE_F64)
        return v.f >= -ldexp(1, bits) && v.f < ldexp(1, bits) ? NUMBER_FITS : NUMBER_TOO_LARGE;
    return value_equal(value_convert(stored, v.type), v) ? NUMBER_FITS : NUMBER_TOO_LARGE;
}

enum rt_status npy_values(const struct input *input, const struct npy *array, int64_t from,
                          int64_t n, enum type type, void *to, struct rt_error *error)
{
    size_t size = type_size(type);
    if (array->type == type && (size_t)array->bytes == size && !array->swapped
        && type != TYPE_BOOL) {
        if (n > 0)
            memcpy(to, array->data + from * array->bytes, (size_t)n * size);
        return RT_OK;
    }
    for (int64_t i = 0; i < n; i++) {
        struct value v = load_element(array, from + i);
        enum number_fault fault = store(v, type, (char *)to + (size_t)i * size);
        if (fault == NUMBER_FITS)
            continue;
        char shown[64];
        value_print(v, shown, sizeof shown);
        return input_fail(input, input->text, DIAG_FILE_FORMAT, error,
                          fault == NUMBER_NOT_INTEGRAL
                              ? "%s is not an integer, and the values are %s"
                              : "%s is out of the range of %s",
                          shown, type_name(type));
    }
    return RT_OK;
}
