/* taco.h - the options of taco's command line, in words of spcc's.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_TACO_H
#define SPCC_CLI_TACO_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/suggest.h"

/* A row of taco.def; the columns are explained there. */
struct taco_option {
    const char *name, *argument, *words, *views, *brief, *says;
};

extern const struct taco_option taco_options[];
extern const int taco_n_options;

/* Returns the option that a word without its dash is, "time=10"; NULL: none of taco's.  *argument
 * is what follows "=", or NULL. */
const struct taco_option *taco_find(const char *word, const char **argument);

/* Writes spcc's words for the option to out, of n bytes, with '\0' after each, and gives their
 * number; -1: they do not fit. */
int taco_words(const struct taco_option *option, const char *argument, char *out, size_t n);

/* Returns the recipe of a fill of -g, "s"; NULL if spcc has none for it.  *brief: what the fill is;
 * NULL if taco has none such. */
const char *taco_recipe(const char *fill, const char **brief);

/* Offers the names of all options. */
void taco_suggest(struct suggestion *near);

#endif
