"""A small corpus with questions, for tests of evaluation and calibration."""

from __future__ import annotations

from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.evaluation.dataset import CorpusDocument
from locator_search.evaluation.loading import load_corpus
from locator_search.indexing.chunking.heading_chunker import HeadingChunker
from locator_search.ports import IndexStore

SUBJECTS = ("冷却ポンプ", "社員食堂", "防災訓練", "展示会", "研修計画", "旅費精算", "製品保証", "工場見学")
THINGS = ("点検手順", "予算案", "議事録", "報告書", "申請書", "契約書")
DETAILS = (
    "圧力計を毎月確かめる",
    "会場は本館の三階とする",
    "担当は総務課が務める",
    "費用は部門ごとに集計する",
    "期限は月末とする",
)


def small_corpus(documents: int = 40) -> list[CorpusDocument]:
    """Documents whose titles and words differ, at most 48."""
    return [
        CorpusDocument(
            f"file-{number}",
            f"{SUBJECTS[number % len(SUBJECTS)]}{THINGS[number // len(SUBJECTS)]}",
            f"{DETAILS[number % len(DETAILS)]}。整理番号は{1000 + 7 * number}番である。"
            f"{SUBJECTS[number % len(SUBJECTS)]}について、{DETAILS[(number + 2) % len(DETAILS)]}。",
        )
        for number in range(documents)
    ]


def load_small_corpus(index: IndexStore, documents: int = 40) -> None:
    """The same documents in an index, with offline vectors."""
    load_corpus(small_corpus(documents), index, HeadingChunker(), OfflineEmbedder(), lambda count: None)
