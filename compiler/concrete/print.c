/* print.c - concrete index notation as text.
 *
 *     forall(i) (y(i) = t + d(i) where forall(j) t += B(i,j) * c(j))
 *     forall(io) forall(ii) y(i) = x(i) : split(i, io, ii, down, 4); unroll(ii, 4)
 *     forall(i) forall(j) C(i,j) = 2 * A(i,j) at C(i,j)
 *
 * Expressions and assignments are printed as the tensor index notation that they are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/concrete/concrete.h"

/* Prints an access.  Literals of a stored view get names, since they stand at other modes than in
 * the statement and could not be read back. */
static const struct tin *access_to_tin(struct context *cx, const struct cin *access)
{
    const struct index_var **index =
        arena_array(cx->arena, const struct index_var *, access->indices);
    for (int i = 0; i < access->indices; i++) {
        const struct index_var *var = index[i] = access->index[i];
        if (!var->literal
            || var->name == tin_index_literal_name(cx, access->tensor->name, i, var->value))
            continue;
        struct index_var *named = arena_copy(cx->arena, var, sizeof *var);
        named->literal = false;
        index[i] = named;
    }
    return tin_access(cx, (struct span){0}, access->tensor, index, access->indices);
}

static const struct tin *to_tin(struct context *cx, const struct cin *cin)
{
    const struct span nowhere = {0};
    const struct tin *arg[3];
    for (int i = 0; i < cin->args; i++)
        arg[i] = to_tin(cx, cin->arg[i]);
    switch (cin->kind) {
    case CIN_LITERAL: return tin_literal(cx, nowhere, cin->value);
    case CIN_ACCESS: return access_to_tin(cx, cin);
    case CIN_OP: return tin_op(cx, nowhere, cin->op, arg, cin->args);
    case CIN_ASSIGN: return tin_assign(cx, nowhere, cin->op, arg[0], arg[1]);
    case CIN_FORALL:
    case CIN_WHERE:
    case CIN_SEQUENCE:
    case CIN_MULTI:
    case CIN_NOTHING: break;
    }
    context_bug(cx, "a statement inside an expression");
}

static void print(struct context *cx, struct text *out, const struct cin *cin)
{
    const char *between = NULL;
    switch (cin->kind) {
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP:
    case CIN_ASSIGN:
        tin_print(out, to_tin(cx, cin));
        if (cin->args > 2 && cin->kind == CIN_ASSIGN) {
            text_add(out, " at ");
            if (cin->arg[2]->kind == CIN_LITERAL)
                text_add(out, "nothing");
            else
                tin_print(out, to_tin(cx, cin->arg[2]));
        }
        return;
    case CIN_NOTHING: text_add(out, "nothing"); return;
    case CIN_FORALL:
        text_printf(out, "forall(%s) ", cin->index[0]->name);
        print(cx, out, cin->arg[0]);
        return;
    case CIN_WHERE: between = " where "; break;
    case CIN_SEQUENCE: between = " ; "; break;
    case CIN_MULTI: between = " | "; break;
    }
    text_add(out, "(");
    print(cx, out, cin->arg[0]);
    text_add(out, between);
    print(cx, out, cin->arg[1]);
    text_add(out, ")");
}

void cin_print(struct context *cx, struct text *out, const struct cin *cin) { print(cx, out, cin); }

const char *cin_text(struct context *cx, const struct cin *cin)
{
    struct text out = text_new(cx->arena);
    cin_print(cx, &out, cin);
    return out.at;
}

const char *cin_bound_name(enum cin_bound_kind kind)
{
    switch (kind) {
    case BOUND_EXACT: return "exact";
    case BOUND_MOST: return "most";
    case BOUND_MULTIPLE: return "multiple";
    }
    return "";
}

static void print_level(struct context *cx, struct text *out, const struct cin_relation *r)
{
    print(cx, out, r->access);
    text_printf(out, ".%d", (int)r->size + 1);
    if (r->base)
        text_printf(out, " below %d", r->base);
}

static void print_relation(struct context *cx, struct text *out, const struct cin_relation *r)
{
    text_printf(out, "%s(", r->type->name);
    for (const char *a = r->type->arguments; *a; a++) {
        text_add(out, a == r->type->arguments ? "" : ", ");
        switch (*a) {
        case 'p': text_add(out, r->parent[0]->name); break;
        case 'q': text_add(out, r->parent[1]->name); break;
        case 'c': text_add(out, r->child[0]->name); break;
        case 'd': text_add(out, r->child[1]->name); break;
        case 'u': text_add(out, r->up ? "up" : "down"); break;
        case 'w': text_add(out, "work"); break;
        case 'n': text_printf(out, "%lld", (long long)r->size); break;
        case 'a': print_level(cx, out, r); break;
        }
    }
    text_add(out, ")");
}

static void print_bound(struct text *out, const char *before, const struct cin_bound *bound)
{
    text_printf(out, "%sbound(%s, %s, %lld, %s)", before, bound->var->like->name, bound->var->name,
                (long long)bound->size, cin_bound_name(bound->kind));
}

const char *cin_races_name(enum cin_races races)
{
    static const char *const names[RACES_KINDS] = {"no_races", "ignore_races", "atomics",
                                                   "temporary", "warp_reduction"};
    return names[races];
}

const char *cin_unit_name(enum cin_unit unit)
{
    static const char *const names[UNIT_KINDS] = {"cpu_thread", "gpu_block", "gpu_warp",
                                                  "gpu_thread"};
    return names[unit];
}

static void print_parallel(struct text *out, const char *before, const struct cin_tag *tag)
{
    text_printf(out, "%sparallelize(%s, %s, %s", before, tag->var->name, cin_unit_name(tag->unit),
                cin_races_name(tag->races));
    if (tag->dynamic || tag->factor)
        text_add(out, tag->dynamic ? ", dynamic" : ", static");
    if (tag->factor)
        text_printf(out, ", %lld", (long long)tag->factor);
    if (tag->second)
        text_printf(out, ", %lld", (long long)tag->second);
    text_add(out, ")");
}

static void print_tag(struct text *out, const char *before, const struct cin_tag *tag)
{
    switch (tag->kind) {
    case TAG_UNROLL:
        text_printf(out, "%sunroll(%s, %lld)", before, tag->var->name, (long long)tag->factor);
        break;
    case TAG_VECTORIZE:
        text_printf(out, "%svectorize(%s%s)", before, tag->var->name, tag->tries ? ", try" : "");
        break;
    case TAG_PARALLEL: print_parallel(out, before, tag); break;
    case TAG_BIN:
        text_printf(out, "%sbin(%s, %lld, %lld)", before, tag->var->name, (long long)tag->factor,
                    (long long)tag->second);
        break;
    case TAG_GEMM: text_printf(out, "%sblas(%s)", before, tag->var->name); break;
    }
}

/* The formats of workspaces, which are for readers only. */
static const char *print_workspaces(struct context *cx, struct text *out,
                                    const struct cin *statement, const char *before)
{
    struct cin_list made = cin_assignments(cx, statement);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *tensor = made.at[i]->arg[0]->tensor;
        bool shown = !tensor->temporary || tensor->order == 0;
        for (size_t j = 0; j < i; j++)
            shown |= made.at[j]->arg[0]->tensor == tensor;
        if (shown)
            continue;
        text_printf(out, "%sformat(%s, %s", before, tensor->name, tensor->format->spelling);
        if (tensor->place != TENSOR_ANYWHERE)
            text_printf(out, ", %s", tensor_place_name(tensor->place));
        if (tensor->pad)
            text_printf(out, ", pad %d", tensor->pad);
        text_add(out, ")");
        before = "; ";
    }
    return before;
}

void cin_print_program(struct context *cx, struct text *out, const struct cin_program *program)
{
    print(cx, out, program->statement);
    const char *before = print_workspaces(cx, out, program->statement, " : ");
    for (int i = 0; i < program->relations; i++, before = "; ") {
        text_add(out, before);
        print_relation(cx, out, &program->relation[i]);
    }
    for (int i = 0; i < program->bounds; i++, before = "; ")
        print_bound(out, before, &program->bound[i]);
    for (int i = 0; i < program->tags; i++, before = "; ")
        print_tag(out, before, &program->tag[i]);
}
