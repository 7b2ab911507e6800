/* cpu.c - the processor for which code is compiled.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/cpu.h"

#include <string.h>
#include <sys/auxv.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* Adds one leaf of cpuid, without bits that differ from core to core or from moment to moment. */
static void add_leaf(struct sha256 *hash, unsigned leaf, unsigned subleaf)
{
    unsigned r[4] = {0};
    if (!__get_cpuid_count(leaf, subleaf, &r[0], &r[1], &r[2], &r[3]))
        return;
    if (leaf == 1 || leaf == 0xd)
        r[1] = 0;
    sha256_add(hash, r, sizeof r);
}

void cpu_identify(struct sha256 *hash)
{
    unsigned a, b, c, d, low = 0, high = 0;
    add_leaf(hash, 0, 0);
    add_leaf(hash, 1, 0);
    add_leaf(hash, 7, 0);
    add_leaf(hash, 7, 1);
    add_leaf(hash, 0xd, 1);
    add_leaf(hash, 0x24, 0);
    add_leaf(hash, 0x80000001, 0);
    /* the registers that the system saves */
    if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE)
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    sha256_add(hash, &low, sizeof low);
}

#define HAS(feature) &&__builtin_cpu_supports(feature)

bool cpu_runs(const char *machine)
{
    return (strcmp(machine, "x86-64") == 0 CPU_V2(HAS))
           || (strcmp(machine, "x86-64-v3") == 0 CPU_V3(HAS))
           || (strcmp(machine, "x86-64-v4") == 0 CPU_V4(HAS));
}
#else
void cpu_identify(struct sha256 *hash)
{
    unsigned long capabilities[] = {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
    const char *platform = (const char *)getauxval(AT_PLATFORM);
    sha256_add(hash, capabilities, sizeof capabilities);
    if (platform)
        sha256_add(hash, platform, strlen(platform));
}

bool cpu_runs(const char *machine)
{
#if defined(__aarch64__)
    return strcmp(machine, "arm64") == 0;
#else
    return machine == NULL;
#endif
}
#endif
