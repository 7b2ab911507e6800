/* draw.h - pictures of what a statement became: its iteration graph and its iteration lattices.
 *
 * As Graphviz graphs, of any size; and, where that can still be looked at, drawn as SVG, which
 * needs no other program.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_DRAW_DRAW_H
#define SPCC_DRAW_DRAW_H

#include "compiler/tree/tree.h"

/* Returns what the loop of the variable goes through: "i ∈ A1 ∩ B1". */
const char *graph_domain(struct context *cx, const struct tree *tree, const struct index_var *var);

/* The iteration graph of an unfolded program (thesis 3.2), whose tree this is: its loops, what each
 * goes through, which variables follow from them, and the path of each access through them. */
void draw_graph_dot(struct context *cx, struct text *out, const struct cin_program *program,
                    const struct tree *tree);
/* False after a diagnostic: it is too large. */
bool draw_graph_svg(struct context *cx, struct text *out, const struct cin_program *program,
                    const struct tree *tree);

/* Lattices (thesis 3.3), one below the other; false after a diagnostic: one is too large, or
 * they are too many. */
bool draw_lattices_svg(struct context *cx, struct text *out, const struct lattice *const *lattice,
                       int lattices);

#endif
