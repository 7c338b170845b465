"""X searches without a model: queries out of the question's keywords, an answer out of the posts' own sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from locator_search.adapters.offline.keywords import question_keywords
from locator_search.adapters.offline.texts import OfflineTexts
from locator_search.locales import Language
from locator_search.text.cutting import sentences, truncate
from locator_search.text.statements.tokens import read_statement
from locator_search.text.terms import analyse

SIDES: Mapping[Language, Sequence[str]] = {
    "ja": ("(便利 OR 良い OR おすすめ)", "(困る OR 不便 OR 問題)", "(方法 OR 対策 OR コツ)"),
    "en": ("(good OR great OR useful)", "(problem OR broken OR bad)", "(how OR tips OR guide)"),
}
QUERIES = 8
QUOTED = 4
"""Sentences of an answer."""
LONGEST_QUOTE = 160
SHORTEST_QUOTE = 8
"""Letters and digits."""
_PRAISE = """
便利 良い 嬉しい 助かる 楽 快適 賛成 満足 歓迎 期待 好き 素晴らしい 安心 成功 改善 役立つ
good great useful happi helpful agre support love like comfort satisfi better improv easi success
"""
_COMPLAINT = """
困る 不便 悪い 辛い 面倒 反対 不満 不安 心配 嫌い 酷い 問題 失敗 悪化 大変 難しい 負担 損 遅い 高い
bad problem broken annoi disagre oppos hate worri wors difficult hard fail burden slow expens unhappi
"""
PRAISING, COMPLAINING = frozenset(_PRAISE.split()), frozenset(_COMPLAINT.split())
"""As normalised forms and English stems."""
_JOINED = re.compile(r"(?:\s\[[^\]]*\])+\s*$")
_TAGS = re.compile(r"[#＃]\w+")
_QUERY_SIGNS = str.maketrans(dict.fromkeys('"():“”', " "))


def post_queries(question: str, language: Language) -> list[str]:
    """Eight queries from several sides, each with something that stands for itself, whatever the question is."""
    words = [cleaned for word in question_keywords(question) if (cleaned := _word(word))]
    words = words or [_word(question)[:100]]
    if not any(character.isalnum() for character in words[0]):
        words = ["X"]
    first, in_language = words[0], f"lang:{language}"
    sides = SIDES.get(language, SIDES["en"])
    queries = [
        f"{' '.join(words[:2])} {in_language}",
        f"{_either(words)} {in_language}",
        *(f"{first} {side}" for side in sides),
        f"{first} has:links",
        f"#{first}" if " " not in first else f'"{first}" has:hashtags',
        f"{_either(words)} min_likes:10",
        f"{first} -is:reply",
        f'"{first}" -is:quote',
    ]
    return list(dict.fromkeys(queries))[:QUERIES]


def post_answer(question: str, posts: Sequence[Mapping[str, Any]], language: Language) -> list[dict[str, object]]:
    """The sentences of the posts that share most words with the question, each said once, with its post."""
    wanted = set(analyse(question).terms)
    ranked = sorted(_said(posts), key=lambda said: -len(wanted.intersection(analyse(said[0]).terms)))
    quoted: dict[str, str] = {}
    for sentence, post_id in ranked:
        if len(quoted) < QUOTED and post_id not in quoted.values():
            quoted.setdefault(sentence, post_id)
    return [
        {
            "text": OfflineTexts.of(language).post_says.format(said=truncate(sentence, LONGEST_QUOTE)),
            "post_ids": [post_id],
        }
        for sentence, post_id in quoted.items()
    ]


def post_positions(posts: Sequence[Mapping[str, Any]], language: Language) -> list[dict[str, object]]:
    """Posts that praise and posts that complain, by words that do so in any matter; what is denied counts the other
    way. Those with as many of both take no side. Nothing where there is one side alone."""
    say = OfflineTexts.of(language)
    weights = {str(post.get("id", "")): _leaning(_own(post)) for post in posts}
    sides = {
        say.position_for: [post_id for post_id, weight in weights.items() if weight > 0],
        say.position_against: [post_id for post_id, weight in weights.items() if weight < 0],
    }
    return [{"text": text, "post_ids": ids} for text, ids in sides.items()] if all(sides.values()) else []


def _own(post: Mapping[str, Any]) -> str:
    """The words of a post, without those of the posts it quotes or answers."""
    return _JOINED.sub("", str(post.get("text", "")))


def _leaning(text: str) -> int:
    tokens = [token for sentence in sentences(text) for token in read_statement(sentence).tokens]
    signs = [(token.key in PRAISING) - (token.key in COMPLAINING) for token in tokens]
    return sum(-sign if token.negated else sign for token, sign in zip(tokens, signs, strict=True))


def _said(posts: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for post in posts:
        for sentence in sentences(_TAGS.sub(" ", _own(post))):
            if sum(map(str.isalnum, sentence)) >= SHORTEST_QUOTE:
                yield sentence.strip(), str(post.get("id", ""))


def _word(text: str) -> str:
    return " ".join(text.translate(_QUERY_SIGNS).split()).lstrip("-").strip()


def _either(words: Sequence[str]) -> str:
    return f"({' OR '.join(words[:4])})" if len(words) > 1 else words[0]
