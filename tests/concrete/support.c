/* support.c - programs from a line of text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/concrete/support.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/plan/plan.h"
#include "compiler/registry.h"
#include "compiler/schedule.h"

int lab_setup(void **state)
{
    struct context *cx = context_new();
    if (!cx)
        return -1;
    cx->levels = registry_levels;
    *state = cx;
    return 0;
}

int lab_teardown(void **state)
{
    context_free(*state);
    return 0;
}

/* ---- declarations ---- */

/* The next field, cut off; *rest is what follows the separator, or NULL. */
static char *cut(char *text, char separator, char **rest)
{
    while (*text == ' ')
        text++;
    char *end = text + strcspn(text, (char[]){separator, '\0'});
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    return text;
}

static void declare_tensor(struct tin_declaration *d, char *text)
{
    char *rest;
    *d = (struct tin_declaration){.name = cut(text, ':', &rest)};
    if (rest && *(d->format = cut(rest, '/', &rest)) == '\0')
        d->format = NULL;
    if (rest)
        d->type = cut(rest, '/', &rest);
    if (rest)
        d->fill = cut(rest, '/', &rest);
}

static struct tin_declarations declare(struct context *cx, const char *text)
{
    VEC(struct tin_declaration) tensor = {0};
    VEC(struct tin_size) size = {0};
    for (char *rest = arena_strdup(cx->arena, text); rest;) {
        char *item = cut(rest, ';', &rest), *number;
        if (!strchr(item, ':') && strchr(item, '=')) {
            struct tin_size s = {cut(item, '=', &number), 0};
            s.size = atoi(number);
            vec_push(cx->arena, &size, s);
        } else if (*item) {
            struct tin_declaration d;
            declare_tensor(&d, item);
            vec_push(cx->arena, &tensor, d);
        }
    }
    return (struct tin_declarations){.tensor = tensor.at,
                                     .tensors = (int)tensor.n,
                                     .size = size.at,
                                     .sizes = (int)size.n,
                                     .defaults = {TYPE_I32, TYPE_I32}};
}

const struct tin *lab_check(struct context *cx, const char *statement, const char *declarations)
{
    struct tin_declarations declared = declare(cx, declarations);
    const struct tin *parsed = tin_parse(cx, statement);
    return parsed ? tin_check(cx, parsed, &declared) : NULL;
}

const struct tin *lab_notation(struct context *cx, const char *statement, const char *declarations)
{
    const struct tin *checked = lab_check(cx, statement, declarations);
    if (!checked)
        fail_msg("%s refused:\n%s", statement, diag_render(cx));
    return checked;
}

const struct cin_program *lab_program(struct context *cx, const char *statement,
                                      const char *declarations)
{
    const struct cin_program *program =
        cin_concretize(cx, lab_notation(cx, statement, declarations));
    const char *broken = cin_check(cx, program);
    if (broken)
        fail_msg("%s: %s", statement, broken);
    return program;
}

/* ---- names ---- */

struct names {
    struct context *cx;
    VEC(const struct tensor_var *) tensor;
    VEC(const struct index_var *) var;
};

static bool collect(const struct cin *cin, void *data)
{
    struct names *names = data;
    bool known = !cin->tensor;
    for (size_t i = 0; i < names->tensor.n; i++)
        known |= names->tensor.at[i] == cin->tensor;
    if (!known)
        vec_push(names->cx->arena, &names->tensor, cin->tensor);
    if (cin->kind == CIN_FORALL)
        vec_push(names->cx->arena, &names->var, cin->index[0]);
    return false;
}

const struct cin_program *lab_apply(struct context *cx, const struct cin_program *program,
                                    const char *schedule)
{
    const struct cin_program *after = schedule_apply(cx, registry_schedules, program, schedule);
    if (!after)
        fail_msg("%s refused:\n%s", schedule, diag_render(cx));
    return after;
}

const char *lab_plan(struct context *cx, const struct cin_program *program)
{
    struct plan_result plan = plan_program(cx, program, NULL);
    lab_check_reads_back(cx, program, plan.schedule, plan.program);
    return plan.schedule;
}

void lab_check_reads_back(struct context *cx, const struct cin_program *program,
                          const char *schedule, const struct cin_program *made)
{
    struct text is = text_new(cx->arena), was = text_new(cx->arena);
    const struct cin_program *read = lab_apply(cx, program, schedule);
    cin_print_program(cx, &is, read);
    cin_print_program(cx, &was, made);
    if (read->statement != made->statement || strcmp(is.at, was.at) != 0)
        fail_msg("%s makes %s, and not %s", schedule, is.at, was.at);
}

struct cin_names lab_names(struct context *cx, const struct cin *statement)
{
    struct names names = {.cx = cx};
    cin_any(statement, collect, &names);
    return (struct cin_names){names.tensor.at, names.var.at, (int)names.tensor.n, (int)names.var.n};
}

static bool collect_indices(const struct cin *cin, void *data)
{
    struct names *names = data;
    for (int i = 0; cin->kind == CIN_ACCESS && i < cin->indices; i++)
        vec_push(names->cx->arena, &names->var, cin->index[i]);
    return collect(cin, data);
}

struct cin_names lab_program_names(struct context *cx, const struct cin_program *program)
{
    struct names names = {.cx = cx};
    cin_any(program->statement, collect_indices, &names);
    for (int i = 0; i < program->relations; i++)
        for (int k = 0; k < 2; k++) {
            const struct cin_relation *r = &program->relation[i];
            if (r->parent[k])
                vec_push(cx->arena, &names.var, r->parent[k]);
            if (r->child[k])
                vec_push(cx->arena, &names.var, r->child[k]);
        }
    return (struct cin_names){names.tensor.at, names.var.at, (int)names.tensor.n, (int)names.var.n};
}

const struct index_var *lab_var(struct context *cx, const struct cin *statement, const char *name)
{
    struct cin_names names = lab_names(cx, statement);
    for (int i = 0; i < names.vars; i++)
        if (!strcmp(names.var[i]->name, name))
            return names.var[i];
    fail_msg("no variable %s", name);
    return NULL;
}

const struct tensor_var *lab_tensor(struct context *cx, const struct cin *statement,
                                    const char *name)
{
    struct cin_names names = lab_names(cx, statement);
    for (int i = 0; i < names.tensors; i++)
        if (!strcmp(names.tensor[i]->name, name))
            return names.tensor[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

/* ---- text ---- */

const struct cin *lab_parse(struct context *cx, const char *text, const struct cin_names *names)
{
    const struct cin *cin = cin_parse(cx, text, names);
    if (!cin)
        fail_msg("%s does not parse:\n%s", text, diag_render(cx));
    return cin;
}

const char *lab_text(struct context *cx, const struct cin *cin)
{
    struct text out = text_new(cx->arena);
    cin_print(cx, &out, cin);
    return out.at;
}

/* ---- lattices ---- */

/* The loop in the tree; of a statement that simplifies to one without it, the loop as it was. */
static const struct tree_node *find_loop(const struct tree_node *node, const char *var)
{
    const struct tree_node *found = NULL;
    if (node->lattice)
        return !strcmp(node->lattice->var->name, var) ? node : find_loop(node->whole, var);
    for (int i = 0; i < node->children && !found; i++)
        found = find_loop(node->child[i], var);
    return found;
}

const struct lattice *lab_related_lattice(struct context *cx, const struct cin_program *program,
                                          const char *var)
{
    const struct tree_node *loop = find_loop(tree_build(cx, program)->root, var);
    const struct around nothing = {.known = known_none(cx, program)};
    const struct cin *s = program->statement;
    if (loop)
        return loop->lattice;
    if (s->kind != CIN_FORALL || strcmp(s->index[0]->name, var))
        fail_msg("no forall(%s)", var);
    return lattice_build(cx, s->index[0], s->arg[0], &nothing, false);
}

const struct lattice *lab_lattice(struct context *cx, const struct cin *statement, const char *var)
{
    struct cin_program program = {.statement = statement};
    struct cin_list made = cin_assignments(cx, statement);
    for (size_t i = 0; i < made.n; i++)
        if (!made.at[i]->arg[0]->tensor->temporary)
            program.result = made.at[i]->arg[0]->tensor;
    return lab_related_lattice(cx, &program, var);
}

uint64_t lab_random(uint64_t *seed, uint64_t n)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % n;
}
