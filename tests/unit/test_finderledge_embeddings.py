"""Embedding models that a caller brings along."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from locator_search.core.errors import BadModelOutput, ConfigurationError
from locator_search.finderledge.embeddings import GivenEmbeddings


@dataclass
class Brought:
    """Answers every text with the same vector."""

    vector: object = field(default_factory=lambda: [3.0, 4.0])
    model: str = "brought"
    dimensions: int | None = None

    def embed_documents(self, texts: list[str]) -> list[object]:
        return [self.vector] * len(texts)

    def embed_query(self, text: str) -> object:
        return self.vector


def test_vectors_get_length_one_and_the_width_of_the_index() -> None:
    rows = GivenEmbeddings(Brought()).embed(["一", "二"], "document")
    assert rows.shape == (2, 1536)
    assert rows.dtype == np.float32
    assert rows[0, :2] == pytest.approx([0.6, 0.8])
    assert not rows[:, 2:].any()
    assert GivenEmbeddings(Brought()).embed([], "query").shape == (0, 1536)


def test_two_widths_of_a_model_are_two_models() -> None:
    names = {GivenEmbeddings(Brought(dimensions=width)).model_name for width in (256, 512, None)}
    assert names == {"brought", "brought (256)", "brought (512)"}


@pytest.mark.parametrize(
    "vector", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], [1.0] * 1537, [], "text", [[1.0]], None]
)
def test_what_is_no_embedding_is_refused_in_one_sentence(vector: object) -> None:
    with pytest.raises(BadModelOutput) as refused:
        GivenEmbeddings(Brought(vector)).embed(["一"], "document")
    assert "brought" in refused.value.message


def test_what_is_no_embedding_model_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="is no embedding model"):
        GivenEmbeddings("text-embedding-3-small")
