/* signals.c - cleans up when a signal ends the program.
 *
 * The handler cleans up and raises the signal again, which has its default meaning by then.  So
 * whoever waits for the program sees which signal it was.  An ignored signal (nohup) stays
 * ignored, and one that has another handler (a sanitizer's) is left to that.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>

#include "spcc.h"

static void clean_up(int number)
{
    spcc_clean_up();
    raise(number);
}

/* The handler runs on a stack of its own, since the program's may have overflowed. */
static void use_own_stack(void)
{
    static char memory[1 << 16];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    sigaltstack(&stack, NULL);
}

void signals_watch(void)
{
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                                  SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGABRT,
                                  SIGBUS,  SIGFPE,  SIGILL,  SIGSEGV, SIGTRAP};
    struct sigaction action = {.sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK}, before;
    action.sa_handler = clean_up;
    sigemptyset(&action.sa_mask);
    use_own_stack();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* then a write to a file that is too large fails */
}

/* ---- signals that wait ---- */

static volatile sig_atomic_t noted;

static void note(int number) { noted = number; }

void signals_note(bool is_on)
{
    struct sigaction action = {.sa_handler = is_on ? note : SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!is_on)
        signals_watch();
}

int signals_noted(void) { return noted; }
