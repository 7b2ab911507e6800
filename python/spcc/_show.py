"""Texts, pictures and times, as terminals and notebooks show them.

SPDX-License-Identifier: MIT
"""
import time

import numpy as np


class Text(str):
    """A text that a notebook shows as it is, and print as well."""

    def _repr_html_(self):
        import html  # what is needed in a notebook alone
        return f'<pre>{html.escape(self)}</pre>'


class Picture(Text):
    """A text that has a picture, too."""

    def __new__(cls, text, draw):
        self = super().__new__(cls, text)
        self._draw = draw
        return self

    @property
    def svg(self):
        return str(self._draw())

    def _repr_svg_(self):
        return self.svg


class Time:
    """ms: the median of `runs` runs.  gbs: the least bytes that a run moves, in GB a second.  roof: of what copying an
    array takes on this machine, by the same count."""

    def __init__(self, ms, runs, bytes):
        self.ms, self.runs, self.bytes = ms, runs, bytes
        self.gbs = bytes / ms * 1e-6 if ms > 0 else 0.0
        self.roof = self.gbs / copy_speed()

    def __repr__(self):
        return f'{self.ms:.4g} ms, {self.gbs:.3g} GB/s, {100 * self.roof:.0f} % of the roof ({self.runs} runs)'


_speed = None


def copy_speed():
    """GB a second of a copy beyond the caches, measured once."""
    global _speed
    if _speed is None:
        source = np.ones(1 << 23)
        target = np.empty_like(source)
        times = []
        for _ in range(5):
            start = time.perf_counter()
            np.copyto(target, source)
            times.append(time.perf_counter() - start)
        _speed = 2 * source.nbytes / min(times) * 1e-9
    return _speed


def timed(run, traffic):
    """The median of runs: of three at least, for a quarter of a second."""
    run()
    times = []
    end = time.perf_counter() + 0.25
    while len(times) < 3 or (time.perf_counter() < end and len(times) < 10000):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return Time(sorted(times)[len(times) // 2] * 1e3, len(times), traffic())
