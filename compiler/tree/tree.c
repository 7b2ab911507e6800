/* tree.c - builds the tree of loops, from the leaves up.
 *
 * A loop over several operands has a region for each point of its lattice, and the regions of
 * nested loops multiply.  A flat loop has one region, in which operands may be absent.  Separate
 * regions are what an expert would write, as long as people can read them.  So each node has a
 * budget of lines, by the number of its loops and accesses (the target says how many for each pair
 * of them), and is flat if separate regions would take more.  That bounds the code of a whole
 * program.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

#include <limits.h>

#include "compiler/base/vec.h"
#include "compiler/target.h"

/* About how many lines of code these take: a loop, a cursor, a region, a search, a cursor that
 * seeks, a loop in vectors, a coordinate put into a sparse result, */
enum { LOOP_LINES = 2, CURSOR_LINES = 3, REGION_LINES = 2, SEARCH_LINES = 3 };
enum { SEEK_LINES = 5, VECTOR_LINES = 20, RESULT_LINES = 1 };
/* and the code that shares a loop out and calls its parts, once for each place of the loop. */
enum { PARTS_LINES = 60 };

static const struct tree_node *node_of(struct context *cx, const struct cin *statement,
                                       const struct around *around);

/* ---- nodes that exist already ---- */

struct words {
    struct context *cx;
    const struct around *around;
    VEC(uintptr_t) word;
};

static bool add_parallel(const struct cin *cin, void *data)
{
    struct words *w = data;
    if (cin_parallel(w->around->parallel, cin))
        vec_push(w->cx->arena, &w->word, (uintptr_t)cin->index[0]);
    return false;
}

static const void **find_node(struct context *cx, const struct cin *statement,
                              const struct around *around)
{
    const struct known *known = &around->known;
    struct words w = {cx, around, {0}};
    vec_push(cx->arena, &w.word, (uintptr_t)statement);
    vec_push(cx->arena, &w.word, (uintptr_t)known->relation);
    vec_push(cx->arena, &w.word, (uintptr_t)known->var);
    vec_push(cx->arena, &w.word, (uintptr_t)known->n);
    vec_push(cx->arena, &w.word, (uintptr_t)around->shared);
    for (size_t i = 0; i < around->unsure.n; i++)
        vec_push(cx->arena, &w.word, (uintptr_t)around->unsure.at[i]);
    if (around->parallel)
        cin_any(statement, add_parallel, &w);
    return table_made(cx->arena, &cx->trees, w.word.at, w.word.n);
}

/* ---- lines ---- */

/* Returns how many lines the statement's code may take. */
static int allowed_lines(struct context *cx, const struct cin *s)
{
    int accesses = (int)(cin_operands(cx, s).n + cin_assignments(cx, s).n),
        each = (int)target_of(cx)->lines, most = (int)target_of(cx)->lines_most;
    return accesses > most / each || each * accesses * cin_depth(s) > most
               ? most
               : each * accesses * cin_depth(s);
}

/* The lines of all searches at a coordinate of the loop. */
static int search_lines(const struct lattice *lattice)
{
    return SEARCH_LINES * bits_count(lattice->located);
}

static int flat_lines(const struct tree_node *node)
{
    int cursors = bits_count(node->lattice->iterated);
    return LOOP_LINES + 2 * CURSOR_LINES * cursors + search_lines(node->lattice)
           + node->whole->lines;
}

static int point_of(const struct lattice *lattice, const struct lattice_point *point)
{
    return (int)(point - lattice->point);
}

/* The lines of a reduction in vectors, 0 if the loop is none. */
static int vector_lines(const struct tree_node *node, int cursors)
{
    const struct cin *body = node->statement->arg[0];
    return cursors <= 1 && body->kind == CIN_ASSIGN && body->op != OP_NONE ? VECTOR_LINES : 0;
}

static int region_lines(struct context *cx, const struct tree_node *node)
{
    const struct lattice *lattice = node->lattice;
    const struct bits *loop;
    int loops = lattice_loops(cx, lattice, &loop), lines = 0;
    for (int i = 0; i < loops; i++) {
        const struct lattice_point **point;
        int points = lattice_cases(cx, lattice, loop[i], &point, NULL),
            cursors = bits_count(loop[i]);
        lines += LOOP_LINES + (cursors > 1 ? 2 : 1) * CURSOR_LINES * cursors + search_lines(lattice)
                 + vector_lines(node, cursors);
        lines += lattice_seeks(lattice, loop[i]) ? SEEK_LINES * cursors : 0;
        for (int p = 0; p < points; p++)
            lines +=
                (points > 1 ? REGION_LINES : 0) + node->child[point_of(lattice, point[p])]->lines;
    }
    return lines + (lattice->rest ? REGION_LINES + node->child[lattice->points - 1]->lines : 0);
}

/* ---- foralls ---- */

static const struct lattice_iterator *iterated(const struct lattice *lattice, int bit)
{
    return bits_has(lattice->iterated, bit) ? &lattice->iterator[bit] : NULL;
}

static void note_order(struct tree_node *node)
{
    node->in_order = node->distinct = !node->lattice->infeasible;
    if (node->lattice->infeasible) /* such as for too many iterators */
        return;
    for (int bit = 0; bit < node->lattice->sparse; bit++) {
        const struct lattice_iterator *it = iterated(node->lattice, bit);
        unsigned has = it ? level_effective(it->access->tensor->format, it->first) : LEVEL_ORDERED;
        node->in_order &= !it || level_ascends(it->access->tensor->format, it->first);
        node->distinct &= (has & (LEVEL_ORDERED | LEVEL_UNIQUE)) != 0;
    }
}

static const struct tree_node *child_at(struct context *cx, const struct tree_node *node,
                                        const struct lattice_point *point,
                                        const struct known *inside)
{
    struct around around = node->around;
    around.known = *inside;
    around.unsure = lattice_unsure(cx, node->lattice, point, &node->around);
    around.shared |=
        node->lattice->coarse || (node->lattice->flat && cin_assignments(cx, point->body).n > 1);
    return node_of(cx, point->body, &around);
}

/* Returns the body with every operand present.  If that has no effect, as not(stored(B(i,j))) * x
 * has none, returns the body of the largest point with an effect. */
static const struct tree_node *whole_of(struct context *cx, const struct tree_node *node,
                                        const struct known *inside)
{
    const struct lattice *lattice = node->lattice;
    const struct lattice_point whole = {.body = node->statement->arg[0]};
    int p = 0;
    while (p < lattice->points && lattice->point[p].body == cin_nothing(cx))
        p++;
    bool is_point = p < lattice->points && (p > 0 || lattice->flat);
    return is_point ? node->child[p] : child_at(cx, node, &whole, inside);
}

/* Builds the forall with this lattice; NULL if it takes more lines than allowed.  Each point has at
 * least one region, and the largest points come first. */
static struct tree_node *open_forall(struct context *cx, const struct cin *forall,
                                     const struct around *around, const struct lattice *lattice,
                                     int allowed)
{
    struct tree_node *node = arena_make(cx->arena, struct tree_node);
    struct known inside = known_with(cx, &around->known, forall->index[0]);
    *node = (struct tree_node){
        .statement = forall, .around = *around, .lattice = lattice, .children = lattice->points};
    node->child = arena_array(cx->arena, const struct tree_node *, lattice->points);
    for (int p = 0, lines = 0; p < lattice->points; p++) {
        bool same = lattice->flat && p > 0;
        node->child[p] = same ? node->child[0] : child_at(cx, node, &lattice->point[p], &inside);
        lines += lattice->flat ? 0 : node->child[p]->lines;
        if (lines > allowed)
            return NULL;
    }
    node->whole = whole_of(cx, node, &inside);
    node->lines = lattice->flat ? flat_lines(node) : region_lines(cx, node);
    note_order(node);
    if (!lattice->flat && node->lines > allowed)
        return NULL;
    node->lines += around->parallel && cin_parallel(around->parallel, forall) ? PARTS_LINES : 0;
    return node;
}

/* Has some region no effect although a smaller one has?  A flat loop cannot tell the two apart. */
static bool has_gaps(struct context *cx, const struct lattice *lattice)
{
    for (int p = 0; p < lattice->points; p++)
        if (lattice->point[p].body == cin_nothing(cx))
            return true;
    return false;
}

/* Would the loops and regions alone take more lines than these? */
static bool is_hopeless(struct context *cx, const struct lattice *lattice, int lines)
{
    const struct bits *loop;
    int loops = lattice_loops(cx, lattice, &loop);
    for (int i = 0; i < loops; i++) {
        const struct lattice_point **point;
        lines -=
            LOOP_LINES + lattice_cases(cx, lattice, loop[i], &point, NULL) * (REGION_LINES + 1);
    }
    return lines < 0;
}

static const struct tree_node *forall_node(struct context *cx, const struct cin *forall,
                                           const struct around *around)
{
    const struct index_var *var = forall->index[0];
    const struct lattice *lattice = lattice_build(cx, var, forall->arg[0], around, false);
    if (lattice->flat || lattice->points < 2)
        return open_forall(cx, forall, around, lattice, INT_MAX);
    int allowed =
        has_gaps(cx, lattice) ? (int)target_of(cx)->lines_most : allowed_lines(cx, forall);
    const struct tree_node *node = is_hopeless(cx, lattice, allowed)
                                       ? NULL
                                       : open_forall(cx, forall, around, lattice, allowed);
    if (node)
        return node;
    const struct lattice *flat = lattice_build(cx, var, forall->arg[0], around, true);
    bool has_to = flat->infeasible && !lattice->infeasible;
    return open_forall(cx, forall, around, has_to ? lattice : flat, INT_MAX);
}

/* ---- nodes ---- */

static int expression_lines(const struct cin *e)
{
    int lines = 1;
    for (int i = 0; i < e->args; i++)
        lines += expression_lines(e->arg[i]);
    return lines;
}

/* A component is put into a sparse result with a coordinate for each level that stores some. */
static int result_lines(const struct format *format)
{
    int lines = 0;
    for (int level = 0; level < format->levels; level++)
        lines += level_type_has_arrays(format->level[level].type) ? RESULT_LINES : 0;
    return lines;
}

static int assign_lines(const struct cin *assign)
{
    const struct tensor_var *target = assign->arg[0]->tensor;
    int put = target->temporary ? workspace_lines(target).put : result_lines(target->format);
    return 1 + put + expression_lines(assign->arg[1]) / 8;
}

/* The lines that allocate, clear and list the where's workspaces. */
static int where_lines(struct context *cx, const struct cin *where)
{
    struct cin_list made = cin_assignments(cx, where->arg[1]);
    int lines = 0;
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        bool seen = !t->temporary || !cin_uses_tensor(where->arg[0], t);
        for (size_t j = 0; j < i; j++)
            seen |= made.at[j]->arg[0]->tensor == t;
        lines += seen ? 0 : workspace_lines(t).kept;
    }
    return lines;
}

static const struct tree_node *plain_node(struct context *cx, const struct cin *s,
                                          const struct around *around)
{
    struct tree_node *node = arena_make(cx->arena, struct tree_node);
    *node =
        (struct tree_node){.statement = s, .around = *around, .in_order = true, .distinct = true};
    if (s->kind == CIN_ASSIGN)
        node->lines = assign_lines(s);
    if (s->kind == CIN_ASSIGN || s->kind == CIN_NOTHING)
        return node;
    node->child = arena_array(cx->arena, const struct tree_node *, s->args);
    for (; node->children < s->args; node->children++) {
        node->child[node->children] = node_of(cx, s->arg[node->children], around);
        node->lines += node->child[node->children]->lines;
    }
    if (s->kind == CIN_WHERE)
        node->lines += where_lines(cx, s);
    return node;
}

static const struct tree_node *node_of(struct context *cx, const struct cin *statement,
                                       const struct around *around)
{
    const void **node = find_node(cx, statement, around);
    if (!*node)
        *node = statement->kind == CIN_FORALL ? forall_node(cx, statement, around)
                                              : plain_node(cx, statement, around);
    return *node;
}

const struct tree_node *tree_find(const struct tree_node *node, const struct index_var *var)
{
    const struct tree_node *found = NULL;
    if (node->statement->kind == CIN_FORALL)
        return node->statement->index[0] == var ? node : tree_find(node->whole, var);
    for (int i = 0; i < node->children && !found; i++)
        found = tree_find(node->child[i], var);
    return found;
}

/* ---- the tree ---- */

/* Does the assignment read an operand whose components may come in several shares, and can it add
 * them up in its target? */
static bool may_add_shares(struct context *cx, const struct cin *assign)
{
    struct cin_list read = cin_operands(cx, assign);
    bool may = false;
    for (size_t i = 0; i < read.n && !may; i++)
        may = !read.at[i]->tensor->temporary
              && format_has_duplicates_apart(read.at[i]->tensor->format)
              && tree_adds_up(cx, assign, read.at[i]);
    return may;
}

/* If a component of an operand may come in several shares, turns an assignment to the result into
 * one that adds the shares up. */
static const struct cin *add_shares(struct context *cx, const struct cin *statement,
                                    const struct tensor_var *result, bool accumulates)
{
    struct cin_list made = cin_assignments(cx, statement);
    if (accumulates || !format_is_dense(result->format)
        || !value_equal(result->fill, value_zero(result->type)))
        return statement;
    for (size_t i = 0; i < made.n; i++) {
        const struct cin *a = made.at[i];
        if (a->arg[0]->tensor == result && a->op == OP_NONE && may_add_shares(cx, a))
            statement = cin_replace(cx, statement, a, cin_assign(cx, OP_ADD, a->arg[0], a->arg[1]));
    }
    return statement;
}

bool tree_assigns(const struct tree *tree, const struct cin *statement)
{
    return cin_assigns(statement, tree->program->result);
}

/* Builds the tree of the statements that make one result, without looking for obstacles. */
static struct tree *tree_of(struct context *cx, const struct cin_program *program,
                            const struct cin_list *made)
{
    struct tree *tree = arena_make(cx->arena, struct tree);
    bool parallel = cin_has_parallel(program, program->statement);
    struct around nothing = {.known = known_none(cx, program),
                             .parallel = parallel ? program : NULL};
    for (size_t i = 0; i < made->n; i++)
        if (made->at[i]->arg[0]->tensor == program->result) {
            tree->result = made->at[i]->arg[0];
            tree->at = made->at[i]->args > 2 ? made->at[i]->arg[2] : NULL;
        }
    tree->program = program;
    tree->root = node_of(cx, program->statement, &nothing);
    return tree;
}

static void find_infeasible(struct context *cx, struct tree *tree)
{
    tree->infeasible = assembly_find(cx, tree);
    tree->infeasible = tree->infeasible ? tree->infeasible : infeasible_find(cx, tree);
}

/* Simplifies the statement while it is open which sparse operands and temporaries are present. */
static const struct cin *simplify(struct context *cx, const struct cin *s)
{
    struct cin_list operands = cin_operands(cx, s),
                    unsure = access_unsure(cx, &operands, &(struct known){0});
    for (size_t i = 0; i < operands.n; i++)
        if (operands.at[i]->tensor->temporary && operands.at[i]->tensor->order > 0)
            cin_list_add(cx, &unsure, operands.at[i]);
    return cin_simplify_unsure(cx, s, &unsure);
}

const struct tree *tree_build(struct context *cx, const struct cin_program *program)
{
    struct cin_program *simplified = arena_copy(cx->arena, program, sizeof *program);
    struct cin_list made = cin_assignments(cx, program->statement);
    int results = 1 + program->others;
    for (int r = 0; r < results; r++) {
        const struct tensor_var *result = cin_result(program, r);
        simplified->statement =
            add_shares(cx, simplified->statement, result, r ? result->held : program->accumulates);
    }
    simplified->statement = simplify(cx, simplified->statement);
    simplified->statement = workspace_mark(cx, simplified);
    struct tree *all = tree_of(cx, simplified, &made);
    struct tree **one = arena_array(cx->arena, struct tree *, results);
    for (int r = 0; r < results; r++)
        one[r] = program->others ? tree_of(cx, cin_part(cx, simplified, r), &made) : all;
    for (int r = results; r-- > 0;) {
        all->of = one[r]->of = (const struct tree *const *)one;
        all->results = one[r]->results = results;
        one[r]->rank = r;
        find_infeasible(cx, one[r]);
        all->assembly = one[r]->assembly;
        all->infeasible = one[r]->infeasible ? one[r]->infeasible : all->infeasible;
    }
    return all;
}
