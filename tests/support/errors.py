"""Mistakes of users: each is one line that says what is wrong and what is right."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import Result

from balance.foundation.errors import BalanceError


@contextmanager
def refused(*words: str, begin: str = "") -> Iterator[None]:
    """Assert that the block ends with an error of one line that begins so and contains these words."""
    with pytest.raises(BalanceError) as failure:
        yield
    line = str(failure.value)
    assert "\n" not in line
    assert line.startswith(begin), line
    for word in words:
        assert word in line, line


def check_line(result: Result, status: int, *words: str) -> None:
    """Assert that a command ended with one line on standard error that contains these words."""
    assert result.exit_code == status, result.output
    lines = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert len(lines) == 1, result.output
    assert "Traceback" not in result.output
    for word in words:
        assert word in lines[0], lines[0]
