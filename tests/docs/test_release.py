"""What the files of a release say about each other."""

import re
import tomllib
from pathlib import Path

from balance import __version__

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_one_version_is_named_everywhere():
    """The newest part of the changelog and the citation file have the version of the package."""
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    cited = re.search(r"^version: (\S+)", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest[1] == cited[1] == __version__


def test_the_tests_run_on_every_python_that_is_promised():
    """The classifiers are the versions of `ci.yml`, from the lowest that may be installed."""
    promised = [name.rpartition(" ")[2] for name in PROJECT["classifiers"]]
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert re.findall(r'"(3\.\d+)"', re.search(r"^ +python: \[.*\]$", workflow, re.MULTILINE)[0]) == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"


def test_every_extra_is_on_the_page_about_installing():
    """Its table says what each adds."""
    page = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    named = {
        name
        for words in re.findall(r'^\| `pip install -e "\.\[(.*?)\]"`', page, re.MULTILINE)
        for name in words.split(",")
    }
    assert named == PROJECT["optional-dependencies"].keys()
