/* expected.c - the sizes that plans are made for: those of tensors at hand, and those that the
 * user expects.
 *
 * Sizes of tensors at hand are rounded as plans round them (size_about), so that other tensors of
 * about the same sizes find the kernel again.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "runtime/api/kernel.h"
#include "runtime/api/tensor.h"
#include "runtime/tensor/nodes.h"

/* Returns the rounded number; 0 would mean that it is not known. */
static int64_t about(int64_t n) { return n > 0 ? size_about(n) : 1; }

/* Counts the nodes of each level, which takes as long as a small kernel if levels have unlabelled
 * positions.  Threads that share an operand may both count, and store the same. */
static void count_nodes(const struct spcc_tensor *from, int64_t *nodes)
{
    struct spcc_tensor *tensor = (struct spcc_tensor *)from;
    int levels = tensor->tensor->format->levels;
    if (!atomic_load_explicit(&tensor->counted, memory_order_acquire)) {
        tensor_count_nodes(tensor->tensor, nodes);
        for (int k = 0; k < levels; k++)
            atomic_store_explicit(&tensor->nodes[k], nodes[k], memory_order_relaxed);
        atomic_store_explicit(&tensor->counted, true, memory_order_release);
    }
    for (int k = 0; k < levels; k++)
        nodes[k] = atomic_load_explicit(&tensor->nodes[k], memory_order_relaxed);
}

/* Returns the sizes; for a GPU also the length of the longest rows. */
static struct tin_expected expected_of(struct context *cx, const char *name, int part,
                                       const struct spcc_tensor *from, bool gpu)
{
    const struct tensor *tensor = from->tensor;
    int64_t *dimension = arena_array(cx->arena, int64_t, tensor->order);
    struct tin_expected expected = {.name = arena_strdup(cx->arena, name),
                                    .part = part,
                                    .stored = -1,
                                    .modes = tensor->order,
                                    .levels = tensor->format->levels};
    for (int m = 0; m < tensor->order && from->sized; m++)
        dimension[m] = about(tensor->dimension[m]);
    expected.dimension = dimension;
    if (from->sized && tensor->nvals > 0 && tensor->order > 0) {
        int64_t *positions = arena_array(cx->arena, int64_t, expected.levels);
        count_nodes(from, positions);
        for (int level = 0; level < expected.levels; level++)
            positions[level] = about(positions[level]);
        expected.positions = positions;
        int64_t *longest = gpu ? arena_array(cx->arena, int64_t, expected.levels) : NULL;
        if (gpu)
            tensor_longest(tensor, longest);
        for (int level = 0; gpu && level < expected.levels; level++)
            longest[level] = about(longest[level]);
        expected.longest = longest;
    }
    return expected;
}

/* Adds the sizes of a tensor and of each of its parts; returns how many these are. */
static int add_expected(struct context *cx, const spcc_declaration *declaration, bool gpu,
                        struct tin_expected *expected)
{
    const struct spcc_tensor *tensor = declaration->tensor;
    int n = 0;
    if (tensor)
        expected[n++] = expected_of(cx, declaration->name, 0, tensor, gpu);
    for (int k = 0; k < spcc_tensor_parts(tensor); k++)
        expected[n++] = expected_of(cx, declaration->name, k + 1, tensor->part[k], gpu);
    return n;
}

bool kernel_expected(struct context *cx, const spcc_compile_options *options,
                     struct tin_declarations *declared)
{
    int most = options->n_stored, n = 0;
    for (int i = 0; i < options->n_declarations; i++)
        most += 1 + spcc_tensor_parts(options->declarations[i].tensor);
    struct tin_expected *expected = arena_array(cx->arena, struct tin_expected, most);
    for (int i = 0; i < options->n_stored; i++) {
        const spcc_stored_number *stored = &options->stored[i];
        if (!stored->tensor || stored->components < 0) {
            api_error(cx, SPCC_ERROR_ARGUMENT,
                      "spcc_compile_options: a number of stored components %s",
                      stored->tensor ? "is negative" : "has no tensor");
            return false;
        }
        expected[n++] = (struct tin_expected){.name = arena_strdup(cx->arena, stored->tensor),
                                              .stored = stored->components};
    }
    for (int i = 0; i < options->n_declarations && options->plan_for_tensors; i++)
        n += add_expected(cx, &options->declarations[i], options->language == SPCC_LANGUAGE_CUDA,
                          &expected[n]);
    declared->expected = expected;
    declared->n_expected = n;
    return true;
}

void kernel_print_expected(struct text *out, const struct tin_declarations *declared)
{
    for (int i = 0; i < declared->n_expected; i++) {
        const struct tin_expected *e = &declared->expected[i];
        text_printf(out, "%s.%d=%lld", e->name, e->part, (long long)e->stored);
        for (int m = 0; e->dimension && m < e->modes; m++)
            text_printf(out, ",%lld", (long long)e->dimension[m]);
        for (int level = 0; e->positions && level < e->levels; level++)
            text_printf(out, ":%lld", (long long)e->positions[level]);
        for (int level = 0; e->longest && level < e->levels; level++)
            text_printf(out, ">%lld", (long long)e->longest[level]);
        text_add(out, "\x1f");
    }
}
