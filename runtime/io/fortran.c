/* fortran.c - Fortran's format specifications, as far as they describe lines of numbers (ISO/IEC
 * 1539-1:2018, 13.3 to 13.8).
 *
 *     8I9 10I8.4          integers in columns of this width
 *     5E16.8 4D25.16E3    real numbers; F, G, EN and ES likewise
 *     2X T10 TL2 TR3      skipped columns
 *     1P                  the scale factor of all real numbers behind it
 *     3(F12.4,1X)         a repeated group
 *
 * If numbers remain when a format ends, a new line begins, and the format goes on at its last
 * group, or at its beginning if it has none.  The scale factor stays.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/fortran.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 100000, DEPTH = 4, STEPS = 10000, COUNT = 1000 };

struct parser {
    const char *s;
    struct fortran_line *line;
    int column, scale, steps;
    const char *again; /* the format's last group */
};

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static void skip_blanks(struct parser *p) { p->s += strspn(p->s, " \t"); }

static bool scan_count(struct parser *p, int *count)
{
    int n = 0;
    skip_blanks(p);
    if (*p->s < '0' || *p->s > '9')
        return false;
    for (; *p->s >= '0' && *p->s <= '9'; p->s++)
        if ((n = 10 * n + (*p->s - '0')) >= COUNT)
            return false;
    *count = n;
    return true;
}

/* Reads "16.8E3" after the letter; only real numbers have a point. */
static bool parse_field(struct parser *p, int count, bool is_real)
{
    struct fortran_line *line = p->line;
    int width, digits = 0, exponent;
    if (!scan_count(p, &width) || width < 1 || width >= FORTRAN_WIDTH || count < 1)
        return false;
    if (*p->s == '.') {
        p->s++;
        if (!scan_count(p, &digits) || digits > width)
            return false;
        if (is_real && lower(*p->s) == 'e' && (p->s++, !scan_count(p, &exponent)))
            return false;
    }
    if (line->runs == FORTRAN_RUNS || p->column + count * width >= COLUMNS)
        return false;
    line->run[line->runs++] = (struct fortran_run){.count = count,
                                                   .column = p->column,
                                                   .width = width,
                                                   .digits = is_real ? digits : 0,
                                                   .scale = is_real ? p->scale : 0};
    p->column += count * width;
    return true;
}

/* Reads "10", "L2" or "R3" after a T. */
static bool parse_tab(struct parser *p)
{
    char way = lower(*p->s);
    int n;
    p->s += way == 'l' || way == 'r';
    if (!scan_count(p, &n))
        return false;
    p->column = way == 'l' ? p->column - n : way == 'r' ? p->column + n : n - 1;
    return p->column >= 0 && p->column < COLUMNS;
}

/* Reads one edit descriptor with the repeat count n, 1 without one. */
static bool parse_one(struct parser *p, int n)
{
    char letter = lower(*p->s++);
    switch (letter) {
    case 'x': p->column += n; return p->column < COLUMNS;
    case 't': return parse_tab(p);
    case 'p': p->scale = n; return true;
    case 'i': return parse_field(p, n, false);
    case 'e': p->s += lower(*p->s) == 'n' || lower(*p->s) == 's'; return parse_field(p, n, true);
    case 'f':
    case 'd':
    case 'g': return parse_field(p, n, true);
    case 's': p->s += lower(*p->s) == 'p' || lower(*p->s) == 's'; return true;
    case 'b': return lower(*p->s++) == 'n'; /* blanks count as nothing, not as zeros */
    default: p->s--; return false;
    }
}

/* Reads up to the parenthesis that closes this group. */
static bool parse_group(struct parser *p, int depth)
{
    for (;;) {
        p->s += strspn(p->s, " \t,:");
        const char *item = p->s;
        if (*item == ')')
            return true;
        bool negative = *item == '-';
        int count = 1;
        p->s += negative || *item == '+';
        bool counted = scan_count(p, &count);
        skip_blanks(p);
        if (++p->steps > STEPS || (!counted && p->s != item) || (negative && lower(*p->s) != 'p')
            || (lower(*p->s) == 'p' && !counted))
            return false;
        if (*p->s != '(') {
            if (!parse_one(p, negative ? -count : count))
                return false;
            continue;
        }
        const char *inside = p->s + 1;
        p->again = depth == 0 ? item : p->again;
        if (depth == DEPTH || count < 1)
            return false;
        while (count-- > 0) {
            p->s = inside;
            if (!parse_group(p, depth + 1))
                return false;
        }
        p->s++;
    }
}

bool fortran_parse(const char **at, struct fortran_layout *layout)
{
    struct parser p = {.s = *at, .line = &layout->line[0]};
    layout->line[0].runs = layout->line[1].runs = 0;
    skip_blanks(&p);
    bool good = *p.s == '(';
    p.s += good;
    p.again = p.s;
    good = good && parse_group(&p, 0);
    *at = p.s;
    if (!good || layout->line[0].runs == 0)
        return false;
    p.s = p.again;
    p.line = &layout->line[1];
    p.column = 0;
    if (!parse_group(&p, 0) || layout->line[1].runs == 0)
        return false;
    ++*at;
    return true;
}

/* ---- numbers ---- */

/* Puts the point into a number without one, before the last digits. */
static void put_point(char *text, size_t digits)
{
    char *s = text + strspn(text, "+-");
    size_t there = strspn(s, "0123456789"), rest = strlen(s + there) + 1;
    size_t missing = there < digits ? digits - there : 0;
    memmove(s + missing, s, there + rest);
    memset(s, '0', missing);
    char *point = s + there + missing - digits;
    memmove(point + 1, point, digits + rest);
    *point = '.';
}

bool fortran_normalize(char *text, int room, const struct fortran_run *run)
{
    size_t n = strlen(text), sign = strspn(text, "+-");
    if (n + FORTRAN_WIDTH + 16 > (size_t)room)
        return false;
    if (text[strcspn(text, "naif")] != '\0') /* such as nan, inf */
        return true;
    char *exponent = text + sign + strcspn(text + sign, "eEdD+-");
    if (*exponent == '+' || *exponent == '-') { /* 1.5-100 is 1.5E-100 */
        memmove(exponent + 1, exponent, strlen(exponent) + 1);
        *exponent = 'E';
    } else if (*exponent == '\0' && run->scale != 0)
        snprintf(exponent, 16, "E%d", -run->scale);
    if (run->digits > 0 && !strchr(text, '.'))
        put_point(text, (size_t)run->digits);
    return true;
}
