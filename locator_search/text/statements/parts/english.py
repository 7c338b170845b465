"""The clauses of an English sentence, and the places of words within a clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from locator_search.text.statements.atom import FINITE, MARKS, Atom, begins_name, is_grammar
from locator_search.text.statements.ends import is_within_verb, joins_words
from locator_search.text.statements.parts.part import AND, OR, Part
from locator_search.text.statements.plain import BOUNDS
from locator_search.text.statements.verbs import is_past_verb, is_third_person

STARTS = {
    **dict.fromkeys(("if", "when", "whenever", "once", "upon"), "if"),
    **dict.fromkeys(("until", "till"), "until"),
    **dict.fromkeys(("because", "since"), "because"),
    **dict.fromkeys(("which", "who", "whom", "whose", "where"), "relative"),
    **{word: word for word in ("unless", "before", "after", "while")},
    "that": "main",
}
"""Words that begin a clause, and what it is to its sentence."""
_JOINS_CLAUSES = frozenset({"but", "however", "so", "then", "whereas", "although", "though", "therefore", "thus"})
_PREPOSING = """
than to from in into on at with for via through during towards toward against between by across over under
withinmost atevery insteadof
"""
PREPOSITIONS = frozenset(_PREPOSING.split())
_HOLDING = frozenset({"if", "unless", "before", "after", "until"})
_ARTICLES = frozenset({"the", "a", "an", "no", "each", "this", "these"})
_MADE_ACTIVE = frozenset(
    ["starts", "ends", "stops", "continues", "resumes", "terminates", "completes", "changes", "increases", "decreases"]
)
"""Verbs that were passives (`phrases.english`)."""
_LONGEST_SUBJECT = 3
_STOP = FINITE | {"not", "be", "been"}


@dataclass(slots=True)
class EnglishReader:
    """Reads a sentence from left to right. `waiting`: a section of the main clause that goes on after a parenthesis;
    `verbs`: the sections whose verb was read."""

    atoms: Sequence[Atom]
    section: int = 0
    relation: str = "main"
    label: str = ""
    joint: int = 0
    begun: int = 0
    waiting: int | None = None
    sections: int = 0
    told: bool = False
    aside: bool = False
    verbs: set[int] = field(default_factory=set[int])

    def read(self, index: int) -> Part:
        """The part of the next atom."""
        atom = self.atoms[index]
        word, after = atom.normal, self.atoms[index + 1] if index + 1 < len(self.atoms) else None
        if word in MARKS:
            self._mark(index, after)
        elif word == "while" and index and self.atoms[index - 1].kind == "mark":
            self._start("main", index, joined=True)
        elif word == "that" and self.relation in _HOLDING:
            pass
        elif word in STARTS and after is not None and (word != "that" or index):
            relative = word == "that" and (after.normal in FINITE or after.normal.endswith("s"))
            self._start("relative" if relative else STARTS[word], index)
        elif word in _JOINS_CLAUSES and index > self.begun and not is_within_verb(self.atoms, index):
            self._start("main", index, joined=True)
        elif word in AND | OR:
            if self._ends_phrase(index):
                self._start("main", index, joined=True)
            elif self._joins_clauses(index):
                self._start(self.relation, index, joined=True)
            else:
                self.joint += 1
                self.label = "" if after is not None and after.normal == "to" else self.label
        elif word in FINITE or self._is_verb(index):
            self.told = True
            if self.relation == "relative" and self._has_verb(index):
                self._start("main", index)
            self.label = ""
            self.verbs.add(self.section)
        elif word in PREPOSITIONS and after is not None and (word != "to" or begins_name(after)):
            self.label = word
        elif word == "to" or (word in BOUNDS and self.label == "by") or self._begins_anew(index):
            self.label = ""
        return Part(
            self.section, self.relation, self.label, self.joint, aside=self.aside, lead=self.section not in self.verbs
        )

    def _mark(self, index: int, after: Atom | None) -> None:
        if after is None or after.normal in STARTS or after.normal in MARKS:
            return
        joined = after.normal in AND | OR | _JOINS_CLAUSES
        self._start("main", index, joined=joined)
        self.begun = index + 2 if joined else index + 1

    def _start(self, relation: str, index: int, *, joined: bool = False) -> None:
        unsaid = relation == "relative" and not any(one.normal in FINITE for one in self.atoms[self.begun : index])
        if self.relation == "main" and (unsaid or self._is_open(index)):
            self.waiting = self.section
        if relation == "main" and not joined and self.waiting is not None:
            self.section, self.waiting = self.waiting, None
        else:
            self.sections += 1
            self.section = self.sections
        self.relation, self.label, self.joint, self.begun, self.told = relation, "", 0, index + 1, False
        self.aside = relation == "relative" and index > 0 and self.atoms[index - 1].kind == "mark"

    def _ends_phrase(self, index: int) -> bool:
        """Whether a verb stands behind a condition that has none of its own: upon initiation of it and is stopped."""
        if self.relation not in _HOLDING or self.section in self.verbs or index + 1 == len(self.atoms):
            return False
        return self.atoms[index + 1].normal in FINITE | _MADE_ACTIVE

    def _is_open(self, end: int) -> bool:
        """Whether what stands of the main clause is no clause yet: "Within 5 s" or "The UE" before a comma."""
        told = [atom for atom in self.atoms[self.begun : end] if atom.kind != "mark"]
        if not told or any(atom.normal in FINITE for atom in told):
            return not told
        return told[0].normal in PREPOSITIONS or (self.atoms[end - 1].kind == "mark" and len(told) <= _LONGEST_SUBJECT)

    def _is_verb(self, index: int) -> bool:
        """Whether a word is the verb of a clause without an auxiliary: the first in -s behind a noun."""
        if self.told or index <= self.begun:
            return False
        past = is_past_verb(self.atoms, index)
        if not past and not is_third_person(self.atoms, index, strictly=False):
            return False
        third = is_third_person(self.atoms, index)
        if not past and (self._past_verb_ahead(index) or (not third and self._verb_ahead(index))):
            return False
        ahead = next((one for one in self.atoms[index:] if one.normal in FINITE | MARKS or one.normal in STARTS), None)
        return ahead is None or ahead.normal not in FINITE

    def _verb_ahead(self, index: int) -> bool:
        for at in range(index + 1, len(self.atoms)):
            if self.atoms[at].normal in MARKS or self.atoms[at].normal in STARTS:
                return False
            if self.atoms[at].normal in FINITE or is_third_person(self.atoms, at):
                return True
        return False

    def _past_verb_ahead(self, index: int) -> bool:
        ends = MARKS | STARTS.keys()
        end = next((at for at in range(index + 1, len(self.atoms)) if self.atoms[at].normal in ends), len(self.atoms))
        return any(is_past_verb(self.atoms, at) for at in range(index + 1, end))

    def _begins_anew(self, index: int) -> bool:
        """Whether an article stands behind a noun, and so begins what no preposition belongs to (in step 4 the UE)."""
        before = self.atoms[index - 1] if index and self.atoms[index].normal in _ARTICLES else None
        return before is not None and before.kind in ("latin", "unit") and not is_grammar(before)

    def _has_verb(self, end: int) -> bool:
        """Whether a relative clause has its verb already, with a word behind it."""
        finite = [at for at in range(self.begun, end) if self.atoms[at].normal in FINITE]
        return bool(finite) and any(atom.normal not in _STOP for atom in self.atoms[finite[0] + 1 : end])

    def _joins_clauses(self, index: int) -> bool:
        if joins_words(self.atoms, self.begun, index):
            return False
        for at in range(index + 1, min(index + 8, len(self.atoms))):
            if self.atoms[at].normal in FINITE | MARKS:
                return self.atoms[at].normal in FINITE
            if self.told and is_third_person(self.atoms, at):
                return True
        return False
