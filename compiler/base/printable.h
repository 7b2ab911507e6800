/* printable.h - texts from elsewhere (statements, names of files) as they may be shown on a
 * terminal.
 *
 * Control characters, of which terminals take commands, are written out, \x1b, and so are the
 * characters that change the direction of text, \u202e, by which one text looks like another, and
 * bytes that are no UTF-8.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_PRINTABLE_H
#define SPCC_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

enum { PRINTABLE = 8 };

/* Shows the first character of the n > 0 bytes at s: shown, of PRINTABLE bytes, is it, or how it
 * is written out, as *written says.  Returns how many bytes it takes. */
size_t printable_next(const char *s, size_t n, char shown[PRINTABLE], bool *written);

/* Writes all of a text into `to`, of size bytes, cut where that is not enough; newlines and tabs
 * stay if `lines`. Returns how many bytes it takes without the NUL. */
size_t printable(char *to, size_t size, const char *s, bool lines);

#endif
