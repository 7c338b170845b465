"""The texts of the contributions page, Japanese and English. What an analysis itself says is in its own messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.ports.contributions.analyses import AnalysisKind
from streamlit_app.shared.texts import Language


@dataclass(frozen=True, slots=True)
class ContributionTexts:
    """The words of one language."""

    language: Language
    title: str
    lead: str
    no_meetings: str
    list_meetings: str
    list_again: str
    listing: str
    no_archive: str
    meeting: str
    contributions: str
    contributions_placeholder: str
    filters: str
    agenda_item: str
    source: str
    status: str
    anything: str
    here: str
    stages: Mapping[str, str]
    fetching: str
    fetched: str
    not_fetched: str
    asked_for: str
    why: str
    between: str
    nobody_works: str
    details: str
    readings: Mapping[str, str]
    pages: Mapping[str, str]
    specification: str
    release: str
    question: str
    question_placeholder: str
    saved_question: str
    keep_question: str
    question_name: str
    keep: str
    forget: str
    answer: str
    kind: str
    kinds: Mapping[AnalysisKind, str]
    older_first: str
    run: str
    choose_first: str
    running: str
    done: str
    findings: str
    changes: str
    evidence: str
    searches: str
    no_claims: str
    no_changes: str
    not_supported: str
    unverified: str
    refused: str
    clause: str
    no_clause: str
    page: str
    estimated_page: str
    estimated_hint: str
    inserted: str
    deleted: str
    save_document: str
    by: str
    provider: str
    stand_in: str
    stand_in_hint: str
    search_columns: tuple[str, ...]
    download_word: str
    download_markdown: str
    make_link: str
    link_hint: str
    shared_sheet: str
    shared_until: str
    link_refused: str
    analysis_refused: str
    earlier: str
    file_name: str


JAPANESE = ContributionTexts(
    language="ja",
    title="寄書の分析",
    lead="会合と寄書を選ぶと、課題・提案・影響する条項・変更内容を、根拠の条項とページを添えてまとめます。",
    no_meetings="まだ会合が登録されていません。新しい会合の一覧を取得してください。コマンドでも同じことができます。",
    list_meetings="会合の一覧を取得する",
    list_again="会合の一覧を更新する",
    listing="会合の一覧を取得しています",
    no_archive="会合の一覧を取得できませんでした。"
    "保管場所の設定（CONTRIBUTIONS_ARCHIVE_URL）と Dagster の記録を確認してください。",
    meeting="会合",
    contributions="寄書",
    contributions_placeholder="寄書を選ぶ（2 件以上で比較）",
    filters="寄書を絞り込む",
    agenda_item="議題",
    source="提出元",
    status="状況",
    anything="すべて",
    here="{all} 件のうち {indexed} 件が索引にあります。ほかの寄書は、分析するときに取得します。",
    stages={
        "listed": "まだ取得していません",
        "archived": "ファイルを取得しました",
        "normalised": "文書を正規化しました",
        "indexed": "条項ごとに分けて索引に登録しました",
        "skipped": "対象外です",
        "failed": "処理できませんでした",
    },
    fetching="寄書を取得して索引に登録しています",
    fetched="寄書を索引に登録しました",
    not_fetched="索引に登録できない寄書がありました",
    asked_for="{count} 件の取得を依頼しました",
    why="（{reason}）",
    between="、",
    nobody_works="依頼を受け付けましたが、処理がまだ始まっていません。"
    "document-locator up が動いていれば、しばらくして始まります。"
    "動いていなければ document-locator contributions index を実行してください。",
    details="選んだ寄書の内容",
    readings={"ok": "読み取り済み"},
    pages={
        "exact": "ページ番号は正確",
        "word_marks": "ページ番号は Word の記録による推定",
        "rendition": "ページ番号は PDF への変換による推定",
        "none": "ページ番号なし",
    },
    specification="仕様書",
    release="リリース",
    question="知りたいこと（任意）",
    question_placeholder="例: ローミングへの影響はありますか",
    saved_question="保存した質問",
    keep_question="質問を保存・削除する",
    question_name="質問の名前",
    keep="保存する",
    forget="「{name}」を削除する",
    answer="質問: {question}",
    kind="分析の種類",
    kinds={"single": "1 件を分析", "comparison": "比較", "revisions": "改版の比較"},
    older_first="古い版を先に選んでください。",
    run="分析する",
    choose_first="寄書を選ぶと分析できます。",
    running="分析しています",
    done="分析しました",
    findings="分析結果",
    changes="変更箇所",
    evidence="根拠",
    searches="検索の記録",
    no_claims="主張はありません。",
    no_changes="変更箇所は見つかりませんでした。",
    not_supported="根拠なし",
    unverified="根拠に見当たらない番号・数値: {words}",
    refused="採用しなかった引用: {citations}",
    clause="条項 {clause}",
    no_clause="条項なし",
    page="{page} ページ",
    estimated_page="{page} ページ（推定）",
    estimated_hint="Word 文書のページ番号は、文書に残る改ページの記録か PDF への変換から求めた推定です。",
    inserted="挿入",
    deleted="削除",
    save_document="このページ番号の文書を保存（{format}）",
    by="言語モデル: {model}",
    provider="根拠の取得元: {provider}",
    stand_in="オフラインの代役による分析です。",
    stand_in_hint="原文から文を抜き出して並べたもので、内容を理解してまとめたものではありません。",
    search_columns=("目的", "検索クエリ", "件数"),
    download_word="Word で保存",
    download_markdown="Markdown で保存",
    make_link="共有リンクを作る",
    link_hint="このリンクを知っている人は {hours} 時間だけレビューシートを取得できます。",
    shared_sheet="レビューシートが共有されています。",
    shared_until="{until} まで取得できます。",
    link_refused="このリンクは無効か、期限が切れています。送った人に新しいリンクを作ってもらってください。",
    analysis_refused="その分析は見つかりません。",
    earlier="これまでの分析",
    file_name="レビューシート_{name}",
)

ENGLISH = ContributionTexts(
    language="en",
    title="Contributions",
    lead="Choose a meeting and contributions. Problem, proposal, clauses and changes come with clause and page.",
    no_meetings="No meeting is known yet. List the newest ones here, or with these commands.",
    list_meetings="List meetings",
    list_again="List meetings again",
    listing="Listing meetings",
    no_archive="Meetings could not be listed. See the setting CONTRIBUTIONS_ARCHIVE_URL and the runs in Dagster.",
    meeting="Meeting",
    contributions="Contributions",
    contributions_placeholder="Choose contributions (two or more are compared)",
    filters="Narrow down contributions",
    agenda_item="Agenda item",
    source="Source",
    status="Status",
    anything="All",
    here="{indexed} of {all} are in the index. The others are fetched when they are analysed.",
    stages={
        "listed": "not fetched yet",
        "archived": "its files are here",
        "normalised": "its documents are in one form",
        "indexed": "cut into clauses and indexed",
        "skipped": "left out",
        "failed": "failed",
    },
    fetching="Fetching and indexing contributions",
    fetched="The contributions are indexed",
    not_fetched="Some contributions could not be indexed",
    asked_for="Asked for {count}",
    why=" ({reason})",
    between="; ",
    nobody_works="The request was taken, but nobody works on it yet. Where document-locator up runs, it begins soon;"
    " where it does not, run document-locator contributions index.",
    details="About the chosen contributions",
    readings={"ok": "read"},
    pages={
        "exact": "pages exact",
        "word_marks": "pages estimated from Word's marks",
        "rendition": "pages estimated from a PDF rendition",
        "none": "no page numbers",
    },
    specification="Specification",
    release="Release",
    question="What do you want to know? (optional)",
    question_placeholder="For example: does it affect roaming?",
    saved_question="Saved questions",
    keep_question="Save or delete questions",
    question_name="Name of the question",
    keep="Save",
    forget="Delete “{name}”",
    answer="Question: {question}",
    kind="Kind of analysis",
    kinds={"single": "Analyse one", "comparison": "Compare", "revisions": "Compare revisions"},
    older_first="Choose the older revision first.",
    run="Analyse",
    choose_first="Choose contributions to analyse them.",
    running="Analysing",
    done="Analysed",
    findings="Findings",
    changes="Changes",
    evidence="Evidence",
    searches="Searches",
    no_claims="There are no claims.",
    no_changes="No changes were found.",
    not_supported="not supported",
    unverified="Numbers that the evidence does not hold: {words}",
    refused="Refused citations: {citations}",
    clause="clause {clause}",
    no_clause="no clause",
    page="page {page}",
    estimated_page="page {page} (estimated)",
    estimated_hint="Page numbers of Word documents are estimates: from Word's own marks, or from a PDF made of them.",
    inserted="Inserted",
    deleted="Deleted",
    save_document="Save the document these pages count ({format})",
    by="Language model: {model}",
    provider="Source of the evidence: {provider}",
    stand_in="This analysis is by an offline stand-in.",
    stand_in_hint="It picks sentences out of the documents; it does not understand them.",
    search_columns=("Purpose", "Query", "Found"),
    download_word="Save as Word",
    download_markdown="Save as Markdown",
    make_link="Make a link to share",
    link_hint="Whoever has this link can download the review sheet for {hours} hours.",
    shared_sheet="A review sheet was shared with you.",
    shared_until="It can be downloaded until {until}.",
    link_refused="This link is not valid, or no longer. Ask whoever sent it for a new one.",
    analysis_refused="There is no such analysis.",
    earlier="Earlier analyses",
    file_name="review_sheet_{name}",
)


def contribution_texts(language: Language) -> ContributionTexts:
    """The words of a language."""
    return ENGLISH if language == "en" else JAPANESE
