/* workspace.c - which formats a temporary tensor may have, and how its producer writes it (thesis
 * 5.4, 6.2).
 *
 * A dense workspace, or one of dense blocks, has places for components that are never written, and
 * its consumer would store all of them.  If it shows which ones were written, the last level gets
 * flags that say so.  It shows in the components that a sparse result stores, and in values: 0 / w
 * is 0 where w is written and 0 / 0 elsewhere.  The statement alone decides what is stored, so the
 * way in which a workspace is kept must not.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

/* Is it a level that is appended to, followed by branchless levels? */
static bool appends(const struct level_format *level, int levels)
{
    for (int k = 0; k < levels; k++)
        if (!level[k].type->append_coordinate
            || (k > 0) != !!(level[k].type->properties & LEVEL_BRANCHLESS))
            return false;
    return levels > 0;
}

bool workspace_is_list(const struct format *format)
{
    return appends(format->level, format->levels);
}

/* Is it a list below a located full level? */
static bool is_rows(const struct format *format)
{
    const struct level_format *first = format->level;
    return format->levels > 1 && level_has(first, LEVEL_FULL) && first->type->size
           && !first->type->insert && appends(first + 1, format->levels - 1);
}

static bool is_table(const struct format *format)
{
    return format->levels == 1 && format->level[0].type->is_full;
}

/* Have all levels a known size? */
static bool is_inserted(const struct format *format)
{
    for (int k = 0; k < format->levels; k++)
        if (!format->level[k].type->size || format->level[k].type->width)
            return false;
    return true;
}

enum workspace_kind workspace_kind(const struct format *format)
{
    if (workspace_is_list(format) || is_rows(format))
        return WORKSPACE_LIST;
    return is_inserted(format) ? WORKSPACE_INSERT
           : is_table(format)  ? WORKSPACE_TABLE
                               : WORKSPACE_NONE;
}

bool workspace_has_places(const struct format *format)
{
    bool places = workspace_kind(format) == WORKSPACE_INSERT;
    for (int level = 0; level < format->levels; level++)
        places &= !format->level[level].type->lists;
    return places;
}

struct workspace_lines workspace_lines(const struct tensor_var *temporary)
{
    static const struct workspace_lines lines[] = {
        [WORKSPACE_LIST] = {70, 5},
        [WORKSPACE_INSERT] = {15, 6},
        [WORKSPACE_TABLE] = {50, 45},
    };
    if (temporary->order == 0)
        return (struct workspace_lines){3, 1};
    enum workspace_kind kind = workspace_kind(temporary->format);
    bool has_coordinates = kind == WORKSPACE_LIST;
    return (struct workspace_lines){
        lines[kind].kept, lines[kind].put + (has_coordinates ? temporary->format->levels : 0)};
}

/* ---- presence ---- */

/* Lists the value's accesses that may be absent: sparse operands, and temporaries (w alone, unless
 * that is NULL). */
static struct cin_list perhaps_absent(struct context *cx, const struct cin *value,
                                      const struct tensor_var *w)
{
    struct cin_list read = cin_operands(cx, value), some = {0};
    for (size_t i = 0; i < read.n; i++) {
        const struct tensor_var *t = read.at[i]->tensor;
        if ((w && t->temporary) || tensor_var_is_scalar(t) || !format_is_dense(t->format))
            vec_push(cx->arena, &some, read.at[i]);
    }
    return some;
}

static bool always_stores(struct context *cx, const struct cin *assign)
{
    struct cin_list unsure = perhaps_absent(cx, assign->arg[1], NULL);
    return !cin_may_be_nothing(cx, assign, &unsure);
}

/* A value or an assignment, its reads of w, and its reads of others that may be absent. */
struct consumer {
    struct context *cx;
    const struct cin *within; /* the statement that computes temporaries */
    const struct cin *of;
    struct cin_list w, others;
};

static struct consumer consumer_of(struct context *cx, const struct cin *within,
                                   const struct cin *of, const struct tensor_var *w)
{
    struct consumer c = {.cx = cx, .within = within, .of = of};
    struct cin_list read = perhaps_absent(cx, of, w);
    for (size_t i = 0; i < read.n; i++)
        vec_push(cx->arena, read.at[i]->tensor == w ? &c.w : &c.others, read.at[i]);
    return c;
}

/* With these operands absent: is the value a constant if w is present, and another if it is not? */
static bool tells(const struct cin_list *absent, void *data)
{
    const struct consumer *c = data;
    const struct cin *value = cin_with_fills(c->cx, c->of, absent);
    return !cin_alike(cin_simplify(c->cx, value), cin_simplify_unsure(c->cx, value, &c->w));
}

/* Is the temporary a sum, or computed from one?  A copy of an operand is neither. */
static bool holds_sums(struct context *cx, const struct cin *within, const struct tensor_var *t)
{
    struct cin_list made = cin_assignments(cx, within);
    bool sums = false;
    for (size_t i = 0; i < made.n && t->temporary && !sums; i++) {
        if (made.at[i]->arg[0]->tensor != t)
            continue;
        struct cin_list read = cin_operands(cx, made.at[i]->arg[1]);
        sums = made.at[i]->op != OP_NONE;
        for (size_t k = 0; k < read.n && !sums; k++)
            sums = read.at[k]->tensor != t && holds_sums(cx, within, read.at[k]->tensor);
    }
    return sums;
}

/* With these operands absent: does the assignment have another effect where nothing was added to w
 * than where w is a number?  If it has none for any w, it has if sums are among the absent, since 0
 * / 0 of two empty sums is not a number. */
static bool decides(const struct cin_list *absent, void *data)
{
    const struct consumer *c = data;
    const struct cin *assign = cin_with_fills(c->cx, c->of, absent),
                     *any = cin_simplify(c->cx, assign),
                     *none = cin_simplify(c->cx, cin_with_fills(c->cx, assign, &c->w));
    bool sums = false;
    for (size_t i = 0; i < absent->n; i++)
        sums |= holds_sums(c->cx, c->within, absent->at[i]->tensor);
    return cin_is_decided(any) ? sums && !cin_alike(any, none) : cin_is_decided(none);
}

bool workspace_decides(struct context *cx, const struct cin *within, const struct cin *assign,
                       const struct tensor_var *w)
{
    struct consumer c = consumer_of(cx, within, assign, w);
    return cin_kept(assign) || cin_any_absent(cx, &c.others, decides, &c);
}

/* ---- blocks that are stored whole ---- */

struct loops_known {
    struct context *cx;
    const struct cin *assign;
    /* leaves out the loops over the levels of this access from `from` on */
    const struct cin *without;
    int from;
    struct known known;
};

static bool add_loop(const struct cin *cin, void *data)
{
    struct loops_known *l = data;
    bool out = cin->kind != CIN_FORALL || !cin_contains(cin, l->assign);
    for (int level = l->from; level < l->without->tensor->format->levels && !out; level++)
        out = access_level_var(l->without, level) == cin->index[0];
    if (!out)
        l->known = known_with(l->cx, &l->known, cin->index[0]);
    return false;
}

struct parts_search {
    struct context *cx;
    const struct cin_program *program;
    const struct tensor_var *w;
};

/* Is it a parallel loop that writes the workspace, which is read outside of it? */
static bool is_in_parts(const struct cin *cin, void *data)
{
    const struct parts_search *s = data;
    if (cin->kind != CIN_FORALL || !cin_parallel(s->program, cin) || !cin_assigns(cin, s->w))
        return false;
    struct cin_list read = cin_operands(s->cx, cin);
    bool reads = false;
    for (size_t i = 0; i < read.n; i++)
        reads |= read.at[i]->tensor == s->w;
    return !reads;
}

/* Returns the first of the trailing levels that have a place for every coordinate. */
static int first_full(const struct format *format)
{
    int levels = format->levels;
    while (levels > 0 && format->level[levels - 1].type->stored == LEVEL_ALL)
        levels--;
    return levels;
}

/* Is w copied to blocks that are stored whole, and does w have the same blocks, below a level that
 * says which ones were written?  Then both hold the fill at places that were not written.  Not if
 * parts of a parallel loop share a block: a part would hand over fills for what another has
 * written. */
static bool copies_blocks(struct context *cx, const struct cin_program *program,
                          const struct cin *assign, const struct tensor_var *w)
{
    const struct cin *to = assign->arg[0], *from = assign->arg[1];
    const int full = first_full(w->format);
    struct parts_search parts = {cx, program, w};
    if (from->kind != CIN_ACCESS || assign->op != OP_NONE || full == 0
        || !value_equal(w->fill, to->tensor->fill)
        || cin_any(program->statement, is_in_parts, &parts))
        return false;
    struct loops_known loops = {cx, assign, from, full, known_none(cx, program)};
    cin_any(program->statement, add_loop, &loops);
    for (int level = 0; level < format_assembled(to->tensor->format); level++)
        if (!known_has(&loops.known, access_level_var(to, level)))
            return false;
    for (int level = full; level < w->format->levels; level++)
        if (known_has(&loops.known, access_level_var(from, level)))
            return false;
    return true;
}

/* Do the components of w that were written decide what is stored, in the result or in a workspace
 * with flags, or a value there? */
static bool shows(struct context *cx, const struct cin_program *program, const struct tensor_var *w)
{
    struct cin_list made = cin_assignments(cx, program->statement);
    bool reduces = false; /* an empty sum counts as any number does */
    for (size_t i = 0; i < made.n; i++)
        reduces |= made.at[i]->arg[0]->tensor == w && made.at[i]->op != OP_NONE;
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *target = made.at[i]->arg[0]->tensor;
        struct consumer c = consumer_of(cx, program->statement, made.at[i]->arg[1], w);
        if (!cin_uses_tensor(c.of, w))
            continue;
        if (!reduces && cin_any_absent(cx, &c.others, tells, &c))
            return true;
        if (made.at[i]->args > 2 || !workspace_decides(cx, program->statement, made.at[i], w)
            || copies_blocks(cx, program, made.at[i], w))
            continue; /* the assignment stores what is given, everything, or just what w has */
        if (format_assembled(target->format) > 0
            || (target->temporary && shows(cx, program, target)))
            return true;
    }
    return false;
}

/* Returns a workspace with places for components that may not be written, if that shows; else NULL.
 */
static const struct tensor_var *find_unmarked(struct context *cx, const struct cin_program *program)
{
    struct cin_list made = cin_assignments(cx, program->statement);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *w = made.at[i]->arg[0]->tensor;
        if (w->temporary && w->order > 0 && workspace_kind(w->format) == WORKSPACE_INSERT
            && w->format->level[w->format->levels - 1].type->with_flags
            && (made.at[i]->op != OP_NONE || !always_stores(cx, made.at[i]))
            && shows(cx, program, w))
            return w;
    }
    return NULL;
}

static const struct tensor_var *with_flags(struct context *cx, const struct tensor_var *w)
{
    struct tensor_var *marked = arena_copy(cx->arena, w, sizeof *w);
    struct format *format = arena_copy(cx->arena, w->format, sizeof *format);
    struct level_format *level =
        arena_copy(cx->arena, format->level, sizeof *level * (size_t)format->levels);
    struct level_format *last = &level[format->levels - 1];
    last->type = last->type->with_flags;
    last->properties = last->type->properties;
    format->level = level;
    marked->format = format;
    return marked;
}

const struct cin *workspace_replace(struct context *cx, const struct cin *in,
                                    const struct tensor_var *from, const struct tensor_var *to)
{
    const struct cin **arg = arena_array(cx->arena, const struct cin *, in->args);
    for (int i = 0; i < in->args; i++)
        arg[i] = workspace_replace(cx, in->arg[i], from, to);
    if (in->kind == CIN_ACCESS)
        return in->tensor == from ? cin_access(cx, to, in->index, in->indices) : in;
    return in->args ? cin_with_args(cx, in, arg) : in;
}

const struct cin *workspace_mark(struct context *cx, const struct cin_program *program)
{
    struct cin_program marked = *program;
    const struct tensor_var *w;
    while ((w = find_unmarked(cx, &marked)))
        marked.statement = workspace_replace(cx, marked.statement, w, with_flags(cx, w));
    return marked.statement;
}

/* Does a loop look at the coordinates of w that others have, or that all have? */
static bool is_located(const struct tree_node *node, const struct tensor_var *w)
{
    bool located = false;
    for (int i = 0; node->lattice && i < node->lattice->iterators; i++) {
        const struct lattice_iterator *it = &node->lattice->iterator[i];
        located |= it->access->tensor == w && it->first == 0
                   && (it->full || !bits_has(node->lattice->iterated, i));
    }
    for (int i = 0; i < node->children && !located; i++)
        located = is_located(node->child[i], w);
    return located;
}

bool workspace_is_listed(struct context *cx, const struct tree_node *where,
                         const struct cin *assign)
{
    const struct tensor_var *w = assign->arg[0]->tensor;
    struct cin_list read = cin_operands(cx, where->statement->arg[1]);
    bool apart = assign->args == 2;
    for (size_t i = 0; i < read.n; i++)
        apart &= read.at[i]->tensor != w;
    return apart && !is_located(where->child[0], w);
}
