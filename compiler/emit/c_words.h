/* c_words.h - names that C, C++, their headers and the generated code give a meaning.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_EMIT_C_WORDS_H
#define SPCC_EMIT_C_WORDS_H

#include <stdbool.h>

/* Can no variable of a generated function have this name?  Keywords, macros, what the generated
 * code itself calls so. */
bool c_word_is_reserved(const char *name);

/* ... whatever follows?  C's own names, and macros such as SPCC_MALLOC. */
bool c_word_begins_reserved(const char *name);

/* Is it a function of <math.h> or <complex.h> that generated code calls by its name where it
 * keeps to ISO C? */
bool c_word_is_called(const char *name);

/* Can no generated function have it?  Keywords and whatever else the standard headers declare,
 * which the code includes and the application around it may; functions that compilers know
 * without a header; helpers; what begins as the names of this library's own functions. */
bool c_word_is_taken(const char *name);

/* The same of CUDA: can besides no variable of a file of CUDA have the name, no function? */
bool cuda_word_is_reserved(const char *name);
bool cuda_word_is_taken(const char *name);

#endif
