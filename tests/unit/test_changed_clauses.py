"""Every clause that a document changes, with all of its changed sentences, as another reader of the XML tells them."""

from __future__ import annotations

import io
import os
import random
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from locator_search.config.bundled import sample_meetings
from locator_search.contributions.analysis.revisions import tracked_changes
from locator_search.indexing.chunking.strategies import HeadingBasedChunking
from locator_search.text.clauses import clause_number
from tests.builders.changed_words import changed_paragraphs, squeezed
from tests.builders.contributions import passage
from tests.builders.files.extracted import extracted
from tests.builders.files.word import paragraph, run, word

PEOPLE = ("Aoki", "Baba")
WORDS = ("network", "shall", "reject", "request", "UE", "that", "waits", "timers", "release", "slice", "never", "any")


def edits_by_clause(path: Path) -> dict[str, str]:
    """What the product says was and is in each changed clause, run together."""
    chunks = HeadingBasedChunking().cut(extracted(path).document)
    evidence = [passage("S1-1", chunk.clause, chunk.text, chunk.ordinal + 1, changes=chunk.changes) for chunk in chunks]
    return {
        change.clause_number or "": squeezed("".join(f"{edit.before}\n{edit.after}\n" for edit in change.edits))
        for change in tracked_changes(list(enumerate(evidence)))
    }


def hold_against_the_other_reader(path: Path) -> int:
    """The number of changed sentences; every one of them is told, under its clause, and no other clause is changed."""
    told, count, clauses = edits_by_clause(path), 0, set()
    for changed in changed_paragraphs(path):
        clause = clause_number(changed.clause) or ""
        clauses.add(clause)
        for sentence in (*changed.before, *changed.after):
            count += 1
            assert squeezed(sentence) in told.get(clause, ""), (path.name, clause, sentence)
    assert set(told) == clauses, path.name
    return count


def test_a_deleted_line_is_an_edit_of_its_own_and_reworded_sentences_stand_beside_each_other(tmp_path: Path) -> None:
    gone = "<w:pPr><w:rPr><w:del w:author='Aoki'/></w:rPr></w:pPr>"
    lines = (
        paragraph("5.2.x Evaluation", "2"),
        *(f"<w:p>{gone}{deletion(text)}</w:p>" for text in ("Editor's note: to be written.", "See also clause 9.")),
        paragraph(inside=f"<w:ins>{run('The salient features are these.')}</w:ins>"),
        paragraph("The timer is ", inside=deletion("10") + f"<w:ins>{run('15')}</w:ins>" + run(" seconds.")),
    )
    chunks = HeadingBasedChunking().cut(extracted(word(tmp_path / "a.docx", "".join(lines))).document)
    (chunk,) = chunks
    (change,) = tracked_changes([(0, passage("S1-1", chunk.clause, chunk.text, 1, changes=chunk.changes))])
    assert (change.clause_number, [(edit.before, edit.after) for edit in change.edits]) == (
        "5.2.x",
        [
            ("Editor's note: to be written.", ""),
            ("See also clause 9.", ""),
            ("", "The salient features are these."),
            ("The timer is 10 seconds.", "The timer is 15 seconds."),
        ],
    )


def edits_in(tmp_path: Path, *lines: str) -> list[tuple[str, str]]:
    chunks = HeadingBasedChunking().cut(extracted(word(tmp_path / "a.docx", "".join(lines))).document)
    evidence = [passage("S1-1", chunk.clause, chunk.text, 1, changes=chunk.changes) for chunk in chunks]
    return [(edit.before, edit.after) for change in tracked_changes([*enumerate(evidence)]) for edit in change.edits]


def test_a_reworded_heading_does_not_run_on_into_a_new_paragraph(tmp_path: Path) -> None:
    reworded = deletion("untrusted non 3GPP Access") + f"<w:ins>{run('N3IWF')}</w:ins>"
    new = "The following applies to untrusted non 3GPP access networks, to the control plane and to access by a PLMN."
    assert edits_in(
        tmp_path,
        paragraph("8.2.4 Control Plane for ", "2", inside=reworded),
        paragraph(inside=f"<w:ins>{run(new)}</w:ins>"),
    ) == [("8.2.4 Control Plane for untrusted non 3GPP Access", "8.2.4 Control Plane for N3IWF"), ("", new)]


def test_a_sentence_that_became_two_is_told_beside_both(tmp_path: Path) -> None:
    parted = deletion(" and starts") + f"<w:ins>{run('. It starts')}</w:ins>"
    assert edits_in(
        tmp_path,
        paragraph("5.2 Timers", "2"),
        paragraph("The UE stops the timer of the slice", inside=parted + run(" to wait for the network.")),
    ) == [
        (
            "The UE stops the timer of the slice and starts to wait for the network.",
            "The UE stops the timer of the slice. It starts to wait for the network.",
        )
    ]


def test_the_number_of_a_step_is_told_with_its_sentence(tmp_path: Path) -> None:
    joined = "<w:pPr><w:rPr><w:del w:author='Aoki'/></w:rPr></w:pPr>"
    gone = deletion("\t").replace("Aoki", "Baba") + deletion("If the timer runs, the MME rejects the request.")
    assert edits_in(
        tmp_path,
        paragraph("5.4.5 Procedure", "2"),
        f"<w:p>{joined}{run('2.')}{gone}</w:p>",
        paragraph("\tThe MME sends the command."),
        paragraph(inside=deletion("3") + f"<w:ins>{run('4')}</w:ins>" + run(".\tThe gateway answers.")),
    ) == [
        ("2. If the timer runs, the MME rejects the request.", ""),
        ("The MME sends the command.", "2. The MME sends the command."),
        ("3. The gateway answers.", "4. The gateway answers."),
    ]


# Documents made at random: changes inside words, of several people, of whole lines, rows and ends of paragraphs.


def sentence(chance: random.Random) -> str:
    return " ".join(chance.sample(WORDS, 6)).capitalize() + f" {chance.randrange(10_000)}."


def deletion(text: str) -> str:
    return f"<w:del w:author='Aoki'><w:r><w:delText xml:space='preserve'>{text}</w:delText></w:r></w:del>"


def changed(chance: random.Random, kind: str, text: str) -> str:
    """An insertion or deletion, in runs of up to two people."""
    cut = chance.randrange(1, len(text))
    inner = '<w:r><w:delText xml:space="preserve">{}</w:delText></w:r>' if kind == "del" else run("{}")
    pieces = zip((text[:cut], text[cut:]), (PEOPLE[0], chance.choice(PEOPLE)), strict=True)
    return "".join(f'<w:{kind} w:author="{author}">{inner.format(piece)}</w:{kind}>' for piece, author in pieces)


def line(chance: random.Random) -> str:
    text = sentence(chance)
    what = chance.choice(("kept", "kept", "ins", "del", "word", "more", "merged"))
    if what in ("ins", "del"):
        mark = f"<w:pPr><w:rPr><w:{what} w:author='Aoki'/></w:rPr></w:pPr>"
        return f"<w:p>{mark}{changed(chance, what, text)}</w:p>"
    if what == "word":
        first, _, rest = text.partition(" ")
        return paragraph(first, inside=changed(chance, "del", " never ") + changed(chance, "ins", " ever ") + run(rest))
    if what == "more":
        return paragraph(text, inside=changed(chance, "ins", f" {sentence(chance)}"))
    if what == "merged":
        mark = "<w:pPr><w:rPr><w:del w:author='Aoki'/></w:rPr></w:pPr>"
        return f"<w:p>{mark}{run('- ')}{changed(chance, 'del', text)}</w:p>" + paragraph(sentence(chance))
    return paragraph(text)


def rows(chance: random.Random) -> str:
    def row() -> str:
        cells = sentence(chance), sentence(chance)
        what = chance.choice(("kept", "ins", "del"))
        inside = [run(cell) if what == "kept" else changed(chance, what, cell) for cell in cells]
        return "<w:tr>" + "".join(f"<w:tc>{paragraph(inside=one)}</w:tc>" for one in inside) + "</w:tr>"

    return f"<w:tbl>{''.join(row() for _ in range(4))}</w:tbl>"


@pytest.mark.parametrize("seed", range(20))
def test_changed_sentences_of_documents_made_at_random_are_all_told_under_their_clause(
    seed: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    body = "".join(
        paragraph(f"5.{number}.x Clause", "2") + "".join(line(chance) for _ in range(6)) + rows(chance)
        for number in range(1, 6)
    )
    assert hold_against_the_other_reader(word(tmp_path / "a.docx", body)) > 20


def documents_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() == ".docx":
            yield path.name, path.read_bytes()
        elif path.suffix.lower() == ".zip":
            with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as package:
                names = [name for name in package.namelist() if name.endswith(".docx") and "__MACOSX" not in name]
                yield from ((name, package.read(name)) for name in names)


def test_changed_sentences_of_real_documents_are_all_told_under_their_clause(tmp_path: Path) -> None:
    """Of the sample meetings, and of a folder that LOCATOR_DEVSET_CONTRIBUTIONS names."""
    named = os.environ.get("LOCATOR_DEVSET_CONTRIBUTIONS")
    counts: defaultdict[str, int] = defaultdict(int)
    for folder in filter(None, (sample_meetings(), Path(named) if named else None)):
        for number, (name, data) in enumerate(documents_of(folder)):
            path = tmp_path / f"{number}.docx"
            path.write_bytes(data)
            counts[name] = hold_against_the_other_reader(path)
    assert sum(counts.values()) > 5, counts
