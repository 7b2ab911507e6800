#ifndef SPCC_HAS_sort_other
#define SPCC_HAS_sort_other
/* The one before it. */
static inline int64_t sort_other(uint64_t rest, bool narrow)
{
    return sort_digit(narrow ? rest / 64 : rest / 256, narrow);
}
#endif
