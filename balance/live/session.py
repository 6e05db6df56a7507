"""One designer's session: a draft, a thread that plays its games stage by stage, and messages for the page."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import platformdirs
from filelock import FileLock, Timeout

from balance.analysis.verdicts import CellVerdicts
from balance.contract.game import Game, options_of
from balance.experiments.measures import OPTION_USE, apart_measures, measures_of
from balance.experiments.networks import default_player, strongest_searcher
from balance.experiments.rule_keys import Key
from balance.experiments.rule_steps import is_number
from balance.experiments.variants import Variant, hash_rules, load_variant
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import N_, tr, trc
from balance.foundation.toml import is_path
from balance.live.arms import CLOSE_SECONDS, ArmStore, Settings, Stop, Stopped
from balance.live.draft import Draft
from balance.live.jobs import JOB_TITLES, JOBS, JobContext
from balance.live.messages import MessageBoard
from balance.live.shown import ask_variants, render, show, write_error
from balance.report.words import label_of, name_of

_NOW = N_("now")
_ITERATIONS = 16  # of the searcher among the players to choose from


@dataclass(frozen=True)
class _AskedJob:
    """A job with the draft and the baseline at the moment when it was asked for."""

    name: str
    body: Mapping[str, Any]
    draft: Draft
    before: Variant
    now: Variant


def _rules_of(before: Variant, now: Variant) -> tuple[str, ...]:
    """Return what decides the verdicts on two variants."""
    return before.name, hash_rules(before.rules), now.name, hash_rules(now.rules)


def draft_path(game: Game, variant: str) -> Path:
    """Return the file that keeps the draft of a variant between two starts."""
    folder = platformdirs.user_data_path("balance", appauthor=False) / "live"
    folder.mkdir(parents=True, exist_ok=True)
    place = str(Path(variant).absolute()) if is_path(variant) else variant
    place = f"{game.name} {place}" if is_path(game.name) else place
    digest = hashlib.sha256(place.encode()).hexdigest()[:8]
    return folder / f"{Path(game.name).name}-{Path(variant).stem}-{digest}.json"


def _hold(draft: Path | None) -> FileLock | None:
    """Lock the file of a draft, so that no other server writes it."""
    if draft is None:
        return None
    held = FileLock(draft.with_name(f"{draft.name}.lock"))  # not a file of the user, such as poetry.lock
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise BalanceError(
            tr("another balance live has the draft {path}; end it, or name another file with --draft", path=draft)
        ) from None
    return held


class Session:
    """A draft and its games. All public methods may be called from any thread.

    Parameters
    ----------
    board : MessageBoard
        Receives ``state`` (the draft), ``status``, ``result`` (HTML) and ``job NAME`` (HTML).
    pages : dict
        Written pages by the name under which they are served; jobs add theirs.
    """

    def __init__(self, settings: Settings, board: MessageBoard, pages: dict[str, Path]) -> None:
        self.settings, self._board, self.pages = settings, board, pages
        self._held = _hold(settings.draft)  # first: the draft of a running server must stay in its place
        try:
            self.draft, self.store = self._read_settings()
        except BaseException:
            self._release()
            raise
        self._baseline = self.draft.start
        self._pools = _offer_pools(settings)
        self._changed = threading.Condition()
        self._stop = Stop(lambda what: self._status(what, busy=True))
        self._is_stale, self._is_judging, self._is_closed = True, False, False
        self._job: _AskedJob | None = None
        self._judged: tuple[tuple[str, ...], CellVerdicts] | None = None
        self._variant_files: dict[tuple[Path, int, int], bool] = {}
        self.thread = threading.Thread(target=self._work, name="balance live", daemon=True)
        self._publish_state()

    def _read_settings(self) -> tuple[Draft, ArmStore]:
        settings = self.settings
        draft = Draft(settings.game, settings.variant, settings.draft, settings.is_named)
        return draft, ArmStore(settings.plan(draft.start), settings.workers)

    def _release(self) -> None:
        if self._held:
            self._held.release()

    def start(self) -> None:
        """Begin to play."""
        self.thread.start()

    def close(self) -> None:
        """Stop playing and end the thread."""
        with self._changed:
            self._is_closed = True
            self._stop.set()
            self._changed.notify()
        if self.thread.is_alive():
            self.thread.join(CLOSE_SECONDS)
        self._release()

    def describe(self) -> dict[str, Any]:
        """Return what the page needs once: the game, its keys and what plays."""
        settings = self.settings
        return {
            "game": settings.game.title,
            "players": list(settings.players),
            "counts": list(settings.game.players),
            "keys": [self._describe_key(key) for key in self.draft.keys.values()],
            "measures": self._measures(),
        }

    def act(self, action: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out what the page asks for, and return the answer; `BalanceError` says what is wrong."""
        acts = {
            "set": self._set, "reset": self._reset, "clear": self._clear, "undo": self._undo, "redo": self._redo,
            "rename": self._rename, "open": self._open, "save": self._save, "text": self._text,
            "contents": self._contents, "baseline": self._choose_baseline, "pool": self._choose_pool,
            "job": self._begin, "stop": self._end,
        }  # fmt: skip
        if action not in acts:
            raise unknown("action", action, acts)
        with self._changed:
            return acts[action](body) or {}

    def _describe_key(self, key: Key) -> dict[str, Any]:
        is_table = key.name in self.settings.game.rules.PATH_KEYS
        rows = [name.rpartition(".")[2] for name in self.settings.game.rules.ROWS if name.partition(".")[0] == key.name]
        return {
            **key.record(), "meaning": tr(key.meaning), "start": self.draft.start_value(key), "table": is_table,
            "rows": rows, "number": is_number_key(key),
        }  # fmt: skip

    def _measures(self) -> list[tuple[str, str]]:
        """Return what a job can be about, with its name on the page: measures, and win shares by seat."""
        game = self.settings.game
        every = [*measures_of(self.store.plan), *apart_measures(game).values()]
        options = [
            (f"{OPTION_USE.name}:{option}", name_of(OPTION_USE, option))
            for each in options_of(game)
            for option in each.options
        ]
        seats = [
            (f"{each.name}:{seat}", name_of(each, str(seat)))
            for each in every
            if each.by == "seat"
            for seat in range(max(self.settings.players))
        ]
        return [*seats, *((each.name, label_of(each)) for each in every if not each.by), *options]

    # What the page asks for, under the lock.

    def _set(self, body: Mapping[str, Any]) -> None:
        name = _text_of(body, "key")
        value = self.draft.read_value(name, _text_of(body, "toml")) if "toml" in body else body.get("value")
        self.draft.change(name, value, bool(body.get("continues")))
        self._renew()

    def _reset(self, body: Mapping[str, Any]) -> None:
        self.draft.reset(_text_of(body, "key"))
        self._renew()

    def _clear(self, body: Mapping[str, Any]) -> None:
        self.draft.clear()
        self._renew()

    def _undo(self, body: Mapping[str, Any]) -> None:
        self.draft.undo()
        self._renew()

    def _redo(self, body: Mapping[str, Any]) -> None:
        self.draft.redo()
        self._renew()

    def _rename(self, body: Mapping[str, Any]) -> None:
        self.draft.rename(_text_of(body, "name"))
        self._publish_state()

    def _open(self, body: Mapping[str, Any]) -> None:
        self.draft.open(_text_of(body, "text"), Path(_text_of(body, "file").replace("\\", "/")).name)
        self._renew()

    def _save(self, body: Mapping[str, Any]) -> dict[str, Any]:
        path = self.draft.save(self.settings.out)
        self._publish_state()
        return {"path": str(path)}

    def _text(self, body: Mapping[str, Any]) -> dict[str, Any]:
        return {"file": f"{self.draft.state.name}.toml", "text": self.draft.write(self.settings.out)}

    def _contents(self, body: Mapping[str, Any]) -> dict[str, Any]:
        return {"value": self.draft.contents(_text_of(body, "key"))}

    def _choose_baseline(self, body: Mapping[str, Any]) -> None:
        name = _text_of(body, "name")
        known = self._baselines()
        if name not in known:
            raise unknown("variant", name, known)
        found = known[name]
        self._baseline = self.draft.start if found is None else load_variant(self.settings.game, found, Path())
        self._renew()

    def _choose_pool(self, body: Mapping[str, Any]) -> None:
        name = _text_of(body, "name")
        if name not in self._pools:
            raise unknown("strategy", name, self._pools)
        settings = replace(self.settings, strategies=self._pools[name])
        self.store = ArmStore(settings.plan(self.draft.start), settings.workers)
        self.settings, self._judged = settings, None
        self._renew()

    def _begin(self, body: Mapping[str, Any]) -> None:
        name = _text_of(body, "name")
        if name not in JOBS:
            raise unknown("job", name, JOBS)
        if self._job is not None:
            raise BalanceError(tr("one job at a time: wait until the last one ends, or stop it"))
        self._job = _AskedJob(name, dict(body), self.draft.freeze(), self._baseline, self._variant_now())
        self._interrupt()
        self._changed.notify()

    def _end(self, body: Mapping[str, Any]) -> None:
        self._stop.set()

    def _baselines(self) -> dict[str, str | None]:
        """Return the variants that can be compared with, by name: None for the start, else a name or a path."""
        found: dict[str, str | None] = {self.draft.start.name: None}
        found |= {name: name for name in self.settings.game.shipped("variants") if name not in found}
        for path in sorted(self.settings.out.glob("*.toml")):
            if path.stem not in found and self._is_variant(path):
                found[path.stem] = str(path)
        return found

    def _is_variant(self, path: Path) -> bool:
        """Return whether a file is a variant of the game; it is read again only if it changed."""
        try:
            state = path.stat()
            key = path, state.st_mtime_ns, state.st_size
            if key not in self._variant_files:
                self._variant_files[key] = False
                load_variant(self.settings.game, str(path), Path())
                self._variant_files[key] = True
        except (OSError, BalanceError):
            return False
        return self._variant_files[key]

    # What happens then.

    def _renew(self) -> None:
        """Publish the draft, and play it from the first stage."""
        self._is_stale = True
        self._publish_state()
        self._interrupt()
        self._changed.notify()

    def _interrupt(self) -> None:
        """Stop games that only sharpen the figures; a job is not stopped."""
        if self._is_judging:
            self._stop.set()

    def _publish_state(self) -> None:
        draft = self.draft
        state = {
            "name": draft.state.name, "values": draft.state.values, "undo": draft.steps.can_undo,
            "redo": draft.steps.can_redo, "start": draft.start.name, "note": draft.note,
            "baseline": self._baseline.name, "baselines": list(self._baselines()),
            "pool": _name_pool(self.settings.strategies), "pools": list(self._pools),
        }  # fmt: skip
        self._board.publish("state", state)

    def _status(self, text: str, busy: bool, error: str = "") -> None:
        self._board.publish("status", {"text": text, "busy": busy, "error": error})

    def _work(self) -> None:
        """Play until the session is closed: a job first, then the draft."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_closed or self._is_stale or self._job)
                if self._is_closed:
                    return
                self._stop.clear()
                job, self._is_judging = self._job, self._job is None
                self._is_stale = self._is_stale and job is not None
                before, now = self._baseline, self._variant_now()
            try:
                if job:
                    self._carry_out(job)
                else:
                    self._judge(before, now)
            except Stopped:
                self._status(trc("run", "stopped"), busy=False)
            except Exception as error:  # a fault of a game or of ours must not leave the page waiting
                self._status("", busy=False, error=write_error(error))
            finally:
                with self._changed:
                    self._is_judging = False
                    if job:
                        self._job, self._is_stale = None, True

    def _variant_now(self) -> Variant:
        """Return the rules of the draft with a name that the baseline does not have."""
        name = tr(_NOW)
        if self._baseline.name == name:
            name = tr("now, changed")
        return replace(self.draft.variant, name=name)

    def _judge(self, before: Variant, now: Variant) -> None:
        """Play both variants stage by stage, and publish the results of each stage."""
        store = self.store  # other players may be chosen meanwhile
        for stage, games in enumerate(store.stages):
            self._status(tr("playing {n:,} games at each player count", n=games), busy=True)
            began = time.perf_counter()
            shown = show(ask_variants(store, before, now, stage, self._stop), games)
            seconds = time.perf_counter() - began
            self._stop.advance(0, 0)
            self._judged = _rules_of(before, now), shown.verdicts
            parts = {part: render("results.html.jinja", shown=shown, part=part) for part in ("grid", "details")}
            self._board.publish("result", {**parts, "games": games, "seconds": round(seconds, 2)})
        self._status(tr("{n:,} games at each player count", n=store.stages[-1]), busy=False)

    def _carry_out(self, job: _AskedJob) -> None:
        def publish(html: str) -> None:
            self._board.publish(f"job {job.name}", {"html": html, "name": job.name})

        self._status(tr("{job}: under way", job=tr(JOB_TITLES[job.name])), busy=True)
        rules, cells = self._judged or ((), None)
        shown = cells if rules == _rules_of(job.before, job.now) else None
        context = JobContext(
            self.settings, job.draft, job.before, job.now, self.store, shown, self._stop, publish,
            self._status, self.pages,
        )  # fmt: skip
        try:
            JOBS[job.name](context, job.body)
        except Exception as error:
            publish(render("jobs.html.jinja", kind="error", text=write_error(error)))
            raise
        self._status(tr("{job}: done", job=tr(JOB_TITLES[job.name])), busy=False)


def _offer_pools(settings: Settings) -> dict[str, Sequence[str]]:
    """Return the sets of players that the page offers, by name; the first is the one asked for at the start."""
    game, profiles = settings.game, settings.game.shipped("profiles")
    named = [default_player(game, settings.players), *profiles]
    named.append(strongest_searcher(game, settings.players, _ITERATIONS))
    offered = [settings.strategies, *([name] for name in named), profiles]
    return {_name_pool(pool): pool for pool in offered if pool}


def _name_pool(pool: Sequence[str]) -> str:
    return ", ".join(pool)


def is_number_key(key: Key) -> bool:
    """Return whether a key has a number, or one for each player count or seat."""
    values = list(key.base.values()) if isinstance(key.base, Mapping) else [key.base]
    return bool(values) and all(is_number(each) for each in values)


def _text_of(body: Mapping[str, Any], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str):
        raise BalanceError(tr("{key}: must be text, got {given}", key=key, given=f"{value!r:.80}"))
    return value
