"""Replays of single games: in words, as a page to step through, or next to the same deal under another variant."""

from balance.report.replay.opening import open_replay
from balance.report.replay.scenes import Replay, Scene

__all__ = ["Replay", "Scene", "open_replay"]
