"""Pairs of spellings: a question in one of them finds a text in the other, and what only looks alike stays apart."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.core.errors import ConfigurationError
from locator_search.model import Matching, Placement, RetrievalMode, RetrievalQuery
from locator_search.retrieval.query_terms import alternatives_of, terms_of, weigh
from locator_search.text.meanings.finding import find_meanings
from locator_search.text.meanings.numerals import in_kanji, value_of
from locator_search.text.terms import analyse
from locator_search.text.variants.finding import find_variants, variants_in_use, without_words
from locator_search.text.variants.kana import katakana_variants
from locator_search.text.variants.romaji import katakana_of, romaji_of
from locator_search.text.variants.rules import RULES, checked_rules
from locator_search.text.variants.spellings import spellings_to_keep
from locator_search.text.variants.synonyms import parse_dictionary
from tests.builders.index import file_ref, index_entry, unit_vector

SYNONYMS = (("TC", "薄型端末", "シンクライアント"), ("稟議", "起案"))

SAME = [
    ("width", "ｻｰﾊﾞｰ", "サーバー"),
    ("width", "ＡＢＣ", "ABC"),
    ("width", "１２３４", "1234"),
    ("width", "㍻", "平成"),
    ("width", "見︀積", "見積"),
    ("kanji", "髙橋", "高橋"),
    ("kanji", "高橋", "髙橋"),
    ("kanji", "山﨑", "山崎"),
    ("kanji", "渡邊", "渡辺"),
    ("kanji", "渡邉", "渡邊"),
    ("kanji", "國學院", "国学院"),
    ("kanji", "澤田", "沢田"),
    ("kanji", "廣瀬", "広瀬"),
    ("kanji", "齋藤", "斉藤"),
    ("kanji", "斎藤", "齊藤"),
    ("kanji", "濵田", "浜田"),
    ("kanji", "中嶋", "中島"),
    ("kanji", "會社", "会社"),
    ("kanji", "櫻井", "桜井"),
    ("kanji", "冨田", "富田"),
    ("kanji", "吉野家", "𠮷野家"),
    ("kanji", "藏書", "蔵書"),
    ("kana", "サーバ", "サーバー"),
    ("kana", "サーバー", "サーバ"),
    ("kana", "ユーザ", "ユーザー"),
    ("kana", "プリンター", "プリンタ"),
    ("kana", "メモリ", "メモリー"),
    ("kana", "メモリー", "メモリ"),
    ("kana", "ウィルス", "ウイルス"),
    ("kana", "ソフトウエア", "ソフトウェア"),
    ("kana", "ヴァイオリン", "バイオリン"),
    ("kana", "バイオリン", "ヴァイオリン"),
    ("kana", "ヴェンティ", "ベンティ"),
    ("kana", "メイン", "メーン"),
    ("kana", "ダイヤグラム", "ダイアグラム"),
    ("kana", "インターフェイス", "インタフェース"),
    ("okurigana", "打合せ", "打ち合わせ"),
    ("okurigana", "打ち合わせ", "打合せ"),
    ("okurigana", "打合わせ", "打ち合せ"),
    ("okurigana", "見積", "見積もり"),
    ("okurigana", "見積り", "見積もり"),
    ("okurigana", "見積もり", "見積"),
    ("okurigana", "申込", "申し込み"),
    ("okurigana", "受付", "受け付け"),
    ("okurigana", "引継ぎ", "引き継ぎ"),
    ("okurigana", "問合せ", "問い合わせ"),
    ("okurigana", "締切", "締め切り"),
    ("okurigana", "売上", "売り上げ"),
    ("okurigana", "貸出", "貸し出し"),
    ("okurigana", "切替", "切り替え"),
    ("okurigana", "振込", "振り込み"),
    ("okurigana", "手続", "手続き"),
    ("number", "第三回", "第3回"),
    ("number", "第3回", "第三回"),
    ("number", "十五人", "15人"),
    ("number", "15人", "十五人"),
    ("number", "二〇二四年", "2024年"),
    ("number", "三千円", "3,000円"),
    ("number", "3000円", "三千円"),
    ("number", "第十二条", "第12条"),
    ("number", "三ヶ月", "3か月"),
    ("number", "3か月", "三箇月"),
    ("era", "令和6年", "2024年"),
    ("era", "2024年", "令和6年"),
    ("era", "2024年", "R6年"),
    ("era", "R6", "2024年"),
    ("era", "令和六年", "2024年"),
    ("era", "平成元年", "1989年"),
    ("era", "1989年", "昭和64年"),
    ("era", "2024年", "令和6年度"),
    ("era", "令和6年度", "2024年度"),
    ("era", "H31", "2019年"),
    ("era", "2024年", "2024/09/10"),
    ("era", "令和6年", "20240910_議事録"),
    ("quarter", "第1四半期", "Q1"),
    ("quarter", "Q1", "第1四半期"),
    ("quarter", "第一四半期", "1Q"),
    ("quarter", "3Q", "第3四半期"),
    ("quarter", "上期", "FY2024_H1"),
    ("quarter", "上期", "上半期"),
    ("quarter", "下期", "2024年H2"),
    ("quarter", "H1", "上期"),
    ("quarter", "second quarter", "第2四半期"),
    ("company", "株式会社みどり", "㈱みどり"),
    ("company", "㈱みどり", "みどり株式会社"),
    ("company", "（株）みどり", "株式会社みどり"),
    ("company", "有限会社青木", "㈲青木"),
    ("company", "合同会社空", "（同）空"),
    ("company", "NPO法人海", "特定非営利活動法人海"),
    ("company", "（一社）山", "一般社団法人山"),
    ("romaji", "トヨタ", "Toyota"),
    ("romaji", "toyota", "トヨタ"),
    ("romaji", "田中", "Tanaka"),
    ("romaji", "会議", "kaigi_0910"),
    ("romaji", "佐藤", "sato"),
    ("romaji", "新宿", "sinzyuku"),
    ("romaji", "大野", "Ohno"),
    ("romaji", "server", "サーバー"),
    ("romaji", "サーバー", "server"),
    ("romaji", "suzuki", "スズキ"),
    ("synonym", "TC", "薄型端末"),
    ("synonym", "薄型端末", "TC"),
    ("synonym", "稟議", "起案"),
    ("synonym", "TC", "シンクライアント"),
    ("office", "PC", "パソコン"),
    ("office", "有休", "年次有給休暇"),
]

APART = [
    ("京大", "東京 大阪"),
    ("高橋", "亮橋"),
    ("第三回", "第4回"),
    ("第3回", "3.5"),
    ("2024年", "令和5年"),
    ("2024年", "2,024円"),
    ("令和6年", "第6回"),
    ("令和6年", "令和5年6月"),
    ("R6", "R2-0045"),
    ("R6", "SR60"),
    ("令和6年", "R60"),
    ("第1四半期", "第2四半期"),
    ("第1四半期", "Q1. パスワードを忘れた"),
    ("下期", "H2ガス"),
    ("上期", "以上期待"),
    ("株式会社", "有限会社"),
    ("みどり株式会社", "みどり有限会社"),
    ("カバー", "カバ"),
    ("ビル", "ビール"),
    ("トヨタ", "Toyama"),
    ("会議", "懐疑"),
    ("酒", "sake"),
    ("四日市", "4日"),
    ("15人", "十四人"),
    ("三千円", "三万円"),
    ("斉藤", "一斉"),
    ("TC", "TCR"),
]


def share_found(question: str, text: str, off: tuple[str, ...] = ()) -> float:
    """The share of the question's terms that a text holds, each by itself or by an alternative."""
    terms = terms_of(question, (), off)
    alternatives = alternatives_of(terms, question, find_variants(question, Matching(off, SYNONYMS)))
    held = set(analyse(text).terms)
    return sum(bool(held & {term, *alternatives.get(term, ())}) for term in terms) / len(terms)


@pytest.mark.parametrize("written", ["㈱白樺", "（株）白樺", "株式会社白樺", "白樺株式会社", "白樺㈱"])
def test_a_company_form_counts_once_however_it_is_written(written: str) -> None:
    assert {*terms_of(written, ())} == {*terms_of("㈱白樺", ())}
    assert {"w:会社", "k:株式会社"} <= {*terms_of(f"{written}の会社案内", ())}


@pytest.mark.parametrize(("rule", "question", "text"), SAME)
def test_a_question_finds_all_of_itself_in_another_spelling(rule: str, question: str, text: str) -> None:
    assert rule in RULES
    assert share_found(question, text) == 1.0
    assert share_found(question, f"前置きの文。{text} のことである。") == 1.0


def test_every_rule_has_pairs() -> None:
    assert {rule for rule, _, _ in SAME} == set(RULES)
    assert len(SAME) >= 60


@pytest.mark.parametrize(("question", "text"), APART)
def test_what_only_looks_alike_is_not_all_of_it(question: str, text: str) -> None:
    assert share_found(question, text) < 0.85


FOLDED_ALWAYS = ("width", "kanji", "kana", "okurigana")
"""Rules that are applied whenever terms are made, to texts and questions alike: switched off, they leave out what is
only written otherwise."""

FOUND_WITHOUT_THE_RULE = ("二〇二四年", "サーバー", "㈱みどり", "（株）みどり")
"""二〇二四年 by the rule of eras; server holds the word サーバー in the index; ㈱ alone is no word to look for."""

WIDENING = [
    (rule, question, text)
    for rule, question, text in SAME
    if rule not in FOLDED_ALWAYS and question not in FOUND_WITHOUT_THE_RULE
]


@pytest.mark.parametrize(("rule", "question", "text"), WIDENING)
def test_a_rule_that_is_off_widens_nothing(rule: str, question: str, text: str) -> None:
    assert share_found(question, text, (rule,)) < 1.0


@pytest.mark.parametrize(
    ("question", "rule", "others"),
    [
        ("サーバの更新", "kana", ("サーバー",)),
        ("㈱髙橋工業", "kanji", ("高橋",)),
        ("ＡＢＣの件", "width", ("ABC",)),
        ("打合せの記録", "okurigana", ("打ち合わせ",)),
        ("第三回の資料", "number", ("第3回",)),
        ("2024年の予算", "era", ("令和6年", "R6")),
        ("1989年の記録", "era", ("昭和64年", "平成元年")),
        ("Q1の売上", "quarter", ("第1四半期", "1Q")),
        ("㈲青木", "company", ("有限会社",)),
        ("トヨタの車", "romaji", ("toyota",)),
        ("TCの購入", "synonym", ("薄型端末",)),
        ("新しい薄型端末", "synonym", ("シンクライアント",)),
        ("テレワークの手当", "office", ("在宅勤務",)),
        ("在宅勤務の手当", "office", ("テレワーク",)),
        ("remote work policy", "office", ("テレワーク",)),
    ],
)
def test_a_variant_says_what_is_looked_for_as_well(question: str, rule: str, others: tuple[str, ...]) -> None:
    found = [variant for variant in find_variants(question, Matching(synonyms=SYNONYMS)) if variant.rule == rule]
    assert others in [variant.others for variant in found]
    assert all(variant.written in question for variant in found)
    assert not [one for one in find_variants(question, Matching((rule,), SYNONYMS)) if one.rule == rule]


def test_variants_that_no_text_uses_are_left_unsaid() -> None:
    variants = find_variants("サーバの更新")
    assert {other for one in variants_in_use(variants, {"w:サーバー"}) for other in one.others} == {"サーバー"}
    assert "koushin" in {other for one in variants_in_use(variants, {"r:koushin"}) for other in one.others}
    synonyms = find_variants("TCの購入", Matching(("romaji", "okurigana"), SYNONYMS))
    assert [one.others for one in variants_in_use(synonyms, {"w:薄型"})] == [("薄型端末",)]
    assert [one.others for one in variants_in_use(synonyms, {"w:薄型", "w:シン"})] == [("薄型端末", "シンクライアント")]


def test_a_word_of_the_dictionary_is_found_wherever_it_stands_as_a_word() -> None:
    groups = (("案件", "ディール"), ("見積 案件", "引合"))

    def found(question: str) -> list[tuple[str, tuple[str, ...]]]:
        return [
            (one.written, one.others)
            for one in find_variants(question, Matching(("romaji",), groups))
            if one.rule == "synonym"
        ]

    assert found("提案件数と案件") == [("案件", ("ディール",))]
    assert found("見積 案件の一覧") == [("見積 案件", ("引合",)), ("案件", ("ディール",))]


def test_a_group_counts_once_however_many_of_it_a_text_has() -> None:
    question = "2024年の予算"
    terms = terms_of(question, ())
    alternatives = alternatives_of(terms, question, find_variants(question))
    weighed = weigh(terms, dict.fromkeys([*terms, "y:2024年"], 3), {}, 100, alternatives)
    assert sum(term.mass for term in weighed) == pytest.approx(1.0)
    assert [term.term for term in weighed].count("y:2024年") == 1


def test_a_latin_word_and_its_japanese_count_once() -> None:
    question = "server migration"
    terms = terms_of(question, ())
    assert "w:サーバー" not in terms
    assert "w:サーバー" in alternatives_of(terms, question, find_variants(question))["e:server"]
    assert "w:サーバー" in terms_of("server サーバー", ())
    assert "w:サーバー" in terms_of("server", ("サーバー",))
    assert "w:ゴー" in terms_of("go", ()), "too short to have alternatives"


@pytest.mark.parametrize(
    ("question", "said_by", "not_by"),
    [
        ("weekly report", ("営業週報", "週次報告"), ("報告書", "三週間後")),
        ("週報", ("週間報告", "the weekly figures"), ("納期は10週間", "報告", "weeks later")),
        ("テレワーク", ("在宅勤務",), ("在宅", "勤務")),
        ("non-disclosure agreement", ("秘密保持契約",), ("契約", "秘密")),
    ],
)
def test_a_synonym_of_several_words_is_no_word_of_it_alone(
    question: str, said_by: tuple[str, ...], not_by: tuple[str, ...]
) -> None:
    terms = terms_of(question, question.split())
    alternatives = alternatives_of(terms, question, find_variants(question, Matching(("romaji",))))

    def share(text: str) -> float:
        held = set(analyse(text).terms)
        return sum(bool(held & {term, *alternatives.get(term, ())}) for term in terms) / len(terms)

    assert {text: share(text) for text in said_by} == dict.fromkeys(said_by, 1.0)
    assert [text for text in not_by if share(text) == 1.0] == []


def test_what_also_stands_elsewhere_in_the_question_has_no_alternative() -> None:
    question = "令和6年度 第6回"
    terms = terms_of(question, ())
    assert "y:2024年" not in alternatives_of(terms, question, find_variants(question)).get("r:6", ())


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3,000", 3000), ("三千", 3000), ("二〇二四", 2024), ("千九百九十", 1990), ("1億2000万", 120_000_000),
        ("十五", 15),
        ("三四", None), ("十百", None), ("12,34", None), ("万", None),
    ],
)  # fmt: skip
def test_numerals_are_read(written: str, value: int | None) -> None:
    assert value_of(written) == value


@given(st.integers(1, 9999))
def test_a_number_in_kanji_is_read_back(number: int) -> None:
    assert value_of(in_kanji(number)) == number


@pytest.mark.parametrize(
    ("reading", "latin"),
    [
        ("カイギ", ("kaigi",)),
        ("サトウ", ("satou", "sato", "satoh")),
        ("シンジュク", ("shinjuku", "sinzyuku")),
        ("シンブン", ("shinbun", "shimbun", "sinbun")),
        ("マッチャ", ("matcha", "mattya")),
        ("オオノ", ("oono", "ono", "ohno")),
        ("ABC", ()),
    ],
)
def test_readings_have_their_usual_latin_spellings(reading: str, latin: tuple[str, ...]) -> None:
    assert romaji_of(reading) == latin


def test_what_is_no_romaji_has_no_kana() -> None:
    assert [katakana_of(word) for word in ("toyota", "kitte", "print", "report")] == ["トヨタ", "キッテ", None, None]


@given(
    st.text(
        alphabet=st.characters() | st.sampled_from("令和六6年第三回QH12上下半期株(㈱)ヴーAa.,/-〇十百千万"), max_size=40
    )
)
def test_any_text_has_variants_and_meanings_that_lie_in_it(text: str) -> None:
    for variant in find_variants(text, Matching(synonyms=SYNONYMS)):
        assert variant.written in text
        assert variant.rule in RULES
    for found in find_meanings(text):
        assert 0 <= found.start < found.end <= len(text)


def test_katakana_that_cannot_be_written_otherwise_has_no_variants() -> None:
    assert katakana_variants("キー") == ()


def test_a_rule_that_does_not_exist_is_refused_with_the_names_of_those_that_do() -> None:
    assert checked_rules([" Era", "era", ""]) == ("era",)
    with pytest.raises(ConfigurationError) as refused:
        checked_rules(["wareki"])
    assert "wareki" in refused.value.message
    assert "era" in refused.value.hint


def test_the_words_that_come_with_the_product_are_a_sound_dictionary() -> None:
    lines = (files("locator_search.text.variants") / "office_words.txt").read_text("utf-8")
    read = parse_dictionary(lines)
    assert read.bad_lines == ()
    assert len(read.groups) > 100
    words = [word.casefold() for group in read.groups for word in group]
    assert {word for word in words if words.count(word) > 1} == {"不具合"}, "a word of two groups ties both together"


def test_a_dictionary_is_read_line_by_line() -> None:
    read = parse_dictionary("# remark\nTC, 薄型端末\n\n一語だけ\n稟議、起案，申請\nA,Ａ\n" + "長" * 65 + ",短")
    assert read.groups == (("TC", "薄型端末"), ("稟議", "起案", "申請"))
    assert read.bad_lines == (4, 6, 7)


def test_a_dictionary_names_words_to_ignore_and_what_comes_first_or_last() -> None:
    read = parse_dictionary(
        "ignore: 弊社, ＰＣ\n先頭：就業規則、rules = /規程/就業規則.docx\nLast: 就業規則＝旧規程/\n"
        "first: 就業規則\nfirst: = 規程/\nignore:\nlast: 規則 =\n稟議, 起案"
    )
    assert read.ignored == ("弊社", "pc")
    assert read.placements == (
        Placement("就業規則", "規程/就業規則.docx", first=True),
        Placement("rules", "規程/就業規則.docx", first=True),
        Placement("就業規則", "旧規程/", first=False),
    )
    assert (read.groups, read.bad_lines) == ((("稟議", "起案"),), (4, 5, 6, 7))


@pytest.mark.parametrize(
    ("place", "path", "held"),
    [
        ("規程/就業規則.docx", "総務/規程/就業規則.docx", True),
        ("就業規則.docx", "就業規則.docx", True),
        ("規程/就業規則.docx", "旧規程/就業規則.docx", False),
        ("規程/", "総務/規程/2024/就業規則.docx", True),
        ("規程/", "旧規程/就業規則.docx", False),
        ("規程/", "総務/規程", False),
    ],
)
def test_a_place_is_a_file_or_a_folder_by_whole_names(place: str, path: str, held: bool) -> None:
    assert Placement("就業規則", place, first=True).holds(path) == held


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("弊社の就業規則", "  の就業規則"),
        ("please show the travel rules", "       show the travel rules"),
        ("ｐｌｅａｓｅ 規則", "       規則"),
        ("pleased customers", "pleased customers"),
        ("弊社", "弊社"),
    ],
)
def test_words_to_ignore_are_whole_words_and_never_the_whole_question(question: str, left: str) -> None:
    assert without_words(question, ("弊社", "please")) == left


@pytest.mark.parametrize(
    ("rule", "question", "text"),
    [
        ("era", "2024年の入札", "令和6年の入札結果をまとめた。"),
        ("era", "令和6年の入札", "2024年の入札結果をまとめた。"),
        ("number", "第三回の入札", "第3回の入札結果をまとめた。"),
        ("quarter", "Q1の入札", "第一四半期の入札結果をまとめた。"),
        ("company", "株式会社みどり", "㈱みどりと契約した。"),
        ("kanji", "髙橋", "高橋が担当する。"),
        ("kana", "メモリー", "メモリを増やした。"),
        ("okurigana", "打合せ", "打ち合わせをした。"),
        ("romaji", "トヨタ", "Toyota と契約した。"),
        ("synonym", "稟議", "起案をした。"),
        ("office", "テレワーク", "在宅勤務の手当を定める。"),
        ("office", "有休", "年次有給休暇の日数を定める。"),
    ],
)
def test_the_index_finds_it_names_the_variant_and_marks_it(
    database: Database, rule: str, question: str, text: str
) -> None:
    index = PostgresIndexStore(database)
    index.replace(index_entry(file_ref("meant", "一.txt"), [text]), "pipeline-1")
    for number in range(12):
        index.replace(index_entry(file_ref(f"other-{number}", "他.txt"), ["関係のない文。"]), "pipeline-1")
    asked = RetrievalQuery(question, mode="keyword", matching=Matching(synonyms=SYNONYMS))
    found = index.retrieve(asked, None)
    assert [evidence.file_id for evidence in found.evidence] == ["meant"]
    assert found.hit_count == 1
    assert rule in {variant.rule for variant in found.variants}
    assert all("koushin" not in variant.others and "nyuusatsu" not in variant.others for variant in found.variants)
    assert found.evidence[0].highlights


ALWAYS_FOLDED = ("㍻", "見\ufe00積", "インターフェイス")
"""Signs made of several letters, invisible characters, and words that differ in two places."""

FOLDING = [
    (rule, question, text) for rule, question, text in SAME if rule in FOLDED_ALWAYS and question not in ALWAYS_FOLDED
]


@pytest.mark.parametrize(("rule", "question", "text"), FOLDING)
def test_what_a_folding_rule_brings_together_is_told_apart_without_it(rule: str, question: str, text: str) -> None:
    kept = [spelling for spelling in spellings_to_keep(question, (rule,)) if spelling.rule == rule]
    assert kept
    assert any(re.search(spelling.in_any_form, text, re.IGNORECASE) for spelling in kept)
    assert not all(re.search(spelling.as_written, text, re.IGNORECASE) for spelling in kept)
    assert all(re.search(spelling.as_written, f"{question}の件", re.IGNORECASE) for spelling in kept)
    assert all(set(spelling.terms) & set(analyse(text).terms) for spelling in kept)


@pytest.mark.parametrize(
    ("rule", "one", "other"),
    [
        ("kanji", "髙橋", "高橋"),
        ("kana", "サーバ", "サーバー"),
        ("okurigana", "打合せ", "打ち合わせ"),
        ("width", "ABC", "ＡＢＣ"),
    ],
)
@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
def test_with_a_folding_rule_off_a_file_is_found_as_it_is_written(
    database: Database, rule: str, one: str, other: str, mode: RetrievalMode
) -> None:
    index = PostgresIndexStore(database)
    question_vector = unit_vector("question")
    for spelling in (one, other):
        entry = index_entry(file_ref(spelling, "一.txt"), [f"{spelling}の資料"], chunk_embeddings=[question_vector])
        index.replace(entry, "pipeline-1")
    for spelling in (one, other):
        found = index.retrieve(RetrievalQuery(spelling, mode=mode), question_vector)
        assert {evidence.file_id for evidence in found.evidence} == {one, other}
        without = RetrievalQuery(spelling, mode=mode, matching=Matching((rule,)))
        apart = index.retrieve(without, question_vector)
        assert [evidence.file_id for evidence in apart.evidence] == [spelling]
        assert apart.hit_count == 1
