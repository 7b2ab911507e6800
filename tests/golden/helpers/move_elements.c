#ifndef SPCC_HAS_move_elements
#define SPCC_HAS_move_elements
/* Moves n elements of size bytes within an array; down, by as many threads as there are. */
static inline void move_elements(void *array, int64_t to, int64_t from, int64_t n,
                                 size_t size)
{
    char *at = (char *)array + (size_t)to * size, *kept = NULL;
    const char *first = (char *)array + (size_t)from * size;
    size_t bytes = (size_t)n * size, worth = 524288, most = bytes / worth;
    size_t apart = to < from ? (size_t)(from - to) * size : 0;
    size_t threads = apart > 0 && most > 1 ? (size_t)thread_count() : 1;
    int turns = threads > 1 && apart >= bytes / (most < threads ? most : threads);
    size_t once = turns && apart < bytes ? apart : bytes;
    int32_t pieces = (int32_t)(once / worth < threads ? once / worth : threads);
    size_t length = pieces > 1 ? once / (size_t)pieces : 0;
    if (pieces > 1 && !turns)
        kept = (char *)allocate_array((int64_t)apart * pieces, 1);
    if (pieces < 2 || (!turns && !kept)) {
        memmove(at, first, bytes);
        return;
    }
    for (size_t done = 0; turns && done < bytes; done += once) {
        size_t more = once < bytes - done ? once : bytes - done;
        size_t each = more / (size_t)pieces;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t piece = 0; piece < pieces; piece++) {
            size_t begin = done + each * (size_t)piece;
            size_t past = piece + 1 < pieces ? begin + each : done + more;
            memcpy(at + begin, first + begin, past - begin);
        }
    }
    if (turns)
        return;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int32_t piece = 0; piece < pieces; piece++) {
        size_t begin = length * (size_t)piece;
        size_t past = piece + 1 < pieces ? begin + length : bytes;
        memcpy(kept + apart * (size_t)piece, first + begin, apart);
        memmove(at + begin + apart, first + begin + apart, past - begin - apart);
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int32_t piece = 0; piece < pieces; piece++)
        memcpy(at + length * (size_t)piece, kept + apart * (size_t)piece, apart);
    SPCC_FREE(kept);
}
#endif
