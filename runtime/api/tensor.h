/* tensor.h - the tensors of the C API's users: a tensor of the runtime, and what is known of it.
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
    /* if its arrays are on a GPU: the tensor that has them; `tensor` then has none and is not
     * sized; else NULL. gpu: the owner of the memory, unless the arrays are borrowed. */
    struct tensor *there;
    struct gpu *gpu;
    /* are its dimensions known?  Else they are 0, and a run's operands give them */
    bool sized;
    bool writable;      /* may its values be written although they are borrowed? */
    bool trusted;       /* does the user answer for its pattern? */
    bool taken;         /* were its arrays taken out? It keeps its sizes, but is not sized */
    bool made_before;   /* has a run made its arrays? */
    struct spare spare; /* room for the next run */
    /* a number for what its pattern was assembled for (bind.h); 0: unknown */
    uint64_t assembled;
    /* a number for its own pattern, once it was asked for; else 0 */
    _Atomic uint64_t pattern;
    /* a number for its pattern and another one that is the same (same.c); else 0 */
    _Atomic uint64_t same;
    /* by level, once they were asked for */
    _Atomic int64_t nodes[LEVELS_MAX];
    atomic_bool counted;
    char *format, *fill; /* texts */
    char *name;          /* for messages; NULL: none */
    void *layout;        /* the memory of strides that were found; else NULL */
    spcc_tensor_info info;
    /* its parts, if it has some: `tensor` is then a list without entries.  several: each part holds
     * all of the tensor. */
    struct spcc_tensor **part;
    int parts;
    bool several;
};

/* Forgets the numbers for the pattern after its arrays have changed. */
static inline void api_forget_pattern(struct spcc_tensor *tensor)
{
    tensor->pattern = 0;
    tensor->counted = false;
}

/* Returns the text of its format under these defaults, in cx's arena. */
const char *api_tensor_format(struct context *cx, const struct spcc_tensor *tensor,
                              struct format_defaults defaults);

struct spcc_format {
    struct context *cx; /* owns the rest */
    const struct format *format;
    const char *text; /* as spcc_tensor_format returns it */
    const struct spcc_level *level;
};

/* Returns the k-th array of the level's type, or NULL. */
const struct level_array *api_array(const struct tensor *tensor, int level, int k);

/* Arrays of the user's, to be borrowed. */
struct borrowing {
    const spcc_array *arrays;
    int n_arrays;
    const void *values;
    int64_t n; /* the number of values */
    bool trusted;
    const char *name; /* for messages; NULL: none */
    bool on_gpu;      /* kernels load both parts of a complex number by one instruction */
};

/* Returns the tensor that has the sizes and the lengths of the arrays. */
static inline const struct tensor *api_sizes(const struct spcc_tensor *tensor)
{
    return tensor->there ? tensor->there : tensor->tensor;
}

/* Copies a tensor on a GPU; the caller frees the copy in any case. */
spcc_status api_tensor_here(struct context *cx, struct gpu *gpu, const struct tensor *there,
                            struct tensor **here);

/* Notes that the tensor's arrays were given away: it keeps its sizes, and may be a result. */
void api_tensor_lost_arrays(struct spcc_tensor *tensor);

/* Gives a tensor without arrays these, and checks them unless they are trusted. */
spcc_status api_borrow(struct context *cx, struct tensor *tensor, const struct borrowing *b);

spcc_status api_check_values(struct context *cx, enum type type, const void *values, int64_t n,
                             const char *name);

/* What every tensor is made from. */
struct tensor_plan {
    const struct format *format;
    /* the parts of the tensor, if `format` is that of a list; NULL: none */
    const struct format_parts *parts;
    enum type type;
    int order;
    int64_t dimension[ORDER_MAX];
    bool sized;
    struct value fill;
    const char *name; /* for messages; NULL: none */
};

/* Checks and parses; reports errors.  dimensions may be NULL: the tensor is not sized. */
spcc_status api_plan(struct spcc_context *api, struct context *cx, const char *format,
                     spcc_type type, int order, const int64_t *dimensions, const char *fill,
                     const char *name, struct tensor_plan *plan);

/* A tensor that the body of a call makes.  The body may be left at any time; these are freed then.
 */
struct making {
    struct coords coords;
    struct tensor *tensor;               /* until it is wrapped */
    struct tensor *there;                /* until it is wrapped: the tensor with arrays on a GPU */
    struct spcc_tensor *part[PARTS_MAX]; /* until they are wrapped */
    int parts;
    bool several;     /* does each part hold all of it? */
    struct gpu *gpu;  /* until it is wrapped */
    const char *text; /* the format's, if known */
    spcc_tensor_info info;
    struct spcc_tensor *made;
};

/* Runs a body that puts a tensor into making->made.  On failure *tensor is NULL. */
spcc_status api_make(struct spcc_context *api, api_body *body, void *arguments,
                     struct making *making, spcc_tensor **tensor);

/* Packs making->coords, which are used up, into a tensor. */
enum rt_status api_pack(struct spcc_context *api, struct making *making,
                        const struct tensor_plan *plan, struct rt_error *error);

/* Makes a list of the tensor's components, part by part.  The caller calls coords_free. */
enum rt_status api_unpack(const struct spcc_tensor *tensor, int threads, struct coords *coords,
                          struct rt_error *error);
/* Returns a tensor without parts that has all components.  If it is new, *made is not NULL, and the
 * caller calls tensor_free. */
enum rt_status api_together(const struct spcc_tensor *tensor, int threads,
                            const struct tensor **together, struct tensor **made,
                            struct rt_error *error);
/* Visits the components of each part, which are numbered from 0; behind each part calls `skip` with
 * their number. */
int64_t api_parts_visit(const struct spcc_tensor *tensor, int threads, tensor_visitor *visit,
                        void *data, void (*skip)(void *data, int64_t n));

/* Wraps making->tensor in making->made, in such a body. */
spcc_status api_wrap(struct spcc_context *api, struct context *cx, struct making *making);

#endif
