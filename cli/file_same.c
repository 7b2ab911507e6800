/* file_same.c - tensors for which a statement file promises one pattern: those that each statement
 * has.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "cli/file_parts.h"
#include "cli/library.h"

static bool is_tensor(const spcc_statement *statement, const char *name, size_t n)
{
    for (int t = 0; t < spcc_statement_tensors(statement); t++) {
        const char *tensor = spcc_statement_tensor_name(statement, t);
        if (strlen(tensor) == n && memcmp(tensor, name, n) == 0)
            return true;
    }
    return false;
}

/* Returns the length of the next name, 0 if there is none.  The parser of options has checked them.
 */
static size_t next_name(const char **at)
{
    *at += strspn(*at, ", ");
    return strcspn(*at, ", ");
}

enum cli_status file_link_same(struct file *file, struct file_statement *statement,
                               const struct cli_setting *setting, struct cli_setting *settings)
{
    char *names = file_keep(file, strlen(setting->value) + 1, 1), *end = names;
    int n = 0;
    if (!names)
        return library_no_memory();
    const char *at = setting->value;
    for (size_t length; (length = next_name(&at)) > 0; at += length)
        if (is_tensor(statement->parsed, at, length))
            end += sprintf(end, "%s%.*s", n++ ? "," : "", (int)length, at);
    if (n > 1) {
        settings[statement->request.n_settings] = *setting;
        settings[statement->request.n_settings++].value = names;
    }
    return CLI_DONE;
}

bool file_check_same(const struct file *file, const struct cli_setting *setting)
{
    const char *at = setting->value;
    for (size_t length; (length = next_name(&at)) > 0; at += length) {
        bool is_there = false;
        char name[64];
        struct file_text text;
        for (int s = 0; s < file->n && !is_there; s++)
            is_there = is_tensor(file->statement[s].parsed, at, length);
        if (is_there)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        ptrdiff_t from = at - setting->value;
        if (file_find_value(file, setting->value, &text))
            file_wrong(file, text.place[from], text.place[from + (ptrdiff_t)length - 1] + 1,
                       "error[E201]: %s is a tensor of no statement", name);
        else
            library_complain("%s is a tensor of no statement of %s", name, file->path);
        file_help_names(file, name, false);
        return false;
    }
    return true;
}
