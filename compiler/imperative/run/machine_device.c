/* machine_device.c - host code with a real GPU: its requests to the device.
 *
 * Arrays are in the device's memory.  Their elements are not read here; requests are checked to be
 * within them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/run/machine.h"

static size_t size_of(const struct store *store) { return type_size(store->var->type); }

/* Leaves if the request failed; the device knows why. */
static void ask(struct machine *m, bool done)
{
    if (!done)
        machine_stop(m, STATUS_NO_MEMORY);
}

/* Returns the elements begin to begin + n of the array. */
static void *part(struct machine *m, struct store *store, int64_t begin, int64_t n)
{
    machine_check_bounds(m, store, begin, n);
    return machine_memory(m, store)->data + (size_t)begin * size_of(store);
}

void machine_device_allocate(struct machine *m, struct store *store, int64_t n)
{
    const struct imp_device *device = m->options.device;
    size_t elements = n > 0 ? (size_t)n : 1;
    void *data = NULL;
    ask(m, n >= 0 && elements <= (SIZE_MAX >> 1) / size_of(store)
               && device->allocate(device->data, &data, elements * size_of(store)));
    *store = (struct store){.var = store->var, .data = data, .length = n, .owned = true};
}

void machine_device_fill(struct machine *m, const struct code *code)
{
    const struct imp_device *device = m->options.device;
    int64_t begin = machine_integer(m, code->arg[0]), n = machine_integer(m, code->arg[1]) - begin;
    struct value value;
    machine_eval(m, code->arg[2], &value);
    if (n > 0)
        ask(m, device->fill(device->data, part(m, code->store, begin, n), n, value));
}

void machine_device_copy(struct machine *m, const struct code *code)
{
    const struct imp_device *device = m->options.device;
    int64_t at = machine_integer(m, code->arg[0]), first = machine_integer(m, code->arg[2]),
            n = machine_integer(m, code->arg[3]);
    if (n > 0)
        ask(m,
            device->copy(device->data, part(m, code->store, at, n),
                         part(m, code->arg[1]->store, first, n), (size_t)n * size_of(code->store)));
}

void machine_device_fetch(struct machine *m, const struct code *load, struct value *out)
{
    const struct imp_device *device = m->options.device;
    struct value number = {0};
    ask(m, device->fetch(device->data, &number,
                         part(m, load->store, machine_integer(m, load->arg[0]), 1),
                         size_of(load->store)));
    *out = value_load(load->store->var->type, &number);
}

static const struct imp_entry *entry_of(struct machine *m, const struct imp *launch)
{
    const struct imp_device *device = m->options.device;
    for (int i = 0; i < device->entries; i++)
        if (device->entry[i].launch == launch)
            return &device->entry[i];
    machine_fault(m, "a launch that the device does not know");
}

/* CUDA refuses a grid without blocks; here it does nothing. */
void machine_device_launch(struct machine *m, const struct code *code)
{
    const struct imp_device *device = m->options.device;
    const struct imp_entry *entry = entry_of(m, code->imp);
    int64_t blocks = machine_integer(m, code->arg[0]);
    int64_t *number = arena_array(m->cx->arena, int64_t, 2 * entry->params);
    void **argument = arena_array(m->cx->arena, void *, entry->params);
    for (int i = 0; i < entry->params; i++) {
        const struct imp_var *var = entry->param[i];
        argument[i] = &number[2 * i];
        if (var->array)
            argument[i] = &machine_memory(m, machine_store(m, code->routine, var))->data;
        else
            value_store(*machine_cell(m, code->routine, var)->at, argument[i]);
    }
    if (blocks > 0)
        ask(m, device->launch(device->data, entry, blocks, argument));
}
