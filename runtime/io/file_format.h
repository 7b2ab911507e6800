/* file_format.h - the interface of file formats, and what they share: text that is read, a sink
 * that is written to.
 *
 * A file format is one const table in a file of its own; io.c lists them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_FILE_FORMAT_H
#define SPCC_IO_FILE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/io/io.h"
#include "runtime/io/number.h"

struct file_source;

/* A file that is being read: its first lines, as many as have been asked for.  A newline and a NUL
 * follow them in memory. */
struct input {
    const char *path; /* for messages */
    bool binary;      /* there are no lines in it */
    char *text;
    int64_t size, capacity;
    bool complete; /* that is all of it */
    int64_t given; /* how much of it has been given out in chunks */
    const struct io_request *request;
    int threads; /* as in io_request */
    struct file_source *source;
    char *rest; /* what has been read of the line after the last one that was given out */
    int64_t rest_size, rest_capacity;
};

struct output;

struct file_format {
    const char *name;               /* "mtx", and what a file's name ends in */
    const char *const *other_names; /* that it may end in as well, and a NULL; NULL: none */
    bool sized;                     /* a file says its sizes */
    /* how a file begins, in any case, by which it is known whatever its name is, and a NULL;
     * NULL: it is not */
    const char *const *banners;
    bool holds_arrays; /* it is an archive itself */
    /* Does a file that begins so hold every component?  NULL: none does. */
    bool (*is_array)(const struct input *input);
    /* coords is empty and has no type yet; on failure it is freed by the caller. */
    enum rt_status (*read)(struct input *input, struct coords *coords, struct rt_error *error);
    enum rt_status (*write)(struct output *output, const struct tensor *tensor,
                            struct rt_error *error);
};

extern const struct file_format file_format_edges;
extern const struct file_format file_format_mtx;
extern const struct file_format file_format_npy;
extern const struct file_format file_format_npz;
extern const struct file_format file_format_rb;
extern const struct file_format file_format_tns;
extern const struct file_format file_format_ttx;

/* ---- reading ---- */

/* More of the file into the text: up to the first line, after the first `lines`, that is neither
 * blank nor begins with the comment character; or all of it. */
enum rt_status input_read_line(struct input *input, int lines, char comment,
                               struct rt_error *error);
enum rt_status input_read_all(struct input *input, struct rt_error *error);

/* A place in a file, both from 1. */
struct input_place {
    int64_t line, column;
};

struct input_place input_place(const struct input *input, const char *at);

/* "path:line:column: ..." of a place in the text; RT_INPUT. */
enum rt_status input_fail(const struct input *input, const char *at, enum diag_code code,
                          struct rt_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The same of any place. */
enum rt_status input_fail_at(const struct input *input, struct input_place place,
                             enum diag_code code, struct rt_error *error, const char *cause);

static inline bool input_is_blank(char c)
{
    const uint64_t blanks = UINT64_C(1) << ' ' | 1 << '\t' | 1 << '\r' | 1 << '\v' | 1 << '\f';
    return (unsigned char)c <= ' ' && (blanks >> c & 1);
}

static inline const char *input_skip_blanks(const char *s)
{
    while (input_is_blank(*s))
        s++;
    return s;
}

/* Returns the first word at or after s, where a line begins, that is on no comment; or end, which
 * follows a newline.  Passed lines are counted. */
static inline const char *input_first_word(const char *s, const char *end, char comment,
                                           int64_t *lines)
{
    while (s < end) {
        const char *word = input_skip_blanks(s);
        if (*word != '\n' && *word != comment)
            return word;
        s = (const char *)memchr(word, '\n', (size_t)(end - word)) + 1;
        ++*lines;
    }
    return end;
}

/* Tells what is known of the file besides its entries. */
static inline void input_found(const struct input *input, struct io_facts facts)
{
    if (input->request->facts)
        *input->request->facts = facts;
}

/* Returns the known size of a mode, or -1. */
static inline int64_t input_dimension(const struct input *input, int mode)
{
    return input->request->dimension && mode < input->request->order
               ? input->request->dimension[mode]
               : -1;
}

/* Where the sizes of a file are wrong, if that is so: a mode's size is not the one known. */
enum rt_status input_check_dimension(const struct input *input, const char *at, int mode,
                                     int64_t dimension, const char *what, struct rt_error *error);

/* Returns the name of the tensor for messages. */
static inline const char *input_tensor(const struct input *input)
{
    return input->request->tensor ? input->request->tensor : "the tensor";
}

/* ---- writing ---- */

/* Errors stick: they are looked at once, at the end. */
void output_write(struct output *output, const char *text, size_t n);
void output_printf(struct output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A line of text for each entry, and who writes it: at most OUTPUT_LINE bytes, whose number is
 * returned.  By many threads. */
struct entries;
struct entries_walk;
enum { OUTPUT_LINE = 22 * ORDER_MAX + 2 * NUMBER_TEXT };
typedef size_t output_line(char *text, const struct entries_walk *entry, const void *data);
void output_entries(struct output *output, const struct entries *entries, output_line *line,
                    const void *data);

/* How the file is to be written. */
const struct io_writing *output_asks(const struct output *output);

/* After some of the entries: tell who wants to know. */
void output_progress(struct output *output, int64_t done, int64_t total);

#endif
