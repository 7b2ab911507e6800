#ifndef SPCC_HAS_morton_spread_i32
#define SPCC_HAS_morton_spread_i32
/* Of the coordinate's bits from number `first` on so many, each so many places behind the one before. */
static inline int64_t morton_spread_i32(int32_t coordinate, int64_t first, int64_t bits,
                                        int64_t places)
{
    int64_t rest = coordinate;
    for (int64_t left_ = 0; left_ < first; left_++)
        rest = rest / 2;
    int64_t step = 1;
    for (int64_t left_ = 0; left_ < places; left_++)
        step *= 2;
    int64_t spread = 0;
    int64_t place = 1;
    int64_t bit = 0;
    while (rest > 0 && bit < bits) {
        spread += (rest & 1) * place;
        rest = rest / 2;
        place *= step;
        bit++;
    }
    return spread;
}
#endif
