"""One game of a run again: told in words, as a page to step through, beside the same deal under another variant."""

from balance.report.replay.opening import open_replay
from balance.report.replay.telling import Replay, Scene

__all__ = ["Replay", "Scene", "open_replay"]
