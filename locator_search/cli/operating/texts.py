"""What `up`, `crawler`, `extract`, `status` and `doctor` say, in Japanese and English, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class OperatingTexts:
    """All texts of these commands in one language; names in braces are filled in with `str.format`."""

    starting_database: str
    starting_servers: str
    crawling: str
    crawl_failed: str
    page: str
    dagster: str
    how_to_stop: str
    stopping: str
    stopped: str
    started_again: str
    database_again: str

    listed: str
    states: Mapping[str, str]
    elsewhere: str
    elsewhere_value: str
    chunks: str
    embedding_model: str
    calibration: str
    calibration_shipped: str
    calibration_measured: str
    calibrate_again: str
    last_crawl: str
    last_crawl_value: str
    model_calls: str
    model_calls_value: str
    none_yet: str
    incomplete: str

    root: str
    root_files: str
    root_listed: str
    root_crawled: str
    root_here: str
    root_elsewhere: str
    root_removed: str

    crawl_report: str
    crawl_skipped: str
    crawl_waiting: str
    crawl_batch: str
    crawl_stand_ins: str
    crawl_without_embeddings: str
    stand_ins: str
    without_embeddings: str
    batch: str
    batch_value: str

    extracted: str
    extracted_pages: str
    extracted_well: str

    part: str
    part_state: str
    detail: str
    parts: Mapping[str, str]
    part_states: Mapping[str, str]


JAPANESE = OperatingTexts(
    starting_database="データベースを起動しています（{home}）",
    starting_servers="検索ページと Dagster を起動しています",
    crawling="フォルダーを巡回しています: {folders}",
    crawl_failed="最初の巡回が終わりませんでした。検索ページの状態画面か document-locator doctor で確認してください。",
    page="検索ページ  {url}",
    dagster="Dagster UI  {url}",
    how_to_stop="Ctrl-C ですべて停止します。",
    stopping="停止しています",
    stopped="すべて停止しました。",
    started_again="{name} が終了しました（終了コード {status}）。もう一度起動します。",
    database_again="データベースが停止したため、もう一度起動しました。",
    listed="一覧にあるファイル",
    states={
        "indexed": "索引済み",
        "pending": "処理待ち",
        "skipped": "読み取れず除外",
        "failed": "失敗",
        "out_of_scope": "対象外",
        "no_access": "権限なし",
    },
    elsewhere="ほかで巡回されるファイル",
    elsewhere_value="{files:,} 件（取得元フォルダー {roots} 個、document-locator roots）",
    chunks="チャンク",
    embedding_model="埋め込みモデル",
    calibration="類似度の目盛り",
    calibration_shipped="モデルの出荷時の値",
    calibration_measured="{measured:%Y-%m-%d} に {files:,} 件のファイルで測定",
    calibrate_again="測定後に索引が倍以上になりました。document-locator calibrate をもう一度実行してください。",
    last_crawl="前回の巡回",
    last_crawl_value="{finished:%Y-%m-%d %H:%M}（{minutes:,.0f} 分前、{mode}、{listed:,} 件）",
    model_calls="モデル呼び出し",
    model_calls_value="{calls:,} 回（{tokens:,} トークン、{cost:.4f} USD）",
    none_yet="まだありません。document-locator crawler を実行してください。",
    incomplete="状態の合計が一覧と一致しません。document-locator crawler --mode full を実行してください。",
    root="取得元フォルダー",
    root_files="ファイル",
    root_listed="前回の一覧",
    root_crawled="巡回",
    root_here="このホーム",
    root_elsewhere="ほか",
    root_removed="{root} の {files:,} 件を索引から削除しました。元のファイルはそのままです。",
    crawl_report="巡回完了（{mode}、{seconds:.1f} 秒）: 一覧 {listed:,}、索引 {indexed:,}、変更なし {unchanged:,}、"
    "失敗 {failed:,}、削除 {deleted:,}",
    crawl_skipped="、除外 {reason} {count:,}",
    crawl_waiting="、処理待ち {count:,}",
    crawl_batch="、うちバッチ {id} の回答待ち {files:,}",
    crawl_stand_ins="{count:,} 件は要約が得られず、本文からの抜粋で索引しました。モデルには後でもう一度依頼します"
    "（{problem}）",
    crawl_without_embeddings="{count:,} 件は埋め込みが得られず、言葉だけで見つかります。次の巡回でもう一度依頼します"
    "（{problem}）",
    stand_ins="  要約が抜粋のもの（後で再依頼）",
    without_embeddings="  埋め込みがなく言葉だけで見つかるもの（後で再依頼）",
    batch="  バッチの回答待ち",
    batch_value="{id}: {files:,} 件（{submitted:%Y-%m-%d %H:%M} 送信、最大 {cost:.4f} USD）",
    extracted="{path}  [{state}{pages}、{seconds:.3f} 秒]",
    extracted_pages="、{count} ページ",
    extracted_well="読み取り済み",
    part="構成要素",
    part_state="状態",
    detail="内容",
    parts={
        "database": "データベース",
        "source": "取得元",
        "chat_model": "言語モデル",
        "embedding_model": "埋め込みモデル",
        "index": "索引",
        "contributions": "寄書",
        "x": "X 検索",
        "tracing": "外部への記録",
    },
    part_states={
        "real": "稼働中",
        "embedded": "内蔵",
        "offline": "代役（オフライン）",
        "missing": "なし",
        "failing": "異常",
    },
)

ENGLISH = OperatingTexts(
    starting_database="Starting the database ({home})",
    starting_servers="Starting the search page and Dagster",
    crawling="Crawling: {folders}",
    crawl_failed="The first crawl did not finish. The status page or document-locator doctor says more.",
    page="Search page  {url}",
    dagster="Dagster UI   {url}",
    how_to_stop="Ctrl-C stops everything.",
    stopping="Stopping",
    stopped="Everything is stopped.",
    started_again="{name} ended (exit status {status}); it is started again.",
    database_again="The database had stopped; it is running again.",
    listed="files listed",
    states={
        "indexed": "indexed",
        "pending": "waiting",
        "skipped": "left out, unreadable",
        "failed": "failed",
        "out_of_scope": "out of scope",
        "no_access": "no access",
    },
    elsewhere="files crawled elsewhere",
    elsewhere_value="{files:,} in {roots} roots (document-locator roots)",
    chunks="chunks",
    embedding_model="embedding model",
    calibration="similarity scale",
    calibration_shipped="as shipped for the model",
    calibration_measured="measured on {measured:%Y-%m-%d} with {files:,} files",
    calibrate_again="The index has doubled since: run document-locator calibrate again.",
    last_crawl="last crawl",
    last_crawl_value="{finished:%Y-%m-%d %H:%M} ({minutes:,.0f} minutes ago, {mode}, {listed:,} files)",
    model_calls="model calls",
    model_calls_value="{calls:,} ({tokens:,} tokens, {cost:.4f} USD)",
    none_yet="none yet: run document-locator crawler",
    incomplete="The states do not add up to the listing: run document-locator crawler --mode full.",
    root="root",
    root_files="files",
    root_listed="last listed",
    root_crawled="crawled",
    root_here="here",
    root_elsewhere="elsewhere",
    root_removed="{files:,} files of {root} were removed from the index. The files themselves stay as they are.",
    crawl_report="Crawl finished ({mode}, {seconds:.1f} s): {listed:,} listed, {indexed:,} indexed,"
    " {unchanged:,} unchanged, {failed:,} failed, {deleted:,} deleted",
    crawl_skipped=", {count:,} skipped ({reason})",
    crawl_waiting=", {count:,} waiting",
    crawl_batch=", {files:,} of them for batch {id}",
    crawl_stand_ins="{count:,} files are indexed with an extract instead of the model's summary; the model is asked"
    " again later ({problem})",
    crawl_without_embeddings="{count:,} files are found by their words alone, because the model gave no embeddings; it"
    " is asked again by the next crawl ({problem})",
    stand_ins="  with an extract as the summary (asked again later)",
    without_embeddings="  without embeddings, found by words (asked again later)",
    batch="  waiting for batch",
    batch_value="{id}: {files:,} files (submitted {submitted:%Y-%m-%d %H:%M}, {cost:.4f} USD at most)",
    extracted="{path}  [{state}{pages}, {seconds:.3f} s]",
    extracted_pages=", {count} pages",
    extracted_well="ok",
    part="part",
    part_state="state",
    detail="detail",
    parts={
        "database": "database",
        "source": "source",
        "chat_model": "language model",
        "embedding_model": "embedding model",
        "index": "index",
        "contributions": "contributions",
        "x": "X search",
        "tracing": "tracing",
    },
    part_states={
        "real": "running",
        "embedded": "embedded",
        "offline": "stand-in (offline)",
        "missing": "missing",
        "failing": "failing",
    },
)


def operating_texts(language: Literal["ja", "en"]) -> OperatingTexts:
    """All texts in one language."""
    return JAPANESE if language == "ja" else ENGLISH
