/* texts.h - texts that go with compiled kernels, in their cache: what was found out about them on
 * this processor, with this version of spcc.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_TEXTS_H
#define SPCC_JIT_TEXTS_H

struct cache;

/* Returns the text that was kept under the key, to free(); NULL: there is none, or none that is
 * whole. */
char *texts_recall(const struct cache *cache, const char *key);

/* 0 or errno, as cache_put. */
int texts_keep(const struct cache *cache, const char *key, const char *text);

#endif
