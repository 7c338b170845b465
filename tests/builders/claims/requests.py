"""Claims over change requests that are put together from facts: who does what, to whom, with which number, when."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from locator_search.model import Evidence
from tests.builders.claims import Case
from tests.builders.contributions import passage

_NODES = ("UE", "AMF", "SMF", "UPF", "PCF", "AUSF")
_ACTS = (
    ("send", "sent", "送信"),
    ("forward", "forwarded", "転送"),
    ("release", "released", "解放"),
    ("store", "stored", "保存"),
    ("update", "updated", "更新"),
    ("encrypt", "encrypted", "暗号化"),
)
_THINGS = (
    ("the registration request", "登録要求"),
    ("the slice identifier", "スライス識別子"),
    ("the session context", "セッションコンテキスト"),
    ("the location report", "位置報告"),
    ("the security key", "セキュリティ鍵"),
    ("the subscription data", "加入データ"),
)
_UNITS = (("seconds", "秒"), ("ms", "ミリ秒"), ("minutes", "分"), ("MHz", "MHz"), ("%", "%"))
_MODALS = (("shall", "なければならない"), ("may", "てもよい"))
_WHENS = (
    ("when the UE enters a new cell", "UEが新しいセルに入る場合"),
    ("if the network is congested", "ネットワークが混雑している場合"),
    ("after timer {timer} expires", "タイマー{timer}の満了後"),
)


@dataclass(frozen=True, slots=True)
class _Fact:
    agent: str
    act: tuple[str, str, str]
    thing: tuple[str, str]
    to: str
    number: int
    unit: tuple[str, str]
    timer: str
    modal: tuple[str, str] = _MODALS[0]
    when: tuple[str, str] = _WHENS[0]
    negated: bool = False

    @property
    def english(self) -> str:
        denied = " not" if self.negated else ""
        when = self.when[0].format(timer=self.timer)
        return (
            f"The {self.agent} {self.modal[0]}{denied} {self.act[0]} {self.thing[0]} to the {self.to} within"
            f" {self.number} {self.unit[0]} {when}."
        )

    @property
    def japanese(self) -> str:
        when = self.when[1].format(timer=self.timer)
        end = self.modal[1]
        denied = {"なければならない": "してはならない", "てもよい": "しなくてもよい"}
        act = denied[end] if self.negated else f"し{end}"
        inside = f"{self.number}{self.unit[1]}以内に"
        return f"{when}、{self.agent}は{inside}{self.thing[1]}を{self.to}に{self.act[2]}{act}。"


def _facts(random_: random.Random, count: int) -> list[_Fact]:
    return [
        _Fact(
            agent=(pair := random_.sample(_NODES, 2))[0],
            act=random_.choice(_ACTS),
            thing=random_.choice(_THINGS),
            to=pair[1],
            number=random_.choice((2, 3, 5, 8, 12, 15, 30, 45, 120)),
            unit=random_.choice(_UNITS),
            timer=f"T{random_.randrange(3300, 3599)}",
            modal=random_.choice(_MODALS),
            when=random_.choice(_WHENS),
            negated=random_.random() < 0.3,
        )
        for _ in range(count)
    ]


def _passage(facts: list[_Fact], number: int, *, japanese: bool) -> Evidence:
    lines = [fact.japanese if japanese else fact.english for fact in facts]
    heading = f"5.{number} {'手順' if japanese else 'Procedures'}"
    separator = "" if japanese else " "
    return passage(f"S2-26{number:05}", f"5.{number}", f"{heading}\n{separator.join(lines)}", 3)


def _other(random_: random.Random, values: tuple[object, ...], *but: object) -> object:
    return random_.choice([value for value in values if value not in but])


def _told(fact: _Fact, *, japanese: bool) -> str:
    return fact.japanese if japanese else fact.english


def cases(seed: int, count: int) -> tuple[list[Case], list[Case]]:
    """`count` true and at least as many false claims."""
    random_ = random.Random(seed)
    true: list[Case] = []
    false: list[Case] = []
    number = 0
    while len(true) < count or len(false) < count:
        number += 1
        source, claimed = random_.choice(((False, False), (False, True), (False, True), (True, True), (True, False)))
        facts = _facts(random_, 3)
        evidence = _passage(facts, number, japanese=source)
        true += _true(facts[0], evidence, source=source, claimed=claimed)
        false += _false(random_, facts, evidence, source=source, claimed=claimed)
    random_.shuffle(true)
    random_.shuffle(false)
    return true[:count], false[:count]


def _true(fact: _Fact, evidence: Evidence, *, source: bool, claimed: bool) -> Iterator[Case]:
    quote = _told(fact, japanese=source)
    same = source == claimed
    yield Case("verbatim" if same else "translated", _told(fact, japanese=claimed), (quote,), (evidence,))
    spaced = quote.replace(" ", "  \n") if not source else "\n".join(quote.partition("、"))
    yield Case(
        "reformatted", f"{evidence.contribution_number}: {_told(fact, japanese=claimed)}", (spaced,), (evidence,)
    )
    if same and not claimed:
        when = fact.when[0].format(timer=fact.timer)
        short = f"{quote.partition(' within ')[0]} {when}."
        yield Case("shortened", short, (quote,), (evidence,))
        yield Case("shortened", short, (quote.partition(" within ")[0],), (evidence,))
    wide = quote.translate({ord("T"): "Ｔ", ord("5"): "５"})
    yield Case("width", _told(fact, japanese=claimed), (wide,), (evidence,))


def _false(
    random_: random.Random, facts: list[_Fact], evidence: Evidence, *, source: bool, claimed: bool
) -> Iterator[Case]:
    fact, other, third = facts
    quote = _told(fact, japanese=source)

    def case(kind: str, changed: _Fact, quoted: str = quote) -> Case:
        return Case(kind, _told(changed, japanese=claimed), (quoted,), (evidence,))

    yield case("changed number", replace(fact, number=fact.number + random_.choice((1, 2, 10))))
    yield case("changed unit", replace(fact, unit=_other(random_, _UNITS, fact.unit)))  # type: ignore[arg-type]
    yield case("negation", replace(fact, negated=not fact.negated))
    yield case("modal", replace(fact, modal=_other(random_, _MODALS, fact.modal)))  # type: ignore[arg-type]
    yield case("swapped entities", replace(fact, agent=fact.to, to=fact.agent))
    yield case("other entity", replace(fact, agent=_other(random_, _NODES, fact.agent, fact.to)))  # type: ignore[arg-type]
    if claimed == source:
        told = _told(fact, japanese=claimed)
        dropped = told.partition("、")[2] if claimed else told.replace(f" {fact.when[0].format(timer=fact.timer)}", "")
        yield Case("condition dropped", dropped, (quote,), (evidence,))
    yield case("empty quote", fact, "")
    yield case("one letter", fact, quote[0])
    yield case("one word", fact, fact.agent)
    yield case("label", fact, evidence.text.partition("\n")[0])
    yield case("file name", fact, evidence.source_file)
    yield case("contribution number", fact, evidence.contribution_number or "")
    if "{timer}" in fact.when[0]:
        yield case("identifier", replace(fact, timer="T9999"))
    if (other.agent, other.act, other.thing) != (fact.agent, fact.act, fact.thing):
        yield (
            case("quote of another sentence", other if other.act != fact.act else fact, quote)
            if (other.act != fact.act)
            else case("unrelated", replace(fact, number=fact.number + 7))
        )
    middle = len(quote) // 2
    stitched = quote[:middle] + " ... " + _told(third, japanese=source)[middle:]
    yield case("stitched", fact, stitched)
    added = "、課金サーバーに料金を通知する。" if claimed else " and notify the charging server of the tariff."
    yield Case("invented clause", _told(fact, japanese=claimed)[:-1] + added, (quote,), (evidence,))
    elsewhere = passage("S2-2699999", "9.9", "9.9 Other\nThe printer has no paper on Monday mornings.", 1)
    yield Case("another passage", _told(fact, japanese=claimed), (quote,), (elsewhere,))
    yield Case("unrelated quote", _told(fact, japanese=claimed), ("has no paper on Monday mornings",), (elsewhere,))
