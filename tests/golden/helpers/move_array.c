#ifndef SPCC_HAS_move_array
#define SPCC_HAS_move_array
/* What is at this place, which is empty then, instead of array, which is released. */
static inline void *move_array(void *array, void **arrays, int64_t at)
{
    void *moved = arrays[at];
    SPCC_FREE(array);
    arrays[at] = NULL;
    return moved;
}
#endif
