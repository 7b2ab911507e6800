/* workspace_count.c - workspaces that are assembled by counting: the producer is lowered twice
 * (segments.h), and no list is made.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/workspace/workspace.h"

static const struct imp_var *coordinates_of(struct workspace *ws)
{
    return *code_array(&ws->code, ws->code.tensor->format->levels - 1, LEVEL_COORDINATES);
}

static const struct imp_var *ends_of(struct workspace *ws)
{
    return *code_array(&ws->code, ws->code.tensor->format->levels - 1, LEVEL_POSITIONS);
}

static void open_counted(struct kernel *k, struct workspace *ws)
{
    ws->segments.access = ws->assign->arg[0];
    workspace_declare(k, ends_of(ws));
    workspace_declare(k, coordinates_of(ws));
    if (k->computes)
        workspace_declare(k, ws->code.values);
}

static void store_counted(struct kernel *k, const struct scope *scope, struct workspace *ws,
                          enum op op, const struct imp *value)
{
    (void)op; /* OP_NONE: each component is assigned to once */
    segments_store(k, &ws->segments, scope, value);
}

static void run_counted(struct kernel *k, struct workspace *ws, const struct scope *scope)
{
    if (cin_parallel(k->program, ws->producer->statement)) {
        k->lower->statement(k, scope, 1); /* parts count apart */
        return;
    }
    segments_begin(k, &ws->segments);
    k->lower->statement(k, scope, 1);
    segments_turn(k, &ws->segments);
    k->lower->statement(k, scope, 1);
    segments_end(k, &ws->segments);
}

static void close(struct kernel *k, struct workspace *ws)
{
    struct workspace *made = (struct workspace *)ws;
    imp_add(&k->b, imp_free(k->cx, ends_of(made)));
    imp_add(&k->b, imp_free(k->cx, coordinates_of(made)));
    if (k->computes)
        imp_add(&k->b, imp_free(k->cx, ws->code.values));
}

const struct workspace_way workspace_count = {
    .open = open_counted,
    .store = store_counted,
    .run = run_counted,
    .close = close,
};
