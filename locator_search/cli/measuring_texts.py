"""What `evaluate` and `calibrate` say, in Japanese and English, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class MeasuringTexts:
    """All texts of the two commands in one language; names in braces are filled in with `str.format`."""

    embedding_model: str
    stand_in: str
    loading: str
    loaded: str
    asking: str
    asked: str
    measure: str
    value: str
    milliseconds: str
    run_written: str

    one_of_two: str
    one_of_two_hint: str
    bad_run_file: str


JAPANESE = MeasuringTexts(
    embedding_model="埋め込みモデル: {model}",
    stand_in="（オフラインの代役）",
    loading="評価用の索引を作成しています",
    loaded="{documents:,} 件の文書を索引に入れました（{seconds:.1f} 秒）",
    asking="質問しています",
    asked="{queries:,} 問を検索しました（{seconds:.1f} 秒、{mode}、{fusion}）",
    measure="指標",
    value="値",
    milliseconds="{value:.1f} ミリ秒",
    run_written="検索結果を TREC 形式で書き出しました: {path}",
    one_of_two="データセットのフォルダーか --from-feedback のどちらか一方を指定してください。",
    one_of_two_hint="例: document-locator evaluate data/scifact",
    bad_run_file="{path} に書き込めません: {reason}",
)

ENGLISH = MeasuringTexts(
    embedding_model="Embedding model: {model}",
    stand_in=" (offline stand-in)",
    loading="Building an index for the evaluation",
    loaded="{documents:,} documents are in the index ({seconds:.1f} s)",
    asking="Asking",
    asked="{queries:,} questions asked ({seconds:.1f} s, {mode}, {fusion})",
    measure="measure",
    value="value",
    milliseconds="{value:.1f} ms",
    run_written="The results were written as a TREC run: {path}",
    one_of_two="Name the folder of a data set, or --from-feedback, and not both.",
    one_of_two_hint="For example: document-locator evaluate data/scifact",
    bad_run_file="{path} cannot be written: {reason}",
)


def measuring_texts(language: Literal["ja", "en"]) -> MeasuringTexts:
    """All texts in one language."""
    return JAPANESE if language == "ja" else ENGLISH
