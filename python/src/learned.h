/* learned.h - what a caller knows of calls that it has seen: how operands are found in objects.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PYTHON_LEARNED_H
#define SPCC_PYTHON_LEARNED_H

#include "core.h"

enum { ARRAYS = 3, CALLED_MOST = 8 };

/* How an operand is found in an object. */
struct slot {
    char *name;
    PyTypeObject *class;
    int arrays;
    PyObject *attribute[ARRAYS + 1]; /* of the arrays, then of the values; of a dense one none */
    spcc_format *format;
    spcc_type array_type[ARRAYS];
    spcc_type type;
    int order;
    int mode[CORE_ORDER_MAX]; /* of a dense one, of each level */
    int strides;              /* of a strided one: levels that have one, the first ones */
};

/* A tensor that borrows, and what it borrows. */
struct held {
    spcc_tensor *tensor;
    bool writable;
    int64_t dimension[CORE_ORDER_MAX];
    int64_t stride[CORE_ORDER_MAX]; /* of a strided one, of its levels: the tensor's arrays */
    const void *at[ARRAYS + 1];
    int64_t length[ARRAYS + 1];
    PyObject *weak[ARRAYS];
};

/* Those of one call; the result's first. */
struct held_set {
    struct held_set *next;
    struct held held[];
};

/* Once it is there it stays: calls in other threads may be at work by it. */
struct learned {
    struct learned *before; /* of other objects, or of other options */
    unsigned generation;    /* of the options */
    struct held_set *idle;
    PyObject *compiled;
    int operands;
    struct slot *slot;                     /* the result's first */
    int dimension_from[CORE_ORDER_MAX][2]; /* of the result: operand and mode */
    char *result_format;                   /* of a sparse one */
    PyObject *make;                        /* numpy.empty; of a sparse result what wraps it */
    PyObject *dtype;                       /* of a dense one */
};

/* Makes it of (compiled, [slot, ...], [(operand, mode), ...], sparse format, make, dtype), the
 * result's slot first; a slot is (name, class, attributes, format, type, order). NULL with an
 * exception. */
struct learned *learned_new(PyObject *args);
void learned_free(struct learned *learned);

/* Was it learned with the options that there are? */
bool learned_is_current(const struct learned *learned);
/* Of objects that nothing is known of, and not too many of these? */
bool learned_is_news(const struct learned *learned, const struct learned *known);

/* Of an array whose levels are strided?  Its arrays are the strides. */
bool slot_is_strided(const struct slot *slot);

void held_clear(struct held *held);

#endif
