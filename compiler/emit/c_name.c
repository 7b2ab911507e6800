/* c_name.c - names of variables and types, and literals, in C.
 *
 * A variable keeps its name unless C, C++ or the code around it gives that name another meaning;
 * then it gets an underscore.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "compiler/emit/c.h"
#include "compiler/emit/c_words.h"

/* ---- types ---- */

const char *c_type(struct c_writer *w, enum type type)
{
    w->uses_type[type] = true;
    if (w->device)
        return w->device->type(w, type);
    return w->jit && type == TYPE_BOOL ? "_Bool" : type_c_name(type);
}

const char *c_vector_type(struct c_writer *w, enum type type, int lanes)
{
    bool known = false;
    for (size_t i = 0; i < w->vector.n; i++)
        known = known || (w->vector.at[i].type == type && w->vector.at[i].lanes == lanes);
    if (!known)
        vec_push(w->cx->arena, &w->vector, ((struct c_vector){type, lanes}));
    c_type(w, type);
    return arena_printf(w->cx->arena, "%sx%d", type_name(type), lanes);
}

const char *c_var_type(struct c_writer *w, const struct imp_var *var)
{
    return var->lanes > 1 ? c_vector_type(w, var->type, var->lanes) : c_type(w, var->type);
}

/* ---- names ---- */

static bool has_name(const struct imp_var *var, const char *name)
{
    return strcmp(var->name, name) == 0 || (var->base_name && strcmp(var->base_name, name) == 0);
}

static bool names_helper(const struct c_writer *w, const char *name)
{
    for (int i = 0; i < w->kernel->helpers; i++)
        if (strcmp(w->kernel->helper_at[i]->name, name) == 0)
            return true;
    return false;
}

/* May a helper be called so that has the kernel's name before its own? */
static bool is_own_helper(const struct c_writer *w, const char *name)
{
    size_t n = strlen(w->kernel->name);
    return strncmp(name, w->kernel->name, n) == 0 && name[n] == '_'
           && (c_word_is_reserved(name + n + 1) || names_helper(w, name + n + 1));
}

/* Is it a function's that makes arrays longer (c_growth.c)? */
static bool is_growth_name(const struct c_writer *w, const char *name)
{
    for (size_t i = 0; i < w->growth.n; i++)
        if (w->growth.at[i].name && strcmp(w->growth.at[i].name, name) == 0)
            return true;
    return false;
}

/* ... or that is the part of a parallel loop (c_parallel.c)? */
static bool is_part_name(const struct c_writer *w, const char *name)
{
    for (size_t i = 0; i < w->parts.n; i++)
        if (strcmp(w->parts.at[i].name, name) == 0)
            return true;
    return false;
}

bool c_is_reserved(const struct c_writer *w, const char *name)
{
    return c_word_is_reserved(name) || (w->device && w->device->is_reserved(name))
           || (w->iso && (c_word_is_called(name) || is_own_helper(w, name)))
           || is_growth_name(w, name) || is_part_name(w, name) || names_helper(w, name);
}

/* Is it another kernel's name in this file, or one that such a kernel may make of its own? */
static bool is_others(const struct c_writer *w, const char *name)
{
    for (const char *const *other = w->others; other && *other; other++) {
        size_t n = strlen(*other);
        bool begins = strncmp(name, *other, n) == 0 && (name[n] == '\0' || name[n] == '_');
        if (begins && n > strlen(w->kernel->name))
            return true;
    }
    return false;
}

const char *c_file_name(struct c_writer *w, const struct imp_function *of, const char *what)
{
    const char *base = of->name, *call = arena_printf(w->cx->arena, "%s_call", w->kernel->name),
               *name;
    name = arena_printf(w->cx->arena, "%s_%s", base, what);
    for (int i = 2; is_growth_name(w, name) || is_part_name(w, name) || is_others(w, name)
                    || strcmp(name, call) == 0;
         i++)
        name = arena_printf(w->cx->arena, "%s_%d_%s", base, i, what);
    return name;
}

static bool is_taken(struct c_writer *w, const char *name)
{
    for (int i = 0; i < w->function->params; i++)
        if (strcmp(w->function->param[i].var->name, name) == 0)
            return true;
    for (size_t i = 0; i < w->names.made.n; i++)
        if (strcmp(w->names.made.at[i], name) == 0)
            return true;
    const struct var_map *uses = c_own_uses(w);
    for (size_t i = 0; i < uses->capacity; i++)
        if (uses->at[i].var && has_name(uses->at[i].var, name))
            return true;
    return c_is_reserved(w, name);
}

/* Where a name is reserved for how it begins, as M_PI is, no longer one is free. */
static const char *fresh(struct c_writer *w, const char *name)
{
    if (c_is_reserved(w, name) && c_is_reserved(w, arena_printf(w->cx->arena, "%s_", name)))
        name = arena_printf(w->cx->arena, "v%s", name);
    while (is_taken(w, name))
        name = arena_printf(w->cx->arena, "%s_", name);
    return name;
}

static void *made(struct c_writer *w, const char *name)
{
    name = fresh(w, name);
    vec_push(w->cx->arena, &w->names.made, name);
    return (char *)(size_t)name;
}

const char *c_name(struct c_writer *w, const struct imp_var *var)
{
    void **name = var_map_at(w->cx, &w->names.own, var);
    if (!*name)
        *name = c_is_reserved(w, var->name) ? made(w, var->name) : (char *)(size_t)var->name;
    return *name;
}

const char *c_out_name(struct c_writer *w, const struct imp_var *var)
{
    void **name = var_map_at(w->cx, &w->names.out, var);
    if (!*name)
        *name = made(w, arena_printf(w->cx->arena, "%s_out", var->name));
    return *name;
}

const char *c_longer_name(struct c_writer *w, const struct imp_var *var)
{
    void **name = var_map_at(w->cx, &w->names.longer, var);
    if (!*name)
        *name = made(w, arena_printf(w->cx->arena, "longer_%s", var->name));
    return *name;
}

const char *c_few_name(struct c_writer *w, const struct imp_var *var)
{
    void **name = var_map_at(w->cx, &w->names.out, var);
    if (!*name)
        *name = made(w, arena_printf(w->cx->arena, "%s_few", c_name(w, var)));
    return *name;
}

/* ---- literals ---- */

static const char *real_text(struct c_writer *w, double f, bool single)
{
    const char *suffix = single ? "f" : "";
    w->uses_math = w->uses_math || (w->iso && !isfinite(f));
    if (isnan(f))
        return w->iso ? "NAN" : arena_printf(w->cx->arena, "__builtin_nan%s(\"\")", suffix);
    if (isinf(f))
        return arena_printf(w->cx->arena, w->iso ? "%sINFINITY" : "%s__builtin_inf%s()",
                            f < 0 ? "-" : "", suffix);
    char buffer[64];
    value_print(value_real(single ? TYPE_F32 : TYPE_F64, f), buffer, sizeof buffer);
    const char *point = strpbrk(buffer, ".e") ? "" : ".0";
    return arena_printf(w->cx->arena, "%s%s%s", buffer, point, suffix);
}

static struct c_piece real_literal(struct c_writer *w, double f, bool single)
{
    return (struct c_piece){.text = real_text(w, f, single),
                            .place = signbit(f) && !isnan(f) ? C_UNARY : C_POSTFIX};
}

static struct c_piece complex_literal(struct c_writer *w, struct value value)
{
    bool single = value.type == TYPE_C64;
    return (struct c_piece){
        .place = C_POSTFIX,
        .text = arena_printf(w->cx->arena, "%s(%s, %s)",
                             w->device ? c_type(w, value.type) : c_complex_helper(w, value.type),
                             real_text(w, value.c.re, single), real_text(w, value.c.im, single))};
}

/* Returns a signed integer.  The smallest value of its type has no literal. */
static struct c_piece signed_literal(struct c_writer *w, struct value value)
{
    bool is_int = value.i == (int32_t)value.i;
    bool lowest = value.i == INT64_MIN || value.i == INT32_MIN;
    const char *text =
        arena_printf(w->cx->arena, lowest ? "(%lld - 1)" : "%lld", (long long)value.i + lowest);
    return (struct c_piece){.text = text,
                            .place = value.i < 0 && !lowest ? C_UNARY : C_POSTFIX,
                            .weak = value.type == TYPE_I64 && is_int};
}

static struct c_piece unsigned_literal(struct c_writer *w, struct value value)
{
    bool is_int = value.u <= INT32_MAX;
    bool wide = type_size(value.type) >= 4;
    return (struct c_piece){.place = C_POSTFIX,
                            .weak = wide && (is_int || value.type == TYPE_U64),
                            .text =
                                arena_printf(w->cx->arena, "%llu%s", (unsigned long long)value.u,
                                             wide && !is_int ? "u" : "")};
}

struct c_piece c_literal(struct c_writer *w, struct value value)
{
    switch (type_kind(value.type)) {
    case KIND_BOOL:
        w->uses_type[TYPE_BOOL] = true;
        return (struct c_piece){.place = C_POSTFIX,
                                .text = w->jit    ? (value.b ? "1" : "0")
                                        : value.b ? "true"
                                                  : "false"};
    case KIND_INT: return signed_literal(w, value);
    case KIND_UINT: return unsigned_literal(w, value);
    case KIND_FLOAT: return real_literal(w, value.f, value.type == TYPE_F32);
    case KIND_COMPLEX: break;
    }
    return complex_literal(w, value);
}

const char *c_strong_literal(struct c_writer *w, struct value value)
{
    struct c_piece piece = c_literal(w, value);
    bool small = type_is_integer(value.type) && type_size(value.type) < 4;
    if (!piece.weak && !small)
        return c_enclose(w, piece, C_UNARY);
    if (value.type == TYPE_U32)
        return arena_printf(w->cx->arena, "%su", piece.text);
    return arena_printf(w->cx->arena, "(%s)%s", c_type(w, value.type), piece.text);
}
