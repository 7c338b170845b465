"""The matching rules by name, with what they do in a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from locator_search.core.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `title` and `explanation` are for people; `folds`: applied whenever terms are made, to texts and
    questions alike, so that switching it off leaves out what is only written otherwise."""

    title: Mapping[Literal["ja", "en"], str]
    explanation: Mapping[Literal["ja", "en"], str]
    folds: bool = False


RULES: Mapping[str, Rule] = {
    "width": Rule(
        {"ja": "全角・半角", "en": "width"},
        {
            "ja": "全角と半角、㈱や①などの合成文字、異体字セレクター、ダッシュの種類を区別しません。",
            "en": "Full and half width, signs such as ㈱ and ①, variation selectors and dashes are alike.",
        },
        folds=True,
    ),
    "kanji": Rule(
        {"ja": "新旧の漢字", "en": "old kanji"},
        {
            "ja": "髙と高、﨑と崎、國と国のような旧字体・異体字を同じとみなします。",
            "en": "Old forms of kanji are their modern ones: 髙 is 高, 﨑 is 崎, 國 is 国.",
        },
        folds=True,
    ),
    "kana": Rule(
        {"ja": "かなの書き方", "en": "kana"},
        {
            "ja": "サーバとサーバー、ウィとウイ、ヴァとバ、みどりと緑のような書き方を同じとみなします。",
            "en": "Ways to write kana are alike: サーバ and サーバー, ウィ and ウイ, ヴァ and バ; みどり is 緑.",
        },
        folds=True,
    ),
    "okurigana": Rule(
        {"ja": "送り仮名", "en": "okurigana"},
        {
            "ja": "打合せと打ち合わせ、見積と見積もりのような送り仮名の違いを同じとみなします。",
            "en": "Okurigana may be left out: 打合せ is 打ち合わせ, 見積 is 見積もり.",
        },
        folds=True,
    ),
    "number": Rule(
        {"ja": "漢数字", "en": "numerals"},
        {
            "ja": "第三回と第3回、二〇二四年と2024年、十五人と15人を同じとみなします。",
            "en": "Kanji numerals are numbers: 第三回 is 第3回, 二〇二四年 is 2024年, 十五人 is 15人.",
        },
    ),
    "era": Rule(
        {"ja": "和暦・西暦", "en": "era years"},
        {
            "ja": "令和6年、R6、2024年を同じ年とみなします。",
            "en": "Years of an era are years: 令和6年 and R6 are 2024年.",
        },
    ),
    "quarter": Rule(
        {"ja": "四半期・半期", "en": "quarters"},
        {
            "ja": "第1四半期とQ1と1Q、上期とH1、下期とH2を同じとみなします。",
            "en": "Quarters and halves of a year: 第1四半期 is Q1 and 1Q, 上期 is H1, 下期 is H2.",
        },
    ),
    "company": Rule(
        {"ja": "会社の種類", "en": "company forms"},
        {
            "ja": "株式会社と㈱と（株）、有限会社と㈲のような書き方を同じとみなします。",
            "en": "Company forms may be abbreviated: 株式会社 is ㈱ and （株）, 有限会社 is ㈲.",
        },
    ),
    "romaji": Rule(
        {"ja": "ローマ字", "en": "romaji"},
        {
            "ja": "かな・漢字の語をローマ字でも（会議 → kaigi）、英字の語をかなでも（Toyota → トヨタ）探します。",
            "en": "Words are also looked for in Latin letters (会議: kaigi), and Latin ones in kana (Toyota: トヨタ).",
        },
    ),
    "synonym": Rule(
        {"ja": "同義語", "en": "synonyms"},
        {
            "ja": "同義語の辞書（synonyms.txt）で同じ行にある語を同じとみなします。",
            "en": "Words on one line of your synonym dictionary (synonyms.txt) are alike.",
        },
    ),
}


def checked_rules(names: Iterable[str]) -> tuple[str, ...]:
    """The names of rules, lower case, each once. Raises ConfigurationError that lists the rules for any other name."""
    wanted = tuple(dict.fromkeys(name.strip().lower() for name in names if name.strip()))
    unknown = [name for name in wanted if name not in RULES]
    if unknown:
        raise ConfigurationError(
            f"No matching rule is called {', '.join(unknown)}.", hint=f"The rules are: {', '.join(RULES)}."
        )
    return wanted
