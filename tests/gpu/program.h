/* program.h - a program of generated kernels: on a GPU or, behind cuda_on_cpu.h, on a CPU.
 *
 *     program run CALL RESULT ...      what each call leaves becomes a file
 *     program check CALL RESULT ...    ... and has to be what the file has, to the bit
 *     program time CALL ...            kernel,microseconds,bytes,GB/s: the least time of ten, the
 *                                      bytes of all arguments
 *
 * The kernels' source includes this, has a wrapper of each, and ends with
 *
 *     int main(int argc, char **argv) { return program_main(argc, argv, kernel, kernels); }
 *
 * A CALL is a file of numbers of 64 bits and of data (tests/support/device.c writes it):
 *
 *     kernel orders parameters, the orders' seeds, the kernel's name in 64 bytes
 *     of each parameter: kind, bytes of an element, elements, and its data, if it is given
 *
 * A RESULT has the kernel's status and, of each array that the kernel may write, how many bytes it
 * has, and they.  The call is made once in each order of threads, for which a GPU has no say; all
 * have to leave the same bits.
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include <chrono>
#include <map>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

struct program_kernel {
    const char *name;
    int (*call)(void *const *argument);
};

/* PROGRAM_RANDOM and what follows is made here: a file of a large matrix would be large. */
enum {
    PROGRAM_SCALAR,
    PROGRAM_READ,
    PROGRAM_WRITTEN,
    PROGRAM_MADE,       /* the kernel allocates it */
    PROGRAM_RANDOM,     /* doubles */
    PROGRAM_SEGMENTS,   /* 32-bit positions; the data is one number, elements a segment */
    PROGRAM_COORDINATES /* 32-bit, ascending in segments of two numbers' first, below the second */
};

struct program_parameter {
    int64_t kind, size, length;
    std::vector<char> data;
    void *device = NULL, *made = NULL;
};

struct program_call {
    int64_t kernel = 0;
    std::string name;
    std::vector<int64_t> order;
    std::vector<program_parameter> parameter;
};

typedef std::vector<char> program_bytes;

[[noreturn]] inline void program_die(const std::string &what)
{
    fprintf(stderr, "program: %s\n", what.c_str());
    exit(3);
}

inline void program_need(int error, const char *what)
{
    if (error)
        program_die(std::string(what) + " fails with error " + std::to_string(error));
}

/* ---- memory ---- */

/* What kernels have allocated and not released, and how large it is. */
inline std::map<void *, size_t> program_live;

inline cudaError_t program_allocate(void **at, size_t bytes, cudaStream_t stream)
{
    cudaError_t error = cudaMallocAsync(at, bytes ? bytes : 1, stream);
    if (!error)
        program_live[*at] = bytes;
    return error;
}

inline cudaError_t program_release(void *at, cudaStream_t stream)
{
    if (at && !program_live.erase(at))
        program_die("a kernel releases what it has not allocated");
    return at ? cudaFreeAsync(at, stream) : cudaSuccess;
}
#define SPCC_ALLOC   program_allocate
#define SPCC_RELEASE program_release

/* ---- files ---- */

inline int64_t program_number(FILE *file)
{
    int64_t number = 0;
    if (fread(&number, sizeof number, 1, file) != 1)
        program_die("a file ends too early");
    return number;
}

inline program_bytes program_data(FILE *file, size_t n)
{
    program_bytes data(n);
    if (n && fread(data.data(), 1, n, file) != n)
        program_die("a file ends too early");
    return data;
}

inline FILE *program_open(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (!file)
        program_die(std::string(path) + " cannot be opened");
    return file;
}

inline uint64_t program_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Data that is not in the file: from a few numbers that are. */
inline void program_make(program_parameter *p, FILE *file)
{
    int64_t kind = p->kind, segment = program_number(file), most = program_number(file);
    uint64_t state = (uint64_t)p->length;
    p->data.resize((size_t)(p->size * p->length));
    for (int64_t i = 0; i < p->length; i++) {
        double value = (double)(program_random(&state) % 1000) / 8;
        int32_t position = (int32_t)(i * segment);
        /* the segment's range in as many parts as it has elements: one in each */
        int64_t first = i % segment * most / segment, next = (i % segment + 1) * most / segment;
        int32_t below = (int32_t)(next > first ? next - first : 1),
                coordinate = (int32_t)(first + (int64_t)(program_random(&state) % (uint64_t)below));
        const void *from = kind == PROGRAM_RANDOM     ? (const void *)&value
                           : kind == PROGRAM_SEGMENTS ? &position
                                                      : &coordinate;
        memcpy(&p->data[(size_t)(i * p->size)], from, (size_t)p->size);
    }
    p->kind = PROGRAM_READ;
}

inline program_call program_read(const char *path)
{
    program_call call;
    FILE *file = program_open(path, "rb");
    call.kernel = program_number(file);
    int64_t orders = program_number(file), parameters = program_number(file);
    for (int64_t i = 0; i < orders; i++)
        call.order.push_back(program_number(file));
    call.name = program_data(file, 64).data();
    for (int64_t i = 0; i < parameters; i++) {
        program_parameter p = {};
        p.kind = program_number(file);
        p.size = program_number(file);
        p.length = program_number(file);
        if (p.kind >= PROGRAM_RANDOM)
            program_make(&p, file);
        else if (p.kind != PROGRAM_MADE)
            p.data = program_data(file, (size_t)(p.size * p.length));
        call.parameter.push_back(p);
    }
    fclose(file);
    return call;
}

/* ---- calls ---- */

inline void program_copy_in(program_call *call)
{
    for (auto &p : call->parameter)
        if (p.kind == PROGRAM_READ || p.kind == PROGRAM_WRITTEN) {
            program_need(cudaMallocAsync(&p.device, p.data.size() + p.data.empty(), 0),
                         "allocating an argument");
            program_need(
                cudaMemcpyAsync(p.device, p.data.data(), p.data.size(), cudaMemcpyHostToDevice, 0),
                "copying an argument");
        }
    program_need(cudaStreamSynchronize(0), "copying arguments");
}

/* Each argument's address is passed: of a scalar, of a pointer, of a pointer to one. */
inline int program_start(program_call *call, const program_kernel *kernel)
{
    std::vector<void *> address(call->parameter.size());
    std::vector<void **> made(call->parameter.size());
    for (size_t i = 0; i < address.size(); i++) {
        program_parameter *p = &call->parameter[i];
        p->made = NULL;
        made[i] = &p->made;
        address[i] = p->kind == PROGRAM_SCALAR ? (void *)p->data.data()
                     : p->kind == PROGRAM_MADE ? (void *)&made[i]
                                               : (void *)&p->device;
    }
    return kernel[call->kernel].call(address.data());
}

inline void program_append(program_bytes *out, const void *from, size_t n)
{
    out->insert(out->end(), (const char *)from, (const char *)from + n);
}

/* What it leaves; and its memory is given back. */
inline program_bytes program_take(program_call *call, int status)
{
    program_bytes result, copy;
    int64_t word = status;
    size_t kept = 0;
    program_append(&result, &word, sizeof word);
    for (auto &p : call->parameter) {
        void *from = p.kind == PROGRAM_WRITTEN ? p.device : p.made;
        word = p.kind == PROGRAM_WRITTEN ? (int64_t)p.data.size()
               : p.made                  ? (int64_t)program_live.at(p.made)
                                         : 0;
        kept += p.made != NULL;
        if (p.kind != PROGRAM_WRITTEN && p.kind != PROGRAM_MADE)
            continue;
        copy.resize((size_t)word);
        program_need(cudaMemcpyAsync(copy.data(), from, copy.size(), cudaMemcpyDeviceToHost, 0),
                     "copying a result");
        program_need(cudaStreamSynchronize(0), "the kernel");
        program_append(&result, &word, sizeof word);
        program_append(&result, copy.data(), copy.size());
    }
    if (program_live.size() != kept)
        program_die("the kernel returns without having released its memory");
    for (auto &p : call->parameter)
        program_need(p.made ? program_release(p.made, 0) : 0, "releasing a result");
    return result;
}

inline void program_drop(program_call *call)
{
    for (auto &p : call->parameter)
        program_need(p.device ? cudaFreeAsync(p.device, 0) : 0, "releasing an argument");
}

inline program_bytes program_once(program_call *call, const program_kernel *kernel, int64_t order)
{
#ifdef CUDA_ON_CPU
    cpu_seed = (uint64_t)order;
#else
    (void)order;
#endif
    program_copy_in(call);
    int status = program_start(call, kernel);
    program_need(cudaStreamSynchronize(0), call->name.c_str());
    program_bytes result = program_take(call, status);
    program_drop(call);
    return result;
}

/* In all orders; NULL, or what is wrong. */
inline const char *program_in_orders(program_call *call, const program_kernel *kernel,
                                     program_bytes *result)
{
    *result = program_once(call, kernel, call->order[0]);
    for (size_t i = 1; i < call->order.size(); i++)
        if (program_once(call, kernel, call->order[i]) != *result)
            return "another order of threads leaves other bits";
    return NULL;
}

/* ---- what is asked for ---- */

inline const char *program_run(program_call *call, const program_kernel *kernel, const char *path)
{
    program_bytes result;
    const char *wrong = program_in_orders(call, kernel, &result);
    FILE *file = program_open(path, "wb");
    if (fwrite(result.data(), 1, result.size(), file) != result.size() || fclose(file))
        program_die(std::string(path) + " cannot be written");
    return wrong;
}

inline const char *program_check(program_call *call, const program_kernel *kernel, const char *path)
{
    program_bytes result, expected;
    FILE *file = program_open(path, "rb");
    for (int c; (c = getc(file)) != EOF;)
        expected.push_back((char)c);
    fclose(file);
    const char *wrong = program_in_orders(call, kernel, &result);
    return wrong ? wrong : result != expected ? "it is not the result" : NULL;
}

inline double program_time(program_call *call, const program_kernel *kernel)
{
    double least = 1e30;
    program_copy_in(call);
    for (int i = 0; i < 10; i++) {
        auto begun = std::chrono::steady_clock::now();
        int status = program_start(call, kernel);
        program_need(cudaStreamSynchronize(0), call->name.c_str());
        std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begun;
        least = took.count() < least ? took.count() : least;
        if (status)
            program_die(call->name + " returns status " + std::to_string(status));
        for (auto &p : call->parameter)
            program_need(p.made ? program_release(p.made, 0) : 0, "releasing a result");
    }
    program_drop(call);
    return least;
}

inline int program_main(int argc, char **argv, const program_kernel *kernel, int kernels)
{
    std::string what = argc > 1 ? argv[1] : "";
    int step = what == "time" ? 1 : 2, wrong = 0;
    if ((what != "run" && what != "check" && what != "time") || (argc - 2) % step)
        program_die("usage: run CALL RESULT ... | check CALL RESULT ... | time CALL ...");
    for (int i = 2; i < argc; i += step) {
        program_call call = program_read(argv[i]);
        if (call.kernel < 0 || call.kernel >= kernels || call.name != kernel[call.kernel].name)
            program_die(std::string(argv[i]) + " is not for a kernel of this program");
        if (what == "time") {
            size_t bytes = 0;
            for (auto &p : call.parameter)
                bytes += p.data.size();
            double took = program_time(&call, kernel);
            printf("%s,%.1f,%zu,%.1f\n", call.name.c_str(), took, bytes,
                   (double)bytes / took / 1e3);
            fflush(stdout);
            continue;
        }
        const char *fault = what == "run" ? program_run(&call, kernel, argv[i + 1])
                                          : program_check(&call, kernel, argv[i + 1]);
        if (what == "check" || fault)
            printf("%s: %s\n", call.name.c_str(), fault ? fault : "right");
        fflush(stdout);
        wrong += fault != NULL;
    }
    return wrong > 0;
}
