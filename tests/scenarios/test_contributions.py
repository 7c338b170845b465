"""From a meeting on an FTP server to chunks in the index, whatever happens in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.contributions.acquisition import ArchiveUnavailable
from locator_search.contributions.pipeline import ContributionPipeline
from locator_search.contributions.stages import CONTRIBUTION_STAGES
from tests.builders.files.excel97 import workbook97
from tests.builders.files.word import paragraph, picture, word
from tests.builders.files.word97 import doc
from tests.builders.meetings import MEETING, MODIFIED, ContributionBench, docx, put, zipped
from tests.fakes.ftp_server import FtpManners, FtpServer

REGISTRATION = docx("5.2.1 Registration", "The UE shall register.", "5.2.2 Deregistration", "It shall deregister.")

OpenBench = Callable[..., ContributionBench]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path / "tree", "S1-254001.zip", zipped({"S1-254001.docx": REGISTRATION}))
    return tmp_path / "tree"


@pytest.fixture
def manners() -> FtpManners:
    return FtpManners(mlsd=False, list_form="iis", epsv_reply_to_pasv=True, epsv=False)


@pytest.fixture
def server(root: Path, manners: FtpManners) -> Iterator[FtpServer]:
    with FtpServer(root, manners) as running:
        yield running


@pytest.fixture
def open_bench(
    server: FtpServer, database_url: str, tmp_path: Path, extractor: IsolatedExtractor
) -> Iterator[OpenBench]:
    """Opens the system anew, as another process would, on what the ones before left behind."""
    opened: list[ContributionBench] = []

    def open_one(**settings: object) -> ContributionBench:
        opened.append(ContributionBench(server.address, database_url, tmp_path / "home", extractor, **settings))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def _downloads(manners: FtpManners) -> list[str]:
    return [command.rpartition("/")[2] for command in manners.commands if command.startswith("RETR")]


def test_listing_a_meeting_fetches_no_contribution(open_bench: OpenBench, manners: FtpManners) -> None:
    bench = open_bench()
    (report,) = bench.sync()
    assert (report.meeting.meeting_id, report.contributions, report.files) == ("SA1#111", 1, 1)
    assert _downloads(manners) == []
    assert bench.process("S1-254001").ending == "indexed"
    assert _downloads(manners) == ["S1-254001.zip"]


def test_the_list_of_an_older_meeting_may_be_an_old_workbook(open_bench: OpenBench, root: Path) -> None:
    rows = [["TDoc", "Title", "Source", "Agenda item"], ["S1-254001", "Slices", "Kaede Telecom", "6.1"]]
    workbook97(root / MEETING / "TDoc_List_Meeting_SA1#111.xls", {"TDoc_List": rows})
    bench = open_bench()
    (report,) = bench.sync()
    assert report.tdoc_list == "TDoc_List_Meeting_SA1#111.xls"
    (known,) = bench.parts.store.contributions()
    assert (known.contribution.title, known.contribution.agenda_item) == ("Slices", "6.1")


def test_a_meeting_of_every_kind_of_file_becomes_chunks_and_reasons(
    open_bench: OpenBench, root: Path, tmp_path: Path
) -> None:
    other = docx("1 Scope", "Energy of cells.")
    put(root, "S1-254001r01.zip", zipped({"S1-254001r01.docx": docx("5.2.1 Registration", "It shall not.")}))
    put(
        root,
        "S1-254002.zip",
        zipped(
            {
                "S1-254002.docx": other,
                "inner.zip": zipped({"annex.docx": docx("A.1 Annex", "Figures.")}),
                "bomb.docx": b"\0" * (65 * 1024 * 1024),
                "__MACOSX/._S1-254002.docx": b"x",
                "../../evil.docx": docx("9 Evil", "Nothing."),
            }
        ),
    )
    put(root, "s1-254003.doc", doc(tmp_path / "old.doc", "1 Scope\rThe cell sleeps.\r", styles=[1, 0]).read_bytes())
    put(root, "S1-254004.doc", b"plain text that is named .doc, long enough to be one")
    put(root, "S1-254005.zip", b"PK\x03\x04 damaged")
    put(root, "agenda.docx", other)
    bench = open_bench()
    (report,) = bench.sync()
    assert (report.contributions, report.files, report.others) == (6, 6, 1)
    results = {result.name: result for result in map(bench.process, _numbers(bench))}

    endings = {number: result.ending for number, result in results.items()}
    assert endings == dict.fromkeys(endings, "indexed") | {"S1-254005": "skipped"}
    assert results["S1-254005"].reason == "unreadable: S1-254005.zip: The archive is damaged."
    documents = {one.source_file: one for one in bench.parts.store.documents("SA1#111/S1-254002")}
    assert set(documents) == {
        f"S1-254002.zip!{name}" for name in ("S1-254002.docx", "inner.zip!annex.docx", "bomb.docx", "evil.docx")
    }
    assert documents["S1-254002.zip!bomb.docx"].state == "too-large"
    (old,) = bench.parts.store.documents("SA1#111/S1-254003")
    assert (old.readable, old.converted, old.pages) == (True, False, "none")
    assert "LibreOffice is not installed" in old.reason
    indexed = {(file_id, clause) for file_id, clause, _ in bench.chunks()}
    assert ("SA1#111/S1-254001/S1-254001.zip!S1-254001.docx", "5.2.2") in indexed
    assert ("SA1#111/S1-254002/S1-254002.zip!inner.zip!annex.docx", "A.1") in indexed
    assert not any("bomb" in file_id or "MACOSX" in file_id for file_id, _ in indexed)


def test_what_a_picture_says_is_no_text_of_a_contribution(open_bench: OpenBench, root: Path, tmp_path: Path) -> None:
    heading = paragraph("5.2.1 Registration", "1", picture("Proposal 1: 7.1 The UE shall sleep"))
    body = heading + paragraph("It shall not.")
    put(root, "S1-254002.zip", zipped({"S1-254002.docx": word(tmp_path / "a.docx", body).read_bytes()}))
    bench = open_bench()
    bench.sync()
    assert bench.process("S1-254002").ending == "indexed"
    (document,) = bench.parts.store.documents("SA1#111/S1-254002")
    assert document.document.text == "5.2.1 Registration\nIt shall not."


def test_killed_at_any_stage_it_goes_on_and_fetches_nothing_twice(
    open_bench: OpenBench, root: Path, manners: FtpManners, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One contribution for every moment: before and after each stage."""
    moments = [(stage, after) for stage in CONTRIBUTION_STAGES for after in (False, True)]
    numbers = [f"S1-2540{10 + place}" for place in range(len(moments))]
    for number in numbers:
        put(root, f"{number}.docx", docx("5.2.1 Registration", f"The text of {number}."))
    bench = open_bench()
    bench.sync()
    steps = dict(zip(CONTRIBUTION_STAGES, ("_archive", "_normalise", "_chunk", "_index_documents"), strict=True))
    for number, (stage, after) in zip(numbers, moments, strict=True):
        step = getattr(ContributionPipeline, steps[stage])

        def killed(*arguments: object, step: Callable[..., None] = step, after: bool = after) -> None:
            if after:
                step(*arguments)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(ContributionPipeline, steps[stage], killed)
            with pytest.raises(KeyboardInterrupt):
                bench.process(number)
    bench.close()

    again = open_bench()
    endings = [again.process(number).ending for number in numbers]
    assert endings == ["indexed"] * (len(moments) - 1) + ["unchanged"]
    assert len(again.chunks()) == len(numbers)
    assert sorted(_downloads(manners)) == sorted(f"{number}.docx" for number in numbers)


def test_what_is_done_is_left_alone(open_bench: OpenBench, manners: FtpManners) -> None:
    bench = open_bench()
    bench.sync()
    bench.process("S1-254001")
    (report,) = bench.sync()
    assert report.changed == ()
    assert bench.process("S1-254001").ending == "unchanged"
    assert _downloads(manners) == ["S1-254001.zip"]


def test_another_strategy_cuts_everything_anew_without_fetching_it(open_bench: OpenBench, manners: FtpManners) -> None:
    bench = open_bench()
    bench.sync()
    bench.process("S1-254001")
    assert {version for *_, version in bench.chunks()} == {"heading-based-v1"}
    bench.close()
    other = open_bench(contributions_chunking="hierarchy")
    (known,) = other.parts.store.contributions()
    assert other.parts.pipeline.is_due(known)
    assert other.process("S1-254001").ending == "indexed"
    assert {version for *_, version in other.chunks()} == {"hierarchy-v1"}
    assert _downloads(manners) == ["S1-254001.zip"]


def test_a_file_that_changed_in_the_archive_replaces_what_was_indexed(open_bench: OpenBench, root: Path) -> None:
    bench = open_bench()
    bench.sync()
    bench.process("S1-254001")
    put(root, "S1-254001.zip", zipped({"renamed.docx": docx("7 Other", "Text.")}), at=MODIFIED + 60)
    (report,) = bench.sync()
    assert report.changed == ("SA1#111/S1-254001",)
    bench.process("S1-254001")
    assert [(file_id, clause) for file_id, clause, _ in bench.chunks()] == [
        ("SA1#111/S1-254001/S1-254001.zip!renamed.docx", "7")
    ]
    put(root, "S1-254001.zip", b"PK\x03\x04 damaged", at=MODIFIED + 120)
    bench.sync()
    assert bench.process("S1-254001").ending == "skipped"
    assert bench.chunks() == []


def test_an_archive_that_does_not_answer_ends_the_work_and_condemns_nobody(
    open_bench: OpenBench, manners: FtpManners
) -> None:
    bench = open_bench()
    bench.sync()
    bench.parts.archive.close()
    manners.busy = 10**6
    with pytest.raises(ArchiveUnavailable, match="did not answer"):
        bench.process("S1-254001")
    assert bench.state("S1-254001") == "listed"
    manners.busy = 0
    assert bench.process("S1-254001").ending == "indexed"


def test_a_file_that_is_gone_since_fails_alone(open_bench: OpenBench, root: Path) -> None:
    put(root, "S1-254002.docx", REGISTRATION)
    bench = open_bench()
    bench.sync()
    (root / "TSGS1_111_Goteborg" / "Docs" / "S1-254001.zip").unlink()
    gone, other = bench.process("S1-254001"), bench.process("S1-254002")
    assert (gone.ending, gone.failed_stage, other.ending) == ("failed", "contribution_archive", "indexed")
    assert bench.state("S1-254001") == "failed"


def test_one_content_under_two_names_is_one_document(open_bench: OpenBench, root: Path) -> None:
    put(root, "S1-254001.docx", REGISTRATION)
    bench = open_bench()
    bench.sync()
    bench.process("S1-254001")
    assert len(bench.parts.store.documents("SA1#111/S1-254001")) == 1


def _numbers(bench: ContributionBench) -> list[str]:
    return [known.contribution.number for known in bench.parts.store.contributions()]
