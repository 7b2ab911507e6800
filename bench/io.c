/* io.c - how long reading a file takes.
 *
 *     io THREADS ROUNDS FILE
 *
 * prints the milliseconds of the fastest of so many rounds.  bench/io.py does the whole
 * measurement.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/io/io.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: io THREADS ROUNDS FILE\n");
        return 2;
    }
    struct io_request request = {.type = TYPE_F64, .order = -1, .threads = atoi(argv[1])};
    double best = -1;
    for (int round = atoi(argv[2]); round > 0; round--) {
        struct coords coords;
        struct rt_error error;
        double start = now();
        if (io_read(argv[3], &request, &coords, &error) != RT_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        double ms = now() - start;
        best = best < 0 || ms < best ? ms : best;
        coords_free(&coords);
    }
    printf("%.3f\n", best);
    return 0;
}
