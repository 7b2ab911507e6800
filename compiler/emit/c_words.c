/* c_words.c - names that C, C++, their headers and the generated code give a meaning.
 *
 * A local name hides a function or a type of a header, but no macro; so fewer names are kept from
 * variables, which are renamed, than from functions, which are refused.  The headers are those of
 * C11 and what glibc adds to them unless it is told to keep to the standard.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/emit/c_words.h"

#include <ctype.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/value/type.h"

/* The words of a list are in order: is_among halves it. */
// clang-format off

static const char *const keywords[] = {
    "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex", "_Generic", "_Imaginary",
    "_Noreturn", "_Static_assert", "_Thread_local", "__imag__", "__real__", "alignas",
    "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case",
    "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
    "co_yield", "compl", "complex", "concept", "const", "const_cast", "consteval", "constexpr",
    "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto",
    "if", "inline", "int", "linux", "long", "mutable", "namespace", "new", "noexcept", "not",
    "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "register", "reinterpret_cast", "requires", "restrict", "return", "short", "signed",
    "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
    "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "union",
    "unix", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor",
    "xor_eq"};

/* Names that the generated code uses besides, in scopes where a variable of this name would hide
 * them. */
static const char *const used[] = {
    "NULL", "allocate_array", "allocate_arrays", "argument", "at", "before", "calloc",
    "cblas_dgemm", "cblas_sgemm", "fail", "failed", "free", "free_arrays", "join_arrays", "left",
    "malloc", "memcpy", "memmove", "memset", "move_array", "move_elements", "never",
    "part_status", "qsort", "realloc", "reallocate_array", "release", "resize", "size_t",
    "status", "stop", "stop_flag", "streamed", "thread_count", "thread_join", "thread_limit",
    "thread_own", "thread_team"};

static const char *const macros[] = {
    "BIG_ENDIAN", "BYTE_ORDER", "CMPLX", "CMPLXF", "CMPLXL", "EXIT_FAILURE", "EXIT_SUCCESS",
    "FD_CLR", "FD_ISSET", "FD_SET", "FD_SETSIZE", "FD_ZERO", "FP_FAST_FMA", "FP_FAST_FMAF",
    "FP_FAST_FMAL", "FP_ILOGB0", "FP_ILOGBNAN", "FP_INFINITE", "FP_NAN", "FP_NORMAL",
    "FP_SUBNORMAL", "FP_ZERO", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "I", "INFINITY",
    "LITTLE_ENDIAN", "MATH_ERREXCEPT", "MATH_ERRNO", "MB_CUR_MAX", "M_1_PI", "M_2_PI",
    "M_2_SQRTPI", "M_E", "M_LN10", "M_LN2", "M_LOG10E", "M_LOG2E", "M_PI", "M_PI_2", "M_PI_4",
    "M_SQRT1_2", "M_SQRT2", "NAN", "NFDBITS", "NULL", "PDP_ENDIAN", "PTRDIFF_MAX",
    "PTRDIFF_MIN", "RAND_MAX", "SIG_ATOMIC_MAX", "SIG_ATOMIC_MIN", "SIZE_MAX", "WCHAR_MAX",
    "WCHAR_MIN", "WCONTINUED", "WEXITED", "WEXITSTATUS", "WIFCONTINUED", "WIFEXITED",
    "WIFSIGNALED", "WIFSTOPPED", "WINT_MAX", "WINT_MIN", "WNOHANG", "WNOWAIT", "WSTOPPED",
    "WSTOPSIG", "WTERMSIG", "WUNTRACED", "imaginary", "math_errhandling", "noreturn"};

/* Functions of <math.h> and <complex.h> that operators are, of double. */
static const char *const called[] = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cabs", "cacos", "casin", "catan",
    "cbrt", "ccos", "ccosh", "ceil", "cexp", "cimag", "clog", "conj", "copysign", "cos", "cosh",
    "cpow", "creal", "csin", "csinh", "csqrt", "ctan", "ctanh", "erf", "exp", "expm1", "fabs",
    "floor", "fmod", "log", "log10", "log1p", "log2", "pow", "round", "sin", "sinh", "sqrt", "tan",
    "tanh", "trunc"};

/* Functions, types and macros that take arguments of <stdlib.h>, <string.h>, <stddef.h>. */
static const char *const library[] = {
    "abort", "abs", "aligned_alloc", "at_quick_exit", "atexit", "atof", "atoi", "atol", "atoll",
    "bsearch", "calloc", "div", "div_t", "exit", "free", "getenv", "labs", "ldiv", "ldiv_t",
    "llabs", "lldiv", "lldiv_t", "main", "malloc", "max_align_t", "mblen", "mbstowcs", "mbtowc",
    "memchr", "memcmp", "memcpy", "memmove", "memset", "offsetof", "ptrdiff_t", "qsort",
    "quick_exit", "rand", "realloc", "size_t", "srand", "strcat", "strchr", "strcmp", "strcoll",
    "strcpy", "strcspn", "strerror", "strlen", "strncat", "strncmp", "strncpy", "strpbrk",
    "strrchr", "strspn", "strstr", "strtod", "strtof", "strtok", "strtol", "strtold", "strtoll",
    "strtoul", "strtoull", "strxfrm", "system", "wcstombs", "wctomb"};

/* Names that glibc adds. */
static const char *const extensions[] = {
    "a64l", "alloca", "arc4random", "arc4random_buf", "arc4random_uniform", "bcmp", "bcopy",
    "be16toh", "be32toh", "be64toh", "blkcnt_t", "blksize_t", "bzero", "caddr_t", "clearenv",
    "clock_t", "clockid_t", "daddr_t", "dev_t", "drand48", "drand48_r", "ecvt", "ecvt_r",
    "erand48", "erand48_r", "explicit_bzero", "fcvt", "fcvt_r", "fd_mask", "fd_set", "ffs",
    "ffsl", "ffsll", "fsblkcnt_t", "fsfilcnt_t", "fsid_t", "gcvt", "getloadavg", "getsubopt",
    "gid_t", "htobe16", "htobe32", "htobe64", "htole16", "htole32", "htole64", "id_t", "index",
    "initstate", "initstate_r", "ino_t", "jrand48", "jrand48_r", "key_t", "l64a", "lcong48",
    "lcong48_r", "le16toh", "le32toh", "le64toh", "locale_t", "loff_t", "lrand48", "lrand48_r",
    "memccpy", "mempcpy", "mkdtemp", "mkstemp", "mkstemps", "mktemp", "mode_t", "mrand48",
    "mrand48_r", "nlink_t", "nrand48", "nrand48_r", "off_t", "on_exit", "pid_t",
    "posix_memalign", "pselect", "pthread_attr_t", "pthread_barrier_t", "pthread_barrierattr_t",
    "pthread_cond_t", "pthread_condattr_t", "pthread_key_t", "pthread_mutex_t",
    "pthread_mutexattr_t", "pthread_once_t", "pthread_rwlock_t", "pthread_rwlockattr_t",
    "pthread_spinlock_t", "pthread_t", "putenv", "qecvt", "qecvt_r", "qfcvt", "qfcvt_r",
    "qgcvt", "quad_t", "rand_r", "random", "random_r", "realloc", "reallocarray", "realpath",
    "register_t", "rindex", "rpmatch", "secure_getenv", "seed48", "seed48_r", "select",
    "setenv", "setstate", "setstate_r", "sigset_t", "srand48", "srand48_r", "srandom",
    "srandom_r", "ssize_t", "stpcpy", "stpncpy", "strcasecmp", "strcasecmp_l", "strcoll_l",
    "strdup", "strerror_l", "strerror_r", "strncasecmp", "strncasecmp_l", "strndup", "strnlen",
    "strsep", "strsignal", "strtok_r", "strtoq", "strtouq", "strxfrm_l", "suseconds_t",
    "time_t", "timer_t", "u_char", "u_int", "u_int16_t", "u_int32_t", "u_int64_t", "u_int8_t",
    "u_long", "u_quad_t", "u_short", "uid_t", "uint", "ulong", "unsetenv", "ushort", "valloc"};

/* Names that compilers know without a header. */
static const char *const built_in[] = {
    "dcgettext", "dgettext", "execl", "execle", "execlp", "execv", "execve", "execvp",
    "feclearexcept", "fegetenv", "fegetexceptflag", "fegetround", "feholdexcept",
    "feraiseexcept", "fesetenv", "fesetexceptflag", "fesetround", "fetestexcept", "feupdateenv",
    "ffsimax", "fork", "fprintf", "fprintf_unlocked", "fputc", "fputc_unlocked", "fputs",
    "fputs_unlocked", "fscanf", "fwrite", "fwrite_unlocked", "gettext", "imaxabs", "isalnum",
    "isalpha", "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "isupper", "iswalnum", "iswalpha", "iswblank", "iswcntrl", "iswdigit",
    "iswgraph", "iswlower", "iswprint", "iswpunct", "iswspace", "iswupper", "iswxdigit",
    "isxdigit", "printf", "printf_unlocked", "putc", "putc_unlocked", "putchar",
    "putchar_unlocked", "puts", "puts_unlocked", "scanf", "snprintf", "sprintf", "sscanf",
    "strfmon", "strftime", "toascii", "tolower", "toupper", "towlower", "towupper", "vfprintf",
    "vfscanf", "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf"};

/* Functions of <math.h> and <complex.h>, of double, and macros that take arguments. */
static const char *const math[] = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cabs", "cacos", "cacosh",
    "carg", "casin", "casinh", "catan", "catanh", "cbrt", "ccos", "ccosh", "ceil", "cexp",
    "cimag", "clog", "clog10", "conj", "copysign", "cos", "cosh", "cpow", "cproj", "creal",
    "csin", "csinh", "csqrt", "ctan", "ctanh", "double_t", "drem", "erf", "erfc", "exp",
    "exp10", "exp2", "expm1", "fabs", "fdim", "finite", "float_t", "floor", "fma", "fmax",
    "fmin", "fmod", "fpclassify", "frexp", "gamma", "gamma_r", "hypot", "ilogb", "irint",
    "iround", "isfinite", "isgreater", "isgreaterequal", "isinf", "isless", "islessequal",
    "islessgreater", "isnan", "isnormal", "isunordered", "j0", "j1", "jn", "ldexp", "lgamma",
    "lgamma_r", "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint", "lround",
    "modf", "nan", "nearbyint", "nextafter", "nexttoward", "pow", "pow10", "remainder",
    "remquo", "rint", "round", "roundeven", "scalb", "scalbln", "scalbn", "signbit", "signgam",
    "significand", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", "y0",
    "y1", "yn"};
// clang-format on

#define IS_AMONG(words, name, n) is_among(words, sizeof words / sizeof *words, name, n)
#define IS_ONE_OF(words, name)   IS_AMONG(words, name, strlen(name))

/* Are the name's first n letters one of the words? */
static bool is_among(const char *const *word, size_t words, const char *name, size_t n)
{
    size_t low = 0, high = words;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncmp(word[middle], name, n);
        if (order == 0 && !word[middle][n])
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Is the name of a form that C11 (7.31.10) keeps for <stdint.h>? */
static bool is_of_stdint(const char *name)
{
    bool is_macro = strncmp(name, "INT", 3) == 0 || strncmp(name, "UINT", 4) == 0;
    bool is_type = strncmp(name, "int", 3) == 0 || strncmp(name, "uint", 4) == 0;
    return (is_macro
            && (text_ends_in(name, "_MAX") || text_ends_in(name, "_MIN")
                || text_ends_in(name, "_C")))
           || (is_type && text_ends_in(name, "_t"));
}

/* Is it a function of <math.h>, also of float, of long double and of the others: sinf, sinl,
 * sinf64x? */
static bool is_of_math(const char *name)
{
    static const char *const suffixes[] = {"d128", "d32", "d64",  "f",   "f128", "f16", "f32",
                                           "f32x", "f64", "f64x", "f_r", "l",    "l_r"};
    size_t n = strlen(name);
    bool is = IS_AMONG(math, name, n);
    for (size_t k = 1; k < n && !is; k++)
        is = IS_ONE_OF(suffixes, name + k) && IS_AMONG(math, name, k);
    return is;
}

/* ---- helpers ---- */

/* Does a type's name, or one with lanes, follow at s: f64, f64x8? */
static bool is_type_word(const char *s)
{
    size_t n = strcspn(s, "x");
    enum type type;
    if (!type_parse(s, n, &type) || strncmp(type_name(type), s, n) != 0)
        return false;
    s += n;
    if (*s == 'x')
        for (s++; isdigit((unsigned char)*s); s++)
            ;
    return *s == '\0';
}

/* Does the name end in that of a type, as those of helpers do: div_i32, i32_from_f64? */
static bool ends_in_type(const char *name)
{
    const char *last = strrchr(name, '_');
    return is_type_word(name) || (last && is_type_word(last + 1));
}

/* Could it be the name of a helper?  It begins with what the helper does, or with the type of its
 * value. */
static bool is_helper(const char *name)
{
    static const char *const verbs[] = {"abs",      "ctz",  "div",   "find",   "heaviside", "make",
                                        "max",      "min",  "mod",   "morton", "multiply",  "not",
                                        "popcount", "pow",  "probe", "search", "seek",      "shl",
                                        "shr",      "sign", "sort",  "sum"};
    enum type type;
    size_t n = strcspn(name, "_");
    bool is_conversion = type_parse(name, n, &type) && strncmp(name + n, "_from_", 6) == 0;
    return is_type_word(name)
           || (ends_in_type(name) && (is_conversion || IS_AMONG(verbs, name, n)));
}

/* ---- the questions ---- */

bool c_word_begins_reserved(const char *name)
{
    return strncmp(name, "__", 2) == 0 || strncmp(name, "SPCC_", 5) == 0;
}

bool c_word_is_reserved(const char *name)
{
    return IS_ONE_OF(keywords, name) || IS_ONE_OF(used, name) || IS_ONE_OF(macros, name)
           || is_of_stdint(name) || ends_in_type(name) || c_word_begins_reserved(name);
}

bool c_word_is_called(const char *name)
{
    size_t n = strlen(name);
    return IS_AMONG(called, name, n)
           || (n > 1 && name[n - 1] == 'f' && IS_AMONG(called, name, n - 1));
}

bool c_word_is_taken(const char *name)
{
    return IS_ONE_OF(keywords, name) || IS_ONE_OF(used, name) || IS_ONE_OF(macros, name)
           || is_of_stdint(name) || IS_ONE_OF(library, name) || IS_ONE_OF(extensions, name)
           || IS_ONE_OF(built_in, name) || is_of_math(name) || is_helper(name)
           || c_word_begins_reserved(name) || strncmp(name, "spcc_", 5) == 0 || name[0] == '_';
}
