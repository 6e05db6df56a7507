"""The lock of a run folder, with the branch of the other system too."""

import importlib.util
import sys
from types import SimpleNamespace

import pytest

from balance.runs import lock


@pytest.fixture
def on_windows(monkeypatch):
    """Return the module as Windows reads it, with the calls of its system in a list."""
    calls, held = [], []

    def locking(number, how, length):
        calls.append((how, length))
        if held:
            raise OSError

    there = SimpleNamespace(LK_NBLCK="lock", LK_UNLCK="unlock", locking=locking)
    monkeypatch.setitem(sys.modules, "msvcrt", there)
    monkeypatch.setattr(sys, "platform", "win32")
    spec = importlib.util.spec_from_file_location("lock_on_windows", lock.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, calls, held


def test_a_windows_lock_is_asked_and_given_back(on_windows, tmp_path):
    """A free lock is taken for a moment; a held one raises there."""
    module, calls, held = on_windows
    (tmp_path / lock.NAME).touch()
    assert not module.is_held(tmp_path)
    assert calls == [("lock", 1), ("unlock", 1)]
    held.append(True)
    assert module.is_held(tmp_path)
    assert calls[2:] == [("lock", 1)]


def test_a_lock_is_seen_from_outside(tmp_path):
    """The folder is free, held inside the block, and free again."""
    assert not lock.is_held(tmp_path)
    with lock.hold_folder(tmp_path):
        assert lock.is_held(tmp_path)
    assert not lock.is_held(tmp_path)
