/* pack.c - makes packs of kernels: each statement for several processors, with and without
 * threads.
 *
 * The system's C compiler makes the objects and links the library that has them.  The library can
 * have functions for C programs as well; the dynamic linker binds each to the one for the
 * processor (an indirect function of ELF).
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/target.h"
#include "runtime/api/kernel.h"
#include "runtime/api/packed.h"
#include "runtime/api/wheel.h"
#include "runtime/io/io.h"
#include "runtime/jit/cpu.h"
#include "runtime/jit/pack.h"

/* A condition in C: this processor has the feature as well. */
#define ASK(feature) " && __builtin_cpu_supports(\"" feature "\")"

/* The processors that packs are for, best first, each with a condition in C on this processor. */
static const struct machine {
    const char *target, *march, *symbol, *condition;
} machines[] = {
#if defined(__aarch64__)
    {"arm64", "-march=armv8-a", "arm64", "1"},
#else
    {"x86-64-v4", "-march=x86-64-v4", "v4", "1" CPU_V4(ASK)},
    {"x86-64-v3", "-march=x86-64-v3", "v3", "1" CPU_V3(ASK)},
    {"x86-64", "-march=x86-64-v2", "v2", "1" CPU_V2(ASK)},
#endif
};

enum { MACHINES = sizeof machines / sizeof *machines };

/* A file of the link. */
struct made {
    void *data; /* from malloc */
    size_t size;
};

/* A function for C programs. */
struct function {
    char *name;
    struct made object[MACHINES]; /* for the processors that the pack is for */
};

struct spcc_pack {
    bool is_for[MACHINES];
    bool has_functions, has_threads;
    bool lacks_openmp; /* which has been said */
    struct pack_entry *entry;
    void **object; /* by entry */
    size_t entries;
    struct function *function;
    size_t functions;
};

/* ---- made and freed ---- */

struct making {
    const spcc_pack_options *options;
    struct spcc_pack *pack;
};

static spcc_status choose_machine(struct context *cx, struct spcc_pack *pack, const char *name)
{
    for (int m = 0; m < MACHINES; m++) {
        if (name && strcmp(machines[m].target, name) == 0) {
            pack->is_for[m] = true;
            return SPCC_OK;
        }
    }
    struct text known = text_new(cx->arena);
    for (int m = 0; m < MACHINES; m++)
        text_printf(&known, "%s%s", m ? ", " : "", machines[m].target);
    api_error(cx, SPCC_ERROR_ARGUMENT, "no pack is made here for '%s'",
              name ? api_printable(cx, name) : "");
    diag_help(cx, &cx->diags.at[cx->diags.n - 1], "packs are for %s", known.at);
    return SPCC_ERROR_ARGUMENT;
}

static spcc_status make_pack(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct making *a = arguments;
    spcc_pack_options o = {0};
    (void)api;
    if (!api_options(cx, "spcc_pack_options", &o, sizeof o, a->options))
        return api_status(cx);
    if (o.n_machines < 0 || (o.n_machines > 0 && !o.machines))
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_pack_options: machines and n_machines do not go together");
    a->pack = calloc(1, sizeof *a->pack);
    if (!a->pack)
        return SPCC_ERROR_MEMORY;
    a->pack->has_functions = o.functions;
    for (int m = 0; m < MACHINES; m++)
        a->pack->is_for[m] = o.n_machines == 0;
    spcc_status status = SPCC_OK;
    for (int m = 0; m < o.n_machines && status == SPCC_OK; m++)
        status = choose_machine(cx, a->pack, o.machines[m]);
    return status;
}

spcc_status spcc_pack_new(spcc_context *context, const spcc_pack_options *options, spcc_pack **pack)
{
    struct making a = {options, NULL};
    if (!pack)
        return api_lacks(context, "pack");
    spcc_status status = api_call(context, make_pack, &a);
    if (status != SPCC_OK) {
        spcc_pack_free(a.pack);
        a.pack = NULL;
    }
    *pack = a.pack;
    return status;
}

void spcc_pack_free(spcc_pack *pack)
{
    if (!pack)
        return;
    for (size_t e = 0; e < pack->entries; e++)
        free(pack->object[e]);
    for (size_t f = 0; f < pack->functions; f++) {
        free(pack->function[f].name);
        for (int m = 0; m < MACHINES; m++)
            free(pack->function[f].object[m].data);
    }
    free(pack->entry);
    free(pack->object);
    free(pack->function);
    free(pack);
}

/* ---- a statement ---- */

struct adding {
    struct spcc_pack *pack;
    const char *statement;
    const spcc_compile_options *options;
};

/* Says, once, that the pack has code for one thread where it would have threads. */
static void tell_lack(struct context *cx, struct spcc_pack *pack)
{
    if (!pack->lacks_openmp)
        api_note(cx,
                 "the C compiler refuses OpenMP (clang needs libomp's header omp.h, in Debian's "
                 "package libomp-dev): what it compiles without runs on one thread");
    pack->lacks_openmp = true;
}

/* Compiles by the C compiler, whose output is the error if it fails.  `threads` says whether there
 * are threads, then whether the object has them.  visibility: of the functions. */
static spcc_status compile_source(struct spcc_context *api, struct context *cx,
                                  struct spcc_pack *pack, const char *source, bool *threads,
                                  const struct machine *machine, const char *visibility,
                                  struct made *made)
{
    const char *const flags[] = {machine->march, "-mtune=generic", visibility, NULL};
    struct jit *jit = api_jit(api, cx);
    char *error = NULL;
    bool wanted = *threads;
    if (!jit)
        return api_status(cx);
    enum jit_status status =
        jit_object(jit, source, threads, flags, &made->data, &made->size, &error);
    if (status == JIT_OK && wanted && !*threads)
        tell_lack(cx, pack);
    if (status == JIT_OK)
        return SPCC_OK;
    const char *why = api_take_text(cx, error, "the C compiler gives no reason");
    return status == JIT_STOPPED     ? SPCC_STOPPED
           : status == JIT_NO_MEMORY ? SPCC_ERROR_MEMORY
                                     : api_error(cx, SPCC_ERROR_COMPILER, "%s", why);
}

/* Makes room for one more kernel; false if there is no memory. */
static bool room_for_kernel(struct spcc_pack *pack)
{
    struct pack_entry *entry = realloc(pack->entry, (pack->entries + 1) * sizeof *entry);
    pack->entry = entry ? entry : pack->entry;
    void **object = realloc(pack->object, (pack->entries + 1) * sizeof *object);
    pack->object = object ? object : pack->object;
    return entry && object;
}

/* Adds the object with threads or without: *threads is as in compile_source. */
static spcc_status add_entry(struct spcc_context *api, struct context *cx, struct spcc_pack *pack,
                             struct pack_entry entry, const char *source, bool *threads,
                             const struct machine *machine)
{
    struct made made;
    if (!room_for_kernel(pack))
        return SPCC_ERROR_MEMORY;
    spcc_status status =
        compile_source(api, cx, pack, source, threads, machine, "-fvisibility=default", &made);
    if (status != SPCC_OK)
        return status;
    entry.threads = *threads;
    strcpy(entry.machine, machine->target);
    entry.size = made.size;
    pack->entry[pack->entries] = entry;
    pack->object[pack->entries++] = made.data;
    return SPCC_OK;
}

/* Returns the C text of a request. */
static const char *source_of(struct context *cx, const struct pipeline_request *request)
{
    struct pipeline p = {0};
    return pipeline_run(cx, request, STAGE_C, &p) ? p.c : NULL;
}

static spcc_status add_kernel(struct spcc_context *api, struct context *cx, struct spcc_pack *pack,
                              const struct pipeline_request *request, const struct machine *machine)
{
    struct pipeline_request own = *request;
    struct pack_entry entry = {0};
    own.for_jit = true;
    own.name = NULL;
    packed_settle(&own, target_find(machine->target));
    const char *source = packed_rank(cx, &own) ? source_of(cx, &own) : source_of(cx, request);
    if (!source || !packed_request(cx, &own, entry.request))
        return api_status(cx);
    pack_hash_source(source, entry.source);
    bool threads = jit_wants_threads(source);
    spcc_status status = add_entry(api, cx, pack, entry, source, &threads, machine);
    if (status != SPCC_OK || !threads)
        return status;
    threads = false;
    return add_entry(api, cx, pack, entry, source, &threads, machine);
}

/* Adds the function that a C program calls, which is hidden: NAME_v3 and so on. */
static spcc_status add_variant(struct spcc_context *api, struct context *cx, struct spcc_pack *pack,
                               struct function *function, const struct pipeline_request *request,
                               int m)
{
    struct pipeline_request own = *request;
    own.name = arena_printf(cx->arena, "%s_%s", function->name, machines[m].symbol);
    packed_settle(&own, target_find(machines[m].target));
    const char *source = source_of(cx, &own);
    if (!source)
        return api_status(cx);
    bool threads = jit_wants_threads(source);
    spcc_status status = compile_source(api, cx, pack, source, &threads, &machines[m],
                                        "-fvisibility=hidden", &function->object[m]);
    pack->has_threads |= status == SPCC_OK && threads;
    return status;
}

static spcc_status add_function(struct spcc_context *api, struct context *cx,
                                struct spcc_pack *pack, const struct pipeline_request *request)
{
    struct function *more = realloc(pack->function, (pack->functions + 1) * sizeof *more);
    if (!more)
        return SPCC_ERROR_MEMORY;
    pack->function = more;
    struct function *function = &more[pack->functions++];
    *function = (struct function){.name = api_strdup(request->name)};
    if (!function->name)
        return SPCC_ERROR_MEMORY;
    spcc_status status = SPCC_OK;
    for (int m = 0; m < MACHINES && status == SPCC_OK; m++)
        if (pack->is_for[m])
            status = add_variant(api, cx, pack, function, request, m);
    return status;
}

static spcc_status check_name(struct context *cx, const struct spcc_pack *pack, const char *name)
{
    if (!name)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "a function of a pack needs a name");
    for (size_t f = 0; f < pack->functions; f++)
        if (strcmp(pack->function[f].name, name) == 0)
            return api_error(cx, SPCC_ERROR_ARGUMENT, "two functions of the pack are called %s",
                             name);
    return SPCC_OK;
}

static spcc_status add_to_pack(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct adding *a = arguments;
    struct pipeline_request request;
    spcc_compile_options o = {0};
    if (!kernel_request(api, cx, a->statement, a->options, &request)
        || !api_options(cx, "spcc_compile_options", &o, sizeof o, a->options))
        return api_status(cx);
    if (request.cuda || o.kind == SPCC_SPLIT)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "a pack has no kernels %s",
                         request.cuda ? "for a GPU"
                                      : "of two functions: add SPCC_ASSEMBLE, then SPCC_COMPUTE");
    spcc_status status = a->pack->has_functions ? check_name(cx, a->pack, request.name) : SPCC_OK;
    for (int m = 0; m < MACHINES && status == SPCC_OK; m++)
        if (a->pack->is_for[m])
            status = add_kernel(api, cx, a->pack, &request, &machines[m]);
    if (status == SPCC_OK && a->pack->has_functions)
        status = add_function(api, cx, a->pack, &request);
    return status;
}

spcc_status spcc_pack_add(spcc_context *context, spcc_pack *pack, const char *statement,
                          const spcc_compile_options *options)
{
    struct adding a = {pack, statement, options};
    return pack ? api_call(context, add_to_pack, &a) : api_lacks(context, "pack");
}

/* ---- the file ---- */

/* Returns a C file with the section, and with the functions that choose. */
static const char *text_of(struct context *cx, const struct spcc_pack *pack)
{
    struct text out = text_new(cx->arena);
    text_printf(&out,
                "__asm__(\".section %s,\\\"\\\"\\n.balign 16\\n.incbin \\\"section.bin\\\"\\n"
                ".previous\\n\");\n"
                "typedef void function(void);\n",
                PACK_SECTION);
    for (size_t f = 0; f < pack->functions; f++) {
        const char *name = pack->function[f].name;
        for (int m = 0; m < MACHINES; m++)
            if (pack->is_for[m])
                text_printf(&out, "function %s_%s;\n", name, machines[m].symbol);
        text_printf(&out, "static function *choose_%s(void)\n{\n    __builtin_cpu_init();\n", name);
        int last = 0;
        for (int m = 0; m < MACHINES; m++)
            last = pack->is_for[m] ? m : last;
        for (int m = 0; m < last; m++)
            if (pack->is_for[m])
                text_printf(&out, "    if (%s)\n        return %s_%s;\n", machines[m].condition,
                            name, machines[m].symbol);
        text_printf(&out, "    return %s_%s;\n}\n", name, machines[last].symbol);
        text_printf(&out, "function %s __attribute__((ifunc(\"choose_%s\")));\n", name, name);
    }
    return out.at;
}

/* Returns all inputs of the link, in cx's arena. */
static struct jit_input *inputs_of(struct context *cx, const struct spcc_pack *pack,
                                   const struct made *section, size_t *n)
{
    struct jit_input *input =
        arena_array(cx->arena, struct jit_input, 2 + pack->functions * MACHINES);
    const char *text = text_of(cx, pack);
    *n = 0;
    input[(*n)++] = (struct jit_input){"section.bin", section->data, section->size, true};
    input[(*n)++] = (struct jit_input){"pack.c", text, strlen(text), false};
    for (size_t f = 0; f < pack->functions; f++)
        for (int m = 0; m < MACHINES; m++)
            if (pack->is_for[m])
                input[(*n)++] = (struct jit_input){
                    arena_printf(cx->arena, "%zu_%s.o", f, machines[m].symbol),
                    pack->function[f].object[m].data, pack->function[f].object[m].size, false};
    return input;
}

struct writing {
    struct spcc_pack *pack;
    const char *path;
    struct made section, library;
};

static spcc_status link_library(struct spcc_context *api, struct context *cx, struct writing *a)
{
    struct jit *jit = api_jit(api, cx);
    const char *const flags[] = {a->pack->has_threads ? "-fopenmp" : NULL, NULL};
    char *error = NULL;
    size_t n;
    if (!jit)
        return api_status(cx);
    const struct jit_input *input = inputs_of(cx, a->pack, &a->section, &n);
    enum jit_status status =
        jit_link(jit, input, n, flags, &a->library.data, &a->library.size, &error);
    if (status == JIT_OK)
        return SPCC_OK;
    const char *why = api_take_text(cx, error, "the linker gives no reason");
    return status == JIT_STOPPED ? SPCC_STOPPED : api_error(cx, SPCC_ERROR_COMPILER, "%s", why);
}

static spcc_status write_file(struct context *cx, const struct writing *a)
{
    const struct io_writing how = {.threads = 1};
    struct rt_error error;
    if (wheel_is_name(a->path))
        return wheel_write(cx, a->path, a->library.data, a->library.size);
    enum rt_status status = io_write_bytes(a->path, &how, a->library.data, a->library.size, &error);
    return status == RT_OK ? SPCC_OK : api_fail(cx, &error);
}

static spcc_status write(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct writing *a = arguments;
    const struct spcc_pack *pack = a->pack;
    if (pack->entries == 0)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the pack has no kernel yet");
    a->section.data = pack_section(pack->entry, pack->object, pack->entries, &a->section.size);
    if (!a->section.data)
        return SPCC_ERROR_MEMORY;
    spcc_status status = link_library(api, cx, a);
    return status == SPCC_OK ? write_file(cx, a) : status;
}

spcc_status spcc_pack_write(spcc_context *context, spcc_pack *pack, const char *path)
{
    struct writing a = {.pack = pack, .path = path};
    if (!pack || !path)
        return api_lacks(context, pack ? "path" : "pack");
    spcc_status status = api_call(context, write, &a);
    free(a.section.data);
    free(a.library.data);
    return status;
}
