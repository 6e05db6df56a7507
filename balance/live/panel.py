"""The live page's draft and verdicts as a panel for notebooks, made of ipywidgets."""

from __future__ import annotations

import html
import json
import threading
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.toml import write_value
from balance.live.arms import Settings
from balance.live.messages import MessageBoard
from balance.live.session import Session
from balance.live.shown import render

_HEIGHT = 620  # pixels of the figures
_WIDE = {"description_width": "initial"}


class Panel(widgets.VBox):  # type: ignore[misc]
    """A panel: choose a key, write its value as TOML, and watch the verdicts follow.

    `session` is the session that it drives; close it with `close`.
    """

    def __init__(self, settings: Settings) -> None:
        self._board = MessageBoard()
        self.session = Session(settings, self._board, {})
        keys = self.session.draft.keys
        names = [(f"{name}: {tr(key.meaning)}", name) for name, key in keys.items()]
        self.key = widgets.Dropdown(options=names, description=tr("Key"), layout={"width": "34rem"})
        self.value = widgets.Text(description=tr("Value"), style=_WIDE, continuous_update=False)
        self._said = widgets.Label()
        self.error = widgets.Label(style={"text_color": "#d55e00"})
        self.changed = widgets.Label()
        self.figures = widgets.HTML()
        titles = {"undo": tr("Undo"), "redo": tr("Redo"), "clear": tr("Reset all")}
        buttons = [self._button(name, title) for name, title in titles.items()]
        change = widgets.Button(description=tr("Change"), button_style="primary")
        change.on_click(lambda _: self.change(self.key.value, self.value.value))
        self.key.observe(lambda _: self._show_value(), "value")
        super().__init__(
            [
                self.key, widgets.HBox([self.value, change, *buttons]), self.error, self.changed, self._said,
                self.figures,
            ]
        )  # fmt: skip
        self._show_value()
        self._seen, self._one_at_a_time = 0, threading.Lock()
        self._board.join(self._follow)
        self._follow()
        self.session.start()

    def change(self, key: str, value: str) -> None:
        """Give a key a value, written as TOML; a mistake is shown in the panel."""
        self.act("set", {"key": key, "toml": value})

    def close(self) -> None:
        """Stop the games and take the panel off the page."""
        self._board.leave(self._follow)
        self.session.close()
        super().close()

    def _button(self, action: str, title: str) -> Any:
        button = widgets.Button(description=title, layout={"width": "auto"})
        button.on_click(lambda _: self.act(action, {}))
        return button

    def act(self, action: str, body: dict[str, Any]) -> None:
        """Do one of the session's actions; a mistake is shown in the panel."""
        self.error.value = ""
        try:
            self.session.act(action, body)
        except BalanceError as error:
            self.error.value = str(error)
        self._show_value()

    def _show_value(self) -> None:
        """Write the current value of the chosen key into the field."""
        name, draft = self.key.value, self.session.draft
        value = draft.state.values.get(name, draft.start_value(draft.keys[name]))
        if not self.error.value:
            self.value.value = write_value(value)

    def _follow(self) -> None:
        """Show the new messages of the session; called from its thread too."""
        shows: dict[str, Callable[[Any], None]] = {
            "state": self._show_state, "status": self._show_status, "result": self._show_result,
        }  # fmt: skip
        with self._one_at_a_time:
            self._seen, messages = self._board.since(self._seen)
            for topic, text in messages:
                if topic in shows:
                    shows[topic](json.loads(text))

    def _show_state(self, state: dict[str, Any]) -> None:
        changes = [f"{key} = {write_value(value)}" for key, value in state["values"].items()]
        self.changed.value = "; ".join(changes) or tr("nothing changed")

    def _show_status(self, status: dict[str, Any]) -> None:
        self._said.value = status["error"] or status["text"]

    def _show_result(self, result: dict[str, Any]) -> None:
        # A frame of its own: the style of the page must not reach the notebook.
        style = render("report.css") + render("live.css")
        page = render("panel.html.jinja", style=style, grid=result["grid"], details=result["details"])
        look = f"width:100%;height:{_HEIGHT}px;border:0"
        self.figures.value = f'<iframe sandbox="" style="{look}" srcdoc="{html.escape(page)}"></iframe>'
