/* signals.h - what the program leaves when it is ended.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_SIGNALS_H
#define SPCC_CLI_SIGNALS_H

#include <stdbool.h>

/* From now on a signal that ends the program first removes what is unfinished, and ends the
 * compilers that run. */
void signals_watch(void);

/* From now on, or not any more, Ctrl-C and SIGTERM are noted instead, for who ends by himself when
 * what he has is complete. */
void signals_note(bool is_on);
/* Returns the one that came; 0: none. */
int signals_noted(void);

#endif
