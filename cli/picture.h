/* picture.h - text in pictures: whatever it is, the picture is well-formed XML.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_PICTURE_H
#define SPCC_CLI_PICTURE_H

#include <stdio.h>

/* What XML may not have is written as '?'. */
void picture_escaped(FILE *out, const char *text);

/* A text at a place, of a class of the style, with its start, middle or end there. */
void picture_text(FILE *out, int x, int y, const char *class, const char *anchor, const char *text);

#endif
