/* scan.c - the words of formats, and reports of mistakes in them.
 *
 * A mistake in the expansion of a name is reported at the name.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>

#include "compiler/format/parse.h"

/* ---- mistakes ---- */

struct diag *scan_complain(struct format_parser *p, int begin, int end, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(p->cx->arena, format, args);
    va_end(args);
    struct span span = p->name ? p->name_span : (struct span){p->source, begin, end};
    return diag_error(p->cx, DIAG_FORMAT, span, "%s", message);
}

/* ---- words ---- */

void scan_space(struct format_parser *p)
{
    while (p->text[p->at] == ' ' || p->text[p->at] == '\t' || p->text[p->at] == '\n')
        p->at++;
}

bool scan_accept(struct format_parser *p, const char *sign)
{
    scan_space(p);
    size_t n = strlen(sign);
    const char *here = p->text + p->at;
    if (strncmp(here, sign, n) != 0)
        return false;
    /* it is part of a longer word */
    if (text_is_letter(*sign) && (text_is_letter(here[n]) || text_is_digit(here[n])))
        return false;
    p->at += (int)n;
    return true;
}

const char *scan_describe(struct format_parser *p)
{
    unsigned char c = (unsigned char)p->text[p->at];
    if (!c)
        return "the end";
    if (c < ' ' || c >= 0x7f)
        return arena_printf(p->cx->arena, "the byte 0x%02x", c);
    return arena_printf(p->cx->arena, "'%c'", c);
}

bool scan_expect(struct format_parser *p, const char *sign)
{
    if (scan_accept(p, sign))
        return true;
    scan_complain(p, p->at, p->at + 1, "expected '%s', not %s", sign, scan_describe(p));
    return false;
}

bool scan_list(struct format_parser *p, bool (*element)(struct format_parser *p))
{
    do {
        if (!element(p))
            return false;
    } while (scan_accept(p, ","));
    return scan_expect(p, ")");
}

size_t scan_word(struct format_parser *p, int *begin)
{
    scan_space(p);
    *begin = p->at;
    if (!text_is_letter(p->text[p->at]))
        return 0;
    while (text_is_letter(p->text[p->at]) || text_is_digit(p->text[p->at]))
        p->at++;
    return (size_t)(p->at - *begin);
}

bool scan_integer(struct format_parser *p, int64_t *value)
{
    scan_space(p);
    int begin = p->at;
    *value = 0;
    while (text_is_digit(p->text[p->at]) && *value < INT32_MAX)
        *value = *value * 10 + (p->text[p->at++] - '0');
    while (text_is_digit(p->text[p->at]))
        p->at++;
    if (p->at == begin) {
        scan_complain(p, begin, begin + 1, "expected a number, not %s", scan_describe(p));
        return false;
    }
    if (*value > INT32_MAX) {
        scan_complain(p, begin, p->at, "this number is too large");
        return false;
    }
    return true;
}
