/* pipeline_head.c - the comment above the code: what it computes, on which tensors, and how it was
 * made.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/pipeline.h"

/* The quoted text must not end the comment. */
static const char *comment_line(struct context *cx, const char *label, const char *s)
{
    struct text out = text_new(cx->arena);
    text_add(&out, label);
    for (; *s; s++) {
        text_addn(&out, *s == '\n' || *s == '\r' ? " " : s, 1);
        if ((s[0] == '*' && s[1] == '/') || (s[0] == '/' && s[1] == '*'))
            text_add(&out, " ");
    }
    return out.at;
}

const char *const *pipeline_head(struct context *cx, const struct pipeline_request *request,
                                 const struct pipeline *p)
{
    VEC(const char *) line = {0};
    vec_push(cx->arena, &line, comment_line(cx, "", request->expression));
    for (int i = 0; i < p->tensors; i++) {
        const struct tensor_var *t = p->tensor[i];
        char fill[64];
        value_print(t->fill, fill, sizeof fill);
        struct text out = text_new(cx->arena);
        text_printf(&out, "    %-8s %-5s ", t->name, type_name(t->type));
        format_print(&out, t->format, request->declared.defaults);
        if (!value_is_zero(t->fill))
            text_printf(&out, ", fill %s", fill);
        vec_push(cx->arena, &line, comment_line(cx, "", out.at));
    }
    for (int i = 0; i < request->declared.n_same; i++) {
        const char *promise = arena_printf(cx->arena, "promised, and not checked: one pattern: %s",
                                           request->declared.same[i]);
        vec_push(cx->arena, &line, comment_line(cx, "", promise));
    }
    for (int i = 0; i < request->n_operators; i++)
        vec_push(cx->arena, &line, comment_line(cx, "operator: ", request->operators[i]));
    if (*p->plan)
        vec_push(cx->arena, &line, comment_line(cx, "schedule: ", p->plan));
    vec_push(cx->arena, &line,
             request->command ? "made by spcc " SPCC_VERSION " with"
                              : "made by spcc " SPCC_VERSION);
    if (request->command)
        vec_push(cx->arena, &line, comment_line(cx, "    ", request->command));
    vec_push(cx->arena, &line, NULL);
    return line.at;
}
