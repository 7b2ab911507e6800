/* picture.c - text in pictures.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/picture.h"

#include <stdbool.h>

/* Returns the length of the UTF-8 character at s, 0 if XML may not contain it. */
static int character_length(const unsigned char *s)
{
    int n = s[0] < 0x80   ? 1
            : s[0] < 0xC2 ? 0
            : s[0] < 0xE0 ? 2
            : s[0] < 0xF0 ? 3
            : s[0] < 0xF5 ? 4
                          : 0;
    unsigned code = n > 1 ? s[0] & (0x7Fu >> n) : s[0];
    for (int k = 1; k < n; k++) {
        if ((s[k] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (s[k] & 0x3F);
    }
    bool is_short = (n == 3 && code < 0x800) || (n == 4 && (code < 0x10000 || code > 0x10FFFF));
    bool is_none = code < ' ' || code == 0x7F || (code >= 0xD800 && code < 0xE000) || code == 0xFFFE
                   || code == 0xFFFF;
    return is_short || is_none ? 0 : n;
}

void picture_escaped(FILE *out, const char *text)
{
    while (*text) {
        int n = character_length((const unsigned char *)text);
        if (*text == '&' || *text == '<' || *text == '>')
            fputs(*text == '&' ? "&amp;" : *text == '<' ? "&lt;" : "&gt;", out);
        else if (n == 0)
            fputc('?', out);
        else
            fwrite(text, 1, (size_t)n, out);
        text += n > 0 ? n : 1;
    }
}

void picture_text(FILE *out, int x, int y, const char *class, const char *anchor, const char *text)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" class=\"%s\" text-anchor=\"%s\">", x, y, class, anchor);
    picture_escaped(out, text);
    fputs("</text>\n", out);
}
