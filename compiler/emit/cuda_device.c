/* cuda_device.c - what threads of launches do together, in CUDA: barriers, exchanges, updates.
 *
 * A team of fewer than 32 lanes says by a mask who comes.  An update is an instruction where there
 * is one for the operator and the type; elsewhere the element is exchanged as long as another
 * thread comes between (c_exchange), one of 8 or 16 bits in the word that it is in.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/gpu.h"
#include "compiler/emit/c.h"

/* ---- teams ---- */

static void mask_helper(struct c_writer *w)
{
    if (!c_helper_begin(w, "team_mask"))
        return;
    text_printf(
        &w->helpers,
        "/* The lanes of the warp that are in the thread's team of so many, one bit each. */\n"
        "static __device__ inline %s team_mask(int lanes)\n{\n"
        "    return ((1u << lanes) - 1) << (threadIdx.x %% 32 / lanes * lanes);\n}\n",
        c_type(w, TYPE_U32));
    c_helper_end(w);
}

static const char *mask(struct c_writer *w, int lanes)
{
    if (lanes == GPU_WARP)
        return "0xffffffff";
    mask_helper(w);
    return arena_printf(w->cx->arena, "team_mask(%d)", lanes);
}

static void ballot_helper(struct c_writer *w)
{
    mask_helper(w);
    if (!c_helper_begin(w, "team_ballot"))
        return;
    text_printf(&w->helpers,
                "/* The lanes of the team for which it holds, one bit each. */\n"
                "static __device__ inline %s team_ballot(bool holds, int lanes)\n{\n"
                "    %s team = team_mask(lanes);\n"
                "    return (__ballot_sync(team, holds) & team) >> (threadIdx.x %% 32 / lanes * "
                "lanes);\n}\n",
                c_type(w, TYPE_U32), c_type(w, TYPE_U32));
    c_helper_end(w);
}

void c_cuda_barrier(struct c_writer *w, const struct imp *imp)
{
    if (imp->n == 0)
        c_line(w, 0, "__syncthreads();");
    else
        c_line(w, 0, "__syncwarp(%s);", imp->n == GPU_WARP ? "" : mask(w, (int)imp->n));
}

static struct c_piece ballot(struct c_writer *w, const struct imp *imp)
{
    const char *holds = c_at(w, imp->arg[0], C_ANY);
    if (imp->n < GPU_WARP)
        ballot_helper(w);
    return (struct c_piece){
        .place = C_POSTFIX,
        .text = imp->n == GPU_WARP
                    ? arena_printf(w->cx->arena, "__ballot_sync(%s, %s)", mask(w, GPU_WARP), holds)
                    : arena_printf(w->cx->arena, "team_ballot(%s, %d)", holds, (int)imp->n)};
}

/* Returns an exchange of lanes.  Small types travel as an int. */
struct c_piece c_cuda_exchange(struct c_writer *w, const struct imp *imp)
{
    static const char *const name[] = {"shfl_up", "shfl_xor", "shfl"};
    if (imp->exchange == EXCHANGE_BALLOT)
        return ballot(w, imp);
    bool small = type_size(imp->type) < 4;
    const char *width =
        imp->n == GPU_WARP ? "" : arena_printf(w->cx->arena, "," C_BREAK "%d", (int)imp->n);
    const char *lane = c_position(w, imp->arg[1], C_UNARY);
    if (type_size(imp->arg[1]->type) > 4 && imp->arg[1]->kind != IMP_LITERAL)
        lane = arena_printf(w->cx->arena, "(int)%s", lane);
    const char *instruction = type_is_complex(imp->type)
                                  ? c_cuda_exchange_complex(w, imp->type, name[imp->exchange])
                                  : arena_printf(w->cx->arena, "__%s_sync", name[imp->exchange]);
    const char *text =
        arena_printf(w->cx->arena, "%s(%s," C_BREAK "%s," C_BREAK "%s%s)", instruction,
                     mask(w, (int)imp->n), c_at(w, imp->arg[0], C_ANY), lane, width);
    if (small)
        text = arena_printf(w->cx->arena, "(%s)%s", c_type(w, imp->type), text);
    return (struct c_piece){.place = small ? C_UNARY : C_POSTFIX, .text = text};
}

/* ---- updates ---- */

/* Returns the name of the operator's instruction; NULL: there is none. */
static const char *instruction(enum op op)
{
    return op == OP_NONE                  ? "atomicExch"
           : op == OP_ADD || op == OP_SUB ? "atomicAdd"
           : op == OP_MIN                 ? "atomicMin"
           : op == OP_MAX                 ? "atomicMax"
           : op == OP_AND                 ? "atomicAnd"
           : op == OP_OR                  ? "atomicOr"
           : op == OP_XOR                 ? "atomicXor"
                                          : NULL;
}

/* Returns the cast of the address for the operator's instruction; "": none is needed; NULL: there
 * is no instruction. */
static const char *seen_as(enum op op, enum type type)
{
    bool wide = type_is_integer(type) && type_size(type) == 8,
         ordered = op == OP_MIN || op == OP_MAX;
    if (type_is_float(type))
        return op == OP_ADD || op == OP_SUB || (op == OP_NONE && type == TYPE_F32) ? "" : NULL;
    if (!type_is_integer(type) || type_size(type) < 4)
        return NULL;
    return !wide ? "" : ordered && type == TYPE_I64 ? "(long long *)" : "(unsigned long long *)";
}

static bool is_element(const struct imp *imp, void *update)
{
    const struct imp *of = update;
    return imp->kind == IMP_LOAD && imp->var == of->var && imp_equal(imp->arg[0], of->arg[0]);
}

/* Is the element combined with a value that does not depend on it? */
static bool is_combined(const struct imp *imp)
{
    return imp->args == 2 && !imp_any(imp->arg[1], is_element, (void *)(size_t)imp);
}

static bool is_sum(const struct imp *imp)
{
    return (imp->op == OP_ADD || imp->op == OP_SUB) && is_combined(imp);
}

bool c_cuda_can_update(const struct imp *imp)
{
    return gpu_can_update(type_size(imp->var->type), imp->kind == IMP_ATOMIC && is_sum(imp));
}

/* Sums the parts of a complex number one after the other.  NULL: any other update takes both at
 * once. */
static const char *atomic_complex(struct c_writer *w, const struct imp *imp)
{
    const struct imp *value = imp->arg[1];
    if (imp->kind != IMP_ATOMIC || !is_sum(imp))
        return NULL;
    if (imp->op == OP_SUB)
        value = imp_op1(w->cx, OP_NEG, value);
    return arena_printf(w->cx->arena, "%s(&%s[%s]," C_BREAK "%s)",
                        c_cuda_add_complex(w, imp->var->type), c_name(w, imp->var),
                        c_position(w, imp->arg[0], C_ANY), c_value(w, value));
}

const char *c_cuda_atomic(struct c_writer *w, const struct imp *imp)
{
    const struct imp *value = imp->arg[1];
    enum type type = imp->var->type;
    const char *name = instruction(imp->op), *as = seen_as(imp->op, type);
    if (type_is_complex(type))
        return atomic_complex(w, imp);
    if (!name || !as || !is_combined(imp))
        return NULL;
    if (imp->op == OP_SUB)
        value = type_is_float(type)
                    ? imp_op1(w->cx, OP_NEG, value)
                    : imp_op2(w->cx, OP_SUB, imp_literal(w->cx, value_zero(type)), value);
    return arena_printf(w->cx->arena, "%s(%s&%s[%s]," C_BREAK "%s)", name, as, c_name(w, imp->var),
                        c_position(w, imp->arg[0], C_ANY), c_at(w, value, C_ANY));
}

const char *c_cuda_load_helper(struct c_writer *w, enum type type)
{
    const char *name = arena_printf(w->cx->arena, "load_%s", type_name(type)), *c = c_type(w, type);
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "/* What is there, whatever other threads do. */\n"
                    "static __device__ inline %s %s(const %s *at)\n{\n",
                    c, name, c);
        text_printf(&w->helpers,
                    type_is_complex(type)
                        ? "    unsigned long long is = *(const volatile unsigned long long *)at;\n"
                          "    %s now;\n    memcpy(&now, &is, sizeof now);\n    return now;\n}\n"
                        : "    return *(const volatile %s *)at;\n}\n",
                    c);
        c_helper_end(w);
    }
    return name;
}

/* Writes the body for a type that an instruction compares and swaps as a word. */
static void exchange_word(struct c_writer *w, const char *word)
{
    text_printf(&w->helpers,
                "    %s expected, desired, found;\n"
                "    memcpy(&expected, before, sizeof expected);\n"
                "    memcpy(&desired, &after, sizeof desired);\n"
                "    found = atomicCAS((%s *)at, expected, desired);\n"
                "    memcpy(before, &found, sizeof found);\n    return found == expected;\n",
                word, word);
}

/* Writes the body for a type that is a part of a word: it tries again if another part changes. */
static void exchange_part(struct c_writer *w, const char *c)
{
    text_printf(&w->helpers,
                "    unsigned first = (unsigned)((size_t)at %% 4);\n"
                "    unsigned *word = (unsigned *)((char *)at - first), shift = 8 * first;\n"
                "    unsigned part = ((1u << 8 * sizeof after) - 1) << shift, desired = 0, found;\n"
                "    memcpy(&desired, &after, sizeof after);\n"
                "    for (unsigned now = *(volatile unsigned *)word;; now = found) {\n"
                "        unsigned here = (now & part) >> shift;\n        %s is;\n"
                "        memcpy(&is, &here, sizeof is);\n        if (is != *before) {\n"
                "            *before = is;\n            return false;\n        }\n"
                "        found = atomicCAS(word, now, (now & ~part) | desired << shift);\n"
                "        if (found == now)\n            return true;\n    }\n",
                c);
}

const char *c_cuda_exchange_helper(struct c_writer *w, enum type type)
{
    const char *name = arena_printf(w->cx->arena, "exchange_%s", type_name(type)),
               *c = c_type(w, type);
    if (!c_helper_begin(w, name))
        return name;
    text_printf(&w->helpers,
                "/* Put a value where *before is; false, and in *before what is there, if it is "
                "something else. */\n"
                "static __device__ inline bool %s(%s *at, %s *before, %s after)\n{\n",
                name, c, c, c);
    if (type_size(type) < 4)
        exchange_part(w, c);
    else
        exchange_word(w, type_size(type) == 4 ? "unsigned" : "unsigned long long");
    text_add(&w->helpers, "}\n");
    c_helper_end(w);
    return name;
}

/* Writes an exchange.  The variable with the expected value is, in the end, what was there. */
static void swap(struct c_writer *w, const struct imp *imp, const char *old)
{
    enum type type = imp->var->type;
    c_line(w, 0, "{");
    w->indent += C_INDENT;
    c_line(w, C_INDENT, "%s before =" C_LATE_BREAK "%s;", c_type(w, type), c_value(w, imp->arg[2]));
    c_line(w, C_INDENT, "%s(&%s[%s]," C_BREAK "&before," C_BREAK "%s);",
           c_cuda_exchange_helper(w, type), c_name(w, imp->var), c_position(w, imp->arg[0], C_ANY),
           c_value(w, imp->arg[1]));
    c_line(w, 0, "%s = before;", old);
    w->indent -= C_INDENT;
    c_line(w, 0, "}");
}

void c_cuda_update(struct c_writer *w, const struct imp *imp)
{
    const struct imp *value = imp->arg[0];
    const char *name = c_name(w, imp->var), *call = c_cuda_atomic(w, value);
    const char *type = imp->kind == IMP_DECLARE
                           ? arena_printf(w->cx->arena, "%s ", c_type(w, imp->var->type))
                           : "";
    if (call) {
        c_line(w, C_INDENT, "%s%s =" C_LATE_BREAK "%s;", type, name, call);
        return;
    }
    if (*type)
        c_line(w, 0, "%s%s;", type, name);
    if (value->args == 3)
        swap(w, value, name);
    else
        c_exchange(w, value, name);
}
