/* test_notation_goldens.c - statements and what the checker makes of them, or says about them.
 *
 * The files tests/golden/notation/NAME.txt are blocks with an empty line between them:
 *
 *     > y(i) = 2 * x(i)                     the statement
 *     -t x:i8 -f y:s --fill x:1 -d i:4      options, if it has any; one option's text goes on to
 *                                           the next " -"
 *     the checked statement, the type of its right side and the formats given - or the diagnostics
 *
 * A line that begins with # is a comment.  SPCC_UPDATE_GOLDENS=1 writes the files anew.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/notation/notation.h"
#include "compiler/registry.h"

enum { OPTIONS_MAX = 16 };

struct block {
    const char *comments, *statement, *options, *expected;
    struct tin_declaration tensor[OPTIONS_MAX];
    struct tin_size size[OPTIONS_MAX];
    int tensors, sizes;
};

/* ---- files ---- */

static const char *golden_path(struct context *cx, const char *name)
{
    const char *source = getenv("SPCC_SOURCE");
    return arena_printf(cx->arena, "%s/tests/golden/notation/%s.txt", source ? source : ".", name);
}

static char *read_file(struct context *cx, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    struct text all = text_new(cx->arena);
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;)
        text_addn(&all, piece, n);
    fclose(file);
    return all.at;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

/* The next line, cut off; NULL at the end. */
static char *take_line(char **at)
{
    char *line = *at;
    if (!*line)
        return NULL;
    char *end = strchr(line, '\n');
    *at = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

/* The lines from here on that begin so, each with its newline. */
static const char *take_lines(struct context *cx, char **at, const char *prefix)
{
    struct text lines = text_new(cx->arena);
    while (**at && **at != '\n' && strncmp(*at, prefix, strlen(prefix)) == 0)
        text_printf(&lines, "%s\n", take_line(at));
    return lines.at;
}

/* ---- options ---- */

static void take_option(struct block *block, char *option)
{
    char *name = strchr(option, ' ');
    assert_non_null(name);
    *name++ = '\0';
    char *value = strchr(name, ':');
    assert_non_null(value);
    *value++ = '\0';
    assert_true(block->tensors < OPTIONS_MAX && block->sizes < OPTIONS_MAX);
    if (strcmp(option, "-d") == 0) {
        block->size[block->sizes++] = (struct tin_size){name, strtoll(value, NULL, 10)};
        return;
    }
    struct tin_declaration *given = &block->tensor[block->tensors++];
    given->name = name;
    *(option[1] == 'f' ? &given->format : option[1] == 't' ? &given->type : &given->fill) = value;
}

/* Options go on to the next " -f", " -t", " -d" or " --". */
static void take_options(struct context *cx, struct block *block)
{
    char *at = arena_strdup(cx->arena, block->options);
    at[strcspn(at, "\n")] = '\0';
    while (*at) {
        char *end = at + 1;
        while (*end && strncmp(end, " -f ", 4) && strncmp(end, " -t ", 4) && strncmp(end, " -d ", 4)
               && strncmp(end, " --fill ", 8))
            end++;
        char *next = *end ? end + 1 : end;
        *end = '\0';
        take_option(block, at);
        at = next;
    }
}

static bool take_block(struct context *cx, char **at, struct block *block)
{
    *block = (struct block){0};
    struct text comments = text_new(cx->arena);
    while (**at == '\n' || **at == '#')
        text_printf(&comments, "%s\n", take_line(at));
    block->comments = comments.at;
    if (!**at)
        return false;
    const char *line = take_line(at);
    if (strncmp(line, "> ", 2) != 0)
        fail_msg("'%s' is no statement", line);
    block->statement = line + 2;
    block->options = take_lines(cx, at, "-");
    block->expected = take_lines(cx, at, "");
    take_options(cx, block);
    return true;
}

/* ---- what comes out ---- */

static const struct tensor_var *find_tensor(const struct tin *node, const char *name)
{
    if (node->kind == TIN_ACCESS && strcmp(node->tensor->name, name) == 0)
        return node->tensor;
    const struct tensor_var *found = NULL;
    for (int i = 0; i < node->args && !found; i++)
        found = find_tensor(node->arg[i], name);
    return found;
}

static const char *describe(struct context *cx, const struct block *block,
                            const struct tin *checked, struct format_defaults defaults)
{
    struct text out = text_new(cx->arena);
    tin_print(&out, checked);
    text_printf(&out, "\ntype %s\n", type_name(checked->arg[1]->type));
    for (int i = 0; i < block->tensors; i++) {
        if (!block->tensor[i].format)
            continue;
        text_printf(&out, "format of %s: ", block->tensor[i].name);
        format_print(&out, find_tensor(checked, block->tensor[i].name)->format, defaults);
        text_add(&out, "\n");
    }
    return out.at;
}

/* A statement, or what is said about it; in memory of the file's context. */
static const char *run(struct context *file, const struct block *block)
{
    struct context *cx = context_new();
    const char *outcome = "unwound";
    cx->levels = registry_levels;
    if (context_protect(cx)) {
        struct tin_declarations declared = {.tensor = block->tensor,
                                            .tensors = block->tensors,
                                            .size = block->size,
                                            .sizes = block->sizes,
                                            .defaults = {TYPE_I32, TYPE_I32}};
        const struct tin *parsed = tin_parse(cx, block->statement);
        const struct tin *checked = parsed ? tin_check(cx, parsed, &declared) : NULL;
        assert_int_equal(checked == NULL, cx->diags.n > 0);
        outcome = checked ? describe(cx, block, checked, declared.defaults) : diag_render(cx);
    }
    assert_int_equal(cx->failure, CONTEXT_OK);
    outcome = arena_strdup(file->arena, outcome);
    context_free(cx);
    return outcome;
}

/* A statement that a remedy says to write is one. */
static void check_remedies(struct context *cx, const char *outcome)
{
    static const char said[] = "  help: write ";
    for (const char *at = outcome; (at = strstr(at, said)); at++) {
        char *statement = arena_strdup(cx->arena, at + strlen(said));
        statement[strcspn(statement, "\n")] = '\0';
        struct block block = {.statement = statement};
        if (strstr(statement, " = ") && strstr(run(cx, &block), "error["))
            fail_msg("this remedy is no statement: %s", statement);
    }
}

static void check_file(const char *name)
{
    struct context *cx = context_new();
    const char *path = golden_path(cx, name);
    char *at = read_file(cx, path);
    struct text anew = text_new(cx->arena);
    struct block block;
    bool update = getenv("SPCC_UPDATE_GOLDENS") != NULL;
    int blocks = 0, wrong = 0;
    while (take_block(cx, &at, &block)) {
        const char *outcome = run(cx, &block);
        text_printf(&anew, "%s> %s\n%s%s", block.comments, block.statement, block.options, outcome);
        blocks++;
        check_remedies(cx, outcome);
        if (update || strcmp(outcome, block.expected) == 0)
            continue;
        print_error("%s: %s\n--- expected\n%s--- got\n%s", name, block.statement, block.expected,
                    outcome);
        wrong++;
    }
    text_add(&anew, block.comments);
    if (update)
        write_file(path, anew.at);
    context_free(cx);
    assert_true(blocks > 0);
    assert_int_equal(wrong, 0);
}

static void sums(void **state)
{
    (void)state;
    check_file("sums");
}

static void types(void **state)
{
    (void)state;
    check_file("types");
}

static void mistakes(void **state)
{
    (void)state;
    check_file("mistakes");
}

static void foreign(void **state)
{
    (void)state;
    check_file("foreign");
}

static void formats(void **state)
{
    (void)state;
    check_file("formats");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),    cmocka_unit_test(types),   cmocka_unit_test(mistakes),
        cmocka_unit_test(foreign), cmocka_unit_test(formats),
    };
    return cmocka_run_group_tests_name("notation goldens", tests, NULL, NULL);
}
