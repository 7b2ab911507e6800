/* machine_array.c - arrays of a running program: every access is checked.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/imperative/run/machine.h"

struct store *machine_memory(const struct machine *m, struct store *store)
{
    while (store->of)
        store = store->of;
    return store->each ? &store->each[m->thread] : store;
}

static size_t element_size(const struct imp_var *var)
{
    return var->arrays ? sizeof(void *) : type_size(var->type);
}

void machine_check_bounds(struct machine *m, const struct store *store, int64_t at, int64_t n)
{
    const char *name = store->var->name;
    int64_t length = machine_memory(m, (struct store *)(size_t)store)->length;
    if (at < 0 || at > length || n > length - at)
        machine_fault(m, "%s[%lld] is out of bounds: it has %lld elements", name,
                      (long long)(at < 0 ? at : at + (n - 1)), (long long)length);
}

void machine_load(struct machine *m, struct store *store, int64_t at, int n, struct value *out)
{
    struct store *memory = machine_memory(m, store);
    const struct imp_var *var = store->var;
    size_t size = type_size(var->type);
    machine_check_bounds(m, store, at, n);
    m->counts.loads += n;
    for (int i = 0; i < n; i++) {
        if (memory->written && !memory->written[at + i])
            machine_fault(m, "%s[%lld] is read and was never written", var->name,
                          (long long)at + i);
        if (m->parallel && !(m->updated == memory && m->updated_at == at + i))
            machine_touch(m, memory, var, at + i, false, NULL);
        out[i] = value_load(var->type, memory->data + (size_t)(at + i) * size);
    }
}

static void put_value(struct machine *m, struct store *memory, int64_t at, struct value value)
{
    m->counts.stores++;
    value_store(value, memory->data + (size_t)at * type_size(value.type));
    if (memory->written)
        memory->written[at] = true;
}

void machine_put(struct machine *m, struct store *store, int64_t at, struct value value)
{
    struct store *memory = machine_memory(m, store);
    if (m->parallel)
        machine_touch(m, memory, store->var, at, true, NULL);
    put_value(m, memory, at, value);
}

/* Does the element have the value that a compare-and-swap expects? */
static bool is_expected(struct machine *m, const struct code *code, struct value current)
{
    struct value expected;
    machine_eval(m, code->arg[2], &expected);
    return value_equal(current, expected);
}

void machine_atomic(struct machine *m, const struct code *code, struct value *old)
{
    const struct imp *imp = code->imp;
    struct store *memory = machine_memory(m, code->store);
    struct value value, current;
    int64_t at = machine_integer(m, code->arg[0]);
    machine_check_bounds(m, code->store, at, 1);
    m->updated = memory;
    m->updated_at = at;
    machine_eval(m, code->arg[1], &value);
    if (imp->op != OP_NONE || old)
        machine_load(m, code->store, at, 1, &current);
    if (imp->op != OP_NONE)
        value = op_fold(imp->op, (struct value[]){current, value});
    if (imp->args == 3 && !is_expected(m, code, current))
        value = current;
    m->updated = NULL;
    if (m->parallel)
        machine_touch(m, memory, code->store->var, at, true, imp);
    put_value(m, memory, at, value);
    if (old)
        *old = current;
}

void machine_release(struct machine *m, struct store *store)
{
    const struct imp_allocator *allocator = m->options.allocator;
    for (int64_t i = 0; store->kept && i < store->length; i++)
        machine_release(m, &store->kept[i]);
    if (store->owned && m->options.device)
        m->options.device->release(m->options.device->data, store->data);
    else if (store->owned)
        allocator->release(allocator->data, store->data);
    if (store->owned)
        free(store->written);
    free(store->touch);
    free(store->visits);
    *store = (struct store){.var = store->var, .private = store->private};
}

void machine_resize(struct machine *m, struct store *store, int64_t n)
{
    const struct imp_allocator *allocator = m->options.allocator;
    size_t size = element_size(store->var), elements = n > 0 ? (size_t)n : 1;
    if (n < 0 || elements > (SIZE_MAX >> 1) / size)
        machine_stop(m, STATUS_NO_MEMORY);
    void *data = allocator->reallocate(allocator->data, store->data, elements * size);
    if (!data)
        machine_stop(m, STATUS_NO_MEMORY);
    m->counts.elements += n;
    store->data = data;
    store->owned = true;
    free(store->touch);
    free(store->visits);
    store->touch = NULL;
    store->visits = NULL;
    bool *written = realloc(store->written, elements);
    if (!written)
        machine_stop(m, STATUS_NO_MEMORY);
    store->written = written;
    if (n > store->length)
        memset(written + store->length, 0, (size_t)(n - store->length));
    store->length = n;
    if (store->var->arrays)
        store->kept = arena_array(m->cx->arena, struct store, n);
}

/* Returns the place in an array of arrays that a part changes or reads. */
static struct store *place(struct machine *m, struct store *arrays, int64_t at, bool changes)
{
    machine_check_bounds(m, arrays, at, 1);
    if (m->parallel)
        machine_touch(m, arrays, arrays->var, at, changes, NULL);
    return &arrays->kept[at];
}

/* Checks that an array at the place has the type that it gets. */
static void check_type(struct machine *m, const struct store *arrays, int64_t at,
                       const struct store *to)
{
    if (arrays->kept[at].var->type != to->var->type)
        machine_fault(m, "%s[%lld] becomes %s and is of another type", arrays->var->name,
                      (long long)at, to->var->name);
}

void machine_keep(struct machine *m, const struct code *code)
{
    struct store *from = code->arg[1]->store;
    int64_t at = machine_integer(m, code->arg[0]);
    struct store *to = place(m, code->store, at, true);
    if (to->owned)
        machine_fault(m, "%s[%lld] is kept again and its memory lost", code->store->var->name,
                      (long long)at);
    if (!from->owned)
        machine_fault(m, "%s is kept and was not allocated", from->var->name);
    *to = *from;
    to->private = false;
    *from = (struct store){.var = from->var, .private = from->private};
}

void machine_take(struct machine *m, const struct code *code)
{
    struct store *arrays = code->arg[0]->store;
    int64_t at = machine_integer(m, code->arg[1]);
    struct store *from = place(m, arrays, at, false);
    if (!from->owned)
        machine_fault(m, "%s[%lld] is taken and was never kept", arrays->var->name, (long long)at);
    check_type(m, arrays, at, code->store);
    code->store->of = from;
}

void machine_move(struct machine *m, const struct code *code)
{
    struct store *arrays = code->arg[0]->store, *to = code->store;
    int64_t at = machine_integer(m, code->arg[1]);
    struct store *from = place(m, arrays, at, true);
    if (!from->owned)
        machine_fault(m, "%s[%lld] is moved and was never kept", arrays->var->name, (long long)at);
    check_type(m, arrays, at, to);
    machine_release(m, to);
    struct store moved = *from;
    moved.var = to->var;
    moved.private = to->private;
    *to = moved;
    *from = (struct store){.var = from->var};
}

static int64_t number_at(struct machine *m, struct store *numbers, int64_t at)
{
    struct value number;
    machine_load(m, numbers, at, 1, &number);
    return number.i;
}

/* Copies the array kept at the place into the elements begin to end of `to`. */
static void join_one(struct machine *m, struct store *arrays, int64_t at, struct store *to,
                     int64_t begin, int64_t end)
{
    struct store *from = place(m, arrays, at, true);
    if (!from->owned)
        machine_fault(m, "%s[%lld] is joined and was never kept", arrays->var->name, (long long)at);
    check_type(m, arrays, at, to);
    if (begin < end)
        machine_check_bounds(m, to, begin, end - begin);
    for (int64_t i = begin; i < end; i++) {
        struct value value;
        machine_load(m, from, i - begin, 1, &value);
        machine_put(m, to, i, value);
    }
    machine_release(m, from);
}

void machine_join(struct machine *m, const struct code *code)
{
    struct store *arrays = code->arg[0]->store, *begin = code->arg[2]->store;
    int64_t number = machine_integer(m, code->arg[1]), parts = machine_integer(m, code->arg[3]);
    machine_resize(m, code->store, machine_integer(m, code->arg[4]));
    for (int64_t part = 0; part < parts; part++)
        join_one(m, arrays, part * arrays->var->arrays + number, code->store,
                 number_at(m, begin, part), number_at(m, begin, part + 1));
}
