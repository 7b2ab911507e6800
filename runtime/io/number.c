/* number.c - numbers in files, as values of tensors' types.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/number.h"

#include <math.h>

/* ---- integers ---- */

/* The magnitude as an integer. */
static enum number_fault to_integer(const struct decimal *number, uint64_t *magnitude)
{
    uint64_t n = number->digits;
    int64_t e = number->exponent;
    if (number->kind == DECIMAL_INFINITE)
        return NUMBER_TOO_LARGE;
    if (number->kind == DECIMAL_NAN)
        return NUMBER_NOT_INTEGRAL;
    if (number->kind == DECIMAL_LONG)
        return e > 0 ? NUMBER_TOO_LARGE : NUMBER_NOT_INTEGRAL;
    for (; n && e < 0; e++, n /= 10)
        if (n % 10)
            return NUMBER_NOT_INTEGRAL;
    for (; n && e > 0; e--)
        if (__builtin_mul_overflow(n, (uint64_t)10, &n))
            return NUMBER_TOO_LARGE;
    *magnitude = n;
    return NUMBER_FITS;
}

bool number_is_integer(const struct decimal *number)
{
    uint64_t magnitude;
    return (number->kind == DECIMAL_EXACT || number->kind == DECIMAL_LONG)
           && to_integer(number, &magnitude) != NUMBER_NOT_INTEGRAL;
}

static enum number_fault store_integer(const struct decimal *number, enum type type, void *at)
{
    uint64_t n = 0;
    enum number_fault fault = to_integer(number, &n);
    if (fault != NUMBER_FITS)
        return fault;
    bool is_signed = type_kind(type) == KIND_INT;
    int bits = 8 * (int)type_size(type) - is_signed;
    uint64_t max = UINT64_MAX >> (64 - bits);
    if (number->negative ? n > (is_signed ? max + 1 : 0) : n > max)
        return NUMBER_TOO_LARGE;
    if (number->negative)
        n = 0 - n;
    /* the low bytes in two's complement are the value in every integer type */
    switch (type_size(type)) {
    case 1: *(uint8_t *)at = (uint8_t)n; break;
    case 2: *(uint16_t *)at = (uint16_t)n; break;
    case 4: *(uint32_t *)at = (uint32_t)n; break;
    default: *(uint64_t *)at = n; break;
    }
    return NUMBER_FITS;
}

/* ---- all types ---- */

enum number_fault number_store(const struct decimal *number, enum type type, void *at)
{
    double f = 0;
    if (type == TYPE_F64) {
        *(double *)at = f = decimal_double(number);
        return isinf(f) && number->kind != DECIMAL_INFINITE ? NUMBER_TOO_LARGE : NUMBER_FITS;
    }
    switch (type_kind(type)) {
    case KIND_INT:
    case KIND_UINT: return store_integer(number, type, at);
    case KIND_BOOL:
        *(bool *)at = number->digits != 0 || number->kind != DECIMAL_EXACT;
        return NUMBER_FITS;
    case KIND_FLOAT:
    case KIND_COMPLEX: break;
    }
    if (type_size(type_real(type)) == sizeof(double)) {
        ((double *)at)[0] = f = decimal_double(number);
        if (type_is_complex(type))
            ((double *)at)[1] = 0;
    } else {
        ((float *)at)[0] = decimal_float(number);
        f = (double)((float *)at)[0];
        if (type_is_complex(type))
            ((float *)at)[1] = 0;
    }
    return isinf(f) && number->kind != DECIMAL_INFINITE ? NUMBER_TOO_LARGE : NUMBER_FITS;
}

/* ---- writing ---- */

static size_t print_signed(char *text, int64_t n)
{
    if (n >= 0)
        return decimal_print_unsigned(text, (uint64_t)n);
    *text = '-';
    return 1 + decimal_print_unsigned(text + 1, 0 - (uint64_t)n);
}

static size_t print_complex(char *text, double re, double im, bool single)
{
    size_t n = decimal_print(text, re, single);
    text[n++] = ' ';
    return n + decimal_print(text + n, im, single);
}

size_t number_print(char *text, enum type type, const void *at)
{
    switch (type) {
    case TYPE_BOOL: return decimal_print_unsigned(text, *(const bool *)at);
    case TYPE_I8: return print_signed(text, *(const int8_t *)at);
    case TYPE_I16: return print_signed(text, *(const int16_t *)at);
    case TYPE_I32: return print_signed(text, *(const int32_t *)at);
    case TYPE_I64: return print_signed(text, *(const int64_t *)at);
    case TYPE_U8: return decimal_print_unsigned(text, *(const uint8_t *)at);
    case TYPE_U16: return decimal_print_unsigned(text, *(const uint16_t *)at);
    case TYPE_U32: return decimal_print_unsigned(text, *(const uint32_t *)at);
    case TYPE_U64: return decimal_print_unsigned(text, *(const uint64_t *)at);
    case TYPE_F32: return decimal_print(text, (double)*(const float *)at, true);
    case TYPE_F64: return decimal_print(text, *(const double *)at, false);
    case TYPE_C64:
        return print_complex(text, (double)((const float *)at)[0], (double)((const float *)at)[1],
                             true);
    case TYPE_C128:
        return print_complex(text, ((const double *)at)[0], ((const double *)at)[1], false);
    case TYPE_COUNT: break;
    }
    return 0;
}
