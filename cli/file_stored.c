/* file_stored.c - stored(A) in a statement that does not tell A's order: other statements of the
 * file do.
 *
 *     next(j) = any(i, and(frontier(i), A(i,j)))      until (stored(next) == 0)
 *
 * The statement is then parsed as the sum over A's modes for which stored(A) stands.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "cli/file_parts.h"

enum { MODES_MOST = 32 };

/* Returns where the next name from byte k on begins, the text's end if there is none. */
static int next_name(const struct file_text *text, int k)
{
    for (; k < text->n && file_skip_name(text, k) == k; k++)
        continue;
    return k;
}

/* Returns the place behind an opening parenthesis that follows byte k, perhaps after blanks; else
 * 0. */
static int after_open(const struct file_text *text, int k)
{
    k = file_skip_blanks(text, k);
    return k < text->n && text->at[k] == '(' ? k + 1 : 0;
}

/* Counts the tensor's indices at its first access with some, 0 if there is none. */
static int find_indices(const struct file_text *text, const char *tensor, int length)
{
    for (int k = next_name(text, 0), end; k < text->n; k = next_name(text, end)) {
        end = file_skip_name(text, k);
        int at = after_open(text, end), indices = 1;
        if (!at || end - k != length || memcmp(text->at + k, tensor, (size_t)length) != 0)
            continue;
        for (; at < text->n && text->at[at] != ')'; at++)
            indices += text->at[at] == ',';
        return indices;
    }
    return 0;
}

/* Counts the sizes that -d A:N,N gives for the tensor's modes, 0 if there are none. */
static int count_sizes(const struct file *file, const char *tensor, int length)
{
    int i = 0, sizes = 0;
    for (const struct cli_setting *s; (s = cli_next(&file->request, CLI_FLAG_SIZE, &i));) {
        const char *comma = strchr(s->value, ',');
        if (!comma || strlen(s->name) != (size_t)length
            || memcmp(s->name, tensor, (size_t)length) != 0)
            continue;
        for (sizes = 1; comma; comma = strchr(comma + 1, ','))
            sizes++;
    }
    return sizes;
}

/* Returns the order of the tensor whose components `stored` at byte k counts, from another
 * statement or from its sizes.  [*begin, *end) is the tensor's name, *after is behind the
 * parenthesis. */
static int counted_modes(const struct file *file, const struct file_text *text, int k, int *begin,
                         int *end, int *after)
{
    int word = file_skip_name(text, k), open = after_open(text, word), modes = 0;
    if (word - k != 6 || memcmp(text->at + k, "stored", 6) != 0 || !open)
        return 0;
    *begin = file_skip_blanks(text, open);
    *end = file_skip_name(text, *begin);
    *after = file_skip_blanks(text, *end);
    if (*end == *begin || *after == text->n || text->at[(*after)++] != ')'
        || find_indices(text, text->at + *begin, *end - *begin))
        return 0;
    for (int s = 0; s < file->n && !modes; s++)
        modes = find_indices(&file->statement[s].text, text->at + *begin, *end - *begin);
    modes = modes ? modes : count_sizes(file, text->at + *begin, *end - *begin);
    return modes <= MODES_MOST ? modes : 0;
}

static void add_text(struct file_text *to, const char *text, int place)
{
    for (; *text; text++)
        file_add_byte(to, *text, place);
}

/* Adds A_1,A_2. */
static void add_indices(struct file_text *to, const struct file_text *from, int begin, int end,
                        int modes)
{
    char number[16];
    for (int m = 1; m <= modes; m++) {
        snprintf(number, sizeof number, "_%d%s", m, m < modes ? "," : "");
        file_add_part(to, from, begin, end);
        add_text(to, number, from->place[begin]);
    }
}

/* Adds sum(A_1,A_2,i64(stored(A(A_1,A_2)))), all of it at A's place. */
static void add_count(struct file_text *to, const struct file_text *from, int begin, int end,
                      int modes)
{
    int place = from->place[begin];
    add_text(to, "sum(", place);
    add_indices(to, from, begin, end, modes);
    add_text(to, ",i64(stored(", place);
    file_add_part(to, from, begin, end);
    add_text(to, "(", place);
    add_indices(to, from, begin, end, modes);
    add_text(to, "))))", place);
}

/* Returns the statement's text, with places if it is from the command line. */
static struct file_text placed(struct file *file, const struct file_statement *statement)
{
    const char *s = statement->text.at;
    struct file_text text = statement->text;
    if (!text.place)
        text = file_new_text(file, strlen(s));
    for (int k = 0; text.n == k && s[k]; k++)
        file_add_byte(&text, s[k], k);
    return text;
}

static bool expand(struct file *file, struct file_statement *statement)
{
    const struct file_text from = placed(file, statement);
    int begin, end, after, modes, done = 0;
    size_t room = (size_t)from.n + 1;
    for (int k = next_name(&from, 0); k < from.n; k = next_name(&from, file_skip_name(&from, k)))
        if ((modes = counted_modes(file, &from, k, &begin, &end, &after)))
            room += 32 + 2 * (size_t)modes * (size_t)(end - begin + 4);
    if (room == (size_t)from.n + 1)
        return true;
    struct file_text to = file_new_text(file, room);
    for (int k = next_name(&from, 0); k < from.n; k = next_name(&from, file_skip_name(&from, k))) {
        if (!(modes = counted_modes(file, &from, k, &begin, &end, &after)))
            continue;
        file_add_part(&to, &from, done, k);
        add_count(&to, &from, begin, end, modes);
        done = after;
    }
    file_add_part(&to, &from, done, from.n);
    statement->text = to;
    return !file->no_memory;
}

bool file_expand_stored(struct file *file)
{
    bool all = true;
    for (int s = 0; s < file->n && all; s++)
        all = expand(file, &file->statement[s]);
    return all;
}
