"""Every sentence an analysis says to a person, in Japanese and English, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Language
from locator_search.ports.contributions.analyses import AnalysisKind, Aspect


@dataclass(frozen=True, slots=True)
class Sentences:
    """All sentences in one language; names in braces are filled in with `str.format`."""

    progress: Mapping[str, str]
    """By the purpose of a search, or what a model is asked for."""
    aspects: Mapping[Aspect, str]
    kinds: Mapping[AnalysisKind, str]
    cover: Mapping[str, str]
    """By the field of a cover page."""
    flaws: Mapping[str, str]
    """By the state of a text."""

    # Notes
    nothing_found: str
    unanswered: str
    not_announced: str
    not_changed: str
    model_silent: str
    unsupported: str
    refused: str
    many_found: str
    untyped_changes: str
    no_changes: str

    # Refusals
    no_contribution: str
    one_contribution: str
    two_contributions: str
    several_contributions: str
    too_many_contributions: str

    # The review sheet
    sheet_title: str
    fact_contributions: str
    fact_kind: str
    fact_question: str
    fact_provider: str
    fact_model: str
    fact_made: str
    stand_in: str
    cover_title: str
    changes_title: str
    changes_of: str
    evidence_title: str
    queries_title: str
    notes_title: str
    not_supported: str
    unverified: str
    refused_citations: str
    clause: str
    no_clause: str
    page: str
    estimated_page: str
    inserted: str
    deleted: str
    asked: str


JAPANESE = Sentences(
    progress={
        "question": "{subject}: 質問に関わる箇所を検索しています",
        "problem": "{subject}: 課題と背景を検索しています",
        "proposal": "{subject}: 提案を検索しています",
        "affected_clauses": "{subject}: 影響を受ける条項を検索しています",
        "changes": "{subject}: 変更履歴（挿入・削除）を検索しています",
        "whole": "{subject}: 本文を検索しています",
        "clause": "{subject}: もう一方の版にある条項を検索しています",
        "model": "言語モデルが求めた追加の検索をしています",
        "ProposeQueries": "足りない根拠がないか確かめています",
        "WriteClaims": "根拠をもとに分析をまとめています",
    },
    aspects={
        "answer": "質問への回答",
        "problem": "課題",
        "proposal": "提案",
        "affected_clauses": "影響を受ける条項",
        "changes": "変更内容",
        "common": "共通点",
        "difference": "相違点",
        "conflict": "競合",
    },
    kinds={"single": "寄書の分析", "comparison": "寄書の比較", "revisions": "改版の比較"},
    flaws={"partial": "一部だけ読み取れた文書", "suspicious": "文字化けの疑いがある文書"},
    cover={
        "specification": "仕様書",
        "cr": "CR 番号",
        "revision": "版",
        "current_version": "仕様書の版",
        "title": "題名",
        "source_to_wg": "提出元（WG）",
        "source_to_tsg": "提出元（TSG）",
        "work_item": "作業項目",
        "date": "日付",
        "category": "区分",
        "release": "リリース",
        "reason_for_change": "変更理由",
        "summary_of_change": "変更の概要",
        "consequences": "承認されない場合の影響",
        "clauses_affected": "影響する条項",
        "other_comments": "備考",
        "revision_history": "改版の経緯",
    },
    nothing_found="根拠が見つかりませんでした（{contributions}）。寄書が索引に登録されているか確認してください。",
    unanswered="質問への答えを裏付ける根拠は見つかりませんでした。",
    not_announced="{contribution}: 表紙の「影響する条項」に挙がっていない条項が変更されています: {clauses}",
    not_changed="{contribution}: 表紙の「影響する条項」にあるのに変更履歴のない条項があります: {clauses}",
    model_silent="言語モデルが応答しなかったため、主張をまとめられませんでした。見つかった根拠と変更箇所を示します。",
    unsupported="根拠で裏付けられない主張が {count} 件あります。「根拠なし」と示しています。",
    refused="言語モデルの引用のうち {count} 件は、根拠に存在しないか引用文が一致しないため、採用しませんでした。",
    many_found="根拠 {all} 件のうち {count} 件を言語モデルに渡しました。変更箇所はすべての根拠から求めています。",
    untyped_changes="根拠の取得元（{provider}）からは変更履歴を受け取れません。",
    no_changes="変更履歴はありません。",
    no_contribution="寄書番号を指定してください。",
    one_contribution="この分析では寄書を 1 件だけ指定してください。",
    two_contributions="改版の比較では、古い版と新しい版の 2 件を指定してください。",
    several_contributions="比較するには、異なる寄書を 2 件以上指定してください。",
    too_many_contributions="一度に比較できる寄書は {limit} 件までです。",
    sheet_title="レビューシート: {kind}",
    fact_contributions="寄書",
    fact_kind="種類",
    fact_question="質問",
    fact_provider="根拠の取得元",
    fact_model="言語モデル",
    fact_made="作成日時",
    stand_in="（オフラインの代役。原文から文を抜き出しただけで、内容の理解はしていません）",
    cover_title="変更要求の表紙: {contribution}",
    changes_title="変更箇所",
    changes_of="{contribution} {clause}",
    evidence_title="根拠",
    queries_title="検索の記録",
    notes_title="注意",
    not_supported="［根拠なし］",
    unverified="根拠に見当たらない番号・数値: {words}",
    refused_citations="採用しなかった引用: {citations}",
    clause="条項 {clause}",
    no_clause="条項なし",
    page="{page} ページ",
    estimated_page="{page} ページ（推定）",
    inserted="挿入: ",
    deleted="削除: ",
    asked="{query}（{found} 件）",
)

ENGLISH = Sentences(
    progress={
        "question": "{subject}: searching for what the question is about",
        "problem": "{subject}: searching for the problem and its background",
        "proposal": "{subject}: searching for the proposal",
        "affected_clauses": "{subject}: searching for affected clauses",
        "changes": "{subject}: searching for tracked changes (insertions, deletions)",
        "whole": "{subject}: searching the text",
        "clause": "{subject}: searching for a clause of the other revision",
        "model": "Searching for what the language model asked for",
        "ProposeQueries": "Checking whether evidence is missing",
        "WriteClaims": "Writing the analysis from the evidence",
    },
    aspects={
        "answer": "Answer to the question",
        "problem": "Problem",
        "proposal": "Proposal",
        "affected_clauses": "Affected clauses",
        "changes": "What is changed",
        "common": "In common",
        "difference": "Differences",
        "conflict": "Conflicts",
    },
    kinds={
        "single": "Analysis of a contribution",
        "comparison": "Comparison of contributions",
        "revisions": "Comparison of revisions",
    },
    flaws={"partial": "document read in part", "suspicious": "text looks garbled"},
    cover={
        "specification": "Specification",
        "cr": "CR",
        "revision": "Revision",
        "current_version": "Current version",
        "title": "Title",
        "source_to_wg": "Source to WG",
        "source_to_tsg": "Source to TSG",
        "work_item": "Work item",
        "date": "Date",
        "category": "Category",
        "release": "Release",
        "reason_for_change": "Reason for change",
        "summary_of_change": "Summary of change",
        "consequences": "Consequences if not approved",
        "clauses_affected": "Clauses affected",
        "other_comments": "Other comments",
        "revision_history": "Revision history",
    },
    unanswered="No evidence supports an answer to the question.",
    not_announced="{contribution}: clauses are changed that its cover page does not list as affected: {clauses}",
    not_changed="{contribution}: clauses that its cover page lists as affected have no tracked changes: {clauses}",
    nothing_found="No evidence was found ({contributions}). Are the contributions indexed?",
    model_silent="The language model did not answer, so there are no claims. Here are the evidence and the changes.",
    unsupported="{count} claims are not supported by evidence. They are marked “not supported”.",
    refused="{count} citations of the language model name no evidence, or quote what is not there, and were refused.",
    many_found="Of {all} pieces of evidence the language model was shown {count}; changes come from all of them.",
    untyped_changes="The source of the evidence ({provider}) does not tell tracked changes.",
    no_changes="There are no tracked changes.",
    no_contribution="Name a contribution.",
    one_contribution="This analysis takes one contribution.",
    two_contributions="A comparison of revisions takes two: the older one and the newer one.",
    several_contributions="A comparison takes at least two different contributions.",
    too_many_contributions="At most {limit} contributions can be compared at once.",
    sheet_title="Review sheet: {kind}",
    fact_contributions="Contributions",
    fact_kind="Kind",
    fact_question="Question",
    fact_provider="Source of the evidence",
    fact_model="Language model",
    fact_made="Made",
    stand_in=" (an offline stand-in: it picks sentences out of the documents and does not understand them)",
    cover_title="Cover page of the change request: {contribution}",
    changes_title="Changes",
    changes_of="{contribution} {clause}",
    evidence_title="Evidence",
    queries_title="Searches",
    notes_title="Notes",
    not_supported="[not supported]",
    unverified="Numbers that the evidence does not hold: {words}",
    refused_citations="Refused citations: {citations}",
    clause="clause {clause}",
    no_clause="no clause",
    page="page {page}",
    estimated_page="page {page} (estimated)",
    inserted="Inserted: ",
    deleted="Deleted: ",
    asked="{query} ({found} found)",
)


def sentences(language: Language) -> Sentences:
    """The sentences of a language."""
    return ENGLISH if language == "en" else JAPANESE
