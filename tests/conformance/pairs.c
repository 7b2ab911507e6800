/* pairs.c - ordered pairs of formats.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "tests/conformance/conversions.h"
#include "tests/support/case.h"

enum { ORDERS = 3 };

static const char *const statements[] = {"", "y(i) = A(i)", "y(i,j) = A(i,j)",
                                         "y(i,j,k) = A(i,j,k)"};

/* Format number 0 is dense. */
static const char *format_of(int order, int n)
{
    return n == 0 ? "dense" : case_named_format(order, n - 1);
}

static int formats_of(int order)
{
    int n = 0;
    while (format_of(order, n))
        n++;
    return n;
}

/* Those that a result can have come first. */
static int results_of(int order)
{
    int n = 0;
    while (format_of(order, n) && case_can_be_assembled(format_of(order, n)))
        n++;
    return n;
}

struct conversion conversion_number(int item)
{
    int order = 1;
    while (item >= formats_of(order) * results_of(order)) {
        item -= formats_of(order) * results_of(order);
        order++;
    }
    int n = results_of(order);
    return (struct conversion){order, format_of(order, item / n), format_of(order, item % n)};
}

int conversions_count(void)
{
    int all = 0;
    for (int order = 1; order <= ORDERS; order++)
        all += formats_of(order) * results_of(order);
    return all;
}

const char *conversion_statement(int order) { return statements[order]; }

void conversion_print(int item, char *text, size_t size)
{
    struct conversion c = conversion_number(item);
    snprintf(text, size, "from %s to %s, order %d", c.from, c.to, c.order);
}
