/* reads_back.c - does what spcc prints as imperative IR read back, and print the same?
 *
 *     reads_back <FILE
 *
 * Status 0 if it does; else a line that says what is wrong.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/imperative/text/parse.h"

static int check(struct context *cx)
{
    struct text in = text_new(cx->arena), out = text_new(cx->arena);
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, stdin)) > 0;)
        text_addn(&in, piece, n);
    const struct imp_function *kernel = imp_parse(cx, in.at);
    if (kernel)
        imp_print(&out, kernel);
    if (!kernel)
        fputs(diag_render(cx), stdout);
    else if (strcmp(in.at, out.at) != 0)
        fputs("what was read prints as something else\n", stdout);
    return !kernel || strcmp(in.at, out.at) != 0;
}

int main(void)
{
    struct context *cx = context_new();
    int status = 2;
    if (context_protect(cx))
        status = check(cx);
    else
        printf("unwound: %s\n", cx->bug ? cx->bug : "no memory");
    context_free(cx);
    return status;
}
