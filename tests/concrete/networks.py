#!/usr/bin/env python3
"""networks.py - writes networks.txt: products of tensors, and how many steps opt_einsum takes for each.

    python3 tests/concrete/networks.py > tests/concrete/networks.txt

It needs opt_einsum.  Up to 8 factors it is asked for the best order of all, up to 14 for the one that its dynamic
programming finds.  A step is one iteration of the innermost loop of a product of two tensors.

SPDX-License-Identifier: MIT
"""
import random
import string

import opt_einsum

LETTERS = string.ascii_letters


def network(edges, rng, most, free=()):
    """Factors with an edge's letter at both ends, or in a vector of ends."""
    factors, sizes = {}, {}
    for letter, ends in zip(LETTERS, edges):
        sizes[letter] = rng.randint(2, most)
        for end in ends:
            factors.setdefault(end, '')
            factors[end] += letter
    return [factors[end] for end in sorted(factors)], ''.join(LETTERS[e] for e in free), sizes


def tree(rng, n):
    edges = [(rng.randrange(k), k) for k in range(1, n)]
    return network(edges + [(rng.randrange(n),)], rng, 9, [n - 1])


def ring(rng, n):
    return network([(k, (k + 1) % n) for k in range(n)] + [(0,), (n // 2,)], rng, 9, [n, n + 1])


def any_network(rng, n):
    edges = [(rng.randrange(k), k) for k in range(1, n)]
    for _ in range(n // 2 + rng.randrange(3)):
        edges.append(tuple(rng.sample(range(n), 2)))
    free = [len(edges)] if rng.random() < 0.5 else []
    return network(edges + [(rng.randrange(n),)] + [tuple(rng.sample(range(n), 3))] * (rng.random() < 0.3), rng,
                   5, free)


def grid(rng, rows, columns):
    at = {(r, c): r * columns + c for r in range(rows) for c in range(columns)}
    edges = [(at[r, c], at[r, c + 1]) for r in range(rows) for c in range(columns - 1)]
    edges += [(at[r, c], at[r + 1, c]) for r in range(rows - 1) for c in range(columns)]
    return network(edges, rng, 5)


def states(rng, n):
    """The inner product of two matrix product states of n sites."""
    edges = [(k, k + 1) for k in range(n - 1)] + [(n + k, n + k + 1) for k in range(n - 1)]
    return network(edges + [(k, n + k) for k in range(n)], rng, 8)


def pairs(rng, rows, columns):
    """The inner product of two projected entangled pair states."""
    layer = rows * columns
    edges = [(k, layer + k) for k in range(layer)]
    for base in (0, layer):
        edges += [(base + r * columns + c, base + r * columns + c + 1) for r in range(rows)
                  for c in range(columns - 1)]
        edges += [(base + r * columns + c, base + (r + 1) * columns + c) for r in range(rows - 1)
                  for c in range(columns)]
    return network(edges, rng, 4)


TERMS = ['klcd,ci,dj,ak,bl->abij', 'klcd,cidj,akbl->abij', 'klcd,cikj,adbl->abij', 'kc,ci,ak->ai', 'klcd,ci,akdl->ai',
         'mnef,aeim,bfjn->abij', 'mnef,efij,abmn->abij', 'mnef,ei,fj,am,bn,cg,gk->abcijk', 'mnef,ei,am,fjbn,ck->abcijk']


def coupled(rng, k):
    """Terms of coupled-cluster equations: few occupied orbitals, more virtual ones."""
    terms, result = TERMS[k % len(TERMS)].split('->')
    occupied, virtual = rng.randint(2, 5), rng.randint(4, 12)
    letters = sorted(set(terms) - {','})
    return terms.split(','), result, {x: occupied if x in 'ijklmn' else virtual for x in letters}


def count(factors, result, sizes):
    inputs = ','.join(factors) + '->' + result
    shapes = [tuple(sizes[letter] for letter in f) for f in factors]
    how = 'optimal' if len(factors) <= 8 else opt_einsum.DynamicProgramming(minimize='flops')
    path, _ = opt_einsum.contract_path(inputs, *shapes, shapes=True, optimize=how)
    left, steps = [set(f) for f in factors], 0
    for step in path:
        taken = [left.pop(k) for k in sorted(step, reverse=True)]
        union = set().union(*taken)
        product = 1
        for letter in union:
            product *= sizes[letter]
        steps += product
        left.append(union & set().union(result, *left))
    return steps


def main():
    rng = random.Random(28)
    rows = [('tree', tree(rng, 6 + k % 9)) for k in range(36)]
    rows += [('ring', ring(rng, 6 + k % 9)) for k in range(27)]
    rows += [('random', any_network(rng, 6 + k % 9)) for k in range(72)]
    rows += [('grid', grid(rng, 3, 3 + k % 2)) for k in range(16)]
    rows += [('states', states(rng, 3 + k % 5)) for k in range(20)]
    rows += [('pairs', pairs(rng, 2, 2 + k % 2)) for k in range(11)]
    rows += [('coupled', coupled(rng, k)) for k in range(18)]
    for name, (factors, result, sizes) in rows:
        print(name, count(factors, result, sizes), ','.join(factors) + '->' + result,
              ' '.join(f'{letter}:{sizes[letter]}' for letter in sorted(sizes)))


if __name__ == '__main__':
    main()
