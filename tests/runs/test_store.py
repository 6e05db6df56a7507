"""Runs in an object store: a local S3 server, killed uploads, other writers, and credentials that stay out of files."""

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import nullcontext

import pytest
from support.remote import Remote
from support.runs import digest, play

import balance
from balance.foundation.errors import BalanceError
from balance.runs import mirror, store
from balance.runs.folder import RunFolder
from balance.runs.store import Store

pytest.importorskip("s3fs")
pytest.importorskip("moto")

pytestmark = pytest.mark.usefixtures("undrawn")

SECRET = "a-secret-of-these-tests"
SERVER = """
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(port=0)
server.start()
print("\\nport", server.get_host_and_port()[1], flush=True)
input()
"""
RUN = ["--game", "na-grunwald", "--players", "2", "--strategies", "random", "--quiet"]


@pytest.fixture(scope="module")
def server():
    """Return the address of an S3 server of this machine."""
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        port = next(line.split()[1] for line in process.stdout if line.startswith("port "))
        yield f"http://127.0.0.1:{port}"
        process.kill()


@pytest.fixture
def bucket(server, tmp_path, monkeypatch):
    """Return the address of a new bucket; mirrors are in a folder of the test."""
    import s3fs

    for name, value in {
        "AWS_ENDPOINT_URL": server, "AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
        store.PLACE: str(tmp_path / "mirrors"),
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    name = f"bucket-{time.time_ns()}"
    s3fs.S3FileSystem().mkdir(name)
    yield f"s3://{name}"
    s3fs.S3FileSystem.clear_instance_cache()


def elsewhere(tmp_path, monkeypatch, name="elsewhere"):
    """Continue on another machine: without the mirrors of this one."""
    monkeypatch.setenv(store.PLACE, str(tmp_path / name))


def names_in(url):
    """Return the names of all objects of a run."""
    return sorted(found.partition("/run/")[2] for found in Store(url).filesystem.find(url))


def test_a_run_in_a_store_is_the_same_run(bucket, cli, tmp_path, monkeypatch):
    """It is read and extended on another machine; no file holds a credential."""
    url = f"{bucket}/run"
    cli("run", *RUN, "--games", "40", "--out", url, status=0)
    here = play(tmp_path / "here", players=[2], games=40)
    elsewhere(tmp_path, monkeypatch)
    assert digest(mirror.run_folder(url)) == digest(here)
    cli("run --resume", url, "--games", "60", "--quiet", status=0)
    cli("components", url, "--games", "4", "--quiet", status=0)
    elsewhere(tmp_path, monkeypatch, "third")
    balance.play_on(here, 60)
    cli("components", here, "--games", "4", "--quiet", status=0)
    assert digest(mirror.run_folder(url)) == digest(here)
    assert len(balance.open_run(url).games()) == 60
    cli("verify", url, status=0)
    cli("report", url, "--out", tmp_path / "report", status=0)
    assert sorted(digest(here)) == [name for name in names_in(url) if name.endswith(".parquet")]
    for name in names_in(url):
        content = Store(url).read(name)
        assert SECRET.encode() not in content
        assert bucket.encode() not in content


KILLED = """
import os, sys
import balance.studies.playing, s3fs  # once for all
from balance.cli.commands import main
from balance.runs.store import Store

put = Store.put
def killing(self, folder, name):
    global left
    if left == 0:
        os._exit(9)
    left -= 1
    put(self, folder, name)
Store.put = killing
for line in sys.stdin:  # a process for each moment, without loading all modules again
    left, *words = line.split()
    left, child = int(left), os.fork()
    if not child:
        main(words)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_killed_upload_is_resumed_elsewhere(bucket, cli, tmp_path, monkeypatch):
    """Before the first object, within a part, before the list and before `run.json`: finished with the same bytes."""
    command = ["run", *RUN, "--games", "40", "--log", "rounds", "--out"]
    urls = {puts: f"{bucket}/run-{puts}" for puts in (0, 3, 5, 6)}
    asked = "".join(f"{puts} {' '.join(command)} {url}\n" for puts, url in urls.items())
    killed = subprocess.run([sys.executable, "-c", KILLED], input=asked, stdout=subprocess.PIPE, text=True)
    assert killed.stdout.split() == ["9"] * len(urls)
    here = play(tmp_path / "here", players=[2], games=40, log="rounds")
    monkeypatch.setattr(store, "STALE", 0.0)  # the killed process left its lock
    for puts, url in urls.items():
        elsewhere(tmp_path, monkeypatch)
        if Store(url).read("run.json") is None:
            cli(*command, url, status=0)
        else:
            assert not RunFolder.open(mirror.run_folder(url)).is_finished
            cli("run --resume", url, "--quiet", status=0)
        elsewhere(tmp_path, monkeypatch, "third")
        assert digest(mirror.run_folder(url)) == digest(here), puts


def test_nothing_is_listed(bucket, cli, tmp_path, monkeypatch):
    """A store whose listings lag behind its objects is read as well."""
    import s3fs

    url = f"{bucket}/run"
    cli("run", *RUN, "--games", "40", "--out", url, status=0)
    elsewhere(tmp_path, monkeypatch)
    monkeypatch.setattr(s3fs.S3FileSystem, "_lsdir", None)
    monkeypatch.setattr(s3fs.S3FileSystem, "_iterdir", None, raising=False)
    cli("run --resume", url, "--games", "60", "--quiet", status=0)
    assert RunFolder.open(mirror.run_folder(url)).is_finished


def test_two_machines_do_not_write_one_run(bucket, cli, tmp_path, monkeypatch):
    """The second is refused while the first writes, and if it read the run before the first wrote."""
    url = f"{bucket}/run"
    cli("run", *RUN, "--games", "40", "--out", url, status=0)
    elsewhere(tmp_path, monkeypatch)
    with Store(url).hold():
        done = cli("run --resume", url, "--games", "60", "--quiet", status=1)
    assert f"{url} is being written by another process" in done.output
    old = mirror.run_folder(url)
    elsewhere(tmp_path, monkeypatch, "third")
    cli("run --resume", url, "--games", "60", "--quiet", status=0)
    elsewhere(tmp_path, monkeypatch)
    with pytest.raises(BalanceError, match="written by another process since it was read"):
        balance.play_on(old, 80)
    done = cli("run", *RUN, "--games", "40", "--out", url, status=1)
    assert "already contains a run" in done.output


def test_a_lost_object_is_named(bucket, cli, tmp_path, monkeypatch):
    """As is a lost file; the run is repaired by playing the part again."""
    url = f"{bucket}/run"
    cli("run", *RUN, "--games", "40", "--out", url, status=0)
    (lost,) = [name for name in names_in(url) if name.startswith("seats")]
    Store(url).filesystem.rm_file(f"{url}/{lost}")
    elsewhere(tmp_path, monkeypatch)
    done = cli("report", url, "--out", tmp_path / "report", status=1)
    assert lost.rpartition("/")[2] in done.output
    cli("run --resume", url, "--quiet", status=0)
    assert lost in names_in(url)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("s3://no-such-bucket-at-all/run", "no-such-bucket-at-all"),
        ("s3://key:secret@bucket/run", "no user name or password"),
        ("s3:/bucket/run", "is no address of a store"),
        ("S3:///run", "is no address of a store"),
        ("file:///tmp/run", "is no address of a store"),
        ("nowhere://bucket/run", "nowhere"),
    ],
)
def test_a_wrong_address_is_one_line(url, words, bucket, cli):
    done = cli("run", *RUN, "--games", "40", "--out", url)
    assert done.exit_code != 0
    assert words in done.output
    assert "Traceback" not in done.output


def test_only_runs_are_in_a_store(cli, tmp_path):
    """Pages are written to a disk."""
    run = play(tmp_path / "run", players=[2])
    done = cli("report", run, "--out", "s3://bucket/report", status=2)
    assert "only runs" in done.output


def test_workers_of_a_cluster_need_no_shared_folder(bucket, cli, tmp_path, monkeypatch):
    """They put their parts into the store; the process that sends them gets the files."""
    url = f"{bucket}/run"
    monkeypatch.setattr("balance.runs.cluster.open_workers", lambda *_: nullcontext(Remote()))
    cli("run", *RUN, "--games", "40", "--out", url, status=0)
    here = play(tmp_path / "here", players=[2], games=40)
    assert digest(mirror.run_folder(url)) == digest(here)
    elsewhere(tmp_path, monkeypatch)
    assert digest(mirror.run_folder(url)) == digest(here)


def test_a_note_in_a_folder_from_somebody_else_is_not_obeyed(tmp_path, monkeypatch):
    """A run that was sent may name a store: nothing is written there and no address is asked."""
    run = play(tmp_path / "sent", games=4, players=[2], strategies=["random"])
    (run / ".store").write_text(json.dumps({"url": f"file://{tmp_path}/elsewhere", "seen": None}))
    monkeypatch.setenv("BALANCE_MIRRORS", str(tmp_path / "mirrors"))
    for place in (run, tmp_path / "mirrors" / "sent"):
        if place != run:
            shutil.copytree(run, place)
        assert RunFolder.open(place).store is None
    mine = Store("memory://bucket/run")
    shutil.copytree(run, mine.mirror)
    (mine.mirror / ".store").write_text(json.dumps({"url": mine.url, "seen": None}))
    assert RunFolder.open(mine.mirror).store == mine
    assert not (tmp_path / "elsewhere").exists()
