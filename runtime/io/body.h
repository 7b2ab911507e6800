/* body.h - the entries of a file, which follow each other line by line, read and parsed by many
 * threads.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_BODY_H
#define SPCC_IO_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/io/file_format.h"

struct body {
    /* What is there. */
    struct input *input;
    const char *begin; /* the first line, in the input's text */
    char comment;      /* lines that begin with it are left out */
    /* and it may stand behind an entry, and what follows it on the line */
    bool remarks;
    bool commas;           /* one may stand between numbers, in the place of blanks */
    int coordinates;       /* on a line; as many as the list has modes */
    int base;              /* the first one, 0 or 1 */
    const char *base_help; /* the remedy where there are smaller ones; NULL: none */
    /* on a line after them: 0, then each is 1; 1; 2 for complex ones */
    int values;
    bool integers; /* values must be integers */
    /* no coordinates; values are divided into lines as it pleases */
    bool stream;
    int64_t limit[ORDER_MAX]; /* coordinates are at most this */
    /* of a matrix of which the entries are one triangle; a stream has none */
    enum io_symmetry symmetry;
    const char *counted; /* "entries"; NULL: there may be any number of them */
    int64_t expected;    /* this many */

    /* What was found. */
    int64_t entries; /* lines with an entry, or values of a stream */
    /* of the coordinates of each mode, counted from 1; 0 if there is none */
    int64_t largest[ORDER_MAX];
};

/* Read the entries, of a triangle with their mirror images, into coords, whose order and type are
 * set: for a stream one entry of the list for each value of the file, without coordinates; if
 * values is 2, one for two. */
enum rt_status body_read(struct body *body, struct coords *coords, struct rt_error *error);

/* Returns the place of an entry (of a stream, a value) in the text, if all of the file is there. */
const char *body_find(const struct body *body, int64_t entry);

#endif
