/* access.h - accesses and levels, as loops see them: what is stored where, what is known of it, in
 * which order it comes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LATTICE_ACCESS_H
#define SPCC_LATTICE_ACCESS_H

#include "compiler/concrete/known.h"

/* Do both store the same coordinates in the same levels? */
bool access_is_like(const struct cin *a, const struct cin *b);
/* Returns the variable that a level of the access stores; NULL if it stores a function of several.
 */
const struct index_var *access_level_var(const struct cin *access, int level);
/* Does a level's coordinate follow from those of the levels above by what the levels store, so that
 * all entries of a run there have the same? */
bool access_level_follows(struct context *cx, const struct cin *access, int level,
                          const struct known *bound);
/* Returns the relation by which a known variable is the position of a level before `end`, of the
 * last such level; NULL: there is none. */
const struct cin_relation *access_position(const struct cin *access, int end,
                                           const struct known *known);
/* Returns what the coordinates of a component tell: they are known, and so is what follows from
 * them, the positions at which an operand stores them among it, where it stores each at one at
 * most.  All of the access's coordinates; those of its first levels, besides what is known around
 * (or NULL). */
struct known access_told(struct context *cx, const struct cin_program *program,
                         const struct cin *access);
struct known access_told_by_levels(struct context *cx, const struct cin_program *program,
                                   const struct cin *access, int levels,
                                   const struct known *around);
/* Returns how many leading levels of the access are resolved when these variables are known. */
int access_resolved(const struct cin *access, const struct known *bound);
/* Of these, the operands that may be absent below the levels that are resolved. */
struct cin_list access_unsure(struct context *cx, const struct cin_list *operands,
                              const struct known *bound);

/* Returns a level's properties where it stands.  Adjacent duplicates are one run, whose children
 * are walked as one segment: siblings from several segments come together then, unless the level is
 * branchless, or the segments are parts of one, and are neither ordered nor unique.  Where the
 * level below has no such segments duplicates are visited one by one, as if they were neither. */
unsigned level_effective(const struct format *format, int level);

/* Do siblings come in the order of their coordinates, not only those alike together? */
bool level_ascends(const struct format *format, int level);
/* May a level hold a coordinate several times, and not one after the other? */
bool format_has_duplicates_apart(const struct format *format);
/* Is the level reached from one position, not from a run of duplicates, and has it one child there,
 * whose coordinate need only be compared with? */
bool level_is_only_child(const struct format *format, int level);
/* Can blocks of the level's coordinates be walked, each of them a run of positions? */
bool level_has_runs(const struct format *format, int level);
/* Below every parent: all coordinates, or the one that follows from those above? */
bool level_is_always_there(const struct level_format *level);

#endif
