/* core.h - what the files of the Python extension share: contexts, errors, tensors, kernels.
 *
 * The extension is a user of the C API like any other program.  It is written for CPython's limited
 * API of 3.11, so that one binary serves all later versions.  What needs no speed is in Python
 * (python/spcc): this is the part that touches memory, and the path of a call that is repeated.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PYTHON_CORE_H
#define SPCC_PYTHON_CORE_H

#include <pyconfig.h>
#ifndef Py_GIL_DISABLED /* which has no limited API */
#define Py_LIMITED_API 0x030b0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdatomic.h>

#include "spcc.h"

enum { CORE_ORDER_MAX = 32, CORE_ARRAYS_MAX = 96 };

/* ---- context.c ---- */

/* Returns the context of this thread, with the options of core_configure; NULL with an exception.
 * Where a format says no integer types, its positions and coordinates are of 32 bits; of 64 after
 * core_set_wide. */
spcc_context *core_context(void);
spcc_context *core_context_of(bool is_wide);
bool core_is_wide(void);
PyObject *core_set_wide(PyObject *module, PyObject *value);

/* Sets the exception of a status, with the context's messages, and returns NULL. */
void *core_fail(spcc_context *context, spcc_status status);

/* A call that may take long: without the GIL, and an interrupt stops it.  Repeated if a signal's
 * handler returns.  False with an exception. */
typedef spcc_status core_work(spcc_context *context, void *arguments);
bool core_call(core_work *work, void *arguments);
/* Makes a call that takes no time. */
bool core_call_short(core_work *work, void *arguments);
/* Returns the status of this thread's last call. */
spcc_status core_status(void);

/* Returns the number of the options, another one after each change. */
unsigned core_generation(void);

PyObject *core_configure(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_set_hooks(PyObject *module, PyObject *args);
PyObject *core_after_fork(PyObject *module, PyObject *none);

/* ---- tensor.c ---- */

/* A tensor, and the buffers that it borrows, or the tensor that it is a part of. */
struct core_tensor {
    PyObject_HEAD spcc_tensor *tensor;
    Py_buffer *buffer;
    int buffers;
    PyObject *whole;
    bool wide;        /* the text of its format leaves out 64 bits */
    atomic_int views; /* of its arrays, which must stay where they are meanwhile */
};

extern PyTypeObject *core_tensor_type, *core_view_type;
bool core_tensor_types(PyObject *module);

/* Takes the tensor, also where it fails. */
PyObject *core_tensor_wrap(spcc_tensor *tensor);

/* Finds the value type of a buffer's elements; false: they have none, or another byte order. */
bool core_buffer_type(const Py_buffer *buffer, spcc_type *type);

/* ---- make.c ---- */

PyObject *core_borrow(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_borrow_strided(PyObject *module, PyObject *args);
PyObject *core_new(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_from_coords(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_convert(PyObject *self, PyObject *args); /* a method of tensors */
PyObject *core_read(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_is_array(PyObject *module, PyObject *path);
PyObject *core_generate(PyObject *module, PyObject *args, PyObject *named);

/* ---- kernel.c ---- */

struct core_compiled {
    PyObject_HEAD spcc_kernel *kernel;
};

extern PyTypeObject *core_compiled_type;
bool core_kernel_types(PyObject *module);

PyObject *core_compile(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_emit(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_result_types(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_names(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_format_levels(PyObject *module, PyObject *args);
PyObject *core_tune(PyObject *module, PyObject *args, PyObject *named);

/* A run, for core_call. */
struct core_running {
    const spcc_kernel *kernel;
    spcc_tensor *const *tensors;
    int n_tensors;
    bool is_new; /* the result: what it holds is nobody's */
};
spcc_status core_run_kernel(spcc_context *context, void *arguments);

/* ---- caller.c ---- */

bool core_caller_types(PyObject *module);

#endif
