/* request.c - what is to be compiled, from Python's arguments.
 *
 * SPDX-License-Identifier: MIT
 */
#include "request.h"

#include <string.h>

static bool take_declaration(PyObject *item, struct core_request *r)
{
    spcc_declaration *d = &r->declaration[r->options.n_declarations++];
    if (PyTuple_Size(item) == 2) {
        PyObject *tensor;
        if (!PyArg_ParseTuple(item, "sO!", &d->name, core_tensor_type, &tensor))
            return false;
        d->tensor = ((struct core_tensor *)tensor)->tensor;
        r->binding[r->bindings++] = (spcc_binding){d->name, (spcc_tensor *)d->tensor};
        return true;
    }
    return PyArg_ParseTuple(item, "szzz", &d->name, &d->format, &d->type, &d->fill);
}

/* Takes every item of a list of at most `most`. */
static bool each(PyObject *list, Py_ssize_t most, const char *what, struct core_request *r,
                 bool (*take)(PyObject *item, struct core_request *r))
{
    Py_ssize_t n = PyList_Size(list);
    if (n > most)
        PyErr_Format(PyExc_ValueError, "%zd %s: there may be %zd", n, what, most);
    for (Py_ssize_t k = 0; k < n && n <= most; k++)
        if (!take(PyList_GetItem(list, k), r))
            return false;
    return n >= 0 && n <= most;
}

static bool take_size(PyObject *item, struct core_request *r)
{
    long long size;
    spcc_variable_size *to = &r->size[r->options.n_sizes++];
    bool is_good = PyArg_ParseTuple(item, "sL", &to->variable, &size);
    to->size = is_good ? size : 0;
    return is_good;
}

static bool take_operator(PyObject *item, struct core_request *r)
{
    const char *text = PyUnicode_AsUTF8AndSize(item, NULL);
    r->operator[r->options.n_operators++] = text;
    return text != NULL;
}

bool core_parse_request(PyObject *args, PyObject *named, struct core_request *r)
{
    static char *words[] = {"statement", "declarations", "schedule", "no_plan", "serial",
                            "plain",     "algebra",      "name",     "sizes",   "operators",
                            "cuda",      "plan_for",     NULL};
    PyObject *declarations, *sizes = NULL, *operators = NULL;
    int no_plan = 0, serial = 0, plain = 0, algebra = 0, cuda = 0, plan_for = 0;
    memset(r, 0, sizeof *r);
    r->options.size = sizeof r->options;
    if (!PyArg_ParseTupleAndKeywords(args, named, "sO!|zppppzO!O!pp", words, &r->statement,
                                     &PyList_Type, &declarations, &r->options.schedule, &no_plan,
                                     &serial, &plain, &algebra, &r->options.name, &PyList_Type,
                                     &sizes, &PyList_Type, &operators, &cuda, &plan_for))
        return false;
    r->options.no_plan = no_plan;
    r->options.serial = serial;
    r->options.plain = plain;
    r->options.algebra = algebra ? SPCC_ALGEBRA_DISTRIBUTE : SPCC_ALGEBRA_AS_WRITTEN;
    r->options.language = cuda ? SPCC_LANGUAGE_CUDA : SPCC_LANGUAGE_C;
    r->options.plan_for_tensors = plan_for;
    r->options.declarations = r->declaration;
    r->options.sizes = r->size;
    r->options.operators = r->operator;
    return each(declarations, CORE_TENSORS_MAX, "declarations", r, take_declaration)
           && (!sizes || each(sizes, CORE_TEXTS_MAX, "sizes", r, take_size))
           && (!operators || each(operators, CORE_TEXTS_MAX, "operators", r, take_operator));
}
