/* unfold.c - replaces tensors whose levels store functions of coordinates by tensors over the
 * coordinates of their levels.
 *
 *     before    forall(i) forall(j) y(i) += A(i,j) * x(j)                             A: bcsr(4,4)
 *     after     forall(i) forall(j) y(i) += A(io,jo,ii,ji) * x(j)
 *                   : split(i, io, ii, down, 4); split(j, jo, ji, down, 4)
 *
 * The functions become variables that relations tie to the tensor's own: i/4 and i%4 are the parts
 * of a split, j-i is a difference.  The loops do not change.  If a directive has put loops over
 * these variables in their place, it has made the relations, and they are used again.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/concrete/concrete.h"
#include "compiler/format/map.h"

struct divided {
    const struct map_expr *map;
    int level;
};

struct divided_list {
    struct divided *at;
    size_t n, capacity;
};

struct unfolder {
    struct context *cx;
    const struct cin_program *program;
    VEC(struct cin_relation) relation;
    VEC(const struct tensor_var *) view;
    /* quotients and remainders on the access's levels */
    struct divided_list divided;
    int level; /* the level at hand */
    bool failed;
};

/* ---- names ---- */

static const char *unused_part_name(const struct unfolder *u, const char *stem)
{
    struct cin_program now = *u->program;
    now.relation = u->relation.at;
    now.relations = (int)u->relation.n;
    return cin_fresh_name(u->cx, &now, stem);
}

/* Returns the variable of this name that is the relation's child; all programs share it. */
static const struct index_var *child_var(struct context *cx, const struct cin_relation *r, int k,
                                         const char *name)
{
    const uintptr_t word[] = {(uintptr_t)r->type,      (uintptr_t)r->size, (uintptr_t)r->parent[0],
                              (uintptr_t)r->parent[1], (uintptr_t)k,       (uintptr_t)name};
    const void **var = table_made(cx->arena, &cx->views, word, sizeof word / sizeof *word);
    if (!*var) {
        struct index_var *made = arena_make(cx->arena, struct index_var);
        bool fixed = true;
        for (int i = 0; i < 2 && r->parent[i]; i++)
            fixed &= index_var_is_fixed(r->parent[i]);
        *made =
            (struct index_var){.name = name, .of_literals = fixed, .size = cin_child_size(r, k)};
        *var = made;
    }
    return *var;
}

/* ---- maps ---- */

/* Returns the relation of this type between these variables, with names for its children.  Makes it
 * if the program has none. */
static const struct cin_relation *relate(struct unfolder *u, struct cin_relation r,
                                         const char *const stem[2])
{
    for (size_t i = 0; i < u->relation.n; i++) {
        const struct cin_relation *known = &u->relation.at[i];
        if (known->type == r.type && known->size == r.size && known->up == r.up
            && known->parent[0] == r.parent[0] && known->parent[1] == r.parent[1])
            return known;
    }
    for (int k = 0; k < 2 && stem[k]; k++)
        r.child[k] = child_var(u->cx, &r, k, unused_part_name(u, stem[k]));
    vec_push(u->cx->arena, &u->relation, r);
    return &u->relation.at[u->relation.n - 1];
}

static const struct cin_relation *relate_split(struct unfolder *u, const struct index_var *whole,
                                               int64_t size)
{
    const char *const stem[2] = {arena_printf(u->cx->arena, "%so", whole->name),
                                 arena_printf(u->cx->arena, "%si", whole->name)};
    return relate(
        u, (struct cin_relation){.type = &relation_split, .parent = {whole}, .size = size}, stem);
}

static const struct cin_relation *relate_difference(struct unfolder *u, const struct index_var *a,
                                                    const struct index_var *b)
{
    const char *const stem[2] = {"d", NULL};
    return relate(u, (struct cin_relation){.type = &relation_difference, .parent = {a, b}}, stem);
}

static bool is_difference(const struct unfolder *u, const struct index_var *var)
{
    for (size_t i = 0; i < u->relation.n; i++)
        if (u->relation.at[i].type == &relation_difference && u->relation.at[i].child[0] == var)
            return true;
    return false;
}

/* Does the relation split the variable into blocks of a length that the map allows? */
static bool has_blocks(const struct cin_relation *r, const struct index_var *var)
{
    return r->type == &relation_split && !r->up && r->parent[0] == var;
}

/* Returns the span of the format in the user's text. */
static struct span format_span(struct context *cx, const struct tensor_var *tensor)
{
    struct source *source = arena_make(cx->arena, struct source);
    source->name = arena_printf(cx->arena, "format of %s", tensor->name);
    source->text = tensor->format->spelling;
    return (struct span){source, 0, (int)strlen(source->text)};
}

static const struct index_var *refuse(struct unfolder *u, const struct cin *access)
{
    const struct tensor_var *tensor = access->tensor;
    struct text map = text_new(u->cx->arena);
    if (u->failed)
        return NULL;
    format_print_map(&map, tensor->format, u->level);
    struct diag *diag = diag_error(u->cx, DIAG_MAP, format_span(u->cx, tensor),
                                   "level %d of %s stores %s, and spcc has no loops over that",
                                   u->level + 1, tensor->name, map.at);
    diag_help(u->cx, diag,
              "there are loops over modes, their quotients and remainders (i/4, i%%4) and the "
              "difference of two (j-i)");
    u->failed = true;
    return NULL;
}

/* Does a level of the access store a quotient by n of this map (of any map, if NULL), or contain
 * one? */
static bool has_quotient(const struct unfolder *u, const struct map_expr *of, int64_t n)
{
    bool has = false;
    for (size_t i = 0; i < u->divided.n; i++) {
        const struct map_expr *map = u->divided.at[i].map;
        has |= map->kind == MAP_DIV && map->b->constant == n && (!of || map_equal(map->a, of));
    }
    return has;
}

/* Returns what to split for var % n.  If the access's blocks, of a multiple of n, are split
 * already, it is the place in such a block: i%2 is i%4%2. */
static const struct index_var *rest_in(const struct unfolder *u, const struct index_var *var,
                                       int64_t n)
{
    for (size_t i = 0; i < u->relation.n; i++) {
        const struct cin_relation *r = &u->relation.at[i];
        if (has_blocks(r, var) && r->size > n && r->size % n == 0 && has_quotient(u, NULL, r->size))
            return rest_in(u, r->child[1], n);
    }
    return var;
}

static const struct map_expr *divide(struct context *cx, enum map_kind kind,
                                     const struct map_expr *map, int64_t by)
{
    struct map_expr *constant = arena_make(cx->arena, struct map_expr),
                    *result = arena_make(cx->arena, struct map_expr);
    *constant = (struct map_expr){.kind = MAP_CONSTANT, .constant = by};
    *result = (struct map_expr){.kind = kind, .a = map, .b = constant};
    return result;
}

static bool divides(const struct map_expr *map)
{
    return map->kind == MAP_DIV || map->kind == MAP_MOD;
}

/* Gives equal maps one form: i/2/4 is i/8, i/2%4 is i%8/2, and i%8%4 is i%4. */
static const struct map_expr *normal(struct context *cx, const struct map_expr *map)
{
    int64_t n;
    if (!divides(map) || !divides(map->a))
        return map;
    const struct map_expr *inner = normal(cx, map->a);
    int64_t by = map->b->constant, inside = divides(inner) ? inner->b->constant : 1;
    if (inner->kind == MAP_MOD && map->kind == MAP_MOD && inside % by == 0)
        return normal(cx, divide(cx, MAP_MOD, inner->a, by));
    if (inner->kind != MAP_DIV || __builtin_mul_overflow(by, inside, &n))
        return inner == map->a ? map : divide(cx, map->kind, inner, by);
    if (map->kind == MAP_DIV)
        return normal(cx, divide(cx, MAP_DIV, inner->a, n));
    return divide(cx, MAP_DIV, normal(cx, divide(cx, MAP_MOD, inner->a, n)), inside);
}

/* Returns the variable for the map's values. */
static const struct index_var *variable(struct unfolder *u, const struct cin *access,
                                        const struct map_expr *map)
{
    map = normal(u->cx, map);
    if (map->kind == MAP_MODE)
        return access->index[map->mode];
    if (map->kind == MAP_CONSTANT || map->kind == MAP_ADD)
        return refuse(u, access);
    bool splits = map->kind != MAP_SUB;
    const struct index_var *a = variable(u, access, map->a),
                           *b = splits ? NULL : variable(u, access, map->b);
    if (!a || (!splits && !b))
        return NULL;
    if (is_difference(u, a) || (b && is_difference(u, b)))
        return refuse(u, access);
    if (!splits)
        return relate_difference(u, a, b)->child[0];
    if (map->kind == MAP_MOD && !has_quotient(u, map->a, map->b->constant))
        a = rest_in(u, a, map->b->constant);
    return relate_split(u, a, map->b->constant)->child[map->kind == MAP_MOD];
}

static void add_divisors(struct unfolder *u, const struct map_expr *map)
{
    map = normal(u->cx, map);
    if (map->kind == MAP_MODE || map->kind == MAP_CONSTANT)
        return;
    if (divides(map))
        vec_push(u->cx->arena, &u->divided, ((struct divided){map, u->level}));
    add_divisors(u, map->a);
    add_divisors(u, map->b);
}

static int larger_divisor_first(const void *a, const void *b)
{
    const struct divided *p = a, *q = b;
    int64_t m = p->map->b->constant, n = q->map->b->constant;
    return (m < n) - (m > n);
}

/* Finds the variables of an access's levels.  Large blocks are split first, so that smaller ones
 * can split the places in them. */
static const struct index_var *const *level_variables(struct unfolder *u, const struct cin *access)
{
    const struct format *format = access->tensor->format;
    const struct index_var **index =
        arena_array(u->cx->arena, const struct index_var *, format->levels);
    u->divided = (struct divided_list){0};
    for (u->level = 0; u->level < format->levels; u->level++)
        add_divisors(u, format->level[u->level].map);
    if (u->divided.n)
        qsort(u->divided.at, u->divided.n, sizeof *u->divided.at, larger_divisor_first);
    for (size_t i = 0; i < u->divided.n; i++) {
        u->level = u->divided.at[i].level;
        variable(u, access, u->divided.at[i].map);
    }
    for (u->level = 0; u->level < format->levels; u->level++)
        index[u->level] = variable(u, access, format->level[u->level].map);
    return index;
}

/* ---- views ---- */

static const struct format *plain_format(struct context *cx, const struct format *format)
{
    struct level_format *level = arena_array(cx->arena, struct level_format, format->levels);
    for (int k = 0; k < format->levels; k++) {
        struct map_expr *map = arena_make(cx->arena, struct map_expr);
        *map = (struct map_expr){.kind = MAP_MODE, .mode = k};
        level[k] = format->level[k];
        level[k].map = map;
        level[k].mode = k;
    }
    struct format *plain = arena_make(cx->arena, struct format);
    *plain = (struct format){format->levels, format->levels, level, format->spelling};
    return plain;
}

static const struct tensor_var *make_view(struct context *cx, const struct tensor_var *tensor,
                                          const struct index_var *const *index)
{
    struct tensor_var *view = arena_copy(cx->arena, tensor, sizeof *tensor);
    view->format = plain_format(cx, tensor->format);
    view->order = tensor->format->levels;
    view->extent = index;
    view->viewed = tensor;
    return view;
}

/* Returns the view; all programs share it if its levels have the same variables. */
static const struct tensor_var *view_of(struct unfolder *u, const struct tensor_var *tensor,
                                        const struct index_var *const *index)
{
    for (size_t i = 0; i < u->view.n; i++)
        if (u->view.at[i]->viewed == tensor)
            return u->view.at[i];
    uintptr_t word[1 + LEVELS_MAX] = {(uintptr_t)tensor};
    size_t levels = (size_t)tensor->format->levels;
    for (size_t k = 0; k < levels; k++)
        word[1 + k] = (uintptr_t)index[k];
    const void **view = table_made(u->cx->arena, &u->cx->views, word, 1 + levels);
    if (!*view)
        *view = make_view(u->cx, tensor, index);
    vec_push(u->cx->arena, &u->view, *view);
    return *view;
}

static bool is_mapped(const struct tensor_var *tensor)
{
    return !tensor->viewed && !format_is_plain(tensor->format);
}

static const struct cin *unfold(struct unfolder *u, const struct cin *cin)
{
    if (cin->kind == CIN_ACCESS) {
        if (!is_mapped(cin->tensor))
            return cin;
        const struct index_var *const *index = level_variables(u, cin);
        return u->failed ? cin
                         : cin_access(u->cx, view_of(u, cin->tensor, index), index,
                                      cin->tensor->format->levels);
    }
    const struct cin *arg[CIN_ARGS_MAX];
    for (int i = 0; i < cin->args; i++)
        arg[i] = unfold(u, cin->arg[i]);
    return cin_with_args(u->cx, cin, arg);
}

/* Returns the tensor's view, or the tensor itself. */
static const struct tensor_var *view_or(const struct unfolder *u, const struct tensor_var *tensor)
{
    for (size_t i = 0; i < u->view.n; i++)
        if (u->view.at[i]->viewed == tensor)
            return u->view.at[i];
    return tensor;
}

const struct cin_program *cin_unfold(struct context *cx, const struct cin_program *program)
{
    struct unfolder u = {.cx = cx, .program = program};
    for (int i = 0; i < program->relations; i++)
        vec_push(cx->arena, &u.relation, program->relation[i]);
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    result->statement = unfold(&u, program->statement);
    const struct tensor_var **other =
        arena_array(cx->arena, const struct tensor_var *, program->others);
    result->result = view_or(&u, program->result);
    for (int i = 0; i < program->others; i++)
        other[i] = view_or(&u, program->other[i]);
    result->other = other;
    result->relation = cin_relations(cx, u.relation.at, (int)u.relation.n);
    result->relations = (int)u.relation.n;
    return u.failed ? NULL : result;
}

/* ---- loops ---- */

const struct cin *cin_follow(struct context *cx, struct cin_program *program,
                             const struct cin *access, const struct cin *body)
{
    struct unfolder u = {.cx = cx, .program = program};
    const struct format *format = access->tensor->format;
    const struct index_var *loop[LEVELS_MAX];
    VEC(const struct index_var *) known = {0};
    const struct cin_relation *by;
    int loops = 0;
    for (int i = 0; i < program->relations; i++)
        vec_push(cx->arena, &u.relation, program->relation[i]);
    const struct index_var *const *stored = level_variables(&u, access);
    for (int k = 0; k < format->levels; k++) {
        const struct index_var *var = stored[k];
        bool follows = !var;
        for (size_t i = 0; i < known.n; i++)
            follows |= known.at[i] == var;
        if (follows)
            continue;
        loop[loops++] = var;
        for (; var;
             var = cin_follows(u.relation.at, (int)u.relation.n, known.at, (int)known.n, &by))
            vec_push(cx->arena, &known, var);
    }
    if (u.failed)
        return NULL;
    while (loops-- > 0)
        body = cin_forall(cx, loop[loops], body);
    program->relation = u.relation.at;
    program->relations = (int)u.relation.n;
    return body;
}

/* ---- the reverse ---- */

/* Returns the index of the mode if var goes through the map's values, NULL if the map does not
 * tell. */
static const struct index_var *solve(const struct cin_program *p, const struct map_expr *map,
                                     int mode, const struct index_var *var)
{
    if (map->kind == MAP_MODE)
        return map->mode == mode ? var : NULL;
    for (int i = 0; i < p->relations; i++) {
        const struct cin_relation *r = &p->relation[i];
        const struct index_var *found = NULL;
        if (map->kind == MAP_SUB && r->type == &relation_difference && r->child[0] == var) {
            found = solve(p, map->a, mode, r->parent[0]);
            found = found ? found : solve(p, map->b, mode, r->parent[1]);
        } else if (divides(map) && has_blocks(r, r->parent[0])
                   && r->child[map->kind == MAP_MOD] == var && r->size == map->b->constant) {
            found = solve(p, map->a, mode, r->parent[0]);
        }
        if (found)
            return found;
    }
    return NULL;
}

const struct cin *cin_fold(struct context *cx, const struct cin_program *unfolded,
                           const struct cin *cin)
{
    if (cin->kind == CIN_ACCESS && cin->tensor->viewed) {
        const struct tensor_var *tensor = cin->tensor->viewed;
        const struct index_var **index =
            arena_array(cx->arena, const struct index_var *, tensor->order);
        for (int mode = 0; mode < tensor->order; mode++) {
            index[mode] = NULL;
            for (int k = 0; k < tensor->format->levels && !index[mode]; k++)
                index[mode] = solve(unfolded, tensor->format->level[k].map, mode, cin->index[k]);
            context_assert(cx, index[mode]);
        }
        return cin_access(cx, tensor, index, tensor->order);
    }
    const struct cin **arg = arena_array(cx->arena, const struct cin *, cin->args);
    for (int i = 0; i < cin->args; i++)
        arg[i] = cin_fold(cx, unfolded, cin->arg[i]);
    return cin_with_args(cx, cin, arg);
}
