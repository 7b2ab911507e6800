/* object.h - a small loader for relocatable ELF objects.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_OBJECT_H
#define SPCC_JIT_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object;

enum object_status {
    OBJECT_OK,
    OBJECT_DAMAGED, /* this is no well-formed object of this machine */
    /* it is, but asks for what this loader does not do: link it by the system's linker */
    OBJECT_UNSUPPORTED,
    OBJECT_UNRESOLVED, /* a symbol that it needs is nowhere */
    OBJECT_NO_MEMORY,
};

/* The address of a symbol that the object does not define, or NULL. */
typedef void *object_resolver(void *data, const char *name);

/* Called once before any symbol is resolved, for each name that the object does not define. */
typedef void object_visitor(void *data, const char *name);

/* Load the object in the size bytes at image, which are not needed afterwards.  On success *object
 * is set, otherwise *error to a text to free() (NULL if there is no memory for it). */
enum object_status object_load(const void *image, size_t size, object_visitor *visit,
                               object_resolver *resolve, void *data, struct object **object,
                               char **error);

/* The address of a global function or variable that the object defines, or NULL. */
void *object_symbol(const struct object *object, const char *name);

/* Unmap the code.  NULL is allowed. */
void object_free(struct object *object);

/* One relocation: change what stands at place, which will be at address `at` when it runs, for a
 * symbol at `symbol` whose stub and table entry are at `stub` and `entry`.  machine and type are
 * ELF's numbers.  For object_load, and for tests of machines that are not this one. */
struct relocation {
    unsigned machine, type;
    unsigned char *place;
    uint64_t at, symbol, stub, entry;
    int64_t addend;
    bool undefined; /* the symbol is not in this object: calls go by the stub */
};

/* Returns how many bytes at place the relocation changes; 0: it is not supported. */
unsigned relocation_size(unsigned machine, unsigned type);

/* False if the distance is too large, or the relocation makes no sense for this symbol. */
bool relocation_apply(const struct relocation *r);

#endif
