"""Holds what a model claims against the evidence it was given. Pure.

A citation counts when its id is one that was sent and its quote stands in that passage, with enough telling words. A
claim is supported when the sentences it quotes state it (`text.statements.proof`): nothing else in the passage proves
anything, nor does a label or a file name. That it is about S1-254001 or clause 5.2.1, the place of the passage says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from locator_search.contributions.analysis.cards import card_id
from locator_search.contributions.analysis.passages import Sentence, quoted_sentences
from locator_search.contributions.cover_page import without_label
from locator_search.llm.answers import CitationAnswer, ClaimAnswer
from locator_search.model import Evidence
from locator_search.ports.contributions.analyses import ChangedClause, Citation, Claim
from locator_search.text.clauses import lies_within
from locator_search.text.normalise import normalise
from locator_search.text.statements.abbreviations import as_used_in, with_original_terms
from locator_search.text.statements.doubts import Doubt
from locator_search.text.statements.phrases.sources import without_source
from locator_search.text.statements.phrases.spelling import american, uniform
from locator_search.text.statements.proof import claims_in
from locator_search.text.statements.sameness import is_said, same
from locator_search.text.statements.supporting import REPORTING, doubts_about
from locator_search.text.statements.tokens import Statement, Token, read_statement
from locator_search.text.terms import analyse

LONGEST_CLAIM = 1_000
MOST_CLAIMS = 40

_CHANGED = "chang insert delet add ad remov modifi amend number same 変更 挿入 削除 追加 修正 同じ 番号"
_CHANGING = frozenset(_CHANGED.split())
_BEING_CHANGED = _CHANGING - {"number", "same"}
_FORMER = re.compile(
    r"\b(?:delet|remov|replac|chang|was\b|were\b|former|previous|before|old\b|instead)|削除|変更|以前|従来|旧|修正|置き換え",
    re.IGNORECASE,
)
"""Words that say that something no longer stands there."""
_DOCUMENTS = frozenset(["contribut", "document", "cr", "tdoc", "paper", "request", "propos", "clause", "claus", "text"])
_PROPOSED = frozenset({"proposal", "affected_clauses", "changes"})
"""Aspects under which a reader takes every claim for a proposal."""
_QUOTED = re.compile(r"[“「『]([^”」』]+)[”」』]")
_LITERAL = re.compile(r"[“\"「『]([A-Za-z][ -~]*?)[”\"」』]")
_BECOMING = re.compile(r"[“「『]([^”」』]+)[”」』](?:を| to )[“「『]([^”」』]+)[”」』]")
_CLAUSE = re.compile(
    r"(?:\b(?:in|of|from|under) )?(?:\b(?:(?:sub)?clauses?|sections?|annex(?:es)?)|条項|附属書|[条節項])\s*"
    r"((?:\d+|[A-Z])(?:\.(?:\d+[A-Za-z]?|[XYZNxyzn]{1,3}\d*))*[A-Za-z]?)(?![\w.]*\w)",
    re.IGNORECASE,
)
_MORE = re.compile(r"\band (\d{1,6}) more\b|ほか(\d{1,6})か所を変更", re.IGNORECASE)
_NAMES = re.compile(
    r"(?<![A-Za-z])"
    r"(?!(?:The|A|An|In|On|If|When|Upon|After|Before|For|Each|Only|No|It|This|All|Both|Whether|Unless|Until) )"
    r"[A-Z][a-z]+(?: [A-Z][a-z]+)+(?![A-Za-z])"
)
"""Names of several words in capitals, without the word that a sentence begins with."""
_NUMBERED = re.compile(
    r"(?:step|note|example|observation|conclusion|finding|issue|reason for change|summary of change|background|"
    r"ステップ|手順|注|注記|例|観察|結論|課題|変更理由|変更の理由|変更概要|背景)\s*[\d.\-]*[a-z]?\s*[:：]\s*",
    re.IGNORECASE,
)
"""What a sentence bears in front as its name."""
_PAGE = re.compile(r"(?:\b(?:on|of) )?\bpages?\s*(\d+)\b|(\d+)\s*(?:ページ|頁)", re.IGNORECASE)


def grounded(
    drafts: Sequence[ClaimAnswer], evidence: Sequence[Evidence], sent: Sequence[str], changes: Sequence[ChangedClause]
) -> tuple[Claim, ...]:
    """The claims with the citations that hold; at most MOST_CLAIMS, blank ones left out. `sent` are the ids of the
    evidence that the model was shown."""
    places = {card_id(number): number for number in range(len(evidence)) if card_id(number) in sent}
    texts = [" ".join(draft.text.split())[:LONGEST_CLAIM] for draft in drafts]
    checked = [
        _checked(draft, text, places, evidence, changes) for draft, text in zip(drafts, texts, strict=True) if text
    ]
    return tuple(
        claim if claim.supported else replace(claim, nearest=_nearest(claim, [*places.values()], evidence))
        for claim in checked[:MOST_CLAIMS]
    )


def _nearest(claim: Claim, places: Sequence[int], evidence: Sequence[Evidence]) -> int | None:
    """The passage that shares most words with a claim, among those it cites where it cites any."""
    wanted = frozenset(analyse(claim.text).terms)
    among = [citation.evidence for citation in claim.citations] or places
    shared = {place: len(wanted.intersection(analyse(evidence[place].text).terms)) for place in among}
    return max(shared, key=shared.__getitem__, default=None)


def _checked(
    draft: ClaimAnswer,
    text: str,
    places: Mapping[str, int],
    evidence: Sequence[Evidence],
    changes: Sequence[ChangedClause],
) -> Claim:
    citations: list[Citation] = []
    refused: list[str] = []
    quoted: list[Sentence] = []
    for cited in draft.citations:
        place = places.get(cited.evidence_id.strip())
        found = [] if place is None else quoted_sentences(evidence[place], cited.quote)
        if place is None or not found:
            refused.append(_on_one_line(cited))
        elif (citation := Citation(place, cited.quote.strip())) not in citations:
            citations.append(citation)
            quoted += found
    cited_places = dict.fromkeys(one.evidence for one in citations)
    cited_passages = [evidence[place] for place in cited_places]
    changed = sum(len(change.edits) for change in changes if not cited_places.keys().isdisjoint(change.evidence))
    proposed = draft.aspect in _PROPOSED
    doubts, unverified = _doubts(text, quoted, cited_passages, changed, proposed) if citations else ((), ())
    return Claim(draft.aspect, text, tuple(citations), tuple(refused), unverified, doubts)


def _doubts(
    text: str, quoted: Sequence[Sentence], cited: Sequence[Evidence], changed: int, proposed: bool
) -> tuple[tuple[Doubt, ...], tuple[str, ...]]:
    """The parts of a claim that the quoted sentences do not say, and its numbers and names that do not stand there;
    `changed` sentences are changed in the clauses of the passages. `proposed`: the claim is shown as a proposal."""
    free = REPORTING
    text = without_source(text, " ".join(one.text for one in quoted))
    placed = _without_places(text, cited)
    original = with_original_terms(placed, [one.text for one in quoted if not one.read.japanese])
    rest, repeated = _without_repeated(_without_rest(original, changed), quoted)
    if repeated or any(one.changes for one in cited):
        free |= _CHANGING
    free -= {token.key for one in quoted for token in one.read.tokens}  # what a sentence reports is its matter
    matter = [token for one in quoted for token in one.read.tokens if token.key not in REPORTING]
    statements = [
        (read, [token for at, token in enumerate(read.tokens) if _is_matter(token, at, read, free, matter)])
        for read in (_as_proposed(one) if proposed else one for one in claims_in(rest))
    ]
    tokens = [token for _, found in statements for token in found]
    if not tokens and not repeated and not any(one.changes for one in cited):
        return ("words",), ()
    standing = quoted if _FORMER.search(text) or repeated else [one for one in quoted if not one.deleted]
    if not standing:
        return ("deleted",), ()
    if placed != text and any(one.changes for one in cited) and _says_only(rest, REPORTING | _BEING_CHANGED):
        return (), ()  # also where the sentence itself is about a change
    said = _squeezed("".join(without_label(one.text) for one in standing))
    if said in (_squeezed(text), _squeezed(rest)):  # word for word: lines of a cell may run on
        return (), ()
    told = [(found, read) for read, found in statements if found or read.negations]
    as_written = tuple(one.read for one in standing)
    as_used = tuple(_with_abbreviations_of(text, one) for one in standing)
    as_told = tuple(_without_number(one) for one in standing)
    doubts = min(
        (
            [doubt for found, read in told for doubt in doubts_about(found, read, sentences)]
            for sentences in dict.fromkeys((as_written, as_used, as_told))
        ),
        key=len,
    )
    names = _names_elsewhere(rest, said)
    numbers = (token for token in tokens if token.kind in ("number", "identifier"))
    missing = [token.text for token in numbers if not any(is_said(token, one.read) for one in quoted)]
    if names:
        doubts.append("numbers")
    return tuple(dict.fromkeys(doubts)), tuple(dict.fromkeys([*missing, *names]))


def _with_abbreviations_of(claim: str, sentence: Sentence) -> Statement:
    """A sentence as it reads with the abbreviations it defines written as the claim writes them."""
    used = as_used_in(claim, sentence.text)
    return sentence.read if used == sentence.text else read_statement(used)


def _without_number(sentence: Sentence) -> Statement:
    """A sentence as it reads without its number in front (Step 7:, Observation 2:); a proposal keeps its own."""
    numbered = _NUMBERED.match(sentence.text)
    return read_statement(sentence.text[numbered.end() :]) if numbered else sentence.read


def _as_proposed(read: Statement) -> Statement:
    """A sentence that is shown as a proposal, unless it tells what has happened."""
    return read if read.done else replace(read, ahead=True)


def _says_only(rest: str, words: frozenset[str]) -> bool:
    """Whether nothing but such words is left of a claim, and nothing is denied."""
    return not any(read.negations or any(token.key not in words for token in read.tokens) for read in claims_in(rest))


def _is_matter(token: Token, at: int, read: Statement, free: frozenset[str], matter: Sequence[Token]) -> bool:
    """Whether a word of a claim has to be proved: all but those about documents that no sentence tells of, in either
    language."""
    if token.key not in free or _tells_more(token, at, read):
        return True
    return token.key in _DOCUMENTS and any(same(token, one) for one in matter if one.japanese != token.japanese)


def _tells_more(token: Token, at: int, read: Statement) -> bool:
    """Whether a word about documents tells of something else: part of a name, as the Request of Floor Request, what is
    done where no document is named (the node changes its PCI), or all of them (every clause of the contract)."""
    if "all" in token.bounds:
        return True
    if token.key == "chang" and token.role != "agent" and not any(one.key in _DOCUMENTS for one in read.tokens):
        return True
    return at > 0 and token.kind == "word" and token.text.istitle() and not token.japanese


def _names_elsewhere(text: str, said: str) -> list[str]:
    """The names of several words in capitals (Registration Reject), and what stands in quotation marks in Latin letters
    ("Not supported"), that do not stand so in what is quoted."""
    named = [*_NAMES.findall(text), *_LITERAL.findall(text)]
    return [name for name in named if _squeezed(name) not in said]


def _without_places(text: str, cited: Sequence[Evidence]) -> str:
    """A claim without the numbers of the contributions, clauses and pages that it cites."""
    for evidence in cited:
        for name in filter(None, (evidence.contribution_number, evidence.meeting)):
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w])", " ", text)
    clauses = [one.clause_number for one in cited if one.clause_number]
    pages = [str(one.page_number) for one in cited if one.page_number]
    text = _CLAUSE.sub(lambda found: " " if any(lies_within(own, found[1]) for own in clauses) else found[0], text)
    return _PAGE.sub(lambda found: " " if (found[1] or found[2]) in pages else found[0], text)


def _without_repeated(text: str, quoted: Sequence[Sentence]) -> tuple[str, bool]:
    """A claim without what it repeats in quotation marks of the quoted sentences; whether there was any. Nothing is
    taken out where one becomes the other, and stands before it in the sentences."""
    written = [_squeezed(one.text) for one in quoted]
    stream = "".join(written)
    for found in _BECOMING.finditer(text):
        before, after = _squeezed(found[1]), _squeezed(found[2])
        if any(0 <= one.find(after) < one.find(before) for one in written):
            return text, False
    rest = _QUOTED.sub(lambda found: " " if _squeezed(found[1].strip("… ")) in stream else found[0], text)
    return rest, rest != text


def _without_rest(text: str, changed: int) -> str:
    """A claim without "and 3 more", where that many sentences are changed."""
    return _MORE.sub(lambda found: found[0] if int(found[1] or found[2]) > changed else " ", text)


def _squeezed(text: str) -> str:
    words = normalise(uniform(text)).split()
    return "".join(map(american, words))


def _on_one_line(cited: CitationAnswer) -> str:
    refused = f"{cited.evidence_id}: {cited.quote}" if cited.quote else cited.evidence_id
    return " ".join(refused.split())[:200]
