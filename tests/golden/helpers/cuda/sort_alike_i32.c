#ifndef SPCC_HAS_sort_alike_i32
#define SPCC_HAS_sort_alike_i32
/* The lanes of the warp that are in, and have this digit. */
static __device__ inline uint32_t sort_alike_i32(int32_t digit, bool in)
{
    uint32_t alike = __ballot_sync(0xffffffff, in);
    for (int32_t bit = 0; bit < 8; bit++) {
        bool set = shr_i32(digit, bit) % 2 == 1;
        uint32_t lanes = __ballot_sync(0xffffffff, set);
        alike &= set ? lanes : ~lanes;
    }
    return alike;
}
#endif
