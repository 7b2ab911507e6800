#ifndef SPCC_HAS_sort_digit
#define SPCC_HAS_sort_digit
/* The last digit. */
static inline int64_t sort_digit(uint64_t rest, bool narrow)
{
    return (int64_t)(narrow ? rest % 64 : rest % 256);
}
#endif
