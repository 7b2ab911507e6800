/* workspace.h - how workspaces are made; private to the lowering.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_WORKSPACE_WORKSPACE_H
#define SPCC_LOWER_WORKSPACE_WORKSPACE_H

#include "compiler/lower/base/grid.h"
#include "compiler/lower/workspace/segments.h"

/* What is in a workspace: by level coordinates, and values, or NULL where patterns alone are made.
 */
struct entries {
    const struct imp_var **crd, *values;
    const struct imp *n;
};

/* One way to write a workspace. */
struct workspace_way {
    /* before the producer */
    void (*open)(struct kernel *k, struct workspace *ws);
    void (*store)(struct kernel *k, const struct scope *scope, struct workspace *ws, enum op op,
                  /* value is NULL where patterns alone are made */
                  const struct imp *value);
    /* the code of the producer, if that is more than it lowered once; else NULL */
    void (*run)(struct kernel *k, struct workspace *ws, const struct scope *scope);
    /* between; NULL: there is nothing to do */
    void (*finish)(struct kernel *k, struct workspace *ws);
    /* after the consumer; or NULL */
    void (*close)(struct kernel *k, const struct workspace *ws);

    /* In place of finish, of what a part of a parallel loop has made: what is in it, in arrays that
     * are not freed (in->crd is set to room for them); all other memory is. */
    void (*take_out)(struct kernel *k, struct workspace *ws, struct entries *in);
    /* Put a component at these coordinates, one for each level.  NULL: its entries are a list. */
    void (*put)(struct kernel *k, struct workspace *ws, const struct imp *const *coordinate,
                enum op op, const struct imp *value);
};

extern const struct workspace_way workspace_list, workspace_count, workspace_insert,
    workspace_table;
/* ... of lists that loops on a GPU make in two runs; of rows of its teams, in tables; and of such a
 * row of which is counted how much is put into it. */
extern const struct workspace_way workspace_twice, workspace_row, workspace_room;

static inline const struct index_var *workspace_var(const struct workspace *ws, int level)
{
    return access_level_var(ws->assign->arg[0], level);
}

static inline struct level_code workspace_level(struct kernel *k, const struct workspace *ws,
                                                int level, const struct imp *parent)
{
    return kernel_level(k, ws->assign->arg[0], level, parent, NULL);
}

/* ---- workspace.c ---- */

/* Around a where: before the producer, between, and after the consumer. */
struct workspace *workspace_open(struct kernel *k, const struct scope *scope,
                                 const struct cin *assign);
void workspace_finish(struct kernel *k, struct workspace *ws);
void workspace_close(struct kernel *k, struct workspace *ws);

void workspace_store(struct kernel *k, const struct scope *scope, struct workspace *ws,
                     const struct cin *assign);

/* Keep a component in a register around a loop that reduces into it. */
bool workspace_begin_reduction(struct kernel *k, struct scope *scope, const struct cin *forall);
void workspace_end_reduction(struct kernel *k, const struct scope *scope,
                             const struct held_component *held, const struct cin *forall);

/* An array made at this place, for imp_free. */
const struct imp_var *workspace_array(struct kernel *k, enum type type, const char *name,
                                      const struct imp *elements);

/* Entries come in no better order than that: see struct workspace. */
void workspace_note_order(struct workspace *ws, int from, int ascending);

/* The same workspace once more, empty, in arrays of its own. */
struct workspace *workspace_open_again(struct kernel *k, const struct workspace *ws);
/* The type of coordinates of a level in struct entries. */
enum type workspace_entry_type(const struct kernel *k, const struct workspace *ws, int level);
/* Put one of the entries into the workspace. */
void workspace_put_entry(struct kernel *k, struct workspace *ws, const struct entries *in,
                         const struct imp *entry);

/* ---- workspace_list.c ---- */

/* How many entries the list has, and the coordinate of one in a level. */
const struct imp *workspace_entries(struct kernel *k, const struct workspace *ws);
const struct imp *workspace_coordinate(struct kernel *k, const struct workspace *ws, int level,
                                       const struct imp *entry);

/* Sort a finished list by a number for each entry, in [0, size). */
void workspace_sort(struct kernel *k, struct workspace *ws, const struct imp_var *number,
                    const struct imp *size);

/* Fail if that many (i64) entries are too many. */
void workspace_check_entries(struct kernel *k, const struct workspace *ws, const struct imp *n);
/* For how many entries there is to be room if there are that many. */
const struct imp *workspace_capacity(struct kernel *k, const struct workspace *ws,
                                     const struct imp *n);

/* Of the two kinds of lists: the level that has the segments. */
static inline int list_root(const struct workspace *ws)
{
    return !workspace_is_list(ws->code.tensor->format);
}
/* By what shares of a component are combined. */
static inline enum op list_combines_by(const struct workspace *ws)
{
    return ws->assign->op == OP_NONE ? OP_ADD : ws->assign->op;
}
/* Where a list's coordinates of a level are. */
const struct imp_var **list_coordinates(struct workspace *ws, int level);
/* Declare its arrays, with room for so many entries, or (NULL) with none yet; and free them. */
void list_open_arrays(struct kernel *k, struct workspace *ws, const struct imp *room);
void list_close(struct kernel *k, const struct workspace *ws);
/* Store what is at hand as the entry of this number; value is NULL where patterns are made. */
void list_put(struct kernel *k, const struct scope *scope, const struct workspace *ws,
              const struct imp *value);
/* Arrays for the entries in order, from a level on, take the place of those that were appended to;
 * put entry `from` of these at `to`; free them. */
void list_new_arrays(struct kernel *k, struct workspace *ws, int first);
void list_move(struct kernel *k, const struct workspace *ws, const struct imp *from,
               const struct imp *to);
void list_free(struct kernel *k, const struct workspace *ws);

/* ---- workspace_keys.c ---- */

/* What a list is sorted by: its coordinates of a level or, of levels in Morton order, numbers made
 * of their coordinates' bits [low, low + planes), in turns. */
struct list_key {
    struct sort_key by; /* without the numbers, if these have to be made */
    int low, planes;    /* 0: they are there */
};

/* By what entries are sorted that agree in the levels before the first, which come in order: the
 * first first. */
const struct list_key *list_keys(struct kernel *k, const struct workspace *ws, int first,
                                 int *keys);
/* Store the number of an entry (i64). */
void list_put_turns(struct kernel *k, const struct workspace *ws, const struct list_key *key,
                    const struct imp_var *to, const struct imp *entry);

/* ---- workspace_twice.c ---- */

/* Loops that threads share make the list: whether entries are counted in this run, or stored, and
 * the variable (i64) in which a part counts them; and, between the runs, room for so many (i64),
 * the number of which ws->count has then. */
void list_run(struct workspace *ws, bool tallies, const struct imp_var *count);
void list_allocate(struct kernel *k, struct workspace *ws, const struct imp *many);

static inline const struct imp *workspace_zero(struct kernel *k)
{
    return imp_int(k->cx, TYPE_I64, 0);
}

static inline void workspace_prologue(struct kernel *k, const struct imp *statement)
{
    vec_push(k->cx->arena, &k->prologue, statement);
}

/* Close a block of the builder and put what is in it around all loops. */
static inline void workspace_end_prologue(struct kernel *k)
{
    const struct imp *block = imp_end(&k->b);
    for (int i = 0; i < block->args; i++)
        workspace_prologue(k, block->arg[i]);
}

/* Declare an array around all loops. */
static inline void workspace_declare(struct kernel *k, const struct imp_var *array)
{
    workspace_prologue(k, imp_declare(k->cx, array, NULL));
}

#endif
