/* check.c - finds what the names in a statement stand for, and whether the statement makes sense.
 *
 * Each step reports every mistake that it finds, and runs only if the steps before found none:
 *
 *     collect      every tensor and index variable, in order of appearance, and whether their uses
 *                  agree
 *     declare      formats, types and fills; sizes of index variables, equal if two index one mode
 *     scope        reductions bind variables that are free to be bound
 *     resolve      the tree over the complete tensor and index variables
 *     tin_sum      the Einstein rule (einstein.c)
 *     infer_type   the type of a result from its value, where that is asked for
 *     tin_type     types and promotion (types.c)
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/check_parts.h"

#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/format/index_array.h"
#include "compiler/format/names.h"

/* ---- collect ---- */

static void collect_index(struct check *c, const struct index_var *var, struct span span,
                          bool indexes)
{
    int i = check_find_index(c, var->name);
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

/* A result may be read only at the component that is written. */
static void check_read_in_place(struct check *c, const struct tin *access)
{
    const struct tin *result = c->tensors.at[c->at].access;
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
    int t = check_find_tensor(c, access->tensor->name);
    if (t < 0) {
        add_tensor(c, access);
    } else if (t == c->at) {
        check_read_in_place(c, access);
    } else if (t > c->at && t < c->results) {
        struct diag *diag = diag_error(
            c->cx, DIAG_RESULT, access->span,
            "%s is read here, and a statement after this one computes it", access->tensor->name);
        diag_help(c->cx, diag, "put that statement first, or compile the two separately");
    } else if (c->tensors.at[t].var->order != access->indices) {
        struct diag *diag =
            diag_error(c->cx, DIAG_ORDER, access->span, "%s has %d index variable%s here",
                       access->tensor->name, access->indices, access->indices == 1 ? "" : "s");
        diag_note(c->cx, diag, "it has %d where it stands first", c->tensors.at[t].var->order);
    }
    for (int i = 0; i < access->indices; i++)
        collect_index(c, access->index[i], check_span(access, i), true);
}

static void collect(struct check *c, const struct tin *node)
{
    if (check_has_enough(c))
        return;
    if (node->kind == TIN_ACCESS)
        collect_access(c, node);
    for (int i = 0; node->kind == TIN_REDUCE && i < node->indices; i++)
        collect_index(c, node->index[i], check_span(node, i), false);
    for (int i = 0; i < node->args; i++)
        collect(c, node->arg[i]);
}

/* The results come first, and each is computed once. */
static void collect_all(struct check *c, const struct tin *all)
{
    for (int s = 0; s < tin_statements(all); s++) {
        const struct tin *result = tin_statement(all, s)->arg[0];
        if (check_find_tensor(c, result->tensor->name) < 0) {
            add_tensor(c, result);
            continue;
        }
        struct diag *diag = diag_error(
            c->cx, DIAG_RESULT, result->span,
            "%s is the result of two statements that are compiled together", result->tensor->name);
        diag_help(c->cx, diag, "compile the two separately");
    }
    c->results = (int)c->tensors.n;
    for (c->at = 0; c->at < c->results && !check_failed(c); c->at++) {
        if (check_keep(c->cx, tin_statement(all, c->at)))
            collect(c, tin_statement(all, c->at));
    }
}

/* Returns a name for a tensor of the index variable's values: the variable's, capitalized. */
static const char *values_name(struct check *c, const char *index)
{
    char *name = arena_strdup(c->cx->arena, index);
    if (name[0] >= 'a' && name[0] <= 'z')
        name[0] = (char)(name[0] - 'a' + 'A');
    const char *free = intern(c->cx, name);
    while (check_find_tensor(c, free) >= 0 || check_find_index(c, free) >= 0)
        free = intern(c->cx, arena_printf(c->cx->arena, "%s_", free));
    return free;
}

static void check_names(struct check *c)
{
    for (size_t t = 0; t < c->tensors.n; t++) {
        const struct tensor_use *use = &c->tensors.at[t];
        int i = check_find_index(c, use->var->name);
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
        if (bare) {
            const char *values = values_name(c, use->var->name);
            diag_help(c->cx, diag, "write %s(%s) in its place, with {numbers %s}", values,
                      use->var->name, values);
        }
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

static void suggest_tensor(struct check *c, struct diag *diag, const char *name)
{
    struct suggestion near = suggest_for(name);
    for (size_t t = 0; t < c->tensors.n; t++)
        suggest_consider(&near, c->tensors.at[t].var->name, strlen(c->tensors.at[t].var->name));
    if (near.nearest)
        diag_help(c->cx, diag, "did you mean %.*s?", near.length, near.nearest);
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
        int t = check_find_tensor(c, intern(c->cx, given->name));
        if (t < 0) {
            struct diag *diag = diag_error(c->cx, DIAG_NAME, (struct span){NULL, 0, 0},
                                           "no tensor in the expression is called %s", given->name);
            diag_note(c->cx, diag, "its tensors are %s", tensor_names(c));
            suggest_tensor(c, diag, given->name);
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

static const char *integer_help(struct context *cx, enum type type, const char *text)
{
    bool is_signed = type_kind(type) == KIND_INT, is_below = text[0] == '-';
    uint64_t most = UINT64_MAX >> (64 - 8 * type_size(type) + is_signed);
    int64_t least = is_signed ? -(int64_t)most - 1 : 0;
    if (strcmp(text + is_below, "inf") != 0)
        return arena_printf(cx->arena, "write a whole number from %lld to %llu", (long long)least,
                            (unsigned long long)most);
    return is_below
               ? arena_printf(cx->arena, "write its smallest value, %lld", (long long)least)
               : arena_printf(cx->arena, "write its largest value, %llu", (unsigned long long)most);
}

static const char *fill_help(struct context *cx, enum type type, const char *text)
{
    switch (type_kind(type)) {
    case KIND_BOOL: return "write true or false";
    case KIND_INT:
    case KIND_UINT: return integer_help(cx, type, text);
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
    diag_help(c->cx, diag, "%s", fill_help(c->cx, use->var->type, text));
}

/* Only an operand can be in parts, and its fill must be 0. */
static void check_parts(struct check *c, const struct tensor_use *use)
{
    const struct tensor_var *var = use->var;
    const char *text = use->format->format;
    bool is_result = var->rank < c->results;
    struct span span = declared_span(c, "format", var->name, text);
    if (is_result) {
        struct diag *diag = diag_error(c->cx, DIAG_FORMAT, span,
                                       "%s is a result, which is assembled in one part", var->name);
        diag_help(c->cx, diag, "give it another format, and convert it");
    } else if (!value_equal(var->fill, value_zero(var->type))) {
        struct diag *diag = diag_error(c->cx, DIAG_FILL, span,
                                       "%s is the sum of its parts, so its fill is 0", var->name);
        diag_help(c->cx, diag, "store it in one part, or with the fill 0");
    }
}

static void declare_format(struct check *c, struct tensor_use *use)
{
    struct tensor_var *var = use->var;
    struct format_defaults defaults = c->declared->defaults;
    const char *text = use->format ? use->format->format : NULL;
    if (text && format_parts_named(text)) {
        var->parts = format_parts_parse(c->cx, var->name, text, var->order, NULL, defaults);
        var->format = var->parts ? var->parts->part[0] : NULL;
        if (var->parts)
            check_parts(c, use);
    } else {
        var->format = text ? format_parse(c->cx, var->name, text, var->order, defaults)
                           : format_dense(c->cx, var->order, defaults);
    }
}

/* Gives tensors their ranks.  Parts are operands of their own. */
static void rank_tensors(struct check *c)
{
    int rank = 0;
    for (size_t t = 0; t < c->tensors.n; t++) {
        struct tensor_var *var = c->tensors.at[t].var;
        var->rank = rank;
        rank += var->parts && var->parts->share != SHARE_ALL ? var->parts->parts : 1;
    }
}

static void declare_tensors(struct check *c)
{
    match_declarations(c);
    for (size_t t = 0; t < c->tensors.n; t++) {
        struct tensor_use *use = &c->tensors.at[t];
        struct tensor_var *var = use->var;
        if (use->type)
            declare_type(c, use);
        var->fill = value_zero(var->type);
        if (use->fill)
            declare_fill(c, use);
        declare_format(c, use);
    }
    rank_tensors(c);
}

/* ---- declare: literals ---- */

/* Checks that literals are in the range of their modes, as far as the range is known. */
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
            extent[m] = c->indices.at[check_find_index(c, access->index[m]->name)].var;
        c->tensors.at[t].var->extent = extent;
    }
}

/* ---- scope ---- */

static void check_binding(struct check *c, const struct tin *reduction, int i)
{
    int v = check_find_index(c, reduction->index[i]->name);
    const struct index_use *use = &c->indices.at[v];
    struct span span = check_span(reduction, i);
    if (bits_has(c->left, v)) {
        diag_error(c->cx, DIAG_NAME, span, "%s indexes the result, so nothing is reduced over it",
                   use->var->name);
    } else if (bits_has(c->bound, v)) {
        struct diag *diag =
            diag_error(c->cx, DIAG_NAME, span, "there is a reduction over %s around this already",
                       use->var->name);
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
    if (check_has_enough(c))
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
        index[i] = c->indices.at[check_find_index(c, node->index[i]->name)].var;
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
        const struct tensor_var *tensor =
            c->tensors.at[check_find_tensor(c, node->tensor->name)].var;
        resolved = (struct tin *)tin_access(c->cx, node->span, tensor, index, node->indices);
    }
    resolved->index_span = node->index_span;
    return resolved;
}

/* Does the statement assign only some of the result's components: a diagonal, or a slice at a
 * literal? */
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

/* A result that is read is written in place if it is dense, or if the statement updates a part of
 * it; otherwise it is assembled anew. */
static void check_held(struct check *c, const struct tin *statement)
{
    struct tensor_var *var = c->tensors.at[c->at].var;
    const struct format *format = var->format;
    bool reads = tin_reads_result(statement), assembled = format_assembled(format) > 0;
    var->held = reads && (!assembled || is_partial(statement->arg[0]));
    if (var->held && assembled && !check_keep_held(c->cx, statement))
        return;
    if (!var->held || !assembled || level_has(&format->level[format->levels - 1], LEVEL_UNIQUE))
        return;
    struct diag *diag =
        diag_error(c->cx, DIAG_RESULT, statement->arg[0]->span,
                   "%s may store a component several times, so that none is its place", var->name);
    diag_help(c->cx, diag, "store %s with a last level that is unique", var->name);
}

static const struct index_var *const *all_indices(const struct check *c)
{
    const struct index_var **index =
        arena_array(c->cx->arena, const struct index_var *, c->indices.n);
    for (size_t i = 0; i < c->indices.n; i++)
        index[i] = c->indices.at[i].var;
    return index;
}

/* Lists the index variables that are not summed: the result's, and literals. */
static struct bits left_of(const struct check *c, const struct tin *result)
{
    struct bits left = bits_none();
    for (int i = 0; i < result->indices; i++)
        left = bits_with(left, check_find_index(c, result->index[i]->name));
    for (size_t i = 0; i < c->indices.n; i++)
        left = c->indices.at[i].var->literal ? bits_with(left, (int)i) : left;
    return left;
}

/* Is it a sum of truth values that the statement finds among numbers?  It counts. */
static bool counts(const struct tin *value)
{
    return value->kind == TIN_REDUCE && value->op == OP_ADD && value->type == TYPE_BOOL
           && value->arg[0]->kind == TIN_OP && value->arg[0]->op != OP_MUL;
}

/* Gives the result the type of its value, which goes into nothing wider; counts are i64. */
static void infer_type(struct check *c, const struct tin *result, const struct tin *value)
{
    struct tensor_var *var = c->tensors.at[check_find_tensor(c, result->tensor->name)].var;
    const struct tin *typed = tin_type_value(c->cx, value, TYPE_F64);
    if (typed) {
        var->type = counts(typed) ? TYPE_I64 : typed->type;
        var->fill = value_zero(var->type);
    }
}

static const struct tin *check_statement(struct check *c, const struct tin *statement)
{
    const struct tin *result = statement->arg[0];
    c->left = left_of(c, result);
    check_held(c, statement);
    const struct tin *value =
        tin_sum(c->cx, resolve(c, statement->arg[1]), all_indices(c), (int)c->indices.n, c->left);
    if (value) /* an implicit sum may go around a reduction over the same variable */
        check_scopes(c, value);
    if (c->declared->infers && value && !check_failed(c) && !tin_reads_result(statement))
        infer_type(c, result, value);
    return value && !check_failed(c)
               ? tin_type(c->cx, statement->span, statement->op, resolve(c, result), value)
               : NULL;
}

const struct tin *tin_check(struct context *cx, const struct tin *all,
                            const struct tin_declarations *declared)
{
    struct check c = {.cx = cx, .declared = declared, .errors = cx->diags.n};
    const struct tin *checked[TIN_RESULTS_MAX];
    collect_all(&c, all);
    check_names(&c);
    if (check_failed(&c))
        return NULL;
    declare_tensors(&c);
    if (!check_failed(&c))
        check_declare_same(&c);
    check_declare_sizes(&c, all);
    if (!check_failed(&c))
        check_expect_sizes(&c);
    check_literals(&c);
    for (int s = 0; s < c.results; s++) {
        c.left = left_of(&c, tin_statement(all, s)->arg[0]);
        check_scopes(&c, tin_statement(all, s)->arg[1]);
    }
    if (check_failed(&c))
        return NULL;
    set_extents(&c);
    for (c.at = 0; c.at < c.results; c.at++) {
        checked[c.at] = check_statement(&c, tin_statement(all, c.at));
        if (!checked[c.at])
            return NULL;
    }
    return tin_multi(cx, checked, c.results);
}
