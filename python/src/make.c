/* make.c - tensors from what Python gives: arrays of others, coordinates, files, recipes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

static bool parse_type(const char *name, spcc_type *type)
{
    if (spcc_type_parse(name, type))
        return true;
    PyErr_Format(PyExc_TypeError, "'%s' is no value type", name);
    return false;
}

/* Reads a tuple of sizes; None: they are not known. */
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
    int64_t dimension[CORE_ORDER_MAX], stride[CORE_ORDER_MAX];
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

static spcc_status work_borrow_strided(spcc_context *context, void *arguments)
{
    struct making *m = arguments;
    spcc_tensor_options options = options_of(m);
    return spcc_tensor_borrow_strided(context, m->type, m->order, m->dimension, m->stride,
                                      m->values, &options, &m->made);
}

/* Strides in values; false where one is between two. */
static bool take_strides(struct making *m, const Py_buffer *b)
{
    for (int k = 0; k < m->order; k++) {
        m->dimension[k] = b->shape[k];
        m->stride[k] = b->strides[k] / b->itemsize;
        if (b->shape[k] > 1 && b->strides[k] % b->itemsize != 0) {
            PyErr_SetString(PyExc_ValueError, "strides between values");
            return false;
        }
    }
    return true;
}

/* Takes (values, name), where values is an array with whatever strides, and returns a tensor. */
PyObject *core_borrow_strided(PyObject *module, PyObject *args)
{
    struct making m = {0};
    PyObject *values, *tensor = NULL;
    if (!PyArg_ParseTuple(args, "Oz", &values, &m.name))
        return NULL;
    Py_buffer *buffer = PyMem_Calloc(1, sizeof *buffer);
    if (!buffer)
        return PyErr_NoMemory();
    if (PyObject_GetBuffer(values, buffer, PyBUF_STRIDES | PyBUF_FORMAT) == 0) {
        m.order = buffer->ndim;
        m.values = buffer->buf;
        if (m.order > CORE_ORDER_MAX || !core_buffer_type(buffer, &m.type))
            PyErr_SetString(PyExc_TypeError, "an array that no tensor is");
        else if (take_strides(&m, buffer))
            tensor = made(core_call(work_borrow_strided, &m), &m);
        if (tensor) {
            ((struct core_tensor *)tensor)->buffer = buffer;
            ((struct core_tensor *)tensor)->buffers = 1;
            return tensor;
        }
        PyBuffer_Release(buffer);
    }
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

/* Makes a tensor of coordinates, an array of n x order int64, and values. */
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

/* Does the file hold every component? */
PyObject *core_is_array(PyObject *module, PyObject *path)
{
    const char *text = PyUnicode_AsUTF8AndSize(path, NULL);
    return text ? PyBool_FromLong(spcc_file_is_array(text)) : NULL;
}

PyObject *core_read(PyObject *module, PyObject *args, PyObject *named)
{
    static char *words[] = {"path", "format", "type", "shape", "fill", "zero_based", "order", NULL};
    struct making m = {0};
    const char *type;
    int zero_based;
    PyObject *shape;
    if (!PyArg_ParseTupleAndKeywords(args, named, "szzOzpi", words, &m.text, &m.format, &type,
                                     &shape, &m.fill, &zero_based, &m.order)
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

static spcc_status work_convert(spcc_context *context, void *arguments)
{
    struct making *m = arguments;
    spcc_tensor_options options = options_of(m);
    return spcc_tensor_convert(context, m->from, m->format, m->type, &options, &m->made);
}

PyObject *core_convert(PyObject *self, PyObject *args)
{
    struct making m = {.from = ((struct core_tensor *)self)->tensor};
    const char *type;
    if (!PyArg_ParseTuple(args, "zsz", &m.format, &type, &m.fill) || !parse_type(type, &m.type))
        return NULL;
    return made(core_call(work_convert, &m), &m);
}
