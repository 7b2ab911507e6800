/* gemm.c - loops that are a product of two matrices.
 *
 * If a loop goes through several modes of a tensor row by row, as a collapsed loop does, these
 * modes are one mode of a matrix (Goto and van de Geijn, Anatomy of high-performance matrix
 * multiplication, 2008, have the product; Springer and Bientinesi, Design of a high-performance
 * GEMM-like tensor-tensor multiplication, 2018, section 2, the groups of modes).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/gemm.h"

/* The loops over the modes of each tensor; the missing one has none in it. */
static const int has[GEMM_ACCESSES][2] = {
    [GEMM_C] = {GEMM_M, GEMM_N}, [GEMM_A] = {GEMM_M, GEMM_K}, [GEMM_B] = {GEMM_K, GEMM_N}};

struct modes {
    const struct index_var **at;
    size_t n, capacity;
};

/* Finds the variables that the loop goes through row by row.  false if it does otherwise. */
static bool modes_of(struct context *cx, const struct cin_program *program,
                     const struct index_var *var, struct modes *modes)
{
    const struct cin_relation *collapsed = NULL;
    int related = 0;
    for (int i = 0; i < program->relations; i++) {
        const struct cin_relation *r = &program->relation[i];
        if (r->type == &relation_collapse && r->child[0] == var)
            collapsed = r;
        related += cin_is_child(r, var) || cin_is_parent(r, var);
    }
    if (collapsed)
        return related <= 2 && modes_of(cx, program, collapsed->parent[0], modes)
               && modes_of(cx, program, collapsed->parent[1], modes);
    vec_push(cx->arena, modes, var);
    return related <= 1;
}

/* Returns the number of the level's variable among these, -1 if it is none of them. */
static int number_of(const struct cin *access, int level, const struct modes *modes)
{
    int number = -1;
    for (size_t i = 0; i < modes->n; i++)
        if (access->index[access->tensor->format->level[level].mode] == modes->at[i])
            number = (int)i;
    return number;
}

/* Returns the level of the last of these variables, if they follow each other.  -1 if the access
 * has none of them, -2 if they do not follow each other. */
static int last_level(const struct cin *access, const struct modes *modes)
{
    int last = -1, seen = 0;
    for (int level = 0; level < access->tensor->format->levels; level++) {
        int number = number_of(access, level, modes);
        if (number < 0)
            continue;
        if (number != seen || (last >= 0 && last != level - 1))
            return -2;
        last = level;
        seen++;
    }
    return seen == 0 || seen == (int)modes->n ? last : -2;
}

static const char *check_tensor(struct context *cx, const struct cin *access)
{
    const struct tensor_var *t = access->tensor;
    const struct format *format = t->format;
    const char *why = !format_is_dense(format) || format->levels != access->indices ? "is not dense"
                      : t->pad                                                      ? "is padded"
                                                                                    : NULL;
    for (int level = 0; level < format->levels && !why; level++)
        why = format->level[level].type->array[0].kind ? "is not dense" : NULL;
    return why ? arena_printf(cx->arena, "%s %s", t->name, why) : NULL;
}

static const char *check_access(struct context *cx, struct cin_gemm *gemm, int which,
                                const struct modes modes[GEMM_LOOPS])
{
    const struct cin *access = gemm->access[which];
    const char *why = check_tensor(cx, access);
    const int last = access->tensor->format->levels - 1;
    bool unit = false;
    for (int l = 0; l < GEMM_LOOPS && !why; l++) {
        bool wanted = has[which][0] == l || has[which][1] == l;
        int level = gemm->level[which][l] = last_level(access, &modes[l]);
        unit |= wanted && level == last;
        if (level == -2)
            why = arena_printf(cx->arena, "%s has the modes of %s not in this order, or apart",
                               access->tensor->name, gemm->loop[l]->name);
        else if ((level >= 0) != wanted)
            why = arena_printf(cx->arena, wanted ? "%s has no mode of %s" : "%s has a mode of %s",
                               access->tensor->name, gemm->loop[l]->name);
    }
    if (!why && !unit)
        why = arena_printf(cx->arena, "%s is contiguous along none of these loops",
                           access->tensor->name);
    return why;
}

static bool has_mode(const struct cin *access, const struct modes *modes)
{
    return last_level(access, modes) != -1;
}

const struct cin *cin_gemm_product(const struct cin *assign, bool *minus)
{
    const struct cin *value = assign->arg[1];
    *minus = value->kind == CIN_OP && value->op == OP_NEG;
    value = *minus ? value->arg[0] : value;
    return assign->op == OP_ADD && assign->args == 2 && value->kind == CIN_OP && value->op == OP_MUL
                   && value->arg[0]->kind == CIN_ACCESS && value->arg[1]->kind == CIN_ACCESS
               ? value
               : NULL;
}

static const char *check_assignment(const struct cin *body, struct cin_gemm *gemm)
{
    if (body->kind != CIN_ASSIGN)
        return "the loops have other loops or statements in them";
    const struct cin *value = cin_gemm_product(body, &gemm->minus);
    if (!value)
        return "what is assigned is no sum of products of two tensors";
    enum type type = value->type;
    if (!(type_is_float(type) || type_is_complex(type)) || body->arg[0]->type != type
        || value->arg[0]->type != type || value->arg[1]->type != type)
        return "the values of all three tensors have to be f64, or f32, or complex";
    gemm->access[GEMM_C] = body->arg[0];
    gemm->access[GEMM_A] = value->arg[0];
    gemm->access[GEMM_B] = value->arg[1];
    return NULL;
}

static void exchange_operands(struct cin_gemm *gemm)
{
    const struct cin *a = gemm->access[GEMM_A];
    gemm->access[GEMM_A] = gemm->access[GEMM_B];
    gemm->access[GEMM_B] = a;
}

/* The product equals the transposed product of the transposed matrices. */
static void transpose(struct cin_gemm *gemm)
{
    const struct index_var *m = gemm->loop[GEMM_M];
    gemm->loop[GEMM_M] = gemm->loop[GEMM_N];
    gemm->loop[GEMM_N] = m;
    exchange_operands(gemm);
}

const char *cin_gemm_of(struct context *cx, const struct cin_program *program,
                        const struct cin *body, const struct index_var *const loop[GEMM_LOOPS],
                        struct cin_gemm *gemm)
{
    *gemm = (struct cin_gemm){.loop = {loop[GEMM_M], loop[GEMM_N], loop[GEMM_K]}};
    const char *why = check_assignment(body, gemm);
    if (why)
        return why;
    struct modes n = {0}, modes[GEMM_LOOPS] = {{0}};
    const struct cin *c = gemm->access[GEMM_C];
    if (!modes_of(cx, program, loop[GEMM_N], &n))
        return arena_printf(cx->arena, "%s is a part of other loops", loop[GEMM_N]->name);
    if (last_level(c, &n) != c->tensor->format->levels - 1)
        transpose(gemm);
    for (int l = 0; l < GEMM_LOOPS; l++)
        if (!modes_of(cx, program, gemm->loop[l], &modes[l]))
            return arena_printf(cx->arena, "%s is a part of other loops", gemm->loop[l]->name);
    if (!has_mode(gemm->access[GEMM_A], &modes[GEMM_M]))
        exchange_operands(gemm);
    for (int which = 0; which < GEMM_ACCESSES && !why; which++)
        why = check_access(cx, gemm, which, modes);
    return why;
}

static bool is_tagged(const struct cin_program *program, const struct cin *cin)
{
    return cin->kind == CIN_FORALL && cin_find_tag(program, cin->index[0], TAG_GEMM);
}

/* Says that a result of several threads' parts would have to be combined behind the call. */
static const char *check_around(const struct cin_program *program,
                                const struct index_var *const loop[GEMM_LOOPS])
{
    const char *why = NULL;
    for (int i = 0; i < program->tags && !why; i++) {
        const struct cin_tag *tag = &program->tag[i];
        bool own = tag->kind != TAG_GEMM
                   && (tag->var == loop[0] || tag->var == loop[1] || tag->var == loop[2]);
        if (own)
            why = "one of its loops is unrolled, vectorized or parallel";
        else if (tag->kind == TAG_PARALLEL
                 && (tag->races != RACES_NONE || tag->unit != UNIT_CPU_THREAD))
            why = "threads combine into a result of a parallel loop, or they are a GPU's";
    }
    return why;
}

bool cin_gemm_at(struct context *cx, const struct cin_program *program, const struct cin *forall,
                 struct cin_gemm *gemm, const char **why)
{
    *why = NULL;
    if (!is_tagged(program, forall))
        return false;
    const struct cin *m = forall->arg[0], *n = is_tagged(program, m) ? m->arg[0] : m;
    if (!is_tagged(program, m) || !is_tagged(program, n)) {
        *why = "its loops are not directly in each other";
        return true;
    }
    const struct index_var *loop[] = {m->index[0], n->index[0], forall->index[0]};
    *why = check_around(program, loop);
    if (!*why)
        *why = cin_gemm_of(cx, program, n->arg[0], loop, gemm);
    return true;
}

struct checking {
    struct context *cx;
    const struct cin_program *program;
    const struct index_var *loop;
    const char *why;
    int inside; /* how many loops of the present product were visited */
};

static bool check_forall(const struct cin *cin, void *data)
{
    struct checking *c = data;
    struct cin_gemm gemm;
    if (!is_tagged(c->program, cin))
        return false;
    c->loop = cin->index[0];
    if (c->inside == 0)
        cin_gemm_at(c->cx, c->program, cin, &gemm, &c->why);
    c->inside = (c->inside + 1) % GEMM_LOOPS;
    return c->why != NULL;
}

const char *cin_gemm_check(struct context *cx, const struct cin_program *program,
                           const struct index_var **loop)
{
    struct checking c = {.cx = cx, .program = program};
    cin_any(program->statement, check_forall, &c);
    *loop = c.loop;
    return c.why;
}
