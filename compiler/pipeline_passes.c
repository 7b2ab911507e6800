/* pipeline_passes.c - the changes of each pass, line by line, for `spcc explain --passes`.
 *
 * The shortest sequence of removed and added lines between two texts is found as in E. W. Myers,
 * "An O(ND) difference algorithm and its variations", Algorithmica 1 (1986).  On diagonal k, which
 * is k lines further on in the first text, reach[k] is the furthest line of it that d such steps
 * reach.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/pipeline.h"

/* The lines of a text, interned: equal lines are the same pointer. */
struct lines {
    const char **at;
    size_t n, capacity;
};

/* ' ' for a line of both texts, '-' of the first, '+' of the second; in order. */
struct edit {
    char sign;
    const char *line;
};

struct edits {
    struct edit *at;
    size_t n, capacity;
};

struct differ {
    struct context *cx;
    struct lines a, b;
    VEC(int *) step; /* before step d: what each diagonal from -d to d reaches, from [d] on */
};

static struct lines lines_of(struct context *cx, const struct imp_function *function)
{
    struct lines lines = {0};
    struct text text = text_new(cx->arena);
    imp_print_alone(&text, function);
    for (const char *s = text.at; *s;) {
        const char *end = strchr(s, '\n');
        vec_push(cx->arena, &lines, intern(cx, arena_printf(cx->arena, "%.*s", (int)(end - s), s)));
        s = end + 1;
    }
    return lines;
}

/* Does the last step to diagonal k add a line of b, rather than remove one of a? */
static bool comes(const int *reach, int k, int d)
{
    return k == -d || (k != d && reach[k - 1] < reach[k + 1]);
}

/* Returns where in a that step begins. */
static int begin_of(const int *reach, int k, int d)
{
    return d == 0 ? 0 : comes(reach, k, d) ? reach[k + 1] : reach[k - 1] + 1;
}

/* Takes steps until both texts have ended.  Returns their number. */
static int take_steps(struct differ *f)
{
    int n = (int)f->a.n, m = (int)f->b.n;
    int *room = arena_array(f->cx->arena, int, 2 * (size_t)(n + m) + 3), *reach = room + n + m + 1;
    for (int d = 0;; d++) {
        int *before = arena_copy(f->cx->arena, reach - d - 1, sizeof *reach * (size_t)(2 * d + 3));
        vec_push(f->cx->arena, &f->step, before + d + 1);
        for (int k = -d; k <= d; k += 2) {
            int x = begin_of(reach, k, d);
            while (x < n && x - k < m && f->a.at[x] == f->b.at[x - k])
                x++;
            reach[k] = x;
            if (x >= n && x - k >= m)
                return d;
        }
    }
}

/* Finds the edits that lead from a to b, from their ends back. */
static struct edits find_edits(struct differ *f)
{
    struct edits back = {0}, edits = {0};
    int x = (int)f->a.n, y = (int)f->b.n;
    for (int d = take_steps(f); d >= 0; d--) {
        const int *reach = f->step.at[d];
        int k = x - y;
        for (int begin = begin_of(reach, k, d); x > begin; x--, y--)
            vec_push(f->cx->arena, &back, ((struct edit){' ', f->a.at[x - 1]}));
        if (d > 0 && comes(reach, k, d))
            vec_push(f->cx->arena, &back, ((struct edit){'+', f->b.at[--y]}));
        else if (d > 0)
            vec_push(f->cx->arena, &back, ((struct edit){'-', f->a.at[--x]}));
    }
    while (back.n)
        vec_push(f->cx->arena, &edits, back.at[--back.n]);
    return edits;
}

/* Is this line changed, or next to a changed one? */
static bool is_shown(const struct edits *edits, size_t i)
{
    return edits->at[i].sign != ' ' || (i > 0 && edits->at[i - 1].sign != ' ')
           || (i + 1 < edits->n && edits->at[i + 1].sign != ' ');
}

static void print_edits(struct text *out, const struct edits *edits)
{
    size_t last = edits->n;
    for (size_t i = 0; i < edits->n; i++) {
        if (!is_shown(edits, i))
            continue;
        if (last < edits->n && i != last + 1)
            text_add(out, "    ...\n");
        text_printf(out, "  %c %s\n", edits->at[i].sign, edits->at[i].line);
        last = i;
    }
}

const char *pipeline_passes(struct context *cx, const struct pipeline *p)
{
    struct text out = text_new(cx->arena);
    for (int i = 0; i < p->passes; i++) {
        const struct pass_step *step = &p->pass[i];
        text_printf(&out, "%s%s: %s%s\n", i ? "\n" : "", step->pass->name, step->pass->brief,
                    step->pass->exact ? "" : "; sums are added up in another order");
        struct differ differ = {.cx = cx, .a = lines_of(cx, step->before)};
        differ.b = lines_of(cx, step->after);
        struct edits edits = find_edits(&differ);
        if (differ.step.n == 1)
            text_add(&out, "  nothing\n");
        else
            print_edits(&out, &edits);
    }
    return out.at;
}
