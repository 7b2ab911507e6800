/* check.c - what the names in a statement stand for, and whether it makes sense.
 *
 * The steps, each of which reports all it finds; a later one runs only if those before it found
 * nothing:
 *
 *     collect      every tensor and index variable, in order of appearance, and whether their uses
 *                  agree
 *     declare      formats, types and fills; sizes of index variables, equal where two index one
 *                  mode
 *     scope        reductions bind variables that are free to be bound
 *     resolve      the tree over the complete tensor and index variables
 *     tin_sum      the Einstein rule (einstein.c)
 *     tin_type     types and promotion (types.c)
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/check.h"

#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/format/index_array.h"
#include "compiler/format/names.h"

struct tensor_use {
    struct tensor_var *var;
    const struct tin *access; /* its first */
    const struct tin_declaration *format, *type, *fill;
};

struct index_use {
    struct index_var *var;
    struct span span; /* its first */
    bool indexes;     /* some access uses it */
    /* towards the variable that stands for all of the same size */
    const struct index_var *same;
    const char *size_of; /* the variable that -d gave the size to */
};

struct check {
    struct context *cx;
    const struct tin_declarations *declared;
    VEC(struct tensor_use) tensors; /* the result is the first */
    VEC(struct index_use) indices;
    size_t errors; /* diagnostics before this check */
    /* the result's index variables; those of the reductions around */
    struct bits left, bound;
};

static bool failed(const struct check *c) { return c->cx->diags.n > c->errors; }

static struct span index_span(const struct tin *node, int i)
{
    return node->index_span ? node->index_span[i] : node->span;
}

/* ---- collect ---- */

static int find_tensor(const struct check *c, const char *name)
{
    for (size_t i = 0; i < c->tensors.n; i++)
        if (c->tensors.at[i].var->name == name)
            return (int)i;
    return -1;
}

static int find_index(const struct check *c, const char *name)
{
    for (size_t i = 0; i < c->indices.n; i++)
        if (c->indices.at[i].var->name == name)
            return (int)i;
    return -1;
}

static void collect_index(struct check *c, const struct index_var *var, struct span span,
                          bool indexes)
{
    int i = find_index(c, var->name);
    if (i < 0) {
        struct index_use use = {.var = arena_make(c->cx->arena, struct index_var), .span = span};
        context_assert(c->cx, c->indices.n < TIN_INDICES_MAX);
        *use.var = (struct index_var){
            .name = var->name, .literal = var->literal, .value = var->value, .size = -1};
        use.same = use.var;
        i = (int)c->indices.n;
        vec_push(c->cx->arena, &c->indices, use);
    }
    c->indices.at[i].indexes |= indexes;
}

static void add_tensor(struct check *c, const struct tin *access)
{
    struct tensor_use use = {.var = arena_make(c->cx->arena, struct tensor_var), .access = access};
    use.var->name = access->tensor->name;
    use.var->order = access->indices;
    use.var->type = TYPE_F64;
    use.var->rank = (int)c->tensors.n;
    vec_push(c->cx->arena, &c->tensors, use);
    if (access->indices > ORDER_MAX) {
        struct diag *diag = diag_error(c->cx, DIAG_ORDER, access->span, "%s has %d modes",
                                       use.var->name, access->indices);
        diag_help(c->cx, diag, "a tensor has at most %d", ORDER_MAX);
    }
}

/* The result may be read where it is being written, and nowhere else. */
static void check_read_in_place(struct check *c, const struct tin *access)
{
    const struct tin *result = c->tensors.at[0].access;
    bool same = result->indices == access->indices;
    for (int i = 0; i < access->indices && same; i++)
        same = result->index[i]->name == access->index[i]->name;
    if (same)
        return;
    struct text written = text_new(c->cx->arena);
    tin_print(&written, result);
    struct diag *diag = diag_error(c->cx, DIAG_RESULT, access->span,
                                   "the result %s is read at another component than the "
                                   "one that is written, %s",
                                   access->tensor->name, written.at);
    diag_note(c->cx, diag,
              "components are written one after the other: this one may hold its new value or its "
              "old one");
    diag_help(c->cx, diag, "give the result another name");
}

static void collect_access(struct check *c, const struct tin *access)
{
    int t = find_tensor(c, access->tensor->name);
    if (t < 0) {
        add_tensor(c, access);
    } else if (t == 0) {
        check_read_in_place(c, access);
    } else if (c->tensors.at[t].var->order != access->indices) {
        struct diag *diag =
            diag_error(c->cx, DIAG_ORDER, access->span, "%s has %d index variable%s here",
                       access->tensor->name, access->indices, access->indices == 1 ? "" : "s");
        diag_note(c->cx, diag, "it has %d where it stands first", c->tensors.at[t].var->order);
    }
    for (int i = 0; i < access->indices; i++)
        collect_index(c, access->index[i], index_span(access, i), true);
}

static bool has_enough(const struct check *c)
{
    return c->cx->diags.n >= c->errors + TIN_ERRORS_MAX;
}

static void collect(struct check *c, const struct tin *node)
{
    if (has_enough(c))
        return;
    if (node->kind == TIN_ACCESS)
        collect_access(c, node);
    for (int i = 0; node->kind == TIN_REDUCE && i < node->indices; i++)
        collect_index(c, node->index[i], index_span(node, i), false);
    for (int i = 0; i < node->args; i++)
        collect(c, node->arg[i]);
}

static void check_names(struct check *c)
{
    for (size_t t = 0; t < c->tensors.n; t++) {
        const struct tensor_use *use = &c->tensors.at[t];
        int i = find_index(c, use->var->name);
        if (i < 0)
            continue;
        bool bare = use->var->order == 0;
        struct diag *diag =
            diag_error(c->cx, DIAG_NAME, use->access->span,
                       bare ? "%s is an index variable, which has no value of its own"
                            : "%s is a tensor here and an index variable elsewhere",
                       use->var->name);
        diag_note(c->cx, diag,
                  "a name inside the parentheses of a tensor is an index variable in the whole "
                  "statement");
    }
}

/* ---- declare: tensors ---- */

static struct span declared_span(struct check *c, const char *what, const char *tensor,
                                 const char *text)
{
    struct source *source = arena_make(c->cx->arena, struct source);
    source->name = arena_printf(c->cx->arena, "%s of %s", what, tensor);
    source->text = text;
    return (struct span){source, 0, (int)strlen(text)};
}

static const char *tensor_names(const struct check *c)
{
    const char *names = "";
    for (size_t t = 0; t < c->tensors.n && t < 20; t++)
        names =
            arena_printf(c->cx->arena, "%s%s%s", names, t ? ", " : "", c->tensors.at[t].var->name);
    return c->tensors.n > 20 ? arena_printf(c->cx->arena, "%s, ...", names) : names;
}

static void note_declaration(struct check *c, const struct tin_declaration **place,
                             const struct tin_declaration *given, const char *what)
{
    if (*place)
        diag_error(c->cx, DIAG_NAME, (struct span){NULL, 0, 0}, "the %s of %s is given twice", what,
                   given->name);
    *place = given;
}

static void match_declarations(struct check *c)
{
    for (int i = 0; i < c->declared->tensors; i++) {
        const struct tin_declaration *given = &c->declared->tensor[i];
        int t = find_tensor(c, intern(c->cx, given->name));
        if (t < 0) {
            struct diag *diag = diag_error(c->cx, DIAG_NAME, (struct span){NULL, 0, 0},
                                           "no tensor in the expression is called %s", given->name);
            diag_note(c->cx, diag, "its tensors are %s", tensor_names(c));
            continue;
        }
        if (given->format)
            note_declaration(c, &c->tensors.at[t].format, given, "format");
        if (given->type)
            note_declaration(c, &c->tensors.at[t].type, given, "type");
        if (given->fill)
            note_declaration(c, &c->tensors.at[t].fill, given, "fill");
    }
}

static void declare_type(struct check *c, struct tensor_use *use)
{
    const char *text = use->type->type;
    if (type_parse(text, strlen(text), &use->var->type))
        return;
    const char *names = "";
    struct suggestion near = suggest_for(text);
    for (int t = 0; t < TYPE_COUNT; t++) {
        names = arena_printf(c->cx->arena, "%s%s%s", names, t ? ", " : "", type_name((enum type)t));
        suggest_consider(&near, type_name((enum type)t), strlen(type_name((enum type)t)));
    }
    struct diag *diag = diag_error(c->cx, DIAG_TYPE, declared_span(c, "type", use->var->name, text),
                                   "there is no such type");
    if (format_name_find(text, strlen(text)))
        diag_help(c->cx, diag, "%s is the name of a format: {declaration %s:%s}", text,
                  use->var->name, text);
    else if (near.nearest)
        diag_help(c->cx, diag, "did you mean %.*s? The types are %s", near.length, near.nearest,
                  names);
    else
        diag_help(c->cx, diag, "the types are %s", names);
}

static const char *fill_help(enum type type)
{
    switch (type_kind(type)) {
    case KIND_BOOL: return "write true or false";
    case KIND_INT:
    case KIND_UINT: return "write a whole number in its range";
    case KIND_FLOAT: return "write a number, inf, -inf or nan";
    case KIND_COMPLEX: break;
    }
    return "write a number, 2i or (1,2)";
}

static void declare_fill(struct check *c, struct tensor_use *use)
{
    const char *text = use->fill->fill;
    if (value_parse(text, strlen(text), use->var->type, &use->var->fill))
        return;
    struct diag *diag = diag_error(c->cx, DIAG_FILL, declared_span(c, "fill", use->var->name, text),
                                   "this is not a value of the type %s", type_name(use->var->type));
    diag_help(c->cx, diag, "%s", fill_help(use->var->type));
}

static void declare_tensors(struct check *c)
{
    struct format_defaults defaults = c->declared->defaults;
    match_declarations(c);
    for (size_t t = 0; t < c->tensors.n; t++) {
        struct tensor_use *use = &c->tensors.at[t];
        struct tensor_var *var = use->var;
        if (use->type)
            declare_type(c, use);
        var->fill = value_zero(var->type);
        if (use->fill)
            declare_fill(c, use);
        if (use->format)
            var->format = format_parse(c->cx, var->name, use->format->format, var->order, defaults);
        else
            var->format = format_dense(c->cx, var->order, defaults);
    }
}

/* ---- declare: sizes ---- */

/* The variable that stands for all that are known to have the size of this one. */
static int representative(const struct check *c, int i)
{
    while (c->indices.at[i].same != c->indices.at[i].var)
        i = find_index(c, c->indices.at[i].same->name);
    return i;
}

static void declare_size(struct check *c, const struct tin_size *given)
{
    struct span nowhere = {NULL, 0, 0};
    int i = find_index(c, intern(c->cx, given->var));
    if (i < 0) {
        diag_error(c->cx, DIAG_NAME, nowhere, "no index variable in the expression is called %s",
                   given->var);
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
    /* bool: there is no default yet */
    if (given->size > index_max(coordinates) && coordinates != TYPE_BOOL) {
        struct diag *diag = diag_error(c->cx, DIAG_LIMIT, use->span,
                                       "the size %lld of %s is beyond coordinates of type %s",
                                       (long long)given->size, given->var, type_name(coordinates));
        diag_help(c->cx, diag, "use 64 bits: {index 64}");
    }
    use->var->size = given->size;
    use->size_of = use->var->name;
}

/* Two variables index the same mode, so they have one size. */
static void unite(struct check *c, int a, int b, const struct tin *access, int mode)
{
    struct index_use *first = &c->indices.at[representative(c, a)],
                     *second = &c->indices.at[representative(c, b)];
    if (first == second)
        return;
    if (first->var->size >= 0 && second->var->size >= 0 && first->var->size != second->var->size) {
        struct diag *diag = diag_error(c->cx, DIAG_SIZE, index_span(access, mode),
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
    if (has_enough(c))
        return;
    if (node->kind == TIN_ACCESS) {
        const struct tin *first = c->tensors.at[find_tensor(c, node->tensor->name)].access;
        for (int m = 0; m < node->indices; m++)
            unite(c, find_index(c, first->index[m]->name), find_index(c, node->index[m]->name),
                  node, m);
    }
    for (int i = 0; i < node->args; i++)
        unite_modes(c, node->arg[i]);
}

static void declare_sizes(struct check *c, const struct tin *statement)
{
    for (int i = 0; i < c->declared->sizes; i++)
        declare_size(c, &c->declared->size[i]);
    if (failed(c))
        return;
    unite_modes(c, statement);
    for (size_t i = 0; i < c->indices.n; i++)
        c->indices.at[i].var->size = c->indices.at[representative(c, (int)i)].var->size;
}

/* The sizes that are expected of tensors: of variables whose size is not known, and of levels. */
static void expect(struct check *c, const struct tin_expected *expected)
{
    struct span nowhere = {NULL, 0, 0};
    int t = find_tensor(c, intern(c->cx, expected->name));
    if (t < 0) {
        diag_error(c->cx, DIAG_NAME, nowhere, "no tensor in the expression is called %s",
                   expected->name);
        return;
    }
    struct tensor_var *var = c->tensors.at[t].var;
    int levels = var->format->levels;
    int64_t *positions = arena_array(c->cx->arena, int64_t, levels);
    for (int level = 0; level < levels; level++)
        positions[level] = expected->positions   ? expected->positions[level]
                           : level + 1 == levels ? expected->stored
                                                 : -1;
    var->positions = var->positions ? var->positions : positions;
    for (int m = 0; m < var->order && expected->dimension; m++) {
        const char *name = c->tensors.at[t].access->index[m]->name;
        struct index_var *extent = c->indices.at[representative(c, find_index(c, name))].var;
        extent->about = extent->about ? extent->about : expected->dimension[m];
    }
}

static void expect_sizes(struct check *c)
{
    for (int i = 0; i < c->declared->n_expected; i++)
        expect(c, &c->declared->expected[i]);
    for (size_t i = 0; i < c->indices.n; i++)
        c->indices.at[i].var->about = c->indices.at[representative(c, (int)i)].var->about;
}

/* Literals are in the range of their modes, as far as that is known. */
static void check_literals(struct check *c)
{
    enum type coordinates = c->declared->defaults.crd;
    for (size_t i = 0; i < c->indices.n; i++) {
        const struct index_use *use = &c->indices.at[i];
        const struct index_var *var = use->var;
        if (!var->literal)
            continue;
        if (var->size >= 0 && var->value >= var->size) {
            struct diag *diag =
                diag_error(c->cx, DIAG_SIZE, use->span, "the index %lld is beyond the size %lld",
                           (long long)var->value, (long long)var->size);
            diag_help(c->cx, diag, "indices count from 0");
        } else if (var->value >= index_max(coordinates) && coordinates != TYPE_BOOL) {
            struct diag *diag = diag_error(c->cx, DIAG_LIMIT, use->span,
                                           "the index %lld is beyond coordinates of type %s",
                                           (long long)var->value, type_name(coordinates));
            diag_help(c->cx, diag, "use 64 bits: {index 64}");
        }
    }
}

static void set_extents(struct check *c)
{
    for (size_t t = 0; t < c->tensors.n; t++) {
        const struct tin *access = c->tensors.at[t].access;
        const struct index_var **extent =
            arena_array(c->cx->arena, const struct index_var *, access->indices);
        for (int m = 0; m < access->indices; m++)
            extent[m] = c->indices.at[find_index(c, access->index[m]->name)].var;
        c->tensors.at[t].var->extent = extent;
    }
}

/* ---- scope ---- */

static void check_binding(struct check *c, const struct tin *reduction, int i)
{
    int v = find_index(c, reduction->index[i]->name);
    const struct index_use *use = &c->indices.at[v];
    struct span span = index_span(reduction, i);
    if (bits_has(c->left, v)) {
        diag_error(c->cx, DIAG_NAME, span, "%s indexes the result, so nothing is reduced over it",
                   use->var->name);
    } else if (bits_has(c->bound, v)) {
        struct diag *diag =
            diag_error(c->cx, DIAG_NAME, span, "%s is reduced over already", use->var->name);
        diag_help(c->cx, diag, "give one of the two another name");
    } else if (!use->indexes && use->var->size < 0) {
        struct diag *diag = diag_error(c->cx, DIAG_UNUSED, span,
                                       "nothing says how many values %s has", use->var->name);
        diag_help(c->cx, diag, "use it to index a tensor, or give its size: {size %s:N}",
                  use->var->name);
    }
    c->bound = bits_with(c->bound, v);
}

static void check_scopes(struct check *c, const struct tin *node)
{
    if (has_enough(c))
        return;
    struct bits around = c->bound;
    for (int i = 0; node->kind == TIN_REDUCE && i < node->indices; i++)
        check_binding(c, node, i);
    for (int i = 0; i < node->args; i++)
        check_scopes(c, node->arg[i]);
    c->bound = around;
}

/* ---- resolve ---- */

static const struct index_var *const *resolve_indices(struct check *c, const struct tin *node)
{
    const struct index_var **index =
        arena_array(c->cx->arena, const struct index_var *, node->indices);
    for (int i = 0; i < node->indices; i++)
        index[i] = c->indices.at[find_index(c, node->index[i]->name)].var;
    return index;
}

static const struct tin *resolve(struct check *c, const struct tin *node)
{
    const struct tin *arg[3];
    if (node->kind == TIN_LITERAL)
        return node;
    for (int i = 0; i < node->args; i++)
        arg[i] = resolve(c, node->arg[i]);
    if (node->kind == TIN_OP)
        return tin_op(c->cx, node->span, node->op, arg, node->args);
    const struct index_var *const *index = resolve_indices(c, node);
    struct tin *resolved;
    if (node->kind == TIN_REDUCE) {
        resolved =
            (struct tin *)tin_reduce(c->cx, node->span, node->op, index, node->indices, arg[0]);
    } else {
        const struct tensor_var *tensor = c->tensors.at[find_tensor(c, node->tensor->name)].var;
        resolved = (struct tin *)tin_access(c->cx, node->span, tensor, index, node->indices);
    }
    resolved->index_span = node->index_span;
    return resolved;
}

/* Does the statement assign some of the result's components only: a diagonal, or a slice that a
 * literal says? */
static bool is_partial(const struct tin *result)
{
    bool partial = false;
    for (int i = 0; i < result->indices; i++) {
        partial |= result->index[i]->literal;
        for (int k = 0; k < i; k++)
            partial |= result->index[k]->name == result->index[i]->name;
    }
    return partial;
}

/* A result that is read is written in place if it is dense; else it is assembled anew. */
static void check_held(struct check *c, const struct tin *statement)
{
    struct tensor_var *var = c->tensors.at[0].var;
    bool reads = tin_reads_result(statement), assembled = format_assembled(var->format) > 0;
    var->held = reads && !assembled;
    if (!reads || !assembled || !is_partial(statement->arg[0]))
        return;
    struct diag *diag = diag_error(
        c->cx, DIAG_RESULT, statement->arg[0]->span,
        "%s is assembled anew, and what it holds at other components would be lost", var->name);
    diag_help(c->cx, diag, "make %s dense, or assign to another tensor and add that to %s",
              var->name, var->name);
}

static const struct index_var *const *all_indices(const struct check *c)
{
    const struct index_var **index =
        arena_array(c->cx->arena, const struct index_var *, c->indices.n);
    for (size_t i = 0; i < c->indices.n; i++)
        index[i] = c->indices.at[i].var;
    return index;
}

const struct tin *tin_check(struct context *cx, const struct tin *statement,
                            const struct tin_declarations *declared)
{
    struct check c = {.cx = cx, .declared = declared, .errors = cx->diags.n};
    context_assert(cx, statement->kind == TIN_ASSIGN);
    const struct tin *result = statement->arg[0];
    collect(&c, statement);
    check_names(&c);
    if (failed(&c))
        return NULL;
    declare_tensors(&c);
    declare_sizes(&c, statement);
    for (int i = 0; i < result->indices; i++)
        c.left = bits_with(c.left, find_index(&c, result->index[i]->name));
    for (size_t i = 0; i < c.indices.n; i++) /* nothing is summed over a literal */
        c.left = c.indices.at[i].var->literal ? bits_with(c.left, (int)i) : c.left;
    if (!failed(&c))
        expect_sizes(&c);
    check_literals(&c);
    check_scopes(&c, statement->arg[1]);
    if (failed(&c))
        return NULL;
    set_extents(&c);
    check_held(&c, statement);
    const struct tin *value =
        tin_sum(cx, resolve(&c, statement->arg[1]), all_indices(&c), (int)c.indices.n, c.left);
    if (value) /* an implicit sum may go around a reduction over its variable */
        check_scopes(&c, value);
    return value && !failed(&c)
               ? tin_type(cx, statement->span, statement->op, resolve(&c, result), value)
               : NULL;
}
