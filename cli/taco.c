/* taco.c - translates the options of taco's command line.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/taco.h"

#include <string.h>

const struct taco_option taco_options[] = {
#define TACO(...) {__VA_ARGS__},
#include "cli/taco.def"
#undef TACO
};
const int taco_n_options = sizeof taco_options / sizeof *taco_options;

static const struct {
    char letter;
    const char *recipe, *brief;
} fills[] = {
#define GENERATED(...) {__VA_ARGS__},
#include "cli/taco.def"
#undef GENERATED
};

const struct taco_option *taco_find(const char *word, const char **argument)
{
    size_t n = strcspn(word, "=");
    *argument = word[n] ? word + n + 1 : NULL;
    for (int o = 0; o < taco_n_options; o++)
        if (strlen(taco_options[o].name) == n && strncmp(taco_options[o].name, word, n) == 0)
            return &taco_options[o];
    return NULL;
}

int taco_words(const struct taco_option *option, const char *argument, char *out, size_t n)
{
    int words = 0;
    bool counts = true, in_word = false;
    size_t used = 0;
    for (const char *s = option->words; used < n; s++) {
        bool is_letter = *s && !strchr(" []{}", *s);
        if (in_word && !is_letter)
            out[used++] = '\0';
        words += in_word && !is_letter;
        in_word = is_letter && counts;
        if (!*s)
            return words;
        if (strchr("[{", *s))
            counts = (*s == '[') == (argument != NULL);
        else if (strchr("]}", *s))
            counts = true;
        else if (in_word && *s == '$' && used + strlen(argument) < n)
            used += strlen(strcpy(out + used, argument));
        else if (in_word)
            out[used++] = *s;
    }
    return -1;
}

const char *taco_recipe(const char *fill, const char **brief)
{
    *brief = NULL;
    for (size_t f = 0; f < sizeof fills / sizeof *fills; f++) {
        if (fill[0] != fills[f].letter || fill[1])
            continue;
        *brief = fills[f].brief;
        return fills[f].recipe;
    }
    return NULL;
}

void taco_suggest(struct suggestion *near)
{
    for (int o = 0; o < taco_n_options; o++)
        suggest_consider(near, taco_options[o].name, strlen(taco_options[o].name));
}
