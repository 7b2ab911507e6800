/* cuda_complex.c - complex numbers in CUDA: a type of ours, and its functions.
 *
 * nvcc has no _Complex in a kernel, and NVRTC no header of CUDA's.  The type lies in memory as C's
 * does and is passed as C's is, but is aligned as a whole, so that one load fetches both parts.
 * Products and quotients treat infinities as C11 does (annex G.5.1); quotients are computed by
 * Smith's method (CACM 5, 1962, algorithm 116), functions by Kahan's ("Branch cuts for complex
 * elementary functions", 1987).
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"

/* Writes text in which `$z` stands for the type, `$r` for that of its parts, `$f` for the ending of
 * its functions' names, `$d` for where they run, and `$l` for the number from which on sinh and
 * cosh are the same but for the sign. */
static void write_for(struct c_writer *w, enum type type, const char *text)
{
    bool single = type == TYPE_C64;
    for (const char *at; (at = strchr(text, '$')); text = at + 2) {
        text_addn(&w->helpers, text, (size_t)(at - text));
        text_add(&w->helpers, at[1] == 'z'   ? type_name(type)
                              : at[1] == 'r' ? single ? "float" : "double"
                              : at[1] == 'd' ? "__host__ __device__"
                              : at[1] == 'l' ? single ? "9" : "20"
                              : single       ? "f"
                                             : "");
    }
    text_add(&w->helpers, text);
}

/* ---- the type ---- */

static const char definition[] =
    "    $r re, im;\n\n"
    "    $z() = default;\n"
    "    $d $z($r re_, $r im_ = 0) : re(re_), im(im_) {}\n"
    "    friend $d $z operator+($z a, $z b) { return $z(a.re + b.re, a.im + b.im); }\n"
    "    friend $d $z operator-($z a, $z b) { return $z(a.re - b.re, a.im - b.im); }\n"
    "    friend $d $z operator-($z a) { return $z(-a.re, -a.im); }\n"
    "    friend $d bool operator==($z a, $z b) { return a.re == b.re && a.im == b.im; }\n"
    "    friend $d bool operator!=($z a, $z b) { return !(a == b); }\n"
    "    $d $z &operator+=($z b) { return *this = *this + b; }\n"
    "    $d $z &operator-=($z b) { return *this = *this - b; }\n"
    "    $d $z &operator*=($z b) { return *this = *this * b; }\n\n"
    "    $d bool infinite() const { return isinf(re) || isinf(im); }\n"
    "    /* Of an infinity its direction; else without the parts that are NaN. */\n"
    "    $d $z direction() const\n    {\n"
    "        bool ends = infinite();\n"
    "        return $z(copysign$f(ends ? isinf(re) : isnan(re) ? 0 : fabs$f(re), re),\n"
    "                  copysign$f(ends ? isinf(im) : isnan(im) ? 0 : fabs$f(im), im));\n    }\n"
    "    friend $d $z operator*($z a, $z b)\n    {\n"
    "        $z c(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);\n"
    "        if (!isnan(c.re) || !isnan(c.im))\n            return c;\n"
    "        if (!a.infinite() && !b.infinite() && !isinf(a.re * b.re) && !isinf(a.im * b.im)\n"
    "            && !isinf(a.re * b.im) && !isinf(a.im * b.re))\n            return c;\n"
    "        const $r inf = ($r)__builtin_inf();\n"
    "        a = a.direction();\n        b = b.direction();\n"
    "        return $z(inf * (a.re * b.re - a.im * b.im), inf * (a.re * b.im + a.im * b.re));\n"
    "    }\n};\n";

const char *c_cuda_type(struct c_writer *w, enum type type)
{
    if (!type_is_complex(type))
        return type_c_name(type);
    if (c_helper_begin(w, type_name(type))) {
        text_printf(&w->helpers,
                    "/* A complex number: in memory as C's %s. */\nstruct alignas(%d) %s {\n",
                    type_c_name(type), (int)type_size(type), type_name(type));
        write_for(w, type, definition);
        c_helper_end(w);
    }
    return type_name(type);
}

/* ---- functions ---- */

/* In the order in which one may need another: the operator, those that it needs, and its body. */
static const struct function {
    enum op op, needs[2];
    bool real; /* what it gives is */
    const char *body;
} functions[] = {
    {OP_DIV,
     {OP_NONE, OP_NONE},
     false,
     "    bool flat = fabs$f(b.re) < fabs$f(b.im);\n"
     "    $r ratio = flat ? b.re / b.im : b.im / b.re;\n"
     "    $r by = flat ? b.re * ratio + b.im : b.im * ratio + b.re;\n"
     "    $z c = flat ? $z((a.re * ratio + a.im) / by, (a.im * ratio - a.re) / by)\n"
     "                : $z((a.im * ratio + a.re) / by, (a.im - a.re * ratio) / by);\n"
     "    if (!isnan(c.re) || !isnan(c.im))\n        return c;\n"
     "    const $r inf = ($r)__builtin_inf();\n"
     "    if (b.re == 0 && b.im == 0 && (!isnan(a.re) || !isnan(a.im)))\n"
     "        return $z(copysign$f(inf, b.re) * a.re, copysign$f(inf, b.re) * a.im);\n"
     "    $r scale = a.infinite() && isfinite(b.re) && isfinite(b.im)   ? inf\n"
     "               : b.infinite() && isfinite(a.re) && isfinite(a.im) ? 0\n"
     "                                                                  : c.re;\n"
     "    a = a.direction();\n    b = b.direction();\n"
     "    return $z(scale * (a.re * b.re + a.im * b.im), scale * (a.im * b.re - a.re * b.im));\n"},
    {OP_ABS, {OP_NONE, OP_NONE}, true, "    return hypot$f(a.re, a.im);\n"},
    {OP_CONJ, {OP_NONE, OP_NONE}, false, "    return $z(a.re, -a.im);\n"},
    /* neither overflow nor underflow: of a / 8 where a is large, of a large multiple elsewhere */
    {OP_SQRT,
     {OP_NONE, OP_NONE},
     false,
     "    $r re = fabs$f(a.re), im = fabs$f(a.im);\n"
     "    if (re == 0 && im == 0)\n        return $z(0, a.im);\n"
     "    if (isinf(im))\n        return $z(im, a.im);\n"
     "    if (isinf(re))\n"
     "        return a.re > 0 ? $z(re, isnan(a.im) ? a.im : copysign$f(($r)0, a.im))\n"
     "                        : $z(isnan(a.im) ? a.im : 0, copysign$f(re, a.im));\n"
     "    bool small = re < 1 && im < 1;\n"
     "    $r by = small ? ($r)(1ull << 59) : ($r)0.125;\n"
     "    $r root = sqrt$f(re * by + hypot$f(re * by, im * by)) * (small ? 1 / ($r)(1 << 30) : "
     "2);\n"
     "    $r other = im / root / 2;\n"
     "    return a.re >= 0 ? $z(root, copysign$f(other, a.im)) : $z(other, copysign$f(root, "
     "a.im));\n"},
    /* near 1 the logarithm of what there is beside 1 */
    {OP_LOG,
     {OP_NONE, OP_NONE},
     false,
     "    $r re = fabs$f(a.re), im = fabs$f(a.im), most = re < im ? im : re, least = re < im ? re "
     ": im;\n"
     "    bool near = most > ($r)0.5 && most < 2 && least < 2;\n"
     "    return $z(near ? log1p$f((most - 1) * (most + 1) + least * least) / 2\n"
     "                   : log$f(hypot$f(a.re, a.im)),\n"
     "              atan2$f(a.im, a.re));\n"},
    {OP_EXP,
     {OP_NONE, OP_NONE},
     false,
     "    if (a.im == 0)\n        return $z(exp$f(a.re), a.im);\n"
     "    if (!isfinite(a.im) && isinf(a.re))\n"
     "        return a.re < 0 ? $z(0) : $z(a.re, a.im - a.im);\n"
     "    $r half = exp$f(a.re / 2), all = exp$f(a.re);\n"
     "    bool whole = !isinf(all) || isinf(half);\n"
     "    return whole ? $z(all * cos$f(a.im), all * sin$f(a.im))\n"
     "                 : $z(half * cos$f(a.im) * half, half * sin$f(a.im) * half);\n"},
    {OP_SINH,
     {OP_NONE, OP_NONE},
     false,
     "    if (a.im == 0)\n        return $z(sinh$f(a.re), a.im);\n"
     "    if (a.re == 0)\n        return $z(a.re, sin$f(a.im));\n"
     "    if (!isfinite(a.im) && isinf(a.re))\n"
     "        return $z(a.re, a.im - a.im);\n"
     "    if (!(fabs$f(a.re) > $l))\n"
     "        return $z(sinh$f(a.re) * cos$f(a.im), cosh$f(a.re) * sin$f(a.im));\n"
     "    $r half = exp$f(fabs$f(a.re) / 2);\n"
     "    return $z(copysign$f(half / 2, a.re) * cos$f(a.im) * half, half / 2 * sin$f(a.im) * "
     "half);\n"},
    {OP_COSH,
     {OP_NONE, OP_NONE},
     false,
     "    if (a.im == 0)\n        return $z(cosh$f(a.re), copysign$f(a.im, a.re) * "
     "copysign$f(($r)1, a.im));\n"
     "    if (a.re == 0)\n        return $z(cos$f(a.im), isfinite(a.im) ? a.re * sin$f(a.im) : "
     "a.re);\n"
     "    if (!isfinite(a.im) && isinf(a.re))\n"
     "        return $z(fabs$f(a.re), a.im - a.im);\n"
     "    if (!(fabs$f(a.re) > $l))\n"
     "        return $z(cosh$f(a.re) * cos$f(a.im), sinh$f(a.re) * sin$f(a.im));\n"
     "    $r half = exp$f(fabs$f(a.re) / 2);\n"
     "    return $z(half / 2 * cos$f(a.im) * half, copysign$f(half / 2, a.re) * sin$f(a.im) * "
     "half);\n"},
    {OP_TANH,
     {OP_NONE, OP_NONE},
     false,
     "    $r re = fabs$f(a.re), tangent = tan$f(a.im);\n"
     "    if (a.im == 0)\n        return $z(tanh$f(a.re), a.im);\n"
     "    if (re > $l && (isfinite(a.im) || isinf(re))) {\n"
     "        $r less = 4 * exp$f(-re) * sin$f(a.im) * cos$f(a.im) * exp$f(-re);\n"
     "        return $z(copysign$f(($r)1, a.re), isfinite(a.im) ? less : 0);\n    }\n"
     "    $r s = sinh$f(a.re), root = sqrt$f(1 + s * s), by = 1 + tangent * tangent;\n"
     "    if (isinf(by))\n        return $z(root / s, 1 / tangent);\n"
     "    $r below = 1 + by * s * s;\n"
     "    return $z(a.re == 0 ? a.re : by * root * s / below, tangent / below);\n"},
    /* of i a, times -i */
    {OP_SIN,
     {OP_SINH, OP_NONE},
     false,
     "    $z b = sinh_$z($z(-a.im, a.re));\n    return $z(b.im, -b.re);\n"},
    {OP_COS, {OP_COSH, OP_NONE}, false, "    return cosh_$z($z(-a.im, a.re));\n"},
    {OP_TAN,
     {OP_TANH, OP_NONE},
     false,
     "    $z b = tanh_$z($z(-a.im, a.re));\n    return $z(b.im, -b.re);\n"},
    {OP_POW,
     {OP_EXP, OP_LOG},
     false,
     "    return b == $z(0) ? $z(1) : b == $z(1) ? a : exp_$z(b * log_$z(a));\n"},
};

const char *c_cuda_function(struct c_writer *w, enum op op, enum type type)
{
    const struct function *f = functions;
    const char *z = c_type(w, type), *word = op == OP_DIV ? "div" : op_name(op),
               *name = arena_printf(w->cx->arena, "%s_%s", word, z);
    while (f->op != op) {
        context_assert(w->cx, f + 1 < functions + sizeof functions / sizeof *functions);
        f++;
    }
    for (int i = 0; i < 2; i++)
        if (f->needs[i] != OP_NONE)
            c_cuda_function(w, f->needs[i], type);
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers, "%s%s %s(%s a%s%s)\n{\n", c_inline(w),
                    f->real ? c_type(w, type_real(type)) : z, name, z,
                    op_arity(op) == 2 ? ", " : "",
                    op_arity(op) == 2 ? arena_printf(w->cx->arena, "%s b", z) : "");
        write_for(w, type, f->body);
        text_add(&w->helpers, "}\n");
        c_helper_end(w);
    }
    return name;
}

const char *c_cuda_convert(struct c_writer *w, enum type to, enum type from)
{
    const char *out = c_type(w, to), *in = c_type(w, from), *part = c_type(w, type_real(to));
    const char *name = arena_printf(w->cx->arena, "%s_from_%s", out, in);
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers, "%s%s %s(%s a)\n{\n    return %s((%s)a.re, (%s)a.im);\n}\n",
                    c_inline(w), out, name, in, out, part, part);
        c_helper_end(w);
    }
    return name;
}

/* ---- threads ---- */

const char *c_cuda_exchange_complex(struct c_writer *w, enum type type, const char *instruction)
{
    const char *z = c_type(w, type), *name = arena_printf(w->cx->arena, "%s_%s", instruction, z);
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "static __device__ inline %s %s(%s mask, %s a, int lane, int lanes = 32)\n{\n"
                    "    return %s(__%s_sync(mask, a.re, lane, lanes), __%s_sync(mask, a.im, lane, "
                    "lanes));\n}\n",
                    z, name, c_type(w, TYPE_U32), z, z, instruction, instruction);
        c_helper_end(w);
    }
    return name;
}

const char *c_cuda_add_complex(struct c_writer *w, enum type type)
{
    const char *z = c_type(w, type), *name = arena_printf(w->cx->arena, "atomic_add_%s", z);
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "/* A part after the other: no sum needs both at once. */\n"
                    "static __device__ inline void %s(%s *at, %s a)\n{\n"
                    "    atomicAdd(&at->re, a.re);\n    atomicAdd(&at->im, a.im);\n}\n",
                    name, z, z);
        c_helper_end(w);
    }
    return name;
}
