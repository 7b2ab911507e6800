"""Which compiler compiles: Clang in the process, the system's, zig's, or none.

SPDX-License-Identifier: MIT
"""
import os
import subprocess
import sys

import numpy as np
import pytest

import spcc

pytest.importorskip('scipy.sparse')


def in_a_bare_process(text, tmp_path, **environment):
    """Without a compiler in PATH, and without a plug-in."""
    start = ('import numpy as np, scipy.sparse as sp, warnings, spcc\n'
             f'spcc.configure(cache={str(tmp_path / "cache")!r}, plugin="/nowhere/plugin.so")\n'
             'A = sp.csr_array(np.arange(12.0).reshape(3, 4)); x = np.arange(4.0)\n')
    env = {k: v for k, v in os.environ.items() if k not in ('CC', 'SPCC_CC')}
    env.update(PATH=str(tmp_path / 'bin'), **environment)
    return subprocess.run([sys.executable, '-c', start + text], capture_output=True, text=True, timeout=120, env=env)


def has_zig():
    import importlib.util
    return importlib.util.find_spec('ziglang') is not None


def test_without_a_compiler_kernels_are_interpreted_and_that_is_said_once(tmp_path):
    if has_zig():
        pytest.skip('the package ziglang is a compiler')
    done = in_a_bare_process('''
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for n in range(3):
        y = spcc.run(f"y(i) = {n} * A(i,j) * x(j)", A=A, x=x)
        assert np.allclose(y, n * (A @ x))
notes = [w for w in caught if w.category is spcc.Note]
print(len(notes), "interpreted" in str(notes[0].message))
K = spcc.compile("y(i) = A(i,j) * x(j) + 1", A="csr")
print(set(K.engine.values()))
print(set(spcc.compile("y(i) = A(i,j) * x(j)", A="csr").engine.values()))
print(set(spcc.compile("w(r) = M(r,c) * v(c)", M="csr").engine.values()))
print([(name, there) for name, there, _ in spcc.engines()])
''', tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ['1 True', "{'interp'}", "{'pack'}", "{'pack'}",
                                        "[('clang', False), ('cc', False), ('zig', False), ('interp', True)]"]


def test_zig_is_found_where_its_package_is(tmp_path):
    """A package of this name whose program is the system's compiler."""
    cc = next((p for p in ('/usr/bin/cc', '/usr/bin/gcc') if os.path.exists(p)), None)
    if cc is None:
        pytest.skip('no cc to stand for zig')
    package = tmp_path / 'site' / 'ziglang'
    package.mkdir(parents=True)
    (package / '__init__.py').write_text('')
    program = package / 'zig'
    program.write_text('#!/bin/sh\nPATH=/usr/bin:/bin\n[ "$1" = cc ] && shift\n'
                       f'echo used >> {tmp_path}/used\nexec {cc} "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(tmp_path / 'site'), os.environ.get('PYTHONPATH', '')])
    done = in_a_bare_process('''
K = spcc.compile("y(i) = 2 * A(i,j) * x(j)", A="csr")
assert np.allclose(K(A, x), 2 * (A @ x))
print(set(K.engine.values()), [there for name, there, _ in spcc.engines() if name == "zig"])
''', tmp_path, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "{'cc'} [True]\n" and (tmp_path / 'used').exists()


def test_kernels_are_kept_on_disk(tmp_path):
    if not any(is_there for name, is_there, _ in spcc.engines() if name in ('clang', 'cc')):
        pytest.skip('no compiler')
    text = f'''
import numpy as np, spcc
spcc.configure(cache={str(tmp_path)!r})
K = spcc.compile("y(i) = 3 * A(i,j) * x(j)", A="csr")
print(list(K._variants.values())[0].compiled.info[2])
'''
    origins = [subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, timeout=120).stdout
               for _ in range(2)]
    assert origins == ['0\n', '1\n']


def test_the_demo_and_the_info():
    done = subprocess.run([sys.executable, '-m', 'spcc.demo'], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[-4:]] == ['SpMV', 'SpGEMM', 'SDDMM', 'MTTKRP']
    assert all(' right ' in line for line in lines[-4:])
    assert spcc.info().startswith('version') and 'interp' in spcc.info()


def test_the_demo_needs_no_compiler(tmp_path):
    env = {k: v for k, v in os.environ.items() if k not in ('CC', 'SPCC_CC')}
    env.update(PATH=str(tmp_path), SPCC_CLANG_PLUGIN='/nowhere', XDG_CACHE_HOME=str(tmp_path))
    done = subprocess.run([sys.executable, '-m', 'spcc.demo'], capture_output=True, text=True, timeout=240, env=env)
    assert [line.split()[1:3] for line in done.stdout.splitlines()[-4:]] == 4 * [['right', 'pack']], done.stdout


@pytest.mark.parametrize('name', ['csc', 'csr', 'csr_long', 'demo'])
def test_what_the_packs_have_compiles(name, tmp_path):
    folder = os.path.join(os.environ.get('SPCC_SOURCE', ''), 'python', 'spcc', 'packs')
    if not os.path.isdir(folder):
        pytest.skip('the sources are not here')
    with open(os.path.join(folder, name + '.spcc')) as file:
        lines = [line for line in file if not line.startswith('# spcc:')]  # options of `spcc pack` alone
    (tmp_path / 'pack.spcc').write_text(''.join(lines))
    done = subprocess.run([sys.executable, '-m', 'spcc', str(tmp_path / 'pack.spcc'), '--emit=plan'],
                          capture_output=True, text=True, timeout=240)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_options(tmp_path):
    before = spcc.configure(threads=1, engine='interp')
    assert set(before) >= {'threads', 'engine', 'cache', 'cc'}
    A = np.ones((3, 3))
    K = spcc.compile('y(i) = A(i,j) * x(j)')
    assert np.allclose(K(A, np.ones(3)), 3) and set(K.engine.values()) == {'interp'}
    spcc.configure(**before)
    assert np.allclose(K(A, np.ones(3)), 3)
