#ifndef SPCC_HAS_sort_rest_i64
#define SPCC_HAS_sort_rest_i64
/* What a number is above least, without its last `pairs` pairs of digits to the base 256. */
static inline uint64_t sort_rest_i64(int64_t number, int64_t least, int64_t pairs)
{
    uint64_t rest = (uint64_t)(number - least);
    for (int64_t left_ = 0; left_ < pairs; left_++)
        rest = rest / 65536;
    return rest;
}
#endif
