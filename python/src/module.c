/* module.c - spcc._core: what python/spcc is built on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core.h"

static PyObject *core_describe_engine(PyObject *module, PyObject *number)
{
    char *text = NULL;
    long engine = PyLong_AsLong(number);
    spcc_context *context = PyErr_Occurred() ? NULL : core_context();
    if (!context)
        return NULL;
    spcc_status status = spcc_engine_describe(context, (spcc_engine)engine, &text);
    if (status != SPCC_OK)
        return core_fail(context, status);
    PyObject *told = PyUnicode_FromString(text);
    spcc_free(text);
    return told;
}

static PyObject *core_describe(PyObject *module, PyObject *word)
{
    char *text = NULL;
    const char *asked = PyUnicode_AsUTF8AndSize(word, NULL);
    spcc_context *context = asked ? core_context() : NULL;
    if (!context)
        return NULL;
    spcc_status status = spcc_describe_word(context, asked, &text);
    if (status != SPCC_OK)
        return core_fail(context, status);
    PyObject *told = PyUnicode_FromString(text);
    spcc_free(text);
    return told;
}

/* Is the program's main, of cli/main.c, under another name. */
int spcc_main(int argc, char **argv);

static PyObject *core_program(PyObject *module, PyObject *words)
{
    char *argv[4096];
    Py_ssize_t n = PyList_Check(words) ? PyList_Size(words) : 0;
    if (n < 1 || n >= (Py_ssize_t)(sizeof argv / sizeof *argv))
        return PyErr_Format(PyExc_ValueError, "a list of words is needed, and not too many");
    for (Py_ssize_t k = 0; k < n; k++) {
        PyObject *word = PyUnicode_EncodeFSDefault(PyList_GetItem(words, k));
        argv[k] = word ? PyBytes_AsString(word) : NULL; /* which lives as long as the process */
        if (!argv[k])
            return NULL;
    }
    argv[n] = NULL;
    int status;
    Py_BEGIN_ALLOW_THREADS status = spcc_main((int)n, argv);
    Py_END_ALLOW_THREADS return PyLong_FromLong(status);
}

#define NAMED(function) (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS

static PyMethodDef methods[] = {
    {"configure", NAMED(core_configure), "The options of contexts that are made from now on."},
    {"set_hooks", core_set_hooks, METH_VARARGS, "(make an exception, warn)"},
    {"set_wide", core_set_wide, METH_O, "Formats have 64 bits in this thread; what it was before."},
    {"after_fork", core_after_fork, METH_NOARGS, "This process was forked."},
    {"borrow", NAMED(core_borrow), "A tensor on arrays of others."},
    {"borrow_strided", core_borrow_strided, METH_VARARGS, "(values, name)"},
    {"new", NAMED(core_new), "A tensor to be a result."},
    {"from_coords", NAMED(core_from_coords), "A tensor from a list of coordinates."},
    {"read", NAMED(core_read), "A tensor from a file."},
    {"is_array", core_is_array, METH_O, "Does the file hold every component?"},
    {"generate", NAMED(core_generate), "A tensor from a recipe."},
    {"compile", NAMED(core_compile), "A kernel."},
    {"result_types", NAMED(core_result_types), "The types of the values of the first N results."},
    {"emit", NAMED(core_emit), "A stage as a text; -1-r: the format of result r."},
    {"tune", NAMED(core_tune), "Plans and their times."},
    {"names", NAMED(core_names), "The tensors in a statement."},
    {"format_levels", core_format_levels, METH_VARARGS, "A format in parts."},
    {"describe_engine", core_describe_engine, METH_O, "The compiler of an engine."},
    {"describe", core_describe, METH_O, "What a word means."},
    {"program", core_program, METH_O, "The program spcc, with these words; its status."},
    {0}};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "spcc._core",
                                            .m_doc = "The C part of spcc.", .m_size = -1,
                                            .m_methods = methods};
    PyObject *module = PyModule_Create(&definition);
    if (module && core_tensor_types(module) && core_kernel_types(module)
        && core_caller_types(module)
        && PyModule_AddStringConstant(module, "version", spcc_version()) == 0) {
#ifdef Py_GIL_DISABLED
        PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
        return module;
    }
    Py_XDECREF(module);
    return NULL;
}
