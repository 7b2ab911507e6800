/* file.c - statement files: opened, and taken apart into requests.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/file_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/library.h"

enum { FILE_MOST = 1 << 24 };

/* ---- memory ---- */

void *file_keep(struct file *file, size_t n, size_t size)
{
    void **kept = realloc(file->kept, ((size_t)file->n_kept + 1) * sizeof *kept);
    void *block = kept ? calloc(n ? n : 1, size) : NULL;
    if (kept)
        file->kept = kept;
    if (!block) {
        file->no_memory = true;
        return NULL;
    }
    return file->kept[file->n_kept++] = block;
}

/* By doubling. */
void *file_keep_more(struct file *file, void *array, int n, size_t size)
{
    bool is_full = n == 0 || (n >= 8 && (n & (n - 1)) == 0);
    if (!is_full)
        return array;
    void *grown = file_keep(file, n ? 2 * (size_t)n : 8, size);
    if (grown && n)
        memcpy(grown, array, (size_t)n * size);
    return grown;
}

/* ---- opening ---- */

static enum cli_status read_text(struct file *file)
{
    bool is_input = strcmp(file->path, "-") == 0;
    FILE *from = is_input ? stdin : fopen(file->path, "rb");
    size_t n = 0, room = 4096;
    char *text = from ? malloc(room) : NULL;
    if (!from) {
        library_complain("%s: cannot be opened: %s", file->path, strerror(errno));
        return CLI_BAD_INPUT;
    }
    while (text && n < FILE_MOST) {
        size_t more = fread(text + n, 1, room - n - 1, from);
        n += more;
        if (more == 0)
            break;
        char *grown = n + 1 < room ? text : realloc(text, room *= 2);
        if (!grown)
            free(text);
        text = grown;
    }
    int failed = ferror(from) ? errno : 0;
    if (!is_input)
        fclose(from);
    if (!text)
        return library_no_memory();
    file->text = text;
    text[n] = 0;
    if (failed || n >= FILE_MOST || strlen(text) != n) {
        library_complain("%s: %s", file->path, failed ? strerror(failed) : "not a statement file");
        return CLI_BAD_INPUT;
    }
    return CLI_DONE;
}

/* Every line is part of a statement now, or about one. */
static bool check_statements(const struct file *file)
{
    const struct file_statement *last = file->n ? &file->statement[file->n - 1] : NULL;
    if (!last) {
        fprintf(stderr, "%s: there is no statement\n", file->path);
        return false;
    }
    if (!last->text.at) {
        fprintf(stderr, "%s: no statement follows the last %s line\n", file->path, last->name ? "name" : "schedule");
        return false;
    }
    return true;
}

static enum cli_status open_path(struct file *file, const struct cli_request *request)
{
    struct cli_error error;
    file->path = request->subject;
    enum cli_status status = cli_parse(request->argc, request->argv, &file->request, &error);
    if (status == CLI_DONE)
        status = read_text(file);
    if (status != CLI_DONE)
        return status;
    bool good = file_read_lines(file) && check_statements(file);
    return file->no_memory ? library_no_memory() : good ? CLI_DONE : CLI_BAD_INPUT;
}

static enum cli_status open_expression(struct file *file, const struct cli_request *request)
{
    file->request = *request;
    file->statement = file_keep(file, 1, sizeof *file->statement);
    if (!file->statement)
        return library_no_memory();
    file->statement[0].text.at = (char *)request->subject;
    file->n = 1;
    return CLI_DONE;
}

/* ---- what holds for each statement ---- */

static bool names_tensor(const spcc_statement *statement, const char *name)
{
    for (int t = 0; t < spcc_statement_tensors(statement); t++)
        if (strcmp(spcc_statement_tensor_name(statement, t), name) == 0)
            return true;
    return false;
}

static bool names_variable(const spcc_statement *statement, const char *name)
{
    for (int v = 0; v < spcc_statement_variables(statement); v++)
        if (strcmp(spcc_statement_variable_name(statement, v), name) == 0)
            return true;
    return false;
}

static bool concerns(const struct file_statement *statement, const struct cli_setting *setting)
{
    if (!setting->name)
        return true;
    return setting->flag == CLI_FLAG_SIZE ? names_variable(statement->parsed, setting->name)
                                          : names_tensor(statement->parsed, setting->name);
}

/* Where there is no file, the library says what the names may be. */
static bool check_setting(const struct file *file, const struct cli_setting *setting)
{
    struct file_text at;
    bool is_checked_later = setting->flag == CLI_FLAG_INPUT || setting->flag == CLI_FLAG_OUTPUT;
    const char *what = setting->flag == CLI_FLAG_SIZE ? "an index variable" : "a tensor";
    bool is_found = !file->path || is_checked_later;
    for (int s = 0; s < file->n; s++)
        is_found |= concerns(&file->statement[s], setting);
    size_t before = setting->name ? strlen(setting->name) + 1 : 0; /* in the word, NAME:VALUE */
    if (!is_found && file_find_value(file, setting->value, &at) && file_find_value(file, setting->value - before, &at))
        return file_wrong(file, at.place[0], at.place[before - 2] + 1, "%s is %s of no statement", setting->name, what);
    if (!is_found)
        library_complain("%s is %s of no statement of %s", setting->name, what, file->path);
    if (file->n > 1 && setting->flag == CLI_FLAG_SCHEDULE) {
        library_complain("%s has %d statements: which one -s is about, a schedule line before it says", file->path,
                         file->n);
        return false;
    }
    return is_found;
}

/* compute_y; the second of that name is compute_y_2. */
static const char *function_name(struct file *file, int s)
{
    const char *result = spcc_statement_tensor_name(file->statement[s].parsed, 0);
    size_t size = strlen(result) + 32;
    char *name = file_keep(file, size, 1);
    int before = 1;
    for (int r = 0; r < s; r++)
        before += strcmp(spcc_statement_tensor_name(file->statement[r].parsed, 0), result) == 0;
    if (name)
        snprintf(name, size, before > 1 ? "compute_%s_%d" : "compute_%s", result, before);
    return name;
}

static enum cli_status link_statement(struct file *file, int s)
{
    struct file_statement *statement = &file->statement[s];
    const struct cli_request *all = &file->request;
    struct cli_request *own = &statement->request;
    struct cli_setting *settings = file_keep(file, (size_t)(all->n_settings + statement->n_schedule + 1), sizeof *settings);
    *own = *all;
    own->subject = statement->text.at;
    if (!settings)
        return library_no_memory();
    own->settings = settings;
    own->n_settings = 0;
    for (int k = 0; k < all->n_settings; k++)
        if (!file->path || concerns(statement, &all->settings[k]))
            settings[own->n_settings++] = all->settings[k];
    for (int k = 0; k < statement->n_schedule; k++)
        settings[own->n_settings++] = (struct cli_setting){.flag = CLI_FLAG_SCHEDULE,
                                                           .value = statement->schedule[k].at};
    if (statement->name)
        own->function = statement->name;
    else if (file->n > 1)
        own->function = function_name(file, s);
    return file->no_memory ? library_no_memory() : CLI_DONE;
}

static enum cli_status check_functions(const struct file *file)
{
    for (int s = 0; s < file->n; s++)
        for (int r = 0; r < s; r++)
            if (strcmp(file->statement[r].request.function, file->statement[s].request.function) == 0)
                return file_complain(file, s, "the function for this would be called %s, as the one for another statement",
                                     file->statement[s].request.function);
    return CLI_DONE;
}

static enum cli_status parse_statements(struct file *file)
{
    enum cli_status status = CLI_DONE;
    struct library_options made;
    if (!library_options_make(&made, &file->request))
        status = library_no_memory();
    for (int s = 0; s < file->n && status != CLI_BAD_MACHINE; s++) {
        spcc_status said = spcc_statement_parse_with(file->context, file->statement[s].text.at, &made.options,
                                                     &file->statement[s].parsed);
        const spcc_diagnostic *d = said == SPCC_OK ? NULL : spcc_diagnostic_get(file->context, 0);
        bool is_about_all = d && d->source && strcmp(d->source, "operator") == 0;
        enum cli_status one = file_report(file, s, said);
        status = status == CLI_DONE ? one : status;
        if (is_about_all) /* and the same for every other */
            break;
    }
    library_options_free(&made);
    return status;
}

struct named_order { const char *name; int order, statement; };

static int compare_orders(const void *a, const void *b)
{
    const struct named_order *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->statement > y->statement) - (x->statement < y->statement);
}

/* A tensor has the order of its first statement in all; the first that has another is told. */
static enum cli_status check_orders(struct file *file)
{
    size_t n = 0, tensors = 0, wrong = 0;
    for (int s = 0; s < file->n; s++)
        tensors += (size_t)spcc_statement_tensors(file->statement[s].parsed);
    struct named_order *order = file_keep(file, tensors, sizeof *order);
    if (!order)
        return library_no_memory();
    for (int s = 0; s < file->n; s++)
        for (int t = 0; t < spcc_statement_tensors(file->statement[s].parsed); t++)
            order[n++] = (struct named_order){spcc_statement_tensor_name(file->statement[s].parsed, t),
                                              spcc_statement_tensor_order(file->statement[s].parsed, t), s};
    qsort(order, n, sizeof *order, compare_orders);
    for (size_t k = 1; k < n; k++)
        if (strcmp(order[k - 1].name, order[k].name) == 0 && order[k - 1].order != order[k].order
            && (wrong == 0 || order[k].statement < order[wrong].statement))
            wrong = k;
    if (wrong == 0)
        return CLI_DONE;
    return file_complain(file, order[wrong].statement, "%s has the order %d here, and the order %d in an earlier statement",
                         order[wrong].name, order[wrong].order, order[wrong - 1].order);
}

static enum cli_status link(struct file *file)
{
    enum cli_status status = parse_statements(file);
    if (status == CLI_DONE && file->n > 1 && file->request.function) {
        library_complain("%s has %d statements: a name line before each says what it is called", file->path, file->n);
        return CLI_BAD_USAGE;
    }
    if (status == CLI_DONE)
        status = check_orders(file);
    for (int k = 0; k < file->request.n_settings && status == CLI_DONE; k++)
        if (!check_setting(file, &file->request.settings[k]))
            status = file->request.settings[k].from_file ? CLI_BAD_INPUT : CLI_BAD_USAGE;
    for (int s = 0; s < file->n && status == CLI_DONE; s++)
        status = link_statement(file, s);
    return status == CLI_DONE ? check_functions(file) : status;
}

enum cli_status file_open(struct file *file, const struct cli_request *request)
{
    *file = (struct file){0};
    enum cli_status status = cli_is_file(request->subject) ? open_path(file, request) : open_expression(file, request);
    if (status == CLI_DONE)
        file->context = library_open(&file->request, &status);
    return status == CLI_DONE ? link(file) : status;
}

void file_close(struct file *file)
{
    for (int s = 0; s < file->n; s++)
        spcc_statement_free(file->statement[s].parsed);
    spcc_context_free(file->context);
    if (file->path)
        cli_request_free(&file->request);
    for (int k = 0; k < file->n_kept; k++)
        free(file->kept[k]);
    free(file->kept);
    free(file->text);
    *file = (struct file){0};
}
