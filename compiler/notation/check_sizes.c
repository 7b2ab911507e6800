/* check_sizes.c - the sizes of index variables: declared, expected, and equal if two index one
 * mode.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/suggest.h"
#include "compiler/format/index_array.h"
#include "compiler/notation/check_parts.h"

/* Returns the variable that represents all variables known to have this one's size. */
static int representative(const struct check *c, int i)
{
    while (c->indices.at[i].same != c->indices.at[i].var)
        i = check_find_index(c, c->indices.at[i].same->name);
    return i;
}

static void complain_of_variable(struct check *c, const char *name)
{
    struct suggestion near = suggest_for(name);
    const char *names = "";
    struct diag *diag = diag_error(c->cx, DIAG_NAME, (struct span){NULL, 0, 0},
                                   "no index variable in the expression is called %s", name);
    for (size_t i = 0; i < c->indices.n; i++) {
        const struct index_var *var = c->indices.at[i].var;
        if (var->literal)
            continue;
        names = arena_printf(c->cx->arena, "%s%s%s", names, *names ? ", " : "", var->name);
        suggest_consider(&near, var->name, strlen(var->name));
    }
    if (*names)
        diag_note(c->cx, diag, "its index variables are %s", names);
    if (near.nearest)
        diag_help(c->cx, diag, "did you mean %.*s?", near.length, near.nearest);
}

static void declare_size(struct check *c, const struct tin_size *given)
{
    int i = check_find_index(c, intern(c->cx, given->var));
    if (i < 0) {
        complain_of_variable(c, given->var);
        return;
    }
    struct index_use *use = &c->indices.at[i];
    if (given->size < 0)
        diag_error(c->cx, DIAG_SIZE, use->span, "%s cannot have the size %lld", given->var,
                   (long long)given->size);
    else if (use->var->size >= 0 && use->var->size != given->size)
        diag_error(c->cx, DIAG_SIZE, use->span, "%s is given two sizes, %lld and %lld", given->var,
                   (long long)use->var->size, (long long)given->size);
    enum type coordinates = c->declared->defaults.crd;
    /* bool means that no default is set yet */
    if (given->size > index_max(coordinates) && coordinates != TYPE_BOOL) {
        struct diag *diag = diag_error(c->cx, DIAG_LIMIT, use->span,
                                       "the size %lld of %s is beyond coordinates of type %s",
                                       (long long)given->size, given->var, type_name(coordinates));
        diag_help(c->cx, diag, "use 64 bits: {index 64}");
    }
    use->var->size = given->size;
    use->size_of = use->var->name;
}

/* Two variables that index the same mode have one size. */
static void unite(struct check *c, int a, int b, const struct tin *access, int mode)
{
    struct index_use *first = &c->indices.at[representative(c, a)],
                     *second = &c->indices.at[representative(c, b)];
    if (first == second)
        return;
    if (first->var->size >= 0 && second->var->size >= 0 && first->var->size != second->var->size) {
        struct diag *diag = diag_error(c->cx, DIAG_SIZE, check_span(access, mode),
                                       "%s and %s index the same mode of %s but differ in size",
                                       c->indices.at[a].var->name, c->indices.at[b].var->name,
                                       access->tensor->name);
        diag_note(c->cx, diag, "the size of %s is %lld", first->size_of,
                  (long long)first->var->size);
        diag_note(c->cx, diag, "the size of %s is %lld", second->size_of,
                  (long long)second->var->size);
    }
    if (first->var->size < 0) {
        first->var->size = second->var->size;
        first->size_of = second->size_of;
    }
    second->same = first->var;
}

static void unite_modes(struct check *c, const struct tin *node)
{
    if (check_has_enough(c))
        return;
    if (node->kind == TIN_ACCESS) {
        const struct tin *first = c->tensors.at[check_find_tensor(c, node->tensor->name)].access;
        for (int m = 0; m < node->indices; m++)
            unite(c, check_find_index(c, first->index[m]->name),
                  check_find_index(c, node->index[m]->name), node, m);
    }
    for (int i = 0; i < node->args; i++)
        unite_modes(c, node->arg[i]);
}

void check_declare_sizes(struct check *c, const struct tin *all)
{
    for (int i = 0; i < c->declared->sizes; i++)
        declare_size(c, &c->declared->size[i]);
    if (check_failed(c))
        return;
    unite_modes(c, all);
    for (size_t i = 0; i < c->indices.n; i++)
        c->indices.at[i].var->size = c->indices.at[representative(c, (int)i)].var->size;
}

/* Notes what is expected of a tensor's levels; the first statement counts. */
static void expect_levels(struct check *c, struct tensor_var *var,
                          const struct tin_expected *expected)
{
    int levels = var->format->levels;
    int64_t *positions = arena_array(c->cx->arena, int64_t, levels);
    for (int level = 0; level < levels; level++)
        positions[level] = expected->positions   ? expected->positions[level]
                           : level + 1 == levels ? expected->stored
                                                 : -1;
    var->positions = var->positions ? var->positions : positions;
    var->longest = var->longest ? var->longest : expected->longest;
}

/* Notes the expected sizes: of variables without a known size, and of levels. */
static void expect(struct check *c, const struct tin_expected *expected)
{
    struct span nowhere = {NULL, 0, 0};
    int t = check_find_tensor(c, intern(c->cx, expected->name));
    if (t < 0) {
        diag_error(c->cx, DIAG_NAME, nowhere, "no tensor in the expression is called %s",
                   expected->name);
        return;
    }
    struct tensor_var *var = c->tensors.at[t].var;
    if (!var->parts)
        expect_levels(c, var, expected);
    for (int m = 0; m < var->order && expected->dimension; m++) {
        const char *name = c->tensors.at[t].access->index[m]->name;
        struct index_var *extent = c->indices.at[representative(c, check_find_index(c, name))].var;
        extent->about = extent->about ? extent->about : expected->dimension[m];
    }
}

void check_expect_sizes(struct check *c)
{
    for (int i = 0; i < c->declared->n_expected; i++)
        expect(c, &c->declared->expected[i]);
    for (size_t i = 0; i < c->indices.n; i++)
        c->indices.at[i].var->about = c->indices.at[representative(c, (int)i)].var->about;
}
