/* candidates.c - the formats that could serve for a tensor, and the memory that each would take.
 *
 * They follow from the tensor's order alone: trees of compressed levels, with the first mode dense
 * or compressed; lists; padded fibers; all components, with and without flags; blocks and
 * diagonals of the last two modes; slices of a matrix.  Formats whose speed depends on the order
 * of the modes come in all orders up to three modes, and in those with each mode in front
 * otherwise.  A format that takes many times the memory of the smallest is not tried: no kernel
 * goes through it faster.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/candidates.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/format/index_array.h"
#include "compiler/format/map.h"
#include "compiler/format/names.h"

/* Up to three modes come in every order; blocks have these sizes. */
enum { PERMUTED_MOST = 3, BLOCK_LEAST = 2, BLOCK_MOST = 8 };

/* Rows of a slice: from the lanes of a vector to some vectors. */
enum { SLICE_LEAST = 4, SLICE_MOST = 32 };

/* A format that takes more than this many times the memory of the smallest is not tried. */
static const double BYTES_MOST = 4;

/* Level types by mode: the first, those between, and the last, which is a vector's only one. */
struct shape {
    const char *first, *between, *last;
    int order_least;
    bool any_order; /* may the modes come in any order? */
};

static const struct shape shapes[] = {
    {"dense", "compressed", "compressed", 2, true},
    {"compressed", "compressed", "compressed", 1, true},
    {"compressed(nonunique)", "singleton(nonunique)", "singleton", 2, true},
    {"dense", "compressed", "padded", 2, true},
    {"dense", "dense", "bitmap", 1, false},
    {"dense", "dense", "dense", 1, false},
};

struct finding {
    struct spcc_context *api;
    struct context *cx;
    const char *name; /* the tensor's name in messages */
    int order;
    struct candidates *found;
    const struct format *format[CANDIDATES_MOST];
};

/* ---- texts ---- */

static const struct format *parse_candidate(const struct finding *f, const char *text)
{
    size_t mistakes = f->cx->diags.n;
    const struct format *format = format_parse(f->cx, f->name, text, f->order, f->api->defaults);
    f->cx->diags.n = mistakes;
    return format;
}

/* Returns the name with these parameters and this order of modes if it stands for the format. */
static const char *try_name(const struct finding *f, const struct format_name *name,
                            const char *order, int parameter, const struct format *format)
{
    const char *parameters = name->parameters == 0 ? ""
                             : name->parameters == 1
                                 ? arena_printf(f->cx->arena, "(%d)", parameter)
                                 : arena_printf(f->cx->arena, "(%d,%d)", parameter, parameter);
    const char *text = arena_printf(f->cx->arena, "%s%s%s", name->name, parameters, order);
    const struct format *named = parse_candidate(f, text);
    return named && format_equal(named, format) ? text : NULL;
}

/* Returns the format's name.  Names of one order come first: they say more than others that stand
 * for the same. */
static const char *name_of(const struct finding *f, const struct format *format, const char *order,
                           int parameter)
{
    for (int pass = 0; pass < 4; pass++)
        for (int n = 0; n < format_names_count; n++) {
            const struct format_name *name = &format_names[n];
            bool general = name->expansion == NULL, ordered = pass >= 2;
            if (name->modes || general != pass % 2 || f->order < name->order_min
                || f->order > name->order_max || (ordered && !*order))
                continue;
            const char *text = try_name(f, name, ordered ? order : "", parameter, format);
            if (text)
                return text;
        }
    return NULL;
}

static void add_format(struct finding *f, const struct format *format, const char *text)
{
    struct candidates *found = f->found;
    for (int i = 0; i < found->n; i++)
        if (format_equal(f->format[i], format))
            return;
    context_assert(f->cx, found->n < CANDIDATES_MOST);
    f->format[found->n] = format;
    found->at[found->n++] = (struct candidate){.format = text};
}

/* Adds the format with these levels, spelled in full if it has no name. */
static void add_levels(struct finding *f, const char *levels, const char *order, int parameter)
{
    const struct format *format = parse_candidate(f, levels);
    struct text spelled = text_new(f->cx->arena);
    if (!format) /* diagonals of vectors, for example */
        return;
    format_print(&spelled, format, f->api->defaults);
    const char *name = name_of(f, format, order, parameter);
    add_format(f, format, name ? name : spelled.at);
}

/* ---- by order ---- */

static void add_modes(const struct finding *f, struct text *out)
{
    text_add(out, "(");
    for (int m = 0; m < f->order; m++)
        text_printf(out, "%sd%d", m ? "," : "", m);
    text_add(out, ") -> (");
}

static void add_shape(struct finding *f, const struct shape *shape, const int *mode)
{
    struct text levels = text_new(f->cx->arena), order = text_new(f->cx->arena);
    bool in_order = true;
    add_modes(f, &levels);
    for (int k = 0; k < f->order; k++) {
        const char *type = k == f->order - 1 ? shape->last : k > 0 ? shape->between : shape->first;
        text_printf(&levels, "%sd%d : %s", k ? ", " : "", mode[k], type);
        text_printf(&order, "%s%d", k ? "," : ":", mode[k]);
        in_order &= mode[k] == k;
    }
    text_add(&levels, ")");
    if (f->order >= shape->order_least && (in_order || shape->any_order))
        add_levels(f, levels.at, in_order ? "" : order.at, 0);
}

static void add_shapes(struct finding *f, const int *mode)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        add_shape(f, &shapes[s], mode);
}

/* Adds the orders of the modes from `at` on, behind those before. */
static void add_permuted(struct finding *f, int *mode, int at)
{
    if (at == f->order)
        add_shapes(f, mode);
    for (int k = at; k < f->order; k++) {
        int taken = mode[k];
        memmove(&mode[at + 1], &mode[at], (size_t)(k - at) * sizeof *mode);
        mode[at] = taken;
        add_permuted(f, mode, at + 1);
        memmove(&mode[at], &mode[at + 1], (size_t)(k - at) * sizeof *mode);
        mode[k] = taken;
    }
}

static void add_orders(struct finding *f)
{
    int mode[ORDER_MAX];
    for (int front = 0; front < f->order; front++) {
        mode[0] = front;
        for (int m = 0, k = 1; m < f->order; m++)
            if (m != front)
                mode[k++] = m;
        if (f->order > PERMUTED_MOST)
            add_shapes(f, mode);
    }
    for (int m = 0; m < f->order; m++)
        mode[m] = m;
    if (f->order <= PERMUTED_MOST)
        add_permuted(f, mode, 0);
}

/* Adds formats whose last two modes have these levels, below a tree of the others. */
static void add_pair(struct finding *f, const char *levels, int parameter)
{
    struct text all = text_new(f->cx->arena);
    if (f->order < 2)
        return;
    add_modes(f, &all);
    for (int m = 0; m < f->order - 2; m++)
        text_printf(&all, "d%d : %s, ", m, m ? "compressed" : "dense");
    text_printf(&all, "%s)", levels);
    add_levels(f, all.at, "", parameter);
}

static void add_pairs(struct finding *f)
{
    struct arena *arena = f->cx->arena;
    int i = f->order - 2, j = f->order - 1;
    for (int b = BLOCK_LEAST; b <= BLOCK_MOST; b++)
        add_pair(f,
                 arena_printf(arena,
                              "d%d/%d : %s, d%d/%d : compressed, d%d%%%d : dense, d%d%%%d : dense",
                              i, b, f->order > 2 ? "compressed" : "dense", j, b, i, b, j, b),
                 b);
    add_pair(f, arena_printf(arena, "d%d-d%d : compressed, d%d : range, d%d : offset", j, i, i, j),
             0);
}

static void add_slices(struct finding *f)
{
    for (int rows = SLICE_LEAST; rows <= SLICE_MOST && f->order == 2; rows *= 2)
        add_pair(f,
                 arena_printf(f->cx->arena,
                              "d0/%d : dense, d0%%%d : ragged, d1 : singleton(padded)", rows, rows),
                 rows);
}

static spcc_status add_given(struct finding *f, const char *const *formats, int n)
{
    if (n > CANDIDATES_MOST / 2)
        return api_error(f->cx, SPCC_ERROR_ARGUMENT, "there are at most %d formats to try",
                         CANDIDATES_MOST / 2);
    for (int i = 0; i < n; i++) {
        const char *text = formats[i] ? arena_strdup(f->cx->arena, formats[i]) : "dense";
        const struct format *format =
            format_parse(f->cx, f->name, text, f->order, f->api->defaults);
        if (!format)
            return api_status(f->cx);
        add_format(f, format, text);
    }
    return SPCC_OK;
}

/* ---- what they take ---- */

static spcc_status find_rooms(struct finding *f, const struct spcc_tensor *tensor)
{
    struct candidates *found = f->found;
    struct rt_error error;
    if (tensor_unpack(tensor->tensor, false, f->api->threads, &found->coords, &error) != RT_OK)
        return api_fail(f->cx, &error);
    found->has_coords = true;
    for (int i = 0; i < found->n; i++) {
        struct candidate *c = &found->at[i];
        enum rt_status status = tensor_room(&found->order, &found->coords, f->format[i],
                                            f->api->threads, &c->bytes, &error);
        if (status == RT_INPUT) {
            c->trouble = "it has more positions than its types can count";
            c->bytes = 0;
        } else if (status != RT_OK) {
            return api_fail(f->cx, &error);
        }
    }
    return SPCC_OK;
}

/* Leaves out large formats, except the tensor's own.  A format that takes no bytes is no measure:
 * the dense one of a tensor without components takes none. */
static void leave_out_large(struct finding *f)
{
    const struct candidate *least = NULL;
    for (int i = 0; i < f->found->n; i++) {
        const struct candidate *c = &f->found->at[i];
        if (!c->trouble && c->bytes > 0 && (!least || c->bytes < least->bytes))
            least = c;
    }
    for (int i = 1; i < f->found->n && least; i++) {
        struct candidate *c = &f->found->at[i];
        char bytes[MEMORY_TEXT];
        if (c->trouble || (double)c->bytes <= BYTES_MOST * (double)least->bytes)
            continue;
        memory_print((double)c->bytes, bytes);
        c->trouble = arena_printf(f->cx->arena, "it takes %s, %.3g times as much as %s", bytes,
                                  (double)c->bytes / (double)least->bytes, least->format);
    }
}

spcc_status candidates_find(struct spcc_context *api, struct context *cx, const char *name,
                            const struct spcc_tensor *tensor, const char *const *formats,
                            int n_formats, struct candidates *found)
{
    struct finding f = {
        .api = api, .cx = cx, .name = name, .order = tensor->tensor->order, .found = found};
    const char *own = name_of(&f, tensor->tensor->format, "", 0);
    add_format(&f, tensor->tensor->format, own ? own : arena_strdup(cx->arena, tensor->format));
    spcc_status status = add_given(&f, formats, n_formats);
    if (status != SPCC_OK)
        return status;
    if (n_formats == 0) {
        add_orders(&f);
        add_pairs(&f);
        add_slices(&f);
    }
    status = find_rooms(&f, tensor);
    if (status == SPCC_OK)
        leave_out_large(&f);
    return status;
}

void candidates_free(struct candidates *found)
{
    if (found->has_coords)
        coords_free(&found->coords);
    tensor_order_free(found->order);
}

/* ---- narrow ones ---- */

/* Returns the narrowest type that holds [least, most]; `is` if that takes no more. */
static enum type narrowest(enum type is, int64_t least, int64_t most)
{
    static const enum type types[] = {TYPE_U8, TYPE_I8, TYPE_U16, TYPE_I16, TYPE_U32, TYPE_I32};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (type_size(types[t]) < type_size(is) && index_min(types[t]) <= least
            && index_max(types[t]) >= most)
            return types[t];
    return is;
}

/* Returns the largest position: an array of positions' last one, or a scalar's only one. */
static int64_t most_position(const struct level_storage *level)
{
    int64_t most = 0;
    for (int k = 0; k < LEVEL_ARRAYS; k++) {
        enum level_array_kind kind = level->format->type->array[k].kind;
        if ((kind == LEVEL_POSITIONS || kind == LEVEL_SCALAR) && level->length[k] > 0)
            most = index_load(level->format->pos, level->array[k], level->length[k] - 1);
    }
    return most;
}

/* Narrows the level's types.  Levels that mark positions hold the distance from the least
 * coordinate, and the mark. */
static void narrow_level(const struct level_storage *storage, struct level_format *level)
{
    bool is_marked = false;
    for (int k = 0; k < LEVEL_ARRAYS; k++)
        is_marked |= level->type->array[k].kind == LEVEL_SCALAR;
    int64_t low = is_marked ? 0 : storage->low, most = low + storage->dimension;
    if (level_type_has_pos(level->type))
        level->pos = narrowest(level->pos, 0, most_position(storage));
    if (level_type_has_crd(level->type))
        level->crd = narrowest(level->crd, low, most);
}

const char *candidates_narrow(struct context *cx, const struct spcc_tensor *tensor,
                              struct format_defaults defaults)
{
    const struct format *is = tensor->tensor->format;
    struct format narrow = *is;
    struct level_format level[LEVELS_MAX];
    struct text out = text_new(cx->arena);
    for (int k = 0; k < is->levels; k++) {
        level[k] = is->level[k];
        narrow_level(&tensor->tensor->level[k], &level[k]);
    }
    narrow.level = level;
    if (format_equal(is, &narrow))
        return NULL;
    format_print(&out, &narrow, defaults);
    return out.at;
}
