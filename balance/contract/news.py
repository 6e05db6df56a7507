"""Chance outcomes, told to the log."""

from __future__ import annotations

from balance.compiling.jit import compiled


@compiled
def announce(state, log, code):
    """Note a chance outcome, and the round in which it happens, if the trace wants it."""
    if log.keep_news:
        news = log.news[log.news_count]
        news.code = code
        news.round_number = state.round_number
        log.news_count += 1
