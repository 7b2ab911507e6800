/* workspace_place.c - blocks that are computed where the result has them (compiler/tree/placed.c).
 *
 *     the producer, for its pattern     lists the blocks that it puts something into
 *     a sort
 *     the consumer                      appends the blocks, with nothing in them, and notes the
 *                                       position of each
 *     the producer                      puts values into the blocks there
 *
 * Nothing is copied, and no values but the result's are emptied.  The first run of the producer
 * ends at loops that do not change which block it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/workspace/workspace.h"

static const struct imp_var *positions_of(struct kernel *k, const struct workspace *ws)
{
    const struct result *r = kernel_find_result(k, ws->placed->to);
    enum type type = r->group[r->assembly->groups - 1].counter->type;
    return kernel_array(k, type, "%s_at", ws->code.tensor->name);
}

static void open_placed(struct kernel *k, struct workspace *ws)
{
    ws->placed->at = positions_of(k, ws);
    insert_open(k, ws);
}

/* Returns where in the workspace the block of this access is that the loops have come to. */
static const struct imp *block_at(struct kernel *k, const struct scope *scope,
                                  const struct workspace *ws, const struct cin *access)
{
    const struct imp *found;
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    return code.format->type->locate(&code, scope_coordinate(scope, access_level_var(access, 0)),
                                     &found);
}

static void store_placed(struct kernel *k, const struct scope *scope, struct workspace *ws,
                         enum op op, const struct imp *value)
{
    const struct tensor_var *to = ws->placed->to;
    const struct imp *found, *position;
    if (ws->placed->stage == BLOCKS_LISTED) {
        struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
        bits_insert(k, ws, &code, scope_coordinate(scope, workspace_var(ws, 0)));
        return;
    }
    position = ws->placed->block
                   ? ws->placed->block
                   : imp_load(k->cx, ws->placed->at, block_at(k, scope, ws, ws->assign->arg[0]));
    for (int level = 1; level < ws->code.tensor->format->levels; level++) {
        struct level_code code = workspace_level(k, ws, level, position);
        position = code.format->type->locate(
            &code, scope_coordinate(scope, workspace_var(ws, level)), &found);
    }
    kernel_store(k, to, kernel_code(k, to)->values, position, op, value);
}

/* Returns the assignment in a nest over all coordinates of the current block; NULL if there is
 * none. */
static const struct cin *assign_in_block(struct kernel *k, const struct scope *scope,
                                         const struct workspace *ws)
{
    const struct tree_node *node = scope->place->node;
    struct cin_list made = cin_assignments(k->cx, node->statement);
    bool is = node->statement->kind == CIN_FORALL && made.n == 1
              && scope_coordinate(scope, access_level_var(made.at[0]->arg[0], 0))
              && tree_assigns_somewhere(k->cx, ws->tree, node);
    return is ? made.at[0] : NULL;
}

/* Computes a block, whose position is read once. */
static void compute_block(struct kernel *k, const struct scope *scope, struct workspace *ws,
                          const struct cin *assign)
{
    const struct imp_var *at = ws->placed->at;
    ws->placed->block = imp_let(&k->b, kernel_var(k, at->type, "p%s", ws->code.tensor->name),
                                imp_load(k->cx, at, block_at(k, scope, ws, assign->arg[0])));
    k->lower->kind(k, scope);
    ws->placed->block = NULL;
}

/* Notes the position of a block that is appended. */
static void note_block(struct kernel *k, const struct scope *scope, const struct workspace *ws)
{
    const struct result *r = kernel_find_result(k, ws->placed->to);
    const struct cin *copied = cin_operands(k->cx, ws->placed->copy->statement).at[0];
    imp_add(&k->b, imp_store(k->cx, ws->placed->at, block_at(k, scope, ws, copied), OP_NONE,
                             scope->result[r->rank].position));
}

bool workspace_does(struct kernel *k, const struct scope *scope)
{
    struct workspace *ws = k->placed;
    bool appends = ws->placed->stage == BLOCKS_APPENDED;
    const struct cin *assign = appends || ws->placed->block ? NULL : assign_in_block(k, scope, ws);
    bool notes = appends && scope->place->node == ws->placed->copy;
    if (notes)
        note_block(k, scope, ws);
    else if (assign && ws->placed->stage == BLOCKS_LISTED)
        workspace_store(k, scope, ws, assign);
    else if (assign)
        compute_block(k, scope, ws, assign);
    return notes || assign;
}

static void run_placed(struct kernel *k, struct workspace *ws, const struct scope *scope)
{
    ws->placed->stage = BLOCKS_LISTED;
    ws->placed->scope = arena_copy(k->cx->arena, scope, sizeof *scope);
    ws->placed->outer = k->placed;
    k->placed = ws;
    k->computes = false;
    k->lower->statement(k, scope, 1);
    k->computes = true;
    ws->placed->stage = BLOCKS_APPENDED;
}

static void close_placed(struct kernel *k, struct workspace *ws)
{
    ws->placed->stage = BLOCKS_COMPUTED;
    k->lower->statement(k, ws->placed->scope, 1);
    k->placed = ws->placed->outer;
    insert_close(k, ws);
}

const struct workspace_way workspace_place = {
    .open = open_placed,
    .store = store_placed,
    .run = run_placed,
    .finish = bits_finish,
    .close = close_placed,
};
