/* squares_stream.c - squares whose elements are stored past the caches.
 *
 * A line that is stored past the caches has to be stored at once, and rows begin anywhere in their
 * lines.  So squares go to a buffer, which has a part of each row, of some lines; then each row's
 * part is stored, as far as it fills lines, and what it has of one more line is kept in front of
 * the next part:
 *
 *     for (part = 0; part < M; part += PART) {
 *         squares of this part: buffer[j][LINE + i - part] = B[i*N + j]
 *         for (j ...) {
 *             before = elements in front of A[j*M + part] in its line
 *             stream A[j*M + part - before ...] = buffer[j][LINE - before ...], whole lines
 *             buffer[j][0 .. LINE] = buffer[j][PART .. PART + LINE]
 *         }
 *     }
 *
 * A row's first elements up to a line, and its last ones, are stored one by one.  Some lines one
 * after the other are also what memory is fastest with.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/stream.h"
#include "compiler/optimize/squares.h"

/* The buffer of a nest: elements of a line, of a part, and of a row of it, which is both. */
struct buffer {
    struct squares *s;
    struct imp_var *array;
    int64_t line, part, row;
    const struct imp *from, *past; /* where the part begins, and where it ends */
};

bool squares_may_stream(const struct squares *s)
{
    const int64_t rows = vector_most(s->y.loop);
    return s->store->n && rows >= 0 && rows <= TARGET_STREAMED_ROWS
           && s->width * (int64_t)type_size(s->store->var->type) <= s->z->target->line;
}

/* Returns a variable of this kind in the names of the loop along x. */
static struct imp_var *new_var(const struct buffer *b, const char *what, enum type type)
{
    struct squares *s = b->s;
    return vector_var(s->z, arena_printf(s->z->cx->arena, "%s_%s", imp_stem(s->x.loop->var), what),
                      type, 1);
}

static const struct imp *plus(const struct buffer *b, const struct imp *x, const struct imp *y)
{
    return imp_op2(b->s->z->cx, OP_ADD, x, y);
}

static const struct imp *minus(const struct buffer *b, const struct imp *x, const struct imp *y)
{
    return imp_op2(b->s->z->cx, OP_SUB, x, y);
}

/* Returns where the buffer's row of this y begins. */
static const struct imp *row_of(const struct buffer *b, const struct imp *y)
{
    struct context *cx = b->s->z->cx;
    const struct imp *row = minus(b, y, b->s->y.begin);
    return imp_op2(cx, OP_MUL, row, imp_int(cx, row->type, b->row));
}

/* Returns the position in the buffer of this y and this x. */
static const struct imp *place_of(const struct buffer *b, const struct imp *y, const struct imp *x)
{
    struct context *cx = b->s->z->cx;
    const struct imp *in_row = lanes_plus(cx, minus(b, x, b->from), b->line);
    return plus(b, row_of(b, y), in_row);
}

/* Adds the part's squares, which go to the buffer. */
static void fill_buffer(struct buffer *b)
{
    struct context *cx = b->s->z->cx;
    struct squares *s = b->s, of = *s;
    const struct imp *x = imp_read(cx, s->x.loop->var), *y = imp_read(cx, s->y.loop->var);
    of.store = imp_store(cx, b->array, place_of(b, y, x), OP_NONE, s->store->arg[1]);
    of.x.begin = b->from;
    of.fetches = true;
    squares_loops(&of, s->y.end, b->past, true);
    s->b = of.b;
}

/* Adds a copy of the row's part to where it belongs, as far as it fills lines; of the first and the
 * last part all of it. */
static void store_row(struct buffer *b, const struct imp *y)
{
    struct squares *s = b->s;
    struct context *cx = s->z->cx;
    const struct imp *first = squares_at(s, s->store->arg[0], b->from, y);
    first = imp_let(&s->b, new_var(b, "first", first->type), first);
    const struct imp *before = imp_in_line(cx, s->store->var, first, s->z->target->line);
    before = imp_let(&s->b, new_var(b, "before", before->type), before);
    const struct imp *none = imp_int(cx, before->type, 0), *begins = minus(b, none, before),
                     *part = imp_int(cx, before->type, b->part),
                     *is_first = imp_op2(cx, OP_EQ, b->from, s->x.begin),
                     *is_last = imp_op2(cx, OP_EQ, b->past, s->x.end),
                     *all = imp_cast(cx, before->type, minus(b, b->past, b->from)),
                     *from = imp_select(cx, is_first, none, begins),
                     *past = imp_select(cx, is_last, all, plus(b, part, begins));
    struct imp_var *at = new_var(b, "at", before->type);
    const struct imp *q = imp_read(cx, at);
    const struct imp *place = plus(b, lanes_plus(cx, row_of(b, y), b->line), q);
    const struct imp *store =
        imp_store(cx, s->store->var, plus(b, first, q), OP_NONE, imp_load(cx, b->array, place));
    static const struct imp_mark apart = {.iterations = ITERATIONS_APART};
    const struct imp *copy =
        imp_marked(cx, imp_for(cx, at, from, past, 1, imp_streamed(cx, store)), &apart);
    const struct imp *in_lines = vectorize_lanes(s->z, copy, 1);
    imp_add_all(&s->b, in_lines ? in_lines : copy);
}

/* Adds a copy of the end of the row's part to in front of it, for the next part. */
static void keep_line(struct buffer *b, const struct imp *y)
{
    struct squares *s = b->s;
    struct context *cx = s->z->cx;
    imp_begin(&s->b);
    for (int64_t n = 0; n < b->line; n += s->width) {
        const struct imp *to = lanes_plus(cx, row_of(b, y), n),
                         *from = lanes_plus(cx, row_of(b, y), b->part + n);
        imp_add(&s->b,
                imp_store(cx, b->array, to, OP_NONE, imp_load_lanes(cx, b->array, from, s->width)));
    }
    const struct imp *kept = imp_end(&s->b);
    imp_add(&s->b, imp_if(cx, imp_op2(cx, OP_LT, b->past, s->x.end), kept, NULL));
}

/* Adds the loop over the buffer's rows. */
static void store_buffer(struct buffer *b)
{
    struct squares *s = b->s;
    struct context *cx = s->z->cx;
    struct imp_var *var = vector_var(s->z, s->y.loop->var->name, s->y.loop->var->type, 1);
    const struct imp *y = imp_read(cx, var);
    imp_begin(&s->b);
    store_row(b, y);
    keep_line(b, y);
    const struct imp *body = imp_end(&s->b);
    imp_add(&s->b, imp_for(cx, var, s->y.begin, s->y.end, 1, body));
}

void squares_stream(struct squares *s)
{
    struct context *cx = s->z->cx;
    const struct imp_var *to = s->store->var;
    const int64_t line = s->z->target->line / (int64_t)type_size(to->type);
    struct buffer b = {.s = s, .line = line, .part = TARGET_STREAMED_LINES * line};
    b.row = b.part + b.line;
    b.array = vector_var(s->z, arena_printf(cx->arena, "%s_lines", imp_stem(to)), to->type, 1);
    b.array->array = b.array->small = true;
    /* one part more may begin than there are */
    struct imp_var *from = new_var(&b, "part", TYPE_I64);
    b.from = imp_cast(cx, s->x.loop->var->type, imp_read(cx, from));
    imp_add(&s->b, imp_declare(cx, b.array, NULL));
    imp_add(&s->b, imp_alloc(cx, b.array, imp_i64(cx, vector_most(s->y.loop) * b.row)));
    imp_begin(&s->b);
    b.from = imp_let(&s->b, new_var(&b, "from", s->x.loop->var->type), b.from);
    const struct imp *most = imp_int(cx, b.from->type, b.part),
                     *left = imp_op2(cx, OP_MIN, minus(&b, s->x.end, b.from), most);
    b.past = imp_let(&s->b, new_var(&b, "past", b.from->type), plus(&b, b.from, left));
    fill_buffer(&b);
    store_buffer(&b);
    const struct imp *body = imp_end(&s->b);
    imp_add(&s->b, imp_for(cx, from, imp_cast(cx, TYPE_I64, s->x.begin),
                           imp_cast(cx, TYPE_I64, s->x.end), b.part, body));
    imp_add(&s->b, imp_free(cx, b.array));
}
