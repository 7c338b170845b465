"""One file through the five stages. Everything costly is remembered, so doing it again is free."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir
from threading import Semaphore
from typing import TYPE_CHECKING

from locator_search.core.disk import full_disk, is_full
from locator_search.core.errors import (
    AccessDenied,
    BadModelOutput,
    BudgetExhausted,
    ConfigurationError,
    DimensionMismatch,
    FileGone,
    LocatorError,
    ModelUnavailable,
    QuotaUsedUp,
    ReadingStopped,
    SchemaOutOfDate,
    StoreUnavailable,
    UnreadableFile,
    UnsupportedFileType,
)
from locator_search.core.temporary import temporary_folder
from locator_search.core.usage import metered
from locator_search.indexing.diff import is_due, is_settled, waits_for_batch
from locator_search.indexing.endings import Endings
from locator_search.indexing.entry import (
    EmbeddedFile,
    analyse_chunks,
    embed_file,
    make_entry,
    of_summary,
    of_text,
    without_embeddings,
)
from locator_search.indexing.model_outages import CircuitBreaker, after_refusal, together, unavailable
from locator_search.indexing.reading import Content, ContentChanged, Reader, Suspected, content_of, copied_into
from locator_search.indexing.stages import STAGES, Fact, FileResult, Stage, StageLog
from locator_search.indexing.summaries import Summarised, Summariser, is_about_one_file
from locator_search.llm.answers import SummaryAnswer
from locator_search.model import Chunk, Document, Extraction, ExtractionState, FileRef, StandIn, Terms
from locator_search.ports import (
    Chunker,
    Clock,
    DocumentSource,
    Embedder,
    ExtractionMemo,
    FileLocks,
    FileRegistry,
    IndexStore,
    KnownFile,
    Prompt,
    TextExtractor,
)

if TYPE_CHECKING:
    from locator_search.model import Vector

ENTRY_VERSION = "3"
"""Of the way an index entry is put together; a new one indexes every file anew."""
PREVIEW_LENGTH = 200
ENTRIES_AT_ONCE = 2
"""More computing threads would make those wait that keep the model busy: Python runs one of them at a time."""

NOT_ABOUT_ONE_FILE = (
    BudgetExhausted,
    ConfigurationError,
    QuotaUsedUp,
    ReadingStopped,
    StoreUnavailable,
    SchemaOutOfDate,
    DimensionMismatch,
)


class _NoTextError(Exception):
    """The extraction ended without text that may be indexed."""

    def __init__(self, extraction: Extraction) -> None:
        super().__init__(extraction.state)
        self.extraction = extraction


@dataclass
class _Work:
    """One file under way; each stage leaves its result here for the next."""

    file: FileRef
    known: KnownFile | None
    again: bool
    alone: bool
    attempts: int
    directory: Path
    locks: ExitStack
    content: Content = field(init=False)
    extraction: Extraction = field(init=False)
    summarised: Summarised = field(init=False)
    embedded: EmbeddedFile = field(init=False)
    without_embeddings: StandIn | None = None


class Indexer:
    """Indexes one file at a time; safe to call from several threads and processes at once."""

    def __init__(
        self,
        *,
        source: DocumentSource,
        extractor: TextExtractor,
        chunker: Chunker,
        summariser: Summariser,
        embedder: Embedder,
        registry: FileRegistry,
        index: IndexStore,
        extraction_memo: ExtractionMemo,
        locks: FileLocks,
        clock: Clock,
    ) -> None:
        self._source = source
        self._reader = Reader(extractor, extraction_memo)
        self._chunker = chunker
        self._summariser = summariser
        self._embedder = embedder
        self._embedding_breaker = CircuitBreaker(clock)
        self._registry = registry
        self._index = index
        self._locks = locks
        self._clock = clock
        self._computing = Semaphore(ENTRIES_AT_ONCE)
        self._steps: Mapping[Stage, Callable[[_Work, dict[str, Fact]], None]] = {
            "drive_file": self._fetch,
            "extracted_text": self._extract,
            "file_summary": self._summarise,
            "file_embedding": self._embed,
            "drive_file_index": self._store,
        }

    @property
    def version(self) -> str:
        """Changes when the same file would be indexed differently: parsers, chunker, prompt, models, entry."""
        made_by = (self._reader.version, self._chunker.version, self._summariser.version, f"entry-{ENTRY_VERSION}")
        return " ".join((*made_by, self._summariser.model_name, self._embedder.model_name))

    def refuse_another_model(self) -> None:
        """Before any file is fetched: raise DimensionMismatch when the index was made with another embedding model."""
        self._index.refuse_another_model(self._embedder.model_name, self._embedder.dimensions)

    def index_file(
        self,
        file: FileRef,
        *,
        until: Stage = STAGES[-1],
        again: bool = False,
        verify: bool = False,
        alone: bool = True,
    ) -> FileResult:
        """Take a file through the stages up to `until`. One that waits for a batch is left alone, unless a person asks
        (`again`), and so is a settled one, unless

        - `again`: a person asks, so content that gave no text is tried once more;
        - `verify`: its content is hashed, and it is left alone when that is what was indexed.

        Where others are read at the same time (`alone` off), one whose reading ended a process is postponed.

        Never raises for a bad file. Raises BudgetExhausted, ConfigurationError, QuotaUsedUp, ReadingStopped,
        StoreUnavailable, SchemaOutOfDate and DimensionMismatch: those are about every file.
        """
        with self._locks.hold(f"file:{file.file_id}"):
            now = self._clock.now()
            known = self._registry.known(file_ids=[file.file_id]).get(file.file_id)
            if known is None:
                self._registry.record_listing([file], now)
            elif is_due(known, now) and known.state == "indexed":
                if not again and self._waits_for_a_model(known, file):
                    self._registry.postpone(file.file_id, unavailable(known.attempts, now))
                    return FileResult(file, "unchanged", reason="model-unavailable")
                verify = False
            elif is_due(known, now):
                again = True
            elif not again and self._is_left_alone(known, file, now, verify=verify):
                return FileResult(file, "unchanged", reason=known.state)
            return self._work_on(file, known, until, again=again, verify=verify, alone=alone)

    def _waits_for_a_model(self, known: KnownFile, file: FileRef) -> bool:
        """Whether nothing can be done for an indexed file now: only a model's answer is missing, and it is known to be
        out of reach."""
        is_out = self._summariser.is_out or self._embedding_breaker.is_open
        return is_out and (known.done_revision, known.pipeline_version) == (file.revision, self.version)

    def _is_left_alone(self, known: KnownFile, file: FileRef, now: datetime, *, verify: bool) -> bool:
        if waits_for_batch(known, file, self.version, now):
            return True
        return not verify and is_settled(known, file, self.version, now)

    def open_question(self, file: FileRef) -> Prompt[SummaryAnswer] | None:
        """What the model has to be asked to index a file. None where the answer is remembered (or that there is none),
        or where no text is to be had: `index_file` says why. Raises what is about every file.
        """
        with self._locks.hold(f"file:{file.file_id}"), temporary_folder() as directory:
            known = self._registry.known(file_ids=[file.file_id]).get(file.file_id)
            with ExitStack() as locks:
                work = _Work(file, known, False, True, 0, Path(directory), locks)
                try:
                    self._fetch(work, {})
                    self._extract(work, {})
                except NOT_ABOUT_ONE_FILE:
                    raise
                except Exception:  # whatever one file does
                    return None
        return self._summariser.question(work.extraction.document.text)

    def _work_on(
        self, file: FileRef, known: KnownFile | None, until: Stage, *, again: bool, verify: bool, alone: bool
    ) -> FileResult:
        log = StageLog(STAGES)
        try:
            with temporary_folder() as directory, ExitStack() as locks:
                before = None if again or verify else known
                attempts = known.attempts if known is not None and known.state == "indexed" else 0
                work = _Work(file, before, again, alone, attempts, Path(directory), locks)
                for stage in STAGES[: STAGES.index(until) + 1]:
                    with log.stage(stage) as facts:
                        self._steps[stage](work, facts)
                    if verify and stage == "drive_file" and self._is_indexed(known, work):
                        return FileResult(file, "unchanged", tuple(log.reports))
                    if until == STAGES[-1] and stage == "drive_file" and self._is_refreshed(before, work):
                        return FileResult(file, "unchanged", tuple(log.reports), "indexed")
            return FileResult(file, "indexed" if until == STAGES[-1] else "stopped", tuple(log.reports))
        except (FileGone, FileNotFoundError):
            self._registry.mark_gone([file.file_id])
            return FileResult(file, "gone", tuple(log.reports), "removed since it was listed", log.next_stage)
        except (AccessDenied, PermissionError) as error:
            return self._endings(log).no_access(file, error)
        except Suspected:
            return FileResult(file, "postponed")
        except _NoTextError as no_text:
            return self._endings(log).no_text(file, work.content.sha256, no_text.extraction)
        except (UnsupportedFileType, UnreadableFile) as error:  # the source knows that no text is to be had
            state: ExtractionState = "unsupported" if isinstance(error, UnsupportedFileType) else "too-large"
            extraction = Extraction(state, Document((), file.mime_type), error.message)
            return self._endings(log).no_text(file, None, extraction)
        except NOT_ABOUT_ONE_FILE:
            raise
        except Exception as error:  # whatever one file does, the others are indexed
            if isinstance(error, OSError) and is_full(error):  # and what the disk does concerns them, too
                raise StoreUnavailable(*full_disk(error.filename or gettempdir())) from None
            return self._endings(log).failure(file, known, error)

    # The stages

    def _fetch(self, work: _Work, facts: dict[str, Fact]) -> None:
        kept = self._kept_content(work.file, work.known)
        work.content = kept or content_of(self._source.read(work.file, work.directory))
        # Copies of one content wait for each other: the first is read and summarised, the others find it remembered.
        work.locks.enter_context(self._locks.hold(f"content:{work.content.sha256}"))
        facts.update(
            file_name=work.file.file_name,
            folder=work.file.folder_path,
            mime_type=work.file.mime_type,
            bytes=work.content.stamp[0],
            modified_at=work.file.modified_at.isoformat(),
            sha256=work.content.sha256,
            read_as="remembered" if kept else work.content.path.suffix.lstrip("."),
            link=work.file.link,
        )

    def _kept_content(self, file: FileRef, known: KnownFile | None) -> Content | None:
        """The content that was indexed, when only name or place changed and its text is remembered: no need to read it.

        A revision says so by the part before its `/`.
        """
        if known is None or known.state != "indexed" or not known.content_hash or "/" not in file.revision:
            return None
        if (known.done_revision or "").partition("/")[0] != file.revision.partition("/")[0]:
            return None
        if not self._reader.remembers(known.content_hash, file.mime_type):
            return None
        return Content(Path(), known.content_hash, (file.size or 0, 0, 0))

    def _extract(self, work: _Work, facts: dict[str, Fact]) -> None:
        try:
            work.extraction, cached = self._text_of(work)
        except ContentChanged:
            work.content = copied_into(work.directory, work.content)
            work.extraction, cached = self._text_of(work)
        if not work.extraction.readable:
            raise _NoTextError(work.extraction)
        text = work.extraction.document.text
        facts.update(
            state=work.extraction.state,
            characters=len(text),
            pages=work.extraction.document.page_count or 0,
            cached=cached,
            preview=text[:PREVIEW_LENGTH],
        )

    def _text_of(self, work: _Work) -> tuple[Extraction, bool]:
        return self._reader.read(work.content, work.file.mime_type, again=work.again, alone=work.alone)

    def _summarise(self, work: _Work, facts: dict[str, Fact]) -> None:
        with metered() as meter:
            work.summarised = made = self._summariser.summarise(
                work.extraction.document.text, attempts=work.attempts, again=work.again
            )
        facts.update(
            summary=made.summary.summary,
            keywords=", ".join(made.summary.keywords),
            model=made.model_name,
            cached=made.remembered,
            calls=meter.total.calls,
            tokens=meter.total.tokens,
            cost_usd=meter.total.cost_usd,
        )
        if made.stand_in is not None:
            facts.update(stands_in_for=self._summariser.model_name, problem=made.problem, **_next_try(made.stand_in))

    def _embed(self, work: _Work, facts: dict[str, Fact]) -> None:
        chunks = self._chunker.chunk(work.extraction.document)
        kept = self._index.chunk_embeddings(work.content.sha256, self._embedder.model_name)
        with self._computing:  # now, while others wait for the model, and not when the last embeddings have come
            terms = analyse_chunks(chunks)
        with metered() as meter:
            try:
                work.embedded = self._embedded(work, chunks, terms, kept)
            except (LocatorError, UnicodeError) as error:
                if isinstance(error, LocatorError) and not is_about_one_file(error):
                    raise
                work.embedded = without_embeddings(chunks, terms, kept)
                work.without_embeddings = self._ask_later(work, error)
                facts.update(problem=str(error), **_next_try(work.without_embeddings))
        facts.update(
            chunks=len(chunks),
            reused=sum(chunk.text in kept for chunk in chunks),
            model=self._embedder.model_name,
            dimensions=self._embedder.dimensions,
            tokens=meter.total.tokens,
            cost_usd=meter.total.cost_usd,
        )

    def _embedded(
        self, work: _Work, chunks: Sequence[Chunk], terms: Sequence[Terms], kept: Mapping[str, Vector]
    ) -> EmbeddedFile:
        return self._embedding_breaker.ask(
            lambda: embed_file(work.file, work.summarised.summary, chunks, terms, kept, self._embedder)
        )

    def _ask_later(self, work: _Work, error: Exception) -> StandIn:
        """A wrong answer of an embedding model is no fault of the file; a refused request may be."""
        now = self._clock.now()
        if isinstance(error, ModelUnavailable | BadModelOutput):
            return unavailable(work.attempts, now)
        return StandIn("refused", work.attempts + 1, after_refusal(work.attempts + 1, now))

    def _store(self, work: _Work, facts: dict[str, Fact]) -> None:
        with self._computing:
            entry = make_entry(
                work.file,
                work.summarised.summary,
                work.embedded,
                content_hash=work.content.sha256,
                parser_version=self._reader.version,
                chunker_version=self._chunker.version,
                embedding_model=self._embedder.model_name,
                chat_model=work.summarised.model_name,
                metadata=of_text(work.extraction) | of_summary(stands_in=work.summarised.stand_in is not None),
                summary_key=work.summarised.key,
                stand_in=together(work.summarised.stand_in, work.without_embeddings),
            )
            self._index.replace(entry, self.version)
        facts.update(file_name=work.file.file_name, state="indexed", chunks=len(entry.chunks), link=work.file.link)

    def _endings(self, log: StageLog[Stage]) -> Endings:
        return Endings(self._registry, self._clock.now(), self.version, log)

    def _is_refreshed(self, known: KnownFile | None, work: _Work) -> bool:
        """Whether the index held this content under this name and place, so that its times alone had to be entered: a
        file that was touched, or the copy of a folder on another machine."""
        return (
            known is not None
            and known.state == "indexed"
            and known.next_try_at is None  # else a model still owes it something
            and known.content_hash == work.content.sha256
            and known.pipeline_version == self.version
            and self._index.refresh(work.file, work.content.sha256)
        )

    def _is_indexed(self, known: KnownFile | None, work: _Work) -> bool:
        """Whether exactly this content is in the index already, by the present pipeline."""
        return (
            known is not None
            and known.state == "indexed"
            and known.content_hash == work.content.sha256
            and known.done_revision == work.file.revision
            and known.pipeline_version == self.version
        )


def _next_try(stand_in: StandIn) -> dict[str, Fact]:
    """When the model is asked again, as a fact of a stage."""
    return {"asked_again_at": stand_in.next_try_at.isoformat() if stand_in.next_try_at else "never by itself"}
