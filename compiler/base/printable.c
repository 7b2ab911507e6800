/* printable.c - makes texts from elsewhere fit for a terminal.
 *
 * UTF-8 is decoded as RFC 3629 has it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/printable.h"

#include <stdio.h>
#include <string.h>

/* Decodes the character at s.  Returns its length, 0 if there is none. */
static size_t decode(const unsigned char *s, size_t n, unsigned *character)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80   ? 1
                    : s[0] < 0xc2 ? 0
                    : s[0] < 0xe0 ? 2
                    : s[0] < 0xf0 ? 3
                    : s[0] < 0xf5 ? 4
                                  : 0;
    if (length == 0 || length > n)
        return 0;
    unsigned c = length == 1 ? s[0] : s[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3fu);
    }
    *character = c;
    return c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : length;
}

static bool changes_direction(unsigned c)
{
    return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)
           || (c >= 0x2066 && c <= 0x2069);
}

size_t printable_next(const char *s, size_t n, char shown[PRINTABLE], bool *written)
{
    unsigned c = 0;
    size_t length = decode((const unsigned char *)s, n, &c);
    bool is_control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    *written = length == 0 || is_control || changes_direction(c) || c == 0x2028 || c == 0x2029;
    if (length <= 1 && *written)
        snprintf(shown, PRINTABLE, "\\x%02x", (unsigned char)s[0]);
    else if (*written)
        snprintf(shown, PRINTABLE, "\\u%04x", c & 0xffffu);
    else
        memcpy(shown, s, length);
    if (!*written)
        shown[length] = '\0';
    return length ? length : 1;
}

size_t printable(char *to, size_t size, const char *s, bool lines)
{
    size_t all = 0, n = strlen(s);
    char shown[PRINTABLE];
    bool written;
    for (size_t taken; n > 0; s += taken, n -= taken) {
        taken = printable_next(s, n, shown, &written);
        if (lines && (*s == '\n' || *s == '\t'))
            memcpy(shown, (char[]){*s, '\0'}, 2);
        size_t more = strlen(shown);
        if (all + more < size)
            memcpy(to + all, shown, more + 1);
        else if (all < size)
            size = all + 1; /* full; the rest is only counted */
        all += more;
    }
    if (all == 0 && size > 0)
        *to = '\0';
    return all;
}
