"""What `evaluate` and `calibrate` say, in Japanese and English, in one place."""

from __future__ import annotations

from collections.abc import Mapping
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
    data_set_written: str

    one_of_two: str
    one_of_two_hint: str
    bad_run_file: str
    no_feedback: str
    no_feedback_hint: str

    too_few_files: str
    too_few_files_hint: str
    measuring: str
    measured: str
    similarity: str
    cosine_before: str
    cosine_after: str
    meaning: str
    meanings: Mapping[float, str]
    kept: str
    not_kept: str
    forgotten: str
    nothing_to_forget: str
    reset_or_measure: str


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
    data_set_written="{documents:,} 件のファイルと {queries:,} 問をデータセットとして書き出しました: {path}",
    one_of_two="データセットのフォルダーか --from-feedback のどちらか一方を指定してください。"
    "--out は --from-feedback とともに使います。",
    one_of_two_hint="例: document-locator evaluate data/scifact",
    bad_run_file="{path} に書き込めません: {reason}",
    no_feedback="まだ評価がありません。検索結果を開いた人も、「役に立った」を押した人もいません。",
    no_feedback_hint="検索ページの各結果に、親指のボタンと「本文を見る」があります。",
    too_few_files="測定には {fewest} 件以上の索引済みファイルが必要ですが、{count} 件しかありません。",
    too_few_files_hint="それまでは、埋め込みモデルの出荷時の値が使われます。",
    measuring="索引の文書から作った質問で類似度を測っています",
    measured="{files:,} 件のファイルで測定しました（{seconds:.1f} 秒）",
    similarity="類似度",
    cosine_before="これまで",
    cosine_after="測定後",
    meaning="意味",
    meanings={
        0.60: "条件を緩めた検索で件数に数える",
        0.70: "件数に数える（既定のしきい値）",
        0.75: "明らかに関連がある",
        0.82: "絞り込みの回答のあとで件数に数える",
    },
    kept="この値を索引とともに保存しました。次の検索から使われます。",
    not_kept="保存していません（--dry-run）。",
    forgotten="出荷時の値に戻しました。",
    nothing_to_forget="もともと出荷時の値が使われています。",
    reset_or_measure="--reset と --dry-run は同時に指定できません。",
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
    data_set_written="{documents:,} files and {queries:,} questions were written as a data set: {path}",
    one_of_two="Name the folder of a data set, or --from-feedback, and not both; --out belongs to the latter.",
    one_of_two_hint="For example: document-locator evaluate data/scifact",
    bad_run_file="{path} cannot be written: {reason}",
    no_feedback="There is no feedback yet: nobody opened a result or gave it a thumbs up.",
    no_feedback_hint="Every result on the search page has two thumbs and a button to read it.",
    too_few_files="A calibration needs at least {fewest} indexed files, and there are {count}.",
    too_few_files_hint="Until then the calibration that comes with the embedding model holds.",
    measuring="Measuring similarities with questions made of the indexed files",
    measured="Measured on {files:,} files ({seconds:.1f} s)",
    similarity="similarity",
    cosine_before="cosine before",
    cosine_after="cosine now",
    meaning="meaning",
    meanings={
        0.60: "a hit of a relaxed search",
        0.70: "a hit (the default threshold)",
        0.75: "clearly related",
        0.82: "a hit after an answer that narrows the search",
    },
    kept="The calibration is kept with the index and used from the next search on.",
    not_kept="Nothing was kept (--dry-run).",
    forgotten="The shipped calibration is in use again.",
    nothing_to_forget="The shipped calibration is in use already.",
    reset_or_measure="--reset and --dry-run exclude each other.",
)


def measuring_texts(language: Literal["ja", "en"]) -> MeasuringTexts:
    """All texts in one language."""
    return JAPANESE if language == "ja" else ENGLISH
