/* fortran.h - how Fortran lays out numbers in lines: "(1X,8I9)", "(1P,5E16.8)", "(3(F12.4,1X))".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_FORTRAN_H
#define SPCC_IO_FORTRAN_H

#include <stdbool.h>

enum {
    FORTRAN_RUNS = 64,
    FORTRAN_WIDTH = 1000
}; /* runs of a line; columns of a number, less one */

/* Numbers side by side: the first begins at a column, each has the same width. */
struct fortran_run {
    int count, column, width;
    int digits; /* behind the point where none is written */
    int scale;  /* a number without an exponent is 10^scale times its value */
};

struct fortran_line {
    int runs;
    struct fortran_run run[FORTRAN_RUNS];
};

/* The first line, and each that follows. */
struct fortran_layout {
    struct fortran_line line[2];
};

/* Parses the format at *at, and moves on behind it.  false: it is none that is known, and *at is
 * where it is not. */
bool fortran_parse(const char **at, struct fortran_layout *layout);

/* Returns the value of a number that stands in a run, as C writes numbers: room bytes at text hold
 * it with its NUL now, and then.  false: there is no room. */
bool fortran_normalize(char *text, int room, const struct fortran_run *run);

#endif
