#ifndef SPCC_HAS_sort_take_i32
#define SPCC_HAS_sort_take_i32
/* key: those that have a bit in the words [first, end), which are 0 again.  There is room for n. */
static inline void sort_take_i32(int64_t n, int32_t *restrict key, int64_t low, int64_t first,
                                 int64_t end, uint64_t *restrict bits)
{
    int64_t to = 0;
    for (int64_t word = first; word < end; word++) {
        int64_t least = low + 64 * word;
        uint64_t rest = bits[word];
        int64_t behind = to + (int64_t)popcount_u64(rest);
        bits[word] = 0;
        /* most words have few: three are written whether there are so many or not */
        if (to + 3 <= n) {
            key[to] = (int32_t)(least + (int64_t)ctz_u64(rest | 9223372036854775808u));
            rest &= rest - 1;
            key[to + 1] = (int32_t)(least + (int64_t)ctz_u64(rest | 9223372036854775808u));
            rest &= rest - 1;
            key[to + 2] = (int32_t)(least + (int64_t)ctz_u64(rest | 9223372036854775808u));
            rest &= rest - 1;
            to += 3;
        }
        while (rest != 0) {
            key[to] = (int32_t)(least + (int64_t)ctz_u64(rest));
            rest &= rest - 1;
            to++;
        }
        to = behind;
    }
}
#endif
