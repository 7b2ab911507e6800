/* parallel.h - parallel loops as lowering makes them, in text.
 *
 * Each is a kernel of n elements of x and crd, the latter numbers below n, in so many parts, that
 * writes y, of n elements, and z, which it assembles.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_IMPERATIVE_PARALLEL_H
#define SPCC_TESTS_IMPERATIVE_PARALLEL_H

#define PARALLEL_KERNEL(NAME)                                                              \
    "kernel " NAME "(const i32 n, const i32 parts, const i32 *crd, const f64 *x, f64 *y, " \
    "out f64 *z) {\n"
#define PARALLEL_SHARE                                             \
    "        i32 begin = (i32)((i64)n * (i64)part / (i64)parts)\n" \
    "        i32 end = (i32)((i64)n * ((i64)part + 1) / (i64)parts)\n"

/* Each element is written by one part, which has a workspace of its own. */
#define PARALLEL_APART                                                                            \
    PARALLEL_KERNEL("apart")                                                                      \
    "    alloc(z, 0)\n"                                                                           \
    "    parallel for (i32 part = 0; part < parts; part++) {\n" PARALLEL_SHARE "        f64 *w\n" \
    "        alloc(w, n)\n"                                                                       \
    "        fill(w, 0, n, 0)\n"                                                                  \
    "        for (i32 i = begin; i < end; i++) {\n"                                               \
    "            w[i] += x[i] * x[crd[i]]\n"                                                      \
    "            y[i] = w[i]\n"                                                                   \
    "        }\n"                                                                                 \
    "        free(w)\n"                                                                           \
    "    }\n"                                                                                     \
    "}\n"

/* Parts add to the same elements. */
#define PARALLEL_ATOMIC                                                                    \
    PARALLEL_KERNEL("atomics")                                                             \
    "    alloc(z, 3)\n"                                                                    \
    "    fill(z, 0, 3, 0)\n"                                                               \
    "    fill(y, 0, n, 0)\n"                                                               \
    "    parallel(dynamic, 2) for (i32 part = 0; part < parts; part++) {\n" PARALLEL_SHARE \
    "        for (i32 i = begin; i < end; i++) {\n"                                        \
    "            atomic y[crd[i]] += x[i]\n"                                               \
    "            atomic z[0] max= x[i]\n"                                                  \
    "            atomic z[1] = abs(z[1] - x[i]) > 1000000 ? z[1] : z[1] + x[i]\n"          \
    "            atomic z[2] = 1\n"                                                        \
    "        }\n"                                                                          \
    "    }\n"                                                                              \
    "}\n"

/* Each part sums into an element of its own; they are combined in order. */
#define PARALLEL_REDUCE                                                                 \
    PARALLEL_KERNEL("reduction")                                                        \
    "    alloc(z, 1)\n"                                                                 \
    "    f64 *sums\n"                                                                   \
    "    alloc(sums, parts)\n"                                                          \
    "    parallel(dynamic) for (i32 part = 0; part < parts; part++) {\n" PARALLEL_SHARE \
    "        f64 sum = 0\n"                                                             \
    "        for (i32 i = begin; i < end; i++) {\n"                                     \
    "            sum += x[i] * x[crd[i]]\n"                                             \
    "        }\n"                                                                       \
    "        sums[part] = sum\n"                                                        \
    "    }\n"                                                                           \
    "    f64 total = 0\n"                                                               \
    "    for (i32 part2 = 0; part2 < parts; part2++) {\n"                               \
    "        total += sums[part2]\n"                                                    \
    "    }\n"                                                                           \
    "    free(sums)\n"                                                                  \
    "    z[0] = total\n"                                                                \
    "    y[0] = (f64)(threads() > 0)\n"                                                 \
    "}\n"

/* Each part appends to an array of its own, which grows; a second loop puts them one after the
 * other. */
#define PARALLEL_CHUNKS                                                                 \
    "    i64 *end_of\n"                                                                 \
    "    alloc(end_of, parts + 1)\n"                                                    \
    "    arrays(1) z_of\n"                                                              \
    "    alloc(z_of, parts)\n"                                                          \
    "    parallel(dynamic) for (i32 part = 0; part < parts; part++) {\n" PARALLEL_SHARE \
    "        i64 room = 1\n"                                                            \
    "        i64 stored = 0\n"                                                          \
    "        f64 *own\n"                                                                \
    "        alloc(own, room)\n"                                                        \
    "        for (i32 i = begin; i < end; i++) {\n"                                     \
    "            if (x[i] > 0) {\n"                                                     \
    "                if (stored == room) {\n"                                           \
    "                    room *= 2\n"                                                   \
    "                    resize(own, room)\n"                                           \
    "                }\n"                                                               \
    "                own[stored] = x[i] + (f64)crd[i]\n"                                \
    "                stored += 1\n"                                                     \
    "            }\n"                                                                   \
    "        }\n"                                                                       \
    "        keep(z_of, part, own)\n"                                                   \
    "        end_of[part + 1] = stored\n"                                               \
    "    }\n"                                                                           \
    "    end_of[0] = 0\n"                                                               \
    "    for (i32 at = 0; at < parts; at++) {\n"                                        \
    "        end_of[at + 1] += end_of[at]\n"                                            \
    "    }\n"

#define PARALLEL_JOIN                                                                  \
    PARALLEL_KERNEL("joins")                                                           \
    PARALLEL_CHUNKS "    if (parts == 1) {\n"                                          \
                    "        alloc(z, 1)\n"                                            \
                    "        move(z, z_of, 0)\n"                                       \
                    "    } else {\n"                                                   \
                    "        alloc(z, end_of[parts])\n"                                \
                    "        parallel for (i32 part2 = 0; part2 < parts; part2++) {\n" \
                    "            f64 *own2\n"                                          \
                    "            take(own2, z_of, part2)\n"                            \
                    "            i64 from = end_of[part2]\n"                           \
                    "            for (i64 p = from; p < end_of[part2 + 1]; p++) {\n"   \
                    "                z[p] = own2[p - from]\n"                          \
                    "            }\n"                                                  \
                    "        }\n"                                                      \
                    "    }\n"                                                          \
                    "    free(end_of)\n"                                               \
                    "    free(z_of)\n"                                                 \
                    "}\n"

/* The same at once. */
#define PARALLEL_GATHER                                                    \
    PARALLEL_KERNEL("gathers")                                             \
    PARALLEL_CHUNKS "    join(z, z_of, 0, end_of, parts, end_of[parts])\n" \
                    "    free(end_of)\n"                                   \
                    "    free(z_of)\n"                                     \
                    "}\n"

/* Each part appends where its share begins; in their order parts move up to where those before them
 * end. */
#define PARALLEL_SETTLE                                                                 \
    PARALLEL_KERNEL("settles")                                                          \
    "    alloc(z, n)\n"                                                                 \
    "    fill(z, 0, n, 0)\n"                                                            \
    "    i32 *ends\n"                                                                   \
    "    alloc(ends, parts + 1)\n"                                                      \
    "    ends[0] = 0\n"                                                                 \
    "    parallel(dynamic) for (i32 part = 0; part < parts; part++) {\n" PARALLEL_SHARE \
    "        i32 stored = begin\n"                                                      \
    "        for (i32 i = begin; i < end; i++) {\n"                                     \
    "            y[i] = 0\n"                                                            \
    "            if (crd[i] > 0) {\n"                                                   \
    "                z[stored] = x[i]\n"                                                \
    "                stored += 1\n"                                                     \
    "            }\n"                                                                   \
    "        }\n"                                                                       \
    "        ends[part + 1] = stored\n"                                                 \
    "    }\n"                                                                           \
    "    for (i32 next = 0; next < parts; next++) {\n"                                  \
    "        i32 from = (i32)((i64)n * (i64)next / (i64)parts)\n"                       \
    "        i32 length = ends[next + 1] - from\n"                                      \
    "        copy(z, ends[next], z, from, length)\n"                                    \
    "        ends[next + 1] = ends[next] + length\n"                                    \
    "    }\n"                                                                           \
    "    fill(z, ends[parts], n, 0)\n"                                                  \
    "    y[0] = (f64)ends[parts]\n"                                                     \
    "    free(ends)\n"                                                                  \
    "}\n"

/* Parts fail, each with the status that its elements say. */
#define PARALLEL_FAIL                                                                      \
    PARALLEL_KERNEL("fails")                                                               \
    "    arrays(1) w_of\n"                                                                 \
    "    alloc(z, n)\n"                                                                    \
    "    fill(z, 0, n, 1)\n"                                                               \
    "    alloc(w_of, parts)\n"                                                             \
    "    parallel(dynamic, 1) for (i32 part = 0; part < parts; part++) {\n" PARALLEL_SHARE \
    "        f64 *w\n"                                                                     \
    "        alloc(w, n + 1)\n"                                                            \
    "        i32 i = begin\n"                                                              \
    "        while (i < end) {\n"                                                          \
    "            y[i] = x[i]\n"                                                            \
    "            if (x[i] > 1000) {\n"                                                     \
    "                fail 4\n"                                                             \
    "            }\n"                                                                      \
    "            if (x[i] > 500) {\n"                                                      \
    "                fail 2\n"                                                             \
    "            }\n"                                                                      \
    "            i += 1\n"                                                                 \
    "        }\n"                                                                          \
    "        i32 length = n\n"                                                             \
    "        resize(w, length)\n"                                                          \
    "        keep(w_of, part, w)\n"                                                        \
    "        f64 *v\n"                                                                     \
    "        alloc(v, length)\n"                                                           \
    "        free(v)\n"                                                                    \
    "    }\n"                                                                              \
    "    free(w_of)\n"                                                                     \
    "}\n"

/* A part makes an array longer in two places. */
#define PARALLEL_GROW_Z                                    \
    "                if (stored == room) {\n"              \
    "                    if (room > 1000000000) {\n"       \
    "                        fail 2\n"                     \
    "                    }\n"                              \
    "                    room = room > 1 ? room * 2 : 2\n" \
    "                    resize(own, room)\n"              \
    "                }\n"                                  \
    "                own[stored] = x[i]\n"                 \
    "                stored += 1\n"                        \
    "                y[i] = own[stored - 1]\n"
#define PARALLEL_GROW                                                          \
    PARALLEL_KERNEL("grows")                                                   \
    "    alloc(z, 0)\n"                                                        \
    "    parallel for (i32 part = 0; part < parts; part++) {\n" PARALLEL_SHARE \
    "        i64 room = 1\n"                                                   \
    "        i64 stored = 0\n"                                                 \
    "        f64 *own\n"                                                       \
    "        alloc(own, room)\n"                                               \
    "        for (i32 i = begin; i < end; i++) {\n"                            \
    "            y[i] = 0\n"                                                   \
    "            if (x[i] > 0) {\n" PARALLEL_GROW_Z                            \
    "            } else if (crd[i] > 3) {\n" PARALLEL_GROW_Z "            }\n" \
    "        }\n"                                                              \
    "        free(own)\n"                                                      \
    "    }\n"                                                                  \
    "}\n"

static const char *const parallel_program[] = {PARALLEL_APART, PARALLEL_ATOMIC, PARALLEL_REDUCE,
                                               PARALLEL_JOIN,  PARALLEL_SETTLE, PARALLEL_FAIL,
                                               PARALLEL_GROW,  PARALLEL_GATHER};
enum { PARALLEL_PROGRAMS = sizeof parallel_program / sizeof *parallel_program };

#endif
