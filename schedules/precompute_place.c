/* precompute_place.c - the memory of a GPU that holds a workspace: precompute's last arguments.
 *
 *     precompute(A(i,j), w, {i,i,ip}, {j,j,jp}, dense, shared, pad 1)
 *
 * register: each thread has its own.  shared: the threads of a block have one; the pad lengthens
 * its rows, so that a column lies in different banks.  global: the device's memory.  The first two
 * are small arrays whose length is a literal in the code.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/gpu.h"
#include "schedules/precompute.h"

/* The most elements of a workspace in registers, and of a pad. */
enum { REGISTER_MOST = 1024, PAD_MOST = 1024 };

/* Is it "pad n"? Also false, with *good false, after a diagnostic. */
static bool read_pad(struct precompute *p, int argument, bool *good)
{
    const char *text = p->call->argument[argument].text;
    if (strncmp(text, "pad", 3) != 0 || (text[3] != ' ' && text[3] != '\0'))
        return false;
    const char *digits = text + 3 + strspn(text + 3, " ");
    int pad = 0;
    for (; *digits >= '0' && *digits <= '9' && pad <= PAD_MOST; digits++)
        pad = 10 * pad + (*digits - '0');
    p->pad = pad;
    *good = pad > 0 && pad <= PAD_MOST && !*digits;
    return *good
           || loops_refuse(p->cx, p->program, p->call, argument,
                           "pad takes the number of components, up to %d, by which a row is longer",
                           PAD_MOST);
}

static enum tensor_place place_named(const char *word)
{
    enum tensor_place place = TENSOR_REGISTER;
    while (place < TENSOR_PLACES && strcmp(word, tensor_place_name(place)) != 0)
        place++;
    return place;
}

/* Is it a word after a format that names no place? */
static bool is_unknown(const struct precompute *p, int first, int at)
{
    const struct schedule_argument *argument = &p->call->argument[at];
    return at > first && argument->kind == ARGUMENT_WORDS
           && place_named(argument->text) == TENSOR_PLACES
           && !argument->text[strspn(argument->text, "abcdefghijklmnopqrstuvwxyz_")];
}

bool precompute_read_place(struct precompute *p, int first, int *past)
{
    const struct schedule_argument *argument = p->call->argument;
    int end = p->call->arguments;
    bool good = true;
    bool padded =
        end > first && argument[end - 1].kind == ARGUMENT_WORDS && read_pad(p, end - 1, &good);
    int at = end - padded - 1;
    enum tensor_place place = at >= first && argument[at].kind == ARGUMENT_WORDS
                                  ? place_named(argument[at].text)
                                  : TENSOR_PLACES;
    if (!good)
        return false;
    if (is_unknown(p, first, at))
        return loops_refuse(p->cx, p->program, p->call, at,
                            "there is no place %s; a workspace is in register, shared or global",
                            argument[at].text);
    if (padded && place != TENSOR_SHARED)
        return loops_refuse(p->cx, p->program, p->call, end - 1,
                            "rows of a shared workspace have a pad: shared, pad n");
    *past = place == TENSOR_PLACES ? end : at;
    if (place == TENSOR_PLACES)
        return true;
    p->place = place;
    p->place_argument = at;
    if (p->cx->cuda)
        return true;
    loops_refuse(p->cx, p->program, p->call, at, "%s is memory of a GPU, and the code is C",
                 tensor_place_name(place));
    return loops_help(p->cx, "{language cuda} makes code for a GPU");
}

bool precompute_check_place(struct precompute *p, const struct tensor_var *w)
{
    int64_t most = w->place == TENSOR_SHARED ? GPU_SHARED_MOST : REGISTER_MOST,
            bytes = tensor_var_bytes(w);
    const char *place = tensor_place_name(w->place);
    if (w->place == TENSOR_ANYWHERE || w->place == TENSOR_GLOBAL)
        return true;
    if (!format_is_plain(w->format) || !format_is_dense(w->format))
        return loops_refuse(p->cx, p->program, p->call, p->place_argument,
                            "a %s workspace is dense, and %s has the format %s", place, w->name,
                            w->format->spelling);
    if (bytes < 0)
        return loops_refuse(p->cx, p->program, p->call, p->place_argument,
                            "the size of a %s workspace is known; split or bound gives the loops "
                            "of %s lengths",
                            place, w->name);
    return bytes <= most
           || loops_refuse(
               p->cx, p->program, p->call, p->place_argument,
               "%s would have %lld bytes, and %s has %lld at most", w->name, (long long)bytes,
               w->place == TENSOR_SHARED ? "what a block shares" : "what a thread has in registers",
               (long long)most);
}
