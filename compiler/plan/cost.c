/* cost.c - what a program costs: how often each of its loops runs, in dimensions and in what
 * levels store.
 *
 * Costs are in steps of a simple loop; what other steps take the target says (compiler/target.h).
 *
 * Each loop's lattice says what it walks along, what it looks up, and where its body runs: a union
 * at all of its operands' coordinates, an intersection at those of one of them at most, of which as
 * many are expected as if the operands were independent.  How many these are sizes.c says.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/monomial.h"

#include <math.h>

#include "compiler/plan/contraction.h"
#include "compiler/plan/sizes.h"
#include "compiler/target.h"
#include "compiler/tree/tree.h"

/* How often one run of a where's producer writes a tensor: every where around asks again. */
struct written {
    const struct tree_node *producer;
    struct made made;
};
struct written_list {
    struct written *at;
    size_t n, capacity;
};

/* The cost of a producer outside all loops. */
struct priced {
    const struct tree_node *producer;
    struct cost cost, once;
};

/* Of producers that read no workspace of the wheres around them.  These cost the same in every
 * program, and the alternatives at one site share the producers of all others. */
struct cost_memo {
    struct written_list written;
    VEC(struct priced) priced;
};

/* An operand whose blocks a loop walks, and how often the body runs; there: at the stored blocks
 * alone; somewhere: at stored blocks of some operand. */
struct block {
    const struct lattice_iterator *it;
    bool there, somewhere;
    struct cost runs;
};

struct costing {
    struct sizes sizes;
    struct cost_memo *memo;
    int loops;                   /* around the current statement */
    VEC(struct block) blocks;    /* of the loops around, outermost first */
    struct cost once;            /* of what is done once for all iterations */
    struct written_list written; /* of the other producers */
};

static struct cost statement_cost(struct costing *c, const struct tree_node *s);
static struct cost writes_of(struct costing *c, const struct tree_node *s,
                             const struct tensor_var *tensor);

/* Returns a cost that the target has in hundredths of a step. */
static double steps(int64_t cost) { return (double)cost / 100; }

static const struct target *machine(const struct costing *c) { return target_of(c->sizes.cx); }

static struct cost constant(const struct costing *c, double value)
{
    return cost_constant(c->sizes.symbols, value);
}
static struct cost sum_of(const struct costing *c, struct cost a, struct cost b)
{
    return cost_add(c->sizes.symbols, a, b);
}
static struct cost scale(const struct costing *c, struct cost a, double by)
{
    return cost_scale(c->sizes.symbols, a, by);
}

static struct cost product_of(const struct costing *c, struct cost a, struct cost b)
{
    return cost_multiply(c->sizes.symbols, a, b);
}

/* ---- loops ---- */

static bool is_least(const struct lattice *lattice, int p)
{
    struct bits present = lattice->point[p].present;
    for (int i = 0; i < lattice->points; i++) {
        struct bits other = lattice->point[i].present;
        if (!bits_empty(other) && bits_within(other, present) && !bits_equal(other, present))
            return false;
    }
    return !bits_empty(present);
}

/* Enters a loop's body, which runs this often.  Returns how many blocks there are around it. */
static size_t enter(struct costing *c, const struct lattice *lattice, struct cost runs)
{
    size_t around = c->blocks.n;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        bool walks = bits_has(lattice->iterated, bit);
        struct block block = {&lattice->iterator[bit], walks, walks && !lattice->dimension, runs};
        for (int p = 0; p < lattice->points; p++)
            block.there &= bits_has(lattice->point[p].present, bit);
        if (lattice_walks_blocks(block.it))
            vec_push(c->sizes.cx->arena, &c->blocks, block);
    }
    return around;
}

static void leave(struct costing *c, size_t around) { c->blocks.n = around; }

/* Returns how many of the operand's blocks the loops around visit. */
static struct block visited_blocks(const struct costing *c, const struct lattice_iterator *it)
{
    for (size_t i = c->blocks.n; i-- > 0;)
        if (c->blocks.at[i].it->first == it->first && lattice_is_at(c->blocks.at[i].it, it->access))
            return c->blocks.at[i];
    return (struct block){0};
}

/* Returns how much of a level the loop finds: all below a parent, or the share of one block.  The
 * blocks are all, or those with something stored if the loops visit these alone: in this operand,
 * or in one of several. */
static struct cost share_of_coordinates(struct costing *c, const struct lattice_iterator *it,
                                        struct cost found)
{
    const struct index_var *var = access_level_var(it->access, it->first);
    const struct block block = visited_blocks(c, it);
    for (int i = 0; i < it->path.steps; i++) {
        const struct known_step *step = &it->path.step[i];
        const struct index_var *part = known_part(step);
        if (!step->divides && block.there)
            found = cost_divide(c->sizes.symbols, found,
                                cost_least(found, sizes_of_var(&c->sizes, step->by->child[0])));
        else if (!step->divides && block.somewhere)
            found = block.runs.terms == 1
                        ? cost_divide(c->sizes.symbols, found, block.runs)
                        : constant(c, cost_value(found) / fmax(1, cost_value(block.runs)));
        else if (!step->divides)
            found =
                cost_divide(c->sizes.symbols, product_of(c, found, sizes_of_var(&c->sizes, part)),
                            sizes_of_var(&c->sizes, var));
        var = part;
    }
    return found;
}

/* Returns at how many of the loop's coordinates an iterator has a component.  If it is looked up by
 * a function of the loop's variable, as by its block, it has one at all with that value. */
static struct cost found_by(struct costing *c, const struct lattice_iterator *it,
                            const struct index_var *loop)
{
    struct cost found =
        share_of_coordinates(c, it, sizes_of_children(&c->sizes, it->access, it->first));
    struct cost range = sizes_of_var(&c->sizes, loop),
                stored = sizes_of_level(&c->sizes, it->access, it->first);
    if (it->walks || cost_value(range) <= cost_value(stored))
        return found;
    return cost_divide(c->sizes.symbols, product_of(c, found, range), stored);
}

/* Does the level's coordinate follow from those of the levels above? */
static bool follows(struct costing *c, const struct cin *access, int level)
{
    struct known known = known_none(c->sizes.cx, c->sizes.program);
    for (int above = 0; above < level; above++)
        known = known_with(c->sizes.cx, &known, access_level_var(access, above));
    return known_has(&known, access_level_var(access, level));
}

/* Returns which share of the lookups in levels below the first succeeds. */
static double part_below(struct costing *c, const struct lattice_iterator *it)
{
    double part = 1;
    for (int level = it->first + 1; level < it->end; level++)
        if (!follows(c, it->access, level))
            part *= cost_value(sizes_of_children(&c->sizes, it->access, level))
                    / cost_value(sizes_of_level(&c->sizes, it->access, level));
    return part;
}

/* Returns at how many coordinates all present iterators have a component.  The order is that of the
 * one with the fewest, a walked one if there is a tie.  The number is that of independent
 * iterators.  Coordinates that come again count again. */
static struct cost meet(struct costing *c, const struct tree_node *forall, struct bits present)
{
    const struct lattice *lattice = forall->lattice;
    struct cost size = sizes_of_var(&c->sizes, lattice->var), fewest = size;
    double all = cost_value(size), together = 1;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        if (!bits_has(present, bit) || (it->first == it->end && !it->walks))
            continue;
        struct cost found = found_by(c, it, lattice->var);
        bool walked = bits_has(lattice->iterated, bit), again = walked && !forall->distinct;
        double part = cost_value(found) / all;
        together *= (again ? part : fmin(1, part)) * part_below(c, it);
        fewest = again ? found : walked ? cost_least(found, fewest) : cost_least(fewest, found);
    }
    return scale(c, fewest, all * together / cost_value(fewest));
}

/* Returns how often the body runs. */
static struct cost body_runs(struct costing *c, const struct tree_node *forall)
{
    const struct lattice *lattice = forall->lattice;
    struct cost runs = {0}, size = sizes_of_var(&c->sizes, lattice->var);
    if (lattice_is_tied(lattice))
        return constant(c, 1);
    for (int p = 0; p < lattice->points - lattice->rest; p++) {
        if (bits_empty(lattice->point[p].present))
            return size;
        if (is_least(lattice, p))
            runs = sum_of(c, runs, meet(c, forall, lattice->point[p].present));
    }
    return forall->distinct ? cost_least(runs, size) : runs;
}

/* Returns the part of its lists that a loop goes along: an intersection ends with the list that
 * ends first, and of n entries in random places the last is at 1 - (1 - exp(-n)) / n of the range.
 */
static double part_walked(struct costing *c, const struct lattice *lattice)
{
    double part = 1;
    for (int p = 0; p < lattice->points - lattice->rest; p++)
        if (lattice->dimension || !bits_within(lattice->iterated, lattice->point[p].present))
            return 1;
    for (int bit = 0; bit < lattice->sparse && bits_count(lattice->iterated) > 1; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        double n = bits_has(lattice->iterated, bit) ? cost_value(found_by(c, it, lattice->var)) : 0;
        part = n > 0 ? fmin(part, 1 + expm1(-n) / n) : part;
    }
    return part;
}

static double locate_cost(struct costing *c, const struct lattice_iterator *it, int first)
{
    double cost = 0;
    for (int level = first; level < it->end; level++) {
        const struct level_format *format = &it->access->tensor->format->level[level];
        struct cost children = sizes_of_children(&c->sizes, it->access, level);
        if (!level_has(format, LEVEL_FULL))
            cost += format->type->locates_fast
                        ? 1
                        : steps(machine(c)->search_cost) * log2(2 + cost_value(children));
    }
    return cost;
}

/* Returns the steps of a loop along lists that intersect: along the shortest, with searches in the
 * others, if lengths are very unequal.  The order stays that of all, since they may be alike. */
static struct cost sought(struct costing *c, const struct lattice *lattice, struct cost walked)
{
    double fewest = INFINITY, searches = 0;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        if (!bits_has(lattice->iterated, bit))
            continue;
        double found = cost_value(sizes_of_children(&c->sizes, it->access, it->first));
        searches += steps(machine(c)->search_cost) * log2(2 + found);
        fewest = fmin(fewest, found);
    }
    double part = fewest * searches / cost_value(walked);
    return part < 1 && lattice_seeks(lattice, lattice->iterated) ? scale(c, walked, part) : walked;
}

static struct cost forall_cost(struct costing *c, const struct tree_node *forall)
{
    const struct lattice *lattice = forall->lattice;
    if (lattice->infeasible)
        return (struct cost){.impossible = true};
    struct cost walked = {0};
    if (lattice->dimension)
        walked = lattice_is_tied(lattice) ? constant(c, 1) : sizes_of_var(&c->sizes, lattice->var);
    double looked = 1,
           merged = bits_count(lattice->iterated) > 1 ? steps(machine(c)->merge_cost) - 1 : 0;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        bool walks = bits_has(lattice->iterated, bit);
        if (walks) {
            struct cost found =
                share_of_coordinates(c, it, sizes_of_children(&c->sizes, it->access, it->first));
            walked = sum_of(
                c, walked,
                share_of_coordinates(c, it, sizes_of_positions(&c->sizes, it->access, it->first)));
            walked = merged > 0 ? sum_of(c, walked, scale(c, found, merged)) : walked;
        }
        if (walks || bits_has(lattice->located, bit))
            looked += locate_cost(c, it, it->first + walks);
    }
    walked = sought(c, lattice, scale(c, walked, part_walked(c, lattice)));
    struct cost runs = body_runs(c, forall);
    size_t around = enter(c, lattice, runs);
    c->loops++;
    double extra = plan_extra_steps(&c->sizes, forall->whole->statement, lattice->var);
    struct cost body = sum_of(c, statement_cost(c, forall->whole), constant(c, extra)),
                inside = product_of(c, runs, body);
    c->loops--;
    leave(c, around);
    if (lattice->rest)
        inside = sum_of(c, inside, statement_cost(c, forall->child[lattice->points - 1]));
    return sum_of(c, sum_of(c, constant(c, 1), scale(c, walked, looked)), inside);
}

/* ---- workspaces ---- */

/* Returns how many components there are below one coordinate of the levels before this one. */
static struct cost places_below(struct costing *c, const struct cin *store, int level)
{
    struct cost places = constant(c, 1);
    for (; level < store->tensor->format->levels; level++)
        places = product_of(c, places, sizes_of_level(&c->sizes, store, level));
    return places;
}

/* Returns the cost of emptying an array of all coordinates of the first mode, with this many
 * components each.  Operands have such arrays, too: only a large one counts in the cost's order. */
static struct cost capacity_cost(struct costing *c, const struct cin *store, struct cost each)
{
    struct cost room = scale(c, product_of(c, sizes_of_level(&c->sizes, store, 0), each),
                             steps(machine(c)->fill_cost));
    return plan_is_wide(c->sizes.cx, access_level_var(store, 0)) ? room
                                                                 : constant(c, cost_value(room));
}

/* Returns the cost of listing what was touched of the first level.  A few are inserted, each before
 * a quarter of all on average; of more the digits are counted (prelude/sort.ir). All that is below
 * is emptied. */
static struct cost listed_cost(struct costing *c, const struct cin *store, struct cost entries,
                               bool sorts)
{
    struct cost touched = sizes_of_nodes(&c->sizes, store, 0, entries),
                below = places_below(c, store, 1);
    double each = 1;
    if (sorts)
        each += fmin(cost_value(touched) / 4, steps(machine(c)->sort_cost));
    if (store->tensor->format->levels > 1)
        each += cost_value(below) * steps(machine(c)->fill_cost);
    c->once = sum_of(c, c->once, capacity_cost(c, store, below));
    return scale(c, touched, each);
}

/* Returns the cost of a store far from the last one: higher where entries overflow the caches. */
static double far_steps(struct costing *c, const struct cin *store, struct cost entries)
{
    const double bytes = cost_value(entries) * (double)(type_size(store->tensor->type) + 4);
    return bytes > (double)machine(c)->l3 ? steps(machine(c)->far_cost) : 0;
}

/* Returns the cost of sorting an entry of a list by these levels, one after the other: it goes to
 * one of a few places where a level has few values, as inside a block, else far from the last one.
 */
static double sorting(struct costing *c, const struct cin *store, struct sorted_levels by,
                      struct cost entries)
{
    bool is_vector = store->tensor->format->levels == 1;
    double cost = 0;
    for (int level = by.first; level < by.end; level++)
        cost += steps(machine(c)->sort_cost)
                + (is_vector || cost_is_constant(sizes_of_level(&c->sizes, store, level))
                       ? 0
                       : far_steps(c, store, entries));
    return cost;
}

/* Returns the cost of making, sorting and emptying a workspace, for one run of its producer. */
static struct cost workspace_cost(struct costing *c, const struct cin *producer,
                                  const struct made *made)
{
    const struct format *format = made->tensor->format;
    const struct level_format *root = &format->level[0];
    struct var_list loops = {0};
    const struct cin *store = plan_find_store(c->sizes.cx, producer, made->tensor, &loops);
    struct cost fit = places_below(c, store, 0), entries = cost_least(made->entries, fit);
    if (workspace_kind(format) == WORKSPACE_INSERT && !root->type->lists)
        return scale(c, fit, steps(machine(c)->fill_cost));
    struct sorted_levels by = {0};
    if (level_has(root, LEVEL_ORDERED))
        by = plan_sorted_levels(c->sizes.cx, c->sizes.program, store, &loops);
    /* each is looked for, and the table walked along */
    if (format->levels == 1 && root->type->is_full)
        return sum_of(c, scale(c, made->writes, steps(machine(c)->probe_cost)), entries);
    if (workspace_kind(format) == WORKSPACE_INSERT) /* each write looks whether it is the first */
        return sum_of(c, made->writes, listed_cost(c, store, entries, by.first < by.end));
    struct cost rows = {0};
    if (level_has(root, LEVEL_FULL))
        rows = c->loops > 0 ? sizes_of_level(&c->sizes, store, 0)
                            : capacity_cost(c, store, constant(c, 1));
    return sum_of(c, rows, scale(c, made->writes, 1 + sorting(c, store, by, entries)));
}

/* Is the component known inside the first n loops, without one of them? */
static bool is_known(struct costing *c, const struct tree_node *s, const struct cin *store,
                     const struct var_list *loops, size_t n, size_t without)
{
    struct known known = s->around.known;
    for (size_t k = 0; k < n; k++)
        if (k != without)
            known = known_with(c->sizes.cx, &known, loops->at[k]);
    for (int i = 0; i < store->indices; i++)
        if (!store->index[i]->literal && !known_has(&known, store->index[i]))
            return false;
    return true;
}

/* Do the loops in s write the same component again?  They do if the component is known without one
 * of the loops by which it gets known.  Loops inside these reduce into a register. */
static bool repeats(struct costing *c, const struct tree_node *s, const struct tensor_var *tensor)
{
    struct var_list loops = {0};
    const struct cin *store = plan_find_store(c->sizes.cx, s->statement, tensor, &loops);
    size_t n = 0;
    while (store && n < loops.n && !is_known(c, s, store, &loops, n, loops.n))
        n++;
    for (size_t without = 0; without < n; without++)
        if (is_known(c, s, store, &loops, n, without))
            return true;
    return false;
}

/* Does s read no workspace of the wheres around it? */
static bool is_apart(const struct costing *c, const struct tree_node *s)
{
    for (size_t i = 0; i < c->sizes.made.n; i++)
        if (cin_uses_tensor(s->statement, c->sizes.made.at[i].tensor))
            return false;
    return true;
}

/* Returns the cost of what the producer writes to the tensor. */
static struct made made_by(struct costing *c, const struct tree_node *producer,
                           const struct tensor_var *tensor)
{
    bool apart = is_apart(c, producer);
    struct written_list *list = apart ? &c->memo->written : &c->written;
    for (size_t k = 0; k < list->n; k++)
        if (list->at[k].producer == producer && list->at[k].made.tensor == tensor)
            return list->at[k].made;
    struct cost writes = writes_of(c, producer, tensor);
    struct cost entries = scale(c, writes, repeats(c, producer, tensor) ? plan_distinct(1) : 1);
    struct made made = {tensor, apart ? cost_keep(c->sizes.symbols, writes) : writes,
                        apart ? cost_keep(c->sizes.symbols, entries) : entries};
    vec_push(c->sizes.cx->arena, list, ((struct written){producer, made}));
    return made;
}

/* Adds the workspaces of a where, and what its producer writes to them. */
static void push_made(struct costing *c, const struct tree_node *node)
{
    const struct cin *where = node->statement;
    struct cin_list assigned = cin_assignments(c->sizes.cx, where->arg[1]);
    VEC(struct made) made = {0};
    for (size_t i = 0; i < assigned.n; i++) {
        const struct tensor_var *tensor = assigned.at[i]->arg[0]->tensor;
        bool known =
            !tensor->temporary || tensor->order == 0 || !cin_uses_tensor(where->arg[0], tensor);
        for (size_t k = 0; k < made.n && !known; k++)
            known = made.at[k].tensor == tensor;
        if (!known)
            vec_push(c->sizes.cx->arena, &made, made_by(c, node->child[1], tensor));
    }
    for (size_t i = 0; i < made.n; i++)
        vec_push(c->sizes.cx->arena, &c->sizes.made, made.at[i]);
}

/* Is the stored component known outside s?  Then the loops in s reduce into a register, and store
 * it once. */
static bool is_reduced(struct costing *c, const struct tree_node *s,
                       const struct tensor_var *tensor)
{
    struct var_list loops = {0};
    const struct cin *store = plan_find_store(c->sizes.cx, s->statement, tensor, &loops);
    return store && is_known(c, s, store, &loops, 0, 0);
}

static struct cost writes_of(struct costing *c, const struct tree_node *s,
                             const struct tensor_var *tensor)
{
    size_t mark = c->sizes.made.n;
    struct cost writes = {0};
    if (s->statement->kind == CIN_ASSIGN)
        return constant(c, s->statement->arg[0]->tensor == tensor);
    if (s->lattice) {
        struct cost runs = body_runs(c, s);
        size_t around = enter(c, s->lattice, runs);
        writes = product_of(c, runs, writes_of(c, s->whole, tensor));
        leave(c, around);
        return is_reduced(c, s, tensor) ? cost_least(constant(c, 1), writes) : writes;
    }
    if (s->statement->kind == CIN_WHERE)
        push_made(c, s);
    for (int i = 0; i < s->children; i++)
        writes = sum_of(c, writes, writes_of(c, s->child[i], tensor));
    c->sizes.made.n = mark;
    return writes;
}

static struct priced price(struct costing *c, const struct tree_node *producer)
{
    for (size_t i = 0; i < c->memo->priced.n; i++)
        if (c->memo->priced.at[i].producer == producer)
            return c->memo->priced.at[i];
    struct cost once = c->once;
    c->once = (struct cost){0};
    struct cost cost = cost_keep(c->sizes.symbols, statement_cost(c, producer));
    struct priced priced = {producer, cost, cost_keep(c->sizes.symbols, c->once)};
    c->once = once;
    vec_push(c->sizes.cx->arena, &c->memo->priced, priced);
    return priced;
}

static struct cost producer_cost(struct costing *c, const struct tree_node *producer)
{
    if (c->loops > 0 || !is_apart(c, producer))
        return statement_cost(c, producer);
    struct priced priced = price(c, producer);
    c->once = sum_of(c, c->once, priced.once);
    return priced.cost;
}

static struct cost where_cost(struct costing *c, const struct tree_node *node)
{
    const struct cin *where = node->statement;
    size_t mark = c->sizes.made.n;
    struct cost cost = producer_cost(c, node->child[1]);
    push_made(c, node);
    for (size_t i = mark; i < c->sizes.made.n; i++)
        cost = sum_of(c, cost, workspace_cost(c, where->arg[1], &c->sizes.made.at[i]));
    cost = sum_of(c, cost, statement_cost(c, node->child[0]));
    c->sizes.made.n = mark;
    return cost;
}

static struct cost statement_cost(struct costing *c, const struct tree_node *s)
{
    switch (s->statement->kind) {
    case CIN_ASSIGN: return constant(c, 1);
    case CIN_FORALL: return forall_cost(c, s);
    case CIN_WHERE: return where_cost(c, s);
    case CIN_SEQUENCE:
    case CIN_MULTI:
        return sum_of(c, statement_cost(c, s->child[0]), statement_cost(c, s->child[1]));
    case CIN_NOTHING:
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP: return (struct cost){0};
    }
    return (struct cost){0};
}

/* Returns the cost of the arrays of the result's first levels, which are made whatever is stored,
 * as long as these levels have all coordinates. */
static struct cost result_cost(struct costing *c, const struct cin *result)
{
    struct cost all = constant(c, 1);
    for (int level = 0; level < result->tensor->format->levels; level++) {
        if (result->tensor->format->level[level].type->stored != LEVEL_ALL)
            break;
        all = product_of(c, all, sizes_of_level(&c->sizes, result, level));
    }
    return scale(c, all, steps(machine(c)->fill_cost));
}

/* Returns the cost of a result whose components do not come in their order: it is run through
 * twice, and each component is counted, then stored far from the last one. */
static struct cost count_cost(struct costing *c, const struct tree *tree)
{
    if (tree->assembly.kind != ASSEMBLY_COUNT)
        return (struct cost){0};
    const struct cost writes = writes_of(c, tree->root, tree->result->tensor);
    return scale(c, writes, 1 + steps(machine(c)->sort_cost) + far_steps(c, tree->result, writes));
}

struct cost plan_cost(struct cost_symbols *symbols, const struct cin_program *program,
                      bool *is_whole)
{
    struct context *cx = symbols->cx;
    const struct tree *tree = program ? plan_tree(cx, program) : NULL;
    *is_whole = true;
    if (!tree)
        return (struct cost){.impossible = true};
    if (!symbols->memo)
        symbols->memo = arena_make(cx->arena, struct cost_memo);
    struct costing c = {.sizes = {.cx = cx, .symbols = symbols, .program = tree->program},
                        .memo = symbols->memo};
    symbols->used = 0;
    *is_whole = !tree->infeasible;
    struct cost cost = sum_of(&c, statement_cost(&c, tree->root), sizes_of_masks(&c.sizes));
    for (int r = 0; r < tree->results; r++) {
        cost = sum_of(&c, cost, result_cost(&c, tree->of[r]->result));
        cost = sum_of(&c, cost, count_cost(&c, tree->of[r]));
    }
    return cost_keep(symbols, sum_of(&c, cost, c.once));
}
