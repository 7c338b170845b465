"""What the `contributions` commands say, in Japanese and English, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ContributionTexts:
    """All texts in one language; names in braces are filled in with `str.format`."""

    language: Literal["ja", "en"]
    sample: str
    archive: str
    synced: str
    tdoc_list: str
    no_tdoc_list: str
    next_step: str
    no_converter: str
    nothing_due: str
    done: str
    endings: Mapping[str, str]
    states: Mapping[str, str]
    documents: str
    pages: Mapping[str, str]
    changes: str
    chunks: str
    details: str
    fields: Mapping[str, str]
    document_read: str


JAPANESE = ContributionTexts(
    language="ja",
    sample="見本の会合（架空）を使っています。ネットワークには接続しません。"
    "実際の会合を使うには CONTRIBUTIONS_ARCHIVE_URL を設定してください。",
    archive="寄書の保管場所: {name}",
    synced="{meeting}: 寄書 {contributions} 件、ファイル {files} 件、新規・変更 {changed} 件",
    tdoc_list="  TDoc 一覧: {name}",
    no_tdoc_list="  TDoc 一覧なし {problem}",
    next_step="次の手順: document-locator contributions index",
    no_converter="LibreOffice が見つかりません。.doc は本文だけを読み、変更履歴とページ番号は得られません。",
    nothing_due="処理が必要な寄書はありません。",
    done="索引 {indexed} 件、処理済み {stopped} 件、変更なし {unchanged} 件、対象外 {skipped} 件、"
    "失敗 {failed} 件（{seconds:.1f} 秒）",
    endings={
        "indexed": "索引済み",
        "stopped": "正規化済み",
        "unchanged": "変更なし",
        "skipped": "対象外",
        "failed": "失敗",
    },
    states={
        "listed": "未取得",
        "archived": "取得済み",
        "normalised": "正規化済み",
        "indexed": "索引済み",
        "skipped": "対象外",
        "failed": "失敗",
    },
    documents="正規化済み文書 {count}",
    pages={
        "exact": "ページ番号は正確",
        "word_marks": "ページ番号は Word の記録による推定",
        "rendition": "ページ番号は PDF への変換による推定",
        "none": "ページ番号なし",
    },
    changes="変更履歴 {count}",
    chunks="チャンク {count}",
    details="（{detail}）",
    fields={
        "title": "題名",
        "source": "提出元",
        "agenda_item": "議題",
        "kind": "種類",
        "status": "状況",
        "revision_of": "元の版",
        "revised_to": "次の版",
        "state": "処理",
        "documents": "文書",
        "cover": "変更要求の表紙",
    },
    document_read="読み取り済み",
)

ENGLISH = ContributionTexts(
    language="en",
    sample="These are sample meetings, made up; nothing is fetched from a network."
    " Set CONTRIBUTIONS_ARCHIVE_URL to use real ones.",
    archive="Archive: {name}",
    synced="{meeting}: {contributions} contributions, {files} files, {changed} new or changed",
    tdoc_list="  TDoc list: {name}",
    no_tdoc_list="  no TDoc list {problem}",
    next_step="Next: document-locator contributions index",
    no_converter="LibreOffice was not found: of .doc files only the text is read, no tracked changes and no pages.",
    nothing_due="No contribution has anything to be done.",
    done="{indexed} indexed, {stopped} normalised, {unchanged} unchanged, {skipped} skipped, {failed} failed"
    " ({seconds:.1f} s)",
    endings={
        "indexed": "indexed",
        "stopped": "normalised",
        "unchanged": "unchanged",
        "skipped": "skipped",
        "failed": "failed",
    },
    states={
        "listed": "not fetched",
        "archived": "fetched",
        "normalised": "normalised",
        "indexed": "indexed",
        "skipped": "skipped",
        "failed": "failed",
    },
    documents="documents: {count}",
    pages={
        "exact": "pages exact",
        "word_marks": "pages estimated from Word's marks",
        "rendition": "pages estimated from a PDF rendition",
        "none": "no page numbers",
    },
    changes="tracked changes: {count}",
    chunks="chunks: {count}",
    details=" ({detail})",
    fields={
        "title": "Title",
        "source": "Source",
        "agenda_item": "Agenda item",
        "kind": "Type",
        "status": "Status",
        "revision_of": "Revision of",
        "revised_to": "Revised to",
        "state": "State",
        "documents": "Documents",
        "cover": "Cover page of the change request",
    },
    document_read="read",
)


def contribution_texts(language: Literal["ja", "en"]) -> ContributionTexts:
    """All texts in one language."""
    return JAPANESE if language == "ja" else ENGLISH
