/* file_alone.c - options without a tensor's name: a format is for the one tensor that it suits, an
 * output for the one result of the last statement.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "cli/file_parts.h"
#include "cli/library.h"
#include "cli/message.h"

/* Can the tensor have the format, and has it none yet? */
static bool suits(const struct file *file, const spcc_statement *statement, int k,
                  const char *format)
{
    int64_t ones[32];
    const char *name = spcc_statement_tensor_name(statement, k);
    int order = spcc_statement_tensor_order(statement, k), i = 0;
    spcc_tensor *tensor = NULL;
    for (const struct cli_setting *s; (s = cli_next(&file->request, CLI_FLAG_FORMAT, &i));)
        if (s->name && strcmp(s->name, name) == 0)
            return false;
    for (int m = 0; m < order && m < 32; m++)
        ones[m] = 1;
    bool is_good =
        order > 0 && order <= 32
        && spcc_tensor_new(file->context, format, SPCC_F64, order, ones, NULL, &tensor) == SPCC_OK;
    spcc_tensor_free(tensor);
    return is_good;
}

/* Finds the one tensor of the statements that the format suits. */
static enum cli_status name_format(const struct file *file, struct cli_setting *setting)
{
    const char *second = NULL;
    for (int s = 0; s < file->n; s++)
        for (int k = 0; k < spcc_statement_tensors(file->statement[s].parsed); k++) {
            const char *name = spcc_statement_tensor_name(file->statement[s].parsed, k);
            bool is_new = !setting->name || strcmp(setting->name, name) != 0;
            if (is_new && suits(file, file->statement[s].parsed, k, setting->value))
                *(setting->name ? &second : &setting->name) = name;
        }
    if (setting->name && !second)
        return CLI_DONE;
    if (second)
        library_complain("-f %s: both %s and %s could have this format", setting->value,
                         setting->name, second);
    else
        library_complain("-f %s: no tensor of the statement can have this format", setting->value);
    message_help("-f takes T:FORMAT, for example -f A:csr");
    return CLI_BAD_USAGE;
}

/* Finds the result of the last statement, if there is exactly one. */
static enum cli_status name_output(const struct file *file, struct cli_setting *setting)
{
    const spcc_statement *last = file->statement[file->n - 1].parsed;
    if (spcc_statement_results(last) == 1) {
        setting->name = spcc_statement_tensor_name(last, 0);
        return CLI_DONE;
    }
    library_complain("-o %s: there are several results", setting->value);
    message_help("name one of them, as in -o %s:%s", spcc_statement_tensor_name(last, 0),
                 setting->value);
    return CLI_BAD_USAGE;
}

enum cli_status file_name_settings(struct file *file)
{
    enum cli_status status = CLI_DONE;
    for (int k = 0; k < file->request.n_settings && status == CLI_DONE; k++) {
        struct cli_setting *setting = &file->request.settings[k];
        if (setting->name)
            continue;
        if (setting->flag == CLI_FLAG_FORMAT)
            status = name_format(file, setting);
        else if (setting->flag == CLI_FLAG_OUTPUT)
            status = name_output(file, setting);
    }
    return status;
}
