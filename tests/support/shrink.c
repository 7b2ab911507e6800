/* shrink.c - a smaller case that fails as well.
 *
 * Greedy, after QuickCheck's shrinking and delta debugging (Zeller and Hildebrandt 2002): try one
 * simplification after the other, keep each that still fails, and go round until none does.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/case.h"

struct shrinker {
    struct test_case *best, next; /* next: the simplification at hand */
    case_fails *fails;
    void *data;
    int tries;
    bool better;
};

/* ---- tidying ---- */

static int copy_tree(const struct test_case *from, struct test_case *to, int at)
{
    struct case_node node = from->node[at];
    for (int i = 0; i < node.args; i++)
        node.arg[i] = copy_tree(from, to, node.arg[i]);
    to->node[to->nodes] = node;
    return to->nodes++;
}

/* Drop nodes that the statement does not reach any more, and then tensors that no node names. */
static void tidy(struct test_case *test)
{
    int moved[CASE_TENSORS] = {0}, tensors = 1;
    struct test_case *old = test->nodes ? malloc(sizeof *old) : NULL;
    if (!old)
        return;
    *old = *test;
    test->nodes = 0;
    test->root = copy_tree(old, test, old->root);
    for (int t = 1; t < old->tensors; t++) {
        for (int n = 0; n < test->nodes && !moved[t]; n++)
            if (test->node[n].kind == TIN_ACCESS && test->node[n].tensor == t)
                moved[t] = tensors++;
        if (moved[t])
            test->tensor[moved[t]] = old->tensor[t];
    }
    test->tensors = tensors;
    for (int n = 0; n < test->nodes; n++)
        test->node[n].tensor = moved[test->node[n].tensor];
    free(old);
}

/* Entries outside the dimensions go. */
static void cut(struct case_tensor *t)
{
    int kept = 0;
    for (int e = 0; e < t->entries; e++) {
        bool inside = true;
        for (int m = 0; m < t->order; m++)
            inside &= t->entry[e].coordinate[m] < t->dimension[m];
        if (inside)
            t->entry[kept++] = t->entry[e];
    }
    t->entries = kept;
}

static void begin(struct shrinker *s) { s->next = *s->best; }

/* Keep what has been made of next, if it still fails. */
static bool attempt(struct shrinker *s)
{
    if (s->tries <= 0)
        return false;
    tidy(&s->next);
    if (s->next.nodes && !case_spell(&s->next))
        return false;
    s->tries--;
    if (!s->fails(&s->next, s->data))
        return false;
    *s->best = s->next;
    s->better = true;
    return true;
}

/* ---- the statement ---- */

static void shrink_nodes(struct shrinker *s)
{
    for (int n = 0; n < s->best->nodes; n++) {
        for (int a = 0; n < s->best->nodes && a < s->best->node[n].args; a++) {
            begin(s);
            s->next.node[n] = s->next.node[s->next.node[n].arg[a]];
            if (attempt(s))
                a = -1;
        }
        if (n < s->best->nodes && s->best->node[n].kind != TIN_LITERAL) {
            begin(s);
            s->next.node[n] = (struct case_node){.kind = TIN_LITERAL, .literal = "2"};
            attempt(s);
        }
    }
}

/* With an operator of the language's in the place of a user's. */
static void shrink_operator(struct shrinker *s, int n)
{
    begin(s);
    struct case_node *node = &s->next.node[n];
    if (!op_is_user(node->op) || op_arity(node->op) == 3
        || (node->kind != TIN_OP && node->kind != TIN_REDUCE))
        return;
    node->op = op_arity(node->op) == 1 ? OP_ABS : OP_ADD;
    attempt(s);
}

/* Those that nothing needs go. */
static void shrink_operators(struct shrinker *s)
{
    for (int n = 0; n < s->best->nodes; n++)
        shrink_operator(s, n);
    for (int i = s->best->operators - 1; i >= 0; i--) {
        begin(s);
        s->next.operators--;
        for (int k = i; k < s->next.operators; k++)
            s->next.operator[k] = s->next.operator[k + 1];
        attempt(s);
    }
}

static void shrink_result(struct shrinker *s)
{
    if (s->best->nodes == 0)
        return;
    if (s->best->assign != OP_NONE) {
        begin(s);
        s->next.assign = OP_NONE;
        attempt(s);
    }
    for (int m = 0; m < s->best->tensor[0].order; m++) {
        begin(s);
        struct case_tensor *y = &s->next.tensor[0];
        int mode = m, kept = 0;
        for (int i = m; i < y->order - 1; i++)
            s->next.result_var[i] = s->next.result_var[i + 1];
        for (int l = 0; l < y->order; l++)
            if (y->level[l].mode != mode)
                y->level[kept++] = y->level[l];
        y->named[0] = '\0';
        y->order--;
        for (int l = 0; l < y->order; l++)
            y->level[l].mode -= y->level[l].mode > mode;
        y->entries = 0;
        case_set_dimensions(&s->next);
        attempt(s);
    }
}

/* ---- sizes ---- */

static void shrink_sizes(struct shrinker *s)
{
    int same[CASE_VARS];
    for (int v = 0; v < s->best->vars && s->best->nodes; v++) {
        begin(s);
        if (s->best->declared[v]) {
            s->next.declared[v] = false;
            attempt(s);
            begin(s);
        }
        case_size_classes(s->best, same);
        for (int w = 0; w < s->best->vars; w++)
            if (same[w] == same[v] && s->next.extent[w] > 0)
                s->next.extent[w]--;
        case_set_dimensions(&s->next);
        for (int t = 0; t < s->next.tensors; t++)
            cut(&s->next.tensor[t]);
        if (s->best->extent[v] > 0 && attempt(s))
            v--;
    }
}

/* ---- tensors ---- */

static void shrink_entries(struct shrinker *s, int t)
{
    for (int count = s->best->tensor[t].entries; count > 0; count /= 2) {
        for (int e = 0; e < s->best->tensor[t].entries;) {
            begin(s);
            struct case_tensor *tensor = &s->next.tensor[t];
            int end = e + count < tensor->entries ? e + count : tensor->entries;
            memmove(&tensor->entry[e], &tensor->entry[end],
                    sizeof *tensor->entry * (size_t)(tensor->entries - end));
            tensor->entries -= end - e;
            if (!attempt(s))
                e += count;
        }
    }
}

static void shrink_values(struct shrinker *s, int t)
{
    for (int e = 0; e < s->best->tensor[t].entries; e++) {
        begin(s);
        struct value one = value_int(s->best->tensor[t].type, 1),
                     *value = &s->next.tensor[t].entry[e].value;
        if (!value_equal(*value, one)) {
            *value = one;
            attempt(s);
        }
    }
}

static void shrink_type(struct shrinker *s, int t)
{
    begin(s);
    struct case_tensor *tensor = &s->next.tensor[t];
    if (!value_is_zero(tensor->fill)) {
        tensor->fill = value_zero(tensor->type);
        attempt(s);
        begin(s);
    }
    if (tensor->type != TYPE_F64) {
        tensor->type = TYPE_F64;
        tensor->fill = value_convert(tensor->fill, TYPE_F64);
        for (int e = 0; e < tensor->entries; e++)
            tensor->entry[e].value = value_convert(tensor->entry[e].value, TYPE_F64);
        attempt(s);
    }
}

static bool same_level(const struct case_level *a, const struct case_level *b)
{
    return a->mode == b->mode && a->letter == b->letter && a->unique == b->unique
           && a->ordered == b->ordered && a->pos == b->pos && a->crd == b->crd;
}

static void shrink_level(struct shrinker *s, int t, int l)
{
    for (int step = 0; step < 6; step++) {
        begin(s);
        struct case_level *level = &s->next.tensor[t].level[l], old = *level;
        switch (step) {
        case 0:
            *level = (struct case_level){level->mode, 'd', true, true, TYPE_COUNT, TYPE_COUNT};
            break;
        case 1: level->pos = level->crd = TYPE_COUNT; break;
        case 2: level->ordered = true; break;
        case 3: level->unique = true; break;
        case 4: level->letter = level->letter == 'q' ? 's' : level->letter; break;
        case 5:
            if (level->letter != 'd')
                *level = (struct case_level){level->mode, 's', true, true, TYPE_COUNT, TYPE_COUNT};
            break;
        }
        if (!same_level(&old, level))
            attempt(s);
    }
}

/* Levels of one mode each, dense or compressed, in place of a format by its name. */
static void shrink_named(struct shrinker *s, int t)
{
    static const char letters[] = "ds";
    for (int k = 0;
         k < 1 << CASE_ORDER && *s->best->tensor[t].named && k < 1 << s->best->tensor[t].order;
         k++) {
        begin(s);
        struct case_tensor *tensor = &s->next.tensor[t];
        tensor->named[0] = '\0';
        for (int l = 0; l < tensor->order; l++)
            tensor->level[l] =
                (struct case_level){l, letters[k >> l & 1], true, true, TYPE_COUNT, TYPE_COUNT};
        attempt(s);
    }
}

static void shrink_order(struct shrinker *s, int t)
{
    begin(s);
    bool sorted = true;
    for (int l = 0; l < s->next.tensor[t].order; l++) {
        sorted &= s->next.tensor[t].level[l].mode == l;
        s->next.tensor[t].level[l].mode = l;
    }
    if (!sorted)
        attempt(s);
    begin(s);
    s->next.tensor[t].in_full = false;
    if (s->best->tensor[t].in_full)
        attempt(s);
}

static void shrink_tensor(struct shrinker *s, int t)
{
    shrink_entries(s, t);
    shrink_type(s, t);
    shrink_named(s, t);
    shrink_order(s, t);
    for (int l = 0; s->best->nodes && t < s->best->tensors && !*s->best->tensor[t].named
                    && l < s->best->tensor[t].order;
         l++)
        shrink_level(s, t, l);
    shrink_values(s, t);
}

void case_shrink(struct test_case *test, case_fails *fails, void *data, int tries)
{
    struct shrinker *s = calloc(1, sizeof *s);
    if (!s)
        return;
    s->best = test;
    s->fails = fails;
    s->data = data;
    s->tries = tries;
    do {
        s->better = false;
        shrink_nodes(s);
        shrink_result(s);
        shrink_operators(s);
        shrink_sizes(s);
        for (int t = 0; t < s->best->tensors; t++)
            shrink_tensor(s, t);
    } while (s->better && s->tries > 0);
    free(s);
}
