/* file_join.c - joins successive statements of a file into one if the planner puts them into
 * common loops.
 *
 *     y(i) = A(i,j) * x(j)
 *     z(k) = A(l,k) * w(l)            y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)
 *
 * Index variables belong to their statements.  If a variable of the second statement indexes the
 * same mode of a tensor as one of the first, it gets that one's name, so that both are the same
 * loop.  Other variables keep their names, or get new ones if the first statement uses them.  The
 * library says whether loops are common.  A text that it refuses (a result that is computed twice,
 * or read before) is not joined.
 *
 * A statement with a name or a schedule in the file stays alone, and so does a loop's condition.
 * Statements of a loop's body are joined only with each other.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/emit.h"
#include "cli/file_parts.h"

/* The second statement's variables, by number, and their names in the first. */
struct joining {
    struct file *file;
    emit_options *options;
    const void *data;
    const struct file_statement *first, *second;
    const char **name;
};

/* ---- candidates ---- */

static bool is_free(const struct file_statement *statement)
{
    const struct cli_request *request = &statement->request;
    return !statement->name && !statement->n_schedule && !statement->is_condition
           && !request->no_plan && request->n_views == 0
           && (request->kernel == CLI_KERNEL_DEFAULT || request->kernel == CLI_KERNEL_FUSED);
}

/* Does a loop begin or end before the statement? */
static bool is_border(const struct file *file, int s)
{
    bool is = false;
    for (int l = 0; l < file->n_loops; l++)
        is |= file->loop[l].begin == s || file->loop[l].end == s;
    return is;
}

/* ---- names ---- */

static int variable_number(const spcc_statement *statement, const char *name)
{
    return file_find_variable(statement, name, strlen(name));
}

static bool has_name(const spcc_statement *statement, const char *name)
{
    return variable_number(statement, name) >= 0 || file_find_tensor(statement, name) >= 0;
}

static bool is_given(const struct joining *j, const char *name)
{
    bool is = false;
    for (int v = 0; v < spcc_statement_variables(j->second->parsed); v++)
        is |= j->name[v] && strcmp(j->name[v], name) == 0;
    return is;
}

/* Lets the second's variable in this mode of its tensor k be the first's there, unless it is
 * another one already. */
static void match_mode(struct joining *j, int k, int first, int mode)
{
    const char *name = spcc_statement_variable(j->first->parsed, first, mode);
    int v = variable_number(j->second->parsed, spcc_statement_variable(j->second->parsed, k, mode));
    if (v >= 0 && !file_is_literal(name) && !j->name[v] && !is_given(j, name))
        j->name[v] = name;
}

static void match_variables(struct joining *j)
{
    for (int k = 0; k < spcc_statement_tensors(j->second->parsed); k++) {
        const char *tensor = spcc_statement_tensor_name(j->second->parsed, k);
        int first = file_find_tensor(j->first->parsed, tensor);
        for (int m = 0; first >= 0 && m < spcc_statement_tensor_order(j->second->parsed, k); m++)
            match_mode(j, k, first, m);
    }
}

/* Returns an unused name. */
static const char *new_name(struct joining *j, const char *name)
{
    size_t size = strlen(name) + 16;
    char *made = file_keep(j->file, size, 1);
    for (int n = 2; made; n++) {
        snprintf(made, size, "%s%d", name, n);
        if (!has_name(j->first->parsed, made) && !has_name(j->second->parsed, made)
            && !is_given(j, made))
            break;
    }
    return made;
}

/* Names all of the second's variables.  false if the two statements share no mode. */
static bool name_variables(struct joining *j)
{
    bool matches = false;
    int n = spcc_statement_variables(j->second->parsed);
    j->name = file_keep(j->file, (size_t)n, sizeof *j->name);
    if (!j->name)
        return false;
    match_variables(j);
    for (int v = 0; v < n; v++)
        matches |= j->name[v] != NULL;
    for (int v = 0; v < n && matches; v++) {
        const char *own = spcc_statement_variable_name(j->second->parsed, v);
        if (!j->name[v])
            j->name[v] =
                has_name(j->first->parsed, own) || is_given(j, own) ? new_name(j, own) : own;
    }
    return matches && !j->file->no_memory;
}

/* ---- the text ---- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Returns the second's variable in the text from begin to end, if it is no function and no part of
 * a number such as 1.e5; else -1. */
static int variable_in(const struct joining *j, const struct file_text *text, int begin, int end)
{
    int behind = end;
    while (behind < text->n && isspace((unsigned char)text->at[behind]))
        behind++;
    if ((behind < text->n && text->at[behind] == '(') || (begin > 0 && text->at[begin - 1] == '.'))
        return -1;
    return file_find_variable(j->second->parsed, text->at + begin, (size_t)(end - begin));
}

static void add_second(const struct joining *j, struct file_text *joined)
{
    const struct file_text *text = &j->second->text;
    for (int k = 0, end; k < text->n; k = end) {
        for (end = k; end < text->n && is_word(text->at[end]);)
            end++;
        int v = end > k ? variable_in(j, text, k, end) : -1;
        if (end == k)
            end++;
        if (v < 0)
            file_add_part(joined, text, k, end);
        for (const char *c = v < 0 ? "" : j->name[v]; *c; c++)
            file_add_byte(joined, *c, text->place[k]);
    }
}

/* Returns the text's length without a final semicolon. */
static int without_end(const struct file_text *text)
{
    int n = text->n;
    while (n > 0 && (isspace((unsigned char)text->at[n - 1]) || text->at[n - 1] == ';'))
        n--;
    return n;
}

static struct file_text joined_text(const struct joining *j)
{
    size_t longest = 1;
    for (int v = 0; v < spcc_statement_variables(j->second->parsed); v++)
        longest = strlen(j->name[v]) > longest ? strlen(j->name[v]) : longest;
    const struct file_text *one = &j->first->text, *other = &j->second->text;
    struct file_text joined =
        file_new_text(j->file, (size_t)one->n + 2 + (size_t)other->n * longest);
    file_add_part(&joined, one, 0, without_end(one));
    file_add_byte(&joined, ';', other->place[0]);
    file_add_byte(&joined, ' ', other->place[0]);
    add_second(j, &joined);
    return joined;
}

/* ---- joining ---- */

static bool is_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

/* A size may be given in other words, by those of a tensor's modes. */
static bool is_same(const struct cli_setting *a, const struct cli_setting *b)
{
    return a->flag == b->flag && is_text(a->name, b->name) && a->size == b->size
           && (a->flag == CLI_FLAG_SIZE || is_text(a->value, b->value));
}

static void add_setting(struct cli_request *request, const struct cli_setting *setting)
{
    for (int k = 0; k < request->n_settings; k++)
        if (is_same(&request->settings[k], setting))
            return;
    request->settings[request->n_settings++] = *setting;
}

/* Joins the settings about both statements, with the second's variables renamed. */
static struct cli_request joined_request(const struct joining *j)
{
    const struct cli_request *one = &j->first->request, *other = &j->second->request;
    struct cli_request request = *one;
    request.settings =
        file_keep(j->file, (size_t)(one->n_settings + other->n_settings), sizeof *request.settings);
    request.n_settings = 0;
    for (int k = 0; k < one->n_settings && request.settings; k++)
        add_setting(&request, &one->settings[k]);
    for (int k = 0; k < other->n_settings && request.settings; k++) {
        struct cli_setting setting = other->settings[k];
        int v =
            setting.flag == CLI_FLAG_SIZE ? variable_number(j->second->parsed, setting.name) : -1;
        if (v >= 0)
            setting.name = j->name[v];
        add_setting(&request, &setting);
    }
    return request;
}

/* Parses the statement with the operators of the file. */
static bool parse_statement(struct file *file, struct file_statement *statement)
{
    struct library_options made;
    spcc_status said = SPCC_ERROR_MEMORY;
    if (library_options_make(&made, &statement->request, 0))
        said = spcc_statement_parse_with(file->context, statement->text.at, &made.options,
                                         &statement->parsed);
    library_options_free(&made);
    return said == SPCC_OK;
}

/* Does the plan put the last of the statements into common loops? */
static bool shares_loops(const struct joining *j, int s, const struct file_statement *joined)
{
    struct library_options made;
    bool shares = false;
    if (j->options(j->data, s, &joined->request, &made))
        spcc_shares_loops(j->file->context, joined->text.at, &made.options, &shares);
    library_options_free(&made);
    return shares;
}

/* Keeps a parsed statement, whose names others use. */
static void keep_parsed(struct file *file, spcc_statement *parsed)
{
    file->parsed = file_keep_more(file, file->parsed, file->n_parsed, sizeof *file->parsed);
    if (!file->no_memory)
        file->parsed[file->n_parsed++] = parsed;
}

/* Joins the second statement into the first, which is statement s now. */
static bool join_statements(struct joining *j, int s)
{
    struct file *file = j->file;
    struct file_statement joined = {.text = joined_text(j), .request = joined_request(j)};
    struct file_statement *first = &file->statement[s];
    const struct file_statement apart = *first;
    joined.request.subject = joined.text.at;
    if (file->no_memory || !parse_statement(file, &joined))
        return false;
    *first = joined;
    if (shares_loops(j, s, first)) {
        keep_parsed(file, apart.parsed);
        keep_parsed(file, j->second->parsed);
        return true;
    }
    spcc_statement_free(joined.parsed);
    *first = apart;
    return false;
}

/* Joins statement s, if possible, into the one before it, which has the number `before` now. */
static bool join_to(struct file *file, emit_options *options, const void *data, int s, int before)
{
    struct joining j = {.file = file,
                        .options = options,
                        .data = data,
                        .first = &file->statement[before],
                        .second = &file->statement[s]};
    return is_free(j.first) && is_free(j.second) && !is_border(file, s) && name_variables(&j)
           && join_statements(&j, before);
}

/* Renumbers the loops; statement k has the number now[k]. */
static void renumber_loops(struct file *file, const int *now)
{
    for (int l = 0; l < file->n_loops; l++) {
        struct file_loop *loop = &file->loop[l];
        loop->begin = now[loop->begin];
        loop->end = now[loop->end];
        loop->condition = loop->condition < 0 ? -1 : now[loop->condition];
    }
}

enum cli_status file_join(struct file *file, emit_options *options, const void *data)
{
    int n = 0, *now = file_keep(file, (size_t)file->n + 1, sizeof *now);
    for (int s = 0; s < file->n && now; s++) {
        if (n == 0 || !join_to(file, options, data, s, n - 1))
            file->statement[n++] = file->statement[s];
        now[s] = n - 1;
    }
    if (!now)
        return library_no_memory();
    now[file->n] = n;
    renumber_loops(file, now);
    file->n = n;
    return file->no_memory ? library_no_memory() : file_name_functions(file);
}
