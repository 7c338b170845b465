"""What a crawl will cost, said beforehand; the budget that stops it; which models the settings choose."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from locator_search.adapters.huggingface_embedder import HuggingFaceEmbedder
from locator_search.app.model_choice import (
    OLLAMA_URL,
    ModelChoice,
    chosen_chat_model,
    chosen_embedding_model,
    prices_of,
)
from locator_search.config.settings import Settings
from locator_search.core.errors import BadModelOutput, BudgetExhausted, ConfigurationError
from locator_search.core.usage import Usage, metered
from locator_search.indexing.cost import ModelPrices, estimate_cost, tokens_in
from locator_search.indexing.prompts import READ_AT_MOST
from locator_search.llm.budget import Budget
from locator_search.text.cutting import TOKENS_PER_WIDE_CHARACTER, estimate_tokens
from tests.builders.index import file_ref
from tests.fakes.embedding_widths import WidthsInMemory
from tests.fakes.usage_log import UsageLogInMemory

LUNA = ModelPrices(summary_input=0.10, summary_output=0.50, embedding=0.02)
SAMPLES = Path(__file__).parents[2] / "samples"


def test_the_estimate_grows_with_every_file_and_byte() -> None:
    small = file_ref("a", mime_type="text/plain", size=1_000)
    large = file_ref("b", mime_type="text/plain", size=20_000)
    one, both = estimate_cost([small], LUNA), estimate_cost([small, large], LUNA)
    assert (one.files, both.files) == (1, 2)
    assert both.tokens > one.tokens > 400
    assert one.cost_usd is not None
    assert both.cost_usd is not None
    assert 0 < one.cost_usd < both.cost_usd < 0.01


def test_an_estimate_is_the_sum_of_its_parts() -> None:
    # 20,000 bytes of text are 8,000 tokens: asked with the instructions, answered, and embedded with their headings.
    two = [file_ref(name, mime_type="text/plain", size=20_000) for name in "ab"]
    tokens = tokens_in(two[0])
    asked, written, embedded = 2 * (250 + tokens), 2 * 600, 2 * (round(tokens * 1.1) + 600)
    estimate = estimate_cost(two, LUNA)
    assert tokens == 8_000
    assert estimate.tokens == asked + written + embedded
    assert estimate.cost_usd == pytest.approx((asked * 0.10 + written * 0.50 + embedded * 0.02) / 1e6, rel=1e-9)


def test_only_the_beginning_of_a_long_text_is_summarised() -> None:
    long = file_ref("a", mime_type="text/plain", size=1_000_000)
    asked = estimate_cost([long], ModelPrices(1.0, 0, 0)).cost_usd
    assert asked == pytest.approx((250 + round(READ_AT_MOST * TOKENS_PER_WIDE_CHARACTER)) / 1e6, rel=1e-9)


def test_a_type_of_which_nothing_is_known_adds_no_tokens() -> None:
    assert tokens_in(file_ref("a", mime_type="x-strange/thing", size=10_000)) == 0


def test_a_huge_file_is_summarised_from_its_beginning_and_embedded_as_a_whole() -> None:
    huge = file_ref("a", mime_type="text/plain", size=100_000_000)
    free_vectors = ModelPrices(0.10, 0.50, 0)
    cost = estimate_cost([huge], free_vectors).cost_usd
    assert cost is not None
    assert cost < 2 * READ_AT_MOST * 0.10 / 1e6 + 0.001
    assert (estimate_cost([huge], LUNA).cost_usd or 0) > 0.5


def test_a_text_that_was_read_before_is_estimated_by_its_length() -> None:
    file = file_ref("a", mime_type="application/pdf", size=10_000_000)
    assert tokens_in(file, 1000) == 1200
    assert estimate_cost([file], LUNA, {"a": 1000}).tokens < estimate_cost([file], LUNA).tokens


def test_an_unknown_price_is_said_and_not_made_up() -> None:
    assert estimate_cost([file_ref("a", size=10)], ModelPrices(None, None, 0.02)).cost_usd is None


@pytest.mark.parametrize("pattern", ["*.txt", "*.md"])
def test_text_files_are_not_underestimated_by_much(pattern: str) -> None:
    paths = [path for path in SAMPLES.rglob(pattern) if path.stat().st_size]
    assert paths
    guessed = sum(tokens_in(file_ref("a", mime_type="text/plain", size=path.stat().st_size)) for path in paths)
    assert guessed >= 0.9 * sum(estimate_tokens(path.read_text("utf-8", "ignore")) for path in paths)


def test_the_ceiling_counts_calls_under_way_with_the_most_they_may_cost() -> None:
    budget = Budget(UsageLogInMemory(), ceiling_usd=1.0)
    with budget.reserved("m", 0.6):
        with pytest.raises(BudgetExhausted, match="ceiling"), budget.reserved("m", 0.6):
            raise AssertionError("it was let through")
        budget.paid("summarise", "m", Usage(1, 10, 10, 0.1))
    with budget.reserved("m", 0.6):
        budget.paid("summarise", "m", Usage(1, 10, 10, 0.6))
    with pytest.raises(BudgetExhausted) as refused, budget.reserved("m", 0.6):
        raise AssertionError("it was let through")
    assert "LOCATOR_MAX_COST_USD" in refused.value.hint
    assert not refused.value.retryable
    assert refused.value.exit_code == 1


def test_without_a_ceiling_everything_is_counted_and_nothing_refused() -> None:
    budget = Budget(UsageLogInMemory())
    with metered() as meter, budget.reserved("m", None):
        budget.paid("embed", "m", Usage(1, 10, 0, 5.0))
    assert meter.total.cost_usd == budget.spent_usd == 5.0


def test_a_ceiling_over_a_model_of_unknown_price_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="price of m"), Budget(UsageLogInMemory(), 1.0).reserved("m", None):
        raise AssertionError("it was let through")


def settings(**values: Any) -> Settings:
    return Settings(_env_file=None, **values)


@pytest.mark.parametrize(
    ("given", "chat", "embedding"),
    [
        ({}, "offline", ("offline", "", None)),
        ({"openai_api_key": "k"}, "openai", ("openai", "text-embedding-3-small", None)),
        ({"openai_base_url": "http://h/v1"}, "openai", ("openai", "text-embedding-3-small", "http://h/v1")),
        ({"openai_api_key": "k", "embedding_provider": "offline"}, "openai", ("offline", "", None)),
        ({"embedding_provider": "ollama"}, "offline", ("ollama", "bge-m3", OLLAMA_URL)),
        (
            {
                "embedding_provider": "ollama",
                "openai_embedding_model": "nomic-embed-text",
                "openai_base_url": "http://h",
            },
            "openai",
            ("ollama", "nomic-embed-text", "http://h"),
        ),
        ({"embedding_provider": "huggingface"}, "offline", ("huggingface", "intfloat/multilingual-e5-small", None)),
    ],
)
def test_the_settings_choose_the_models(
    given: dict[str, Any], chat: str, embedding: tuple[str, str, str | None]
) -> None:
    assert chosen_chat_model(settings(**given)).provider == chat
    chosen = chosen_embedding_model(settings(**given))
    assert (chosen.provider, chosen.model, chosen.base_url) == embedding


def test_an_address_is_shown_without_the_password_in_it() -> None:
    choice = ModelChoice("openai", "m", "https://me:hunter22@models.example:8443/v1")
    assert choice.spoken_to == "OpenAI-compatible server, models.example:8443"


def test_prices_are_those_of_the_models_and_nothing_is_paid_without_a_server() -> None:
    assert prices_of(settings()) is None
    assert prices_of(settings(embedding_provider="huggingface")) is None
    assert prices_of(settings(openai_api_key="k")) == LUNA
    assert prices_of(settings(openai_base_url="http://h", openai_chat_model="qwen3")) == ModelPrices(0, 0, 0.02)
    assert prices_of(settings(openai_api_key="k", openai_chat_model="new")) == ModelPrices(None, None, 0.02)


def test_a_search_with_the_stand_ins_never_imports_the_vendor() -> None:
    program = """
import sys
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
locator = open_locator(load_settings(database_url="postgresql://nobody@127.0.0.1:1/nowhere"))
locator.drive_search, locator.indexer
print([name for name in ("openai", "sentence_transformers") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


class TinyModel:
    """The part of sentence-transformers that is used. The real package brings two gigabytes."""

    def __init__(self, name: str) -> None:
        if name == "no/such-model":
            raise OSError("no/such-model is not a local folder")
        self.width = 2000 if "wide" in name else 2

    def encode_query(self, texts: list[str], **options: Any) -> Any:
        return self._encode(texts, **options)

    def encode_document(self, texts: list[str], **options: Any) -> Any:
        return self._encode(texts, **options)

    def _encode(
        self, texts: list[str], *, normalize_embeddings: bool, show_progress_bar: bool, prompt: str = ""
    ) -> Any:
        rows = np.zeros((len(texts), self.width))
        for row, text in zip(rows, texts, strict=True):
            angle = len(prompt + text)
            row[:2] = np.cos(angle), np.sin(angle)
        return rows


@pytest.fixture
def tiny_package(monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("sentence_transformers")
    package.SentenceTransformer = TinyModel  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)


@pytest.mark.usefixtures("tiny_package")
def test_a_model_of_hugging_face_gives_unit_rows_of_the_width_of_the_index() -> None:
    embedder = HuggingFaceEmbedder("intfloat/multilingual-e5-small", WidthsInMemory())
    rows = embedder.embed(["短い", "より長い文"], "document")
    assert rows.shape == (2, 1536)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert not np.array_equal(rows[:1], embedder.embed(["短い"], "query")), "e5 models tell questions from passages"
    assert embedder.embed([], "document").shape == (0, 1536)


@pytest.mark.usefixtures("tiny_package")
def test_a_model_of_hugging_face_that_does_not_fit_or_exist_is_named() -> None:
    with pytest.raises(BadModelOutput, match="2000 numbers"):
        HuggingFaceEmbedder("a/wide-one", WidthsInMemory()).embed(["a"], "query")
    with pytest.raises(ConfigurationError, match="no/such-model could not be loaded"):
        HuggingFaceEmbedder("no/such-model", WidthsInMemory()).embed(["a"], "query")


def test_without_the_package_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigurationError) as refused:
        HuggingFaceEmbedder("a/b", WidthsInMemory()).embed(["a"], "query")
    assert "pip install 'document-locator[huggingface]'" in refused.value.hint
