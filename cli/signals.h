/* signals.h - what the program leaves when it is ended.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_SIGNALS_H
#define SPCC_CLI_SIGNALS_H

/* From now on a signal that ends the program first removes what is unfinished, and ends the
 * compilers that run. */
void signals_watch(void);

#endif
