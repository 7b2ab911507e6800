/* library.c - between the command line and the C API: options, messages, statuses.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/library.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"

void library_complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_label(MESSAGE_ERROR, "spcc:");
    message_line(format, args);
    va_end(args);
}

enum cli_status library_no_memory(void)
{
    library_complain("out of memory");
    return CLI_BAD_MACHINE;
}

enum cli_status library_exit_status(spcc_status status)
{
    switch (status) {
    case SPCC_OK: return CLI_DONE;
    case SPCC_ERROR_STATEMENT:
    case SPCC_ERROR_FORMAT:
    case SPCC_ERROR_SCHEDULE:
    case SPCC_ERROR_UNSUPPORTED:
    case SPCC_ERROR_TENSOR:
    case SPCC_ERROR_FILE:
    case SPCC_ERROR_LIMIT:
    case SPCC_ERROR_BINDING: return CLI_BAD_INPUT;
    case SPCC_ERROR_ARGUMENT: return CLI_BAD_USAGE;
    case SPCC_STOPPED:
    case SPCC_ERROR_MEMORY:
    case SPCC_ERROR_COMPILER:
    case SPCC_ERROR_SYSTEM: return CLI_BAD_MACHINE;
    case SPCC_ERROR_BUG: return CLI_BUG;
    }
    return CLI_BUG;
}

enum cli_status library_report(spcc_context *context, spcc_status status)
{
    int n = spcc_diagnostic_count(context);
    for (int i = 0; i < n; i++)
        message_diagnostic(spcc_diagnostic_get(context, i));
    if (n == 0 && status != SPCC_OK)
        library_complain("%s", spcc_status_text(status));
    return library_exit_status(status);
}

static spcc_engine engine(enum cli_jit jit)
{
    switch (jit) {
    case CLI_JIT_DEFAULT: return SPCC_ENGINE_AUTO;
    case CLI_JIT_CLANG: return SPCC_ENGINE_CLANG;
    case CLI_JIT_CC: return SPCC_ENGINE_CC;
    case CLI_JIT_INTERP: return SPCC_ENGINE_INTERP;
    }
    return SPCC_ENGINE_AUTO;
}

/* Spellings for the library's messages. */
static const char *const spellings[] = {
#define SPELLING(setting, flag) #setting, flag,
#include "cli/spellings.def"
#undef SPELLING
    NULL,
};

spcc_context *library_open(const struct cli_request *request, enum cli_status *exit_status)
{
    return library_open_cache(request, NULL, exit_status);
}

spcc_context *library_open_cache(const struct cli_request *request, const char *cache,
                                 enum cli_status *exit_status)
{
    spcc_options options = {.size = sizeof options,
                            .engine = engine(request->jit),
                            .cache = cache,
                            .index_bits = request->index_bits,
                            .threads = request->threads,
                            .max_memory = request->max_memory,
                            .catch_crashes = true,
                            .target = request->target_cpu,
                            .spellings = spellings,
                            .blas = request->blas};
    spcc_context *context;
    spcc_status status = spcc_context_new(&options, &context);
    *exit_status = library_exit_status(status);
    if (status == SPCC_OK)
        return context;
    library_complain("%s", spcc_status_text(status));
    return NULL;
}

spcc_status library_read(spcc_context *context, const char *path, const char *format,
                         spcc_type type, const spcc_read_options *options, spcc_tensor **tensor)
{
    struct progress progress;
    progress_begin(&progress, "reading %s", path);
    spcc_status said = spcc_tensor_read(context, path, format, type, options, tensor);
    progress_end(&progress);
    return said;
}

spcc_status library_write(spcc_context *context, const spcc_tensor *tensor, const char *path,
                          const spcc_write_options *options)
{
    struct progress progress;
    if (strcmp(path, "-") == 0) /* it may be the same terminal */
        return spcc_tensor_write_with(context, tensor, path, options);
    progress_begin(&progress, "writing %s", path);
    spcc_status said = spcc_tensor_write_with(context, tensor, path, options);
    progress_end(&progress);
    return said;
}

spcc_write_options library_writing(const struct cli_request *request, int symmetry)
{
    spcc_write_options options = {.size = sizeof options,
                                  .sync = request->sync,
                                  .zero_based = request->zero_based,
                                  .drop_zeros = request->drop_zeros};
    switch (request->symmetry) {
    case CLI_SYMMETRY_DEFAULT: options.symmetry = (spcc_symmetry)symmetry; break;
    case CLI_SYMMETRY_SYMMETRIC: options.symmetry = SPCC_SYMMETRIC; break;
    case CLI_SYMMETRY_SKEW: options.symmetry = SPCC_SKEW_SYMMETRIC; break;
    case CLI_SYMMETRY_HERMITIAN: options.symmetry = SPCC_HERMITIAN; break;
    case CLI_SYMMETRY_NONE: break;
    }
    return options;
}

enum cli_status library_write_text(spcc_context *context, const struct cli_request *request,
                                   const char *text, const char *path)
{
    spcc_write_options options = {.size = sizeof options, .sync = request->sync};
    if (path && strcmp(path, "-") != 0)
        return library_report(context, spcc_text_write(context, text, path, &options));
    fputs(text, stdout); /* main checks whether it arrived */
    return CLI_DONE;
}

const char *library_setting(const struct cli_request *request, enum cli_flag flag, const char *name)
{
    int i = 0;
    for (const struct cli_setting *s; (s = cli_next(request, flag, &i));)
        if (strcmp(s->name, name) == 0)
            return s->value;
    return NULL;
}

/* Returns the declaration of that name, and makes it if necessary.  NULL: no memory. */
static spcc_declaration *declaration(struct library_options *made, const char *name)
{
    int number = names_add(&made->declared, name);
    if (number < 0)
        return NULL;
    made->declarations[number].name = name;
    made->options.n_declarations = made->declared.n;
    return &made->declarations[number];
}

bool library_declare_format(struct library_options *made, const char *name, const char *format)
{
    spcc_declaration *declared = declaration(made, name);
    if (declared)
        declared->format = format;
    return declared != NULL;
}

bool library_declare_type(struct library_options *made, const char *name, const char *type)
{
    spcc_declaration *declared = declaration(made, name);
    if (declared)
        declared->type = type;
    return declared != NULL;
}

bool library_declare_tensor(struct library_options *made, const char *name,
                            const spcc_tensor *tensor)
{
    spcc_declaration *declared = declaration(made, name);
    if (declared)
        *declared = (spcc_declaration){.name = name, .tensor = tensor};
    made->options.plan_for_tensors = true;
    return declared != NULL;
}

/* Returns false if there is no memory. */
static bool declare_setting(struct library_options *made, const struct cli_setting *s)
{
    bool is_declared =
        s->name
        && (s->flag == CLI_FLAG_FORMAT || s->flag == CLI_FLAG_TYPE || s->flag == CLI_FLAG_FILL);
    spcc_declaration *declared = is_declared ? declaration(made, s->name) : NULL;
    if (!declared)
        return !is_declared;
    if (s->flag == CLI_FLAG_FORMAT)
        declared->format = s->value;
    else if (s->flag == CLI_FLAG_TYPE)
        declared->type = s->value;
    else
        declared->fill = s->value;
    return true;
}

/* Joins all -s with ';' between them. */
static char *join_schedules(const struct cli_request *request)
{
    size_t bytes = 1;
    int i = 0;
    for (const struct cli_setting *s; (s = cli_next(request, CLI_FLAG_SCHEDULE, &i));)
        bytes += strlen(s->value) + 2;
    char *joined = malloc(bytes), *end = joined;
    if (!joined)
        return NULL;
    *end = 0;
    i = 0;
    for (const struct cli_setting *s; (s = cli_next(request, CLI_FLAG_SCHEDULE, &i));)
        end += sprintf(end, "%s%s", end > joined ? "; " : "", s->value);
    return joined;
}

static spcc_kind kind(enum cli_kernel kernel)
{
    switch (kernel) {
    case CLI_KERNEL_DEFAULT:
    case CLI_KERNEL_FUSED: return SPCC_FUSED;
    case CLI_KERNEL_ASSEMBLE: return SPCC_ASSEMBLE;
    case CLI_KERNEL_COMPUTE: return SPCC_COMPUTE;
    }
    return SPCC_FUSED;
}

bool library_options_make(struct library_options *made, const struct cli_request *request, int more)
{
    size_t most = (size_t)request->n_settings + (size_t)more + 1;
    *made = (struct library_options){
        .options = {
            .size = sizeof made->options,
            .no_plan = request->no_plan,
            .serial = request->serial,
            .algebra = request->distributes ? SPCC_ALGEBRA_DISTRIBUTE : SPCC_ALGEBRA_AS_WRITTEN,
            .untuned = request->no_tuned,
            .vector_bits = request->vector_bits,
            .plain = request->plain,
            .language = request->target == CLI_TARGET_CUDA ? SPCC_LANGUAGE_CUDA : SPCC_LANGUAGE_C,
            .kind = kind(request->kernel),
            .name = request->function}};
    made->declarations = calloc(most, sizeof *made->declarations);
    made->sizes = calloc(most, sizeof *made->sizes);
    made->stored = calloc(most, sizeof *made->stored);
    made->operators = calloc(most, sizeof *made->operators);
    made->schedule = join_schedules(request);
    made->same = calloc(most, sizeof *made->same);
    if (!made->declarations || !made->sizes || !made->stored || !made->operators || !made->same
        || !made->schedule)
        return false;
    for (int s = 0; s < request->n_settings; s++) {
        const struct cli_setting *setting = &request->settings[s];
        if (!declare_setting(made, setting))
            return false;
        if (setting->flag == CLI_FLAG_OP)
            made->operators[made->options.n_operators++] = setting->value;
        if (setting->flag == CLI_FLAG_SAME)
            made->same[made->options.n_same++] = setting->value;
        if (setting->flag == CLI_FLAG_SIZE)
            made->sizes[made->options.n_sizes++] =
                (spcc_variable_size){setting->name, setting->size};
        if (setting->flag == CLI_FLAG_NNZ)
            made->stored[made->options.n_stored++] =
                (spcc_stored_number){setting->name, setting->size};
    }
    made->options.declarations = made->declarations;
    made->options.sizes = made->sizes;
    made->options.stored = made->stored;
    made->options.operators = made->operators;
    made->options.same = made->same;
    made->options.schedule = made->schedule[0] ? made->schedule : NULL;
    return true;
}

void library_options_free(struct library_options *made)
{
    names_free(&made->declared);
    free(made->declarations);
    free(made->sizes);
    free(made->stored);
    free(made->operators);
    free(made->same);
    free(made->schedule);
}

/* ---- one file ---- */

const char *library_alone(const struct cli_request *request, enum cli_flag flag)
{
    const char *value = NULL;
    int i = 0;
    for (const struct cli_setting *s; (s = cli_next(request, flag, &i));)
        value = s->value;
    return value;
}

bool library_file_type(const struct cli_request *request, spcc_type *type, bool *own)
{
    const char *name = library_alone(request, CLI_FLAG_TYPE);
    *type = SPCC_F64;
    *own = !name;
    if (!name || spcc_type_parse(name, type))
        return true;
    library_complain("-t %s: this is not a type; 'spcc help types' lists the types", name);
    return false;
}
