/* update.c - what is right of a statement that updates a part of a sparse result in place.
 *
 * It changes components that are stored, and fails, with everything as it was, where another would
 * change.  Where the oracle is not sure that one would, either is right.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/tensor/walk.h"
#include "tests/support/trial_parts.h"

bool trial_updates(const struct trial *t) { return tensor_var_is_updated(t->pipeline.tensor[0]); }

/* By component: does the result store it? */
static bool *stored_in(struct trial *t, const struct tensor *y)
{
    struct tensor_walk walk;
    bool *stored = arena_array(t->cx->arena, bool, t->expected.components);
    for (bool more = tensor_walk_first(&walk, y); more; more = tensor_walk_next(&walk))
        stored[oracle_place(&t->known[0], walk.coordinate)] = true;
    return stored;
}

/* Does the statement update one component, which is looked up by numbers?  Then it is a number
 * itself, stored or not: 0 / t is computed, and a NaN where t is 0. */
static bool is_looked_up(const struct trial *t)
{
    const struct tin *access = tin_statement(t->pipeline.parsed, 0)->arg[0];
    bool looked_up = true;
    for (int i = 0; i < access->indices; i++)
        looked_up &= access->index[i]->literal;
    return looked_up;
}

bool trial_is_right_update(struct trial *t, int status)
{
    const struct tensor *y = t->tensor[0];
    const bool *stored = stored_in(t, y);
    bool fails = false, may = false;
    for (int64_t i = 0; i < t->expected.components; i++) {
        const struct number *right = &t->expected.at[i].number;
        bool other = t->expected.at[i].pattern != ORACLE_ABSENT || is_looked_up(t);
        fails |= !stored[i] && !number_agrees(right, y->fill);
        may |= !stored[i] && other && (right->unknown || right->error > 0);
    }
    return status == STATUS_OK ? !fails : status == STATUS_NOT_STORED && (fails || may);
}

static bool is_unchanged(const struct tensor *y, const struct tensor *before)
{
    size_t bytes = (size_t)y->nvals * type_size(y->type);
    return y->nvals == before->nvals && (!bytes || memcmp(y->vals, before->vals, bytes) == 0);
}

void trial_check_unchanged(struct trial *t)
{
    struct tensor *before = trial_pack(t, t->by_rank[0], t->pipeline.tensor[0]->format);
    if (before && !is_unchanged(t->tensor[0], before))
        trial_fail(t, "the kernel has failed, and changed the result before");
    tensor_free(before);
}
