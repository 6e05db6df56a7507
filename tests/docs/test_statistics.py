"""The statistics page: its table is that of the audit, and the functions and tests that it names exist."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")


def test_the_table_has_the_rows_of_the_audit():
    rows = runpy.run_path(str(ROOT / "tools" / "audit" / "__main__.py"))["ROWS"]
    table = PAGE.split("## Before and after an audit")[1]
    assert re.findall(r"^\| (\S.*?) \|", table, re.M)[1:] == list(rows)


def test_the_tests_that_it_names_exist():
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)(?!\.py)\b`", PAGE))
    assert len(named) >= 10
    assert {name for name in named if f"def {name}(" not in code} == set()


def test_the_functions_that_it_names_exist():
    named = set(re.findall(r"`((?:stats|analysis|experiments)\.[\w.]+)`", PAGE))
    assert len(named) >= 8
    for name in named:
        parts = name.split(".")
        module = ROOT / "balance" / parts[0] / f"{parts[1]}.py"
        assert module.exists(), name
        if len(parts) > 2:
            assert f"def {parts[2]}(" in module.read_text(encoding="utf-8"), name
