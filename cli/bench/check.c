/* check.c - compares two results: a peer's and spcc's, or those of two of spcc's kernels.
 *
 * Values may differ by the rounding of sums in another order.  A component that only one of them
 * stores must be 0.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/peers.h"
#include "cli/library.h"

/* Reads this many bytes of a file in the folder.  NULL if they are not there. */
static void *read_result(const struct bench_peers *peers, const char *name, size_t bytes)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", peers->folder, name);
    FILE *in = fopen(path, "rb");
    void *at = malloc(bytes + 1);
    bool is_whole = in && at && fread(at, 1, bytes, in) == bytes;
    if (in)
        fclose(in);
    if (is_whole)
        return at;
    free(at);
    return NULL;
}

static double value_at(spcc_type type, const void *values, int64_t i)
{
    switch ((int)type) {
    case SPCC_F32: return (double)((const float *)values)[i];
    case SPCC_BOOL: return (double)((const bool *)values)[i];
    default: return ((const double *)values)[i];
    }
}

/* Are they as near as sums in different orders?  Three million f32 added in one loop lose 4 in
 * 1,000. */
static bool is_near(spcc_type type, double a, double b)
{
    double tolerance = type == SPCC_F32 ? 1e-2 : 1e-9, distance = a > b ? a - b : b - a;
    double size = (a < 0 ? -a : a) + (b < 0 ? -b : b);
    return a == b || distance <= tolerance * size + tolerance * 1e-3;
}

/* Are both dense and the same? */
static bool same_dense(const struct bench_tensor *ours, const void *theirs, int64_t n)
{
    spcc_type type = spcc_tensor_type(ours->is);
    const void *values = spcc_tensor_values(ours->is);
    if (ours->format[0] || n != spcc_tensor_stored(ours->is))
        return false;
    for (int64_t i = 0; i < n; i++)
        if (!is_near(type, value_at(type, values, i), value_at(type, theirs, i)))
            return false;
    return true;
}

/* Components in order. */
struct components {
    spcc_tensor *tensor;
    int64_t *coordinates, n;
    void *values;
};

static spcc_status sort_components(spcc_context *context, const struct bench_tensor *like,
                                   const int64_t *coordinates, const void *values, int64_t n,
                                   struct components *sorted)
{
    spcc_type type = spcc_tensor_type(like->is);
    spcc_status said = spcc_tensor_from_coords(context, "coo", type, like->order, like->dimension,
                                               n, coordinates, values, NULL, &sorted->tensor);
    if (said != SPCC_OK)
        return said;
    sorted->n = spcc_tensor_stored(sorted->tensor);
    sorted->coordinates =
        malloc((size_t)(sorted->n * like->order) * sizeof *sorted->coordinates + 1);
    sorted->values = malloc((size_t)sorted->n * spcc_type_size(type) + 1);
    if (!sorted->coordinates || !sorted->values)
        return SPCC_ERROR_MEMORY;
    sorted->n = spcc_tensor_unpack(sorted->tensor, sorted->coordinates, sorted->values);
    return SPCC_OK;
}

static void free_components(struct components *c)
{
    spcc_tensor_free(c->tensor);
    free(c->coordinates);
    free(c->values);
}

static int compare_places(const int64_t *a, const int64_t *b, int order)
{
    for (int m = 0; m < order; m++)
        if (a[m] != b[m])
            return a[m] < b[m] ? -1 : 1;
    return 0;
}

static bool same_components(spcc_type type, int order, const struct components *a,
                            const struct components *b)
{
    for (int64_t i = 0, j = 0; i < a->n || j < b->n;) {
        int place = i == a->n   ? 1
                    : j == b->n ? -1
                                : compare_places(a->coordinates + i * order,
                                                 b->coordinates + j * order, order);
        double x = place <= 0 ? value_at(type, a->values, i++) : 0;
        double y = place >= 0 ? value_at(type, b->values, j++) : 0;
        if (!is_near(type, x, y))
            return false;
    }
    return true;
}

/* Collects the components of one of spcc's tensors. */
static spcc_status sort_ours(spcc_context *context, const struct bench_tensor *ours,
                             struct components *sorted)
{
    int64_t stored = spcc_tensor_stored(ours->is);
    int64_t *coordinates = malloc((size_t)(stored * ours->order) * sizeof *coordinates + 1);
    void *values = malloc((size_t)stored * spcc_type_size(spcc_tensor_type(ours->is)) + 1);
    spcc_status said = coordinates && values ? SPCC_OK : SPCC_ERROR_MEMORY;
    if (said == SPCC_OK) {
        stored = spcc_tensor_unpack(ours->is, coordinates, values);
        said = sort_components(context, ours, coordinates, values, stored, sorted);
    }
    free(coordinates);
    free(values);
    return said;
}

static spcc_status check_sparse(spcc_context *context, const struct bench_tensor *ours,
                                const int32_t *crd, const void *values, int64_t n, bool *is_same)
{
    struct components a = {0}, b = {0};
    int64_t *wide = malloc((size_t)(n * ours->order) * sizeof *wide + 1);
    spcc_status said = wide ? SPCC_OK : SPCC_ERROR_MEMORY;
    for (int64_t k = 0; said == SPCC_OK && k < n * ours->order; k++)
        wide[k] = crd[k];
    if (said == SPCC_OK)
        said = sort_components(context, ours, wide, values, n, &b);
    if (said == SPCC_OK)
        said = sort_ours(context, ours, &a);
    *is_same = said == SPCC_OK && same_components(spcc_tensor_type(ours->is), ours->order, &a, &b);
    free_components(&a);
    free_components(&b);
    free(wide);
    return said;
}

enum cli_status bench_cases_check(spcc_context *context, const struct bench_case *c,
                                  const struct bench_case *other, bool *is_same)
{
    const struct bench_tensor *ours = &c->tensor[c->result], *its = &other->tensor[other->result];
    struct components a = {0}, b = {0};
    *is_same = same_dense(ours, spcc_tensor_values(its->is), spcc_tensor_stored(its->is));
    if (!ours->format[0])
        return CLI_DONE;
    spcc_status said = sort_ours(context, ours, &a);
    if (said == SPCC_OK)
        said = sort_ours(context, its, &b);
    *is_same = said == SPCC_OK && same_components(c->type, ours->order, &a, &b);
    free_components(&a);
    free_components(&b);
    return library_report(context, said);
}

static spcc_status read_components(spcc_context *context, const char *path, spcc_type type,
                                   struct components *c)
{
    spcc_status said = spcc_tensor_read(context, path, "coo", type, NULL, &c->tensor);
    if (said != SPCC_OK)
        return said;
    size_t n = (size_t)spcc_tensor_stored(c->tensor);
    c->coordinates = malloc(n * (size_t)spcc_tensor_order(c->tensor) * sizeof *c->coordinates + 1);
    c->values = malloc(n * spcc_type_size(type) + 1);
    if (!c->coordinates || !c->values)
        return SPCC_ERROR_MEMORY;
    c->n = spcc_tensor_unpack(c->tensor, c->coordinates, c->values);
    return SPCC_OK;
}

/* Compares a file that the peer wrote with ours. */
static spcc_status check_file(spcc_context *context, const struct bench_peers *peers,
                              const struct bench_case *c, const char *name, bool *is_same)
{
    char path[160];
    struct components a = {0}, b = {0};
    snprintf(path, sizeof path, "%s/%s", peers->folder, name);
    spcc_status said = read_components(context, bench_files_out(c), c->type, &a);
    if (said == SPCC_OK)
        said = read_components(context, path, c->type, &b);
    if (said == SPCC_OK && spcc_tensor_order(a.tensor) == spcc_tensor_order(b.tensor))
        *is_same = same_components(c->type, spcc_tensor_order(a.tensor), &a, &b);
    free_components(&a);
    free_components(&b);
    return said;
}

enum cli_status bench_peer_check(spcc_context *context, struct bench_peers *peers,
                                 struct bench_peer *peer, const struct bench_case *c)
{
    const struct bench_tensor *ours = &c->tensor[c->result];
    char line[64];
    long long n = -1;
    bool is_same = false;
    spcc_status said = SPCC_OK;
    if (!bench_peer_ask(peer, peer->takes_part, line, sizeof line, "result"))
        return CLI_DONE;
    bool is_dense = sscanf(line, "dense %lld", &n) == 1;
    bool is_sparse = !is_dense && sscanf(line, "sparse %lld", &n) == 1;
    size_t size = spcc_type_size(c->type);
    void *values = n >= 0 ? read_result(peers, "result.vals", (size_t)n * size) : NULL;
    int32_t *crd =
        is_sparse ? read_result(peers, "result.crd", (size_t)n * (size_t)ours->order * sizeof *crd)
                  : NULL;
    char name[64];
    if (c->files && sscanf(line, "file %63s", name) == 1)
        said = check_file(context, peers, c, name, &is_same);
    else if (is_dense && values)
        is_same = same_dense(ours, values, n);
    else if (values && crd && ours->format[0])
        said = check_sparse(context, ours, crd, values, n, &is_same);
    free(values);
    free(crd);
    peer->is_wrong = !is_same;
    if (is_same || said == SPCC_ERROR_MEMORY)
        return library_report(context, said);
    library_complain("%s of %s on %s: the peer %s has another result", c->kernel->name,
                     bench_case_format(c), c->input->name, peer->name);
    return CLI_BAD_INPUT;
}
