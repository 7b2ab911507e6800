/* rows.c - finds workspaces with a list of their coordinates that a team of a GPU's threads makes
 * for each row (lower/parallel/launch_rows.c).
 *
 *     forall(i) (forall(j) A(i,j) = w(j) where forall(k) forall(jp) w(jp) += B(i,k) * C(k,jp))
 *
 * The number of components put into w is counted before, so it must follow from operands alone.
 * The rows are those of the outermost loop, and have numbers.  A team is a warp of 32 lanes or a
 * whole block; its threads list and sort together.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/gpu.h"
#include "compiler/tree/parts.h"

struct row_search {
    struct context *cx;
    struct cin_list made;
};

static bool fills(const struct cin_list *made, const struct tensor_var *t)
{
    bool is = false;
    for (size_t i = 0; i < made->n; i++)
        is |= made->at[i]->arg[0]->tensor == t;
    return is;
}

/* Collects wheres whose consumer reads what the producer makes. */
static bool find_rows(const struct cin *cin, void *data)
{
    struct row_search *s = data;
    if (cin->kind != CIN_WHERE)
        return false;
    struct cin_list made = cin_assignments(s->cx, cin->arg[1]);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        if (t->temporary && t->order == 1 && t->format->levels == 1
            && t->format->level[0].type->in_table && made.at[i]->args == 2
            && cin_uses_tensor(cin->arg[0], t) && !fills(&s->made, t))
            vec_push(s->cx->arena, &s->made, made.at[i]);
    }
    return false;
}

struct cin_list tree_rows(struct context *cx, const struct cin *statement)
{
    struct row_search s = {cx, {0}};
    if (cx->cuda)
        cin_any(statement, find_rows, &s);
    return s.made;
}

/* Returns a workspace that another one is computed from, NULL if there is none. */
static const struct tensor_var *find_chained(struct context *cx, const struct cin_list *rows,
                                             const struct cin *statement)
{
    struct cin_list made = cin_assignments(cx, statement);
    for (size_t i = 0; i < made.n; i++) {
        struct cin_list read = cin_operands(cx, made.at[i]->arg[1]);
        for (size_t r = 0; r < read.n && fills(rows, made.at[i]->arg[0]->tensor); r++)
            if (fills(rows, read.at[r]->tensor))
                return made.at[i]->arg[0]->tensor;
    }
    return NULL;
}

bool tree_numbers_rows(struct context *cx, const struct tree *tree, const struct tree_node *forall)
{
    const struct lattice_iterator *along;
    bool numbers = tree_is_counted(cx, forall, &along) && !forall->lattice->guards;
    for (int r = 0; r < tree->results && numbers; r++)
        numbers = !along || !tree_parts_have_places(cx, tree->of[r], forall);
    return numbers;
}

struct threads_search {
    const struct cin_program *program;
    const struct cin_tag *tag;
};

static bool find_threads(const struct cin *cin, void *data)
{
    struct threads_search *s = data;
    const struct cin_tag *tag = cin_parallel(s->program, cin);
    if (tag && tag->unit == UNIT_GPU_THREAD)
        s->tag = tag;
    return s->tag;
}

/* Is a team of this unit a whole warp or a whole block? */
static bool is_whole(const struct tree *tree, const struct cin_tag *tag, const struct cin *forall)
{
    struct threads_search threads = {tree->program, NULL};
    if (tag->unit == UNIT_GPU_WARP && cin_any(forall, find_threads, &threads))
        return threads.tag->var->size == GPU_WARP;
    return tag->unit == UNIT_GPU_BLOCK || tag->unit == UNIT_GPU_WARP;
}

bool tree_may_make_rows(struct context *cx, const struct tree *tree, const struct tree_node *forall)
{
    struct cin_list rows = tree_rows(cx, forall->statement);
    return tree_numbers_rows(cx, tree, forall) && !find_chained(cx, &rows, forall->statement);
}

bool tree_check_rows(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                     const struct cin_tag *tag, bool is_inner)
{
    struct cin_list rows = tree_rows(cx, forall->statement);
    const struct tensor_var *chained = find_chained(cx, &rows, forall->statement);
    if (!rows.n)
        return true;
    const char *loop = tag->var->name, *w = rows.at[0]->arg[0]->tensor->name;
    if (is_inner || !is_whole(tree, tag, forall->statement))
        tree_refuse_parallel(
            cx, tag,
            "%s lists what it has, and such a row is made by a warp of %d threads, "
            "or by a block, whose loop is in no other",
            w, GPU_WARP);
    else if (chained)
        tree_refuse_parallel(cx, tag,
                             "what is put into %s follows from another row in the loop "
                             "over %s, so that nothing says how much room it needs",
                             chained->name, loop);
    else if (!tree_numbers_rows(cx, tree, forall))
        tree_refuse_parallel(cx, tag,
                             "%s lists what it has, and rows of the loop over %s, for "
                             "each of which there is one, are not numbered",
                             w, loop);
    else
        return true;
    return false;
}
