/* workspace.h - how workspaces are made; private to the lowering.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_WORKSPACE_WORKSPACE_H
#define SPCC_LOWER_WORKSPACE_WORKSPACE_H

#include "compiler/lower/base/grid.h"
#include "compiler/lower/workspace/segments.h"

/* The n entries of a workspace: coordinates by level, and values.  values is NULL if only patterns
 * are made. */
struct entries {
    const struct imp_var **crd, *values;
    const struct imp *n;
};

/* One way to write a workspace. */
struct workspace_way {
    /* opens the workspace before the producer */
    void (*open)(struct kernel *k, struct workspace *ws);
    /* stores a component; value is NULL if only patterns are made */
    void (*store)(struct kernel *k, const struct scope *scope, struct workspace *ws, enum op op,
                  const struct imp *value);
    /* lowers the producer if that has to be done more than once; else NULL */
    void (*run)(struct kernel *k, struct workspace *ws, const struct scope *scope);
    /* completes what was stored, between producer and consumer; NULL if nothing is to do */
    void (*finish)(struct kernel *k, struct workspace *ws);
    /* cleans up behind the consumer; or NULL */
    void (*close)(struct kernel *k, struct workspace *ws);

    /* Takes the place of finish for what a part of a parallel loop has made: gives the entries in
     * arrays that stay (in->crd has room for them), and frees all other memory. */
    void (*take_out)(struct kernel *k, struct workspace *ws, struct entries *in);
    /* Puts a component with these coordinates, one for each level.  NULL: entries are a list. */
    void (*put)(struct kernel *k, struct workspace *ws, const struct imp *const *coordinate,
                enum op op, const struct imp *value);
};

extern const struct workspace_way workspace_list, workspace_count, workspace_insert,
    workspace_place, workspace_table;
/* A list that loops on a GPU make in two runs; a row that a team makes in a table; and such a row
 * in the launch that only counts how much is put into it. */
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

/* Opens a workspace before the producer of a where.  workspace_finish finishes it between producer
 * and consumer, workspace_close closes it behind the consumer. */
struct workspace *workspace_open(struct kernel *k, const struct scope *scope,
                                 const struct cin *assign);
void workspace_finish(struct kernel *k, struct workspace *ws);
void workspace_close(struct kernel *k, struct workspace *ws);

void workspace_store(struct kernel *k, const struct scope *scope, struct workspace *ws,
                     const struct cin *assign);

/* Keeps the component that a loop reduces into in a register. */
bool workspace_begin_reduction(struct kernel *k, struct scope *scope, const struct cin *forall);
void workspace_end_reduction(struct kernel *k, const struct scope *scope,
                             const struct held_component *held, const struct cin *forall);

/* Allocates a new array of this many elements; imp_free frees it. */
const struct imp_var *workspace_array(struct kernel *k, enum type type, const char *name,
                                      const struct imp *elements);

/* Notes that entries come in an order that is no better than this (struct workspace: sorted_from,
 * ascending). */
void workspace_note_order(struct workspace *ws, int from, int ascending);

/* Returns a second workspace like this one: empty, with arrays of its own. */
struct workspace *workspace_open_again(struct kernel *k, const struct workspace *ws);
/* Returns the type of a level's coordinates in struct entries. */
enum type workspace_entry_type(const struct kernel *k, const struct workspace *ws, int level);
/* Puts one entry of `in` into the workspace. */
void workspace_put_entry(struct kernel *k, struct workspace *ws, const struct entries *in,
                         const struct imp *entry);

/* ---- workspace_insert.c, workspace_place.c ---- */

/* Does the workspace list the coordinates of its first level that were touched?  Then these alone
 * are sorted and emptied. */
static inline bool workspace_is_tracked(const struct workspace *ws)
{
    return ws->code.tensor->format->level[0].type->lists;
}
/* Makes memory that is empty before the producer; insert_close empties it again. */
void insert_open(struct kernel *k, struct workspace *ws);
void insert_close(struct kernel *k, struct workspace *ws);
/* Declares an array of this many elements, and allocates it until the kernel ends. */
void insert_allocate(struct kernel *k, const struct imp_var *array, const struct imp *elements);

/* Blocks that are computed in the result. */
struct placed_blocks {
    const struct tensor_var *to;  /* the result */
    const struct tree_node *copy; /* the part of the consumer that copies a block */
    enum { BLOCKS_LISTED, BLOCKS_APPENDED, BLOCKS_COMPUTED } stage;
    const struct imp_var *at;  /* a block's position in the result, by that in the workspace */
    const struct imp *block;   /* the computed block's position, if it has been read; or NULL */
    const struct scope *scope; /* the producer's */
    struct workspace *outer;   /* that of blocks listed or appended before; or NULL */
};
/* Lowers the statement at the scope's place if k->placed, at its stage, needs other code for it;
 * else returns false. */
bool workspace_does(struct kernel *k, const struct scope *scope);

/* ---- workspace_bits.c ---- */

/* Makes, in the prologue, bits for rows whose list is found to be long, if the workspace may have
 * them. */
void bits_open(struct kernel *k, struct workspace *ws);
/* Inserts into a level that is inserted into, and returns the position.  A level without a list has
 * no bits. */
const struct imp *bits_insert(struct kernel *k, const struct workspace *ws,
                              const struct level_code *code, const struct imp *coordinate);
/* Brings the list of the touched coordinates into order. */
void bits_finish(struct kernel *k, struct workspace *ws);

/* ---- workspace_list.c ---- */

/* Return the number of the list's entries, and the coordinate of an entry in a level. */
const struct imp *workspace_entries(struct kernel *k, const struct workspace *ws);
const struct imp *workspace_coordinate(struct kernel *k, const struct workspace *ws, int level,
                                       const struct imp *entry);

/* Sorts a finished list by a number for each entry, in [0, size). */
void workspace_sort(struct kernel *k, struct workspace *ws, const struct imp_var *number,
                    const struct imp *size);

/* Adds code that fails if n (i64) entries are too many. */
void workspace_check_entries(struct kernel *k, const struct workspace *ws, const struct imp *n);
/* Returns the capacity to make for n (i64) entries. */
const struct imp *workspace_capacity(struct kernel *k, const struct workspace *ws,
                                     const struct imp *n);

/* Returns the level of the list that has its segments: 0, or 1 below a level of rows. */
static inline int list_root(const struct workspace *ws)
{
    return !workspace_is_list(ws->code.tensor->format);
}
/* Returns the operator that combines entries of one component. */
static inline enum op list_combines_by(const struct workspace *ws)
{
    return ws->assign->op == OP_NONE ? OP_ADD : ws->assign->op;
}
/* Returns where the list's coordinates of a level are. */
const struct imp_var **list_coordinates(struct workspace *ws, int level);
/* Declares the list's arrays, with this room (NULL: none yet). list_close frees them. */
void list_open_arrays(struct kernel *k, struct workspace *ws, const struct imp *room);
void list_close(struct kernel *k, struct workspace *ws);
/* Stores the component of the scope as the next entry; value is NULL if only patterns are made. */
void list_put(struct kernel *k, const struct scope *scope, const struct workspace *ws,
              const struct imp *value);
/* Makes arrays for the sorted entries, from level `first` on, in place of those that were appended
 * to.  list_move puts entry `from` of the old arrays at `to`, list_free frees the old arrays. */
void list_new_arrays(struct kernel *k, struct workspace *ws, int first);
void list_move(struct kernel *k, const struct workspace *ws, const struct imp *from,
               const struct imp *to);
void list_free(struct kernel *k, const struct workspace *ws);

/* ---- workspace_keys.c ---- */

/* A key to sort a list by: the coordinates of a level, or, of levels in Morton order, numbers made
 * of bits [low, low + planes) of their coordinates, taken in turns. */
struct list_key {
    struct sort_key by; /* without its array of numbers, if these have to be made */
    int low, planes;    /* planes is 0: the key is a level's coordinates */
};

/* Returns the keys to sort by, the most significant first, if entries come in the order of the
 * levels before `first`. */
const struct list_key *list_keys(struct kernel *k, const struct workspace *ws, int first,
                                 int *keys);
/* Stores the number of an entry for the key in to[entry] (i64). */
void list_put_turns(struct kernel *k, const struct workspace *ws, const struct list_key *key,
                    const struct imp_var *to, const struct imp *entry);

/* ---- workspace_twice.c ---- */

/* Make the list by loops on a GPU. list_run begins a run that counts entries (tallies) or stores
 * them, in which a part counts its own in `count` (i64). list_allocate, between the runs, makes
 * room for `many` (i64) entries; ws->count then has their number. */
void list_run(struct workspace *ws, bool tallies, const struct imp_var *count);
void list_allocate(struct kernel *k, struct workspace *ws, const struct imp *many);

static inline const struct imp *workspace_zero(struct kernel *k) { return imp_i64(k->cx, 0); }

static inline void workspace_prologue(struct kernel *k, const struct imp *statement)
{
    vec_push(k->cx->arena, &k->prologue, statement);
}

/* Closes the builder's block, and puts its statements around all loops. */
static inline void workspace_end_prologue(struct kernel *k)
{
    const struct imp *block = imp_end(&k->b);
    for (int i = 0; i < block->args; i++)
        workspace_prologue(k, block->arg[i]);
}

/* Declares an array around all loops. */
static inline void workspace_declare(struct kernel *k, const struct imp_var *array)
{
    workspace_prologue(k, imp_declare(k->cx, array, NULL));
}

#endif
