/* object.c - a small loader for relocatable ELF objects.
 *
 * A kernel is one C translation unit compiled as position-independent code.  Loading it takes four
 * steps: place the sections, find the few functions that it calls, apply a dozen kinds of
 * relocation (relocate.c), make the code executable.  That takes a tenth of a millisecond and
 * needs neither a linker nor LLVM, so the kernel cache keeps objects.
 *
 * The image is one mapping with three parts, each on its own pages:
 *
 *     | code, then a stub for each symbol | constants, then a table entry for each symbol | data,
 *     bss |
 *       read, execute                       read                                            read,
 *       write
 *
 * A stub jumps to a symbol anywhere in the address space; a table entry (a GOT slot) holds the
 * symbol's address.  No page is writable and executable at once.  The structure of the image may
 * be damaged or hostile: every offset is checked against the size of what it points into.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/object.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__LP64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__) && defined(__LP64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE };
#endif

enum { STUB_SIZE = 16, ENTRY_SIZE = 8 };
enum { IMAGE_MAX = 1 << 30 };

enum part { PART_CODE, PART_CONSTANT, PART_DATA, PARTS, PART_NONE = PARTS };

struct export
{
    char *name;
    void *address;
};

struct object {
    unsigned char *base;
    size_t size;
    struct export *export;
    size_t exports;
};

struct section {
    enum part part; /* PART_NONE: not loaded */
    size_t offset;  /* from the start of its part */
};

struct symbol {
    const char *name;
    uint64_t address;
    bool used, defined, loaded;
};

/* The state of one object_load. */
struct loading {
    const unsigned char *image;
    size_t size;
    Elf64_Ehdr header;
    Elf64_Shdr *shdr;
    struct section *section;
    Elf64_Sym *sym;
    struct symbol *symbol;
    size_t *common; /* offsets in PART_DATA */
    size_t symbols;
    const char *names; /* of symbols */
    size_t names_size;
    size_t part_size[PARTS], part_at[PARTS];
    size_t stubs_at, entries_at; /* offsets in their parts */
    struct object *object;
    char *error;
};

static enum object_status refuse_object(struct loading *l, enum object_status status,
                                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum object_status refuse_object(struct loading *l, enum object_status status,
                                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (vasprintf(&l->error, format, args) < 0)
        l->error = NULL;
    va_end(args);
    return status;
}

static enum object_status damaged(struct loading *l, const char *what)
{
    return refuse_object(l, OBJECT_DAMAGED, "damaged object: %s", what);
}

static enum object_status no_memory(struct loading *l)
{
    return refuse_object(l, OBJECT_NO_MEMORY, "no memory to load the kernel");
}

static bool inside(const struct loading *l, uint64_t offset, uint64_t size)
{
    return offset <= l->size && size <= l->size - offset;
}

static enum object_status read_header(struct loading *l)
{
    if (l->size < sizeof l->header)
        return damaged(l, "too short");
    memcpy(&l->header, l->image, sizeof l->header);
    const Elf64_Ehdr *h = &l->header;
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return damaged(l, "not ELF");
    if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB
        || MACHINE == EM_NONE)
        return refuse_object(l, OBJECT_UNSUPPORTED,
                             "not a little-endian ELF file of a machine that spcc can load");
    if (h->e_type != ET_REL || h->e_machine != MACHINE)
        return refuse_object(l, OBJECT_UNSUPPORTED, "not a relocatable object of this machine");
    if (h->e_shentsize != sizeof(Elf64_Shdr)
        || !inside(l, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        return damaged(l, "section table");
    if (h->e_shnum == 0)
        return refuse_object(l, OBJECT_UNSUPPORTED, "no sections, or too many");
    return OBJECT_OK;
}

/* Returns the section's name, or "" if it has none. */
static const char *section_name(const struct loading *l, const Elf64_Shdr *s)
{
    if (l->header.e_shstrndx >= l->header.e_shnum)
        return "";
    const Elf64_Shdr *names = &l->shdr[l->header.e_shstrndx];
    if (names->sh_type != SHT_STRTAB || s->sh_name >= names->sh_size
        || l->image[names->sh_offset + names->sh_size - 1] != 0)
        return "";
    return (const char *)l->image + names->sh_offset + s->sh_name;
}

/* Places a section.  Unwind tables and notes are not loaded: nothing unwinds through a kernel. */
static enum object_status place_section(struct loading *l, size_t i)
{
    const Elf64_Shdr *s = &l->shdr[i];
    const char *name = section_name(l, s);
    l->section[i].part = PART_NONE;
    bool data = s->sh_type == SHT_PROGBITS || s->sh_type == SHT_NOBITS;
    bool unwind = strcmp(name, ".eh_frame") == 0 || s->sh_type == SHT_NOTE;
    if (!(s->sh_flags & SHF_ALLOC) || unwind)
        return OBJECT_OK;
    if (s->sh_type == SHT_X86_64_UNWIND && MACHINE == EM_X86_64)
        return OBJECT_OK;
    if (!data || s->sh_flags & (SHF_TLS | SHF_COMPRESSED))
        return refuse_object(l, OBJECT_UNSUPPORTED, "section %s of type %u with flags %#llx", name,
                             s->sh_type, (unsigned long long)s->sh_flags);
    enum part part = s->sh_flags & SHF_EXECINSTR ? PART_CODE
                     : s->sh_flags & SHF_WRITE   ? PART_DATA
                                                 : PART_CONSTANT;
    uint64_t align = s->sh_addralign ? s->sh_addralign : 1;
    if (align & (align - 1) || align > 4096)
        return refuse_object(l, OBJECT_UNSUPPORTED, "section %s is aligned to %llu", name,
                             (unsigned long long)align);
    uint64_t offset = (l->part_size[part] + align - 1) & ~(align - 1);
    if (s->sh_size > IMAGE_MAX || offset + s->sh_size > IMAGE_MAX)
        return refuse_object(l, OBJECT_UNSUPPORTED, "section %s is too large", name);
    l->section[i] = (struct section){part, offset};
    l->part_size[part] = offset + s->sh_size;
    return OBJECT_OK;
}

static enum object_status read_sections(struct loading *l)
{
    size_t n = l->header.e_shnum;
    l->shdr = calloc(n, sizeof *l->shdr);
    l->section = calloc(n, sizeof *l->section);
    if (!l->shdr || !l->section)
        return no_memory(l);
    memcpy(l->shdr, l->image + l->header.e_shoff, n * sizeof *l->shdr);
    for (size_t i = 0; i < n; i++)
        if (l->shdr[i].sh_type != SHT_NOBITS
            && !inside(l, l->shdr[i].sh_offset, l->shdr[i].sh_size))
            return damaged(l, "a section lies outside the file");
    for (size_t i = 0; i < n; i++) {
        enum object_status status = place_section(l, i);
        if (status != OBJECT_OK)
            return status;
    }
    return OBJECT_OK;
}

static const Elf64_Shdr *find_symbol_table(const struct loading *l)
{
    for (size_t i = 0; i < l->header.e_shnum; i++)
        if (l->shdr[i].sh_type == SHT_SYMTAB)
            return &l->shdr[i];
    return NULL;
}

/* Makes room for an uninitialized variable without a section; its alignment is in st_value. */
static enum object_status place_common(struct loading *l, size_t i)
{
    uint64_t align = l->sym[i].st_value ? l->sym[i].st_value : 1, size = l->sym[i].st_size;
    if (align & (align - 1) || align > 4096)
        return refuse_object(l, OBJECT_UNSUPPORTED, "%s is aligned to %llu", l->symbol[i].name,
                             (unsigned long long)align);
    uint64_t offset = (l->part_size[PART_DATA] + align - 1) & ~(align - 1);
    if (size > IMAGE_MAX || offset + size > IMAGE_MAX)
        return refuse_object(l, OBJECT_UNSUPPORTED, "%s is too large", l->symbol[i].name);
    l->common[i] = offset;
    l->part_size[PART_DATA] = offset + size;
    return OBJECT_OK;
}

static enum object_status check_symbol(struct loading *l, size_t i)
{
    const Elf64_Sym *s = &l->sym[i];
    if (s->st_name >= l->names_size)
        return damaged(l, "a symbol's name");
    l->symbol[i].name = l->names + s->st_name;
    unsigned type = ELF64_ST_TYPE(s->st_info), section = s->st_shndx;
    if (type == STT_TLS || type == STT_GNU_IFUNC)
        return refuse_object(l, OBJECT_UNSUPPORTED, "%s is thread-local or an indirect function",
                             l->symbol[i].name);
    if (section == SHN_COMMON)
        return place_common(l, i);
    if (section == SHN_UNDEF || section == SHN_ABS)
        return OBJECT_OK;
    if (section >= SHN_LORESERVE)
        return refuse_object(l, OBJECT_UNSUPPORTED, "%s is in section %#x", l->symbol[i].name,
                             section);
    if (section >= l->header.e_shnum || s->st_value > l->shdr[section].sh_size)
        return damaged(l, "a symbol lies outside its section");
    return OBJECT_OK;
}

static enum object_status read_symbols(struct loading *l)
{
    const Elf64_Shdr *table = find_symbol_table(l);
    if (!table)
        return damaged(l, "no symbols");
    if (table->sh_entsize != sizeof(Elf64_Sym) || table->sh_link >= l->header.e_shnum)
        return damaged(l, "symbol table");
    const Elf64_Shdr *names = &l->shdr[table->sh_link];
    if (names->sh_type != SHT_STRTAB || names->sh_size == 0
        || l->image[names->sh_offset + names->sh_size - 1] != 0)
        return damaged(l, "names of the symbols");
    l->names = (const char *)l->image + names->sh_offset;
    l->names_size = names->sh_size;
    l->symbols = table->sh_size / sizeof(Elf64_Sym);
    l->sym = calloc(l->symbols + 1, sizeof *l->sym);
    l->symbol = calloc(l->symbols + 1, sizeof *l->symbol);
    l->common = calloc(l->symbols + 1, sizeof *l->common);
    if (!l->sym || !l->symbol || !l->common)
        return no_memory(l);
    memcpy(l->sym, l->image + table->sh_offset, l->symbols * sizeof *l->sym);
    for (size_t i = 0; i < l->symbols; i++) {
        enum object_status status = check_symbol(l, i);
        if (status != OBJECT_OK)
            return status;
    }
    return OBJECT_OK;
}

/* Maps the image, still writable, with the sections in their places. */
static enum object_status map_image(struct loading *l)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), total = 0;
    l->stubs_at = (l->part_size[PART_CODE] + STUB_SIZE - 1) / STUB_SIZE * STUB_SIZE;
    l->part_size[PART_CODE] = l->stubs_at + STUB_SIZE * l->symbols;
    l->entries_at = (l->part_size[PART_CONSTANT] + ENTRY_SIZE - 1) / ENTRY_SIZE * ENTRY_SIZE;
    l->part_size[PART_CONSTANT] = l->entries_at + ENTRY_SIZE * l->symbols;
    for (int part = 0; part < PARTS; part++) {
        l->part_at[part] = total;
        l->part_size[part] = (l->part_size[part] + page - 1) / page * page;
        total += l->part_size[part];
    }
    void *base = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return no_memory(l);
    l->object->base = base;
    l->object->size = total;
    for (size_t i = 0; i < l->header.e_shnum; i++) {
        const struct section *s = &l->section[i];
        if (s->part != PART_NONE && l->shdr[i].sh_type != SHT_NOBITS && l->shdr[i].sh_size)
            memcpy(l->object->base + l->part_at[s->part] + s->offset,
                   l->image + l->shdr[i].sh_offset, l->shdr[i].sh_size);
    }
    return OBJECT_OK;
}

/* Finds the symbols that the object itself defines. */
static void place_symbols(struct loading *l)
{
    uint64_t base = (uint64_t)(uintptr_t)l->object->base;
    for (size_t i = 0; i < l->symbols; i++) {
        struct symbol *symbol = &l->symbol[i];
        unsigned at = l->sym[i].st_shndx;
        symbol->defined = at != SHN_UNDEF;
        symbol->loaded = true;
        if (at == SHN_ABS)
            symbol->address = l->sym[i].st_value;
        else if (at == SHN_COMMON)
            symbol->address = base + l->part_at[PART_DATA] + l->common[i];
        else if (at != SHN_UNDEF && l->section[at].part != PART_NONE)
            symbol->address =
                base + l->part_at[l->section[at].part] + l->section[at].offset + l->sym[i].st_value;
        else
            symbol->loaded = at == SHN_UNDEF;
    }
}

typedef enum object_status relocation_visitor(struct loading *l, size_t section,
                                              const Elf64_Rela *rela);

/* Calls visit for each relocation of a loaded section. */
static enum object_status each_relocation(struct loading *l, relocation_visitor *visit)
{
    for (size_t i = 0; i < l->header.e_shnum; i++) {
        const Elf64_Shdr *s = &l->shdr[i];
        if (s->sh_type != SHT_RELA && s->sh_type != SHT_REL)
            continue;
        if (s->sh_info >= l->header.e_shnum)
            return damaged(l, "relocations of no section");
        if (l->section[s->sh_info].part == PART_NONE)
            continue;
        if (s->sh_type == SHT_REL || s->sh_entsize != sizeof(Elf64_Rela))
            return refuse_object(l, OBJECT_UNSUPPORTED, "relocations without addends");
        for (size_t at = 0; at + sizeof(Elf64_Rela) <= s->sh_size; at += sizeof(Elf64_Rela)) {
            Elf64_Rela rela;
            memcpy(&rela, l->image + s->sh_offset + at, sizeof rela);
            /* the same number for every machine */
            if (ELF64_R_TYPE(rela.r_info) == R_X86_64_NONE)
                continue;
            enum object_status status = visit(l, s->sh_info, &rela);
            if (status != OBJECT_OK)
                return status;
        }
    }
    return OBJECT_OK;
}

static enum object_status check_relocation(struct loading *l, size_t section,
                                           const Elf64_Rela *rela)
{
    const Elf64_Shdr *s = &l->shdr[section];
    unsigned type = (unsigned)ELF64_R_TYPE(rela->r_info);
    size_t symbol = ELF64_R_SYM(rela->r_info);
    unsigned size = relocation_size(MACHINE, type);
    if (size == 0)
        return refuse_object(l, OBJECT_UNSUPPORTED, "relocation of type %u", type);
    if (s->sh_type == SHT_NOBITS || rela->r_offset > s->sh_size
        || size > s->sh_size - rela->r_offset)
        return damaged(l, "a relocation lies outside its section");
    if (symbol >= l->symbols)
        return damaged(l, "a relocation for no symbol");
    if (!l->symbol[symbol].loaded)
        return refuse_object(l, OBJECT_UNSUPPORTED,
                             "relocation against a section that is not loaded");
    l->symbol[symbol].used = true;
    return OBJECT_OK;
}

static enum object_status resolve_symbols(struct loading *l, object_visitor *visit,
                                          object_resolver *resolve, void *data)
{
    for (size_t i = 1; visit && i < l->symbols; i++)
        if (l->symbol[i].used && !l->symbol[i].defined)
            visit(data, l->symbol[i].name);
    for (size_t i = 1; i < l->symbols; i++) {
        struct symbol *symbol = &l->symbol[i];
        if (!symbol->used || symbol->defined)
            continue;
        symbol->address = (uint64_t)(uintptr_t)resolve(data, symbol->name);
        if (symbol->address == 0 && ELF64_ST_BIND(l->sym[i].st_info) != STB_WEAK)
            return refuse_object(
                l, OBJECT_UNRESOLVED,
                "%s is not to be found in this process nor in the C, mathematical and "
                "OpenMP libraries",
                symbol->name);
    }
    return OBJECT_OK;
}

/* Writes a jump to the address that follows the jump. */
static void write_stub(unsigned char *stub, uint64_t address)
{
    static const unsigned char x86_64[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip) */
    /* ldr x16, .+8; br x16 */
    static const unsigned char aarch64[] = {0x50, 0, 0, 0x58, 0, 2, 0x1f, 0xd6};
    size_t n = MACHINE == EM_X86_64 ? sizeof x86_64 : sizeof aarch64;
    memcpy(stub, MACHINE == EM_X86_64 ? x86_64 : aarch64, n);
    memcpy(stub + n, &address, sizeof address);
}

static size_t stub_offset(const struct loading *l, size_t symbol)
{
    return l->part_at[PART_CODE] + l->stubs_at + STUB_SIZE * symbol;
}

static size_t entry_offset(const struct loading *l, size_t symbol)
{
    return l->part_at[PART_CONSTANT] + l->entries_at + ENTRY_SIZE * symbol;
}

static void write_stubs(struct loading *l)
{
    for (size_t i = 1; i < l->symbols; i++) {
        if (!l->symbol[i].used)
            continue;
        write_stub(l->object->base + stub_offset(l, i), l->symbol[i].address);
        memcpy(l->object->base + entry_offset(l, i), &l->symbol[i].address, ENTRY_SIZE);
    }
}

static enum object_status relocate(struct loading *l, size_t section, const Elf64_Rela *rela)
{
    size_t symbol = ELF64_R_SYM(rela->r_info);
    uint64_t base = (uint64_t)(uintptr_t)l->object->base;
    size_t offset =
        l->part_at[l->section[section].part] + l->section[section].offset + rela->r_offset;
    struct relocation r = {
        .machine = MACHINE,
        .type = (unsigned)ELF64_R_TYPE(rela->r_info),
        .place = l->object->base + offset,
        .at = base + offset,
        .symbol = l->symbol[symbol].address,
        .stub = base + stub_offset(l, symbol),
        .entry = base + entry_offset(l, symbol),
        .addend = rela->r_addend,
        .undefined = symbol != 0 && !l->symbol[symbol].defined,
    };
    if (!relocation_apply(&r))
        return refuse_object(l, OBJECT_UNSUPPORTED, "relocation of type %u for %s does not reach",
                             r.type, l->symbol[symbol].name);
    return OBJECT_OK;
}

static enum object_status protect(struct loading *l)
{
    static const int protection[PARTS] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
    unsigned char *base = l->object->base;
    for (int part = 0; part < PARTS; part++)
        if (l->part_size[part]
            && mprotect(base + l->part_at[part], l->part_size[part], protection[part]) != 0)
            return refuse_object(
                l, OBJECT_UNSUPPORTED,
                "this system does not let a process make its own memory executable");
    __builtin___clear_cache((char *)base, (char *)base + l->part_size[PART_CODE]);
    return OBJECT_OK;
}

static bool is_export(const struct loading *l, size_t i)
{
    unsigned type = ELF64_ST_TYPE(l->sym[i].st_info),
             visibility = ELF64_ST_VISIBILITY(l->sym[i].st_other);
    return ELF64_ST_BIND(l->sym[i].st_info) != STB_LOCAL && l->symbol[i].defined
           && l->symbol[i].loaded && (visibility == STV_DEFAULT || visibility == STV_PROTECTED)
           && (type == STT_FUNC || type == STT_OBJECT || type == STT_COMMON || type == STT_NOTYPE);
}

static enum object_status export_symbols(struct loading *l)
{
    struct object *object = l->object;
    size_t n = 0;
    for (size_t i = 1; i < l->symbols; i++)
        n += is_export(l, i);
    object->export = calloc(n + 1, sizeof *object->export);
    if (!object->export)
        return no_memory(l);
    for (size_t i = 1; i < l->symbols; i++) {
        if (!is_export(l, i))
            continue;
        struct export *export = &object->export[object->exports];
        export->name = strdup(l->symbol[i].name);
        export->address = (void *)(uintptr_t)l->symbol[i].address;
        if (!export->name)
            return no_memory(l);
        object->exports++;
    }
    return OBJECT_OK;
}

static enum object_status load_sections(struct loading *l, object_visitor *visit,
                                        object_resolver *resolve, void *data)
{
    enum object_status status;
    if ((status = read_header(l)) != OBJECT_OK || (status = read_sections(l)) != OBJECT_OK
        || (status = read_symbols(l)) != OBJECT_OK || (status = map_image(l)) != OBJECT_OK)
        return status;
    place_symbols(l);
    if ((status = each_relocation(l, check_relocation)) != OBJECT_OK
        || (status = resolve_symbols(l, visit, resolve, data)) != OBJECT_OK)
        return status;
    write_stubs(l);
    if ((status = each_relocation(l, relocate)) != OBJECT_OK || (status = protect(l)) != OBJECT_OK)
        return status;
    return export_symbols(l);
}

enum object_status object_load(const void *image, size_t size, object_visitor *visit,
                               object_resolver *resolve, void *data, struct object **object,
                               char **error)
{
    struct loading l = {.image = image, .size = size, .object = calloc(1, sizeof(struct object))};
    enum object_status status = l.object ? load_sections(&l, visit, resolve, data) : no_memory(&l);
    free(l.shdr);
    free(l.section);
    free(l.sym);
    free(l.symbol);
    free(l.common);
    if (status == OBJECT_OK) {
        *object = l.object;
    } else {
        object_free(l.object);
        *error = l.error;
    }
    return status;
}

void *object_symbol(const struct object *object, const char *name)
{
    for (size_t i = 0; i < object->exports; i++)
        if (strcmp(object->export[i].name, name) == 0)
            return object->export[i].address;
    return NULL;
}

void object_free(struct object *object)
{
    if (!object)
        return;
    for (size_t i = 0; i < object->exports; i++)
        free(object->export[i].name);
    free(object->export);
    if (object->base)
        munmap(object->base, object->size);
    free(object);
}
