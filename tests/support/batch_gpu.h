/* batch_gpu.h - kernels of several trials on this machine's GPU.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SUPPORT_BATCH_GPU_H
#define SPCC_SUPPORT_BATCH_GPU_H

#include "tests/support/trial.h"

/* Compile the kernels, NULL where a trial has none, run each twice, and compare what they leave.
 * *at is set to the seed of the case at hand before anything of its own is run. */
void batch_run_on_gpu(struct context *cx, struct trial *trial, const struct pipeline *const *kernel,
                      int n, uint64_t *at);

#endif
