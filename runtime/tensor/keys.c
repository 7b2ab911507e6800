/* keys.c - entries as keys: makes them, and adds the values of duplicates; sort.c sorts them.
 *
 * If a list may be consumed, its arrays become those of the keys.  The words overwrite those of a
 * packed list, which may be the same words, or the first columns, each entry after its coordinates
 * have been read.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/keys.h"

#include <stdatomic.h>
#include <string.h>

#include "compiler/format/map.h"
#include "runtime/tensor/alloc.h"
#include "runtime/threads/threads.h"

/* ---- the parts of a key ---- */

/* Adds a part of this many bits, within one word. */
static struct key_part add_part(struct keys *keys, int bits, int64_t low)
{
    if (keys->bits[keys->last] + bits > KEY_BITS)
        keys->last++;
    keys->bits[keys->last] += bits;
    return (struct key_part){
        .word = keys->last, .bits = bits, .low = low, .shift = keys->bits[keys->last]};
}

/* Puts the part behind those before it; its bits belong to the level. */
static void place_part(struct keys *keys, struct key_part *part, int level)
{
    part->shift = part->bits ? keys->bits[part->word] - part->shift : 0;
    for (int b = 0; b < part->bits; b++)
        keys->level[part->word][part->shift + b] = (unsigned char)level;
}

/* Adds the bits of levels in Morton order, the highest first. */
static void add_turns(struct keys *keys, const struct format *format, const int64_t *dimension)
{
    int bits = 0;
    for (int k = 0; k < keys->morton; k++) {
        int64_t low, size;
        map_range(format->level[k].map, dimension, &low, &size);
        bits = coords_bits(size) > bits ? coords_bits(size) : bits;
    }
    for (int most = keys->morton ? KEY_BITS / keys->morton : 0; bits > 0;) {
        int planes = bits < most ? bits : most;
        bits -= planes;
        keys->turn[keys->turns++] =
            (struct key_turns){add_part(keys, planes * keys->morton, 0), bits, planes};
    }
}

static void lay_out(struct keys *keys, const struct coords *coords, const struct format *format)
{
    keys->levels = format ? format->levels : coords->order;
    keys->first = keys->last = 1;
    keys->morton = format ? format_morton(format) : 0;
    add_turns(keys, format, coords->dimension);
    for (int k = 0; k < keys->levels; k++) {
        int64_t low = 0, size = coords->dimension[k < coords->order ? k : 0];
        if (format)
            map_range(format->level[k].map, coords->dimension, &low, &size);
        keys->part[k] = add_part(keys, coords_bits(size), low);
    }
    for (int t = 0; t < keys->turns; t++)
        place_part(keys, &keys->turn[t].part, 0);
    for (int k = 0; k < keys->levels; k++)
        place_part(keys, &keys->part[k], k);
}

void keys_tells(const struct format *format, int *tells)
{
    int last = 0;
    for (int k = 0; k < format->levels; k++) {
        int tell = k;
        while (!level_has(&format->level[k], LEVEL_UNIQUE) && tell + 1 < format->levels
               && level_has(&format->level[tell + 1], LEVEL_BRANCHLESS))
            tell++;
        tells[k] = last = tell > last ? tell : last;
    }
}

bool keys_may_begin(const struct format *format, const int *tells, int differs)
{
    for (int k = 1; k < format->levels; k++)
        if (format->level[k].most && differs > tells[k - 1])
            return false;
    return true;
}

void keys_split(const struct format *format, const int *tells, int64_t n, unsigned char *differs)
{
    for (int k = format->levels; k-- > 1;) { /* a parent may have a level above it */
        const int64_t most = format->level[k].most;
        int64_t children = 0;
        for (int64_t i = 0; i < n && most; i++) {
            if (differs[i] > tells[k])
                continue;
            if (i == 0 || differs[i] <= tells[k - 1])
                children = 0;
            if (children == most) {
                differs[i] = (unsigned char)(k - 1);
                children = 0;
            }
            children++;
        }
    }
}

/* ---- making keys ---- */

enum { SPREAD_BITS = 8 };

struct making {
    struct keys *keys;
    const struct coords *coords;
    const struct map_expr *map[LEVELS_MAX]; /* NULL: the level stores the mode with its number */
    const void *vals;                       /* to be copied, or NULL */
    uint64_t spread[1 << SPREAD_BITS];      /* a byte's bits with gaps for other levels' */
    int64_t blocks;
    atomic_bool unsorted;
    atomic_bool disordered[LEVELS_MAX]; /* by the bits of a level and those below */
};

/* The numbers made at once for some entries: what the stack of a thread can hold. */
enum { NUMBERS = 16 * MAP_BLOCK };

/* Are the coordinates of an entry adjacent? */
static bool has_rows(const struct coords *coords) { return coords->lent || coords->packed; }

/* Returns the number of those entries: each needs its words, a number, and coordinates if the list
 * has rows. */
static int entries_at_once(const struct making *m)
{
    int each = m->keys->last - m->keys->first + 2 + (has_rows(m->coords) ? m->coords->order : 0);
    return NUMBERS / each < MAP_BLOCK ? NUMBERS / each : MAP_BLOCK;
}

/* Finds the coordinates of n entries from `begin` on as columns: those of the list, or copies in
 * `room` if the list has rows.  Returns where the columns begin. */
static int64_t find_columns(const struct coords *coords, int64_t begin, int n, int64_t *room,
                            int64_t *column[ORDER_MAX])
{
    const bool rows = has_rows(coords);
    for (int m = 0; m < coords->order; m++) {
        column[m] = rows ? room + m * n : coords->coordinate[m];
        for (int i = 0; coords->packed && i < n; i++)
            column[m][i] = coords_of_word(coords, m, coords->word[begin + i]);
        for (int i = 0; coords->lent && i < n; i++)
            column[m][i] = coords->lent[(begin + i) * coords->order + m];
    }
    return rows ? 0 : begin;
}

/* Puts a level that stores a mode into the words of n entries from `begin` on. */
static void add_mode(const struct coords *coords, int mode, const struct key_part *part,
                     int64_t begin, int n, uint64_t *word)
{
    const uint64_t low = (uint64_t)part->low;
    const int shift = part->shift;
    if (coords->packed) {
        for (int i = 0; i < n; i++)
            word[i] |= ((uint64_t)coords_of_word(coords, mode, coords->word[begin + i]) - low)
                       << shift;
        return;
    }
    const int64_t step = coords->lent ? coords->order : 1,
                  *from = coords->lent ? coords->lent + begin * step + mode
                                       : coords->coordinate[mode] + begin;
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        word[i] |= ((uint64_t)from[i * step] - low) << shift;
}

/* The same for a level that stores a function of the modes. */
static void add_mapped(const struct making *m, const struct map_expr *map,
                       const struct key_part *part, int64_t begin, int n, int64_t *room,
                       uint64_t *word)
{
    int64_t *column[ORDER_MAX];
    int64_t at = find_columns(m->coords, begin, n, room + n, column);
    map_values(map, column, at, n, room);
    for (int i = 0; i < n; i++)
        word[i] |= ((uint64_t)room[i] - (uint64_t)part->low) << part->shift;
}

/* Spreads the bits of each byte. */
static void fill_spread(struct making *m)
{
    const int levels = m->keys->morton;
    for (uint64_t bits = 0; bits < 1 << SPREAD_BITS && levels > 0; bits++)
        for (int bit = 0; bit < SPREAD_BITS && bit * levels < KEY_BITS; bit++)
            m->spread[bits] |= (bits >> bit & 1) << bit * levels;
}

/* Puts the bits that levels in Morton order take in turns into the words. */
static void add_in_turns(const struct making *m, const struct key_turns *turn, int64_t begin, int n,
                         int64_t *room, uint64_t *word)
{
    const int levels = m->keys->morton;
    const uint64_t mask = UINT64_MAX >> (KEY_BITS - turn->planes);
    int64_t *column[ORDER_MAX];
    for (int k = 0; k < levels; k++) {
        int64_t at = find_columns(m->coords, begin, n, room + n, column);
        map_values(m->map[k], column, at, n, room);
        for (int i = 0; i < n; i++) {
            uint64_t bits = (uint64_t)room[i] >> turn->low & mask;
            for (int to = turn->part.shift + levels - 1 - k; bits; to += SPREAD_BITS * levels) {
                word[i] |= m->spread[bits % (1 << SPREAD_BITS)] << to;
                bits >>= SPREAD_BITS;
            }
        }
    }
}

/* Makes the keys of n entries from `begin` on, as many as are made at once, and writes them when
 * all are made. */
static void make_some(const struct making *m, int64_t begin, int n)
{
    struct keys *keys = m->keys;
    int made = keys->last - keys->first + 1;
    int64_t numbers[NUMBERS], *room = numbers + (int64_t)made * n;
    uint64_t *word = (uint64_t *)numbers;
    memset(word, 0, (size_t)made * (size_t)n * sizeof *word);
    for (int t = 0; t < keys->turns; t++)
        add_in_turns(m, &keys->turn[t], begin, n, room,
                     word + (int64_t)(keys->turn[t].part.word - keys->first) * n);
    for (int k = 0; k < keys->levels; k++) {
        const struct key_part *part = &keys->part[k];
        const struct map_expr *map = m->map[k];
        uint64_t *to = word + (int64_t)(part->word - keys->first) * n;
        if (map && map->kind != MAP_MODE)
            add_mapped(m, map, part, begin, n, room, to);
        else
            add_mode(m->coords, map ? map->mode : k, part, begin, n, to);
    }
    for (int w = 0; w < made; w++)
        memcpy(keys->word[keys->first + w] + begin, word + (int64_t)w * n,
               (size_t)n * sizeof *word);
}

static void make_block(void *data, int64_t block, int worker)
{
    struct making *m = data;
    (void)worker;
    int64_t begin = threads_begin(m->keys->n, m->blocks, block),
            end = threads_begin(m->keys->n, m->blocks, block + 1);
    int most = entries_at_once(m);
    for (int64_t i = begin; i < end; i += most)
        make_some(m, i, (int)(end - i < most ? end - i : most));
    size_t size = type_size(m->keys->type), first = (size_t)begin * size;
    if (m->vals && end > begin)
        memcpy((char *)m->keys->vals + first, (const char *)m->vals + first,
               (size_t)(end - begin) * size);
}

static bool is_before(const struct keys *keys, int64_t a, int64_t b)
{
    for (int w = keys->first; w <= keys->last; w++)
        if (keys->word[w][a] != keys->word[w][b])
            return keys->word[w][a] < keys->word[w][b];
    return false;
}

/* Are the entries in order by this level and those below, all of them in the last word? */
static bool is_ordered(const struct keys *keys, int level, int64_t begin, int64_t end)
{
    const struct key_part *part = &keys->part[level];
    const uint64_t *word = keys->word[keys->last];
    const uint64_t mask = UINT64_MAX >> (KEY_BITS - part->shift - part->bits);
    for (int64_t i = begin; i < end; i++)
        if ((word[i] & mask) < (word[i - 1] & mask))
            return false;
    return true;
}

/* Has the level bits in the last word? */
static bool is_in_last(const struct keys *keys, int level)
{
    return keys->part[level].word == keys->last && keys->part[level].bits > 0;
}

static void check_block(void *data, int64_t block, int worker)
{
    struct making *m = data;
    const struct keys *keys = m->keys;
    (void)worker;
    int64_t begin = threads_begin(keys->n, m->blocks, block),
            end = threads_begin(keys->n, m->blocks, block + 1);
    begin = begin > 0 ? begin : 1;
    for (int64_t i = begin; i < end; i++)
        if (is_before(keys, i, i - 1)) {
            atomic_store(&m->unsorted, true);
            break;
        }
    for (int k = 0; k < keys->levels; k++)
        if (is_in_last(keys, k) && !atomic_load(&m->disordered[k])
            && !is_ordered(keys, k, begin, end))
            atomic_store(&m->disordered[k], true);
}

/* Sorts the keys, unless they are in order. */
static enum rt_status sort_if_needed(struct making *m, int threads, struct rt_error *error)
{
    struct keys *keys = m->keys;
    threads_run(threads, m->blocks, check_block, m);
    keys->ordered = 0;
    for (int k = keys->levels - 1; k >= 0; k--)
        if (is_in_last(keys, k) && !atomic_load(&m->disordered[k]))
            keys->ordered = keys->part[k].shift + keys->part[k].bits;
    return atomic_load(&m->unsorted) ? keys_sort(keys, threads, error) : RT_OK;
}

/* Returns the list's array that becomes word w of the keys, or NULL. */
static uint64_t *list_array(const struct coords *coords, int w)
{
    if (coords->packed)
        return w == 0 ? coords->word : NULL;
    return w < coords->order ? (uint64_t *)coords->coordinate[w] : NULL;
}

/* Makes arrays for words and values; consumes the list's, as far as they suffice. */
static bool take_arrays(struct keys *keys, struct coords *coords, bool taken)
{
    size_t size = type_size(keys->type);
    bool all = true;
    for (int w = keys->first; w <= keys->last; w++) {
        uint64_t *has = taken ? list_array(coords, w - keys->first) : NULL;
        keys->word[w] = has ? has : rt_array(keys->n, sizeof *has);
        all &= keys->word[w] != NULL;
    }
    keys->vals = taken && coords->vals ? coords->vals : rt_array(keys->n, size);
    return all && keys->vals;
}

/* Removes the arrays that have become the keys' from the list, and frees the rest. */
static void empty_list(const struct keys *keys, struct coords *coords)
{
    for (int m = 0; m < coords->order; m++) {
        if (keys->first + m > keys->last
            || (uint64_t *)coords->coordinate[m] != keys->word[keys->first + m])
            free(coords->coordinate[m]);
        coords->coordinate[m] = NULL;
    }
    if (coords->word != keys->word[keys->first])
        free(coords->word);
    coords->word = NULL;
    if (coords->vals != keys->vals)
        free(coords->vals);
    coords->vals = NULL;
    coords->lent = NULL;
    coords->lent_vals = NULL;
    coords->n = coords->capacity = 0;
}

/* Is a word of the packed list, consumed with its values, the key bit by bit? */
static bool is_key(const struct making *m)
{
    const struct keys *keys = m->keys;
    const struct coords *coords = m->coords;
    bool same = coords->packed && keys->first == keys->last && keys->levels == coords->order
                && keys->turns == 0 && keys->word[keys->first] == coords->word;
    for (int k = 0; k < keys->levels && same; k++) {
        const struct key_part *part = &keys->part[k];
        int mode = m->map[k] ? m->map[k]->mode : k;
        same = (!m->map[k] || m->map[k]->kind == MAP_MODE) && part->low == 0
               && part->shift == coords->shift[mode] && part->bits == coords->bits[mode];
    }
    return same;
}

enum rt_status keys_make(struct keys *keys, struct coords *coords, const struct format *format,
                         bool taken, int threads, struct rt_error *error)
{
    *keys = (struct keys){.n = coords->n, .type = coords->type};
    lay_out(keys, coords, format);
    struct making m = {.keys = keys, .coords = coords, .blocks = keys_blocks(keys->n)};
    fill_spread(&m);
    for (int k = 0; format && k < keys->levels; k++)
        m.map[k] = format->level[k].map;
    bool made = take_arrays(keys, coords, taken);
    if (keys->vals != coords->vals)
        m.vals = coords->lent_vals ? coords->lent_vals : coords->vals;
    if (made && !is_key(&m))
        threads_run(threads, m.blocks, make_block, &m);
    if (taken)
        empty_list(keys, coords);
    if (!made)
        return rt_no_memory(error);
    return sort_if_needed(&m, threads, error);
}

void keys_free(struct keys *keys)
{
    for (int w = 0; w < KEY_WORDS; w++)
        free(keys->word[w]);
    free(keys->vals);
    *keys = (struct keys){.n = 0};
}

enum rt_status keys_place(struct keys *keys, int level, int64_t *position, int64_t positions,
                          int threads, struct rt_error *error)
{
    free(keys->word[0]);
    keys->first = 0;
    keys->word[0] = (uint64_t *)position;
    keys->bits[0] = coords_bits(positions);
    memset(keys->level[0], level, sizeof keys->level[0]);
    struct making m = {.keys = keys, .blocks = keys_blocks(keys->n)};
    return sort_if_needed(&m, threads, error);
}

/* ---- differences ---- */

/* Returns the level with the first differing bit.  Written like this, finding the bit is one
 * instruction. */
static inline unsigned char first_level(const unsigned char *level, uint64_t change)
{
    return level[(KEY_BITS - 1) ^ __builtin_clzll(change)];
}

/* Goes word by word, through entries that did not differ in the words before. */
void keys_differences(const struct keys *keys, int64_t begin, int64_t n, unsigned char *differs)
{
    const unsigned char same = (unsigned char)keys->levels;
    for (int w = keys->first; w <= keys->last; w++) {
        const uint64_t *word = keys->word[w] + begin;
        const unsigned char *level = keys->level[w];
        if (w == keys->first)
#pragma GCC unroll 4
            for (int64_t i = begin == 0; i < n; i++) {
                uint64_t change = word[i] ^ word[i - 1];
                differs[i] = change ? first_level(level, change) : same;
            }
        else
            for (int64_t i = begin == 0; i < n; i++)
                if (differs[i] == same && word[i] != word[i - 1])
                    differs[i] = first_level(level, word[i] ^ word[i - 1]);
    }
    if (begin == 0 && n > 0)
        differs[0] = 0;
}

/* Counts in words of eight levels: seven bits hold a level, and the eighth says that it is not
 * larger. */
int64_t keys_count_up_to(const unsigned char *differs, int64_t n, int level)
{
    const uint64_t each = UINT64_MAX / 255, top = each << 7, most = top | each * (uint64_t)level;
    int64_t count = 0, i = 0;
    _Static_assert(LEVELS_MAX < 128, "seven bits hold a level");
    for (uint64_t eight; i + 8 <= n; i += 8) {
        memcpy(&eight, differs + i, sizeof eight);
        count += (int64_t)((((most - eight) & top) >> 7) * each >> 56);
    }
    for (; i < n; i++)
        count += differs[i] <= level;
    return count;
}

/* ---- duplicates ---- */

#define ADD(T) *(T *)sum += *(const T *)value
/* A sum that wraps around, in unsigned arithmetic, which cannot overflow. */
#define ADD_WRAPPING(T) *(T *)sum = (T)((uint64_t) * (T *)sum + (uint64_t) * (const T *)value)

void keys_add_value(enum type type, void *sum, const void *value)
{
    switch (type) {
    case TYPE_BOOL: *(bool *)sum = *(bool *)sum || *(const bool *)value; break;
    case TYPE_I8: ADD_WRAPPING(int8_t); break;
    case TYPE_I16: ADD_WRAPPING(int16_t); break;
    case TYPE_I32: ADD_WRAPPING(int32_t); break;
    case TYPE_I64: ADD_WRAPPING(int64_t); break;
    case TYPE_U8: ADD_WRAPPING(uint8_t); break;
    case TYPE_U16: ADD_WRAPPING(uint16_t); break;
    case TYPE_U32: ADD_WRAPPING(uint32_t); break;
    case TYPE_U64: ADD_WRAPPING(uint64_t); break;
    case TYPE_F32: ADD(float); break;
    case TYPE_F64: ADD(double); break;
    case TYPE_C64: ADD(float _Complex); break;
    case TYPE_C128: ADD(double _Complex); break;
    case TYPE_COUNT: break;
    }
}

/* Moves those keys of n entries from `begin` on that differ from the one before to the front, with
 * the level in which they differ.  Returns their number. */
static int64_t drop_equal(struct keys *keys, int64_t begin, int64_t n, unsigned char *differs)
{
    const unsigned char same = (unsigned char)keys->levels;
    int64_t left = 0;
    for (int w = keys->first; w <= keys->last; w++) {
        uint64_t *word = keys->word[w] + begin;
        left = 0;
#pragma GCC unroll 4
        for (int64_t i = 0; i < n; i++) {
            word[left] = word[i];
            left += differs[i] != same;
        }
    }
    left = 0;
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++) {
        const unsigned char level = differs[i];
        differs[left] = level;
        left += level != same;
    }
    return left;
}

/* Moves the values of n entries behind the last one so far. */
static inline void move_values(struct keys *keys, int64_t entry, int64_t n, int64_t *last)
{
    const size_t size = type_size(keys->type);
    char *const vals = keys->vals;
    if (*last + 1 < entry)
        memmove(vals + (size_t)(*last + 1) * size, vals + (size_t)entry * size, (size_t)n * size);
    *last += n;
}

/* Entries without duplicates between them are moved several at once. */
int64_t keys_combine(struct keys *keys, int64_t begin, int64_t n, unsigned char *differs,
                     int64_t *last)
{
    const size_t size = type_size(keys->type);
    char *const vals = keys->vals;
    for (int64_t i = 0, some; i < n; i += some) {
        some = n - i < KEYS_TOGETHER ? n - i : KEYS_TOGETHER;
        if (keys_count_up_to(differs + i, some, keys->levels - 1) == some) {
            move_values(keys, begin + i, some, last);
            continue;
        }
        for (int64_t k = i; k < i + some; k++)
            if (differs[k] < keys->levels)
                move_values(keys, begin + k, 1, last);
            else
                keys_add_value(keys->type, vals + (size_t)*last * size,
                               vals + (size_t)(begin + k) * size);
    }
    return drop_equal(keys, begin, n, differs);
}
