"""An office whose models are real ones by all appearances: a folder, a database, and a model server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from locator_assets.commands.crawl import run_crawl
from locator_assets.commands.crawl_report import CrawlReport
from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from tests.fakes.openai_server import Body, OpenAiServer, Reply, completion, embeddings

SUMMARY_COST = (1000 * 0.10 + 100 * 0.50) / 1e6
EMBEDDING_COST = 10 * 0.02 / 1e6

ANSWERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "summarise": lambda asked: {"summary": f"要約: {asked['text'][:30]}", "keywords": ["報告"]},
    "search_keywords": lambda asked: {"keywords": ["報告"]},
    "narrowing_question": lambda asked: {"question": "どの報告ですか？"},
    "rerank": lambda asked: {"file_ids": [file["id"] for file in asked["files"]][::-1]},
    "rewrite": lambda asked: {"query": asked["question"], "keywords": ["報告"]},
    "relax": lambda asked: {"keywords": asked["keywords"][:-1]},
}


def task_of(body: Body) -> str:
    return str(body["response_format"]["json_schema"]["name"])


def answer(path: str, body: Body) -> Reply:
    """A model that answers every task, and vectors that depend on the text alone."""
    if path.endswith("/embeddings"):
        return Reply(embeddings([vector_of(text) for text in body["input"]]))
    if path.endswith("/chat/completions"):
        asked = json.loads(body["messages"][1]["content"])
        return Reply(completion(json.dumps(ANSWERS[task_of(body)](asked))))
    return Reply({"error": {"message": "not here"}}, 404)


def vector_of(text: str) -> list[float]:
    """Close to every other one, so that a search finds something."""
    rng = np.random.default_rng(crc32(text.encode()))
    vector = np.ones(1536) + 0.3 * rng.standard_normal(1536)
    return [float(part) for part in vector]


class Office:
    """A folder, a database and a model server; every crawl and search opens the product anew, as a process would."""

    def __init__(self, home: Path, database_url: str, server: OpenAiServer) -> None:
        self.folder = home / "共有"
        self.folder.mkdir()
        self.settings: dict[str, Any] = {
            "locator_home": home / "home",
            "locator_folders": str(self.folder),
            "database_url": database_url,
            "openai_base_url": server.url,
            "openai_api_key": "sk-test",
        }

    def write(self, count: int) -> None:
        for number in range(count):
            text = f"第{number}号報告書\n\n案件{number}の予算は{number}万円である。"
            (self.folder / f"報告{number:03}.txt").write_text(text, encoding="utf-8")

    def open(self, **settings: Any) -> Locator:
        return open_locator(load_settings(**(self.settings | settings)))

    def crawl(self, told: list[str] | None = None, **settings: Any) -> CrawlReport:
        with self.open(**settings) as locator:
            messages = [] if told is None else told
            return run_crawl(locator, "auto", on_progress=messages.append)
