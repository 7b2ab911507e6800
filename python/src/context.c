/* context.c - one context a thread, statuses as exceptions, notes as warnings, interrupts.
 *
 * A signal's handler of Python runs between instructions of Python, and so not before a call is
 * over.  While a call is at work in the main thread the handler of SIGINT is therefore one of ours,
 * which stops the call and then does what the handler before it does.
 *
 * A child that was forked has none of its parent's threads, but what OpenMP remembers of them, and
 * would wait for them.  OpenMP remembers them by the thread that had them: in a child all calls of
 * the thread that forked are made in a new thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- options ---- */

/* What remedies speak of, as it is set here. */
static const char *const spellings[] = {"algebra",    "algebra=True",
                                        "base",       "zero_based=True",
                                        "dimensions", "shape=...",
                                        "emit",       "Kernel.emit",
                                        "index",      "spcc.configure(index_bits=%s)",
                                        "language",   "cuda=True",
                                        "memory",     "spcc.configure(max_memory=...)",
                                        "no_plan",    "no_plan=True",
                                        "numbers",    "numpy.arange for %s",
                                        "order",      "shape=...",
                                        "size",       "sizes={...}, or an array as out=",
                                        NULL};
static spcc_options wanted = {.size = sizeof wanted, .spellings = spellings};
static unsigned generation = 1; /* of the options */
static PyObject *make_error, *make_note;

unsigned core_generation(void) { return generation; }

/* Contexts of a thread: the second has 64 bits for positions and coordinates. */
struct own {
    spcc_context *context[2];
    unsigned generation[2];
};

static _Thread_local bool wide;

PyObject *core_set_wide(PyObject *module, PyObject *value)
{
    bool was = wide;
    int is_wide = PyObject_IsTrue(value);
    if (is_wide < 0)
        return NULL;
    wide = is_wide;
    return PyBool_FromLong(was);
}

bool core_is_wide(void) { return wide; }

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_own(void *own)
{
    for (int w = 0; w < 2; w++)
        spcc_context_free(((struct own *)own)->context[w]);
    free(own);
}

static void make_key(void) { pthread_key_create(&key, free_own); }

spcc_context *core_context(void) { return core_context_of(wide); }

spcc_context *core_context_of(bool is_wide)
{
    pthread_once(&once, make_key);
    struct own *own = pthread_getspecific(key);
    if (!own) {
        own = calloc(1, sizeof *own);
        if (!own || pthread_setspecific(key, own)) {
            free(own);
            PyErr_NoMemory();
            return NULL;
        }
    }
    spcc_context **context = &own->context[is_wide];
    if (own->generation[is_wide] == generation)
        return *context;
    spcc_context_free(*context);
    *context = NULL;
    own->generation[is_wide] = 0;
    spcc_options options = wanted;
    options.index_bits = is_wide ? 64 : 32;
    spcc_status status = spcc_context_new(&options, context);
    if (status != SPCC_OK)
        return core_fail(NULL, status);
    own->generation[is_wide] = generation;
    return *context;
}

/* Sets a text.  The old one stays where it is: a context of another thread may be in the making. */
static bool set_text(const char **to, PyObject *value)
{
    if (value == Py_None) {
        *to = NULL;
        return true;
    }
    const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
    char *copy = text ? strdup(text) : NULL;
    if (!copy)
        return false;
    *to = copy;
    return true;
}

static bool is_whole(long long value, long long least, long long most, const char *name)
{
    if (value >= least && value <= most)
        return true;
    PyErr_Format(PyExc_ValueError, "%s is %lld, not from %lld to %lld", name, value, least, most);
    return false;
}

PyObject *core_configure(PyObject *module, PyObject *args, PyObject *named)
{
    static char *words[] = {"engine", "threads", "max_memory", "cache", "cc",
                            "plugin", "target",  "packs",      NULL};
    long long engine, threads, memory;
    PyObject *cache, *cc, *plugin, *target, *packs;
    if (!PyArg_ParseTupleAndKeywords(args, named, "LLLOOOOO", words, &engine, &threads, &memory,
                                     &cache, &cc, &plugin, &target, &packs))
        return NULL;
    if (!is_whole(engine, 0, SPCC_ENGINE_GPU, "engine") || !is_whole(threads, 0, 4096, "threads")
        || !is_whole(memory, 0, INT64_MAX, "max_memory"))
        return NULL;
    spcc_options next = {.size = sizeof next,
                         .engine = (spcc_engine)engine,
                         .threads = (int)threads,
                         .max_memory = memory,
                         .spellings = spellings};
    if (!set_text(&next.cache, cache) || !set_text(&next.cc, cc) || !set_text(&next.plugin, plugin)
        || !set_text(&next.target, target) || !set_text(&next.packs, packs))
        return NULL;
    wanted = next;
    generation++;
    return core_context() ? Py_NewRef(Py_None) : NULL;
}

/* ---- messages ---- */

PyObject *core_set_hooks(PyObject *module, PyObject *args)
{
    PyObject *error, *note;
    if (!PyArg_ParseTuple(args, "OO", &error, &note))
        return NULL;
    Py_XDECREF(make_error);
    Py_XDECREF(make_note);
    make_error = Py_NewRef(error);
    make_note = Py_NewRef(note);
    Py_RETURN_NONE;
}

/* Returns (code, message, help, source, text, begin, end). */
static PyObject *diagnostic(const spcc_diagnostic *d)
{
    return Py_BuildValue("(izzzzii)", d->code, d->message, d->help, d->source, d->text, d->begin,
                         d->end);
}

static const spcc_diagnostic *first_error(const spcc_context *context)
{
    for (int i = 0; context && i < spcc_diagnostic_count(context); i++) {
        const spcc_diagnostic *d = spcc_diagnostic_get(context, i);
        if (d->severity == SPCC_SEVERITY_ERROR)
            return d;
    }
    return NULL;
}

void *core_fail(spcc_context *context, spcc_status status)
{
    const spcc_diagnostic *first = first_error(context);
    const char *text = context ? spcc_message(context) : "";
    PyObject *told = first ? diagnostic(first) : Py_NewRef(Py_None);
    if (!told)
        return NULL;
    PyObject *error = PyObject_CallFunction(make_error, "isN", (int)status,
                                            *text ? text : spcc_status_text(status), told);
    if (error) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return NULL;
}

/* Gives the notes of the last call as warnings; false if one has become an exception. */
static bool warn(spcc_context *context)
{
    if (spcc_diagnostic_count(context) == 0)
        return true;
    PyObject *done = PyObject_CallFunction(make_note, "s", spcc_message(context));
    Py_XDECREF(done);
    return done != NULL;
}

/* ---- calls ---- */

static spcc_context *volatile stoppable; /* that works in the main thread */
static volatile sig_atomic_t was_stopped;
static struct sigaction before;
static _Thread_local int thread_kind; /* 1: the main thread, 2: another, 0: not known */

/* Is this the main thread?  It is asked once a thread: a system call takes as long as a small
 * kernel. */
static bool is_main_thread(void)
{
    if (thread_kind == 0)
        thread_kind = syscall(SYS_gettid) == getpid() ? 1 : 2;
    return thread_kind == 1;
}

static void on_interrupt(int number)
{
    was_stopped = 1;
    spcc_stop(stoppable);
    before.sa_handler(number);
}

/* Watches for an interrupt; false: it does not.  It does only in the main thread, where a handler
 * is that can be called as this one can. */
static bool watch(spcc_context *context)
{
    struct sigaction ours = {.sa_handler = on_interrupt, .sa_flags = SA_ONSTACK};
    if (!is_main_thread() || stoppable)
        return false;
    sigemptyset(&ours.sa_mask);
    was_stopped = 0;
    stoppable = context;
    bool is_set = sigaction(SIGINT, &ours, &before) == 0;
    if (is_set && !(before.sa_flags & SA_SIGINFO) && before.sa_handler != SIG_DFL
        && before.sa_handler != SIG_IGN)
        return true;
    if (is_set)
        sigaction(SIGINT, &before, NULL);
    stoppable = NULL;
    return false;
}

/* Was it stopped? */
static bool unwatch(spcc_context *context)
{
    sigaction(SIGINT, &before, NULL);
    stoppable = NULL;
    if (was_stopped)
        spcc_clear_stop(context);
    return was_stopped;
}

static _Thread_local bool has_forked; /* this thread, which is the child's only one */

PyObject *core_after_fork(PyObject *module, PyObject *none)
{
    has_forked = true;
    stoppable = NULL;
    thread_kind = 0;
    Py_RETURN_NONE;
}

struct errand {
    core_work *work;
    spcc_context *context;
    void *arguments;
    spcc_status status;
};

static void *run_errand(void *errand)
{
    struct errand *e = errand;
    e->status = e->work(e->context, e->arguments);
    return NULL;
}

static spcc_status work_apart(core_work *work, spcc_context *context, void *arguments)
{
    struct errand errand = {work, context, arguments, SPCC_ERROR_SYSTEM};
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)8 << 20);
    if (pthread_create(&thread, &attributes, run_errand, &errand) == 0)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return errand.status;
}

static _Thread_local spcc_status last;

spcc_status core_status(void) { return last; }

bool core_call(core_work *work, void *arguments)
{
    spcc_context *context = core_context();
    while (context) {
        spcc_status status;
        bool watched = watch(context), stopped = false;
        Py_BEGIN_ALLOW_THREADS status =
            has_forked ? work_apart(work, context, arguments) : work(context, arguments);
        Py_END_ALLOW_THREADS if (watched) stopped = unwatch(context);
        last = status;
        if (stopped && PyErr_CheckSignals() < 0)
            return false;
        if (stopped && status == SPCC_STOPPED)
            continue;
        if (status != SPCC_OK)
            core_fail(context, status);
        return status == SPCC_OK && warn(context);
    }
    return false;
}

bool core_call_short(core_work *work, void *arguments)
{
    spcc_context *context = core_context();
    spcc_status status = context ? work(context, arguments) : SPCC_ERROR_MEMORY;
    last = status;
    if (context && status != SPCC_OK)
        core_fail(context, status);
    return status == SPCC_OK;
}
