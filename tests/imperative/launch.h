/* launch.h - kernels with launches, as text: what the tests of the parser, the interpreter and the
 * emitter share.  All have the same parameters:
 *
 *     n          elements of x, and of what is not said otherwise
 *     blocks     of a launch
 *     crd        n numbers below 8, or below n
 *     x, y       n numbers each, y from 0
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_IMPERATIVE_LAUNCH_H
#define SPCC_TESTS_IMPERATIVE_LAUNCH_H

#define LAUNCH_HEAD \
    "kernel f(const i32 n, const i32 blocks, const i32 *crd, const f64 *x, f64 *y) {\n"

/* y[0] = the sum of x: each block halves what is left of its sums, in shared memory. */
#define LAUNCH_REDUCE                                                \
    LAUNCH_HEAD                                                      \
    "    launch(blocks, 64) block, thread {\n"                       \
    "        shared f64 w[64]\n"                                     \
    "        f64 sum = 0\n"                                          \
    "        for (i32 i = block * 64 + thread; i < n; i += 128) {\n" \
    "            sum += x[i]\n"                                      \
    "        }\n"                                                    \
    "        w[thread] = sum\n"                                      \
    "        barrier\n"                                              \
    "        i32 half = 32\n"                                        \
    "        while (half > 0) {\n"                                   \
    "            if (thread < half) {\n"                             \
    "                w[thread] += w[thread + half]\n"                \
    "            }\n"                                                \
    "            barrier\n"                                          \
    "            half = half / 2\n"                                  \
    "        }\n"                                                    \
    "        if (thread == 0) {\n"                                   \
    "            atomic y[0] += w[0]\n"                              \
    "        }\n"                                                    \
    "    }\n"                                                        \
    "}\n"

/* y[i] = the sum of x[0 .. i], of up to 64: by warps, then with those of the warps before. */
#define LAUNCH_SCAN                                 \
    LAUNCH_HEAD                                     \
    "    launch(1, 64) block, thread {\n"           \
    "        shared f64 ends[2]\n"                  \
    "        f64 sum = 0\n"                         \
    "        if (thread < n) {\n"                   \
    "            sum = x[thread]\n"                 \
    "        }\n"                                   \
    "        i32 lane = mod(thread, 32)\n"          \
    "        i32 d = 1\n"                           \
    "        while (d < 32) {\n"                    \
    "            f64 below = lane_up(sum, d, 32)\n" \
    "            if (lane >= d) {\n"                \
    "                sum += below\n"                \
    "            }\n"                               \
    "            d *= 2\n"                          \
    "        }\n"                                   \
    "        if (lane == 31) {\n"                   \
    "            ends[thread / 32] = sum\n"         \
    "        }\n"                                   \
    "        barrier\n"                             \
    "        if (thread >= 32) {\n"                 \
    "            sum += ends[0]\n"                  \
    "        }\n"                                   \
    "        if (thread < n) {\n"                   \
    "            y[thread] = sum\n"                 \
    "        }\n"                                   \
    "    }\n"                                       \
    "}\n"

/* y = the transpose of x, of 16 by n / 16: in tiles of 8 by 8, a block each. */
#define LAUNCH_TRANSPOSE                                              \
    LAUNCH_HEAD                                                       \
    "    launch(n / 64, 64) block, thread {\n"                        \
    "        shared f64 tile[72]\n"                                   \
    "        i32 columns = n / 16\n"                                  \
    "        i32 row = block / (columns / 8) * 8\n"                   \
    "        i32 column = mod(block, columns / 8) * 8\n"              \
    "        i32 r = thread / 8\n"                                    \
    "        i32 c = mod(thread, 8)\n"                                \
    "        tile[r * 9 + c] = x[(row + r) * columns + column + c]\n" \
    "        barrier\n"                                               \
    "        y[(column + r) * 16 + row + c] = tile[c * 9 + r]\n"      \
    "    }\n"                                                         \
    "}\n"

/* Host code that a helper has. */
#define LAUNCH_HELPER                   \
    "void twice(f64 *y, i32 n) {\n"     \
    "    launch(1, 32) b, t {\n"        \
    "        if (t < n) {\n"            \
    "            y[t] *= 2\n"           \
    "        }\n"                       \
    "    }\n"                           \
    "}\n"                               \
    "kernel f(f64 *y, const i32 n) {\n" \
    "    twice(y, n)\n"                 \
    "}\n"

/* y[crd[i]] = how many have this number; each takes a place among them, and no two the same.
 * Where there is no such place the status says so. */
#define LAUNCH_PLACES                                               \
    LAUNCH_HEAD                                                     \
    "    i32 *count\n"                                              \
    "    alloc(count, 9)\n"                                         \
    "    fill(count, 0, 9, 0)\n"                                    \
    "    bool *taken\n"                                             \
    "    alloc(taken, 8 * n)\n"                                     \
    "    launch(blocks, 32) block, thread {\n"                      \
    "        local i32 old[2]\n"                                    \
    "        for (i32 i = block * 32 + thread; i < n; i += 64) {\n" \
    "            i32 place = atomic count[crd[i]] += 1\n"           \
    "            old[0] = place\n"                                  \
    "            if (crd[i] > 7) {\n"                               \
    "                atomic count[8] max= 3\n"                      \
    "            } else {\n"                                        \
    "                taken[crd[i] * n + old[0]] = true\n"           \
    "                atomic y[crd[i]] += 1\n"                       \
    "            }\n"                                               \
    "        }\n"                                                   \
    "    }\n"                                                       \
    "    fetch i32 status = count[8]\n"                             \
    "    free(taken)\n"                                             \
    "    free(count)\n"                                             \
    "    if (status == 3) {\n"                                      \
    "        fail 3\n"                                              \
    "    }\n"                                                       \
    "}\n"

/* y[t] = the sum of x over the team of 8 that the thread is in, of 64 threads: by exchanges, then
 * in memory with a barrier of the team, whose lane 0 is asked; y[63] = who has a positive x. */
#define LAUNCH_TEAMS                                \
    LAUNCH_HEAD                                     \
    "    launch(1, 64) block, thread {\n"           \
    "        shared f64 w[64]\n"                    \
    "        f64 v = x[thread]\n"                   \
    "        f64 sum = v\n"                         \
    "        i32 d = 4\n"                           \
    "        while (d > 0) {\n"                     \
    "            sum += lane_xor(sum, d, 8)\n"      \
    "            d = d / 2\n"                       \
    "        }\n"                                   \
    "        w[thread] = v\n"                       \
    "        barrier lanes(8)\n"                    \
    "        f64 other = 0\n"                       \
    "        for (i32 k = 0; k < 8; k++) {\n"       \
    "            other += w[thread / 8 * 8 + k]\n"  \
    "        }\n"                                   \
    "        f64 first = lane_at(other, 0, 8)\n"    \
    "        u32 who = ballot(v > 0, 32)\n"         \
    "        y[thread] = sum == first ? sum : -1\n" \
    "        barrier\n"                             \
    "        if (thread == 63) {\n"                 \
    "            y[63] = (f64)who\n"                \
    "        }\n"                                   \
    "    }\n"                                       \
    "}\n"

/* y[k] = 1 for each number k in crd: inserted into a table by compare and swap. */
#define LAUNCH_TABLE                                              \
    LAUNCH_HEAD                                                   \
    "    launch(1, 32) block, thread {\n"                         \
    "        shared i32 table[16]\n"                              \
    "        if (thread < 16) {\n"                                \
    "            table[thread] = -1\n"                            \
    "        }\n"                                                 \
    "        barrier\n"                                           \
    "        for (i32 i = thread; i < n; i += 32) {\n"            \
    "            i32 at = mod(crd[i] * 5, 16)\n"                  \
    "            bool searches = true\n"                          \
    "            while (searches) {\n"                            \
    "                i32 old = atomic table[at] if -1 = crd[i]\n" \
    "                searches = and(old != -1, old != crd[i])\n"  \
    "                at = searches ? mod(at + 1, 16) : at\n"      \
    "            }\n"                                             \
    "        }\n"                                                 \
    "        barrier\n"                                           \
    "        if (thread < 16) {\n"                                \
    "            if (table[thread] >= 0) {\n"                     \
    "                y[table[thread]] = 1\n"                      \
    "            }\n"                                             \
    "        }\n"                                                 \
    "    }\n"                                                     \
    "}\n"

#define LAUNCH_EVERY \
    LAUNCH_REDUCE, LAUNCH_SCAN, LAUNCH_TRANSPOSE, LAUNCH_PLACES, LAUNCH_TEAMS, LAUNCH_TABLE

#endif
