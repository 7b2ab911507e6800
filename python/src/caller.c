/* caller.c - calls of a kernel that are like an earlier one: from objects to a result, in C.
 *
 * Python finds out what a call needs (python/spcc/_kernel.py) and teaches a caller what it found:
 * of which class each operand was, which attributes hold its arrays, and in which format the kernel
 * has it.  A later call with operands of these classes, and arrays of these types, is done here;
 * any other goes to Python's method _call again.
 *
 * The tensors of a call stay with the caller for the next one.  Arrays are checked when they are
 * first met, and again when they are others: a sparse operand's arrays are the same if they are the
 * same objects, in the same places.  Short arrays are checked each time, since that costs nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "learned.h"

#include "request.h"

#include <stdlib.h>
#include <string.h>

enum { CHECKED_ALWAYS = 2048 /* elements */ };

struct caller {
    PyObject_HEAD struct learned *learned; /* the last first; NULL: nothing yet */
    int calls;                             /* at work */
};

/* What callers have learned, and which of it is idle, threads share: under the global lock, or one
 * of ours where Python has none. */
#ifdef Py_GIL_DISABLED
static PyMutex shared;
static void lock_shared(void) { PyMutex_Lock(&shared); }
static void unlock_shared(void) { PyMutex_Unlock(&shared); }
#else
static void lock_shared(void) {}
static void unlock_shared(void) {}
#endif

static PyObject *text_shape, *text_call, *text_out;
static PyObject *nothing; /* the empty tuple */

/* Forgets what was learned with the options of before, if no call is at work by it. */
static void forget_all(struct caller *caller)
{
    while (caller->learned && caller->calls == 0) {
        struct learned *c = caller->learned;
        caller->learned = c->before;
        learned_free(c);
    }
}

/* Takes (compiled, slots, dimensions, sparse format, make, dtype), as learned_new does. */
static PyObject *caller_learn(PyObject *self, PyObject *args)
{
    struct caller *caller = (struct caller *)self;
    struct learned *c = learned_new(args);
    if (!c)
        return NULL;
    lock_shared();
    if (!learned_is_current(caller->learned))
        forget_all(caller);
    bool is_news = learned_is_news(c, caller->learned);
    if (is_news) {
        c->before = caller->learned;
        caller->learned = c;
    }
    unlock_shared();
    if (!is_news)
        learned_free(c);
    Py_RETURN_NONE;
}

static void caller_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    forget_all((struct caller *)self);
    release(self);
    Py_DECREF(type);
}

/* ---- one operand ---- */

/* What came of looking at an object. */
enum found { FOUND, OTHER, FAILED };

/* Returns how the last call failed.  What is beyond integer types is Python's, which has wider
 * ones. */
static enum found failed(void)
{
    if (core_status() != SPCC_ERROR_LIMIT)
        return FAILED;
    PyErr_Clear();
    return OTHER;
}

struct found_arrays {
    Py_buffer buffer[ARRAYS + 1];
    PyObject *object[ARRAYS + 1];
    int n;
    int64_t dimension[CORE_ORDER_MAX];
    /* of a strided one */
    int64_t stride[CORE_ORDER_MAX];
    const char *first;
    int64_t span;
};

static void release(struct found_arrays *f)
{
    for (int k = 0; k < f->n; k++) {
        PyBuffer_Release(&f->buffer[k]);
        Py_XDECREF(f->object[k]);
    }
    f->n = 0;
}

/* Takes the object, and a buffer of this type from it.  Python names objects that have none. */
static enum found take_buffer(struct found_arrays *f, PyObject *object, spcc_type type, int flags)
{
    spcc_type own;
    if (!object || PyObject_GetBuffer(object, &f->buffer[f->n], flags | PyBUF_FORMAT)) {
        PyErr_Clear();
        Py_XDECREF(object);
        return OTHER;
    }
    const Py_buffer *b = &f->buffer[f->n];
    f->object[f->n] = object;
    f->n++;
    bool is_aligned = (uintptr_t)b->buf % (size_t)(b->itemsize > 8 ? 8 : b->itemsize) == 0;
    return is_aligned && core_buffer_type(b, &own) && own == type ? FOUND : OTHER;
}

static bool lies_as(const struct slot *slot, const Py_buffer *b)
{
    Py_ssize_t stride = b->itemsize;
    for (int l = slot->order; b->len > 0 && l-- > 0;) {
        int m = slot->mode[l];
        if (b->shape[m] != 1 && b->strides[m] != stride)
            return false;
        stride *= b->shape[m];
    }
    return true;
}

/* Finds the strides from one coordinate of each level to the next, in values, and where the first
 * of all values is. */
static bool find_strides(const struct slot *slot, struct found_arrays *f)
{
    const Py_buffer *b = &f->buffer[0];
    f->span = b->len > 0;
    f->first = b->buf;
    for (int l = 0; l < slot->order; l++) {
        int64_t size = b->shape[slot->mode[l]], stride = b->strides[slot->mode[l]];
        f->stride[l] = size > 1 ? stride / b->itemsize : l >= slot->strides;
        if ((size > 1 && stride % b->itemsize != 0) || (l >= slot->strides && f->stride[l] != 1))
            return false;
        if (b->len > 0) {
            f->span += (size - 1) * (f->stride[l] < 0 ? -f->stride[l] : f->stride[l]);
            f->first += f->stride[l] < 0 ? (size - 1) * stride : 0;
        }
    }
    return true;
}

static enum found find_dense(const struct slot *slot, PyObject *object, bool writable,
                             struct found_arrays *f)
{
    int flags = PyBUF_STRIDES | (writable ? PyBUF_WRITABLE : 0);
    enum found found = take_buffer(f, Py_NewRef(object), slot->type, flags);
    if (found != FOUND || f->buffer[0].ndim != slot->order)
        return OTHER;
    if (slot_is_strided(slot) ? !find_strides(slot, f) : !lies_as(slot, &f->buffer[0]))
        return OTHER;
    for (int m = 0; m < slot->order; m++)
        f->dimension[m] = f->buffer[0].shape[m];
    return FOUND;
}

static bool find_shape(const struct slot *slot, PyObject *object, struct found_arrays *f)
{
    PyObject *shape = PyObject_GetAttr(object, text_shape);
    bool is_good = shape && PyTuple_Check(shape) && PyTuple_Size(shape) == slot->order;
    for (int m = 0; is_good && m < slot->order; m++) {
        f->dimension[m] = PyLong_AsLongLong(PyTuple_GetItem(shape, m));
        is_good = f->dimension[m] >= 0;
    }
    PyErr_Clear();
    Py_XDECREF(shape);
    return is_good;
}

static enum found find_sparse(const struct slot *slot, PyObject *object, struct found_arrays *f)
{
    if (!find_shape(slot, object, f))
        return OTHER;
    for (int k = 0; k <= slot->arrays; k++) {
        PyObject *array = PyObject_GetAttr(object, slot->attribute[k]);
        spcc_type type = k < slot->arrays ? slot->array_type[k] : slot->type;
        if (take_buffer(f, array, type, PyBUF_C_CONTIGUOUS) != FOUND)
            return OTHER;
    }
    return FOUND;
}

/* Is the object alive, and this one? */
static bool refers_to(PyObject *weak, const PyObject *object)
{
#ifdef Py_GIL_DISABLED
    PyObject *found = NULL;
    PyWeakref_GetRef(weak, &found);
    Py_XDECREF(found);
    return found == object;
#else
    return PyWeakref_GetObject(weak) == object;
#endif
}

static bool is_held(const struct slot *slot, const struct held *held, const struct found_arrays *f)
{
    int64_t elements = 0;
    for (int k = 0; k < f->n; k++) {
        const Py_buffer *b = &f->buffer[k];
        if (held->at[k] != b->buf || held->length[k] != b->len / b->itemsize)
            return false;
        if (k < slot->arrays && !refers_to(held->weak[k], f->object[k]))
            return false;
        elements += held->length[k];
    }
    if (memcmp(held->stride, f->stride, (size_t)slot->strides * sizeof *f->stride) != 0)
        return false;
    return slot->arrays == 0 ? slot->type != SPCC_BOOL : elements > CHECKED_ALWAYS;
}

static bool note_held(const struct slot *slot, struct held *held, const struct found_arrays *f)
{
    for (int k = 0; k < f->n; k++) {
        held->at[k] = f->buffer[k].buf;
        held->length[k] = f->buffer[k].len / f->buffer[k].itemsize;
        if (k < slot->arrays) {
            Py_XDECREF(held->weak[k]);
            held->weak[k] = PyWeakref_NewRef(f->object[k], NULL);
            if (!held->weak[k])
                return false;
        }
    }
    return true;
}

struct holding {
    const struct slot *slot;
    struct held *held;
    spcc_array array[CORE_ORDER_MAX];
    int arrays;
    const void *values;
    int64_t n;
    bool writable;
};

static spcc_status work_hold(spcc_context *context, void *arguments)
{
    struct holding *h = arguments;
    if (h->held->tensor)
        return spcc_tensor_rebind(context, h->held->tensor, h->array, h->arrays, h->values, h->n);
    /* a result's values are not read (Python's _teach) */
    spcc_tensor_options options = {.size = sizeof options,
                                   .name = h->slot->name,
                                   .writable = h->writable,
                                   .trusted = h->writable};
    return spcc_tensor_borrow_as(context, h->slot->format, h->slot->type, h->held->dimension,
                                 h->array, h->arrays, h->values, h->n, &options, &h->held->tensor);
}

static struct holding arrays_of(const struct slot *slot, struct held *held,
                                const struct found_arrays *f, bool writable)
{
    const Py_buffer *values = &f->buffer[slot->arrays];
    struct holding h = {.slot = slot,
                        .held = held,
                        .writable = writable,
                        .arrays = slot->arrays + slot->strides,
                        .values = values->buf,
                        .n = values->len / values->itemsize};
    for (int k = 0; k < slot->arrays; k++)
        h.array[k] = (spcc_array){f->buffer[k].buf, f->buffer[k].len / f->buffer[k].itemsize};
    for (int l = 0; l < slot->strides; l++) {
        held->stride[l] = f->stride[l];
        h.array[l] = (spcc_array){&held->stride[l], 1};
    }
    if (slot_is_strided(slot)) {
        h.values = f->first;
        h.n = f->span;
    }
    return h;
}

/* Puts the arrays under the tensor that is held for the slot.  Without the GIL where there is much
 * to check. */
static enum found hold(const struct slot *slot, struct held *held, const struct found_arrays *f,
                       bool writable)
{
    size_t sizes = (size_t)slot->order * sizeof *f->dimension;
    bool fits = held->tensor && memcmp(held->dimension, f->dimension, sizes) == 0;
    if (fits && is_held(slot, held, f))
        return FOUND;
    if (!fits)
        held_clear(held);
    memcpy(held->dimension, f->dimension, sizes);
    struct holding h = arrays_of(slot, held, f, writable);
    if (h.n > CHECKED_ALWAYS ? core_call(work_hold, &h) : core_call_short(work_hold, &h))
        return note_held(slot, held, f) ? FOUND : FAILED;
    held_clear(held);
    return failed();
}

static enum found find_slot(const struct slot *slot, struct held *held, PyObject *object,
                            bool writable, struct found_arrays *f)
{
    if (Py_TYPE(object) != slot->class)
        return OTHER;
    enum found found =
        slot->arrays > 0 ? find_sparse(slot, object, f) : find_dense(slot, object, writable, f);
    return found == FOUND ? hold(slot, held, f, writable) : found;
}

/* ---- a call ---- */

struct calling {
    const struct learned *learned;
    struct held_set *set;
    struct found_arrays *found; /* of each, the result's first */
    spcc_tensor *made;          /* a sparse result */
};

static struct held_set *take_set(struct learned *c)
{
    size_t held = (size_t)c->operands + 1;
    lock_shared();
    struct held_set *set = c->idle;
    c->idle = set ? set->next : NULL;
    unlock_shared();
    if (!set)
        set = calloc(1, sizeof *set + held * sizeof *set->held);
    return set;
}

static PyObject *new_dense(const struct learned *c, const struct found_arrays *found)
{
    int order = c->slot[0].order;
    PyObject *shape = PyTuple_New(order), *array = NULL;
    for (int m = 0; shape && m < order; m++) {
        const int *from = c->dimension_from[m];
        PyObject *size = PyLong_FromLongLong(found[1 + from[0]].dimension[from[1]]);
        if (!size || PyTuple_SetItem(shape, m, size))
            Py_CLEAR(shape);
    }
    if (shape)
        array = PyObject_CallFunctionObjArgs(c->make, shape, c->dtype, NULL);
    Py_XDECREF(shape);
    return array;
}

static spcc_status work_result(spcc_context *context, void *arguments)
{
    struct calling *call = arguments;
    const struct slot *slot = &call->learned->slot[0];
    return spcc_tensor_new(context, call->learned->result_format, slot->type, slot->order, NULL,
                           NULL, &call->made);
}

static bool run_call(struct calling *call, bool is_new)
{
    const struct learned *c = call->learned;
    spcc_tensor *tensor[CORE_TENSORS_MAX];
    for (int k = 0; k <= c->operands; k++)
        tensor[k] = call->set->held[k].tensor;
    if (call->made)
        tensor[0] = call->made;
    struct core_running running = {((struct core_compiled *)c->compiled)->kernel, tensor,
                                   c->operands + 1, is_new};
    return core_call(core_run_kernel, &running);
}

static enum found run_sparse(struct calling *call, PyObject **result)
{
    if (!core_call_short(work_result, call) || !run_call(call, true)) {
        spcc_tensor_free(call->made);
        return failed();
    }
    PyObject *tensor = core_tensor_wrap(call->made);
    *result = tensor ? PyObject_CallFunctionObjArgs(call->learned->make, tensor, NULL) : NULL;
    Py_XDECREF(tensor);
    return *result ? FOUND : FAILED;
}

/* Runs the kernel into out, or into a new array. */
static enum found run_dense(struct calling *call, PyObject *out, PyObject **result)
{
    const struct learned *c = call->learned;
    PyObject *array = out ? Py_NewRef(out) : new_dense(c, call->found);
    if (!array)
        return FAILED;
    enum found found = find_slot(&c->slot[0], &call->set->held[0], array, true, &call->found[0]);
    if (found == FOUND && !run_call(call, !out))
        found = failed();
    release(&call->found[0]);
    if (found == FOUND)
        *result = out || c->slot[0].order > 0 ? Py_NewRef(array) : PyObject_GetItem(array, nothing);
    Py_DECREF(array);
    return found == FOUND && !*result ? FAILED : found;
}

static enum found call_learned(struct calling *call, PyObject *args, PyObject *out,
                               PyObject **result)
{
    const struct learned *c = call->learned;
    for (int k = 1; k <= c->operands; k++) {
        enum found found = find_slot(&c->slot[k], &call->set->held[k], PyTuple_GetItem(args, k - 1),
                                     false, &call->found[k]);
        if (found != FOUND)
            return found;
    }
    if (!c->result_format)
        return run_dense(call, out, result);
    return out ? OTHER : run_sparse(call, result);
}

/* Is it a call with operands alone, or with an out beside them? */
static bool is_plain(const struct learned *c, PyObject *args, PyObject *named, PyObject **out)
{
    *out = NULL;
    if (!c || PyTuple_Size(args) != c->operands)
        return false;
    if (!named || PyDict_Size(named) == 0)
        return true;
    *out = PyDict_GetItemWithError(named, text_out);
    return *out && *out != Py_None && PyDict_Size(named) == 1;
}

static PyObject *call_python(PyObject *self, PyObject *args, PyObject *named)
{
    PyObject *none = named ? NULL : PyDict_New();
    PyObject *result = named || none ? PyObject_CallMethodObjArgs(self, text_call, args,
                                                                  named ? named : none, NULL)
                                     : NULL;
    Py_XDECREF(none);
    return result;
}

static enum found call_as(struct learned *c, PyObject *args, PyObject *out, PyObject **result)
{
    struct found_arrays found[CALLED_MOST];
    struct calling call = {.learned = c, .set = take_set(c), .found = found};
    if (!call.set) {
        PyErr_NoMemory();
        return FAILED;
    }
    for (int k = 0; k <= c->operands; k++)
        found[k].n = 0;
    enum found came = call_learned(&call, args, out, result);
    for (int k = 0; k <= c->operands; k++)
        release(&found[k]);
    lock_shared();
    call.set->next = c->idle;
    c->idle = call.set;
    unlock_shared();
    return came;
}

static PyObject *caller_call(PyObject *self, PyObject *args, PyObject *named)
{
    struct caller *caller = (struct caller *)self;
    enum found came = OTHER;
    PyObject *out, *result = NULL;
    lock_shared();
    struct learned *c = caller->learned;
    caller->calls++;
    unlock_shared();
    if (is_plain(c, args, named, &out))
        for (; came == OTHER && learned_is_current(c); c = c->before)
            came = call_as(c, args, out, &result);
    lock_shared();
    caller->calls--;
    unlock_shared();
    return came == OTHER ? call_python(self, args, named) : result;
}

static PyMethodDef methods[] = {
    {"_learn", caller_learn, METH_VARARGS, "(compiled, slots, dimensions, format, make, dtype)"},
    {0}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, caller_free}, {Py_tp_call, caller_call}, {Py_tp_methods, methods}, {0}};

bool core_caller_types(PyObject *module)
{
    static PyType_Spec spec = {"spcc._core.Caller", sizeof(struct caller), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyObject *type = PyType_FromSpec(&spec);
    text_shape = PyUnicode_InternFromString("shape");
    text_call = PyUnicode_InternFromString("_call");
    text_out = PyUnicode_InternFromString("out");
    nothing = PyTuple_New(0);
    bool is_good = type && text_shape && text_call && text_out && nothing
                   && PyModule_AddObjectRef(module, "Caller", type) == 0;
    Py_XDECREF(type);
    return is_good;
}
