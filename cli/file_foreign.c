/* file_foreign.c - lines of statement files that are no statements: loops and conditions of other
 * languages, misspelled words.
 *
 *     while (s > 1e-6) {       there is no while: the only loop is repeat
 *     if (s > 1) x(i) = 0      there is no if: a condition is part of an expression
 *     tensr A: csr             did you mean tensor?
 *
 * Each of these words may be a tensor's name, so a line that assigns is always a statement.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "cli/file_parts.h"
#include "cli/message.h"
#include "compiler/base/suggest.h"

static const struct foreign {
    const char *words; /* with a blank before and after each */
    const char *instead, *help;
} foreign[] = {
    {" for foreach forall while do loop ", "the only loop is repeat",
     "repeat 20 { repeats 20 times; } until (s < 1e-6) ends a loop when the condition holds"},
    {" if else elif elseif elsif switch case ", "a condition is part of an expression",
     "as in y(i) = select(x(i) > 1, 2 * x(i), y(i))"},
    {" break continue return exit ", "a loop ends by its number or its condition",
     "} until (s < 1e-6) ends a loop when the condition holds"},
    {" end endfor endwhile endif done ", "a loop is closed by }", ""},
};

/* Returns the row of the word from begin to end, NULL if it has none. */
static const struct foreign *find_foreign(const struct file_text *line, int begin, int end)
{
    char word[16] = " ";
    size_t n = (size_t)(end - begin);
    if (n == 0 || n + 3 > sizeof word)
        return NULL;
    memcpy(word + 1, line->at + begin, n);
    memcpy(word + 1 + n, " ", 2);
    for (size_t f = 0; f < sizeof foreign / sizeof *foreign; f++)
        if (strstr(foreign[f].words, word))
            return &foreign[f];
    return NULL;
}

/* Skips the lists of indices that begin at k. */
static int skip_lists(const struct file_text *line, int k)
{
    int depth = 0;
    for (k = file_skip_blanks(line, k); k < line->n; k++) {
        char c = line->at[k];
        if (depth == 0 && c != '(' && c != '[')
            break;
        depth += c == '(' || c == '[';
        depth -= c == ')' || c == ']';
    }
    return k;
}

bool file_assigns(const struct file_text *line, int end)
{
    int k = file_skip_blanks(line, skip_lists(line, end)), name = file_skip_name(line, k);
    const char *sign = line->at + name;
    bool is_compound = name == k && strchr("+-*/|&^", *sign) && *sign && sign[1] == '=';
    return is_compound || (sign[0] == '=' && sign[1] != '=');
}

static void help_block(const struct foreign *row)
{
    if (row->help[0])
        message_help("%s", row->help);
}

void file_help_word(const struct file_text *line, int begin, int end)
{
    const struct foreign *row = find_foreign(line, begin, end);
    if (row)
        help_block(row);
}

/* Returns the word of statement files that was meant. */
static struct suggestion nearest(const char *word)
{
    static const char *const words[] = {"tensor", "op", "size", "name", "schedule", "repeat"};
    struct suggestion near = suggest_for(word);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        suggest_consider(&near, words[w], strlen(words[w]));
    return near;
}

bool file_check_word(struct file *file, const struct file_text *line, int begin, int end)
{
    const struct foreign *row = find_foreign(line, begin, end);
    bool opens = line->at[line->n - 1] == '{', is_word = end > begin;
    int next = file_skip_blanks(line, end);
    if (row) {
        file_wrong(file, line->place[begin], line->place[end - 1] + 1, "there is no %.*s: %s",
                   end - begin, line->at + begin, row->instead);
        help_block(row);
        return false;
    }
    struct file_text word = file_new_text(file, (size_t)(end - begin));
    file_add_part(&word, line, begin, end);
    bool precedes_name = next > end && file_skip_name(line, next) > next;
    if (file->no_memory || (!opens && !precedes_name))
        return !file->no_memory;
    struct suggestion near = nearest(word.at);
    if (!opens && !near.nearest)
        return true;
    file_wrong(file, line->place[is_word ? begin : line->n - 1],
               line->place[is_word ? end - 1 : line->n - 1] + 1,
               opens ? "only repeat begins a block" : "'%s' begins no line", word.at);
    if (near.nearest)
        message_help("did you mean %.*s?", near.length, near.nearest);
    else
        help_block(&foreign[0]);
    return false;
}
