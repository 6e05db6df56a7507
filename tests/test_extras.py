"""What needs a package that is not installed names the extra to install, in one line."""

import sys
import tomllib
from pathlib import Path

import pytest
from support.errors import check_line, refused

import balance
from balance.envs.rendering import rasterise
from balance.foundation.spreadsheets import read_table
from balance.report.workbook import check_workbook
from balance.runs.cluster import open_cluster
from balance.runs.store import Store
from balance.studies.tune_search import check_optuna
from balance.training.settings import StyleTraining
from balance.training.styles import train_styles

PROJECT = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text("utf-8"))["project"]


def read_workbook(folder):
    (folder / "cards.xlsx").write_bytes(b"PK\x03\x04")
    read_table(folder / "cards.xlsx")


USES = {
    ("dask", "distributed"): lambda folder: open_cluster("local:1").__enter__(),
    ("notebooks", "ipywidgets"): lambda folder: balance.live_panel("na-grunwald"),
    ("rl", "resvg_py"): lambda folder: rasterise("<svg/>"),
    ("s3", "fsspec"): lambda folder: Store("s3://plays/look").read("run.json"),
    ("styles", "ribs"): lambda folder: train_styles(StyleTraining("na-grunwald", "base", ()), folder / "styles"),
    ("tune", "optuna"): lambda folder: check_optuna(),
    ("xlsx", "openpyxl"): read_workbook,
    ("xlsx", "xlsxwriter"): check_workbook,
}


def take_away(monkeypatch, package):
    """Let a package be missing, whatever was imported of it before."""
    for name in [each for each in sys.modules if each.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)


@pytest.mark.parametrize(("extra", "package"), USES)
def test_a_missing_package_names_its_extra(tmp_path, monkeypatch, extra, package):
    """Nothing is written before."""
    take_away(monkeypatch, package)
    monkeypatch.delitem(sys.modules, "balance.live.panel", raising=False)
    with refused(f'pip install "game-balance[{extra}]"', package):
        USES[extra, package](tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= {"cards.xlsx"}
    assert extra in PROJECT["optional-dependencies"]


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_live_without_its_packages_names_its_extra(cli, monkeypatch, package):
    take_away(monkeypatch, package)
    monkeypatch.delitem(sys.modules, "balance.live.server", raising=False)
    check_line(cli("live", "--no-browser"), 1, 'pip install "game-balance[live]"', package)
