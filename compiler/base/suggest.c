/* suggest.c - the word that was probably meant by a mistyped one.
 *
 * It is the nearest by the restricted Damerau-Levenshtein distance: insertions, deletions,
 * substitutions and swaps of neighbours.  Small and capital letters count as equal.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { WORD_MAX = 31 }; /* longer words are not compared */

static int fold(char c) { return tolower((unsigned char)c); }

static int min3(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edits between words of at most WORD_MAX letters: three rows of the usual table suffice. */
static int distance(const char *a, int na, const char *b, int nb)
{
    int rows[3][WORD_MAX + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (int j = 0; j <= nb; j++)
        above[j] = before[j] = j;
    for (int i = 1; i <= na; i++) {
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            row[j] = min3(above[j] + 1, row[j - 1] + 1,
                          above[j - 1] + (fold(a[i - 1]) != fold(b[j - 1])));
            bool swapped = i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2])
                           && fold(a[i - 2]) == fold(b[j - 1]);
            if (swapped && before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
        int *oldest = before;
        before = above, above = row, row = oldest;
    }
    return above[nb];
}

struct suggestion suggest_for(const char *word) { return (struct suggestion){.word = word}; }

void suggest_consider(struct suggestion *suggestion, const char *candidate, size_t length)
{
    size_t n = strlen(suggestion->word);
    if (n > WORD_MAX || length > WORD_MAX)
        return;
    int d = distance(suggestion->word, (int)n, candidate, (int)length);
    int allowed = length <= 4 ? 1 : length <= 7 ? 2 : 3;
    if (d > allowed || d >= (int)length || d >= (int)n
        || (suggestion->nearest && d >= suggestion->distance))
        return;
    suggestion->nearest = candidate;
    suggestion->length = (int)length;
    suggestion->distance = d;
}
