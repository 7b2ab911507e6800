/* fuzz_object.c - any bytes as a relocatable object: refused with a reason, or loaded.  What is
 * loaded is not called.
 *
 * The last byte says whether the names that the object does not define are found.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/jit/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t name_bytes;

static void visit(void *data, const char *name)
{
    (void)data;
    name_bytes += strlen(name);
}

static void *resolve(void *data, const char *name)
{
    name_bytes += strlen(name);
    return *(const uint8_t *)data & 1 ? (void *)(uintptr_t)&LLVMFuzzerTestOneInput : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct object *object = NULL;
    char *error = NULL;
    if (size == 0)
        return 0;
    uint8_t choice = data[size - 1];
    /* exactly what it has: a sanitizer sees what is read beyond */
    uint8_t *image = malloc(size);
    if (!image)
        abort();
    memcpy(image, data, size);
    enum object_status status =
        object_load(image, size - 1, visit, resolve, &choice, &object, &error);
    free(image);
    if ((status == OBJECT_OK) != (object != NULL) || (status == OBJECT_OK) != (error == NULL))
        abort();
    if (object && object_symbol(object, "evaluate_call") && object_symbol(object, ""))
        name_bytes++;
    object_free(object);
    free(error);
    return 0;
}
