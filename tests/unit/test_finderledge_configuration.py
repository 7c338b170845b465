"""Arguments over environment over defaults, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError
from locator_search.finderledge.configuration import folder_of, ledger_settings, schema_of
from locator_search.finderledge.embeddings import EmbeddingModelFactory
from locator_search.finderledge.notes import notes_on


def resolved(**arguments: object) -> Settings:
    return ledger_settings(arguments, {})


def test_arguments_win_over_the_environment_and_the_environment_over_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolved().finderledge_chunk_size == 1000
    monkeypatch.setenv("FINDERLEDGE_CHUNK_SIZE", "700")
    monkeypatch.setenv("FINDERLEDGE_VECTOR_STORE_PROVIDER", "FAISS")
    monkeypatch.setenv("EMBEDDING_PROVIDER", "ollama")
    monkeypatch.setenv("OPENAI_EMBEDDING_MODEL", "from-the-environment")
    assert resolved().finderledge_chunk_size == 700
    assert resolved().finderledge_vector_store_provider == "faiss"
    chosen = resolved(
        chunk_size=300,
        vector_store_provider="chroma",
        embedding_provider="huggingface",
        embedding_model_name="by-argument",
    )
    assert chosen.finderledge_chunk_size == 300
    assert chosen.finderledge_vector_store_provider == "chroma"
    assert chosen.embedding_provider == "huggingface"
    assert chosen.openai_embedding_model == "by-argument"


def test_everything_lies_under_a_persist_directory_that_is_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somebody@example.org/documents")
    given = resolved(persist_directory=tmp_path)
    assert (given.home, given.database_url) == (tmp_path, None)
    assert folder_of(given) == tmp_path / "finderledge" / "default"
    assert any(str(tmp_path) in note for note in notes_on(given, "a-model", {"persist_directory": tmp_path}))
    both = ledger_settings({"persist_directory": tmp_path}, {"database_url": "postgresql://other@example.org/d"})
    assert both.database_url == "postgresql://other@example.org/d"


def test_a_persist_directory_of_the_environment_leaves_the_database_where_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somebody@example.org/documents")
    monkeypatch.setenv("FINDERLEDGE_PERSIST_DIRECTORY", str(tmp_path))
    assert resolved().home == tmp_path
    assert resolved().database_url is not None


def test_each_collection_has_a_schema_and_a_folder_of_its_own() -> None:
    assert schema_of(resolved(collection="契約書")) == "ledger_契約書"
    assert folder_of(resolved(collection="契約書")).name == "契約書"
    assert len(schema_of(resolved(collection="契" * 18)).encode()) <= 63


@pytest.mark.parametrize("name", ["", "../elsewhere", "a/b", "x" * 41, "契" * 19, "two words", "a\0b"])
def test_a_name_that_could_lead_elsewhere_is_no_collection(name: str) -> None:
    if name:
        with pytest.raises(ConfigurationError, match="collection"):
            resolved(collection=name)
    else:
        assert schema_of(resolved(collection=name)) == "ledger_default"


@pytest.mark.parametrize(
    ("arguments", "others", "named"),
    [
        ({"vector_store_provider": "pinecone"}, {}, "'pgvector', 'chroma' or 'faiss'"),
        ({"keyword_store_provider": "tfidf"}, {}, "bm25"),
        ({"embedding_provider": "word2vec"}, {}, "EMBEDDING_PROVIDER"),
        ({"chunk_size": "large"}, {}, "CHUNK_SIZE"),
        ({}, {"vektor_store_provider": "faiss"}, "vektor_store_provider"),
    ],
)
def test_what_is_not_offered_is_refused_in_one_sentence(
    arguments: dict[str, object], others: dict[str, object], named: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        ledger_settings(arguments, others)
    assert named in refused.value.message
    assert refused.value.message.count("\n") == 0


def test_a_misspelt_argument_is_told_the_right_one() -> None:
    with pytest.raises(ConfigurationError) as refused:
        ledger_settings({}, {"embeding_provider": "openai"})
    assert refused.value.hint == "Did you mean embedding_provider?"


def test_openai_without_a_key_is_refused_before_anything_is_embedded(tmp_path: Path) -> None:
    from locator_search.app.locator import Locator

    locator = Locator(resolved(embedding_provider="openai", persist_directory=tmp_path))
    with pytest.raises(ConfigurationError, match="needs a key"):
        EmbeddingModelFactory.create_embeddings(locator)


def test_the_offline_stand_in_is_named_unless_it_was_asked_for() -> None:
    assert "offline-hashed-ngrams-2" in notes_on(resolved(), "offline-hashed-ngrams-2", {})[0]
    assert notes_on(resolved(embedding_provider="offline"), "offline-hashed-ngrams-2", {}) == ()


def test_tracing_by_langsmith_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    assert "LangSmith" in notes_on(resolved(), "a-model", {})[0]
