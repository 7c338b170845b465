"""EMBEDDING_PROVIDER=local: a real model in a process of its own, and where it cannot run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil
import pytest

from locator_search.adapters.local_model import embedder as module
from locator_search.adapters.local_model.embedder import LocalEmbedder, check_fit
from locator_search.core.errors import ConfigurationError, ModelUnavailable
from locator_search.retrieval.calibration import calibration_of
from tests.builders.waiting import wait_until
from tests.fakes.embedding_widths import WidthsInMemory
from tests.real_model import needs_local_model

MODEL = "multilingual-e5-small-q4"


@pytest.fixture
def embedder() -> Iterator[LocalEmbedder]:
    made = LocalEmbedder(MODEL, WidthsInMemory())
    yield made
    made.close()


def workers() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [child for child in children if "locator_search.adapters.local_model.worker" in child.cmdline()]


@needs_local_model
def test_rows_are_unit_vectors_of_the_width_of_the_index(embedder: LocalEmbedder) -> None:
    rows = embedder.embed(["短い", "より長い文です。" * 40, ""] * 5, "document")
    assert rows.shape == (15, 1536)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.allclose(rows[0], rows[3], atol=1e-3), "a text has one embedding, whatever stands beside it"
    assert embedder.embed([], "document").shape == (0, 1536)
    assert not np.array_equal(rows[:1], embedder.embed(["短い"], "query")), "questions and passages have prefixes"


@needs_local_model
def test_meaning_is_found_without_a_common_word(embedder: LocalEmbedder) -> None:
    passages = ["テレワーク中の通信費は会社が負担する。", "会議室の予約は総務に申し込む。", "サーバーの電源を切る手順"]
    question = embedder.embed(["在宅勤務のインターネット代は誰が払うのか"], "query")
    assert int(np.argmax(embedder.embed(passages, "document") @ question[0])) == 0


@needs_local_model
def test_a_text_with_zero_bytes_and_broken_characters_is_embedded_whole(embedder: LocalEmbedder) -> None:
    plain, cut, broken = embedder.embed(["契約書 見積書", "契約書\0見積書", "契約書\udc80見積書"], "document")
    alone = embedder.embed(["契約書"], "document")[0]
    assert plain @ cut > plain @ alone, "what stands behind a zero byte counts"
    assert np.isfinite(broken).all()


@needs_local_model
def test_a_killed_worker_is_replaced_and_the_answer_comes(embedder: LocalEmbedder) -> None:
    before = embedder.embed(["契約書"], "query")
    (worker,) = workers()
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait(10)
    assert np.array_equal(embedder.embed(["契約書"], "query"), before)
    embedder.close()
    assert workers() == []


@needs_local_model
def test_a_worker_that_cannot_live_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORKER", "locator_search.no_such_module")
    with pytest.raises(ModelUnavailable, match="ended twice"):
        LocalEmbedder(MODEL, WidthsInMemory()).embed(["契約書"], "query")


@needs_local_model
def test_threads_get_their_own_answers(embedder: LocalEmbedder) -> None:
    texts = [f"議事録 {number} 回目" for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda text: embedder.embed([text], "query")[0], texts))
    assert np.allclose(np.array(rows), embedder.embed(texts, "query"), atol=1e-3)


@needs_local_model
def test_the_worker_ends_with_its_parent() -> None:
    program = f"""
import os, signal
from locator_search.adapters.local_model.embedder import LocalEmbedder
from tests.builders.waiting import wait_until
from tests.fakes.embedding_widths import WidthsInMemory
embedder = LocalEmbedder("{MODEL}", WidthsInMemory())
embedder.embed(["a"], "query")
print(embedder._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2]
    )
    assert ended.returncode == -signal.SIGKILL
    wait_until(lambda: not psutil.pid_exists(int(ended.stdout)))


@pytest.mark.parametrize(
    ("system", "machine"), [("Darwin", "arm64"), ("Windows", "AMD64"), ("Linux", "aarch64")], ids=lambda name: str(name)
)
def test_another_machine_is_told_what_it_is(monkeypatch: pytest.MonkeyPatch, system: str, machine: str) -> None:
    monkeypatch.setattr("platform.system", lambda: system)
    monkeypatch.setattr("platform.machine", lambda: machine)
    with pytest.raises(ConfigurationError, match=f"this is {system} on {machine}") as told:
        check_fit()
    assert "EMBEDDING_PROVIDER" in told.value.hint


def test_a_missing_package_and_an_old_processor_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match="not installed") as missing:
        check_fit()
    assert "pip install 'document-locator[local]'" in missing.value.hint
    monkeypatch.setattr(module, "find_spec", lambda _: object())
    old = tmp_path / "cpuinfo"
    old.write_text("flags : fpu sse2 avx\n")
    monkeypatch.setattr(module, "_CPU_INFO", old)
    with pytest.raises(ConfigurationError, match="AVX2"):
        check_fit()


@needs_local_model
def test_its_own_scale_tells_an_answer_from_what_has_nothing_in_common(embedder: LocalEmbedder) -> None:
    scale = calibration_of(MODEL)
    passages = [
        "年次有給休暇を取得するときは、前日までに上長へ申請書を提出する。",
        "本契約の有効期間は締結の日から一年間とし、満了の一か月前までに申し出がなければ自動的に更新する。",
        "第三会議室のプロジェクターは総務部が管理する。",
    ]
    questions = ["休みを取るにはどうすればいいか", "契約はいつまで続くのか"]
    cosines = embedder.embed(questions, "query") @ embedder.embed(passages, "document").T
    similarities = np.vectorize(scale.similarity)(cosines)
    right, wrong = np.eye(2, 3, dtype=bool), ~np.eye(2, 3, dtype=bool)
    assert similarities[wrong].max() < 0.20
    assert similarities[right].min() > similarities[wrong].max() + 0.10
    assert scale.similarity(float(cosines[1, 1])) > 0.50
