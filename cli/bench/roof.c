/* roof.c - the machine's rates, measured when they are needed, and the least time of a kernel.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/bench/roof.h"

static const struct bench_roof *look_at(struct bench_roofs *roofs, int t, spcc_type type, int power)
{
    struct bench_roof *roof = &roofs->of[t][type == SPCC_F32];
    int threads = roofs->threads[t];
    if (roof->triad[power] == 0)
        roof->triad[power] =
            bench_peers_rate(roofs->peers, "triad", type, threads, (int64_t)1 << power);
    if (roof->fma == 0)
        roof->fma = bench_peers_rate(roofs->peers, "fma", type, threads, 0);
    return roof;
}

double bench_roof_ms(struct bench_roofs *roofs, const struct bench_case *c,
                     const struct bench_run *run, int t)
{
    int power = BENCH_SMALLEST;
    if (c->type != SPCC_F64 && c->type != SPCC_F32)
        return 0;
    while (power < BENCH_LARGEST && (int64_t)1 << power < run->bytes)
        power++;
    double triad = 0, fma = 0;
    for (int u = 0; u <= t; u++) { /* threads that do not help need not be used */
        const struct bench_roof *roof = look_at(roofs, u, c->type, power);
        triad = roof->triad[power] > triad ? roof->triad[power] : triad;
        fma = roof->fma > fma ? roof->fma : fma;
    }
    if (triad <= 0 || fma <= 0)
        return 0;
    double moving = (double)run->bytes / triad, computing = c->flops / fma;
    return moving > computing ? moving : computing;
}

struct bench_rates bench_roof_rates(struct bench_roofs *roofs, int t)
{
    const struct bench_roof *roof = look_at(roofs, t, SPCC_F64, BENCH_LARGEST);
    int threads = roofs->threads[t];
    return (struct bench_rates){.threads = threads,
                                .triad = roof->triad[BENCH_LARGEST],
                                .fma = roof->fma,
                                .gather = bench_peers_rate(roofs->peers, "gather", SPCC_F64,
                                                           threads, (int64_t)1 << BENCH_LARGEST)};
}
