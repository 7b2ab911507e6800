/* units.c - nests of loops with a GPU's units: what a team of threads can do (thesis 6.6).
 *
 *     forall(b)          gpu_block
 *       forall(w)        gpu_warp
 *         forall(t)      gpu_thread      of 2, 4, 8, 16 or 32 iterations: so many lanes are a team
 *
 * The threads of a team do the same but for the loop that is shared among them, so that as many are
 * started as the loop has iterations: its length is known.  They go through it side by side: each
 * knows where its iterations are without the others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

enum { LANES_MOST = 32, THREADS_MOST = 1024 };

static bool is_inside(const struct unit_nest *around, enum cin_unit unit)
{
    while (around && around->tag->unit != unit)
        around = around->outer;
    return around != NULL;
}

/* What the number of threads has to be; NULL: it is that. */
static const char *wrong_length(const struct unit_nest *around, int64_t length)
{
    bool power = length >= 2 && length <= LANES_MOST && (length & (length - 1)) == 0,
         warps = length > 0 && length <= THREADS_MOST && length % LANES_MOST == 0;
    if (is_inside(around, UNIT_GPU_WARP))
        return power ? NULL : "a team in a warp has 2, 4, 8, 16 or 32 threads";
    return warps ? NULL : "a block has a multiple of 32 threads, 1024 at most";
}

static bool check_length(struct context *cx, const struct cin_tag *tag,
                         const struct unit_nest *around)
{
    int64_t length = tag->var->size;
    const char *why = wrong_length(around, length);
    if (!why)
        return true;
    const char *has = length < 0 ? "a length that is not known"
                                 : arena_printf(cx->arena, "%lld iteration%s", (long long)length,
                                                length == 1 ? "" : "s");
    struct diag *diag =
        tree_refuse_parallel(cx, tag, "the loop over %s has %s; %s", tag->var->name, has, why);
    diag_help(cx, diag, "split or bound gives it a length");
    return false;
}

/* Is a step of the loop known only after the one before? */
static bool goes_in_order(const struct lattice *lattice)
{
    struct bits walked = bits_or(lattice->iterated, lattice->following);
    bool blocks = false;
    for (int bit = 0; bit < lattice->sparse; bit++)
        blocks |= bits_has(walked, bit) && lattice_walks_blocks(&lattice->iterator[bit]);
    return blocks || bits_count(walked) > (lattice->dimension ? 0 : 1);
}

/* Does the loop combine into one component, and that only? */
static bool check_reduction(struct context *cx, const struct tree *tree, const struct cin_tag *tag,
                            const struct tree_node *forall)
{
    struct tree_races races = tree_races(cx, tree, forall);
    for (size_t i = 0; i < races.n; i++)
        if (!tree_reduces(forall, races.at[i].assign)) {
            struct diag *diag = tree_refuse_parallel(
                cx, tag, "warp_reduction: the loop over %s combines into several components of %s",
                tag->var->name, races.at[i].assign->arg[0]->tensor->name);
            diag_help(cx, diag, "atomics or temporary are for these");
            return false;
        }
    if (!races.n)
        tree_refuse_parallel(cx, tag, "warp_reduction: the loop over %s does not reduce",
                             tag->var->name);
    return races.n > 0;
}

bool tree_check_unit(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                     const struct cin_tag *tag, const struct unit_nest *around)
{
    const char *loop = tag->var->name;
    if (around && !cin_unit_nests(around->tag->unit, tag->unit)) {
        tree_refuse_parallel(cx, tag,
                             "the loop over %s, of the unit %s, is inside the loop over "
                             "%s, of the unit %s",
                             loop, cin_unit_name(tag->unit), around->tag->var->name,
                             cin_unit_name(around->tag->unit));
        return false;
    }
    if (tag->races == RACES_WARP && !around) {
        tree_refuse_parallel(cx, tag,
                             "warp_reduction: the loop over %s is in no loop of the unit "
                             "gpu_block or gpu_warp, whose threads could combine",
                             loop);
        return false;
    }
    if (tag->unit != UNIT_GPU_THREAD || !around)
        return true;
    if (!check_length(cx, tag, around))
        return false;
    if (goes_in_order(forall->lattice)) {
        struct diag *diag = tree_refuse_parallel(
            cx, tag,
            "the loop over %s merges operands or goes along blocks, a step after the "
            "other, which the threads of a team cannot share",
            loop);
        diag_help(cx, diag, "outside of other loops with units each thread has a part of it");
        return false;
    }
    return tag->races != RACES_WARP || check_reduction(cx, tree, tag, forall);
}
