/* prelude.c - the helpers that kernels call, made when they are called.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/prelude/prelude.h"

const struct imp *prelude_call(struct imp_builder *b, const char *name, const enum type *type,
                               int types, const struct imp *const *arg, int args)
{
    struct context *cx = b->cx;
    const struct imp_function *helper =
        imp_instantiate(cx, &prelude, name, type, types, &b->unit->helpers);
    if (!helper)
        context_bug(cx, "the prelude: %s: %s", name, diag_render(cx));
    return imp_call(cx, helper, arg, args);
}
