/* launch_host.c - what stands around launches, where memory is the device's.
 *
 *     a scalar that is read from an operand       is read in each launch that uses it
 *     a number that host code needs               is fetched: how much to allocate, say
 *     loops and stores                            are a launch of one thread
 *
 *     launch(1, 32) block, thread
 *         if (thread == 0)
 *             for (i32 k = 0; k < n; k++)
 *                 sum += x_vals[k]
 *             sum_out[0] = sum
 *     fetch sum = sum_out[0]                      if what follows uses it
 *
 * So a kernel fetches only what its host code asks for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"
#include "compiler/lower/parallel/launch.h"

/* A scalar that each launch reads by itself; and its value for host code, once that has fetched
 * it, or NULL. */
struct read_scalar {
    const struct imp *declare, *fetched;
};

struct host {
    struct kernel *k;
    const struct imp *body; /* the kernel's, as it was lowered */
    int loops;              /* around the statement at hand, of host code */
    VEC(struct read_scalar) read;
    /* statements in a row that one thread of the device will run, if they touch memory */
    VEC(const struct imp *) waiting;
};

/* ---- what a statement does ---- */

static struct read_scalar *find_read(const struct host *h, const struct imp_var *var)
{
    for (size_t i = h->read.n; i-- > 0;)
        if (h->read.at[i].declare->var == var)
            return &h->read.at[i];
    return NULL;
}

static bool touches_memory(const struct imp *imp, void *data)
{
    (void)data;
    bool is = imp->kind == IMP_LOAD || imp->kind == IMP_STORE || imp->kind == IMP_ATOMIC;
    for (int i = 0; i < imp->args && imp->kind == IMP_CALL && !imp_launches(imp); i++)
        is |= imp->arg[i]->kind == IMP_VAR && imp->arg[i]->var->array;
    return is;
}

static bool touches(const struct imp *imp, void *data)
{
    return touches_memory(imp, NULL) || (imp->kind == IMP_VAR && find_read(data, imp->var));
}

/* Does it set a number by others, which host code fetches if it has not? */
static bool sets_number(const struct imp *imp)
{
    return imp->kind == IMP_ASSIGN && type_is_integer(imp->var->type)
           && !imp_any(imp->arg[0], touches_memory, NULL);
}

static bool is_of_host(const struct imp *imp, void *data)
{
    (void)data;
    return imp_manages_memory(imp) || imp->kind == IMP_LAUNCH || imp->kind == IMP_FILL
           || imp->kind == IMP_COPY || imp->kind == IMP_FAIL || imp->kind == IMP_RETURN
           || (imp->kind == IMP_DECLARE && imp->var->array) || imp->kind == IMP_FETCH
           || imp_launches(imp);
}

/* Does it read anything that some statement changes? */
static bool is_changing(const struct imp *imp, void *data)
{
    const struct host *h = data;
    if ((imp->kind == IMP_LOAD || imp->kind == IMP_VAR) && imp->var->array)
        return !imp->var->constant;
    return imp->kind == IMP_VAR && imp_assigns(h->body, imp->var);
}

/* ---- launches ---- */

/* Returns the code with another variable in place of one. */
static const struct imp *renamed(struct context *cx, const struct imp *imp,
                                 const struct imp_var *from, const struct imp_var *to)
{
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = renamed(cx, imp->arg[i], from, to);
    imp = imp_with_args(cx, imp, arg);
    if (imp->var != from)
        return imp;
    struct imp *other = arena_copy(cx->arena, imp, sizeof *imp);
    other->var = to;
    return other;
}

/* Adds the launch, which reads the scalars that it uses, each into a variable of its own: one
 * launch may turn out not to need it where another does. */
static void add_launch(struct host *h, const struct imp *launch)
{
    struct kernel *k = h->k;
    const struct imp *body = launch->arg[2];
    for (size_t i = h->read.n; i-- > 0;) {
        const struct imp *read = h->read.at[i].declare;
        if (!imp_mentions(body, read->var))
            continue;
        struct imp_var *own = kernel_var(k, read->var->type, "%s", imp_stem(read->var));
        imp_begin(&k->b);
        imp_let(&k->b, own, read->arg[0]);
        imp_add_all(&k->b, renamed(k->cx, body, read->var, own));
        body = imp_end(&k->b);
    }
    imp_add(&k->b,
            imp_with_args(k->cx, launch,
                          (const struct imp *const[]){launch->arg[0], launch->arg[1], body}));
}

/* Launches the body for one thread. */
static void launch_one(struct host *h, const struct imp *body)
{
    struct kernel *k = h->k;
    struct context *cx = k->cx;
    struct imp_var *block = kernel_var(k, TYPE_I32, "block"),
                   *thread = kernel_var(k, TYPE_I32, "thread");
    const struct imp *first = imp_op2(cx, OP_EQ, imp_read(cx, thread), imp_int(cx, TYPE_I32, 0));
    const struct imp *guarded = imp_if(cx, first, body, NULL);
    add_launch(h, imp_launch(cx, block, thread, imp_int(cx, TYPE_I32, 1), GPU_WARP,
                             imp_block(cx, &guarded, 1)));
}

/* Makes an array of one element, in which a launch leaves a value. */
static const struct imp_var *open_out(struct host *h, const struct imp_var *var)
{
    struct kernel *k = h->k;
    struct imp_var *out = kernel_array(k, var->type, "%s_out", imp_stem(var));
    out->restricted = true;
    imp_add(&k->b, imp_declare(k->cx, out, NULL));
    imp_add(&k->b, imp_alloc(k->cx, out, imp_i64(k->cx, 1)));
    return out;
}

static const struct imp *leave(struct host *h, const struct imp_var *out, const struct imp *value)
{
    return imp_store(h->k->cx, out, imp_i64(h->k->cx, 0), OP_NONE, value);
}

static const struct imp *fetched(struct host *h, const struct imp_var *out)
{
    return imp_fetch(h->k->cx, imp_load(h->k->cx, out, imp_i64(h->k->cx, 0)));
}

/* ---- what host code needs ---- */

/* Returns the expression's value, which a launch computes. */
static const struct imp *computed(struct host *h, const struct imp *e)
{
    struct kernel *k = h->k;
    struct imp_var *var = kernel_var(k, e->type, "value");
    const struct imp_var *out = open_out(h, var);
    const struct imp *store = leave(h, out, e);
    launch_one(h, imp_block(k->cx, &store, 1));
    const struct imp *value = imp_let(&k->b, var, fetched(h, out));
    imp_add(&k->b, imp_free(k->cx, out));
    return value;
}

static const struct imp *of_host(struct host *h, const struct imp *e);

/* Returns one of the two values, of which the other is perhaps no element. */
static const struct imp *selected(struct host *h, const struct imp *e)
{
    struct kernel *k = h->k;
    struct imp_var *var = kernel_var(k, e->type, "value");
    const struct imp *condition = of_host(h, e->arg[0]), *way[2];
    imp_add(&k->b, imp_declare(k->cx, var, NULL));
    for (int i = 0; i < 2; i++) {
        imp_begin(&k->b);
        const struct imp *value = of_host(h, e->arg[1 + i]);
        imp_add(&k->b, imp_assign(k->cx, var, OP_NONE, imp_cast(k->cx, e->type, value)));
        way[i] = imp_end(&k->b);
    }
    imp_add(&k->b, imp_if(k->cx, condition, way[0], way[1]));
    return imp_read(k->cx, var);
}

/* Returns the same expression for host code.  What it reads from memory is read in front of the
 * statement. */
static const struct imp *of_host(struct host *h, const struct imp *e)
{
    struct kernel *k = h->k;
    struct read_scalar *read = e->kind == IMP_VAR ? find_read(h, e->var) : NULL;
    if (!imp_any(e, touches, h))
        return e;
    if (e->kind == IMP_FETCH)
        return of_host(h, e->arg[0]);
    if (read && !read->fetched)
        read->fetched = imp_let(&k->b, kernel_var(k, e->type, "%s", imp_stem(e->var)),
                                of_host(h, read->declare->arg[0]));
    if (read)
        return read->fetched;
    if (imp_is_lazy(e) && e->op == OP_SELECT)
        return selected(h, e);
    if ((e->kind == IMP_CALL && imp_any(e, touches_memory, NULL)) || imp_is_lazy(e))
        return computed(h, e);
    const struct imp **arg = arena_array(k->cx->arena, const struct imp *, e->args);
    for (int i = 0; i < e->args; i++)
        arg[i] = of_host(h, e->arg[i]);
    e = imp_with_args(k->cx, e, arg);
    return e->kind == IMP_LOAD ? imp_let(&k->b, kernel_var(k, e->type, "%s_at", imp_stem(e->var)),
                                         imp_fetch(k->cx, e))
                               : e;
}

/* ---- what one thread does ---- */

/* What is left for others, each in an array of one element. */
struct left {
    const struct imp_var *var, *array;
    bool declared; /* by the thread's code; else it is in front of that */
};

struct outs {
    struct host *h;
    const struct imp *code;
    VEC(struct left) left;
};

static bool is_left(const struct outs *outs, const struct imp_var *var)
{
    bool is = false;
    for (size_t i = 0; i < outs->left.n; i++)
        is |= outs->left.at[i].var == var;
    return is;
}

/* Adds variables that the code changes: those that it declares and others use, and those from
 * outside, which all become the thread's own. */
static bool find_changed(const struct imp *imp, void *data)
{
    struct outs *outs = data;
    const struct host *h = outs->h;
    struct left left = {.var = imp->var};
    if ((imp->kind != IMP_ASSIGN && imp->kind != IMP_DECLARE) || imp->var->array
        || is_left(outs, imp->var))
        return false;
    left.declared = imp_declares_inside(outs->code, imp->var);
    if (!left.declared || imp_uses(h->body, imp->var) > imp_uses(outs->code, imp->var))
        vec_push(h->k->cx->arena, &outs->left, left);
    return false;
}

/* Does nothing use the variable but its declaration and the code? */
static bool is_done(const struct host *h, const struct imp *code, const struct left *left)
{
    return !left->declared && !h->loops
           && imp_uses(h->body, left->var) == imp_uses(code, left->var) + 1;
}

/* Returns the code with stores of what it leaves.  What others have, too, is a variable of the
 * thread's own in it. */
static const struct imp *with_outs(struct outs *outs)
{
    struct host *h = outs->h;
    struct kernel *k = h->k;
    const struct imp *code = outs->code;
    int n = (int)outs->left.n;
    const struct imp_var **own = arena_array(k->cx->arena, const struct imp_var *, n);
    imp_begin(&k->b);
    for (int i = 0; i < n; i++) {
        const struct left *left = &outs->left.at[i];
        struct imp_var *var = kernel_var(k, left->var->type, "%s", imp_stem(left->var));
        if (!left->declared)
            imp_let(&k->b, var, imp_read(k->cx, left->var));
        code = renamed(k->cx, code, left->var, var);
        own[i] = var;
    }
    imp_add_all(&k->b, code);
    for (int i = 0; i < n; i++)
        if (outs->left.at[i].array)
            imp_add(&k->b, leave(h, outs->left.at[i].array, imp_read(k->cx, own[i])));
    return imp_end(&k->b);
}

/* Runs the statements that wait, in a row: by one thread, if they touch memory. */
static void run_waiting(struct host *h)
{
    struct kernel *k = h->k;
    struct context *cx = k->cx;
    const struct imp *code = imp_block(cx, h->waiting.at, (int)h->waiting.n);
    struct outs outs = {.h = h, .code = code};
    h->waiting.n = 0;
    if (!imp_any(code, touches, h)) {
        imp_add_all(&k->b, code);
        return;
    }
    imp_any(code, find_changed, &outs);
    for (size_t i = 0; i < outs.left.n; i++)
        if (!is_done(h, code, &outs.left.at[i]))
            outs.left.at[i].array = open_out(h, outs.left.at[i].var);
    launch_one(h, with_outs(&outs));
    for (size_t i = 0; i < outs.left.n; i++) {
        const struct left *left = &outs.left.at[i];
        if (!left->array)
            continue;
        const struct imp *value = fetched(h, left->array);
        imp_add(&k->b, left->declared ? imp_declare(cx, left->var, value)
                                      : imp_assign(cx, left->var, OP_NONE, value));
        imp_add(&k->b, imp_free(cx, left->array));
    }
}

/* ---- statements ---- */

static void add_host(struct host *h, const struct imp *imp);

static const struct imp *nested(struct host *h, const struct imp *block)
{
    struct host outer = *h;
    h->read.at = arena_copy(h->k->cx->arena, h->read.at, h->read.n * sizeof *h->read.at);
    h->read.capacity = h->read.n;
    imp_begin(&h->k->b);
    for (int i = 0; i < body_count(block); i++)
        add_host(h, body_at(block, i));
    run_waiting(h);
    h->read = outer.read;
    return imp_end(&h->k->b);
}

static void refuse_beside(struct host *h, const char *why)
{
    const struct cin_tag *tag = cin_gpu(h->k->program, h->k->program->statement);
    kernel_refuse(h->k, tag, "beside the loop over %s %s", tag->var->name, why);
}

static bool is_growing(const struct imp *imp)
{
    return imp->kind == IMP_RESIZE || imp->kind == IMP_KEEP || imp->kind == IMP_TAKE
           || imp->kind == IMP_MOVE || imp->kind == IMP_JOIN
           || (imp->kind == IMP_COPY && imp->arg[1]->var == imp->var);
}

/* Adds a statement that only host code makes, around others perhaps. */
static void add_of_host(struct host *h, const struct imp *imp)
{
    struct kernel *k = h->k;
    const struct imp **arg = arena_array(k->cx->arena, const struct imp *, imp->args);
    bool loops = imp->kind == IMP_FOR || imp->kind == IMP_WHILE;
    if (imp->kind == IMP_WHILE && imp_any(imp->arg[0], touches, h)) {
        refuse_beside(h, "a loop that host code would run ends where its operands say so, which "
                         "are in the device's memory");
        return;
    }
    if (is_growing(imp))
        refuse_beside(h, "an array grows or moves, as those of tables do: on a GPU workspaces are "
                         "dense, or lists that threads make");
    h->loops += loops;
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_is_expression(imp->arg[i]) ? of_host(h, imp->arg[i])
                 : imp->kind == IMP_LAUNCH      ? imp->arg[i]
                                                : nested(h, imp->arg[i]);
    h->loops -= loops;
    imp = imp_with_args(k->cx, imp, arg);
    if (imp->kind == IMP_LAUNCH)
        add_launch(h, imp);
    else
        imp_add(&k->b, imp);
}

/* Does the expression read what one of the waiting statements declares? */
static bool is_awaited(const struct imp *imp, void *data)
{
    const struct host *h = data;
    bool is = false;
    for (size_t i = 0; i < h->waiting.n && imp->kind == IMP_VAR; i++)
        is |= imp_declares_inside(h->waiting.at[i], imp->var);
    return is;
}

/* Has the scalar one value, wherever it is read? */
static bool is_fixed(const struct host *h, const struct imp *declare)
{
    const struct imp *value = declare->arg[0];
    return !imp_assigns(h->body, declare->var) && imp_is_pure(value)
           && !imp_any(value, is_changing, (void *)(size_t)h)
           && !imp_any(value, is_awaited, (void *)(size_t)h);
}

static void add_host(struct host *h, const struct imp *imp)
{
    struct kernel *k = h->k;
    if (imp->kind == IMP_BLOCK) {
        run_waiting(h);
        imp_add(&k->b, nested(h, imp));
    } else if (imp->kind == IMP_DECLARE && imp->args && is_fixed(h, imp)) {
        if (imp_any(imp->arg[0], touches, h))
            vec_push(k->cx->arena, &h->read, ((struct read_scalar){.declare = imp}));
        else
            imp_add(&k->b, imp);
    } else if (imp_any(imp, is_of_host, NULL) || sets_number(imp)) {
        run_waiting(h);
        add_of_host(h, imp);
    } else {
        vec_push(k->cx->arena, &h->waiting, imp);
    }
}

const struct imp *launch_host(struct kernel *k, const struct imp *body)
{
    struct host h = {.k = k, .body = body};
    return nested(&h, body);
}

/* ---- the grid ---- */

/* Is it how many entries a list has, for which host code has made room? */
static bool counts_entries(const struct kernel *k, const struct imp_var *var)
{
    for (size_t i = 0; i < k->workspaces.n; i++) {
        const struct imp *entries = k->workspaces.at[i]->code.entries;
        if (entries && entries->var == var)
            return true;
    }
    return false;
}

/* Does the expression read what host code does not have: memory, or what was read from it? */
static bool is_of_device(const struct imp *imp, void *data)
{
    const struct kernel *k = data;
    if (imp->kind == IMP_LOAD || imp->kind == IMP_CALL)
        return true;
    if (imp->kind != IMP_VAR || counts_entries(k, imp->var))
        return false;
    for (size_t i = 0; i < k->params.n; i++)
        if (k->params.at[i].var == imp->var)
            return false;
    for (size_t i = 0; i < k->sizes.n; i++)
        if (k->sizes.at[i]->var == imp->var)
            return imp_any(k->sizes.at[i]->arg[0], is_of_device, data);
    return true;
}

const struct imp *launch_blocks_for(struct parallel *p, const struct launch *l)
{
    struct context *cx = p->k->cx;
    const struct cursor *only = share_cursor(p);
    const struct imp *n = imp_op2(cx, OP_SUB, share_i64(p, only ? only->end : forall_end(&p->f)),
                                  share_i64(p, only ? only->begin : forall_first(&p->f))),
                     *most = imp_i64(cx, l->blocks);
    int64_t each = l->threads / l->team.lanes;
    if (p->rows && !p->rows->seen.counts)
        return p->rows->blocks;
    if (p->all)
        n = p->all;
    else if (imp_any(n, is_of_device, p->k))
        return imp_int(cx, TYPE_I32, l->blocks);
    n = imp_op2(cx, OP_ADD, n, imp_i64(cx, each - 1));
    n = imp_op2(cx, OP_MIN, imp_op2(cx, OP_DIV, n, imp_i64(cx, each)), most);
    return imp_cast(cx, TYPE_I32, n);
}
