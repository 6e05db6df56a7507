"""Archives and tables of numbers from others: limits before contents, and one sort of error."""

import io
import random
import tracemalloc
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.errors import refused

from balance.foundation.archives import read_arrays, read_rows
from balance.foundation.errors import BalanceError

ARRAYS = {"2/out": np.arange(6, dtype="<f2").reshape(2, 3), "step": np.array(3), "none": np.zeros((0, 4))}


def spoil(content: bytes, draw: random.Random) -> bytes:
    """Return a content with some bytes changed, mostly near its ends, cut short, or with a piece twice."""
    spoilt, size = bytearray(content), len(content)
    for _ in range(draw.randint(1, 5)):
        near = draw.randrange(min(400, size))
        spoilt[draw.choice([draw.randrange(size), near, -1 - near])] = draw.randrange(256)
    if draw.random() < 0.1:
        del spoilt[draw.randrange(size) :]
    elif draw.random() < 0.1:
        spoilt += spoilt[draw.randrange(size) :]
    return bytes(spoilt)


def test_arrays_of_all_shapes_and_orders_are_read(tmp_path):
    path = tmp_path / "a.npz"
    np.savez_compressed(path, by_column=np.asfortranarray(np.eye(3)[:2]), **ARRAYS)
    found = read_arrays(path, 10_000)
    for name, array in {**ARRAYS, "by_column": np.eye(3)[:2]}.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype


def test_an_archive_of_many_arrays_is_refused_before_it_is_unpacked(tmp_path):
    """Each is small enough; all of them together would fill the memory."""
    path, array = tmp_path / "a.npz", io.BytesIO()
    np.lib.format.write_array(array, np.zeros(100_000))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(100):
            archive.writestr(f"{number}.npy", array.getvalue())
    tracemalloc.start()
    with refused("larger than 10,000,000 bytes"):
        read_arrays(path, 10_000_000)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000  # of 80 MB unpacked
    tracemalloc.stop()


@pytest.mark.parametrize(
    "array", [np.array([print]), np.array(["a"]), np.zeros(2, [("a", "f8")]), np.zeros(2, "M8[s]")]
)
def test_only_numbers_are_read(tmp_path, array):
    np.savez(tmp_path / "a.npz", a=array)
    with refused("not a NumPy .npz file of numbers"):
        read_arrays(tmp_path / "a.npz", 10_000)


def test_a_header_may_promise_no_more_than_there_is(tmp_path):
    header = io.BytesIO()
    told = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    np.lib.format.write_array_header_1_0(header, told)
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("a.npy", header.getvalue())
    with refused("not a NumPy .npz file of numbers"):
        read_arrays(tmp_path / "a.npz", 10_000)


def test_a_damaged_archive_is_one_sort_of_error(tmp_path):
    path, draw, failed = tmp_path / "a.npz", random.Random(1), 0
    for save in (np.savez, np.savez_compressed):
        save(path, **ARRAYS)
        whole = path.read_bytes()
        for _ in range(400):
            path.write_bytes(spoil(whole, draw))
            try:
                read_arrays(path, 10_000)
            except BalanceError as error:
                failed += 1
                assert "\n" not in str(error)
    assert failed > 400


def test_a_table_has_no_more_rows_than_it_may(tmp_path):
    """Its end says how many: nothing is unpacked for it."""
    content = io.BytesIO()
    pq.write_table(pa.table({"a": pa.array(np.zeros(5_000_000, "i8"))}), content)
    assert len(content.getvalue()) < 100_000
    before = pa.total_allocated_bytes()
    with refused("has 5,000,000 rows, and may have 1,000"):
        read_rows(content.getvalue(), tmp_path / "a.parquet", 1000)
    assert pa.total_allocated_bytes() == before


def test_a_damaged_table_is_one_sort_of_error(tmp_path):
    content, draw, failed = io.BytesIO(), random.Random(2), 0
    rows = {"a": list(range(50)), "b": [f"x{n}" for n in range(50)], "c": [None, 1.5] * 25}
    pq.write_table(pa.table(rows), content, compression="zstd")
    for _ in range(400):
        try:
            read_rows(spoil(content.getvalue(), draw), tmp_path / "a.parquet", 1000)
        except BalanceError as error:
            failed += 1
            assert "\n" not in str(error)
    assert failed > 100
