/* file_lines.c - reads statement files, line by line.
 *
 *     tensor A, B: csr                     # formats, types, fills and how much is stored
 *     tensor x f32 fill inf stored 1000: sparse
 *     op f(x,y) = x > y ? x : y
 *     size i = 100
 *     name spmv                            # these two are about the next statement
 *     schedule reorder(i,j)
 *     y(i) = A(i,j) * x(j)
 *     repeat 20 {                          # loops around statements
 *         x(i) = 2 * y(i)
 *     } until (s < 1e-6)
 *
 * A loop is kept beside the statements, as the range of those that it repeats.  Its condition is
 * the last of these, an assignment to a scalar of type bool.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/file_parts.h"
#include "cli/library.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"

enum { STATEMENTS_MOST = 10000, LOOPS_MOST = 64 };

/* ---- lines ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int file_skip_blanks(const struct file_text *line, int k)
{
    while (k < line->n && is_blank(line->at[k]))
        k++;
    return k;
}

/* Returns the end of the identifier at k. */
int file_skip_name(const struct file_text *line, int k)
{
    int begin = k;
    while (k < line->n
           && (is_letter(line->at[k]) || (k > begin && line->at[k] >= '0' && line->at[k] <= '9')))
        k++;
    return k;
}

/* Returns the part of a line from begin to end, without blanks around it. */
static struct file_text part(struct file *file, const struct file_text *line, int begin, int end)
{
    begin = file_skip_blanks(line, begin);
    while (end > begin && is_blank(line->at[end - 1]))
        end--;
    struct file_text text = file_new_text(file, (size_t)(end > begin ? end - begin : 0));
    file_add_part(&text, line, begin, end);
    if (text.place && text.n == 0)
        text.place[0] = line->place[begin];
    return text;
}

static bool wrong_at(const struct file *file, const struct file_text *line, int k, const char *said)
{
    return file_wrong(file, line->place[k], line->place[k] + 1, "%s", said);
}

/* Reads NAME {, NAME}, at most `most` of them, and moves *k behind them.  -1 after a complaint. */
static int read_names(struct file *file, const struct file_text *line, int *k,
                      struct file_text *names, int most)
{
    int n = 0;
    for (;;) {
        int begin = file_skip_blanks(line, *k);
        *k = file_skip_name(line, begin);
        if (*k == begin) {
            wrong_at(file, line, begin, "the name of a tensor is missing here");
            return -1;
        }
        if (n < most)
            names[n++] = part(file, line, begin, *k);
        int next = file_skip_blanks(line, *k);
        if (next == line->n || line->at[next] != ',')
            return n;
        *k = next + 1;
    }
}

/* Returns the next word before the colon, empty at the end. */
static struct file_text read_word(struct file *file, const struct file_text *line, int *k)
{
    int begin = *k = file_skip_blanks(line, *k);
    while (*k < line->n && !is_blank(line->at[*k]) && line->at[*k] != ':')
        ++*k;
    return part(file, line, begin, *k);
}

/* The parts of a tensor line. */
struct described {
    struct file_text type, fill, stored, format;
};

/* Returns where the word after this one belongs.  NULL if this one announces none, and is the type.
 */
static struct file_text *announced(struct described *d, const char *word, const char **missing)
{
    if (strcmp(word, "fill") == 0) {
        *missing = "the value of the fill is missing here";
        return &d->fill;
    }
    if (strcmp(word, "stored") == 0) {
        *missing = "the number of stored components is missing here";
        return &d->stored;
    }
    return NULL;
}

static bool read_description(struct file *file, const struct file_text *line, int k,
                             struct described *d)
{
    for (;;) {
        struct file_text word = read_word(file, line, &k);
        if (file->no_memory)
            return false;
        if (word.n == 0)
            break;
        const char *missing = NULL;
        struct file_text *next = announced(d, word.at, &missing), *said = next ? next : &d->type;
        if (said->n > 0) {
            file_wrong(file, word.place[0], word.place[word.n - 1] + 1, "'%s' is one word too many",
                       word.at);
            message_help("as in tensor A f32 fill inf stored 1000: csr");
            return false;
        }
        *said = next ? read_word(file, line, &k) : word;
        if (said->n == 0)
            return !file->no_memory && wrong_at(file, line, k, missing);
    }
    if (k == line->n)
        return true;
    d->format = part(file, line, k + 1, line->n);
    return file->no_memory || d->format.n > 0
           || wrong_at(file, line, k, "the format is missing after the colon");
}

/* Reads tensor NAME {, NAME} [TYPE] [fill VALUE] [stored NUMBER] [: FORMAT]. */
static bool read_tensor(struct file *file, const struct file_text *line, int k)
{
    struct described d = {{0}, {0}, {0}, {0}};
    struct file_text *names = file_keep(file, (size_t)line->n, sizeof *names);
    int n = names ? read_names(file, line, &k, names, line->n) : -1;
    if (n < 0 || !read_description(file, line, k, &d))
        return false;
    for (int t = 0; t < n && !file->no_memory; t++) {
        if (d.format.n)
            file_add_word(file, "-f=", &names[t], &d.format);
        if (d.type.n)
            file_add_word(file, "-t=", &names[t], &d.type);
        if (d.fill.n)
            file_add_word(file, "--fill=", &names[t], &d.fill);
        if (d.stored.n)
            file_add_word(file, "--nnz=", &names[t], &d.stored);
    }
    return file_check_words(file, line);
}

/* Reads op NAME(...) = ... */
static bool read_operator(struct file *file, const struct file_text *line, int k)
{
    struct file_text operator= part(file, line, k, line->n);
    if (!file->no_memory)
        file_add_word(file, "--op=", NULL, &operator);
    return file_check_words(file, line);
}

/* Reads same NAME {, NAME}. */
static bool read_same(struct file *file, const struct file_text *line, int k)
{
    struct file_text names = part(file, line, k, line->n);
    if (!file->no_memory && names.n == 0)
        return wrong_at(file, line, line->n, "the names of tensors are missing here: same X, W");
    if (!file->no_memory)
        file_add_word(file, "--same=", NULL, &names);
    return file_check_words(file, line);
}

/* Reads size NAME = N {, NAME = N}. */
static bool read_size(struct file *file, const struct file_text *line, int k)
{
    for (;;) {
        int begin = file_skip_blanks(line, k), end = file_skip_name(line, begin),
            equal = file_skip_blanks(line, end);
        if (end == begin)
            return wrong_at(file, line, begin, "the name of an index variable is missing here");
        if (equal == line->n || line->at[equal] != '=')
            return wrong_at(file, line, equal, "a size is given as in size i = 100");
        for (k = equal + 1; k < line->n && line->at[k] != ',';)
            k++;
        struct file_text name = part(file, line, begin, end), size = part(file, line, equal + 1, k);
        if (size.n == 0 && !file->no_memory)
            return wrong_at(file, line, equal, "the size is missing after =");
        if (!file->no_memory)
            file_add_word(file, "-d=", &name, &size);
        if (k == line->n)
            return file_check_words(file, line);
        k++;
    }
}

/* Reads a word of options as a shell does: quotes of both kinds keep blanks, a backslash keeps the
 * next character, except in single quotes.  false after a complaint. */
static bool read_option(struct file *file, const struct file_text *line, int *k)
{
    struct file_text word = file_new_text(file, (size_t)line->n);
    int begin = *k;
    char quote = 0;
    for (; *k < line->n && (quote || !is_blank(line->at[*k])); ++*k) {
        char c = line->at[*k];
        if (quote ? c == quote : c == '\'' || c == '"')
            quote = quote ? 0 : c;
        else if (c == '\\' && quote != '\'' && *k + 1 < line->n)
            ++*k, file_add_byte(&word, line->at[*k], line->place[*k]);
        else
            file_add_byte(&word, c, line->place[*k]);
    }
    if (quote)
        return file_wrong(file, line->place[begin], line->place[line->n - 1] + 1,
                          "the quote is not closed");
    if (word.n && !file->no_memory)
        file_add_word(file, "", NULL, &word);
    return true;
}

/* Reads # spcc: OPTIONS. */
static bool read_options(struct file *file, const struct file_text *line, int k)
{
    for (k = file_skip_blanks(line, k); k < line->n; k = file_skip_blanks(line, k))
        if (!read_option(file, line, &k))
            return false;
    return file_check_words(file, line);
}

static bool is_statement_open(const struct file *file)
{
    return file->n > 0 && !file->statement[file->n - 1].text.at;
}

/* Returns the statement to which lines about the next statement belong. */
static struct file_statement *next_statement(struct file *file)
{
    if (is_statement_open(file))
        return &file->statement[file->n - 1];
    file->statement = file_keep_more(file, file->statement, file->n, sizeof *file->statement);
    return file->no_memory ? NULL : &file->statement[file->n++];
}

static bool read_name(struct file *file, const struct file_text *line, int k)
{
    struct file_statement *statement = next_statement(file);
    struct file_text name = part(file, line, k, line->n);
    if (file->no_memory)
        return false;
    if (file_skip_name(&name, 0) != name.n)
        return file_wrong(file, name.place[0], name.place[name.n - 1] + 1,
                          "'%s' is not a C identifier", name.at);
    if (statement->name)
        return file_wrong(file, line->place[0], line->place[line->n - 1] + 1,
                          "the next statement has a name already, %s", statement->name);
    statement->name = name.at;
    return true;
}

static bool read_schedule(struct file *file, const struct file_text *line, int k)
{
    struct file_statement *statement = next_statement(file);
    struct file_text schedule = part(file, line, k, line->n);
    if (!file->no_memory)
        statement->schedule =
            file_keep_more(file, statement->schedule, statement->n_schedule, sizeof schedule);
    if (file->no_memory)
        return false;
    statement->schedule[statement->n_schedule++] = schedule;
    return true;
}

static bool read_statement(struct file *file, const struct file_text *line)
{
    struct file_statement *statement = next_statement(file);
    if (statement)
        statement->text = part(file, line, 0, line->n);
    if (file->n > STATEMENTS_MOST)
        return wrong_at(file, line, 0, "there are too many statements");
    return !file->no_memory;
}

/* ---- loops ---- */

/* Names and schedules must precede a statement, not the text from byte k on. */
static bool is_between_statements(const struct file *file, const struct file_text *line, int k)
{
    return !is_statement_open(file)
           || wrong_at(file, line, k,
                       "a statement has to follow the name or schedule line before this");
}

/* Reads the number of rounds and the brace: [ NUMBER ] "{". */
static bool read_times(struct file *file, const struct file_text *line, int k, long long *most)
{
    int begin = file_skip_blanks(line, k);
    for (k = begin, *most = 0; k < line->n && line->at[k] >= '0' && line->at[k] <= '9'; k++) {
        if (*most > LLONG_MAX / 10 - 1)
            return file_wrong(file, line->place[begin], line->place[k] + 1,
                              "the number is too large");
        *most = 10 * *most + (line->at[k] - '0');
    }
    if (k > begin && *most == 0)
        return wrong_at(file, line, begin, "a loop runs at least once");
    k = file_skip_blanks(line, k);
    if (k == line->n || line->at[k] != '{') {
        wrong_at(file, line, k, "a loop begins as in repeat 20 { or repeat {");
        if (k == begin && k < line->n)
            message_help("the number is written in digits; } until (s < 1e-6) ends a loop when the "
                         "condition holds");
        return false;
    }
    return k + 1 == line->n
           || wrong_at(file, line, file_skip_blanks(line, k + 1),
                       "what is repeated begins on a line of its own");
}

/* Reads repeat [ NUMBER ] {. */
static bool read_repeat(struct file *file, const struct file_text *line, int k)
{
    struct file_loop loop = {.begin = file->n, .condition = -1, .around = file->open_loop};
    int depth = 1;
    if (!is_between_statements(file, line, 0) || !read_times(file, line, k, &loop.most))
        return false;
    for (int l = file->open_loop; l >= 0; l = file->loop[l].around)
        depth++;
    if (depth > LOOPS_MOST)
        return wrong_at(file, line, 0, "too many loops stand in one another");
    loop.head = part(file, line, 0, line->n);
    file->loop = file_keep_more(file, file->loop, file->n_loops, sizeof loop);
    if (file->no_memory)
        return false;
    file->open_loop = file->n_loops;
    file->loop[file->n_loops++] = loop;
    return true;
}

/* Makes a text that stands for the bytes of the file from `place` on. */
static struct file_text made_text(struct file *file, const char *text, int place)
{
    struct file_text made = file_new_text(file, strlen(text));
    for (const char *c = text; *c; c++)
        file_add_byte(&made, *c, place);
    return made;
}

/* Declares the type of all conditions, once. */
static bool declare_condition(struct file *file, const struct file_text *line, int place)
{
    struct file_text name = made_text(file, FILE_CONDITION, place),
                     type = made_text(file, "bool", place);
    for (int l = 0; l < file->n_loops; l++)
        if (file->loop[l].condition >= 0)
            return true;
    if (!file->no_memory)
        file_add_word(file, "-t=", &name, &type);
    return file_check_words(file, line);
}

/* Reads until (CONDITION) from byte k on, as the statement until = (CONDITION). */
static bool read_condition(struct file *file, const struct file_text *line, int k,
                           struct file_loop *loop)
{
    int end = file_skip_name(line, k), open = file_skip_blanks(line, end);
    bool is_until = end - k == 5 && strncmp(line->at + k, "until", 5) == 0;
    if (!is_until) {
        wrong_at(file, line, k, "after the brace stands until (CONDITION), or nothing");
        file_help_word(line, k, end);
        return false;
    }
    if (open == line->n || line->at[open] != '(' || line->at[line->n - 1] != ')')
        return wrong_at(file, line, open,
                        "the condition stands in parentheses, as in until (s < 1e-6)");
    if (!declare_condition(file, line, line->place[k]))
        return false;
    struct file_statement *statement = next_statement(file);
    struct file_text text =
        file_new_text(file, (size_t)(line->n - open) + strlen(FILE_CONDITION " = "));
    for (const char *c = FILE_CONDITION " = "; *c; c++)
        file_add_byte(&text, *c, line->place[k]);
    file_add_part(&text, line, open, line->n);
    if (file->no_memory)
        return false;
    statement->text = text;
    statement->is_condition = true;
    loop->condition = file->n - 1;
    return true;
}

/* Reads } [ until (CONDITION) ]. */
static bool read_brace(struct file *file, const struct file_text *line, int k)
{
    struct file_loop *loop = file->open_loop < 0 ? NULL : &file->loop[file->open_loop];
    int rest = file_skip_blanks(line, k + 1);
    if (!loop)
        return wrong_at(file, line, k, "there is no loop to close");
    if (!is_between_statements(file, line, k))
        return false;
    if (loop->begin == file->n)
        return wrong_at(file, line, k, "there is nothing to repeat");
    if (rest < line->n && !read_condition(file, line, rest, loop))
        return false;
    if (loop->most == 0 && loop->condition < 0) {
        wrong_at(file, &loop->head, 0, "this loop never ends");
        message_help("repeat 20 { says how often, } until (s < 1e-6) until when");
        return false;
    }
    loop->tail = part(file, line, k, line->n);
    loop->end = file->n;
    file->open_loop = loop->around;
    return !file->no_memory;
}

/* ---- kinds of lines ---- */

typedef bool read_line(struct file *file, const struct file_text *line, int k);

/* Two names side by side begin no statement, except as in y min= x. */
static bool is_word_before_name(const struct file_text *line, int k)
{
    int begin = file_skip_blanks(line, k), end = file_skip_name(line, begin);
    bool is_operator =
        end - begin == 3 && end < line->n && line->at[end] == '='
        && (strncmp(line->at + begin, "min", 3) == 0 || strncmp(line->at + begin, "max", 3) == 0);
    return begin > k && end > begin && !is_operator;
}

static bool is_word(const struct file_text *line, int begin, int end, const char *word)
{
    size_t n = strlen(word);
    return n == (size_t)(end - begin) && strncmp(line->at + begin, word, n) == 0;
}

static bool read_logical_line(struct file *file, const struct file_text *line)
{
    static const struct {
        const char *word;
        read_line *read;
    } kinds[] = {
        {"tensor", read_tensor}, {"op", read_operator}, {"same", read_same},
        {"size", read_size},     {"name", read_name},   {"schedule", read_schedule},
    };
    int begin = file_skip_blanks(line, 0), end = file_skip_name(line, begin);
    if (file->no_memory)
        return false;
    if (line->at[begin] == '}')
        return read_brace(file, line, begin);
    if (is_word(line, begin, end, "repeat") && !file_assigns(line, end))
        return read_repeat(file, line, end);
    for (size_t w = 0; w < sizeof kinds / sizeof *kinds; w++) {
        if (is_word(line, begin, end, kinds[w].word) && is_word_before_name(line, end))
            return kinds[w].read(file, line, end);
    }
    return (file_assigns(line, end) || file_check_word(file, line, begin, end))
           && read_statement(file, line);
}

/* Adds the bytes of one line up to its comment, without blanks around them. */
static void add_line(struct file *file, struct file_text *text, int begin, int end)
{
    while (begin < end && is_blank(file->text[begin]))
        begin++;
    while (end > begin && is_blank(file->text[end - 1]))
        end--;
    if (text->n > 0 && begin < end)
        file_add_byte(text, ' ', begin - 1);
    for (; begin < end; begin++)
        file_add_byte(text, file->text[begin], begin);
}

static int line_end(const struct file *file, int begin)
{
    return begin + (int)strcspn(file->text + begin, "\n");
}

static int next_line(const struct file *file, int begin)
{
    int end = line_end(file, begin);
    return end + (file->text[end] == '\n');
}

/* Returns where the options begin in a line "# spcc: ...", -1 in other lines. */
static int options_begin(const struct file *file, int begin)
{
    static const char mark[] = "# spcc:";
    return strncmp(file->text + begin, mark, sizeof mark - 1) == 0 ? begin + (int)sizeof mark - 1
                                                                   : -1;
}

/* Returns the indentation of the line's first letter, -1 if it has none outside comments. */
static int indentation(const struct file *file, int begin)
{
    int n = 0, k = begin;
    for (; is_blank(file->text[k]); k++)
        n = file->text[k] == '\t' ? n / 8 * 8 + 8 : n + 1;
    bool is_comment = file->text[k] == '#' && options_begin(file, begin) < 0;
    return is_comment || file->text[k] == '\n' || !file->text[k] ? -1 : n;
}

/* Does the text up to `end`, whose last line with a letter begins at `last`, go on in the next
 * line?  It does if that is indented further than the `first` line.  Braces always begin and end
 * lines.  Comments and empty lines may stand between. */
static bool goes_on(const struct file *file, int first, int last, int end)
{
    int n = indentation(file, end), close = last + (int)strcspn(file->text + last, "#\n");
    while (close > last && is_blank(file->text[close - 1]))
        close--;
    bool opens = close > last && file->text[close - 1] == '{';
    bool closes = file->text[end + (int)strspn(file->text + end, " \t\r\v\f")] == '}';
    return n < 0 || (n > first && !opens && !closes);
}

/* Joins the lines from begin on that form one, without their comments.  *next is where the next
 * line begins. */
static struct file_text join_lines(struct file *file, int begin, int *next)
{
    int first = indentation(file, begin), last = begin;
    for (*next = next_line(file, begin);
         first >= 0 && file->text[*next] && goes_on(file, first, last, *next);) {
        last = indentation(file, *next) >= 0 ? *next : last;
        *next = next_line(file, *next);
    }
    struct file_text line = file_new_text(file, (size_t)(*next - begin) + 1);
    for (int at = begin; at < *next; at = next_line(file, at))
        add_line(file, &line, at, at + (int)strcspn(file->text + at, "#\n"));
    return line;
}

bool file_read_lines(struct file *file)
{
    for (int begin = 0, next; file->text[begin] && !file->no_memory; begin = next) {
        int options = options_begin(file, begin);
        struct file_text line = {0};
        if (options < 0) {
            line = join_lines(file, begin, &next);
        } else {
            next = next_line(file, begin);
            line = file_new_text(file, (size_t)(next - begin) + 1);
            add_line(file, &line, options, line_end(file, begin));
        }
        if (line.n > 0
            && !(options < 0 ? read_logical_line(file, &line) : read_options(file, &line, 0)))
            return false;
    }
    if (file->open_loop >= 0)
        return wrong_at(file, &file->loop[file->open_loop].head, 0, "this loop is not closed");
    return file->n_words == 0 || file_parse_words(file);
}
