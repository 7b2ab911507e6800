#ifndef SPCC_HAS_morton_bits_i64
#define SPCC_HAS_morton_bits_i64
/* How many bits it takes to count to size, without the first ones; `most` at most. */
static inline int64_t morton_bits_i64(int64_t size, int64_t first, int64_t most)
{
    int64_t rest = size - 1;
    for (int64_t left_ = 0; left_ < first; left_++)
        rest = rest / 2;
    int64_t bits = 0;
    while (rest > 0 && bits < most) {
        rest = rest / 2;
        bits++;
    }
    return bits;
}
#endif
