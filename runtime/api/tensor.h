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
    /* its arrays are in a GPU's memory: a tensor whose they are, while `tensor` has none and is
     * not sized; NULL: they are not.  And whose memory they are, if they are not borrowed */
    struct tensor *there;
    struct gpu *gpu;
    /* else its dimensions, all 0, are to come from a run's operands */
    bool sized;
    bool writable;      /* its values may be written although it borrows them */
    bool trusted;       /* the user answers for its pattern */
    bool taken;         /* of its arrays: it says its sizes, but is not sized */
    bool made_before;   /* a run has made its arrays */
    struct spare spare; /* room for the next run */
    /* what its pattern was assembled for (bind.h); 0: nothing known */
    uint64_t assembled;
    /* a number for its own pattern, once it was asked for; else 0 */
    _Atomic uint64_t pattern;
    /* ... and for it and another, which has been found to be the same (same.c); 0: none */
    _Atomic uint64_t same;
    /* of each level, once they were asked for */
    _Atomic int64_t nodes[LEVELS_MAX];
    atomic_bool counted;
    char *format, *fill; /* as texts */
    char *name;          /* for messages; NULL: none */
    void *layout;        /* which the strides are in of one that was found with strides, or NULL */
    spcc_tensor_info info;
    /* its parts, while `tensor` is a list without entries; each holds all of it if it is stored
     * several times */
    struct spcc_tensor **part;
    int parts;
    bool several;
};

/* Its arrays are others now. */
static inline void api_forget_pattern(struct spcc_tensor *tensor)
{
    tensor->pattern = 0;
    tensor->counted = false;
}

/* A format's text under these defaults, in cx's arena. */
const char *api_tensor_format(struct context *cx, const struct spcc_tensor *tensor,
                              struct format_defaults defaults);

struct spcc_format {
    struct context *cx; /* owns the rest */
    const struct format *format;
    const char *text; /* as spcc_tensor_format gives it */
    const struct spcc_level *level;
};

/* The k-th array that levels of this type have; NULL: they do not. */
const struct level_array *api_array(const struct tensor *tensor, int level, int k);

/* Arrays of the user's. */
struct borrowing {
    const spcc_array *arrays;
    int n_arrays;
    const void *values;
    int64_t n; /* values */
    bool trusted;
    const char *name; /* for messages; NULL: none */
};

/* The one that says its sizes, and those of its arrays. */
static inline const struct tensor *api_sizes(const struct spcc_tensor *tensor)
{
    return tensor->there ? tensor->there : tensor->tensor;
}

/* A copy of what is on a GPU, to be freed in every case. */
spcc_status api_tensor_here(struct context *cx, struct gpu *gpu, const struct tensor *there,
                            struct tensor **here);

/* Arrays of the tensor are elsewhere: what is left says its sizes, and may be a result. */
void api_tensor_lost_arrays(struct spcc_tensor *tensor);

/* Put them under a tensor that owns none, checked unless they are trusted. */
spcc_status api_borrow(struct context *cx, struct tensor *tensor, const struct borrowing *b);

spcc_status api_check_values(struct context *cx, enum type type, const void *values, int64_t n,
                             const char *name);

/* What every tensor is made from. */
struct tensor_plan {
    const struct format *format;
    /* ... that it has, and the format of a list; NULL: it is in one */
    const struct format_parts *parts;
    enum type type;
    int order;
    int64_t dimension[ORDER_MAX];
    bool sized;
    struct value fill;
    const char *name; /* for messages; NULL: none */
};

/* Check and parse.  dimensions may be NULL: not sized.  SPCC_OK, or a status that has been
 * reported. */
spcc_status api_plan(struct spcc_context *api, struct context *cx, const char *format,
                     spcc_type type, int order, const int64_t *dimensions, const char *fill,
                     const char *name, struct tensor_plan *plan);

/* A tensor on its way.  Its maker, the body of a call, may be left at any time: what is here is
 * then freed. */
struct making {
    struct coords coords;
    struct tensor *tensor;               /* until it is wrapped */
    struct tensor *there;                /* likewise: with arrays on a GPU */
    struct spcc_tensor *part[PARTS_MAX]; /* likewise: its parts */
    int parts;
    bool several;     /* each of them holds all */
    struct gpu *gpu;  /* likewise */
    const char *text; /* of its format, if that is known */
    spcc_tensor_info info;
    struct spcc_tensor *made;
};

/* Run a body that puts a tensor into making->made; NULL into *tensor if it fails. */
spcc_status api_make(struct spcc_context *api, api_body *body, void *arguments,
                     struct making *making, spcc_tensor **tensor);

/* Put making->coords, which are used up, into a tensor. */
enum rt_status api_pack(struct spcc_context *api, struct making *making,
                        const struct tensor_plan *plan, struct rt_error *error);

/* Its components as a list, for coords_free; part by part. */
enum rt_status api_unpack(const struct spcc_tensor *tensor, int threads, struct coords *coords,
                          struct rt_error *error);
/* A tensor with all of its components, which is *made if it is not NULL then: for tensor_free. */
enum rt_status api_together(const struct spcc_tensor *tensor, int threads,
                            const struct tensor **together, struct tensor **made,
                            struct rt_error *error);
/* Visit the components of its parts, each numbered from 0; skip is called after each part with
 * their number. */
int64_t api_parts_visit(const struct spcc_tensor *tensor, int threads, tensor_visitor *visit,
                        void *data, void (*skip)(void *data, int64_t n));

/* For such a body: making->made around making->tensor. */
spcc_status api_wrap(struct spcc_context *api, struct context *cx, struct making *making);

#endif
