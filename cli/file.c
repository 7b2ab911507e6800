/* file.c - opens statement files, and divides them into requests.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/file_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/library.h"
#include "cli/names.h"

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

/* Grows the array by doubling. */
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
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
        memmove(text, text + 3, (n -= 3) + 1);
    if (failed || n >= FILE_MOST || strlen(text) != n) {
        library_complain("%s: %s", file->path, failed ? strerror(failed) : "not a statement file");
        return CLI_BAD_INPUT;
    }
    return CLI_DONE;
}

/* Is every line part of a statement now, or about one? */
static bool check_statements(const struct file *file)
{
    const struct file_statement *last = file->n ? &file->statement[file->n - 1] : NULL;
    if (!last) {
        message_say("%s: there is no statement", file->path);
        return false;
    }
    if (!last->text.at) {
        message_say("%s: no statement follows the last %s line", file->path,
                    last->name ? "name" : "schedule");
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

/* ---- the settings of each statement ---- */

/* The settings about a name as lists: the first one of each name, and the next after each; -1:
 * none. */
struct links {
    struct names names;
    int *first, *next;
    int *picked;    /* those about one statement */
    bool *is_found; /* is the setting about some statement? */
};

static bool links_make(struct links *links, const struct cli_request *request)
{
    size_t n = (size_t)request->n_settings + 1;
    *links = (struct links){.first = malloc(n * sizeof(int)),
                            .next = malloc(n * sizeof(int)),
                            .picked = malloc(n * sizeof(int)),
                            .is_found = calloc(n, sizeof(bool))};
    if (!links->first || !links->next || !links->picked || !links->is_found)
        return false;
    for (int k = request->n_settings - 1; k >= 0; k--) {
        const char *name = request->settings[k].name;
        int before = links->names.n, number = name ? names_add(&links->names, name) : -1;
        if (name && number < 0)
            return false;
        links->next[k] = name && number < before ? links->first[number] : -1;
        if (name)
            links->first[number] = k;
    }
    return true;
}

static void links_free(struct links *links)
{
    names_free(&links->names);
    free(links->first);
    free(links->next);
    free(links->picked);
    free(links->is_found);
}

/* Adds the settings about a name of the statement, a tensor's or an index variable's, to the n
 * picked ones.  Returns their new number. */
static int pick(struct links *links, const struct cli_request *request, const char *name,
                bool is_variable, int n)
{
    int number = names_find(&links->names, name);
    for (int k = number < 0 ? -1 : links->first[number]; k >= 0; k = links->next[k])
        if (!is_variable || request->settings[k].flag == CLI_FLAG_SIZE)
            links->picked[n++] = k;
    return n;
}

static int compare_numbers(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Finds the numbers of the settings about the statement, in order.  Returns how many. */
static int pick_settings(struct links *links, const struct cli_request *request,
                         const spcc_statement *statement)
{
    int n = 0;
    for (int k = 0; k < request->n_settings; k++)
        if (!request->settings[k].name)
            links->picked[n++] = k;
    for (int t = 0; t < spcc_statement_tensors(statement); t++)
        n = pick(links, request, spcc_statement_tensor_name(statement, t), false, n);
    for (int v = 0; v < spcc_statement_variables(statement); v++)
        n = pick(links, request, spcc_statement_variable_name(statement, v), true, n);
    qsort(links->picked, (size_t)n, sizeof *links->picked, compare_numbers);
    for (int k = 0; k < n; k++)
        links->is_found[links->picked[k]] = true;
    return n;
}

/* Without a file, the library says what the names may be. */
static bool check_setting(const struct file *file, const struct cli_setting *setting, bool is_found)
{
    struct file_text at;
    bool is_checked_later = setting->flag == CLI_FLAG_INPUT || setting->flag == CLI_FLAG_OUTPUT;
    bool is_size = setting->flag == CLI_FLAG_SIZE && !strchr(setting->value, ',');
    const char *what = is_size ? "an index variable" : "a tensor";
    is_found |= !file->path || is_checked_later;
    size_t before = setting->name ? strlen(setting->name) + 1 : 0; /* in the word NAME:VALUE */
    if (!is_found && file_find_value(file, setting->value, &at)
        && file_find_value(file, setting->value - before, &at))
        file_wrong(file, at.place[0], at.place[before - 2] + 1,
                   "error[E201]: %s is %s of no statement", setting->name, what);
    else if (!is_found)
        library_complain("%s is %s of no statement of %s", setting->name, what, file->path);
    if (!is_found)
        file_help_names(file, setting->name, is_size);
    if (file->n > 1 && setting->flag == CLI_FLAG_SCHEDULE) {
        library_complain(
            "%s has %d statements: use a schedule line before one of them instead of -s",
            file->path, file->n);
        return false;
    }
    return is_found
           && (setting->flag != CLI_FLAG_SAME || !file->path || file_check_same(file, setting));
}

/* Returns compute_y; for the second such name, compute_y_2. */
static const char *function_name(struct file *file, const char *result, int number)
{
    size_t size = strlen(result) + 32;
    char *name = file_keep(file, size, 1);
    if (name)
        snprintf(name, size, number > 1 ? "compute_%s_%d" : "compute_%s", result, number);
    return name;
}

/* Returns "y_z", which becomes part of the function's name.  NULL: no memory. */
static const char *result_names(struct file *file, const spcc_statement *statement)
{
    int n = spcc_statement_results(statement);
    size_t size = 1;
    for (int r = 0; r < n; r++)
        size += strlen(spcc_statement_tensor_name(statement, r)) + 1;
    char *names = file_keep(file, size, 1), *end = names;
    for (int r = 0; r < n && names; r++)
        end += sprintf(end, "%s%s", r ? "_" : "", spcc_statement_tensor_name(statement, r));
    return names;
}

/* Names the functions that no line of the file names. */
static bool name_functions(struct file *file)
{
    struct names results = {0};
    int *times = calloc((size_t)file->n, sizeof *times);
    bool good = times != NULL;
    for (int s = 0; s < file->n && good; s++) {
        struct file_statement *statement = &file->statement[s];
        const char *result = result_names(file, statement->parsed);
        int number = result ? names_add(&results, result) : -1;
        good = number >= 0;
        statement->function = statement->name;
        if (good && ++times[number] && !statement->name && file->is_several)
            statement->function = function_name(file, result, times[number]);
    }
    names_free(&results);
    free(times);
    return good && !file->no_memory;
}

/* ---- the sizes of a tensor's modes, as sizes of index variables ---- */

int file_find_tensor(const spcc_statement *statement, const char *name)
{
    int t = spcc_statement_tensors(statement);
    while (t-- > 0 && strcmp(spcc_statement_tensor_name(statement, t), name) != 0)
        continue;
    return t;
}

static bool is_name(const char *name, const char *word, size_t n)
{
    return strlen(name) == n && memcmp(name, word, n) == 0;
}

int file_find_variable(const spcc_statement *statement, const char *word, size_t n)
{
    int v = spcc_statement_variables(statement);
    while (v-- > 0 && !is_name(spcc_statement_variable_name(statement, v), word, n))
        continue;
    return v;
}

bool file_is_literal(const char *variable) { return *variable >= '0' && *variable <= '9'; }

/* Counts the modes of all accesses. */
static int modes_of(const spcc_statement *statement)
{
    int modes = 0;
    for (int u = 0; u < spcc_statement_uses(statement); u++)
        modes += spcc_statement_tensor_order(statement, spcc_statement_use_tensor(statement, u));
    return modes;
}

/* Adds a size unless it is there: A:5,7 and x:5 both give i the size 5. */
static void add_size(struct cli_request *own, struct cli_setting *settings,
                     const struct cli_setting *size)
{
    for (int k = 0; k < own->n_settings; k++) {
        const struct cli_setting *other = &settings[k];
        if (other->flag == CLI_FLAG_SIZE && strcmp(other->name, size->name) == 0
            && other->size == size->size)
            return;
    }
    settings[own->n_settings++] = *size;
}

/* Adds the size to all variables that index this mode of the tensor.  A mode without a variable
 * gets its size where the tensor is made. */
static void add_mode_size(struct file_statement *statement, int tensor, int mode,
                          const struct cli_setting *given, struct cli_setting *settings)
{
    struct cli_setting size = *given;
    for (int u = 0; u < spcc_statement_uses(statement->parsed); u++) {
        if (spcc_statement_use_tensor(statement->parsed, u) != tensor)
            continue;
        size.name = spcc_statement_use_variable(statement->parsed, u, mode);
        if (!file_is_literal(size.name))
            add_size(&statement->request, settings, &size);
    }
}

static enum cli_status add_sizes(struct file *file, int s, int tensor,
                                 const struct cli_setting *given, struct cli_setting *settings)
{
    struct file_statement *statement = &file->statement[s];
    struct cli_setting size = *given;
    const char *value = given->value;
    int mode = 0;
    int order = spcc_statement_tensor_order(statement->parsed, tensor);
    for (; value && mode < order; mode++) {
        size.size = strtoll(value, NULL, 10);
        add_mode_size(statement, tensor, mode, &size, settings);
        value = strchr(value, ',') ? strchr(value, ',') + 1 : NULL;
    }
    if (!value && mode == order)
        return CLI_DONE;
    return file_complain(file, s, "-d %s:%s: %s has %d mode%s, each with a size", given->name,
                         given->value, given->name, order, order == 1 ? "" : "s");
}

/* Adds a setting about a statement: -d of a tensor gives the sizes of its index variables. */
static enum cli_status link_setting(struct file *file, int s, const struct cli_setting *setting,
                                    struct cli_setting *settings)
{
    struct file_statement *statement = &file->statement[s];
    bool is_size = setting->flag == CLI_FLAG_SIZE;
    int tensor = is_size ? file_find_tensor(statement->parsed, setting->name) : -1;
    if (tensor >= 0
        && file_find_variable(statement->parsed, setting->name, strlen(setting->name)) < 0)
        return add_sizes(file, s, tensor, setting, settings);
    if (setting->flag == CLI_FLAG_SAME && file->path)
        return file_link_same(file, statement, setting, settings);
    if (is_size && strchr(setting->value, ','))
        return file_complain(file, s, "-d %s:%s: %s is no tensor, and has one size", setting->name,
                             setting->value, setting->name);
    settings[statement->request.n_settings++] = *setting;
    return CLI_DONE;
}

static enum cli_status link_statement(struct file *file, struct links *links, int s)
{
    struct file_statement *statement = &file->statement[s];
    const struct cli_request *all = &file->request;
    struct cli_request *own = &statement->request;
    int n = file->path ? pick_settings(links, all, statement->parsed) : all->n_settings;
    struct cli_setting *settings =
        file_keep(file, (size_t)(n + statement->n_schedule + modes_of(statement->parsed) + 1),
                  sizeof *settings);
    enum cli_status status = CLI_DONE;
    *own = *all;
    own->subject = statement->text.at;
    if (!settings)
        return library_no_memory();
    own->settings = settings;
    own->n_settings = 0;
    for (int k = 0; k < n && status == CLI_DONE; k++)
        status = link_setting(file, s, &all->settings[file->path ? links->picked[k] : k], settings);
    for (int k = 0; k < statement->n_schedule; k++)
        settings[own->n_settings++] =
            (struct cli_setting){.flag = CLI_FLAG_SCHEDULE, .value = statement->schedule[k].at};
    return status;
}

static enum cli_status check_functions(const struct file *file)
{
    struct names names = {0};
    enum cli_status status = CLI_DONE;
    for (int s = 0; s < file->n && file->is_several && status == CLI_DONE; s++) {
        const char *name = file->statement[s].request.function;
        int before = names.n, number = names_add(&names, name);
        if (number < 0)
            status = library_no_memory();
        else if (number < before)
            status = file_complain(
                file, s,
                "the function for this statement would be called %s, as that of another statement",
                name);
    }
    names_free(&names);
    return status;
}

enum cli_status file_name_functions(struct file *file)
{
    if (!name_functions(file))
        return library_no_memory();
    for (int s = 0; s < file->n; s++)
        if (file->statement[s].function)
            file->statement[s].request.function = file->statement[s].function;
    return check_functions(file);
}

static enum cli_status link_statements(struct file *file)
{
    struct links links;
    enum cli_status status = CLI_DONE;
    if (!links_make(&links, &file->request))
        status = library_no_memory();
    for (int s = 0; s < file->n && status == CLI_DONE; s++)
        status = link_statement(file, &links, s);
    for (int k = 0; k < file->request.n_settings && status == CLI_DONE; k++)
        if (!check_setting(file, &file->request.settings[k], links.is_found[k]))
            status = file->request.settings[k].from_file ? CLI_BAD_INPUT : CLI_BAD_USAGE;
    links_free(&links);
    return status;
}

static enum cli_status parse_statements(struct file *file)
{
    enum cli_status status = CLI_DONE;
    struct library_options made;
    if (!file_expand_stored(file) || !library_options_make(&made, &file->request, 0))
        status = library_no_memory();
    for (int s = 0; s < file->n && status != CLI_BAD_MACHINE; s++) {
        spcc_status said = spcc_statement_parse_with(file->context, file->statement[s].text.at,
                                                     &made.options, &file->statement[s].parsed);
        const spcc_diagnostic *d = said == SPCC_OK ? NULL : spcc_diagnostic_get(file->context, 0);
        bool is_about_all = d && d->source && strcmp(d->source, "operator") == 0;
        enum cli_status one = file_report(file, s, said);
        status = status == CLI_DONE ? one : status;
        if (is_about_all) /* likewise for every other statement */
            break;
    }
    library_options_free(&made);
    return status;
}

struct named_order {
    const char *name;
    int order, statement;
};

static int compare_orders(const void *a, const void *b)
{
    const struct named_order *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->statement > y->statement) - (x->statement < y->statement);
}

/* A tensor has the order of its first statement in all; the first other order is reported. */
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
            order[n++] =
                (struct named_order){spcc_statement_tensor_name(file->statement[s].parsed, t),
                                     spcc_statement_tensor_order(file->statement[s].parsed, t), s};
    qsort(order, n, sizeof *order, compare_orders);
    for (size_t k = 1; k < n; k++)
        if (strcmp(order[k - 1].name, order[k].name) == 0 && order[k - 1].order != order[k].order
            && (wrong == 0 || order[k].statement < order[wrong].statement))
            wrong = k;
    if (wrong == 0)
        return CLI_DONE;
    return file_complain(file, order[wrong].statement,
                         "%s has the order %d here, and the order %d in an earlier statement",
                         order[wrong].name, order[wrong].order, order[wrong - 1].order);
}

static enum cli_status link(struct file *file)
{
    enum cli_status status = parse_statements(file);
    file->is_several = file->n > 1;
    if (status == CLI_DONE && file->is_several && file->request.function) {
        library_complain("%s has %d statements: use a name line before each", file->path, file->n);
        return CLI_BAD_USAGE;
    }
    if (status == CLI_DONE)
        status = check_orders(file);
    if (status == CLI_DONE)
        status = file_name_settings(file);
    if (status == CLI_DONE)
        status = link_statements(file);
    return status == CLI_DONE ? file_name_functions(file) : status;
}

enum cli_status file_open(struct file *file, const struct cli_request *request)
{
    *file = (struct file){.open_loop = -1};
    enum cli_status status =
        cli_is_file(request->subject) ? open_path(file, request) : open_expression(file, request);
    if (status == CLI_DONE)
        file->context = library_open(&file->request, &status);
    return status == CLI_DONE ? link(file) : status;
}

void file_close(struct file *file)
{
    for (int s = 0; s < file->n; s++)
        spcc_statement_free(file->statement[s].parsed);
    for (int k = 0; k < file->n_parsed; k++)
        spcc_statement_free(file->parsed[k]);
    spcc_context_free(file->context);
    if (file->path)
        cli_request_free(&file->request);
    for (int k = 0; k < file->n_kept; k++)
        free(file->kept[k]);
    free(file->kept);
    free(file->text);
    *file = (struct file){0};
}
