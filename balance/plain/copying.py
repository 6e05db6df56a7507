"""Copies of states, quicker than `copy.deepcopy` where a state is made of lists, dicts and ordinary objects."""

from __future__ import annotations

import copy
import copyreg
from functools import cache
from typing import Any

_FIXED = frozenset({int, float, bool, str, bytes, type(None)})
_HOOKS = (
    "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__",
    "__getnewargs_ex__", "__new__", "__slots__",
)  # fmt: skip
_WRITTEN_IN_PYTHON = 1 << 9  # of `__flags__`: Py_TPFLAGS_HEAPTYPE


def copy_state(state: Any) -> Any:
    """Return what `copy.deepcopy` returns: things that are shared in the state are shared in the copy."""
    return _copy(state, {})


def _copy(thing: Any, memo: dict[int, Any]) -> Any:
    """Return a copy of a thing; `memo` is that of `copy.deepcopy`, which copies what is out of the ordinary."""
    key = id(thing)
    kind: Any = type(thing)
    if key in memo:
        return memo[key]
    if kind is list:
        memo[key] = copied = []
        for each in thing:
            copied.append(each if type(each) in _FIXED else _copy(each, memo))
        return copied
    if kind is dict:
        found: dict[Any, Any] = {}
        memo[key] = found
        return _fill(found, thing, memo)
    if kind in _FIXED or (kind is tuple and all(type(each) in _FIXED for each in thing)):
        return thing
    if not _is_ordinary(kind):
        return copy.deepcopy(thing, memo)
    memo[key] = made = object.__new__(kind)
    _fill(made.__dict__, thing.__dict__, memo)
    return made


def _fill(copied: dict[Any, Any], things: dict[Any, Any], memo: dict[int, Any]) -> dict[Any, Any]:
    """Return a dict with copies of the keys and values of another one."""
    for key, each in things.items():
        name = key if type(key) in _FIXED else _copy(key, memo)
        copied[name] = each if type(each) in _FIXED else _copy(each, memo)
    return copied


@cache
def _is_ordinary(kind: Any) -> bool:
    """Return whether objects are nothing but their attributes: no class of them is built in, or says how to copy."""
    classes = kind.__mro__[:-1]
    return (
        bool(classes)
        and kind not in copyreg.dispatch_table
        and all(
            each.__flags__ & _WRITTEN_IN_PYTHON and not any(hook in vars(each) for hook in _HOOKS) for each in classes
        )
    )
