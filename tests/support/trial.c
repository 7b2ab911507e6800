/* trial.c - one case under test.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/support/trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/concrete/concrete.h"
#include "compiler/format/index_array.h"
#include "runtime/tensor/walk.h"
#include "tests/support/rng.h"

void trial_fail(struct trial *t, const char *format, ...)
{
    if (t->verdict == TRIAL_FAILED)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(t->why, sizeof t->why, format, args);
    va_end(args);
    t->verdict = TRIAL_FAILED;
}

static const char *unwound(const struct context *cx)
{
    return cx->failure == CONTEXT_NO_MEMORY ? "out of memory" : cx->bug ? cx->bug : "unwound without saying why";
}

/* ---- what the oracle is told ---- */

static void add_component(const struct oracle_tensor *o, struct value *component, const struct case_entry *entry,
                          int64_t *coordinate)
{
    for (int m = 0; m < o->order; m++)
        coordinate[m] = entry->coordinate[m];
    component[oracle_place(o, coordinate)] = entry->value;
}

static void tell(struct context *cx, struct oracle_tensor *o, const struct case_tensor *t, const struct format *format)
{
    struct oracle_level *level = arena_array(cx->arena, struct oracle_level, format->levels);
    int64_t *coordinate = arena_array(cx->arena, int64_t, t->entries * t->order);
    *o = (struct oracle_tensor){.name = t->name, .type = t->type, .order = t->order, .dimension = t->dimension,
                                .fill = t->fill, .levels = format->levels, .level = level, .entries = t->entries,
                                .coordinate = coordinate};
    int64_t n = oracle_components(o);
    struct value *component = arena_array(cx->arena, struct value, n);
    for (int64_t i = 0; i < n; i++)
        component[i] = t->fill;
    for (int e = 0; e < t->entries; e++)
        add_component(o, component, &t->entry[e], coordinate + (int64_t)e * t->order);
    for (int l = 0; l < format->levels; l++)
        level[l] = (struct oracle_level){format->level[l].mode, level_has(&format->level[l], LEVEL_FULL)};
    o->component = component;
}

/* False if a format is not understood: the compiler has to say so as well. */
static bool ask_oracle(struct trial *t)
{
    const struct test_case *test = t->test;
    struct tin_declarations declared = case_declarations(t->cx->arena, test);
    t->known = arena_array(t->cx->arena, struct oracle_tensor, test->tensors);
    for (int i = 0; i < test->tensors; i++) {
        const struct case_tensor *tensor = &test->tensor[i];
        const struct format *format = format_parse(t->cx, tensor->name, tensor->format, tensor->order, declared.defaults);
        if (!format || !format_is_plain(format))
            return false;
        tell(t->cx, &t->known[i], tensor, format);
    }
    struct oracle_input input = {t->known, test->tensors, declared.size, declared.sizes};
    t->expected = oracle_evaluate(t->cx, t->parsed, &input);
    return true;
}

/* ---- compiling ---- */

static bool parses_back(struct trial *t)
{
    struct text text = text_new(t->cx->arena);
    tin_print(&text, t->parsed);
    const struct tin *again = tin_parse(t->cx, text.at);
    if (!again || !tin_equal(t->parsed, again))
        trial_fail(t, "the statement printed as `%s` does not parse back to itself\n%s", text.at, diag_render(t->cx));
    else if (t->test->nodes && !case_is_parse(t->test, t->parsed))
        trial_fail(t, "the statement is parsed as `%s`", text.at);
    return t->verdict == TRIAL_RIGHT;
}

/* The compiler said no: it has to say why. */
static void take_refusal(struct trial *t)
{
    const char *text = diag_render(t->cx);
    t->code = t->cx->diags.n ? (int)t->cx->diags.at[0].code : 0;
    if (t->cx->diags.n == 0 || !*text)
        trial_fail(t, "refused without a diagnostic");
    else if (t->code == DIAG_BUG)
        trial_fail(t, "refused as a bug: %s", text);
    for (size_t i = 0; i < t->cx->diags.n; i++)
        if (!t->cx->diags.at[i].message || !*t->cx->diags.at[i].message)
            trial_fail(t, "a diagnostic without a message");
    if (t->verdict == TRIAL_FAILED)
        return;
    t->verdict = TRIAL_REFUSED;
    snprintf(t->why, sizeof t->why, "%s", text);
}

static struct pipeline_request request_of(const struct trial *t)
{
    return (struct pipeline_request){.expression = t->test->statement,
                                     .declared = case_declarations(t->cx->arena, t->test)};
}

const struct pipeline *trial_compile(struct trial *t, enum kernel_kind kind, bool vectorize, const char *jit_name)
{
    struct pipeline_request request = request_of(t);
    struct pipeline *pipeline = arena_make(t->cx->arena, struct pipeline);
    request.kind = kind;
    request.no_vectorize = !vectorize;
    request.name = jit_name;
    request.for_jit = jit_name != NULL;
    if (!pipeline_run(t->cx, &request, STAGE_C, pipeline)) {
        trial_fail(t, "refused in the kernel kind %d, not in another:\n%s", (int)kind, diag_render(t->cx));
        return NULL;
    }
    return pipeline;
}

static const struct case_tensor *tensor_named(const struct test_case *test, const char *name)
{
    for (int i = 0; i < test->tensors; i++)
        if (strcmp(test->tensor[i].name, name) == 0)
            return &test->tensor[i];
    return NULL;
}

/* ---- the stages' own laws ---- */

static void check_dumps(struct trial *t)
{
    for (enum stage stage = STAGE_NOTATION; stage <= STAGE_C; stage++) {
        const char *dump = pipeline_dump(t->cx, &t->pipeline, stage);
        if (!dump || (!*dump && stage != STAGE_LATTICE)) /* there is no lattice without a loop */
            trial_fail(t, "stage %d has nothing to show", (int)stage);
    }
    if (!*pipeline_dump_dot(t->cx, &t->pipeline) || !*pipeline_explain(t->cx, &t->pipeline))
        trial_fail(t, "there is no graph, or no explanation");
}

static void check_notation(struct trial *t)
{
    struct text text = text_new(t->cx->arena);
    tin_print(&text, t->pipeline.notation);
    if (!tin_parse(t->cx, text.at))
        trial_fail(t, "the checked statement `%s` does not parse\n%s", text.at, diag_render(t->cx));
}

static void check_concrete(struct trial *t, const struct cin_program *program)
{
    const char *broken = cin_check(t->cx, program);
    if (broken) {
        trial_fail(t, "concrete notation: %s", broken);
        return;
    }
    const struct cin *s = program->statement;
    if (cin_with_args(t->cx, s, s->arg) != s || cin_replace(t->cx, s, s, s) != s)
        trial_fail(t, "rewriting concrete notation to itself gives another pointer");
    const struct cin *simple = cin_simplify(t->cx, s);
    if (cin_simplify(t->cx, simple) != simple)
        trial_fail(t, "simplifying concrete notation twice gives another pointer");
}

static void check_imperative(struct trial *t, const struct imp_function *function)
{
    const char *broken = imp_check(t->cx, function);
    if (broken)
        trial_fail(t, "imperative IR: %s", broken);
    else if (imp_with_args(t->cx, function->body, function->body->arg) != function->body)
        trial_fail(t, "rewriting imperative IR to itself gives another pointer");
}

static void check_stages(struct trial *t)
{
    check_notation(t);
    check_concrete(t, t->pipeline.concrete);
    check_concrete(t, t->pipeline.planned);
    check_imperative(t, t->pipeline.imperative);
    check_dumps(t);
}

/* ---- tensors in memory ---- */

/* Siblings of an unordered level may come in any order: the coordinates that it stores are renamed before packing,
 * which sorts by them, and renamed back afterwards. */
struct renaming { int64_t to[256], from[256]; };     /* a case has no larger dimension */

static void random_renaming(struct rng *rng, struct renaming *r, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        r->to[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t k = rng_below(rng, (int)i + 1), swap = r->to[i];
        r->to[i] = r->to[k];
        r->to[k] = swap;
    }
    for (int64_t i = 0; i < n; i++)
        r->from[r->to[i]] = i;
}

static bool is_shuffled(const struct level_format *level) { return !level_has(level, LEVEL_ORDERED); }

static void name_back(struct level_storage *level, const struct renaming *renaming)
{
    for (int a = 0; a < LEVEL_ARRAYS; a++) {
        if (level->format->type->array[a].kind != LEVEL_COORDINATES)
            continue;
        for (int64_t i = 0; i < level->length[a]; i++) {
            int64_t coordinate = index_load(level->format->crd, level->array[a], i);
            index_store(level->format->crd, level->array[a], i, renaming->from[coordinate & 255]);
        }
    }
}

static bool list_entries(struct coords *coords, const struct case_tensor *from, const struct renaming *renaming)
{
    unsigned char bytes[16];
    coords_init(coords, from->order, from->dimension, from->type);
    for (int e = 0; e < from->entries; e++) {
        int64_t coordinate[ORDER_MAX];
        for (int m = 0; m < from->order; m++)
            coordinate[m] = renaming[m].to[from->entry[e].coordinate[m]];
        value_store(from->entry[e].value, bytes);
        if (!coords_add(coords, coordinate, bytes))
            return false;
    }
    return true;
}

static struct tensor *pack(struct trial *t, const struct case_tensor *from, const struct format *format)
{
    struct rng rng = {t->test->shuffle};
    struct renaming renaming[CASE_ORDER];
    memset(renaming, 0, sizeof renaming);
    struct tensor *tensor = NULL;
    struct coords coords;
    struct rt_error error;
    for (int m = 0; m < from->order; m++)
        for (int64_t i = 0; i < from->dimension[m]; i++)
            renaming[m].to[i] = renaming[m].from[i] = i;
    for (int l = 0; l < format->levels; l++)
        if (is_shuffled(&format->level[l]))
            random_renaming(&rng, &renaming[format->level[l].mode], from->dimension[format->level[l].mode]);
    bool listed = list_entries(&coords, from, renaming);
    if (!listed || tensor_pack(&coords, format, from->fill, 1, from->name, &tensor, &error) != RT_OK)
        trial_fail(t, "%s cannot be packed: %s", from->name, listed ? error.message : "no memory");
    for (int l = 0; tensor && l < format->levels; l++)
        if (is_shuffled(&format->level[l]))
            name_back(&tensor->level[l], &renaming[format->level[l].mode]);
    if (tensor && tensor_validate(tensor, from->name, &error) != RT_OK)
        trial_fail(t, "as packed, %s", error.message);
    coords_free(&coords);
    return tensor;
}

static void pack_operands(struct trial *t)
{
    for (int r = 0; r < t->pipeline.tensors && t->verdict == TRIAL_RIGHT; r++) {
        const struct tensor_var *var = t->pipeline.tensor[r];
        t->by_rank[r] = tensor_named(t->test, var->name);
        if (!t->by_rank[r])
            trial_fail(t, "the kernel has a tensor %s that the statement has not", var->name);
        else if (r > 0)
            t->tensor[r] = pack(t, t->by_rank[r], var->format);
    }
}

/* ---- opening and closing ---- */

static void open_protected(struct trial *t)
{
    struct pipeline_request request = request_of(t);
    bool compiled = pipeline_run(t->cx, &request, STAGE_C, &t->pipeline);
    t->parsed = t->pipeline.parsed;
    if (t->parsed && !parses_back(t))
        return;
    if (!compiled) {
        take_refusal(t);
        return;
    }
    if (t->cx->diags.n)
        trial_fail(t, "compiled, with a diagnostic:\n%s", diag_render(t->cx));
    else if (!ask_oracle(t))
        trial_fail(t, "compiled although a format cannot be parsed:\n%s", diag_render(t->cx));
    else if (t->expected.refusal)
        trial_fail(t, "compiled although it means nothing: %s", t->expected.refusal);
    if (t->verdict == TRIAL_RIGHT)
        check_stages(t);
    if (t->verdict == TRIAL_RIGHT)
        pack_operands(t);
}

void trial_open(struct trial *t, const struct test_case *test)
{
    memset(t, 0, sizeof *t);
    t->test = test;
    t->cx = context_new();
    if (t->cx && context_protect(t->cx))
        open_protected(t);
    else
        trial_fail(t, "%s", t->cx ? unwound(t->cx) : "no memory");
}

static void free_out(struct trial *t)
{
    for (int i = 0; i < TRIAL_PARAMS; i++) {
        free(t->out[i]);
        t->out[i] = NULL;
    }
}

void trial_close(struct trial *t)
{
    for (int r = 0; r < CASE_TENSORS; r++)
        tensor_free(t->tensor[r]);
    free_out(t);
    if (t->cx)
        context_free(t->cx);
}

/* ---- comparing ---- */

static void spell_coordinate(const int64_t *coordinate, int order, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (int m = 0; m < order && n < size; m++)
        n += (size_t)snprintf(text + n, size - n, "%s%lld", m ? "," : "", (long long)coordinate[m]);
}

static void compare_value(struct trial *t, const struct number *right, struct value got, const int64_t *coordinate,
                          bool stored)
{
    t->compared++;
    t->unknown += right->unknown;
    if (number_agrees(right, got))
        return;
    char at[128], text[64];
    spell_coordinate(coordinate, t->known[0].order, at, sizeof at);
    value_print(got, text, sizeof text);
    trial_fail(t, "y(%s) is %s (%s), but has to be %.20Lg%+.20Lgi or bits %#llx, give or take %.3Lg", at, text,
               stored ? "stored" : "the fill", right->re, right->im, (unsigned long long)right->bits, right->error);
}

/* How many levels it takes to leave components out; what is below them is there for all or none. */
static int leading_levels(const struct oracle_tensor *o)
{
    int levels = 0;
    for (int l = 0; l < o->levels; l++)
        if (!o->level[l].full)
            levels = l + 1;
    return levels;
}

static bool same_leaf(const struct oracle_tensor *o, const int64_t *a, const int64_t *b)
{
    for (int l = 0; l < leading_levels(o); l++)
        if (a[o->level[l].mode] != b[o->level[l].mode])
            return false;
    return true;
}

static void coordinate_of(const struct oracle_tensor *o, int64_t place, int64_t *coordinate)
{
    for (int m = o->order - 1; m >= 0; m--) {
        coordinate[m] = place % o->dimension[m];
        place /= o->dimension[m];
    }
}

static bool may_store(const struct trial *t, const int64_t *coordinate)
{
    int64_t other[ORDER_MAX];
    if (leading_levels(&t->known[0]) == 0)
        return true;
    for (int64_t i = 0; i < t->expected.components; i++) {
        coordinate_of(&t->known[0], i, other);
        if (t->expected.at[i].pattern != ORACLE_ABSENT && same_leaf(&t->known[0], coordinate, other))
            return true;
    }
    return false;
}

/* Is a before b in the storage order of a format whose levels are all ordered? */
static bool is_before(const struct format *format, const int64_t *a, const int64_t *b)
{
    for (int l = 0; l < format->levels; l++) {
        int mode = format->level[l].mode;
        if (!level_has(&format->level[l], LEVEL_ORDERED) || a[mode] != b[mode])
            return !level_has(&format->level[l], LEVEL_ORDERED) || a[mode] < b[mode];
    }
    return false;
}

static void compare_stored(struct trial *t, const struct tensor *y, bool *seen)
{
    struct tensor_walk walk;
    int64_t before[ORDER_MAX];
    char at[128];
    bool first = true;
    for (bool more = tensor_walk_first(&walk, y); more && t->verdict == TRIAL_RIGHT; more = tensor_walk_next(&walk)) {
        int64_t place = oracle_place(&t->known[0], walk.coordinate);
        spell_coordinate(walk.coordinate, y->order, at, sizeof at);
        if (seen[place])
            trial_fail(t, "y(%s) is stored twice", at);
        if (!first && !is_before(y->format, before, walk.coordinate))
            trial_fail(t, "y(%s) is stored out of order", at);
        if (t->expected.at[place].pattern == ORACLE_ABSENT && !may_store(t, walk.coordinate))
            trial_fail(t, "y(%s) is stored, but nothing makes it differ from the fill", at);
        seen[place] = true;
        struct value got = value_load(y->type, (char *)y->vals + walk.position * (int64_t)type_size(y->type));
        compare_value(t, &t->expected.at[place].number, got, walk.coordinate, true);
        memcpy(before, walk.coordinate, sizeof before);
        first = false;
    }
}

static void compare(struct trial *t, const struct tensor *y)
{
    bool *seen = arena_array(t->cx->arena, bool, t->expected.components);
    int64_t coordinate[ORDER_MAX];
    char at[128];
    compare_stored(t, y, seen);
    for (int64_t i = 0; i < t->expected.components && t->verdict == TRIAL_RIGHT; i++) {
        coordinate_of(&t->known[0], i, coordinate);
        spell_coordinate(coordinate, y->order, at, sizeof at);
        if (!seen[i] && t->expected.at[i].pattern == ORACLE_STORED)
            trial_fail(t, "y(%s) is not stored, but the notation says that it may differ from the fill", at);
        if (!seen[i])
            compare_value(t, &t->expected.at[i].number, y->fill, coordinate, false);
    }
}

/* ---- running ---- */

/* The result as the kernel wants it: of a compound assignment what it holds, else nothing of use. */
static bool new_result(struct trial *t)
{
    const struct case_tensor *from = t->by_rank[0];
    const struct format *format = t->pipeline.tensor[0]->format;
    tensor_free(t->tensor[0]);
    t->tensor[0] = NULL;
    if (t->pipeline.parsed->op != OP_NONE) {
        t->tensor[0] = pack(t, from, format);
    } else {
        struct rt_error error;
        enum rt_status status = tensor_new_empty(format, from->type, from->dimension, from->fill, "y", &t->tensor[0],
                                                 &error);
        if (status != RT_OK)
            trial_fail(t, "no result: %s", error.message);
        else
            tensor_fill_dense(t->tensor[0], value_int(from->type, 77));
    }
    return t->tensor[0] != NULL;
}

static struct imp_argument argument_of(const struct trial *t, const struct imp_param *param)
{
    const struct tensor *tensor = t->tensor[param->tensor];
    struct imp_argument argument = {0};
    switch (param->role) {
    case ROLE_DIMENSION: argument.value = value_int(param->var->type, tensor->dimension[param->mode]); break;
    case ROLE_ARRAY:
        argument.data = tensor->level[param->level].array[param->array];
        argument.length = tensor->level[param->level].length[param->array];
        break;
    case ROLE_VALUES:
        argument.data = tensor->vals;
        argument.length = tensor->nvals;
        break;
    case ROLE_LOCAL: break;
    }
    if (param->out)
        argument.data = NULL, argument.length = 0;
    return argument;
}

/* The result with the arrays that the kernel has made; lengths follow from the arrays above. */
static void adopt(struct trial *t, const struct imp_function *f, const int64_t *length)
{
    struct tensor *y = t->tensor[0];
    for (int i = 0; i < f->params; i++) {
        const struct imp_param *param = &f->param[i];
        if (!param->out)
            continue;
        if (param->role == ROLE_VALUES) {
            free(y->vals);
            y->vals = t->out[i];
            y->nvals = length ? length[i] : INT64_MAX;
        } else {
            free(y->level[param->level].array[param->array]);
            y->level[param->level].array[param->array] = t->out[i];
            y->level[param->level].length[param->array] = length ? length[i] : INT64_MAX;
        }
        t->out[i] = NULL;
    }
}

static void check_result(struct trial *t)
{
    struct rt_error error;
    if (tensor_validate(t->tensor[0], "y", &error) != RT_OK)
        trial_fail(t, "the kernel leaves an invalid tensor: %s", error.message);
    else
        compare(t, t->tensor[0]);
}

static void interpret_into(struct trial *t, const struct pipeline *p)
{
    const struct imp_function *f = p->imperative;
    struct imp_argument argument[TRIAL_PARAMS];
    int64_t length[TRIAL_PARAMS];
    if (f->params > TRIAL_PARAMS) {
        trial_fail(t, "too many parameters");
        return;
    }
    for (int i = 0; i < f->params; i++)
        argument[i] = argument_of(t, &f->param[i]);
    struct imp_run run = imp_interpret(t->cx, f, argument, NULL, 20 * 1000 * 1000);
    for (int i = 0; i < f->params; i++) {
        length[i] = argument[i].length;
        if (f->param[i].out)
            t->out[i] = argument[i].data;
    }
    if (run.fault)
        trial_fail(t, "the interpreter stopped: %s", run.fault);
    else if (run.status != STATUS_OK)
        trial_fail(t, "the kernel returned status %d", (int)run.status);
    else
        adopt(t, f, length);
    free_out(t);
}

static void in_context(struct trial *t, void (*body)(struct trial *t, const struct pipeline *p),
                       const struct pipeline *p)
{
    if (t->verdict != TRIAL_RIGHT)
        return;
    if (context_protect(t->cx))
        body(t, p);
    else
        trial_fail(t, "%s", unwound(t->cx));
}

static void interpret_and_check(struct trial *t, const struct pipeline *p)
{
    if (!new_result(t))
        return;
    interpret_into(t, p);
    if (t->verdict == TRIAL_RIGHT)
        check_result(t);
}

void trial_interpret(struct trial *t, const struct pipeline *pipeline)
{
    in_context(t, interpret_and_check, pipeline);
}

static void interpret_plain(struct trial *t, const struct pipeline *unused)
{
    const struct pipeline *plain = trial_compile(t, KERNEL_FUSED, false, NULL);
    (void)unused;
    if (plain)
        interpret_and_check(t, plain);
}

void trial_interpret_plain(struct trial *t) { in_context(t, interpret_plain, NULL); }

/* Room for as many values as the arrays that were assembled have positions. */
static void make_room(struct trial *t)
{
    struct tensor *y = t->tensor[0];
    struct level_fault fault = {0};
    int64_t positions = 1;
    for (int l = 0; l < y->format->levels; l++) {
        const struct level_type *type = y->format->level[l].type;
        if (!type->check(&y->level[l], positions, &positions, &fault)) {
            trial_fail(t, "assembled, but level %d is not valid: %s[%lld] %s", l + 1, fault.array,
                       (long long)fault.at, fault.why);
            return;
        }
    }
    if (positions <= y->nvals)
        return;
    free(y->vals);
    y->vals = calloc((size_t)positions, type_size(y->type));
    y->nvals = y->vals ? positions : 0;
    tensor_fill_dense(y, value_int(y->type, 77));
}

static void interpret_two(struct trial *t, const struct pipeline *unused)
{
    const struct pipeline *assemble = trial_compile(t, KERNEL_ASSEMBLE, true, NULL);
    const struct pipeline *compute = trial_compile(t, KERNEL_COMPUTE, true, NULL);
    (void)unused;
    if (!assemble || !compute || !new_result(t))
        return;
    interpret_into(t, assemble);
    if (t->verdict == TRIAL_RIGHT)
        make_room(t);
    if (t->verdict == TRIAL_RIGHT)
        interpret_into(t, compute);
    if (t->verdict == TRIAL_RIGHT)
        check_result(t);
}

void trial_interpret_in_two(struct trial *t) { in_context(t, interpret_two, NULL); }

/* ---- compiled code ---- */

/* As emit.h's NAME_call takes them: a pointer to each argument, which is a scalar, an array's address, or the address of
 * the variable that gets what is assembled. */
static void call_into(struct trial *t, const struct pipeline *p, int (*call)(void *const *argument))
{
    const struct imp_function *f = p->imperative;
    struct imp_argument argument[TRIAL_PARAMS];
    void *pointer[TRIAL_PARAMS], **out[TRIAL_PARAMS];
    unsigned char scalar[TRIAL_PARAMS][16];
    for (int i = 0; i < f->params; i++) {
        argument[i] = argument_of(t, &f->param[i]);
        out[i] = &t->out[i];
        pointer[i] = f->param[i].out ? (void *)&out[i] : (void *)&argument[i].data;
        if (f->param[i].role == ROLE_DIMENSION) {
            value_store(argument[i].value, scalar[i]);
            pointer[i] = scalar[i];
        }
    }
    int status = call(pointer);
    if (status != STATUS_OK)
        trial_fail(t, "the compiled kernel returned status %d", status);
    else
        adopt(t, f, NULL);
    free_out(t);
}

struct calling { const struct pipeline *pipeline; int (*call)(void *const *argument); };

static void call_and_check(struct trial *t, const struct calling *calling)
{
    if (!new_result(t))
        return;
    call_into(t, calling->pipeline, calling->call);
    if (t->verdict == TRIAL_RIGHT)
        check_result(t);
    if (t->verdict == TRIAL_FAILED) {
        char why[TRIAL_TEXT];
        memcpy(why, t->why, sizeof why);
        snprintf(t->why, sizeof t->why, "compiled code, unlike the interpreter: %.4000s", why);
    }
}

void trial_call(struct trial *t, const struct pipeline *pipeline, int (*call)(void *const *argument))
{
    struct calling calling = {pipeline, call};
    if (t->verdict != TRIAL_RIGHT)
        return;
    if (context_protect(t->cx))
        call_and_check(t, &calling);
    else
        trial_fail(t, "%s", unwound(t->cx));
}
