"""The examples of docs/python.md: blocks of python in one session, and below them what they print.

SPDX-License-Identifier: MIT
"""
import contextlib
import io
import os
import re

import pytest

pytest.importorskip('scipy.sparse')

PAGE = os.path.join(os.path.dirname(__file__), '..', '..', 'docs', 'python.md')
BLOCK = re.compile(r'```python\n(.*?)```\n(?:\n```text\n(.*?)```)?', re.S)


def test_the_examples_print_what_is_below_them():
    with open(PAGE, encoding='utf-8') as file:
        blocks = BLOCK.findall(file.read())
    session = {}
    assert len(blocks) > 5
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, PAGE, 'exec'), session)
        assert printed.getvalue() == expected, code
