"""A run identifies its bots by their files and by the files imported from their folder; no code of them runs."""

import os

import pytest
from support.runs import edit_info, play, resume

from balance.experiments.strategies import Strategy
from balance.foundation.errors import BalanceError
from balance.runs.bot_files import hash_bots
from balance.runs.folder import RunFolder

BOT = "class Bot:\n    def choose(self, observation, actions):\n        return pick(actions)\n"
IMPORTS = {
    "from tools import pick": "tools.py",
    "import tools": "tools.py",
    "import tools as other": "tools.py",
    "from package import pick": "package/__init__.py",
    "import package.deep.tools": "package/deep/tools.py",
    "from package import part": "package/part.py",
    "from package.part import pick": "package/__init__.py",
    "from package import *": "package/part.py",
    "from .tools import pick": "tools.py",
    "from . import tools": "tools.py",
    "def f():\n    import tools": "tools.py",
    "try:\n    import tools\nexcept ImportError:\n    pass": "tools.py",
    "import importlib\nimportlib.import_module('tools')": "tools.py",
    "__import__('tools')": "tools.py",
    "from bots.tools import pick": "tools.py",
    "import first": "tools.py",
    "from package.up import pick": "package/part.py",
    "import native": "native.abi3.so",
}


@pytest.fixture
def folder(tmp_path):
    """Return a bot's folder with modules, packages, and files that no bot imports."""
    files = {
        "tools.py": "def pick(actions): return 0\n",
        "first.py": "import second\n",
        "second.py": "import first\nfrom tools import pick\n",
        "package/__init__.py": "pick = len\n",
        "package/part.py": "pick = len\n",
        "package/up.py": "from .part import pick\n",
        "package/deep/tools.py": "",
        "native.abi3.so": "\x00",
        "unused.py": "",
        "notes.txt": "",
        "numpy_like.py": "",
    }
    for name, text in files.items():
        path = tmp_path / "bots" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "bots"


def hashes(folder, text):
    """Return the hashes of a bot with this text."""
    (folder / "bot.py").write_text(f"{text}\n{BOT}")
    return hash_bots([Strategy("Bot", "custom", bot=f"{folder / 'bot.py'}:Bot")])


@pytest.mark.parametrize(("text", "file"), IMPORTS.items())
def test_a_changed_helper_is_noticed(folder, text, file):
    """Any form of import is followed; other files do not matter."""
    before = hashes(folder, text)
    (folder / "unused.py").write_text("x = 1")
    (folder / "notes.txt").write_text("new")
    assert hashes(folder, text) == before
    (folder / file).write_bytes((folder / file).read_bytes() + b"#")
    after = hashes(folder, text)
    assert [key for key in after if after[key] != before[key]] == [f"Bot: {file}"]


def test_a_helper_that_goes_or_comes_is_noticed(folder):
    """This includes a helper that shadows another module."""
    before = hashes(folder, "import tools, fresh")
    (folder / "fresh.py").write_text("")
    assert set(hashes(folder, "import tools, fresh")) - set(before) == {"Bot: fresh.py"}
    (folder / "tools.py").unlink()
    assert "Bot: tools.py" not in hashes(folder, "import tools, fresh")


@pytest.mark.parametrize(
    "text", ["import", "x = '\\d'", "(" * 5000, "x = " + "-" * 100_000 + "1", "\x00", "import \x00"]
)
def test_what_can_not_be_parsed_is_hashed_alone(folder, text):
    assert set(hashes(folder, text)) == {"Bot"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_is_not_waited_for(folder):
    """Files outside the bot's folder are not read either."""
    os.mkfifo(folder / "piped.py")
    (folder.parent / "outside.py").write_text("")
    text = "import piped, os, outside\nimport_module('../outside')"
    assert set(hashes(folder, text)) == {"Bot"}


def test_a_resumed_run_does_not_mix_helpers(tmp_path, cli):
    """One line names the helper, without running its code."""
    (tmp_path / "bot.py").write_text(f"from tools import pick\n{BOT}")
    (tmp_path / "tools.py").write_text("def pick(actions): return 0\n")
    bot = f"{tmp_path / 'bot.py'}:Bot"
    run = play(tmp_path / "run", players=[2], lineups=[[bot, "random"]], strategies=[], games=4)
    edit_info(run, status="interrupted")
    (tmp_path / "tools.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w')\ndef pick(actions): return len(actions) - 1\n"
    )
    with pytest.raises(BalanceError, match=r"changed since it began: tools\.py, which bot Bot imports"):
        resume(run)
    assert RunFolder.open(run).changes() == ["tools.py, which bot Bot imports"]
    cli("verify", run, status=0)
    assert not (tmp_path / "ran").exists()
