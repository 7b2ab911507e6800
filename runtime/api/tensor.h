/* tensor.h - tensors as the C API's users hold them: the runtime's, and what is said about them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_TENSOR_H
#define SPCC_API_TENSOR_H

#include <stdatomic.h>

#include "compiler/format/parts.h"
#include "runtime/api/api.h"
#include "runtime/tensor/spare.h"
#include "runtime/tensor/tensor.h"

struct spcc_tensor {
    struct tensor *tensor;
    /* If its arrays are on a GPU: the tensor that has them, while `tensor` has none and is not
     * sized; else NULL.  gpu: whose memory that is, unless the arrays are borrowed. */
    struct tensor *there;
    struct gpu *gpu;
    /* its dimensions are known; else they are 0, and a run's operands tell them */
    bool sized;
    bool writable;      /* its values may be written although they are borrowed */
    bool trusted;       /* the user answers for its pattern */
    bool taken;         /* its arrays were taken out: it keeps its sizes, but is not sized */
    bool made_before;   /* a run has made its arrays */
    struct spare spare; /* room for the next run */
    /* what its pattern was assembled for (bind.h); 0: unknown */
    uint64_t assembled;
    /* a number for its own pattern, once someone asked for it; else 0 */
    _Atomic uint64_t pattern;
    /* a number for its pattern and another one that was found to be the same (same.c); else 0 */
    _Atomic uint64_t same;
    /* by level, once someone asked for them */
    _Atomic int64_t nodes[LEVELS_MAX];
    atomic_bool counted;
    char *format, *fill; /* as texts */
    char *name;          /* for messages; NULL: none */
    void *layout; /* of a tensor with strides, which were found: what they are kept in; else NULL */
    spcc_tensor_info info;
    /* its parts, if it has some: `tensor` is then a list without entries.  several: it is stored
     * several times, and each part holds all of it. */
    struct spcc_tensor **part;
    int parts;
    bool several;
};

/* Its arrays have changed. */
static inline void api_forget_pattern(struct spcc_tensor *tensor)
{
    tensor->pattern = 0;
    tensor->counted = false;
}

/* The text of its format under these defaults, in cx's arena. */
const char *api_tensor_format(struct context *cx, const struct spcc_tensor *tensor,
                              struct format_defaults defaults);

struct spcc_format {
    struct context *cx; /* owns the rest */
    const struct format *format;
    const char *text; /* as spcc_tensor_format gives it */
    const struct spcc_level *level;
};

/* The k-th array of the level's type, or NULL. */
const struct level_array *api_array(const struct tensor *tensor, int level, int k);

/* Arrays of the user's, to be borrowed. */
struct borrowing {
    const spcc_array *arrays;
    int n_arrays;
    const void *values;
    int64_t n; /* values */
    bool trusted;
    const char *name; /* for messages; NULL: none */
};

/* The tensor that has the sizes and the lengths of the arrays. */
static inline const struct tensor *api_sizes(const struct spcc_tensor *tensor)
{
    return tensor->there ? tensor->there : tensor->tensor;
}

/* A copy of a tensor on a GPU, which the caller frees in any case. */
spcc_status api_tensor_here(struct context *cx, struct gpu *gpu, const struct tensor *there,
                            struct tensor **here);

/* The tensor's arrays were given away: it keeps its sizes, and may be a result. */
void api_tensor_lost_arrays(struct spcc_tensor *tensor);

/* Give a tensor without arrays these, which are checked unless they are trusted. */
spcc_status api_borrow(struct context *cx, struct tensor *tensor, const struct borrowing *b);

spcc_status api_check_values(struct context *cx, enum type type, const void *values, int64_t n,
                             const char *name);

/* What every tensor is made from. */
struct tensor_plan {
    const struct format *format;
    /* the parts that it has, while `format` is that of a list; NULL: it has none */
    const struct format_parts *parts;
    enum type type;
    int order;
    int64_t dimension[ORDER_MAX];
    bool sized;
    struct value fill;
    const char *name; /* for messages; NULL: none */
};

/* Check and parse.  dimensions may be NULL: the tensor is not sized.  Errors have been reported. */
spcc_status api_plan(struct spcc_context *api, struct context *cx, const char *format,
                     spcc_type type, int order, const int64_t *dimensions, const char *fill,
                     const char *name, struct tensor_plan *plan);

/* A tensor that is being made by the body of a call.  The body may be left at any time: what is
 * here is then freed. */
struct making {
    struct coords coords;
    struct tensor *tensor;               /* until it is wrapped */
    struct tensor *there;                /* likewise: with arrays on a GPU */
    struct spcc_tensor *part[PARTS_MAX]; /* likewise: its parts */
    int parts;
    bool several;     /* each part holds all of it */
    struct gpu *gpu;  /* likewise */
    const char *text; /* of its format, if known */
    spcc_tensor_info info;
    struct spcc_tensor *made;
};

/* Run a body that puts a tensor into making->made.  If it fails *tensor is NULL. */
spcc_status api_make(struct spcc_context *api, api_body *body, void *arguments,
                     struct making *making, spcc_tensor **tensor);

/* Pack making->coords, which are used up, into a tensor. */
enum rt_status api_pack(struct spcc_context *api, struct making *making,
                        const struct tensor_plan *plan, struct rt_error *error);

/* The tensor's components as a list, part by part.  The caller calls coords_free. */
enum rt_status api_unpack(const struct spcc_tensor *tensor, int threads, struct coords *coords,
                          struct rt_error *error);
/* A tensor without parts that has all components.  If it had to be made, *made is not NULL, and the
 * caller calls tensor_free. */
enum rt_status api_together(const struct spcc_tensor *tensor, int threads,
                            const struct tensor **together, struct tensor **made,
                            struct rt_error *error);
/* Visit the components of each part, which are numbered from 0; behind each part call `skip` with
 * their number. */
int64_t api_parts_visit(const struct spcc_tensor *tensor, int threads, tensor_visitor *visit,
                        void *data, void (*skip)(void *data, int64_t n));

/* Wrap making->tensor in making->made, in such a body. */
spcc_status api_wrap(struct spcc_context *api, struct context *cx, struct making *making);

#endif
