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
    Py_DECREF(((struct view *)self)->tensor);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *view_new(PyObject *tensor, const void *at, int64_t n, spcc_type type)
{
    struct view *view = PyObject_New(struct view, core_view_type);
    if (!view)
        return NULL;
    view->tensor = Py_NewRef(tensor);
    view->at = at ? at : view;
    view->letter = letters[type];
    view->length = (Py_ssize_t)n;
    view->stride = (Py_ssize_t)spcc_type_size(type);
    return (PyObject *)view;
}

/* What spcc made may be written; what it borrows is the lender's. */
static int view_buffer(PyObject *self, Py_buffer *buffer, int flags)
{
    struct view *view = (struct view *)self;
    bool lent = ((struct core_tensor *)view->tensor)->buffers > 0;
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
    spcc_tensor_free(t->tensor);
    for (int b = 0; b < t->buffers; b++)
        PyBuffer_Release(&t->buffer[b]);
    PyMem_Free(t->buffer);
    PyObject_Free(self);
    Py_DECREF(type);
}

PyObject *core_tensor_wrap(spcc_tensor *tensor)
{
    struct core_tensor *t = PyObject_New(struct core_tensor, core_tensor_type);
    if (!t) {
        spcc_tensor_free(tensor);
        return NULL;
    }
    t->tensor = tensor;
    t->buffer = NULL;
    t->buffers = 0;
    return (PyObject *)t;
}

static spcc_tensor *of(PyObject *self) { return ((struct core_tensor *)self)->tensor; }

static PyObject *get_format(PyObject *self, void *closure)
{
    return PyUnicode_FromString(spcc_tensor_format(of(self)));
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

static PyObject *get_values(PyObject *self, void *closure)
{
    return view_new(self, spcc_tensor_values(of(self)), spcc_tensor_stored(of(self)),
                    spcc_tensor_type(of(self)));
}

static PyObject *level_array(PyObject *self, int level, int k)
{
    spcc_array array = spcc_tensor_array(of(self), level, k);
    return view_new(self, array.at, array.length, spcc_tensor_array_type(of(self), level, k));
}

/* [{"pos": view, "crd": view}, ...] */
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

/* (shape, [array, ...], values) of a tensor: views that keep it alive. */
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

/* ---- tensors from arguments ---- */

static bool parse_type(const char *name, spcc_type *type)
{
    if (spcc_type_parse(name, type))
        return true;
    PyErr_Format(PyExc_TypeError, "'%s' is no value type", name);
    return false;
}

/* A tuple of sizes; None: not known. */
static bool parse_shape(PyObject *tuple, int64_t *dimension, int *order, bool *known)
{
    *known = tuple != Py_None;
    if (!*known)
        return true;
    Py_ssize_t n = PySequence_Size(tuple);
    if (n < 0 || n > CORE_ORDER_MAX) {
        if (n >= 0)
            PyErr_Format(PyExc_ValueError, "a tensor of order %zd: orders are 0 to %d", n,
                         CORE_ORDER_MAX);
        return false;
    }
    *order = (int)n;
    for (Py_ssize_t m = 0; m < n; m++) {
        PyObject *size = PySequence_GetItem(tuple, m);
        dimension[m] = size ? PyLong_AsLongLong(size) : -1;
        Py_XDECREF(size);
        if (PyErr_Occurred())
            return false;
    }
    return true;
}

struct making {
    const char *format, *fill, *name, *text; /* text: a path, a recipe */
    spcc_type type;
    bool own_type; /* a file's */
    int order;
    int64_t dimension[CORE_ORDER_MAX];
    bool sized;
    spcc_array array[CORE_ARRAYS_MAX];
    int arrays;
    const int64_t *coordinates;
    const void *values;
    int64_t n;
    bool writable, trusted, zero_based;
    const spcc_tensor *from;
    spcc_tensor *made;
};

static spcc_tensor_options options_of(const struct making *m)
{
    return (spcc_tensor_options){.size = sizeof(spcc_tensor_options),
                                 .name = m->name,
                                 .fill = m->fill,
                                 .trusted = m->trusted,
                                 .writable = m->writable};
}

static PyObject *made(bool is_made, struct making *m)
{
    if (is_made)
        return core_tensor_wrap(m->made);
    spcc_tensor_free(m->made);
    return NULL;
}

static spcc_status work_new(spcc_context *context, void *arguments)
{
    struct making *m = arguments;
    spcc_tensor_options options = options_of(m);
    return spcc_tensor_new(context, m->format, m->type, m->order, m->sized ? m->dimension : NULL,
                           &options, &m->made);
}

PyObject *core_new(PyObject *module, PyObject *args, PyObject *named)
{
    static char *words[] = {"format", "type", "order", "shape", "fill", NULL};
    struct making m = {0};
    const char *type;
    PyObject *shape;
    if (!PyArg_ParseTupleAndKeywords(args, named, "zsiOz", words, &m.format, &type, &m.order,
                                     &shape, &m.fill)
        || !parse_type(type, &m.type) || !parse_shape(shape, m.dimension, &m.order, &m.sized))
        return NULL;
    return made(core_call(work_new, &m), &m);
}

static spcc_status work_borrow(spcc_context *context, void *arguments)
{
    struct making *m = arguments;
    spcc_tensor_options options = options_of(m);
    return spcc_tensor_borrow(context, m->format, m->type, m->order, m->dimension, m->array,
                              m->arrays, m->values, m->n, &options, &m->made);
}

/* Arrays of the level types' own element types are the caller's to have. */
static bool take_buffers(struct making *m, Py_buffer *buffer, int *taken, PyObject *arrays,
                         PyObject *values)
{
    Py_ssize_t n = PySequence_Size(arrays);
    if (n < 0 || n > CORE_ARRAYS_MAX)
        return false;
    for (Py_ssize_t k = 0; k <= n; k++) {
        PyObject *object = k < n ? PySequence_GetItem(arrays, k) : Py_NewRef(values);
        int flags =
            PyBUF_ANY_CONTIGUOUS | PyBUF_FORMAT | (k == n && m->writable ? PyBUF_WRITABLE : 0);
        bool is_good = object && PyObject_GetBuffer(object, &buffer[*taken], flags) == 0;
        Py_XDECREF(object);
        if (!is_good)
            return false;
        ++*taken;
        if (k < n)
            m->array[k] = (spcc_array){buffer[k].buf, buffer[k].len / buffer[k].itemsize};
    }
    spcc_type type;
    if (!core_buffer_type(&buffer[n], &type) || type != m->type) {
        PyErr_Format(PyExc_TypeError, "%s: the values are not of the type %s",
                     m->name ? m->name : "the tensor", spcc_type_name(m->type));
        return false;
    }
    m->arrays = (int)n;
    m->values = buffer[n].buf;
    m->n = buffer[n].len / buffer[n].itemsize;
    return true;
}

PyObject *core_borrow(PyObject *module, PyObject *args, PyObject *named)
{
    static char *words[] = {"format", "type",     "shape",   "arrays", "values",
                            "fill",   "writable", "trusted", "name",   NULL};
    struct making m = {0};
    const char *type;
    int writable = 0, trusted = 0, taken = 0;
    PyObject *shape, *arrays, *values;
    if (!PyArg_ParseTupleAndKeywords(args, named, "zsOOOzppz", words, &m.format, &type, &shape,
                                     &arrays, &values, &m.fill, &writable, &trusted, &m.name)
        || !parse_type(type, &m.type) || !parse_shape(shape, m.dimension, &m.order, &m.sized))
        return NULL;
    m.writable = writable;
    m.trusted = trusted;
    Py_buffer *buffer = PyMem_Calloc(CORE_ARRAYS_MAX + 1, sizeof *buffer);
    if (!buffer)
        return PyErr_NoMemory();
    PyObject *tensor = NULL;
    if (take_buffers(&m, buffer, &taken, arrays, values))
        tensor = made(core_call(work_borrow, &m), &m);
    if (tensor) {
        struct core_tensor *t = (struct core_tensor *)tensor;
        t->buffer = PyMem_Realloc(buffer, (size_t)taken * sizeof *buffer);
        t->buffers = taken;
        return tensor;
    }
    for (int b = 0; b < taken; b++)
        PyBuffer_Release(&buffer[b]);
    PyMem_Free(buffer);
    return NULL;
}

static spcc_status work_coords(spcc_context *context, void *arguments)
{
    struct making *m = arguments;
    spcc_tensor_options options = options_of(m);
    return spcc_tensor_from_coords(context, m->format, m->type, m->order, m->dimension, m->n,
                                   m->coordinates, m->values, &options, &m->made);
}

/* coordinates: n x order of int64. */
PyObject *core_from_coords(PyObject *module, PyObject *args, PyObject *named)
{
    static char *words[] = {"format", "type", "shape", "coordinates",
                            "values", "fill", "name",  NULL};
    struct making m = {0};
    const char *type;
    PyObject *shape, *coordinates, *values, *tensor = NULL;
    Py_buffer at, value;
    if (!PyArg_ParseTupleAndKeywords(args, named, "zsOOOzz", words, &m.format, &type, &shape,
                                     &coordinates, &values, &m.fill, &m.name)
        || !parse_type(type, &m.type) || !parse_shape(shape, m.dimension, &m.order, &m.sized)
        || PyObject_GetBuffer(coordinates, &at, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT))
        return NULL;
    if (PyObject_GetBuffer(values, &value, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0) {
        spcc_type index, given;
        m.n = value.len / value.itemsize;
        m.coordinates = at.buf;
        m.values = value.buf;
        if (!core_buffer_type(&at, &index) || index != SPCC_I64 || at.len != m.n * m.order * 8
            || !core_buffer_type(&value, &given) || given != m.type)
            PyErr_SetString(PyExc_TypeError, "coordinates and values do not go together");
        else
            tensor = made(core_call(work_coords, &m), &m);
        PyBuffer_Release(&value);
    }
    PyBuffer_Release(&at);
    return tensor;
}

static spcc_status work_read(spcc_context *context, void *arguments)
{
    struct making *m = arguments;
    spcc_read_options options = {.size = sizeof options,
                                 .name = m->name,
                                 .fill = m->fill,
                                 .order = m->order,
                                 .dimensions = m->sized ? m->dimension : NULL,
                                 .own_type = m->own_type,
                                 .zero_based = m->zero_based};
    return spcc_tensor_read(context, m->text, m->format, m->type, &options, &m->made);
}

PyObject *core_read(PyObject *module, PyObject *args, PyObject *named)
{
    static char *words[] = {"path", "format", "type", "shape", "fill", "zero_based", NULL};
    struct making m = {0};
    const char *type;
    int zero_based;
    PyObject *shape;
    if (!PyArg_ParseTupleAndKeywords(args, named, "szzOzp", words, &m.text, &m.format, &type,
                                     &shape, &m.fill, &zero_based)
        || (type && !parse_type(type, &m.type))
        || !parse_shape(shape, m.dimension, &m.order, &m.sized))
        return NULL;
    m.own_type = !type;
    m.zero_based = zero_based;
    return made(core_call(work_read, &m), &m);
}

static spcc_status work_generate(spcc_context *context, void *arguments)
{
    struct making *m = arguments;
    spcc_tensor_options options = options_of(m);
    return spcc_tensor_generate(context, m->text, m->format, m->type, m->order,
                                m->sized ? m->dimension : NULL, &options, &m->made);
}

PyObject *core_generate(PyObject *module, PyObject *args, PyObject *named)
{
    static char *words[] = {"recipe", "format", "type", "shape", "fill", NULL};
    struct making m = {0};
    const char *type;
    PyObject *shape;
    if (!PyArg_ParseTupleAndKeywords(args, named, "szsOz", words, &m.text, &m.format, &type, &shape,
                                     &m.fill)
        || !parse_type(type, &m.type) || !parse_shape(shape, m.dimension, &m.order, &m.sized))
        return NULL;
    if (!m.sized)
        m.order = spcc_recipe_dimensions(m.text, 0, NULL);
    return made(core_call(work_generate, &m), &m);
}

/* ---- methods ---- */

static spcc_status work_convert(spcc_context *context, void *arguments)
{
    struct making *m = arguments;
    spcc_tensor_options options = options_of(m);
    return spcc_tensor_convert(context, m->from, m->format, m->type, &options, &m->made);
}

static PyObject *tensor_convert(PyObject *self, PyObject *args)
{
    struct making m = {.from = of(self)};
    const char *type;
    if (!PyArg_ParseTuple(args, "zsz", &m.format, &type, &m.fill) || !parse_type(type, &m.type))
        return NULL;
    return made(core_call(work_convert, &m), &m);
}

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

/* Into arrays of the caller's, int64 and the tensor's type; returns how many components. */
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
    {"convert", tensor_convert, METH_VARARGS, "(format, type, fill)"},
    {"write", tensor_write, METH_VARARGS, "(path)"},
    {"check", tensor_check, METH_NOARGS, "Check the arrays."},
    {"unpack", tensor_unpack, METH_VARARGS, "(coordinates, values)"},
    {"parts", tell_parts, METH_NOARGS, "(shape, arrays, values)"},
    {0}};

static PyGetSetDef tensor_members[] = {
    {"format", get_format}, {"fill", get_fill},     {"type", get_type},
    {"shape", get_shape},   {"bytes", get_bytes},   {"stored", get_stored},
    {"values", get_values}, {"levels", get_levels}, {0}};

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
