"""Why a result is one: in a line, in sentences, and in figures. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from locator_search.model import Evidence
from locator_search.retrieval.grouping import placed_for
from locator_search.text.matching import find_marks
from streamlit_app.shared.texts import Texts

MOST_QUOTED = 3
"""Words that the reason of a result quotes of its name, and of its text."""

_ENDING = re.compile(r"\.[A-Za-z0-9]{1,5}$")


def reason_in_a_line(evidence: Evidence, query: str, texts: Texts) -> str:
    """Why a result of a query is there, as short as can be: where the query's words stand, as the file writes them;
    that its content is near; or that only conditions were asked for. Empty without a query."""
    for way, phrase in placed_for(evidence):
        return texts.why_placed[way].format(phrase=phrase)
    title = _ENDING.sub("", evidence.file_name)
    in_name = _told_once(_marked(title, marks_of(title, query)))
    in_text = _told_once(_marked(evidence.snippet, evidence.highlights), in_name)
    name, text = _quoted(in_name, texts), _quoted(in_text, texts)
    if name and text:
        return texts.reason_both.format(name=name, text=text)
    if name or text:
        return texts.reason_name.format(words=name) if name else texts.reason_text.format(words=text)
    if not query:
        return ""
    return texts.reason_near if "vector" in evidence.explain else texts.reason_conditions


def _marked(text: str, marks: Sequence[tuple[int, int]]) -> list[str]:
    """The marked words of a text, each once, the longest first."""
    words = (text[start:end].strip() for start, end in marks)
    return sorted({word.casefold(): word for word in words if len(word) > 1}.values(), key=len, reverse=True)


def _told_once(words: Sequence[str], told: Sequence[str] = ()) -> list[str]:
    """The words, of which the longest come first, that stand in none before them and in none `told` elsewhere."""
    kept = list[str]()
    for word in words:
        if not any(word.casefold() in longer.casefold() for longer in (*told, *kept)):
            kept.append(word)
    return kept


def _quoted(words: Sequence[str], texts: Texts) -> str:
    return texts.space.join(texts.reason_word.format(word=word) for word in words[:MOST_QUOTED])


def reasons(evidence: Evidence, texts: Texts) -> list[str]:
    """The explanation of a result as sentences; a ranking that did not find it adds none."""
    explain = evidence.explain
    vector, keyword = _mapping(explain.get("vector")), _mapping(explain.get("keyword"))
    found = [texts.why_placed[way].format(phrase=phrase) for way, phrase in placed_for(evidence)]
    if keyword:
        words = texts.comma.join(str(term) for term in _sequence(explain.get("matched_terms")))
        share = f"{min(1.0, float(keyword.get('share') or 0)):.0%}"
        found.append(texts.why_terms.format(share=share, words=words or "–", rank=keyword.get("rank")))
        if keyword.get("name_idf"):
            found.append(texts.why_name)
    if vector:
        found.append(texts.why_near.format(rank=vector.get("rank")))
    source = texts.similarity_sources[evidence.similarity_source]
    found.append(texts.why_similarity.format(similarity=f"{evidence.similarity:.2f}", source=source))
    weight = explain.get("keyword_weight")
    if isinstance(weight, float) and vector and keyword:
        found.append(texts.why_mixed.format(keyword=f"{weight:.0%}", vector=f"{1 - weight:.0%}"))
    return found


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _sequence(value: object) -> Sequence[object]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def explained(explain: Mapping[str, object], texts: Texts) -> list[tuple[str, str]]:
    """Why a result is one, as (factor, value) rows; what is nested gets a path of names."""
    rows: list[tuple[str, str]] = []
    for name, value in explain.items():
        words = texts.why_words.get(name, name)
        if isinstance(value, Mapping):
            rows += [(f"{words} / {inner}", shown) for inner, shown in explained(value, texts)]
        elif isinstance(value, str):
            rows.append((words, texts.why_words.get(value, value)))
        elif isinstance(value, Sequence):
            rows.append((words, "、".join(str(item) for item in value) or "–"))
        else:
            rows.append((words, "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)))
    return rows


def marks_of(text: str, question: str) -> list[tuple[int, int]]:
    """The places that match; one letter alone would mark half a page."""
    marks = find_marks(text, question) if question else ()
    return [(mark.start, mark.end) for mark in marks if mark.end - mark.start > 1]
