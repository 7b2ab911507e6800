/* kernel.c - kernels for Python: compiled, run, tuned, printed; statements and formats in parts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core.h"

#include "request.h"

PyTypeObject *core_compiled_type;

/* ---- compiled ---- */

struct compiling {
    struct core_request request;
    spcc_kernel *kernel;
};

static spcc_status work_compile(spcc_context *context, void *arguments)
{
    struct compiling *c = arguments;
    return spcc_compile(context, c->request.statement, &c->request.options, &c->kernel);
}

PyObject *core_compile(PyObject *module, PyObject *args, PyObject *named)
{
    struct compiling c = {.kernel = NULL};
    if (!core_parse_request(args, named, &c.request))
        return NULL;
    bool is_good = core_call(work_compile, &c);
    struct core_compiled *made =
        is_good ? PyObject_New(struct core_compiled, core_compiled_type) : NULL;
    if (!made) {
        spcc_kernel_free(c.kernel);
        return NULL;
    }
    made->kernel = c.kernel;
    return (PyObject *)made;
}

static void compiled_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    spcc_kernel_free(((struct core_compiled *)self)->kernel);
    PyObject_Free(self);
    Py_DECREF(type);
}

static const spcc_kernel *of(PyObject *self) { return ((struct core_compiled *)self)->kernel; }

static PyObject *get_names(PyObject *self, void *closure)
{
    int n = spcc_kernel_tensors(of(self));
    PyObject *names = PyTuple_New(n);
    for (int k = 0; names && k < n; k++) {
        PyObject *name = PyUnicode_FromString(spcc_kernel_tensor_name(of(self), k));
        if (!name || PyTuple_SetItem(names, k, name))
            Py_CLEAR(names);
    }
    return names;
}

static PyObject *get_results(PyObject *self, void *closure)
{
    return PyLong_FromLong(spcc_kernel_results(of(self)));
}

/* Returns (engine, fallback, origin, generate_ms, compile_ms, load_ms, note). */
static PyObject *get_info(PyObject *self, void *closure)
{
    const spcc_kernel_info *info = spcc_kernel_get_info(of(self));
    return Py_BuildValue("(iOidddz)", (int)info->engine, info->fallback ? Py_True : Py_False,
                         (int)info->origin, info->generate_ms, info->compile_ms, info->load_ms,
                         info->note);
}

/* ---- runs ---- */

spcc_status core_run_kernel(spcc_context *context, void *arguments)
{
    const struct core_running *r = arguments;
    const spcc_run_options options = {.size = sizeof options, .overwrite = r->is_new};
    return spcc_run_with(context, r->kernel, r->tensors, r->n_tensors, &options);
}

static bool take_tensors(PyObject *list, spcc_tensor **tensor, int *n)
{
    Py_ssize_t size = PyList_Check(list) ? PyList_Size(list) : -1;
    if (size < 0 || size > CORE_TENSORS_MAX) {
        PyErr_SetString(PyExc_TypeError, "a list of tensors is needed");
        return false;
    }
    for (Py_ssize_t k = 0; k < size; k++) {
        PyObject *item = PyList_GetItem(list, k);
        if (Py_TYPE(item) != core_tensor_type) {
            PyErr_SetString(PyExc_TypeError, "a list of tensors is needed");
            return false;
        }
        tensor[k] = ((struct core_tensor *)item)->tensor;
    }
    *n = (int)size;
    return true;
}

static PyObject *compiled_run(PyObject *self, PyObject *list)
{
    spcc_tensor *tensor[CORE_TENSORS_MAX];
    struct core_running running = {.kernel = of(self), .tensors = tensor};
    if (!take_tensors(list, tensor, &running.n_tensors) || !core_call(core_run_kernel, &running))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *compiled_traffic(PyObject *self, PyObject *list)
{
    spcc_tensor *tensor[CORE_TENSORS_MAX];
    int n;
    if (!take_tensors(list, tensor, &n))
        return NULL;
    return PyLong_FromLongLong(spcc_kernel_traffic(of(self), tensor, n));
}

/* ---- texts ---- */

struct emitting {
    struct core_request request;
    int stage; /* -1: the result's format */
    char *text;
};

static spcc_status work_emit(spcc_context *context, void *arguments)
{
    struct emitting *e = arguments;
    const struct core_request *r = &e->request;
    return e->stage < 0
               ? spcc_result_format_of(context, r->statement, &r->options, -1 - e->stage, &e->text)
               : spcc_emit(context, r->statement, &r->options, (spcc_stage)e->stage, &e->text);
}

static PyObject *emitted(PyObject *args, PyObject *named)
{
    struct emitting e = {.text = NULL};
    long stage = PyLong_AsLong(PyTuple_GetItem(args, 0));
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args)), *text = NULL;
    if (!PyErr_Occurred() && rest && core_parse_request(rest, named, &e.request)) {
        e.stage = (int)stage;
        if (core_call(work_emit, &e))
            text = e.text ? PyUnicode_FromString(e.text) : Py_NewRef(Py_None);
        spcc_free(e.text);
    }
    Py_XDECREF(rest);
    return text;
}

/* Takes (stage, request...), and returns a text. */
PyObject *core_emit(PyObject *module, PyObject *args, PyObject *named)
{
    if (PyTuple_Size(args) < 1)
        return PyErr_Format(PyExc_TypeError, "a stage is needed");
    return emitted(args, named);
}

struct inferring {
    struct core_request request;
    int n;
    spcc_type type[CORE_TENSORS_MAX];
};

static spcc_status work_result_types(spcc_context *context, void *arguments)
{
    struct inferring *a = arguments;
    spcc_status status = SPCC_OK;
    for (int r = 0; r < a->n && status == SPCC_OK; r++)
        status =
            spcc_result_type(context, a->request.statement, &a->request.options, r, &a->type[r]);
    return status;
}

/* Takes (results, request...), and returns the results' types. */
PyObject *core_result_types(PyObject *module, PyObject *args, PyObject *named)
{
    struct inferring a = {.n = 0};
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args)), *types = NULL;
    a.n = PyTuple_Size(args) > 0 ? (int)PyLong_AsLong(PyTuple_GetItem(args, 0)) : -1;
    if (a.n < 0 || a.n > CORE_TENSORS_MAX)
        PyErr_SetString(PyExc_ValueError, "a number of results is needed");
    else if (rest && core_parse_request(rest, named, &a.request)
             && core_call(work_result_types, &a))
        types = PyList_New(0);
    for (int r = 0; types && r < a.n; r++) {
        PyObject *name = PyUnicode_FromString(spcc_type_name(a.type[r]));
        if (!name || PyList_Append(types, name))
            Py_CLEAR(types);
        Py_XDECREF(name);
    }
    Py_XDECREF(rest);
    return types;
}

/* ---- tuning ---- */

struct tuning {
    struct core_request request;
    spcc_tune_options how;
    spcc_tuning *tuning;
};

static spcc_status work_tune(spcc_context *context, void *arguments)
{
    struct tuning *t = arguments;
    return spcc_tune(context, t->request.statement, &t->request.options, t->request.binding,
                     t->request.bindings, &t->how, &t->tuning);
}

/* Takes (plans, runs, request...), and returns ([(schedule, steps, ms, runs, planned, trouble)...],
 * unkept). */
PyObject *core_tune(PyObject *module, PyObject *args, PyObject *named)
{
    struct tuning t = {.how = {.size = sizeof t.how}, .tuning = NULL};
    PyObject *first = PyTuple_GetSlice(args, 0, 2), *plans = NULL;
    PyObject *rest = PyTuple_GetSlice(args, 2, PyTuple_Size(args));
    if (first && rest && PyArg_ParseTuple(first, "ii", &t.how.plans, &t.how.runs)
        && core_parse_request(rest, named, &t.request) && core_call(work_tune, &t))
        plans = PyList_New(0);
    for (int k = 0; plans && k < t.tuning->n_plans; k++) {
        const spcc_tuned_plan *p = &t.tuning->plans[k];
        PyObject *plan = Py_BuildValue("(sddiOz)", p->schedule, p->steps, p->ms, p->runs,
                                       p->planned ? Py_True : Py_False, p->trouble);
        if (!plan || PyList_Append(plans, plan))
            Py_CLEAR(plans);
        Py_XDECREF(plan);
    }
    PyObject *told = plans ? Py_BuildValue("(Nz)", plans, t.tuning->unkept) : NULL;
    spcc_tuning_free(t.tuning);
    Py_XDECREF(first);
    Py_XDECREF(rest);
    return told;
}

/* ---- statements and formats in parts ---- */

struct parsing {
    struct core_request request;
    spcc_statement *statement;
};

static spcc_status work_parse(spcc_context *context, void *arguments)
{
    struct parsing *p = arguments;
    return spcc_statement_parse_with(context, p->request.statement, &p->request.options,
                                     &p->statement);
}

static PyObject *variables(const spcc_statement *s, int tensor)
{
    int order = spcc_statement_tensor_order(s, tensor);
    PyObject *all = PyTuple_New(order);
    for (int m = 0; all && m < order; m++) {
        PyObject *name = PyUnicode_FromString(spcc_statement_variable(s, tensor, m));
        if (!name || PyTuple_SetItem(all, m, name))
            Py_CLEAR(all);
    }
    return all;
}

/* Returns (results, [(name, (variable, ...), reads), ...]) of a request. */
PyObject *core_names(PyObject *module, PyObject *args, PyObject *named)
{
    struct parsing p = {.statement = NULL};
    if (!core_parse_request(args, named, &p.request) || !core_call(work_parse, &p))
        return NULL;
    PyObject *names = PyList_New(0);
    for (int k = 0; names && k < spcc_statement_tensors(p.statement); k++) {
        PyObject *of = variables(p.statement, k);
        PyObject *tensor =
            of ? Py_BuildValue("(sNO)", spcc_statement_tensor_name(p.statement, k), of,
                               spcc_statement_reads(p.statement, k) ? Py_True : Py_False)
               : NULL;
        if (!tensor || PyList_Append(names, tensor))
            Py_CLEAR(names);
        Py_XDECREF(tensor);
    }
    PyObject *told =
        names ? Py_BuildValue("(iN)", spcc_statement_results(p.statement), names) : NULL;
    spcc_statement_free(p.statement);
    return told;
}

/* Returns a map in parts: a mode is a number, a constant (number,), a function (left, operator,
 * right). */
static PyObject *map_parts(const spcc_map *map)
{
    static const char *const operators[] = {
        [SPCC_MAP_ADD] = "+", [SPCC_MAP_SUB] = "-", [SPCC_MAP_DIV] = "/", [SPCC_MAP_MOD] = "%"};
    if (map->kind == SPCC_MAP_MODE)
        return PyLong_FromLong(map->mode);
    if (map->kind == SPCC_MAP_CONSTANT)
        return Py_BuildValue("(L)", (long long)map->constant);
    PyObject *left = map_parts(map->left), *right = map_parts(map->right);
    if (left && right)
        return Py_BuildValue("(NsN)", left, operators[map->kind], right);
    Py_XDECREF(left);
    Py_XDECREF(right);
    return NULL;
}

static PyObject *level_parts(const spcc_level *level)
{
    PyObject *arrays = PyList_New(0), *map = map_parts(level->map);
    for (int k = 0; arrays && k < level->n_arrays; k++) {
        PyObject *array =
            Py_BuildValue("(ss)", level->array_name[k], spcc_type_name(level->array_type[k]));
        if (!array || PyList_Append(arrays, array))
            Py_CLEAR(arrays);
        Py_XDECREF(array);
    }
    if (arrays && map)
        return Py_BuildValue("(sINLN)", level->type, level->properties, map, (long long)level->most,
                             arrays);
    Py_XDECREF(arrays);
    Py_XDECREF(map);
    return NULL;
}

/* Takes (format, order, bits, wide), and returns
 *     (text, [(type, properties, map, most, [(array, type), ...]), ...])
 * of the format.  Integers without a type in it have these bits, as in a context of 64 or 32. */
PyObject *core_format_levels(PyObject *module, PyObject *args)
{
    const char *text;
    int order, bits, wide;
    spcc_format *format;
    if (!PyArg_ParseTuple(args, "ziip", &text, &order, &bits, &wide))
        return NULL;
    spcc_context *context = core_context_of(wide);
    if (!context)
        return NULL;
    spcc_status status = spcc_format_parse_with(context, text, order, bits, &format);
    if (status != SPCC_OK)
        return core_fail(context, status);
    PyObject *levels = PyList_New(0);
    for (int l = 0; levels && l < spcc_format_levels(format); l++) {
        PyObject *level = level_parts(spcc_format_level(format, l));
        if (!level || PyList_Append(levels, level))
            Py_CLEAR(levels);
        Py_XDECREF(level);
    }
    PyObject *told = levels ? Py_BuildValue("(sN)", spcc_format_text(format), levels) : NULL;
    spcc_format_free(format);
    return told;
}

/* ---- the type ---- */

static PyMethodDef methods[] = {{"run", compiled_run, METH_O, "([tensor, ...])"},
                                {"traffic", compiled_traffic, METH_O, "([tensor, ...])"},
                                {0}};
static PyGetSetDef members[] = {
    {"names", get_names}, {"results", get_results}, {"info", get_info}, {0}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, compiled_free}, {Py_tp_methods, methods}, {Py_tp_getset, members}, {0}};

bool core_kernel_types(PyObject *module)
{
    static PyType_Spec spec = {"spcc._core.Compiled", sizeof(struct core_compiled), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    core_compiled_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return core_compiled_type
           && PyModule_AddObjectRef(module, "Compiled", (PyObject *)core_compiled_type) == 0;
}
