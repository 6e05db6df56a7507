"""Explain in one line why a function can't be compiled: file, line and mistake."""

from __future__ import annotations

import dis
import re
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from numba import config, types
from numba.core import errors, ir

from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr

_PIPELINE = re.compile(r"(Failed in \w+ mode pipeline \(step: [^)]*\)\s*)+")
_PLACE = re.compile(r"During: typing of .* at (.+) \((\d+)\)")
_SIGNATURE = re.compile(r"No implementation of function .* found for signature:\s*>>> (.*)")
_BOUND = re.compile(r"Cannot bind .* to signature '(.*?)' due to \"TypeError: (.*)\"", re.S)
_NAME = re.compile(r"NameError: name '(.*?)' is not defined")
_CALLEE = re.compile(r"CPUDispatcher\(<function \S+ at (0x[0-9a-f]+)>\)")
_NUMBA_ONLY = re.compile(r"( for '\$.*|, defined at .*|\.+ Raised from None|\.+)$")
_MOST_SHOWN = 200  # characters of the compiler's own message
_FAILURES = (
    errors.NumbaError,
    errors.UnsupportedBytecodeError,  # not a subclass of NumbaError
    KeyError,  # a record does not have the field
    NotImplementedError,
)


def explain_failures(compile_for: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `compile_for` so that failures of the compiler become one-line errors.

    Parameters
    ----------
    compile_for : callable
        The function that Numba calls to compile for given types.
    function : callable
        The Python function; its file is named if Numba knows no other place.
    """

    def compile_or_explain(*args: Any, **kwargs: Any) -> Any:
        before = config.FULL_TRACEBACKS
        config.FULL_TRACEBACKS = 1  # the frames contain the place if the message lacks it
        try:
            return compile_for(*args, **kwargs)
        except _FAILURES as error:
            raise BalanceError(explain(error, function)) from error
        finally:
            config.FULL_TRACEBACKS = before

    return compile_or_explain


def explain(error: Exception, function: Callable[..., Any]) -> str:
    """Return the file, the line and the mistake because of which a function can't be compiled."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][::-1]
    says = _PIPELINE.sub("", str(error))
    if found := _NAME.search(says):
        place = _find_name(found[1], says, function)
        return tr("{where}: the name {name!r} is not defined", where=place, name=found[1])
    typed = _PLACE.search(says)
    where = f"{typed[1]}:{typed[2]}" if typed else _find_place(frames, function)
    if isinstance(error, KeyError) and (record := _find_record(frames)):
        return str(unknown("field", str(error.args[0]), record.fields, where))
    return f"{where}: {_shorten(says.partition('During:')[0])}"


def _find_place(frames: list[FrameType], function: Callable[..., Any]) -> str:
    """Return the compiler's current file and line, or the file and name of the requested function."""
    for value in _values(frames):
        loc = value if isinstance(value, ir.Loc) else getattr(value, "loc", None)
        if isinstance(loc, ir.Loc) and Path(loc.filename).is_file():
            return f"{loc.filename}:{loc.line}"
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def _find_name(name: str, says: str, function: Callable[..., Any]) -> str:
    """Return the file and line where a name is used, in the first callee of the message or in `function`."""
    callee = _CALLEE.search(says)
    code = (_find_callee(callee[1], function) if callee else function).__code__
    used = (each.positions for each in dis.get_instructions(code) if each.argval == name)
    line = next((place.lineno for place in used if place and place.lineno), code.co_firstlineno)
    return f"{code.co_filename}:{line}"


def _find_callee(address: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function at an address among `function` and its callees; `function` itself if none matches."""
    waiting, seen = [function], {function}
    while waiting:
        found = waiting.pop()
        if int(address, 16) == id(found):
            return found
        named = (getattr(value, "py_func", None) for value in found.__globals__.values())
        new = {each for each in named if each is not None} - seen
        waiting += new
        seen |= new
    return function


def _find_record(frames: list[FrameType]) -> Any:
    """Return the record that lacks a field."""
    return next((value for value in _values(frames) if isinstance(value, types.Record)), None)


def _values(frames: list[FrameType]) -> Iterator[Any]:
    """Yield the local values of the compiler's frames, from the innermost outwards."""
    for frame in frames:
        yield from list(frame.f_locals.values())


def _shorten(text: str) -> str:
    """Return the sentence of a message that states the mistake."""
    if found := _SIGNATURE.search(text):
        text = tr("not possible with these types: {types}", types=found[1])
    elif found := _BOUND.search(text):
        text = tr("{problem}; the function takes {arguments}", problem=found[2], arguments=found[1])
    line = next((line.strip() for line in text.splitlines() if line.strip()), tr("it can't be compiled"))
    shown = _NUMBA_ONLY.sub("", line)
    return shown if len(shown) <= _MOST_SHOWN else f"{shown[:_MOST_SHOWN]}..."
