#ifndef SPCC_HAS_morton_numbers_i64
#define SPCC_HAS_morton_numbers_i64
/* 2 to that power. */
static inline int64_t morton_numbers_i64(int64_t bits)
{
    int64_t numbers = 1;
    for (int64_t left_ = 0; left_ < bits; left_++)
        numbers *= 2;
    return numbers;
}
#endif
