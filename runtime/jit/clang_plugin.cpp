/* clang_plugin.cpp - Clang as a function from C source to the bytes of an object.
 *
 * The arguments of `clang -cc1` are assembled here, as the driver would, so the code is that of
 * `clang -O2 -march=native`.  Source and headers are served from memory: no file is read or
 * written, and no resource directory is needed.  The caller loads the object (object.c), so only
 * the compiler is used of LLVM.  One source for LLVM 14 to 22.
 *
 * An error that LLVM calls fatal ends the process unless a handler prevents it.  So does operator
 * new without memory, since LLVM is compiled without exceptions.  Our handlers leave by longjmp,
 * as LLVM's own CrashRecoveryContext does; what LLVM had allocated by then is lost.  After memory
 * has run out, in the middle of anything, Clang is not used again.  The handler of operator new
 * belongs to the process: it is ours only during a compilation, and in other threads it does as
 * the host's did.  Signals of a crash are caught only on request, since that takes signal
 * handlers, which belong to the host.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/clang_plugin.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>
#if LLVM_VERSION_MAJOR >= 17
#include <llvm/TargetParser/Host.h>
#else
#include <llvm/Support/Host.h>
#endif

#include <atomic>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace
{

struct header {
    const char *path, *text;
};

/* The headers that a user's source may include.  The generated source includes none. */
const header headers[] = {
    {"/include/stdint.h", "#pragma once\n"
                          "typedef __INT8_TYPE__ int8_t; typedef __UINT8_TYPE__ uint8_t;\n"
                          "typedef __INT16_TYPE__ int16_t; typedef __UINT16_TYPE__ uint16_t;\n"
                          "typedef __INT32_TYPE__ int32_t; typedef __UINT32_TYPE__ uint32_t;\n"
                          "typedef __INT64_TYPE__ int64_t; typedef __UINT64_TYPE__ uint64_t;\n"
                          "typedef __INTPTR_TYPE__ intptr_t; typedef __UINTPTR_TYPE__ uintptr_t;\n"
                          "typedef __INTMAX_TYPE__ intmax_t; typedef __UINTMAX_TYPE__ uintmax_t;\n"
                          "#define INT8_MAX __INT8_MAX__\n#define INT8_MIN (-INT8_MAX - "
                          "1)\n#define UINT8_MAX __UINT8_MAX__\n"
                          "#define INT16_MAX __INT16_MAX__\n#define INT16_MIN (-INT16_MAX - "
                          "1)\n#define UINT16_MAX __UINT16_MAX__\n"
                          "#define INT32_MAX __INT32_MAX__\n#define INT32_MIN (-INT32_MAX - "
                          "1)\n#define UINT32_MAX __UINT32_MAX__\n"
                          "#define INT64_MAX __INT64_MAX__\n#define INT64_MIN (-INT64_MAX - "
                          "1)\n#define UINT64_MAX __UINT64_MAX__\n"
                          "#define INTPTR_MAX __INTPTR_MAX__\n#define UINTPTR_MAX "
                          "__UINTPTR_MAX__\n#define SIZE_MAX __SIZE_MAX__\n"
                          "#define PTRDIFF_MAX __PTRDIFF_MAX__\n"
                          "#define INT32_C(c) c\n#define UINT32_C(c) c##U\n#define INT64_C(c) "
                          "c##L\n#define UINT64_C(c) c##UL\n"},
    {"/include/stddef.h",
     "#pragma once\n"
     "typedef __SIZE_TYPE__ size_t; typedef __PTRDIFF_TYPE__ ptrdiff_t; typedef __WCHAR_TYPE__ "
     "wchar_t;\n"
     "#define NULL ((void *)0)\n#define offsetof(type, member) __builtin_offsetof(type, member)\n"},
    {"/include/stdbool.h", "#pragma once\n#define bool _Bool\n#define true 1\n#define false 0\n"
                           "#define __bool_true_false_are_defined 1\n"},
    {"/include/stdlib.h",
     "#pragma once\n#include <stddef.h>\n"
     "void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void "
     "free(void *);\n"
     "void *aligned_alloc(size_t, size_t); _Noreturn void abort(void); int abs(int); long "
     "labs(long);\n"
     "long long llabs(long long);\n"
     "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n"},
    {"/include/string.h",
     "#pragma once\n#include <stddef.h>\n"
     "void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);\n"
     "void *memset(void *, int, size_t); int memcmp(const void *, const void *, size_t);\n"},
    {"/include/limits.h",
     "#pragma once\n#define CHAR_BIT __CHAR_BIT__\n#define INT_MAX __INT_MAX__\n#define INT_MIN "
     "(-INT_MAX - 1)\n"
     "#define UINT_MAX (INT_MAX * 2U + 1U)\n#define LONG_MAX __LONG_MAX__\n#define LONG_MIN "
     "(-LONG_MAX - 1L)\n"
     "#define LLONG_MAX __LONG_LONG_MAX__\n#define LLONG_MIN (-LLONG_MAX - 1LL)\n"},
    {"/include/float.h", "#pragma once\n#define FLT_MAX __FLT_MAX__\n#define FLT_MIN "
                         "__FLT_MIN__\n#define FLT_EPSILON __FLT_EPSILON__\n"
                         "#define DBL_MAX __DBL_MAX__\n#define DBL_MIN __DBL_MIN__\n#define "
                         "DBL_EPSILON __DBL_EPSILON__\n"},
    {"/include/math.h",
     "#pragma once\n#define INFINITY __builtin_inff()\n#define NAN __builtin_nanf(\"\")\n"
     "#define HUGE_VAL __builtin_huge_val()\n"
     "#define isnan(x) __builtin_isnan(x)\n#define isinf(x) __builtin_isinf(x)\n"
     "#define isfinite(x) __builtin_isfinite(x)\n#define signbit(x) __builtin_signbit(x)\n"
     "#define F1(f) double f(double); float f##f(float);\n"
     "#define F2(f) double f(double, double); float f##f(float, float);\n"
     "F1(sqrt) F1(cbrt) F1(exp) F1(exp2) F1(expm1) F1(log) F1(log2) F1(log10) F1(log1p) F1(sin) "
     "F1(cos) F1(tan)\n"
     "F1(asin) F1(acos) F1(atan) F1(sinh) F1(cosh) F1(tanh) F1(asinh) F1(acosh) F1(atanh) F1(fabs) "
     "F1(floor)\n"
     "F1(ceil) F1(round) F1(trunc) F1(rint) F1(nearbyint) F1(erf) F1(erfc) F1(tgamma) F1(lgamma)\n"
     "F2(pow) F2(atan2) F2(fmod) F2(remainder) F2(hypot) F2(fmin) F2(fmax) F2(fdim) F2(copysign) "
     "F2(nextafter)\n"
     "double fma(double, double, double); float fmaf(float, float, float);\n"
     "double ldexp(double, int); float ldexpf(float, int);\n"
     "#undef F1\n#undef F2\n"},
    {"/include/complex.h",
     "#pragma once\n#define complex _Complex\n#define _Complex_I ((float _Complex){0.0f, 1.0f})\n"
     "#define I _Complex_I\n"
     "#define R1(f) double f(double _Complex); float f##f(float _Complex);\n"
     "#define C1(f) double _Complex f(double _Complex); float _Complex f##f(float _Complex);\n"
     "R1(cabs) R1(carg) R1(creal) R1(cimag) C1(conj) C1(cproj) C1(csqrt) C1(cexp) C1(clog) "
     "C1(csin) C1(ccos)\n"
     "C1(ctan) C1(csinh) C1(ccosh) C1(ctanh)\n"
     "double _Complex cpow(double _Complex, double _Complex);\n"
     "float _Complex cpowf(float _Complex, float _Complex);\n"
     "#undef R1\n#undef C1\n"},
    {"/include/omp.h",
     "#pragma once\n"
     "int omp_get_thread_num(void); int omp_get_num_threads(void); int omp_get_max_threads(void);\n"
     "int omp_get_num_procs(void); int omp_in_parallel(void); void omp_set_num_threads(int);\n"
     "double omp_get_wtime(void);\n"},
};

const char source_name[] = "/kernel.c";

/* The processor and its features. */
struct host {
    std::string triple, cpu;
    std::vector<std::string> features;
};

const host &this_host()
{
    static const host found = [] {
#if LLVM_VERSION_MAJOR >= 19
        auto features = llvm::sys::getHostCPUFeatures();
#else
        llvm::StringMap<bool> features;
        llvm::sys::getHostCPUFeatures(features);
#endif
        host h{llvm::sys::getProcessTriple(), llvm::sys::getHostCPUName().str(), {}};
        for (auto &feature : features)
            h.features.push_back((feature.second ? "+" : "-") + feature.first().str());
        return h;
    }();
    return found;
}

/* Returns a name that Clang knows for any processor of this kind. */
std::string any_cpu()
{
    return this_host().triple.compare(0, 6, "x86_64") == 0 ? "x86-64" : "generic";
}

/* The arguments of -march=native, and everything else. */
std::vector<std::string> cc1_arguments(const clang_request &request, const std::string &cpu)
{
    std::vector<std::string> a{"-triple", this_host().triple, "-target-cpu", cpu};
    for (const std::string &feature : this_host().features) {
        a.push_back("-target-feature");
        a.push_back(feature);
    }
    for (const char *s :
         {"-emit-obj", "-x", "c", "-std=c11", "-mrelocation-model", "pic", "-pic-level", "2",
          "-mframe-pointer=none", "-nostdsysteminc", "-nobuiltininc", "-isystem", "/include",
          "-ffp-contract=on", "-discard-value-names", "-disable-llvm-verifier"})
        a.push_back(s);
    a.push_back("-O" + std::to_string(request.level));
    if (request.level >= 2)
        for (const char *s : {"-vectorize-loops", "-vectorize-slp", "-funroll-loops"})
            a.push_back(s);
    if (request.openmp != CLANG_OPENMP_NONE)
        a.push_back(request.openmp == CLANG_OPENMP_FULL ? "-fopenmp" : "-fopenmp-simd");
    if (request.wraps)
        a.push_back("-fwrapv");
    for (const char *const *flag = request.flags; flag && *flag; flag++)
        a.push_back(*flag);
    a.push_back("-main-file-name");
    a.push_back(source_name + 1);
    a.push_back(source_name);
    return a;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_in_memory(const char *source)
{
    llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> files(
        new llvm::vfs::InMemoryFileSystem);
    files->addFile(source_name, 0, llvm::MemoryBuffer::getMemBuffer(source, source_name));
    for (const header &h : headers)
        files->addFile(h.path, 0, llvm::MemoryBuffer::getMemBuffer(h.text, h.path));
    return files;
}

/* Where a fatal error of this thread's compilation goes. */
struct way_out {
    std::jmp_buf jump;
    bool fatal, no_memory;
    char reason[512];
};

thread_local way_out *current_way_out;

[[noreturn]] void leave_by(way_out *out, const char *reason)
{
    out->fatal = true;
    std::strncpy(out->reason, reason, sizeof out->reason - 1);
    if (llvm::CrashRecoveryContext *context = llvm::CrashRecoveryContext::GetCurrent())
        context->HandleExit(1);
    std::longjmp(out->jump, 1);
}

void leave(void *, const char *reason, bool)
{
    /* otherwise it is another user of the same LLVM: we do nothing */
    if (current_way_out)
        leave_by(current_way_out, reason);
}

void leave_without_memory(void *, const char *reason, bool)
{
    if (!current_way_out)
        return;
    current_way_out->no_memory = true;
    leave_by(current_way_out, reason);
}

std::atomic<std::new_handler> hosts_handler;

void new_handler()
{
    leave_without_memory(nullptr, "out of memory", false);
    if (std::new_handler host = hosts_handler)
        host();
    else
        std::__throw_bad_alloc(); /* passes through us as if we were compiled for it */
}

/* While one exists, new_handler is operator new's. */
class watch
{
    static std::mutex lock;
    static int users;

  public:
    watch()
    {
        std::lock_guard<std::mutex> hold(lock);
        if (users++ == 0)
            hosts_handler = std::set_new_handler(new_handler);
    }
    ~watch()
    {
        std::lock_guard<std::mutex> hold(lock);
        if (--users == 0)
            std::set_new_handler(hosts_handler);
    }
};
std::mutex watch::lock;
int watch::users;

void initialize()
{
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        llvm::InitializeNativeTargetAsmParser();
        llvm::install_fatal_error_handler(leave);
        llvm::install_bad_alloc_error_handler(leave_without_memory);
        this_host();
    });
}

/* One compilation.  All of it is on the heap, since parts of Clang that a longjmp has left behind
 * point to it. */
struct job {
    const clang_request &request;
    std::vector<std::string> arguments;
    std::vector<const char *> argv;
    llvm::SmallVector<char, 0> object;
    std::string text; /* messages */
    llvm::raw_string_ostream messages{text};
    llvm::IntrusiveRefCntPtr<clang::DiagnosticIDs> ids{new clang::DiagnosticIDs};
#if LLVM_VERSION_MAJOR >= 21
    clang::DiagnosticOptions options;
    llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics{new clang::DiagnosticsEngine(
        ids, options, new clang::TextDiagnosticPrinter(messages, options))};
#else
    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options{new clang::DiagnosticOptions};
    llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics{new clang::DiagnosticsEngine(
        ids, options, new clang::TextDiagnosticPrinter(messages, options.get()))};
#endif
    std::shared_ptr<clang::CompilerInvocation> invocation =
        std::make_shared<clang::CompilerInvocation>();
    std::unique_ptr<clang::CompilerInstance> compiler;
    clang::EmitObjAction action;
    bool ok = false;

    job(const clang_request &r, const std::string &cpu)
        : request(r), arguments(cc1_arguments(r, cpu))
    {
        for (const std::string &a : arguments)
            argv.push_back(a.c_str());
    }
};

/* Makes a compiler for the job, with its files in memory. */
void make_compiler(job &j)
{
    auto files = files_in_memory(j.request.source);
#if LLVM_VERSION_MAJOR >= 20
    j.compiler = std::make_unique<clang::CompilerInstance>(j.invocation);
    j.compiler->setDiagnostics(j.diagnostics);
#else
    j.compiler = std::make_unique<clang::CompilerInstance>();
    j.compiler->setInvocation(j.invocation);
    j.compiler->setDiagnostics(j.diagnostics.get());
#endif
#if LLVM_VERSION_MAJOR >= 22
    j.compiler->setVirtualFileSystem(files);
    j.compiler->createFileManager();
    j.compiler->createSourceManager();
#else
    j.compiler->createFileManager(files);
    j.compiler->createSourceManager(j.compiler->getFileManager());
#endif
    /* or it prints the number of errors on standard error */
    j.compiler->setVerboseOutputStream(llvm::nulls());
    j.compiler->setOutputStream(std::make_unique<llvm::raw_svector_ostream>(j.object));
}

/* Once the object is unwanted, leaves out passes that only improve the code. */
void leave_passes_out(job &j)
{
#if LLVM_VERSION_MAJOR >= 18
    if (!j.request.unwanted)
        return;
    j.invocation->getCodeGenOpts().PassBuilderCallbacks.push_back([&j](llvm::PassBuilder &builder) {
        llvm::PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks();
        if (callbacks)
            callbacks->registerShouldRunOptionalPassCallback(
                [&j](auto &&...) { return !j.request.unwanted(j.request.data); });
    });
#endif
}

void compile_object(job &j)
{
    if (!clang::CompilerInvocation::CreateFromArgs(*j.invocation, j.argv, *j.diagnostics))
        return;
    j.invocation->getFrontendOpts().DisableFree = false;
    j.invocation->getCodeGenOpts().DisableFree = false;
    leave_passes_out(j);
    make_compiler(j);
    j.ok = j.compiler->ExecuteAction(j.action) && !j.diagnostics->hasErrorOccurred();
}

/* A compilation that may be left at any moment.  Then the state of its job is unknown, and it is
 * not deleted. */
struct attempt {
    const clang_request &request;
    const std::string &cpu;
    job *made;
    way_out out;
};

void run(attempt &a)
{
    current_way_out = &a.out;
    if (setjmp(a.out.jump) == 0) {
        a.made = new job(a.request, a.cpu);
        compile_object(*a.made);
    }
    current_way_out = nullptr;
}

/* A crash was caught in this process, or memory ran out.  The effect on LLVM's own data is unknown
 * (version 19 fails oddly ever after), so Clang is not used again. */
std::atomic<bool> has_crashed, had_no_memory;

/* Returns true if the compiler crashed. */
bool run_guarded(attempt &a)
{
    static std::mutex lock;
    static int users;
    {
        std::lock_guard<std::mutex> hold(lock);
        if (users++ == 0)
            llvm::CrashRecoveryContext::Enable();
    }
    /* After a crash it is not deleted: it would destroy what Clang has registered with it, half of
     * which is in no state to be destroyed. */
    auto *context = new llvm::CrashRecoveryContext;
    bool crashed = !context->RunSafely([&] { run(a); });
    current_way_out = nullptr;
    if (!crashed)
        delete context;
    std::lock_guard<std::mutex> hold(lock);
    if (--users == 0)
        llvm::CrashRecoveryContext::Disable();
    return crashed;
}

void answer(const job &j, clang_reply *reply)
{
    if (!j.text.empty())
        reply->text = strdup(j.text.c_str());
    if (j.ok && (reply->object = std::malloc(j.object.size() + 1))) {
        std::memcpy(reply->object, j.object.data(), j.object.size());
        reply->size = j.object.size();
    }
}

/* without memory there is no text */
void answer_failure(const way_out &out, clang_reply *reply)
{
    reply->crashed = !out.no_memory;
    has_crashed = has_crashed || !out.fatal;
    had_no_memory = had_no_memory || out.no_memory;
    if (!out.fatal)
        reply->text = strdup("Clang crashed on this source");
    else if (!out.no_memory
             && asprintf(&reply->text, "Clang gave up on this source: %s", out.reason) < 0)
        reply->text = nullptr;
}

/* Compiles for a processor with this name.  false if Clang does not know the name. */
bool compile_for(const clang_request &request, const std::string &cpu, clang_reply *reply)
{
    attempt a = {request, cpu, nullptr, {}};
    bool crashed = false;
    if (request.catch_crashes)
        crashed = run_guarded(a);
    else
        run(a);
    if (crashed || a.out.fatal) {
        answer_failure(a.out, reply);
        return true;
    }
    std::unique_ptr<job> j(a.made);
    if (!j->ok && j->text.find("unknown target CPU") != std::string::npos)
        return false;
    answer(*j, reply);
    return true;
}

clang_result compile(const clang_request *request, clang_reply *reply)
{
    *reply = {};
    if (has_crashed) {
        reply->text = strdup("Clang has crashed before in this process and is not used again");
        reply->crashed = 1;
        return CLANG_UNUSABLE;
    }
    if (had_no_memory) {
        reply->text =
            strdup("Clang has run out of memory before in this process and is not used again");
        return CLANG_UNUSABLE;
    }
    watch memory;
    initialize();
    /* LLVM may call a processor newer than itself "generic", or by a name that Clang does not know.
     * Its features are known all the same. */
    if (!compile_for(*request, request->cpu ? request->cpu : this_host().cpu, reply)
        && !compile_for(*request, any_cpu(), reply))
        reply->text = strdup("Clang does not know this processor");
    return reply->object ? CLANG_COMPILED : CLANG_REJECTED;
}

const clang_plugin plugin = {CLANG_PLUGIN_ABI, LLVM_VERSION_STRING, compile};

} // namespace

extern "C" const clang_plugin *spcc_clang_plugin(void) { return &plugin; }
