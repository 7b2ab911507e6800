#ifndef SPCC_HAS_exchange_i32
#define SPCC_HAS_exchange_i32
/* Put a value where *before is; false, and in *before what is there, if it is something else. */
static __device__ inline bool exchange_i32(int32_t *at, int32_t *before, int32_t after)
{
    unsigned expected, desired, found;
    memcpy(&expected, before, sizeof expected);
    memcpy(&desired, &after, sizeof desired);
    found = atomicCAS((unsigned *)at, expected, desired);
    memcpy(before, &found, sizeof found);
    return found == expected;
}
#endif
