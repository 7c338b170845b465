"""Where a word stands in its sentence, and the words that join."""

from __future__ import annotations

from dataclasses import dataclass, field

AND = frozenset({"and", "および", "及び", "並びに", "かつ"})
OR = frozenset({"or", "または", "又は", "もしくは", "若しくは", "あるいは", "或いは"})


@dataclass(slots=True)
class Part:
    """Where one atom stands. `section`: the clause, with what a parenthesis parts of it; `relation`: what the clause
    is to the sentence; `label`: its place in the clause ("" for subject, verb and object); `joint`: how many and/or
    precede it there; `group`: its phrase, with those that an of joins to it; `bounds`: what bounds it, as
    "only", "all", "or" (an alternative) or "most" (at most); `aside`: a comma parts its clause from what it is about;
    `lead`: the verb of its clause is still to come. Both are told of English alone; `goes_on`: its
    verb leaves how binding it is to the next clause (確認し、通知しなければならない), told of Japanese alone."""

    section: int = 0
    relation: str = "main"
    label: str = ""
    joint: int = 0
    group: int = 0
    bounds: set[str] = field(default_factory=set[str])
    aside: bool = False
    lead: bool = False
    goes_on: bool = False
