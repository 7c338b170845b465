"""The clauses of a Japanese sentence, and the places of words within a clause."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from locator_search.text.statements.atom import Atom, is_attributive, tells_time
from locator_search.text.statements.parts.part import AND, OR, Part

ENDS = {
    **dict.fromkeys(("場合", "際", "時", "ば"), "if"),
    **dict.fromkeys(("前", "以前"), "before"),
    **dict.fromkeys(("後", "以後"), "after"),
    **dict.fromkeys(("為", "ので"), "because"),
    "まで": "until",
    "間": "while",
}
"""Words that end a clause, and what it is to its sentence."""
_PARTICLES = {"に": "to", "へ": "to", "から": "from", "より": "from", "で": "in", "と": "with", "まで": "until"}
_LISTED = frozenset({"名詞", "latin", "unit", "接尾辞", "接頭辞"})
"""Kinds of words of which a list is made (A、B または C); a comma behind them ends no clause."""
_MARKING = frozenset({"に", "は", "、", "，", "も", "のみ", "だけ"})
_SAID = """
言う 為る 成る 見なす 思う 考える 述べる 見做す みなす 判断 判定 記載 規定
合意 提案 決定 確認 仮定 報告 推定 主張 想定 解釈 説明 明記
結論 認識 指摘 共 共に 同時 の も は 予想 期待 定める
回答 返答 答える 質問 問う 尋ねる 聞く 発言 コメント 表明 示唆 示す 強調 警告 推測 推奨 要望 希望 予測 見込む
見積もる 信じる 評価 感じる 理解 断言 批判 疑う 懸念 約束 宣言 発表 公表 書く 記す 記述 呼ぶ 称する 定義 伝える
論じる 論ずる 同意 賛成 反論
分かる 判明 結論付ける 位置付ける 決める 決まる 申し立てる 申し出る 見積る 読み取る 訴える 唱える 語る 見る 踏む
"""
_SAYING = frozenset(_SAID.split())
"""What follows the と of what is said or thought; behind other verbs it is a when."""
_PAST = frozenset({"た", "だ"})
"""Behind them a と is of what is said."""
_DENYING = frozenset({"ない", "無い", "ぬ", "ず", "ば", "ます"})
_VERBAL = frozenset({"動詞", "助動詞", "形容詞"})


def part_japanese(atoms: Sequence[Atom], parts: Sequence[Part]) -> None:
    """Fill in the parts of the atoms of a Japanese sentence."""
    start = unit = 0
    pending: list[int] = []
    carried: list[int] = []  # words before a clause that is a phrase: they belong to the clause that ends next
    for index, atom in enumerate(atoms):
        before = atoms[index - 1] if index else None
        after = atoms[index + 1] if index + 1 < len(atoms) else None
        kind, first = _ended(atom, before, after), start
        is_end = atom.text in ("、", "，", "。", "；") or after is None
        if kind and before is not None:
            is_verbal = before.kind in _VERBAL or (atom.text == "から" and before.text in ("て", "で"))
            if not is_verbal and atom.normal not in ("場合", "為"):
                first = _last_phrase(atoms, start, index)
            inside = list(range(first, index + 1))
            if first > start:
                carried += range(start, first)
            else:
                inside, carried = [*carried, *inside], []
            topic = _topic(atoms, inside)
            pending += topic
            unit += 1
            for at in (one for one in inside if one not in topic):
                parts[at].section, parts[at].relation = unit, kind
            start = index + 1
        elif is_end:
            inside, carried = [*carried, *range(start, index + 1)], []
            said = [at for at in inside if atoms[at].kind not in ("mark", "補助記号")]
            start = index + 1
            last = atoms[said[-1]] if said else None
            open_ = last is None or (last.kind in ("助詞", "接続詞", "副詞") and last.text not in ("て", "が", "ので"))
            open_ = open_ or all(atoms[at].kind in _LISTED for at in said)
            if open_ and after is not None:
                pending += inside
                continue
            unit += 1
            goes_on = last is not None and after is not None and (last.kind in ("動詞", "助動詞") or last.text == "て")
            for at in (*pending, *inside):
                parts[at].section, parts[at].relation, parts[at].goes_on = unit, "main", goes_on
            pending = []
    _join_conditions(atoms, parts)
    if pending or carried:
        unit += 1
        for at in (*pending, *carried):
            parts[at].section = unit
    for number in range(unit + 1):
        _label_japanese(atoms, parts, [at for at in range(len(atoms)) if parts[at].section == number])


def _join_conditions(atoms: Sequence[Atom], parts: Sequence[Part]) -> None:
    """Make what is said of a subject with が before a condition one too (AがBし、CがDした場合): such a clause tells
    nothing by itself, where one with は may."""
    sections = list(dict.fromkeys(part.section for part in parts if part.section))
    for second, first in pairwise(reversed(sections)):
        inside = [at for at, part in enumerate(parts) if part.section == first]
        relation = next(part.relation for part in parts if part.section == second)
        marks = {atoms[at].text for at in inside if atoms[at].kind == "助詞"}
        last = [atoms[at] for at in inside if atoms[at].kind not in ("mark", "補助記号")][-1:]
        goes_on = bool(last) and (last[0].kind in _VERBAL or last[0].text == "て")
        if relation == "if" and parts[inside[0]].relation == "main" and "が" in marks and "は" not in marks and goes_on:
            for at in inside:
                parts[at].relation = "if"


def _ended(atom: Atom, before: Atom | None, after: Atom | None) -> str:
    if before is None:
        return ""
    follows_verb = before.kind in _VERBAL
    if atom.normal == "限り" and before.kind in ("助動詞", "形容詞"):
        return "unless" if before.normal in ("ない", "無い", "ず") else "if"
    if atom.text == "と" and atom.kind == "助詞" and follows_verb and after is not None and after.normal not in _SAYING:
        return "" if before.text in _PAST else "if"
    if atom.text in ("たら", "だら") and follows_verb:
        return "if"
    if atom.text == "なら" and after is not None and after.normal not in _DENYING:
        return "if"
    if atom.text == "中" and before.kind == "名詞" and after is not None and after.text in _MARKING:
        return "while"
    if atom.text == "から" and before.text in ("て", "で"):
        return "after"
    kind = ENDS.get(atom.normal, "")
    if atom.normal in ("まで", "間", "から") and not follows_verb:
        return ""
    if atom.normal == "時" and not follows_verb and before.text != "の":
        return "if" if before.kind == "名詞" and after is not None and after.text in _MARKING else ""
    if atom.normal == "ば" and not follows_verb:
        return ""
    return kind


def _last_phrase(atoms: Sequence[Atom], start: int, end: int) -> int:
    for at in range(end - 1, start - 1, -1):
        if (atoms[at].kind == "助詞" and atoms[at].text not in ("の", "による")) or atoms[at].kind == "補助記号":
            return at + 1
    return start


def _topic(atoms: Sequence[Atom], inside: Sequence[int]) -> list[int]:
    """The words marked by は in a clause beside the main one, to which they belong."""
    topics = [at for at in inside if atoms[at].kind == "助詞" and atoms[at].text == "は"]
    return [at for at in inside if topics and at <= topics[0]]


def _label_japanese(atoms: Sequence[Atom], parts: Sequence[Part], inside: Sequence[int]) -> None:
    passive = any(
        atoms[at].normal in ("れる", "られる") and not _is_of_a_deed(atoms, at) and not is_attributive(atoms, at)
        for at in inside
    )
    has_ga = any(
        atoms[at].text == "が"
        and atoms[at].kind == "助詞"
        and "こと" not in (one.text for one in atoms[max(0, at - 2) : at])
        for at in inside
    )
    joint = 0
    since: list[int] = []
    for place, at in enumerate(inside):
        atom = atoms[at]
        after = atoms[inside[place + 1]].normal if place + 1 < len(inside) else ""
        parts[at].joint = joint
        if atom.text in AND | OR or (atom.text == "と" and atom.kind == "助詞" and after not in ("比べる", "する")):
            joint += 1
        since.append(at)
        if atom.text == "が" and place and atoms[inside[place - 1]].kind in _VERBAL:
            continue
        if atom.kind != "助詞" or atom.text in ("の", "のみ", "だけ", "しか", "て", "と", "も"):
            continue
        label = _PARTICLES.get(atom.text, "")
        if atom.text == "が" and "こと" in (atoms[one].text for one in since[-3:]):  # ことができる
            label = ""
        elif atom.text == "は" and place and tells_time(atoms[inside[place - 1]]):
            label = "to"
        elif atom.text in ("は", "が"):
            label = "object" if passive or (atom.text == "は" and has_ga) else "agent"
        elif atom.text == "を":
            label = "object"
        elif atom.text == "に" and after in ("因る", "よる"):
            label = "agent" if passive or _is_of_a_noun(atoms, at) else "by"
        elif atom.text == "に" and after in ("対する",):
            label = "to"
        elif atom.text == "に" and place and atoms[inside[place - 1]].text == "代わり":
            label = "insteadof"
        for one in since:
            parts[one].label = label
        since = []


def _is_of_a_deed(atoms: Sequence[Atom], at: int) -> bool:
    """Whether a passive is about what is done as a whole (することが禁止される)."""
    return any(atom.text in ("こと", "よう") for atom in atoms[max(0, at - 5) : at])


def _is_of_a_noun(atoms: Sequence[Atom], at: int) -> bool:
    """Whether a によ of by is the による of a noun (UEによる登録)."""
    return at + 1 < len(atoms) and atoms[at + 1].text == "よる"
