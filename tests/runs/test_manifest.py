"""The list of parts: any damage is named, and the part is played again to the same bytes."""

import json
import shutil

import pytest
from support.errors import refused
from support.runs import digest, edit_info, listed, parts_of, play, resume

import balance
from balance.analysis.gather import gather
from balance.analysis.shares import share_question
from balance.experiments.measures import share_of
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder
from balance.runs.manifest import NAME, hash_file


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a run of several parts."""
    path = tmp_path_factory.mktemp("whole") / "run"
    return play(path, players=[2, 3, 4], games=40, log="rounds", luck=40)


@pytest.fixture
def copy(whole, tmp_path):
    """Return a copy of it, to damage."""
    return shutil.copytree(whole, tmp_path / "copy")


def read(path):
    run = RunFolder.open_finished(path)
    return gather(run, [share_question(share_of(run.plan, "seat"))])


def flip(path):
    """Flip one bit in the middle of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(bytes(content))


def swap(one, other):
    """Swap the names of two files."""
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)


def test_every_file_is_listed_with_rows_bytes_and_checksum(whole):
    """Each part has one line."""
    lines = (whole / NAME).read_text().splitlines()
    assert len(lines) == 3
    listed = {
        f"{table}/{part.stem}.parquet": (facts.bytes, facts.sha256)
        for part in parts_of(whole)
        for table, facts in part.files.items()
    }
    files = {path.relative_to(whole).as_posix(): path for path in whole.rglob("*.parquet")}
    assert listed == {name: (path.stat().st_size, hash_file(path)) for name, path in files.items()}
    assert [part.files["seats"].rows for part in parts_of(whole)] == [80, 120, 160]


@pytest.mark.parametrize("table", ["games", "seats", "rounds", "luck"])
@pytest.mark.parametrize("damage", ["flip", "cut", "missing", "swap"])
def test_damage_is_named_refused_and_mended(table, damage, copy, whole, cli):
    """`verify`, every reader of the run, and --resume, which plays the part again, name it."""
    first, second, _ = sorted((copy / table).glob("*.parquet"))
    if damage == "flip":
        flip(first)
    elif damage == "cut":
        first.write_bytes(first.read_bytes()[:-100])
    elif damage == "missing":
        first.unlink()
    else:
        swap(first, second)
    result = cli("verify", copy)
    lines = result.output.splitlines()
    assert result.exit_code == 1
    assert len(lines) == (2 if damage == "swap" else 1)
    words = {"flip": "damaged", "cut": "cut short", "missing": "missing", "swap": "swapped"}
    for line, path in zip(lines, [first, second], strict=False):
        assert line.startswith(f"{path} is {words[damage]}")
        assert line.endswith(f"balance run --resume {copy}")
    for reader in (read, balance.open_run):
        with refused(words[damage]):
            reader(copy)
    resume(copy)
    assert digest(copy) == digest(whole)
    cli("verify", copy, status=0)
    assert listed(copy) == listed(whole)


def test_a_file_of_a_neighbour_is_named_and_not_read(copy, whole, cli):
    """Rows of a file that the run did not write are never counted."""
    foreign = copy / "seats" / "cell000-000000040.parquet"
    shutil.copy(next((copy / "seats").glob("*.parquet")), foreign)
    result = cli("verify", copy, status=1)
    assert result.output == f"{foreign} is not part of this run; it is not read; remove it\n"
    assert len(balance.open_run(copy).seats()) == len(balance.open_run(whole).seats())


@pytest.mark.parametrize("damage", ["missing", "damaged", "shortened"])
def test_a_list_that_is_damaged_is_made_anew(damage, copy, whole, cli):
    """Parts that the list does not cover are played again."""
    lines = (copy / NAME).read_bytes().splitlines(keepends=True)
    if damage == "missing":
        (copy / NAME).unlink()
    elif damage == "damaged":
        (copy / NAME).write_bytes(lines[0] + b'{"part": 7}\n' + lines[2])
    else:
        (copy / NAME).write_bytes(b"".join(lines[:2]))
    result = cli("verify", copy, status=1)
    assert NAME in result.output
    assert "--resume" in result.output
    with pytest.raises(BalanceError, match="--resume"):
        read(copy)
    resume(copy)
    assert digest(copy) == digest(whole)
    cli("verify", copy, status=0)


def test_a_line_that_was_being_written_counts_for_nothing(copy, whole, cli):
    """After kill -9 in the middle of it the part is played again."""
    edit_info(copy, status="running")
    (copy / NAME).write_bytes((copy / NAME).read_bytes()[:-10])
    assert len(balance.open_run(copy).games()) == 80
    assert cli("verify", copy).output == f"{copy}: intact so far, 80 games of at most 120; the run is not finished\n"
    resume(copy)
    assert digest(copy) == digest(whole)
    assert listed(copy) == listed(whole)


@pytest.mark.parametrize("table", ["../games", "traces"])
def test_a_list_leads_nowhere_else(table, copy):
    """Names of files in it must be ours."""
    lines = (copy / NAME).read_text().replace('"rounds"', json.dumps(table))
    (copy / NAME).write_text(lines)
    with pytest.raises(BalanceError, match="line 1 is damaged"):
        read(copy)
