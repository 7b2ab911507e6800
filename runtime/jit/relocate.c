/* relocate.c - what each kind of relocation does to its bytes.
 *
 * After the psABI supplements for x86-64 and AArch64.  Only the relocations of
 * position-independent C in the small code model are here: no thread-local storage, no indirect
 * functions, no copy relocations.  Arithmetic is unsigned and wraps around; a result that does not
 * fit its field is refused, never truncated.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/object.h"

#include <elf.h>
#include <string.h>

static bool put32(unsigned char *place, uint64_t value)
{
    uint32_t v = (uint32_t)value;
    memcpy(place, &v, sizeof v);
    return true;
}

static bool put64(unsigned char *place, uint64_t value)
{
    memcpy(place, &value, sizeof value);
    return true;
}

static bool fits_signed(uint64_t value, int bits)
{
    int64_t v = (int64_t)value, limit = INT64_C(1) << (bits - 1);
    return v >= -limit && v < limit;
}

static bool put_signed32(unsigned char *place, uint64_t value)
{
    return fits_signed(value, 32) && put32(place, value);
}

static unsigned size_x86_64(unsigned type)
{
    switch (type) {
    case R_X86_64_64:
    case R_X86_64_PC64: return 8;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_32:
    case R_X86_64_32S:
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX: return 4;
    default: return 0;
    }
}

static bool apply_x86_64(const struct relocation *r)
{
    uint64_t a = (uint64_t)r->addend;
    switch (r->type) {
    case R_X86_64_64: return put64(r->place, r->symbol + a);
    case R_X86_64_PC64: return put64(r->place, r->symbol + a - r->at);
    case R_X86_64_PC32: return put_signed32(r->place, r->symbol + a - r->at);
    case R_X86_64_PLT32:
        return put_signed32(r->place, (r->undefined ? r->stub : r->symbol) + a - r->at);
    case R_X86_64_32: return (r->symbol + a) >> 32 == 0 && put32(r->place, r->symbol + a);
    case R_X86_64_32S: return put_signed32(r->place, r->symbol + a);
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX: return put_signed32(r->place, r->entry + a - r->at);
    default: return false;
    }
}

static unsigned size_aarch64(unsigned type)
{
    switch (type) {
    case R_AARCH64_ABS64:
    case R_AARCH64_PREL64: return 8;
    case R_AARCH64_ABS32:
    case R_AARCH64_PREL32:
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26:
    case R_AARCH64_ADR_PREL_PG_HI21:
    case R_AARCH64_ADR_GOT_PAGE:
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC:
    case R_AARCH64_LDST16_ABS_LO12_NC:
    case R_AARCH64_LDST32_ABS_LO12_NC:
    case R_AARCH64_LDST64_ABS_LO12_NC:
    case R_AARCH64_LDST128_ABS_LO12_NC:
    case R_AARCH64_LD64_GOT_LO12_NC: return 4;
    default: return 0;
    }
}

/* Replaces `bits` bits of the instruction at `place`, from bit `low` on. */
static bool put_field(unsigned char *place, int low, int bits, uint64_t value)
{
    uint32_t instruction, mask = ((UINT32_C(1) << bits) - 1) << low;
    memcpy(&instruction, place, sizeof instruction);
    return put32(place, (instruction & ~mask) | ((uint32_t)(value << low) & mask));
}

static bool put_branch(const struct relocation *r)
{
    uint64_t distance = (r->undefined ? r->stub : r->symbol) + (uint64_t)r->addend - r->at;
    return distance % 4 == 0 && fits_signed(distance, 28)
           && put_field(r->place, 0, 26, distance >> 2);
}

/* adrp: the distance in pages of 4 KiB, its low two bits apart from the rest. */
static bool put_page(const struct relocation *r, uint64_t target)
{
    uint64_t distance = (target & ~UINT64_C(4095)) - (r->at & ~UINT64_C(4095));
    return fits_signed(distance, 33) && put_field(r->place, 29, 2, distance >> 12)
           && put_field(r->place, 5, 19, distance >> 14);
}

/* The low 12 bits of an address, in units of 1 << scale bytes, of which it must be a multiple. */
static bool put_low(const struct relocation *r, uint64_t target, int scale)
{
    uint64_t low = target & 4095;
    return low % (UINT64_C(1) << scale) == 0 && put_field(r->place, 10, 12, low >> scale);
}

static bool apply_aarch64(const struct relocation *r)
{
    uint64_t target = r->symbol + (uint64_t)r->addend;
    switch (r->type) {
    case R_AARCH64_ABS64: return put64(r->place, target);
    case R_AARCH64_PREL64: return put64(r->place, target - r->at);
    case R_AARCH64_ABS32:
        return (fits_signed(target, 32) || target >> 32 == 0) && put32(r->place, target);
    case R_AARCH64_PREL32: return put_signed32(r->place, target - r->at);
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26: return put_branch(r);
    case R_AARCH64_ADR_PREL_PG_HI21: return put_page(r, target);
    case R_AARCH64_ADR_GOT_PAGE: return put_page(r, r->entry + (uint64_t)r->addend);
    case R_AARCH64_LD64_GOT_LO12_NC: return put_low(r, r->entry + (uint64_t)r->addend, 3);
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC: return put_low(r, target, 0);
    case R_AARCH64_LDST16_ABS_LO12_NC: return put_low(r, target, 1);
    case R_AARCH64_LDST32_ABS_LO12_NC: return put_low(r, target, 2);
    case R_AARCH64_LDST64_ABS_LO12_NC: return put_low(r, target, 3);
    case R_AARCH64_LDST128_ABS_LO12_NC: return put_low(r, target, 4);
    default: return false;
    }
}

unsigned relocation_size(unsigned machine, unsigned type)
{
    return machine == EM_X86_64    ? size_x86_64(type)
           : machine == EM_AARCH64 ? size_aarch64(type)
                                   : 0;
}

bool relocation_apply(const struct relocation *r)
{
    return r->machine == EM_X86_64 ? apply_x86_64(r) : r->machine == EM_AARCH64 && apply_aarch64(r);
}
