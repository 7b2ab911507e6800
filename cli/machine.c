/* machine.c - spcc info without a file: the target of kernels, the engines on this machine, and
 * the caches.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/library.h"

/* An engine, by its name in --jit or --time. */
struct engine {
    const char *method;
    char *is;      /* NULL: it is not there, */
    char *trouble; /* for this reason */
};

enum { ENGINES = 5 }; /* the GPU last */

struct facts {
    spcc_cache_info *cache;
    int engines; /* that are asked for */
    struct engine engine[ENGINES];
    char *target; /* in the form of spcc_target_describe */
};

static bool look_at_engines(spcc_context *context, struct engine *engine, int engines)
{
    static const struct {
        const char *method;
        spcc_engine engine;
    } all[ENGINES] = {
        {"pack", SPCC_ENGINE_PACK},     {"clang", SPCC_ENGINE_CLANG}, {"cc", SPCC_ENGINE_CC},
        {"interp", SPCC_ENGINE_INTERP}, {"gpu", SPCC_ENGINE_GPU},
    };
    bool is_told = true;
    for (int e = 0; e < engines; e++) {
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

/* The text has a comment with the target's name, then a figure a line, with its meaning as a
 * comment. */
static void print_target(const char *target)
{
    const char *label = "target";
    for (size_t n; *target; target += n + 1, label = "") {
        n = strcspn(target, "\n");
        size_t mark = *label ? strlen("# ") : 0;
        printf("%-9s %.*s\n", label, (int)(n - mark), target + mark);
    }
}

static void print_text(const struct facts *facts)
{
    const struct engine *engine = facts->engine;
    printf("version   %s\n", spcc_version());
    print_cache(facts->cache);
    for (int e = 0; e < facts->engines; e++)
        printf("%-9s %s%s\n", engine[e].method,
               engine[e].is ? "" : "not there: ", engine[e].is ? engine[e].is : engine[e].trouble);
    print_target(facts->target);
}

/* ---- as JSON ---- */

static void print_member(const char *name, const char *text)
{
    printf("\"%s\": ", name);
    message_json(stdout, text);
}

static void print_json_target(const char *target)
{
    char is[512], name[32];
    long long value;
    size_t n = strcspn(target, "\n");
    snprintf(is, sizeof is, "%.*s", (int)n - 2, target + strlen("# "));
    printf("{\"is\": ");
    message_json(stdout, is);
    for (; target[n]; n += strcspn(target + n, "\n"))
        if (sscanf(target + ++n, "%31[a-z_0-9] %lld", name, &value) == 2)
            printf(", \"%s\": %lld", name, value);
    printf("}");
}

static void print_json(const struct facts *facts)
{
    const spcc_cache_info *cache = facts->cache;
    const struct engine *engine = facts->engine;
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
    for (int e = 0; e < facts->engines; e++) {
        printf("%s\"%s\": {", e ? ", " : "", engine[e].method);
        print_member("is", engine[e].is);
        printf(", ");
        print_member("trouble", engine[e].trouble);
        printf("}");
    }
    printf("}, \"target\": ");
    print_json_target(facts->target);
    puts("}");
}

static enum cli_status look(spcc_context *context, struct facts *facts)
{
    enum cli_status status = library_report(context, spcc_cache_look(context, &facts->cache));
    if (status == CLI_DONE)
        status = library_report(context, spcc_target_describe(context, &facts->target));
    if (status == CLI_DONE && !look_at_engines(context, facts->engine, facts->engines))
        status = library_no_memory();
    return status;
}

enum cli_status command_info_machine(const struct cli_request *request)
{
    enum cli_status status;
    struct facts facts = {.engines = request->gpu ? ENGINES : ENGINES - 1};
    spcc_context *context = library_open(request, &status);
    if (!context)
        return status;
    status = look(context, &facts);
    if (status == CLI_DONE && request->json)
        print_json(&facts);
    else if (status == CLI_DONE)
        print_text(&facts);
    for (int e = 0; e < ENGINES; e++) {
        spcc_free(facts.engine[e].is);
        spcc_free(facts.engine[e].trouble);
    }
    spcc_free(facts.cache);
    spcc_free(facts.target);
    spcc_context_free(context);
    return status;
}
