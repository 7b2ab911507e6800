/* scratch.h - files and folders that are there for a while only, and gone when their process is,
 * however it ends.
 *
 * Each has a name of its own, .spcc-XXXXXXXXXXXXXXXX.tmp, which is noted before it is made: what a
 * signal interrupts is removed by scratch_clean_up, which a signal handler may call.  What a
 * process that was killed has left the next one removes that looks into the same folder.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FILE_SCRATCH_H
#define SPCC_FILE_SCRATCH_H

#include <stdbool.h>
#include <sys/types.h>

enum { SCRATCH_NAME = sizeof ".spcc-0123456789abcdef.tmp" };

/* slot < 0: not noted. */
struct scratch {
    /* the descriptor of the folder that it is in; the caller's */
    int folder;
    char name[SCRATCH_NAME];
    int slot;
};

/* Removes what processes have left in the folder that are no more. */
void scratch_remove_left_overs(int folder);

/* Notes a name in the folder that nobody has. */
void scratch_begin(struct scratch *scratch, int folder);

/* Another name, where this one is taken after all. */
void scratch_rename(struct scratch *scratch);

/* It is gone, or has got another name. */
void scratch_end(struct scratch *scratch);

/* A process group that works in the scratch folder, and is to be killed with it; 0: none any
 * more. */
void scratch_set_group(const struct scratch *scratch, pid_t group);

/* Returns the lock by which others see that somebody is at work: on the open file or folder of that
 * name, which has just been made.  False: somebody has taken it for left over; it is another's to
 * remove, and a new one is to be made under another name. */
bool scratch_lock(const struct scratch *scratch, int fd);

/* Removes the folder of that name with the files in it.  `inside` is a descriptor of it from which
 * nothing has been read, so that none is needed when there may be no more; < 0: it is empty.  0 or
 * errno. */
int scratch_remove_folder(int folder, const char *name, int inside);

/* Removes the file, or the folder with the files in it, also where somebody who is being killed may
 * make one yet; and end. */
void scratch_remove(struct scratch *scratch);

/* Kill the groups, and remove everything that is noted.  Async-signal-safe; for a process that
 * is about to end. */
void scratch_clean_up(void);

#endif
