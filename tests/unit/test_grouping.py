"""Versions and copies of one document take one place; no other document is ever folded under them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from locator_search.model import Evidence
from locator_search.ports.versions import DocumentKeys
from locator_search.retrieval.grouping import files_of, group_kind, grouped, left_of
from locator_search.retrieval.same_document import ComparedTexts, Likeness, NamedText, settled, to_compare
from locator_search.text.terms import analyse
from tests.builders.terms import numbered

TEMPLATE = (
    "{customer} 御中。下記のとおりお見積り申し上げます。件名は流量計の納入、納期は受注後三十日、"
    "支払条件は月末締め翌月末払い、有効期限は発行から六十日です。単価は {price} 円、数量は十二台、"
    "校正証明書を含みます。納入場所は貴社工場とし、据付は含みません。保証は納入から一年間とし、消耗品を除きます。担当は営業部の木下です。ご不明の点はお問い合わせください。"
)
QUOTE = TEMPLATE.format(customer="北斗製鋼", price="46,000")
CHEAPER = TEMPLATE.format(customer="北斗製鋼", price="44,200") + "送料は弊社の負担とします。"
OTHER_CUSTOMER = TEMPLATE.format(customer="瀬戸内ポンプ製作所", price="52,500")
UNRELATED = (
    "安全衛生委員会は熱中症の対策として冷水機を置くことを決めた。避難訓練は十月に行い、各部署の担当者が人数を報告する。"
)

Files = Mapping[str, str]
"""Texts by path, most relevant first."""


def found(files: Files) -> list[Evidence]:
    start = datetime(2026, 9, 1, tzinfo=UTC)
    return [
        Evidence(
            file_id=path,
            file_name=path.rpartition("/")[2],
            folder_path=path.rpartition("/")[0],
            summary="",
            link="",
            mime_type="text/plain",
            modified_at=start + timedelta(days=place),
            similarity=0.9,
            score=1 - place / 100,
        )
        for place, path in enumerate(files)
    ]


def shown(files: Files, question: str = "見積書") -> dict[str, dict[str, str]]:
    """The files that are shown, each with those folded under it and why. Equal texts are equal bytes."""
    result = folded(files, question)
    assert {item.file_id for item in files_of(result)} == set(files)
    return {item.file_id: {member.evidence.file_id: member.kind for member in item.group} for item in result}


def folded(files: Files, question: str = "") -> tuple[Evidence, ...]:
    """The files as one search finds them that were indexed at once. Equal texts have equal keys."""
    names = [NamedText(path, path.rpartition("/")[2], path.rpartition("/")[0], text) for path, text in files.items()]
    terms = {path: numbered(_counts(text)) for path, text in files.items()}
    documents, _ = settled(names, [], {}, terms)
    keys = {name.file_id: DocumentKeys(name.text_key, key) for name, key in zip(names, documents, strict=True)}
    return grouped(found(files), keys, terms, question)


def _counts(text: str) -> dict[str, int]:
    terms = analyse(text)
    return dict(zip(terms.terms, terms.frequencies, strict=True))


def test_the_same_bytes_are_a_copy_wherever_they_lie_and_whatever_they_are_called() -> None:
    assert shown({"営業/見積書.pdf": QUOTE, "個人/Estimate 2024-08.pdf": QUOTE}) == {
        "営業/見積書.pdf": {"個人/Estimate 2024-08.pdf": "copy"}
    }


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("見積書_v1.docx", "見積書_v2.docx"),
        ("見積書.docx", "見積書_v2.docx"),
        ("見積書_案.docx", "見積書.docx"),
        ("見積書_v3.docx", "見積書_最終版.docx"),
        ("旧/見積書.docx", "見積書.docx"),
        ("見積書_旧.docx", "見積書.docx"),
        ("見積書_最終版.docx", "見積書_最終版2.docx"),
        ("見積書_2026-09.docx", "見積書_final.docx"),
        ("Quote draft.docx", "Quote.pdf"),
        ("見積書_v9.docx", "見積書_v10.docx"),
    ],
)
def test_of_two_versions_the_later_one_is_shown_whichever_is_more_relevant(earlier: str, later: str) -> None:
    expected = {f"営業/{later}": {f"営業/{earlier}": "version"}}
    texts = {f"営業/{earlier}": QUOTE, f"営業/{later}": CHEAPER}
    assert shown(texts) == expected
    assert shown(dict(reversed(texts.items()))) == expected


def test_the_version_that_the_question_names_is_shown() -> None:
    texts = {"見積書_v2.docx": CHEAPER, "見積書_v1.docx": QUOTE}
    assert shown(texts, "見積書 v1") == {"見積書_v1.docx": {"見積書_v2.docx": "version"}}
    assert shown(texts, "見積書の初版") == {"見積書_v1.docx": {"見積書_v2.docx": "version"}}
    assert list(shown(texts, "見積書")) == ["見積書_v2.docx"]


@pytest.mark.parametrize("name", ["見積書 (1).docx", "見積書 - コピー.docx", "見積書.pdf", "Copy of 見積書.docx"])
def test_nearly_the_same_text_beside_the_original_is_a_near_copy(name: str) -> None:
    texts = {"見積書.docx": QUOTE, name: QUOTE + "以上。"}
    assert "near_copy" in next(iter(shown(texts).values())).values()


def test_of_one_text_the_original_is_shown_and_not_its_copy() -> None:
    assert list(shown({"研修/手順 - コピー.pdf": QUOTE, "情報/手順.pdf": QUOTE})) == ["情報/手順.pdf"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("月報 2024年8月.pdf", "月報 2024年9月.pdf"),
        ("月報_202408.pdf", "月報_202409.pdf"),
        ("第36回議事録.docx", "第37回議事録.docx"),
        ("営業週報_2026年第32週.md", "営業週報_2026年第33週.md"),
        ("見積書_北斗製鋼.docx", "見積書_瀬戸内ポンプ製作所.docx"),
        ("顧客/北斗製鋼/見積書.docx", "顧客/瀬戸内ポンプ/見積書.docx"),
        ("顧客/北斗製鋼/見積書_v1.docx", "顧客/瀬戸内ポンプ/見積書_v2.docx"),
        ("2024-08/報告.docx", "2024-09/報告.docx"),
        ("見積書_Q-2026-0342.docx", "見積書_Q-2026-0343.docx"),
        ("経営会議議事録_令和6年8月.docx", "経営会議議事録_令和6年9月.docx"),
        ("見積書_2026-08_v1.docx", "見積書_2026-09_v2.docx"),
        ("月報.docx", "月報_2024-09.docx"),
        ("申請書.docx", "申請書 .docx"),
    ],
)
def test_another_month_meeting_or_customer_is_another_document_however_alike_the_texts(one: str, other: str) -> None:
    assert _likeness(_counts(QUOTE), _counts(OTHER_CUSTOMER)).overlap > 0.8
    assert shown({one: QUOTE, other: OTHER_CUSTOMER}) == {one: {}, other: {}}


@pytest.mark.parametrize(
    ("one", "other"), [("手順 (1).md", "手順 (2).md"), ("手順_v1.md", "手順_v2.md"), ("手順.md", "手順 - コピー.md")]
)
def test_a_name_alone_proves_nothing(one: str, other: str) -> None:
    assert shown({one: QUOTE, other: UNRELATED}) == {one: {}, other: {}}


def test_files_without_text_are_not_alike() -> None:
    assert shown({"手順_v1.md": "", "手順_v2.md": "※"}) == {"手順_v1.md": {}, "手順_v2.md": {}}


def test_there_is_no_chain_from_one_customer_over_the_template_to_another() -> None:
    texts = {
        "北斗製鋼/見積書_v2.docx": QUOTE,
        "北斗製鋼/見積書.docx": TEMPLATE,
        "瀬戸内ポンプ/見積書.docx": TEMPLATE,
        "瀬戸内ポンプ/見積書_v2.docx": OTHER_CUSTOMER,
    }
    result = shown(texts)
    assert "瀬戸内ポンプ/見積書_v2.docx" not in result.get("北斗製鋼/見積書_v2.docx", {})
    assert {"北斗製鋼/見積書_v2.docx", "瀬戸内ポンプ/見積書_v2.docx"} <= result.keys()


def test_a_group_takes_the_best_place_of_its_files_and_the_others_keep_their_order() -> None:
    texts = {"a.txt": UNRELATED, "見積書_v1.docx": QUOTE, "b.txt": "別の文書", "見積書_v2.docx": CHEAPER}
    assert list(shown(texts)) == ["a.txt", "見積書_v2.docx", "b.txt"]


def test_only_files_that_may_be_versions_have_to_be_read() -> None:
    texts = {"見積書_v1.docx": QUOTE, "見積書_v2.docx": CHEAPER, "b.txt": QUOTE, "週報_01.md": "1", "週報_02.md": "2"}
    names = [NamedText(name, name, "", text) for name, text in texts.items()]
    assert [file.file_id for file in to_compare(names, [])] == ["見積書_v1.docx", "見積書_v2.docx"]


def test_when_the_file_shown_is_gone_its_copy_comes_forward_before_an_older_version() -> None:
    texts = {"見積書_v1.docx": QUOTE, "見積書_v2.docx": CHEAPER, "見積書_v2 - コピー.docx": CHEAPER}
    (group,) = folded(texts)
    assert group.file_id == "見積書_v2.docx"
    every = {item.file_id: item for item in files_of([group])}
    assert [item.file_id for item in left_of(group, every)] == ["見積書_v2.docx"]
    del every["見積書_v2.docx"]
    (left,) = left_of(group, every)
    assert left.file_id == "見積書_v2 - コピー.docx"
    assert [member.evidence.file_id for member in left.group] == ["見積書_v1.docx"]
    assert left_of(group, {}) == ()


def test_the_oldest_of_equal_files_is_the_original_however_relevant_its_copies_are() -> None:
    paths = ["営業部/配布/就業規則.docx", "人事部/規程/就業規則.docx", "人事部/規程/旧/就業規則.docx"]
    older = {item.file_id: item for item in found(dict.fromkeys(reversed(paths), QUOTE))}
    keys = dict.fromkeys(paths, DocumentKeys("text", "document"))
    (group,) = grouped([older[path] for path in paths], keys, {})
    assert [group.file_id, *(member.evidence.file_id for member in group.group)] == [paths[1], paths[0], paths[2]]


def test_a_group_is_called_after_the_member_that_differs_most() -> None:
    texts = {"見積書_v2.docx": CHEAPER, "見積書_v2 - コピー.docx": CHEAPER, "見積書_v1.docx": QUOTE}
    (group,) = folded(texts)
    assert Counter(member.kind for member in group.group) == {"copy": 1, "version": 1}
    assert group_kind(group.group) == "version"


def test_likeness_lies_between_nothing_and_everything_in_common() -> None:
    counts = _counts(QUOTE)
    assert _likeness(counts, counts) == (1.0, 1.0)
    assert _likeness(counts, {}) == (0.0, 0.0)
    assert _likeness({"a": 2, "b": 1}, {"a": 1, "c": 3}) == (1 / 3, 1 / 6)
    one, other = Counter(_counts(QUOTE)), Counter(_counts(OTHER_CUSTOMER))
    common = (one & other).total()
    assert _likeness(one, other) == (common / min(one.total(), other.total()), common / (one | other).total())


def _likeness(one: Mapping[str, int], other: Mapping[str, int]) -> Likeness:
    return ComparedTexts({"one": numbered(one), "other": numbered(other)}).likeness("one", ["other"])[0]
