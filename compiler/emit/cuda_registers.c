/* cuda_registers.c - how many registers a thread may have, and how many loads it keeps under way.
 *
 *     void __launch_bounds__(256, 4)    so many blocks fit a multiprocessor: 64 registers a thread
 *     #pragma unroll 4                  the loads of four iterations before what they are for
 *     #pragma unroll 1                  where nothing is gained by it; NVRTC takes half of the time
 *     for (int32_t p = begin; p < end; p++)
 *
 * Left alone, ptxas spills some registers rather than to take more than 32, and loads one element
 * after the other; nvcc unrolls as many times as registers allow.  Both numbers were measured on
 * kernels by hand (bench/gpu.md).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/gpu.h"
#include "compiler/emit/c.h"

/* Numbers that all architectures have in common: the registers and blocks of a multiprocessor.
 * And: the registers of a thread, beside those of arrays of its own; an array of a single element
 * is like a variable. */
enum { REGISTERS = 65536, BLOCKS_MOST = 16, OF_THREAD = 64, REGISTER = 4, UNDER_WAY = 4 };

/* ---- registers ---- */

static bool add_registers(const struct imp *imp, void *registers)
{
    if (imp->kind == IMP_DECLARE && imp->var->place == PLACE_LOCAL && imp->var->length > 1)
        *(int64_t *)registers += imp->var->length * (int64_t)type_size(imp->var->type) / REGISTER;
    return false;
}

static int64_t blocks_at_once(const struct imp *launch)
{
    int64_t registers = OF_THREAD;
    imp_any(launch->arg[2], add_registers, &registers);
    int64_t blocks = REGISTERS / (registers * launch->n);
    return blocks > BLOCKS_MOST ? BLOCKS_MOST : blocks;
}

static bool is_one_block(const struct imp *launch)
{
    const struct imp *blocks = launch->arg[0];
    return blocks->kind == IMP_LITERAL && blocks->value.i == 1;
}

const char *c_cuda_bounds(struct c_writer *w)
{
    const struct imp *launch = w->launch;
    int64_t blocks = is_one_block(launch) ? 0 : blocks_at_once(launch);
    const char *more = blocks > 0 ? arena_printf(w->cx->arena, ", %d", (int)blocks) : "";
    return arena_printf(w->cx->arena, "__launch_bounds__(%d%s)", (int)launch->n, more);
}

/* ---- loads ---- */

enum { LARGE = 100 }; /* nodes */

/* Is it done by more than a few instructions, or by several threads together? */
static bool is_large(const struct imp *imp, void *loop)
{
    bool loops = imp->kind == IMP_FOR || imp->kind == IMP_WHILE;
    return (loops && imp != loop) || imp->kind == IMP_BARRIER || imp->kind == IMP_ATOMIC
           || imp->kind == IMP_UPDATE || imp->kind == IMP_EXCHANGE || imp->size > LARGE
           || (imp->kind == IMP_CALL && imp_any(imp->function->body, is_large, NULL));
}

static bool is_known(const struct imp *bound) { return bound->kind == IMP_LITERAL; }

/* Writes a loop's pragma.  Of a loop that one thread goes through alone a few iterations are under
 * way at once.  Any other whose length is not known stays as it is: nvcc would unroll steps that
 * lanes take together, and searches, which takes half of its time and gains nothing. */
void c_cuda_loop(struct c_writer *w, const struct imp *loop)
{
    bool is_for = loop->kind == IMP_FOR;
    if (!c_is_on_device(w) || (is_for && is_known(loop->arg[0]) && is_known(loop->arg[1])))
        return;
    bool loads = is_for && w->launch && loop->n <= GPU_WARP && imp_has(loop->arg[2], IMP_BIT(LOAD));
    bool is_alone = loads && !imp_any(loop, is_large, (void *)(size_t)loop);
    c_line(w, 0, "#pragma unroll %d", is_alone ? UNDER_WAY : 1);
}
