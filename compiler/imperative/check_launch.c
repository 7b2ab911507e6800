/* check_launch.c - the invariants of launches, which run on a device, and of the code around them.
 *
 * A launch allocates nothing, cannot fail and has no vectors.  The arrays of host code around
 * launches are in the device's memory: it allocates, fills, copies and frees them, and reads
 * single elements by a fetch only.  A helper with launches is host code as well.  It cannot fail
 * and returns no value, since its caller asks how the launches went.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/gpu.h"
#include "compiler/imperative/checker.h"
#include "compiler/imperative/query.h"

enum { LOCAL_MOST = 1024 };

static bool is_for_device(const struct imp *imp, void *data)
{
    (void)data;
    return imp->kind == IMP_LAUNCH || imp->kind == IMP_FETCH || imp_launches(imp);
}

bool checker_is_for_device(const struct imp_function *kernel)
{
    return imp_any(kernel->body, is_for_device, NULL);
}

/* Is it something that only the kernel does, whose status reports failures? */
static bool may_fail(const struct imp *imp)
{
    return imp_manages_memory(imp) || imp->kind == IMP_FILL || imp->kind == IMP_COPY
           || imp->kind == IMP_FAIL;
}

static bool passes_array(const struct imp *call)
{
    for (int i = 0; i < call->args; i++)
        if (call->arg[i]->kind == IMP_VAR && call->arg[i]->var->array)
            return true;
    return false;
}

/* Returns what the statement does that host code may not, NULL if nothing. */
static const char *touches_memory(const struct checker *c, const struct imp *imp)
{
    if (c->function->helper && may_fail(imp))
        return "what may fail, of a helper,";
    switch (imp->kind) {
    case IMP_LOAD: return imp == c->fetched ? NULL : "a load";
    case IMP_STORE: return "a store";
    case IMP_ATOMIC:
    case IMP_UPDATE: return "an atomic store";
    case IMP_CALL:
        return passes_array(imp) && !imp->function->launches ? "a call of a helper with an array"
                                                             : NULL;
    case IMP_PARALLEL: return "a parallel loop";
    case IMP_KEEP:
    case IMP_TAKE:
    case IMP_MOVE:
    case IMP_JOIN: return "an array of arrays";
    case IMP_PREFETCH: return "a prefetch";
    case IMP_ALLOC: return imp->var->small ? "an array in the function's own memory" : NULL;
    default: return NULL;
    }
}

/* Returns what the statement does that a launch may not, NULL if nothing. */
static const char *needs_host(const struct imp *imp)
{
    if (imp_manages_memory(imp))
        return "managing memory";
    switch (imp->kind) {
    case IMP_LAUNCH: return "a launch";
    case IMP_PARALLEL: return "a parallel loop";
    case IMP_FAIL: return "a failure";
    case IMP_PREFETCH: return "a prefetch";
    case IMP_THREADS: return "threads()";
    case IMP_STOPPED: return "stopped()";
    case IMP_IN_LINE: return "in_line";
    case IMP_FETCH: return "a fetch";
    case IMP_CALL: return imp->function->launches ? "a call of a helper that launches" : NULL;
    default: return imp->lanes > 1 ? "a vector" : NULL;
    }
}

bool checker_allows(struct checker *c, const struct imp *imp)
{
    const char *found = c->launch ? needs_host(imp) : c->device ? touches_memory(c, imp) : NULL;
    return found ? checker_report(c, "%s in %s", found,
                                  c->launch ? "a launch" : "host code around launches")
                 : true;
}

/* ---- launches ---- */

bool checker_launch(struct checker *c, const struct imp *imp)
{
    const struct imp_var *block = imp->var, *thread = imp->arg[1]->var;
    if (c->parallel)
        return checker_report(c, "a launch in a part");
    if (c->function->helper && !(c->function->launches && c->function->effects))
        return checker_report(c, "a launch in a helper that is there for something else");
    if (!imp_is_index(block) || !imp_is_index(thread))
        return checker_report(c, "%s and %s cannot be the variables of a launch", block->name,
                              thread->name);
    if (!gpu_is_block(imp->n))
        return checker_report(c, "a launch of blocks of %lld threads", (long long)imp->n);
    if (!checker_integer(c, imp->arg[0], "the number of blocks"))
        return false;
    if (imp->arg[0]->type != TYPE_I32)
        return checker_report(c, "the number of blocks is of %s", type_name(imp->arg[0]->type));
    size_t mark = c->scope.n;
    int loops = c->loops;
    c->loops = c->branches = 0;
    c->shared = 0;
    c->launch = true;
    bool ok = checker_declare(c, (struct known){.var = block, .fixed = true})
              && checker_declare(c, (struct known){.var = thread, .fixed = true})
              && checker_body(c, imp->arg[2]);
    checker_leave_scope(c, mark);
    c->launch = false;
    c->loops = loops;
    return ok;
}

static bool check_shared(struct checker *c, const struct imp_var *var)
{
    if (!c->launch || c->branches)
        return checker_report(c, "%s is shared, but declared in a %s", var->name,
                              c->launch ? "loop or an if" : "helper, or outside launches");
    int64_t most = GPU_SHARED_MOST / (int64_t)type_size(var->type);
    if (var->length < 1 || var->length > most)
        return checker_report(c, "%s is shared and has %d elements", var->name, var->length);
    c->shared += var->length * (int64_t)type_size(var->type);
    return c->shared <= GPU_SHARED_MOST
           || checker_report(c, "%s is one shared array too many: %lld bytes", var->name,
                             (long long)c->shared);
}

bool checker_place(struct checker *c, const struct imp_var *var)
{
    if (c->launch && var->lanes > 1)
        return checker_report(c, "%s is a vector in a launch", var->name);
    if (var->place == PLACE_MEMORY)
        return c->launch && var->array
                   ? checker_report(c, "%s is declared in a launch and has no place", var->name)
                   : true;
    if (!var->array || var->arrays)
        return checker_report(c, "%s has a place, but is no array", var->name);
    if (var->place == PLACE_SHARED)
        return check_shared(c, var);
    if (!c->launch && !c->function->meets)
        return checker_report(c, "%s is a thread's, but declared outside launches", var->name);
    return (var->length >= 1 && var->length <= LOCAL_MOST)
           || checker_report(c, "%s is a thread's and has %d elements", var->name, var->length);
}

/* ---- barriers and exchanges ---- */

static bool is_team(int64_t lanes) { return gpu_is_team(lanes); }

static bool check_met(struct checker *c, const char *what)
{
    if (c->launch || c->function->meets)
        return true;
    return checker_report(
        c, c->function->helper ? "%s in a helper in which no threads meet" : "%s outside launches",
        what);
}

bool checker_barrier(struct checker *c, const struct imp *imp)
{
    if (imp->n != 0 && !is_team(imp->n))
        return checker_report(c, "a barrier of %lld lanes", (long long)imp->n);
    return check_met(c, "a barrier");
}

static bool check_alone(struct checker *c, const struct imp *imp, const char *what)
{
    return imp == c->alone || checker_report(c, "%s in an expression", what);
}

bool checker_meeting(struct checker *c, const struct imp *call)
{
    const char *name = call->function->name;
    return (call->function->effects || check_alone(c, call, name)) && check_met(c, name);
}

static bool check_exchange(struct checker *c, const struct imp *imp)
{
    bool ballot = imp->exchange == EXCHANGE_BALLOT;
    if (imp->args != (ballot ? 1 : 2) || !is_team(imp->n) || imp->exchange > EXCHANGE_BALLOT)
        return checker_report(c, "an exchange of %lld lanes", (long long)imp->n);
    if (ballot ? imp->arg[0]->type != TYPE_BOOL || imp->type != TYPE_U32
               : imp->arg[0]->type != imp->type || !type_is_integer(imp->arg[1]->type))
        return checker_report(c, "an exchange of %s gives %s", type_name(imp->arg[0]->type),
                              type_name(imp->type));
    return check_met(c, "an exchange") && check_alone(c, imp, "an exchange");
}

static bool check_update(struct checker *c, const struct imp *imp)
{
    const enum type type[] = {imp->var->type, imp->var->type};
    if (!checker_array(c, imp->var, true))
        return false;
    bool swaps = imp->args == 3;
    if (swaps && !type_is_integer(type[0]))
        return checker_report(c, "an element of %s is compared, of %s", imp->var->name,
                              type_name(type[0]));
    if (imp->type != type[0] || !type_is_integer(imp->arg[0]->type) || imp->arg[1]->type != type[0]
        || (swaps && (imp->arg[2]->type != type[0] || imp->op != OP_NONE)))
        return checker_report(c, "an update of %s is of another type", imp->var->name);
    if (imp->op != OP_NONE
        && (imp->op >= OP_COUNT || op_arity(imp->op) != 2 || !op_accepts(imp->op, type)
            || op_result_type(imp->op, type) != type[0]))
        return checker_report(c, "%s is updated by an operator that does not fit", imp->var->name);
    return check_alone(c, imp, "an update");
}

static bool check_fetch(struct checker *c, const struct imp *imp)
{
    if (c->function->helper || c->parallel)
        return checker_report(c, "a fetch in a %s", c->parallel ? "part" : "helper");
    if (imp->arg[0]->kind != IMP_LOAD || imp->arg[0]->type != imp->type)
        return checker_report(c, "a fetch of what is no element");
    return check_alone(c, imp, "a fetch");
}

bool checker_event(struct checker *c, const struct imp *imp)
{
    for (int i = 0; i < imp->args; i++)
        if (imp->arg[i]->lanes > 1)
            return checker_report(c, "a vector is exchanged or updated");
    return imp->kind == IMP_EXCHANGE ? check_exchange(c, imp)
           : imp->kind == IMP_UPDATE ? check_update(c, imp)
                                     : check_fetch(c, imp);
}
