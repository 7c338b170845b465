"""Worker processes: a parser that hangs, grows or dies costs one file and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from locator_search.adapters.extractors.limits import WorkerLimits
from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.extractors.worker.process import _OF_PYTHON
from locator_search.core.child_environment import ALLOWED
from locator_search.core.errors import FileGone, ReadingInterrupted, ReadingStopped, StoreUnavailable
from tests.builders.files.word import paragraph, word
from tests.builders.waiting import wait_until

HOSTILE = Path(__file__).parents[1] / "builders" / "files" / "hostile"
PATIENT = WorkerLimits(wall_seconds=200, cpu_seconds=20)
QUICK = replace(PATIENT, wall_seconds=1)

MakeExtractor = Callable[..., IsolatedExtractor]
pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes through /proc")


@pytest.fixture
def extractor(monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeExtractor]:
    """Makes extractors whose workers have the faults of `hostile/sitecustomize.py`."""
    monkeypatch.setenv("PYTHONPATH", str(HOSTILE))
    made: list[IsolatedExtractor] = []

    def make(workers: int = 1, limits: WorkerLimits = PATIENT) -> IsolatedExtractor:
        made.append(IsolatedExtractor(workers, limits))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    def write(words: str) -> Path:
        path = tmp_path / f"{words.replace(' ', '-')}.txt"
        path.write_text(words, encoding="utf-8")
        return path

    return write


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Is there as soon as a worker hangs or spins."""
    mark = tmp_path / "hangs.mark"
    monkeypatch.setenv("PYTHONPATH", f"{HOSTILE}{os.pathsep}{mark}")
    return mark


def has_ended(process: int) -> bool:
    try:
        return psutil.Process(process).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def children() -> set[int]:
    stats = [path.read_text() for path in Path("/proc").glob("[0-9]*/stat") if path.exists()]
    parents = {int(stat.split()[0]): int(stat.rpartition(")")[2].split()[1]) for stat in stats}
    return {child for child, parent in parents.items() if parent == os.getpid()}


@pytest.mark.skipif(sys.platform == "darwin", reason="file names there are always text")
def test_a_name_of_bytes_that_are_no_text_is_read_like_any_other(extractor: MakeExtractor, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"bad\xff\xfename.txt")
    path.write_text("本文です。", encoding="utf-8")
    extraction = extractor().extract(path)
    assert (extraction.state, extraction.document.text) == ("ok", "本文です。")


def test_a_file_that_hangs_times_out_and_the_next_one_is_read(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    reader = extractor(limits=QUICK)
    result = reader.extract(file("hang"))
    assert (result.state, result.reason) == ("timeout", "Reading the file took longer than 1 seconds.")
    assert 1 <= result.seconds < 60
    reader._workers[0]._limits = PATIENT
    assert reader.extract(file("good")).state == "ok"


def test_the_pages_that_came_before_the_deadline_are_kept(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    for seconds in (1, 5, 25):  # until something came before the deadline, however slow the machine
        limits = replace(PATIENT, wall_seconds=seconds)
        result = extractor(limits=limits).extract(file("one two three hang"))
        if result.state == "partial":
            break
    assert (result.state, result.document.text) == ("partial", "one\n\ftwo")
    assert result.document.mime_type == "text/plain"
    assert result.reason == f"Reading the file took longer than {seconds} seconds, so its end is missing."


def test_processor_time_is_limited_by_itself(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    result = extractor(limits=replace(PATIENT, cpu_seconds=1)).extract(file("spin"))
    assert (result.state, result.reason) == (
        "timeout",
        "Reading the file took longer than 1 seconds of processor time.",
    )


def test_a_file_that_eats_memory_is_too_large(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    reader = extractor()  # memory runs out, not time
    assert reader.extract(file("eat")).state == "too-large"
    assert reader.extract(file("good")).state == "ok"


@pytest.mark.parametrize(("fault", "cause"), [("abort", "SIGABRT"), ("exit", "exit status 3")])
def test_a_worker_that_dies_says_how_and_is_replaced(extractor: MakeExtractor, file, fault: str, cause: str) -> None:  # type: ignore[no-untyped-def]
    reader = extractor()
    result = reader.extract(file(f"page page {fault}"))
    assert result.state == "killed"
    assert cause in result.reason
    assert result.document.blocks == ()
    assert reader.extract(file("good")).state == "ok"


@pytest.mark.parametrize("guarded", [False, True])
def test_a_worker_that_is_killed_from_outside_says_nothing_about_its_file(
    extractor: MakeExtractor, file: Callable[[str], Path], guarded: bool
) -> None:
    reader = extractor()
    with pytest.raises(ReadingInterrupted, match=r"end-myself\.txt was ended from outside \(SIGKILL\)"):
        reader.extract(file("end-myself"), guarded=guarded)
    assert reader.extract(file("good")).state == "ok"


def test_what_takes_its_parent_along_takes_the_guard_and_not_us(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    reader = extractor()
    before = children()
    with pytest.raises(ReadingInterrupted, match="from outside"):
        reader.extract(file("end-everything"), guarded=True)
    assert children() == before
    assert reader.extract(file("good")).state == "ok"


@pytest.mark.parametrize(("fault", "cause"), [("abort", "SIGABRT"), ("exit", "exit status 3")])
def test_a_guarded_worker_ends_as_it_would_without(extractor: MakeExtractor, file, fault: str, cause: str) -> None:  # type: ignore[no-untyped-def]
    result = extractor().extract(file(fault), guarded=True)
    assert (result.state, cause in result.reason) == ("killed", True)


def test_a_guarded_worker_that_hangs_is_ended_with_its_guard(extractor: MakeExtractor, file, mark: Path) -> None:  # type: ignore[no-untyped-def]
    reader = extractor(limits=QUICK)
    before = set(psutil.pids())
    assert reader.extract(file("hang"), guarded=True).state == "timeout"
    wait_until(lambda: all(process.pid in before for process in _workers()), "the worker lives on")


def _workers() -> list[psutil.Process]:
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if "locator_search.adapters.extractors.worker" in (process.info["cmdline"] or [])
        and process.info["cmdline"][-1] == str(QUICK.memory_bytes)
        and process.info["cmdline"][-2] == str(QUICK.cpu_seconds)
    ]


def test_a_file_is_on_record_before_it_is_opened_and_never_while_it_waits(
    extractor: MakeExtractor, file: Callable[[str], Path], mark: Path
) -> None:
    reader = extractor(workers=1)
    held: list[str] = []

    def opened() -> None:
        assert not mark.exists(), "it is on record first"
        held.append("hang")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(reader.extract, file("hang"), begun=opened)
        wait_until(mark.exists)
        second = pool.submit(reader.extract, file("good"), begun=lambda: held.append("good"))
        assert held == ["hang"], "the other one waits for the worker"
        reader.close()
        for reading in (first, second):
            with pytest.raises(ReadingInterrupted):
                reading.result()
    assert held == ["hang"]


def test_a_reading_that_cannot_be_put_on_record_does_not_happen(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    def refused() -> None:
        raise StoreUnavailable("PostgreSQL cannot be reached.")

    reader = extractor()
    with pytest.raises(StoreUnavailable):
        reader.extract(file("good"), begun=refused)
    assert reader.extract(file("good")).state == "ok"


def test_a_worker_sees_no_key_of_ours(extractor: MakeExtractor, file, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    for name in ("OPENAI_API_KEY", "DATABASE_URL", "A_KEY_NOBODY_THOUGHT_OF", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "secret")
    seen = set(extractor().extract(file("environment")).document.text.split())
    assert seen <= {*ALLOWED, *_OF_PYTHON, "LC_CTYPE"}, "Python itself may add the last one"
    assert "PATH" in seen


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="Linux alone is asked so")
def test_where_memory_runs_out_the_machine_ends_a_worker_first(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    worker = extractor().extract(file("pid")).document.text
    assert Path(f"/proc/{worker}/oom_score_adj").read_text().strip() == "1000"


def test_what_a_library_prints_does_not_disturb(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    assert extractor().extract(file("babble good")).document.text.endswith("good")


def test_a_worker_is_used_again_until_it_has_read_its_share(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    reader = extractor(limits=replace(PATIENT, files=2))
    pids = [reader.extract(file("pid")).document.text for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_a_worker_that_grew_is_replaced(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    reader = extractor(limits=replace(PATIENT, recycle_memory_bytes=1))
    assert reader.extract(file("pid")).document.text != reader.extract(file("pid")).document.text


def test_a_worker_that_died_unused_is_not_the_next_files_fault(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    reader = extractor()
    worker = int(reader.extract(file("pid")).document.text)
    os.kill(worker, signal.SIGKILL)  # it may still look alive, but it will see no other file
    assert reader.extract(file("good")).state == "ok"


def test_workers_start_with_the_first_file_and_end_with_close(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    before = children()
    reader = extractor(workers=2)
    assert children() == before
    reader.extract(file("good"))
    assert len(children() - before) == 1
    reader.close()
    assert children() == before
    with pytest.raises(ReadingStopped, match="closed"):
        reader.extract(file("good"))


def test_close_does_not_blame_the_file_that_was_being_read(extractor: MakeExtractor, file, mark: Path) -> None:  # type: ignore[no-untyped-def]
    reader = extractor()
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(reader.extract, file("hang"))
        wait_until(mark.exists)
        reader.close()
        with pytest.raises(ReadingStopped, match=r"closed while it read hang\.txt"):
            reading.result()


def test_five_threads_share_two_workers(extractor: MakeExtractor, file) -> None:  # type: ignore[no-untyped-def]
    reader = extractor(workers=2)
    paths = [file(f"text{number}") for number in range(20)]
    with ThreadPoolExecutor(5) as pool:
        results = list(pool.map(reader.extract, paths))
    assert [result.document.text for result in results] == [f"text{number}" for number in range(20)]


def test_workers_die_with_their_parent_even_in_the_middle_of_a_file(file, mark: Path) -> None:  # type: ignore[no-untyped-def]
    program = (
        "import sys, threading; from pathlib import Path\n"
        "from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor\n"
        "reader = IsolatedExtractor(1)\n"
        "print(reader.extract(Path(sys.argv[1])).document.text, flush=True)\n"
        "reader.extract(Path(sys.argv[2]))\n"
    )
    command = [sys.executable, "-c", program, str(file("pid")), str(file("spin"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ), text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        wait_until(mark.exists)
        assert not has_ended(worker)
        parent.kill()
    wait_until(lambda: has_ended(worker))


def test_a_module_in_the_current_folder_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "csv.py").write_text("raise SystemExit('taken over')")
    (tmp_path / "table.csv").write_text("a,b\n")
    monkeypatch.chdir(tmp_path)
    with IsolatedExtractor(1) as reader:
        assert reader.extract(Path("table.csv")).document.text == "a\tb"


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with IsolatedExtractor(1) as reader:
        with pytest.raises(FileGone):
            reader.extract(tmp_path / "gone.pdf")
        assert reader.extract(tmp_path).state == "unsupported"


def test_a_real_file_goes_through_whole(tmp_path: Path) -> None:
    path = word(tmp_path / "報告書.docx", paragraph("見出し", "1") + paragraph("本文" * 100_000))
    with IsolatedExtractor(1) as reader:
        result = reader.extract(path)
    assert [block.kind for block in result.document.blocks] == ["heading", "paragraph"]
    assert len(result.document.text) == 200_004
