#ifndef SPCC_HAS_sort_digit
#define SPCC_HAS_sort_digit
/* The last digit. */
static inline int64_t sort_digit(uint64_t rest)
{
    return (int64_t)(rest % 256);
}
#endif
