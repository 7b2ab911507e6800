/* conversions.h - the ordered pairs of formats that conversions are tested for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONFORMANCE_CONVERSIONS_H
#define SPCC_CONFORMANCE_CONVERSIONS_H

#include <stddef.h>

struct conversion {
    int order;
    const char *from, *to;
};

int conversions_count(void);
struct conversion conversion_number(int item);

/* "y(i,j) = A(i,j)" */
const char *conversion_statement(int order);

/* "from csr to csc, order 2" */
void conversion_print(int item, char *text, size_t size);

#endif
