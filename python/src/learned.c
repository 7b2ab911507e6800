/* learned.c - what a caller learns of a call.
 *
 * SPDX-License-Identifier: MIT
 */
#include "learned.h"

#include <stdlib.h>
#include <string.h>

enum { LEARNED_MOST = 4 };

void held_clear(struct held *held)
{
    spcc_tensor_free(held->tensor);
    for (int k = 0; k < ARRAYS; k++)
        Py_XDECREF(held->weak[k]);
    memset(held, 0, sizeof *held);
}

void learned_free(struct learned *c)
{
    while (c->idle) {
        struct held_set *set = c->idle;
        c->idle = set->next;
        for (int k = 0; k <= c->operands; k++)
            held_clear(&set->held[k]);
        free(set);
    }
    for (int k = 0; c->slot && k <= c->operands; k++) {
        struct slot *slot = &c->slot[k];
        spcc_format_free(slot->format);
        free(slot->name);
        Py_XDECREF((PyObject *)slot->class);
        for (int a = 0; a <= ARRAYS; a++)
            Py_XDECREF(slot->attribute[a]);
    }
    free(c->slot);
    free(c->result_format);
    Py_XDECREF(c->compiled);
    Py_XDECREF(c->make);
    Py_XDECREF(c->dtype);
    free(c);
}

bool slot_is_strided(const struct slot *slot)
{
    const spcc_level *first = spcc_format_level(slot->format, 0);
    return first && strncmp(first->type, "strided", strlen("strided")) == 0;
}

struct parsing {
    const char *text;
    struct slot *slot;
};

static spcc_status parse_format(spcc_context *context, void *arguments)
{
    struct parsing *p = arguments;
    return spcc_format_parse(context, p->text, p->slot->order, &p->slot->format);
}

/* Finds the types of the format's arrays; of dense levels the modes. */
static bool look_at_format(struct slot *slot)
{
    int arrays = 0;
    for (int l = 0; l < spcc_format_levels(slot->format); l++) {
        const spcc_level *level = spcc_format_level(slot->format, l);
        if (l < CORE_ORDER_MAX)
            slot->mode[l] = level->mode;
        for (int k = 0; k < level->n_arrays; k++, arrays++)
            if (arrays < ARRAYS)
                slot->array_type[arrays] = level->array_type[k];
    }
    slot->strides = slot_is_strided(slot) ? arrays : 0;
    return slot->order <= CORE_ORDER_MAX && arrays == slot->arrays + slot->strides;
}

/* Reads (name, class, attributes, format, type, order) into the slot. */
static bool learn_slot(PyObject *item, struct slot *slot)
{
    PyObject *class, *attributes;
    const char *name, *format, *type;
    if (!PyArg_ParseTuple(item, "sOO!zsi", &name, &class, &PyTuple_Type, &attributes, &format,
                          &type, &slot->order))
        return false;
    Py_ssize_t n = PyTuple_Size(attributes);
    slot->name = strdup(name);
    slot->class = (PyTypeObject *)Py_NewRef(class);
    slot->arrays = n > 0 ? (int)n - 1 : 0;
    if (!slot->name || n > ARRAYS + 1 || !spcc_type_parse(type, &slot->type)) {
        PyErr_SetString(PyExc_ValueError, "a slot that is none");
        return false;
    }
    for (Py_ssize_t a = 0; a < n; a++)
        slot->attribute[a] = Py_NewRef(PyTuple_GetItem(attributes, a));
    struct parsing p = {format, slot};
    return core_call(parse_format, &p) && look_at_format(slot);
}

static bool learn(struct learned *c, PyObject *slots, PyObject *from)
{
    c->operands = (int)PyList_Size(slots) - 1;
    if (c->operands < 0 || c->operands >= CALLED_MOST || PyList_Size(from) > CORE_ORDER_MAX) {
        PyErr_SetString(PyExc_ValueError, "too many operands");
        return false;
    }
    c->slot = calloc((size_t)c->operands + 1, sizeof *c->slot);
    if (!c->slot)
        return PyErr_NoMemory() != NULL;
    for (int k = 0; k <= c->operands; k++)
        if (!learn_slot(PyList_GetItem(slots, k), &c->slot[k]))
            return false;
    for (Py_ssize_t m = 0; m < PyList_Size(from); m++)
        if (!PyArg_ParseTuple(PyList_GetItem(from, m), "ii", &c->dimension_from[m][0],
                              &c->dimension_from[m][1]))
            return false;
    return true;
}

bool learned_is_current(const struct learned *c) { return c && c->generation == core_generation(); }

static bool are_alike(const struct learned *c, const struct learned *other)
{
    if (c->compiled != other->compiled || c->operands != other->operands)
        return false;
    for (int k = 0; k <= c->operands; k++)
        if (c->slot[k].class != other->slot[k].class)
            return false;
    return true;
}

bool learned_is_news(const struct learned *c, const struct learned *known)
{
    int n = 0;
    for (; learned_is_current(known) && !are_alike(c, known); known = known->before)
        n++;
    return !learned_is_current(known) && n < LEARNED_MOST;
}

struct learned *learned_new(PyObject *args)
{
    PyObject *compiled, *slots, *from, *make, *dtype;
    const char *format;
    if (!PyArg_ParseTuple(args, "O!O!O!zOO", core_compiled_type, &compiled, &PyList_Type, &slots,
                          &PyList_Type, &from, &format, &make, &dtype))
        return NULL;
    struct learned *c = calloc(1, sizeof *c);
    if (!c) {
        PyErr_NoMemory();
        return NULL;
    }
    c->compiled = Py_NewRef(compiled);
    c->make = Py_NewRef(make);
    c->dtype = Py_NewRef(dtype);
    c->result_format = format ? strdup(format) : NULL;
    c->generation = core_generation();
    if (learn(c, slots, from))
        return c;
    learned_free(c);
    return NULL;
}
