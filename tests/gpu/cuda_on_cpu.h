/* cuda_on_cpu.h - runs a .cu, kernels and host part, on a CPU: for tests without a GPU.
 *
 *     g++ -std=c++17 -x c++ -include cuda_on_cpu.h kernel.cu      (-fsanitize=address,undefined)
 *
 * Each CUDA thread is a fiber.  Fibers of a block run one after the other, in an order that a seed
 * gives (CPU_ORDER), from one barrier or warp collective to the next.  Blocks run one after the
 * other, in an order of the seed's too.  Found: wrong results that depend on an order, barriers
 * that not all threads of a block come to, collectives whose mask has lanes that do not come or
 * whose caller is not in it, reads of shared memory that nobody wrote (it is filled with NaNs
 * before each block); with ASan, accesses out of bounds, in device memory as in shared arrays.  Not
 * found: races between blocks that no order shows, weak memory order.
 *
 * Kernels are launched by SPCC_LAUNCH(kernel, blocks, threads, stream, arguments), or by LAUNCH.
 * SPDX-License-Identifier: MIT
 */
#pragma once
#define CUDA_ON_CPU 1
#include <functional>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>
#ifdef __has_feature /* clang's way to say it */
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#define CPU_LEAVE(fake, stack, size) __sanitizer_start_switch_fiber(fake, stack, size)
#define CPU_ENTER(fake, stack, size) __sanitizer_finish_switch_fiber(fake, stack, size)
#else
#define CPU_LEAVE(fake, stack, size) ((void)(fake))
#define CPU_ENTER(fake, stack, size) ((void)(fake))
#endif

#define CPU_UNSEEN __attribute__((no_sanitize("address")))

struct cpu_index {
    unsigned x;
};

/* ---- fibers ---- */

enum cpu_state { CPU_RUNS, CPU_AT_BARRIER, CPU_IN_WARP, CPU_IS_DONE };
enum cpu_what { CPU_SYNC, CPU_BALLOT, CPU_SHUFFLE, CPU_MATCH };

struct cpu_thread {
    void *stack_at; /* where it goes on; the first word of what it has saved */
    char *stack;
    cpu_index at; /* threadIdx */
    int number;
    cpu_state state;
    /* the collective it is in: kind, lanes, what it gives, of whom it wants what, what it gets */
    cpu_what what;
    unsigned mask;
    uint64_t gives, gets;
    int from;
    int predicate;
};

struct cpu_block {
    const char *kernel;
    const std::function<void()> *body;
    cpu_index grid, at;
    int threads;
    std::vector<cpu_thread> thread;
    void *scheduler;
    const void *scheduler_stack;
    size_t scheduler_size;
};

enum { CPU_STACK = 128 * 1024, CPU_LANES = 32, CPU_THREADS = 1024 };
inline cpu_block cpu_now;    /* the block that runs */
inline cpu_thread *cpu_self; /* and its thread */
inline uint64_t cpu_seed = getenv("CPU_ORDER") ? strtoull(getenv("CPU_ORDER"), NULL, 10) : 0;

/* Save this stack, go on with that one. */
extern "C" void cpu_switch(void **from, void *to);
#if defined(__x86_64__)
__asm__(".pushsection .text\n.weak cpu_switch\ncpu_switch:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n.popsection\n");
enum { CPU_SAVED = 6 };
#else
#error "cuda_on_cpu.h: write cpu_switch for this processor"
#endif

[[noreturn]] inline void cpu_die(const char *what)
{
    fprintf(stderr, "cuda_on_cpu: %s, block %u: %s\n", cpu_now.kernel, cpu_now.at.x, what);
    int shown = 0;
    for (auto &t : cpu_now.thread)
        if ((t.state == CPU_AT_BARRIER || t.state == CPU_IN_WARP) && shown++ < 6)
            fprintf(stderr, "  thread %d waits %s %08x\n", t.number,
                    t.state == CPU_AT_BARRIER ? "at the barrier" : "in a collective of lanes",
                    t.mask);
    abort();
}

/* The thread stops until the scheduler lets it go on. */
inline void cpu_wait(cpu_state state)
{
    cpu_self->state = state;
    void *fake = NULL;
    CPU_LEAVE(&fake, cpu_now.scheduler_stack, cpu_now.scheduler_size);
    cpu_switch(&cpu_self->stack_at, cpu_now.scheduler);
    CPU_ENTER(fake, &cpu_now.scheduler_stack, &cpu_now.scheduler_size);
}

/* The thread is done.  This and cpu_main have no locals in memory: the next block's thread takes
 * the stack over, and ASan's marks around a local of a frame that never returns would still be
 * there.  ASan is told nothing of them: it would clear its marks of the whole stack before a
 * function that does not return, for every thread. */
CPU_UNSEEN [[noreturn]] inline void cpu_leave()
{
    cpu_self->state = CPU_IS_DONE;
    CPU_LEAVE(NULL, cpu_now.scheduler_stack, cpu_now.scheduler_size);
    cpu_switch(&cpu_self->stack_at, cpu_now.scheduler);
    abort();
}

CPU_UNSEEN inline void cpu_main()
{
    CPU_ENTER(NULL, &cpu_now.scheduler_stack, &cpu_now.scheduler_size);
    (*cpu_now.body)();
    cpu_leave();
}

inline void cpu_resume(cpu_thread *t)
{
    cpu_self = t;
    void *fake = NULL;
    CPU_LEAVE(&fake, t->stack, CPU_STACK);
    cpu_switch(&cpu_now.scheduler, t->stack_at);
    CPU_ENTER(fake, NULL, NULL);
}

/* ---- who may go on ---- */

/* Collectives of a warp that all their lanes have come to are done. */
inline bool cpu_settle_warp(int first)
{
    cpu_thread *lane = &cpu_now.thread[first];
    int lanes = cpu_now.threads - first < CPU_LANES ? cpu_now.threads - first : CPU_LANES;
    bool any = false;
    for (int l = 0; l < lanes; l++) {
        if (lane[l].state != CPU_IN_WARP)
            continue;
        unsigned mask = lane[l].mask, ballot = 0;
        bool all = true;
        for (int o = 0; o < CPU_LANES; o++)
            if (mask >> o & 1) {
                if (o >= lanes || lane[o].state == CPU_IS_DONE)
                    cpu_die(
                        "a collective waits for a lane that does not exist or has left the kernel");
                all &= lane[o].state == CPU_IN_WARP && lane[o].mask == mask
                       && lane[o].what == lane[l].what;
                ballot |= (unsigned)(lane[o].predicate != 0) << o;
            }
        if (!all)
            continue;
        for (int o = 0; o < lanes; o++)
            if (mask >> o & 1) {
                cpu_thread *t = &lane[o];
                if (t->what == CPU_SHUFFLE && !(mask >> t->from & 1))
                    cpu_die("a lane asks one for its value that is not in the mask");
                t->gets = t->what == CPU_BALLOT    ? ballot
                          : t->what == CPU_SHUFFLE ? lane[t->from].gives
                                                   : 0;
            }
        for (int o = 0; o < lanes; o++)
            if (mask >> o & 1 && lane[o].what == CPU_MATCH) {
                unsigned same = 0;
                for (int q = 0; q < lanes; q++)
                    same |= (unsigned)((mask >> q & 1) && lane[q].gives == lane[o].gives) << q;
                lane[o].gets = same;
            }
        for (int o = 0; o < lanes; o++)
            if (mask >> o & 1)
                lane[o].state = CPU_RUNS;
        any = true;
    }
    return any;
}

inline bool cpu_settle_barrier()
{
    int waiting = 0, done = 0;
    for (auto &t : cpu_now.thread) {
        waiting += t.state == CPU_AT_BARRIER;
        done += t.state == CPU_IS_DONE;
    }
    if (!waiting || waiting + done < cpu_now.threads)
        return false;
    if (done)
        cpu_die("threads have left the kernel before a barrier that others come to");
    for (auto &t : cpu_now.thread)
        t.state = CPU_RUNS;
    return true;
}

inline uint64_t cpu_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

inline std::vector<int> cpu_order(int n, uint64_t salt)
{
    std::vector<int> order(n);
    uint64_t state = cpu_seed * 0x9e3779b97f4a7c15u + salt;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; cpu_seed && i > 0; i--)
        std::swap(order[i], order[cpu_random(&state) % (i + 1)]);
    return order;
}

/* Shared arrays are statics of one section, whose words are NaNs when a block begins. */
#define __shared__ static __attribute__((section("cpu_shared")))
extern "C" char __start_cpu_shared[], __stop_cpu_shared[];
__attribute__((section("cpu_shared"), used)) static uint64_t cpu_shared_one = 1;

CPU_UNSEEN inline void cpu_forget_shared()
{
    for (volatile uint32_t *w = (volatile uint32_t *)__start_cpu_shared;
         (char *)(w + 1) <= __stop_cpu_shared; w++)
        *w = 0x7ff8dead;
}

inline void cpu_run_block()
{
    cpu_forget_shared();
    for (int i = 0; i < cpu_now.threads; i++) {
        cpu_thread *t = &cpu_now.thread[i];
        t->number = i;
        t->at.x = i;
        t->state = CPU_RUNS;
        void **top = (void **)(t->stack + CPU_STACK) - 2;
        *top = (void *)cpu_main;
        t->stack_at = top - CPU_SAVED;
        memset(t->stack_at, 0, CPU_SAVED * sizeof(void *));
    }
    std::vector<int> order = cpu_order(cpu_now.threads, cpu_now.at.x + 1);
    uint64_t late =
        cpu_seed + cpu_now.at.x; /* with a seed, half of the warps are left behind each time */
    for (int done = 0; done < cpu_now.threads;) {
        bool moved = false;
        uint64_t behind = cpu_seed ? cpu_random(&late) : 0;
        for (int i : order)
            if (cpu_now.thread[i].state == CPU_RUNS) {
                if (behind >> (i / CPU_LANES % 24) & 1) {
                    moved = true;
                    continue;
                }
                cpu_resume(&cpu_now.thread[i]);
                done += cpu_now.thread[i].state == CPU_IS_DONE;
                moved = true;
            }
        for (int first = 0; first < cpu_now.threads; first += CPU_LANES)
            moved |= cpu_settle_warp(first);
        if (!moved && !cpu_settle_barrier() && done < cpu_now.threads)
            cpu_die("nobody can go on: not all threads come to one barrier or collective");
    }
}

inline void cpu_launch(const char *kernel, unsigned grid, unsigned size,
                       const std::function<void()> &body)
{
    cpu_now = {kernel, &body, {grid}, {0}, (int)size, {}, NULL, NULL, 0};
    if (cpu_now.threads < 1 || cpu_now.threads > CPU_THREADS || !grid)
        cpu_die("no such grid");
    cpu_now.thread.resize(cpu_now.threads);
    static char *stacks = (char *)calloc(CPU_THREADS, CPU_STACK); /* for all launches */
    for (int i = 0; i < cpu_now.threads; i++)
        cpu_now.thread[i].stack = stacks + (size_t)CPU_STACK * i;
    for (int b : cpu_order((int)grid, 77)) {
        cpu_now.at.x = b;
        cpu_run_block();
    }
}
#define SPCC_LAUNCH(kernel, blocks, threads, stream, ...) \
    ((void)(stream), cpu_launch(#kernel, blocks, threads, [=] { kernel(__VA_ARGS__); }))
#define LAUNCH SPCC_LAUNCH

/* ---- what kernels call ---- */

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define threadIdx (cpu_self->at)
#define blockIdx  (cpu_now.at)
#define gridDim   (cpu_now.grid)

inline void __syncthreads() { cpu_wait(CPU_AT_BARRIER); }

inline uint64_t cpu_collective(cpu_what what, unsigned mask, uint64_t gives, int from,
                               int predicate)
{
    if (!(mask >> (cpu_self->number % CPU_LANES) & 1))
        cpu_die("a thread calls a collective whose mask it is not in");
    cpu_self->what = what, cpu_self->mask = mask, cpu_self->gives = gives, cpu_self->from = from;
    cpu_self->predicate = predicate;
    cpu_wait(CPU_IN_WARP);
    return cpu_self->gets;
}
inline void __syncwarp(unsigned mask = ~0u) { cpu_collective(CPU_SYNC, mask, 0, 0, 0); }
inline unsigned __ballot_sync(unsigned mask, int p)
{
    return (unsigned)cpu_collective(CPU_BALLOT, mask, 0, 0, p);
}
inline int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, !p) == 0; }
template <class T> T cpu_shuffle(unsigned mask, T v, int from)
{
    uint64_t bits = 0;
    static_assert(sizeof v <= sizeof bits, "");
    memcpy(&bits, &v, sizeof v);
    bits = cpu_collective(CPU_SHUFFLE, mask, bits, from, 0);
    memcpy(&v, &bits, sizeof v);
    return v;
}
inline unsigned __match_any_sync(unsigned mask, int v)
{
    return (unsigned)cpu_collective(CPU_MATCH, mask, (unsigned)v, 0, 0);
}
inline int cpu_lane() { return cpu_self->number % CPU_LANES; }
template <class T> T __shfl_sync(unsigned m, T v, int from, int w = 32)
{
    return cpu_shuffle(m, v, (cpu_lane() & -w) | (from & (w - 1)));
}
template <class T> T __shfl_xor_sync(unsigned m, T v, int x, int w = 32)
{
    int l = cpu_lane(), o = l ^ x;
    return cpu_shuffle(m, v, (o & -w) > (l & -w) ? l : o);
}
template <class T> T __shfl_up_sync(unsigned m, T v, unsigned d, int w = 32)
{
    int l = cpu_lane();
    return cpu_shuffle(m, v, (l & (w - 1)) < (int)d ? l : l - (int)d);
}

template <class T> struct cpu_same {
    typedef T type;
};
template <class T> T atomicAdd(T *p, typename cpu_same<T>::type v)
{
    T old = *p;
    *p = old + v;
    return old;
}
template <class T> T atomicSub(T *p, typename cpu_same<T>::type v)
{
    T old = *p;
    *p = old - v;
    return old;
}
template <class T> T atomicMin(T *p, typename cpu_same<T>::type v)
{
    T old = *p;
    *p = v < old ? v : old;
    return old;
}
template <class T> T atomicMax(T *p, typename cpu_same<T>::type v)
{
    T old = *p;
    *p = v > old ? v : old;
    return old;
}
template <class T> T atomicAnd(T *p, typename cpu_same<T>::type v)
{
    T old = *p;
    *p = old & v;
    return old;
}
template <class T> T atomicXor(T *p, typename cpu_same<T>::type v)
{
    T old = *p;
    *p = old ^ v;
    return old;
}
template <class T> T atomicExch(T *p, typename cpu_same<T>::type v)
{
    T old = *p;
    *p = v;
    return old;
}
template <class T> T atomicOr(T *p, typename cpu_same<T>::type v)
{
    T old = *p;
    *p = old | v;
    return old;
}
template <class T> T atomicCAS(T *p, typename cpu_same<T>::type is, typename cpu_same<T>::type v)
{
    T old = *p;
    if (old == is)
        *p = v;
    return old;
}
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline long min(long a, long b) { return a < b ? a : b; }
inline long long max(long long a, long long b) { return a > b ? a : b; }
inline long max(long a, long b) { return a > b ? a : b; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
#define __ldg(p)     (*(p))
#define __ldcs(p)    (*(p))
#define __stcs(p, v) (*(p) = (v))

/* ---- what the host part calls ---- */

typedef void *cudaStream_t;
typedef int cudaError_t;
enum { cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorMisalignedAddress = 716 };
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
inline cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t)
{
    *p = malloc((n + 3) / 4 * 4 + !n);
    if (*p)
        memset(*p, 0xdb, n);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaFreeAsync(void *p, cudaStream_t)
{
    free(p);
    return 0;
}
inline cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t)
{
    if (n)
        memset(p, v, n);
    return 0;
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, int, cudaStream_t)
{
    if (n)
        memcpy(to, from, n);
    return 0;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return 0; }
inline cudaError_t cudaGetLastError() { return 0; }
