/* request.h - what is to be compiled, from Python's arguments.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PYTHON_REQUEST_H
#define SPCC_PYTHON_REQUEST_H

#include "core.h"

enum { CORE_TENSORS_MAX = 64, CORE_TEXTS_MAX = 64 };

struct core_request {
    const char *statement;
    spcc_compile_options options;
    spcc_declaration declaration[CORE_TENSORS_MAX];
    spcc_binding binding[CORE_TENSORS_MAX]; /* the declarations that are tensors */
    int bindings;
    spcc_variable_size size[CORE_TEXTS_MAX];
    const char *operator[CORE_TEXTS_MAX];
};

/* Reads (statement, declarations, schedule=, no_plan=, serial=, plain=, algebra=, name=, sizes=,
 * operators=, cuda=, plan_for=). Declarations are a list of (name, tensor) or (name, format, type,
 * fill); sizes of (variable, size). The texts are the arguments'. False with an exception. */
bool core_parse_request(PyObject *args, PyObject *named, struct core_request *request);

#endif
