"""Every text of the pages, Japanese and English side by side. Nothing else in this folder holds words for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, cast

from locator_search.model import Branch, FileState, GroupKind

Language = Literal["ja", "en"]
LANGUAGE_NAMES: Mapping[Language, str] = {"ja": "日本語", "en": "English"}


@dataclass(frozen=True, slots=True)
class Texts:
    """The words of one language."""

    language: Language
    search_page: str
    status_page: str
    contributions_page: str
    language_switch: str
    # The question
    headline: str
    index_size: str
    question: str
    question_placeholder: str
    examples_title: str
    examples: tuple[str, ...]
    # Filters
    filters: str
    period: str
    periods: Mapping[str, str]
    after: str
    before: str
    wrong_order: str
    types: str
    folders: str
    anything: str
    clear_filters: str
    months: str
    owners: str
    facets: str
    from_question: str
    comma: str
    variants: str
    rules: str
    rule_off: str
    rule_switch_off: str
    restore: str
    remove: str
    # A search in progress and its answer
    searching: str
    searched: str
    hit_count: str
    order: str
    orders: Mapping[str, str]
    shown: str
    narrowing: str
    own_answer: str
    own_answer_placeholder: str
    answer: str
    show_anyway: str
    count: str
    models: str
    usage: str
    offline: str
    offline_hint: str
    # A result
    similarity: str
    cosine: str
    arms: Mapping[str, str]
    summary: str
    page: str
    clause: str
    freshness: Mapping[str, str]
    groups: Mapping[GroupKind, str]
    group_kinds: Mapping[GroupKind, str]
    overlap: str
    preview: str
    preview_hit: str
    preview_part: str
    preview_gone: str
    partition: str
    why: str
    why_terms: str
    why_name: str
    why_near: str
    why_similarity: str
    why_mixed: str
    why_figures: str
    why_factor: str
    why_value: str
    why_words: Mapping[str, str]
    thanks: str
    # The decision path
    trace: str
    trace_columns: tuple[str, ...]
    branches: Mapping[Branch, str]
    # Nothing to show
    no_index_title: str
    no_index: str
    not_found: str
    tried: str
    try_next: str
    # Status
    status_title: str
    coverage: str
    state: str
    files: str
    sum: str
    sums_equal: str
    sums_differ: str
    states: Mapping[FileState, str]
    reasons: str
    reason: str
    detail: str
    failures: str
    no_failures: str
    attempts: str
    newest_of: str
    due: str
    retry: str
    retry_all: str
    retried: str
    skipped: str
    last_sync: str
    never: str
    newest_indexed: str
    chunks: str
    spent: str
    spent_detail: str
    models_owe: str
    scale_shipped: str
    scale_measured: str
    scale_old: str
    parts: str
    part_names: Mapping[str, str]
    part_states: Mapping[str, str]
    dagster: str
    dagster_assets: str
    dagster_runs: str
    ago: tuple[str, str, str, str]
    # Errors
    unexpected: str


JAPANESE = Texts(
    language="ja",
    search_page="検索",
    status_page="状態",
    contributions_page="寄書",
    language_switch="言語",
    headline="どの文書を探しますか",
    index_size="索引済みの {count} 件から探します。言葉のまま、期間や種類も書けます。",
    question="質問",
    question_placeholder="例: 先月の売上のPDF（Enter で検索）",
    examples_title="質問の例",
    examples=("令和6年9月の議事録", "先月の売上のPDF", "業務委託契約書の更新条件", "経費精算の手順"),
    filters="絞り込み",
    period="更新日",
    periods={
        "": "すべて",
        "24h": "24 時間",
        "1w": "1 週間",
        "1m": "1 か月",
        "6m": "6 か月",
        "1y": "1 年",
        "custom": "自由指定",
    },
    after="開始日",
    before="終了日（この日を含む）",
    wrong_order="開始日が終了日より後になっています。",
    types="種類",
    folders="フォルダー",
    anything="すべて",
    clear_filters="すべて解除",
    months="時期",
    owners="所有者",
    facets="見つかった文書の内訳",
    from_question="質問から: {label}",
    comma="、",
    variants="表記ゆれ",
    rules="表記ゆれの規則",
    rule_off="表記ゆれ「{rule}」なし",
    rule_switch_off="「{rule}」を使わずに検索する",
    restore="外した条件を戻す",
    remove="この条件を外す",
    searching="探しています",
    searched="検索しました",
    hit_count="{count} 件（正確な件数）",
    order="並び順",
    orders={"relevance": "関連度順", "date": "更新日の新しい順", "name": "名前順", "size": "サイズの大きい順"},
    shown="上位 {count} 件を表示",
    narrowing="絞り込みの質問",
    own_answer="自分の言葉で答える",
    own_answer_placeholder="例: 営業部が作ったもの",
    answer="回答する",
    show_anyway="このまま表示",
    count="{count} 件",
    models="回答したモデル: {chat}（文章）、{embedding}（埋め込み）",
    usage="モデル呼び出し {calls} 回、{tokens} トークン、{cost:.6f} USD",
    offline="オフラインの代替モデルが回答しています",
    offline_hint="要約・質問・並べ替えは語の一致による簡易な処理です。",
    similarity="類似度",
    cosine="コサイン {value}",
    arms={"vector": "埋め込み", "keyword": "キーワード"},
    summary="要約",
    page="{number} ページ",
    clause="条項 {number}",
    freshness={"verified": "確認済み", "changed": "更新あり（再索引待ち）", "not_verified": "未確認"},
    groups={
        "copy": "ほか {count} 件のコピー",
        "near_copy": "ほか {count} 件のほぼ同じ文書",
        "version": "ほか {count} 件の版",
    },
    group_kinds={"copy": "コピー（内容が同一）", "near_copy": "ほぼ同じ文書", "version": "別の版"},
    overlap="語の一致 {share}",
    preview="本文を見る",
    preview_hit="一致した箇所",
    preview_part="本文の部分（全 {count} 部分）",
    preview_gone="この文書の本文は索引にありません。",
    partition="処理の記録（Dagster）",
    why="なぜこの結果？",
    why_terms="質問の語のうち {share} がこの文書にあります（語の一致では {rank} 位）: {words}",
    why_name="ファイル名・フォルダー・キーワードにも質問の語があります。",
    why_near="内容の近さ（埋め込み）では {rank} 位です。",
    why_similarity="類似度 {similarity} は「{arm}」から求めた値です（埋め込みとキーワードの高い方）。",
    why_mixed="検索の順位は、キーワード {keyword}・埋め込み {vector} の割合で合わせたスコアで決まります。",
    why_figures="すべての数値",
    why_factor="要素",
    why_value="値",
    why_words={
        "fusion": "統合の方法",
        "keyword_weight": "キーワードの重み",
        "score": "スコア",
        "similarity_source": "類似度の出どころ",
        "scores": "正規化したスコアの加重和",
        "ranks": "順位の逆数の和（RRF）",
        "vector": "埋め込み",
        "keyword": "キーワード",
        "rank": "順位",
        "cosine": "コサイン",
        "similarity": "類似度",
        "bm25": "BM25",
        "name_idf": "ファイル名の一致",
        "share": "質問の語の一致率",
        "matched_terms": "一致した語",
    },
    thanks="ご意見を記録しました。",
    trace="検索の経路",
    trace_columns=("回", "分岐", "しきい値", "件数", "最高類似度", "検索クエリ", "キーワード", "補足"),
    branches={
        "relax": "条件を緩める",
        "show": "表示",
        "rerank": "並べ替え",
        "refine": "絞り直し",
        "narrow": "質問で絞り込み",
    },
    no_index_title="まだ索引がありません",
    no_index="LOCATOR_FOLDERS に探したいフォルダーを指定し、次のコマンドで文書を読み込んでください。",
    not_found="見つかりませんでした。",
    tried="試したこと",
    try_next="語を減らす、別の言い方にする、または絞り込みを外してお試しください。",
    status_title="索引の状態",
    coverage="ファイルの内訳",
    state="状態",
    files="件数",
    sum="合計",
    sums_equal="合計は一覧の {listed} 件と一致しています。",
    sums_differ="合計 {total} 件が一覧の {listed} 件と一致しません。全件の巡回（--mode full）を実行してください。",
    states={
        "indexed": "索引済み",
        "pending": "処理待ち",
        "skipped": "対象外",
        "failed": "失敗",
        "out_of_scope": "範囲外",
        "no_access": "権限なし",
    },
    reasons="理由の内訳",
    reason="理由",
    detail="詳細（プログラムの記録）",
    failures="読み込めなかったファイル",
    no_failures="読み込めなかったファイルはありません。",
    attempts="{count} 回試行",
    newest_of="{total} 件のうち新しい {shown} 件を表示しています。",
    due="再試行待ち",
    retry="再試行",
    retry_all="すべて再試行（{count} 件）",
    retried="{count} 件を再試行に回しました。次の巡回で処理されます。",
    skipped="対象外のファイル（{count} 件）",
    last_sync="最後の巡回",
    never="まだありません",
    newest_indexed="最新の索引",
    chunks="チャンク",
    spent="これまでの費用",
    spent_detail="モデル呼び出し {calls} 回、{tokens} トークン",
    models_owe="要約が本文からの抜粋のファイル {summaries} 件、"
    "埋め込みがなく言葉だけで見つかるファイル {embeddings} 件。"
    "モデルには後でもう一度依頼します。",
    scale_shipped="類似度の目盛り: モデルの出荷時の値（document-locator calibrate で手元の索引に合わせられます）",
    scale_measured="類似度の目盛り: {ago}に {files} 件のファイルで測定",
    scale_old="索引が倍以上になりました。document-locator calibrate をもう一度実行してください。",
    parts="それぞれの部品の実体",
    part_names={
        "database": "データベース",
        "source": "取得元",
        "chat_model": "文章のモデル",
        "embedding_model": "埋め込みのモデル",
        "index": "索引",
        "contributions": "寄書",
        "x": "X 検索",
        "tracing": "外部への記録",
    },
    part_states={
        "real": "稼働中",
        "offline": "オフライン代替",
        "embedded": "組み込み",
        "missing": "未設定",
        "failing": "異常",
    },
    dagster="Dagster の画面",
    dagster_assets="資産とパーティション",
    dagster_runs="実行の履歴",
    ago=("たった今", "{n} 分前", "{n} 時間前", "{n} 日前"),
    unexpected="予期しない問題が起きました。記録（ログ）を確認してください。",
)

ENGLISH = Texts(
    language="en",
    search_page="Search",
    status_page="Status",
    contributions_page="Contributions",
    language_switch="Language",
    headline="Which document are you looking for?",
    index_size="Searches {count} indexed files. Say it in your own words, with a period or a type if you like.",
    question="Question",
    question_placeholder="e.g. sales report PDF from last month (press Enter)",
    examples_title="Try one of these",
    examples=(
        "Minutes of September 2024",
        "Sales PDF from last month",
        "Contract renewal terms",
        "How to claim expenses",
    ),
    filters="Filters",
    period="Modified",
    periods={
        "": "Any time",
        "24h": "24 hours",
        "1w": "1 week",
        "1m": "1 month",
        "6m": "6 months",
        "1y": "1 year",
        "custom": "Custom",
    },
    after="From",
    before="To (inclusive)",
    wrong_order="The first day is after the last day.",
    types="Type",
    folders="Folder",
    anything="Any",
    clear_filters="Clear all",
    months="Period",
    owners="Owner",
    facets="What was found",
    from_question="From the question: {label}",
    comma=", ",
    variants="Also written",
    rules="Matching rules",
    rule_off="without the rule “{rule}”",
    rule_switch_off="Search without the rule “{rule}”",
    restore="Put back what was removed",
    remove="Remove this filter",
    searching="Searching",
    searched="Searched",
    hit_count="{count} hits (exact count)",
    order="Order",
    orders={"relevance": "Most relevant first", "date": "Newest first", "name": "By name", "size": "Largest first"},
    shown="showing the best {count}",
    narrowing="A question to narrow this down",
    own_answer="Answer in your own words",
    own_answer_placeholder="e.g. the ones made by the sales team",
    answer="Answer",
    show_anyway="Show as they are",
    count="{count}",
    models="Answered by {chat} (text) and {embedding} (embeddings)",
    usage="{calls} model calls, {tokens} tokens, {cost:.6f} USD",
    offline="Offline stand-in models are answering",
    offline_hint="They compare words, not meaning.",
    similarity="Similarity",
    cosine="cosine {value}",
    arms={"vector": "embedding", "keyword": "keywords"},
    summary="Summary",
    page="page {number}",
    clause="clause {number}",
    freshness={"verified": "verified", "changed": "changed since (to be re-indexed)", "not_verified": "not verified"},
    groups={
        "copy": "Copies: {count}",
        "near_copy": "Nearly the same document: {count}",
        "version": "Other versions: {count}",
    },
    group_kinds={"copy": "copy (same content)", "near_copy": "nearly the same", "version": "other version"},
    overlap="{share} of the terms in common",
    preview="Read the text",
    preview_hit="matching place",
    preview_part="Part of the text (of {count})",
    preview_gone="The text of this document is not in the index.",
    partition="Processing record (Dagster)",
    why="Why this result?",
    why_terms="{share} of the question's terms are in this document (rank {rank} by keywords): {words}",
    why_name="The file name, folder or keywords hold terms of the question, too.",
    why_near="By closeness of content (embedding) it has rank {rank}.",
    why_similarity="The similarity of {similarity} comes from “{arm}” (the higher of embedding and keywords).",
    why_mixed="The order comes from a score that mixes {keyword} keywords and {vector} embedding.",
    why_figures="All figures",
    why_factor="Factor",
    why_value="Value",
    why_words={
        "fusion": "fusion",
        "keyword_weight": "weight of the keywords",
        "score": "score",
        "similarity_source": "source of the similarity",
        "scores": "weighted sum of normalised scores",
        "ranks": "sum of reciprocal ranks (RRF)",
        "vector": "embedding",
        "keyword": "keywords",
        "rank": "rank",
        "cosine": "cosine",
        "similarity": "similarity",
        "bm25": "BM25",
        "name_idf": "match in the file name",
        "share": "share of the question's terms",
        "matched_terms": "matched terms",
    },
    thanks="Thank you, your feedback is stored.",
    trace="Decision path",
    trace_columns=("Round", "Branch", "Threshold", "Hits", "Top similarity", "Query", "Keywords", "Note"),
    branches={
        "relax": "relax",
        "show": "show",
        "rerank": "rerank",
        "refine": "refine",
        "narrow": "narrow by a question",
    },
    no_index_title="There is no index yet",
    no_index="Name the folders to search in LOCATOR_FOLDERS and read the documents in with this command.",
    not_found="Nothing was found.",
    tried="What was tried",
    try_next="Try fewer words, other words, or fewer filters.",
    status_title="State of the index",
    coverage="Files by state",
    state="State",
    files="Files",
    sum="Sum",
    sums_equal="The sum equals the {listed} listed files.",
    sums_differ="The sum of {total} does not equal the {listed} listed files: run a full crawl (--mode full).",
    states={
        "indexed": "indexed",
        "pending": "waiting",
        "skipped": "skipped",
        "failed": "failed",
        "out_of_scope": "out of scope",
        "no_access": "no access",
    },
    reasons="Reasons",
    reason="Reason",
    detail="Details (as the program recorded them)",
    failures="Files that could not be read",
    no_failures="Every file could be read.",
    attempts="attempts: {count}",
    newest_of="The newest {shown} of {total}.",
    due="waiting to be tried again",
    retry="Retry",
    retry_all="Retry all ({count})",
    retried="{count} will be tried again at the next crawl.",
    skipped="Skipped files ({count})",
    last_sync="Last crawl",
    never="never",
    newest_indexed="Newest in the index",
    chunks="Chunks",
    spent="Cost so far",
    spent_detail="{calls} model calls, {tokens} tokens",
    models_owe="{summaries} files have an extract as their summary, {embeddings} have no embeddings and are found by"
    " their words alone. The models are asked again later.",
    scale_shipped="Similarity scale: as shipped for the model (document-locator calibrate fits it to your index)",
    scale_measured="Similarity scale: measured {ago} with {files} files",
    scale_old="The index has doubled since: run document-locator calibrate again.",
    parts="What stands behind each part",
    part_names={
        "database": "database",
        "source": "source",
        "chat_model": "chat model",
        "embedding_model": "embedding model",
        "index": "index",
        "contributions": "contributions",
        "x": "X search",
        "tracing": "tracing",
    },
    part_states={
        "real": "working",
        "offline": "offline stand-in",
        "embedded": "embedded",
        "missing": "not set",
        "failing": "failing",
    },
    dagster="Dagster",
    dagster_assets="Assets and partitions",
    dagster_runs="Runs",
    ago=("just now", "{n} min ago", "{n} h ago", "{n} d ago"),
    unexpected="Something unexpected went wrong. The log says more.",
)


def texts_of(language: str) -> Texts:
    """The texts of a language; Japanese for one we do not speak."""
    return ENGLISH if language == "en" else JAPANESE


def as_language(value: str | None, default: Language) -> Language:
    """A language from outside (an address, a setting), or the default."""
    return cast(Language, value) if value in LANGUAGE_NAMES else default


def ago(texts: Texts, then: datetime, now: datetime) -> str:
    """How long ago something was, in the largest fitting unit."""
    passed = max(now - then, timedelta())
    just_now, minutes, hours, days = texts.ago
    if passed < timedelta(minutes=1):
        return just_now
    if passed < timedelta(hours=1):
        return minutes.format(n=passed // timedelta(minutes=1))
    if passed < timedelta(days=1):
        return hours.format(n=passed // timedelta(hours=1))
    return days.format(n=passed // timedelta(days=1))
