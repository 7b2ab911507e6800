/* foreign.c - statements as einsum, NumPy, MATLAB and C write them, in tensor index notation.
 *
 *     ij,jk->ik                    C(i,k) = A(i,j) * B(j,k)
 *     y = np.einsum('ij,j', A, x)  y(i) = A(i,j) * x(j)
 *     r = b - A.T @ x              r(i) = b(i) - A(j,i) * x(j)
 *     y[i] = A[i,:] @ x            y(i) = A(i,j) * x(j)
 *     y[i] += A[i][j] * x[j]       y(i) += A(i,j) * x(j)
 *
 * The text does not tell the orders of tensors.  A name that begins with a capital letter counts
 * as a matrix.  Another name counts as a vector, or as a scalar if it multiplies a product written
 * with @.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/foreign.h"

#include "compiler/base/text.h"
#include "compiler/notation/parser.h"

enum { FACTORS_MAX = 16 };

static const char index_names[] = "ijklmnpqrtuvw";

/* ---- names ---- */

struct names {
    const char **at;
    size_t n, capacity;
};

static bool has_name(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->at[i], name) == 0)
            return true;
    return false;
}

/* Returns the first unused letter of the pool, and notes that it is used. */
static const char *unused_foreign_name(struct context *cx, struct names *used, const char *pool)
{
    for (; pool[1]; pool++) {
        const char *name = internn(cx, pool, 1);
        if (!has_name(used, name))
            break;
    }
    const char *name = internn(cx, pool, 1);
    vec_push(cx->arena, used, name);
    return name;
}

static const char *operand_pool(size_t order)
{
    return order == 0 ? "abcdefgh" : order == 1 ? "xzuvwbcd" : "ABCDEFGHKLMN";
}

static const char *result_pool(size_t order)
{
    return order == 0 ? "sacd" : order == 1 ? "yzuvw" : "BCDEFGHKLMNP";
}

static void write_access(struct text *out, const char *name, const struct names *index)
{
    text_add(out, name);
    for (size_t i = 0; i < index->n; i++)
        text_printf(out, "%s%s", i ? "," : "(", index->at[i]);
    text_add(out, index->n ? ")" : "");
}

/* ---- tokens ---- */

static struct parser read_tokens(struct context *cx, const char *text)
{
    int tokens;
    struct parser p = {.cx = cx, .text = text};
    p.token = lex(cx->arena, text, &tokens);
    return p;
}

static bool is_sign(const struct parser *p, const struct token *token, const char *signs)
{
    return token->kind != TOKEN_END && token_length(token) == 1
           && strchr(signs, *token_text(p, token));
}

static bool accept_sign(struct parser *p, const char *signs)
{
    bool yes = is_sign(p, peek(p), signs);
    p->at += yes;
    return yes;
}

/* Collects all names of the text. */
static struct names all_names(struct parser *p)
{
    struct names names = {0};
    for (const struct token *token = p->token; token->kind != TOKEN_END; token++)
        if (token->kind == TOKEN_NAME)
            vec_push(p->cx->arena, &names, parser_token_name(p, token));
    return names;
}

/* ---- einsum ---- */

struct einsum {
    struct names operand[FACTORS_MAX], result; /* and their indices */
    size_t operands;
    bool says_result;
    const char *name;   /* of the result; NULL: it has none */
    struct names given; /* of the operands, if they have names */
};

/* Reads a name whose letters are indices.  false if it is not of letters alone. */
static bool read_letters(struct parser *p, struct names *index)
{
    const char *s = token_text(p, peek(p));
    size_t n = next_is(p, TOKEN_NAME) ? token_length(peek(p)) : 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '_' || (s[i] >= '0' && s[i] <= '9'))
            return false;
        vec_push(p->cx->arena, index, internn(p->cx, s + i, 1));
    }
    p->at += n > 0;
    return true;
}

/* Reads ij,j->i or ij,j. */
static bool read_subscripts(struct parser *p, struct einsum *e)
{
    do {
        if (e->operands == FACTORS_MAX || !read_letters(p, &e->operand[e->operands++]))
            return false;
    } while (accept(p, TOKEN_COMMA));
    e->says_result = is_sign(p, peek(p), "-") && is_sign(p, peek(p) + 1, ">");
    if (e->says_result)
        p->at += 2;
    return !e->says_result || read_letters(p, &e->result);
}

/* Reads the operands' names, up to one without a name or to a keyword, and skips the rest. */
static void read_operands(struct parser *p, struct einsum *e)
{
    while (accept(p, TOKEN_COMMA) && next_is(p, TOKEN_NAME)
           && (peek(p)[1].kind == TOKEN_COMMA || peek(p)[1].kind == TOKEN_CLOSE)) {
        vec_push(p->cx->arena, &e->given, parser_token_name(p, peek(p)));
        advance(p);
    }
    while (!next_is(p, TOKEN_END))
        advance(p);
}

/* Reads the subscripts alone, or those of a call of einsum with its operands. */
static bool read_einsum(struct parser *p, struct einsum *e)
{
    const struct token *call = p->token;
    while (call->kind != TOKEN_END
           && !(token_length(call) == 6 && strncmp(token_text(p, call), "einsum", 6) == 0))
        call++;
    bool quoted = call->kind != TOKEN_END;
    p->at = quoted ? (int)(call - p->token) + 1 : 0;
    if (quoted && !(accept(p, TOKEN_OPEN) && accept_sign(p, "'\"")))
        return false;
    quoted |= accept_sign(p, "'\"");
    if (!read_subscripts(p, e) || (quoted && !accept_sign(p, "'\"")))
        return false;
    if (quoted)
        read_operands(p, e);
    if (p->token[0].kind == TOKEN_NAME && p->token[1].kind == TOKEN_ASSIGN)
        e->name = parser_token_name(p, p->token);
    return next_is(p, TOKEN_END) && (quoted || e->says_result);
}

/* The result has the indices that occur once, in alphabetical order. */
static void imply_result(struct context *cx, struct einsum *e)
{
    for (int letter = 'A'; letter <= 'z' && !e->says_result; letter++) {
        char name[2] = {(char)letter, 0};
        size_t times = 0;
        for (size_t o = 0; o < e->operands; o++)
            for (size_t i = 0; i < e->operand[o].n; i++)
                times += *e->operand[o].at[i] == letter;
        if (times == 1)
            vec_push(cx->arena, &e->result, intern(cx, name));
    }
}

const char *foreign_einsum(struct context *cx, const char *text)
{
    struct parser p = read_tokens(cx, text);
    struct einsum e = {0};
    if (!read_einsum(&p, &e))
        return NULL;
    imply_result(cx, &e);
    struct names used = {0};
    for (size_t o = 0; o < e.operands; o++)
        for (size_t i = 0; i < e.operand[o].n; i++)
            vec_push(cx->arena, &used, e.operand[o].at[i]);
    bool named = e.given.n == e.operands;
    struct text product = text_new(cx->arena), out = text_new(cx->arena);
    for (size_t o = 0; o < e.operands; o++) {
        const char *name =
            named ? e.given.at[o] : unused_foreign_name(cx, &used, operand_pool(e.operand[o].n));
        if (named)
            vec_push(cx->arena, &used, name);
        text_add(&product, o ? " * " : "");
        write_access(&product, name, &e.operand[o]);
    }
    write_access(&out, e.name ? e.name : unused_foreign_name(cx, &used, result_pool(e.result.n)),
                 &e.result);
    text_printf(&out, " = %s", product.at);
    return out.at;
}

/* ---- matrices ---- */

/* A tensor in a product, with its modes as written; ":" has no name yet. */
struct factor {
    const char *name;
    struct names index;
    int slot[2]; /* of modes without a name */
    int modes;
    bool is_listed, is_transposed, is_number, by_at; /* by_at: next to @ */
};

struct term {
    const char *sign; /* in front */
    struct factor factor[FACTORS_MAX];
    int factors, slots;
    int open[2], opens; /* modes of the result */
    bool has_at;
};

struct matrices {
    const char *result, *assign; /* NULL: not written */
    struct factor left;
    struct term term[FACTORS_MAX];
    int terms;
    bool has_at, is_foreign; /* has @, a product or a transpose of matrices */
};

/* Reads [i,:]. */
static bool read_list(struct parser *p, struct factor *f)
{
    if (!accept(p, TOKEN_OPEN))
        return true;
    f->is_listed = true;
    do {
        bool is_colon = is_sign(p, peek(p), ":");
        if (!is_colon && !next_is(p, TOKEN_NAME) && !next_is(p, TOKEN_NUMBER))
            return false;
        vec_push(p->cx->arena, &f->index, parser_token_name(p, peek(p)));
        f->modes += is_colon;
        advance(p);
    } while (accept(p, TOKEN_COMMA));
    return accept(p, TOKEN_CLOSE) && f->modes <= 2;
}

/* Reads A' or A.T. */
static bool read_transpose(struct parser *p)
{
    const struct token *after = peek(p) + !next_is(p, TOKEN_END);
    bool is_dotted = is_sign(p, peek(p), ".") && is_sign(p, after, "TH");
    if (!is_dotted && !is_sign(p, peek(p), "'"))
        return false;
    p->at += 1 + is_dotted;
    return true;
}

static bool read_factor(struct parser *p, struct matrices *m, struct factor *f)
{
    f->is_number = next_is(p, TOKEN_NUMBER);
    if (!f->is_number && !next_is(p, TOKEN_NAME))
        return false;
    f->name = parser_token_name(p, peek(p));
    bool is_matrix = *f->name >= 'A' && *f->name <= 'Z';
    advance(p);
    f->is_transposed = read_transpose(p);
    if (!f->is_number && !read_list(p, f))
        return false;
    f->is_transposed |= read_transpose(p);
    m->is_foreign |= f->is_transposed;
    if (!f->is_listed)
        f->modes = f->is_number ? 0 : is_matrix ? 2 : 1;
    return true;
}

static bool read_term(struct parser *p, struct matrices *m, struct term *t)
{
    bool by_at = false;
    do {
        struct factor *f = &t->factor[t->factors++];
        if (!read_factor(p, m, f))
            return false;
        f->by_at = by_at;
        f->by_at |= by_at = is_sign(p, peek(p), "@");
        t->has_at |= by_at;
    } while (t->factors < FACTORS_MAX && accept_sign(p, "@*"));
    m->has_at |= t->has_at;
    m->is_foreign |= t->has_at;
    return true;
}

/* In a term with @, * multiplies by scalars. */
static void find_scalars(struct term *t)
{
    for (int i = 0; i < t->factors; i++) {
        struct factor *f = &t->factor[i];
        bool is_beside = t->has_at ? !f->by_at : i + 1 < t->factors;
        if (is_beside && !f->is_listed && f->modes == 1)
            f->modes = 0;
    }
}

/* Reads y = A @ x + b. */
static bool read_matrices(struct parser *p, struct matrices *m)
{
    if (read_factor(p, m, &m->left) && next_is(p, TOKEN_ASSIGN)) {
        m->assign = parser_token_name(p, peek(p));
        advance(p);
    } else {
        m->left = (struct factor){0};
        p->at = 0;
    }
    do {
        struct term *t = &m->term[m->terms++];
        t->sign = is_sign(p, peek(p), "-") ? "-" : m->terms > 1 ? "+" : "";
        accept_sign(p, "+-");
        if (!read_term(p, m, t))
            return false;
    } while (m->terms < FACTORS_MAX && is_sign(p, peek(p), "+-"));
    return next_is(p, TOKEN_END) && m->is_foreign;
}

/* Joins the last mode of each factor with the first mode of the next.  false if more than two modes
 * are left. */
static bool connect(struct term *t)
{
    bool is_first = true;
    for (int i = 0; i < t->factors; i++) {
        struct factor *f = &t->factor[i];
        int mode = 0;
        bool is_row = f->is_transposed && f->modes == 1; /* the row of x * y', which sums nothing */
        if (f->modes > 0 && !is_first && t->opens > 0 && !is_row)
            f->slot[mode++] = t->open[--t->opens];
        for (; mode < f->modes; mode++) {
            if (t->opens == 2)
                return false;
            f->slot[mode] = t->open[t->opens++] = t->slots++;
        }
        is_first &= f->modes == 0;
    }
    return true;
}

/* Returns the indices of the result: those of its list that the right side uses; the others get the
 * names of the product's modes. */
static struct names result_index(struct parser *p, const struct matrices *m, struct names *used,
                                 const char *open[2], int opens)
{
    struct context *cx = p->cx;
    struct names list = {0}, right = {0};
    int free = 0;
    for (int t = 0; t < m->terms; t++)
        for (int f = 0; f < m->term[t].factors; f++)
            for (size_t i = 0; i < m->term[t].factor[f].index.n; i++)
                vec_push(cx->arena, &right, m->term[t].factor[f].index.at[i]);
    for (size_t i = 0; i < m->left.index.n; i++)
        free += m->left.index.at[i][0] == ':' || !has_name(&right, m->left.index.at[i]);
    bool fits = free == opens;
    int k = 0;
    for (size_t i = 0; i < m->left.index.n && fits; i++) {
        const char *name = m->left.index.at[i];
        bool is_free = name[0] == ':' || !has_name(&right, name);
        if (is_free)
            open[k++] = name = name[0] == ':' ? unused_foreign_name(cx, used, index_names) : name;
        vec_push(cx->arena, &list, name);
    }
    for (; k < opens; k++) {
        open[k] = unused_foreign_name(cx, used, index_names);
        vec_push(cx->arena, &list, open[k]);
    }
    return list;
}

static void write_factor(struct text *out, const struct factor *f, const char *const *name)
{
    struct names index = {0};
    int mode = 0;
    for (size_t i = 0; i < f->index.n; i++) {
        bool is_colon = f->index.at[i][0] == ':';
        vec_push(out->arena, &index, is_colon ? name[f->slot[mode++]] : f->index.at[i]);
    }
    for (; mode < f->modes; mode++)
        vec_push(out->arena, &index, name[f->slot[mode]]);
    if (f->is_transposed && index.n == 2) {
        const char *first = index.at[0];
        index.at[0] = index.at[1];
        index.at[1] = first;
    }
    write_access(out, f->name, &index);
}

static void write_term(struct parser *p, struct text *out, const struct term *t,
                       const struct names *used, const char *const open[2])
{
    struct names own = {0};
    const char *name[2 * FACTORS_MAX] = {NULL};
    for (size_t i = 0; i < used->n; i++)
        vec_push(p->cx->arena, &own, used->at[i]);
    for (int i = 0; i < t->opens; i++)
        name[t->open[i]] = open[i];
    for (int i = 0; i < t->slots; i++)
        name[i] = name[i] ? name[i] : unused_foreign_name(p->cx, &own, index_names);
    for (int i = 0; i < t->factors; i++) {
        text_add(out, i ? " * " : "");
        write_factor(out, &t->factor[i], name);
    }
}

const char *foreign_matrices(struct context *cx, const char *text)
{
    struct parser p = read_tokens(cx, text);
    struct matrices *m = arena_make(cx->arena, struct matrices);
    if (!read_matrices(&p, m))
        return NULL;
    int opens = 0;
    for (int t = 0; t < m->terms; t++) {
        if (m->has_at)
            find_scalars(&m->term[t]);
        if (!connect(&m->term[t]))
            return NULL;
        opens = m->term[t].opens > opens ? m->term[t].opens : opens;
    }
    struct names used = all_names(&p);
    const char *open[2] = {NULL};
    struct names index = result_index(&p, m, &used, open, opens);
    const char *result =
        m->assign ? m->left.name : unused_foreign_name(cx, &used, result_pool((size_t)opens));
    struct text out = text_new(cx->arena);
    write_access(&out, result, &index);
    text_printf(&out, " %s ", m->assign ? m->assign : "=");
    for (int t = 0; t < m->terms; t++) {
        const struct term *term = &m->term[t];
        text_printf(&out, t ? " %s " : "%s", term->sign);
        write_term(&p, &out, term, &used, open);
        if (term->opens > 0 && term->opens < opens)
            return NULL;
    }
    return out.at;
}

/* ---- signs ---- */

/* Is a product's sign missing between these two? */
static bool lacks_product(const struct token *token)
{
    return token[0].kind == TOKEN_CLOSE && token[1].kind == TOKEN_NAME
           && token[2].kind == TOKEN_OPEN;
}

/* Returns the sign that should stand in the token's place.  NULL if the token is right, or if
 * nobody can tell. */
static const char *instead(struct parser *p, const struct token *token, const char *const *colon,
                           int colons)
{
    if (is_sign(p, token, ":") && colons > 0 && colons <= 3)
        return colon[colons - 1];
    bool is_sentence =
        token->instead && token->kind == TOKEN_UNKNOWN && strchr(token->instead, ' ');
    return is_sentence ? NULL : token->instead;
}

const char *foreign_signs(struct context *cx, const char *text)
{
    struct parser p = read_tokens(cx, text);
    struct names used = all_names(&p);
    struct text out = text_new(cx->arena);
    const char *colon[3];
    int from = 0, colons = 0;
    for (int i = 0; i < 3; i++)
        colon[i] = unused_foreign_name(cx, &used, index_names);
    for (const struct token *token = p.token; token->kind != TOKEN_END; token++) {
        text_addn(&out, text + from, (size_t)(token->begin - from));
        from = token->end;
        colons = token->kind == TOKEN_OPEN ? 0 : colons + is_sign(&p, token, ":");
        const char *other = instead(&p, token, colon, colons);
        if (is_sign(&p, token, "]") && is_sign(&p, token + 1, "[")) {
            text_add(&out, ",");
            from = (++token)->end;
        } else if (other) {
            text_add(&out, other);
        } else {
            text_addn(&out, token_text(&p, token), token_length(token));
        }
        text_add(&out, lacks_product(token) ? " *" : "");
    }
    text_add(&out, text + from);
    return strcmp(out.at, text) == 0 ? NULL : out.at;
}
