/* names.c - the named formats, and what each stands for.
 *
 * The parser, docs/formats.md and the help use this one table.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/names.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/format/format.h"

#define ANY_ORDER(called, low, about, level_of_vector, level, levels, level_of_last)           \
    {                                                                                          \
        .name = called, .order_min = low, .order_max = ORDER_MAX, .usage = "", .brief = about, \
        .only = level_of_vector, .first = level, .middle = levels, .last = level_of_last       \
    }
#define MATRIX(called, takes, n, zero, about, stands_for)                                \
    {                                                                                    \
        .name = called, .order_min = 2, .order_max = 2, .usage = takes, .parameters = n, \
        .not_zero = zero, .brief = about, .expansion = stands_for                        \
    }
#define ROWS_AND_COLUMNS "a block has at least one row and column"
/* Elements have u8 coordinates. */
#define BLOCKS(called, low, takes, listed, others, about)                                          \
    {                                                                                              \
        .name = called, .order_min = low, .order_max = ORDER_MAX, .usage = takes, .parameters = 1, \
        .largest = 256, .brief = about, .modes = listed, .in_blocks = others                       \
    }

#define NONUNIQUE "compressed(nonunique)"

const struct format_name format_names[] = {
    ANY_ORDER("dense", 0, "every component, row-major (dense:1,0 is column-major)", "dense",
              "dense", "dense", "dense"),
    ANY_ORDER("sparse", 1, "every level compressed", "compressed", "compressed", "compressed",
              "compressed"),
    ANY_ORDER("coo", 1, "a list of coordinates", "compressed", NONUNIQUE, "singleton(nonunique)",
              "singleton"),
    ANY_ORDER("csf", 1, "compressed sparse fibers: a tree of coordinates", "compressed",
              "compressed", "compressed", "compressed"),
    ANY_ORDER("hash", 1, "every level a hash table", "hashed", "hashed", "hashed", "hashed"),
    ANY_ORDER("dok", 1, "a dictionary of keys: the same as hash", "hashed", "hashed", "hashed",
              "hashed"),
    ANY_ORDER("bitmap", 1, "every component, with a flag if it is stored", "bitmap", "dense",
              "dense", "bitmap"),
    {.name = "mode-generic",
     .order_min = 2,
     .order_max = ORDER_MAX,
     .usage = "",
     .brief = "a list of coordinates of dense fibers",
     .first_of_two = "compressed",
     .first = NONUNIQUE,
     .middle = "singleton",
     .last = "dense"},
    {.name = "fibers",
     .order_min = 2,
     .order_max = ORDER_MAX,
     .usage = "",
     .brief = "a list of coordinates of sparse fibers",
     .first_of_two = "compressed",
     .first = NONUNIQUE,
     .middle = "singleton",
     .last = "compressed"},
    {.name = "fibers",
     .order_min = 2,
     .order_max = ORDER_MAX,
     .usage = "(t)",
     .parameters = 1,
     .not_zero = "a fiber holds at least one coordinate",
     .brief = "the same, and no fiber is longer than t: a longer one is several",
     .first = NONUNIQUE,
     .middle = "singleton(nonunique)",
     .last = "compressed(most=$1)"},
    {.name = "bcsf",
     .order_min = 2,
     .order_max = ORDER_MAX,
     .usage = "(t)",
     .parameters = 1,
     .not_zero = "a fiber holds at least one coordinate",
     .brief = "csf of which no fiber is longer than t: a longer one is several",
     .first = "compressed",
     .middle = "compressed",
     .before_last = NONUNIQUE,
     .last = "compressed(most=$1)"},
    {.name = "scoo",
     .order_min = 2,
     .order_max = ORDER_MAX,
     .usage = "(m,...)",
     .brief = "a list of coordinates, below which these modes are dense",
     .modes = FORMAT_DENSE},
    BLOCKS("hicoo", 1, "(b)", FORMAT_NO_MODES, true,
           "a list of blocks of b coordinates a mode, each a list of elements"),
    BLOCKS("ghicoo", 1, "(b; m,...)", FORMAT_BLOCKED, false,
           "a list of blocks of these modes, each a list of elements"),
    BLOCKS("shicoo", 2, "(b; m,...)", FORMAT_DENSE, true,
           "a list of blocks, each a list of elements that are dense in these modes"),
    MATRIX("csr", "", 0, NULL, "compressed sparse rows", "(i,j) -> (i : dense, j : compressed)"),
    MATRIX("csc", "", 0, NULL, "compressed sparse columns", "(i,j) -> (j : dense, i : compressed)"),
    MATRIX("dcsr", "", 0, NULL, "compressed sparse rows, without empty rows",
           "(i,j) -> (i : compressed, j : compressed)"),
    MATRIX("dcsc", "", 0, NULL, "compressed sparse columns, without empty columns",
           "(i,j) -> (j : compressed, i : compressed)"),
    MATRIX("bcsr", "(r,c)", 2, ROWS_AND_COLUMNS, "compressed sparse rows of dense r by c blocks",
           "(i,j) -> (i/$1 : dense, j/$2 : compressed, i%$1 : dense, j%$2 : dense)"),
    MATRIX("bcsc", "(r,c)", 2, ROWS_AND_COLUMNS, "compressed sparse columns of dense r by c blocks",
           "(i,j) -> (j/$2 : dense, i/$1 : compressed, i%$1 : dense, j%$2 : dense)"),
    MATRIX("csb", "(b)", 1, ROWS_AND_COLUMNS, "a grid of b by b blocks, each a list of coordinates",
           "(i,j) -> (i/$1 : dense, j/$1 : dense, i%$1 : compressed(nonunique), j%$1 : singleton)"),
    MATRIX("dia", "", 0, NULL, "the diagonals with stored components",
           "(i,j) -> (j-i : compressed, i : range, j : offset)"),
    MATRIX("ell", "", 0, NULL, "the same number of stored components in every row",
           "(i,j) -> (i : dense, j : padded)"),
    MATRIX("sell", "(c)", 1, "a slice has at least one row",
           "slices of so many rows, each as long as its longest row",
           "(i,j) -> (i/$1 : dense, i%$1 : ragged, j : singleton(padded))"),
};

const int format_names_count = sizeof format_names / sizeof *format_names;

const struct format_name *format_name_find(const char *name, size_t n)
{
    for (int i = 0; i < format_names_count; i++)
        if (strlen(format_names[i].name) == n && memcmp(format_names[i].name, name, n) == 0)
            return &format_names[i];
    return NULL;
}

const struct format_name *format_name_with_parameters(const struct format_name *name)
{
    for (int i = 0; i < format_names_count; i++)
        if (format_names[i].parameters > 0 && strcmp(format_names[i].name, name->name) == 0)
            return &format_names[i];
    return name;
}

static const char *level_of(const struct format_name *name, int k, int order)
{
    if (order == 1)
        return name->only;
    if (k == order - 2 && name->before_last)
        return name->before_last;
    if (k == 0)
        return order == 2 && name->first_of_two ? name->first_of_two : name->first;
    return k < order - 1 ? name->middle : name->last;
}

void format_mode_name(struct text *out, int order, int mode)
{
    if (order <= 'z' - 'i' + 1)
        text_printf(out, "%c", 'i' + mode);
    else
        text_printf(out, "d%d", mode);
}

static void add_with_parameters(struct text *out, const char *expansion,
                                const struct format_arguments *arguments)
{
    for (const char *s = expansion; *s; s++) {
        if (*s == '$')
            text_add(out, arguments->parameter[*++s - '1']);
        else
            text_addn(out, s, 1);
    }
}

/* ---- lists of blocks and of elements ---- */

struct expanding {
    struct text out;
    int order;
    const char *size;        /* of the blocks */
    uint32_t blocked, dense; /* modes */
    bool lexicographic;
};

/* Begins a level that stores the mode or, with an operator, its blocks or the places in them. */
static void begin_level(struct expanding *e, int mode, const char *operator)
{
    text_add(&e->out, e->out.at[e->out.n - 1] == '(' ? "" : ", ");
    format_mode_name(&e->out, e->order, mode);
    text_printf(&e->out, "%s%s : ", operator, * operator? e->size : "");
}

static void add_options(struct text *out, const char *const *option, int options)
{
    int added = 0;
    for (int o = 0; o < options; o++)
        if (*option[o])
            text_printf(out, "%s%s", added++ ? ", " : "(", option[o]);
    text_add(out, added ? ")" : "");
}

/* Adds a list of coordinates below one parent.  A list of blocks has positions of more than 32
 * bits.  Modes with blocks come first. */
static void add_list(struct expanding *e, uint32_t modes, const char *operator)
{
    const bool only = !(modes & (modes - 1)), morton = *operator== '/' && !e->lexicographic;
    bool first = true;
    for (int pass = 0; pass < 2; pass++)
        for (int mode = 0; mode < e->order; mode++) {
            bool blocked = e->blocked >> mode & 1;
            if (!(modes >> mode & 1) || blocked != (pass == 0))
                continue;
            const char *option[] = {
                first && !only ? "nonunique" : "", first && !only && morton ? "morton" : "",
                first && e->blocked ? "pos=u64" : "", blocked && *operator== '%' ? "crd=u8" : "" };
            begin_level(e, mode, blocked ? operator : "");
            text_add(&e->out, first ? "compressed" : "singleton");
            add_options(&e->out, option, 4);
            first = false;
        }
}

static void add_lists(struct expanding *e)
{
    uint32_t all = (uint32_t)((UINT64_C(1) << e->order) - 1);
    if (e->blocked)
        add_list(e, e->blocked, "/");
    add_list(e, all & ~e->dense, "%");
    for (int mode = 0; mode < e->order; mode++)
        if (e->dense >> mode & 1) {
            begin_level(e, mode, "");
            text_add(&e->out, "dense");
        }
}

const char *format_name_expand(struct arena *arena, const struct format_name *name, int order,
                               const struct format_arguments *arguments)
{
    struct expanding e = {.out = text_new(arena),
                          .order = order,
                          .size = arguments->parameter[0],
                          .lexicographic = arguments->lexicographic};
    if (name->expansion) {
        add_with_parameters(&e.out, name->expansion, arguments);
        return e.out.at;
    }
    text_add(&e.out, "(");
    for (int k = 0; k < order; k++) {
        text_add(&e.out, k ? "," : "");
        format_mode_name(&e.out, order, k);
    }
    text_add(&e.out, ") -> (");
    uint32_t all = (uint32_t)((UINT64_C(1) << order) - 1);
    e.dense = name->modes == FORMAT_DENSE ? arguments->modes : 0;
    e.blocked = name->in_blocks                 ? all & ~arguments->modes
                : name->modes == FORMAT_BLOCKED ? arguments->modes
                                                : 0;
    for (int k = 0; k < order && name->last; k++) {
        begin_level(&e, k, "");
        add_with_parameters(&e.out, level_of(name, k, order), arguments);
    }
    if (!name->last)
        add_lists(&e);
    text_add(&e.out, ")");
    return e.out.at;
}
