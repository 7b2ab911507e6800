/* machine.c - spcc info without a file: what there is on this machine to make kernels with, and to
 * keep them in.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/library.h"

/* An engine, by the name that --jit has for it. */
struct engine {
    const char *method;
    char *is;      /* NULL: it is not there, */
    char *trouble; /* for this reason */
};

enum { ENGINES = 3 };

static bool look_at_engines(spcc_context *context, struct engine engine[ENGINES])
{
    static const struct {
        const char *method;
        spcc_engine engine;
    } all[ENGINES] = {
        {"clang", SPCC_ENGINE_CLANG},
        {"cc", SPCC_ENGINE_CC},
        {"interp", SPCC_ENGINE_INTERP},
    };
    bool is_told = true;
    for (int e = 0; e < ENGINES; e++) {
        engine[e] = (struct engine){.method = all[e].method};
        spcc_status said = spcc_engine_describe(context, all[e].engine, &engine[e].is);
        if (said != SPCC_OK && said != SPCC_ERROR_MEMORY)
            engine[e].trouble = spcc_printable(spcc_diagnostic_get(context, 0)->message);
        is_told &= engine[e].is || engine[e].trouble;
    }
    return is_told;
}

/* ---- as text ---- */

static void print_cache(const spcc_cache_info *cache)
{
    char *folder = cache->folder ? spcc_printable(cache->folder) : NULL;
    char *trouble = cache->trouble ? spcc_printable(cache->trouble) : NULL;
    printf("cache     %s\n", folder ? folder : "none");
    if (cache->kernels >= 0)
        printf("          %lld %s, %.1f MB of at most %.1f MB\n", (long long)cache->kernels,
               cache->kernels == 1 ? "kernel" : "kernels", (double)cache->bytes * 1e-6,
               (double)cache->limit * 1e-6);
    if (trouble)
        printf("          %s\n", trouble);
    spcc_free(folder);
    spcc_free(trouble);
}

static void print_text(const spcc_cache_info *cache, const struct engine engine[ENGINES])
{
    printf("version   %s\n", spcc_version());
    print_cache(cache);
    for (int e = 0; e < ENGINES; e++)
        printf("%-9s %s%s\n", engine[e].method,
               engine[e].is ? "" : "not there: ", engine[e].is ? engine[e].is : engine[e].trouble);
}

/* ---- as JSON ---- */

static void print_member(const char *name, const char *text)
{
    printf("\"%s\": ", name);
    message_json(stdout, text);
}

static void print_json(const spcc_cache_info *cache, const struct engine engine[ENGINES])
{
    printf("{");
    print_member("version", spcc_version());
    printf(", \"cache\": {");
    print_member("folder", cache->folder);
    if (cache->kernels >= 0)
        printf(", \"kernels\": %lld, \"bytes\": %lld, \"limit\": %lld", (long long)cache->kernels,
               (long long)cache->bytes, (long long)cache->limit);
    printf(", ");
    print_member("trouble", cache->trouble);
    printf("}, \"engines\": {");
    for (int e = 0; e < ENGINES; e++) {
        printf("%s\"%s\": {", e ? ", " : "", engine[e].method);
        print_member("is", engine[e].is);
        printf(", ");
        print_member("trouble", engine[e].trouble);
        printf("}");
    }
    puts("}}");
}

enum cli_status command_info_machine(const struct cli_request *request)
{
    enum cli_status status;
    spcc_cache_info *cache = NULL;
    struct engine engine[ENGINES] = {0};
    spcc_context *context = library_open(request, &status);
    if (!context)
        return status;
    status = library_report(context, spcc_cache_look(context, &cache));
    if (status == CLI_DONE && !look_at_engines(context, engine))
        status = library_no_memory();
    if (status == CLI_DONE && request->json)
        print_json(cache, engine);
    else if (status == CLI_DONE)
        print_text(cache, engine);
    for (int e = 0; e < ENGINES; e++) {
        spcc_free(engine[e].is);
        spcc_free(engine[e].trouble);
    }
    spcc_free(cache);
    spcc_context_free(context);
    return status;
}
