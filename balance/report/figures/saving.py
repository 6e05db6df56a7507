"""Writes drawings as SVG and PNG; during a report also in a second process, while the first continues.

The second process imports this module and what drawings are made of, so it imports little.
"""

from __future__ import annotations

import base64
import html
import io
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import cached_property
from typing import Any

from matplotlib import rc_context, rcParams
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import ScalarFormatter

from balance.foundation.language import write_number
from balance.foundation.text import escape_controls

Files = tuple[bytes, bytes]
"""A drawing as SVG and as PNG."""
_START = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from {module} import serve; serve()"
_FAILED = (OSError, EOFError, pickle.PickleError)  # the second process ended, or sent something else


class Drawing(Figure):
    """A matplotlib figure that a notebook displays without pyplot."""

    alt: str = ""  # alternative text for readers who can't see the figure

    def _repr_html_(self) -> str:
        """Return the figure as an image for a notebook."""
        data, width = (base64.b64encode(save_png(self)).decode(), min(900, round(100 * self.get_figwidth())))
        return f'<img alt="{html.escape(self.alt)}" width="{width}" src="data:image/png;base64,{data}">'


class Ticks(ScalarFormatter):
    """Writes the numbers of an axis with the decimal sign of the language in which it was drawn."""

    def __init__(self) -> None:
        super().__init__()
        self._sign = write_number(0.1, ".1f")[1]

    def __call__(self, x: float, pos: int | None = None) -> str:
        return super().__call__(x, pos).replace(".", self._sign)


def save(drawing: Figure) -> Files:
    """Return SVG and PNG; the canvases write them, because `savefig` would draw everything twice."""
    svg = io.BytesIO()
    png = save_png(drawing)
    with any_letter():
        FigureCanvasSVG(drawing).print_svg(svg, metadata={"Date": None})  # type: ignore[no-untyped-call]
    return escape_controls(svg.getvalue().decode("utf-8"), kept="\t\r\n").encode("utf-8"), png


def save_png(drawing: Figure) -> bytes:
    """Return the drawing as PNG."""
    png = io.BytesIO()
    with any_letter():
        FigureCanvasAgg(drawing).print_png(png)  # type: ignore[no-untyped-call]
    return png.getvalue()


@contextmanager
def any_letter() -> Iterator[None]:
    """Draw letters that the font lacks as boxes without a warning; an SVG keeps them as text."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        warnings.filterwarnings("ignore", "Matplotlib currently does not support")
        yield


class Saved:
    """The files of a finished drawing, in the style of the moment.

    A second process writes them if it has the time.
    """

    def __init__(self, drawing: Figure) -> None:
        self._drawing = drawing
        self._style: Any = dict.copy(rcParams)
        del self._style["backend"]  # not a matter of style, and not in every process the same
        self.ordered: Future[Files] | None = None
        helper = HELPER.get()
        if helper is None:
            self.files = save(drawing)
        else:
            # What can't be pickled, such as a formatter that is a lambda, is written here.
            with suppress(pickle.PickleError, AttributeError, TypeError):
                self.ordered = helper.order(pickle.dumps((self._style, drawing)))

    @cached_property
    def files(self) -> Files:
        """SVG and PNG; written now if the second process has not begun with them, or failed."""
        if self.ordered is not None and not self.ordered.cancel():
            with suppress(*_FAILED):
                return self.ordered.result()
        with rc_context(self._style):
            return save(self._drawing)


HELPER: ContextVar[Helper | None] = ContextVar("helper", default=None)


@contextmanager
def second_process() -> Iterator[None]:
    """Save drawings in a second process until the end of the block, if there is a second core and it can start."""
    with ExitStack() as stack:
        if (os.cpu_count() or 1) > 1:
            with suppress(OSError):
                token = HELPER.set(stack.enter_context(Helper()))
                stack.callback(HELPER.reset, token)
        yield


class Helper:
    """A process that saves drawings, and a thread that waits for it."""

    def __init__(self) -> None:
        # Not `multiprocessing`: it runs the user's script again, which may lack the guard for its main part.
        # Its own session: Ctrl-C ends this process, which then ends the other.
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START.format(module=__name__)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._thread = ThreadPoolExecutor(1)
        self._thread.submit(self._send, pickle.dumps(sys.path))

    def __enter__(self) -> Helper:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self._thread.shutdown(cancel_futures=True)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]

    def order(self, pickled: bytes) -> Future[Files]:
        """Return the files of a pickled drawing in the future."""
        return self._thread.submit(self._exchange, pickled)

    def _exchange(self, pickled: bytes) -> Files:
        self._send(pickled)
        assert self.process.stdout is not None
        found: Files = pickle.load(self.process.stdout)
        return found

    def _send(self, pickled: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(pickled)
        self.process.stdin.flush()


def serve() -> None:
    """Save the drawings that arrive on standard input, until it ends."""
    while True:
        try:
            style, drawing = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        with rc_context(style):
            sys.stdout.buffer.write(pickle.dumps(save(drawing)))
        sys.stdout.buffer.flush()
