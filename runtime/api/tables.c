/* tables.c - statuses and value types by number and by name, from the header's own maps.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/api/api.h"

const char *spcc_status_name(spcc_status status)
{
    switch (status) {
#define NAME(NAME, number, message) \
    case SPCC_##NAME: return "SPCC_" #NAME;
        SPCC_STATUS_MAP(NAME)
#undef NAME
    }
    return "SPCC_ERROR_UNKNOWN";
}

const char *spcc_status_text(spcc_status status)
{
    switch (status) {
#define TEXT(NAME, number, message) \
    case SPCC_##NAME: return message;
        SPCC_STATUS_MAP(TEXT)
#undef TEXT
    }
    return "a number that is no status";
}

const char *spcc_version(void) { return SPCC_VERSION; }

const char *spcc_type_name(spcc_type type)
{
    switch (type) {
#define NAME(NAME, number, name, bytes) \
    case SPCC_##NAME: return name;
        SPCC_TYPE_MAP(NAME)
#undef NAME
    }
    return NULL;
}

size_t spcc_type_size(spcc_type type)
{
    switch (type) {
#define BYTES(NAME, number, name, bytes) \
    case SPCC_##NAME: return bytes;
        SPCC_TYPE_MAP(BYTES)
#undef BYTES
    }
    return 0;
}

bool spcc_type_parse(const char *name, spcc_type *type)
{
    enum type found;
    if (!name || !type || !type_parse(name, strlen(name), &found))
        return false;
    *type = api_type_of(found);
    return true;
}

bool api_type(spcc_type type, enum type *to)
{
    switch (type) {
#define TO(NAME, number, name, bytes) \
    case SPCC_##NAME: *to = TYPE_##NAME; return true;
        SPCC_TYPE_MAP(TO)
#undef TO
    }
    return false;
}

spcc_type api_type_of(enum type type)
{
    switch (type) {
#define FROM(NAME, number, name, bytes) \
    case TYPE_##NAME: return SPCC_##NAME;
        SPCC_TYPE_MAP(FROM)
#undef FROM
    case TYPE_COUNT: break;
    }
    return SPCC_F64;
}
