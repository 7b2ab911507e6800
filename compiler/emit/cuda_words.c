/* cuda_words.c - names that CUDA, and the headers that nvcc includes by itself, give a meaning.
 *
 * Variables are renamed; only what the generated code uses and macros are kept from them.  The name
 * of a function is refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/emit/c_words.h"

#include <string.h>

// clang-format off

/* Names that the generated code uses besides, and macros that are not in capitals. */
static const char *const used[] = {
    "L_ctermid", "L_cuserid", "L_tmpnam", "P_tmpdir", "atomicAdd", "atomicAnd", "atomicCAS",
    "atomicExch", "atomicMax", "atomicMin", "atomicOr", "atomicXor", "blockDim", "blockIdx",
    "cudaErrorMemoryAllocation", "cudaErrorMisalignedAddress", "cudaError_t", "cudaFreeAsync",
    "cudaGetLastError",
    "cudaMallocAsync", "cudaMemcpyAsync", "cudaMemcpyDeviceToDevice", "cudaMemcpyDeviceToHost",
    "cudaMemsetAsync", "cudaStreamSynchronize", "cudaStream_t", "cudaSuccess", "dim3", "gridDim",
    "stderr", "stdin", "stdout", "stream", "team_ballot", "team_mask", "threadIdx", "warpSize"};

static const char *const macros[] = {
    "BUFSIZ", "CLOCKS_PER_SEC", "EOF", "FILE", "HUGE_VAL_F32", "HUGE_VAL_F32X", "HUGE_VAL_F64",
    "HUGE_VAL_F64X", "MAJOR_VERSION", "MAXFLOAT", "MAX_CANON", "MAX_INPUT", "MINOR_VERSION",
    "NL_ARGMAX", "NL_LANGMAX", "NL_MSGMAX", "NL_NMAX", "NL_SETMAX", "NL_TEXTMAX", "NZERO",
    "PATCH_LEVEL", "PIPE_BUF", "PTHREAD_DESTRUCTOR_ITERATIONS", "SNAN", "SNANF", "SNANF32",
    "SNANF32X", "SNANF64", "SNANF64X", "SNANL", "TIMER_ABSTIME", "TIME_UTC"};

/* Families of macros. */
static const char *const macro_beginnings[] = {"ADJ_", "CLOCK_", "FP_", "MOD_", "RENAME_",
                                               "SEEK_", "STA_"};
static const char *const macro_endings[] = {"_BIT", "_MAX", "_MIN", "_WIDTH"};

/* Functions of the device, <stdio.h> and <time.h>, of <math.h> the newer ones, and what glibc adds
 * in C++; endings are left out. */
static const char *const declared[] = {
    "CUuuid", "asctime", "asprintf", "assert", "assert_perror", "blkcnt64_t", "canonicalize",
    "canonicalize_file_name", "clearerr", "clock", "clock_adjtime", "clock_getcpuclockid",
    "clock_getres", "clock_gettime", "clock_nanosleep", "clock_settime", "comparison_fn_t",
    "cookie_close_function_t", "cookie_io_functions_t", "cookie_read_function_t",
    "cookie_seek_function_t", "cookie_write_function_t", "cospi", "ctermid", "ctime", "cuserid",
    "cyl_bessel_i0", "cyl_bessel_i1", "dadd", "daylight", "ddiv", "dfma", "difftime", "dmul",
    "dprintf", "dsqrt", "dsub", "dysize", "erfcinv", "erfcx", "erfinv", "fadd", "fclose",
    "fcloseall", "fdiv", "fdivide", "fdopen", "feof", "ferror", "fflush", "ffma", "fgetc",
    "fgetpos", "fgets", "fileno", "flockfile", "fmaximum", "fmaximum_mag", "fmaximum_mag_num",
    "fmaximum_num", "fmaxmag", "fmemopen", "fminimum", "fminimum_mag", "fminimum_mag_num",
    "fminimum_num", "fminmag", "fmul", "fopen", "fopencookie", "fpos64_t", "fpos_t", "fread",
    "freopen", "fromfp", "fromfpx", "fsblkcnt64_t", "fseek", "fseeko", "fsetpos", "fsfilcnt64_t",
    "fsqrt", "fsub", "ftell", "ftello", "ftrylockfile", "funlockfile", "getc", "getchar",
    "getdate", "getdate_err", "getdelim", "getline", "getpayload", "getpt", "getw", "gmtime",
    "grantpt", "ino64_t", "isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isctype",
    "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "issubnormal", "isupper",
    "isxdigit", "lgamma", "libraryPropertyType", "llmax", "llmin", "llogb", "localtime", "max",
    "memfrob", "memmem", "min", "mkostemp", "mkostemps", "mkstemp", "mkstemps", "mktime",
    "nanosleep", "nextdown", "nextup", "norm", "norm3d", "norm4d", "normcdf", "normcdfinv",
    "nullptr_t", "obstack_printf", "obstack_vprintf", "off64_t", "open_memstream", "pclose",
    "perror", "popen", "posix_openpt", "ptsname", "putw", "qsort", "rcbrt", "remove", "rename",
    "renameat", "renameat2", "rewind", "rhypot", "rnorm", "rnorm3d", "rnorm4d", "rsqrt", "setbuf",
    "setbuffer", "setlinebuf", "setpayload", "setpayloadsig", "setvbuf", "sigabbrev_np",
    "sigdescr_np", "sincospi", "sinpi", "std", "strdupa", "strerrordesc_np", "strerrorname_np",
    "strfrom", "strfromd", "strfry", "strftime", "strndupa", "strptime", "strto", "strtod",
    "strtol", "strtold", "strtoll", "strtoul", "strtoull", "strverscmp", "tempnam", "time",
    "timegm", "timelocal", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime",
    "timer_settime", "timespec_get", "timespec_getres", "timezone", "tmpfile", "tmpnam", "toascii",
    "tolower", "totalorder", "totalordermag", "toupper", "tzname", "tzset", "ufromfp", "ufromfpx",
    "ullmax", "ullmin", "umax", "umin", "ungetc", "unlockpt", "useconds_t", "va_list", "vasprintf",
    "vdprintf"};

/* Endings of declared names for other types, other threads, other languages. */
static const char *const endings[] = {
    "_l", "_r", "_unlocked", "64", "f", "f32", "f32_l", "f32_r", "f32x", "f32x_l", "f32x_r", "f64",
    "f64_l", "f64_r", "f64x", "f64x_l", "f64x_r", "f_l", "l"};

/* Beginnings of names of CUDA's types and functions, and of narrowing functions of <math.h>. */
static const char *const beginnings[] = {
    "CUDA", "atomic", "cuda", "f32add", "f32div", "f32fma", "f32mul", "f32sqrt", "f32sub",
    "f32xadd", "f32xdiv", "f32xfma", "f32xmul", "f32xsqrt", "f32xsub", "f64add", "f64div",
    "f64fma", "f64mul", "f64sqrt", "f64sub"};

/* Of vectors, whose number of elements follows. */
static const char *const elements[] = {
    "char", "double", "float", "int", "long", "longlong", "short", "uchar", "uint", "ulong",
    "ulonglong", "ushort"};
// clang-format on

#define COUNT(words) (sizeof words / sizeof *words)

static bool is_among(const char *const *word, size_t words, const char *name, size_t n)
{
    for (size_t i = 0; i < words; i++)
        if (strncmp(word[i], name, n) == 0 && !word[i][n])
            return true;
    return false;
}

static bool begins(const char *name, const char *const *word, size_t words)
{
    bool is = false;
    for (size_t i = 0; i < words && !is; i++)
        is = strncmp(name, word[i], strlen(word[i])) == 0;
    return is;
}

/* Returns the length without the first of the endings that the name has; 0: it has none. */
static size_t without_ending(const char *name, const char *const *word, size_t words)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < words; i++) {
        size_t m = strlen(word[i]);
        if (n > m && strcmp(name + n - m, word[i]) == 0)
            return n - m;
    }
    return 0;
}

/* Is it a macro: EOF, CLOCK_REALTIME, INT_MAX, M_PIf32? */
static bool is_macro(const char *name)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    bool all = !name[strspn(name, capitals)];
    return is_among(macros, COUNT(macros), name, strlen(name))
           || (all && begins(name, macro_beginnings, COUNT(macro_beginnings)))
           || (all && without_ending(name, macro_endings, COUNT(macro_endings)))
           || (strncmp(name, "M_", 2) == 0 && name[2] && strchr(capitals, name[2]));
}

/* Is it a type of vectors: float4, long4_16a? */
static bool is_vector(const char *name)
{
    size_t n = strcspn(name, "0123456789");
    return is_among(elements, COUNT(elements), name, n) && name[n] >= '1' && name[n] <= '4'
           && (!name[n + 1] || name[n + 1] == '_');
}

bool cuda_word_is_reserved(const char *name)
{
    return is_among(used, COUNT(used), name, strlen(name)) || is_macro(name);
}

bool cuda_word_is_taken(const char *name)
{
    bool is = cuda_word_is_reserved(name) || is_vector(name)
              || begins(name, beginnings, COUNT(beginnings))
              || is_among(declared, COUNT(declared), name, strlen(name));
    for (size_t i = 0; i < COUNT(endings) && !is; i++) {
        size_t n = without_ending(name, &endings[i], 1);
        is = n && is_among(declared, COUNT(declared), name, n);
    }
    return is;
}
