"""What a ledger tells about itself, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class LedgerTexts:
    """Sentences; braces are filled in where they are used."""

    offline: str
    database_ignored: str
    tracing: str


_JAPANESE = LedgerTexts(
    offline=(
        "埋め込みはオフラインの代役 {model} です。意味ではなく語を比べます。実際のモデルを使うには OPENAI_API_KEY か "
        "embedding_provider を設定してください。"
    ),
    database_ignored=(
        "persist_directory が引数で渡されたため、DATABASE_URL や SUPABASE_* ではなく {folder} に保存します。"
    ),
    tracing="LANGSMITH_TRACING が有効です。LangChain を通した質問と文書は LangSmith に送られます。",
)

_ENGLISH = LedgerTexts(
    offline=(
        "Embeddings come from the offline stand-in {model}, which compares words, not meaning. Set OPENAI_API_KEY or "
        "embedding_provider for a real model."
    ),
    database_ignored="persist_directory was given, so {folder} is used and not DATABASE_URL or SUPABASE_*.",
    tracing="LANGSMITH_TRACING is on: questions and documents that pass through LangChain are sent to LangSmith.",
)


def ledger_texts(language: Literal["ja", "en"]) -> LedgerTexts:
    """The texts in one language."""
    return _JAPANESE if language == "ja" else _ENGLISH
