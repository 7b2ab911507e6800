/* test_object.c - the loader of objects: relocations one by one, and files that are not what they
 * should be.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "runtime/jit/cc.h"
#include "runtime/jit/object.h"

struct expected {
    unsigned machine, type;
    uint64_t before; /* what stands at the place */
    uint64_t after;
};

/* Place 0x10000, symbol 0x12345678, stub 0x20010, entry 0x30018, addend -4 (x86-64) or 8 (AArch64).
 * What the AArch64 instructions must be was taken from a disassembler. */
static const struct expected expected[] = {
    {EM_X86_64, R_X86_64_64, 0, 0x12345674},
    {EM_X86_64, R_X86_64_PC64, 0, 0x12335674},
    {EM_X86_64, R_X86_64_PC32, 0xaabbccdd00000000, 0xaabbccdd12335674},
    {EM_X86_64, R_X86_64_PLT32, 0xaabbccdd00000000, 0xaabbccdd12335674},
    {EM_X86_64, R_X86_64_32, 0, 0x12345674},
    {EM_X86_64, R_X86_64_32S, 0, 0x12345674},
    {EM_X86_64, R_X86_64_GOTPCREL, 0, 0x20014},
    {EM_X86_64, R_X86_64_GOTPCRELX, 0, 0x20014},
    {EM_X86_64, R_X86_64_REX_GOTPCRELX, 0, 0x20014},
    {EM_AARCH64, R_AARCH64_ABS64, 0, 0x12345680},
    {EM_AARCH64, R_AARCH64_PREL64, 0, 0x12335680},
    {EM_AARCH64, R_AARCH64_ABS32, 0, 0x12345680},
    {EM_AARCH64, R_AARCH64_PREL32, 0, 0x12335680},
    /* adrp x0, 0x12345000 from page 0x10000 */
    {EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, 0x90000000, 0xb00919a0},
    /* add x0, x0, #0x680 */
    {EM_AARCH64, R_AARCH64_ADD_ABS_LO12_NC, 0x91000000, 0x911a0000},
    /* ldrb w0, [x0, #0x680] */
    {EM_AARCH64, R_AARCH64_LDST8_ABS_LO12_NC, 0x39400000, 0x395a0000},
    /* ldrh w0, [x0, #0x680] */
    {EM_AARCH64, R_AARCH64_LDST16_ABS_LO12_NC, 0x79400000, 0x794d0000},
    /* ldr w0, [x0, #0x680] */
    {EM_AARCH64, R_AARCH64_LDST32_ABS_LO12_NC, 0xb9400000, 0xb9468000},
    /* ldr x0, [x0, #0x680] */
    {EM_AARCH64, R_AARCH64_LDST64_ABS_LO12_NC, 0xf9400000, 0xf9434000},
    /* ldr q0, [x0, #0x680] */
    {EM_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, 0x3dc00000, 0x3dc1a000},
    /* adrp x0, 0x30000 */
    {EM_AARCH64, R_AARCH64_ADR_GOT_PAGE, 0x90000000, 0x90000100},
    /* ldr x0, [x0, #0x20] */
    {EM_AARCH64, R_AARCH64_LD64_GOT_LO12_NC, 0xf9400000, 0xf9401000},
};

static struct relocation relocation_of(const struct expected *e, uint64_t *place)
{
    return (struct relocation){
        .machine = e->machine,
        .type = e->type,
        .place = (unsigned char *)place,
        .at = 0x10000,
        .symbol = 0x12345678,
        .stub = 0x20010,
        .entry = 0x30018,
        .addend = e->machine == EM_X86_64 ? -4 : 8,
    };
}

static void test_relocations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint64_t place = expected[i].before;
        struct relocation r = relocation_of(&expected[i], &place);
        assert_true(relocation_size(r.machine, r.type) == 4
                    || relocation_size(r.machine, r.type) == 8);
        assert_true(relocation_apply(&r));
        if (place != expected[i].after)
            fail_msg("machine %u, type %u: %#llx", r.machine, r.type, (unsigned long long)place);
    }
}

/* Calls of what is not in the object go by the stub. */
static void test_calls(void **state)
{
    (void)state;
    static const struct expected calls[] = {
        {EM_X86_64, R_X86_64_PLT32, 0, 0x2000c - 0x10000},
        {EM_AARCH64, R_AARCH64_CALL26, 0x94000000, 0x94004006},
        {EM_AARCH64, R_AARCH64_JUMP26, 0x14000000, 0x14004006},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        uint64_t place = calls[i].before;
        struct relocation r = relocation_of(&calls[i], &place);
        r.undefined = true;
        r.symbol = UINT64_C(0x7fff00000000);
        assert_true(relocation_apply(&r));
        assert_int_equal(place, calls[i].after);
    }
}

/* What does not fit is refused and leaves the place alone. */
static void test_distances(void **state)
{
    (void)state;
    static const struct expected far[] = {
        {EM_X86_64, R_X86_64_PC32, 1, 1},
        {EM_X86_64, R_X86_64_PLT32, 1, 1},
        {EM_X86_64, R_X86_64_32, 1, 1},
        {EM_X86_64, R_X86_64_32S, 1, 1},
        {EM_AARCH64, R_AARCH64_CALL26, 1, 1},
        {EM_AARCH64, R_AARCH64_PREL32, 1, 1},
        {EM_AARCH64, R_AARCH64_ABS32, 1, 1},
        {EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, 1, 1},
        {EM_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, 1, 1},
        {EM_X86_64, R_X86_64_TPOFF32, 1, 1},
        {EM_AARCH64, 9999, 1, 1},
        {EM_RISCV, 1, 1, 1},
    };
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        uint64_t place = far[i].before;
        struct relocation r = relocation_of(&far[i], &place);
        r.symbol = UINT64_C(0x7fff00000001);
        assert_false(relocation_apply(&r));
        assert_int_equal(place, 1);
    }
    assert_int_equal(relocation_size(EM_X86_64, R_X86_64_TPOFF32), 0);
    uint64_t place = 0; /* the ends of what 32 bits hold */
    struct relocation r = {
        .machine = EM_X86_64, .type = R_X86_64_PC32, .place = (unsigned char *)&place};
    r.symbol = INT32_MAX;
    assert_true(relocation_apply(&r));
    r.symbol++;
    assert_false(relocation_apply(&r));
    r.symbol = (uint64_t)INT32_MIN;
    assert_true(relocation_apply(&r));
    r.symbol--;
    assert_false(relocation_apply(&r));
}

static const char source[] =
    "extern int outside(int), variable; int __attribute__((weak)) maybe(int);\n"
    "static const char *const text[] = {\"a\", \"b\"}; static int data[3] = {1, 2, 3}; int "
    "zero[100];\n"
    "__attribute__((visibility(\"hidden\"))) int hidden(int i) { return data[i]; }\n"
    "const char *f(int i) { data[1] += outside(i) + variable; zero[5]++; return maybe ? \"c\" : "
    "text[i & 1]; }\n"
    "int g(int i) { return hidden(i) + maybe(1) + zero[5]; }\n";

struct compiled {
    unsigned char *bytes;
    size_t size;
};

static int set_up(void **state)
{
    struct compiled *c = calloc(1, sizeof *c);
    struct clang_request request = {.source = source, .level = 1};
    struct sha256 unused;
    struct cc cc;
    void *bytes = NULL;
    char *error = NULL;
    cc_init(&cc, NULL, NULL);
    sha256_start(&unused);
    if (!c || cc_identify(&cc, &unused, &error) != JIT_OK
        || cc_compile(&cc, &request, &bytes, &c->size, &error) != JIT_OK)
        fail_msg("%s", error);
    c->bytes = bytes;
    cc_close(&cc);
    *state = c;
    return 0;
}

static int tear_down(void **state)
{
    struct compiled *c = *state;
    free(c->bytes);
    free(c);
    return 0;
}

static int outside(int i) { return 10 * i; }

static void *resolve(void *data, const char *name)
{
    static int variable = 5;
    int *asked = data;
    ++*asked;
    if (strcmp(name, "outside") == 0)
        return (void *)(uintptr_t)outside;
    return strcmp(name, "variable") == 0 ? &variable : NULL;
}

static void *resolve_nothing(void *data, const char *name)
{
    (void)data;
    (void)name;
    return NULL;
}

static void test_load(void **state)
{
    struct compiled *c = *state;
    struct object *object = NULL;
    char *error = NULL;
    int asked = 0;
    assert_int_equal(object_load(c->bytes, c->size, NULL, resolve, &asked, &object, &error),
                     OBJECT_OK);
    assert_int_equal(asked, 3);
    const char *(*f)(int) = (const char *(*)(int))(uintptr_t)object_symbol(object, "f");
    assert_string_equal(f(1), "b");
    assert_string_equal(f(0), "a");
    assert_int_equal(((int *)object_symbol(object, "zero"))[5], 2);
    assert_null(object_symbol(object, "hidden"));
    assert_null(object_symbol(object, "outside"));
    assert_null(object_symbol(object, "data"));
    object_free(object);
    assert_int_equal(object_load(c->bytes, c->size, NULL, resolve_nothing, NULL, &object, &error),
                     OBJECT_UNRESOLVED);
    assert_true(contains(error, "outside") || contains(error, "variable"));
    free(error);
}

/* The whole thing in a block of its exact size, so that the sanitizers see any access beyond. */
static enum object_status load_copy(const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    struct object *object = NULL;
    char *error = NULL;
    int asked = 0;
    memcpy(copy, bytes, size);
    enum object_status status = object_load(copy, size, NULL, resolve, &asked, &object, &error);
    free(copy);
    if (status == OBJECT_OK)
        object_free(object);
    free(error);
    return status;
}

static void test_truncated(void **state)
{
    struct compiled *c = *state;
    assert_int_equal(load_copy(c->bytes, c->size), OBJECT_OK);
    for (size_t size = 0; size < c->size; size++)
        assert_int_not_equal(load_copy(c->bytes, size), OBJECT_OK);
}

/* Nothing that one wrong byte, or one wrong word, says makes the loader step outside the file. */
static void test_damaged(void **state)
{
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    struct compiled *c = *state;
    int refused = 0;
    for (size_t i = 0; i < c->size; i++)
        for (size_t v = 0; v < sizeof values; v++) {
            unsigned char before = c->bytes[i];
            c->bytes[i] = values[v];
            refused += load_copy(c->bytes, c->size) != OBJECT_OK;
            c->bytes[i] = before;
        }
    assert_true(refused > 100);
    refused = 0;
    for (size_t i = 0; i + 8 <= c->size; i += 4) {
        unsigned char before[8];
        memcpy(before, c->bytes + i, 8);
        memset(c->bytes + i, 0xff, 8);
        refused += load_copy(c->bytes, c->size) != OBJECT_OK;
        memcpy(c->bytes + i, before, 8);
    }
    assert_true(refused > 20);
}

static void test_other_machines(void **state)
{
    struct compiled *c = *state;
    Elf64_Ehdr header;
    memcpy(&header, c->bytes, sizeof header);
    Elf64_Ehdr other = header;
    other.e_machine = EM_S390;
    memcpy(c->bytes, &other, sizeof other);
    assert_int_equal(load_copy(c->bytes, c->size), OBJECT_UNSUPPORTED);
    other = header;
    other.e_type = ET_EXEC;
    memcpy(c->bytes, &other, sizeof other);
    assert_int_equal(load_copy(c->bytes, c->size), OBJECT_UNSUPPORTED);
    assert_int_equal(load_copy((const unsigned char *)"not an object", 13), OBJECT_DAMAGED);
    memcpy(c->bytes, &header, sizeof header);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relocations),    cmocka_unit_test(test_calls),
        cmocka_unit_test(test_distances),      cmocka_unit_test(test_load),
        cmocka_unit_test(test_truncated),      cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_other_machines),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
