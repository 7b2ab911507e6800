/* tensor.c - tensors for Python: borrowed from objects with buffers, made, looked into by views.
 *
 * A tensor that borrows holds the buffers of the objects that lend, so that they can neither go nor
 * move.  A view is an array of a tensor as a buffer; it holds the tensor.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *core_tensor_type, *core_view_type;

/* ---- value types and buffers ---- */

/* PEP 3118's letters. */
static const char *const letters[] = {
    [SPCC_F64] = "d",  [SPCC_F32] = "f",  [SPCC_I8] = "b",   [SPCC_I16] = "h", [SPCC_I32] = "i",
    [SPCC_I64] = "q",  [SPCC_U8] = "B",   [SPCC_U16] = "H",  [SPCC_U32] = "I", [SPCC_U64] = "Q",
    [SPCC_BOOL] = "?", [SPCC_C64] = "Zf", [SPCC_C128] = "Zd"};

static bool integer_type(bool is_signed, Py_ssize_t bytes, spcc_type *type)
{
    switch (bytes) {
    case 1: *type = is_signed ? SPCC_I8 : SPCC_U8; return true;
    case 2: *type = is_signed ? SPCC_I16 : SPCC_U16; return true;
    case 4: *type = is_signed ? SPCC_I32 : SPCC_U32; return true;
    case 8: *type = is_signed ? SPCC_I64 : SPCC_U64; return true;
    default: return false;
    }
}

bool core_buffer_type(const Py_buffer *buffer, spcc_type *type)
{
    const char *text = buffer->format ? buffer->format : "B";
    if (*text == '@' || *text == '=' || *text == '<')
        text++;
    if (strlen(text) == 1 && strchr("bhilq", *text))
        return integer_type(true, buffer->itemsize, type);
    if (strlen(text) == 1 && strchr("BHILQ", *text))
        return integer_type(false, buffer->itemsize, type);
    for (int t = 0; t <= SPCC_TYPE_LAST; t++) {
        if (strcmp(letters[t], text) == 0) {
            *type = (spcc_type)t;
            return true;
        }
    }
    return false;
}

/* ---- views ---- */

struct view {
    PyObject_HEAD PyObject *tensor;
    const void *at;
    const char *letter;
    Py_ssize_t length, stride;
};

static void view_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct view *view = (struct view *)self;
    ((struct core_tensor *)view->tensor)->views--;
    Py_DECREF(view->tensor);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *view_new(PyObject *tensor, const void *at, int64_t n, spcc_type type)
{
    struct view *view = PyObject_New(struct view, core_view_type);
    if (!view)
        return NULL;
    view->tensor = Py_NewRef(tensor);
    ((struct core_tensor *)tensor)->views++;
    view->at = at ? at : view;
    view->letter = letters[type];
    view->length = (Py_ssize_t)n;
    view->stride = (Py_ssize_t)spcc_type_size(type);
    return (PyObject *)view;
}

/* Gives a view's buffer.  What spcc made may be written; what it borrows is the lender's. */
static int view_buffer(PyObject *self, Py_buffer *buffer, int flags)
{
    struct view *view = (struct view *)self;
    const struct core_tensor *from = (struct core_tensor *)view->tensor;
    bool lent = from->buffers > 0 || from->whole;
    if (lent && (flags & PyBUF_WRITABLE)) {
        PyErr_SetString(PyExc_BufferError, "the tensor borrows this array");
        return -1;
    }
    *buffer = (Py_buffer){.buf = (void *)view->at,
                          .obj = Py_NewRef(self),
                          .len = view->length * view->stride,
                          .itemsize = view->stride,
                          .readonly = lent,
                          .ndim = 1,
                          .format = (char *)view->letter,
                          .shape = &view->length,
                          .strides = &view->stride};
    return 0;
}

static Py_ssize_t view_length(PyObject *self) { return ((struct view *)self)->length; }

/* ---- tensors ---- */

static void tensor_free(PyObject *self)
{
    struct core_tensor *t = (struct core_tensor *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (!t->whole)
        spcc_tensor_free(t->tensor);
    Py_XDECREF(t->whole);
    for (int b = 0; b < t->buffers; b++)
        PyBuffer_Release(&t->buffer[b]);
    PyMem_Free(t->buffer);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *wrap(spcc_tensor *tensor, PyObject *whole)
{
    struct core_tensor *t = PyObject_New(struct core_tensor, core_tensor_type);
    if (!t)
        return NULL;
    t->tensor = tensor;
    t->buffer = NULL;
    t->buffers = 0;
    t->views = 0;
    t->whole = whole ? Py_NewRef(whole) : NULL;
    t->wide = whole ? ((struct core_tensor *)whole)->wide : core_is_wide();
    return (PyObject *)t;
}

PyObject *core_tensor_wrap(spcc_tensor *tensor)
{
    PyObject *made = wrap(tensor, NULL);
    if (!made)
        spcc_tensor_free(tensor);
    return made;
}

static spcc_tensor *of(PyObject *self) { return ((struct core_tensor *)self)->tensor; }

/* As a context with 32 bits takes it, whatever the tensor's had. */
static PyObject *get_format(PyObject *self, void *closure)
{
    spcc_format *format;
    const char *text = spcc_tensor_format(of(self));
    int order = spcc_tensor_order(of(self));
    if (!((struct core_tensor *)self)->wide)
        return PyUnicode_FromString(text);
    spcc_context *context = core_context_of(false);
    if (!context || spcc_format_parse_with(context, text, order, 64, &format) != SPCC_OK)
        return context ? PyUnicode_FromString(text) : NULL; /* in parts */
    PyObject *told = PyUnicode_FromString(spcc_format_text(format));
    spcc_format_free(format);
    return told;
}

static PyObject *get_fill(PyObject *self, void *closure)
{
    return PyUnicode_FromString(spcc_tensor_fill(of(self)));
}

static PyObject *get_type(PyObject *self, void *closure)
{
    return PyUnicode_FromString(spcc_type_name(spcc_tensor_type(of(self))));
}

static PyObject *get_shape(PyObject *self, void *closure)
{
    int order = spcc_tensor_order(of(self));
    PyObject *shape = PyTuple_New(order);
    for (int m = 0; shape && m < order; m++) {
        PyObject *size = PyLong_FromLongLong(spcc_tensor_dimension(of(self), m));
        if (!size || PyTuple_SetItem(shape, m, size))
            Py_CLEAR(shape);
    }
    return shape;
}

static PyObject *get_bytes(PyObject *self, void *closure)
{
    return PyLong_FromLongLong(spcc_tensor_bytes(of(self)));
}

static PyObject *get_stored(PyObject *self, void *closure)
{
    return PyLong_FromLongLong(spcc_tensor_stored(of(self)));
}

/* Returns the values; a tensor in parts has none of its own. */
static PyObject *get_values(PyObject *self, void *closure)
{
    if (spcc_tensor_parts(of(self)) > 0)
        return PyErr_Format(PyExc_TypeError, "the tensor is in parts");
    return view_new(self, spcc_tensor_values(of(self)), spcc_tensor_stored(of(self)),
                    spcc_tensor_type(of(self)));
}

static PyObject *level_array(PyObject *self, int level, int k)
{
    spcc_array array = spcc_tensor_array(of(self), level, k);
    return view_new(self, array.at, array.length, spcc_tensor_array_type(of(self), level, k));
}

/* Returns [{"pos": view, "crd": view}, ...]. */
static PyObject *get_levels(PyObject *self, void *closure)
{
    PyObject *levels = PyList_New(0);
    for (int l = 0; levels && l < spcc_tensor_levels(of(self)); l++) {
        PyObject *level = PyDict_New();
        for (int k = 0; level && spcc_tensor_array_name(of(self), l, k); k++) {
            PyObject *view = level_array(self, l, k);
            if (!view || PyDict_SetItemString(level, spcc_tensor_array_name(of(self), l, k), view))
                Py_CLEAR(level);
            Py_XDECREF(view);
        }
        if (!level || PyList_Append(levels, level))
            Py_CLEAR(levels);
        Py_XDECREF(level);
    }
    return levels;
}

static PyObject *all_arrays(PyObject *self)
{
    PyObject *arrays = PyList_New(0);
    for (int l = 0; arrays && l < spcc_tensor_levels(of(self)); l++) {
        for (int k = 0; arrays && spcc_tensor_array_name(of(self), l, k); k++) {
            PyObject *view = level_array(self, l, k);
            if (!view || PyList_Append(arrays, view))
                Py_CLEAR(arrays);
            Py_XDECREF(view);
        }
    }
    return arrays;
}

static PyObject *get_count(PyObject *self, void *closure)
{
    return PyLong_FromLong(spcc_tensor_parts(of(self)));
}

static PyObject *get_views(PyObject *self, void *closure)
{
    return PyLong_FromLong(((struct core_tensor *)self)->views);
}

static PyObject *tensor_part(PyObject *self, PyObject *number)
{
    long k = PyLong_AsLong(number);
    if (PyErr_Occurred())
        return NULL;
    if (k < 0 || k >= spcc_tensor_parts(of(self)))
        return PyErr_Format(PyExc_IndexError, "the tensor has no part %ld", k);
    return wrap((spcc_tensor *)spcc_tensor_part(of(self), (int)k), self); /* views are read-only */
}

/* Returns (shape, [array, ...], values) of a tensor: views that keep it alive. */
static PyObject *tell_parts(PyObject *tensor, PyObject *none)
{
    PyObject *shape = get_shape(tensor, NULL), *arrays = all_arrays(tensor);
    PyObject *values = get_values(tensor, NULL);
    if (shape && arrays && values)
        return Py_BuildValue("NNN", shape, arrays, values);
    Py_XDECREF(shape);
    Py_XDECREF(arrays);
    Py_XDECREF(values);
    return NULL;
}

/* ---- methods ---- */

struct writing {
    const spcc_tensor *tensor;
    const char *path;
};

static spcc_status work_write(spcc_context *context, void *arguments)
{
    struct writing *w = arguments;
    return spcc_tensor_write(context, w->tensor, w->path);
}

static PyObject *tensor_write(PyObject *self, PyObject *args)
{
    struct writing w = {.tensor = of(self)};
    if (!PyArg_ParseTuple(args, "s", &w.path) || !core_call(work_write, &w))
        return NULL;
    Py_RETURN_NONE;
}

static spcc_status work_check(spcc_context *context, void *arguments)
{
    return spcc_tensor_check(context, arguments);
}

static PyObject *tensor_check(PyObject *self, PyObject *none)
{
    return core_call(work_check, of(self)) ? Py_NewRef(Py_None) : NULL;
}

/* Unpacks into arrays of the caller's, of int64 and of the tensor's type.  Returns the number of
 * components. */
static PyObject *tensor_unpack(PyObject *self, PyObject *args)
{
    PyObject *coordinates, *values, *result = NULL;
    Py_buffer at, value;
    if (!PyArg_ParseTuple(args, "OO", &coordinates, &values)
        || PyObject_GetBuffer(coordinates, &at, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE))
        return NULL;
    if (PyObject_GetBuffer(values, &value, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) == 0) {
        Py_ssize_t stored = (Py_ssize_t)spcc_tensor_stored(of(self));
        if (at.len < stored * spcc_tensor_order(of(self)) * 8
            || value.len < stored * (Py_ssize_t)spcc_type_size(spcc_tensor_type(of(self))))
            PyErr_SetString(PyExc_ValueError, "the arrays are too short");
        else
            result = PyLong_FromLongLong(spcc_tensor_unpack(of(self), at.buf, value.buf));
        PyBuffer_Release(&value);
    }
    PyBuffer_Release(&at);
    return result;
}

static PyMethodDef tensor_methods[] = {
    {"convert", core_convert, METH_VARARGS, "(format, type, fill)"},
    {"write", tensor_write, METH_VARARGS, "(path)"},
    {"check", tensor_check, METH_NOARGS, "Check the arrays."},
    {"unpack", tensor_unpack, METH_VARARGS, "(coordinates, values)"},
    {"part", tensor_part, METH_O, "A part of it."},
    {"parts", tell_parts, METH_NOARGS, "(shape, arrays, values)"},
    {0}};

static PyGetSetDef tensor_members[] = {{"format", get_format},
                                       {"fill", get_fill},
                                       {"type", get_type},
                                       {"shape", get_shape},
                                       {"bytes", get_bytes},
                                       {"stored", get_stored},
                                       {"values", get_values},
                                       {"levels", get_levels},
                                       {"count", get_count},
                                       {"views", get_views},
                                       {0}};

static PyType_Slot tensor_slots[] = {{Py_tp_dealloc, tensor_free},
                                     {Py_tp_methods, tensor_methods},
                                     {Py_tp_getset, tensor_members},
                                     {0}};
static PyType_Slot view_slots[] = {
    {Py_tp_dealloc, view_free}, {Py_bf_getbuffer, view_buffer}, {Py_sq_length, view_length}, {0}};

bool core_tensor_types(PyObject *module)
{
    static PyType_Spec tensor = {"spcc._core.Tensor", sizeof(struct core_tensor), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 tensor_slots};
    static PyType_Spec view = {"spcc._core.View", sizeof(struct view), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, view_slots};
    core_tensor_type = (PyTypeObject *)PyType_FromSpec(&tensor);
    core_view_type = (PyTypeObject *)PyType_FromSpec(&view);
    return core_tensor_type && core_view_type
           && PyModule_AddObjectRef(module, "Tensor", (PyObject *)core_tensor_type) == 0;
}
