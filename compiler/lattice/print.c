/* print.c - iteration lattices as text and as Graphviz.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/lattice/lattice.h"

static void print_iterator(struct context *cx, struct text *out, const struct lattice_iterator *it)
{
    cin_print(cx, out, it->access);
    text_printf(out, ".%d", it->first + 1);
}

void lattice_print_set(struct context *cx, struct text *out, const struct lattice *lattice,
                       struct bits set)
{
    const char *before = "";
    text_add(out, "{");
    for (int i = 0; i < lattice->sparse; i++) {
        if (bits_has(set, i)) {
            text_add(out, before);
            print_iterator(cx, out, &lattice->iterator[i]);
            before = ", ";
        }
    }
    text_add(out, "}");
}

void lattice_print_facts(struct context *cx, struct text *out, const struct lattice *lattice)
{
    if (lattice->dimension)
        text_add(out, "over the dimension");
    if (!bits_empty(lattice->iterated)) {
        text_add(out, lattice->dimension ? ", coiterating " : "coiterating ");
        lattice_print_set(cx, out, lattice, lattice->iterated);
    }
    text_add(out, lattice_seeks(lattice, lattice->iterated) ? ", seeking" : "");
    struct bits searched = bits_minus(lattice->located, lattice->following);
    if (!bits_empty(lattice->following)) {
        text_add(out, ", following in ");
        lattice_print_set(cx, out, lattice, lattice->following);
    }
    if (!bits_empty(searched)) {
        text_add(out, ", searching ");
        lattice_print_set(cx, out, lattice, searched);
    }
    const char *before = ", locating ";
    for (int i = lattice->sparse; i < lattice->iterators; i++, before = ", ") {
        text_add(out, before);
        print_iterator(cx, out, &lattice->iterator[i]);
    }
    for (int i = 0; i < lattice->guards; i++)
        text_printf(out, "%s%s", i ? ", " : ", guarding ", lattice->guard[i].var->name);
    text_add(out, lattice->flat ? ", flat: the least points" : "");
    text_add(out, lattice->rest ? ", {} once for all that is left" : "");
}

void lattice_print(struct context *cx, struct text *out, const struct lattice *lattice)
{
    text_printf(out, "lattice of %s: ", lattice->var->name);
    lattice_print_facts(cx, out, lattice);
    text_add(out, "\n");
    for (int i = 0; i < lattice->points; i++) {
        text_add(out, "  ");
        lattice_print_set(cx, out, lattice, lattice->point[i].present);
        text_add(out, "  ");
        cin_print(cx, out, lattice->point[i].body);
        text_add(out, "\n");
    }
}

bool lattice_is_next(const struct lattice *lattice, const struct lattice_point *above,
                     const struct lattice_point *below)
{
    if (above == below || !bits_within(below->present, above->present))
        return false;
    for (int i = 0; i < lattice->points; i++) {
        const struct lattice_point *p = &lattice->point[i];
        if (p != above && p != below && bits_within(below->present, p->present)
            && bits_within(p->present, above->present))
            return false;
    }
    return true;
}

void lattice_print_dot(struct context *cx, struct text *out, const struct lattice *lattice,
                       int number)
{
    text_printf(out, "  subgraph cluster_%d {\n    label=\"%s\";\n", number, lattice->var->name);
    for (int i = 0; i < lattice->points; i++) {
        text_printf(out, "    p%d_%d [label=\"", number, i);
        lattice_print_set(cx, out, lattice, lattice->point[i].present);
        text_add(out, "\\n");
        cin_print(cx, out, lattice->point[i].body);
        text_add(out, "\"];\n");
    }
    for (int i = 0; i < lattice->points; i++)
        for (int j = 0; j < lattice->points; j++)
            if (lattice_is_next(lattice, &lattice->point[i], &lattice->point[j]))
                text_printf(out, "    p%d_%d -> p%d_%d;\n", number, i, number, j);
    text_add(out, "  }\n");
}
