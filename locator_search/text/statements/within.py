"""Whether one sentence says what a claim says in the same language: clause by clause, word by word. Pure.

A clause of a claim stands in a clause of the sentence that is the same to its sentence (an if in an if), each word in
its place: subject, verb and object in the order of the active voice, the rest by its preposition or particle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from locator_search.text.statements.parts.reading import CONDITIONS
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token

_LIGHT = frozenset({"perform", "carri", "conduct", "happen", "done", "行う", "行く", "実施", "実行"})
"""Verbs that leave what is done to a noun."""


_IN_LY = "only early daily weekly monthly yearly family supply apply reply assembly anomaly likely multiply comply rely"
_NO_ADVERBS = frozenset(_IN_LY.split())
"""Words in -ly that do not tell how something is done; those that do stand anywhere in their clause."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `relation`: what it is to its sentence, as of Part."""

    relation: str
    tokens: tuple[Token, ...]
    by_tells_agent: bool = False

    @property
    def grades(self) -> frozenset[tuple[str, bool]]:
        """How binding it is, and whether that is denied."""
        return frozenset((token.key, token.negated) for token in self.tokens if token.kind == "modal")

    @property
    def japanese(self) -> bool:
        """Whether it is written in Japanese."""
        return any(token.japanese for token in self.tokens)

    @property
    def words(self) -> list[Token]:
        """All but how binding it is."""
        return [token for token in self.tokens if token.kind != "modal"]

    def at(self, label: str) -> list[Token]:
        """The words in one place of the clause; "" are subject, verb and object as in the active voice."""
        words = self.words
        if label:
            return [token for token in words if self._place(token) == label]
        if self.japanese:
            return [token for wanted in ("agent", "object", "") for token in words if self._place(token) == wanted]
        core = [token for token in words if not self._place(token)]
        agent = [token for token in words if self._place(token) == "agent"]
        verb = next((place for place, token in enumerate(core) if token.passive), None)
        return [*agent, *core] if verb is None else [*agent, core[verb], *core[:verb], *core[verb + 1 :]]

    @property
    def labels(self) -> set[str]:
        """The places that are compared."""
        return {"", *(self._place(token) for token in self.tokens)} - {"agent", "object"}

    def acting(self) -> set[int]:
        """The words that tell who does it, by their identity: the subject, or what follows the by of a passive."""
        if any(token.passive for token in self.tokens):
            return {id(one) for one in self.tokens if self._place(one) == "agent" and one.text != "based"}
        return {id(token) for token in self.tokens if token.role == "agent" and not token.label}

    def readings(self) -> Iterator[Clause]:
        """The clause, and the same where by tells who does what a noun names (detection by the camera)."""
        yield self
        if any(one.label == "by" for one in self.tokens) or not any(one.passive for one in self.tokens):
            yield replace(self, tokens=tuple(replace(one, passive=False) for one in self.tokens), by_tells_agent=True)

    def _place(self, token: Token) -> str:
        """The label of a word; numbers without a particle have a place of their own in Japanese (4回再送する)."""
        if self.japanese:
            return "number" if token.kind == "number" and not token.label else token.label
        if token.text.endswith("ly") and token.kind == "word" and token.text not in _NO_ADVERBS:
            return "how"
        by = next((one for one in self.tokens if one.label == "by" and one.kind != "number"), None)
        is_agent = by is not None and token.label == "by" and (token.group == by.group or self._is_joined(by, token))
        acts = self.by_tells_agent or any(one.passive for one in self.tokens)
        return "agent" if is_agent and acts else token.label

    def _is_joined(self, by: Token, token: Token) -> bool:
        """Whether an "and" joins a word to those behind the by of the only verb."""
        verbs = sum(one.passive or (one.label == "by" and one.text.endswith("ed")) for one in self.tokens)
        return verbs == 1 and token.joint == by.joint + 1


def clauses_of(tokens: Sequence[Token]) -> list[Clause]:
    """The clauses of a sentence, in order."""
    grouped = groupby(sorted(tokens, key=lambda token: token.section), key=lambda token: token.section)
    found = [tuple(group) for _, group in grouped]
    return [Clause(group[0].relation, group) for group in found]


def is_stated(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether the clauses of a claim all stand in a sentence, with every condition they stand under there."""
    theirs = clauses_of(sentence)
    ours = clauses_of(claim)
    mains = [clause for clause in ours if clause.relation == "main"]
    rest = [clause for clause in ours if clause.relation != "main"]
    fitting = [[place for place in range(len(theirs)) if _fits(clause, theirs, place)] for clause in (*mains, *rest)]
    if not all(fitting):
        return False
    used = {place for places in fitting for place in places}
    hanging = {at for places in fitting[: len(mains)] for place in places for at in dependents_of(place, theirs)}
    if mains and any(theirs[at].relation == "because" and at not in hanging for at in used):
        return False
    told = [places for clause, places in zip((*mains, *rest), fitting, strict=True) if clause.relation == "main"]
    if not told:
        return len(theirs) == 1
    return any(_is_whole(main[0], used, theirs) for main in told) and all(
        any(_is_whole(place, used, theirs) for place in places) for places in told
    )


def conditions_over(claim: Sequence[Token], sentence: Sequence[Token]) -> set[str]:
    """The relations of the conditions under which a sentence says most of what the main clauses of a claim say, without
    a span of time that the claim tells as well (after 3 hours)."""
    clauses = clauses_of(sentence)
    told = [token for token in claim if token.relation == "main"]
    shared = {
        place: sum(any(same(token, other) for other in clause.tokens) for token in told)
        for place, clause in enumerate(clauses)
        if clause.relation == "main"
    }
    best = max(shared, key=shared.__getitem__, default=None)
    over = [] if best is None else [clauses[place] for place in conditions_of(best, clauses)]
    spans = [
        one
        for one in over
        if len(one.tokens) == 1 and one.tokens[0].unit and any(same(it, one.tokens[0]) for it in claim)
    ]
    return {one.relation for one in over if one not in spans}


def _is_whole(main: int, used: set[int], clauses: Sequence[Clause]) -> bool:
    """Whether a claim that uses some clauses holds all conditions of one of them, and none of another."""
    conditions = set(conditions_of(main, clauses))
    return conditions <= used


def dependents_of(main: int, clauses: Sequence[Clause]) -> Iterator[int]:
    """The clauses that hang on a clause, and what it is because of."""
    yield from conditions_of(main, clauses, CONDITIONS | {"because", "before"})


def conditions_of(main: int, clauses: Sequence[Clause], kinds: frozenset[str] = CONDITIONS) -> Iterator[int]:
    """The conditions a clause stands under: those that follow it up to the next main clause, and those in front."""
    mains = [place for place, clause in enumerate(clauses) if clause.relation == "main"]
    japanese = any(token.japanese for token in clauses[main].tokens)
    after = next((place for place in mains if place > main), len(clauses))
    before = max((place for place in mains if place < main), default=-1)
    own = japanese and any(clause.relation in kinds for clause in clauses[before + 1 : main])
    for place, clause in enumerate(clauses):
        if clause.relation not in kinds:
            continue
        in_front = before * own <= place < main if japanese else bool(mains) and place < mains[0]
        follows = not japanese and main < place < after and (_ended(place, clauses) in (None, main))
        if in_front or follows or (place == main + 1 and _ended(place, clauses) == main):
            yield place


def _ended(place: int, clauses: Sequence[Clause]) -> int | None:
    """The relative clause before a clause, where no main clause goes on between them: what follows belongs to it."""
    last = place - 1
    if last < 0 or clauses[last].relation != "relative":
        return None
    goes_on = any(one.tokens[-1].phrase > clauses[last].tokens[-1].phrase for one in clauses[:last])
    return None if goes_on else last


def _fits(clause: Clause, clauses: Sequence[Clause], place: int) -> bool:
    other = clauses[place]
    if clause.relation != other.relation or (clause.grades and not clause.grades <= other.grades):
        return False
    if narrows(clause, other) or swaps_grades(clause, other):
        return False
    return any(
        _is_placed(ours, other, lead) for ours in clause.readings() for lead in ([], _subject_before(clauses, place))
    )


def swaps_grades(clause: Clause, other: Clause) -> bool:
    """Whether a claim puts a shall in the place of a may that the sentence puts in the place of a shall."""
    ours, theirs = ([token for token in one.tokens if token.kind == "modal"] for one in (clause, other))
    moved = {(token.label, one.label) for token in ours for one in theirs if token.key == one.key}
    return any(here != there and (there, here) in moved for here, there in moved)


def _is_placed(clause: Clause, other: Clause, subject: Sequence[Token]) -> bool:
    return all(_in_order(clause.at(label), [*(() if label else subject), *other.at(label)]) for label in clause.labels)


def narrows(clause: Clause, other: Clause) -> bool:
    """Whether a sentence says of all in one place what the claim says of all."""
    for word, after in pairwise(other.tokens):
        ours = any("all" in token.bounds and same(token, word) for token in clause.tokens)
        if ours and "all" in word.bounds and after.label not in ("", "to", "by", word.label):
            return not any(same(token, after) for token in clause.tokens)
    return False


def _subject_before(clauses: Sequence[Clause], place: int) -> list[Token]:
    """The subject of the clause before, for one that has none of its own ("and stores it")."""
    other = clauses[place]
    if not place or any(token.role == "agent" for token in other.tokens) or clauses[place - 1].relation != "main":
        return []
    return [token for token in clauses[place - 1].tokens if token.role == "agent" and token.label in ("", "agent")]


def _in_order(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    wanted = [token for token in claim if token.key not in _LIGHT or any(same(token, other) for other in sentence)]
    return _placed(wanted, 0, sentence, -1)


def _placed(claim: Sequence[Token], done: int, sentence: Sequence[Token], last: int) -> bool:
    if done == len(claim):
        return True
    for place in range(last + 1, len(sentence)):
        if not agree(claim[done], sentence[place]):
            continue
        if done and _is_glued(claim[done - 1 : done + 1], sentence, last, place):
            continue
        if _placed(claim, done + 1, sentence, place):
            return True
    return False


def _is_glued(pair: Sequence[Token], sentence: Sequence[Token], first: int, second: int) -> bool:
    """Whether two words of a claim are parted by an "and" that joins neither of them to what stands between."""
    if sentence[first].joint == sentence[second].joint or pair[0].joint != pair[1].joint:
        return False
    between = {token.joint for token in sentence[first + 1 : second]}
    return sentence[first].joint in between and sentence[second].joint in between


def agree(token: Token, other: Token) -> bool:
    """Whether two words are one, are denied alike and bounded alike."""
    return (token.negated, token.bounds) == (other.negated, other.bounds) and same(token, other)
