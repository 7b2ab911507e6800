/* settings.c - spells settings in messages as the library's user sets them.
 *
 * The compiler and the runtime know settings by name: a remedy says {index 64}, or {size i:N}.
 * The user reads members of structures in their place, or the flags of a program, which the
 * program gives (spcc_options.spellings).
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "runtime/api/api.h"

/* the members' names, as spcc_options.spellings has them */
static const char *const members[] = {
#define SETTING(name, member) #name, member,
#include "runtime/api/settings.def"
#undef SETTING
    NULL,
};

static const char *find_spelling(const char *const *spellings, const char *name, size_t n)
{
    for (; spellings && spellings[0] && spellings[1]; spellings += 2)
        if (strlen(spellings[0]) == n && memcmp(spellings[0], name, n) == 0)
            return spellings[1];
    return NULL;
}

/* Adds the spelling with the value for each %s. */
static void spell(struct text *out, const char *spelling, const char *value, size_t n)
{
    for (const char *s = spelling; *s; s++) {
        if (s[0] == '%' && s[1] == 's') {
            text_addn(out, value, n);
            s++;
        } else {
            text_addn(out, s, 1);
        }
    }
}

const char *api_spell(const struct spcc_context *api, struct context *cx, const char *message)
{
    struct text out = text_new(cx->arena);
    for (const char *s = message; *s; s++) {
        size_t name = *s == '{' ? strcspn(s + 1, " }") : 0;
        const char *close = name > 0 ? strchr(s, '}') : NULL,
                   *member = close ? find_spelling(members, s + 1, name) : NULL,
                   *own = member ? find_spelling(api->spellings, s + 1, name) : NULL;
        if (!member) {
            text_addn(&out, s, 1);
            continue;
        }
        const char *value = s + 1 + name + (s[1 + name] == ' ');
        spell(&out, own ? own : member, value, (size_t)(close - value));
        s = close;
    }
    return out.at;
}
