/* cc.c - the system's C compiler, in a process of its own.
 *
 * It is found in PATH as by a shell, but there is no shell: $CC may hold first arguments,
 * separated by blanks, and nothing else.  For the cache, the compiler's file identifies it (place,
 * size and time of change), since asking the compiler costs more than loading a kernel.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/cc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/file/whole.h"
#include "runtime/jit/error.h"
#include "runtime/jit/process.h"

/* For every kernel; the level, and flags that depend on the compiler, follow. */
static const char *const common[] = {
    "-std=c11",
    "-fPIC",
    "-fno-math-errno",
    "-fno-asynchronous-unwind-tables",
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
    "-march=native",
#endif
    NULL,
};

void cc_init(struct cc *cc, const char *wanted, const atomic_bool *stop)
{
    *cc = (struct cc){.wanted = wanted, .stop = stop};
    pthread_mutex_init(&cc->lock, NULL);
}

static void free_words(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

void cc_close(struct cc *cc)
{
    free_words(cc->words);
    free(cc->missing);
    pthread_mutex_destroy(&cc->lock);
}

static bool is_program(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

/* Returns the path of the program with this name, to free(), or NULL. */
static char *find_program(const char *name)
{
    if (strchr(name, '/'))
        return is_program(name) ? strdup(name) : NULL;
    const char *at = secure_getenv("PATH");
    for (at = at ? at : "/usr/local/bin:/usr/bin:/bin"; *at;) {
        size_t n = strcspn(at, ":");
        char *path;
        if (asprintf(&path, "%.*s/%s", n ? (int)n : 1, n ? at : ".", name) < 0)
            return NULL;
        if (is_program(path))
            return path;
        free(path);
        at += n + (at[n] == ':');
    }
    return NULL;
}

/* Splits a command into words, the first replaced by the program's path.  NULL if there is no such
 * program. */
static char **command_words(const char *command)
{
    size_t n = 0, capacity = strlen(command) / 2 + 2;
    char **words = calloc(capacity, sizeof *words);
    if (words && is_program(command)) { /* one path, with whatever characters */
        words[0] = strdup(command);
        return words;
    }
    for (const char *at = command + strspn(command, " \t"); words && *at; at += strspn(at, " \t")) {
        size_t length = strcspn(at, " \t");
        char *word = strndup(at, length);
        words[n] = word && n == 0 ? find_program(word) : word;
        if (word && n == 0)
            free(word);
        if (!words[n++])
            break;
        at += length;
    }
    if (words && words[0])
        return words;
    free(words);
    return NULL;
}

static void search(struct cc *cc)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *named = cc->wanted;
    const char *from = "";
    if (!named && (named = secure_getenv("SPCC_CC")) && *named)
        from = ", which SPCC_CC names,";
    else if (!cc->wanted && (named = secure_getenv("CC")) && *named)
        from = ", which CC names,";
    if (named && *named) {
        cc->words = command_words(named);
        if (!cc->words && asprintf(&cc->missing, "%s%s is not to be found", named, from) < 0)
            cc->missing = NULL;
        return;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !cc->words; i++)
        cc->words = command_words(usual[i]);
    cc->missing = cc->words ? NULL : strdup("cc, gcc and clang are not to be found in PATH");
}

/* Adds the word; if it is a program (also after a launcher, as in "ccache gcc"), also its file's
 * identity. */
static void add_word(struct sha256 *hash, const char *word)
{
    char *path = word[0] == '-' ? NULL : find_program(word),
         *real = path ? realpath(path, NULL) : NULL;
    sha256_add(hash, word, strlen(word) + 1);
    if (real)
        sha256_add_file(hash, real);
    free(real);
    free(path);
}

enum jit_status cc_find(struct cc *cc, char **error)
{
    pthread_mutex_lock(&cc->lock);
    if (!cc->searched)
        search(cc);
    cc->searched = true;
    pthread_mutex_unlock(&cc->lock);
    if (!cc->words)
        return error_set(error, JIT_NO_COMPILER, "no C compiler: %s",
                         cc->missing ? cc->missing : "no memory");
    return JIT_OK;
}

enum jit_status cc_identify(struct cc *cc, struct sha256 *hash, char **error)
{
    enum jit_status status = cc_find(cc, error);
    if (status != JIT_OK)
        return status;
    for (char **word = cc->words; *word; word++)
        add_word(hash, *word);
    for (const char *const *flag = common; *flag; flag++)
        sha256_add(hash, *flag, strlen(*flag) + 1);
    return JIT_OK;
}

/* Does the command look like Clang's? */
static bool is_clang(const struct cc *cc)
{
    for (char **word = cc->words; *word; word++) {
        char *real = realpath(*word, NULL), *slash = real ? strrchr(real, '/') : NULL;
        bool yes = strstr(slash ? slash : *word, "clang") != NULL;
        free(real);
        if (yes)
            return true;
    }
    return false;
}

static char *path_in(const char *directory, const char *file)
{
    char *path;
    return asprintf(&path, "%s/%s", directory, file) < 0 ? NULL : path;
}

/* Returns 0 or errno. */
static int write_file(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), error = 0;
    if (fd < 0)
        return errno;
    for (const char *at = data; size && !error;) {
        ssize_t n = write(fd, at, size);
        if (n < 0)
            error = errno == EINTR ? 0 : errno;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    if (close(fd) != 0 && !error)
        error = errno;
    return error;
}

/* Removes our directory's name from the compiler's messages: the file in it is gone when they are
 * read. */
static void shorten(char *text, const char *directory)
{
    size_t n = strlen(directory);
    for (char *at = text; (at = strstr(at, directory));)
        if (at[n] == '/')
            memmove(at, at + n + 1, strlen(at + n + 1) + 1);
        else
            at += n;
}

/* Says what went wrong, after the program has ended without its output. */
static enum jit_status explain(const struct cc *cc, struct process_result *result,
                               const char *directory, char **error)
{
    const char *program = cc->words[0];
    if (result->end == PROCESS_NOT_STARTED)
        return error_set(error, JIT_NO_COMPILER, "%s cannot be run: %s", program,
                         strerror(result->code));
    if (result->output)
        shorten(result->output, directory);
    const char *said = result->output ? result->output : "";
    if (result->end == PROCESS_KILLED)
        return error_set(error, JIT_REJECTED, "%s was killed by signal %d (%s)%s%s", program,
                         result->code, strsignal(result->code), *said ? "\n" : "", said);
    if (*said)
        return error_set(error, JIT_REJECTED, "%s", said);
    return error_set(error, JIT_REJECTED, "%s failed without a message (exit status %d)", program,
                     result->code);
}

enum { WORDS_MAX = 256 };

/* The arguments of one run of the compiler. */
struct arguments {
    char *at[WORDS_MAX + 1];
    size_t n;
};

/* argv's type is not const, but nobody writes to it.  A word too many is only counted. */
static void push_word(struct arguments *a, const char *word)
{
    if (a->n < WORDS_MAX)
        a->at[a->n] = (char *)(uintptr_t)word;
    a->n++;
}

/* Runs the compiler on directory/input, and reads directory/output. */
static enum jit_status run_compiler(struct cc *cc, struct arguments *a,
                                    const struct temporary *directory, const char *output,
                                    void **data, size_t *size, char **error)
{
    if (a->n > WORDS_MAX)
        return error_set(error, JIT_SYSTEM, "%zu flags are too many for the C compiler", a->n);
    struct process_result result = process_run(a->at, directory, cc->stop);
    bool ended =
        result.end == PROCESS_UNKNOWN || (result.end == PROCESS_EXITED && result.code == 0);
    enum jit_status status = JIT_OK;
    int failed = ended ? whole_read(output, SIZE_MAX, data, size) : 0;
    if (ended && !failed && *size == 0) { /* an empty file counts as none */
        free(*data);
        failed = ENOENT;
    }
    if (result.end == PROCESS_STOPPED)
        status = JIT_STOPPED;
    else if (!ended || failed == ENOENT)
        status = explain(cc, &result, directory->path, error);
    else if (failed)
        status = error_set(error, JIT_SYSTEM, "what %s has compiled cannot be read: %s",
                           cc->words[0], strerror(failed));
    free(result.output);
    return status;
}

static void add_words(struct arguments *a, char *const *words, const char *const *flags)
{
    for (; words && *words; words++)
        push_word(a, *words);
    for (; flags && *flags; flags++)
        push_word(a, *flags);
}

/* A directory with files in it: their paths, NULL-terminated, and the path of the output. */
struct workplace {
    struct temporary directory;
    char **inputs, *output;
};

static enum jit_status place_input(struct workplace *w, size_t i, const struct jit_input *input,
                                   char **error)
{
    w->inputs[i] = path_in(w->directory.path, input->name);
    if (!w->inputs[i])
        return error_set(error, JIT_NO_MEMORY, "no memory to compile the kernel");
    int failed = write_file(w->inputs[i], input->data, input->size);
    if (failed)
        return error_set(error, JIT_SYSTEM, "the temporary file %s cannot be written: %s",
                         w->inputs[i], strerror(failed));
    return JIT_OK;
}

static enum jit_status open_workplace(struct workplace *w, const struct jit_input *inputs, size_t n,
                                      const char *output, char **error)
{
    int failed = temporary_open(&w->directory);
    if (failed)
        return error_set(error, JIT_SYSTEM, "no temporary directory for the compiler in %s: %s",
                         temporary_parent(), strerror(failed));
    w->inputs = calloc(n + 1, sizeof *w->inputs);
    w->output = path_in(w->directory.path, output);
    if (!w->inputs || !w->output)
        return error_set(error, JIT_NO_MEMORY, "no memory to compile the kernel");
    enum jit_status status = JIT_OK;
    for (size_t i = 0; i < n && status == JIT_OK; i++)
        status = place_input(w, i, &inputs[i], error);
    return status;
}

static void close_workplace(struct workplace *w)
{
    free_words(w->inputs);
    free(w->output);
    temporary_close(&w->directory);
}

enum jit_status cc_compile(struct cc *cc, const struct clang_request *request, void **object,
                           size_t *size, char **error)
{
    const char level[] = {'-', 'O', (char)('0' + request->level), '\0'};
    struct workplace w = {0};
    const struct jit_input input = {
        .name = "kernel.c", .data = request->source, .size = strlen(request->source)};
    enum jit_status status = open_workplace(&w, &input, 1, "kernel.o", error);
    if (status == JIT_OK) {
        struct arguments a = {.n = 0};
        add_words(&a, cc->words, common);
        push_word(&a, level);
        /* GCC takes "on" for "off"; Clang makes slower code with "fast". */
        push_word(&a, is_clang(cc) ? "-ffp-contract=on" : "-ffp-contract=fast");
        if (request->openmp != CLANG_OPENMP_NONE)
            push_word(&a, request->openmp == CLANG_OPENMP_FULL ? "-fopenmp" : "-fopenmp-simd");
        if (request->wraps)
            push_word(&a, "-fwrapv");
        add_words(&a, NULL, request->flags);
        const char *const files[] = {"-c", "-o", w.output, w.inputs[0], NULL};
        add_words(&a, NULL, files);
        status = run_compiler(cc, &a, &w.directory, w.output, object, size, error);
    }
    close_workplace(&w);
    return status;
}

enum jit_status cc_link(struct cc *cc, const struct jit_input *inputs, size_t n,
                        const char *const *flags, void **library, size_t *library_size,
                        char **error)
{
    struct workplace w = {0};
    enum jit_status status = open_workplace(&w, inputs, n, "kernel.so", error);
    char *where = NULL; /* for the assembler */
    if (status == JIT_OK && asprintf(&where, "-Wa,-I%s", w.directory.path) < 0) {
        where = NULL;
        status = error_set(error, JIT_NO_MEMORY, "no memory to link the kernel");
    }
    if (status == JIT_OK) {
        struct arguments a = {.n = 0};
        const char *const first[] = {"-shared", where, "-o", w.output, NULL};
        add_words(&a, cc->words, first);
        for (size_t i = 0; i < n; i++)
            if (!inputs[i].is_read)
                push_word(&a, w.inputs[i]);
        add_words(&a, NULL, flags);
        push_word(&a, "-lm");
        status = run_compiler(cc, &a, &w.directory, w.output, library, library_size, error);
    }
    free(where);
    close_workplace(&w);
    return status;
}
