"""Texts of several files are worked on one after the other, whoever asks; a question waits for none of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import sleep

import pytest

from locator_search.adapters.offline import embedder, summary
from locator_search.adapters.offline.chat_model import OfflineChatModel
from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.core.computing import COMPUTING
from locator_search.indexing.prompts import summary_prompt
from locator_search.text.terms import analyse

THREADS = 4


@pytest.fixture
def most_at_once(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many threads at most analysed or summarised a text at the same time."""
    under_way, most, lock = 0, 0, Lock()

    def watched(work: Callable[..., object]) -> Callable[..., object]:
        def watching(*arguments: object) -> object:
            nonlocal under_way, most
            with lock:
                under_way += 1
                most = max(most, under_way)
            sleep(0.01)
            try:
                return work(*arguments)
            finally:
                with lock:
                    under_way -= 1

        return watching

    monkeypatch.setattr(embedder, "analyse", watched(analyse))
    monkeypatch.setattr(summary, "summarise", watched(summary.summarise))
    return lambda: most


def test_files_are_summarised_and_embedded_one_at_a_time(most_at_once: Callable[[], int]) -> None:
    texts = [f"第{number}号報告書\n予算を承認した。" for number in range(3 * THREADS)]

    def work(text: str) -> None:
        OfflineChatModel().answer(summary_prompt(text, 100, "ja"))
        OfflineEmbedder().embed([text], "document")

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(work, texts))
    assert most_at_once() == 1


def test_a_question_waits_for_no_file() -> None:
    with ThreadPoolExecutor(1) as threads, COMPUTING:  # released first, or a thread that waits would be waited for
        vectors = threads.submit(OfflineEmbedder().embed, ["委託契約の更新"], "query").result(timeout=10)
    assert len(vectors) == 1
